//! Expressions as bits: each is turned into gates once, for all queries.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::op::Op;
use crate::pool::{Expr, Pool, Var};
use crate::sat::arithmetic::{Bits, constant};
use crate::sat::cadical::Lit;
use crate::sat::gates::Gates;
use crate::sat::table::Rows;

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
}

impl Blaster {
    pub fn new() -> Self {
        let (starts, bits, sizes, divisions, vars) = Default::default();
        Blaster { gates: Gates::new(), starts, bits, sizes, divisions, vars }
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
        let table = pool.table(pool.table_of(expr));
        let position = self.of(pool, pool.operands(expr)[0]);
        let bits = &self.bits;
        let symbolic: Vec<(u32, &[Lit])> =
            table.symbolic.iter().map(|&(at, expr)| (at, &bits[self.starts[&expr] as usize..][..8])).collect();
        let rows = Rows { bytes: &table.bytes, symbolic: &symbolic };
        self.gates.read(&rows, &position, pool.width(expr) as usize / 8)
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
