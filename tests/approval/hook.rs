//! The guard's hook alone, with nothing beneath it, in every Python that this machine has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::Place;

const HOOK: &str = include_str!("../../src/approval/guard/hook.py");
const BUILD: &str = include_str!("../../src/approval/guard/build.py");

/// What is refused, by rule.
const REFUSED: [(&str, &str); 21] = [
    ("PI100", "import os; os.remove('kept.txt')"),
    ("PI100", "import shutil; shutil.rmtree('tree')"),
    (
        "PI100",
        "import os; os.rename('kept.txt', TEMPORARY + '/kept.txt')",
    ),
    (
        "PI100",
        "import os; os.unlink('kept.txt', dir_fd=os.open('.', os.O_RDONLY))",
    ),
    (
        "PI100",
        "import threading, os; t = threading.Thread(target=os.remove, args=['kept.txt']); t.start(); t.join()",
    ),
    ("PI200", "open(OUTSIDE + '/kept.txt', 'w')"),
    ("PI200", "open('way-out/kept.txt', 'a')"),
    ("PI200", "open(TEMPORARY + '/kept.txt', 'w')"),
    (
        "PI200",
        "import os; os.link(TEMPORARY + '/kept.txt', 'linked')",
    ),
    (
        "PI200",
        "import os; os.open('kept.txt', os.O_WRONLY, dir_fd=os.open(OUTSIDE, os.O_RDONLY))",
    ),
    ("PI300", "import os; os.system('true')"),
    ("PI300", "import subprocess; subprocess.run(['true'])"),
    (
        "PI300",
        "import _posixsubprocess; _posixsubprocess.fork_exec(['true'], [b'/bin/true'], True)",
    ),
    ("PI400", "import os; os.kill(os.getppid(), 15)"),
    ("PI500", "import ctypes; ctypes.CDLL(None).puts"),
    ("PI600", "open(HOME + '/.netrc').read()"),
    (
        "PI600",
        "import os; os.symlink(HOME + '/.netrc', 'link'); open('link').read()",
    ),
    ("PI800", "open(AGENT + '/kept.txt', 'w')"),
    (
        "PI800",
        "import io\nclass Path:\n    def __fspath__(self): return 'new.txt'\nio.FileIO(Path(), 'w')",
    ),
    (
        "PI100",
        "import os\nclass Last:\n    def __del__(self, remove=os.remove): remove('kept.txt')\nlast = Last()",
    ),
    (
        "PI100",
        "if __name__ == '__main__':\n    import multiprocessing, os\n    \
         p = multiprocessing.get_context('spawn').Process(target=os.remove, args=['kept.txt']); p.start(); p.join()",
    ),
];

/// What is not.
const LET_BE: [&str; 8] = [
    "import os; open('new.txt', 'w').close(); os.remove('new.txt'); open('kept.txt', 'a').close()",
    "import os; open('next', 'w').close(); os.replace('next', 'kept.txt')",
    "import tempfile, os\nwith tempfile.TemporaryDirectory() as d: os.mkdir(d + '/a'); open(d + '/a/b', 'w').close()",
    "import sqlite3; c = sqlite3.connect('d.db'); c.execute('create table t (a)'); c.commit(); c.close()",
    "import platform, uuid, ctypes.util; platform.platform(); uuid.uuid1(); ctypes.util.find_library('c')",
    "if __name__ == '__main__':\n    import math, multiprocessing\n    \
     with multiprocessing.get_context('spawn').Pool(1) as p: assert p.map(math.sqrt, [4]) == [2]",
    "import os, signal; p = os.fork() or signal.pause(); os.kill(p, 15); os.waitpid(p, 0)",
    "import collections; collections.namedtuple('N', 'a b', defaults=[1])(2)\nopen('/dev/null', 'w').close()",
];

/// Neither what stands behind `f_back` nor what a collector or a tracer sees is of the guard.
const UNSEEN: &str = "import gc, os, sys, types
seen = []
def note(frame, *_):
    while frame is not None:
        seen.append(frame.f_code.co_filename)
        frame = frame.f_back
    return note
sys.settrace(note); sys.setprofile(note)
try:
    os.remove('kept.txt')
except BaseException as refused:
    trace = refused.__traceback__
    while trace is not None:
        note(trace.tb_frame)
        trace = trace.tb_next
sys.settrace(None); sys.setprofile(None)
functions = [one for one in gc.get_objects() if type(one) is types.FunctionType]
seen += [one.__code__.co_filename for one in functions]
print('<guard>' in seen)";

#[test]
fn the_hook_refuses_what_needs_approval() {
    each_python(|stage| {
        for (rule, program) in REFUSED {
            stage.furnish();
            let output = stage.run(program);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                said.contains(&format!("ApprovalRequired: {rule}: ")),
                "{program}\n{said}"
            );
            stage.assert_kept(program);
        }
    });
}

