//! Programs that provisioning runs for an answer: uv, `pkg`, and a Python that is asked what it is.
//!
//! A helper reads nothing, leads a process group (a job on Windows) of its own, has a deadline, and can't fill memory:
//! of what it prints a fixed part is kept. When [`run`] returns, the helper and what it started have ended; where the
//! system can do it, they also end when pi itself is killed.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::settings::GRACE;

#[cfg_attr(unix, path = "helper/unix.rs")]
#[cfg_attr(windows, path = "helper/windows.rs")]
mod group;

use group::Group;

/// How much of standard output is kept, from its start.
const KEPT_OUTPUT: usize = 256 * 1024;
/// How much of standard error is kept, from its end.
const KEPT_WORDS: usize = 4 * 1024;
/// How long the pipes are read after the helper has ended: what left its group may hold them open for ever.
const DRAIN: Duration = Duration::from_millis(500);
/// Between two looks at a helper that still runs.
const LOOKS: std::ops::Range<Duration> = Duration::from_millis(1)..Duration::from_millis(20);
/// How often a start is tried while the file is still open for writing in another process that is about to `exec`.
const BUSY_TRIES: u32 = 50;

/// How a helper is ended that has used up its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Killed: it changes nothing, or only what it can take back.
    Killed,
    /// Asked first, and killed after [`GRACE`]: it may be in the middle of a change.
    Asked,
}

/// The bounds of one helper.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub deadline: Instant,
    pub ending: Ending,
}

/// How a helper ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Exited(ExitStatus),
    /// It was ended at its deadline.
    TimedOut,
    /// It was ended because it printed more than anything that is asked of it could.
    Flooded,
}

/// What a helper answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub end: End,
    /// The first part of standard output.
    pub stdout: Vec<u8>,
    /// Whether there was more of it than is kept.
    pub cut: bool,
    /// The last part of standard error.
    stderr: Vec<u8>,
}

impl Answer {
    pub(crate) fn succeeded(&self) -> bool {
        matches!(self.end, End::Exited(status) if status.success())
    }

    /// What the helper said, for a message: standard error, after the end of standard output if there is any.
    pub(crate) fn words(&self) -> String {
        let start = self.stdout.len().saturating_sub(KEPT_WORDS);
        let parts = [plain(&self.stdout[start..]), plain(&self.stderr)];
        let said: Vec<&str> = parts
            .iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        said.join("\n")
    }

    /// How the helper ended, for a message: `exited with 2`.
    pub(crate) fn ending(&self) -> String {
        match self.end {
            End::Exited(status) => group::describe(status),
            End::TimedOut => "did not answer in time".to_owned(),
            End::Flooded => "printed without end".to_owned(),
        }
    }

    /// Standard error alone.
    pub(crate) fn complaint(&self) -> String {
        plain(&self.stderr)
    }
}

/// Runs a helper to its end or to its deadline.
///
/// # Errors
/// When it can't be started, or the system loses track of it.
pub(crate) fn run(mut command: Command, bounds: Bounds) -> io::Result<Answer> {
    command.stdin(Stdio::null());
    see_through(command, bounds, |_| {})
}

/// The same with a helper that reads `input` from its standard input.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn run_with(mut command: Command, input: Vec<u8>, bounds: Bounds) -> io::Result<Answer> {
    command.stdin(Stdio::piped());
    see_through(command, bounds, |group| {
        if let Some(mut pipe) = group.child().stdin.take() {
            // A helper that does not read to the end says by its answer what is wrong.
            std::thread::spawn(move || pipe.write_all(&input));
        }
    })
}

fn see_through(
    mut command: Command,
    bounds: Bounds,
    begin: impl FnOnce(&mut Group),
) -> io::Result<Answer> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = start(&mut command, bounds.ending)?;
    begin(&mut group);
    let stdout = group
        .child()
        .stdout
        .take()
        .map(|pipe| Reader::start(pipe, Keep::First(KEPT_OUTPUT)));
    let stderr = group
        .child()
        .stderr
        .take()
        .map(|pipe| Reader::start(pipe, Keep::Last(KEPT_WORDS)));
    let floods = || bounds.ending == Ending::Killed && stdout.as_ref().is_some_and(Reader::is_cut);
    let waited = wait(&mut group, bounds.deadline, floods)?;
    if waited == Waited::TimedOut && bounds.ending == Ending::Asked {
        group.ask();
        wait(&mut group, Instant::now() + GRACE, || false)?;
    }
    let status = group.finish()?;
    let drained = Instant::now() + DRAIN;
    let (stdout, cut) = stdout.map_or_else(Default::default, |reader| reader.finish(drained));
    let (stderr, _) = stderr.map_or_else(Default::default, |reader| reader.finish(drained));
    let end = match waited {
        Waited::Exited => End::Exited(status),
        Waited::TimedOut => End::TimedOut,
        Waited::Flooded => End::Flooded,
    };
    Ok(Answer {
        end,
        stdout,
        cut,
        stderr,
    })
}

