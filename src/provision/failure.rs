//! The memory of a failure: for a short while, the same situation gets the same answer without another try.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::home::{read_bounded, write_atomic};
use crate::settings::{FAILURE_MEMORY, Settings};

use super::asked::Asked;
use super::discover;
use super::error::Told;
use super::lock::unix_ms;
use super::{Error, ErrorKind};

/// Changes with the meaning of the file.
const SCHEMA: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failure {
    schema: u32,
    when_unix_ms: u64,
    /// Stands for everything that could have led to another end.
    situation: String,
    kind: ErrorKind,
    message: String,
    causes: Vec<String>,
    hints: Vec<String>,
}

/// Remembers a failure, if a new try would cost much. That it can't be kept is no fault of its own.
pub(crate) fn remember(settings: &Settings, asked: &Asked, error: &Error) {
    if !error.is_costly() {
        return;
    }
    let failure = Failure {
        schema: SCHEMA,
        when_unix_ms: unix_ms(),
        situation: situation(settings, asked),
        kind: error.kind(),
        message: error.to_string(),
        causes: causes(error),
        hints: error.hints(),
    };
    if let Ok(text) = serde_json::to_vec_pretty(&failure) {
        let _ = write_atomic(&settings.home.provision_failure(), &text);
    }
}

/// The failure of the same situation, while it is remembered.
pub(crate) fn recall(settings: &Settings, asked: &Asked) -> Option<Error> {
    let text = read_bounded(&settings.home.provision_failure()).ok()?;
    let failure: Failure = serde_json::from_slice(&text).ok()?;
    // A time that lies ahead was written by another clock.
    let age = unix_ms().checked_sub(failure.when_unix_ms)?;
    let memory = u64::try_from(FAILURE_MEMORY.as_millis()).unwrap_or(u64::MAX);
    let same = failure.schema == SCHEMA && failure.situation == situation(settings, asked);
    (same && age < memory).then(|| Error::Remembered {
        seconds_ago: age / 1000,
        kind: failure.kind,
        message: failure.message,
        source: Told::chain(failure.causes),
        hints: failure.hints,
    })
}

pub(crate) fn forget(settings: &Settings) {
    let _ = std::fs::remove_file(settings.home.provision_failure());
}

fn causes(error: &Error) -> Vec<String> {
    let first = std::error::Error::source(error);
    std::iter::successors(first, |error| error.source())
        .map(ToString::to_string)
        .collect()
}

/// A digest, so that no address with a password in it is written down.
fn situation(settings: &Settings, asked: &Asked) -> String {
    let mut digest = Sha256::new();
    let mut add = |text: &[u8]| {
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    };
    add(env!("CARGO_PKG_VERSION").as_bytes());
    add(asked.key().as_bytes());
    for (row, value, _) in settings.rows() {
        if ["offline", "uv.", "python.", "provision."]
            .iter()
            .any(|part| row.key.starts_with(part))
        {
            add(row.key.as_bytes());
            add(format!("{value:?}").as_bytes());
        }
    }
    // Flags change the resolved values and not the rows.
    add(format!(
        "{} {:?} {:?} {:?}",
        settings.offline, settings.mirror, settings.source, settings.pins
    )
    .as_bytes());
    add(format!("{} {:?}", settings.python_install, settings.provision).as_bytes());
    for (name, value) in settings.environment.iter() {
        if matters(&name.to_string_lossy()) {
            add(name.as_encoded_bytes());
            add(value.as_encoded_bytes());
        }
    }
    for path in within_reach(settings) {
        add(path.as_os_str().as_encoded_bytes());
        add(format!("{:?}", modified(&path)).as_bytes());
    }
    uuid::Uuid::from_slice(&digest.finalize()[..16])
        .expect("sixteen bytes are one")
        .simple()
        .to_string()
}

