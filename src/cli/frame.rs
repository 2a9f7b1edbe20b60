//! Findings as a person reads them: where, the source with carets under it, what it does, what to do about it.
//!
//! Invariant: what is shown of a program is one line for each of its lines, bounded in width, with every character
//! visible that could hide or move others. A program's author can't draw on the screen with it.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

use unicode_width::UnicodeWidthChar;

use crate::approval::{Excerpt, Finding, Line};
use crate::home::escaped;

/// The most columns of source on a line.
const WIDTH: usize = 110;
/// Columns that are kept before a finding in a line that has to be cut.
const BEFORE_FINDING: usize = 30;
/// The most lines of a finding that are shown.
const LINES: u32 = 4;
/// The most characters of a message.
const TEXT: usize = 600;

/// The findings, each in a frame of its own. `program` is the name of the program itself.
pub(crate) fn findings(program: &str, excerpts: &[Excerpt], findings: &[Finding]) -> String {
    let frames: Vec<String> = findings
        .iter()
        .map(|finding| framed(program, excerpts, finding))
        .collect();
    frames.join("\n")
}

fn framed(program: &str, excerpts: &[Excerpt], finding: &Finding) -> String {
    let span = finding.span;
    let mut text = format!(
        "{} {}: {}\n",
        visible(&finding.rule),
        finding.category.name(),
        bounded(&finding.message)
    );
    let place = match &finding.file {
        Some(file) => file_name(file),
        None => visible(program).into_owned(),
    };
    let last = span.line.saturating_add(LINES - 1).min(span.end_line);
    let gutter = last.to_string().len();
    let _ = writeln!(
        text,
        "{:gutter$}--> {place}:{}:{}",
        "", span.line, span.column
    );
    let excerpt = excerpts.iter().find(|excerpt| excerpt.file == finding.file);
    let lines: Vec<&Line> = excerpt.map_or_else(Vec::new, |excerpt| {
        (span.line..=last)
            .filter_map(|number| excerpt.line(number))
            .collect()
    });
    if !lines.is_empty() {
        let _ = writeln!(text, "{:gutter$} |", "");
    }
    for line in lines {
        let (shown, carets) = marked(line, columns(line.number, finding));
        let _ = writeln!(text, "{:>gutter$} | {shown}", line.number);
        let _ = writeln!(text, "{:gutter$} | {carets}", "");
    }
    if span.end_line > last {
        let more = span.end_line - last;
        let _ = writeln!(text, "{:gutter$} | … and {more} lines more", "");
    }
    if !finding.help.is_empty() {
        let _ = writeln!(text, "{:gutter$} = help: {}", "", bounded(&finding.help));
    }
    text
}

/// The lines of an excerpt with their numbers; long stretches of blank lines are counted, not shown.
pub(crate) fn source(excerpt: &Excerpt) -> String {
    /// Blank lines up to here are shown as they are.
    const BLANK: u32 = 2;
    let gutter = excerpt.total_lines.to_string().len();
    let mut text = String::new();
    let mut next = 1;
    let left_out = |text: &mut String, next: u32, until: u32, what: &str| {
        if let Some(count @ 1..) = until.checked_sub(next) {
            let _ = writeln!(text, "{:gutter$} … {count} {what}", "");
        }
    };
    let mut lines = excerpt.lines.iter().peekable();
    while let Some(line) = lines.next() {
        left_out(&mut text, next, line.number, "lines");
        next = line.number + 1;
        let is_blank = |line: &Line| line.column == 1 && line.text.trim().is_empty();
        if is_blank(line) {
            while let Some(more) = lines.next_if(|more| is_blank(more) && more.number == next) {
                next = more.number + 1;
            }
            if next - line.number > BLANK {
                left_out(&mut text, line.number, next, "blank lines");
                continue;
            }
            for number in line.number..next {
                let _ = writeln!(text, "{number:>gutter$} |");
            }
            continue;
        }
        let (shown, _) = marked(line, 0..0);
        let _ = writeln!(text, "{:>gutter$} | {shown}", line.number);
    }
    left_out(
        &mut text,
        next,
        excerpt.total_lines.saturating_add(1),
        "lines",
    );
    text
}

