//! What the servers serve: releases of uv (real, fake and broken), index pages, and a Python for uv to install.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use serde_json::json;
use sha2::{Digest, Sha256};

use super::http::{Reply, Server};
use super::pi::exe;
use super::{Place, python};

/// The version of uv that is pinned.
pub(crate) fn uv_version() -> String {
    let pins: serde_json::Value =
        serde_json::from_str(include_str!("../../pins/uv.json")).expect("the pin file is JSON");
    pins["version"].as_str().expect("a version").to_owned()
}

/// The targets that pi may take this machine for; a test's release serves each of them.
pub(crate) fn targets() -> Vec<String> {
    let arch = match std::env::consts::ARCH {
        "x86" => "i686",
        "powerpc64" => "powerpc64le",
        "riscv64" => "riscv64gc",
        other => other,
    };
    let systems: &[&str] = match std::env::consts::OS {
        "macos" => &["apple-darwin"],
        "windows" => &["pc-windows-msvc"],
        _ => &["unknown-linux-gnu", "unknown-linux-musl"],
    };
    systems
        .iter()
        .map(|system| format!("{arch}-{system}"))
        .collect()
}

/// The lower-case hex digest of `bytes`.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("a string takes everything");
    }
    text
}

/// One file of a release.
#[derive(Clone)]
pub(crate) struct Artifact {
    pub(crate) name: String,
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) sha256: String,
}

impl Artifact {
    fn new(name: String, bytes: Vec<u8>) -> Self {
        Self {
            name,
            sha256: sha256(&bytes),
            bytes: bytes.into(),
        }
    }

    /// The same bytes as a reply.
    pub(crate) fn reply(&self) -> Reply {
        Reply::file(&self.bytes)
    }

    /// As long and as well named, with one byte in the middle changed.
    pub(crate) fn spoiled(&self) -> Reply {
        let mut bytes = self.bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        Reply::file(bytes)
    }
}

/// How the release archive is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    TarGz,
    Zip,
}

/// A release of uv: the archive and the wheel of one version.
#[derive(Clone)]
pub(crate) struct Release {
    pub(crate) version: String,
    pub(crate) archive: Artifact,
    pub(crate) wheel: Artifact,
}

impl Release {
    /// A release whose uv is this executable.
    pub(crate) fn of(uv: &[u8], form: Form) -> Self {
        let version = uv_version();
        let target = &targets()[0];
        let (ending, packed) = match form {
            Form::TarGz => ("tar.gz", tar_gz(&[(&format!("uv-{target}/uv"), uv)])),
            Form::Zip => ("zip", zip(&[(&exe("uv"), uv)])),
        };
        let scripts = format!("uv-{version}.data/scripts/{}", exe("uv"));
        let metadata = format!("uv-{version}.dist-info/METADATA");
        let about = format!("Metadata-Version: 2.3\nName: uv\nVersion: {version}\n");
        let wheel = zip(&[(&scripts, uv), (&metadata, about.as_bytes())]);
        Self {
            archive: Artifact::new(format!("uv-{target}.{ending}"), packed),
            wheel: Artifact::new(format!("uv-{version}-py3-none-any.whl"), wheel),
            version,
        }
    }

    /// A release whose archive holds these bytes, whatever they are.
    pub(crate) fn with_archive(mut self, bytes: Vec<u8>) -> Self {
        self.archive = Artifact::new(self.archive.name, bytes);
        self
    }

    /// A pin file for it, the archives of which lie under `base`.
    pub(crate) fn pins(&self, base: &str) -> serde_json::Value {
        let files: serde_json::Map<String, serde_json::Value> = targets()
            .into_iter()
            .map(|target| {
                let pin = json!({
                    "file": self.archive.name,
                    "sha256": self.archive.sha256,
                    "size": self.archive.bytes.len(),
                });
                (target, pin)
            })
            .collect();
        json!({
            "version": self.version,
            "archives": {"base": base, "files": files},
            "wheels": [{
                "file": self.wheel.name,
                "sha256": self.wheel.sha256,
                "size": self.wheel.bytes.len(),
                "targets": targets(),
            }],
        })
    }

    /// The path of the archive on a server that [`Release::serve`] set up.
    pub(crate) fn archive_path(&self) -> String {
        format!("/release/{}", self.archive.name)
    }

    /// The path of the wheel on a server that [`Release::serve_index`] set up.
    pub(crate) fn wheel_path(&self) -> String {
        format!("/files/{}", self.wheel.name)
    }

