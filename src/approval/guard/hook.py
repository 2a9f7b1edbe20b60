# The guard in the interpreter: an audit hook (PEP 578) that decides what an unapproved program may do.
#
# `config` is given; `build.py` has made code of this text. Running it installs the guard, which then lasts as long as
# the interpreter. Paths in `config` are `str`, absolute, and without symlinks.
#
# What holds, and why:
# - The hook can't be taken out: the interpreter's list of hooks is no object that a program can get.
# - It can't be changed. Its functions are closed over nothing but their defaults, a tuple of constants; they use no
#   global, no cell and no builtin. What a program could replace, their code and their defaults, raises an event, which
#   is decided on here. Most of them are made of constants for each call and are gone when it ends.
# - Its frames can't be reached (see `build.py`), so neither a signal handler nor a finalizer nor another thread can
#   change a decision on its way. In 3.10 frames are seen, but what is written to their locals goes nowhere.
# - It runs no code of the program's: what is asked about is read by exact type, through functions of C and descriptors
#   that were taken at the start. What a handler raises meanwhile is told from what the system said by its traceback.
# - It remembers nothing, so there is nothing to forge. Whether the run made a file is asked of the file: its birth
#   where the system tells it, else its last change. What was not changed since the run began was there before. What was
#   may be either: beneath, the kernel's supervisor knows. Where there is none, on Linux, it counts as the run's own.
# - What raises no event but starts, signals or loads is handed out by its module as a guarded function. The function
#   beneath is in the constants of that one alone, and `gc` does not show it.
# - It runs in threads and forked children as it is. Interpreters that `multiprocessing` and its like start are made to
#   start with it; others, and interpreters within the process, are refused.
#
# What it can't see are effects without an event (a database that SQL attaches, native code, code objects that are made
# to break the interpreter): those are the kernel's.

import os
import sys

posix = sys.modules.get("posix")
nt = sys.modules.get("nt")
system = posix or nt
imp = sys.modules["_imp"]

# -- What is asked of the system: taken here once, whatever becomes of the modules ------------------------------------

lstat = system.lstat
fstat = system.fstat
readlink = system.readlink
getcwd = system.getcwd
listdir = system.listdir
getpid = system.getpid
fspath = system.fspath
write = system.write
getframe = sys._getframe
waitid = getattr(system, "waitid", None)
if waitid:
    P_PID = system.P_PID
    PEEK = system.WEXITED | system.WNOHANG | system.WNOWAIT
create_builtin = imp.create_builtin
create_dynamic = getattr(imp, "create_dynamic", None)

mode_of = system.stat_result.st_mode.__get__
links_of = system.stat_result.st_nlink.__get__
device_of = system.stat_result.st_dev.__get__
inode_of = system.stat_result.st_ino.__get__
plain_str = str.__str__
decode = bytes.decode
loads = sys.modules["marshal"].loads
function = type(lambda: None)
module_type = type(sys)

OURS = globals()


def awake(pair):
    """The function of a text that was kept for later, with its defaults."""
    return function(loads(pair[0]), OURS, None, pair[1])


# -- What pi said -----------------------------------------------------------------------------------------------------

WINDOWS = nt is not None
LINUX = sys.platform == "linux" or sys.platform == "android"
ENCODING = sys.getfilesystemencoding()
ERRORS = sys.getfilesystemencodeerrors()
# Where frames are not shown, an exception of the system's has no traceback when it gets here.
HIDDEN = sys.version_info >= (3, 11)


def plain(path):
    """The form in which paths are compared."""
    return path.replace("\\", "/").lower() if WINDOWS else path


def below(paths):
    found = ()
    for path in paths:
        found += (plain(path).rstrip("/") + "/",)
    return found


ROOTS = below(config["roots"])
TEMPORARY = below(config["temporary"]) + (("/dev/shm/",) if LINUX else ())
CACHES = below(config["caches"])
AGENT = below([config["agent"]] + list(config["protected"]))
HOME = below([config["home"]])[0] if config["home"] else None
HISTORY = (HOME or "/") + ".history"
EXECUTABLE = plain(config["executable"])
PROGRAM = config["program"]
GRANTED = frozenset(config["granted"])
READONLY = config["readonly"]
KERNEL = config["kernel"]
REPORT = config["report"]
CHILD = config.get("child")
STARTED = config["started"]
STANDARD = config.get("standard") or os.__file__.rpartition("os.py")[0]
ENVIRON = os.environ
# Where the interpreter's own code is, and that of installed packages.
PREFIXES = tuple(config.get("prefixes") or ())
if not PREFIXES:
    for entry in (sys.prefix, sys.base_prefix, sys.exec_prefix, STANDARD, *sys.path):
        if entry.endswith("-packages") or entry not in sys.path:
            PREFIXES += (entry.rstrip("/\\") + os.sep,)
CONFIG = (
    ("roots", tuple(config["roots"])),
    ("temporary", tuple(config["temporary"])),
    ("caches", tuple(config["caches"])),
    ("agent", config["agent"]),
    ("protected", tuple(config["protected"])),
    ("home", config["home"]),
    ("granted", tuple(config["granted"])),
    ("readonly", READONLY),
    ("executable", config["executable"]),
    ("kernel", KERNEL),
    ("credentials", tuple(config["credentials"])),
    ("report", REPORT),
    ("program", PROGRAM),
    ("started", STARTED),
    ("child", CHILD),
    ("prefixes", PREFIXES),
    ("standard", STANDARD),
)
FDS = "/proc/self/fd" if LINUX else "/dev/fd"
# Places that have no symlinks in them, from which a path is followed.
KNOWN = ROOTS + TEMPORARY + CACHES + AGENT
IDENTITY = None
if REPORT >= 0:
    IDENTITY = device_of(fstat(REPORT)), inode_of(fstat(REPORT))

birth_of = system.stat_result.st_ctime_ns.__get__  # the last change; on Windows the birth
if hasattr(system.stat_result, "st_birthtime_ns"):
    birth_of = system.stat_result.st_birthtime_ns.__get__
elif hasattr(system.stat_result, "st_birthtime"):
    birth_of = system.stat_result.st_birthtime.__get__
    STARTED /= 1_000_000_000

