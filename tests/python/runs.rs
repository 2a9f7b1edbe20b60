//! What the tests of runs share: a place that has its Python, the JSON of a run as a type, marks by which leftovers
//! are found, and the plain Python that pi is held against.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use serde::Deserialize;

use crate::support::python::{Real, real};
use crate::support::{Output, Pi, Place, wait_until};

/// A place where pi need not look for a Python.
pub(crate) fn place() -> Place {
    place_with(real())
}

/// A place that has been used before: nothing is said of looking for a Python.
pub(crate) fn used_place() -> Place {
    let place = place();
    Ran::of(code(&place, "pass")).exited(0);
    place
}

/// A place where pi uses this Python. What programs may do is not the question here: the guard is in them, and lets them.
pub(crate) fn place_with(python: &Real) -> Place {
    Place::new()
        .with("PI_PYTHON", &python.path)
        .with("PI_APPROVAL_ALLOW", ALLOWED)
}

/// What takes the guard away.
#[cfg(unix)]
pub(crate) const EVERYTHING: &str =
    "delete,outside,program,signal,native,credentials,publish,tamper,write";
/// Everything but reaching for the guard and, in a read-only run, writing.
const ALLOWED: &str = "delete,outside,program,signal,native,credentials,publish";

/// `pi python --json`, to be completed with options and a program.
pub(crate) fn json(place: &Place) -> Pi {
    place.pi().args(["python", "--json"])
}

/// A run of this code with its result as JSON. Options may follow.
pub(crate) fn code(place: &Place, source: &str) -> Pi {
    json(place).args(["--code", source])
}

/// What `pi python --json` prints: every field, and no other.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Outcome {
    pub(crate) status: String,
    pub(crate) exit_code: Option<i32>,
    pub(crate) signal: Option<String>,
    pub(crate) duration_ms: u64,
    pub(crate) mode: String,
    pub(crate) cwd: PathBuf,
    pub(crate) python: Option<Python>,
    pub(crate) stdout: Stream,
    pub(crate) stderr: Stream,
    pub(crate) approval: Option<serde_json::Value>,
    pub(crate) guard: serde_json::Value,
    pub(crate) notices: Vec<String>,
}

/// The interpreter of a run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Python {
    pub(crate) path: PathBuf,
    pub(crate) version: String,
}

/// One stream of a run.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Stream {
    pub(crate) text: String,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) truncated: bool,
    pub(crate) truncated_by: Option<String>,
    pub(crate) omitted_bytes: u64,
    pub(crate) omitted_lines: u64,
    pub(crate) reduced_bytes: u64,
    pub(crate) path: Option<PathBuf>,
}

/// A run that has ended: what the process did, and what its JSON says.
pub(crate) struct Ran {
    pub(crate) output: Output,
    pub(crate) outcome: Outcome,
}

impl std::ops::Deref for Ran {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        &self.outcome
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What a program printed is shown as text; the rest is short.
        write!(
            formatter,
            "{}\n--- program's stdout\n{}\n--- program's stderr\n{}",
            self.output, self.outcome.stdout.text, self.outcome.stderr.text
        )
    }
}

impl Ran {
    /// Runs to the end. Standard output must be the one object, standard error empty.
    #[track_caller]
    pub(crate) fn of(pi: Pi) -> Self {
        Self::read(pi.run())
    }

    #[track_caller]
    pub(crate) fn read(output: Output) -> Self {
        let outcome = serde_json::from_value(output.json())
            .unwrap_or_else(|error| panic!("not the JSON of a run: {error}\n{output}"));
        assert_eq!(
            output.stderr, "",
            "with --json nothing belongs on standard error\n{output}"
        );
        Self { output, outcome }
    }

    /// The program ended by itself, with this exit code.
    #[track_caller]
    pub(crate) fn exited(self, code: i32) -> Self {
        let status = if code == 0 { "ok" } else { "failed" };
        self.was(status, Some(code), code)
    }

