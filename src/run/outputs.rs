//! Full outputs of runs on disk: one directory a run, made when the first stream of it is cut.
//!
//! A run holds a lock on its directory while it is in progress; what is locked is never removed. The directory appears
//! under its name with the lock already held, so that there is no moment in which another process could take it for
//! an abandoned one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::home::{Home, create_private_dir, with_path};
use crate::settings::OutputLimits;

/// Marks a run in progress, by the lock on it.
const LOCK: &str = ".lock";
/// Directories whose names begin so are still being made.
const UNFINISHED: char = '.';
/// How long a directory may be unfinished before it counts as abandoned.
const ABANDONED: Duration = Duration::from_hours(1);

/// Why kept outputs can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No kept run has this name.
    #[error("no outputs are kept of a run `{run}`")]
    UnknownRun {
        /// What was asked for.
        run: String,
    },
    /// More than one kept run's name begins so.
    #[error("`{run}` fits {count} kept runs: give more of the name")]
    Ambiguous {
        /// What was asked for.
        run: String,
        /// How many fit.
        count: usize,
    },
    /// The run's stream was not cut, so nothing of it was kept.
    #[error(
        "nothing is kept of `{stream}` of run `{run}`: it was returned whole, or was not written to"
    )]
    UnknownStream {
        /// The run.
        run: String,
        /// The stream.
        stream: String,
    },
    /// The disk said no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Outputs of one run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptRun {
    /// The run's name; later runs have greater ones.
    pub run: String,
    /// Its directory.
    #[serde(serialize_with = "super::outcome::path")]
    pub path: PathBuf,
    /// When something was last written.
    #[serde(skip)]
    pub modified: SystemTime,
    /// Whether it is still in progress.
    pub in_progress: bool,
    /// Its files.
    pub streams: Vec<KeptStream>,
}

impl KeptRun {
    /// Bytes on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.streams.iter().map(|stream| stream.bytes).sum()
    }
}

/// One kept stream.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptStream {
    /// Such as `stdout`.
    pub stream: String,
    /// The file.
    #[serde(serialize_with = "super::outcome::path")]
    pub path: PathBuf,
    /// Bytes in it.
    pub bytes: u64,
}

/// Which part of a kept stream is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Everything.
    All,
    /// Lines from 1, both ends included.
    Lines(RangeInclusive<u64>),
    /// Bytes from 0, both ends included.
    Bytes(RangeInclusive<u64>),
}

/// The kept runs, newest first.
///
/// # Errors
/// The directory of outputs is there and can't be read.
pub fn list(home: &Home) -> io::Result<Vec<KeptRun>> {
    let root = home.outputs();
    let entries = match fs::read_dir(&root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(with_path("can't read", &root, &error)),
    };
    let mut runs: Vec<KeptRun> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with(UNFINISHED))
        .filter_map(|name| kept_run(home, name))
        .collect();
    runs.sort_by(|one, other| other.run.cmp(&one.run));
    Ok(runs)
}

/// The kept run that `run` names: its whole name, a beginning that no other has, or `last`.
///
/// # Errors
/// [`Error::UnknownRun`] and [`Error::Ambiguous`].
pub fn find(home: &Home, run: &str) -> Result<KeptRun, Error> {
    let mut fitting: Vec<KeptRun> = list(home)?;
    if run == "last" {
        fitting.truncate(1);
    } else {
        fitting.retain(|kept| kept.run.starts_with(run) && !run.is_empty());
    }
    match fitting.len() {
        0 => Err(Error::UnknownRun {
            run: run.to_owned(),
        }),
        1 => Ok(fitting.swap_remove(0)),
        count => Err(Error::Ambiguous {
            run: run.to_owned(),
            count,
        }),
    }
}

/// The file that holds the whole of a stream.
///
/// # Errors
/// Those of [`find`], and [`Error::UnknownStream`].
pub fn path(home: &Home, run: &str, stream: &str) -> Result<PathBuf, Error> {
    let kept = find(home, run)?;
    kept.streams
        .into_iter()
        .find(|kept| kept.stream == stream)
        .map(|kept| kept.path)
        .ok_or(Error::UnknownStream {
            run: kept.run,
            stream: stream.to_owned(),
        })
}

