//! Termux: its packages in place of desktop builds, which do not run on Android's C library.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::settings::{Environment, Settings};

use super::helper::{self, Bounds, Ending};
use super::uv::{Surroundings, indented, one_line};
use super::{Context, discover};

/// The end of Termux's PREFIX on every device.
const PREFIX_END: &str = "com.termux/files/usr";

/// Why a package was not installed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// There is no package manager.
    #[error("`pkg` is neither on PATH nor in `$PREFIX/bin`")]
    NoPkg,
    /// It could not be started.
    #[error("`{command}` can't be started")]
    NotStarted {
        /// What was run.
        command: String,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// It succeeded, and what was to be installed is not there.
    #[error("`pkg install -y {package}` succeeded, and still PATH has no {package}")]
    NothingInstalled {
        /// What was to be installed.
        package: String,
    },
    /// It failed, or was ended at its deadline.
    #[error("`{command}` {ending}{}", indented(.words))]
    Failed {
        /// What was run.
        command: String,
        /// How it ended.
        ending: String,
        /// The last that it said.
        words: String,
    },
}

impl Failure {
    /// The failure for a note.
    pub(crate) fn in_one_line(&self) -> String {
        one_line(&self.to_string())
    }
}

/// Whether this is Termux; see [`is_in`].
pub(crate) fn is_here(settings: &Settings) -> bool {
    is_in(&settings.environment)
}

/// Whether this is Termux: built for Android, or in an environment that says so. Termux programs can run under a desktop
/// build of pi, and do in containers.
pub(crate) fn is_in(environment: &Environment) -> bool {
    cfg!(target_os = "android")
        || environment.get("TERMUX_VERSION").is_some()
        || environment
            .text("PREFIX")
            .is_some_and(|prefix| prefix.trim_end_matches('/').ends_with(PREFIX_END))
}

/// Where Termux keeps its programs.
pub(crate) fn bin(settings: &Settings) -> Option<PathBuf> {
    let prefix = settings
        .environment
        .get("PREFIX")
        .filter(|_| is_here(settings))?;
    Some(PathBuf::from(prefix).join("bin"))
}

/// Where temporary files go when nobody said so: there is no `/tmp` that a program may write.
pub(crate) fn temporary_dir(settings: &Settings) -> Option<PathBuf> {
    if settings.environment.get("TMPDIR").is_some() {
        return None;
    }
    let prefix = settings
        .environment
        .get("PREFIX")
        .filter(|_| is_here(settings))?;
    Some(PathBuf::from(prefix).join("tmp"))
}

/// Runs `pkg install -y PACKAGE`.
pub(crate) fn install(
    context: Context<'_>,
    surroundings: &Surroundings,
    package: &str,
    deadline: Instant,
) -> Result<(), Failure> {
    let label = format!("pkg install -y {package}");
    let pkg = discover::on_path(context.settings, OsStr::new("pkg"));
    let mut command = Command::new(pkg.first().ok_or(Failure::NoPkg)?);
    context.progress.step(&format!("running `{label}`"));
    command
        .args(["install", "-y", package])
        .env_clear()
        .envs(surroundings.environment.iter())
        .env("DEBIAN_FRONTEND", "noninteractive")
        .current_dir(&surroundings.workdir);
    let answer = helper::run(
        command,
        Bounds {
            deadline,
            ending: Ending::Asked,
        },
    )
    .map_err(|source| Failure::NotStarted {
        command: label.clone(),
        source,
    })?;
    if answer.succeeded() {
        return Ok(());
    }
    Err(Failure::Failed {
        command: label,
        ending: answer.ending(),
        words: answer.words(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_termux() {
        assert!(is_here(&Settings::of_variables(&[(
            "TERMUX_VERSION",
            "0.118"
        )])));
        assert!(is_here(&Settings::of_variables(&[(
            "PREFIX",
            "/data/data/com.termux/files/usr"
        )])));
        assert!(!is_here(&Settings::of_variables(&[(
            "PREFIX",
            "/usr/local"
        )])));
        assert!(!is_here(&Settings::of_variables(&[])));
    }

    #[test]
    fn termuxs_programs_are_looked_at_in_termux_alone() {
        let prefix = std::env::temp_dir().join("usr");
        let prefix = prefix.to_str().expect("Unicode");
        let termux = Settings::of_variables(&[("TERMUX_VERSION", "0.118"), ("PREFIX", prefix)]);
        assert_eq!(bin(&termux), Some(PathBuf::from(prefix).join("bin")));
        assert_eq!(bin(&Settings::of_variables(&[("PREFIX", prefix)])), None);
        assert_eq!(
            temporary_dir(&termux),
            Some(PathBuf::from(prefix).join("tmp"))
        );
        assert_eq!(
            temporary_dir(&Settings::of_variables(&[("PREFIX", prefix)])),
            None
        );
    }
}
