//! Which Python is believed, and what happens when the one that was remembered is another.

use std::path::{Path, PathBuf};

use crate::support::artifacts::{self, FakeUv};
use crate::support::python::{self, impostor, private, real};
use crate::support::{Output, Pi, Place};

/// A run that prints its interpreter, without the network.
fn run(place: &Place) -> Pi {
    place.pi().args([
        "--offline",
        "--quiet",
        "python",
        "--json",
        "--code",
        "print(6 * 7)",
    ])
}

/// The interpreter of such a run, which must succeed.
#[track_caller]
fn interpreter_of(run: Pi) -> PathBuf {
    let output = run.code(0);
    let json = output.json();
    assert_eq!(json["status"], "ok", "{output}");
    assert_eq!(json["stdout"]["text"], "42\n", "{output}");
    PathBuf::from(json["python"]["path"].as_str().expect("a path"))
}

fn remembered(place: &Place) -> String {
    std::fs::read_to_string(place.agent_file("cache/python.json")).expect("it is remembered")
}

fn shim(target: &Path) -> String {
    format!("#!/bin/sh\nexec '{}' \"$@\"\n", target.display())
}

/// Each way in which pi looks for Python: by itself, and through the real uv.
fn each_way(test: impl Fn(&Place)) {
    let place = Place::new();
    test(&place);
    let place = Place::new();
    place.link("uv", artifacts::real_uv_file());
    test(&place);
}

#[test]
fn behind_a_shim_the_real_executable_is_remembered() {
    each_way(|place| {
        place.script("bin/python3", &shim(&real().path));
        assert_eq!(interpreter_of(run(place)), real().path);
        let memory = remembered(place);
        assert!(memory.contains(real().path.to_str().unwrap()), "{memory}");
        assert!(!memory.contains(place.bin().to_str().unwrap()), "{memory}");
    });
}

#[test]
fn behind_a_shim_of_a_shim_too() {
    let place = Place::new();
    let inner = place.script("inner/python3", &shim(&real().path));
    place.script("bin/python3", &shim(&inner));
    assert_eq!(interpreter_of(run(&place)), real().path);
}

#[test]
fn a_link_is_followed() {
    let place = Place::new();
    place.link("python3", &real().path);
    assert_eq!(interpreter_of(run(&place)), real().path);
}

#[test]
fn a_remembered_interpreter_is_started_without_a_search() {
    let place = Place::new();
    let calls = place.path().join("calls");
    let counted = format!(
        "#!/bin/sh\necho call >> '{}'\nexec '{}' \"$@\"\n",
        calls.display(),
        real().path.display()
    );
    place.script("bin/python3", &counted);
    interpreter_of(run(&place));
    let first = std::fs::read_to_string(&calls).unwrap();
    for _ in 0..3 {
        interpreter_of(run(&place));
    }
    assert_eq!(std::fs::read_to_string(&calls).unwrap(), first);
}

