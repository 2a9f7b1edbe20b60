//! The text that a run returns of each stream.

use super::{
    MAX_BYTES, MAX_LINES, is_cut_from, is_private_copy, lines_of, numbered, parts, writes,
};
use crate::python::runs::{Ran, Stream, code, each, json, place};

/// The stream is returned as it was written.
#[track_caller]
fn is_whole(stream: &Stream, text: &str) {
    assert_eq!(stream.text, text);
    assert!(!stream.truncated, "{stream:?}");
    assert_eq!(stream.truncated_by, None);
    assert_eq!(
        (
            stream.omitted_bytes,
            stream.omitted_lines,
            stream.reduced_bytes
        ),
        (0, 0, 0)
    );
    assert_eq!(stream.path, None, "nothing needs to be kept");
}

#[test]
fn many_lines_are_cut_by_lines() {
    let place = place();
    let written = numbered(3000);
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096))
        .exited(0)
        .without_notices();
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
    assert_eq!(ran.stdout.truncated_by.as_deref(), Some("lines"));
    assert_eq!(ran.stdout.omitted_lines, 1000);
    assert!(ran.stdout.text.starts_with("line 1\n"), "{ran}");
    assert!(ran.stdout.text.ends_with("line 3000\n"), "{ran}");
}

#[test]
fn many_bytes_are_cut_by_bytes_at_line_borders() {
    let place = place();
    let written: String = each(0..1500, |i| format!("{i:06} {}\n", "x".repeat(60)));
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096))
        .exited(0)
        .without_notices();
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
    assert_eq!(ran.stdout.truncated_by.as_deref(), Some("bytes"));
    let cut = parts(&ran.stdout);
    assert!(cut.head.ends_with("x\n"), "{ran}");
    assert!(cut.tail.starts_with("00"), "{ran}");
    let shown = cut.head.len() + cut.tail.len();
    assert!(shown > MAX_BYTES - 200, "only {shown} bytes are shown");
}

#[test]
fn exactly_the_most_lines_are_whole() {
    let place = place();
    for end in ["\n", ""] {
        for count in [MAX_LINES - 1, MAX_LINES] {
            let written = numbered(count - 1) + "last" + end;
            let ran = Ran::of(writes(&place, written.as_bytes(), 1000))
                .exited(0)
                .without_notices();
            is_whole(&ran.stdout, &written);
            assert_eq!(ran.stdout.lines, count as u64);
        }
        let written = numbered(MAX_LINES) + "last" + end;
        let ran = Ran::of(writes(&place, written.as_bytes(), 1000)).exited(0);
        is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
        assert_eq!(ran.stdout.omitted_lines, 1);
        assert_eq!(ran.stdout.lines, MAX_LINES as u64 + 1);
    }
}

#[test]
fn exactly_the_most_bytes_are_whole() {
    let place = place();
    let limit = ["--max-output-bytes", "1000"];
    for length in [999, 1000, 1001] {
        let written: String = numbered(200)[..length].to_owned();
        let ran = Ran::of(writes(&place, written.as_bytes(), 100).args(limit)).exited(0);
        if length <= 1000 {
            is_whole(&ran.stdout, &written);
        } else {
            is_cut_from(&ran.stdout, written.as_bytes(), 1000, MAX_LINES);
        }
    }
}

#[test]
fn what_is_under_both_limits_is_untouched() {
    let place = place();
    let written = format!("{}\n", "x".repeat(199)).repeat(200);
    let ran = Ran::of(writes(&place, written.as_bytes(), 333))
        .exited(0)
        .without_notices();
    is_whole(&ran.stdout, &written);
}

#[test]
fn the_size_of_the_pieces_makes_no_difference() {
    let place = place();
    let written = numbered(400) + &"你🙂é".repeat(300) + "\nend";
    let shown = |size| {
        let limits = ["--max-output-bytes", "3000", "--max-output-lines", "100"];
        let ran = Ran::of(writes(&place, written.as_bytes(), size).args(limits)).exited(0);
        is_cut_from(&ran.stdout, written.as_bytes(), 3000, 100);
        let cut = parts(&ran.stdout);
        (cut.head.to_owned(), cut.tail.to_owned())
    };
    let whole = shown(1 << 20);
    for size in [1, 7, 1000] {
        assert_eq!(shown(size), whole, "in pieces of {size}");
    }
}

