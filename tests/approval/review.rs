//! `pi review`: verdict, reasons and findings, through the binary.

use serde_json::Value;

use crate::support::{Pi, Place};

/// A place with files that a program may want to delete.
fn place() -> Place {
    let place = Place::new();
    for name in ["x", "out.txt", "old/file"] {
        place.write(format!("cwd/{name}"), "keep");
    }
    place
}

/// Reviews code on standard input and answers with the JSON.
#[track_caller]
fn review(place: &Place, source: &str, code: i32) -> Value {
    let pi = place.pi().args(["review", "--json", "-"]).stdin(source);
    pi.code(code).json()
}

/// The rules of the findings, in order.
fn rules(json: &Value) -> Vec<&str> {
    let findings = json["findings"].as_array().expect("findings");
    let rules = findings.iter().map(|finding| &finding["rule"]);
    rules.map(|rule| rule.as_str().expect("a code")).collect()
}

#[test]
fn the_three_verdicts_and_their_exit_codes() {
    let place = place();
    let read = review(&place, "print(sum(range(3)))\n", 0);
    assert_eq!(read["verdict"], "readOnly", "{read}");
    assert_eq!(read["reasons"].as_array().map(Vec::len), Some(0), "{read}");

    let write = review(&place, "\nopen('out.txt', 'w').write('x')\n", 0);
    assert_eq!(write["verdict"], "scopedWrite", "{write}");
    assert_eq!(write["reasons"][0], "writes files (line 2)", "{write}");

    let delete = review(&place, "import os\n\nos.remove('out.txt')\n", 126);
    assert_eq!(delete["verdict"], "approvalRequired", "{delete}");
    assert_eq!(
        delete["findings"][0],
        serde_json::json!({
            "rule": "PI101",
            "category": "delete",
            "message": "deletes the file `out.txt` in the workspace",
            "help": delete["findings"][0]["help"],
            "line": 3,
            "column": 1,
            "endLine": 3,
            "endColumn": 21,
        })
    );
}

#[test]
fn a_direct_spelling_and_a_disguised_one_get_the_same_verdict() {
    let place = Place::new();
    place.write("tmp/victim/a.txt", "keep");
    let victim = place.tmp().join("victim");
    for code in [
        "from shutil import rmtree as tidy\ntidy(VICTIM)",
        "import os\ngetattr(os, 'unl' + 'ink')(VICTIM + '/a.txt')",
        "from builtins import open as op\nop(VICTIM + '/a.txt', 'w').close()",
        "import importlib\nimportlib.import_module('o' + 's').truncate(VICTIM + '/a.txt', 0)",
    ] {
        let source = format!("VICTIM = {victim:?}\n{code}\n");
        let json = review(&place, &source, 126);
        assert_eq!(rules(&json).len(), 1, "{source}\n{json}");
    }
}

#[test]
fn words_in_strings_comments_and_methods_are_no_deeds() {
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
    let json = review(&Place::new(), source, 0);
    assert_eq!(json["verdict"], "readOnly", "{json}");
}

#[cfg(unix)]
#[test]
fn a_message_names_the_real_target() {
    let place = Place::new();
    place.write("outside/sub/x", "");
    place.write("cwd/build/x", "");
    std::os::unix::fs::symlink(place.path().join("outside"), place.cwd().join("cache")).unwrap();
    let message = |source: &str| {
        let json = review(&place, source, 126);
        json["findings"][0]["message"].as_str().unwrap().to_owned()
    };
    let linked = message("import shutil\nshutil.rmtree('cache/sub')");
    let real = place.path().join("outside/sub").display().to_string();
    assert!(
        linked.contains(&real) && linked.contains("outside the workspace"),
        "{linked}"
    );
    let home = message(
        "import os, shutil\nshutil.rmtree(os.path.join(os.path.expanduser('~'), '.config'))",
    );
    let real = place.home().join(".config").display().to_string();
    assert!(home.contains(&real), "{home}");
    let variables =
        message("import os, shutil\nshutil.rmtree(os.path.expandvars('${HOME}/../outside'))");
    let real = place.path().join("outside").display().to_string();
    assert!(
        variables.contains(&real) && variables.contains("outside the workspace"),
        "{variables}"
    );
    let ordinary = message("import shutil\nshutil.rmtree('build')");
    assert_eq!(ordinary, "deletes the tree `build` in the workspace");
}

#[cfg(unix)]
#[test]
fn removing_a_link_is_about_the_link() {
    let place = Place::new();
    place.write("outside/x", "");
    std::os::unix::fs::symlink(place.path().join("outside"), place.cwd().join("link")).unwrap();
    let json = review(&place, "import os\nos.unlink('link')", 126);
    let message = json["findings"][0]["message"].as_str().unwrap();
    assert_eq!(message, "deletes the file `link` in the workspace");
}

#[test]
fn what_a_script_imports_from_its_workspace_is_reviewed() {
    let place = place();
    place.write("cwd/job.py", "from tools import files\nfiles.wipe('old')\n");
    place.write("cwd/tools/__init__.py", "");
    place.write(
        "cwd/tools/files.py",
        "from .deep import rm\n\n\ndef wipe(path):\n    rm(path)\n\n\ndef unused():\n    import os\n    os.system('ls')\n",
    );
    place.write("cwd/tools/deep.py", "from shutil import rmtree as rm\n");
    let output = place.pi().args(["review", "--json", "job.py"]).code(126);
    let json = output.json();
    assert_eq!(rules(&json), ["PI103"], "{json}");
    let finding = &json["findings"][0];
    let file = finding["file"].as_str().unwrap();
    assert!(file.ends_with("files.py"), "{finding}");
    assert_eq!(finding["line"], 5, "{finding}");
    let files: Vec<&str> = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(files.len(), 3, "{json}");
    // What no byte was in has the digest of nothing.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(json["files"][0]["sha256"], empty, "{json}");
}

