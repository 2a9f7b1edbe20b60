//! The managed uv: the one that pi downloads, places in the agent directory, and vouches for.
//!
//! An executable bears its final name only when it is whole, verified and on disk. The receipt beside it is written
//! after it, so a receipt that fits its file stands for a finished installation; anything else counts as absent.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::download::no_room;
use super::pins::{Digest, Pins};
use super::place;
use super::platform::{self, Target};
use super::sources::{self, Failure, Obtained};
use super::unpack::{self, Binary};
use super::verify::{TEMPORARY_PREFIX, Verified, digest_of};
use crate::home::{self, is_full};
use crate::provision::{Context, move_directory};
use crate::settings::{Settings, variable};

/// The managed uv.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ManagedUv {
    pub path: PathBuf,
    pub version: String,
}

/// What is there of the managed uv, after a look at every byte of it.
#[derive(Debug)]
pub(crate) enum Check {
    Absent,
    Good(ManagedUv),
    /// It is not what was installed.
    Damaged {
        reason: String,
    },
    /// It is what was installed, but not the pinned version.
    Outdated {
        found: ManagedUv,
        pinned: String,
    },
}

/// Why a uv that is in place can't be used. It counts as absent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("`{}` has no receipt, so its installation was not finished", .0.display())]
    NoReceipt(PathBuf),
    #[error("the receipt `{}` can't be used: {problem}", path.display())]
    BadReceipt { path: PathBuf, problem: String },
    #[error("`{}` is missing, and only its receipt is there", .0.display())]
    NoFile(PathBuf),
    #[error("`{}` is not the file that was installed", .0.display())]
    Changed(PathBuf),
    #[error("it is uv {found}, and uv {pinned} is pinned")]
    OtherVersion { found: String, pinned: String },
}

/// Why uv could not be installed.
#[derive(Debug)]
pub(crate) struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error(transparent)]
    Platform(platform::Error),
    #[error("can't prepare `{}`: {source}", path.display())]
    Directory {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("can't get uv {version} for `{target}`{}", listed(.failures))]
    Sources {
        version: String,
        target: Target,
        failures: Vec<Failure>,
        instructions: Vec<String>,
    },
    #[error("{}", no_room(.0))]
    NoRoom(PathBuf),
    #[error("`{file}` is refused: {source}")]
    Unpack { file: String, source: unpack::Error },
    #[error("can't place `{}`: {source}", path.display())]
    Place {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// What is known of the managed uv, kept beside it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Receipt {
    version: String,
    target: String,
    /// The address that it came from.
    source: String,
    artifact: String,
    artifact_sha256: Digest,
    binary_sha256: Digest,
    size: u64,
    mtime_ns: u64,
    installed_at: String,
}

impl Error {
    /// What a person can do about it.
    pub(crate) fn hints(&self) -> Vec<String> {
        match &*self.0 {
            Kind::Platform(error) => error.hints(),
            Kind::Sources {
                failures,
                instructions,
                ..
            } => {
                let mut hints: Vec<String> = Vec::new();
                let of_failures = failures.iter().flat_map(|failure| failure.error.hints());
                for hint in of_failures.chain(instructions.iter().cloned()) {
                    if !hints.contains(&hint) {
                        hints.push(hint);
                    }
                }
                hints
            }
            Kind::Directory { .. } | Kind::Place { .. } => vec![
                "`pi doctor` looks at the agent directory and sets aside what is in the way"
                    .to_owned(),
            ],
            Kind::NoRoom(_) => vec![move_directory("with more room")],
            Kind::Unpack { .. } => Vec::new(),
        }
    }
}

/// The managed uv, if it is in place, whole by its receipt, and of the pinned version.
///
/// Asks the system for its file's size and time alone; only where the time is another one (a copied directory) is the
/// file hashed.
///
/// # Errors
/// Where something is there that can't be used; it counts as absent, and the error is the reason.
pub(crate) fn present(settings: &Settings) -> Result<Option<ManagedUv>, Unusable> {
    let pinned = Pins::load(settings).version;
    let Some(receipt) = read_receipt(settings)? else {
        return Ok(None);
    };
    if receipt.version != pinned {
        return Err(Unusable::OtherVersion {
            found: receipt.version,
            pinned,
        });
    }
    let path = settings.home.uv();
    match Stamp::of(&path) {
        Some(stamp) if stamp == receipt.stamp() => {}
        Some(stamp) if stamp.size == receipt.size && receipt.fits_content(&path) => {}
        Some(_) => return Err(Unusable::Changed(path)),
        None => return Err(Unusable::NoFile(path)),
    }
    Ok(Some(ManagedUv {
        path,
        version: receipt.version,
    }))
}

