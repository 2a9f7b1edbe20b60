

# What an interpreter does that is started ahead of its program: it gets ready, waits, and runs one. This stands behind
# the helper's text; `pipe` and `main` are given.

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

    # What is here by now is here to the end: it need not be looked through for garbage, then least of all.
    gc.collect()
    gc.freeze()


def become(cwd, environment):
    """Takes the place and the environment of the run."""
    import os
    import time

    os.chdir(cwd)
    for variable in list(os.environb):
        if variable not in environment:
            del os.environb[variable]
    for variable, value in environment.items():
        if os.environb.get(variable) != value:
            os.environb[variable] = value
    time.tzset()


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


def begin_script(path):
    """The globals and the search path of `python path`; answers with the source."""
    import os
    from importlib.machinery import SourceFileLoader

    full = os.path.abspath(path)
    main["__file__"] = full
    main["__loader__"] = SourceFileLoader("__main__", full)
    sys.path[0] = os.path.dirname(os.path.realpath(full))
    with open(full, "rb") as file:
        return full, file.read()


def begin_code(source):
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
    cwd, kind, argv, environment, source = take(pipe)
    become(cwd, environment)
    sys.argv[:] = argv
    sys.orig_argv[1:] = ["-B", *argv]
    name, source = begin_script(argv[0]) if kind == b"script" else begin_code(source)
    if kind == b"code":
        fill(sys.modules["linecache"])
    try:
        exec(compile(source, name, "exec", 0, True), main)
    except SystemExit:
        raise
    except BaseException:
        uncaught()
        raise


main.pop("_")
serve()
