//! Asking a Python what it is, by running it.
//!
//! Nothing is believed of a file but what it answers when it runs: isolated from the caller's modules and variables,
//! within [`PROBE_TIME`], to a question that can't be answered by rote. A shim or a launcher names the executable
//! behind it, which is then asked itself, so that an [`Interpreter`] always stands for a file that answered.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;

use crate::home::read_bounded;
use crate::settings::PROBE_TIME;

use super::asked::Version;
use super::helper::{self, Bounds, End, Ending};
use super::uv::Surroundings;
use super::{Context, Interpreter, volume};

/// The exit code of the stand-in that Windows puts where the store's Python would be, and its low byte.
const STORE_STUB_CODES: [i32; 2] = [9009, 49];

/// How many executables may stand behind one another.
const MOST_STEPS: usize = 4;

/// What is run to ask: a file, and arguments before the question (`py -3`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub path: PathBuf,
    pub args: Vec<OsString>,
}

impl Candidate {
    pub(crate) fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            args: Vec::new(),
        }
    }
}

/// Whether a virtual environment's interpreter stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Environments {
    /// It does: somebody named it.
    Kept,
    /// The interpreter that it was made from does: it was only found, and belongs to some project.
    Followed,
}

/// A Python that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answered {
    pub interpreter: Interpreter,
    pub version: Version,
    /// It printed more than the answer, or what stands before it did, as it would into every program's output.
    pub chatters: bool,
}

/// Why a candidate is passed over.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("it can't be started")]
    NotStarted(#[source] io::Error),
    #[error("its file system is mounted noexec, so that no program can be started from it")]
    Noexec,
    #[error("it did not answer within {} s", PROBE_TIME.as_secs())]
    Hangs,
    #[error("no time was left in which it could have answered")]
    NoTime,
    #[error("it prints without end")]
    Endless,
    #[error("it only says that Python could be installed from the store")]
    StoreStub,
    #[error("it {ending}{}", after_colon(.words))]
    Failed { ending: String, words: String },
    #[error("it gave no answer{}", after_colon(.words))]
    NoAnswer { words: String },
    #[error("it claims to be `{}`, which is not so", .claimed.display())]
    Lies { claimed: PathBuf },
    #[error("it does not know its own executable")]
    NoExecutable,
    #[error("Python {version} is too old")]
    TooOld { version: Version },
}

impl Refusal {
    /// The refusal with its cause, in one line.
    pub(crate) fn in_one_line(&self) -> String {
        let source = std::error::Error::source(self);
        source.map_or_else(|| self.to_string(), |source| format!("{self}: {source}"))
    }
}

fn after_colon(words: &str) -> String {
    let line = words.lines().rev().find(|line| !line.trim().is_empty());
    line.map_or_else(String::new, |line| {
        format!(": {}", line.trim().chars().take(200).collect::<String>())
    })
}

/// Asks a candidate, and then the executable behind it, until one stands for itself.
pub(crate) fn ask(
    context: Context<'_>,
    surroundings: &Surroundings,
    candidate: &Candidate,
    environments: Environments,
) -> Result<Answered, Refusal> {
    let mut asked = candidate.clone();
    let mut chatters = false;
    for _ in 0..MOST_STEPS {
        let mut claim = question(context, surroundings, &asked)?;
        chatters |= claim.chatters;
        claim.chatters = chatters;
        let behind = claim.stands_for(environments)?;
        if behind == asked.path {
            return claim.accept(behind);
        }
        if !behind.is_file() {
            return Err(Refusal::Lies { claimed: behind });
        }
        asked = Candidate::new(behind);
    }
    Err(Refusal::Lies {
        claimed: asked.path,
    })
}

