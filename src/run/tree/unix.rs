//! The tree on Unix: pi's side of the [`keeper`], and the pipes of the program.
//!
//! One `poll` waits for everything, so a run needs no thread.

use std::collections::VecDeque;
use std::ffi::{CString, OsStr};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};

use super::keeper::{self, Prepared, Report, Stack, Texts, order, step};
use super::processes::{self, Root, Table};
use super::reports::Reports;
use super::{Ended, Error, Event, Exit, Extra, Input, Launch, Step};
use crate::approval::guard::{Confinement, Layers, Policy, Stop, Supervisor};
use crate::run::cancel::{Cancel, Urgency};
use crate::run::capture::Which;
use crate::settings::{Environment, GRACE};

/// Bytes that are read in one go from a quiet stream, and from one that floods.
const READ: usize = 16 * 1024;
const READ_FLOOD: usize = 256 * 1024;
/// What the pipe of a flooding stream is grown to: the most that an ordinary user gets on Linux.
const FLOOD_PIPE: usize = 1024 * 1024;
/// How long a flooding stream is left to fill its pipe, which it does not manage in that time.
const FLOOD_PAUSE: Duration = Duration::from_micros(100);
/// How long the keeper may take to end a tree before it is taken for dead itself. It gives up by itself before that.
const KEEPER_PATIENCE: Duration = Duration::from_secs(8);
/// How often tokens without a descriptor are looked at.
const CANCEL_PERIOD: Duration = Duration::from_millis(100);

/// The processes of one run, seen from pi.
pub(in super::super) struct Tree {
    keeper: Option<Pid>,
    control: UnixStream,
    program: Option<Pid>,
    streams: [Stream; 2],
    source: Source,
    /// The layers that hold the program beside the hook.
    layers: Layers,
    supervisor: Option<Supervisor>,
    /// What the hook refuses.
    reports: Option<Reports>,
    events: VecDeque<Event>,
    /// A report that came in part.
    partial: Vec<u8>,
    urgency: Urgency,
    exited: bool,
    /// When a killed tree counts as lost.
    patience_ends: Option<Instant>,
    buffer: Vec<u8>,
}

struct Stream {
    which: Which,
    fd: Option<OwnedFd>,
    floods: bool,
}

/// Bytes on their way to the program, which reads them from a descriptor of its own.
struct Source {
    /// Kept open until the program read everything, to see how much it read.
    reader: Option<OwnedFd>,
    writer: Option<OwnedFd>,
    bytes: Vec<u8>,
    written: usize,
    /// Whether the pipe stays open behind the last byte.
    more: bool,
}

