//! Getting Python onto the machine: uv, an interpreter, and the memory of both.
//!
//! [`ensure`] is the one door. A call that finds a fitting cache reads one file and asks the system once about the
//! interpreter's file; nothing is spawned. Everything else happens under one lock on the machine.

mod address;
mod download;
mod index;
mod managed;
mod netrc;
mod pins;
mod pip;
mod place;
mod platform;
mod sources;
mod tls;
mod unpack;
mod verify;

use std::path::PathBuf;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::progress::Progress;
use crate::settings::Settings;

/// What every step of provisioning needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub settings: &'a Settings,
    pub progress: &'a dyn Progress,
    /// When all of it has to be done.
    pub deadline: Instant,
}

/// An interpreter that was run and answered for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Interpreter {
    /// The real executable, behind every shim and launcher (a virtual environment's own `python` stays itself).
    pub path: PathBuf,
    /// Such as `3.13.1`.
    pub version: String,
    /// Such as `cpython`.
    pub implementation: String,
    /// `sys.prefix`.
    pub prefix: PathBuf,
    /// `sys.base_prefix`.
    pub base_prefix: PathBuf,
}
