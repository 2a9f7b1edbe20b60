//! Unix: job control and the terminal's queue.

use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};

/// Whether this process may read from its terminal: a background job would be stopped for trying.
pub(super) fn is_in_foreground() -> bool {
    match tcgetpgrp(rustix::stdio::stdin()) {
        Ok(group) => group == rustix::process::getpgrp(),
        // A terminal that is not this session's own has no background.
        Err(_) => true,
    }
}

/// Drops what was typed ahead.
pub(super) fn forget_what_was_typed() {
    // Where that fails, the question is answered by what is there: it is shown before it counts all the same.
    let _ = tcflush(rustix::stdio::stdin(), QueueSelector::IFlush);
}