#[test]
fn characters_of_many_bytes_are_never_torn() {
    let place = place();
    for written in [
        "你".repeat(50_000),
        "🙂é".repeat(30_000),
        "你".repeat(50_000) + "\n",
    ] {
        let ran = Ran::of(writes(&place, written.as_bytes(), 65_536)).exited(0);
        is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
        assert!(!ran.stdout.text.contains('\u{fffd}'));
        // Of one line both ends are shown.
        let cut = parts(&ran.stdout);
        assert!(cut.head.len() > 20_000 && cut.tail.len() > 20_000);
    }
}

#[test]
fn characters_are_whole_in_the_lines_of_stream_too() {
    let written = "🙂é你".repeat(30_000);
    let place = place();
    place.write("cwd/content", &written);
    let source = "import os\nfor i in range(0, 270000, 4097): os.write(1, data[i:i + 4097])";
    let source = format!("data = open('content', 'rb').read()\n{source}");
    let output = place.pi().args(["python", "--stream", "-c", &source]).run();
    output.ended_with(0).lacks(&["\u{fffd}", "\\ufffd"]);
}

#[test]
fn the_lines_of_stream_put_together_are_the_text() {
    let place = place();
    let source =
        "import sys\nfor i in range(5000): print('line', i)\nprint('x' * 100_000, file=sys.stderr)";
    let output = place.pi().args(["python", "--stream", "-c", source]).run();
    output.ended_with(0);
    let events: Vec<serde_json::Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is an object"))
        .collect();
    let end = events.last().expect("there is an end");
    for stream in ["stdout", "stderr"] {
        let pieces = events.iter().filter(|event| event["stream"] == stream);
        let heard: String = pieces
            .map(|event| event["text"].as_str().unwrap())
            .collect();
        assert_eq!(heard, end[stream]["text"].as_str().unwrap());
        assert_eq!(end[stream]["truncated"], true);
    }
}

#[test]
fn of_few_long_lines_both_ends_are_shown_with_the_error_behind_them() {
    let place = place();
    let source = "print('start|' + 'ab' * 61_000)\nprint('-' * 310_000)\nraise RuntimeError('the only line that matters')";
    let ran = Ran::of(code(&place, source)).exited(1);
    let written = format!("start|{}\n{}\n", "ab".repeat(61_000), "-".repeat(310_000));
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
    assert!(
        ran.stdout.text.starts_with("start|abab"),
        "the beginning is kept"
    );
    assert!(ran.stdout.text.ends_with("--\n"), "the end is kept");
    let ran = ran.complained("RuntimeError: the only line that matters\n");
    assert!(!ran.stderr.truncated);
}

#[test]
fn a_long_line_on_standard_error_keeps_the_last_line() {
    let place = place();
    let source = "import sys\nprint('-' * 310_000, file=sys.stderr)\nraise RuntimeError('the only line that matters')";
    let ran = Ran::of(code(&place, source)).exited(1);
    assert!(ran.stderr.truncated);
    assert!(
        ran.stderr
            .text
            .ends_with("RuntimeError: the only line that matters\n"),
        "{ran}"
    );
}

#[test]
fn what_a_dying_program_wrote_last_is_there() {
    let place = place();
    let source = "import os, signal\nfor i in range(100_000): print(i)\nprint('last words', end='')\nos.kill(os.getpid(), signal.SIGKILL)";
    let ran = Ran::of(code(&place, source));
    assert_eq!(ran.status, "failed");
    assert!(ran.stdout.text.ends_with("last words"), "{ran}");
    let written: String = each(0..100_000, |i| format!("{i}\n")) + "last words";
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
}

#[test]
fn what_was_printed_before_an_exception_is_there() {
    let place = place();
    let source = "for i in range(20_000): print('row', i)\nprint('rows found:', 42); [][0]";
    let ran = Ran::of(code(&place, source))
        .exited(1)
        .complained("IndexError");
    assert!(
        ran.stdout.text.ends_with("row 19999\nrows found: 42\n"),
        "{ran}"
    );
}

#[test]
fn each_stream_has_its_own_budget() {
    let place = place();
    let source =
        "import sys\nfor i in range(3000):\n    print('out', i); print('err', i, file=sys.stderr)";
    let ran = Ran::of(code(&place, source)).exited(0);
    for (word, stream) in [("out", &ran.stdout), ("err", &ran.stderr)] {
        let written: String = each(0..3000, |i| format!("{word} {i}\n"));
        is_cut_from(stream, written.as_bytes(), MAX_BYTES, MAX_LINES);
        let name = if word == "out" {
            " stdout "
        } else {
            " stderr "
        };
        assert!(parts(stream).notice.contains(name), "{ran}");
    }
    assert_ne!(ran.stdout.path, ran.stderr.path);
}

