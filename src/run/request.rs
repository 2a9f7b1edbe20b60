//! What a caller asks of a run, and the one place where it is validated.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::outcome::Mode;
use crate::approval::guard::Policy;
use crate::settings::{MAX_ARGS, MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, Settings, TIMEOUT_SECONDS};

/// The program of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// Python source, as the bytes that Python will read.
    Code(Vec<u8>),
    /// A script file.
    Script {
        /// Where it is, absolute.
        path: PathBuf,
        /// How it was named: what the program finds in `sys.argv[0]`.
        named: PathBuf,
        /// The bytes that were reviewed, which run whatever becomes of the file; without them the interpreter reads it.
        source: Option<Vec<u8>>,
    },
}

/// How long a run may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeLimit {
    /// What the settings say.
    Default,
    /// So many seconds; validated and clamped.
    Seconds(f64),
    /// For ever (the command line's `--no-timeout`).
    None,
}

/// What a run reads on standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stdin {
    /// End of file at once.
    #[default]
    Empty,
    /// The caller's own standard input (a script alone can have it).
    Inherit,
}

/// What is done with processes that the program left behind when it ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Leftovers {
    /// They are ended.
    #[default]
    End,
    /// They are left alone (`--detach-ok`).
    Keep,
}

/// What a caller asks for, as it was typed. [`Request::validate`] makes a [`Plan`] of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// Python source.
    pub code: Option<Vec<u8>>,
    /// A script, relative to `cwd`; a leading `@` is dropped.
    pub script_path: Option<PathBuf>,
    /// The program's arguments.
    pub args: Vec<OsString>,
    /// Where it runs, relative to the caller's directory.
    pub cwd: Option<PathBuf>,
    /// The time limit.
    pub time_limit: Option<TimeLimit>,
    /// Bytes returned of each stream.
    pub max_output_bytes: Option<u64>,
    /// Lines returned of each stream.
    pub max_output_lines: Option<u64>,
    /// Standard input.
    pub stdin: Stdin,
    /// Variables to set (`Some`) or to pass on although they are withheld (`None`).
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Keep escape sequences and progress bars in the returned text.
    pub raw: bool,
    /// What happens to what the program leaves behind.
    pub leftovers: Leftovers,
    /// Ids of approvals that a person gave together with the request. Whoever fills this in answers for that: what a
    /// model writes does not belong here.
    pub approve: Vec<String>,
    /// It writes nothing, so others of the kind may run beside it (`--read-only`).
    pub read_only: bool,
}

/// A request that makes sense, with every default and limit applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The program.
    pub program: Program,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where it runs: absolute, and a directory when it was checked.
    pub cwd: PathBuf,
    /// The time limit; `None` is without end.
    pub timeout: Option<Duration>,
    /// Bytes returned of each stream.
    pub max_output_bytes: u64,
    /// Lines returned of each stream.
    pub max_output_lines: u64,
    /// Standard input.
    pub stdin: Stdin,
    /// Variables to set or to pass on.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Keep escape sequences and progress bars in the returned text.
    pub raw: bool,
    /// What happens to what the program leaves behind.
    pub leftovers: Leftovers,
    /// It writes nothing.
    pub read_only: bool,
    /// What the program is held to; `None` is nothing at all.
    pub guard: Option<Policy>,
    /// What was clamped, a sentence each.
    pub notices: Vec<String>,
}

/// Why a request makes no sense. Nothing was started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither code nor a script, or both.
    #[error("exactly one of code and a script path is needed, and {} given", if *both { "both were" } else { "neither was" })]
    Program {
        /// Whether both were given.
        both: bool,
    },
    /// More arguments than a run takes.
    #[error("too many arguments: {count} were given, at most {MAX_ARGS} are taken")]
    Args {
        /// How many were given.
        count: usize,
    },
    /// An argument, path or variable that no process can be given.
    #[error("{what} contains a NUL character, which the system can't pass on")]
    Nul {
        /// Such as `argument 3`.
        what: String,
    },
    /// A variable's name that no environment can hold.
    #[error(
        "`{name}` is no name of an environment variable: it has to be there and may not contain `=`"
    )]
    VariableName {
        /// What was given.
        name: String,
    },
    /// A time limit that is no span of time.
    #[error(
        "the time limit has to be a number of seconds above 0 (over {} it is lowered to that): {seconds}",
        TIMEOUT_SECONDS.end()
    )]
    Timeout {
        /// What was given.
        seconds: f64,
    },
    /// The caller's standard input, for code.
    #[error("only a script can read the caller's standard input; code is itself handed over there")]
    StdinOfCode,
    /// The directory or the script can't be used.
    #[error("{role} {fault}: `{}`", path.display())]
    Path {
        /// What the path is for.
        role: Role,
        /// The resolved path.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
        /// What the system said, where it was asked.
        #[source]
        source: Option<io::Error>,
    },
}

