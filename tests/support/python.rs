//! Pythons for tests: a real one of this machine, private copies of it, and impostors.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A Python that pi should accept, as it is on this machine.
#[derive(Debug, Clone)]
pub(crate) struct Real {
    /// The executable behind every shim and link.
    pub(crate) path: PathBuf,
    /// Such as `3.11.7`.
    pub(crate) version: String,
    /// `sys.base_prefix`.
    pub(crate) prefix: PathBuf,
}

impl Real {
    /// Such as `3.11`.
    pub(crate) fn minor(&self) -> &str {
        self.version.rsplit_once('.').expect("a version has dots").0
    }
}

/// The first suitable Python on the PATH of the test run.
#[track_caller]
pub(crate) fn real() -> &'static Real {
    static REAL: OnceLock<Real> = OnceLock::new();
    REAL.get_or_init(|| {
        const ASK: &str = "import os, platform, sys\n\
            assert sys.version_info >= (3, 10)\n\
            print(os.path.realpath(getattr(sys, '_base_executable', '') or sys.executable))\n\
            print(platform.python_version())\n\
            print(sys.base_prefix)";
        let names = [
            "python3",
            "python",
            "python3.13",
            "python3.12",
            "python3.11",
        ];
        names
            .iter()
            .find_map(|name| {
                let output = Command::new(name).args(["-I", "-c", ASK]).output().ok()?;
                let text = String::from_utf8(output.stdout).ok()?;
                let mut lines = text.lines();
                output.status.success().then(|| Real {
                    path: lines.next().unwrap_or_default().into(),
                    version: lines.next().unwrap_or_default().into(),
                    prefix: lines.next().unwrap_or_default().into(),
                })
            })
            .expect("these tests need a Python 3.10 or newer on PATH")
    })
}

/// A Python of its own below `dir`: the executable is a copy, the library a link. Deleting it harms nobody.
#[cfg(unix)]
#[track_caller]
pub(crate) fn private(dir: &Path) -> PathBuf {
    let real = real();
    let name = format!("python{}", real.minor());
    let library = Path::new("lib").join(&name);
    std::fs::create_dir_all(dir.join("bin")).unwrap();
    std::fs::create_dir_all(dir.join("lib")).unwrap();
    std::os::unix::fs::symlink(real.prefix.join(&library), dir.join(&library)).unwrap();
    for entry in std::fs::read_dir(real.prefix.join("lib"))
        .unwrap()
        .flatten()
    {
        let file = entry.file_name();
        if file.to_string_lossy().starts_with("libpython") {
            std::os::unix::fs::symlink(entry.path(), dir.join("lib").join(file)).unwrap();
        }
    }
    let path = dir.join("bin").join(name);
    std::fs::copy(&real.path, &path).expect("the interpreter can be copied");
    path
}

/// A script that answers as a Python of another version would: the real one with another opinion of itself.
#[cfg(unix)]
pub(crate) fn impostor(version: (u32, u32, u32)) -> String {
    let (major, minor, patch) = version;
    let real = real().path.display();
    // Whatever it is asked by `-c`, or on standard input, is asked of the real one, behind a prelude that changes
    // what `sys` and `platform` say.
    format!(
        r#"#!/bin/sh
me=$0
prelude='import os, sys
def lie():
    import collections
    V = collections.namedtuple("version_info", "major minor micro releaselevel serial")
    sys.version_info = V({major}, {minor}, {patch}, "final", 0)
    sys.version = "{major}.{minor}.{patch} (main) [GCC]"
    sys.hexversion = ({major} << 24) | ({minor} << 16) | ({patch} << 8) | 0xf0
    sys.implementation.version = sys.version_info
    sys.executable = sys._base_executable = os.environ["IMPOSTOR"]
    import platform
    platform.python_version = lambda: "{major}.{minor}.{patch}"
    platform.python_version_tuple = lambda: ("{major}", "{minor}", "{patch}")
lie()
'
IMPOSTOR=$me
export IMPOSTOR
flags=
while [ $# -gt 0 ]; do
  case $1 in
    -V|--version) echo "Python {major}.{minor}.{patch}"; exit 0 ;;
    -c) shift; code=$1; shift; exec '{real}' $flags -c "$prelude$code" "$@" ;;
    -c*) code=${{1#-c}}; shift; exec '{real}' $flags -c "$prelude$code" "$@" ;;
    -) shift; code=$(cat); exec '{real}' $flags -c "$prelude$code" "$@" ;;
    -*) flags="$flags $1"; shift ;;
    *) break ;;
  esac
done
if [ $# -gt 0 ]; then exec '{real}' $flags -c "$prelude"'
import runpy; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name="__main__")' "$@"; fi
code=$(cat); exec '{real}' $flags -c "$prelude$code"
"#
    )
}

/// The harness's own tests.
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::support::Place;

    #[test]
    fn an_impostor_lies_about_its_version() {
        let place = Place::new();
        let fake = place.script("bin/python3", &impostor((3, 9, 18)));
        for args in [
            vec![
                "-I",
                "-c",
                "import sys; print(sys.version_info[:2], sys.executable)",
            ],
            vec![
                "-c",
                "import sys; print(sys.version_info[:2], sys.executable)",
            ],
        ] {
            let output = Command::new(&fake).args(&args).output().unwrap();
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                format!("(3, 9) {}\n", fake.display()),
                "{output:?}"
            );
        }
    }

    #[test]
    fn a_private_python_stands_on_its_own() {
        let place = Place::new();
        let path = private(&place.path().join("own"));
        let output = Command::new(&path)
            .args(["-I", "-c", "import sys, json, math; print(sys.executable)"])
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            path.to_string_lossy(),
            "{output:?}"
        );
    }
}
