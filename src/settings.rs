//! Every default, limit, environment variable and setting, in one table.
//!
//! This is the only file that reads the process environment or spells a `PI_…` name. A [`Settings`] is resolved once
//! at the edge and handed down as a value. Layers, weakest first: the table's default, the user's `python.toml` in the
//! agent directory, the environment, then flags (applied by the command line on the resolved value). A project's
//! `.pi/python.toml` comes last and may only tighten what the others allow.
//!
//! A settings file that is broken is never fatal: what can't be used is named in [`Settings::warnings`] and left out.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::approval::{Categories, Category};
use crate::home::{self, Home};
use crate::provision::{is_clear_request, is_version_request};

/// The variable that names the agent directory.
pub const AGENT_DIR_VARIABLE: &str = "PI_CODING_AGENT_DIR";
/// Set to `1` in every interpreter that pi starts, so that a program can tell.
pub const MARKER_VARIABLE: &str = "PI_PYTHON_TOOL";
/// Names, to what a run or an editor starts, the locks that it holds and need not be waited for within it.
pub const HELD_VARIABLE: &str = "PI_BARRIER_HELD";
/// The oldest Python that pi accepts, as (major, minor).
pub const OLDEST_PYTHON: (u32, u32) = (3, 10);
/// The oldest `uv` on PATH that pi accepts, as (major, minor, patch).
pub const OLDEST_UV: (u32, u32, u32) = (0, 4, 0);

/// Shortest and longest time a run may ask for over a tool call, in seconds.
pub const TIMEOUT_SECONDS: std::ops::RangeInclusive<f64> = 1.0..=300.0;
/// Fewest and most bytes a stream's returned text may have.
pub const MAX_OUTPUT_BYTES: std::ops::RangeInclusive<u64> = 1_000..=200_000;
/// Fewest and most lines a stream's returned text may have.
pub const MAX_OUTPUT_LINES: std::ops::RangeInclusive<u64> = 1..=20_000;
/// The most arguments that a run takes.
pub const MAX_ARGS: usize = 256;
/// Time between asking the processes of a run to end and killing them.
pub const GRACE: Duration = Duration::from_secs(2);

/// How often one source is tried while its faults are transient.
pub const DOWNLOAD_TRIES: u32 = 3;
/// Time for a program to answer for its version, or a Python for what it is.
pub const PROBE_TIME: Duration = Duration::from_secs(10);
/// Time beyond all of provisioning for asking programs that are already there: a network that used up the total must
/// not hide a Python that needs none.
pub const LOCAL_TIME: Duration = Duration::from_secs(20);
/// Time for uv to be got at first where PATH has a Python that could be used without.
pub const UV_TIME_BESIDE_PYTHON: Duration = Duration::from_secs(30);
/// How long a person's no is answered from memory.
pub const REFUSAL_MEMORY: Duration = Duration::from_secs(10 * 60);
/// How long a question is kept that was not allowed for ever.
pub const KEEP_QUESTIONS_FOR: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How many questions are kept that were not allowed for ever.
pub const KEEP_QUESTIONS: usize = 256;
/// How long a failure of provisioning is answered from memory.
pub const FAILURE_MEMORY: Duration = Duration::from_secs(30);

/// Bounds of provisioning, and of the downloads within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvisionLimits {
    /// All of one provisioning, waiting for another process included.
    pub total: Duration,
    /// Opening one connection.
    pub connect: Duration,
    /// Silence on an open connection.
    pub idle: Duration,
}

/// A setting's type, with its range where it has one.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// A version of Python, as uv understands it.
    Version,
    /// One of these words.
    Word(&'static [&'static str]),
    /// True or false; `1`, `true`, `yes` and `on` are true in the environment.
    Flag,
    /// A whole number within the range.
    Integer(u64, u64),
    /// Seconds, fractions allowed, above 0 and at most this.
    Seconds(f64),
    /// Texts; separated by commas in the environment.
    List,
    /// Names; separated by commas or blanks in the environment, where an empty value says that there are none.
    Names,
}

