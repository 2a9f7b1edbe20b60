//! The pinned uv: its version, the files that hold it, and what they hash to.
//!
//! The pins are data compiled into the program, so that nothing but the program itself has to be trusted. A pin file
//! that the user names is used in its place; one that can't be used is named, and the compiled-in pins hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::platform::Target;
use crate::home::read_text;
use crate::settings::Settings;

/// What is compiled in; `scripts/refresh-pins` makes it anew.
const COMPILED_IN: &str = include_str!("../../../pins/uv.json");

/// The pinned uv.
#[derive(Debug, Clone)]
pub(crate) struct Pins {
    pub version: String,
    file: PinFile,
}

/// One file that holds uv for one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Artifact {
    /// Its file name, the same wherever it is published.
    pub file: String,
    pub sha256: Digest,
    /// In bytes, where known.
    pub size: Option<u64>,
    pub form: Form,
    /// The path of uv's executable inside it.
    pub member: String,
}

/// How an artifact is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    TarGz,
    Zip,
}

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest(pub [u8; 32]);

/// Why the pins can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("can't read the pin file `{}`: {source}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("the pin file `{}` is not a list of pins: {source}", path.display())]
    Parse {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
    #[error("the pin file `{}` is broken: {problem}", path.display())]
    Broken { path: PathBuf, problem: String },
}

#[derive(Debug, Clone, Deserialize)]
struct PinFile {
    version: String,
    archives: Archives,
    wheels: Vec<Wheel>,
}

#[derive(Debug, Clone, Deserialize)]
struct Archives {
    base: String,
    files: BTreeMap<String, Pin>,
}

#[derive(Debug, Clone, Deserialize)]
struct Pin {
    file: String,
    sha256: Digest,
    #[serde(default)]
    size: Option<u64>,
}

#[derive(Debug, Clone, Deserialize)]
struct Wheel {
    #[serde(flatten)]
    pin: Pin,
    targets: Vec<String>,
}

impl Pins {
    /// The pins that these settings ask for; the compiled-in ones where the user's own can't be used.
    pub(crate) fn load(settings: &Settings) -> Self {
        Self::of_user(settings)
            .and_then(Result::ok)
            .unwrap_or_else(Self::compiled_in)
    }

    /// Why the user's own pin file is not used, if there is one and it can't be.
    pub(crate) fn trouble(settings: &Settings) -> Option<Error> {
        Self::of_user(settings)?.err()
    }

    fn of_user(settings: &Settings) -> Option<Result<Self, Error>> {
        settings.pins.as_deref().map(Self::read)
    }

    fn compiled_in() -> Self {
        Self::parse(COMPILED_IN, Path::new("pins/uv.json"))
            .expect("the compiled-in pins are held against this parser by a test")
    }

    fn read(path: &Path) -> Result<Self, Error> {
        let text = read_text(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        let file: PinFile = serde_json::from_str(text).map_err(|source| Error::Parse {
            path: path.to_owned(),
            source,
        })?;
        match file.problem() {
            None => Ok(Self {
                version: file.version.clone(),
                file,
            }),
            Some(problem) => Err(Error::Broken {
                path: path.to_owned(),
                problem,
            }),
        }
    }

    /// The address below which the release's archives are.
    pub(crate) fn release_base(&self) -> &str {
        &self.file.archives.base
    }

    /// The release archive for a target.
    pub(crate) fn archive(&self, target: Target) -> Option<Artifact> {
        let pin = self.file.archives.files.get(target.name)?;
        let member = if is_zip(&pin.file) {
            executable(target).to_owned()
        } else {
            format!("uv-{}/{}", target.name, executable(target))
        };
        Some(pin.artifact(member))
    }

    /// The wheel for a target.
    pub(crate) fn wheel(&self, target: Target) -> Option<Artifact> {
        let serves = |wheel: &&Wheel| wheel.targets.iter().any(|name| name == target.name);
        let wheel = self.file.wheels.iter().find(serves)?;
        let member = format!("uv-{}.data/scripts/{}", self.version, executable(target));
        Some(wheel.pin.artifact(member))
    }
}

impl PinFile {
    /// What is wrong with it, if anything: file names become parts of paths and addresses, so they must be plain.
    fn problem(&self) -> Option<String> {
        let plain = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
                && !name.starts_with('.')
        };
        if !plain(&self.version) {
            return Some(format!("`{}` is not a version", self.version));
        }
        let wheels = self.wheels.iter().map(|wheel| &wheel.pin);
        self.archives
            .files
            .values()
            .chain(wheels)
            .find(|pin| !plain(&pin.file) || !(is_zip(&pin.file) || pin.file.ends_with(".tar.gz")))
            .map(|pin| {
                format!(
                    "`{}` is not the name of a .tar.gz, .zip or .whl file",
                    pin.file
                )
            })
    }
}

