//! Making a query smaller by what it says itself.
//!
//! Constraints on single bytes make sets of values. With these sets, and with what is asserted as a whole, other constraints
//! become simpler: conditions that are decided choose their branch, bytes with one value are constants. What gets down to
//! one byte makes sets smaller again. In the end there are often no constraints left, or several that have nothing to do
//! with each other.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::byte_set::ByteSet;
use crate::clock::{Deadline, DeadlineWatch};
use crate::condition::conjuncts;
use crate::domain::Domains;
use crate::op::Op;
use crate::pool::{Expr, Pool, Var};
use crate::support::Support;

/// How often simpler constraints may make others simpler.
const ROUNDS: usize = 4;

/// What a query was reduced to.
#[derive(Debug)]
pub(crate) enum QueryReduction {
    /// This is left of it.
    Left(Reduced),
    /// It has no answer.
    Unsat,
    /// There was no time left.
    Late,
}

/// What is left of a query.
#[derive(Debug, Default)]
pub(crate) struct Reduced {
    /// Constraints on several bytes.
    pub rest: Vec<Expr>,
    /// The constraints on single bytes, as they were.
    pub single: Vec<Expr>,
}

/// The simpler form of expressions, for one query.
#[derive(Debug, Default)]
struct Simpler {
    known: HashMap<Expr, Expr, FixedState>,
    pending: Vec<Expr>,
}

/// Reduces a query, within the budget of `domains`.
pub(crate) fn reduce(pool: &mut Pool, domains: &mut Domains, constraints: &[Expr]) -> QueryReduction {
    match reduce_in_time(pool, domains, constraints) {
        Some(Some(reduced)) => QueryReduction::Left(reduced),
        Some(None) => QueryReduction::Unsat,
        None => QueryReduction::Late,
    }
}

/// What is left, or nothing if there is no answer; `None` if there is no time left.
fn reduce_in_time(pool: &mut Pool, domains: &mut Domains, constraints: &[Expr]) -> Option<Option<Reduced>> {
    let mut reduced = Reduced::default();
    let mut pending: Vec<Expr> = constraints.to_vec();
    for _ in 0..ROUNDS {
        let single = reduced.single.len();
        let Some(rest) = take_single(pool, domains, &mut pending, &mut reduced.single)? else { return Some(None) };
        if reduced.single.len() == single || rest.is_empty() {
            reduced.rest = rest;
            return Some(Some(reduced));
        }
        let mut simpler = Simpler::default();
        let (mut equal, other): (Vec<Expr>, Vec<Expr>) = rest.into_iter().partition(|&expr| is_equality(pool, expr));
        // Operands are made before what is made of them, and come first here.
        equal.sort_unstable_by_key(|&constraint| pool.operands(constraint)[0]);
        // The question itself comes first in a query; all others say something about it.
        for constraint in equal.into_iter().chain(other.into_iter().rev()) {
            let simple = simpler.of(pool, domains, constraint)?;
            conjuncts(pool, simple, &mut pending);
            simpler.assert(pool, constraint);
        }
    }
    let Some(rest) = take_single(pool, domains, &mut pending, &mut reduced.single)? else { return Some(None) };
    reduced.rest = rest;
    Some(Some(reduced))
}

/// Moves constraints on single bytes, which make sets smaller, to a list of their own. The others, or nothing if a byte has no
/// value left; `None` if there is no time left.
fn take_single(
    pool: &Pool,
    domains: &mut Domains,
    pending: &mut Vec<Expr>,
    single: &mut Vec<Expr>,
) -> Option<Option<Vec<Expr>>> {
    let mut rest = Vec::new();
    for constraint in pending.drain(..) {
        match pool.support(constraint) {
            Support::None if pool.constant(constraint) == Some(1) => {}
            Support::None => return Some(None),
            Support::One(var) => {
                single.push(constraint);
                if !domains.narrow(pool, constraint, var)? {
                    return Some(None);
                }
            }
            _ => rest.push(constraint),
        }
    }
    Some(Some(rest))
}

/// Whether a constraint says what the value of an expression is.
fn is_equality(pool: &Pool, constraint: Expr) -> bool {
    pool.op(constraint) == Op::Eq && pool.constant(pool.operands(constraint)[1]).is_some()
}

