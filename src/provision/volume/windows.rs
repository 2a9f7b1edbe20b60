//! File systems as the Windows API shows them.

use std::io;
use std::os::windows::ffi::OsStrExt;
use std::path::Path;

use windows_sys::Win32::Storage::FileSystem::GetDiskFreeSpaceExW;

#[expect(unsafe_code, reason = "free space has no safe interface")]
pub(super) fn free_bytes(path: &Path) -> Option<u64> {
    let name: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    let mut free = 0;
    // SAFETY: the name ends in a zero, `free` outlives the call, and the other results may be null.
    let known = unsafe {
        GetDiskFreeSpaceExW(
            name.as_ptr(),
            &raw mut free,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        )
    };
    (known != 0).then_some(free)
}

/// Windows has no such mounts.
pub(super) fn is_noexec(_path: &Path) -> Option<bool> {
    Some(false)
}

pub(super) fn is_closed(dir: &Path) -> bool {
    std::fs::read_dir(dir).is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}
