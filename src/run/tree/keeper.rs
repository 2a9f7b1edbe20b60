//! The keeper: a process of ours between pi and the program, which sees to it that nothing of the program is left.
//!
//! It is forked from pi and never runs another executable. It has no terminal, adopts every orphan of the tree (Linux),
//! and takes every signal but SIGKILL for nothing. It ends the tree when pi says so,
//! when pi is gone, and when the program ended by itself; then it ends too. If the keeper itself is killed, the system
//! kills the program with it.
//!
//! Everything here runs behind a `fork` of a process that may have had other threads: no allocation, no lock, no
//! panic, only system calls and memory that was made ready before.

#![expect(
    unsafe_code,
    reason = "between fork and exec there is nothing but system calls on raw values"
)]

use std::ffi::{CString, c_char, c_int, c_void};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitOptions, WaitStatus, getpid, wait};

use super::processes::{Root, Table};
use crate::approval::guard::Confinement;
#[cfg(any(target_os = "linux", target_os = "android"))]
use crate::approval::within::KEEPER;
use crate::run::request::Leftovers;

/// What pi tells its keeper. That pi is gone is told by the end of the connection.
pub(super) mod order {
    /// Ask every process to end.
    pub(in super::super) const ASK: u8 = b'a';
    /// End every process.
    pub(in super::super) const KILL: u8 = b'k';
}

/// What the keeper tells pi: a kind and three numbers, each in the machine's own byte order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Report {
    pub kind: i32,
    pub values: [i32; 3],
}

impl Report {
    pub(super) const SIZE: usize = 16;

    /// The program runs: its process id.
    pub(super) const STARTED: i32 = 1;
    /// The program was not started: the step and the system's error.
    pub(super) const FAILED: i32 = 2;
    /// The program ended: its exit code, and 0; or 0, and the signal that ended it.
    pub(super) const EXITED: i32 = 3;
    /// The tree ended: how many processes were asked, killed and left.
    pub(super) const ENDED: i32 = 4;
    /// The program's process put on its confinement: which layers. The supervisor's descriptor comes with it.
    pub(super) const CONFINED: i32 = 5;

    fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        let numbers = std::iter::once(self.kind).chain(self.values);
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let number = |at: usize| {
            i32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Self {
            kind: number(0),
            values: [number(4), number(8), number(12)],
        }
    }
}

/// The steps of starting the program, as the keeper reports them.
pub(super) mod step {
    pub(in super::super) const FORK: i32 = 1;
    pub(in super::super) const DIRECTORY: i32 = 2;
    pub(in super::super) const STREAMS: i32 = 3;
    pub(in super::super) const EXEC: i32 = 4;
}

/// How long killing a tree is tried. Only processes in the middle of a system call that can't be interrupted, or of
/// another user, are left behind it.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long what a program left behind may take to notice that it is gone.
const MOMENT: Duration = Duration::from_millis(100);
/// How long the dead are waited for before the tree is looked at again.
const ROUND: Duration = Duration::from_millis(10);

/// Everything that the keeper and the program need, made ready before the fork.
pub(super) struct Prepared {
    pub executable: CString,
    pub cwd: CString,
    pub arguments: Texts,
    pub environment: Texts,
    pub leftovers: Leftovers,
    /// The keeper's end of the connection to pi.
    pub control: OwnedFd,
    /// The program's standard input.
    pub stdin: OwnedFd,
    /// The program's descriptor 3.
    pub extra: OwnedFd,
    /// The program's descriptor 4.
    pub passed_input: Option<OwnedFd>,
    /// The program's descriptor 5.
    pub report: Option<OwnedFd>,
    /// What the program's process puts on before it becomes the program. The keeper itself stays free.
    pub confinement: Option<Confinement>,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
    /// Tells the keeper that a child ended.
    pub child_ended: (OwnedFd, OwnedFd),
    /// Tells the keeper why the program did not start; closed by the program's start.
    pub exec_failed: (OwnedFd, OwnedFd),
    pub table: Table,
    pub stack: Stack,
}

