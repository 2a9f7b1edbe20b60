//! A call held against a rule: where its paths lie, what its words are, whose its processes.

use ruff_text_size::TextRange;

use super::Kind;
use super::command::{publishes, shell_publishes};
use super::place::{
    Follow, NAMELESS, PathText, Place, described, is_absolute, path_text, shortened,
};
use super::rules::{Rule, TAMPER, When, rule};
use super::text::{Text, visible};
use super::value::{Arg, Args, Value};
use super::walker::Walker;
use crate::approval::{Zone, credentials};

/// How a call touches a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Touch {
    /// Writes a file, or makes it; or changes what is there.
    Write,
    /// Makes a directory, unless it is there.
    Directory,
    /// Makes files in a directory.
    Into,
    /// Makes a database, or opens the one that is there.
    Connect,
}

/// What follows from a place.
#[derive(Debug)]
enum Outcome {
    Free,
    Guilty(String),
    Tampers(String),
}

impl<'a> Walker<'a, '_> {
    /// Finds something in a call if `when` holds for its arguments.
    pub(super) fn judge(
        &mut self,
        rule: &'static Rule,
        when: When,
        args: &Args<'a>,
        range: TextRange,
    ) {
        match when {
            When::Always => {
                let shown = self.shown_source(range);
                self.report(rule, range, &shown);
            }
            When::Deletes(path) => {
                let ignores = [Arg(1, "missing_ok"), Arg(1, "ignore_errors")]
                    .into_iter()
                    .any(|arg| matches!(args.get(arg), Some(Value::Int(1))));
                let lenient = self.lenient;
                self.lenient |= ignores;
                self.deletes(rule, &values(args, path), range);
                self.lenient = lenient;
            }
            When::Writes(path) => self.writes(rule, Touch::Write, &values(args, path), range),
            When::Connects(path) => {
                let files: Vec<Value<'a>> = values(args, path)
                    .into_iter()
                    .filter(|path| {
                        let name = path.text();
                        let name = name.as_ref().map_or("", Text::as_str);
                        !name.is_empty()
                            && !name.starts_with([':', '?'])
                            && !name.starts_with("file:")
                    })
                    .collect();
                self.writes(rule, Touch::Connect, &files, range);
            }
            When::Archives(base, format) => {
                let suffix = match args.get(format).and_then(Value::whole_text) {
                    Some("gztar") => ".tar.gz",
                    Some("bztar") => ".tar.bz2",
                    Some("xztar") => ".tar.xz",
                    Some("tar") => ".tar",
                    _ => ".zip",
                };
                let files: Vec<Value<'a>> = values(args, base)
                    .iter()
                    .filter_map(|base| base.text()?.then(&Text::Literal(suffix)))
                    .map(Value::Text)
                    .collect();
                self.writes(rule, Touch::Write, &files, range);
            }
            When::Unpacks(path) => self.writes(rule, Touch::Into, &values(args, path), range),
            When::MakesDirectory(path) => {
                self.writes(rule, Touch::Directory, &values(args, path), range);
            }
            When::Opens(path, mode, absent) => {
                let mode = args.get(mode).map_or(Some(absent), Value::whole_text);
                if mode.is_some_and(is_writing_mode) {
                    self.writes(rule, Touch::Write, &values(args, path), range);
                }
            }
            When::OpensRaw(path, flags) => {
                if args.get(flags).is_some_and(has_writing_flag) {
                    self.writes(rule, Touch::Write, &values(args, path), range);
                }
            }
            When::CopiesTo(from, to) => {
                let targets = self.targets(args, from, to);
                self.writes(rule, Touch::Write, &targets, range);
            }
            When::Moves(from, to) => self.moves(rule, args, from, to, range),
            When::MovesOut(from, to) => self.moves_out(rule, args, from, to, range),
            When::Starts(command) => {
                let commands = values(args, command);
                self.starts(rule, &commands, args, range);
            }
            When::StartsWords(first) => {
                let words = args.without(usize::from(first)).positional;
                if !words.is_empty() {
                    self.starts(rule, &[Value::seq(words)], args, range);
                }
            }
            When::OtherExecutable(executable) => {
                for value in values(args, executable) {
                    if !is_this_python(&value) {
                        let shown = shown_command(&value);
                        self.report(rule, range, &shown);
                    }
                }
            }
            When::Publishes(command) => self.publishes(rule, &values(args, command), range),
            When::PublishesWords(first) => {
                let words = args.without(usize::from(first)).positional;
                self.publishes(rule, &[Value::seq(words)], range);
            }
            When::Signals(process, signal) => self.signals(rule, args, process, signal, range),
            When::Reads(path) => self.reads(rule, &values(args, path), range),
            When::LeftOut(arg) => {
                if args.get(arg).is_none() && !args.more {
                    let shown = self.shown_source(range);
                    self.report(rule, range, &shown);
                }
            }
        }
    }

    fn report(&mut self, rule: &'static Rule, range: TextRange, target: &str) {
        let message = match (target, self.slice(range)) {
            (NAMELESS, source) if !source.is_empty() => {
                let target = format!("that `{}` is given", shortened(source));
                rule.message.replacen("{}", &target, 1)
            }
            _ => rule.message.replacen("{}", target, 1),
        };
        self.find(rule, range, visible(&message));
    }

    /// The expression at `range`, as a person is shown it.
    fn shown_source(&self, range: TextRange) -> String {
        let source = self.slice(range);
        if source.is_empty() {
            "code that is put together as a text".to_owned()
        } else {
            format!("`{}`", shortened(source))
        }
    }

    // Paths.

    fn deletes(&mut self, rule: &'static Rule, paths: &[Value<'a>], range: TextRange) {
        let mut unknown = None;
        for path in paths {
            let place = match path_text(path) {
                PathText::Text(text) => self.place(&text, Follow::Entry),
                PathText::Descriptor => continue,
                PathText::Other => Place::Unknown {
                    shown: String::new(),
                },
            };
            match place {
                Place::Made | Place::Nothing => self.note("deletes what it made", range),
                // The program itself says that it may be missing, and it is.
                Place::Known { kind: None, .. } if self.lenient => {
                    self.note("deletes what is not there yet", range);
                }
                Place::Known {
                    zone: Zone::Agent, ..
                }
                | Place::Below {
                    zone: Zone::Agent, ..
                } => return self.tampers(&place, range),
                Place::Unknown { .. } => unknown = Some(place),
                Place::Known { .. } | Place::Below { .. } => {
                    return self.report(rule, range, &described(&place, self.context));
                }
            }
        }
        if let Some(place) = unknown {
            self.report(rule, range, &described(&place, self.context));
        }
    }

    fn tampers(&mut self, place: &Place, range: TextRange) {
        if let Some(rule) = rule(TAMPER) {
            self.report(rule, range, &described(place, self.context));
        }
    }

    fn writes(&mut self, rule: &'static Rule, touch: Touch, paths: &[Value<'a>], range: TextRange) {
        for path in paths {
            match self.outcome(touch, path, range) {
                Outcome::Free => {}
                Outcome::Guilty(target) => self.report(rule, range, &target),
                Outcome::Tampers(target) => {
                    if let Some(rule) = self::rule(TAMPER) {
                        self.report(rule, range, &target);
                    }
                }
            }
        }
    }

    /// Whether a path may be written to. What may be is noted, and taken for made if it was not there.
    fn outcome(&mut self, touch: Touch, path: &Value<'a>, range: TextRange) -> Outcome {
        let PathText::Text(text) = path_text(path) else {
            return Outcome::Free;
        };
        let place = self.place(&text, Follow::Target);
        let described = || described(&place, self.context);
        let outcome = match &place {
            Place::Nothing => return Outcome::Free,
            Place::Made | Place::Unknown { .. } => Outcome::Free,
            Place::Below { zone, .. } => match zone {
                Zone::Agent => Outcome::Tampers(described()),
                Zone::Outside => Outcome::Guilty(described()),
                Zone::Workspace | Zone::Cache | Zone::Temporary => Outcome::Free,
            },
            Place::Known { zone, kind, .. } => match (zone, touch, kind) {
                (Zone::Workspace | Zone::Cache, _, _) => Outcome::Free,
                (_, Touch::Directory, Some(Kind::Directory)) | (_, Touch::Connect, Some(_)) => {
                    Outcome::Free
                }
                (Zone::Temporary, _, None) | (Zone::Temporary, Touch::Into, _) => Outcome::Free,
                (Zone::Temporary, _, Some(_)) => {
                    Outcome::Guilty(format!("{}, which was there before", described()))
                }
                (Zone::Agent, _, _) => Outcome::Tampers(described()),
                (Zone::Outside, _, _) => Outcome::Guilty(described()),
            },
        };
        if matches!(outcome, Outcome::Free) {
            self.note("writes files", range);
            if touch != Touch::Into {
                self.mark_made(path);
            }
        }
        outcome
    }

    fn moves(
        &mut self,
        rule: &'static Rule,
        args: &Args<'a>,
        from: Arg,
        to: Arg,
        range: TextRange,
    ) {
        for source in values(args, from) {
            let PathText::Text(text) = path_text(&source) else {
                continue;
            };
            let place = self.place(&text, Follow::Entry);
            match &place {
                Place::Known {
                    zone: Zone::Agent, ..
                } => return self.tampers(&place, range),
                Place::Known {
                    zone: Zone::Outside,
                    ..
                }
                | Place::Below {
                    zone: Zone::Outside,
                    ..
                }
                | Place::Known {
                    zone: Zone::Temporary,
                    kind: Some(_),
                    ..
                } => {
                    return self.report(rule, range, &described(&place, self.context));
                }
                _ => {}
            }
        }
        let source = values(args, from)
            .first()
            .map(|source| match path_text(source) {
                PathText::Text(text) => format!("`{}`", text.shown()),
                PathText::Descriptor | PathText::Other => "it".to_owned(),
            });
        for target in self.targets(args, from, to) {
            match self.outcome(Touch::Write, &target, range) {
                Outcome::Free => {}
                Outcome::Guilty(target) => {
                    let source = source.clone().unwrap_or_default();
                    self.report(rule, range, &format!("{source} to {target}"));
                }
                Outcome::Tampers(target) => {
                    if let Some(rule) = self::rule(TAMPER) {
                        self.report(rule, range, &target);
                    }
                }
            }
        }
    }

    fn moves_out(
        &mut self,
        rule: &'static Rule,
        args: &Args<'a>,
        from: Arg,
        to: Arg,
        range: TextRange,
    ) {
        let leaves = self.targets(args, from, to).iter().any(|target| {
            let PathText::Text(text) = path_text(target) else {
                return false;
            };
            match self.place(&text, Follow::Target) {
                Place::Made => !self.is_made_in_workspace(&text),
                Place::Known { zone, .. } | Place::Below { zone, .. } => zone != Zone::Workspace,
                Place::Nothing | Place::Unknown { .. } => false,
            }
        });
        if !leaves {
            return;
        }
        for source in values(args, from) {
            let PathText::Text(text) = path_text(&source) else {
                continue;
            };
            let place = self.place(&text, Follow::Entry);
            if let Place::Known {
                zone: Zone::Workspace,
                ..
            }
            | Place::Below {
                zone: Zone::Workspace,
                ..
            } = place
            {
                self.report(rule, range, &described(&place, self.context));
            }
        }
    }

    /// What a copy or move makes: in a directory, something of the source's name.
    fn targets(&self, args: &Args<'a>, from: Arg, to: Arg) -> Vec<Value<'a>> {
        let name = args
            .get(from)
            .and_then(Value::text)
            .map(|source| source.name());
        values(args, to)
            .into_iter()
            .map(|target| {
                let (Some(text), Some(name)) = (target.text(), &name) else {
                    return target;
                };
                let is_directory = match self.place(&text, Follow::Target) {
                    Place::Known { kind, .. } => kind == Some(Kind::Directory),
                    _ => false,
                };
                if is_directory {
                    text.join(name).map_or(target, Value::Text)
                } else {
                    target
                }
            })
            .collect()
    }

    fn reads(&mut self, rule: &'static Rule, paths: &[Value<'a>], range: TextRange) {
        for path in paths {
            let PathText::Text(text) = path_text(path) else {
                continue;
            };
            if text.is_made() || (self.moved && !is_absolute(&text)) {
                continue;
            }
            let named = self.context.cwd.join(text.filled("\u{fffd}"));
            let real = self.real(&named);
            let workspace = self.context.workspace;
            let is_store = [&named, &real].into_iter().any(|path| {
                workspace.zone(path) != Zone::Workspace
                    && credentials::store_of(path, workspace.home.as_deref()).is_some()
            });
            if is_store && workspace.zone(&real) != Zone::Workspace {
                let shown = format!("`{}`", text.shown());
                self.report(rule, range, &shown);
            }
        }
    }

    // Programs and processes.

    fn starts(
        &mut self,
        rule: &'static Rule,
        commands: &[Value<'a>],
        args: &Args<'a>,
        range: TextRange,
    ) {
        let other = args
            .keyword("executable")
            .is_some_and(|program| !is_this_python(program) && !matches!(program, Value::Plain));
        for command in commands {
            if other || !is_this_python(command) {
                let shown = shown_command(command);
                self.report(rule, range, &shown);
                continue;
            }
            self.note("starts another Python", range);
            if let Some(code) = code_of(command)
                && !self.inner_program(&code, range)
            {
                self.note("runs what is only known at run time: `-c`", range);
            }
        }
    }

    fn publishes(&mut self, rule: &'static Rule, commands: &[Value<'a>], range: TextRange) {
        for command in commands {
            let is_it = match command {
                Value::Seq(words) => {
                    let words: Vec<String> = words.of.iter().map(plain_word).collect();
                    publishes(&words)
                }
                Value::Text(text) => shell_publishes(&text.filled("x")),
                _ => false,
            };
            if is_it {
                let shown = shown_command(command);
                self.report(rule, range, &shown);
            }
        }
    }

    fn signals(
        &mut self,
        rule: &'static Rule,
        args: &Args<'a>,
        process: Arg,
        signal: Arg,
        range: TextRange,
    ) {
        if matches!(args.get(signal), Some(Value::Int(0))) {
            return;
        }
        for process in values(args, process) {
            let shown = match &process {
                Value::OwnProcess => continue,
                Value::Instance(_, of) => match &of.of {
                    Value::OwnProcess => continue,
                    Value::Int(number) => format!("`{number}`"),
                    other => shown_unknown(other),
                },
                Value::Int(number) => format!("`{number}`"),
                other => shown_unknown(other),
            };
            self.report(rule, range, &shown);
        }
    }
}

