//! The kill matrix: whatever a program does to get away, its run ends in time, nothing of it stays alive, and what it
//! printed comes back.
//!
//! Every case runs `PI_TEST_KILL_ROUNDS` times (2 unless set).

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::process::Signal;

use super::runs::{Mark, Ran, code, json, now, place, signal, unprivileged, wait_for_file};
use crate::support::Place;

/// The time limit of the runs here, and how long after it a run has to be back.
const LIMIT: f64 = 1.0;
const LATEST: f64 = LIMIT + 2.5;

/// Every program starts with this: when it began, and `started()` to say that it is where it should be killed.
const PRELUDE: &str = r#"
import os, signal, subprocess, sys, time
print("began", time.time())
def started():
    print("so far")
    open("started", "w").close()
def sleep_in_child(before=""):
    return subprocess.Popen([sys.executable, "-c", before + "\nimport time; time.sleep(900)"])
IGNORE = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)"
"#;

fn rounds() -> usize {
    std::env::var("PI_TEST_KILL_ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(2)
}

/// The program's source, behind the prelude.
fn source(program: &str) -> String {
    format!("{PRELUDE}{program}")
}

/// Runs the program into its time limit, again and again: it is back in time with what it printed, and nothing lives.
#[track_caller]
fn ends_in_time(program: &str) {
    let source = source(program);
    // Rounds mostly wait, so two of them share the time.
    let (begun, latest) = (AtomicUsize::new(0), Mutex::new((0.0_f64, 0)));
    let worker = || {
        while begun.fetch_add(1, Ordering::Relaxed) < rounds() {
            let (took, late) = in_time(&source);
            let mut latest = latest.lock().unwrap();
            *latest = (latest.0.max(took), latest.1 + late);
        }
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let (took, late) = *latest.lock().unwrap();
    let after = took - LIMIT;
    eprintln!(
        "{} rounds, back at most {after:.2} s after the limit; {late} repeated because they were late",
        rounds()
    );
}

/// One round, with the seconds that it took, and how often it was repeated. Being late is forgiven twice, since the
/// machine may be busy; anything else is not.
fn in_time(source: &str) -> (f64, usize) {
    let mut late = Vec::new();
    while late.len() < 3 {
        let (ran, took) = timed_out(source);
        assert!(
            ran.stdout.text.contains("so far"),
            "what was printed is lost\n{ran}"
        );
        if took <= LATEST {
            return (took, late.len());
        }
        late.push(took);
    }
    panic!("a run has to be back after {LATEST} s, and these were taken: {late:?}");
}

/// A run that its time limit ends, with the seconds between the program's first line and its result.
fn timed_out(source: &str) -> (Ran, f64) {
    let (place, mark) = (place(), Mark::new());
    let limit = LIMIT.to_string();
    let pi = code(&place, source).args(["--timeout", &limit, "--env", &mark.variable()]);
    let output = pi.run();
    let back = now();
    mark.gone_within(Duration::from_secs(1));
    let ran = Ran::read(output).was("timeout", None, 124);
    let began = ran
        .stdout
        .text
        .lines()
        .find_map(|line| line.strip_prefix("began ")?.parse::<f64>().ok())
        .unwrap_or_else(|| panic!("the program never began\n{ran}"));
    (ran, back - began)
}

#[test]
fn kill_a_busy_loop() {
    ends_in_time("started()\nwhile True: pass");
}

#[test]
fn kill_a_program_that_ignores_being_asked() {
    ends_in_time("exec(IGNORE); started(); time.sleep(900)");
}

#[test]
fn kill_a_child_that_ignores_being_asked() {
    ends_in_time("sleep_in_child(IGNORE); started(); time.sleep(900)");
}

#[test]
fn kill_a_program_and_its_child_that_both_ignore_being_asked() {
    ends_in_time("exec(IGNORE); sleep_in_child(IGNORE); started(); time.sleep(900)");
}

#[test]
fn kill_a_child_that_holds_standard_output() {
    ends_in_time(
        r#"
subprocess.Popen(["sh", "-c", "while :; do echo alive; sleep 0.05; done"], stdin=subprocess.DEVNULL)
started(); time.sleep(900)"#,
    );
}

#[test]
fn kill_a_child_in_a_session_of_its_own() {
    ends_in_time(
        r"
child = subprocess.Popen([sys.executable, '-c', IGNORE + '\nimport time; time.sleep(900)'], start_new_session=True)
started(); time.sleep(900)",
    );
}

/// A daemon: two forks, a new session, no descriptor kept.
const DAEMON: &str = r"
def daemon(work):
    if os.fork():
        os.wait(); return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, 256)
    exec(IGNORE)
    work()
    os._exit(0)
";

#[test]
fn kill_a_double_fork_with_closed_descriptors() {
    ends_in_time(&format!(
        "{DAEMON}\ndaemon(lambda: time.sleep(900)); started(); time.sleep(900)"
    ));
}

#[test]
fn kill_a_double_fork_that_burns_time() {
    ends_in_time(&format!(
        "{DAEMON}\ndef burn():\n    while True: pass\ndaemon(burn); started()\nwhile True: pass"
    ));
}

#[test]
fn kill_a_leaf_that_forks_itself_anew_every_20_ms() {
    ends_in_time(&format!(
        r"{DAEMON}
def leaf():
    while True:
        time.sleep(0.02)
        if os.fork(): os._exit(0)
        os.setsid()
daemon(leaf); started(); time.sleep(900)"
    ));
}

#[test]
fn kill_fifty_children_at_once() {
    ends_in_time(
        r"
for i in range(50):
    if os.fork() == 0:
        if i % 2: os.setsid()
        if i % 3 == 0: exec(IGNORE)
        time.sleep(900); os._exit(0)
started(); time.sleep(900)",
    );
}

#[test]
fn kill_a_child_that_is_stopped() {
    ends_in_time(
        r"
child = sleep_in_child()
os.kill(child.pid, signal.SIGSTOP)
started(); time.sleep(900)",
    );
}

#[test]
fn kill_a_program_that_stopped_itself() {
    ends_in_time("started(); os.kill(os.getpid(), signal.SIGSTOP)");
}

#[test]
fn kill_threads_that_never_join() {
    ends_in_time(
        r"
import threading
for _ in range(4): threading.Thread(target=time.sleep, args=(900,)).start()
started()",
    );
}

#[test]
fn kill_an_atexit_function_that_hangs() {
    ends_in_time("import atexit; atexit.register(time.sleep, 900); started()");
}

#[test]
fn kill_a_program_that_hangs_while_it_cleans_up_after_sigterm() {
    ends_in_time(
        r"
def handler(*_):
    print('asked')
    while True: time.sleep(1)
signal.signal(signal.SIGTERM, handler); started(); time.sleep(900)",
    );
}

#[test]
fn a_program_that_ends_when_asked_is_not_killed() {
    let program = source(
        "def handler(*_):\n    print('asked'); time.sleep(0.3); print('tidied up'); sys.exit(3)\n\
         signal.signal(signal.SIGTERM, handler); started(); time.sleep(900)",
    );
    let (ran, _) = timed_out(&program);
    assert!(ran.stdout.text.ends_with("asked\ntidied up\n"), "{ran}");
}

#[test]
fn children_are_asked_too() {
    let program = source(
        r"
child = '''
import signal, sys, time
def handler(*_):
    print('child asked', flush=True); sys.exit()
signal.signal(signal.SIGTERM, handler)
open('ready', 'w').close()
time.sleep(900)
'''
subprocess.Popen([sys.executable, '-c', child], start_new_session=True)
while not os.path.exists('ready'): time.sleep(0.01)
started(); exec(IGNORE); time.sleep(900)",
    );
    let (ran, _) = timed_out(&program);
    assert!(ran.stdout.text.contains("child asked"), "{ran}");
}

#[test]
fn kill_a_detached_grandchild_that_writes_on() {
    let program = r#"
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sh", ["sh", "-c", "while :; do echo alive; sleep 0.05; done # PICASE01"])
    os._exit(0)
print("parent done", flush=True)
"#;
    let mark = Mark::new();
    let pi = |program: &str| {
        let pi = code(&place(), program);
        pi.args(["--timeout", "2", "--env", &mark.variable()])
    };
    let ran = Ran::of(pi(&format!("{program}time.sleep(60)"))).was("timeout", None, 124);
    mark.gone_within(Duration::from_secs(1));
    for part in ["parent done\n", "alive\n"] {
        assert!(ran.stdout.text.contains(part), "{part:?} is lost\n{ran}");
    }
    // The writer does not hold the run open where the program itself ends at once.
    let ran = Ran::of(pi(program)).exited(0);
    mark.gone_within(Duration::from_secs(1));
    assert!(ran.stdout.text.contains("parent done\n"), "{ran}");
}

#[test]
fn kill_what_ignores_sigterm_although_no_limit_was_asked_for() {
    let program = r#"
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c",
    "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(900)  # PICASE03"])
