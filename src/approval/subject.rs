//! What an approval is bound to: one run, down to the bytes of its program.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::{Digest, Encoder};
use super::{Finding, finding};
use crate::home::escaped;

/// A run as far as an approval is bound to it. Whatever of it changes, the approval does not fit any more.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The program's source: the bytes that were reviewed.
    pub code: &'a [u8],
    /// The script that they were read from.
    pub script: Option<Script<'a>>,
    /// The program's arguments.
    pub args: &'a [OsString],
    /// Variables that are set for it, or passed on to it.
    pub variables: &'a [(OsString, Option<OsString>)],
    /// Whether it reads the caller's standard input.
    pub reads_stdin: bool,
    /// Where it runs.
    pub cwd: &'a Path,
    /// The interpreter's executable.
    pub python: &'a Path,
    /// The interpreter's version.
    pub version: &'a str,
    /// What it imports and was reviewed with it.
    pub imports: &'a [FileDigest],
}

/// A script file. Where it stands decides what it imports and what it finds in `__file__`, so a copy elsewhere is
/// another program.
#[derive(Debug, Clone, Copy)]
pub struct Script<'a> {
    /// Where it is, absolute.
    pub path: &'a Path,
    /// What it finds in `sys.argv[0]`.
    pub named: &'a Path,
}

/// A file as it was reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileDigest {
    /// Where it is.
    #[serde(serialize_with = "finding::path")]
    pub path: PathBuf,
    /// The digest of its content.
    pub sha256: Digest,
}

impl Subject<'_> {
    /// The digest of all of it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut encoder = Encoder::new("pi approval: subject");
        encoder.bytes(self.code);
        let script = self.script.map(|script| [script.path, script.named]);
        encoder.list(
            script.as_ref().map_or(&[], |paths| &paths[..]),
            |encoder, path| encoder.bytes(bytes(path.as_os_str())),
        );
        encoder.list(self.args, |encoder, arg| encoder.bytes(bytes(arg)));
        encoder.list(self.variables, |encoder, (name, value)| {
            encoder.bytes(bytes(name));
            encoder.optional(value.as_deref().map(bytes));
        });
        encoder.number(u64::from(self.reads_stdin));
        encoder.bytes(bytes(self.cwd.as_os_str()));
        encoder.bytes(bytes(self.python.as_os_str()));
        encoder.bytes(self.version.as_bytes());
        // In which order the review came across them says nothing about the run.
        let mut imports: Vec<&FileDigest> = self.imports.iter().collect();
        imports.sort_by(|a, b| (&a.path, a.sha256).cmp(&(&b.path, b.sha256)));
        encoder.list(&imports, |encoder, file| {
            encoder.bytes(bytes(file.path.as_os_str()));
            encoder.bytes(file.sha256.to_string().as_bytes());
        });
        encoder.finish()
    }

    /// The first of its files that is no longer what was reviewed.
    #[must_use]
    pub fn changed(&self) -> Option<&Path> {
        let script = self
            .script
            .map(|script| (script.path, Digest::of(self.code)));
        let imports = self
            .imports
            .iter()
            .map(|file| (file.path.as_path(), file.sha256));
        script
            .into_iter()
            .chain(imports)
            .find(|(path, then)| Digest::of_file(path).ok() != Some(*then))
            .map(|(path, _)| path)
    }
}

fn bytes(text: &OsStr) -> &[u8] {
    text.as_encoded_bytes()
}

/// What names a question: the digest of a subject and of the findings that were shown. As text it is the first 20
/// hexadecimal digits; JSON has all 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(Digest);

/// How many digits of an id are shown.
const SHOWN: usize = 20;

