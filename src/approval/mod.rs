//! Asking first: what a program may not do before a person said yes.
//!
//! - `review` reads the syntax tree before the run: a good question, with the place in the code.
//! - `guard` holds during the run: whatever the review let pass, an unapproved run can't do it by another road.
//! - `remember` keeps questions and answers, each bound to what the person was shown.
//! - `barrier` lets one writer at a time into a workspace.
//!
//! The words that they share are here: the [`Category`] of an effect, a [`Finding`], and the [`Workspace`].

mod category;
pub mod credentials;
mod finding;
pub mod review;
mod workspace;

pub use category::{Categories, Category};
pub use finding::{Finding, Span};
pub use review::{Review, Verdict};
pub use workspace::{Workspace, Zone};
