//! Between a request and a run: what is reviewed, what an approval is bound to, and what a decision means to the caller.

use std::borrow::Cow;

use super::not_run;
use crate::approval::decide::{Case, Grant, Refusal};
use crate::approval::guard::Policy;
use crate::approval::review::{self, Review};
use crate::approval::{Categories, FileDigest, Finding, Question, Script, Subject, Workspace};
use crate::provision::Interpreter;
use crate::run::outcome::{Approval, Status};
use crate::run::request::{self, Plan, Program, Stdin};
use crate::run::{Outcome, Request};
use crate::settings::Settings;

/// What the review says of a program, and of the modules that it imports from the workspace.
pub(super) fn review(
    plan: &Plan,
    source: &[u8],
    workspace: &Workspace,
    settings: &Settings,
) -> Review {
    if settings.approval.allow == Categories::ALL {
        return Review::of_nothing();
    }
    let file = match &plan.program {
        Program::Code(_) => None,
        Program::Script { path, .. } => Some(path.as_path()),
    };
    let context = review::Context {
        workspace,
        cwd: &plan.cwd,
        file,
        files: &review::Disk,
    };
    let mut review = review::review(source, &context);
    if !review.findings.is_empty() {
        let place = file.and_then(std::path::Path::parent).unwrap_or(&plan.cwd);
        for shadow in review::shadows(place) {
            if !review.files.contains(&shadow) {
                review.files.push(shadow);
            }
        }
    }
    review
}

/// The program's bytes, as they are now: these are reviewed, and an approval is bound to them.
pub(super) fn source(plan: &Plan) -> Result<Cow<'_, [u8]>, request::Error> {
    match &plan.program {
        Program::Code(code) => Ok(Cow::Borrowed(code)),
        Program::Script { path, .. } => match std::fs::read(path) {
            Ok(source) => Ok(Cow::Owned(source)),
            Err(error) => Err(request::Error::unreadable_script(path, error)),
        },
    }
}

/// What an approval of this run is bound to.
pub(super) fn subject<'a>(
    plan: &'a Plan,
    source: &'a [u8],
    interpreter: &'a Interpreter,
    imports: &'a [FileDigest],
) -> Subject<'a> {
    Subject {
        code: source,
        script: match &plan.program {
            Program::Code(_) => None,
            Program::Script { path, named, .. } => Some(Script { path, named }),
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

/// What holds the run to what was granted; nothing does where everything was.
pub(super) fn policy(
    grant: &Grant,
    workspace: Workspace,
    plan: &Plan,
    interpreter: &Interpreter,
    settings: &Settings,
) -> Option<Policy> {
    let granted = grant.categories.union(settings.approval.allow);
    let mut policy = Policy::new(workspace, granted, plan.read_only, interpreter);
    policy.is_bound = !grant.categories.is_empty();
    (granted != Categories::ALL).then_some(policy)
}

/// What the guard stopped during the run becomes a question that can be answered.
pub(super) fn with_stops(mut outcome: Outcome, case: &Case<'_>, grant: &Grant) -> Outcome {
    if let Some(stopped) = outcome.approval.take() {
        let (question, notices) = case.stopped(grant, stopped.findings);
        outcome.notices.push(how_to_approve(&question));
        outcome.notices.extend(notices);
        outcome.approval = Some(question.into());
    }
    outcome
}

pub(super) fn required(question: Question, request: &Request, settings: &Settings) -> Outcome {
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

pub(super) fn refused(refusal: Refusal, request: &Request, settings: &Settings) -> Outcome {
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
