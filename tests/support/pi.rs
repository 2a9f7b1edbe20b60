//! Places to run in, and runs of the `pi` binary with what is expected of them.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A run that takes longer than this hangs: it is killed and its test fails.
const WATCHDOG: Duration = Duration::from_mins(2);

/// What scripts in tests need, linked into a place's `bin`. Neither Python nor uv is among them.
#[cfg(unix)]
const TOOLS: &[&str] = &[
    "sh", "env", "cat", "sleep", "mkdir", "cp", "mv", "ln", "rm", "chmod", "touch", "dirname",
    "basename", "uname", "ls", "grep", "sed", "head", "tail", "tr", "date", "true", "echo",
];

/// A private stretch of the file system with the environment that goes with it. Cheap to clone; deleted with the last
/// clone.
#[derive(Clone)]
pub(crate) struct Place {
    /// Deletes all of it when the last clone goes.
    _root: Arc<tempfile::TempDir>,
    base: PathBuf,
    env: Vec<(OsString, Option<OsString>)>,
}

impl Place {
    /// A fresh place: every directory exists but the agent directory.
    pub(crate) fn new() -> Self {
        Self::named("")
    }

    /// A fresh place, everything of which lies under a directory called `name`.
    pub(crate) fn named(name: impl AsRef<OsStr>) -> Self {
        let root = tempfile::Builder::new()
            .prefix("pi-test-")
            .tempdir()
            .expect("the temporary directory is writable");
        // The real path, so that a path which pi resolved compares equal.
        let real = root.path().canonicalize().expect("it was just made");
        let real = if cfg!(windows) {
            root.path().to_owned()
        } else {
            real
        };
        let place = Self {
            base: real.join(name.as_ref()),
            _root: Arc::new(root),
            env: Vec::new(),
        };
        for dir in [place.home(), place.tmp(), place.cwd(), place.bin()] {
            std::fs::create_dir_all(dir).expect("the place is writable");
        }
        #[cfg(unix)]
        for tool in TOOLS {
            if let Ok(path) = which::which(tool) {
                std::os::unix::fs::symlink(path, place.bin().join(tool)).expect("writable");
            }
        }
        place
    }

    /// The directory that holds all of it.
    pub(crate) fn path(&self) -> &Path {
        &self.base
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.base.join("home")
    }

    /// The agent directory.
    pub(crate) fn agent(&self) -> PathBuf {
        self.base.join("agent")
    }

    pub(crate) fn tmp(&self) -> PathBuf {
        self.base.join("tmp")
    }

    pub(crate) fn cwd(&self) -> PathBuf {
        self.base.join("cwd")
    }

    /// The only directory on PATH.
    pub(crate) fn bin(&self) -> PathBuf {
        self.base.join("bin")
    }

    /// The managed uv.
    pub(crate) fn uv(&self) -> PathBuf {
        self.agent().join("bin").join(exe("uv"))
    }

    /// A file of the agent directory.
    pub(crate) fn agent_file(&self, name: &str) -> PathBuf {
        self.agent().join(name)
    }

    /// Sets a variable for every run in this place.
    pub(crate) fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.env.push((name.into(), Some(value.into())));
    }

    /// The same place with one variable more.
    pub(crate) fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.set(name, value);
        self
    }

    /// Writes a file of the place, with the directories above it; a relative path starts at the place's root.
    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.base.join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a directory")).expect("writable");
        std::fs::write(&path, content).expect("the place is writable");
        path
    }

    /// Writes an executable file; see [`Place::write`].
    #[cfg(unix)]
    pub(crate) fn script(&self, path: impl AsRef<Path>, content: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.base.join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a directory")).expect("writable");
        // Written beside and renamed: a process that another test starts between write and close would hold the
        // file open, and executing it would fail as busy.
        let new = path.with_extension("new");
        std::fs::write(&new, content).expect("the place is writable");
        std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o755)).expect("owned");
        std::fs::rename(&new, &path).expect("the place is writable");
        path
    }

    /// Links `target` into the place's PATH under `name`.
    #[cfg(unix)]
    pub(crate) fn link(&self, name: &str, target: impl AsRef<Path>) -> PathBuf {
        let link = self.bin().join(name);
        std::os::unix::fs::symlink(target, &link).expect("the place is writable");
        link
    }

    /// A run of `pi` in this place.
    pub(crate) fn pi(&self) -> Pi {
        let mut env: Vec<(OsString, Option<OsString>)> = [
            (home_variable(), self.home()),
            ("PI_CODING_AGENT_DIR", self.agent()),
            ("PATH", self.bin()),
        ]
        .into_iter()
        .chain(temp_variables().iter().map(|name| (*name, self.tmp())))
        .map(|(name, path)| (name.into(), Some(path.into_os_string())))
        .collect();
        // Without it a Windows program can't even open a socket.
        if cfg!(windows) {
            env.push(("SystemRoot".into(), std::env::var_os("SystemRoot")));
        }
        env.extend(self.env.iter().cloned());
        Pi {
            place: self.clone(),
            program: env!("CARGO_BIN_EXE_pi").into(),
            prefix: Vec::new(),
            args: Vec::new(),
            env,
            cwd: self.cwd(),
            stdin: Vec::new(),
            stdout: Expect::Anything,
            stderr: Expect::Exactly(String::new()),
            watchdog: WATCHDOG,
        }
    }

    /// Every file below the agent directory, relative to it, in order.
    pub(crate) fn agent_files(&self) -> Vec<PathBuf> {
        files_below(&self.agent())
    }
}

