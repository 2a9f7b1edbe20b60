//! The wheel on the Python package index that the machine is set up for.

use super::{Setup, assert_failed};
use crate::support::http::{Reply, Server};
use crate::support::pi::exe;

#[cfg(unix)]
#[test]
fn an_index_of_pages_is_read() {
    let setup = Setup::new();
    setup.release.serve_index(&setup.server);
    setup.provision(&["--source", "index"]).code(0);
    setup.assert_placed();
    assert_eq!(setup.archive_requests(), 0);
    assert_eq!(setup.server.asked(&setup.release.wheel_path()).len(), 1);
}

#[cfg(unix)]
#[test]
fn an_index_of_json_is_read() {
    let setup = Setup::new();
    setup.release.serve_json_index(&setup.server);
    setup.provision(&["--source", "index"]).code(0);
    setup.assert_placed();
}

/// An index whose every answer asks for a login.
#[cfg(unix)]
fn locked_index(setup: &Setup, json: bool) {
    if json {
        setup.release.serve_json_index(&setup.server);
    } else {
        setup.release.serve_index(&setup.server);
    }
    setup.server.lock_all("user", "pa ss");
}

#[cfg(unix)]
#[test]
fn a_login_in_the_address_is_used_and_never_shown() {
    for json in [false, true] {
        let setup = Setup::new();
        locked_index(&setup, json);
        let output = setup
            .provision(&["--source", "index"])
            .env(
                "PIP_INDEX_URL",
                setup.server.url_with_login("user:pa%20ss", "/simple/"),
            )
            .code(0);
        output.lacks(&["pa%20ss", "pa ss"]);
        setup.assert_placed();
        let receipt =
            std::fs::read_to_string(setup.place.agent_file("bin/uv.receipt.json")).unwrap();
        assert!(!receipt.contains("pa%20ss"), "{receipt}");
    }
}

#[cfg(unix)]
#[test]
fn a_login_in_netrc_is_used() {
    for own_file in [false, true] {
        let mut setup = Setup::new();
        locked_index(&setup, false);
        let netrc = "# comment\nmachine other.invalid login x password y\n\
                     machine 127.0.0.1\n  login user\n  password \"pa ss\"\n";
        if own_file {
            let file = setup.place.write("netrc of mine", netrc);
            setup.place.set("NETRC", file);
        } else {
            setup.place.write("home/.netrc", netrc);
        }
        setup.provision(&["--source", "index"]).code(0);
        setup.assert_placed();
    }
}

#[test]
fn a_missing_login_is_said() {
    let setup = Setup::new();
    setup.server.otherwise(Reply::status(401));
    let output = setup.provision(&["--source", "index"]).run();
    assert_failed(&output);
    output.says(&["401", "127.0.0.1"]);
}

#[cfg(unix)]
#[test]
fn every_way_to_name_an_index_counts() {
    let ways: &[(&str, bool)] = &[
        ("UV_DEFAULT_INDEX", true),
        ("UV_INDEX_URL", true),
        ("PIP_INDEX_URL", true),
        ("PIP_EXTRA_INDEX_URL", false),
    ];
    for (variable, alone) in ways {
        let setup = Setup::new();
        setup.release.serve_index(&setup.server);
        // An index that knows nothing stands before the extra ones.
        let empty = Server::new();
        let mut run = setup
            .provision(&["--source", "index"])
            .env_remove("PIP_INDEX_URL");
        if !alone {
            run = run.env("PIP_INDEX_URL", empty.url("/simple"));
        }
        let address = if *variable == "UV_DEFAULT_INDEX" {
            format!("mine={}", setup.server.url("/simple"))
        } else {
            setup.server.url("/simple/")
        };
        run.env(*variable, address).code(0);
        setup.assert_placed();
    }
}

#[cfg(unix)]
#[test]
fn the_configuration_files_of_pip_count() {
    let files = [
        "home/.config/pip/pip.conf",
        "home/.pip/pip.conf",
        "elsewhere/pip.conf",
    ];
    for file in files {
        let setup = Setup::new();
        setup.release.serve_index(&setup.server);
        let path = setup.place.write(
            file,
            format!(
                "[global]\ntimeout = 60\nindex-url = {}\n",
                setup.server.url("/simple")
            ),
        );
        let mut run = setup
            .provision(&["--source", "index"])
            .env_remove("PIP_INDEX_URL");
        if file.starts_with("elsewhere") {
            run = run.env("PIP_CONFIG_FILE", path);
        }
        run.code(0);
        setup.assert_placed();
    }
}

#[test]
fn only_the_pinned_digest_is_trusted() {
    let setup = Setup::new();
    setup.release.serve_index(&setup.server);
    // The page and the file agree with each other, and not with the pin.
    let spoiled = setup.release.wheel.spoiled();
    setup.server.route(&setup.release.wheel_path(), [spoiled]);
    let output = setup.provision(&["--source", "index"]).run();
    assert_failed(&output);
    output.says(&[&setup.release.wheel.name, &setup.release.wheel.sha256]);
    assert_eq!(setup.server.asked(&setup.release.wheel_path()).len(), 1);
    setup.assert_nothing_placed();
}

#[cfg(unix)]
#[test]
fn a_page_that_names_another_digest_can_not_talk_pi_out_of_the_right_file() {
    let setup = Setup::new();
    setup.release.serve_index(&setup.server);
    let page = format!(
        "<a href='{}#sha256={}'>{}</a>",
        setup.release.wheel_path(),
        "f".repeat(64),
        setup.release.wheel.name
    );
    setup.server.route("/simple/uv/", [Reply::html(&page)]);
    setup.provision(&["--source", "index"]).code(0);
    setup.assert_placed();
}

#[test]
fn an_index_without_the_pinned_file_is_named() {
    let setup = Setup::new();
    setup.server.route(
        "/simple/uv/",
        [Reply::html("<a href='uv-0.1.0.tar.gz'>uv-0.1.0.tar.gz</a>")],
    );
    let output = setup.provision(&["--source", "index"]).run();
    assert_failed(&output);
    output.says(&[&setup.release.wheel.name, "127.0.0.1"]);
    setup.assert_nothing_placed();
}

#[test]
fn an_index_that_breaks_is_named() {
    let broken = [
        Reply::file("{\"files\": [{]").content_type("application/vnd.pypi.simple.v1+json"),
        Reply::file([0xFF_u8; 64]).content_type("text/html"),
        Reply::html("<html><body><form>Please sign in</form>"),
        Reply::status(404),
    ];
    for reply in broken {
        let setup = Setup::new();
        setup.server.route("/simple/uv/", [reply]);
        let output = setup.provision(&["--source", "index"]).run();
        assert_failed(&output);
        output.says(&["127.0.0.1"]);
        setup.assert_nothing_placed();
        assert!(!setup.place.agent().join("bin").join(exe("uv")).exists());
    }
}

#[cfg(unix)]
#[test]
fn an_index_that_pip_may_not_ask_is_not_asked() {
    let setup = Setup::new();
    setup.release.serve_index(&setup.server);
    let index = setup.server.url("/simple");
    let config = setup.place.write(
        "pip.conf",
        format!("[global]\nindex-url = {index}\nno-index = true\n"),
    );
    let output = setup
        .provision(&["--source", "index"])
        .env_remove("PIP_INDEX_URL")
        .env("PIP_CONFIG_FILE", config)
        .run();
    super::assert_failed(&output);
    let output = setup
        .provision(&["--source", "index"])
        .env("PIP_NO_INDEX", "1")
        .run();
    super::assert_failed(&output);
    assert!(setup.server.log().is_empty(), "{:?}", setup.server.log());
}