/// What is done to a place or a file, with a name for the failure's message.
type Named<T> = Vec<(&'static str, fn(&T))>;

/// What may stand first on PATH under Python's name, and be none.
fn bad_candidates() -> Named<Place> {
    vec![
        ("a shim that finds nothing", |place| {
            place.script(
                "first/python3",
                "#!/bin/sh\necho 'pyenv: python3: command not found' >&2\nexit 127\n",
            );
        }),
        ("a dangling link", |place| {
            std::os::unix::fs::symlink("/nowhere/python3", place.path().join("first/python3"))
                .unwrap();
        }),
        ("a link to itself", |place| {
            std::os::unix::fs::symlink("python3", place.path().join("first/python3")).unwrap();
        }),
        ("a directory", |place| {
            std::fs::create_dir(place.path().join("first/python3")).unwrap();
        }),
        ("a script without an interpreter", |place| {
            place.script("first/python3", "#!/no/such/interpreter\n");
        }),
        ("a script of nothing", |place| {
            place.script("first/python3", "");
        }),
        ("a program of another machine", |place| {
            place.script("first/python3", "\u{7f}ELF and nothing that follows\n");
        }),
        ("a file that is not executable", |place| {
            place.write("first/python3", "#!/bin/sh\n");
        }),
        ("Python 3.8", |place| {
            place.script("first/python3", &impostor((3, 8, 18)));
        }),
        ("Python 2.7", |place| {
            place.script("first/python3", &impostor((2, 7, 18)));
            place.script("first/python", &impostor((2, 7, 18)));
        }),
        ("one that fails", |place| {
            place.script("first/python3", "#!/bin/sh\nexit 1\n");
        }),
        ("one that says nothing", |place| {
            place.script("first/python3", "#!/bin/sh\nexit 0\n");
        }),
        ("one that prints its arguments", |place| {
            place.script("first/python3", "#!/bin/sh\necho \"$@\"\n");
        }),
        ("one that talks and talks", |place| {
            place.script(
                "first/python3",
                "#!/bin/sh\nhead -c 5000000 /dev/zero | tr '\\0' x\n",
            );
        }),
        ("one that only advises", |place| {
            for name in ["python3", "python", "python3.12"] {
                place.script(
                    format!("first/{name}"),
                    "#!/bin/sh\necho \"$0\" >> \"$(dirname \"$0\")/opened\"\n\
                     echo 'Python was not found; run without arguments to install from the Store' >&2\nexit 49\n",
                );
            }
        }),
        ("one that dies of a signal", |place| {
            place.script("first/python3", "#!/bin/sh\nkill -SEGV $$\n");
        }),
    ]
}

#[test]
fn what_only_looks_like_python_is_passed_over() {
    each_way(|place| {
        // Under its full name alone, as a distribution's second Python has it.
        place.link(&format!("python{}", real().minor()), &real().path);
        for (what, put) in bad_candidates() {
            let first = place.path().join("first");
            let _ = std::fs::remove_dir_all(&first);
            let _ = std::fs::remove_dir_all(place.agent());
            std::fs::create_dir(&first).unwrap();
            put(place);
            let path = interpreter_of(run(place).path_first(&first));
            assert_eq!(path, real().path, "{what}");
        }
    });
}

#[test]
fn a_stub_that_opens_a_shop_is_opened_once() {
    let place = Place::new();
    place.link(&format!("python{}", real().minor()), &real().path);
    let (_, put) = bad_candidates()
        .into_iter()
        .find(|(what, _)| *what == "one that only advises")
        .unwrap();
    std::fs::create_dir(place.path().join("first")).unwrap();
    put(&place);
    interpreter_of(run(&place).path_first(place.path().join("first")));
    let opened = std::fs::read_to_string(place.path().join("first/opened")).unwrap_or_default();
    let mut lines: Vec<&str> = opened.lines().collect();
    lines.sort_unstable();
    let all = lines.len();
    lines.dedup();
    assert_eq!(lines.len(), all, "opened twice:\n{opened}");
}

#[test]
fn one_that_hangs_is_passed_over() {
    let place = Place::new();
    place.link(&format!("python{}", real().minor()), &real().path);
    place.script("first/python3", "#!/bin/sh\nsleep 300\n");
    let path = interpreter_of(run(&place).path_first(place.path().join("first")));
    assert_eq!(path, real().path);
}

#[test]
fn a_chatterer_is_passed_over_or_its_chatter_kept_out() {
    let place = Place::new();
    place.script(
        "first/python3",
        &format!(
            "#!/bin/sh\necho welcome\nexec '{}' \"$@\"\n",
            real().path.display()
        ),
    );
    place.link(&format!("python{}", real().minor()), &real().path);
    interpreter_of(run(&place).path_first(place.path().join("first")));
}

#[test]
fn where_all_are_bad_the_answer_names_each_with_its_reason() {
    let place = Place::new();
    place.script("bin/python3", &impostor((3, 8, 18)));
    place.script("bin/python", "#!/bin/sh\nexit 49\n");
    let output = place
        .pi()
        .args(["provision", "--offline"])
        .stderr_any()
        .code(127);
    let bin = place.bin();
    output.says(&[
        "3.8.18",
        bin.join("python3").to_str().unwrap(),
        bin.join("python").to_str().unwrap(),
    ]);
}

#[test]
fn each_that_was_passed_over_is_said() {
    let place = Place::new();
    let bad = place.script("first/python3", "#!/bin/sh\nexit 3\n");
    place.link(&format!("python{}", real().minor()), &real().path);
    let output = place
        .pi()
        .args(["provision", "--offline"])
        .path_first(place.path().join("first"))
        .stderr_any()
        .code(0);
    output.says(&[bad.to_str().unwrap()]);
}

/// A place that remembers a private Python of its own; a second Python stays on PATH behind it.
fn warm() -> (Place, PathBuf) {
    let place = Place::new();
    let own = private(&place.path().join("own"));
    place.script("first/python3", &shim(&own));
    place.link(&format!("python{}", real().minor()), &real().path);
    let path = interpreter_of(again(&place));
    assert_eq!(path, own);
    (place, own)
}

fn again(place: &Place) -> Pi {
    run(place).path_first(place.path().join("first"))
}

#[test]
fn an_interpreter_that_went_away_is_replaced() {
    let (place, own) = warm();
    std::fs::remove_file(&own).unwrap();
    assert_eq!(interpreter_of(again(&place)), real().path);
    assert!(remembered(&place).contains(real().path.to_str().unwrap()));
}

#[test]
fn an_interpreter_that_became_something_else_is_replaced_and_the_code_runs_once() {
    let fakes: Named<Path> = vec![
        ("a dangling link", |path| {
            std::fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink("/nowhere/python", path).unwrap();
        }),
        ("an old version", |path| {
            replace(path, &impostor((3, 9, 18)));
        }),
        ("a script that fails", |path| {
            replace(path, "#!/bin/sh\nexit 1\n");
        }),
        ("a script without an interpreter", |path| {
            replace(path, "#!/no/such/thing\n");
        }),
        ("a directory", |path| {
            std::fs::remove_file(path).unwrap();
            std::fs::create_dir(path).unwrap();
        }),
        ("a file that is not executable", |path| {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
        }),
    ];
    for (what, fake) in fakes {
        let (place, own) = warm();
        fake(&own);
        let log = place.cwd().join("ran");
        let code = format!("open({:?}, 'a').write('once\\n')", log.to_str().unwrap());
        let output = place
            .pi()
            .args(["--offline", "--quiet", "python", "--json", "--code", &code])
            .path_first(place.path().join("first"))
            .code(0);
        let json = output.json();
        assert_eq!(
            json["python"]["path"],
            real().path.to_str().unwrap(),
            "{what}: {output}"
        );
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "once\n", "{what}");
    }
}

