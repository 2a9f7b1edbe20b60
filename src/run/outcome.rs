//! What happened in a run. These types are the library's result and, serialized, the JSON that pi prints.

use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::approval::guard::Layers;
use crate::approval::{Finding, Question};
use crate::home::escaped;

/// How a run ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The program ended with exit code 0.
    Ok,
    /// The program ended with another exit code, or by a signal.
    Failed,
    /// The time limit passed and pi ended the program.
    Timeout,
    /// The caller ended the program.
    Cancelled,
    /// A person has to approve first.
    ApprovalRequired,
    /// A person, or a missing capability, refused.
    Denied,
    /// There is no Python to run it.
    Unavailable,
    /// The request makes no sense.
    Invalid,
}

/// What a cut stream's budget ran out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TruncatedBy {
    /// `maxOutputBytes`.
    Bytes,
    /// `maxOutputLines`.
    Lines,
}

/// One stream of a run, within its budget.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stream {
    /// Head, notice and tail; the whole stream where nothing was left out.
    pub text: String,
    /// Bytes that the program wrote.
    pub bytes: u64,
    /// Lines that the program wrote; a last one without its end counts.
    pub lines: u64,
    /// Whether something was left out between head and tail.
    pub truncated: bool,
    /// What ran out first.
    pub truncated_by: Option<TruncatedBy>,
    /// Bytes between head and tail.
    pub omitted_bytes: u64,
    /// Lines between head and tail.
    pub omitted_lines: u64,
    /// Bytes that tidying dropped: overwritten progress bars, escape sequences.
    pub reduced_bytes: u64,
    /// The file that holds the whole stream, where it was cut.
    #[serde(serialize_with = "optional_path")]
    pub path: Option<PathBuf>,
}

/// The interpreter of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Python {
    /// The executable.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// Such as `3.13.1`.
    pub version: String,
}

/// Everything that a caller learns of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The program's exit code; `None` where it did not exit by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it, such as `SIGSEGV`.
    pub signal: Option<String>,
    /// The number of that signal.
    #[serde(skip)]
    pub signal_number: Option<i32>,
    /// From start to end of the program, in milliseconds.
    pub duration_ms: u64,
    /// `code` or `script`.
    pub mode: Mode,
    /// Where it ran.
    #[serde(serialize_with = "path")]
    pub cwd: PathBuf,
    /// The interpreter; `None` where there was none.
    pub python: Option<Python>,
    /// Standard output.
    pub stdout: Stream,
    /// Standard error.
    pub stderr: Stream,
    /// What a person is asked to approve.
    pub approval: Option<Approval>,
    /// The layers of the guard that held the program.
    pub guard: Layers,
    /// What a reader should know beside the streams, a sentence each.
    pub notices: Vec<String>,
}

/// What kind of program a run is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Source text.
    Code,
    /// A script file.
    Script,
}

/// A question to a person, bound to what the person is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The digest that an answer is bound to; empty as long as nobody has made one.
    pub id: String,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl From<Question> for Approval {
    fn from(question: Question) -> Self {
        Self {
            id: question.id.to_string(),
            findings: question.findings,
        }
    }
}

/// A signal's name, or its number where it has none.
pub(super) fn signal_name(number: i32) -> String {
    SIGNALS
        .iter()
        .find(|(known, _)| *known == number)
        .map_or_else(
            || format!("signal {number}"),
            |(_, name)| (*name).to_owned(),
        )
}

#[cfg(unix)]
const SIGNALS: &[(i32, &str)] = &[
    (libc::SIGHUP, "SIGHUP"),
    (libc::SIGINT, "SIGINT"),
    (libc::SIGQUIT, "SIGQUIT"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGKILL, "SIGKILL"),
    (libc::SIGUSR1, "SIGUSR1"),
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGUSR2, "SIGUSR2"),
    (libc::SIGPIPE, "SIGPIPE"),
    (libc::SIGALRM, "SIGALRM"),
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGXCPU, "SIGXCPU"),
    (libc::SIGXFSZ, "SIGXFSZ"),
    (libc::SIGVTALRM, "SIGVTALRM"),
    (libc::SIGPROF, "SIGPROF"),
    (libc::SIGIO, "SIGIO"),
    (libc::SIGSYS, "SIGSYS"),
];

/// Windows has no signals.
#[cfg(not(unix))]
const SIGNALS: &[(i32, &str)] = &[];

/// A path as JSON text: what is no Unicode in it comes escaped.
pub(crate) fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&escaped(path))
}

#[expect(
    clippy::ref_option,
    reason = "serde hands over a reference to the field"
)]
fn optional_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => serializer.serialize_some(&escaped(path).to_string()),
        None => serializer.serialize_none(),
    }
}