#[test]
fn modules_that_import_each_other_are_read_once() {
    let place = place();
    place.write("cwd/job.py", "import one, two\n");
    place.write("cwd/one.py", "import two\nfrom two import *\nx = 1\n");
    place.write(
        "cwd/two.py",
        "import one\nfrom one import *\nimport os\nos.remove('x')\n",
    );
    let output = place.pi().args(["review", "--json", "job.py"]).code(126);
    let json = output.json();
    assert_eq!(rules(&json), ["PI101"], "{json}");
    assert_eq!(json["files"].as_array().map(Vec::len), Some(2), "{json}");
}

#[test]
fn a_file_beside_the_script_hides_the_standard_library_but_not_what_is_loaded() {
    let place = place();
    place.write("cwd/shutil.py", "def rmtree(path):\n    return path\n");
    place.write("cwd/os.py", "def remove(path):\n    return path\n");
    let hidden = review(&place, "import shutil\nshutil.rmtree('x')\n", 0);
    assert_eq!(
        hidden["files"].as_array().map(Vec::len),
        Some(1),
        "{hidden}"
    );
    let loaded = review(&place, "import os\nos.remove('x')\n", 126);
    assert_eq!(rules(&loaded), ["PI101"], "{loaded}");
}

#[test]
fn the_code_is_framed() {
    let place = place();
    place.write(
        "cwd/a.py",
        "import os\n\nif True:\n    os.remove('x')  # now\n",
    );
    place
        .pi()
        .args(["review", "a.py"])
        .stdout_has("PI101 delete: deletes the file `x` in the workspace\n --> a.py:4:5\n")
        .stdout_has("4 |     os.remove('x')  # now\n  |     ^^^^^^^^^^^^^^\n")
        .stdout_has("  = help: ")
        .stdout_has("verdict: approval required\n- it deletes what it did not make (line 4)\n")
        .code(126);
}

#[test]
fn what_a_terminal_would_hide_is_visible() {
    let source = format!(
        "import os{}os.remove('/\u{1b}[2J\u{202e}x'); '\u{1b}[1A'",
        "\n".repeat(10_000)
    );
    let output = Pi::new().args(["review", "-"]).stdin(source).code(126);
    let text = output.stdout;
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    assert!(text.contains(r"\u{1b}[2J\u{202e}x"), "{text}");
    assert!(text.lines().count() < 20, "{text}");
    assert!(text.contains("<stdin>:10001:1"), "{text}");
}

#[test]
fn code_that_python_refuses_is_left_to_python() {
    let place = Place::new();
    for source in ["os.remove(", "print 'x'; os.remove('y')", "\u{0}"] {
        let json = review(&place, source, 0);
        assert_eq!(json["verdict"], "scopedWrite", "{json}");
        let reason = json["reasons"][0].as_str().unwrap();
        assert!(reason.starts_with("it does not parse: "), "{json}");
    }
    let pi = place
        .pi()
        .args(["review", "--json", "-"])
        .stdin(b"x = '\xe9'");
    let json = pi.code(0).json();
    assert_eq!(json["verdict"], "scopedWrite", "{json}");
}

#[test]
fn another_directory_can_be_asked_about() {
    let place = Place::new();
    place.write("other/.git/HEAD", "");
    place.write("other/src/a.py", "open('../out.txt', 'w')\n");
    let other = place.path().join("other/src");
    let pi = place.pi().args(["review", "--json", "a.py", "--cwd"]);
    let json = pi.arg(other).code(0).json();
    assert_eq!(json["verdict"], "scopedWrite", "{json}");
}

#[test]
fn what_can_not_be_read_is_wrong_usage() {
    Pi::new()
        .args(["review", "nowhere.py"])
        .stderr_has("error: can't read `nowhere.py`: ")
        .code(2);
}

/// Files that a Python on this machine brings: its standard library with the library's own tests.
#[cfg(unix)]
fn library() -> Vec<std::path::PathBuf> {
    use crate::support::{files_below, python::real};
    let ask = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    let output = std::process::Command::new(&real().path)
        .args(["-I", "-c", ask])
        .output()
        .unwrap();
    let root = std::path::PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
    let names = files_below(&root).into_iter().filter(|path| {
        path.extension().is_some_and(|extension| extension == "py")
            && !path
                .components()
                .any(|part| part.as_os_str() == "site-packages")
    });
    names.map(|path| root.join(path)).collect()
}

/// Every source that comes with Python: none brings the review down.
#[cfg(unix)]
#[test]
fn the_whole_standard_library_is_reviewed() {
    use pi_python::approval::Workspace;
    use pi_python::approval::review::{Context, Disk, review};
    use pi_python::settings::{Environment, Settings};

    let place = Place::new();
    let mut environment = Environment::of_this_process();
    environment.set("PI_CODING_AGENT_DIR", place.agent());
    let settings = Settings::resolve(environment, place.cwd());
    let workspace = Workspace::of(&place.cwd(), &settings);
    let cwd = place.cwd();
    let mut count = 0;
    for path in library() {
        let Ok(source) = std::fs::read(&path) else {
            continue;
        };
        let context = Context {
            workspace: &workspace,
            cwd: &cwd,
            file: None,
            files: &Disk,
        };
        let review = review(&source, &context);
        for finding in &review.findings {
            assert!(finding.span.line > 0, "{}: {finding:?}", path.display());
        }
        count += 1;
    }
    eprintln!("{count} files");
    assert!(count > 200, "only {count} files were found");
}
