//! What is printed: the one object, the lines of `--stream`, and text.

use serde_json::{Value, json};

use super::runs::{self, Ran, each, place, used_place};
use crate::support::python::real;

#[test]
fn the_object_has_exactly_its_fields() {
    let place = place();
    let pi = runs::code(
        &place,
        "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)",
    );
    let output = pi.run();
    output.ended_with(3);
    let mut object = output.json();
    let duration = object["durationMs"].take();
    assert!(duration.is_u64(), "{duration}");
    let guard = object["guard"].take();
    let layers: Vec<&String> = guard.as_object().expect("layers").keys().collect();
    assert_eq!(layers, ["hook", "landlock", "seccomp", "supervisor"]);
    let stream = |text: &str| {
        json!({
            "text": text, "bytes": 4, "lines": 1, "truncated": false, "truncatedBy": null,
            "omittedBytes": 0, "omittedLines": 0, "reducedBytes": 0, "path": null,
        })
    };
    let expected = json!({
        "status": "failed",
        "exitCode": 3,
        "signal": null,
        "durationMs": null,
        "mode": "code",
        "cwd": place.cwd(),
        "python": { "path": real().path, "version": real().version },
        "stdout": stream("out\n"),
        "stderr": stream("err\n"),
        "approval": null,
        "guard": null,
        "notices": [],
    });
    assert_eq!(object, expected);
    assert!(output.stdout.ends_with("}\n"), "{output}");
}

#[test]
fn a_script_is_mode_script() {
    let place = place();
    place.write("cwd/job.py", "print(1)");
    let ran = Ran::of(runs::json(&place).arg("job.py")).exited(0);
    assert_eq!(ran.mode, "script");
}

#[test]
fn the_object_holds_any_text() {
    let source = r#"import sys; sys.stdout.buffer.write("\x00\x01\x7f \"quoted\" \\ \u2028 \U0001F642 é\r\n".encode())"#;
    let ran = Ran::of(runs::code(&place(), source).args(["--raw"])).exited(0);
    ran.printed("\0\u{1}\u{7f} \"quoted\" \\ \u{2028} 🙂 é\r\n");
}

#[test]
fn a_line_without_its_end_counts() {
    let place = place();
    for (source, bytes, lines) in [
        ("''", 0, 0),
        ("'a'", 1, 1),
        (r"'a\n'", 2, 1),
        (r"'a\nb'", 3, 2),
        (r"'\n\n'", 2, 2),
        (r"'a\r\nb\r\n'", 6, 2),
    ] {
        let ran = Ran::of(runs::code(
            &place,
            &format!("import os; os.write(1, b{source})"),
        ))
        .exited(0);
        assert_eq!(
            (ran.stdout.bytes, ran.stdout.lines),
            (bytes, lines),
            "{source}"
        );
    }
}

#[test]
fn the_time_is_that_of_the_program() {
    let before = std::time::Instant::now();
    let ran = Ran::of(runs::code(&place(), "import time; time.sleep(0.4)")).exited(0);
    let all = u64::try_from(before.elapsed().as_millis()).unwrap();
    assert!(
        (400..=all).contains(&ran.duration_ms),
        "{}",
        ran.duration_ms
    );
}

#[test]
fn text_is_what_the_program_wrote() {
    let place = used_place();
    let pi = |source: &str| place.pi().args(["python", "-c", source]);
    pi("print('a')").stdout("a\n").code(0);
    pi("print('a', end='')").stdout("a").code(0);
    pi("pass").stdout("").code(0);
    pi("import sys; print('o'); print('e', file=sys.stderr)")
        .stdout("o\n")
        .stderr("e\n")
        .code(0);
    pi("raise ValueError('x')")
        .stdout("")
        .stderr_has("ValueError: x")
        .code(1);
}

/// The lines of `--stream`, with what they are held to: one start, then output, then one end.
#[track_caller]
fn events(stdout: &str) -> Vec<Value> {
    let events: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.first(), Some(&"start"), "{kinds:?}");
    assert_eq!(kinds.last(), Some(&"end"), "{kinds:?}");
    let between = &kinds[1..kinds.len() - 1];
    assert!(between.iter().all(|kind| *kind == "output"), "{kinds:?}");
    events
}

/// What the output events say of one stream, put together.
fn text_of(events: &[Value], stream: &str) -> String {
    events
        .iter()
        .filter(|event| event["stream"] == stream)
        .map(|event| event["text"].as_str().expect("an output event has text"))
        .collect()
}

