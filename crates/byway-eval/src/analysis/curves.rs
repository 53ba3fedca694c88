//! How many branches are discovered when.

use byway_reduce::Order;
use serde::Serialize;

use super::{Early, name};
use crate::Form;
use crate::outcome::{Outcomes, PARTS, SuiteOutcome};

/// The forms of which the best order is shown, too. With more of them, nobody could tell the lines apart.
const IN_BEST_ORDER: [Form; 2] = [Form::Original, Form::Shorter];

/// How many branches are discovered by a strategy when.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curves {
    /// The strategy.
    pub strategy: String,
    /// Of all forms of the seeds in random order; of original and shorter ones also in the order that is best for the form.
    pub curves: Vec<Curve>,
}

/// How many branches are discovered when, on average over all suites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// From which form of the seeds.
    pub form: Form,
    /// In which order.
    #[serde(serialize_with = "name")]
    pub order: Order,
    /// Over the time that a suite has.
    pub points: Vec<Point>,
}

/// How many branches are discovered by a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// The time, in seconds.
    pub seconds: f64,
    /// How many branches.
    pub branches: f64,
}

impl Curves {
    pub(super) fn of(outcomes: &Outcomes, all: &[Early]) -> Curves {
        let strategy = &outcomes.strategy.name;
        let in_random = Form::ALL.into_iter().map(|form| &outcomes.of_form(form)[0]);
        let is_shown = |early: &&Early| early.strategy == *strategy && IN_BEST_ORDER.contains(&early.form);
        let best = all.iter().filter(is_shown).filter_map(|early| {
            let order = early.best()?;
            outcomes.of_form(early.form).iter().find(|outcome| outcome.order == order)
        });
        let curve = |outcome: &SuiteOutcome| Curve::of(outcome, outcomes.duration);
        Curves { strategy: strategy.clone(), curves: in_random.chain(best).map(curve).collect() }
    }
}

impl Curve {
    fn of(outcome: &SuiteOutcome, duration: f64) -> Curve {
        let point =
            |(part, &branches): (usize, &f64)| Point { seconds: duration * part as f64 / PARTS as f64, branches };
        Curve {
            form: outcome.form,
            order: outcome.order,
            points: outcome.curve.iter().enumerate().map(point).collect(),
        }
    }
}
