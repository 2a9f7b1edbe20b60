//! A program meets Python as it is: what it sees is held against plain `python -B`, with every Python found here.

use super::runs::{self, Plain, Ran, json, place_with, pythons};
use crate::support::Place;
use crate::support::python::{Real, real};

/// Runs `test` with every Python; what fails names the version.
fn with_every_python(mut test: impl FnMut(&Real, &Place)) {
    for python in pythons() {
        eprintln!("with Python {}", python.version);
        test(python, &place_with(python));
    }
}

/// The program as code, with these arguments.
fn code(place: &Place, source: &str, args: &[&str]) -> Ran {
    Ran::of(json(place).arg("-").args(args).stdin(source))
}

/// The program as a script, with these arguments.
fn script(place: &Place, name: &str, args: &[&str]) -> Ran {
    Ran::of(json(place).arg(name).args(args))
}

/// Holds programs against plain Python, and tells of all that differ.
#[derive(Default)]
struct Comparison(String);

impl Comparison {
    fn add(&mut self, what: &str, python: &Real, seen: &Plain, plain: &Plain) {
        use std::fmt::Write;
        if seen != plain {
            let version = &python.version;
            let _ = writeln!(
                self.0,
                "\n{what}, with Python {version}\nin pi: {seen}\nplain: {plain}"
            );
        }
    }

    /// The program as code.
    fn code(&mut self, what: &str, python: &Real, place: &Place, source: &str, args: &[&str]) {
        let plain = Plain::code(place, python, source.as_bytes(), args);
        let seen = code(place, source, args).as_plain();
        self.add(&format!("{what}, as code"), python, &seen, &plain);
    }

    /// The program as a script.
    fn script(&mut self, what: &str, python: &Real, place: &Place, source: &[u8], args: &[&str]) {
        place.write("cwd/program.py", source);
        let plain = Plain::script(place, python, "program.py", args);
        let seen = script(place, "program.py", args).as_plain();
        self.add(&format!("{what}, as a script"), python, &seen, &plain);
    }

    #[track_caller]
    fn conclude(self) {
        assert!(self.0.is_empty(), "{}", self.0);
    }
}

/// What a program can ask of itself and its interpreter.
const FACTS: &str = r#""""A docstring."""
import sys
print(__name__, __doc__, sorted(globals()))
print(type(__loader__).__name__, getattr(__loader__, '__name__', ''), __spec__, __package__)
print('__file__' in globals(), globals().get('__cached__'), __builtins__)
print(sys.modules['__main__'].__dict__ is globals(), globals() is locals())
print(sys.argv, sys.path)
print(sys.flags)
print(sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix)
print(sys.warnoptions, sys._xoptions, sys.getrecursionlimit(), sys.pycache_prefix)
for stream in (sys.stdin, sys.stdout, sys.stderr):
    print(stream.name, stream.mode, stream.encoding, stream.errors, stream.newlines, stream.line_buffering,
          getattr(stream, 'write_through', None), stream.isatty(), type(stream.buffer).__name__)
print(sys.stdout is sys.__stdout__, sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__)
print(sys.gettrace(), sys.getprofile(), len(sys.path_hooks))
print(sys._getframe().f_code.co_name, sys._getframe().f_lineno)
print(sys._getframe().f_code.co_flags, __import__('__main__').__name__)
import threading, os, gc, locale, tempfile, signal
print([t.name for t in threading.enumerate()], threading.active_count(), gc.isenabled(), gc.get_threshold())
print(locale.setlocale(locale.LC_CTYPE), locale.getpreferredencoding(False))
print(tempfile.gettempdir(), os.getcwd(), oct(os.umask(0o22)))
print(sys.getswitchinterval(), sys.float_info.max, sys.hash_info.width, sys.dont_write_bytecode)
print('exit' in dir(__builtins__), 'copyright' in dir(__builtins__), '_' in globals())
def f(n):
    return 0 if n == 0 else 1 + f(n - 1)
print(f(900))
try: f(5000)
except RecursionError as error: print(error)
"#;

#[test]
fn what_a_program_sees_is_as_in_plain_python() {
    let mut comparison = Comparison::default();
    with_every_python(|python, place| {
        let args = ["a", "ä b", "", "-c", "--json"];
        comparison.code("facts", python, place, FACTS, &args);
        comparison.script("facts", python, place, FACTS.as_bytes(), &args);
    });
    comparison.conclude();
}

