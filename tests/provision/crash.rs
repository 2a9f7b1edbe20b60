//! Killed at any moment, the next start mends it by itself.

use std::fmt::Write as _;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::{Setup, uv_in};
use crate::support::artifacts::{self, FakeUv, Form, Release};
use crate::support::{Dice, Place};

/// Kills with a small uv and a small installation, which take tens of milliseconds.
const SMALL_ROUNDS: u64 = 42;
/// Kills with the real uv installing a real Python.
const REAL_ROUNDS: u64 = 8;
const SEED: u64 = 20_260_731;

/// Watches the final names: whatever bears one is whole at any moment.
fn watch(setup: &Setup, stop: &AtomicBool) -> usize {
    let whole = uv_in(&setup.release);
    let receipt = setup.place.agent_file("bin/uv.receipt.json");
    let cache = setup.place.agent_file("cache/python.json");
    let (mut looks, mut seen) = (0, None);
    while !stop.load(Ordering::SeqCst) {
        // Reading tens of megabytes again and again would slow down what is watched.
        let state = setup.place.uv().metadata().ok().map(|file| {
            let mode = file.permissions().mode() & 0o777;
            (file.ino(), file.len(), file.mtime_nsec(), mode)
        });
        if state.is_some() && state != seen {
            let uv = std::fs::read(setup.place.uv()).expect("uv is replaced, never taken away");
            assert!(uv == whole, "a half uv bears the final name: {}", uv.len());
        }
        seen = state;
        for file in [&receipt, &cache] {
            if let Ok(text) = std::fs::read_to_string(file) {
                let parsed = serde_json::from_str::<serde_json::Value>(&text);
                assert!(parsed.is_ok(), "{} is half: {text}", file.display());
            }
        }
        for python in pythons(&setup.place) {
            let whole = python.join("bin");
            let complete = std::fs::read_dir(&whole)
                .is_ok_and(|entries| entries.flatten().any(|entry| is_python(&entry.file_name())));
            assert!(complete, "{} is half a Python", python.display());
        }
        looks += 1;
        std::thread::sleep(Duration::from_micros(500));
    }
    looks
}

fn is_python(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().starts_with("python")
}

/// Installed Pythons, by their final names.
fn pythons(place: &Place) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(place.agent_file("runtimes/python")) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("cpython-"))
        .map(|entry| entry.path())
        .collect()
}

/// One round: starts on nothing, kills after `after`, and starts again.
fn round(setup: &Setup, after: Duration) -> bool {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(setup, &stop));
        let mut run = setup
            .place
            .pi()
            .args(["python", "--code", "print(6 * 7)"])
            .spawn();
        std::thread::sleep(after);
        let killed = !run.ended();
        run.kill();
        let output = setup
            .place
            .pi()
            .args(["--quiet", "python", "--code", "print(6 * 7)"])
            .run();
        stop.store(true, Ordering::SeqCst);
        let looks = watcher.join().expect("no half file bears a final name");
        assert!(looks > 0);
        output.ended_with(0);
        assert_eq!(output.stdout, "42\n", "killed after {after:?}\n{output}");
        setup.assert_placed();
        let leftovers: Vec<PathBuf> = setup
            .place
            .agent_files()
            .into_iter()
            .filter(|file| file.starts_with("bin"))
            .collect();
        assert_eq!(leftovers.len(), 2, "uv and its receipt: {leftovers:?}");
        killed
    })
}

/// A uv large enough that a half one could be seen, which takes its time to install.
fn large_uv() -> Release {
    let script = FakeUv::new()
        .installs()
        .first("case \"$*\" in *install*) sleep 0.05 ;; esac")
        .script();
    let mut dice = Dice::seeded(SEED);
    let mut padding = String::new();
    for _ in 0..40_000 {
        writeln!(padding, "#{:09}", dice.below(1_000_000_000)).expect("a string takes everything");
    }
    Release::of(format!("{script}exit 0\n{padding}").as_bytes(), Form::TarGz)
}

#[test]
fn killed_forty_two_times_with_a_small_uv() {
    let release = large_uv();
    let next = AtomicUsize::new(0);
    let killed = AtomicUsize::new(0);
    // Two at a time: most of a round is waiting.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst) as u64;
                    if number >= SMALL_ROUNDS {
                        break;
                    }
                    let setup = Setup::of(release.clone());
                    let piece = release.archive.bytes.len() / 12;
                    let slow = (release.archive.reply()).drip(piece, Duration::from_millis(8));
                    setup
                        .server
                        .route(&release.archive_path(), [slow, release.archive.reply()]);
                    let after = Dice::seeded(SEED + number).below(350);
                    killed.fetch_add(
                        usize::from(round(&setup, Duration::from_millis(after))),
                        Ordering::SeqCst,
                    );
                }
            });
        }
    });
    assert!(
        killed.load(Ordering::SeqCst) > 15,
        "most runs ended before they were killed: {killed:?}"
    );
}

#[test]
fn killed_eight_times_while_the_real_uv_installs_a_real_python() {
    let release = Release::of(artifacts::real_uv(), Form::TarGz);
    for number in 0..REAL_ROUNDS {
        let mut place = Place::new();
        let server = crate::support::http::Server::new();
        artifacts::serve_python(&mut place, &server);
        release.pin_in(&mut place, &server);
        release.serve(&server);
        place.set("PI_UV_SOURCE", "archive");
        let setup = Setup {
            place,
            server,
            release: release.clone(),
        };
        let after = 100 + Dice::seeded(SEED + 1000 + number).below(2_500);
        round(&setup, Duration::from_millis(after));
    }
}
