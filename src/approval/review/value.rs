//! What an expression may give, as far as it matters.
//!
//! Values are cheap to clone and bounded: one that nests too deep, or has too many alternatives, is unknown.

use std::rc::Rc;

use super::known::Symbol;
use super::text::Text;

/// Composite values nest no deeper.
const DEEPEST: u8 = 8;
/// A value has no more alternatives, and a sequence no more elements that are kept apart.
pub(super) const MOST: usize = 64;
const MOST_ALTERNATIVES: usize = 8;

/// A function, class, module or scope, by its place in the walker's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Id(pub u32);

impl Id {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A composite with how deep it nests.
#[derive(Debug)]
pub(super) struct Nested<T> {
    depth: u8,
    pub of: T,
}

/// What an expression may give. Each `&str` of an unknown value is the expression that gives it.
#[derive(Debug, Clone)]
pub(super) enum Value<'a> {
    /// Anything.
    Unknown(&'a str),
    /// What a parameter holds, which nobody has passed yet.
    Parameter(&'a str),
    /// A text, of which parts may be unknown.
    Text(Text<'a>),
    /// A `pathlib` path.
    Path(Text<'a>),
    /// A whole number.
    Int(i64),
    /// `None`, a fraction, and whatever else names nothing.
    Plain,
    /// A module, function or class of the table of known names.
    Known(&'static Symbol),
    /// An instance of a known class, with what it was made of.
    Instance(&'static Symbol, Rc<Nested<Value<'a>>>),
    /// A method with its receiver.
    Bound(Rc<Nested<(Value<'a>, Value<'a>)>>),
    /// A function with arguments.
    Partial(Rc<Nested<(Value<'a>, Args<'a>)>>),
    /// `operator.methodcaller`.
    Caller(Rc<Nested<(Text<'a>, Args<'a>)>>),
    /// `operator.attrgetter`.
    Getter(Text<'a>),
    /// A tuple or list.
    Seq(Rc<Nested<Vec<Value<'a>>>>),
    /// Something that gives such a value again and again.
    Each(Rc<Nested<Value<'a>>>),
    /// A dictionary with texts as keys.
    Dict(Rc<Nested<Vec<(Text<'a>, Value<'a>)>>>),
    /// The dictionary of a value's attributes.
    Names(Rc<Nested<Value<'a>>>),
    /// A function of the program.
    Function(Id),
    /// A class of the program.
    Class(Id),
    /// An instance of a class of the program.
    Object(Id),
    /// A module of the workspace.
    Module(Id),
    /// A process id of the run's own.
    OwnProcess,
    /// One of these.
    Any(Rc<Nested<Vec<Value<'a>>>>),
}

/// The arguments of a call.
#[derive(Debug, Clone, Default)]
pub(super) struct Args<'a> {
    pub positional: Vec<Value<'a>>,
    pub keywords: Vec<(&'a str, Value<'a>)>,
    /// There are more, of which nothing is known: `*args` or `**options`.
    pub more: bool,
}

/// Where a rule or model finds an argument: by position (a method's receiver counts), or by keyword.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arg(pub u8, pub &'static str);

impl<'a> Args<'a> {
    pub(super) fn get(&self, arg: Arg) -> Option<&Value<'a>> {
        self.positional
            .get(usize::from(arg.0))
            .or_else(|| self.keyword(arg.1))
    }

    pub(super) fn keyword(&self, name: &str) -> Option<&Value<'a>> {
        self.keywords
            .iter()
            .find(|(keyword, _)| *keyword == name)
            .map(|(_, value)| value)
    }

    pub(super) fn first(&self) -> Option<&Value<'a>> {
        self.positional.first()
    }

    pub(super) fn of(positional: Vec<Value<'a>>) -> Self {
        Self {
            positional,
            ..Self::default()
        }
    }

    /// Those without the first `count` positional ones.
    pub(super) fn without(&self, count: usize) -> Self {
        Self {
            positional: self.positional.iter().skip(count).cloned().collect(),
            keywords: self.keywords.clone(),
            more: self.more,
        }
    }

    /// These, and then `others`.
    pub(super) fn and(&self, others: &Self) -> Self {
        let mut all = self.clone();
        all.positional.extend(others.positional.iter().cloned());
        all.keywords.extend(others.keywords.iter().cloned());
        all.more |= others.more;
        all
    }

    fn depth(&self) -> u8 {
        let keywords = self.keywords.iter().map(|(_, value)| value);
        deepest(self.positional.iter().chain(keywords))
    }
}

fn deepest<'v, 'a: 'v>(values: impl Iterator<Item = &'v Value<'a>>) -> u8 {
    values.map(Value::depth).max().unwrap_or(0)
}

/// Wraps a composite, unless it nests too deep.
fn nested<'a, T>(inner: u8, of: T, wrap: impl FnOnce(Rc<Nested<T>>) -> Value<'a>) -> Value<'a> {
    if inner >= DEEPEST {
        Value::NOTHING
    } else {
        wrap(Rc::new(Nested {
            depth: inner + 1,
            of,
        }))
    }
}

impl<'a> Value<'a> {
    /// Unknown, and not worth a name.
    pub(super) const NOTHING: Self = Self::Unknown("");

    fn depth(&self) -> u8 {
        match self {
            Self::Instance(_, inner) => inner.depth,
            Self::Bound(inner) => inner.depth,
            Self::Partial(inner) => inner.depth,
            Self::Caller(inner) => inner.depth,
            Self::Seq(inner) | Self::Any(inner) => inner.depth,
            Self::Each(inner) | Self::Names(inner) => inner.depth,
            Self::Dict(inner) => inner.depth,
            Self::Unknown(_)
            | Self::Parameter(_)
            | Self::Text(_)
            | Self::Path(_)
            | Self::Int(_)
            | Self::Plain
            | Self::Known(_)
            | Self::Getter(_)
            | Self::Function(_)
            | Self::Class(_)
            | Self::Object(_)
            | Self::Module(_)
            | Self::OwnProcess => 0,
        }
    }

    pub(super) fn instance(class: &'static Symbol, of: Self) -> Self {
        let of = if of.depth() >= DEEPEST {
            Self::NOTHING
        } else {
            of
        };
        let depth = of.depth() + 1;
        Self::Instance(class, Rc::new(Nested { depth, of }))
    }

    pub(super) fn bound(receiver: Self, method: Self) -> Self {
        let depth = receiver.depth().max(method.depth());
        nested(depth, (receiver, method), Self::Bound)
    }

    pub(super) fn partial(function: Self, args: Args<'a>) -> Self {
        let depth = function.depth().max(args.depth());
        nested(depth, (function, args), Self::Partial)
    }

    pub(super) fn caller(name: Text<'a>, args: Args<'a>) -> Self {
        nested(args.depth(), (name, args), Self::Caller)
    }

    /// A tuple or list; of a long one, the kinds of its elements.
    pub(super) fn seq(mut elements: Vec<Self>) -> Self {
        if elements.len() > MOST {
            elements.truncate(MOST);
            return Self::each(Self::any(elements));
        }
        nested(deepest(elements.iter()), elements, Self::Seq)
    }

    pub(super) fn each(element: Self) -> Self {
        nested(element.depth(), element, Self::Each)
    }

    pub(super) fn names(of: Self) -> Self {
        nested(of.depth(), of, Self::Names)
    }

    pub(super) fn dict(mut entries: Vec<(Text<'a>, Self)>) -> Self {
        entries.truncate(MOST);
        let depth = deepest(entries.iter().map(|(_, value)| value));
        nested(depth, entries, Self::Dict)
    }

    /// One of several values.
    pub(super) fn any(values: impl IntoIterator<Item = Self>) -> Self {
        let mut alternatives: Vec<Self> = Vec::new();
        for value in values {
            match value {
                Self::Any(inner) => inner
                    .of
                    .iter()
                    .for_each(|value| add(&mut alternatives, value.clone())),
                value => add(&mut alternatives, value),
            }
        }
        match alternatives.len() {
            0 => Self::NOTHING,
            1 => alternatives.swap_remove(0),
            _ => nested(deepest(alternatives.iter()), alternatives, Self::Any),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        if self.same(&other) {
            self
        } else {
            Self::any([self, other])
        }
    }

    /// Every alternative.
    pub(super) fn alternatives(&self) -> &[Self] {
        match self {
            Self::Any(values) => &values.of,
            value => std::slice::from_ref(value),
        }
    }

    /// Whether they are known to be the same: shallow, so that it costs little.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown(one), Self::Unknown(two))
            | (Self::Parameter(one), Self::Parameter(two)) => {
                std::ptr::eq(one.as_ptr(), two.as_ptr())
            }
            (Self::Text(one), Self::Text(two))
            | (Self::Path(one), Self::Path(two))
            | (Self::Getter(one), Self::Getter(two)) => one.as_str() == two.as_str(),
            (Self::Int(one), Self::Int(two)) => one == two,
            (Self::Known(one), Self::Known(two)) => std::ptr::eq(*one, *two),
            (Self::Function(one), Self::Function(two))
            | (Self::Class(one), Self::Class(two))
            | (Self::Object(one), Self::Object(two))
            | (Self::Module(one), Self::Module(two)) => one == two,
            (Self::OwnProcess, Self::OwnProcess) | (Self::Plain, Self::Plain) => true,
            (Self::Instance(one, of_one), Self::Instance(two, of_two)) => {
                std::ptr::eq(*one, *two) && Rc::ptr_eq(of_one, of_two)
            }
            (Self::Bound(one), Self::Bound(two)) => Rc::ptr_eq(one, two),
            (Self::Partial(one), Self::Partial(two)) => Rc::ptr_eq(one, two),
            (Self::Caller(one), Self::Caller(two)) => Rc::ptr_eq(one, two),
            (Self::Seq(one), Self::Seq(two)) | (Self::Any(one), Self::Any(two)) => {
                Rc::ptr_eq(one, two)
            }
            (Self::Each(one), Self::Each(two)) | (Self::Names(one), Self::Names(two)) => {
                Rc::ptr_eq(one, two)
            }
            (Self::Dict(one), Self::Dict(two)) => Rc::ptr_eq(one, two),
            _ => false,
        }
    }

    /// Whether nothing can be said of it.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_) | Self::Parameter(_))
    }

    /// The text that it is, where it is one and every part of it is known.
    pub(super) fn whole_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Path(text) => text.whole(),
            _ => None,
        }
    }

    /// As a text or path, with a hole where nothing is known. `None` for what is no text at all.
    pub(super) fn text(&self) -> Option<Text<'a>> {
        match self {
            Self::Text(text) | Self::Path(text) => Some(text.clone()),
            Self::Unknown(expression) => Some(Text::hole(expression)),
            Self::Parameter(name) => Some(Text::parameter(name)),
            Self::Any(values) => {
                let texts = values.of.iter().filter(|value| !value.is_unknown());
                texts.map(Self::text).next().flatten()
            }
            // An entry of a directory, a named file: what they are made of is their path.
            Self::Instance(_, of) => match &of.of {
                Self::Instance(..) | Self::Any(_) => None,
                path => path.text(),
            },
            _ => None,
        }
    }
}

/// Adds an alternative. Unknown ones count once: they say nothing.
fn add<'a>(alternatives: &mut Vec<Value<'a>>, value: Value<'a>) {
    let is_there =
        |known: &Value<'a>| known.same(&value) || (known.is_unknown() && value.is_unknown());
    if alternatives.len() < MOST_ALTERNATIVES && !alternatives.iter().any(is_there) {
        alternatives.push(value);
    }
}
