//! The python tool: one request on its way to an outcome.
//!
//! [`run()`] is the line that the design draws, as code. The command line, the MCP server and users of the library all
//! come through here, so that a program meets the same checks and the same bounds whoever sent it.

mod asking;
mod barring;

use crate::approval::barrier;
use crate::approval::decide::{Case, Decided, Decision};
use crate::approval::guard::Layers;
use crate::approval::{Asker, Nobody, Workspace, capability};
use crate::progress::Progress;
use crate::provision::{self, Interpreter};
use crate::run::outcome::{Status, Stream};
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
        let notices = causes
            .map(ToString::to_string)
            .chain(self.hints())
            .collect();
        not_run(status, request, settings, notices)
    }
}

/// The outcome of a program that was not run.
fn not_run(
    status: Status,
    request: &Request,
    settings: &Settings,
    notices: Vec<String>,
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
        guard: Layers::default(),
        notices,
    }
}

/// [`run_asking`], with nobody to ask.
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
    run_asking(request, settings, &Nobody, progress, cancel, sink)
}

/// Takes a request to its outcome: it is validated, an interpreter is found or installed, the program is reviewed, a
/// person is asked where that is needed, the workspace is free, and the program runs within its bounds. Live output
/// goes to `sink`, what happens before to `progress`; `cancel` ends the run from outside, and the wait for the workspace.
/// Neither that nor the time that a person takes is charged to the run's time limit.
///
/// # Errors
/// Where pi could not do its work; whatever the program does is an outcome.
pub fn run_asking(
    request: &Request,
    settings: &Settings,
    asker: &dyn Asker,
    progress: &dyn Progress,
    cancel: &Cancel,
    sink: &mut dyn Sink,
) -> Result<Outcome, Error> {
    let plan = request.validate(settings)?;
    if let Err(missing) = capability::check(settings) {
        let notices = vec![missing.to_string()];
        return Ok(not_run(Status::Denied, request, settings, notices));
    }
    let interpreter = provision::ensure(settings, progress)?;
    let mut run_with = |interpreter: &Interpreter| {
        let workspace = Workspace::of(&plan.cwd, settings);
        let source = asking::source(&plan)?;
        let reviewed = asking::review(&plan, &source, &workspace, settings);
        let subject = asking::subject(&plan, &source, interpreter, &reviewed.files);
        let case = Case::of(subject, reviewed.findings, settings);
        let Decided { decision, notices } = case.decide(&request.approve, asker);
        let mut outcome = match decision {
            Decision::Granted(grant) => {
                let held = match barring::hold(&plan, &workspace, settings, progress, cancel, sink)
                {
                    Err(error @ barrier::Error::Cancelled { .. }) => {
                        let notices = vec![error.to_string()];
                        return Ok(not_run(Status::Cancelled, request, settings, notices));
                    }
                    held => held?,
                };
                let mut plan = plan.holding(&source);
                plan.guard = asking::policy(&grant, workspace, &plan, interpreter, settings);
                plan.env.extend(barring::told(&held));
                plan.notices.extend(barring::said(&held));
                let outcome = run::run(interpreter, &plan, settings, cancel, sink)?;
                asking::with_stops(outcome, &case, &grant)
            }
            Decision::Required(question) => asking::required(*question, request, settings),
            Decision::Refused(refusal) => asking::refused(refusal, request, settings),
        };
        outcome.notices.extend(notices);
        Ok(outcome)
    };
    match run_with(&interpreter) {
        Err(Error::Run(error)) if error.is_about_interpreter() => {
            run_with(&resolve_again(&interpreter, settings, progress)?)
        }
        outcome => outcome,
    }
}

/// Makes sure of uv and of an interpreter, ahead of the first run.
///
/// # Errors
/// Those of [`provision::provision`].
pub fn provision(
    settings: &Settings,
    progress: &dyn Progress,
    force: provision::Force,
) -> Result<provision::Provisioned, provision::Error> {
    let ready = provision::provision(settings, progress, force)?;
    run::prepare(&ready.interpreter, settings);
    Ok(ready)
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