/// Programs that do the same everywhere, standard error included.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "a future import",
        "'doc'\nfrom __future__ import annotations\ndef f(x: undefined): pass\nprint(f.__annotations__)",
    ),
    (
        "no future import",
        "try:\n    def f(x: undefined): pass\n    print(f.__annotations__)\nexcept NameError as e: print(e)",
    ),
    (
        "a walrus at the top",
        "print(y := 10, y)\nif (n := 3) > 2: print(n)",
    ),
    (
        "names of functions and classes",
        "class C:\n    def m(self): pass\nprint(C, C.m, C.__module__, repr(C.m.__code__.co_name))",
    ),
    ("annotations at the top", "x: int = 1\nprint(x)"),
    ("no echo of expressions", "1 + 1\n'text'\nprint('end')"),
    (
        "a last line without its end",
        "print('a')\nif True:\n    print('b')",
    ),
    (
        "blank lines inside a function",
        "def f():\n    x = 1\n\n    y = 2\n\n\n    return x + y\nprint(f())\n",
    ),
    (
        "tabs, form feeds and line ends of Windows",
        "if True:\r\n\tprint('a')\r\n\x0c\r\nprint('b')\r\n",
    ),
    ("text in three quotes", "print('''a\n\n  b''')"),
    ("only comments", "# nothing\n#: here\n"),
    ("nothing", ""),
    ("only blanks", "\n   \n\t\n"),
    (
        "atexit functions in order",
        "import atexit\nfor i in range(3): atexit.register(print, 'bye', i)\nprint('end')",
    ),
    (
        "threads that outlive the main one",
        "import threading, time\ndef f():\n    time.sleep(0.2); print('thread')\nthreading.Thread(target=f).start()\nprint('main')",
    ),
    (
        "daemon threads that do not",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\nprint('main')",
    ),
    (
        "a hook for exceptions",
        "import sys\nsys.excepthook = lambda t, v, tb: print('mine', t.__name__, v, tb.tb_lineno)\ndef f(): 1/0\nf()",
    ),
    (
        "a hook for threads",
        "import threading\nthreading.excepthook = lambda a: print('mine', a.exc_type.__name__)\nt = threading.Thread(target=lambda: 1/0); t.start(); t.join()",
    ),
    (
        "asyncio",
        "import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 7\nprint(asyncio.run(f()))",
    ),
    (
        "pickling of its own classes",
        "import pickle\nclass C:\n    def __init__(self): self.x = 1\nc = pickle.loads(pickle.dumps(C()))\nprint(type(c) is C, c.x, pickle.dumps(C).count(b'__main__'))",
    ),
    (
        "dataclasses and enums",
        "import dataclasses, enum\n@dataclasses.dataclass\nclass P:\n    x: int\nclass E(enum.Enum): A = 1\nprint(P(1), repr(E.A))",
    ),
    (
        "typing of its own names",
        "import typing\nclass C:\n    x: 'C'\nprint(typing.get_type_hints(C))",
    ),
    (
        "exec and eval",
        "exec('z = 5')\nprint(z, eval('z + 1'), [z for _ in range(1)])",
    ),
    (
        "a run of its own name",
        "import __main__\nprint(__main__.__name__, hasattr(__main__, 'here'))\nhere = 1\nprint(__main__.here)",
    ),
    (
        "a module beside it",
        "import beside\nprint(beside.VALUE, beside.__file__.endswith('beside.py'))",
    ),
    (
        "runpy",
        "import runpy\nprint(runpy.run_path('beside.py')['VALUE'])",
    ),
    (
        "both streams in order",
        "import sys\nfor i in range(3):\n    print('out', i); print('err', i, file=sys.stderr)",
    ),
    (
        "bytes to standard output",
        "import sys, os\nsys.stdout.write('a'); sys.stdout.buffer.write(b'b'); os.write(1, b'c\\n'); print('d')",
    ),
    (
        "a subprocess that prints",
        "import subprocess, sys\nprint('a'); subprocess.run([sys.executable, '-c', 'print(1)']); print('b')",
    ),
    (
        "a fork that prints",
        "import os\nprint('before')\nif os.fork() == 0:\n    print('child'); os._exit(0)\nos.wait(); print('parent')",
    ),
    (
        "a fork whose child ends in its own way",
        "import os, sys\nif os.fork() == 0:\n    print('child'); sys.exit(3)\nprint(os.waitstatus_to_exitcode(os.wait()[1]))",
    ),
    (
        "fork processes",
        "import multiprocessing as m\ndef f(x): return x * x\nclass C:\n    def __init__(self, x): self.x = x\ndef g(c): return C(c.x + 1)\nif __name__ == '__main__':\n    with m.get_context('fork').Pool(2) as p: print(p.map(f, range(4)), p.map(g, [C(1)])[0].x)",
    ),
    (
        "a finalizer at the end",
        "class C:\n    def __del__(self): print('deleted')\nc = C()\nprint('end')",
    ),
    (
        "a finalizer of an object in a list that nothing names",
        "class C:\n    def __del__(self): print('deleted')\na = [C()]; a.append(a); del a\nprint('end')",
    ),
    (
        "a finalizer of an object without any attribute",
        "class C:\n    __slots__ = ()\n    def __del__(self): print('deleted')\nprint.__self__.c = C()\nprint('end')",
    ),
    (
        "a finalizer behind a closure",
        "def f():\n    class C:\n        def __del__(self): print('deleted')\n    c = C()\n    return lambda: c\ng = f()",
    ),
    (
        "a generator that is not through",
        "def g():\n    try: yield\n    finally: print('finally')\ni = g(); next(i)",
    ),
    (
        "a coroutine that was never awaited",
        "async def f(): pass\nc = f()",
    ),
    (
        "a file that is never closed",
        "f = open(f'left-{id(0)}', 'w'); f.write('all of it')\nclass R:\n    def __del__(self, open=open, name=f.name): print(open(name).read())\nr = [R()]\n__builtins__.last = r",
    ),
    (
        "a file of another name for standard output",
        "import sys, os\nsys.stdout = os.fdopen(os.dup(1), 'w', buffering=4096)\nprint('buffered')",
    ),
    (
        "a callback of a weak reference",
        "from _weakref import ref\nf = lambda: 0\nr = ref(f, lambda r: print('gone'))\n__builtins__.kept = r",
    ),
    (
        "a thread of the lowest kind",
        "import _thread, os\n_thread.start_new_thread(lambda: os.read(os.pipe()[0], 1), ())\nprint('end')",
    ),
    (
        "standard output that is closed",
        "import sys\nprint('end')\nsys.stdout.close()",
    ),
    (
        "a warning on standard error",
        "import sys, warnings\nwarnings.showwarning = lambda m, c, *a, **k: print('warned', m, file=sys.stderr)\nwarnings.warn('careful')",
    ),
    (
        "surrogates in the output",
        "try: print('\\udcff')\nexcept UnicodeEncodeError as e: print('error', e.reason)",
    ),
    (
        "filters of warnings",
        "import warnings, sys\nprint(warnings.filters, sys.getprofile(), sys.gettrace())",
    ),
    (
        "a profiler of its own",
        "import sys\ncalls = []\nsys.setprofile(lambda frame, event, _: calls.append(event))\n\
         def f(): pass\nf()\nsys.setprofile(None)\nprint(calls)",
    ),
    (
        "its own name in compiled code",
        "def f(): pass\nprint(f.__code__.co_filename == f.__globals__['__file__'], f.__module__, f.__qualname__)",
    ),
    ("help of its own", "def f():\n    'What f does.'\nhelp(f)"),
    (
        "a debugger's hook",
        "import sys\nprint(sys.breakpointhook is sys.__breakpointhook__)",
    ),
    (
        "a new module of its own name",
        "import sys, types\nsys.modules['__main__'] = types.ModuleType('other')\nprint(__name__)",
    ),
    (
        "doctest of itself",
        "def f():\n    '''\n    >>> f()\n    1\n    '''\n    return 1\nimport doctest\nprint(doctest.testmod())",
    ),
    (
        "unittest of itself",
        "import unittest, sys\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(1, 1)\nprint(unittest.main(argv=['x'], exit=False, testRunner=unittest.TextTestRunner(stream=open('log', 'w'))).result.testsRun)",
    ),
];

