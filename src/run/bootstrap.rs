//! How the interpreter is given a program: its command line, and for code what it reads.
//!
//! The interpreter is started as `python -` and reads a loader of ours, which is given the code. What the loader leaves
//! is a `__main__` as of `python -`, but that the code's file is named `<code>`, tracebacks show its lines, and
//! `multiprocessing` can start processes afresh. The loader imports `sys` alone; what else it needs, it takes from the
//! standard library when something went wrong, past any file of the project. (`python -c` is no way to start it: from
//! 3.13 on that imports `linecache`, and would take it from the project.)

#[cfg(unix)]
mod compiled;
mod literal;

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::OsString;

use super::request::{Plan, Program, Stdin};
use super::tree::{Extra, Input};
use crate::provision::Interpreter;
#[cfg(unix)]
use crate::settings::Environment;
use crate::settings::Settings;

/// The parts of the bootstrap, the one that is executed first.
const PARTS: [&str; 2] = [
    include_str!("bootstrap/loader.py"),
    include_str!("bootstrap/helper.py"),
];
const HELPER: &str = PARTS[1];
#[cfg(unix)]
const WARM: &str = include_str!("bootstrap/warm.py");

/// How an interpreter is started.
pub(super) struct Start {
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its standard input.
    pub input: Input,
    /// What it reads from descriptor 3, which it closes before the program begins.
    pub extra: Extra,
}

/// How `plan`'s program is started by `interpreter`.
pub(super) fn of(plan: &Plan, interpreter: &Interpreter, settings: &Settings) -> Start {
    let mut args: Vec<OsString> = vec!["-B".into()];
    let (program, input, extra) = match &plan.program {
        Program::Code(source) => {
            let (input, extra) = loader_with(source, interpreter, settings);
            ("-".into(), input, extra)
        }
        Program::Script { path, named, .. } => {
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

/// Compiles the bootstrap for an interpreter, if that was not done before.
pub(super) fn prepare(interpreter: &Interpreter, settings: &Settings) {
    #[cfg(unix)]
    compiled::parts(interpreter, settings);
    #[cfg(not(unix))]
    let _ = (interpreter, settings);
}

/// What stands on standard input is short: with PYTHONUNBUFFERED the interpreter reads a program there byte by byte.
/// The bootstrap and `source` come on a descriptor of their own, compiled where that was done before.
#[cfg(unix)]
fn loader_with(source: &[u8], interpreter: &Interpreter, settings: &Settings) -> (Input, Extra) {
    let (mut program, parts) = match compiled::parts(interpreter, settings) {
        Some(compiled) => (compiled, "__import__('marshal').loads(_)".to_owned()),
        None => (PARTS.concat().into_bytes(), slices_of_parts()),
    };
    let start = format!(
        "with open(3, 'rb', 0) as _: _ = _.read()\n\
         _ = {parts}, _[{}:]\n\
         exec(_[0][0], {{'main': globals(), 'parts': _[0], 'source': _[1]}})\n",
        program.len()
    );
    program.extend_from_slice(source);
    (Input::Bytes(start.into_bytes()), Extra::All(program))
}

/// The parts as Python cuts them out of their text.
#[cfg(unix)]
fn slices_of_parts() -> String {
    let [loader, helper] = PARTS.map(str::len);
    format!("(_[:{loader}], _[{loader}:{}])", loader + helper)
}

#[cfg(not(unix))]
fn loader_with(source: &[u8], _: &Interpreter, _: &Settings) -> (Input, Extra) {
    let mut start = b"exec(".to_vec();
    literal::push(&mut start, PARTS[0].as_bytes());
    start.extend_from_slice(b", {'main': globals(), 'parts': (None, ");
    literal::push(&mut start, HELPER.as_bytes());
    start.extend_from_slice(b"), 'source': ");
    literal::push(&mut start, source);
    start.extend_from_slice(b"})\n");
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