#[test]
fn a_run_names_its_own_limits() {
    let place = place();
    let written = numbered(3000);
    for (bytes, lines) in [
        (1000, 20_000),
        (1000, 10),
        (200_000, 100),
        (200_000, 1),
        (5000, 3),
        (1001, 2),
    ] {
        let (most_bytes, most_lines) = (bytes.to_string(), lines.to_string());
        let options = [
            "--max-output-bytes",
            &most_bytes,
            "--max-output-lines",
            &most_lines,
        ];
        let ran = Ran::of(writes(&place, written.as_bytes(), 4096).args(options)).exited(0);
        is_cut_from(&ran.stdout, written.as_bytes(), bytes, lines);
        assert!(ran.stdout.text.ends_with("line 3000\n"), "{ran}");
    }
    let options = ["--max-output-bytes", "200000", "--max-output-lines", "3000"];
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096).args(options)).exited(0);
    is_whole(&ran.stdout, &written);
}

#[test]
fn limits_come_from_settings_too() {
    let place = place()
        .with("PI_MAX_OUTPUT_BYTES", "1000")
        .with("PI_MAX_OUTPUT_LINES", "10");
    let written = numbered(100);
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096)).exited(0);
    is_cut_from(&ran.stdout, written.as_bytes(), 1000, 10);
}

#[test]
fn a_project_may_only_lower_the_limits() {
    let place = place();
    place.write(
        "cwd/.pi/python.toml",
        "[run]\nmax_output_lines = 10\nmax_output_bytes = 200000\n",
    );
    let written = numbered(100);
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096)).exited(0);
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, 10);
}

#[test]
fn a_progress_bar_is_shown_in_its_last_state() {
    let place = place();
    let source = r#"
import sys, time
for i in range(2001):
    sys.stderr.write(f"\r{i/20:5.1f}%|{'#' * (i // 40):<50}| {i}/2000 \x1b[K"); sys.stderr.flush()
sys.stderr.write("\n\x1b[31mred\x1b[0m\n"); print("ok")
"#;
    let ran = Ran::of(code(&place, source)).exited(0).printed("ok\n");
    let bar = format!("100.0%|{}| 2000/2000 \n", "#".repeat(50));
    assert_eq!(ran.stderr.text, format!("{bar}red\n"));
    let written: String = each(0..2001, |i| {
        format!(
            "\r{:5.1}%|{:<50}| {i}/2000 \x1b[K",
            f64::from(u32::try_from(i).unwrap()) / 20.0,
            "#".repeat(i / 40)
        )
    }) + "\n\x1b[31mred\x1b[0m\n";
    assert_eq!(ran.stderr.bytes, written.len() as u64);
    assert_eq!(ran.stderr.lines, 2);
    assert!(!ran.stderr.truncated);
    assert_eq!(
        ran.stderr.reduced_bytes,
        (written.len() - ran.stderr.text.len()) as u64
    );
    // Over the budget as it was written: the bytes are kept as they were.
    is_private_copy(
        ran.stderr.path.as_deref().expect("it is kept"),
        written.as_bytes(),
    );
}

#[test]
fn raw_keeps_bars_and_colours() {
    let written = "\r 1%\r 2%\x1b[K\n\x1b[31mred\x1b[0m\n\r\r\n";
    let place = place();
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096).arg("--raw")).exited(0);
    is_whole(&ran.stdout, written);
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096)).exited(0);
    assert_eq!(ran.stdout.text, " 2%\nred\n\r\n");
    assert_eq!(
        ran.stdout.reduced_bytes,
        (written.len() - ran.stdout.text.len()) as u64
    );
}

#[test]
fn raw_text_is_cut_within_its_budget() {
    let place = place();
    let written: String = each(0..3000, |i| format!("\x1b[31m{i}\x1b[0m\n"));
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096).arg("--raw")).exited(0);
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
    assert_eq!(ran.stdout.reduced_bytes, 0);
}

