//! One writer at a time in a workspace.
//!
//! A run holds its workspace alone; a run that is read-only, or the editor of a single file, holds it beside others of
//! that kind, and editors of one file take turns with it. The locks lie in the agent directory, one set for each
//! workspace by its real path, and the system drops them with their holder, however that ends. Two workspaces, one of
//! which lies in the other, are two workspaces.
//!
//! Whoever has to wait stands at the workspace's turnstile, and newcomers behind it: neither a stream of readers nor one
//! of writers keeps the other from its turn. What a holder starts is told what is held (in a variable) and does not wait
//! for it. A user who may not write to the agent directory has locks of their own under the temporary one; where there are
//! none to be had, work goes on without, and a [notice](Held::notices) says so.

#[cfg(unix)]
mod clear;
mod inherited;
mod key;
mod lock;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use self::inherited::{Entry, Inherited, Way};
use self::key::Key;
use self::lock::{Lock, holder};
use super::Workspace;
use crate::home::Home;
use crate::locks::Kind;
use crate::progress::Progress;
use crate::settings::{HELD_VARIABLE, Settings, variable};

/// A wait shorter than this is not worth a word.
const QUIET: Duration = Duration::from_secs(1);
/// Between the first two tries, and at most between any two.
const TRIES: (Duration, Duration) = (Duration::from_micros(500), Duration::from_millis(10));

/// Why the barrier could not be passed. Nothing is held then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Others held it for all of the time.
    #[error("{whom} did not end within {} s", .waited.as_secs_f64())]
    Busy {
        /// Who was waited for.
        whom: String,
        /// How long.
        waited: Duration,
    },
    /// The caller does not want to wait any more.
    #[error("cancelled while waiting for {whom} to end")]
    Cancelled {
        /// Who was waited for.
        whom: String,
    },
    /// The one who started this process shares the workspace with others, and waits for this process: it would wait
    /// for ever.
    #[error(
        "process {holder}, which this one belongs to, does not hold `{}` alone, so nothing in it can",
        root.display()
    )]
    Within {
        /// The workspace.
        root: PathBuf,
        /// The process that shares it.
        holder: u32,
    },
}

impl Error {
    /// What a person can do about it.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Busy { .. } => vec![format!(
                "`{}` (or the setting `barrier.wait_seconds`) gives it more time",
                variable("barrier.wait_seconds")
            )],
            Self::Cancelled { .. } => Vec::new(),
            Self::Within { .. } => {
                vec![
                    "`pi barrier` without `--file` and `--shared` holds the workspace alone"
                        .to_owned(),
                ]
            }
        }
    }
}

/// What has to be held, and for how long it is waited for.
#[derive(Debug)]
pub struct Barrier<'a> {
    home: &'a Home,
    inherited: Inherited,
    parts: Vec<Part>,
    wait: Duration,
}

/// One lock; everybody takes them in the same order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Workspace { key: Key, root: PathBuf, way: Way },
    File { key: Key, path: PathBuf },
}

impl<'a> Barrier<'a> {
    /// The workspace for one who may change anything in it.
    #[must_use]
    pub fn exclusive(workspace: &Workspace, settings: &'a Settings) -> Self {
        Self::of(settings, vec![Part::workspace(workspace, Way::Alone)])
    }

    /// The workspace for one who changes nothing.
    #[must_use]
    pub fn shared(workspace: &Workspace, settings: &'a Settings) -> Self {
        Self::of(settings, vec![Part::workspace(workspace, Way::Shared)])
    }

    /// These files, each relative to the caller's directory, for one who changes nothing else.
    #[must_use]
    pub fn editing(files: &[PathBuf], settings: &'a Settings) -> Self {
        let parts = files.iter().flat_map(|file| {
            let path = Workspace::resolved(&settings.cwd, file);
            let dir = path.parent().unwrap_or(&path);
            [
                Part::workspace(&Workspace::of(dir, settings), Way::Shared),
                Part::File {
                    key: Key::of("file", &path),
                    path,
                },
            ]
        });
        Self::of(settings, parts.collect())
    }

    fn of(settings: &'a Settings, mut parts: Vec<Part>) -> Self {
        parts.sort();
        parts.dedup();
        Self {
            home: &settings.home,
            inherited: Inherited::read(&settings.environment),
            parts,
            wait: settings.barrier_wait,
        }
    }

