//! Approval from end to end: the review, the guard, the answer and the run, through the binary.

use std::fs;

use serde_json::Value;

use crate::python::runs::{Ran, code, json};
use crate::support::Place;
use crate::support::python::real;

/// A place with a workspace, and things in and beside it that are to stay.
fn place() -> Place {
    let place = Place::new().with("PI_PYTHON", &real().path);
    fs::create_dir(place.cwd().join(".git")).expect("writable");
    for file in [
        "cwd/a.txt",
        "cwd/tree/b.txt",
        "outside/c.txt",
        "outside/sub/d.txt",
    ] {
        place.write(file, "keep\n");
    }
    place
}

#[track_caller]
fn all_is_there(place: &Place) {
    for file in [
        "cwd/a.txt",
        "cwd/tree/b.txt",
        "outside/c.txt",
        "outside/sub/d.txt",
    ] {
        let content = fs::read_to_string(place.path().join(file));
        assert_eq!(content.ok().as_deref(), Some("keep\n"), "{file}");
    }
}

/// The program needs approval, and nothing of it happened.
#[track_caller]
fn is_stopped(place: &Place, source: &str) -> Vec<Value> {
    let ran = Ran::of(code(place, source)).was("approval_required", None, 126);
    all_is_there(place);
    let approval = ran.approval.clone().expect("there is a question");
    let findings = approval["findings"].as_array().expect("a list").clone();
    assert!(!findings.is_empty(), "{ran}");
    findings
}

fn id(ran: &Ran) -> String {
    let approval = ran.approval.as_ref().expect("there is a question");
    approval["id"].as_str().expect("text").to_owned()
}

#[test]
fn every_spelling_of_a_deletion_gets_the_same_answer() {
    for source in [
        "import shutil; shutil.rmtree('tree')",
        "from shutil import rmtree as tidy\ntidy('tree')",
        "import os\ngetattr(os, 'unl' + 'ink')('a.txt')",
        "import importlib\nimportlib.import_module('o' + 's').truncate('../outside/c.txt', 0)",
        "from builtins import open as op\nop('../outside/c.txt', 'w').close()",
        "import sys\nsys.modules['posix'].unlink(''.join(['a', '.txt']))",
        "import base64\nexec(base64.b64decode('aW1wb3J0IG9zOyBvcy5yZW1vdmUoImEudHh0Iik='))",
        "import pathlib, glob\nfor name in glob.glob('tr*'):\n    for file in pathlib.Path(name).iterdir(): file.unlink()",
    ] {
        let findings = is_stopped(&place(), source);
        let category = findings[0]["category"].as_str().expect("text");
        assert!(
            matches!(category, "delete" | "outside"),
            "{source}: {category}"
        );
    }
}

#[test]
fn a_question_names_the_real_target() {
    let place = place();
    let outside = place.path().join("outside");
    std::os::unix::fs::symlink(&outside, place.cwd().join("cache")).expect("writable");
    let hidden =
        "import os, shutil\nshutil.rmtree(os.path.join(os.environ['HOME'], '..', 'outside'))";
    for source in ["import shutil\nshutil.rmtree('cache/sub')", hidden] {
        let findings = is_stopped(&place, source);
        let text = Value::from(findings).to_string();
        assert!(text.contains(&outside.display().to_string()), "{text}");
        assert!(text.contains("outside the workspace"), "{text}");
    }
    let findings = is_stopped(&place, "import shutil\nshutil.rmtree('tree')");
    let text = Value::from(findings).to_string();
    assert!(!text.contains("outside the workspace"), "{text}");
}

#[test]
fn words_that_look_dangerous_are_not_stopped() {
    let source = r#"
import re
note = "never run rm -rf / and never shutil.rmtree('/')"   # os.remove(...) is banned
print(re.compile(r"rm\s+-rf|DROP TABLE|exec\(").findall(note))
class Q:
    def exec(self, s): return s
    def remove(self, s): return s
    def unlink(self): return "method"
print(Q().exec("DROP TABLE t"), Q().remove("x"), Q().unlink(), [1, 2].remove(1))
print({"system": 1}["system"])
"#;
    Ran::of(code(&place(), source))
        .exited(0)
        .printed("['rm -rf']\nDROP TABLE t x method None\n1\n");
}

#[test]
fn what_was_printed_before_the_guard_stopped_is_returned() {
    let place = place();
    let source =
        "import os\nprint('so far')\nvars(os)[''.join(reversed('evomer'))]('a.txt')\nprint('on')";
    let ran = Ran::of(code(&place, source)).was("approval_required", None, 126);
    all_is_there(&place);
    let target = place.cwd().join("a.txt").display().to_string();
    let approval = ran
        .approval
        .clone()
        .expect("there is a question")
        .to_string();
    assert!(approval.contains(&target), "{approval}");
    ran.printed("so far\n");
}

#[test]
fn an_answer_is_for_the_same_code_in_the_same_place() {
    let place = place();
    let source = "import os\nos.remove('a.txt')\nprint('done')";
    let asked = Ran::of(code(&place, source)).was("approval_required", None, 126);
    let id = id(&asked);
    place
        .pi()
        .args(["approvals", "grant", "--always", &id])
        .stderr_any()
        .code(0);
    place.write("other/a.txt", "keep\n");
    let other = place.path().join("other");
    for pi in [
        code(&place, "import os\nos.remove('tree/b.txt')\nprint('done')"),
        code(&place, &format!("{source}\nprint(1)")),
        code(&place, source).args(["--"]).arg("argument"),
        code(&place, source).arg("--cwd").arg(&other),
    ] {
        Ran::of(pi).was("approval_required", None, 126);
    }
    all_is_there(&place);
    // While it holds nothing is asked again, however often it runs.
    for _ in 0..3 {
        Ran::of(code(&place, source)).exited(0).printed("done\n");
        assert!(!place.cwd().join("a.txt").exists());
        place.write("cwd/a.txt", "keep\n");
    }
    place
        .pi()
        .args(["approvals", "revoke", &id])
        .stderr_any()
        .code(0);
    Ran::of(code(&place, source)).was("approval_required", None, 126);
    all_is_there(&place);
}

