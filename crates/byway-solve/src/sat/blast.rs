//! Expressions as bits: each is turned into gates once, for all queries.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::op::Op;
use crate::pool::{Expr, Pool, TableId, Var};
use crate::sat::arithmetic::{Bits, constant};
use crate::sat::cadical::Lit;
use crate::sat::gates::Gates;
use crate::sat::table::{Bytes, Decoders, Read};

/// Why a query was not turned into gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfinished {
    /// It adds more variables than it may.
    TooLarge,
    /// There was no time left.
    Late,
}

type Map<K, V> = HashMap<K, V, FixedState>;

/// Expressions that are gates in a solver.
pub struct Blaster {
    pub gates: Gates,
    /// Where the bits of an expression begin.
    starts: Map<Expr, u32>,
    bits: Vec<Lit>,
    /// How many variables the gates of an expression took.
    sizes: Map<Expr, u32>,
    /// Quotients and remainders, since programs often ask for both.
    divisions: Map<(bool, Expr, Expr), (Bits, Bits)>,
    vars: Map<Var, [Lit; 8]>,
    /// The tables that were read, as literals.
    tables: Map<TableId, Bytes>,
    /// Reads of which the value is not bound to the table yet.
    loose: Map<Expr, Read>,
    decoders: Decoders,
    /// These reads by their position, and reads that are made of them by what they are made of.
    loose_at: Map<Expr, Vec<Expr>>,
    bases: Map<Expr, Expr>,
}

/// How many reads at the same position a read is compared with.
const LIKE: usize = 8;

impl Blaster {
    pub fn new() -> Self {
        let (starts, bits, sizes, divisions, vars) = Default::default();
        let (tables, loose, decoders, loose_at, bases) = Default::default();
        let gates = Gates::new();
        Blaster { gates, starts, bits, sizes, divisions, vars, tables, loose, decoders, loose_at, bases }
    }

    pub fn knows(&self, expr: Expr) -> bool {
        self.starts.contains_key(&expr)
    }

    /// Whether these expressions are enough of what there is.
    pub fn suits(&self, needed: &[Expr], spare: usize) -> bool {
        let variables = |expr: &Expr| self.sizes.get(expr).copied().unwrap_or(0) as usize;
        self.gates.solver.variables() <= spare + needed.iter().map(variables).sum::<usize>()
    }

    /// Makes the gates of expressions, given operands first. Those of the expression that it was late at are made again.
    pub fn add(&mut self, pool: &Pool, exprs: &[Expr], variables: usize) -> Result<(), Unfinished> {
        let limit = self.gates.solver.variables().saturating_add(variables);
        for &expr in exprs {
            if self.knows(expr) {
                continue;
            }
            let before = self.gates.solver.variables();
            let bits = self.blast(pool, expr);
            if self.gates.watch.is_late_after(pool.width(expr) as usize) {
                return Err(Unfinished::Late);
            }
            self.sizes.insert(expr, (self.gates.solver.variables() - before) as u32);
            debug_assert_eq!(bits.len() as u32, pool.width(expr));
            self.starts.insert(expr, self.bits.len() as u32);
            self.bits.extend(bits);
            if self.gates.solver.variables() > limit {
                return Err(Unfinished::TooLarge);
            }
        }
        Ok(())
    }

    /// The literal of an expression of 1 bit that was added.
    pub fn literal(&self, expr: Expr) -> Lit {
        self.bits[self.starts[&expr] as usize]
    }

    /// The bits of a byte of the input, if it occurs.
    pub fn var(&self, var: Var) -> Option<[Lit; 8]> {
        self.vars.get(&var).copied()
    }

    fn of(&self, pool: &Pool, expr: Expr) -> Bits {
        let start = self.starts[&expr] as usize;
        self.bits[start..start + pool.width(expr) as usize].to_vec()
    }

    fn blast(&mut self, pool: &Pool, expr: Expr) -> Bits {
        let width = pool.width(expr) as usize;
        match pool.op(expr) {
            Op::Const => constant(pool.constant(expr).unwrap_or_default(), width),
            Op::Byte => self.byte(pool.var(expr).unwrap_or(Var(0))),
            Op::Load => self.load(pool, expr),
            op => {
                let [a, b, c] = pool.operands(expr);
                let bits = [a, b, c].map(|operand| self.of(pool, operand));
                match op {
                    Op::UDiv | Op::URem | Op::SDiv | Op::SRem => self.division(op, (a, b), bits),
                    Op::Extract => bits[0][pool.low_bit(expr) as usize..][..width].to_vec(),
                    _ => operation(&mut self.gates, op, width, bits),
                }
            }
        }
    }

    fn byte(&mut self, var: Var) -> Bits {
        let bits = std::array::from_fn(|_| self.gates.solver.variable());
        self.vars.insert(var, bits);
        bits.to_vec()
    }

    fn load(&mut self, pool: &Pool, expr: Expr) -> Bits {
        let (address, width) = (pool.operands(expr)[0], pool.width(expr) as usize);
        let position = self.of(pool, address);
        let bytes = self.table(pool, pool.table_of(expr));
        let (range, count) = (pool.range(address), width / 8);
        if let Some(value) = self.load_like((expr, address), &bytes, (&position, range), count) {
            return value;
        }
        let Some(read) = Read::new(&mut self.gates, bytes, &position, range, count) else {
            return constant(0, width);
        };
        let value = read.value(&mut self.gates);
        if read.is_loose() {
            self.loose_at.entry(address).or_default().push(expr);
            self.loose.insert(expr, read);
        }
        value
    }

