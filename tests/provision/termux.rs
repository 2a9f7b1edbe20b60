//! Termux, imitated: its environment, and a `pkg` that keeps a record.

#[cfg(target_os = "linux")]
use std::path::Path;

use super::Setup;
use crate::support::artifacts::FakeUv;
use crate::support::python::real;
use crate::support::{Pi, Place};

/// A setup with a downloadable uv that must not be wanted, and Termux's variables and directories.
struct Termux {
    setup: Setup,
}

impl Termux {
    /// `pkg` runs these shell lines with the package's name in `$package` and `$usr/bin` to install to.
    fn new(pkg: &str) -> Self {
        let mut setup = Setup::new();
        let place = &setup.place;
        let usr = place.path().join("usr");
        for tool in ["sh", "cp", "mv", "ln", "mkdir", "chmod", "cat", "env"] {
            std::fs::create_dir_all(usr.join("bin")).unwrap();
            std::os::unix::fs::symlink(which::which(tool).unwrap(), usr.join("bin").join(tool))
                .unwrap();
        }
        std::fs::create_dir_all(usr.join("tmp")).unwrap();
        place.script("packages/uv", &FakeUv::new().searches().script());
        place.script(
            "usr/bin/pkg",
            &format!(
                "#!/bin/sh\necho \"$*\" >> '{log}'\nfor package; do :; done\nusr='{usr}'\npackages='{packages}'\n{pkg}\n",
                log = place.path().join("pkg.log").display(),
                usr = usr.display(),
                packages = place.path().join("packages").display(),
            ),
        );
        let variables = [
            ("PREFIX", usr.clone()),
            ("PATH", usr.join("bin")),
            ("TMPDIR", usr.join("tmp")),
            ("TERMUX_VERSION", "0.118".into()),
            ("ANDROID_ROOT", "/system".into()),
            ("ANDROID_DATA", "/data".into()),
        ];
        for (name, value) in variables {
            setup.place.set(name, value);
        }
        Self { setup }
    }

    /// A `pkg` that has both packages.
    fn stocked() -> Self {
        Self::new(
            "case $package in\n  uv) cp \"$packages/uv\" \"$usr/bin/uv\" ;;\n  python) ln -s \"$real\" \"$usr/bin/python\" ;;\n  *) exit 100 ;;\nesac"
                .replace("$real", real().path.to_str().unwrap())
                .as_str(),
        )
    }

    fn place(&self) -> &Place {
        &self.setup.place
    }

    fn with_python(self) -> Self {
        let link = self.place().path().join("usr/bin/python");
        std::os::unix::fs::symlink(&real().path, link).unwrap();
        self
    }

    fn with_uv(self) -> Self {
        self.place()
            .script("usr/bin/uv", &FakeUv::new().searches().script());
        self
    }

    fn answer(&self) -> Pi {
        self.place()
            .pi()
            .args(["python", "--code", "print(6 * 7)"])
            .stderr_any()
    }

