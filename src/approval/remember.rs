//! Questions and their answers, kept in the agent directory.
//!
//! A directory a subject; in it a question is one file, and its answer another beside it, named for what was said. A
//! run that nothing was ever asked about costs one directory that can't be opened. Files are written whole or not at
//! all. A question that is broken, foreign or not what its id says is passed over with a warning: it never grants
//! anything. An approval that was given once is a file that exactly one process can take away.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::{By, Digest, Question, now_unix_ms};
use crate::home::{Home, LARGEST_FILE, TEMPORARY_PREFIX, read_bounded, write_atomic};
use crate::settings::{KEEP_QUESTIONS, KEEP_QUESTIONS_FOR, REFUSAL_MEMORY};

#[cfg_attr(not(windows), path = "remember/unix.rs")]
#[cfg_attr(windows, path = "remember/windows.rs")]
mod system;

/// The store.
#[derive(Debug, Clone)]
pub struct Store {
    home: Home,
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It has no answer.
    Pending,
    /// The next run may go ahead.
    Once,
    /// Every run may go ahead.
    Always,
    /// A person said no.
    Refused,
    /// It was allowed once, and that run has been.
    Used,
}

impl Standing {
    /// Its name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Once => "once",
            Self::Always => "always",
            Self::Refused => "refused",
            Self::Used => "used",
        }
    }

    /// Whether it lets a run go ahead.
    #[must_use]
    pub fn grants(self) -> bool {
        matches!(self, Self::Once | Self::Always)
    }
}

/// The answers that are kept, the first that is there counts. Where two people answer at the same moment, no is first.
const ANSWERS: [Standing; 4] = [
    Standing::Refused,
    Standing::Always,
    Standing::Once,
    Standing::Used,
];

/// Who answered, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Given {
    /// How.
    pub by: By,
    /// When, in milliseconds since 1970.
    pub at_unix_ms: u64,
}

impl Given {
    pub(super) fn now(by: By) -> Self {
        Self {
            by,
            at_unix_ms: now_unix_ms(),
        }
    }

    fn age(self) -> Duration {
        Duration::from_millis(now_unix_ms().saturating_sub(self.at_unix_ms))
    }
}

/// A question with what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Known {
    /// The question.
    #[serde(flatten)]
    pub question: Question,
    /// What became of it.
    pub status: Standing,
    /// Its answer, where it has one.
    pub answer: Option<Given>,
}

/// What was found, and what could not be used.
#[derive(Debug, Default)]
pub struct Found {
    /// The questions, the last asked first.
    pub known: Vec<Known>,
    /// Files that could not be used, a sentence each.
    pub warnings: Vec<String>,
}

/// Why there is no answering a question.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No id begins so.
    #[error("no approval has an id that begins with `{id}`")]
    Unknown {
        /// What was given.
        id: String,
    },
    /// More than one id begins so.
    #[error("{count} approvals have ids that begin with `{id}`")]
    Ambiguous {
        /// What was given.
        id: String,
        /// How many.
        count: usize,
    },
    /// The store could not be changed.
    #[error("can't remember the answer")]
    Store(#[source] io::Error),
}

impl Store {
    /// The store of this agent directory.
    #[must_use]
    pub fn of(home: &Home) -> Self {
        Self { home: home.clone() }
    }

    /// What was asked about this subject before.
    #[must_use]
    pub fn about(&self, subject: &Digest) -> Found {
        let mut found = Found::default();
        self.read_subject(subject, &mut found);
        found.sort();
        found
    }

    /// Everything that was asked and is still known.
    #[must_use]
    pub fn all(&self) -> Found {
        let mut found = Found::default();
        for subject in subjects(&self.home) {
            self.read_subject(&subject, &mut found);
        }
        found.sort();
        found
    }

