//! Approval, as a user meets it.

mod barrier;
mod capability;
#[cfg(target_os = "linux")]
mod harmless;
mod remember;
mod review;
#[cfg(target_os = "linux")]
mod terminal;
