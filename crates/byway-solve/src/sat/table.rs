//! Reads from tables as gates: a tree of choices over the bits of the position, for each bit of the value.

use crate::sat::arithmetic::{Bits, constant};
use crate::sat::cadical::Lit;
use crate::sat::gates::Gates;

/// A table as literals: for each byte, its bits.
pub struct Rows<'a> {
    /// Each byte, or where its bits are in `symbolic`.
    pub bytes: &'a [u8],
    /// The bits of bytes that are symbolic, by position in order.
    pub symbolic: &'a [(u32, &'a [Lit])],
}

impl Rows<'_> {
    fn bit(&self, byte: usize, bit: usize) -> Lit {
        match self.symbolic.binary_search_by_key(&(byte as u32), |&(position, _)| position) {
            Ok(found) => self.symbolic[found].1[bit],
            Err(_) => Lit::constant(self.bytes[byte] >> bit & 1 == 1),
        }
    }
}

impl Gates {
    /// `count` bytes from a position on; 0 if they are not all within.
    pub fn read(&mut self, rows: &Rows<'_>, position: &[Lit], count: usize) -> Bits {
        let Some(last) = rows.bytes.len().checked_sub(count) else { return constant(0, count * 8) };
        let beyond = self.less(&constant(last as u128, position.len()), position);
        let index = &position[..(usize::BITS - last.leading_zeros()) as usize];
        let bits = (0..count * 8).map(|bit| {
            if self.watch.is_late_after(last) {
                return Lit::FALSE;
            }
            let column = (0..=last).map(|row| rows.bit(row + bit / 8, bit % 8)).collect();
            let value = self.select(column, index);
            self.and(!beyond, value)
        });
        bits.collect()
    }

    /// The entry with a number. There is no entry beyond the last: there, any will do.
    fn select(&mut self, mut column: Bits, index: &[Lit]) -> Lit {
        for &bit in index {
            let pairs = column.chunks(2).map(|pair| match *pair {
                [low, high] => self.choice(bit, high, low),
                _ => pair[0],
            });
            column = pairs.collect();
        }
        column[0]
    }
}