/// Texts as `exec` wants them.
pub(super) struct Texts {
    _texts: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl Texts {
    pub(super) fn new(texts: Vec<CString>) -> Self {
        let pointers = texts
            .iter()
            .map(|text| text.as_ptr())
            .chain([std::ptr::null()])
            .collect();
        Self {
            _texts: texts,
            pointers,
        }
    }
}

/// Room for the program's process between its making and its `exec`.
pub(super) struct Stack(
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "android")),
        expect(dead_code, reason = "a forked process has its own")
    )]
    Vec<u8>,
);

impl Stack {
    const SIZE: usize = 64 * 1024;

    pub(super) fn new() -> Self {
        Self(Vec::with_capacity(Self::SIZE))
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn top(&mut self) -> *mut c_void {
        let base = self.0.as_mut_ptr();
        let aligned = base.wrapping_add(Self::SIZE);
        aligned.wrapping_sub(aligned.addr() % 64).cast()
    }
}

/// Forks the keeper and answers with its process id.
pub(super) fn fork(prepared: &mut Prepared) -> std::io::Result<Pid> {
    let masked = Masked::all();
    // SAFETY: the child calls `keep` alone, which keeps to what is allowed behind a fork and never returns.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        keep(prepared);
    }
    drop(masked);
    process_id(pid).ok_or_else(std::io::Error::last_os_error)
}

/// What a call that makes a process answered. A failed one answers -1, which as the target of a signal means every
/// process of the user.
fn process_id(answer: libc::pid_t) -> Option<Pid> {
    if answer > 0 {
        Pid::from_raw(answer)
    } else {
        None
    }
}

/// While it lives no signal is delivered to this thread, so that no handler of pi's runs in the keeper.
struct Masked(libc::sigset_t);

impl Masked {
    fn all() -> Self {
        // SAFETY: both sets live on the stack, and are filled by the calls before they are read.
        unsafe {
            let mut all = std::mem::zeroed();
            let mut before = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            Self(before)
        }
    }
}

impl Drop for Masked {
    fn drop(&mut self) {
        // SAFETY: the set was filled by the system.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut());
        }
    }
}

/// The keeper's life.
fn keep(prepared: &mut Prepared) -> ! {
    stand_apart();
    close_all_but(&mut descriptors_of(prepared));
    let program = start_program(prepared);
    close_streams(prepared);
    listen_to_children(&prepared.child_ended.1);
    let mut keeper = Keeper {
        me: getpid(),
        control: prepared.control.as_fd(),
        child_ended: prepared.child_ended.0.as_fd(),
        table: &mut prepared.table,
        program: None,
        asked: 0,
        killed: 0,
    };
    match program {
        Ok(pid) => {
            keeper.program = Some(Program::Running(pid));
            keeper.report(Report::STARTED, [pid.as_raw_pid(), 0, 0]);
            keeper.watch(prepared.leftovers);
        }
        Err((step, errno)) => keeper.report(Report::FAILED, [step, errno, 0]),
    }
    exit(0)
}

fn exit(code: c_int) -> ! {
    // SAFETY: ends the process without running anything of pi's.
    unsafe { libc::_exit(code) }
}

/// Gives up the terminal, without which nothing of the tree is stopped or ended by its keys. A new session would do the
/// same, but Linux makes a group for its scheduler with each, which costs more than all the rest of a start.
#[cfg(target_os = "linux")]
fn leave_terminal() {
    use rustix::fs::{Mode, OFlags};
    let _ = rustix::process::setpgid(None, None);
    let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY;
    if let Ok(terminal) = rustix::fs::open(c"/dev/tty", flags, Mode::empty()) {
        // SAFETY: takes no argument beyond the open descriptor.
        unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY) };
    }
}

/// The new session is also what orphans are recognized by, where they do not come to the keeper.
#[cfg(not(target_os = "linux"))]
fn leave_terminal() {
    let _ = rustix::process::setsid();
}

/// Leaves pi's process group and terminal, and becomes what orphans of the tree go to.
fn stand_apart() {
    leave_terminal();
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::process::{DumpableBehavior, set_child_subreaper, set_dumpable_behavior};
        let _ = set_child_subreaper(Some(getpid()));
        // The program is of the same user: it can't look into the keeper, which has pi's memory and environment.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        let _ = rustix::thread::set_name(KEEPER);
    }
}

