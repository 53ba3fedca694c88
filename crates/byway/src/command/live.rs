//! The line on the terminal that shows how long work is doing.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// A line on the terminal; nothing if there is none.
pub struct Live {
    bar: ProgressBar,
    shown: Cell<Option<Instant>>,
}

impl Live {
    /// An empty line.
    pub fn new() -> Live {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Live { bar, shown: Cell::new(None) }
    }

    /// Shows what there is to say, if some time has passed.
    pub fn show(&self, line: impl FnOnce() -> String) {
        if self.bar.is_hidden() || self.shown.get().is_some_and(|shown| shown.elapsed() < EVERY) {
            return;
        }
        self.shown.set(Some(Instant::now()));
        self.bar.set_message(line());
        self.bar.tick();
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
