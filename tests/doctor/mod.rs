//! `pi doctor`: what it reports, what it repairs, and what it leaves to a person.

use serde_json::Value;

use crate::support::Place;
use crate::support::http::Server;
#[cfg(unix)]
use crate::support::{Output, artifacts::FakeUv, python::real};

/// A place in which nothing can be had: no uv, no Python, and servers that know nothing.
fn bare() -> Place {
    let mut place = Place::new();
    place.set("PI_OFFLINE", "1");
    place
}

/// Checks the report's shape and answers with its checks.
#[track_caller]
fn checks(report: &Value) -> Vec<Value> {
    assert!(report["ok"].is_boolean(), "{report}");
    let checks = report["checks"].as_array().expect("checks").clone();
    assert!(!checks.is_empty());
    for check in &checks {
        for field in ["id", "label", "detail"] {
            let text = check[field].as_str();
            assert!(
                text.is_some_and(|text| !text.is_empty()),
                "{field} in {check}"
            );
        }
        let kind = check["kind"].as_str().unwrap();
        assert!(["managed", "system"].contains(&kind), "{check}");
        let status = check["status"].as_str().unwrap();
        assert!(
            ["ok", "repaired", "missing", "warning"].contains(&status),
            "{check}"
        );
        let guide = check["guide"].as_array().expect("a guide");
        assert!(guide.iter().all(Value::is_string), "{check}");
        if status == "missing" {
            assert!(
                !guide.is_empty(),
                "what is missing comes with what to do: {check}"
            );
        }
    }
    let mut ids: Vec<_> = checks
        .iter()
        .map(|check| check["id"].as_str().unwrap())
        .collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "an id stands twice");
    let missing = checks.iter().any(|check| check["status"] == "missing");
    assert_eq!(report["ok"], !missing, "{report}");
    checks
}

/// The check whose id has this word in it.
#[cfg(unix)]
#[track_caller]
fn check(report: &Value, word: &str) -> Value {
    checks(report)
        .into_iter()
        .find(|check| check["id"].as_str().unwrap().contains(word))
        .unwrap_or_else(|| panic!("no check on {word} in {report:#}"))
}

#[test]
fn with_nothing_there_it_is_1_and_says_what_a_person_must_do() {
    let place = bare();
    let output = place.pi().args(["doctor", "--json"]).stderr_any().code(1);
    let report = output.json();
    checks(&report);
    assert_eq!(report["ok"], false);
    let text = place.pi().arg("doctor").stderr_any().code(1);
    assert!(text.stdout.contains("missing"), "{text}");
}

#[test]
fn no_install_touches_nothing() {
    let mut place = Place::new();
    let server = Server::new();
    let nothing = server.url("/release");
    let pins = serde_json::json!({
        "version": crate::support::artifacts::uv_version(),
        "archives": {"base": nothing, "files": {}},
        "wheels": [],
    });
    let pins = place.write("pins.json", pins.to_string());
    place.set("PI_UV_PINS", pins);
    place.set("PIP_INDEX_URL", server.url("/simple"));
    let output = place
        .pi()
        .args(["doctor", "--json", "--no-install"])
        .stderr_any()
        .code(1);
    checks(&output.json());
    assert!(server.log().is_empty(), "{:?}", server.log());
    assert!(!place.uv().exists());
}

/// A place with a release that installs a small Python.
#[cfg(unix)]
fn healthy() -> (Place, Server) {
    let mut place = Place::new();
    let server = Server::new();
    let release = FakeUv::new().installs().release();
    release.pin_in(&mut place, &server);
    release.serve(&server);
    place.set("PI_UV_SOURCE", "archive");
    (place, server)
}

#[cfg(unix)]
fn doctor(place: &Place, code: i32) -> (Value, Output) {
    let output = place
        .pi()
        .args(["doctor", "--json"])
        .stderr_any()
        .code(code);
    (output.json(), output)
}

#[cfg(unix)]
#[test]
fn it_installs_what_is_missing_and_says_so() {
    let (place, _server) = healthy();
    let (report, output) = doctor(&place, 0);
    assert_eq!(report["ok"], true, "{output}");
    for what in ["uv", "python"] {
        assert_eq!(
            check(&report, what)["status"],
            "repaired",
            "{what}: {output}"
        );
    }
    assert!(place.uv().exists());
    let (report, output) = doctor(&place, 0);
    for what in ["uv", "python"] {
        assert_eq!(check(&report, what)["status"], "ok", "{what}: {output}");
    }
    let text = place.pi().arg("doctor").stderr_any().code(0);
    assert!(
        text.stdout
            .contains(&crate::support::artifacts::uv_version()),
        "{text}"
    );
    assert!(text.stdout.contains(&real().version), "{text}");
}