/// Copies a part of a kept stream to `out`, byte for byte, in fixed memory.
///
/// # Errors
/// Those of [`path`], and what reading or `out` says.
pub fn show(
    home: &Home,
    run: &str,
    stream: &str,
    part: &Part,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let path = path(home, run, stream)?;
    let mut file = File::open(&path).map_err(|error| with_path("can't read", &path, &error))?;
    match part {
        Part::All => {
            io::copy(&mut file, out)?;
        }
        Part::Bytes(range) => {
            file.seek(SeekFrom::Start(*range.start()))?;
            let count = range.end().saturating_sub(*range.start()).saturating_add(1);
            io::copy(&mut file.take(count), out)?;
        }
        Part::Lines(range) => copy_lines(BufReader::with_capacity(1 << 16, file), range, out)?,
    }
    Ok(())
}

/// What [`clean`] removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cleaned {
    /// Runs.
    pub runs: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Removes the outputs of all runs that are not in progress.
///
/// # Errors
/// The directory of outputs is there and can't be read. What can't be removed stays and is not counted.
pub fn clean(home: &Home) -> io::Result<Cleaned> {
    let nothing = OutputLimits {
        max_bytes: 0,
        keep_days: 0,
        keep_runs: 0,
        keep_bytes: 0,
    };
    retain(home, &nothing)
}

/// Removes the outputs that are older, more or bigger than `limits` allow; those of later runs stay first.
///
/// # Errors
/// The directory of outputs is there and can't be read. What can't be removed stays and is not counted.
pub fn retain(home: &Home, limits: &OutputLimits) -> io::Result<Cleaned> {
    remove_abandoned(home);
    let oldest = SystemTime::now()
        .checked_sub(Duration::from_secs(
            limits.keep_days.saturating_mul(24 * 60 * 60),
        ))
        .unwrap_or(SystemTime::UNIX_EPOCH);
    let mut cleaned = Cleaned::default();
    let (mut runs, mut bytes) = (0, 0_u64);
    for kept in list(home)? {
        runs += 1;
        bytes = bytes.saturating_add(kept.bytes());
        let stays =
            runs <= limits.keep_runs && bytes <= limits.keep_bytes && kept.modified >= oldest;
        if !stays && remove(&kept.path) {
            cleaned.runs += 1;
            cleaned.bytes += kept.bytes();
            runs -= 1;
            bytes -= kept.bytes();
        }
    }
    Ok(cleaned)
}

/// The directory of a run in progress.
#[derive(Debug)]
pub(super) struct RunDir {
    name: String,
    path: PathBuf,
    /// Holds the lock for as long as it is open.
    _lock: File,
}

