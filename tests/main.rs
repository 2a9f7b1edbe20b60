//! The integration tests: `pi` as a user meets it, through its binary.
//!
//! One module an area; `support` holds the harness. A test owns a scratch place (home, agent directory, working
//! directory, temporary directory, PATH) and shares nothing with others, so all of them run at once.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![allow(
    clippy::print_stderr,
    reason = "a test that is left out says so by itself"
)]
#![cfg_attr(
    not(unix),
    allow(
        unused,
        reason = "tests with scripts for programs are left out, and their helpers stay"
    )
)]

#[cfg(not(windows))]
mod approval;
mod doctor;
// Wine, where the Windows build is tested, has no Python: what runs one is left out there.
#[cfg(not(windows))]
mod outputs;
mod provision;
#[cfg(not(windows))]
mod python;
mod readme;
mod settings;
mod support;
#[cfg(windows)]
mod windows;
