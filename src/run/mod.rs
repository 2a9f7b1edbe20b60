//! One bounded run: a request goes in, an outcome comes out, and nothing that the run started is left.

mod capture;
pub mod env;
pub mod outcome;
pub mod request;
pub mod outputs;
mod spill;
mod tidy;
mod window;
