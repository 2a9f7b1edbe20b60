//! The bootstrap compiled for one interpreter, kept in the agent directory.
//!
//! Compiling the bootstrap's text takes longer than running it, so it is done once for each interpreter, in a process of
//! its own, and every run hands the result over. It holds for one interpreter, of one version, and one text of the
//! bootstrap; a file that is of others, or was damaged, is made anew. Where none can be kept, runs hand over the text.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::{PARTS, literal};
use crate::home::{read_bounded, write_atomic};
use crate::provision::Interpreter;
use crate::provision::helper::{self, Bounds, Ending};
use crate::settings::{PROBE_TIME, Settings};

/// Tells what a file holds for.
type Key = [u8; 16];

/// What stands before the code in a file: the key, a checksum, and a length.
#[cfg(not(unix))]
pub(super) const HEADER: usize = size_of::<Key>() + 2 * size_of::<u32>();

/// The guard's source, and what makes code of it.
const HOOK: &str = include_str!("../../approval/guard/hook.py");
const BUILD: &str = include_str!("../../approval/guard/build.py");

/// What an interpreter runs first.
pub(super) struct Compiled {
    /// The marshalled tuple of the parts' code; then, behind it, the same with the guard, which is bytes that are
    /// marshalled by themselves.
    both: Vec<u8>,
    /// Where it is kept.
    file: Option<PathBuf>,
}

impl Compiled {
    /// The marshalled tuple of the parts' code, with the guard or without.
    pub(super) fn parts(&self, is_guarded: bool) -> &[u8] {
        let split = self
            .both
            .split_first_chunk()
            .and_then(|(size, rest)| rest.split_at_checked(u32::from_le_bytes(*size) as usize));
        let (small, whole) = split.unwrap_or_default();
        if is_guarded { whole } else { small }
    }

    /// The file as text, empty where none is kept.
    #[cfg(not(unix))]
    pub(super) fn path(&self) -> String {
        let file = self.file.as_deref().unwrap_or(std::path::Path::new(""));
        file.to_string_lossy().into_owned()
    }

    /// The file of the guard alone, for the interpreters that a program starts; `None` where none can be kept.
    pub(super) fn guard(&self) -> Option<PathBuf> {
        Some(guard_beside(self.file.as_ref()?))
    }
}

/// The compiled bootstrap, if there is one or one can be made.
pub(super) fn of(interpreter: &Interpreter, settings: &Settings) -> Option<Compiled> {
    let file = file(interpreter, settings);
    let key = key(interpreter);
    let kept = read_bounded(&file).ok();
    if let Some(parts) = kept.and_then(|bytes| content(bytes, key)) {
        let file = Some(file);
        return Some(Compiled { both: parts, file });
    }
    let (parts, guard) = compile(interpreter, settings)?;
    let checksum = crc32fast::hash(&parts).to_le_bytes();
    let kept = write_atomic(&guard_beside(&file), &guard)
        .and_then(|()| write_atomic(&file, &[&key[..], &checksum, &parts].concat()));
    let file = kept.is_ok().then_some(file);
    Some(Compiled { both: parts, file })
}

fn guard_beside(file: &std::path::Path) -> PathBuf {
    file.with_extension("guard")
}

/// One file for each interpreter, whatever its version is today.
fn file(interpreter: &Interpreter, settings: &Settings) -> PathBuf {
    let digest = Sha256::digest(interpreter.path.as_os_str().as_encoded_bytes());
    let name = digest[..8].iter().fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    });
    settings.home.bootstraps().join(name)
}

/// The form of compiled code is the same for all builds of a version, of an implementation.
fn key(interpreter: &Interpreter) -> Key {
    let mut digest = Sha256::new();
    digest.update(TEXT.to_le_bytes());
    digest.update(interpreter.path.as_os_str().as_encoded_bytes());
    for word in [&interpreter.version, &interpreter.implementation] {
        digest.update([0]);
        digest.update(word);
    }
    let mut key = Key::default();
    let length = key.len();
    key.copy_from_slice(&digest.finalize()[..length]);
    key
}

/// Tells one text of the bootstrap from another (FNV-1a), worked out when pi is built.
const TEXT: u64 = {
    let texts = [PARTS[0], PARTS[1], HOOK, BUILD];
    let (mut hash, mut part) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while part < texts.len() {
        let (text, mut at) = (texts[part].as_bytes(), 0);
        while at < text.len() {
            hash = (hash ^ text[at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        part += 1;
    }
    hash
};

/// What a file holds, if it is whole and of this key.
fn content(mut bytes: Vec<u8>, key: Key) -> Option<Vec<u8>> {
    let (found, rest) = bytes.split_first_chunk()?;
    let (checksum, parts) = rest.split_first_chunk()?;
    if *found != key || u32::from_le_bytes(*checksum) != crc32fast::hash(parts) {
        return None;
    }
    bytes.drain(..found.len() + checksum.len());
    Some(bytes)
}

/// Has the interpreter compile the parts and the guard, with no module but those of its own library. Answers with both.
fn compile(interpreter: &Interpreter, settings: &Settings) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut program = b"build = {'__name__': 'build'}\nexec(".to_vec();
    literal::push(&mut program, BUILD.as_bytes());
    program.extend_from_slice(b", build)\nguard = build['build'](");
    literal::push(&mut program, HOOK.as_bytes());
    program.extend_from_slice(b")\nparts = [");
    for part in PARTS {
        literal::push(&mut program, part.as_bytes());
        program.push(b',');
    }
    program.extend_from_slice(
        b"]\nimport marshal, sys\n\
          parts = tuple(compile(part, '<pi>', 'exec', 0, True) for part in parts)\n\
          small, parts = marshal.dumps(parts), marshal.dumps((*parts, guard))\n\
          parts = len(small).to_bytes(4, 'little') + small + parts\n\
          sys.stdout.buffer.write(len(guard).to_bytes(4, 'little') + guard + parts)\n",
    );
    let mut command = Command::new(&interpreter.path);
    command
        .args(["-I", "-S", "-B", "-W", "ignore", "-c"])
        .arg("import sys; exec(sys.stdin.buffer.read())")
        .env_clear()
        .envs(settings.environment.iter());
    let bounds = Bounds {
        deadline: Instant::now() + PROBE_TIME,
        ending: Ending::Killed,
    };
    let answer = helper::run_with(command, program, bounds).ok()?;
    if !answer.succeeded() || answer.cut {
        return None;
    }
    let (size, rest) = answer.stdout.split_first_chunk()?;
    let (guard, parts) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
    (!parts.is_empty()).then(|| (parts.to_owned(), guard.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_counts_as_none() {
        let key = [7; 16];
        let checksum = crc32fast::hash(b"parts").to_le_bytes();
        let whole = [&key[..], &checksum, b"parts"].concat();
        assert_eq!(content(whole.clone(), key), Some(b"parts".to_vec()));
        assert_eq!(content(whole.clone(), [8; 16]), None);
        for at in key.len()..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(content(damaged, key), None, "byte {at}");
            assert_eq!(content(whole[..at].to_vec(), key), None, "cut at {at}");
        }
    }
}
