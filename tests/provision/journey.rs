//! The whole way on a machine that has neither uv nor Python: the real uv, really installing a Python.

use std::path::Path;

use crate::support::artifacts::{self, Form, Release};
use crate::support::http::Server;
use crate::support::tls::Authority;
use crate::support::{Output, Place};

/// The place has a Python to install, and the run prints from which one it is.
#[track_caller]
fn run(place: &Place) -> Output {
    let output = place
        .pi()
        .args([
            "python",
            "--code",
            "import sys; print('hello from Python', sys.executable)",
        ])
        .stdout_has("hello from Python")
        .stderr_any()
        .code(0);
    let runtimes = place.agent_file("runtimes/python");
    assert!(
        output.stdout.contains(runtimes.to_str().unwrap()),
        "{output}"
    );
    // Everything came to stay: the second run says nothing and needs nobody.
    place
        .pi()
        .args(["--offline", "python", "--code", "print(6 * 7)"])
        .stdout("42\n")
        .code(0);
    output
}

/// Nothing lies in the user's own directories.
#[track_caller]
fn assert_home_untouched(place: &Place) {
    let home = crate::support::pi::files_below(&place.home());
    assert_eq!(home, Vec::<std::path::PathBuf>::new());
    let tmp = crate::support::pi::files_below(&place.tmp());
    assert_eq!(tmp, Vec::<std::path::PathBuf>::new());
    let cwd = crate::support::pi::files_below(&place.cwd());
    assert_eq!(cwd, Vec::<std::path::PathBuf>::new());
}

#[test]
fn the_real_uv_comes_from_this_machines_index() {
    let mut place = Place::new();
    let server = Server::new();
    artifacts::serve_python(&mut place, &server);
    place.set("PI_UV_SOURCE", "index");
    place.set("PIP_INDEX_URL", artifacts::index_address());
    // A machine whose index needs a certificate authority of its own says so in the environment.
    for name in [
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "NO_PROXY",
    ] {
        if let Some(value) = std::env::var_os(name) {
            place.set(name, value);
        }
    }
    run(&place);
    let uv = std::fs::read(place.uv()).unwrap();
    assert!(
        uv == artifacts::real_uv(),
        "it is the uv of the pinned wheel"
    );
    assert_home_untouched(&place);
    let doctor = place
        .pi()
        .args(["doctor", "--no-install"])
        .stderr_any()
        .run();
    assert!(doctor.stdout.contains(&artifacts::uv_version()), "{doctor}");
}

#[test]
fn the_real_uv_comes_from_a_release_archive_of_either_form() {
    for form in [Form::TarGz, Form::Zip] {
        let mut place = Place::new();
        let server = Server::new();
        artifacts::serve_python(&mut place, &server);
        let release = Release::of(artifacts::real_uv(), form);
        release.pin_in(&mut place, &server);
        release.serve(&server);
        run(&place);
        assert_eq!(server.asked(&release.archive_path()).len(), 1);
        assert_eq!(server.asked("/python.tar.gz").len(), 1);
        assert_home_untouched(&place);
    }
}

#[test]
fn everything_comes_through_a_private_authority() {
    let authority = Authority::new();
    let mut place = Place::new();
    let server = Server::tls(authority.server.clone());
    artifacts::serve_python(&mut place, &server);
    let release = Release::of(artifacts::real_uv(), Form::TarGz);
    release.pin_in(&mut place, &server);
    release.serve(&server);
    place.set("PI_UV_SOURCE", "archive");
    let file = place.write("ca.pem", &authority.pem);
    place.set("SSL_CERT_FILE", file);
    run(&place);
}

#[test]
fn everything_comes_from_a_folder_without_any_network() {
    let mut place = Place::new();
    let release = Release::of(artifacts::real_uv(), Form::TarGz);
    release.pin_at(&mut place, "http://releases.invalid/release");
    place.set("PI_UV_SOURCE", "archive");
    let folder = place.path().join("mirror");
    place.write(folder.join(&release.archive.name), &release.archive.bytes);
    place.write(
        folder.join("python.tar.gz"),
        &artifacts::python_tarball().bytes,
    );
    let python = format!("file://{}", folder.join("python.tar.gz").display());
    let list = place.write("mirror/list.json", artifacts::python_downloads(&python));
    place.set("PI_UV_MIRROR", format!("file://{}", folder.display()));
    place.set("UV_PYTHON_DOWNLOADS_JSON_URL", list);
    place.set(
        "PI_PYTHON_INSTALL",
        crate::support::python::real().version.clone(),
    );
    run(&place);
}

#[test]
fn update_brings_a_foreign_uv_to_the_pin() {
    let mut place = Place::new();
    let server = Server::new();
    artifacts::serve_python(&mut place, &server);
    let release = Release::of(artifacts::real_uv(), Form::TarGz);
    release.pin_in(&mut place, &server);
    release.serve(&server);
    let old = crate::support::artifacts::FakeUv::new()
        .version("0.5.0")
        .script();
    place.script("agent/bin/uv", &old);
    let output = place.pi().arg("update").stderr_any().run();
    assert!(
        std::fs::read(place.uv()).unwrap() == artifacts::real_uv(),
        "{output}"
    );
    run(&place);
}

#[test]
fn clean_removes_what_comes_back() {
    let mut place = Place::new();
    let server = Server::new();
    artifacts::serve_python(&mut place, &server);
    place.link("uv", artifacts::real_uv_file());
    run(&place);
    assert!(place.agent_file("cache").exists());
    place.pi().arg("clean").stderr_any().code(0);
    let left = crate::support::pi::files_below(&place.agent_file("cache"));
    assert_eq!(left, Vec::<std::path::PathBuf>::new());
    assert!(
        place.agent_file("runtimes/python").exists(),
        "Python is no cache"
    );
    run(&place);
    assert!(Path::new(&place.agent()).join("cache/python.json").exists());
}
