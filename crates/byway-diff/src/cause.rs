//! What makes two versions differ: the changes that are executed, and where their ways part.

use std::collections::BTreeSet;
use std::path::PathBuf;

use byway_engine::Program;
use byway_input::ConcreteInput;
use byway_report::SourceLines;
use byway_report::diff::DifferenceKind;
use byway_trace::layout::Event;
use byway_trace::{EventKind, Trace};

use crate::lab::{Lab, Side};
use crate::request::ProgramPair;

/// Differences with the same cause are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferenceCause {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The changes that are executed.
    pub changes: BTreeSet<usize>,
    /// Where the ways of both versions part. `None` if that cannot be seen: they take the same branches, as far as these
    /// depend on the input.
    pub parting: Option<Parting>,
}

/// Where the ways of both versions part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Parting {
    /// For people: `file.c:12 in function`.
    pub place: String,
    /// What it is known by, wherever its line is: the function, the text of the line, and how many lines of the function before it
    /// have the same text.
    pub key: String,
}

/// A branch that depends on the input, and the side that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    function: String,
    /// The line where the function begins.
    begins: u32,
    file: PathBuf,
    line: u32,
    /// The text of the line, or its number.
    source: String,
    side: u64,
}

impl Step {
    /// Whether this is the same step of another version.
    fn is(&self, other: &Step) -> bool {
        (&self.function, &self.source, self.side) == (&other.function, &other.source, other.side)
    }

    fn parting(&self, sources: &mut SourceLines) -> Parting {
        let Step { function, begins, file, line, source, .. } = self;
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let is_alike = |line: &u32| sources.line(file, *line).is_some_and(|text| text.trim() == source);
        let alike = (*begins..*line).filter(is_alike).count();
        Parting { place: format!("{name}:{line} in {function}"), key: format!("{function}\0{source}\0{alike}") }
    }
}

/// Where the ways of both versions part on an input: the place in the new version, or that in the old one if the new one has ended.
pub fn parting(lab: &mut Lab<'_>, pair: &ProgramPair, input: &ConcreteInput) -> Option<Parting> {
    let (old, new) = (lab.trace(Side::Old, input)?, lab.trace(Side::New, input)?);
    let (mut before, mut after) = (pair.old.lines(), pair.new.lines());
    let olds = steps(&old, &pair.old.program, &mut before);
    match first_other(pair, olds, steps(&new, &pair.new.program, &mut after))? {
        (Side::Old, step) => Some(step.parting(&mut before)),
        (_, step) => Some(step.parting(&mut after)),
    }
}

/// The first step that the other version does not take.
fn first_other(
    pair: &ProgramPair,
    mut olds: impl Iterator<Item = Step>,
    mut news: impl Iterator<Item = Step>,
) -> Option<(Side, Step)> {
    let renamed = |name: String| {
        let found = pair.changes.renamed.iter().find(|(before, _)| *before == name);
        found.map_or(name, |(_, after)| after.clone())
    };
    loop {
        match (olds.next(), news.next()) {
            (None, None) => return None,
            (Some(old), Some(new)) => {
                let old = Step { function: renamed(old.function), ..old };
                if !old.is(&new) {
                    return Some((Side::New, new));
                }
            }
            (_, Some(new)) => return Some((Side::New, new)),
            (Some(old), None) => return Some((Side::Old, old)),
        }
    }
}

/// The branches of a trace, in order.
fn steps<'a>(trace: &'a Trace, program: &'a Program, sources: &'a mut SourceLines) -> impl Iterator<Item = Step> + 'a {
    trace.events().iter().filter_map(move |event| step(event, program, sources))
}

fn step(event: &Event, program: &Program, sources: &mut SourceLines) -> Option<Step> {
    let side = match EventKind::of(event.kind)? {
        EventKind::Branch => u64::from(event.flag),
        EventKind::Switch => program.switch(event.site).map_or(event.a, |switch| u64::from(switch.side(event.a))),
        _ => return None,
    };
    // Of a branch in a library function, where that was called.
    let number = if byway_trace::is_model_site(event.site) { event.extra } else { event.site };
    let site = program.map.site(number)?;
    let (file, line, _) = site.position?;
    let function = program.map.function_of(site.block);
    let begins = function.position.map_or(line, |(_, begins)| begins);
    let file = &program.map[file];
    // Without its text, the number of the line.
    let source = sources.line(file, line).map_or_else(|| line.to_string(), |text| text.trim().to_owned());
    Some(Step { function: function.name.clone(), begins, file: file.clone(), line, source, side })
}
