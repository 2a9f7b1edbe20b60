//! Reduces a stream to what a reader would see at its end: overwritten progress bars and escape sequences go.
//!
//! [`Tidy`] is a filter over bytes with fixed memory. It never drops a line feed, so lines keep their numbers, and it
//! counts every byte that it drops. What it makes of a stream does not depend on how the stream was cut into chunks.
//!
//! The rules: of a line that was rewritten behind carriage returns, the last state stays; a line end of `\r\n` stays
//! as it is; escape sequences (CSI, OSC, DCS and the short ones) go. A rewritten state that is longer than any
//! terminal line is no progress bar and stays, with its carriage return.

use std::mem;

/// The longest state of a line that a carriage return can overwrite.
const LONGEST_STATE: usize = 8 * 1024;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// The filter; see the module's text.
#[derive(Debug, Default)]
pub(super) struct Tidy {
    escape: Escape,
    /// The current state of the current line, as long as a carriage return may still overwrite it.
    state: Vec<u8>,
    /// Whether part of the current state was passed on already, because it is long.
    long: bool,
    /// Carriage returns that came since the last other byte.
    returns: u64,
    /// Bytes that were dropped.
    reduced: u64,
}

/// Where in an escape sequence the stream stands.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    /// Behind `ESC`.
    Begun,
    /// Behind `ESC` and intermediate bytes, such as `ESC (`.
    Intermediate,
    /// In a control sequence, `ESC [`.
    Control,
    /// In a string (OSC, DCS, SOS, PM, APC) that ends with `ESC \` or `BEL`.
    Text,
    /// Behind an `ESC` in such a string.
    TextEnding,
}

impl Tidy {
    /// Bytes that were dropped so far.
    pub(super) fn reduced(&self) -> u64 {
        self.reduced
    }

    /// What the current line shows so far, as far as it was not passed on.
    pub(super) fn pending(&self) -> &[u8] {
        &self.state
    }

    /// Takes the next bytes of the stream and passes on what is certain by now.
    pub(super) fn push(&mut self, mut bytes: &[u8], pass: &mut impl FnMut(&[u8])) {
        while !bytes.is_empty() {
            if self.escape == Escape::None && self.returns == 0 {
                // Almost all output is plain up to its end; it goes on in one piece.
                let plain = memchr::memchr2(b'\r', ESC, bytes).unwrap_or(bytes.len());
                self.plain(&bytes[..plain], pass);
                bytes = &bytes[plain..];
            }
            if let Some((&byte, rest)) = bytes.split_first() {
                self.byte(byte, pass);
                bytes = rest;
            }
        }
    }

    /// The stream is at its end: passes on what was held back.
    pub(super) fn finish(&mut self, pass: &mut impl FnMut(&[u8])) {
        self.reduced += mem::take(&mut self.returns);
        self.pass_state(pass);
        self.escape = Escape::None;
    }

    /// Bytes without carriage return and escape, outside of any sequence.
    fn plain(&mut self, bytes: &[u8], pass: &mut impl FnMut(&[u8])) {
        let open = match memchr::memrchr(b'\n', bytes) {
            Some(end) => {
                self.pass_state(pass);
                self.long = false;
                pass(&bytes[..=end]);
                &bytes[end + 1..]
            }
            None => bytes,
        };
        self.extend_state(open, pass);
    }

    fn byte(&mut self, byte: u8, pass: &mut impl FnMut(&[u8])) {
        let Some(byte) = self.outside_of_escapes(byte) else {
            return;
        };
        match byte {
            b'\r' => self.returns += 1,
            b'\n' => self.end_line(pass),
            _ => {
                if self.returns > 0 {
                    self.overwrite(pass);
                }
                self.extend_state(&[byte], pass);
            }
        }
    }

    fn end_line(&mut self, pass: &mut impl FnMut(&[u8])) {
        self.pass_state(pass);
        self.long = false;
        match mem::take(&mut self.returns) {
            0 => pass(b"\n"),
            returns => {
                self.reduced += returns - 1;
                pass(b"\r\n");
            }
        }
    }

    /// Something follows a carriage return: the state before it is history.
    fn overwrite(&mut self, pass: &mut impl FnMut(&[u8])) {
        let returns = mem::take(&mut self.returns);
        if mem::take(&mut self.long) {
            self.pass_state(pass);
            pass(b"\r");
            self.reduced += returns - 1;
        } else {
            self.reduced += returns + self.state.len() as u64;
            self.state.clear();
        }
    }

    fn extend_state(&mut self, bytes: &[u8], pass: &mut impl FnMut(&[u8])) {
        if self.long || self.state.len() + bytes.len() > LONGEST_STATE {
            self.pass_state(pass);
            self.long = true;
            if !bytes.is_empty() {
                pass(bytes);
            }
        } else {
            self.state.extend_from_slice(bytes);
        }
    }

    fn pass_state(&mut self, pass: &mut impl FnMut(&[u8])) {
        if !self.state.is_empty() {
            pass(&self.state);
            self.state.clear();
        }
    }