impl Tree {
    /// Starts the program; [`Event::Started`] says that it runs, an error that it does not.
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
        let (control, theirs) = connection().map_err(failed(Step::Pipes))?;
        let (stdout, stdout_theirs) = output_pipe().map_err(failed(Step::Pipes))?;
        let (stderr, stderr_theirs) = output_pipe().map_err(failed(Step::Pipes))?;
        let stdin = input(launch.input).map_err(failed(Step::Pipes))?;
        let (extra, source) = source(launch.extra).map_err(failed(Step::Pipes))?;
        let passed_input = launch.passes_input.then(own_input).transpose();
        let reports = launch.is_hooked.then(Reports::new).transpose();
        let (reports, report) = reports.map_err(failed(Step::Pipes))?.unzip();
        let confinement = launch.guard.and_then(Confinement::of);
        let confinement = confinement
            .map(|made| made.lifted(keeper::above_the_streams))
            .transpose();
        let mut prepared = Prepared {
            executable: text(launch.executable.as_os_str()),
            cwd: text(launch.cwd.as_os_str()),
            arguments: arguments(launch.executable.as_os_str(), launch.args),
            environment: variables(launch.environment),
            leftovers: launch.leftovers,
            control: theirs,
            stdin,
            extra,
            passed_input: passed_input.map_err(failed(Step::Pipes))?,
            report,
            confinement: confinement.map_err(failed(Step::Pipes))?,
            stdout: stdout_theirs,
            stderr: stderr_theirs,
            child_ended: pipe_without_waiting().map_err(failed(Step::Pipes))?,
            exec_failed: pipe().map_err(failed(Step::Pipes))?,
            table: Table::new(),
            stack: Stack::new(),
        };
        let keeper = keeper::fork(&mut prepared).map_err(failed(Step::Fork))?;
        // The other ends of the pipes belong to the keeper and the program alone.
        let confinement = prepared.confinement.take();
        drop(prepared);
        let mut tree = Self {
            keeper: Some(keeper),
            control,
            program: None,
            streams: [
                Stream::new(Which::Stdout, stdout),
                Stream::new(Which::Stderr, stderr),
            ],
            source,
            layers: Layers {
                hook: launch.is_hooked,
                ..Layers::default()
            },
            supervisor: None,
            reports,
            events: VecDeque::new(),
            partial: Vec::new(),
            urgency: Urgency::None,
            exited: false,
            patience_ends: None,
            buffer: vec![0; READ],
        };
        let confined = launch.guard.zip(confinement.as_ref());
        tree.wait_for_start(launch.cwd, confined)
            .map_err(|(step, source)| failed(step)(source))?;
        Ok(tree)
    }

    /// Waits until the keeper says that the program runs, or why it does not.
    fn wait_for_start(
        &mut self,
        cwd: &std::path::Path,
        confined: Option<(&Policy, &Confinement)>,
    ) -> Result<(), (Step, io::Error)> {
        let report = self
            .first_report(confined)
            .and_then(|report| self.control.set_nonblocking(true).map(|()| report))
            .map_err(|error| (Step::Fork, error))?;
        let [value, errno, _] = report.values;
        if report.kind == Report::STARTED {
            self.program = Pid::from_raw(value);
            self.events.push_back(Event::Started(value.unsigned_abs()));
            return Ok(());
        }
        let step = match value {
            step::DIRECTORY => Step::Directory(cwd.to_owned()),
            step::STREAMS => Step::Streams,
            step::EXEC => Step::Exec,
            _ => Step::Fork,
        };
        Err((step, io::Error::from_raw_os_error(errno)))
    }

    /// The report that says how starting the program went. Confined, it is started under supervision.
    fn first_report(&mut self, confined: Option<(&Policy, &Confinement)>) -> io::Result<Report> {
        let (report, listener) = receive_report(&self.control)?;
        if report.kind != Report::CONFINED {
            return Ok(report);
        }
        self.layers = Layers {
            hook: self.layers.hook,
            ..Confinement::layers(report.values)
        };
        if let (Some(listener), Some((policy, confinement)), Some(keeper)) =
            (listener, confined, self.keeper)
        {
            let keeper = keeper.as_raw_pid().unsigned_abs();
            let supervisor = Supervisor::new(listener, policy.clone(), confinement, keeper);
            self.supervisor = Some(supervisor);
        }
        loop {
            let mut fds = vec![PollFd::new(&self.control, PollFlags::IN)];
            let supervised = self.supervisor.as_ref().and_then(Supervisor::fd);
            fds.extend(supervised.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
            match poll(&mut fds, None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
            let ready: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
            if !ready[0].is_empty() {
                return receive_report(&self.control).map(|(report, _)| report);
            }
            if let Some(ready) = ready.get(1) {
                self.supervise(*ready);
            }
        }
    }

    /// Answers a call of the program that waits for pi's decision.
    fn supervise(&mut self, ready: PollFlags) {
        if let Some(supervisor) = &mut self.supervisor
            && !ready.is_empty()
        {
            supervisor.handle(!ready.contains(PollFlags::IN));
            if supervisor.has_stops() {
                self.events.push_back(Event::Stopped);
            }
        }
    }

    /// Takes what the hook tells.
    fn hear_reports(&mut self) {
        if let Some(reports) = &mut self.reports
            && reports.read()
        {
            self.events.push_back(Event::Stopped);
        }
    }

    /// The layers of the guard that hold the program beside the hook.
    pub(in super::super) fn layers(&self) -> Layers {
        self.layers
    }

    /// What was refused since the last time.
    pub(in super::super) fn take_stops(&mut self) -> Vec<Stop> {
        let supervised = self.supervisor.as_mut().map(Supervisor::take_stops);
        let reported = self.reports.as_mut().map(Reports::take);
        let both = [supervised, reported].into_iter().flatten();
        both.flatten().collect()
    }

    /// Waits for the next event; passes output on meanwhile.
    pub(in super::super) fn next(
        &mut self,
        deadline: Option<Instant>,
        cancels: &[&Cancel],
        output: &mut dyn FnMut(Which, &[u8]),
    ) -> Result<Event, Error> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            let urgency = cancels.iter().map(|cancel| cancel.urgency()).max();
            if let Some(urgency) = urgency.filter(|urgency| *urgency > self.urgency) {
                self.urgency = urgency;
                return Ok(Event::Cancelled);
            }
            let now = Instant::now();
            if self.patience_ends.is_some_and(|end| end <= now) {
                self.lose_keeper();
                continue;
            }
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Ok(Event::Deadline);
            }
            self.wait(deadline, cancels, output)?;
        }
    }

    fn wait(
        &mut self,
        deadline: Option<Instant>,
        cancels: &[&Cancel],
        output: &mut dyn FnMut(Which, &[u8]),
    ) -> Result<(), Error> {
        let blind = cancels.iter().any(|cancel| cancel.fd().is_none());
        let timeout = [deadline, self.patience_ends]
            .into_iter()
            .flatten()
            .map(|until| until.saturating_duration_since(Instant::now()))
            .chain(blind.then_some(CANCEL_PERIOD))
            .min()
            // A poll that returns a moment too early would turn into a short busy loop.
            .map(|rest| rest + Duration::from_micros(100));
        let ready = self.poll(timeout, cancels)?;
        self.supervise(ready.supervisor);
        if ready.reports {
            self.hear_reports();
        }
        if ready.source {
            self.source.write();
        }
        let mut flood = 0;
        for index in 0..self.streams.len() {
            if ready.streams[index] {
                let count = self.read(index, output).unwrap_or(0);
                flood += if self.streams[index].floods { count } else { 0 };
            }
        }
        if ready.control {
            self.read_reports();
        } else if (1..READ_FLOOD / 2).contains(&flood) {
            // Reading each piece as it comes would make both sides wait for each other all the time.
            std::thread::sleep(FLOOD_PAUSE);
        }
        Ok(())
    }

    fn poll(&self, timeout: Option<Duration>, cancels: &[&Cancel]) -> Result<Ready, Error> {
        let control = self.control.as_fd();
        let [stdout, stderr] = &self.streams;
        let mut fds = vec![
            PollFd::from_borrowed_fd(control, PollFlags::IN),
            entry(stdout.fd.as_ref(), PollFlags::IN, control),
            entry(stderr.fd.as_ref(), PollFlags::IN, control),
            entry(self.source.writer.as_ref(), PollFlags::OUT, control),
            match self.supervisor.as_ref().and_then(Supervisor::fd) {
                Some(fd) => PollFd::from_borrowed_fd(fd, PollFlags::IN),
                None => entry(None, PollFlags::IN, control),
            },
            entry(
                self.reports.as_ref().and_then(Reports::fd),
                PollFlags::IN,
                control,
            ),
        ];
        // A token that was used stays readable, so it is not waited for again: `next` looks at it.
        let unused = cancels
            .iter()
            .filter(|cancel| cancel.urgency() == Urgency::None);
        fds.extend(
            unused
                .filter_map(|cancel| cancel.fd())
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => {
                return Err(Error::Watch {
                    step: "waiting for its output",
                    source: errno.into(),
                });
            }
        }
        let is_ready = |index: usize| !fds[index].revents().is_empty();
        Ok(Ready {
            control: is_ready(0),
            streams: [is_ready(1), is_ready(2)],
            source: is_ready(3),
            supervisor: fds[4].revents(),
            reports: is_ready(5),
        })
    }

    /// Reads from a stream: once, or as much as a buffer holds where it floods. Answers how much there was; `None` if
    /// there is nothing for now, or for good.
    fn read(&mut self, index: usize, output: &mut dyn FnMut(Which, &[u8])) -> Option<usize> {
        let stream = &mut self.streams[index];
        let fd = stream.fd.as_ref()?;
        let mut filled = 0;
        let is_open = loop {
            match rustix::io::read(fd, &mut self.buffer[filled..]) {
                Ok(0) => break false,
                Ok(count) => filled += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break true,
                Err(_) => break false,
            }
            if filled == self.buffer.len() || !stream.floods {
                break true;
            }
        };
        if filled > 0 {
            output(stream.which, &self.buffer[..filled]);
        }
        // The buffer is of both streams, and may have grown for the other one.
        if filled >= READ {
            stream.expect_a_flood();
            self.buffer.resize(READ_FLOOD, 0);
        }
        if !is_open {
            stream.fd = None;
            // Mostly the program has ended. If it has stopped the keeper before, nobody would hear of that.
            self.wake_keeper();
        }
        (filled > 0).then_some(filled)
    }

    fn read_reports(&mut self) {
        let mut bytes = [0; 4 * Report::SIZE];
        match self.control.read(&mut bytes) {
            Ok(0) => self.lose_keeper(),
            Ok(count) => self.partial.extend_from_slice(&bytes[..count]),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) => {}
            Err(_) => self.lose_keeper(),
        }
        while let Some((report, rest)) = self.partial.split_first_chunk() {
            let report = Report::from_bytes(*report);
            self.partial = rest.to_vec();
            self.take_report(report);
        }
    }

    fn take_report(&mut self, report: Report) {
        let [first, second, third] = report.values;
        match report.kind {
            Report::EXITED => {
                self.exited = true;
                self.patience_ends
                    .get_or_insert_with(|| Instant::now() + GRACE + KEEPER_PATIENCE);
                let exit = if second == 0 {
                    Exit::Code(first)
                } else {
                    Exit::Signal(second)
                };
                self.events.push_back(Event::Exited(exit));
            }
            Report::ENDED => {
                self.reap_keeper();
                self.hear_reports();
                self.events.push_back(Event::Ended(Ended {
                    asked: first.unsigned_abs(),
                    killed: second.unsigned_abs(),
                    left: third.unsigned_abs(),
                    lost: false,
                }));
            }
            _ => {}
        }
    }

    /// The keeper is dead or stands still: the system has killed the program with it, and pi ends what it can find.
    /// The orphans have come to pi if it [adopts](own_this_process) them; elsewhere they can't be told from others.
    fn lose_keeper(&mut self) {
        if self
            .events
            .iter()
            .any(|event| matches!(event, Event::Ended(_)))
        {
            return;
        }
        self.patience_ends = None;
        let since = self.keeper.and_then(processes::start_of);
        if let Some(keeper) = self.keeper {
            let _ = rustix::process::kill_process(keeper, Signal::KILL);
        }
        if let Some(program) = self.program {
            let _ = rustix::process::kill_process_group(program, Signal::KILL);
        }
        self.reap_keeper();
        if ADOPTS.load(Ordering::Relaxed)
            && let Some(since) = since
        {
            kill_orphans(since);
        }
        if !self.exited {
            self.exited = true;
            self.events
                .push_back(Event::Exited(Exit::Signal(Signal::KILL.as_raw())));
        }
        self.events.push_back(Event::Ended(Ended {
            lost: true,
            ..Ended::default()
        }));
    }

    /// The keeper has nothing more to do and ends. It is waited for: not every system's first process clears away what
    /// others leave.
    fn reap_keeper(&mut self) {
        let options = WaitOptions::empty();
        if let Some(keeper) = self.keeper.take() {
            let _ = rustix::io::retry_on_intr(|| rustix::process::waitpid(Some(keeper), options));
        }
    }

    /// Asks every process to end.
    pub(in super::super) fn ask(&mut self) {
        self.order(order::ASK);
    }

    /// Ends every process.
    pub(in super::super) fn kill(&mut self) {
        self.order(order::KILL);
        self.patience_ends
            .get_or_insert_with(|| Instant::now() + KEEPER_PATIENCE);
    }

    /// The program is of the same user and may have stopped the keeper.
    fn wake_keeper(&self) {
        if let Some(keeper) = self.keeper {
            let _ = rustix::process::kill_process(keeper, Signal::CONT);
        }
    }

    fn order(&mut self, order: u8) {
        self.wake_keeper();
        // A keeper that is gone is noticed where its reports are read.
        let _ = self.control.write_all(&[order]);
    }

    /// The program's process id.
    #[cfg(test)]
    pub(in super::super) fn program_id(&self) -> Option<i32> {
        self.program.map(Pid::as_raw_pid)
    }

    /// Whether nothing has happened to a program that was given a beginning.
    pub(in super::super) fn is_waiting(&self) -> bool {
        let mut fds = [PollFd::new(&self.control, PollFlags::IN)];
        let nothing_happened = poll(&mut fds, Some(&Timespec::default())) == Ok(0);
        nothing_happened && self.source.more
    }

    /// Gives a program that was given a beginning the rest of what it is to read.
    pub(in super::super) fn hand_over(&mut self, bytes: &[u8]) {
        if let Some(supervisor) = &mut self.supervisor {
            supervisor.begin();
        }
        self.source.bytes.drain(..self.source.written);
        self.source.written = 0;
        self.source.bytes.extend_from_slice(bytes);
        self.source.more = false;
        self.source.write();
    }

    /// Whether the interpreter has read all of the program. Without a source to read it has.
    pub(in super::super) fn has_begun(&mut self) -> bool {
        if self.source.writer.is_some() {
            return false;
        }
        let has_read = self.has_read();
        if has_read {
            self.source.reader = None;
        }
        has_read
    }

    /// Whether the program has read all that it was given so far.
    pub(in super::super) fn has_read(&self) -> bool {
        let reader = self.source.reader.as_ref();
        let unread = reader.map_or(0, |fd| rustix::io::ioctl_fionread(fd).unwrap_or(0));
        unread == 0 && self.source.written == self.source.bytes.len()
    }

    /// Passes on what is in the pipes by now. Another process may still hold and fill them; it is not waited for.
    pub(in super::super) fn drain(&mut self, output: &mut dyn FnMut(Which, &[u8])) {
        for index in 0..self.streams.len() {
            let mut rest = 2 * FLOOD_PIPE;
            while rest > 0
                && let Some(count) = self.read(index, output)
            {
                rest = rest.saturating_sub(count);
            }
        }
    }
}

