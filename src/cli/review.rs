//! `pi review`: what a program would do, before it runs.

use std::fmt::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use super::args::Review as Args;
use super::{exit, frame, print, print_json, report};
use crate::approval::review::{Context, Disk, Review, Verdict, review};
use crate::approval::{Excerpt, Workspace};
use crate::settings::Settings;

const VERDICT: Style = Style::new().bold();
const FREE: Style = AnsiColor::Green.on_default().bold();
const ASKED: Style = AnsiColor::Red.on_default().bold();

/// A program to be reviewed.
struct Program {
    source: Vec<u8>,
    /// `None` for code on standard input.
    file: Option<PathBuf>,
    shown: String,
}

pub(crate) fn main(args: &Args, settings: &Settings) -> ExitCode {
    let cwd = match &args.cwd {
        Some(dir) => settings.cwd.join(dir),
        None => settings.cwd.clone(),
    };
    let program = match read(&args.file, &cwd) {
        Ok(program) => program,
        Err(error) => {
            let text = format!("can't read `{}`: {error}", args.file.display());
            report::error_text(&text, &[]);
            return exit::USAGE.into();
        }
    };
    let workspace = Workspace::of(&cwd, settings);
    let context = Context {
        workspace: &workspace,
        cwd: &cwd,
        file: program.file.as_deref(),
        files: &Disk,
    };
    let review = review(&program.source, &context);
    let printed = if args.json {
        print_json(&review)
    } else {
        print(coloured(&text(&review, &program)).as_bytes())
    };
    match review.verdict {
        Verdict::ApprovalRequired if printed == ExitCode::SUCCESS => exit::APPROVAL.into(),
        _ => printed,
    }
}

fn read(file: &Path, cwd: &Path) -> io::Result<Program> {
    if file == Path::new("-") {
        let mut source = Vec::new();
        io::stdin().lock().read_to_end(&mut source)?;
        return Ok(Program {
            source,
            file: None,
            shown: "<stdin>".to_owned(),
        });
    }
    let path = cwd.join(file);
    Ok(Program {
        source: std::fs::read(&path)?,
        file: Some(path),
        shown: file.display().to_string(),
    })
}

fn text(review: &Review, program: &Program) -> String {
    let mut files: Vec<Option<&Path>> = Vec::new();
    for finding in &review.findings {
        if !files.contains(&finding.file.as_deref()) {
            files.push(finding.file.as_deref());
        }
    }
    let excerpts: Vec<Excerpt> = files
        .into_iter()
        .map(|file| match file {
            None => Excerpt::of(None, &program.source, &review.findings),
            Some(path) => {
                let source = std::fs::read(path).unwrap_or_default();
                Excerpt::of(Some(path), &source, &review.findings)
            }
        })
        .collect();
    let mut text = frame::findings(&program.shown, &excerpts, &review.findings);
    if !text.is_empty() {
        text.push('\n');
    }
    let (style, verdict) = match review.verdict {
        Verdict::ReadOnly => (FREE, "read-only: it reads and computes"),
        Verdict::ScopedWrite => (
            FREE,
            "scoped write: it runs without asking, under the guard",
        ),
        Verdict::ApprovalRequired => (ASKED, "approval required"),
    };
    let _ = writeln!(
        text,
        "{VERDICT}verdict{VERDICT:#}: {style}{verdict}{style:#}"
    );
    for reason in &review.reasons {
        let _ = writeln!(text, "- {reason}");
    }
    text
}

/// The text with its colours, where standard output shows them.
fn coloured(text: &str) -> String {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(text).to_string(),
        _ => text.to_owned(),
    }
}
