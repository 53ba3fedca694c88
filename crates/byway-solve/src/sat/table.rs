//! Reads from tables as gates: for each bit of the value, a tree of choices over the bits of the position.
//!
//! A tree for a table of 2 KB that depends on the input has 2047 gates for each bit, and a query may read hundreds of such tables
//! of which it needs a few entries. So the value of a large read is at first nothing but variables. When the solver has found
//! values, each such read is compared with the entry that it should have read; where they differ, that entry is added
//! ([`Read::add_entry`]), and the solver goes on. Only a read that is wrong again and again becomes a tree.
//!
//! Snapshots of an object mostly differ in a few bytes. A read at the same position of a table that differs in a few entries is
//! the first read, but for these ([`Read::differing`]).

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::sat::arithmetic::{Bits, constant};
use crate::sat::cadical::Lit;
use crate::sat::gates::Gates;

/// A table as literals: for each byte, its bits.
pub type Bytes = Arc<[[Lit; 8]]>;

/// A read is large if its tree has more leaves than that. Leaves that are constants share most of their gates.
const LEAVES: usize = 2048;
/// How many constant leaves weigh as much as one other.
const CONSTANT: usize = 8;
/// How many entries a large read gets before it becomes a tree.
const ENTRIES: usize = 128;
/// In how many entries a table may differ from one that was read at the same position, so that the value of that is used.
const DIFFERENT: usize = 16;

/// Literals that say that some bits are a number, so that reads at the same position share them.
#[derive(Default)]
pub struct Decoders(HashMap<(Box<[Lit]>, usize), Lit, FixedState>);

/// A read of some bytes from a table.
pub struct Read {
    bytes: Bytes,
    position: Bits,
    /// Between which values the position lies.
    range: (u128, u128),
    /// The bits of the position that choose an entry: those that matter, the lowest first.
    index: Bits,
    /// The positions that are possible.
    rows: Vec<usize>,
    /// How many bytes are read.
    count: usize,
    /// Whether the position is behind the last entry: then the value is 0.
    beyond: Lit,
    /// What is in the entry that the position chooses, if one is. Bits that are the same in all entries are those.
    entry: Bits,
    /// Which bits differ between entries.
    different: Vec<usize>,
    /// How many entries were added. All, if it is a tree.
    added: usize,
    is_tree: bool,
}

impl Read {
    /// `count` bytes from a position on that lies within `range`; the value is 0 if they are not all within the table.
    pub fn new(gates: &mut Gates, bytes: Bytes, position: &[Lit], range: (u128, u128), count: usize) -> Option<Read> {
        let last = bytes.len().checked_sub(count).filter(|&last| range.0 <= last as u128)?;
        let beyond = match range.1 <= last as u128 {
            true => Lit::FALSE,
            false => gates.less(&constant(last as u128, position.len()), position),
        };
        let index = position[..(usize::BITS - last.leading_zeros()) as usize].to_vec();
        let (first, end) = (range.0 as usize, range.1.min(last as u128) as usize);
        let is_possible =
            |row: &usize| index.iter().enumerate().all(|(at, bit)| bit.known() != Some(row >> at & 1 == 0));
        let rows: Vec<usize> = (first..=end).filter(is_possible).collect();
        let mut read = Read {
            bytes,
            position: position.to_vec(),
            range,
            index,
            rows,
            count,
            beyond,
            entry: Bits::new(),
            different: Vec::new(),
            added: 0,
            is_tree: false,
        };
        gates.watch.is_late_after(read.rows.len() * count);
        read.find_entry(gates);
        Some(read)
    }

    /// The bits that are the same in all entries; variables for the others, or a tree if that is small.
    fn find_entry(&mut self, gates: &mut Gates) {
        let width = self.count * 8;
        let first = self.rows.first().copied().unwrap_or(0);
        let is_same = |bit: &usize| self.rows.iter().all(|&row| self.bit(row, *bit) == self.bit(first, *bit));
        self.different = (0..width).filter(|bit| !is_same(bit)).collect();
        self.entry = (0..width).map(|bit| self.bit(first, bit)).collect();
        let is_large = self.weight() > LEAVES;
        for at in 0..self.different.len() {
            let bit = self.different[at];
            self.entry[bit] = if is_large { gates.solver.variable() } else { self.tree(gates, bit) };
        }
        self.is_tree = !is_large;
    }

    /// How large the tree is.
    fn weight(&self) -> usize {
        let leaves = self.rows.len() * self.different.len();
        if leaves / CONSTANT > LEAVES {
            return leaves / CONSTANT;
        }
        let is_known = |&(row, bit): &(usize, usize)| self.bit(row, bit).known().is_some();
        let leaf = |&row: &usize| self.different.iter().map(move |&bit| (row, bit));
        let constants = self.rows.iter().flat_map(leaf).filter(is_known).count();
        leaves - constants + constants / CONSTANT
    }

