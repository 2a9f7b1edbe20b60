//! The state of a review, and how a source gets into it.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use ruff_python_ast as ast;
use ruff_python_ast::{ModModule, StmtFunctionDef};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};
use typed_arena::Arena;

use super::report::{Found, Note};
use super::scope::{Kind, Scopes};
use super::source::{Lines, Undecodable, decode};
use super::value::{Id, Value};
use super::{Context, Review, depth};
use crate::approval::FileDigest;

/// Stack that a level of the walk may need, and what is added when less is left.
const STACK_LEFT: usize = 256 * 1024;
const STACK_MORE: usize = 4 * 1024 * 1024;
/// Levels that any thread's stack holds.
const SHALLOW: usize = 32;
/// What dropping one level of a tree may need.
const STACK_PER_LEVEL: usize = 1024;
/// A function is walked again when it is called with other arguments, so many times at most.
pub(super) const MOST_WALKS: u8 = 3;
/// Calls, attributes and walks of functions that a review follows in all. A program that is made to branch without end
/// reaches it; none that people write does.
const MOST_STEPS: usize = 2_000_000;

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
    /// The instance; and naming it calls it.
    Property,
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
    pub files: Vec<FileDigest>,
    pub bytes: usize,
    pub here: Here,
    /// Paths without symlinks: each is asked for by several rules.
    real: RefCell<FxHashMap<PathBuf, PathBuf>>,
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
    /// What is deleted may be missing: the program asks first, or takes the error.
    pub lenient: bool,
    pub calls: usize,
    steps: usize,
    pub level: usize,
    pub deepest: usize,
    pub buffer: String,
    pub found: Vec<Found>,
    pub seen: FxHashSet<(Id, TextRange, &'static str)>,
    pub notes: Vec<Note>,
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
            real: RefCell::default(),
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
            lenient: false,
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

    /// A path without symlinks, as far as it exists.
    pub(super) fn real(&self, path: &Path) -> PathBuf {
        if let Some(real) = self.real.borrow().get(path) {
            return real.clone();
        }
        let real = self.context.files.real(path);
        self.real.borrow_mut().insert(path.to_owned(), real.clone());
        real
    }

    /// One step more. Whether it may be taken.
    pub(super) fn step(&mut self, range: TextRange) -> bool {
        self.steps += 1;
        if self.steps == MOST_STEPS {
            self.note("branches more than the review follows", range);
        }
        self.steps < MOST_STEPS
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

    /// The source of a range in the module that is walked.
    pub(super) fn slice(&self, range: TextRange) -> &'a str {
        let text = self.modules[self.here.module.index()].text;
        if self.instead.is_some() {
            return "";
        }
        text.get(range.to_std_range()).unwrap_or_default()
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