    /// The status, the program's exit code and pi's own.
    #[track_caller]
    pub(crate) fn was(self, status: &str, exit_code: Option<i32>, own: i32) -> Self {
        let seen = (
            self.status.as_str(),
            self.outcome.exit_code,
            self.output.code,
        );
        assert_eq!(seen, (status, exit_code, Some(own)), "{self}");
        self
    }

    /// The program's standard output is exactly this.
    #[track_caller]
    pub(crate) fn printed(self, text: &str) -> Self {
        assert_eq!(self.stdout.text, text, "{self}");
        self
    }

    /// The program's standard error contains this.
    #[track_caller]
    pub(crate) fn complained(self, part: &str) -> Self {
        assert!(
            self.stderr.text.contains(part),
            "standard error should contain {part:?}\n{self}"
        );
        self
    }

    /// One of the notices has all of these in it.
    #[track_caller]
    pub(crate) fn noticed(self, parts: &[&str]) -> Self {
        assert!(
            self.notices
                .iter()
                .any(|notice| parts.iter().all(|part| notice.contains(part))),
            "a notice should contain {parts:?}: {:?}\n{self}",
            self.notices
        );
        self
    }

    /// There is nothing to say beside the streams.
    #[track_caller]
    pub(crate) fn without_notices(self) -> Self {
        assert!(self.notices.is_empty(), "{:?}\n{self}", self.notices);
        self
    }
}

/// The texts that are made of these numbers, one behind the other.
pub(crate) fn each(
    numbers: impl IntoIterator<Item = usize>,
    text: impl FnMut(usize) -> String,
) -> String {
    numbers.into_iter().map(text).collect::<Vec<_>>().concat()
}

/// Seconds since 1970, as Python's `time.time()`.
#[cfg(target_os = "linux")]
pub(crate) fn now() -> f64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("the clock is past 1970")
        .as_secs_f64()
}

/// The best of three tries of something that a busy machine may delay; the first that is good enough is enough.
///
/// Panics with the three values where none is at most `limit`.
#[track_caller]
pub(crate) fn best_of_three(what: &str, limit: f64, mut measure: impl FnMut() -> f64) {
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(measure());
        if seen.iter().any(|seconds| *seconds <= limit) {
            return;
        }
    }
    panic!("{what}: at most {limit} s were allowed, and these were taken: {seen:?}");
}

/// Polls until a file exists: a program's word that it has come this far.
#[track_caller]
pub(crate) fn wait_for_file(path: &Path) {
    wait_until(
        &format!("`{}` to be written", path.display()),
        Duration::from_secs(30),
        || path.exists().then_some(()),
    );
}

/// A variable that a run and all its descendants carry, by which what is left of them is found.
#[cfg(target_os = "linux")]
pub(crate) struct Mark(String);

