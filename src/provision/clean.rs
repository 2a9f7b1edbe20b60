//! Deleting what comes back by itself.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::progress::Progress;
use crate::settings::Settings;

use super::asked::Asked;
use super::{Context, Error, Force, alone, leftovers};

/// What `pi clean` deleted.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cleaned {
    /// Each file or directory.
    pub removed: Vec<Removed>,
    /// What could not be deleted, a sentence each.
    pub kept: Vec<String>,
}

/// A file or directory that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Where it was.
    pub path: PathBuf,
    /// The bytes in it.
    pub bytes: u64,
}

impl Cleaned {
    /// All bytes that were freed.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.removed.iter().map(|removed| removed.bytes).sum()
    }
}

/// Deletes caches, leftovers of downloads that were cut off, and a remembered failure. uv, Pythons, settings, outputs
/// and programs stay.
///
/// # Errors
/// When another process provisions until the deadline.
pub fn clean(settings: &Settings, progress: &dyn Progress) -> Result<Cleaned, Error> {
    let context = Context::new(settings, progress);
    alone(context, &Asked::Any, Force::Yes, |_| {
        let mut cleaned = Cleaned::default();
        let whole = [settings.home.cache(), settings.home.provision_failure()];
        for path in whole.into_iter().chain(leftovers(settings)) {
            match remove(&path) {
                Ok(Some(bytes)) => cleaned.removed.push(Removed { path, bytes }),
                Ok(None) => {}
                Err(error) => cleaned
                    .kept
                    .push(format!("`{}` can't be deleted: {error}", path.display())),
            }
        }
        Ok(cleaned)
    })
}

/// Deletes a file or directory and gives its size; `None` if there is none.
pub(super) fn remove(path: &Path) -> io::Result<Option<u64>> {
    let Ok(file) = path.symlink_metadata() else {
        return Ok(None);
    };
    let bytes = size(path);
    if file.is_dir() {
        std::fs::remove_dir_all(path)?;
    } else {
        std::fs::remove_file(path)?;
    }
    Ok(Some(bytes))
}

/// The bytes under a path; links are not followed.
fn size(path: &Path) -> u64 {
    let Ok(file) = path.symlink_metadata() else {
        return 0;
    };
    if !file.is_dir() {
        return file.len();
    }
    let entries = path.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| size(&entry.path())).sum()
}
