//! Deciding by looking: sets of values for each byte, and all values of a few bytes.
//!
//! A constraint on one byte is a set of values, kept for good. What is left after all these sets are intersected is
//! decided exactly if few combinations remain; otherwise a change of a single byte is tried, which finds inputs but proves
//! nothing.

mod pairs;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::byte_set::ByteSet;
use crate::clock::{Deadline, DeadlineWatch};
use crate::condition::Slice;
use crate::pool::{Expr, Pool, Var};
use crate::query::Answer;
use crate::support::Support;
use crate::tape::{Evaluator, Tape};
use pairs::Pairs;

/// How many steps of 256 lanes an exact answer may cost. One step is about 0.1 microseconds; SAT takes some 100.
const STEPS: usize = 4096;
/// How many bytes are tried alone.
const TRIED: usize = 12;

/// Sets and tables of constraints, by expression.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    sets: HashMap<Expr, ByteSet, FixedState>,
    pairs: Pairs,
    pub evaluator: Evaluator,
    /// Of the current query: a set for each byte, and the value that is tried.
    domains: Vec<(Var, ByteSet)>,
    places: HashMap<Var, usize, FixedState>,
    rest: Vec<Expr>,
}

/// What looking came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DomainAnswer {
    /// An exact answer from sets alone, or from all combinations.
    Decided(Answer),
    /// Bytes that do, found by trying.
    Found(Vec<(Var, u8)>),
    /// Nothing.
    Open,
    /// There was no time left to look.
    Late,
}

impl Domains {
    /// A question begins, with this budget.
    pub fn begin(&mut self, deadline: Deadline) {
        self.evaluator.watch = DeadlineWatch::new(deadline);
    }

    /// Forgets the sets of the query before.
    pub fn forget(&mut self) {
        self.domains.clear();
        self.places.clear();
    }

    /// Looks at a query, whose sets are those of its constraints on single bytes.
    pub fn look(&mut self, pool: &Pool, slice: &Slice, seed: &dyn Fn(Var) -> u8) -> DomainAnswer {
        self.forget();
        slice.vars.iter().for_each(|&var| _ = self.place(var));
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        let is_possible = self.restrict(pool, slice, &mut rest);
        let look = is_possible.and_then(|is_possible| match is_possible {
            false => Some(DomainAnswer::Decided(Answer::Unsat)),
            true if rest.is_empty() => Some(DomainAnswer::Decided(Answer::Sat(self.base(seed, &slice.vars)))),
            true => self.look_quickly(pool, &rest, &slice.vars[..slice.own_vars], &slice.vars, seed),
        });
        self.rest = rest;
        look.unwrap_or(DomainAnswer::Late)
    }

    /// Where the set of a byte is.
    fn place(&mut self, var: Var) -> usize {
        let next = self.domains.len();
        let place = *self.places.entry(var).or_insert(next);
        if place == next {
            self.domains.push((var, ByteSet::FULL));
        }
        place
    }

    /// The values that a byte can have.
    pub fn domain(&self, var: Var) -> ByteSet {
        self.places.get(&var).map_or(ByteSet::FULL, |&place| self.domains[place].1)
    }

    /// Takes the values away that a constraint on one byte forbids; false if none is left, `None` if there is no time left.
    pub fn narrow(&mut self, pool: &Pool, constraint: Expr, var: Var) -> Option<bool> {
        let set = self.set(pool, constraint, var)?;
        let place = self.place(var);
        let domain = &mut self.domains[place].1;
        *domain = domain.and(set);
        Some(!domain.is_empty())
    }

    /// Whether an expression over one byte is true for all its values. `None` if there is no time left.
    pub fn is_always(&mut self, pool: &Pool, expr: Expr) -> Option<bool> {
        match pool.support(expr) {
            Support::One(var) => Some(self.set(pool, expr, var)? == ByteSet::FULL),
            _ => Some(false),
        }
    }

    /// Intersects the sets of constraints on single bytes; false if nothing is left for a byte. Others are the rest.
    fn restrict(&mut self, pool: &Pool, slice: &Slice, rest: &mut Vec<Expr>) -> Option<bool> {
        for &constraint in &slice.constraints {
            match pool.support(constraint) {
                Support::None => return Some(false),
                Support::One(var) if !self.narrow(pool, constraint, var)? => return Some(false),
                Support::One(_) => {}
                _ => rest.push(constraint),
            }
        }
        Some(true)
    }

