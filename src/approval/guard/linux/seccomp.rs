//! The filter: a program for the system's packet filter machine that looks at the number of every system call.
//!
//! Numbers are looked up by bisection. Linux works out for itself which numbers are allowed whatever their arguments,
//! and does not run the filter for those.

use std::collections::BTreeMap;

use super::calls;

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Allow,
    /// The supervisor decides.
    Supervise,
    /// The call fails.
    Refuse(i32),
    /// A new process or thread: not with namespaces of its own.
    Clone,
    /// Not one of [`CONTROLS`].
    Control,
    /// The supervisor decides, unless it is for the caller itself.
    Limits,
    /// Opening, with flags in the argument of that number: not to read and to truncate at once, which Landlock takes
    /// for reading until the third version of its interface.
    Open(u32),
}

/// What no program beneath pi needs, and what leads around the rest of the guard.
#[rustfmt::skip]
const REFUSED: &[libc::c_long] = &[
    // Into other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_pidfd_getfd,
    libc::SYS_process_madvise, libc::SYS_kcmp,
    // Other views of the file system.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_fsopen, libc::SYS_fsconfig,
    libc::SYS_fsmount, libc::SYS_fspick, libc::SYS_move_mount, libc::SYS_open_tree, libc::SYS_mount_setattr,
    libc::SYS_setns, libc::SYS_unshare, libc::SYS_open_by_handle_at, libc::SYS_fanotify_init, OPEN_TREE_ATTR,
    // Into the kernel.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_init_module, libc::SYS_finit_module,
    libc::SYS_delete_module, libc::SYS_kexec_load, libc::SYS_syslog,
    // The whole machine.
    libc::SYS_reboot, libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_acct, libc::SYS_quotactl, libc::SYS_sethostname,
    libc::SYS_setdomainname, libc::SYS_settimeofday, libc::SYS_clock_settime, libc::SYS_adjtimex,
    libc::SYS_clock_adjtime, libc::SYS_vhangup,
    // Keys.
    libc::SYS_add_key, libc::SYS_request_key, libc::SYS_keyctl,
    #[cfg(target_arch = "x86_64")] libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")] libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")] libc::SYS_kexec_file_load,
];

/// What is answered as by an older system: programs have another way, which the filter can look into.
#[rustfmt::skip]
const UNKNOWN: &[libc::c_long] = &[
    libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register, libc::SYS_clone3, SETXATTRAT,
    REMOVEXATTRAT, FILE_SETATTR,
];

// New calls have the same number on every architecture.
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const OPEN_TREE_ATTR: libc::c_long = 467;
const FILE_SETATTR: libc::c_long = 469;

/// What is beyond was not known when this was written, and is answered as unknown.
const LAST_KNOWN: u32 = 470;

/// Controls of devices and files that reach beyond the descriptor: typing on a terminal; attributes that make files
/// immutable; deleting what a file system keeps under a name. They go by a descriptor that can only be read from.
const CONTROLS: &[u32] = &[
    0x5412,      // TIOCSTI
    0x541c,      // TIOCLINUX
    0x4008_6602, // FS_IOC_SETFLAGS
    0x4004_6602, // FS_IOC32_SETFLAGS
    0x401c_5820, // FS_IOC_FSSETXATTR
    0xc004_5877, // FIFREEZE
    0xc004_5878, // FITHAW
    0x8004_587d, // FS_IOC_SHUTDOWN
    0x4080_6685, // FS_IOC_ENABLE_VERITY
    0x8901,      // FIOSETOWN
    0x8902,      // SIOCSPGRP
    0x5000_940f, // BTRFS_IOC_SNAP_DESTROY
    0x5000_943f, // BTRFS_IOC_SNAP_DESTROY_V2
];

/// The flags of `clone` that make namespaces.
const NAMESPACES: u32 = 0x7e02_0000;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: Option<u32> = Some(0xc000_003e);
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
const ARCHITECTURE: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
)))]
const ARCHITECTURE: Option<u32> = None;

