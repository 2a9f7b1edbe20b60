//! Why there is no Python, and what a person can do about it.

use std::error::Error as StdError;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::home::is_full;
use crate::settings::{AGENT_DIR_VARIABLE, FAILURE_MEMORY, OLDEST_PYTHON, variable};

use super::{PassedOver, termux, uv};

/// How many candidates are named in the hints.
const MOST_NAMED: usize = 6;

/// A failure of another domain, with its chain of causes.
type Cause = Box<dyn StdError + Send + Sync + 'static>;

/// Why no interpreter can be given. Each of them means that a run can't begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing fits on this machine, and nothing may be fetched.
    #[error("{asked} is not on this machine, and offline mode keeps pi from getting it")]
    Offline {
        /// What was asked for.
        asked: String,
        /// What was looked at.
        passed_over: Vec<PassedOver>,
        /// How to bring what is missing, a line each.
        instructions: Vec<String>,
    },
    /// Nothing fits on this machine, and it was only to be looked for.
    #[error("{asked} is not on this machine")]
    Missing {
        /// What was asked for.
        asked: String,
        /// What was looked at.
        passed_over: Vec<PassedOver>,
    },
    /// Nothing fits, and uv can't be had to install it.
    #[error("{asked} is not on this machine, and uv can't be had to install it")]
    NoUv {
        /// What was asked for.
        asked: String,
        /// What was looked at.
        passed_over: Vec<PassedOver>,
        /// What keeps uv away.
        #[source]
        source: Cause,
        /// What the source advises.
        advice: Vec<String>,
    },
    /// uv could not install it.
    #[error("{asked} can't be installed")]
    Install {
        /// What was to be installed.
        asked: String,
        /// What was looked at.
        passed_over: Vec<PassedOver>,
        /// What the situation advises, before all else.
        advice: Vec<String>,
        /// uv's own words.
        #[source]
        source: Box<uv::Failure>,
    },
    /// Termux's package manager could not install it.
    #[error("{asked} can't be installed from Termux's packages")]
    Termux {
        /// What was to be installed.
        asked: String,
        /// What was looked at.
        passed_over: Vec<PassedOver>,
        /// The package manager's own words.
        #[source]
        source: termux::Failure,
    },
    /// What was just installed does not work.
    #[error("{asked} was installed but can't be used")]
    Useless {
        /// What was installed.
        asked: String,
        /// What was looked at.
        passed_over: Vec<PassedOver>,
    },
    /// The one that was named can't be used.
    #[error("the Python at `{}` can't be used: {reason}", .path.display())]
    Unusable {
        /// The path that was named.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// What was named is nothing that could be looked for.
    #[error("`{asked}` is neither a version of Python nor the path or name of one on this machine")]
    Unclear {
        /// What was asked for.
        asked: String,
    },
    /// The version that was named is older than what pi works with.
    #[error("{asked} is older than {}.{}, the oldest that is supported", OLDEST_PYTHON.0, OLDEST_PYTHON.1)]
    TooOld {
        /// What was asked for.
        asked: String,
    },
    /// Something has to be installed, and the agent directory can't take it.
    #[error("{asked} is not on this machine, and the agent directory `{}` can't be written", .dir.display())]
    AgentDirectory {
        /// What was asked for.
        asked: String,
        /// The agent directory.
        dir: PathBuf,
        /// The first directory on the way to it that this user can't enter.
        closed: Option<PathBuf>,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Something has to be installed, and no program can be started from the agent directory.
    #[error("{asked} is not on this machine, and the agent directory `{}` is mounted noexec", .dir.display())]
    Noexec {
        /// What was asked for.
        asked: String,
        /// The agent directory.
        dir: PathBuf,
    },
    /// Another process was at it all the time.
    #[error("another process{} has been getting Python for longer than {} s: `{}`", of(*.pid), in_seconds(*.limit), .lock.display())]
    Busy {
        /// The lock's file.
        lock: PathBuf,
        /// The process that holds it, where that is known.
        pid: Option<u32>,
        /// How long it was waited for at most.
        limit: Duration,
    },
    /// The time was used up before the work was.
    #[error("getting Python took longer than {} s", in_seconds(*.limit))]
    TimedOut {
        /// How long it could take.
        limit: Duration,
    },
    /// The same situation failed a moment ago.
    #[error("{message} (this was {seconds_ago} s ago, and was not tried again)")]
    Remembered {
        /// How long ago.
        seconds_ago: u64,
        /// The kind of the failure then.
        kind: ErrorKind,
        /// Its message.
        message: String,
        /// Its causes.
        #[source]
        source: Option<Told>,
        /// Its hints.
        hints: Vec<String>,
    },
}

/// What an [`Error`] is about, for a caller that has to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no Python and none can be got.
    Unavailable,
    /// The interpreter that was named can't be used.
    Unusable,
    /// The agent directory stands in the way.
    AgentDirectory,
    /// The time was used up, by others or by the work itself.
    TimedOut,
}

