//! `pi python`: one run, shown as streams, as one JSON object, or as JSON lines.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::args::Python;
use super::{Reader, ask, exit, json, progress, report, signals, write_out};
use crate::approval::remember::Store;
use crate::python::{self, Error};
use crate::run::outcome::Status;
use crate::run::request::{Leftovers, Stdin, TimeLimit};
use crate::run::{Cancel, Cancelled, NoSink, Outcome, Request, Sink, Which, own_this_process};
use crate::settings::Settings;

pub(crate) fn main(args: Python, mut settings: Settings, quiet: bool) -> ExitCode {
    let form = Form::of(&args);
    if let Some(interpreter) = &args.interpreter {
        settings.python = Some(interpreter.to_string_lossy().into_owned());
    }
    let request = match request(args) {
        Ok(request) => request,
        Err(refused) => return refused.report(),
    };
    own_this_process();
    let cancel = Cancel::new();
    let mut sink = form.sink(&cancel);
    let listener = progress::listener(quiet || form != Form::Streams);
    let result = python::run_asking(
        &request,
        &settings,
        ask::asker(&settings, quiet, listener.as_ref()).as_ref(),
        listener.as_ref(),
        &cancel,
        sink.as_mut(),
    );
    drop(listener);
    match result {
        Ok(outcome) => match form.show(&outcome, &settings, quiet) {
            Ok(()) => code(&outcome, &cancel),
            Err(error) => {
                let text = format!("the run ended, and its output can't be written: {error}");
                report::error_text(&text, &[]);
                exit::INTERNAL.into()
            }
        },
        Err(error) => {
            if form != Form::Streams {
                // Whether that can be written or not, the error is what the caller is told.
                let _ = form.show(&error.outcome(&request, &settings), &settings, quiet);
            }
            report::error(&error, &error.hints());
            code_of_error(&error)
        }
    }
}

/// How a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Its streams as they are, and what else there is to say on standard error.
    Streams,
    /// One JSON object.
    Json,
    /// JSON lines as it goes.
    Events,
}

