//! Finding Pythons without uv: in the agent directory and on PATH, in the order in which they are asked.
//!
//! A relative entry of PATH is passed by, since it would let the caller's directory choose the program.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::settings::{OLDEST_PYTHON, Settings};

use super::asked::Version;
use super::probe::Candidate;
use super::termux;

/// Executables called `name` in PATH's absolute directories, in PATH's order.
pub(crate) fn on_path(settings: &Settings, name: &OsStr) -> Vec<PathBuf> {
    let Some(list) = path_list(settings) else {
        return Vec::new();
    };
    which::which_in_all(name, Some(list), &settings.cwd)
        .map(Iterator::collect)
        .unwrap_or_default()
}

/// Entries of that name in PATH's directories that are no executables: dangling links, directories, plain files.
pub(crate) fn not_executable(settings: &Settings, name: &str) -> Vec<PathBuf> {
    let found = on_path(settings, OsStr::new(name));
    directories(settings)
        .into_iter()
        .map(|dir| dir.join(name))
        .filter(|path| path.symlink_metadata().is_ok() && !found.contains(path))
        .collect()
}

fn path_list(settings: &Settings) -> Option<OsString> {
    std::env::join_paths(directories(settings))
        .ok()
        .filter(|list| !list.is_empty())
}

/// The directories of PATH, and Termux's own where this is Termux.
fn directories(settings: &Settings) -> Vec<PathBuf> {
    let path = settings.environment.get("PATH").unwrap_or_default();
    std::env::split_paths(path)
        .chain(termux::bin(settings))
        .filter(|dir| dir.is_absolute())
        .collect()
}

/// Pythons on PATH by name: `python3`, then `python3.N` from the newest, `python`, and Windows' launcher.
pub(crate) fn candidates_on_path(settings: &Settings) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = names(settings)
        .iter()
        .flat_map(|name| on_path(settings, OsStr::new(name)))
        .map(Candidate::new)
        .collect();
    if cfg!(windows) {
        candidates.extend(
            on_path(settings, OsStr::new("py"))
                .into_iter()
                .map(|path| Candidate {
                    path,
                    args: vec!["-3".into()],
                }),
        );
    }
    candidates
}

/// The names under which Python is looked for on PATH.
pub(crate) fn names(settings: &Settings) -> Vec<String> {
    let numbered = minor_versions(settings).into_iter().rev();
    std::iter::once("python3".to_owned())
        .chain(numbered.map(|minor| format!("python3.{minor}")))
        .chain(std::iter::once("python".to_owned()))
        .collect()
}

/// The minor versions that PATH's directories have a `python3.N` for.
fn minor_versions(settings: &Settings) -> BTreeSet<u32> {
    directories(settings)
        .iter()
        .filter_map(|dir| dir.read_dir().ok())
        .flatten()
        .filter_map(|entry| minor_version(&entry.ok()?.file_name()))
        .filter(|minor| *minor >= OLDEST_PYTHON.1)
        .collect()
}

fn minor_version(name: &OsStr) -> Option<u32> {
    let number = name.to_str()?.strip_prefix("python3.")?;
    let number = number
        .strip_suffix(std::env::consts::EXE_SUFFIX)
        .unwrap_or(number);
    number.parse().ok()
}

/// Pythons that uv installed in the agent directory, from the newest.
pub(crate) fn own(settings: &Settings) -> Vec<PathBuf> {
    let mut found: Vec<(Version, PathBuf)> = settings
        .home
        .pythons()
        .read_dir()
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            // A link is uv's short name for one of the directories.
            let version = entry
                .file_type()
                .ok()?
                .is_dir()
                .then(|| installed_version(&entry.file_name()))??;
            Some((version, interpreter_of(&entry.path())?))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, path)| path).collect()
}

/// The version in the name of an installation, such as `cpython-3.13.1-linux-x86_64-gnu`.
fn installed_version(name: &OsStr) -> Option<Version> {
    let mut parts = name.to_str()?.split('-');
    parts
        .next()
        .filter(|implementation| !implementation.starts_with('.'))?;
    Version::parse(parts.next()?)
}

fn interpreter_of(installation: &Path) -> Option<PathBuf> {
    let names: &[&str] = if cfg!(windows) {
        &["python.exe", "pypy3.exe", "graalpy.exe"]
    } else {
        &["bin/python3", "bin/pypy3", "bin/graalpy", "bin/python"]
    };
    names
        .iter()
        .map(|name| installation.join(name))
        .find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minor_version_is_read_from_a_name() {
        for (name, expected) in [
            ("python3.12", Some(12)),
            ("python3.9", Some(9)),
            ("python3", None),
            ("python3.12-config", None),
            ("python3.x", None),
        ] {
            assert_eq!(minor_version(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn an_installation_names_its_version() {
        for (name, expected) in [
            ("cpython-3.13.1-linux-x86_64-gnu", Some(Version(3, 13, 1))),
            ("pypy-3.10.14-macos-aarch64-none", Some(Version(3, 10, 14))),
            (
                "cpython-3.14.0+freethreaded-linux-x86_64-gnu",
                Some(Version(3, 14, 0)),
            ),
            (".temp", None),
            (".lock-3.1", None),
            ("cpython", None),
        ] {
            assert_eq!(installed_version(OsStr::new(name)), expected, "{name}");
        }
    }
}
