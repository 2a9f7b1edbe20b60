//! The tree on Windows: a job object that its last handle's end ends, with the program in it before its first
//! instruction.
//!
//! Windows has no way to ask a process without a window to end, so `ask` kills. Pipes can't be waited for together;
//! each has a thread that reads it into one queue.

#![expect(
    unsafe_code,
    reason = "job objects and suspended processes have no words in std"
)]

use std::io::{self, Read, Write};
use std::mem::{size_of, zeroed};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectBasicAccountingInformation, JobObjectExtendedLimitInformation,
    QueryInformationJobObject, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED, OpenThread, ResumeThread,
    THREAD_SUSPEND_RESUME,
};

use super::{Ended, Error, Event, Exit, Input, Launch, Step};
use crate::approval::guard::{Layers, Stop};
use crate::run::cancel::{Cancel, Urgency};
use crate::run::capture::Which;
use crate::run::request::Leftovers;

/// Bytes that are read in one go.
const READ: usize = 64 * 1024;
/// Pieces of output that wait for pi; with them full the program waits too.
const QUEUE: usize = 8;
/// How often tokens and the job are looked at.
const PERIOD: Duration = Duration::from_millis(20);
/// How long what a program left behind may take to notice that it is gone.
const MOMENT: Duration = Duration::from_millis(100);
/// How long an ended job may take to be empty.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the pipes of a tree that ended may be silent before they count as held by somebody else.
const SILENCE: Duration = Duration::from_millis(50);
/// What a killed program's exit code is.
const KILLED: u32 = 1;

/// The processes of one run.
pub(in super::super) struct Tree {
    /// Whether the guard's hook is in the program.
    is_hooked: bool,
    job: Job,
    messages: Receiver<Message>,
    source_is_written: Arc<AtomicBool>,
    leftovers: Leftovers,
    started: Option<u32>,
    exit: Option<i32>,
    was_killed: bool,
    /// When what is left after the program is ended.
    end_at: Option<Instant>,
    ended: Ended,
    open_streams: usize,
    urgency: Urgency,
}

enum Message {
    Output(Which, Vec<u8>),
    Closed,
    Exited(i32),
}

impl Tree {
    pub(in super::super) fn spawn(launch: Launch<'_>) -> Result<Self, Error> {
        let program = launch.executable.display().to_string();
        let failed = |step: Step| {
            let program = program.clone();
            move |source: io::Error| Error::Start {
                program,
                step,
                source,
            }
        };
        if !launch.cwd.is_dir() {
            let source = io::Error::from(io::ErrorKind::NotFound);
            return Err(failed(Step::Directory(launch.cwd.to_owned()))(source));
        }
        let job = Job::new().map_err(failed(Step::Confine))?;
        let mut child = command(&launch).spawn().map_err(failed(Step::Exec))?;
        let confined = job
            .take(child.as_raw_handle())
            .and_then(|()| resume(child.id()));
        if let Err(error) = confined {
            let _ = child.kill();
            return Err(failed(Step::Confine)(error));
        }
        let (sender, messages) = sync_channel(QUEUE);
        let source_is_written = Arc::new(AtomicBool::new(true));
        let pid = child.id();
        attend(&mut child, launch.input, &sender, &source_is_written)
            .and_then(|()| spawn_thread(move || wait_for(child, &sender)))
            .map_err(failed(Step::Pipes))?;
        Ok(Self {
            is_hooked: launch.is_hooked,
            job,
            messages,
            source_is_written,
            leftovers: launch.leftovers,
            started: Some(pid),
            exit: None,
            was_killed: false,
            end_at: None,
            ended: Ended::default(),
            open_streams: 2,
            urgency: Urgency::None,
        })
    }

