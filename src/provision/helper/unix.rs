//! A helper as the leader of a process group.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::Ending;

/// A running helper and its group. The leader is reaped only after the group was killed, so that its number can't
/// have passed to somebody else by then.
pub(super) struct Group {
    child: Child,
    leader: Pid,
    reaped: Option<ExitStatus>,
}

impl Group {
    pub(super) fn spawn(command: &mut Command, ending: Ending) -> io::Result<Self> {
        command.process_group(0);
        die_with_parent(command, ending);
        let child = command.spawn()?;
        let leader = i32::try_from(child.id())
            .ok()
            .and_then(Pid::from_raw)
            .expect("a process number is positive");
        Ok(Self {
            child,
            leader,
            reaped: None,
        })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether the leader has ended; it stays to be reaped.
    pub(super) fn has_exited(&mut self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.leader), options) {
            Ok(status) => Ok(status.is_some()),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Asks every member to end.
    pub(super) fn ask(&self) {
        // A group that is already gone needs no asking.
        let _ = kill_process_group(self.leader, Signal::TERM);
    }

    /// Kills what is left of the group and reaps the leader.
    pub(super) fn finish(mut self) -> io::Result<ExitStatus> {
        self.end()
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.reaped {
            return Ok(status);
        }
        // Fails only where the group is already gone.
        let _ = kill_process_group(self.leader, Signal::KILL);
        let status = self.child.wait()?;
        self.reaped = Some(status);
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Has the kernel end the helper when pi ends, however pi ends.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[expect(unsafe_code, reason = "the death signal is set between fork and exec")]
fn die_with_parent(command: &mut Command, ending: Ending) {
    let signal = match ending {
        Ending::Killed => Signal::KILL,
        Ending::Asked => Signal::TERM,
    };
    let parent = Some(rustix::process::getpid());
    let prepare = move || {
        rustix::process::set_parent_process_death_signal(Some(signal))?;
        if rustix::process::getppid() != parent {
            // pi ended before the signal was set; nobody would send it any more.
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(())
    };
    // SAFETY: the closure makes two system calls and neither allocates nor locks.
    unsafe {
        command.pre_exec(prepare);
    }
}

/// Other systems have no such signal.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn die_with_parent(_command: &mut Command, _ending: Ending) {}

/// How a helper ended, for a message.
pub(super) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended in an unknown way".to_owned(),
    }
}