/// What a path of a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Where the program runs.
    Cwd,
    /// The script.
    Script,
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Cwd => "the working directory",
            Self::Script => "the script",
        })
    }
}

/// What is wrong with a path of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is there.
    Missing,
    /// Something else than a directory is there.
    NotADirectory,
    /// A directory is there, and no file.
    Directory,
    /// A pipe, socket or device is there, and no regular file.
    Special,
    /// This user may not read or enter it.
    Unreadable,
    /// The system says something else.
    Other,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Missing => "does not exist",
            Self::NotADirectory => "is not a directory",
            Self::Directory => "is a directory, not a file",
            Self::Special => "is not a regular file",
            Self::Unreadable => "can't be read with this user's permissions",
            Self::Other => "can't be used",
        })
    }
}

impl Error {
    /// A script that was there a moment ago can't be read.
    pub(crate) fn unreadable_script(path: &Path, error: io::Error) -> Self {
        path_error(Role::Script, path, fault_of(&error), Some(error))
    }

    /// Whether the caller's words are wrong, rather than the state of the disk.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Path { .. })
    }
}

impl Plan {
    /// The same with the bytes of its script that were reviewed.
    #[must_use]
    pub fn holding(&self, reviewed: &[u8]) -> Self {
        let mut plan = self.clone();
        if let Program::Script { source, .. } = &mut plan.program {
            *source = Some(reviewed.to_owned());
        }
        plan
    }
}

impl Request {
    /// What kind of program it is of.
    #[must_use]
    pub fn mode(&self) -> Mode {
        if self.code.is_some() {
            Mode::Code
        } else {
            Mode::Script
        }
    }

    /// Holds the request against every rule and applies the defaults of `settings`. What is over a maximum is lowered
    /// (an output limit under its minimum raised) and said in [`Plan::notices`].
    ///
    /// # Errors
    /// What makes no sense, and paths that can't be used; see [`Error`].
    pub fn validate(&self, settings: &Settings) -> Result<Plan, Error> {
        let mut notices = Vec::new();
        let cwd = absolute(&settings.cwd, self.cwd.as_deref().unwrap_or(Path::new("")));
        check_texts(&self.args, &self.env)?;
        check_directory(&cwd)?;
        let program = self.program(&cwd)?;
        if self.stdin == Stdin::Inherit && matches!(program, Program::Code(_)) {
            return Err(Error::StdinOfCode);
        }
        Ok(Plan {
            program,
            args: self.args.clone(),
            timeout: self.timeout(settings, &mut notices)?,
            max_output_bytes: clamp(
                "maxOutputBytes",
                self.max_output_bytes,
                settings.max_output_bytes,
                &MAX_OUTPUT_BYTES,
                &mut notices,
            ),
            max_output_lines: clamp(
                "maxOutputLines",
                self.max_output_lines,
                settings.max_output_lines,
                &MAX_OUTPUT_LINES,
                &mut notices,
            ),
            cwd,
            stdin: self.stdin,
            env: self.env.clone(),
            raw: self.raw,
            leftovers: self.leftovers,
            read_only: self.read_only,
            guard: None,
            notices,
        })
    }

    fn program(&self, cwd: &Path) -> Result<Program, Error> {
        match (&self.code, &self.script_path) {
            (Some(code), None) => Ok(Program::Code(code.clone())),
            (None, Some(script)) => {
                let named = without_at(script);
                let path = absolute(cwd, named);
                check_script(&path)?;
                let named = named.to_owned();
                Ok(Program::Script {
                    path,
                    named,
                    source: None,
                })
            }
            (code, _) => Err(Error::Program {
                both: code.is_some(),
            }),
        }
    }

    fn timeout(
        &self,
        settings: &Settings,
        notices: &mut Vec<String>,
    ) -> Result<Option<Duration>, Error> {
        match self.time_limit {
            None | Some(TimeLimit::Default) => Ok(Some(settings.timeout)),
            Some(TimeLimit::None) => Ok(None),
            // Written so that NaN falls through to the error.
            Some(TimeLimit::Seconds(seconds)) if seconds > 0.0 => {
                let most = *TIMEOUT_SECONDS.end();
                if seconds > most {
                    notices.push(format!(
                        "the time limit of {seconds} seconds is lowered to {most}, the most that a run may ask for"
                    ));
                }
                let shortest = Duration::from_millis(1);
                Ok(Some(
                    Duration::from_secs_f64(seconds.min(most)).max(shortest),
                ))
            }
            Some(TimeLimit::Seconds(seconds)) => Err(Error::Timeout { seconds }),
        }
    }
}