/// Every file (not directory) below `dir`, relative to it, in order.
pub(crate) fn files_below(dir: &Path) -> Vec<PathBuf> {
    fn walk(dir: &Path, root: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return;
        };
        for entry in entries.flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                walk(&entry.path(), root, found);
            } else {
                let path = entry.path();
                found.push(path.strip_prefix(root).expect("below it").to_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(dir, dir, &mut found);
    found.sort();
    found
}

/// A program's file name on this system.
pub(crate) fn exe(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

fn home_variable() -> &'static str {
    if cfg!(windows) { "USERPROFILE" } else { "HOME" }
}

fn temp_variables() -> &'static [&'static str] {
    if cfg!(windows) {
        &["TEMP", "TMP"]
    } else {
        &["TMPDIR"]
    }
}

#[derive(Debug, Clone)]
enum Expect {
    Anything,
    Exactly(String),
    Containing(Vec<String>),
}

impl Expect {
    fn add(&mut self, part: &str) {
        match self {
            Self::Containing(parts) => parts.push(part.to_owned()),
            _ => *self = Self::Containing(vec![part.to_owned()]),
        }
    }

    fn problem(&self, name: &str, text: &str) -> Option<String> {
        match self {
            Self::Anything => None,
            Self::Exactly(expected) => {
                (text != expected).then(|| format!("{name} should be exactly {expected:?}"))
            }
            Self::Containing(parts) => parts
                .iter()
                .find(|part| !text.contains(part.as_str()))
                .map(|part| format!("{name} should contain {part:?}")),
        }
    }
}

/// One run of `pi`, and what is expected of it. Standard error must be empty unless the test says otherwise.
#[must_use = "nothing runs before `code`, `run` or `spawn`"]
#[derive(Clone)]
pub(crate) struct Pi {
    place: Place,
    program: OsString,
    prefix: Vec<OsString>,
    args: Vec<OsString>,
    env: Vec<(OsString, Option<OsString>)>,
    cwd: PathBuf,
    stdin: Vec<u8>,
    stdout: Expect,
    stderr: Expect,
    watchdog: Duration,
}

impl Pi {
    /// A run in a fresh place.
    pub(crate) fn new() -> Self {
        Place::new().pi()
    }

    pub(crate) fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub(crate) fn args<I, S>(mut self, args: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub(crate) fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    pub(crate) fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.env.push((name.into(), None));
        self
    }

    /// Puts a directory before what PATH holds.
    pub(crate) fn path_first(self, dir: impl AsRef<Path>) -> Self {
        let standing = self
            .env
            .iter()
            .rfind(|(name, _)| name == "PATH")
            .and_then(|(_, value)| value.clone())
            .unwrap_or_default();
        let dirs = std::iter::once(dir.as_ref().to_owned()).chain(std::env::split_paths(&standing));
        let joined = std::env::join_paths(dirs).expect("no separator in a test's path");
        self.env("PATH", joined)
    }

    pub(crate) fn cwd(mut self, dir: impl AsRef<Path>) -> Self {
        self.cwd = self.place.path().join(dir);
        self
    }

    /// Starts `pi` through another program, such as `strace`.
    pub(crate) fn through<I, S>(mut self, prefix: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        self.prefix = prefix.into_iter().map(Into::into).collect();
        self
    }

    /// Another copy of the binary.
    pub(crate) fn program(mut self, program: impl Into<OsString>) -> Self {
        self.program = program.into();
        self
    }

    pub(crate) fn stdin(mut self, text: impl AsRef<[u8]>) -> Self {
        text.as_ref().clone_into(&mut self.stdin);
        self
    }

    /// Standard output is exactly this.
    pub(crate) fn stdout(mut self, text: impl Into<String>) -> Self {
        self.stdout = Expect::Exactly(text.into());
        self
    }

    /// Standard output has this in it (and what earlier calls named).
    pub(crate) fn stdout_has(mut self, part: &str) -> Self {
        self.stdout.add(part);
        self
    }

    /// Standard error is exactly this.
    pub(crate) fn stderr(mut self, text: impl Into<String>) -> Self {
        self.stderr = Expect::Exactly(text.into());
        self
    }

    /// Standard error has this in it (and what earlier calls named).
    pub(crate) fn stderr_has(mut self, part: &str) -> Self {
        self.stderr.add(part);
        self
    }

    /// Standard error may be anything, such as progress.
    pub(crate) fn stderr_any(mut self) -> Self {
        self.stderr = Expect::Anything;
        self
    }

    pub(crate) fn watchdog(mut self, limit: Duration) -> Self {
        self.watchdog = limit;
        self
    }

