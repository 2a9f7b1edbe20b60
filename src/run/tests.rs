//! Runs of real programs through the one door. They need a Python 3.10 or newer on PATH.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::outcome::{Outcome, Status};
use super::request::{Leftovers, Request, TimeLimit};
use super::{Cancel, Cancelled, Error, NoSink, run, run_async};
use crate::provision::Interpreter;
use crate::settings::{AGENT_DIR_VARIABLE, Environment, Settings};

/// The executable behind whatever `python3` on PATH is.
pub(crate) fn interpreter() -> Interpreter {
    static FOUND: OnceLock<(PathBuf, String)> = OnceLock::new();
    let (path, version) = FOUND.get_or_init(|| {
        let question = "import os, sys, platform; assert sys.version_info >= (3, 10); \
                        print(os.path.realpath(sys.executable)); print(platform.python_version())";
        [
            "python3",
            "python3.13",
            "python3.12",
            "python3.11",
            "python3.10",
        ]
        .into_iter()
        .find_map(|name| {
            let answer = Command::new(name).args(["-c", question]).output().ok()?;
            let answer = String::from_utf8(answer.stdout).ok()?;
            let (path, version) = answer.trim().split_once('\n')?;
            Some((PathBuf::from(path), version.to_owned()))
        })
        .expect("these tests need a Python 3.10 or newer on PATH")
    });
    Interpreter {
        path: path.clone(),
        version: version.clone(),
        implementation: "cpython".to_owned(),
        prefix: PathBuf::new(),
        base_prefix: PathBuf::new(),
    }
}

/// A directory to run in, and settings that keep everything in it.
pub(crate) struct Place {
    dir: tempfile::TempDir,
    pub(crate) settings: Settings,
}

impl Place {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let mut environment = Environment::of_this_process();
        environment.set(AGENT_DIR_VARIABLE, dir.path().join("agent"));
        let settings = Settings::resolve(environment, dir.path().to_owned());
        Self { dir, settings }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    #[track_caller]
    pub(super) fn run(&self, request: &Request) -> Outcome {
        self.run_with(request, &Cancel::new())
    }

    #[track_caller]
    fn run_with(&self, request: &Request, cancel: &Cancel) -> Outcome {
        let plan = request.validate(&self.settings).expect("it makes sense");
        run(&interpreter(), &plan, &self.settings, cancel, &mut NoSink).expect("it can be started")
    }

    #[track_caller]
    fn run_code(&self, code: &str) -> Outcome {
        self.run(&request(code))
    }
}

pub(crate) fn request(code: &str) -> Request {
    Request {
        code: Some(code.as_bytes().to_vec()),
        ..Request::default()
    }
}

fn limited(code: &str, seconds: f64) -> Request {
    Request {
        time_limit: Some(TimeLimit::Seconds(seconds)),
        ..request(code)
    }
}

