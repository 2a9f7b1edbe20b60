//! Approval, as a user meets it.

mod barrier;
