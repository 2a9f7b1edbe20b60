//! Which Python was asked for: any that will do, the one at a path, or one of a version.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use crate::home::user_home;
use crate::settings::{OLDEST_PYTHON, Settings};

use super::discover;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Any Python that is not too old.
    Any,
    /// The interpreter at this absolute path, or the one of the virtual environment there.
    Path(PathBuf),
    /// A request in uv's words: `3.12`, `>=3.11,<3.13`, `pypy@3.10`.
    Version(String),
    /// Neither a path nor a version; never handed to anybody.
    Unclear(String),
}

impl Asked {
    /// Reads the setting. A text with a path separator is a path; a name that PATH knows is the path found there; what
    /// has the form of a version is one.
    pub(crate) fn of(settings: &Settings) -> Self {
        let Some(text) = settings.python.as_deref().map(str::trim) else {
            return Self::Any;
        };
        if text.is_empty() {
            return Self::Any;
        }
        if let Some(rest) = text.strip_prefix("~/")
            && let Some(home) = user_home(&settings.environment)
        {
            return Self::Path(interpreter_in(home.join(rest)));
        }
        if text.chars().any(std::path::is_separator) {
            let path = settings.cwd.join(text);
            return Self::Path(interpreter_in(std::path::absolute(&path).unwrap_or(path)));
        }
        if text.starts_with(|first: char| first.is_alphabetic())
            && let Some(path) = discover::on_path(settings, OsStr::new(text))
                .into_iter()
                .next()
        {
            return Self::Path(path);
        }
        if is_version_request(text) {
            Self::Version(text.to_owned())
        } else {
            Self::Unclear(text.to_owned())
        }
    }

    /// The name under which the answer is remembered.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Any => "default".to_owned(),
            Self::Path(path) => format!("path {}", path.display()),
            Self::Version(text) => format!("version {text}"),
            Self::Unclear(text) => format!("unclear {text}"),
        }
    }

    /// The request in uv's words.
    pub(crate) fn request(&self) -> String {
        match self {
            Self::Any => format!(">={}.{}", OLDEST_PYTHON.0, OLDEST_PYTHON.1),
            Self::Path(path) => path.display().to_string(),
            Self::Version(text) | Self::Unclear(text) => text.clone(),
        }
    }

    /// Whether a plain version was asked for that is too old in any case.
    pub(crate) fn is_too_old(&self) -> bool {
        let Self::Version(text) = self else {
            return false;
        };
        let plain = text.starts_with(|first: char| first.is_ascii_digit());
        // `3` alone may be any of its minor versions.
        plain
            && text.contains('.')
            && Version::parse(text).is_some_and(|version| !version.is_supported())
            || matches!(text.as_str(), "0" | "1" | "2")
    }

    /// Whether an interpreter of this version is what was asked for. A request that only uv understands fits none
    /// that uv did not choose.
    pub(crate) fn accepts(&self, version: Version) -> bool {
        match self {
            Self::Any | Self::Path(_) => true,
            Self::Version(text) => matches(text, version).unwrap_or(false),
            Self::Unclear(_) => false,
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => write!(
                out,
                "Python {}.{} or newer",
                OLDEST_PYTHON.0, OLDEST_PYTHON.1
            ),
            Self::Path(path) => write!(out, "the Python at `{}`", path.display()),
            Self::Version(text) | Self::Unclear(text) => write!(out, "Python {text}"),
        }
    }
}

/// Whether a text has the form of a request for a version, as uv understands it: `3.12`, `3.13t`, `>=3.11,<3.14`,
/// `pypy3.10`, `cpython@3.12`. Nothing else is handed to uv, which would read options and paths in it.
pub(crate) fn is_version_request(text: &str) -> bool {
    /// Longer requests make no sense.
    const LONGEST: usize = 100;
    text.len() <= LONGEST && text.split(',').all(|clause| is_clause(clause.trim()))
}

fn is_clause(clause: &str) -> bool {
    const IMPLEMENTATIONS: [&str; 10] = [
        "cpython", "pypy", "graalpy", "pyodide", "python", "any", "default", "cp", "pp", "gp",
    ];
    if is_number(clause) {
        return true;
    }
    let lower = clause.to_ascii_lowercase();
    let implementation = IMPLEMENTATIONS
        .into_iter()
        .find_map(|name| lower.strip_prefix(name));
    match implementation {
        Some("") => true,
        // `cpython-3.12.4-linux-x86_64-gnu`
        Some(rest) if rest.starts_with('-') => is_plain(&rest[1..]),
        Some(rest) => is_number(rest.strip_prefix('@').unwrap_or(rest)),
        None => false,
    }
}

/// A version, with an operator before it or without.
fn is_number(text: &str) -> bool {
    let operator = OPERATORS
        .iter()
        .find_map(|operator| text.strip_prefix(operator));
    let number = operator.unwrap_or(text).trim_start();
    number.starts_with(|first: char| first.is_ascii_digit()) && is_plain(number)
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || ".*+-_".contains(letter))
}

/// A path that names a virtual environment means the interpreter in it.
fn interpreter_in(path: PathBuf) -> PathBuf {
    if !path.is_dir() {
        return path;
    }
    let names: &[&str] = if cfg!(windows) {
        &["Scripts/python.exe", "python.exe"]
    } else {
        &["bin/python3", "bin/python"]
    };
    let inside = names
        .iter()
        .map(|name| path.join(name))
        .find(|file| file.is_file());
    inside.unwrap_or(path)
}

