//! Programs beneath the kernel's part of the guard alone: nothing in the interpreter helps.
//!
//! They need what most Linux machines have; where a layer is missing, its tests say so by failing.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Category, Layers, Policy};
use crate::approval::{Categories, Workspace};
use crate::run::outcome::{Outcome, Status};
use crate::run::request::{Plan, TimeLimit};
use crate::run::tests::{Place, interpreter, request};
use crate::run::{Cancel, NoSink, Request, run};

/// A policy over no place in particular.
pub(super) fn policy() -> Policy {
    let workspace = Workspace {
        roots: Vec::new(),
        temporary: Vec::new(),
        caches: Vec::new(),
        agent: PathBuf::from("/nowhere"),
        protected: Vec::new(),
        home: None,
    };
    Policy::new(workspace, Categories::NONE, false, &interpreter())
}

/// A place with one directory for each zone.
struct Ground {
    place: Place,
    root: PathBuf,
    policy: Policy,
}

/// What programs begin with: the C library, and a call that says how it went.
const PRELUDE: &str = "
import ctypes, errno, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    args = [os.fsencode(a) if isinstance(a, str) else a for a in args]
    answer = getattr(libc, name)(*args)
    print(name, errno.errorcode[ctypes.get_errno()] if answer == -1 else answer, flush=True)
    return answer
def system(number, *args):
    answer = libc.syscall(ctypes.c_long(number), *args)
    print(number, errno.errorcode[ctypes.get_errno()] if answer == -1 else answer, flush=True)
";

impl Ground {
    fn new() -> Self {
        let place = Place::new();
        let root = fs::canonicalize(place.path()).expect("it is there");
        for dir in ["work", "temporary", "cache", "agent", "other"] {
            fs::create_dir_all(root.join(dir)).expect("writable");
            fs::write(root.join(dir).join("old"), "old").expect("writable");
            fs::create_dir(root.join(dir).join("old-dir")).expect("writable");
        }
        let workspace = Workspace {
            roots: vec![root.join("work")],
            temporary: vec![root.join("temporary")],
            caches: vec![root.join("cache")],
            agent: root.join("agent"),
            protected: Vec::new(),
            home: None,
        };
        // The calls of these tests are native: the hook lets them pass, and the kernel's part is alone.
        let native = [Category::Native].into_iter().collect();
        let policy = Policy::new(workspace, native, false, &interpreter());
        // What was made before a run has to be older than it, by the file system's clock.
        std::thread::sleep(std::time::Duration::from_millis(20));
        Self {
            place,
            root,
            policy,
        }
    }

    fn granted(mut self, categories: &[Category]) -> Self {
        let granted = categories.iter().copied();
        self.policy.granted = granted.chain([Category::Native]).collect();
        self
    }

    fn read_only(mut self) -> Self {
        self.policy.read_only = true;
        self
    }

    fn plan(&self, code: &str) -> Plan {
        let request = Request {
            time_limit: Some(TimeLimit::Seconds(60.0)),
            cwd: Some(self.root.join("work")),
            env: vec![(
                "TMPDIR".into(),
                Some(self.root.join("temporary").into_os_string()),
            )],
            ..request(&format!("{PRELUDE}\n{code}"))
        };
        let mut plan = request
            .validate(&self.place.settings)
            .expect("it makes sense");
        plan.guard = Some(self.policy.clone());
        plan
    }

    #[track_caller]
    fn run(&self, code: &str) -> Outcome {
        run(
            &interpreter(),
            &self.plan(code),
            &self.place.settings,
            &Cancel::new(),
            &mut NoSink,
        )
        .expect("it can be started")
    }

    /// Runs code that must come through, and answers with what it printed.
    #[track_caller]
    fn allowed(&self, code: &str) -> String {
        let outcome = self.run(code);
        assert_eq!(
            (outcome.status, outcome.stderr.text.as_str()),
            (Status::Ok, ""),
            "{:?}",
            outcome.notices
        );
        outcome.stdout.text
    }

