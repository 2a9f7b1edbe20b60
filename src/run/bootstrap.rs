//! How the interpreter is given a program: its command line, and for code what it reads.
//!
//! The interpreter is started as `python -` and reads a loader of ours, which is given the code. What the loader leaves
//! is a `__main__` as of `python -`, but that the code's file is named `<code>`, tracebacks show its lines, and
//! `multiprocessing` can start processes afresh. The loader imports `sys` alone; what else it needs, it takes from the
//! standard library when something went wrong, past any file of the project. (`python -c` is no way to start it: from
//! 3.13 on that imports `linecache`, and would take it from the project.)

mod compiled;
mod guard;
mod how;
mod literal;
mod marshal;

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::OsString;

use compiled::Compiled;

use super::request::{Plan, Program, Stdin};
use super::tree::{Extra, Input};
use crate::provision::Interpreter;
#[cfg(unix)]
use crate::settings::Environment;
use crate::settings::Settings;

/// The parts of the bootstrap, the one that is executed first; behind them, for guarded runs, the guard.
const PARTS: [&str; 2] = [
    include_str!("bootstrap/loader.py"),
    include_str!("bootstrap/helper.py"),
];
#[cfg(unix)]
const HELPER: &str = PARTS[1];
#[cfg(unix)]
const WARM: &str = include_str!("bootstrap/warm.py");

/// The descriptor on which the guard's hook tells what it refused.
#[cfg(unix)]
const REPORT: i32 = 5;

/// How an interpreter is started.
pub(super) struct Start {
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its standard input.
    pub input: Input,
    /// What it reads from descriptor 3, which it closes before the program begins.
    pub extra: Extra,
    /// Whether it finds the caller's standard input as descriptor 4.
    pub passes_input: bool,
    /// Whether the guard's hook is in it.
    pub is_hooked: bool,
}

/// How `plan`'s program is started by `interpreter`.
pub(super) fn of(plan: &Plan, interpreter: &Interpreter, settings: &Settings) -> Start {
    let compiled = compiled::of(interpreter, settings);
    let hook = plan.guard.as_ref().zip(compiled.as_ref());
    let hook = hook.map(|(policy, compiled)| guard::config(policy, plan, compiled));
    let is_hooked = hook.is_some();
    let how = how::to_start(plan, hook);
    let passes_input = plan.stdin == Stdin::Inherit;
    let Handed {
        mut args,
        input,
        extra,
    } = hand_over(
        compiled.as_ref().map(|compiled| (compiled, is_hooked)),
        &how,
        source(&plan.program),
        passes_input,
    );
    args.extend(plan.args.iter().cloned());
    Start {
        args,
        input,
        extra,
        passes_input,
        is_hooked,
    }
}

/// How bootstrap and program get to the interpreter.
struct Handed {
    /// The arguments before the program's.
    args: Vec<OsString>,
    input: Input,
    extra: Extra,
}

/// The program's bytes, as far as they are known.
fn source(program: &Program) -> &[u8] {
    match program {
        Program::Code(source) => source,
        Program::Script { source, .. } => source.as_deref().unwrap_or_default(),
    }
}

/// Compiles the bootstrap for an interpreter, if that was not done before.
pub(super) fn prepare(interpreter: &Interpreter, settings: &Settings) {
    compiled::of(interpreter, settings);
}

/// What stands on standard input is short: with PYTHONUNBUFFERED the interpreter reads a program there byte by byte.
/// The bootstrap and the program come on a descriptor of their own, the bootstrap compiled where that can be had.
#[cfg(unix)]
fn hand_over(compiled: Option<(&Compiled, bool)>, how: &[u8], source: &[u8], _: bool) -> Handed {
    let (mut data, parts) = match compiled {
        Some((compiled, is_guarded)) => (
            compiled.parts(is_guarded).to_vec(),
            "__import__('marshal').loads(_)".to_owned(),
        ),
        None => (PARTS.concat().into_bytes(), slices_of_parts()),
    };
    let at = data.len();
    let start = format!(
        "with open(3, 'rb', 0) as _: _ = _.read()\n\
         _ = {parts}, _\n\
         exec(_[0][0], {{'main': globals(), 'parts': _[0], 'data': _[1], 'at': ({at}, {})}})\n",
        at + how.len()
    );
    data.extend_from_slice(how);
    data.extend_from_slice(source);
    Handed {
        args: vec!["-B".into(), "-".into()],
        input: Input::Bytes(start.into_bytes()),
        extra: Extra::All(data),
    }
}

/// The parts as Python cuts them out of their text.
#[cfg(unix)]
fn slices_of_parts() -> String {
    let [loader, helper] = PARTS.map(str::len);
    format!("(_[:{loader}], _[{loader}:{}])", loader + helper)
}

/// Everything stands on standard input, as literals, unless that is the caller's: then the bootstrap comes from the file
/// in which it is kept, and a script from its own.
#[cfg(not(unix))]
fn hand_over(compiled: Option<Compiled>, how: &[u8], source: &[u8], passes_input: bool) -> Handed {
    let mut start = b"_ = ".to_vec();
    match &compiled {
        Some((compiled, _)) if passes_input => {
            start.extend_from_slice(b"__import__('marshal').loads(open(");
            literal::push(&mut start, compiled.path().as_bytes());
            start.extend_from_slice(b".decode(), 'rb').read()");
            let at = compiled::HEADER + compiled.parts(false).len();
            start.extend_from_slice(format!("[{at}:])").as_bytes());
        }
        Some((compiled, is_guarded)) => {
            start.extend_from_slice(b"__import__('marshal').loads(");
            literal::push(&mut start, compiled.parts(is_guarded));
            start.push(b')');
        }
        None => {
            for part in PARTS {
                literal::push(&mut start, part.as_bytes());
                start.push(b',');
            }
        }
    }
    start.extend_from_slice(b"\nexec(_[0], {'main': globals(), 'parts': _, 'data': ");
    let source = if passes_input { &[] } else { source };
    literal::push(&mut start, &[how, source].concat());
    start.extend_from_slice(format!(", 'at': (0, {})}})\n", how.len()).as_bytes());
    let (args, input) = if passes_input {
        let text = String::from_utf8_lossy(&start).into_owned();
        (vec!["-B".into(), "-c".into(), text.into()], Input::Inherit)
    } else {
        (vec!["-B".into(), "-".into()], Input::Bytes(start))
    };
    Handed {
        args,
        input,
        extra: Extra::None,
    }
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
        passes_input: false,
        is_hooked: false,
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
