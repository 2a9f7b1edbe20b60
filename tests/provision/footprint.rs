//! What a call touches once everything is in place.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Setup;
use crate::support::artifacts::FakeUv;
use crate::support::python::real;
use crate::support::{Pi, Place};

/// Whether processes can be traced here; a container may forbid it.
fn can_trace() -> bool {
    let works = cfg!(target_os = "linux")
        && Command::new("strace")
            .args(["-f", "-o", "/dev/null", "true"])
            .output()
            .is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("LEFT OUT: strace can't run here");
    }
    works
}

/// Runs `pi` under strace and answers with the traced calls, one a line, unfinished ones joined.
fn trace(place: &Place, run: Pi) -> Vec<String> {
    let log = place.path().join("strace.log");
    run.through([
        which::which("strace").unwrap().into_os_string(),
        "-f".into(),
        "-qq".into(),
        "-s".into(),
        "4096".into(),
        "-e".into(),
        "trace=file,process,network".into(),
        "-o".into(),
        log.clone().into_os_string(),
    ])
    .stderr_any()
    .code(0);
    let text = std::fs::read_to_string(log).unwrap();
    join_unfinished(&text)
}

/// `1 open("a" <unfinished ...>` and a later `1 <... open resumed>) = 3` are one call.
fn join_unfinished(text: &str) -> Vec<String> {
    let mut calls: Vec<String> = Vec::new();
    let mut open: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for line in text.lines() {
        let Some((id, call)) = line.split_once(' ') else {
            continue;
        };
        let call = call.trim_start();
        if let Some(start) = call.strip_suffix(" <unfinished ...>") {
            open.insert(id.to_owned(), calls.len());
            calls.push(start.to_owned());
        } else if let Some((_, rest)) = call.split_once(" resumed>")
            && let Some(index) = open.remove(id)
        {
            calls[index] += rest;
        } else {
            calls.push(call.to_owned());
        }
    }
    calls
}

/// The programs that were started.
fn started(calls: &[String]) -> Vec<PathBuf> {
    calls
        .iter()
        .filter(|call| call.starts_with("execve(") && call.ends_with("= 0"))
        .map(|call| call.split('"').nth(1).unwrap().into())
        .collect()
}

/// The paths that were written, made, renamed or removed.
fn changed(calls: &[String]) -> Vec<PathBuf> {
    const CHANGES: &[&str] = &[
        "mkdir",
        "rename",
        "unlink",
        "rmdir",
        "symlink",
        "link",
        "truncate",
        "chmod",
        "fchmodat",
        "chown",
        "fchownat",
        "mknod",
        "creat",
        "utime",
        "setxattr",
        "lsetxattr",
        "removexattr",
    ];
    calls
        .iter()
        .filter(|call| !call.contains(") = -1 ") && !call.contains("= -1 E"))
        .filter(|call| {
            let name = call.split('(').next().unwrap();
            let opens = name.starts_with("open");
            let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];
            (opens && writes.iter().any(|flag| call.contains(flag)))
                || CHANGES.iter().any(|change| name.starts_with(change))
        })
        .flat_map(|call| {
            let paths: Vec<PathBuf> = call
                .split('"')
                .skip(1)
                .step_by(2)
                .map(PathBuf::from)
                .collect();
            // What a link points to is not touched.
            let first = usize::from(call.starts_with("symlink"));
            paths[first..].to_vec()
        })
        .collect()
}

/// A device or a process's own view of itself is not a file that was written.
fn is_nobodys(path: &Path) -> bool {
    ["/dev/null", "/dev/tty", "/proc/self/", "/proc/thread-self/"]
        .iter()
        .any(|prefix| path.starts_with(prefix) || path.to_string_lossy().starts_with(prefix))
}

#[track_caller]
fn assert_small(place: &Place, calls: &[String], programs: &[&Path]) {
    let started = started(calls);
    // The first is `pi`, started by strace.
    assert_eq!(
        started[1..]
            .iter()
            .map(PathBuf::as_path)
            .collect::<Vec<_>>(),
        programs
    );
    let network: Vec<&String> = calls
        .iter()
        .filter(|call| call.contains("AF_INET") || call.starts_with("connect("))
        .collect();
    assert_eq!(network, Vec::<&String>::new(), "the network was used");
    let outside: Vec<PathBuf> = changed(calls)
        .into_iter()
        .filter(|path| !path.starts_with(place.agent()) && !is_nobodys(path))
        .collect();
    assert_eq!(
        outside,
        Vec::<PathBuf>::new(),
        "written outside the agent directory"
    );
}

#[test]
fn a_cached_run_starts_python_alone_and_writes_nothing_elsewhere() {
    if !can_trace() {
        return;
    }
    let place = Place::new();
    place.link("python3", &real().path);
    place.script("bin/uv", &FakeUv::new().script());
    place.pi().arg("provision").stderr_any().code(0);
    let calls = trace(&place, place.pi().args(["python", "--code", "pass"]));
    assert_small(&place, &calls, &[&real().path]);
}

#[test]
fn a_run_on_what_pi_installed_starts_python_alone_too() {
    if !can_trace() {
        return;
    }
    let setup = Setup::of(FakeUv::new().installs().release());
    setup.provision(&[]).code(0);
    let seen = setup.server.log().len();
    let calls = trace(
        &setup.place,
        setup.place.pi().args(["python", "--code", "pass"]),
    );
    let programs = started(&calls);
    assert_eq!(programs.len(), 2, "{programs:?}");
    assert_small(&setup.place, &calls, &[&programs[1]]);
    assert!(programs[1].starts_with(setup.place.agent()));
    assert_eq!(setup.server.log().len(), seen);
}

#[test]
fn getting_everything_writes_nothing_outside_the_agent_directory() {
    if !can_trace() {
        return;
    }
    let setup = Setup::of(FakeUv::new().installs().release());
    let calls = trace(&setup.place, setup.place.pi().arg("provision"));
    let outside: Vec<PathBuf> = changed(&calls)
        .into_iter()
        // What the fake uv's shell does with relative names happens in its working directory.
        .filter(|path| path.is_absolute())
        .filter(|path| !path.starts_with(setup.place.agent()) && !is_nobodys(path))
        .collect();
    assert_eq!(outside, Vec::<PathBuf>::new());
}

#[test]
fn help_and_version_touch_nothing() {
    let place = Place::new();
    for args in [["--help"], ["--version"], ["help"]] {
        place.pi().args(args).code(0);
    }
    place
        .pi()
        .args(["python", "--help"])
        .stdout_has("Exit codes")
        .code(0);
    assert!(!place.agent().exists());
}

/// The harness's own test.
#[test]
fn calls_that_were_interrupted_are_joined() {
    let calls = join_unfinished(
        "1 openat(AT_FDCWD, \"/a\", O_RDWR <unfinished ...>\n2 execve(\"/b\", [\"b\"]) = 0\n1 <... openat resumed>) = 3\n3 mkdir(\"/c\", 0700) = -1 EEXIST (File exists)\n",
    );
    assert_eq!(changed(&calls), [PathBuf::from("/a")]);
    assert_eq!(started(&calls), [PathBuf::from("/b")]);
}