    /// Runs code that must be stopped for that reason, aimed at that file.
    #[track_caller]
    fn stopped(&self, code: &str, category: Category, target: impl AsRef<Path>) -> Outcome {
        let outcome = self.run(code);
        assert_eq!(
            outcome.status,
            Status::ApprovalRequired,
            "{} {}",
            outcome.stdout.text,
            outcome.stderr.text
        );
        assert_eq!((outcome.exit_code, outcome.signal.as_deref()), (None, None));
        let findings = outcome.approval.as_ref().map(|asked| &asked.findings[..]);
        let Some([finding, ..]) = findings else {
            panic!("there is no finding");
        };
        let target = self.root.join(target).display().to_string();
        assert_eq!(finding.category, category, "{}", finding.message);
        assert!(finding.message.contains(&target), "{}", finding.message);
        assert!(
            outcome.notices[0].contains(&target),
            "{:?}",
            outcome.notices
        );
        outcome
    }

    fn has(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }
}

#[test]
fn the_result_says_which_layers_held() {
    let ground = Ground::new();
    let layers = ground.run("pass").guard;
    let machine = Layers::of_this_machine();
    assert_eq!(
        (layers.landlock, layers.seccomp, layers.supervisor),
        (machine.landlock, machine.seccomp, machine.supervisor)
    );
    assert!(layers.hook && layers.supervisor && layers.landlock.is_some());
    let layers = ground.granted(&[Category::Program]).run("pass").guard;
    let hook_alone = Layers {
        hook: true,
        ..Layers::default()
    };
    assert_eq!(layers, hook_alone);
}

#[test]
fn what_was_there_before_is_not_deleted() {
    let ground = Ground::new();
    for (code, target) in [
        ("call('unlink', 'old')", "work/old"),
        ("call('unlinkat', -100, './../work//old', 0)", "work/old"),
        ("call('remove', '../cache/old')", "cache/old"),
        ("call('rmdir', 'old-dir/')", "work/old-dir"),
        ("call('unlink', '../temporary/old')", "temporary/old"),
        ("call('unlink', '../other/old')", "other/old"),
        ("call('unlink', '/proc/self/cwd/old')", "work/old"),
        ("os.chdir('..'); call('unlink', 'work/old')", "work/old"),
        (
            "fd = os.open('..', os.O_RDONLY); call('unlinkat', fd, 'work/old', 0)",
            "work/old",
        ),
        (
            "fd = os.open('..', os.O_RDONLY); call('unlink', f'/proc/self/fd/{fd}/work/old')",
            "work/old",
        ),
        (
            "os.symlink('..', 'up'); call('unlink', 'up/work/up/work/old')",
            "work/old",
        ),
        ("os.remove('old')", "work/old"),
        (
            "import shutil; shutil.rmtree('../work', ignore_errors=True)",
            "work",
        ),
    ] {
        let outcome = ground.stopped(code, Category::Delete, target);
        assert_eq!(outcome.approval.expect("asked").findings[0].rule, "PI100");
        let _ = fs::remove_file(ground.root.join("work/up"));
        assert!(ground.has(target), "{code}");
        assert!(ground.has("work/old"), "{code}");
    }
    ground.stopped(
        "call('unlink', '../agent/old')",
        Category::Tamper,
        "agent/old",
    );
    assert!(ground.has("agent/old"));
}

#[test]
fn what_the_run_made_is_deleted() {
    let ground = Ground::new();
    let printed = ground.allowed(
        "for dir in ('.', '../temporary', '../cache'):
    open(dir + '/new', 'w').close()
    call('unlink', dir + '/new')
    os.makedirs(dir + '/a/b/c')
    os.symlink('/', dir + '/a/b/link')
    import shutil; shutil.rmtree(dir + '/a')
if os.fork() == 0:
    open('of-a-child', 'w').close()
    os._exit(0)
os.wait()
call('unlink', 'of-a-child')
import tempfile
with tempfile.TemporaryDirectory() as dir:
    open(dir + '/x', 'w').close()
with tempfile.NamedTemporaryFile() as file:
    file.write(b'x')
print(sorted(os.listdir('.')), os.listdir('../temporary'))",
    );
    assert_eq!(
        printed,
        "unlink 0\nunlink 0\nunlink 0\nunlink 0\n['old', 'old-dir'] ['old-dir', 'old']\n"
            .replace("['old-dir', 'old']", &listing(&ground, "temporary"))
    );
}

