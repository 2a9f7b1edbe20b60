//! The release archive over a network that misbehaves.

use std::time::Duration;

use super::{Setup, assert_failed};
use crate::support::http::{Reply, Server};

/// Shortens the silence that pi bears.
const IMPATIENT: (&str, &str) = ("PI_IDLE_SECONDS", "0.5");

#[cfg(unix)]
#[test]
fn the_archive_is_verified_placed_and_receipted() {
    let setup = Setup::new();
    let output = setup.provision(&["--source", "archive"]).code(0);
    assert!(output.stdout.contains(&setup.release.version), "{output}");
    setup.assert_placed();
    assert_eq!(setup.archive_requests(), 1);
    let receipt = std::fs::read_to_string(setup.place.agent_file("bin/uv.receipt.json")).unwrap();
    assert!(receipt.contains(&setup.release.archive.sha256), "{receipt}");
}

#[cfg(unix)]
#[test]
fn a_second_provisioning_downloads_nothing() {
    let setup = Setup::new();
    setup.provision(&[]).code(0);
    setup.provision(&[]).code(0);
    assert_eq!(setup.server.log().len(), 1);
}

#[test]
fn a_wrong_digest_is_refused_named_and_not_tried_again() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [setup.release.archive.spoiled()]);
    let output = setup.provision(&["--source", "archive"]).run();
    assert_failed(&output);
    output.says(&[
        &setup.release.archive.name,
        "127.0.0.1",
        &setup.release.archive.sha256,
    ]);
    let digests = output
        .stderr
        .split(|letter: char| !letter.is_ascii_hexdigit())
        .filter(|word| word.len() == 64 && **word != setup.release.archive.sha256)
        .count();
    assert!(digests >= 1, "the computed digest is missing\n{output}");
    assert_eq!(setup.archive_requests(), 1);
    setup.assert_nothing_placed();
}

#[cfg(unix)]
#[test]
fn after_a_bad_archive_the_index_is_asked() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [setup.release.archive.spoiled()]);
    setup.release.serve_index(&setup.server);
    let output = setup.provision(&["--source", "auto"]).code(0);
    output.says(&[&setup.release.archive.sha256]);
    assert_eq!(setup.archive_requests(), 1);
    setup.assert_placed();
}

#[cfg(unix)]
#[test]
fn where_the_release_is_out_of_reach_the_index_is_asked() {
    let mut setup = Setup::new();
    // Bound and closed again: nobody listens there.
    let nowhere = Server::new().url("/release");
    setup.release.pin_at(&mut setup.place, &nowhere);
    setup.release.serve_index(&setup.server);
    setup.provision(&[]).code(0);
    setup.assert_placed();
}

#[cfg(unix)]
#[test]
fn a_short_body_is_resumed_where_it_broke_off() {
    let setup = Setup::new();
    let (path, good) = (setup.release.archive_path(), setup.release.archive.reply());
    setup.server.route(&path, [good.clone().short(0.6), good]);
    setup.provision(&["--source", "archive"]).code(0);
    setup.assert_placed();
    let requests = setup.server.asked(&path);
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].header("range"), None);
    let range = requests[1].header("range").expect("the rest is asked for");
    let from: usize = range["bytes=".len()..range.len() - 1].parse().unwrap();
    assert!(from > 0 && from < setup.release.archive.bytes.len());
}

#[cfg(unix)]
#[test]
fn a_short_body_is_fetched_anew_where_the_server_knows_no_ranges() {
    let setup = Setup::new();
    let (path, good) = (
        setup.release.archive_path(),
        setup.release.archive.reply().without_ranges(),
    );
    setup.server.route(&path, [good.clone().short(0.6), good]);
    setup.provision(&["--source", "archive"]).code(0);
    setup.assert_placed();
}

#[cfg(unix)]
#[test]
fn a_file_that_changed_in_between_is_not_glued_together() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    let replies = [
        setup.release.archive.spoiled().short(0.6),
        setup.release.archive.reply(),
    ];
    setup.server.route(&path, replies);
    setup.provision(&["--source", "archive"]).code(0);
    setup.assert_placed();
}

