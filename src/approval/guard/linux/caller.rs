//! The process that waits for the supervisor: its memory, and paths as it sees them.
//!
//! Nothing here trusts the process. Paths are opened, and everything else goes by the descriptor: what a path leads to
//! is decided once. The process can't be in another file system view than pi, because the filter lets it make none.

#![expect(
    unsafe_code,
    reason = "reading another process's memory has no words in std"
)]

use std::ffi::{CStr, CString, OsStr};
use std::fmt::Display;
use std::fs;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;

use super::calls::{At, Object};

/// The longest path that the system takes, with its end.
const LONGEST_PATH: usize = 4096;
/// Memory is there or not in pieces that are multiples of this.
const PAGE: u64 = 4096;
/// A generation of processes more than any program has.
const MOST_ANCESTORS: usize = 512;

const OPEN: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// A thread of the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Caller {
    pub thread: u32,
}

/// A name in a directory.
#[derive(Debug)]
pub(super) struct Place {
    pub directory: OwnedFd,
    /// The name as it was given, perhaps with slashes behind it.
    pub name: CString,
    /// The name alone.
    pub bare: CString,
}

/// Opens a path without the links that lead elsewhere for each process.
pub(super) fn open_strictly(
    directory: impl AsFd,
    path: &CStr,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    loop {
        let opened = openat2(
            &directory,
            path,
            flags,
            Mode::empty(),
            ResolveFlags::NO_MAGICLINKS,
        );
        // Again: something was renamed on the way.
        if !matches!(opened, Err(Errno::INTR | Errno::AGAIN)) {
            return opened;
        }
    }
}

/// Where a descriptor of pi's own leads to, without symlinks. What is no file has no absolute path.
pub(super) fn path_of(fd: impl AsFd) -> Result<PathBuf, Errno> {
    let link = name_of(fd);
    let path = rustix::fs::readlinkat(CWD, &link, Vec::new())?;
    Ok(PathBuf::from(std::ffi::OsString::from_vec(
        path.into_bytes(),
    )))
}

/// A path that leads to an open descriptor of pi's own, whatever happens to names meanwhile.
pub(super) fn name_of(fd: impl AsFd) -> CString {
    text(format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd()).into_bytes())
}

fn text(bytes: Vec<u8>) -> CString {
    CString::new(bytes).unwrap_or_default()
}

impl Caller {
    /// Reads memory; `EFAULT` where there is none.
    pub(super) fn read(self, address: u64, buffer: &mut [u8]) -> Result<(), Errno> {
        let local = libc::iovec {
            iov_base: buffer.as_mut_ptr().cast(),
            iov_len: buffer.len(),
        };
        let base = usize::try_from(address).map_err(|_| Errno::FAULT)?;
        let remote = libc::iovec {
            iov_base: std::ptr::without_provenance_mut(base),
            iov_len: buffer.len(),
        };
        let process = libc::pid_t::try_from(self.thread).map_err(|_| Errno::SRCH)?;
        // SAFETY: writes at most the buffer's length into it; the other address is of the other process.
        let count = unsafe {
            libc::process_vm_readv(process, &raw const local, 1, &raw const remote, 1, 0)
        };
        match usize::try_from(count) {
            Ok(count) if count == buffer.len() => Ok(()),
            Ok(_) => Err(Errno::FAULT),
            Err(_) => Err(last_error()),
        }
    }

    /// Reads a text that ends with NUL, of at most `most` bytes with it.
    pub(super) fn read_text(self, address: u64, most: usize) -> Result<CString, Errno> {
        let mut bytes = Vec::new();
        while bytes.len() < most {
            let at = address
                .checked_add(bytes.len() as u64)
                .ok_or(Errno::FAULT)?;
            let to_page_end = usize::try_from(PAGE - at % PAGE).unwrap_or(1);
            // Most texts are short.
            let count = to_page_end.min(most - bytes.len()).min(512);
            let from = bytes.len();
            bytes.resize(from + count, 0);
            self.read(at, &mut bytes[from..])?;
            if let Some(end) = memchr::memchr(0, &bytes[from..]) {
                bytes.truncate(from + end);
                return Ok(text(bytes));
            }
        }
        Err(Errno::NAMETOOLONG)
    }

    pub(super) fn read_path(self, address: u64) -> Result<CString, Errno> {
        let path = self.read_text(address, LONGEST_PATH)?;
        if path.is_empty() {
            return Err(Errno::NOENT);
        }
        Ok(path)
    }

    fn own(self, what: impl Display) -> CString {
        text(format!("/proc/{}/{what}", self.thread).into_bytes())
    }

    fn open_own(self, what: impl Display) -> Result<OwnedFd, Errno> {
        rustix::fs::open(self.own(what), OPEN, Mode::empty())
    }

    fn descriptor(self, fd: i32) -> Result<OwnedFd, Errno> {
        self.open_own(format_args!("fd/{fd}")).map_err(|errno| {
            // There is no such name.
            if errno == Errno::NOENT {
                Errno::BADF
            } else {
                errno
            }
        })
    }

