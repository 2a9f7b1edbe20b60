//! Other users, missing homes, and file systems that forbid things.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Setup;
use crate::support::artifacts::FakeUv;
use crate::support::python::real;
use crate::support::{Pi, Place};

/// A user that no database knows.
const NOBODY: &str = "12345";

/// How a command is run as [`NOBODY`].
fn as_nobody() -> Vec<String> {
    let setpriv = which::which("setpriv")
        .map_or_else(|_| "setpriv".into(), |path| path.display().to_string());
    [
        &setpriv,
        "--reuid",
        NOBODY,
        "--regid",
        NOBODY,
        "--clear-groups",
    ]
    .map(str::to_owned)
    .into()
}

/// Whether another user can be played here, and with which Python; only root can change who it is.
fn nobodys_python() -> Option<PathBuf> {
    let prefix = as_nobody();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|dir| {
            ["python3", "python3.13", "python3.12", "python3.11"].map(|name| dir.join(name))
        })
        .find(|python| {
            Command::new(&prefix[0])
                .args(&prefix[1..])
                .arg(python)
                .args(["-I", "-c", "import sys; assert sys.version_info >= (3, 10)"])
                .current_dir("/")
                .output()
                .is_ok_and(|output| output.status.success())
        });
    if found.is_none() {
        eprintln!("LEFT OUT: no other user can be played here, or none has a Python");
    }
    found
}

/// A place that everybody may enter and nobody else may write, with a copy of `pi` in it.
struct Shared {
    place: Place,
    pi: PathBuf,
}

impl Shared {
    fn new(python: &Path) -> Self {
        let place = Place::new();
        // The place's own directory is the only private one on the way to it.
        std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let pi = place.path().join("pi");
        std::fs::copy(env!("CARGO_BIN_EXE_pi"), &pi).unwrap();
        let _ = std::fs::remove_file(place.bin().join("python3"));
        place.link("python3", python);
        Self { place, pi }
    }

    fn nobody(&self) -> Pi {
        self.place.pi().program(&self.pi).through(as_nobody())
    }
}

#[test]
fn without_a_home_a_python_on_path_just_runs() {
    let Some(python) = nobodys_python() else {
        return;
    };
    let homes: [Option<&str>; 5] = [
        None,
        Some("/nonexistent"),
        Some("/root"),
        Some(""),
        Some("relative/dir"),
    ];
    for home in homes {
        let shared = Shared::new(&python);
        let tmp = shared.place.path().join("public");
        std::fs::create_dir(&tmp).unwrap();
        std::fs::set_permissions(&tmp, std::fs::Permissions::from_mode(0o1777)).unwrap();
        let mut run = shared
            .nobody()
            .args(["--offline", "python", "--code", "print(6 * 7)"])
            .env_remove("PI_CODING_AGENT_DIR")
            .env_remove("HOME")
            .env("TMPDIR", &tmp)
            .stderr_any();
        if let Some(home) = home {
            run = run.env("HOME", home);
        }
        let output = run.run();
        output.ended_with(0);
        assert_eq!(output.stdout, "42\n", "HOME={home:?}\n{output}");
        assert!(
            !shared.place.cwd().join("relative").exists(),
            "HOME={home:?}"
        );
    }
}

#[test]
fn without_a_home_and_a_python_the_answer_names_directory_and_variable() {
    let Some(python) = nobodys_python() else {
        return;
    };
    let shared = Shared::new(&python);
    std::fs::remove_file(shared.place.bin().join("python3")).unwrap();
    let release = FakeUv::new().release();
    let server = crate::support::http::Server::new();
    release.serve(&server);
    let pins = shared.place.write(
        "pins.json",
        release.pins(&server.url("/release")).to_string(),
    );
    std::fs::set_permissions(&pins, std::fs::Permissions::from_mode(0o644)).unwrap();
    let output = shared
        .nobody()
        .args(["provision", "--source", "archive"])
        .env_remove("PI_CODING_AGENT_DIR")
        .env("HOME", "/root")
        .env("PI_UV_PINS", pins)
        .stderr_any()
        .code(127);
    output.says(&["/root", "PI_CODING_AGENT_DIR"]);
}

