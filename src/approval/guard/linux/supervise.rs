//! The supervisor: decides on the calls that the filter stops at, and makes them itself.
//!
//! The calling thread stands still meanwhile. A path is opened once; what is looked at, decided on and acted on is what
//! was opened, so nothing can be put in its place between. One supervisor decides for the whole run, one call after the
//! other, so that the run can't race against itself: whatever moves or removes a name comes through here.
//!
//! "Made by this run" goes by the time of birth, which no program can set. File systems that keep none go by the time
//! of the last change, which a program can renew: there the hook has to hold.

#![expect(unsafe_code, reason = "notifications have no words in std")]

use std::collections::HashSet;
use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, RawDir, RenameFlags, Statx, StatxFlags, statx,
};
use rustix::io::Errno;
use rustix::time::{ClockId, Timespec, clock_gettime};

use super::caller::{Caller, Credentials, Place, last_error, name_of, open_strictly, path_of};
use super::calls::{At, Call, Change, Object, read};
use super::confine::Confinement;
use super::decide::{self, Destination, Facts, Missing};
use super::{Category, Policy, Stop, Zone};
use crate::approval::{Span, credentials};
use crate::home::escaped;

/// The most stops that are told. One is enough to end a run.
const MOST_STOPS: usize = 32;
/// The longest name and the biggest value of an extended attribute, as the system has them.
const LONGEST_ATTRIBUTE: usize = 256;
const BIGGEST_ATTRIBUTE: u64 = 64 * 1024;
/// How much of a directory is looked through before it counts as not the run's own.
const MOST_ENTRIES: usize = 10_000;
const MOST_LEVELS: usize = 64;
/// Room for a part of a directory's listing.
const LISTING: usize = 8 * 1024;

/// One run's supervisor.
pub(crate) struct Supervisor {
    /// Closed when nobody is left who could call.
    listener: Option<OwnedFd>,
    policy: Policy,
    started: Timespec,
    /// The process above all of the run's.
    keeper: u32,
    /// Whether the confined process has become the program. Before that, it is code of pi's own.
    is_program: bool,
    /// The executables that count as the interpreter, by device and number.
    executables: Vec<Identity>,
    /// What this run made and put in the place of something that it had not made: it counts as that.
    heirs: HashSet<Identity>,
    /// Whose rights pi acts with; `None` where nobody can have others.
    credentials: Option<Credentials>,
    stops: Vec<Stop>,
    told: usize,
}

/// A file, as its file system knows it.
type Identity = (u32, u32, u64);

/// How a call ends.
enum Answer {
    Done,
    Failed(Errno),
    /// The system goes on with it as if it had not been stopped at.
    GoOn,
}

impl From<Errno> for Answer {
    fn from(errno: Errno) -> Self {
        Self::Failed(errno)
    }
}

impl From<Result<(), Errno>> for Answer {
    fn from(result: Result<(), Errno>) -> Self {
        result.map_or_else(Self::Failed, |()| Self::Done)
    }
}

/// A call that waits for its answer.
struct Waiting {
    id: u64,
    caller: Caller,
    name: &'static str,
    call: Option<Call>,
}

impl Supervisor {
    /// Takes over what the confined process answered with.
    pub(crate) fn new(
        listener: OwnedFd,
        policy: Policy,
        confinement: &Confinement,
        keeper: u32,
    ) -> Self {
        wake_at_once(&listener);
        let executables = policy
            .executables
            .iter()
            .filter_map(|path| statx(CWD, path, AtFlags::empty(), StatxFlags::INO).ok())
            .map(|stat| identity(&stat))
            .collect();
        Self {
            listener: Some(listener),
            policy,
            started: confinement.started(),
            keeper,
            is_program: false,
            executables,
            heirs: HashSet::new(),
            credentials: Credentials::of_this_process_if_special(),
            stops: Vec::new(),
            told: 0,
        }
    }

    /// From now on the run makes what is its own: it was handed to a process that waited for it.
    pub(crate) fn begin(&mut self) {
        self.started = clock_gettime(ClockId::Realtime);
    }

