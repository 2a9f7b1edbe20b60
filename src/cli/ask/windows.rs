//! Windows: there are no background jobs, and the console's queue is dropped.

use windows_sys::Win32::System::Console::{
    FlushConsoleInputBuffer, GetStdHandle, STD_INPUT_HANDLE,
};

/// Whether this process may read from its console.
pub(super) fn is_in_foreground() -> bool {
    true
}

/// Drops what was typed ahead.
#[expect(unsafe_code, reason = "no safe interface empties the console's queue")]
pub(super) fn forget_what_was_typed() {
    // SAFETY: both calls take and give plain handles; one that is no console makes the second fail, which is harmless.
    unsafe {
        FlushConsoleInputBuffer(GetStdHandle(STD_INPUT_HANDLE));
    }
}