impl Drop for Tree {
    /// Nothing of a run outlives it, however the run was left.
    fn drop(&mut self) {
        if self.keeper.is_none() {
            return;
        }
        self.kill();
        let _ = self.control.set_nonblocking(false);
        let _ = self.control.set_read_timeout(Some(KEEPER_PATIENCE));
        let mut bytes = [0; Report::SIZE];
        while self.control.read_exact(&mut bytes).is_ok() {
            if Report::from_bytes(bytes).kind == Report::ENDED {
                return self.reap_keeper();
            }
        }
        self.lose_keeper();
    }
}

/// This process's standard input, for a program that reads its own text there first.
fn own_input() -> io::Result<OwnedFd> {
    keeper::above_the_streams(rustix::stdio::stdin().try_clone_to_owned()?)
}

/// Not for programs that are started meanwhile. Elsewhere no descriptor comes.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PRIVATELY: rustix::net::RecvFlags = rustix::net::RecvFlags::CMSG_CLOEXEC;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PRIVATELY: rustix::net::RecvFlags = rustix::net::RecvFlags::empty();

/// Reads one report, and the descriptor that came with it.
fn receive_report(control: &UnixStream) -> io::Result<(Report, Option<OwnedFd>)> {
    use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, recvmsg};
    let mut bytes = [0; Report::SIZE];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let received = rustix::io::retry_on_intr(|| {
        let mut into = [io::IoSliceMut::new(&mut bytes)];
        recvmsg(control, &mut into, &mut message, PRIVATELY)
    })?;
    // A report is written as a whole, and so it comes.
    if received.bytes != Report::SIZE {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let descriptor = message.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
        _ => None,
    });
    Ok((Report::from_bytes(bytes), descriptor))
}