    /// What becomes readable when a call waits; `None` when none can come any more.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.listener.as_ref().map(AsFd::as_fd)
    }

    /// Answers one call that waits. Call it when [`fd`](Self::fd) says so; `hung_up` when nobody is left.
    pub(crate) fn handle(&mut self, hung_up: bool) {
        if hung_up {
            self.listener = None;
            return;
        }
        let Some(waiting) = self.receive() else {
            return;
        };
        let answer = self.answer(&waiting).unwrap_or_else(Answer::Failed);
        self.send(waiting.id, &answer);
    }

    /// Whether something was refused since the last time.
    pub(crate) fn has_stops(&self) -> bool {
        self.told < self.stops.len()
    }

    /// What was refused since the last time.
    pub(crate) fn take_stops(&mut self) -> Vec<Stop> {
        let new = self.stops[self.told..].to_vec();
        self.told = self.stops.len();
        new
    }

    fn answer(&mut self, waiting: &Waiting) -> Result<Answer, Errno> {
        let call = waiting.call.ok_or(Errno::INVAL)?;
        let changes = !matches!(call, Call::Execute(_) | Call::Reach { .. });
        // pi would act with its own rights.
        if changes && self.credentials.is_some() && waiting.caller.credentials() != self.credentials
        {
            return Err(Errno::PERM);
        }
        match call {
            Call::Remove { at, is_directory } => self.remove(waiting, at, is_directory),
            Call::Move { from, to, flags } => self.move_over(waiting, from, to, flags),
            Call::Execute(object) => self.execute(waiting, object),
            Call::Change(object, change) => self.change(waiting, object, change),
            Call::Reach {
                process,
                is_descriptor,
            } => Ok(self.reach(waiting, process, is_descriptor)),
        }
    }

    fn remove(&mut self, waiting: &Waiting, at: At, is_directory: bool) -> Result<Answer, Errno> {
        let place = waiting.caller.place(at)?;
        let flags = if is_directory {
            AtFlags::REMOVEDIR
        } else {
            AtFlags::empty()
        };
        let act = || rustix::fs::unlinkat(&place, &place.name, flags);
        if is_special(&place.bare) {
            // The system says what is wrong with it.
            self.expect_valid(waiting)?;
            return Ok(act().into());
        }
        let stat = look_at(&place, &place.bare)?;
        let found_directory = file_type(&stat) == FileType::Directory;
        match (is_directory, found_directory) {
            (false, true) => return Err(Errno::ISDIR),
            (true, false) => return Err(Errno::NOTDIR),
            _ => {}
        }
        let directory = path_of(&place)?;
        let facts = self.facts(&directory, &place.bare, &stat);
        if let Some(category) = decide::removal(&self.policy, facts) {
            // Programs try whether a directory is empty by removing it.
            if is_directory && !is_empty(&place) {
                return Err(Errno::NOTEMPTY);
            }
            return Err(self.refuse(waiting, category, &joined(&directory, &place.bare)));
        }
        self.expect_valid(waiting)?;
        Ok(act().into())
    }

    fn move_over(
        &mut self,
        waiting: &Waiting,
        from: At,
        to: At,
        flags: u32,
    ) -> Result<Answer, Errno> {
        let flags = RenameFlags::from_bits_retain(flags);
        // What it leaves behind is a thing for file systems made of layers.
        if flags.contains(RenameFlags::WHITEOUT) {
            return Err(Errno::INVAL);
        }
        let source = waiting.caller.place(from)?;
        let target = waiting.caller.place(to)?;
        let act = || rustix::fs::renameat_with(&source, &source.name, &target, &target.name, flags);
        if is_special(&source.bare) || is_special(&target.bare) {
            self.expect_valid(waiting)?;
            return Ok(act().into());
        }
        let moved = look_at(&source, &source.bare)?;
        let there = match look_at(&target, &target.bare) {
            Ok(stat) => Some(stat),
            Err(Errno::NOENT) => None,
            Err(errno) => return Err(errno),
        };
        if there.is_some() && flags.contains(RenameFlags::NOREPLACE) {
            return Err(Errno::EXIST);
        }
        let (source_dir, target_dir) = (path_of(&source)?, path_of(&target)?);
        for path in [
            joined(&source_dir, &source.bare),
            joined(&target_dir, &target.bare),
        ] {
            if self.policy.workspace.holds_protected(&path) && !self.policy.grants(Category::Tamper)
            {
                return Err(self.refuse(waiting, Category::Tamper, &path));
            }
        }
        let path = joined(&source_dir, &source.bare);
        let home = self.policy.workspace.home.as_deref();
        if home.is_some_and(|home| credentials::holds_store(&path, home))
            && !self.policy.grants(Category::Credentials)
            && !self.made(&moved, self.policy.zone(&path))
        {
            return Err(self.refuse(waiting, Category::Credentials, &path));
        }
        let mut moved_facts = self.facts(&source_dir, &source.bare, &moved);
        let there_facts = there
            .as_ref()
            .map(|stat| self.facts(&target_dir, &target.bare, stat));
        let target_zone = self.policy.zone(&joined(&target_dir, &target.bare));
        if target_zone != moved_facts.zone && file_type(&moved) == FileType::Directory {
            moved_facts.made &= self.holds_its_own_alone(&source, moved_facts.zone);
        }
        let missing = if flags.contains(RenameFlags::EXCHANGE) {
            let back = there_facts.and_then(|facts| self.swap(facts, moved_facts.zone));
            back.or_else(|| self.swap(moved_facts, target_zone))
        } else {
            let destination = Destination {
                zone: target_zone,
                replaces: there_facts.map(|facts| facts.made),
            };
            decide::movement(&self.policy, moved_facts, destination)
        };
        if let Some(category) = missing {
            let path = if is_about_target(category, moved_facts) {
                joined(&target_dir, &target.bare)
            } else {
                joined(&source_dir, &source.bare)
            };
            return Err(self.refuse(waiting, category, &path));
        }
        self.expect_valid(waiting)?;
        act()?;
        if let (Some(there), Some(facts)) = (there, there_facts)
            && !flags.contains(RenameFlags::EXCHANGE)
        {
            self.inherit(&there, facts, &moved, moved_facts);
        }
        Ok(Answer::Done)
    }

    /// Whether a directory of the run's own has nothing else in it that was moved there.
    fn holds_its_own_alone(&self, place: &Place, zone: Zone) -> bool {
        let mut rest = MOST_ENTRIES;
        self.is_own_below(place, &place.bare, zone, MOST_LEVELS, &mut rest)
    }

    fn is_own_below(
        &self,
        directory: impl AsFd,
        name: &CStr,
        zone: Zone,
        levels: usize,
        rest: &mut usize,
    ) -> bool {
        let Some(levels) = levels.checked_sub(1) else {
            return false;
        };
        let Ok(fd) = open_to_list(directory, name) else {
            return false;
        };
        let mut buffer = Vec::with_capacity(LISTING);
        let mut entries = RawDir::new(&fd, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let Ok(entry) = entry else { return false };
            let name = entry.file_name();
            if is_special(name) {
                continue;
            }
            *rest = rest.saturating_sub(1);
            let is_own = *rest > 0
                && look_at(&fd, name).is_ok_and(|stat| {
                    self.made(&stat, zone)
                        && (file_type(&stat) != FileType::Directory
                            || self.is_own_below(&fd, name, zone, levels, rest))
                });
            if !is_own {
                return false;
            }
        }
        true
    }

    /// One half of an exchange.
    fn swap(&self, moved: Facts, zone: Zone) -> Missing {
        let destination = Destination {
            zone,
            replaces: None,
        };
        decide::movement(&self.policy, moved, destination)
    }

    /// What takes the place of something that the run did not make is no more its own than that was.
    fn inherit(&mut self, replaced: &Statx, was: Facts, by: &Statx, is: Facts) {
        if identity(replaced) == identity(by) {
            return;
        }
        self.heirs.remove(&identity(replaced));
        if !was.made && is.made {
            self.heirs.insert(identity(by));
        }
    }

    fn execute(&mut self, waiting: &Waiting, object: Object) -> Result<Answer, Errno> {
        // Its memory is the keeper's, which an ordinary user can't look into.
        if !std::mem::replace(&mut self.is_program, true) {
            return Ok(Answer::GoOn);
        }
        let fd = waiting.caller.object(object)?;
        let stat = look_at(&fd, c"")?;
        if self.executables.contains(&identity(&stat)) || self.policy.grants(Category::Program) {
            self.expect_valid(waiting)?;
            return Ok(Answer::GoOn);
        }
        match file_type(&stat) {
            FileType::RegularFile if stat.stx_mode & 0o111 != 0 => {}
            FileType::Symlink => return Err(Errno::LOOP),
            // Nobody could execute it.
            _ => return Err(Errno::ACCESS),
        }
        let path = path_of(&fd)?;
        self.refuse(waiting, Category::Program, &path);
        Err(Errno::ACCESS)
    }

    fn change(
        &mut self,
        waiting: &Waiting,
        object: Object,
        change: Change,
    ) -> Result<Answer, Errno> {
        let fd = waiting.caller.object(object)?;
        let stat = look_at(&fd, c"")?;
        let path = path_of(&fd)?;
        // Pipes, sockets and what has no name any more are nobody else's.
        if path.is_absolute() && stat.stx_nlink > 0 {
            let facts = Facts {
                zone: self.policy.zone(&path),
                made: self.made(&stat, self.policy.zone(&path)),
            };
            if let Some(category) = decide::change(&self.policy, facts) {
                return Err(self.refuse(waiting, category, &path));
            }
        }
        let request = Request::read(waiting.caller, change)?;
        self.expect_valid(waiting)?;
        Ok(request.make(&fd).into())
    }

    fn reach(&mut self, waiting: &Waiting, process: i32, is_descriptor: bool) -> Answer {
        let caller = waiting.caller;
        let meant = if is_descriptor {
            caller.process_behind(process)
        } else {
            match process {
                0 => caller.group(),
                // Everybody.
                -1 => None,
                other => Some(other.unsigned_abs()),
            }
        };
        let is_own = meant.is_some_and(|meant| caller.is_related(meant, self.keeper));
        if is_own || self.policy.grants(Category::Signal) {
            return Answer::GoOn;
        }
        let target = match meant {
            Some(meant) => format!("process {meant}"),
            None => "every process of the user".to_owned(),
        };
        self.note(Stop {
            category: Category::Signal,
            target,
            call: waiting.name.to_owned(),
            file: None,
            span: Span::default(),
        });
        Answer::Failed(Errno::PERM)
    }

    /// What is known of a name in a directory.
    fn facts(&self, directory: &Path, name: &CStr, stat: &Statx) -> Facts {
        let zone = self.policy.zone(&joined(directory, name));
        Facts {
            zone,
            made: self.made(stat, zone),
        }
    }

    /// Whether this run made it. Outside, where it may make nothing, somebody else did.
    fn made(&self, stat: &Statx, zone: Zone) -> bool {
        let possible = zone != Zone::Outside || self.policy.grants(Category::Outside);
        possible && is_later(stat, self.started) && !self.heirs.contains(&identity(stat))
    }

    /// Records a stop, and answers with the error that the call fails with.
    fn refuse(&mut self, waiting: &Waiting, category: Category, path: &Path) -> Errno {
        self.note(Stop {
            category,
            target: escaped(path).to_string(),
            call: waiting.name.to_owned(),
            file: None,
            span: Span::default(),
        });
        Errno::PERM
    }

    fn note(&mut self, stop: Stop) {
        if self.stops.len() < MOST_STOPS && !self.stops.contains(&stop) {
            self.stops.push(stop);
        }
    }

    fn receive(&self) -> Option<Waiting> {
        // Bigger than the system's own, which may grow, and empty, as it wants it.
        let mut buffer = [0_u64; 64];
        self.control(libc::SECCOMP_IOCTL_NOTIF_RECV, buffer.as_mut_ptr().cast())
            .ok()?;
        // SAFETY: the system has filled in such a structure, of plain numbers, and the buffer is aligned for it.
        let notification = unsafe { buffer.as_ptr().cast::<libc::seccomp_notif>().read() };
        let (name, call) = read(notification.data.nr, &notification.data.args);
        Some(Waiting {
            id: notification.id,
            caller: Caller {
                thread: notification.pid,
            },
            name,
            call,
        })
    }

    /// Whether the caller is still the one that called: only then was it that what was looked at.
    fn expect_valid(&self, waiting: &Waiting) -> Result<(), Errno> {
        let mut id = waiting.id;
        self.control(libc::SECCOMP_IOCTL_NOTIF_ID_VALID, (&raw mut id).cast())
    }

    /// A caller that is gone needs no answer.
    fn send(&self, id: u64, answer: &Answer) {
        let (error, flags) = match answer {
            Answer::Done => (0, 0),
            Answer::Failed(errno) => (-errno.raw_os_error(), 0),
            Answer::GoOn => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE),
        };
        let mut response = libc::seccomp_notif_resp {
            id,
            val: 0,
            error,
            flags: u32::try_from(flags).unwrap_or(1),
        };
        let _ = self.control(libc::SECCOMP_IOCTL_NOTIF_SEND, (&raw mut response).cast());
    }

    fn control(&self, request: libc::Ioctl, argument: *mut libc::c_void) -> Result<(), Errno> {
        let listener = self.listener.as_ref().ok_or(Errno::BADF)?;
        loop {
            // SAFETY: every caller passes memory that is as big as the request says and outlives the call.
            if unsafe { libc::ioctl(listener.as_raw_fd(), request, argument) } >= 0 {
                return Ok(());
            }
            match last_error() {
                Errno::INTR => {}
                errno => return Err(errno),
            }
        }
    }
}

