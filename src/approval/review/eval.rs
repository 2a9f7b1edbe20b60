//! Through expressions: what they give, and the calls in them.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr, Operator};
use ruff_text_size::{Ranged, TextRange};

use super::known::{Gives, built_in, is_module, is_standard, known, within};
use super::scope::Found;
use super::text::Text;
use super::value::{Args, Id, MOST, Value};
use super::walker::{Code, Receiver, Walker};

impl<'a> Walker<'a, '_> {
    /// What an expression gives. Every call in it is looked at.
    pub(super) fn eval(&mut self, expr: &'a Expr) -> Value<'a> {
        match expr {
            // The commonest, without a level of their own.
            Expr::Name(node) => self.name(node.id.as_str()),
            Expr::StringLiteral(node) => {
                Text::literal(node.value.to_str()).map_or(Value::NOTHING, Value::Text)
            }
            Expr::NumberLiteral(node) => match &node.value {
                ast::Number::Int(number) => number.as_i64().map_or(Value::Plain, Value::Int),
                ast::Number::Float(_) | ast::Number::Complex { .. } => Value::Plain,
            },
            Expr::BooleanLiteral(node) => Value::Int(i64::from(node.value)),
            Expr::NoneLiteral(_) | Expr::EllipsisLiteral(_) => Value::Plain,
            other => self.nested(|walker| walker.eval_node(other)),
        }
    }

    fn eval_node(&mut self, expr: &'a Expr) -> Value<'a> {
        match expr {
            Expr::Call(node) => self.call_expression(node),
            Expr::Attribute(node) => {
                let owner = self.eval(&node.value);
                self.attribute(&owner, node.attr.as_str(), node.range)
            }
            Expr::Subscript(node) => self.subscript(node),
            Expr::BinOp(node) => {
                let left = self.eval(&node.left);
                let right = self.eval(&node.right);
                self.operate(&left, node.op, &right, node.range)
            }
            Expr::Tuple(node) => self.sequence(&node.elts),
            Expr::List(node) => self.sequence(&node.elts),
            Expr::Set(node) => self.sequence(&node.elts),
            Expr::Dict(node) => self.dict(node),
            Expr::FString(node) => self.f_string(node),
            Expr::TString(node) => {
                for element in node.value.elements() {
                    self.interpolated(element);
                }
                Value::NOTHING
            }
            Expr::BytesLiteral(node) => Self::bytes(node),
            Expr::BoolOp(node) => {
                let values: Vec<Value<'a>> =
                    node.values.iter().map(|value| self.eval(value)).collect();
                Value::any(values)
            }
            Expr::If(node) => {
                self.eval(&node.test);
                let body = self.eval(&node.body);
                let orelse = self.eval(&node.orelse);
                body.or(orelse)
            }
            Expr::Named(node) => {
                let value = self.eval(&node.value);
                self.assign(&node.target, value.clone());
                value
            }
            Expr::Lambda(node) => self.lambda(node),
            Expr::ListComp(node) => {
                self.comprehension(&node.generators, |walker| walker.eval(&node.elt))
            }
            Expr::SetComp(node) => {
                self.comprehension(&node.generators, |walker| walker.eval(&node.elt))
            }
            Expr::Generator(node) => {
                self.comprehension(&node.generators, |walker| walker.eval(&node.elt))
            }
            Expr::DictComp(node) => self.comprehension(&node.generators, |walker| {
                let key = node.key.as_deref().map(|key| walker.eval(key));
                walker.eval(&node.value);
                key.unwrap_or(Value::NOTHING)
            }),
            Expr::Await(node) => self.eval(&node.value),
            Expr::Yield(node) => {
                if let Some(value) = &node.value {
                    let value = self.eval(value);
                    self.gives_back(Value::each(value));
                }
                Value::Unknown(self.slice(node.range))
            }
            Expr::YieldFrom(node) => {
                let value = self.eval(&node.value);
                self.gives_back(value);
                Value::NOTHING
            }
            Expr::UnaryOp(node) => match (node.op, self.eval(&node.operand)) {
                (ast::UnaryOp::USub, Value::Int(number)) => {
                    number.checked_neg().map_or(Value::Plain, Value::Int)
                }
                _ => Value::Plain,
            },
            Expr::Compare(node) => {
                self.eval(&node.left);
                for right in &node.comparators {
                    self.eval(right);
                }
                Value::Plain
            }
            Expr::Starred(node) => {
                let value = self.eval(&node.value);
                self.element_of(&value, node.range)
            }
            Expr::Slice(node) => {
                for part in [&node.lower, &node.upper, &node.step].into_iter().flatten() {
                    self.eval(part);
                }
                Value::Plain
            }
            Expr::Name(_)
            | Expr::StringLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_) => self.eval(expr),
            Expr::IpyEscapeCommand(_) => Value::NOTHING,
        }
    }

    // Names.

    pub(super) fn name(&mut self, name: &'a str) -> Value<'a> {
        let value = match self.scopes.find(self.here.scope, name) {
            Found::Value(Value::Unknown("")) => Value::Unknown(name),
            Found::Value(value) => value,
            Found::Stars(modules) => self.among_stars(&modules, name),
            Found::Nowhere => self.built_in_name(name),
        };
        self.want(&value);
        value
    }

    fn built_in_name(&mut self, name: &'a str) -> Value<'a> {
        if name == "__file__" {
            return self.own_file();
        }
        match built_in(name, &mut self.buffer) {
            Some(symbol) => of_symbol(symbol),
            None => Value::Unknown(name),
        }
    }

    /// `__file__` of the module that is walked.
    fn own_file(&self) -> Value<'a> {
        let module = &self.modules[self.here.module.index()];
        let path = module.path.as_deref().or(self.context.file);
        path.and_then(|path| Text::own(&path.to_string_lossy()))
            .map_or(Value::Unknown("__file__"), Value::Text)
    }

    fn among_stars(&mut self, modules: &[Value<'a>], name: &'a str) -> Value<'a> {
        for module in modules {
            let found = match module {
                Value::Known(symbol) => within(symbol, name, &mut self.buffer).map(of_symbol),
                Value::Module(id) => self.of_module(*id, name),
                _ => None,
            };
            if let Some(value) = found {
                return value;
            }
        }
        self.built_in_name(name)
    }

    /// A name of a workspace module, its star imports included.
    pub(super) fn of_module(&mut self, id: Id, name: &str) -> Option<Value<'a>> {
        let scope = self.modules[id.index()].scope;
        if let Some(value) = self.scopes.ever(scope, name) {
            return Some(value);
        }
        let stars = self.scopes.stars_of(scope).to_vec();
        stars.into_iter().find_map(|star| match star {
            Value::Known(symbol) => within(symbol, name, &mut self.buffer).map(of_symbol),
            // Modules that import each other's every name lead nowhere new.
            Value::Module(other) if other != id => {
                let scope = self.modules[other.index()].scope;
                self.scopes.ever(scope, name)
            }
            _ => None,
        })
    }

    /// Something names the value: what it consists of is reviewed, wherever it was defined.
    pub(super) fn want(&mut self, value: &Value<'a>) {
        for value in value.alternatives() {
            match value {
                Value::Function(id) => self.functions[id.index()].wanted = true,
                Value::Class(id) => self.want_class(*id),
                _ => {}
            }
        }
    }

    fn want_class(&mut self, id: Id) {
        let class = &mut self.classes[id.index()];
        if std::mem::replace(&mut class.wanted, true) {
            return;
        }
        for base in class.bases.clone() {
            self.want(&base);
        }
    }

    // Attributes and items.

    pub(super) fn attribute(
        &mut self,
        owner: &Value<'a>,
        name: &'a str,
        range: TextRange,
    ) -> Value<'a> {
        self.asked.insert(name);
        let value = match owner {
            Value::Any(values) => {
                let values: Vec<Value<'a>> = values
                    .of
                    .iter()
                    .map(|value| self.attribute_of(value, name, range))
                    .collect();
                Value::any(values)
            }
            one => self.attribute_of(one, name, range),
        };
        let value = self.of_property(value, range);
        self.want(&value);
        value
    }

    /// What a property gives; anything else as it is.
    fn of_property(&mut self, value: Value<'a>, range: TextRange) -> Value<'a> {
        match &value {
            Value::Bound(bound) => match bound.of.1 {
                Value::Function(id)
                    if self.functions[id.index()].receiver == Receiver::Property =>
                {
                    self.call(&value, &Args::default(), range)
                }
                _ => value,
            },
            _ => value,
        }
    }

    fn attribute_of(&mut self, owner: &Value<'a>, name: &'a str, range: TextRange) -> Value<'a> {
        let unknown = Value::Unknown(self.slice(range));
        if !self.step(range) {
            return unknown;
        }
        match name {
            "__getattribute__" => {
                let getattr = known("builtins.getattr").map(Value::Known);
                return getattr.map_or(unknown, |getattr| Value::bound(owner.clone(), getattr));
            }
            "__class__" => return type_of(owner).unwrap_or(unknown),
            _ => {}
        }
        let found = match owner {
            Value::Known(symbol) => self.of_known(symbol, name, range),
            Value::Instance(class, of) => match within(class, name, &mut self.buffer) {
                Some(symbol) if matches!(*symbol.gives, Gives::Of) => Some(of.of.clone()),
                Some(symbol) => Some(Self::method(owner, symbol)),
                // `super().__init__(…)` in a class of its kind.
                None => (name == "__init__").then_some(Value::Known(class)),
            },
            Value::Path(_) => {
                let class = known("pathlib.Path");
                let symbol = class.and_then(|class| within(class, name, &mut self.buffer));
                symbol.map(|symbol| self.path_attribute(owner, symbol, range))
            }
            Value::Text(_) => self.method_of("str", owner, name),
            Value::Dict(_) | Value::Names(_) => self.method_of("dict", owner, name),
            Value::Class(id) => self.of_class(*id, name, None),
            Value::Object(id) => self.of_class(*id, name, Some(owner)),
            Value::Module(id) => {
                if name == "__dict__" {
                    Some(Value::names(owner.clone()))
                } else {
                    self.of_module(*id, name)
                }
            }
            Value::Partial(partial) => (name == "func").then(|| partial.of.0.clone()),
            Value::Bound(bound) => (name == "__self__").then(|| bound.of.0.clone()),
            _ => None,
        };
        found.unwrap_or(unknown)
    }

    fn of_known(
        &mut self,
        symbol: &'static super::known::Symbol,
        name: &'a str,
        range: TextRange,
    ) -> Option<Value<'a>> {
        if let Some(symbol) = within(symbol, name, &mut self.buffer) {
            return Some(of_symbol(symbol));
        }
        match (*symbol.gives, name) {
            (Gives::AnyAttribute, _) => {
                let args = Args::default();
                self.hold_against_rules(symbol, &args, range);
                None
            }
            // Modules hold the modules that they import.
            (Gives::Module, name) if is_standard(name.trim_start_matches('_')) => {
                known(name.trim_start_matches('_')).map(of_symbol)
            }
            (Gives::Module, "__dict__") => Some(Value::names(Value::Known(symbol))),
            (_, "__call__" | "__wrapped__" | "__func__") => Some(Value::Known(symbol)),
            // The module of a function of it.
            (_, "__self__") => module_of(symbol),
            (_, "__globals__") => module_of(symbol).map(Value::names),
            _ => None,
        }
    }

    /// What a receiver and a method of its class make.
    fn method(receiver: &Value<'a>, symbol: &'static super::known::Symbol) -> Value<'a> {
        match *symbol.gives {
            Gives::OwnProcess if symbol.name.rsplit('.').next() == Some("pid") => Value::OwnProcess,
            Gives::Is(_) | Gives::Constant(_) => of_symbol(symbol),
            _ => Value::bound(receiver.clone(), Value::Known(symbol)),
        }
    }

    fn method_of(&mut self, class: &str, owner: &Value<'a>, name: &str) -> Option<Value<'a>> {
        let class = known(class)?;
        let symbol = within(class, name, &mut self.buffer)?;
        Some(Self::method(owner, symbol))
    }

    /// An attribute of a class of the program, or of its instance.
    pub(super) fn of_class(
        &mut self,
        id: Id,
        name: &'a str,
        receiver: Option<&Value<'a>>,
    ) -> Option<Value<'a>> {
        self.of_class_from(id, name, receiver, 0)
    }

    fn of_class_from(
        &mut self,
        id: Id,
        name: &'a str,
        receiver: Option<&Value<'a>>,
        depth: usize,
    ) -> Option<Value<'a>> {
        // Deeper inheritance, or one in circles, is not followed.
        if depth > 16 {
            return None;
        }
        let class = &self.classes[id.index()];
        let set = class.attributes.get(name).cloned();
        let own = self.scopes.ever(class.scope, name);
        if set.is_some() || own.is_some() {
            let own = own.map(|value| self.bind_method(value, receiver));
            return Some(Value::any(set.into_iter().chain(own)));
        }
        for base in self.classes[id.index()].bases.clone() {
            let found = match &base {
                Value::Class(base) => self.of_class_from(*base, name, receiver, depth + 1),
                Value::Known(symbol) => {
                    within(symbol, name, &mut self.buffer).map(|symbol| match receiver {
                        Some(receiver) => Self::method(receiver, symbol),
                        None => of_symbol(symbol),
                    })
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        (name == "__dict__").then(|| Value::names(Value::Object(id)))
    }

    /// A function of the program becomes a method on an instance; a built-in one does not.
    fn bind_method(&self, value: Value<'a>, receiver: Option<&Value<'a>>) -> Value<'a> {
        match (&value, receiver) {
            (Value::Function(id), Some(receiver)) => match self.functions[id.index()].receiver {
                Receiver::Nothing => value,
                Receiver::Instance | Receiver::Class | Receiver::Property => {
                    Value::bound(receiver.clone(), value)
                }
            },
            (Value::Function(id), None)
                if self.functions[id.index()].receiver == Receiver::Class =>
            {
                Value::bound(Value::NOTHING, value)
            }
            _ => value,
        }
    }

    fn subscript(&mut self, node: &'a ast::ExprSubscript) -> Value<'a> {
        let owner = self.eval(&node.value);
        let key = self.eval(&node.slice);
        if let (Value::Text(text), Expr::Slice(slice)) = (&owner, &*node.slice) {
            return reversed(text, slice).unwrap_or(Value::Unknown(self.slice(node.range)));
        }
        let values: Vec<Value<'a>> = owner
            .alternatives()
            .iter()
            .map(|owner| self.item(owner, &key, node.range))
            .collect();
        let value = Value::any(values);
        self.want(&value);
        value
    }

    /// `owner[key]`.
    pub(super) fn item(
        &mut self,
        owner: &Value<'a>,
        key: &Value<'a>,
        range: TextRange,
    ) -> Value<'a> {
        let found = match (owner, key) {
            (Value::Seq(elements), Value::Int(at)) => {
                let at = if *at < 0 {
                    i64::try_from(elements.of.len()).unwrap_or(0) + at
                } else {
                    *at
                };
                usize::try_from(at)
                    .ok()
                    .and_then(|at| elements.of.get(at).cloned())
            }
            (Value::Seq(_), Value::Plain) => Some(owner.clone()),
            (Value::Seq(elements), _) => Some(Value::any(elements.of.iter().cloned())),
            (Value::Each(element), _) => Some(element.of.clone()),
            (Value::Dict(entries), Value::Text(key)) => entries
                .of
                .iter()
                .find(|(known, _)| known.as_str() == key.as_str())
                .map(|(_, value)| value.clone()),
            (Value::Dict(entries), _) => Some(Value::any(
                entries.of.iter().map(|(_, value)| value.clone()),
            )),
            (Value::Names(of), Value::Text(Text::Literal(name))) => {
                Some(self.attribute(&of.of.clone(), name, range))
            }
            (Value::Names(of), Value::Text(Text::Own(name))) => {
                self.attribute_by_text(&of.of.clone(), &Text::Own(name.clone()), range)
            }
            (Value::Known(symbol), Value::Text(name)) if is_module(symbol) => {
                self.attribute_by_text(&Value::Known(symbol), name, range)
            }
            (Value::Known(symbol), _) if matches!(*symbol.gives, Gives::AnyAttribute) => {
                self.hold_against_rules(symbol, &Args::default(), range);
                None
            }
            // A type with parameters.
            (Value::Known(_) | Value::Class(_), _) => Some(owner.clone()),
            (Value::Instance(class, _), _) => {
                let symbol = within(class, "__getitem__", &mut self.buffer);
                symbol.map(|symbol| {
                    let args = Args::of(vec![owner.clone(), key.clone()]);
                    self.call_symbol(symbol, &args, range)
                })
            }
            _ => None,
        };
        found.unwrap_or(Value::Unknown(self.slice(range)))
    }

    /// An attribute whose name was put together: only names of known things can be meant.
    pub(super) fn attribute_by_text(
        &mut self,
        owner: &Value<'a>,
        name: &Text<'a>,
        range: TextRange,
    ) -> Option<Value<'a>> {
        match name {
            Text::Literal(name) => Some(self.attribute(owner, name, range)),
            Text::Own(_) => {
                let name = name.whole()?;
                // Names live as long as the sources: the one that the program spells elsewhere, or a known one's own.
                let known = owner.alternatives().iter().find_map(|owner| match owner {
                    Value::Known(symbol) => within(symbol, name, &mut self.buffer),
                    Value::Path(_) => known(&format!("pathlib.Path.{name}")),
                    Value::Instance(class, _) => within(class, name, &mut self.buffer),
                    _ => None,
                });
                if let Some(symbol) = known {
                    let short: &'static str = symbol.name.rsplit('.').next().unwrap_or("");
                    return Some(self.attribute(owner, short, range));
                }
                let asked = self.spelled(owner, name)?;
                Some(self.attribute(owner, asked, range))
            }
        }
    }

    /// A name of a class or module of the program, as its own source spells it.
    fn spelled(&self, owner: &Value<'a>, name: &str) -> Option<&'a str> {
        let of_class = |id: &Id| {
            let class = &self.classes[id.index()];
            self.scopes
                .spelled(class.scope, name)
                .or_else(|| class.attributes.get_key_value(name).map(|(key, _)| *key))
        };
        owner.alternatives().iter().find_map(|owner| match owner {
            Value::Class(id) | Value::Object(id) => of_class(id),
            Value::Module(id) => self.scopes.spelled(self.modules[id.index()].scope, name),
            _ => None,
        })
    }

    // Literals and operators.

    fn sequence(&mut self, elements: &'a [Expr]) -> Value<'a> {
        let mut values = Vec::with_capacity(elements.len().min(MOST + 1));
        for element in elements {
            let value = match element {
                Expr::Starred(node) => match self.eval(&node.value) {
                    Value::Seq(inner) if values.len() <= MOST => {
                        values.extend(inner.of.iter().cloned());
                        continue;
                    }
                    other => self.element_of(&other, node.range),
                },
                other => self.eval(other),
            };
            if values.len() <= MOST {
                values.push(value);
            }
        }
        Value::seq(values)
    }

    fn dict(&mut self, node: &'a ast::ExprDict) -> Value<'a> {
        let mut entries = Vec::new();
        for item in &node.items {
            let key = item.key.as_ref().map(|key| self.eval(key));
            let value = self.eval(&item.value);
            match (key, value) {
                (Some(Value::Text(key)), value) if entries.len() < MOST => {
                    entries.push((key, value));
                }
                (None, Value::Dict(inner)) => entries.extend(inner.of.iter().cloned()),
                _ => {}
            }
        }
        Value::dict(entries)
    }

    fn bytes(node: &'a ast::ExprBytesLiteral) -> Value<'a> {
        let [part] = node.value.as_slice() else {
            return Value::NOTHING;
        };
        std::str::from_utf8(part.as_slice())
            .ok()
            .and_then(Text::literal)
            .map_or(Value::NOTHING, Value::Text)
    }

    fn f_string(&mut self, node: &'a ast::ExprFString) -> Value<'a> {
        let mut text = Some(Text::Literal(""));
        for part in node.value.as_slice() {
            match part {
                ast::FStringPart::Literal(literal) => {
                    text = text.and_then(|text| text.then(&Text::literal(literal.as_str())?));
                }
                ast::FStringPart::FString(f_string) => {
                    for element in &f_string.elements {
                        let part = self.interpolated(element);
                        text = text.and_then(|text| text.then(&part?));
                    }
                }
            }
        }
        text.map_or(Value::Unknown(self.slice(node.range)), Value::Text)
    }

    /// The text of a part of an f-string.
    fn interpolated(&mut self, element: &'a ast::InterpolatedStringElement) -> Option<Text<'a>> {
        match element {
            ast::InterpolatedStringElement::Literal(literal) => Text::literal(&literal.value),
            ast::InterpolatedStringElement::Interpolation(node) => {
                let value = self.eval(&node.expression);
                let shown = Text::hole(self.slice(node.expression.range()));
                if let Some(format) = &node.format_spec {
                    for element in &format.elements {
                        self.nested(|walker| walker.interpolated(element));
                    }
                    return Some(shown);
                }
                match value {
                    Value::Int(number) => Text::own(&number.to_string()),
                    value => Some(value.text().unwrap_or(shown)),
                }
            }
        }
    }

    pub(super) fn operate(
        &mut self,
        left: &Value<'a>,
        op: Operator,
        right: &Value<'a>,
        range: TextRange,
    ) -> Value<'a> {
        let unknown = Value::Unknown(self.slice(range));
        let combined = match (op, left, right) {
            (Operator::Div, Value::Path(base), other) => {
                let part = other
                    .text()
                    .unwrap_or_else(|| Text::hole(self.slice(range)));
                base.join(&part).map(Value::Path)
            }
            (Operator::Div, other, Value::Path(part)) => {
                let base = other.text();
                base.and_then(|base| base.join(part)).map(Value::Path)
            }
            (Operator::Add, Value::Seq(one), Value::Seq(two)) => {
                Some(Value::seq(one.of.iter().chain(&two.of).cloned().collect()))
            }
            (Operator::Add, Value::Seq(_), _) => Some(left.clone()),
            (Operator::Add, Value::Text(_), _) | (Operator::Add, _, Value::Text(_)) => {
                match (left.text(), right.text()) {
                    (Some(left), Some(right)) => left.then(&right).map(Value::Text),
                    _ => None,
                }
            }
            (Operator::Mod, Value::Text(format), argument) => {
                percent(format, argument).map(Value::Text)
            }
            // Flags, and dictionaries that are joined.
            (Operator::BitOr, Value::Known(_) | Value::Any(_), _)
            | (Operator::BitOr, _, Value::Known(_)) => Some(left.clone().or(right.clone())),
            (Operator::BitOr, Value::Dict(one), Value::Dict(two)) => {
                Some(Value::dict(two.of.iter().chain(&one.of).cloned().collect()))
            }
            _ => None,
        };
        combined.unwrap_or(unknown)
    }

    fn lambda(&mut self, node: &'a ast::ExprLambda) -> Value<'a> {
        static NONE: std::sync::LazyLock<ast::Parameters> =
            std::sync::LazyLock::new(ast::Parameters::default);
        let parameters = node.parameters.as_deref().unwrap_or(&NONE);
        let id = self.define(Code::Lambda(node), parameters, "<lambda>");
        Value::Function(id)
    }

    fn comprehension(
        &mut self,
        generators: &'a [ast::Comprehension],
        element: impl FnOnce(&mut Self) -> Value<'a>,
    ) -> Value<'a> {
        // Its names are its own: what it assigns is forgotten behind it.
        let (_, value) = self.branch(|walker| {
            for generator in generators {
                let iterated = walker.eval(&generator.iter);
                let value = walker.element_of(&iterated, generator.iter.range());
                walker.assign(&generator.target, value);
                for condition in &generator.ifs {
                    walker.eval(condition);
                }
            }
            element(walker)
        });
        Value::each(value)
    }

    // Iteration and contexts.

    /// What iterating gives.
    pub(super) fn element(value: &Value<'a>) -> Value<'a> {
        match value {
            Value::Seq(elements) => Value::any(elements.of.iter().cloned()),
            Value::Each(element) => element.of.clone(),
            Value::Dict(entries) => {
                Value::any(entries.of.iter().map(|(key, _)| Value::Text(key.clone())))
            }
            Value::Any(values) => Value::any(values.of.iter().map(Self::element)),
            _ => Value::NOTHING,
        }
    }

    /// What iterating gives, shown by the expression that is iterated over.
    pub(super) fn element_of(&mut self, value: &Value<'a>, range: TextRange) -> Value<'a> {
        match Self::element(value) {
            Value::Unknown("") => Value::Unknown(self.slice(range)),
            element => element,
        }
    }

    /// What `with value as name` gives the name.
    pub(super) fn enter(&mut self, value: &Value<'a>, range: TextRange) -> Value<'a> {
        match value {
            Value::Object(id) => match self.of_class(*id, "__enter__", Some(value)) {
                Some(method) => match self.call(&method, &Args::default(), range) {
                    given if given.is_unknown() => value.clone(),
                    given => given,
                },
                None => value.clone(),
            },
            Value::Instance(class, of) => match within(class, "__enter__", &mut self.buffer) {
                Some(symbol) if matches!(*symbol.gives, Gives::Of) => of.of.clone(),
                _ => value.clone(),
            },
            // A generator function that was made a context gives what it yields.
            Value::Each(element) if !matches!(element.of, Value::Instance(..)) => {
                element.of.clone()
            }
            other => other.clone(),
        }
    }

    /// An instance of what an annotation names.
    pub(super) fn of_annotation(annotation: &Value<'a>) -> Option<Value<'a>> {
        annotation
            .alternatives()
            .iter()
            .find_map(|value| match value {
                Value::Known(symbol) if symbol.name == "pathlib.Path" => {
                    Some(Value::Path(Text::hole("path")))
                }
                Value::Known(symbol) => match *symbol.gives {
                    Gives::Instance(class, _) => {
                        known(class).map(|class| Value::instance(class, Value::NOTHING))
                    }
                    _ => None,
                },
                Value::Class(id) => Some(Value::Object(*id)),
                // The annotation is a text, or has one.
                Value::Text(text) => match text.whole()? {
                    "Path" | "pathlib.Path" => Some(Value::Path(Text::hole("path"))),
                    _ => None,
                },
                _ => None,
            })
    }
}

/// What naming a symbol gives.
pub(super) fn of_symbol<'a>(symbol: &'static super::known::Symbol) -> Value<'a> {
    match *symbol.gives {
        Gives::Constant(text) => Value::Text(Text::Literal(text)),
        Gives::Is(class) => match known(class) {
            Some(class) if is_module(class) && class.name == "builtins" => Value::Known(class),
            Some(class) => Value::instance(class, Value::NOTHING),
            None => Value::NOTHING,
        },
        _ => Value::Known(symbol),
    }
}

/// The class of a value.
pub(super) fn type_of<'a>(value: &Value<'a>) -> Option<Value<'a>> {
    match value {
        Value::Path(_) => known("pathlib.Path").map(Value::Known),
        Value::Instance(class, _) => Some(Value::Known(class)),
        Value::Object(id) => Some(Value::Class(*id)),
        _ => None,
    }
}

/// The module that holds a function.
fn module_of<'a>(symbol: &'static super::known::Symbol) -> Option<Value<'a>> {
    let (module, _) = symbol.name.rsplit_once('.')?;
    known(module).map(Value::Known)
}

/// `text[::-1]`.
fn reversed<'a>(text: &Text<'a>, slice: &ast::ExprSlice) -> Option<Value<'a>> {
    let is_minus_one = |step: &Expr| match step {
        Expr::UnaryOp(node) => {
            node.op == ast::UnaryOp::USub
                && matches!(&*node.operand, Expr::NumberLiteral(number)
                    if matches!(&number.value, ast::Number::Int(one) if one.as_i64() == Some(1)))
        }
        _ => false,
    };
    let whole = slice.lower.is_none() && slice.upper.is_none();
    if !whole || !slice.step.as_deref().is_some_and(is_minus_one) {
        return None;
    }
    let turned: String = text.whole()?.chars().rev().collect();
    Text::own(&turned).map(Value::Text)
}

/// `format % argument`, each `%s` replaced in turn.
fn percent<'a>(format: &Text<'a>, argument: &Value<'a>) -> Option<Text<'a>> {
    let arguments: Vec<Value<'a>> = match argument {
        Value::Seq(elements) => elements.of.clone(),
        one => vec![one.clone()],
    };
    let mut arguments = arguments.into_iter();
    let mut text = Text::Literal("");
    let mut rest = format.as_str();
    while let Some(at) = rest.find('%') {
        let (before, after) = rest.split_at(at);
        text = text.then(&Text::Own(Rc::from(before)))?;
        let kind = after.as_bytes().get(1)?;
        let part = match kind {
            b'%' => Text::Literal("%"),
            b's' | b'd' | b'i' | b'r' => match arguments.next()? {
                Value::Int(number) => Text::own(&number.to_string())?,
                value => value.text()?,
            },
            _ => return None,
        };
        text = text.then(&part)?;
        rest = after.get(2..)?;
    }
    text.then(&Text::Own(Rc::from(rest)))
}
