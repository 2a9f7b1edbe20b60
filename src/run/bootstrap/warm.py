

# What an interpreter does that is started ahead of its program: it gets ready, waits, and runs one. This stands behind
# the helper's text; `pipe` and `sys` are given.

USUAL = (
    "collections dataclasses datetime functools itertools json linecache math os pathlib random re subprocess typing"
).split()


def get_ready():
    """Does what most programs do at their start, but nothing that they could tell from it."""
    for module_name in USUAL:
        try:
            standard(module_name)
        except Exception:
            pass  # a Python that was built without it
    compile("", "", "exec")  # makes the classes of `ast`
    import gc

    # What is here by now is here to the end: it need not be looked through for garbage.
    gc.collect()
    gc.freeze()


def become(cwd, environment):
    """Takes the place and the environment of the run."""
    import os

    os.chdir(cwd)
    if dict(os.environb) == environment:
        return
    for variable in list(os.environb):
        if variable not in environment:
            del os.environb[variable]
    for variable, value in environment.items():
        os.environb[variable] = value


def take(pipe):
    """Waits for the run: sizes on a line, then fields that end with NUL, then the source of code."""
    import io
    import os

    pipe.read(1)  # tells that everything else is done
    line = (reader := io.BufferedReader(pipe)).readline()
    if not line:
        os._exit(0)  # never needed
    size, count = map(int, line.split())
    cwd, kind, *rest = reader.read(size).split(b"\0")
    source = reader.read()
    reader.close()
    environment = dict(pair.split(b"=", 1) for pair in rest[count:])
    return cwd, kind, [os.fsdecode(arg) for arg in rest[:count]], environment, source


def begin_script(main, path):
    """The globals and the search path of `python path`; answers with the source."""
    import os
    from importlib.machinery import SourceFileLoader

    full = os.path.abspath(path)
    main["__file__"] = full
    main["__loader__"] = SourceFileLoader("__main__", full)
    sys.path[0] = os.path.dirname(os.path.realpath(full))
    with open(full, "rb") as file:
        return full, file.read()


def begin_code(main, source):
    """The globals of `python -`, and what its tracebacks and processes need."""
    main["__file__"] = "<code>"

    def hook(module_name, path=None, target=None):
        if module_name == "multiprocessing.spawn":
            return find_spec(hook, module_name, path, target)

    hook.find_spec = hook
    sys.meta_path.insert(0, hook)
    return "<code>", source


def serve():
    global name, source
    get_ready()
    ready = set(sys.modules)
    cwd, kind, argv, environment, source = take(pipe)
    become(cwd, environment)
    sys.argv[:] = argv
    sys.orig_argv[1:] = ["-B", *argv]
    main = sys.modules["__main__"].__dict__
    main.pop("_")
    name, source = begin_script(main, argv[0]) if kind == b"script" else begin_code(main, source)
    if kind == b"code":
        fill(sys.modules["linecache"])
    import gc

    status = 0
    try:
        exec(compile(source, name, "exec", 0, True), main)
    except SystemExit as request:
        status = request.code
        if status is not None and type(status) is not int:
            gc.unfreeze()
            raise
    except BaseException:
        gc.unfreeze()
        uncaught()
        raise
    leave(status or 0, ready)


def leave(status, ready):
    """Ends as the interpreter does, but for taking apart what it was started with, which takes longer than all else.

    Where anything is left that would notice that, it is done after all.
    """
    import _thread
    import atexit
    import gc
    import os

    if "threading" in sys.modules:
        sys.modules["threading"]._shutdown()
    atexit._run_exitfuncs()
    if _thread._count() == 0:
        modules = [module for known, module in sys.modules.items() if known not in ready]
        for module in [sys.modules["__main__"], *modules]:
            take_apart(getattr(module, "__dict__", {}))
        gc.collect()
        if not any(hasattr(type(left), "__del__") for left in gc.get_objects()):
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            except Exception:
                pass  # the interpreter says what is wrong
            else:
                os._exit(status & 0xFF)
    gc.unfreeze()
    raise SystemExit(status)


def take_apart(names):
    """Lets go of a module's values in the interpreter's own order: private ones first."""
    for private in True, False:
        for known in list(names):
            if known != "__builtins__" and known.startswith("_") == private:
                names[known] = None


serve()
