//! Texts of which parts may be unknown.
//!
//! A text is one string; each unknown part of it is a *hole*, delimited by NUL, that holds what a person is shown for it:
//! the expression that gives it. Equal texts with holes are taken for equal values: what a program opened for writing by
//! `f"{base}/x"` it made by that name. A text that starts with a hole marked as made lies in a place that the run itself
//! made.

use std::fmt::Write;
use std::rc::Rc;

/// Delimits a hole.
const HOLE: char = '\0';
/// In a hole: what follows tells equal-looking holes apart, and is not shown.
const APART: char = '\u{1}';
/// At the start of a hole: the run made it.
const MADE: char = '\u{2}';
/// At the start of a hole: a pattern, shown as it is written.
const PATTERN: char = '\u{3}';
/// What stands in holes for characters that have a meaning in paths.
const STAND_INS: [(char, char); 3] = [('/', '\u{4}'), ('\\', '\u{5}'), ('.', '\u{6}')];
/// A longer text is not followed.
const LONGEST: usize = 4096;
/// A longer hole is cut where it is shown.
const LONGEST_HOLE: usize = 40;

/// A text, or the path that it names.
#[derive(Debug, Clone)]
pub(super) enum Text<'a> {
    /// As it stands in the source.
    Literal(&'a str),
    /// Put together.
    Own(Rc<str>),
}

impl<'a> Text<'a> {
    /// A literal of the source. `None` if it can't be told from a text with holes.
    pub(super) fn literal(text: &'a str) -> Option<Self> {
        (!text.contains(HOLE)).then_some(Self::Literal(text))
    }

    /// A text that pi knows.
    pub(super) fn own(text: &str) -> Option<Self> {
        (text.len() <= LONGEST && !text.contains(HOLE)).then(|| Self::Own(text.into()))
    }

    /// A text of parts that are texts. `None` if it grows too long.
    fn assembled(text: String) -> Option<Self> {
        (text.len() <= LONGEST).then(|| Self::Own(text.into()))
    }

    /// What an expression gives: equal expressions count as equal.
    pub(super) fn hole(expression: &str) -> Self {
        Self::of_hole("", expression, None)
    }

    /// What a parameter holds: equal only to itself.
    pub(super) fn parameter(name: &'a str) -> Self {
        Self::of_hole("", name, Some(name.as_ptr() as usize))
    }

    /// Something in a place that the run made.
    pub(super) fn made(expression: &str) -> Self {
        Self::of_hole(MADE.encode_utf8(&mut [0; 4]), expression, None)
    }

    fn of_hole(mark: &str, expression: &str, id: Option<usize>) -> Self {
        let mut hole = String::with_capacity(expression.len().min(LONGEST_HOLE) + 8);
        hole.push(HOLE);
        hole.push_str(mark);
        for (at, c) in expression.chars().enumerate() {
            if at == LONGEST_HOLE {
                let _ = write!(hole, "…{APART}{:x}", hash(expression));
                break;
            }
            hole.push(
                STAND_INS
                    .iter()
                    .find(|(meant, _)| *meant == c)
                    .map_or(if c < ' ' { ' ' } else { c }, |(_, stand_in)| *stand_in),
            );
        }
        if let Some(id) = id {
            let _ = write!(hole, "{APART}{id:x}");
        }
        hole.push(HOLE);
        Self::Own(hole.into())
    }

    /// An entry of a directory.
    pub(super) fn entry() -> Self {
        Self::of_hole(PATTERN.encode_utf8(&mut [0; 4]), "*", None)
    }