folded = str.lower if WINDOWS or sys.platform == "darwin" else str
HOME = HOME and folded(HOME)
STORES = "\n" + folded("\n".join(config["credentials"])) + "\n"


# -- What a stop is ---------------------------------------------------------------------------------------------------


CATEGORIES = ("delete", "outside", "program", "signal", "native", "credentials", "publish", "tamper", "write")


@later
def quoted(text):
    """As a string of JSON."""
    written = '"'
    for character in text:
        code = ord(character)
        if character == '"' or character == "\\":
            written += "\\" + character
        elif 32 <= code < 127:
            written += character
        elif 0xD800 <= code < 0xE000:
            written += "\\ufffd"  # a byte that is no text
        elif code < 0x10000:
            written += "\\u%04x" % code
        else:
            written += "\\u%04x\\u%04x" % (0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF))
    return written + '"'


@later
def visible(text):
    """With what a terminal would act on, or not show, made visible."""
    shown = ""
    for character in text:
        shown += character if character.isprintable() else "\\u%04x" % ord(character)
    return shown


@later
def place():
    """The frame of the program's innermost line; else the innermost that belongs to no library."""
    frame = getframe()
    other = None
    while frame is not None:
        name = frame.f_code.co_filename
        if name == PROGRAM:
            return frame
        if other is None and not name.startswith(PREFIXES) and not name.startswith("<frozen ") and name != "<guard>":
            other = frame
        frame = frame.f_back
    return other


@later
def columns(frame):
    """Line, column, last line and last column of what the frame does, as UTF-8 offsets that count from 1."""
    line = frame.f_lineno or 0
    code = frame.f_code
    if HIDDEN and code.co_filename == PROGRAM:
        left = frame.f_lasti // 2
        for start, end, first, last in code.co_positions():
            if not left:
                if start == line and first is not None and last is not None:
                    return start, first + 1, end, last + 1
                break
            left -= 1
    return line, 0, line, 0


@later
def report(category, rule, target, call, file, span):
    """Tells pi, if its end of the pipe is still what it was."""
    if IDENTITY is None:
        return
    line, column, end_line, end_column = span
    record = '{"rule":"%s","category":"%s","target":%s,"call":%s,"file":%s,"line":%d,"column":%d,' % (
        rule,
        category,
        quoted(target),
        quoted(call),
        quoted(file),
        line,
        column,
    )
    record += '"endLine":%d,"endColumn":%d}\n' % (end_line, end_column)
    try:
        found = fstat(REPORT)
        if (device_of(found), inode_of(found)) == IDENTITY:
            write(REPORT, record.encode("ascii"))
    except OSError:
        pass  # closed by the program: the attempt fails all the same


@later
def stop(category, target, call, doing):
    """Ends the attempt, unless a person has approved of its kind."""
    if category in GRANTED:
        return
    rule = "PI%d00" % (CATEGORIES.index(category) + 1)
    frame = place()
    file, span = ("", (0, 0, 0, 0)) if frame is None else (frame.f_code.co_filename, columns(frame))
    report(category, rule, target, call, file, span)
    # Broad handlers of errors let it through, as they do with an interrupt.
    kind = type("ApprovalRequired", (BaseException,), {"__module__": "builtins", "__doc__": "A person has to say yes."})
    raise kind(
        "%s: %s `%s` needs approval (%s, line %d of %s)" % (rule, doing, visible(target), call, span[0], visible(file))
    )


# What these do without is a question that the library puts to the system, and it has an answer for a refusal.
PROBES = frozenset(
    (
        "platform.py",
        "uuid.py",
        "webbrowser.py",
        "sysconfig.py",
        "sysconfig/__init__.py",
        "_osx_support.py",
        "_aix_support.py",
        "locale.py",
        "ctypes/util.py",
        "ctypes/macholib/dyld.py",
        "multiprocessing/context.py",
    )
)
PROBES_OF_PACKAGES = (
    "/matplotlib/__init__.py",
    "/matplotlib/font_manager.py",
    "/joblib/externals/loky/backend/context.py",
    "/loky/backend/context.py",
    "/threadpoolctl.py",
    "/requests/utils.py",
    "/aiohttp/helpers.py",
    "/setuptools/_distutils/util.py",
)
# What lies between such a question and the event.
BETWEEN = frozenset(
    (
        "<guard>",
        "<frozen os>",
        STANDARD + "os.py",
        STANDARD + "subprocess.py",
        STANDARD + "netrc.py",
        STANDARD + "pathlib.py",
        STANDARD + "pathlib/__init__.py",
        STANDARD + "pathlib/_local.py",
        STANDARD + "ctypes/__init__.py",
    )
)


@later
def is_probe():
    """Whether a library of this list asks. It is refused like anyone, but that ends nothing."""
    frame = getframe()
    while frame is not None:
        name = frame.f_code.co_filename
        if name not in BETWEEN:
            if name.startswith(STANDARD):
                return name[len(STANDARD) :].replace("\\", "/") in PROBES
            return name.startswith(PREFIXES) and name.replace("\\", "/").endswith(PROBES_OF_PACKAGES)
        frame = frame.f_back
    return False


@later
def refuse(category, target, call, doing):
    """Stops, but lets a library's probe fail as if the system had said no."""
    if category not in GRANTED and is_probe():
        raise PermissionError(1, "needs approval under pi", target)
    stop(category, target, call, doing)


# -- Where a path leads -----------------------------------------------------------------------------------------------


def by_system(error):
    """Whether the system said so, and not a signal handler that ran meanwhile."""
    trace = error.__traceback__
    if HIDDEN:
        return trace is None
    return trace is not None and trace.tb_next is None


def text_of(path):
    """The path as text, None where it is an object that might say another thing when it is asked again."""
    kind = type(path)
    if kind is str:
        return path
    if issubclass(kind, str):
        return plain_str(path)
    if issubclass(kind, bytes):
        return decode(path, ENCODING, ERRORS)
    # A few calls hand on the paths of the standard library as they are.
    if type(kind) is type:
        module = kind.__module__
        if type(module) is str and module.partition(".")[0] == "pathlib":
            text = fspath(path)
            if type(text) is str:
                return text
    return None


