//! What can be shown on Windows without a Python for it: the zip form of uv, settings, and bad input.

use crate::support::artifacts::{Form, Release, small_program};
use crate::support::http::{Reply, Server};
use crate::support::{Output, Place};

/// A release in zip form whose `uv.exe` is a real program of this platform, which is no uv.
fn release() -> Release {
    Release::of(&small_program(), Form::Zip)
}

fn setup(release: &Release) -> (Place, Server) {
    let mut place = Place::new();
    let server = Server::new();
    release.pin_in(&mut place, &server);
    release.serve(&server);
    place.set("PIP_INDEX_URL", server.url("/simple"));
    (place, server)
}

fn provision(place: &Place, source: &str) -> Output {
    place
        .pi()
        .args(["provision", "--source", source])
        .stderr_any()
        .run()
}

/// The program arrived byte for byte; that it is no uv is then said.
#[track_caller]
fn assert_placed(place: &Place, output: &Output) {
    output.ended_with(127).lacks(&["panicked"]);
    let placed = std::fs::read(place.uv()).unwrap_or_else(|error| panic!("{error}\n{output}"));
    assert!(placed == small_program());
    let receipt = std::fs::read_to_string(place.agent_file("bin/uv.receipt.json")).unwrap();
    let receipt: serde_json::Value = serde_json::from_str(&receipt).unwrap();
    assert_eq!(receipt["version"], crate::support::artifacts::uv_version());
}

#[test]
fn the_zip_is_unpacked_and_placed() {
    let release = release();
    let (place, server) = setup(&release);
    let output = provision(&place, "archive");
    assert_eq!(server.asked(&release.archive_path()).len(), 1, "{output}");
    assert_placed(&place, &output);
}

#[test]
fn the_wheel_is_unpacked_and_placed() {
    let release = release();
    let (place, server) = setup(&release);
    release.serve_json_index(&server);
    let output = provision(&place, "index");
    assert_placed(&place, &output);
}

#[test]
fn a_short_zip_is_resumed() {
    let release = release();
    let (place, server) = setup(&release);
    let good = release.archive.reply();
    server.route(&release.archive_path(), [good.clone().short(0.6), good]);
    let output = provision(&place, "archive");
    assert_placed(&place, &output);
    let requests = server.asked(&release.archive_path());
    assert!(requests[1].header("range").is_some(), "{requests:?}");
}

#[test]
fn a_wrong_zip_is_refused() {
    let release = release();
    let (place, server) = setup(&release);
    server.route(&release.archive_path(), [release.archive.spoiled()]);
    let output = provision(&place, "archive");
    output.ended_with(127).says(&[&release.archive.sha256]);
    assert!(!place.uv().exists());
}

#[test]
fn a_page_is_named() {
    let release = release();
    let (place, server) = setup(&release);
    let page = Reply::html("<html><title>Sign in</title></html>");
    server.route(&release.archive_path(), [page]);
    let output = provision(&place, "archive");
    output.ended_with(127).says(&["text/html", "sign-in"]);
}

#[test]
fn odd_names_are_carried() {
    let release = release();
    let mut place = Place::named("Пользователь é 空 格");
    let server = Server::new();
    release.pin_in(&mut place, &server);
    release.serve(&server);
    let output = provision(&place, "archive");
    assert_placed(&place, &output);
}
