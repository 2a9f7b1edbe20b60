//! Requests that make no sense, and what can't be run: each is told in words that help.

use std::path::Path;

use super::runs::{Ran, code, json, place};
use crate::support::{Pi, Place};

/// A refusal as text: nothing on standard output, these words in the error.
#[track_caller]
fn refused(pi: Pi, own: i32, parts: &[&str]) {
    let output = pi.stdout("").stderr_any().run();
    output.ended_with(own).says(parts).says(&["error: "]);
    assert_eq!(output.stdout, "", "{output}");
    output.lacks(&["panicked", "RUST_BACKTRACE"]);
}

fn python(place: &Place, args: &[&str]) -> Pi {
    place.pi().arg("python").args(args.iter().copied())
}

#[test]
fn a_script_that_can_not_be_run_is_named() {
    let place = place();
    place.write("cwd/dir/file.py", "");
    for (script, parts) in [
        ("missing.py", &["`missing.py`", "not"][..]),
        ("dir", &["`dir`", "directory"]),
        ("dir/missing.py", &["dir/missing.py"]),
        ("dir/file.py/x", &["dir/file.py/x"]),
        ("@missing.py", &["missing.py"]),
    ] {
        let parts: Vec<String> = parts.iter().map(|part| part.replace('`', "")).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        refused(python(&place, &[script]), 125, &parts);
    }
}

