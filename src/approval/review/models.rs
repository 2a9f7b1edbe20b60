//! What calls of known names give: the models that [`known`](super::known) lists.

use ruff_text_size::TextRange;

use super::eval::{of_symbol, type_of};
use super::known::{Gives, Model, Symbol, known};
use super::text::Text;
use super::value::{Arg, Args, Value};
use super::walker::Walker;

const FIRST: Arg = Arg(0, "");

impl<'a> Walker<'a, '_> {
    /// What calling `symbol` gives.
    pub(super) fn model(
        &mut self,
        symbol: &'static Symbol,
        args: &Args<'a>,
        range: TextRange,
    ) -> Value<'a> {
        let unknown = Value::Unknown(self.slice(range));
        // `sorted`, `min` and `max` call their key.
        if let Some(key) = args.keyword("key").filter(|key| self.is_callable(key)) {
            let key = key.clone();
            let passed = self.elements_of(args, 0, range);
            self.call(&key, &passed, range);
        }
        match *symbol.gives {
            Gives::Nothing | Gives::Module | Gives::Constant(_) | Gives::AnyAttribute => unknown,
            Gives::Is(_) => of_symbol(symbol),
            Gives::Name(name) => known(name).map_or(unknown, Value::Known),
            Gives::Instance(class, of) => known(class).map_or(unknown, |class| {
                Value::instance(class, Self::given(args, of))
            }),
            Gives::Argument(arg) => match args.get(arg) {
                Some(value) => value.clone(),
                // A decorator with arguments: what it is applied to.
                None => unknown,
            },
            Gives::Made => Value::Text(Text::made(self.slice(range))),
            Gives::DescriptorAndMade => Value::seq(vec![
                Value::Plain,
                Value::Text(Text::made(self.slice(range))),
            ]),
            Gives::HoldsMade(class) => known(class).map_or(unknown, |class| {
                let path = Value::Text(Text::made(self.slice(range)));
                Value::instance(class, path)
            }),
            Gives::OwnProcess => Value::OwnProcess,
            Gives::Of => match args.first() {
                Some(Value::Instance(_, of)) => of.of.clone(),
                _ => unknown,
            },
            Gives::Calls(function) => {
                let called = Self::given(args, function);
                if self.is_callable(&called) {
                    let passed = args.without(usize::from(function.0) + 1);
                    self.call(&called, &passed, range);
                }
                called
            }
            Gives::CallsForEach(function) => {
                let called = Self::given(args, function);
                if self.is_callable(&called) {
                    let passed = self.elements_of(args, usize::from(function.0) + 1, range);
                    return Value::each(self.call(&called, &passed, range));
                }
                unknown
            }
            Gives::CallsWith(function, passed, class) => {
                let called = Self::given(args, function);
                if self.is_callable(&called) {
                    let passed = passed_on(args, passed);
                    self.call(&called, &passed, range);
                }
                known(class).map_or(unknown, |class| Value::instance(class, Value::NOTHING))
            }
            Gives::Model(model) => self.spelled_out(symbol, model, args, range),
        }
    }

    /// One element of each argument from `first` on.
    fn elements_of(&mut self, args: &Args<'a>, first: usize, range: TextRange) -> Args<'a> {
        let positional = args
            .positional
            .iter()
            .skip(first)
            .map(|value| match value {
                Value::Unknown(_) | Value::Parameter(_) => value.clone(),
                value => self.element_of(value, range),
            })
            .collect();
        Args {
            positional,
            keywords: Vec::new(),
            more: args.more,
        }
    }

    #[expect(clippy::too_many_lines, reason = "a table")]
    fn spelled_out(
        &mut self,
        symbol: &'static Symbol,
        model: Model,
        args: &Args<'a>,
        range: TextRange,
    ) -> Value<'a> {
        let unknown = Value::Unknown(self.slice(range));
        let first = Self::given(args, FIRST);
        match model {
            Model::Path => match self.joined(&args.positional, range) {
                Some(path) => Value::Path(path),
                None => unknown,
            },
            Model::PathHome => self.home().map_or(unknown, Value::Path),
            Model::PathCwd => self.cwd().map_or(unknown, Value::Path),
            Model::PathJoin => match self.joined(&args.positional, range) {
                Some(path) => Value::Path(path),
                None => Value::Path(Text::hole(self.slice(range))),
            },
            Model::PathOpen | Model::Open => match known("io.TextIOWrapper") {
                Some(class) => Value::instance(class, first),
                None => unknown,
            },
            Model::PathTarget => {
                let target = args.get(Arg(1, "target")).and_then(Value::text);
                target.map_or(unknown, Value::Path)
            }
            Model::PathWithName | Model::PathWithSuffix => {
                let part = args.get(Arg(1, "name")).and_then(Value::text);
                let path = first.text().zip(part).and_then(|(path, part)| {
                    if model == Model::PathWithName {
                        path.parent().join(&part)
                    } else {
                        path.split_suffix().0.then(&part)
                    }
                });
                path.map_or(unknown, Value::Path)
            }
            Model::PathExpand => {
                let path = first.text().map(|path| self.expanded(&path));
                path.map_or(unknown, Value::Path)
            }
            Model::PathSame => first,
            Model::PathText => first.text().map_or(unknown, Value::Text),
            Model::PathIterdir | Model::Listdir | Model::Scandir => Self::entries(model, &first),
            Model::PathGlob => {
                let pattern = args.get(Arg(1, "pattern")).and_then(Value::text);
                let path = first
                    .text()
                    .zip(pattern)
                    .and_then(|(path, pattern)| path.join(&pattern))
                    .and_then(|path| Text::matches(&path));
                Value::each(Value::Path(
                    path.unwrap_or_else(|| Text::hole(self.slice(range))),
                ))
            }
            Model::Glob => {
                let root = args.keyword("root_dir").and_then(Value::text);
                let pattern = first.text().and_then(|pattern| match root {
                    Some(_) => Some(pattern),
                    None => Text::matches(&pattern),
                });
                Value::each(pattern.map_or(unknown, Value::Text))
            }
            Model::Walk | Model::PathWalk => {
                let root = first
                    .text()
                    .and_then(|top| top.join(&Text::hole(self.slice(range))));
                let is_path = model == Model::PathWalk;
                let root = root.map_or(unknown, |root| {
                    if is_path {
                        Value::Path(root)
                    } else {
                        Value::Text(root)
                    }
                });
                let names = Value::each(Value::NOTHING);
                Value::each(Value::seq(vec![root, names.clone(), names]))
            }
            Model::Cwd => self.cwd().map_or(unknown, Value::Text),
            Model::TempDir => match self.context.workspace.temporary.first() {
                Some(dir) => Text::own(&dir.to_string_lossy()).map_or(unknown, Value::Text),
                None => unknown,
            },
            Model::Join => self
                .joined(&args.positional, range)
                .map_or(unknown, Value::Text),
            Model::Dirname => first
                .text()
                .map_or(unknown, |text| Value::Text(text.parent())),
            Model::Basename => first
                .text()
                .map_or(unknown, |text| Value::Text(text.name())),
            Model::Split => first.text().map_or(unknown, |text| {
                Value::seq(vec![Value::Text(text.parent()), Value::Text(text.name())])
            }),
            Model::Splitext => first.text().map_or(unknown, |text| {
                let (stem, suffix) = text.split_suffix();
                Value::seq(vec![Value::Text(stem), Value::Text(suffix)])
            }),
            Model::ExpandUser => {
                let path = first.text().map(|path| self.expanded(&path));
                path.map_or(unknown, Value::Text)
            }
            Model::ExpandVars => {
                let path = first.text().map(|path| self.with_variables(&path));
                path.map_or(unknown, Value::Text)
            }
            Model::ToText => match (&first, args.positional.is_empty()) {
                (Value::Int(number), _) => {
                    Text::own(&number.to_string()).map_or(unknown, Value::Text)
                }
                (Value::Unknown(_) | Value::Parameter(_), false) => first,
                (_, false) => first.text().map_or(unknown, Value::Text),
                (_, true) => Value::Text(Text::Literal("")),
            },
            Model::Getenv => {
                let name = args.positional.iter().rev().find_map(|value| match value {
                    Value::Text(text) => text.whole().map(str::to_owned),
                    _ => None,
                });
                // The receiver, where there is one, is no text.
                let name = args
                    .positional
                    .iter()
                    .find_map(Value::whole_text)
                    .map(str::to_owned)
                    .or(name);
                name.and_then(|name| self.variable(&name))
                    .map_or(unknown, Value::Text)
            }
            Model::Getattr => {
                let name = args.get(Arg(1, "")).cloned();
                match name {
                    Some(Value::Text(name)) if name.whole().is_some() => {
                        let found = self.attribute_by_text(&first, &name, range);
                        let found = found.unwrap_or(unknown);
                        match args.get(Arg(2, "")) {
                            Some(default) if !default.is_unknown() && found.is_unknown() => {
                                default.clone()
                            }
                            _ => found,
                        }
                    }
                    _ => {
                        if let Value::Known(module) = &first {
                            let text =
                                format!("takes attributes of `{}` by computed names", module.name);
                            self.note(&text, range);
                        }
                        unknown
                    }
                }
            }
            Model::Setattr => {
                if let (Some(Value::Text(Text::Literal(name))), Some(value)) =
                    (args.get(Arg(1, "")), args.get(Arg(2, "")))
                {
                    self.set_attribute(&first, name, value);
                }
                Value::Plain
            }
            Model::Vars => Value::names(first),
            Model::Globals => Value::names(Value::Module(self.here.module)),
            Model::Super => self.above(),
            Model::Import => {
                if let Some(name) = args.positional.iter().find_map(Value::whole_text) {
                    let name = name.to_owned();
                    let top = symbol.name == "builtins.__import__"
                        && args.get(Arg(3, "fromlist")).is_none();
                    self.import_by_text(&name, top, range)
                } else {
                    self.note("imports a module by a computed name", range);
                    unknown
                }
            }
            Model::Partial => Value::partial(first, args.without(1)),
            Model::MethodCaller => match first {
                Value::Text(name) => Value::caller(name, args.without(1)),
                _ => unknown,
            },
            Model::AttrGetter => match first {
                Value::Text(name) => Value::Getter(name),
                _ => unknown,
            },
            Model::OperatorCall => self.call(&first, &args.without(1), range),
            Model::NamesGet => {
                let key = Self::given(args, Arg(1, "key"));
                let found = self.item(&first, &key, range);
                match args.get(Arg(2, "default")) {
                    Some(default) => found.or(default.clone()),
                    None => found,
                }
            }
            Model::DictItems => match &first {
                Value::Dict(entries) => Value::seq(
                    entries
                        .of
                        .iter()
                        .map(|(key, value)| {
                            Value::seq(vec![Value::Text(key.clone()), value.clone()])
                        })
                        .collect(),
                ),
                _ => unknown,
            },
            Model::DictValues => match &first {
                Value::Dict(entries) => {
                    Value::seq(entries.of.iter().map(|(_, value)| value.clone()).collect())
                }
                _ => unknown,
            },
            Model::DictKeys => Value::each(Self::element(&first)),
            Model::Elements => match first {
                Value::Seq(_) => first,
                other => {
                    let element = self.element_of(&other, range);
                    Value::each(element)
                }
            },
            Model::Enumerate => {
                let element = self.element_of(&first, range);
                Value::each(Value::seq(vec![Value::Plain, element]))
            }
            Model::Zip => {
                let elements = self.elements_of(args, 0, range).positional;
                Value::each(Value::seq(elements))
            }
            Model::Next => self.element_of(&first, range),
            Model::TextJoin => Self::text_join(&first, args).map_or(unknown, Value::Text),
            Model::TextFormat => format_text(&first, args).map_or(unknown, Value::Text),
            Model::TextReplace => {
                let old = args.get(Arg(1, "old")).and_then(Value::whole_text);
                let new = args.get(Arg(2, "new")).and_then(Value::whole_text);
                match (first.whole_text(), old, new) {
                    (Some(text), Some(old), Some(new)) if !old.is_empty() => {
                        Text::own(&text.replace(old, new)).map_or(unknown, Value::Text)
                    }
                    _ => unknown,
                }
            }
            Model::TextStrip => match first.whole_text() {
                Some(text) => Text::own(text.trim()).map_or(unknown, Value::Text),
                None => unknown,
            },
            Model::TextLower => match first.whole_text() {
                Some(text) => Text::own(&text.to_lowercase()).map_or(unknown, Value::Text),
                None => unknown,
            },
            Model::Chdir => {
                self.moved = true;
                unknown
            }
            Model::SysPath => {
                let dirs: Vec<String> = args
                    .positional
                    .iter()
                    .filter_map(Value::whole_text)
                    .map(str::to_owned)
                    .collect();
                for dir in dirs {
                    let dir = self.context.cwd.join(dir);
                    if self.search.len() < 32 && !self.search.contains(&dir) {
                        self.search.push(dir);
                    }
                }
                unknown
            }
            Model::Namespace => {
                let entries = args
                    .keywords
                    .iter()
                    .map(|(name, value)| (Text::Literal(name), value.clone()))
                    .collect::<Vec<_>>();
                if symbol.name == "builtins.dict" {
                    return Value::dict(entries);
                }
                self.namespace(&args.keywords)
            }
            Model::TypeOf => type_of(&first).unwrap_or(unknown),
            Model::Runs => self.runs_text(symbol, &first, range),
            // Properties, which nobody calls.
            Model::PathParent
            | Model::PathParents
            | Model::PathName
            | Model::PathStem
            | Model::PathSuffix => unknown,
        }
    }

    /// An attribute of a `pathlib` path: a property's value, or a method.
    pub(super) fn path_attribute(
        &mut self,
        path: &Value<'a>,
        symbol: &'static Symbol,
        range: TextRange,
    ) -> Value<'a> {
        let (Value::Path(text), Gives::Model(model)) = (path, *symbol.gives) else {
            return Value::bound(path.clone(), Value::Known(symbol));
        };
        match model {
            Model::PathParent => Value::Path(text.parent()),
            Model::PathParents => {
                let mut parents = Vec::new();
                let mut at = text.clone();
                while parents.len() < 8 && at.as_str().contains('/') {
                    at = at.parent();
                    parents.push(Value::Path(at.clone()));
                }
                if parents.is_empty() {
                    Value::each(Value::Path(Text::hole(self.slice(range))))
                } else {
                    Value::seq(parents)
                }
            }
            Model::PathName => Value::Text(text.name()),
            Model::PathStem => Value::Text(text.name().split_suffix().0),
            Model::PathSuffix => Value::Text(text.split_suffix().1),
            _ => Value::bound(path.clone(), Value::Known(symbol)),
        }
    }

    /// The entries of a directory.
    fn entries(model: Model, dir: &Value<'a>) -> Value<'a> {
        let entry = Text::entry();
        let path = match dir {
            Value::Unknown("") => None,
            dir => dir.text().and_then(|dir| dir.join(&entry)),
        };
        Value::each(match model {
            Model::PathIterdir => path.map_or(Value::Path(entry), Value::Path),
            Model::Scandir => match known("os.DirEntry") {
                Some(class) => {
                    let path = path.map_or(Value::NOTHING, Value::Text);
                    Value::instance(class, path)
                }
                None => Value::NOTHING,
            },
            _ => Value::Text(entry),
        })
    }

    /// The parts of a path, joined.
    fn joined(&mut self, parts: &[Value<'a>], range: TextRange) -> Option<Text<'a>> {
        let Some((first, rest)) = parts.split_first() else {
            return Some(Text::Literal("."));
        };
        let hole = Text::hole(self.slice(range));
        let mut path = first.text().unwrap_or_else(|| hole.clone());
        for part in rest {
            path = path.join(&part.text().unwrap_or_else(|| hole.clone()))?;
        }
        Some(path)
    }

    fn text_join(glue: &Value<'a>, args: &Args<'a>) -> Option<Text<'a>> {
        let glue = glue.text()?;
        let Some(Value::Seq(parts)) = args.get(Arg(1, "")) else {
            return None;
        };
        let mut text = Text::Literal("");
        for (at, part) in parts.of.iter().enumerate() {
            if at > 0 {
                text = text.then(&glue)?;
            }
            text = text.then(&part.text()?)?;
        }
        Some(text)
    }

    // What pi knows of the surroundings.

    fn home(&self) -> Option<Text<'a>> {
        let home = self.context.workspace.home.as_deref()?;
        Text::own(&home.to_string_lossy())
    }

    fn cwd(&self) -> Option<Text<'a>> {
        if self.moved {
            return None;
        }
        Text::own(&self.context.cwd.to_string_lossy())
    }

    fn variable(&self, name: &str) -> Option<Text<'a>> {
        match name {
            "HOME" | "USERPROFILE" => self.home(),
            "PWD" => self.cwd(),
            "TMPDIR" | "TEMP" | "TMP" => {
                let dir = self.context.workspace.temporary.first()?;
                Text::own(&dir.to_string_lossy())
            }
            _ => None,
        }
    }

    /// `~` at the start replaced.
    fn expanded(&self, path: &Text<'a>) -> Text<'a> {
        let text = path.as_str();
        let Some(rest) = text.strip_prefix('~') else {
            return path.clone();
        };
        if !rest.is_empty() && !rest.starts_with('/') {
            return path.clone();
        }
        self.home()
            .and_then(|home| home.then(&Text::Own(rest.into())))
            .unwrap_or_else(|| path.clone())
    }

    /// `$NAME` and `${NAME}` replaced, as far as pi knows them.
    fn with_variables(&self, path: &Text<'a>) -> Text<'a> {
        let mut text = path.as_str().to_owned();
        for name in ["HOME", "PWD", "TMPDIR"] {
            if let Some(value) = self.variable(name) {
                for spelled in [format!("${{{name}}}"), format!("${name}")] {
                    text = text.replace(&spelled, value.as_str());
                }
            }
        }
        Text::Own(text.into())
    }

    /// An object with these attributes.
    fn namespace(&mut self, attributes: &[(&'a str, Value<'a>)]) -> Value<'a> {
        let id = self.add_class();
        let class = &mut self.classes[id.index()];
        class.attributes.extend(attributes.iter().cloned());
        Value::Object(id)
    }
}

