//! `byway changes --graph`: in which orders changes can be executed.

use std::env;
use std::path::Path;

use byway_change::{Change, Ignored, SequenceGraph};
use byway_map::ProgramMap;
use byway_program::Subject;
use byway_variant::{Cache, program_instructions, program_map};
use serde::Serialize;

use super::Versions;
use crate::command::count;
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::GraphFormat;

/// What JSON says of a program.
#[derive(Serialize)]
struct Report<'a> {
    program: &'a str,
    changes: &'a [Change],
    #[serde(flatten)]
    graph: &'a SequenceGraph,
}

/// Prints the graph of each program.
pub fn print(cache: &Cache, programs: &[Versions], ignored: &Ignored, format: GraphFormat) -> Result<ExitCode, Error> {
    let mut text = String::new();
    let mut reports = Vec::new();
    let root = env::current_dir().unwrap_or_default();
    for versions in programs {
        let changes = versions.changes(cache, ignored)?;
        let graph = sequence_graph(cache, &versions.new, &program_map(cache, &versions.new)?, &changes.changes)?;
        match format {
            GraphFormat::Text => text += &in_words(&versions.name, &graph, &changes.changes, &root),
            GraphFormat::Dot => text += &graph.dot(&versions.name, &root),
            GraphFormat::Json => {
                let report = Report { program: &versions.name, changes: &changes.changes, graph: &graph };
                reports.push(serde_json::to_value(report).expect("a report is plain data"));
            }
        }
    }
    if format == GraphFormat::Json {
        text = serde_json::to_string_pretty(&reports).expect("a report is plain data") + "\n";
    }
    console::print(&text);
    Ok(ExitCode::Success)
}

/// The orders in which the changes of a version can be executed.
pub fn sequence_graph(
    cache: &Cache,
    subject: &Subject,
    map: &ProgramMap,
    changes: &[Change],
) -> Result<SequenceGraph, Error> {
    let instructions = program_instructions(cache, subject, map)?;
    let _activity = Activity::new(format!("looking where changes of {} meet", subject.name()));
    Ok(SequenceGraph::new(changes, &instructions, map))
}

fn in_words(name: &str, graph: &SequenceGraph, changes: &[Change], root: &Path) -> String {
    let size = &graph.size;
    let mut text = format!(
        "{name}: {}, {} where several of them meet for the first time (of {} where they do), {}\n\n",
        count(size.changes, "changed line"),
        count(size.interactions, "line"),
        size.interactions_before,
        count(size.edges, "edge"),
    );
    text += &graph.text(root);
    if !graph.without_node.is_empty() {
        text += "\n  changes that the new version does not execute:\n";
        for &number in &graph.without_node {
            let Change { name, old, new, .. } = &changes[number];
            if let Some(place) = old.as_ref().or(new.as_ref()) {
                let file = place.file.strip_prefix(root).unwrap_or(&place.file);
                text += &format!("    {}:{} in {name}\n", file.display(), place.line);
            }
        }
    }
    if !graph.unknown_functions.is_empty() {
        text += "\n  taken to touch whatever they can reach, since nothing is known of them:\n";
        text += &format!("    {}\n", graph.unknown_functions.join(", "));
    }
    text + "\n"
}
