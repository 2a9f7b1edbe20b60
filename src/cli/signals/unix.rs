//! SIGINT, SIGTERM and SIGHUP through handlers that do nothing but use the token.

use std::io;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::run::{Cancel, Cancelled};

/// From here on SIGINT, SIGTERM and SIGHUP use `cancel`.
pub(crate) fn cancel_on_signals(cancel: &Cancel) -> io::Result<()> {
    for (signal, reason) in [
        (SIGINT, Cancelled::Interrupt),
        (SIGTERM, Cancelled::Terminate),
        (SIGHUP, Cancelled::Gone),
    ] {
        let token = cancel.clone();
        #[expect(
            unsafe_code,
            reason = "the safe ways to a handler cost a thread for each run"
        )]
        // SAFETY: the handler stores into atomics and writes to a pipe, both of which a signal handler may do.
        unsafe {
            signal_hook::low_level::register(signal, move || token.cancel(reason))?;
        }
    }
    Ok(())
}
