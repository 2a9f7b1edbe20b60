//! Bad input: named, set aside, never trusted, and never fatal when the work can go on.

use super::Setup;
use crate::support::{Pi, Place};

#[test]
fn unknown_words_are_wrong_usage() {
    let lines: &[&[&str]] = &[
        &["no-such-command"],
        &["--no-such-flag"],
        &["provision", "--source", "moon"],
        &["provision", "--no-such-flag"],
        &["provision", "stray"],
        &["doctor", "--json=maybe"],
        &["doctor", "stray"],
        &["python", "--timeout", "soon", "--code", "1"],
        &["python", "--max-output-bytes", "-5", "--code", "1"],
        &["python", "--max-output-lines", "1.5", "--code", "1"],
        &["python", "--no-such-flag", "--code", "1"],
        &["python", "--code"],
        &["clean", "stray"],
    ];
    for line in lines {
        let output = Pi::new().args(*line).stdout("").stderr_any().code(2);
        output.says(&["error"]);
    }
}

#[test]
fn without_words_there_is_help() {
    let output = Pi::new().stderr_any().run();
    output.ended_with(2);
    assert!(output.stderr.contains("Usage"), "{output}");
}

/// Pin files that can't be used, none of which may be obeyed in part.
fn bad_pins(setup: &Setup) -> Vec<Vec<u8>> {
    let good = setup.release.pins(&setup.server.url("/release"));
    let mut short_digest = good.clone();
    let mut foreign_name = good.clone();
    for (_, file) in short_digest["archives"]["files"].as_object_mut().unwrap() {
        file["sha256"] = "abc".into();
    }
    for (_, file) in foreign_name["archives"]["files"].as_object_mut().unwrap() {
        file["file"] = "../../../escape.tar.gz".into();
    }
    let mut contents: Vec<Vec<u8>> = [
        &b""[..],
        b"not JSON",
        b"{}",
        b"[]",
        b"{\"version\": 1}",
        b"{\"version\":\"0.12.5\",\"archives\":{\"base\":\"http://127.0.0.1:1\",\"files\":{}},\"wheels\":\"none\"}",
        b"\xff\xfe\x00",
    ]
    .map(<[u8]>::to_vec)
    .into();
    contents.extend([short_digest, foreign_name].map(|pins| pins.to_string().into_bytes()));
    contents
}

#[test]
fn a_pin_file_that_can_not_be_used_is_named_and_the_compiled_in_pins_hold() {
    let setup = Setup::new();
    let compiled_in: serde_json::Value =
        serde_json::from_str(include_str!("../../pins/uv.json")).unwrap();
    let target = &crate::support::artifacts::targets()[0];
    let digest = compiled_in["archives"]["files"][target]["sha256"]
        .as_str()
        .unwrap();
    let mut files: Vec<_> = bad_pins(&setup)
        .into_iter()
        .enumerate()
        .map(|(number, content)| setup.place.write(format!("pins-{number}.json"), content))
        .collect();
    files.push(setup.place.path().join("no-such-pins.json"));
    for file in files {
        let output = setup
            .provision(&["--offline"])
            .env("PI_UV_PINS", &file)
            .code(127);
        output
            .says(&[
                "warning: ",
                "PI_UV_PINS",
                &file.display().to_string(),
                digest,
            ])
            .lacks(&["panicked"]);
        let doctor = setup
            .place
            .pi()
            .args(["--offline", "doctor", "--no-install"])
            .env("PI_UV_PINS", &file)
            .stderr_any()
            .run();
        assert!(doctor.stdout.contains(file.to_str().unwrap()), "{doctor}");
    }
    assert!(setup.server.log().is_empty());
    setup.assert_nothing_placed();
}

#[cfg(unix)]
#[test]
fn a_pin_file_that_is_bad_does_not_stop_a_python_that_is_there() {
    let place = Place::new();
    place.link("python3", &crate::support::python::real().path);
    let pins = place.write("pins.json", "not JSON");
    place
        .pi()
        .args(["--offline", "python", "--code", "print(6 * 7)"])
        .env("PI_UV_PINS", pins)
        .stdout("42\n")
        .stderr_any()
        .code(0);
}

#[cfg(unix)]
#[test]
fn settings_that_are_broken_are_named_and_the_code_runs() {
    let files: &[(&[u8], &str)] = &[
        (b"= nonsense", "python.toml"),
        (b"offline = 3\n", "offline"),
        (b"no.such = 1\n", "no.such"),
        (
            b"[run]\ntimeout_seconds = \"soon\"\n",
            "run.timeout_seconds",
        ),
        (b"[run]\ntimeout_seconds = -1\n", "run.timeout_seconds"),
        (b"\xff\xfe", "python.toml"),
    ];
    for (content, part) in files {
        let place = Place::new();
        place.link("python3", &crate::support::python::real().path);
        place.write("agent/python.toml", content);
        let output = place
            .pi()
            .args(["--offline", "python", "--code", "print(6 * 7)"])
            .stdout("42\n")
            .stderr_any()
            .code(0);
        output.says(&["warning: ", part]);
    }
}

#[cfg(unix)]
#[test]
fn variables_that_are_broken_are_named_and_the_code_runs() {
    let place = Place::new();
    place.link("python3", &crate::support::python::real().path);
    for (variable, value) in [
        ("PI_PROVISION_SECONDS", "lots"),
        ("PI_PROVISION_SECONDS", "-1"),
        ("PI_CONNECT_SECONDS", "NaN"),
        ("PI_IDLE_SECONDS", "inf"),
        ("PI_UV_SOURCE", "moon"),
        ("PI_MAX_OUTPUT_BYTES", "many"),
    ] {
        let output = place
            .pi()
            .args(["python", "--code", "print(6 * 7)"])
            .env("PI_OFFLINE", "1")
            .env(variable, value)
            .stdout("42\n")
            .stderr_any()
            .code(0);
        output.says(&["warning: ", variable]);
    }
}

