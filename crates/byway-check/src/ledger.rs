//! What was asked about a program, by all who ask.

use std::time::Duration;

use byway_solve::Answer;
use rustc_hash::FxHashMap;

use crate::tally::Tally;
use crate::walk::{Asked, Question};

/// Limits of what is asked at one place.
#[derive(Debug, Clone, Copy)]
pub struct PlaceLimits {
    /// How many inputs are tried that should make an operation fail and do not.
    pub tries: u32,
    /// How many questions may go unanswered.
    pub unknown: u32,
    /// How long all questions about the same operation may take, if none is answered with yes.
    pub time: Duration,
}

/// What was asked.
#[derive(Debug)]
pub struct Ledger {
    limits: PlaceLimits,
    /// What happened at each place.
    places: FxHashMap<(u32, Asked), Place>,
    /// What was counted.
    pub tally: Tally,
}

/// What happened at a place.
#[derive(Debug, Default, Clone, Copy)]
struct Place {
    is_confirmed: bool,
    tries: u32,
    unknown: u32,
    /// How long its questions took.
    spent: Duration,
}

/// What came of a question.
#[derive(Debug)]
pub enum Answered {
    /// It was asked before.
    Before,
    /// This.
    Now(Answer),
}

impl Ledger {
    /// Nothing was asked yet.
    pub fn new(limits: PlaceLimits) -> Ledger {
        Ledger { limits, places: FxHashMap::default(), tally: Tally::default() }
    }

    /// Whether a question is to be asked. If not, that is counted.
    pub fn admits(&mut self, question: &Question, is_over: bool) -> bool {
        let place = self.places.entry((question.site, question.asked)).or_default();
        let left_out = match () {
            () if place.is_confirmed => "found",
            () if place.tries >= self.limits.tries => "tries",
            () if place.unknown >= self.limits.unknown => "unknown",
            () if place.spent >= self.limits.time => "operation",
            () if is_over => "time",
            () => return true,
        };
        self.tally.leave_out(left_out, 1);
        false
    }

    /// Notes what came of a question, in this time.
    pub fn note(&mut self, question: &Question, answered: &Answered, spent: Duration) {
        let place = self.places.entry((question.site, question.asked)).or_default();
        place.spent += spent;
        match answered {
            Answered::Before => self.tally.repeat(),
            Answered::Now(answer) => {
                place.tries += u32::from(matches!(answer, Answer::Sat(_)));
                place.unknown += u32::from(matches!(answer, Answer::Unknown(_)));
                self.tally.note_answer(question.asked, answer);
            }
        }
    }

    /// A place of the program where something of this kind was found needs no more questions.
    pub fn note_confirmed(&mut self, site: u32, asked: Asked) {
        self.places.entry((site, asked)).or_default().is_confirmed = true;
    }

    /// Whether something was found there.
    pub fn is_confirmed(&self, site: u32, asked: Asked) -> bool {
        self.places.get(&(site, asked)).is_some_and(|place| place.is_confirmed)
    }
}
