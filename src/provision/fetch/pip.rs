//! Which Python package indexes this machine is set up for: the variables of uv and pip, and pip's own files.
//!
//! No index is known to pi itself.

use std::path::PathBuf;

use configparser::ini::{Ini, IniDefault};

use super::address::{self, Address};
use crate::home::{read_text, user_home};
use crate::settings::{Environment, Settings};

/// The variables that name an index, in the order in which they are asked.
const VARIABLES: [&str; 4] = [
    "UV_DEFAULT_INDEX",
    "UV_INDEX_URL",
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
];
/// The variable by which pip asks no index.
const NO_INDEX: &str = "PIP_NO_INDEX";
/// The keys that name an index in pip's files.
const KEYS: [&str; 2] = ["index-url", "extra-index-url"];
/// The sections of pip's files that hold for an installation, the stronger one first.
const SECTIONS: [&str; 2] = ["install", "global"];

/// An index that somebody set up.
pub(crate) struct Index {
    /// The variable or the file that names it.
    pub origin: String,
    pub address: Result<Address, address::Error>,
}

/// How a person names an index.
pub(crate) fn advice() -> String {
    format!(
        "name a Python package index in `{}` or `{}`, or in pip's configuration file",
        VARIABLES[0], VARIABLES[2]
    )
}

/// The indexes that this machine is set up for, in the order in which they are asked.
pub(crate) fn indexes(settings: &Settings) -> Vec<Index> {
    let environment = &settings.environment;
    let pip_asks_none = environment.text(NO_INDEX).is_some_and(is_true);
    let allowed = |name: &&&str| !(pip_asks_none && name.starts_with("PIP_"));
    let from_variables = VARIABLES.iter().filter(allowed).flat_map(|name| {
        let value = environment.text(name).unwrap_or_default();
        value
            .split_whitespace()
            .map(|text| ((*name).to_owned(), text.to_owned()))
    });
    let from_files = config_files(environment, Platform::of_this_machine())
        .into_iter()
        .filter(|_| !pip_asks_none)
        .filter_map(|path| Some((path.clone(), read_text(&path).ok()?)))
        .flat_map(|(path, text)| {
            let origin = path.display().to_string();
            indexes_in(&text)
                .into_iter()
                .map(move |text| (origin.clone(), text))
        });
    let mut seen = Vec::new();
    from_variables
        .chain(from_files)
        .filter(|(_, text)| {
            let new = !seen.contains(text);
            seen.push(text.clone());
            new
        })
        .map(|(origin, text)| Index {
            origin,
            address: Address::parse(without_name(&text), &settings.cwd),
        })
        .collect()
}

/// uv's variables may give an index a name, as in `mine=https://…`.
fn without_name(text: &str) -> &str {
    match text.split_once('=') {
        Some((name, address)) if !name.contains([':', '/']) => address,
        _ => text,
    }
}

/// The addresses that one of pip's files names. One that forbids indexes names none, nor does one that pip could not
/// read either.
fn indexes_in(text: &str) -> Vec<String> {
    let mut defaults = IniDefault::default();
    defaults.multiline = true;
    // An address may contain what would begin a comment.
    defaults.enable_inline_comments = false;
    let mut ini = Ini::new_from_defaults(defaults);
    let Ok(sections) = ini.read(text.to_owned()) else {
        return Vec::new();
    };
    let values_of = |key: &'static str| {
        let sections = &sections;
        SECTIONS.iter().find_map(move |section| {
            let (_, value) = sections
                .get(*section)?
                .iter()
                .find(|(name, _)| name.replace('_', "-").trim_start_matches('-') == key)?;
            value.clone()
        })
    };
    if values_of("no-index").is_some_and(|value| is_true(&value)) {
        return Vec::new();
    }
    KEYS.iter()
        .filter_map(|key| values_of(key))
        .flat_map(|value| {
            value
                .split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Pip's words for yes.
fn is_true(value: &str) -> bool {
    ["1", "true", "yes", "on", "y", "t"].contains(&value.trim().to_ascii_lowercase().as_str())
}

/// Where pip keeps its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Platform {
    Windows,
    Macos,
    Unix,
}

impl Platform {
    fn of_this_machine() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Macos
        } else {
            Self::Unix
        }
    }
}

/// Pip's files, the strongest first: the one that `PIP_CONFIG_FILE` names, the virtual environment's, the user's, the
/// machine's. Like with pip, a named file stands in for the user's, and the null device for all of them.
fn config_files(environment: &Environment, platform: Platform) -> Vec<PathBuf> {
    let named = environment.get("PIP_CONFIG_FILE").map(PathBuf::from);
    let null_device = match platform {
        Platform::Windows => "nul",
        Platform::Macos | Platform::Unix => "/dev/null",
    };
    if named
        .as_ref()
        .is_some_and(|path| path.as_os_str().eq_ignore_ascii_case(null_device))
    {
        return Vec::new();
    }
    let file = match platform {
        Platform::Windows => "pip.ini",
        Platform::Macos | Platform::Unix => "pip.conf",
    };
    let variable = |name: &str| environment.get(name).map(PathBuf::from);
    let virtual_environment = variable("VIRTUAL_ENV").map(|dir| dir.join(file));
    let user = match &named {
        Some(path) if path.exists() => Vec::new(),
        _ => user_files(environment, platform, file),
    };
    let machine = match platform {
        Platform::Windows => variable("PROGRAMDATA")
            .map(|dir| dir.join("pip").join(file))
            .into_iter()
            .collect(),
        Platform::Macos => vec![PathBuf::from("/Library/Application Support/pip").join(file)],
        Platform::Unix => {
            let dirs = environment
                .get("XDG_CONFIG_DIRS")
                .unwrap_or("/etc/xdg".as_ref());
            let mut files: Vec<PathBuf> = vec![PathBuf::from("/etc").join(file)];
            files.extend(std::env::split_paths(dirs).map(|dir| dir.join("pip").join(file)));
            files
        }
    };
    named
        .into_iter()
        .chain(virtual_environment)
        .chain(user)
        .chain(machine)
        .collect()
}

