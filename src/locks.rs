//! Locks on files, held by a process and gone with it.
//!
//! The operating system holds the lock, so that a killed owner holds nothing. Nothing here waits: whoever wants a lock
//! asks again, for as long as it likes. The processes that are started while a lock is held do not inherit it.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::home::with_path;

#[cfg_attr(unix, path = "locks/unix.rs")]
#[cfg_attr(windows, path = "locks/windows.rs")]
mod system;

pub(crate) use system::{is_alive, is_in_place, try_lock, unlock};

/// Who may hold a lock at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Everybody who holds it in the same way.
    Shared,
    /// One alone.
    Exclusive,
}

/// Opens the file to lock, and makes it where it is missing; its directory has to be there.
///
/// # Errors
/// What the system says, with the path.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .map_err(|error| with_path("can't open", path, &error))
}