/// How a project's settings file may change a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Project {
    /// Not at all.
    Ignored,
    /// Towards the smaller value.
    Lower,
    /// Towards true.
    TurnOn,
    /// By adding to the list.
    Extend,
    /// By leaving names out, or by naming any where none were named.
    Narrow,
}

/// One row of the settings table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The key in `python.toml`, with dots for tables.
    pub key: &'static str,
    /// The environment variable that overrides it.
    pub variable: Option<&'static str>,
    /// Type and range.
    pub kind: Kind,
    /// The default, as it would be written in the environment; empty means unset.
    pub default: &'static str,
    /// What a project may do with it.
    pub project: Project,
    /// One line for `pi settings` and the README.
    pub help: &'static str,
}

/// Names of variables that a run does not see unless `env.pass` or `--env` brings them back; `*` matches any letters.
const WITHHELD_BY_DEFAULT: &str = "*_API_KEY,*_API_KEYS,*_APIKEY,*_TOKEN,*_TOKENS,*_SECRET,*_SECRETS,*_SECRET_KEY,\
*_ACCESS_KEY,*_ACCESS_KEY_ID,*_PRIVATE_KEY,*_PASSWORD,*_PASSWD,*_PASSPHRASE,*_CREDENTIALS,*_CREDENTIAL,*_AUTH,\
*_WEBHOOK_URL,*_WEBHOOK,*_DSN,*_CONNECTION_STRING,DATABASE_URL,*_DATABASE_URL,REDIS_URL,MONGODB_URI,MONGO_URL,\
AMQP_URL,AWS_SESSION_TOKEN,AWS_PROFILE,GOOGLE_APPLICATION_CREDENTIALS,AZURE_CLIENT_*,PGPASSWORD,MYSQL_PWD,\
ANTHROPIC_*,OPENAI_*,GEMINI_*,OPENROUTER_*,MISTRAL_*,GROQ_*,XAI_*,HF_TOKEN,GH_TOKEN,GITHUB_TOKEN,\
NPM_TOKEN,NODE_AUTH_TOKEN,CARGO_REGISTRY_TOKEN,TWINE_*,UV_PUBLISH_*,SSH_AUTH_SOCK,SSH_AGENT_PID,GPG_AGENT_INFO";