    /// Runs, and holds the exit code and both streams against what is expected.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Output {
        let (stdout, stderr) = (self.stdout.clone(), self.stderr.clone());
        let output = self.run();
        output.expect(code, &stdout, &stderr);
        output
    }

    /// Runs and answers with what happened, whatever it is.
    #[track_caller]
    pub(crate) fn run(self) -> Output {
        self.spawn().wait()
    }

    /// Starts the run and answers while it goes on.
    #[track_caller]
    pub(crate) fn spawn(self) -> Running {
        let mut line = self.prefix.clone();
        line.push(self.program.clone());
        line.extend(self.args.iter().cloned());
        let mut command = Command::new(&line[0]);
        command
            .args(&line[1..])
            .env_clear()
            .current_dir(&self.cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        // A group of its own, so that the watchdog reaches what a hanging pi started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("can't start {line:?}: {error}"));
        let mut stdin = child.stdin.take().expect("it is piped");
        let input = self.stdin;
        let writer = std::thread::spawn(move || {
            // A program that reads no input closes the pipe, which is its good right.
            let _ = stdin.write_all(&input);
        });
        Running {
            line: line
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join(" "),
            stdout: Collector::of(child.stdout.take().expect("it is piped")),
            stderr: Collector::of(child.stderr.take().expect("it is piped")),
            _writer: writer,
            started: Instant::now(),
            watchdog: self.watchdog,
            child,
            _place: self.place,
        }
    }
}

/// A stream that a thread reads.
struct Collector {
    bytes: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Collector {
    fn of(mut stream: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&bytes);
        let thread = std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(read @ 1..) = stream.read(&mut buffer) {
                shared.lock().unwrap().extend_from_slice(&buffer[..read]);
            }
        });
        Self { bytes, thread }
    }

    fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    /// All of it. Something that the run left behind may hold the pipe open, so the wait for its end is bounded.
    #[track_caller]
    fn whole(&self) -> String {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !self.thread.is_finished() {
            assert!(
                Instant::now() < deadline,
                "pi ended and something still holds its output open: {}",
                self.so_far()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        self.so_far()
    }
}

/// A run that goes on. Dropped before its end, it is killed.
pub(crate) struct Running {
    line: String,
    child: Child,
    stdout: Collector,
    stderr: Collector,
    _writer: JoinHandle<()>,
    started: Instant,
    watchdog: Duration,
    _place: Place,
}

impl Running {
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Standard output as far as it came.
    pub(crate) fn stdout_so_far(&self) -> String {
        self.stdout.so_far()
    }

    /// Standard error as far as it came.
    pub(crate) fn stderr_so_far(&self) -> String {
        self.stderr.so_far()
    }

    /// Whether it has ended.
    pub(crate) fn ended(&mut self) -> bool {
        self.child.try_wait().expect("it is our child").is_some()
    }

    /// Kills `pi` itself, as `kill -9` does: what it started goes on.
    pub(crate) fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the end.
    ///
    /// Panics where the watchdog had to end it.
    #[track_caller]
    pub(crate) fn wait(mut self) -> Output {
        let deadline = self.started + self.watchdog;
        let mut pause = Duration::from_micros(200);
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                break Some(status);
            }
            if Instant::now() > deadline {
                self.kill_all();
                break None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        };
        let output = Output {
            line: self.line.clone(),
            code: status.and_then(|status| status.code()),
            stdout: self.stdout.whole(),
            stderr: self.stderr.whole(),
        };
        assert!(
            status.is_some(),
            "hung for {:?} and was killed\n{output}",
            self.watchdog
        );
        output
    }

    fn kill_all(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.kill_all();
        }
    }
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Output {
    line: String,
    /// The exit code; `None` where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// Standard output as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!("standard output is not one JSON value: {error}\n{self}")
        })
    }

    /// Standard error has each of these in it.
    #[track_caller]
    pub(crate) fn says(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(
                self.stderr.contains(part),
                "standard error should contain {part:?}\n{self}"
            );
        }
        self
    }

    /// Neither stream has any of these in it.
    #[track_caller]
    pub(crate) fn lacks(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(
                !self.stderr.contains(part) && !self.stdout.contains(part),
                "the output should not contain {part:?}\n{self}"
            );
        }
        self
    }

    /// The exit code is this one, whatever was printed.
    #[track_caller]
    pub(crate) fn ended_with(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "the exit code is wrong\n{self}");
        self
    }

    #[track_caller]
    fn expect(&self, code: i32, stdout: &Expect, stderr: &Expect) {
        let problems: Vec<String> = (self.code != Some(code))
            .then(|| format!("the exit code should be {code}"))
            .into_iter()
            .chain(stdout.problem("standard output", &self.stdout))
            .chain(stderr.problem("standard error", &self.stderr))
            .collect();
        assert!(problems.is_empty(), "{}\n{self}", problems.join("\n"));
    }
}

impl std::fmt::Display for Output {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = format!("$ {}\nexit code: {:?}", self.line, self.code);
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            let _ = write!(text, "\n--- {name}\n{stream}");
        }
        formatter.write_str(&text)
    }
}