/// Looks at every byte of the managed uv.
pub(crate) fn check(settings: &Settings) -> Check {
    let receipt = match read_receipt(settings) {
        Ok(Some(receipt)) => receipt,
        Ok(None) => return Check::Absent,
        Err(error) => {
            return Check::Damaged {
                reason: error.to_string(),
            };
        }
    };
    let path = settings.home.uv();
    if !path.exists() {
        return Check::Damaged {
            reason: Unusable::NoFile(path).to_string(),
        };
    }
    if !receipt.fits_content(&path) {
        return Check::Damaged {
            reason: Unusable::Changed(path).to_string(),
        };
    }
    let found = ManagedUv {
        path,
        version: receipt.version,
    };
    let pinned = Pins::load(settings).version;
    if pinned == found.version {
        Check::Good(found)
    } else {
        Check::Outdated { found, pinned }
    }
}

/// Downloads, verifies, unpacks and places the pinned uv. The caller holds the provisioning lock.
///
/// # Errors
/// Where no source has it, or it can't be placed. What was in place before then still is.
pub(crate) fn install(context: Context<'_>) -> Result<ManagedUv, Error> {
    let settings = context.settings;
    let pins = Pins::load(settings);
    let target = platform::target(&settings.environment).map_err(Kind::Platform)?;
    let bin = settings.home.bin();
    prepare(&bin)?;
    context
        .progress
        .step(&format!("downloading uv {}", pins.version));
    let obtained =
        sources::obtain(context, &pins, target, &bin).map_err(|failures| Kind::Sources {
            version: pins.version.clone(),
            target,
            failures,
            instructions: instructions_for(&pins, target, settings),
        })?;
    context
        .progress
        .step(&format!("unpacking uv {}", pins.version));
    let path = settings.home.uv();
    let binary = put_in_place(&obtained.verified, &path)?;
    write_receipt(settings, &pins, target, &obtained, binary)?;
    Ok(ManagedUv {
        path,
        version: pins.version,
    })
}

/// What a person has to place where, when nothing can be downloaded: file names, addresses and digests.
pub(crate) fn instructions(settings: &Settings) -> Vec<String> {
    match platform::target(&settings.environment) {
        Ok(target) => instructions_for(&Pins::load(settings), target, settings),
        Err(error) => error.hints(),
    }
}

/// What is said of a pin file that can't be used.
pub(crate) fn pins_trouble(settings: &Settings) -> Option<String> {
    let trouble = Pins::trouble(settings)?;
    Some(format!(
        "`{}` is ignored, and the pins of this pi are used: {trouble}",
        variable("uv.pins")
    ))
}

fn instructions_for(pins: &Pins, target: Target, settings: &Settings) -> Vec<String> {
    let mut lines = vec![
        "to use a uv of your own, put it on PATH".to_owned(),
        format!(
            "to have uv {} without this download, put one of the files that follow in a folder and name the folder in `{}`",
            pins.version,
            variable("uv.mirror")
        ),
    ];
    for (artifact, address) in sources::known_addresses(pins, target, settings) {
        let from = address.map_or_else(
            || "the Python package index that you use".to_owned(),
            |address| format!("`{address}`"),
        );
        lines.push(format!(
            "for that folder: `{}` (sha256 {}) from {from}",
            artifact.file, artifact.sha256
        ));
    }
    lines
}

