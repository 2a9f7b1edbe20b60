//! The one way from bytes that arrived to bytes that may be unpacked.
//!
//! An [`Intake`] writes what arrives to a file beside its destination and hashes it on the way. Only an intake whose
//! digest is the pinned one becomes a [`Verified`], nothing else can build one, and unpacking accepts nothing else.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use sha2::Digest as _;

use super::pins::{Artifact, Digest};
use crate::home;

/// How the names of files begin that are made on the way to a managed file; what a killed process left is known by it.
pub(crate) const TEMPORARY_PREFIX: &str = ".uv-";
/// The most bytes that are taken of a file whose size is not pinned.
const LARGEST_UNPINNED: u64 = 512 * 1024 * 1024;
/// Bytes that are gathered before they are written.
const BUFFER: usize = 256 * 1024;
/// Bytes of the beginning that are kept to tell a page from an archive.
const HEAD: usize = 64;

/// An artifact on disk whose digest is the pinned one. The file goes when this goes.
#[derive(Debug)]
pub(crate) struct Verified {
    file: tempfile::NamedTempFile,
    artifact: Artifact,
}

/// A file on its way in. It has no name that anything would look for, and goes when this goes.
pub(crate) struct Intake {
    file: BufWriter<tempfile::NamedTempFile>,
    hasher: sha2::Sha256,
    head: Vec<u8>,
    written: u64,
    most: u64,
}

/// Bytes that are not the pinned ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub file: String,
    pub expected: Digest,
    pub computed: Digest,
    pub size: u64,
    /// Whether the bytes begin like a page for a browser.
    pub page: bool,
}

/// Why bytes could not be taken in.
#[derive(Debug)]
pub(crate) enum IntakeError {
    /// There are more of them than the artifact has.
    TooLarge {
        most: u64,
    },
    Io(io::Error),
}

impl Intake {
    /// An empty file in `dir`, readable by the user alone, for an artifact.
    pub(crate) fn create(dir: &Path, artifact: &Artifact) -> io::Result<Self> {
        let file = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .suffix(".part")
            .tempfile_in(dir)?;
        Ok(Self {
            file: BufWriter::with_capacity(BUFFER, file),
            hasher: sha2::Sha256::new(),
            head: Vec::with_capacity(HEAD),
            written: 0,
            most: artifact.size.unwrap_or(LARGEST_UNPINNED),
        })
    }

    /// Bytes taken so far.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// The most bytes that are taken.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// The first bytes taken, enough to tell a page from an archive.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Takes the next bytes; never more in all than the artifact has.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), IntakeError> {
        if self.written + bytes.len() as u64 > self.most {
            return Err(IntakeError::TooLarge { most: self.most });
        }
        let missing = HEAD - self.head.len();
        self.head
            .extend_from_slice(&bytes[..bytes.len().min(missing)]);
        self.hasher.update(bytes);
        self.file.write_all(bytes).map_err(IntakeError::Io)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Begins again with nothing.
    pub(crate) fn restart(&mut self) -> io::Result<()> {
        if self.written == 0 {
            return Ok(());
        }
        self.file.flush()?;
        let file = self.file.get_mut().as_file_mut();
        file.set_len(0)?;
        file.rewind()?;
        self.hasher = sha2::Sha256::new();
        self.head.clear();
        self.written = 0;
        Ok(())
    }

    /// Holds what was taken against the pin.
    ///
    /// # Errors
    /// The outer one where the last bytes can't be written, the inner one where the digest is another.
    pub(crate) fn finish(self, artifact: &Artifact) -> io::Result<Result<Verified, Mismatch>> {
        let computed = Digest(self.hasher.finalize().into());
        if computed != artifact.sha256 {
            return Ok(Err(Mismatch {
                file: artifact.file.clone(),
                expected: artifact.sha256,
                computed,
                size: self.written,
                page: begins_like_a_page(&self.head),
            }));
        }
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        Ok(Ok(Verified {
            file,
            artifact: artifact.clone(),
        }))
    }
}

impl Verified {
    pub(crate) fn artifact(&self) -> &Artifact {
        &self.artifact
    }

