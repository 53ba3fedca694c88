//! The search for values that keep as many bytes as they can.
//!
//! First all bytes are assumed to be what they were. Where that cannot be, the solver says which of them are to blame: these
//! are let go, and so on, a few times. What was found then may have changed more than was needed, so each changed byte is
//! tried once more as it was.

use crate::clock::Deadline;
use crate::pool::{Expr, Var};
use crate::query::{Answer, Query, Unknown};
use crate::sat::SatLimits;
use crate::sat::blast::Blaster;
use crate::sat::cadical::{Lit, Outcome};

/// How often bytes are let go before all are.
const ROUNDS: usize = 12;
/// Dead ends that a search with bytes kept may meet: it is not the last one.
const KEPT_CONFLICTS: u32 = 2_000;
/// How many changed bytes are tried as they were, and what each may cost.
const RESTORED: usize = 24;
const RESTORE_CONFLICTS: u32 = 50;

/// A byte of a query.
struct Byte {
    var: Var,
    seed: u8,
    /// Nothing, if it does not occur.
    bits: Option<[Lit; 8]>,
    /// What it is in the last model.
    value: u8,
    kept: bool,
    /// Whether the position of a read depends on it of which the value is not bound to its table yet.
    chooses: bool,
}

impl Byte {
    /// The literals that say that it is what it was.
    fn as_it_was(&self) -> impl Iterator<Item = Lit> + use<> {
        let seed = self.seed;
        let bits = self.bits.into_iter().flatten().enumerate();
        bits.map(move |(index, bit)| bit.negated_if(seed >> index & 1 == 0))
    }
}

/// One query on its way.
pub struct Search<'a> {
    blaster: &'a mut Blaster,
    limits: &'a SatLimits,
    deadline: Deadline,
    constraints: Vec<(Expr, Lit)>,
    bytes: Vec<Byte>,
    /// Reads of which the value has to be compared with the table.
    reads: Vec<Expr>,
    failed: Vec<Expr>,
    solves: u64,
}

impl<'a> Search<'a> {
    /// `reads` are those of which the value has to be compared with the table, `choosing` the bytes that their positions depend on.
    pub fn new(
        blaster: &'a mut Blaster,
        query: &Query<'_>,
        (reads, choosing): (Vec<Expr>, &[Var]),
        limits: &'a SatLimits,
        deadline: Deadline,
    ) -> Self {
        let constraints = query.constraints.iter().map(|&expr| (expr, blaster.literal(expr))).collect();
        let byte = |&var: &Var| {
            let seed = (query.seed)(var);
            let chooses = choosing.binary_search(&var).is_ok();
            Byte { var, seed, bits: blaster.var(var), value: seed, kept: true, chooses }
        };
        let bytes = query.vars.iter().map(byte).collect();
        Search { blaster, limits, deadline, constraints, bytes, reads, failed: Vec::new(), solves: 0 }
    }

    pub fn solves(&self) -> u64 {
        self.solves
    }

    /// The constraints that cannot be true together.
    pub fn failed(self) -> Vec<Expr> {
        self.failed
    }

    pub fn run(&mut self) -> Answer {
        if let Some(&(expr, _)) = self.constraints.iter().find(|&&(_, lit)| lit == Lit::FALSE) {
            self.failed = vec![expr];
            return Answer::Unsat;
        }
        self.prefer_seed();
        match self.let_go() {
            Outcome::Sat => {
                self.restore();
                Answer::Sat(self.bytes.iter().map(|byte| (byte.var, byte.value)).collect())
            }
            Outcome::Unsat => Answer::Unsat,
            Outcome::Unknown if self.blaster.gates.solver.is_broken() => Answer::Unknown(Unknown::Memory),
            Outcome::Unknown if self.deadline.is_over() => Answer::Unknown(Unknown::Time),
            Outcome::Unknown => Answer::Unknown(Unknown::Conflicts),
        }
    }

    fn prefer_seed(&mut self) {
        for byte in &self.bytes {
            byte.as_it_was().for_each(|lit| self.blaster.gates.solver.prefer(lit));
        }
    }