#[test]
fn the_hook_lets_a_program_do_its_work() {
    each_python(|stage| {
        for program in LET_BE {
            stage.furnish();
            let output = stage.run(program);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{program}\n{said}");
        }
    });
}

#[test]
fn the_hook_is_not_seen() {
    each_python(|stage| {
        stage.furnish();
        let output = stage.run(UNSEEN);
        let seen = String::from_utf8_lossy(&output.stdout);
        // Frames are hidden from 3.11 on.
        let expected = if stage.version == "3.10" {
            "True\n"
        } else {
            "False\n"
        };
        assert_eq!(
            seen,
            expected,
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    });
}

fn each_python(check: impl Fn(&Stage)) {
    let mut found = 0;
    for minor in 10..=14 {
        let name = format!("python3.{minor}");
        let ask = "import os, sys; print(os.path.realpath(sys.executable))";
        let output = Command::new(&name).args(["-I", "-c", ask]).output();
        let Some(output) = output.ok().filter(|output| output.status.success()) else {
            continue;
        };
        let python = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
        check(&Stage::new(python, format!("3.{minor}")));
        found += 1;
    }
    if found == 0 {
        eprintln!("left out: no Python by the name of its version");
    }
}

struct Stage {
    place: Place,
    python: PathBuf,
    version: String,
}

impl Stage {
    fn new(python: PathBuf, version: String) -> Self {
        let place = Place::new();
        place.write("build.py", BUILD);
        place.write("hook.py", HOOK);
        let output = Command::new(&python)
            .args(["-I", "-S", "-W", "ignore"])
            .arg(place.path().join("build.py"))
            .stdin(fs::File::open(place.path().join("hook.py")).unwrap())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        place.write("guard", output.stdout);
        Self {
            place,
            python,
            version,
        }
    }

    fn path(&self, name: &str) -> String {
        let root = fs::canonicalize(self.place.path()).unwrap();
        root.join(name)
            .to_str()
            .expect("a path of a test is text")
            .to_owned()
    }

    /// What a program finds: files that were there before it.
    fn furnish(&self) {
        let work = self.path("stage");
        let _ = fs::remove_dir_all(&work);
        for dir in ["work/tree", "outside", "temporary", "agent", "home"] {
            fs::create_dir_all(Path::new(&work).join(dir)).unwrap();
        }
        for file in KEPT {
            self.place.write(Path::new("stage").join(file), "kept\n");
        }
        std::os::unix::fs::symlink(self.path("stage/outside"), self.path("stage/work/way-out"))
            .unwrap();
    }

    #[track_caller]
    fn assert_kept(&self, program: &str) {
        for file in KEPT {
            let text = fs::read_to_string(self.path("stage") + "/" + file).unwrap_or_default();
            assert_eq!(text, "kept\n", "{file} after {program}");
        }
    }

    fn run(&self, program: &str) -> Output {
        let path = |name: &str| format!("{:?}", self.path(&format!("stage/{name}")));
        let names = format!(
            "TEMPORARY, OUTSIDE, HOME, AGENT = {}, {}, {}, {}\n",
            path("temporary"),
            path("outside"),
            path("home"),
            path("agent")
        );
        self.place.write("stage/program.py", names + program);
        let python = self.python.to_str().expect("a path of a test is text");
        let boot = format!(
            "import marshal, sys, time
config = dict(roots=[{work}], temporary=[{temporary}], caches=[], agent={agent}, protected=[], home={home},
    cwd={work}, granted=[], readonly=False, executable={python:?}, kernel=False, credentials=['.netrc'], report=-1,
    program='<code>', child={guard:?}, started=STARTED)
exec(marshal.loads(open({guard:?}, 'rb').read()), {{'config': config}})
__file__ = {program}
exec(compile(open(__file__).read(), '<code>', 'exec'))\n",
            work = path("work"),
            temporary = path("temporary"),
            agent = path("agent"),
            home = path("home"),
            guard = self.path("guard"),
            program = path("program.py"),
        );
        // The clock of the file system may be behind by a tick.
        let started = self.tick();
        Command::new(&self.python)
            .args(["-B", "-c"])
            .arg(boot.replace("STARTED", &started.to_string()))
            .current_dir(self.path("stage/work"))
            .env("TMPDIR", self.path("stage/temporary"))
            .env("HOME", self.path("stage/home"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// The time of a file system behind which everything is new.
    fn tick(&self) -> u128 {
        let newest = || {
            let path = self.place.write("tick", "");
            let changed = fs::metadata(path).unwrap().modified().unwrap();
            changed
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap()
                .as_nanos()
        };
        let before = newest();
        loop {
            let now = newest();
            if now > before {
                return now;
            }
            std::thread::yield_now();
        }
    }
}

const KEPT: [&str; 6] = [
    "work/kept.txt",
    "work/tree/kept.txt",
    "outside/kept.txt",
    "temporary/kept.txt",
    "agent/kept.txt",
    "home/.netrc",
];