#[cfg(unix)]
#[test]
fn programs_do_what_they_do_in_plain_python() {
    let mut comparison = Comparison::default();
    with_every_python(|python, place| {
        place.write("cwd/beside.py", "VALUE = 42\n");
        for (what, source) in PROGRAMS {
            comparison.code(what, python, place, source, &["a"]);
        }
    });
    // A script is the interpreter's own affair, of whatever version it is.
    let (python, place) = (real(), super::runs::place());
    place.write("cwd/beside.py", "VALUE = 42\n");
    for (what, source) in PROGRAMS {
        comparison.script(what, python, &place, source.as_bytes(), &["a"]);
    }
    comparison.conclude();
}

/// Programs that fail; as scripts they fail exactly as in plain Python.
const FAILURES: &[(&str, &str)] = &[
    (
        "nested functions",
        "def f():\n    g()\ndef g():\n    raise ValueError('deep')\n\nf()",
    ),
    ("a syntax error", "x = 1\ndef f(:\n    pass"),
    ("a wrong indent", "if True:\nprint(1)"),
    ("an open bracket", "print((1,\n"),
    ("an open string", "print('abc"),
    (
        "an await at the top",
        "import asyncio\nawait asyncio.sleep(1)",
    ),
    ("a return at the top", "x = 1\nreturn x"),
    (
        "a cause",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('outer') from e",
    ),
    (
        "a context",
        "try:\n    [][1]\nexcept IndexError:\n    {}['k']",
    ),
    (
        "an assertion",
        "def check(x):\n    assert x > 1, f'{x} is small'\n\ncheck(0)",
    ),
    ("an error without text", "raise Exception"),
    (
        "a note",
        "e = ValueError('x')\nif hasattr(e, 'add_note'): e.add_note('a note\\nof two lines')\nraise e",
    ),
    (
        "an unknown name with a known neighbour",
        "value = 1\nprint(valeu)",
    ),
    (
        "letters beyond ASCII",
        "größe = '✓'\nraise ValueError(f'{größe} 你好')",
    ),
    (
        "an error in a comprehension",
        "def f(x): return 1 / x\n[f(x) for x in (1, 0)]",
    ),
    ("a recursion without end", "def f(): return f()\nf()"),
    (
        "a module that is not there",
        "import does_not_exist_anywhere",
    ),
    ("an error in a module beside it", "import broken"),
    ("a syntax error in a module beside it", "import unparsable"),
    (
        "a last line without its end",
        "x = [1,\n     2]\nraise ValueError(\n    x\n)",
    ),
    ("an error in exec", "exec('1/0')"),
    (
        "an error in a thread",
        "import threading\nt = threading.Thread(target=lambda: 1 / 0, name='t')\nt.start(); t.join()",
    ),
    (
        "an error in atexit",
        "import atexit\natexit.register(lambda: 1 / 0)",
    ),
    (
        "an error in a finalizer",
        "class C:\n    def __del__(self): 1 / 0\nC()",
    ),
    (
        "a printed traceback",
        "import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()",
    ),
    (
        "a warning",
        "import warnings\nwarnings.warn('careful')\ndef f():\n    warnings.warn('again', stacklevel=2)\nf()",
    ),
    ("a syntax warning", "x = 1\nprint(x is 1000)"),
    (
        "logging with a traceback",
        "import logging\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    logging.exception('oops')",
    ),
    (
        "a group",
        "import sys\nif sys.version_info >= (3, 11): raise ExceptionGroup('g', [ValueError(1), TypeError(2)])\nraise ValueError",
    ),
    (
        "a syntax error that is raised on the way",
        "print('once')\nraise SyntaxError('mine')",
    ),
    (
        "a syntax error of what is run on the way",
        "print('once')\nexec('x = (')",
    ),
    (
        "a syntax warning that is given on the way",
        "import warnings\nprint('once')\nwarnings.warn('mine', SyntaxWarning)",
    ),
    (
        "a syntax warning of what is run on the way",
        "print('once')\nexec('print(1 is 1)')\n1/0",
    ),
    (
        "a warning made an error",
        "import warnings\nprint('once')\nwarnings.simplefilter('error')\nwarnings.warn('mine')",
    ),
    (
        "a name beyond ASCII in a function",
        "def größe(ß): return 1 / ß\nclass Ä: pass\nprint(Ä.__name__)\ngröße(0)",
    ),
    (
        "an exception that is no error",
        "print('once')\nraise BaseException('mine')",
    ),
    (
        "an error of its own module",
        "print('once')\nimport __main__\n__main__.missing",
    ),
    (
        "a name that looks like a file",
        "raise FileNotFoundError(2, 'No such file or directory', '<code>')",
    ),
];

