//! Functions and classes: what defines them, and walks through their bodies.
//!
//! A function is walked when it is first called, and again when it is called with something new; one that nothing calls
//! is walked in the end. What a body does is found once, whatever it is called with.

use ruff_python_ast::{self as ast, Parameters, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

use super::scope::Kind;
use super::text::Text;
use super::value::{Id, Value};
use super::walker::{Class, Code, Function, Here, MOST_WALKS, Receiver, Walker};

/// Functions that are called from functions are followed so far at once.
const DEEPEST_CALL: usize = 24;

impl<'a> Walker<'a, '_> {
    pub(super) fn function(&mut self, node: &'a StmtFunctionDef) {
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
            Some(_) if is("builtins.property") || is("functools.cached_property") => {
                Receiver::Property
            }
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

    pub(super) fn class(&mut self, node: &'a StmtClassDef) {
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
        let lenient = std::mem::replace(&mut self.lenient, false);
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
        self.lenient = lenient;
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
                (_, Some(class), Receiver::Instance | Receiver::Property) if at == 0 => {
                    Value::Object(class)
                }
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
            return Value::Path(Text::made(name));
        }
        if is_test && name == "tmpdir" {
            return Value::Text(Text::made(name));
        }
        if let Some(annotation) = &parameter.parameter.annotation {
            let annotation = self.eval(annotation);
            if let Some(Value::Path(_)) = Self::of_annotation(&annotation) {
                return Value::Path(Text::parameter(name));
            }
            if let Some(value) = Self::of_annotation(&annotation) {
                return value;
            }
        }
        Value::Parameter(name)
    }
}