/// Lets the system hand the processor over directly between caller and supervisor, where it can.
fn wake_at_once(listener: &OwnedFd) {
    const SYNC_WAKE_UP: libc::c_ulong = 1;
    // SAFETY: takes a number. Older systems do not know it.
    unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS,
            SYNC_WAKE_UP,
        )
    };
}

fn joined(directory: &Path, name: &CStr) -> PathBuf {
    directory.join(std::ffi::OsStr::from_bytes(name.to_bytes()))
}

fn is_special(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
}

fn look_at(directory: impl AsFd, name: &CStr) -> Result<Statx, Errno> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH;
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    statx(directory, name, flags, wanted)
}

fn identity(stat: &Statx) -> Identity {
    (stat.stx_dev_major, stat.stx_dev_minor, stat.stx_ino)
}

fn file_type(stat: &Statx) -> FileType {
    FileType::from_raw_mode(stat.stx_mode.into())
}

/// Whether it was born after `moment`, or, where that is not kept, changed after it.
fn is_later(stat: &Statx, moment: Timespec) -> bool {
    let has_birth = StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::BTIME);
    let time = if has_birth {
        stat.stx_btime
    } else {
        stat.stx_ctime
    };
    let moment = (moment.tv_sec, moment.tv_nsec);
    (time.tv_sec, i64::from(time.tv_nsec)) > moment
}

