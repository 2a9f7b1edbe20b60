//! What lies about in the caller's directory, or hangs in its environment, does not steer pi.

use std::path::PathBuf;

use super::Setup;
use crate::support::artifacts::{self, FakeUv};
use crate::support::python::{impostor, real};
use crate::support::{Pi, Place};

#[track_caller]
fn interpreter_of(run: Pi) -> PathBuf {
    let output = run.code(0);
    PathBuf::from(output.json()["python"]["path"].as_str().expect("a path"))
}

fn run(place: &Place) -> Pi {
    place.pi().args([
        "--offline",
        "--quiet",
        "python",
        "--json",
        "--code",
        "print(1)",
    ])
}

/// Somebody's project, in a directory above the caller's.
fn hostile_project(place: &Place) {
    for dir in ["cwd", "cwd/deep/er"] {
        place.write(
            format!("{dir}/uv.toml"),
            "python-downloads = \"never\"\npython-preference = \"only-managed\"\n",
        );
        place.write(format!("{dir}/.python-version"), "3.8\n");
        place.write(format!("{dir}/.python-versions"), "3.8\n");
        place.write(format!("{dir}/pyproject.toml"), "= this is not TOML [[[\n");
        place.script(format!("{dir}/.venv/bin/python"), &impostor((3, 99, 0)));
        place.write(
            format!("{dir}/.venv/pyvenv.cfg"),
            "home = /nowhere\nversion = 3.99.0\n",
        );
        place.write(format!("{dir}/.env"), "UV_PYTHON=3.8\n");
        for module in [
            "json",
            "os",
            "sys",
            "site",
            "sitecustomize",
            "usercustomize",
            "platform",
            "encodings",
        ] {
            place.write(
                format!("{dir}/{module}.py"),
                "raise RuntimeError('shadow ' + __name__)\n",
            );
        }
    }
}

#[test]
fn a_project_does_not_choose_the_interpreter() {
    for uv in [None, Some(artifacts::real_uv_file())] {
        let mut found = Vec::new();
        for dir in ["", "cwd", "cwd/deep/er", "elsewhere"] {
            let place = Place::new();
            if let Some(uv) = uv {
                place.link("uv", uv);
            }
            place.link("python3", &real().path);
            hostile_project(&place);
            std::fs::create_dir(place.path().join("elsewhere")).unwrap();
            found.push(interpreter_of(run(&place).cwd(dir)));
        }
        assert!(found.iter().all(|path| *path == real().path), "{found:?}");
    }
}

#[test]
fn a_project_does_not_forbid_the_installation() {
    let mut place = Place::new();
    let server = crate::support::http::Server::new();
    artifacts::serve_python(&mut place, &server);
    place.link("uv", artifacts::real_uv_file());
    hostile_project(&place);
    let output = place
        .pi()
        .args([
            "--quiet",
            "python",
            "--code",
            "import sys; print(sys.executable)",
        ])
        .cwd("cwd/deep/er")
        .code(0);
    let runtimes = place.agent_file("runtimes/python");
    assert!(
        output.stdout.starts_with(runtimes.to_str().unwrap()),
        "{output}"
    );
}

#[test]
fn a_callers_environment_does_not_choose_the_interpreter() {
    for uv in [None, Some(artifacts::real_uv_file())] {
        let place = Place::new();
        if let Some(uv) = uv {
            place.link("uv", uv);
        }
        place.link("python3", &real().path);
        place.script("venv/bin/python", &impostor((3, 99, 0)));
        place.write("venv/pyvenv.cfg", "home = /nowhere\n");
        let venv = place.path().join("venv");
        let found = interpreter_of(
            run(&place)
                .env("VIRTUAL_ENV", &venv)
                .env("CONDA_PREFIX", &venv)
                .env("UV_PROJECT_ENVIRONMENT", &venv)
                .env("UV_PYTHON", "3.8")
                .env("UV_PROJECT", "/nowhere")
                .env("UV_WORKING_DIR", "/nowhere")
                .env("UV_ENV_FILE", "/nowhere/.env")
                .env("PYTHONHOME", "/nowhere")
                .env("PYTHONSTARTUP", "/nowhere/startup.py")
                .env("PYTHONPATH", place.path().join("nowhere"))
                .env("PYTHONINSPECT", "1"),
        );
        assert_eq!(found, real().path);
    }
}

#[test]
fn what_the_user_set_on_purpose_reaches_uv() {
    let place = Place::new();
    let seen = place.path().join("seen");
    let script = FakeUv::new()
        .installs()
        .first(&format!(
            "case \"$*\" in *install*) env > '{}' ;; esac",
            seen.display()
        ))
        .script();
    place.script("bin/uv", &script);
    place
        .pi()
        .arg("provision")
        .env("UV_PYTHON_INSTALL_MIRROR", "file:///srv/python")
        .env("UV_ASTRAL_MIRROR_URL", "http://mirror.invalid")
        .env("HTTPS_PROXY", "http://proxy.invalid:1")
        .env("VIRTUAL_ENV", "/some/venv")
        .env("PIP_INDEX_URL", "http://index.invalid/simple")
        .stderr_any()
        .code(0);
    let seen = std::fs::read_to_string(seen).expect("uv was asked to install");
    for line in [
        "UV_PYTHON_INSTALL_MIRROR=file:///srv/python",
        "UV_ASTRAL_MIRROR_URL=http://mirror.invalid",
        "HTTPS_PROXY=http://proxy.invalid:1",
        "UV_PYTHON_INSTALL_BIN=0",
        "UV_PYTHON_INSTALL_REGISTRY=0",
    ] {
        assert!(
            seen.lines().any(|other| other == line),
            "{line} is missing in:\n{seen}"
        );
    }
    let inside = |name: &str| {
        let dir = seen
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_default();
        assert!(
            dir.starts_with(place.agent().to_str().unwrap()),
            "{name}{dir}"
        );
    };
    inside("UV_PYTHON_INSTALL_DIR=");
    inside("UV_CACHE_DIR=");
    assert!(!seen.contains("VIRTUAL_ENV="), "{seen}");
    assert!(
        seen.contains("UV_SYSTEM_CERTS=") || seen.contains("UV_NATIVE_TLS="),
        "uv trusts what pi trusts:\n{seen}"
    );
}