#[test]
fn events_tell_of_start_output_and_end() {
    let place = place();
    let source = "import sys\nfor i in range(20): print('out', i); print('err', i, file=sys.stderr)\nsys.exit(3)";
    let output = place.pi().args(["python", "--stream", "-c", source]).run();
    output.ended_with(3);
    let events = events(&output.stdout);
    let lines = |word: &str| each(0..20, |i| format!("{word} {i}\n"));
    assert_eq!(text_of(&events, "stdout"), lines("out"));
    assert_eq!(text_of(&events, "stderr"), lines("err"));
    let mut end = events.last().unwrap().clone();
    end.as_object_mut().unwrap().remove("event");
    let outcome: runs::Outcome =
        serde_json::from_value(end).expect("the end is the one object, and its kind");
    assert_eq!(
        (outcome.status.as_str(), outcome.exit_code),
        ("failed", Some(3))
    );
    assert_eq!(outcome.stdout.text, lines("out"));
    assert_eq!(outcome.stderr.text, lines("err"));
}

#[test]
fn events_come_while_the_program_runs() {
    // The program goes on once it sees a file that is only written when its first words have come out.
    let place = place();
    let source = "import os, time\nprint('first words')\nwhile not os.path.exists('heard'): time.sleep(0.01)\nprint('went on')";
    let reader = r"
import json, subprocess, sys
with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True) as pi:
    for line in pi.stdout:
        print(line, end='')
        if 'first words' in json.loads(line).get('text', ''): open('heard', 'w').close()
sys.exit(pi.returncode)
";
    let python = real().path.clone().into_os_string();
    let pi = place
        .pi()
        .args(["python", "--stream", "--timeout", "60", "-c", source]);
    let output = pi.through([python, "-c".into(), reader.into()]).run();
    output.ended_with(0);
    assert_eq!(
        text_of(&events(&output.stdout), "stdout"),
        "first words\nwent on\n"
    );
}

#[cfg(unix)]
#[test]
fn text_comes_while_the_program_runs_on_a_terminal() {
    let place = used_place();
    let source = "import os, time\nprint('first words')\nwhile not os.path.exists('heard'): time.sleep(0.01)\nprint('went on')";
    let terminal = r"
import os, pty, sys
def read(fd):
    data = os.read(fd, 1024)
    if b'first words' in data: open('heard', 'w').close()
    return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))
";
    let python = real().path.clone().into_os_string();
    let pi = place.pi().args(["python", "--timeout", "60", "-c", source]);
    pi.through([python, "-c".into(), terminal.into()])
        .stdout("first words\r\nwent on\r\n")
        .code(0);
}

#[test]
fn events_never_tear_a_character() {
    // A byte at a time, with pauses, so that every reader sees characters in pieces.
    let text = "é你🙂é你🙂";
    let source = format!(
        "import os, time\nfor byte in '{text}'.encode():\n    os.write(1, bytes([byte])); os.write(2, bytes([byte])); time.sleep(0.01)"
    );
    let output = place()
        .pi()
        .args(["python", "--stream", "-c", &source])
        .run();
    output.ended_with(0);
    let events = events(&output.stdout);
    for stream in ["stdout", "stderr"] {
        assert_eq!(text_of(&events, stream), text, "{output}");
    }
}

#[test]
fn a_torn_character_at_the_end_is_shown_as_one() {
    let source = "import os; os.write(1, b'a\\xf0\\x9f')";
    let output = place()
        .pi()
        .args(["python", "--stream", "-c", source])
        .run();
    let events = events(&output.stdout);
    assert_eq!(text_of(&events, "stdout"), "a\u{fffd}", "{output}");
    assert_eq!(
        events.last().unwrap()["stdout"]["text"],
        "a\u{fffd}",
        "{output}"
    );
}

#[test]
fn events_tell_of_a_time_limit() {
    let pi = place().pi().args(["python", "--stream", "--timeout", "1"]);
    let output = pi
        .args(["-c", "print('here')\nimport time; time.sleep(60)"])
        .run();
    output.ended_with(124);
    let events = events(&output.stdout);
    assert_eq!(text_of(&events, "stdout"), "here\n");
    let end = events.last().unwrap();
    assert_eq!(
        (&end["status"], &end["exitCode"]),
        (&json!("timeout"), &Value::Null)
    );
}

#[test]
fn quiet_says_nothing_but_results_and_errors() {
    let place = place();
    let quiet = |args: &[&str]| {
        place
            .pi()
            .args(["python", "--quiet"])
            .args(args.iter().copied())
    };
    quiet(&["-c", "print(1)"]).stdout("1\n").code(0);
    // A notice is left out; what the program itself writes is not.
    quiet(&["--max-output-bytes", "1", "-c", "print(1)"])
        .stdout("1\n")
        .code(0);
    quiet(&["-c", "import sys; print(1, file=sys.stderr)"])
        .stdout("")
        .stderr("1\n")
        .code(0);
    quiet(&["missing.py"]).stderr_has("missing.py").code(125);
}

#[test]
fn in_text_a_notice_is_on_standard_error() {
    let pi = place()
        .pi()
        .args(["python", "--max-output-bytes", "1", "-c", "print(1)"]);
    pi.stdout("1\n").stderr_has("1000").code(0);
}