    /// The byte, if it is no part of an escape sequence; else it is counted as dropped.
    fn outside_of_escapes(&mut self, byte: u8) -> Option<u8> {
        use Escape::{Begun, Control, Intermediate, None, Text, TextEnding};
        let (next, part_of_it) = match (self.escape, byte) {
            (None, ESC) => (Begun, true),
            (None, _) => (None, false),
            // A line end ends any sequence, so that a broken one can't swallow the lines behind it.
            (_, b'\n' | b'\r') => (None, false),
            (Text, ESC) => (TextEnding, true),
            (Text, BEL | 0x18 | 0x1a) => (None, true),
            (Text, _) => (Text, true),
            (TextEnding, b'\\') => (None, true),
            (_, ESC) => (Begun, true),
            (Begun | TextEnding, b'[') => (Control, true),
            (Begun | TextEnding, b']' | b'P' | b'X' | b'^' | b'_') => (Text, true),
            (Begun | TextEnding | Intermediate, 0x20..=0x2f) => (Intermediate, true),
            (Begun | TextEnding | Intermediate, 0x30..=0x7e) => (None, true),
            (Control, 0x20..=0x3f) => (Control, true),
            (Control, 0x40..=0x7e) => (None, true),
            // Not a byte of any sequence: the sequence was none, and the byte is text.
            (Begun | TextEnding | Intermediate | Control, _) => (None, false),
        };
        self.escape = next;
        self.reduced += u64::from(part_of_it);
        (!part_of_it).then_some(byte)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tidied<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<u8>, u64) {
        let mut tidy = Tidy::default();
        let mut out = Vec::new();
        for chunk in chunks {
            tidy.push(chunk, &mut |bytes: &[u8]| out.extend_from_slice(bytes));
        }
        tidy.finish(&mut |bytes: &[u8]| out.extend_from_slice(bytes));
        (out, tidy.reduced())
    }

    #[track_caller]
    fn check(input: &str, expected: &str) {
        let (out, reduced) = tidied([input.as_bytes()]);
        assert_eq!(String::from_utf8_lossy(&out), expected);
        assert_eq!(reduced, (input.len() - expected.len()) as u64);
    }

    #[test]
    fn the_last_state_of_a_rewritten_line_stays() {
        check("\r  0%\r 50%\r100%\ndone\n", "100%\ndone\n");
        check("a\rb", "b");
        check("kept\r", "kept");
        check("one\n\rtwo\r\n", "one\ntwo\r\n");
    }

    #[test]
    fn line_ends_stay_as_they_are() {
        check("a\r\nb\nc\r\n", "a\r\nb\nc\r\n");
        check("a\r\r\nb", "a\r\nb");
        check("\r\n\r\n", "\r\n\r\n");
    }

    #[test]
    fn escape_sequences_go() {
        check("\x1b[31mred\x1b[0m\n", "red\n");
        check("\x1b]0;title\x07text\x1b]8;;http://x\x1b\\link", "textlink");
        check("\x1b(Bplain\x1b7\x1b=", "plain");
        check("\x1bPdcs\x1b\\after", "after");
        check("cut \x1b[3", "cut ");
    }

    #[test]
    fn a_broken_sequence_swallows_no_line() {
        check("\x1b]never ended\nnext\n", "\nnext\n");
        check("\x1b[12\nnext", "\nnext");
        check("\x1b\u{e9}x", "\u{e9}x");
    }

    #[test]
    fn a_state_longer_than_any_terminal_line_is_not_overwritten() {
        let long = "x".repeat(LONGEST_STATE + 1);
        check(&format!("{long}\rtail\n"), &format!("{long}\rtail\n"));
        let fits = "x".repeat(LONGEST_STATE);
        check(&format!("{fits}\rtail\n"), "tail\n");
    }

    fn input() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\r".to_vec()),
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\x1b[1m".to_vec()),
            Just(b"\x1b]0;t\x07".to_vec()),
            Just(b"\x1b".to_vec()),
            Just(vec![b'x'; 3000]),
            "[ -~\u{e9}\u{4f60}]{0,12}".prop_map(String::into_bytes),
            proptest::collection::vec(any::<u8>(), 0..4),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn chunks_make_no_difference_and_every_byte_is_counted(
            input in input(),
            sizes in proptest::collection::vec(1_usize..50, 1..20),
        ) {
            let whole = tidied([input.as_slice()]);
            let mut rest = input.as_slice();
            let mut chunks = Vec::new();
            for size in sizes.iter().cycle() {
                if rest.is_empty() { break; }
                let (chunk, after) = rest.split_at((*size).min(rest.len()));
                chunks.push(chunk);
                rest = after;
            }
            prop_assert_eq!(&tidied(chunks), &whole);
            prop_assert_eq!(whole.0.len() as u64 + whole.1, input.len() as u64);
            let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').count();
            prop_assert_eq!(lines(&whole.0), lines(&input));
        }
    }
}
