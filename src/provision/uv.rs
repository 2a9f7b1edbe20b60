//! Running uv: which one, in which surroundings, and what is asked of it.
//!
//! uv runs in a directory of pi's own, so that no project's files steer it, and without the variables that name a
//! caller's environment. What a user set on purpose (mirrors, certificates, proxies, preferences) reaches it.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::home::{create_private_dir, write_atomic};
use crate::settings::{Environment, OLDEST_UV, Settings};

use super::asked::Version;
use super::helper::{self, Answer, Bounds, End, Ending};
use super::{Context, PassedOver, discover, probe, termux, volume};

/// Variables that point uv or Python at a caller's environment or project.
const STEERING: &[&str] = &[
    "VIRTUAL_ENV",
    "VIRTUAL_ENV_PROMPT",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "CONDA_PROMPT_MODIFIER",
    "CONDA_SHLVL",
    "PYENV_DIR",
    "PYENV_VIRTUAL_ENV",
    "PIPENV_ACTIVE",
    "POETRY_ACTIVE",
    "UV_PYTHON",
    "UV_PROJECT",
    "UV_PROJECT_ENVIRONMENT",
    "UV_WORKING_DIR",
    "UV_WORKING_DIRECTORY",
    "UV_ENV_FILE",
    "UV_SYSTEM_PYTHON",
    "UV_BREAK_SYSTEM_PACKAGES",
    "__PYVENV_LAUNCHER__",
    // These make uv say more than its answer, or say it in colours.
    "RUST_LOG",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
];

/// Variables whose value may be a path relative to the caller's directory, where uv does not run.
const PATHS: &[&str] = &[
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "SSL_CLIENT_CERT",
    "NETRC",
    "UV_CONFIG_FILE",
    "UV_PYTHON_DOWNLOADS_JSON_URL",
    "UV_PYTHON_INSTALL_DIR",
];

/// Variables by which a user prefers Pythons that uv installed, or the system's.
const PREFERENCES: &[&str] = &[
    "UV_PYTHON_PREFERENCE",
    "UV_MANAGED_PYTHON",
    "UV_NO_MANAGED_PYTHON",
];

/// uv says so on finding none; its exit code is that of any error.
const NONE_FOUND: &str = "No interpreter found";

/// Where, and with which variables, uv and the Pythons that are asked run.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    pub workdir: PathBuf,
    pub environment: Environment,
}

impl Surroundings {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            workdir: workdir(settings),
            environment: environment(settings),
        }
    }
}

/// A directory from which uv finds no project: pi's own, closed upwards by an empty `uv.toml`; where that can't be
/// made, the root of the file system.
fn workdir(settings: &Settings) -> PathBuf {
    let dir = settings.home.uv_workdir();
    let end_of_search = dir.join("uv.toml");
    if end_of_search.is_file() || write_atomic(&end_of_search, b"").is_ok() {
        return dir;
    }
    let root = settings.home.root().ancestors().last();
    root.map_or_else(|| settings.cwd.clone(), Path::to_path_buf)
}

fn environment(settings: &Settings) -> Environment {
    let mut environment = settings.environment.clone();
    environment.retain(|name| {
        let steers = STEERING.iter().any(|steering| is_variable(name, steering));
        !steers && !name.to_string_lossy().to_uppercase().starts_with("PYTHON")
    });
    if let Some(dir) = termux::temporary_dir(settings) {
        environment.set("TMPDIR", dir);
    }
    for name in PATHS {
        let Some(value) = environment.text(name) else {
            continue;
        };
        if !value.contains("://") {
            let path = settings.cwd.join(value);
            environment.set(*name, path);
        }
    }
    environment
}

/// Names of variables have no case on Windows.
fn is_variable(name: &OsStr, wanted: &str) -> bool {
    if cfg!(windows) {
        name.eq_ignore_ascii_case(wanted)
    } else {
        name == wanted
    }
}

/// Where a uv came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Found on PATH; it belongs to the user.
    Path,
    /// Placed in the agent directory by pi.
    Managed,
}

/// A uv that answered for its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Uv {
    /// The executable.
    pub path: PathBuf,
    /// Such as `0.12.5`.
    pub version: String,
    /// Where it came from.
    pub origin: Origin,
    #[serde(skip)]
    numbers: (u32, u32, u32),
}

