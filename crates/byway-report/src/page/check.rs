//! The page of `byway check`.

use std::collections::BTreeMap;
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use crate::check::{CheckEntry, CheckStats, InputChange};
use crate::disk;
use crate::error::ReportError;
use crate::executed::{CoveredTexts, LineCoverage};
use crate::remaining::thousands;
use crate::store::{COVERAGE, FINDINGS_FILE, REPORT, STATS};
use crate::test;

use super::coverage::SourceFiles;
use super::throttle::PageThrottle;
use super::{Item, Page, input, item, parts, plain, save};

/// The page of a check that goes on: what is known of a finding is made only once.
#[derive(Debug, Default)]
pub struct CheckPage {
    /// By id: of what they were made, and what they are.
    bodies: BTreeMap<String, (String, String)>,
    throttle: PageThrottle,
}

impl CheckPage {
    /// Writes the page, unless it was just written. At the end it is written in any case.
    pub fn write(
        &mut self,
        (directory, root): (&Path, &Path),
        findings: &[CheckEntry],
        stats: &CheckStats,
        (coverage, texts): (&LineCoverage, &CoveredTexts),
        is_end: bool,
    ) -> Result<(), ReportError> {
        let mut throttle = std::mem::take(&mut self.throttle);
        let written = throttle.write(is_end, || {
            let items = findings.iter().map(|entry| self.item(entry, directory, root)).collect();
            let files = SourceFiles::new(coverage, root);
            save(directory, &page(items, findings, stats, (&files, texts), root)).map(drop)
        });
        self.throttle = throttle;
        written
    }

    fn item(&mut self, entry: &CheckEntry, directory: &Path, root: &Path) -> Item {
        let made_of = serde_json::to_string(entry).unwrap_or_default();
        let known = self.bodies.get(&entry.id).filter(|(of, _)| *of == made_of);
        let body = known.map(|(_, body)| body.clone()).unwrap_or_else(|| body(entry, directory, root).into_string());
        self.bodies.insert(entry.id.clone(), (made_of, body.clone()));
        Item {
            id: entry.id.clone(),
            level: entry.standing.level,
            label: entry.standing.level.name().to_owned(),
            kind: entry.finding.kind.clone(),
            headline: entry.headline(),
            place: item::place(&entry.finding, root),
            distance: Some(entry.distance),
            seconds: entry.first_seen,
            aside: item::aside(&entry.standing),
            body: PreEscaped(body),
        }
    }
}

/// The page of a check that is over.
pub fn read(directory: &Path, root: &Path) -> Result<Page, ReportError> {
    let findings: Vec<CheckEntry> = disk::read_json(&directory.join(FINDINGS_FILE))?.unwrap_or_default();
    let stats: CheckStats = disk::read_json(&directory.join(STATS))?.unwrap_or_default();
    let mut made = CheckPage::default();
    let items = findings.iter().map(|entry| made.item(entry, directory, root)).collect();
    let covered: LineCoverage = disk::read_json(&directory.join(COVERAGE))?.unwrap_or_default();
    let (files, texts) = (SourceFiles::new(&covered, root), CoveredTexts::of_now(&covered));
    Ok(page(items, &findings, &stats, (&files, &texts), root))
}

/// The runs that come first.
const TESTS: &str = "tests";

