//! The page of `byway diff`.

use std::collections::BTreeMap;
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use crate::diff::{
    Class, DiffStats, Difference, Observation, ObservedFile, behaviour, differences_headline, differences_origin,
    read_all,
};
use crate::disk;
use crate::error::ReportError;
use crate::executed::{CoveredTexts, LineCoverage};
use crate::level::Level;
use crate::store::{COVERAGE, STATS};
use crate::test;

use super::coverage::SourceFiles;
use super::{Item, Page, graph, hunks, input, parts, plain, save};

/// Text of a version is cut behind so many bytes.
const MOST_TEXT: usize = 2000;
/// The runs that come first.
const TESTS: &str = "tests";

/// The page of a comparison that goes on: what is known of a difference is made only once.
#[derive(Debug, Default)]
pub struct DiffPage {
    /// By id: of what they were made, and what they are.
    bodies: BTreeMap<String, (String, String)>,
}

/// What a page of a comparison says.
pub struct DiffContent<'a> {
    /// The differences, in the order in which they are shown.
    pub differences: &'a [Difference],
    /// What was done so far.
    pub stats: &'a DiffStats,
    /// Which lines of the new version were executed.
    pub coverage: &'a LineCoverage,
    /// The text of these files.
    pub texts: &'a CoveredTexts,
}

impl DiffPage {
    /// Writes the page.
    pub fn write(&mut self, directory: &Path, root: &Path, content: &DiffContent<'_>) -> Result<(), ReportError> {
        save(directory, &self.page(directory, root, content)).map(drop)
    }

    fn page(&mut self, directory: &Path, root: &Path, content: &DiffContent<'_>) -> Page {
        let DiffContent { differences, stats, coverage, texts } = content;
        let files = SourceFiles::new(coverage, root);
        let items = differences.iter().map(|difference| self.item(difference, &files, directory, root)).collect();
        let points: Vec<_> = differences.iter().map(|one| (one.id.clone(), one.first_seen, 0, level(one))).collect();
        let all = || stats.programs.iter();
        let mut sections = vec![("Changes", changes(stats, &files, texts, root))];
        if all().any(|program| program.graph.is_some()) {
            sections.push(("Order of changes", sequences(stats, &files, root)));
        }
        sections.push(("Time", parts::times(&points, stats.elapsed)));
        sections.push(("Coverage of the new version", files.section(texts, TESTS)));
        sections.push(("Not compared", not_compared(stats)));
        let ended = match &stats.ended {
            _ if stats.goes_on => "it goes on",
            Some(why) => why,
            None => "all was tried that there is",
        };
        let tried = |number: fn(&crate::diff::Tried) -> u64| all().map(|program| number(&program.tried)).sum::<u64>();
        let reached = || all().flat_map(|program| &program.changes);
        let executed = reached().filter(|change| change.reached.is_some_and(|inputs| inputs > 0)).count();
        Page {
            title: "byway diff".to_owned(),
            facts: vec![
                ("old", stats.old.clone()),
                ("new", stats.new.clone()),
                ("ended", format!("after {:.1} s: {ended}", stats.elapsed)),
                ("changed lines", format!("{}, {executed} executed", reached().count())),
                (
                    "inputs",
                    format!(
                        "{} given, {} changed at random, {} by exploring, {} by queries about both versions",
                        tried(|tried| tried.given),
                        tried(|tried| tried.random),
                        tried(|tried| tried.new_explored + tried.old_explored),
                        tried(|tried| tried.joint_inputs)
                    ),
                ),
            ],
            items,
            sections,
        }
    }

    fn item(&mut self, difference: &Difference, files: &SourceFiles<'_>, directory: &Path, root: &Path) -> Item {
        let made_of = serde_json::to_string(difference).unwrap_or_default();
        let known = self.bodies.get(&difference.id).filter(|(of, _)| *of == made_of);
        let body = known
            .map(|(_, body)| body.clone())
            .unwrap_or_else(|| body(difference, files, directory, root).into_string());
        self.bodies.insert(difference.id.clone(), (made_of, body.clone()));
        Item {
            id: difference.id.clone(),
            level: level(difference),
            label: difference.class.to_string(),
            kind: difference.kind.to_string(),
            headline: differences_headline(difference),
            place: difference.changes.first().map(|change| change.place_from(root)).unwrap_or_default(),
            distance: None,
            seconds: difference.first_seen,
            aside: difference.suppressed.as_ref().map(|reason| format!("suppressed: {reason}")),
            body: PreEscaped(body),
        }
    }
}

/// The page of a comparison, made again.
pub fn read(directory: &Path, root: &Path) -> Result<Page, ReportError> {
    let differences = read_all(directory)?;
    let stats: DiffStats = disk::read_json(&directory.join(STATS))?.unwrap_or_default();
    let coverage: LineCoverage = disk::read_json(&directory.join(COVERAGE))?.unwrap_or_default();
    let texts = CoveredTexts::of_now(&coverage);
    let content = DiffContent { differences: &differences, stats: &stats, coverage: &coverage, texts: &texts };
    Ok(DiffPage::default().page(directory, root, &content))
}

fn level(difference: &Difference) -> Level {
    match difference.class {
        Class::Regression | Class::IncompleteFix => Level::Error,
        Class::Unclassified => Level::Warning,
        Class::Progression => Level::Note,
    }
}

