//! The disk may be full, closed or small: that costs the copy of a stream and never the run.

use super::{MAX_BYTES, MAX_LINES, is_cut_from, numbered, parts, writes};
use crate::python::runs::{Ran, code, each, place};
use crate::support::{Pi, Place};

/// A text was cut and no copy of it is kept, which is said with this reason.
#[track_caller]
fn is_cut_without_a_copy(ran: Ran, reason: &str) {
    let ran = ran.exited(0).noticed(&["no full copy", "stdout", reason]);
    assert_eq!(ran.stdout.path, None, "{ran}");
    let cut = parts(&ran.stdout);
    assert!(cut.notice.contains("no full copy"), "{}", cut.notice);
    assert!(cut.head.starts_with("line 1\n"), "{ran}");
    assert!(cut.tail.ends_with("line 3000\n"), "{ran}");
}

fn long(place: &Place) -> Pi {
    writes(place, numbered(3000).as_bytes(), 4096)
}

#[test]
fn an_odd_temporary_directory_makes_no_difference() {
    let place = place();
    let file = place.write("file", "");
    let closed = place.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    let written: String = each(0..5000, |i| format!("{i} {}\n", "x".repeat(40)));
    let source = "for i in range(5000): print(i, 'x' * 40)";
    let run = |change: &dyn Fn(Pi) -> Pi| {
        let ran = Ran::of(change(code(&place, source))).exited(0);
        is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
    };
    for name in ["TMPDIR", "TEMP", "TMP"] {
        run(&|pi| pi.env(name, "/proc/nope"));
        run(&|pi| pi.env(name, &file));
        run(&|pi| pi.env(name, ""));
        run(&|pi| pi.env_remove(name));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o500)).unwrap();
        run(&|pi| pi.env("TMPDIR", &closed));
    }
}

