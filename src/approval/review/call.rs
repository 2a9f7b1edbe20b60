//! Calls: arguments, and what is called with them.

use ruff_python_ast as ast;
use ruff_text_size::{Ranged, TextRange};

use super::known::{Symbol, known, within};
use super::text::Text;
use super::value::{Arg, Args, Id, Value};
use super::walker::{Code, Receiver, Walker};

/// Calls of values that are made of values are followed so far.
const DEEPEST: usize = 12;

/// Methods of things unknown that take a function and call it.
const TAKE_FUNCTIONS: &[&str] = &[
    "map",
    "imap",
    "imap_unordered",
    "starmap",
    "map_async",
    "submit",
    "apply",
    "apply_async",
    "run_in_executor",
    "call_soon",
    "call_soon_threadsafe",
    "call_later",
    "call_at",
    "callback",
    "to_thread",
    "run_sync",
    "start_soon",
    "add_done_callback",
    "finalize",
    "addCleanup",
    "addfinalizer",
    "foreach",
    "for_each",
    "pipe",
];

/// Methods of things unknown that write, whatever they belong to.
const WRITE: &[&str] = &[
    "write_text",
    "write_bytes",
    "unlink",
    "rmdir",
    "mkdir",
    "touch",
    "symlink_to",
    "hardlink_to",
    "extractall",
    "savefig",
    "to_csv",
    "to_parquet",
    "to_excel",
    "to_json",
    "to_pickle",
    "save",
];

/// Parts of the names of functions unknown that may make the file that they are given.
const MAKE: &[&str] = &[
    "save", "write", "dump", "export", "to_", "create", "make", "download", "extract", "copy",
    "render", "convert", "touch", "store", "init",
];