    /// What `pkg` was called with, call by call.
    fn calls(&self) -> Vec<String> {
        std::fs::read_to_string(self.place().path().join("pkg.log"))
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// No desktop build was downloaded, and nobody spoke of one.
    #[track_caller]
    fn assert_no_desktop_build(&self, output: &crate::support::Output) {
        assert!(
            self.setup.server.log().is_empty(),
            "{:?}",
            self.setup.server.log()
        );
        assert!(!self.place().uv().exists());
        output.lacks(&["glibc", "musl", "manylinux", "sudo"]);
    }
}

#[test]
fn with_nothing_there_uv_and_then_python_come_from_pkg() {
    let termux = Termux::stocked();
    let output = termux.answer().stdout("42\n").code(0);
    assert_eq!(termux.calls(), ["install -y uv", "install -y python"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn with_python_there_only_uv_comes_from_pkg() {
    let termux = Termux::stocked().with_python();
    let output = termux.answer().stdout("42\n").code(0);
    assert_eq!(termux.calls(), ["install -y uv"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn with_uv_there_only_python_comes_from_pkg() {
    let termux = Termux::stocked().with_uv();
    let output = termux.answer().stdout("42\n").code(0);
    assert_eq!(termux.calls(), ["install -y python"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn with_both_there_pkg_is_not_called() {
    let termux = Termux::stocked().with_uv().with_python();
    let output = termux.answer().stdout("42\n").code(0);
    assert_eq!(termux.calls(), Vec::<String>::new());
    termux.assert_no_desktop_build(&output);
}

#[test]
fn a_second_run_calls_nothing() {
    let termux = Termux::stocked();
    termux.answer().code(0);
    let calls = termux.calls();
    termux.answer().stdout("42\n").stderr("").code(0);
    assert_eq!(termux.calls(), calls);
}

#[test]
fn where_pkg_has_no_uv_python_is_enough() {
    let failing = "echo \"E: Unable to locate package $package\" >&2; exit 100";
    let termux = Termux::new(failing).with_python();
    let output = termux.answer().stdout("42\n").code(0);
    assert_eq!(termux.calls(), ["install -y uv"]);
    output.says(&["Unable to locate package uv"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn where_pkg_fails_its_words_are_reported() {
    let failing = "echo \"E: Unable to locate package $package\" >&2; exit 100";
    let termux = Termux::new(failing);
    let output = termux.answer().stdout("").code(127);
    assert_eq!(termux.calls(), ["install -y uv", "install -y python"]);
    output.says(&["Unable to locate package python", "pkg install", "100"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn offline_pkg_is_not_called_and_the_commands_are_named() {
    let termux = Termux::stocked();
    let output = termux.answer().env("PI_OFFLINE", "1").stdout("").code(127);
    assert_eq!(termux.calls(), Vec::<String>::new());
    output.says(&["pkg install python", "pkg install uv"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn offline_with_python_there_it_just_runs() {
    let termux = Termux::stocked().with_python();
    let output = termux
        .answer()
        .env("PI_OFFLINE", "1")
        .stdout("42\n")
        .code(0);
    assert_eq!(termux.calls(), Vec::<String>::new());
    termux.assert_no_desktop_build(&output);
}

#[test]
fn a_pkg_that_hangs_is_ended_at_the_time_limit() {
    let sleep = which::which("sleep").unwrap();
    let termux = Termux::new(&format!("echo working; '{}' 300", sleep.display()));
    let output = termux
        .answer()
        .env("PI_PROVISION_SECONDS", "2")
        .stdout("")
        .code(127);
    output.says(&["pkg install"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn without_pkg_the_answer_names_what_to_install() {
    let termux = Termux::stocked();
    std::fs::remove_file(termux.place().path().join("usr/bin/pkg")).unwrap();
    let output = termux.answer().stdout("").code(127);
    output.says(&["pkg"]);
    termux.assert_no_desktop_build(&output);
}

#[test]
fn without_tmpdir_it_works_all_the_same() {
    let termux = Termux::stocked();
    termux.answer().env_remove("TMPDIR").stdout("42\n").code(0);
}

#[test]
fn a_script_is_handed_to_the_interpreter_whatever_its_first_line_says() {
    let termux = Termux::stocked().with_python();
    let script = termux
        .place()
        .write("cwd/job.py", "#!/no/such/env python3\nprint('ran')\n");
    termux
        .place()
        .pi()
        .args(["--quiet", "python"])
        .arg(script)
        .stdout("ran\n")
        .code(0);
}

/// A root directory with nothing in it but a prefix, the system's libraries, and the Python that runs here: no `/tmp`,
/// no `/bin`, no `/usr`. Answers with what starts a program in it, as far as such a thing can be made here.
#[cfg(target_os = "linux")]
fn bare_root(root: &Path) -> Option<Vec<String>> {
    let tool = |name| {
        which::which(name)
            .ok()
            .map(|path| path.display().to_string())
    };
    let (unshare, sh, mount, chroot) = (
        tool("unshare")?,
        tool("sh")?,
        tool("mount")?,
        tool("chroot")?,
    );
    let mut script = String::from("set -e\n");
    let prefix = &real().prefix;
    for dir in [
        Path::new("/lib"),
        Path::new("/lib64"),
        Path::new("/dev"),
        Path::new("/proc"),
        prefix,
    ] {
        if let Ok(from) = dir.canonicalize() {
            let to = root.join(dir.strip_prefix("/").ok()?);
            std::fs::create_dir_all(&to).ok()?;
            let line = format!(
                "'{mount}' --rbind '{}' '{}'\n",
                from.display(),
                to.display()
            );
            script += &line;
        }
    }
    let line = format!("exec '{chroot}' '{}' \"$@\"\n", root.display());
    script += &line;
    Some(
        [&unshare, "-rm", &sh, "-c", &script, "sh"]
            .map(str::to_owned)
            .into(),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn in_a_root_without_tmp_bin_and_usr_it_works() {
    let place = Place::new();
    let root = place.path().join("root");
    let pi = root.join("data/usr/bin/pi");
    std::fs::create_dir_all(root.join("data/usr/bin")).unwrap();
    std::fs::create_dir_all(root.join("data/home")).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_pi"), &pi).unwrap();
    std::os::unix::fs::symlink(&real().path, root.join("data/usr/bin/python")).unwrap();
    place.write(
        "root/data/home/job.py",
        "#!/usr/bin/env python3\nprint('a script')\n",
    );
    let line = bare_root(&root);
    let possible = line.as_ref().is_some_and(|line| {
        let python = [
            real().path.to_str().unwrap(),
            "-c",
            "import os; os.stat('/usr')",
        ];
        std::process::Command::new(&line[0])
            .args(&line[1..])
            .args(python)
            .output()
            .is_ok_and(|output| {
                String::from_utf8_lossy(&output.stderr).contains("FileNotFoundError")
            })
    });
    if !possible {
        eprintln!("LEFT OUT: no root without /usr can be made here");
        return;
    }
    let run = || {
        place
            .pi()
            .program("/data/usr/bin/pi")
            .through(line.clone().unwrap())
            .env_remove("PI_CODING_AGENT_DIR")
            .env_remove("TMPDIR")
            .env("HOME", "/data/home")
            .env("PREFIX", "/data/usr")
            .env("PATH", "/data/usr/bin")
            .env("TERMUX_VERSION", "0.118")
            .args(["--offline", "--quiet", "python"])
    };
    let code =
        "import os; print([name for name in ('tmp', 'bin', 'usr') if os.path.exists('/' + name)])";
    run().args(["--code", code]).stdout("[]\n").code(0);
    run().arg("/data/home/job.py").stdout("a script\n").code(0);
    // A stream that is cut is kept, too.
    let flood = run()
        .args(["--json", "--code", "print('x' * 300_000)"])
        .code(0);
    let kept = flood.json()["stdout"]["path"]
        .as_str()
        .expect("it is kept")
        .to_owned();
    assert!(kept.starts_with("/data/home/.pi/agent/"), "{kept}");
}

#[test]
fn doctor_knows_where_it_is() {
    let termux = Termux::stocked().with_uv().with_python();
    let output = termux
        .place()
        .pi()
        .args(["doctor", "--json"])
        .stderr_any()
        .run();
    assert!(output.stdout.contains("Termux"), "{output}");
    termux.assert_no_desktop_build(&output);
}

#[test]
fn the_source_takes_no_desktop_paths_for_granted() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = crate::support::pi::files_below(&source).into_iter();
    // Tests are not shipped.
    for file in files.filter(|file| !file.ends_with("tests.rs")) {
        let text = std::fs::read_to_string(source.join(&file)).unwrap();
        // Tests within a file are not shipped.
        let text = text.split("#[cfg(test)]").next().unwrap();
        for path in ["\"/tmp", "/bin/sh", "/usr/bin/env"] {
            let told = text
                .lines()
                .find(|line| line.contains(path) && !line.trim_start().starts_with("//"));
            assert_eq!(told, None, "{path} in {}", file.display());
        }
    }
}

#[test]
fn after_a_pkg_that_hangs_the_python_that_is_there_is_used() {
    let sleep = which::which("sleep").unwrap();
    let hanging = format!("'{}' 300", sleep.display());
    let brings_python = format!(
        "case $package in python) ln -s '{}' \"$usr/bin/python\" ;; esac\n{hanging}",
        real().path.display()
    );
    for termux in [
        Termux::new(&hanging).with_python(),
        Termux::new(&brings_python),
    ] {
        let output = termux
            .answer()
            .env("PI_PROVISION_SECONDS", "0.5")
            .stdout("42\n")
            .code(0);
        output.lacks(&["within 10 s"]);
        termux.assert_no_desktop_build(&output);
    }
}

#[test]
fn a_pkg_that_succeeds_and_installs_nothing_is_said() {
    let output = Termux::new("true").answer().stdout("").code(127);
    output.says(&[
        "`pkg install -y uv` succeeded, and still",
        "`pkg install -y python` succeeded, and still",
    ]);
}

#[test]
fn what_can_not_be_run_is_not_said_to_run() {
    let termux = Termux::stocked();
    std::fs::remove_file(termux.place().path().join("usr/bin/pkg")).unwrap();
    termux.answer().code(127).lacks(&["running `pkg"]);
}
