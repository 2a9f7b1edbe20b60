//! Approval, as a user meets it.

mod barrier;
mod capability;
mod remember;
mod review;
#[cfg(target_os = "linux")]
mod terminal;
