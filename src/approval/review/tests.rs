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
            "/ws/old.txt",
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
        roots: vec!["/ws".into()],
        temporary: vec!["/tmp".into()],
        caches: vec!["/home/u/.cache".into()],
        agent: "/home/u/.pi/agent".into(),
        protected: Vec::new(),
        home: Some("/home/u".into()),
    }
}

/// A file system in which whatever a program may want to delete is there.
struct Full;

impl Files for Full {
    fn read(&self, _: &Path) -> Option<Vec<u8>> {
        None
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        let is_module = path.extension().is_some_and(|extension| extension == "py");
        Few(&[]).kind(path).or((!is_module).then_some(Kind::File))
    }

    fn real(&self, path: &Path) -> PathBuf {
        Few(&[]).real(path)
    }
}

fn review_with(files: &dyn Files, source: &str) -> Review {
    let workspace = workspace();
    review(
        source.as_bytes(),
        &Context {
            workspace: &workspace,
            cwd: Path::new("/ws"),
            file: Some(Path::new("/ws/script.py")),
            files,
        },
    )
}

fn reviewed(source: &str) -> Review {
    review_with(&Few(&[]), source)
}

#[cfg_attr(not(unix), ignore = "the examples' paths are those of Unix")]
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
            let review = review_with(&Full, example);
            let where_nothing_is = reviewed(example).findings;
            let mut both = review.findings.iter().chain(&where_nothing_is);
            if !both.any(|finding| finding.rule == rule.code) {
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

#[test]
fn what_nests_deep_is_no_danger() {
    let deep = |part: &str, count: usize| part.repeat(count);
    let lines = |count: usize, line: fn(usize) -> String| {
        (0..count).map(line).collect::<Vec<_>>().join("\n") + "\n"
    };
    let sources = [
        format!("{}1{}", deep("(", 10_000), deep(")", 10_000)),
        format!("x = {}1", deep("-", 15_000)),
        format!("x = {}1", deep("1+", 100_000)),
        format!("x = {}1", deep("1+", 15_000)),
        format!("x = {}''", deep("'a'+", 15_000)),
        format!("a{}", deep(".b", 15_000)),
        format!("f{}", deep("()", 15_000)),
        format!("x = {}True", deep("not ", 15_000)),
        format!("x = {}1", deep("1 if 1 else ", 5_000)),
        format!("x = {}1", deep("lambda: ", 5_000)),
        format!("{}1{}", deep("[", 100_000), deep("]", 100_000)),
        format!("x = {}0{}", deep("{0:", 4_000), deep("}", 4_000)),
        format!(
            "match x:\n case {}y{}: pass",
            deep("(", 5_000),
            deep(")", 5_000)
        ),
        format!("x = {}1{}", deep("f'{", 3_000), deep("}'", 3_000)),
        deep("(", 100_000),
        deep("f'{", 50_000),
        lines(300, |at| format!("{}if x:", " ".repeat(at))),
        deep("a = [a]\n", 50_000),
        deep("a = a, a\n", 50_000),
        deep("a = a + 'x'\n", 50_000),
        format!("import os\n{}", deep("os.remove('a')\n", 2_000)),
        format!(
            "import functools, os\nf = os.remove\n{}f('a')",
            deep("f = functools.partial(f)\n", 500)
        ),
        lines(500, |at| format!("def f{at}():\n    return f{}()", at + 1)),
        "def f(x):\n    return f([x])\nf(1)\n".to_owned(),
        "class A(A): pass\nclass B(A): pass\nA.x.y\n".to_owned(),
        "from script import *\nimport script\nscript.x".to_owned(),
        format!(
            "exec({:?})",
            format!("exec({:?})", "exec('import os; os.remove(1)')")
        ),
    ];
    for source in sources {
        let review = reviewed(&source);
        assert!(review.findings.len() <= 2_000, "{}", &source[..20]);
    }
}

#[test]
fn imports_that_never_end_are_bounded() {
    // A package whose every level is there again below itself.
    struct Endless;
    impl Files for Endless {
        fn read(&self, _: &Path) -> Option<Vec<u8>> {
            Some(b"from . import a, b\nfrom .a import c\nimport a.b.c".to_vec())
        }
        fn kind(&self, path: &Path) -> Option<Kind> {
            Some(match path.extension() {
                Some(_) => Kind::File,
                None => Kind::Directory,
            })
        }
        fn real(&self, path: &Path) -> PathBuf {
            path.to_owned()
        }
    }
    let workspace = workspace();
    let context = Context {
        workspace: &workspace,
        cwd: Path::new("/ws"),
        file: None,
        files: &Endless,
    };
    let review = review(b"import a\nimport b.c.d", &context);
    assert!(review.files.len() <= 200, "{}", review.files.len());
}
