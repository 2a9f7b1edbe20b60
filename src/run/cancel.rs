//! A token that ends a run from outside of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Who ends the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Cancelled {
    /// A person at the keyboard (SIGINT).
    Interrupt = 1,
    /// Another process (SIGTERM).
    Terminate = 2,
    /// The caller went away (SIGHUP, a closed connection, a dropped future).
    Gone = 3,
}

impl Cancelled {
    /// The number of the signal that asks for the same.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Interrupt => 2,
            Self::Terminate => 15,
            Self::Gone => 1,
        }
    }

    /// The signal that asks for the same, as a name.
    #[must_use]
    pub fn signal(self) -> &'static str {
        match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
            Self::Gone => "SIGHUP",
        }
    }
}

/// How urgent it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Urgency {
    /// Nobody asked.
    None,
    /// Asked once: the processes get their time to end.
    Ask,
    /// Asked again: they are killed.
    Now,
}

/// A token that ends a run. Clones are the same token; one that was used stays used, so a new run needs a new one.
///
/// [`Cancel::cancel`] may be called from any thread and, on Unix, from a signal handler.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    reason: AtomicU8,
    times: AtomicU8,
    wake: Wake,
}

impl Cancel {
    /// A token that nobody used yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the run: asks its processes first and kills them after a while; a second call kills them at once.
    pub fn cancel(&self, reason: Cancelled) {
        let first =
            self.0
                .reason
                .compare_exchange(0, reason as u8, Ordering::AcqRel, Ordering::Acquire);
        let times = if first.is_ok() { 1 } else { 2 };
        self.0.times.fetch_max(times, Ordering::AcqRel);
        self.0.wake.wake();
    }

    /// Who ended the run first, if somebody did.
    #[must_use]
    pub fn reason(&self) -> Option<Cancelled> {
        [Cancelled::Interrupt, Cancelled::Terminate, Cancelled::Gone]
            .into_iter()
            .find(|reason| *reason as u8 == self.0.reason.load(Ordering::Acquire))
    }

    pub(super) fn urgency(&self) -> Urgency {
        match self.0.times.load(Ordering::Acquire) {
            0 => Urgency::None,
            1 => Urgency::Ask,
            _ => Urgency::Now,
        }
    }

    /// Becomes readable when the token is used, and stays so.
    #[cfg(unix)]
    pub(super) fn fd(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        self.0.wake.fd()
    }
}

#[cfg(unix)]
use unix::Wake;

#[cfg(unix)]
mod unix {
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

    /// A pipe that holds a byte once the token is used.
    #[derive(Debug)]
    pub(super) struct Wake(Option<(OwnedFd, OwnedFd)>);

    impl Default for Wake {
        /// Without a descriptor to spare the token still works: a run looks at it now and then anyway.
        fn default() -> Self {
            Self(crate::run::tree::pipe_without_waiting().ok())
        }
    }

    impl Wake {
        pub(super) fn wake(&self) {
            if let Some((_, writer)) = &self.0 {
                // A full pipe is readable already.
                let _ = rustix::io::write(writer, &[0]);
            }
        }

        pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
            self.0.as_ref().map(|(reader, _)| reader.as_fd())
        }
    }
}

/// Elsewhere a run looks at the token many times a second.
#[cfg(not(unix))]
#[derive(Debug, Default)]
struct Wake;

#[cfg(not(unix))]
impl Wake {
    fn wake(&self) {}
}
