//! The python tool: one request on its way to an outcome.
//!
//! [`run()`] is the line that the design draws, as code. The command line, the MCP server and users of the library all
//! come through here, so that a program meets the same checks and the same bounds whoever sent it.

use std::borrow::Cow;

use crate::approval::decide::{Case, Decided, Decision, Grant, Refusal};
use crate::approval::{Asker, FileDigest, Finding, Nobody, Question, Script, Subject, capability};
use crate::progress::Progress;
use crate::provision::{self, Interpreter};
use crate::run::outcome::{Approval, Status, Stream};
use crate::run::request::{Plan, Program, Stdin};
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
        let status = match self {
            Self::Provision(_) => Status::Unavailable,
            Self::Request(_) => Status::Invalid,
            Self::Run(_) => Status::Failed,
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
/// person is asked where that is needed, and the program runs within its bounds. Live output goes to `sink`, what
/// provisioning does to `progress`; `cancel` ends the run from outside. The time that a person takes is not the run's.
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
        let source = source(&plan)?;
        let reviewed = review(&plan, &source);
        let subject = subject(&plan, &source, interpreter, &reviewed.files);
        let case = Case::of(subject, reviewed.findings, settings);
        let Decided { decision, notices } = case.decide(&request.approve, asker);
        let mut outcome = match decision {
            Decision::Granted(grant) => {
                let outcome = run::run(interpreter, &plan, settings, cancel, sink)?;
                with_stops_asked(outcome, &case, &grant)
            }
            Decision::Required(question) => required(*question, request, settings),
            Decision::Refused(refusal) => refused(refusal, request, settings),
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

/// What the review says of a program.
struct Reviewed {
    findings: Vec<Finding>,
    /// The modules that were reviewed with it.
    files: Vec<FileDigest>,
}

/// The review's place in the line.
fn review(_plan: &Plan, _source: &[u8]) -> Reviewed {
    Reviewed {
        findings: Vec::new(),
        files: Vec::new(),
    }
}

/// The program's bytes, as they are now: these are reviewed, and an approval is bound to them.
fn source(plan: &Plan) -> Result<Cow<'_, [u8]>, request::Error> {
    match &plan.program {
        Program::Code(code) => Ok(Cow::Borrowed(code)),
        Program::Script { path, .. } => match std::fs::read(path) {
            Ok(source) => Ok(Cow::Owned(source)),
            Err(error) => Err(request::Error::unreadable_script(path, error)),
        },
    }
}

/// What an approval of this run is bound to.
fn subject<'a>(
    plan: &'a Plan,
    source: &'a [u8],
    interpreter: &'a Interpreter,
    imports: &'a [FileDigest],
) -> Subject<'a> {
    Subject {
        code: source,
        script: match &plan.program {
            Program::Code(_) => None,
            Program::Script { path, named } => Some(Script { path, named }),
        },
        args: &plan.args,
        variables: &plan.env,
        reads_stdin: plan.stdin == Stdin::Inherit,
        cwd: &plan.cwd,
        python: &interpreter.path,
        version: &interpreter.version,
        imports,
    }
}

/// What the guard stopped during the run becomes a question that can be answered.
fn with_stops_asked(mut outcome: Outcome, case: &Case<'_>, grant: &Grant) -> Outcome {
    if let Some(stopped) = outcome.approval.take() {
        let (question, notices) = case.stopped(grant, stopped.findings);
        outcome.notices.push(how_to_approve(&question));
        outcome.notices.extend(notices);
        outcome.approval = Some(question.into());
    }
    outcome
}

fn required(question: Question, request: &Request, settings: &Settings) -> Outcome {
    let what = format!(
        "not run: approval is needed, and there is nobody to ask ({})",
        asked_for(&question)
    );
    let notices = vec![what, how_to_approve(&question)];
    Outcome {
        approval: Some(question.into()),
        ..not_run(Status::ApprovalRequired, request, settings, notices)
    }
}

fn refused(refusal: Refusal, request: &Request, settings: &Settings) -> Outcome {
    let mut notices = vec![refusal.to_string()];
    let approval = match refusal {
        Refusal::ByPerson { question, .. } => {
            notices.push(format!(
                "a person who thinks better of it can say so with `pi approvals grant {}`; until then the same should \
                 not be tried another way",
                question.id
            ));
            Some(Approval::from(*question))
        }
        Refusal::Changed { .. } => {
            notices.push("run it again to be asked about what it is now".to_owned());
            None
        }
        Refusal::Unfit { .. } | Refusal::WithinRun => None,
    };
    Outcome {
        approval,
        ..not_run(Status::Denied, request, settings, notices)
    }
}

/// The categories of a question, with the number of findings of each.
fn asked_for(question: &Question) -> String {
    let parts: Vec<String> = question
        .categories()
        .iter()
        .map(|category| {
            let of_it = |finding: &&Finding| finding.category == category;
            let count = question.findings.iter().filter(of_it).count();
            format!("{}: {count}", category.name())
        })
        .collect();
    parts.join(", ")
}

fn how_to_approve(question: &Question) -> String {
    let id = question.id;
    format!(
        "a person can look at it with `pi approvals show {id}`, and allow it with `pi approvals grant {id}` (then run it \
         again) or by adding `--approve {id}` to the same command"
    )
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