/// The table. A test holds the README against it, row by row.
pub const TABLE: &[Row] = &[
    Row {
        key: "offline",
        variable: Some("PI_OFFLINE"),
        kind: Kind::Flag,
        default: "false",
        project: Project::TurnOn,
        help: "no network: use what is there and say what is missing",
    },
    Row {
        key: "uv.mirror",
        variable: Some("PI_UV_MIRROR"),
        kind: Kind::Text,
        default: "",
        project: Project::Ignored,
        help: "an http(s) or file address, or a folder, that is asked for uv before the release",
    },
    Row {
        key: "uv.source",
        variable: Some("PI_UV_SOURCE"),
        kind: Kind::Word(&["auto", "archive", "index"]),
        default: "auto",
        project: Project::Ignored,
        help: "where uv comes from: the release archive, the Python package index, or the first that answers",
    },
    Row {
        key: "uv.pins",
        variable: Some("PI_UV_PINS"),
        kind: Kind::Text,
        default: "",
        project: Project::Ignored,
        help: "a pin file to use in place of the compiled-in one",
    },
    Row {
        key: "python.use",
        variable: Some("PI_PYTHON"),
        kind: Kind::Text,
        default: "",
        project: Project::Ignored,
        help: "the interpreter: a path, or a version such as 3.12",
    },
    Row {
        key: "python.install",
        variable: Some("PI_PYTHON_INSTALL"),
        kind: Kind::Version,
        default: "3.13",
        project: Project::Ignored,
        help: "the version that is installed where no Python is found",
    },
    Row {
        key: "provision.total_seconds",
        variable: Some("PI_PROVISION_SECONDS"),
        kind: Kind::Seconds(3600.0),
        default: "300",
        project: Project::Ignored,
        help: "the time limit of all provisioning, in seconds",
    },
    Row {
        key: "provision.connect_seconds",
        variable: Some("PI_CONNECT_SECONDS"),
        kind: Kind::Seconds(300.0),
        default: "10",
        project: Project::Ignored,
        help: "the time limit of opening a connection, in seconds",
    },
    Row {
        key: "provision.idle_seconds",
        variable: Some("PI_IDLE_SECONDS"),
        kind: Kind::Seconds(300.0),
        default: "30",
        project: Project::Ignored,
        help: "how long a download may be silent, in seconds",
    },
    Row {
        key: "run.timeout_seconds",
        variable: Some("PI_TIMEOUT_SECONDS"),
        kind: Kind::Seconds(300.0),
        default: "30",
        project: Project::Lower,
        help: "the time limit of a run that names none, in seconds (at most 300)",
    },
    Row {
        key: "run.max_output_bytes",
        variable: Some("PI_MAX_OUTPUT_BYTES"),
        kind: Kind::Integer(*MAX_OUTPUT_BYTES.start(), *MAX_OUTPUT_BYTES.end()),
        default: "51200",
        project: Project::Lower,
        help: "the most bytes of each stream that a run returns (1,000 to 200,000)",
    },
    Row {
        key: "run.max_output_lines",
        variable: Some("PI_MAX_OUTPUT_LINES"),
        kind: Kind::Integer(*MAX_OUTPUT_LINES.start(), *MAX_OUTPUT_LINES.end()),
        default: "2000",
        project: Project::Lower,
        help: "the most lines of each stream that a run returns",
    },
    Row {
        key: "capabilities",
        variable: Some("PI_CAPABILITIES"),
        kind: Kind::Names,
        default: "",
        project: Project::Narrow,
        help: "what tools may do at all; where it is set, nothing runs without `run_shell` in it",
    },
    Row {
        key: "approval.ask",
        variable: Some("PI_APPROVAL_ASK"),
        kind: Kind::Word(&["auto", "never"]),
        default: "auto",
        project: Project::Ignored,
        help: "whether approval is asked for on a terminal: auto where there is one, or never",
    },
    Row {
        key: "approval.allow",
        variable: Some("PI_APPROVAL_ALLOW"),
        kind: Kind::Names,
        default: "",
        project: Project::Ignored,
        help: "kinds of effects that need no approval: delete, outside, program, signal, native, credentials, publish, tamper, write",
    },
    Row {
        key: "approval.roots",
        variable: Some("PI_APPROVAL_ROOTS"),
        kind: Kind::List,
        default: "",
        project: Project::Ignored,
        help: "directories that belong to the workspace beside the one that a run is in (absolute, or from `~`)",
    },
    Row {
        key: "barrier.wait_seconds",
        variable: Some("PI_BARRIER_WAIT_SECONDS"),
        kind: Kind::Seconds(86_400.0),
        default: "300",
        project: Project::Lower,
        help: "how long a run waits for others that work in its workspace, in seconds",
    },
    Row {
        key: "env.withhold",
        variable: Some("PI_ENV_WITHHOLD"),
        kind: Kind::List,
        default: WITHHELD_BY_DEFAULT,
        project: Project::Extend,
        help: "names of variables that a run does not see (`*` matches any letters)",
    },
    Row {
        key: "env.pass",
        variable: Some("PI_ENV_PASS"),
        kind: Kind::List,
        default: "",
        project: Project::Ignored,
        help: "names of withheld variables that a run sees all the same",
    },
    Row {
        key: "outputs.max_bytes",
        variable: Some("PI_OUTPUTS_MAX_BYTES"),
        kind: Kind::Integer(0, u64::MAX),
        default: "536870912",
        project: Project::Lower,
        help: "the most bytes of one stream that are kept on disk",
    },
    Row {
        key: "outputs.keep_days",
        variable: Some("PI_OUTPUTS_KEEP_DAYS"),
        kind: Kind::Integer(0, 36_500),
        default: "30",
        project: Project::Lower,
        help: "how many days kept outputs stay",
    },
    Row {
        key: "outputs.keep_runs",
        variable: Some("PI_OUTPUTS_KEEP_RUNS"),
        kind: Kind::Integer(0, 1_000_000),
        default: "64",
        project: Project::Lower,
        help: "of how many runs outputs are kept",
    },
    Row {
        key: "outputs.keep_bytes",
        variable: Some("PI_OUTPUTS_KEEP_BYTES"),
        kind: Kind::Integer(0, u64::MAX),
        default: "536870912",
        project: Project::Lower,
        help: "how many bytes of kept outputs stay in all",
    },
];