#[test]
fn budgets_apply_after_tidying() {
    let place = place();
    // 300 KB of bars in 2,000 lines that end as 10 bytes each.
    let written: String = each(0..2000, |i| {
        (0..10)
            .map(|p| format!("\r{p:>3}% {i:04}"))
            .collect::<Vec<_>>()
            .concat()
            + "\n"
    });
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096)).exited(0);
    let text: String = each(0..2000, |i| format!("  9% {i:04}\n"));
    assert_eq!(ran.stdout.text, text);
    assert!(!ran.stdout.truncated);
    assert_eq!(
        ran.stdout.bytes,
        text.len() as u64 + ran.stdout.reduced_bytes
    );
}

#[test]
fn counts_add_up_where_a_stream_is_tidied_and_cut() {
    let place = place();
    let written: String = each(0..3000, |i| format!("old\r\x1b[1mline {i}\x1b[0m\n"));
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096)).exited(0);
    let cut = parts(&ran.stdout);
    let shown = (cut.head.len() + cut.tail.len()) as u64;
    assert_eq!(
        shown + ran.stdout.omitted_bytes + ran.stdout.reduced_bytes,
        written.len() as u64
    );
    assert_eq!(ran.stdout.bytes, written.len() as u64);
    is_private_copy(
        ran.stdout.path.as_deref().expect("it is kept"),
        written.as_bytes(),
    );
}

#[test]
fn line_ends_of_windows_stay() {
    let place = place();
    let ran = Ran::of(writes(&place, b"a\r\nb\r\n\r\nc", 3)).exited(0);
    is_whole(&ran.stdout, "a\r\nb\r\n\r\nc");
    let written = numbered(3000).replace('\n', "\r\n");
    let ran = Ran::of(writes(&place, written.as_bytes(), 1001)).exited(0);
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
    assert_eq!(ran.stdout.reduced_bytes, 0);
    assert!(parts(&ran.stdout).head.ends_with("\r\n"));
}

#[test]
fn nul_characters_are_characters() {
    let place = place();
    let ran = Ran::of(writes(&place, b"a\0b\0\n\0", 2)).exited(0);
    is_whole(&ran.stdout, "a\0b\0\n\0");
    let written = "\0".repeat(100_000);
    let ran = Ran::of(writes(&place, written.as_bytes(), 4096)).exited(0);
    is_cut_from(&ran.stdout, written.as_bytes(), MAX_BYTES, MAX_LINES);
}

#[test]
fn bytes_that_are_no_text_are_shown_as_such_and_kept_as_they_are() {
    let place = place();
    let ran = Ran::of(writes(&place, b"a\xff\xc3(\xe4\xbd", 1)).exited(0);
    assert_eq!(ran.stdout.text, "a\u{fffd}\u{fffd}(\u{fffd}");
    assert_eq!((ran.stdout.bytes, ran.stdout.lines), (6, 1));
    // Shown, each is three bytes long: the budget holds for what is shown.
    let written: Vec<u8> = (0..40_000_u32)
        .map(|i| {
            if i % 100 == 99 {
                b'\n'
            } else {
                0x80 | (i % 64) as u8
            }
        })
        .collect();
    let ran = Ran::of(writes(&place, &written, 1000)).exited(0);
    let cut = parts(&ran.stdout);
    assert!(cut.head.len() + cut.tail.len() <= MAX_BYTES);
    assert_eq!(ran.stdout.truncated_by.as_deref(), Some("bytes"));
    let shown: usize = [cut.head, cut.tail]
        .iter()
        .map(|part| part.chars().count())
        .sum();
    assert_eq!(shown as u64 + ran.stdout.omitted_bytes, ran.stdout.bytes);
    is_private_copy(ran.stdout.path.as_deref().expect("it is kept"), &written);
}

#[test]
fn in_text_the_notice_stands_where_something_is_missing() {
    let place = place();
    place.write("cwd/job.py", "for i in range(1, 3001): print('line', i)");
    let output = place.pi().args(["python", "job.py"]).stderr_any().run();
    output.ended_with(0);
    let ran = Ran::of(json(&place).arg("job.py"));
    let notice = parts(&ran.stdout).notice.split("; ").next().unwrap();
    let at = output
        .stdout
        .find(notice)
        .unwrap_or_else(|| panic!("no {notice:?}\n{output}"));
    assert!(output.stdout[..at].ends_with("line 1000\n"), "{output}");
    assert!(output.stdout.ends_with("line 3000\n"), "{output}");
    assert_eq!(lines_of(&output.stdout), 2001);
}