impl<'a> Walker<'a, '_> {
    pub(super) fn call_expression(&mut self, node: &'a ast::ExprCall) -> Value<'a> {
        let callee = self.eval(&node.func);
        let args = self.arguments(&node.arguments);
        let range = node.range();
        if callee.is_unknown() {
            return self.call_unknown(&node.func, &args, range);
        }
        self.call(&callee, &args, range)
    }

    fn arguments(&mut self, node: &'a ast::Arguments) -> Args<'a> {
        let mut args = Args::default();
        args.positional.reserve(node.args.len());
        for argument in &node.args {
            match argument {
                ast::Expr::Starred(starred) => match self.eval(&starred.value) {
                    Value::Seq(elements) => args.positional.extend(elements.of.iter().cloned()),
                    other => {
                        let element = self.element_of(&other, starred.value.range());
                        args.positional.push(element);
                        args.more = true;
                    }
                },
                other => {
                    let value = self.eval(other);
                    args.positional.push(value);
                }
            }
        }
        for keyword in &node.keywords {
            let value = self.eval(&keyword.value);
            match (&keyword.arg, value) {
                (Some(name), value) => args.keywords.push((name.as_str(), value)),
                (None, Value::Dict(entries)) => {
                    for (name, value) in &entries.of {
                        match name {
                            Text::Literal(name) => args.keywords.push((name, value.clone())),
                            Text::Own(_) => args.more = true,
                        }
                    }
                }
                (None, _) => args.more = true,
            }
        }
        args
    }

    /// A call of something that has a name but no meaning here.
    fn call_unknown(
        &mut self,
        function: &'a ast::Expr,
        args: &Args<'a>,
        range: TextRange,
    ) -> Value<'a> {
        if let ast::Expr::Attribute(node) = function {
            let name = node.attr.as_str();
            if TAKE_FUNCTIONS.contains(&name) {
                self.call_callbacks(args, range);
            } else if WRITE.contains(&name) {
                self.note("may write files", range);
                self.may_make(args);
            } else if MAKE.iter().any(|part| name.contains(part)) {
                self.may_make(args);
            }
        }
        Value::Unknown(self.slice(range))
    }

    /// Something unknown was handed a path, and may have made it.
    fn may_make(&mut self, args: &Args<'a>) {
        let keywords = args.keywords.iter().map(|(_, value)| value);
        for value in args.positional.iter().chain(keywords) {
            if let Value::Text(_) | Value::Path(_) = value {
                self.mark_made(value);
            }
        }
    }

    /// Calls each argument that is a function, with arguments of which nothing is known.
    fn call_callbacks(&mut self, args: &Args<'a>, range: TextRange) {
        for (at, value) in args.positional.iter().enumerate() {
            let calls = value.alternatives().iter().any(|value| {
                matches!(
                    value,
                    Value::Known(_)
                        | Value::Partial(_)
                        | Value::Caller(_)
                        | Value::Function(_)
                        | Value::Bound(_)
                )
            });
            if calls {
                let mut passed = args.without(at + 1);
                passed.positional = passed
                    .positional
                    .iter()
                    .map(|value| match Self::element(value) {
                        Value::Unknown("") => value.clone(),
                        element => element,
                    })
                    .collect();
                passed.more = true;
                self.call(value, &passed, range);
                return;
            }
        }
    }

    /// Calls `callee`. The call stands at `range`.
    pub(super) fn call(
        &mut self,
        callee: &Value<'a>,
        args: &Args<'a>,
        range: TextRange,
    ) -> Value<'a> {
        self.call_from(callee, args, range, 0)
    }

    fn call_from(
        &mut self,
        callee: &Value<'a>,
        args: &Args<'a>,
        range: TextRange,
        depth: usize,
    ) -> Value<'a> {
        if depth > DEEPEST || !self.step(range) {
            return Value::NOTHING;
        }
        let depth = depth + 1;
        let unknown = Value::Unknown(self.slice(range));
        match callee {
            Value::Known(symbol) => self.call_symbol(symbol, args, range),
            Value::Bound(bound) => {
                let (receiver, method) = &bound.of;
                let args = Args::of(vec![receiver.clone()]).and(args);
                self.call_from(method, &args, range, depth)
            }
            Value::Partial(partial) => {
                let (function, first) = &partial.of;
                self.call_from(function, &first.and(args), range, depth)
            }
            Value::Caller(caller) => {
                let Some(owner) = args.first().cloned() else {
                    return unknown;
                };
                let (name, passed) = &caller.of;
                match self.attribute_by_text(&owner, name, range) {
                    Some(method) => self.call_from(&method, passed, range, depth),
                    None => unknown,
                }
            }
            Value::Getter(name) => match args.first().cloned() {
                Some(owner) => self.attribute_path(&owner, name, range).unwrap_or(unknown),
                None => unknown,
            },
            Value::Function(id) => self.call_function(*id, args).unwrap_or(unknown),
            Value::Class(id) => self.construct(*id, args, range),
            Value::Object(id) => match self.of_class(*id, "__call__", Some(callee)) {
                Some(method) => self.call_from(&method, args, range, depth),
                None => unknown,
            },
            Value::Any(values) => {
                let results: Vec<Value<'a>> = values
                    .of
                    .iter()
                    .map(|value| self.call_from(value, args, range, depth))
                    .collect();
                Value::any(results)
            }
            Value::Instance(class, _) => match within(class, "__call__", &mut self.buffer) {
                Some(symbol) => {
                    let args = Args::of(vec![callee.clone()]).and(args);
                    self.call_symbol(symbol, &args, range)
                }
                None => unknown,
            },
            Value::Unknown(_)
            | Value::Parameter(_)
            | Value::Text(_)
            | Value::Path(_)
            | Value::Int(_)
            | Value::Plain
            | Value::Seq(_)
            | Value::Each(_)
            | Value::Dict(_)
            | Value::Names(_)
            | Value::Module(_)
            | Value::OwnProcess => unknown,
        }
    }

    /// `attrgetter("a.b")`.
    fn attribute_path(
        &mut self,
        owner: &Value<'a>,
        name: &Text<'a>,
        range: TextRange,
    ) -> Option<Value<'a>> {
        let mut value = owner.clone();
        for part in name.whole()?.split('.') {
            value = self.attribute_by_text(&value, &Text::own(part)?, range)?;
        }
        Some(value)
    }

    /// Calls something of the table of known names.
    pub(super) fn call_symbol(
        &mut self,
        symbol: &'static Symbol,
        args: &Args<'a>,
        range: TextRange,
    ) -> Value<'a> {
        self.hold_against_rules(symbol, args, range);
        self.model(symbol, args, range)
    }

    /// Holds a call against every rule that looks at it.
    pub(super) fn hold_against_rules(
        &mut self,
        symbol: &'static Symbol,
        args: &Args<'a>,
        range: TextRange,
    ) {
        for (rule, call) in &symbol.rules {
            self.judge(rule, call.when, args, range);
        }
    }

    /// Calls a function of the program: it is walked with these arguments, and gives what it gave back.
    fn call_function(&mut self, id: Id, args: &Args<'a>) -> Option<Value<'a>> {
        let changed = self.pass(id, args);
        let function = &mut self.functions[id.index()];
        function.wanted = true;
        function.stale |= changed;
        if function.walks == 0 || function.stale {
            self.walk_function(id);
        }
        self.functions[id.index()].returns.clone()
    }

    /// Hands arguments to a function's parameters. Whether one of them is new.
    fn pass(&mut self, id: Id, args: &Args<'a>) -> bool {
        let parameters = match self.functions[id.index()].code {
            Code::Def(node) => &*node.parameters,
            Code::Lambda(node) => match &node.parameters {
                Some(parameters) => &**parameters,
                None => return false,
            },
        };
        let positional = parameters.posonlyargs.len() + parameters.args.len();
        let names = parameters.iter_non_variadic_params().count();
        let mut changed = false;
        for (at, value) in args.positional.iter().enumerate().take(positional) {
            changed |= self.pass_one(id, at, value.clone());
        }
        if parameters.vararg.is_some() {
            let rest: Vec<Value<'a>> = args.positional.iter().skip(positional).cloned().collect();
            let rest = if args.more {
                Value::each(Value::any(rest))
            } else {
                Value::seq(rest)
            };
            changed |= self.pass_one(id, names, rest);
        }
        let mut others = Vec::new();
        for (name, value) in &args.keywords {
            let at = parameters
                .iter_non_variadic_params()
                .position(|parameter| parameter.parameter.name.as_str() == *name);
            match at {
                Some(at) => changed |= self.pass_one(id, at, value.clone()),
                None => others.push((Text::Literal(name), value.clone())),
            }
        }
        if parameters.kwarg.is_some() && !others.is_empty() {
            let at = names + usize::from(parameters.vararg.is_some());
            changed |= self.pass_one(id, at, Value::dict(others));
        }
        changed
    }

    fn pass_one(&mut self, id: Id, at: usize, value: Value<'a>) -> bool {
        let Some(slot) = self.functions[id.index()].passed.get_mut(at) else {
            return false;
        };
        match slot {
            None => {
                *slot = Some(value);
                true
            }
            Some(standing) => {
                let is_new = |value: &Value<'a>| {
                    !value.is_unknown()
                        && !standing
                            .alternatives()
                            .iter()
                            .any(|known| known.same(value))
                };
                let changed = value.alternatives().iter().any(is_new);
                if changed || value.alternatives().iter().any(Value::is_unknown) {
                    *slot = Some(standing.clone().or(value));
                }
                changed
            }
        }
    }

    /// Makes an instance of a class of the program.
    fn construct(&mut self, id: Id, args: &Args<'a>, range: TextRange) -> Value<'a> {
        self.want(&Value::Class(id));
        let object = Value::Object(id);
        if let Some(init) = self.of_class(id, "__init__", Some(&object)) {
            self.call(&init, args, range);
            return object;
        }
        for base in self.classes[id.index()].bases.clone() {
            if let Value::Known(symbol) = base {
                // A class of its own kind behaves as what it is made of.
                let made = self.call_symbol(symbol, args, range);
                if let Value::Path(_) | Value::Instance(..) = made {
                    return Value::any([object, made]);
                }
            }
        }
        object
    }

    /// What a decorator makes of a function or class.
    pub(super) fn decorated(
        &mut self,
        decorator: &Value<'a>,
        value: Value<'a>,
        range: TextRange,
    ) -> Value<'a> {
        match decorator {
            Value::Known(symbol) if symbol.name == "atexit.register" => {
                self.call_symbol(symbol, &Args::of(vec![value.clone()]), range);
                value
            }
            Value::Known(symbol) if !symbol.rules.is_empty() => {
                self.call_symbol(symbol, &Args::of(vec![value]), range)
            }
            Value::Function(id) => {
                let given = self.call_function(*id, &Args::of(vec![value.clone()]));
                match given {
                    // A wrapper calls the function in the end.
                    Some(given) if !given.is_unknown() => value.or(given),
                    _ => value,
                }
            }
            _ => value,
        }
    }

    /// The bound arguments of `super().__init__` and the like: the classes above.
    pub(super) fn above(&self) -> Value<'a> {
        let class = self
            .here
            .function
            .and_then(|id| self.functions[id.index()].class);
        let bases = class.map(|class| self.classes[class.index()].bases.clone());
        let above = bases.into_iter().flatten().filter_map(|base| match base {
            Value::Class(id) => Some(Value::Object(id)),
            Value::Known(symbol) => {
                let class = known(symbol.name)?;
                Some(Value::instance(class, Value::NOTHING))
            }
            _ => None,
        });
        Value::any(above)
    }

    /// Whether a function is a plain one, to be called with all of its arguments.
    pub(super) fn is_callable(&self, value: &Value<'a>) -> bool {
        match value {
            Value::Function(id) => self.functions[id.index()].receiver != Receiver::Class,
            Value::Known(_)
            | Value::Partial(_)
            | Value::Caller(_)
            | Value::Bound(_)
            | Value::Class(_)
            | Value::Any(_) => true,
            _ => false,
        }
    }

    /// The argument of a call, or nothing that is known.
    pub(super) fn given(args: &Args<'a>, arg: Arg) -> Value<'a> {
        args.get(arg).cloned().unwrap_or(Value::NOTHING)
    }
}
