//! `pi barrier`: any command as one of those that take turns in a workspace.
//!
//! The command has this process's streams, its exit code is passed on, and so are signals. It runs for as long as the
//! workspace is held: if this process is killed, the command is killed with it (Linux).

use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitCode, ExitStatus};
use std::time::Duration;

use super::args::Barrier as Args;
use super::{exit, progress, report, signals};
use crate::approval::Workspace;
use crate::approval::barrier::{Barrier, Error, Held};
use crate::settings::Settings;

pub(crate) fn main(args: &Args, settings: &Settings, quiet: bool) -> ExitCode {
    let barrier = match wanted(args, settings) {
        Ok(barrier) => barrier,
        Err(seconds) => {
            let text = format!("`--wait` has to be a number of seconds, 0 or more: {seconds}");
            report::error_text(&text, &[]);
            return exit::USAGE.into();
        }
    };
    match hold(&barrier, quiet) {
        Ok(held) => {
            if !quiet {
                held.notices()
                    .iter()
                    .for_each(|notice| report::note(notice));
            }
            run(&args.command, &held)
        }
        Err(error) => {
            report::error(&error, &error.hints());
            exit::INTERNAL.into()
        }
    }
}

/// What the command works with; the error is a wait that is no span of time.
fn wanted<'a>(args: &Args, settings: &'a Settings) -> Result<Barrier<'a>, f64> {
    let here = || Workspace::of(&settings.cwd, settings);
    let barrier = if !args.file.is_empty() {
        Barrier::editing(&args.file, settings)
    } else if args.shared {
        Barrier::shared(&here(), settings)
    } else {
        Barrier::exclusive(&here(), settings)
    };
    match args.wait {
        None => Ok(barrier),
        Some(seconds) => Duration::try_from_secs_f64(seconds)
            .map(|wait| barrier.within(wait))
            .map_err(|_| seconds),
    }
}

/// Signals end the wait as they end any other program.
fn hold(barrier: &Barrier<'_>, quiet: bool) -> Result<Held, Error> {
    match barrier.try_take()? {
        Some(held) => Ok(held),
        None => barrier.take(progress::listener(quiet).as_ref(), &|| false),
    }
}

fn run(command: &[OsString], held: &Held) -> ExitCode {
    let [program, args @ ..] = command else {
        unreachable!("the parser wants a command");
    };
    let mut process = Command::new(program);
    process.args(args).envs(held.variable());
    match signals::run_in_our_place(&mut process) {
        Ok(status) => code(status).into(),
        Err(error) => {
            report::error_text(
                &format!("can't run `{}`: {error}", program.to_string_lossy()),
                &[],
            );
            match error.kind() {
                io::ErrorKind::NotFound => exit::NO_COMMAND,
                io::ErrorKind::PermissionDenied => exit::NOT_EXECUTABLE,
                _ => exit::INTERNAL,
            }
            .into()
        }
    }
}

/// The exit code that says what the command's own said.
fn code(status: ExitStatus) -> u8 {
    match status.code() {
        // The system keeps the low eight bits where it keeps no more.
        Some(code) => code.to_le_bytes()[0],
        None => exit::SIGNAL.saturating_add(signal(status)),
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> u8 {
    let number = std::os::unix::process::ExitStatusExt::signal(&status);
    number.map_or(0, |number| number.to_le_bytes()[0])
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> u8 {
    0
}
