//! The agent directory: every path that pi owns, and how files get there.
//!
//! Nothing else builds a path inside the agent directory. Directories are made with mode 0700, files with 0600, and a
//! file is replaced by a rename, never edited in place, so that a reader sees the old content or the new.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::approval::{Digest, Id};
use crate::settings::{AGENT_DIR_VARIABLE, Environment};

#[cfg_attr(unix, path = "home/unix.rs")]
#[cfg_attr(not(unix), path = "home/windows.rs")]
mod private;

/// How the names of files begin that are on their way to replace another.
pub(crate) const TEMPORARY_PREFIX: &str = ".new-";

/// The agent directory. Cheap to clone; knowing it does not create it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// The agent directory at `root`, which should be absolute.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Finds the agent directory: the variable, else `.pi/agent` in the user's home, else a private directory under
    /// the temporary one, which is said in `warnings`.
    pub(crate) fn locate(environment: &Environment, warnings: &mut Vec<String>) -> Self {
        if let Some(dir) = environment.get(AGENT_DIR_VARIABLE) {
            let dir = PathBuf::from(dir);
            return Self::at(std::path::absolute(&dir).unwrap_or(dir));
        }
        if let Some(home) = user_home(environment) {
            return Self::at(home.join(".pi").join("agent"));
        }
        Self::without_home(&std::env::temp_dir(), warnings)
    }

    /// A directory under the temporary one, where anybody may have been first: what does not belong to this user alone
    /// is passed by, and nothing in it is read.
    fn without_home(temporary: &Path, warnings: &mut Vec<String>) -> Self {
        let usual = temporary.join(format!("pi-agent-{}", private::user_tag()));
        let root = match private::make_own(&usual) {
            Ok(()) => usual,
            Err(problem) => {
                warnings.push(format!(
                    "`{}` is not trusted as agent directory: {problem}",
                    usual.display()
                ));
                fresh_directory(temporary)
            }
        };
        warnings.push(format!(
            "no home directory: `{}` is used; set `{AGENT_DIR_VARIABLE}` to a directory that stays",
            root.display()
        ));
        Self::at(root)
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The user's settings.
    #[must_use]
    pub fn settings_file(&self) -> PathBuf {
        self.root.join("python.toml")
    }

    /// Managed executables.
    #[must_use]
    pub fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The managed uv.
    #[must_use]
    pub fn uv(&self) -> PathBuf {
        self.bin().join(if cfg!(windows) { "uv.exe" } else { "uv" })
    }

    /// What the managed uv is and where it came from.
    #[must_use]
    pub fn uv_receipt(&self) -> PathBuf {
        self.bin().join("uv.receipt.json")
    }

    /// Pythons that uv installed.
    #[must_use]
    pub fn pythons(&self) -> PathBuf {
        self.root.join("runtimes").join("python")
    }

    /// Where uv makes a Python before it renames it into place; what stays there is of an installation cut off.
    #[must_use]
    pub fn unfinished_pythons(&self) -> PathBuf {
        self.pythons().join(".temp")
    }

    /// Everything that can be deleted and comes back.
    #[must_use]
    pub fn cache(&self) -> PathBuf {
        self.root.join("cache")
    }

    /// uv's own cache.
    #[must_use]
    pub fn uv_cache(&self) -> PathBuf {
        self.cache().join("uv")
    }

    /// The resolved interpreter.
    #[must_use]
    pub fn interpreter_cache(&self) -> PathBuf {
        self.cache().join("python.json")
    }

    /// What every run hands to its interpreter first, compiled: a file for each interpreter.
    #[must_use]
    pub fn bootstraps(&self) -> PathBuf {
        self.cache().join("bootstrap")
    }

    /// Full outputs of runs whose returned text was cut.
    #[must_use]
    pub fn outputs(&self) -> PathBuf {
        self.root.join("work").join("outputs")
    }

    /// What is kept of one run.
    #[must_use]
    pub fn outputs_of(&self, run: &str) -> PathBuf {
        self.outputs().join(run)
    }

    /// Locks and what is remembered between calls.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.root.join("state")
    }

    /// Questions to people and their answers: a directory a subject.
    #[must_use]
    pub fn approvals(&self) -> PathBuf {
        self.state().join("approvals")
    }

    /// What was asked about one subject.
    #[must_use]
    pub fn approvals_of(&self, subject: &Digest) -> PathBuf {
        self.approvals().join(subject.to_string())
    }

    /// One question.
    #[must_use]
    pub fn approval_question(&self, subject: &Digest, id: &Id) -> PathBuf {
        self.approval_answer(subject, id, "json")
    }

    /// An answer to it, named for what was said.
    #[must_use]
    pub fn approval_answer(&self, subject: &Digest, id: &Id, answer: &str) -> PathBuf {
        self.approvals_of(subject).join(format!("{id}.{answer}"))
    }

    /// Held by the process that provisions.
    #[must_use]
    pub fn provision_lock(&self) -> PathBuf {
        self.state().join("provision.lock")
    }

    /// Who holds the provisioning lock, for messages alone.
    #[must_use]
    pub fn provision_holder(&self) -> PathBuf {
        self.state().join("provision.holder.json")
    }

    /// The last failure of provisioning.
    #[must_use]
    pub fn provision_failure(&self) -> PathBuf {
        self.state().join("provision.failure.json")
    }

    /// The locks of workspaces and of files in them.
    #[must_use]
    pub fn locks(&self) -> PathBuf {
        self.state().join("locks")
    }

    /// A directory under the temporary one for the locks of a user who may not write to the agent directory; `None`
    /// where it can't be trusted.
    pub(crate) fn locks_elsewhere() -> Option<Self> {
        let dir = std::env::temp_dir().join(format!("pi-locks-{}", private::user_tag()));
        private::make_own(&dir).ok()?;
        Some(Self::at(dir))
    }

    /// Held while a run or an editor works in the workspace with this key.
    #[must_use]
    pub fn workspace_lock(&self, key: &str) -> PathBuf {
        self.locks().join(key).join("workspace")
    }

    /// Held by the one who is the next to get the workspace's lock.
    #[must_use]
    pub fn workspace_turn(&self, key: &str) -> PathBuf {
        self.locks().join(key).join("turn")
    }

    /// Held by the editor of the file with this key.
    #[must_use]
    pub fn file_lock(&self, key: &str) -> PathBuf {
        self.locks().join("files").join(key)
    }

    /// Where uv runs: an empty `uv.toml` in it ends uv's search for settings in the directories above.
    #[must_use]
    pub fn uv_workdir(&self) -> PathBuf {
        self.state().join("uv")
    }

    /// The directories that pi makes for itself, those that exist.
    #[must_use]
    pub fn directories(&self) -> Vec<PathBuf> {
        let below = [
            "bin", "runtimes", "cache", "work", "state", "programs", "overlays",
        ];
        let all =
            std::iter::once(self.root.clone()).chain(below.iter().map(|name| self.root.join(name)));
        all.filter(|dir| dir.is_dir()).collect()
    }

    /// What lies under a name of pi's own and is of another kind: a directory in a file's place, or the reverse. The
    /// user's settings are not among them.
    #[must_use]
    pub fn misplaced(&self) -> Vec<PathBuf> {
        let dirs = [
            self.bin(),
            self.cache(),
            self.state(),
            self.root.join("runtimes"),
            self.root.join("work"),
            self.pythons(),
            self.uv_cache(),
            self.bootstraps(),
            self.uv_workdir(),
            self.locks(),
            self.outputs(),
            self.approvals(),
        ];
        let files = [
            self.uv(),
            self.uv_receipt(),
            self.interpreter_cache(),
            self.provision_lock(),
            self.provision_holder(),
            self.provision_failure(),
        ];
        let dirs = dirs.into_iter().filter(|path| is_other(path, Path::is_dir));
        let files = files
            .into_iter()
            .filter(|path| is_other(path, Path::is_file));
        dirs.chain(files).collect()
    }

    /// Files and directories that pi does not know, in the directories where hardly anybody else puts any.
    #[must_use]
    pub fn unknown_files(&self) -> Vec<PathBuf> {
        /// Tools that the Pi coding agent keeps in the same directory.
        const NEIGHBOURS: &[&str] = &["fd", "rg"];
        let known = [
            self.interpreter_cache(),
            self.bootstraps(),
            self.uv_cache(),
            self.pythons(),
            self.uv(),
            self.uv_receipt(),
        ];
        [self.bin(), self.cache(), self.root.join("runtimes")]
            .iter()
            .filter_map(|dir| dir.read_dir().ok())
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| !known.contains(path))
            .filter(|path| {
                !NEIGHBOURS
                    .iter()
                    .any(|name| path.file_stem().is_some_and(|stem| stem == *name))
            })
            .collect()
    }
}