/// Makes the directory and clears what killed predecessors left in it; the lock that the caller holds says that they
/// are gone.
fn prepare(bin: &Path) -> Result<(), Error> {
    let failed = |source| {
        let path = bin.to_owned();
        if is_full(&source) {
            Kind::NoRoom(path)
        } else {
            Kind::Directory { path, source }
        }
    };
    home::create_private_dir(bin).map_err(failed)?;
    for entry in std::fs::read_dir(bin).map_err(failed)?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(TEMPORARY_PREFIX) || name.starts_with(home::TEMPORARY_PREFIX) {
            // What can't be removed (a program that still runs, on Windows) takes room and does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Unpacks beside the destination and renames.
fn put_in_place(verified: &Verified, path: &Path) -> Result<Binary, Error> {
    let bin = path.parent().unwrap_or(Path::new("."));
    let failed = |source| cant_place(path, source);
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .suffix(".new")
        .tempfile_in(bin)
        .map_err(failed)?;
    let unpacked = unpack::unpack(verified, file.as_file_mut());
    let binary = unpacked.map_err(|source| match source {
        unpack::Error::Write(source) => failed(source),
        source => Kind::Unpack {
            file: verified.artifact().file.clone(),
            source,
        },
    })?;
    place::make_executable(file.as_file()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    place::rename_over(file.into_temp_path(), path).map_err(failed)?;
    place::sync_dir(bin);
    Ok(binary)
}

fn write_receipt(
    settings: &Settings,
    pins: &Pins,
    target: Target,
    obtained: &Obtained,
    binary: Binary,
) -> Result<(), Error> {
    let path = settings.home.uv_receipt();
    let artifact = obtained.verified.artifact();
    let receipt = Receipt {
        version: pins.version.clone(),
        target: target.name.to_owned(),
        source: obtained.source.clone(),
        artifact: artifact.file.clone(),
        artifact_sha256: artifact.sha256,
        binary_sha256: binary.sha256,
        size: binary.size,
        mtime_ns: Stamp::of(&settings.home.uv()).map_or(0, |stamp| stamp.mtime_ns),
        installed_at: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
    };
    let text = serde_json::to_vec_pretty(&receipt).expect("a receipt is texts and numbers");
    home::write_atomic(&path, &text).map_err(|source| cant_place(&path, source).into())
}

fn cant_place(path: &Path, source: std::io::Error) -> Kind {
    if is_full(&source) {
        return Kind::NoRoom(path.parent().unwrap_or(path).to_owned());
    }
    Kind::Place {
        path: path.to_owned(),
        source,
    }
}

/// The receipt, if there is one or nothing at all.
fn read_receipt(settings: &Settings) -> Result<Option<Receipt>, Unusable> {
    let path = settings.home.uv_receipt();
    let bad = |problem: String| Unusable::BadReceipt {
        path: path.clone(),
        problem,
    };
    match home::read_bounded(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| bad(error.to_string())),
        Err(error) if is_absence(&error) => {
            let uv = settings.home.uv();
            if uv.exists() {
                Err(Unusable::NoReceipt(uv))
            } else {
                Ok(None)
            }
        }
        Err(error) => Err(bad(error.to_string())),
    }
}

/// An agent directory that is a file holds nothing either.
fn is_absence(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

/// What the system says about a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    mtime_ns: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path)
            .ok()
            .filter(std::fs::Metadata::is_file)?;
        let since_1970 = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self {
            size: metadata.len(),
            mtime_ns: u64::try_from(since_1970.as_nanos()).ok()?,
        })
    }
}

impl Receipt {
    fn stamp(&self) -> Stamp {
        Stamp {
            size: self.size,
            mtime_ns: self.mtime_ns,
        }
    }

    fn fits_content(&self, path: &Path) -> bool {
        let as_large = Stamp::of(path).is_some_and(|stamp| stamp.size == self.size);
        as_large && digest_of(path).is_ok_and(|(digest, _)| digest == self.binary_sha256)
    }
}

