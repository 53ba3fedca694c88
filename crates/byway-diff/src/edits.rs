//! What differs between an input and the one it was made of, in pieces that can be taken back.

use std::ops::Range;
use std::time::Duration;

use byway_input::ConcreteInput;
use byway_reduce::{Part, parts};

use crate::align::aligned;

/// So long contents are compared.
const PATIENCE: Duration = Duration::from_millis(500);

/// Bytes of the base, and what is there instead: at most one of each.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    /// Which part, by its number.
    part: usize,
    at: Range<usize>,
    to: Vec<u8>,
}

/// An input as changes of another.
pub struct Edits {
    /// The input, whose number of arguments and files stays.
    input: ConcreteInput,
    /// The parts, with what the base has there.
    parts: Vec<(Part, Vec<u8>)>,
    edits: Vec<Edit>,
}

impl Edits {
    /// What makes the input of the base.
    pub fn new(base: &ConcreteInput, input: &ConcreteInput) -> Edits {
        let (base, input) = (base.trimmed(), input.trimmed());
        let known = parts(&base);
        // What the base does not have stays as it is.
        let of = |part: Part| {
            let content = if known.contains(&part) { part.content(&base) } else { part.content(&input) };
            (part.clone(), content.to_vec())
        };
        let parts: Vec<_> = parts(&input).into_iter().map(of).collect();
        let edits =
            parts.iter().enumerate().flat_map(|(number, (part, before))| edits(number, before, part.content(&input)));
        let edits = edits.collect();
        Edits { input, parts, edits }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// The base with some of them.
    pub fn with(&self, kept: impl Iterator<Item = usize>) -> ConcreteInput {
        let mut contents: Vec<Vec<u8>> = vec![Vec::new(); self.parts.len()];
        let mut done = vec![0; self.parts.len()];
        for edit in kept.map(|index| &self.edits[index]) {
            let (content, before) = (&mut contents[edit.part], &self.parts[edit.part].1);
            content.extend_from_slice(&before[done[edit.part]..edit.at.start]);
            content.extend_from_slice(&edit.to);
            done[edit.part] = edit.at.end;
        }
        let mut input = self.input.clone();
        for (((part, before), mut content), done) in self.parts.iter().zip(contents).zip(done) {
            content.extend_from_slice(&before[done..]);
            if part.content(&input) != content {
                part.set(&mut input, content);
            }
        }
        input
    }
}

fn edits(part: usize, before: &[u8], after: &[u8]) -> Vec<Edit> {
    if before == after {
        return Vec::new();
    }
    if before.len() == after.len() {
        let differ = (0..before.len()).filter(|&at| before[at] != after[at]);
        return differ.map(|at| Edit { part, at: at..at + 1, to: vec![after[at]] }).collect();
    }
    let changes = aligned(before, after, PATIENCE).into_iter().filter(|stretch| !stretch.is_same);
    changes.flat_map(|stretch| bytewise(part, stretch.old, &after[stretch.new])).collect()
}

/// What is not the same, byte by byte.
fn bytewise(part: usize, old: Range<usize>, new: &[u8]) -> Vec<Edit> {
    let count = old.len().max(new.len());
    let edit = |index: usize| {
        let at = old.start + index.min(old.len());
        let end = (at + 1).min(old.end).max(at);
        Edit { part, at: at..end, to: new.get(index).copied().into_iter().collect() }
    };
    (0..count).map(edit).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn input(argument: &[u8], stdin: &[u8]) -> ConcreteInput {
        let (arguments, stdin) = (vec![argument.to_vec()], Some(stdin.to_vec()));
        ConcreteInput { arguments, stdin, ..ConcreteInput::default() }
    }

    proptest! {
        #[test]
        fn all_edits_make_the_input_and_none_makes_the_base(
            one in prop::collection::vec(1u8..5, 0..20), other in prop::collection::vec(1u8..5, 0..20),
            before in prop::collection::vec(0u8..4, 0..40), after in prop::collection::vec(0u8..4, 0..40),
        ) {
            let (base, input) = (input(&one, &before), input(&other, &after));
            let edits = Edits::new(&base, &input);
            prop_assert_eq!(edits.with(0..edits.len()), input);
            prop_assert_eq!(edits.with(std::iter::empty()), base);
        }
    }
}