TOO_LONG = 36 if LINUX else 63


def status(path):
    """The file itself, None where there is none."""
    try:
        return lstat(path)
    except OSError as error:
        if not by_system(error):
            raise
        if error.errno == TOO_LONG:
            raise PermissionError(1, "a path too long for the guard to follow", path[:100])
        return None
    except ValueError:
        return None  # a NUL within: the call fails by itself


def link_of(path):
    """What the symlink says, None where it is none."""
    try:
        return readlink(path)
    except OSError as error:
        if not by_system(error):
            raise
        if error.errno == TOO_LONG:
            raise PermissionError(1, "a path too long for the guard to follow", path[:100])
        return None
    except ValueError:
        return None


if WINDOWS:
    full_name = nt._getfullpathname
    final_name = nt._getfinalpathname

    def final(path):
        try:
            return final_name(path)
        except OSError as error:
            if not by_system(error):
                raise
            return None

    def resolve(path, dir_fd, follow):
        """`path` without symlinks, as it is compared; the last component only if `follow`."""
        path = full_name(path)
        rest = ""
        if not follow:
            path, _, rest = path.rpartition("\\")
        found = final(path)
        while found is None and "\\" in path:
            path, _, name = path.rpartition("\\")
            rest = name + "\\" + rest if rest else name
            found = final(path + "\\" if path.endswith(":") else path)
        found = found or path
        if found.startswith("\\\\?\\") and found[5:6] == ":":
            found = found[4:]
        return plain(found.rstrip("\\") + ("\\" + rest if rest else ""))

else:
    if LINUX:

        def path_of_fd(fd):
            return readlink("/proc/self/fd/%d" % fd)

    else:
        import fcntl

        ask = fcntl.fcntl
        F_GETPATH = getattr(fcntl, "F_GETPATH", 50)

        def path_of_fd(fd):
            return decode(ask(fd, F_GETPATH, bytes(1024)).rstrip(b"\0"), ENCODING, ERRORS)

    def resolve(path, dir_fd, follow):
        """`path` without symlinks; the last component only if `follow`."""
        left = path
        if not path.startswith("/"):
            real = getcwd() if dir_fd < 0 else path_of_fd(dir_fd)
            real = real.rstrip("/")
        else:
            real = ""
            for known in KNOWN:
                if path.startswith(known):
                    real, left = known[:-1], path[len(known) :]
                    break
        hops = 0
        while left:
            name, _, left = left.partition("/")
            if name == "" or name == ".":
                continue
            if name == "..":
                real = real.rpartition("/")[0]
                continue
            here = real + "/" + name
            target = link_of(here) if left or follow else None
            if target is None:
                real = here
                continue
            hops += 1
            if hops > 40:
                raise OSError(40, "too many levels of symbolic links", path)
            is_nameless = here.startswith("/proc/") and ":" in target and not target.startswith("/")
            if is_nameless or target.startswith("/memfd:"):
                return here  # a pipe, a socket, and so on
            if target.startswith("/"):
                real = ""
            left = target + "/" + left if left else target
        return real or "/"


def zone(path):
    """Where it lies: the words are those of `Zone`."""
    path = path + "/"
    if path.startswith(AGENT):
        return "agent"
    if path.startswith(ROOTS):
        return "workspace"
    if path.startswith(TEMPORARY):
        return "temporary"
    if path.startswith(CACHES):
        return "cache"
    return "outside"


def made(found):
    """Whether the run can have made what has this status."""
    return birth_of(found) >= STARTED


# -- Effects on files -------------------------------------------------------------------------------------------------

DEVICES = frozenset(("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/random", "/dev/urandom"))
OWN_PROC = ("comm", "oom_score_adj", "timerslack_ns", "coredump_filter")


@later
def is_stream(path):
    """Whether writing to it leaves nothing behind: a device, a pipe of its own, a knob of its own process."""
    if path.startswith("/dev/pts/"):
        found = status(path)
        return found is not None and made(found)  # others have somebody else behind them
    if path in DEVICES:
        return True
    if WINDOWS:
        return path in ("nul", "con", "//./nul", "//./con") or path.startswith("//./pipe/")
    own = "/proc/%d/" % getpid()
    if not path.startswith(own):
        return False
    rest = path[len(own) :]
    if rest.startswith("task/"):
        rest = rest[5:].partition("/")[2]
    return rest in OWN_PROC or rest.startswith("fd/")


def in_environment(path):
    """Whether it belongs to a virtual environment that was there before: a later run may start its interpreter."""
    directory = path.rpartition("/")[0]
    while (directory + "/").startswith(ROOTS):
        found = status(directory + "/pyvenv.cfg")
        if found is not None and not made(found):
            return True
        directory = directory.rpartition("/")[0]
    return False


def change(call, path, found, doing):
    """A new file (`found` is None), or one that is changed."""
    where = zone(path)
    if where == "workspace" and "tamper" not in GRANTED and in_environment(path):
        where = "agent"
    if where == "temporary":
        if found is not None and not made(found):
            refuse("outside", path, call, doing + " what was there before:")
    elif where == "agent":
        stop("tamper", path, call, doing)
    elif where == "outside":
        if is_stream(path):
            return
        refuse("outside", path, call, doing)
        if READONLY:
            stop("write", path, call, doing)
    elif READONLY:
        refuse("write", path, call, doing)


def delete(call, path, found):
    if found is None:
        return  # the call fails by itself
    where = zone(path)
    if where == "agent":
        stop("tamper", path, call, "deleting")
    elif not made(found) or where == "outside" and "outside" not in GRANTED:
        refuse("delete", path, call, "deleting")


# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND
WRITES = 0
for flag in "O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND":
    WRITES |= getattr(system, flag, 0)
NO_FOLLOW = getattr(system, "O_NOFOLLOW", 0)
EXCLUSIVE = system.O_CREAT | system.O_EXCL
# With the bit that it shares with O_DIRECTORY.
UNNAMED = getattr(system, "O_TMPFILE", 0)
ONLY_PATH = getattr(system, "O_PATH", 0)