fn listing(ground: &Ground, dir: &str) -> String {
    let names: Vec<String> = fs::read_dir(ground.root.join(dir))
        .expect("it is there")
        .flatten()
        .map(|entry| format!("'{}'", entry.file_name().display()))
        .collect();
    format!("[{}]", names.join(", "))
}

#[test]
fn errors_are_those_of_the_system() {
    let printed = Ground::new().allowed(
        "call('unlink', 'absent'); call('unlink', 'old-dir'); call('rmdir', 'old'); call('unlink', 'old/x')
call('rmdir', '.'); call('rmdir', '..'); call('unlink', ''); call('unlink', ctypes.c_void_p(8))
call('unlinkat', 99, 'x', 0); call('unlinkat', -100, 'old', 1234); call('unlink', 'x' * 5000)
open('old-dir/new', 'w').close(); call('rmdir', 'old-dir')
call('rename', 'absent', 'x'); call('rename', '.', 'x'); call('rename', 'old', 'absent/x')
call('renameat2', -100, 'old', -100, 'old-dir/new', 1)
call('execve', '/absent', None, None); call('execve', '/', None, None)
call('chmod', 'absent', 0o600); call('fchmod', 99, 0o600)",
    );
    assert_eq!(
        printed,
        "unlink ENOENT\nunlink EISDIR\nrmdir ENOTDIR\nunlink ENOTDIR\nrmdir EINVAL\nrmdir ENOTEMPTY\nunlink ENOENT\n\
         unlink EFAULT\nunlinkat EBADF\nunlinkat EINVAL\nunlink ENAMETOOLONG\nrmdir ENOTEMPTY\nrename ENOENT\n\
         rename EBUSY\nrename ENOENT\nrenameat2 EEXIST\nexecve ENOENT\nexecve EACCES\nchmod ENOENT\nfchmod EBADF\n"
    );
}

#[test]
fn moving_is_free_within_the_workspace_and_deletes_beyond_it() {
    let ground = Ground::new();
    ground.allowed(
        "os.rename('old', 'old-dir/moved'); os.rename('old-dir', 'renamed'); os.rename('renamed/moved', 'old')
os.rename('renamed', 'old-dir')
open('new', 'w').close(); os.rename('new', '../temporary/new'); os.rename('../temporary/new', '../cache/new')
os.rename('../cache/new', 'new'); os.replace('new', 'old')",
    );
    for (code, category, target) in [
        ("'old', '../temporary/x'", Category::Delete, "work/old"),
        ("'old', '../cache/x'", Category::Delete, "work/old"),
        ("'../cache/old', 'x'", Category::Delete, "cache/old"),
        ("'old-dir', '../other/x'", Category::Delete, "work/old-dir"),
        (
            "'../temporary/old', '../temporary/x'",
            Category::Outside,
            "temporary",
        ),
        (
            "'../temporary/old', 'x'",
            Category::Outside,
            "temporary/old",
        ),
        ("'../other/old', 'x'", Category::Outside, "other/old"),
        ("'../agent/old', 'x'", Category::Tamper, "agent/old"),
    ] {
        ground.stopped(&format!("call('rename', {code})"), category, target);
    }
    for (target, category) in [
        ("../temporary/old", Category::Outside),
        ("../other/new", Category::Outside),
        ("../agent/new", Category::Tamper),
    ] {
        let code = format!("open('new', 'w').close(); call('rename', 'new', {target:?})");
        let outcome = ground.run(&code);
        let asked = outcome.approval.expect("it is asked");
        assert_eq!(asked.findings[0].category, category, "{target}");
        fs::remove_file(ground.root.join("work/new")).expect("it was not moved");
    }
    let code = "os.makedirs('made/deep'); os.rename('old', 'made/deep/old')
call('rename', 'made', '../temporary/x')";
    ground.stopped(code, Category::Delete, "work/made");
    let (hidden, old) = ("work/made/deep/old", "work/old");
    fs::rename(ground.root.join(hidden), ground.root.join(old)).expect("it is there");
    ground.allowed(
        "os.makedirs('own/deep'); open('own/deep/x', 'w').close(); os.rename('own', '../temporary/own')",
    );
    for path in [
        "work/old",
        "cache/old",
        "temporary/old",
        "other/old",
        "agent/old",
    ] {
        assert!(ground.has(path), "{path}");
    }
}

