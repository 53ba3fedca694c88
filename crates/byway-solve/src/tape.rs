//! Expressions in the order in which they can be evaluated: for one input, or for all 256 values of one byte at once.

mod lanes;

use byway_trace::evaluate::mask;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::byte_set::ByteSet;
use crate::clock::DeadlineWatch;
use crate::op::Op;
use crate::pool::{Expr, Pool, TableId, Var};
use lanes::Lanes;

/// One step. Operands are numbers of earlier steps.
#[derive(Debug, Clone, Copy)]
struct Step {
    op: Op,
    width: u8,
    /// The width of the first operand.
    from: u8,
    /// See [`Op::apply`].
    low: u8,
    /// Operands. Of a byte, its variable; of a constant, where it is.
    a: u32,
    b: u32,
    c: u32,
}

/// Some expressions, ready to be evaluated.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    steps: Vec<Step>,
    constants: Vec<u128>,
    /// The tables that are read, and the steps of their bytes that are expressions.
    tables: Vec<(TableId, Vec<(u32, u32)>)>,
    /// Where each table is.
    places: HashMap<TableId, u32, FixedState>,
    roots: Vec<u32>,
    has_wide: bool,
}

/// Makes tapes and evaluates them; keeps what memory that takes. Everything ends when its watch is late, without a result.
#[derive(Debug, Default)]
pub(crate) struct Evaluator {
    pub watch: DeadlineWatch,
    /// For each expression 1 + its step, in the tape with the stamp.
    known: Vec<(u32, u32)>,
    stamp: u32,
    pending: Vec<Expr>,
    values: Vec<u128>,
    lanes: Lanes,
}

impl Tape {
    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
}

impl Evaluator {
    /// A tape for expressions.
    pub fn tape(&mut self, pool: &Pool, roots: &[Expr]) -> Option<Tape> {
        self.stamp = self.stamp.wrapping_add(1);
        if self.known.len() < pool.len() {
            self.known.resize(pool.len().next_power_of_two(), (0, 0));
        }
        let mut tape = Tape::default();
        for &root in roots {
            self.add(pool, root, &mut tape)?;
            tape.roots.push(self.step(root)?);
        }
        Some(tape)
    }

    fn step(&self, expr: Expr) -> Option<u32> {
        let (stamp, step) = self.known[expr.index()];
        (stamp == self.stamp && step != 0).then(|| step - 1)
    }

    fn add(&mut self, pool: &Pool, root: Expr, tape: &mut Tape) -> Option<()> {
        self.pending.clear();
        self.pending.push(root);
        while let Some(&expr) = self.pending.last() {
            if self.step(expr).is_none() {
                let before = self.pending.len();
                if self.watch.is_late_after(1 + pool.operand_count(expr)) {
                    return None;
                }
                let mut pending = std::mem::take(&mut self.pending);
                pool.each_operand(expr, |operand| {
                    if self.step(operand).is_none() {
                        pending.push(operand);
                    }
                });
                self.pending = pending;
                if self.pending.len() > before {
                    continue;
                }
                let step = self.compile(pool, expr, tape);
                tape.steps.push(step);
                self.known[expr.index()] = (self.stamp, tape.steps.len() as u32);
            }
            self.pending.pop();
        }
        Some(())
    }

    fn compile(&self, pool: &Pool, expr: Expr, tape: &mut Tape) -> Step {
        let (op, width) = (pool.op(expr), pool.width(expr));
        tape.has_wide |= width > 64;
        let operands = pool.operands(expr);
        let [a, b, c] = operands.map(|operand| if op.arity() == 0 { 0 } else { self.step(operand).unwrap_or(0) });
        let low = match op {
            Op::Extract => pool.low_bit(expr),
            Op::Concat => pool.width(operands[1]),
            _ => 0,
        };
        let mut step = Step { op, width: width as u8, from: pool.width(operands[0]) as u8, low: low as u8, a, b, c };
        match op {
            Op::Byte => step.a = pool.var(expr).map_or(0, |var| var.0),
            Op::Const => {
                step.a = tape.constants.len() as u32;
                tape.constants.push(pool.constant(expr).unwrap_or(0));
            }
            Op::Load => {
                let table = pool.table_of(expr);
                let next = tape.tables.len() as u32;
                step.b = *tape.places.entry(table).or_insert(next);
                if step.b == next {
                    let symbolic = &pool.table(table).symbolic;
                    let symbolic = symbolic.iter().map(|&(at, expr)| (at, self.step(expr).unwrap_or(0))).collect();
                    tape.tables.push((table, symbolic));
                }
            }
            _ => {}
        }
        step
    }

