//! Which paths may be read: everything but the stores of credentials.
//!
//! Landlock only allows, and a directory inside an allowed one can't be taken out again. So what is allowed is all that
//! lies beside the way to each store: the entries of every directory above one, but the way itself. Whatever is made in
//! these directories later can't be read in the run. Symlinks are left out: what they lead to is allowed, or not, by
//! its own place.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use super::{Category, Policy};
use crate::approval::credentials;

/// A cover of more paths would take longer than the rest of a start; the hook alone is left to hold then.
const MOST_PATHS: usize = 2000;

/// The paths below which everything may be read; `None` where there is nothing to keep apart, or where it lies too
/// much scattered. Stores inside the workspace are not kept apart: what is made there has to be readable.
pub(super) fn readable(policy: &Policy) -> Option<Vec<PathBuf>> {
    if policy.grants(Category::Credentials) || policy.grants(Category::Outside) {
        return None;
    }
    let workspace = &policy.workspace;
    let free = [&workspace.roots, &workspace.temporary, &workspace.caches];
    let is_free = |path: &Path| free.into_iter().flatten().any(|dir| path.starts_with(dir));
    let mut stores = workspace.home.as_deref().map(credentials::stores_in)?;
    // Some keep them elsewhere, and a symlink in their place.
    let elsewhere = stores.iter().filter_map(|path| path.canonicalize().ok());
    let elsewhere: Vec<PathBuf> = elsewhere.filter(|path| !stores.contains(path)).collect();
    stores.extend(elsewhere);
    let stores: Vec<PathBuf> = stores.into_iter().filter(|path| !is_free(path)).collect();
    if stores.is_empty() {
        return None;
    }
    // What programs make anew in a directory on the way is theirs to read, where they may make it.
    let mut covered: Vec<PathBuf> = free.into_iter().flatten().cloned().collect();
    cover(Path::new("/"), &stores, &mut covered).then_some(covered)
}

/// Adds what lies in `dir` beside the way to the stores. Answers whether that was not too much.
fn cover(dir: &Path, stores: &[PathBuf], covered: &mut Vec<PathBuf>) -> bool {
    // What can't be listed can't be covered, and is left out.
    let Ok(entries) = dir.read_dir() else {
        return true;
    };
    entries.flatten().all(|entry| {
        let path = entry.path();
        if stores.contains(&path) || is_link(&entry) {
            return true;
        }
        if stores.iter().any(|store| store.starts_with(&path)) {
            return cover(&path, stores, covered);
        }
        covered.push(path);
        covered.len() <= MOST_PATHS
    })
}

fn is_link(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_symlink())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn everything_beside_the_way_to_a_store_is_covered() {
        let scratch = tempfile::tempdir().unwrap();
        let home = scratch.path();
        for file in [".ssh/id", ".config/hub", ".config/other", "notes"] {
            let path = home.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        std::os::unix::fs::symlink(".ssh", home.join("keys")).unwrap();
        let stores = credentials::stores_in(home);
        assert_eq!(stores, [home.join(".ssh"), home.join(".config/hub")]);
        let mut covered = Vec::new();
        assert!(cover(home, &stores, &mut covered));
        covered.sort();
        assert_eq!(covered, [home.join(".config/other"), home.join("notes")]);
    }
}
