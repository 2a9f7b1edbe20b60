//! The harness: places, runs of the binary, servers and what they serve.

pub(crate) mod artifacts;
pub(crate) mod http;
pub(crate) mod pi;
pub(crate) mod python;
pub(crate) mod tls;

pub(crate) use pi::{Output, Pi, Place, Running, files_below};

use std::time::{Duration, Instant};

/// Polls until `done` answers with something.
///
/// Panics with `what` once `limit` has passed.
#[track_caller]
pub(crate) fn wait_until<T>(what: &str, limit: Duration, mut done: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(value) = done() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited {limit:?} for: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Small random numbers from a seed, so that a failing run can be repeated.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        // xorshift64*: spread well enough to choose moments in time.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % end
    }
}
