//! What those hold who started this process, so that it does not wait for them while they wait for it.
//!
//! It comes in a variable: `<key>:<way>:<pid>`, separated by commas. Nothing is protected by it: who lies there harms
//! the order in its own workspace.

use std::fmt;

use super::{Error, Key, Part};
use crate::locks::{self, Kind};
use crate::settings::{Environment, HELD_VARIABLE};

/// How something is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Shared,
    Alone,
}

impl Way {
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Shared => Kind::Shared,
            Self::Alone => Kind::Exclusive,
        }
    }
}

/// A lock of a process further up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub key: Key,
    pub way: Way,
    pub holder: u32,
}

/// Every lock of those further up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Inherited(Vec<Entry>);

impl Inherited {
    /// What the variable says; what it can't mean, and what the dead held, is left out.
    pub(super) fn read(environment: &Environment) -> Self {
        let text = environment.text(HELD_VARIABLE).unwrap_or_default();
        let entries = text.split(',').filter_map(Entry::parse);
        Self(
            entries
                .filter(|entry| locks::is_alive(entry.holder))
                .collect(),
        )
    }

    pub(super) fn add(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    /// Whether those further up hold `part`, which somebody holds.
    ///
    /// # Errors
    /// They share it, and it is wanted alone.
    pub(super) fn covers(&self, part: &Part) -> Result<bool, Error> {
        let wanted = part.entry();
        let held = self.0.iter().filter(|entry| entry.key == wanted.key);
        let Some(best) = held.max_by_key(|entry| entry.way) else {
            return Ok(false);
        };
        if best.way >= wanted.way {
            return Ok(true);
        }
        match part {
            Part::Workspace { root, .. } => Err(Error::Within {
                root: root.clone(),
                holder: best.holder,
            }),
            Part::File { .. } => Ok(true),
        }
    }
}

impl Entry {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(':');
        let key = Key::parse(words.next()?)?;
        let way = match words.next()? {
            "shared" => Way::Shared,
            "alone" => Way::Alone,
            _ => return None,
        };
        let holder = words.next()?.parse().ok()?;
        Some(Self { key, way, holder })
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = match self.way {
            Way::Shared => "shared",
            Way::Alone => "alone",
        };
        write!(out, "{}:{way}:{}", self.key.as_str(), self.holder)
    }
}

impl fmt::Display for Inherited {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, entry) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(out, "{separator}{entry}")?;
        }
        Ok(())
    }
}
