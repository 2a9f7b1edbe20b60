//! Through the statements of a program, and of what it imports.

use std::path::PathBuf;

use ruff_python_ast::{
    self as ast, Expr, ModModule, Parameters, Pattern, Stmt, StmtClassDef, StmtFor,
    StmtFunctionDef, StmtIf, StmtTry, StmtWith,
};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};
use typed_arena::Arena;

use super::rules::Rule;
use super::scope::{Branch, Kind, Scopes};
use super::source::{Lines, Undecodable, decode};
use super::value::{Id, Value};
use super::{Context, Review, Reviewed, Verdict, depth};
use crate::approval::{Category, Finding};

/// Stack that a level of the walk may need, and what is added when less is left.
const STACK_LEFT: usize = 256 * 1024;
const STACK_MORE: usize = 4 * 1024 * 1024;
/// Levels that any thread's stack holds.
const SHALLOW: usize = 32;
/// What dropping one level of a tree may need.
const STACK_PER_LEVEL: usize = 1024;
/// A function is walked again when it is called with other arguments, so many times at most.
const MOST_WALKS: u8 = 3;
/// Functions that are called from functions are followed so far at once.
const DEEPEST_CALL: usize = 24;
/// Calls, attributes and walks of functions that a review follows in all. A program that is made to branch without end
/// reaches it; none that people write does.
const MOST_STEPS: usize = 2_000_000;
/// Findings beyond these would tell nobody more.
const MOST_FINDINGS: usize = 500;

/// A source that was read and parsed.
pub(super) struct Loaded {
    pub text: String,
    pub parsed: Parsed<ModModule>,
}

/// A module of the program.
pub(super) struct Module<'a> {
    pub text: &'a str,
    pub scope: Id,
    /// `None` for the program itself.
    pub path: Option<PathBuf>,
    /// The directories in which its relative imports are looked for: its package's.
    pub package: Option<PathBuf>,
}

/// What a function consists of.
#[derive(Clone, Copy)]
pub(super) enum Code<'a> {
    Def(&'a StmtFunctionDef),
    Lambda(&'a ast::ExprLambda),
}

/// A function of the program.
pub(super) struct Function<'a> {
    pub code: Code<'a>,
    pub name: &'a str,
    pub module: Id,
    /// The scope that holds its definition.
    pub outer: Id,
    pub own: Option<Id>,
    pub class: Option<Id>,
    pub receiver: Receiver,
    pub defaults: Vec<Option<Value<'a>>>,
    /// What calls have passed, a parameter each.
    pub passed: Vec<Option<Value<'a>>>,
    pub returns: Option<Value<'a>>,
    pub walks: u8,
    pub walking: bool,
    /// Something names it: a function of an imported module that nothing names is left alone.
    pub wanted: bool,
    pub stale: bool,
    /// In code that is a text: where the text stands.
    pub instead: Option<TextRange>,
}

/// What a method's first parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Receiver {
    Instance,
    Class,
    Nothing,
}

/// A class of the program.
pub(super) struct Class<'a> {
    pub scope: Id,
    pub bases: Vec<Value<'a>>,
    /// Attributes that are set on it or its instances.
    pub attributes: FxHashMap<&'a str, Value<'a>>,
    pub wanted: bool,
}

/// Where the walk is.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub module: Id,
    pub scope: Id,
    pub class: Option<Id>,
    pub function: Option<Id>,
}

/// How a body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Falls,
    Leaves,
}

struct Found {
    module: Id,
    range: TextRange,
    rule: &'static Rule,
    message: String,
}

struct Note {
    text: String,
    module: Id,
    at: usize,
}

