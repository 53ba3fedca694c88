//! Expressions as a script.

use std::io::{self, Write};

use byway_trace::evaluate::mask;
use foldhash::fast::FixedState;
use hashbrown::HashSet;

use crate::clock::{Deadline, DeadlineWatch};
use crate::evaluate::cone;
use crate::op::Op;
use crate::pool::{Expr, Pool, Var};
use crate::smt::table::Function;

/// Writes that expressions of 1 bit are all true, as a whole script.
pub fn write(pool: &Pool, constraints: &[Expr], mut out: impl Write) -> io::Result<()> {
    writeln!(out, "(set-logic QF_BV)")?;
    Script::new(pool, &mut out).query(constraints)?;
    writeln!(out, "(check-sat)")
}

/// A script on its way.
pub(crate) struct Script<'a, W> {
    pool: &'a Pool,
    out: W,
    /// Whether a comment after each line says the same in a form that is easy to read back.
    commented: bool,
    /// The functions that are there.
    functions: HashSet<Function, FixedState>,
    watch: DeadlineWatch,
}

/// What a line of a script costs, for a watch.
const LINE: usize = 20;

impl<'a, W: Write> Script<'a, W> {
    pub fn new(pool: &'a Pool, out: W) -> Self {
        Script { pool, out, commented: false, functions: HashSet::default(), watch: DeadlineWatch::default() }
    }

    /// A script that has to be written by then.
    pub fn until(pool: &'a Pool, out: W, deadline: Deadline) -> Self {
        Script { watch: DeadlineWatch::new(deadline), ..Script::new(pool, out) }
    }

    pub fn commented(pool: &'a Pool, out: W) -> Self {
        Script { commented: true, ..Script::new(pool, out) }
    }

    /// Declares the bytes, defines the expressions, asserts the constraints. Which bytes they are.
    /// [`io::ErrorKind::TimedOut`] if there is no time left.
    pub fn query(&mut self, constraints: &[Expr]) -> io::Result<Vec<Var>> {
        let needed = cone(self.pool, constraints, |_| false, &mut self.watch).ok_or(io::ErrorKind::TimedOut)?;
        for &expr in &needed {
            if self.watch.is_late_after(LINE) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.define(expr)?;
            self.comment(expr)?;
        }
        for &constraint in constraints {
            write!(self.out, "(assert (= {} #b1))", term(self.pool, constraint))?;
            self.end(|| format!("assert {}", constraint.index()))?;
        }
        Ok(needed.iter().filter_map(|&expr| self.pool.var(expr)).collect())
    }

    fn define(&mut self, expr: Expr) -> io::Result<()> {
        let width = self.pool.width(expr);
        match self.pool.op(expr) {
            Op::Const => Ok(()),
            Op::Byte => write!(self.out, "(declare-fun {} () (_ BitVec 8))", term(self.pool, expr)),
            Op::Load => self.define_load(expr),
            _ => {
                let definition = self.definition(expr);
                write!(self.out, "(define-fun {} () (_ BitVec {width}) {definition})", term(self.pool, expr))
            }
        }
    }

    // Position and value are constants of their own: z3 4.8 takes minutes to simplify three trees within each other, and no
    // time at all if they are apart.
    fn define_load(&mut self, expr: Expr) -> io::Result<()> {
        let (pool, width) = (self.pool, self.pool.width(expr));
        let (name, position) = (term(pool, expr), term(pool, pool.operands(expr)[0]));
        let Some(function) = Function::of(pool, expr) else {
            return write!(self.out, "(define-fun {name} () (_ BitVec {width}) {})", literal(0, width));
        };
        if self.functions.insert(function) {
            self.watch.is_late_after(LINE * function.last());
            function.define(pool, &mut self.out)?;
        }
        let (bits, index) = (function.bits(), format!("i{}", expr.index()));
        write!(self.out, "(declare-fun {index} () (_ BitVec {bits}))")?;
        write!(self.out, "(assert (= {index} ((_ extract {} 0) {position})))", bits - 1)?;
        write!(self.out, "(declare-fun {name} () (_ BitVec {width}))")?;
        let within = format!("(bvule {position} {})", literal(function.last() as u128, 64));
        let (value, zero) = (format!("({} {index})", function.name()), literal(0, width));
        write!(self.out, "(assert (= {name} (ite {within} {value} {zero})))")
    }

    fn definition(&self, expr: Expr) -> String {
        let pool = self.pool;
        let (op, width, operands) = (pool.op(expr), pool.width(expr), pool.operands(expr));
        let from = pool.width(operands[0]);
        let [a, b, c] = operands.map(|operand| term(pool, operand));
        match op {
            Op::Not => format!("(bvnot {a})"),
            Op::Eq | Op::Ult | Op::Slt => format!("(ite ({} {a} {b}) #b1 #b0)", function(op)),
            Op::ZExt => format!("((_ zero_extend {}) {a})", width - from),
            Op::SExt => format!("((_ sign_extend {}) {a})", width - from),
            Op::Extract => format!("((_ extract {} {}) {a})", pool.low_bit(expr) + width - 1, pool.low_bit(expr)),
            Op::Ite => format!("(ite (= {a} #b1) {b} {c})"),
            Op::CtPop => count_ones(&a, width),
            Op::CtLz => count_zeros(&a, width, (0..width).rev()),
            Op::CtTz => count_zeros(&a, width, 0..width),
            _ => format!("({} {a} {b})", function(op)),
        }
    }