#[test]
fn what_takes_the_place_of_something_is_not_the_runs_own() {
    let ground = Ground::new();
    let replace = "open('new', 'w').close(); os.replace('new', 'old')";
    ground.stopped(
        &format!("{replace}; call('unlink', 'old')"),
        Category::Delete,
        "work/old",
    );
    let code = format!("{replace}; {replace}; os.rename('old', 'y'); call('unlink', 'y')");
    ground.stopped(&code, Category::Delete, "work/y");
}

#[test]
fn writing_is_confined_to_places() {
    let ground = Ground::new();
    let printed = ground.allowed(
        "for dir in ('.', '../temporary', '../cache', '../other', '../agent'):
    call('open', dir + '/old', os.O_WRONLY) > 0
    call('truncate', dir + '/old', 0)
    call('open', dir + '/new', os.O_WRONLY | os.O_CREAT, 0o600) > 0
    call('mkdir', dir + '/dir', 0o700)
    call('symlink', 'x', dir + '/link')
call('link', '../other/old', 'link2')
call('open', '/dev/null', os.O_RDWR | os.O_TRUNC) > 0
call('open', '/proc/self/mem', os.O_RDWR)
import multiprocessing.shared_memory as m; s = m.SharedMemory(create=True, size=10); s.close(); s.unlink()
open('/dev/stdout', 'w').write('through a name\\n')",
    );
    let mut lines: Vec<&str> = printed.lines().collect();
    let rest = lines.split_off(25);
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line.contains("EACCES"), index >= 15, "{index} {line}");
    }
    assert!(
        rest[0] == "link EXDEV" || rest[0] == "link EACCES",
        "{rest:?}"
    );
    assert!(!rest[1].contains('E'), "{rest:?}");
    assert_eq!(rest[2..], ["open EACCES", "through a name"]);
    assert_eq!(
        fs::read(ground.root.join("other/old")).expect("there"),
        b"old"
    );
}

#[test]
fn a_read_only_run_writes_temporary_files_alone() {
    let ground = Ground::new().read_only();
    let printed = ground.allowed(
        "call('open', 'new', os.O_WRONLY | os.O_CREAT, 0o600)
call('open', '../cache/new', os.O_WRONLY | os.O_CREAT, 0o600)
import tempfile
with tempfile.TemporaryFile() as file: print(file.write(b'x'))",
    );
    assert_eq!(printed, "open EACCES\nopen EACCES\n1\n");
    ground.stopped("call('unlink', 'old')", Category::Write, "work/old");
    ground.stopped("call('chmod', 'old', 0o600)", Category::Write, "work/old");
    ground.stopped("call('rename', 'old', 'x')", Category::Write, "work/old");
    assert!(ground.has("work/old"));
}

#[test]
fn modes_and_attributes_are_changed_where_writing_is_free() {
    let ground = Ground::new();
    let printed = ground.allowed(
        "call('chmod', 'old', 0o640); print(oct(os.stat('old').st_mode))
os.symlink('old', 'link'); os.chmod('link', 0o604); print(oct(os.stat('old').st_mode))
fd = os.open('old', os.O_RDONLY); call('fchmod', fd, 0o600); print(oct(os.stat('old').st_mode))
call('fchmodat', -100, 'old', 0o644, 0)
call('chown', 'old', -1, -1); call('lchown', 'link', -1, -1); call('fchown', fd, -1, -1)
os.setxattr('old', 'user.x', b'abc'); print(os.getxattr('old', 'user.x')); os.removexattr(fd, 'user.x')
print(os.listxattr('old'))
r, w = os.pipe(); call('fchmod', r, 0o600)",
    );
    assert_eq!(
        printed,
        "chmod 0\n0o100640\n0o100604\nfchmod 0\n0o100600\nfchmodat 0\nchown 0\nlchown 0\nfchown 0\nb'abc'\n[]\nfchmod 0\n"
    );
    for (code, category, target) in [
        (
            "call('chmod', '../other/old', 0)",
            Category::Outside,
            "other/old",
        ),
        (
            "call('fchmod', os.open('../other/old', 0), 0)",
            Category::Outside,
            "other/old",
        ),
        (
            "os.symlink('../other/old', 'out'); call('chmod', 'out', 0)",
            Category::Outside,
            "other/old",
        ),
        (
            "call('chown', '../temporary/old', 5, 5)",
            Category::Outside,
            "temporary/old",
        ),
        (
            "call('setxattr', '../other/old', 'user.x', b'x', 1, 0)",
            Category::Outside,
            "other/old",
        ),
        (
            "call('chmod', '../agent', 0o777)",
            Category::Tamper,
            "agent",
        ),
    ] {
        ground.stopped(code, category, target);
    }
}

