//! Without the capability to run a shell, nothing runs.

use crate::python::runs::{Ran, code, place};
use crate::support::{Pi, Place};

fn leaves_a_mark(place: &Place) -> Pi {
    code(place, "open('mark', 'w')")
}

#[track_caller]
fn is_denied(pi: Pi, place: &Place, setting: &str) {
    let ran = Ran::of(pi);
    ran.output.ended_with(126);
    assert_eq!(ran.status, "denied", "{ran}");
    assert_eq!((ran.exit_code, &ran.approval), (None, &None), "{ran}");
    for part in ["run_shell", setting] {
        assert!(ran.notices[0].contains(part), "{part}: {ran}");
    }
    assert!(!place.cwd().join("mark").exists(), "{ran}");
    assert!(!place.agent().exists(), "nothing is looked for: {ran}");
}

#[test]
fn nothing_runs_without_the_capability() {
    for value in ["", "read", "read,write", "run_shell_not"] {
        let place = place();
        let pi = leaves_a_mark(&place).env("PI_CAPABILITIES", value);
        is_denied(pi, &place, "`PI_CAPABILITIES`");
    }
    for value in ["run_shell", "read, run_shell", "read run_shell"] {
        Ran::of(leaves_a_mark(&place()).env("PI_CAPABILITIES", value)).exited(0);
    }
}

#[test]
fn the_users_settings_say_so_too() {
    for (list, runs) in [
        ("[]", false),
        ("[\"read\"]", false),
        ("[\"read\", \"run_shell\"]", true),
        ("\"run_shell\"", true),
        ("\"read\"", false),
    ] {
        let place = place();
        place.write("agent/python.toml", format!("capabilities = {list}\n"));
        let ran = Ran::of(leaves_a_mark(&place));
        assert_eq!(
            ran.status,
            if runs { "ok" } else { "denied" },
            "{list} {ran}"
        );
        assert!(runs || ran.notices[0].contains("python.toml"), "{ran}");
    }
}

#[test]
fn a_project_takes_capabilities_away_and_gives_none() {
    let place = place();
    place.write("cwd/.pi/python.toml", "capabilities = [\"read\"]\n");
    is_denied(leaves_a_mark(&place), &place, "project");
    let given = leaves_a_mark(&place).env("PI_CAPABILITIES", "run_shell");
    is_denied(given, &place, "project");
    place.write("cwd/.pi/python.toml", "capabilities = [\"run_shell\"]\n");
    let withheld = leaves_a_mark(&place).env("PI_CAPABILITIES", "read");
    is_denied(withheld, &place, "project");
    Ran::of(leaves_a_mark(&place)).exited(0);
}

#[test]
fn in_text_it_is_an_error() {
    place()
        .pi()
        .args(["python", "-c", "print(1)"])
        .env("PI_CAPABILITIES", "read")
        .stdout("")
        .stderr_has("error: nothing is run: the capability `run_shell`")
        .code(126);
}