    /// Whether all roots are true for an input.
    pub fn holds(&mut self, pool: &Pool, tape: &Tape, input: impl Fn(Var) -> u8) -> Option<bool> {
        self.run(pool, tape, input)?;
        Some(tape.roots.iter().all(|&root| self.values[root as usize] == 1))
    }

    /// What an expression over one byte is worth, if that is the same for all values of a set.
    pub fn same_value(&mut self, pool: &Pool, expr: Expr, values: ByteSet) -> Option<Option<u128>> {
        let tape = self.tape(pool, &[expr])?;
        let mut same = None;
        for byte in values.iter() {
            self.run(pool, &tape, |_| byte)?;
            let value = self.values[tape.roots[0] as usize];
            if same.is_some_and(|same| same != value) {
                return Some(None);
            }
            same = Some(value);
        }
        Some(same)
    }

    fn run(&mut self, pool: &Pool, tape: &Tape, input: impl Fn(Var) -> u8) -> Option<()> {
        self.values.clear();
        for step in &tape.steps {
            if self.watch.is_late_after(1) {
                return None;
            }
            let value = match step.op {
                Op::Byte => input(Var(step.a)).into(),
                Op::Const => tape.constants[step.a as usize],
                Op::Load => self.read(pool, tape, step),
                _ => {
                    let operands = [step.a, step.b, step.c].map(|step| self.values[step as usize]);
                    step.op.apply(step.width.into(), step.from.into(), step.low.into(), operands)
                }
            };
            self.values.push(value);
        }
        Some(())
    }

    fn read(&self, pool: &Pool, tape: &Tape, step: &Step) -> u128 {
        let (table, symbolic) = &tape.tables[step.b as usize];
        let position = self.values[step.a as usize] as u64;
        read(&pool.table(*table).bytes, symbolic, position, step.width, |step| self.values[step as usize] as u8)
    }

    /// The values of a byte for which all roots are true, if the other bytes are what `input` says.
    pub fn solutions(&mut self, pool: &Pool, tape: &Tape, var: Var, input: impl Fn(Var) -> u8) -> Option<ByteSet> {
        if !tape.has_wide && tape.len() <= LONG {
            return self.lanes.run(pool, tape, var, input, &mut self.watch);
        }
        let mut set = ByteSet::EMPTY;
        for byte in 0..=255 {
            if self.holds(pool, tape, |other| if other == var { byte } else { input(other) })? {
                set.insert(byte);
            }
        }
        Some(set)
    }
}

/// A longer tape is evaluated value by value: each step of 256 lanes takes 2 KB.
const LONG: usize = 1 << 15;

/// What is in a table, little-endian; 0 if it is not within.
fn read(bytes: &[u8], symbolic: &[(u32, u32)], position: u64, width: u8, byte: impl Fn(u32) -> u8) -> u128 {
    let count = usize::from(width / 8);
    let Some(last) = bytes.len().checked_sub(count).filter(|&last| position <= last as u64) else { return 0 };
    debug_assert!(position as usize <= last);
    let at = |index: usize| match symbolic.binary_search_by_key(&(index as u32), |&(at, _)| at) {
        Ok(found) => byte(symbolic[found].1),
        Err(_) => bytes[index],
    };
    let position = position as usize;
    let value = (position..position + count).rev().fold(0, |value, index| value << 8 | u128::from(at(index)));
    value & mask(width.into())
}
