//! The review over any bytes at all: `cargo +nightly fuzz run review --fuzz-dir tests/fuzz`.
//!
//! Every file that a program imports has the program's own bytes, so that imports are walked too.

#![no_main]

use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use pi_python::approval::Workspace;
use pi_python::approval::review::{Context, Files, Kind, Verdict, review};

struct Same<'a>(&'a [u8]);

impl Files for Same<'_> {
    fn read(&self, _: &Path) -> Option<Vec<u8>> {
        Some(self.0.to_vec())
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        match path.to_string_lossy().len() % 3 {
            0 => None,
            1 => Some(Kind::Directory),
            _ => Some(Kind::File),
        }
    }

    fn real(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
}

fuzz_target!(|source: &[u8]| {
    let workspace = Workspace {
        roots: vec!["/work".into()],
        temporary: vec!["/tmp".into()],
        caches: vec!["/home/u/.cache".into()],
        agent: "/home/u/.pi/agent".into(),
        home: Some("/home/u".into()),
    };
    let context = Context {
        workspace: &workspace,
        cwd: Path::new("/work"),
        file: None,
        files: &Same(source),
    };
    let review = review(source, &context);
    assert_eq!(
        review.verdict == Verdict::ApprovalRequired,
        !review.findings.is_empty()
    );
    for finding in &review.findings {
        assert!(finding.span.line > 0 && finding.span.column > 0, "{finding:?}");
        assert!(finding.span.end_line >= finding.span.line, "{finding:?}");
    }
});
