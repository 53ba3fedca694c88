//! A snapshot as a function from positions to values.

use std::io::{self, Write};
use std::ops::Range;

use crate::smt2::operator::literal;
use crate::trace::Snapshot;

/// A function of a script: what a read of some bytes gives at each position of a snapshot that an address can have.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    snapshot: u32,
    /// How many bytes are read.
    count: usize,
    /// Positions are multiples of 2 to the power of this.
    shift: u32,
    /// The number of the last position that can be read from.
    last: u64,
    /// The bits of a number of a position.
    bits: u32,
}

impl Table {
    /// The table for reads of `count` bytes, which are in the snapshot, at positions whose `shift` lowest bits are 0.
    pub fn new(snapshot: &Snapshot<'_>, number: u32, count: usize, shift: u32) -> Self {
        let last = snapshot.bytes.len().saturating_sub(count) as u64 >> shift;
        Table { snapshot: number, count, shift, last, bits: (u64::BITS - last.leading_zeros()).max(1) }
    }

    /// The last position that can be read from.
    pub fn last(&self) -> u64 {
        self.last << self.shift
    }

    /// The bits of a number of a position.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of a position, a term of 64 bits.
    pub fn number(&self, position: &str) -> String {
        format!("((_ extract {} {}) {position})", self.shift + self.bits - 1, self.shift)
    }

    /// The value at the position with a number.
    pub fn apply(&self, number: &str) -> String {
        format!("({} {number})", self.name())
    }

    fn name(&self) -> String {
        format!("table{}_{}_{}", self.snapshot, self.count, self.shift)
    }

    /// Defines the function. `node` gives the term of a label, and its width.
    pub fn define(
        &self,
        out: &mut impl Write,
        snapshot: &Snapshot<'_>,
        node: impl Fn(u32) -> (String, u32),
    ) -> io::Result<()> {
        write!(out, "(define-fun {} ((i (_ BitVec {}))) (_ BitVec {}) ", self.name(), self.bits, self.count * 8)?;
        let entries = Entries { table: self, snapshot, node, run_ends: self.run_ends(snapshot) };
        entries.tree(out, 0, self.bits)?;
        writeln!(out, ")")
    }

    /// For each number, where the run of numbers with the same value ends.
    fn run_ends(&self, snapshot: &Snapshot<'_>) -> Vec<u32> {
        let end = self.last as usize + 1;
        let window = |number: usize| {
            let range = self.range(number);
            (snapshot.bytes.get(range.clone()), snapshot.labels.get(range))
        };
        let mut ends = vec![end as u32; end];
        for number in (0..end - 1).rev() {
            let same = window(number) == window(number + 1);
            ends[number] = if same { ends[number + 1] } else { number as u32 + 1 };
        }
        ends
    }

    /// The bytes that are read.
    fn range(&self, number: usize) -> Range<usize> {
        let position = number << self.shift;
        position..position + self.count
    }
}

/// What a table is written from.
struct Entries<'a, F> {
    table: &'a Table,
    snapshot: &'a Snapshot<'a>,
    node: F,
    run_ends: Vec<u32>,
}

impl<F: Fn(u32) -> (String, u32)> Entries<'_, F> {
    /// The values of all numbers that begin as `low` does and have any `bits` last bits. As deep as there are bits.
    fn tree(&self, out: &mut impl Write, low: usize, bits: u32) -> io::Result<()> {
        let end = (low + (1 << bits)).min(self.run_ends.len());
        if self.run_ends[low] as usize >= end {
            return write!(out, "{}", self.value(low));
        }
        let bit = bits - 1;
        let middle = low + (1 << bit);
        if middle >= self.run_ends.len() {
            return self.tree(out, low, bit);
        }
        write!(out, "(ite (= ((_ extract {bit} {bit}) i) #b1) ")?;
        self.tree(out, middle, bit)?;
        write!(out, " ")?;
        self.tree(out, low, bit)?;
        write!(out, ")")
    }

    fn value(&self, number: usize) -> String {
        let indices = self.table.range(number);
        if indices.clone().all(|index| self.snapshot.label(index).is_none()) {
            let bytes = &self.snapshot.bytes[indices];
            let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte));
            return literal(value, self.table.count as u32 * 8);
        }
        let bytes: Vec<String> = indices.rev().map(|index| self.byte(index)).collect();
        if bytes.len() == 1 { bytes.into_iter().collect() } else { format!("(concat {})", bytes.join(" ")) }
    }

    fn byte(&self, index: usize) -> String {
        let Some((label, byte)) = self.snapshot.label(index) else {
            return literal(self.snapshot.bytes[index].into(), 8);
        };
        let (term, width) = (self.node)(label);
        let low = byte * 8;
        let high = (low + 7).min(width - 1);
        let bits = if (low, high + 1) == (0, width) { term } else { format!("((_ extract {high} {low}) {term})") };
        let missing = 8 - (high + 1 - low);
        if missing == 0 { bits } else { format!("((_ zero_extend {missing}) {bits})") }
    }
}
