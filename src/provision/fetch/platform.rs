//! Which build of uv fits this machine: a pure decision over a few facts, and the probe that gathers them.
//!
//! A glibc build is chosen only where a new enough glibc was seen; the musl builds are static and run everywhere else
//! on Linux. Android never gets a desktop Linux build, since those do not run on Bionic.

use std::path::Path;

use crate::provision::termux;
use crate::settings::Environment;

/// A platform that uv is published for, by its target triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    pub name: &'static str,
}

impl Target {
    pub(crate) fn is_windows(self) -> bool {
        self.name.contains("-windows-")
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Every target, by name.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "aarch64-apple-darwin",
    },
    Target {
        name: "aarch64-pc-windows-msvc",
    },
    Target {
        name: "aarch64-unknown-linux-gnu",
    },
    Target {
        name: "aarch64-unknown-linux-musl",
    },
    Target {
        name: "arm-unknown-linux-musleabihf",
    },
    Target {
        name: "armv7-unknown-linux-gnueabihf",
    },
    Target {
        name: "armv7-unknown-linux-musleabihf",
    },
    Target {
        name: "i686-pc-windows-msvc",
    },
    Target {
        name: "i686-unknown-linux-gnu",
    },
    Target {
        name: "i686-unknown-linux-musl",
    },
    Target {
        name: "powerpc64le-unknown-linux-gnu",
    },
    Target {
        name: "riscv64gc-unknown-linux-gnu",
    },
    Target {
        name: "riscv64gc-unknown-linux-musl",
    },
    Target {
        name: "s390x-unknown-linux-gnu",
    },
    Target {
        name: "x86_64-apple-darwin",
    },
    Target {
        name: "x86_64-pc-windows-msvc",
    },
    Target {
        name: "x86_64-unknown-linux-gnu",
    },
    Target {
        name: "x86_64-unknown-linux-musl",
    },
];

/// Why there is no build for this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("desktop Linux builds of uv do not run on Android")]
    Android,
    #[error("uv is not published for {arch} on {os}")]
    Unsupported { os: String, arch: String },
    #[error("uv for {arch} needs glibc {}.{} or newer, and there is {found}", needed.0, needed.1)]
    OldGlibc {
        arch: String,
        needed: (u32, u32),
        found: String,
    },
}

impl Error {
    /// What a person can do about it.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            Self::Android => vec!["run `pkg install -y uv`".to_owned()],
            Self::Unsupported { .. } | Self::OldGlibc { .. } => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                vec![
                    format!("supported are: {}", names.join(", ")),
                    "to use a uv of your own, put it on PATH; a Python on PATH is used as it is"
                        .to_owned(),
                ]
            }
        }
    }
}

/// What the decision rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    /// As `std::env::consts::OS` says.
    pub os: String,
    /// As `std::env::consts::ARCH` says, but `armv6`, `armv7` and `powerpc64le` told apart.
    pub arch: String,
    pub libc: CLibrary,
}

/// The C library of a Linux machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CLibrary {
    /// glibc, with its version.
    Glibc(u32, u32),
    /// Another one, or none that was recognised.
    Other,
}

/// The target for this machine.
///
/// # Errors
/// Where no build fits.
pub(crate) fn target(environment: &Environment) -> Result<Target, Error> {
    choose(&Facts::of_this_machine(environment))
}

impl Facts {
    fn of_this_machine(environment: &Environment) -> Self {
        let os = if termux::is_in(environment) {
            "android"
        } else {
            std::env::consts::OS
        };
        let arch = architecture();
        Self {
            libc: c_library(&arch),
            os: os.to_owned(),
            arch,
        }
    }
}

fn architecture() -> String {
    let arch = std::env::consts::ARCH;
    match arch {
        // Compilers call both by one name; what the processor can do is asked of the system.
        "arm" => if machine().starts_with("armv6") {
            "armv6"
        } else {
            "armv7"
        }
        .to_owned(),
        "powerpc64" if cfg!(target_endian = "little") => "powerpc64le".to_owned(),
        other => other.to_owned(),
    }
}

