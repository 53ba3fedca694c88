//! What a check came to, in words.

use std::fmt::Write;
use std::io;
use std::path::Path;

use byway_report::{CheckStats, CheckStore, DiagnosticStyle, Limit, Remainder, Skipped, diagnostic};

use crate::command::count;
use crate::console::thousands;
use crate::flags::CheckFlags;

/// The most reasons that are printed.
const MOST_REASONS: usize = 5;

/// The report on standard output.
pub fn in_words(flags: &CheckFlags, root: &Path, stats: &CheckStats, store: &CheckStore) -> String {
    let look = DiagnosticStyle { output: &flags.output, root, colours: DiagnosticStyle::colours_on(&io::stdout()) };
    let mut text = String::new();
    for entry in store.findings() {
        let _ = writeln!(text, "{}", diagnostic(entry, &look));
    }
    let _ = numbers(&mut text, root, stats);
    let _ = writeln!(text, "everything is in {}", flags.output.display());
    text
}

fn numbers(text: &mut String, root: &Path, stats: &CheckStats) -> std::fmt::Result {
    writeln!(text, "ended after {:.1} s: {}", stats.elapsed, stats.ended)?;
    if stats.seeds.different > 0 {
        work(text, stats)?;
    }
    reasons(text, "not checked", &stats.seeds.skipped)?;
    reasons(text, "not all was checked", &stats.seeds.troubles)?;
    reasons(text, "not as captured", &stats.seeds.changed)?;
    if has_no_input(stats) {
        writeln!(text, "{NO_INPUT}")?;
    }
    remaining(text, root, &stats.remaining)?;
    writeln!(text, "{}, {} unconfirmed", count(stats.findings as usize, "finding"), stats.unconfirmed)
}

/// What was left undone, by reason.
pub fn remaining(text: &mut String, root: &Path, remaining: &Remainder) -> std::fmt::Result {
    if !remaining.is_empty() {
        writeln!(text, "left undone:")?;
    }
    remaining.lines(root).iter().try_for_each(|line| writeln!(text, "  {line}"))
}

const NO_INPUT: &str = "none of these runs depends on input that byway can change: arguments, standard input, files";

/// Whether all seeds were followed, and there was nothing to ask about any of them.
fn has_no_input(stats: &CheckStats) -> bool {
    let is_asked = stats.checks.asked + stats.checks.repeated > 0;
    let is_whole = stats.seeds.checked > 0 && stats.distance.is_some();
    let is_seen = stats.remaining.count(Limit::Unseen) == 0;
    is_whole && is_seen && !is_asked && !stats.programs.values().any(|program| program.depends_on_input)
}

fn work(text: &mut String, stats: &CheckStats) -> std::fmt::Result {
    let checks = &stats.checks;
    writeln!(
        text,
        "{} checked of {}{}; {} in {}; {}, {}, {}",
        count(stats.seeds.checked as usize, "seed"),
        thousands(stats.seeds.different as usize),
        match stats.seeds.smaller {
            0 => String::new(),
            smaller => format!(", {} made smaller", thousands(smaller as usize)),
        },
        count((checks.asked + checks.repeated) as usize, "check"),
        count(checks.unique as usize, "line"),
        count(stats.runs as usize, "run"),
        count(stats.paths as usize, "path"),
        match stats.distance {
            Some(distance) if stats.remaining.is_empty() => format!("all up to distance {distance}"),
            Some(distance) => format!("all seeds up to distance {distance}"),
            None => "not all seeds were followed".to_owned(),
        }
    )?;
    let lost = stats.remaining.count(Limit::Lost) + stats.remaining.count(Limit::Full);
    let but = match lost {
        0 => String::new(),
        lost => format!(" as long as {} as before", kept(lost as usize)),
    };
    writeln!(
        text,
        "{} asked: {} can fail, {} cannot{but}, {} unknown; {} came up again",
        count(checks.asked as usize, "question"),
        thousands(checks.sat as usize),
        thousands(checks.unsat as usize),
        thousands(checks.unknown as usize),
        thousands(checks.repeated as usize)
    )
}

fn kept(lost: usize) -> String {
    if lost == 1 { "1 lost value is".to_owned() } else { format!("{} lost values are", thousands(lost)) }
}

/// What is wrong with seeds; those with the same trouble in one line.
fn reasons(text: &mut String, what: &str, seeds: &[Skipped]) -> std::fmt::Result {
    let mut groups: Vec<(&Skipped, usize)> = Vec::new();
    for seed in seeds {
        match groups.iter_mut().find(|(first, _)| first.why == seed.why) {
            Some((_, count)) => *count += 1,
            None => groups.push((seed, 1)),
        }
    }
    for &(first, number) in groups.iter().take(MOST_REASONS) {
        match number {
            1 => writeln!(text, "{what}: {}: {}", first.seed, first.why)?,
            _ => writeln!(text, "{what}: {}: {}", count(number, "seed"), of_many(&first.why))?,
        }
    }
    match groups.iter().skip(MOST_REASONS).map(|(_, number)| number).sum() {
        0 => Ok(()),
        more => writeln!(text, "{what}: and {}; stats.json has all", count(more, "more seed")),
    }
}

/// What is said of one seed, said of several.
fn of_many(why: &str) -> String {
    let endings = [" for it", " before it"].into_iter().find(|ending| why.ends_with(ending));
    endings.and_then(|_| why.strip_suffix("it")).map_or_else(|| why.to_owned(), |why| format!("{why}them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(seeds: &[(&str, &str)]) -> String {
        let skipped = |&(seed, why): &(&str, &str)| Skipped { seed: seed.to_owned(), why: why.to_owned() };
        let mut text = String::new();
        reasons(&mut text, "not checked", &seeds.iter().map(skipped).collect::<Vec<_>>()).unwrap();
        text
    }

    #[test]
    fn the_same_trouble_is_one_line() {
        assert_eq!(said(&[("1", "it is large")]), "not checked: 1: it is large\n");
        let late = "there was no time left for it";
        let lines = "not checked: 2 seeds: there was no time left for them\nnot checked: 3: it is large\n";
        assert_eq!(said(&[("1", late), ("3", "it is large"), ("2", late)]), lines);
    }

    #[test]
    fn that_nothing_depends_on_input_is_said_only_if_all_was_followed() {
        let mut stats = CheckStats { distance: Some(0), ..CheckStats::default() };
        stats.seeds.checked = 1;
        assert!(has_no_input(&stats));
        stats.distance = None;
        assert!(!has_no_input(&stats));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let all = [("1", "a"), ("2", "b"), ("3", "c"), ("4", "d"), ("5", "e"), ("6", "f"), ("7", "f")];
        let text = said(&all);
        assert_eq!(text.lines().count(), 6, "{text}");
        assert!(text.ends_with("not checked: and 2 more seeds; stats.json has all\n"), "{text}");
    }
}
