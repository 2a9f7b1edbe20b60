//! One writer at a time: a run on its way into its workspace.

use std::ffi::OsString;

use crate::approval::Workspace;
use crate::approval::barrier::{self, Barrier, Held};
use crate::progress::Progress;
use crate::run::request::Plan;
use crate::run::{Cancel, Sink};
use crate::settings::Settings;

/// Waits until the run may work in its workspace: alone, or beside others that read. None of that is charged to its
/// time limit.
pub(super) fn hold(
    plan: &Plan,
    workspace: &Workspace,
    settings: &Settings,
    progress: &dyn Progress,
    cancel: &Cancel,
    sink: &mut dyn Sink,
) -> Result<Held, barrier::Error> {
    let barrier = if plan.read_only {
        Barrier::shared(workspace, settings)
    } else {
        Barrier::exclusive(workspace, settings)
    };
    if let Some(held) = barrier.try_take()? {
        return Ok(held);
    }
    sink.wait();
    barrier.take(progress, &|| cancel.reason().is_some())
}

/// The variable that spares what the program starts from waiting for the program.
pub(super) fn told(held: &Held) -> Option<(OsString, Option<OsString>)> {
    held.variable().map(|(name, value)| (name, Some(value)))
}

/// What there is to say about the workspace.
pub(super) fn said(held: &Held) -> impl Iterator<Item = String> {
    let seconds = held.waited().as_secs_f64();
    let waited = (seconds >= 1.0).then(|| {
        format!("waited {seconds:.1} s for others that work in the same workspace; the time limit does not cover that")
    });
    held.notices().iter().cloned().chain(waited)
}
