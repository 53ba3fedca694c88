//! Changes with their sources.

use byway_change::{Change, ChangeKind, VersionLine};
use byway_report::SourceLines;
use byway_report::diff::ChangedLine;

use crate::request::ProgramPair;

/// The changes of a pair with the lines that they are about.
pub fn lines(pair: &ProgramPair) -> Vec<ChangedLine> {
    let (mut old, mut new) = (pair.old.lines(), pair.new.lines());
    pair.changes.changes.iter().map(|change| line(change, &mut old, &mut new)).collect()
}

fn line(change: &Change, old: &mut SourceLines, new: &mut SourceLines) -> ChangedLine {
    let (what, at) = match change.kind {
        ChangeKind::Changed => ("changed", &change.new),
        ChangeKind::Added => ("added", &change.new),
        ChangeKind::Removed => ("removed", &change.old),
    };
    let before = change.old.as_ref().filter(|_| change.kind != ChangeKind::Added);
    let after = change.new.as_ref().filter(|_| change.kind != ChangeKind::Removed);
    ChangedLine {
        what: what.to_owned(),
        name: change.name.clone(),
        file: at.as_ref().map(|place| place.file.clone()).unwrap_or_default(),
        line: at.as_ref().map_or(0, |place| place.line),
        old: change.old.as_ref().map(|place| (place.file.clone(), place.line)),
        new: change.new.as_ref().map(|place| (place.file.clone(), place.line)),
        old_source: before.and_then(|place| source(old, place)),
        new_source: after.and_then(|place| source(new, place)),
    }
}

fn source(lines: &mut SourceLines, place: &VersionLine) -> Option<String> {
    lines.line(&place.file, place.line).map(str::to_owned)
}