fn listed(failures: &[Failure]) -> String {
    failures.iter().fold(String::new(), |text, failure| {
        let failure = failure.to_string().replace('\n', "\n  ");
        format!("{text}\n  {failure}")
    })
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::progress::Silent;
    use crate::settings::{AGENT_DIR_VARIABLE, Environment};

    /// An agent directory, a mirror folder with one wheel, and pins for that wheel. Nothing else can be reached.
    struct Scene {
        dir: tempfile::TempDir,
        settings: Settings,
    }

    impl Scene {
        fn new(version: &str, executable: &[u8]) -> Self {
            let dir = tempfile::tempdir().expect("a scratch directory");
            let mut scene = Self {
                settings: Settings::resolve(Environment::default(), dir.path().to_owned()),
                dir,
            };
            scene.publish(version, executable);
            scene
        }

        /// Puts a wheel into the mirror and pins it.
        fn publish(&mut self, version: &str, executable: &[u8]) {
            let target = platform::target(&Environment::default()).expect("a supported machine");
            let name = if target.is_windows() { "uv.exe" } else { "uv" };
            let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
            writer
                .start_file(
                    format!("uv-{version}.data/scripts/{name}"),
                    zip::write::SimpleFileOptions::default(),
                )
                .expect("in memory");
            writer.write_all(executable).expect("in memory");
            let wheel = writer.finish().expect("in memory").into_inner();
            let (mirror, pins) = (self.path("mirror"), self.path("pins.json"));
            std::fs::create_dir_all(&mirror).expect("writable");
            std::fs::write(mirror.join("uv.whl"), wheel).expect("writable");
            let (digest, _) = digest_of(&mirror.join("uv.whl")).expect("readable");
            let text = format!(
                r#"{{"version": "{version}", "archives": {{"base": "nowhere", "files": {{}}}},
                    "wheels": [{{"file": "uv.whl", "sha256": "{digest}", "targets": ["{target}"]}}]}}"#
            );
            std::fs::write(&pins, text).expect("writable");
            let mut environment = Environment::default();
            environment.set(AGENT_DIR_VARIABLE, self.path("agent"));
            environment.set("HOME", self.dir.path());
            environment.set("PIP_CONFIG_FILE", "/dev/null");
            environment.set(variable("uv.pins"), pins);
            environment.set(variable("uv.mirror"), mirror);
            self.settings = Settings::resolve(environment, self.dir.path().to_owned());
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        fn install(&self) -> Result<ManagedUv, Error> {
            install(Context {
                settings: &self.settings,
                progress: &Silent,
                deadline: Instant::now() + Duration::from_mins(1),
            })
        }

        /// The names in the directory of managed executables.
        fn placed(&self) -> Vec<String> {
            let mut names: Vec<String> = std::fs::read_dir(self.settings.home.bin())
                .expect("readable")
                .map(|entry| entry.expect("readable").file_name().display().to_string())
                .collect();
            names.sort();
            names
        }
    }

    fn uv_name() -> &'static str {
        if cfg!(windows) { "uv.exe" } else { "uv" }
    }

    #[test]
    fn what_is_installed_is_present_and_good() {
        let scene = Scene::new("9.9.9", b"the executable");
        assert_eq!(present(&scene.settings).expect("nothing there"), None);
        assert!(matches!(check(&scene.settings), Check::Absent));
        let installed = scene.install().expect("the mirror has it");
        assert_eq!(
            std::fs::read(&installed.path).expect("readable"),
            b"the executable"
        );
        assert_eq!(
            present(&scene.settings).expect("usable"),
            Some(installed.clone())
        );
        assert!(matches!(check(&scene.settings), Check::Good(found) if found == installed));
        assert_eq!(scene.placed(), [uv_name(), "uv.receipt.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_executable_can_be_run() {
        use std::os::unix::fs::PermissionsExt;
        let scene = Scene::new("9.9.9", b"#!");
        let path = scene.install().expect("the mirror has it").path;
        let mode = std::fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
    }

    #[test]
    fn what_was_changed_or_left_unfinished_is_not_trusted_and_repaired() {
        let scene = Scene::new("9.9.9", b"the executable");
        let path = scene.install().expect("the mirror has it").path;
        let receipt = scene.settings.home.uv_receipt();
        let damages: [(&str, &dyn Fn()); 5] = [
            ("is not the file", &|| {
                std::fs::write(&path, b"other executab").expect("writable");
            }),
            ("is not the file", &|| {
                std::fs::write(&path, b"short").expect("writable");
            }),
            ("is missing", &|| {
                std::fs::remove_file(&path).expect("there");
            }),
            ("has no receipt", &|| {
                std::fs::remove_file(&receipt).expect("there");
            }),
            ("can't be used", &|| {
                std::fs::write(&receipt, b"{\"version\":").expect("writable");
            }),
        ];
        for (part, damage) in damages {
            damage();
            let reason = present(&scene.settings).expect_err(part).to_string();
            assert!(reason.contains(part), "{part}: {reason}");
            let checked = check(&scene.settings);
            assert!(
                matches!(&checked, Check::Damaged { reason } if reason.contains(part)),
                "{part}: {checked:?}"
            );
            scene.install().expect("the mirror has it");
            assert!(present(&scene.settings).expect("repaired").is_some());
        }
    }

    #[test]
    fn a_copied_directory_is_still_trusted() {
        let scene = Scene::new("9.9.9", b"the executable");
        let path = scene.install().expect("the mirror has it").path;
        std::fs::write(&path, b"the executable").expect("writable");
        let file = std::fs::File::options()
            .append(true)
            .open(&path)
            .expect("there");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1))
            .expect("settable");
        assert!(present(&scene.settings).expect("the same bytes").is_some());
    }

    #[test]
    fn another_version_is_outdated_and_replaced() {
        let mut scene = Scene::new("9.9.8", b"old");
        scene.install().expect("the mirror has it");
        scene.publish("9.9.9", b"new");
        let reason = present(&scene.settings)
            .expect_err("another version")
            .to_string();
        assert_eq!(reason, "it is uv 9.9.8, and uv 9.9.9 is pinned");
        let checked = check(&scene.settings);
        assert!(
            matches!(&checked, Check::Outdated { found, pinned } if found.version == "9.9.8" && pinned == "9.9.9"),
            "{checked:?}"
        );
        assert_eq!(scene.install().expect("the mirror has it").version, "9.9.9");
    }

    #[test]
    fn leftovers_of_killed_predecessors_go() {
        let scene = Scene::new("9.9.9", b"the executable");
        let bin = scene.settings.home.bin();
        home::create_private_dir(&bin).expect("writable");
        for name in [".uv-abc.part", ".uv-abc.new", ".new-abc"] {
            std::fs::write(bin.join(name), b"half").expect("writable");
        }
        scene.install().expect("the mirror has it");
        assert_eq!(scene.placed(), [uv_name(), "uv.receipt.json"]);
    }

    #[test]
    fn bytes_that_are_not_pinned_are_refused_and_nothing_of_them_stays() {
        let scene = Scene::new("9.9.9", b"the executable");
        let wheel = scene.path("mirror").join("uv.whl");
        let (expected, _) = digest_of(&wheel).expect("readable");
        std::fs::write(&wheel, b"<html>").expect("writable");
        let (computed, _) = digest_of(&wheel).expect("readable");
        let error = scene.install().expect_err("other bytes");
        let text = error.to_string();
        for line in [
            format!("expected sha256: {expected}"),
            format!("computed sha256: {computed}"),
        ] {
            assert!(
                text.lines().any(|found| found.trim() == line),
                "{line} in {text}"
            );
        }
        assert!(
            text.contains("looks like a proxy or sign-in page"),
            "{text}"
        );
        assert_eq!(scene.placed(), Vec::<String>::new());
    }

    #[test]
    fn every_source_tells_its_own_cause_and_the_hints_say_what_to_do() {
        let scene = Scene::new("9.9.9", b"the executable");
        let wheel = scene.path("mirror").join("uv.whl");
        let (digest, _) = digest_of(&wheel).expect("readable");
        std::fs::remove_file(wheel).expect("there");
        let error = scene.install().expect_err("no source is left");
        let text = error.to_string();
        for part in [
            "mirror ",
            "there is no such file",
            "release nowhere",
            "no file is pinned",
        ] {
            assert!(text.contains(part), "{part} is missing in: {text}");
        }
        let hints = error.hints().join("\n");
        for part in [variable("uv.mirror"), &digest.to_string(), "on PATH"] {
            assert!(hints.contains(part), "{part} is missing in: {hints}");
        }
        assert_eq!(
            instructions(&scene.settings).len(),
            3,
            "a wheel alone is pinned"
        );
    }

    #[test]
    fn offline_a_folder_still_serves_and_the_network_is_not_asked() {
        let mut scene = Scene::new("9.9.9", b"the executable");
        scene.settings.offline = true;
        scene.install().expect("the folder has it");
        scene.settings.mirror = Some("http://127.0.0.1:9/".to_owned());
        let error = scene.install().expect_err("no network");
        assert!(
            error.to_string().contains("no network is to be used"),
            "{error}"
        );
    }

    #[test]
    fn a_broken_pin_file_is_named_and_not_used() {
        let scene = Scene::new("9.9.9", b"the executable");
        assert_eq!(pins_trouble(&scene.settings), None);
        std::fs::write(scene.path("pins.json"), b"{").expect("writable");
        let trouble = pins_trouble(&scene.settings).expect("it is broken");
        for part in ["pins.json", variable("uv.pins")] {
            assert!(trouble.contains(part), "{trouble}");
        }
        assert_ne!(Pins::load(&scene.settings).version, "9.9.9");
    }
}