impl RunDir {
    /// Makes a directory for a run that begins now.
    pub(super) fn create(home: &Home) -> io::Result<Self> {
        let name = uuid::Uuid::now_v7().simple().to_string();
        let path = home.outputs_of(&name);
        let unfinished = home.outputs_of(&format!("{UNFINISHED}{name}"));
        create_private_dir(&unfinished)?;
        let make = || -> io::Result<File> {
            let lock = create_file(&unfinished.join(LOCK))?;
            // A file system without locks can't protect a run in progress, which is no reason to lose its output.
            let _ = lock.try_lock();
            fs::rename(&unfinished, &path)?;
            Ok(lock)
        };
        match make() {
            Ok(lock) => Ok(Self {
                name,
                path,
                _lock: lock,
            }),
            Err(error) => {
                let _ = fs::remove_dir_all(&unfinished);
                Err(with_path("can't create", &path, &error))
            }
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The file for a stream, not yet there.
    pub(super) fn file(&self, stream: &str) -> PathBuf {
        self.path.join(format!("{stream}.log"))
    }

    /// Removes the directory if nothing but the lock is in it.
    pub(super) fn remove_if_empty(&self) {
        let empty = fs::read_dir(&self.path).is_ok_and(|entries| entries.count() <= 1);
        if empty {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Creates a file for this user alone.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn kept_run(home: &Home, name: String) -> Option<KeptRun> {
    let path = home.outputs_of(&name);
    let modified = fs::metadata(&path).ok()?.modified().ok()?;
    let mut streams: Vec<KeptStream> = fs::read_dir(&path)
        .ok()?
        .flatten()
        .filter_map(|entry| kept_stream(&entry.path()))
        .collect();
    streams.sort_by(|one, other| one.stream.cmp(&other.stream));
    Some(KeptRun {
        modified,
        in_progress: is_in_progress(&path),
        run: name,
        path,
        streams,
    })
}

fn kept_stream(path: &Path) -> Option<KeptStream> {
    let stream = path.file_stem()?.to_str()?;
    if stream.starts_with(UNFINISHED) {
        return None;
    }
    Some(KeptStream {
        stream: stream.to_owned(),
        bytes: fs::metadata(path).ok()?.len(),
        path: path.to_owned(),
    })
}

fn is_in_progress(dir: &Path) -> bool {
    let Ok(lock) = File::open(dir.join(LOCK)) else {
        return false;
    };
    matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes a run's directory, unless the run is in progress.
fn remove(dir: &Path) -> bool {
    if is_in_progress(dir) {
        return false;
    }
    fs::remove_dir_all(dir).is_ok()
}

/// A process that was killed while it made a directory leaves it behind.
fn remove_abandoned(home: &Home) {
    let Ok(entries) = fs::read_dir(home.outputs()) else {
        return;
    };
    for entry in entries.flatten() {
        let unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        let old = || {
            let age = entry.metadata()?.modified()?.elapsed();
            io::Result::Ok(age.is_ok_and(|age| age > ABANDONED))
        };
        if unfinished && old().unwrap_or(false) {
            remove(&entry.path());
        }
    }
}

fn copy_lines(
    mut from: impl BufRead,
    lines: &RangeInclusive<u64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = 1;
    while line <= *lines.end() {
        let bytes = from.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let line_feed = memchr::memchr(b'\n', bytes);
        let count = line_feed.map_or(bytes.len(), |at| at + 1);
        if lines.contains(&line) {
            out.write_all(&bytes[..count])?;
        }
        from.consume(count);
        line += u64::from(line_feed.is_some());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let dir = tempfile::tempdir().expect("a scratch directory");
        let home = Home::at(dir.path().join("agent"));
        (dir, home)
    }

    fn keep(home: &Home, content: &str) -> RunDir {
        let dir = RunDir::create(home).expect("writable");
        create_file(&dir.file("stdout"))
            .and_then(|mut file| file.write_all(content.as_bytes()))
            .expect("writable");
        dir
    }

    fn shown(home: &Home, part: &Part) -> String {
        let mut out = Vec::new();
        show(home, "last", "stdout", part, &mut out).expect("it is kept");
        String::from_utf8(out).expect("text")
    }

    const LIMITS: OutputLimits = OutputLimits {
        max_bytes: u64::MAX,
        keep_days: 30,
        keep_runs: 2,
        keep_bytes: 100,
    };

    #[test]
    fn ranges_count_from_one_and_include_both_ends() {
        let (_dir, home) = home();
        let run = keep(&home, "one\ntwo\nthree\nfour");
        assert_eq!(shown(&home, &Part::Lines(2..=3)), "two\nthree\n");
        assert_eq!(shown(&home, &Part::Lines(4..=9)), "four");
        assert_eq!(shown(&home, &Part::Lines(7..=9)), "");
        assert_eq!(shown(&home, &Part::Bytes(4..=6)), "two");
        assert_eq!(shown(&home, &Part::All), "one\ntwo\nthree\nfour");
        assert!(find(&home, &run.name()[..31]).is_ok());
    }

    #[test]
    fn what_is_not_there_is_named() {
        let (_dir, home) = home();
        assert!(matches!(find(&home, "last"), Err(Error::UnknownRun { .. })));
        let _first = keep(&home, "");
        let _second = keep(&home, "");
        assert!(matches!(
            find(&home, "0"),
            Err(Error::Ambiguous { count: 2, .. })
        ));
        assert!(matches!(find(&home, ""), Err(Error::UnknownRun { .. })));
        let error = path(&home, "last", "stderr").expect_err("nothing is kept of it");
        assert!(matches!(error, Error::UnknownStream { .. }));
    }

    #[test]
    fn the_newest_runs_stay_within_every_limit() {
        let (_dir, home) = home();
        let names: Vec<String> = (0..4)
            .map(|_| keep(&home, &"x".repeat(40)).name().to_owned())
            .collect();
        let cleaned = retain(&home, &LIMITS).expect("readable");
        assert_eq!(cleaned, Cleaned { runs: 2, bytes: 80 });
        let left: Vec<String> = list(&home)
            .expect("readable")
            .into_iter()
            .map(|kept| kept.run)
            .collect();
        assert_eq!(left, [names[3].clone(), names[2].clone()]);
        let tighter = OutputLimits {
            keep_bytes: 79,
            ..LIMITS
        };
        assert_eq!(retain(&home, &tighter).expect("readable").runs, 1);
    }

    #[test]
    fn a_run_in_progress_is_never_removed() {
        let (_dir, home) = home();
        let running = keep(&home, "x");
        assert!(list(&home).expect("readable")[0].in_progress);
        assert_eq!(clean(&home).expect("readable").runs, 0);
        drop(running);
        assert_eq!(clean(&home).expect("readable").runs, 1);
        assert_eq!(list(&home).expect("readable"), []);
    }
}