    /// Waits no longer than this, whatever the settings say.
    #[must_use]
    pub fn within(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Holds it if nobody has to be waited for.
    ///
    /// # Errors
    /// [`Error::Within`] alone.
    pub fn try_take(&self) -> Result<Option<Held>, Error> {
        match self.take_all(&mut |_, _| Err(Stop::Busy)) {
            Ok(held) => Ok(Some(held)),
            Err(Stop::Busy) => Ok(None),
            Err(Stop::Error(error)) => Err(error),
        }
    }

    /// Holds it, and waits for others until then. The wait is told to `progress`, and ends when `is_cancelled` says so,
    /// which is asked many times a second.
    ///
    /// # Errors
    /// Others hold it for too long, the wait was cancelled, or it would have no end; see [`Error`].
    pub fn take(
        &self,
        progress: &dyn Progress,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Held, Error> {
        let mut wait = Wait::new(self.wait, progress, is_cancelled);
        match self.take_all(&mut |part, home| wait.pause(part, home).map_err(Stop::Error)) {
            Ok(mut held) => {
                held.waited = wait.begun.elapsed();
                Ok(held)
            }
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Busy) => unreachable!("a wait that is over is an error"),
        }
    }

    fn take_all(&self, pause: &mut Pause<'_>) -> Result<Held, Stop> {
        let mut held = Held {
            locks: Vec::new(),
            variable: self.inherited.clone(),
            notices: Vec::new(),
            waited: Duration::ZERO,
        };
        for part in &self.parts {
            match self.take_part(part, pause)? {
                Taken::Locked(lock) => {
                    held.variable.add(part.entry());
                    held.locks.push(lock);
                }
                Taken::Passed => {}
                Taken::Unlocked(error) => held.notices.push(part.without(&error)),
            }
        }
        Ok(held)
    }

    /// A user who may not write to the agent directory has locks of their own.
    fn take_part(&self, part: &Part, pause: &mut Pause<'_>) -> Result<Taken, Stop> {
        match self.take_below(self.home, part, pause)? {
            Taken::Unlocked(error) if is_read_only(&error) => match Home::locks_elsewhere() {
                Some(home) => self.take_below(&home, part, pause),
                None => Ok(Taken::Unlocked(error)),
            },
            taken => Ok(taken),
        }
    }

    fn take_below(&self, home: &Home, part: &Part, pause: &mut Pause<'_>) -> Result<Taken, Stop> {
        let mut turn = None;
        loop {
            match part.try_take(home, &mut turn) {
                Ok(Some(lock)) => return Ok(Taken::Locked(lock)),
                Ok(None) => {}
                Err(error) => return Ok(Taken::Unlocked(error)),
            }
            if self.inherited.covers(part).map_err(Stop::Error)? {
                return Ok(Taken::Passed);
            }
            pause(part, home)?;
        }
    }
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Waits a little before the next try.
type Pause<'a> = dyn FnMut(&Part, &Home) -> Result<(), Stop> + 'a;

enum Stop {
    /// Somebody has to be waited for, and nobody wants to.
    Busy,
    Error(Error),
}

enum Taken {
    Locked(Lock),
    /// The one who started this process holds it.
    Passed,
    /// There are no locks here.
    Unlocked(io::Error),
}

impl Part {
    fn workspace(workspace: &Workspace, way: Way) -> Self {
        let root = workspace
            .roots
            .first()
            .cloned()
            .unwrap_or_else(|| PathBuf::from("/"));
        Self::Workspace {
            key: Key::of("workspace", &root),
            root,
            way,
        }
    }

    fn entry(&self) -> Entry {
        let (key, way) = match self {
            Self::Workspace { key, way, .. } => (key, *way),
            Self::File { key, .. } => (key, Way::Alone),
        };
        Entry {
            key: key.clone(),
            way,
            holder: std::process::id(),
        }
    }

    fn lock_file(&self, home: &Home) -> PathBuf {
        match self {
            Self::Workspace { key, .. } => home.workspace_lock(key.as_str()),
            Self::File { key, .. } => home.file_lock(key.as_str()),
        }
    }

    /// Takes the lock if nobody has it. The turn is kept between tries, and passed on with success.
    fn try_take(&self, home: &Home, turn: &mut Option<Lock>) -> io::Result<Option<Lock>> {
        let path = self.lock_file(home);
        let kind = match self {
            Self::Workspace { key, way, .. } => {
                if turn.is_none() {
                    let path = home.workspace_turn(key.as_str());
                    #[cfg(unix)]
                    if !path.exists() {
                        clear::if_there_are_many(home);
                    }
                    *turn = Lock::try_take(&path, Kind::Exclusive)?;
                }
                if turn.is_none() {
                    return Ok(None);
                }
                way.kind()
            }
            Self::File { .. } => Kind::Exclusive,
        };
        let lock = Lock::try_take(&path, kind)?.map(Lock::signed);
        Ok(match self {
            Self::Workspace { .. } => lock,
            Self::File { .. } => lock.map(|lock| lock.for_once(path)),
        })
    }

    /// Who is waited for, as far as that is known.
    fn whom(&self, home: &Home) -> String {
        let process =
            holder(&self.lock_file(home)).map_or(String::new(), |pid| format!(" (pid {pid})"));
        match self {
            Self::Workspace { root, .. } => format!("another run in `{}`{process}", root.display()),
            Self::File { path, .. } => format!("another editor of `{}`{process}", path.display()),
        }
    }

    fn without(&self, error: &io::Error) -> String {
        let what = match self {
            Self::Workspace { root, .. } => root,
            Self::File { path, .. } => path,
        };
        format!(
            "others may work in `{}` at the same time: there are no locks ({error})",
            what.display()
        )
    }
}

/// A wait for others.
struct Wait<'a> {
    progress: &'a dyn Progress,
    is_cancelled: &'a dyn Fn() -> bool,
    limit: Duration,
    begun: Instant,
    next: Duration,
    said: bool,
}

impl<'a> Wait<'a> {
    fn new(
        limit: Duration,
        progress: &'a dyn Progress,
        is_cancelled: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            progress,
            is_cancelled,
            limit,
            begun: Instant::now(),
            next: TRIES.0,
            said: false,
        }
    }

