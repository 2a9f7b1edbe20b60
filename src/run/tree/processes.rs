//! Finds and signals the processes below one process, without allocating: it runs in the keeper, behind a fork.
//!
//! A process is signalled only if it is still the one that was found: a process id can be used again as soon as its
//! process was waited for.

use rustix::process::{Pid, Signal};

/// The most processes that are looked at in one go; what is beyond is found in the next.
const CAPACITY: usize = 32 * 1024;

/// One process, as it was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Process {
    pub pid: Pid,
    parent: i32,
    /// When it started, in the system's own unit. With the id it names a process for good.
    start: u64,
    state: State,
    /// Whether it belongs to the tree.
    is_below: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Stopped,
    /// Ended, and not waited for.
    Dead,
}

/// What a signal came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    Yes,
    /// The process ended before.
    Gone,
    /// It belongs to another user.
    Refused,
}

/// Whose descendants are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    pub pid: Pid,
    /// Children of the root that started before this are not meant, nor is what is below them.
    pub since: u64,
}

impl Root {
    /// Everything below this process.
    pub(super) fn all_below(pid: Pid) -> Self {
        Self { pid, since: 0 }
    }
}

/// A table of processes with room of its own.
pub(super) struct Table {
    processes: Vec<Process>,
    stopped: Seen,
    killed: Seen,
}

impl Table {
    /// Allocates; everything else does not.
    pub(super) fn new() -> Self {
        Self {
            processes: Vec::with_capacity(CAPACITY),
            stopped: Seen::new(),
            killed: Seen::new(),
        }
    }

    /// Looks at the system and answers with the living processes below `root`; `None` where they can't be seen.
    pub(super) fn below(&mut self, root: Root) -> Option<impl Iterator<Item = Process>> {
        self.processes.clear();
        system::list(&mut |process| {
            if self.processes.len() < CAPACITY {
                self.processes.push(process);
            }
        })?;
        self.mark(root);
        Some(
            self.processes
                .iter()
                .copied()
                .filter(|process| process.is_below && process.state != State::Dead),
        )
    }

    /// Marks what is below `root`. A parent mostly has a smaller id than its children, so that few rounds are needed.
    fn mark(&mut self, root: Root) {
        let root_pid = root.pid.as_raw_pid();
        for process in &mut self.processes {
            process.is_below = process.parent == root_pid && process.start >= root.since;
        }
        loop {
            let mut found = false;
            for index in 0..self.processes.len() {
                let process = self.processes[index];
                if process.is_below || process.pid == root.pid {
                    continue;
                }
                if self.is_marked(process.parent)
                    || system::belongs_by_itself(process.pid, root.pid)
                {
                    self.processes[index].is_below = true;
                    found = true;
                }
            }
            if !found {
                return;
            }
        }
    }

    /// The system lists processes in the order of their ids, or nearly so.
    fn is_marked(&self, pid: i32) -> bool {
        let marked = |process: &Process| process.is_below && process.pid.as_raw_pid() == pid;
        match self
            .processes
            .binary_search_by_key(&pid, |process| process.pid.as_raw_pid())
        {
            Ok(index) => marked(&self.processes[index]),
            Err(_) if system::LISTS_IN_ORDER => false,
            Err(_) => self.processes.iter().any(marked),
        }
    }

    /// Asks all processes below `root` to end, stopped ones too. Answers how many were asked.
    pub(super) fn ask(&mut self, root: Root) -> u32 {
        let Some(processes) = self.below(root) else {
            return 0;
        };
        let mut asked = 0;
        for process in processes {
            asked += u32::from(system::send(&process, Signal::TERM) == Sent::Yes);
            system::send(&process, Signal::CONT);
        }
        asked
    }

    /// Stops all processes below `root` until no new one appears, so that none can outrun what follows, and kills them.
    /// To be repeated until nothing is left; what was killed is counted once.
    pub(super) fn kill(&mut self, root: Root) -> Killed {
        for _ in 0..STOP_ROUNDS {
            if !self.stop_new_ones(root) {
                break;
            }
        }
        let mut killed = std::mem::take(&mut self.killed);
        let (mut found, mut fresh, mut refused) = (0, 0, 0);
        let mut blind = true;
        if let Some(processes) = self.below(root) {
            blind = false;
            for process in processes {
                found += 1;
                match system::send(&process, Signal::KILL) {
                    Sent::Yes => fresh += u32::from(killed.insert(&process)),
                    Sent::Gone => {}
                    Sent::Refused => refused += 1,
                }
            }
        }
        self.killed = killed;
        Killed {
            found,
            fresh,
            refused,
            blind,
        }
    }

    /// Stops what was not stopped yet, and says whether there was anything.
    fn stop_new_ones(&mut self, root: Root) -> bool {
        let mut stopped = std::mem::take(&mut self.stopped);
        let mut found = false;
        if let Some(processes) = self.below(root) {
            for process in processes.filter(|process| process.state != State::Stopped) {
                if stopped.insert(&process) {
                    system::send(&process, Signal::STOP);
                    found = true;
                }
            }
        }
        self.stopped = stopped;
        found
    }
}