/// Why a uv did not do what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The system would not start it.
    #[error("`{}` can't be started", .path.display())]
    NotStarted {
        /// The executable.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// It is on a file system from which no program may be started.
    #[error("`{}` can't be started: its file system is mounted noexec", .path.display())]
    Noexec {
        /// The executable.
        path: PathBuf,
    },
    /// It was ended at its deadline.
    #[error("`{command}` was not done within {:.0} s{}", .limit.as_secs_f64(), indented(.words))]
    TimedOut {
        /// What was run.
        command: String,
        /// How long it had.
        limit: Duration,
        /// The last that it said.
        words: String,
    },
    /// It failed.
    #[error("`{command}` {ending}{}", indented(.words))]
    Failed {
        /// What was run.
        command: String,
        /// How it ended.
        ending: String,
        /// The last that it said.
        words: String,
    },
    /// It answered something else than what was asked.
    #[error("`{command}` gave no answer that makes sense{}", indented(.words))]
    NoAnswer {
        /// What was run.
        command: String,
        /// What it said instead.
        words: String,
    },
    /// It is older than what pi can work with.
    #[error("uv {version} is older than {}.{}", OLDEST_UV.0, OLDEST_UV.1)]
    TooOld {
        /// Its version.
        version: String,
    },
}

impl Failure {
    /// Whether it ran out of time.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::TimedOut { .. })
    }

    /// Whether the file system keeps it from starting.
    #[must_use]
    pub fn is_noexec(&self) -> bool {
        matches!(self, Self::Noexec { .. })
    }

    /// The failure with its cause.
    pub(crate) fn in_one_line(&self) -> String {
        let source = std::error::Error::source(self);
        let whole = source.map_or_else(|| self.to_string(), |source| format!("{self}: {source}"));
        one_line(&whole)
    }
}

/// A failure with a program's words in it as one line for a note: what happened, and of the words the error or else
/// the last line.
pub(crate) fn one_line(text: &str) -> String {
    /// The most letters of such a line.
    const LONGEST: usize = 200;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let words: Vec<&str> = lines.collect();
    let error = words.iter().find(|line| line.starts_with("error"));
    let line = match error.or(words.last()) {
        Some(words) => format!("{first} {words}"),
        None => first.to_owned(),
    };
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// A program's own words, set off from ours.
pub(crate) fn indented(words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = words.lines().map(|line| format!("\n  {line}")).collect();
    format!(":{}", lines.concat())
}

/// The uv on PATH, and the ones that were passed over on the way to it.
#[derive(Debug, Default)]
pub(crate) struct OnPath {
    pub uv: Option<Uv>,
    pub passed_over: Vec<PassedOver>,
}

/// Looks for uv on PATH: the first that answers for its version and is new enough.
pub(crate) fn on_path(context: Context<'_>, surroundings: &Surroundings) -> OnPath {
    let mut found = OnPath::default();
    for path in discover::on_path(context.settings, OsStr::new("uv")) {
        if path == context.settings.home.uv() {
            continue;
        }
        match Uv::examine(context, surroundings, &path, Origin::Path) {
            Ok(uv) => {
                found.uv = Some(uv);
                break;
            }
            Err(failure) => found.passed_over.push(PassedOver {
                path,
                reason: failure.in_one_line(),
            }),
        }
    }
    found
}

/// What is searched for an interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Pythons in the agent directory and the system's.
    Everywhere,
    /// Pythons that uv installed in the agent directory.
    Own,
    /// Pythons that the user's own use of uv installed.
    Users,
}

impl Uv {
    /// Asks the uv at `path` for its version.
    pub(crate) fn examine(
        context: Context<'_>,
        surroundings: &Surroundings,
        path: &Path,
        origin: Origin,
    ) -> Result<Self, Failure> {
        let deadline = context.local_deadline();
        let mut command = Command::new(path);
        command
            .arg("--version")
            .env_clear()
            .envs(surroundings.environment.iter())
            .current_dir(&surroundings.workdir);
        let label = "uv --version";
        let answer = completed(
            path,
            label,
            command,
            Bounds {
                deadline,
                ending: Ending::Killed,
            },
        )?;
        let text = String::from_utf8_lossy(&answer.stdout);
        let version = text
            .strip_prefix("uv ")
            .map(str::trim_start)
            .unwrap_or_default();
        let Some(Version(major, minor, micro)) = Version::parse(version) else {
            return Err(Failure::NoAnswer {
                command: label.to_owned(),
                words: answer.words(),
            });
        };
        let version = version
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned();
        let numbers = (major, minor, micro);
        if numbers < OLDEST_UV {
            return Err(Failure::TooOld { version });
        }
        Ok(Self {
            path: path.to_path_buf(),
            version,
            origin,
            numbers,
        })
    }

