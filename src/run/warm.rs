//! Interpreters that are started ahead of their program.
//!
//! A [`Pool`] keeps a few interpreters that have done what every start does, imported the modules that most programs
//! use, and wait. A run takes one, gives it directory, arguments, environment and program, and ends it like any other
//! run; another is started behind it. No interpreter serves two runs, so no state passes from one to the next.
//!
//! A run gets a waiting interpreter only where it can't tell the difference from a fresh one, but by the modules that
//! are there already; otherwise it is started as usual. That is so where it wants another interpreter or other
//! variables that count at start, reads the caller's input, leaves processes behind on purpose, or has a file of its
//! own in the place of a module that is there already; and where the run is guarded, for the guard is there from an
//! interpreter's start. (Windows has no waiting interpreters.)

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::SystemTime;

#[cfg(unix)]
use super::bootstrap;
use super::outcome::Outcome;
use super::request::{Leftovers, Plan, Program, Stdin};
use super::tree::Tree;
use super::{Cancel, Error, Sink, environment_of, follow, run_until};
use crate::provision::Interpreter;
use crate::settings::{Environment, HELD_VARIABLE, Settings};

/// Waiting interpreters. Clones are the same pool; dropping the last one ends what waits.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    size: usize,
    idle: Mutex<VecDeque<Idle>>,
}

/// An interpreter that waits.
struct Idle {
    tree: Tree,
    key: Key,
}

/// What an interpreter can't change once it has started.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    executable: PathBuf,
    /// Size and time of the executable: an update in place makes another interpreter of it.
    stamp: Option<(u64, SystemTime)>,
    variables: BTreeMap<OsString, OsString>,
}

/// The most entries of a directory that are looked through for modules.
const MOST_ENTRIES: usize = 2000;

/// The modules that a waiting interpreter has imported and a fresh one has not, in order. What is part of every
/// interpreter's start, or built into it, is not among them: no file takes its place anyway.
#[rustfmt::skip]
const IMPORTED: &[&str] = &[
    "annotationlib", "ast", "bisect", "collections", "contextlib", "copy", "copyreg", "dataclasses", "datetime",
    "dis", "enum", "errno", "fcntl", "fnmatch", "functools", "gc", "glob", "grp", "importlib", "inspect",
    "ipaddress", "itertools", "json", "keyword", "linecache", "locale", "math", "ntpath", "opcode", "operator",
    "pathlib", "posixpath", "pwd", "random", "re", "reprlib", "select", "selectors", "signal", "sre_compile",
    "sre_constants", "sre_parse", "subprocess", "threading", "token", "tokenize", "types", "typing", "urllib",
    "warnings", "weakref",
];

