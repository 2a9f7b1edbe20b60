//! SIGINT, SIGTERM and SIGHUP through handlers that do nothing but use the token.

use std::ffi::c_int;
use std::io;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

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
