//! Imports: known modules, modules of the workspace, and what is neither.
//!
//! A module of the workspace is read and walked where it is imported, once. Python looks in the script's directory first,
//! so a file there hides a module of the standard library; only what is loaded before the program can't be hidden.

use std::path::{Path, PathBuf};

use ruff_python_ast as ast;
use ruff_text_size::{Ranged, TextRange};

use super::Kind;
use super::eval::of_symbol;
use super::known::{Symbol, is_always_loaded, is_standard, known, within};
use super::scope;
use super::text::Text;
use super::value::{Id, Value};
use super::walker::{Here, Module, Walker};
use crate::approval::{Digest, FileDigest};

/// No more files are read with a program.
const MOST_FILES: usize = 200;
/// Nor more bytes.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// Code in texts that holds code in texts is followed so far.
const MOST_INNER: u8 = 3;
/// A longer text is not read as code.
const LONGEST_INNER: usize = 64 * 1024;

/// Where a module was found.
enum Place {
    /// A file, and the directory of its submodules if it is a package.
    File(PathBuf, Option<PathBuf>),
    /// A directory without a file of its own.
    Namespace(PathBuf),
}

impl<'a> Walker<'a, '_> {
    pub(super) fn import(&mut self, node: &'a ast::StmtImport) {
        for alias in &node.names {
            let name = alias.name.as_str();
            let module = self.module(name, alias.range());
            let (bound, value) = if let Some(own) = &alias.asname {
                (own.as_str(), module)
            } else {
                let top = name.split('.').next().unwrap_or(name);
                let value = if top == name {
                    module
                } else {
                    self.module(top, alias.range())
                };
                (top, value)
            };
            self.scopes.bind(self.here.scope, bound, value);
        }
    }

    pub(super) fn import_from(&mut self, node: &'a ast::StmtImportFrom) {
        let name = node.module.as_ref().map_or("", ast::Identifier::as_str);
        let module = if node.level > 0 {
            self.relative(node.level, name, node.range)
        } else {
            self.module(name, node.range)
        };
        for alias in &node.names {
            let wanted = alias.name.as_str();
            if wanted == "*" {
                self.scopes.star(self.here.scope, module.clone());
                continue;
            }
            let value = self.named_in(&module, wanted, alias.range());
            self.want(&value);
            let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
            self.scopes.bind(self.here.scope, bound, value);
        }
    }

    /// A name of a module, or a module in it.
    fn named_in(&mut self, module: &Value<'a>, name: &'a str, range: TextRange) -> Value<'a> {
        self.asked.insert(name);
        let found = match module {
            Value::Known(symbol) => within(symbol, name, &mut self.buffer).map(of_symbol),
            Value::Module(id) => match self.of_module(*id, name) {
                Some(value) => Some(value),
                None => self.submodule(*id, name, range),
            },
            _ => None,
        };
        found.unwrap_or(Value::Unknown(name))
    }

    /// A module that a text names: `importlib.import_module`, `__import__` (which gives the top one).
    pub(super) fn import_by_text(&mut self, name: &str, top: bool, range: TextRange) -> Value<'a> {
        // `pkgutil.resolve_name("os:remove")`.
        if let Some((module, attribute)) = name.split_once(':') {
            let owner = self.import_by_text(module, false, range);
            let found = Text::own(attribute)
                .and_then(|attribute| self.attribute_by_text(&owner, &attribute, range));
            return found.unwrap_or(Value::NOTHING);
        }
        if name.is_empty() || name.starts_with('.') {
            return Value::Unknown(self.slice(range));
        }
        let found = self.module(name, range);
        match name.split_once('.') {
            Some((first, _)) if top => self.module(first, range),
            _ => found,
        }
    }

    /// The module of that full name.
    fn module(&mut self, name: &str, range: TextRange) -> Value<'a> {
        let top = name.split('.').next().unwrap_or(name);
        if !is_always_loaded(top) {
            for dir in self.search.clone() {
                if let Some(id) = self.in_directory(&dir, name, range) {
                    return Value::Module(id);
                }
            }
        }
        if let Some(symbol) = known(name) {
            self.note_package(top, range);
            return module_symbol(symbol);
        }
        self.note_package(top, range);
        Value::Unknown(self.slice(range))
    }

    fn note_package(&mut self, top: &str, range: TextRange) {
        if !top.is_empty() && !is_standard(top) {
            self.note(&format!("uses `{top}`, which is not reviewed"), range);
        }
    }

    /// `name`, a component at a time, from `dir` on.
    fn in_directory(&mut self, dir: &Path, name: &str, range: TextRange) -> Option<Id> {
        let mut dir = dir.to_owned();
        let mut found: Option<Id> = None;
        for part in name.split('.') {
            let Some(place) = self.locate(&dir, part) else {
                // A package without that part: what it imports from elsewhere under its name is unknown.
                return found;
            };
            let package = match &place {
                Place::File(_, package) => package.clone(),
                Place::Namespace(dir) => Some(dir.clone()),
            };
            let id = self.at(place, range)?;
            if let Some(outer) = found {
                self.attach(outer, part, id);
            }
            found = Some(id);
            match package {
                Some(package) => dir = package,
                None => return found,
            }
        }
        found
    }

    /// A module becomes an attribute of its package.
    fn attach(&mut self, package: Id, name: &str, module: Id) {
        let text = self.modules[self.here.module.index()].text;
        // The name as some source spells it: it lives as long.
        if let Some(at) = text.find(name) {
            let scope = self.modules[package.index()].scope;
            let name = &text[at..at + name.len()];
            self.scopes.bind(scope, name, Value::Module(module));
        }
    }

    fn submodule(&mut self, package: Id, name: &'a str, range: TextRange) -> Option<Value<'a>> {
        let dir = self.modules[package.index()].package.clone()?;
        let is_package = match &self.modules[package.index()].path {
            Some(path) => path.file_name().is_some_and(|name| name == "__init__.py"),
            None => true,
        };
        if !is_package {
            return None;
        }
        let id = self.in_directory(&dir, name, range)?;
        let scope = self.modules[package.index()].scope;
        self.scopes.bind(scope, name, Value::Module(id));
        Some(Value::Module(id))
    }

    /// `from ..name import x`.
    fn relative(&mut self, level: u32, name: &str, range: TextRange) -> Value<'a> {
        let unknown = Value::Unknown(self.slice(range));
        let Some(mut dir) = self.modules[self.here.module.index()].package.clone() else {
            return unknown;
        };
        for _ in 1..level {
            if !dir.pop() {
                return unknown;
            }
        }
        let found = if name.is_empty() {
            let file = dir.join("__init__.py");
            let place = if self.context.files.kind(&file).is_some() {
                Place::File(file, Some(dir))
            } else {
                Place::Namespace(dir)
            };
            self.at(place, range)
        } else {
            self.in_directory(&dir, name, range)
        };
        found.map_or(unknown, Value::Module)
    }

    fn locate(&self, dir: &Path, name: &str) -> Option<Place> {
        if name.is_empty() || name.contains(['/', '\\']) {
            return None;
        }
        let files = self.context.files;
        let own = dir.join(name);
        let directory = files.kind(&own) == Some(Kind::Directory);
        if directory {
            let init = own.join("__init__.py");
            if files.kind(&init) == Some(Kind::File) {
                return Some(Place::File(init, Some(own)));
            }
        }
        let file = dir.join(format!("{name}.py"));
        if files.kind(&file) == Some(Kind::File) {
            return Some(Place::File(file, None));
        }
        // Any directory can be a package, but one that hides a known module is more likely no package.
        (directory && known(name).is_none() && !is_standard(name)).then_some(Place::Namespace(own))
    }

    /// The module of a place, read and walked once.
    fn at(&mut self, place: Place, range: TextRange) -> Option<Id> {
        match place {
            Place::File(path, package) => {
                if let Some(known) = self.by_path.get(&path) {
                    return *known;
                }
                let id = self.read(&path, package, range);
                self.by_path.entry(path).or_insert(id);
                id
            }
            Place::Namespace(dir) => {
                if let Some(known) = self.by_path.get(&dir) {
                    return *known;
                }
                let id = self.add_module("", None, Some(dir.clone()));
                self.by_path.insert(dir, Some(id));
                Some(id)
            }
        }
    }

    fn add_module(&mut self, text: &'a str, path: Option<PathBuf>, package: Option<PathBuf>) -> Id {
        let id = Id(u32::try_from(self.modules.len()).unwrap_or(u32::MAX));
        let scope = self.scopes.add(scope::Kind::Module, None);
        self.modules.push(Module {
            text,
            scope,
            path,
            package,
        });
        id
    }

    fn read(&mut self, path: &Path, package: Option<PathBuf>, range: TextRange) -> Option<Id> {
        let bytes = self.context.files.read(path)?;
        if self.files.len() >= MOST_FILES || self.bytes + bytes.len() > MOST_BYTES {
            self.note("imports more than the review reads", range);
            return None;
        }
        self.bytes += bytes.len();
        self.files.push(FileDigest {
            path: path.to_owned(),
            sha256: Digest::of(&bytes),
        });
        let loaded = match self.load(&bytes) {
            Ok(loaded) => loaded,
            Err(problem) => {
                let text = format!("imports `{}`, but {}", path.display(), problem.text);
                self.note(&text, range);
                return None;
            }
        };
        let package = package.or_else(|| path.parent().map(Path::to_owned));
        let id = self.add_module(&loaded.text, Some(path.to_owned()), package);
        // Known before it is walked: modules may import each other.
        self.by_path.insert(path.to_owned(), Some(id));
        let before = self.here;
        let instead = self.instead.take();
        self.here = Here {
            module: id,
            scope: self.modules[id.index()].scope,
            class: None,
            function: None,
        };
        self.nested(|walker| walker.body(loaded.parsed.suite()));
        self.here = before;
        self.instead = instead;
        Some(id)
    }

    // Code in texts.

    /// `exec` and its like: a text that is known is read as the code that it is.
    pub(super) fn runs_text(
        &mut self,
        symbol: &'static Symbol,
        code: &Value<'a>,
        range: TextRange,
    ) -> Value<'a> {
        let short = symbol.name.strip_prefix("builtins.").unwrap_or(symbol.name);
        let is_code = matches!(symbol.name, "builtins.exec" | "builtins.eval");
        if is_code
            && let Some(text) = code.whole_text().map(str::to_owned)
            && let Some(value) = self.inner(&text, range)
        {
            return value;
        }
        self.note(
            &format!("runs what is only known at run time: `{short}`"),
            range,
        );
        Value::Unknown(self.slice(range))
    }

    /// Walks code that is a text, in the scope that is walked. `None` if it can't be read.
    pub(super) fn inner(&mut self, code: &str, range: TextRange) -> Option<Value<'a>> {
        if self.inside >= MOST_INNER || code.len() > LONGEST_INNER {
            return None;
        }
        let loaded = self.load(code.as_bytes()).ok()?;
        let before = self.instead;
        self.instead = Some(before.unwrap_or(range));
        self.inside += 1;
        let value = match &loaded.parsed.suite()[..] {
            [ast::Stmt::Expr(node)] => self.eval(&node.value),
            statements => {
                self.nested(|walker| walker.body(statements));
                Value::Plain
            }
        };
        self.inside -= 1;
        self.instead = before;
        Some(value)
    }

    /// Walks code that another Python is started with, in a scope of its own.
    pub(super) fn inner_program(&mut self, code: &str, range: TextRange) -> bool {
        let before = self.here;
        self.here.scope = self.scopes.add(scope::Kind::Module, None);
        self.here.class = None;
        self.here.function = None;
        let read = self.inner(code, range).is_some();
        self.here = before;
        read
    }
}

/// A module by its symbol, which may be an instance: `sys.modules`.
fn module_symbol<'a>(symbol: &'static Symbol) -> Value<'a> {
    of_symbol(symbol)
}