/// The user's home: `HOME` if it is an absolute path, else what the system's user database says.
pub(crate) fn user_home(environment: &Environment) -> Option<PathBuf> {
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    if let Some(home) = environment
        .get(variable)
        .map(PathBuf::from)
        .filter(|home| home.is_absolute())
    {
        return Some(home);
    }
    // `home_dir` reads the same variable first, so a relative one must not come back through it.
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// A private directory that nobody has seen before; where none can be made, a name that nobody can guess, so that
/// nothing is stored and nothing is found.
fn fresh_directory(temporary: &Path) -> PathBuf {
    let made = tempfile::Builder::new()
        .prefix("pi-agent-")
        .tempdir_in(temporary);
    made.map_or_else(
        |_| temporary.join(format!("pi-agent-{}", uuid::Uuid::now_v7().simple())),
        tempfile::TempDir::keep,
    )
}

/// Whether something is there that is not what it should be. A link that leads nowhere is.
fn is_other(path: &Path, right: impl Fn(&Path) -> bool) -> bool {
    path.symlink_metadata().is_ok() && !right(path)
}

/// Renames what is in the way, in its own directory, and answers with the new name. Nothing is deleted.
///
/// # Errors
/// What the system says, with the path.
pub(crate) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    let now = now.replace(['-', ':'], "");
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".set-aside-{now}"));
    let names = (1_u32..).map(|number| {
        let mut name = name.clone();
        if number > 1 {
            name.push(format!("-{number}"));
        }
        PathBuf::from(name)
    });
    let free = names
        .take(100)
        .find(|name| name.symlink_metadata().is_err())
        .ok_or_else(|| io::Error::from(io::ErrorKind::AlreadyExists));
    let renamed = free.and_then(|name| std::fs::rename(path, &name).map(|()| name));
    renamed.map_err(|error| with_path("can't set aside", path, &error))
}

