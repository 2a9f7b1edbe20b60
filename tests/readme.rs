//! README says what the program does.

const README: &str = include_str!("../README.md");

#[test]
fn every_setting_stands_in_the_table() {
    for row in pi_python::settings::TABLE {
        let line = README
            .lines()
            .find(|line| line.starts_with('|') && line.contains(&format!("`{}`", row.key)))
            .unwrap_or_else(|| panic!("`{}` is not in README's table", row.key));
        if let Some(variable) = row.variable {
            assert!(
                line.contains(&format!("`{variable}`")),
                "{variable} is not in: {line}"
            );
        }
        assert!(
            line.contains(row.help),
            "{} is told otherwise in: {line}",
            row.key
        );
    }
}

#[test]
fn every_row_of_the_table_is_a_setting() {
    let rows = README
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split_once('`'))
        .filter(|(_, rest)| rest.contains("`PI_"));
    let mut seen = 0;
    for (key, _) in rows {
        assert!(
            pi_python::settings::TABLE.iter().any(|row| row.key == key),
            "README tells of `{key}`, which is no setting"
        );
        seen += 1;
    }
    assert!(seen > 5, "the table was not found");
}

/// The lines of README that are typed, without their comments.
fn commands() -> Vec<String> {
    README
        .split("```sh\n")
        .skip(1)
        .filter_map(|block| block.split("```").next())
        .flat_map(str::lines)
        .map(|line| {
            line.split("  #")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        })
        .collect()
}

#[test]
fn a_newcomers_two_commands_come_first() {
    let commands = commands();
    assert!(commands[0].starts_with("cargo run "), "{commands:?}");
    assert!(commands[0].contains("-- python --code "), "{commands:?}");
    assert_eq!(commands[1], "cargo test");
}

/// What README's first command asks of pi, in a place where Python is at hand; a shell splits the words.
#[cfg(unix)]
#[test]
fn a_newcomers_first_command_prints_what_python_says() {
    use crate::support::{Place, python::real};
    let place = Place::new();
    place.link("python3", &real().path);
    let words = commands()[0]
        .split_once(" -- ")
        .expect("arguments for pi")
        .1
        .to_owned();
    let sh = which::which("sh").unwrap();
    let line = format!("pi=$1; exec \"$pi\" --offline --quiet {words}");
    place
        .pi()
        .through([sh.into_os_string(), "-c".into(), line.into(), "sh".into()])
        .stdout_has("hello from Python")
        .code(0);
}