@later
def fits(pattern, name):
    """Whether `name` is what `pattern` says, one `*` standing for any part."""
    head, star, tail = pattern.partition("*")
    if not star:
        return name == pattern
    return len(name) >= len(head) + len(tail) and name.startswith(head) and name.endswith(tail)


@later
def is_in(store, rest):
    """Whether the path is the store, or beneath it."""
    while store:
        pattern, _, store = store.partition("/")
        name, _, rest = rest.partition("/")
        if not fits(pattern, name):
            return False
    return True


@later
def is_listed(start, rest):
    """Whether one of the lines that begin with `start` says so of the `rest` of a path."""
    _, _, left = STORES.partition("\n" + start)
    while left:
        line, _, left = left.partition("\n")
        if is_in(line, rest):
            return True
        _, _, left = ("\n" + left).partition("\n" + start)
    return False


def is_store(path):
    """Whether it is a store of credentials. No line of the list has a star in its first component."""
    path = folded(path)
    if HOME is not None and path.startswith(HOME):
        first, slash, rest = path[len(HOME) :].partition("/")
        if not slash and "\n" + first + "\n" in STORES:
            return True
        if slash and "\n" + first + "/" in STORES and is_listed(first + "/", rest):
            return True
        if slash and "\n" + first + "\n" in STORES:
            return True  # beneath a store that is a directory
    name = path.rpartition("/")[2]
    return not path.startswith(ROOTS) and name.startswith(".") and is_listed("**/", name)


@later
def holds_store(path):
    """Whether a store is, or lies, below the path, so that it would have another name."""
    path = folded(path)
    if HOME is None or HOME.startswith(path + "/"):
        return HOME is not None
    return path.startswith(HOME) and (is_store(path) or "\n" + path[len(HOME) :] + "/" in STORES)


# Questions, answers and locks: who reads them learns what other programs do, or keeps them waiting.
STATE = AGENT[0] + "state/"


def read(call, path):
    if path.startswith(STATE):
        stop("tamper", path, call, "reading")
    if is_store(path):
        found = status(path)
        if found is None or not made(found):
            refuse("credentials", path, call, "reading credentials in")


def opened(call, real, flags, writes):
    if not writes:
        read(call, real)
    elif UNNAMED and flags & UNNAMED == UNNAMED:
        change(call, real, None, "writing")
    else:
        change(call, real, status(real), "writing")
        if flags & 3 == 2:
            read(call, real)


@later
def open_beneath(call, text, flags, writes):
    """`os.open` does not tell its `dir_fd`: what it would open is looked at beneath every directory that is open."""
    for name in tuple(listdir(FDS)):
        try:
            found = fstat(int(name))
        except OSError as error:
            if not by_system(error):
                raise
            continue
        if mode_of(found) & 0xF000 == 0x4000:
            real = resolve(text, int(name), not (flags & NO_FOLLOW or flags & EXCLUSIVE == EXCLUSIVE))
            if not writes or zone(real) != "workspace":
                opened(call, real, flags, writes)


def on_open(call, args):
    path, mode, flags = args
    kind = type(path)
    if kind is int:
        return
    if type(flags) is not int or not (mode is None or type(mode) is str):
        stop("tamper", call, call, "an event of the program's own:")
    if flags & ONLY_PATH:
        return
    writes = flags & WRITES or mode is not None and ("w" in mode or "a" in mode or "+" in mode or "x" in mode)
    if not writes and kind is str and path.startswith(PREFIXES) and "/.." not in path:
        return
    text = text_of(path) if issubclass(kind, (str, bytes)) else None
    if text is None:
        return stop("tamper", call, call, "a path that is no text in")
    if mode is None and not text.startswith("/") and not WINDOWS:
        open_beneath(call, text, flags, writes)
    opened(call, resolve(text, -1, not (flags & NO_FOLLOW or flags & EXCLUSIVE == EXCLUSIVE)), flags, writes)


def target_of(call, path, dir_fd, follow):
    """Where the path or the descriptor leads, None where there is no name to it."""
    if type(path) is int:
        real = path_of_fd(path)
        if not real.startswith("/") or links_of(fstat(path)) == 0:
            return None
        return real
    text = text_of(path)
    if text is None:
        stop("tamper", call, call, "a path that is no text in")
        return None
    return resolve(text, dir_fd, follow)


def on_remove(call, args):
    real = target_of(call, args[0], args[1], False)
    if real is not None:
        delete(call, real, status(real))


@later
def on_rmtree(call, args):
    """Asked before the first file is gone, so that a stop names the tree; each file is decided on all the same."""
    text = text_of(args[0])
    if text is not None:
        dir_fd = args[1] if len(args) > 1 and type(args[1]) is int else -1
        real = resolve(text, dir_fd, False)
        delete(call, real, status(real))


def on_mkdir(call, args):
    real = target_of(call, args[0], args[2], True)
    if real is not None and status(real) is None:
        change(call, real, None, "making")


@later
def on_symlink(call, args):
    real = target_of(call, args[1], args[2], False)
    if real is not None and status(real) is None:
        change(call, real, None, "linking")


@later
def on_link(call, args):
    """A second name for a file is a way to change it: it has to be one that may be changed where it is."""
    for follow in (False, True):
        real = target_of(call, args[0], args[2], follow)
        if real is None:
            return
        found = status(real)
        if found is not None:
            if is_store(real) and not made(found):
                stop("credentials", real, call, "linking credentials in")
            change(call, real, found, "linking")
    real = target_of(call, args[1], args[3], False)
    if real is not None and status(real) is None:
        change(call, real, None, "linking")


def on_rename(call, args):
    source = target_of(call, args[0], args[2], False)
    target = target_of(call, args[1], args[3], False)
    if source is None or target is None:
        return
    found = status(source)
    if found is None:
        return  # the call fails by itself
    here, there = zone(source), zone(target)
    for own in AGENT:
        if own.startswith(source + "/") or own.startswith(target + "/"):
            stop("tamper", source, call, "moving")
    if here == "workspace" and "tamper" not in GRANTED and in_environment(source + "/"):
        stop("tamper", source, call, "moving")
    if holds_store(source) and not made(found):
        stop("credentials", source, call, "moving credentials in")
    if here == "workspace" and there != "workspace" and there != "agent" and not made(found):
        refuse("delete", source, call, "moving out of the workspace")
    elif here != "workspace":
        change(call, source, found, "moving")
    elif READONLY:
        refuse("write", source, call, "moving")
    change(call, target, status(target), "overwriting")


