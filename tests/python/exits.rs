//! Exit codes and signals: the program's own come through, and none is taken for another.

use super::runs::{Plain, Ran, code, json, place, used_place};
use crate::support::python::real;

#[test]
fn exit_codes_are_the_programs_own() {
    let place = place();
    for exit in [0, 1, 2, 3, 124, 125, 126, 127, 128, 137, 143, 255] {
        let ran = Ran::of(code(&place, &format!("import sys; sys.exit({exit})"))).exited(exit);
        assert_eq!(ran.signal, None, "{ran}");
        let ran = ran.without_notices();
        assert_eq!(ran.stderr.text, "", "{ran}");
    }
}

#[test]
fn a_program_that_ends_without_ceremony_has_its_code_too() {
    Ran::of(code(&place(), "import os; print('here'); os._exit(124)"))
        .exited(124)
        .printed("here\n");
}

#[test]
fn in_text_an_exit_code_needs_no_word() {
    let place = used_place();
    place
        .pi()
        .args(["python", "-c", "print('a'); raise SystemExit(124)"])
        .stdout("a\n")
        .code(124);
}

/// Programs whose end is told exactly as plain Python's is.
const ENDS: &[&str] = &[
    "raise SystemExit",
    "raise SystemExit(None)",
    "raise SystemExit('a text for standard error')",
    "raise SystemExit('Ω ✓')",
    "raise SystemExit(True)",
    "raise SystemExit(False)",
    "raise SystemExit(256)",
    "raise SystemExit(-1)",
    "raise SystemExit(2**31)",
    "raise SystemExit(2**40 + 5)",
    "raise SystemExit(10**30)",
    "raise SystemExit(0.5)",
    "raise SystemExit([1, 2])",
    "raise SystemExit(1, 2)",
    "exit()",
    "exit(7)",
    "quit('bye')",
    "import sys; sys.exit(sys)",
    "import atexit, os; atexit.register(lambda: os._exit(9))",
    "import atexit; atexit.register(lambda: print('last')); raise SystemExit(4)",
    "import threading, sys; t = threading.Thread(target=sys.exit, args=(5,)); t.start(); t.join()",
    "import sys; sys.stdout.close()",
    "import sys; sys.excepthook = lambda *a: print('mine', a[1]); raise ValueError('x')",
    "class E(BaseException): pass\nimport sys\nsys.stderr = None\nraise E",
];

#[test]
fn every_system_exit_ends_as_in_plain_python() {
    let place = place();
    for source in ENDS {
        let plain = Plain::code(&place, real(), source.as_bytes(), &[]);
        let ran = Ran::of(code(&place, source));
        if plain.stderr.contains("Traceback") {
            let (seen, plain) = (ran.as_plain(), &plain);
            assert_eq!(
                (seen.code, &seen.stdout),
                (plain.code, &plain.stdout),
                "{source}\n{ran}"
            );
        } else {
            assert_eq!(ran.as_plain(), plain, "as code: {source}");
        }
        place.write("cwd/end.py", source);
        let plain = Plain::script(&place, real(), "end.py", &[]);
        let ran = Ran::of(json(&place).arg("end.py"));
        assert_eq!(ran.as_plain(), plain, "as a script: {source}");
    }
}

#[test]
fn an_exception_is_exit_code_1_with_what_was_printed_before() {
    let ran = Ran::of(code(&place(), "print('rows found:', 42); [][0]"))
        .exited(1)
        .printed("rows found: 42\n")
        .complained("IndexError: list index out of range");
    assert!(ran.stderr.text.starts_with("Traceback"), "{ran}");
}

#[cfg(unix)]
mod signals {
    use crate::python::runs::{Plain, Ran, code, json, place};
    use crate::support::python::real;