/// The environment variable that sets the setting with this key, for messages.
///
/// # Panics
/// Where the table has no such variable.
pub(crate) fn variable(key: &str) -> &'static str {
    TABLE
        .iter()
        .find(|row| row.key == key)
        .and_then(|row| row.variable)
        .expect("messages name settings of the table")
}

/// A snapshot of environment variables, passed down as a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// The variables of this process.
    #[must_use]
    pub fn of_this_process() -> Self {
        std::env::vars_os().collect()
    }

    /// The value of `name`, if it is set and not empty.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.get_or_empty(name).filter(|value| !value.is_empty())
    }

    /// The value of `name`, if it is set.
    #[must_use]
    pub fn get_or_empty(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// The value of `name` as text, if it is set, not empty and Unicode.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(OsStr::to_str)
    }

    /// Sets a variable.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.0.insert(name.into(), value.into());
    }

    /// Takes a variable out.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(OsStr::new(name));
    }

    /// Keeps the variables for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&OsStr) -> bool) {
        self.0.retain(|name, _| keep(name));
    }

    /// All variables, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}

/// Where uv may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The archive first, then the index.
    Auto,
    /// The release archive (or the mirror) alone.
    Archive,
    /// The Python package index (or the mirror) alone.
    Index,
}

/// What kept outputs may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLimits {
    /// Bytes of one stream.
    pub max_bytes: u64,
    /// Days that a run's outputs stay.
    pub keep_days: u64,
    /// Runs whose outputs stay.
    pub keep_runs: u64,
    /// Bytes of all outputs.
    pub keep_bytes: u64,
}

/// Which of the caller's variables a run does not see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentRules {
    /// Name patterns that are withheld.
    pub withhold: Vec<String>,
    /// Name patterns that pass all the same.
    pub pass: Vec<String>,
}

/// How people are asked for approval, and what needs none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApprovalRules {
    /// Whether a person on a terminal is never asked.
    pub never_ask: bool,
    /// Kinds of effects that need no approval.
    pub allow: Categories,
    /// Directories that belong to the workspace wherever a run is, absolute.
    pub roots: Vec<PathBuf>,
}

/// Everything that pi was told, resolved.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The variables of the caller.
    pub environment: Environment,
    /// The agent directory.
    pub home: Home,
    /// The caller's working directory, absolute.
    pub cwd: PathBuf,
    /// Use no network.
    pub offline: bool,
    /// Asked for uv before the release.
    pub mirror: Option<String>,
    /// Where uv may come from.
    pub source: Source,
    /// A pin file in place of the compiled-in one.
    pub pins: Option<PathBuf>,
    /// The interpreter that was asked for: a path or a version.
    pub python: Option<String>,
    /// The Python version to install where none is found.
    pub python_install: String,
    /// Bounds of provisioning.
    pub provision: ProvisionLimits,
    /// The time limit of a run that names none.
    pub timeout: Duration,
    /// Bytes of a stream that a run returns, where it names no other number.
    pub max_output_bytes: u64,
    /// Lines of a stream that a run returns, where it names no other number.
    pub max_output_lines: u64,
    /// What tools may do at all; `None` is everything.
    pub capabilities: Option<Vec<String>>,
    /// How people are asked for approval, and what needs none.
    pub approval: ApprovalRules,
    /// How long a run waits for others that work in its workspace.
    pub barrier_wait: Duration,
    /// What a run sees of the caller's environment.
    pub env: EnvironmentRules,
    /// What kept outputs may cost.
    pub outputs: OutputLimits,
    /// What could not be used of files and variables, a sentence each.
    pub warnings: Vec<String>,
    values: BTreeMap<&'static str, (Value, Origin)>,
}

