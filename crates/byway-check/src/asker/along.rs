//! Following a seed: the questions on its way, and in which order they are asked.

use std::sync::Mutex;

use byway_exec::Outcome;
use byway_explore::Original;
use byway_report::Limit;
use byway_solve::{Changes, Path};
use rustc_hash::FxHashMap;

use super::{Asker, Base, Followed, PutOff, Suspect, Wanted};
use crate::clock::Allowance;
use crate::ledger::Ledger;
use crate::lock;
use crate::walk::{Asked, Item, Question};

/// After so many parts of a path it is seen whether time is over.
const OFTEN: usize = 256;

/// How the questions on the way of a seed are asked.
struct Pass<'a> {
    wanted: Wanted<'a>,
    ledger: &'a Mutex<Ledger>,
    time: Option<&'a Allowance>,
    is_over: &'a dyn Fn() -> bool,
    is_late: bool,
    /// How many questions had their turn.
    passed: usize,
}

/// Of the questions about one operation of the program, so many have the first turn on a path, so many the next, and the rest the
/// last: an operation in a loop that comes first does not keep those that come last from being asked.
const TURNS: [usize; 2] = [2, 32];

/// So many questions need no turns.
const FEW: usize = 64;

/// In which turn each question on a way is asked. Few questions are asked as they come.
fn turns(items: &[Item]) -> Vec<usize> {
    let mut before = FxHashMap::<(u32, Asked), usize>::default();
    let questions = items.iter().filter_map(|item| match item {
        Item::Question(question) => Some((question.operation.site, question.operation.asked)),
        _ => None,
    });
    let ranks: Vec<usize> = questions
        .map(|place| {
            let count = before.entry(place).or_default();
            *count += 1;
            *count - 1
        })
        .collect();
    if ranks.len() <= FEW {
        return vec![0; ranks.len()];
    }
    ranks.into_iter().map(|rank| TURNS.iter().filter(|&&least| rank >= least).count()).collect()
}

impl Asker {
    /// Asks questions on the way of a seed until it is over. Its path is not kept.
    pub fn follow(
        &mut self,
        mut original: Original,
        ran: &Outcome,
        wanted: Wanted<'_>,
        ledger: &Mutex<Ledger>,
        time: Option<&Allowance>,
        is_over: &dyn Fn() -> bool,
    ) -> Followed {
        let walk =
            self.walk(&mut original, ran, is_over, |walker, importer| walker.walk_for_questions(&ran.trace, importer));
        let is_late = walk.is_cut;
        let mut followed =
            Followed { suspects: Vec::new(), asked: 0, put_off: PutOff::default(), open: Vec::new(), walk };
        let base = Base { original: &original, changes: &Changes::default() };
        self.begin_path(time);
        let mut pass = Pass { wanted, ledger, time, is_over, is_late, passed: 0 };
        let turns = turns(&followed.walk.items);
        for turn in 0..=turns.iter().copied().max().unwrap_or(0) {
            self.go_along(&mut followed, base, &mut pass, |number| turns[number] == turn);
        }
        self.limit_query(None);
        lock(ledger).tally.note_solver(&self.solver.take_stats());
        followed
    }

    /// Goes along the way of a seed, and asks those of its questions that have their turn.
    fn go_along(
        &mut self,
        followed: &mut Followed,
        base: Base<'_>,
        pass: &mut Pass<'_>,
        has_turn: impl Fn(usize) -> bool,
    ) {
        let mut path = Path::new();
        let items = std::mem::take(&mut followed.walk.items);
        let (mut step, mut questions) = (0, 0);
        for (number, item) in items.iter().enumerate() {
            if number % OFTEN == 0 || matches!(item, Item::Question(_)) {
                pass.is_late |= (pass.is_over)();
            }
            match *item {
                // The path is for questions, and there will be none.
                Item::Assumed(_) | Item::Step if pass.is_late => {}
                Item::Assumed(assumption) => path.push(&mut self.pool, assumption),
                Item::Step => {
                    let decided =
                        self.steps.expression(&self.program, &mut self.pool, followed.walk.path.steps()[step].into());
                    path.push(&mut self.pool, decided);
                    step += 1;
                }
                Item::Question(question) => {
                    questions += 1;
                    if has_turn(questions - 1) {
                        self.ask_in_turn(&mut path, base, &question, pass, followed);
                    }
                }
            }
        }
        followed.walk.items = items;
    }

    /// Asks a question on the way of a seed, if it is wanted.
    fn ask_in_turn(
        &mut self,
        path: &mut Path,
        base: Base<'_>,
        question: &Question,
        pass: &mut Pass<'_>,
        followed: &mut Followed,
    ) {
        let is_wanted = pass.wanted.has(question, pass.passed);
        let is_late = pass.is_late;
        pass.passed += 1;
        // What comes behind the last one that was asked is asked later.
        followed.asked += usize::from(!is_late);
        if !is_wanted {
            return;
        }
        if pass.wanted.was_unknown(question) && !is_late {
            lock(pass.ledger).tally.take_back(question.operation.asked);
        }
        self.limit_query(pass.time);
        let reply = self.question(path, base, question, pass.ledger, &|| is_late);
        match reply.put_off {
            Some(Limit::Time) if is_late => followed.open.push(question.operation.site),
            put_off => followed.put_off.extend(put_off.map(|limit| (question.operation, limit))),
        }
        if !reply.options.is_empty() {
            let options = reply.options.iter().map(|changed| self.bytes(changed)).collect();
            followed.suspects.push(Suspect { operation: question.operation, options });
        }
    }
}

#[cfg(test)]
mod tests {
    use byway_solve::{Failure, Pool, Var};

    use super::*;
    use crate::walk::Operation;

    fn questions(sites: impl Iterator<Item = u32>) -> Vec<Item> {
        let mut pool = Pool::new();
        let goal = pool.make_byte(Var(0));
        let question = |(event, site)| {
            let operation = Operation { asked: Asked::Failure(Failure::DivisionByZero), site, event };
            Item::Question(Question { operation, goal, nearby: None })
        };
        let questions = (0..).zip(sites).map(question);
        questions.flat_map(|question| [Item::Step, question]).collect()
    }

    #[test]
    fn few_questions_are_asked_as_they_come() {
        assert_eq!(turns(&questions((0..FEW as u32).map(|_| 7))), vec![0; FEW]);
    }

    #[test]
    fn what_is_asked_often_does_not_keep_others_from_their_first_turn() {
        let turns = turns(&questions((0..100).map(|_| 7).chain([8, 8, 8])));
        let count = |turn| turns.iter().filter(|&&other| other == turn).count();
        assert_eq!((count(0), count(1), count(2)), (TURNS[0] + 2, TURNS[1] - TURNS[0] + 1, 100 - TURNS[1]));
        assert_eq!(turns[..3], [0, 0, 1]);
        assert_eq!(turns[100..], [0, 0, 1]);
    }
}