fn user_files(environment: &Environment, platform: Platform, file: &str) -> Vec<PathBuf> {
    let home = user_home(environment);
    let in_home = |parts: &[&str]| {
        home.as_ref().map(|home| {
            parts
                .iter()
                .fold(home.clone(), |path, part| path.join(part))
        })
    };
    let config = match platform {
        Platform::Windows => environment.get("APPDATA").map(PathBuf::from),
        Platform::Macos => in_home(&["Library", "Application Support"])
            .filter(|dir| dir.join("pip").is_dir())
            .or_else(|| in_home(&[".config"])),
        Platform::Unix => environment
            .get("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| in_home(&[".config"])),
    };
    let legacy = match platform {
        Platform::Windows => in_home(&["pip", file]),
        Platform::Macos | Platform::Unix => in_home(&[".pip", file]),
    };
    config
        .map(|dir| dir.join("pip").join(file))
        .into_iter()
        .chain(legacy)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pips_files_name_indexes() {
        let text = "[global]\nindex-url = https://u:p@one.example/simple#x;y\nextra_index_url =\n  https://two.example/simple\n  https://three.example\n\n[list]\nindex-url = https://no.example\n";
        assert_eq!(
            indexes_in(text),
            [
                "https://u:p@one.example/simple#x;y",
                "https://two.example/simple",
                "https://three.example"
            ]
        );
        let stronger = "[global]\nindex-url: https://weak\n[install]\nindex-url: https://strong\n";
        assert_eq!(indexes_in(stronger), ["https://strong"]);
        for (value, none) in [("true", true), ("1", true), ("false", false)] {
            let text = format!("[global]\nindex-url = https://one\nno-index = {value}\n");
            assert_eq!(indexes_in(&text).is_empty(), none, "{value}");
        }
        assert_eq!(indexes_in("no section = at all\n["), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn pips_files_are_where_pip_keeps_them() {
        let mut environment = Environment::default();
        environment.set("HOME", "/home/me");
        environment.set("VIRTUAL_ENV", "/venv");
        let files = |environment: &Environment, platform| -> Vec<String> {
            config_files(environment, platform)
                .iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        assert_eq!(
            files(&environment, Platform::Unix),
            [
                "/venv/pip.conf",
                "/home/me/.config/pip/pip.conf",
                "/home/me/.pip/pip.conf",
                "/etc/pip.conf",
                "/etc/xdg/pip/pip.conf",
            ]
        );
        environment.set("XDG_CONFIG_HOME", "/cfg");
        environment.set("APPDATA", "/roaming");
        environment.set("PROGRAMDATA", "/data");
        assert_eq!(files(&environment, Platform::Unix)[1], "/cfg/pip/pip.conf");
        assert_eq!(
            files(&environment, Platform::Macos)[1],
            "/home/me/.config/pip/pip.conf"
        );
        assert_eq!(
            files(&environment, Platform::Windows)[1..],
            [
                "/roaming/pip/pip.ini",
                "/home/me/pip/pip.ini",
                "/data/pip/pip.ini"
            ]
        );
        environment.set("PIP_CONFIG_FILE", "/dev/null");
        assert_eq!(files(&environment, Platform::Unix), Vec::<String>::new());
        let named = tempfile::NamedTempFile::new().expect("writable");
        environment.set("PIP_CONFIG_FILE", named.path());
        let all = files(&environment, Platform::Unix);
        assert_eq!(all[0], named.path().display().to_string());
        assert!(!all.iter().any(|path| path.starts_with("/home")), "{all:?}");
    }

    #[test]
    fn variables_come_before_files_and_nothing_is_asked_twice() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let file = dir.path().join("pip.conf");
        std::fs::write(
            &file,
            "[global]\nindex-url = https://one.example\nextra-index-url = https://four.example\n",
        )
        .expect("writable");
        let mut environment = Environment::default();
        environment.set("HOME", dir.path());
        environment.set("PIP_CONFIG_FILE", &file);
        environment.set("PIP_INDEX_URL", "https://one.example");
        environment.set(
            "PIP_EXTRA_INDEX_URL",
            "https://two.example https://me:secret@three.example",
        );
        environment.set("UV_DEFAULT_INDEX", "mine=https://zero.example/?a=b");
        let settings = Settings::resolve(environment, dir.path().to_owned());
        let found: Vec<String> = indexes(&settings)
            .into_iter()
            .map(|index| index.address.expect("an address").to_string())
            .collect();
        assert_eq!(
            found[..5],
            [
                "https://zero.example/?…",
                "https://one.example/",
                "https://two.example/",
                "https://three.example/",
                "https://four.example/"
            ]
        );
    }
}