fn replace(path: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let new = path.with_extension("new");
    std::fs::write(&new, script).unwrap();
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::rename(&new, path).unwrap();
}

#[test]
fn an_interpreter_of_the_same_size_and_place_but_another_file_is_asked_again() {
    let (place, own) = warm();
    let copy = own.with_extension("copy");
    std::fs::copy(&own, &copy).unwrap();
    std::fs::rename(&copy, &own).unwrap();
    assert_eq!(interpreter_of(again(&place)), own);
}

#[test]
fn a_memory_that_is_not_one_counts_as_none() {
    let (place, own) = warm();
    let good = remembered(&place);
    let half = &good[..good.len() / 2];
    for content in [
        "",
        "{}",
        "null",
        "[1, 2]",
        half,
        "garbage \u{0}\u{1}",
        "{\"path\": 3}",
        &"[".repeat(100_000),
    ] {
        std::fs::write(place.agent_file("cache/python.json"), content).unwrap();
        assert_eq!(interpreter_of(again(&place)), own, "{content:.40}");
        let mended = remembered(&place);
        assert!(mended.contains(own.to_str().unwrap()), "{mended}");
    }
    let memory = place.agent_file("cache/python.json");
    std::fs::write(&memory, [0xFF, 0xFE, 0x00]).unwrap();
    assert_eq!(interpreter_of(again(&place)), own);
    std::fs::remove_file(&memory).unwrap();
    std::fs::create_dir(&memory).unwrap();
    assert_eq!(interpreter_of(again(&place)), own);
}