/// A cause that was written down when it happened.
#[derive(Debug)]
pub struct Told {
    text: String,
    source: Option<Box<Told>>,
}

impl Told {
    /// A chain of causes from their texts, the outermost first.
    pub(crate) fn chain(texts: Vec<String>) -> Option<Self> {
        texts.into_iter().rev().fold(None, |source, text| {
            Some(Self {
                text,
                source: source.map(Box::new),
            })
        })
    }
}

impl std::fmt::Display for Told {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.text)
    }
}

impl StdError for Told {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source
            .as_deref()
            .map(|told| told as &(dyn StdError + 'static))
    }
}

impl Error {
    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Offline { .. }
            | Self::Missing { .. }
            | Self::NoUv { .. }
            | Self::Install { .. }
            | Self::Termux { .. }
            | Self::Useless { .. } => ErrorKind::Unavailable,
            Self::Unusable { .. } | Self::Unclear { .. } | Self::TooOld { .. } => {
                ErrorKind::Unusable
            }
            Self::AgentDirectory { .. } | Self::Noexec { .. } => ErrorKind::AgentDirectory,
            Self::Busy { .. } | Self::TimedOut { .. } => ErrorKind::TimedOut,
            Self::Remembered { kind, .. } => *kind,
        }
    }

    /// What a person can do, a line each, the most useful first.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Offline {
                passed_over,
                instructions,
                ..
            } => [instructions.clone(), named(passed_over)].concat(),
            Self::NoUv {
                asked,
                passed_over,
                advice,
                ..
            } => [advice.clone(), vec![bring(asked)], named(passed_over)].concat(),
            Self::Install {
                asked,
                passed_over,
                advice,
                source,
            } => [
                advice.clone(),
                after_install(asked, source),
                named(passed_over),
            ]
            .concat(),
            Self::Termux { passed_over, .. } => {
                let by_hand = "run `pkg install python` by hand".to_owned();
                [vec![by_hand], named(passed_over)].concat()
            }
            Self::Missing { asked, passed_over } | Self::Useless { asked, passed_over } => {
                [named(passed_over), vec![bring(asked)]].concat()
            }
            Self::Unusable { .. } | Self::TooOld { .. } => vec![format!(
                "name another with `--python` or `{}`, or none to let pi find one",
                variable("python.use")
            )],
            Self::Unclear { .. } => vec![format!(
                "`--python` and `{}` take a path, the name of a program on PATH, or a version such as `3.12`, \
                 `>=3.11` or `pypy@3.10`",
                variable("python.use")
            )],
            Self::AgentDirectory { source, .. } if is_full(source) => {
                vec![move_directory("with more room")]
            }
            Self::AgentDirectory { source, .. }
                if source.kind() == io::ErrorKind::NotADirectory =>
            {
                vec![
                    "`pi doctor` sets aside what is in the way in the agent directory".to_owned(),
                    move_directory("that this user can write"),
                ]
            }
            Self::AgentDirectory { asked, closed, .. } => {
                let closed = closed
                    .iter()
                    .map(|dir| format!("`{}` can't be entered by this user", dir.display()));
                closed
                    .chain([move_directory("that this user can write"), bring(asked)])
                    .collect()
            }
            Self::Noexec { asked, .. } => vec![
                move_directory("from which programs may be started"),
                bring(asked),
            ],
            Self::Busy { .. } | Self::TimedOut { .. } => vec![format!(
                "`{}` raises the limit",
                variable("provision.total_seconds")
            )],
            Self::Remembered {
                seconds_ago, hints, ..
            } => {
                let left = FAILURE_MEMORY.as_secs().saturating_sub(*seconds_ago).max(1);
                let again =
                    format!("it is tried again in {left} s, or at once by `pi provision --force`");
                [hints.clone(), vec![again]].concat()
            }
        }
    }

    /// Whether finding it out again would cost more than an answer from memory.
    pub(crate) fn is_costly(&self) -> bool {
        matches!(
            self,
            Self::NoUv { .. }
                | Self::Install { .. }
                | Self::Termux { .. }
                | Self::Useless { .. }
                | Self::TimedOut { .. }
        )
    }
}

