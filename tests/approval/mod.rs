//! Approval, as a user meets it.

mod barrier;
#[cfg(target_os = "linux")]
mod harmless;