#[test]
fn a_body_that_is_always_short_is_given_up_after_three_tries() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    let short = setup.release.archive.reply().without_ranges().short(0.6);
    setup.server.route(&path, [short]);
    let output = setup.provision(&["--source", "archive"]).run();
    assert_failed(&output);
    output.says(&[&setup.release.archive.name]);
    assert_eq!(setup.archive_requests(), 3);
    setup.assert_nothing_placed();
}

#[cfg(unix)]
#[test]
fn a_busy_server_is_asked_again_when_it_says_so() {
    for status in [429, 500, 502, 503, 504] {
        let setup = Setup::new();
        let busy = Reply::status(status).header("Retry-After", "0");
        let (path, good) = (setup.release.archive_path(), setup.release.archive.reply());
        setup.server.route(&path, [busy, good]);
        setup.provision(&["--source", "archive"]).code(0);
        setup.assert_placed();
        assert_eq!(setup.archive_requests(), 2, "status {status}");
    }
}

#[test]
fn a_server_that_stays_busy_is_named_with_its_status() {
    let setup = Setup::new();
    let busy = Reply::status(503).header("Retry-After", "0");
    setup.server.route(&setup.release.archive_path(), [busy]);
    let output = setup.provision(&["--source", "archive"]).run();
    assert_failed(&output);
    output.says(&["503", "127.0.0.1"]);
    assert_eq!(setup.archive_requests(), 3);
    setup.assert_nothing_placed();
}

#[test]
fn a_wait_longer_than_the_time_limit_is_not_waited_for() {
    let setup = Setup::new();
    let busy = Reply::status(503).header("Retry-After", "3600");
    setup.server.route(&setup.release.archive_path(), [busy]);
    let output = setup
        .provision(&["--source", "archive"])
        .env("PI_PROVISION_SECONDS", "3")
        .watchdog(Duration::from_mins(1))
        .run();
    assert_failed(&output);
    output.says(&["503"]);
}

#[cfg(unix)]
#[test]
fn redirects_are_followed() {
    let setup = Setup::new();
    let elsewhere = Server::new();
    elsewhere.route("/there/it is", [Reply::status(404)]);
    elsewhere.route("/there", [setup.release.archive.reply()]);
    setup
        .server
        .route(
            &setup.release.archive_path(),
            [Reply::redirect("../moved/once?token=1")],
        )
        .route(
            "/moved/once",
            [Reply::redirect(&elsewhere.url("/there?signed=yes")).with_status(307)],
        );
    setup.provision(&["--source", "archive"]).code(0);
    setup.assert_placed();
    assert_eq!(elsewhere.asked("/there").len(), 1);
}

#[test]
fn a_circle_of_redirects_ends() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [Reply::redirect(&path)]);
    let output = setup.provision(&["--source", "archive"]).run();
    assert_failed(&output);
    output.says(&["redirect"]);
}

#[cfg(unix)]
#[test]
fn a_slow_download_that_never_pauses_too_long_succeeds() {
    let setup = Setup::new();
    let piece = setup.release.archive.bytes.len() / 6;
    let slow = (setup.release.archive.reply()).drip(piece, Duration::from_millis(150));
    setup.server.route(&setup.release.archive_path(), [slow]);
    setup
        .provision(&["--source", "archive"])
        .env("PI_IDLE_SECONDS", "5")
        .code(0);
    assert_eq!(setup.archive_requests(), 1);
    setup.assert_placed();
}

#[test]
fn a_drip_past_the_silence_limit_is_cut_and_the_limit_named() {
    let setup = Setup::new();
    let piece = setup.release.archive.bytes.len() / 2;
    let slow = (setup.release.archive.reply())
        .without_ranges()
        .drip(piece, Duration::from_secs(3));
    setup.server.route(&setup.release.archive_path(), [slow]);
    let output = setup
        .provision(&["--source", "archive"])
        .env(IMPATIENT.0, IMPATIENT.1)
        .run();
    assert_failed(&output);
    output.says(&["0.5", "PI_IDLE_SECONDS"]);
    setup.assert_nothing_placed();
}

#[cfg(unix)]
#[test]
fn a_stall_at_the_very_end_is_noticed_and_resumed() {
    let setup = Setup::new();
    let (path, good) = (setup.release.archive_path(), setup.release.archive.reply());
    setup.server.route(&path, [good.clone().stall(0.99), good]);
    setup
        .provision(&["--source", "archive"])
        .env(IMPATIENT.0, IMPATIENT.1)
        .code(0);
    setup.assert_placed();
    assert!(setup.server.asked(&path)[1].header("range").is_some());
}

