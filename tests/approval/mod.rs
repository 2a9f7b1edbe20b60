//! Asking first: what a program may not do before a person said yes.

mod evasions;
mod stage;