    /// The values for which a constraint on one byte is true. `None` if there is no time left.
    pub fn set(&mut self, pool: &Pool, constraint: Expr, var: Var) -> Option<ByteSet> {
        if let Some(&known) = self.sets.get(&constraint) {
            return Some(known);
        }
        let tape = self.evaluator.tape(pool, &[constraint])?;
        let set = self.evaluator.solutions(pool, &tape, var, |_| 0)?;
        self.sets.insert(constraint, set);
        Some(set)
    }

    /// The seed, or what is nearest to it in the sets.
    pub fn base(&self, seed: &dyn Fn(Var) -> u8, vars: &[Var]) -> Vec<(Var, u8)> {
        vars.iter().map(|&var| (var, self.domain(var).nearest(seed(var)).unwrap_or(0))).collect()
    }

    fn free(&self, vars: &[Var]) -> Vec<Var> {
        vars.iter().copied().filter(|&var| self.domain(var).len() > 1).collect()
    }

    /// What can be said at once: a single byte is left, or a change of one does.
    fn look_quickly(
        &mut self,
        pool: &Pool,
        rest: &[Expr],
        tried: &[Var],
        vars: &[Var],
        seed: &dyn Fn(Var) -> u8,
    ) -> Option<DomainAnswer> {
        let base = Base::new(self.base(seed, vars));
        let tape = self.evaluator.tape(pool, rest)?;
        if let [] | [_] = self.free(vars)[..] {
            return self.single(pool, &tape, self.free(vars).first().copied(), &base).map(DomainAnswer::Decided);
        }
        Some(self.try_one(pool, &tape, tried, &base)?.map_or(DomainAnswer::Open, DomainAnswer::Found))
    }

    /// What can be said of constraints on a few bytes, whose sets are known.
    pub fn look_closely(&mut self, pool: &Pool, rest: &[Expr], vars: &[Var], seed: &dyn Fn(Var) -> u8) -> DomainAnswer {
        self.look_at_all(pool, rest, vars, seed).unwrap_or(DomainAnswer::Late)
    }

    fn look_at_all(
        &mut self,
        pool: &Pool,
        rest: &[Expr],
        vars: &[Var],
        seed: &dyn Fn(Var) -> u8,
    ) -> Option<DomainAnswer> {
        let quick = self.look_quickly(pool, rest, vars, vars, seed)?;
        if quick != DomainAnswer::Open {
            return Some(quick);
        }
        let base = Base::new(self.base(seed, vars));
        let free = self.free(vars);
        if let ([x, y], true) = (free.as_slice(), self.are_pairs(pool, rest, &free)) {
            return self.pair(pool, rest, *x, *y, &base, seed).map(DomainAnswer::Decided);
        }
        let tape = self.evaluator.tape(pool, rest)?;
        match self.combinations(&free) {
            Some(combinations) if combinations * tape.len() <= STEPS => {
                self.enumerate(pool, &tape, &free, &base).map(DomainAnswer::Decided)
            }
            _ => Some(DomainAnswer::Open),
        }
    }

    /// Whether all constraints depend on just these two bytes.
    fn are_pairs(&self, pool: &Pool, rest: &[Expr], free: &[Var]) -> bool {
        let mut sorted = free.to_vec();
        sorted.sort_unstable();
        rest.iter().all(|&constraint| pool.vars(pool.support(constraint)) == sorted)
    }

    /// Two bytes: one row of a table for each value of the first.
    fn pair(
        &mut self,
        pool: &Pool,
        rest: &[Expr],
        x: Var,
        y: Var,
        base: &Base,
        seed: &dyn Fn(Var) -> u8,
    ) -> Option<Answer> {
        let (x, y) = (x.min(y), x.max(y));
        let (first, second) = (self.domain(x), self.domain(y));
        let rows = self.pairs.allowed(&mut self.evaluator, pool, rest, (x, y), first)?;
        let (seed_x, seed_y) = (seed(x), seed(y));
        let change = |a: u8, b: u8| u32::from(a != seed_x) + u32::from(b != seed_y);
        let found = first.iter().filter_map(|a| second.and(rows.row(a)).nearest(seed_y).map(|b| (a, b)));
        let best = found.min_by_key(|&(a, b)| {
            (change(a, b), !is_plain(a), !is_plain(b), u32::from(a.abs_diff(seed_x)) + u32::from(b.abs_diff(seed_y)))
        });
        Some(match best {
            Some((a, b)) => Answer::Sat(base.with(&[(x, a), (y, b)]).values),
            None => Answer::Unsat,
        })
    }

