//! What a program sees of its caller's environment.

use std::collections::BTreeMap;

use super::runs::{Ran, code, json, place};
use crate::support::{Pi, Place};

/// Prints the whole environment.
const SHOW: &str = "import json, os; print(json.dumps(dict(os.environ)))";

/// What a program of this run sees.
#[track_caller]
fn seen(pi: Pi) -> BTreeMap<String, String> {
    let ran = Ran::of(pi).exited(0);
    serde_json::from_str(&ran.stdout.text).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

/// A run that shows its environment, with these variables set for pi.
fn show(place: &Place, variables: &[(&str, &str)]) -> Pi {
    variables
        .iter()
        .fold(code(place, SHOW), |pi, (name, value)| pi.env(name, value))
}

#[test]
fn credentials_are_withheld_and_the_rest_passes() {
    let secret = [
        ("DATABASE_URL", "postgres://u:p@h/d"),
        ("SLACK_WEBHOOK_URL", "https://x"),
        ("AWS_ACCESS_KEY_ID", "AK1"),
        ("AWS_SECRET_ACCESS_KEY", "s"),
        ("SENTRY_DSN", "d"),
        ("ANTHROPIC_API_KEY", "k"),
        ("OPENAI_API_KEY", "k"),
        ("GITHUB_TOKEN", "t"),
        ("MY_APP_PASSWORD", "p"),
    ];
    let plain = [
        ("MY_PLAIN", "ok"),
        ("LANG", "C.UTF-8"),
        ("http_proxy", "http://p:1"),
        ("HTTPS_PROXY", "http://p:2"),
        ("no_proxy", "localhost"),
        ("EMPTY", ""),
        ("TOKENIZER", "not a token"),
        ("KEYBOARD", "not a key"),
    ];
    let place = place();
    let seen = seen(show(&place, &[&secret[..], &plain[..]].concat()));
    for (name, _) in secret {
        assert!(!seen.contains_key(name), "{name} is not withheld: {seen:?}");
    }
    for (name, value) in plain {
        assert_eq!(seen.get(name).map(String::as_str), Some(value), "{name}");
    }
    assert_eq!(seen["PATH"], place.bin().to_str().unwrap());
    assert_eq!(seen["HOME"], place.home().to_str().unwrap());
    assert_eq!(seen["TMPDIR"], place.tmp().to_str().unwrap());
}

#[test]
fn what_a_run_is_told_of_itself() {
    let seen = seen(code(&place(), SHOW));
    for (name, value) in [
        ("PI_PYTHON_TOOL", "1"),
        ("PYTHONUTF8", "1"),
        ("PYTHONIOENCODING", "utf-8"),
        ("PYTHONUNBUFFERED", "1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ] {
        assert_eq!(seen.get(name).map(String::as_str), Some(value), "{name}");
    }
}

#[test]
fn a_variable_can_be_brought_back_or_set() {
    let place = place();
    let variables = [
        ("HF_TOKEN", "secret"),
        ("GH_TOKEN", "other"),
        ("PLAIN", "1"),
    ];
    let options = [
        "--env",
        "HF_TOKEN",
        "--env",
        "PLAIN=a=b, c",
        "--env",
        "NEW=",
    ];
    let seen = seen(show(&place, &variables).args(options));
    assert_eq!(seen["HF_TOKEN"], "secret");
    assert!(!seen.contains_key("GH_TOKEN"));
    assert_eq!(seen["PLAIN"], "a=b, c");
    assert_eq!(seen["NEW"], "");
}

#[test]
fn a_withheld_name_can_be_set_on_purpose() {
    let seen = seen(show(&place(), &[]).args(["--env", "API_TOKEN=mine"]));
    assert_eq!(seen["API_TOKEN"], "mine");
}

#[test]
fn a_variable_that_is_not_there_is_passed_as_nothing() {
    let seen = seen(show(&place(), &[]).args(["--env", "NOT_THERE_TOKEN"]));
    assert!(!seen.contains_key("NOT_THERE_TOKEN"));
}

#[test]
fn a_variable_without_a_name_is_wrong_usage() {
    for option in ["=value", ""] {
        let pi = place().pi().args(["python", "--env", option, "-c", "pass"]);
        pi.stderr_has("error: ").stderr_has("name").code(2);
    }
}

#[test]
fn settings_withhold_and_pass() {
    let place = place();
    place.write(
        "agent/python.toml",
        "[env]\npass = [\"HF_*\"]\nwithhold = [\"MINE\", \"COMPANY_*\"]\n",
    );
    let variables = [
        ("HF_TOKEN", "1"),
        ("MINE", "1"),
        ("COMPANY_NAME", "1"),
        ("OTHER", "1"),
    ];
    let seen = seen(show(&place, &variables));
    assert!(seen.contains_key("HF_TOKEN"), "{seen:?}");
    assert!(seen.contains_key("OTHER"), "{seen:?}");
    for name in ["MINE", "COMPANY_NAME"] {
        assert!(!seen.contains_key(name), "{name}: {seen:?}");
    }
}

#[test]
fn a_project_withholds_more_and_passes_nothing() {
    let place = place();
    place.write(
        "cwd/.pi/python.toml",
        "[env]\npass = [\"HF_TOKEN\"]\nwithhold = [\"MINE\"]\n",
    );
    let seen = seen(show(&place, &[("HF_TOKEN", "1"), ("MINE", "1")]));
    for name in ["HF_TOKEN", "MINE"] {
        assert!(!seen.contains_key(name), "{name}: {seen:?}");
    }
}

#[test]
fn what_steers_python_does_not_reach_the_program() {
    let place = place();
    let startup = place.write("startup.py", "print('startup ran')");
    let variables = [
        ("PYTHONHOME", "/nonexistent"),
        ("PYTHONSTARTUP", startup.to_str().unwrap()),
        ("PYTHONINSPECT", "1"),
        ("PYTHONIOENCODING", "cp1252"),
        ("PYTHONUTF8", "0"),
        ("PYTHONVERBOSE", "1"),
        ("PYTHONDEBUG", "1"),
        ("PYTHONOPTIMIZE", "2"),
        ("PYTHONBREAKPOINT", "os.abort"),
        ("PYTHONEXECUTABLE", "/nonexistent/python"),
        ("PYTHONPLATLIBDIR", "nonexistent"),
        ("PYTHONSAFEPATH", "1"),
        ("PYTHONPROFILEIMPORTTIME", "1"),
        ("PYTHONDUMPREFS", "1"),
        ("__PYVENV_LAUNCHER__", "/nonexistent/python"),
        ("VIRTUAL_ENV", "/nonexistent/venv"),
    ];
    let source = "assert False, 'asserts count'";
    let pi = |source| {
        variables
            .iter()
            .fold(code(&place, source), |pi, (n, v)| pi.env(n, v))
    };
    let ran = Ran::of(pi(source)).exited(1).printed("");
    assert!(ran.stderr.text.starts_with("Traceback"), "{ran}");
    let seen = seen(pi(SHOW));
    for (name, value) in variables {
        assert_ne!(seen.get(name).map(String::as_str), Some(value), "{name}");
    }
}

#[test]
fn no_bytecode_is_left_beside_the_programs_modules() {
    let place = place();
    place.write("cwd/helper.py", "VALUE = 42\n");
    place.write("cwd/pack/__init__.py", "");
    place.write("cwd/job.py", "import helper, pack; print(helper.VALUE)");
    for program in [
        vec!["--code", "import helper, pack; print(helper.VALUE)"],
        vec!["job.py"],
    ] {
        Ran::of(json(&place).args(program))
            .exited(0)
            .printed("42\n");
    }
    let child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import helper'])";
    Ran::of(code(&place, child)).exited(0);
    let files = crate::support::pi::files_below(&place.cwd());
    let expected = ["helper.py", "job.py", "pack/__init__.py"].map(std::path::PathBuf::from);
    assert_eq!(files, expected, "nothing else is there");
}

#[test]
fn text_is_utf8_whatever_the_callers_locale_is() {
    let text = "✓ 你好 🙂 Добрый день";
    let source = format!(
        "print('{text}'); import sys; print(sys.stdout.encoding, sys.getfilesystemencoding(), sys.stderr.encoding, \
         sys.stdin.encoding)\nprint(open('text.txt').read())\nraise ValueError('Ω')\n"
    );
    let place =
        Place::named("каталог 目录").with("PI_PYTHON", &crate::support::python::real().path);
    place.write("cwd/text.txt", text);
    place.write("cwd/plain.py", &source);
    place.write("cwd/bom.py", format!("\u{feff}{source}"));
    for locale in [
        &[
            ("LC_ALL", "C"),
            ("LANG", "C"),
            ("PYTHONIOENCODING", "cp1252"),
            ("PYTHONUTF8", "0"),
            ("PYTHONCOERCECLOCALE", "0"),
        ][..],
        &[("LC_ALL", "POSIX")],
        &[("LC_ALL", "de_DE.ISO-8859-1")],
        &[],
    ] {
        for program in [vec!["--code", &source], vec!["plain.py"], vec!["bom.py"]] {
            let pi = json(&place).args(program);
            let pi = locale
                .iter()
                .fold(pi, |pi, (name, value)| pi.env(name, value));
            let ran = Ran::of(pi).exited(1).complained("ValueError: Ω");
            ran.printed(&format!("{text}\nutf-8 utf-8 utf-8 utf-8\n{text}\n"));
        }
    }
}

#[test]
fn a_full_environment_is_no_obstacle() {
    let place = place();
    let mut pi = code(
        &place,
        "import os; print(sum(len(v) for k, v in os.environ.items() if k.startswith('V')))",
    );
    for number in 0..400 {
        pi = pi.env(format!("V{number}"), "v".repeat(4096));
    }
    Ran::of(pi).exited(0).printed(&format!("{}\n", 400 * 4096));
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_unicode_passes_as_it_is() {
    use std::os::unix::ffi::OsStringExt;
    let value = std::ffi::OsString::from_vec(b"a\xff\xfe".to_vec());
    let pi = code(&place(), "import os; print(os.environb[b'ODD'])");
    Ran::of(pi.env("ODD", value))
        .exited(0)
        .printed("b'a\\xff\\xfe'\n");
}