time.sleep(900)
"#;
    let mark = Mark::new();
    let pi = |place: &Place| code(place, program).args(["--env", &mark.variable()]);
    // What stands where nobody names a limit is a setting, so that this test need not wait for its default.
    let place = place().with("PI_TIMEOUT_SECONDS", "1.5");
    Ran::of(pi(&place))
        .was("timeout", None, 124)
        .noticed(&["1.5 s"]);
    mark.gone_within(Duration::from_secs(1));
    Ran::of(pi(&place).args(["--timeout", "3"]))
        .was("timeout", None, 124)
        .noticed(&["3 s"]);
    mark.gone_within(Duration::from_secs(1));
}

#[test]
fn kill_a_tree_that_forks_faster_than_it_is_killed() {
    let Some(user) = unprivileged::somebody() else {
        return;
    };
    let program = r"
import os, time
while True:
    if os.fork() == 0:
        time.sleep(30); os._exit(0)
    time.sleep(0.001)
";
    let mark = Mark::new();
    // The program itself fails when the user's processes are used up; what counts is that no child stays.
    let pi = code(&user.place, program).args(["--timeout", "2", "--env", &mark.variable()]);
    let ran = Ran::of(user.does_through(&["prlimit", "--nproc=3000", "--"], pi));
    assert!(matches!(ran.status.as_str(), "timeout" | "failed"), "{ran}");
    mark.gone_within(Duration::from_secs(4));
    // Nobody's slots are used up for the next run.
    let next = code(&user.place, "print(1)");
    Ran::of(user.does_through(&["prlimit", "--nproc=3000", "--"], next))
        .exited(0)
        .printed("1\n");
}

