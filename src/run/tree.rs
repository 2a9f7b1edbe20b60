//! The process tree of one run: the program and everything that it starts, from spawn until none of it is left.
//!
//! Each platform has the same [`Tree`]:
//!
//! - `Tree::spawn` starts the program with an empty or given standard input, its two output streams piped, no other
//!   descriptor and no terminal.
//! - `Tree::next` waits: it passes output on as it comes and answers with the next [`Event`]. A program that ended by
//!   itself takes along what it left behind, unless the run says otherwise; nothing that a process of the tree does can
//!   keep [`Event::Ended`] from coming.
//! - `Tree::ask` asks every process to end, `Tree::kill` ends them.
//! - A guarded program is held by the [`layers`](Tree::layers) that the system has; [`Event::Stopped`] says that one
//!   refused something.
//! - `Tree::drain` passes on what is still in the pipes after the end, and waits for nobody.
//! - A dropped tree is a killed tree, and so is that of a pi that died.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::request::Leftovers;
use crate::approval::guard::Policy;
use crate::settings::Environment;

#[cfg(unix)]
mod keeper;
#[cfg(unix)]
mod processes;
#[cfg(unix)]
mod reports;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::{Tree, own_this_process, pipe_without_waiting};
#[cfg(windows)]
pub(super) use windows::{Tree, own_this_process};

/// What is started.
#[derive(Debug)]
pub(super) struct Launch<'a> {
    /// The executable.
    pub executable: &'a Path,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment, and nothing else.
    pub environment: &'a Environment,
    /// Where it runs.
    pub cwd: &'a Path,
    /// What it reads.
    pub input: Input,
    /// What it can read from descriptor 3 (Unix alone).
    #[cfg_attr(
        windows,
        expect(
            dead_code,
            reason = "Windows programs get no more than the three streams"
        )
    )]
    pub extra: Extra,
    /// Whether it finds this process's standard input as descriptor 4 (Unix alone).
    #[cfg_attr(
        windows,
        expect(
            dead_code,
            reason = "Windows programs get no more than the three streams"
        )
    )]
    pub passes_input: bool,
    /// What happens to what it leaves behind.
    pub leftovers: Leftovers,
    /// What the system is to hold it to. What the hook refuses comes on descriptor 5.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has the hook alone"))]
    pub guard: Option<&'a Policy>,
    /// Whether the guard's hook is in it.
    pub is_hooked: bool,
}

/// What a program can read from descriptor 3.
#[derive(Debug)]
#[cfg_attr(
    windows,
    expect(
        dead_code,
        reason = "Windows programs get no more than the three streams"
    )
)]
pub(super) enum Extra {
    /// Nothing: there is no such descriptor.
    #[cfg(not(unix))]
    None,
    /// These bytes, and then the end.
    All(Vec<u8>),
    /// These bytes; more comes with `Tree::hand_over`, and then the end.
    Beginning(Vec<u8>),
}

/// What a program reads on standard input.
#[derive(Debug)]
pub(super) enum Input {
    /// What this process reads.
    #[cfg(not(unix))]
    Inherit,
    /// These bytes, which fit into a pipe.
    Bytes(Vec<u8>),
}

/// What happens in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The program runs, under this process id.
    Started(u32),
    /// The program ended.
    Exited(Exit),
    /// The whole tree ended. There are no events behind it.
    Ended(Ended),
    /// The deadline is there.
    Deadline,
    /// A token asks for more than it did.
    Cancelled,
    /// The guard refused something: see `Tree::take_stops`.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has the hook alone"))]
    Stopped,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// By itself.
    Code(i32),
    /// By this signal.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has no signals"))]
    Signal(i32),
}

/// How a tree ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ended {
    /// Processes that were asked to end.
    pub asked: u32,
    /// Processes that were killed.
    pub killed: u32,
    /// Processes that were left: on purpose, or because the system would not let them be killed.
    pub left: u32,
    /// Whether the process that watches over the tree was killed, so that these numbers are not known.
    pub lost: bool,
}

/// Why a program could not be started, or its tree not be watched.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program was not started.
    #[error("can't start `{program}`: {step} failed")]
    Start {
        /// The executable.
        program: String,
        /// What failed.
        step: Step,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The program was started, and then lost.
    #[error("can't watch over the program: {step} failed")]
    Watch {
        /// What failed.
        step: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl Error {
    /// Whether the directory to run in was there when the request was checked and is gone now.
    #[must_use]
    pub fn is_about_directory(&self) -> bool {
        matches!(
            self,
            Self::Start {
                step: Step::Directory(_),
                ..
            }
        )
    }
}

/// A step on the way to a running program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Making pipes.
    Pipes,
    /// Making a process.
    Fork,
    /// Entering this directory.
    Directory(std::path::PathBuf),
    /// Replacing standard input and output.
    Streams,
    /// Running the executable.
    Exec,
    /// Putting it where it can be ended for certain.
    Confine,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pipes => f.write_str("making pipes"),
            Self::Fork => f.write_str("making a process"),
            Self::Directory(path) => write!(f, "entering `{}`", path.display()),
            Self::Streams => f.write_str("setting up its input and output"),
            Self::Exec => f.write_str("running the executable"),
            Self::Confine => f.write_str("confining its processes"),
        }
    }
}