impl Pin {
    fn artifact(&self, member: String) -> Artifact {
        Artifact {
            file: self.file.clone(),
            sha256: self.sha256,
            size: self.size,
            form: if is_zip(&self.file) {
                Form::Zip
            } else {
                Form::TarGz
            },
            member,
        }
    }
}

/// A wheel is a zip archive too.
fn is_zip(file: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|extension| extension == "zip" || extension == "whl")
}

fn executable(target: Target) -> &'static str {
    if target.is_windows() { "uv.exe" } else { "uv" }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || format!("`{text}` is not a SHA-256 digest of 64 hexadecimal digits");
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| bad())?;
        }
        Ok(Self(bytes))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::provision::fetch::platform::TARGETS;

    #[test]
    fn every_target_has_exactly_one_archive_and_one_wheel() {
        let pins = Pins::compiled_in();
        assert_eq!(TARGETS.len(), 18);
        let mut files = BTreeSet::new();
        for target in TARGETS {
            let archive = pins.archive(*target).expect(target.name);
            let ending = if target.is_windows() {
                ".zip"
            } else {
                ".tar.gz"
            };
            assert_eq!(archive.file, format!("uv-{}{ending}", target.name));
            let serving = pins
                .file
                .wheels
                .iter()
                .filter(|wheel| wheel.targets.iter().any(|name| name == target.name));
            assert_eq!(serving.count(), 1, "wheels for {}", target.name);
            let wheel = pins.wheel(*target).expect(target.name);
            assert!(
                wheel.size.is_some_and(|size| size > 10_000_000),
                "{wheel:?}"
            );
            files.extend([archive.file, wheel.file]);
        }
        assert_eq!(files.len(), 36, "no two targets share a file: {files:#?}");
        assert_eq!(
            pins.file.archives.files.len(),
            18,
            "no archive without a target"
        );
    }

    #[test]
    fn wheels_fit_the_c_library_of_their_target() {
        let pins = Pins::compiled_in();
        for target in TARGETS {
            let wheel = pins.wheel(*target).expect(target.name).file;
            let expected = match target.name {
                name if name.contains("musl") && !name.starts_with("arm-") => "musllinux",
                name if name.contains("gnu") => "manylinux",
                name if name.contains("darwin") => "macosx",
                name if name.contains("windows") => "win",
                _ => "linux_armv6l",
            };
            assert!(wheel.contains(expected), "{}: {wheel}", target.name);
        }
    }

    #[test]
    fn members_are_where_each_form_keeps_them() {
        let pins = Pins::compiled_in();
        let member = |name: &str| {
            let target = *TARGETS.iter().find(|t| t.name == name).expect(name);
            let [archive, wheel] = [pins.archive(target), pins.wheel(target)];
            (
                archive.expect(name).member,
                wheel.expect(name).member.replace(&pins.version, "V"),
            )
        };
        assert_eq!(
            member("x86_64-unknown-linux-gnu"),
            (
                "uv-x86_64-unknown-linux-gnu/uv".to_owned(),
                "uv-V.data/scripts/uv".to_owned()
            )
        );
        assert_eq!(
            member("x86_64-pc-windows-msvc"),
            ("uv.exe".to_owned(), "uv-V.data/scripts/uv.exe".to_owned())
        );
    }

    #[test]
    fn a_broken_pin_file_is_named_with_its_problem() {
        let good_digest = "00".repeat(32);
        let file = |name: &str, digest: &str| {
            format!(
                r#"{{"version": "1.0", "wheels": [],
                    "archives": {{"base": "http://x", "files": {{"t": {{"file": "{name}", "sha256": "{digest}"}}}}}}}}"#
            )
        };
        for (text, part) in [
            ("{".to_owned(), "is not a list of pins"),
            (
                file("../uv.tar.gz", &good_digest),
                "`../uv.tar.gz` is not the name",
            ),
            (
                file("uv.exe", &good_digest),
                "`uv.exe` is not the name of a",
            ),
            (
                file("uv.zip", &good_digest).replace("1.0", ""),
                "is not a version",
            ),
        ] {
            let error = Pins::parse(&text, Path::new("mine.json")).expect_err(&text);
            assert!(
                error.to_string().contains("mine.json") && error.to_string().contains(part),
                "{text}: {error}"
            );
        }
        let error = Pins::parse(&file("uv.zip", "12"), Path::new("mine.json")).expect_err("short");
        let source = std::error::Error::source(&error).expect("the parser's words");
        assert!(source.to_string().contains("`12` is not a SHA-256 digest"));
        Pins::parse(&file("uv.zip", &good_digest), Path::new("mine.json")).expect("a good file");
    }
}