/// Waits for a process to be gone, a zombie counting as gone.
#[track_caller]
pub(super) fn assert_gone(pid: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while is_alive(pid) {
        assert!(Instant::now() < deadline, "process {pid} is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_alive(pid: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    let state = state.expect("there is a ps").stdout;
    !state.trim_ascii().is_empty() && !state.starts_with(b"Z")
}

#[test]
fn what_is_printed_and_how_it_ended_comes_back() {
    let place = Place::new();
    let outcome =
        place.run_code("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)");
    assert_eq!(outcome.stdout.text, "out\n");
    assert_eq!(outcome.stderr.text, "err\n");
    assert_eq!(
        (outcome.status, outcome.exit_code),
        (Status::Failed, Some(3))
    );
    assert_eq!(outcome.notices, Vec::<String>::new());
    let outcome = place.run_code("");
    assert_eq!((outcome.status, outcome.exit_code), (Status::Ok, Some(0)));
}

#[test]
fn a_programs_own_exit_codes_are_its_own() {
    let place = Place::new();
    for code in [1, 124, 125, 126, 127, 130, 137, 255] {
        let outcome = place.run_code(&format!("import sys; sys.exit({code})"));
        assert_eq!(
            (outcome.status, outcome.exit_code),
            (Status::Failed, Some(code))
        );
        assert_eq!(outcome.signal, None);
    }
}

#[test]
fn a_signal_is_named() {
    let place = Place::new();
    for (name, expected) in [
        ("SIGSEGV", "SIGSEGV"),
        ("SIGKILL", "SIGKILL"),
        ("SIGTERM", "SIGTERM"),
    ] {
        let outcome = place.run_code(&format!(
            "import os, signal; print('before', flush=True); os.kill(os.getpid(), signal.{name})"
        ));
        assert_eq!(outcome.signal.as_deref(), Some(expected));
        assert_eq!((outcome.status, outcome.exit_code), (Status::Failed, None));
        assert_eq!(outcome.stdout.text, "before\n");
    }
    let outcome = place.run_code("raise KeyboardInterrupt");
    assert_eq!(outcome.signal.as_deref(), Some("SIGINT"));
}

#[test]
fn code_begins_as_with_plain_python() {
    let place = Place::new();
    let mut request = request(
        "import sys, os\n\
         print(sys.argv, sys.path[0] == '', __name__, __file__, __spec__, __doc__)\n\
         print(sorted(name for name in globals() if not name.startswith('__')))\n\
         print(os.getcwd() == os.path.realpath(os.environ['PWD_EXPECTED']))\n\
         print(os.environ['PI_PYTHON_TOOL'], sys.flags.dont_write_bytecode, sys.stdout.encoding)",
    );
    request.args = vec!["a b".into(), "--x".into()];
    request.env = vec![("PWD_EXPECTED".into(), Some(place.path().into()))];
    let outcome = place.run(&request);
    assert_eq!(
        outcome.stdout.text,
        "['-', 'a b', '--x'] True __main__ <code> None None\n['os', 'sys']\nTrue\n1 1 utf-8\n",
        "{}",
        outcome.stderr.text
    );
}

#[test]
fn a_traceback_shows_the_code_and_nothing_of_ours() {
    let place = Place::new();
    let outcome = place.run_code("def f():\n    return [][0]  # here\n\nprint('kept')\nf()");
    assert_eq!(outcome.stdout.text, "kept\n");
    let lines: Vec<&str> = outcome.stderr.text.lines().collect();
    assert_eq!(lines[0], "Traceback (most recent call last):");
    assert_eq!(lines[1], "  File \"<code>\", line 5, in <module>");
    assert!(lines.contains(&"    return [][0]  # here"));
    assert_eq!(lines.last(), Some(&"IndexError: list index out of range"));
    let outcome = place.run_code(
        "import traceback\ntry:\n    1/0  # there\nexcept Exception:\n    traceback.print_exc()",
    );
    assert!(
        outcome.stderr.text.contains("    1/0  # there\n"),
        "{}",
        outcome.stderr.text
    );
    let outcome = place.run_code("x = = 1");
    assert!(
        outcome
            .stderr
            .text
            .starts_with("  File \"<code>\", line 1\n    x = = 1\n")
    );
}

#[test]
fn exceptions_take_the_programs_own_hooks_and_exits() {
    let place = Place::new();
    let outcome = place.run_code(
        "import sys, atexit\natexit.register(print, 'exit')\n\
         sys.excepthook = lambda kind, error, trace: print(kind.__name__, trace.tb_frame.f_code.co_filename)\n1/0",
    );
    assert_eq!(outcome.stdout.text, "ZeroDivisionError <code>\nexit\n");
    assert_eq!(outcome.exit_code, Some(1));
    let outcome = place.run_code("raise SystemExit('bye')");
    assert_eq!(
        (outcome.stderr.text.as_str(), outcome.exit_code),
        ("bye\n", Some(1))
    );
}

#[test]
fn what_is_told_at_the_end_is_told() {
    let outcome = Place::new().run_code(
        "import atexit\natexit.register(print, 'exit')\n\
         class A:\n    def __del__(self): print('gone', flush=True)\n\
         kept = A(); cycle = A(); cycle.itself = cycle",
    );
    assert_eq!(outcome.stdout.text, "exit\ngone\ngone\n");
}

#[test]
fn files_of_the_project_are_not_taken_for_the_library() {
    let place = Place::new();
    for name in [
        "json",
        "socket",
        "site",
        "ast",
        "sitecustomize",
        "typing",
        "linecache",
        "traceback",
        "tokenize",
        "re",
    ] {
        let file = place.path().join(format!("{name}.py"));
        std::fs::write(file, "raise RuntimeError('shadow ' + __name__)").expect("writable");
    }
    let outcome = place.run_code("print(1)\n1/0");
    assert_eq!(outcome.stdout.text, "1\n");
    assert!(
        outcome.stderr.text.contains("    1/0\n"),
        "{}",
        outcome.stderr.text
    );
    assert!(!outcome.stderr.text.contains("shadow"));
    let outcome = place.run_code("import json");
    assert!(outcome.stderr.text.contains("json.py"));
}

#[test]
fn code_finds_nothing_on_standard_input() {
    let outcome = Place::new().run_code("import sys; print(repr(sys.stdin.read())); input()");
    assert_eq!(outcome.stdout.text, "''\n");
    assert!(
        outcome
            .stderr
            .text
            .ends_with("EOFError: EOF when reading a line\n")
    );
    assert!(outcome.notices[0].contains("no input"));
}

#[test]
fn the_sources_own_encoding_counts() {
    let place = Place::new();
    let run = |code: &[u8]| {
        let code = Some(code.to_vec());
        place.run(&Request {
            code,
            ..Request::default()
        })
    };
    assert_eq!(
        run(b"# coding: latin-1\nprint('\xe9')").stdout.text,
        "\u{e9}\n"
    );
    assert_eq!(run(b"\xef\xbb\xbfprint('bom')\r\n").stdout.text, "bom\n");
    assert!(run(b"print('\xff')").stderr.text.contains("SyntaxError"));
}

#[test]
fn code_of_any_size_runs() {
    let text = "y".repeat(300_000);
    let outcome = Place::new().run_code(&format!("text = '{text}'\n\nprint(len(text))\n1/0"));
    assert_eq!(outcome.stdout.text, "300000\n");
    assert!(outcome.stderr.text.contains("\"<code>\", line 4"));
}

#[test]
fn multiprocessing_works_in_every_way_of_starting() {
    let outcome = Place::new().run_code(
        "import multiprocessing\n\
         def double(x): return x * 2\n\
         if __name__ == '__main__':\n\
         \x20   for method in multiprocessing.get_all_start_methods():\n\
         \x20       with multiprocessing.get_context(method).Pool(1) as pool:\n\
         \x20           print(pool.map(double, [1, 2]))",
    );
    assert!(
        outcome.stdout.text.lines().count() > 0,
        "{}",
        outcome.stderr.text
    );
    assert!(outcome.stdout.text.lines().all(|line| line == "[2, 4]"));
    assert_eq!(outcome.exit_code, Some(0));
}

#[test]
fn a_script_runs_as_plain_python_runs_it() {
    let place = Place::new();
    let script = place.path().join("job.py");
    std::fs::write(
        &script,
        "import sys\nprint(sys.argv[1:], __file__, sys.stdin.read())\n1/0",
    )
    .expect("writable");
    let outcome = place.run(&Request {
        script_path: Some("@job.py".into()),
        args: vec!["x".into()],
        ..Request::default()
    });
    assert_eq!(
        outcome.stdout.text,
        format!("['x'] {} \n", script.display())
    );
    assert!(outcome.stderr.text.contains("    1/0\n"));
}

#[cfg(any(target_os = "linux", target_os = "android"))]
#[test]
fn a_program_has_three_descriptors_no_terminal_and_ordinary_signals() {
    let outcome = Place::new().run_code(
        "import os\n\
         print(sorted(int(fd) for fd in os.listdir('/proc/self/fd'))[:-1])\n\
         status = dict(line.split(':\\t') for line in open('/proc/self/status'))\n\
         internal = 3 << 31  # of the C library, which lets nobody change them\n\
         print(int(status['SigBlk'], 16), hex(int(status['SigIgn'], 16) & ~internal))\n\
         try: os.open('/dev/tty', os.O_RDWR)\n\
         except OSError: print('no terminal')",
    );
    // Python itself ignores SIGPIPE and SIGXFSZ.
    assert_eq!(outcome.stdout.text, "[0, 1, 2]\n0 0x1001000\nno terminal\n");
}

#[cfg(unix)]
const ESCAPED: &str = "import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(1000)
    os._exit(0)
os.wait()
while not os.path.exists('go'):
    time.sleep(0.01)
";

#[cfg(unix)]
#[test]
fn what_a_program_leaves_behind_delays_nothing_and_is_ended() {
    let place = Place::new();
    std::fs::write(place.path().join("go"), "").expect("writable");
    let code = ESCAPED.replace("os.wait()", "os.wait(); time.sleep(0.3)");
    let outcome = place.run(&Request {
        time_limit: Some(TimeLimit::None),
        ..request(&code)
    });
    assert_eq!(outcome.status, Status::Ok);
    assert_gone(outcome.stdout.text.trim());
    assert!(
        outcome.notices[0].starts_with("1 process was still running"),
        "{:?}",
        outcome.notices
    );
}

#[cfg(unix)]
#[test]
fn what_a_program_leaves_behind_can_be_kept() {
    let place = Place::new();
    std::fs::write(place.path().join("go"), "").expect("writable");
    let code = ESCAPED.replace("os.wait()", "os.wait(); time.sleep(0.3)");
    let outcome = place.run(&Request {
        leftovers: Leftovers::Keep,
        ..request(&code)
    });
    let pid = outcome.stdout.text.trim();
    assert!(is_alive(pid));
    assert!(
        outcome.notices[0].starts_with("1 process was left running"),
        "{:?}",
        outcome.notices
    );
    Command::new("kill")
        .args(["-9", pid])
        .status()
        .expect("there is a kill");
    assert_gone(pid);
}

#[cfg(unix)]
#[test]
fn a_timeout_returns_what_was_printed_and_leaves_nothing() {
    let outcome = Place::new().run(&limited(ESCAPED, 1.0));
    assert_eq!((outcome.status, outcome.exit_code), (Status::Timeout, None));
    assert!(
        outcome.notices[0].starts_with("timed out after 1 s: 2 processes were ended"),
        "{:?}",
        outcome.notices
    );
    assert_gone(outcome.stdout.text.trim());
}

#[cfg(unix)]
#[test]
fn who_ignores_being_asked_is_killed() {
    let code = "import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    print(os.getpid(), flush=True)
time.sleep(1000)";
    let outcome = Place::new().run(&limited(code, 0.5));
    assert_eq!(outcome.status, Status::Timeout);
    assert_eq!(outcome.signal.as_deref(), Some("SIGKILL"));
    assert!(
        outcome.notices[0].contains("2 had to be killed"),
        "{:?}",
        outcome.notices
    );
    assert_gone(outcome.stdout.text.trim());
}

#[cfg(any(target_os = "linux", target_os = "android"))]
#[test]
fn a_program_that_stops_its_keeper_gains_nothing() {
    let code =
        "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\nprint('on', flush=True)\n";
    let place = Place::new();
    assert_eq!(place.run_code(code).status, Status::Ok);
    let outcome = place.run(&limited(&format!("{code}time.sleep(1000)"), 0.5));
    assert_eq!(
        (outcome.status, outcome.stdout.text.as_str()),
        (Status::Timeout, "on\n")
    );
}

#[cfg(any(target_os = "linux", target_os = "android"))]
#[test]
fn a_program_that_kills_its_keeper_dies_with_it() {
    let code = "import os, signal, time\nprint(os.getpid(), flush=True)\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(1000)";
    let outcome = Place::new().run_code(code);
    assert_eq!(
        (outcome.status, outcome.signal.as_deref()),
        (Status::Failed, Some("SIGKILL"))
    );
    assert_gone(outcome.stdout.text.trim());
    assert!(
        outcome
            .notices
            .iter()
            .any(|notice| notice.contains("watches over it"))
    );
}

#[cfg(unix)]
#[test]
fn a_cancelled_run_returns_what_was_printed() {
    let place = Place::new();
    let cancel = Cancel::new();
    let ready = place.path().join("ready");
    let waiter = {
        let (cancel, ready) = (cancel.clone(), ready.clone());
        std::thread::spawn(move || {
            while !ready.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            cancel.cancel(Cancelled::Interrupt);
            cancel.cancel(Cancelled::Interrupt);
        })
    };
    let code = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('step 1')\nopen('ready', 'w').close()\ntime.sleep(1000)";
    let outcome = place.run_with(&request(code), &cancel);
    waiter.join().expect("it does not panic");
    assert_eq!(
        (outcome.status, outcome.exit_code),
        (Status::Cancelled, None)
    );
    assert_eq!(outcome.stdout.text, "step 1\n");
    assert!(
        outcome.notices[0].starts_with("cancelled by SIGINT"),
        "{:?}",
        outcome.notices
    );
}

#[test]
fn a_directory_that_vanished_is_named() {
    let place = Place::new();
    let gone = place.path().join("gone");
    std::fs::create_dir(&gone).expect("writable");
    let plan = Request {
        cwd: Some("gone".into()),
        ..request("print(1)")
    }
    .validate(&place.settings)
    .expect("it is there");
    std::fs::remove_dir(&gone).expect("it is empty");
    let error = run(
        &interpreter(),
        &plan,
        &place.settings,
        &Cancel::new(),
        &mut NoSink,
    )
    .expect_err("it is not there any more");
    assert!(matches!(&error, Error::Tree(error) if error.is_about_directory()));
    assert!(error.to_string().contains(&gone.display().to_string()));
}

#[test]
fn an_interpreter_that_is_gone_is_named() {
    let place = Place::new();
    let plan = request("print(1)")
        .validate(&place.settings)
        .expect("it makes sense");
    let mut interpreter = interpreter();
    interpreter.path = place.path().join("no-python");
    let error = run(
        &interpreter,
        &plan,
        &place.settings,
        &Cancel::new(),
        &mut NoSink,
    )
    .expect_err("there is no such executable");
    assert!(error.to_string().contains("no-python"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_dropped_run_ends_what_it_started() {
    let place = Place::new();
    let code = "import os, time\nopen('pid.new', 'w').write(str(os.getpid()))\nos.rename('pid.new', 'pid')\ntime.sleep(1000)";
    let plan = request(code)
        .validate(&place.settings)
        .expect("it makes sense");
    let future = run_async(
        interpreter(),
        plan,
        place.settings.clone(),
        Cancel::new(),
        NoSink,
    );
    let file = place.path().join("pid");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let appears = async {
            while !file.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            _ = future => panic!("the program sleeps"),
            () = appears => {}
        }
    });
    assert_gone(&std::fs::read_to_string(&file).expect("it was written"));
}

#[test]
fn an_asynchronous_run_answers() {
    let place = Place::new();
    let plan = request("print(1)")
        .validate(&place.settings)
        .expect("it makes sense");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let outcome = runtime
        .block_on(run_async(
            interpreter(),
            plan,
            place.settings.clone(),
            Cancel::new(),
            NoSink,
        ))
        .expect("it can be started");
    assert_eq!(outcome.stdout.text, "1\n");
}

#[cfg(any(target_os = "linux", target_os = "android"))]
#[test]
fn runs_leave_no_descriptor_and_no_process() {
    let place = Place::new();
    let descriptors = || {
        std::fs::read_dir("/proc/self/fd")
            .expect("there is /proc")
            .count()
    };
    let children = || {
        let output = Command::new("ps")
            .args(["-o", "comm=", "--ppid", &std::process::id().to_string()])
            .output();
        let output = String::from_utf8(output.expect("there is a ps").stdout).expect("names");
        output.lines().filter(|name| *name == "pi-keeper").count()
    };
    place.run_code("pass");
    let before = descriptors();
    for _ in 0..20 {
        place.run_code("pass");
    }
    // Other tests of this process run at the same time; what a run leaked would be there for good.
    let deadline = Instant::now() + Duration::from_secs(60);
    while descriptors() > before || children() > 0 {
        assert!(
            Instant::now() < deadline,
            "{} descriptors, {before} before",
            descriptors()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}
