//! Whether this process was started by a run: what a model writes does not approve of what a model writes.

use crate::settings::Settings;

/// The name of the process that every process of a run descends from, whatever it did to get away.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) const KEEPER: &std::ffi::CStr = c"pi-keeper";

/// Whether it was: by the variable that every run has, or, where that was taken out, by its ancestors.
#[must_use]
pub fn is_within_run(settings: &Settings) -> bool {
    settings.has_marker() || descends_from_keeper()
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn descends_from_keeper() -> bool {
    /// More generations would be a loop.
    const GENERATIONS: usize = 1000;
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name before may hold anything.
        stat.rsplit_once(')')?
            .1
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()
    };
    let is_keeper = |pid: &u32| {
        let name = std::fs::read(format!("/proc/{pid}/comm"));
        name.is_ok_and(|name| name.trim_ascii_end() == KEEPER.to_bytes())
    };
    let own = std::process::id();
    std::iter::successors(Some(own), |pid| parent(*pid).filter(|pid| *pid > 1))
        .take(GENERATIONS)
        .any(|pid| is_keeper(&pid))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn descends_from_keeper() -> bool {
    false
}