#[cfg(unix)]
#[test]
fn state_files_that_are_garbage_stop_nobody() {
    let setup = Setup::new();
    setup.provision(&[]).code(0);
    let files = setup.place.agent_files();
    assert!(files.len() >= 3, "{files:?}");
    for file in &files {
        let path = setup.place.agent().join(file);
        if *path == setup.place.uv() {
            continue;
        }
        let good = std::fs::read(&path).unwrap();
        for bad in [
            &b""[..],
            b"garbage",
            b"\xff\xfe\x00",
            b"{}",
            &good[..good.len() / 2],
        ] {
            std::fs::write(&path, bad).unwrap();
            setup
                .place
                .pi()
                .args(["--quiet", "python", "--code", "print(6 * 7)"])
                .stdout("42\n")
                .stderr_any()
                .code(0);
        }
    }
}

/// Makes a pipe that nobody writes to.
#[cfg(unix)]
fn pipe_at(path: &std::path::Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(path);
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// Makes a file of a gigabyte that takes no room.
#[cfg(unix)]
fn huge_at(path: &std::path::Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = std::fs::File::create(path).unwrap();
    file.set_len(1 << 30).unwrap();
}

/// What may lie where a file is expected, and must neither be waited for nor be read to its end.
#[cfg(unix)]
const NO_FILES: [fn(&std::path::Path); 3] = [pipe_at, huge_at, |path| {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("/dev/zero", path).unwrap();
}];

#[cfg(unix)]
#[test]
fn pipes_devices_and_huge_files_stop_nobody() {
    let names = [
        "agent/python.toml",
        "agent/cache/python.json",
        "agent/state/provision.failure.json",
        "agent/state/provision.holder.json",
        "agent/bin/uv.receipt.json",
        "agent/bin/uv",
        "pins.json",
        "home/.netrc",
        "home/.config/pip/pip.conf",
    ];
    for name in names {
        for make in NO_FILES {
            let mut setup = Setup::new();
            let file = setup.place.path().join(name);
            if name == "pins.json" {
                setup.place.set("PI_OFFLINE", "1");
                std::fs::remove_file(&file).unwrap();
            }
            make(&file);
            setup
                .place
                .link("python3", &crate::support::python::real().path);
            let output = setup
                .place
                .pi()
                .args(["python", "--code", "print(6 * 7)"])
                .env_remove("PIP_INDEX_URL")
                .watchdog(std::time::Duration::from_secs(30))
                .stdout("42\n")
                .stderr_any()
                .code(0);
            if ["agent/python.toml", "agent/cache/python.json"].contains(&name) {
                output.says(&[&file.display().to_string()]);
            }
            setup
                .place
                .pi()
                .args(["doctor", "--json"])
                .watchdog(std::time::Duration::from_secs(30))
                .stderr_any()
                .run()
                .json();
        }
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_of_a_mirror_are_read() {
    for make in NO_FILES {
        let setup = Setup::new();
        let file = setup
            .place
            .path()
            .join("m")
            .join(&setup.release.archive.name);
        make(&file);
        let output = setup
            .provision(&[])
            .env("PI_UV_MIRROR", setup.place.path().join("m"))
            .watchdog(std::time::Duration::from_secs(30))
            .code(0);
        output.says(&[&file.display().to_string()]);
        setup.assert_placed();
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_version_is_never_handed_to_uv() {
    use crate::support::artifacts::FakeUv;
    use crate::support::python::real;
    for odd in ["banana", "--reinstall", "-x", "3.13 --force", "$(touch x)"] {
        let place = Place::new();
        let log = place.path().join("uv.log");
        place.script("bin/uv", &FakeUv::new().installs().logs_to(&log).script());
        let said = || std::fs::read_to_string(&log).unwrap_or_default();
        // A flag is a choice for this one run.
        let flag = place
            .pi()
            .args([
                "python",
                &format!("--python={odd}"),
                "--code",
                "print(6 * 7)",
            ])
            .stdout("")
            .stderr_any()
            .code(127);
        flag.says(&[&format!("`{odd}` is neither a version"), "--python", "3.12"]);
        // A setting is named and left out.
        for (variable, file) in [
            ("PI_PYTHON", format!("[python]\nuse = '{odd}'\n")),
            (
                "PI_PYTHON_INSTALL",
                format!("[python]\ninstall = '{odd}'\n"),
            ),
        ] {
            let run = place.pi().args(["python", "--code", "print(6 * 7)"]);
            let output = run
                .clone()
                .env(variable, odd)
                .stdout("42\n")
                .stderr_any()
                .code(0);
            output.says(&["warning: ", variable, "version"]);
            place.write("agent/python.toml", file);
            let output = run.stdout("42\n").stderr_any().code(0);
            output.says(&["warning: ", "python.", "version"]);
            std::fs::remove_file(place.agent_file("python.toml")).unwrap();
        }
        assert!(!said().contains(odd), "{odd}\n{}", said());
        assert!(said().contains("python install -- 3.13"), "{}", said());
    }
    let place = Place::new();
    place.link("python3", &real().path);
    place
        .pi()
        .args([
            "--offline",
            "python",
            "--python",
            "python3",
            "--code",
            "print(6 * 7)",
        ])
        .stdout("42\n")
        .stderr_any()
        .code(0);
}