    /// One byte that is not decided, or none.
    fn single(&mut self, pool: &Pool, tape: &Tape, free: Option<Var>, base: &Base) -> Option<Answer> {
        let var = free.unwrap_or(base.values[0].0);
        let set = self.solutions(pool, tape, var, base)?;
        Some(match set.nearest(base.get(var)) {
            Some(value) => Answer::Sat(base.with(&[(var, value)]).values),
            None => Answer::Unsat,
        })
    }

    /// The allowed values of a byte that do, if the others are as in `base`.
    fn solutions(&mut self, pool: &Pool, tape: &Tape, var: Var, base: &Base) -> Option<ByteSet> {
        let set = self.evaluator.solutions(pool, tape, var, |other| base.get(other))?;
        Some(set.and(self.domain(var)))
    }

    /// A change of one byte that does, if there is one. Nothing at all if there is no time left.
    fn try_one(&mut self, pool: &Pool, tape: &Tape, vars: &[Var], base: &Base) -> Option<Option<Vec<(Var, u8)>>> {
        for &var in vars.iter().take(TRIED) {
            if let Some(found) = self.solutions(pool, tape, var, base)?.nearest(base.get(var)) {
                return Some(Some(base.with(&[(var, found)]).values));
            }
        }
        Some(None)
    }

    /// How many times lanes would have to be evaluated for all combinations; `None` if it is far too often.
    fn combinations(&self, free: &[Var]) -> Option<usize> {
        let mut sizes = free.iter().map(|var| self.domain(*var).len() as usize);
        let largest = sizes.clone().max()?;
        let all = sizes.try_fold(1usize, |all, size| all.checked_mul(size).filter(|&all| all <= 1 << 24))?;
        Some(all / largest)
    }

    /// All combinations of the bytes that are not decided; the one with the fewest changes.
    fn enumerate(&mut self, pool: &Pool, tape: &Tape, free: &[Var], base: &Base) -> Option<Answer> {
        let lane = free.iter().copied().max_by_key(|var| self.domain(*var).len()).expect("some are free");
        let others: Vec<Var> = free.iter().copied().filter(|&var| var != lane).collect();
        let sets: Vec<Vec<u8>> = others.iter().map(|var| self.domain(*var).iter().collect()).collect();
        let mut counters = vec![0usize; others.len()];
        let mut best: Option<(usize, Base)> = None;
        loop {
            let chosen: Vec<(Var, u8)> =
                others.iter().zip(&sets).zip(&counters).map(|((&var, set), &at)| (var, set[at])).collect();
            let trial = base.with(&chosen);
            if let Some(found) = self.solutions(pool, tape, lane, &trial)?.nearest(base.get(lane)) {
                let trial = trial.with(&[(lane, found)]);
                let changes = trial.values.iter().zip(&base.values).filter(|(a, b)| a.1 != b.1).count();
                if best.as_ref().is_none_or(|(fewest, _)| changes < *fewest) {
                    best = Some((changes, trial));
                }
            }
            if !advance(&mut counters, &sets) {
                break;
            }
        }
        Some(best.map_or(Answer::Unsat, |(_, model)| Answer::Sat(model.values)))
    }
}

/// Values of bytes, in the order of the query.
struct Base {
    values: Vec<(Var, u8)>,
    places: HashMap<Var, usize, FixedState>,
}

impl Base {
    fn new(values: Vec<(Var, u8)>) -> Base {
        let places = values.iter().enumerate().map(|(place, &(var, _))| (var, place)).collect();
        Base { values, places }
    }

    fn get(&self, var: Var) -> u8 {
        self.places.get(&var).map_or(0, |&place| self.values[place].1)
    }

