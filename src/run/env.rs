//! What a run sees of its caller's environment: a pure function from variables and rules to variables.
//!
//! The caller's variables pass, but for three kinds: what the settings withhold (keys and credentials), variables
//! that steer Python itself, and what an activated virtual environment left. `env.pass` and a request bring any of
//! them back. A process of the same user can find other ways to its caller's environment, so this keeps credentials
//! out of sight of ordinary code and output; it is no wall.

use std::ffi::{OsStr, OsString};

use crate::settings::{Environment, EnvironmentRules, MARKER_VARIABLE};

/// Variables that change how Python starts, prints or imports.
const STEERS_PYTHON: &[&str] = &["PYTHON*", "__PYVENV_LAUNCHER__"];
/// What the caller means for the program itself: where its own code is, and that it repeats itself.
const MEANT_FOR_PROGRAMS: &[&str] = &["PYTHONPATH", "PYTHONHASHSEED"];

/// What an activated environment leaves behind. Its `bin` stays on PATH, so its programs are still found.
const OF_VIRTUAL_ENVIRONMENTS: &[&str] = &[
    "CONDA_DEFAULT_ENV",
    "CONDA_PREFIX",
    "CONDA_PROMPT_MODIFIER",
    "CONDA_PYTHON_EXE",
    "CONDA_SHLVL",
    "PIPENV_ACTIVE",
    "POETRY_ACTIVE",
    "PYENV_VERSION",
    "UV_PROJECT",
    "UV_PROJECT_ENVIRONMENT",
    "UV_PYTHON",
    "VIRTUAL_ENV",
    "VIRTUAL_ENV_PROMPT",
];

/// What every run has, whatever its caller has.
const SET: &[(&str, &str)] = &[
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONIOENCODING", "utf-8"),
    ("PYTHONUNBUFFERED", "1"),
    ("PYTHONUTF8", "1"),
];

/// The environment of a run: `caller`'s, less what the rules withhold, plus what every run has, plus what was
/// `asked` for by name: to set (`Some`), or to pass on although it would be withheld (`None`).
#[must_use]
pub fn of_run(
    caller: &Environment,
    rules: &EnvironmentRules,
    asked: &[(OsString, Option<OsString>)],
) -> Environment {
    let mut environment: Environment = caller
        .iter()
        .filter(|(name, _)| passes(name, rules))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    for (name, value) in SET {
        environment.set(*name, *value);
    }
    for (name, value) in asked {
        let callers = || {
            caller
                .iter()
                .find(|(candidate, _)| same_name(candidate, name))
        };
        if let Some(value) = value {
            environment.set(name, value);
        } else if let Some((_, value)) = callers() {
            environment.set(name, value);
        }
    }
    environment.set(MARKER_VARIABLE, "1");
    environment
}

fn passes(name: &OsStr, rules: &EnvironmentRules) -> bool {
    let named_in = |names: &[&str]| names.iter().any(|known| matches(known, name));
    let listed_in = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, name));
    let steers = named_in(STEERS_PYTHON) && !named_in(MEANT_FOR_PROGRAMS);
    let withheld = steers || named_in(OF_VIRTUAL_ENVIRONMENTS) || listed_in(&rules.withhold);
    !withheld || listed_in(&rules.pass)
}

/// Whether `name` fits `pattern`, in which `*` stands for any characters. A pattern that begins with `*_` fits the
/// bare name too, so that `*_TOKEN` means `TOKEN` as well.
fn matches(pattern: &str, name: &OsStr) -> bool {
    let (name, pattern) = (name.as_encoded_bytes(), pattern.as_bytes());
    glob(pattern, name)
        || pattern
            .strip_prefix(b"*_")
            .is_some_and(|bare| glob(bare, name))
}

fn same_name(one: &OsStr, other: &OsStr) -> bool {
    comparable(one) == comparable(other)
}

#[cfg(not(windows))]
fn comparable(name: &OsStr) -> &OsStr {
    name
}

/// Windows keeps the case of a name and ignores it when it looks one up.
#[cfg(windows)]
fn comparable(name: &OsStr) -> OsString {
    name.to_ascii_uppercase()
}

