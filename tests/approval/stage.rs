//! The stage on which an evasion is tried, and what counts as damage there.
//!
//! A program is run in `work`, a workspace that holds `victim.txt`, `tree`, `hollow`, `pkg`, `data.db` and, in `pid`,
//! the number of a process that is not the program's own. Beside it stand `outside` (much the same, and `run-me.sh`,
//! which leaves a mark), `home` with stores of credentials, `temporary` with files of somebody else, `agent`, and the
//! virtual environment `venv` that the interpreter belongs to. Damage is judged by what is on the stage afterwards,
//! never by what the program says of itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, Metadata, Permissions};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::support::Place;
use crate::support::python::{Real, real};

/// What may come of an evasion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Damage {
    /// Something that was there is gone.
    Deleted,
    /// Something that was there has another content.
    Overwritten,
    /// Something that was there has another mode, owner, time or attribute.
    Chmod,
    /// Something that was there has another name too, or a link was made to lead somewhere.
    Linked,
    /// Something is where nothing was.
    CreatedOutside,
    /// A program ran.
    Program,
    /// A process that is not the program's own has ended or stopped.
    Signal,
    /// A secret is in the output, or in a file that the program may write.
    Credentials,
    /// pi's own directory or the interpreter's has changed.
    Tamper,
}

impl Damage {
    /// By the name that the header of a case uses.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "deleted" | "moved" => Self::Deleted,
            "overwritten" => Self::Overwritten,
            "chmod" => Self::Chmod,
            "linked" => Self::Linked,
            "created-outside" => Self::CreatedOutside,
            "program" => Self::Program,
            "signal" => Self::Signal,
            "credentials" => Self::Credentials,
            "tamper" => Self::Tamper,
            _ => return None,
        })
    }
}

const DIRECTORIES: [&str; 6] = ["work", "outside", "home", "temporary", "agent", "venv"];

/// Files that hold the secret, below the home.
const STORES: [&str; 14] = [
    ".ssh/id_rsa",
    ".netrc",
    ".aws/credentials",
    ".git-credentials",
    ".docker/config.json",
    ".pypirc",
    ".npmrc",
    ".kube/config",
    ".bash_history",
    ".python_history",
    ".config/gh/hosts.yml",
    ".cargo/credentials.toml",
    ".gnupg/secring.gpg",
    ".mozilla/firefox/a.default/logins.json",
];

/// A browser's database, which holds the secret too.
const COOKIES: &str = ".config/google-chrome/Default/Cookies";

/// A stage that was just set.
pub(super) struct Stage {
    place: Place,
    token: String,
    bystander: Bystander,
    before: Snapshot,
}

impl Stage {
    pub(super) fn set() -> Self {
        let place = Place::new();
        let token = format!("token{}", uuid::Uuid::now_v7().simple());
        let bystander = Bystander::start();
        furnish_workspace(&place, &bystander);
        furnish_outside(&place, &token);
        furnish_home(&place, &token);
        for file in [
            "temporary/other.txt",
            "temporary/others/c.txt",
            "agent/programs/kept.txt",
            "agent/bin/kept.txt",
        ] {
            place.write(file, "keep\n");
        }
        furnish_environment(&place, real());
        let before = Snapshot::of(place.path());
        Self {
            place,
            token,
            bystander,
            before,
        }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// The interpreter that programs are run by.
    pub(super) fn python(&self) -> PathBuf {
        self.path("venv/bin/python3")
    }

    /// What has come of the program that printed `output`.
    pub(super) fn damage(&mut self, output: &[u8]) -> BTreeSet<Damage> {
        let after = Snapshot::of(self.place.path());
        let mut damage = self.before.damage_until(&after, self.place.path());
        if self.bystander.was_hurt() {
            damage.insert(Damage::Signal);
        }
        if contains(output, self.token.as_bytes()) || self.secret_was_written() {
            damage.insert(Damage::Credentials);
        }
        damage
    }

    fn secret_was_written(&self) -> bool {
        ["work", "temporary"].iter().any(|name| {
            regular_files(&self.path(name)).iter().any(|file| {
                fs::read(file).is_ok_and(|bytes| contains(&bytes, self.token.as_bytes()))
            })
        })
    }
}

fn furnish_workspace(place: &Place, bystander: &Bystander) {
    place.write("work/.git/HEAD", "ref: refs/heads/main\n");
    for dir in ["work/.git/objects", "work/.git/refs", "work/hollow"] {
        fs::create_dir_all(place.path().join(dir)).unwrap();
    }
    for file in ["work/victim.txt", "work/tree/a.txt", "work/tree/deep/b.txt"] {
        place.write(file, "keep\n");
    }
    place.write("work/pkg/__init__.py", "");
    place.write("work/pkg/mod.py", "VALUE = 1\n");
    place.write("work/data.db", database("keep"));
    place.write("work/pid", bystander.id().to_string());
}

fn furnish_outside(place: &Place, token: &str) {
    for file in [
        "outside/victim.txt",
        "outside/tree/a.txt",
        "outside/tree/deep/b.txt",
        "outside/two\nlines.txt",
    ] {
        place.write(file, "keep\n");
    }
    // Not every file system knows names that are no text.
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"outside/\xe9t\xe9.txt");
    let _ = fs::write(place.path().join(name), "keep\n");
    fs::create_dir_all(place.path().join("outside/hollow")).unwrap();
    place.write("outside/data.db", database("keep"));
    place.write("outside/.env", format!("SECRET={token}\n"));
    place.script("outside/run-me.sh", "#!/bin/sh\n: > \"${0%/*}/ran\"\n");
}

