//! `pi python`: one program, as it was typed.
#![cfg(unix)]

use crate::support::python::real;
use crate::support::{Pi, Place};

/// A place with a Python at hand.
fn place() -> Place {
    let mut place = Place::new();
    place.link("python3", &real().path);
    place.set("PI_OFFLINE", "1");
    place
}

fn python(place: &Place) -> Pi {
    place.pi().args(["--quiet", "python"])
}

#[test]
fn code_runs() {
    python(&place())
        .args([
            "--code",
            "import sys; print(sys.argv[1:])",
            "--",
            "a b",
            "-x",
            "--json",
        ])
        .stdout("['a b', '-x', '--json']\n")
        .code(0);
    python(&place())
        .args(["-c", "print(1)"])
        .stdout("1\n")
        .code(0);
}

#[test]
fn a_script_runs_with_its_arguments() {
    let place = place();
    place.write("cwd/dir/job.py", "import sys\nprint(sys.argv, __name__)\n");
    python(&place)
        .args(["dir/job.py", "--json", "x", "--", "-"])
        .stdout("['dir/job.py', '--json', 'x', '--', '-'] __main__\n")
        .code(0);
}

#[test]
fn a_script_is_found_from_its_working_directory() {
    let place = place();
    place.write(
        "cwd/dir/job.py",
        "import os, helper\nprint(os.path.basename(os.getcwd()), helper.X)\n",
    );
    place.write("cwd/dir/helper.py", "X = 7\n");
    python(&place)
        .args(["--cwd", "dir", "job.py"])
        .stdout("dir 7\n")
        .code(0);
}

#[test]
fn code_comes_from_standard_input() {
    python(&place())
        .args(["-", "one"])
        .stdin("import sys\nprint('Ω', sys.argv[1:])\n")
        .stdout("Ω ['one']\n")
        .code(0);
}

#[test]
fn the_programs_exit_code_and_streams_are_its_own() {
    let place = place();
    for code in [0, 1, 3, 42, 255] {
        python(&place)
            .args([
                "--code",
                &format!(
                    "import sys; print('out'); print('err', file=sys.stderr); sys.exit({code})"
                ),
            ])
            .stdout("out\n")
            .stderr("err\n")
            .code(code);
    }
    python(&place)
        .args(["--code", "raise ValueError('Ω')"])
        .stdout("")
        .stderr_has("ValueError: Ω")
        .code(1);
}

