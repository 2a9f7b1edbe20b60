//! Taking uv's executable out of a verified archive or wheel, and nothing else.
//!
//! The digest was checked before a byte is read here, so what this refuses should never be seen. It is refused all the
//! same, each bad shape by its own name: a pin is as good as the hand that wrote it.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use super::pins::{Digest, Form};
use super::verify::{Hashing, Verified};

/// The most bytes that an archive may hold, all entries taken together.
const LARGEST_CONTENT: u64 = 512 * 1024 * 1024;
/// How often its packed size an archive's content may have; programs pack to a third or so.
const LARGEST_RATIO: u64 = 100;
/// Content below this size is not held against its packed size.
const SMALL_CONTENT: u64 = 16 * 1024 * 1024;
/// The most entries that an archive may have.
const MOST_ENTRIES: usize = 10_000;
/// Bytes that are moved at a time.
const BUFFER: usize = 256 * 1024;

/// What came out of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Binary {
    pub sha256: Digest,
    pub size: u64,
}

/// Why an archive was refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("its entry `{name}` leads out of the archive")]
    Traversal { name: String },
    #[error("its entry `{name}` is a link")]
    Link { name: String },
    #[error("its entry `{name}` is not a plain file")]
    Special { name: String },
    #[error("it has more than one entry `{name}`")]
    Duplicate { name: String },
    #[error("it has more than {MOST_ENTRIES} entries")]
    TooManyEntries,
    #[error("it has no entry `{name}`")]
    Missing { name: String },
    #[error("its content of {size} bytes is larger than {LARGEST_CONTENT} bytes")]
    TooLarge { size: u64 },
    #[error("its content of {size} bytes can't come from {packed} packed bytes")]
    Implausible { size: u64, packed: u64 },
    #[error("its entry `{name}` has {found} bytes, and was said to have {declared}")]
    WrongSize {
        name: String,
        declared: u64,
        found: u64,
    },
    #[error("its entry `{name}` is encrypted")]
    Encrypted { name: String },
    #[error("it ends too early")]
    Truncated,
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error("it can't be read: {0}")]
    Read(io::Error),
    #[error("its content can't be written: {0}")]
    Write(io::Error),
}

/// Writes the executable that an archive holds to `out`.
///
/// # Errors
/// Where the archive has a bad shape, or nothing can be written; `out` may then have got a part.
pub(crate) fn unpack(verified: &Verified, out: impl Write) -> Result<Binary, Error> {
    let file = verified.reader().map_err(Error::Read)?;
    let packed = file.metadata().map_err(Error::Read)?.len();
    let mut extraction = Extraction {
        wanted: &verified.artifact().member,
        out: Hashing::new(out),
        content: Content::of(packed),
        names: HashSet::new(),
        found: false,
    };
    match verified.artifact().form {
        Form::TarGz => extraction.read_tar(file)?,
        Form::Zip => extraction.read_zip(file)?,
    }
    extraction.finish()
}

/// One pass over an archive.
struct Extraction<'a, W> {
    wanted: &'a str,
    out: Hashing<W>,
    content: Content,
    names: HashSet<String>,
    found: bool,
}

