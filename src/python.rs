//! The python tool: one request on its way to an outcome.
//!
//! [`run()`] is the line that the design draws, as code. The command line, the MCP server and users of the library all
//! come through here, so that a program meets the same checks and the same bounds whoever sent it.

use std::ffi::OsString;

use crate::approval::Workspace;
use crate::approval::barrier::{self, Barrier, Held};
use crate::progress::Progress;
use crate::provision::{self, Interpreter};
use crate::run::outcome::{Status, Stream};
use crate::run::request::Plan;
use crate::run::{self, Cancel, Outcome, Request, Sink, request};
use crate::settings::Settings;

/// pi could not do its work. A program that fails is an [`Outcome`], never an error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request makes no sense.
    #[error(transparent)]
    Request(#[from] request::Error),
    /// There is no Python, and none could be had.
    #[error(transparent)]
    Provision(Box<provision::Error>),
    /// Others work in the workspace.
    #[error(transparent)]
    Barrier(#[from] barrier::Error),
    /// The run could not be set up.
    #[error(transparent)]
    Run(#[from] run::Error),
}

impl From<provision::Error> for Error {
    fn from(error: provision::Error) -> Self {
        Self::Provision(Box::new(error))
    }
}

impl Error {
    /// What a person can do about it.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Provision(error) => error.hints(),
            Self::Barrier(error) => error.hints(),
            Self::Request(_) | Self::Run(_) => Vec::new(),
        }
    }

    /// The same as an outcome, for callers that are answered with one object whatever happens.
    #[must_use]
    pub fn outcome(&self, request: &Request, settings: &Settings) -> Outcome {
        let causes = std::iter::successors(Some(self as &dyn std::error::Error), |&error| {
            error.source()
        });
        let status = match self {
            Self::Provision(_) => Status::Unavailable,
            Self::Request(_) => Status::Invalid,
            Self::Barrier(_) | Self::Run(_) => Status::Failed,
        };
        let notices = causes.map(ToString::to_string).chain(self.hints());
        not_run(status, notices.collect(), request, settings)
    }
}

/// The outcome of a request of which no program came to run.
fn not_run(
    status: Status,
    notices: Vec<String>,
    request: &Request,
    settings: &Settings,
) -> Outcome {
    Outcome {
        status,
        exit_code: None,
        signal: None,
        signal_number: None,
        duration_ms: 0,
        mode: request.mode(),
        cwd: request
            .cwd
            .as_ref()
            .map_or_else(|| settings.cwd.clone(), |dir| settings.cwd.join(dir)),
        python: None,
        stdout: Stream::default(),
        stderr: Stream::default(),
        approval: None,
        notices,
    }
}

/// Takes a request to its outcome: it is validated, an interpreter is found or installed, the workspace is free, the
/// program runs within its bounds. Live output goes to `sink`, what happens before to `progress`; `cancel` ends the run
/// from outside, and the wait for the workspace.
///
/// # Errors
/// Where pi could not do its work; whatever the program does is an outcome.
pub fn run(
    request: &Request,
    settings: &Settings,
    progress: &dyn Progress,
    cancel: &Cancel,
    sink: &mut dyn Sink,
) -> Result<Outcome, Error> {
    let mut plan = request.validate(settings)?;
    let interpreter = provision::ensure(settings, progress)?;
    let held = match hold_workspace(&plan, settings, progress, cancel, sink) {
        Err(error @ barrier::Error::Cancelled { .. }) => {
            let notices = vec![error.to_string()];
            return Ok(not_run(Status::Cancelled, notices, request, settings));
        }
        held => held?,
    };
    plan.env.extend(told(&held));
    plan.notices.extend(said(&held));
    match run::run(&interpreter, &plan, settings, cancel, sink) {
        Err(error) if error.is_about_interpreter() => {
            let interpreter = resolve_again(&interpreter, settings, progress)?;
            Ok(run::run(&interpreter, &plan, settings, cancel, sink)?)
        }
        outcome => Ok(outcome?),
    }
}

/// Waits until the run may work in its workspace: alone, or beside others that read. None of that is charged to its
/// time limit.
fn hold_workspace(
    plan: &Plan,
    settings: &Settings,
    progress: &dyn Progress,
    cancel: &Cancel,
    sink: &mut dyn Sink,
) -> Result<Held, barrier::Error> {
    let workspace = Workspace::of(&plan.cwd, settings);
    let barrier = if plan.read_only {
        Barrier::shared(&workspace, settings)
    } else {
        Barrier::exclusive(&workspace, settings)
    };
    if let Some(held) = barrier.try_take()? {
        return Ok(held);
    }
    sink.wait();
    barrier.take(progress, &|| cancel.reason().is_some())
}

/// The variable that spares what the program starts from waiting for the program.
fn told(held: &Held) -> Option<(OsString, Option<OsString>)> {
    held.variable().map(|(name, value)| (name, Some(value)))
}

/// What there is to say about the workspace.
fn said(held: &Held) -> impl Iterator<Item = String> {
    let seconds = held.waited().as_secs_f64();
    let waited = (seconds >= 1.0).then(|| {
        format!("waited {seconds:.1} s for others that work in the same workspace; the time limit does not cover that")
    });
    held.notices().iter().cloned().chain(waited)
}

/// The remembered interpreter could not be started, although its file looks as it did: nothing of the program has run,
/// so a new look is safe.
fn resolve_again(
    broken: &Interpreter,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Interpreter, provision::Error> {
    progress.note(&format!(
        "`{}` can't be started any more; looking for another Python",
        broken.path.display()
    ));
    provision::forget(settings);
    provision::ensure(settings, progress)
}