/// The arguments that a call hands on in a tuple and a dictionary.
fn passed_on<'a>(args: &Args<'a>, tuple: Arg) -> Args<'a> {
    let mut passed = Args::default();
    match args.get(tuple) {
        Some(Value::Seq(elements)) => passed.positional.clone_from(&elements.of),
        Some(other) => {
            passed.positional.push(Walker::element(other));
            passed.more = true;
        }
        None => {}
    }
    if let Some(Value::Dict(entries)) = args.keyword("kwargs") {
        for (name, value) in &entries.of {
            if let Text::Literal(name) = name {
                passed.keywords.push((name, value.clone()));
            }
        }
    }
    passed
}

/// `format.format(...)`, where its fields are `{}`, a number or a name.
fn format_text<'a>(format: &Value<'a>, args: &Args<'a>) -> Option<Text<'a>> {
    let format = format.whole_text()?;
    let mut text = Text::Literal("");
    let mut next = 1;
    let mut rest = format;
    while let Some(open) = rest.find('{') {
        text = text.then(&Text::own(&rest[..open])?)?;
        let (field, after) = rest[open + 1..].split_once('}')?;
        let value = if field.is_empty() {
            next += 1;
            args.positional.get(next - 1)
        } else if let Ok(at) = field.parse::<usize>() {
            args.positional.get(at.checked_add(1)?)
        } else {
            args.keyword(field)
        };
        let part = match value? {
            Value::Int(number) => Text::own(&number.to_string())?,
            value => value.text()?,
        };
        text = text.then(&part)?;
        rest = after;
    }
    text.then(&Text::own(rest)?)
}
