//! Keeps the head and the tail of a stream within a budget of bytes and lines, in fixed memory.
//!
//! A [`Window`] takes bytes and remembers the first and the last of them. [`Window::finish`] decodes what it has (an
//! invalid sequence becomes U+FFFD) and, where the whole is over budget, cuts it: half of the budget for the head, the
//! rest for the tail. The text never exceeds the budget, and shown and omitted bytes add up to what came in.
//!
//! Cuts fall on line borders. A line that would leave half of its side's bytes unused is cut inside, between two
//! characters, so that of a few very long lines both ends are still seen.

use std::ops::Range;

use super::outcome::TruncatedBy;

/// The longest UTF-8 sequence is 4 bytes: with so much room more, the side's last character is seen whole.
const SLACK: usize = 4;

/// How much of a stream is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// Bytes of text.
    pub bytes: usize,
    /// Lines.
    pub lines: u64,
}

impl Budget {
    fn head(self) -> Self {
        Self {
            bytes: self.bytes / 2,
            lines: self.lines / 2,
        }
    }

    fn tail(self) -> Self {
        Self {
            bytes: self.bytes - self.bytes / 2,
            lines: self.lines - self.lines / 2,
        }
    }
}

/// What a stream came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Everything fits.
    Whole(String),
    /// Something was left out.
    Cut(Cut),
}

/// A stream's two ends, and what lies between them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub head: String,
    pub tail: String,
    /// Bytes of the stream that `head` shows.
    pub head_bytes: usize,
    /// Bytes between head and tail.
    pub omitted_bytes: u64,
    /// Lines of which nothing is shown.
    pub omitted_lines: u64,
    /// The first and the last line, from 1, of which something is left out.
    pub lines: (u64, u64),
    /// What ran out first.
    pub by: TruncatedBy,
}

/// The first and the last bytes of a stream.
#[derive(Debug)]
pub(super) struct Window {
    budget: Budget,
    head: Vec<u8>,
    tail: Ring,
    bytes: u64,
    line_feeds: u64,
    ends_in_line_feed: bool,
}