    /// Lets bytes go until there is an answer.
    fn let_go(&mut self) -> Outcome {
        for _ in 0..ROUNDS {
            match self.solve(KEPT_CONFLICTS.min(self.limits.conflicts)) {
                Outcome::Sat => return Outcome::Sat,
                Outcome::Unsat if self.let_blamed_go() => {}
                Outcome::Unsat => return Outcome::Unsat,
                Outcome::Unknown => break,
            }
        }
        self.bytes.iter_mut().for_each(|byte| byte.kept = false);
        let outcome = self.solve(self.limits.conflicts);
        if outcome == Outcome::Unsat {
            self.let_blamed_go();
        }
        outcome
    }

    /// Whether there are bytes to blame. If not, the constraints are.
    fn let_blamed_go(&mut self) -> bool {
        let mut blamed = self.blaster.gates.solver.failed();
        blamed.sort_unstable();
        let is_blamed = |lit: Lit| blamed.binary_search(&lit).is_ok();
        let of_byte = |byte: &Byte| byte.kept && byte.as_it_was().any(is_blamed);
        // Where a position is free, the search would go through all entries that were not added yet, one by one.
        let only_contents = self.bytes.iter().any(|byte| !byte.chooses && of_byte(byte));
        let goes = |byte: &Byte| of_byte(byte) && !(only_contents && byte.chooses);
        let mut found = false;
        for byte in &mut self.bytes {
            let goes = goes(byte);
            byte.kept &= !goes;
            found |= goes;
        }
        if !found {
            let failed = self.constraints.iter().filter(|&&(_, lit)| is_blamed(lit));
            self.failed = failed.map(|&(expr, _)| expr).collect();
        }
        found
    }

    /// A search where bytes that are kept are as they were; takes over what it finds.
    fn solve(&mut self, conflicts: u32) -> Outcome {
        let constraints = self.constraints.iter().map(|&(_, lit)| lit).filter(|&lit| lit != Lit::TRUE);
        let kept = self.bytes.iter().filter(|byte| byte.kept).flat_map(Byte::as_it_was);
        let assumed: Vec<Lit> = constraints.chain(kept).collect();
        let outcome = self.solve_correctly(&assumed, conflicts);
        if outcome == Outcome::Sat {
            self.bytes.iter_mut().for_each(|byte| byte.value = value(self.blaster, byte));
        }
        outcome
    }

    /// Searches until the values that are found are those of the tables too.
    fn solve_correctly(&mut self, assumed: &[Lit], conflicts: u32) -> Outcome {
        loop {
            self.solves += 1;
            let solver = &mut self.blaster.gates.solver;
            let outcome = solver.solve(assumed, conflicts, self.deadline);
            if outcome != Outcome::Sat || self.reads.is_empty() {
                return outcome;
            }
            if !self.blaster.correct(&self.reads) {
                return outcome;
            }
            if self.deadline.is_over() {
                return Outcome::Unknown;
            }
        }
    }

    /// Tries changed bytes as they were, one after the other.
    fn restore(&mut self) {
        self.bytes.iter_mut().for_each(|byte| byte.kept = byte.value == byte.seed);
        let mut changed: Vec<usize> = (0..self.bytes.len()).filter(|&index| !self.bytes[index].kept).collect();
        if changed.len() <= 1 {
            return;
        }
        changed.truncate(RESTORED);
        for index in changed {
            if self.bytes[index].kept {
                continue;
            }
            self.bytes[index].kept = true;
            match self.solve(RESTORE_CONFLICTS) {
                Outcome::Sat => self.bytes.iter_mut().for_each(|byte| byte.kept = byte.value == byte.seed),
                _ => self.bytes[index].kept = false,
            }
        }
    }
}

/// What a byte is in the solver's model. Bits that do not matter are as they were.
fn value(blaster: &Blaster, byte: &Byte) -> u8 {
    let Some(bits) = byte.bits else { return byte.seed };
    let bit = |index: usize| blaster.gates.solver.value(bits[index]).unwrap_or(byte.seed >> index & 1 == 1);
    (0..8).fold(0, |value, index| value | u8::from(bit(index)) << index)
}