@later
def on_truncate(call, args):
    if type(args[0]) is int:
        return  # it was opened for writing
    real = target_of(call, args[0], -1, True)
    if real is not None:
        found = status(real)
        if found is not None:
            change(call, real, found, "truncating")


@later
def is_copy_of_link():
    """Whether `shutil` copies what belongs to a symlink itself, as only it does."""
    frame = getframe()
    while frame is not None and frame.f_code.co_filename == "<guard>":
        frame = frame.f_back
    code = frame.f_code
    return code.co_filename == STANDARD + "shutil.py" and code.co_name in ("copystat", "_copyxattr", "lookup")


WITH_DIR_FD = frozenset(("os.chmod", "os.chown", "os.utime"))


def on_attributes(call, args):
    dir_fd = args[-1] if call in WITH_DIR_FD else -1
    real = target_of(call, args[0], dir_fd, True)
    if real is None:
        return
    if type(args[0]) is not int and zone(real) != "workspace":
        link = target_of(call, args[0], dir_fd, False)
        if link != real and is_copy_of_link():
            real = link
    found = status(real)
    if found is not None:
        change(call, real, found, "changing")


@later
def unescaped(text):
    """The path of a URI."""
    found = b""
    while text:
        plain_part, _, text = text.partition("%")
        found += plain_part.encode(ENCODING, ERRORS)
        if text:
            try:
                found += bytes((int(text[:2], 16),))
                text = text[2:]
            except ValueError:
                found += b"%"
    return decode(found, ENCODING, ERRORS)


@later
def database(call, path, only_read):
    real = resolve(path, -1, True)
    read(call, real)
    if only_read:
        return
    found = status(real)
    # Where the kernel lets nothing be written, the library opens it for reading alone.
    if found is None or not KERNEL or zone(real) != "outside":
        change(call, real, found, "opening the database")


@later
def on_sqlite(call, args):
    text = text_of(args[0])
    if text is None:
        return stop("tamper", call, call, "a path that is no text in")
    if text == "" or text == ":memory:":
        return
    if text.startswith("file:"):
        path, _, query = text[5:].partition("?")
        if path.startswith("//"):
            path = "/" + path[2:].partition("/")[2]
        only_read = "mode=ro" in query or "immutable=1" in query or "mode=memory" in query
        if path and path != ":memory:":
            database(call, unescaped(path.partition("#")[0]), only_read)
        if "/" not in text:
            database(call, text, False)  # where it is no URI
        return
    database(call, text, False)


@later
def address_of(call, address):
    """The path of a socket's address, None where it has none."""
    if type(address) is tuple:
        return None
    text = text_of(address)
    if text is None:
        stop("tamper", call, call, "an address that is no text in")
        return None
    if text == "" or text.startswith("\0"):
        return None
    return text


@later
def on_bind(call, args):
    text = address_of(call, args[1])
    if text is not None:
        change(call, resolve(text, -1, True), None, "making the socket")


# Sockets that take what they are told without acting on it for the program; and those of databases.
PLAIN_SOCKETS = ("/dev/log", "/run/systemd/journal/", "/var/run/nscd/", "/run/nscd/", "/var/run/syslog", "/run/mysqld/")


@later
def on_connect(call, args):
    """Other programs can be told to do what this one may not: the network is free, the daemons of this machine not."""
    text = None if args[1] is None else address_of(call, args[1])
    if text is None:
        return
    real = resolve(text, -1, True)
    found = status(real)
    if found is None or made(found) or zone(real) == "workspace":
        return
    if real.startswith(PLAIN_SOCKETS) or "/.s.PGSQL." in real or real.endswith(("mysql.sock", "mysqld.sock")):
        return
    refuse("program", real, call, "talking to")


# -- Programs, processes, native code ---------------------------------------------------------------------------------


@later
def word(part):
    if type(part) is str:
        return part
    if type(part) is bytes:
        return decode(part, "utf-8", "replace")
    kind = type(part)
    return plain_str(part) if issubclass(kind, str) else "?"


@later
def command_of(part):
    """A command as a person would write it, for the message alone."""
    if type(part) is not list and type(part) is not tuple:
        return word(part)[:400]
    written = ""
    for each in part:
        written += (" " if written else "") + word(each)
        if len(written) > 400:
            break
    return written[:400]


# Where the command stands among what an event tells.
COMMAND_AT = (
    ("subprocess.Popen", 1),
    ("os.posix_spawn", 1),
    ("os.exec", 1),
    ("os.spawn", 2),
    ("_winapi.CreateProcess", 1),
)


@later
def on_program(call, args):
    at = 0
    for known, where in COMMAND_AT:
        if known == call:
            at = where
    refuse("program", command_of(args[at] if len(args) > at else call), call, "starting")


def on_other_hook(call, args):
    """The interpreter takes this error as a no, and says nothing: a hook would be asked what this one asks."""
    raise RuntimeError


@later
def on_other_interpreter(call, args):
    stop("tamper", "an interpreter without a guard", call, "starting")


if LINUX:
    open_file, read_file, close_file = system.open, system.read, system.close

    @later
    def lines_of(path):
        """A small file of the kernel's; None where it can't be read."""
        try:
            fd = open_file(path, 0x80000)
        except OSError as error:
            if error.errno not in (2, 3) or not by_system(error):
                raise
            return None
        try:
            return decode(read_file(fd, 4096), "utf-8", "replace")
        finally:
            close_file(fd)

    @later
    def parent_of(pid):
        """Of which process it is a child; 0 where there is none, None where it is gone."""
        text = lines_of("/proc/%d/stat" % pid)
        return int(text.rpartition(")")[2].split()[1]) if text else None

else:

    @later
    def parent_of(pid):
        return 0