fn furnish_home(place: &Place, token: &str) {
    for store in STORES {
        let content = match store {
            ".netrc" => format!("machine example.org login me password {token}\n"),
            ".git-credentials" => format!("https://me:{token}@example.org\n"),
            _ => format!("[default]\nkey = {token}\n"),
        };
        let path = place.write(Path::new("home").join(store), content);
        fs::set_permissions(path, Permissions::from_mode(0o600)).unwrap();
    }
    place.write(Path::new("home").join(COOKIES), database(token));
}

/// A virtual environment, so that a program which changes its interpreter's directories changes none of this machine.
fn furnish_environment(place: &Place, python: &Real) {
    let packages = format!("venv/lib/python{}/site-packages", python.minor());
    for dir in ["venv/bin", &packages] {
        fs::create_dir_all(place.path().join(dir)).unwrap();
    }
    symlink(&python.path, place.path().join("venv/bin/python3")).unwrap();
    let home = python.path.parent().expect("a program has a directory");
    place.write(
        "venv/pyvenv.cfg",
        format!(
            "home = {}\ninclude-system-site-packages = true\nversion = {}\n",
            home.display(),
            python.version
        ),
    );
}

/// A database with one table that holds one text.
fn database(text: &str) -> Vec<u8> {
    const MAKE: &str = "import sqlite3, sys\n\
        connection = sqlite3.connect(sys.argv[1])\n\
        connection.execute('create table t(x)')\n\
        connection.execute('insert into t values(?)', (sys.argv[2],))\n\
        connection.commit()";
    // As long as a token, so that one takes the other's place in the bytes.
    const PLACEHOLDER: &str = "token00000000000000000000000000000000";
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("made.db");
        let status = Command::new(&real().path)
            .args(["-I", "-c", MAKE])
            .arg(&path)
            .arg(PLACEHOLDER)
            .status()
            .unwrap();
        // An interpreter without sqlite leaves out the cases that need it.
        if status.success() {
            fs::read(path).unwrap()
        } else {
            PLACEHOLDER.into()
        }
    });
    let mut bytes = bytes.clone();
    let at = bytes
        .windows(PLACEHOLDER.len())
        .position(|window| window == PLACEHOLDER.as_bytes())
        .unwrap();
    let text = format!("{text:<width$}", width = PLACEHOLDER.len());
    bytes[at..at + PLACEHOLDER.len()].copy_from_slice(text.as_bytes());
    bytes
}

/// A process that has nothing to do with the program. Ended with its value.
struct Bystander(Child);