/// How to bring one's own Python.
pub(crate) fn bring(asked: &str) -> String {
    format!(
        "install {asked} so that PATH has it, or name one with `--python PATH` or `{}`",
        variable("python.use")
    )
}

/// Where the agent directory might go instead.
pub(crate) fn move_directory(to_one: &str) -> String {
    format!("set `{AGENT_DIR_VARIABLE}` to a directory {to_one}")
}

fn after_install(asked: &str, source: &uv::Failure) -> Vec<String> {
    let words = source.to_string();
    let mut hints = Vec::new();
    if words.contains("certificate") {
        hints.push(
            "set `SSL_CERT_FILE` to a file with the authority that signs this network's traffic"
                .to_owned(),
        );
    }
    if source.is_timeout() {
        hints.push(format!(
            "`{}` raises the limit",
            variable("provision.total_seconds")
        ));
    }
    hints.push("set `UV_PYTHON_INSTALL_MIRROR` to an http(s) or file address that holds uv's Python builds".to_owned());
    hints.push(bring(asked));
    hints
}

fn named(passed_over: &[PassedOver]) -> Vec<String> {
    let mut lines: Vec<String> = passed_over
        .iter()
        .take(MOST_NAMED)
        .map(ToString::to_string)
        .collect();
    if passed_over.len() > MOST_NAMED {
        lines.push(format!(
            "{} more were passed over",
            passed_over.len() - MOST_NAMED
        ));
    }
    lines
}

/// As the limit was written: `300`, `1.5`.
fn in_seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

fn of(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" ({pid})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_causes_keep_their_order() {
        let told = Told::chain(vec!["outer".to_owned(), "inner".to_owned()]).expect("two causes");
        assert_eq!(told.to_string(), "outer");
        assert_eq!(
            told.source().map(ToString::to_string).as_deref(),
            Some("inner")
        );
        assert!(Told::chain(Vec::new()).is_none());
    }

    #[test]
    fn a_remembered_failure_is_of_the_kind_it_was_and_says_when_it_is_tried_again() {
        let error = Error::Remembered {
            seconds_ago: 10,
            kind: ErrorKind::Unavailable,
            message: "no".to_owned(),
            source: None,
            hints: vec!["first".to_owned()],
        };
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert_eq!(error.hints()[0], "first");
        assert!(error.hints()[1].contains("20 s"), "{:?}", error.hints());
        assert!(!error.is_costly());
    }

    #[test]
    fn many_candidates_are_counted_and_not_listed() {
        let many: Vec<PassedOver> = (0..9)
            .map(|number| PassedOver {
                path: number.to_string().into(),
                reason: "no".to_owned(),
            })
            .collect();
        assert_eq!(named(&many).len(), MOST_NAMED + 1);
    }
}