/// Whose system calls the handler below makes known; a keeper has one.
static CHILD_ENDED: AtomicI32 = AtomicI32::new(-1);

/// Has every end of a child written to `writer`. All other signals stay blocked for good.
fn listen_to_children(writer: &OwnedFd) {
    extern "C" fn note(_signal: c_int) {
        let fd = CHILD_ENDED.load(Ordering::Relaxed);
        // SAFETY: writes one byte from a constant; the pipe does not block, and a full one says enough.
        unsafe { libc::write(fd, c"".as_ptr().cast(), 1) };
    }
    CHILD_ENDED.store(writer.as_raw_fd(), Ordering::Relaxed);
    // SAFETY: the action and the set live on the stack and are filled before use; the handler is async-signal-safe.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = note as extern "C" fn(c_int) as libc::sighandler_t;
        action.sa_flags = libc::SA_NOCLDSTOP | libc::SA_RESTART;
        libc::sigaction(libc::SIGCHLD, &raw const action, std::ptr::null_mut());
        let mut only: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut only);
        libc::sigaddset(&raw mut only, libc::SIGCHLD);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const only, std::ptr::null_mut());
    }
}

/// The descriptors that the keeper needs; the program's are closed in it once the program runs.
fn descriptors_of(prepared: &Prepared) -> [RawFd; 12] {
    let control = prepared.control.as_raw_fd();
    let [extra, passed_input, report] =
        further(prepared).map(|fd| fd.map_or(control, AsRawFd::as_raw_fd));
    [
        control,
        extra,
        passed_input,
        report,
        ruleset_of(prepared).unwrap_or(control),
        prepared.stdin.as_raw_fd(),
        prepared.stdout.as_raw_fd(),
        prepared.stderr.as_raw_fd(),
        prepared.child_ended.0.as_raw_fd(),
        prepared.child_ended.1.as_raw_fd(),
        prepared.exec_failed.0.as_raw_fd(),
        prepared.exec_failed.1.as_raw_fd(),
    ]
}

/// The program's descriptors behind the three streams, from 3 on.
fn further(prepared: &Prepared) -> [Option<&OwnedFd>; 3] {
    [
        Some(&prepared.extra),
        prepared.passed_input.as_ref(),
        prepared.report.as_ref(),
    ]
}

fn ruleset_of(prepared: &Prepared) -> Option<RawFd> {
    prepared.confinement.as_ref()?.descriptor()
}

/// Closes every other descriptor: a keeper that held one of pi's would keep others from seeing its end.
fn close_all_but(kept: &mut [RawFd]) {
    kept.sort_unstable();
    let mut from = 0;
    for fd in kept.iter() {
        close_range(from, fd - 1);
        from = fd + 1;
    }
    close_range(from, RawFd::MAX);
}

fn close_range(first: RawFd, last: RawFd) {
    if first > last {
        return;
    }
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // SAFETY: closes descriptors of this process; nothing in it uses them any more.
        let closed = unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        if closed == 0 {
            return;
        }
    }
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let most = limit.map_or(MOST_DESCRIPTORS, |limit| {
        RawFd::try_from(limit).map_or(MOST_DESCRIPTORS, |limit| limit.min(MOST_DESCRIPTORS))
    });
    for fd in first..=last.min(most) {
        // SAFETY: as above; most of the numbers are none, which is no error here.
        unsafe { libc::close(fd) };
    }
}

/// Where a system can't close a range, no more are tried than a process has in practice.
const MOST_DESCRIPTORS: RawFd = 64 * 1024;

fn close_streams(prepared: &Prepared) {
    let close = |fd: RawFd| {
        // SAFETY: the keeper's copies are not used any more, and no destructor runs in it.
        unsafe { libc::close(fd) };
    };
    close(prepared.stdin.as_raw_fd());
    close(prepared.stdout.as_raw_fd());
    close(prepared.stderr.as_raw_fd());
    close(prepared.exec_failed.0.as_raw_fd());
    for fd in further(prepared).into_iter().flatten() {
        close(fd.as_raw_fd());
    }
    if let Some(ruleset) = ruleset_of(prepared) {
        close(ruleset);
    }
}

