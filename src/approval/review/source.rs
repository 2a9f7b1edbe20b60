//! From bytes to text, and from places in it to lines and columns.

use std::borrow::Cow;

use memchr::memchr2_iter;
use ruff_text_size::TextRange;

use crate::approval::Span;

/// Why bytes are no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Undecodable {
    /// Not in the encoding that the file says, or in UTF-8 where it says none.
    Invalid,
    /// An encoding that the review does not know.
    Encoding(String),
}

/// The text of a Python source: a byte order mark and a coding comment count, as Python reads them.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Undecodable> {
    let (bytes, marked) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (rest, true),
        None => (bytes, false),
    };
    let encoding = coding_comment(bytes).unwrap_or_default();
    match encoding.to_ascii_lowercase().replace('_', "-").as_str() {
        "" | "utf-8" | "utf8" | "utf-8-sig" | "ascii" | "us-ascii" => utf8(bytes),
        _ if marked => Err(Undecodable::Encoding(encoding)),
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" => Ok(Cow::Owned(
            bytes.iter().map(|byte| char::from(*byte)).collect(),
        )),
        _ => Err(Undecodable::Encoding(encoding)),
    }
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Undecodable> {
    std::str::from_utf8(bytes)
        .map(Cow::Borrowed)
        .map_err(|_| Undecodable::Invalid)
}

/// The encoding that a comment in the first two lines names.
fn coding_comment(bytes: &[u8]) -> Option<String> {
    for line in bytes.split(|byte| *byte == b'\n').take(2) {
        let line = line.trim_ascii();
        let Some(comment) = line.strip_prefix(b"#") else {
            // Code on the first line: the second one is no place for it.
            if line.is_empty() {
                continue;
            }
            return None;
        };
        if let Some(encoding) = encoding_in(comment) {
            return Some(encoding);
        }
    }
    None
}

fn encoding_in(comment: &[u8]) -> Option<String> {
    let comment = String::from_utf8_lossy(&comment[..comment.len().min(200)]).into_owned();
    let mut rest = comment.as_str();
    while let Some(at) = rest.find("coding") {
        rest = &rest[at + "coding".len()..];
        let Some(value) = rest.strip_prefix([':', '=']) else {
            continue;
        };
        let name: String = value
            .trim_start_matches([' ', '\t'])
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
            .collect();
        if !name.is_empty() {
            return Some(name);
        }
    }
    None
}

/// Where each line starts.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr2_iter(b'\n', b'\r', bytes)
            // A carriage return that a line feed follows ends no line of its own.
            .filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        Self {
            text,
            starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect(),
        }
    }

    /// The place of a range.
    pub(super) fn span(&self, range: TextRange) -> Span {
        let (line, column) = self.position(range.start().to_usize());
        let (end_line, end_column) = self.position(range.end().to_usize());
        Span {
            line,
            column,
            end_line,
            end_column,
        }
    }

    /// The line of an offset.
    pub(super) fn line(&self, offset: usize) -> u32 {
        let line = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    fn position(&self, offset: usize) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.starts[(line as usize).saturating_sub(1)];
        let before = self.text.get(start..offset).unwrap_or_default();
        let column = before.chars().count() + 1;
        (line, u32::try_from(column).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_read_as_python_reads_them() {
        assert_eq!(decode(b"\xef\xbb\xbfx = 1").unwrap(), "x = 1");
        assert_eq!(
            decode(b"# -*- coding: latin-1 -*-\nx = '\xe9'").unwrap(),
            "# -*- coding: latin-1 -*-\nx = 'é'"
        );
        assert_eq!(
            decode(b"#!python\n# vim: set fileencoding=iso-8859-1 :\n\xe9").unwrap(),
            "#!python\n# vim: set fileencoding=iso-8859-1 :\né"
        );
        assert_eq!(decode(b"x = '\xe9'"), Err(Undecodable::Invalid));
        assert_eq!(
            decode(b"# coding: rot13\nx"),
            Err(Undecodable::Encoding("rot13".into()))
        );
        assert_eq!(decode(b"x = 1\n# coding: rot13").unwrap().len(), 21);
    }

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let text = "a\r\nbé(x)\rc";
        let lines = Lines::of(text);
        let at = |part: &str| {
            let start = u32::try_from(text.find(part).unwrap()).unwrap();
            let length = u32::try_from(part.len()).unwrap();
            let span = lines.span(TextRange::at(start.into(), length.into()));
            (span.line, span.column, span.end_line, span.end_column)
        };
        assert_eq!(at("(x)"), (2, 3, 2, 6));
        assert_eq!(at("c"), (3, 1, 3, 2));
    }
}
