//! The page of `byway explore`.

use std::path::Path;

use maud::{Markup, html};

use crate::disk;
use crate::error::ReportError;
use crate::executed::{CoveredTexts, LineCoverage};
use crate::remaining::thousands;
use crate::stats::ExploreStats;
use crate::store::{COVERAGE, Entry, FINDINGS, FINDINGS_FILE, REPORT, STATS};
use crate::test;

use super::coverage::SourceFiles;
use super::{Item, Page, input, item, parts, plain};

/// The page of an exploration, made again.
pub fn read(directory: &Path, root: &Path) -> Result<Page, ReportError> {
    let findings: Vec<Entry> = disk::read_json(&directory.join(FINDINGS_FILE))?.unwrap_or_default();
    let stats: ExploreStats = disk::read_json(&directory.join(STATS))?.unwrap_or_default();
    let covered: LineCoverage = disk::read_json(&directory.join(COVERAGE))?.unwrap_or_default();
    Ok(page(&findings, &stats, (&covered, &CoveredTexts::of_now(&covered)), directory, root))
}

/// The page of an exploration.
pub fn page(
    findings: &[Entry],
    stats: &ExploreStats,
    (lines, texts): (&LineCoverage, &CoveredTexts),
    directory: &Path,
    root: &Path,
) -> Page {
    let files = SourceFiles::new(lines, root);
    let points: Vec<_> =
        findings.iter().map(|entry| (entry.id.clone(), entry.first_seen, 0, entry.standing.level)).collect();
    let covered = |of: crate::Covered| {
        format!("{} of {} ({:.1} %)", thousands(of.covered as usize), thousands(of.total as usize), of.percent())
    };
    Page {
        title: "byway explore".to_owned(),
        facts: vec![
            ("time", format!("{:.1} s", stats.elapsed)),
            (
                "work",
                format!(
                    "{} runs, {} paths, {} tests",
                    thousands(stats.runs as usize),
                    thousands(stats.paths as usize),
                    stats.kept
                ),
            ),
            ("lines", covered(stats.lines)),
            ("sides of branches", covered(stats.branches)),
        ],
        items: findings.iter().map(|entry| made(entry, directory, root)).collect(),
        sections: vec![
            ("Time", parts::times(&points, stats.elapsed)),
            ("Coverage", files.section(texts, "the first input")),
            ("Left undone", parts::remaining(&stats.remaining, &files, root)),
        ],
    }
}

fn made(entry: &Entry, directory: &Path, root: &Path) -> Item {
    Item {
        id: entry.id.clone(),
        level: entry.standing.level,
        label: entry.standing.level.name().to_owned(),
        kind: entry.finding.kind.clone(),
        headline: entry.finding.message.clone(),
        place: item::place(&entry.finding, root),
        distance: None,
        seconds: entry.first_seen,
        aside: item::aside(&entry.standing),
        body: body(entry, directory, root),
    }
}

fn body(entry: &Entry, directory: &Path, root: &Path) -> Markup {
    let own = directory.join(FINDINGS).join(&entry.id);
    let report = byway_file::read(&own.join(REPORT), byway_file::INPUT).unwrap_or_default();
    let stored = test::read(&own).ok().flatten();
    html! {
        (item::what(&entry.finding, root))
        h3 { "Input" }
        @if let Some(stored) = &stored {
            (input::markup(&stored.test.input, &[]))
            @if let Some(flipped) = &stored.test.flipped { p { "The last branch that was flipped: " code { (plain(&parts::from(flipped, root))) } } }
        }
        h3 { "See it again" }
        pre.command { (plain(&own.join("run.sh").display().to_string())) }
        p { "Seen " (entry.count) " times." @if !entry.confirmed { " Not confirmed by the build with sanitizers." } }
        (parts::text("What the sanitizers say", &String::from_utf8_lossy(&report)))
    }
}
