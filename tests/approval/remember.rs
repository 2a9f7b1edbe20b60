//! Questions and answers that outlive a run: `pi approvals`, `--approve`.

use std::path::PathBuf;

use pi_python::approval::decide::{Case, Grant};
use pi_python::approval::{Category, Finding, Question, Script, Span, Subject};
use pi_python::progress::Silent;
use pi_python::provision;
use pi_python::settings::{Environment, Settings};

use crate::python::runs::{Ran, code, json, place, used_place};
use crate::support::{Output, Place};

/// The settings of a run in this place.
fn settings(place: &Place) -> Settings {
    let mut environment = Environment::default();
    environment.set("PI_CODING_AGENT_DIR", place.agent());
    environment.set("PI_PYTHON", &crate::support::python::real().path);
    environment.set("HOME", place.home());
    Settings::resolve(environment, place.cwd())
}

pub(super) fn finding(message: &str, line: u32, columns: (u32, u32)) -> Finding {
    Finding {
        rule: "PI100".to_owned(),
        category: Category::Delete,
        message: message.to_owned(),
        help: "keep it".to_owned(),
        file: None,
        span: Span {
            line,
            column: columns.0,
            end_line: line,
            end_column: columns.1,
        },
    }
}

/// The question that is open after the guard stopped this program: code, or a script in the place's directory.
pub(super) fn stopped(place: &Place, code: &str, script: Option<&str>, found: Finding) -> Question {
    let settings = settings(place);
    let interpreter = provision::ensure(&settings, &Silent).expect("the place has a Python");
    let named = script.map(PathBuf::from);
    let path = script.map(|name| place.cwd().join(name));
    let cwd = place.cwd();
    let subject = Subject {
        code: code.as_bytes(),
        script: named
            .as_deref()
            .zip(path.as_deref())
            .map(|(named, path)| Script { path, named }),
        args: &[],
        variables: &[],
        reads_stdin: false,
        cwd: &cwd,
        python: &interpreter.path,
        version: &interpreter.version,
        imports: &[],
    };
    let case = Case::of(subject, Vec::new(), &settings);
    let (question, notices) = case.stopped(&Grant::default(), vec![found]);
    assert_eq!(notices, Vec::<String>::new());
    question
}

const PROGRAM: &str = "import shutil\n\nprint('ran')\n";

fn stopped_program(place: &Place) -> String {
    let found = finding("deletes `/srv/data`", 3, (1, 6));
    stopped(place, PROGRAM, None, found).id.to_string()
}

fn approvals(place: &Place, args: &[&str]) -> Output {
    let pi = place.pi().arg("approvals").args(args.iter().copied());
    pi.stderr_any().code(0)
}

#[track_caller]
fn status(place: &Place) -> String {
    let listed = approvals(place, &["list", "--json"]).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    listed[0]["status"].as_str().unwrap().to_owned()
}

#[test]
fn a_run_about_which_nothing_was_asked_leaves_nothing() {
    let place = place();
    Ran::of(code(&place, PROGRAM)).exited(0);
    assert!(!place.agent_file("state/approvals").exists());
    approvals(&place, &["list"]);
    assert_eq!(approvals(&place, &["list", "--json"]).stdout, "[]\n");
    assert!(!place.agent_file("state/approvals").exists());
}

