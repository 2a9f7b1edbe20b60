//! `pi settings`, and the table that README prints.

use crate::support::Place;

#[test]
fn every_setting_is_shown_with_its_origin() {
    let place = Place::new();
    place.write("agent/python.toml", "[run]\ntimeout_seconds = 12\n");
    place.write("cwd/.pi/python.toml", "[run]\nmax_output_lines = 7\n");
    let output = place
        .pi()
        .args(["settings", "--json"])
        .env("PI_UV_SOURCE", "index")
        .code(0);
    let json = output.json().to_string();
    let text = place
        .pi()
        .arg("settings")
        .env("PI_UV_SOURCE", "index")
        .code(0)
        .stdout;
    for row in pi_python::settings::TABLE {
        assert!(json.contains(row.key), "{} is missing in {json}", row.key);
        assert!(text.contains(row.key), "{} is missing in {text}", row.key);
    }
    for origin in ["default", "user", "environment", "project"] {
        assert!(
            json.contains(&format!("\"{origin}\"")),
            "{origin} in {json}"
        );
    }
}

#[test]
fn a_project_can_not_loosen() {
    let place = Place::new();
    place.write(
        "cwd/.pi/python.toml",
        "[uv]\nmirror = \"http://evil.invalid\"\n[run]\nmax_output_bytes = 200000\n",
    );
    let output = place.pi().args(["settings", "--json"]).code(0);
    assert!(!output.stdout.contains("evil.invalid"), "{output}");
    assert!(output.stdout.contains("51200"), "{output}");
}

#[test]
fn a_completion_script_is_printed_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = Place::new().pi().args(["completions", shell]).code(0);
        assert!(output.stdout.contains("provision"), "{shell}");
    }
}