/// What a failing program needs beside it.
fn write_broken_modules(place: &Place) {
    place.write("cwd/broken.py", "def f():\n    1 / 0\nf()\n");
    place.write("cwd/unparsable.py", "def f(:\n");
}

#[test]
fn scripts_fail_as_in_plain_python() {
    let mut comparison = Comparison::default();
    let place = super::runs::place();
    write_broken_modules(&place);
    for (what, source) in FAILURES {
        comparison.script(what, real(), &place, source.as_bytes(), &[]);
    }
    comparison.conclude();
}

#[test]
fn code_fails_as_a_script_of_the_same_text_would() {
    // What the interpreter itself prints of code, such as errors in a thread, has no source lines before Python 3.13,
    // and no more than that is asked of pi. The rest is the traceback of a script whose name is `<code>`.
    let mut comparison = Comparison::default();
    with_every_python(|python, place| {
        write_broken_modules(place);
        for (what, source) in FAILURES {
            place.write("cwd/program.py", source);
            let path = place.cwd().join("program.py").display().to_string();
            let named = |plain: Plain, name: &str| Plain {
                stdout: plain.stdout.replace(name, "<code>"),
                stderr: without_counts(&plain.stderr.replace(name, "<code>")),
                ..plain
            };
            let script = named(Plain::script(place, python, "program.py", &[]), &path);
            let script = named(script, "program.py");
            let bare = named(
                Plain::code(place, python, source.as_bytes(), &[]),
                "<stdin>",
            );
            let seen = named(code(place, source, &[]).as_plain(), "<code>");
            if seen != bare {
                comparison.add(what, python, &seen, &script);
            }
        }
    });
    comparison.conclude();
}