/// One run of one file.
fn question(
    context: Context<'_>,
    surroundings: &Surroundings,
    asked: &Candidate,
) -> Result<Claim, Refusal> {
    let nonce = uuid::Uuid::now_v7().simple().to_string();
    let mut command = Command::new(&asked.path);
    command
        .args(&asked.args)
        .args(["-I", "-B", "-c", &script(&nonce)])
        .env_clear()
        .envs(surroundings.environment.iter())
        .current_dir(&surroundings.workdir);
    let begun = Instant::now();
    let bounds = Bounds {
        deadline: context.local_deadline(),
        ending: Ending::Killed,
    };
    let answer = helper::run(command, bounds).map_err(|error| not_started(&asked.path, error))?;
    match answer.end {
        End::TimedOut if bounds.deadline < begun + PROBE_TIME => Err(Refusal::NoTime),
        End::TimedOut => Err(Refusal::Hangs),
        End::Flooded => Err(Refusal::Endless),
        End::Exited(status) if status.success() => read_answer(&answer.stdout, answer.cut, &nonce)
            .ok_or_else(|| Refusal::NoAnswer {
                words: answer.words(),
            }),
        End::Exited(status) if is_store_stub(status.code(), &answer.words()) => {
            Err(Refusal::StoreStub)
        }
        End::Exited(_) => Err(Refusal::Failed {
            ending: answer.ending(),
            words: answer.complaint(),
        }),
    }
}

fn not_started(path: &Path, error: io::Error) -> Refusal {
    if error.kind() == io::ErrorKind::PermissionDenied && volume::is_noexec(path) {
        return Refusal::Noexec;
    }
    Refusal::NotStarted(error)
}

/// The stand-in's exit code alone could be any program's.
fn is_store_stub(code: Option<i32>, words: &str) -> bool {
    code.is_some_and(|code| STORE_STUB_CODES.contains(&code)) && words.contains("Store")
}

/// The question. One line without double quotes and percent signs, so that it also passes through a batch file. The
/// nonce stands in two halves, so that a program that prints its arguments does not answer it. Paths travel as
/// hexadecimal bytes, since they need not be Unicode. On Windows a link is not followed: the store's Python is one, and
/// can only be started through it.
fn script(nonce: &str) -> String {
    let (first, second) = nonce.split_at(nonce.len() / 2);
    format!(
        "import json,os,sys;\
         h=lambda p:os.fsencode(p or '').hex();\
         print('{first}'+'{second} '+json.dumps(dict(\
         executable=h(sys.executable),\
         base=h(getattr(sys,'_base_executable',None) or sys.executable),\
         real=h(os.path.realpath(sys.executable) if sys.executable and os.name=='posix' else sys.executable),\
         version=sys.version.split()[0],\
         numbers=list(sys.version_info[:3]),\
         implementation=sys.implementation.name,\
         prefix=h(sys.prefix),\
         basePrefix=h(sys.base_prefix))))"
    )
}

/// What a Python says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claim {
    executable: HexPath,
    base: HexPath,
    real: HexPath,
    version: String,
    numbers: (u32, u32, u32),
    implementation: String,
    prefix: HexPath,
    base_prefix: HexPath,
    #[serde(skip)]
    chatters: bool,
}

impl Claim {
    /// The executable that this answer is about.
    fn stands_for(&self, environments: Environments) -> Result<PathBuf, Refusal> {
        let in_environment = self.prefix != self.base_prefix;
        let path = match environments {
            // The link in the environment is what makes it the environment's.
            Environments::Kept if in_environment => &self.executable,
            Environments::Followed if in_environment => &self.base,
            _ => &self.real,
        };
        if path.0.as_os_str().is_empty() || !path.0.is_absolute() {
            return Err(Refusal::NoExecutable);
        }
        Ok(path.0.clone())
    }

    fn accept(self, path: PathBuf) -> Result<Answered, Refusal> {
        let (major, minor, micro) = self.numbers;
        let version = Version(major, minor, micro);
        if !version.is_supported() {
            return Err(Refusal::TooOld { version });
        }
        Ok(Answered {
            interpreter: Interpreter {
                path,
                version: self.version,
                implementation: self.implementation,
                prefix: self.prefix.0,
                base_prefix: self.base_prefix.0,
            },
            version,
            chatters: self.chatters,
        })
    }
}

/// Finds the answer's line; whatever else was printed makes a chatterer.
fn read_answer(stdout: &[u8], cut: bool, nonce: &str) -> Option<Claim> {
    let text = String::from_utf8_lossy(stdout);
    let mut lines = text.lines().filter(|line| !line.is_empty());
    let (mut claim, mut others) = (None, usize::from(cut));
    for line in lines.by_ref() {
        let answer = line.strip_prefix(nonce).map(str::trim_start);
        match answer.and_then(|json| serde_json::from_str::<Claim>(json).ok()) {
            Some(read) => claim = Some(read),
            None => others += 1,
        }
    }
    let mut claim = claim?;
    claim.chatters = others > 0;
    Some(claim)
}

