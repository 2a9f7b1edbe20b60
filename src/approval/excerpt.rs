//! The source text that goes with findings: whole where it is short, else the lines that they stand in.
//!
//! Invariant: an excerpt is bounded whatever the source is, and every finding's line is in it before any other.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Finding, finding};

/// A source up to this size is kept whole.
const WHOLE_BYTES: usize = 64 * 1024;
/// The most characters of one line, where a source is not kept whole.
const LINE_CHARS: usize = 400;
/// How many characters of a cut line are kept before a finding.
const BEFORE_FINDING: usize = 100;
/// The most lines of one source, where it is not kept whole.
const LINES: usize = 200;
/// Lines of one finding that are kept: its first ones.
const LINES_OF_FINDING: u32 = 8;

/// Lines of one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Excerpt {
    /// The file; `None` is the program itself.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "finding::optional_path",
        default
    )]
    pub file: Option<PathBuf>,
    /// How many lines the whole source has.
    pub total_lines: u32,
    /// The lines, in order, perhaps with gaps.
    pub lines: Vec<Line>,
}

/// One line of a source, without its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// The column of the text's first character, from 1: more where the line was cut.
    pub column: u32,
    /// The text.
    pub text: String,
    /// Whether there is more of the line behind the text.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub cut: bool,
}

impl Excerpt {
    /// An excerpt of `source`, which is `file`'s, for those of the findings that stand in it.
    #[must_use]
    pub fn of(file: Option<&Path>, source: &[u8], findings: &[Finding]) -> Self {
        let text = decoded(source);
        let lines: Vec<&str> = lines(&text).collect();
        let kept = if source.len() <= WHOLE_BYTES {
            (1..)
                .zip(&lines)
                .map(|(number, text)| whole(number, text))
                .collect()
        } else {
            let mine = findings.iter().filter(|each| each.file.as_deref() == file);
            around(&lines, mine)
        };
        Self {
            file: file.map(Path::to_owned),
            total_lines: u32::try_from(lines.len()).unwrap_or(u32::MAX),
            lines: kept,
        }
    }

    /// The line of this number, if it was kept.
    #[must_use]
    pub fn line(&self, number: u32) -> Option<&Line> {
        let at = self.lines.binary_search_by_key(&number, |line| line.number);
        at.ok().map(|at| &self.lines[at])
    }
}

/// The text of a source; what is no UTF-8 is shown as replacement characters.
fn decoded(source: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source))
}

/// The lines as Python counts them: they end with LF, CR or both, and with nothing else.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = (!text.is_empty()).then_some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return Some(text);
        };
        let after = &text[end..];
        let after = after.strip_prefix("\r\n").unwrap_or(&after[1..]);
        rest = (!after.is_empty()).then_some(after);
        Some(&text[..end])
    })
}

fn whole(number: u32, text: &str) -> Line {
    Line {
        number,
        column: 1,
        text: text.to_owned(),
        cut: false,
    }
}

/// The lines of the findings, in order.
fn around<'a>(lines: &[&str], findings: impl Iterator<Item = &'a Finding>) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::new();
    for finding in findings {
        for number in numbers(finding) {
            let Err(at) = kept.binary_search_by_key(&number, |line| line.number) else {
                continue;
            };
            let index = usize::try_from(number)
                .unwrap_or(usize::MAX)
                .wrapping_sub(1);
            let Some(text) = lines.get(index) else {
                continue;
            };
            if kept.len() >= LINES {
                return kept;
            }
            kept.insert(at, part(number, text, finding));
        }
    }
    kept
}

fn numbers(finding: &Finding) -> RangeInclusive<u32> {
    let span = finding.span;
    let last = span.line.saturating_add(LINES_OF_FINDING - 1);
    span.line..=span.end_line.clamp(span.line, last.max(span.line))
}

/// The line, or the part of it where the finding begins.
fn part(number: u32, text: &str, finding: &Finding) -> Line {
    let count = text.chars().count();
    if count <= LINE_CHARS {
        return whole(number, text);
    }
    let begins = if number == finding.span.line {
        usize::try_from(finding.span.column).unwrap_or(usize::MAX)
    } else {
        1
    };
    let skipped = begins
        .saturating_sub(1 + BEFORE_FINDING)
        .min(count - LINE_CHARS);
    Line {
        number,
        column: u32::try_from(skipped + 1).unwrap_or(u32::MAX),
        text: text.chars().skip(skipped).take(LINE_CHARS).collect(),
        cut: skipped + LINE_CHARS < count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approval::{Category, Span};

    fn finding(line: u32, column: u32) -> Finding {
        Finding {
            rule: "PI101".to_owned(),
            category: Category::Delete,
            message: "deletes".to_owned(),
            help: String::new(),
            file: None,
            span: Span {
                line,
                column,
                end_line: line,
                end_column: column + 3,
            },
        }
    }

    #[test]
    fn lines_are_counted_as_python_does() {
        let of = |text| lines(text).collect::<Vec<_>>();
        assert_eq!(of(""), Vec::<&str>::new());
        assert_eq!(of("a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(of("a\n"), ["a"]);
        assert_eq!(of("\n\n\r\r\n"), ["", "", "", ""]);
        // Neither ends a line for Python.
        assert_eq!(of("a\u{2028}b\x0cc"), ["a\u{2028}b\x0cc"]);
    }

    #[test]
    fn a_short_source_is_kept_whole() {
        let excerpt = Excerpt::of(None, b"\xef\xbb\xbfa\nb\xff\n", &[]);
        assert_eq!(excerpt.total_lines, 2);
        assert_eq!(excerpt.lines[0], whole(1, "a"));
        assert_eq!(
            excerpt.line(2).map(|line| line.text.as_str()),
            Some("b\u{fffd}")
        );
        assert_eq!(excerpt.line(3), None);
    }

    #[test]
    fn of_a_long_source_the_lines_of_findings_are_kept() {
        let blank = "\n".repeat(100_000);
        let far = "x".repeat(100_000);
        let source = format!("first\n{blank}rmtree(p)\n{far}rmtree(q)\n");
        let findings = [
            finding(100_003, 100_001),
            finding(100_002, 1),
            finding(7_000_000, 1),
        ];
        let excerpt = Excerpt::of(None, source.as_bytes(), &findings);
        assert_eq!(excerpt.total_lines, 100_003);
        let numbers: Vec<u32> = excerpt.lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [100_002, 100_003]);
        let line = &excerpt.lines[1];
        assert!(line.text.ends_with("rmtree(q)") && !line.cut, "{line:?}");
        assert_eq!(line.text.chars().count(), LINE_CHARS);
        assert_eq!(line.column as usize, 100_009 - LINE_CHARS + 1);
    }

    #[test]
    fn an_excerpt_is_bounded() {
        let source = "x = 1\n".repeat(100_000);
        let findings: Vec<Finding> = (1..2_000).map(|line| finding(line, 1)).collect();
        let excerpt = Excerpt::of(None, source.as_bytes(), &findings);
        assert_eq!(excerpt.lines.len(), LINES);
        let wide = Finding {
            span: Span {
                end_line: u32::MAX,
                ..finding(u32::MAX, 1).span
            },
            ..finding(u32::MAX, 1)
        };
        assert!(
            Excerpt::of(None, source.as_bytes(), &[wide])
                .lines
                .is_empty()
        );
    }
}
