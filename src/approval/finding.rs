//! One place in the code, or one attempt at run time, that needs approval.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Category;

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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<PathBuf>,
    /// Where it stands.
    #[serde(flatten)]
    pub span: Span,
}

/// A part of a source text. Lines and columns count from 1; columns are characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
