//! The corpus of evasions: programs that do their damage under a plain Python, and none under pi.
//!
//! Each file below `evasions/` is one program. Its first lines say which road it takes and, as `# damage:`, what comes
//! of it; as `# needs:`, what it can't do without; and, as `# status: any`, that it may end well under pi: because it
//! leaves its deed to something that pi ends with the run, or because the system lets it come to nothing without a word.
//! `EVASIONS=files/ cargo test evasion` tries only those whose name has that in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::stage::{Damage, Stage};
use crate::support::python::real;

/// Longer than any case takes by itself, on a machine that does other things too.
const WATCHDOG: Duration = Duration::from_secs(60);

/// What a daemon of a case waits before it acts, and some more.
const DAEMON: Duration = Duration::from_secs(2);

/// What a process that was signalled may take until it shows.
const SIGNALLED: Duration = Duration::from_millis(300);

#[test]
fn every_evasion_does_its_damage_under_a_plain_python() {
    let cases = cases();
    let harmless: Vec<String> = each(&cases, |case| {
        let mut stage = Stage::set();
        let output = run_plain(case, &stage);
        std::thread::sleep(case.aftermath());
        let damage = stage.damage(output.as_bytes());
        damage
            .is_disjoint(&case.damage)
            .then(|| format!("{}: {damage:?}\n{output}", case.name))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(
        harmless.is_empty(),
        "{} evasions of {} are none:\n{}",
        harmless.len(),
        cases.len(),
        harmless.join("\n")
    );
}

#[test]
fn no_evasion_does_damage_under_pi() {
    hold("as-they-are", Clone::clone);
}

/// The review sees nothing but `exec` and a text: each case meets the guard.
#[test]
fn no_evasion_does_damage_where_the_review_sees_nothing() {
    hold("unreviewed", |source| {
        let mut digits = String::new();
        for byte in source {
            let _ = write!(digits, "{byte:02x}");
        }
        format!("exec(compile(bytes.fromhex('{digits}'), '<program>', 'exec'))\n").into_bytes()
    });
}

/// Tries every case under pi, written as `dress` does, and tells which layer stopped it.
#[track_caller]
fn hold(pass: &str, dress: impl Fn(&Vec<u8>) -> Vec<u8> + Sync) {
    let cases = cases();
    let attempts = each(&cases, |case| attempt(case, &dress(&case.source)));
    let mut table = String::new();
    let mut layers = BTreeMap::new();
    let mut problems = String::new();
    for (case, attempt) in cases.iter().zip(&attempts) {
        *layers.entry(attempt.layer).or_insert(0) += 1;
        let _ = writeln!(
            table,
            "{:<44} {:<8} {:<18} {}",
            case.name,
            attempt.layer,
            attempt.status,
            attempt.rules.join(" ")
        );
        if let Some(problem) = attempt.problem(case) {
            let _ = writeln!(
                problems,
                "{}: {problem} ({})\n{}",
                case.name, attempt.status, attempt.last_words
            );
        }
    }
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("evasions-{pass}.txt"));
    fs::write(&report, &table).unwrap();
    eprintln!("{table}{layers:?}\nkept as {}", report.display());
    assert!(
        problems.is_empty(),
        "evasions of {} got through:\n{problems}",
        cases.len()
    );
}

/// One program of the corpus.
struct Case {
    name: String,
    source: Vec<u8>,
    damage: BTreeSet<Damage>,
    needs: Vec<String>,
    any_status: bool,
}

impl Case {
    #[track_caller]
    fn read(path: &Path, root: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let header = |name: &str| -> Vec<String> {
            text.lines()
                .take_while(|line| line.starts_with('#'))
                .find_map(|line| line.strip_prefix(&format!("# {name}: ")))
                .map(|value| value.split(", ").map(str::to_owned).collect())
                .unwrap_or_default()
        };
        let damage: BTreeSet<Damage> = header("damage")
            .iter()
            .map(|name| {
                Damage::named(name)
                    .unwrap_or_else(|| panic!("{}: no damage is called {name}", path.display()))
            })
            .collect();
        assert!(!damage.is_empty(), "{}: which damage?", path.display());
        let name = path.strip_prefix(root).unwrap().with_extension("");
        Self {
            name: name.to_string_lossy().into_owned(),
            damage,
            needs: header("needs"),
            any_status: header("status") == ["any"],
            source: text.into_bytes(),
        }
    }

    /// How long after its end its damage may still be on the way.
    fn aftermath(&self) -> Duration {
        if self.any_status {
            DAEMON
        } else if self.damage.contains(&Damage::Signal) {
            SIGNALLED
        } else {
            Duration::ZERO
        }
    }
}

/// The cases that this machine can try, in order.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/approval/evasions");
    let wanted = std::env::var("EVASIONS").unwrap_or_default();
    let mut paths = python_files(&root);
    paths.sort();
    assert!(paths.len() >= 170, "the corpus is whole: {}", paths.len());
    let all: Vec<Case> = paths.iter().map(|path| Case::read(path, &root)).collect();
    let (cases, left_out): (Vec<Case>, Vec<Case>) = all
        .into_iter()
        .filter(|case| case.name.contains(&wanted))
        .partition(|case| case.needs.iter().all(|need| is_met(need)));
    for case in left_out {
        eprintln!("left out: {} needs {}", case.name, case.needs.join(", "));
    }
    cases
}