/// Starts the program; the error is the step that failed and what the system said.
fn start_program(prepared: &mut Prepared) -> Result<Pid, (i32, i32)> {
    let keeper = getpid();
    let stack = &raw mut prepared.stack;
    let mut start = Start { prepared, keeper };
    // SAFETY: `become_program` makes system calls alone, uses only what `start` points to, and does not return.
    let pid = unsafe { new_process(become_program, (&raw mut start).cast(), stack) };
    let Some(pid) = process_id(pid) else {
        return Err((step::FORK, last_errno()));
    };
    let (reader, writer) = &prepared.exec_failed;
    // SAFETY: the keeper's own copy of the writing end; with the program's copy closed by `exec`, reading ends.
    unsafe { libc::close(writer.as_raw_fd()) };
    let mut bytes = [0; 8];
    match rustix::io::retry_on_intr(|| rustix::io::read(reader, &mut bytes)) {
        Ok(8) => {
            let number = |at: usize| {
                i32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
            };
            Err((number(0), number(4)))
        }
        _ => Ok(pid),
    }
}

/// The keeper's child and the keeper share their memory until `exec`, so no page has to be copied for it; the keeper
/// stands still meanwhile. This is how the C library's `posix_spawn` does it.
#[cfg(any(target_os = "linux", target_os = "android"))]
unsafe fn new_process(
    body: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
    stack: *mut Stack,
) -> libc::pid_t {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the stack is alive and unused, large enough for `body`, and its top is aligned; the caller answers for
    // `body`.
    unsafe { libc::clone(body, (*stack).top(), flags, argument) }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
unsafe fn new_process(
    body: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
    _stack: *mut Stack,
) -> libc::pid_t {
    // SAFETY: the caller answers for `body`.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        body(argument);
    }
    pid
}

/// What the program's process needs to become the program.
struct Start<'a> {
    prepared: &'a Prepared,
    keeper: Pid,
}

extern "C" fn become_program(argument: *mut c_void) -> c_int {
    // SAFETY: `start_program` passes a pointer to a `Start`, which outlives this process's use of it.
    let start = unsafe { &*argument.cast::<Start<'_>>() };
    let (step, errno) = match enter(start) {
        Ok(()) => (step::EXEC, exec(start.prepared)),
        Err(failure) => failure,
    };
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&step.to_ne_bytes());
    bytes[4..].copy_from_slice(&errno.to_ne_bytes());
    let _ = rustix::io::write(&start.prepared.exec_failed.1, &bytes);
    exit(127)
}

/// Puts the process where and how the program is to begin.
fn enter(start: &Start<'_>) -> Result<(), (i32, i32)> {
    die_with(start.keeper);
    let _ = rustix::process::setpgid(None, None);
    rustix::process::chdir(start.prepared.cwd.as_c_str())
        .map_err(|errno| (step::DIRECTORY, errno.raw_os_error()))?;
    let prepared = start.prepared;
    let streams = [
        (prepared.stdin.as_raw_fd(), 0),
        (prepared.stdout.as_raw_fd(), 1),
        (prepared.stderr.as_raw_fd(), 2),
    ];
    let further = further(prepared)
        .into_iter()
        .zip(3..)
        .filter_map(|(fd, to)| Some((fd?.as_raw_fd(), to)));
    for (from, to) in streams.into_iter().chain(further) {
        // SAFETY: the descriptors are open, and nothing in this process uses those from 0 to 5.
        let done = unsafe {
            if from == to {
                libc::fcntl(to, libc::F_SETFD, 0)
            } else {
                libc::dup2(from, to)
            }
        };
        if done < 0 {
            return Err((step::STREAMS, last_errno()));
        }
    }
    reset_signals();
    if let Some(confinement) = &prepared.confinement {
        confine(prepared, confinement);
    }
    Ok(())
}