/// A path that was sent as hexadecimal bytes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct HexPath(PathBuf);

impl TryFrom<String> for HexPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let bytes: Option<Vec<u8>> = text
            .as_bytes()
            .chunks(2)
            .map(|pair| match pair {
                [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
                _ => None,
            })
            .collect();
        bytes
            .and_then(path_from_bytes)
            .map(Self)
            .ok_or_else(|| format!("not a path in hexadecimal bytes: {text}"))
    }
}

/// A path as the bytes that a program prints.
#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "elsewhere not all bytes are a path"
)]
pub(crate) fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes).into())
}

/// A path as the UTF-8 that a program prints.
#[cfg(not(unix))]
pub(crate) fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// Whether two files are one program: the same file, equal short scripts, or two of the store's stand-ins.
pub(crate) fn is_same_program(one: &Path, other: &Path) -> bool {
    /// Longer files are not compared.
    const SHORT: u64 = 16 * 1024;
    if is_store_alias(one) && is_store_alias(other) {
        return true;
    }
    let (Ok(one), Ok(other)) = (one.canonicalize(), other.canonicalize()) else {
        return false;
    };
    let length = |path: &Path| path.metadata().ok().map(|file| file.len());
    one == other
        || (length(&one) == length(&other)
            && length(&one).is_some_and(|length| length <= SHORT)
            && read_bounded(&one)
                .ok()
                .is_some_and(|bytes| read_bounded(&other).ok() == Some(bytes)))
}

/// Whether a file is the empty stand-in of the Windows store.
fn is_store_alias(path: &Path) -> bool {
    let in_alias_directory = path
        .parent()
        .and_then(Path::file_name)
        .is_some_and(|name| name.eq_ignore_ascii_case(OsStr::new("WindowsApps")));
    in_alias_directory && path.symlink_metadata().is_ok_and(|file| file.len() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "abcd {\"executable\":\"2f70\",\"base\":\"2f70\",\"real\":\"2f71\",\"version\":\"3.12.1\",\
        \"numbers\":[3,12,1],\"implementation\":\"cpython\",\"prefix\":\"2f75\",\"basePrefix\":\"2f75\"}";

    #[test]
    fn an_answer_is_the_line_with_the_nonce() {
        let claim = read_answer(LINE.as_bytes(), false, "abcd").expect("it answers");
        assert_eq!(claim.executable.0, Path::new("/p"));
        assert!(!claim.chatters);
        assert_eq!(read_answer(LINE.as_bytes(), false, "other"), None);
        assert_eq!(read_answer(b"abcd {}", false, "abcd"), None);
        assert_eq!(read_answer(b"", false, "abcd"), None);
    }

    #[test]
    fn whatever_else_is_printed_is_chatter() {
        for text in [format!("hello\n{LINE}\n"), format!("{LINE}\nbye")] {
            assert!(
                read_answer(text.as_bytes(), false, "abcd")
                    .expect("it answers")
                    .chatters,
                "{text}"
            );
        }
        assert!(
            read_answer(LINE.as_bytes(), true, "abcd")
                .expect("it answers")
                .chatters
        );
    }

    #[test]
    fn the_question_does_not_hold_the_whole_nonce() {
        let script = script("0123456789abcdef");
        assert!(!script.contains("0123456789abcdef"));
        assert!(!script.contains(['"', '%', '\n']), "{script}");
    }

    #[test]
    fn a_stub_is_known_by_code_and_words() {
        let words =
            "Python was not found; run without arguments to install from the Microsoft Store";
        assert!(is_store_stub(Some(49), words));
        assert!(is_store_stub(Some(9009), words));
        assert!(!is_store_stub(Some(1), words));
        assert!(!is_store_stub(Some(49), "no such file"));
        assert!(!is_store_stub(None, words));
    }

    #[cfg(unix)]
    #[test]
    fn hexadecimal_bytes_become_a_path() {
        use std::os::unix::ffi::OsStrExt;
        let path = HexPath::try_from("2f62ff".to_owned()).expect("valid");
        assert_eq!(path.0.as_os_str().as_bytes(), b"/b\xff");
        for wrong in ["2", "zz", "2f6"] {
            assert!(HexPath::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
