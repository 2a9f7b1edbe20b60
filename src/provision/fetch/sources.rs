//! Where the pinned uv is looked for, in which order, and what each place answered.
//!
//! The mirror that the user named comes first, then the release archive, then the package index that this machine is
//! set up for. What one source does wrong never stands in the way of the next.

use std::fmt;
use std::path::Path;

use super::address::{self, Address, without_login};
use super::download::{self, Downloader};
use super::pins::{Artifact, Pins};
use super::platform::Target;
use super::verify::Verified;
use super::{index, pip};
use crate::provision::Context;
use crate::settings::{Settings, Source, variable};

/// A kind of place that uv comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Mirror,
    Release,
    Index,
}

/// The pinned uv as it arrived, and the address that it came from.
#[derive(Debug)]
pub(crate) struct Obtained {
    pub verified: Verified,
    pub source: String,
}

/// What a place answered that did not lead to uv.
#[derive(Debug)]
pub(crate) struct Failure {
    pub place: Place,
    /// Which address, variable or file it is about.
    pub subject: String,
    pub error: Error,
}

/// Why a source did not lead to uv.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Download(#[from] download::Error),
    #[error(transparent)]
    Index(#[from] index::Error),
    #[error(transparent)]
    Address(#[from] address::Error),
    #[error("it is not asked, since no network is to be used")]
    Offline,
    #[error("none is set up")]
    NoIndex,
    #[error("no file is pinned for `{0}`")]
    NoPin(Target),
    #[error("`{0}` is not asked again, since it sent another file")]
    Refused(String),
}

impl Error {
    /// Whether the server would answer every other name in the same way.
    fn is_of_server(&self) -> bool {
        match self {
            Self::Download(error) => error.is_of_server(),
            Self::Offline => true,
            _ => false,
        }
    }

    fn is_mismatch(&self) -> bool {
        matches!(self, Self::Download(error) if error.is_mismatch())
    }

    fn is_final(&self) -> bool {
        matches!(self, Self::Download(error) if error.is_final())
    }

    /// What a person can do about it.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            Self::Download(error) => error.hints(),
            Self::NoIndex => vec![pip::advice()],
            Self::Index(_)
            | Self::Address(_)
            | Self::Offline
            | Self::NoPin(_)
            | Self::Refused(_) => Vec::new(),
        }
    }
}

/// Gets the pinned uv for a target from the first source that has it, into a temporary file in `dir`.
///
/// # Errors
/// What each source answered, in the order in which they were asked.
pub(crate) fn obtain(
    context: Context<'_>,
    pins: &Pins,
    target: Target,
    dir: &Path,
) -> Result<Obtained, Vec<Failure>> {
    let mut search = Search {
        context,
        pins,
        target,
        dir,
        downloader: None,
        failures: Vec::new(),
        refused: Vec::new(),
    };
    let source = context.settings.source;
    search
        .ask_mirror(source)
        .or_else(|| search.ask_release(source))
        .or_else(|| search.ask_indexes(source))
        .ok_or(search.failures)
}

/// The artifacts that a choice of source allows, the better one first.
fn allowed(source: Source, pins: &Pins, target: Target) -> Vec<Artifact> {
    let (archive, wheel) = (pins.archive(target), pins.wheel(target));
    let files = match source {
        Source::Auto => [archive, wheel],
        Source::Archive => [archive, None],
        Source::Index => [None, wheel],
    };
    files.into_iter().flatten().collect()
}

/// The folders of a mirror in which a file may be: like the release has it, or flat.
fn mirrored(base: &Address, pins: &Pins, artifact: &Artifact) -> [Address; 2] {
    [
        base.below(&[&pins.version, &artifact.file]),
        base.below(&[&artifact.file]),
    ]
}

/// Every address that would be asked for a file of known name, with the file; for people who fetch by hand.
pub(crate) fn known_addresses(
    pins: &Pins,
    target: Target,
    settings: &Settings,
) -> Vec<(Artifact, Option<String>)> {
    let release = Address::parse(pins.release_base(), &settings.cwd).ok();
    let archive = pins.archive(target).map(|artifact| {
        let address = release.map(|base| base.below(&[&artifact.file]).to_string());
        (artifact, address)
    });
    let wheel = pins.wheel(target).map(|artifact| (artifact, None));
    archive.into_iter().chain(wheel).collect()
}

/// One search through the sources.
struct Search<'a> {
    context: Context<'a>,
    pins: &'a Pins,
    target: Target,
    dir: &'a Path,
    /// Made when it is first needed: reading certificates takes time, and a mirror may be a folder.
    downloader: Option<Downloader<'a>>,
    failures: Vec<Failure>,
    /// What sent other bytes than the pinned ones.
    refused: Vec<Address>,
}