#[test]
fn all_of_it_has_a_time_limit_that_is_named() {
    let setup = Setup::new();
    let endless = (setup.release.archive.reply()).drip(1, Duration::from_millis(200));
    setup.server.route(&setup.release.archive_path(), [endless]);
    let output = setup
        .provision(&["--source", "archive"])
        .env("PI_PROVISION_SECONDS", "1.5")
        .watchdog(Duration::from_mins(1))
        .run();
    assert_failed(&output);
    output.says(&["1.5", "PI_PROVISION_SECONDS"]);
    setup.assert_nothing_placed();
}

/// What stands between a machine and the network answers in these ways.
fn pages() -> Vec<(&'static str, Vec<Reply>, Vec<&'static str>)> {
    let page = Reply::html(&format!(
        "<!DOCTYPE html><html><title>Sign in to the network</title>{}</html>",
        "<p>please</p>".repeat(600)
    ));
    vec![
        ("a page", vec![page.clone()], vec!["text/html", "sign-in"]),
        (
            "a page without its type",
            vec![page.clone().content_type("application/octet-stream")],
            vec!["sign-in"],
        ),
        (
            "a way to a page",
            vec![Reply::redirect("/login")],
            vec!["/login", "text/html", "sign-in"],
        ),
        ("a refusal", vec![Reply::status(403)], vec!["403"]),
        (
            "a refusal with a page",
            vec![page.with_status(403)],
            vec!["403"],
        ),
        ("a proxy's question", vec![Reply::status(407)], vec!["407"]),
    ]
}

#[test]
fn a_block_page_is_named_and_nothing_of_it_is_kept() {
    for (what, replies, parts) in pages() {
        let setup = Setup::new();
        let page = pages().remove(0).1.remove(0);
        setup
            .server
            .route(&setup.release.archive_path(), replies)
            .route("/login", [page]);
        let output = setup.provision(&["--source", "archive"]).run();
        assert_failed(&output);
        output.says(&parts).says(&["127.0.0.1"]);
        setup.assert_nothing_placed();
        let kept = setup.place.agent_files();
        for file in kept {
            let bytes = std::fs::read(setup.place.agent().join(&file)).unwrap();
            assert!(
                !bytes.windows(9).any(|window| window == b"<!DOCTYPE"),
                "{what} is kept in {}",
                file.display()
            );
        }
        // The network is healthy again.
        #[cfg(unix)]
        {
            setup.release.serve(&setup.server);
            setup.provision(&["--force"]).code(0);
            setup.assert_placed();
        }
    }
}

#[test]
fn a_failure_is_remembered_and_force_lifts_it() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [setup.release.archive.spoiled()]);
    assert_failed(&setup.provision(&["--source", "archive"]).run());
    assert_failed(&setup.provision(&["--source", "archive"]).run());
    assert_eq!(setup.archive_requests(), 1, "the second asked again");
    assert_failed(&setup.provision(&["--source", "archive", "--force"]).run());
    assert_eq!(setup.archive_requests(), 2);
}

#[cfg(unix)]
#[test]
fn a_remembered_failure_does_not_outlive_the_settings_that_led_to_it() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [Reply::status(403)]);
    assert_failed(&setup.provision(&["--source", "archive"]).run());
    let mirror = Server::new();
    mirror.route(
        &format!("/m/{}", setup.release.archive.name),
        [setup.release.archive.reply()],
    );
    setup
        .provision(&["--source", "archive"])
        .env("PI_UV_MIRROR", mirror.url("/m"))
        .code(0);
    setup.assert_placed();
}

#[test]
fn best_effort_never_fails_a_hook() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [Reply::status(403)]);
    let output = setup
        .provision(&["--best-effort", "--source", "archive"])
        .code(0);
    output.says(&["403"]);
}

#[test]
fn quiet_says_nothing_but_errors() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [Reply::status(403)]);
    let output = setup.provision(&["--quiet", "--source", "archive"]).run();
    assert_failed(&output);
    output.lacks(&["note: "]);
    #[cfg(unix)]
    {
        setup.release.serve(&setup.server);
        setup.provision(&["--quiet", "--force"]).stderr("").code(0);
    }
}