#[test]
fn what_was_asked_is_listed_shown_granted_and_taken_back() {
    let place = place();
    let id = stopped_program(&place);
    assert_eq!(id.len(), 20);
    let listed = approvals(&place, &["list"]).stdout;
    assert!(
        listed.contains(&id) && listed.contains("pending"),
        "{listed}"
    );
    let shown = approvals(&place, &["show", &id[..6]]).stdout;
    for part in [
        "PI100 delete: deletes `/srv/data`",
        "<code>:3:1",
        "3 | print('ran')\n  | ^^^^^",
        "help: keep it",
        "1 | import shutil",
        &*place.cwd().to_string_lossy(),
        &id,
        "pending",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let shown = approvals(&place, &["show", &id, "--json"]).json();
    assert_eq!(shown["status"], "pending");
    assert_eq!(shown["findings"][0]["category"], "delete");
    assert_eq!(shown["subject"].as_str().unwrap().len(), 64);
    assert!(shown["id"].as_str().unwrap().starts_with(&id));

    approvals(&place, &["grant", &id[..8]]);
    assert_eq!(status(&place), "once");
    approvals(&place, &["grant", &id, "--always"]);
    assert_eq!(status(&place), "always");
    approvals(&place, &["revoke", &id]);
    assert_eq!(approvals(&place, &["list"]).stdout, "");
    let gone = place.pi().args(["approvals", "grant", &id]);
    gone.stderr_has("no approval has an id that begins with")
        .code(125);
}

#[test]
fn a_grant_is_used_up_by_the_run_that_it_was_for() {
    let place = used_place();
    let id = stopped_program(&place);
    approvals(&place, &["grant", &id]);
    // Other code, other arguments: another run.
    Ran::of(code(&place, "print('ran')")).exited(0);
    Ran::of(code(&place, PROGRAM).args(["--", "x"])).exited(0);
    assert_eq!(status(&place), "once");
    Ran::of(code(&place, PROGRAM)).exited(0).printed("ran\n");
    assert_eq!(status(&place), "used");
    approvals(&place, &["grant", &id, "--always"]);
    for _ in 0..2 {
        Ran::of(code(&place, PROGRAM)).exited(0);
    }
    assert_eq!(status(&place), "always");
}

#[test]
fn an_id_on_the_command_line_has_to_fit_the_run() {
    let place = used_place();
    let id = stopped_program(&place);
    let other = stopped(&place, "pass", None, finding("deletes", 1, (1, 5)));
    let other = other.id.to_string();
    for wrong in [
        &other,
        "0123456789abcdef0123",
        &id[..19],
        &id.to_uppercase()
            .replace(|each: char| each.is_ascii_digit(), "A"),
    ] {
        let ran = Ran::of(code(&place, PROGRAM).args(["--approve", wrong]));
        ran.output.ended_with(126);
        assert_eq!(ran.status, "denied", "{ran}");
        assert!(ran.notices[0].contains("does not fit"), "{ran}");
        assert_eq!(ran.stdout.text, "", "{ran}");
    }
    let both = code(&place, PROGRAM).args(["--approve", &id, "--approve", &other]);
    assert_eq!(Ran::of(both).status, "denied");
    let in_text = place
        .pi()
        .args(["python", "--approve", &other, "-c", PROGRAM]);
    in_text.stdout("").stderr_has("error: `--approve").code(126);
    Ran::of(code(&place, PROGRAM).args(["--approve", &id]))
        .exited(0)
        .printed("ran\n");
}

#[test]
fn a_script_is_known_by_its_content_and_place() {
    let place = used_place();
    place.write("cwd/job.py", PROGRAM);
    let found = finding("deletes", 3, (1, 6));
    let id = stopped(&place, PROGRAM, Some("job.py"), found)
        .id
        .to_string();
    approvals(&place, &["grant", &id]);
    place.write("cwd/copy.py", PROGRAM);
    Ran::of(json(&place).arg("copy.py")).exited(0);
    place.write("cwd/job.py", format!("{PROGRAM}#"));
    Ran::of(json(&place).arg("job.py")).exited(0);
    assert_eq!(status(&place), "once");
    let changed = Ran::of(json(&place).args(["--approve", &id, "job.py"]));
    assert_eq!(changed.status, "denied", "{changed}");
    place.write("cwd/job.py", PROGRAM);
    Ran::of(json(&place).arg("job.py")).exited(0);
    assert_eq!(status(&place), "used");
}

#[test]
fn a_program_that_pi_runs_approves_nothing() {
    let place = used_place().with("PI_PYTHON_TOOL", "1");
    let id = stopped_program(&place);
    let ran = Ran::of(code(&place, PROGRAM).args(["--approve", &id]));
    ran.output.ended_with(126);
    assert_eq!(ran.status, "denied", "{ran}");
    let grant = place.pi().args(["approvals", "grant", &id]);
    grant.stderr_has("a program can't approve itself").code(126);
    assert_eq!(status(&place), "pending");
}

#[test]
fn what_is_broken_is_named_and_grants_nothing() {
    let place = used_place();
    let id = stopped_program(&place);
    approvals(&place, &["grant", &id, "--always"]);
    let files = place.agent_files();
    let record = files
        .iter()
        .find(|path| {
            path.extension().is_some_and(|kind| kind == "json") && {
                path.starts_with("state/approvals")
            }
        })
        .expect("a question");
    place.write(place.agent().join(record), "{");
    let ran = Ran::of(code(&place, PROGRAM)).exited(0);
    assert!(ran.notices[0].contains("is ignored: it is broken"), "{ran}");
    let listed = place.pi().args(["approvals", "list"]);
    listed
        .stdout("")
        .stderr_has("warning: the approval in")
        .code(0);
}

#[test]
fn what_is_shown_hides_nothing() {
    let place = place();
    let code = format!(
        "x = '\u{1b}[2K\u{202e}'\n{}print('far')\n{}boom()\n",
        "\n".repeat(10_000),
        "y; ".repeat(200)
    );
    let found = finding("deletes `a\u{1b}[1Ab`", 10_003, (601, 607));
    let id = stopped(&place, &code, None, found).id.to_string();
    let shown = approvals(&place, &["show", &id]).stdout;
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
    assert!(shown.contains("'\\u{1b}[2K\\u{202e}'"), "{shown}");
    assert!(shown.contains("… 10000 blank lines"), "{shown}");
    assert!(
        shown.contains("boom()\n") && shown.contains("^^^^^^\n"),
        "{shown}"
    );
    assert!(shown.lines().count() < 40, "{shown}");
}
