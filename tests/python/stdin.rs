//! Standard input, descriptors and what else a program inherits.

use super::runs::{Ran, json, place};

#[test]
fn code_comes_from_standard_input_with_a_dash() {
    let pi = json(&place()).args(["-", "a", "--json", "-b"]);
    let ran = Ran::of(pi.stdin("import sys\nprint(sys.argv[1:])")).exited(0);
    assert_eq!(ran.mode, "code");
    ran.printed("['a', '--json', '-b']\n");
}

#[test]
fn nothing_on_standard_input_is_empty_code() {
    Ran::of(json(&place()).arg("-").stdin(""))
        .exited(0)
        .printed("");
}

#[test]
fn code_reads_end_of_file_and_never_its_callers_input() {
    let source = "import sys, subprocess\nprint(repr(sys.stdin.read()))\n\
                  print(subprocess.run(['cat'], capture_output=True).stdout)";
    let place = place();
    place.write("cwd/job.py", source);
    for program in [vec!["--code", source], vec!["job.py"]] {
        let pi = json(&place).args(program).stdin("the caller's\n");
        Ran::of(pi).exited(0).printed("''\nb''\n");
    }
    // The code itself is not to be read either.
    let pi = json(&place).arg("-").stdin(source);
    Ran::of(pi).exited(0).printed("''\nb''\n");
}

#[test]
fn input_ends_at_once_where_nobody_writes() {
    let place = place();
    let source = "name = input('name? ')";
    place.write("cwd/job.py", source);
    for program in [vec!["--code", source], vec!["job.py"]] {
        let ran = Ran::of(json(&place).args(program))
            .exited(1)
            .printed("name? ")
            .complained("EOFError");
        ran.noticed(&["input"]);
    }
}

#[test]
fn a_script_reads_the_callers_input_on_purpose() {
    let place = place();
    place.write(
        "cwd/job.py",
        "import sys; print(sys.stdin.buffer.readline()); print(sys.stdin.buffer.read())",
    );
    let pi = json(&place).args(["--stdin", "job.py"]);
    Ran::of(pi.stdin(b"first\nsecond \xff\n"))
        .exited(0)
        .printed("b'first\\n'\nb'second \\xff\\n'\n");
}

#[test]
fn code_never_has_the_callers_input() {
    let place = place();
    for program in [&["-"][..], &["--code", "print(1)"]] {
        let pi = place
            .pi()
            .args(["python", "--stdin"])
            .args(program.iter().copied());
        pi.stdin("print(1)").stdout("").stderr_has("script").code(2);
    }
}

#[test]
fn code_longer_than_a_command_line_comes_through_standard_input() {
    let place = place();
    for size in [200_000, 5_000_000] {
        let source = format!(
            "text = '{}'\n\nprint(len(text))\nraise ValueError('here')\n",
            "x".repeat(size)
        );
        let ran = Ran::of(json(&place).arg("-").stdin(source))
            .exited(1)
            .printed(&format!("{size}\n"))
            .complained("ValueError: here");
        assert!(ran.stderr.text.contains("line 4, in <module>"), "{ran}");
    }
}

#[test]
fn many_lines_of_code_keep_their_numbers() {
    let source = "x = 1\n".repeat(40_000) + "def f():\n    raise ValueError('here')\nf()\n";
    let ran = Ran::of(json(&place()).arg("-").stdin(source)).exited(1);
    for part in [
        "line 40003, in <module>",
        "line 40002, in f",
        "raise ValueError('here')",
    ] {
        assert!(ran.stderr.text.contains(part), "{part:?} is missing\n{ran}");
    }
}

#[cfg(unix)]
mod inherited {
    use crate::python::runs::{EVERYTHING, Ran, code, json, named_pipe, place};
    use crate::support::{Pi, Place};

    /// Starts pi with a pipe that nobody writes to as its standard input.
    fn with_silent_input(place: &Place, pi: Pi) -> Pi {
        let pipe = place.path().join("pipe");
        named_pipe(&pipe);
        let line = format!("exec \"$0\" \"$@\" 0<>'{}'", pipe.display());
        pi.through(["sh".to_owned(), "-c".to_owned(), line])
    }

    #[test]
    fn a_silent_pipe_as_the_callers_input_holds_nothing_up() {
        let source = "import sys; print(repr(sys.stdin.read()))";
        let place = place();
        Ran::of(with_silent_input(&place, code(&place, source)))
            .exited(0)
            .printed("''\n");
    }

    #[test]
    fn a_question_into_a_silent_pipe_fails_at_once() {
        let place = place();
        place.write("cwd/job.py", "name = input('name? ')");
        Ran::of(with_silent_input(&place, json(&place).arg("job.py")))
            .exited(1)
            .complained("EOFError");
    }

    #[test]
    fn a_closed_standard_input_is_as_good_as_an_empty_one() {
        let place = place();
        let pi = code(&place, "import sys; print(repr(sys.stdin.read()))");
        let pi = pi.through(["sh", "-c", "exec \"$0\" \"$@\" <&-"]);
        Ran::of(pi).exited(0).printed("''\n");
    }

    #[test]
    fn descriptors_above_2_do_not_reach_the_program() {
        let source = r"
import os
def is_open(fd):
    try: os.fstat(fd); return True
    except OSError: return False
print([fd for fd in range(1024) if is_open(fd)])
";
        // The guard's hook has one of its own, far above those that programs use.
        let place = place().with("PI_APPROVAL_ALLOW", EVERYTHING);
        place.write("cwd/job.py", source);
        for program in [vec!["--code", source], vec!["job.py"]] {
            let pi = json(&place).args(program);
            let pi = pi.through([
                "sh",
                "-c",
                "exec \"$0\" \"$@\" 3</dev/null 7>/dev/null 9<>/dev/null",
            ]);
            Ran::of(pi).exited(0).printed("[0, 1, 2]\n");
        }
    }

    #[test]
    fn there_is_no_controlling_terminal() {
        // pi is started on a terminal, by a Python that makes one.
        let place = place();
        let on_terminal = r"
import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))
";
        let source = r"
import os
try: os.close(os.open('/dev/tty', os.O_RDWR)); print('a terminal')
except OSError: print('none')
print(os.getpgid(0) == os.getpid())
print([os.isatty(fd) for fd in range(3)])
";
        let python = crate::support::python::real().path.clone();
        let pi = place.pi().args(["python", "--code", source]);
        let pi = pi.through([python.into_os_string(), "-c".into(), on_terminal.into()]);
        let output = pi.run();
        output.ended_with(0);
        let text = output.stdout.replace('\r', "");
        assert_eq!(text, "none\nTrue\n[False, False, False]\n", "{output}");
    }

    #[test]
    fn the_umask_and_the_niceness_are_the_callers() {
        let source = "import os; old = os.umask(0); print(oct(old), os.nice(0))";
        let pi = code(&place(), source);
        let pi = pi.through(["sh", "-c", "umask 027; exec \"$0\" \"$@\""]);
        let nice = "0o27 0\n";
        Ran::of(pi).exited(0).printed(nice);
    }
}
