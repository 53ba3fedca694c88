//! How early branches are discovered.

use byway_reduce::Order;
use serde::Serialize;

use super::{Significance, name};
use crate::Form;
use crate::outcome::{Outcomes, SuiteOutcome};
use crate::statistics::{mean, rank_sum_p};

/// How early suites discover branches, by order: the average percentage of branches discovered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Early {
    /// By which strategy.
    pub strategy: String,
    /// From which form of the seeds.
    pub form: Form,
    /// In each order, first at random.
    pub orders: Vec<EarlyByOrder>,
}

/// How early suites discover branches in an order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EarlyByOrder {
    /// The order.
    #[serde(serialize_with = "name")]
    pub order: Order,
    /// How many suites discover anything. The others have no such measure.
    pub suites: usize,
    /// Their average, from 0 to 1.
    pub mean: Option<f64>,
    /// How likely they differ as much from a random order by chance.
    pub p: Option<f64>,
    /// Whether the order is better than a random one.
    pub against_random: Option<Significance>,
    /// Whether no order is better on average.
    pub is_best: bool,
    /// Of each suite.
    #[serde(skip)]
    pub values: Vec<f64>,
}

impl Early {
    pub(super) fn of(outcomes: &Outcomes, form: Form) -> Early {
        let of_form = outcomes.of_form(form);
        let mut orders: Vec<EarlyByOrder> = of_form.iter().map(|outcome| in_order(outcome, &of_form[0])).collect();
        let best = orders.iter().filter_map(|order| order.mean).max_by(f64::total_cmp);
        orders.iter_mut().for_each(|order| order.is_best = order.mean.is_some() && order.mean == best);
        Early { strategy: outcomes.strategy.name.clone(), form, orders }
    }

    /// The best order that is not a random one. There is none if nothing is discovered.
    pub fn best(&self) -> Option<Order> {
        let orders = self.orders.iter().filter(|order| order.order != Order::Random);
        let means = orders.filter_map(|order| Some((order.order, order.mean?)));
        // Of equally good ones, the first.
        let best = means.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(order, _)| order)
    }
}

fn in_order(outcome: &SuiteOutcome, random: &SuiteOutcome) -> EarlyByOrder {
    let p = rank_sum_p(&outcome.apbd, &random.apbd).filter(|_| outcome.order != Order::Random);
    let (mean, random) = (mean(&outcome.apbd), mean(&random.apbd));
    let verdict = |p| Some(Significance::of(mean?, random?, p));
    EarlyByOrder {
        order: outcome.order,
        suites: outcome.apbd.len(),
        mean,
        p,
        against_random: p.and_then(verdict),
        is_best: false,
        values: outcome.apbd.clone(),
    }
}
