//! Windows' file locks, through the standard library.

use std::fs::{File, TryLockError};
use std::io;

use super::Kind;

/// Whether the lock is ours now; an error where there are no locks.
pub(crate) fn try_lock(file: &File, kind: Kind) -> io::Result<bool> {
    let tried = match kind {
        Kind::Shared => file.try_lock_shared(),
        Kind::Exclusive => file.try_lock(),
    };
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Gives the lock up.
pub(crate) fn unlock(file: &File) {
    let _ = file.unlock();
}

/// Nobody deletes lock files here.
pub(crate) fn is_in_place(_file: &File) -> bool {
    true
}

/// A held lock has a living owner; which one is not looked up here.
pub(crate) fn is_alive(_pid: u32) -> bool {
    true
}
