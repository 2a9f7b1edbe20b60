//! A waiting interpreter beside a cold start of the same one, in one run: `cargo bench --bench warm`.
//!
//! The interpreter is the one that pi uses; `PI_PYTHON` names another, best one without site packages.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(missing_docs, reason = "a benchmark has no users")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pi_python::progress::Silent;
use pi_python::provision::{self, Interpreter};
use pi_python::run::request::Plan;
use pi_python::run::warm::Pool;
use pi_python::run::{Cancel, NoSink, Request};
use pi_python::settings::Settings;

const RUNS: usize = 200;
const CODE: &[u8] = b"print(1)\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::load(None);
    let interpreter = provision::ensure(&settings, &Silent)?;
    let request = Request {
        code: Some(CODE.to_vec()),
        ..Request::default()
    };
    let plan = request.validate(&settings)?;
    let pool = Pool::new(1);
    pool.prepare(&interpreter, &settings)?;
    let (mut warm, mut cold) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        // Interleaved, so that whatever else the machine does falls on both alike.
        warm.push(warm_run(&pool, &interpreter, &plan, &settings)?);
        cold.push(cold_run(&interpreter.path)?);
    }
    let (warm, cold) = (median(warm), median(cold));
    println!(
        "warm {:.2} ms, cold `python3 -B -` {:.2} ms, ratio {:.3} (median of {RUNS}, {})",
        warm.as_secs_f64() * 1e3,
        cold.as_secs_f64() * 1e3,
        warm.as_secs_f64() / cold.as_secs_f64(),
        interpreter.path.display()
    );
    Ok(())
}

fn warm_run(
    pool: &Pool,
    interpreter: &Interpreter,
    plan: &Plan,
    settings: &Settings,
) -> Result<Duration, Box<dyn std::error::Error>> {
    while pool.waiting() == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let begin = Instant::now();
    let outcome = pool.run(interpreter, plan, settings, &Cancel::new(), &mut NoSink)?;
    let spent = begin.elapsed();
    assert_eq!(outcome.stdout.text, "1\n");
    // What is started behind the run is no part of the next one.
    while pool.waiting() == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(spent)
}

fn cold_run(python: &Path) -> Result<Duration, Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let mut child = Command::new(python)
        .args(["-B", "-"])
        .env_remove("PYTHONUNBUFFERED")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    child
        .stdin
        .take()
        .ok_or("standard input is piped")?
        .write_all(CODE)?;
    let output = child.wait_with_output()?;
    let spent = begin.elapsed();
    assert_eq!(output.stdout.trim_ascii(), b"1");
    Ok(spent)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
