//! Windows: no modes, and a program that runs can be renamed but not replaced.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::TempPath;

use crate::provision::fetch::verify::TEMPORARY_PREFIX;

/// Lets a whole file be run, which its name alone decides here.
#[expect(clippy::unnecessary_wraps, reason = "it can fail on other systems")]
pub(crate) fn make_executable(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Moves a file to its final name; an older one that runs is moved aside, and goes with the next installation.
pub(crate) fn rename_over(file: TempPath, path: &Path) -> io::Result<()> {
    let refused = match file.persist(path) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    if !path.exists() {
        return Err(refused.error);
    }
    let aside = aside(path);
    std::fs::rename(path, &aside)?;
    refused.path.persist(path).map_err(|error| {
        // Nothing is lost where the old one still has its name.
        let _ = std::fs::rename(&aside, path);
        error.error
    })
}

/// A free name beside a file that cleaning up knows.
fn aside(path: &Path) -> std::path::PathBuf {
    path.with_file_name(format!("{TEMPORARY_PREFIX}{}.old", uuid::Uuid::now_v7()))
}

/// Directories are not flushed here.
pub(crate) fn sync_dir(_dir: &Path) {}
