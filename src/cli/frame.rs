//! A finding with the code that it is about, framed for a person.
//!
//! Control characters are made visible and only the line itself is shown, so that neither escape sequences nor a flood
//! of blank lines can hide it.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::approval::Finding;
use crate::approval::review::is_hidden;

const RULE: Style = AnsiColor::Red.on_default().bold();
const EDGE: Style = AnsiColor::Blue.on_default().bold();
const TITLE: Style = Style::new().bold();

/// Longer lines are shown around the finding.
const WIDEST: usize = 120;
/// What is shown before the finding in a line that is cut.
const BEFORE: usize = 30;

/// A finding in `source`, which `file` names. With escape sequences for colours, which a caller may strip.
pub(crate) fn framed(finding: &Finding, source: &str, file: &str) -> String {
    let span = finding.span;
    let number = span.line.to_string();
    let margin = " ".repeat(number.len());
    let mut text = format!(
        "{RULE}{}{RULE:#} {TITLE}{}{TITLE:#}\n{margin}{EDGE}-->{EDGE:#} {}:{}:{}\n",
        finding.rule,
        shown(&finding.message),
        shown(file),
        span.line,
        span.column
    );
    if let Some(line) = line(source, span.line) {
        let to = if span.end_line == span.line {
            span.end_column as usize
        } else {
            usize::MAX
        };
        let (code, carets) = marked(line, span.column as usize, to);
        let more = if span.end_line == span.line {
            ""
        } else {
            " …"
        };
        let _ = write!(
            text,
            "{margin} {EDGE}|{EDGE:#}\n{EDGE}{number} |{EDGE:#} {code}\n{margin} {EDGE}|{EDGE:#} {RULE}{carets}{RULE:#}{more}\n"
        );
    }
    let _ = writeln!(
        text,
        "{margin} {EDGE}={EDGE:#} {TITLE}help{TITLE:#}: {}",
        shown(&finding.help)
    );
    text
}

/// A line by its number, counted as Python counts them.
fn line(source: &str, number: u32) -> Option<&str> {
    let mut rest = source;
    for _ in 1..number {
        let end = rest.find(['\n', '\r'])?;
        let length = if rest[end..].starts_with("\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + length..];
    }
    rest.split(['\n', '\r']).next()
}

/// The line as it is shown, and the carets beneath it. Columns count characters from 1; `to` is behind the last.
fn marked(line: &str, from: usize, to: usize) -> (String, String) {
    let (from, to) = (from.saturating_sub(1), to.saturating_sub(1));
    let length = line.chars().count();
    let to = to.min(length).max(from + 1);
    let indent = line.chars().take_while(|c| matches!(c, ' ' | '\t')).count();
    let first = if length > WIDEST {
        from.saturating_sub(BEFORE)
    } else {
        indent.min(from)
    };
    let last = length.min(first + WIDEST);
    let (mut code, mut carets) = (String::new(), String::new());
    if first > indent {
        code.push('…');
        carets.push(' ');
    }
    for (at, c) in line.chars().enumerate().take(last).skip(first) {
        let c = shown_char(c);
        let caret = if (from..to).contains(&at) { '^' } else { ' ' };
        carets.extend(c.chars().map(|_| caret));
        code.push_str(&c);
    }
    if last < length {
        code.push('…');
    }
    if carets.trim().is_empty() {
        carets.push('^');
    }
    (code, carets.trim_end().to_owned())
}

fn shown(text: &str) -> String {
    text.chars().map(shown_char).collect()
}

fn shown_char(c: char) -> String {
    match c {
        '\t' => "    ".to_owned(),
        c if is_hidden(c) => c.escape_unicode().to_string(),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_what_is_meant() {
        assert_eq!(
            marked("    os.remove(x)  # y", 5, 17),
            ("os.remove(x)  # y".into(), "^^^^^^^^^^^^".into())
        );
        assert_eq!(
            marked("é = f(x)", 5, 9),
            ("é = f(x)".into(), "    ^^^^".into())
        );
        assert_eq!(
            marked("a\u{1b}b", 3, 4),
            ("a\\u{1b}b".into(), "       ^".into())
        );
        assert_eq!(marked("", 1, 5), (String::new(), "^".into()));
    }

    #[test]
    fn a_long_line_is_cut_around_it() {
        let line = format!("{}remove(x){}", "a".repeat(500), "b".repeat(500));
        let (code, carets) = marked(&line, 501, 510);
        assert!(code.starts_with('…') && code.ends_with('…'));
        let at = carets.find('^').unwrap_or_default();
        let shown: String = code.chars().skip(at).take(9).collect();
        assert_eq!(shown, "remove(x)");
    }

    #[test]
    fn lines_end_as_python_ends_them() {
        let source = "a\r\nb\rc\nd";
        for (number, expected) in [(1, "a"), (2, "b"), (3, "c"), (4, "d")] {
            assert_eq!(line(source, number), Some(expected));
        }
        assert_eq!(line(source, 5), None);
    }
}
