//! Bringing what pi manages up to date: uv to the pin, an installed Python to its newest patch.

use serde::Serialize;

use crate::progress::Progress;
use crate::settings::Settings;

use super::asked::{Asked, Version};
use super::fetch::managed::{self, Check};
use super::resolve::{Means, Search};
use super::uv::Surroundings;
use super::{Context, Error, Force, Interpreter, alone, remember, termux};

/// What `pi update` changed.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Updated {
    /// The managed uv; `None` where there is none or it was current.
    pub uv: Option<Change>,
    /// The managed Python; `None` where there is none or it was current.
    pub python: Option<Change>,
}

/// A version that became another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The version before.
    pub from: String,
    /// The version now.
    pub to: String,
}

/// Brings a managed uv to the pin and a managed Python to its newest patch. What belongs to the user or the system is
/// left alone.
///
/// # Errors
/// When no interpreter is left to be used. That something could not be updated is a note.
pub fn update(settings: &Settings, progress: &dyn Progress) -> Result<Updated, Error> {
    let context = Context::new(settings, progress);
    let asked = Asked::of(settings);
    alone(context, &asked, Force::Yes, |_| {
        if settings.offline {
            progress.note("nothing is updated: offline mode is on");
            return Ok(Updated::default());
        }
        Ok(Updated {
            uv: repair_managed_uv(context),
            python: upgrade_python(context, &asked)?,
        })
    })
}

/// Replaces a managed uv that is damaged or not the pinned one. The caller holds the lock.
pub(super) fn repair_managed_uv(context: Context<'_>) -> Option<Change> {
    if context.settings.offline || termux::is_here(context.settings) {
        return None;
    }
    let from = match managed::check(context.settings) {
        Check::Absent | Check::Good(_) => return None,
        Check::Damaged { reason } => {
            context
                .progress
                .note(&format!("the managed uv is replaced: {reason}"));
            "damaged".to_owned()
        }
        Check::Outdated { found, .. } => found.version,
    };
    match managed::install(context) {
        Ok(uv) => Some(Change {
            from,
            to: uv.version,
        }),
        Err(error) => {
            context
                .progress
                .note(&format!("the managed uv is not replaced: {error}"));
            None
        }
    }
}

fn upgrade_python(context: Context<'_>, asked: &Asked) -> Result<Option<Change>, Error> {
    let before = Search::new(context, asked, Means::Look).interpreter();
    let Some(before) = before
        .ok()
        .filter(|python| is_managed(context.settings, python))
    else {
        return Ok(None);
    };
    if let Err(reason) = upgrade(context, asked, &before) {
        context
            .progress
            .note(&format!("Python {} stays: {reason}", before.version));
    }
    let after = remember(
        context,
        asked,
        Search::new(context, asked, Means::Get).interpreter(),
    )?;
    Ok((after.version != before.version).then_some(Change {
        from: before.version,
        to: after.version,
    }))
}

fn upgrade(context: Context<'_>, asked: &Asked, python: &Interpreter) -> Result<(), String> {
    let Some(Version(major, minor, _)) = Version::parse(&python.version) else {
        return Err("its version is not a number".to_owned());
    };
    let settings = context.settings;
    let uv = Search::new(context, asked, Means::Get)
        .uv()
        .map_err(|trouble| trouble.in_one_line(settings))?;
    context
        .progress
        .step(&format!("looking for a newer Python {major}.{minor}"));
    let done = uv
        .upgrade(
            context,
            &Surroundings::of(settings),
            &format!("{major}.{minor}"),
        )
        .map_err(|failure| failure.in_one_line())?;
    if done {
        Ok(())
    } else {
        Err(format!("{uv} can't upgrade; 0.8 or newer can"))
    }
}

/// Whether an interpreter was installed by pi.
pub(crate) fn is_managed(settings: &Settings, python: &Interpreter) -> bool {
    let pythons = settings.home.pythons();
    let real = pythons.canonicalize().unwrap_or(pythons);
    python.path.starts_with(&real) || python.path.starts_with(settings.home.pythons())
}