/// Processes that something was done to, in order, in memory that was there before.
#[derive(Default)]
struct Seen(Vec<(i32, u64)>);

impl Seen {
    fn new() -> Self {
        Self(Vec::with_capacity(CAPACITY))
    }

    /// Whether the process is new. Beyond the capacity every one is.
    fn insert(&mut self, process: &Process) -> bool {
        let key = (process.pid.as_raw_pid(), process.start);
        match self.0.binary_search(&key) {
            Ok(_) => false,
            Err(at) => {
                if self.0.len() < self.0.capacity() {
                    self.0.insert(at, key);
                }
                true
            }
        }
    }
}

/// Rounds of stopping. A tree that still grows behind them is killed all the same, and looked at again.
const STOP_ROUNDS: u32 = 32;

/// What killing came to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Killed {
    /// Processes that were there.
    pub found: u32,
    /// Processes that no call before this one killed.
    pub fresh: u32,
    /// Processes that this user may not signal.
    pub refused: u32,
    /// The system does not say which processes there are.
    pub blind: bool,
}

/// When this process started, in the unit of [`Root::since`].
pub(super) fn start_of(pid: Pid) -> Option<u64> {
    system::look_at(pid).map(|process| process.start)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use std::mem::MaybeUninit;
    use std::os::fd::{AsFd, BorrowedFd};

    use rustix::fs::{Mode, OFlags, RawDir, open, openat};
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal};

    use super::{Process, Sent, State};

    pub(super) const LISTS_IN_ORDER: bool = true;

    pub(super) fn list(found: &mut impl FnMut(Process)) -> Option<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let proc = open(c"/proc", flags, Mode::empty()).ok()?;
        let mut buffer = [MaybeUninit::uninit(); 8192];
        let mut entries = RawDir::new(proc.as_fd(), &mut buffer);
        while let Some(entry) = entries.next() {
            let Some(pid) = entry
                .ok()
                .and_then(|entry| number(entry.file_name().to_bytes()))
            else {
                continue;
            };
            if let Some(process) = read_stat(proc.as_fd(), pid) {
                found(process);
            }
        }
        Some(())
    }

    pub(super) fn look_at(pid: Pid) -> Option<Process> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let proc = open(c"/proc", flags, Mode::empty()).ok()?;
        read_stat(proc.as_fd(), pid.as_raw_pid())
    }

    /// Orphans come to the keeper as their new parent, so everything is found by parents alone.
    pub(super) fn belongs_by_itself(_pid: Pid, _root: Pid) -> bool {
        false
    }

    pub(super) fn send(process: &Process, signal: Signal) -> Sent {
        match send_to_the_same(process, signal) {
            Ok(()) => Sent::Yes,
            Err(Errno::PERM) => Sent::Refused,
            Err(_) => Sent::Gone,
        }
    }

    #[cfg(target_os = "linux")]
    fn send_to_the_same(process: &Process, signal: Signal) -> rustix::io::Result<()> {
        use rustix::process::{PidfdFlags, kill_process, pidfd_open, pidfd_send_signal};
        match pidfd_open(process.pid, PidfdFlags::empty()) {
            // The descriptor holds one process; that it is the one that was found shows in when it started.
            Ok(fd) if is_the_same(process) => pidfd_send_signal(fd, signal),
            Ok(_) | Err(Errno::SRCH) => Err(Errno::SRCH),
            // Older kernels, and no descriptors to spare.
            Err(_) => kill_process(process.pid, signal),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn send_to_the_same(process: &Process, signal: Signal) -> rustix::io::Result<()> {
        if !is_the_same(process) {
            return Err(Errno::SRCH);
        }
        rustix::process::kill_process(process.pid, signal)
    }

    fn is_the_same(process: &Process) -> bool {
        look_at(process.pid).is_some_and(|now| now.start == process.start)
    }

    fn read_stat(proc: BorrowedFd<'_>, pid: i32) -> Option<Process> {
        let mut name = [0_u8; 24];
        let name = stat_path(pid, &mut name)?;
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let file = openat(proc, name, flags, Mode::empty()).ok()?;
        let mut stat = [0_u8; 512];
        let length = rustix::io::read(&file, &mut stat).ok()?;
        parse(pid, stat.get(..length)?)
    }

    /// `<pid>/stat`, without allocating.
    fn stat_path(pid: i32, buffer: &mut [u8; 24]) -> Option<&std::ffi::CStr> {
        let mut digits = [0_u8; 12];
        let mut at = digits.len();
        let mut rest = pid.unsigned_abs();
        loop {
            at -= 1;
            digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let digits = &digits[at..];
        let (number, rest) = buffer.split_at_mut(digits.len());
        number.copy_from_slice(digits);
        rest.get_mut(..6)?.copy_from_slice(b"/stat\0");
        std::ffi::CStr::from_bytes_until_nul(buffer).ok()
    }

    /// Reads `pid (name) state ppid …`. The name may contain anything, closing brackets too, but the last one ends it.
    fn parse(pid: i32, stat: &[u8]) -> Option<Process> {
        let end_of_name = memchr::memrchr(b')', stat)?;
        let mut fields = stat.get(end_of_name + 2..)?.split(|byte| *byte == b' ');
        let state = fields.next()?;
        let parent = number(fields.next()?)?;
        // Fields 20 and 22 of all: the 16th behind the parent, and the second behind that.
        let threads = number(fields.nth(15)?)?;
        let since = fields.nth(1)?;
        let state = match state {
            b"T" | b"t" => State::Stopped,
            // Where the first thread has ended and others live, the process looks dead and is not.
            b"Z" if threads > 1 => State::Running,
            b"Z" | b"X" | b"x" => State::Dead,
            _ => State::Running,
        };
        let since = since.iter().try_fold(0_u64, |sum, digit| {
            let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
            sum.checked_mul(10)?.checked_add(u64::from(digit))
        })?;
        Some(Process {
            pid: Pid::from_raw(pid)?,
            parent,
            start: since,
            state,
            is_below: false,
        })
    }

    fn number(digits: &[u8]) -> Option<i32> {
        if digits.is_empty() {
            return None;
        }
        digits.iter().try_fold(0_i32, |sum, digit| {
            let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
            sum.checked_mul(10)?.checked_add(i32::from(digit))
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_process_is_read_whatever_its_name_is() {
            let stat = b"42 (a) R 1) T 7 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 1 1 18446744073709551615";
            let process = parse(42, stat).expect("it is well formed");
            assert_eq!(process.state, State::Stopped);
            assert_eq!((process.parent, process.start), (7, 12345));
        }

        #[test]
        fn this_process_is_found() {
            let me = rustix::process::getpid();
            let mut seen = false;
            list(&mut |process| seen |= process.pid == me).expect("there is /proc");
            assert!(seen);
            assert!(look_at(me).is_some());
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, getpgid, getsid, kill_process};

    use super::{Process, Sent};

    pub(super) const LISTS_IN_ORDER: bool = false;

    /// Orphans do not come to the keeper here: what left its parent is recognized by the session or the group that
    /// the keeper began.
    pub(super) fn belongs_by_itself(pid: Pid, root: Pid) -> bool {
        getsid(Some(pid)) == Ok(root) || getpgid(Some(pid)) == Ok(root)
    }

    pub(super) fn send(process: &Process, signal: Signal) -> Sent {
        let sent = match look_at(process.pid) {
            Some(now) if now.start == process.start => kill_process(process.pid, signal),
            _ => Err(Errno::SRCH),
        };
        match sent {
            Ok(()) => Sent::Yes,
            Err(Errno::PERM) => Sent::Refused,
            Err(_) => Sent::Gone,
        }
    }

    #[cfg(target_vendor = "apple")]
    pub(super) use apple::{list, look_at};

    #[cfg(target_vendor = "apple")]
    #[expect(
        unsafe_code,
        reason = "processes are listed by a system call that std has no word for"
    )]
    mod apple {
        use std::mem::{MaybeUninit, size_of};

        use rustix::process::Pid;

        use super::super::{Process, State};

        /// Ids that are asked for in one go; macOS has fewer processes than this by far.
        const IDS: usize = 16 * 1024;

        pub(in super::super) fn list(found: &mut impl FnMut(Process)) -> Option<()> {
            let mut ids = [0_i32; IDS];
            let size = i32::try_from(size_of::<[i32; IDS]>()).ok()?;
            // SAFETY: the buffer is writable and `size` bytes long.
            let bytes = unsafe { libc::proc_listallpids(ids.as_mut_ptr().cast(), size) };
            let count = usize::try_from(bytes).ok()?;
            for pid in ids.iter().take(count).filter_map(|pid| Pid::from_raw(*pid)) {
                if let Some(process) = look_at(pid) {
                    found(process);
                }
            }
            Some(())
        }

        pub(in super::super) fn look_at(pid: Pid) -> Option<Process> {
            let mut info = MaybeUninit::<libc::proc_bsdinfo>::zeroed();
            let size = i32::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
            // SAFETY: the buffer is writable and `size` bytes long; the call fills it or says so.
            let got = unsafe {
                libc::proc_pidinfo(
                    pid.as_raw_pid(),
                    libc::PROC_PIDTBSDINFO,
                    0,
                    info.as_mut_ptr().cast(),
                    size,
                )
            };
            if got != size {
                return None;
            }
            // SAFETY: the call filled all of it, and every bit pattern is a value of its integers.
            let info = unsafe { info.assume_init() };
            Some(Process {
                pid,
                parent: i32::try_from(info.pbi_ppid).ok()?,
                start: info.pbi_start_tvsec * 1_000_000 + info.pbi_start_tvusec,
                state: match info.pbi_status {
                    libc::SSTOP => State::Stopped,
                    libc::SZOMB => State::Dead,
                    _ => State::Running,
                },
                is_below: false,
            })
        }
    }

    /// Other systems: the program's own group is all that is known.
    #[cfg(not(target_vendor = "apple"))]
    pub(super) fn list(_found: &mut impl FnMut(Process)) -> Option<()> {
        None
    }

    #[cfg(not(target_vendor = "apple"))]
    pub(super) fn look_at(_pid: Pid) -> Option<Process> {
        None
    }
}