    /// The one question whose id begins with `id`, and what could not be used on the way.
    ///
    /// # Errors
    /// There is none, or more than one.
    pub fn find(&self, id: &str) -> Result<Known, Error> {
        let mut matching = self.all().known;
        matching.retain(|known| known.question.id.is(id) || known.question.id.begins_with(id));
        match matching.len() {
            0 => Err(Error::Unknown { id: id.to_owned() }),
            1 => Ok(matching.remove(0)),
            count => Err(Error::Ambiguous {
                id: id.to_owned(),
                count,
            }),
        }
    }

    /// Remembers a question, so that it can be answered from elsewhere, and forgets those that are too old or too many.
    ///
    /// # Errors
    /// What the system says, with the path; or that the question is too large to be read again.
    pub fn ask(&self, question: &Question) -> io::Result<()> {
        let path = self.home.approval_question(&question.subject, &question.id);
        let json = serde_json::to_vec(question).map_err(io::Error::other)?;
        if json.len() as u64 > LARGEST_FILE {
            let problem = format!("it has {} findings, too many", question.findings.len());
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
        }
        match write_atomic(&path, &json) {
            // Another process may have tidied up the empty directory at this moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => write_atomic(&path, &json)?,
            other => other?,
        }
        remove(&self.answer_file(question, Standing::Used))?;
        self.tidy();
        Ok(())
    }

    /// Remembers a question, unless it is known.
    ///
    /// # Errors
    /// What the system says, with the path.
    pub(super) fn ask_once(&self, question: &Question) -> io::Result<()> {
        let path = self.home.approval_question(&question.subject, &question.id);
        if path.is_file() {
            return Ok(());
        }
        self.ask(question)
    }

    /// Remembers an answer in place of the one before.
    ///
    /// # Errors
    /// What the system says, with the path.
    pub fn answer(&self, question: &Question, standing: Standing, by: By) -> io::Result<()> {
        if standing != Standing::Pending {
            let path = self.answer_file(question, standing);
            let json = serde_json::to_vec(&Given::now(by)).map_err(io::Error::other)?;
            write_atomic(&path, &json)?;
        }
        for other in ANSWERS.into_iter().filter(|other| *other != standing) {
            remove(&self.answer_file(question, other))?;
        }
        Ok(())
    }

    /// Takes an approval that was given once: true for exactly one caller of all processes.
    ///
    /// # Errors
    /// What the system says, with the path.
    pub fn take(&self, question: &Question, by: By) -> io::Result<bool> {
        let once = self.answer_file(question, Standing::Once);
        let taken = system::take_away(&once)?;
        if taken {
            // For people alone: the approval is gone whether or not this can be said.
            let used = self.answer_file(question, Standing::Used);
            let json = serde_json::to_vec(&Given::now(by)).map_err(io::Error::other)?;
            let _ = write_atomic(&used, &json);
        }
        Ok(taken)
    }

    /// Forgets a question with its answer: the same run asks anew.
    ///
    /// # Errors
    /// What the system says, with the path.
    pub fn forget(&self, question: &Question) -> io::Result<()> {
        // Grants go first: should the rest fail, nothing is allowed any more.
        for standing in ANSWERS.into_iter().rev() {
            remove(&self.answer_file(question, standing))?;
        }
        remove(&self.home.approval_question(&question.subject, &question.id))?;
        // It is not empty while other questions about the subject are known.
        let _ = fs::remove_dir(self.home.approvals_of(&question.subject));
        Ok(())
    }

    fn answer_file(&self, question: &Question, standing: Standing) -> PathBuf {
        self.home
            .approval_answer(&question.subject, &question.id, standing.name())
    }