    /// Serves the archive well.
    pub(crate) fn serve(&self, server: &Server) {
        server.route(&self.archive_path(), [self.archive.reply()]);
    }

    /// Serves an index in HTML form at `/simple`, and the wheel.
    pub(crate) fn serve_index(&self, server: &Server) {
        let page = format!(
            "<!DOCTYPE html><html><body><h1>Links for uv</h1>\n\
             <a href=\"../../files/uv-0.1.0-py3-none-any.whl#sha256={}\">uv-0.1.0-py3-none-any.whl</a><br/>\n\
             <a href=\"../../files/{name}#sha256={digest}\" data-requires-python=\"&gt;=3.8\">{name}</a><br/>\n\
             </body></html>\n",
            "0".repeat(64),
            name = self.wheel.name,
            digest = self.wheel.sha256,
        );
        server
            .route("/simple/uv/", [Reply::html(&page)])
            .route(&self.wheel_path(), [self.wheel.reply()]);
    }

    /// Serves an index in JSON form at `/simple`, and the wheel.
    pub(crate) fn serve_json_index(&self, server: &Server) {
        let page = json!({
            "meta": {"api-version": "1.0"},
            "name": "uv",
            "files": [
                {"filename": "uv-0.1.0.tar.gz", "url": "/files/uv-0.1.0.tar.gz", "hashes": {}},
                {
                    "filename": self.wheel.name,
                    "url": server.url(&self.wheel_path()),
                    "hashes": {"sha256": self.wheel.sha256},
                },
            ],
        });
        let page = Reply::file(page.to_string().into_bytes())
            .content_type("application/vnd.pypi.simple.v1+json")
            .without_ranges();
        server
            .route("/simple/uv/", [page])
            .route(&self.wheel_path(), [self.wheel.reply()]);
    }

    /// Tells a place to use this release, the archive of which `server` has under `/release`.
    pub(crate) fn pin_in(&self, place: &mut Place, server: &Server) {
        self.pin_at(place, &server.url("/release"));
    }

    /// Tells a place to use this release, the archives of which lie under `base`.
    pub(crate) fn pin_at(&self, place: &mut Place, base: &str) {
        let pins = place.write("pins.json", self.pins(base).to_string());
        place.set("PI_UV_PINS", pins);
    }
}

/// A tar.gz of executable files.
pub(crate) fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(gz());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o755);
        builder
            .append_data(&mut header, name, *bytes)
            .expect("memory takes everything");
    }
    finish(builder)
}

/// Fast: what is tested is not the compression.
pub(crate) fn gz() -> flate2::write::GzEncoder<Vec<u8>> {
    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast())
}

pub(crate) fn finish(builder: tar::Builder<flate2::write::GzEncoder<Vec<u8>>>) -> Vec<u8> {
    builder
        .into_inner()
        .and_then(flate2::write::GzEncoder::finish)
        .expect("memory takes everything")
}

/// A zip of executable files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .compression_level(Some(1))
        .unix_permissions(0o755);
    for (name, bytes) in files {
        writer
            .start_file(*name, options)
            .expect("memory takes everything");
        writer.write_all(bytes).expect("memory takes everything");
    }
    writer
        .finish()
        .expect("memory takes everything")
        .into_inner()
}

/// A small program of this system, which is no uv.
#[cfg(windows)]
pub(crate) fn small_program() -> Vec<u8> {
    let windows = PathBuf::from(std::env::var_os("SystemRoot").expect("Windows says where it is"));
    std::fs::read(windows.join("System32").join("hostname.exe")).expect("every Windows has it")
}

/// The wheel of the pinned uv for this machine, fetched once by pip and kept for later test runs.
#[track_caller]
pub(crate) fn real_wheel() -> &'static Path {
    static WHEEL: OnceLock<PathBuf> = OnceLock::new();
    WHEEL.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wheel-{}", uv_version()));
        std::fs::create_dir_all(&dir).expect("the target directory is writable");
        // Another test process may be at it.
        let lock =
            std::fs::File::create(dir.join("lock")).expect("the target directory is writable");
        lock.lock().expect("the file system has locks");
        let wheel = || {
            std::fs::read_dir(&dir)
                .ok()?
                .flatten()
                .map(|entry| entry.path())
                .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        };
        wheel().unwrap_or_else(|| {
            let new = tempfile::tempdir_in(&dir).expect("the target directory is writable");
            let pip = pip(&["download", "--no-deps", "--only-binary", ":all:", "--dest"])
                .arg(new.path())
                .arg(format!("uv=={}", uv_version()))
                .output()
                .expect("the interpreter starts");
            assert!(pip.status.success(), "pip can't get uv: {pip:?}");
            for entry in std::fs::read_dir(new.path()).expect("readable").flatten() {
                std::fs::rename(entry.path(), dir.join(entry.file_name())).expect("writable");
            }
            wheel().expect("pip said that it downloaded the wheel")
        })
    })
}

