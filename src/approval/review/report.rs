//! What a review found, and what it says of it.

use ruff_text_size::TextRange;

use super::rules::Rule;
use super::source::Lines;
use super::value::Id;
use super::walker::Walker;
use super::{Review, Verdict};
use crate::approval::{Category, Finding};

/// Findings beyond these would tell nobody more.
const MOST_FINDINGS: usize = 500;

/// A call that a rule looks at, where it stands.
pub(super) struct Found {
    module: Id,
    range: TextRange,
    rule: &'static Rule,
    message: String,
}

/// Why the program is not read-only.
pub(super) struct Note {
    text: String,
    module: Id,
    at: usize,
}

impl<'a> Walker<'a, '_> {
    /// Finds what a rule is about, once a place.
    pub(super) fn find(&mut self, rule: &'static Rule, range: TextRange, message: String) {
        let range = self.instead.unwrap_or(range);
        let module = self.here.module;
        if self.found.len() < MOST_FINDINGS && self.seen.insert((module, range, rule.code)) {
            self.found.push(Found {
                module,
                range,
                rule,
                message,
            });
        }
    }

    /// Says why the program is not read-only.
    pub(super) fn note(&mut self, text: &str, range: TextRange) {
        let at = self.instead.unwrap_or(range).start().to_usize();
        self.note_at(text.to_owned(), at);
    }

    pub(super) fn note_at(&mut self, text: String, at: usize) {
        if self.notes.len() < MOST_FINDINGS {
            let module = self.here.module;
            self.notes.push(Note { text, module, at });
        }
    }

    /// What the review says in the end.
    pub(super) fn review(&mut self) -> Review {
        let lines: Vec<Option<Lines<'a>>> = (0..self.modules.len())
            .map(|id| self.lines_of(id))
            .collect();
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|found| (found.module.0, found.range.start(), found.rule.code));
        let findings: Vec<Finding> = found
            .into_iter()
            .map(|found| Finding {
                rule: found.rule.code.to_owned(),
                category: found.rule.category,
                message: found.message,
                help: found.rule.help.to_owned(),
                file: self.modules[found.module.index()].path.clone(),
                span: lines[found.module.index()]
                    .as_ref()
                    .map(|lines| lines.span(found.range))
                    .unwrap_or_default(),
            })
            .collect();
        let mut reasons = reasons_of(&findings);
        let needs_approval = !reasons.is_empty();
        reasons.extend(self.reasons_of_notes(&lines));
        Review {
            verdict: match (needs_approval, reasons.is_empty()) {
                (true, _) => Verdict::ApprovalRequired,
                (false, false) => Verdict::ScopedWrite,
                (false, true) => Verdict::ReadOnly,
            },
            reasons,
            findings,
            files: std::mem::take(&mut self.files),
        }
    }

    /// The lines of a module in which something was found.
    fn lines_of(&self, module: usize) -> Option<Lines<'a>> {
        let is_it = |id: Id| id.index() == module;
        let needed = self.found.iter().any(|found| is_it(found.module))
            || self.notes.iter().any(|note| is_it(note.module));
        needed.then(|| Lines::of(self.modules[module].text))
    }

    /// The notes, those of equal text together.
    fn reasons_of_notes(&mut self, lines: &[Option<Lines<'a>>]) -> Vec<String> {
        let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
        for note in std::mem::take(&mut self.notes) {
            let module = &self.modules[note.module.index()];
            let lines = lines[note.module.index()].as_ref();
            let line = lines.map_or(1, |lines| lines.line(note.at));
            let place = match &module.path {
                Some(path) => format!("{}:{line}", path.display()),
                None => line.to_string(),
            };
            match grouped.iter_mut().find(|(text, _)| *text == note.text) {
                Some((_, places)) if !places.contains(&place) => places.push(place),
                Some(_) => {}
                None => grouped.push((note.text, vec![place])),
            }
        }
        grouped
            .into_iter()
            .map(|(text, places)| {
                if text.starts_with("it ") || text.starts_with("the review ") {
                    text
                } else {
                    format!("{text} ({})", line_list(&places))
                }
            })
            .collect()
    }
}

/// Why approval is needed: one line a category.
fn reasons_of(findings: &[Finding]) -> Vec<String> {
    Category::ALL
        .into_iter()
        .filter_map(|category| {
            let mut places: Vec<String> = findings
                .iter()
                .filter(|finding| finding.category == category)
                .map(|finding| match &finding.file {
                    Some(path) => format!("{}:{}", path.display(), finding.span.line),
                    None => finding.span.line.to_string(),
                })
                .collect();
            places.dedup();
            let what = match category {
                Category::Delete => "it deletes what it did not make",
                Category::Outside => "it changes files outside the workspace",
                Category::Program => "it starts other programs",
                Category::Signal => "it signals processes that are not its own",
                Category::Native => "it calls native code",
                Category::Credentials => "it reads stores of credentials",
                Category::Publish => "it publishes",
                Category::Tamper => "it changes pi's own files",
                Category::Write => "it writes",
            };
            (!places.is_empty()).then(|| format!("{what} ({})", line_list(&places)))
        })
        .collect()
}

/// `line 3`, `lines 3, 5 and 12 more`.
fn line_list(places: &[String]) -> String {
    const SHOWN: usize = 8;
    let word = if places.len() == 1 { "line" } else { "lines" };
    let shown = places[..places.len().min(SHOWN)].join(", ");
    match places.len().saturating_sub(SHOWN) {
        0 => format!("{word} {shown}"),
        more => format!("{word} {shown} and {more} more"),
    }
}
