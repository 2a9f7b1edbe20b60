//! Signals through handlers that do nothing but use a token, or pass the signal on.

use std::ffi::c_int;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

use crate::run::{Cancel, Cancelled};

/// From here on SIGINT, SIGTERM and SIGHUP use `cancel`, even if the caller blocked them. What the caller ignores
/// (`nohup`, a shell's background jobs) stays ignored.
pub(crate) fn cancel_on_signals(cancel: &Cancel) -> io::Result<()> {
    for (signal, reason) in [
        (SIGINT, Cancelled::Interrupt),
        (SIGTERM, Cancelled::Terminate),
        (SIGHUP, Cancelled::Gone),
    ] {
        if is_ignored(signal) {
            continue;
        }
        let token = cancel.clone();
        #[expect(
            unsafe_code,
            reason = "the safe ways to a handler cost a thread for each run"
        )]
        // SAFETY: the handler stores into atomics and writes to a pipe, both of which a signal handler may do.
        unsafe {
            signal_hook::low_level::register(signal, move || token.cancel(reason))?;
        }
        unblock(signal);
    }
    Ok(())
}

/// Runs a command that has this process's streams and terminal, and passes signals on to it. A signal of the terminal's
/// keys goes to both by itself.
pub(crate) fn run_in_our_place(command: &mut Command) -> io::Result<ExitStatus> {
    let passed = Arc::new(PassedOn::default());
    for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] {
        if !is_ignored(signal) {
            pass_on(signal, &passed)?;
        }
    }
    die_with_us(command);
    let mut child = command.spawn()?;
    passed.to(child.id());
    let status = child.wait();
    passed.to(0);
    status
}

/// Where signals are passed on to.
#[derive(Default)]
struct PassedOn {
    /// The command, once it runs.
    process: AtomicI32,
    /// A signal that came before.
    early: AtomicI32,
}

impl PassedOn {
    /// Called in a signal handler: atomics and system calls alone.
    fn pass(&self, signal: c_int) {
        if matches!(signal, SIGINT | SIGQUIT) && is_of_our_terminal() {
            return;
        }
        self.early.store(signal, Ordering::SeqCst);
        self.send();
    }

    fn to(&self, process: u32) {
        let process = i32::try_from(process).unwrap_or(0);
        self.process.store(process, Ordering::SeqCst);
        self.send();
    }

    fn send(&self) {
        let Some(process) = Pid::from_raw(self.process.load(Ordering::SeqCst)) else {
            return;
        };
        if let Some(signal) = Signal::from_named_raw(self.early.swap(0, Ordering::SeqCst)) {
            let _ = kill_process(process, signal);
        }
    }
}

/// Whether the keys of a terminal reach this process, and with it the command, which is of its group.
fn is_of_our_terminal() -> bool {
    [
        rustix::stdio::stdin(),
        rustix::stdio::stdout(),
        rustix::stdio::stderr(),
    ]
    .into_iter()
    .any(|stream| rustix::termios::tcgetpgrp(stream) == Ok(rustix::process::getpgrp()))
}

fn pass_on(signal: c_int, passed: &Arc<PassedOn>) -> io::Result<()> {
    let passed = Arc::clone(passed);
    #[expect(
        unsafe_code,
        reason = "the safe ways to a handler cost a thread for each run"
    )]
    // SAFETY: the handler uses atomics and makes system calls, both of which a signal handler may do.
    unsafe {
        signal_hook::low_level::register(signal, move || passed.pass(signal))?;
    }
    Ok(())
}

/// A command whose wrapper was killed would work without the lock.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn die_with_us(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use rustix::process::{getpid, getppid, set_parent_process_death_signal};
    let us = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if getppid() == Some(us) {
            Ok(())
        } else {
            Err(io::ErrorKind::Interrupted.into())
        }
    };
    #[expect(unsafe_code, reason = "the standard library runs it behind a fork")]
    // SAFETY: two system calls, and no memory.
    unsafe {
        command.pre_exec(ask);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn die_with_us(_command: &mut Command) {}

#[expect(unsafe_code, reason = "no safe interface asks for a signal's action")]
fn is_ignored(signal: c_int) -> bool {
    // SAFETY: the action lives on the stack, and is filled by the call before it is read.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let asked = libc::sigaction(signal, std::ptr::null(), &raw mut action);
        asked == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

#[expect(unsafe_code, reason = "no safe interface changes the signal mask")]
fn unblock(signal: c_int) {
    // SAFETY: the set lives on the stack, and is filled before it is used.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
    }
}
