//! What needs approval: one row a rule.
//!
//! A rule names calls and what has to hold for their arguments; its examples are its tests. Codes end in 01 and above:
//! those that end in 00 are the guard's, for what it sees at run time.

use super::value::Arg;
use crate::approval::Category;

/// One rule.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Such as `PI101`.
    pub code: &'static str,
    pub category: Category,
    /// What the code would do; `{}` is the target.
    pub message: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// The calls that it looks at.
    pub calls: &'static [Call],
    /// Programs in which it must find something.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "examples are for readers and tests")
    )]
    pub found: &'static [&'static str],
    /// Programs in which it must find nothing.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "examples are for readers and tests")
    )]
    pub not_found: &'static [&'static str],
}

/// A call, and what has to hold for it to be found.
#[derive(Debug)]
pub(crate) struct Call {
    /// The full name. A method's begins with its class, and its receiver is argument 0.
    pub name: &'static str,
    pub when: When,
}

/// What has to hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    /// Always.
    Always,
    /// The path was not made by the run itself.
    Deletes(Arg),
    /// The path lies where the run may not write, or is a file in a temporary directory that was there before.
    Writes(Arg),
    /// As `Writes`, if this mode (or that one, where it is left out) is one for writing.
    Opens(Arg, Arg, &'static str),
    /// As `Opens`, with flags of `os.open`.
    OpensRaw(Arg, Arg),
    /// As `Writes`, of a database: one that is there may as well be read.
    Connects(Arg),
    /// As `Writes`, of the file that has this format's suffix.
    Archives(Arg, Arg),
    /// As `Writes`; a directory that is there already is left alone.
    MakesDirectory(Arg),
    /// Files are made in the directory, which lies where the run may not write.
    Unpacks(Arg),
    /// As `Writes`, of a file with the source's name where the target is a directory.
    CopiesTo(Arg, Arg),
    /// As `CopiesTo`, and the source is where it may not be taken from.
    Moves(Arg, Arg),
    /// The source is in the workspace, was not made by the run, and the target is elsewhere.
    MovesOut(Arg, Arg),
    /// Another program than this Python is started: a list of words, or a text for a shell.
    Starts(Arg),
    /// As `Starts`, with every argument from this one on being a word.
    StartsWords(u8),
    /// The argument is another program than this Python.
    OtherExecutable(Arg),
    /// The words are a command that publishes.
    Publishes(Arg),
    /// As `Publishes`, with every argument from this one on being a word.
    PublishesWords(u8),
    /// The process is not the run's own. A signal of 0 only asks whether it is there.
    Signals(Arg, Arg),
    /// The path is a store of credentials.
    Reads(Arg),
    /// The argument is left out.
    LeftOut(Arg),
}

const fn call(name: &'static str, when: When) -> Call {
    Call { name, when }
}

const PATH: Arg = Arg(0, "path");
const THIS: Arg = Arg(0, "self");

/// The rule for writing to pi's own directory, which any call that writes may break.
pub(crate) const TAMPER: &str = "PI801";

