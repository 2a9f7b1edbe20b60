# Starts inline code. `main`, the globals of the code, its `source` and the `parts` of the bootstrap are given. Nothing
# here may keep them beyond the code's end: what its globals hold would not be finalized.

import sys


def load(main, parts, source):
    main.pop("_", None)
    main["__file__"] = "<code>"

    def help(call, *args):
        scope = {"source": source, "name": "<code>", "sys": sys}
        exec(parts[1], scope)
        return scope[call](*args)

    def find_spec(name, *args):
        if name == "linecache" or name == "multiprocessing.spawn":
            return help("find_spec", find_spec, name, *args)

    find_spec.find_spec = find_spec
    sys.meta_path.insert(0, find_spec)

    # `compile` would name the code at once, but makes all classes of `ast` first, which takes a tenth of a start. So
    # the code is named when it begins. Where it has errors or warnings, which bear its name, it is compiled after all.
    filters = sys.modules["_warnings"].filters
    strict = "error", None, SyntaxWarning, None, 0
    began = []

    def begin(frame, event, _):
        if event == "call" and frame.f_globals is main:
            began.append(sys.setprofile(None))
            filters.remove(strict)
            sys.modules["_imp"]._fix_co_filename(frame.f_code, "<code>")

    known = len(sys.modules)
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
            exec(compile(source, "<code>", "exec", 0, True), main)
    except SystemExit:
        raise
    except BaseException:
        help("uncaught")
        raise
    if len(sys.modules) == known:
        leave(began)


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


load(globals().pop("main"), parts, source)
