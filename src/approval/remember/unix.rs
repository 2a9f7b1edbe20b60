//! Unix: a name is unlinked once.

use std::io;
use std::path::Path;

/// Removes a file: true for exactly one of all who try.
pub(super) fn take_away(path: &Path) -> io::Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(crate::home::with_path("can't take", path, &error)),
    }
}
