//! One locked file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::home::create_private_dir;
use crate::locks::{self, Kind};

/// How often a lock file, or its directory, may be cleared away between looking and locking.
const MOST_REPLACED: usize = 100;

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    /// Where the file is, if nobody is likely to want it again soon.
    once: Option<PathBuf>,
}

impl Lock {
    /// Takes the lock if nobody has it; an error where there are no locks.
    pub(super) fn try_take(path: &Path, kind: Kind) -> io::Result<Option<Self>> {
        for _ in 0..MOST_REPLACED {
            let file = open(path)?;
            if !locks::try_lock(&file, kind)? {
                return Ok(None);
            }
            if locks::is_in_place(&file) {
                return Ok(Some(Self { file, once: None }));
            }
        }
        Ok(None)
    }

    /// Notes who holds it, for messages alone.
    pub(super) fn signed(self) -> Self {
        // As long as any other, so that nothing of an older note stays behind it.
        let _ = (&self.file).write_all(format!("{:>10}\n", std::process::id()).as_bytes());
        self
    }

    /// Deletes the file in the end. It has to be held exclusively.
    pub(super) fn for_once(mut self, path: PathBuf) -> Self {
        self.once = cfg!(unix).then_some(path);
        self
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(path) = &self.once {
            // Before it is given up: then it may be somebody else's.
            let _ = std::fs::remove_file(path);
        }
        locks::unlock(&self.file);
    }
}

/// Opens a lock file, in a directory that is made when it is missing.
fn open(path: &Path) -> io::Result<File> {
    for _ in 0..MOST_REPLACED {
        match locks::open(path) {
            Err(error) if is_about_directory(&error) => {
                create_private_dir(path.parent().unwrap_or(path))?;
            }
            opened => return opened,
        }
    }
    locks::open(path)
}

/// Making the directory helps, or says better what is in the way.
fn is_about_directory(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// The process that noted itself last, if it is alive and not this one.
pub(super) fn holder(path: &Path) -> Option<u32> {
    let mut note = [0; 11];
    File::open(path).ok()?.read_exact(&mut note).ok()?;
    let pid = std::str::from_utf8(&note).ok()?.trim().parse().ok()?;
    (pid != std::process::id() && locks::is_alive(pid)).then_some(pid)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn one_alone_or_many_hold_it() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("deep/lock");
        let take = |kind| Lock::try_take(&path, kind).unwrap();
        let readers = [take(Kind::Shared), take(Kind::Shared)];
        assert!(readers.iter().all(Option::is_some));
        assert!(take(Kind::Exclusive).is_none());
        drop(readers);
        let alone = take(Kind::Exclusive);
        assert!(alone.is_some());
        assert!(take(Kind::Shared).is_none() && take(Kind::Exclusive).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_cleared_away_is_locked_anew() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("lock");
        let old = Lock::try_take(&path, Kind::Exclusive).unwrap().unwrap();
        std::fs::remove_file(&path).unwrap();
        let new = Lock::try_take(&path, Kind::Exclusive).unwrap().unwrap();
        assert!(locks::is_in_place(&new.file));
        assert!(!locks::is_in_place(&old.file));
        drop(new.for_once(path.clone()));
        assert!(!path.exists());
    }

    #[test]
    fn a_file_in_the_place_of_a_directory_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("file"), "").unwrap();
        let path = scratch.path().join("file/deep/lock");
        let error = Lock::try_take(&path, Kind::Shared).unwrap_err();
        assert!(error.to_string().contains("is in the way"), "{error}");
    }
}