#[cfg(target_os = "linux")]
impl Mark {
    pub(crate) fn new() -> Self {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = std::process::id();
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("pi-test-mark-{id}-{next}-end"))
    }

    /// For `--env`.
    pub(crate) fn variable(&self) -> String {
        format!("PI_TEST_MARK={}", self.0)
    }

    /// Every live process with the mark in its environment or its command line, with that command line.
    pub(crate) fn holders(&self) -> Vec<(i32, String)> {
        let Ok(processes) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        let has = |bytes: &[u8]| bytes.windows(self.0.len()).any(|w| w == self.0.as_bytes());
        processes
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(|id: i32| {
                let read = |name: &str| std::fs::read(format!("/proc/{id}/{name}"));
                let line = read("cmdline").ok()?;
                (has(&line) || read("environ").is_ok_and(|environ| has(&environ)))
                    .then(|| (id, String::from_utf8_lossy(&line).replace('\0', " ")))
            })
            .collect()
    }

    /// Polls until nothing has the mark any more; what does in the end is killed and shown.
    #[track_caller]
    pub(crate) fn gone_within(&self, limit: Duration) {
        let deadline = std::time::Instant::now() + limit;
        while std::time::Instant::now() < deadline {
            if self.holders().is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let left = self.holders();
        self.kill();
        assert!(left.is_empty(), "left alive after {limit:?}: {left:?}");
    }

    /// Kills whatever has the mark, until nothing has it.
    pub(crate) fn kill(&self) {
        for _ in 0..1000 {
            let left = self.holders();
            for (id, _) in &left {
                if let Some(id) = rustix::process::Pid::from_raw(*id) {
                    let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
                }
            }
            if left.is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mark {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
pub(crate) fn signal(id: u32, signal: rustix::process::Signal) {
    let id = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    rustix::process::kill_process(id.expect("a process id"), signal)
        .expect("the process is still there");
}

/// Makes a named pipe.
#[cfg(unix)]
pub(crate) fn named_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()), "`mkfifo` works");
}

/// Every Python of at least 3.10 that can be found here, one a minor version: on PATH, and in pyenv's directory.
pub(crate) fn pythons() -> &'static [Real] {
    static FOUND: OnceLock<Vec<Real>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let on_path = (10..20)
            .rev()
            .filter_map(|minor| which::which_all(format!("python3.{minor}")).ok())
            .flatten();
        let pyenv = std::env::var_os("PYENV_ROOT")
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".pyenv")));
        let installed = pyenv
            .and_then(|root| std::fs::read_dir(root.join("versions")).ok())
            .into_iter()
            .flatten()
            .flatten()
            .map(|version| version.path().join("bin").join("python3"));
        let mut found = vec![real().clone()];
        for candidate in on_path.chain(installed) {
            let Some(python) = ask(&candidate) else {
                continue;
            };
            if found.iter().all(|known| known.minor() != python.minor()) {
                found.push(python);
            }
        }
        found
    })
}

fn ask(python: &Path) -> Option<Real> {
    const QUESTION: &str = "import os, platform, sys\n\
        assert sys.version_info >= (3, 10)\n\
        print(os.path.realpath(getattr(sys, '_base_executable', '') or sys.executable))\n\
        print(platform.python_version())\n\
        print(sys.base_prefix)";
    let output = Command::new(python)
        .args(["-I", "-c", QUESTION])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut lines = text.lines();
    output.status.success().then_some(())?;
    Some(Real {
        path: lines.next()?.into(),
        version: lines.next()?.into(),
        prefix: lines.next()?.into(),
    })
}

/// What plain Python does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// As a shell tells it: 128 and the signal's number where a signal ended it.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl fmt::Display for Plain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        write!(
            formatter,
            "exit code {code}\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
        )
    }
}

impl Plain {
    /// `python -B - ARGS` with this on standard input.
    pub(crate) fn code(place: &Place, python: &Real, source: &[u8], args: &[&str]) -> Self {
        // A file, not a pipe, so that nothing has to be written while the program runs.
        let file = place.write("plain-stdin", source);
        let stdin = std::fs::File::open(file).expect("it was just written");
        Self::run(place, python, "-", args, stdin.into())
    }

    /// `python -B SCRIPT ARGS` with nothing on standard input.
    pub(crate) fn script(place: &Place, python: &Real, script: &str, args: &[&str]) -> Self {
        Self::run(place, python, script, args, Stdio::null())
    }

    fn run(place: &Place, python: &Real, program: &str, args: &[&str], stdin: Stdio) -> Self {
        let output = Command::new(&python.path)
            .args(["-B", program])
            .args(args)
            .env_clear()
            .env("HOME", place.home())
            .env("PATH", place.bin())
            .env("TMPDIR", place.tmp())
            .env("PYTHONUTF8", "1")
            .env("PYTHONIOENCODING", "utf-8")
            .env("PYTHONUNBUFFERED", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(place.cwd())
            .stdin(stdin)
            .output()
            .expect("the interpreter can be started");
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
        #[cfg(not(unix))]
        let signal: Option<i32> = None;
        Self {
            code: output
                .status
                .code()
                .or_else(|| signal.map(|number| 128 + number))
                .expect("it ended"),
            stdout: without_addresses(&String::from_utf8_lossy(&output.stdout)),
            stderr: without_addresses(&String::from_utf8_lossy(&output.stderr)),
        }
    }
}

/// Addresses in memory differ from process to process, and a few frames of what starts the program count as its own.
fn without_addresses(text: &str) -> String {
    let shown = without_digits(text, " at 0x", |c| c.is_ascii_hexdigit());
    without_digits(&shown, "[Previous line repeated ", |c| c.is_ascii_digit())
}

fn without_digits(text: &str, before: &str, is_digit: fn(char) -> bool) -> String {
    let mut pieces = text.split(before);
    let mut shown = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        shown += before;
        shown += "…";
        shown += piece.trim_start_matches(is_digit);
    }
    shown
}

