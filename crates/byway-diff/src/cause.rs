//! What makes two versions differ: the changes that are executed, and where their ways part.

use std::collections::BTreeSet;

use byway_engine::Program;
use byway_input::ConcreteInput;
use byway_report::SourceLines;
use byway_report::diff::Kind;
use byway_trace::layout::Event;
use byway_trace::{EventKind, Trace};

use crate::lab::{Lab, Side};
use crate::request::ProgramPair;

/// Differences with the same cause are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// The kind of difference.
    pub kind: Kind,
    /// The changes that are executed.
    pub changes: BTreeSet<usize>,
    /// Where the ways of both versions part: `file.c:12 in function`. `None` if that cannot be seen: they take the same branches,
    /// as far as these depend on the input.
    pub place: Option<String>,
}

/// A branch that depends on the input, and the side that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    function: String,
    source: String,
    side: u64,
    place: String,
}

impl Step {
    /// Whether this is the same step of another version.
    fn is(&self, other: &Step) -> bool {
        (&self.function, &self.source, self.side) == (&other.function, &other.source, other.side)
    }
}

/// Where the ways of both versions part on an input: the place in the new version, or that in the old one if the new one has ended.
pub fn parting(lab: &mut Lab<'_>, pair: &ProgramPair, input: &ConcreteInput) -> Option<String> {
    let (old, new) = (lab.trace(Side::Old, input)?, lab.trace(Side::New, input)?);
    let renamed = |name: String| {
        let found = pair.changes.renamed.iter().find(|(before, _)| *before == name);
        found.map_or(name, |(_, after)| after.clone())
    };
    let (mut sources_old, mut sources_new) = (pair.old.lines(), pair.new.lines());
    let mut olds = steps(&old, &pair.old.program, &mut sources_old);
    let mut news = steps(&new, &pair.new.program, &mut sources_new);
    loop {
        match (olds.next(), news.next()) {
            (None, None) => return None,
            (Some(old), Some(new)) => {
                let old = Step { function: renamed(old.function), ..old };
                if !old.is(&new) {
                    return Some(new.place);
                }
            }
            (old, new) => return new.or(old).map(|step| step.place),
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
    let function = program.map.function_of(site.block).name.clone();
    let (file, line) = (&program.map[file], line);
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let place = format!("{name}:{line} in {function}");
    // Without its text, the number of the line.
    let source = sources.line(file, line).map_or_else(|| line.to_string(), |text| text.trim().to_owned());
    Some(Step { source, function, side, place })
}
