//! The system calls that the supervisor decides on, and what their arguments say.
//!
//! The filter stops at exactly the calls that are listed here, so that the two can't differ.

use rustix::fs::AtFlags;

/// A path in the memory of the caller, and the directory that it is seen from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    /// A descriptor of the caller, or `AT_FDCWD`.
    pub directory: i32,
    /// Where the path is in its memory.
    pub path: u64,
}

/// What a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Object {
    /// What a path leads to.
    Path {
        /// The path.
        at: At,
        /// `AT_SYMLINK_NOFOLLOW` and `AT_EMPTY_PATH`.
        flags: AtFlags,
    },
    /// What an open descriptor of the caller stands for.
    Descriptor(i32),
}

/// A change that leaves the content as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// New permission bits.
    Mode(u32),
    /// A new owner and group; all bits set leave one as it is.
    Owner(u32, u32),
    /// An extended attribute: its name and value in the memory of the caller, the value's size, flags.
    SetAttribute {
        name: u64,
        value: u64,
        size: u64,
        flags: u32,
    },
    /// The end of an extended attribute.
    RemoveAttribute { name: u64 },
    /// A new length.
    Length(u64),
}

/// One call, whatever its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// `unlink` and `rmdir`.
    Remove { at: At, is_directory: bool },
    /// `rename`.
    Move { from: At, to: At, flags: u32 },
    /// `execve`.
    Execute(Object),
    /// `chmod`, `chown`, `setxattr`, `truncate`.
    Change(Object, Change),
    /// A signal, or new limits, for a process, a thread, or a group (negative; 0 is the caller's own).
    Reach { process: i32, is_descriptor: bool },
}

/// A supervised call: its number, its name, and how its arguments are read.
struct Entry {
    number: libc::c_long,
    name: &'static str,
    read: fn(&[u64; 6]) -> Option<Call>,
}

const fn entry(
    number: libc::c_long,
    name: &'static str,
    read: fn(&[u64; 6]) -> Option<Call>,
) -> Entry {
    Entry { number, name, read }
}

/// An argument that the system takes as an `int`: its upper half does not count.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "this is how the system reads it"
)]
fn int(argument: u64) -> i32 {
    argument as u32 as i32
}

#[expect(clippy::cast_possible_truncation, reason = "as above")]
fn unsigned(argument: u64) -> u32 {
    argument as u32
}

fn here(path: u64) -> At {
    At {
        directory: libc::AT_FDCWD,
        path,
    }
}

fn at(directory: u64, path: u64) -> At {
    At {
        directory: int(directory),
        path,
    }
}

fn object(at: At, flags: u64) -> Object {
    let flags = AtFlags::from_bits_retain(unsigned(flags));
    Object::Path { at, flags }
}

fn followed(path: u64) -> Object {
    object(here(path), 0)
}

const NO_FOLLOW: u64 = libc::AT_SYMLINK_NOFOLLOW as u64;

fn set_attribute(object: Object, args: &[u64; 6]) -> Call {
    let change = Change::SetAttribute {
        name: args[1],
        value: args[2],
        size: args[3],
        flags: unsigned(args[4]),
    };
    Call::Change(object, change)
}

fn remove_attribute(object: Object, args: &[u64; 6]) -> Call {
    Call::Change(object, Change::RemoveAttribute { name: args[1] })
}

fn owner(object: Object, user: u64, group: u64) -> Call {
    Call::Change(object, Change::Owner(unsigned(user), unsigned(group)))
}

fn mode(object: Object, mode: u64) -> Call {
    Call::Change(object, Change::Mode(unsigned(mode)))
}

fn reach(process: u64) -> Call {
    Call::Reach {
        process: int(process),
        is_descriptor: false,
    }
}

/// A process, a group or all of a user, as `kind` says from `first` on. Others of the user are nobody's to reach.
fn reach_of(kind: u64, who: u64, first: i32) -> Call {
    let who = int(who);
    let process = match int(kind) - first {
        0 => who,
        1 => who.saturating_neg(),
        _ => INIT,
    };
    Call::Reach {
        process,
        is_descriptor: false,
    }
}

/// The first process of all, which is no run's.
const INIT: i32 = 1;