impl Ran {
    /// This run as plain Python's would be told.
    pub(crate) fn as_plain(&self) -> Plain {
        Plain {
            code: self.output.code.unwrap_or(-1),
            stdout: without_addresses(&self.stdout.text),
            stderr: without_addresses(&self.stderr.text),
        }
    }
}

/// Permissions and limits bind a user other than root alone.
#[cfg(target_os = "linux")]
pub(crate) mod unprivileged {
    use std::os::unix::fs::chown;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{Command, PathBuf, Pi, Place, Stdio, pythons};

    /// Somebody without privileges, with a place of their own.
    pub(crate) struct Somebody {
        pub(crate) place: Place,
        /// What starts a program as this user.
        prefix: Vec<String>,
    }

    /// A user without privileges; `None`, with a word about it, where there can't be one.
    pub(crate) fn somebody() -> Option<Somebody> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if !rustix::process::geteuid().is_root() {
            return Some(Somebody {
                place: super::place(),
                prefix: Vec::new(),
            });
        }
        // A number of its own, since process limits are counted by user.
        let id = 41_000 + std::process::id() % 1000 * 16 + NEXT.fetch_add(1, Ordering::Relaxed);
        let mut prefix: Vec<String> = vec!["setpriv".into()];
        prefix.extend([format!("--reuid={id}"), format!("--regid={id}")]);
        prefix.extend(["--clear-groups".into(), "--".into()]);
        let works = |program: &PathBuf, args: &[&str]| {
            Command::new(&prefix[0])
                .args(&prefix[1..])
                .arg(program)
                .args(args)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        };
        if !works(&env!("CARGO_BIN_EXE_pi").into(), &["--version"]) {
            eprintln!("left out: another user can't start pi where it was built");
            return None;
        }
        let candidates = ["/usr/bin/python3".into(), "/usr/local/bin/python3".into()];
        let found = candidates
            .into_iter()
            .chain(pythons().iter().map(|python| python.path.clone()))
            .find(|path| {
                works(
                    path,
                    &["-c", "import sys; assert sys.version_info >= (3, 10)"],
                )
            });
        let Some(python) = found else {
            eprintln!("left out: another user can start none of the Pythons here");
            return None;
        };
        let place = Place::new().with("PI_PYTHON", python);
        std::fs::create_dir_all(place.agent()).expect("the place is writable");
        let root = place.path().to_owned();
        for dir in [
            root,
            place.home(),
            place.agent(),
            place.tmp(),
            place.cwd(),
            place.bin(),
        ] {
            chown(dir, Some(id), Some(id)).expect("root may");
        }
        Some(Somebody { place, prefix })
    }

    impl Somebody {
        /// The same run, as this user.
        pub(crate) fn does(&self, pi: Pi) -> Pi {
            self.does_through(&[], pi)
        }

        /// The same run, as this user and through these programs.
        pub(crate) fn does_through(&self, more: &[&str], pi: Pi) -> Pi {
            let more = more.iter().map(ToString::to_string);
            let prefix: Vec<String> = self.prefix.iter().cloned().chain(more).collect();
            if prefix.is_empty() {
                return pi;
            }
            // Found on the PATH of the tests: the place's own has few programs.
            pi.through(prefix.iter().map(|word| {
                which::which(word).map_or_else(|_| word.clone().into(), PathBuf::into_os_string)
            }))
        }
    }
}
