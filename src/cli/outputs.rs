//! `pi outputs`: what was kept of runs whose text was cut.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use super::args::OutputsCommand;
use super::{exit, print, print_json, report};
use crate::run::outputs::{self, Error, Part};
use crate::settings::Settings;

pub(crate) fn main(command: OutputsCommand, settings: &Settings) -> ExitCode {
    let home = &settings.home;
    let answered = match command {
        OutputsCommand::List(args) => list(settings, args.json),
        OutputsCommand::Show { run, stream, lines } => {
            let part = match lines.as_deref().map(parse_lines) {
                None => Part::All,
                Some(Ok(part)) => part,
                Some(Err(problem)) => {
                    report::error_text(&problem, &[]);
                    return exit::USAGE.into();
                }
            };
            show(settings, &run, &stream, &part)
        }
        OutputsCommand::Path { run, stream } => outputs::path(home, &run, &stream)
            .map(|path| print(format!("{}\n", path.display()).as_bytes())),
        OutputsCommand::Clean => outputs::clean(home).map_err(Error::Io).map(|cleaned| {
            print(format!("removed {} runs, {} bytes\n", cleaned.runs, cleaned.bytes).as_bytes())
        }),
    };
    answered.unwrap_or_else(|error| {
        let hints = match &error {
            Error::Io(_) => Vec::new(),
            _ => vec!["`pi outputs list` names the kept runs and their streams".to_owned()],
        };
        report::error(&error, &hints);
        exit::INTERNAL.into()
    })
}

fn list(settings: &Settings, json: bool) -> Result<ExitCode, Error> {
    let runs = outputs::list(&settings.home)?;
    if json {
        return Ok(print_json(&runs));
    }
    let mut text = String::new();
    for run in &runs {
        let _ = write!(text, "{}", run.run);
        for stream in &run.streams {
            let _ = write!(text, "  {} {} bytes", stream.stream, stream.bytes);
        }
        let _ = writeln!(
            text,
            "{}",
            if run.in_progress { "  in progress" } else { "" }
        );
    }
    Ok(print(text.as_bytes()))
}

fn show(settings: &Settings, run: &str, stream: &str, part: &Part) -> Result<ExitCode, Error> {
    let mut out = io::stdout().lock();
    match outputs::show(&settings.home, run, stream, part, &mut out) {
        // A reader that has seen enough is no failure.
        Err(Error::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        other => other?,
    }
    match out.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Io(error)),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Reads `A:B`, `A:`, `:B` or `A`.
fn parse_lines(text: &str) -> Result<Part, String> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str, otherwise: u64| match text {
        "" => Some(otherwise),
        text => text.parse().ok().filter(|line| *line >= 1),
    };
    let named = !first.is_empty() || !last.is_empty();
    match (number(first, 1), number(last, u64::MAX)) {
        (Some(first), Some(last)) if named && first <= last => Ok(Part::Lines(first..=last)),
        _ => Err(format!(
            "`--lines` takes `A:B`, lines counted from 1 with A up to B: `{text}`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_with_either_end_left_out() {
        for (text, lines) in [
            ("3:5", 3..=5),
            ("3:", 3..=u64::MAX),
            (":5", 1..=5),
            ("7", 7..=7),
        ] {
            assert_eq!(parse_lines(text), Ok(Part::Lines(lines)), "{text}");
        }
        for text in ["", ":", "5:3", "0:2", "-1", "a:b", "1:2:3"] {
            assert!(parse_lines(text).is_err(), "{text}");
        }
    }
}
