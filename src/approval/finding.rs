//! One place in the code, or one attempt at run time, that needs approval.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use super::Category;
use crate::home::escaped;

/// What a person is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The rule's code, such as `PI101`; `PIx00` are the guard's, seen at run time.
    pub rule: String,
    /// The kind of effect.
    pub category: Category,
    /// What the code would do, with the real target where it is known.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The file of the span, where it is not the program itself: a module that it imports.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "optional_path",
        default
    )]
    pub file: Option<PathBuf>,
    /// Where it stands.
    #[serde(flatten)]
    pub span: Span,
}

/// A part of a source text. Lines and columns count from 1; columns are characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Span {
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// The column behind the last character.
    pub end_column: u32,
}

/// A path as JSON text: what is no Unicode in it comes escaped.
pub(super) fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&escaped(path))
}

#[expect(
    clippy::ref_option,
    reason = "serde hands over a reference to the field"
)]
pub(super) fn optional_path<S: Serializer>(
    path: &Option<PathBuf>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => serializer.collect_str(&escaped(path)),
        None => serializer.serialize_none(),
    }
}
