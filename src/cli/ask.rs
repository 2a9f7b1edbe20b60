//! The question on a terminal.
//!
//! Invariant: it is asked only where a person sees it and can answer, and what was typed before it was on the screen is
//! no answer.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Write};

use super::frame::{self, visible};
use crate::approval::within;
use crate::approval::{Answer, Asker, By, Category, Nobody, Question};
use crate::progress::Progress;
use crate::settings::Settings;

#[cfg_attr(unix, path = "ask/unix.rs")]
#[cfg_attr(not(unix), path = "ask/windows.rs")]
mod system;

/// The most findings that are shown in full; the others are named in a line each.
const FRAMES: usize = 12;
/// How many of the arguments, variables and modules are shown with a question.
const FEW: usize = 8;
/// The most characters of one of them.
const FEW_CHARS: usize = 160;
/// The most bytes of an answer that are read.
const ANSWER_BYTES: u64 = 4096;

/// Who can be asked where this process runs. What `progress` draws makes room for the question.
pub(crate) fn asker<'a>(
    settings: &Settings,
    quiet: bool,
    progress: &'a dyn Progress,
) -> Box<dyn Asker + 'a> {
    let wanted = !quiet && !settings.approval.never_ask;
    let seen = || io::stdin().is_terminal() && io::stderr().is_terminal();
    if wanted && seen() && system::is_in_foreground() && !within::is_within_run(settings) {
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
    text.push_str(&run(question, Rows::Few));
    text
}

/// How many arguments, variables and modules are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// So many of each that what was found stays on the screen.
    Few,
    /// All of them.
    All,
}

/// What would be run, where, and what a yes lifts.
pub(crate) fn run(question: &Question, rows: Rows) -> String {
    let mut table = Table(String::new());
    let lines = question
        .excerpts
        .first()
        .map_or(0, |program| program.total_lines);
    let program = question.script.as_deref().unwrap_or("code");
    table.row("program", &format!("{program} ({lines} lines)"), rows);
    table.row("sha256", &question.sha256.to_string(), rows);
    table.rows("argument", &question.args, rows);
    table.rows("variable", &question.variables, rows);
    let imports: Vec<String> = question
        .imports
        .iter()
        .map(|module| module.path.to_string_lossy().into_owned())
        .collect();
    table.rows("imports", &imports, rows);
    table.row("directory", &question.cwd, rows);
    table.row("python", &question.python, rows);
    let would: Vec<&str> = question.categories().iter().map(Category::name).collect();
    let would = format!("{}: a yes is to anything of the kind", would.join(", "));
    table.row("would", &would, rows);
    table.row("approval", &question.id.to_string(), rows);
    table.0
}

struct Table(String);

impl Table {
    fn row(&mut self, name: &str, value: &str, rows: Rows) {
        let shown = visible(value);
        let end = match rows {
            Rows::Few => shown.char_indices().nth(FEW_CHARS).map(|(end, _)| end),
            Rows::All => None,
        };
        let (shown, cut) = end.map_or((shown.as_ref(), ""), |end| (&shown[..end], "…"));
        let _ = writeln!(self.0, "{name:>10}  {shown}{cut}");
    }

    fn rows(&mut self, name: &str, values: &[String], rows: Rows) {
        let shown = match rows {
            Rows::Few => values.len().min(FEW),
            Rows::All => values.len(),
        };
        for value in &values[..shown] {
            self.row(name, value, rows);
        }
        if let more @ 1.. = values.len() - shown {
            let _ = writeln!(
                self.0,
                "{name:>10}  … and {more} more, shown by `pi approvals show`"
            );
        }
    }
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