/// A version as three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Reads `3`, `3.12`, `3.12.4` and what begins so, such as `3.14.0rc2`; what is missing is 0.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(Self::parse_with_length(text)?.0)
    }

    /// The version, and how many of its numbers were given.
    fn parse_with_length(text: &str) -> Option<(Self, usize)> {
        let mut numbers = [0; 3];
        let mut given = 0;
        for part in text.trim().split('.').take(3) {
            let digits = part
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(part.len());
            if digits == 0 {
                break;
            }
            numbers[given] = part[..digits].parse().ok()?;
            given += 1;
            if digits < part.len() {
                break;
            }
        }
        (given > 0).then_some((Self(numbers[0], numbers[1], numbers[2]), given))
    }

    pub(crate) fn is_supported(self) -> bool {
        (self.0, self.1) >= OLDEST_PYTHON
    }

    fn numbers(self) -> [u32; 3] {
        [self.0, self.1, self.2]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// What may stand before a version, the longer ones first.
const OPERATORS: [&str; 8] = ["===", "==", "!=", ">=", "<=", "~=", ">", "<"];

/// Whether a version fits a request of clauses separated by commas; `None` where the request is not of that form.
pub(crate) fn matches(request: &str, version: Version) -> Option<bool> {
    request
        .split(',')
        .map(|clause| fits(clause.trim(), version))
        .try_fold(true, |all, one| Some(all && one?))
}

fn fits(clause: &str, version: Version) -> Option<bool> {
    let operator = OPERATORS
        .into_iter()
        .find(|operator| clause.starts_with(operator));
    let text = operator
        .map_or(clause, |operator| &clause[operator.len()..])
        .trim();
    let text = text.strip_suffix(".*").unwrap_or(text);
    if !text
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter == '.')
    {
        return None;
    }
    let (wanted, given) = Version::parse_with_length(text)?;
    let begins_so = version.numbers()[..given] == wanted.numbers()[..given];
    Some(match operator {
        None | Some("==" | "===") => begins_so,
        Some("!=") => !begins_so,
        Some(">=") => version >= wanted,
        Some("<=") => version <= wanted,
        Some(">") => version > wanted,
        Some("<") => version < wanted,
        // Compatible: at least this, and the same in all but the last number given.
        Some(_) => {
            version >= wanted
                && version.numbers()[..given - 1] == wanted.numbers()[..given - 1]
                && given > 1
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_programs_print() {
        for (text, expected) in [
            ("3.13.1", Some(Version(3, 13, 1))),
            ("3.14.0rc2", Some(Version(3, 14, 0))),
            ("3.12", Some(Version(3, 12, 0))),
            ("3.13.0+", Some(Version(3, 13, 0))),
            ("0.4.30 (abc 2024)", Some(Version(0, 4, 30))),
            ("three", None),
            ("", None),
            ("99999999999.1", None),
        ] {
            assert_eq!(Version::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_handed_to_uv_has_the_form_of_a_version() {
        for request in [
            "3",
            "3.13",
            "3.13.1",
            "3.13t",
            "3.14.0rc2",
            "3.13+freethreaded",
            ">=3.11",
            ">= 3.11, <3.14",
            "==3.12.*",
            "~=3.11",
            "cpython",
            "cpython@3.12",
            "cpython@>=3.12",
            "cpython3.12",
            "CPython>=3.12",
            "pypy3.10",
            "pypy@3.10",
            "cp312",
            "graalpy-3.11.0-linux-x86_64-gnu",
            "python3.12",
        ] {
            assert!(is_version_request(request), "{request}");
        }
        for text in [
            "",
            "banana",
            "-3.13",
            "--help",
            "3.13 --reinstall",
            "3.13,--help",
            "../3.13",
            "3.13/../x",
            "cpython@",
            "cpython@-x",
            "pythonista",
            "\u{663}.12",
            "https://host.example/python",
        ] {
            assert!(!is_version_request(text), "{text}");
        }
        assert!(!is_version_request(&"3".repeat(1000)));
    }

    #[test]
    fn a_plain_old_version_is_known_as_such() {
        for (text, old) in [
            ("3.8", true),
            ("2.7.18", true),
            ("2", true),
            ("3", false),
            ("3.10", false),
            ("3.13.1", false),
            (">=3.8", false),
            ("pypy@3.8", false),
        ] {
            assert_eq!(Asked::Version(text.to_owned()).is_too_old(), old, "{text}");
        }
    }

    #[test]
    fn a_request_fits_or_does_not() {
        let version = Version(3, 12, 4);
        for (request, expected) in [
            ("3", Some(true)),
            ("3.12", Some(true)),
            ("3.1", Some(false)),
            ("3.12.4", Some(true)),
            ("3.12.1", Some(false)),
            (">=3.11", Some(true)),
            (">=3.11, <3.12", Some(false)),
            (">3.12.4", Some(false)),
            ("<=3.12", Some(false)),
            ("<3.13", Some(true)),
            ("~=3.11", Some(true)),
            ("~=3.12.5", Some(false)),
            ("~=3.12.1", Some(true)),
            ("==3.12.*", Some(true)),
            ("!=3.12.4", Some(false)),
            ("pypy@3.10", None),
            ("3.13t", None),
            ("", None),
        ] {
            assert_eq!(matches(request, version), expected, "{request}");
        }
    }
}
