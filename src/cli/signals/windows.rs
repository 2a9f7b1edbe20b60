//! Ctrl-C, Ctrl-Break and a closed console through the system's handler thread.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::OnceLock;

use windows_sys::Win32::System::Console::{CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

use crate::run::{Cancel, Cancelled};

static TOKEN: OnceLock<Cancel> = OnceLock::new();

/// From here on console events use `cancel`. One token a process: a later one is not listened to.
pub(crate) fn cancel_on_signals(cancel: &Cancel) -> io::Result<()> {
    if TOKEN.set(cancel.clone()).is_err() {
        return Ok(());
    }
    #[expect(
        unsafe_code,
        reason = "the system calls back only what it was given through this function"
    )]
    // SAFETY: the handler is a function of this program and stays for as long as it runs.
    let set = unsafe { SetConsoleCtrlHandler(Some(on_event), 1) };
    if set == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Runs a command that has this process's console. It gets console events by itself, and this process waits for what it
/// makes of them.
pub(crate) fn run_in_our_place(command: &mut Command) -> io::Result<ExitStatus> {
    cancel_on_signals(&Cancel::new())?;
    command.status()
}

#[expect(unsafe_code, reason = "the system fixes the handler's signature")]
unsafe extern "system" fn on_event(event: u32) -> BOOL {
    if let Some(token) = TOKEN.get() {
        let reason = if event == CTRL_C_EVENT {
            Cancelled::Interrupt
        } else {
            Cancelled::Terminate
        };
        token.cancel(reason);
    }
    1
}
