//! The line that shows how long work is doing.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::console::{self, Activity};

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// A line on the terminal; without one, a line every now and then.
pub struct Live {
    bar: ProgressBar,
    shown: Cell<Instant>,
    /// What there is to say, for whoever has no terminal.
    line: Arc<Mutex<String>>,
    _activity: Activity,
}

impl Live {
    /// An empty line.
    pub fn new() -> Live {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        let line = Arc::new(Mutex::new(String::new()));
        let said = Arc::clone(&line);
        let activity = Activity::telling(move || said.lock().unwrap_or_else(PoisonError::into_inner).clone());
        Live { bar, shown: Cell::new(Instant::now()), line, _activity: activity }
    }

    /// Shows what there is to say, if some time has passed.
    pub fn show(&self, line: impl FnOnce() -> String) {
        let mut shown = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if self.shown.get().elapsed() < EVERY && !shown.is_empty() {
            return;
        }
        self.shown.set(Instant::now());
        *shown = line();
        if !self.bar.is_hidden() {
            self.bar.set_message(shown.clone());
            self.bar.tick();
        }
    }

    /// Prints a result; the line stays below it.
    pub fn print(&self, text: &str) {
        self.bar.suspend(|| console::print(text));
    }

    /// Removes the line.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