/// Where the machine finds what it looks at.
const NUMBER: u32 = 0;
const CALLER_ARCHITECTURE: u32 = 4;
const fn lower(argument: u32) -> u32 {
    16 + 8 * argument
}
const fn upper(argument: u32) -> u32 {
    lower(argument) + 4
}

type Instruction = libc::sock_filter;

/// The flags of opening that say whether to write, and that truncate.
const ACCESS_AND_TRUNCATE: u32 = (libc::O_ACCMODE | libc::O_TRUNC).unsigned_abs();
const TRUNCATE: u32 = libc::O_TRUNC.unsigned_abs();

/// The filter beside this version of Landlock's interface (0: there is none). Without a supervisor, what it would
/// decide on is allowed. `None` on other architectures.
pub(super) fn filter(landlock: u32, is_supervised: bool) -> Option<Vec<Instruction>> {
    let mut filter = vec![
        load(CALLER_ARCHITECTURE),
        jump(libc::BPF_JEQ, ARCHITECTURE?, 1, 0),
        leave(Action::Refuse(libc::ENOSYS)),
        load(NUMBER),
    ];
    // The other interface of the same processor has its numbers beyond what is known, too.
    bisect(&ranges(landlock, is_supervised), &mut filter)?;
    Some(filter)
}

/// Where each action begins, over all numbers in order.
fn ranges(landlock: u32, is_supervised: bool) -> Vec<(u32, Action)> {
    let mut actions = BTreeMap::new();
    let mut put = |number: libc::c_long, action: Action| {
        if let Ok(number) = u32::try_from(number) {
            actions.insert(number, action);
        }
    };
    for number in REFUSED {
        put(*number, Action::Refuse(libc::EPERM));
    }
    for number in UNKNOWN {
        put(*number, Action::Refuse(libc::ENOSYS));
    }
    put(libc::SYS_clone, Action::Clone);
    put(libc::SYS_ioctl, Action::Control);
    if (1..3).contains(&landlock) {
        put(libc::SYS_openat, Action::Open(2));
        put(libc::SYS_openat2, Action::Refuse(libc::ENOSYS));
        #[cfg(target_arch = "x86_64")]
        put(libc::SYS_open, Action::Open(1));
    }
    if is_supervised {
        for number in calls::supervised(landlock) {
            put(number, Action::Supervise);
        }
        put(libc::SYS_prlimit64, Action::Limits);
    }
    let mut ranges = vec![(0, Action::Allow)];
    let mut begin = |number: u32, action: Action| match ranges.last_mut() {
        Some((start, last)) if *start == number => *last = action,
        Some((_, last)) if *last == action => {}
        _ => ranges.push((number, action)),
    };
    for (number, action) in actions {
        begin(number, action);
        begin(number + 1, Action::Allow);
    }
    begin(LAST_KNOWN + 1, Action::Refuse(libc::ENOSYS));
    // Two neighbours may have come to the same action by way of a third.
    ranges.dedup_by_key(|(_, action)| *action);
    ranges
}

/// Appends a tree of comparisons with the actions as its leaves. `None` if a jump were too far.
fn bisect(ranges: &[(u32, Action)], filter: &mut Vec<Instruction>) -> Option<()> {
    if let [(_, action)] = ranges {
        act(*action, filter);
        return Some(());
    }
    let (below, above) = ranges.split_at(ranges.len() / 2);
    let (start, _) = above.first()?;
    let comparison = filter.len();
    filter.push(jump(libc::BPF_JGE, *start, 0, 0));
    bisect(below, filter)?;
    filter[comparison].jt = u8::try_from(filter.len() - comparison - 1).ok()?;
    bisect(above, filter)
}

