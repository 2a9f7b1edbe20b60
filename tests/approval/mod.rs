//! Approval, as a user meets it.

mod barrier;
mod capability;
#[cfg(target_os = "linux")]
mod cases;
#[cfg(target_os = "linux")]
mod evasions;
#[cfg(target_os = "linux")]
mod harmless;
#[cfg(target_os = "linux")]
mod hook;
mod remember;
mod review;
#[cfg(target_os = "linux")]
mod stage;
#[cfg(target_os = "linux")]
mod terminal;