/// Whether moving is refused because of where to, and not because of what.
fn is_about_target(category: Category, moved: Facts) -> bool {
    match category {
        Category::Outside => moved.made || matches!(moved.zone, Zone::Workspace | Zone::Cache),
        Category::Tamper => moved.zone != Zone::Agent,
        _ => false,
    }
}

fn open_to_list(directory: impl AsFd, name: &CStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    open_strictly(directory, name, flags)
}

/// Whether a directory has nothing in it; one that can't be looked into may.
fn is_empty(place: &Place) -> bool {
    let Ok(fd) = open_to_list(place, &place.bare) else {
        return true;
    };
    let mut buffer = Vec::with_capacity(LISTING);
    let mut entries = RawDir::new(&fd, buffer.spare_capacity_mut());
    while let Some(Ok(entry)) = entries.next() {
        if !is_special(entry.file_name()) {
            return false;
        }
    }
    true
}

/// A change with everything that it takes out of the memory of the caller.
enum Request {
    Mode(u32),
    Owner(u32, u32),
    SetAttribute {
        name: std::ffi::CString,
        value: Vec<u8>,
        flags: u32,
    },
    RemoveAttribute(std::ffi::CString),
    Length(u64),
}

impl Request {
    fn read(caller: Caller, change: Change) -> Result<Self, Errno> {
        let name = |address| {
            caller
                .read_text(address, LONGEST_ATTRIBUTE)
                .map_err(|errno| match errno {
                    Errno::NAMETOOLONG => Errno::RANGE,
                    other => other,
                })
        };
        Ok(match change {
            Change::Mode(mode) => Self::Mode(mode),
            Change::Owner(user, group) => Self::Owner(user, group),
            Change::Length(length) => Self::Length(length),
            Change::RemoveAttribute { name: at } => Self::RemoveAttribute(name(at)?),
            Change::SetAttribute {
                name: at,
                value,
                size,
                flags,
            } => {
                if size > BIGGEST_ATTRIBUTE {
                    return Err(Errno::TOOBIG);
                }
                let mut bytes = vec![0; usize::try_from(size).map_err(|_| Errno::TOOBIG)?];
                if !bytes.is_empty() {
                    caller.read(value, &mut bytes)?;
                }
                Self::SetAttribute {
                    name: name(at)?,
                    value: bytes,
                    flags,
                }
            }
        })
    }