#[test]
fn uvs_own_words_reach_the_error_and_are_bounded() {
    let place = Place::new();
    let script = FakeUv::new()
        .helpless()
        .first(
            "case \"$*\" in *install*) i=0; while [ $i -lt 3000 ]; do echo \"line $i of many many words\" >&2; i=$((i+1)); done\n\
             echo 'error: the disk is on fire' >&2; exit 1 ;; esac",
        )
        .script();
    place.script("bin/uv", &script);
    let output = place.pi().arg("provision").stderr_any().code(127);
    output.says(&["the disk is on fire", "python install"]);
    assert!(
        output.stderr.len() < 16_000,
        "{} bytes",
        output.stderr.len()
    );
}

#[test]
fn odd_names_in_every_path_are_carried_exactly() {
    let name = "Пользователь é 空 格 'q' $x #&;";
    let setup = Setup::at(Place::named(name), FakeUv::new().installs().release());
    setup.provision(&[]).code(0);
    setup.assert_placed();
    let script = setup.place.write(
        format!("cwd/{name}.py"),
        "import os, sys\nprint(os.getcwd())\nprint(sys.argv)\n",
    );
    let output = setup
        .place
        .pi()
        .args(["python", "--json"])
        .arg(&script)
        .arg("ärg")
        .code(0);
    let json = output.json();
    assert_eq!(json["cwd"], setup.place.cwd().to_str().unwrap());
    let lines: Vec<&str> = json["stdout"]["text"].as_str().unwrap().lines().collect();
    assert_eq!(lines[0], setup.place.cwd().to_str().unwrap());
    assert!(
        lines[1].contains("ärg") && lines[1].contains("空 格"),
        "{}",
        lines[1]
    );
    let python = json["python"]["path"].as_str().unwrap();
    assert!(
        python.starts_with(setup.place.agent().to_str().unwrap()),
        "{python}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_whose_name_is_not_unicode_works() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    place.link("python3", &real().path);
    let name = std::ffi::OsStr::from_bytes(b"bad\xff");
    let dir = place.path().join(name);
    std::fs::create_dir(&dir).unwrap();
    let output = place
        .pi()
        .args(["--offline", "--quiet", "python", "--json", "--code"])
        .arg("import os; print(os.listdir('..') != [], os.getcwdb()[-4:])")
        .cwd(&dir)
        .code(0);
    let json = output.json();
    assert_eq!(json["stdout"]["text"], "True b'bad\\xff'\n");
    assert!(json["cwd"].as_str().unwrap().contains("bad"), "{output}");
    // And the agent directory, too.
    place
        .pi()
        .args(["--offline", "--quiet", "python", "--code", "print(42)"])
        .env("PI_CODING_AGENT_DIR", dir.join("agent"))
        .stdout("42\n")
        .code(0);
}

#[test]
fn a_very_deep_directory_works() {
    let place = Place::new();
    place.link("python3", &real().path);
    let deep: PathBuf = std::iter::repeat_n("d".repeat(60), 6).collect();
    std::fs::create_dir_all(place.cwd().join(&deep)).unwrap();
    place
        .pi()
        .args([
            "--offline",
            "--quiet",
            "python",
            "--code",
            "import os; print(len(os.getcwd()) > 300)",
        ])
        .cwd(place.cwd().join(deep))
        .stdout("True\n")
        .code(0);
}

#[test]
fn hints_are_about_what_was_asked_for() {
    let never = FakeUv::new().helpless();
    let place = Place::new();
    place.script("bin/uv", &never.script());
    let output = place
        .pi()
        .args(["python", "--python", "3.99", "--code", "1"])
        .env("UV_PYTHON_DOWNLOADS", "never")
        .stderr_any()
        .code(127);
    output
        .says(&[
            "install Python 3.99 so that PATH has it",
            "hint: `UV_PYTHON_DOWNLOADS=never` keeps uv from installing",
        ])
        .lacks(&["3.10 or newer"]);
}

#[test]
fn what_uv_says_fills_no_note() {
    let place = Place::new();
    place.link("python3", &crate::support::python::real().path);
    let chatter = "case \"$*\" in *find*) for i in 1 2 3 4 5 6 7 8 9; do echo \"chatter chatter chatter chatter \
                   chatter chatter $i\" >&2; done; exit 3 ;; esac";
    place.script("bin/uv", &FakeUv::new().first(chatter).script());
    let output = place
        .pi()
        .args(["python", "--code", "print(6 * 7)"])
        .stdout("42\n")
        .stderr_any()
        .code(0);
    output.says(&["uv's own search is not used"]);
    for line in output.stderr.lines() {
        assert!(line.starts_with("note: "), "{output}");
        assert!(line.chars().count() < 260, "{output}");
    }
}