    fn bit(&self, row: usize, bit: usize) -> Lit {
        self.bytes[row + bit / 8][bit % 8]
    }

    /// The value that is read.
    pub fn value(&self, gates: &mut Gates) -> Bits {
        self.entry.iter().map(|&bit| gates.and(!self.beyond, bit)).collect()
    }

    /// The entries in which another table differs, if it is read at the same position and they are few.
    pub fn differing(&self, other: &Bytes, position: &[Lit], range: (u128, u128), count: usize) -> Option<Vec<usize>> {
        let is_alike = self.bytes.len() == other.len() && self.position == position && self.range == range;
        if !is_alike || self.count != count {
            return None;
        }
        let is_different = |row: &&usize| self.bytes[**row..**row + count] != other[**row..**row + count];
        let rows: Vec<usize> = self.rows.iter().filter(is_different).take(DIFFERENT + 1).copied().collect();
        (rows.len() <= DIFFERENT).then_some(rows)
    }

    /// The value of a read at the same position from a table that differs in some entries.
    pub fn value_with(&self, gates: &mut Gates, decoders: &mut Decoders, other: &Bytes, rows: &[usize]) -> Bits {
        let mut entry = self.entry.clone();
        for &row in rows {
            let is_here = decoders.is(gates, &self.index, row);
            for (bit, entry) in entry.iter_mut().enumerate() {
                *entry = gates.choice(is_here, other[row + bit / 8][bit % 8], *entry);
            }
        }
        entry.into_iter().map(|bit| gates.and(!self.beyond, bit)).collect()
    }

    /// Whether it may differ from what it should have read.
    pub fn is_loose(&self) -> bool {
        !self.is_tree
    }

    /// The entry of which the solver's values are wrong, if there is one.
    pub fn wrong_row(&self, value: impl Fn(Lit) -> bool) -> Option<usize> {
        if self.is_tree || value(self.beyond) {
            return None;
        }
        let row = self.index.iter().rev().fold(0, |row, &bit| row << 1 | usize::from(value(bit)));
        let is_wrong = |&bit: &usize| value(self.entry[bit]) != value(self.bit(row, bit));
        self.rows.binary_search(&row).ok()?;
        self.different.iter().any(is_wrong).then_some(row)
    }

    /// Adds what is at a position; all that is in the table, if that happened often.
    pub fn add_entry(&mut self, gates: &mut Gates, decoders: &mut Decoders, row: usize) {
        if self.added >= ENTRIES {
            return self.become_tree(gates);
        }
        self.added += 1;
        let is_here = decoders.is(gates, &self.index, row);
        for &bit in &self.different {
            let (entry, leaf) = (self.entry[bit], self.bit(row, bit));
            gates.solver.clause(&[!is_here, !entry, leaf]);
            gates.solver.clause(&[!is_here, entry, !leaf]);
        }
    }

    fn become_tree(&mut self, gates: &mut Gates) {
        for &bit in &self.different {
            let (tree, entry) = (self.tree(gates, bit), self.entry[bit]);
            if gates.watch.is_late() {
                return;
            }
            gates.solver.clause(&[!tree, entry]);
            gates.solver.clause(&[tree, !entry]);
        }
        self.is_tree = true;
    }

    /// One bit of the entry that the position chooses. What is not possible is never chosen: there, any will do.
    fn tree(&self, gates: &mut Gates, bit: usize) -> Lit {
        let mut column: Vec<(usize, Lit)> = self.rows.iter().map(|&row| (row, self.bit(row, bit))).collect();
        for &choice in &self.index {
            if gates.watch.is_late_after(column.len()) {
                return Lit::FALSE;
            }
            let pairs = column.chunk_by(|a, b| a.0 >> 1 == b.0 >> 1).map(|pair| match *pair {
                [(row, low), (_, high)] => (row >> 1, gates.choice(choice, high, low)),
                _ => (pair[0].0 >> 1, pair[0].1),
            });
            column = pairs.collect();
        }
        column.first().map_or(Lit::FALSE, |&(_, bit)| bit)
    }
}

impl Decoders {
    /// Whether bits are a number.
    fn is(&mut self, gates: &mut Gates, bits: &[Lit], number: usize) -> Lit {
        let key = (bits.into(), number);
        *self.0.entry(key).or_insert_with(|| {
            gates.all(bits.iter().enumerate().map(|(at, bit)| bit.negated_if(number >> at & 1 == 0)))
        })
    }
}