#[test]
fn where_outputs_can_not_be_kept_the_run_goes_on() {
    let place = place();
    place.write("agent/work", "a file where a directory should be");
    is_cut_without_a_copy(Ran::of(long(&place)), "work");
    // Nothing is said where nothing had to be kept.
    Ran::of(code(&place, "print(1)"))
        .exited(0)
        .printed("1\n")
        .without_notices();
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_user_may_not_write_the_run_goes_on() {
    use std::os::unix::fs::PermissionsExt;
    let Some(user) = crate::python::runs::unprivileged::somebody() else {
        return;
    };
    let place = &user.place;
    // Once to remember the interpreter, then nothing can be written any more.
    Ran::of(user.does(code(place, "print(1)"))).exited(0);
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(place.agent(), mode(0o500)).unwrap();
    is_cut_without_a_copy(Ran::of(user.does(long(place))), "ermission denied");
    std::fs::set_permissions(place.agent(), mode(0o700)).unwrap();
}

#[test]
fn a_copy_ends_at_its_limit_and_that_is_said() {
    let place = place().with("PI_OUTPUTS_MAX_BYTES", "2000");
    let ran = Ran::of(long(&place))
        .exited(0)
        .noticed(&["stdout", "2000", "outputs.max_bytes"]);
    let kept = std::fs::read(ran.stdout.path.as_deref().expect("the beginning is kept")).unwrap();
    assert_eq!(kept.len(), 2000);
    assert!(numbered(3000).as_bytes().starts_with(&kept));
    assert!(ran.stdout.text.ends_with("line 3000\n"), "{ran}");
}

#[cfg(target_os = "linux")]
mod full {
    use std::process::Command;

    use super::{is_cut_without_a_copy, long};
    use crate::python::runs::{EVERYTHING, Ran, code, json, place};
    use crate::support::{Pi, Place};

    /// Starts pi where this directory is a full file system of 64 KiB; `None`, with a word about it, where that can't be.
    fn on_full_disk(place: &Place, dir: &str, pi: impl Fn() -> Pi) -> Option<Pi> {
        let dir = place.path().join(dir);
        std::fs::create_dir_all(&dir).unwrap();
        let unshare = which::which("unshare").ok()?;
        let line = "mount -t tmpfs -o size=64k none \"$0\" && { cat /dev/zero >\"$0/fill\" 2>/dev/null; shift; exec \"$@\"; }";
        let system = std::env::var_os("PATH").unwrap_or_default();
        let line = line.replace("mount", &which::which("mount").ok()?.to_string_lossy());
        let works = Command::new(&unshare)
            .args(["-rm", "sh", "-c", &line])
            .arg(&dir)
            .args(["", "true"])
            .env("PATH", &system)
            .status()
            .is_ok_and(|status| status.success());
        if !works {
            eprintln!("left out: no file system can be mounted here");
            return None;
        }
        let prefix = ["-rm", "sh", "-c", &line].map(Into::into);
        let words = std::iter::once(unshare.into_os_string())
            .chain(prefix)
            .chain([dir.into_os_string(), "".into()]);
        Some(pi().through(words))
    }

    #[test]
    fn a_full_temporary_directory_costs_nothing() {
        let place = place();
        place.write("cwd/job.py", "print('hello')");
        for program in [&["--code", "print('hello')"][..], &["job.py"]] {
            let pi = || json(&place).args(program.iter().copied());
            let Some(pi) = on_full_disk(&place, "tmp", pi) else {
                return;
            };
            Ran::of(pi).exited(0).printed("hello\n").without_notices();
        }
    }

    #[test]
    fn a_full_agent_directory_costs_the_copy_alone() {
        let place = place();
        let Some(pi) = on_full_disk(&place, "agent", || long(&place)) else {
            return;
        };
        is_cut_without_a_copy(Ran::of(pi), "o space left");
    }

    #[test]
    fn a_disk_that_gets_full_costs_the_copy_alone() {
        // There is room for the first part of the copy, and none for the rest.
        let place = place().with("PI_APPROVAL_ALLOW", EVERYTHING);
        let Some(pi) = on_full_disk(&place, "agent/work/outputs", || {
            code(
                &place,
                "import os\nos.truncate('../agent/work/outputs/fill', 32768)\nprint('x' * 60000)\nprint('y' * 60000)",
            )
        }) else {
            return;
        };
        let ran = Ran::of(pi)
            .exited(0)
            .noticed(&["no full copy", "o space left"]);
        assert_eq!(
            ran.stdout.path, None,
            "a part that ends anywhere is not kept"
        );
        assert_eq!(ran.stdout.bytes, 120_002);
    }

    #[test]
    fn a_limit_of_file_sizes_costs_the_copy_alone() {
        let Ok(prlimit) = which::which("prlimit") else {
            eprintln!("left out: there is no `prlimit`");
            return;
        };
        let place = place();
        let prefix = [prlimit.into_os_string(), "--fsize=8192".into(), "--".into()];
        is_cut_without_a_copy(Ran::of(long(&place).through(prefix.clone())), "oo large");
        // The program's own files meet the limit in its own way.
        let own = "import os\nf = os.open('own', os.O_CREAT | os.O_WRONLY)\nos.write(f, b'x' * 8192)\n\
                   try: os.write(f, b'x')\nexcept OSError as error: print(error.strerror)";
        Ran::of(code(&place, own).through(prefix))
            .exited(0)
            .printed("File too large\n");
    }

    #[test]
    fn an_endless_output_does_not_fill_memory() {
        let line = "import sys\nopen('started', 'w').close()\n";
        let endless = "while True: sys.stdout.write('x' * 65536)";
        let lines = "while True: sys.stdout.write(('x' * 199 + '\\n') * 300)";
        let both = "import threading\ndef f(s):\n    while True: s.write('x' * 65536)\n\
                    threading.Thread(target=f, args=(sys.stderr,)).start()\nf(sys.stdout)";
        for flood in [endless, lines, both] {
            let place = place().with("PI_OUTPUTS_MAX_BYTES", "1000000");
            let pi = code(&place, &format!("{line}{flood}")).args(["--timeout", "1.5"]);
            let mut running = pi.spawn();
            crate::python::runs::wait_for_file(&place.cwd().join("started"));
            let before = peak_memory(running.id()).expect("it runs");
            let mut peak = before;
            while !running.ended() {
                peak = peak_memory(running.id()).unwrap_or(peak).max(peak);
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            let ran = Ran::read(running.wait()).was("timeout", None, 124);
            assert!(peak - before < 16 << 10, "{before} kB grew to {peak} kB");
            assert!(ran.stdout.bytes > 10 << 20, "{}", ran.stdout.bytes);
            let kept = ran.stdout.path.as_deref().expect("the beginning is kept");
            assert_eq!(std::fs::metadata(kept).unwrap().len(), 1_000_000);
        }
    }

    /// The most memory that a process had so far, in kB.
    fn peak_memory(id: u32) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    }
}
