//! The page of `byway diff`.

use std::path::Path;

use maud::{Markup, html};

use crate::diff::{
    Class, DiffStats, Difference, Observation, behaviour, change_lines, differences_headline, differences_origin,
    read_all,
};
use crate::disk;
use crate::error::ReportError;
use crate::level::Level;
use crate::store::STATS;
use crate::test;

use super::{Item, Page, input, plain};

/// The page of a comparison, made again.
pub fn read(directory: &Path, root: &Path) -> Result<Page, ReportError> {
    let differences = read_all(directory)?;
    let stats: DiffStats = disk::read_json(&directory.join(STATS))?.unwrap_or_default();
    Ok(page(&differences, &stats, directory, root))
}

/// The page of a comparison.
pub fn page(differences: &[Difference], stats: &DiffStats, directory: &Path, root: &Path) -> Page {
    Page {
        title: "byway diff".to_owned(),
        facts: vec![
            ("old", stats.old.clone()),
            ("new", stats.new.clone()),
            ("time", format!("{:.1} s", stats.elapsed)),
            ("ended", stats.ended.clone().unwrap_or_else(|| "all was tried that there is".to_owned())),
        ],
        items: differences.iter().map(|difference| made(difference, directory, root)).collect(),
        sections: vec![("Changes", changes(stats, root))],
    }
}

fn made(difference: &Difference, directory: &Path, root: &Path) -> Item {
    let level = match difference.class {
        Class::Regression | Class::IncompleteFix => Level::Error,
        Class::Unclassified => Level::Warning,
        Class::Progression => Level::Note,
    };
    Item {
        id: difference.id.clone(),
        level,
        label: difference.class.to_string(),
        kind: difference.kind.to_string(),
        headline: differences_headline(difference),
        place: difference.changes.first().map(|change| change.place_from(root)).unwrap_or_default(),
        distance: None,
        seconds: 0.0,
        aside: None,
        body: body(difference, directory, root),
    }
}

fn body(difference: &Difference, directory: &Path, root: &Path) -> Markup {
    let own = directory.join(&difference.input);
    let stored = test::read(&own).ok().flatten();
    let sides = [("Old", &difference.old), ("New", &difference.new)];
    html! {
        h3 { "Changes that it executes" }
        @for change in &difference.changes {
            p { (change.what) " " code { (plain(&change.place_from(root))) } }
            pre.diff { @for (mark, line) in change_lines(change) { (diff_line(mark, &line)) } }
        }
        @if let Some(parting) = &difference.parts_at { p { "The versions part at " code { (plain(parting)) } } }
        h3 { "Both behaviours" }
        div.sides { @for (name, observation) in sides { (side(name, observation)) } @if let Some(golden) = &difference.golden { (side("Golden", golden)) } }
        pre.diff { @for (mark, line) in behaviour(difference) { (diff_line(mark, &line)) } }
        h3 { "Input" }
        p { code { (plain(&difference.command)) } ", " (plain(&differences_origin(difference))) }
        @if let Some(stored) = &stored { (input::markup(&stored.test.input, &difference.changed_bytes)) }
        h3 { "See it again" }
        pre.command { (plain(&own.join("run.sh").display().to_string())) }
    }
}

/// What one version did.
fn side(name: &str, observation: &Observation) -> Markup {
    html! {
        div.side {
            h4 { (name) } p { (plain(&observation.ending)) }
            @for (what, text) in [("stdout", &observation.stdout), ("stderr", &observation.stderr)] {
                @if !text.0.is_empty() { p { (what) } pre { (plain(&String::from_utf8_lossy(&text.0[..text.0.len().min(2000)]))) } }
            }
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
fn changes(stats: &DiffStats, root: &Path) -> Markup {
    html! { @for program in &stats.programs {
        h3 { (plain(&program.program)) }
        table { thead { tr { th { "change" } th { "what" } th { "inputs that execute it" } th { "differences" } } }
            tbody { @for change in program.changes.iter().take(1000) { tr {
                td { code { (plain(&change.line.place_from(root))) } } td { (change.line.what) }
                td.number { (change.reached.map_or("unknown".to_owned(), |reached| reached.to_string())) }
                td { @for id in &change.differences { a href=(format!("#f-{id}")) { (id) } " " } }
            } } }
        }
        @if program.changes.len() > 1000 { p { "stats.json has all." } }
    } }
}