/// Where a setting's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The table.
    Default,
    /// The user's `python.toml`.
    User,
    /// An environment variable.
    Environment,
    /// The project's `.pi/python.toml`.
    Project,
}

/// A setting's value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Text, or a word of a list of words.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A whole number.
    Integer(u64),
    /// Seconds.
    Seconds(f64),
    /// Texts.
    List(Vec<String>),
}

impl Settings {
    /// Resolves the settings of this process, with `cwd` as the caller's directory (this process's own if `None`).
    #[must_use]
    pub fn load(cwd: Option<&Path>) -> Self {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let cwd = cwd.map_or_else(|| here.clone(), |dir| here.join(dir));
        Self::resolve(Environment::of_this_process(), cwd)
    }

    /// Resolves settings for a given environment and directory.
    #[must_use]
    pub fn resolve(environment: Environment, cwd: PathBuf) -> Self {
        let mut warnings = Vec::new();
        let home = Home::locate(&environment, &mut warnings);
        let mut values: BTreeMap<&'static str, (Value, Origin)> = TABLE
            .iter()
            .map(|row| {
                let value = row
                    .kind
                    .parse(row.default)
                    .expect("every default in the table fits its kind");
                (row.key, (value, Origin::Default))
            })
            .collect();
        apply_file(&home.settings_file(), &mut warnings, |row, value| {
            values.insert(row.key, (value, Origin::User));
        });
        apply_environment(&environment, &mut warnings, &mut values);
        if let Some(file) = project_file(&cwd, &home) {
            apply_file(&file, &mut warnings, |row, value| {
                tighten(row, value, &mut values);
            });
        }
        let text = |key: &str| match &values[key].0 {
            Value::Text(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            _ => None,
        };
        let integer = |key: &str| match values[key].0 {
            Value::Integer(number) => number,
            _ => unreachable!("{key} is an integer in the table"),
        };
        let seconds = |key: &str| match values[key].0 {
            Value::Seconds(seconds) => Duration::from_secs_f64(seconds),
            _ => unreachable!("{key} is in seconds in the table"),
        };
        let list = |key: &str| match &values[key].0 {
            Value::List(list) => list.clone(),
            _ => Vec::new(),
        };
        let allow = allowed(&list("approval.allow"), &mut warnings);
        let roots = roots(&list("approval.roots"), &environment, &mut warnings);
        let mut settings = Self {
            offline: values["offline"].0 == Value::Flag(true),
            mirror: text("uv.mirror"),
            source: match text("uv.source").as_deref() {
                Some("archive") => Source::Archive,
                Some("index") => Source::Index,
                _ => Source::Auto,
            },
            pins: text("uv.pins").map(|path| cwd.join(path)),
            python: text("python.use"),
            python_install: text("python.install").unwrap_or_else(|| "3.13".to_owned()),
            provision: ProvisionLimits {
                total: seconds("provision.total_seconds"),
                connect: seconds("provision.connect_seconds"),
                idle: seconds("provision.idle_seconds"),
            },
            timeout: seconds("run.timeout_seconds"),
            max_output_bytes: integer("run.max_output_bytes"),
            max_output_lines: integer("run.max_output_lines"),
            capabilities: match values["capabilities"].1 {
                Origin::Default => None,
                _ => Some(list("capabilities")),
            },
            approval: ApprovalRules {
                never_ask: text("approval.ask").as_deref() == Some("never"),
                allow,
                roots,
            },
            barrier_wait: seconds("barrier.wait_seconds"),
            env: EnvironmentRules {
                withhold: list("env.withhold"),
                pass: list("env.pass"),
            },
            outputs: OutputLimits {
                max_bytes: integer("outputs.max_bytes"),
                keep_days: integer("outputs.keep_days"),
                keep_runs: integer("outputs.keep_runs"),
                keep_bytes: integer("outputs.keep_bytes"),
            },
            environment,
            home,
            cwd,
            warnings,
            values,
        };
        settings.leave_out_unclear_python();
        settings
    }

    /// Leaves out a `python.use` that nothing can be looked for by.
    fn leave_out_unclear_python(&mut self) {
        if is_clear_request(self) {
            return;
        }
        let unset = (Value::Text(String::new()), Origin::Default);
        let origin = self
            .values
            .insert("python.use", unset)
            .map(|(_, origin)| origin);
        let name = match origin {
            Some(Origin::Environment) => variable("python.use"),
            _ => "python.use",
        };
        let asked = self.python.take().unwrap_or_default();
        self.warnings.push(format!(
            "`{name}` is ignored: `{asked}` is neither a path, nor the name of a program on PATH, nor a version such as \
             3.12 or >=3.11"
        ));
    }

    /// Settings of a caller with these variables alone, and an agent directory that is never made.
    #[cfg(test)]
    pub(crate) fn of_variables(variables: &[(&str, &str)]) -> Self {
        let never_made = std::env::temp_dir().join("pi-never-made");
        let mut environment: Environment = variables
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .collect();
        environment.set(AGENT_DIR_VARIABLE, never_made);
        Self::resolve(environment, std::env::temp_dir())
    }

    /// Where the value of the setting with this key comes from.
    pub(crate) fn origin(&self, key: &str) -> Option<Origin> {
        self.values.get(key).map(|(_, origin)| *origin)
    }

    /// Whether this process was started by a program that pi runs, which can't approve anything.
    #[must_use]
    pub fn has_marker(&self) -> bool {
        self.environment.get(MARKER_VARIABLE).is_some()
    }

    /// Every row with its value and where that comes from, in the table's order.
    pub fn rows(&self) -> impl Iterator<Item = (&'static Row, &Value, Origin)> {
        TABLE.iter().map(|row| {
            let (value, origin) = &self.values[row.key];
            (row, value, *origin)
        })
    }
}

impl Kind {
    /// Reads a value as it is written in the environment.
    fn parse(self, text: &str) -> Result<Value, String> {
        let text = text.trim();
        match self {
            Self::Text => Ok(Value::Text(text.to_owned())),
            Self::Version if is_version_request(text) => Ok(Value::Text(text.to_owned())),
            Self::Version => Err("expected a version such as 3.13, >=3.11 or pypy@3.10".to_owned()),
            Self::Word(words) if words.contains(&text) => Ok(Value::Text(text.to_owned())),
            Self::Word(words) => Err(format!("expected one of {}", words.join(", "))),
            Self::Flag => match text.to_ascii_lowercase().as_str() {
                "1" | "true" | "yes" | "on" => Ok(Value::Flag(true)),
                "" | "0" | "false" | "no" | "off" => Ok(Value::Flag(false)),
                _ => Err("expected true or false".to_owned()),
            },
            Self::Integer(low, high) => match text.replace('_', "").parse::<u64>() {
                Ok(number) if (low..=high).contains(&number) => Ok(Value::Integer(number)),
                _ => Err(format!("expected a whole number from {low} to {high}")),
            },
            Self::Seconds(most) => match text.parse::<f64>() {
                Ok(seconds) if seconds > 0.0 && seconds <= most => Ok(Value::Seconds(seconds)),
                _ => Err(format!("expected seconds above 0 and at most {most}")),
            },
            Self::List => Ok(Value::List(items(text, |end| end == ','))),
            Self::Names => Ok(Value::List(items(text, |end| {
                end == ',' || end.is_whitespace()
            }))),
        }
    }