@later
def is_child(pid):
    """Whether the process descends from this one."""
    if pid <= 1:
        return False
    if waitid is not None:
        try:
            waitid(P_PID, pid, PEEK)
            return True
        except OSError as error:
            if not by_system(error):
                raise
    above = parent_of(pid)
    if above is None:
        return True  # it is gone: the call fails by itself
    own = getpid()
    for _ in range(20):
        if above == own:
            return True
        if above is None or above <= 1:
            return False
        above = parent_of(above)
    return False


getpgid = getattr(system, "getpgid", None)


@later
def on_kill(call, args):
    pid, signal = args
    own = getpid()
    if signal == 0 and not WINDOWS or pid == own and call == "os.kill":
        return
    if call == "os.killpg" or pid <= 0:
        pid = getpgid(0) if pid == 0 else abs(pid)
        if pid == own:
            return
    if not is_child(pid):
        refuse("signal", "process %d" % args[0], call, "signalling")


@later
def on_limits(call, args):
    pid = args[0]
    if type(pid) is int and pid != 0 and pid != getpid() and not is_child(pid):
        refuse("signal", "process %d" % pid, call, "limiting")


@later
def load(module, path, call):
    """A module of native code: only what the interpreter and its installed packages are made of."""
    real = resolve(path, -1, True)
    found = status(real)
    inside = path.startswith(PREFIXES) and zone(real) != "temporary" or real.startswith(PREFIXES)
    if not inside or found is None or made(found) and zone(real) != "outside":
        refuse("native", real, call, "loading")
    elif real.rpartition("/")[2].startswith(("_test", "_ctypes_test", "_xxtest")):
        # The interpreter's own tests can do anything to it; what asks for these modules can do without.
        raise ImportError("needs approval under pi", name=module if type(module) is str else None, path=path)


@later
def native(call, name):
    if type(name) is not str and type(name) is not bytes:
        name = "memory"
    if is_probe():
        raise AttributeError("needs approval under pi")  # as for a name that a library has not
    stop("native", word(name), call, "calling native code:")


# A module that reads by itself, without an event, what asks for approval.
SHADOW = "spwd"


@later
def shadow(call):
    stop("credentials", "/etc/shadow", call, "reading credentials in")


def on_import(call, args):
    if type(args[0]) is str and args[0] == SHADOW:
        shadow(call)
    if args[1] is not None:
        text = text_of(args[1])
        if text is None:
            return native(call, args[0])
        load(args[0], text, call)


# Variables that name what libraries load into this very process.
LOADED = frozenset((b"OPENSSL_CONF", b"OPENSSL_MODULES", b"OPENSSL_ENGINES", b"OPENSSL_CONF_INCLUDE", b"GCONV_PATH"))


def on_variable(call, args):
    if type(args[0]) is bytes and args[0] in LOADED:
        native(call, args[0])


@later
def on_dlopen(call, args):
    name = args[0]
    if name is not None:
        refuse("native", word(name), call, "loading native code:")


@later
def on_memory(call, args):
    """Any memory as an object, unless it is the values that processes share."""
    frame = getframe()
    while frame is not None and frame.f_code.co_filename == "<guard>":
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename != STANDARD + "multiprocessing/sharedctypes.py":
        native(call, call)


@later
def on_native(call, args):
    native(call, args[1] if call == "ctypes.dlsym" and len(args) > 1 else call)


@later
def on_extension(call, args):
    if call == "sqlite3.load_extension" or args[1]:
        stop("native", call, call, "loading an extension:")


@later
def on_registry(call, args):
    stop("outside", call, call, "changing the registry:")


TYPES_INTO_TERMINAL = (0x5412, 0x541C, 0x80017472)
CHANGES_FLAGS = (0x40086602, 0x40087602, 0x401C5820)
SETS_OWNER = (0x8901, 0x8902)


@later
def on_ioctl(call, args):
    fd, request = args[0], args[1]
    if type(request) is not int:
        return
    request &= 0xFFFFFFFF
    if request in TYPES_INTO_TERMINAL:
        stop("program", "the terminal", call, "typing into")
    elif request in CHANGES_FLAGS and LINUX:
        real = target_of(call, fd, -1, True)
        if real is not None:
            change(call, real, fstat(fd), "changing")
    elif request in SETS_OWNER and LINUX:
        stop("signal", "a descriptor's owner", call, "setting")


@later
def on_fcntl(call, args):
    """The owner of a descriptor is signalled when something arrives."""
    command, value = args[1], args[2]
    if LINUX and (command == 15 or command == 8 and (type(value) is not int or value not in (0, getpid(), -getpid()))):
        stop("signal", "a descriptor's owner", call, "setting")


# -- The guard itself -------------------------------------------------------------------------------------------------

PROTECTED = ("__code__", "__defaults__", "__kwdefaults__")


def on_attribute(call, args):
    thing, name = args[0], args[1]
    if type(thing) is function and thing.__globals__ is OURS and name in PROTECTED:
        stop("tamper", "the guard", call, "changing")


@later
def on_referents(call, args):
    for thing in args[0]:
        if type(thing) is function and thing.__globals__ is OURS:
            stop("tamper", "the guard", call, "looking into")


# The status with which the process is going to end, as its bootstrap tells it, behind whether it did.
STATUS = bytearray(2)
leave = system._exit
objects = None
if not KERNEL:
    objects = create_builtin(type(sys.implementation)(name="gc")).get_objects


@later
def on_status(call, args):
    if len(args) == 1 and type(args[0]) is int:
        STATUS[1] = args[0] & 0xFF
        STATUS[0] = 1


@later
def on_clear(call, args):
    """The interpreter is about to drop its hooks, and what is still there then: code of that would run unguarded.

    Where nothing lies beneath the hook, it ends here if there is such code.
    """
    if objects is None or not STATUS[0]:
        return
    for thing in objects():
        if type(getattr(type(thing), "__del__", None)) is function:
            leave(STATUS[1])


# -- What raises no event: functions of C modules that are handed out guarded -----------------------------------------

