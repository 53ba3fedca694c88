//! The line that shows how an exploration is doing.

use std::cell::Cell;
use std::time::{Duration, Instant};

use byway_explore::Settings;
use byway_report::Stats;
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

    /// Shows the numbers of this moment, if some time has passed.
    pub fn show(&self, stats: &Stats, settings: &Settings) {
        if self.bar.is_hidden() || self.shown.get().is_some_and(|shown| shown.elapsed() < EVERY) {
            return;
        }
        self.shown.set(Some(Instant::now()));
        self.bar.set_message(line(stats, settings));
        self.bar.tick();
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn line(stats: &Stats, settings: &Settings) -> String {
    let elapsed = (stats.elapsed - settings.before.elapsed).max(1e-3);
    let queries = stats.queries();
    let queries = queries.sat + queries.unsat + queries.unknown;
    let left = settings.budget.time.map(|time| format!(" of {}", time.as_secs())).unwrap_or_default();
    format!(
        "{:.0}{left} s  {} runs ({:.0}/s)  {} paths  {} pending  lines {:.1} %  branches {:.1} %  {:.0} queries/s  {} tests  {} findings",
        elapsed,
        stats.runs,
        (stats.runs - settings.before.runs) as f64 / elapsed,
        stats.paths,
        stats.pendings,
        stats.lines.percent(),
        stats.branches.percent(),
        queries as f64 / elapsed,
        stats.kept,
        stats.findings,
    )
}