    /// Reads a value of a TOML file.
    fn read(self, value: &toml::Value) -> Result<Value, String> {
        match (self, value) {
            (Self::List | Self::Names, toml::Value::Array(items)) => items
                .iter()
                .map(|item| {
                    item.as_str()
                        .map(str::to_owned)
                        .ok_or_else(|| "expected a list of texts".to_owned())
                })
                .collect::<Result<_, _>>()
                .map(Value::List),
            // Left out, it would let everything pass; so one that forgot the brackets is understood.
            (Self::Names, toml::Value::String(text)) => self.parse(text),
            (Self::List | Self::Names, _) => Err("expected a list of texts".to_owned()),
            (Self::Flag, toml::Value::Boolean(flag)) => Ok(Value::Flag(*flag)),
            (Self::Flag, _) => Err("expected true or false".to_owned()),
            (Self::Text | Self::Version | Self::Word(_), toml::Value::String(text)) => {
                self.parse(text)
            }
            (
                Self::Integer(..) | Self::Seconds(_),
                toml::Value::Integer(_) | toml::Value::Float(_),
            ) => self.parse(&value.to_string()),
            (Self::Integer(..) | Self::Seconds(_), _) => Err("expected a number".to_owned()),
            (Self::Text | Self::Version | Self::Word(_), _) => Err("expected a text".to_owned()),
        }
    }
}

/// What stands between separators, without blanks around it.
fn items(text: &str, separates: impl Fn(char) -> bool) -> Vec<String> {
    text.split(separates)
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// The kinds of effects of `approval.allow`.
fn allowed(named: &[String], warnings: &mut Vec<String>) -> Categories {
    let known = |name: &String| {
        let category = Category::named(name);
        if category.is_none() {
            warnings.push(format!(
                "`{name}` of `approval.allow` is ignored: it is no kind of effect"
            ));
        }
        category
    };
    named.iter().filter_map(known).collect()
}

/// The directories of `approval.roots`. One that is relative would be another in every directory.
fn roots(named: &[String], environment: &Environment, warnings: &mut Vec<String>) -> Vec<PathBuf> {
    let home = home::user_home(environment);
    let mut roots = Vec::new();
    for name in named {
        let root = match (name.strip_prefix('~'), &home) {
            (Some(""), Some(home)) => home.clone(),
            (Some(rest), Some(home)) if rest.starts_with(std::path::is_separator) => {
                home.join(rest.trim_start_matches(std::path::is_separator))
            }
            _ => PathBuf::from(name),
        };
        if root.is_absolute() {
            roots.push(root);
        } else {
            warnings.push(format!(
                "`{name}` of `approval.roots` is ignored: it has to be absolute, or begin with `~/`"
            ));
        }
    }
    roots
}

/// The nearest `.pi/python.toml` at or above `cwd` that is not the user's own.
fn project_file(cwd: &Path, home: &Home) -> Option<PathBuf> {
    cwd.ancestors()
        .map(|dir| dir.join(".pi").join("python.toml"))
        .find(|file| file.is_file() && *file != home.settings_file())
}

fn apply_file(path: &Path, warnings: &mut Vec<String>, mut apply: impl FnMut(&'static Row, Value)) {
    let text = match home::read_text(path) {
        Ok(text) => text,
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return;
        }
        Err(error) => {
            return warnings.push(format!(
                "settings file `{}` is ignored: {error}",
                path.display()
            ));
        }
    };
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            return warnings.push(format!(
                "settings file `{}` is ignored: {}",
                path.display(),
                error.to_string().trim()
            ));
        }
    };
    for (key, value) in flatten("", &table) {
        let Some(row) = TABLE.iter().find(|row| row.key == key) else {
            warnings.push(format!("unknown setting `{key}` in `{}`", path.display()));
            continue;
        };
        match row.kind.read(value) {
            Ok(value) => apply(row, value),
            Err(problem) => warnings.push(format!(
                "setting `{key}` in `{}` is ignored: {problem}",
                path.display()
            )),
        }
    }
}