#[test]
fn a_yes_lifts_what_was_shown_and_no_more() {
    let place = place();
    // The review sees the deletion; what the text does, only the guard.
    let source = "import os\nos.remove('a.txt')\nos.truncate('../outside/' + chr(99) + '.txt', 0)";
    let asked = Ran::of(code(&place, source)).was("approval_required", None, 126);
    let shown = asked
        .approval
        .clone()
        .expect("there is a question")
        .to_string();
    let more =
        "exec(bytes([111,115,46,115,121,115,116,101,109,40,39,116,111,117,99,104,32,120,39,41]))";
    assert!(shown.contains("delete"), "{shown}");
    let source = format!("import os\nos.remove('a.txt')\n{more}");
    let asked = Ran::of(code(&place, &source)).was("approval_required", None, 126);
    let shown = asked
        .approval
        .clone()
        .expect("there is a question")
        .to_string();
    let id = id(&asked);
    let ran = Ran::of(code(&place, &source).args(["--approve", &id]));
    if !shown.contains("program") {
        ran.was("approval_required", None, 126);
    }
    assert!(
        !place.cwd().join("a.txt").exists(),
        "that much was approved"
    );
    assert!(shown.contains("program") || !place.cwd().join("x").exists());
}

#[test]
fn the_bytes_that_were_reviewed_are_the_bytes_that_run() {
    let place = place();
    // It waits for its own file to be another by the time that it is looked at again.
    let script = place.write(
        "cwd/job.py",
        "import time, pathlib\nme = pathlib.Path(__file__)\nme.write_text('import os; os.remove(\"a.txt\")')\n\
         print('the first bytes ran')\n",
    );
    Ran::of(json(&place).arg("job.py"))
        .exited(0)
        .printed("the first bytes ran\n");
    let changed = fs::read_to_string(&script).expect("readable");
    assert!(changed.starts_with("import os"));
    Ran::of(json(&place).arg("job.py")).was("approval_required", None, 126);
    all_is_there(&place);
}

#[test]
fn every_layer_that_this_machine_has_holds_a_run() {
    let place = place();
    let report = place
        .pi()
        .args(["doctor", "--json", "--no-install"])
        .stderr_any()
        .run()
        .json();
    let checks = report["checks"].as_array().expect("a list");
    let check = checks
        .iter()
        .find(|check| check["id"] == "guard")
        .expect("there is one");
    let detail = check["detail"].as_str().expect("text");
    let ran = Ran::of(code(&place, "pass")).exited(0).without_notices();
    for (layer, name) in [
        ("hook", "hook"),
        ("landlock", "Landlock"),
        ("seccomp", "seccomp"),
        ("supervisor", "supervisor"),
    ] {
        let holds = !matches!(ran.guard[layer], Value::Null | Value::Bool(false));
        assert_eq!(holds, detail.contains(name), "{layer}: {detail}\n{ran}");
    }
    // Native code past the hook meets what is beneath.
    if detail.contains("Landlock") {
        let source = "import ctypes\nprint(ctypes.CDLL(None).truncate(b'../outside/c.txt', 0))";
        let place = place.with("PI_APPROVAL_ALLOW", "native");
        Ran::of(code(&place, source)).exited(0).printed("-1\n");
        all_is_there(&place);
    }
}

#[test]
fn nobody_is_waited_for_where_nobody_can_answer() {
    let place = place();
    let ran = Ran::of(code(&place, "import shutil; shutil.rmtree('tree')"));
    let id = id(&ran);
    ran.was("approval_required", None, 126)
        .noticed(&["nobody to ask"])
        .noticed(&["pi approvals grant", &id]);
    all_is_there(&place);
}

#[test]
fn a_flood_before_the_deed_does_not_hide_it() {
    let place = place();
    let source = format!(
        "import shutil\nx = '\u{1b}[2J\u{202e}'{}shutil.rmtree('tree')",
        "\n".repeat(10_000)
    );
    let ran = Ran::of(code(&place, &source)).was("approval_required", None, 126);
    let shown = place
        .pi()
        .args(["approvals", "show", &id(&ran)])
        .stderr_any()
        .code(0);
    assert!(shown.stdout.contains("shutil.rmtree('tree')"), "{shown}");
    assert!(
        !shown.stdout.contains('\u{1b}') && !shown.stdout.contains('\u{202e}'),
        "{shown}"
    );
    assert!(shown.stdout.lines().count() < 200, "{shown}");
}

#[test]
fn a_read_only_run_writes_nothing_but_temporary_files() {
    let place = place();
    for source in [
        "open('new.txt', 'w')",
        "import os; os.mkdir('new')",
        "import os; os.replace('a.txt', 'new.txt')",
        "exec(''.join(['open(\"a.txt\", \"a', '\")']))",
    ] {
        let ran = Ran::of(code(&place, source).arg("--read-only"));
        ran.was("approval_required", None, 126);
        all_is_there(&place);
        assert!(!place.cwd().join("new").exists() && !place.cwd().join("new.txt").exists());
    }
    let source = "import tempfile\nwith tempfile.NamedTemporaryFile() as file: file.write(b'x')\nprint(open('a.txt').read(), end='')";
    Ran::of(code(&place, source).arg("--read-only"))
        .exited(0)
        .printed("keep\n");
}