#[cfg(unix)]
#[test]
fn a_uv_that_was_tampered_with_is_found_by_its_digest_and_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let (place, server) = healthy();
    doctor(&place, 0);
    let good = std::fs::read(place.uv()).unwrap();
    let mut bad = good.clone();
    bad.extend_from_slice(b"\n# one line more\n");
    std::fs::write(place.uv(), &bad).unwrap();
    std::fs::set_permissions(place.uv(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let untouched = place
        .pi()
        .args(["doctor", "--json", "--no-install"])
        .stderr_any()
        .run();
    let found = check(&untouched.json(), "uv");
    assert_ne!(found["status"], "ok", "{found}");
    assert!(
        std::fs::read(place.uv()).unwrap() == bad,
        "--no-install repaired"
    );
    let (report, output) = doctor(&place, 0);
    assert_eq!(check(&report, "uv")["status"], "repaired", "{output}");
    assert!(std::fs::read(place.uv()).unwrap() == good);
    assert_eq!(server.log().len(), 2);
}

#[cfg(unix)]
#[test]
fn a_broken_receipt_is_mended() {
    let (place, _server) = healthy();
    doctor(&place, 0);
    let receipt = place.agent_file("bin/uv.receipt.json");
    for content in ["", "garbage", "{\"version\": 7}", "[]"] {
        std::fs::write(&receipt, content).unwrap();
        // It is no obstacle to work.
        place
            .pi()
            .args(["--quiet", "python", "--code", "print(6 * 7)"])
            .stdout("42\n")
            .code(0);
        doctor(&place, 0);
        let mended = std::fs::read_to_string(&receipt).unwrap();
        assert!(
            mended.contains(&crate::support::artifacts::uv_version()),
            "{mended}"
        );
    }
}

#[cfg(unix)]
#[test]
fn it_lifts_a_remembered_failure() {
    use crate::support::http::Reply;
    let (place, server) = healthy();
    let release = FakeUv::new().installs().release();
    server.route(&release.archive_path(), [Reply::status(403)]);
    place.pi().arg("provision").stderr_any().code(127);
    release.serve(&server);
    doctor(&place, 0);
}

#[cfg(unix)]
#[test]
fn an_interpreter_that_is_gone_is_found_and_replaced() {
    let (place, _server) = healthy();
    doctor(&place, 0);
    std::fs::remove_dir_all(place.agent_file("runtimes/python")).unwrap();
    let untouched = place
        .pi()
        .args(["doctor", "--json", "--no-install"])
        .stderr_any()
        .code(1);
    assert_ne!(check(&untouched.json(), "python")["status"], "ok");
    let (report, output) = doctor(&place, 0);
    assert_eq!(check(&report, "python")["status"], "repaired", "{output}");
}

#[cfg(unix)]
#[test]
fn update_asks_uv_for_the_newest_patch_and_reports() {
    let mut place = Place::new();
    let server = Server::new();
    let log = place.path().join("uv.log");
    let release = FakeUv::new().installs().logs_to(&log).release();
    release.pin_in(&mut place, &server);
    release.serve(&server);
    doctor(&place, 0);
    let output = place.pi().args(["update", "--json"]).stderr_any().code(0);
    checks(&output.json());
    let calls = std::fs::read_to_string(log).unwrap();
    let upgrade = format!("python upgrade {}", real().minor());
    assert!(calls.contains(&upgrade), "{calls}");
    assert_eq!(server.log().len(), 1, "the pinned uv was already there");
}

#[cfg(unix)]
#[test]
fn open_permissions_are_closed() {
    use std::os::unix::fs::PermissionsExt;
    let (place, _server) = healthy();
    doctor(&place, 0);
    std::fs::set_permissions(place.agent(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let untouched = place
        .pi()
        .args(["doctor", "--no-install"])
        .stderr_any()
        .run();
    assert!(untouched.stdout.contains("chmod 700"), "{untouched}");
    doctor(&place, 0);
    let mode = place.agent().metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700);
}

#[cfg(unix)]
#[test]
fn it_reports_what_steers_the_network() {
    let (place, _server) = healthy();
    let output = place
        .pi()
        .args(["doctor", "--no-install"])
        .env("HTTPS_PROXY", "http://me:s3cret@proxy.invalid:3128")
        .env("SSL_CERT_FILE", "/nowhere/ca.pem")
        .env("PI_OFFLINE", "1")
        .stderr_any()
        .run();
    for part in [
        "proxy.invalid",
        "SSL_CERT_FILE",
        "/nowhere/ca.pem",
        "offline",
    ] {
        assert!(output.stdout.contains(part), "{part}\n{output}");
    }
    output.lacks(&["s3cret"]);
}

#[cfg(unix)]
#[test]
fn leftovers_and_strangers_are_named() {
    let (place, _server) = healthy();
    doctor(&place, 0);
    place.write("agent/bin/.new-abc123", "half a download");
    place.write("agent/bin/stranger", "who am I");
    let output = place
        .pi()
        .args(["doctor", "--no-install"])
        .stderr_any()
        .run();
    assert!(output.stdout.contains("stranger"), "{output}");
    assert!(
        place.agent_file("bin/stranger").exists(),
        "it is somebody's"
    );
}

#[cfg(unix)]
#[test]
fn it_measures_the_start_and_the_free_space() {
    let (place, _server) = healthy();
    let (report, output) = doctor(&place, 0);
    let details = checks(&report)
        .iter()
        .map(|check| format!("{} {}", check["label"], check["detail"]))
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        details.contains(" ms"),
        "the start of the interpreter\n{output}"
    );
    assert!(
        details.to_lowercase().contains("free"),
        "free space\n{output}"
    );
}

#[cfg(unix)]
#[test]
fn json_is_alone_on_standard_output() {
    let (place, _server) = healthy();
    let output = place.pi().args(["doctor", "--json"]).stderr_any().code(0);
    assert!(output.stdout.trim_start().starts_with('{'));
    assert!(output.stdout.ends_with("}\n"));
    output.json();
}

/// Puts something of the wrong kind under a name of the agent directory.
#[cfg(unix)]
fn misplace(place: &Place, name: &str, directory: bool) {
    let path = place.agent_file(name);
    if path.is_dir() {
        std::fs::remove_dir_all(&path).unwrap();
    } else {
        let _ = std::fs::remove_file(&path);
    }
    if directory {
        place.write(path.join("precious"), "somebody's");
    } else {
        place.write(path, "somebody's");
    }
}

#[cfg(unix)]
#[test]
fn what_is_of_another_kind_than_its_name_says_is_set_aside_and_kept() {
    for (name, directory) in [
        ("bin/uv", true),
        ("bin/uv.receipt.json", true),
        ("cache/python.json", true),
        ("state/provision.failure.json", true),
        ("bin", false),
        ("state", false),
        ("runtimes", false),
        ("runtimes/python", false),
        ("cache", false),
        ("cache/uv", false),
    ] {
        let (place, _server) = healthy();
        misplace(&place, name, directory);
        let path = place.agent_file(name);
        let untouched = place
            .pi()
            .args(["doctor", "--json", "--no-install"])
            .stderr_any()
            .run();
        let told = check(&untouched.json(), "misplaced");
        assert_eq!(told["status"], "warning", "{told}");
        assert!(
            told["detail"]
                .as_str()
                .unwrap()
                .contains(path.to_str().unwrap())
        );
        assert_eq!(path.is_dir(), directory, "--no-install changed {name}");
        let (report, output) = doctor(&place, 0);
        assert_eq!(
            check(&report, "misplaced")["status"],
            "repaired",
            "{output}"
        );
        for what in ["uv", "python"] {
            assert_eq!(
                check(&report, what)["status"],
                "repaired",
                "{name}\n{output}"
            );
        }
        let start = format!("{}.set-aside-", path.file_name().unwrap().to_str().unwrap());
        let aside = std::fs::read_dir(path.parent().unwrap())
            .unwrap()
            .flatten()
            .find(|entry| entry.file_name().to_string_lossy().starts_with(&start))
            .unwrap_or_else(|| panic!("{name} was not kept"))
            .path();
        let kept = if directory {
            aside.join("precious")
        } else {
            aside
        };
        assert_eq!(
            std::fs::read_to_string(kept).unwrap(),
            "somebody's",
            "{name}"
        );
        let (report, output) = doctor(&place, 0);
        assert_eq!(check(&report, "misplaced")["status"], "ok", "{output}");
    }
}

#[cfg(unix)]
#[test]
fn a_directory_in_place_of_the_memory_is_set_aside_by_a_run() {
    let (place, _server) = healthy();
    misplace(&place, "cache/python.json", true);
    let run = || {
        place
            .pi()
            .args(["python", "--code", "print(6 * 7)"])
            .stdout("42\n")
    };
    run().stderr_any().code(0).says(&["set-aside"]);
    run().stderr("").code(0);
}

#[cfg(unix)]
#[test]
fn a_file_in_the_way_is_named() {
    for name in ["bin", "runtimes"] {
        let (place, _server) = healthy();
        misplace(&place, name, false);
        let output = place
            .pi()
            .args(["python", "--code", "print(6 * 7)"])
            .stderr_any()
            .code(127);
        let file = format!("`{}`", place.agent_file(name).display());
        output.says(&[&file, "is in the way", "pi doctor"]);
    }
    for name in ["state", "cache"] {
        let (place, _server) = healthy();
        misplace(&place, name, false);
        let output = place
            .pi()
            .args(["python", "--code", "print(6 * 7)"])
            .stdout("42\n")
            .stderr_any()
            .code(0);
        let file = format!("`{}`", place.agent_file(name).display());
        output.says(&[&file]);
    }
}
