//! Takes what a run writes and makes of it what its caller sees, in fixed memory.
//!
//! The bytes of a stream go two ways: as they are to the [`Spill`], which keeps the whole of a stream that is cut; and
//! through [`Tidy`] to the [`Window`], which keeps the two ends that are shown. A [`Sink`] hears of the part that is
//! certain to be shown as soon as it comes.

use super::outcome::Stream;
use super::spill::{Place, Spill};
use super::tidy::Tidy;
use super::window::{Budget, Cut, View, Window};

/// The most bytes of a notice inside a text.
const LONGEST_NOTICE: usize = 200;

/// One of the two streams that a run writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Which {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Which {
    /// `stdout` or `stderr`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

/// Listens to a run while it runs.
pub trait Sink {
    /// The program can't start yet: others work in its workspace. A token that is used from here on ends the wait.
    fn wait(&mut self) {}

    /// The program was started, under this process id.
    fn start(&mut self, pid: u32) {
        let _ = pid;
    }

    /// A piece of a stream, whole characters alone. Put together the pieces are the text of the outcome: the head as
    /// it comes; at the end of the run the notice, if something was left out, and the tail. One thing is added: a line
    /// that turns out differently after it was shown (a progress bar) comes again behind a carriage return.
    fn output(&mut self, stream: Which, text: &str) {
        let _ = (stream, text);
    }

    /// Whether [`Sink::output`] does anything; if not, its texts need not be made.
    fn listens(&self) -> bool {
        true
    }
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSink;

impl Sink for NoSink {
    fn listens(&self) -> bool {
        false
    }
}

/// Both streams of a run.
pub(super) struct Capture<'a> {
    stdout: OneStream,
    stderr: OneStream,
    place: Place<'a>,
}

impl<'a> Capture<'a> {
    pub(super) fn new(budget: Budget, raw: bool, place: Place<'a>) -> Self {
        Self {
            stdout: OneStream::new(Which::Stdout, budget, raw),
            stderr: OneStream::new(Which::Stderr, budget, raw),
            place,
        }
    }

    pub(super) fn take(&mut self, which: Which, bytes: &[u8], sink: &mut dyn Sink) {
        let stream = match which {
            Which::Stdout => &mut self.stdout,
            Which::Stderr => &mut self.stderr,
        };
        stream.take(bytes, &mut self.place, sink);
    }

    /// The run is over: both streams as their reader sees them, and what there is to say about their copies.
    pub(super) fn finish(mut self, sink: &mut dyn Sink) -> (Stream, Stream, Vec<String>) {
        let mut notices = Vec::new();
        let stdout = self.stdout.finish(&mut self.place, sink, &mut notices);
        let stderr = self.stderr.finish(&mut self.place, sink, &mut notices);
        self.place.close();
        (stdout, stderr, notices)
    }
}

struct OneStream {
    which: Which,
    budget: Budget,
    bytes: u64,
    ends_in_line_feed: bool,
    tidy: Option<Tidy>,
    window: Window,
    spill: Spill,
    live: Live,
}

impl OneStream {
    fn new(which: Which, budget: Budget, raw: bool) -> Self {
        Self {
            which,
            budget,
            bytes: 0,
            ends_in_line_feed: true,
            tidy: (!raw).then(Tidy::default),
            window: Window::new(budget),
            spill: Spill::new(),
            live: Live::default(),
        }
    }

    fn take(&mut self, bytes: &[u8], place: &mut Place<'_>, sink: &mut dyn Sink) {
        let Some(last) = bytes.last() else { return };
        self.ends_in_line_feed = *last == b'\n';
        self.bytes += bytes.len() as u64;
        if self.spill.waiting() + bytes.len() > self.budget.bytes {
            self.spill.open(self.which.name(), place);
        }
        self.spill.push(bytes, place);
        let window = &mut self.window;
        match &mut self.tidy {
            Some(tidy) => tidy.push(bytes, &mut |bytes: &[u8]| window.push(bytes)),
            None => window.push(bytes),
        }
        if self.window.is_over() {
            self.spill.open(self.which.name(), place);
        }
        if sink.listens() {
            let pending = self.tidy.as_ref().map_or(&[][..], Tidy::pending);
            self.live.show(self.which, &self.window, pending, sink);
        }
    }