/// Starts the helper. A file that was just written can be "busy" for a moment: a process that another thread is
/// starting holds a copy of the writing handle until it executes its own program.
fn start(command: &mut Command, ending: Ending) -> io::Result<Group> {
    for _ in 0..BUSY_TRIES {
        match Group::spawn(command, ending) {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(LOOKS.end);
            }
            started => return started,
        }
    }
    Group::spawn(command, ending)
}

/// What a wait came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waited {
    Exited,
    TimedOut,
    Flooded,
}

/// Waits for the helper itself, not for what it started.
fn wait(group: &mut Group, deadline: Instant, floods: impl Fn() -> bool) -> io::Result<Waited> {
    let mut pause = LOOKS.start;
    loop {
        if group.has_exited()? {
            return Ok(Waited::Exited);
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(Waited::TimedOut);
        }
        if floods() {
            return Ok(Waited::Flooded);
        }
        std::thread::sleep(pause.min(deadline - now));
        pause = (pause * 2).min(LOOKS.end);
    }
}

/// Text as one would read it: lossy, without escape sequences and control characters, without blank ends.
fn plain(bytes: &[u8]) -> String {
    let decoded = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let mut text = String::with_capacity(decoded.len());
    let mut letters = decoded.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' if letters.clone().next() == Some('[') => {
                letters.next();
                letters.find(|end| ('@'..='~').contains(end));
            }
            '\n' | '\t' => text.push(letter),
            control if control.is_control() => {}
            _ => text.push(letter),
        }
    }
    text.trim().to_owned()
}

/// Which part of a stream is kept.
#[derive(Debug, Clone, Copy)]
enum Keep {
    First(usize),
    Last(usize),
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    cut: bool,
}

impl Kept {
    fn add(&mut self, more: &[u8], keep: Keep) {
        match keep {
            Keep::First(most) => {
                let room = most.saturating_sub(self.bytes.len()).min(more.len());
                self.bytes.extend_from_slice(&more[..room]);
                self.cut |= room < more.len();
            }
            Keep::Last(most) => {
                self.bytes.extend_from_slice(more);
                let over = self.bytes.len().saturating_sub(most);
                self.bytes.drain(..over);
                self.cut |= over > 0;
            }
        }
    }
}

/// Reads one pipe to its end, so that the helper never blocks on it, and keeps a part.
struct Reader {
    kept: Arc<Mutex<Kept>>,
    done: Receiver<()>,
}

impl Reader {
    fn start(mut pipe: impl Read + Send + 'static, keep: Keep) -> Self {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (finished, done): (Sender<()>, _) = channel();
        let shared = Arc::clone(&kept);
        std::thread::spawn(move || {
            let mut buffer = [0; 8 * 1024];
            loop {
                match pipe.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(read) => shared
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .add(&buffer[..read], keep),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            drop(finished);
        });
        Self { kept, done }
    }

    /// Whether more came than is kept.
    fn is_cut(&self) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).cut
    }

    /// What was kept when the pipe ended, or at the deadline.
    fn finish(self, deadline: Instant) -> (Vec<u8>, bool) {
        let left = deadline.saturating_duration_since(Instant::now());
        // Nothing is ever sent: the end of the thread shows as a disconnection, and a timeout leaves it behind.
        let (Ok(()) | Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout)) =
            self.done.recv_timeout(left);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        (std::mem::take(&mut kept.bytes), kept.cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_keeps_its_first_or_its_last_part() {
        let mut first = Kept::default();
        let mut last = Kept::default();
        for part in [&b"abc"[..], b"def", b"g"] {
            first.add(part, Keep::First(4));
            last.add(part, Keep::Last(4));
        }
        assert_eq!((first.bytes.as_slice(), first.cut), (&b"abcd"[..], true));
        assert_eq!((last.bytes.as_slice(), last.cut), (&b"defg"[..], true));
    }

    #[test]
    fn words_are_readable() {
        assert_eq!(
            plain(b"\x1b[31merror\x1b[0m: no\r\n\xff\n\n"),
            "error: no\n\u{fffd}"
        );
    }
}