/// Creates a directory and the missing ones above it, each readable by the user alone.
///
/// # Errors
/// What the system says, with the path; a file that is in the way is named.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| {
        match path.ancestors().find(|dir| is_other(dir, Path::is_dir)) {
            Some(file) => io::Error::new(
                io::ErrorKind::NotADirectory,
                format!("`{}` is in the way: it is not a directory", file.display()),
            ),
            None => with_path("can't create the directory", path, &error),
        }
    })
}

/// Replaces a file by new content: written beside it, flushed to disk, renamed into place.
///
/// # Errors
/// What the system says, with the path; the old file is then still whole.
pub fn write_atomic(path: &Path, content: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    create_private_dir(dir)?;
    let write = || -> io::Result<()> {
        // `tempfile` makes files with mode 0600.
        let mut file = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .tempfile_in(dir)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| with_path("can't write", path, &error))
}

/// The most bytes of a file of settings, state or pins; none comes near.
pub(crate) const LARGEST_FILE: u64 = 4 * 1024 * 1024;

/// Opens a regular file. Anything else that bears its name (a pipe, a device, a directory) is refused at once.
///
/// # Errors
/// What the system says, or that it is no regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    private::never_wait(&mut options);
    let file = options.open(path)?;
    let found = file.metadata()?;
    if found.is_file() {
        return Ok(file);
    }
    let kind = if found.is_dir() {
        "it is a directory"
    } else {
        "it is not a regular file"
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, kind))
}

/// Reads a regular file of at most [`LARGEST_FILE`] bytes.
///
/// # Errors
/// What the system says, or that it is no such file.
pub(crate) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let size = file
        .metadata()
        .map_or(0, |file| file.len().min(LARGEST_FILE));
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let problem = format!("it is larger than {LARGEST_FILE} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// The same for a file of text.
///
/// # Errors
/// What the system says, or that it is no such file.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_bounded(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// A path to show: bytes that are no Unicode come as `\xNN`, so that two paths never look the same.
pub(crate) fn escaped(path: &Path) -> impl fmt::Display + '_ {
    struct Escaped<'a>(&'a Path);
    impl fmt::Display for Escaped<'_> {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            for chunk in self.0.as_os_str().as_encoded_bytes().utf8_chunks() {
                out.write_str(chunk.valid())?;
                for byte in chunk.invalid() {
                    write!(out, "\\x{byte:02x}")?;
                }
            }
            Ok(())
        }
    }
    Escaped(path)
}

/// Whether there was no room to write, on the disk or for this user.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

pub(crate) fn with_path(what: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("{what} `{}`: {error}", path.display()),
    )
}
