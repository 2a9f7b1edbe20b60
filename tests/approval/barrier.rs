//! One writer at a time in a workspace, over processes that know nothing of each other.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::python::runs::{Ran, code, used_place, wait_for_file};
#[cfg(target_os = "linux")]
use crate::python::runs::{json, signal};
use crate::support::{Pi, Place, Running, wait_until};

/// Longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A command that says that it runs, and runs until it may end.
const HOLD: &str = "touch held; while [ ! -e go ]; do sleep 0.01; done";

fn barrier(place: &Place, options: &[&str], command: &[&str]) -> Pi {
    place
        .pi()
        .arg("barrier")
        .args(options)
        .arg("--")
        .args(command)
}

/// Somebody who holds what `options` say, for as long as the test wants.
struct Holder {
    running: Running,
    place: Place,
}

impl Holder {
    #[track_caller]
    fn new(place: &Place, options: &[&str]) -> Self {
        let running = barrier(place, options, &["sh", "-c", HOLD]).spawn();
        wait_for_file(&place.cwd().join("held"));
        Self {
            running,
            place: place.clone(),
        }
    }

    #[track_caller]
    fn end(self) {
        self.place.write("cwd/go", "");
        self.running.wait().ended_with(0);
    }
}

/// Does not wait, and says what would have been waited for.
#[track_caller]
fn busy(place: &Place, options: &[&str], whom: &str) {
    let options = [options, &["--wait", "0"]].concat();
    barrier(place, &options, &["true"])
        .stderr_has(whom)
        .stderr_has("did not end within 0 s")
        .code(125);
}

#[track_caller]
fn free(place: &Place, options: &[&str]) {
    let options = [options, &["--wait", "0"]].concat();
    barrier(place, &options, &["true"]).stderr("").code(0);
}

/// Runs `work` on so many threads at once.
fn at_once(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

#[test]
fn no_update_is_lost() {
    const ROUNDS: usize = 100;
    let place = used_place();
    place.write("cwd/count", "0");
    let left = AtomicUsize::new(ROUNDS);
    at_once(2, || {
        while left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            })
            .is_ok()
        {
            Ran::of(code(
                &place,
                "import time\nwith open('count') as f: count = int(f.read())\ntime.sleep(0.005)\n\
                 with open('count', 'w') as f: f.write(str(count + 1))",
            ))
            .exited(0);
        }
    });
    let count = std::fs::read_to_string(place.cwd().join("count")).unwrap();
    assert_eq!(count, ROUNDS.to_string());
}

#[test]
fn two_writers_never_overlap() {
    let place = used_place();
    at_once(4, || {
        for _ in 0..8 {
            // A second one inside would find the file.
            Ran::of(code(
                &place,
                "import os, time\nopen('inside', 'x').close()\ntime.sleep(0.005)\nos.remove('inside')",
            ))
            .exited(0);
        }
    });
}

#[test]
fn readers_run_side_by_side() {
    let place = used_place();
    let program = "import os, sys, time\nprint('here', flush=True)\n\
        for _ in range(6000):\n    if os.path.exists('go'): sys.exit()\n    time.sleep(0.01)\nsys.exit(1)";
    let readers: Vec<Running> = (0..8)
        .map(|_| {
            let pi = place.pi().args(["python", "--stream", "--no-timeout"]);
            pi.args(["--read-only", "--code", program]).spawn()
        })
        .collect();
    // None of them ends before all have begun.
    wait_until("all readers at once", LONG, || {
        let here = readers
            .iter()
            .filter(|reader| reader.stdout_so_far().contains("here"));
        (here.count() == 8).then_some(())
    });
    busy(&place, &[], "another run in");
    place.write("cwd/go", "");
    for reader in readers {
        reader.wait().ended_with(0);
    }
    free(&place, &[]);
}

#[test]
fn a_killed_holder_blocks_nobody() {
    let place = used_place();
    let program = "import time\nopen('held', 'w').close()\ntime.sleep(900)";
    let run = code(&place, program).args(["--no-timeout"]).spawn();
    wait_for_file(&place.cwd().join("held"));
    run.kill();
    Ran::of(code(&place, "pass")).exited(0);

    std::fs::remove_file(place.cwd().join("held")).unwrap();
    let holder = Holder::new(&place, &[]);
    holder.running.kill();
    Ran::of(code(&place, "pass")).exited(0);
    place.write("cwd/go", "");
}