    /// Where a path begins and what is left of it. The names that lead elsewhere for each process are looked up for
    /// this one.
    fn begin(self, directory: i32, path: &[u8]) -> Result<(Option<OwnedFd>, CString), Errno> {
        if let Some((begin, rest)) = own_name(self.thread, path) {
            let fd = match begin {
                Own::Descriptor(fd) => self.descriptor(fd)?,
                Own::Directory => self.open_own("cwd")?,
                Own::Root => self.open_own("root")?,
                Own::Executable => self.open_own("exe")?,
            };
            return Ok((Some(fd), text(rest.to_vec())));
        }
        let rest = text(path.to_vec());
        if path.starts_with(b"/") {
            return Ok((None, rest));
        }
        let base = if directory == libc::AT_FDCWD {
            self.open_own("cwd")?
        } else {
            self.descriptor(directory)?
        };
        Ok((Some(base), rest))
    }

    fn open(self, directory: i32, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        match self.begin(directory, path)? {
            (Some(fd), rest) if rest.is_empty() => Ok(fd),
            (Some(fd), rest) => open_strictly(fd, &rest, flags),
            (None, rest) => open_strictly(CWD, &rest, flags),
        }
    }

    /// The directory that a path's last name is in, and that name.
    pub(super) fn place(self, at: At) -> Result<Place, Errno> {
        let path = self.read_path(at.path)?;
        let path = path.as_bytes();
        let end = path.iter().rposition(|byte| *byte != b'/');
        // The root itself.
        let end = end.ok_or(Errno::BUSY)? + 1;
        let start = path[..end].iter().rposition(|byte| *byte == b'/');
        let start = start.map_or(0, |slash| slash + 1);
        let directory: &[u8] = if start == 0 { b"." } else { &path[..start] };
        Ok(Place {
            directory: self.open(at.directory, directory, OPEN | OFlags::DIRECTORY)?,
            name: text(path[start..].to_vec()),
            bare: text(path[start..end].to_vec()),
        })
    }

    /// What a call is about.
    pub(super) fn object(self, object: Object) -> Result<OwnedFd, Errno> {
        let (at, flags) = match object {
            Object::Descriptor(fd) => return self.descriptor(fd),
            Object::Path { at, flags } => (at, flags),
        };
        let known = AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH;
        if !known.contains(flags) {
            return Err(Errno::INVAL);
        }
        let path = self.read_text(at.path, LONGEST_PATH)?;
        if path.is_empty() {
            return match flags.contains(AtFlags::EMPTY_PATH) {
                true if at.directory == libc::AT_FDCWD => self.open_own("cwd"),
                true => self.descriptor(at.directory),
                false => Err(Errno::NOENT),
            };
        }
        let follow = if flags.contains(AtFlags::SYMLINK_NOFOLLOW) {
            OFlags::NOFOLLOW
        } else {
            OFlags::empty()
        };
        self.open(at.directory, path.as_bytes(), OPEN | follow)
    }

    /// Who it is to the file system: its effective user and group there, and its capabilities.
    pub(super) fn credentials(self) -> Option<Credentials> {
        Credentials::of(self.thread)
    }

    /// Whether `process` is this one or one below `keeper`, as far as it can be seen.
    pub(super) fn is_related(self, process: u32, keeper: u32) -> bool {
        let mut process = process;
        for _ in 0..MOST_ANCESTORS {
            if process == self.thread {
                return true;
            }
            match parent_of(process) {
                Some(parent) if parent == keeper => return true,
                Some(parent) if parent > 1 => process = parent,
                _ => return false,
            }
        }
        false
    }

    /// The process that a descriptor of this one stands for.
    pub(super) fn process_behind(self, descriptor: i32) -> Option<u32> {
        let info = fs::read(path(&self.own(format_args!("fdinfo/{descriptor}")))).ok()?;
        number_behind(&info, b"Pid:")
    }

    /// Its process group.
    pub(super) fn group(self) -> Option<u32> {
        let process = rustix::process::Pid::from_raw(i32::try_from(self.thread).ok()?)?;
        let group = rustix::process::getpgid(Some(process)).ok()?;
        u32::try_from(group.as_raw_pid()).ok()
    }
}

fn path(name: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(name.to_bytes()))
}

/// The last error of a call of the C library.
pub(super) fn last_error() -> Errno {
    let error = std::io::Error::last_os_error();
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}

fn parent_of(process: u32) -> Option<u32> {
    let status = fs::read(format!("/proc/{process}/status")).ok()?;
    number_behind(&status, b"\nPPid:")
}

fn number_behind(text: &[u8], name: &[u8]) -> Option<u32> {
    let at = memchr::memmem::find(text, name)? + name.len();
    let line = text[at..].split(|byte| *byte == b'\n').next()?;
    std::str::from_utf8(line).ok()?.trim().parse().ok()
}

