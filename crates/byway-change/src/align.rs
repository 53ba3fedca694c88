//! Putting two sequences of statements side by side.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Two sequences side by side.
#[derive(Debug, Default)]
pub struct Alignment {
    /// Positions with the same element, old and new, in order.
    pub same: Vec<(usize, usize)>,
    /// What lies between: parts of the old and of the new sequence.
    pub hunks: Vec<(Range<usize>, Range<usize>)>,
}

/// Aligns by the longest common subsequence, with what occurs once on both sides first.
pub fn align<T: Hash + Eq>(old: &[T], new: &[T]) -> Alignment {
    let mut numbers: HashMap<&T, u32> = HashMap::new();
    let mut number = |element| {
        let next = numbers.len() as u32;
        *numbers.entry(element).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(&mut number).collect();
    let new: Vec<u32> = new.iter().map(&mut number).collect();
    let mut alignment = Alignment::default();
    for operation in capture_diff_slices(Algorithm::Patience, &old, &new) {
        match operation {
            DiffOp::Equal { old_index, new_index, len } => {
                alignment.same.extend((old_index..old_index + len).zip(new_index..));
            }
            other => alignment.hunk(other.old_range(), other.new_range()),
        }
    }
    alignment
}

impl Alignment {
    /// Adds a hunk; one that follows another directly is a part of it.
    fn hunk(&mut self, old: Range<usize>, new: Range<usize>) {
        match self.hunks.last_mut() {
            Some((last_old, last_new)) if last_old.end == old.start && last_new.end == new.start => {
                last_old.end = old.end;
                last_new.end = new.end;
            }
            _ => self.hunks.push((old, new)),
        }
    }
}

/// Larger hunks are paired in their order alone.
const MAX_CELLS: usize = 1 << 20;

/// Pairs elements of two parts in order so that the sum of scores is greatest; what has score 0 is no pair.
pub fn pair_up(old: Range<usize>, new: Range<usize>, score: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let (rows, columns) = (old.len(), new.len());
    if rows.saturating_mul(columns) > MAX_CELLS {
        return old.zip(new).filter(|&(was, is)| score(was, is) > 0).collect();
    }
    let mut best = vec![vec![0u32; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let paired = match score(old.start + row, new.start + column) {
                0 => 0,
                score => best[row + 1][column + 1] + score,
            };
            best[row][column] = paired.max(best[row + 1][column]).max(best[row][column + 1]);
        }
    }
    let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
    while row < rows && column < columns {
        let here = best[row][column];
        let value = score(old.start + row, new.start + column);
        if value > 0 && here == best[row + 1][column + 1] + value {
            pairs.push((old.start + row, new.start + column));
            row += 1;
            column += 1;
        } else if here == best[row + 1][column] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insertion_is_one_hunk() {
        let alignment = align(&["a", "b", "c"], &["a", "x", "y", "b", "c"]);
        assert_eq!(alignment.same, [(0, 0), (1, 3), (2, 4)]);
        assert_eq!(alignment.hunks, [(1..1, 1..3)]);
    }

    #[test]
    fn pairs_have_the_greatest_sum_of_scores() {
        let score = |was: usize, is: usize| [[1, 0, 3], [0, 1, 0]][was][is];
        assert_eq!(pair_up(0..2, 0..3, score), [(0, 2)]);
        assert_eq!(pair_up(0..2, 0..2, score), [(0, 0), (1, 1)]);
    }
}
