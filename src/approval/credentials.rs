//! Which files are stores of credentials.
//!
//! The list is data, `guard/credentials.txt`, because two readers need it: the review here, and the guard's Python.

#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::path::{Component, Path};

/// The list, as the guard reads it too.
const LIST: &str = include_str!("guard/credentials.txt");

/// The line of the list that `path` falls under: a store in `home`, or a file that is one wherever it lies.
/// Workspaces have such files of their own: whether `path` is in one is the caller's to know.
#[must_use]
pub fn store_of(path: &Path, home: Option<&Path>) -> Option<&'static str> {
    let below = home.and_then(|home| path.strip_prefix(home).ok());
    if below.is_none() && !is_store_anywhere(path) {
        return None;
    }
    lines().find(|line| match line.strip_prefix("**/") {
        Some(name) => path
            .file_name()
            .is_some_and(|own| fits(name, &own.to_string_lossy())),
        None => below.is_some_and(|below| is_beneath(line, below)),
    })
}

/// Whether the file's name alone makes it one. Asked first: most paths are in nobody's home.
fn is_store_anywhere(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b".env"))
}

/// Whether a store is, or lies, below `path`, so that it would have another name if that were moved.
#[cfg(target_os = "linux")]
pub(crate) fn holds_store(path: &Path, home: &Path) -> bool {
    if home.starts_with(path) || store_of(path, Some(home)).is_some() {
        return true;
    }
    let Some(below) = path.strip_prefix(home).ok().and_then(Path::to_str) else {
        return false;
    };
    lines().any(|line| {
        line.strip_prefix(below)
            .is_some_and(|rest| rest.starts_with('/'))
    })
}

/// The stores that there are in `home`, each the file or the directory that a line of the list names.
#[cfg(target_os = "linux")]
pub(crate) fn stores_in(home: &Path) -> Vec<PathBuf> {
    let lines = lines().filter(|line| !line.starts_with("**/"));
    lines.flat_map(|line| matches(home, line)).collect()
}

/// What is there of a line's pattern. A last component that stands for anything stands for the directory.
#[cfg(target_os = "linux")]
fn matches(home: &Path, line: &str) -> Vec<PathBuf> {
    let pattern = line.strip_suffix("/*").unwrap_or(line);
    let mut found = vec![home.to_owned()];
    for component in pattern.split('/') {
        found = if component.contains('*') {
            let entries = found.iter().filter_map(|dir| dir.read_dir().ok()).flatten();
            entries
                .flatten()
                .filter(|entry| fits(component, &entry.file_name().to_string_lossy()))
                .map(|entry| entry.path())
                .collect()
        } else {
            let named = found.iter().map(|dir| dir.join(component));
            named
                .filter(|path| path.symlink_metadata().is_ok())
                .collect()
        };
        if found.is_empty() {
            break;
        }
    }
    found
}

/// The lines of the list that name stores.
pub(crate) fn lines() -> impl Iterator<Item = &'static str> {
    LIST.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether each component of `line` fits the one of `path` in its place. `path` may go on below.
fn is_beneath(line: &str, path: &Path) -> bool {
    let mut components = path.components();
    line.split('/').all(|pattern| match components.next() {
        Some(Component::Normal(name)) => fits(pattern, &name.to_string_lossy()),
        _ => false,
    })
}

/// Whether `name` is what `pattern` says, `*` standing for any part. Names of systems that ignore case are compared so.
fn fits(pattern: &str, name: &str) -> bool {
    let same = |left: &str, right: &str| {
        if cfg!(any(windows, target_os = "macos")) {
            left.eq_ignore_ascii_case(right)
        } else {
            left == right
        }
    };
    match pattern.split_once('*') {
        None => same(pattern, name),
        Some((head, tail)) => {
            // Every pattern of the list has one star at most in a component.
            name.len() >= head.len() + tail.len()
                && name
                    .get(..head.len())
                    .is_some_and(|start| same(head, start))
                && name
                    .get(name.len() - tail.len()..)
                    .is_some_and(|end| same(tail, end))
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    fn store(path: &str) -> Option<&'static str> {
        store_of(Path::new(path), Some(Path::new("/home/u")))
    }

    #[test]
    fn stores_are_found_by_file_and_by_directory() {
        for path in [
            "/home/u/.ssh/id_ed25519",
            "/home/u/.ssh/keys/old/id_rsa",
            "/home/u/.netrc",
            "/home/u/.aws/credentials",
            "/home/u/.config/gcloud/credentials.db",
            "/home/u/.mozilla/firefox/x1.default/logins.json",
            "/home/u/.config/google-chrome-beta/Default/Login Data",
            "/home/u/.ipython/profile_default/history.sqlite",
            "/home/u/other/.env",
            "/srv/app/.env.production",
        ] {
            assert!(store(path).is_some(), "{path}");
        }
    }

    #[test]
    fn what_lies_beside_a_store_is_none() {
        for path in [
            "/home/u/.ssh",
            "/home/u/.netrc.md",
            "/home/u/ssh/id_rsa",
            "/home/u/.aws/models/s3.json",
            "/home/other/.ssh/id_rsa",
            "/home/u/.environment",
            "/home/u/project/.ssh/id_rsa",
            "/home/u/.mozilla/firefox/profiles.ini",
        ] {
            assert_eq!(store(path), None, "{path}");
        }
    }

    #[test]
    fn every_line_is_relative_and_has_one_star_a_component() {
        for line in lines() {
            assert!(!line.starts_with('/') && !line.ends_with('/'), "{line}");
            let rest = line.strip_prefix("**/").unwrap_or(line);
            for component in rest.split('/') {
                assert!(component.matches('*').count() <= 1, "{line}");
            }
        }
    }
}
