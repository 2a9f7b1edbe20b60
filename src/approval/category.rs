//! What kinds of effects need approval.

use serde::{Deserialize, Serialize};

/// One kind of effect. An approval lifts the categories that were shown, and no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Deleting what the run did not make itself: files, directories, trees, databases.
    Delete,
    /// Overwriting, truncating, moving, linking, changing modes or owners, and new files, outside the workspace, the
    /// temporary directories and the user's cache directories.
    Outside,
    /// Starting another program.
    Program,
    /// Signalling processes that are not the run's own.
    Signal,
    /// Native calls: ctypes, cffi, loading libraries.
    Native,
    /// Reading stores of credentials.
    Credentials,
    /// Publishing, pushing, tagging, releasing.
    Publish,
    /// Reaching for the guard itself, or for pi's own files.
    Tamper,
    /// Writing anything in a run that was asked to be read-only.
    Write,
}

impl Category {
    /// Every category, in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Delete,
        Self::Outside,
        Self::Program,
        Self::Signal,
        Self::Native,
        Self::Credentials,
        Self::Publish,
        Self::Tamper,
        Self::Write,
    ];

    /// Its name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Outside => "outside",
            Self::Program => "program",
            Self::Signal => "signal",
            Self::Native => "native",
            Self::Credentials => "credentials",
            Self::Publish => "publish",
            Self::Tamper => "tamper",
            Self::Write => "write",
        }
    }

    /// The category of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|category| category.name() == name)
    }
}

/// A set of categories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Categories(u16);

impl Categories {
    /// No category.
    pub const NONE: Self = Self(0);
    /// Every category.
    pub const ALL: Self = Self((1 << Category::ALL.len()) - 1);

    /// Whether `category` is among them.
    #[must_use]
    pub fn contains(self, category: Category) -> bool {
        self.0 & (1 << category as u16) != 0
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are in it, in the order in which they are shown.
    pub fn iter(self) -> impl Iterator<Item = Category> {
        Category::ALL
            .into_iter()
            .filter(move |category| self.contains(*category))
    }

    /// Those of either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<Category> for Categories {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Self {
        let bits = categories
            .into_iter()
            .fold(0, |bits, category| bits | 1 << category as u16);
        Self(bits)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set: Categories = [Category::Tamper, Category::Delete].into_iter().collect();
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [Category::Delete, Category::Tamper]
        );
        assert!(!set.contains(Category::Program));
        assert!(Categories::NONE.is_empty());
    }

    #[test]
    fn names_are_those_of_json() {
        for category in Category::ALL {
            assert_eq!(Category::named(category.name()), Some(category));
            let json = serde_json::to_string(&category).unwrap();
            assert_eq!(json, format!("\"{}\"", category.name()));
        }
    }
}
