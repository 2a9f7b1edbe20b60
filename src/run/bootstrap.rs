//! How the interpreter is given a program: its command line, and for code what it reads on standard input.
//!
//! The interpreter is started as `python -` and reads a loader of ours, which holds the code as a literal. What the
//! loader leaves is a `__main__` as of `python -`, but that the code's file is named `<code>`, tracebacks show its
//! lines, and `multiprocessing` can start processes afresh. The loader imports `sys` alone; what else it needs, it
//! takes from the standard library when something went wrong, past any file of the project. (`python -c` is no way to
//! start it: from 3.13 on that imports `linecache`, and would take it from the project.)

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
            args.push("-".into());
            Input::Bytes(loader_with(source))
        }
        Program::Script { path, named } => {
            // A name that looks like an option would be taken for one.
            let dashed = named.as_os_str().as_encoded_bytes().starts_with(b"-");
            args.push(if dashed { path } else { named }.into());
            match plan.stdin {
                Stdin::Empty => Input::Empty,
                Stdin::Inherit => Input::Inherit,
            }
        }
    };
    args.extend(plan.args.iter().cloned());
    (args, input)
}

/// A Python program that runs `source`.
fn loader_with(source: &[u8]) -> Vec<u8> {
    let mut program = Vec::with_capacity(LOADER.len() + HELPER.len() + source.len() + 1024);
    program.extend_from_slice(LOADER.as_bytes());
    program.extend_from_slice(b"_(");
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
