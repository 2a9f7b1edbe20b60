# Starts a program. `main`, the globals of the program, the `parts` of the bootstrap, and `data` are given: from `at[0]` on
# stands how it is to be started, from `at[1]` on its source. Nothing here may keep them beyond the program's end: what
# its globals hold would not be finalized.

import sys


def load(main, parts, data, at):
    modules = sys.modules
    loads = modules["marshal"].loads
    how = loads(data[at[0] : at[1]])
    source = data[at[1] :]
    name = how["name"]
    main.pop("_", None)
    main["__file__"] = name
    if how["named"] is not None:
        source = begin_script(main, how, source)
    if how["input"] and "posix" in modules:
        take_input(modules["posix"])
    if how["guard"] is not None:
        guard(how["guard"], modules["posix" if "posix" in modules else "nt"], loads(parts[2]))

    def help(call, *args):
        scope = {"source": source, "name": name, "sys": sys}
        exec(parts[1], scope)
        return scope[call](*args)

    def find_spec(module, *args):
        if module == "linecache" or module == "multiprocessing.spawn":
            return help("find_spec", find_spec, module, *args)

    if name == "<code>":
        find_spec.find_spec = find_spec
        sys.meta_path.insert(0, find_spec)

    # `compile` would name the code at once, but makes all classes of `ast` first, which takes a tenth of a start. So
    # the code is named when it begins. Where it has errors or warnings, which bear its name, it is compiled after all.
    filters = modules["_warnings"].filters
    strict = "error", None, SyntaxWarning, None, 0
    began = []

    def begin(frame, event, _):
        if event == "call" and frame.f_globals is main:
            began.append(sys.setprofile(None))
            filters.remove(strict)
            modules["_imp"]._fix_co_filename(frame.f_code, name)

    known = len(modules)
    filters.insert(0, strict)
    sys.setprofile(begin)
    try:
        try:
            exec(source, main)
        except Exception:
            if began:
                raise
        if not began:
            sys.setprofile(None)
            filters.remove(strict)
            exec(compile(source, name, "exec", 0, True), main)
    except SystemExit as request:
        tell(how, request.code)
        raise
    except BaseException:
        help("uncaught")
        tell(how, 1)
        raise
    tell(how, 0)
    if len(modules) == known:
        leave(began)


def begin_script(main, how, source):
    """What is different in `python SCRIPT`. Answers with the source, if it was not given."""
    importlib = sys.modules["_frozen_importlib_external"]
    name = how["name"]
    main["__loader__"] = importlib.SourceFileLoader("__main__", name)
    if sys.version_info < (3, 15):
        main["__cached__"] = None
    sys.argv[0] = how["named"]
    if sys.orig_argv[2] == "-c":
        del sys.orig_argv[3]
    sys.orig_argv[2] = how["named"]
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = how["directory"]
    if how["reads"]:
        with open(name, "rb") as file:
            source = file.read()
    kind = how["kind"]
    if kind == "archive":
        sys.path[0] = name
        return b"import runpy\nrunpy._run_module_as_main('__main__', False)\n"
    if kind == "compiled":
        main["__loader__"] = importlib.SourcelessFileLoader("__main__", name)
        return importlib._compile_bytecode(source[16:], None, name)
    return source


def take_input(posix):
    """Puts the caller's standard input in the place of what was read until now."""
    posix.dup2(4, 0)
    posix.close(4)


def guard(config, posix, code):
    """Puts the way to tell pi of a refusal out of the program's way, and installs the guard."""
    if config["report"] >= 0:
        high = min(posix.sysconf("SC_OPEN_MAX"), 1024) - 1
        posix.dup2(config["report"], high, False)
        posix.close(config["report"])
        config["report"] = high
    config["started"] = int(config["started"])
    if config["bound"]:
        read_sources_anew(config["roots"], config["protected"], posix.getcwd)
    exec(code, {"config": config})


def read_sources_anew(roots, protected, getcwd):
    """Modules of the workspace come from their sources, which were reviewed, and never from compiled code beside them."""
    importlib = sys.modules["_frozen_importlib_external"]

    class Loader(importlib.SourceFileLoader):
        def path_stats(self, path):
            raise OSError

    loaders = (
        (importlib.ExtensionFileLoader, sys.modules["_imp"].extension_suffixes()),
        (Loader, importlib.SOURCE_SUFFIXES),
    )
    finder = importlib.FileFinder.path_hook(*loaders)
    roots, protected = (tuple(path.rstrip("/") + "/" for path in paths) for paths in (roots, protected))

    def hook(path):
        full = (path or getcwd()) + "/"
        if full.startswith(roots) and not full.startswith(protected):
            return finder(path)
        raise ImportError

    sys.path_hooks.insert(0, hook)


def tell(how, status):
    """Says to the guard how the process is going to end: it does so before code could run without it."""
    if how["guard"] is not None:
        known = 0 if status is None else int(status) if isinstance(status, int) else 1
        sys.audit("pi.status", known)


def leave(mark):
    """Ends at once where the interpreter's own end, an eighth of a short run, could do nothing that anybody would see.

    That is so where nothing was imported, no thread runs, nothing is to be done at exit, and of all objects that were
    made behind `mark` each is of a kind that goes without effect.
    """
    modules = sys.modules
    if "atexit" in modules or "threading" in modules or modules["_thread"]._count():
        return
    if sys.implementation.name != "cpython" or "t" in sys.abiflags:
        return  # their collectors tell nothing of the order
    importlib = modules["_frozen_importlib"]
    end = []
    gc = importlib._load(importlib.BuiltinImporter.find_spec("gc"))
    # A collection moves them to an older generation, in another order.
    made = gc.get_objects(0)
    if not stands_behind(mark, end, made):
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:
        return  # the interpreter says what is wrong
    modules["posix" if "posix" in modules else "nt"]._exit(0)


def stands_behind(mark, end, made):
    """Whether all that was made between the two is harmless to leave as it is."""
    cell = (lambda: made).__closure__[0]
    harmless = {dict, list, tuple, set, frozenset} | {type(kind) for kind in (leave, len, leave.__code__, cell)}
    made = iter(made)
    for one in made:
        if one is mark:
            break
    for one in made:
        if one is end:
            return True
        if type(one) not in harmless:
            return False
    return False


load(globals().pop("main"), parts, data, at)
