//! Bounded runs, as a user meets them through `pi python`.

mod bad_input;
mod compiled;
mod ending;
mod environment;
mod exits;
mod json;
#[cfg(target_os = "linux")]
mod kill;
mod names;
mod repeat;
pub(crate) mod runs;
mod semantics;
mod stdin;
#[cfg(target_os = "linux")]
mod surroundings;
