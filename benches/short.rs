//! Ten thousand short runs in one process: `cargo bench --bench short`. Prints what the process has before and after:
//! memory, descriptors, children and files in the agent directory.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(missing_docs, reason = "a benchmark has no users")]

use std::path::Path;
use std::time::Instant;

use pi_python::progress::Silent;
use pi_python::run::warm::Pool;
use pi_python::run::{self, Cancel, NoSink, Request};
use pi_python::settings::Settings;
use pi_python::{provision, run::request::Plan};

const RUNS: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::load(None);
    let interpreter = provision::ensure(&settings, &Silent)?;
    let request = Request {
        code: Some(b"print(1)\n".to_vec()),
        ..Request::default()
    };
    let plan: Plan = request.validate(&settings)?;
    let pool = Pool::new(1);
    let one = |index: usize| {
        let cancel = Cancel::new();
        // Half of them each way.
        if index.is_multiple_of(2) {
            pool.run(&interpreter, &plan, &settings, &cancel, &mut NoSink)
        } else {
            run::run(&interpreter, &plan, &settings, &cancel, &mut NoSink)
        }
    };
    for index in 0..200 {
        one(index)?;
    }
    println!("after    200 runs: {}", state(settings.home.root()));
    let begin = Instant::now();
    for index in 0..RUNS {
        assert_eq!(one(index)?.stdout.text, "1\n");
    }
    let spent = begin.elapsed().as_secs_f64();
    println!(
        "after {RUNS} more: {} ({spent:.0} s)",
        state(settings.home.root())
    );
    Ok(())
}

/// What this process has, as Linux tells it.
fn state(agent: &Path) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap_or("?")
        .trim();
    let descriptors = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let children = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    format!(
        "{memory}, {descriptors} descriptors, {} children, {} files in the agent directory",
        children.split_whitespace().count(),
        files_below(agent)
    )
}

fn files_below(dir: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| {
            let path = entry.path();
            if path.is_dir() { files_below(&path) } else { 1 }
        })
        .sum()
}