/// The leaves of nested tables, with dotted keys.
fn flatten<'a>(prefix: &str, table: &'a toml::Table) -> Vec<(String, &'a toml::Value)> {
    table
        .iter()
        .flat_map(|(name, value)| {
            let key = if prefix.is_empty() {
                name.clone()
            } else {
                format!("{prefix}.{name}")
            };
            match value {
                toml::Value::Table(inner) => flatten(&key, inner),
                leaf => vec![(key, leaf)],
            }
        })
        .collect()
}

fn apply_environment(
    environment: &Environment,
    warnings: &mut Vec<String>,
    values: &mut BTreeMap<&'static str, (Value, Origin)>,
) {
    for row in TABLE {
        let Some(variable) = row.variable else {
            continue;
        };
        let raw = match row.kind {
            Kind::Names => environment.get_or_empty(variable),
            _ => environment.get(variable),
        };
        let Some(raw) = raw else {
            continue;
        };
        let text = match (raw.to_str(), row.kind) {
            (Some(text), _) => Ok(text.into()),
            // Left out, it would let everything pass.
            (None, Kind::Names) => Ok(raw.to_string_lossy()),
            (None, _) => Err("it is not Unicode".to_owned()),
        };
        match text.and_then(|text| row.kind.parse(&text)) {
            Ok(value) => {
                values.insert(row.key, (value, Origin::Environment));
            }
            Err(problem) => warnings.push(format!("`{variable}` is ignored: {problem}")),
        }
    }
}

