//! `pi outputs`: what is kept of runs, and for how long.

use std::time::{Duration, SystemTime};

use serde_json::json;

use super::{numbered, parts, writes};
use crate::python::runs::{self, Ran, each, place};
use crate::support::{Pi, Place};

fn outputs(place: &Place, args: &[&str]) -> Pi {
    place.pi().arg("outputs").args(args.iter().copied())
}

/// Makes a run whose standard output is kept: its name.
#[track_caller]
fn keep(place: &Place, written: &str) -> String {
    let limits = ["--max-output-bytes", "1000", "--max-output-lines", "10"];
    let ran = Ran::of(writes(place, written.as_bytes(), 4096).args(limits)).exited(0);
    let kept = ran.stdout.path.as_deref().expect("it is kept");
    let dir = kept.parent().unwrap();
    assert_eq!(
        dir.parent().unwrap(),
        place.agent().join("work").join("outputs")
    );
    dir.file_name().unwrap().to_str().unwrap().to_owned()
}

/// The names of the kept runs, as `list` gives them.
#[track_caller]
fn listed(place: &Place) -> Vec<String> {
    let list = outputs(place, &["list", "--json"]).code(0).json();
    let runs = list.as_array().expect("a list");
    runs.iter()
        .map(|run| run["run"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_short_output_is_not_kept() {
    let place = place();
    Ran::of(runs::code(&place, "print(1)")).exited(0);
    assert!(!place.agent().join("work").exists());
    outputs(&place, &["list"]).code(0);
    assert_eq!(listed(&place), Vec::<String>::new());
}

#[test]
fn kept_runs_are_listed_newest_first() {
    let place = place();
    let first = keep(&place, &numbered(100));
    let second = keep(&place, &numbered(200));
    assert_eq!(listed(&place), [second.clone(), first.clone()]);
    let list = outputs(&place, &["list", "--json"]).code(0).json();
    let dir = place.agent().join("work").join("outputs").join(&second);
    let file = dir.join("stdout.log");
    let bytes = numbered(200).len();
    let expected = json!({
        "run": second, "path": dir, "inProgress": false,
        "streams": [{ "stream": "stdout", "path": file, "bytes": bytes }],
    });
    assert_eq!(list[0], expected);
    let text = outputs(&place, &["list"]).code(0).stdout;
    let at = |run: &str| text.find(run).unwrap_or_else(|| panic!("no {run}: {text}"));
    assert!(at(&second) < at(&first), "{text}");
    assert!(text.contains("stdout"), "{text}");
}

#[test]
fn a_kept_stream_is_shown_whole_or_by_lines() {
    let place = place();
    let written = numbered(100) + "end";
    let run = keep(&place, &written);
    let lines = |range: &str| outputs(&place, &["show", &run, "stdout", "--lines", range]);
    outputs(&place, &["show", &run]).stdout(&written).code(0);
    outputs(&place, &["show", &run, "stdout"])
        .stdout(&written)
        .code(0);
    lines("1:1").stdout("line 1\n").code(0);
    lines("99:101").stdout("line 99\nline 100\nend").code(0);
    lines("100:").stdout("line 100\nend").code(0);
    lines(":2").stdout("line 1\nline 2\n").code(0);
    lines("50:50").stdout("line 50\n").code(0);
    lines("101:1000000").stdout("end").code(0);
    lines("500:600").stdout("").code(0);
    for nonsense in ["0:5", "5:4", "a:b", "1-5", "-1:5", "1:2:3"] {
        let pi = outputs(
            &place,
            &["show", &run, "stdout", &format!("--lines={nonsense}")],
        );
        pi.stdout("").stderr_has("--lines").code(2);
    }
}

#[test]
fn a_run_is_named_by_its_beginning_or_as_the_last() {
    let place = place();
    let first = keep(&place, &numbered(100));
    let second = keep(&place, &numbered(200));
    let common = first
        .bytes()
        .zip(second.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    outputs(&place, &["show", &first[..=common]])
        .stdout(numbered(100))
        .code(0);
    outputs(&place, &["show", "last"])
        .stdout(numbered(200))
        .code(0);
    let ambiguous = outputs(&place, &["show", &first[..common]])
        .stdout("")
        .stderr_any()
        .run();
    assert_ne!(ambiguous.code, Some(0));
    ambiguous.says(&["error: ", "2"]);
    for unknown in ["nothing", "", "../outputs", "/"] {
        let output = outputs(&place, &["show", unknown]).stderr_any().run();
        assert_ne!(output.code, Some(0), "{output}");
        output.says(&["error: "]).lacks(&["panicked"]);
    }
}

#[test]
fn the_path_of_a_kept_stream_is_printed() {
    let place = place();
    let run = keep(&place, &numbered(100));
    let path = place
        .agent()
        .join("work")
        .join("outputs")
        .join(&run)
        .join("stdout.log");
    outputs(&place, &["path", &run])
        .stdout(format!("{}\n", path.display()))
        .code(0);
    let output = outputs(&place, &["path", &run, "stderr"])
        .stderr_any()
        .run();
    assert_ne!(output.code, Some(0), "{output}");
    output.says(&["error: ", "stderr"]);
    assert_eq!(output.stdout, "");
}

#[test]
fn cleaning_removes_what_is_kept() {
    let place = place();
    keep(&place, &numbered(100));
    keep(&place, &numbered(100));
    outputs(&place, &["clean"]).stderr_any().code(0);
    assert_eq!(listed(&place), Vec::<String>::new());
    let left = crate::support::pi::files_below(&place.agent().join("work"));
    assert!(left.is_empty(), "{left:?}");
    outputs(&place, &["clean"]).stderr_any().code(0);
}

#[test]
fn the_notice_tells_how_to_see_what_is_missing() {
    let place = place();
    let written: String = each(1..=10_000, |i| match i {
        1 | 5_000 | 10_000 => format!("interesting {i}\n"),
        _ => format!("{i}\n"),
    });
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096)).exited(0);
    for end in ["interesting 1\n", "interesting 10000\n"] {
        assert!(ran.stdout.text.contains(end), "{ran}");
    }
    // The command in the notice shows exactly what is missing.
    let cut = parts(&ran.stdout);
    let start = cut.notice.find("`pi outputs show ").expect("a command") + 1;
    let command = &cut.notice[start..];
    let command = &command[..command.find('`').expect("its end")];
    let words: Vec<&str> = command.split(' ').skip(2).collect();
    let shown = outputs(&place, &words).code(0).stdout;
    assert_eq!([cut.head, &shown, cut.tail].concat(), written);
    assert!(shown.contains("interesting 5000\n"));
    // A part of it does too.
    let run = words[1];
    outputs(&place, &["show", run, "stdout", "--lines", "5000:5000"])
        .stdout("interesting 5000\n")
        .code(0);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = place();
    let run = keep(&place, &numbered(100_000));
    if cfg!(unix) {
        outputs(&place, &["show", &run])
            .through(["sh", "-c", "\"$0\" \"$@\" | head -1"])
            .stdout("line 1\n")
            .code(0);
    }
}

#[test]
fn only_so_many_runs_are_kept() {
    let mut place = place();
    let all: Vec<String> = (0..4).map(|_| keep(&place, &numbered(100))).collect();
    place.set("PI_OUTPUTS_KEEP_RUNS", "2");
    let newest = keep(&place, &numbered(100));
    assert_eq!(listed(&place), [newest, all[3].clone()]);
}

#[test]
fn only_so_many_bytes_are_kept() {
    let mut place = place();
    let size = numbered(200).len();
    let all: Vec<String> = (0..3).map(|_| keep(&place, &numbered(200))).collect();
    place.set("PI_OUTPUTS_KEEP_BYTES", (size * 2 + 10).to_string());
    let newest = keep(&place, &numbered(200));
    assert_eq!(listed(&place), [newest, all[2].clone()]);
}

#[cfg(unix)]
#[test]
fn runs_are_kept_for_so_many_days() {
    let place = place();
    let (old, young) = (keep(&place, &numbered(100)), keep(&place, &numbered(100)));
    let days = |days: u64| SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
    for (run, age) in [(&old, days(31)), (&young, days(29))] {
        let dir = place.agent().join("work").join("outputs").join(run);
        for path in [dir.join("stdout.log"), dir] {
            std::fs::File::open(path)
                .unwrap()
                .set_modified(age)
                .unwrap();
        }
    }
    let newest = keep(&place, &numbered(100));
    assert_eq!(listed(&place), [newest, young]);
}

#[cfg(unix)]
#[test]
fn a_run_in_progress_keeps_its_output() {
    // The first run is under way and its output is kept already; the second one leaves room for one run alone.
    let mut place = place();
    place.set("PI_OUTPUTS_KEEP_RUNS", "1");
    let slow = "import os, time\nfor i in range(3000): print(i)\nopen('started', 'w').close()\n\
                while not os.path.exists('go'): time.sleep(0.01)\nprint('end')";
    // In a workspace of its own, which the second one need not wait for.
    place.write("other/file", "");
    let first = runs::code(&place, slow).cwd("other").spawn();
    runs::wait_for_file(&place.path().join("other/started"));
    let second = keep(&place, &numbered(100));
    outputs(&place, &["clean"]).stderr_any().code(0);
    assert!(!listed(&place).contains(&second));
    place.write("other/go", "");
    let ran = Ran::read(first.wait()).exited(0);
    let written: String = each(0..3000, |i| format!("{i}\n")) + "end\n";
    let kept = ran.stdout.path.as_deref().expect("it is kept");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), written);
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_pi_kept_is_a_kept_run_like_others() {
    let place = place();
    let source =
        "import time\nfor i in range(3000): print(i)\nopen('started', 'w').close()\ntime.sleep(60)";
    let mark = runs::Mark::new();
    let running = runs::code(&place, source)
        .args(["--env", &mark.variable()])
        .spawn();
    runs::wait_for_file(&place.cwd().join("started"));
    crate::support::wait_until("the output to be kept", Duration::from_secs(30), || {
        let run = listed(&place).pop()?;
        let file = place
            .agent()
            .join("work/outputs")
            .join(run)
            .join("stdout.log");
        (std::fs::metadata(file).ok()?.len() > 10).then_some(())
    });
    runs::signal(running.id(), rustix::process::Signal::KILL);
    drop(running);
    mark.gone_within(Duration::from_secs(10));
    assert_eq!(listed(&place).len(), 1);
    let shown = outputs(&place, &["show", "last", "stdout", "--lines", "1:3"]);
    shown.stdout("0\n1\n2\n").code(0);
    outputs(&place, &["clean"]).stderr_any().code(0);
    assert_eq!(listed(&place), Vec::<String>::new());
}
