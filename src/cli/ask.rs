//! The question on a terminal.
//!
//! Invariant: it is asked only where a person sees it and can answer, and what was typed before it was on the screen is
//! no answer.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Write};

use super::frame::{self, visible};
use crate::approval::{Answer, Asker, By, Nobody, Question};
use crate::progress::Progress;
use crate::settings::Settings;

#[cfg_attr(unix, path = "ask/unix.rs")]
#[cfg_attr(not(unix), path = "ask/windows.rs")]
mod system;

/// The most findings that are shown in full; the others are named in a line each.
const FRAMES: usize = 12;
/// The most bytes of an answer that are read.
const ANSWER_BYTES: u64 = 4096;

/// Who can be asked where this process runs. What `progress` draws makes room for the question.
pub(crate) fn asker<'a>(
    settings: &Settings,
    quiet: bool,
    progress: &'a dyn Progress,
) -> Box<dyn Asker + 'a> {
    let unwanted = quiet || settings.approval.never_ask || settings.is_within_run();
    let seen = || io::stdin().is_terminal() && io::stderr().is_terminal();
    if !unwanted && seen() && system::is_in_foreground() {
        Box::new(Terminal(progress))
    } else {
        Box::new(Nobody)
    }
}

struct Terminal<'a>(&'a dyn Progress);

impl Asker for Terminal<'_> {
    fn ask(&self, question: &Question) -> Answer {
        let text = format!(
            "{}\nRun it? [y]es once, [N]o, [a]lways for this exact content: ",
            shown(question)
        );
        self.0.make_room();
        system::forget_what_was_typed();
        let mut screen = io::stderr().lock();
        if screen
            .write_all(text.as_bytes())
            .and_then(|()| screen.flush())
            .is_err()
        {
            return Answer::Nobody;
        }
        let answer = read_answer(io::stdin().lock());
        if answer.is_none() {
            // The line of the question is still open.
            let _ = writeln!(screen);
        }
        answer.as_deref().map_or(Answer::No, understood)
    }

    fn by(&self) -> By {
        By::Terminal
    }
}

/// One line; `None` at the end of input.
fn read_answer(input: impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    match input.take(ANSWER_BYTES).read_until(b'\n', &mut line) {
        Ok(1..) => Some(String::from_utf8_lossy(&line).into_owned()),
        Ok(0) | Err(_) => None,
    }
}

/// Whatever is no clear yes is a no.
fn understood(line: &str) -> Answer {
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Answer::Once,
        "a" | "always" => Answer::Always,
        _ => Answer::No,
    }
}

/// The question as text: what was found, then what would be run and where.
pub(crate) fn shown(question: &Question) -> String {
    let program = question.script.as_deref().unwrap_or("<code>");
    let (framed, named) = question
        .findings
        .split_at(question.findings.len().min(FRAMES));
    let mut text = frame::findings(program, &question.excerpts, framed);
    if !named.is_empty() {
        let _ = writeln!(text, "\n{} more:", named.len());
    }
    for finding in named.iter().take(10 * FRAMES) {
        let place = match &finding.file {
            Some(file) => visible(&file.to_string_lossy()).into_owned(),
            None => visible(program).into_owned(),
        };
        let _ = writeln!(
            text,
            "  {} {} {place}:{}:{}",
            visible(&finding.rule),
            finding.category.name(),
            finding.span.line,
            finding.span.column
        );
    }
    text.push('\n');
    text.push_str(&run(question));
    text
}

/// What would be run, where, and what a yes lifts.
pub(crate) fn run(question: &Question) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:>10}  {}", visible(value));
    };
    let lines = question
        .excerpts
        .first()
        .map_or(0, |program| program.total_lines);
    let program = question.script.as_deref().unwrap_or("code");
    row("program", &format!("{program} ({lines} lines)"));
    row("sha256", &question.sha256.to_string());
    for arg in &question.args {
        row("argument", arg);
    }
    for variable in &question.variables {
        row("variable", variable);
    }
    for module in &question.imports {
        row("imports", &module.path.to_string_lossy());
    }
    row("directory", &question.cwd);
    row("python", &question.python);
    let categories: Vec<&str> = question
        .categories()
        .iter()
        .map(crate::approval::Category::name)
        .collect();
    row("would", &categories.join(", "));
    row("approval", &question.id.to_string());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        for (line, answer) in [
            ("y\n", Answer::Once),
            (" YES \r\n", Answer::Once),
            ("a\n", Answer::Always),
            ("Always", Answer::Always),
            ("\n", Answer::No),
            ("n\n", Answer::No),
            ("no, yes\n", Answer::No),
            ("yy\n", Answer::No),
            ("y\u{0}\n", Answer::No),
            ("\u{ff59}\n", Answer::No),
        ] {
            assert_eq!(understood(line), answer, "{line:?}");
        }
    }

    #[test]
    fn one_line_is_read_and_no_more() {
        assert_eq!(read_answer(&b"y\nn\n"[..]).as_deref(), Some("y\n"));
        assert_eq!(read_answer(&b""[..]), None);
        let endless = vec![b'y'; 100_000];
        let read = read_answer(endless.as_slice()).expect("a line without end");
        assert_eq!(read.len() as u64, ANSWER_BYTES);
    }
}
