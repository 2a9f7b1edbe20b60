//! What a run returns of a long output, and the whole of it on disk.

mod disk;
mod kept;
mod text;

use std::path::Path;

use crate::python::runs::Stream;
use crate::support::{Pi, Place};

/// The limits that stand where nobody names others.
const MAX_BYTES: usize = 51_200;
const MAX_LINES: usize = 2_000;

/// A run of a program that writes these bytes to standard output, in pieces of `size`.
fn writes(place: &Place, bytes: &[u8], size: usize) -> Pi {
    place.write("cwd/content", bytes);
    let source = format!(
        "import os\nwith open('content', 'rb') as f:\n    while piece := f.read({size}):\n        \
         while piece: piece = piece[os.write(1, piece):]\n"
    );
    crate::python::runs::code(place, &source)
}

/// Lines 1 to `count`, each with its number.
fn numbered(count: usize) -> String {
    use std::fmt::Write;
    (1..=count).fold(String::new(), |mut text, number| {
        writeln!(text, "line {number}").unwrap();
        text
    })
}

fn lines_of(text: &str) -> usize {
    text.matches('\n').count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Where a text was cut: what stands before the notice, the notice, and what stands behind it.
struct Cut<'a> {
    head: &'a str,
    notice: &'a str,
    tail: &'a str,
}

/// Takes a cut text apart at its notice, which must name the counts of the stream.
#[track_caller]
fn parts(stream: &Stream) -> Cut<'_> {
    assert!(stream.truncated, "it is cut: {stream:?}");
    let words = format!(
        "[{} bytes and {} lines left out",
        stream.omitted_bytes, stream.omitted_lines
    );
    let Some(start) = stream.text.find(&words) else {
        panic!("the notice should say {words:?}\n{}", stream.text);
    };
    let end = start
        + stream.text[start..]
            .find("]\n")
            .expect("the notice ends its line")
        + 2;
    Cut {
        head: &stream.text[..start],
        notice: &stream.text[start..end],
        tail: &stream.text[end..],
    }
}

/// Holds a stream that was cut against what the program wrote: both ends, every count, the budget, and the whole of
/// it on disk.
#[track_caller]
fn is_cut_from(stream: &Stream, written: &[u8], most_bytes: usize, most_lines: usize) {
    let text = std::str::from_utf8(written).expect("the test writes UTF-8");
    let Cut { head, notice, tail } = parts(stream);
    // A line that is cut inside ends before the notice.
    let head = match head.strip_suffix('\n') {
        Some(shorter) if !text.starts_with(head) => shorter,
        _ => head,
    };
    assert!(text.starts_with(head), "not the beginning: {head:?}");
    assert!(text.ends_with(tail), "not the end: {tail:?}");
    let number = |number: u64| usize::try_from(number).unwrap();
    assert_eq!(number(stream.bytes), written.len());
    assert_eq!(number(stream.lines), lines_of(text));
    assert_eq!(
        head.len() + tail.len() + number(stream.omitted_bytes),
        written.len(),
        "shown and left out are all"
    );
    let left_out = &text[head.len()..text.len() - tail.len()];
    assert!(!left_out.is_empty());
    let head_is_open = usize::from(!head.is_empty() && !head.ends_with('\n'));
    let before_tail = lines_of(text) - lines_of(tail);
    let untouched = before_tail.saturating_sub(head.matches('\n').count() + head_is_open);
    assert_eq!(number(stream.omitted_lines), untouched, "{notice}");
    assert!(
        head.len() + tail.len() <= most_bytes,
        "over the budget of bytes"
    );
    assert!(
        lines_of(head) + lines_of(tail) <= most_lines,
        "over the budget of lines"
    );
    assert!(notice.len() < 200, "{notice}");
    let kept = stream.path.as_deref().expect("the whole of it is kept");
    is_private_copy(kept, written);
}

/// The file holds exactly these bytes, and nobody else can read it.
#[track_caller]
fn is_private_copy(path: &Path, written: &[u8]) {
    let kept = std::fs::read(path).unwrap_or_else(|error| panic!("{error}: {}", path.display()));
    assert_eq!(kept.len(), written.len());
    assert!(kept == written, "the copy differs");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
    }
}