/// One review.
pub(super) struct Walker<'a, 'c> {
    pub context: &'c Context<'c>,
    pub arena: &'a Arena<Loaded>,
    pub modules: Vec<Module<'a>>,
    pub scopes: Scopes<'a>,
    pub functions: Vec<Function<'a>>,
    pub classes: Vec<Class<'a>>,
    /// Functions and classes by where their code is.
    pub by_node: FxHashMap<usize, Id>,
    /// Modules by file; `None` for one that could not be read.
    pub by_path: FxHashMap<PathBuf, Option<Id>>,
    pub search: Vec<PathBuf>,
    pub files: Vec<Reviewed>,
    pub bytes: usize,
    pub here: Here,
    /// In code that is a text: where the text stands.
    pub instead: Option<TextRange>,
    /// How many texts of code the walk is in.
    pub inside: u8,
    /// Names of attributes that something asks for.
    pub asked: FxHashSet<&'a str>,
    /// Paths that the run made.
    pub made: FxHashSet<String>,
    /// Whether the program changes its directory.
    pub moved: bool,
    pub calls: usize,
    steps: usize,
    pub level: usize,
    pub deepest: usize,
    pub buffer: String,
    found: Vec<Found>,
    seen: FxHashSet<(Id, TextRange, &'static str)>,
    notes: Vec<Note>,
}

/// Reviews a program.
pub(super) fn program(source: &[u8], context: &Context<'_>) -> Review {
    let arena = Arena::new();
    let (review, deepest) = {
        let mut walker = Walker::new(context, &arena);
        walker.program(source);
        (walker.review(), walker.deepest)
    };
    release(deepest, || drop(arena));
    review
}

/// Drops trees of that depth, on a stack that holds it.
pub(super) fn release(deepest: usize, drop: impl FnOnce()) {
    if deepest > SHALLOW {
        let needed = deepest * STACK_PER_LEVEL;
        stacker::maybe_grow(needed, needed + STACK_MORE, drop);
    } else {
        drop();
    }
}

/// Parses a source that nests as deep as `nesting` says.
pub(super) fn parse(text: String) -> Loaded {
    let parsed = parse_unchecked(&text, ParseOptions::from(Mode::Module));
    let parsed = parsed.try_into_module().unwrap_or_else(|| {
        // The mode asks for a module.
        unreachable!("a module is parsed as one")
    });
    Loaded { text, parsed }
}

impl<'a, 'c> Walker<'a, 'c> {
    fn new(context: &'c Context<'c>, arena: &'a Arena<Loaded>) -> Self {
        let mut scopes = Scopes::default();
        let scope = scopes.add(Kind::Module, None);
        let main = Module {
            text: "",
            scope,
            path: None,
            package: None,
        };
        let search = match context.file.and_then(std::path::Path::parent) {
            Some(dir) => dir.to_owned(),
            None => context.cwd.to_owned(),
        };
        Self {
            context,
            arena,
            modules: vec![main],
            scopes,
            functions: Vec::new(),
            classes: Vec::new(),
            by_node: FxHashMap::default(),
            by_path: FxHashMap::default(),
            search: vec![search],
            files: Vec::new(),
            bytes: 0,
            here: Here {
                module: Id(0),
                scope,
                class: None,
                function: None,
            },
            instead: None,
            inside: 0,
            asked: FxHashSet::default(),
            made: FxHashSet::default(),
            moved: false,
            calls: 0,
            steps: 0,
            level: 0,
            deepest: 0,
            buffer: String::new(),
            found: Vec::new(),
            seen: FxHashSet::default(),
            notes: Vec::new(),
        }
    }

    fn program(&mut self, source: &[u8]) {
        match self.load(source) {
            Ok(loaded) => {
                self.modules[0].text = &loaded.text;
                self.body(loaded.parsed.suite());
                self.remaining_functions();
            }
            Err(problem) => self.note_at(problem.text, problem.at),
        }
    }

    /// Reads and parses a source.
    pub(super) fn load(&mut self, source: &[u8]) -> Result<&'a Loaded, Unread> {
        let text = decode(source).map_err(|problem| {
            Unread::new(match problem {
                Undecodable::Invalid => "it is not in the encoding that it says it is".to_owned(),
                Undecodable::Encoding(name) => {
                    format!("the review does not read the encoding `{name}`")
                }
            })
        })?;
        let nesting = depth::nesting(&text);
        if nesting > depth::DEEPEST {
            return Err(Unread::new(
                "it nests deeper than the review follows".to_owned(),
            ));
        }
        let loaded = parse(text.into_owned());
        self.deepest = self.deepest.max(nesting);
        let Some(error) = loaded.parsed.errors().first() else {
            return Ok(self.arena.alloc(loaded));
        };
        let problem = Unread {
            text: format!("it does not parse: {}", error.error),
            at: error.location.start().to_usize(),
        };
        let line = Lines::of(&loaded.text).line(problem.at);
        // What recovery makes of a broken source may nest deeper than the scan says.
        let deepest = loaded.text.len().min(1 << 20);
        release(deepest, || drop(loaded));
        Err(Unread {
            text: format!("{} (line {line})", problem.text),
            ..problem
        })
    }