/// The pinned uv itself, from its wheel.
#[track_caller]
pub(crate) fn real_uv() -> &'static [u8] {
    static UV: OnceLock<Vec<u8>> = OnceLock::new();
    UV.get_or_init(|| {
        let file = std::fs::File::open(real_wheel()).expect("it was downloaded");
        let mut wheel = zip::ZipArchive::new(file).expect("a wheel is a zip");
        let name = format!("uv-{}.data/scripts/{}", uv_version(), exe("uv"));
        let mut uv = Vec::new();
        wheel
            .by_name(&name)
            .expect("the wheel holds uv")
            .read_to_end(&mut uv)
            .expect("the wheel is whole");
        uv
    })
}

/// The real uv as an executable file, under the target directory.
#[cfg(unix)]
#[track_caller]
pub(crate) fn real_uv_file() -> &'static Path {
    use std::os::unix::fs::PermissionsExt;
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("uv-{}", uv_version()));
        std::fs::create_dir_all(&dir).expect("the target directory is writable");
        let file = dir.join("uv");
        let mut new = tempfile::NamedTempFile::new_in(&dir).expect("writable");
        new.write_all(real_uv()).expect("writable");
        new.as_file()
            .set_permissions(std::fs::Permissions::from_mode(0o755))
            .expect("owned");
        new.into_temp_path().persist(&file).expect("writable");
        file
    })
}

/// The address of the Python package index that this machine is set up for, as pip knows it.
#[track_caller]
pub(crate) fn index_address() -> String {
    let configured = pip(&["config", "get", "global.index-url"])
        .output()
        .expect("the interpreter starts");
    let output = if configured.status.success() {
        configured
    } else {
        Command::new(&python::real().path)
            .args([
                "-c",
                "from pip._internal.models.index import PyPI; print(PyPI.simple_url)",
            ])
            .output()
            .expect("the interpreter starts")
    };
    let text = String::from_utf8(output.stdout).expect("an address is text");
    assert!(text.trim().contains("://"), "pip names no index: {text:?}");
    text.trim().to_owned()
}

fn pip(args: &[&str]) -> Command {
    let mut command = Command::new(&python::real().path);
    command.args(["-m", "pip"]).args(args);
    command
}

/// A tarball like those that uv installs Python from, made of the interpreter that runs here.
#[cfg(unix)]
#[track_caller]
pub(crate) fn python_tarball() -> &'static Artifact {
    static TARBALL: OnceLock<Artifact> = OnceLock::new();
    TARBALL.get_or_init(|| {
        let real = python::real();
        let name = format!("python{}", real.minor());
        let mut builder = tar::Builder::new(gz());
        builder.follow_symlinks(true);
        let mut append = |from: &Path, to: &str| {
            builder
                .append_path_with_name(from, to)
                .unwrap_or_else(|error| panic!("can't pack {}: {error}", from.display()));
        };
        append(&real.path, &format!("python/bin/{name}"));
        for alias in ["python3", "python"] {
            // Copies would double the size; links are what the real ones have.
            append(&alias_of(&name), &format!("python/bin/{alias}"));
        }
        let library = real.prefix.join("lib");
        for file in library_files(&library.join(&name)) {
            append(
                &library.join(&name).join(&file),
                &format!("python/lib/{name}/{}", file.display()),
            );
        }
        for entry in std::fs::read_dir(&library).expect("readable").flatten() {
            let file = entry.file_name().to_string_lossy().into_owned();
            if file.starts_with("libpython") {
                append(&entry.path(), &format!("python/lib/{file}"));
            }
        }
        Artifact::new("cpython.tar.gz".into(), finish(builder))
    })
}

/// A launcher for the interpreter beside it, which also stands for the shims that real installations have.
#[cfg(unix)]
fn alias_of(name: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("launcher-{name}"));
    let script = format!("#!/bin/sh\nexec \"$(dirname \"$0\")/{name}\" \"$@\"\n");
    std::fs::write(&file, script).expect("the target directory is writable");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("owned");
    file
}

