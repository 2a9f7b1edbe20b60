//! Where a path leads, and what a person is told of it.
//!
//! Only what is known counts: a path with an unknown part leads somewhere below the directory before it, and a path of
//! which nothing is known leads anywhere. What the run made itself, by the same text or below the same directory, is its
//! own.

use std::path::{Path, PathBuf};

use super::text::{Text, is_separator, visible};
use super::value::Value;
use super::walker::Walker;
use super::{Context, Kind};
use crate::approval::Zone;

/// Longer commands and expressions are cut where they are shown.
const SHOWN: usize = 120;
/// What is said of a target that not even an expression names.
pub(super) const NAMELESS: &str = "that it is given";
/// Directories above a path that are asked about.
const MOST_ABOVE: usize = 64;

/// Where a path leads.
#[derive(Debug)]
pub(super) enum Place {
    /// The run made it, or what holds it.
    Made,
    /// Nothing on a disk: a device that swallows or gives, or an open descriptor.
    Nothing,
    Known {
        shown: String,
        real: PathBuf,
        zone: Zone,
        kind: Option<Kind>,
    },
    /// Somewhere below a directory that is known.
    Below {
        shown: String,
        zone: Zone,
    },
    Unknown {
        shown: String,
    },
}

/// Whether the last component of a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    Entry,
    Target,
}

pub(super) enum PathText<'a> {
    Text(Text<'a>),
    /// A number: an open file, which was judged when it was opened.
    Descriptor,
    /// Something that is no path as far as can be seen.
    Other,
}

/// What a value names as a path.
pub(super) fn path_text<'a>(value: &Value<'a>) -> PathText<'a> {
    match value {
        Value::Int(_) | Value::Plain => PathText::Descriptor,
        value => value.text().map_or(PathText::Other, PathText::Text),
    }
}

impl<'a> Walker<'a, '_> {
    /// Takes a path for made by the run, unless it was there before.
    pub(super) fn mark_made(&mut self, path: &Value<'a>) {
        for path in path.alternatives() {
            let PathText::Text(text) = path_text(path) else {
                continue;
            };
            match self.place(&text, Follow::Target) {
                Place::Known {
                    real, kind: None, ..
                } => self.mark_missing(&real),
                Place::Below { .. } | Place::Unknown { .. } if text.as_str() != "\0\0" => {
                    self.made.insert(text.as_str().to_owned());
                }
                _ => {}
            }
        }
    }

    /// The path, and the directories above it that are missing as well.
    fn mark_missing(&mut self, path: &Path) {
        for path in path.ancestors().take(MOST_ABOVE) {
            if self.context.files.kind(path).is_some() {
                return;
            }
            self.made.insert(path.to_string_lossy().into_owned());
        }
    }

    fn is_made(&self, path: &Path) -> bool {
        !self.made.is_empty()
            && path
                .ancestors()
                .take(MOST_ABOVE)
                .any(|path| self.made.contains(path.to_string_lossy().as_ref()))
    }

    /// Whether something of a text with holes was made, or a directory above it.
    fn is_made_text(&self, text: &Text<'a>) -> bool {
        let mut at = text.clone();
        for _ in 0..MOST_ABOVE {
            if self.made.is_empty() {
                return false;
            }
            if self.made.contains(at.as_str()) {
                return true;
            }
            if !at.as_str().contains(is_separator) {
                return false;
            }
            let above = at.parent();
            if above.as_str().len() >= at.as_str().len() {
                return false;
            }
            at = above;
        }
        false
    }

    pub(super) fn is_made_in_workspace(&self, text: &Text<'a>) -> bool {
        text.whole().is_some_and(|text| {
            let real = self.real(&self.context.cwd.join(text));
            self.context.workspace.zone(&real) == Zone::Workspace
        })
    }

    /// Where a path leads.
    pub(super) fn place(&self, text: &Text<'a>, follow: Follow) -> Place {
        if text.is_made() || self.is_made_text(text) {
            return Place::Made;
        }
        let shown = text.shown();
        let (known, has_hole) = text.before_hole();
        if self.moved && !is_absolute(text) {
            return Place::Unknown { shown };
        }
        if has_hole {
            return self.place_below(known, shown);
        }
        if known.is_empty() {
            return Place::Unknown { shown };
        }
        if is_harmless_device(known) {
            return Place::Nothing;
        }
        let named = self.context.cwd.join(known);
        let real = match (follow, named.parent(), named.file_name()) {
            // The entry itself goes, not what it links to.
            (Follow::Entry, Some(parent), Some(name)) => self.real(parent).join(name),
            _ => self.real(&named),
        };
        if self.is_made(&real) {
            return Place::Made;
        }
        Place::Known {
            zone: self.context.workspace.zone(&real),
            kind: self.context.files.kind(&real),
            shown,
            real,
        }
    }

    fn place_below(&self, known: &str, shown: String) -> Place {
        let Some(slash) = known.rfind(is_separator) else {
            return Place::Unknown { shown };
        };
        let dir = self.context.cwd.join(&known[..=slash]);
        let real = self.real(&dir);
        let workspace = self.context.workspace;
        let mut free = workspace
            .roots
            .iter()
            .chain(&workspace.temporary)
            .chain(&workspace.caches);
        // Above a place that is free, it may lead there.
        if real.parent().is_none() || free.any(|free| free.starts_with(&real) && *free != real) {
            return Place::Unknown { shown };
        }
        Place::Below {
            zone: workspace.zone(&real),
            shown,
        }
    }
}

/// A place as a person is shown it: what the program says, what that is, and where it lies.
pub(super) fn described(place: &Place, context: &Context<'_>) -> String {
    match place {
        Place::Made | Place::Nothing => String::new(),
        Place::Unknown { shown } => match shown.trim_matches(['{', '}']) {
            "" => NAMELESS.to_owned(),
            inner if shown.starts_with('{') && shown.ends_with('}') && !inner.contains('{') => {
                format!("that `{}` names", shortened(inner))
            }
            _ => format!("`{}`", shortened(shown)),
        },
        Place::Below { shown, zone } => format!("`{}`{}", shortened(shown), place_of(*zone)),
        Place::Known {
            shown, real, zone, ..
        } => {
            let real_shown = visible(&real.to_string_lossy());
            let as_written = context.files.real(context.cwd).join(shown) == *real;
            let which = if as_written {
                String::new()
            } else {
                format!(", which is `{real_shown}`,")
            };
            format!("`{shown}`{which}{}", place_of(*zone))
        }
    }
}

fn place_of(zone: Zone) -> &'static str {
    match zone {
        Zone::Workspace => " in the workspace",
        Zone::Temporary => " in the temporary directory",
        Zone::Cache => " in a cache directory",
        Zone::Agent => "",
        Zone::Outside => " outside the workspace",
    }
}

/// Whether the directory that the program runs in has no part in it.
pub(super) fn is_absolute(text: &Text<'_>) -> bool {
    Path::new(text.before_hole().0).is_absolute()
}

/// Devices to which anyone writes.
fn is_harmless_device(path: &str) -> bool {
    matches!(
        path,
        "/dev/null"
            | "/dev/zero"
            | "/dev/full"
            | "/dev/tty"
            | "/dev/stdin"
            | "/dev/stdout"
            | "/dev/stderr"
    ) || path.starts_with("/dev/fd/")
        || (cfg!(windows) && path.eq_ignore_ascii_case("nul"))
}

/// On one line, and not too long.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = visible(&line);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
