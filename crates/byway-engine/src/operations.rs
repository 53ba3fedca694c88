//! What was asked about operations that can fail, and what came of it.

use std::collections::BTreeMap;

use byway_report::{Answers, Limit, Remainder};
use byway_solve::{Answer, Failure};

use crate::program::Program;
use crate::tree::{PendingId, PendingOutcome};

/// An operation of the program, and in which way it is to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperationFailure {
    /// Its site.
    pub site: u32,
    /// In which way.
    pub failure: Failure,
}

/// So many inputs that should make one operation fail may not do so before everything else was tried.
const TRIES: u32 = 8;

/// What is known of the operations of a program.
#[derive(Debug, Default)]
pub struct Operations {
    known: BTreeMap<OperationFailure, Known>,
    /// Inputs for operations of which too many did not fail.
    put_off: Vec<(OperationFailure, PendingId)>,
    tries: u32,
    answers: Answers,
}

#[derive(Debug, Default, Clone, Copy)]
struct Known {
    /// How many inputs should have made it fail.
    tried: u32,
    /// Whether the sanitizers saw it fail.
    failed: bool,
}

impl Operations {
    /// Why nothing is asked about an operation, if so.
    pub(crate) fn refuses(&mut self, failure: OperationFailure, pending: PendingId) -> Option<PendingOutcome> {
        let known = self.known.get(&failure).copied().unwrap_or_default();
        match () {
            // One defect is one finding.
            () if known.failed => Some(PendingOutcome::Settled),
            () if known.tried >= self.tries.max(TRIES) => {
                self.put_off.push((failure, pending));
                Some(PendingOutcome::Unknown)
            }
            () => None,
        }
    }

    /// Notes the answer to a query.
    pub(crate) fn note(&mut self, failure: OperationFailure, answer: &Answer) {
        match answer {
            Answer::Sat(_) => {
                self.answers.sat += 1;
                self.known.entry(failure).or_default().tried += 1;
            }
            Answer::Unsat => self.answers.unsat += 1,
            Answer::Unknown(_) => self.answers.unknown += 1,
        }
    }

    /// The answers to all queries.
    pub fn answers(&self) -> Answers {
        self.answers
    }

    /// The sanitizers saw an operation fail.
    pub fn note_failed(&mut self, failure: OperationFailure) {
        self.known.entry(failure).or_default().failed = true;
    }

    /// More inputs may be tried for each operation. Those that wait for this.
    pub(crate) fn extend(&mut self, effort: u32) -> Vec<PendingId> {
        self.tries = TRIES.saturating_mul(effort);
        std::mem::take(&mut self.put_off).into_iter().map(|(_, pending)| pending).collect()
    }

    /// What was left undone.
    pub(crate) fn add_remaining(&self, program: &Program, remaining: &mut Remainder) {
        for (failure, _) in self.put_off.iter().filter(|(failure, _)| !self.known[failure].failed) {
            let place = program.position(failure.site).unwrap_or_default();
            remaining.add(Limit::OperationTries, failure.failure.name(), &place, 1);
        }
    }
}
