//! Why so little was done, if it was little: where the time went, and what it would take to get further.

use std::path::Path;

use byway_report::{CheckStats, Limit, Remaining, SeedTime, thousands};
use byway_solve::smt::default_command;

use crate::command::count;

/// With fewer runs in a second, or more unanswered questions of all, somebody wants to know why.
const FEW_RUNS: f64 = 20.0;
const MANY_UNKNOWN: f64 = 0.1;
/// In less time nobody can tell.
const SHORT: f64 = 1.0;
/// So many seeds and places are named.
const NAMED: usize = 3;
/// Following a seed that takes so many times its native run, or so long, is slow.
const SLOW: f64 = 1.0;

/// Lines that say why a check came no further. Places are named from `root`.
pub fn reasons(stats: &CheckStats, root: &Path) -> Vec<String> {
    let asked = stats.checks.asked.max(1) as f64;
    let is_little =
        (stats.runs as f64) < FEW_RUNS * stats.elapsed || stats.checks.unknown as f64 > MANY_UNKNOWN * asked;
    let is_cut = stats.remaining.count(Limit::SeedTime) > 0 || stats.remaining.count(Limit::Time) > 0;
    if stats.elapsed < SHORT || !(is_little && is_cut) {
        return Vec::new();
    }
    let lines = [slow_seeds(stats), unknown(stats, root), lost(stats, root), next_distance(stats)];
    lines.into_iter().flatten().collect()
}

/// The seeds that took longest to follow.
fn slow_seeds(stats: &CheckStats) -> Option<String> {
    let mut times: Vec<&SeedTime> = stats.programs.values().flat_map(|program| &program.times).collect();
    times.sort_by(|one, other| other.checked.total_cmp(&one.checked));
    let all: f64 = times.iter().map(|time| time.checked).sum();
    let slow: Vec<String> = times
        .iter()
        .filter(|time| time.checked >= SLOW)
        .take(NAMED)
        .map(|time| {
            let (traced, native) = (time.traced, time.native);
            format!("{} {:.1} s (traced {traced:.2} s, native {native:.3} s)", time.seed, time.checked)
        })
        .collect();
    let line = || format!("following {} took {all:.1} s: {}", count(times.len(), "seed"), slow.join(", "));
    (!slow.is_empty()).then(line)
}

/// Where questions were not answered.
fn unknown(stats: &CheckStats, root: &Path) -> Option<String> {
    let unknown = stats.checks.unknown;
    let z3 = match default_command() {
        Some(_) => "raise --query-timeout",
        None => "install z3, which answers some of what byway's own solver gives up on, or raise --query-timeout",
    };
    let places = places(stats, root, &[Limit::Unknown, Limit::Table, Limit::OperationUnknown]);
    let of = thousands(stats.checks.asked as usize);
    (unknown > 0).then(|| format!("{} of {of} questions were not answered{places}; {z3}", thousands(unknown as usize)))
}

/// Where values were taken for constants.
fn lost(stats: &CheckStats, root: &Path) -> Option<String> {
    let lost = stats.remaining.count(Limit::Lost) + stats.remaining.count(Limit::Full);
    let places = places(stats, root, &[Limit::Lost, Limit::Full]);
    let values = count(lost as usize, "value");
    (lost > 0)
        .then(|| format!("most was lost where {values} became constants{places}; byway doctor PROG -- ARGS shows it"))
}

/// The places at which a limit was reached most often.
fn places(stats: &CheckStats, root: &Path, limits: &[Limit]) -> String {
    let named = |remaining: &Remaining| {
        let place = Path::new(&remaining.place);
        let place = place.strip_prefix(root).unwrap_or(place).display().to_string();
        format!("{place} ({})", thousands(remaining.count as usize))
    };
    let list = stats.remaining.list();
    let of = list.iter().filter(|remaining| limits.contains(&remaining.limit) && !remaining.place.is_empty());
    let names: Vec<String> = of.take(NAMED).map(named).collect();
    if names.is_empty() { String::new() } else { format!(", most at {}", names.join(", ")) }
}

/// How far the first distance got that not all seeds had, and what it would take.
fn next_distance(stats: &CheckStats) -> Option<String> {
    let next = stats.distance.map_or(0, |distance| distance + 1);
    let list = stats.remaining.list();
    let open = list.iter().find(|left| left.limit == Limit::SeedTime && left.detail == format!("distance {next}"))?;
    let all = stats.seeds.different;
    let done = all.saturating_sub(open.count);
    let estimate = match done {
        0 => "more --time than this".to_owned(),
        done => format!("about {:.0} s in all, if the others take as long", stats.elapsed * all as f64 / done as f64),
    };
    Some(format!("distance {next}: {done} of {} are done; all would take {estimate}", count(all as usize, "seed")))
}

#[cfg(test)]
mod tests {
    use byway_report::ProgramStats;

    use super::*;

    fn stats() -> CheckStats {
        let mut stats = CheckStats { elapsed: 60.0, runs: 25, ..CheckStats::default() };
        (stats.checks.asked, stats.checks.unknown, stats.seeds.different) = (117, 24, 4);
        stats.remaining.add(Limit::Unknown, "", "/src/scan.c:7:3", 20);
        stats.remaining.add(Limit::Lost, "floating-point", "/src/math.c:9:1", 500);
        stats.remaining.add(Limit::SeedTime, "distance 0", "", 3);
        let time = SeedTime { seed: "0001-mawk".to_owned(), native: 0.002, traced: 0.9, checked: 31.0 };
        stats.programs.insert("mawk".to_owned(), ProgramStats { times: vec![time], ..ProgramStats::default() });
        stats
    }

    #[test]
    fn a_check_that_came_nowhere_says_where_the_time_went() {
        let lines = reasons(&stats(), Path::new("/src"));
        let parts = [
            "following 1 seed took 31.0 s: 0001-mawk 31.0 s",
            "24 of 117 questions were not answered, most at scan.c:7:3 (20);",
            "500 values became constants, most at math.c:9:1 (500)",
            "distance 0: 1 of 4 seeds are done; all would take about 240 s in all",
        ];
        assert_eq!(lines.len(), parts.len(), "{lines:?}");
        lines.iter().zip(parts).for_each(|(line, part)| assert!(line.contains(part), "{line}"));
    }

    #[test]
    fn a_check_that_did_much_or_all_says_nothing() {
        let much = CheckStats { runs: 100_000, checks: Default::default(), ..stats() };
        assert!(reasons(&much, Path::new("/")).is_empty());
        let all = CheckStats { remaining: Default::default(), ..stats() };
        assert!(reasons(&all, Path::new("/")).is_empty());
    }
}
