//! The command line: the only room that prints.
//!
//! One file a subcommand. Standard output carries results and data alone; everything said to a person goes to
//! standard error, through `report`.

mod approvals;
mod args;
mod ask;
mod barrier;
mod doctor;
mod frame;
mod outputs;
mod progress;
mod provision;
mod python;
mod report;
mod review;
mod settings;
mod signals;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use self::args::{Cli, Command};
use crate::settings::Settings;

/// The exit codes that pi itself answers with.
pub(crate) mod exit {
    /// The caller's words make no sense.
    pub(crate) const USAGE: u8 = 2;
    /// The time limit passed.
    pub(crate) const TIMEOUT: u8 = 124;
    /// pi could not do its work.
    pub(crate) const INTERNAL: u8 = 125;
    /// Approval is needed, or was refused.
    pub(crate) const APPROVAL: u8 = 126;
    /// There is no Python.
    pub(crate) const NO_PYTHON: u8 = 127;
    /// The command of `pi barrier` can't be executed.
    pub(crate) const NOT_EXECUTABLE: u8 = 126;
    /// There is no such command.
    pub(crate) const NO_COMMAND: u8 = 127;
    /// Added to a signal's number where a signal ended the program.
    pub(crate) const SIGNAL: u8 = 128;
}

/// Runs the command line and answers with its exit code. Can be called more than once in a process.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let mut settings = Settings::load(None);
    settings.offline |= cli.offline;
    if !cli.quiet {
        settings
            .warnings
            .iter()
            .for_each(|warning| report::warning(warning));
    }
    match cli.command {
        Command::Python(args) => python::main(args, settings, cli.quiet),
        Command::Barrier(args) => barrier::main(&args, &settings, cli.quiet),
        Command::Doctor(args) => doctor::examine(&args, settings, cli.quiet),
        Command::Provision(args) => provision::main(&args, settings, cli.quiet),
        Command::Update(args) => doctor::update(&args, settings, cli.quiet),
        Command::Clean => provision::clean(&settings, cli.quiet),
        Command::Review(args) => review::main(&args, &settings),
        Command::Outputs(args) => outputs::main(args.command, &settings),
        Command::Approvals(args) => approvals::main(args.command, &settings, cli.quiet),
        Command::Settings(args) => settings::main(&settings, args.json),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "pi", &mut script);
            print(&script)
        }
    }
}

/// Help and version are results; everything else that clap says is wrong usage.
fn usage(error: &clap::Error) -> ExitCode {
    // A reader that went away is no failure of ours.
    let _ = error.print();
    if error.use_stderr() {
        exit::USAGE.into()
    } else {
        ExitCode::SUCCESS
    }
}

/// Writes a result to standard output. A closed pipe is success: the reader has what it wanted.
fn print(result: &[u8]) -> ExitCode {
    match write_out(result) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            report::error_text(&format!("can't write to standard output: {error}"), &[]);
            exit::INTERNAL.into()
        }
    }
}

/// Whether somebody reads what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    There,
    Gone,
}

fn write_out(result: &[u8]) -> io::Result<Reader> {
    let mut out = io::stdout().lock();
    match out.write_all(result).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        other => other.map(|()| Reader::There),
    }
}

/// A value as JSON, with a line end.
fn json(value: &impl serde::Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("pi's own types are JSON");
    text.push(b'\n');
    text
}

/// Writes a value as JSON to standard output.
fn print_json(value: &impl serde::Serialize) -> ExitCode {
    print(&json(value))
}
