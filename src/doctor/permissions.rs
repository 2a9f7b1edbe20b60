//! Whether others can enter a directory. Windows' home directories are private by inheritance and are not looked at.

use std::io;
use std::path::Path;

/// Whether anybody but its owner, this user, may do anything in the directory.
#[cfg(unix)]
pub(super) fn is_open(dir: &Path) -> bool {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let me = rustix::process::geteuid().as_raw();
    dir.metadata()
        .is_ok_and(|file| file.uid() == me && file.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
pub(super) fn is_open(_dir: &Path) -> bool {
    false
}

/// The permission bits, where the system has them.
#[cfg(unix)]
pub(super) fn mode(dir: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(dir.metadata().ok()?.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
pub(super) fn mode(_dir: &Path) -> Option<u32> {
    None
}

/// Leaves the directory to its owner alone.
#[cfg(unix)]
pub(super) fn close(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
pub(super) fn close(_dir: &Path) -> io::Result<()> {
    Ok(())
}
