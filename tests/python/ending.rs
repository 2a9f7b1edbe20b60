//! How a run ends: with its program and never later, at its limit, or when it is cancelled.

use super::runs::{Ran, code, place};

#[cfg(target_os = "linux")]
mod leftovers {
    use std::time::Duration;

    use crate::python::runs::{Mark, Ran, best_of_three, code, json, now, place};

    /// A grandchild that keeps nothing but the descriptors in `keep`, and a program that says when it ends.
    const HOLDER: &str = r"
import os, time
pipe = os.pipe()
keep = KEEP
if os.fork() == 0:
    if os.fork() == 0:
        for fd in range(64):
            if fd not in keep:
                try: os.close(fd)
                except OSError: pass
        time.sleep(900)
    os._exit(0)
os.wait()
print(time.time())
";

    #[track_caller]
    fn is_back_at_once(keep: &str) {
        best_of_three("from the program's end to the result", 0.2, || {
            let (place, mark) = (place(), Mark::new());
            let pi = code(&place, &HOLDER.replace("KEEP", keep));
            let output = pi.args(["--env", &mark.variable()]).run();
            let back = now();
            let ran = Ran::read(output).exited(0);
            mark.gone_within(Duration::from_secs(1));
            back - ran.stdout.text.trim().parse::<f64>().expect("a time")
        });
    }

    #[test]
    fn a_grandchild_that_holds_standard_input_delays_nothing() {
        is_back_at_once("[0]");
    }

    #[test]
    fn a_grandchild_that_holds_standard_output_delays_nothing() {
        is_back_at_once("[1]");
    }

    #[test]
    fn a_grandchild_that_holds_standard_error_delays_nothing() {
        is_back_at_once("[2]");
    }

    #[test]
    fn a_grandchild_that_holds_a_pipe_of_its_own_delays_nothing() {
        is_back_at_once("pipe");
    }

    #[test]
    fn a_grandchild_that_holds_everything_delays_nothing() {
        is_back_at_once("range(64)");
    }

    #[test]
    fn a_grandchild_that_holds_standard_output_delays_no_text_and_no_stream() {
        for option in [None, Some("--stream")] {
            best_of_three("from the program's end to the end of pi", 0.2, || {
                let (place, mark) = (place(), Mark::new());
                let pi = place.pi().arg("python").args(option);
                let pi = pi.args(["--code", &HOLDER.replace("KEEP", "[0, 1, 2]")]);
                let output = pi.args(["--env", &mark.variable()]).stderr_any().run();
                let back = now();
                output.ended_with(0);
                mark.gone_within(Duration::from_secs(1));
                let digits = |c: char| c.is_ascii_digit() || c == '.';
                let time = output
                    .stdout
                    .split(|c| !digits(c))
                    .find(|word| word.len() > 11)
                    .unwrap_or_else(|| panic!("no time was printed\n{output}"));
                back - time.parse::<f64>().expect("a time")
            });
        }
    }

    #[test]
    fn the_result_says_what_was_left_behind_and_ended() {
        let mark = Mark::new();
        let pi = code(&place(), &HOLDER.replace("KEEP", "[1]"));
        Ran::of(pi.args(["--env", &mark.variable()]))
            .exited(0)
            .noticed(&["1 process", "ended"]);
        // Nothing is said where nothing was left.
        Ran::of(code(
            &place(),
            "import subprocess; subprocess.run(['sh', '-c', ':'])",
        ))
        .exited(0)
        .without_notices();
    }

    #[test]
    fn with_detach_ok_what_is_left_behind_goes_on() {
        let (place, mark) = (place(), Mark::new());
        let pi = json(&place).args(["--detach-ok", "--env", &mark.variable()]);
        let ran = Ran::of(pi.args(["--code", &HOLDER.replace("KEEP", "[]")])).exited(0);
        assert_eq!(mark.holders().len(), 1, "it was left alone\n{ran}");
        let ran = ran.noticed(&["1 process"]);
        // A moment later it is there still: nothing that pi left behind ends it.
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(mark.holders().len(), 1, "it goes on\n{ran}");
        mark.kill();
    }

    #[test]
    fn with_detach_ok_a_time_limit_still_ends_everything() {
        let (place, mark) = (place(), Mark::new());
        let program = HOLDER.replace("KEEP", "[]") + "time.sleep(900)";
        let pi = json(&place).args(["--detach-ok", "--timeout", "1"]);
        let pi = pi.args(["--env", &mark.variable(), "--code", &program]);
        Ran::of(pi).was("timeout", None, 124);
        mark.gone_within(Duration::from_secs(1));
    }
}

#[test]
fn what_was_printed_before_a_time_limit_comes_back() {
    let inside = r"
import sys, time
def work():
    print('step 1 finished')
    sys.stderr.write('e' * 3000)
    time.sleep(60)
work()
";
    for source in [
        "import time\nprint('step 1 finished')\ntime.sleep(60)",
        inside,
    ] {
        let place = place();
        place.write("cwd/job.py", source);
        let options = ["python", "--json", "--timeout", "1"];
        for program in [vec!["--code", source], vec!["job.py"]] {
            let pi = place.pi().args(options).args(program);
            let ran = Ran::of(pi)
                .was("timeout", None, 124)
                .printed("step 1 finished\n")
                .noticed(&["timed out", "1 s"]);
            assert!(ran.duration_ms >= 1000, "{}", ran.duration_ms);
            assert_eq!(ran.stderr.bytes % 3000, 0, "all of it, or none was written");
        }
    }
}