fn clamp(
    name: &str,
    asked: Option<u64>,
    default: u64,
    range: &std::ops::RangeInclusive<u64>,
    notices: &mut Vec<String>,
) -> u64 {
    let Some(asked) = asked else { return default };
    let (least, most) = (*range.start(), *range.end());
    let used = asked.clamp(least, most);
    if used != asked {
        let verb = if used > asked { "raised" } else { "lowered" };
        notices.push(format!(
            "{name} of {asked} is {verb} to {used}; it can be {least} to {most}"
        ));
    }
    used
}

/// `path` seen from `dir`, without `.` components (links stay as they are).
fn absolute(dir: &Path, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() {
        // Joined with nothing, a directory would end in a separator.
        return dir.to_owned();
    }
    let joined = dir.join(path);
    std::path::absolute(&joined).unwrap_or(joined)
}

/// Agents write `@file` for a file; the sign is not part of its name.
fn without_at(path: &Path) -> &Path {
    let bytes = path.as_os_str().as_encoded_bytes();
    match bytes.strip_prefix(b"@") {
        // The rest of a path after an ASCII character is a path, in the platform's encoding too.
        Some(_) => path.to_str().map_or(path, |text| Path::new(&text[1..])),
        None => path,
    }
}

fn check_texts(args: &[OsString], env: &[(OsString, Option<OsString>)]) -> Result<(), Error> {
    if args.len() > MAX_ARGS {
        return Err(Error::Args { count: args.len() });
    }
    for (index, arg) in args.iter().enumerate() {
        check_nul(arg, || format!("argument {}", index + 1))?;
    }
    for (name, value) in env {
        let shown = || name.to_string_lossy().into_owned();
        if name.is_empty() || name.as_encoded_bytes().contains(&b'=') {
            return Err(Error::VariableName { name: shown() });
        }
        check_nul(name, || format!("the variable name `{}`", shown()))?;
        if let Some(value) = value {
            check_nul(value, || format!("the value of `{}`", shown()))?;
        }
    }
    Ok(())
}

fn check_nul(text: &OsStr, what: impl FnOnce() -> String) -> Result<(), Error> {
    if text.as_encoded_bytes().contains(&0) {
        return Err(Error::Nul { what: what() });
    }
    Ok(())
}

fn check_directory(path: &Path) -> Result<(), Error> {
    check_nul(path.as_os_str(), || Role::Cwd.to_string())?;
    let fail = |fault, source| Err(path_error(Role::Cwd, path, fault, source));
    match std::fs::metadata(path) {
        // Where the caller's own directory is gone, the system can't name it any more.
        _ if !path.is_absolute() => fail(Fault::Missing, None),
        Ok(meta) if !meta.is_dir() => fail(Fault::NotADirectory, None),
        Ok(_) if !may_enter(path) => fail(Fault::Unreadable, None),
        Ok(_) => Ok(()),
        Err(error) => fail(fault_of(&error), Some(error)),
    }
}

fn check_script(path: &Path) -> Result<(), Error> {
    check_nul(path.as_os_str(), || Role::Script.to_string())?;
    let fail = |fault, source| Err(path_error(Role::Script, path, fault, source));
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => fail(Fault::Directory, None),
        // Opening a FIFO would wait for a writer, so the kind is looked at first.
        Ok(meta) if !meta.is_file() => fail(Fault::Special, None),
        Ok(_) => match File::open(path) {
            Ok(_) => Ok(()),
            Err(error) => fail(fault_of(&error), Some(error)),
        },
        Err(error) => fail(fault_of(&error), Some(error)),
    }
}

fn path_error(role: Role, path: &Path, fault: Fault, source: Option<io::Error>) -> Error {
    Error::Path {
        role,
        path: path.to_owned(),
        fault,
        source,
    }
}

fn fault_of(error: &io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Fault::Missing,
        io::ErrorKind::PermissionDenied => Fault::Unreadable,
        _ => Fault::Other,
    }
}