impl Pool {
    /// A pool that keeps `size` interpreters waiting, once it knows which.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self(Arc::new(Shared {
            size,
            idle: Mutex::new(VecDeque::new()),
        }))
    }

    /// Starts what is missing for runs with these settings, and ends what does not fit them any more. Returns when the
    /// interpreters are started, not when they are ready.
    ///
    /// # Errors
    /// An interpreter could not be started.
    pub fn prepare(&self, interpreter: &Interpreter, settings: &Settings) -> Result<(), Error> {
        let environment = environment_of(&plan_of_nothing(), settings);
        self.fill(interpreter, &environment)
    }

    /// How many interpreters are ready and wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.idle().iter().filter(|idle| idle.is_ready()).count()
    }

    /// [`super::run`], with a waiting interpreter where there is one that fits.
    ///
    /// # Errors
    /// Those of [`super::run`].
    pub fn run(
        &self,
        interpreter: &Interpreter,
        plan: &Plan,
        settings: &Settings,
        cancel: &Cancel,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, Error> {
        self.run_until(interpreter, plan, settings, &[cancel], sink)
    }

    /// [`super::run_async`], with a waiting interpreter where there is one that fits.
    ///
    /// # Errors
    /// Those of [`super::run_async`].
    pub async fn run_async(
        &self,
        interpreter: Interpreter,
        plan: Plan,
        settings: Settings,
        cancel: Cancel,
        mut sink: impl Sink + Send + 'static,
    ) -> Result<Outcome, Error> {
        let pool = self.clone();
        super::on_a_thread(move |dropped| {
            let cancels = [&cancel, dropped];
            pool.run_until(&interpreter, &plan, &settings, &cancels, &mut sink)
        })
        .await
    }

    fn run_until(
        &self,
        interpreter: &Interpreter,
        plan: &Plan,
        settings: &Settings,
        cancels: &[&Cancel],
        sink: &mut dyn Sink,
    ) -> Result<Outcome, Error> {
        let environment = environment_of(plan, settings);
        let taken = can_wait(plan, &environment)
            .then(|| self.take(&Key::of(interpreter, &environment)))
            .flatten();
        let outcome = match taken {
            Some(mut idle) => {
                idle.hand_over(plan, &environment);
                follow(idle.tree, interpreter, plan, settings, cancels, sink)
            }
            None => run_until(interpreter, plan, settings, cancels, sink),
        };
        self.refill_behind(interpreter, &environment);
        outcome
    }

    /// An interpreter that is ready. One that still gets ready is slower than a fresh one, and left for a later run.
    fn take(&self, key: &Key) -> Option<Idle> {
        let mut idle = self.idle();
        let at = idle
            .iter()
            .position(|idle| idle.key == *key && idle.is_ready())?;
        idle.remove(at)
    }

    /// Does not keep the caller waiting for it.
    fn refill_behind(&self, interpreter: &Interpreter, environment: &Environment) {
        let (pool, interpreter) = (self.clone(), interpreter.clone());
        let environment = environment.clone();
        // Without a thread, or an interpreter, the next run is started as usual, and says what is wrong.
        let _ = thread::Builder::new()
            .name("pi-warm".to_owned())
            .spawn(move || pool.fill(&interpreter, &environment));
    }

    fn fill(&self, interpreter: &Interpreter, environment: &Environment) -> Result<(), Error> {
        let key = Key::of(interpreter, environment);
        let (kept, dropped): (VecDeque<Idle>, VecDeque<Idle>) = self
            .idle()
            .drain(..)
            .partition(|idle| idle.key == key && idle.is_alive());
        let missing = self.0.size.saturating_sub(kept.len());
        self.idle().extend(kept);
        // Ending one takes a moment, in which nobody has to wait for the others.
        drop(dropped);
        for _ in 0..missing {
            let Some(idle) = Idle::start(&key, environment)? else {
                break;
            };
            self.idle().push_back(idle);
        }
        // Two runs that ended at the same time may both have filled up.
        let surplus: Vec<Idle> = {
            let mut idle = self.idle();
            let keep = self.0.size.min(idle.len());
            idle.drain(keep..).collect()
        };
        drop(surplus);
        Ok(())
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, VecDeque<Idle>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Any run will do to know what its variables are.
fn plan_of_nothing() -> Plan {
    Plan {
        program: Program::Code(Vec::new()),
        args: Vec::new(),
        cwd: PathBuf::new(),
        timeout: None,
        max_output_bytes: 0,
        max_output_lines: 0,
        stdin: Stdin::Empty,
        env: Vec::new(),
        raw: false,
        leftovers: Leftovers::End,
        read_only: false,
        guard: None,
        notices: Vec::new(),
    }
}

impl Key {
    fn of(interpreter: &Interpreter, environment: &Environment) -> Self {
        let stamp = std::fs::metadata(&interpreter.path)
            .and_then(|meta| Ok((meta.len(), meta.modified()?)))
            .ok();
        Self {
            executable: interpreter.path.clone(),
            stamp,
            variables: environment
                .iter()
                .filter(|(name, _)| counts_at_start(name))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        }
    }
}

/// Whether the interpreter, or the system's loader before it, reads the variable once, when it starts.
fn counts_at_start(name: &OsStr) -> bool {
    const NAMES: &[&[u8]] = &[b"HOME", b"LANG", b"LANGUAGE", b"TZ", b"TMPDIR"];
    const PREFIXES: &[&[u8]] = &[
        b"PYTHON",
        b"LC_",
        b"LD_",
        b"DYLD_",
        b"GLIBC_",
        b"MALLOC_",
        b"OPENSSL_",
        b"SSL_",
        b"PI_",
    ];
    if name == HELD_VARIABLE {
        return false;
    }
    let name = name.as_encoded_bytes();
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a run may have an interpreter that waited.
fn can_wait(plan: &Plan, environment: &Environment) -> bool {
    let place = match &plan.program {
        Program::Code(_) => Some(plan.cwd.as_path()),
        Program::Script { path, .. } => path.parent(),
    };
    plan.stdin == Stdin::Empty
        && plan.leftovers == Leftovers::End
        && plan.guard.is_none()
        && environment.get("PYTHONPATH").is_none()
        && place.is_some_and(|dir| !has_a_module_of_its_own(dir))
}

/// Whether `dir` has a module of a name that a waiting interpreter has imported already. A directory too big to be
/// looked through may have one.
fn has_a_module_of_its_own(dir: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return true;
    };
    let mut seen = 0;
    entries.flatten().any(|entry| {
        seen += 1;
        seen > MOST_ENTRIES || takes_a_place(&entry)
    })
}

fn takes_a_place(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let Some(name) = name.to_str() else {
        return false;
    };
    match name.split_once('.') {
        // `name.py`, `name.cpython-313-x86_64-linux-gnu.so` and the like.
        Some((module, _)) => IMPORTED.binary_search(&module).is_ok(),
        None => IMPORTED.binary_search(&name).is_ok() && entry.path().join("__init__.py").exists(),
    }
}

#[cfg(unix)]
impl Idle {
    fn start(key: &Key, environment: &Environment) -> Result<Option<Self>, Error> {
        let start = bootstrap::ahead();
        let tree = Tree::spawn(super::Launch {
            executable: &key.executable,
            args: start.args,
            environment,
            // It belongs to no run yet, so it stands in nobody's way.
            cwd: Path::new("/"),
            input: start.input,
            extra: start.extra,
            passes_input: start.passes_input,
            is_hooked: start.is_hooked,
            leftovers: Leftovers::End,
            guard: None,
        })?;
        Ok(Some(Self {
            tree,
            key: key.clone(),
        }))
    }

    fn is_alive(&self) -> bool {
        self.tree.is_waiting()
    }

    fn is_ready(&self) -> bool {
        self.tree.has_read() && self.is_alive()
    }

    fn hand_over(&mut self, plan: &Plan, environment: &Environment) {
        self.tree
            .hand_over(&bootstrap::ahead_with(plan, environment));
    }
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    clippy::unused_self,
    clippy::needless_pass_by_ref_mut,
    reason = "the signatures are those of Unix"
)]
impl Idle {
    fn start(_key: &Key, _environment: &Environment) -> Result<Option<Self>, Error> {
        Ok(None)
    }

    fn is_alive(&self) -> bool {
        false
    }

    fn is_ready(&self) -> bool {
        false
    }

    fn hand_over(&mut self, _plan: &Plan, _environment: &Environment) {}
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::run::outcome::Status;
    use crate::run::request::Request;
    use crate::run::tests::{Place, interpreter, request};
    use crate::run::{NoSink, Outcome};

    /// A pool of one interpreter, which waits.
    fn pool(place: &Place) -> Pool {
        let pool = Pool::new(1);
        pool.prepare(&interpreter(), &place.settings)
            .expect("it can be started");
        wait_for(&pool);
        pool
    }

    #[track_caller]
    fn wait_for(pool: &Pool) {
        let deadline = Instant::now() + Duration::from_mins(1);
        while pool.waiting() == 0 {
            assert!(Instant::now() < deadline, "no interpreter gets ready");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    fn run(pool: &Pool, place: &Place, request: &Request) -> Outcome {
        let plan = request.validate(&place.settings).expect("it makes sense");
        pool.run(
            &interpreter(),
            &plan,
            &place.settings,
            &Cancel::new(),
            &mut NoSink,
        )
        .expect("it can be started")
    }

    /// What tells a waiting interpreter from a fresh one.
    const WAS_WARM: &str = "import sys; print('subprocess' in sys.modules)";

    #[test]
    fn a_run_takes_what_waits_and_another_is_started_behind_it() {
        let place = Place::new();
        let pool = pool(&place);
        for _ in 0..3 {
            assert_eq!(run(&pool, &place, &request(WAS_WARM)).stdout.text, "True\n");
            wait_for(&pool);
        }
    }

    #[test]
    fn a_waiting_interpreter_runs_code_as_a_fresh_one_does() {
        let place = Place::new();
        let pool = pool(&place);
        let mut request = request(
            "import os, sys, resource\n\
             print(sys.argv, sys.orig_argv[1:], sys.path[0], __name__, __file__, __spec__, __loader__)\n\
             print(sorted(globals()))\n\
             print(os.getcwd(), os.environ.get('MINE'), os.environ.get('HOME'))\n\
             print(sorted(os.listdir('/proc/self/fd'))[:-1] if os.path.exists('/proc/self/fd') else '')\n\
             os.system('echo $MINE'); print(os.umask(0), repr(sys.stdin.read()))\n\
             def f(): return [][0]\n\
             f()",
        );
        request.args = vec!["a b".into()];
        request.env = vec![("MINE".into(), Some("x=y".into()))];
        let warm = run(&pool, &place, &request);
        let cold = place.run(&request);
        assert_eq!(warm.stdout.text, cold.stdout.text);
        assert_eq!(warm.stderr.text, cold.stderr.text);
        assert_eq!((warm.status, warm.exit_code), (Status::Failed, Some(1)));
    }

    #[test]
    fn a_waiting_interpreter_runs_a_script_as_a_fresh_one_does() {
        let place = Place::new();
        let pool = pool(&place);
        std::fs::create_dir(place.path().join("sub")).expect("writable");
        std::fs::write(place.path().join("sub/other.py"), "x = 1").expect("writable");
        std::fs::write(
            place.path().join("sub/job.py"),
            "import sys, other\nprint(sys.argv, sys.path[0], __file__, __name__, __loader__.path)\nraise SystemExit(other.x + 6)",
        )
        .expect("writable");
        let request = Request {
            script_path: Some("sub/job.py".into()),
            args: vec!["a".into()],
            ..Request::default()
        };
        let warm = run(&pool, &place, &request);
        let cold = place.run(&request);
        assert_eq!(warm.stdout.text, cold.stdout.text, "{}", warm.stderr.text);
        assert_eq!(warm.exit_code, Some(7));
    }

    #[test]
    fn a_waiting_interpreter_ends_as_a_fresh_one_does() {
        let place = Place::new();
        let pool = pool(&place);
        let programs = [
            // What is told at the end is told: exits, finalizers, cycles, files that nobody closed.
            "import atexit\natexit.register(print, 'exit')\n\
             class A:\n    def __del__(self): print('gone', flush=True)\n\
             kept = A(); cycle = A(); cycle.itself = cycle\n\
             file = open('left', 'w'); file.write('all of it')",
            "import json\nclass A:\n    def __del__(self): print('gone')\njson.kept = A()",
            "def held():\n    try: yield\n    finally: print('closed')\nimport re\nre.kept = held(); next(re.kept)",
            "import threading, time\ndef late():\n    time.sleep(0.1); print('late')\nthreading.Thread(target=late).start()",
            "import threading, time\nthreading.Thread(target=time.sleep, args=(100,), daemon=True).start(); print('on')",
            "import sys; sys.exit()",
            "import sys; sys.exit(3)",
            "import sys; sys.exit(True)",
            "import sys; sys.exit('why')",
            "import sys; sys.exit(-1)",
            "import sys; sys.exit(257)",
            "import sys; sys.stdout.close()",
            "import os\nif os.fork() == 0: print('child')\nelse: os.wait(); print('parent')",
        ];
        for program in programs {
            wait_for(&pool);
            let warm = run(&pool, &place, &request(program));
            let left = std::fs::read(place.path().join("left")).ok();
            let cold = place.run(&request(program));
            assert_eq!(
                (warm.exit_code, warm.stdout.text, warm.stderr.text),
                (cold.exit_code, cold.stdout.text, cold.stderr.text),
                "{program}"
            );
            assert_eq!(left, std::fs::read(place.path().join("left")).ok());
        }
    }

    #[test]
    fn nothing_passes_from_one_run_to_the_next() {
        let place = Place::new();
        let pool = pool(&place);
        let first = "import os, sys, signal, json, builtins\nos.environ['LEFT'] = '1'; os.chdir('/'); os.umask(0o777)\n\
                     signal.signal(signal.SIGUSR1, signal.SIG_IGN); json.left = builtins.left = 1; sys.path.append('left')\n\
                     kept = os.open('/', os.O_RDONLY)";
        let second = "import os, sys, signal, json, builtins\n\
                      print('LEFT' in os.environ, os.getcwd() == '/', os.umask(0) == 0o777, hasattr(json, 'left'),\n\
                      hasattr(builtins, 'left'), 'left' in sys.path, signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN)\n\
                      try: os.fstat(3)\n\
                      except OSError: print('closed')";
        assert_eq!(run(&pool, &place, &request(first)).status, Status::Ok);
        wait_for(&pool);
        let outcome = run(&pool, &place, &request(second));
        assert_eq!(
            outcome.stdout.text,
            format!("{}\nclosed\n", ["False"; 7].join(" "))
        );
    }

    #[test]
    fn what_would_be_told_apart_is_started_afresh() {
        let place = Place::new();
        let pool = pool(&place);
        let fresh = |request: &Request| {
            let outcome = run(&pool, &place, request);
            assert_eq!(outcome.stdout.text, "False\n", "{}", outcome.stderr.text);
        };
        let mut hashed = request(WAS_WARM);
        hashed.env = vec![("PYTHONHASHSEED".into(), Some("1".into()))];
        fresh(&hashed);
        let mut kept = request(WAS_WARM);
        kept.leftovers = Leftovers::Keep;
        fresh(&kept);
        std::fs::write(place.path().join("random.py"), "").expect("writable");
        fresh(&request(WAS_WARM));
    }

    #[test]
    fn the_list_of_imported_modules_is_complete() {
        assert!(IMPORTED.is_sorted());
        let place = Place::new();
        let listing = "import sys; print(*sorted({name.split('.')[0] for name in sys.modules\n\
                       if name[0] != '_' and name.split('.')[0] not in sys.builtin_module_names}))";
        let fresh = place.run(&request(listing)).stdout.text;
        let warm = run(&pool(&place), &place, &request(listing)).stdout.text;
        let fresh: Vec<&str> = fresh.split_whitespace().collect();
        let missing: Vec<&str> = warm
            .split_whitespace()
            .filter(|name| !fresh.contains(name) && IMPORTED.binary_search(name).is_err())
            .collect();
        assert_eq!(missing, Vec::<&str>::new());
    }

    #[test]
    fn a_dropped_pool_ends_what_waits() {
        let place = Place::new();
        let pool = pool(&place);
        let pid = pool.idle()[0].tree.program_id().expect("it was started");
        drop(pool);
        crate::run::tests::assert_gone(&pid.to_string());
    }
}