/// Pi may be gone.
#[cfg(any(target_os = "linux", target_os = "android"))]
const QUIETLY: rustix::net::SendFlags = rustix::net::SendFlags::NOSIGNAL;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const QUIETLY: rustix::net::SendFlags = rustix::net::SendFlags::empty();

/// Puts on the confinement, and tells pi which layers that were. From here on pi decides on calls of this process, of
/// which `exec` is the first; the keeper is not concerned.
fn confine(prepared: &Prepared, confinement: &Confinement) {
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, sendmsg};
    let (values, listener) = confinement.enter();
    let bytes = Report {
        kind: Report::CONFINED,
        values,
    }
    .to_bytes();
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    let fds = listener.as_ref().map(|fd| [fd.as_fd()]);
    if let Some(fds) = &fds {
        message.push(SendAncillaryMessage::ScmRights(fds));
    }
    // Without the supervisor every call that it would decide on fails, `exec` too.
    let _ = rustix::io::retry_on_intr(|| {
        sendmsg(
            &prepared.control,
            &[std::io::IoSlice::new(&bytes)],
            &mut message,
            QUIETLY,
        )
    });
}

/// The system kills this process when its keeper dies. The keeper may be dead before that is set.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn die_with(keeper: Pid) {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if getppid() != Some(keeper) {
        exit(127);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn die_with(_keeper: Pid) {}

/// Undoes what pi itself ignores, and lets all signals come. What pi's caller ignores (`nohup`, a shell's background
/// jobs) stays ignored, and `exec` ends every handler.
fn reset_signals() {
    // SAFETY: the action and the set live on the stack and are filled before use.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        for signal in [libc::SIGPIPE, libc::SIGXFSZ] {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Returns only if it fails, with what the system said.
fn exec(prepared: &Prepared) -> i32 {
    // SAFETY: the pointers are to texts that `prepared` owns, and both lists end with null.
    unsafe {
        libc::execve(
            prepared.executable.as_ptr(),
            prepared.arguments.pointers.as_ptr(),
            prepared.environment.pointers.as_ptr(),
        );
    }
    last_errno()
}

/// What the last call of the C library that failed said; reads a number of this thread.
fn last_errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The program, as its keeper sees it.
#[derive(Clone, Copy)]
enum Program {
    Running(Pid),
    /// Its wait status, not yet reported.
    Ended(WaitStatus),
    /// Reported.
    Done,
}

struct Keeper<'a> {
    me: Pid,
    control: BorrowedFd<'a>,
    child_ended: BorrowedFd<'a>,
    table: &'a mut Table,
    program: Option<Program>,
    asked: u32,
    killed: u32,
}

/// Who is still there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    Some,
    None,
}