#[test]
fn a_wait_is_told_and_not_charged_to_the_time_limit() {
    let place = used_place();
    let holder = Holder::new(&place, &[]);
    let pid = holder.running.id();
    let run = place
        .pi()
        .args(["python", "--timeout", "0.9", "--code", "print('ran')"])
        .spawn();
    let told = format!(
        "waiting for another run in `{}` (pid {pid}) to end",
        place.cwd().display()
    );
    wait_until("the wait is told", LONG, || {
        run.stderr_so_far().contains(&told).then_some(())
    });
    holder.end();
    let output = run.wait();
    output.ended_with(0);
    assert_eq!(output.stdout, "ran\n", "{output}");
}

#[test]
fn the_result_says_that_a_run_had_to_wait() {
    let place = used_place();
    let holder = Holder::new(&place, &[]);
    let run = code(&place, "print('ran')").spawn();
    std::thread::sleep(Duration::from_millis(1200));
    holder.end();
    let ran = Ran::read(run.wait()).exited(0);
    let notices = ran.notices.join("\n");
    assert!(notices.contains("the time limit does not cover"), "{ran}");
}

#[test]
fn a_wait_has_an_end() {
    let place = used_place();
    let holder = Holder::new(&place, &[]);
    let wait = |pi: Pi| pi.env("PI_BARRIER_WAIT_SECONDS", "0.2");
    let output = wait(code(&place, "print('never')")).stderr_any().run();
    output
        .ended_with(125)
        .says(&["did not end within 0.2 s", "PI_BARRIER_WAIT_SECONDS"]);
    assert_eq!(output.json()["status"], "failed", "{output}");
    // What was waited for can be asked again.
    holder.end();
    Ran::of(wait(code(&place, "pass"))).exited(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_wait_can_be_cancelled() {
    use rustix::process::Signal;
    let place = used_place();
    let holder = Holder::new(&place, &[]);
    for (number, own) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let run = json(&place).args(["--code", "print('never')"]).spawn();
        stands_at_the_turnstile(&run);
        signal(run.id(), number);
        let ran = Ran::read(run.wait()).was("cancelled", None, own);
        assert_eq!(ran.stdout.text, "");
        assert!(ran.notices[0].contains("another run in"), "{ran}");
    }
    let run = barrier(&place, &[], &["true"]).spawn();
    stands_at_the_turnstile(&run);
    signal(run.id(), Signal::INT);
    assert_eq!(run.wait().code, None, "ended by the signal itself");
    holder.end();
}

/// Waits until it has a lock of the workspace open, and with it its handlers: they come first.
#[cfg(target_os = "linux")]
#[track_caller]
fn stands_at_the_turnstile(run: &Running) {
    let descriptors = format!("/proc/{}/fd", run.id());
    let waits = || {
        let open = std::fs::read_dir(&descriptors).ok()?.flatten();
        open.filter_map(|entry| std::fs::read_link(entry.path()).ok())
            .any(|path| path.ends_with("turn"))
            .then_some(())
    };
    wait_until("it waits at the turnstile", LONG, waits);
    // The first try, before the handlers, holds it for a moment as well.
    std::thread::sleep(Duration::from_millis(50));
    wait_until("it still waits at the turnstile", LONG, waits);
}

#[test]
fn editors_of_one_file_take_turns_and_of_two_do_not() {
    let place = used_place();
    place.write("cwd/a.txt", "");
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.txt", place.cwd().join("link.txt")).unwrap();
    let holder = Holder::new(&place, &["--file", "a.txt", "--file", "new/b.txt"]);
    busy(&place, &["--file", "a.txt"], "another editor of");
    busy(
        &place,
        &["--file", "./new/../new/b.txt"],
        "another editor of",
    );
    busy(&place, &["--file", "c.txt", "--file", "a.txt"], "a.txt");
    busy(&place, &["--file", "link.txt"], "another editor of");
    free(&place, &["--file", "c.txt"]);
    free(&place, &["--shared"]);
    busy(&place, &[], "another run in");
    holder.end();
    free(&place, &["--file", "a.txt"]);
    free(&place, &[]);
}

#[test]
fn a_run_keeps_editors_out() {
    let place = used_place();
    let holder = Holder::new(&place, &[]);
    busy(&place, &["--file", "a.txt"], "another run in");
    busy(&place, &["--shared"], "another run in");
    holder.end();
}

#[test]
fn a_workspace_is_its_real_path_and_no_other() {
    let place = used_place();
    place.write("cwd/.git/HEAD", "");
    place.write("cwd/deep/er/x", "");
    place.write("other/x", "");
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.cwd(), place.path().join("alias")).unwrap();
    let holder = Holder::new(&place, &[]);
    for dir in ["cwd/deep/er", "alias", "alias/deep"] {
        let output = barrier(&place, &["--wait", "0"], &["true"]).cwd(dir).run();
        output.ended_with(125);
    }
    let output = barrier(&place, &["--wait", "0"], &["true"])
        .cwd("other")
        .run();
    output.ended_with(0);
    // The file says which workspace it is, wherever the editor stands.
    let outside = barrier(
        &place,
        &["--wait", "0", "--file", "../cwd/deep/f"],
        &["true"],
    );
    outside.cwd("other").run().ended_with(125);
    holder.end();
}