#[test]
fn an_agent_directory_of_root_serves_others_read_only() {
    let Some(python) = nobodys_python() else {
        return;
    };
    // A uv and a Python of its own, as root would provision them.
    for umask in ["022", "077"] {
        let shared = Shared::new(&python);
        let place = &shared.place;
        let release = FakeUv::new().finds(place.bin().join("python3")).release();
        let server = crate::support::http::Server::new();
        release.serve(&server);
        let pins = place.write(
            "pins.json",
            release.pins(&server.url("/release")).to_string(),
        );
        let sh = which::which("sh").unwrap().display().to_string();
        place
            .pi()
            .args(["provision", "--source", "archive"])
            .env("PI_UV_PINS", &pins)
            .through([
                sh,
                "-c".to_owned(),
                format!("umask {umask}; exec \"$@\""),
                "sh".to_owned(),
            ])
            .stderr_any()
            .code(0);
        let output = shared
            .nobody()
            .args(["--offline", "python", "--code", "print(6 * 7)"])
            .stderr_any()
            .run();
        // Either it works, or it says which directory can't be entered.
        if output.code == Some(0) {
            assert_eq!(output.stdout, "42\n", "{output}");
        } else {
            output.says(&[place.agent().to_str().unwrap(), "PI_CODING_AGENT_DIR"]);
        }
        output.lacks(&["panicked"]);
    }
}

#[test]
fn a_read_only_agent_directory_works_when_everything_is_in_place() {
    let Some(python) = nobodys_python() else {
        return;
    };
    let shared = Shared::new(&python);
    let place = &shared.place;
    place
        .pi()
        .args(["--offline", "provision"])
        .stderr_any()
        .code(0);
    open_up(&place.agent());
    // The temporary directory is anybody's, as on every system.
    std::fs::set_permissions(place.tmp(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let before = place.agent_files();
    shared
        .nobody()
        .args(["--offline", "python", "--code", "print(6 * 7)"])
        .stdout("42\n")
        .code(0);
    assert_eq!(place.agent_files(), before);
}

/// Lets everybody read, as an administrator would.
fn open_up(dir: &Path) {
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            open_up(&entry.path());
        } else if kind.is_file() {
            let mode = entry.metadata().unwrap().permissions().mode() | 0o444;
            std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        }
    }
}

#[test]
fn what_can_not_be_kept_is_said_and_the_code_runs_all_the_same() {
    let Some(python) = nobodys_python() else {
        return;
    };
    let shared = Shared::new(&python);
    let agent = shared.place.path().join("locked");
    std::fs::create_dir(&agent).unwrap();
    std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = shared
        .nobody()
        .args(["--offline", "python", "--code", "print(6 * 7)"])
        .env("PI_CODING_AGENT_DIR", &agent)
        .stderr_any()
        .code(0);
    assert_eq!(output.stdout, "42\n", "{output}");
}

#[test]
fn an_agent_directory_that_is_a_file_is_named() {
    let place = Place::new();
    place.write("agent", "I am a file");
    place.link("python3", &real().path);
    let output = place
        .pi()
        .args(["--offline", "python", "--code", "print(6 * 7)"])
        .stderr_any()
        .run();
    if output.code == Some(0) {
        assert_eq!(output.stdout, "42\n", "{output}");
    } else {
        output.says(&[place.agent().to_str().unwrap()]);
    }
    let doctor = place
        .pi()
        .args(["--offline", "doctor", "--json"])
        .stderr_any()
        .run()
        .json();
    let named = doctor["checks"].as_array().unwrap().iter().any(|check| {
        check["status"] != "ok"
            && check["detail"]
                .as_str()
                .unwrap()
                .contains(place.agent().to_str().unwrap())
    });
    assert!(named, "{doctor:#}");
}

#[test]
fn directories_are_private_and_so_are_files() {
    let setup = Setup::new();
    setup.provision(&[]).code(0);
    let agent = setup.place.agent();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    for dir in ["", "bin", "cache", "state"] {
        assert_eq!(mode(&agent.join(dir)), 0o700, "{dir}");
    }
    for file in ["bin/uv.receipt.json", "cache/python.json"] {
        assert_eq!(mode(&agent.join(file)), 0o600, "{file}");
    }
    assert_eq!(
        mode(&setup.place.uv()) & 0o077,
        mode(&setup.place.uv()) & 0o055,
        "uv is writable for others"
    );
}

