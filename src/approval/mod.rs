//! Asking first: what a program may not do before a person said yes.
//!
//! - `review` reads the syntax tree before the run: a good question, with the place in the code.
//! - `guard` holds during the run: whatever the review let pass, an unapproved run can't do it by another road.
//! - [`remember`] keeps questions and answers, each bound to what the person was shown; [`decide`] asks where there is
//!   no answer yet.
//! - `barrier` lets one writer at a time into a workspace.
//!
//! The words that they share are here: the [`Category`] of an effect, a [`Finding`], and the [`Workspace`]; and those
//! of a question: its [`Subject`], its [`Id`], the [`Question`] itself, and the [`Asker`] that puts it.

pub mod barrier;
pub mod capability;
mod category;
pub mod credentials;

pub mod decide;
mod digest;
mod excerpt;
mod finding;
pub mod guard;
mod question;
pub mod remember;
pub mod review;
mod subject;
pub mod within;
mod workspace;

use std::time::{SystemTime, UNIX_EPOCH};

pub use category::{Categories, Category};
pub use digest::Digest;
pub use excerpt::{Excerpt, Line};
pub use finding::{Finding, Span};
pub use question::{Answer, Asker, By, Nobody, Question};
pub use review::{Review, Verdict};
pub use subject::{FileDigest, Id, Script, Subject};
pub use workspace::{Workspace, Zone};

/// Now, in milliseconds since 1970.
fn now_unix_ms() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