impl<W: Write> Extraction<'_, W> {
    fn read_tar(&mut self, file: File) -> Result<(), Error> {
        let packed = BufReader::with_capacity(BUFFER, file);
        let mut archive = tar::Archive::new(flate2::bufread::GzDecoder::new(packed));
        for entry in archive.entries().map_err(reading)? {
            let mut entry = entry.map_err(reading)?;
            let name = self.admit(&entry.path_bytes())?;
            let kind = entry.header().entry_type();
            if kind.is_symlink() || kind.is_hard_link() {
                return Err(Error::Link { name });
            }
            let declared = entry.size();
            self.content.add(declared)?;
            if name == self.wanted {
                if !kind.is_file() && !kind.is_contiguous() {
                    return Err(Error::Special { name });
                }
                self.copy(&mut entry, &name, declared)?;
            }
        }
        // The checksum of it all stands at the very end.
        let mut rest = archive.into_inner();
        io::copy(&mut rest, &mut io::sink()).map_err(reading)?;
        Ok(())
    }

    fn read_zip(&mut self, file: File) -> Result<(), Error> {
        let packed = BufReader::with_capacity(BUFFER, file);
        let mut archive = zip::ZipArchive::new(packed).map_err(zip_error)?;
        if archive.has_duplicate_names() {
            // The reader keeps the last one alone, so which name it is can't be said.
            return Err(Error::Duplicate {
                name: self.wanted.to_owned(),
            });
        }
        let mut wanted = None;
        for index in 0..archive.len() {
            let entry = archive.by_index_data(index).map_err(zip_error)?;
            let name = self.admit(entry.name_raw())?;
            if entry.is_symlink() {
                return Err(Error::Link { name });
            }
            self.content.add(entry.size())?;
            if name == self.wanted {
                if entry.is_dir() {
                    return Err(Error::Special { name });
                }
                if entry.encrypted() {
                    return Err(Error::Encrypted { name });
                }
                wanted = Some(index);
            }
        }
        let Some(index) = wanted else {
            return Ok(());
        };
        let mut entry = archive.by_index(index).map_err(zip_error)?;
        let declared = entry.size();
        self.copy(&mut entry, self.wanted, declared)
    }

    /// Checks the name of an entry: plain, below the archive's root, not seen before.
    fn admit(&mut self, name: &[u8]) -> Result<String, Error> {
        let name = String::from_utf8_lossy(name).into_owned();
        if leads_out(&name) {
            return Err(Error::Traversal { name });
        }
        if self.names.len() >= MOST_ENTRIES {
            return Err(Error::TooManyEntries);
        }
        let plain = name.trim_start_matches("./").to_owned();
        if !self.names.insert(plain.clone()) {
            return Err(Error::Duplicate { name });
        }
        Ok(plain)
    }

    /// Copies the wanted entry, as many bytes as it was said to have and no other number.
    fn copy(&mut self, entry: &mut impl Read, name: &str, declared: u64) -> Result<(), Error> {
        let mut buffer = vec![0; BUFFER];
        let mut found = 0;
        while found <= declared {
            let count = fill(entry, &mut buffer).map_err(reading)?;
            if count == 0 {
                break;
            }
            found += count as u64;
            self.out.write_all(&buffer[..count]).map_err(Error::Write)?;
        }
        if found != declared {
            return Err(Error::WrongSize {
                name: name.to_owned(),
                declared,
                found,
            });
        }
        self.found = true;
        Ok(())
    }

    fn finish(self) -> Result<Binary, Error> {
        if !self.found {
            return Err(Error::Missing {
                name: self.wanted.to_owned(),
            });
        }
        let (sha256, size, mut out) = self.out.finish();
        out.flush().map_err(Error::Write)?;
        Ok(Binary { sha256, size })
    }
}

/// Reads until the buffer is full or the end is reached: decoders hand out small pieces, and each would be a write.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// How much an archive says it holds, against how much there is of it.
struct Content {
    packed: u64,
    size: u64,
}

impl Content {
    fn of(packed: u64) -> Self {
        Self { packed, size: 0 }
    }

    /// Counts an entry before it is read, so that nothing is inflated that can't be true.
    fn add(&mut self, size: u64) -> Result<(), Error> {
        self.size = self.size.saturating_add(size);
        if self.size > LARGEST_CONTENT {
            return Err(Error::TooLarge { size: self.size });
        }
        if self.size > SMALL_CONTENT && self.size > self.packed.saturating_mul(LARGEST_RATIO) {
            return Err(Error::Implausible {
                size: self.size,
                packed: self.packed,
            });
        }
        Ok(())
    }
}

/// Whether a name is absolute or climbs, by the rules of any system.
fn leads_out(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    drive
        || name.contains('\0')
        || name.starts_with(['/', '\\'])
        || name.split(['/', '\\']).any(|part| part == "..")
}

