//! Windows' file locks, through the standard library.

use std::fs::{File, TryLockError};
use std::io;

/// Whether the lock is ours now; an error where there are no locks.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A held lock has a living owner; which one is not looked up here.
pub(super) fn is_alive(_pid: u32) -> bool {
    true
}
