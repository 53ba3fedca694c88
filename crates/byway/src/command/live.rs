//! The line that shows how long work is doing.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::console;

/// How often the line on a terminal changes.
const EVERY: Duration = Duration::from_millis(200);

/// A line on the terminal; without one, a line every now and then.
pub struct Live {
    bar: ProgressBar,
    shown: Cell<Instant>,
}

impl Live {
    /// An empty line.
    pub fn new() -> Live {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Live { bar, shown: Cell::new(Instant::now()) }
    }

    /// Shows what there is to say, if some time has passed.
    pub fn show(&self, line: impl FnOnce() -> String) {
        let every = if self.bar.is_hidden() { console::progress_interval() } else { EVERY };
        if self.shown.get().elapsed() < every {
            return;
        }
        self.shown.set(Instant::now());
        if self.bar.is_hidden() {
            return console::error(&line());
        }
        self.bar.set_message(line());
        self.bar.tick();
    }

    /// Prints a result; the line stays below it.
    pub fn print(&self, text: &str) {
        self.bar.suspend(|| console::print(text));
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
