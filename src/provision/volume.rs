//! What the file system under a path allows: how much room is left, and whether programs may start from it.

use std::path::Path;

#[cfg_attr(unix, path = "volume/unix.rs")]
#[cfg_attr(windows, path = "volume/windows.rs")]
mod system;

/// The bytes that this user can still write at `path`, or at the nearest directory above it that exists.
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    path.ancestors().find_map(system::free_bytes)
}

/// Whether programs at `path` can't be started because the file system is mounted so.
pub(crate) fn is_noexec(path: &Path) -> bool {
    path.ancestors()
        .find_map(system::is_noexec)
        .unwrap_or(false)
}

/// The highest directory at or above `path` that exists and that this user can't enter.
pub(crate) fn closed_directory(path: &Path) -> Option<&Path> {
    let mut above: Vec<&Path> = path.ancestors().collect();
    above.reverse();
    above.into_iter().find(|dir| system::is_closed(dir))
}

/// Whether files can be made in `dir`. Answered by making one, since permission bits don't tell of read-only mounts,
/// access lists and full quotas.
pub(crate) fn is_writable(dir: &Path) -> bool {
    tempfile::tempfile_in(dir).is_ok()
}
