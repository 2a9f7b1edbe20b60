//! How the interpreter is given a program: its command line, and for code what it reads on standard input.
//!
//! Code is read by a loader of ours that is read from standard input itself, so that no command line grows with it.
//! What the loader leaves is a `__main__` as of `python -`, but that the code's file is named `<code>`, tracebacks
//! show its lines, and `multiprocessing` can start processes afresh. The loader imports `sys` alone; what else it
//! needs, it takes from the standard library when something went wrong, past any file of the project.

use std::ffi::OsString;

use super::request::{Plan, Program, Stdin};
use super::tree::Input;

const LOADER: &str = include_str!("bootstrap/loader.py");
const HELPER: &str = include_str!("bootstrap/helper.py");

/// The interpreter's arguments and standard input.
pub(super) fn of(plan: &Plan) -> (Vec<OsString>, Input) {
    let mut args: Vec<OsString> = vec!["-B".into()];
    let input = match &plan.program {
        Program::Code(source) => {
            args.extend(["-c".into(), start().into()]);
            Input::Bytes(input_of(source))
        }
        Program::Script(path) => {
            args.push(path.into());
            match plan.stdin {
                Stdin::Empty => Input::Empty,
                Stdin::Inherit => Input::Inherit,
            }
        }
    };
    args.extend(plan.args.iter().cloned());
    (args, input)
}

/// Reads the loader and runs it.
fn start() -> String {
    format!(
        "exec(__import__('sys').stdin.buffer.read({}))",
        LOADER.len()
    )
}

fn input_of(source: &[u8]) -> Vec<u8> {
    let size = format!("{}\n", HELPER.len());
    [
        LOADER.as_bytes(),
        size.as_bytes(),
        HELPER.as_bytes(),
        source,
    ]
    .concat()
}