impl Window {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            budget,
            head: Vec::new(),
            tail: Ring::new(budget.tail().bytes + SLACK),
            bytes: 0,
            line_feeds: 0,
            ends_in_line_feed: true,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.ends_in_line_feed = *last == b'\n';
        self.bytes += bytes.len() as u64;
        self.line_feeds += memchr::memchr_iter(b'\n', bytes).count() as u64;
        let room = self.head_room() - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        self.tail.push(rest);
    }

    /// Whether it is certain already that the stream will be cut.
    pub(super) fn is_over(&self) -> bool {
        self.bytes > self.budget.bytes as u64 || self.lines() > self.budget.lines
    }

    /// The part of the stream from `from` on that its head has room for, and how much of it is certain to be shown,
    /// however long the stream gets: the rest is a line that a cut may still leave out.
    pub(super) fn head_from(&self, from: usize) -> (&[u8], usize) {
        let budget = self.budget.head();
        let end =
            first_characters(&self.head, budget.bytes).min(end_of_lines(&self.head, budget.lines));
        let certain = head_of(&self.head[..end], budget).end;
        let part = self.head.get(from..end).unwrap_or_default();
        (part, certain.saturating_sub(from))
    }

    /// How many bytes the head has room for behind its first `shown`, if those are all that came.
    pub(super) fn room_behind(&self, shown: usize) -> usize {
        let budget = self.budget.head();
        let is_open = self.bytes == shown as u64 && self.line_feeds < budget.lines;
        if is_open {
            budget.bytes.saturating_sub(shown)
        } else {
            0
        }
    }

    /// Line feeds so far.
    pub(super) fn line_feeds(&self) -> u64 {
        self.line_feeds
    }

    fn head_room(&self) -> usize {
        self.budget.head().bytes + SLACK
    }

    fn lines(&self) -> u64 {
        self.line_feeds + u64::from(!self.ends_in_line_feed)
    }

    pub(super) fn finish(mut self) -> View {
        if self.tail.is_whole() {
            let mut all = std::mem::take(&mut self.head);
            self.tail.append_to(&mut all);
            let text = String::from_utf8_lossy(&all);
            if text.len() <= self.budget.bytes && self.lines() <= self.budget.lines {
                return View::Whole(text.into_owned());
            }
            return View::Cut(self.cut(&all, &all));
        }
        let mut last = Vec::new();
        self.tail.append_to(&mut last);
        let last = &last[start_of_character(&last)..];
        View::Cut(self.cut(&self.head, last))
    }

    /// `first` begins where the stream begins, `last` ends where it ends; each holds at least its side's budget.
    fn cut(&self, first: &[u8], last: &[u8]) -> Cut {
        let head = &first[head_of(first, self.budget.head())];
        let tail = &last[tail_of(last, self.budget.tail(), last.len() as u64 == self.bytes)];
        let head_line_feeds = count_line_feeds(head);
        let head_is_open = head.last().is_some_and(|byte| *byte != b'\n');
        let tail_lines = lines_of(tail);
        let before_tail = last.len() - tail.len();
        let tail_is_open = before_tail > 0 && last[before_tail - 1] != b'\n';
        let lines_before_tail = self.lines() - tail_lines;
        Cut {
            omitted_bytes: self.bytes - head.len() as u64 - tail.len() as u64,
            omitted_lines: lines_before_tail
                .saturating_sub(head_line_feeds + u64::from(head_is_open)),
            lines: (
                head_line_feeds + 1,
                lines_before_tail + u64::from(tail_is_open && !tail.is_empty()),
            ),
            by: self.cut_by(head_line_feeds),
            head_bytes: head.len(),
            head: String::from_utf8_lossy(head).into_owned(),
            tail: String::from_utf8_lossy(tail).into_owned(),
        }
    }

    fn cut_by(&self, head_line_feeds: u64) -> TruncatedBy {
        let too_many_lines = self.lines() > self.budget.lines;
        let too_many_bytes = self.bytes > self.budget.bytes as u64;
        let lines_came_first = head_line_feeds >= self.budget.head().lines;
        if too_many_lines && (!too_many_bytes || lines_came_first) {
            TruncatedBy::Lines
        } else {
            TruncatedBy::Bytes
        }
    }
}

fn count_line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

fn lines_of(bytes: &[u8]) -> u64 {
    count_line_feeds(bytes) + u64::from(bytes.last().is_some_and(|byte| *byte != b'\n'))
}

/// Where the first `lines` lines end.
fn end_of_lines(bytes: &[u8], lines: u64) -> usize {
    let Some(last) = lines.checked_sub(1) else {
        return 0;
    };
    let last = usize::try_from(last).unwrap_or(usize::MAX);
    memchr::memchr_iter(b'\n', bytes)
        .nth(last)
        .map_or(bytes.len(), |at| at + 1)
}

/// Where the last `lines` lines begin.
fn start_of_lines(bytes: &[u8], lines: u64) -> usize {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let Some(first) = lines.checked_sub(1) else {
        return bytes.len();
    };
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    memchr::memrchr_iter(b'\n', body)
        .nth(first)
        .map_or(0, |at| at + 1)
}

/// Where the first character border at or after the beginning is, if `bytes` may begin inside of a character. UTF-8
/// characters have at most three continuation bytes, so behind three of them there is always a border.
fn start_of_character(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take(3)
        .take_while(|byte| (0x80..0xc0).contains(*byte))
        .count()
}

fn head_of(bytes: &[u8], budget: Budget) -> Range<usize> {
    let end = first_characters(bytes, budget.bytes).min(end_of_lines(bytes, budget.lines));
    let line_border = memchr::memrchr(b'\n', &bytes[..end]).map_or(0, |at| at + 1);
    let is_long_line = text_length(&bytes[line_border..end]) >= budget.bytes / 2;
    0..if is_long_line { end } else { line_border }
}