fn body(difference: &Difference, files: &SourceFiles<'_>, directory: &Path, root: &Path) -> Markup {
    let own = directory.join(&difference.input);
    let stored = test::read(&own).ok().flatten();
    let sides =
        [("Old", Some(&difference.old)), ("New", Some(&difference.new)), ("Golden", difference.golden.as_ref())];
    html! {
        h3 { "Changes that it executes" }
        @for change in &difference.changes {
            @let at = change.new.as_ref().map_or((change.file.as_path(), change.line), |(file, line)| (file, *line));
            p { (change.what) " " (files.link(at.0, at.1, &change.place_from(root))) }
            pre.diff { @for (mark, line) in change.hunk() { (diff_line(mark, &line)) } }
        }
        @if let Some(parting) = &difference.parts_at { p { "The versions part at " (files.link_place(parting)) } }
        @if !difference.sequence.is_empty() { p { "It comes by" } ol.way { @for place in &difference.sequence { li { code { (plain(place)) } } } } }
        h3 { "Both behaviours" }
        div.sides { @for (name, observation) in sides { @if let Some(observation) = observation { (side(name, observation)) } } }
        @if !difference.masked.is_empty() { p { "Varies from run to run, and was not compared: " (plain(&difference.masked.join(", "))) } }
        details.part open { summary { "What differs" } pre.diff { @for (mark, line) in behaviour(difference) { (diff_line(mark, &line)) } } }
        h3 { "Input" }
        p { code { (plain(&difference.command)) } ", " (plain(&differences_origin(difference))) }
        @if let Some(stored) = &stored { (input::markup(&stored.test.input, &difference.changed_bytes)) }
        h3 { "See it again" }
        pre.command { (plain(&own.join("run.sh").display().to_string())) }
        p { "Seen on " (difference.count) (if difference.count == 1 { " input." } else { " inputs." }) }
    }
}

/// What one version did.
fn side(name: &str, observation: &Observation) -> Markup {
    let text = |bytes: &[u8]| plain(&String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_TEXT)]));
    let more = |size: u64| size > MOST_TEXT as u64;
    html! {
        div.side {
            h4 { (name) } p { (plain(&observation.ending)) }
            @for (what, written, size) in [("stdout", &observation.stdout, observation.stdout_size), ("stderr", &observation.stderr, observation.stderr_size)] {
                @if !written.0.is_empty() { p { (what) @if more(size) { ", " (size) " bytes" } } pre { (text(&written.0)) @if more(size) { "…" } } }
            }
            @for (path, file) in &observation.files { @match file {
                ObservedFile::Written { content, size, .. } => { p { "wrote " code { (plain(path)) } ", " (size) " bytes" } pre { (text(&content.0)) @if more(*size) { "…" } } }
                ObservedFile::Directory => p { "made the directory " code { (plain(path)) } },
                ObservedFile::Link { target } => p { "made the link " code { (plain(path)) } " to " code { (text(&target.0)) } },
                ObservedFile::Special => p { "made " code { (plain(path)) } },
                ObservedFile::Removed => p { "removed " code { (plain(path)) } },
            } }
            @for finding in &observation.findings { p { "sanitizers: " (plain(&finding.to_string())) ": " (plain(&finding.message)) } }
        }
    }
}

fn diff_line(mark: char, line: &str) -> Markup {
    let class = match mark {
        '-' => "removed",
        '+' => "added",
        _ => "same",
    };
    html! { span class=(class) { (mark) " " (plain(line)) } "\n" }
}

/// The changes, and what became of each.
fn changes(stats: &DiffStats, files: &SourceFiles<'_>, texts: &CoveredTexts, root: &Path) -> Markup {
    html! {
        p { "Lines that the new version has otherwise. The bar on the left: executed by " span.by-tests { "tests" } ", " span.by-byway { "only inputs that byway made" } ", " span.by-nothing { "nothing" } "." }
        @for program in &stats.programs {
            @if stats.programs.len() > 1 { h3 { (plain(&program.program)) } }
            @if program.changes.is_empty() { p { "Nothing changed in " code { (plain(&program.program)) } "." } }
            (hunks::markup(program, files, texts, root))
        }
    }
}

/// The change sequence graph of each program.
fn sequences(stats: &DiffStats, files: &SourceFiles<'_>, root: &Path) -> Markup {
    html! { @for program in &stats.programs { @if let Some(graph) = &program.graph {
        @if stats.programs.len() > 1 { h3 { (plain(&program.program)) } }
        (graph::picture(graph, files, root))
    } } }
}

/// Inputs that could not be compared, and parts that were not.
fn not_compared(stats: &DiffStats) -> Markup {
    let skipped: Vec<_> = stats.programs.iter().flat_map(|program| &program.skipped).collect();
    let varies: Vec<_> = stats.programs.iter().flat_map(|program| &program.masked).collect();
    let unsettled: u64 = stats.programs.iter().map(|program| program.unsettled).sum();
    html! {
        @if skipped.is_empty() && varies.is_empty() && unsettled == 0 { p { "Nothing." } }
        ul {
            @for (part, inputs) in varies { li { (plain(part)) " varies from run to run, on " (inputs) " inputs" } }
            @if unsettled > 0 { li { (unsettled) " inputs seemed to differ and could not be run again in time" } }
            @for (input, why) in skipped.iter().take(500) { li { code { (plain(input)) } ": " (plain(why)) } }
        }
        @if skipped.len() > 500 { p { "stats.json has all." } }
    }
}
