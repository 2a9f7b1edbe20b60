//! The python tool: one request on its way to an outcome.
//!
//! [`run()`] is the line that the design draws, as code. The command line, the MCP server and users of the library all
//! come through here, so that a program meets the same checks and the same bounds whoever sent it.

use crate::approval::guard::Layers;
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
            Self::Request(_) | Self::Run(_) => Vec::new(),
        }
    }

    /// The same as an outcome, for callers that are answered with one object whatever happens.
    #[must_use]
    pub fn outcome(&self, request: &Request, settings: &Settings) -> Outcome {
        let causes = std::iter::successors(Some(self as &dyn std::error::Error), |&error| {
            error.source()
        });
        Outcome {
            status: match self {
                Self::Provision(_) => Status::Unavailable,
                Self::Request(_) => Status::Invalid,
                Self::Run(_) => Status::Failed,
            },
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
            notices: causes
                .map(ToString::to_string)
                .chain(self.hints())
                .collect(),
        }
    }
}

/// Takes a request to its outcome: it is validated, an interpreter is found or installed, the program runs within its
/// bounds. Live output goes to `sink`, what provisioning does to `progress`; `cancel` ends the run from outside.
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
    let plan = request.validate(settings)?;
    let interpreter = provision::ensure(settings, progress)?;
    match run::run(&interpreter, &plan, settings, cancel, sink) {
        Err(error) if error.is_about_interpreter() => {
            let interpreter = resolve_again(&interpreter, settings, progress)?;
            Ok(run::run(&interpreter, &plan, settings, cancel, sink)?)
        }
        outcome => Ok(outcome?),
    }
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
