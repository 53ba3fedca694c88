//! What a check came to, in words.

use std::fmt::Write;
use std::io;
use std::path::Path;

use byway_report::{CheckStats, CheckStore, Look, diagnostic};

use crate::command::count;
use crate::console::thousands;
use crate::flags::CheckFlags;

/// The report on standard output.
pub fn in_words(flags: &CheckFlags, root: &Path, stats: &CheckStats, store: &CheckStore) -> String {
    let look = Look { output: &flags.output, root, colours: Look::colours_on(&io::stdout()) };
    let mut text = String::new();
    for entry in store.findings() {
        let _ = writeln!(text, "{}", diagnostic(entry, &look));
    }
    let _ = numbers(&mut text, stats);
    let _ = writeln!(text, "everything is in {}", flags.output.display());
    text
}

fn numbers(text: &mut String, stats: &CheckStats) -> std::fmt::Result {
    let checks = &stats.checks;
    writeln!(text, "ended after {:.1} s: {}", stats.elapsed, stats.ended)?;
    writeln!(
        text,
        "{} checked of {}; {} in {}; {} runs, {} paths, {}",
        count(stats.seeds.checked as usize, "seed"),
        stats.seeds.different,
        count((checks.asked + checks.repeated) as usize, "check"),
        count(checks.unique as usize, "line"),
        thousands(stats.runs as usize),
        thousands(stats.paths as usize),
        match stats.distance {
            Some(distance) => format!("all up to distance {distance}"),
            None => "not all seeds were followed".to_owned(),
        }
    )?;
    writeln!(
        text,
        "{} asked: {} can fail, {} cannot, {} unknown; {} came up again",
        count(checks.asked as usize, "question"),
        checks.sat,
        checks.unsat,
        checks.unknown,
        thousands(checks.repeated as usize)
    )?;
    for skipped in stats.seeds.skipped.iter().take(5) {
        writeln!(text, "not checked: {}: {}", skipped.seed, skipped.why)?;
    }
    for trouble in stats.seeds.troubles.iter().take(5) {
        writeln!(text, "not all was checked: {}: {}", trouble.seed, trouble.why)?;
    }
    if let more @ 1.. = stats.seeds.troubles.len().saturating_sub(5) {
        writeln!(text, "and {} more", count(more, "such trouble"))?;
    }
    for changed in stats.seeds.changed.iter().take(5) {
        writeln!(text, "not as captured: {}: {}", changed.seed, changed.why)?;
    }
    writeln!(text, "{}, {} unconfirmed", count(stats.findings as usize, "finding"), stats.unconfirmed)
}