/// Applies a project's value where it is stricter than what stands.
fn tighten(row: &'static Row, value: Value, values: &mut BTreeMap<&'static str, (Value, Origin)>) {
    let (standing, origin) = &values[row.key];
    let tightened = match (row.project, standing, value) {
        (Project::Lower, Value::Integer(old), Value::Integer(new)) if new < *old => {
            Value::Integer(new)
        }
        (Project::Lower, Value::Seconds(old), Value::Seconds(new)) if new < *old => {
            Value::Seconds(new)
        }
        (Project::TurnOn, Value::Flag(false), Value::Flag(true)) => Value::Flag(true),
        (Project::Extend, Value::List(old), Value::List(new)) => {
            Value::List(old.iter().cloned().chain(new).collect())
        }
        (Project::Narrow, Value::List(old), Value::List(mut new)) => {
            new.retain(|name| *origin == Origin::Default || old.contains(name));
            Value::List(new)
        }
        _ => return,
    };
    values.insert(row.key, (tightened, Origin::Project));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings_with(user: &str, project: &str, variables: &[(&str, &str)]) -> Settings {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let (home, work) = (dir.path().join("home"), dir.path().join("work"));
        std::fs::create_dir_all(&home).expect("writable");
        std::fs::create_dir_all(work.join(".pi")).expect("writable");
        std::fs::write(home.join("python.toml"), user).expect("writable");
        std::fs::write(work.join(".pi/python.toml"), project).expect("writable");
        let mut environment: Environment = variables
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .collect();
        environment.set(AGENT_DIR_VARIABLE, home);
        Settings::resolve(environment, work)
    }

    #[test]
    fn the_environment_outranks_the_users_file() {
        let settings = settings_with(
            "[python]\ninstall = \"3.12\"\n",
            "",
            &[("PI_PYTHON_INSTALL", "3.11")],
        );
        assert_eq!(settings.python_install, "3.11");
        assert_eq!(settings.warnings, Vec::<String>::new());
    }

    #[test]
    fn a_project_tightens_and_never_loosens() {
        let project = "offline = true\n[run]\nmax_output_bytes = 200000\ntimeout_seconds = 5\n[env]\npass = [\"HF_TOKEN\"]\nwithhold = [\"MINE\"]\n[uv]\nmirror = \"http://evil\"\n";
        let settings = settings_with("", project, &[]);
        assert!(settings.offline);
        assert_eq!(settings.timeout, Duration::from_secs(5));
        assert_eq!(settings.max_output_bytes, 51_200);
        assert_eq!(settings.env.pass, Vec::<String>::new());
        assert!(settings.env.withhold.contains(&"MINE".to_owned()));
        assert!(
            settings.env.withhold.len() > 20,
            "the default list still stands"
        );
        assert_eq!(settings.mirror, None);
    }

    #[test]
    fn what_is_broken_is_named_and_left_out() {
        let settings = settings_with(
            "offline = 3\nwhat = 1\n",
            "= nonsense",
            &[("PI_MAX_OUTPUT_BYTES", "lots")],
        );
        assert!(!settings.offline);
        assert_eq!(settings.max_output_bytes, 51_200);
        let all = settings.warnings.join("\n");
        for part in ["`offline`", "`what`", ".pi", "`PI_MAX_OUTPUT_BYTES`"] {
            assert!(all.contains(part), "{part} is missing in: {all}");
        }
    }
}
