//! The names that the review knows, and what calling them gives.
//!
//! Two tables: [`RETURNS`] here says what comes back; the calls of [`RULES`](super::rules::RULES) say what needs
//! approval. A name that is in neither is unknown. The index over both is built when a program first names something.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::rules::{Call, RULES, Rule};
use super::value::Arg;

/// A known module, class, function, method or constant.
#[derive(Debug)]
pub(super) struct Symbol {
    /// Its full name, such as `os.path.join`; a method's begins with its class.
    pub name: &'static str,
    pub gives: &'static Gives,
    /// The rules that look at calls of it.
    pub rules: Vec<(&'static Rule, &'static Call)>,
}

/// What naming or calling it gives.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gives {
    /// Nothing that is known.
    Nothing,
    /// Nothing: it is a module.
    Module,
    /// An instance of this class, made of that argument.
    Instance(&'static str, Arg),
    /// It is an instance of this class without being called.
    Is(&'static str),
    /// It is this text.
    Constant(&'static str),
    /// The known name, once it is called.
    Name(&'static str),
    /// Whatever attribute is asked for has an effect, that of a call.
    AnyAttribute,
    /// The argument, or what decorates it.
    Argument(Arg),
    /// A path that the run made.
    Made,
    /// An open descriptor and a path that the run made.
    DescriptorAndMade,
    /// An instance of this class, which holds a path that the run made.
    HoldsMade(&'static str),
    /// A process id of the run's own.
    OwnProcess,
    /// What its method's instance is made of, without a call.
    Of,
    /// Calls a function with the arguments behind it.
    Calls(Arg),
    /// Calls a function with elements of the arguments behind it.
    CallsForEach(Arg),
    /// Calls a function with the arguments in a tuple, and those in a dictionary.
    CallsWith(Arg, Arg, &'static str),
    /// One of the models that [`models`](super::models) spells out.
    Model(Model),
}

/// What is not said in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// `pathlib.Path(...)`.
    Path,
    PathHome,
    PathCwd,
    /// `path / other`, `path.joinpath(...)`.
    PathJoin,
    PathParent,
    PathParents,
    PathName,
    PathStem,
    PathSuffix,
    PathWithName,
    PathWithSuffix,
    PathExpand,
    /// The same path, written otherwise.
    PathSame,
    PathText,
    PathIterdir,
    PathGlob,
    PathWalk,
    PathTarget,
    PathOpen,
    Cwd,
    TempDir,
    Join,
    Dirname,
    Basename,
    Splitext,
    Split,
    ExpandUser,
    ExpandVars,
    /// `str(...)` and what else gives the text of a path.
    ToText,
    Getenv,
    Listdir,
    Scandir,
    Walk,
    Glob,
    Open,
    Getattr,
    Setattr,
    Vars,
    Globals,
    Import,
    Partial,
    MethodCaller,
    AttrGetter,
    OperatorCall,
    NamesGet,
    DictItems,
    DictValues,
    DictKeys,
    Elements,
    Enumerate,
    Zip,
    Next,
    TextJoin,
    TextFormat,
    TextReplace,
    TextStrip,
    TextLower,
    Chdir,
    SysPath,
    Namespace,
    /// `type(value)`.
    TypeOf,
    Runs,
    Super,
}

const fn arg(at: u8, name: &'static str) -> Arg {
    Arg(at, name)
}

/// Names that are others, wherever they are imported from. A module's stands for everything in it.
const ALIASES: &[(&str, &str)] = &[
    ("posix", "os"),
    ("nt", "os"),
    ("posixpath", "os.path"),
    ("ntpath", "os.path"),
    ("genericpath", "os.path"),
    ("io.open", "builtins.open"),
    ("_io.open", "builtins.open"),
    ("codecs.open", "builtins.open"),
    ("os.fdopen", "builtins.open"),
    ("tokenize.open", "builtins.open"),
    ("pathlib.PosixPath", "pathlib.Path"),
    ("pathlib.WindowsPath", "pathlib.Path"),
    ("pathlib.PurePath", "pathlib.Path"),
    ("pathlib.PurePosixPath", "pathlib.Path"),
    ("pathlib._local.Path", "pathlib.Path"),
    ("importlib.__import__", "builtins.__import__"),
    ("multiprocessing.dummy.Pool", "multiprocessing.Pool"),
    ("multiprocessing.pool.Pool", "multiprocessing.Pool"),
    ("multiprocessing.pool.ThreadPool", "multiprocessing.Pool"),
    (
        "concurrent.futures.thread.ThreadPoolExecutor",
        "concurrent.futures.ThreadPoolExecutor",
    ),
    (
        "concurrent.futures.process.ProcessPoolExecutor",
        "concurrent.futures.ThreadPoolExecutor",
    ),
    (
        "concurrent.futures.ProcessPoolExecutor",
        "concurrent.futures.ThreadPoolExecutor",
    ),
    (
        "asyncio.subprocess.create_subprocess_exec",
        "asyncio.create_subprocess_exec",
    ),
    (
        "asyncio.subprocess.create_subprocess_shell",
        "asyncio.create_subprocess_shell",
    ),
    ("ctypes.windll", "ctypes.cdll"),
    ("ctypes.oledll", "ctypes.cdll"),
    ("ctypes.pydll", "ctypes.cdll"),
    ("distutils.spawn", "setuptools._distutils.spawn"),
    ("typing.cast", "builtins.__cast__"),
];

/// What comes back.
const RETURNS: &[(&str, Gives)] = &[
    // Paths as texts.
    ("os.path.join", Gives::Model(Model::Join)),
    ("os.path.dirname", Gives::Model(Model::Dirname)),
    ("os.path.basename", Gives::Model(Model::Basename)),
    ("os.path.splitext", Gives::Model(Model::Splitext)),
    ("os.path.split", Gives::Model(Model::Split)),
    ("os.path.abspath", Gives::Model(Model::ToText)),
    ("os.path.realpath", Gives::Model(Model::ToText)),
    ("os.path.normpath", Gives::Model(Model::ToText)),
    ("os.path.normcase", Gives::Model(Model::ToText)),
    ("os.path.expanduser", Gives::Model(Model::ExpandUser)),
    ("os.path.expandvars", Gives::Model(Model::ExpandVars)),
    ("os.path.sep", Gives::Constant("/")),
    ("os.path.pardir", Gives::Constant("..")),
    ("os.path.curdir", Gives::Constant(".")),
    ("os.sep", Gives::Constant("/")),
    ("os.pardir", Gives::Constant("..")),
    ("os.curdir", Gives::Constant(".")),
    ("os.devnull", Gives::Constant("/dev/null")),
    ("os.fspath", Gives::Model(Model::ToText)),
    ("os.fsdecode", Gives::Model(Model::ToText)),
    ("os.fsencode", Gives::Model(Model::ToText)),
    ("os.getcwd", Gives::Model(Model::Cwd)),
    ("os.getcwdb", Gives::Model(Model::Cwd)),
    ("os.chdir", Gives::Model(Model::Chdir)),
    ("os.fchdir", Gives::Model(Model::Chdir)),
    ("contextlib.chdir", Gives::Model(Model::Chdir)),
    ("os.environ", Gives::Is("os._Environ")),
    ("os.environb", Gives::Is("os._Environ")),
    ("os._Environ.get", Gives::Model(Model::Getenv)),
    ("os._Environ.__getitem__", Gives::Model(Model::Getenv)),
    ("os._Environ.setdefault", Gives::Model(Model::Getenv)),
    ("os.getenv", Gives::Model(Model::Getenv)),
    ("os.listdir", Gives::Model(Model::Listdir)),
    ("os.scandir", Gives::Model(Model::Scandir)),
    ("os.DirEntry.path", Gives::Of),
    ("os.DirEntry.name", Gives::Of),
    ("os.walk", Gives::Model(Model::Walk)),
    ("glob.glob", Gives::Model(Model::Glob)),
    ("glob.iglob", Gives::Model(Model::Glob)),
    ("builtins.str", Gives::Model(Model::ToText)),
    ("builtins.bytes", Gives::Model(Model::ToText)),
    ("builtins.repr", Gives::Nothing),
    ("builtins.open", Gives::Model(Model::Open)),
    ("io.TextIOWrapper.name", Gives::Of),
    ("os.open", Gives::Nothing),
    ("os.O_RDONLY", Gives::Nothing),
    ("os.O_WRONLY", Gives::Nothing),
    ("os.O_RDWR", Gives::Nothing),
    ("os.O_CREAT", Gives::Nothing),
    ("os.O_TRUNC", Gives::Nothing),
    ("os.O_APPEND", Gives::Nothing),
    ("os.O_EXCL", Gives::Nothing),
    ("str.join", Gives::Model(Model::TextJoin)),
    ("str.format", Gives::Model(Model::TextFormat)),
    ("str.replace", Gives::Model(Model::TextReplace)),
    ("str.strip", Gives::Model(Model::TextStrip)),
    ("str.rstrip", Gives::Model(Model::TextStrip)),
    ("str.lower", Gives::Model(Model::TextLower)),
    ("str.encode", Gives::Argument(arg(0, ""))),
    ("str.decode", Gives::Argument(arg(0, ""))),
    // Paths of pathlib.
    ("pathlib.Path", Gives::Model(Model::Path)),
    ("pathlib.Path.home", Gives::Model(Model::PathHome)),
    ("pathlib.Path.cwd", Gives::Model(Model::PathCwd)),
    ("pathlib.Path.joinpath", Gives::Model(Model::PathJoin)),
    ("pathlib.Path.__truediv__", Gives::Model(Model::PathJoin)),
    ("pathlib.Path.parent", Gives::Model(Model::PathParent)),
    ("pathlib.Path.parents", Gives::Model(Model::PathParents)),
    ("pathlib.Path.name", Gives::Model(Model::PathName)),
    ("pathlib.Path.stem", Gives::Model(Model::PathStem)),
    ("pathlib.Path.suffix", Gives::Model(Model::PathSuffix)),
    ("pathlib.Path.with_name", Gives::Model(Model::PathWithName)),
    (
        "pathlib.Path.with_suffix",
        Gives::Model(Model::PathWithSuffix),
    ),
    ("pathlib.Path.expanduser", Gives::Model(Model::PathExpand)),
    ("pathlib.Path.resolve", Gives::Model(Model::PathSame)),
    ("pathlib.Path.absolute", Gives::Model(Model::PathSame)),
    ("pathlib.Path.as_posix", Gives::Model(Model::PathText)),
    ("pathlib.Path.__str__", Gives::Model(Model::PathText)),
    ("pathlib.Path.__fspath__", Gives::Model(Model::PathText)),
    ("pathlib.Path.iterdir", Gives::Model(Model::PathIterdir)),
    ("pathlib.Path.glob", Gives::Model(Model::PathGlob)),
    ("pathlib.Path.rglob", Gives::Model(Model::PathGlob)),
    ("pathlib.Path.walk", Gives::Model(Model::PathWalk)),
    ("pathlib.Path.rename", Gives::Model(Model::PathTarget)),
    ("pathlib.Path.replace", Gives::Model(Model::PathTarget)),
    ("pathlib.Path.open", Gives::Model(Model::PathOpen)),
    // What the run makes for itself.
    ("tempfile.gettempdir", Gives::Model(Model::TempDir)),
    ("tempfile.gettempdirb", Gives::Model(Model::TempDir)),
    ("tempfile.tempdir", Gives::Nothing),
    ("tempfile.mkdtemp", Gives::Made),
    ("tempfile.mktemp", Gives::Made),
    ("tempfile.mkstemp", Gives::DescriptorAndMade),
    (
        "tempfile.TemporaryDirectory",
        Gives::HoldsMade("tempfile.TemporaryDirectory"),
    ),
    ("tempfile.TemporaryDirectory.name", Gives::Of),
    ("tempfile.TemporaryDirectory.__enter__", Gives::Of),
    (
        "tempfile.NamedTemporaryFile",
        Gives::HoldsMade("tempfile._TemporaryFileWrapper"),
    ),
    ("tempfile._TemporaryFileWrapper.name", Gives::Of),
    ("shutil.make_archive", Gives::Made),
    ("test.support.os_helper.TESTFN", Gives::Nothing),
    // Processes of the run's own.
    ("os.getpid", Gives::OwnProcess),
    ("os.fork", Gives::OwnProcess),
    ("os.forkpty", Gives::OwnProcess),
    ("os.spawnl", Gives::OwnProcess),
    ("os.spawnv", Gives::OwnProcess),
    ("os.posix_spawn", Gives::OwnProcess),
    ("os.posix_spawnp", Gives::OwnProcess),
    ("os.getpgrp", Gives::OwnProcess),
    ("os.getpgid", Gives::Argument(arg(0, "pid"))),
    (
        "subprocess.Popen",
        Gives::Instance("subprocess.Popen", arg(9, "pid")),
    ),
    ("subprocess.Popen.pid", Gives::OwnProcess),
    (
        "asyncio.create_subprocess_exec",
        Gives::Instance("subprocess.Popen", arg(9, "pid")),
    ),
    (
        "asyncio.create_subprocess_shell",
        Gives::Instance("subprocess.Popen", arg(9, "pid")),
    ),
    (
        "multiprocessing.Process",
        Gives::CallsWith(arg(1, "target"), arg(3, "args"), "multiprocessing.Process"),
    ),
    ("multiprocessing.Process.pid", Gives::OwnProcess),
    (
        "multiprocessing.get_context",
        Gives::Name("multiprocessing"),
    ),
    (
        "multiprocessing.current_process",
        Gives::Instance("multiprocessing.Process", arg(9, "pid")),
    ),
    (
        "psutil.Process",
        Gives::Instance("psutil.Process", arg(0, "pid")),
    ),
    // Functions that functions are handed to.
    ("builtins.map", Gives::CallsForEach(arg(0, ""))),
    ("builtins.filter", Gives::CallsForEach(arg(0, ""))),
    ("itertools.starmap", Gives::CallsForEach(arg(0, ""))),
    ("functools.reduce", Gives::CallsForEach(arg(0, ""))),
    ("functools.partial", Gives::Model(Model::Partial)),
    ("functools.partialmethod", Gives::Model(Model::Partial)),
    ("operator.methodcaller", Gives::Model(Model::MethodCaller)),
    ("operator.attrgetter", Gives::Model(Model::AttrGetter)),
    ("operator.call", Gives::Model(Model::OperatorCall)),
    ("operator.truediv", Gives::Model(Model::PathJoin)),
    ("atexit.register", Gives::Calls(arg(0, "func"))),
    ("weakref.finalize", Gives::Calls(arg(1, "func"))),
    (
        "threading.Thread",
        Gives::CallsWith(arg(1, "target"), arg(3, "args"), "threading.Thread"),
    ),
    (
        "threading.Timer",
        Gives::CallsWith(arg(1, "function"), arg(2, "args"), "threading.Timer"),
    ),
    (
        "_thread.start_new_thread",
        Gives::CallsWith(arg(0, "function"), arg(1, "args"), ""),
    ),
    (
        "sched.scheduler",
        Gives::Instance("sched.scheduler", arg(9, "")),
    ),
    (
        "sched.scheduler.enter",
        Gives::CallsWith(arg(3, "action"), arg(4, "argument"), ""),
    ),
    (
        "sched.scheduler.enterabs",
        Gives::CallsWith(arg(3, "action"), arg(4, "argument"), ""),
    ),
    (
        "concurrent.futures.ThreadPoolExecutor",
        Gives::Instance("concurrent.futures.ThreadPoolExecutor", arg(9, "")),
    ),
    (
        "concurrent.futures.ThreadPoolExecutor.submit",
        Gives::Calls(arg(1, "fn")),
    ),
    (
        "concurrent.futures.ThreadPoolExecutor.map",
        Gives::CallsForEach(arg(1, "fn")),
    ),
    (
        "multiprocessing.Pool",
        Gives::Instance("multiprocessing.Pool", arg(9, "")),
    ),
    (
        "multiprocessing.Pool.map",
        Gives::CallsForEach(arg(1, "func")),
    ),
    (
        "multiprocessing.Pool.imap",
        Gives::CallsForEach(arg(1, "func")),
    ),
    (
        "multiprocessing.Pool.imap_unordered",
        Gives::CallsForEach(arg(1, "func")),
    ),
    (
        "multiprocessing.Pool.starmap",
        Gives::CallsForEach(arg(1, "func")),
    ),
    (
        "multiprocessing.Pool.map_async",
        Gives::CallsForEach(arg(1, "func")),
    ),
    (
        "multiprocessing.Pool.apply",
        Gives::CallsWith(arg(1, "func"), arg(2, "args"), ""),
    ),
    (
        "multiprocessing.Pool.apply_async",
        Gives::CallsWith(arg(1, "func"), arg(2, "args"), ""),
    ),
    ("asyncio.to_thread", Gives::Calls(arg(0, "func"))),
    (
        "asyncio.get_event_loop",
        Gives::Instance("asyncio.AbstractEventLoop", arg(9, "")),
    ),
    (
        "asyncio.get_running_loop",
        Gives::Instance("asyncio.AbstractEventLoop", arg(9, "")),
    ),
    (
        "asyncio.new_event_loop",
        Gives::Instance("asyncio.AbstractEventLoop", arg(9, "")),
    ),
    (
        "asyncio.AbstractEventLoop.run_in_executor",
        Gives::Calls(arg(2, "func")),
    ),
    (
        "asyncio.AbstractEventLoop.call_soon",
        Gives::Calls(arg(1, "callback")),
    ),
    (
        "asyncio.AbstractEventLoop.call_soon_threadsafe",
        Gives::Calls(arg(1, "callback")),
    ),
    (
        "asyncio.AbstractEventLoop.call_later",
        Gives::Calls(arg(2, "callback")),
    ),
    (
        "asyncio.AbstractEventLoop.call_at",
        Gives::Calls(arg(2, "callback")),
    ),
    (
        "contextlib.ExitStack",
        Gives::Instance("contextlib.ExitStack", arg(9, "")),
    ),
    (
        "contextlib.AsyncExitStack",
        Gives::Instance("contextlib.ExitStack", arg(9, "")),
    ),
    (
        "contextlib.ExitStack.callback",
        Gives::Calls(arg(1, "callback")),
    ),
    (
        "contextlib.ExitStack.enter_context",
        Gives::Argument(arg(1, "cm")),
    ),
    ("contextlib.closing", Gives::Argument(arg(0, "thing"))),
    (
        "contextlib.nullcontext",
        Gives::Argument(arg(0, "enter_result")),
    ),
    (
        "functools.lru_cache",
        Gives::Argument(arg(0, "user_function")),
    ),
    ("functools.cache", Gives::Argument(arg(0, "user_function"))),
    ("functools.wraps", Gives::Nothing),
    ("builtins.staticmethod", Gives::Argument(arg(0, ""))),
    ("builtins.classmethod", Gives::Argument(arg(0, ""))),
    ("builtins.property", Gives::Argument(arg(0, ""))),
    ("functools.cached_property", Gives::Argument(arg(0, "func"))),
    ("builtins.type", Gives::Model(Model::TypeOf)),
    ("builtins.max", Gives::Model(Model::Next)),
    ("builtins.min", Gives::Model(Model::Next)),
    ("joblib.delayed", Gives::Argument(arg(0, "function"))),
    ("copy.copy", Gives::Argument(arg(0, "x"))),
    ("copy.deepcopy", Gives::Argument(arg(0, "x"))),
    ("builtins.__cast__", Gives::Argument(arg(1, "val"))),
    // Names by other roads.
    ("builtins.getattr", Gives::Model(Model::Getattr)),
    ("inspect.getattr_static", Gives::Model(Model::Getattr)),
    ("builtins.setattr", Gives::Model(Model::Setattr)),
    ("builtins.vars", Gives::Model(Model::Vars)),
    ("builtins.globals", Gives::Model(Model::Globals)),
    ("builtins.locals", Gives::Model(Model::Globals)),
    ("builtins.super", Gives::Model(Model::Super)),
    ("builtins.__import__", Gives::Model(Model::Import)),
    ("importlib.import_module", Gives::Model(Model::Import)),
    ("importlib.reload", Gives::Argument(arg(0, "module"))),
    ("pkgutil.resolve_name", Gives::Model(Model::Import)),
    ("sys.modules", Gives::Is("sys.modules")),
    ("sys.modules.get", Gives::Model(Model::Import)),
    ("sys.modules.__getitem__", Gives::Model(Model::Import)),
    ("builtins.__builtins__", Gives::Is("builtins")),
    ("types.SimpleNamespace", Gives::Model(Model::Namespace)),
    ("argparse.Namespace", Gives::Model(Model::Namespace)),
    ("builtins.dict", Gives::Model(Model::Namespace)),
    ("dict.get", Gives::Model(Model::NamesGet)),
    ("dict.pop", Gives::Model(Model::NamesGet)),
    ("dict.setdefault", Gives::Model(Model::NamesGet)),
    ("dict.__getitem__", Gives::Model(Model::NamesGet)),
    ("dict.items", Gives::Model(Model::DictItems)),
    ("dict.values", Gives::Model(Model::DictValues)),
    ("dict.keys", Gives::Model(Model::DictKeys)),
    ("builtins.list", Gives::Model(Model::Elements)),
    ("builtins.tuple", Gives::Model(Model::Elements)),
    ("builtins.set", Gives::Model(Model::Elements)),
    ("builtins.frozenset", Gives::Model(Model::Elements)),
    ("builtins.sorted", Gives::Model(Model::Elements)),
    ("builtins.reversed", Gives::Model(Model::Elements)),
    ("builtins.iter", Gives::Model(Model::Elements)),
    ("itertools.chain", Gives::Model(Model::Elements)),
    ("itertools.islice", Gives::Model(Model::Elements)),
    ("tqdm.tqdm", Gives::Model(Model::Elements)),
    ("builtins.enumerate", Gives::Model(Model::Enumerate)),
    ("builtins.zip", Gives::Model(Model::Zip)),
    ("builtins.next", Gives::Model(Model::Next)),
    ("sys.executable", Gives::Nothing),
    ("sys.path", Gives::Is("sys.path")),
    ("sys.path.insert", Gives::Model(Model::SysPath)),
    ("sys.path.append", Gives::Model(Model::SysPath)),
    // Code that is put together at run time.
    ("builtins.exec", Gives::Model(Model::Runs)),
    ("builtins.eval", Gives::Model(Model::Runs)),
    ("runpy.run_path", Gives::Model(Model::Runs)),
    ("runpy.run_module", Gives::Model(Model::Runs)),
    ("pickle.load", Gives::Model(Model::Runs)),
    ("pickle.loads", Gives::Model(Model::Runs)),
    ("pickle.Unpickler", Gives::Model(Model::Runs)),
    ("marshal.loads", Gives::Model(Model::Runs)),
    ("shelve.open", Gives::Model(Model::Runs)),
    ("code.InteractiveInterpreter", Gives::Model(Model::Runs)),
    ("types.FunctionType", Gives::Model(Model::Runs)),
    ("types.CodeType", Gives::Model(Model::Runs)),
    (
        "importlib.util.spec_from_file_location",
        Gives::Model(Model::Runs),
    ),
    (
        "importlib.machinery.SourceFileLoader",
        Gives::Model(Model::Runs),
    ),
    // Native libraries.
    ("ctypes.cdll", Gives::AnyAttribute),
    ("ctypes.pythonapi", Gives::AnyAttribute),
    ("cffi.FFI", Gives::Instance("cffi.FFI", arg(9, ""))),
    // Archives and databases.
    (
        "zipfile.ZipFile",
        Gives::Instance("zipfile.ZipFile", arg(0, "file")),
    ),
    (
        "tarfile.open",
        Gives::Instance("tarfile.TarFile", arg(0, "name")),
    ),
    (
        "tarfile.TarFile",
        Gives::Instance("tarfile.TarFile", arg(0, "name")),
    ),
    (
        "tarfile.TarFile.open",
        Gives::Instance("tarfile.TarFile", arg(0, "name")),
    ),
    (
        "sqlite3.connect",
        Gives::Instance("sqlite3.Connection", arg(0, "database")),
    ),
    (
        "configparser.ConfigParser",
        Gives::Instance("configparser.ConfigParser", arg(9, "")),
    ),
    (
        "configparser.RawConfigParser",
        Gives::Instance("configparser.ConfigParser", arg(9, "")),
    ),
    ("git.Repo", Gives::Instance("git.Repo", arg(9, ""))),
    ("git.repo.Repo", Gives::Instance("git.Repo", arg(9, ""))),
    ("git.Repo.git", Gives::Is("git.Git")),
    ("git.Repo.remote", Gives::Instance("git.Remote", arg(9, ""))),
    ("git.Repo.remotes", Gives::Is("git.Remotes")),
    ("git.Remotes.origin", Gives::Is("git.Remote")),
    ("git.Remotes.upstream", Gives::Is("git.Remote")),
    (
        "git.Remotes.__getitem__",
        Gives::Instance("git.Remote", arg(9, "")),
    ),
];

/// At least as many names as there are, so that the index is laid out once.
const NAMES: usize = 896;

type Index = FxHashMap<&'static str, Symbol>;

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index::default();
    index.reserve(NAMES);
    for (name, gives) in RETURNS {
        entry(&mut index, name).gives = gives;
        if let Gives::Name(class)
        | Gives::Is(class)
        | Gives::Instance(class, _)
        | Gives::HoldsMade(class) = gives
        {
            entry(&mut index, class);
        }
    }
    for (alias, _) in ALIASES {
        holders(&mut index, alias);
    }
    for rule in RULES {
        for call in rule.calls {
            entry(&mut index, call.name).rules.push((rule, call));
        }
    }
    index
});

/// The symbol of that name, and of every module or class that holds it.
fn entry<'i>(index: &'i mut Index, name: &'static str) -> &'i mut Symbol {
    holders(index, name);
    index
        .entry(name)
        .or_insert_with(|| symbol(name, &Gives::Nothing))
}

fn holders(index: &mut Index, name: &'static str) {
    let mut end = name.len();
    while let Some(dot) = name[..end].rfind('.') {
        end = dot;
        let holder = &name[..dot];
        if index.contains_key(holder) {
            return;
        }
        index.insert(holder, symbol(holder, &Gives::Module));
    }
}

fn symbol(name: &'static str, gives: &'static Gives) -> Symbol {
    Symbol {
        name,
        gives,
        rules: Vec::new(),
    }
}

/// The symbol of a full name.
pub(super) fn known(name: &str) -> Option<&'static Symbol> {
    if let Some(symbol) = INDEX.get(name) {
        return Some(symbol);
    }
    if let Some((_, target)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
        return known(target);
    }
    // Within a module that has another name: `posix.remove`.
    ALIASES.iter().find_map(|(alias, target)| {
        let rest = name.strip_prefix(alias)?.strip_prefix('.')?;
        INDEX.get(format!("{target}.{rest}").as_str())
    })
}

/// The symbol of `name` in a symbol. `buffer` is scratch space.
pub(super) fn within(
    holder: &'static Symbol,
    name: &str,
    buffer: &mut String,
) -> Option<&'static Symbol> {
    buffer.clear();
    buffer.push_str(holder.name);
    buffer.push('.');
    buffer.push_str(name);
    known(buffer)
}