FLAGS = frozenset(("-b", "-bb", "-B", "-d", "-E", "-I", "-O", "-OO", "-P", "-q", "-s", "-S", "-u", "-v"))
# What another interpreter takes from its environment and acts on before the guard is there.
KEPT = frozenset(
    (
        b"PYTHONUTF8",
        b"PYTHONIOENCODING",
        b"PYTHONUNBUFFERED",
        b"PYTHONDONTWRITEBYTECODE",
        b"PYTHONHASHSEED",
        b"PYTHONWARNINGS",
        b"PYTHONFAULTHANDLER",
        b"PYTHONTRACEMALLOC",
        b"PYTHONASYNCIODEBUG",
        b"PYTHONSAFEPATH",
    )
)
LOADERS = (b"PYTHON", b"LD_", b"DYLD_", b"GCONV_", b"MALLOC_", b"GLIBC_")


SETTINGS = frozenset(("utf8", "dev", "faulthandler", "tracemalloc", "frozen_modules", "int_max_str_digits", "no_debug_ranges"))


@later
def text_of_code(command):
    """Where `-c` or `-m` stands in the command of an interpreter that is started with nothing unusual, else 0."""
    at = 1
    while at + 1 < len(command):
        flag = word(command[at])
        if flag == "-c" or flag == "-m":
            return at
        if flag == "-X" and word(command[at + 1]).partition("=")[0] in SETTINGS:
            at += 1
        elif flag not in FLAGS and not flag.startswith("-W"):
            return 0
        at += 1
    return 0


@later
def environment(given):
    """The variables for the other interpreter, without those that it would obey before the guard is there."""
    if given is None:
        given = ()
        data = ENVIRON._data
        if type(data) is dict:
            for name, value in tuple(data.items()):
                if type(name) is bytes and type(value) is bytes:
                    given += (name + b"=" + value,)
    kept = ()
    for pair in tuple(given):
        if type(pair) is bytes:
            name = pair.partition(b"=")[0]
            if name in KEPT or not (name in LOADED or name.startswith(LOADERS)):
                kept += (pair,)
    return kept


@later
def with_guard(command, at):
    """The command of an interpreter that installs the guard before it does anything else, sites included."""
    text = word(command[at + 1])
    if word(command[at]) == "-m":
        text = "import runpy\nrunpy._run_module_as_main(%r)\n" % text
    start = "import marshal,sys,_io\nsys.path[:1]=[]\n"
    start += "exec(marshal.loads(_io.open_code(%r).read()),{'config':%r})\n" % (CHILD, dict(CONFIG))
    if "-S" not in command[:at]:
        start += "import site\nsite.main()\n"
    start += "sys.path[:0]=['']\ndel marshal,sys,_io\n"
    return tuple(command[:at]) + ("-S", "-c", start + text) + tuple(command[at + 2 :])


# By another name the interpreter would find another library.
STARTED_AS = frozenset((sys.executable, getattr(sys, "_base_executable", None), config["executable"]))

# The functions that are handed out guarded, and those that hand them out. As they are, no one is shown them.
HELD = frozenset(
    (
        "create_builtin",
        "create_dynamic",
        "fork_exec",
        "get_objects",
        "get_referrers",
        "pidfd_send_signal",
        "append_history_file",
        "read_history_file",
        "read_init_file",
        "write_history_file",
    )
)
builtin_function = type(len)


@later
def launch(given, start, named):
    """What `_posixsubprocess.fork_exec` does, for an interpreter that comes up with the guard."""
    if "program" in GRANTED:
        return start(*given, **named)
    command, executables = given[0], given[1]
    if type(command) in (list, tuple) and type(executables) in (list, tuple):
        command, executables = tuple(command), tuple(executables)
        at = text_of_code(command)
        own = CHILD is not None and at > 0 and len(executables) > 0
        for executable in executables:
            text = text_of(executable)
            if text not in STARTED_AS or resolve(text, -1, True) != EXECUTABLE:
                own = False
        if own:
            kept = tuple(sorted(frozenset(given[3]) | frozenset((REPORT,) if IDENTITY else ())))
            rest = (given[2], kept, given[4], environment(given[5])) + tuple(given[6:])
            return start(with_guard(command, at), executables, *rest, **named)
    refuse("program", command_of(command), "_posixsubprocess.fork_exec", "starting")
    return start(*given, **named)


@later
def send(given, start, named):
    """What `signal.pidfd_send_signal` does, for the run's own processes."""
    if "signal" not in GRANTED and LINUX and type(given[0]) is int:
        text = lines_of("/proc/self/fdinfo/%d" % given[0]) or ""
        pid = text.partition("\nPid:")[2].partition("\n")[0].strip()
        pid = int(pid) if pid.isdecimal() else 0
        if pid != getpid() and not is_child(pid):
            refuse("signal", "process %d" % pid, "signal.pidfd_send_signal", "signalling")
    return start(*given, **named)


@later
def start_interpreter(given, start, named):
    """What `_interpreters.create` does: the new one would have no hook."""
    stop("tamper", "an interpreter without a guard", "_interpreters.create", "starting")
    return start(*given, **named)


@later
def history_of(given):
    """The file of the line editor's history that is meant."""
    text = text_of(given[-1]) if given else None
    return HISTORY if text is None else resolve(text, -1, True)


@later
def read_history(given, start, named):
    """What `readline.read_history_file` and `read_init_file` do."""
    read("readline.read_history_file", history_of(given))
    return start(*given, **named)


@later
def write_history(given, start, named):
    """What `readline.write_history_file` and `append_history_file` do."""
    real = history_of(given)
    change("readline.write_history_file", real, status(real), "writing")
    return start(*given, **named)


@later
def keep_database(given, start, named):
    """What `_dbm.open` and `_gdbm.open` do: the library opens its file by itself."""
    text = text_of(given[0]) if given else None
    if text is not None:
        real = resolve(text, -1, True)
        read("dbm.open", real)
        if len(given) > 1 and type(given[1]) is str and not given[1].startswith("r"):
            for name in (real, real + ".db", real + ".dir", real + ".pag"):
                change("dbm.open", name, status(name), "writing")
    return start(*given, **named)


