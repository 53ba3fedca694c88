//! What is known of the operations of a program, whichever worker found it out.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::{CheckedOperation, Violation};
use crate::counters::CheckCounters;

/// Which operations were found to fail, and what was counted.
#[derive(Debug, Default)]
pub struct SiteStatistics {
    confirmed: FxHashSet<(u32, Violation)>,
    /// How much processor time the queries about each took, on all paths.
    spent: FxHashMap<(u32, Violation), Duration>,
    /// What was counted.
    pub counters: CheckCounters,
}

impl SiteStatistics {
    /// A place of the program where something of this kind was found needs no more questions.
    pub fn note_confirmed(&mut self, operation: CheckedOperation) {
        self.confirmed.insert((operation.site, operation.violation));
    }

    /// The sanitizers have nothing against an operation that fails in this way at this place: it needs no more questions either.
    pub fn note_allowed(&mut self, operation: CheckedOperation) {
        self.note_confirmed(operation);
        self.counters.note_allowed(operation.violation, operation.site);
    }

    /// Queries about an operation took so long.
    pub fn spend(&mut self, operation: CheckedOperation, time: Duration) {
        *self.spent.entry((operation.site, operation.violation)).or_default() += time;
    }

    /// How long queries about it took so far, on all paths.
    pub fn spent(&self, operation: CheckedOperation) -> Duration {
        self.spent.get(&(operation.site, operation.violation)).copied().unwrap_or_default()
    }

    /// Whether something was found there.
    pub fn is_confirmed(&self, operation: CheckedOperation) -> bool {
        self.confirmed.contains(&(operation.site, operation.violation))
    }
}