    fn read_subject(&self, subject: &Digest, found: &mut Found) {
        let dir = self.home.approvals_of(subject);
        let Ok(entries) = fs::read_dir(&dir) else {
            return;
        };
        let names = entries.flatten().map(|entry| entry.path());
        for path in names.filter(|path| path.extension().is_some_and(|kind| kind == "json")) {
            match read_question(&path, subject) {
                Ok(question) => found.known.push(self.known(question, &mut found.warnings)),
                // It was forgotten between the two looks.
                Err(Problem::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => {}
                Err(problem) => found.warnings.push(format!(
                    "the approval in `{}` is ignored: {problem}",
                    path.display()
                )),
            }
        }
    }

    /// A question with its answer. A refusal that is old is none, and an answer that can't be read is none.
    fn known(&self, question: Question, warnings: &mut Vec<String>) -> Known {
        for standing in ANSWERS {
            let path = self.answer_file(&question, standing);
            let given = match read_bounded(&path) {
                Ok(json) => serde_json::from_slice::<Given>(&json).map_err(io::Error::from),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => Err(error),
            };
            match given {
                Ok(given) if standing == Standing::Refused && given.age() >= REFUSAL_MEMORY => {}
                Ok(given) => {
                    return Known {
                        question,
                        status: standing,
                        answer: Some(given),
                    };
                }
                Err(error) => warnings.push(format!(
                    "the answer in `{}` is ignored: {error}",
                    path.display()
                )),
            }
        }
        Known {
            question,
            status: Standing::Pending,
            answer: None,
        }
    }

    /// Removes the questions that are older than a week or more than enough, the oldest first. What was allowed for
    /// ever stays. Failing costs nothing but room, so nobody is told.
    fn tidy(&self) {
        let mut old: Vec<(SystemTime, PathBuf)> = Vec::new();
        let subjects = subjects(&self.home).map(|subject| self.home.approvals_of(&subject));
        let files = subjects
            .filter_map(|dir| fs::read_dir(dir).ok())
            .flatten()
            .flatten();
        for file in files {
            let path = file.path();
            let modified = file.metadata().and_then(|meta| meta.modified());
            match modified {
                Ok(modified) if is_question(&path) && !is_allowed_always(&path) => {
                    old.push((modified, path));
                }
                Ok(modified) if is_unfinished(&path) && is_old(modified) => {
                    let _ = fs::remove_file(path);
                }
                _ => {}
            }
        }
        old.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
        for (at, (modified, path)) in old.iter().enumerate() {
            if at >= KEEP_QUESTIONS || is_old(*modified) {
                remove_with_answers(path);
            }
        }
    }
}

impl Found {
    fn sort(&mut self) {
        self.known.sort_by(|a, b| {
            let key = |known: &Known| (known.question.asked_unix_ms, known.question.id);
            key(b).cmp(&key(a))
        });
    }
}

/// The subjects that have a directory.
fn subjects(home: &Home) -> impl Iterator<Item = Digest> {
    let entries = fs::read_dir(home.approvals()).into_iter().flatten();
    entries
        .flatten()
        .filter_map(|entry| Digest::parse(entry.file_name().to_str()?))
}

/// Why a file is no question.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    #[error("it is broken: {0}")]
    Broken(#[from] serde_json::Error),
    #[error("it is not what its id says")]
    Forged,
}

fn read_question(path: &Path, subject: &Digest) -> Result<Question, Problem> {
    let question: Question = serde_json::from_slice(&read_bounded(path)?)?;
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let named = name == Some(question.id.to_string().as_str());
    if named && question.subject == *subject && question.is_intact() {
        Ok(question)
    } else {
        Err(Problem::Forged)
    }
}

fn is_question(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "json")
}

fn is_allowed_always(question: &Path) -> bool {
    question
        .with_extension(Standing::Always.name())
        .symlink_metadata()
        .is_ok()
}

/// Left by a process that was killed while it wrote.
fn is_unfinished(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.starts_with(TEMPORARY_PREFIX))
}

fn is_old(modified: SystemTime) -> bool {
    modified.elapsed().is_ok_and(|age| age > KEEP_QUESTIONS_FOR)
}

