//! Tables as functions from a position to a value: trees of choices over the bits of the position.

use std::io::{self, Write};

use crate::pool::{Expr, Pool, Table, TableId};
use crate::smt::script::{literal, term};

/// Reads of so many bytes from a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Function {
    table: TableId,
    count: usize,
    /// The last position that can be read from.
    last: usize,
}

impl Function {
    /// The function that a read needs; none if the table has fewer bytes than are read.
    pub fn of(pool: &Pool, load: Expr) -> Option<Self> {
        let (table, count) = (pool.table_of(load), pool.width(load) as usize / 8);
        let last = pool.table(table).bytes.len().checked_sub(count)?;
        Some(Function { table, count, last })
    }

    pub fn last(&self) -> usize {
        self.last
    }

    /// The bits of a position that matter.
    pub fn bits(&self) -> u32 {
        (usize::BITS - self.last.leading_zeros()).max(1)
    }

    pub fn name(&self) -> String {
        format!("t{}_{}", self.table.0, self.count)
    }

    pub fn define(&self, pool: &Pool, out: &mut impl Write) -> io::Result<()> {
        let (name, bits, width) = (self.name(), self.bits(), self.count * 8);
        write!(out, "(define-fun {name} ((i (_ BitVec {bits}))) (_ BitVec {width}) ")?;
        let table = pool.table(self.table);
        let tree = Tree { function: self, pool, table, run_ends: self.run_ends(table) };
        tree.write(out, 0, bits)?;
        write!(out, ")")
    }

    /// For each position, where the run of positions with the same value ends.
    fn run_ends(&self, table: &Table) -> Vec<usize> {
        let window = |position: usize| {
            let symbolic = (position..position + self.count).map(|index| table.symbolic(index));
            (&table.bytes[position..position + self.count], symbolic.collect::<Vec<_>>())
        };
        let mut ends = vec![self.last + 1; self.last + 1];
        for position in (0..self.last).rev() {
            let same = window(position) == window(position + 1);
            ends[position] = if same { ends[position + 1] } else { position + 1 };
        }
        ends
    }
}

struct Tree<'a> {
    function: &'a Function,
    pool: &'a Pool,
    table: &'a Table,
    run_ends: Vec<usize>,
}

impl Tree<'_> {
    /// The values of all positions that begin as `low` does and have any `bits` last bits.
    fn write(&self, out: &mut impl Write, low: usize, bits: u32) -> io::Result<()> {
        let end = (low + (1 << bits)).min(self.run_ends.len());
        if self.run_ends[low] >= end {
            return write!(out, "{}", self.value(low));
        }
        let bit = bits - 1;
        let middle = low + (1 << bit);
        if middle >= self.run_ends.len() {
            return self.write(out, low, bit);
        }
        write!(out, "(ite (= ((_ extract {bit} {bit}) i) #b1) ")?;
        self.write(out, middle, bit)?;
        write!(out, " ")?;
        self.write(out, low, bit)?;
        write!(out, ")")
    }

    fn value(&self, position: usize) -> String {
        let byte = |index: usize| match self.table.symbolic(index) {
            Some(expr) => term(self.pool, expr),
            None => literal(self.table.bytes[index].into(), 8),
        };
        let first = byte(position);
        (position + 1..position + self.function.count)
            .fold(first, |low, index| format!("(concat {} {low})", byte(index)))
    }
}