/// What is closed already has its place taken by a descriptor that is waited for anyway.
fn entry<'a>(fd: Option<&'a OwnedFd>, flags: PollFlags, instead: BorrowedFd<'a>) -> PollFd<'a> {
    match fd {
        Some(fd) => PollFd::from_borrowed_fd(fd.as_fd(), flags),
        None => PollFd::from_borrowed_fd(instead, PollFlags::empty()),
    }
}

/// Whether orphans of the runs come to this process.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// See the public function of this name.
pub(in super::super) fn own_this_process() {
    keeper::ignore_file_size_limit();
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok() {
        ADOPTS.store(true, Ordering::Relaxed);
    }
}

/// Ends what came to this process after `since`.
fn kill_orphans(since: u64) {
    let root = Root {
        pid: rustix::process::getpid(),
        since,
    };
    let mut table = Table::new();
    let until = Instant::now() + GRACE;
    while table.kill(root).found > 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a poll found.
struct Ready {
    control: bool,
    streams: [bool; 2],
    source: bool,
    supervisor: PollFlags,
    reports: bool,
}

impl Stream {
    fn new(which: Which, fd: OwnedFd) -> Self {
        Self {
            which,
            fd: Some(fd),
            floods: false,
        }
    }

    /// Lets the program write more before it has to wait, and pi read more at once.
    fn expect_a_flood(&mut self) {
        if self.floods {
            return;
        }
        self.floods = true;
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if let Some(fd) = &self.fd {
            // A user has so much room for all pipes; without it the pipe stays as it is.
            let _ = rustix::pipe::fcntl_setpipe_size(fd, FLOOD_PIPE);
        }
    }
}

impl Source {
    /// Writes as much as fits, and closes the pipe behind the last byte if no more comes.
    fn write(&mut self) {
        while let Some(fd) = &self.writer {
            let rest = &self.bytes[self.written..];
            if rest.is_empty() {
                if !self.more {
                    self.close();
                }
                return;
            }
            match rustix::io::write(fd, rest) {
                Ok(count) => self.written += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // The program does not want to read more.
                Err(_) => self.close(),
            }
        }
    }

    fn close(&mut self) {
        self.writer = None;
        self.bytes = Vec::new();
        self.written = 0;
    }
}

/// A pipe that is closed by `exec` and does not take the place of a standard stream.
pub(in super::super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    Ok((
        keeper::above_the_streams(reader.into())?,
        keeper::above_the_streams(writer.into())?,
    ))
}

/// A pipe of which neither end waits.
pub(in super::super) fn pipe_without_waiting() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = pipe()?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    rustix::io::ioctl_fionbio(&writer, true)?;
    Ok((reader, writer))
}

