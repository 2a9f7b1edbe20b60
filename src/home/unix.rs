//! Unix: owners, modes, and files that must not be waited for.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// Tells one user's directory from another's.
pub(super) fn user_tag() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

/// Makes a directory for this user alone, or makes sure that the one that is there is.
///
/// # Errors
/// Why it can't be trusted.
pub(super) fn make_own(dir: &Path) -> Result<(), String> {
    match DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.to_string()),
        Ok(()) | Err(_) => {}
    }
    // A link is looked at itself: its owner chooses what it leads to.
    let found = dir.symlink_metadata().map_err(|error| error.to_string())?;
    if !found.is_dir() {
        return Err("it is no directory of its own".to_owned());
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(format!("it belongs to the user {}", found.uid()));
    }
    match found.mode() & 0o777 {
        mode if mode & 0o022 != 0 => Err(format!("others can write in it (mode {mode:03o})")),
        _ => Ok(()),
    }
}

/// Opening waits neither for the other end of a pipe nor for a device.
pub(super) fn never_wait(options: &mut OpenOptions) {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed());
}