/// Names what reading an archive ran into.
fn reading(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::Truncated,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            Error::Damaged(error.to_string())
        }
        _ => Error::Read(error),
    }
}

fn zip_error(error: zip::result::ZipError) -> Error {
    match error {
        zip::result::ZipError::Io(error) => reading(error),
        other => Error::Damaged(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::provision::fetch::verify::tests::verified;

    const MEMBER: &str = "uv-t/uv";

    fn unpacked(bytes: &[u8], form: Form) -> Result<Vec<u8>, Error> {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let mut out = Vec::new();
        let binary = unpack(&verified(dir.path(), bytes, form, MEMBER), &mut out)?;
        assert_eq!(binary.size, out.len() as u64);
        Ok(out)
    }

    /// A header whose name is written as it is, whatever a well-behaved writer would say.
    fn header(name: &str, kind: tar::EntryType, size: u64) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(0o755);
        header.set_cksum();
        header
    }

    fn tar_of(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, kind, content) in entries {
            let header = header(name, *kind, content.len() as u64);
            builder.append(&header, *content).expect("in memory");
        }
        gzip(&builder.into_inner().expect("in memory"))
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("in memory");
        encoder.finish().expect("in memory")
    }

    fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .expect("in memory");
            writer.write_all(content).expect("in memory");
        }
        writer.finish().expect("in memory").into_inner()
    }

    const FILE: tar::EntryType = tar::EntryType::Regular;

    #[test]
    fn the_executable_alone_comes_out() {
        let directory = ("uv-t/", tar::EntryType::Directory, b"".as_slice());
        let tar = tar_of(&[
            directory,
            ("uv-t/uvx", FILE, b"other"),
            (MEMBER, FILE, b"binary"),
        ]);
        assert_eq!(unpacked(&tar, Form::TarGz).expect("a good one"), b"binary");
        let zip = zip_of(&[("uv-t/uvx", b"other"), (MEMBER, b"binary")]);
        assert_eq!(unpacked(&zip, Form::Zip).expect("a good one"), b"binary");
    }

    #[test]
    fn names_that_lead_out_are_refused() {
        for name in [
            "../uv",
            "uv-t/../../uv",
            "/uv",
            "\\uv",
            "C:\\uv",
            "a\\..\\uv",
        ] {
            let tar = tar_of(&[(MEMBER, FILE, b"binary"), (name, FILE, b"evil")]);
            let zip = zip_of(&[(MEMBER, b"binary"), (name, b"evil")]);
            for (bytes, form) in [(tar, Form::TarGz), (zip, Form::Zip)] {
                let error = unpacked(&bytes, form).expect_err(name);
                assert!(
                    matches!(&error, Error::Traversal { name: found } if found == name),
                    "{name}: {error}"
                );
            }
        }
    }

    #[test]
    fn links_are_refused() {
        for kind in [tar::EntryType::Symlink, tar::EntryType::Link] {
            let tar = tar_of(&[(MEMBER, kind, b"")]);
            let error = unpacked(&tar, Form::TarGz).expect_err("a link");
            assert!(matches!(error, Error::Link { .. }), "{error}");
        }
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer
            .add_symlink(MEMBER, "elsewhere", SimpleFileOptions::default())
            .expect("in memory");
        let zip = writer.finish().expect("in memory").into_inner();
        let error = unpacked(&zip, Form::Zip).expect_err("a link");
        assert!(matches!(error, Error::Link { .. }), "{error}");
    }

    #[test]
    fn only_a_plain_file_will_do() {
        for kind in [tar::EntryType::Directory, tar::EntryType::Fifo] {
            let error = unpacked(&tar_of(&[(MEMBER, kind, b"")]), Form::TarGz);
            let error = error.expect_err("not a file");
            assert!(matches!(error, Error::Special { .. }), "{error}");
        }
    }

    #[test]
    fn duplicates_are_refused() {
        let twice = [(MEMBER, FILE, b"one".as_slice()), (MEMBER, FILE, b"two")];
        let error = unpacked(&tar_of(&twice), Form::TarGz).expect_err("two of them");
        assert!(matches!(error, Error::Duplicate { .. }), "{error}");
        // No writer makes two of a name, so one of two names is rewritten.
        let mut zip = zip_of(&[(MEMBER, b"one"), ("uv-t/ux", b"two")]);
        while let Some(at) = memchr::memmem::find(&zip, b"uv-t/ux") {
            zip[at..at + MEMBER.len()].copy_from_slice(MEMBER.as_bytes());
        }
        let error = unpacked(&zip, Form::Zip).expect_err("two of them");
        assert!(matches!(error, Error::Duplicate { .. }), "{error}");
    }

    #[test]
    fn a_missing_executable_is_named() {
        for (bytes, form) in [
            (tar_of(&[("uv-t/uvx", FILE, b"other")]), Form::TarGz),
            (zip_of(&[("uv", b"other")]), Form::Zip),
        ] {
            let error = unpacked(&bytes, form).expect_err("none");
            assert_eq!(error.to_string(), "it has no entry `uv-t/uv`");
        }
    }

    #[test]
    fn sizes_that_cant_be_true_are_refused() {
        let huge = header(MEMBER, FILE, LARGEST_CONTENT + 1);
        let error = unpacked(&gzip(huge.as_bytes()), Form::TarGz).expect_err("huge");
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        let inflated = header(MEMBER, FILE, SMALL_CONTENT + 1);
        let error = unpacked(&gzip(inflated.as_bytes()), Form::TarGz).expect_err("inflated");
        assert!(matches!(error, Error::Implausible { .. }), "{error}");
        let cut = header(MEMBER, FILE, 4096);
        let error = unpacked(&gzip(cut.as_bytes()), Form::TarGz).expect_err("a lie");
        assert!(
            matches!(
                error,
                Error::WrongSize { declared: 4096, .. } | Error::Truncated
            ),
            "{error}"
        );
        // The size in a zip's directory stands 24 bytes into the entry.
        let mut zip = zip_of(&[(MEMBER, b"binary")]);
        let size = memchr::memmem::find(&zip, b"PK\x01\x02").expect("a directory") + 24;
        zip[size] = 9;
        let error = unpacked(&zip, Form::Zip).expect_err("fewer than said");
        assert!(
            matches!(
                error,
                Error::WrongSize {
                    declared: 9,
                    found: 6,
                    ..
                }
            ),
            "{error}"
        );
        zip[size] = 3;
        let error = unpacked(&zip, Form::Zip).expect_err("more than said");
        assert!(
            matches!(error, Error::Damaged(_) | Error::WrongSize { .. }),
            "{error}"
        );
    }

    #[test]
    fn damaged_archives_are_refused() {
        let noise: Vec<u8> = (0..5000_u32).map(|n| (n * n % 251) as u8).collect();
        let good = [
            (tar_of(&[(MEMBER, FILE, &noise)]), Form::TarGz),
            (zip_of(&[(MEMBER, &noise)]), Form::Zip),
        ];
        for (bytes, form) in good {
            assert_eq!(unpacked(&bytes, form).expect("a good one"), noise);
            let cut = &bytes[..bytes.len() / 2];
            let error = unpacked(cut, form).expect_err("the half");
            assert!(
                matches!(error, Error::Truncated | Error::Damaged(_)),
                "{form:?}: {error}"
            );
            let mut flipped = bytes.clone();
            flipped[bytes.len() / 2] ^= 0x10;
            let error = unpacked(&flipped, form).expect_err("a flipped bit");
            assert!(
                matches!(error, Error::Damaged(_) | Error::WrongSize { .. }),
                "{form:?}: {error}"
            );
        }
        for form in [Form::TarGz, Form::Zip] {
            unpacked(b"<html>sign in</html>", form).expect_err("no archive");
        }
    }
}