/// Starts a command in a mount namespace of its own, in which `dir` is a file system that runs no programs.
fn on_noexec(dir: &Path) -> Option<Vec<String>> {
    on_mount(dir, "noexec,size=600m")
}

/// Starts a command in a mount namespace of its own, in which `dir` is a file system with these options.
fn on_mount(dir: &Path, options: &str) -> Option<Vec<String>> {
    let unshare = which::which("unshare").ok()?.display().to_string();
    let sh = which::which("sh").ok()?.display().to_string();
    // Not among a place's tools.
    let mount = which::which("mount").ok()?.display().to_string();
    let mount = format!(
        "'{mount}' -t tmpfs -o {options} tmpfs '{}' && exec \"$@\"",
        dir.display()
    );
    let line: Vec<String> = [&unshare, "-rm", &sh, "-c", &mount, "sh"]
        .map(str::to_owned)
        .into();
    let works = Command::new(&line[0])
        .args(&line[1..])
        .arg(which::which("true").ok()?)
        .output()
        .is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("LEFT OUT: no mount namespace can be made here");
    }
    works.then_some(line)
}

#[test]
fn on_a_noexec_file_system_the_answer_says_so_and_which_variable_helps() {
    let setup = Setup::new();
    std::fs::create_dir_all(setup.place.agent()).unwrap();
    let Some(line) = on_noexec(&setup.place.agent()) else {
        return;
    };
    let output = setup
        .place
        .pi()
        .args(["provision", "--source", "archive"])
        .through(line)
        .stderr_any()
        .code(127);
    output.says(&[
        "noexec",
        setup.place.agent().to_str().unwrap(),
        "PI_CODING_AGENT_DIR",
    ]);
}

#[test]
fn on_a_noexec_file_system_a_python_elsewhere_is_used() {
    let setup = Setup::new();
    setup.place.link("python3", &real().path);
    std::fs::create_dir_all(setup.place.agent()).unwrap();
    let Some(line) = on_noexec(&setup.place.agent()) else {
        return;
    };
    setup
        .place
        .pi()
        .args(["python", "--code", "print(6 * 7)"])
        .through(line)
        .stderr_any()
        .stdout("42\n")
        .code(0);
}

#[test]
fn a_noexec_temporary_directory_disturbs_nothing() {
    let setup = Setup::of(FakeUv::new().installs().release());
    let Some(line) = on_noexec(&setup.place.tmp()) else {
        return;
    };
    setup
        .place
        .pi()
        .args(["--quiet", "python", "--code", "print(6 * 7)"])
        .through(line)
        .stdout("42\n")
        .code(0);
    setup.assert_placed();
}

/// Prepares a directory that pi may come upon.
type Prepare<'a> = &'a dyn Fn(&Path);

