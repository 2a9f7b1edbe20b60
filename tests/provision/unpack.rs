//! Archives that fit their digest and still can't be trusted.

use super::{Setup, assert_failed, uv_in};
use crate::support::artifacts::{finish, gz, tar_gz, targets, zip};

/// Provisions from this archive, which must be refused, and nothing may come of it.
#[track_caller]
fn assert_refused(what: &str, archive: Vec<u8>) -> crate::support::Output {
    let setup = Setup::new();
    let release = setup.release.clone().with_archive(archive);
    let setup = Setup::of(release);
    let before = crate::support::pi::files_below(setup.place.path());
    let output = setup.provision(&["--source", "archive"]).run();
    assert_failed(&output);
    assert!(
        output.stderr.contains("archive") || output.stderr.contains(&setup.release.archive.name),
        "{what}: {output}"
    );
    setup.assert_nothing_placed();
    let strangers: Vec<_> = crate::support::pi::files_below(setup.place.path())
        .into_iter()
        .filter(|file| !file.starts_with("agent") && !before.contains(file))
        .collect();
    assert_eq!(
        strangers,
        Vec::<std::path::PathBuf>::new(),
        "{what} left files"
    );
    output
}

fn inside(name: &str) -> String {
    format!("uv-{}/{name}", targets()[0])
}

/// A tar.gz with one entry that the builder would refuse to write, its name set byte by byte.
fn tar_with_raw_name(name: &str, kind: tar::EntryType, link: Option<&str>) -> Vec<u8> {
    let mut builder = tar::Builder::new(gz());
    let mut header = tar::Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o755);
    let body: &[u8] = if kind.is_file() { b"#!/bin/sh\n" } else { b"" };
    header.set_size(body.len() as u64);
    if let Some(link) = link.filter(|link| !link.is_empty()) {
        header.set_link_name(link).unwrap();
    }
    header.set_cksum();
    builder.append(&header, body).unwrap();
    finish(builder)
}

#[cfg(unix)]
#[test]
fn a_way_out_of_the_archive_is_refused() {
    for name in ["../uv", "uv-x/../../uv", "/uv", "uv-x/../../../cwd/uv"] {
        let archive = tar_with_raw_name(name, tar::EntryType::Regular, None);
        assert_refused(name, archive);
    }
}

#[cfg(unix)]
#[test]
fn links_in_place_of_the_program_are_refused() {
    for kind in [tar::EntryType::Symlink, tar::EntryType::Link] {
        for target in ["/bin/sh", "../../elsewhere"] {
            let archive = tar_with_raw_name(&inside("uv"), kind, Some(target));
            assert_refused(target, archive);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_directory_or_a_device_in_place_of_the_program_is_refused() {
    for kind in [
        tar::EntryType::Directory,
        tar::EntryType::Fifo,
        tar::EntryType::Char,
    ] {
        let archive = tar_with_raw_name(&inside("uv"), kind, None);
        assert_refused("a special file", archive);
    }
}

#[cfg(unix)]
#[test]
fn two_programs_of_one_name_are_refused() {
    let setup = Setup::new();
    let uv = uv_in(&setup.release);
    let name = inside("uv");
    let output = assert_refused("twice", tar_gz(&[(&name, &uv), (&name, b"another")]));
    output.says(&["uv"]);
}

#[cfg(unix)]
#[test]
fn an_archive_without_the_program_is_refused() {
    let output = assert_refused("empty", tar_gz(&[(&inside("README"), b"hello")]));
    output.says(&["uv"]);
}

#[test]
fn what_is_no_archive_at_all_is_refused() {
    assert_refused("words", b"these are only words".to_vec());
    assert_refused("nothing", Vec::new());
}

#[cfg(unix)]
#[test]
fn an_archive_that_breaks_off_is_refused() {
    let setup = Setup::new();
    let whole = setup.release.archive.bytes.to_vec();
    assert_refused("half", whole[..whole.len() / 2].to_vec());
}

#[cfg(unix)]
#[test]
fn a_size_that_can_not_be_true_is_refused() {
    let mut builder = tar::Builder::new(gz());
    let mut header = tar::Header::new_gnu();
    header.set_path(inside("uv")).unwrap();
    header.set_mode(0o755);
    header.set_size(1 << 40);
    header.set_cksum();
    builder.append(&header, &b"#!/bin/sh\n"[..]).unwrap();
    assert_refused("a tebibyte", finish(builder));
}

#[cfg(unix)]
#[test]
fn a_flood_is_refused_before_the_disk_is_full() {
    // Zeros pack a thousandfold; uv is tens of megabytes.
    let flood = vec![0_u8; 768 << 20];
    let archive = tar_gz(&[(&inside("uv"), &flood)]);
    assert!(archive.len() < 8 << 20);
    drop(flood);
    assert_refused("zeros", archive);
}

#[cfg(unix)]
#[test]
fn a_zip_is_held_to_the_same() {
    let mut setup = Setup::new();
    let uv = uv_in(&setup.release);
    let bad: Vec<(&str, Vec<u8>)> = vec![
        ("a way out", zip(&[("../uv", &uv)])),
        ("an absolute way", zip(&[("/uv", &uv)])),
        ("a backslash", zip(&[("..\\uv", &uv)])),
        ("no uv", zip(&[("README", b"hello")])),
        ("words", b"PK\x03\x04 and so on".to_vec()),
    ];
    for (what, bytes) in bad {
        let mut release = setup.release.clone().with_archive(bytes);
        release.archive.name = release.archive.name.replace(".tar.gz", ".zip");
        setup = Setup::of(release);
        let output = setup.provision(&["--source", "archive"]).run();
        assert_failed(&output);
        assert!(!setup.place.uv().exists(), "{what}: {output}");
        setup.assert_nothing_placed();
    }
}

#[cfg(unix)]
#[test]
fn only_the_program_leaves_the_archive() {
    let setup = Setup::new();
    let uv = uv_in(&setup.release);
    let files: [(&str, &[u8]); 3] = [
        (&inside("README.md"), b"words"),
        (&inside("uv"), &uv),
        (&inside("extra/tool"), b"#!/bin/sh\n"),
    ];
    let setup = Setup::of(setup.release.clone().with_archive(tar_gz(&files)));
    setup.provision(&["--source", "archive"]).code(0);
    setup.assert_placed();
}