/// Several streams of those who hold it `ways[0]` overlap without an end; one who wants it `ways[1]` gets it all the same.
#[track_caller]
fn nobody_starves(stream: &[&str], other: &[&str]) {
    let place = used_place();
    let (done, passed) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    barrier(&place, stream, &["sleep", "0.03"]).run();
                    passed.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        wait_until("the stream flows", LONG, || {
            (passed.load(Ordering::Relaxed) > 3).then_some(())
        });
        let outputs: Vec<_> = (0..5)
            .map(|_| {
                let options = [other, &["--wait", "60"]].concat();
                barrier(&place, &options, &["true"]).run()
            })
            .collect();
        done.store(true, Ordering::Relaxed);
        for output in outputs {
            output.ended_with(0);
        }
    });
}

#[test]
fn a_stream_of_readers_does_not_starve_a_writer() {
    nobody_starves(&["--shared"], &[]);
}

#[test]
fn a_stream_of_writers_does_not_starve_a_reader() {
    nobody_starves(&[], &["--shared"]);
}

fn pi_itself() -> &'static str {
    env!("CARGO_BIN_EXE_pi")
}

#[test]
fn what_a_holder_starts_does_not_wait_for_it() {
    let place = used_place();
    let pi = pi_itself();
    let python = [pi, "python", "--code", "print('within')"];
    barrier(&place, &[], &python).stdout("within\n").code(0);
    let twice = [pi, "barrier", "--", pi, "python", "-c", "print('within')"];
    barrier(&place, &[], &twice).stdout("within\n").code(0);
    let reads = [pi, "python", "--read-only", "--code", "print('within')"];
    for options in [&[][..], &["--shared"], &["--file", "a"]] {
        barrier(&place, options, &reads).stdout("within\n").code(0);
    }
    let edits = [pi, "barrier", "--file", "a", "--file", "b", "--", "true"];
    for options in [&[][..], &["--shared"], &["--file", "a"]] {
        barrier(&place, options, &edits).stderr("").code(0);
    }
}

#[test]
fn what_a_reader_starts_is_told_that_it_can_not_write() {
    let place = used_place();
    let python = [pi_itself(), "python", "--code", "print('never')"];
    for options in [&["--shared"][..], &["--file", "a"]] {
        barrier(&place, options, &python)
            .stdout("")
            .stderr_has("does not hold")
            .stderr_has("hint: `pi barrier` without `--file` and `--shared`")
            .code(125);
    }
}

#[test]
fn a_reader_within_passes_a_writer_that_waits_outside() {
    let place = used_place();
    let script = format!("{HOLD}; '{}' barrier --shared -- echo within", pi_itself());
    let outer = barrier(&place, &["--shared"], &["sh", "-c", &script]).spawn();
    wait_for_file(&place.cwd().join("held"));
    let writer = barrier(&place, &[], &["true"]).stderr_any().spawn();
    wait_until("the writer waits", LONG, || {
        writer.stderr_so_far().contains("waiting for").then_some(())
    });
    place.write("cwd/go", "");
    let output = outer.wait();
    output.ended_with(0);
    assert_eq!(output.stdout, "within\n", "{output}");
    writer.wait().ended_with(0);
}

#[test]
fn what_outlives_its_holder_waits_like_anybody_else() {
    let place = used_place();
    let output = barrier(&place, &[], &["sh", "-c", "echo $PI_BARRIER_HELD"]).run();
    let stale = output.stdout.trim().to_owned();
    assert!(stale.contains(":alone:"), "{output}");
    let holder = Holder::new(&place, &[]);
    barrier(&place, &["--wait", "0"], &["true"])
        .env("PI_BARRIER_HELD", stale)
        .stderr_has("another run in")
        .code(125);
    holder.end();
}

