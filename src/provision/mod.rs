//! Getting Python onto the machine: uv, an interpreter, and the memory of both.
//!
//! [`ensure`] is the one door. A call that finds a fitting cache reads one file and asks the system once about the
//! interpreter's file; nothing is spawned. Everything else happens under one lock on the machine.

mod asked;
mod cache;
mod clean;
mod discover;
mod error;
mod failure;
mod fetch;
pub(crate) mod helper;
mod lock;
pub(crate) mod look;
mod probe;
mod resolve;
mod termux;
mod update;
mod uv;
mod volume;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::home;
use crate::progress::Progress;
use crate::settings::{LOCAL_TIME, PROBE_TIME, Settings};

pub use clean::{Cleaned, Removed, clean};
pub use error::{Error, ErrorKind, Told};
pub use termux::Failure as TermuxFailure;
pub use update::{Change, Updated, update};
pub use uv::{Failure as UvFailure, Origin, Uv};

pub(crate) use cache::State as CacheState;
pub(crate) use error::move_directory;
pub(crate) use fetch::managed::{instructions as uv_instructions, pins_trouble};
pub(crate) use fetch::without_login;
pub(crate) use termux::{is_here as is_termux, temporary_dir};
pub(crate) use update::is_managed;

pub(crate) use asked::is_version_request;

use asked::Asked;
use lock::Turn;
use resolve::{Means, Search};

/// What every step of provisioning needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub settings: &'a Settings,
    pub progress: &'a dyn Progress,
    /// When all of it has to be done.
    pub deadline: Instant,
}

impl<'a> Context<'a> {
    /// A piece of provisioning that begins now.
    pub(crate) fn new(settings: &'a Settings, progress: &'a dyn Progress) -> Self {
        Self {
            settings,
            progress,
            deadline: Instant::now() + settings.provision.total,
        }
    }

    /// When a program of this machine has to have answered that is asked now.
    pub(crate) fn local_deadline(&self) -> Instant {
        (self.deadline + LOCAL_TIME).min(Instant::now() + PROBE_TIME)
    }
}

/// An interpreter that was run and answered for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Interpreter {
    /// The real executable, behind every shim and launcher (a virtual environment's own `python` stays itself).
    pub path: PathBuf,
    /// Such as `3.13.1`.
    pub version: String,
    /// Such as `cpython`.
    pub implementation: String,
    /// `sys.prefix`.
    pub prefix: PathBuf,
    /// `sys.base_prefix`.
    pub base_prefix: PathBuf,
}

/// A program that was looked at and not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PassedOver {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub reason: String,
}

impl fmt::Display for PassedOver {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "`{}` was passed over: {}",
            self.path.display(),
            self.reason
        )
    }
}

/// Whether memory counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// A remembered interpreter is used, and a remembered failure is answered.
    No,
    /// Everything is looked at and tried anew.
    Yes,
}

/// What `pi provision` made sure of.
#[derive(Debug, Clone, Serialize)]
pub struct Provisioned {
    /// The uv that is there; `None` where Python is used without.
    pub uv: Option<Uv>,
    /// The interpreter.
    pub interpreter: Interpreter,
}

/// Whether the interpreter that these settings name, if any, can be looked for at all.
pub(crate) fn is_clear_request(settings: &Settings) -> bool {
    !matches!(Asked::of(settings), Asked::Unclear(_))
}

/// The interpreter for a run.
///
/// With a fitting cache this reads one file and asks the system once about another: nothing is spawned, locked,
/// written or searched.
///
/// # Errors
/// When there is no Python and none can be got; see [`Error::kind`] and [`Error::hints`].
pub fn ensure(settings: &Settings, progress: &dyn Progress) -> Result<Interpreter, Error> {
    let asked = Asked::of(settings);
    if let Some(interpreter) = cache::load(settings, &asked) {
        return Ok(interpreter);
    }
    let context = Context::new(settings, progress);
    let found = alone(context, &asked, Force::No, |remembered| match remembered {
        Some(interpreter) => Ok(interpreter),
        None => remember(
            context,
            &asked,
            Search::new(context, &asked, Means::Get).interpreter(),
        ),
    });
    match found {
        // Whatever keeps the other process busy, a Python that is there need not wait for it.
        Err(busy @ Error::Busy { .. }) => Search::new(context, &asked, Means::Look)
            .interpreter()
            .map_err(|_| busy),
        found => found,
    }
}

