//! Python that a coding agent can rely on.
//!
//! `pi` gets an interpreter onto the machine, runs model-written code within bounds, and says exactly what happened.
//! The crate is what the `pi` command is made of: [`settings`] resolves what the caller wants, [`provision`] finds or
//! installs Python, [`run`] runs one program within bounds, and [`python`] is the line through all of them.
//!
//! ```
//! use pi_python::{progress::Silent, python, run::{Cancel, NoSink, Request}, settings::Settings};
//! # use pi_python::settings::{AGENT_DIR_VARIABLE, Environment};
//! # let scratch = tempfile::tempdir()?;
//! # let mut environment = Environment::of_this_process();
//! # environment.set(AGENT_DIR_VARIABLE, scratch.path());
//!
//! let settings = Settings::load(None);
//! # let settings = Settings::resolve(environment, std::env::current_dir()?);
//! let request = Request { code: Some(b"print(6 * 7)".to_vec()), ..Request::default() };
//! let outcome = python::run(&request, &settings, &Silent, &Cancel::new(), &mut NoSink)?;
//! assert_eq!(outcome.stdout.text, "42\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod approval;
pub mod cli;
pub mod doctor;
pub mod home;
mod locks;
pub mod progress;
pub mod provision;
pub mod python;
pub mod run;
pub mod settings;

/// The examples of the README, which have to compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