impl Simpler {
    /// From here on an expression is true. What is equal to a constant is that constant.
    fn assert(&mut self, pool: &mut Pool, constraint: Expr) {
        if is_equality(pool, constraint) {
            let [left, right, _] = pool.operands(constraint);
            self.known.insert(left, right);
        }
        let (expr, value) = match pool.op(constraint) {
            Op::Not => (pool.operands(constraint)[0], false),
            _ => (constraint, true),
        };
        let value = pool.truth(value);
        self.known.insert(expr, value);
    }

    /// What an expression is, given the sets of bytes. `None` if there is no time left.
    fn of(&mut self, pool: &mut Pool, domains: &mut Domains, expr: Expr) -> Option<Expr> {
        self.pending.push(expr);
        while let Some(&expr) = self.pending.last() {
            if domains.evaluator.watch.is_late_after(STEP) {
                return None;
            }
            if self.known.contains_key(&expr) {
                self.pending.pop();
                continue;
            }
            if let Some(value) = decided(pool, domains, expr)? {
                self.known.insert(expr, value);
                continue;
            }
            if let Some(operand) = self.next_operand(pool, expr) {
                self.pending.push(operand);
                continue;
            }
            let simple = self.rebuild(pool, expr);
            self.known.insert(expr, simple);
        }
        Some(self.known[&expr])
    }

    /// An operand that is still to be made simpler. Of a choice only those that can be chosen, once the condition is known.
    fn next_operand(&self, pool: &Pool, expr: Expr) -> Option<Expr> {
        let operands = pool.operands(expr);
        let arity = pool.op(expr).arity();
        let unknown = |operand: &Expr| !self.known.contains_key(operand);
        if arity < 3 || unknown(&operands[0]) {
            return operands[..arity].iter().copied().find(unknown);
        }
        let chosen = match pool.constant(self.known[&operands[0]]) {
            Some(0) => &operands[2..],
            Some(_) => &operands[1..2],
            None => &operands[1..],
        };
        chosen.iter().copied().find(unknown)
    }

    fn rebuild(&self, pool: &mut Pool, expr: Expr) -> Expr {
        let operands = pool.operands(expr);
        let new = |at: usize| self.known.get(&operands[at]).copied().unwrap_or(operands[at]);
        pool.with_operands(expr, [new(0), new(1), new(2)])
    }
}

/// What an expression is if the sets decide it, or if they say nothing of its bytes. `None` if there is no time left.
fn decided(pool: &mut Pool, domains: &mut Domains, expr: Expr) -> Option<Option<Expr>> {
    match pool.support(expr) {
        Support::None => Some(Some(expr)),
        Support::One(var) => decided_by(pool, domains, expr, var),
        Support::Wide => Some(None),
        support => {
            let is_free = |var: &Var| domains.domain(*var) == ByteSet::FULL;
            Some(pool.vars(support).iter().all(is_free).then_some(expr))
        }
    }
}

fn decided_by(pool: &mut Pool, domains: &mut Domains, expr: Expr, var: Var) -> Option<Option<Expr>> {
    let domain = domains.domain(var);
    if domain == ByteSet::FULL {
        return Some(Some(expr));
    }
    // A lexer knows the class of a byte, and what follows from that in tables, without knowing the byte.
    if domain.len() == 1 || matches!(pool.op(expr), Op::Load | Op::Ite) {
        let same = domains.evaluator.same_value(pool, expr, domain)?;
        if let Some(value) = same {
            return Some(Some(pool.make_constant(pool.width(expr), value)));
        }
    }
    if pool.width(expr) > 1 {
        return Some(None);
    }
    let set = domains.set(pool, expr, var)?;
    Some(Some(match () {
        () if domain.and(set).is_empty() => pool.truth(false),
        () if domain.and(set.complement()).is_empty() => pool.truth(true),
        () => expr,
    }))
}

