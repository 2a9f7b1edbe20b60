//! Progress for people: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::report;
use crate::progress::{Progress, Silent};

/// The right listener for this process's standard error.
pub(crate) fn listener(quiet: bool) -> Box<dyn Progress> {
    if quiet {
        Box::new(Silent)
    } else if std::io::stderr().is_terminal() {
        Box::new(Bar(Mutex::new(None)))
    } else {
        Box::new(Lines)
    }
}

/// A line a step.
struct Lines;

impl Progress for Lines {
    fn step(&self, text: &str) {
        report::note(text);
    }

    fn note(&self, text: &str) {
        report::note(text);
    }

    fn warning(&self, text: &str) {
        report::warning(text);
    }
}

/// A bar, or a spinner while no size is known. It appears with the first step: most calls have none.
struct Bar(Mutex<Option<ProgressBar>>);

impl Bar {
    fn with(&self, act: impl FnOnce(&ProgressBar)) {
        if let Ok(mut bar) = self.0.lock() {
            act(bar.get_or_insert_with(|| {
                let bar = ProgressBar::new_spinner();
                bar.enable_steady_tick(Duration::from_millis(100));
                bar
            }));
        }
    }
}

impl Progress for Bar {
    fn step(&self, text: &str) {
        self.with(|bar| {
            bar.set_style(ProgressStyle::default_spinner());
            bar.set_message(text.to_owned());
        });
    }

    fn bytes(&self, done: u64, total: Option<u64>) {
        self.with(|bar| {
            if let Some(total) = total {
                if bar.length() != Some(total) {
                    let template = "{spinner} {msg} {bar:30} {bytes}/{total_bytes} {bytes_per_sec}";
                    bar.set_style(
                        ProgressStyle::with_template(template)
                            .expect("the template is well formed"),
                    );
                    bar.set_length(total);
                }
                bar.set_position(done);
            }
        });
    }

    fn note(&self, text: &str) {
        self.with(|bar| bar.suspend(|| report::note(text)));
    }

    fn warning(&self, text: &str) {
        self.with(|bar| bar.suspend(|| report::warning(text)));
    }

    fn make_room(&self) {
        if let Ok(Some(bar)) = self.0.lock().map(|mut bar| bar.take()) {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.make_room();
    }
}
