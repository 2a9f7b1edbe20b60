//! What pi's caller set up before it: limits, signals, and streams that can't be written.

use std::process::Command;
use std::time::Duration;

use super::runs::{Ran, code, json, place, unprivileged};
use crate::support::wait_until;

/// Where no process can be made, that is said, and no signal goes to anybody.
#[test]
fn where_no_process_can_be_made_nobody_is_harmed() {
    let Some(user) = unprivileged::somebody() else {
        return;
    };
    // The bystander is of the same user, and so is `sh`: the limit leaves no room for a third.
    let line = "sleep 60 & bystander=$!; \"$@\"; code=$?; \
                kill -0 $bystander && echo alive; kill $bystander; exit $code";
    // From here on the interpreter is known, and need not be asked.
    Ran::of(user.does(code(&user.place, "pass"))).exited(0);
    let limited = ["prlimit", "--nproc=3:3", "--", "sh", "-c", line, "sh"];
    let pi = code(&user.place, "print(1)");
    let output = user.does_through(&limited, pi).run();
    assert!(output.stdout.contains("alive"), "{output}");
    output.ended_with(125).says(&["error: ", "process"]);
}

/// Under a first process that clears away nothing, a run leaves nothing to clear away.
#[test]
fn a_run_leaves_no_dead_process_behind() {
    let place = place();
    let program = r#"
import os, subprocess, sys
for _ in range(20):
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
mine = os.getpid()
def parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return int(stat.read().rpartition(")")[2].split()[1])
    except OSError:
        return None
print(sum(parent(pid) == mine for pid in os.listdir("/proc") if pid.isdigit()))
"#;
    let script = place.write("parent.py", program);
    let python = crate::support::python::real();
    // The parent takes in orphans, as the first process of a container does, and waits for its own children alone.
    let adopt = "import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1); os.execv(sys.argv[1], sys.argv[1:])";
    let output = json(&place)
        .args(["--code", "pass"])
        .through([
            python.path.as_os_str(),
            "-c".as_ref(),
            adopt.as_ref(),
            python.path.as_os_str(),
            script.as_os_str(),
        ])
        .run();
    assert_eq!(output.stdout.trim(), "0", "{output}");
}

#[test]
fn a_program_whose_first_thread_is_gone_is_ended_in_time() {
    let program = r#"
import ctypes, threading, time
def run():
    print("so far")
    time.sleep(60)
threading.Thread(target=run).start()
time.sleep(0.2)
ctypes.CDLL(None).syscall(60, 0)
"#;
    let begun = std::time::Instant::now();
    let ran = Ran::of(code(&place(), program).args(["--timeout", "1"]));
    assert_eq!(ran.status, "timeout", "{ran}");
    assert!(ran.stdout.text.contains("so far"), "{ran}");
    assert!(begun.elapsed() < Duration::from_secs(6), "{ran}");
}

#[test]
fn output_that_can_not_be_delivered_is_an_error() {
    for options in [&["--code", "print(1)"][..], &["--json", "--code", "pass"]] {
        let pi = place().pi().arg("python").args(options);
        let output = pi
            .through(["sh", "-c", "exec \"$0\" \"$@\" >/dev/full"])
            .stderr_any()
            .code(125);
        output.says(&["can't be written", "space"]);
    }
}

#[test]
fn what_the_caller_ignores_stays_ignored() {
    let place = place();
    let program = "import os, signal, time\n\
                   print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)\n\
                   open('started', 'w').close()\n\
                   time.sleep(1)";
    let pi = code(&place, program).through(["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    let running = pi.spawn();
    let started = place.cwd().join("started");
    wait_until("the program runs", Duration::from_secs(30), || {
        started.exists().then_some(())
    });
    let hang_up = Command::new("kill")
        .args(["-HUP", &running.id().to_string()])
        .status();
    assert!(hang_up.unwrap().success());
    Ran::read(running.wait()).exited(0).printed("True\n");
}

#[test]
fn signals_that_the_caller_blocked_cancel_all_the_same() {
    let place = place();
    let program = "import time\nprint('so far')\nopen('started', 'w').close()\ntime.sleep(60)";
    let block = "import os, signal, sys; \
                 signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT}); \
                 os.execv(sys.argv[1], sys.argv[1:])";
    let python = crate::support::python::real();
    let pi =
        code(&place, program).through([python.path.as_os_str(), "-c".as_ref(), block.as_ref()]);
    let running = pi.spawn();
    let started = place.cwd().join("started");
    wait_until("the program runs", Duration::from_secs(30), || {
        started.exists().then_some(())
    });
    let ask = Command::new("kill").arg(running.id().to_string()).status();
    assert!(ask.unwrap().success());
    let ran = Ran::read(running.wait()).was("cancelled", None, 143);
    assert!(ran.stdout.text.contains("so far"), "{ran}");
}