    pub(in super::super) fn next(
        &mut self,
        deadline: Option<Instant>,
        cancels: &[&Cancel],
        output: &mut dyn FnMut(Which, &[u8]),
    ) -> Result<Event, Error> {
        if let Some(pid) = self.started.take() {
            return Ok(Event::Started(pid));
        }
        loop {
            let urgency = cancels.iter().map(|cancel| cancel.urgency()).max();
            if let Some(urgency) = urgency.filter(|urgency| *urgency > self.urgency) {
                self.urgency = urgency;
                return Ok(Event::Cancelled);
            }
            if self.exit.is_some() && self.is_at_its_end() {
                return Ok(Event::Ended(self.ended));
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Ok(Event::Deadline);
            }
            let rest = deadline
                .map_or(PERIOD, |deadline| deadline - now)
                .min(PERIOD);
            match self.messages.recv_timeout(rest) {
                Ok(Message::Output(which, bytes)) => output(which, &bytes),
                Ok(Message::Closed) => self.open_streams -= 1,
                Ok(Message::Exited(code)) => {
                    self.exit = Some(code);
                    self.end_at = Some(Instant::now() + MOMENT);
                    return Ok(Event::Exited(Exit::Code(code)));
                }
                Err(RecvTimeoutError::Timeout) => {}
                // All threads are done, the one that waits for the program too.
                Err(RecvTimeoutError::Disconnected) => thread::sleep(rest),
            }
        }
    }

    /// The program ended; whether everything else has, too. Ends it when its moment is over.
    fn is_at_its_end(&mut self) -> bool {
        let active = self.job.active();
        if active == 0 {
            return true;
        }
        if self.leftovers == Leftovers::Keep && !self.was_killed {
            self.job.let_go();
            self.ended.left = active;
            return true;
        }
        let Some(end_at) = self.end_at.filter(|end_at| *end_at <= Instant::now()) else {
            return false;
        };
        if !self.was_killed {
            self.kill();
        }
        let gave_up = end_at + PATIENCE <= Instant::now();
        if gave_up {
            self.ended.left = active;
        }
        gave_up
    }

    pub(in super::super) fn ask(&mut self) {
        self.ended.asked = self.job.active();
        self.kill();
    }

    pub(in super::super) fn kill(&mut self) {
        if !self.was_killed {
            self.was_killed = true;
            self.ended.killed = self.job.active();
        }
        self.job.end();
    }

    /// Windows holds no program; the hook does.
    pub(in super::super) fn layers(&self) -> Layers {
        Layers {
            hook: self.is_hooked,
            ..Layers::default()
        }
    }

    #[expect(
        clippy::unused_self,
        clippy::needless_pass_by_ref_mut,
        reason = "the signature is that of Unix"
    )]
    pub(in super::super) fn take_stops(&mut self) -> Vec<Stop> {
        Vec::new()
    }

    /// Whether the interpreter has been handed all of the program.
    pub(in super::super) fn has_begun(&mut self) -> bool {
        self.source_is_written.load(Ordering::Acquire)
    }

    pub(in super::super) fn drain(&mut self, output: &mut dyn FnMut(Which, &[u8])) {
        while self.open_streams > 0 {
            match self.messages.recv_timeout(SILENCE) {
                Ok(Message::Output(which, bytes)) => output(which, &bytes),
                Ok(Message::Closed) => self.open_streams -= 1,
                Ok(Message::Exited(_)) => {}
                Err(_) => return,
            }
        }
    }
}

/// Nothing to do: a process here is ended with the job's last handle, and writing has no signal.
pub(in super::super) fn own_this_process() {}

