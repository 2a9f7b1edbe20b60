//! The review: what a program would do, read from its syntax tree before it runs.
//!
//! A pure function of the source, the directories that count, and the files that it asks [`Files`] for: workspace
//! modules that the program imports are reviewed with it, and a path in a message is the one that it resolves to.
//!
//! The review asks good questions early; it is no fence. Names are followed through imports, assignments, arguments and
//! attributes as far as they can be known, and a name that can't be is unknown, not guilty: the guard has it. In the same
//! way code that does not parse, or that is put together at run time, is left to the guard.
//!
//! - `rules` says what needs approval, `known` which names there are, `models` what calling them gives.
//! - `walk` goes through statements, `define` through functions and classes, `eval` through expressions, with what
//!   names stand for in `scope`; `call` binds arguments, and `judge` holds a call against the rules, its paths by
//!   `place` and its words by `command`. All of them are parts of one `walker`; `report` says what it found.
//! - `imports` finds modules, `source` decodes and counts lines, `depth` refuses what nests too deep.

mod call;
mod command;
mod define;
mod depth;
mod eval;
mod imports;
mod judge;
mod known;
mod models;
mod place;
mod report;
mod rules;
mod scope;
mod source;
mod text;
mod value;
mod walk;
mod walker;

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Categories, Digest, FileDigest, Finding, Workspace};
use crate::home::read_bounded;

/// What a program may do without a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It reads and computes.
    ReadOnly,
    /// It writes where a run may write, or is not fully known.
    ScopedWrite,
    /// A person has to say yes first.
    ApprovalRequired,
}

impl Verdict {
    /// Its name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "readOnly",
            Self::ScopedWrite => "scopedWrite",
            Self::ApprovalRequired => "approvalRequired",
        }
    }
}

/// What the review says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// What follows from it.
    pub verdict: Verdict,
    /// Why, with the lines.
    pub reasons: Vec<String>,
    /// What needs approval, in the order of the source.
    pub findings: Vec<Finding>,
    /// The workspace modules that were reviewed with the program, in the order in which they were imported.
    pub files: Vec<FileDigest>,
}

impl Review {
    /// Of a program that may do anything: it is not looked at.
    #[must_use]
    pub fn of_nothing() -> Self {
        Self {
            verdict: Verdict::ScopedWrite,
            reasons: Vec::new(),
            findings: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The categories of the findings.
    #[must_use]
    pub fn categories(&self) -> Categories {
        self.findings
            .iter()
            .map(|finding| finding.category)
            .collect()
    }
}

/// Where the program would run.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    /// The directories that count.
    pub workspace: &'c Workspace,
    /// The directory in which it runs: absolute.
    pub cwd: &'c Path,
    /// The script's path, absolute; `None` for code on standard input.
    pub file: Option<&'c Path>,
    /// What is there.
    pub files: &'c dyn Files,
}

/// What the review asks about the file system.
pub trait Files {
    /// The content of a file.
    fn read(&self, path: &Path) -> Option<Vec<u8>>;
    /// What is there, symlinks followed.
    fn kind(&self, path: &Path) -> Option<Kind>;
    /// The path without symlinks, as far as it exists.
    fn real(&self, path: &Path) -> PathBuf;
}

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Directory,
    /// Anything else.
    File,
}

/// The machine's own file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        // A pipe would keep the review waiting.
        read_bounded(path).ok()
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        let metadata = path.metadata().or_else(|_| path.symlink_metadata()).ok()?;
        Some(if metadata.is_dir() {
            Kind::Directory
        } else {
            Kind::File
        })
    }

    fn real(&self, path: &Path) -> PathBuf {
        Workspace::resolved(Path::new(""), path)
    }
}

/// The text of a Python source, as Python decodes it. `None` if it can't be.
#[must_use]
pub fn text_of(source: &[u8]) -> Option<String> {
    source::decode(source)
        .ok()
        .map(std::borrow::Cow::into_owned)
}

/// Reviews a program.
#[must_use]
pub fn review(source: &[u8], context: &Context<'_>) -> Review {
    walker::program(source, context)
}

/// The files in `dir` that stand in the place of a module of the standard library, which may import it by that name
/// whatever the program imports.
#[must_use]
pub fn shadows(dir: &Path) -> Vec<FileDigest> {
    let entries = dir.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .filter(|path| {
            let name = path.file_stem().and_then(std::ffi::OsStr::to_str);
            name.is_some_and(known::is_standard)
        })
        .collect();
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| {
            let sha256 = Digest::of_file(&path).ok()?;
            Some(FileDigest { path, sha256 })
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests;