/// The standard library without what no test needs.
#[cfg(unix)]
fn library_files(dir: &Path) -> Vec<PathBuf> {
    const LEFT_OUT: &[&str] = &[
        "site-packages",
        "dist-packages",
        "test",
        "tests",
        "__pycache__",
        "idlelib",
        "tkinter",
        "lib2to3",
        "ensurepip",
        "turtledemo",
        "pydoc_data",
    ];
    let mut files = super::pi::files_below(dir);
    files.retain(|file| {
        !file.components().any(|part| {
            let part = part.as_os_str().to_string_lossy();
            LEFT_OUT.contains(&&*part) || part.starts_with("config-")
        }) && dir.join(file).is_file()
    });
    files
}

/// A downloads list for `UV_PYTHON_DOWNLOADS_JSON_URL` that holds one Python, at `url`.
#[cfg(unix)]
pub(crate) fn python_downloads(url: &str) -> String {
    let version = &python::real().version;
    let mut numbers = version
        .split('.')
        .map(|number| number.parse::<u32>().expect("a final release"));
    let mut number = || numbers.next().expect("three numbers");
    let (os, libc) = match std::env::consts::OS {
        "macos" => ("darwin", "none"),
        _ => ("linux", "gnu"),
    };
    let arch = std::env::consts::ARCH;
    json!({
        format!("cpython-{version}-{os}-{arch}-{libc}"): {
            "name": "cpython",
            "arch": {"family": arch, "variant": null},
            "os": os,
            "libc": libc,
            "major": number(),
            "minor": number(),
            "patch": number(),
            "prerelease": "",
            "url": url,
            "sha256": python_tarball().sha256,
            "variant": null,
            "build": "20260101",
        }
    })
    .to_string()
}

/// Serves a Python for uv to install, and tells the place where it is and which version.
#[cfg(unix)]
#[track_caller]
pub(crate) fn serve_python(place: &mut Place, server: &Server) {
    let list = python_downloads(&server.url("/python.tar.gz"));
    server
        .route("/python.tar.gz", [python_tarball().reply()])
        .route("/downloads.json", [Reply::file(list).without_ranges()]);
    place.set(
        "UV_PYTHON_DOWNLOADS_JSON_URL",
        server.url("/downloads.json"),
    );
    place.set("PI_PYTHON_INSTALL", python::real().version.clone());
}

/// A uv of a few lines of shell.
#[cfg(unix)]
pub(crate) struct FakeUv {
    version: String,
    found: Option<PathBuf>,
    searches: bool,
    installs: bool,
    log: Option<PathBuf>,
    first: String,
}

#[cfg(unix)]
impl FakeUv {
    /// A uv of the pinned version that finds the Python which runs here.
    pub(crate) fn new() -> Self {
        Self {
            version: uv_version(),
            found: Some(python::real().path.clone()),
            searches: false,
            installs: false,
            log: None,
            first: String::new(),
        }
    }

    /// Says that it is this version.
    pub(crate) fn version(mut self, version: &str) -> Self {
        version.clone_into(&mut self.version);
        self
    }

    /// Finds this Python.
    pub(crate) fn finds(mut self, path: impl Into<PathBuf>) -> Self {
        self.found = Some(path.into());
        self
    }

    /// Finds what the caller's PATH has under Python's name.
    pub(crate) fn searches(mut self) -> Self {
        self.found = None;
        self.searches = true;
        self
    }

    /// Finds no Python before it has installed one.
    pub(crate) fn installs(mut self) -> Self {
        self.found = None;
        self.installs = true;
        self
    }

    /// Finds no Python and can install none.
    pub(crate) fn helpless(mut self) -> Self {
        self.found = None;
        self.installs = false;
        self
    }

    /// Appends its arguments to this file, a line a call.
    pub(crate) fn logs_to(mut self, file: impl Into<PathBuf>) -> Self {
        self.log = Some(file.into());
        self
    }

    /// Runs these shell lines before anything else.
    pub(crate) fn first(mut self, lines: &str) -> Self {
        lines.clone_into(&mut self.first);
        self
    }

