//! Windows: temporary directories belong to their user, and pipes have names that no path has.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// Tells one user's directory from another's.
pub(super) fn user_tag() -> String {
    "user".to_owned()
}

/// Makes a directory, or makes sure that one is there.
///
/// # Errors
/// Why it can't be used.
pub(super) fn make_own(dir: &Path) -> Result<(), String> {
    match std::fs::create_dir(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.to_string()),
        Ok(()) | Err(_) => {}
    }
    match dir.symlink_metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err("it is no directory of its own".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// There is nothing that a file would be waited for.
pub(super) fn never_wait(_options: &mut OpenOptions) {}
