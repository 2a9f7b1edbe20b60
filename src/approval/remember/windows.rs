//! Windows: two handles may both delete one file, so it is opened by one alone, and goes with that handle.

use std::fs::OpenOptions;
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

use windows_sys::Win32::Foundation::ERROR_SHARING_VIOLATION;
use windows_sys::Win32::Storage::FileSystem::{DELETE, FILE_FLAG_DELETE_ON_CLOSE};

/// Removes a file: true for exactly one of all who try.
pub(super) fn take_away(path: &Path) -> io::Result<bool> {
    let opened = OpenOptions::new()
        .access_mode(DELETE)
        .share_mode(0)
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
        .open(path);
    match opened {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        // Somebody else is taking it.
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION.cast_signed()) => {
            Ok(false)
        }
        Err(error) => Err(crate::home::with_path("can't take", path, &error)),
    }
}
