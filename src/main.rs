//! The `pi` command: parse, dispatch, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    pi_python::cli::main(std::env::args_os())
}