#[cfg(unix)]
#[test]
fn a_script_that_is_a_pipe_or_a_device_does_not_hang() {
    let place = place();
    super::runs::named_pipe(&place.cwd().join("pipe"));
    refused(python(&place, &["pipe"]), 125, &["pipe", "not a"]);
    refused(python(&place, &["/dev/zero"]), 125, &["/dev/zero", "not a"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_user_may_not_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let Some(user) = super::runs::unprivileged::somebody() else {
        return;
    };
    let place = &user.place;
    let closed = |path: &str| {
        let path = place.write(path, "print(1)");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap();
    };
    closed("cwd/closed.py");
    let pi = user.does(python(place, &["closed.py"]));
    refused(pi, 125, &["closed.py", "permission"]);
    place.write("cwd/dir/job.py", "print(1)");
    let dir = place.cwd().join("dir");
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o000)).unwrap();
    let pi = user.does(python(place, &["dir/job.py"]));
    refused(pi, 125, &["dir/job.py", "permission"]);
    let pi = user.does(python(place, &["--cwd", "dir", "-c", "pass"]));
    refused(pi, 125, &["dir", "permission"]);
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_directory_that_is_none_is_named() {
    let place = place();
    place.write("cwd/file", "");
    let run = |dir: &str| python(&place, &["--cwd", dir, "-c", "print(1)"]);
    refused(run("nowhere"), 125, &["nowhere"]);
    refused(run("file"), 125, &["file", "not a directory"]);
    refused(run(""), 2, &[]);
}

#[test]
fn a_directory_is_relative_to_the_callers() {
    let place = place();
    place.write(
        "cwd/sub/job.py",
        "import os; print(os.path.basename(os.getcwd()))",
    );
    let sub = place.cwd().join("sub");
    for dir in ["sub", "./sub", "sub/../sub", sub.to_str().unwrap()] {
        // The script is relative to that directory.
        let ran = Ran::of(json(&place).args(["--cwd", dir, "job.py"]))
            .exited(0)
            .printed("sub\n");
        assert!(ran.cwd.is_absolute() && ran.cwd.ends_with("sub"), "{ran}");
    }
}

#[cfg(unix)]
#[test]
fn a_directory_that_vanished_under_the_caller_is_named() {
    let place = place();
    for program in [&["-c", "print(1)"][..], &["job.py"]] {
        std::fs::create_dir(place.cwd().join("gone")).unwrap();
        let line = "cd gone && rm -r ../gone; exec \"$0\" \"$@\"";
        let pi = python(&place, program).through(["sh", "-c", line]);
        refused(pi, 125, &["directory does not exist"]);
    }
}

#[cfg(unix)]
#[test]
fn a_directory_that_vanishes_in_between_is_named() {
    // It is there when the request is checked, and goes when the interpreter is asked for its version.
    let place = Place::new();
    let dir = place.cwd().join("going");
    std::fs::create_dir(&dir).unwrap();
    let real = &crate::support::python::real().path;
    let script = format!(
        "#!/bin/sh\nrm -rf '{}'\nexec '{}' \"$@\"\n",
        dir.display(),
        real.display()
    );
    let fake = place.script("fake/python3", &script);
    let place = place.with("PI_PYTHON", fake);
    let pi = python(&place, &["--cwd", "going", "-c", "print(1)"]);
    refused(pi, 125, &["going"]);
    assert!(!dir.exists(), "the interpreter was asked");
}

#[test]
fn exactly_one_program_is_needed() {
    let place = place();
    place.write("cwd/job.py", "import sys; print('script', sys.argv[1:])");
    refused(python(&place, &[]), 2, &["--code"]);
    // Behind code, a first word is an argument of the program and no script.
    Ran::of(code(&place, "import sys; print('code', sys.argv[1:])").arg("job.py"))
        .exited(0)
        .printed("code ['job.py']\n");
    refused(
        python(&place, &["-c", "pass", "-c", "pass"]),
        2,
        &["--code"],
    );
}

#[test]
fn at_most_256_arguments_are_taken() {
    let place = place();
    let count = "import sys; print(len(sys.argv) - 1)";
    let args = |number: usize| vec!["x"; number];
    let run = |number| code(&place, count).arg("--").args(args(number));
    Ran::of(run(256)).exited(0).printed("256\n");
    let output = run(257).stderr_any().run();
    output.ended_with(2);
    assert!(output.to_string().contains("256"), "{output}");
}

#[test]
fn arguments_come_as_they_are() {
    let place = place();
    let words = [
        "", " ", "a b", "*", "$HOME", "'\"", "\\", "-x", "--json", "--", "ä 你", "a\nb", "%PATH%",
    ];
    let show = "import sys, json; print(json.dumps(sys.argv[1:]))";
    place.write("cwd/job.py", show);
    for pi in [code(&place, show).arg("--"), json(&place).arg("job.py")] {
        let ran = Ran::of(pi.args(words)).exited(0);
        let seen: Vec<String> = serde_json::from_str(&ran.stdout.text).unwrap();
        assert_eq!(seen, words, "{ran}");
    }
}

#[test]
fn odd_time_limits_are_refused_with_unit_and_range() {
    let place = place();
    for limit in [
        "0", "-1", "-0.5", "NaN", "nan", "-inf", "thirty", "", "30s", "1e400x", "0x10", "1,5",
    ] {
        let pi = place
            .pi()
            .args(["python", &format!("--timeout={limit}"), "-c", "print(1)"]);
        let output = pi.stderr_any().run();
        output.ended_with(2).says(&["error: "]);
        let named = ["time limit", "--timeout"];
        assert!(
            named.iter().any(|part| output.stderr.contains(part)),
            "{output}"
        );
        assert_eq!(output.stdout, "", "{output}");
    }
    let pi = python(&place, &["--timeout", "-1", "-c", "print(1)"]);
    refused(pi, 2, &["seconds", "300"]);
}

#[test]
fn time_limits_over_the_maximum_are_lowered_and_said() {
    let place = place();
    for limit in ["300.5", "30000", "2147483648", "1e12", "1e308", "inf"] {
        let ran = Ran::of(code(&place, "print(1)").args(["--timeout", limit]));
        ran.exited(0).printed("1\n").noticed(&["300"]);
    }
}

#[test]
fn fractions_of_a_second_are_time_limits() {
    let place = place();
    for limit in ["30", "1.9", "2.", "5e0"] {
        let ran = Ran::of(code(&place, "print(1)").args(["--timeout", limit]));
        ran.exited(0).printed("1\n").without_notices();
    }
    let ran = Ran::of(code(&place, "import time; time.sleep(30)").args(["--timeout", "0.5"]));
    ran.was("timeout", None, 124).noticed(&["0.5 s"]);
    // However short, it is a time limit and no instant refusal.
    Ran::of(code(&place, "import time; time.sleep(30)").args(["--timeout", "1e-9"]))
        .was("timeout", None, 124);
}

#[test]
fn a_time_limit_and_none_exclude_each_other() {
    let pi = python(&place(), &["--timeout", "1", "--no-timeout", "-c", "pass"]);
    refused(pi, 2, &["--no-timeout"]);
}

#[test]
fn output_limits_out_of_range_are_moved_into_it_and_said() {
    let place = place();
    for (option, value, bound) in [
        ("--max-output-bytes", "0", "1000"),
        ("--max-output-bytes", "999", "1000"),
        ("--max-output-bytes", "200001", "200000"),
        ("--max-output-bytes", "18446744073709551615", "200000"),
        ("--max-output-lines", "0", "1"),
        ("--max-output-lines", "1000000", "20000"),
    ] {
        let ran = Ran::of(code(&place, "print(1)").args([option, value]))
            .exited(0)
            .printed("1\n");
        let digits = |text: &str| text.replace([',', '_', ' '], "");
        assert!(
            ran.notices
                .iter()
                .any(|notice| digits(notice).contains(bound)),
            "{option} {value}: {:?}",
            ran.notices
        );
    }
    for value in ["1000", "200000"] {
        Ran::of(code(&place, "print(1)").args(["--max-output-bytes", value]))
            .exited(0)
            .without_notices();
    }
    for value in ["-1", "lots", "1.5", "", "1k"] {
        let pi = place.pi().args([
            "python",
            &format!("--max-output-bytes={value}"),
            "-c",
            "pass",
        ]);
        pi.stderr_has("--max-output-bytes").code(2);
    }
}

#[test]
fn a_nul_in_code_is_pythons_error() {
    let ran = Ran::of(json(&place()).arg("-").stdin("print(1)\n\0\nprint(2)\n")).exited(1);
    assert!(
        ran.stderr.text.to_lowercase().contains("null byte"),
        "{ran}"
    );
}

#[test]
fn code_without_anything_to_do_is_fine() {
    let place = place();
    for source in [
        "",
        "\n",
        "   ",
        "# a comment",
        "# a comment\n\n",
        "'a string'",
        "pass",
    ] {
        Ran::of(code(&place, source))
            .exited(0)
            .printed("")
            .without_notices();
        Ran::of(json(&place).arg("-").stdin(source))
            .exited(0)
            .printed("");
    }
}

#[test]
fn unknown_options_are_wrong_usage() {
    let place = place();
    python(&place, &["--frobnicate", "-c", "pass"])
        .stderr_has("--frobnicate")
        .code(2);
    place.pi().arg("pythn").stderr_has("pythn").code(2);
}

#[test]
fn a_python_that_can_not_be_had_is_127() {
    let place = place();
    let pi = python(
        &place,
        &[
            "--offline",
            "--python",
            "/nonexistent/python3",
            "-c",
            "print(1)",
        ],
    );
    refused(pi, 127, &["/nonexistent/python3"]);
    let old = place.write("cwd/not-python", "");
    let pi = python(
        &place,
        &[
            "--offline",
            "--python",
            old.to_str().unwrap(),
            "-c",
            "print(1)",
        ],
    );
    refused(pi, 127, &["not-python"]);
}

#[test]
fn with_json_a_refusal_is_the_one_object_too() {
    let place = place();
    let missing = "/nonexistent/python3";
    for (args, status, own, part) in [
        (&["missing.py"][..], "invalid", 125, "missing.py"),
        (
            &["--cwd", "nowhere", "-c", "pass"],
            "invalid",
            125,
            "nowhere",
        ),
        (
            &["--offline", "--python", missing, "-c", "pass"],
            "unavailable",
            127,
            missing,
        ),
    ] {
        let output = json(&place).args(args.iter().copied()).run();
        output.ended_with(own).says(&["error: ", part]);
        let outcome: super::runs::Outcome = serde_json::from_value(output.json()).unwrap();
        assert_eq!(
            (outcome.status.as_str(), outcome.exit_code),
            (status, None),
            "{output}"
        );
        assert!(
            outcome.notices.iter().any(|notice| notice.contains(part)),
            "{output}"
        );
        assert!(outcome.approval.is_none());
        assert_eq!(
            outcome.python.is_none(),
            status == "unavailable" || status == "invalid"
        );
    }
}

#[test]
fn a_python_by_path_is_the_one_that_runs() {
    let place = Place::new();
    let python = &crate::support::python::real().path;
    let pi = json(&place).args([Path::new("--python"), python]);
    let ran = Ran::of(pi.args(["-c", "print(1)"]))
        .exited(0)
        .printed("1\n");
    let used = ran.python.as_ref().expect("it ran");
    assert_eq!(used.path, *python, "{ran}");
    assert_eq!(used.version, crate::support::python::real().version);
}

#[cfg(unix)]
#[test]
fn a_home_that_can_not_be_written_costs_no_run() {
    // Where nothing can be remembered, the interpreter is looked for anew each time.
    let place = place().with("PI_CODING_AGENT_DIR", "/proc/nope");
    let output = python(&place, &["-c", "print(1)"]).stderr_any().run();
    output.ended_with(0);
    assert_eq!(output.stdout, "1\n", "{output}");
}