impl<'a> Search<'a> {
    fn ask_mirror(&mut self, source: Source) -> Option<Obtained> {
        let mirror = self.context.settings.mirror.as_deref()?;
        let base = match Address::parse(mirror, &self.context.settings.cwd) {
            Ok(base) => base,
            Err(error) => {
                return self.failed(
                    Place::Mirror,
                    format!("in `{}`", variable("uv.mirror")),
                    error.into(),
                );
            }
        };
        for artifact in allowed(source, self.pins, self.target) {
            for address in mirrored(&base, self.pins, &artifact) {
                match self.fetch(&address, &artifact) {
                    Ok(obtained) => return Some(obtained),
                    Err(error) => {
                        let over = error.is_of_server() || error.is_final();
                        self.failed::<()>(Place::Mirror, address.to_string(), error);
                        if over {
                            return None;
                        }
                    }
                }
            }
        }
        None
    }

    fn ask_release(&mut self, source: Source) -> Option<Obtained> {
        if source == Source::Index || self.is_over() {
            return None;
        }
        let base = self.pins.release_base();
        let Some(artifact) = self.pins.archive(self.target) else {
            let subject = without_login(base);
            return self.failed(Place::Release, subject, Error::NoPin(self.target));
        };
        let address = match Address::parse(base, &self.context.settings.cwd) {
            Ok(base) => base.below(&[&artifact.file]),
            Err(error) => {
                return self.failed(Place::Release, without_login(base), error.into());
            }
        };
        match self.fetch(&address, &artifact) {
            Ok(obtained) => Some(obtained),
            Err(error) => self.failed(Place::Release, address.to_string(), error),
        }
    }

    fn ask_indexes(&mut self, source: Source) -> Option<Obtained> {
        if source == Source::Archive || self.is_over() {
            return None;
        }
        let Some(artifact) = self.pins.wheel(self.target) else {
            let subject = format!("uv {}", self.pins.version);
            return self.failed(Place::Index, subject, Error::NoPin(self.target));
        };
        let indexes = pip::indexes(self.context.settings);
        if indexes.is_empty() {
            let subject = format!("for `{}`", artifact.file);
            return self.failed(Place::Index, subject, Error::NoIndex);
        }
        for index in indexes {
            let base = match index.address {
                Ok(base) => base,
                Err(error) => {
                    self.failed::<()>(Place::Index, index.origin, error.into());
                    continue;
                }
            };
            match self.ask_index(&base, &artifact) {
                Ok(obtained) => return Some(obtained),
                Err(error) => {
                    self.failed::<()>(Place::Index, format!("{base} ({})", index.origin), error);
                }
            }
            if self.is_over() {
                return None;
            }
        }
        None
    }

    fn ask_index(&mut self, base: &Address, artifact: &Artifact) -> Result<Obtained, Error> {
        let file = match base {
            Address::Web(_) => {
                let Address::Web(project) = base.below(&[index::PROJECT, ""]) else {
                    unreachable!("what lies below an http address has an http address");
                };
                let page = self.downloader()?.page(&project, index::ACCEPT)?;
                index::find(&page, &project, &artifact.file)?
            }
            Address::File(_) => base.below(&[index::PROJECT, &artifact.file]),
        };
        self.fetch(&file, artifact)
    }

    fn fetch(&mut self, address: &Address, artifact: &Artifact) -> Result<Obtained, Error> {
        if self.refused.contains(address) {
            return Err(Error::Refused(address.to_string()));
        }
        let fetched = self.fetch_once(address, artifact);
        if fetched.as_ref().is_err_and(Error::is_mismatch) {
            self.refused.push(address.clone());
        }
        Ok(Obtained {
            verified: fetched?,
            source: address.to_string(),
        })
    }

    fn fetch_once(&mut self, address: &Address, artifact: &Artifact) -> Result<Verified, Error> {
        let dir = self.dir;
        Ok(match address {
            Address::File(path) => download::copy(path, artifact, dir)?,
            Address::Web(address) => self.downloader()?.artifact(address, artifact, dir)?,
        })
    }

    fn downloader(&mut self) -> Result<&Downloader<'a>, Error> {
        if self.context.settings.offline {
            return Err(Error::Offline);
        }
        if self.downloader.is_none() {
            self.downloader = Some(Downloader::new(self.context)?);
        }
        Ok(self.downloader.as_ref().expect("it was just made"))
    }

    /// Keeps what went wrong, tells it, and answers with nothing.
    fn failed<T>(&mut self, place: Place, subject: String, error: Error) -> Option<T> {
        let failure = Failure {
            place,
            subject,
            error,
        };
        self.context.progress.note(&failure.to_string());
        self.failures.push(failure);
        None
    }

    /// Whether asking on can't lead anywhere.
    fn is_over(&self) -> bool {
        self.failures
            .last()
            .is_some_and(|failure| failure.error.is_final())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mirror => "mirror",
            Self::Release => "release",
            Self::Index => "package index",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.place, self.subject, self.error)
    }
}