/// The build that fits these facts.
fn choose(facts: &Facts) -> Result<Target, Error> {
    let name = match (facts.os.as_str(), facts.arch.as_str()) {
        ("android", _) => return Err(Error::Android),
        ("linux", arch) => return choose_linux(arch, facts.libc),
        ("macos", "aarch64") => "aarch64-apple-darwin",
        ("macos", "x86_64") => "x86_64-apple-darwin",
        ("windows", "aarch64") => "aarch64-pc-windows-msvc",
        ("windows", "x86_64") => "x86_64-pc-windows-msvc",
        ("windows", "x86") => "i686-pc-windows-msvc",
        (os, arch) => return Err(unsupported(os, arch)),
    };
    Ok(known(name))
}

/// The builds for one architecture on Linux.
struct LinuxBuilds {
    /// The glibc build, and the oldest glibc that both its archive and its wheel run on.
    gnu: Option<(&'static str, (u32, u32))>,
    musl: Option<&'static str>,
}

fn choose_linux(arch: &str, libc: CLibrary) -> Result<Target, Error> {
    let builds = match arch {
        "x86_64" => LinuxBuilds {
            gnu: Some(("x86_64-unknown-linux-gnu", (2, 17))),
            musl: Some("x86_64-unknown-linux-musl"),
        },
        "aarch64" => LinuxBuilds {
            gnu: Some(("aarch64-unknown-linux-gnu", (2, 28))),
            musl: Some("aarch64-unknown-linux-musl"),
        },
        "x86" => LinuxBuilds {
            gnu: Some(("i686-unknown-linux-gnu", (2, 17))),
            musl: Some("i686-unknown-linux-musl"),
        },
        "armv7" => LinuxBuilds {
            gnu: Some(("armv7-unknown-linux-gnueabihf", (2, 17))),
            musl: Some("armv7-unknown-linux-musleabihf"),
        },
        "armv6" => LinuxBuilds {
            gnu: None,
            musl: Some("arm-unknown-linux-musleabihf"),
        },
        "riscv64" => LinuxBuilds {
            gnu: Some(("riscv64gc-unknown-linux-gnu", (2, 31))),
            musl: Some("riscv64gc-unknown-linux-musl"),
        },
        "powerpc64le" => LinuxBuilds {
            gnu: Some(("powerpc64le-unknown-linux-gnu", (2, 17))),
            musl: None,
        },
        "s390x" => LinuxBuilds {
            gnu: Some(("s390x-unknown-linux-gnu", (2, 17))),
            musl: None,
        },
        _ => return Err(unsupported("linux", arch)),
    };
    match (builds.gnu, libc, builds.musl) {
        (Some((gnu, oldest)), CLibrary::Glibc(major, minor), _) if (major, minor) >= oldest => {
            Ok(known(gnu))
        }
        (_, _, Some(musl)) => Ok(known(musl)),
        (Some((_, needed)), libc, None) => Err(Error::OldGlibc {
            arch: arch.to_owned(),
            needed,
            found: match libc {
                CLibrary::Glibc(major, minor) => format!("glibc {major}.{minor}"),
                CLibrary::Other => "none".to_owned(),
            },
        }),
        (None, _, None) => Err(unsupported("linux", arch)),
    }
}

fn known(name: &str) -> Target {
    *TARGETS
        .iter()
        .find(|target| target.name == name)
        .expect("every name in this file is in the table of targets")
}

fn unsupported(os: &str, arch: &str) -> Error {
    Error::Unsupported {
        os: os.to_owned(),
        arch: arch.to_owned(),
    }
}

/// The C library: asked of the library itself where this program is linked against it, else read from its file.
fn c_library(arch: &str) -> CLibrary {
    probe::running_against().unwrap_or_else(|| glibc_in(Path::new("/"), arch))
}

/// The processor, as `uname -m` says.
#[cfg(unix)]
fn machine() -> String {
    rustix::system::uname()
        .machine()
        .to_string_lossy()
        .into_owned()
}

#[cfg(not(unix))]
fn machine() -> String {
    std::env::consts::ARCH.to_owned()
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod probe {
    use super::{CLibrary, parse_version};

    /// The version of the glibc that this program runs on.
    #[expect(
        unsafe_code,
        reason = "glibc gives its version through a C function alone"
    )]
    pub(super) fn running_against() -> Option<CLibrary> {
        // SAFETY: the function takes nothing and returns a pointer to a static string that ends in NUL.
        let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
        parse_version(version.to_bytes())
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod probe {
    use super::CLibrary;

    /// A program that is not linked against glibc can't ask it.
    pub(super) fn running_against() -> Option<CLibrary> {
        None
    }
}

/// The glibc installed below `root`, judged by its loader and its library file.
///
/// A loader alone proves nothing: compatibility layers over musl bring one too. Where no version is found the answer
/// is [`CLibrary::Other`], which leads to a static build.
fn glibc_in(root: &Path, arch: &str) -> CLibrary {
    let (loader, triplet) = match arch {
        "x86_64" => ("lib64/ld-linux-x86-64.so.2", "x86_64-linux-gnu"),
        "aarch64" => ("lib/ld-linux-aarch64.so.1", "aarch64-linux-gnu"),
        "x86" => ("lib/ld-linux.so.2", "i386-linux-gnu"),
        "armv7" | "armv6" => ("lib/ld-linux-armhf.so.3", "arm-linux-gnueabihf"),
        "riscv64" => ("lib/ld-linux-riscv64-lp64d.so.1", "riscv64-linux-gnu"),
        "powerpc64le" => ("lib64/ld64.so.2", "powerpc64le-linux-gnu"),
        "s390x" => ("lib/ld64.so.1", "s390x-linux-gnu"),
        _ => return CLibrary::Other,
    };
    let Ok(loader) = std::fs::canonicalize(root.join(loader)) else {
        return CLibrary::Other;
    };
    let dirs = [
        loader.parent().map(Path::to_owned),
        Some(root.join("lib64")),
        Some(root.join("lib").join(triplet)),
        Some(root.join("usr/lib64")),
        Some(root.join("usr/lib").join(triplet)),
        Some(root.join("lib")),
        Some(root.join("usr/lib")),
    ];
    dirs.into_iter()
        .flatten()
        .find_map(|dir| {
            let library = std::fs::read(dir.join("libc.so.6")).ok()?;
            version_in_library(&library)
        })
        .unwrap_or(CLibrary::Other)
}

/// Finds `GNU C Library (…) … release version 2.36` in a library's strings.
fn version_in_library(library: &[u8]) -> Option<CLibrary> {
    let banner = memchr::memmem::find(library, b"GNU C Library")?;
    let banner = &library[banner..library.len().min(banner + 200)];
    let version = memchr::memmem::find(banner, b" version ")?;
    parse_version(&banner[version + b" version ".len()..])
}

/// Reads `2.36` at the start of a text.
fn parse_version(text: &[u8]) -> Option<CLibrary> {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit() && *byte != b'.')
        .unwrap_or(text.len());
    let mut parts = std::str::from_utf8(&text[..end]).ok()?.split('.');
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next()?.parse().ok()?;
    Some(CLibrary::Glibc(major, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(os: &str, arch: &str, libc: CLibrary) -> Result<&'static str, Error> {
        choose(&Facts {
            os: os.to_owned(),
            arch: arch.to_owned(),
            libc,
        })
        .map(|target| target.name)
    }

    #[test]
    fn the_build_follows_system_processor_and_c_library() {
        use CLibrary::{Glibc, Other};
        for (os, arch, libc, expected) in [
            ("linux", "x86_64", Glibc(2, 36), "x86_64-unknown-linux-gnu"),
            ("linux", "x86_64", Glibc(2, 17), "x86_64-unknown-linux-gnu"),
            ("linux", "x86_64", Glibc(2, 12), "x86_64-unknown-linux-musl"),
            ("linux", "x86_64", Other, "x86_64-unknown-linux-musl"),
            (
                "linux",
                "aarch64",
                Glibc(2, 28),
                "aarch64-unknown-linux-gnu",
            ),
            (
                "linux",
                "aarch64",
                Glibc(2, 27),
                "aarch64-unknown-linux-musl",
            ),
            ("linux", "x86", Glibc(2, 31), "i686-unknown-linux-gnu"),
            ("linux", "x86", Other, "i686-unknown-linux-musl"),
            (
                "linux",
                "armv7",
                Glibc(2, 31),
                "armv7-unknown-linux-gnueabihf",
            ),
            ("linux", "armv7", Other, "armv7-unknown-linux-musleabihf"),
            (
                "linux",
                "armv6",
                Glibc(2, 31),
                "arm-unknown-linux-musleabihf",
            ),
            (
                "linux",
                "riscv64",
                Glibc(2, 31),
                "riscv64gc-unknown-linux-gnu",
            ),
            (
                "linux",
                "riscv64",
                Glibc(2, 30),
                "riscv64gc-unknown-linux-musl",
            ),
            (
                "linux",
                "powerpc64le",
                Glibc(2, 34),
                "powerpc64le-unknown-linux-gnu",
            ),
            ("linux", "s390x", Glibc(2, 34), "s390x-unknown-linux-gnu"),
            ("macos", "aarch64", Other, "aarch64-apple-darwin"),
            ("macos", "x86_64", Other, "x86_64-apple-darwin"),
            ("windows", "x86_64", Other, "x86_64-pc-windows-msvc"),
            ("windows", "x86", Other, "i686-pc-windows-msvc"),
            ("windows", "aarch64", Other, "aarch64-pc-windows-msvc"),
        ] {
            assert_eq!(chosen(os, arch, libc), Ok(expected), "{os} {arch} {libc:?}");
        }
    }

    #[test]
    fn a_machine_without_a_build_learns_what_there_is() {
        let error = chosen("freebsd", "x86_64", CLibrary::Other).expect_err("no build");
        assert_eq!(
            error.to_string(),
            "uv is not published for x86_64 on freebsd"
        );
        let hints = error.hints().join("\n");
        for part in ["x86_64-unknown-linux-musl", "on PATH"] {
            assert!(hints.contains(part), "{part} is missing in: {hints}");
        }
        let error = chosen("linux", "s390x", CLibrary::Other).expect_err("no musl build");
        assert!(error.to_string().contains("needs glibc 2.17"), "{error}");
    }

    #[test]
    fn android_never_gets_a_desktop_build() {
        for arch in ["aarch64", "x86_64", "arm"] {
            assert_eq!(
                chosen("android", arch, CLibrary::Glibc(2, 36)),
                Err(Error::Android)
            );
        }
        let mut environment = Environment::default();
        environment.set("TERMUX_VERSION", "0.118");
        assert_eq!(target(&environment), Err(Error::Android));
        environment.remove("TERMUX_VERSION");
        environment.set("PREFIX", "/data/data/com.termux/files/usr");
        assert_eq!(target(&environment), Err(Error::Android));
    }

    #[test]
    fn glibc_is_recognised_by_its_library_not_by_its_loader() {
        let root = tempfile::tempdir().expect("a scratch directory");
        let dir = root.path();
        assert_eq!(glibc_in(dir, "x86_64"), CLibrary::Other);
        std::fs::create_dir_all(dir.join("lib64")).expect("writable");
        std::fs::write(dir.join("lib64/ld-linux-x86-64.so.2"), "compat").expect("writable");
        assert_eq!(glibc_in(dir, "x86_64"), CLibrary::Other, "a loader alone");
        let banner = b"\0\x7fELF GNU C Library (Debian GLIBC 2.31-13) stable release version 2.31.\nCopyright";
        std::fs::write(dir.join("lib64/libc.so.6"), banner).expect("writable");
        assert_eq!(glibc_in(dir, "x86_64"), CLibrary::Glibc(2, 31));
        std::fs::write(dir.join("lib64/libc.so.6"), "musl libc").expect("writable");
        assert_eq!(glibc_in(dir, "x86_64"), CLibrary::Other);
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn both_ways_of_asking_this_machine_agree() {
        let arch = architecture();
        assert_eq!(c_library(&arch), glibc_in(Path::new("/"), &arch));
    }
}
