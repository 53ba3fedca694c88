//! Constraints on two bytes as tables: for each value of one byte, the values of the other.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::byte_set::ByteSet;
use crate::pool::{Expr, Pool, Var};
use crate::tape::Evaluator;

/// How many tables are kept; each takes 8 KB.
const TABLES: usize = 4096;

/// For values of one byte, the values of another.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    /// The values for which there are rows.
    known: ByteSet,
    rows: Box<[ByteSet; 256]>,
}

impl Rows {
    /// Rows that allow everything.
    pub fn full() -> Rows {
        Rows { known: ByteSet::FULL, rows: Box::new([ByteSet::FULL; 256]) }
    }

    fn unknown() -> Rows {
        Rows { known: ByteSet::EMPTY, ..Rows::full() }
    }

    pub fn row(&self, value: u8) -> ByteSet {
        self.rows[usize::from(value)]
    }

    fn restrict(&mut self, other: &Rows, values: ByteSet) {
        values.iter().for_each(|value| {
            let row = &mut self.rows[usize::from(value)];
            *row = row.and(other.row(value));
        });
    }
}

/// The tables of constraints that were asked about, forgotten when they are too many.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    tables: HashMap<Expr, Rows, FixedState>,
}

impl Pairs {
    /// The values of `y` that constraints allow, for some values of `x`, which is the lesser of the two. Each table is taken over
    /// as soon as it is made, so forgetting tables in between loses nothing. `None` if there is no time left.
    pub fn allowed(
        &mut self,
        evaluator: &mut Evaluator,
        pool: &Pool,
        constraints: &[Expr],
        (x, y): (Var, Var),
        values: ByteSet,
    ) -> Option<Rows> {
        let mut allowed = Rows::full();
        for &constraint in constraints {
            let table = self.table(evaluator, pool, constraint, (x, y), values)?;
            allowed.restrict(table, values);
        }
        Some(allowed)
    }

    fn table(
        &mut self,
        evaluator: &mut Evaluator,
        pool: &Pool,
        constraint: Expr,
        (x, y): (Var, Var),
        values: ByteSet,
    ) -> Option<&Rows> {
        if self.tables.len() >= TABLES && !self.tables.contains_key(&constraint) {
            self.tables.clear();
        }
        let table = self.tables.entry(constraint).or_insert_with(Rows::unknown);
        let missing = values.and(table.known.complement());
        if !missing.is_empty() {
            let tape = evaluator.tape(pool, &[constraint])?;
            for value in missing.iter() {
                let row = evaluator.solutions(pool, &tape, y, |var| if var == x { value } else { 0 })?;
                table.rows[usize::from(value)] = row;
                table.known.insert(value);
            }
        }
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Op;

    /// Constraints on two bytes that all pairs satisfy but those of which the sum is one of some numbers.
    fn sums_other_than(pool: &mut Pool, numbers: std::ops::Range<u128>) -> Vec<Expr> {
        let [x, y] = [0, 1].map(|var| {
            let byte = pool.make_byte(Var(var));
            pool.extend(Op::ZExt, byte, 32)
        });
        let scaled = pool.make_constant(32, 256);
        let scaled = pool.binary(Op::Mul, x, scaled);
        let sum = pool.binary(Op::Xor, scaled, y);
        // Added, so that it is not taken apart into what it says of each byte.
        let carried = pool.binary(Op::Add, sum, x);
        let other = |pool: &mut Pool, number| {
            let equal = pool.equals(carried, number);
            pool.not(equal)
        };
        numbers.map(|number| other(pool, number)).collect()
    }

    #[test]
    fn one_query_may_have_more_constraints_than_tables_are_kept() {
        let mut pool = Pool::new();
        let count = TABLES as u128 + 100;
        let constraints = sums_other_than(&mut pool, 0..count);
        let (mut pairs, mut evaluator) = (Pairs::default(), Evaluator::default());
        let mut values = ByteSet::single(0);
        values.insert(1);
        let rows = pairs.allowed(&mut evaluator, &pool, &constraints, (Var(0), Var(1)), values).unwrap();
        // 256 * x + y + x, for x 0 and 1.
        assert!(rows.row(0).is_empty() && rows.row(1).is_empty());
        let few = pairs.allowed(&mut evaluator, &pool, &constraints[..256], (Var(0), Var(1)), values).unwrap();
        assert!(few.row(0).is_empty());
        assert_eq!(few.row(1), ByteSet::FULL);
        assert!(pairs.tables.len() <= TABLES);
    }

    #[test]
    fn a_table_that_was_forgotten_is_made_again() {
        let mut pool = Pool::new();
        let constraints = sums_other_than(&mut pool, 0..TABLES as u128 + 1);
        let (mut pairs, mut evaluator) = (Pairs::default(), Evaluator::default());
        let value = ByteSet::single(0);
        for _ in 0..2 {
            for constraint in &constraints {
                let one = std::slice::from_ref(constraint);
                assert!(pairs.allowed(&mut evaluator, &pool, one, (Var(0), Var(1)), value).is_some());
            }
        }
        let rows = pairs.allowed(&mut evaluator, &pool, &constraints[..2], (Var(0), Var(1)), value).unwrap();
        assert_eq!(rows.row(0).len(), 254);
    }

    #[test]
    fn rows_are_made_when_they_are_asked_for() {
        let mut pool = Pool::new();
        let constraints = sums_other_than(&mut pool, 514..515);
        let (mut pairs, mut evaluator) = (Pairs::default(), Evaluator::default());
        let rows = |pairs: &mut Pairs, evaluator: &mut Evaluator, value: u8| {
            let values = ByteSet::single(value);
            pairs.allowed(evaluator, &pool, &constraints, (Var(0), Var(1)), values).unwrap().row(value)
        };
        assert_eq!(rows(&mut pairs, &mut evaluator, 1), ByteSet::FULL);
        assert_eq!(rows(&mut pairs, &mut evaluator, 2), ByteSet::single(0).complement());
    }
}
