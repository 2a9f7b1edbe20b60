//! Writes the whole of a stream to disk once it is cut, and never lets the disk spoil the run.
//!
//! Until a stream is cut its bytes wait in memory. Whatever goes wrong on the disk costs the copy: the reason is kept
//! for a notice, the incomplete file is removed, and the run goes on.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use super::outputs::{RunDir, create_file};
use crate::home::{Home, with_path};
use crate::settings::OutputLimits;

/// Where the streams of one run go, made when the first of them is cut.
pub(super) struct Place<'a> {
    home: &'a Home,
    limits: OutputLimits,
    dir: Option<RunDir>,
}

impl<'a> Place<'a> {
    pub(super) fn new(home: &'a Home, limits: OutputLimits) -> Self {
        Self {
            home,
            limits,
            dir: None,
        }
    }

    /// The run's name, once something of it is kept.
    pub(super) fn run(&self) -> Option<&str> {
        self.dir.as_ref().map(RunDir::name)
    }

    fn create(&mut self, stream: &str) -> io::Result<(PathBuf, File)> {
        if self.dir.is_none() {
            self.dir = Some(RunDir::create(self.home)?);
        }
        let dir = self.dir.as_ref().expect("it was made just now");
        let path = dir.file(stream);
        let file = create_file(&path).map_err(|error| with_path("can't create", &path, &error))?;
        Ok((path, file))
    }

    /// The run is over: what is kept of all runs is brought within its limits.
    pub(super) fn close(self) {
        let Some(dir) = &self.dir else { return };
        dir.remove_if_empty();
        // The outputs of this run are safe; those of others are the next run's care if this fails.
        let _ = super::outputs::retain(self.home, &self.limits);
    }
}

/// One stream on its way to disk.
#[derive(Debug)]
pub(super) enum Spill {
    /// Not cut so far: the bytes since the beginning.
    Waiting(Vec<u8>),
    /// Being written.
    Open {
        /// The file.
        file: File,
        /// Where it is.
        path: PathBuf,
        /// Bytes in it.
        written: u64,
        /// Whether the limit was reached, and the file ends there.
        full: bool,
    },
    /// No copy is kept, and why.
    Lost(String),
}

impl Spill {
    pub(super) fn new() -> Self {
        Self::Waiting(Vec::new())
    }

    /// Bytes that wait in memory.
    pub(super) fn waiting(&self) -> usize {
        match self {
            Self::Waiting(bytes) => bytes.len(),
            _ => 0,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8], place: &Place<'_>) {
        match self {
            Self::Waiting(waiting) => waiting.extend_from_slice(bytes),
            Self::Open { .. } => self.write(bytes, place.limits.max_bytes),
            Self::Lost(_) => {}
        }
    }

    /// The stream is cut: from now on it goes to disk, beginning with what waited.
    pub(super) fn open(&mut self, stream: &str, place: &mut Place<'_>) {
        let Self::Waiting(waiting) = self else { return };
        let waiting = std::mem::take(waiting);
        match place.create(stream) {
            Ok((path, file)) => {
                *self = Self::Open {
                    file,
                    path,
                    written: 0,
                    full: false,
                };
                self.write(&waiting, place.limits.max_bytes);
            }
            Err(error) => *self = Self::Lost(error.to_string()),
        }
    }

    fn write(&mut self, bytes: &[u8], limit: u64) {
        let Self::Open {
            file,
            path,
            written,
            full,
        } = self
        else {
            return;
        };
        let room = usize::try_from(limit - *written).unwrap_or(usize::MAX);
        let part = &bytes[..bytes.len().min(room)];
        *full |= part.len() < bytes.len();
        match file.write_all(part) {
            Ok(()) => *written += part.len() as u64,
            Err(error) => {
                let reason = with_path("can't write", path, &error).to_string();
                // A part that ends anywhere is worth less than the space that it takes.
                let _ = fs::remove_file(&*path);
                *self = Self::Lost(reason);
            }
        }
    }
}
