//! Signals to pi itself: they cancel the run that is in progress, or go on to the command that runs in pi's place.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{cancel_on_signals, run_in_our_place};
#[cfg(windows)]
pub(crate) use windows::{cancel_on_signals, run_in_our_place};