#[test]
fn a_memory_that_names_another_program_is_not_obeyed() {
    let (place, own) = warm();
    let trap = place.script("trap", "#!/bin/sh\ntouch \"$0.sprung\"\n");
    let memory = remembered(&place);
    for other in [
        &trap,
        Path::new("/home/nobody/python3"),
        Path::new("relative/python3"),
    ] {
        let changed = memory.replace(own.to_str().unwrap(), other.to_str().unwrap());
        assert_ne!(memory, changed);
        std::fs::write(place.agent_file("cache/python.json"), changed).unwrap();
        assert_eq!(interpreter_of(again(&place)), own);
    }
    assert!(!place.path().join("trap.sprung").exists(), "it was run");
}

#[test]
fn an_agent_directory_that_moved_works_where_it_is() {
    let place = Place::new();
    place.script("bin/uv", &FakeUv::new().installs().script());
    let run = |agent: &Path| {
        place
            .pi()
            .args(["--quiet", "python", "--json", "--code", "print(6 * 7)"])
            .env("PI_CODING_AGENT_DIR", agent)
    };
    let before = interpreter_of(run(&place.agent()));
    assert!(before.starts_with(place.agent()));
    let moved = place.path().join("moved");
    std::fs::rename(place.agent(), &moved).unwrap();
    let after = interpreter_of(run(&moved));
    assert!(after.starts_with(&moved), "{}", after.display());
}

#[test]
fn an_interpreter_can_be_named_by_path() {
    let (place, own) = warm();
    let named = |value: &Path| run(&place).arg("--python").arg(value);
    assert_eq!(interpreter_of(named(&real().path)), real().path);
    assert_eq!(interpreter_of(named(&own)), own);
    // What was named for one run is not remembered for the next.
    assert_eq!(interpreter_of(again(&place)), own);
    let variable = run(&place).env("PI_PYTHON", &real().path);
    assert_eq!(interpreter_of(variable), real().path);
    let relative = run(&place).env("PI_PYTHON", "../bin/python3.99");
    relative.stderr_has("python3.99").code(127);
}

#[test]
fn an_interpreter_can_be_named_by_version() {
    let place = Place::new();
    place.script("first/python3", &impostor((3, 99, 0)));
    place.link(&format!("python{}", real().minor()), &real().path);
    for version in [real().minor(), &real().version] {
        let path = interpreter_of(again(&place).args(["--python", version]));
        assert_eq!(path, real().path, "{version}");
    }
}

#[test]
fn what_was_asked_for_and_can_not_be_had_is_127() {
    let (place, _own) = warm();
    let not_python = place.script("not-python", "#!/bin/sh\nexit 0\n");
    for asked in [
        "3.99",
        "/nowhere/python3",
        not_python.to_str().unwrap(),
        place.path().to_str().unwrap(),
    ] {
        let output: Output = place
            .pi()
            .args([
                "--offline",
                "python",
                "--python",
                asked,
                "--code",
                "print(1)",
            ])
            .stdout("")
            .stderr_any()
            .code(127);
        output.says(&["error: ", asked]);
    }
}

#[test]
fn a_virtual_environment_that_was_named_stays_itself() {
    let place = Place::new();
    let venv = place.path().join("venv");
    std::fs::create_dir_all(venv.join("bin")).unwrap();
    std::os::unix::fs::symlink(&real().path, venv.join("bin/python")).unwrap();
    place.write(
        "venv/pyvenv.cfg",
        format!("home = {}\n", real().path.parent().unwrap().display()),
    );
    let output = place
        .pi()
        .args(["--offline", "--quiet", "python", "--python"])
        .arg(venv.join("bin/python"))
        .args(["--code", "import sys; print(sys.prefix)"])
        .code(0);
    assert_eq!(output.stdout.trim(), venv.to_str().unwrap());
}

#[test]
fn a_uv_that_is_too_old_broken_or_hangs_counts_as_none() {
    for (what, script) in [
        ("too old", FakeUv::new().version("0.3.9").script()),
        ("broken", "#!/bin/sh\nexit 1\n".to_owned()),
        ("talking", "#!/bin/sh\necho hello\n".to_owned()),
        ("hanging", FakeUv::new().first("sleep 300").script()),
    ] {
        let place = Place::new();
        let uv = place.script("bin/uv", &script);
        place.link("python3", &real().path);
        let output = place
            .pi()
            .args(["--offline", "python", "--code", "print(6 * 7)"])
            .stdout("42\n")
            .stderr_any()
            .code(0);
        assert!(!place.uv().exists(), "{what}: {output}");
        let doctor = place
            .pi()
            .args(["--offline", "doctor", "--no-install"])
            .stderr_any()
            .run();
        assert!(
            doctor.stdout.contains(uv.to_str().unwrap()),
            "{what}: doctor keeps the reason\n{doctor}"
        );
    }
}