#[rustfmt::skip]
const ALWAYS: &[Entry] = &[
    entry(libc::SYS_unlinkat, "unlinkat", |a| Some(Call::Remove {
        at: at(a[0], a[1]),
        is_directory: match int(a[2]) { 0 => false, libc::AT_REMOVEDIR => true, _ => return None },
    })),
    entry(libc::SYS_renameat, "renameat", |a| Some(Call::Move { from: at(a[0], a[1]), to: at(a[2], a[3]), flags: 0 })),
    entry(libc::SYS_renameat2, "renameat2", |a| Some(Call::Move {
        from: at(a[0], a[1]), to: at(a[2], a[3]), flags: unsigned(a[4]),
    })),
    entry(libc::SYS_execve, "execve", |a| Some(Call::Execute(followed(a[0])))),
    entry(libc::SYS_execveat, "execveat", |a| Some(Call::Execute(object(at(a[0], a[1]), a[4])))),
    entry(libc::SYS_fchmod, "fchmod", |a| Some(mode(Object::Descriptor(int(a[0])), a[1]))),
    entry(libc::SYS_fchmodat, "fchmodat", |a| Some(mode(object(at(a[0], a[1]), 0), a[2]))),
    entry(FCHMODAT2, "fchmodat2", |a| Some(mode(object(at(a[0], a[1]), a[3]), a[2]))),
    entry(libc::SYS_fchown, "fchown", |a| Some(owner(Object::Descriptor(int(a[0])), a[1], a[2]))),
    entry(libc::SYS_fchownat, "fchownat", |a| Some(owner(object(at(a[0], a[1]), a[4]), a[2], a[3]))),
    entry(libc::SYS_setxattr, "setxattr", |a| Some(set_attribute(followed(a[0]), a))),
    entry(libc::SYS_lsetxattr, "lsetxattr", |a| Some(set_attribute(object(here(a[0]), NO_FOLLOW), a))),
    entry(libc::SYS_fsetxattr, "fsetxattr", |a| Some(set_attribute(Object::Descriptor(int(a[0])), a))),
    entry(libc::SYS_removexattr, "removexattr", |a| Some(remove_attribute(followed(a[0]), a))),
    entry(libc::SYS_lremovexattr, "lremovexattr", |a| Some(remove_attribute(object(here(a[0]), NO_FOLLOW), a))),
    entry(libc::SYS_fremovexattr, "fremovexattr", |a| Some(remove_attribute(Object::Descriptor(int(a[0])), a))),
    entry(libc::SYS_setpriority, "setpriority", |a| Some(reach_of(a[0], a[1], 0))),
    entry(libc::SYS_ioprio_set, "ioprio_set", |a| Some(reach_of(a[0], a[1], 1))),
    entry(libc::SYS_sched_setaffinity, "sched_setaffinity", |a| Some(reach(a[0]))),
    entry(libc::SYS_sched_setscheduler, "sched_setscheduler", |a| Some(reach(a[0]))),
    entry(libc::SYS_sched_setparam, "sched_setparam", |a| Some(reach(a[0]))),
    entry(libc::SYS_sched_setattr, "sched_setattr", |a| Some(reach(a[0]))),
    entry(libc::SYS_migrate_pages, "migrate_pages", |a| Some(reach(a[0]))),
    entry(libc::SYS_move_pages, "move_pages", |a| Some(reach(a[0]))),
    // The filter lets it pass where it is for the caller itself.
    entry(libc::SYS_prlimit64, "prlimit64", |a| Some(reach(a[0]))),
];

/// New calls have the same number on every architecture.
const FCHMODAT2: libc::c_long = 452;

/// Spellings that newer architectures do without.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const OLD: &[Entry] = &[
    entry(libc::SYS_unlink, "unlink", |a| Some(Call::Remove { at: here(a[0]), is_directory: false })),
    entry(libc::SYS_rmdir, "rmdir", |a| Some(Call::Remove { at: here(a[0]), is_directory: true })),
    entry(libc::SYS_rename, "rename", |a| Some(Call::Move { from: here(a[0]), to: here(a[1]), flags: 0 })),
    entry(libc::SYS_chmod, "chmod", |a| Some(mode(followed(a[0]), a[1]))),
    entry(libc::SYS_chown, "chown", |a| Some(owner(followed(a[0]), a[1], a[2]))),
    entry(libc::SYS_lchown, "lchown", |a| Some(owner(object(here(a[0]), NO_FOLLOW), a[1], a[2]))),
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[Entry] = &[];

/// What Landlock holds from the third version of its interface on.
#[rustfmt::skip]
const LENGTHS: &[Entry] = &[
    entry(libc::SYS_truncate, "truncate", |a| Some(Call::Change(followed(a[0]), Change::Length(a[1])))),
];

/// What Landlock holds from the sixth version of its interface on.
#[rustfmt::skip]
const SIGNALS: &[Entry] = &[
    entry(libc::SYS_kill, "kill", |a| Some(reach(a[0]))),
    entry(libc::SYS_tkill, "tkill", |a| Some(reach(a[0]))),
    entry(libc::SYS_tgkill, "tgkill", |a| Some(reach(a[1]))),
    entry(libc::SYS_rt_sigqueueinfo, "rt_sigqueueinfo", |a| Some(reach(a[0]))),
    entry(libc::SYS_rt_tgsigqueueinfo, "rt_tgsigqueueinfo", |a| Some(reach(a[1]))),
    entry(libc::SYS_pidfd_send_signal, "pidfd_send_signal", |a| Some(Call::Reach {
        process: int(a[0]), is_descriptor: true,
    })),
];

/// The calls to supervise beside this version of Landlock's interface (0: there is none).
pub(super) fn supervised(landlock: u32) -> impl Iterator<Item = libc::c_long> {
    let lengths = if landlock < 3 { LENGTHS } else { &[] };
    let signals = if landlock < 6 { SIGNALS } else { &[] };
    [ALWAYS, OLD, lengths, signals]
        .into_iter()
        .flatten()
        .map(|entry| entry.number)
}

/// The call of that number with its name; `None` where its arguments make no sense.
pub(super) fn read(number: i32, args: &[u64; 6]) -> (&'static str, Option<Call>) {
    [ALWAYS, OLD, LENGTHS, SIGNALS]
        .into_iter()
        .flatten()
        .find(|entry| entry.number == libc::c_long::from(number))
        .map_or(("", None), |entry| (entry.name, (entry.read)(args)))
}