    /// Asks for an interpreter; `None` is uv's own word that there is none.
    pub(crate) fn find(
        &self,
        context: Context<'_>,
        surroundings: &Surroundings,
        request: &str,
        scope: Scope,
    ) -> Result<Option<PathBuf>, Failure> {
        let mut args = vec!["python", "find", "--no-project"];
        match scope {
            Scope::Everywhere => args.push("--system"),
            Scope::Own | Scope::Users => args.extend(["--python-preference", "only-managed"]),
        }
        args.extend(["--", request]);
        let mut command = self.command(context.settings, surroundings, &args);
        if scope != Scope::Everywhere {
            for name in PREFERENCES {
                command.env_remove(name);
            }
        }
        if scope == Scope::Users {
            match surroundings.environment.get("UV_PYTHON_INSTALL_DIR") {
                Some(dir) => command.env("UV_PYTHON_INSTALL_DIR", dir),
                None => command.env_remove("UV_PYTHON_INSTALL_DIR"),
            };
        }
        let deadline = context.local_deadline();
        let label = label(&args);
        match completed(
            &self.path,
            &label,
            command,
            Bounds {
                deadline,
                ending: Ending::Killed,
            },
        ) {
            Ok(answer) => {
                let path = last_line(&answer.stdout).and_then(probe::path_from_bytes);
                path.filter(|path| path.is_absolute())
                    .map(Some)
                    .ok_or_else(|| Failure::NoAnswer {
                        command: label,
                        words: answer.words(),
                    })
            }
            Err(Failure::Failed { words, .. }) if words.contains(NONE_FOUND) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Installs a Python into the agent directory. uv makes it whole under another name and then renames it.
    pub(crate) fn install(
        &self,
        context: Context<'_>,
        surroundings: &Surroundings,
        version: &str,
        again: Again,
    ) -> Result<(), Failure> {
        let mut args = vec!["python", "install"];
        if again == Again::Yes {
            args.push("--reinstall");
        }
        args.extend(["--", version]);
        self.change(context, surroundings, &args)
    }

    /// Brings an installed Python to the newest patch of its minor version; `false` if this uv is too old to.
    pub(crate) fn upgrade(
        &self,
        context: Context<'_>,
        surroundings: &Surroundings,
        minor: &str,
    ) -> Result<bool, Failure> {
        /// The first uv with `uv python upgrade`.
        const FIRST_WITH_UPGRADE: (u32, u32, u32) = (0, 8, 0);
        if self.numbers < FIRST_WITH_UPGRADE {
            return Ok(false);
        }
        self.change(context, surroundings, &["python", "upgrade", minor])?;
        Ok(true)
    }

    fn change(
        &self,
        context: Context<'_>,
        surroundings: &Surroundings,
        args: &[&str],
    ) -> Result<(), Failure> {
        let mut command = self.command(context.settings, surroundings, args);
        self.trust_the_systems_certificates(&mut command, surroundings);
        let bounds = Bounds {
            deadline: context.deadline,
            ending: Ending::Asked,
        };
        completed(&self.path, &label(args), command, bounds)?;
        Ok(())
    }

    /// uv with everything that keeps its work inside the agent directory.
    fn command(&self, settings: &Settings, surroundings: &Surroundings, args: &[&str]) -> Command {
        let home = &settings.home;
        let mut command = Command::new(&self.path);
        command
            .args(args)
            .env_clear()
            .envs(surroundings.environment.iter())
            .current_dir(&surroundings.workdir)
            .env("UV_PYTHON_INSTALL_DIR", home.pythons())
            .env("UV_PYTHON_INSTALL_BIN", "0")
            .env("UV_PYTHON_INSTALL_REGISTRY", "0")
            .env("UV_NO_PROGRESS", "1")
            .env("NO_COLOR", "1");
        if create_private_dir(&home.uv_cache()).is_ok() && volume::is_writable(&home.uv_cache()) {
            command.env("UV_CACHE_DIR", home.uv_cache());
        } else {
            command.env("UV_NO_CACHE", "1");
        }
        if settings.offline {
            command.env("UV_OFFLINE", "1");
        }
        command
    }

    /// The certificates that our own downloads trust, unless the user chose. Newer uvs warn about the older name.
    fn trust_the_systems_certificates(&self, command: &mut Command, surroundings: &Surroundings) {
        const NEWER: &str = "UV_SYSTEM_CERTS";
        const OLDER: &str = "UV_NATIVE_TLS";
        /// From this version on, the newer name is certain to be known.
        const FIRST_WITH_NEWER: (u32, u32, u32) = (0, 12, 0);
        let environment = &surroundings.environment;
        if environment.get(NEWER).is_some() || environment.get(OLDER).is_some() {
            return;
        }
        command.env(NEWER, "true");
        if self.numbers < FIRST_WITH_NEWER {
            command.env(OLDER, "true");
        }
    }
}

impl fmt::Display for Uv {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "uv {} at `{}`", self.version, self.path.display())
    }
}

/// Whether what is already there is installed once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// What is there is left.
    No,
    /// What is there does not work, and is replaced.
    Yes,
}

