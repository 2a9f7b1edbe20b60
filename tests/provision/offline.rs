//! Without the network.

use super::Setup;
use crate::support::Place;

#[test]
fn with_nothing_there_the_answer_says_what_to_place_where() {
    let setup = Setup::new();
    let output = setup
        .place
        .pi()
        .args(["--offline", "python", "--code", "print(1)"])
        .stdout("")
        .stderr_any()
        .code(127);
    output.says(&[
        "error: ",
        "hint: ",
        "offline",
        &setup.release.archive.name,
        &setup.release.archive.sha256,
        &setup.release.wheel.name,
        &setup.release.wheel.sha256,
        "PI_UV_MIRROR",
        "UV_PYTHON_INSTALL_MIRROR",
    ]);
    assert!(setup.server.log().is_empty(), "the network was used");
}

#[test]
fn the_variable_is_as_good_as_the_flag() {
    let setup = Setup::new();
    let output = setup
        .place
        .pi()
        .args(["python", "--code", "print(1)"])
        .env("PI_OFFLINE", "1")
        .stdout("")
        .stderr_any()
        .code(127);
    output.says(&["offline"]);
    assert!(setup.server.log().is_empty());
}

#[test]
fn a_project_can_ask_to_stay_offline() {
    let setup = Setup::new();
    setup.place.write("cwd/.pi/python.toml", "offline = true\n");
    let output = setup.provision(&[]).code(127);
    output.says(&["offline"]);
    assert!(setup.server.log().is_empty());
}

#[test]
fn in_json_it_is_unavailable() {
    let setup = Setup::new();
    let output = setup
        .place
        .pi()
        .args(["--offline", "python", "--json", "--code", "print(1)"])
        .stderr_any()
        .code(127);
    let json = output.json();
    assert_eq!(json["status"], "unavailable", "{json}");
    assert_eq!(json["exitCode"], serde_json::Value::Null);
    assert_eq!(json["python"], serde_json::Value::Null);
    let notices = json["notices"].to_string();
    assert!(
        notices.contains(&setup.release.archive.sha256),
        "a reader of the JSON alone learns what to place: {json}"
    );
}

#[cfg(unix)]
#[test]
fn a_python_on_path_is_enough() {
    let setup = Setup::new();
    let real = crate::support::python::real();
    setup.place.link("python3", &real.path);
    setup
        .place
        .pi()
        .args(["--offline", "--quiet", "python", "--code", "print(6 * 7)"])
        .stdout("42\n")
        .code(0);
    assert!(setup.server.log().is_empty());
}

#[cfg(unix)]
#[test]
fn what_was_got_online_works_offline() {
    let setup = Setup::new();
    setup.provision(&[]).code(0);
    let seen = setup.server.log().len();
    for args in [
        ["python", "--offline", "--code", "print(6 * 7)"],
        ["--quiet", "python", "--code", "print(6 * 7)"],
    ] {
        setup.place.pi().args(args).stdout("42\n").code(0);
    }
    assert_eq!(setup.server.log().len(), seen);
}

#[test]
fn the_pinned_release_is_named_without_a_pin_file_too() {
    let output = Place::new()
        .pi()
        .args(["provision", "--offline"])
        .stderr_any()
        .code(127);
    let version = crate::support::artifacts::uv_version();
    output.says(&[&version, "PI_UV_MIRROR", ".whl"]);
    let digests = output
        .stderr
        .split(|letter: char| !letter.is_ascii_hexdigit())
        .filter(|word| word.len() == 64)
        .count();
    assert!(
        digests >= 2,
        "an archive and a wheel with digests\n{output}"
    );
}

/// Starts a command where there is no network at all, not even loopback.
#[cfg(target_os = "linux")]
fn without_network() -> Option<Vec<String>> {
    let line: Vec<String> = vec![
        which::which("unshare").ok()?.display().to_string(),
        "-rn".into(),
    ];
    let works = std::process::Command::new(&line[0])
        .arg(&line[1])
        .arg(which::which("true").ok()?)
        .output()
        .is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("LEFT OUT: no network namespace can be made here");
    }
    works.then_some(line)
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_machine_without_network_the_answer_is_the_same_as_offline() {
    let Some(line) = without_network() else {
        return;
    };
    let output = Place::new()
        .pi()
        .arg("provision")
        .through(line)
        .stderr_any()
        .code(127);
    let version = crate::support::artifacts::uv_version();
    output.says(&[
        &version,
        "PI_UV_MIRROR",
        "UV_PYTHON_INSTALL_MIRROR",
        ".whl",
        "sha256",
    ]);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_machine_without_network_a_folder_is_enough() {
    use crate::support::artifacts::FakeUv;
    let Some(line) = without_network() else {
        return;
    };
    let release = FakeUv::new().installs().release();
    let mut place = Place::new();
    release.pin_at(&mut place, "http://releases.invalid/release");
    place.write(
        format!("m/{}", release.archive.name),
        &release.archive.bytes,
    );
    place
        .pi()
        .args(["--quiet", "python", "--code", "print(6 * 7)"])
        .env(
            "PI_UV_MIRROR",
            format!("file://{}", place.path().join("m").display()),
        )
        .through(line)
        .stdout("42\n")
        .code(0);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_machine_without_network_a_python_on_path_just_runs() {
    let Some(line) = without_network() else {
        return;
    };
    let place = Place::new();
    place.link("python3", &crate::support::python::real().path);
    place
        .pi()
        .args(["python", "--code", "print(6 * 7)"])
        .through(line)
        .stdout("42\n")
        .stderr_any()
        .code(0);
}

#[test]
fn every_line_of_advice_bears_its_label() {
    let output = Place::new()
        .pi()
        .args(["--offline", "provision"])
        .stderr_any()
        .code(127);
    let advice = output
        .stderr
        .split_once("\n\n")
        .expect("hints follow a blank line")
        .1;
    assert!(advice.lines().count() >= 5, "{output}");
    for line in advice.lines() {
        assert!(line.starts_with("hint: "), "{line}\n{output}");
    }
}