#[test]
fn kill_children_that_fork_on_while_the_program_is_killed() {
    // Every process forks on its own, in its own session, and ignores being asked: only stopping them all first helps.
    ends_in_time(
        r"
exec(IGNORE)
for _ in range(8):
    if os.fork() == 0:
        while True:
            time.sleep(0.01)
            if os.fork(): os._exit(0)
            os.setsid()
started(); time.sleep(900)
",
    );
}

/// Kills pi itself once the program is where it should be, and waits until nothing of the run is alive.
#[track_caller]
fn ends_with_pi(program: &str) {
    for _ in 0..rounds() {
        let (place, mark) = (place(), Mark::new());
        let running = json(&place)
            .args(["--timeout", "300", "--env", &mark.variable()])
            .args(["--code", &source(program)])
            .spawn();
        wait_for_file(&place.cwd().join("started"));
        assert!(
            mark.holders().len() > 1,
            "the program runs, so there is something to end"
        );
        running.kill();
        mark.gone_within(Duration::from_secs(10));
    }
}

#[test]
fn kill_pi_itself_and_a_busy_loop_ends() {
    ends_with_pi("started()\nwhile True: pass  # PICASE04");
}

#[test]
fn kill_pi_itself_and_what_ignores_signals_ends() {
    ends_with_pi("exec(IGNORE); sleep_in_child(IGNORE); started(); time.sleep(900)");
}

#[test]
fn kill_pi_itself_and_a_childs_child_ends() {
    ends_with_pi(
        r#"
leaf = "open('started', 'w').close()\nwhile True: pass"
child = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {leaf!r}])\nwhile True: pass"
subprocess.Popen([sys.executable, '-c', child]); time.sleep(900)"#,
    );
}

#[test]
fn kill_pi_itself_and_a_daemon_ends() {
    ends_with_pi(&format!(
        "{DAEMON}\ndaemon(lambda: (open('started', 'w').close(), time.sleep(900))); time.sleep(900)"
    ));
}

#[test]
fn kill_pi_itself_and_an_orphan_of_a_program_that_goes_on_ends() {
    ends_with_pi(
        r"
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        started(); time.sleep(900)
    os._exit(0)
os.wait()
while True: time.sleep(1)",
    );
}

#[test]
fn asking_pi_to_end_ends_the_tree() {
    let (place, mark) = (place(), Mark::new());
    let program = source(&format!(
        "{DAEMON}\ndaemon(lambda: time.sleep(900)); exec(IGNORE); started(); time.sleep(900)"
    ));
    let running = code(&place, &program)
        .args(["--env", &mark.variable()])
        .spawn();
    wait_for_file(&place.cwd().join("started"));
    signal(running.id(), Signal::TERM);
    let ran = Ran::read(running.wait()).was("cancelled", None, 143);
    mark.gone_within(Duration::from_secs(1));
    assert!(ran.stdout.text.contains("so far"), "{ran}");
}