    /// The entries that a pattern of `glob` names: known up to the first component with a wildcard.
    pub(super) fn matches(pattern: &Self) -> Option<Self> {
        let text = pattern.as_str();
        let Some(wild) = text.find(['*', '?', '[']) else {
            return Some(pattern.clone());
        };
        if text[..wild].matches(HOLE).count() % 2 == 1 {
            return Some(pattern.clone());
        }
        let start = last_separator(&text[..wild]).map_or(0, |slash| slash + 1);
        let mark = PATTERN.encode_utf8(&mut [0; 4]).to_owned();
        let hole = Self::of_hole(&mark, &text[start..].replace(HOLE, ""), None);
        Self::assembled(format!("{}{}", &text[..start], hole.as_str()))
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Literal(text) => text,
            Self::Own(text) => text,
        }
    }

    /// The text, where no part of it is unknown.
    pub(super) fn whole(&self) -> Option<&str> {
        Some(self.as_str()).filter(|text| !text.contains(HOLE))
    }

    /// The part before the first hole, and whether there is a hole.
    pub(super) fn before_hole(&self) -> (&str, bool) {
        match self.as_str().split_once(HOLE) {
            Some((known, _)) => (known, true),
            None => (self.as_str(), false),
        }
    }

    /// Whether it lies in a place that the run made, and goes nowhere else from there.
    pub(super) fn is_made(&self) -> bool {
        let text = self.as_str();
        text.strip_prefix(HOLE)
            .is_some_and(|hole| hole.starts_with(MADE))
            && !text.split(is_separator).any(|component| component == "..")
    }

    /// Whether it is nothing but a hole.
    pub(super) fn is_hole(&self) -> bool {
        let text = self.as_str();
        text.starts_with(HOLE) && text[1..].find(HOLE) == Some(text.len() - 2)
    }

    /// The text with every unknown part replaced, to be looked at as a path or command. What a pattern says stays.
    pub(super) fn filled(&self, filler: &str) -> String {
        let mut filled = String::new();
        for (at, part) in self.as_str().split(HOLE).enumerate() {
            match part.strip_prefix(PATTERN) {
                _ if at % 2 == 0 => filled.push_str(part),
                Some(pattern) => {
                    let pattern = pattern.split(APART).next().unwrap_or_default();
                    filled.push_str(&pattern.replace(['*', '?'], filler));
                }
                None => filled.push_str(filler),
            }
        }
        meant(&filled)
    }

    /// As a person is shown it: `{name}` for what is unknown. Control characters are still in it.
    pub(super) fn shown(&self) -> String {
        let mut shown = String::new();
        for (at, part) in self.as_str().split(HOLE).enumerate() {
            if at % 2 == 0 {
                shown.push_str(part);
                continue;
            }
            let part = part.split(APART).next().unwrap_or_default();
            let (part, pattern) = match part.strip_prefix(PATTERN) {
                Some(part) => (part, true),
                None => (part.strip_prefix(MADE).unwrap_or(part), false),
            };
            if !pattern {
                shown.push('{');
            }
            shown.push_str(&meant(part));
            if !pattern {
                shown.push('}');
            }
        }
        shown
    }

    pub(super) fn then(&self, other: &Self) -> Option<Self> {
        Self::assembled(format!("{}{}", self.as_str(), other.as_str()))
    }

    /// `self / part`, as a path.
    pub(super) fn join(&self, part: &Self) -> Option<Self> {
        let (base, part_text) = (self.as_str(), part.as_str());
        let drive = part_text.as_bytes().get(1) == Some(&b':');
        if base.is_empty() || base == "." || part_text.starts_with(is_separator) || drive {
            return Some(part.clone());
        }
        if part_text.is_empty() || part_text == "." {
            return Some(self.clone());
        }
        let slash = if base.ends_with(is_separator) {
            ""
        } else {
            "/"
        };
        Self::assembled(format!("{base}{slash}{part_text}"))
    }

    /// The directory that holds the path.
    pub(super) fn parent(&self) -> Self {
        let text = self.as_str().trim_end_matches(is_separator);
        match last_separator(text) {
            Some(0) => self.cut(0, 1),
            Some(slash) => self.cut(0, slash),
            None if self.is_hole() => {
                let shown = self.shown();
                Self::hole(&format!("parent of {}", shown.trim_matches(['{', '}'])))
            }
            None => Self::Literal(if text.is_empty() { "/" } else { "." }),
        }
    }

    /// The last component.
    pub(super) fn name(&self) -> Self {
        let text = self.as_str().trim_end_matches(is_separator);
        self.cut(
            last_separator(text).map_or(0, |slash| slash + 1),
            text.len(),
        )
    }

    /// The name without its suffix, and the suffix.
    pub(super) fn split_suffix(&self) -> (Self, Self) {
        let text = self.as_str();
        let name = last_separator(text).map_or(0, |slash| slash + 1);
        match text[name..].rfind('.') {
            Some(dot) if dot > 0 => {
                let dot = name + dot;
                (self.cut(0, dot), self.cut(dot, text.len()))
            }
            _ => (self.clone(), Self::Literal("")),
        }
    }

    /// A part of it. The ends are never inside a hole: holes hold neither slashes nor dots.
    fn cut(&self, from: usize, to: usize) -> Self {
        match self {
            Self::Literal(text) => Self::Literal(&text[from..to]),
            Self::Own(text) => Self::Own(text[from..to].into()),
        }
    }
}

/// Whether a character separates the components of a path.
pub(super) fn is_separator(c: char) -> bool {
    c == '/' || (cfg!(windows) && c == '\\')
}

fn last_separator(text: &str) -> Option<usize> {
    text.rfind(is_separator)
}

/// The characters that stand-ins stand for.
fn meant(text: &str) -> String {
    let meant = |c: char| {
        let stand_in = STAND_INS.iter().find(|(_, stand_in)| *stand_in == c);
        stand_in.map_or(c, |(meant, _)| *meant)
    };
    text.chars().map(meant).collect()
}

/// Control characters, and those that turn the direction of writing, made visible.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a terminal would not show the character, or show something else for it.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn hash(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn holes_are_opaque_to_paths() {
        let base = Text::hole("a/b.c");
        let path = base.join(&Text::Literal("x.txt")).unwrap();
        assert_eq!(path.shown(), "{a/b.c}/x.txt");
        assert_eq!(path.parent().shown(), "{a/b.c}");
        assert_eq!(path.name().as_str(), "x.txt");
        assert_eq!(path.split_suffix().1.as_str(), ".txt");
        assert_eq!(path.before_hole(), ("", true));
    }

    #[test]
    fn patterns_are_shown_as_written() {
        let pattern = Text::Literal("logs/2024/*/x?.log");
        let entry = Text::matches(&pattern).unwrap();
        assert_eq!(entry.shown(), "logs/2024/*/x?.log");
        assert_eq!(entry.before_hole(), ("logs/2024/", true));
    }

    #[test]
    fn what_the_run_made_is_so_below_and_not_above() {
        let made = Text::made("tempfile.mkdtemp()");
        assert!(made.join(&Text::Literal("a/b")).unwrap().is_made());
        assert!(!made.join(&Text::Literal("../b")).unwrap().is_made());
        assert!(!Text::hole("x").is_made());
    }

    #[test]
    fn a_parameter_is_equal_to_itself_alone() {
        let source = "path path";
        let (one, two) = (Text::parameter(&source[..4]), Text::parameter(&source[5..]));
        assert_ne!(one.as_str(), two.as_str());
        assert_eq!(one.shown(), two.shown());
    }

    #[test]
    fn control_characters_are_visible() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}"), "a\\u{1b}[2Jb\\u{202e}");
    }
}