/// The symbol of a built-in name.
pub(super) fn built_in(name: &str, buffer: &mut String) -> Option<&'static Symbol> {
    buffer.clear();
    buffer.push_str("builtins.");
    buffer.push_str(name);
    INDEX.get(buffer.as_str())
}

/// The names in a module, for `from module import *`.
pub(super) fn is_module(symbol: &Symbol) -> bool {
    matches!(*symbol.gives, Gives::Module)
}

/// Modules that are imported before a program's first line: a file of the same name is never found.
pub(super) fn is_always_loaded(module: &str) -> bool {
    const LOADED: &[&str] = &[
        "sys",
        "builtins",
        "os",
        "io",
        "_io",
        "posix",
        "nt",
        "posixpath",
        "ntpath",
        "genericpath",
        "abc",
        "codecs",
        "stat",
        "site",
        "time",
        "marshal",
        "zipimport",
        "encodings",
        "_collections_abc",
        "__main__",
    ];
    LOADED.contains(&module)
}

/// Whether the top-level module is of the standard library. What it lacks is taken for a package that is not reviewed.
pub(super) fn is_standard(module: &str) -> bool {
    module.starts_with('_') || STANDARD.binary_search(&module).is_ok()
}

/// The standard library's modules, in order.
const STANDARD: &[&str] = &[
    "abc",
    "aifc",
    "annotationlib",
    "antigravity",
    "argparse",
    "array",
    "ast",
    "asynchat",
    "asyncio",
    "asyncore",
    "atexit",
    "audioop",
    "base64",
    "bdb",
    "binascii",
    "binhex",
    "bisect",
    "builtins",
    "bz2",
    "cProfile",
    "calendar",
    "cgi",
    "cgitb",
    "chunk",
    "cmath",
    "cmd",
    "code",
    "codecs",
    "codeop",
    "collections",
    "colorsys",
    "compileall",
    "compression",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "copyreg",
    "crypt",
    "csv",
    "ctypes",
    "curses",
    "dataclasses",
    "datetime",
    "dbm",
    "decimal",
    "difflib",
    "dis",
    "distutils",
    "doctest",
    "email",
    "encodings",
    "ensurepip",
    "enum",
    "errno",
    "faulthandler",
    "fcntl",
    "filecmp",
    "fileinput",
    "fnmatch",
    "fractions",
    "ftplib",
    "functools",
    "gc",
    "genericpath",
    "getopt",
    "getpass",
    "gettext",
    "glob",
    "graphlib",
    "grp",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "idlelib",
    "imaplib",
    "imghdr",
    "imp",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "lib2to3",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "mailbox",
    "mailcap",
    "marshal",
    "math",
    "mimetypes",
    "mmap",
    "modulefinder",
    "msilib",
    "msvcrt",
    "multiprocessing",
    "netrc",
    "nis",
    "nntplib",
    "nt",
    "ntpath",
    "nturl2path",
    "numbers",
    "opcode",
    "operator",
    "optparse",
    "os",
    "ossaudiodev",
    "pathlib",
    "pdb",
    "pickle",
    "pickletools",
    "pipes",
    "pkgutil",
    "platform",
    "plistlib",
    "poplib",
    "posix",
    "posixpath",
    "pprint",
    "profile",
    "pstats",
    "pty",
    "pwd",
    "py_compile",
    "pyclbr",
    "pydoc",
    "pydoc_data",
    "pyexpat",
    "queue",
    "quopri",
    "random",
    "re",
    "readline",
    "reprlib",
    "resource",
    "rlcompleter",
    "runpy",
    "sched",
    "secrets",
    "select",
    "selectors",
    "shelve",
    "shlex",
    "shutil",
    "signal",
    "site",
    "smtpd",
    "smtplib",
    "sndhdr",
    "socket",
    "socketserver",
    "spwd",
    "sqlite3",
    "sre_compile",
    "sre_constants",
    "sre_parse",
    "ssl",
    "stat",
    "statistics",
    "string",
    "stringprep",
    "struct",
    "subprocess",
    "sunau",
    "symtable",
    "sys",
    "sysconfig",
    "syslog",
    "tabnanny",
    "tarfile",
    "telnetlib",
    "tempfile",
    "termios",
    "test",
    "textwrap",
    "this",
    "threading",
    "time",
    "timeit",
    "tkinter",
    "token",
    "tokenize",
    "tomllib",
    "trace",
    "traceback",
    "tracemalloc",
    "tty",
    "turtle",
    "turtledemo",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uu",
    "uuid",
    "venv",
    "warnings",
    "wave",
    "weakref",
    "webbrowser",
    "winreg",
    "winsound",
    "wsgiref",
    "xdrlib",
    "xml",
    "xmlrpc",
    "zipapp",
    "zipfile",
    "zipimport",
    "zlib",
    "zoneinfo",
];

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn aliases_lead_to_known_names() {
        for (alias, _) in ALIASES {
            assert!(known(alias).is_some(), "{alias}");
        }
        assert_eq!(known("posix.remove").unwrap().name, "os.remove");
        assert_eq!(known("posixpath.join").unwrap().name, "os.path.join");
    }

    #[test]
    fn the_index_is_laid_out_once() {
        assert!(INDEX.len() <= NAMES, "{} names", INDEX.len());
        assert!(INDEX.len() > NAMES / 2, "{} names", INDEX.len());
    }

    #[test]
    fn no_name_is_listed_twice() {
        let mut names: Vec<_> = RETURNS.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_standard_library_is_in_order() {
        assert!(STANDARD.is_sorted());
    }
}