fn python_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(dir)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
    {
        if path.is_dir() {
            found.extend(python_files(&path));
        } else if path.extension().is_some_and(|end| end == "py") {
            found.push(path);
        }
    }
    found
}

/// Whether this machine has what a case can't do without. Whatever is not known otherwise is a module's name.
fn is_met(need: &str) -> bool {
    const USER_NAMESPACES: &str = "import os; os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNS)";
    static KNOWN: OnceLock<std::sync::Mutex<BTreeMap<String, bool>>> = OnceLock::new();
    let ask = |code: &str| {
        let mut python = Command::new(&real().path);
        python.args(["-I", "-c", code]).stderr(Stdio::null());
        python.status().is_ok_and(|status| status.success())
    };
    let known = KNOWN.get_or_init(Default::default);
    if let Some(met) = known.lock().unwrap().get(need) {
        return *met;
    }
    let met = match need {
        "linux" => cfg!(target_os = "linux"),
        "x86_64" => cfg!(target_arch = "x86_64"),
        "root" => rustix::process::geteuid().is_root(),
        "user-namespaces" => ask(USER_NAMESPACES),
        "openssl3" => ask("import ssl; assert ssl.OPENSSL_VERSION_INFO >= (3,)"),
        "sqlite3.enable_load_extension" => {
            ask("import sqlite3; sqlite3.Connection.enable_load_extension")
        }
        _ => match need.strip_prefix("python") {
            Some(range) => {
                let (sign, version) =
                    range.split_at(range.find(|c: char| c.is_ascii_digit()).unwrap());
                let version = version.replace('.', ", ");
                ask(&format!(
                    "import sys; assert sys.version_info {sign} ({version})"
                ))
            }
            None => ask(&format!("import {need}")),
        },
    };
    known.lock().unwrap().insert(need.to_owned(), met);
    met
}

/// Does `work` for each case, several at a time, and answers in their order.
fn each<T: Send>(cases: &[Case], work: impl Fn(&Case) -> T + Sync) -> Vec<T> {
    let workers = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    while let Some((number, case)) = {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        cases.get(number).map(|case| (number, case))
                    } {
                        done.push((number, work(case)));
                    }
                    done
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs a case under the plain interpreter, and answers with what it printed.
fn run_plain(case: &Case, stage: &Stage) -> String {
    // A file rather than a pipe: what the case leaves behind would hold a pipe open.
    let path = stage.path("output");
    let output = File::create(&path).unwrap();
    let mut child = Command::new(stage.python())
        .args(["-B", "-"])
        .env_clear()
        .env("HOME", stage.path("home"))
        .env("TMPDIR", stage.path("temporary"))
        .env("PATH", stage.place().bin())
        .current_dir(stage.path("work"))
        .stdin(Stdio::piped())
        .stdout(output.try_clone().unwrap())
        .stderr(output)
        // A case may signal its whole group.
        .process_group(0)
        .spawn()
        .unwrap();
    // A case may end before it has read all of itself.
    let _ = child.stdin.take().unwrap().write_all(&case.source);
    let deadline = Instant::now() + WATCHDOG;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{} hangs under a plain python", case.name);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

/// What came of a case under pi.
struct Attempt {
    damage: BTreeSet<Damage>,
    status: String,
    rules: Vec<String>,
    layer: &'static str,
    last_words: String,
}

fn attempt(case: &Case, source: &[u8]) -> Attempt {
    let mut stage = Stage::set();
    let output = stage
        .place()
        .pi()
        .env("PI_PYTHON", stage.python())
        .env("TMPDIR", stage.path("temporary"))
        .cwd("work")
        .args(["python", "--json", "--timeout", "20", "-"])
        .stdin(source)
        .watchdog(WATCHDOG)
        .run();
    std::thread::sleep(case.aftermath());
    let result: serde_json::Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let status = result["status"].as_str().unwrap_or("none").to_owned();
    let rules: Vec<String> = result["approval"]["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|finding| finding["rule"].as_str().map(str::to_owned))
        .collect();
    Attempt {
        damage: stage.damage(format!("{}{}", output.stdout, output.stderr).as_bytes()),
        layer: layer(&status, &rules),
        status,
        rules,
        last_words: last_words(result["stderr"]["text"].as_str().unwrap_or(&output.stderr)),
    }
}

/// The end of what was printed: where it was too much, the cause stands there.
fn last_words(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(4)..].join("\n")
}

/// Which layer a case came to an end by.
fn layer(status: &str, rules: &[String]) -> &'static str {
    if rules.iter().any(|rule| rule.ends_with("00")) {
        "guard"
    } else if !rules.is_empty() {
        "review"
    } else if status == "failed" {
        // The program met a refusal of the system.
        "kernel"
    } else {
        "end"
    }
}

impl Attempt {
    /// What is wrong, if anything.
    fn problem(&self, case: &Case) -> Option<String> {
        if !self.damage.is_empty() {
            return Some(format!("did damage: {:?}", self.damage));
        }
        let stopped = matches!(self.status.as_str(), "approval_required" | "failed");
        (!stopped && !case.any_status).then(|| "was not stopped".to_owned())
    }
}