/// Without a home the agent directory lies where everybody may write, and somebody may have been there first.
#[test]
fn without_a_home_a_directory_that_others_prepared_is_not_trusted() {
    let Some(python) = nobodys_python() else {
        return;
    };
    let nobody: u32 = NOBODY.parse().unwrap();
    let own = |dir: &Path| std::os::unix::fs::chown(dir, Some(nobody), Some(nobody)).unwrap();
    let mode = |dir: &Path, mode| {
        std::fs::set_permissions(dir, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let prepared: [(&str, Prepare<'_>); 5] = [
        ("another user's", &|dir| std::fs::create_dir(dir).unwrap()),
        ("another user's that is open", &|dir| {
            std::fs::create_dir(dir).unwrap();
            mode(dir, 0o777);
        }),
        ("open to its group", &|dir| {
            std::fs::create_dir(dir).unwrap();
            own(dir);
            mode(dir, 0o770);
        }),
        ("open to everybody", &|dir| {
            std::fs::create_dir(dir).unwrap();
            own(dir);
            mode(dir, 0o707);
        }),
        ("a link to one's own", &|dir| {
            let target = dir.with_file_name("elsewhere");
            std::fs::create_dir(&target).unwrap();
            own(&target);
            std::os::unix::fs::symlink(target, dir).unwrap();
        }),
    ];
    for (what, prepare) in prepared {
        let shared = Shared::new(&python);
        let tmp = shared.place.path().join("public");
        std::fs::create_dir(&tmp).unwrap();
        mode(&tmp, 0o1777);
        let trap = tmp.join(format!("pi-agent-{NOBODY}"));
        prepare(&trap);
        let evil = shared.place.script("evil", "#!/bin/sh\necho OWNED\n");
        std::fs::write(
            trap.join("python.toml"),
            format!("[python]\nuse = \"{}\"\n", evil.display()),
        )
        .unwrap();
        let output = shared
            .nobody()
            .args(["--offline", "python", "--code", "print(6 * 7)"])
            .env_remove("PI_CODING_AGENT_DIR")
            .env_remove("HOME")
            .env("TMPDIR", &tmp)
            .stderr_any()
            .run();
        output.ended_with(0).lacks(&["OWNED"]);
        assert_eq!(output.stdout, "42\n", "{what}\n{output}");
        output.says(&["warning: ", trap.to_str().unwrap(), "not trusted"]);
        let found = std::fs::read_dir(&trap).unwrap().count();
        assert_eq!(found, 1, "{what}: something was stored in it");
    }
}

#[test]
fn without_a_home_ones_own_private_directory_is_used_again() {
    let Some(python) = nobodys_python() else {
        return;
    };
    let shared = Shared::new(&python);
    let tmp = shared.place.path().join("public");
    std::fs::create_dir(&tmp).unwrap();
    std::fs::set_permissions(&tmp, std::fs::Permissions::from_mode(0o1777)).unwrap();
    for _ in 0..2 {
        let output = shared
            .nobody()
            .args(["--offline", "python", "--code", "print(6 * 7)"])
            .env_remove("PI_CODING_AGENT_DIR")
            .env_remove("HOME")
            .env("TMPDIR", &tmp)
            .stderr_any()
            .code(0);
        output.lacks(&["not trusted"]);
    }
    let found: Vec<_> = std::fs::read_dir(&tmp).unwrap().flatten().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].metadata().unwrap().permissions().mode() & 0o777,
        0o700
    );
}

#[test]
fn where_no_space_is_left_that_is_said_with_what_is_needed() {
    // A uv that packs well fills the disk when it is unpacked, bytes without order when they arrive.
    let padding = format!(": {}", "x".repeat(2_000_000));
    let packs_well = FakeUv::new().first(&padding).release();
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(2_000_000)
    .collect();
    let packs_badly = FakeUv::new().release().with_archive(noise);
    for (what, release) in [("unpacking", packs_well), ("downloading", packs_badly)] {
        let setup = Setup::of(release);
        std::fs::create_dir_all(setup.place.agent()).unwrap();
        let Some(line) = on_mount(&setup.place.agent(), "size=256k") else {
            return;
        };
        let output = setup
            .place
            .pi()
            .args(["provision", "--source", "archive"])
            .through(line)
            .stderr_any()
            .code(127);
        output
            .says(&[
                "no space is left",
                setup.place.agent().to_str().unwrap(),
                "100 MB",
                "PI_CODING_AGENT_DIR",
            ])
            .lacks(&["is refused"]);
        assert!(output.stderr.contains(what), "{output}");
    }
}

#[test]
fn where_no_space_is_left_for_python_that_is_said() {
    let full = "case \"$*\" in *install*) echo 'error: Failed to copy: No space left on device (os error 28)' >&2; \
                exit 2 ;; esac";
    let setup = Setup::of(FakeUv::new().helpless().first(full).release());
    let output = setup.provision(&[]).code(127);
    output.says(&[
        "no space is left",
        setup.place.agent().to_str().unwrap(),
        "PI_CODING_AGENT_DIR",
    ]);
}

#[test]
fn a_clean_that_may_delete_nothing_is_1() {
    let Some(python) = nobodys_python() else {
        return;
    };
    let shared = Shared::new(&python);
    let place = &shared.place;
    place
        .pi()
        .args(["--offline", "provision"])
        .stderr_any()
        .code(0);
    open_up(&place.agent());
    let output = shared.nobody().arg("clean").stderr_any().code(1);
    output.says(&["can't be deleted", place.agent().to_str().unwrap()]);
    assert!(place.agent_file("cache/python.json").exists());
    place.pi().arg("clean").stderr_any().code(0);
}