#[test]
fn a_uv_that_finds_nonsense_is_not_believed() {
    for nonsense in ["/nowhere/python3", "/etc/passwd", "not a path", ""] {
        let place = Place::new();
        place.script("bin/uv", &FakeUv::new().finds(nonsense).script());
        place.link("python3", &real().path);
        assert_eq!(interpreter_of(run(&place)), real().path, "{nonsense:?}");
    }
}

#[test]
fn a_uv_on_path_is_used_and_none_is_downloaded() {
    let mut place = Place::new();
    let server = crate::support::http::Server::new();
    let release = FakeUv::new().release();
    release.pin_in(&mut place, &server);
    release.serve(&server);
    for version in ["0.4.0", "0.5.31", "9.9.9"] {
        let _ = std::fs::remove_dir_all(place.agent());
        place.script("bin/uv", &FakeUv::new().version(version).script());
        let output = place.pi().arg("provision").stderr_any().code(0);
        assert!(output.stdout.contains(version), "{output}");
    }
    assert!(server.log().is_empty());
    assert!(!place.uv().exists());
}

#[test]
fn python_itself_says_what_it_is() {
    let (place, own) = warm();
    let output = again(&place).code(0);
    let json = output.json();
    assert_eq!(json["python"]["version"], python::real().version);
    assert_eq!(json["python"]["path"], own.to_str().unwrap());
}

#[test]
fn what_was_copied_from_another_machine_is_got_anew() {
    let mut place = Place::new();
    let server = crate::support::http::Server::new();
    let release = FakeUv::new().installs().release();
    release.pin_in(&mut place, &server);
    release.serve(&server);
    let run = || {
        place
            .pi()
            .args(["--quiet", "python", "--json", "--code", "print(6 * 7)"])
    };
    let python = interpreter_of(run());
    // Neither can be started here, as with another C library.
    replace(&python, "#!/lib/ld-of-another-system.so\n");
    replace(&place.uv(), "#!/lib/ld-of-another-system.so\n");
    assert_eq!(interpreter_of(run()), python);
    assert_eq!(server.asked(&release.archive_path()).len(), 2);
}

#[test]
fn a_download_that_uses_up_the_time_leaves_some_for_the_python_that_is_there() {
    use std::time::Duration;
    let setup = super::Setup::new();
    let endless = (setup.release.archive.reply()).drip(1, Duration::from_millis(200));
    setup.server.route(&setup.release.archive_path(), [endless]);
    setup.place.script("bin/python3", "#!/bin/sh\nexit 1\n");
    setup.place.link("python", &real().path);
    let output = setup
        .place
        .pi()
        .args(["python", "--code", "print(6 * 7)"])
        .env("PI_UV_SOURCE", "archive")
        .env("PI_PROVISION_SECONDS", "0.5")
        .stderr_any()
        .stdout("42\n")
        .code(0);
    output
        .says(&["time limit of provisioning, 0.5 s"])
        .lacks(&["did not answer", "no time was left"]);
}

#[test]
fn two_names_of_one_agent_directory_share_its_memory() {
    let place = Place::new();
    place.link("python3", &real().path);
    let other = place.path().join("another-name");
    std::os::unix::fs::symlink(place.agent(), &other).unwrap();
    interpreter_of(run(&place));
    let first = remembered(&place);
    for _ in 0..2 {
        interpreter_of(run(&place).env("PI_CODING_AGENT_DIR", &other));
        interpreter_of(run(&place));
        assert_eq!(remembered(&place), first, "it was looked for anew");
    }
    let output = place
        .pi()
        .args(["--offline", "python", "--code", "print(6 * 7)"])
        .env("PI_CODING_AGENT_DIR", &other)
        .code(0);
    output.lacks(&["not used"]);
}