    fn finish(
        mut self,
        place: &mut Place<'_>,
        sink: &mut dyn Sink,
        notices: &mut Vec<String>,
    ) -> Stream {
        let window = &mut self.window;
        if let Some(tidy) = &mut self.tidy {
            tidy.finish(&mut |bytes: &[u8]| window.push(bytes));
        }
        let name = self.which.name();
        let lines = self.window.line_feeds() + u64::from(!self.ends_in_line_feed);
        let reduced_bytes = self.tidy.as_ref().map_or(0, Tidy::reduced);
        let view = self.window.finish();
        if matches!(view, View::Cut(_)) {
            self.spill.open(name, place);
        }
        let path = match &self.spill {
            Spill::Open { path, .. } => Some(path.clone()),
            Spill::Waiting(_) | Spill::Lost(_) => None,
        };
        notices.extend(notice_of_copy(name, &self.spill, &view));
        let mut stream = Stream {
            bytes: self.bytes,
            lines,
            reduced_bytes,
            path,
            ..Stream::default()
        };
        match view {
            View::Whole(text) => {
                self.live.end(self.which, &text, text.len(), sink);
                stream.text = text;
            }
            View::Cut(cut) => {
                let notice = notice_of_cut(name, &cut, place.run(), stream.path.as_deref());
                stream.text = [cut.head.as_str(), &notice, &cut.tail].concat();
                self.live
                    .end(self.which, &stream.text, cut.head.len(), sink);
                stream.truncated = true;
                stream.truncated_by = Some(cut.by);
                stream.omitted_bytes = cut.omitted_bytes;
                stream.omitted_lines = cut.omitted_lines;
            }
        }
        stream
    }
}

/// The lines that stand where something was left out.
fn notice_of_cut(
    stream: &str,
    cut: &Cut,
    run: Option<&str>,
    path: Option<&std::path::Path>,
) -> String {
    let before = if cut.head.is_empty() || cut.head.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let (first, last) = cut.lines;
    let missing = format!(
        "{} bytes and {} lines left out",
        cut.omitted_bytes, cut.omitted_lines
    );
    let (Some(run), Some(path)) = (run, path) else {
        return format!("{before}[{missing}; no full copy was kept]\n");
    };
    let command = format!("`pi outputs show {run} {stream} --lines {first}:{last}`");
    let long = format!(
        "{before}[{missing}; all of it is in `{}`; {command}]\n",
        path.display()
    );
    if long.len() <= LONGEST_NOTICE {
        return long;
    }
    format!("{before}[{missing}; all of it is kept: {command}]\n")
}

/// What there is to say about a stream's copy on disk.
fn notice_of_copy(stream: &str, spill: &Spill, view: &View) -> Option<String> {
    match spill {
        Spill::Waiting(_) | Spill::Open { full: false, .. } => None,
        Spill::Open { path, written, .. } => Some(format!(
            "the copy of {stream} in `{}` ends after {written} bytes, the limit that `outputs.max_bytes` sets",
            path.display()
        )),
        Spill::Lost(_) if matches!(view, View::Whole(_)) => None,
        Spill::Lost(reason) => Some(format!("no full copy of {stream} was kept: {reason}")),
    }
}

/// What a [`Sink`] was told of one stream.
#[derive(Debug, Default)]
struct Live {
    /// Bytes of the window that it knows.
    sent: usize,
    /// Bytes of text that these are.
    text: usize,
    /// The beginning of the current line that it knows already, although the line may still be rewritten.
    shown: String,
}

impl Live {
    /// Tells of what is new: the rest of `window`'s head and the `pending` state of the current line.
    fn show(&mut self, which: Which, window: &Window, pending: &[u8], sink: &mut dyn Sink) {
        let (fresh, certain) = window.head_from(self.sent);
        let room = window.room_behind(self.sent + fresh.len());
        let now = [fresh, &pending[..pending.len().min(room)]].concat();
        let now = &now[..whole_characters(&now)];
        let (certain, rest) = now.split_at(certain.min(now.len()));
        self.sent += certain.len();
        let certain = String::from_utf8_lossy(certain);
        let rest = String::from_utf8_lossy(rest).into_owned();
        self.tell(which, &[&*certain, &*rest].concat(), sink);
        self.text += certain.len();
        self.shown = rest;
    }

