//! The memory of resolved interpreters: one file, read whole on every call.
//!
//! An entry holds only while the interpreter's file is the one that answered, by its fingerprint, and while the agent
//! directory is where it was. A file that can't be read as what it should be is as good as none.

use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::home::{read_bounded, write_atomic};
use crate::settings::Settings;

use super::Interpreter;
use super::asked::Asked;

/// Changes with the meaning of the file.
const SCHEMA: u32 = 1;
/// Entries for other requests are kept up to this number, from the newest.
const MOST_ENTRIES: usize = 16;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    schema: u32,
    /// The agent directory that wrote it: a copy of it elsewhere starts anew.
    home: String,
    platform: String,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    asked: String,
    interpreter: Interpreter,
    fingerprint: Fingerprint,
    /// Of the path that was asked for, where that is another: a link there may come to point elsewhere.
    asked_fingerprint: Option<Fingerprint>,
}

/// What tells one state of a file from another without reading it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fingerprint {
    size: u64,
    modified_ns: u64,
    /// Number and time of last change on systems that have them: they also tell a copy from its original.
    identity: Option<(u64, i64, i64)>,
}

impl Fingerprint {
    fn of(path: &Path) -> io::Result<Self> {
        let file = path.metadata()?;
        if !file.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let modified = file
            .modified()?
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Ok(Self {
            size: file.len(),
            modified_ns: u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX),
            identity: identity(&file),
        })
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn identity(file: &std::fs::Metadata) -> Option<(u64, i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.ino(), file.ctime(), file.ctime_nsec()))
}

#[cfg(not(unix))]
fn identity(_file: &std::fs::Metadata) -> Option<(u64, i64, i64)> {
    None
}

/// What the cache file is, for doctor.
#[derive(Debug)]
pub(crate) enum State {
    Absent,
    /// It holds an answer that still fits.
    Fits(Interpreter),
    /// It holds none for this request, or one whose file has changed since.
    Stale,
    /// It is no cache file of this version, directory and platform.
    Unusable(String),
}

/// The remembered interpreter, if it still is what it was.
pub(crate) fn load(settings: &Settings, asked: &Asked) -> Option<Interpreter> {
    match state(settings, asked) {
        State::Fits(interpreter) => Some(interpreter),
        State::Absent | State::Stale | State::Unusable(_) => None,
    }
}

pub(crate) fn state(settings: &Settings, asked: &Asked) -> State {
    let file = match read(settings) {
        Ok(Some(file)) => file,
        Ok(None) => return State::Absent,
        Err(reason) => return State::Unusable(reason),
    };
    let key = asked.key();
    let entry = file.entries.into_iter().find(|entry| entry.asked == key);
    match entry {
        Some(entry) if entry.fits(asked) => State::Fits(entry.interpreter),
        _ => State::Stale,
    }
}

impl Entry {
    fn fits(&self, asked: &Asked) -> bool {
        let same =
            |path: &Path, then: &Fingerprint| Fingerprint::of(path).is_ok_and(|now| now == *then);
        let asked_is_same = match (asked, &self.asked_fingerprint) {
            (Asked::Path(path), Some(then)) => same(path, then),
            _ => true,
        };
        asked_is_same && same(&self.interpreter.path, &self.fingerprint)
    }
}

/// Remembers an interpreter.
///
/// # Errors
/// When the file can't be written.
pub(crate) fn store(
    settings: &Settings,
    asked: &Asked,
    interpreter: &Interpreter,
) -> io::Result<()> {
    let asked_fingerprint = match asked {
        Asked::Path(path) if *path != interpreter.path => Some(Fingerprint::of(path)?),
        _ => None,
    };
    let entry = Entry {
        asked: asked.key(),
        interpreter: interpreter.clone(),
        fingerprint: Fingerprint::of(&interpreter.path)?,
        asked_fingerprint,
    };
    let others = read(settings)
        .ok()
        .flatten()
        .map_or_else(Vec::new, |file| file.entries);
    let others = others
        .into_iter()
        .filter(|other| other.asked != entry.asked);
    write(
        settings,
        std::iter::once(entry.clone())
            .chain(others)
            .take(MOST_ENTRIES)
            .collect(),
    )
}

/// Forgets the answer to one request.
///
/// # Errors
/// When the file can't be written.
pub(crate) fn forget(settings: &Settings, asked: &Asked) -> io::Result<()> {
    let key = asked.key();
    match read(settings) {
        Ok(Some(file)) if file.entries.iter().any(|entry| entry.asked == key) => write(
            settings,
            file.entries
                .into_iter()
                .filter(|entry| entry.asked != key)
                .collect(),
        ),
        _ => Ok(()),
    }
}