/// A run that was not asked for in a way that makes sense.
enum Refused {
    Usage(&'static str),
    Input(io::Error),
}

impl Refused {
    fn report(self) -> ExitCode {
        match self {
            Self::Usage(text) => {
                report::error_text(
                    text,
                    &["`pi python --help` says what can be given".to_owned()],
                );
                exit::USAGE.into()
            }
            Self::Input(error) => {
                report::error_text(
                    &format!("can't read the code from standard input: {error}"),
                    &[],
                );
                exit::INTERNAL.into()
            }
        }
    }
}

/// Makes a request of what was typed; the code is read here if it comes from standard input.
fn request(args: Python) -> Result<Request, Refused> {
    let mut rest = args.rest.into_iter();
    let (code, script_path) = match args.code {
        Some(code) => (Some(code.into_encoded_bytes()), None),
        None => match rest.next() {
            None => return Err(Refused::Usage("a script, `-` or `--code CODE` is needed")),
            Some(dash) if dash == "-" && args.stdin => {
                return Err(Refused::Usage(
                    "`--stdin` goes with a script: `-` reads the code from there",
                ));
            }
            Some(dash) if dash == "-" => (Some(code_from_stdin().map_err(Refused::Input)?), None),
            Some(script) => (None, Some(PathBuf::from(script))),
        },
    };
    Ok(Request {
        code,
        script_path,
        args: rest.collect(),
        cwd: args.cwd,
        time_limit: match (args.no_timeout, args.timeout) {
            (true, _) => Some(TimeLimit::None),
            (false, seconds) => seconds.map(TimeLimit::Seconds),
        },
        max_output_bytes: args.max_output_bytes,
        max_output_lines: args.max_output_lines,
        stdin: if args.stdin {
            Stdin::Inherit
        } else {
            Stdin::Empty
        },
        env: args.env.into_iter().map(variable).collect(),
        raw: args.raw,
        leftovers: if args.detach_ok {
            Leftovers::Keep
        } else {
            Leftovers::End
        },
        approve: args.approve,
        read_only: args.read_only,
    })
}

fn code_from_stdin() -> io::Result<Vec<u8>> {
    let mut code = Vec::new();
    io::stdin().lock().read_to_end(&mut code)?;
    Ok(code)
}

/// Splits `NAME=VALUE`; without a `=` the caller's own value is meant.
fn variable(text: OsString) -> (OsString, Option<OsString>) {
    let bytes = text.as_encoded_bytes();
    let Some(at) = bytes.iter().position(|byte| *byte == b'=') else {
        return (text, None);
    };
    let (name, value) = (bytes[..at].to_vec(), bytes[at + 1..].to_vec());
    (os_string(name), Some(os_string(value)))
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

impl Form {
    fn of(args: &Python) -> Self {
        match (args.stream, args.json) {
            (true, _) => Self::Events,
            (false, true) => Self::Json,
            (false, false) => Self::Streams,
        }
    }

    /// What listens while the program runs; signals cancel from its start on.
    fn sink(self, cancel: &Cancel) -> Box<dyn Sink> {
        let shown: Box<dyn Sink> = match self {
            Self::Events => Box::new(Events(cancel.clone())),
            Self::Streams if io::stdout().is_terminal() || io::stderr().is_terminal() => {
                Box::new(Live)
            }
            Self::Streams | Self::Json => Box::new(NoSink),
        };
        Box::new(Cancellable {
            cancel: cancel.clone(),
            listens: false,
            shown,
        })
    }

    /// A reader that went away is no error: it has what it wanted.
    fn show(self, outcome: &Outcome, settings: &Settings, quiet: bool) -> io::Result<()> {
        match self {
            Self::Json => write_out(&json(outcome)).map(drop),
            Self::Events => print_event(&Event::End { outcome }).map(drop),
            Self::Streams => show_streams(outcome, settings, quiet),
        }
    }
}

/// Shows what was not yet shown live, then the notices.
fn show_streams(outcome: &Outcome, settings: &Settings, quiet: bool) -> io::Result<()> {
    let shown = if io::stdout().is_terminal() {
        Ok(())
    } else {
        write_out(outcome.stdout.text.as_bytes()).map(drop)
    };
    let stderr = &outcome.stderr.text;
    if !io::stderr().is_terminal() {
        // There is nobody left to tell where this fails.
        let _ = io::stderr().lock().write_all(stderr.as_bytes());
    }
    let unanswered = matches!(outcome.status, Status::ApprovalRequired | Status::Denied);
    let speaks = unanswered || (!quiet && !outcome.notices.is_empty());
    if speaks && !stderr.is_empty() && !stderr.ends_with('\n') {
        let _ = io::stderr().lock().write_all(b"\n");
    }
    if unanswered {
        show_unanswered(outcome, settings);
    } else if !quiet {
        outcome
            .notices
            .iter()
            .for_each(|notice| report::note(notice));
    }
    shown
}

/// Shows what a person would have to say yes to, and why the program did not run, or not to its end.
fn show_unanswered(outcome: &Outcome, settings: &Settings) {
    let asked = outcome
        .approval
        .as_ref()
        .filter(|_| outcome.status == Status::ApprovalRequired)
        .and_then(|approval| Store::of(&settings.home).find(&approval.id).ok());
    if let Some(asked) = asked {
        report::block(&ask::shown(&asked.question));
    }
    let (error, hints) = outcome
        .notices
        .split_first()
        .map_or(("approval is needed", &[][..]), |(first, rest)| {
            (first.as_str(), rest)
        });
    report::error_text(error, hints);
}

/// The exit code that an outcome stands for.
fn code(outcome: &Outcome, cancel: &Cancel) -> ExitCode {
    let code = match outcome.status {
        Status::Ok => 0,
        Status::Failed => match (outcome.exit_code, outcome.signal_number) {
            // The system keeps the low eight bits where it keeps no more.
            (Some(code), _) => code.to_le_bytes()[0],
            (None, Some(signal)) => {
                exit::SIGNAL.saturating_add(u8::try_from(signal).unwrap_or(u8::MAX))
            }
            (None, None) => exit::INTERNAL,
        },
        Status::Timeout => exit::TIMEOUT,
        Status::Cancelled => exit::SIGNAL + cancel.reason().map_or(15, Cancelled::number),
        Status::ApprovalRequired | Status::Denied => exit::APPROVAL,
        Status::Unavailable => exit::NO_PYTHON,
        Status::Invalid => exit::USAGE,
    };
    code.into()
}

fn code_of_error(error: &Error) -> ExitCode {
    let code = match error {
        Error::Request(error) if error.is_usage() => exit::USAGE,
        Error::Request(_) | Error::Barrier(_) | Error::Run(_) => exit::INTERNAL,
        Error::Provision(_) => exit::NO_PYTHON,
    };
    code.into()
}

/// Cancels on signals once the program has started, or waits for others; until then they end pi as they end any other
/// program.
struct Cancellable {
    cancel: Cancel,
    listens: bool,
    shown: Box<dyn Sink>,
}

impl Cancellable {
    fn listen(&mut self) {
        if std::mem::replace(&mut self.listens, true) {
            return;
        }
        if let Err(error) = signals::cancel_on_signals(&self.cancel) {
            report::warning(&format!("signals end pi at once: {error}"));
        }
    }
}

impl Sink for Cancellable {
    fn wait(&mut self) {
        self.listen();
        self.shown.wait();
    }

    fn start(&mut self, pid: u32) {
        self.listen();
        self.shown.start(pid);
    }

    fn output(&mut self, stream: Which, text: &str) {
        self.shown.output(stream, text);
    }

    fn listens(&self) -> bool {
        self.shown.listens()
    }
}

/// Shows each piece that a terminal waits for.
struct Live;

impl Sink for Live {
    fn output(&mut self, stream: Which, text: &str) {
        match stream {
            Which::Stdout if io::stdout().is_terminal() => {
                let _ = write_out(text.as_bytes());
            }
            Which::Stderr if io::stderr().is_terminal() => {
                let _ = io::stderr().lock().write_all(text.as_bytes());
            }
            Which::Stdout | Which::Stderr => {}
        }
    }
}

/// Prints JSON lines. Whoever reads them is a program that follows the run: when it has gone, the run is of no use.
struct Events(Cancel);

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Start {
        pid: u32,
    },
    Output {
        stream: &'static str,
        text: &'a str,
    },
    End {
        #[serde(flatten)]
        outcome: &'a Outcome,
    },
}

impl Events {
    fn tell(&self, event: &Event<'_>) {
        if !matches!(print_event(event), Ok(Reader::There)) && self.0.reason().is_none() {
            self.0.cancel(Cancelled::Gone);
        }
    }
}

impl Sink for Events {
    fn start(&mut self, pid: u32) {
        self.tell(&Event::Start { pid });
    }

    fn output(&mut self, stream: Which, text: &str) {
        self.tell(&Event::Output {
            stream: stream.name(),
            text,
        });
    }
}

fn print_event(event: &Event<'_>) -> io::Result<Reader> {
    let mut line = serde_json::to_vec(event).expect("pi's own types are JSON");
    line.push(b'\n');
    write_out(&line)
}