#[test]
fn a_signal_is_told_by_the_exit_code() {
    python(&place())
        .args([
            "--code",
            "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        ])
        .stderr_any()
        .code(143);
}

#[test]
fn json_says_what_happened() {
    let place = place();
    let output = python(&place)
        .args([
            "--json",
            "--code",
            "import sys; print('a\\nb'); sys.exit(3)",
        ])
        .code(3);
    let json = output.json();
    assert_eq!(json["status"], "failed");
    assert_eq!(json["exitCode"], 3);
    assert_eq!(json["signal"], serde_json::Value::Null);
    assert_eq!(json["mode"], "code");
    assert_eq!(json["cwd"], place.cwd().to_str().unwrap());
    assert_eq!(json["python"]["version"], real().version);
    assert_eq!(json["stdout"]["text"], "a\nb\n");
    assert_eq!(json["stdout"]["bytes"], 4);
    assert_eq!(json["stdout"]["lines"], 2);
    assert_eq!(json["stdout"]["truncated"], false);
    assert_eq!(json["stderr"]["text"], "");
    assert_eq!(json["approval"], serde_json::Value::Null);
    assert!(
        json["notices"].is_array() && json["durationMs"].is_u64(),
        "{json}"
    );
}

#[test]
fn a_program_that_takes_too_long_is_ended() {
    let place = place();
    let code = "import time; print('begun', flush=True); time.sleep(600)";
    python(&place)
        .args(["--timeout", "1", "--code", code])
        .stdout_has("begun")
        .stderr_any()
        .code(124);
    let output = python(&place)
        .args(["--timeout", "1", "--json", "--code", code])
        .code(124);
    let json = output.json();
    assert_eq!(json["status"], "timeout");
    assert_eq!(json["exitCode"], serde_json::Value::Null);
}

#[test]
fn timeouts_that_make_no_sense_are_wrong_usage() {
    let place = place();
    for timeout in ["0", "-1", "NaN", "soon", ""] {
        python(&place)
            .arg(format!("--timeout={timeout}"))
            .args(["--code", "print(1)"])
            .stdout("")
            .stderr_any()
            .code(2);
    }
    let output = python(&place)
        .args(["--timeout", "1e12", "--json", "--code", "print(1)"])
        .code(0);
    assert!(
        output.json()["notices"].to_string().contains("300"),
        "{output}"
    );
}

#[test]
fn the_environment_is_what_the_design_says() {
    let code = "import os, sys, locale\n\
        names = ['PYTHONUTF8', 'PYTHONIOENCODING', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'PI_PYTHON_TOOL',\n\
            'PYTHONHOME', 'PYTHONSTARTUP', 'PYTHONINSPECT', 'OPENAI_API_KEY', 'MINE', 'VIRTUAL_ENV']\n\
        print([os.environ.get(name) for name in names])\n\
        print(sys.dont_write_bytecode, sys.stdout.encoding, sys.getfilesystemencoding())\n";
    python(&place())
        .args(["--env", "EXTRA=1", "--code", code])
        .env("PYTHONHOME", "/nowhere")
        .env("PYTHONSTARTUP", "/nowhere")
        .env("PYTHONINSPECT", "1")
        .env("OPENAI_API_KEY", "secret")
        .env("VIRTUAL_ENV", "/nowhere")
        .env("MINE", "kept")
        .env("PYTHONUTF8", "0")
        .env("PYTHONIOENCODING", "cp1252")
        .env("LC_ALL", "C")
        .env("PYTHONCOERCECLOCALE", "0")
        .stdout("['1', 'utf-8', '1', '1', '1', None, None, None, None, 'kept', None]\nTrue utf-8 utf-8\n")
        .code(0);
}

#[test]
fn text_arrives_whatever_the_locale() {
    let place = place();
    let text = "✓ 你好 🙂 Добрый день";
    let source = format!("print('{text}')\n");
    place.write("cwd/Добрый/plain.py", &source);
    place.write(
        "cwd/Добрый/marked.py",
        [b"\xef\xbb\xbf", source.as_bytes()].concat(),
    );
    let c_locale = |run: Pi| {
        run.env("LC_ALL", "C")
            .env("LANG", "C")
            .env("PYTHONIOENCODING", "cp1252")
            .env("PYTHONUTF8", "0")
            .env("PYTHONCOERCECLOCALE", "0")
    };
    let expected = format!("{text}\n");
    c_locale(python(&place).args(["--code", source.trim()]))
        .stdout(&expected)
        .code(0);
    for script in ["Добрый/plain.py", "Добрый/marked.py"] {
        c_locale(python(&place).arg(script))
            .stdout(&expected)
            .code(0);
    }
}

#[test]
fn no_bytecode_is_left_beside_a_script() {
    let place = place();
    place.write("cwd/job.py", "import helper\n");
    place.write("cwd/helper.py", "X = 1\n");
    python(&place).arg("job.py").code(0);
    assert_eq!(crate::support::pi::files_below(&place.cwd()).len(), 2);
}

#[test]
fn standard_input_is_empty_unless_it_is_passed_on() {
    let place = place();
    place.write("cwd/job.py", "import sys\nprint(repr(sys.stdin.read()))\n");
    python(&place)
        .arg("job.py")
        .stdin("words")
        .stdout("''\n")
        .code(0);
    python(&place)
        .args(["--stdin", "job.py"])
        .stdin("words")
        .stdout("'words'\n")
        .code(0);
}

#[test]
fn code_and_script_together_or_neither_is_wrong_usage() {
    let place = place();
    place.write("cwd/job.py", "print(1)\n");
    python(&place).stdout("").stderr_any().code(2);
}

#[test]
fn a_directory_that_can_not_be_entered_is_named() {
    let place = place();
    place.write("cwd/file", "");
    let missing = place.cwd().join("no/such");
    let output = python(&place)
        .args(["--cwd", "no/such", "--code", "print(1)"])
        .stdout("")
        .stderr_any()
        .code(125);
    output.says(&["error: ", missing.to_str().unwrap()]);
    let output = python(&place)
        .args(["--cwd", "file", "--code", "print(1)"])
        .stdout("")
        .stderr_any()
        .code(125);
    output.says(&["error: ", place.cwd().join("file").to_str().unwrap()]);
}

#[test]
fn a_script_that_can_not_be_read_is_named() {
    let place = place();
    std::fs::create_dir(place.cwd().join("dir")).unwrap();
    for script in ["no/such.py", "dir"] {
        let output = python(&place).arg(script).stdout("").stderr_any().code(125);
        output.says(&["error: ", place.cwd().join(script).to_str().unwrap()]);
    }
    let json = python(&place)
        .args(["--json", "no/such.py"])
        .stderr_any()
        .code(125)
        .json();
    assert_eq!(json["status"], "invalid", "{json}");
}

#[test]
fn the_real_path_of_a_developers_machine_works() {
    place()
        .pi()
        .system_path()
        .args(["--quiet", "python", "--code", "print(6 * 7)"])
        .stdout("42\n")
        .code(0);
}
