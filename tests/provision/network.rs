//! Mirrors, proxies and private certificate authorities.

use super::{Setup, assert_failed};
use crate::support::Place;
use crate::support::http::{Proxy, Reply, Server};
use crate::support::tls::Authority;

/// A place whose release is out of reach, so that only a mirror helps.
fn unreachable(release: &crate::support::artifacts::Release) -> Place {
    let mut place = Place::new();
    let nowhere = Server::new();
    release.pin_at(&mut place, &nowhere.url("/release"));
    place.set("PIP_INDEX_URL", nowhere.url("/simple"));
    place
}

#[cfg(unix)]
#[test]
fn a_mirror_is_asked_first_in_either_layout() {
    let setup = Setup::new();
    let release = &setup.release;
    for (path, file) in [
        (
            format!("/m/{}/{}", release.version, release.archive.name),
            &release.archive,
        ),
        (format!("/m/{}", release.archive.name), &release.archive),
        (
            format!("/m/{}/{}", release.version, release.wheel.name),
            &release.wheel,
        ),
        (format!("/m/{}", release.wheel.name), &release.wheel),
    ] {
        for base in ["/m", "/m/"] {
            let mirror = Server::new();
            mirror.route(&path, [file.reply()]);
            let setup = Setup::of(release.clone());
            setup
                .provision(&[])
                .env("PI_UV_MIRROR", mirror.url(base))
                .code(0);
            setup.assert_placed();
            assert_eq!(mirror.asked(&path).len(), 1, "{path}");
            assert_eq!(setup.archive_requests(), 0, "{path}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_is_a_mirror_by_path_and_by_address() {
    let setup = Setup::new();
    let release = &setup.release;
    for (name, file) in [
        (
            format!("{}/{}", release.version, release.archive.name),
            &release.archive,
        ),
        (release.archive.name.clone(), &release.archive),
        (release.wheel.name.clone(), &release.wheel),
    ] {
        for address in [false, true] {
            let place = unreachable(release);
            let dir = place.path().join("my mirror");
            place.write(dir.join(&name), &file.bytes);
            let mirror = if address {
                format!("file://{}", dir.to_str().unwrap().replace(' ', "%20"))
            } else {
                dir.to_str().unwrap().to_owned()
            };
            place
                .pi()
                .arg("provision")
                .env("PI_UV_MIRROR", mirror)
                .stderr_any()
                .code(0);
            assert!(place.uv().exists(), "{name}");
            assert!(dir.join(&name).exists(), "the mirror's own file is gone");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_serves_without_the_network() {
    let setup = Setup::new();
    let place = unreachable(&setup.release);
    let dir = place.path().join("m");
    place.write(
        dir.join(&setup.release.archive.name),
        &setup.release.archive.bytes,
    );
    place
        .pi()
        .args(["provision", "--offline"])
        .env("PI_UV_MIRROR", dir)
        .stderr_any()
        .code(0);
    assert!(place.uv().exists());
}

#[test]
fn the_digest_decides_in_a_folder_too() {
    let setup = Setup::new();
    let place = unreachable(&setup.release);
    let dir = place.path().join("m");
    let mut bytes = setup.release.archive.bytes.to_vec();
    bytes[20] ^= 1;
    place.write(dir.join(&setup.release.archive.name), bytes);
    let output = place
        .pi()
        .args(["provision", "--source", "archive"])
        .env("PI_UV_MIRROR", &dir)
        .stderr_any()
        .run();
    assert_failed(&output);
    output.says(&[&setup.release.archive.name, &setup.release.archive.sha256]);
    assert!(!place.uv().exists());
}

#[cfg(unix)]
#[test]
fn where_the_mirror_has_it_not_the_release_is_asked() {
    let setup = Setup::new();
    let mirror = Server::new();
    let output = setup
        .provision(&[])
        .env("PI_UV_MIRROR", mirror.url("/m"))
        .code(0);
    output.says(&["404"]);
    setup.assert_placed();
    assert!(!mirror.log().is_empty());
}

#[test]
fn a_mirror_that_is_no_address_is_named() {
    for mirror in ["ftp://127.0.0.1/m", "http://", "no/such/folder"] {
        let setup = Setup::new();
        let output = setup
            .provision(&["--source", "archive"])
            .env("PI_UV_MIRROR", mirror)
            .run();
        assert!(
            output.stderr.contains("PI_UV_MIRROR") || output.stderr.contains(mirror),
            "{output}"
        );
        output.lacks(&["panicked"]);
    }
}

/// A host that nobody can resolve: an answer proves that the proxy was asked.
const FAR_AWAY: &str = "http://releases.invalid/release";

#[cfg(unix)]
#[test]
fn the_proxy_variables_count_in_either_case() {
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        let mut setup = Setup::new();
        setup.release.pin_at(&mut setup.place, FAR_AWAY);
        let proxy = Proxy::to(&setup.server);
        setup
            .provision(&["--source", "archive"])
            .env(variable, proxy.url())
            .code(0);
        setup.assert_placed();
        let target = &proxy.log()[0].target;
        assert!(target.starts_with(FAR_AWAY), "{variable}: {target}");
    }
}

#[cfg(unix)]
#[test]
fn a_proxy_gets_its_login_and_nobody_sees_it() {
    let mut setup = Setup::new();
    setup.release.pin_at(&mut setup.place, FAR_AWAY);
    let proxy = Proxy::with_login(&setup.server, "me", "s3cret");
    let output = setup
        .provision(&["--source", "archive"])
        .env("http_proxy", proxy.url_with_login("me:s3cret"))
        .code(0);
    output.lacks(&["s3cret"]);
    setup.assert_placed();
}

#[test]
fn a_proxy_that_wants_a_login_is_said() {
    let mut setup = Setup::new();
    setup.release.pin_at(&mut setup.place, FAR_AWAY);
    let proxy = Proxy::with_login(&setup.server, "me", "s3cret");
    let output = setup
        .provision(&["--source", "archive"])
        .env("http_proxy", proxy.url())
        .run();
    assert_failed(&output);
    output.says(&["407", "releases.invalid"]);
    setup.assert_nothing_placed();
}

#[cfg(unix)]
#[test]
fn hosts_in_no_proxy_are_asked_directly() {
    let setup = Setup::new();
    let other = Server::new();
    let proxy = Proxy::to(&other);
    setup
        .provision(&["--source", "archive"])
        .env("HTTP_PROXY", proxy.url())
        .env("NO_PROXY", "localhost,127.0.0.1")
        .code(0);
    setup.assert_placed();
    assert!(proxy.log().is_empty());
}

#[test]
fn a_dead_proxy_is_named() {
    let mut setup = Setup::new();
    setup.release.pin_at(&mut setup.place, FAR_AWAY);
    let dead = Proxy::to(&setup.server).url();
    let output = setup
        .provision(&["--source", "archive"])
        .env("http_proxy", &dead)
        .run();
    assert_failed(&output);
    output.says(&["releases.invalid", "proxy"]);
}

/// A setup whose release is on a server that only the private authority vouches for.
fn private_setup() -> (Setup, Authority) {
    let authority = Authority::new();
    let mut setup = Setup::new();
    setup.server = Server::tls(authority.server.clone());
    setup.release.pin_in(&mut setup.place, &setup.server);
    setup.release.serve(&setup.server);
    setup.place.write("ca.pem", &authority.pem);
    (setup, authority)
}

#[test]
fn an_unknown_authority_is_named_with_what_helps() {
    let (setup, _authority) = private_setup();
    let output = setup.provision(&["--source", "archive"]).run();
    assert_failed(&output);
    output.says(&["certificate", "localhost", "SSL_CERT_FILE"]);
    assert_eq!(setup.archive_requests(), 0);
}

#[cfg(unix)]
#[test]
fn a_private_authority_is_trusted_through_a_file_or_a_folder() {
    let (setup, authority) = private_setup();
    // The way that `c_rehash` names the files of such a folder.
    setup.place.write("certificates/0a1b2c3d.0", &authority.pem);
    for (variable, value) in [
        ("SSL_CERT_FILE", "ca.pem"),
        ("SSL_CERT_DIR", "certificates"),
    ] {
        let (place, server) = (Place::new(), &setup.server);
        let mut place = place;
        setup.release.pin_in(&mut place, server);
        place
            .pi()
            .args(["provision", "--source", "archive"])
            .env(variable, setup.place.path().join(value))
            .stderr_any()
            .code(0);
        assert!(place.uv().exists(), "{variable}");
    }
}

#[cfg(unix)]
#[test]
fn a_certificate_file_that_is_missing_is_named() {
    let (setup, _authority) = private_setup();
    let output = setup
        .provision(&["--source", "archive"])
        .env("SSL_CERT_FILE", setup.place.path().join("no.pem"))
        .run();
    assert_failed(&output);
    output.says(&["SSL_CERT_FILE", "no.pem"]);
}

#[cfg(unix)]
#[test]
fn a_tunnel_through_a_proxy_keeps_the_certificate_check() {
    let (setup, _authority) = private_setup();
    let proxy = Proxy::to(&setup.server);
    let run = || {
        setup
            .provision(&["--source", "archive", "--force"])
            .env("HTTPS_PROXY", proxy.url())
    };
    assert_failed(&run().run());
    run()
        .env("SSL_CERT_FILE", setup.place.path().join("ca.pem"))
        .code(0);
    setup.assert_placed();
    assert!(
        proxy
            .log()
            .iter()
            .all(|request| request.method == "CONNECT")
    );
}

#[test]
fn a_port_where_nobody_listens_is_named() {
    let mut setup = Setup::new();
    let nowhere = Server::new().url("/release");
    setup.release.pin_at(&mut setup.place, &nowhere);
    let output = setup.provision(&["--source", "archive"]).run();
    assert_failed(&output);
    output.says(&["127.0.0.1", &setup.release.archive.name]);
}

#[cfg(unix)]
#[test]
fn a_reset_connection_is_tried_again() {
    let setup = Setup::new();
    let (path, good) = (setup.release.archive_path(), setup.release.archive.reply());
    setup
        .server
        .route(&path, [good.clone().short(0.0), Reply::hang_up(), good]);
    setup.provision(&["--source", "archive"]).code(0);
    setup.assert_placed();
    assert_eq!(setup.archive_requests(), 3);
}

#[cfg(unix)]
#[test]
fn one_bad_file_of_a_mirror_does_not_hide_the_others() {
    let page = || Reply::html("<!DOCTYPE html><title>Sign in</title>");
    let good = Setup::new().release;
    let bad: [(&str, Vec<Reply>); 6] = [
        ("other bytes", vec![good.archive.spoiled()]),
        ("a page", vec![page()]),
        ("a bad request", vec![Reply::status(400)]),
        ("a refusal with a page", vec![page().with_status(403)]),
        (
            "a server in trouble",
            vec![Reply::status(500).header("Retry-After", "0")],
        ),
        ("a circle", vec![Reply::redirect("#")]),
    ];
    for (what, replies) in bad {
        let wheel_flat = format!("/m/{}", good.wheel.name);
        let archives = [
            format!("/m/{}/{}", good.version, good.archive.name),
            format!("/m/{}", good.archive.name),
        ];
        // The wheel is the last that is asked for.
        let setup = Setup::of(good.clone());
        let mirror = Server::new();
        for path in &archives {
            mirror.route(path, replies.clone());
        }
        mirror.route(&wheel_flat, [good.wheel.reply()]);
        setup
            .provision(&[])
            .env("PI_UV_MIRROR", mirror.url("/m"))
            .code(0);
        setup.assert_placed();
        assert_eq!(setup.archive_requests(), 0, "{what}");
        if what == "other bytes" {
            for path in &archives {
                assert_eq!(mirror.asked(path).len(), 1, "{path}");
            }
        }
        // Nothing of it helps, and the release is asked.
        let setup = Setup::of(good.clone());
        let mirror = Server::new();
        for path in archives.iter().chain([&wheel_flat]) {
            mirror.route(path, replies.clone());
        }
        let output = setup
            .provision(&[])
            .env("PI_UV_MIRROR", mirror.url("/m"))
            .code(0);
        setup.assert_placed();
        assert_eq!(setup.archive_requests(), 1, "{what}\n{output}");
    }
}

#[test]
fn what_sent_another_file_is_not_asked_again_under_another_title() {
    let setup = Setup::new();
    let path = setup.release.archive_path();
    setup.server.route(&path, [setup.release.archive.spoiled()]);
    let output = setup
        .provision(&["--source", "archive"])
        .env("PI_UV_MIRROR", setup.server.url("/release"))
        .run();
    assert_failed(&output);
    assert_eq!(setup.archive_requests(), 1, "{output}");
    output.says(&["mirror ", "release ", "404", "not asked again"]);
}

#[cfg(unix)]
#[test]
fn a_folder_with_something_else_under_the_name_is_asked_for_the_rest() {
    let setup = Setup::new();
    let place = unreachable(&setup.release);
    let dir = place.path().join("m");
    std::fs::create_dir_all(dir.join(&setup.release.archive.name)).unwrap();
    place.write(
        dir.join(&setup.release.wheel.name),
        &setup.release.wheel.bytes,
    );
    let output = place
        .pi()
        .args(["provision", "--offline"])
        .env("PI_UV_MIRROR", &dir)
        .stderr_any()
        .code(0);
    output.says(&["it is a directory"]);
    assert!(place.uv().exists());
}

#[test]
fn a_forgotten_scheme_is_said_and_no_password_shown() {
    for mirror in [
        "me:s3cret@127.0.0.1/m",
        "s3cret@mirror.invalid",
        "http://me:s3cret@127.0.0.1:1/m",
    ] {
        let place = Place::new().with("PI_UV_MIRROR", mirror);
        let output = place
            .pi()
            .args(["provision", "--offline"])
            .stderr_any()
            .code(127);
        output.lacks(&["s3cret"]);
        if !mirror.starts_with("http") {
            output.says(&["PI_UV_MIRROR", "without `http://`"]);
        }
        for line in [
            &["settings"][..],
            &["settings", "--json"],
            &["doctor", "--offline"],
        ] {
            let output = place.pi().args(line).stderr_any().run();
            output.lacks(&["s3cret"]);
        }
    }
}
