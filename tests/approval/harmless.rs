//! Harmless programs are not stopped.
//!
//! Each file of `harmless/` does what ordinary programs do: it works with files of its workspace, with what it made
//! itself, with its own processes. It has to print the same under pi and under plain Python, and end with 0. A program
//! that has a `__main__` is run as a script, any other one as code.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use crate::python::runs::{Ran, json, pythons};
use crate::support::Place;
use crate::support::python::Real;

/// A program, and how it is run.
struct Program {
    name: String,
    source: String,
}

impl Program {
    fn all() -> Vec<Self> {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/approval/harmless");
        let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "py"))
            .collect();
        files.sort();
        files
            .iter()
            .map(|path| Self {
                name: path.file_name().unwrap().to_str().unwrap().to_owned(),
                source: std::fs::read_to_string(path).unwrap(),
            })
            .collect()
    }

    fn is_script(&self) -> bool {
        self.source.contains("__main__")
    }

    /// A git workspace with nothing but the program.
    fn place(&self, python: &Real) -> Place {
        let place = Place::new().with("PI_PYTHON", &python.path);
        place.write("cwd/.git/HEAD", "ref: refs/heads/main\n");
        // Landlock can't allow to make what is not there.
        std::fs::create_dir(place.home().join(".cache")).unwrap();
        if self.is_script() {
            place.write(Path::new("cwd").join(&self.name), &self.source);
        }
        place
    }

    /// What it prints under plain Python.
    fn plain(&self, python: &Real) -> String {
        let place = self.place(python);
        let mut command = Command::new(&python.path);
        command
            .arg("-B")
            .arg(if self.is_script() { &self.name } else { "-" })
            .env_clear()
            .env("HOME", place.home())
            .env("TMPDIR", place.tmp())
            .env("PATH", place.bin())
            .env("PYTHONUTF8", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(place.cwd())
            .stdin(if self.is_script() {
                Stdio::null()
            } else {
                std::fs::File::open(place.write("program", &self.source))
                    .unwrap()
                    .into()
            });
        let output = command.output().expect("the interpreter starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{} fails by itself: {stderr}",
            self.name
        );
        String::from_utf8(output.stdout).expect("it prints text")
    }

    /// What is wrong with it under pi.
    fn problem(&self, python: &Real) -> Option<String> {
        let expected = self.plain(python);
        let place = self.place(python);
        let pi = json(&place);
        let ran = Ran::read(if self.is_script() {
            pi.arg(&self.name).run()
        } else {
            pi.arg("-").stdin(&self.source).run()
        });
        let same = ran.status == "ok" && ran.stdout.text == expected;
        (!same).then(|| {
            format!(
                "==== {} under Python {}\n{ran}\n---- plain\n{expected}",
                self.name, python.version
            )
        })
    }
}

/// The programs go round the Pythons that are here; with `PI_TEST_HARMLESS=all` each runs under each.
#[test]
fn harmless_programs_run_as_they_do_without_pi() {
    let programs = Program::all();
    assert!(programs.len() >= 120, "{} programs", programs.len());
    let everything = std::env::var("PI_TEST_HARMLESS").is_ok_and(|which| which == "all");
    let pythons = pythons();
    let runs: Vec<(&Program, &Real)> = programs
        .iter()
        .enumerate()
        .flat_map(|(index, program)| {
            let one = &pythons[index % pythons.len()];
            let all = if everything {
                pythons
            } else {
                std::slice::from_ref(one)
            };
            all.iter().map(move |python| (program, python))
        })
        .collect();
    let (next, problems) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some((program, python)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(problem) = program.problem(python) {
                        problems.lock().unwrap().push(problem);
                    }
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(
        problems.is_empty(),
        "{} of {} runs went differently:\n{}",
        problems.len(),
        runs.len(),
        problems.join("\n")
    );
}
