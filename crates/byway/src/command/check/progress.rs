//! The line that shows how a check is doing.

use std::cell::Cell;
use std::time::{Duration, Instant};

use byway_check::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::command::count;

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

    /// Shows the numbers of this moment, if some time has passed.
    pub fn show(&self, progress: &Progress) {
        if self.bar.is_hidden() || self.shown.get().is_some_and(|shown| shown.elapsed() < EVERY) {
            return;
        }
        self.shown.set(Some(Instant::now()));
        self.bar.set_message(line(progress));
        self.bar.tick();
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn line(progress: &Progress) -> String {
    let phase = match progress.distance {
        0 => "following seeds".to_owned(),
        distance => format!("exploring at distance {distance}"),
    };
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    let left = progress.left.map(|left| format!("  {:.0} s left", left.as_secs_f64())).unwrap_or_default();
    let (confirmed, unconfirmed) = progress.findings;
    let more = if unconfirmed > 0 { format!(" (and {unconfirmed} unconfirmed)") } else { String::new() };
    format!(
        "{phase}: {} of {}  {}  {:.0} runs/s  {}{more}{left}",
        progress.seeds.0,
        count(progress.seeds.1, "seed"),
        count(progress.checks as usize, "check"),
        progress.runs as f64 / seconds,
        count(confirmed, "finding"),
    )
}