/// What a process is to the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Credentials {
    user: String,
    group: String,
    capabilities: String,
}

impl Credentials {
    /// Those of a thread, by its id or `self`.
    pub(super) fn of(thread: impl Display) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
        let line = |name: &str| {
            status
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .map(str::trim)
        };
        // The last one of four is that of the file system.
        let last = |name: &str| line(name)?.split_whitespace().next_back();
        Some(Self {
            user: last("Uid:")?.to_owned(),
            group: last("Gid:")?.to_owned(),
            capabilities: line("CapEff:")?.to_owned(),
        })
    }

    /// Those of this process; `None` where it is an ordinary user's, whose programs can't have others.
    pub(super) fn of_this_process_if_special() -> Option<Self> {
        let capabilities = rustix::thread::capabilities(None);
        let is_ordinary = !rustix::process::geteuid().is_root()
            && capabilities.is_ok_and(|sets| sets.permitted.is_empty());
        if is_ordinary { None } else { Self::of("self") }
    }
}

/// A name beneath `/proc` or `/dev` that means something else for each process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    Descriptor(i32),
    Directory,
    Root,
    Executable,
}

/// The beginning of a path that is such a name, and the rest without slashes before it.
fn own_name(thread: u32, path: &[u8]) -> Option<(Own, &[u8])> {
    let cut = |rest: &[u8]| {
        let end = rest.iter().position(|byte| *byte == b'/');
        end.unwrap_or(rest.len())
    };
    let rest = if let Some(rest) = path.strip_prefix(b"/proc/") {
        let who = &rest[..cut(rest)];
        let is_own =
            who == b"self" || who == b"thread-self" || who == thread.to_string().as_bytes();
        rest.get(who.len() + 1..).filter(|_| is_own)?
    } else {
        let rest = path.strip_prefix(b"/dev/")?;
        let standard = [&b"stdin"[..], b"stdout", b"stderr"];
        if let Some(fd) = standard.iter().position(|name| *name == rest) {
            return Some((Own::Descriptor(i32::try_from(fd).ok()?), b""));
        }
        if !rest.starts_with(b"fd/") {
            return None;
        }
        rest
    };
    let name = &rest[..cut(rest)];
    let rest = &rest[name.len()..];
    let after = |rest: &'_ [u8]| rest.iter().take_while(|byte| **byte == b'/').count();
    let (own, rest) = match name {
        b"cwd" => (Own::Directory, rest),
        b"root" => (Own::Root, rest),
        b"exe" => (Own::Executable, rest),
        b"fd" => {
            let rest = &rest[after(rest)..];
            let number = &rest[..cut(rest)];
            let fd = std::str::from_utf8(number).ok()?.parse().ok()?;
            (Own::Descriptor(fd), &rest[number.len()..])
        }
        _ => return None,
    };
    Some((own, &rest[after(rest)..]))
}

/// A directory of pi's own can be passed on as one of the caller's.
impl AsFd for Place {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_each_process_has_for_itself_are_seen() {
        let own = |path: &'static str| {
            own_name(7, path.as_bytes())
                .map(|(own, rest)| (own, std::str::from_utf8(rest).unwrap_or("?")))
        };
        assert_eq!(own("/proc/self/fd/5"), Some((Own::Descriptor(5), "")));
        assert_eq!(own("/proc/7/fd/5//a/b"), Some((Own::Descriptor(5), "a/b")));
        assert_eq!(own("/proc/thread-self/cwd/x"), Some((Own::Directory, "x")));
        assert_eq!(own("/proc/self/root"), Some((Own::Root, "")));
        assert_eq!(own("/proc/self/exe"), Some((Own::Executable, "")));
        assert_eq!(own("/dev/fd/0"), Some((Own::Descriptor(0), "")));
        assert_eq!(own("/dev/stderr"), Some((Own::Descriptor(2), "")));
        for path in [
            "/proc/8/fd/5",
            "/proc/self",
            "/proc/self/",
            "/proc/self/fd",
            "/proc/self/fd/x",
            "/proc/self/comm",
            "/dev/null",
            "a",
            "",
        ] {
            assert_eq!(own(path), None, "{path}");
        }
    }

    #[test]
    fn memory_is_read_up_to_its_end() {
        let me = Caller {
            thread: std::process::id(),
        };
        let long = [b"a".repeat(5000), vec![0]].concat();
        let text = me.read_text(long.as_ptr().addr() as u64, 6000);
        assert_eq!(text.map(|text| text.as_bytes().len()), Ok(5000));
        assert_eq!(
            me.read_path(long.as_ptr().addr() as u64),
            Err(Errno::NAMETOOLONG)
        );
        assert_eq!(me.read_path(8), Err(Errno::FAULT));
    }

    #[test]
    fn a_process_is_related_to_itself_and_its_kin() {
        let me = Caller {
            thread: std::process::id(),
        };
        assert!(me.is_related(me.thread, 1));
        assert!(!me.is_related(1, me.thread));
    }
}
