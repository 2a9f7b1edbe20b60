//! Landlock: where the run may write, make, link and execute, and whom it may signal.
//!
//! The ruleset is made in pi, where there is time and memory; the process that becomes the program puts it on with one
//! system call. Landlock only allows: a directory inside an allowed one can't be taken out again. So pi's own
//! directory, where it lies in the workspace, is held by the hook and, for deleting and moving, by the supervisor.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ::landlock::{
    AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::{Category, Policy};

/// What programs write to that is no file of anybody's.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// The most of an executable's beginning that is looked at.
const HEADER: u64 = 4096;

/// The ruleset of a policy; `None` where the system does not make one.
pub(super) fn ruleset(policy: &Policy) -> Option<OwnedFd> {
    build(policy).ok().and_then(Option::from)
}

fn build(policy: &Policy) -> Result<RulesetCreated, RulesetError> {
    let executables = executables(policy);
    let handled = handled(policy, executables.is_some());
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(handled)?;
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
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::Refer
}

fn removing() -> BitFlags<AccessFs> {
    AccessFs::RemoveFile | AccessFs::RemoveDir
}

/// What the ruleset forbids where no rule allows it. `Refer` is forbidden by every ruleset, so it is always handled.
fn handled(policy: &Policy, knows_executables: bool) -> BitFlags<AccessFs> {
    let mut handled = BitFlags::from(AccessFs::Refer);
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
    let mut all = Vec::new();
    for executable in &policy.executables {
        let mut header = Vec::new();
        let file = File::open(executable).ok()?;
        file.take(HEADER).read_to_end(&mut header).ok()?;
        all.push(executable.clone());
        all.extend(loader(&header)?);
    }
    Some(all)
}

/// The loader that a 64 bit ELF executable of this machine's byte order names, if it does. `None` where the header is
/// no such thing, or names it too far behind.
fn loader(header: &[u8]) -> Option<Option<PathBuf>> {
    const INTERPRETER: u64 = 3;
    let number = |at: usize, size: usize| -> Option<u64> {
        let bytes = header.get(at..at.checked_add(size)?)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |number, byte| number << 8 | u64::from(*byte)),
        )
    };
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let table = usize::try_from(number(32, 8)?).ok()?;
    let size = usize::try_from(number(54, 2)?).ok()?;
    let count = usize::try_from(number(56, 2)?).ok()?;
    for index in 0..count {
        let at = table.checked_add(index.checked_mul(size)?)?;
        if number(at, 4)? != INTERPRETER {
            continue;
        }
        let offset = usize::try_from(number(at.checked_add(8)?, 8)?).ok()?;
        let length = usize::try_from(number(at.checked_add(32)?, 8)?).ok()?;
        let name = header.get(offset..offset.checked_add(length)?)?;
        let name = name.strip_suffix(b"\0").unwrap_or(name);
        return Some(Some(PathBuf::from(std::ffi::OsStr::from_bytes(name))));
    }
    Some(None)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    fn of(path: &Path) -> Option<Option<PathBuf>> {
        let mut header = Vec::new();
        File::open(path)
            .unwrap()
            .take(HEADER)
            .read_to_end(&mut header)
            .unwrap();
        loader(&header)
    }

    #[test]
    fn the_loader_of_a_program_is_found_in_its_header() {
        let shell = which::which("sh").unwrap();
        let named = of(&shell).unwrap().unwrap();
        assert!(named.is_file(), "{}", named.display());
    }

    #[test]
    fn what_is_no_executable_names_no_loader() {
        assert_eq!(loader(b"#!/usr/bin/env python3\n"), None);
        assert_eq!(loader(b"\x7fELF\x02\x01"), None);
        let mut endless = vec![0xff; 64];
        endless[..6].copy_from_slice(b"\x7fELF\x02\x01");
        assert_eq!(loader(&endless), None);
    }
}
