//! What a caller asks of a run, and the one place where it is validated.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::settings::{MAX_ARGS, MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, Settings, TIMEOUT_SECONDS};

/// The program of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// Python source, as the bytes that Python will read.
    Code(Vec<u8>),
    /// A script file, absolute.
    Script(PathBuf),
}

/// How long a run may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeLimit {
    /// What the settings say.
    Default,
    /// So many seconds; validated and clamped.
    Seconds(f64),
    /// For ever (the command line's `--no-timeout`).
    None,
}

/// What a run reads on standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stdin {
    /// End of file at once.
    #[default]
    Empty,
    /// The caller's own standard input (a script alone can have it).
    Inherit,
}

/// What is done with processes that the program left behind when it ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Leftovers {
    /// They are ended.
    #[default]
    End,
    /// They are left alone (`--detach-ok`).
    Keep,
}

/// What a caller asks for, as it was typed. [`Request::validate`] makes a [`Plan`] of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// Python source.
    pub code: Option<Vec<u8>>,
    /// A script, relative to `cwd`; a leading `@` is dropped.
    pub script_path: Option<PathBuf>,
    /// The program's arguments.
    pub args: Vec<OsString>,
    /// Where it runs, relative to the caller's directory.
    pub cwd: Option<PathBuf>,
    /// The time limit.
    pub time_limit: Option<TimeLimit>,
    /// Bytes returned of each stream.
    pub max_output_bytes: Option<u64>,
    /// Lines returned of each stream.
    pub max_output_lines: Option<u64>,
    /// Standard input.
    pub stdin: Stdin,
    /// Variables to set (`Some`) or to pass on although they are withheld (`None`).
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Keep escape sequences and progress bars in the returned text.
    pub raw: bool,
    /// What happens to what the program leaves behind.
    pub leftovers: Leftovers,
}

/// A request that makes sense, with every default and limit applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The program.
    pub program: Program,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where it runs: absolute, and a directory when it was checked.
    pub cwd: PathBuf,
    /// The time limit; `None` is without end.
    pub timeout: Option<Duration>,
    /// Bytes returned of each stream.
    pub max_output_bytes: u64,
    /// Lines returned of each stream.
    pub max_output_lines: u64,
    /// Standard input.
    pub stdin: Stdin,
    /// Variables to set or to pass on.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Keep escape sequences and progress bars in the returned text.
    pub raw: bool,
    /// What happens to what the program leaves behind.
    pub leftovers: Leftovers,
    /// What was clamped, a sentence each.
    pub notices: Vec<String>,
}