    fn pause(&mut self, part: &Part, home: &Home) -> Result<(), Error> {
        let waited = self.begun.elapsed();
        if (self.is_cancelled)() {
            return Err(Error::Cancelled {
                whom: part.whom(home),
            });
        }
        if waited >= self.limit {
            return Err(Error::Busy {
                whom: part.whom(home),
                waited: self.limit,
            });
        }
        if !self.said && waited >= QUIET {
            self.said = true;
            self.progress
                .step(&format!("waiting for {} to end", part.whom(home)));
        }
        std::thread::sleep(self.next.min(self.limit.saturating_sub(waited)));
        self.next = (self.next * 2).min(TRIES.1);
        Ok(())
    }
}

/// What is held, until it is dropped or its process ends.
#[derive(Debug)]
pub struct Held {
    locks: Vec<Lock>,
    variable: Inherited,
    notices: Vec<String>,
    waited: Duration,
}

impl Held {
    /// The variable that tells what is started from here what is held; nothing where nothing is.
    #[must_use]
    pub fn variable(&self) -> Option<(OsString, OsString)> {
        let value = self.variable.to_string();
        (!value.is_empty()).then(|| (HELD_VARIABLE.into(), value.into()))
    }

    /// That something is not held, because there are no locks to be had.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// How long it was waited for; nothing where nobody had to be waited for.
    #[must_use]
    pub fn waited(&self) -> Duration {
        self.waited
    }