#[cfg(unix)]
fn may_enter(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Windows says so when the program is started there.
#[cfg(not(unix))]
fn may_enter(_path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Environment;

    fn settings(cwd: &Path) -> Settings {
        let mut environment = Environment::default();
        environment.set(crate::settings::AGENT_DIR_VARIABLE, cwd.join("agent"));
        Settings::resolve(environment, cwd.to_owned())
    }

    fn code() -> Request {
        Request {
            code: Some(b"pass".to_vec()),
            ..Request::default()
        }
    }

    fn script(path: impl Into<PathBuf>) -> Request {
        Request {
            script_path: Some(path.into()),
            ..Request::default()
        }
    }

    fn limit(seconds: f64) -> Request {
        Request {
            time_limit: Some(TimeLimit::Seconds(seconds)),
            ..code()
        }
    }

    #[test]
    fn exactly_one_program_is_taken() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        let both = Request {
            code: Some(Vec::new()),
            ..script("x.py")
        };
        assert!(matches!(
            both.validate(&settings),
            Err(Error::Program { both: true })
        ));
        assert!(matches!(
            Request::default().validate(&settings),
            Err(Error::Program { both: false })
        ));
        assert!(code().validate(&settings).is_ok());
    }

    #[test]
    fn a_time_limit_is_above_zero_and_lowered_to_the_maximum() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        for bad in [0.0, -0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            let error = limit(bad).validate(&settings).expect_err("no span of time");
            assert!(matches!(error, Error::Timeout { .. }), "{bad}");
        }
        for (asked, used, notices) in [
            (0.5, 0.5, 0),
            (1.9, 1.9, 0),
            (300.0, 300.0, 0),
            (30_000.0, 300.0, 1),
            (1e12, 300.0, 1),
            (f64::INFINITY, 300.0, 1),
            (1e-300, 0.001, 0),
        ] {
            let plan = limit(asked).validate(&settings).expect("a span of time");
            assert_eq!(plan.timeout, Some(Duration::from_secs_f64(used)), "{asked}");
            assert_eq!(plan.notices.len(), notices, "{asked}");
        }
        let endless = Request {
            time_limit: Some(TimeLimit::None),
            ..code()
        };
        assert_eq!(endless.validate(&settings).expect("valid").timeout, None);
    }

    #[test]
    fn output_limits_are_brought_into_range_and_said() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let request = Request {
            max_output_bytes: Some(1),
            max_output_lines: Some(u64::MAX),
            ..code()
        };
        let plan = request.validate(&settings(dir.path())).expect("valid");
        assert_eq!(plan.max_output_bytes, *MAX_OUTPUT_BYTES.start());
        assert_eq!(plan.max_output_lines, *MAX_OUTPUT_LINES.end());
        assert_eq!(plan.notices.len(), 2);
    }

    #[test]
    fn a_script_is_a_readable_file_seen_from_the_directory() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        std::fs::create_dir(dir.path().join("sub")).expect("writable");
        std::fs::write(dir.path().join("sub/job.py"), "pass").expect("writable");
        let request = Request {
            cwd: Some("sub".into()),
            ..script("@job.py")
        };
        let plan = request.validate(&settings).expect("valid");
        assert_eq!(
            plan.program,
            Program::Script {
                path: dir.path().join("sub").join("job.py"),
                named: "job.py".into(),
                source: None,
            }
        );
        for (name, expected) in [("sub", Fault::Directory), ("nope.py", Fault::Missing)] {
            let error = script(name).validate(&settings).expect_err(name);
            assert!(
                matches!(&error, Error::Path { role: Role::Script, fault, path, .. }
                    if *fault == expected && *path == dir.path().join(name)),
                "{error}"
            );
        }
    }

    #[test]
    fn a_directory_that_cannot_be_used_is_named_in_full() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        std::fs::write(dir.path().join("file"), "").expect("writable");
        for (name, expected) in [("file", Fault::NotADirectory), ("gone", Fault::Missing)] {
            let request = Request {
                cwd: Some(name.into()),
                ..code()
            };
            let error = request.validate(&settings).expect_err(name);
            assert!(matches!(&error, Error::Path { fault, .. } if *fault == expected));
            let path = dir.path().join(name);
            assert!(error.to_string().contains(&path.display().to_string()));
        }
    }

    #[test]
    fn texts_that_no_process_can_be_given_are_refused() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let settings = settings(dir.path());
        let request = |args: Vec<OsString>, env: Vec<(OsString, Option<OsString>)>| Request {
            args,
            env,
            ..code()
        };
        for bad in [
            request(vec!["a\0b".into()], vec![]),
            request(vec!["a".into(); MAX_ARGS + 1], vec![]),
            request(vec![], vec![("A=B".into(), None)]),
            request(vec![], vec![("".into(), None)]),
            request(vec![], vec![("A".into(), Some("\0".into()))]),
        ] {
            assert!(bad.validate(&settings).is_err());
        }
    }
}