    /// Functions that nothing has called: those of the program, and what is named of imported modules.
    fn remaining_functions(&mut self) {
        loop {
            let next = (0..self.functions.len()).find(|at| self.is_due(*at));
            let Some(at) = next else {
                return;
            };
            // One pass over those that are due now; what they make due comes in the next.
            for at in at..self.functions.len() {
                if self.is_due(at) {
                    self.walk_function(Id(u32::try_from(at).unwrap_or(u32::MAX)));
                }
            }
        }
    }

    fn is_due(&self, at: usize) -> bool {
        let function = &self.functions[at];
        if function.walks > 0 {
            return function.stale && function.walks < MOST_WALKS;
        }
        let of_program = self.modules[function.module.index()].path.is_none();
        let special = function.name.starts_with("__");
        let class_wanted = || match function.class {
            Some(class) => self.classes[class.index()].wanted,
            None => false,
        };
        of_program
            || function.wanted
            || (function.class.is_some() && self.asked.contains(function.name))
            || (special && class_wanted())
    }

    /// One step more. Whether it may be taken.
    pub(super) fn step(&mut self, range: TextRange) -> bool {
        self.steps += 1;
        if self.steps == MOST_STEPS {
            self.note("branches more than the review follows", range);
        }
        self.steps < MOST_STEPS
    }

    // Findings and notes.