fn remove_with_answers(question: &Path) {
    for standing in ANSWERS.into_iter().rev() {
        let _ = fs::remove_file(question.with_extension(standing.name()));
    }
    let _ = fs::remove_file(question);
    if let Some(dir) = question.parent() {
        let _ = fs::remove_dir(dir);
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(|error| crate::home::with_path("can't remove", path, &error)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use std::fs::File;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::approval::Category;
    use crate::approval::subject::tests::{finding, subject};

    struct Scratch {
        _dir: tempfile::TempDir,
        store: Store,
    }

    fn scratch() -> Scratch {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::of(&Home::at(dir.path()));
        Scratch { _dir: dir, store }
    }

    fn question(code: &str) -> Question {
        let subject = subject(code.as_bytes());
        let findings = vec![finding(Category::Delete, "deletes", 1)];
        Question::about(&subject, subject.digest(), findings)
    }

    fn only(store: &Store, question: &Question) -> Known {
        let mut found = store.about(&question.subject);
        assert_eq!(found.warnings, Vec::<String>::new());
        assert_eq!(found.known.len(), 1);
        found.known.remove(0)
    }

    #[test]
    fn what_was_asked_is_found_by_its_subject_and_by_its_id() {
        let Scratch { store, _dir } = scratch();
        let (one, two) = (question("1"), question("2"));
        store.ask(&one).unwrap();
        store.ask(&two).unwrap();
        let known = only(&store, &one);
        assert_eq!(known.question, one);
        assert_eq!((known.status, known.answer), (Standing::Pending, None));
        assert_eq!(store.all().known.len(), 2);
        let id = one.id.to_string();
        assert_eq!(store.find(&id).unwrap().question, one);
        assert_eq!(store.find(&id[..12]).unwrap().question, one);
        assert!(matches!(store.find(""), Err(Error::Unknown { .. })));
        assert!(matches!(store.find("x"), Err(Error::Unknown { .. })));
    }

    #[test]
    fn an_answer_takes_the_place_of_the_one_before() {
        let Scratch { store, _dir } = scratch();
        let question = question("1");
        store.ask(&question).unwrap();
        for standing in [
            Standing::Always,
            Standing::Once,
            Standing::Refused,
            Standing::Used,
            Standing::Always,
            Standing::Pending,
        ] {
            store.answer(&question, standing, By::Command).unwrap();
            assert_eq!(only(&store, &question).status, standing);
        }
        store.answer(&question, Standing::Used, By::Option).unwrap();
        store.ask(&question).unwrap();
        assert_eq!(only(&store, &question).status, Standing::Pending);
        store
            .answer(&question, Standing::Always, By::Command)
            .unwrap();
        store.forget(&question).unwrap();
        assert!(store.all().known.is_empty());
        assert!(!store.home.approvals_of(&question.subject).exists());
        store.forget(&question).unwrap();
    }

    #[test]
    fn what_was_allowed_once_is_taken_once() {
        let Scratch { store, _dir } = scratch();
        let question = question("1");
        store.ask(&question).unwrap();
        for _ in 0..20 {
            store
                .answer(&question, Standing::Once, By::Command)
                .unwrap();
            let taken = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        if store.take(&question, By::Command).unwrap() {
                            taken.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            });
            assert_eq!(taken.into_inner(), 1);
        }
        assert_eq!(only(&store, &question).status, Standing::Used);
    }

    #[test]
    fn files_that_are_no_questions_grant_nothing_and_are_named() {
        let Scratch { store, _dir } = scratch();
        let real = question("1");
        store.ask(&real).unwrap();
        let path = store.home.approval_question(&real.subject, &real.id);
        let json = fs::read_to_string(&path).unwrap();
        let other = question("2");
        for (content, problem) in [
            (String::new(), "broken"),
            (json[..json.len() / 2].to_owned(), "broken"),
            ("[]".to_owned(), "broken"),
            // More than was shown, under the id of what was shown.
            (json.replace("\"delete\"", "\"program\""), "its id"),
            (json.replace("\"line\":1", "\"line\":2"), "its id"),
            (serde_json::to_string(&other).unwrap(), "its id"),
        ] {
            fs::write(&path, content).unwrap();
            store.answer(&real, Standing::Always, By::Command).unwrap();
            let found = store.about(&real.subject);
            assert!(found.known.is_empty(), "{problem}");
            assert_eq!(found.warnings.len(), 1);
            assert!(found.warnings[0].contains(problem), "{:?}", found.warnings);
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(store.about(&real.subject).warnings.len(), 1);
    }

    #[test]
    fn a_question_that_could_not_be_read_again_is_not_written() {
        let Scratch { store, _dir } = scratch();
        let subject = subject(b"x");
        let findings = (1..40_000)
            .map(|line| finding(Category::Delete, "deletes", line))
            .collect();
        let question = Question::about(&subject, subject.digest(), findings);
        let error = store.ask(&question).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(store.all().known.is_empty());
    }

    #[test]
    fn a_broken_answer_is_none() {
        let Scratch { store, _dir } = scratch();
        let question = question("1");
        store.ask(&question).unwrap();
        for name in ["once", "always"] {
            let answer = store
                .home
                .approval_answer(&question.subject, &question.id, name);
            fs::write(answer, "yes").unwrap();
        }
        let found = store.about(&question.subject);
        assert_eq!(found.known[0].status, Standing::Pending);
        assert_eq!(found.warnings.len(), 2);
    }

    #[test]
    fn a_no_is_forgotten_after_a_while() {
        let Scratch { store, _dir } = scratch();
        let question = question("1");
        store.ask(&question).unwrap();
        let path = store.answer_file(&question, Standing::Refused);
        let ago = |age: Duration| Given {
            by: By::Terminal,
            at_unix_ms: now_unix_ms() - u64::try_from(age.as_millis()).unwrap(),
        };
        let write = |given| fs::write(&path, serde_json::to_vec(&given).unwrap()).unwrap();
        write(ago(REFUSAL_MEMORY / 2));
        assert_eq!(only(&store, &question).status, Standing::Refused);
        write(ago(REFUSAL_MEMORY));
        assert_eq!(only(&store, &question).status, Standing::Pending);
    }

    #[test]
    fn old_questions_go_and_what_was_allowed_always_stays() {
        let Scratch { store, _dir } = scratch();
        let (old, kept) = (question("old"), question("kept"));
        for (question, standing) in [(&old, Standing::Once), (&kept, Standing::Always)] {
            store.ask(question).unwrap();
            store.answer(question, standing, By::Command).unwrap();
            let path = store
                .home
                .approval_question(&question.subject, &question.id);
            let then = SystemTime::now() - KEEP_QUESTIONS_FOR - Duration::from_secs(60);
            File::options()
                .write(true)
                .open(path)
                .unwrap()
                .set_modified(then)
                .unwrap();
        }
        store.ask(&question("new")).unwrap();
        assert!(store.about(&old.subject).known.is_empty());
        assert!(!store.home.approvals_of(&old.subject).exists());
        assert_eq!(only(&store, &kept).status, Standing::Always);
    }

    #[test]
    fn of_too_many_questions_the_oldest_go() {
        let Scratch { store, _dir } = scratch();
        let first = question("first");
        store.ask(&first).unwrap();
        let path = store.home.approval_question(&first.subject, &first.id);
        let earlier = SystemTime::now() - Duration::from_secs(60);
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(earlier)
            .unwrap();
        for number in 0..KEEP_QUESTIONS {
            store.ask(&question(&number.to_string())).unwrap();
        }
        assert_eq!(store.all().known.len(), KEEP_QUESTIONS);
        assert!(store.about(&first.subject).known.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_kept_is_for_the_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let Scratch { store, _dir } = scratch();
        let question = question("1");
        store.ask(&question).unwrap();
        store
            .answer(&question, Standing::Once, By::Command)
            .unwrap();
        let dir = store.home.approvals_of(&question.subject);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&dir), 0o700);
        for file in fs::read_dir(dir).unwrap().flatten() {
            assert_eq!(mode(&file.path()), 0o600, "{file:?}");
        }
    }
}