    #[test]
    fn a_signal_that_ends_the_program_is_named() {
        let place = place();
        for (source, name, own) in [
            ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV", 139),
            ("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL", 137),
            ("os.kill(os.getpid(), signal.SIGTERM)", "SIGTERM", 143),
            ("os.kill(os.getpid(), signal.SIGHUP)", "SIGHUP", 129),
            ("os.kill(os.getpid(), signal.SIGBUS)", "SIGBUS", 135),
            ("os.abort()", "SIGABRT", 134),
            ("import ctypes; ctypes.string_at(1)", "SIGSEGV", 139),
            (
                "signal.signal(signal.SIGPIPE, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGPIPE)",
                "SIGPIPE",
                141,
            ),
        ] {
            let source = format!("import os, signal\nprint('here')\n{source}\n");
            let ran = Ran::of(code(&place, &source))
                .was("failed", None, own)
                .printed("here\n");
            assert_eq!(ran.signal.as_deref(), Some(name), "{ran}");
        }
    }

    #[test]
    fn in_text_a_signal_is_named_on_standard_error() {
        let program = "import os, signal; print('here'); os.kill(os.getpid(), signal.SIGSEGV)";
        let pi = place().pi().args(["python", "-c", program]);
        pi.stdout("here\n").stderr_has("SIGSEGV").code(139);
    }

    #[test]
    fn a_real_time_signal_has_a_name_too() {
        let program = "import os, signal; os.kill(os.getpid(), signal.SIGRTMIN + 3)";
        let ran = Ran::of(code(&place(), program));
        assert_eq!(ran.status, "failed", "{ran}");
        assert!(
            ran.signal.as_deref().is_some_and(|name| !name.is_empty()),
            "{ran}"
        );
    }

    #[test]
    fn an_interrupt_of_the_programs_own_is_a_failure_and_no_cancel() {
        let place = place();
        let source = "print('here')\nraise KeyboardInterrupt";
        place.write("cwd/stop.py", source);
        let plain = Plain::script(&place, real(), "stop.py", &[]);
        let ran = Ran::of(json(&place).arg("stop.py"));
        assert_eq!(ran.as_plain(), plain);
        assert_eq!(
            (ran.status.as_str(), ran.signal.as_deref()),
            ("failed", Some("SIGINT"))
        );
        let ran = Ran::of(code(&place, source))
            .was("failed", None, 130)
            .printed("here\n")
            .complained("KeyboardInterrupt");
        assert_eq!(ran.signal.as_deref(), Some("SIGINT"), "{ran}");
    }

    #[test]
    fn signals_stand_as_in_plain_python() {
        // Which are blocked, ignored and caught, in the program and in what it starts.
        let source = r"
import subprocess, sys
def state(text):
    lines = [line.split() for line in text.splitlines() if line.startswith(('SigBlk', 'SigIgn', 'SigCgt'))]
    return [(name, hex(int(mask, 16) & 0x7fffffff)) for name, mask in lines]
import signal
print({s.name: str(signal.getsignal(s)) for s in signal.valid_signals() if isinstance(s, signal.Signals)})
print(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
try: print(state(open('/proc/self/status').read()))
except OSError: pass
print(subprocess.run(['sh', '-c', 'yes | head -1'], capture_output=True, text=True))
";
        let place = place();
        if let Ok(yes) = which::which("yes") {
            place.link("yes", yes);
        }
        place.write("cwd/state.py", source);
        let plain = Plain::script(&place, real(), "state.py", &[]);
        assert_eq!(plain.code, 0, "{plain:?}");
        assert_eq!(Ran::of(json(&place).arg("state.py")).as_plain(), plain);
        let plain = Plain::code(&place, real(), source.as_bytes(), &[]);
        assert_eq!(Ran::of(code(&place, source)).as_plain(), plain);
    }

    #[test]
    fn a_closed_pipe_is_an_exception_in_the_program_as_usual() {
        let program = r"
import os
r, w = os.pipe(); os.close(r)
try: os.write(w, b'x')
except BrokenPipeError: print('broken pipe')
";
        Ran::of(code(&place(), program))
            .exited(0)
            .printed("broken pipe\n");
    }
}