    /// Makes the change on what is open, by a name that leads nowhere else.
    fn make(self, fd: &OwnedFd) -> Result<(), Errno> {
        let path = name_of(fd);
        match self {
            Self::Mode(mode) => rustix::fs::chmodat(
                CWD,
                &path,
                Mode::from_raw_mode(mode & 0o7777),
                AtFlags::empty(),
            ),
            Self::Owner(user, group) => {
                // SAFETY: takes an open descriptor and an empty text.
                let done = unsafe {
                    libc::fchownat(
                        fd.as_raw_fd(),
                        c"".as_ptr(),
                        user,
                        group,
                        libc::AT_EMPTY_PATH,
                    )
                };
                if done < 0 { Err(last_error()) } else { Ok(()) }
            }
            Self::SetAttribute { name, value, flags } => {
                let flags = rustix::fs::XattrFlags::from_bits_retain(flags);
                rustix::fs::setxattr(&path, &name, &value, flags)
            }
            Self::RemoveAttribute(name) => rustix::fs::removexattr(&path, &name),
            Self::Length(length) => {
                let length = libc::off_t::try_from(length).map_err(|_| Errno::INVAL)?;
                // SAFETY: the path is a text that outlives the call.
                let done = unsafe { libc::truncate(path.as_ptr(), length) };
                if done < 0 { Err(last_error()) } else { Ok(()) }
            }
        }
    }
}
