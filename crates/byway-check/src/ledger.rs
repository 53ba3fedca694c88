//! What is known of the operations of a program, by all who ask.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::tally::Tally;
use crate::walk::{Asked, Operation};

/// Which operations were found to fail, and what was counted.
#[derive(Debug, Default)]
pub struct Ledger {
    confirmed: FxHashSet<(u32, Asked)>,
    /// How much processor time the queries about each took, on all paths.
    spent: FxHashMap<(u32, Asked), Duration>,
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
        self.tally.note_allowed(operation.asked, operation.site);
    }

    /// Queries about an operation took so long.
    pub fn spend(&mut self, operation: Operation, time: Duration) {
        *self.spent.entry((operation.site, operation.asked)).or_default() += time;
    }

    /// How long queries about it took so far, on all paths.
    pub fn spent(&self, operation: Operation) -> Duration {
        self.spent.get(&(operation.site, operation.asked)).copied().unwrap_or_default()
    }

    /// Whether something was found there.
    pub fn is_confirmed(&self, operation: Operation) -> bool {
        self.confirmed.contains(&(operation.site, operation.asked))
    }
}