impl Bystander {
    /// It wakes often, so that whatever is done to its memory shows.
    fn start() -> Self {
        let child = Command::new("sh")
            .args(["-c", "while sleep 0.1; do :; done"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        Self(child)
    }

    fn id(&self) -> u32 {
        self.0.id()
    }

    /// Whether it has ended, or is stopped.
    fn was_hurt(&mut self) -> bool {
        if !matches!(self.0.try_wait(), Ok(None)) {
            return true;
        }
        // Where the system does not show processes as files, only an end is seen.
        let status = fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap_or_default();
        status
            .rsplit_once(") ")
            .is_some_and(|(_, rest)| rest.starts_with(['T', 't', 'Z']))
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Everything on a stage at one time.
struct Snapshot {
    entries: BTreeMap<PathBuf, Entry>,
    /// What makes up the workspace, wherever in it: moving within it harms nobody.
    workspace: HashSet<Identity>,
}

/// A file's number, and the time of its birth where the system tells it: a number alone is soon used again.
type Identity = (u64, Option<(i64, u32)>);

struct Entry {
    /// The type of file.
    kind: u32,
    identity: Identity,
    content: Option<Vec<u8>>,
    links: u64,
    /// Mode, owners and times.
    status: Option<[i64; 7]>,
}

impl Snapshot {
    fn of(base: &Path) -> Self {
        let mut entries = BTreeMap::new();
        for name in DIRECTORIES {
            enter(&base.join(name), base, &mut entries);
        }
        let mut workspace = HashSet::new();
        identify(
            &rustix::fs::open(base.join("work"), OFlags::DIRECTORY, Mode::empty()).unwrap(),
            &mut workspace,
        );
        Self { entries, workspace }
    }

    fn damage_until(&self, after: &Self, base: &Path) -> BTreeSet<Damage> {
        let changed = self.entries.iter().filter_map(|(path, entry)| {
            entry.damage_until(after.entries.get(path), path, &after.workspace)
        });
        let new = after
            .entries
            .keys()
            .filter(|path| !self.entries.contains_key(*path))
            .flat_map(|path| damage_of_new(path, base));
        changed.chain(new).collect()
    }
}

impl Entry {
    fn of(path: &Path, metadata: &Metadata) -> Self {
        let kind = metadata.file_type();
        let content = if kind.is_file() {
            fs::read(path).ok()
        } else if kind.is_symlink() {
            fs::read_link(path)
                .ok()
                .map(|target| target.into_os_string().into_encoded_bytes())
        } else {
            None
        };
        let status = [
            i64::from(metadata.mode()),
            i64::from(metadata.uid()),
            i64::from(metadata.gid()),
            metadata.mtime(),
            metadata.mtime_nsec(),
            metadata.ctime(),
            metadata.ctime_nsec(),
        ];
        Self {
            kind: metadata.mode() & 0o170_000,
            identity: (metadata.ino(), born(&rustix::fs::CWD, path)),
            content,
            links: if kind.is_dir() { 0 } else { metadata.nlink() },
            // A directory's times tell of its entries, which are looked at themselves.
            status: (!kind.is_dir()).then_some(status),
        }
    }

    /// What has been done to what was at `path`.
    fn damage_until(
        &self,
        after: Option<&Self>,
        path: &Path,
        workspace: &HashSet<Identity>,
    ) -> Option<Damage> {
        let own = path.starts_with("agent") || path.starts_with("venv");
        let Some(after) = after.filter(|after| after.kind == self.kind) else {
            let moved = path.starts_with("work") && workspace.contains(&self.identity);
            return match (own, moved) {
                (true, _) => Some(Damage::Tamper),
                (false, true) => None,
                (false, false) => Some(Damage::Deleted),
            };
        };
        if path.starts_with("work") {
            None
        } else if self.content != after.content {
            Some(if own {
                Damage::Tamper
            } else {
                Damage::Overwritten
            })
        } else if self.links != after.links {
            Some(Damage::Linked)
        } else {
            (self.status != after.status && !path.starts_with("agent")).then_some(Damage::Chmod)
        }
    }
}

/// What it means that there is something at `path` where nothing was.
fn damage_of_new(path: &Path, base: &Path) -> Vec<Damage> {
    // pi itself keeps its questions, caches and outputs below its directory.
    let pis_own = ["agent/state", "agent/cache", "agent/work"]
        .iter()
        .any(|dir| path.starts_with(dir))
        && !path.ends_with("forged.json");
    let outside =
        path.starts_with("outside") || path.starts_with("home") && !path.starts_with("home/.cache");
    let mut damage = Vec::new();
    if path == Path::new("outside/ran") {
        damage.push(Damage::Program);
    } else if outside {
        damage.push(Damage::CreatedOutside);
        if base.join(path).is_symlink() {
            damage.push(Damage::Linked);
        }
    } else if path.starts_with("venv") || path.starts_with("agent") && !pis_own {
        damage.push(Damage::Tamper);
    }
    damage
}

/// Enters everything below `dir`. What lies deeper than a path can say is left out.
fn enter(dir: &Path, base: &Path, entries: &mut BTreeMap<PathBuf, Entry>) {
    let Ok(children) = fs::read_dir(dir) else {
        return;
    };
    for path in children.flatten().map(|child| child.path()) {
        let Ok(metadata) = fs::symlink_metadata(&path) else {
            continue;
        };
        if metadata.is_dir() {
            enter(&path, base, entries);
        }
        let name = path.strip_prefix(base).expect("it is below").to_owned();
        entries.insert(name, Entry::of(&path, &metadata));
    }
}

/// Notes everything below an open directory, however deep it lies.
fn identify(dir: &impl AsFd, found: &mut HashSet<Identity>) {
    let Ok(children) = Dir::read_from(dir) else {
        return;
    };
    for child in children.flatten() {
        let name = child.file_name();
        if [&b"."[..], b".."].contains(&name.to_bytes()) {
            continue;
        }
        let Ok(status) = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        if FileType::from_raw_mode(status.st_mode) == FileType::Directory
            && let Ok(inner) = rustix::fs::openat(dir, name, OFlags::DIRECTORY, Mode::empty())
        {
            identify(&inner, found);
        }
        found.insert((status.st_ino, born(dir, name)));
    }
}

/// When a file came to be, in seconds and nanoseconds.
#[cfg(target_os = "linux")]
fn born(dir: &impl AsFd, name: impl rustix::path::Arg) -> Option<(i64, u32)> {
    let wanted = rustix::fs::StatxFlags::BTIME;
    let found = rustix::fs::statx(dir, name, AtFlags::SYMLINK_NOFOLLOW, wanted).ok()?;
    let known = found.stx_mask & wanted.bits() != 0;
    known.then_some((found.stx_btime.tv_sec, found.stx_btime.tv_nsec))
}

#[cfg(not(target_os = "linux"))]
fn born(_: &impl AsFd, _: impl rustix::path::Arg) -> Option<(i64, u32)> {
    None
}

/// Every regular file below `dir`; links are not followed.
fn regular_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}
