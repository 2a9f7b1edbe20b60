//! What a process puts on before it becomes the program: made ready in pi, put on with a few plain system calls.

#![expect(unsafe_code, reason = "these system calls have no words in std")]

use std::fs;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::OnceLock;

use rustix::time::{ClockId, Timespec, clock_gettime};

use super::{Category, Layers, Policy, landlock, seccomp};

/// The layers of one run, made ready.
pub(crate) struct Confinement {
    ruleset: Option<OwnedFd>,
    supervised: Option<Vec<libc::sock_filter>>,
    alone: Option<Vec<libc::sock_filter>>,
    landlock: u32,
    /// When the run began: what was made later was made by it.
    started: Timespec,
}

impl Confinement {
    /// What `policy` comes to on this machine. `None` where there is nothing to put on: a program that may start
    /// others is held by the hook alone.
    pub(crate) fn of(policy: &Policy) -> Option<Self> {
        if policy.grants(Category::Program) {
            return None;
        }
        let system = system();
        let ruleset = (system.landlock > 0)
            .then(|| landlock::ruleset(policy))
            .flatten();
        let landlock = if ruleset.is_some() {
            system.landlock
        } else {
            0
        };
        let filter = |is_supervised| {
            system
                .has_filters
                .then(|| seccomp::filter(landlock, is_supervised))
                .flatten()
        };
        let confinement = Self {
            supervised: system.has_supervisors.then(|| filter(true)).flatten(),
            alone: filter(false),
            ruleset,
            landlock,
            started: clock_gettime(ClockId::Realtime),
        };
        let is_something = confinement.ruleset.is_some() || confinement.alone.is_some();
        is_something.then_some(confinement)
    }

    /// The same with its descriptor where `lift` puts it.
    pub(crate) fn lifted(
        mut self,
        lift: impl Fn(OwnedFd) -> std::io::Result<OwnedFd>,
    ) -> std::io::Result<Self> {
        self.ruleset = self.ruleset.map(lift).transpose()?;
        Ok(self)
    }

    /// The descriptor that has to be open in the process that enters.
    pub(crate) fn descriptor(&self) -> Option<RawFd> {
        self.ruleset.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// When the run began.
    pub(super) fn started(&self) -> Timespec {
        self.started
    }

    /// Puts the layers on this process for good, and answers with which (see [`layers`](Self::layers)) and with the
    /// supervisor's descriptor. Allocates nothing. What can't be put on is left out.
    pub(crate) fn enter(&self) -> ([i32; 3], Option<OwnedFd>) {
        // SAFETY: takes numbers alone. Ordinary users may put on nothing without it.
        unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
        let landlock = match &self.ruleset {
            Some(ruleset) if restrict(ruleset) => i32::try_from(self.landlock).unwrap_or(0),
            _ => 0,
        };
        let killable = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | KILLABLE;
        let plain = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        for (filter, flags) in [
            (&self.supervised, killable),
            (&self.supervised, plain),
            (&self.alone, 0),
        ] {
            let Some(filter) = filter else { continue };
            match put_on(filter, flags) {
                Ok(None) => return ([landlock, 1, 0], None),
                Ok(listener) => return ([landlock, 1, 1], listener),
                Err(()) => {}
            }
        }
        ([landlock, 0, 0], None)
    }

    /// What the numbers say that [`enter`](Self::enter) answers with.
    pub(crate) fn layers(values: [i32; 3]) -> Layers {
        let [landlock, seccomp, supervisor] = values;
        Layers {
            hook: false,
            landlock: u32::try_from(landlock).ok().filter(|abi| *abi > 0),
            seccomp: seccomp != 0,
            supervisor: supervisor != 0,
        }
    }
}

/// A call that the supervisor has seen is not begun anew because of a signal.
const KILLABLE: libc::c_ulong = 1 << 5;

fn restrict(ruleset: &OwnedFd) -> bool {
    // SAFETY: takes an open descriptor and no flags.
    unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) == 0 }
}

fn put_on(filter: &[libc::sock_filter], flags: libc::c_ulong) -> Result<Option<OwnedFd>, ()> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| ())?,
        filter: filter.as_ptr().cast_mut(),
    };
    // SAFETY: the program points to instructions that outlive the call, which only reads them.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            &raw const program,
        )
    };
    if answer < 0 {
        return Err(());
    }
    if flags & libc::SECCOMP_FILTER_FLAG_NEW_LISTENER == 0 {
        return Ok(None);
    }
    let fd = RawFd::try_from(answer).map_err(|_| ())?;
    // SAFETY: the call has made this descriptor, and nobody else knows of it.
    Ok(Some(unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// What the running system has.
#[derive(Clone, Copy)]
struct System {
    /// The version of Landlock's interface; 0 where there is none.
    landlock: u32,
    has_filters: bool,
    has_supervisors: bool,
}

fn system() -> System {
    static SYSTEM: OnceLock<System> = OnceLock::new();
    *SYSTEM.get_or_init(|| {
        let has_filters = knows(libc::SECCOMP_RET_ERRNO);
        System {
            landlock: landlock_version(),
            has_filters,
            has_supervisors: has_filters
                && knows(libc::SECCOMP_RET_USER_NOTIF)
                && can_look_at_programs()
                && can_open_strictly(),
        }
    })
}

/// What this machine has, for a report.
pub(crate) fn available() -> Layers {
    let system = system();
    let is_known = seccomp::filter(system.landlock, true).is_some();
    Layers {
        hook: true,
        landlock: (system.landlock > 0).then_some(system.landlock),
        seccomp: system.has_filters && is_known,
        supervisor: system.has_supervisors && is_known,
    }
}

fn landlock_version() -> u32 {
    const VERSION: u32 = 1;
    // SAFETY: without attributes the call only answers with a number.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0_usize,
            VERSION,
        )
    };
    u32::try_from(answer).unwrap_or(0)
}

/// Whether filters may answer so.
fn knows(answer: u32) -> bool {
    // SAFETY: reads one number that outlives the call.
    unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_GET_ACTION_AVAIL,
            0,
            &raw const answer,
        ) == 0
    }
}

/// Whether pi may read the memory of what it started: not where that takes privileges.
fn can_look_at_programs() -> bool {
    match fs::read("/proc/sys/kernel/yama/ptrace_scope") {
        Ok(scope) => matches!(scope.first(), Some(b'0' | b'1')),
        Err(_) => true,
    }
}

/// Whether paths can be opened as the supervisor has to.
fn can_open_strictly() -> bool {
    super::caller::open_strictly(
        rustix::fs::CWD,
        c"/",
        rustix::fs::OFlags::PATH | rustix::fs::OFlags::CLOEXEC,
    )
    .is_ok()
}
