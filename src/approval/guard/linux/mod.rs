//! The kernel's part of the guard, on Linux.
//!
//! A [`Confinement`] is made ready in pi and put on by the process that becomes the program: a Landlock ruleset and a
//! seccomp filter. The [`Supervisor`] in pi answers the [`calls`] that the filter stops at: it looks at what the
//! [`caller`] means, [`decide`]s, and acts.

use super::{Category, Layers, Policy, Stop, Zone};

mod caller;
mod calls;
mod confine;
mod cover;
mod decide;
mod landlock;
mod seccomp;
mod supervise;
#[cfg(test)]
mod tests;

pub(crate) use confine::{Confinement, available};
pub(crate) use supervise::Supervisor;