/// `None` where there is no file; the reason where it is not one of ours.
fn read(settings: &Settings) -> Result<Option<File>, String> {
    let bytes = match read_bounded(&settings.home.interpreter_cache()) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let file: File = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    if file.schema != SCHEMA {
        return Err(format!("it is of version {}", file.schema));
    }
    if !is_home(settings, Path::new(&file.home)) {
        return Err(format!("it was written for `{}`", file.home));
    }
    if file.platform != platform() {
        return Err(format!("it was written on {}", file.platform));
    }
    Ok(Some(file))
}

fn write(settings: &Settings, entries: Vec<Entry>) -> io::Result<()> {
    let file = File {
        schema: SCHEMA,
        home: home(settings),
        platform: platform(),
        entries,
    };
    let bytes = serde_json::to_vec_pretty(&file)?;
    write_atomic(&settings.home.interpreter_cache(), &bytes)
}

fn home(settings: &Settings) -> String {
    settings.home.root().to_string_lossy().into_owned()
}

/// Whether a path names the agent directory, by whichever of its names.
fn is_home(settings: &Settings, path: &Path) -> bool {
    let root = settings.home.root();
    let same = || Some(path.canonicalize().ok()? == root.canonicalize().ok()?);
    path == root || same().unwrap_or(false)
}

fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{AGENT_DIR_VARIABLE, Environment};
    use std::path::PathBuf;

    fn settings(dir: &Path) -> Settings {
        let mut environment = Environment::default();
        environment.set(AGENT_DIR_VARIABLE, dir.join("home"));
        Settings::resolve(environment, dir.to_path_buf())
    }

    fn interpreter(path: PathBuf) -> Interpreter {
        Interpreter {
            path,
            version: "3.13.1".to_owned(),
            implementation: "cpython".to_owned(),
            prefix: "/usr".into(),
            base_prefix: "/usr".into(),
        }
    }

    #[test]
    fn an_entry_holds_until_its_file_changes() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        let path = dir.path().join("python");
        std::fs::write(&path, "one").expect("writable");
        store(&settings, &Asked::Any, &interpreter(path.clone())).expect("writable");
        assert_eq!(
            load(&settings, &Asked::Any),
            Some(interpreter(path.clone()))
        );
        assert_eq!(load(&settings, &Asked::Version("3.12".to_owned())), None);
        std::fs::write(&path, "another").expect("writable");
        assert_eq!(load(&settings, &Asked::Any), None);
        std::fs::remove_file(&path).expect("it is there");
        assert!(matches!(state(&settings, &Asked::Any), State::Stale));
    }

    #[test]
    fn garbage_and_foreign_files_count_as_none() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        let path = dir.path().join("python");
        std::fs::write(&path, "one").expect("writable");
        assert!(matches!(state(&settings, &Asked::Any), State::Absent));
        store(&settings, &Asked::Any, &interpreter(path.clone())).expect("writable");
        let whole =
            std::fs::read_to_string(settings.home.interpreter_cache()).expect("it was written");
        for content in [
            String::new(),
            "{".to_owned(),
            whole[..whole.len() / 2].to_owned(),
            whole.replace("\"schema\": 1", "\"schema\": 99"),
            whole.replace(std::env::consts::OS, "plan9"),
            whole.replace("\"home\": \"", "\"home\": \"/elsewhere"),
        ] {
            std::fs::write(settings.home.interpreter_cache(), &content).expect("writable");
            assert!(
                matches!(state(&settings, &Asked::Any), State::Unusable(_)),
                "{content}"
            );
            store(&settings, &Asked::Any, &interpreter(path.clone())).expect("writable");
            assert!(load(&settings, &Asked::Any).is_some(), "{content}");
        }
    }

    #[test]
    fn requests_are_remembered_apart_and_forgotten_alone() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        let path = dir.path().join("python");
        std::fs::write(&path, "one").expect("writable");
        let other = Asked::Version("3.13".to_owned());
        for asked in [&Asked::Any, &other] {
            store(&settings, asked, &interpreter(path.clone())).expect("writable");
        }
        forget(&settings, &Asked::Any).expect("writable");
        assert_eq!(load(&settings, &Asked::Any), None);
        assert!(load(&settings, &other).is_some());
    }
}