    /// The stream's text is final, and of it at most `head` bytes were told before.
    fn end(&self, which: Which, text: &str, head: usize, sink: &mut dyn Sink) {
        if sink.listens() {
            let rest = text.get(self.text.min(head)..).unwrap_or_default();
            self.tell(which, rest, sink);
        }
    }

    /// `now` stands behind what was sent; part of it may be shown already.
    fn tell(&self, which: Which, now: &str, sink: &mut dyn Sink) {
        match now.strip_prefix(self.shown.as_str()) {
            Some("") => {}
            Some(more) => sink.output(which, more),
            None => sink.output(which, &format!("\r{now}")),
        }
    }
}

/// How many bytes at the beginning are whole characters; an incomplete one at the end may still be completed.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last();
    let incomplete = last.map_or(0, |chunk| match std::str::from_utf8(chunk.invalid()) {
        Err(error) if error.error_len().is_none() => chunk.invalid().len(),
        _ => 0,
    });
    bytes.len() - incomplete
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::home::Home;
    use crate::settings::OutputLimits;

    const LIMITS: OutputLimits = OutputLimits {
        max_bytes: 1 << 20,
        keep_days: 30,
        keep_runs: 64,
        keep_bytes: 1 << 30,
    };

    /// Remembers what it was told of standard output.
    #[derive(Default)]
    struct Heard(Vec<String>);

    impl Sink for Heard {
        fn output(&mut self, _stream: Which, text: &str) {
            self.0.push(text.to_owned());
        }
    }

    struct Captured {
        stream: Stream,
        notices: Vec<String>,
        heard: Vec<String>,
        kept: Option<Vec<u8>>,
    }

    fn capture(chunks: &[&[u8]], budget: Budget, limits: OutputLimits, home: &Home) -> Captured {
        let mut sink = Heard::default();
        let mut capture = Capture::new(budget, false, Place::new(home, limits));
        for chunk in chunks {
            capture.take(Which::Stdout, chunk, &mut sink);
        }
        let (stream, _, notices) = capture.finish(&mut sink);
        Captured {
            kept: stream
                .path
                .as_ref()
                .map(|path| std::fs::read(path).expect("a path that is given can be read")),
            stream,
            notices,
            heard: sink.0,
        }
    }

    fn home() -> (tempfile::TempDir, Home) {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let home = Home::at(dir.path().join("agent"));
        (dir, home)
    }

    const SMALL: Budget = Budget {
        bytes: 1000,
        lines: 100,
    };

    #[test]
    fn a_stream_within_budget_leaves_nothing_on_disk() {
        let (_dir, home) = home();
        let captured = capture(&[b"one\n", b"two"], SMALL, LIMITS, &home);
        assert_eq!(captured.stream.text, "one\ntwo");
        assert_eq!((captured.stream.bytes, captured.stream.lines), (7, 2));
        assert_eq!(captured.stream.path, None);
        assert!(!home.root().exists());
    }

    #[test]
    fn the_notice_says_what_is_missing_and_how_to_see_it() {
        let (_dir, home) = home();
        let lines: Vec<String> = (1..=300).map(|number| format!("{number}\n")).collect();
        let text = lines.concat();
        let captured = capture(&[text.as_bytes()], SMALL, LIMITS, &home);
        let notice = captured
            .stream
            .text
            .lines()
            .find(|line| line.starts_with('['))
            .expect("the stream is cut");
        assert!(notice.len() < LONGEST_NOTICE);
        assert!(
            notice.starts_with("[751 bytes and 200 lines left out"),
            "{notice}"
        );
        assert!(notice.contains(" stdout --lines 51:250`]"), "{notice}");
        assert_eq!(captured.kept.as_deref(), Some(text.as_bytes()));
    }

    #[test]
    fn a_copy_that_cannot_be_made_is_said_and_costs_nothing_else() {
        let (dir, _) = home();
        std::fs::write(dir.path().join("file"), "").expect("writable");
        let home = Home::at(dir.path().join("file"));
        let captured = capture(&[&[b'x'; 5000]], SMALL, LIMITS, &home);
        assert_eq!(captured.stream.path, None);
        assert_eq!(captured.stream.omitted_bytes, 4000);
        assert_eq!(captured.notices.len(), 1);
        assert!(captured.notices[0].starts_with("no full copy of stdout was kept: "));
        assert!(captured.stream.text.contains("no full copy was kept"));
    }

    #[test]
    fn a_copy_ends_at_its_limit_and_says_so() {
        let (_dir, home) = home();
        let limits = OutputLimits {
            max_bytes: 1500,
            ..LIMITS
        };
        let captured = capture(&[&[b'x'; 1200], &[b'y'; 1200]], SMALL, limits, &home);
        assert_eq!(captured.kept.map(|bytes| bytes.len()), Some(1500));
        assert!(captured.notices[0].contains("ends after 1500 bytes"));
    }

    #[test]
    fn a_progress_bar_is_reduced_and_its_bytes_are_kept() {
        let (_dir, home) = home();
        let bars: Vec<String> = (0..=200)
            .map(|step| format!("\r{step:3}% \x1b[K"))
            .collect();
        let all = format!("{}\n\x1b[31mred\x1b[0m\n", bars.concat());
        let captured = capture(&[all.as_bytes()], SMALL, LIMITS, &home);
        assert_eq!(captured.stream.text, "200% \nred\n");
        assert!(!captured.stream.truncated);
        assert_eq!(
            captured.stream.reduced_bytes,
            (all.len() - captured.stream.text.len()) as u64
        );
        assert_eq!(captured.kept.as_deref(), Some(all.as_bytes()));
    }

    #[test]
    fn a_sink_hears_of_a_line_before_it_ends() {
        let (_dir, home) = home();
        let chunks: [&[u8]; 5] = [b"10%", b"\r20%", b"\r30%\nna\xc3", b"\xafve", b"?\n"];
        let captured = capture(&chunks, SMALL, LIMITS, &home);
        assert_eq!(
            captured.heard,
            ["10%", "\r20%", "\r30%\nna", "\u{ef}ve", "?\n"]
        );
    }

    /// What stands on a terminal after these pieces.
    fn displayed(pieces: &[String]) -> String {
        let mut lines: Vec<String> = vec![String::new()];
        for character in pieces.concat().chars() {
            let line = lines.last_mut().expect("there is always a line");
            match character {
                '\r' => line.clear(),
                '\n' => lines.push(String::new()),
                _ => line.push(character),
            }
        }
        lines.join("\n")
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn counts_add_up_and_a_sink_hears_the_text(
            pieces in proptest::collection::vec(
                prop_oneof![
                    3 => "[a-z\u{4f60}]{0,40}\n".prop_map(String::into_bytes),
                    1 => "\r[a-z]{1,20}".prop_map(String::into_bytes),
                    1 => Just(b"\x1b[1m".to_vec()),
                    1 => proptest::collection::vec(0x80_u8..=0xff, 1..4),
                ],
                0..120,
            ),
            size in 1_usize..300,
        ) {
            let (_dir, home) = home();
            let all = pieces.concat();
            let chunks: Vec<&[u8]> = all.chunks(size).collect();
            let captured = capture(&chunks, SMALL, LIMITS, &home);
            let stream = &captured.stream;
            prop_assert_eq!(stream.bytes, all.len() as u64);
            if let Some(kept) = &captured.kept {
                prop_assert_eq!(kept, &all);
            }
            prop_assert!(stream.truncated <= captured.kept.is_some());
            prop_assert_eq!(stream.omitted_bytes > 0, stream.truncated);
            // Without rewritten lines the pieces are the text; with them, what they leave on a terminal is.
            prop_assert_eq!(displayed(&captured.heard), displayed(std::slice::from_ref(&stream.text)));
            if !stream.text.contains(char::REPLACEMENT_CHARACTER) {
                let notice = stream.text.lines().find(|line| line.starts_with('['));
                let notice = if stream.truncated { notice.map_or(0, |line| line.len() + 1) } else { 0 };
                let shown = stream.text.len() - notice;
                let sum = shown as u64 + stream.omitted_bytes + stream.reduced_bytes;
                // A cut inside a line adds one line end before the notice.
                prop_assert!(sum == stream.bytes || (stream.truncated && sum == stream.bytes + 1));
            }
        }
    }
}