fn tail_of(bytes: &[u8], budget: Budget, is_whole: bool) -> Range<usize> {
    let start = (bytes.len() - last_characters(bytes, budget.bytes))
        .max(start_of_lines(bytes, budget.lines));
    let is_border = match start.checked_sub(1) {
        Some(before) => bytes[before] == b'\n',
        None => is_whole,
    };
    if is_border {
        return start..bytes.len();
    }
    let line_border =
        memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
    let is_long_line = text_length(&bytes[start..line_border]) >= budget.bytes / 2;
    (if is_long_line { start } else { line_border })..bytes.len()
}

/// How many bytes at the beginning decode to at most `most` bytes of text.
fn first_characters(bytes: &[u8], most: usize) -> usize {
    let mut text = 0;
    let mut taken = 0;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        let room = most - text;
        if valid.len() > room {
            return taken + valid.floor_char_boundary(room);
        }
        text += valid.len();
        taken += valid.len();
        if chunk.invalid().is_empty() {
            continue;
        }
        text += char::REPLACEMENT_CHARACTER.len_utf8();
        if text > most {
            return taken;
        }
        taken += chunk.invalid().len();
    }
    taken
}

/// How many bytes of text they decode to.
fn text_length(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| {
            let invalid = if chunk.invalid().is_empty() {
                0
            } else {
                char::REPLACEMENT_CHARACTER.len_utf8()
            };
            chunk.valid().len() + invalid
        })
        .sum()
}

/// How many bytes at the end decode to at most `most` bytes of text.
fn last_characters(bytes: &[u8], most: usize) -> usize {
    let replaced = char::REPLACEMENT_CHARACTER.len_utf8();
    let mut excess = text_length(bytes).saturating_sub(most);
    let mut passed = 0;
    for chunk in bytes.utf8_chunks() {
        if excess == 0 {
            break;
        }
        let valid = chunk.valid();
        if excess <= valid.len() {
            return bytes.len() - passed - valid.ceil_char_boundary(excess);
        }
        excess = (excess - valid.len()).saturating_sub(replaced);
        passed += valid.len() + chunk.invalid().len();
    }
    bytes.len() - passed
}

/// The last bytes of a stream.
#[derive(Debug)]
struct Ring {
    bytes: Vec<u8>,
    capacity: usize,
    /// Where the oldest byte is, once the ring is full.
    start: usize,
    /// Whether something was pushed out.
    lost: bool,
}

impl Ring {
    fn new(capacity: usize) -> Self {
        Self {
            bytes: Vec::new(),
            capacity,
            start: 0,
            lost: false,
        }
    }

    fn is_whole(&self) -> bool {
        !self.lost
    }

    fn push(&mut self, bytes: &[u8]) {
        if bytes.len() >= self.capacity {
            let (older, newest) = bytes.split_at(bytes.len() - self.capacity);
            self.lost |= !older.is_empty() || !self.bytes.is_empty();
            self.bytes.clear();
            self.bytes.extend_from_slice(newest);
            self.start = 0;
            return;
        }
        let room = self.capacity - self.bytes.len();
        let (fits, rest) = bytes.split_at(room.min(bytes.len()));
        self.bytes.extend_from_slice(fits);
        self.lost |= !rest.is_empty();
        self.overwrite(rest);
    }

    /// Replaces the oldest bytes; the ring is full and longer than `bytes`.
    fn overwrite(&mut self, bytes: &[u8]) {
        let until_wrap = bytes.len().min(self.bytes.len() - self.start);
        let (first, second) = bytes.split_at(until_wrap);
        self.bytes[self.start..self.start + first.len()].copy_from_slice(first);
        self.bytes[..second.len()].copy_from_slice(second);
        if !bytes.is_empty() {
            self.start = (self.start + bytes.len()) % self.bytes.len();
        }
    }

