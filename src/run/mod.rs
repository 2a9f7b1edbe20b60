//! One bounded run: a request goes in, an outcome comes out, and nothing that the run started is left.

pub mod env;
pub mod outcome;
pub mod request;
mod tidy;