/// Every rule, in the order of codes.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        code: "PI101",
        category: Category::Delete,
        message: "deletes the file {}",
        help: "approve it if the file may go; a file that the same run made needs no approval",
        calls: &[
            call("os.remove", When::Deletes(PATH)),
            call("os.unlink", When::Deletes(PATH)),
            call("pathlib.Path.unlink", When::Deletes(THIS)),
        ],
        found: &[
            "import os\nos.remove('a.txt')",
            "import os as system\nsystem.unlink('a.txt')",
            "from os import remove as tidy\ntidy('a.txt')",
            "import os\nclean = os.unlink\nclean('a.txt')",
            "import os\ngetattr(os, 'unl' + 'ink')('a.txt')",
            "__import__('os').remove('a.txt')",
            "import importlib\nimportlib.import_module('o' + 's').remove('a.txt')",
            "from posix import unlink\nunlink('a.txt')",
            "import os, sys\nsys.modules['os'].remove('a.txt')",
            "import os\nvars(os)['remove']('a.txt')",
            "from functools import partial\nimport os\npartial(os.remove, 'a.txt')()",
            "from operator import methodcaller\nfrom pathlib import Path\nmethodcaller('unlink')(Path('a.txt'))",
            "import operator, os\noperator.attrgetter('remove')(os)('a.txt')",
            "import operator, os\noperator.call(os.remove, 'a.txt')",
            "import os\nos.remove(*['a.txt'])",
            "import os\nos.remove(**{'path': 'a.txt'})",
            "import os\nclass Tools:\n    system = os\nTools.system.remove('a.txt')",
            "import os\nclass Tools:\n    def __init__(self):\n        self.rm = os.remove\n    def go(self):\n        self.rm('a.txt')\nTools().go()",
            "from pathlib import Path\np = Path('data') / 'a.txt'\np.unlink(missing_ok=False)",
            "import pathlib\nfor p in pathlib.Path('.').glob('*.log'):\n    p.unlink()",
            "import glob, os\nfor name in glob.glob('*.log'):\n    os.remove(name)",
            "import glob, os\nlist(map(os.remove, glob.iglob('*.log')))",
            "import os\n[os.remove(x) for x in os.listdir('.')]",
            "import os\ndef clean(path, how=os.remove):\n    how(path)\nclean('a.txt')",
            "import os\ndef each(function, names):\n    for name in names:\n        function(name)\neach(os.remove, ['a.txt'])",
            "import os\nif (rm := os.remove):\n    rm('a.txt')",
            "try:\n    from os import unlink as rm\nexcept ImportError:\n    rm = None\nrm('a.txt')",
            "def f():\n    import os\n    return os\nf().remove('a.txt')",
            "import os, atexit\natexit.register(os.remove, 'a.txt')",
            "import os, threading\nthreading.Thread(target=os.remove, args=('a.txt',)).start()",
            "import os\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n    pool.map(os.remove, ['a.txt'])",
            "import os\nrun = {'rm': os.remove}\nrun['rm']('a.txt')",
            "import os\na, b = os.remove, os.rename\na('a.txt')",
            "import os\nwith os.scandir('.') as entries:\n    for entry in entries:\n        os.remove(entry.path)",
            "import os\nfor root, dirs, files in os.walk('.'):\n    for file in files:\n        os.remove(os.path.join(root, file))",
            "from pathlib import Path\nPath.unlink(Path('a.txt'))",
            "from pathlib import Path\ndef f(p: Path):\n    p.unlink()",
            "from os import *\nremove('a.txt')",
            "import os\n(lambda p: os.remove(p))('a.txt')",
            "import os\n@lambda f: f()\ndef go():\n    os.remove('a.txt')",
            "import os\nasync def go():\n    async with x as y:\n        os.remove(y)",
            "import os\nmatch 1:\n    case 1:\n        os.remove('a.txt')",
            "import os\nexec(\"os.remove('a.txt')\")",
            "import os\nopen('/ws/old.txt', 'w').close()\nos.remove('/ws/old.txt')",
            "import os\nif os.path.exists('old.txt'):\n    os.remove('old.txt')",
            "from pathlib import Path\nPath('old.txt').unlink(missing_ok=True)",
        ],
        not_found: &[
            "note = 'os.remove(x)'  # os.remove('a.txt')\nprint(note)",
            "import os\ndef remove(x):\n    return x\nremove('a.txt')",
            "class os:\n    def remove(x):\n        return x\nos.remove('a.txt')",
            "[1, 2].remove(1)\n{1}.remove(1)",
            "import os\nopen('new.txt', 'w').close()\nos.remove('new.txt')",
            "import os\nfrom pathlib import Path\nPath('new.txt').write_text('x')\nos.unlink('./new.txt')",
            "import os, tempfile\nwith tempfile.NamedTemporaryFile(delete=False) as f:\n    f.write(b'x')\nos.unlink(f.name)",
            "import os, tempfile\nfd, path = tempfile.mkstemp()\ntry:\n    pass\nfinally:\n    os.close(fd)\n    os.remove(path)",
            "import os\ndef f(path):\n    with open(path, 'w') as f:\n        f.write('x')\n    os.remove(path)",
            "import os\nfor i in range(3):\n    open(f'new{i}.txt', 'w').close()\nfor i in range(3):\n    os.remove(f'new{i}.txt')",
            "import os\nprint(os.remove, callable(os.remove))",
            "import os\nif False:\n    os.remove('a.txt')",
            "import os\nremove = os.remove\nremove = print\nremove('a.txt')",
            "import os\nif os.path.exists('new.txt'):\n    os.remove('new.txt')",
            "from pathlib import Path\nPath('new.txt').unlink(missing_ok=True)",
            "import os\ntry:\n    os.unlink('new.txt')\nexcept FileNotFoundError:\n    pass",
            "import os, contextlib\nwith contextlib.suppress(OSError):\n    os.remove('new.txt')",
            "import os, sqlite3\nsqlite3.connect('new.db').close()\nos.remove('new.db')",
            "import os, shutil\nshutil.make_archive('new', 'gztar', 'src')\nos.remove('new.tar.gz')",
            "import os\nimport torch\ntorch.save([], 'new.pt')\nos.remove('new.pt')",
            "class Q:\n    def unlink(self):\n        return 'method'\nQ().unlink()",
            "def f(thing):\n    thing.unlink()",
            "import os\nfor os in [1]:\n    pass\nos.remove('a.txt')",
        ],
    },
    Rule {
        code: "PI102",
        category: Category::Delete,
        message: "deletes the directory {}",
        help: "approve it if the directory may go; one that the same run made needs no approval",
        calls: &[
            call("os.rmdir", When::Deletes(PATH)),
            call("os.removedirs", When::Deletes(Arg(0, "name"))),
            call("pathlib.Path.rmdir", When::Deletes(THIS)),
        ],
        found: &[
            "import os\nos.rmdir('d')",
            "from os import removedirs\nremovedirs('a/b/c')",
            "from pathlib import Path\nPath('d').rmdir()",
            "import pathlib\nbase = pathlib.Path.cwd()\n(base / 'd').resolve().rmdir()",
            "import os\nrm = getattr(__import__('os'), 'rmdir')\nrm('d')",
        ],
        not_found: &[
            "import os\nos.mkdir('new')\nos.rmdir('new')",
            "from pathlib import Path\np = Path('new')\np.mkdir()\np.rmdir()",
            "class D:\n    def rmdir(self):\n        pass\nD().rmdir()",
        ],
    },
    Rule {
        code: "PI103",
        category: Category::Delete,
        message: "deletes the tree {}",
        help: "approve it if everything in it may go; a tree that the same run made needs no approval",
        calls: &[
            call("shutil.rmtree", When::Deletes(PATH)),
            call(
                "distutils.dir_util.remove_tree",
                When::Deletes(Arg(0, "directory")),
            ),
            call(
                "setuptools._distutils.dir_util.remove_tree",
                When::Deletes(Arg(0, "directory")),
            ),
        ],
        found: &[
            "import shutil\nshutil.rmtree('build')",
            "from shutil import rmtree as tidy\ntidy('/etc', True)",
            "import shutil, os\nshutil.rmtree(os.path.join(os.path.expanduser('~'), '.config'))",
            "import os, shutil\nshutil.rmtree(os.path.expandvars('${HOME}/../outside'))",
            "import shutil\nclass Cleaner:\n    wipe = staticmethod(shutil.rmtree)\n    def go(self):\n        self.wipe('build')",
            "from distutils.dir_util import remove_tree\nremove_tree('build')",
            "import shutil\nwith open('list') as f:\n    for line in f:\n        shutil.rmtree(line.strip())",
            "import shutil\nfor tool in (shutil.rmtree,):\n    tool('build')",
            "import tempfile, shutil\nshutil.rmtree(tempfile.gettempdir())",
            "import shutil, types\nns = types.SimpleNamespace(rm=shutil.rmtree)\nns.rm('build')",
        ],
        not_found: &[
            "import shutil, tempfile\nd = tempfile.mkdtemp()\nshutil.rmtree(d)",
            "import tempfile, shutil\nwith tempfile.TemporaryDirectory() as d:\n    shutil.rmtree(d + '/sub')",
            "import shutil\nshutil.rmtree('new', ignore_errors=True)",
            "import os, shutil\nos.makedirs('new/deep')\nshutil.rmtree('new')",
            "import shutil\nshutil.copytree('src', 'new')\nshutil.rmtree('new')",
            "rmtree = print\nrmtree('build')",
            "import tempfile, shutil, unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.dir = tempfile.mkdtemp()\n    def tearDown(self):\n        shutil.rmtree(self.dir)",
        ],
    },
    Rule {
        code: "PI104",
        category: Category::Delete,
        message: "moves the file {} to the trash",
        help: "approve it if it may go there",
        calls: &[
            call("send2trash.send2trash", When::Deletes(Arg(0, "paths"))),
            call("gio.trash", When::Deletes(PATH)),
        ],
        found: &[
            "import send2trash\nsend2trash.send2trash('a.txt')",
            "from send2trash import send2trash\nsend2trash('a.txt')",
            "from send2trash import send2trash as away\nlist(map(away, ['a.txt']))",
            "import importlib\nimportlib.import_module('send2trash').send2trash('a.txt')",
        ],
        not_found: &[
            "def send2trash(x):\n    return x\nsend2trash('a.txt')",
            "import send2trash\nprint(send2trash.__name__)",
        ],
    },
    Rule {
        code: "PI105",
        category: Category::Delete,
        message: "moves {} out of the workspace",
        help: "copy it, or move it within the workspace",
        calls: &[
            call("os.rename", When::MovesOut(Arg(0, "src"), Arg(1, "dst"))),
            call("os.replace", When::MovesOut(Arg(0, "src"), Arg(1, "dst"))),
            call("os.renames", When::MovesOut(Arg(0, "old"), Arg(1, "new"))),
            call("shutil.move", When::MovesOut(Arg(0, "src"), Arg(1, "dst"))),
            call(
                "pathlib.Path.rename",
                When::MovesOut(THIS, Arg(1, "target")),
            ),
            call(
                "pathlib.Path.replace",
                When::MovesOut(THIS, Arg(1, "target")),
            ),
            call("pathlib.Path.move", When::MovesOut(THIS, Arg(1, "target"))),
        ],
        found: &[
            "import shutil\nshutil.move('src', '/tmp/src')",
            "import os\nos.rename('a.txt', '/tmp/a.txt')",
            "from pathlib import Path\nPath('a.txt').rename('/tmp/a.txt')",
            "import os, tempfile\nos.replace('a.txt', os.path.join(tempfile.mkdtemp(), 'a.txt'))",
            "from shutil import move\nmove(src='a.txt', dst='/home/u/a.txt')",
        ],
        not_found: &[
            "import os\nos.rename('a.txt', 'b.txt')",
            "import os\nopen('new.txt', 'w').close()\nos.replace('new.txt', '/tmp/new.txt')",
            "'a'.replace('a', '/tmp/b')",
        ],
    },
    Rule {
        code: "PI201",
        category: Category::Outside,
        message: "opens {} for writing",
        help: "write in the workspace or to a temporary file, or approve it",
        calls: &[
            call(
                "builtins.open",
                When::Opens(Arg(0, "file"), Arg(1, "mode"), "r"),
            ),
            call("pathlib.Path.open", When::Opens(THIS, Arg(1, "mode"), "r")),
            call("os.open", When::OpensRaw(PATH, Arg(1, "flags"))),
            call(
                "gzip.open",
                When::Opens(Arg(0, "filename"), Arg(1, "mode"), "rb"),
            ),
            call(
                "bz2.open",
                When::Opens(Arg(0, "filename"), Arg(1, "mode"), "rb"),
            ),
            call(
                "lzma.open",
                When::Opens(Arg(0, "filename"), Arg(1, "mode"), "rb"),
            ),
            call(
                "zipfile.ZipFile",
                When::Opens(Arg(0, "file"), Arg(1, "mode"), "r"),
            ),
            call(
                "tarfile.open",
                When::Opens(Arg(0, "name"), Arg(1, "mode"), "r"),
            ),
            call(
                "io.FileIO",
                When::Opens(Arg(0, "file"), Arg(1, "mode"), "r"),
            ),
            call(
                "shelve.open",
                When::Opens(Arg(0, "filename"), Arg(1, "flag"), "w"),
            ),
            call("dbm.open", When::Opens(Arg(0, "file"), Arg(1, "flag"), "r")),
            call("sqlite3.connect", When::Connects(Arg(0, "database"))),
            call(
                "shutil.make_archive",
                When::Archives(Arg(0, "base_name"), Arg(1, "format")),
            ),
        ],
        found: &[
            "open('/etc/hosts', 'w')",
            "from builtins import open as op\nop('/tmp/old.txt', 'w').close()",
            "from io import open as o\nwith o('/etc/hosts', mode='a') as f:\n    f.write('x')",
            "from pathlib import Path\n(Path.home() / '.bashrc').open('a')",
            "import os\nos.open('/etc/hosts', os.O_WRONLY | os.O_TRUNC)",
            "import gzip, os\ngzip.open(os.path.join('/srv', 'x.gz'), 'wt')",
            "import os\nopen(os.environ['HOME'] + '/.profile', 'w')",
            "def save(name, target='/srv/data/out.txt'):\n    with open(target, 'w') as f:\n        f.write(name)",
            "open('../beside/x', 'x')",
            "import zipfile\nzipfile.ZipFile('/srv/x.zip', 'w')",
            "import sqlite3\nsqlite3.connect('/srv/new.db')",
            "import shutil\nshutil.make_archive('/srv/x', 'zip')",
            "name = 'x'\nopen(f'/srv/data/{name}.txt', 'w')",
        ],
        not_found: &[
            "open('/etc/hosts')",
            "open('out.txt', 'w')",
            "open('/tmp/new.txt', 'w')",
            "open('/dev/null', 'w')",
            "import os\nopen(os.devnull, 'w')",
            "open('/home/u/.cache/x', 'w')",
            "def open(name, mode):\n    return name\nopen('/etc/hosts', 'w')",
            "def f(path):\n    open(path, 'w')",
            "import os\nos.open('/etc/hosts', os.O_RDONLY)",
            "open(1, 'w')",
            "import sqlite3\nsqlite3.connect('/etc/hosts')\nsqlite3.connect(':memory:')",
            "import tarfile\ntarfile.open('/srv/x.tar.xz', 'r:xz')",
        ],
    },
    Rule {
        code: "PI202",
        category: Category::Outside,
        message: "writes to {}",
        help: "write in the workspace or to a temporary file, or approve it",
        calls: &[
            call("pathlib.Path.write_text", When::Writes(THIS)),
            call("pathlib.Path.write_bytes", When::Writes(THIS)),
            call("pathlib.Path.touch", When::Writes(THIS)),
            call("os.mknod", When::Writes(PATH)),
            call("os.mkfifo", When::Writes(PATH)),
            call("logging.FileHandler", When::Writes(Arg(0, "filename"))),
            call(
                "logging.handlers.RotatingFileHandler",
                When::Writes(Arg(0, "filename")),
            ),
            call(
                "logging.handlers.TimedRotatingFileHandler",
                When::Writes(Arg(0, "filename")),
            ),
            call(
                "urllib.request.urlretrieve",
                When::Writes(Arg(1, "filename")),
            ),
        ],
        found: &[
            "from pathlib import Path\nPath('/etc/motd').write_text('x')",
            "import pathlib\npathlib.Path('~/notes').expanduser().write_bytes(b'x')",
            "from pathlib import Path as P\ntarget = P('/srv').joinpath('a', 'b')\ntarget.touch()",
            "import logging\nlogging.FileHandler('/var/log/app.log')",
            "from urllib.request import urlretrieve\nurlretrieve('http://x/y', '/usr/local/bin/y')",
            "from pathlib import Path\nPath(__file__).parent.parent.joinpath('x').write_text('y')",
        ],
        not_found: &[
            "from pathlib import Path\nPath('out.txt').write_text('x')",
            "from pathlib import Path\nprint(Path('/etc/motd').read_text())",
            "class P:\n    def write_text(self, x):\n        pass\nP().write_text('/etc/motd')",
        ],
    },
    Rule {
        code: "PI203",
        category: Category::Outside,
        message: "copies to {}",
        help: "copy to the workspace or to a temporary directory, or approve it",
        calls: &[
            call("shutil.copy", When::CopiesTo(Arg(0, "src"), Arg(1, "dst"))),
            call("shutil.copy2", When::CopiesTo(Arg(0, "src"), Arg(1, "dst"))),
            call(
                "shutil.copyfile",
                When::CopiesTo(Arg(0, "src"), Arg(1, "dst")),
            ),
            call(
                "shutil.copytree",
                When::CopiesTo(Arg(0, "src"), Arg(1, "dst")),
            ),
            call("pathlib.Path.copy", When::CopiesTo(THIS, Arg(1, "target"))),
        ],
        found: &[
            "import shutil\nshutil.copy('a.txt', '/usr/local/bin/a')",
            "from shutil import copyfile as cp\ncp('a.txt', '/tmp/old.txt')",
            "import shutil\nshutil.copytree(src='src', dst='/srv/app')",
            "import shutil\ndo = shutil.copy2\ndo('a.txt', '/home/u/')",
        ],
        not_found: &[
            "import shutil\nshutil.copy('/etc/hosts', 'hosts')",
            "import shutil\nshutil.copy('a.txt', '/tmp/')",
            "import copy\ncopy.copy(['/etc'])",
        ],
    },
    Rule {
        code: "PI204",
        category: Category::Outside,
        message: "moves {}",
        help: "move within the workspace, or approve it",
        calls: &[
            call("os.rename", When::Moves(Arg(0, "src"), Arg(1, "dst"))),
            call("os.replace", When::Moves(Arg(0, "src"), Arg(1, "dst"))),
            call("os.renames", When::Moves(Arg(0, "old"), Arg(1, "new"))),
            call("shutil.move", When::Moves(Arg(0, "src"), Arg(1, "dst"))),
            call("pathlib.Path.rename", When::Moves(THIS, Arg(1, "target"))),
            call("pathlib.Path.replace", When::Moves(THIS, Arg(1, "target"))),
            call("pathlib.Path.move", When::Moves(THIS, Arg(1, "target"))),
        ],
        found: &[
            "import os\nos.rename('/srv/a', '/srv/b')",
            "import shutil\nshutil.move('/home/u/data', 'data')",
            "from pathlib import Path\nPath('/srv/a').replace('b')",
            "import os\nos.replace('new.txt', '/etc/hosts')",
            "import os\nmv = os.renames\nmv(old='/tmp/old.txt', new='x')",
        ],
        not_found: &[
            "import os\nos.replace('a.tmp', 'a.txt')",
            "from pathlib import Path\nPath('a').rename('b')",
            "import os\ndef f(a, b):\n    os.replace(a, b)",
            "import dataclasses\ndataclasses.replace('/srv/a', b='/srv/b')",
        ],
    },
    Rule {
        code: "PI205",
        category: Category::Outside,
        message: "makes a link at {}",
        help: "make it in the workspace, or approve it",
        calls: &[
            call("os.symlink", When::Writes(Arg(1, "dst"))),
            call("os.link", When::Writes(Arg(1, "dst"))),
            call("pathlib.Path.symlink_to", When::Writes(THIS)),
            call("pathlib.Path.hardlink_to", When::Writes(THIS)),
        ],
        found: &[
            "import os\nos.symlink('a', '/usr/local/bin/a')",
            "from os import link\nlink('a', dst='/srv/a')",
            "from pathlib import Path\nPath('/srv/a').symlink_to('/etc/hosts')",
            "import pathlib\nhere = pathlib.Path.home()\n(here / 'a').hardlink_to('a')",
        ],
        not_found: &[
            "import os\nos.symlink('/etc/hosts', 'hosts')",
            "from pathlib import Path\nPath('a').symlink_to('b')",
        ],
    },
    Rule {
        code: "PI206",
        category: Category::Outside,
        message: "changes the mode, owner or times of {}",
        help: "approve it if that file may be changed",
        calls: &[
            call("os.chmod", When::Writes(PATH)),
            call("os.lchmod", When::Writes(PATH)),
            call("os.chown", When::Writes(PATH)),
            call("os.lchown", When::Writes(PATH)),
            call("os.chflags", When::Writes(PATH)),
            call("os.lchflags", When::Writes(PATH)),
            call("os.utime", When::Writes(PATH)),
            call("os.setxattr", When::Writes(PATH)),
            call("os.removexattr", When::Writes(PATH)),
            call("shutil.chown", When::Writes(PATH)),
            call("shutil.copymode", When::Writes(Arg(1, "dst"))),
            call("shutil.copystat", When::Writes(Arg(1, "dst"))),
            call("pathlib.Path.chmod", When::Writes(THIS)),
            call("pathlib.Path.lchmod", When::Writes(THIS)),
        ],
        found: &[
            "import os\nos.chmod('/etc/hosts', 0o777)",
            "from pathlib import Path\nPath('~/.ssh').expanduser().chmod(0o700)",
            "import shutil\nshutil.chown('/srv', user='root')",
            "import os\nf = getattr(os, 'utime')\nf(path='/tmp/old.txt')",
            "from os import chown\nchown('/srv/a', 0, 0)",
        ],
        not_found: &[
            "import os\nos.chmod('run.sh', 0o755)",
            "from pathlib import Path\nPath('run.sh').chmod(0o755)",
            "import os, tempfile\nos.chmod(tempfile.mkdtemp(), 0o700)",
        ],
    },
    Rule {
        code: "PI207",
        category: Category::Outside,
        message: "makes the directory {}",
        help: "make it in the workspace, or approve it",
        calls: &[
            call("os.mkdir", When::MakesDirectory(PATH)),
            call("os.makedirs", When::MakesDirectory(Arg(0, "name"))),
            call("pathlib.Path.mkdir", When::MakesDirectory(THIS)),
        ],
        found: &[
            "import os\nos.makedirs('/srv/app/data', exist_ok=True)",
            "from pathlib import Path\nPath('/srv/app').mkdir()",
            "from os import mkdir as md\nmd('/home/u/project')",
            "import os\nos.mkdir(os.path.expanduser('~/project'))",
        ],
        not_found: &[
            "import os\nos.makedirs('data/raw')",
            "import os\nos.makedirs('/tmp/data/raw', exist_ok=True)",
            "from pathlib import Path\nPath('/etc').mkdir(exist_ok=True)",
        ],
    },
    Rule {
        code: "PI208",
        category: Category::Outside,
        message: "truncates {}",
        help: "approve it if what it holds may go",
        calls: &[call("os.truncate", When::Writes(PATH))],
        found: &[
            "import os\nos.truncate('/tmp/old.txt', 0)",
            "from os import truncate\ntruncate('/srv/a', 0)",
            "import importlib\nimportlib.import_module('o' + 's').truncate('/tmp/old.txt', 0)",
            "import posix\nposix.truncate(path='/etc/hosts', length=0)",
        ],
        not_found: &[
            "import os\nos.truncate('a.txt', 0)",
            "f = open('a.txt', 'r+')\nf.truncate(0)",
        ],
    },
    Rule {
        code: "PI209",
        category: Category::Outside,
        message: "unpacks an archive into {}",
        help: "unpack it in the workspace, or approve it",
        calls: &[
            call(
                "shutil.unpack_archive",
                When::Unpacks(Arg(1, "extract_dir")),
            ),
            call("zipfile.ZipFile.extractall", When::Unpacks(Arg(1, "path"))),
            call("zipfile.ZipFile.extract", When::Unpacks(Arg(2, "path"))),
            call("tarfile.TarFile.extractall", When::Unpacks(Arg(1, "path"))),
            call("tarfile.TarFile.extract", When::Unpacks(Arg(2, "path"))),
        ],
        found: &[
            "import zipfile\nzipfile.ZipFile('a.zip').extractall('/usr/local')",
            "import tarfile\nwith tarfile.open('a.tgz') as t:\n    t.extractall(path='/srv')",
            "import shutil\nshutil.unpack_archive('a.zip', '/srv/app')",
            "from zipfile import ZipFile\nwith ZipFile('a.zip') as z:\n    for name in z.namelist():\n        z.extract(name, '/srv')",
        ],
        not_found: &[
            "import zipfile\nzipfile.ZipFile('a.zip').extractall('out')",
            "import tarfile, tempfile\ntarfile.open('a.tgz').extractall(tempfile.mkdtemp())",
        ],
    },
    Rule {
        code: "PI301",
        category: Category::Program,
        message: "runs the command {}",
        help: "do it in Python, or approve that it runs other programs",
        calls: &[
            call("subprocess.run", When::Starts(Arg(0, "args"))),
            call("subprocess.call", When::Starts(Arg(0, "args"))),
            call("subprocess.check_call", When::Starts(Arg(0, "args"))),
            call("subprocess.check_output", When::Starts(Arg(0, "args"))),
            call("subprocess.Popen", When::Starts(Arg(0, "args"))),
            call("pexpect.spawn", When::Starts(Arg(0, "command"))),
            call("pexpect.run", When::Starts(Arg(0, "command"))),
            call(
                "setuptools._distutils.spawn.spawn",
                When::Starts(Arg(0, "cmd")),
            ),
        ],
        found: &[
            "import subprocess\nsubprocess.run(['ls'])",
            "from subprocess import check_output as out\nout('ls', shell=True)",
            "import subprocess as sp\nwith sp.Popen(['ls']) as p:\n    p.wait()",
            "import subprocess\nclass Runner(subprocess.Popen):\n    pass\nRunner(['ls'])",
            "import subprocess\nstart = subprocess.run\nstart(args=['ls'])",
            "import subprocess, functools\nrun = functools.partial(subprocess.run, check=True)\nrun(['ls'])",
            "import importlib\nsp = importlib.import_module('subprocess')\nsp.call('ls')",
            "def f():\n    from subprocess import check_call\n    check_call(['ls'])",
            "import subprocess\ndef sh(*words):\n    return subprocess.run(words)\nsh('ls')",
            "import subprocess, sys\nsubprocess.run([sys.executable + 'x', '-V'])",
        ],
        not_found: &[
            "import subprocess\nprint(subprocess.PIPE, subprocess.CalledProcessError)",
            "def run(x):\n    return x\nrun(['ls'])",
            "import subprocess, sys\nsubprocess.run([sys.executable, '-V'])",
            "import asyncio\nasyncio.run(print())",
            "import subprocess\ntry:\n    pass\nexcept subprocess.TimeoutExpired:\n    pass",
        ],
    },
    Rule {
        code: "PI302",
        category: Category::Program,
        message: "runs the shell command {}",
        help: "do it in Python, or approve that it runs other programs",
        calls: &[
            call("os.system", When::Starts(Arg(0, "command"))),
            call("os.popen", When::Starts(Arg(0, "cmd"))),
            call("subprocess.getoutput", When::Starts(Arg(0, "cmd"))),
            call("subprocess.getstatusoutput", When::Starts(Arg(0, "cmd"))),
            call(
                "asyncio.create_subprocess_shell",
                When::Starts(Arg(0, "cmd")),
            ),
            call(
                "asyncio.AbstractEventLoop.subprocess_shell",
                When::Starts(Arg(2, "cmd")),
            ),
        ],
        found: &[
            "import os\nos.system('ls')",
            "from os import popen\nprint(popen('ls').read())",
            "import subprocess\nsubprocess.getoutput('ls')",
            "import asyncio\nasync def f():\n    await asyncio.create_subprocess_shell('ls')",
            "import os\nfor command in ['ls', 'id']:\n    os.system(command)",
            "import os\ngetattr(os, 'sys' + 'tem')('ls')",
            "s = __builtins__.__import__('os').system\ns('ls')",
            "import os\nclass A:\n    run = os.system\nA.run('ls')",
        ],
        not_found: &[
            "import platform\nplatform.system()",
            "print({'system': 1}['system'])",
            "import os\nprint(os.system.__name__)",
        ],
    },
    Rule {
        code: "PI303",
        category: Category::Program,
        message: "runs the command {}",
        help: "do it in Python, or approve that it runs other programs",
        calls: &[
            call("os.execl", When::StartsWords(0)),
            call("os.execle", When::StartsWords(0)),
            call("os.execlp", When::StartsWords(0)),
            call("os.execlpe", When::StartsWords(0)),
            call("os.execv", When::Starts(Arg(0, "path"))),
            call("os.execve", When::Starts(Arg(0, "path"))),
            call("os.execvp", When::Starts(Arg(0, "file"))),
            call("os.execvpe", When::Starts(Arg(0, "file"))),
            call("os.spawnl", When::StartsWords(1)),
            call("os.spawnle", When::StartsWords(1)),
            call("os.spawnlp", When::StartsWords(1)),
            call("os.spawnlpe", When::StartsWords(1)),
            call("os.spawnv", When::Starts(Arg(1, "file"))),
            call("os.spawnve", When::Starts(Arg(1, "file"))),
            call("os.spawnvp", When::Starts(Arg(1, "file"))),
            call("os.spawnvpe", When::Starts(Arg(1, "file"))),
            call("os.posix_spawn", When::Starts(PATH)),
            call("os.posix_spawnp", When::Starts(PATH)),
            call("os.startfile", When::Starts(Arg(0, "filepath"))),
            call("pty.spawn", When::Starts(Arg(0, "argv"))),
            call("_posixsubprocess.fork_exec", When::Starts(Arg(0, ""))),
            call("_winapi.CreateProcess", When::Starts(Arg(0, ""))),
        ],
        found: &[
            "import os\nos.execv('/bin/ls', ['ls'])",
            "from os import execlp\nexeclp('ls', 'ls', '-l')",
            "import os\nos.posix_spawn('/bin/ls', ['ls'], os.environ)",
            "import os\nos.spawnlp(os.P_WAIT, 'ls', 'ls')",
            "import pty\npty.spawn(['sh', '-c', 'ls'])",
            "import os\nos.startfile('a.doc')",
            "from _posixsubprocess import fork_exec\nfork_exec(['ls'], *rest)",
        ],
        not_found: &[
            "import os, sys\nos.execv(sys.executable, [sys.executable, '-V'])",
            "exec('print(1)')",
            "import os\npid = os.fork()",
        ],
    },
    Rule {
        code: "PI304",
        category: Category::Program,
        message: "runs the command {}",
        help: "do it in Python, or approve that it runs other programs",
        calls: &[
            call("asyncio.create_subprocess_exec", When::StartsWords(0)),
            call(
                "asyncio.AbstractEventLoop.subprocess_exec",
                When::StartsWords(2),
            ),
        ],
        found: &[
            "import asyncio\nasync def f():\n    p = await asyncio.create_subprocess_exec('ls', '-l')",
            "from asyncio import create_subprocess_exec as start\nasync def f():\n    await start('ls')",
            "import asyncio\nasync def f():\n    loop = asyncio.get_running_loop()\n    await loop.subprocess_exec(object, 'ls')",
            "import asyncio\nasync def f():\n    await asyncio.subprocess.create_subprocess_exec(*['ls', '-l'])",
        ],
        not_found: &[
            "import asyncio\nasync def f():\n    await asyncio.sleep(1)\nasyncio.run(f())",
            "import asyncio, sys\nasync def f():\n    await asyncio.create_subprocess_exec(sys.executable, '-V')",
        ],
    },
    Rule {
        code: "PI305",
        category: Category::Program,
        message: "opens a web browser at the address {}",
        help: "print the address instead, or approve it",
        calls: &[
            call("webbrowser.open", When::Starts(Arg(0, "url"))),
            call("webbrowser.open_new", When::Starts(Arg(0, "url"))),
            call("webbrowser.open_new_tab", When::Starts(Arg(0, "url"))),
            call("webbrowser.get", When::Starts(Arg(0, "using"))),
        ],
        found: &[
            "import webbrowser\nwebbrowser.open('http://localhost')",
            "from webbrowser import open_new_tab as tab\ntab('http://localhost')",
            "import webbrowser\nwebbrowser.get('firefox').open('http://localhost')",
            "import threading, webbrowser\nthreading.Timer(1, webbrowser.open, args=['http://localhost']).start()",
        ],
        not_found: &[
            "import webbrowser\nprint(webbrowser.Error)",
            "class webbrowser:\n    def open(url):\n        pass\nwebbrowser.open('x')",
        ],
    },
    Rule {
        code: "PI306",
        category: Category::Program,
        message: "makes multiprocessing run the command {}",
        help: "leave multiprocessing its own interpreter, or approve it",
        calls: &[
            call(
                "multiprocessing.set_executable",
                When::OtherExecutable(Arg(0, "executable")),
            ),
            call(
                "multiprocessing.spawn.set_executable",
                When::OtherExecutable(Arg(0, "exe")),
            ),
        ],
        found: &[
            "import multiprocessing\nmultiprocessing.set_executable('sh')",
            "from multiprocessing import set_executable\nset_executable('python2')",
            "import multiprocessing as mp\nmp.get_context('spawn').set_executable('sh')",
            "import multiprocessing.spawn\nmultiprocessing.spawn.set_executable('sh')",
        ],
        not_found: &[
            "import multiprocessing, sys\nmultiprocessing.set_executable(sys.executable)",
            "import multiprocessing\nwith multiprocessing.Pool(2) as pool:\n    pool.map(abs, [1])",
        ],
    },
    Rule {
        code: "PI401",
        category: Category::Signal,
        message: "signals the process {}",
        help: "signal only processes that the program started itself, or approve it",
        calls: &[
            call("os.kill", When::Signals(Arg(0, "pid"), Arg(1, "signal"))),
            call("os.killpg", When::Signals(Arg(0, "pgid"), Arg(1, "signal"))),
            call(
                "signal.pidfd_send_signal",
                When::Signals(Arg(0, "pidfd"), Arg(1, "signal")),
            ),
        ],
        found: &[
            "import os\nos.kill(1234, 9)",
            "from os import killpg as end\nimport signal\nend(4321, signal.SIGTERM)",
            "import os\nfor pid in (1, 2):\n    os.kill(pid, 9)",
            "import signal\nsignal.pidfd_send_signal(3, 9)",
            "import os\nend = os.kill\nend(*(1234, 15))",
        ],
        not_found: &[
            "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)",
            "import os\nos.kill(1234, 0)",
            "import os, signal\nwith open('x.pid') as f:\n    os.kill(int(f.read()), signal.SIGTERM)",
            "import os\npid = os.fork()\nif pid:\n    os.kill(pid, 9)",
            "import multiprocessing, os\np = multiprocessing.Process(target=print)\np.start()\nos.kill(p.pid, 9)",
            "import subprocess, sys\np = subprocess.Popen([sys.executable])\np.kill()",
        ],
    },
    Rule {
        code: "PI402",
        category: Category::Signal,
        message: "signals the process {}",
        help: "signal only processes that the program started itself, or approve it",
        calls: &[
            call("psutil.Process.kill", When::Signals(THIS, Arg(9, ""))),
            call("psutil.Process.terminate", When::Signals(THIS, Arg(9, ""))),
            call("psutil.Process.suspend", When::Signals(THIS, Arg(9, ""))),
            call(
                "psutil.Process.send_signal",
                When::Signals(THIS, Arg(1, "sig")),
            ),
        ],
        found: &[
            "import psutil\npsutil.Process(1234).kill()",
            "from psutil import Process\np = Process(1234)\np.terminate()",
            "import psutil\nfor pid in [1, 2]:\n    psutil.Process(pid).send_signal(9)",
            "import psutil\nkill = psutil.Process.kill\nkill(psutil.Process(7))",
        ],
        not_found: &[
            "import psutil\nprint(psutil.Process(1234).name())",
            "import psutil, os\npsutil.Process(os.getpid()).terminate()",
        ],
    },
    Rule {
        code: "PI501",
        category: Category::Native,
        message: "loads native code: {}",
        help: "use a module of the standard library, or approve native calls",
        calls: &[
            call("ctypes.CDLL", When::Always),
            call("ctypes.PyDLL", When::Always),
            call("ctypes.WinDLL", When::Always),
            call("ctypes.OleDLL", When::Always),
            call("ctypes.LibraryLoader", When::Always),
            call("ctypes.cdll", When::Always),
            call("ctypes.pythonapi", When::Always),
            call("_ctypes.dlopen", When::Always),
            call("_ctypes.LoadLibrary", When::Always),
            call("_ctypes.call_function", When::Always),
            call("_ctypes.call_cdeclfunction", When::Always),
            call("numpy.ctypeslib.load_library", When::Always),
        ],
        found: &[
            "import ctypes\nctypes.CDLL(None).unlink(b'a')",
            "from ctypes import cdll\ncdll.LoadLibrary('libc.so.6')",
            "import ctypes\nctypes.pythonapi.Py_IncRef(1)",
            "from ctypes import PyDLL as load\nload('x')",
            "import ctypes\nctypes.windll.kernel32.DeleteFileW('a')",
            "import _ctypes\n_ctypes.dlopen('libc.so.6', 2)",
            "import ctypes\nlib = ctypes.cdll['libc.so.6']",
        ],
        not_found: &[
            "import ctypes\nprint(ctypes.sizeof(ctypes.c_int))",
            "import ctypes\nclass P(ctypes.Structure):\n    _fields_ = [('x', ctypes.c_int)]",
        ],
    },
    Rule {
        code: "PI502",
        category: Category::Native,
        message: "reaches into memory: {}",
        help: "use a memoryview, or approve native calls",
        calls: &[
            call("ctypes.string_at", When::Always),
            call("ctypes.wstring_at", When::Always),
            call("ctypes.memmove", When::Always),
            call("ctypes.memset", When::Always),
            call("ctypes.c_char.from_address", When::Always),
            call("ctypes.c_int.from_address", When::Always),
            call("ctypes.c_long.from_address", When::Always),
            call("ctypes.c_void_p.from_address", When::Always),
            call("ctypes.c_byte.from_address", When::Always),
            call("ctypes.c_ubyte.from_address", When::Always),
            call("ctypes.c_size_t.from_address", When::Always),
            call("ctypes.c_ssize_t.from_address", When::Always),
            call("ctypes.py_object.from_address", When::Always),
        ],
        found: &[
            "import ctypes\nctypes.memmove(1, 2, 3)",
            "from ctypes import string_at\nstring_at(id(1))",
            "import ctypes\nctypes.c_long.from_address(id(7)).value = 8",
            "from ctypes import c_void_p as p\np.from_address(0)",
        ],
        not_found: &[
            "import ctypes\nctypes.create_string_buffer(8)",
            "memmove = print\nmemmove(1)",
        ],
    },
    Rule {
        code: "PI503",
        category: Category::Native,
        message: "loads or builds native code: {}",
        help: "approve native calls if the library is known",
        calls: &[
            call("cffi.FFI.dlopen", When::Always),
            call("cffi.FFI.verify", When::Always),
            call("cffi.FFI.compile", When::Always),
            call("cffi.verifier.Verifier", When::Always),
            call("_cffi_backend.load_library", When::Always),
        ],
        found: &[
            "from cffi import FFI\nffi = FFI()\nffi.dlopen(None)",
            "import cffi\ncffi.FFI().verify('')",
            "import cffi\nclass A:\n    ffi = cffi.FFI()\n    def go(self):\n        self.ffi.dlopen('c')",
            "from cffi import FFI as F\nopen_library = F().dlopen\nopen_library(None)",
        ],
        not_found: &[
            "from cffi import FFI\nffi = FFI()\nffi.cdef('int f(void);')",
            "class FFI:\n    def dlopen(self, x):\n        pass\nFFI().dlopen(None)",
        ],
    },
    Rule {
        code: "PI504",
        category: Category::Native,
        message: "loads a native extension: {}",
        help: "import it by its name, or approve native calls",
        calls: &[
            call("importlib.machinery.ExtensionFileLoader", When::Always),
            call("imp.load_dynamic", When::Always),
            call("_imp.create_dynamic", When::Always),
            call("_imp.exec_dynamic", When::Always),
            call("sqlite3.Connection.load_extension", When::Always),
            call("sqlite3.Connection.enable_load_extension", When::Always),
        ],
        found: &[
            "from importlib.machinery import ExtensionFileLoader\nExtensionFileLoader('x', './x.so')",
            "import imp\nimp.load_dynamic('x', './x.so')",
            "import _imp\n_imp.create_dynamic(spec)",
            "import sqlite3\ndb = sqlite3.connect(':memory:')\ndb.load_extension('x')",
        ],
        not_found: &[
            "import sqlite3\nsqlite3.connect(':memory:').execute('select 1')",
            "import importlib\nimportlib.import_module('json')",
        ],
    },
    Rule {
        code: "PI601",
        category: Category::Credentials,
        message: "reads the store of credentials {}",
        help: "pass what is needed in a variable (`--env`), or approve it",
        calls: &[
            call("builtins.open", When::Reads(Arg(0, "file"))),
            call("os.open", When::Reads(PATH)),
            call("pathlib.Path.open", When::Reads(THIS)),
            call("pathlib.Path.read_text", When::Reads(THIS)),
            call("pathlib.Path.read_bytes", When::Reads(THIS)),
            call("shutil.copy", When::Reads(Arg(0, "src"))),
            call("shutil.copy2", When::Reads(Arg(0, "src"))),
            call("shutil.copyfile", When::Reads(Arg(0, "src"))),
            call("shutil.copytree", When::Reads(Arg(0, "src"))),
            call("shutil.move", When::Reads(Arg(0, "src"))),
            call("sqlite3.connect", When::Reads(Arg(0, "database"))),
            call(
                "configparser.ConfigParser.read",
                When::Reads(Arg(1, "filenames")),
            ),
            call("netrc.netrc", When::Reads(Arg(0, "file"))),
            call("linecache.getlines", When::Reads(Arg(0, "filename"))),
            call("linecache.getline", When::Reads(Arg(0, "filename"))),
            call("fileinput.input", When::Reads(Arg(0, "files"))),
            call("dotenv.load_dotenv", When::Reads(Arg(0, "dotenv_path"))),
            call("dotenv.dotenv_values", When::Reads(Arg(0, "dotenv_path"))),
            call("pandas.read_csv", When::Reads(Arg(0, "filepath_or_buffer"))),
            call("numpy.fromfile", When::Reads(Arg(0, "file"))),
        ],
        found: &[
            "open('/home/u/.ssh/id_rsa').read()",
            "import os\nopen(os.path.expanduser('~/.aws/credentials'))",
            "from pathlib import Path\nprint((Path.home() / '.netrc').read_text())",
            "import pathlib\nfor key in pathlib.Path.home().joinpath('.ssh').iterdir():\n    print(key.read_bytes())",
            "import os, shutil\nshutil.copy(os.environ['HOME'] + '/.git-credentials', 'x')",
            "import configparser, os\nc = configparser.ConfigParser()\nc.read(os.path.expanduser('~/.pypirc'))",
            "open('../other/.env')",
            "import sqlite3, os, glob\nfor db in glob.glob(os.path.expanduser('~/.mozilla/firefox/*/cookies.sqlite')):\n    sqlite3.connect(db)",
            "home = '/home/u'\nwith open(f'{home}/.bash_history') as f:\n    print(f.read())",
        ],
        not_found: &[
            "open('.env').read()",
            "import os\nprint(os.path.exists(os.path.expanduser('~/.ssh/id_rsa')))",
            "open('/home/u/.profile')",
            "print('~/.ssh/id_rsa')",
        ],
    },
    Rule {
        code: "PI602",
        category: Category::Credentials,
        message: "reads the system's keyring: {}",
        help: "pass what is needed in a variable (`--env`), or approve it",
        calls: &[
            call("keyring.get_password", When::Always),
            call("keyring.get_credential", When::Always),
            call("keyring.get_keyring", When::Always),
            call("secretstorage.get_default_collection", When::Always),
            call("secretstorage.get_all_collections", When::Always),
            call("browser_cookie3.load", When::Always),
            call("browser_cookie3.chrome", When::Always),
            call("browser_cookie3.firefox", When::Always),
            call("win32cred.CredRead", When::Always),
            call("win32cred.CredEnumerate", When::Always),
        ],
        found: &[
            "import keyring\nkeyring.get_password('x', 'y')",
            "from keyring import get_credential as g\ng('x', None)",
            "import browser_cookie3\nbrowser_cookie3.chrome()",
            "k = __import__('keyring')\nk.get_password('x', 'y')",
        ],
        not_found: &[
            "import keyring\nprint(keyring.__name__)",
            "def get_password(a, b):\n    return a\nget_password('x', 'y')",
        ],
    },
    Rule {
        code: "PI603",
        category: Category::Credentials,
        message: "reads the user's `.netrc`: {}",
        help: "pass what is needed in a variable (`--env`), or approve it",
        calls: &[call("netrc.netrc", When::LeftOut(Arg(0, "file")))],
        found: &[
            "import netrc\nnetrc.netrc()",
            "from netrc import netrc\nprint(netrc().hosts)",
            "from netrc import netrc as read\nfor host in read().hosts:\n    print(host)",
            "import importlib\nimportlib.import_module('netrc').netrc()",
        ],
        not_found: &[
            "import netrc\nnetrc.netrc('test.netrc')",
            "import netrc\nprint(netrc.NetrcParseError)",
        ],
    },
    Rule {
        code: "PI701",
        category: Category::Publish,
        message: "publishes: {}",
        help: "publish by hand, or approve it",
        calls: &[
            call("subprocess.run", When::Publishes(Arg(0, "args"))),
            call("subprocess.call", When::Publishes(Arg(0, "args"))),
            call("subprocess.check_call", When::Publishes(Arg(0, "args"))),
            call("subprocess.check_output", When::Publishes(Arg(0, "args"))),
            call("subprocess.Popen", When::Publishes(Arg(0, "args"))),
            call("subprocess.getoutput", When::Publishes(Arg(0, "cmd"))),
            call("subprocess.getstatusoutput", When::Publishes(Arg(0, "cmd"))),
            call("os.system", When::Publishes(Arg(0, "command"))),
            call("os.popen", When::Publishes(Arg(0, "cmd"))),
            call("os.execv", When::Publishes(Arg(1, "argv"))),
            call("os.execve", When::Publishes(Arg(1, "argv"))),
            call("os.execvp", When::Publishes(Arg(1, "args"))),
            call("os.execvpe", When::Publishes(Arg(1, "args"))),
            call("os.execlp", When::PublishesWords(1)),
            call("os.execl", When::PublishesWords(1)),
            call("os.spawnlp", When::PublishesWords(2)),
            call("os.spawnvp", When::Publishes(Arg(2, "args"))),
            call("os.posix_spawn", When::Publishes(Arg(1, "argv"))),
            call("os.posix_spawnp", When::Publishes(Arg(1, "argv"))),
            call("pty.spawn", When::Publishes(Arg(0, "argv"))),
            call("pexpect.spawn", When::Publishes(Arg(0, "command"))),
            call("pexpect.run", When::Publishes(Arg(0, "command"))),
            call(
                "asyncio.create_subprocess_shell",
                When::Publishes(Arg(0, "cmd")),
            ),
            call("asyncio.create_subprocess_exec", When::PublishesWords(0)),
        ],
        found: &[
            "import subprocess\nsubprocess.run(['git', 'push', 'origin', 'main'])",
            "import os\nos.system('cd repo && git tag v1 && git push --tags')",
            "import subprocess as sp\nsp.check_call('npm publish', shell=True)",
            "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'twine', 'upload', 'dist/*'])",
            "import subprocess\ndef git(*words):\n    subprocess.run(['git', *words])\ngit('push')",
            "import asyncio\nasync def f():\n    await asyncio.create_subprocess_exec('cargo', 'publish')",
            "import subprocess\nsubprocess.run('sh -c \"docker push x/y\"', shell=True)",
            "import subprocess\ntag = input()\nsubprocess.run(f'git tag {tag}', shell=True)",
            "import os\nos.execvp('gh', ['gh', 'release', 'create', 'v1'])",
        ],
        not_found: &[
            "import subprocess\nsubprocess.run(['git', 'status'])",
            "import subprocess\nsubprocess.run(['git', 'tag', '--list'])",
            "import subprocess\nsubprocess.run(['echo', 'git push'])",
            "print('git push')",
        ],
    },
    Rule {
        code: "PI702",
        category: Category::Publish,
        message: "publishes through git: {}",
        help: "publish by hand, or approve it",
        calls: &[
            call("git.Git.push", When::Always),
            call("git.Git.tag", When::Always),
            call("git.Remote.push", When::Always),
            call("git.Repo.create_tag", When::Always),
            call("dulwich.porcelain.push", When::Always),
            call("dulwich.porcelain.tag_create", When::Always),
            call("twine.commands.upload.upload", When::Always),
        ],
        found: &[
            "from git import Repo\nRepo('.').git.push()",
            "import git\nrepo = git.Repo('.')\nrepo.remote('origin').push()",
            "import git\ngit.Repo('.').create_tag('v1')",
            "from git import Repo as R\norigin = R('.').remotes.origin\norigin.push()",
            "from dulwich import porcelain\nporcelain.push('.')",
        ],
        not_found: &[
            "import git\nprint(git.Repo('.').head.commit)",
            "stack = []\nclass S:\n    def push(self, x):\n        stack.append(x)\nS().push(1)",
        ],
    },
    Rule {
        code: TAMPER,
        category: Category::Tamper,
        message: "changes pi's own {}",
        help: "leave pi's directory to pi; `pi settings` says what can be set",
        calls: &[],
        found: &[
            "open('/home/u/.pi/agent/python.toml', 'w')",
            "import shutil\nshutil.rmtree('/home/u/.pi/agent/state')",
            "from pathlib import Path\n(Path.home() / '.pi' / 'agent' / 'state' / 'x').write_text('')",
            "import os\nos.rename('a', os.path.expanduser('~/.pi/agent/bin/uv'))",
            "import shutil\nshutil.copy('a', '/home/u/.pi/agent/')",
        ],
        not_found: &[
            "open('/home/u/.pi/agent/python.toml')",
            "open('.pi/python.toml', 'w')",
        ],
    },
];

/// The rule of that code.
pub(crate) fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}