/// How deep a recursion came depends on what stands below it, and the interpreter's own printer marks one character
/// where the library's marks a word.
fn without_counts(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let bare = line.trim_start();
        if bare.starts_with("[Previous line repeated ") {
            "  [Previous line repeated]"
        } else if !bare.is_empty() && bare.bytes().all(|byte| byte == b'^') {
            "^"
        } else {
            line
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_traceback_of_code_shows_lines_and_nothing_of_pi() {
    with_every_python(|_, place| {
        let source =
            "def inner(x):\n    return 1 / x\n\ndef outer():\n    return inner(0)\n\nouter()\n";
        let ran = code(place, source, &[]).exited(1);
        let text = ran.stderr.text.replace(['^', '~'], "");
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        assert_eq!(
            lines,
            [
                "Traceback (most recent call last):",
                "File \"<code>\", line 7, in <module>",
                "outer()",
                "File \"<code>\", line 5, in outer",
                "return inner(0)",
                "File \"<code>\", line 2, in inner",
                "return 1 / x",
                "ZeroDivisionError: division by zero",
            ],
            "{ran}"
        );
    });
}

#[test]
fn code_can_show_its_own_source() {
    with_every_python(|_, place| {
        let source = "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f))";
        code(place, source, &[])
            .exited(0)
            .printed("def f():\n    return 1\n\n");
    });
}

#[cfg(unix)]
#[test]
fn scripts_share_work_among_processes_of_every_kind() {
    let source = r"
import multiprocessing as m, os, sys
from concurrent.futures import ProcessPoolExecutor

class Pair:
    def __init__(self, x): self.x = x

def square(x): return x * x
def swap(pair): return Pair(-pair.x)
def send(queue): queue.put((__name__, sys.argv[1:], os.path.basename(__file__)))

if __name__ == '__main__':
    for kind in ('fork', 'spawn', 'forkserver'):
        context = m.get_context(kind)
        with context.Pool(2) as pool:
            print(kind, pool.map(square, range(3)), pool.map(swap, [Pair(1)])[0].x)
        queue = context.Queue()
        process = context.Process(target=send, args=(queue,))
        process.start(); print(queue.get()); process.join(); print(process.exitcode)
    with ProcessPoolExecutor(2) as pool: print(list(pool.map(square, range(3))))
";
    let mut comparison = Comparison::default();
    with_every_python(|python, place| {
        comparison.script("processes", python, place, source.as_bytes(), &["a"]);
    });
    comparison.conclude();
}

#[cfg(unix)]
#[test]
fn code_shares_work_among_forked_processes() {
    let source = r"
import multiprocessing as m, pickle
class Pair:
    def __init__(self, x): self.x = x
def swap(pair): return Pair(-pair.x)
context = m.get_context('fork')
with context.Pool(2) as pool: print(pool.map(swap, [Pair(1)])[0].x)
queue = context.Queue()
process = context.Process(target=queue.put, args=(Pair(5),))
process.start(); print(queue.get().x); process.join(); print(process.exitcode)
";
    with_every_python(|_, place| {
        code(place, source, &[]).exited(0).printed("-1\n5\n0\n");
    });
}

#[cfg(unix)]
#[test]
fn code_shares_work_among_processes_that_start_afresh() {
    // Better than plain Python, whose `python -` leaves such processes nothing to start from.
    let source = r"
import beside, multiprocessing as m
class Pair:
    def __init__(self, x): self.x = x
def swap(pair): return Pair(-pair.x)
if __name__ == '__main__':
    for kind in ('spawn', 'forkserver'):
        with m.get_context(kind).Pool(1) as pool:
            print(kind, pool.map(beside.double, [4]), pool.map(swap, [Pair(1)])[0].x)
";
    with_every_python(|_, place| {
        place.write("cwd/beside.py", "def double(x): return 2 * x\n");
        code(place, source, &[])
            .exited(0)
            .printed("spawn [8] -1\nforkserver [8] -1\n");
        let left = crate::support::pi::files_below(&place.tmp());
        assert!(left.is_empty(), "{left:?}");
    });
}

#[test]
fn the_coding_of_a_script_is_its_own_affair() {
    let latin = b"# -*- coding: latin-1 -*-\nprint('gr\xfc\xdfe', len('\xfc'))\n";
    let bom = b"\xef\xbb\xbfprint('\xc3\xa9')\n";
    let second_line = b"#!/usr/bin/env python3\n# vim: set fileencoding=cp1252 :\nprint('\x80')\n";
    let mut comparison = Comparison::default();
    with_every_python(|python, place| {
        for source in [&latin[..], bom, second_line] {
            comparison.script(&String::from_utf8_lossy(source), python, place, source, &[]);
        }
    });
    comparison.conclude();
}

#[test]
fn a_script_that_is_no_text_is_a_syntax_error() {
    let wrong = b"x = 1\nprint('\xff\xfe')\n";
    let unknown = b"# coding: no-such-coding\nprint(1)\n";
    let nul = b"print(1)\n\x00\nprint(2)\n";
    let conflict = b"\xef\xbb\xbf# coding: latin-1\nprint(1)\n";
    with_every_python(|_, place| {
        for source in [&wrong[..], unknown, nul, conflict] {
            place.write("cwd/program.py", source);
            let ran = Ran::of(runs::json(place).arg("program.py")).exited(1);
            assert_eq!(ran.stdout.text, "");
            assert!(
                ["SyntaxError: ", "null bytes"]
                    .iter()
                    .any(|word| ran.stderr.text.contains(word)),
                "{}",
                ran.stderr.text
            );
        }
    });
}

#[test]
fn the_coding_of_code_is_as_in_plain_python_too() {
    let latin = b"# -*- coding: latin-1 -*-\nprint('gr\xfc\xdfe', len('\xfc'))\n";
    let bom = b"\xef\xbb\xbfprint('\xc3\xa9')\n";
    let mut comparison = Comparison::default();
    with_every_python(|python, place| {
        for source in [&latin[..], bom] {
            let plain = Plain::code(place, python, source, &[]);
            let seen = Ran::of(json(place).arg("-").stdin(source)).as_plain();
            comparison.add(&String::from_utf8_lossy(source), python, &seen, &plain);
        }
        // What can't be decoded is an error of the program, in Python's words.
        let ran = Ran::of(json(place).arg("-").stdin(b"x = 1\nprint('\xff\xfe')\n")).exited(1);
        assert!(ran.stderr.text.contains("SyntaxError"), "{ran}");
    });
    comparison.conclude();
}

#[test]
fn files_of_the_project_that_shadow_modules_do_no_harm() {
    let place = super::runs::place();
    for name in [
        "json",
        "socket",
        "random",
        "site",
        "ast",
        "sitecustomize",
        "usercustomize",
        "typing",
        "linecache",
        "io",
        "os",
        "sys",
        "types",
        "signal",
        "traceback",
        "codecs",
        "tokenize",
        "importlib",
        "encodings",
        "runpy",
        "builtins",
        "threading",
        "struct",
        "base64",
        "functools",
        "re",
        "inspect",
        "token",
        "warnings",
        "contextlib",
        "abc",
        "collections",
        "pathlib",
        "posixpath",
        "genericpath",
        "stat",
        "zipimport",
        "atexit",
        "textwrap",
    ] {
        place.write(
            format!("cwd/{name}.py"),
            "open('shadowed', 'a').write(__name__)\nraise RuntimeError('shadow ' + __name__)\n",
        );
    }
    place.write("cwd/program.py", "print(1)");
    let shadowed = place.cwd().join("shadowed");
    Ran::of(json(&place).args(["--code", "print(1)"]))
        .exited(0)
        .printed("1\n");
    Ran::of(json(&place).args(["program.py"]))
        .exited(0)
        .printed("1\n");
    Ran::of(json(&place).arg("-").stdin("print(1)"))
        .exited(0)
        .printed("1\n");
    assert!(
        !shadowed.exists(),
        "{:?}",
        std::fs::read_to_string(&shadowed)
    );
    // What fails for another reason says that reason.
    Ran::of(json(&place).args(["--code", "def f():\n    raise ValueError('mine')\nf()"]))
        .exited(1)
        .complained("ValueError: mine");
    Ran::of(json(&place).args(["--code", "def f(:"]))
        .exited(1)
        .complained("SyntaxError");
    // A program that trips over such a file is told which.
    let file = place.cwd().join("json.py").display().to_string();
    Ran::of(json(&place).args(["--code", "import json"]))
        .exited(1)
        .complained("shadow json")
        .complained(&file);
}

#[test]
fn a_script_anywhere_finds_the_modules_beside_it() {
    let place = super::runs::place();
    place.write("cwd/tools/beside.py", "VALUE = 42\n");
    place.write(
        "cwd/tools/job.py",
        "import beside, os, sys; print(beside.VALUE, os.getcwd(), sys.path[0], sys.argv[0], __file__)",
    );
    let cwd = place.cwd();
    let dir = cwd.join("tools");
    let full = dir.join("job.py");
    for (script, own) in [
        ("tools/job.py", "tools/job.py".to_owned()),
        ("@tools/job.py", "tools/job.py".to_owned()),
        (full.to_str().unwrap(), full.display().to_string()),
    ] {
        let ran = Ran::of(json(&place).arg(script)).exited(0);
        let words: Vec<&str> = ran.stdout.text.split_whitespace().collect();
        assert_eq!(
            words[..3],
            ["42", cwd.to_str().unwrap(), dir.to_str().unwrap()],
            "{ran}"
        );
        // pi may make the path of the script absolute; it names the same file.
        for word in &words[3..] {
            assert!(
                *word == own || *word == full.to_str().unwrap(),
                "{word}\n{ran}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_script_needs_no_name_and_no_permission_to_be_executed() {
    let place = super::runs::place();
    for name in ["job", "job.txt", "-", "--json", " a b"] {
        place.write(
            format!("cwd/{name}"),
            "#!/nonexistent/interpreter\nprint('ran')\n",
        );
        let path = format!("./{name}");
        Ran::of(json(&place).arg(path)).exited(0).printed("ran\n");
    }
    std::os::unix::fs::symlink("job", place.cwd().join("link.py")).unwrap();
    Ran::of(json(&place).arg("link.py"))
        .exited(0)
        .printed("ran\n");
}