#[test]
fn no_other_program_is_started() {
    let ground = Ground::new();
    let shell = fs::canonicalize(which::which("sh").expect("there is a shell")).expect("there");
    let path = shell.display();
    for code in [
        format!("call('execv', '{path}', (ctypes.c_char_p * 2)(b'x', None))"),
        format!("os.posix_spawn('{path}', ['x'], {{}})"),
        "import subprocess; subprocess.run(['sh', '-c', 'echo no'])".to_owned(),
        "os.system('echo no')".to_owned(),
        format!(
            "fd = os.memfd_create('x'); os.write(fd, open('{path}', 'rb').read()); os.execve(fd, ['x'], {{}})"
        ),
        "os.symlink(sys.executable, 'py'); open('script', 'w').write('#!' + os.getcwd() + '/py\\nprint(1)')\n\
         os.chmod('script', 0o700); os.execv('script', ['script'])"
            .to_owned(),
    ] {
        let outcome = ground.run(&code);
        assert_eq!(outcome.status, Status::ApprovalRequired, "{code}");
        let asked = outcome.approval.expect("it is asked");
        assert_eq!(asked.findings[0].category, Category::Program, "{code}");
        assert_eq!(outcome.stdout.text.replace("execv EACCES\n", ""), "", "{code}");
        let _ = fs::remove_file(ground.root.join("work/py"));
    }
}

#[test]
fn the_interpreter_is_started_again() {
    let printed = Ground::new().allowed(
        "import multiprocessing
if __name__ == '__main__':
    with multiprocessing.get_context('spawn').Pool(2) as pool: print(pool.map(abs, [-1, -2]))
    with multiprocessing.get_context('forkserver').Pool(2) as pool: print(pool.map(abs, [-1, -2]))
    with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(abs, [-1, -2]))
",
    );
    assert_eq!(printed, "[1, 2]\n[1, 2]\n[1, 2]\n");
}

#[test]
fn other_processes_are_out_of_reach() {
    let mut other = Sleeper::new();
    let ground = Ground::new();
    let code = format!(
        "pid = {}
call('kill', pid, 9); call('kill', pid, 0); call('kill', os.getppid(), 19)
call('ptrace', 16, pid, 0, 0)
system({}, os.pidfd_open(pid), 9, None, 0)
if (child := os.fork()) == 0: time.sleep(1000)
call('kill', child, 9); print(os.wait()[1])
call('kill', os.getpid(), 0)",
        other.0.id(),
        libc::SYS_pidfd_send_signal
    );
    let printed = ground.allowed(&code);
    assert_eq!(
        printed,
        "kill EPERM\nkill EPERM\nkill EPERM\nptrace EPERM\n424 EPERM\nkill 0\n9\nkill 0\n"
    );
    let limits = format!(
        "import resource; resource.prlimit(os.getpid(), resource.RLIMIT_CORE, (0, 0))
resource.prlimit({}, resource.RLIMIT_CPU, (0, 0))",
        other.0.id()
    );
    let outcome = ground.run(&limits);
    assert_eq!(outcome.status, Status::ApprovalRequired);
    assert!(
        outcome.notices[0].contains("prlimit"),
        "{:?}",
        outcome.notices
    );
    assert_eq!(other.0.try_wait().expect("it can be waited for"), None);
}

/// A process that is not of any run.
struct Sleeper(std::process::Child);

