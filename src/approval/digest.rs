//! SHA-256 digests, and how several values are brought under one.
//!
//! Invariant: two different sequences of values never feed the same bytes to the hash, whatever the values hold.

use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::home::open_regular;

/// A SHA-256 digest. As text and as JSON it is 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of a regular file's content.
    ///
    /// # Errors
    /// What the system says, or that it is no regular file.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut hash = Sha256::new();
        let mut file = open_regular(path)?;
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match io::Read::read(&mut file, &mut buffer)? {
                0 => return Ok(Self(hash.finalize().into())),
                read => hash.update(&buffer[..read]),
            }
        }
    }

    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom("a digest has 64 hexadecimal digits"))
    }
}

/// A digest in the making. Every value is led by its length, and every list by its number of items.
pub(super) struct Encoder(Sha256);

impl Encoder {
    /// Begins; `purpose` keeps digests of different kinds apart.
    pub(super) fn new(purpose: &str) -> Self {
        let mut encoder = Self(Sha256::new());
        encoder.bytes(purpose.as_bytes());
        encoder
    }

    pub(super) fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    /// A value that may be absent, which is not the same as empty.
    pub(super) fn optional(&mut self, bytes: Option<&[u8]>) {
        self.number(u64::from(bytes.is_some()));
        if let Some(bytes) = bytes {
            self.bytes(bytes);
        }
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for each in items {
            item(self, each);
        }
    }

    pub(super) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_read_as_it_is_written() {
        let digest = Digest::of(b"abc");
        assert!(digest.to_string().starts_with("ba7816bf8f01cfea"));
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        for bad in ["", "ba78", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(Digest::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn borders_between_values_count() {
        let of = |lists: &[&[&str]]| {
            let mut encoder = Encoder::new("test");
            for list in lists {
                encoder.list(list, |encoder, item| encoder.bytes(item.as_bytes()));
            }
            encoder.finish()
        };
        let digests = [
            of(&[&["ab", "c"], &[]]),
            of(&[&["a", "bc"], &[]]),
            of(&[&["abc"], &[]]),
            of(&[&["ab"], &["c"]]),
            of(&[&["ab", "c", ""], &[]]),
            of(&[&[], &["ab", "c"]]),
        ];
        for (at, digest) in digests.iter().enumerate() {
            assert!(!digests[..at].contains(digest), "{at}");
        }
    }

    #[test]
    fn a_file_has_the_digest_of_its_content() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, b"abc").unwrap();
        assert_eq!(Digest::of_file(&path).unwrap(), Digest::of(b"abc"));
        assert!(Digest::of_file(dir.path()).is_err());
    }
}