/// Groups of constraints that share bytes. `None` if that takes too long: thousands of constraints may have thousands of bytes
/// each.
pub(crate) fn groups(pool: &Pool, constraints: &[Expr], deadline: Deadline) -> Option<Vec<Vec<Expr>>> {
    let mut group_of: HashMap<Var, usize, FixedState> = HashMap::default();
    let mut groups: Vec<Vec<Expr>> = Vec::new();
    let mut vars = Vec::new();
    let mut watch = DeadlineWatch::new(deadline);
    for &constraint in constraints {
        vars.clear();
        pool.collect_vars(constraint, &mut vars);
        if watch.is_late_after(8 + vars.len() * 4) {
            return None;
        }
        let mut found: Vec<usize> = vars.iter().filter_map(|var| group_of.get(var).copied()).collect();
        found.sort_unstable();
        found.dedup();
        let group = found.first().copied().unwrap_or_else(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        for &other in found.iter().skip(1) {
            let members = std::mem::take(&mut groups[other]);
            groups[group].extend(members);
            group_of.values_mut().filter(|value| **value == other).for_each(|value| *value = group);
        }
        groups[group].push(constraint);
        vars.iter().for_each(|&var| _ = group_of.insert(var, group));
    }
    groups.retain(|group| !group.is_empty());
    Some(groups)
}

/// What a step towards a simpler expression costs, for a watch.
const STEP: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(pool: &mut Pool, var: u32) -> Expr {
        pool.make_byte(Var(var))
    }

    #[test]
    fn a_known_byte_decides_a_choice_and_what_follows_from_it() {
        let mut pool = Pool::new();
        let (x, y, z) = (byte(&mut pool, 0), byte(&mut pool, 1), byte(&mut pool, 2));
        let zero = pool.equals(x, 0);
        let chosen = pool.ite(zero, y, z);
        let is_five = pool.equals(chosen, 5);
        let y_is_five = pool.equals(y, 5);
        let mut domains = Domains::default();
        let QueryReduction::Left(reduced) = reduce(&mut pool, &mut domains, &[is_five, zero]) else {
            panic!("it can be")
        };
        assert!(reduced.rest.is_empty());
        assert!(reduced.single.contains(&y_is_five));
        let y_is_six = pool.equals(y, 6);
        domains.forget();
        assert!(matches!(reduce(&mut pool, &mut domains, &[is_five, zero, y_is_six]), QueryReduction::Unsat));
    }

    #[test]
    fn the_class_of_a_byte_decides_what_tables_say_of_it() {
        let mut pool = Pool::new();
        let (x, y) = (byte(&mut pool, 0), byte(&mut pool, 1));
        // Letters are of class 3, all else of class 0; state 3 has the action 9.
        let classes: Vec<u8> = (0..=255_u8).map(|byte| if byte.is_ascii_alphabetic() { 3 } else { 0 }).collect();
        let (classes, actions) = (pool.constant_table(&classes), pool.constant_table(&[4, 5, 6, 9]));
        let at = pool.extend(Op::ZExt, x, 64);
        let class = pool.load(classes, at, 8);
        let is_letter = pool.equals(class, 3);
        let at = pool.extend(Op::ZExt, class, 64);
        let action = pool.load(actions, at, 8);
        let sum = pool.binary(Op::Add, action, y);
        let goal = pool.equals(sum, 20);
        let y_is_eleven = pool.equals(y, 11);
        let mut domains = Domains::default();
        let QueryReduction::Left(reduced) = reduce(&mut pool, &mut domains, &[goal, is_letter]) else {
            panic!("it can be")
        };
        assert!(reduced.rest.is_empty() && reduced.single.contains(&y_is_eleven));
    }

    #[test]
    fn what_is_equal_to_a_constant_is_that_constant_in_all_others() {
        let mut pool = Pool::new();
        let (x, y, z) = (byte(&mut pool, 0), byte(&mut pool, 1), byte(&mut pool, 2));
        let product = pool.binary(Op::Mul, x, y);
        let is_six = pool.equals(product, 6);
        let sum = pool.binary(Op::Add, product, z);
        let goal = pool.equals(sum, 20);
        let z_is_fourteen = pool.equals(z, 14);
        let x_is_three = pool.equals(x, 3);
        let mut domains = Domains::default();
        let query = [goal, is_six, pool.not(x_is_three)];
        let QueryReduction::Left(reduced) = reduce(&mut pool, &mut domains, &query) else { panic!("it can be") };
        assert_eq!(reduced.rest, [is_six]);
        assert!(reduced.single.contains(&z_is_fourteen));
    }

    #[test]
    fn constraints_without_common_bytes_are_apart() {
        let mut pool = Pool::new();
        let bytes: Vec<Expr> = (0..6).map(|var| byte(&mut pool, var)).collect();
        let less: Vec<Expr> =
            [(0, 1), (2, 3), (4, 5), (1, 2)].iter().map(|&(a, b)| pool.binary(Op::Ult, bytes[a], bytes[b])).collect();
        let groups = |deadline: Deadline| groups(&pool, &less, deadline);
        assert_eq!(groups(Deadline::NEVER).unwrap(), [vec![less[0], less[1], less[3]], vec![less[2]]]);
        assert_eq!(groups(Deadline::after(std::time::Duration::ZERO)), None);
    }
}
