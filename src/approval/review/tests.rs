//! The examples of the rules, and the review as a whole.

use std::path::{Component, Path, PathBuf};

use super::rules::RULES;
use super::*;
use crate::approval::Category;

/// A file system of a few files, with no symlinks.
struct Few(&'static [(&'static str, &'static str)]);

impl Files for Few {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.as_bytes().to_vec())
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        let is_above = |file: &str| Path::new(file).ancestors().skip(1).any(|dir| dir == path);
        let there = [
            "/work/old.txt",
            "/tmp/old.txt",
            "/etc/hosts",
            "/home/u/.pi/agent/x",
        ];
        let mut files = there
            .iter()
            .copied()
            .chain(self.0.iter().map(|(name, _)| *name));
        if files.clone().any(|file| Path::new(file) == path) {
            Some(Kind::File)
        } else if files.any(is_above) {
            Some(Kind::Directory)
        } else {
            None
        }
    }

    fn real(&self, path: &Path) -> PathBuf {
        let mut real = PathBuf::new();
        for component in path.components() {
            match component {
                Component::ParentDir => {
                    real.pop();
                }
                Component::CurDir => {}
                other => real.push(other),
            }
        }
        real
    }
}

fn workspace() -> Workspace {
    Workspace {
        roots: vec!["/work".into()],
        temporary: vec!["/tmp".into()],
        caches: vec!["/home/u/.cache".into()],
        agent: "/home/u/.pi/agent".into(),
        home: Some("/home/u".into()),
    }
}

fn review_with(files: &Few, source: &str) -> Review {
    let workspace = workspace();
    review(
        source.as_bytes(),
        &Context {
            workspace: &workspace,
            cwd: Path::new("/work"),
            file: Some(Path::new("/work/script.py")),
            files,
        },
    )
}

fn reviewed(source: &str) -> Review {
    review_with(&Few(&[]), source)
}

/// Unix paths are what the examples are written in.
#[cfg(unix)]
#[test]
fn every_rule_finds_its_examples_and_nothing_else() {
    let mut wrong = Vec::new();
    for rule in RULES {
        assert!(rule.found.len() >= 4, "{} has too few spellings", rule.code);
        assert!(
            rule.not_found.len() >= 2,
            "{} has too few others",
            rule.code
        );
        for example in rule.found {
            let review = reviewed(example);
            if !review
                .findings
                .iter()
                .any(|finding| finding.rule == rule.code)
            {
                wrong.push(format!(
                    "{} is not found in:\n{example}\n{review:#?}",
                    rule.code
                ));
            }
        }
        for example in rule.not_found {
            let review = reviewed(example);
            if review
                .findings
                .iter()
                .any(|finding| finding.rule == rule.code)
            {
                wrong.push(format!(
                    "{} is found in:\n{example}\n{review:#?}",
                    rule.code
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

#[test]
fn codes_are_of_their_category_and_in_order() {
    let mut before = "";
    for rule in RULES {
        assert!(before < rule.code, "{} is out of order", rule.code);
        before = rule.code;
        let kind = Category::ALL
            .iter()
            .position(|category| *category == rule.category);
        let digit = rule.code.as_bytes()[2] - b'1';
        assert_eq!(kind, Some(usize::from(digit)), "{}", rule.code);
        assert!(!rule.code.ends_with("00"), "{} is the guard's", rule.code);
        assert_eq!(rule.message.matches("{}").count(), 1, "{}", rule.code);
    }
}
