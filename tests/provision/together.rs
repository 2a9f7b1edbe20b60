//! Several processes at once, and what they leave behind when they die.

use super::{Setup, assert_failed};
use crate::support::artifacts::FakeUv;
use crate::support::http::Gate;
use crate::support::{Running, wait_until};
use std::time::Duration;

/// A setup whose uv has to install a Python, too, and counts how often it is asked to.
fn from_scratch() -> Setup {
    let place = crate::support::Place::new();
    let log = place.path().join("uv.log");
    let uv = FakeUv::new().installs().logs_to(log);
    Setup::at(place, uv.release())
}

fn installs(setup: &Setup) -> usize {
    std::fs::read_to_string(setup.place.path().join("uv.log"))
        .unwrap_or_default()
        .lines()
        .filter(|line| line.contains("python install"))
        .count()
}

fn answer(setup: &Setup) -> Running {
    setup
        .place
        .pi()
        .args(["python", "--code", "print(6 * 7)"])
        .spawn()
}

#[track_caller]
fn assert_answered(running: Running) {
    let output = running.wait();
    output.ended_with(0);
    assert_eq!(output.stdout, "42\n", "{output}");
}

#[test]
fn twenty_at_once_share_one_download_and_one_installation() {
    let setup = from_scratch();
    let gate = Gate::default();
    let path = setup.release.archive_path();
    let held = setup.release.archive.reply().held(0.5, &gate);
    setup.server.route(&path, [held]);
    let runs: Vec<Running> = (0..20).map(|_| answer(&setup)).collect();
    setup.server.wait_for_requests(1);
    gate.open();
    for run in runs {
        assert_answered(run);
    }
    assert_eq!(setup.server.log().len(), 1, "{:?}", setup.server.log());
    assert_eq!(installs(&setup), 1);
    setup.assert_placed();
}

#[test]
fn a_waiting_process_takes_over_from_a_killed_one_and_says_whom_it_waits_for() {
    let setup = from_scratch();
    let gate = Gate::default();
    let path = setup.release.archive_path();
    let good = setup.release.archive.reply();
    let held = good.clone().held(0.5, &gate);
    setup.server.route(&path, [held, good]);
    let leader = answer(&setup);
    setup.server.wait_for_requests(1);
    let waiting: Vec<Running> = (0..3).map(|_| answer(&setup)).collect();
    // They wait when they have said so.
    let id = leader.id();
    for run in &waiting {
        wait_until(
            "a word from the one that waits",
            Duration::from_mins(1),
            || run.stderr_so_far().contains(&id.to_string()).then_some(()),
        );
    }
    leader.kill();
    for run in waiting {
        assert_answered(run);
    }
    assert_eq!(setup.archive_requests(), 2);
    setup.assert_placed();
}

#[test]
fn waiting_has_a_limit_that_is_named() {
    let setup = from_scratch();
    let gate = Gate::default();
    let path = setup.release.archive_path();
    let held = setup.release.archive.reply().held(0.5, &gate);
    setup.server.route(&path, [held]);
    let leader = answer(&setup);
    setup.server.wait_for_requests(1);
    let output = setup.provision(&[]).env("PI_PROVISION_SECONDS", "2").run();
    assert_failed(&output);
    output.says(&["provision.lock", "2 s", "PI_PROVISION_SECONDS"]);
    // The one that waited has not spoiled it for the one that works.
    gate.open();
    assert_answered(leader);
}

#[test]
fn a_lock_whose_owner_is_gone_holds_nobody_up() {
    let setup = from_scratch();
    for (name, content) in [
        ("provision.lock", "held for ever"),
        (
            "provision.holder.json",
            "{\"pid\": 4194304, \"since\": \"long ago\"}",
        ),
        ("provision.failure.json", "not JSON"),
    ] {
        setup.place.write(format!("agent/state/{name}"), content);
    }
    assert_answered(answer(&setup));
}

#[test]
fn those_who_waited_for_a_failure_share_it() {
    let setup = from_scratch();
    let gate = Gate::default();
    let path = setup.release.archive_path();
    let held = setup.release.archive.spoiled().held(0.5, &gate);
    setup.server.route(&path, [held]);
    let run = || setup.provision(&["--source", "archive"]).spawn();
    let leader = run();
    setup.server.wait_for_requests(1);
    let waiting: Vec<Running> = (0..5).map(|_| run()).collect();
    for other in &waiting {
        wait_until(
            "a word from the one that waits",
            Duration::from_mins(1),
            || {
                other
                    .stderr_so_far()
                    .contains(&leader.id().to_string())
                    .then_some(())
            },
        );
    }
    gate.open();
    for run in std::iter::once(leader).chain(waiting) {
        let output = run.wait();
        assert_failed(&output);
        output.says(&[&setup.release.archive.sha256]);
    }
    assert_eq!(setup.archive_requests(), 1);
}

#[test]
fn twelve_runs_at_once_on_a_warm_directory_only_run() {
    let setup = from_scratch();
    setup.provision(&[]).code(0);
    let log = std::fs::read_to_string(setup.place.path().join("uv.log")).unwrap();
    let runs: Vec<Running> = (0..12).map(|_| answer(&setup)).collect();
    for run in runs {
        let output = run.wait();
        assert_eq!(output.stdout, "42\n");
        // They are in one workspace, and one after the other.
        let others = output.stderr.lines().filter(|line| !line.contains("wait"));
        assert_eq!(others.count(), 0, "{output}");
    }
    assert_eq!(
        std::fs::read_to_string(setup.place.path().join("uv.log")).unwrap(),
        log
    );
}

#[test]
fn asked_to_end_it_ends_and_leaves_nothing_half_done() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let setup = from_scratch();
        let gate = Gate::default();
        let path = setup.release.archive_path();
        let good = setup.release.archive.reply();
        setup
            .server
            .route(&path, [good.clone().held(0.5, &gate), good]);
        let run = answer(&setup);
        setup.server.wait_for_requests(1);
        let kill = std::process::Command::new("kill")
            .args([format!("-{signal}"), run.id().to_string()])
            .status();
        assert!(kill.is_ok_and(|status| status.success()));
        let output = run.wait();
        // By the signal itself, or with the exit code that stands for it.
        assert!(output.code.is_none_or(|ended| ended == code), "{output}");
        assert!(!setup.place.uv().exists(), "{output}");
        assert_answered(answer(&setup));
        setup.assert_placed();
    }
}

#[test]
fn a_run_that_waited_in_vain_uses_the_python_that_is_there() {
    let setup = from_scratch();
    let gate = Gate::default();
    let path = setup.release.archive_path();
    let held = setup.release.archive.reply().held(0.5, &gate);
    setup.server.route(&path, [held]);
    let leader = answer(&setup);
    setup.server.wait_for_requests(1);
    setup
        .place
        .link("python3", &crate::support::python::real().path);
    setup
        .place
        .pi()
        .args(["python", "--code", "print(6 * 7)"])
        .env("PI_PROVISION_SECONDS", "1")
        .stdout("42\n")
        .stderr_any()
        .code(0);
    assert_eq!(setup.archive_requests(), 1);
    gate.open();
    assert_answered(leader);
}
