//! What an exploration came to, in words.

use std::fmt::Write;
use std::path::Path;

use byway_engine::Stop;
use byway_report::{Entry, ExploreStats, TestStore};

use crate::command::check::remaining;
use crate::command::{count, policy, shown};
use crate::console::thousands;
use crate::flags::ExploreFlags;

/// The report on standard output, but for the findings that were shown when they were confirmed.
pub fn in_words(flags: &ExploreFlags, stop: Stop, stats: &ExploreStats, store: &mut TestStore) -> String {
    let mut text: String = store.take_fresh().iter().map(|entry| finding(flags, entry)).collect();
    let open = || store.findings().iter().filter(|entry| entry.standing.is_open());
    text.extend(open().filter(|entry| !entry.confirmed).map(|entry| finding(flags, entry)));
    let _ = numbers(&mut text, stop, stats);
    if open().count() > 1 {
        let _ = writeln!(text, "findings, the worst first:");
        open().for_each(|entry| _ = writeln!(text, "  {}{}", title(entry), place(entry)));
    }
    let found: Vec<_> = store.findings().iter().map(|entry| (&entry.standing, entry.id.as_str())).collect();
    let confirmed: Vec<bool> = open().map(|entry| entry.confirmed).collect();
    text += &policy::in_words(store.policy(), &found, &confirmed);
    let _ = writeln!(text, "tests and findings are in {}", flags.output.display());
    text
}

fn title(entry: &Entry) -> String {
    let found = &entry.finding;
    format!("{}[{}]: {}", entry.standing.level, found.kind, found.message)
}

fn place(entry: &Entry) -> String {
    let found = &entry.finding;
    let (Some(file), Some(line)) = (&found.file, found.line) else { return String::new() };
    let function = found.function.as_deref().map(|name| format!(" in {name}")).unwrap_or_default();
    format!(" at {}:{line}{function}", shown(Path::new(file)))
}

/// A finding, and how to see it again.
pub fn finding(flags: &ExploreFlags, entry: &Entry) -> String {
    let unconfirmed = if entry.confirmed { "" } else { " (unconfirmed: not in the build with sanitizers)" };
    let place = match place(entry) {
        place if place.is_empty() => place,
        place => format!(" {place}\n"),
    };
    let directory = flags.output.join("findings").join(&entry.id);
    let times = count(entry.count as usize, "time");
    format!("{}{unconfirmed}\n{place}  seen {times}; run {}/run.sh\n\n", title(entry), directory.display())
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
        "{}, {}, {} left to try, {}",
        count(stats.runs as usize, "run"),
        count(stats.paths as usize, "path"),
        of_branches(stats.pendings as usize),
        count(stats.kept as usize, "test"),
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

fn of_branches(number: usize) -> String {
    if number == 1 { "1 branch".to_owned() } else { format!("{} branches", thousands(number)) }
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