    fn with(&self, changes: &[(Var, u8)]) -> Base {
        let mut base = Base { values: self.values.clone(), places: self.places.clone() };
        changes.iter().for_each(|(var, value)| base.values[self.places[var]].1 = *value);
        base
    }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Counts on; false when all combinations were there.
fn advance(counters: &mut [usize], sets: &[Vec<u8>]) -> bool {
    for (counter, set) in counters.iter_mut().zip(sets) {
        *counter += 1;
        if *counter < set.len() {
            return true;
        }
        *counter = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::PathCondition;
    use crate::op::Op;

    fn look(pool: &mut Pool, path: &[Expr], goal: Expr, seed: &[u8]) -> DomainAnswer {
        let mut stack = PathCondition::new();
        path.iter().for_each(|&constraint| stack.push(pool, constraint));
        let mut slice = Slice::default();
        stack.slice(pool, goal, &mut slice);
        Domains::default().look(pool, &slice, &|var| seed[var.0 as usize])
    }

    fn bytes<const N: usize>(pool: &mut Pool) -> [Expr; N] {
        std::array::from_fn(|var| pool.make_byte(Var(var as u32)))
    }

    #[test]
    fn one_byte_is_decided_exactly() {
        let mut pool = Pool::new();
        let [x] = bytes(&mut pool);
        let ten = pool.make_constant(8, 10);
        let below = pool.binary(Op::Ult, x, ten);
        let is_nine = pool.equals(x, 9);
        let is_ten = pool.equals(x, 10);
        assert_eq!(look(&mut pool, &[below], is_nine, &[3]), DomainAnswer::Decided(Answer::Sat(vec![(Var(0), 9)])));
        assert_eq!(look(&mut pool, &[below], is_ten, &[3]), DomainAnswer::Decided(Answer::Unsat));
    }

    #[test]
    fn two_bytes_are_decided_exactly_with_few_changes() {
        let mut pool = Pool::new();
        let [x, y] = bytes(&mut pool);
        let sum = pool.binary(Op::Add, x, y);
        let is_hundred = pool.equals(sum, 100);
        let even = pool.extract(x, 0, 1);
        let odd_y = pool.extract(y, 0, 1);
        let even = pool.not(even);
        let answer = look(&mut pool, &[even], is_hundred, &[40, 3]);
        assert_eq!(answer, DomainAnswer::Found(vec![(Var(0), 40), (Var(1), 60)]));
        let below = pool.make_constant(8, 5);
        let small_y = pool.binary(Op::Ult, y, below);
        let answer = look(&mut pool, &[even, small_y], is_hundred, &[1, 9]);
        assert_eq!(answer, DomainAnswer::Found(vec![(Var(0), 96), (Var(1), 4)]));
        let mut domains = Domains::default();
        assert_eq!(domains.narrow(&pool, even, Var(0)), Some(true));
        assert_eq!(domains.narrow(&pool, odd_y, Var(1)), Some(true));
        let closely = domains.look_closely(&pool, &[is_hundred], &[Var(0), Var(1)], &|_| 40);
        assert_eq!(closely, DomainAnswer::Decided(Answer::Unsat));
    }

    #[test]
    fn a_change_of_one_byte_of_many_is_found() {
        let mut pool = Pool::new();
        let all: [Expr; 5] = bytes(&mut pool);
        let sum = all.into_iter().reduce(|sum, byte| pool.binary(Op::Add, sum, byte)).unwrap();
        let goal = pool.equals(sum, 200);
        let DomainAnswer::Found(model) = look(&mut pool, &[], goal, &[1, 2, 3, 4, 5]) else { panic!("not found") };
        let changed: Vec<_> = model.iter().filter(|(var, value)| *value != var.0 as u8 + 1).collect();
        assert_eq!(changed.len(), 1);
        assert_eq!(model.iter().map(|(_, value)| u32::from(*value)).sum::<u32>(), 200);
    }

    #[test]
    fn what_no_single_change_does_stays_open() {
        let mut pool = Pool::new();
        let all: [Expr; 4] = bytes(&mut pool);
        let pairs = [0, 2].map(|first| pool.binary(Op::Concat, all[first], all[first + 1]));
        let product = pool.binary(Op::Mul, pairs[0], pairs[1]);
        let goal = pool.equals(product, 0x1235);
        assert_eq!(look(&mut pool, &[], goal, &[0; 4]), DomainAnswer::Open);
    }
}
