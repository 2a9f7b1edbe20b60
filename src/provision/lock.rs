//! One provisioning at a time on a machine.
//!
//! The operating system holds the lock and drops it with the process, so that a killed owner holds nothing. Who holds
//! it is written beside it for messages alone, and believed only while that process is alive.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::home::{create_private_dir, read_bounded, write_atomic};
use crate::locks::{self, Kind};
use crate::settings::Settings;

use super::Context;

/// A wait shorter than this is not worth a word.
const QUIET: Duration = Duration::from_millis(500);
/// Between two tries.
const TRIES: Duration = Duration::from_millis(25);

/// What came of asking for the lock.
#[derive(Debug)]
pub(crate) enum Turn {
    /// It is ours until the guard is dropped.
    Held(Guard),
    /// This file system or agent directory has no locks; work goes on without.
    Unlocked(io::Error),
    /// Somebody else held it until the deadline.
    Busy(Busy),
}

/// Who was waited for in vain.
#[derive(Debug)]
pub(crate) struct Busy {
    pub lock: PathBuf,
    pub holder: Option<Holder>,
}

/// The held lock.
#[derive(Debug)]
pub(crate) struct Guard {
    holder: PathBuf,
    _file: File,
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Nobody trusts a note that stays.
        let _ = std::fs::remove_file(&self.holder);
    }
}

/// A process that provisions.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Holder {
    pub pid: u32,
    pub started_unix_ms: u64,
}

/// Takes the lock, waiting for it until the deadline. A wait is said once, with its owner where that is known.
pub(crate) fn acquire(context: Context<'_>) -> Turn {
    let settings = context.settings;
    let file = match open(settings) {
        Ok(file) => file,
        Err(error) => return Turn::Unlocked(error),
    };
    let begun = Instant::now();
    let mut said = false;
    loop {
        match locks::try_lock(&file, Kind::Exclusive) {
            Ok(true) => return Turn::Held(take(settings, file)),
            Ok(false) => {}
            Err(error) => return Turn::Unlocked(error),
        }
        if !said && begun.elapsed() >= QUIET {
            said = true;
            context.progress.step(&waiting_for(settings));
        }
        let now = Instant::now();
        if now >= context.deadline {
            return Turn::Busy(Busy {
                lock: settings.home.provision_lock(),
                holder: holder(settings),
            });
        }
        std::thread::sleep(TRIES.min(context.deadline - now));
    }
}

fn open(settings: &Settings) -> io::Result<File> {
    create_private_dir(&settings.home.state())?;
    locks::open(&settings.home.provision_lock())
}

fn take(settings: &Settings, file: File) -> Guard {
    let me = Holder {
        pid: std::process::id(),
        started_unix_ms: unix_ms(),
    };
    let path = settings.home.provision_holder();
    if let Ok(text) = serde_json::to_vec(&me) {
        // For messages alone: the lock holds without it.
        let _ = write_atomic(&path, &text);
    }
    Guard {
        holder: path,
        _file: file,
    }
}

/// The process that holds the lock, if it said so and is alive.
pub(crate) fn holder(settings: &Settings) -> Option<Holder> {
    let text = read_bounded(&settings.home.provision_holder()).ok()?;
    let holder: Holder = serde_json::from_slice(&text).ok()?;
    locks::is_alive(holder.pid).then_some(holder)
}

fn waiting_for(settings: &Settings) -> String {
    holder(settings).map_or_else(
        || "waiting for another process that is getting Python".to_owned(),
        |holder| {
            format!(
                "waiting for process {}, which is getting Python",
                holder.pid
            )
        },
    )
}

/// Now, in milliseconds since 1970.
pub(crate) fn unix_ms() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