    /// The value of a read, made of that of another one at the same position from nearly the same table.
    fn load_like(
        &mut self,
        (expr, address): (Expr, Expr),
        bytes: &Bytes,
        (position, range): (&[Lit], (u128, u128)),
        count: usize,
    ) -> Option<Bits> {
        let mut others = self.loose_at.get(&address)?.iter().rev().take(LIKE);
        let (other, rows) = others
            .find_map(|other| Some((*other, self.loose.get(other)?.differing(bytes, position, range, count)?)))?;
        self.gates.watch.is_late_after(bytes.len());
        self.bases.insert(expr, other);
        let read = self.loose.get(&other)?;
        Some(read.value_with(&mut self.gates, &mut self.decoders, bytes, &rows))
    }

    /// A table as literals.
    fn table(&mut self, pool: &Pool, id: TableId) -> Bytes {
        if let Some(known) = self.tables.get(&id) {
            return known.clone();
        }
        let table = pool.table(id);
        let byte = |byte: u8| std::array::from_fn(|bit| Lit::constant(byte >> bit & 1 == 1));
        let mut bytes: Vec<[Lit; 8]> = table.bytes.iter().map(|&value| byte(value)).collect();
        for &(at, expr) in &table.symbolic {
            bytes[at as usize].copy_from_slice(&self.bits[self.starts[&expr] as usize..][..8]);
        }
        self.gates.watch.is_late_after(bytes.len() + table.symbolic.len() * 8);
        let bytes: Bytes = bytes.into();
        self.tables.insert(id, bytes.clone());
        bytes
    }

    /// The reads that these expressions are made of and of which the value is not bound to the table yet.
    pub fn loose(&self, exprs: &[Expr]) -> Vec<Expr> {
        let reads = exprs.iter().map(|expr| self.bases.get(expr).copied().unwrap_or(*expr));
        let mut reads: Vec<Expr> = reads.filter(|read| self.loose.contains_key(read)).collect();
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// Compares reads with what they should have read, in the values that the solver has found; adds what they did not know.
    /// Whether one was wrong, so that there are no values yet.
    pub fn correct(&mut self, reads: &[Expr]) -> bool {
        let solver = &self.gates.solver;
        let value = |lit: Lit| solver.value(lit).unwrap_or(false);
        let wrong = |&expr: &Expr| Some((expr, self.loose.get(&expr)?.wrong_row(value)?));
        // The values are gone with the first clause that is added.
        let wrong: Vec<(Expr, usize)> = reads.iter().filter_map(wrong).collect();
        for &(expr, row) in &wrong {
            let before = self.gates.solver.variables();
            if let Some(read) = self.loose.get_mut(&expr) {
                read.add_entry(&mut self.gates, &mut self.decoders, row);
                *self.sizes.entry(expr).or_default() += (self.gates.solver.variables() - before) as u32;
            }
        }
        !wrong.is_empty()
    }

    fn division(&mut self, op: Op, (a, b): (Expr, Expr), [a_bits, b_bits, _]: [Bits; 3]) -> Bits {
        let signed = matches!(op, Op::SDiv | Op::SRem);
        let known = self.divisions.get(&(signed, a, b)).cloned();
        let (quotient, remainder) = known.unwrap_or_else(|| match signed {
            true => self.gates.divide_signed(&a_bits, &b_bits),
            false => self.gates.divide(&a_bits, &b_bits),
        });
        if !self.gates.watch.is_late() {
            self.divisions.insert((signed, a, b), (quotient.clone(), remainder.clone()));
        }
        if matches!(op, Op::UDiv | Op::SDiv) { quotient } else { remainder }
    }
}

/// The operators that depend on the bits of their operands alone.
fn operation(gates: &mut Gates, op: Op, width: usize, [a, b, c]: [Bits; 3]) -> Bits {
    let extended = |fill: Lit| a.iter().copied().chain(std::iter::repeat(fill)).take(width).collect();
    match op {
        Op::Not => a.iter().map(|&bit| !bit).collect(),
        Op::Add => gates.add(&a, &b, Lit::FALSE),
        Op::Sub => gates.subtract(&a, &b),
        Op::Mul => gates.multiply(&a, &b),
        Op::Shl => gates.shift_left(&a, &b),
        Op::LShr => gates.shift_right(&a, &b, Lit::FALSE),
        Op::AShr => gates.shift_right(&a, &b, a[width - 1]),
        Op::And => a.iter().zip(&b).map(|(&a, &b)| gates.and(a, b)).collect(),
        Op::Or => a.iter().zip(&b).map(|(&a, &b)| gates.or(a, b)).collect(),
        Op::Xor => a.iter().zip(&b).map(|(&a, &b)| gates.xor(a, b)).collect(),
        Op::Eq => vec![gates.equal(&a, &b)],
        Op::Ult => vec![gates.less(&a, &b)],
        Op::Slt => vec![gates.less_signed(&a, &b)],
        Op::ZExt => extended(Lit::FALSE),
        Op::SExt => extended(a[a.len() - 1]),
        Op::Concat => b.iter().chain(&a).copied().collect(),
        Op::Ite => gates.choose(a[0], &b, &c),
        Op::CtPop => gates.count_ones(&a),
        Op::CtLz => gates.count_zeros(a.iter().rev().copied()),
        Op::CtTz => gates.count_zeros(a.iter().copied()),
        Op::Const | Op::Byte | Op::Load | Op::Extract | Op::UDiv | Op::URem | Op::SDiv | Op::SRem => {
            unreachable!("{op:?} needs more than bits")
        }
    }
}