/// Letters of either case fit each other: a secret is one in small letters too. This runs for every variable of every
/// run against every pattern, so it looks at the ends first.
fn glob(pattern: &[u8], name: &[u8]) -> bool {
    // Most pairs differ here already.
    if let (Some(end), Some(last)) = (pattern.last(), name.last())
        && *end != b'*'
        && !end.eq_ignore_ascii_case(last)
    {
        return false;
    }
    let mut parts = pattern.split(|byte| *byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = behind(name, first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(found) = (0..=rest.len()).find_map(|at| behind(&rest[at..], part)) else {
            return false;
        };
        rest = found;
    }
    rest.len() >= last.len() && rest[rest.len() - last.len()..].eq_ignore_ascii_case(last)
}

/// What stands in `name` behind `part`, if it begins with that.
fn behind<'a>(name: &'a [u8], part: &[u8]) -> Option<&'a [u8]> {
    let (begin, rest) = name.split_at_checked(part.len())?;
    begin.eq_ignore_ascii_case(part).then_some(rest)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::settings::Settings;

    fn caller(names: &[&str]) -> Environment {
        names
            .iter()
            .map(|name| (OsString::from(name), OsString::from("v")))
            .collect()
    }

    fn default_rules() -> EnvironmentRules {
        Settings::resolve(Environment::default(), PathBuf::from("nowhere")).env
    }

    fn names(environment: &Environment) -> Vec<String> {
        environment
            .iter()
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn credentials_stay_and_ordinary_variables_pass() {
        let secret = [
            "DATABASE_URL",
            "SLACK_WEBHOOK_URL",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "SENTRY_DSN",
            "ANTHROPIC_API_KEY",
            "API_KEY",
            "TOKEN",
            "GITHUB_TOKEN",
            "MY_PASSWORD",
        ];
        let plain = [
            "PATH",
            "HOME",
            "LANG",
            "TMPDIR",
            "MY_PLAIN",
            "http_proxy",
            "HTTPS_PROXY",
            "no_proxy",
            "PYTHONPATH",
            "PYTHONHASHSEED",
            "KEYBOARD",
            "TOKENIZERS_PARALLELISM",
        ];
        let all: Vec<&str> = secret.iter().chain(&plain).copied().collect();
        let seen = names(&of_run(&caller(&all), &default_rules(), &[]));
        for name in secret {
            assert!(!seen.contains(&name.to_owned()), "{name} is withheld");
        }
        for name in plain {
            assert!(seen.contains(&name.to_owned()), "{name} passes");
        }
    }

    #[test]
    fn what_steers_python_is_replaced_by_what_every_run_has() {
        let names_in = [
            "PYTHONHOME",
            "PYTHONSTARTUP",
            "PYTHONINSPECT",
            "VIRTUAL_ENV",
            "PYTHONUNBUFFERED",
        ];
        let environment = of_run(&caller(&names_in), &default_rules(), &[]);
        let expected = [
            MARKER_VARIABLE,
            "PYTHONDONTWRITEBYTECODE",
            "PYTHONIOENCODING",
            "PYTHONUNBUFFERED",
            "PYTHONUTF8",
        ];
        assert_eq!(names(&environment), expected);
        assert_eq!(environment.text("PYTHONUNBUFFERED"), Some("1"));
    }

    #[test]
    fn settings_and_requests_bring_variables_back() {
        let caller = caller(&["HF_TOKEN", "GH_TOKEN", "PYTHONOPTIMIZE", "OTHER_TOKEN"]);
        let mut rules = default_rules();
        rules.pass = vec!["HF_*".to_owned()];
        let asked = [
            (OsString::from("GH_TOKEN"), None),
            (OsString::from("PYTHONOPTIMIZE"), None),
            (OsString::from("UNSET"), None),
            (OsString::from("NEW"), Some(OsString::from("1"))),
        ];
        let environment = of_run(&caller, &rules, &asked);
        for name in ["HF_TOKEN", "GH_TOKEN", "PYTHONOPTIMIZE", "NEW"] {
            assert!(environment.get(name).is_some(), "{name}");
        }
        for name in ["UNSET", "OTHER_TOKEN"] {
            assert!(environment.get(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name, fits) in [
            ("A*", "A", true),
            ("A*", "AB", true),
            ("*_KEY", "KEY", true),
            ("*_KEY", "MONKEY", false),
            ("*A*B", "xxAyyB", true),
            ("*A*B", "xxAyyBz", false),
            ("", "", true),
            ("A", "a", true),
            ("*_TOKEN", "my_token", true),
            ("*_TOKEN", "tokens", false),
        ] {
            assert_eq!(matches(pattern, OsStr::new(name)), fits, "{pattern} {name}");
        }
    }
}
