# What inline code needs beyond a plain start: source lines in tracebacks, and processes that are started afresh. It is
# compiled when it is needed for the first time. `source`, the `name` of its file and `sys` are given; everything else
# comes from the standard library alone, whatever lies in the project.


def find_spec(this, module_name, path=None, target=None):
    for finder in sys.meta_path:
        if finder is not this and hasattr(finder, "find_spec"):
            spec = finder.find_spec(module_name, path, target)
            if spec is not None:
                break
    else:
        return None
    execute = getattr(spec.loader, "exec_module", None)

    def exec_module(module):
        execute(module)
        try:
            if module_name == "linecache":
                fill(module)
            else:
                take_main_along(module)
        except Exception:
            pass  # the project's own module of that name

    try:
        spec.loader.exec_module = exec_module
    except (AttributeError, TypeError):
        pass  # a loader that can't be changed: the module is as it always is
    return spec


def uncaught():
    if name == "<code>" and "linecache" in sys.modules:
        fill(sys.modules["linecache"])
    hook = getattr(sys, "excepthook", None)
    if hook is not None:
        sys.excepthook = shown_by(hook, printer())


def printer():
    """What shows source lines where the interpreter's own printer does not, as it does for files, and from 3.13 on."""
    if name != "<code>":
        return None
    try:
        # Imported while the exception is still on its way: once it is at the top, an `eval` (as importing this does)
        # would make the interpreter forget that it was a KeyboardInterrupt.
        print_exception = standard("traceback").print_exception
    except Exception:
        return None
    if sys.version_info >= (3, 13):
        return None
    return print_exception if sys.version_info >= (3, 12) else with_suggestion(print_exception)


def with_suggestion(print_exception):
    """Up to 3.11 the interpreter's own printer alone knows what a person may have meant."""

    def show(kind, error, trace):
        shown, said = standard("io").StringIO(), standard("io").StringIO()
        print_exception(kind, error, trace, file=shown)
        stderr, sys.stderr = sys.stderr, said
        try:
            sys.__excepthook__(kind, error, trace)
        finally:
            sys.stderr = stderr
        text = shown.getvalue()
        last, meant = (words.rstrip("\n").rpartition("\n")[2] for words in (text, said.getvalue()))
        if meant.startswith(last):
            text = text.rstrip("\n") + meant[len(last) :] + "\n"
        stderr.write(text)

    return show


def shown_by(hook, print_exception):
    """An exception hook that hides what stands before the code, and calls `hook`."""

    def show(kind, error, trace):
        sys.excepthook = hook
        while trace is not None and trace.tb_frame.f_code.co_filename != name:
            trace = trace.tb_next
        error.__traceback__ = sys.last_traceback = trace
        if hook is sys.__excepthook__ and getattr(sys, "stderr", None) is not None:
            in_library(print_exception or hook, kind, error, trace)
        else:
            hook(kind, error, trace)

    return show


def standard(module_name):
    """A module of the standard library, even if the project has a file of that name."""
    return in_library(__import__, module_name)


def in_library(call, *args):
    """Calls with a search path of the standard library alone."""
    os = sys.modules["os"]
    home = os.__file__.rpartition(os.sep)[0]
    path = sys.path[:]
    sys.path[:] = [home] + [at for at in path if at.startswith(home) and "-packages" not in at]
    try:
        return call(*args)
    finally:
        sys.path[:] = path


def fill(linecache):
    linecache.cache["<code>"] = len(source), None, lines(), "<code>"


def lines():
    encoding = "utf-8-sig"
    if b"coding" in b"".join(source.split(b"\n", 2)[:2]):
        read = iter(source.splitlines(True)).__next__
        encoding = standard("tokenize").detect_encoding(read)[0]
    text = source.decode(encoding, "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return [line + "\n" for line in text.split("\n")]


def take_main_along(spawn):
    """Lets a process that multiprocessing starts afresh import the code, as it does with a script."""
    plain = spawn.get_preparation_data

    def get_preparation_data(process_name):
        data = plain(process_name)
        if getattr(sys.modules["__main__"], "__file__", None) == "<code>":
            data["init_main_from_path"] = main_file()
        return data

    spawn.get_preparation_data = get_preparation_data


def main_file(made=[]):
    os = standard("os")
    if not made:
        directory = standard("tempfile").mkdtemp(prefix="pi-code-")
        made.append(os.path.join(directory, "code.py"))
        with open(made[0], "wb") as file:
            file.write(source)
        standard("atexit").register(remove, os, directory, made[0], os.getpid())
    return made[0]


def remove(os, directory, file, pid):
    if os.getpid() == pid:
        os.unlink(file)
        os.rmdir(directory)