    fn append_to(&self, out: &mut Vec<u8>) {
        let (newer, older) = self.bytes.split_at(self.start);
        out.extend_from_slice(older);
        out.extend_from_slice(newer);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rules of the module's text, on the whole stream at once, character by character.
    mod model {
        use super::super::{Budget, TruncatedBy};

        pub(super) struct Seen {
            pub text: Option<String>,
            pub head: String,
            pub tail: String,
            pub omitted_bytes: usize,
            pub omitted_lines: usize,
            pub by: TruncatedBy,
        }

        /// A character, the bytes that it came from, and its line.
        struct Unit {
            text: char,
            bytes: usize,
            line: usize,
        }

        fn units(stream: &[u8]) -> Vec<Unit> {
            let mut units = Vec::new();
            let mut line = 0;
            for chunk in stream.utf8_chunks() {
                for text in chunk.valid().chars() {
                    let bytes = text.len_utf8();
                    units.push(Unit { text, bytes, line });
                    line += usize::from(text == '\n');
                }
                if !chunk.invalid().is_empty() {
                    let text = char::REPLACEMENT_CHARACTER;
                    let bytes = chunk.invalid().len();
                    units.push(Unit { text, bytes, line });
                }
            }
            units
        }

        fn text(units: &[Unit]) -> String {
            units.iter().map(|unit| unit.text).collect()
        }

        pub(super) fn view(stream: &[u8], budget: Budget) -> Seen {
            let units = units(stream);
            let all = text(&units);
            let lines = units.last().map_or(0, |unit| unit.line + 1);
            let most_lines = usize::try_from(budget.lines).expect("a small number");
            let fits = all.len() <= budget.bytes && lines <= most_lines;
            let (head_bytes, head_lines) = (budget.bytes / 2, most_lines / 2);
            let (tail_bytes, tail_lines) = (budget.bytes - head_bytes, most_lines - head_lines);

            let mut head = 0;
            while head < units.len()
                && text(&units[..=head]).len() <= head_bytes
                && units[head].line < head_lines
            {
                head += 1;
            }
            let mut border = head;
            while border > 0 && units[border - 1].text != '\n' {
                border -= 1;
            }
            let partial = text(&units[border..head]).len();
            if partial < head_bytes / 2 {
                head = border;
            }

            let mut tail = units.len();
            while tail > 0
                && text(&units[tail - 1..]).len() <= tail_bytes
                && lines - units[tail - 1].line <= tail_lines
            {
                tail -= 1;
            }
            let mut border = tail;
            while border > 0 && border < units.len() && units[border - 1].text != '\n' {
                border += 1;
            }
            let partial = text(&units[tail..border]).len();
            if partial < tail_bytes / 2 {
                tail = border;
            }

            let between = if fits { &[][..] } else { &units[head..tail] };
            let shown = |line: usize| {
                units[..head].iter().any(|unit| unit.line == line)
                    || units[tail..].iter().any(|unit| unit.line == line)
            };
            let too_many_lines = lines > most_lines;
            let head_is_full_of_lines = units[..head]
                .iter()
                .filter(|unit| unit.text == '\n')
                .count()
                >= head_lines;
            Seen {
                text: fits.then_some(all),
                head: text(&units[..head]),
                tail: text(&units[tail..]),
                omitted_bytes: between.iter().map(|unit| unit.bytes).sum(),
                omitted_lines: (0..lines).filter(|line| !shown(*line)).count(),
                by: if too_many_lines && (stream.len() <= budget.bytes || head_is_full_of_lines) {
                    TruncatedBy::Lines
                } else {
                    TruncatedBy::Bytes
                },
            }
        }
    }

    fn view<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, budget: Budget) -> View {
        let mut window = Window::new(budget);
        for chunk in chunks {
            window.push(chunk);
        }
        window.finish()
    }

