//! How the interpreter is given a program: its command line, and for code what it reads.
//!
//! The interpreter is started as `python -` and reads a loader of ours, which holds the code as a literal. What the
//! loader leaves is a `__main__` as of `python -`, but that the code's file is named `<code>`, tracebacks show its
//! lines, and `multiprocessing` can start processes afresh. The loader imports `sys` alone; what else it needs, it
//! takes from the standard library when something went wrong, past any file of the project. (`python -c` is no way to
//! start it: from 3.13 on that imports `linecache`, and would take it from the project.)

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::OsString;

use super::request::{Plan, Program, Stdin};
use super::tree::{Extra, Input};
#[cfg(unix)]
use crate::settings::Environment;

const LOADER: &str = include_str!("bootstrap/loader.py");
const HELPER: &str = include_str!("bootstrap/helper.py");
#[cfg(unix)]
const WARM: &str = include_str!("bootstrap/warm.py");

/// What stands on standard input where the loader has a descriptor of its own: with PYTHONUNBUFFERED the interpreter
/// reads a program on standard input byte by byte.
#[cfg(unix)]
const START: &str = "with open(3, 'rb') as _: _ = _.read()\nexec(_, {'main': globals()})\n";

/// How an interpreter is started.
pub(super) struct Start {
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its standard input.
    pub input: Input,
    /// What it reads from descriptor 3, which it closes before the program begins.
    pub extra: Extra,
}

/// How `plan`'s program is started.
pub(super) fn of(plan: &Plan) -> Start {
    let mut args: Vec<OsString> = vec!["-B".into()];
    let (program, input, extra) = match &plan.program {
        Program::Code(source) => {
            let (input, extra) = read_by_itself(loader_with(source));
            ("-".into(), input, extra)
        }
        Program::Script { path, named } => {
            let input = match plan.stdin {
                Stdin::Empty => Input::Empty,
                Stdin::Inherit => Input::Inherit,
            };
            // A name that looks like an option would be taken for one.
            let dashed = named.as_os_str().as_encoded_bytes().starts_with(b"-");
            (if dashed { path } else { named }.into(), input, Extra::None)
        }
    };
    args.push(program);
    args.extend(plan.args.iter().cloned());
    Start { args, input, extra }
}

#[cfg(unix)]
fn read_by_itself(program: Vec<u8>) -> (Input, Extra) {
    (Input::Bytes(START.into()), Extra::All(program))
}

#[cfg(not(unix))]
fn read_by_itself(program: Vec<u8>) -> (Input, Extra) {
    let mut start = b"exec(".to_vec();
    push_literal(&mut start, &program);
    start.extend_from_slice(b", {'main': globals()})\n");
    (Input::Bytes(start), Extra::None)
}

/// How an interpreter is started that waits for its program, which [`ahead_with`] makes.
#[cfg(unix)]
pub(super) fn ahead() -> Start {
    // The last line end is read when everything else is done, so that what was read tells whether it is ready.
    let program = [HELPER, WARM].concat();
    let scope = "{'pipe': _, 'sys': __import__('sys')}";
    let start = format!(
        "with open(3, 'rb', 0) as _: exec(_.read({}), {scope})\n",
        program.len() - 1
    );
    Start {
        args: vec!["-B".into(), "-".into()],
        input: Input::Bytes(start.into_bytes()),
        extra: Extra::Beginning(program.into_bytes()),
    }
}

/// `plan`'s program, for an interpreter that waits.
#[cfg(unix)]
pub(super) fn ahead_with(plan: &Plan, environment: &Environment) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    let (kind, program, source) = match &plan.program {
        Program::Code(source) => ("code", OsStr::new("-"), source.as_slice()),
        Program::Script { named, .. } => ("script", named.as_os_str(), &b""[..]),
    };
    let args = std::iter::once(program).chain(plan.args.iter().map(OsString::as_os_str));
    let variables = environment
        .iter()
        .map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat());
    let mut fields = vec![plan.cwd.as_os_str().as_bytes().to_vec(), kind.into()];
    fields.extend(args.map(|arg| arg.as_bytes().to_vec()));
    fields.extend(variables);
    let fields = fields.join(&0);
    let sizes = format!("{} {}\n", fields.len(), plan.args.len() + 1);
    [sizes.as_bytes(), &fields, source].concat()
}

/// A Python program that runs `source` in the globals `main`, which it is given.
fn loader_with(source: &[u8]) -> Vec<u8> {
    let mut program = Vec::with_capacity(LOADER.len() + HELPER.len() + source.len() + 1024);
    program.extend_from_slice(LOADER.as_bytes());
    program.extend_from_slice(b"load(globals().pop('main'), ");
    push_literal(&mut program, HELPER.as_bytes());
    program.extend_from_slice(b", ");
    push_literal(&mut program, source);
    program.extend_from_slice(b")\n");
    program
}

/// Appends a Python literal of `bytes`. Line feeds stay as they are, so that no line of it is longer than the code's.
fn push_literal(program: &mut Vec<u8>, bytes: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    program.extend_from_slice(b"b'''");
    for byte in bytes {
        match byte {
            b'\n' | b'\t' | b' '..=b'&' | b'('..=b'[' | b']'..=b'~' => program.push(*byte),
            b'\'' | b'\\' => program.extend_from_slice(&[b'\\', *byte]),
            _ => {
                let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
                program.extend_from_slice(&[b'\\', b'x', HEX[high], HEX[low]]);
            }
        }
    }
    program.extend_from_slice(b"'''");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_holds_every_byte() {
        let mut literal = Vec::new();
        push_literal(&mut literal, b"a\n'\\\r\0\xff");
        assert_eq!(literal, b"b'''a\n\\'\\\\\\x0d\\x00\\xff'''");
    }
}