fn command(launch: &Launch<'_>) -> Command {
    let mut command = Command::new(launch.executable);
    command
        .args(&launch.args)
        .env_clear()
        .envs(launch.environment.iter())
        .current_dir(launch.cwd)
        .stdin(match launch.input {
            Input::Inherit => Stdio::inherit(),
            Input::Bytes(_) => Stdio::piped(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP);
    command
}

/// Starts the threads that read the program's output and write its input.
fn attend(
    child: &mut Child,
    input: Input,
    sender: &SyncSender<Message>,
    source_is_written: &Arc<AtomicBool>,
) -> io::Result<()> {
    if let Some(stdout) = child.stdout.take() {
        let sender = sender.clone();
        spawn_thread(move || read_all(stdout, Which::Stdout, &sender))?;
    }
    if let Some(stderr) = child.stderr.take() {
        let sender = sender.clone();
        spawn_thread(move || read_all(stderr, Which::Stderr, &sender))?;
    }
    if let (Some(mut stdin), Input::Bytes(bytes)) = (child.stdin.take(), input) {
        source_is_written.store(false, Ordering::Release);
        let is_written = Arc::clone(source_is_written);
        spawn_thread(move || {
            // A program that does not want to read more is no fault.
            let _ = stdin.write_all(&bytes);
            drop(stdin);
            is_written.store(true, Ordering::Release);
        })?;
    }
    Ok(())
}

fn spawn_thread(body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name("pi-run".to_owned())
        .spawn(body)
        .map(drop)
}

fn read_all(mut stream: impl Read, which: Which, sender: &SyncSender<Message>) {
    let mut buffer = vec![0; READ];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                let piece = Message::Output(which, buffer[..count].to_vec());
                if sender.send(piece).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    let _ = sender.send(Message::Closed);
}

fn wait_for(mut child: Child, sender: &SyncSender<Message>) {
    let code = child.wait().ok().and_then(|status| status.code());
    let _ = sender.send(Message::Exited(code.unwrap_or(1)));
}

/// Processes that are ended when the last handle is closed, by pi or by its death.
struct Job(OwnedHandle);

impl Job {
    fn new() -> io::Result<Self> {
        // SAFETY: a job without a name and with the default protection.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was made just now and belongs to nobody else.
        let job = Self(unsafe { OwnedHandle::from_raw_handle(handle) });
        job.limit(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)?;
        Ok(job)
    }

    fn limit(&self, flags: u32) -> io::Result<()> {
        // SAFETY: plain integers, for which zero is a value.
        let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
        limits.BasicLimitInformation.LimitFlags = flags;
        // SAFETY: the structure is of the class and the size that are named.
        let done = unsafe {
            SetInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32,
            )
        };
        succeeded(done)
    }

    fn take(&self, process: RawHandle) -> io::Result<()> {
        // SAFETY: both handles are open.
        succeeded(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process) })
    }

    fn active(&self) -> u32 {
        // SAFETY: plain integers, for which zero is a value.
        let mut facts: JOBOBJECT_BASIC_ACCOUNTING_INFORMATION = unsafe { zeroed() };
        // SAFETY: the structure is of the class and the size that are named.
        unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectBasicAccountingInformation,
                (&raw mut facts).cast(),
                size_of::<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>() as u32,
                std::ptr::null_mut(),
            );
        }
        facts.ActiveProcesses
    }

    fn end(&self) {
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }

    /// What is in the job may outlive it.
    fn let_go(&self) {
        // Should it fail, the processes end with pi, which is the safe way round.
        let _ = self.limit(0);
    }
}

/// Lets the first thread of a process that was created suspended run.
fn resume(pid: u32) -> io::Result<()> {
    // SAFETY: a snapshot of all threads; the process id is not used for threads.
    let handle = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    if handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle was made just now and belongs to nobody else.
    let snapshot = unsafe { OwnedHandle::from_raw_handle(handle) };
    // SAFETY: plain integers, for which zero is a value.
    let mut entry: THREADENTRY32 = unsafe { zeroed() };
    entry.dwSize = size_of::<THREADENTRY32>() as u32;
    // SAFETY: the snapshot is open, and the entry knows its size.
    let mut more = unsafe { Thread32First(snapshot.as_raw_handle(), &raw mut entry) };
    while more != 0 {
        if entry.th32OwnerProcessID == pid {
            return resume_thread(entry.th32ThreadID);
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(snapshot.as_raw_handle(), &raw mut entry) };
    }
    Err(io::Error::from(io::ErrorKind::NotFound))
}

fn resume_thread(id: u32) -> io::Result<()> {
    // SAFETY: asks for a handle that no child inherits.
    let handle = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, id) };
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle was made just now and belongs to nobody else.
    let thread = unsafe { OwnedHandle::from_raw_handle(handle) };
    // SAFETY: the handle is open and may resume.
    let before = unsafe { ResumeThread(thread.as_raw_handle()) };
    if before == u32::MAX {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

fn succeeded(done: i32) -> io::Result<()> {
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
