//! What needs approval, and who is asked.

mod review;
