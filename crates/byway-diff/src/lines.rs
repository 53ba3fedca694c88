//! Changes with their sources.

use byway_change::{Change, ChangeKind, Place};
use byway_report::Sources;
use byway_report::diff::ChangedLine;

/// Changes with the lines that they are about.
pub fn lines(changes: &[Change]) -> Vec<ChangedLine> {
    let mut sources = Sources::default();
    changes.iter().map(|change| line(change, &mut sources)).collect()
}

fn line(change: &Change, sources: &mut Sources) -> ChangedLine {
    let (what, at) = match change.kind {
        ChangeKind::Changed => ("changed", &change.new),
        ChangeKind::Added => ("added", &change.new),
        ChangeKind::Removed => ("removed", &change.old),
    };
    let mut source = |place: &Place| sources.line(&place.file, place.line).map(str::to_owned);
    ChangedLine {
        what: what.to_owned(),
        name: change.name.clone(),
        file: at.as_ref().map(|place| place.file.clone()).unwrap_or_default(),
        line: at.as_ref().map_or(0, |place| place.line),
        old: change.old.as_ref().map(|place| (place.file.clone(), place.line)),
        old_source: change.old.as_ref().filter(|_| change.kind != ChangeKind::Added).and_then(&mut source),
        new_source: change.new.as_ref().filter(|_| change.kind != ChangeKind::Removed).and_then(&mut source),
    }
}