/// The columns of a finding in one of its lines.
fn columns(number: u32, finding: &Finding) -> std::ops::Range<u32> {
    let span = finding.span;
    let first = if number == span.line { span.column } else { 1 };
    let end = if number == span.end_line {
        span.end_column
    } else {
        u32::MAX
    };
    first..end.max(first.saturating_add(1))
}

/// One character of a line as it is shown.
struct Cell {
    column: u32,
    shown: String,
    width: usize,
}

/// A line as it is shown, and the carets under `columns` of it.
fn marked(line: &Line, columns: std::ops::Range<u32>) -> (String, String) {
    let cells: Vec<Cell> = (line.column..)
        .zip(line.text.trim_end().chars())
        .map(|(column, character)| cell(column, character))
        .collect();
    let first = cells
        .iter()
        .position(|cell| cell.column >= columns.start)
        .unwrap_or(0);
    let width = |cells: &[Cell]| cells.iter().map(|cell| cell.width).sum::<usize>();
    let from = if width(&cells) <= WIDTH {
        0
    } else {
        let before = cells[..first].iter().rev().scan(0, |sum, cell| {
            *sum += cell.width;
            (*sum <= BEFORE_FINDING).then_some(())
        });
        first - before.count()
    };
    let mut used = 0;
    let kept = cells[from..].iter().take_while(|cell| {
        used += cell.width;
        used <= WIDTH
    });
    let kept = &cells[from..from + kept.count()];
    let mut shown = String::new();
    let mut carets = String::new();
    if from > 0 || line.column > 1 {
        shown.push('…');
        carets.push(' ');
    }
    for cell in kept {
        shown.push_str(&cell.shown);
        let mark = if columns.contains(&cell.column) {
            "^"
        } else {
            " "
        };
        carets.push_str(&mark.repeat(cell.width));
    }
    if from + kept.len() < cells.len() || line.cut {
        shown.push('…');
    }
    (shown, carets.trim_end().to_owned())
}

fn cell(column: u32, character: char) -> Cell {
    let shown = match character {
        '\t' => "    ".to_owned(),
        hides if is_hiding(hides) => hides.escape_unicode().to_string(),
        plain => plain.to_string(),
    };
    let width = match (shown.len(), character.width()) {
        (1, _) => 1,
        _ if is_hiding(character) || character == '\t' => shown.len(),
        (_, width) => width.unwrap_or(1),
    };
    Cell {
        column,
        shown,
        width,
    }
}

/// Text in which every character can be seen; those that hide or move others come as `\u{…}`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hiding) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hiding(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn bounded(text: &str) -> String {
    let shown = visible(text);
    match shown.char_indices().nth(TEXT) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.into_owned(),
    }
}

fn file_name(path: &Path) -> String {
    visible(&escaped(path).to_string()).into_owned()
}

