//! `pi provision` and `pi clean`.

use std::process::ExitCode;

use super::args::{Fetch, Provision};
use super::{exit, print, progress, report};
use crate::provision::{self, Force};
use crate::python;
use crate::settings::Settings;

pub(crate) fn main(args: &Provision, mut settings: Settings, quiet: bool) -> ExitCode {
    let force = apply(&args.fetch, &mut settings);
    let listener = progress::listener(quiet);
    let result = python::provision(&settings, listener.as_ref(), force);
    drop(listener);
    match result {
        Ok(ready) => {
            let uv = ready.uv.map_or_else(
                || "none".to_owned(),
                |uv| format!("{} ({})", uv.version, uv.path.display()),
            );
            let python = &ready.interpreter;
            print(
                format!(
                    "uv {uv}\nPython {} ({})\n",
                    python.version,
                    python.path.display()
                )
                .as_bytes(),
            )
        }
        Err(error) => {
            report::error(&error, &error.hints());
            if args.best_effort {
                ExitCode::SUCCESS
            } else {
                exit::NO_PYTHON.into()
            }
        }
    }
}

/// Puts the flags over the settings, and says whether memory counts.
pub(crate) fn apply(fetch: &Fetch, settings: &mut Settings) -> Force {
    if let Some(source) = fetch.source {
        settings.source = source;
    }
    if fetch.force { Force::Yes } else { Force::No }
}

pub(crate) fn clean(settings: &Settings, quiet: bool) -> ExitCode {
    let listener = progress::listener(quiet);
    let result = provision::clean(settings, listener.as_ref());
    drop(listener);
    match result {
        Ok(cleaned) => {
            cleaned
                .kept
                .iter()
                .for_each(|problem| report::warning(problem));
            let text = format!(
                "removed {} bytes of caches and leftovers\n",
                cleaned.bytes()
            );
            let printed = print(text.as_bytes());
            if cleaned.removed.is_empty() && !cleaned.kept.is_empty() {
                return ExitCode::FAILURE;
            }
            printed
        }
        Err(error) => {
            report::error(&error, &error.hints());
            exit::INTERNAL.into()
        }
    }
}
