//! Getting Python onto the machine.

mod download;
mod index;
mod input;
mod network;
mod offline;
mod unpack;

#[cfg(unix)]
mod crash;
#[cfg(unix)]
mod footprint;
#[cfg(unix)]
mod interpreter;
#[cfg(unix)]
mod journey;
#[cfg(unix)]
mod owners;
#[cfg(unix)]
mod steering;
#[cfg(unix)]
mod termux;
#[cfg(unix)]
mod together;

use crate::support::artifacts::Release;
use crate::support::http::Server;
use crate::support::{Output, Place};

/// A place that is told to use a release of a small uv, and the server that has it.
struct Setup {
    place: Place,
    server: Server,
    release: Release,
}

impl Setup {
    /// The release's archive is pinned under `/release` of the server, which serves it well. The index that the place
    /// is set up for is the same server, which does not know it before [`Release::serve_index`].
    fn new() -> Self {
        Self::of(small_release())
    }

    fn of(release: Release) -> Self {
        Self::at(Place::new(), release)
    }

    fn at(mut place: Place, release: Release) -> Self {
        let server = Server::new();
        release.pin_in(&mut place, &server);
        release.serve(&server);
        place.set("PIP_INDEX_URL", server.url("/simple"));
        Self {
            place,
            server,
            release,
        }
    }

    /// `pi provision` with these arguments more.
    fn provision(&self, args: &[&str]) -> crate::support::Pi {
        self.place.pi().arg("provision").args(args).stderr_any()
    }

    /// How often the archive was asked for.
    fn archive_requests(&self) -> usize {
        self.server.asked(&self.release.archive_path()).len()
    }

    /// The managed uv is the release's, executable, with a receipt beside it, and nothing else lies there.
    #[track_caller]
    fn assert_placed(&self) {
        let placed = std::fs::read(self.place.uv()).expect("uv is in its place");
        assert_eq!(placed.len(), uv_in(&self.release).len());
        assert!(placed == uv_in(&self.release), "the placed uv is another");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = self.place.uv().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o100, 0o100, "uv is not executable: {mode:o}");
        }
        let receipt = std::fs::read_to_string(self.place.agent_file("bin/uv.receipt.json"))
            .expect("a receipt lies beside uv");
        let receipt: serde_json::Value = serde_json::from_str(&receipt).expect("it is JSON");
        assert_eq!(receipt["version"], self.release.version);
        self.assert_tidy();
    }

    /// Nothing was placed, and nothing half-done lies about.
    #[track_caller]
    fn assert_nothing_placed(&self) {
        assert!(!self.place.uv().exists(), "there is a uv");
        self.assert_tidy();
    }

    /// No file of the agent directory is a leftover of a download or of unpacking.
    #[track_caller]
    fn assert_tidy(&self) {
        let bin: Vec<_> = self
            .place
            .agent_files()
            .into_iter()
            .filter(|file| file.starts_with("bin"))
            .filter(|file| {
                let name = file.file_name().unwrap().to_string_lossy().into_owned();
                !["uv", "uv.exe", "uvx", "uvx.exe", "uv.receipt.json"].contains(&name.as_str())
            })
            .collect();
        assert_eq!(bin, Vec::<std::path::PathBuf>::new(), "leftovers");
    }
}

/// The executable in a release.
fn uv_in(release: &Release) -> Vec<u8> {
    use std::io::Read;
    let mut wheel = zip::ZipArchive::new(std::io::Cursor::new(&release.wheel.bytes[..])).unwrap();
    let mut uv = Vec::new();
    wheel.by_index(0).unwrap().read_to_end(&mut uv).unwrap();
    uv
}

/// A release whose uv finds the Python that runs here.
#[cfg(unix)]
fn small_release() -> Release {
    crate::support::artifacts::FakeUv::new().release()
}

/// A release in which a program of the system stands in for uv, since no script can.
#[cfg(windows)]
fn small_release() -> Release {
    use crate::support::artifacts::{Form, small_program};
    Release::of(&small_program(), Form::Zip)
}

/// What a failed provisioning has to look like, whatever the cause: its exit code and no panic.
#[track_caller]
fn assert_failed(output: &Output) {
    output.ended_with(127).lacks(&["panicked"]);
    assert!(output.stderr.contains("error: "), "{output}");
}
