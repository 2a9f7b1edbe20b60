//! What names stand for.
//!
//! A scope keeps for each name what it stands for now, and what it ever stood for: a function that runs later may see
//! any of these. Branches are walked one after the other from the same state, and joined behind.

use rustc_hash::{FxHashMap, FxHashSet};

use super::value::{Id, Value};

/// What kind of scope it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Module,
    Class,
    Function,
}

#[derive(Debug)]
struct Slot<'a> {
    /// `None` before the first assignment and after `del`.
    now: Option<Value<'a>>,
    ever: Value<'a>,
}

#[derive(Debug)]
struct Scope<'a> {
    kind: Kind,
    parent: Option<Id>,
    names: FxHashMap<&'a str, Slot<'a>>,
    /// `global` and `nonlocal` names, with the scope that they belong to.
    elsewhere: FxHashMap<&'a str, Id>,
    /// Modules of which every name was imported.
    stars: Vec<Value<'a>>,
}

/// An assignment that can be taken back.
#[derive(Debug)]
struct Change<'a> {
    scope: Id,
    name: &'a str,
    before: Option<Value<'a>>,
}

/// What a branch left behind.
#[derive(Debug, Default)]
pub(super) struct Branch<'a> {
    changed: FxHashMap<(Id, &'a str), Option<Value<'a>>>,
}

/// Every scope of a program.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a> {
    list: Vec<Scope<'a>>,
    changes: Vec<Change<'a>>,
    /// Branches that are open: outside of them nothing is taken back.
    open: usize,
}

