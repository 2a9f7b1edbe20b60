//! The one place where messages are formatted for people.
//!
//! An error is `error: …`, a `caused by: …` line for each source, a blank line, then its hints. Standard output carries
//! results alone; everything here goes to standard error.

use std::error::Error;
use std::io::Write;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default();
const CAUSE: Style = Style::new().bold();

/// Prints an error with its causes and hints.
pub(crate) fn error(error: &dyn Error, hints: &[String]) {
    line(ERROR, "error", &error.to_string());
    let mut said = error.to_string();
    for cause in std::iter::successors(error.source(), |&cause| cause.source()) {
        let text = cause.to_string();
        // Some libraries repeat their source's text in their own; once is enough.
        if !said.contains(&text) {
            line(CAUSE, "caused by", &text);
        }
        said = text;
    }
    print_hints(hints);
}

/// Prints an error that has no type of its own.
pub(crate) fn error_text(text: &str, hints: &[String]) {
    line(ERROR, "error", text);
    print_hints(hints);
}

/// Prints a warning.
pub(crate) fn warning(text: &str) {
    line(WARNING, "warning", text);
}

/// Prints something worth knowing.
pub(crate) fn note(text: &str) {
    line(NOTE, "note", text);
}

/// Prints lines that are formatted already.
pub(crate) fn block(text: &str) {
    write_line(text);
}

fn print_hints(hints: &[String]) {
    if !hints.is_empty() {
        write_line("");
    }
    for hint in hints {
        line(NOTE, "hint", hint);
    }
}

fn line(style: Style, label: &str, text: &str) {
    write_line(&format!("{style}{label}{style:#}: {text}"));
}

/// A closed standard error is no reason to fail: there is nobody left to tell.
fn write_line(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
