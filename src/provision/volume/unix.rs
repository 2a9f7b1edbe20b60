//! File systems as `statvfs` shows them.

use std::path::Path;

use rustix::fs::{Access, access, statvfs};

pub(super) fn free_bytes(path: &Path) -> Option<u64> {
    let volume = statvfs(path).ok()?;
    Some(volume.f_bavail.saturating_mul(volume.f_frsize))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn is_noexec(path: &Path) -> Option<bool> {
    let volume = statvfs(path).ok()?;
    Some(
        volume
            .f_flag
            .contains(rustix::fs::StatVfsMountFlags::NOEXEC),
    )
}

/// Elsewhere `statvfs` does not say.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn is_noexec(_path: &Path) -> Option<bool> {
    None
}

pub(super) fn is_closed(dir: &Path) -> bool {
    access(dir, Access::EXEC_OK) == Err(rustix::io::Errno::ACCESS)
}
