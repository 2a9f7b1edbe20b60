//! Signals to pi itself, while a run is in progress: they cancel the run.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::cancel_on_signals;
#[cfg(windows)]
pub(crate) use windows::cancel_on_signals;
