//! What the caller's host lets its tools do at all, before anything is asked.

use crate::settings::{self, Origin, Settings};

/// What running Python takes: the same as a shell.
pub const RUN_SHELL: &str = "run_shell";

/// Nothing may run here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "nothing is run: the capability `{RUN_SHELL}` is not among {} ({})", listed(.granted), .set_by
)]
pub struct Missing {
    /// The capabilities that there are.
    pub granted: Vec<String>,
    /// What says so, in words.
    pub set_by: String,
}

/// Holds the settings against what a run takes. Where they name no capabilities, nothing is withheld.
///
/// # Errors
/// They name some, and `run_shell` is not among them.
pub fn check(settings: &Settings) -> Result<(), Missing> {
    let Some(granted) = &settings.capabilities else {
        return Ok(());
    };
    if granted.iter().any(|name| name == RUN_SHELL) {
        return Ok(());
    }
    Err(Missing {
        granted: granted.clone(),
        set_by: set_by(settings),
    })
}

fn listed(granted: &[String]) -> String {
    match granted {
        [] => "the capabilities, which are none".to_owned(),
        names => format!("the capabilities `{}`", names.join("`, `")),
    }
}

fn set_by(settings: &Settings) -> String {
    const KEY: &str = "capabilities";
    match settings.origin(KEY) {
        Some(Origin::Environment) => format!("`{}`", settings::variable(KEY)),
        Some(Origin::Project) => format!("`{KEY}` in the project's `.pi/python.toml`"),
        _ => format!("`{KEY}` in `{}`", settings.home.settings_file().display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_about_capabilities_everything_runs() {
        assert_eq!(check(&Settings::of_variables(&[])), Ok(()));
    }

    #[test]
    fn the_capability_has_to_be_among_those_that_are_named() {
        for (value, runs) in [
            ("run_shell", true),
            ("read,run_shell", true),
            ("read run_shell\tnet", true),
            (" ,run_shell, ", true),
            ("", false),
            ("read", false),
            ("run_shells", false),
            ("no_run_shell", false),
            ("RUN_SHELL", false),
        ] {
            let settings = Settings::of_variables(&[("PI_CAPABILITIES", value)]);
            assert_eq!(check(&settings).is_ok(), runs, "{value:?}");
        }
        let settings = Settings::of_variables(&[("PI_CAPABILITIES", "read")]);
        let text = check(&settings).expect_err("it is missing").to_string();
        assert!(
            text.contains("`PI_CAPABILITIES`") && text.contains("`read`"),
            "{text}"
        );
    }
}
