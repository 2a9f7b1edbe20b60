//! Through the statements of a program, and of what it imports.

use ruff_python_ast::{self as ast, Expr, Pattern, Stmt, StmtFor, StmtIf, StmtTry, StmtWith};
use ruff_text_size::Ranged;

use super::scope::Branch;
use super::text::Text;
use super::value::Value;
use super::walker::{Flow, Walker};

impl<'a> Walker<'a, '_> {
    pub(super) fn body(&mut self, statements: &'a [Stmt]) -> Flow {
        for statement in statements {
            if self.nested(|walker| walker.statement(statement)) == Flow::Leaves {
                return Flow::Leaves;
            }
        }
        Flow::Falls
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
                if let Text::Literal(name) = key {
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
            let asks = test.is_some_and(asks_whether_there);
            let (branch, flow) =
                self.leniently(asks, |walker| walker.branch(|walker| walker.body(body)));
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
                let entered = self.enter(&value, item.context_expr.range());
                self.assign(target, entered);
            }
        }
        let suppresses = node.items.iter().any(|item| match &item.context_expr {
            Expr::Call(call) => last_name(&call.func) == Some("suppress"),
            _ => false,
        });
        self.leniently(suppresses, |walker| walker.body(&node.body))
    }

    /// Walks code in which what is missing may be missing, if `lenient`.
    fn leniently<T>(&mut self, lenient: bool, walk: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.lenient;
        self.lenient |= lenient;
        let result = walk(self);
        self.lenient = before;
        result
    }

    fn try_except(&mut self, node: &'a StmtTry) {
        let takes_missing = node.handlers.iter().any(|handler| {
            let ast::ExceptHandler::ExceptHandler(handler) = handler;
            handler.type_.as_deref().is_none_or(is_missing_error)
        });
        let (tried, flow) = self.branch(|walker| {
            let flow = walker.leniently(takes_missing, |walker| walker.body(&node.body));
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
}

/// Whether a condition asks whether something is there.
fn asks_whether_there(test: &Expr) -> bool {
    match test {
        Expr::Call(call) => last_name(&call.func).is_some_and(|name| {
            matches!(
                name,
                "exists"
                    | "lexists"
                    | "isfile"
                    | "isdir"
                    | "islink"
                    | "is_file"
                    | "is_dir"
                    | "is_symlink"
            )
        }),
        Expr::BoolOp(node) => node.values.iter().any(asks_whether_there),
        _ => false,
    }
}

/// Whether a handler takes the error for what is missing.
fn is_missing_error(kind: &Expr) -> bool {
    match kind {
        Expr::Tuple(kinds) => kinds.elts.iter().any(is_missing_error),
        kind => last_name(kind).is_some_and(|name| {
            matches!(
                name,
                "FileNotFoundError"
                    | "OSError"
                    | "IOError"
                    | "EnvironmentError"
                    | "Exception"
                    | "BaseException"
            )
        }),
    }
}

/// The last name of `a.b.c`.
fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(node) => Some(node.id.as_str()),
        Expr::Attribute(node) => Some(node.attr.as_str()),
        _ => None,
    }
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
