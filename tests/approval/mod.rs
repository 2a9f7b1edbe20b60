//! Approval, as a user meets it.

mod barrier;
mod capability;
mod evasions;
mod remember;
mod stage;
#[cfg(target_os = "linux")]
mod terminal;