impl Keeper<'_> {
    /// Watches until the tree is empty.
    fn watch(&mut self, leftovers: Leftovers) {
        let mut was_asked = false;
        loop {
            let children = self.reap();
            let ended_now = matches!(self.program, Some(Program::Ended(_)));
            if children == Children::None && self.is_empty() {
                return self.end(0);
            }
            if ended_now && leftovers == Leftovers::Keep && !was_asked {
                let left = self.count();
                return self.end(left);
            }
            if ended_now {
                self.report_exit();
                if !was_asked {
                    return self.end_what_was_left();
                }
            }
            match self.wait(None) {
                Some(order::ASK) => {
                    was_asked = true;
                    self.asked = self.table.ask(Root::all_below(self.me));
                }
                Some(_) => return self.kill(),
                None => {}
            }
        }
    }

    /// Waits for an order or the end of a child. That pi is gone is the order to kill.
    fn wait(&self, timeout: Option<Duration>) -> Option<u8> {
        let mut fds = [
            PollFd::new(&self.control, PollFlags::IN),
            PollFd::new(&self.child_ended, PollFlags::IN),
        ];
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        // An interruption is as good as an event: the caller looks at everything anyway.
        let _ = poll(&mut fds, timeout.as_ref());
        let [control, child_ended] = fds.map(|fd| !fd.revents().is_empty());
        if child_ended {
            let _ = rustix::io::read(self.child_ended, &mut [0; 64]);
        }
        if !control {
            return None;
        }
        let mut order = [0];
        match rustix::io::read(self.control, &mut order) {
            Ok(1) => Some(order[0]),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => None,
            _ => Some(order::KILL),
        }
    }

    /// Waits for the dead.
    fn reap(&mut self) -> Children {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    if matches!(self.program, Some(Program::Running(program)) if program == pid) {
                        self.program = Some(Program::Ended(status));
                    }
                }
                Ok(None) => return Children::Some,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return Children::None,
            }
        }
    }

    /// The program ended by itself. What ends with it anyway, such as the helpers of `multiprocessing`, gets a moment
    /// to do so and to clean up.
    fn end_what_was_left(&mut self) {
        if self.wait_for_the_dead(Instant::now() + MOMENT) {
            self.end(0);
        } else {
            self.kill();
        }
    }

    /// Kills until nothing is left, or nothing more can be done.
    fn kill(&mut self) {
        let until = Instant::now() + PATIENCE;
        let mut left = 0;
        loop {
            let killed = self.table.kill(Root::all_below(self.me));
            self.killed += killed.fresh;
            if killed.blind {
                self.kill_the_program();
            }
            if self.wait_for_the_dead(Instant::now() + ROUND) {
                break;
            }
            left = self.count();
            let hopeless = killed.blind || left > 0 && left.unsigned_abs() <= killed.refused;
            if hopeless || Instant::now() >= until {
                break;
            }
            left = 0;
        }
        self.end(left);
    }

    /// All that can be done where the system does not say which processes there are.
    fn kill_the_program(&mut self) {
        if let Some(Program::Running(pid)) = self.program {
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            self.killed = self.killed.max(1);
        }
    }

    /// Whether everything ended by then.
    fn wait_for_the_dead(&mut self, until: Instant) -> bool {
        loop {
            if self.reap() == Children::None && self.is_empty() {
                return true;
            }
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return false;
            }
            let mut fds = [PollFd::new(&self.child_ended, PollFlags::IN)];
            let timeout = Timespec::try_from(rest).ok();
            if poll(&mut fds, timeout.as_ref()).is_ok_and(|ready| ready > 0) {
                let _ = rustix::io::read(self.child_ended, &mut [0; 64]);
            }
        }
    }

    /// With every orphan a child of the keeper, no children means no tree.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    #[expect(clippy::unused_self, reason = "elsewhere the answer is in the table")]
    fn is_empty(&mut self) -> bool {
        true
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn is_empty(&mut self) -> bool {
        self.count() == 0
    }

    fn count(&mut self) -> i32 {
        let root = Root::all_below(self.me);
        // Where nothing can be seen while something is there, it is one at least.
        let count = self.table.below(root).map_or(1, Iterator::count);
        i32::try_from(count).unwrap_or(i32::MAX)
    }

    fn report_exit(&mut self) {
        if let Some(Program::Ended(status)) = self.program {
            let code = status.exit_status().unwrap_or(0);
            let signal = status.terminating_signal().unwrap_or(0);
            self.report(Report::EXITED, [code, signal, 0]);
            self.program = Some(Program::Done);
        }
    }

    fn end(&mut self, left: i32) {
        self.report_exit();
        let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        self.report(
            Report::ENDED,
            [number(self.asked), number(self.killed), left],
        );
    }

    /// Pi reads in time, or is gone.
    fn report(&self, kind: i32, values: [i32; 3]) {
        let report = Report { kind, values };
        let _ = rustix::io::retry_on_intr(|| rustix::io::write(self.control, &report.to_bytes()));
    }
}

/// Writing beyond the file size limit becomes an error like any other.
pub(super) fn ignore_file_size_limit() {
    // SAFETY: no handler is installed, and nobody else's is replaced by one.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// The first descriptor that the program does not begin with.
const FIRST_FREE: RawFd = 6;

/// A descriptor above those that the program's process replaces one by one.
pub(super) fn above_the_streams(fd: OwnedFd) -> std::io::Result<OwnedFd> {
    if fd.as_raw_fd() >= FIRST_FREE {
        return Ok(fd);
    }
    Ok(rustix::io::fcntl_dupfd_cloexec(&fd, FIRST_FREE)?)
}
