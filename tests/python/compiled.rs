//! The compiled bootstrap that is kept in the agent directory: whatever becomes of it, programs run.

use std::fs;
use std::path::PathBuf;

use super::runs::{Ran, code, used_place};
use crate::support::Place;

/// The only compiled bootstrap of a place that has been used with one interpreter.
fn compiled(place: &Place) -> PathBuf {
    let entries = fs::read_dir(place.agent().join("cache/bootstrap")).expect("it was made");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let compiled: Vec<PathBuf> = paths.filter(|path| path.extension().is_none()).collect();
    let [path] = compiled.as_slice() else {
        panic!("{compiled:?}");
    };
    path.clone()
}

#[test]
fn a_damaged_one_is_made_anew() {
    let place = used_place();
    let file = compiled(&place);
    let whole = fs::read(&file).expect("readable");
    let cut = whole[..whole.len() / 2].to_vec();
    let mut turned = whole.clone();
    turned[whole.len() / 2] ^= 0x55;
    for damaged in [Vec::new(), vec![0; 4096], cut, turned] {
        fs::write(&file, &damaged).expect("writable");
        let outcome = Ran::of(code(&place, "print(__name__, __file__)")).exited(0);
        assert_eq!(outcome.stdout.text, "__main__ <code>\n");
        assert_eq!(fs::read(&file).expect("readable"), whole);
    }
}

#[test]
fn a_program_runs_where_none_can_be_kept() {
    let place = used_place();
    let directory = place.agent().join("cache/bootstrap");
    fs::remove_dir_all(&directory).expect("it was made");
    fs::write(&directory, "in the way").expect("writable");
    let source = "def f(): raise ValueError('here')\nf()";
    let outcome = Ran::of(code(&place, source)).exited(1);
    assert!(
        outcome
            .stderr
            .text
            .contains("File \"<code>\", line 1, in f")
    );
    assert!(outcome.stderr.text.contains("raise ValueError('here')"));
}