    /// How many locks are held; none where the one who started this process holds everything.
    #[must_use]
    pub fn locks(&self) -> usize {
        self.locks.len()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use super::*;
    use crate::progress::Silent;

    fn settings(scratch: &Path, held: &str) -> Settings {
        let agent = scratch.join("agent").to_string_lossy().into_owned();
        let mut settings = Settings::of_variables(&[(HELD_VARIABLE, held)]);
        settings.home = Home::at(agent);
        settings.cwd = scratch.join("work");
        std::fs::create_dir_all(&settings.cwd).unwrap();
        settings
    }

    fn workspace(settings: &Settings) -> Workspace {
        Workspace::of(&settings.cwd, settings)
    }

    #[test]
    fn a_wait_ends_when_it_is_cancelled() {
        let scratch = tempfile::tempdir().unwrap();
        let settings = settings(scratch.path(), "");
        let barrier = Barrier::exclusive(&workspace(&settings), &settings);
        let held = barrier.try_take().unwrap().expect("nobody else is there");
        assert!(barrier.try_take().unwrap().is_none());
        let asked = Cell::new(0);
        let cancelled = || {
            asked.set(asked.get() + 1);
            asked.get() > 3
        };
        let error = barrier.take(&Silent, &cancelled).unwrap_err();
        assert!(matches!(error, Error::Cancelled { .. }), "{error}");
        drop(held);
        // The wait left nothing behind.
        assert_eq!(barrier.take(&Silent, &|| false).unwrap().locks(), 1);
    }

    #[test]
    fn readers_share_and_a_writer_does_not() {
        let scratch = tempfile::tempdir().unwrap();
        let settings = settings(scratch.path(), "");
        let workspace = workspace(&settings);
        let shared = Barrier::shared(&workspace, &settings);
        let alone = Barrier::exclusive(&workspace, &settings);
        let readers = [shared.try_take().unwrap(), shared.try_take().unwrap()];
        assert!(readers.iter().all(Option::is_some));
        assert!(alone.try_take().unwrap().is_none());
        drop(readers);
        let writer = alone.try_take().unwrap();
        assert!(writer.is_some());
        assert!(shared.try_take().unwrap().is_none());
    }

    #[test]
    fn a_newcomer_stands_behind_who_waits() {
        let scratch = tempfile::tempdir().unwrap();
        let settings = settings(scratch.path(), "");
        let workspace = workspace(&settings);
        let shared = Barrier::shared(&workspace, &settings);
        let _reader = shared.try_take().unwrap().expect("nobody else is there");
        let waits = Cell::new(false);
        let second_reader = || {
            // Asked while the writer waits.
            waits.set(shared.try_take().unwrap().is_none());
            true
        };
        let alone = Barrier::exclusive(&workspace, &settings);
        let error = alone.take(&Silent, &second_reader).unwrap_err();
        assert!(matches!(error, Error::Cancelled { .. }), "{error}");
        assert!(waits.get(), "the second reader passed the writer");
        assert!(shared.try_take().unwrap().is_some());
    }

    #[test]
    fn what_is_held_further_up_is_not_waited_for() {
        let scratch = tempfile::tempdir().unwrap();
        let outer = settings(scratch.path(), "");
        let workspace = workspace(&outer);
        for (outer_alone, inner_alone, passes) in [
            (true, true, true),
            (true, false, true),
            (false, false, true),
            (false, true, false),
        ] {
            let barrier = |settings, alone| {
                let make = if alone {
                    Barrier::exclusive
                } else {
                    Barrier::shared
                };
                make(&workspace, settings)
            };
            let held = barrier(&outer, outer_alone).try_take().unwrap().unwrap();
            let (_, variable) = held.variable().expect("a lock is held");
            let inner = settings(scratch.path(), variable.to_str().unwrap());
            let taken = barrier(&inner, inner_alone).try_take();
            let case = format!("{outer_alone} {inner_alone}");
            if passes {
                let (_, inner) = taken.unwrap().expect(&case).variable().expect(&case);
                assert!(
                    inner.to_str().unwrap().contains(variable.to_str().unwrap()),
                    "{case}"
                );
            } else {
                assert!(matches!(taken, Err(Error::Within { .. })), "{case}");
            }
        }
    }

    #[test]
    fn a_variable_that_means_nothing_is_ignored() {
        let scratch = tempfile::tempdir().unwrap();
        let outer = settings(scratch.path(), "");
        let workspace = workspace(&outer);
        let _held = Barrier::exclusive(&workspace, &outer).try_take().unwrap();
        let key = "0".repeat(32);
        for text in [",", "x:alone:1", "::", &format!("{key}:alone:1"), &key] {
            let inner = settings(scratch.path(), text);
            let taken = Barrier::shared(&workspace, &inner).try_take();
            assert!(taken.unwrap().is_none(), "{text}");
        }
    }
}
