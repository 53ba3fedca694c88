//! What the line says that shows how an exploration is doing.

use byway_explore::ExploreSettings;
use byway_report::ExploreStats;

/// The numbers of this moment.
pub fn line(stats: &ExploreStats, settings: &ExploreSettings) -> String {
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
