//! The question on a terminal: a Python drives a pseudoterminal as a person would.

use super::remember::{finding, stopped};
use crate::python::runs::used_place;
use crate::support::python::real;
use crate::support::{Output, Pi, Place};

/// Runs its arguments on a pseudoterminal. Each step is three arguments: what has to be on the screen, a file that is
/// then overwritten (or nothing), and what is typed. What was on the screen goes to standard error.
const DRIVER: &str = r"
import os, pty, sys
count = int(sys.argv[1])
steps = [sys.argv[2 + 3 * i : 5 + 3 * i] for i in range(count)]
command = sys.argv[2 + 3 * count :]
pid, screen = pty.fork()
if pid == 0:
    os.execv(command[0], command)
seen = b''
def act():
    while steps and steps[0][0].encode() in seen:
        _, path, typed = steps.pop(0)
        if path:
            with open(path, 'a') as file:
                file.write('# other\n')
        os.write(screen, typed.encode())
act()
while True:
    try:
        read = os.read(screen, 4096)
    except OSError:
        break
    if not read:
        break
    seen += read
    act()
sys.stderr.buffer.write(seen.replace(b'\r\n', b'\n'))
sys.stderr.flush()
if steps:
    sys.exit('not seen: ' + repr(steps))
os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 255)
";

const QUESTION: &str = "Run it? [y]es once, [N]o, [a]lways for this exact content: ";
const PROGRAM: &str = "import sys\nprint('it', 'ran')\n";

/// A step: what is waited for, what is typed.
fn on_terminal(pi: Pi, place: &Place, steps: &[(&str, &str)]) -> Output {
    let steps: Vec<(&str, String, &str)> = steps
        .iter()
        .map(|(seen, typed)| (*seen, String::new(), *typed))
        .collect();
    driven(pi, place, &steps)
}

fn driven(pi: Pi, place: &Place, steps: &[(&str, String, &str)]) -> Output {
    let driver = place.write("driver.py", DRIVER);
    let mut prefix = vec![real().path.clone().into_os_string(), driver.into()];
    prefix.push(steps.len().to_string().into());
    for (seen, path, typed) in steps {
        prefix.extend([(*seen).into(), path.into(), (*typed).into()]);
    }
    pi.through(prefix).run()
}

fn code(place: &Place) -> Pi {
    place.pi().args(["python", "-c", PROGRAM])
}

/// A place in which the guard stopped the program before.
fn place() -> Place {
    let place = used_place();
    let found = finding("deletes `/srv/data`", 2, (1, 6));
    stopped(&place, PROGRAM, None, found);
    place
}

fn status(place: &Place) -> String {
    let listed = place.pi().args(["approvals", "list", "--json"]).code(0);
    listed.json()[0]["status"].as_str().unwrap().to_owned()
}

#[test]
fn a_person_is_shown_what_was_found_and_says_yes() {
    let place = place();
    let output = on_terminal(code(&place), &place, &[(QUESTION, "y\n")]);
    output.ended_with(0).says(&[
        "PI100 delete: deletes `/srv/data`",
        "<code>:2:1",
        "2 | print('it', 'ran')\n  | ^^^^^",
        "help: keep it",
        "would  delete",
        "it ran",
    ]);
    assert_eq!(status(&place), "used");
}

#[test]
fn always_is_asked_once() {
    let place = place();
    let output = on_terminal(code(&place), &place, &[(QUESTION, "a\n")]);
    output.ended_with(0).says(&["it ran"]);
    assert_eq!(status(&place), "always");
    let output = on_terminal(code(&place), &place, &[]);
    output.ended_with(0).says(&["it ran"]).lacks(&["Run it?"]);
}

#[test]
fn whatever_is_no_yes_is_a_no_and_is_remembered() {
    for typed in ["n\n", "\n", "what?\n", "yess\n", "\u{4}"] {
        let place = place();
        let output = on_terminal(code(&place), &place, &[(QUESTION, typed)]);
        output
            .ended_with(126)
            .says(&["error: not approved: a person said no on the terminal"])
            .lacks(&["it ran"]);
        assert_eq!(status(&place), "refused");
        let again = on_terminal(code(&place), &place, &[]);
        again.ended_with(126).lacks(&["Run it?", "it ran"]);
    }
}

#[test]
fn what_was_typed_before_the_question_is_no_answer() {
    let place = place();
    let output = on_terminal(code(&place), &place, &[("", "y\n"), (QUESTION, "n\n")]);
    output.ended_with(126).lacks(&["it ran"]);
}

#[test]
fn json_is_for_a_program_and_the_question_for_a_person() {
    let place = place();
    let pi = place.pi().args(["python", "--json", "-c", PROGRAM]);
    let output = on_terminal(pi, &place, &[(QUESTION, "y\n")]);
    output.ended_with(0).says(&["\"status\": \"ok\""]);
}

#[test]
fn nobody_is_asked_where_that_is_unwanted() {
    let place = place();
    for pi in [
        code(&place).arg("--quiet"),
        code(&place).env("PI_APPROVAL_ASK", "never"),
        code(&place).env("PI_PYTHON_TOOL", "1"),
    ] {
        let output = on_terminal(pi, &place, &[]);
        output.ended_with(0).lacks(&["Run it?"]);
    }
    assert_eq!(status(&place), "pending");
}

#[test]
fn a_script_that_changes_while_the_question_is_open_does_not_run() {
    let place = used_place();
    let script = place.write("cwd/job.py", PROGRAM);
    let found = finding("deletes `/srv/data`", 2, (1, 6));
    stopped(&place, PROGRAM, Some("job.py"), found);
    for answer in ["y\n", "a\n"] {
        place.write("cwd/job.py", PROGRAM);
        let pi = place.pi().args(["python", "job.py"]);
        let path = script.to_string_lossy().into_owned();
        let output = driven(pi, &place, &[(QUESTION, path, answer)]);
        output
            .ended_with(126)
            .says(&["job.py:2:1", "changed since approval"])
            .lacks(&["it ran"]);
        assert_eq!(status(&place), "pending");
    }
}

/// A job in the background is not stopped by a question that it may not ask.
#[test]
fn a_background_job_does_not_ask() {
    let place = place();
    let job = r#""$@" & wait $!"#;
    let shell = place.bin().join("sh");
    let line = ["-m", "-c", job, "sh"];
    let driver = place.write("driver.py", DRIVER);
    let mut prefix = vec![real().path.clone().into_os_string(), driver.into()];
    prefix.extend(["0".into(), shell.into_os_string()]);
    prefix.extend(line.map(Into::into));
    let output = code(&place).through(prefix).run();
    output.ended_with(0).lacks(&["Run it?"]);
}
