//! Giving an executable its final name, in one step that a crash can't cut in two.

#[cfg(unix)]
#[path = "place/unix.rs"]
mod system;
#[cfg(not(unix))]
#[path = "place/windows.rs"]
mod system;

pub(crate) use system::{make_executable, rename_over, sync_dir};