/// Runs a command and accepts success alone.
fn completed(
    path: &Path,
    label: &str,
    command: Command,
    bounds: Bounds,
) -> Result<Answer, Failure> {
    let begun = Instant::now();
    let answer = helper::run(command, bounds).map_err(|source| not_started(path, source))?;
    match answer.end {
        End::TimedOut => Err(Failure::TimedOut {
            command: label.to_owned(),
            limit: bounds.deadline.saturating_duration_since(begun),
            words: answer.words(),
        }),
        End::Exited(_) if answer.succeeded() => Ok(answer),
        End::Exited(_) | End::Flooded => Err(Failure::Failed {
            command: label.to_owned(),
            ending: answer.ending(),
            words: answer.words(),
        }),
    }
}

fn not_started(path: &Path, source: io::Error) -> Failure {
    let path = path.to_path_buf();
    if source.kind() == io::ErrorKind::PermissionDenied && volume::is_noexec(&path) {
        return Failure::Noexec { path };
    }
    Failure::NotStarted { path, source }
}

fn label(args: &[&str]) -> String {
    format!("uv {}", args.join(" "))
}

/// The last line that is not empty, as bytes.
fn last_line(output: &[u8]) -> Option<Vec<u8>> {
    let lines = output.split(|byte| *byte == b'\n');
    lines
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .rfind(|line| !line.is_empty())
        .map(<[u8]>::to_vec)
}

/// Variables that steer nothing but are worth knowing when something does not arrive, for doctor.
pub(crate) fn is_network_variable(name: &OsStr) -> bool {
    const NAMES: &[&str] = &[
        "ALL_PROXY",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "NO_PROXY",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "SSL_CLIENT_CERT",
        "UV_SYSTEM_CERTS",
        "UV_NATIVE_TLS",
        "UV_PYTHON_INSTALL_MIRROR",
        "UV_ASTRAL_MIRROR_URL",
        "UV_PYTHON_DOWNLOADS_JSON_URL",
        "UV_DEFAULT_INDEX",
        "UV_INDEX_URL",
        "PIP_INDEX_URL",
        "PIP_EXTRA_INDEX_URL",
        "PIP_CONFIG_FILE",
    ];
    let upper: OsString = name.to_ascii_uppercase();
    NAMES.iter().any(|known| upper == *known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_environment_does_not_reach_uv_and_the_users_choices_do() {
        let settings = Settings::of_variables(&[
            ("VIRTUAL_ENV", "/venv"),
            ("UV_PROJECT", "/project"),
            ("PYTHONHOME", "/nowhere"),
            ("UV_PYTHON_INSTALL_MIRROR", "https://mirror.example"),
            ("UV_PYTHON_PREFERENCE", "only-system"),
            ("HTTPS_PROXY", "http://proxy.example"),
        ]);
        let environment = environment(&settings);
        for withheld in ["VIRTUAL_ENV", "UV_PROJECT", "PYTHONHOME"] {
            assert_eq!(environment.get(withheld), None, "{withheld}");
        }
        for kept in [
            "UV_PYTHON_INSTALL_MIRROR",
            "UV_PYTHON_PREFERENCE",
            "HTTPS_PROXY",
        ] {
            assert_eq!(
                environment.get(kept),
                settings.environment.get(kept),
                "{kept}"
            );
        }
    }

    #[test]
    fn relative_paths_are_meant_from_the_callers_directory() {
        let settings = Settings::of_variables(&[
            ("SSL_CERT_FILE", "ca.pem"),
            (
                "UV_PYTHON_DOWNLOADS_JSON_URL",
                "https://lists.example/pythons.json",
            ),
        ]);
        let environment = environment(&settings);
        let expected = settings.cwd.join("ca.pem");
        assert_eq!(environment.get("SSL_CERT_FILE"), Some(expected.as_os_str()));
        assert_eq!(
            environment.text("UV_PYTHON_DOWNLOADS_JSON_URL"),
            Some("https://lists.example/pythons.json")
        );
    }

    #[test]
    fn the_answer_is_the_last_line() {
        assert_eq!(
            last_line(b"warning\n/usr/bin/python3\r\n\n"),
            Some(b"/usr/bin/python3".to_vec())
        );
        assert_eq!(last_line(b"\n"), None);
    }

    #[test]
    fn a_note_is_one_short_line() {
        assert_eq!(one_line("`uv` exited with 2"), "`uv` exited with 2");
        assert_eq!(
            one_line("`uv` exited with 2:\n  warning: x\n  error: no\n  help: y"),
            "`uv` exited with 2: error: no"
        );
        assert_eq!(one_line("it failed:\n  one\n  two"), "it failed: two");
        let long = one_line(&format!("it failed:\n  {}", "ä".repeat(1000)));
        assert_eq!(long.chars().count(), 200);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn a_programs_words_are_set_off() {
        assert_eq!(indented(""), "");
        assert_eq!(indented("one\ntwo"), ":\n  one\n  two");
    }
}