#[test]
fn in_text_a_time_limit_is_said_beside_what_was_printed() {
    let program = "print('step 1 finished')\nimport time; time.sleep(60)";
    let pi = place()
        .pi()
        .args(["python", "--timeout", "1", "-c", program]);
    pi.stdout("step 1 finished\n")
        .stderr_has("timed out")
        .stderr_has("1 s")
        .stderr_has("--timeout")
        .code(124);
}

#[test]
fn the_start_of_the_interpreter_is_not_charged_to_the_code() {
    let place = place();
    place.write("slow/sitecustomize.py", "import time; time.sleep(1.5)");
    let place = place.clone().with("PYTHONPATH", place.path().join("slow"));
    let pi = code(&place, "print(1)").args(["--timeout", "1"]);
    Ran::of(pi).exited(0).printed("1\n");
}

#[test]
fn a_missing_package_comes_with_a_word_about_packages() {
    Ran::of(code(&place(), "import surely_not_installed_anywhere"))
        .exited(1)
        .complained("No module named 'surely_not_installed_anywhere'")
        .noticed(&["package"]);
}

#[test]
fn without_a_time_limit_a_setting_does_not_end_a_run() {
    let place = place().with("PI_TIMEOUT_SECONDS", "0.5");
    let pi = code(&place, "import time; time.sleep(1); print('done')");
    Ran::of(pi.args(["--no-timeout"]))
        .exited(0)
        .printed("done\n");
}

#[cfg(unix)]
#[test]
fn a_broken_reader_of_pi_is_no_failure_of_the_program() {
    let place = place();
    let mut reader = place.pi().args([
        "python",
        "--code",
        "for i in range(100000): print(i)\nopen('end', 'w').close()",
    ]);
    reader = reader.through(["sh", "-c", "\"$0\" \"$@\" | head -1"]);
    reader.stdout("0\n").stderr_any().code(0);
    assert!(
        place.cwd().join("end").exists(),
        "the program came to its end"
    );
}

#[cfg(unix)]
mod cancelled {
    use std::time::{Duration, Instant};

    use rustix::process::Signal;

    use crate::python::runs::{Ran, best_of_three, code, json, place, signal, wait_for_file};

    #[test]
    fn a_signal_to_pi_cancels_the_run_and_keeps_what_was_printed() {
        for (number, own) in [(Signal::INT, 130), (Signal::TERM, 143)] {
            let source = "import time\nprint('step 1 finished')\nopen('started', 'w').close()\ntime.sleep(60)";
            for program in [vec!["--code", source], vec!["job.py"]] {
                let place = place();
                place.write("cwd/job.py", source);
                let running = json(&place).args(program).spawn();
                wait_for_file(&place.cwd().join("started"));
                signal(running.id(), number);
                Ran::read(running.wait())
                    .was("cancelled", None, own)
                    .printed("step 1 finished\n")
                    .noticed(&["cancelled"]);
            }
        }
    }

    #[test]
    fn a_cancelled_run_in_text_keeps_what_was_printed() {
        let place = place();
        let source =
            "import time\nprint('step 1 finished')\nopen('started', 'w').close()\ntime.sleep(60)";
        let running = place.pi().args(["python", "-c", source]).spawn();
        wait_for_file(&place.cwd().join("started"));
        signal(running.id(), Signal::INT);
        let output = running.wait();
        output.ended_with(130).says(&["cancelled"]);
        assert_eq!(output.stdout, "step 1 finished\n", "{output}");
    }

    #[test]
    fn a_signal_to_the_whole_group_cancels_too() {
        // As Ctrl-C on a terminal does; the program is in a session of its own and hears of it from pi alone.
        let place = place();
        let source = "import time\nprint('here')\nopen('started', 'w').close()\ntime.sleep(60)";
        let running = code(&place, source).spawn();
        wait_for_file(&place.cwd().join("started"));
        let group = rustix::process::Pid::from_raw(running.id().cast_signed());
        rustix::process::kill_process_group(group.expect("a group"), Signal::INT).unwrap();
        Ran::read(running.wait())
            .was("cancelled", None, 130)
            .printed("here\n");
    }

    #[test]
    fn a_second_signal_ends_a_stubborn_run_at_once() {
        let source = r"
import signal, time
for number in (signal.SIGTERM, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
print('here')
open('started', 'w').close()
time.sleep(60)";
        best_of_three("from the second signal to the result", 0.5, || {
            let place = place();
            let running = code(&place, source).spawn();
            wait_for_file(&place.cwd().join("started"));
            signal(running.id(), Signal::INT);
            std::thread::sleep(Duration::from_millis(200));
            let second = Instant::now();
            signal(running.id(), Signal::INT);
            let output = running.wait();
            let took = second.elapsed().as_secs_f64();
            Ran::read(output)
                .was("cancelled", None, 130)
                .printed("here\n");
            took
        });
    }
}