/// The reading end does not wait; the program's does, as it expects.
pub(super) fn output_pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = pipe()?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    Ok((reader, writer))
}

fn connection() -> io::Result<(UnixStream, OwnedFd)> {
    let (ours, theirs) = UnixStream::pair()?;
    Ok((
        UnixStream::from(keeper::above_the_streams(ours.into())?),
        keeper::above_the_streams(theirs.into())?,
    ))
}

fn input(Input::Bytes(bytes): Input) -> io::Result<OwnedFd> {
    // So little fits into any pipe, and there is nothing to wait for.
    let (reader, writer) = pipe()?;
    io::PipeWriter::from(writer).write_all(&bytes)?;
    Ok(reader)
}

fn source(extra: Extra) -> io::Result<(OwnedFd, Source)> {
    let (bytes, more) = match extra {
        Extra::All(bytes) => (bytes, false),
        Extra::Beginning(bytes) => (bytes, true),
    };
    let (reader, writer) = pipe()?;
    make_room(&writer, bytes.len());
    rustix::io::ioctl_fionbio(&writer, true)?;
    let mut source = Source {
        reader: Some(rustix::io::fcntl_dupfd_cloexec(&reader, 3)?),
        writer: Some(writer),
        bytes,
        written: 0,
        more,
    };
    // Most programs fit into the pipe as a whole, before anything is started.
    source.write();
    Ok((reader, source))
}