fn page(
    items: Vec<Item>,
    findings: &[CheckEntry],
    stats: &CheckStats,
    (files, texts): (&SourceFiles<'_>, &CoveredTexts),
    root: &Path,
) -> Page {
    let points: Vec<_> = findings
        .iter()
        .map(|entry| (entry.id.clone(), entry.first_seen, entry.distance, entry.standing.level))
        .collect();
    let ended = if stats.ended.is_empty() { "it goes on".to_owned() } else { stats.ended.clone() };
    let checks = &stats.checks;
    Page {
        title: "byway check".to_owned(),
        facts: vec![
            ("tests", stats.command.join(" ")),
            ("ended", format!("after {:.1} s: {ended}", stats.elapsed)),
            ("seeds", format!("{} checked of {}", stats.seeds.checked, stats.seeds.different)),
            (
                "distance",
                stats
                    .distance
                    .map_or("not all seeds were followed".to_owned(), |distance| format!("all seeds up to {distance}")),
            ),
            ("work", format!("{} runs, {} paths", thousands(stats.runs as usize), thousands(stats.paths as usize))),
            (
                "questions",
                format!("{} asked, {} unknown", thousands(checks.asked as usize), thousands(checks.unknown as usize)),
            ),
        ],
        items,
        sections: vec![
            ("Time", parts::times(&points, stats.elapsed)),
            ("Coverage", files.section(texts, TESTS)),
            ("Programs", programs(stats, root)),
            ("Left undone", parts::remaining(&stats.remaining, files, root)),
            ("Not checked", skipped(stats)),
        ],
    }
}

fn programs(stats: &CheckStats, root: &Path) -> Markup {
    html! {
        table { thead { tr { th { "program" } th { "seeds" } th { "distance" } th { "paths" } th { "runs" } th { "questions" } th { "can fail" } th { "unknown" } } }
            tbody { @for (name, program) in &stats.programs { tr {
                td { code { (plain(&parts::from(name, root))) } }
                td.number { (program.seeds) }
                td.number { (program.distance.map_or("–".to_owned(), |distance| distance.to_string())) }
                @for number in [program.paths, program.runs, program.checks.asked, program.checks.sat, program.checks.unknown] { td.number { (thousands(number as usize)) } }
            } } }
        }
    }
}

fn skipped(stats: &CheckStats) -> Markup {
    let all = stats.seeds.skipped.iter().chain(&stats.seeds.troubles).chain(&stats.seeds.changed);
    let all: Vec<_> = all.collect();
    html! {
        @if all.is_empty() { p { "All seeds were." } } @else {
            ul { @for seed in all.iter().take(500) { li { code { (plain(&seed.seed)) } ": " (plain(&seed.why)) } } }
            @if all.len() > 500 { p { "stats.json has all." } }
        }
    }
}

/// All that is known of a finding.
fn body(entry: &CheckEntry, directory: &Path, root: &Path) -> Markup {
    let own = directory.join(&entry.input);
    let report = byway_file::read(&own.join(REPORT), byway_file::INPUT).unwrap_or_default();
    let stored = test::read(&own).ok().flatten();
    let changed: usize = entry.changes.iter().map(InputChange::bytes).sum();
    html! {
        (item::what(&entry.finding, root))
        h3 { "From the test" }
        p { (entry.test().trim_end_matches(',')) ": " code { (plain(&entry.seed_command)) } ", distance " (entry.distance) ", depth " (entry.depth) }
        @if changed == 0 { p { "It shows it is." } } @else { p { (changed) (if changed == 1 { " byte changed:" } else { " bytes changed:" }) } ul { @for change in &entry.changed { li { code { (plain(change)) } } } } }
        (way(&entry.way, root))
        @if entry.tests.len() > 1 { details.part { summary { "Shown by " (entry.tests.len()) " tests" } ul { @for near in &entry.tests { li { code { (plain(&near.test)) } ", distance " (near.distance) } } } } }
        h3 { "Input" }
        @if let Some(stored) = &stored { (input::markup(&stored.test.input, &entry.changes)) }
        h3 { "See it again" }
        pre.command { (plain(&entry.reproduction(directory, root))) }
        p { "Without sanitizers: " (entry.ending) @if let Some(why) = &entry.why { ". Unconfirmed: " (plain(why)) } }
        (parts::text("What the sanitizers say", &String::from_utf8_lossy(&report)))
    }
}

/// Where the input leaves the path of the test, and what is decided from there on: each place once, as often as it is decided.
fn way(way: &[String], root: &Path) -> Markup {
    let mut places: Vec<(&String, usize)> = Vec::new();
    for place in way {
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, count)) => *count += 1,
            None => places.push((place, 1)),
        }
    }
    html! {
        @if let Some(first) = way.first() {
            p { "It leaves the path of the test at " code { (plain(&parts::from(first, root))) } ", and from there on decides at" }
            ul.way { @for (place, count) in places { li { code { (plain(&parts::from(place, root))) } @if count > 1 { " (" (count) " times)" } } } }
        }
    }
}
