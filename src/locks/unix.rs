//! `flock`, which Android's libraries know as well.

use std::fs::File;
use std::io;

use rustix::fs::{FlockOperation, flock, fstat};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::Kind;

/// Whether the lock is ours now; an error where there are no locks.
pub(crate) fn try_lock(file: &File, kind: Kind) -> io::Result<bool> {
    let operation = match kind {
        Kind::Shared => FlockOperation::NonBlockingLockShared,
        Kind::Exclusive => FlockOperation::NonBlockingLockExclusive,
    };
    match flock(file, operation) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Gives the lock up, even if a forked process has the file open still.
pub(crate) fn unlock(file: &File) {
    let _ = flock(file, FlockOperation::Unlock);
}

/// Whether the file still has its name. Whoever locks one that was deleted meanwhile is alone with it.
pub(crate) fn is_in_place(file: &File) -> bool {
    fstat(file).is_ok_and(|stat| stat.st_nlink > 0)
}

pub(crate) fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}
