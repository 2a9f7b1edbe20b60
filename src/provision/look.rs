//! What is there, found out without getting anything: doctor's view.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::progress::Progress;
use crate::settings::{PROBE_TIME, Settings};

use super::asked::Asked;
use super::cache::{self, State};
use super::fetch::managed::{self, Check};
use super::helper::{self, Bounds, Ending};
use super::resolve::{Means, Search};
use super::uv::{self, Origin, Surroundings, Uv};
use super::{Context, Error, Force, Interpreter, PassedOver, alone, clean, leftovers, termux};

/// The state of a machine.
pub(crate) struct Look {
    pub uv: UvState,
    /// Other uvs, on PATH before it.
    pub passed_over: Vec<PassedOver>,
    pub cache: State,
    pub interpreter: Result<Interpreter, Error>,
}

/// The state of uv.
#[derive(Debug)]
pub(crate) enum UvState {
    /// The user's own works.
    OnPath(Uv),
    /// The managed one works, and is the pinned one by its digest.
    Managed(Uv),
    /// The managed one is not the pinned one.
    Outdated {
        found: String,
        pinned: String,
    },
    /// The managed one is there and can't be used.
    Unusable {
        reason: String,
    },
    Absent,
}

/// Looks at what is there.
pub(crate) fn look(settings: &Settings, progress: &dyn Progress) -> Look {
    let context = Context::new(settings, progress);
    let surroundings = Surroundings::of(settings);
    let asked = Asked::of(settings);
    let on_path = uv::on_path(context, &surroundings);
    let uv = on_path
        .uv
        .map_or_else(|| managed_uv(context, &surroundings), UvState::OnPath);
    let cache = cache::state(settings, &asked);
    let interpreter = match &cache {
        State::Fits(interpreter) if answers(settings, interpreter) => Ok(interpreter.clone()),
        _ => Search::new(context, &asked, Means::Look).interpreter(),
    };
    Look {
        uv,
        passed_over: on_path.passed_over,
        cache,
        interpreter,
    }
}

fn managed_uv(context: Context<'_>, surroundings: &Surroundings) -> UvState {
    if termux::is_here(context.settings) {
        return UvState::Absent;
    }
    match managed::check(context.settings) {
        Check::Absent => UvState::Absent,
        Check::Damaged { reason } => UvState::Unusable { reason },
        Check::Outdated { found, pinned } => UvState::Outdated {
            found: found.version,
            pinned,
        },
        Check::Good(managed) => {
            match Uv::examine(context, surroundings, &managed.path, Origin::Managed) {
                Ok(uv) => UvState::Managed(uv),
                Err(failure) => UvState::Unusable {
                    reason: failure.in_one_line(),
                },
            }
        }
    }
}

fn answers(settings: &Settings, interpreter: &Interpreter) -> bool {
    start_time(settings, interpreter).is_some()
}

/// How long the interpreter takes to start and to do nothing; `None` if it does not.
pub(crate) fn start_time(settings: &Settings, interpreter: &Interpreter) -> Option<Duration> {
    let surroundings = Surroundings::of(settings);
    let mut command = Command::new(&interpreter.path);
    command
        .args(["-I", "-B", "-c", "pass"])
        .env_clear()
        .envs(surroundings.environment.iter())
        .current_dir(&surroundings.workdir);
    let begun = Instant::now();
    let bounds = Bounds {
        deadline: begun + PROBE_TIME,
        ending: Ending::Killed,
    };
    let answer = helper::run(command, bounds).ok()?;
    answer.succeeded().then(|| begun.elapsed())
}

/// Deletes what writes and downloads left behind, while no other process provisions.
///
/// # Errors
/// When another process does until the deadline.
pub(crate) fn sweep(settings: &Settings, progress: &dyn Progress) -> Result<Vec<String>, Error> {
    alone(
        Context::new(settings, progress),
        &Asked::Any,
        Force::Yes,
        |_| {
            let gone = leftovers(settings)
                .into_iter()
                .filter(|path| matches!(clean::remove(path), Ok(Some(_))));
            Ok(gone.map(|path| path.display().to_string()).collect())
        },
    )
}

/// Whether the network or its certificates are steered by this variable.
pub(crate) fn is_network_variable(name: &std::ffi::OsStr) -> bool {
    uv::is_network_variable(name)
}

/// What programs can be started from a directory, and how much fits into it.
pub(crate) fn volume(path: &Path) -> Volume {
    Volume {
        free_bytes: super::volume::free_bytes(path),
        is_noexec: super::volume::is_noexec(path),
        is_writable: super::volume::is_writable(path),
        closed: super::volume::closed_directory(path).map(Path::to_path_buf),
    }
}

/// A directory's file system.
#[derive(Debug)]
pub(crate) struct Volume {
    pub free_bytes: Option<u64>,
    pub is_noexec: bool,
    pub is_writable: bool,
    /// The highest directory on the way that can't be entered.
    pub closed: Option<std::path::PathBuf>,
}