impl Id {
    /// The id of a question about the subject with this digest.
    #[must_use]
    pub fn of(subject: &Digest, findings: &[Finding]) -> Self {
        let mut encoder = Encoder::new("pi approval: question");
        encoder.bytes(subject.to_string().as_bytes());
        let mut findings: Vec<&Finding> = findings.iter().collect();
        findings.sort_by_key(|finding| sort_key(finding));
        findings.dedup_by(|a, b| is_same(a, b));
        encoder.list(&findings, |encoder, finding| {
            encoder.bytes(finding.rule.as_bytes());
            encoder.bytes(finding.category.name().as_bytes());
            encoder.bytes(finding.message.as_bytes());
            let file = finding
                .file
                .as_deref()
                .map(|file| escaped(file).to_string());
            encoder.optional(file.as_deref().map(str::as_bytes));
            let span = finding.span;
            for number in [span.line, span.column, span.end_line, span.end_column] {
                encoder.number(number.into());
            }
        });
        Self(encoder.finish())
    }

    /// Whether `text` names it: as it is shown, or with every digit.
    #[must_use]
    pub fn is(self, text: &str) -> bool {
        let full = self.0.to_string();
        text == full || text == &full[..SHOWN]
    }

    /// Whether its digits begin with `text`.
    #[must_use]
    pub fn begins_with(self, text: &str) -> bool {
        !text.is_empty() && self.0.to_string().starts_with(text)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.to_string()[..SHOWN])
    }
}

fn sort_key(finding: &Finding) -> impl Ord + use<> {
    let span = finding.span;
    (
        finding
            .file
            .as_deref()
            .map(|file| escaped(file).to_string()),
        (span.line, span.column, span.end_line, span.end_column),
        finding.rule.clone(),
        finding.category,
        finding.message.clone(),
    )
}

