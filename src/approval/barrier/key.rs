//! What a lock is called.

use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest, Sha256};

/// The digest of what is locked: of its kind and its real path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(String);

impl Key {
    /// Bytes of the digest that are kept: enough that no two paths meet.
    const BYTES: usize = 16;

    pub(super) fn of(kind: &str, path: &Path) -> Self {
        let digest = Sha256::new()
            .chain_update(kind)
            .chain_update([0])
            .chain_update(path.as_os_str().as_encoded_bytes())
            .finalize();
        let mut text = String::with_capacity(2 * Self::BYTES);
        for byte in &digest[..Self::BYTES] {
            // A string takes everything.
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// A key that came from elsewhere, if it looks like one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let fits =
            text.len() == 2 * Self::BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        fits.then(|| Self(text.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}