fn act(action: Action, filter: &mut Vec<Instruction>) {
    match action {
        Action::Allow | Action::Supervise | Action::Refuse(_) => filter.push(leave(action)),
        Action::Clone => filter.extend([
            load(lower(0)),
            jump(libc::BPF_JSET, NAMESPACES, 0, 1),
            leave(Action::Refuse(libc::EPERM)),
            leave(Action::Allow),
        ]),
        Action::Open(flags) => filter.extend([
            load(lower(flags)),
            mask(ACCESS_AND_TRUNCATE),
            jump(libc::BPF_JEQ, TRUNCATE, 0, 1),
            leave(Action::Refuse(libc::EPERM)),
            leave(Action::Allow),
        ]),
        Action::Control => {
            let mut rest = u8::try_from(CONTROLS.len()).unwrap_or(u8::MAX);
            filter.push(load(lower(1)));
            for control in CONTROLS {
                filter.push(jump(libc::BPF_JEQ, *control, rest, 0));
                rest -= 1;
            }
            filter.extend([leave(Action::Allow), leave(Action::Refuse(libc::EPERM))]);
        }
        // For the caller itself, or without new limits.
        Action::Limits => filter.extend([
            load(lower(0)),
            jump(libc::BPF_JEQ, 0, 4, 0),
            load(lower(2)),
            jump(libc::BPF_JEQ, 0, 0, 3),
            load(upper(2)),
            jump(libc::BPF_JEQ, 0, 0, 1),
            leave(Action::Allow),
            leave(Action::Supervise),
        ]),
    }
}

fn load(offset: u32) -> Instruction {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0)
}

fn mask(bits: u32) -> Instruction {
    instruction(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, bits, 0, 0)
}

/// Goes on `yes` or `no` instructions further than the next one.
fn jump(comparison: u32, value: u32, yes: u8, no: u8) -> Instruction {
    instruction(libc::BPF_JMP | comparison | libc::BPF_K, value, yes, no)
}

fn leave(action: Action) -> Instruction {
    let value = match action {
        Action::Supervise => libc::SECCOMP_RET_USER_NOTIF,
        Action::Refuse(errno) => libc::SECCOMP_RET_ERRNO | errno.unsigned_abs(),
        _ => libc::SECCOMP_RET_ALLOW,
    };
    instruction(libc::BPF_RET | libc::BPF_K, value, 0, 0)
}

