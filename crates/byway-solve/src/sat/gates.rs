//! Gates as clauses. Equal gates are one, and a gate whose value is known, or is that of an operand, is none.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::clock::DeadlineWatch;
use crate::sat::cadical::{Cadical, Lit};

/// What a gate computes, of operands in one order and without the negations that can be moved to the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Xor3,
    Majority,
    Choice,
}

/// What a new gate costs, and one that is there already, for a watch.
const NEW: usize = 30;
const KNOWN: usize = 2;

/// Gates in a solver. When the watch is late, operators of many gates stop halfway: what they give is of no use, but the gates
/// that were made are right, and are there the next time.
pub struct Gates {
    pub solver: Cadical,
    pub watch: DeadlineWatch,
    known: HashMap<(Kind, [Lit; 3]), Lit, FixedState>,
}

impl Gates {
    pub fn new() -> Self {
        let known = HashMap::with_hasher(FixedState::with_seed(0));
        Gates { solver: Cadical::new(), watch: DeadlineWatch::default(), known }
    }

    /// The gate, made by `clauses` unless there is one.
    fn gate(&mut self, kind: Kind, operands: [Lit; 3], clauses: impl FnOnce(&mut Cadical, Lit)) -> Lit {
        let (solver, watch) = (&mut self.solver, &mut self.watch);
        watch.is_late_after(KNOWN);
        *self.known.entry((kind, operands)).or_insert_with(|| {
            watch.is_late_after(NEW);
            let result = solver.variable();
            clauses(solver, result);
            result
        })
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a.known(), b.known()) {
            (Some(false), _) | (_, Some(false)) => Lit::FALSE,
            (Some(true), _) => b,
            (_, Some(true)) => a,
            _ if a == b => a,
            _ if a == !b => Lit::FALSE,
            _ => self.gate(Kind::And, [a, b, Lit::TRUE], |solver, result| {
                solver.clause(&[!result, a]);
                solver.clause(&[!result, b]);
                solver.clause(&[result, !a, !b]);
            }),
        }
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All of them, as one gate.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut lits: Vec<Lit> = lits.into_iter().filter(|&lit| lit != Lit::TRUE).collect();
        lits.sort_unstable();
        lits.dedup();
        let contradiction = lits.contains(&Lit::FALSE) || lits.iter().any(|&lit| lits.binary_search(&!lit).is_ok());
        match lits[..] {
            _ if contradiction => Lit::FALSE,
            [] => Lit::TRUE,
            [lit] => lit,
            [a, b] => self.and(a, b),
            _ => {
                let result = self.solver.variable();
                lits.iter().for_each(|&lit| self.solver.clause(&[!result, lit]));
                let long: Vec<Lit> = lits.iter().map(|&lit| !lit).chain([result]).collect();
                self.solver.clause(&long);
                result
            }
        }
    }

    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let negated: Vec<Lit> = lits.into_iter().map(|lit| !lit).collect();
        !self.all(negated)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.variable(), b.variable());
        let (a, b) = (a.min(b), a.max(b));
        let result = match (a.known(), b.known()) {
            _ if a == b => Lit::FALSE,
            (Some(_), _) => !b,
            (_, Some(_)) => !a,
            _ => self.gate(Kind::Xor, [a, b, Lit::TRUE], |solver, result| {
                solver.clause(&[!result, a, b]);
                solver.clause(&[!result, !a, !b]);
                solver.clause(&[result, !a, b]);
                solver.clause(&[result, a, !b]);
            }),
        };
        result.negated_if(negate)
    }

    pub fn same(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut sorted = [a, b, c].map(Lit::variable);
        sorted.sort_unstable();
        let [x, y, z] = sorted;
        if x.known().is_some() || x == y || y == z {
            let first = self.xor(a, b);
            return self.xor(first, c);
        }
        let negate = [a, b, c].iter().filter(|lit| lit.is_negated()).count() % 2 == 1;
        let result = self.gate(Kind::Xor3, sorted, |solver, result| {
            for signs in 0..8_u32 {
                let sign = |bit: u32| signs >> bit & 1 == 1;
                let odd = signs.count_ones() % 2 == 1;
                let lits = [x.negated_if(sign(0)), y.negated_if(sign(1)), z.negated_if(sign(2))];
                solver.clause(&[lits[0], lits[1], lits[2], result.negated_if(!odd)]);
            }
        });
        result.negated_if(negate)
    }

    /// What at least two of them are.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut sorted = [a, b, c];
        sorted.sort_unstable_by_key(|lit| lit.variable());
        let [a, b, c] = sorted;
        match a.known() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None if a == b || b == c => return b,
            None if a == !b => return c,
            None if b == !c => return a,
            None => {}
        }
        let negate = a.is_negated();
        let [a, b, c] = sorted.map(|lit| lit.negated_if(negate));
        let result = self.gate(Kind::Majority, [a, b, c], |solver, result| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                solver.clause(&[!x, !y, result]);
                solver.clause(&[x, y, !result]);
            }
        });
        result.negated_if(negate)
    }

    /// `then` if the condition is true, else `other`.
    pub fn choice(&mut self, condition: Lit, then: Lit, other: Lit) -> Lit {
        if condition.is_negated() {
            return self.choice(!condition, other, then);
        }
        match (then.known(), other.known()) {
            _ if condition == Lit::TRUE => return then,
            _ if then == other => return then,
            _ if then == !other => return self.same(condition, then),
            (Some(true), _) => return self.or(condition, other),
            (Some(false), _) => return self.and(!condition, other),
            (_, Some(true)) => return self.or(!condition, then),
            (_, Some(false)) => return self.and(condition, then),
            _ if then.variable() == condition => return self.choice_of_condition(condition, then, other),
            _ if other.variable() == condition => return !self.choice_of_condition(!condition, !other, !then),
            _ => {}
        }
        let negate = then.is_negated();
        let (then, other) = (then.negated_if(negate), other.negated_if(negate));
        let result = self.gate(Kind::Choice, [condition, then, other], |solver, result| {
            solver.clause(&[!condition, !then, result]);
            solver.clause(&[!condition, then, !result]);
            solver.clause(&[condition, !other, result]);
            solver.clause(&[condition, other, !result]);
            // These follow, but let the solver see it at once.
            solver.clause(&[!then, !other, result]);
            solver.clause(&[then, other, !result]);
        });
        result.negated_if(negate)
    }

    // Where the condition holds, its own value is known.
    fn choice_of_condition(&mut self, condition: Lit, then: Lit, other: Lit) -> Lit {
        if then == condition { self.or(condition, other) } else { self.and(!condition, other) }
    }
}
