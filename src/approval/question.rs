//! A question to a person, who may answer it, and how.

use std::ffi::OsStr;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Categories, Digest, Excerpt, FileDigest, Finding, Id, Subject};
use crate::home::{escaped, read_bounded};

/// The most characters of an argument or a variable that are shown and kept; the digest is of all of them.
const TEXT_CHARS: usize = 400;

/// Everything that a person is shown. This is what is remembered, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The digest that an answer is bound to.
    pub id: Id,
    /// The run that it is about.
    pub subject: Digest,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The digest of the program's source.
    pub sha256: Digest,
    /// The script, as it was named; `None` for code.
    pub script: Option<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Variables that are set for it (`NAME=VALUE`), or passed on to it (`NAME`).
    pub variables: Vec<String>,
    /// Where it would run.
    pub cwd: String,
    /// The interpreter and its version.
    pub python: String,
    /// What it imports and was reviewed with it.
    pub imports: Vec<FileDigest>,
    /// The source that goes with the findings.
    pub excerpts: Vec<Excerpt>,
    /// When it was asked, in milliseconds since 1970.
    pub asked_unix_ms: u64,
}

impl Question {
    /// The question about `findings` in a run.
    #[must_use]
    pub fn about(subject: &Subject<'_>, digest: Digest, findings: Vec<Finding>) -> Self {
        Self {
            id: Id::of(&digest, &findings),
            subject: digest,
            sha256: Digest::of(subject.code),
            script: subject.script.map(|script| shown(script.named.as_os_str())),
            args: subject.args.iter().map(|arg| bounded(shown(arg))).collect(),
            variables: subject
                .variables
                .iter()
                .map(|(name, value)| variable(name, value.as_deref()))
                .collect(),
            cwd: shown(subject.cwd.as_os_str()),
            python: format!(
                "{} ({})",
                shown(subject.python.as_os_str()),
                subject.version
            ),
            imports: subject.imports.to_vec(),
            excerpts: excerpts(subject, &findings),
            asked_unix_ms: super::now_unix_ms(),
            findings,
        }
    }

    /// What a yes would let the run do.
    #[must_use]
    pub fn categories(&self) -> Categories {
        categories(&self.findings)
    }

    /// Whether it is intact: its id is that of its content.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.id == Id::of(&self.subject, &self.findings)
    }
}

/// The categories of these findings.
pub(super) fn categories(findings: &[Finding]) -> Categories {
    findings.iter().map(|finding| finding.category).collect()
}

fn shown(text: &OsStr) -> String {
    escaped(Path::new(text)).to_string()
}

fn variable(name: &OsStr, value: Option<&OsStr>) -> String {
    bounded(match value {
        Some(value) => format!("{}={}", shown(name), shown(value)),
        None => shown(name),
    })
}

fn bounded(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(TEXT_CHARS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The program's source, and that of the modules that findings stand in, as far as they are what was reviewed.
fn excerpts(subject: &Subject<'_>, findings: &[Finding]) -> Vec<Excerpt> {
    let modules = subject.imports.iter().filter_map(|module| {
        let named = |finding: &Finding| finding.file.as_deref() == Some(&module.path);
        if !findings.iter().any(named) {
            return None;
        }
        let source = read_bounded(&module.path).ok()?;
        (Digest::of(&source) == module.sha256)
            .then(|| Excerpt::of(Some(&module.path), &source, findings))
    });
    std::iter::once(Excerpt::of(None, subject.code, findings))
        .chain(modules)
        .collect()
}

/// What a person says to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It may run this time.
    Once,
    /// It may run whenever it is exactly the same.
    Always,
    /// It may not.
    No,
    /// There is nobody who could be asked.
    Nobody,
}

/// How a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// On the terminal, where the run was started.
    Terminal,
    /// With `pi approvals`.
    Command,
    /// With `--approve`.
    Option,
    /// Through the client that asked for the run.
    Client,
}

impl By {
    /// The words for it in a sentence about an answer.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Terminal => "on the terminal",
            Self::Command => "with `pi approvals`",
            Self::Option => "with `--approve`",
            Self::Client => "through the client",
        }
    }
}

/// Somebody who can be asked.
pub trait Asker {
    /// Puts the question and waits for the answer. Answers [`Answer::Nobody`] at once where nobody would see it.
    fn ask(&self, question: &Question) -> Answer;

    /// How the answer comes.
    fn by(&self) -> By;
}

/// Nobody: every question stays open.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Asker for Nobody {
    fn ask(&self, _question: &Question) -> Answer {
        Answer::Nobody
    }

    fn by(&self) -> By {
        By::Command
    }
}
