//! Many runs in a row leave nothing behind.

use super::runs::{Ran, json, place};
use crate::support::pi::files_below;

#[test]
fn two_hundred_runs_leave_nothing_behind() {
    let place = place();
    #[cfg(target_os = "linux")]
    let mark = super::runs::Mark::new();
    #[cfg(target_os = "linux")]
    let place = place.with("PI_TEST_MARK", mark.variable());
    place.write(
        "cwd/job.py",
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(900)']); print(1)",
    );
    let programs: [(&[&str], i32, &str); 4] = [
        (&["--code", "print(1)"], 0, "1\n"),
        (
            &[
                "--code",
                "import sys; print(1, file=sys.stderr); sys.exit(3)",
            ],
            3,
            "",
        ),
        (&["--code", "print(1); raise ValueError"], 1, "1\n"),
        (&["job.py"], 0, "1\n"),
    ];
    // The first of each makes what is kept, such as the remembered interpreter.
    let run = |(program, exit, text): (&[&str], i32, &str)| {
        Ran::of(json(&place).args(program))
            .exited(exit)
            .printed(text);
    };
    programs.into_iter().for_each(run);
    let before = files_below(place.path());
    for _ in 0..50 {
        programs.into_iter().for_each(run);
    }
    assert_eq!(files_below(place.path()), before);
    #[cfg(target_os = "linux")]
    mark.gone_within(std::time::Duration::from_secs(2));
}
