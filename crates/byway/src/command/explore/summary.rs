//! What an exploration came to, in words.

use std::fmt::Write;
use std::path::Path;

use byway_engine::Stop;
use byway_report::{ExploreStats, TestStore};

use crate::command::check::remaining;
use crate::command::shown;
use crate::flags::ExploreFlags;

/// The report on standard output.
pub fn in_words(flags: &ExploreFlags, stop: Stop, stats: &ExploreStats, store: &TestStore) -> String {
    let mut text = String::new();
    for entry in store.findings() {
        let _ = finding(&mut text, flags, entry);
    }
    let _ = numbers(&mut text, stop, stats);
    let _ = writeln!(text, "tests and findings are in {}", flags.output.display());
    text
}

fn finding(text: &mut String, flags: &ExploreFlags, entry: &byway_report::Entry) -> std::fmt::Result {
    let found = &entry.finding;
    let unconfirmed = if entry.confirmed { "" } else { " (unconfirmed: not in the build with sanitizers)" };
    writeln!(text, "{}: {}{unconfirmed}", found.kind, found.message)?;
    if let (Some(file), Some(line)) = (&found.file, found.line) {
        let function = found.function.as_deref().map(|name| format!(" in {name}")).unwrap_or_default();
        writeln!(text, "  at {}:{line}{function}", shown(Path::new(file)))?;
    }
    let directory = flags.output.join("findings").join(&entry.id);
    writeln!(text, "  seen {} times; run {}/run.sh", entry.count, directory.display())?;
    writeln!(text)
}

fn numbers(text: &mut String, stop: Stop, stats: &ExploreStats) -> std::fmt::Result {
    let why = match stop {
        Stop::Exhausted if stats.remaining.is_empty() => "all paths were tried".to_owned(),
        Stop::Exhausted => "nothing is left to try but what is listed below".to_owned(),
        Stop::Mistake => "a mistake in byway".to_owned(),
        Stop::Time => "the budget of time is used up".to_owned(),
        Stop::Runs => "the budget of runs is used up".to_owned(),
        Stop::Memory => "the budget of memory is used up".to_owned(),
        Stop::Interrupted => "interrupted".to_owned(),
    };
    writeln!(text, "ended after {:.1} s: {why}", stats.elapsed)?;
    writeln!(
        text,
        "{} runs, {} paths, {} branches left to try, {} tests, {} findings",
        stats.runs, stats.paths, stats.pendings, stats.kept, stats.findings
    )?;
    let ratio = |covered: byway_report::Covered| {
        format!("{} of {} ({:.1} %)", covered.covered, covered.total, covered.percent())
    };
    writeln!(text, "lines {}, sides of branches {}", ratio(stats.lines), ratio(stats.branches))?;
    queries(text, stats)?;
    flips(text, stats)?;
    let root = std::env::current_dir().unwrap_or_default();
    remaining(text, &root, &stats.remaining)
}

fn queries(text: &mut String, stats: &ExploreStats) -> std::fmt::Result {
    let all = stats.queries();
    let count = all.sat + all.unsat + all.unknown;
    let layers = stats
        .layers
        .iter()
        .map(|(name, layer)| (name, layer.answers))
        .filter(|(_, answers)| answers.sat + answers.unsat + answers.unknown > 0);
    let layers: Vec<String> =
        layers.map(|(name, answers)| format!("{name} {}", answers.sat + answers.unsat + answers.unknown)).collect();
    writeln!(
        text,
        "{count} queries: {} sat, {} unsat, {} unknown; median {:.0} us; answered by {}",
        all.sat,
        all.unsat,
        all.unknown,
        stats.median_query * 1e6,
        if layers.is_empty() { "nobody".to_owned() } else { layers.join(", ") }
    )?;
    if stats.cross_checked > 0 {
        writeln!(text, "{} answers checked by the external solver, all the same", stats.cross_checked)?;
    }
    Ok(())
}

fn flips(text: &mut String, stats: &ExploreStats) -> std::fmt::Result {
    let flips = &stats.flips;
    if flips.attempted == 0 {
        return Ok(());
    }
    let percent = 100.0 * flips.taken as f64 / flips.attempted as f64;
    writeln!(text, "{} of {} solved branches were taken ({percent:.1} %)", flips.taken, flips.attempted)?;
    Ok(())
}