#[test]
fn a_run_tells_its_program_what_it_holds() {
    let place = used_place();
    let source = "import os; print(os.environ['PI_BARRIER_HELD'])";
    for (option, way) in [("--raw", ":alone:"), ("--read-only", ":shared:")] {
        let ran = Ran::of(code(&place, source).arg(option)).exited(0);
        assert!(ran.stdout.text.contains(way), "{ran}");
    }
}

#[test]
fn the_commands_exit_code_is_passed_on() {
    let place = used_place();
    place.write("cwd/data", "");
    for (command, code) in [
        (&["sh", "-c", "exit 7"][..], 7),
        (&["sh", "-c", "kill -9 $$"], 137),
        (&["true"], 0),
    ] {
        barrier(&place, &[], command).stderr("").code(code);
    }
    for (command, code) in [("no-such-command", 127), ("./data", 126)] {
        barrier(&place, &[], &[command])
            .stderr_has("error: can't run `")
            .code(code);
    }
    for options in [
        &["--wait", "-1"][..],
        &["--wait", "nan"],
        &["--shared", "--file", "a"],
    ] {
        let output = barrier(&place, options, &["true"]).run();
        output.ended_with(2);
    }
    place.pi().arg("barrier").stderr_any().code(2);
}

#[test]
fn the_command_has_our_streams() {
    let place = used_place();
    barrier(&place, &[], &["sh", "-c", "cat; echo err >&2"])
        .stdin("in\n")
        .stdout("in\n")
        .stderr("err\n")
        .code(0);
}

#[cfg(target_os = "linux")]
#[test]
fn signals_are_passed_on_to_the_command() {
    use rustix::process::Signal;
    let place = used_place();
    for (name, number) in [
        ("TERM", Signal::TERM),
        ("INT", Signal::INT),
        ("HUP", Signal::HUP),
        ("USR1", Signal::USR1),
    ] {
        let script =
            format!("trap 'rm held; exit 9' {name}; touch held; while :; do sleep 0.01; done");
        let running = barrier(&place, &[], &["sh", "-c", &script]).spawn();
        wait_for_file(&place.cwd().join("held"));
        signal(running.id(), number);
        running.wait().ended_with(9);
    }
    let running = barrier(&place, &[], &["sh", "-c", HOLD]).spawn();
    wait_for_file(&place.cwd().join("held"));
    signal(running.id(), Signal::TERM);
    running.wait().ended_with(143);
}

/// A command that goes on without its lock would write beside the next one.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_barrier_takes_its_command_along() {
    let place = used_place();
    let running = barrier(
        &place,
        &[],
        &[
            "sh",
            "-c",
            "echo $$ > held.new; mv held.new held; exec sleep 900",
        ],
    )
    .spawn();
    wait_for_file(&place.cwd().join("held"));
    let pid = std::fs::read_to_string(place.cwd().join("held")).unwrap();
    running.kill();
    let process = format!("/proc/{}", pid.trim());
    wait_until("the command is gone", LONG, || {
        let state = std::fs::read_to_string(format!("{process}/stat"));
        // A zombie that nobody reaps is gone as well.
        state.map_or(Some(()), |state| state.contains(") Z ").then_some(()))
    });
    free(&place, &[]);
}

#[test]
fn where_there_are_no_locks_work_goes_on_and_that_is_said() {
    let place = used_place();
    std::fs::remove_dir_all(place.agent().join("state")).unwrap();
    place.write("agent/state", "in the way");
    let ran = Ran::of(code(&place, "print('ran')")).exited(0);
    assert_eq!(ran.stdout.text, "ran\n");
    let notices = ran.notices.join("\n");
    for part in [
        "there are no locks",
        "is not a directory",
        &place.cwd().display().to_string(),
    ] {
        assert!(notices.contains(part), "{part} is not in: {notices}");
    }
    barrier(&place, &[], &["true"])
        .stderr_has("note: others may work in")
        .code(0);
}

#[cfg(target_os = "linux")]
#[test]
fn the_command_holds_no_descriptor_of_ours() {
    let place = used_place();
    for options in [&[][..], &["--file", "a"]] {
        let list = ["sh", "-c", "ls -l /proc/self/fd"];
        let output = barrier(&place, options, &list).run();
        output.ended_with(0).lacks(&["locks/"]);
    }
}