/// What a person brings to help: programs on PATH, and files in a folder that stands in for the network.
fn within_reach(settings: &Settings) -> Vec<PathBuf> {
    let pythons = discover::candidates_on_path(settings);
    let uv = discover::on_path(settings, OsStr::new("uv"));
    let folder = settings.mirror.as_deref().map(|mirror| {
        let mirror = mirror.strip_prefix("file://").unwrap_or(mirror);
        settings.cwd.join(mirror)
    });
    let version = folder
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten())
        .map(|entry| entry.path());
    let found = pythons.into_iter().map(|python| python.path).chain(uv);
    found.chain(version).chain(folder.clone()).collect()
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|meta| meta.modified()).ok()
}

/// Whether a variable has a say in provisioning.
fn matters(name: &str) -> bool {
    let name = name.to_uppercase();
    name.starts_with("UV_")
        || name.starts_with("PIP_")
        || name.starts_with("SSL_")
        || name.ends_with("_PROXY")
        || [
            "PATH",
            "HOME",
            "USERPROFILE",
            "PREFIX",
            "TERMUX_VERSION",
            "NETRC",
            "XDG_CONFIG_HOME",
        ]
        .contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{AGENT_DIR_VARIABLE, Environment};

    fn settings(dir: &Path, path: &str) -> Settings {
        let mut environment = Environment::default();
        environment.set(AGENT_DIR_VARIABLE, dir);
        environment.set("PATH", path);
        Settings::resolve(environment, dir.to_path_buf())
    }

    fn costly() -> Error {
        Error::TimedOut {
            limit: FAILURE_MEMORY,
        }
    }

    #[test]
    fn the_same_situation_is_answered_from_memory_and_another_is_not() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let here = settings(dir.path(), "/one");
        remember(&here, &Asked::Any, &costly());
        let error = recall(&here, &Asked::Any).expect("it is remembered");
        assert_eq!(error.kind(), costly().kind());
        assert!(recall(&settings(dir.path(), "/other"), &Asked::Any).is_none());
        assert!(recall(&here, &Asked::Version("3.12".to_owned())).is_none());
        forget(&here);
        assert!(recall(&here, &Asked::Any).is_none());
    }

    #[test]
    fn what_a_person_brings_makes_another_situation() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let (bin, mirror) = (dir.path().join("bin"), dir.path().join("mirror"));
        std::fs::create_dir_all(&bin).expect("writable");
        std::fs::create_dir_all(mirror.join("1.2.3")).expect("writable");
        let mut here = settings(dir.path(), bin.to_str().expect("Unicode"));
        here.mirror = Some(mirror.display().to_string());
        let names = [
            "bin/python3",
            "bin/uv",
            "mirror/uv.tar.gz",
            "mirror/1.2.3/uv.tar.gz",
        ];
        for name in names {
            remember(&here, &Asked::Any, &costly());
            assert!(recall(&here, &Asked::Any).is_some(), "{name}");
            let name = if cfg!(windows) && name.starts_with("bin") {
                format!("{name}.exe")
            } else {
                name.to_owned()
            };
            let brought = dir.path().join(&name);
            std::fs::write(&brought, "").expect("writable");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = std::fs::Permissions::from_mode(0o755);
                std::fs::set_permissions(&brought, mode).expect("it is ours");
            }
            assert!(recall(&here, &Asked::Any).is_none(), "{name}");
        }
    }

    #[test]
    fn an_old_failure_and_one_from_the_future_are_forgotten() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let here = settings(dir.path(), "/one");
        remember(&here, &Asked::Any, &costly());
        let file = here.home.provision_failure();
        let text = std::fs::read_to_string(&file).expect("it was written");
        let failure: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let now = failure["whenUnixMs"].as_u64().expect("a number");
        for other in [now - 31_000, now + 3_600_000] {
            let changed = text.replace(&now.to_string(), &other.to_string());
            std::fs::write(&file, changed).expect("writable");
            assert!(recall(&here, &Asked::Any).is_none(), "{other}");
        }
    }
}