    /// The source of a range in the module that is walked.
    pub(super) fn slice(&self, range: TextRange) -> &'a str {
        let text = self.modules[self.here.module.index()].text;
        if self.instead.is_some() {
            return "";
        }
        text.get(range.to_std_range()).unwrap_or_default()
    }

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

    fn review(&mut self) -> Review {
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

    // Statements.

    pub(super) fn body(&mut self, statements: &'a [Stmt]) -> Flow {
        for statement in statements {
            if self.nested(|walker| walker.statement(statement)) == Flow::Leaves {
                return Flow::Leaves;
            }
        }
        Flow::Falls
    }

    /// One level deeper, on more stack if need be.
    pub(super) fn nested<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        let result = if self.level > SHALLOW {
            stacker::maybe_grow(STACK_LEFT, STACK_MORE, || walk(self))
        } else {
            walk(self)
        };
        self.level -= 1;
        result
    }

    fn statement(&mut self, statement: &'a Stmt) -> Flow {
        match statement {
            Stmt::Expr(node) => {
                self.eval(&node.value);
            }
            Stmt::Assign(node) => {
                let value = self.eval(&node.value);
                for target in &node.targets {
                    self.assign(target, value.clone());
                }
            }
            Stmt::AnnAssign(node) => self.annotated(node),
            Stmt::AugAssign(node) => self.augmented(node),
            Stmt::Import(node) => self.import(node),
            Stmt::ImportFrom(node) => self.import_from(node),
            Stmt::FunctionDef(node) => self.function(node),
            Stmt::ClassDef(node) => self.class(node),
            Stmt::If(node) => return self.if_else(node),
            Stmt::For(node) => self.for_loop(node),
            Stmt::While(node) => {
                self.eval(&node.test);
                if self.truth(&node.test) != Some(false) {
                    self.branches(&[&node.body], false);
                }
                self.body(&node.orelse);
            }
            Stmt::With(node) => return self.with(node),
            Stmt::Try(node) => self.try_except(node),
            Stmt::Match(node) => self.match_case(node),
            Stmt::Return(node) => {
                if let Some(value) = &node.value {
                    let value = self.eval(value);
                    self.gives_back(value);
                }
                return Flow::Leaves;
            }
            Stmt::Raise(node) => {
                for part in [&node.exc, &node.cause].into_iter().flatten() {
                    self.eval(part);
                }
                return Flow::Leaves;
            }
            Stmt::Break(_) | Stmt::Continue(_) => return Flow::Leaves,
            Stmt::Delete(node) => {
                for target in &node.targets {
                    match target {
                        Expr::Name(name) => self.scopes.unbind(self.here.scope, name.id.as_str()),
                        other => {
                            self.eval(other);
                        }
                    }
                }
            }
            Stmt::Assert(node) => {
                self.eval(&node.test);
                if let Some(message) = &node.msg {
                    self.eval(message);
                }
            }
            Stmt::Global(node) => {
                for name in &node.names {
                    self.scopes.declare(self.here.scope, name.as_str(), true);
                }
            }
            Stmt::Nonlocal(node) => {
                for name in &node.names {
                    self.scopes.declare(self.here.scope, name.as_str(), false);
                }
            }
            Stmt::TypeAlias(node) => {
                self.eval(&node.value);
                self.assign(&node.name, Value::NOTHING);
            }
            Stmt::Pass(_) | Stmt::IpyEscapeCommand(_) => {}
        }
        Flow::Falls
    }

    /// What the function that is walked gives back.
    pub(super) fn gives_back(&mut self, value: Value<'a>) {
        if let Some(function) = self.here.function {
            let returns = &mut self.functions[function.index()].returns;
            *returns = Some(match returns.take() {
                Some(standing) => standing.or(value),
                None => value,
            });
        }
    }

    fn annotated(&mut self, node: &'a ast::StmtAnnAssign) {
        let annotation = self.eval(&node.annotation);
        let value = match &node.value {
            Some(value) => self.eval(value),
            None => Self::of_annotation(&annotation).unwrap_or(Value::NOTHING),
        };
        if node.value.is_some() || !matches!(*node.target, Expr::Name(_)) {
            self.assign(&node.target, value);
        }
    }

    fn augmented(&mut self, node: &'a ast::StmtAugAssign) {
        let left = self.eval(&node.target);
        let right = self.eval(&node.value);
        let value = self.operate(&left, node.op, &right, node.range);
        self.assign(&node.target, value);
    }

    /// Assigns to whatever stands on the left.
    pub(super) fn assign(&mut self, target: &'a Expr, value: Value<'a>) {
        match target {
            Expr::Name(name) => self.scopes.bind(self.here.scope, name.id.as_str(), value),
            Expr::Tuple(node) => self.unpack(&node.elts, &value),
            Expr::List(node) => self.unpack(&node.elts, &value),
            Expr::Starred(node) => {
                self.nested(|walker| walker.assign(&node.value, Value::each(value)));
            }
            Expr::Attribute(node) => {
                let owner = self.eval(&node.value);
                self.set_attribute(&owner, node.attr.as_str(), &value);
            }
            Expr::Subscript(node) => self.set_item(node, value),
            other => {
                self.eval(other);
            }
        }
    }

    fn unpack(&mut self, targets: &'a [Expr], value: &Value<'a>) {
        let starred = targets.iter().any(ruff_python_ast::Expr::is_starred_expr);
        for (at, target) in targets.iter().enumerate() {
            let part = match value {
                Value::Seq(elements) if !starred => {
                    elements.of.get(at).cloned().unwrap_or(Value::NOTHING)
                }
                other => Self::element(other),
            };
            let part = match part {
                // The element of the source that is unpacked is shown by the target's own name.
                Value::Unknown("") => Value::Unknown(self.slice(target.range())),
                part => part,
            };
            self.nested(|walker| walker.assign(target, part));
        }
    }

    pub(super) fn set_attribute(&mut self, owner: &Value<'a>, name: &'a str, value: &Value<'a>) {
        for owner in owner.alternatives() {
            match owner {
                Value::Class(id) | Value::Object(id) => {
                    let attributes = &mut self.classes[id.index()].attributes;
                    let standing = attributes.remove(name);
                    let joined = match standing {
                        Some(standing) => value.clone().or(standing),
                        None => value.clone(),
                    };
                    attributes.insert(name, joined);
                }
                Value::Module(id) => {
                    let scope = self.modules[id.index()].scope;
                    self.scopes.bind(scope, name, value.clone());
                }
                _ => {}
            }
        }
    }

    fn set_item(&mut self, node: &'a ast::ExprSubscript, value: Value<'a>) {
        let owner = self.eval(&node.value);
        let key = self.eval(&node.slice);
        let Value::Text(key) = key else {
            return;
        };
        match (&owner, &*node.value) {
            (Value::Dict(entries), Expr::Name(name)) => {
                let mut entries = entries.of.clone();
                entries.retain(|(known, _)| known.as_str() != key.as_str());
                entries.push((key, value));
                let dict = Value::dict(entries);
                self.scopes.bind(self.here.scope, name.id.as_str(), dict);
            }
            (Value::Names(owner), _) => {
                if let super::text::Text::Literal(name) = key {
                    let owner = owner.of.clone();
                    self.set_attribute(&owner, name, &value);
                }
            }
            _ => {}
        }
    }

    // Branches.

    fn if_else(&mut self, node: &'a StmtIf) -> Flow {
        let mut branches = Vec::new();
        let mut flows = Vec::new();
        let mut exhaustive = false;
        let arms = std::iter::once((Some(&*node.test), &node.body[..])).chain(
            node.elif_else_clauses
                .iter()
                .map(|clause| (clause.test.as_ref(), &clause.body[..])),
        );
        for (test, body) in arms {
            let truth = test.map_or(Some(true), |test| {
                self.eval(test);
                self.truth(test)
            });
            if truth == Some(false) {
                continue;
            }
            let (branch, flow) = self.branch(|walker| walker.body(body));
            flows.push(flow);
            if flow == Flow::Falls {
                branches.push(branch);
            }
            if truth == Some(true) {
                exhaustive = true;
                break;
            }
        }
        let leaves = exhaustive && flows.iter().all(|flow| *flow == Flow::Leaves);
        self.scopes.join(&branches, exhaustive);
        if leaves { Flow::Leaves } else { Flow::Falls }
    }

    /// Walks as a branch: what it assigns is given, not kept.
    pub(super) fn branch<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> (Branch<'a>, T) {
        let mark = self.scopes.open();
        let result = walk(self);
        (self.scopes.close(mark), result)
    }

    /// Bodies of which each may be taken.
    fn branches(&mut self, bodies: &[&'a [Stmt]], exhaustive: bool) {
        let branches: Vec<_> = bodies
            .iter()
            .map(|body| self.branch(|walker| walker.body(body)).0)
            .collect();
        self.scopes.join(&branches, exhaustive);
    }

    /// Whether a condition is always or never met.
    fn truth(&self, test: &Expr) -> Option<bool> {
        match test {
            Expr::BooleanLiteral(node) => Some(node.value),
            Expr::NumberLiteral(node) => match &node.value {
                ast::Number::Int(number) => Some(number.as_i64() != Some(0)),
                _ => None,
            },
            Expr::NoneLiteral(_) => Some(false),
            Expr::Name(name) if name.id.as_str() == "TYPE_CHECKING" => Some(false),
            Expr::Attribute(node) if node.attr.as_str() == "TYPE_CHECKING" => Some(false),
            Expr::Compare(node) if is_main_guard(node) => {
                Some(self.modules[self.here.module.index()].path.is_none())
            }
            _ => None,
        }
    }

    fn for_loop(&mut self, node: &'a StmtFor) {
        let iterated = self.eval(&node.iter);
        let element = self.element_of(&iterated, node.iter.range());
        let runs = matches!(&iterated, Value::Seq(elements) if !elements.of.is_empty());
        let (branch, _) = self.branch(|walker| {
            walker.assign(&node.target, element);
            walker.body(&node.body)
        });
        self.scopes.join(&[branch], runs);
        self.body(&node.orelse);
    }

    fn with(&mut self, node: &'a StmtWith) -> Flow {
        for item in &node.items {
            let value = self.eval(&item.context_expr);
            if let Some(target) = &item.optional_vars {
                let entered = self.enter(&value);
                self.assign(target, entered);
            }
        }
        self.body(&node.body)
    }

    fn try_except(&mut self, node: &'a StmtTry) {
        let (tried, flow) = self.branch(|walker| {
            let flow = walker.body(&node.body);
            if flow == Flow::Falls {
                walker.body(&node.orelse)
            } else {
                flow
            }
        });
        // A handler sees what was assigned before the error: some of it.
        let mut branches = vec![tried];
        self.scopes
            .join(&branches, flow == Flow::Falls && node.handlers.is_empty());
        branches.clear();
        for handler in &node.handlers {
            let ast::ExceptHandler::ExceptHandler(handler) = handler;
            let (branch, flow) = self.branch(|walker| {
                if let Some(kind) = &handler.type_ {
                    walker.eval(kind);
                }
                if let Some(name) = &handler.name {
                    walker
                        .scopes
                        .bind(walker.here.scope, name.as_str(), Value::NOTHING);
                }
                walker.body(&handler.body)
            });
            if flow == Flow::Falls {
                branches.push(branch);
            }
        }
        self.scopes.join(&branches, false);
        self.body(&node.finalbody);
    }

    fn match_case(&mut self, node: &'a ast::StmtMatch) {
        let subject = self.eval(&node.subject);
        let mut branches = Vec::new();
        for case in &node.cases {
            let (branch, flow) = self.branch(|walker| {
                walker.pattern(&case.pattern, &subject);
                if let Some(guard) = &case.guard {
                    walker.eval(guard);
                }
                walker.body(&case.body)
            });
            if flow == Flow::Falls {
                branches.push(branch);
            }
        }
        self.scopes.join(&branches, false);
    }

    fn pattern(&mut self, pattern: &'a Pattern, subject: &Value<'a>) {
        self.nested(|walker| walker.pattern_here(pattern, subject));
    }

    fn pattern_here(&mut self, pattern: &'a Pattern, subject: &Value<'a>) {
        let scope = self.here.scope;
        match pattern {
            Pattern::MatchValue(node) => {
                self.eval(&node.value);
            }
            Pattern::MatchSingleton(_) => {}
            Pattern::MatchSequence(node) => {
                for (at, part) in node.patterns.iter().enumerate() {
                    let value = match subject {
                        Value::Seq(elements) => {
                            elements.of.get(at).cloned().unwrap_or(Value::NOTHING)
                        }
                        _ => Value::NOTHING,
                    };
                    self.pattern(part, &value);
                }
            }
            Pattern::MatchMapping(node) => {
                for key in &node.keys {
                    self.eval(key);
                }
                for part in &node.patterns {
                    self.pattern(part, &Value::NOTHING);
                }
                if let Some(rest) = &node.rest {
                    self.scopes.bind(scope, rest.as_str(), Value::NOTHING);
                }
            }
            Pattern::MatchClass(node) => {
                self.eval(&node.cls);
                let keywords = node.arguments.keywords.iter().map(|part| &part.pattern);
                for part in node.arguments.patterns.iter().chain(keywords) {
                    self.pattern(part, &Value::NOTHING);
                }
            }
            Pattern::MatchStar(node) => {
                if let Some(name) = &node.name {
                    self.scopes.bind(scope, name.as_str(), Value::NOTHING);
                }
            }
            Pattern::MatchAs(node) => {
                if let Some(part) = &node.pattern {
                    self.pattern(part, subject);
                }
                if let Some(name) = &node.name {
                    self.scopes.bind(scope, name.as_str(), subject.clone());
                }
            }
            Pattern::MatchOr(node) => {
                for part in &node.patterns {
                    self.pattern(part, subject);
                }
            }
        }
    }

    // Definitions.

    fn function(&mut self, node: &'a StmtFunctionDef) {
        let decorators: Vec<Value<'a>> = node
            .decorator_list
            .iter()
            .map(|decorator| self.eval(&decorator.expression))
            .collect();
        let id = self.define(Code::Def(node), &node.parameters, node.name.as_str());
        if let Some(returns) = &node.returns {
            self.eval(returns);
        }
        self.type_parameters(node.type_params.as_deref());
        let is = |name: &str| {
            decorators
                .iter()
                .any(|decorator| matches!(decorator, Value::Known(symbol) if symbol.name == name))
        };
        let receiver = match self.here.class {
            Some(_) if is("builtins.staticmethod") => Receiver::Nothing,
            Some(_) if is("builtins.classmethod") => Receiver::Class,
            Some(_) => Receiver::Instance,
            None => Receiver::Nothing,
        };
        let function = &mut self.functions[id.index()];
        function.receiver = receiver;
        // Who decorates a function may call it.
        function.wanted |= !decorators.is_empty();
        let mut value = Value::Function(id);
        for (decorator, expression) in decorators.iter().zip(&node.decorator_list).rev() {
            value = self.decorated(decorator, value, expression.range());
        }
        self.scopes.bind(self.here.scope, node.name.as_str(), value);
    }

    /// The function of a definition, which may be walked many times.
    pub(super) fn define(
        &mut self,
        code: Code<'a>,
        parameters: &'a Parameters,
        name: &'a str,
    ) -> Id {
        let defaults: Vec<Option<Value<'a>>> = parameters
            .iter_non_variadic_params()
            .map(|parameter| {
                if let Some(annotation) = &parameter.parameter.annotation {
                    self.eval(annotation);
                }
                parameter
                    .default
                    .as_deref()
                    .map(|default| self.eval(default))
            })
            .collect();
        for parameter in [&parameters.vararg, &parameters.kwarg]
            .into_iter()
            .flatten()
        {
            if let Some(annotation) = &parameter.annotation {
                self.eval(annotation);
            }
        }
        let key = match code {
            Code::Def(node) => std::ptr::from_ref(node) as usize,
            Code::Lambda(node) => std::ptr::from_ref(node) as usize,
        };
        if let Some(id) = self.by_node.get(&key) {
            let function = &mut self.functions[id.index()];
            function.outer = self.here.scope;
            function.defaults = defaults;
            return *id;
        }
        let id = Id(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
        self.by_node.insert(key, id);
        self.functions.push(Function {
            code,
            name,
            module: self.here.module,
            outer: self.here.scope,
            own: None,
            class: self.here.class,
            receiver: Receiver::Nothing,
            passed: vec![None; parameters.len()],
            defaults,
            returns: None,
            walks: 0,
            walking: false,
            wanted: matches!(code, Code::Lambda(_)),
            stale: false,
            instead: self.instead,
        });
        id
    }

    fn type_parameters(&mut self, parameters: Option<&'a ast::TypeParams>) {
        for parameter in parameters.into_iter().flat_map(|list| list.iter()) {
            let (bound, default) = match parameter {
                ast::TypeParam::TypeVar(node) => (&node.bound, &node.default),
                ast::TypeParam::TypeVarTuple(node) => (&None, &node.default),
                ast::TypeParam::ParamSpec(node) => (&None, &node.default),
            };
            for part in [bound, default].into_iter().flatten() {
                self.eval(part);
            }
        }
    }

    fn class(&mut self, node: &'a StmtClassDef) {
        let decorators: Vec<Value<'a>> = node
            .decorator_list
            .iter()
            .map(|decorator| self.eval(&decorator.expression))
            .collect();
        self.type_parameters(node.type_params.as_deref());
        let bases: Vec<Value<'a>> = node.bases().iter().map(|base| self.eval(base)).collect();
        for keyword in node.keywords() {
            self.eval(&keyword.value);
        }
        let key = std::ptr::from_ref(node) as usize;
        let id = if let Some(id) = self.by_node.get(&key) {
            *id
        } else {
            let id = self.add_class();
            self.by_node.insert(key, id);
            id
        };
        let class = &mut self.classes[id.index()];
        class.bases = bases;
        class.wanted |= !decorators.is_empty();
        let before = self.here;
        self.here.scope = self.classes[id.index()].scope;
        self.here.class = Some(id);
        self.here.function = None;
        self.body(&node.body);
        self.here = before;
        self.scopes
            .bind(self.here.scope, node.name.as_str(), Value::Class(id));
    }

    /// A class with nothing in it.
    pub(super) fn add_class(&mut self) -> Id {
        let id = Id(u32::try_from(self.classes.len()).unwrap_or(u32::MAX));
        let scope = self.scopes.add(Kind::Class, Some(self.here.scope));
        self.classes.push(Class {
            scope,
            bases: Vec::new(),
            attributes: FxHashMap::default(),
            wanted: false,
        });
        id
    }

    /// Walks a function's body with what is known of its arguments.
    pub(super) fn walk_function(&mut self, id: Id) {
        let function = &mut self.functions[id.index()];
        if function.walking || function.walks >= MOST_WALKS || self.calls > DEEPEST_CALL {
            function.stale = true;
            return;
        }
        function.walking = true;
        function.walks += 1;
        function.stale = false;
        let (code, outer, module) = (function.code, function.outer, function.module);
        let text_at = function.instead;
        let own = if let Some(own) = function.own {
            self.scopes.clear(own);
            own
        } else {
            let own = self.scopes.add(Kind::Function, Some(outer));
            self.functions[id.index()].own = Some(own);
            own
        };
        let before = self.here;
        let instead = std::mem::replace(&mut self.instead, text_at);
        self.here = Here {
            module,
            scope: own,
            class: None,
            function: Some(id),
        };
        self.calls += 1;
        self.nested(|walker| {
            walker.bind_parameters(id, own, code);
            match code {
                Code::Def(node) => {
                    walker.body(&node.body);
                }
                Code::Lambda(node) => {
                    let value = walker.eval(&node.body);
                    walker.gives_back(value);
                }
            }
        });
        self.calls -= 1;
        self.here = before;
        self.instead = instead;
        self.functions[id.index()].walking = false;
    }

    fn bind_parameters(&mut self, id: Id, scope: Id, code: Code<'a>) {
        let parameters = match code {
            Code::Def(node) => &*node.parameters,
            Code::Lambda(node) => match &node.parameters {
                Some(parameters) => &**parameters,
                None => return,
            },
        };
        let function = &self.functions[id.index()];
        let (class, receiver) = (function.class, function.receiver);
        let is_test = function.name.starts_with("test");
        for (at, parameter) in parameters.iter_non_variadic_params().enumerate() {
            let name = parameter.parameter.name.as_str();
            let function = &self.functions[id.index()];
            let passed = function.passed.get(at).cloned().flatten();
            let default = function.defaults.get(at).cloned().flatten();
            let value = match (passed, class, receiver) {
                (_, Some(class), Receiver::Instance) if at == 0 => Value::Object(class),
                (_, Some(class), Receiver::Class) if at == 0 => Value::Class(class),
                (Some(passed), _, _) => match default {
                    Some(default) => passed.or(default),
                    None => passed,
                },
                (None, _, _) => {
                    let unknown = self.unpassed(parameter, is_test);
                    match default {
                        Some(default) => Value::any([default, unknown]),
                        None => unknown,
                    }
                }
            };
            self.scopes.bind(scope, name, value);
        }
        let others = [&parameters.vararg, &parameters.kwarg];
        let first = parameters.iter_non_variadic_params().count();
        for (at, parameter) in others.into_iter().flatten().enumerate() {
            let passed = &self.functions[id.index()].passed;
            let value = passed.get(first + at).cloned().flatten();
            self.scopes.bind(
                scope,
                parameter.name.as_str(),
                value.unwrap_or(Value::NOTHING),
            );
        }
    }

    /// A parameter that no call is seen for: its annotation may say what it is.
    fn unpassed(&mut self, parameter: &'a ast::ParameterWithDefault, is_test: bool) -> Value<'a> {
        let name = parameter.parameter.name.as_str();
        // Fixtures of pytest.
        if is_test && name == "tmp_path" {
            return Value::Path(super::text::Text::made(name));
        }
        if is_test && name == "tmpdir" {
            return Value::Text(super::text::Text::made(name));
        }
        if let Some(annotation) = &parameter.parameter.annotation {
            let annotation = self.eval(annotation);
            if let Some(Value::Path(_)) = Self::of_annotation(&annotation) {
                return Value::Path(super::text::Text::parameter(name));
            }
            if let Some(value) = Self::of_annotation(&annotation) {
                return value;
            }
        }
        Value::Parameter(name)
    }
}

/// Why a source was not reviewed.
pub(super) struct Unread {
    pub text: String,
    pub at: usize,
}

impl Unread {
    fn new(text: String) -> Self {
        Self { text, at: 0 }
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

/// `__name__ == "__main__"`.
fn is_main_guard(node: &ast::ExprCompare) -> bool {
    let is_name = |expr: &Expr| matches!(expr, Expr::Name(name) if name.id.as_str() == "__name__");
    let is_main = |expr: &Expr| matches!(expr, Expr::StringLiteral(text) if text.value.to_str() == "__main__");
    matches!(*node.ops, [ast::CmpOp::Eq])
        && match &*node.comparators {
            [right] => {
                (is_name(&node.left) && is_main(right)) || (is_main(&node.left) && is_name(right))
            }
            _ => false,
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
