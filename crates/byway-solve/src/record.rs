//! Queries on disk: to ask them again, of other solvers.
//!
//! A recorded query is a script that any solver reads. Comments after its lines say the same in words, for [`read`].

use std::io::{self, BufRead, Write};

use thiserror::Error;

use crate::op::Op;
use crate::pool::{Expr, Pool, Table, Var};
use crate::query::Query;
use crate::smt::{Script, op_named};

/// What a recorded query begins with; the number is the version of the form.
const FIRST_LINE: &str = "; byway query 1";

/// Why a recorded query cannot be read.
#[derive(Debug, Error)]
pub enum RecordError {
    /// It cannot be read at all.
    #[error("a recorded query cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is something else, or was written by another version.
    #[error("this is not a recorded query: it does not begin with \"{FIRST_LINE}\"")]
    Form,
    /// A line is not what [`write`] writes.
    #[error("line {line} of a recorded query is not as byway writes it: {text}")]
    Line {
        /// The number of the line, from 1 on.
        line: usize,
        /// What it says.
        text: String,
    },
}

/// A query that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The constraints.
    pub constraints: Vec<Expr>,
    /// The bytes, and what they were.
    pub seed: Vec<(Var, u8)>,
}

impl Recorded {
    /// The bytes.
    pub fn vars(&self) -> Vec<Var> {
        self.seed.iter().map(|&(var, _)| var).collect()
    }

    /// What a byte was; 0 if it does not occur.
    pub fn seed(&self, var: Var) -> u8 {
        self.seed.iter().find(|&&(known, _)| known == var).map_or(0, |&(_, value)| value)
    }
}

/// Records a query.
pub fn write(pool: &Pool, query: &Query<'_>, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "{FIRST_LINE}")?;
    for &var in query.vars {
        writeln!(out, "; seed b{} {}", var.0, (query.seed)(var))?;
    }
    writeln!(out, "(set-logic QF_BV)")?;
    Script::commented(pool, &mut out).query(query.constraints)?;
    writeln!(out, "(check-sat)")
}

/// Reads a query that [`write`] wrote.
pub fn read(pool: &mut Pool, input: impl BufRead) -> Result<Recorded, RecordError> {
    let mut lines = input.lines();
    if lines.next().transpose()?.as_deref() != Some(FIRST_LINE) {
        return Err(RecordError::Form);
    }
    let mut reader = Reader { pool, known: Vec::new(), constraints: Vec::new(), seed: Vec::new() };
    for (index, text) in lines.enumerate() {
        let text = text?;
        if reader.line(&text).is_none() {
            return Err(RecordError::Line { line: index + 2, text });
        }
    }
    Ok(Recorded { constraints: reader.constraints, seed: reader.seed })
}

struct Reader<'a> {
    pool: &'a mut Pool,
    /// The expressions that were read, by the numbers that they have in the file, in order.
    known: Vec<(usize, Expr)>,
    constraints: Vec<Expr>,
    seed: Vec<(Var, u8)>,
}

impl Reader<'_> {
    fn line(&mut self, text: &str) -> Option<()> {
        let Some((_, comment)) = text.split_once("; ") else { return Some(()) };
        let words: Vec<&str> = comment.split(' ').collect();
        match words[..] {
            ["seed", name, value] => {
                self.seed.push((Var(name.strip_prefix('b')?.parse().ok()?), value.parse().ok()?));
            }
            ["assert", number] => {
                let constraint = self.expr(number).filter(|&expr| self.pool.width(expr) == 1)?;
                self.constraints.push(constraint);
            }
            [number, op, width, ref operands @ ..] => {
                let width = width.parse().ok().filter(|width| (1..=128).contains(width))?;
                let expr = self.make(op_named(op)?, width, operands)?;
                self.known.push((number.parse().ok()?, expr));
            }
            _ => return None,
        }
        Some(())
    }

    fn expr(&self, number: &str) -> Option<Expr> {
        let number: usize = number.parse().ok()?;
        let found = self.known.binary_search_by_key(&number, |&(number, _)| number).ok()?;
        Some(self.known[found].1)
    }

    fn make(&mut self, op: Op, width: u32, words: &[&str]) -> Option<Expr> {
        if op == Op::Const {
            let value = u128::from_str_radix(words.first()?, 16).ok()?;
            return Some(self.pool.make_constant(width, value));
        }
        if op == Op::Byte {
            return Some(self.pool.make_byte(Var(words.first()?.parse().ok()?)));
        }
        let operands = words.get(..op.arity())?.iter().map(|number| self.expr(number));
        let operands: Vec<Expr> = operands.collect::<Option<_>>()?;
        let widths: Vec<u32> = operands.iter().map(|&operand| self.pool.width(operand)).collect();
        let expr = match (op, &operands[..], &words[op.arity()..]) {
            (Op::Not, &[a], []) => self.pool.not(a),
            (Op::ZExt | Op::SExt, &[a], []) if widths[0] <= width => self.pool.extend(op, a, width),
            (Op::Extract, &[a], [low]) => self.extract(a, low.parse().ok()?, width)?,
            (Op::Ite, &[a, b, c], []) if widths[0] == 1 && widths[1] == widths[2] => self.pool.ite(a, b, c),
            (Op::Concat, &[a, b], []) if widths[0] + widths[1] == width => self.pool.binary(op, a, b),
            (Op::Concat, ..) => return None,
            (Op::CtPop | Op::CtLz | Op::CtTz, &[a], []) => self.pool.count(op, a),
            (Op::Load, &[position], [bytes, symbolic @ ..]) => self.load(position, width, bytes, symbolic)?,
            (_, &[a, b], []) if widths[0] == widths[1] => self.pool.binary(op, a, b),
            _ => return None,
        };
        (self.pool.width(expr) == width).then_some(expr)
    }

    fn extract(&mut self, a: Expr, low: u32, width: u32) -> Option<Expr> {
        let fits = low.checked_add(width)? <= self.pool.width(a);
        fits.then(|| self.pool.extract(a, low, width))
    }

    fn load(&mut self, position: Expr, width: u32, bytes: &str, symbolic: &[&str]) -> Option<Expr> {
        let symbolic = symbolic.iter().map(|entry| {
            let (position, number) = entry.split_once(':')?;
            let expr = self.expr(number).filter(|&expr| self.pool.width(expr) == 8)?;
            Some((position.parse().ok()?, expr))
        });
        let symbolic: Vec<(u32, Expr)> = symbolic.collect::<Option<_>>()?;
        let digits = bytes.strip_prefix('x')?.as_bytes().chunks(2);
        let bytes = digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
        let in_order = symbolic.is_sorted_by(|(a, _), (b, _)| a < b);
        let within = symbolic.last().is_none_or(|&(last, _)| (last as usize) < bytes.len());
        if !in_order || !within || self.pool.width(position) != 64 || !width.is_multiple_of(8) {
            return None;
        }
        let table = self.pool.make_table(Table { bytes, symbolic });
        Some(self.pool.load(table, position, width))
    }
}