    fn numbers(count: usize) -> String {
        let lines: Vec<String> = (0..count).map(|number| format!("{number}\n")).collect();
        lines.concat()
    }

    fn lines(count: u64) -> Budget {
        Budget {
            bytes: 51_200,
            lines: count,
        }
    }

    #[test]
    fn a_stream_within_its_budget_is_untouched() {
        for text in [
            numbers(2000),
            numbers(1999),
            numbers(2000).trim_end().to_owned(),
        ] {
            assert_eq!(view([text.as_bytes()], lines(2000)), View::Whole(text));
        }
        let text = "x".repeat(51_200);
        assert_eq!(view([text.as_bytes()], lines(10)), View::Whole(text));
    }

    #[test]
    fn one_line_too_many_is_one_line_left_out() {
        let text = numbers(2001);
        let View::Cut(cut) = view([text.as_bytes()], lines(2000)) else {
            panic!("it is over budget");
        };
        assert_eq!((cut.omitted_lines, cut.lines), (1, (1001, 1001)));
        assert_eq!(cut.omitted_bytes, "1000\n".len() as u64);
        assert_eq!(cut.by, TruncatedBy::Lines);
    }

    #[test]
    fn both_ends_of_few_long_lines_are_seen() {
        let text = format!("start|{}\n{}\n", "ab".repeat(61_000), "-".repeat(310_000));
        let View::Cut(cut) = view([text.as_bytes()], lines(2000)) else {
            panic!("it is over budget");
        };
        assert!(cut.head.starts_with("start|ab") && cut.head.len() == 25_600);
        assert!(cut.tail.ends_with("--\n") && cut.tail.len() == 25_600);
        assert_eq!((cut.omitted_lines, cut.lines), (0, (1, 2)));
    }

    #[test]
    fn both_ends_of_a_line_that_is_no_text_are_seen() {
        let budget = Budget {
            bytes: 1000,
            lines: 10,
        };
        let View::Cut(cut) = view([&[0xff; 400][..]], budget) else {
            panic!("as text it is over budget");
        };
        assert_eq!((cut.head.len(), cut.tail.len()), (498, 498));
        assert_eq!(cut.omitted_bytes, 400 - 2 * 166);
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => "[a-z]{0,8}\n".prop_map(String::into_bytes),
            2 => "[a-z\u{e9}\u{4f60}\u{1f642}]{0,30}".prop_map(String::into_bytes),
            1 => Just(b"\n".to_vec()),
            1 => proptest::collection::vec(0x70_u8..=0xff, 0..6),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn the_window_agrees_with_the_model(
            stream in stream(),
            sizes in proptest::collection::vec(1_usize..80, 1..20),
            bytes in 8_usize..200,
            lines in 1_u64..24,
        ) {
            let budget = Budget { bytes, lines };
            let mut rest = stream.as_slice();
            let mut chunks = Vec::new();
            for size in sizes.iter().cycle() {
                if rest.is_empty() { break; }
                let (chunk, after) = rest.split_at((*size).min(rest.len()));
                chunks.push(chunk);
                rest = after;
            }
            let model = model::view(&stream, budget);
            match view(chunks, budget) {
                View::Whole(text) => prop_assert_eq!(Some(text), model.text),
                View::Cut(cut) => {
                    prop_assert_eq!(model.text, None);
                    prop_assert!(cut.head.len() + cut.tail.len() <= bytes);
                    prop_assert_eq!(&cut.head, &model.head);
                    prop_assert_eq!(&cut.tail, &model.tail);
                    prop_assert_eq!(cut.omitted_bytes, model.omitted_bytes as u64);
                    prop_assert_eq!(cut.omitted_lines, model.omitted_lines as u64);
                    prop_assert_eq!(cut.by, model.by);
                    prop_assert!(cut.omitted_bytes > 0);
                    let shown = lines_of(cut.head.as_bytes()) + lines_of(cut.tail.as_bytes());
                    prop_assert!(shown <= lines);
                }
            }
        }
    }
}