/// Makes sure of uv and of an interpreter, ahead of the first run.
///
/// # Errors
/// When there is no Python and none can be got. That uv can't be had while Python is there is a note, not an error.
pub fn provision(
    settings: &Settings,
    progress: &dyn Progress,
    force: Force,
) -> Result<Provisioned, Error> {
    let asked = Asked::of(settings);
    let context = Context::new(settings, progress);
    alone(context, &asked, force, |remembered| {
        update::repair_managed_uv(context);
        let mut search = Search::new(context, &asked, Means::Get);
        let uv = search.uv();
        let known = uv.as_ref().ok().cloned();
        let interpreter = match remembered {
            Some(interpreter) => {
                if let Err(trouble) = &uv {
                    progress.note(&format!(
                        "uv is not there: {}",
                        trouble.in_one_line(settings)
                    ));
                }
                interpreter
            }
            None => remember(context, &asked, search.interpreter_with(|_| uv))?,
        };
        Ok(Provisioned {
            uv: known,
            interpreter,
        })
    })
}

/// Forgets the interpreter that these settings ask for, after it failed to start. The next [`ensure`] looks anew.
pub fn forget(settings: &Settings) {
    // A cache that can't be written is looked at again and again in any case.
    let _ = cache::forget(settings, &Asked::of(settings));
}

/// Does a piece of work while no other process provisions. It is given what another process made meanwhile; what
/// another process failed at is not tried again.
fn alone<T>(
    context: Context<'_>,
    asked: &Asked,
    force: Force,
    work: impl FnOnce(Option<Interpreter>) -> Result<T, Error>,
) -> Result<T, Error> {
    let settings = context.settings;
    let answered = || match force {
        Force::No => failure::recall(settings, asked),
        Force::Yes => None,
    };
    if let Some(error) = answered() {
        return Err(error);
    }
    let _guard = match lock::acquire(context) {
        Turn::Held(guard) => Some(guard),
        Turn::Unlocked(error) => {
            // A directory that can't be written is said where something was to be written.
            let in_the_way = error.kind() == std::io::ErrorKind::NotADirectory;
            if in_the_way || volume::is_writable(&settings.home.state()) {
                context.progress.note(&format!(
                    "other processes are not kept from doing the same: {error}"
                ));
            }
            None
        }
        Turn::Busy(busy) => {
            return Err(Error::Busy {
                lock: busy.lock,
                pid: busy.holder.map(|holder| holder.pid),
                limit: settings.provision.total,
            });
        }
    };
    if let Some(error) = answered() {
        return Err(error);
    }
    let remembered = match force {
        Force::No => remembered(context, asked),
        Force::Yes => None,
    };
    work(remembered)
}

/// The remembered interpreter; a memory that can't be used is said to be.
fn remembered(context: Context<'_>, asked: &Asked) -> Option<Interpreter> {
    match cache::state(context.settings, asked) {
        cache::State::Fits(interpreter) => Some(interpreter),
        cache::State::Absent | cache::State::Stale => None,
        cache::State::Unusable(reason) => {
            let path = context.settings.home.interpreter_cache();
            context
                .progress
                .note(&format!("`{}` is not used: {reason}", path.display()));
            None
        }
    }
}

/// What is said of something that was renamed.
pub(crate) fn set_aside_note(from: &Path, to: &Path) -> String {
    format!(
        "`{}` was in the way and is now `{}`",
        from.display(),
        to.file_name().unwrap_or_default().to_string_lossy()
    )
}

/// Remembers how a search ended.
fn remember(
    context: Context<'_>,
    asked: &Asked,
    found: Result<Interpreter, Error>,
) -> Result<Interpreter, Error> {
    let settings = context.settings;
    match &found {
        Ok(interpreter) => {
            failure::forget(settings);
            let stored = cache::store(settings, asked, interpreter).or_else(|error| {
                let file = settings.home.interpreter_cache();
                if !file.is_dir() {
                    return Err(error);
                }
                let aside = home::set_aside(&file)?;
                context.progress.note(&set_aside_note(&file, &aside));
                cache::store(settings, asked, interpreter)
            });
            if let Err(error) = stored {
                context
                    .progress
                    .note(&format!("the interpreter is not remembered: {error}"));
            }
        }
        Err(error) => failure::remember(settings, asked, error),
    }
    found
}

/// Files that a write or a download left behind when its process was killed. The caller holds the lock.
pub(crate) fn leftovers(settings: &Settings) -> Vec<PathBuf> {
    let home = &settings.home;
    let ours = [home.bin(), home.cache(), home.state()]
        .into_iter()
        .flat_map(|dir| entries(&dir))
        .filter(|path| is_leftover(path));
    ours.chain(entries(&home.unfinished_pythons())).collect()
}

/// What is in a directory, if it is one.
fn entries(dir: &Path) -> Vec<PathBuf> {
    let entries = dir.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Whether a file is not yet what it was to become.
fn is_leftover(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(home::TEMPORARY_PREFIX) || name.starts_with(fetch::TEMPORARY_PREFIX)
}
