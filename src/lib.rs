//! Python that a coding agent can rely on.
//!
//! `pi` gets an interpreter onto the machine, runs model-written code within bounds, and says exactly what happened.
//! The crate is what the `pi` command is made of: [`settings`] resolves what the caller wants, [`provision`] finds or
//! installs Python, [`run`] runs one program within bounds, and [`python`] is the line through all of them.

pub mod cli;
pub mod doctor;
pub mod home;
pub mod progress;
pub mod provision;
pub mod python;
pub mod run;
pub mod settings;