    /// The script.
    pub(crate) fn script(&self) -> String {
        let real = python::real();
        let name = format!("python{}", real.minor());
        let log = (self.log.as_ref()).map_or_else(String::new, |log| {
            format!("echo \"$*\" >> '{}'", log.display())
        });
        let found = (self.found.as_ref()).map_or_else(
            || "none".to_owned(),
            |path| format!("echo '{}'", path.display()),
        );
        let found = if self.searches {
            "found=$(PATH=$callers; command -v python3 || command -v python) && echo \"$found\" || none".to_owned()
        } else {
            found
        };
        let install = if self.installs {
            // Made under another name and renamed, as the real one does.
            format!(
                "new=\"$UV_PYTHON_INSTALL_DIR/.temp/$$\"\n\
                 mkdir -p \"$new/bin\" \"$new/lib\"\n\
                 ln -s '{lib}' \"$new/lib/{name}\"\n\
                 cp '{exe}' \"$new/bin/{name}\"\n\
                 case \"$*\" in *--reinstall*) rm -rf \"$made\" ;; esac\n\
                 test -e \"$made\" || mv \"$new\" \"$made\"",
                lib = real.prefix.join("lib").join(&name).display(),
                exe = real.path.display(),
            )
        } else {
            "echo 'error: no downloads on this fake' >&2; exit 2".to_owned()
        };
        format!(
            r#"#!/bin/sh
callers=$PATH
PATH='{path}'
{first}
{log}
made="$UV_PYTHON_INSTALL_DIR/cpython-{full}-fake"
none() {{ echo "error: No interpreter found for Python >=3.10 in managed installations or search path" >&2; exit 2; }}
case "$*" in
  *--version*|*-V*) echo "uv {version} (fake)" ;;
  *"python find"*)
    if [ -n "$UV_PYTHON_INSTALL_DIR" ] && [ -e "$made/bin/{name}" ]; then echo "$made/bin/{name}"
    else case "$*" in *only-managed*) none ;; esac; {found}
    fi ;;
  *"python install"*|*"python upgrade"*) {install} ;;
  *"python list"*) ;;
  *) echo "error: the fake uv does not know: $*" >&2; exit 2 ;;
esac
"#,
            path = std::env::var("PATH").unwrap_or_default(),
            first = self.first,
            full = real.version,
            version = self.version,
        )
    }

    /// A release of it.
    pub(crate) fn release(&self) -> Release {
        Release::of(self.script().as_bytes(), Form::TarGz)
    }
}

/// The harness's own tests.
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_uv_installs_what_it_then_finds() {
        let place = Place::new();
        let uv = place.script("uv", &FakeUv::new().installs().script());
        let run = |args: &[&str]| {
            Command::new(&uv)
                .args(args)
                .env("UV_PYTHON_INSTALL_DIR", place.path().join("pythons"))
                .output()
                .unwrap()
        };
        assert!(run(&["--version"]).stdout.starts_with(b"uv "));
        assert!(!run(&["python", "find", ">=3.10"]).status.success());
        assert!(run(&["python", "install", "3.13"]).status.success());
        let found = run(&["--no-config", "python", "find", ">=3.10"]);
        let path = String::from_utf8(found.stdout).unwrap();
        assert!(Path::new(path.trim()).exists(), "{path}");
    }

    #[test]
    fn the_real_uv_installs_the_packed_python() {
        let mut place = Place::new();
        let server = Server::new();
        serve_python(&mut place, &server);
        let uv = |args: &[&str]| {
            Command::new(real_uv_file())
                .args(args)
                .env_clear()
                .env("HOME", place.home())
                .env("PATH", place.bin())
                .env("UV_PYTHON_INSTALL_BIN", "0")
                .env("UV_PYTHON_INSTALL_DIR", place.path().join("pythons"))
                .env("UV_CACHE_DIR", place.path().join("cache"))
                .env(
                    "UV_PYTHON_DOWNLOADS_JSON_URL",
                    server.url("/downloads.json"),
                )
                .output()
                .unwrap()
        };
        let installed = uv(&["python", "install", &python::real().version]);
        assert!(installed.status.success(), "{installed:?}");
        let found = uv(&["python", "find", ">=3.10"]);
        let path = String::from_utf8(found.stdout).unwrap();
        let answer = Command::new(path.trim())
            .args([
                "-I",
                "-c",
                "import sys, json, ssl; print(sys.version_info[:2])",
            ])
            .output()
            .unwrap();
        assert!(answer.status.success(), "{answer:?}");
    }

    #[test]
    fn the_index_of_this_machine_is_known_to_pip() {
        assert!(index_address().starts_with("http"));
    }
}