fn instruction(code: u32, value: u32, yes: u8, no: u8) -> Instruction {
    Instruction {
        code: u16::try_from(code).unwrap_or_default(),
        jt: yes,
        jf: no,
        k: value,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    /// Runs the filter as the system would.
    fn answer(filter: &[Instruction], architecture: u32, number: u32, args: [u64; 6]) -> u32 {
        let mut data = [number, architecture, 0, 0].to_vec();
        for argument in args {
            data.push(u32::try_from(argument & 0xffff_ffff).unwrap());
            data.push(u32::try_from(argument >> 32).unwrap());
        }
        let (mut at, mut register) = (0, 0);
        loop {
            let Instruction { code, jt, jf, k } = filter[at];
            at += 1;
            let code = u32::from(code);
            let compare = |holds: bool| usize::from(if holds { jt } else { jf });
            match code & 7 {
                libc::BPF_LD => register = data[usize::try_from(k).unwrap() / 4],
                libc::BPF_RET => return k,
                libc::BPF_ALU => register &= k,
                _ => {
                    at += match code & 0xf0 {
                        libc::BPF_JEQ => compare(register == k),
                        libc::BPF_JGE => compare(register >= k),
                        _ => compare(register & k != 0),
                    }
                }
            }
        }
    }

    fn ask(filter: &[Instruction], number: libc::c_long, args: [u64; 6]) -> u32 {
        let number = u32::try_from(number).unwrap();
        answer(filter, ARCHITECTURE.unwrap(), number, args)
    }

    const EPERM: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
    const ENOSYS: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();

    #[test]
    fn every_number_comes_to_its_action() {
        let filter = filter(7, true).unwrap();
        let supervised: Vec<_> = calls::supervised(7).collect();
        for number in 0..2000 {
            let action = ask(&filter, number, [0; 6]);
            let expected = if number == libc::SYS_prlimit64 {
                libc::SECCOMP_RET_ALLOW
            } else if supervised.contains(&number) {
                libc::SECCOMP_RET_USER_NOTIF
            } else if REFUSED.contains(&number) {
                EPERM
            } else if UNKNOWN.contains(&number) || number > i64::from(LAST_KNOWN) {
                ENOSYS
            } else {
                libc::SECCOMP_RET_ALLOW
            };
            assert_eq!(action, expected, "{number}");
        }
    }

    #[test]
    fn other_architectures_and_interfaces_know_no_call() {
        let filter = filter(7, true).unwrap();
        assert_eq!(answer(&filter, 0x4000_0003, 1, [0; 6]), ENOSYS);
        let other = 0x4000_0000 + u32::try_from(libc::SYS_unlinkat).unwrap();
        assert_eq!(
            answer(&filter, ARCHITECTURE.unwrap(), other, [0; 6]),
            ENOSYS
        );
    }

    #[test]
    fn arguments_count_where_they_have_to() {
        let filter = filter(7, true).unwrap();
        let thread = u64::from(0x003d_0f00_u32);
        assert_eq!(
            ask(&filter, libc::SYS_clone, [thread, 0, 0, 0, 0, 0]),
            libc::SECCOMP_RET_ALLOW
        );
        let user = 0x1000_0000;
        assert_eq!(ask(&filter, libc::SYS_clone, [user, 0, 0, 0, 0, 0]), EPERM);
        for control in CONTROLS {
            let args = [0, u64::from(*control) | 1 << 40, 0, 0, 0, 0];
            assert_eq!(ask(&filter, libc::SYS_ioctl, args), EPERM);
        }
        assert_eq!(
            ask(&filter, libc::SYS_ioctl, [0, 0x5401, 0, 0, 0, 0]),
            libc::SECCOMP_RET_ALLOW
        );
        let limits = |process, new| ask(&filter, libc::SYS_prlimit64, [process, 0, new, 0, 0, 0]);
        assert_eq!(limits(0, 5), libc::SECCOMP_RET_ALLOW);
        assert_eq!(limits(7, 0), libc::SECCOMP_RET_ALLOW);
        assert_eq!(limits(7, 5), libc::SECCOMP_RET_USER_NOTIF);
        assert_eq!(limits(7, 5 << 32), libc::SECCOMP_RET_USER_NOTIF);
    }

    #[test]
    fn what_an_older_landlock_does_not_hold_is_supervised() {
        let old = filter(0, true).unwrap();
        for number in [libc::SYS_kill, libc::SYS_truncate] {
            assert_eq!(ask(&old, number, [0; 6]), libc::SECCOMP_RET_USER_NOTIF);
        }
        let old = filter(2, true).unwrap();
        let open = |flags: i32| {
            let flags = u64::from(flags.unsigned_abs());
            ask(&old, libc::SYS_openat, [0, 0, flags, 0, 0, 0])
        };
        assert_eq!(open(libc::O_RDONLY | libc::O_TRUNC), EPERM);
        for flags in [libc::O_RDONLY, libc::O_WRONLY | libc::O_TRUNC] {
            assert_eq!(open(flags), libc::SECCOMP_RET_ALLOW);
        }
    }

    #[test]
    fn without_a_supervisor_nobody_is_asked() {
        let filter = filter(0, false).unwrap();
        for number in 0..500 {
            assert_ne!(
                ask(&filter, number, [1, 0, 1, 0, 0, 0]),
                libc::SECCOMP_RET_USER_NOTIF
            );
        }
        assert_eq!(ask(&filter, libc::SYS_ptrace, [0; 6]), EPERM);
    }

    #[test]
    fn every_supervised_call_can_be_read() {
        for number in calls::supervised(0) {
            let (name, call) = calls::read(i32::try_from(number).unwrap(), &[0; 6]);
            assert!(!name.is_empty() && call.is_some(), "{number}");
        }
    }
}