/// The alternatives of an argument; of a collection, its elements. Nothing that is known if the call has arguments that
/// can't be seen.
fn values<'a>(args: &Args<'a>, arg: Arg) -> Vec<Value<'a>> {
    match args.get(arg) {
        Some(value) => value.alternatives().to_vec(),
        None if args.more => vec![Value::NOTHING],
        None => Vec::new(),
    }
}

/// Whether a mode of `open`, or a flag of `dbm.open`, writes. What follows a colon or bar is a compression.
fn is_writing_mode(mode: &str) -> bool {
    let mode = mode.split([':', '|']).next().unwrap_or(mode);
    mode.contains(['w', 'a', 'x', '+', 'n', 'c'])
}

fn has_writing_flag(flags: &Value<'_>) -> bool {
    const WRITING: &[&str] = &[
        "os.O_WRONLY",
        "os.O_RDWR",
        "os.O_CREAT",
        "os.O_TRUNC",
        "os.O_APPEND",
    ];
    flags
        .alternatives()
        .iter()
        .any(|flag| matches!(flag, Value::Known(symbol) if WRITING.contains(&symbol.name)))
}

/// Whether it is `sys.executable`, or a list of words that starts with it.
fn is_this_python(command: &Value<'_>) -> bool {
    match command {
        Value::Known(symbol) => symbol.name == "sys.executable",
        Value::Seq(words) => words.of.first().is_some_and(is_this_python),
        Value::Any(values) => values.of.iter().all(is_this_python),
        _ => false,
    }
}

