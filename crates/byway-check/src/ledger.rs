//! What is known of the operations of a program, by all who ask.

use rustc_hash::FxHashSet;

use crate::tally::Tally;
use crate::walk::{Asked, Operation};

/// Which operations were found to fail, and what was counted.
#[derive(Debug, Default)]
pub struct Ledger {
    confirmed: FxHashSet<(u32, Asked)>,
    /// What was counted.
    pub tally: Tally,
}

impl Ledger {
    /// A place of the program where something of this kind was found needs no more questions.
    pub fn note_confirmed(&mut self, operation: Operation) {
        self.confirmed.insert((operation.site, operation.asked));
    }

    /// The sanitizers have nothing against an operation that fails in this way at this place: it needs no more questions either.
    pub fn note_allowed(&mut self, operation: Operation) {
        self.note_confirmed(operation);
    }

    /// Whether something was found there.
    pub fn is_confirmed(&self, operation: Operation) -> bool {
        self.confirmed.contains(&(operation.site, operation.asked))
    }
}