@later
def start_other_language(given, start, named):
    """What `_tkinter.create` does: Tcl has its own way to files and programs."""
    stop("native", "Tcl", "_tkinter.create", "starting")
    return start(*given, **named)


@later
def seen(given, start, named):
    """What `gc.get_objects` and `gc.get_referrers` find, without what the guard keeps for itself."""
    kept = []
    for one in start(*given, **named):
        hidden = False
        for part in one if type(one) is tuple else (one,):
            kind = type(part)
            if kind is function and part.__globals__ is OURS or kind is builtin_function and part.__name__ in HELD:
                hidden = True
        if not hidden:
            kept.append(one)
    return kept


def passing(*given, **named):
    return "@guarded"(given, "@start", named)


PASSING = passing.__code__


@later
def wrapped(guarded, start):
    """A function that calls `guarded` with what it is given and `start`, and has no parameter to take their place."""
    constants = ()
    for constant in PASSING.co_consts:
        constants += (guarded if constant == "@guarded" else start if constant == "@start" else constant,)
    code = PASSING.replace(co_consts=constants, co_name=start.__name__)
    return function(code, OURS)


GUARDED = (
    ("fork_exec", launch),
    ("_fork_exec", launch),
    ("pidfd_send_signal", send),
    ("read_history_file", read_history),
    ("read_init_file", read_history),
    ("write_history_file", write_history),
    ("append_history_file", write_history),
    ("get_objects", seen),
    ("get_referrers", seen),
)
# By another name that a module has beside it.
GUARDED_BESIDE = (
    ("create", "run_string", start_interpreter),
    ("create", "TCL_VERSION", start_other_language),
    ("open", "library", keep_database),
    ("open", "open_flags", keep_database),
)


def wrap_in(module):
    """Puts guarded functions in the place of those that raise no event."""
    if type(module) is module_type:
        names = module.__dict__
        for name, guarded in GUARDED:
            found = names.get(name)
            if type(found) is builtin_function:
                names[name] = wrapped(awake(guarded), found)
        for name, beside, guarded in GUARDED_BESIDE:
            found = names.get(name)
            if beside in names and type(found) is builtin_function:
                names[name] = wrapped(awake(guarded), found)
    return module


def create(given, start, named):
    """What `_imp.create_builtin` and `_imp.create_dynamic` do."""
    module = wrap_in(start(*given, **named))
    if type(module) is module_type:
        names = module.__dict__
        for name in ("create_builtin", "create_dynamic"):
            found = names.get(name)
            if type(found) is builtin_function:
                names[name] = imp.__dict__[name]
    return module


# -- Installation -----------------------------------------------------------------------------------------------------



@later
def forget(space):
    """Leaves of the globals what C code goes by that imports something while it is called from here."""
    builtins = space["__builtins__"]
    space.clear()
    space["__builtins__"] = builtins


NAMES = (
    "open",
    "import",
    "object.__setattr__",
    "object.__delattr__",
    "object.__getattr__",
    "gc.get_referents",
    "os.remove",
    "os.rmdir",
    "shutil.rmtree",
    "os.mkdir",
    "os.rename",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "os.chflags",
    "os.utime",
    "os.setxattr",
    "os.removexattr",
    "sqlite3.connect",
    "sqlite3.enable_load_extension",
    "sqlite3.load_extension",
    "socket.bind",
    "socket.connect",
    "socket.sendto",
    "socket.sendmsg",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.startfile/2",
    "pty.spawn",
    "webbrowser.open",
    "_winapi.CreateProcess",
    "fcntl.ioctl",
    "fcntl.fcntl",
    "os.putenv",
    "cpython.PyInterpreterState_Clear",
    "pi.status",
    "os.kill",
    "os.killpg",
    "resource.prlimit",
    "ctypes.dlopen",
    "ctypes.dlsym",
    "ctypes.dlsym/handle",
    "ctypes.call_function",
    "ctypes.cdata",
    "ctypes.string_at",
    "ctypes.wstring_at",
    "ctypes.memoryview_at",
    "ctypes.PyObj_FromPtr",
    "winreg.CreateKey",
    "winreg.DeleteKey",
    "winreg.DeleteValue",
    "winreg.SetValue",
    "winreg.LoadKey",
    "winreg.SaveKey",
    "sys.addaudithook",
    "cpython.PyInterpreterState_New",
    "sys.remote_exec",
)
ACTIONS = (
    on_open,
    on_import,
    on_attribute,
    on_attribute,
    on_attribute,
    on_referents,
    on_remove,
    on_remove,
    on_rmtree,
    on_mkdir,
    on_rename,
    on_link,
    on_symlink,
    on_truncate,
    on_attributes,
    on_attributes,
    on_attributes,
    on_attributes,
    on_attributes,
    on_attributes,
    on_sqlite,
    on_extension,
    on_extension,
    on_bind,
    on_connect,
    on_connect,
    on_connect,
    on_program,
    on_program,
    on_program,
    on_program,
    on_program,
    on_program,
    on_program,
    on_program,
    on_program,
    on_program,
    on_ioctl,
    on_fcntl,
    on_variable,
    on_clear,
    on_status,
    on_kill,
    on_kill,
    on_limits,
    on_dlopen,
    on_native,
    on_native,
    on_native,
    on_memory,
    on_native,
    on_native,
    on_native,
    on_native,
    on_registry,
    on_registry,
    on_registry,
    on_registry,
    on_registry,
    on_registry,
    on_other_hook,
    on_other_interpreter,
    on_other_interpreter,
)
EVENTS = frozenset(NAMES)


def hook(event, args):
    if event in EVENTS:
        action = ACTIONS[NAMES.index(event)]
        if type(action) is tuple:
            action = awake(action)
        action(event, args)


if "program" not in GRANTED or "signal" not in GRANTED:
    wrap_in(sys.modules["_signal"])
    for name in "signal", "gc", "_posixsubprocess", "subprocess":
        if name in sys.modules:
            wrap_in(sys.modules[name])
    imp.create_builtin = wrapped(create, imp.create_builtin)
    if hasattr(imp, "create_dynamic"):
        imp.create_dynamic = wrapped(create, imp.create_dynamic)
sys.addaudithook(hook.__call__)
forget(OURS)