/// Lets a pipe hold all of so many bytes, where the system does that: what does not fit is written bit by bit, as it is
/// read.
fn make_room(pipe: &OwnedFd, bytes: usize) {
    /// What a pipe holds by itself.
    const USUAL: usize = 64 * 1024;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if bytes > USUAL && bytes <= FLOOD_PIPE {
        let _ = rustix::pipe::fcntl_setpipe_size(pipe, bytes.next_power_of_two());
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (pipe, bytes, USUAL);
}

/// Requests are checked for NUL characters, and no path or variable of the system has one.
fn text(text: &OsStr) -> CString {
    CString::new(text.as_bytes()).expect("NUL characters are refused where requests are checked")
}

fn arguments(executable: &OsStr, args: Vec<std::ffi::OsString>) -> Texts {
    let rest = args.into_iter().map(|arg| {
        CString::new(arg.into_vec()).expect("NUL characters are refused where requests are checked")
    });
    Texts::new(std::iter::once(text(executable)).chain(rest).collect())
}

fn variables(environment: &Environment) -> Texts {
    Texts::new(
        environment
            .iter()
            .map(|(name, value)| {
                let pair = [name.as_bytes(), b"=", value.as_bytes()].concat();
                CString::new(pair).expect("NUL characters are refused where requests are checked")
            })
            .collect(),
    )
}