    /// What an expression is, in words: its number, operator, width, operands.
    fn comment(&mut self, expr: Expr) -> io::Result<()> {
        let pool = self.pool;
        let (op, index) = (pool.op(expr), expr.index());
        if op == Op::Const && !self.commented {
            return Ok(());
        }
        let operands: String = pool.operands(expr)[..op.arity()].iter().map(|at| format!(" {}", at.index())).collect();
        let more = match op {
            Op::Const => format!(" {:x}", pool.constant(expr).unwrap_or_default()),
            Op::Byte => pool.var(expr).map_or(String::new(), |var| format!(" {}", var.0)),
            Op::Extract => format!(" {}", pool.low_bit(expr)),
            Op::Load if self.commented => self.table_in_words(expr),
            _ => String::new(),
        };
        self.end(|| format!("{index} {} {}{operands}{more}", name_of(op), pool.width(expr)))
    }

    /// The bytes of a table, then position and expression of each that is symbolic.
    fn table_in_words(&self, expr: Expr) -> String {
        let table = self.pool.table(self.pool.table_of(expr));
        let bytes: String = table.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let symbolic = table.symbolic.iter().map(|(position, expr)| format!(" {position}:{}", expr.index()));
        format!(" x{bytes}{}", symbolic.collect::<String>())
    }

    fn end(&mut self, comment: impl FnOnce() -> String) -> io::Result<()> {
        if self.commented { writeln!(self.out, " ; {}", comment()) } else { writeln!(self.out) }
    }
}

/// What stands for an expression in others.
pub(crate) fn term(pool: &Pool, expr: Expr) -> String {
    match (pool.constant(expr), pool.var(expr)) {
        (Some(value), _) => literal(value, pool.width(expr)),
        (_, Some(var)) => format!("b{}", var.0),
        _ => format!("e{}", expr.index()),
    }
}

/// A constant.
pub(crate) fn literal(value: u128, width: u32) -> String {
    let value = value & mask(width);
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

/// The operators, by the name of their function in SMT-LIB, or a name of ours where there is none.
const NAMES: [(Op, &str); 28] = [
    (Op::Const, "const"),
    (Op::Byte, "byte"),
    (Op::Not, "bvnot"),
    (Op::Add, "bvadd"),
    (Op::Sub, "bvsub"),
    (Op::Mul, "bvmul"),
    (Op::UDiv, "bvudiv"),
    (Op::SDiv, "bvsdiv"),
    (Op::URem, "bvurem"),
    (Op::SRem, "bvsrem"),
    (Op::Shl, "bvshl"),
    (Op::LShr, "bvlshr"),
    (Op::AShr, "bvashr"),
    (Op::And, "bvand"),
    (Op::Or, "bvor"),
    (Op::Xor, "bvxor"),
    (Op::Eq, "="),
    (Op::Ult, "bvult"),
    (Op::Slt, "bvslt"),
    (Op::ZExt, "zero_extend"),
    (Op::SExt, "sign_extend"),
    (Op::Extract, "extract"),
    (Op::Concat, "concat"),
    (Op::Ite, "ite"),
    (Op::Load, "load"),
    (Op::CtPop, "ctpop"),
    (Op::CtLz, "ctlz"),
    (Op::CtTz, "cttz"),
];

fn function(op: Op) -> &'static str {
    name_of(op)
}

/// The name of an operator in a script.
pub(crate) fn name_of(op: Op) -> &'static str {
    NAMES[op as usize].1
}

/// The operator with a name.
pub(crate) fn op_named(name: &str) -> Option<Op> {
    NAMES.iter().find(|&&(_, known)| known == name).map(|&(op, _)| op)
}

/// The sum of all bits.
fn count_ones(term: &str, width: u32) -> String {
    let bit = |index: u32| match width {
        1 => term.to_owned(),
        _ => format!("((_ zero_extend {}) ((_ extract {index} {index}) {term}))", width - 1),
    };
    (1..width).fold(bit(0), |sum, index| format!("(bvadd {sum} {})", bit(index)))
}

/// How many bits are 0 before the first that is not.
fn count_zeros(term: &str, width: u32, order: impl DoubleEndedIterator<Item = u32>) -> String {
    let order: Vec<u32> = order.collect();
    (0..width).zip(order).rev().fold(literal(width.into(), width), |others, (zeros, bit)| {
        format!("(ite (= ((_ extract {bit} {bit}) {term}) #b1) {} {others})", literal(zeros.into(), width))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_operators() {
        for (index, &(op, name)) in NAMES.iter().enumerate() {
            assert_eq!((op as usize, op_named(name)), (index, Some(op)));
        }
    }
}