impl Sleeper {
    fn new() -> Self {
        let child = std::process::Command::new("sleep")
            .arg("1000")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn();
        Self(child.expect("there is a sleep"))
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_leads_around_the_guard_is_refused() {
    let code = format!(
        "for number in ({}, {}, {}, {}, {}, {}): system(number, 0, 0, 0, 0, 0)
call('unshare', 0x10000000); call('chroot', '.'); call('mount', None, None, None, 0, None)
system({}, 0x10000000 | 17, 0, 0, 0, 0)
x = ctypes.create_string_buffer(b'x'); call('ioctl', 0, 0x5412, x)
import threading; threading.Thread(target=print, args=('thread',)).start()",
        libc::SYS_io_uring_setup,
        libc::SYS_clone3,
        libc::SYS_bpf,
        libc::SYS_keyctl,
        libc::SYS_userfaultfd,
        9999,
        libc::SYS_clone,
    );
    let printed = Ground::new().allowed(&code);
    let answers: Vec<&str> = printed
        .lines()
        .map(|line| line.rsplit(' ').next().unwrap_or(line))
        .collect();
    assert_eq!(
        answers,
        [
            "ENOSYS", "ENOSYS", "EPERM", "EPERM", "EPERM", "ENOSYS", "EPERM", "EPERM", "EPERM",
            "EPERM", "EPERM", "thread"
        ]
    );
}

#[test]
fn a_grant_lifts_what_it_names_and_nothing_else() {
    let ground = Ground::new().granted(&[Category::Delete]);
    let code = "call('unlink', 'old'); call('unlink', '../other/old'); call('rmdir', 'old-dir')
call('open', '../other/new', os.O_WRONLY | os.O_CREAT, 0o600)";
    assert_eq!(
        ground.allowed(code),
        "unlink 0\nunlink 0\nrmdir 0\nopen EACCES\n"
    );
    ground.stopped(
        "call('unlink', '../agent/old')",
        Category::Tamper,
        "agent/old",
    );
    let asked = ground.run("os.system('true')").approval.expect("asked");
    assert_eq!(asked.findings[0].category, Category::Program);
    let ground = Ground::new().granted(&[Category::Outside]);
    let code = "call('rename', '../temporary/old', 'x'); call('chmod', '../other/old', 0o600)
open('../other/new', 'w').close(); call('unlink', '../other/new'); os.link('../other/old', 'linked')";
    assert_eq!(ground.allowed(code), "rename 0\nchmod 0\nunlink 0\n");
    ground.stopped(
        "call('unlink', '../other/old')",
        Category::Delete,
        "other/old",
    );
    assert!(ground.has("other/old"));
}

#[test]
fn a_program_that_goes_on_after_a_stop_is_ended() {
    let ground = Ground::new();
    let code = "print('before', flush=True)
while True:
    call('unlink', 'old')
    try: time.sleep(1000)
    except BaseException: pass";
    let outcome = ground.stopped(code, Category::Delete, "work/old");
    assert!(outcome.stdout.text.starts_with("before\nunlink EPERM\n"));
}

#[test]
fn callers_that_die_while_they_wait_do_no_harm() {
    let printed = Ground::new().allowed(
        "import signal, random
children = []
for _ in range(30):
    if (child := os.fork()) == 0:
        while True:
            open(f'of-{os.getpid()}', 'w').close(); os.unlink(f'of-{os.getpid()}')
    children.append(child)
time.sleep(0.2)
for child in children: os.kill(child, signal.SIGKILL); os.waitpid(child, 0)
# A signal can interrupt a call before it was looked at, and never one that was made already.
def again(f, *args):
    while True:
        try: return f(*args)
        except InterruptedError: pass
signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
for index in range(2000):
    open('mine', 'w').close(); again(os.unlink, 'mine')
signal.setitimer(signal.ITIMER_REAL, 0)
print('done')",
    );
    assert_eq!(printed, "done\n");
}

#[test]
fn many_threads_at_once_are_answered() {
    let printed = Ground::new().allowed(
        "import threading
def work(n):
    for i in range(200):
        open(f'{n}-{i}', 'w').close(); os.rename(f'{n}-{i}', f'{n}-x'); os.unlink(f'{n}-x')
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(len(os.listdir('.')))",
    );
    assert_eq!(printed, "2\n");
}
