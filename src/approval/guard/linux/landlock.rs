//! Landlock: where the run may write, make, link and execute, and whom it may signal.
//!
//! The ruleset is made in pi, where there is time and memory; the process that becomes the program puts it on with one
//! system call. Landlock only allows: a directory inside an allowed one can't be taken out again. So pi's own
//! directory, where it lies in the workspace, is held by the hook and, for deleting and moving, by the supervisor.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use ::landlock::{
    AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::{Category, Policy, cover};

/// What programs write to that is no file of anybody's.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// The most segments that an executable is expected to have, and the longest name of a loader.
const MOST_SEGMENTS: u64 = 256;
const LONGEST_NAME: u64 = 4096;

/// The ruleset of a policy; `None` where the system does not make one.
pub(super) fn ruleset(policy: &Policy) -> Option<OwnedFd> {
    build(policy).ok().and_then(Option::from)
}

fn build(policy: &Policy) -> Result<RulesetCreated, RulesetError> {
    let executables = executables(policy);
    let readable = cover::readable(policy);
    let mut handled = handled(policy, executables.is_some());
    if readable.is_some() {
        handled |= AccessFs::ReadFile;
    }
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(handled)?;
    ruleset = ruleset.scope(Scope::AbstractUnixSocket)?;
    if !policy.grants(Category::Signal) {
        ruleset = ruleset.scope(Scope::Signal)?;
    }
    let mut ruleset = ruleset.create()?;
    let mut allow = |path: &Path, access: BitFlags<AccessFs>| -> Result<(), RulesetError> {
        let access = access & handled;
        // What is not there can't be written to.
        if let Ok(fd) = PathFd::new(path)
            && !access.is_empty()
        {
            (&mut ruleset).add_rule(PathBeneath::new(fd, access))?;
        }
        Ok(())
    };
    for dir in writable(policy) {
        allow(dir, writing() | removing())?;
    }
    for device in DEVICES {
        allow(Path::new(device), AccessFs::WriteFile | AccessFs::Truncate)?;
    }
    for executable in executables.iter().flatten() {
        allow(executable, AccessFs::Execute.into())?;
    }
    for path in readable.iter().flatten() {
        allow(path, AccessFs::ReadFile.into())?;
    }
    if policy.grants(Category::Outside) {
        allow(Path::new("/"), AccessFs::Refer.into())?;
    }
    Ok(ruleset)
}

fn writing() -> BitFlags<AccessFs> {
    AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::MakeSym
        | AccessFs::MakeFifo
        | AccessFs::MakeSock
        | AccessFs::Refer
}

/// Names for devices, with which root writes to disks past every file. They are made nowhere.
fn devices() -> BitFlags<AccessFs> {
    AccessFs::MakeChar | AccessFs::MakeBlock
}

fn removing() -> BitFlags<AccessFs> {
    AccessFs::RemoveFile | AccessFs::RemoveDir
}

/// What the ruleset forbids where no rule allows it. `Refer` is forbidden by every ruleset, so it is always handled.
fn handled(policy: &Policy, knows_executables: bool) -> BitFlags<AccessFs> {
    let mut handled = devices() | AccessFs::Refer;
    if !policy.grants(Category::Outside) {
        handled |= writing();
    }
    if !policy.grants(Category::Delete) {
        handled |= removing();
    }
    if knows_executables {
        handled |= AccessFs::Execute;
    }
    handled
}

/// The directories below which the run may write.
fn writable(policy: &Policy) -> impl Iterator<Item = &Path> {
    let workspace = &policy.workspace;
    let lasting = [&workspace.roots, &workspace.caches];
    let lasting = if policy.is_read_only() {
        &lasting[..0]
    } else {
        &lasting[..]
    };
    let agent = policy.grants(Category::Tamper).then_some(&workspace.agent);
    lasting
        .iter()
        .copied()
        .chain([&workspace.temporary])
        .flatten()
        .chain(agent)
        .map(PathBuf::as_path)
        .collect::<Vec<_>>()
        .into_iter()
}

/// What has to be executable for the interpreter to start: itself and the loader that it names. `None` where that is
/// not known, because it is no ELF file.
fn executables(policy: &Policy) -> Option<Vec<PathBuf>> {
    let mut all = policy.executables.clone();
    for executable in &policy.executables {
        all.extend(loader(&File::open(executable).ok()?)?);
    }
    Some(all)
}

/// The loader that a 64 bit ELF executable of this machine's byte order names, if it does. `None` where the file is no
/// such thing.
fn loader(file: &File) -> Option<Vec<PathBuf>> {
    const HEADER: usize = 64;
    const SEGMENT: usize = 56;
    const INTERPRETER: u64 = 3;
    let header = read(file, 0, HEADER)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size, count) = (
        number(&header, 32, 8)?,
        number(&header, 54, 2)?,
        number(&header, 56, 2)?,
    );
    for index in 0..count.min(MOST_SEGMENTS) {
        let segment = read(file, table.checked_add(index * size)?, SEGMENT)?;
        if number(&segment, 0, 4)? != INTERPRETER {
            continue;
        }
        let length = number(&segment, 32, 8)?.min(LONGEST_NAME);
        let mut name = read(file, number(&segment, 8, 8)?, usize::try_from(length).ok()?)?;
        name.truncate(memchr::memchr(0, &name).unwrap_or(name.len()));
        return Some(vec![PathBuf::from(OsString::from_vec(name))]);
    }
    Some(Vec::new())
}

fn read(file: &File, at: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

/// The number of `size` bytes, the smallest first, that stands there.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    Some(bytes.iter().rev().fold(0, add))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_loader_of_a_program_is_found_in_it() {
        let shell = File::open(which::which("sh").unwrap()).unwrap();
        let named = loader(&shell).unwrap();
        assert!(named[0].is_file(), "{}", named[0].display());
    }

    #[test]
    fn what_is_no_executable_names_no_loader() {
        let mut wild = vec![0xff; 200];
        wild[..6].copy_from_slice(b"\x7fELF\x02\x01");
        for bytes in [&b"#!/usr/bin/env python3\n"[..], b"\x7fELF\x02\x01", &wild] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(bytes).unwrap();
            assert_eq!(loader(&file), None);
        }
    }
}
