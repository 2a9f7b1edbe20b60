//! Lock files that nobody needs any more. Every one comes back when it is wanted.
//!
//! Whoever deletes a lock file holds it, and whoever locks one looks afterwards whether it is still
//! [in place](locks::is_in_place): so nobody holds a lock that others do not see.

use std::path::Path;

use super::Lock;
use crate::home::Home;
use crate::locks::Kind;

/// Workspaces that may have locks before the old ones are cleared away.
const MOST: usize = 256;

/// Deletes the locks of workspaces in which nobody is, if there are many. What can't be deleted stays.
pub(super) fn if_there_are_many(home: &Home) {
    let Ok(entries) = home.locks().read_dir() else {
        return;
    };
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    if names.len() <= MOST {
        return;
    }
    for key in names.iter().filter_map(|name| name.to_str()) {
        clear(&home.workspace_turn(key), &home.workspace_lock(key));
    }
}

fn clear(turn: &Path, workspace: &Path) {
    // A directory without them is of something else, and opening would make them.
    if !turn.is_file() || !workspace.is_file() {
        return;
    }
    let take = |path| Lock::try_take(path, Kind::Exclusive).ok().flatten();
    let Some(_turn) = take(turn) else { return };
    let Some(_workspace) = take(workspace) else {
        return;
    };
    let _ = std::fs::remove_file(workspace);
    let _ = std::fs::remove_file(turn);
    if let Some(dir) = turn.parent() {
        // A newcomer may have made its own by now, and keeps it.
        let _ = std::fs::remove_dir(dir);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_stays_and_the_rest_goes() {
        let scratch = tempfile::tempdir().unwrap();
        let home = Home::at(scratch.path());
        let keys: Vec<String> = (0..=MOST).map(|number| format!("{number:032x}")).collect();
        for key in &keys {
            for path in [home.workspace_turn(key), home.workspace_lock(key)] {
                drop(Lock::try_take(&path, Kind::Exclusive).unwrap());
            }
        }
        let held = Lock::try_take(&home.workspace_lock(&keys[3]), Kind::Shared).unwrap();
        let waits = Lock::try_take(&home.workspace_turn(&keys[5]), Kind::Exclusive).unwrap();
        if_there_are_many(&home);
        let left = || {
            let entries = home.locks().read_dir().unwrap().flatten();
            let mut left: Vec<_> = entries
                .map(|entry| entry.file_name().into_string().unwrap())
                .collect();
            left.sort();
            left
        };
        assert_eq!(left(), [keys[3].as_str(), keys[5].as_str()]);
        drop((held, waits));
        if_there_are_many(&home);
        assert_eq!(left().len(), 2, "few are no burden");
    }
}