/// Where a name was found.
#[derive(Debug)]
pub(super) enum Found<'a> {
    Value(Value<'a>),
    /// Perhaps in one of these modules, of which every name was imported.
    Stars(Vec<Value<'a>>),
    Nowhere,
}

impl<'a> Scopes<'a> {
    pub(super) fn add(&mut self, kind: Kind, parent: Option<Id>) -> Id {
        let id = Id(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(Scope {
            kind,
            parent,
            names: FxHashMap::default(),
            elsewhere: FxHashMap::default(),
            stars: Vec::new(),
        });
        id
    }

    /// Empties a function's scope before it is walked again.
    pub(super) fn clear(&mut self, scope: Id) {
        let scope = &mut self.list[scope.index()];
        scope.names.clear();
        scope.elsewhere.clear();
        scope.stars.clear();
    }

    pub(super) fn bind(&mut self, scope: Id, name: &'a str, value: Value<'a>) {
        let owner = self.owner(scope, name);
        let value = if owner == scope {
            value
        } else {
            // Whether and when the function runs is open.
            match self.ever(owner, name) {
                Some(standing) => standing.or(value),
                None => value,
            }
        };
        self.set(owner, name, Some(value));
    }

    pub(super) fn unbind(&mut self, scope: Id, name: &'a str) {
        let owner = self.owner(scope, name);
        self.set(owner, name, None);
    }

    fn owner(&self, scope: Id, name: &str) -> Id {
        let elsewhere = &self.list[scope.index()].elsewhere;
        elsewhere.get(name).copied().unwrap_or(scope)
    }

    fn set(&mut self, scope: Id, name: &'a str, value: Option<Value<'a>>) {
        let slot = self.list[scope.index()].names.entry(name);
        let slot = slot.or_insert_with(|| Slot {
            now: None,
            ever: value.clone().unwrap_or(Value::NOTHING),
        });
        let before = std::mem::replace(&mut slot.now, value);
        if let Some(value) = &slot.now
            && !slot.ever.same(value)
        {
            slot.ever = Value::any([value.clone(), slot.ever.clone()]);
        }
        if self.open > 0 {
            self.changes.push(Change {
                scope,
                name,
                before,
            });
        }
    }

    /// Says that `name` belongs to the module, or to a function around this one.
    pub(super) fn declare(&mut self, scope: Id, name: &'a str, global: bool) {
        let mut at = self.list[scope.index()].parent;
        while let Some(id) = at {
            let outer = &self.list[id.index()];
            let fits = match outer.kind {
                Kind::Module => true,
                Kind::Function => !global && outer.names.contains_key(name),
                Kind::Class => false,
            };
            if fits {
                self.list[scope.index()].elsewhere.insert(name, id);
                return;
            }
            at = outer.parent;
        }
    }

    pub(super) fn star(&mut self, scope: Id, module: Value<'a>) {
        self.list[scope.index()].stars.push(module);
    }

    /// What a name stands for, as seen from `scope`.
    pub(super) fn find(&self, scope: Id, name: &str) -> Found<'a> {
        let own = self.owner(scope, name);
        if own == scope {
            if let Some(slot) = self.list[scope.index()].names.get(name)
                && let Some(value) = &slot.now
            {
                return Found::Value(value.clone());
            }
        } else if let Some(value) = self.ever(own, name) {
            return Found::Value(value);
        }
        let mut stars = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            let outer = &self.list[id.index()];
            // The names of a class are seen from its own body alone.
            if id != scope
                && outer.kind != Kind::Class
                && let Some(value) = self.seen_from_within(id, name)
            {
                return Found::Value(value);
            }
            stars.extend(outer.stars.iter().cloned());
            at = outer.parent;
        }
        if stars.is_empty() {
            Found::Nowhere
        } else {
            Found::Stars(stars)
        }
    }

    /// A name of an outer scope: all that it ever was, for functions run at any time.
    fn seen_from_within(&self, scope: Id, name: &str) -> Option<Value<'a>> {
        let slot = self.list[scope.index()].names.get(name)?;
        Some(slot.ever.clone())
    }

    /// All that a name ever stood for in exactly this scope.
    pub(super) fn ever(&self, scope: Id, name: &str) -> Option<Value<'a>> {
        let slot = self.list[scope.index()].names.get(name)?;
        Some(slot.ever.clone())
    }

    /// What a name stands for now in exactly this scope.
    pub(super) fn now(&self, scope: Id, name: &str) -> Option<Value<'a>> {
        self.list[scope.index()].names.get(name)?.now.clone()
    }

    /// A name of exactly this scope, as the source spells it.
    pub(super) fn spelled(&self, scope: Id, name: &str) -> Option<&'a str> {
        let names = &self.list[scope.index()].names;
        names.get_key_value(name).map(|(key, _)| *key)
    }

    /// Modules of which every name was imported into this scope.
    pub(super) fn stars_of(&self, scope: Id) -> &[Value<'a>] {
        &self.list[scope.index()].stars
    }

    /// Starts a branch; everything from here on is taken back by [`close`](Self::close).
    pub(super) fn open(&mut self) -> usize {
        self.open += 1;
        self.changes.len()
    }

    /// Ends a branch: its assignments are taken back, and given.
    pub(super) fn close(&mut self, mark: usize) -> Branch<'a> {
        self.open -= 1;
        let mut branch = Branch::default();
        for at in mark..self.changes.len() {
            let key = (self.changes[at].scope, self.changes[at].name);
            branch
                .changed
                .entry(key)
                .or_insert_with(|| self.now(key.0, key.1));
        }
        while self.changes.len() > mark {
            let Some(change) = self.changes.pop() else {
                break;
            };
            if let Some(slot) = self.list[change.scope.index()].names.get_mut(change.name) {
                slot.now = change.before;
            }
        }
        branch
    }

    /// Joins branches of which one was taken, or none if they are not `exhaustive`.
    pub(super) fn join(&mut self, branches: &[Branch<'a>], exhaustive: bool) {
        let mut seen: FxHashSet<(Id, &'a str)> = FxHashSet::default();
        for key in branches.iter().flat_map(|branch| branch.changed.keys()) {
            if !seen.insert(*key) {
                continue;
            }
            let (scope, name) = *key;
            let mut values: Vec<Value<'a>> = Vec::new();
            let mut untouched = !exhaustive;
            for branch in branches {
                match branch.changed.get(key) {
                    Some(value) => values.extend(value.clone()),
                    None => untouched = true,
                }
            }
            if untouched {
                values.extend(self.now(scope, name));
            }
            let joined = (!values.is_empty()).then(|| Value::any(values));
            self.set(scope, name, joined);
        }
    }
}
