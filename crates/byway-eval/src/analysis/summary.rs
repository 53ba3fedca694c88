//! How early branches are discovered on the whole.

use byway_reduce::Order;
use serde::Serialize;

use super::{Early, EarlyByOrder, Significance, name};
use crate::statistics::{Center, deviation};

/// How early branches are discovered by a strategy, over all forms of the seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The strategy.
    pub strategy: String,
    /// In each order, first at random.
    pub orders: Vec<SummaryByOrder>,
}

/// How early branches are discovered in an order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SummaryByOrder {
    /// The order.
    #[serde(serialize_with = "name")]
    pub order: Order,
    /// The middle of all suites, from 0 to 1.
    pub center: Option<Center>,
    /// Their standard deviation.
    pub deviation: Option<f64>,
    /// How often no order is better on average.
    pub best: usize,
    /// How often it is better than a random order.
    pub better: usize,
    /// How often it is worse than a random order.
    pub worse: usize,
}

/// How early branches are discovered, over all of these programs.
pub fn summarize(programs: &[&[Early]]) -> Vec<Summary> {
    let all: Vec<&Early> = programs.iter().copied().flatten().collect();
    let mut names: Vec<&str> = Vec::new();
    for early in &all {
        if !names.contains(&early.strategy.as_str()) {
            names.push(&early.strategy);
        }
    }
    let of_strategy = |name: &str| {
        let rows: Vec<&Early> = all.iter().copied().filter(|early| early.strategy == name).collect();
        let orders = Order::ALL.into_iter().filter_map(|order| in_order(&rows, order)).collect();
        Summary { strategy: name.to_owned(), orders }
    };
    names.into_iter().map(of_strategy).collect()
}

/// None if nothing was explored in this order.
fn in_order(rows: &[&Early], order: Order) -> Option<SummaryByOrder> {
    let sandboxes: Vec<&EarlyByOrder> =
        rows.iter().flat_map(|early| &early.orders).filter(|sandbox| sandbox.order == order).collect();
    let values: Vec<f64> = sandboxes.iter().flat_map(|sandbox| &sandbox.values).copied().collect();
    let count = |verdict| sandboxes.iter().filter(|sandbox| sandbox.against_random == Some(verdict)).count();
    (!sandboxes.is_empty()).then(|| SummaryByOrder {
        order,
        center: Center::of(&values),
        deviation: deviation(&values),
        best: sandboxes.iter().filter(|sandbox| sandbox.is_best).count(),
        better: count(Significance::Better),
        worse: count(Significance::Worse),
    })
}
