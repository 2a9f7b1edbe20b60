//! Unix: modes, a rename that replaces, and directories that are flushed.

use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempPath;

/// Lets a whole file be run.
pub(crate) fn make_executable(file: &File) -> io::Result<()> {
    file.set_permissions(std::fs::Permissions::from_mode(0o755))
}

/// Moves a file to its final name; whoever runs an older one there keeps it.
pub(crate) fn rename_over(file: TempPath, path: &Path) -> io::Result<()> {
    file.persist(path).map_err(|error| error.error)
}

/// Makes a rename in this directory last. Some file systems can't, and the next start then repairs what was lost.
pub(crate) fn sync_dir(dir: &Path) {
    let _ = File::open(dir).and_then(|dir| dir.sync_all());
}