    /// The verified bytes, from the beginning. It is the very file that was hashed, whatever its name leads to by now.
    pub(crate) fn reader(&self) -> io::Result<File> {
        let mut file = self.file.as_file().try_clone()?;
        file.rewind()?;
        Ok(file)
    }
}

/// Whether bytes begin like HTML or XML.
pub(crate) fn begins_like_a_page(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().first() == Some(&b'<')
}

/// The digest of a file, and its size.
pub(crate) fn digest_of(path: &Path) -> io::Result<(Digest, u64)> {
    let mut file = home::open_regular(path)?;
    let mut hasher = Hashing::new(io::sink());
    // A larger buffer than that of `io::copy` leaves the time to the hash alone.
    let mut buffer = vec![0; BUFFER];
    loop {
        match io::Read::read(&mut file, &mut buffer)? {
            0 => break,
            count => hasher.write_all(&buffer[..count])?,
        }
    }
    let (digest, size, _) = hasher.finish();
    Ok((digest, size))
}

/// A writer that hashes what goes through it.
pub(crate) struct Hashing<W> {
    inner: W,
    hasher: sha2::Sha256,
    size: u64,
}

impl<W: Write> Hashing<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self {
            inner,
            hasher: sha2::Sha256::new(),
            size: 0,
        }
    }

    /// The digest and the number of the bytes that went through, and the writer beneath.
    pub(crate) fn finish(self) -> (Digest, u64, W) {
        (Digest(self.hasher.finalize().into()), self.size, self.inner)
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.size += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::provision::fetch::pins::Form;

    /// An artifact that consists of these bytes.
    pub(crate) fn artifact_of(bytes: &[u8], form: Form, member: &str) -> Artifact {
        Artifact {
            file: "uv-test".to_owned(),
            sha256: Digest(sha2::Sha256::digest(bytes).into()),
            size: Some(bytes.len() as u64),
            form,
            member: member.to_owned(),
        }
    }

    /// Takes bytes in and verifies them.
    pub(crate) fn verified(dir: &Path, bytes: &[u8], form: Form, member: &str) -> Verified {
        let artifact = artifact_of(bytes, form, member);
        let mut intake = Intake::create(dir, &artifact).expect("writable");
        intake.take(bytes).expect("as many as pinned");
        intake
            .finish(&artifact)
            .expect("writable")
            .expect("the very bytes")
    }

    #[test]
    fn what_was_taken_is_what_is_read() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let verified = verified(dir.path(), b"some bytes", Form::Zip, "uv");
        let mut text = String::new();
        io::Read::read_to_string(&mut verified.reader().expect("open"), &mut text).expect("text");
        assert_eq!(text, "some bytes");
        drop(verified);
        let left = std::fs::read_dir(dir.path()).expect("readable").count();
        assert_eq!(left, 0, "no temporary file stays");
    }

    #[test]
    fn other_bytes_are_told_from_the_pinned_ones() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let artifact = artifact_of(b"the right bytes", Form::Zip, "uv");
        let mut intake = Intake::create(dir.path(), &artifact).expect("writable");
        intake.take(b" <html>").expect("fewer than pinned");
        let mismatch = intake
            .finish(&artifact)
            .expect("writable")
            .expect_err("other bytes");
        assert!(mismatch.page);
        assert_eq!(mismatch.size, 7);
        assert_eq!(mismatch.expected, artifact.sha256);
        assert_ne!(mismatch.computed, artifact.sha256);
    }

    #[test]
    fn no_more_is_taken_than_was_pinned_and_a_restart_forgets_everything() {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let artifact = artifact_of(b"right", Form::Zip, "uv");
        let mut intake = Intake::create(dir.path(), &artifact).expect("writable");
        intake.take(b"wro").expect("fewer than pinned");
        assert!(matches!(
            intake.take(b"ngs"),
            Err(IntakeError::TooLarge { most: 5 })
        ));
        intake.restart().expect("writable");
        intake.take(b"right").expect("as many as pinned");
        intake
            .finish(&artifact)
            .expect("writable")
            .expect("the very bytes");
    }
}
