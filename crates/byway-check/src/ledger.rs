//! What is known of the operations of a program, by all who ask.

use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::tally::Tally;
use crate::walk::{Asked, Operation};

/// What was found, how long it took, and what was counted.
#[derive(Debug)]
pub struct Ledger {
    /// How long all questions about the same operation may take.
    time: Duration,
    places: FxHashMap<(u32, Asked), Place>,
    /// What was counted.
    pub tally: Tally,
}

#[derive(Debug, Default, Clone, Copy)]
struct Place {
    is_confirmed: bool,
    /// How long its questions took.
    spent: Duration,
}

impl Ledger {
    /// Nothing was asked yet.
    pub fn new(time: Duration) -> Ledger {
        Ledger { time, places: FxHashMap::default(), tally: Tally::default() }
    }

    /// Why nothing more is asked about an operation, if so.
    pub fn refusal(&self, operation: Operation) -> Option<&'static str> {
        match self.places.get(&(operation.site, operation.asked))? {
            Place { is_confirmed: true, .. } => Some("found"),
            place if place.spent >= self.time => Some("operation"),
            _ => None,
        }
    }

    /// Questions about an operation took so long.
    pub fn spend(&mut self, operation: Operation, time: Duration) {
        self.places.entry((operation.site, operation.asked)).or_default().spent += time;
    }

    /// A place of the program where something of this kind was found needs no more questions.
    pub fn note_confirmed(&mut self, operation: Operation) {
        self.places.entry((operation.site, operation.asked)).or_default().is_confirmed = true;
    }

    /// The sanitizers have nothing against an operation that fails in this way at this place: it needs no more questions either.
    pub fn note_allowed(&mut self, operation: Operation) {
        self.note_confirmed(operation);
    }

    /// Whether something was found there.
    pub fn is_confirmed(&self, operation: Operation) -> bool {
        self.places.get(&(operation.site, operation.asked)).is_some_and(|place| place.is_confirmed)
    }
}