/// Whether a person would be shown the same: help is advice, and no part of it.
pub(super) fn is_same(a: &Finding, b: &Finding) -> bool {
    sort_key(a) == sort_key(b)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
pub(super) mod tests {
    use super::*;
    use crate::approval::{Category, Span};

    pub(in crate::approval) fn subject(code: &[u8]) -> Subject<'_> {
        Subject {
            code,
            script: None,
            args: &[],
            variables: &[],
            reads_stdin: false,
            cwd: Path::new("/ws"),
            python: Path::new("/usr/bin/python3"),
            version: "3.12.1",
            imports: &[],
        }
    }

    pub(in crate::approval) fn finding(category: Category, message: &str, line: u32) -> Finding {
        Finding {
            rule: format!("PI{}01", category as u8 + 1),
            category,
            message: message.to_owned(),
            help: "think twice".to_owned(),
            file: None,
            span: Span {
                line,
                column: 1,
                end_line: line,
                end_column: 5,
            },
        }
    }

    #[test]
    fn every_part_of_a_run_counts() {
        let base = subject(b"pass");
        let script = |path, named| {
            Some(Script {
                path: Path::new(path),
                named: Path::new(named),
            })
        };
        let import = |path: &str, content: &[u8]| FileDigest {
            path: path.into(),
            sha256: Digest::of(content),
        };
        let args: [OsString; 2] = ["a".into(), "b".into()];
        let one_arg: [OsString; 1] = ["ab".into()];
        let variables = [("A".into(), Some(OsString::new()))];
        let passed = [("A".into(), None)];
        let (import_a, import_b) = ([import("/m.py", b"1")], [import("/m.py", b"2")]);
        let others = [
            base,
            subject(b"pass\n"),
            Subject {
                script: script("/ws/x.py", "x.py"),
                ..base
            },
            Subject {
                script: script("/ws/x.py", "./x.py"),
                ..base
            },
            Subject {
                script: script("/copy/x.py", "x.py"),
                ..base
            },
            Subject {
                args: &args,
                ..base
            },
            Subject {
                args: &one_arg,
                ..base
            },
            Subject {
                args: &args[..1],
                ..base
            },
            Subject {
                variables: &variables,
                ..base
            },
            Subject {
                variables: &passed,
                ..base
            },
            Subject {
                reads_stdin: true,
                ..base
            },
            Subject {
                cwd: Path::new("/elsewhere"),
                ..base
            },
            Subject {
                python: Path::new("/opt/python3"),
                ..base
            },
            Subject {
                version: "3.12.2",
                ..base
            },
            Subject {
                imports: &import_a,
                ..base
            },
            Subject {
                imports: &import_b,
                ..base
            },
        ];
        let digests: Vec<Digest> = others.iter().map(Subject::digest).collect();
        for (at, digest) in digests.iter().enumerate() {
            assert!(!digests[..at].contains(digest), "{at}");
        }
        assert_eq!(subject(b"pass").digest(), base.digest());
    }

    #[test]
    fn the_order_of_imports_does_not_count() {
        let mut imports = vec![
            FileDigest {
                path: "/a.py".into(),
                sha256: Digest::of(b"a"),
            },
            FileDigest {
                path: "/b.py".into(),
                sha256: Digest::of(b"b"),
            },
        ];
        let one = Subject {
            imports: &imports,
            ..subject(b"pass")
        }
        .digest();
        imports.reverse();
        assert_eq!(
            Subject {
                imports: &imports,
                ..subject(b"pass")
            }
            .digest(),
            one
        );
    }

    #[test]
    fn an_id_is_of_what_was_shown_and_of_nothing_else() {
        let digest = subject(b"pass").digest();
        let (a, b) = (
            finding(Category::Delete, "deletes a", 1),
            finding(Category::Delete, "deletes b", 2),
        );
        let id = Id::of(&digest, &[a.clone(), b.clone()]);
        assert_eq!(id, Id::of(&digest, &[b.clone(), a.clone(), b.clone()]));
        let advised = Finding {
            help: "other".to_owned(),
            ..a.clone()
        };
        assert_eq!(id, Id::of(&digest, &[advised, b.clone()]));
        assert_ne!(id, Id::of(&digest, std::slice::from_ref(&a)));
        assert_ne!(
            id,
            Id::of(&subject(b"other").digest(), &[a.clone(), b.clone()])
        );
        for other in [
            Finding {
                rule: "PI999".to_owned(),
                ..a.clone()
            },
            Finding {
                category: Category::Program,
                ..a.clone()
            },
            Finding {
                message: "deletes c".to_owned(),
                ..a.clone()
            },
            Finding {
                file: Some("m.py".into()),
                ..a.clone()
            },
            Finding {
                span: b.span,
                ..a.clone()
            },
        ] {
            assert_ne!(
                id,
                Id::of(&digest, &[other.clone(), b.clone()]),
                "{other:?}"
            );
        }
    }

    #[test]
    fn an_id_is_taken_as_it_is_shown_and_not_by_less() {
        let id = Id::of(&subject(b"pass").digest(), &[]);
        let (shown, full) = (id.to_string(), serde_json::to_value(id).unwrap());
        assert_eq!(shown.len(), SHOWN);
        assert!(id.is(&shown) && id.is(full.as_str().unwrap()));
        assert!(!id.is(&shown[..19]) && !id.is("") && !id.is(&format!("{shown} ")));
        assert!(id.begins_with(&shown[..4]) && !id.begins_with(""));
    }

    #[test]
    fn a_file_that_changed_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let (script, module) = (dir.path().join("job.py"), dir.path().join("m.py"));
        std::fs::write(&script, "pass").unwrap();
        std::fs::write(&module, "x = 1").unwrap();
        let imports = [FileDigest {
            path: module.clone(),
            sha256: Digest::of(b"x = 1"),
        }];
        let subject = Subject {
            script: Some(Script {
                path: &script,
                named: Path::new("job.py"),
            }),
            imports: &imports,
            ..subject(b"pass")
        };
        assert_eq!(subject.changed(), None);
        std::fs::write(&module, "x = 2").unwrap();
        assert_eq!(subject.changed(), Some(module.as_path()));
        std::fs::remove_file(&script).unwrap();
        assert_eq!(subject.changed(), Some(script.as_path()));
    }
}