/// Control characters, and those that take no room or change the direction of text: what Unicode calls format
/// characters, fillers, and separators of lines.
fn is_hiding(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{600}'..='\u{605}'
                | '\u{61c}'
                | '\u{6dd}'
                | '\u{70f}'
                | '\u{890}'..='\u{891}'
                | '\u{8e2}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{110bd}'
                | '\u{110cd}'
                | '\u{13430}'..='\u{1345f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approval::{Category, Span};

    fn finding(line: u32, column: u32, end_line: u32, end_column: u32) -> Finding {
        Finding {
            rule: "PI101".to_owned(),
            category: Category::Delete,
            message: "deletes the tree `p`".to_owned(),
            help: "name what should go".to_owned(),
            file: None,
            span: Span {
                line,
                column,
                end_line,
                end_column,
            },
        }
    }

    fn shown(source: &str, finding: Finding) -> String {
        let found = [finding];
        let excerpt = Excerpt::of(None, source.as_bytes(), &found);
        findings("job.py", &[excerpt], &found)
    }

    #[test]
    fn a_finding_is_framed_with_carets() {
        let source = "import shutil\nif True:\n\tshutil.rmtree(p)\n";
        assert_eq!(
            shown(source, finding(3, 2, 3, 18)),
            "PI101 delete: deletes the tree `p`\n \
             --> job.py:3:2\n  \
             |\n\
             3 |     shutil.rmtree(p)\n  \
             |     ^^^^^^^^^^^^^^^^\n  \
             = help: name what should go\n"
        );
    }

    #[test]
    fn wide_characters_have_carets_under_all_of_them() {
        let text = shown("删(\"é\", x)\n", finding(1, 1, 1, 6));
        assert!(text.contains("1 | 删(\"é\", x)\n  | ^^^^^^\n"), "{text}");
    }

    #[test]
    fn what_hides_text_is_made_visible() {
        let source = "x = 1 #\u{202e}\u{1b}[2K\u{200b}\u{8}\x7f\u{9b}1m\u{feff} end\n";
        let text = shown(source, finding(1, 1, 1, 2));
        for part in [
            "\\u{202e}",
            "\\u{1b}[2K",
            "\\u{200b}",
            "\\u{8}",
            "\\u{7f}",
            "\\u{9b}1m",
            "\\u{feff}",
            " end",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(
            !text.contains(|each| is_hiding(each) && each != '\n'),
            "{text}"
        );
        let told = Finding {
            message: "deletes `a\u{1b}[1A\r\nb`".to_owned(),
            rule: "PI\u{7}".to_owned(),
            help: "\u{2066}".to_owned(),
            file: Some("m\n\u{202e}.py".into()),
            ..finding(1, 1, 1, 2)
        };
        let text = shown(source, told);
        assert!(
            !text.contains(|each| is_hiding(each) && each != '\n'),
            "{text}"
        );
        assert!(text.contains("`a\\u{1b}[1A\\u{d}\\u{a}b`"), "{text}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_finding() {
        let source = format!("{}rmtree(p){}\n", "x; ".repeat(500), "; y".repeat(500));
        let text = shown(&source, finding(1, 1501, 1, 1510));
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[3].starts_with("1 | …") && lines[3].ends_with('…'),
            "{text}"
        );
        assert!(
            lines.iter().all(|line| line.chars().count() <= WIDTH + 8),
            "{text}"
        );
        let at = lines[3].chars().position(|each| each == 'r');
        assert_eq!(at, lines[4].chars().position(|each| each == '^'), "{text}");
        assert_eq!(lines[4].matches('^').count(), 9, "{text}");
    }

    #[test]
    fn a_finding_over_many_lines_is_shown_in_part() {
        let source = "f(\n1,\n2,\n3,\n4,\n5)\n";
        let text = shown(source, finding(1, 1, 6, 3));
        assert!(
            text.contains("4 | 3,") && !text.contains("5 | 4,"),
            "{text}"
        );
        assert!(text.contains("… and 2 lines more"), "{text}");
    }

    #[test]
    fn a_finding_without_source_has_its_place() {
        for span in [(9, 9, 9, 12), (0, 0, 0, 0), (5, 7, 1, 1)] {
            let (line, column, end_line, end_column) = span;
            let text = shown("pass\n", finding(line, column, end_line, end_column));
            assert!(text.contains(&format!("job.py:{line}:{column}")), "{text}");
        }
        let text = shown("pass\n", finding(1, 90, 1, 99));
        assert!(text.contains("1 | pass\n"), "{text}");
    }

    #[test]
    fn a_flood_of_blank_lines_is_counted() {
        let text = format!("a = 1\n\n\n{}b = 2\n\nc = 3\n", "\n \n".repeat(500));
        let shown = source(&Excerpt::of(None, text.as_bytes(), &[]));
        assert_eq!(shown.lines().count(), 5, "{shown}");
        assert!(shown.contains("… 1002 blank lines"), "{shown}");
        assert!(
            shown.contains("1004 | b = 2\n1005 |\n1006 | c = 3\n"),
            "{shown}"
        );
    }
}
