//! What two sequences have in common.

use std::hash::Hash;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// A part of two sequences: the same in both, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// Whether it is the same.
    pub is_same: bool,
    /// Where it is in the first sequence.
    pub old: Range<usize>,
    /// Where it is in the second one.
    pub new: Range<usize>,
}

/// All parts of two sequences, in order. What is left after a time counts as different.
pub fn aligned<T: Hash + Eq + Ord>(old: &[T], new: &[T], patience: Duration) -> Vec<Stretch> {
    let ops = capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(Instant::now() + patience));
    // Where an operation is follows from the lengths of those before it: what it says itself of the other side may be off.
    let mut at = (0, 0);
    let placed = |op: &DiffOp| {
        let begin = at;
        at = (begin.0 + op.old_range().len(), begin.1 + op.new_range().len());
        Stretch { is_same: matches!(op, DiffOp::Equal { .. }), old: begin.0..at.0, new: begin.1..at.1 }
    };
    ops.iter().map(placed).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_those_of_both_sequences_in_order(
            old in prop::collection::vec(0u8..4, 0..40), new in prop::collection::vec(0u8..4, 0..40),
        ) {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for stretch in aligned(&old, &new, Duration::from_secs(1)) {
                prop_assert!(!stretch.is_same || old[stretch.old.clone()] == new[stretch.new.clone()]);
                before.extend_from_slice(&old[stretch.old]);
                after.extend_from_slice(&new[stretch.new]);
            }
            prop_assert_eq!((before, after), (old, new));
        }
    }
}