/// The code behind `-c`.
fn code_of(command: &Value<'_>) -> Option<String> {
    let Value::Seq(words) = command else {
        return None;
    };
    let at = words
        .of
        .iter()
        .position(|word| word.whole_text() == Some("-c"))?;
    words.of.get(at + 1)?.whole_text().map(str::to_owned)
}

/// A word of a command, holes filled: what is unknown is no command.
fn plain_word(word: &Value<'_>) -> String {
    match word {
        Value::Known(symbol) if symbol.name == "sys.executable" => "python".to_owned(),
        word => word
            .text()
            .map_or_else(|| "x".to_owned(), |text| text.filled("x")),
    }
}

fn shown_command(command: &Value<'_>) -> String {
    match command {
        Value::Seq(words) => {
            let words: Vec<String> = words
                .of
                .iter()
                .map(|word| match word {
                    Value::Known(symbol) => symbol.name.to_owned(),
                    Value::Int(number) => number.to_string(),
                    word => word
                        .text()
                        .map_or_else(|| "…".to_owned(), |text| text.shown()),
                })
                .collect();
            format!("`{}`", shortened(&words.join(" ")))
        }
        Value::Text(text) | Value::Path(text) => format!("`{}`", shortened(&text.shown())),
        other => shown_unknown(other),
    }
}

/// A value of which nothing is known, by the expression that gives it.
fn shown_unknown(value: &Value<'_>) -> String {
    match value {
        Value::Unknown(expression) | Value::Parameter(expression) if !expression.is_empty() => {
            format!("that `{}` names", shortened(expression))
        }
        _ => NAMELESS.to_owned(),
    }
}

/// Keeps the table honest: every class that a method's rule names is known.
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::super::known::known;
    use super::super::rules::RULES;

    #[test]
    fn every_call_of_a_rule_is_known() {
        for rule in RULES {
            for call in rule.calls {
                let symbol = known(call.name).unwrap();
                assert!(
                    symbol.rules.iter().any(|(own, _)| own.code == rule.code),
                    "{} of {}",
                    call.name,
                    rule.code
                );
            }
        }
    }
}
