//! What the line says that shows how an exploration is doing.

use byway_explore::ExploreSettings;
use byway_report::ExploreStats;

use crate::command::count;

/// The numbers of this moment.
pub fn line(stats: &ExploreStats, settings: &ExploreSettings) -> String {
    let elapsed = (stats.elapsed - settings.before.elapsed).max(1e-3);
    let queries = stats.queries();
    let queries = queries.sat + queries.unsat + queries.unknown;
    let left = settings.budget.time.map(|time| format!(" of {}", time.as_secs())).unwrap_or_default();
    format!(
        "exploring: {:.0}{left} s  {} ({:.0}/s)  {}  {} pending  lines {:.1} %  branches {:.1} %  {:.0} queries/s  {}  {}",
        elapsed,
        count(stats.runs as usize, "run"),
        (stats.runs - settings.before.runs) as f64 / elapsed,
        count(stats.paths as usize, "path"),
        stats.pendings,
        stats.lines.percent(),
        stats.branches.percent(),
        queries as f64 / elapsed,
        count(stats.kept as usize, "test"),
        count(stats.findings as usize, "finding"),
    )
}
