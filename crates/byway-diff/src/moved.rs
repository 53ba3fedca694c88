//! Line numbers in what versions say: those of statements that say only where they stand (`__LINE__`).
//!
//! A number counts as such a line if the run executes a statement that says only where it stands, and the old version says the
//! old line of that statement where the new one says the new line. A run that executes no change, but such a statement, differs by
//! nothing else.

use std::collections::BTreeSet;
use std::time::Duration;

use byway_change::Change;
use byway_exec::ExecError;
use byway_input::ConcreteInput;

use crate::align::aligned;
use crate::lab::{Lab, Side};
use crate::mask::{Piece, words};

/// So long two texts are compared word by word.
const PATIENCE: Duration = Duration::from_millis(300);

/// The lines of statements that only stand elsewhere, before and after, as they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MovedLines(BTreeSet<(Vec<u8>, Vec<u8>)>);

impl MovedLines {
    /// Those of the statements that a run of the new version executes.
    pub fn executed(
        statements: &[Change],
        lab: &mut Lab<'_>,
        input: &ConcreteInput,
    ) -> Result<Option<MovedLines>, ExecError> {
        if statements.is_empty() || !lab.can_count() {
            return Ok(None);
        }
        let Some(counts) = lab.count(Side::New, input)? else { return Ok(None) };
        let is_run = |change: &&Change| {
            let blocks = change.new.iter().flat_map(|place| &place.blocks);
            blocks.into_iter().any(|block| counts.get(block.index()).is_some_and(|&count| count > 0))
        };
        let executed: Vec<&Change> = statements.iter().filter(is_run).collect();
        Ok((!executed.is_empty()).then(|| MovedLines::of(executed)))
    }

    fn of<'c>(statements: impl IntoIterator<Item = &'c Change>) -> MovedLines {
        let line = |line: u32| line.to_string().into_bytes();
        let lines = statements.into_iter().filter_map(|change| {
            let (old, new) = (change.old.as_ref()?.line, change.new.as_ref()?.line);
            (old != new).then(|| (line(old), line(new)))
        });
        MovedLines(lines.collect())
    }

    /// A text of the old version with the new lines, where the new version says these. `None` if there are none.
    pub fn renumbered(&self, old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
        if self.0.is_empty() || old == new {
            return None;
        }
        let (before, after) = (words(old), words(new));
        let mut text = Vec::new();
        let mut is_other = false;
        for stretch in aligned(&before, &after, PATIENCE) {
            let is_even = stretch.old.len() == stretch.new.len();
            for (index, piece) in stretch.old.clone().zip(&before[stretch.old.clone()]) {
                let other = &after.get(index - stretch.old.start + stretch.new.start).filter(|_| is_even);
                let moved = other.and_then(|other| self.moved(piece, other));
                is_other |= moved.is_some();
                text.extend_from_slice(moved.unwrap_or_else(|| piece.text()));
            }
        }
        is_other.then_some(text)
    }

    fn moved<'a>(&self, old: &Piece<'_>, new: &Piece<'a>) -> Option<&'a [u8]> {
        let pair = (old.text().to_vec(), new.text().to_vec());
        self.0.contains(&pair).then(|| new.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::tests::moved;

    #[test]
    fn a_number_is_a_line_only_where_the_old_line_became_the_new_one() {
        let lines = MovedLines::of(&[moved(12, 13), moved(40, 42)]);
        let renumbered = |old: &str, new: &str| {
            lines.renumbered(old.as_bytes(), new.as_bytes()).map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(renumbered("error (12): x\n", "error (13): x\n").as_deref(), Some("error (13): x\n"));
        assert_eq!(renumbered("12 40 a\n", "13 42 b\n").as_deref(), Some("13 42 a\n"));
        assert_eq!(renumbered("n=12\n", "n=14\n"), None);
        assert_eq!(renumbered("n=13\n", "n=12\n"), None);
        assert_eq!(renumbered("n=120\n", "n=130\n"), None);
    }
}
