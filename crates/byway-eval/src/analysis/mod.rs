//! What the measured comes to.
//!
//! [`analyse()`] draws random suites of the seeds, and compares what symbolic execution discovers from them: as they are, made
//! smaller, or made smaller if that makes their path shorter, in each order, by each strategy. It is how Zhang, Groce and Alipour compare, in *Using Test Case Reduction and
//! Prioritization to Improve Symbolic Execution* (ISSTA 2014).

mod choice;
mod coverage;
mod curves;
mod early;
mod reduction;
mod summary;

use byway_reduce::Order;
use serde::{Serialize, Serializer};

pub use self::choice::{Choice, Combination, Recommendation, Rival};
pub use self::coverage::{Compared, SuiteCoverage};
pub use self::curves::{Curve, Curves, Point};
pub use self::early::{Early, EarlyByOrder};
pub use self::reduction::{SizesReduced, rate};
pub use self::summary::{Summary, SummaryByOrder, summarize};
use crate::outcome::Outcomes;
use crate::statistics::SIGNIFICANT;
use crate::strategy::{Strategy, strategies};
use crate::suites::{Profiles, Suite, suites};
use crate::{Ended, Form, Measured};

/// How seeds are compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnalysisSettings {
    /// How many suites are drawn.
    pub suites: usize,
    /// How many seeds a suite has.
    pub size: usize,
    /// What is drawn depends on it alone.
    pub seed: u64,
    /// The orders that are compared. Random is always among them.
    #[serde(serialize_with = "names")]
    pub orders: Vec<Order>,
}

impl Default for AnalysisSettings {
    fn default() -> Self {
        AnalysisSettings { suites: 150, size: 100, seed: 0, orders: Order::ALL.to_vec() }
    }
}

impl AnalysisSettings {
    /// Those for so many seeds: suites have 100 of them, or half of them if that is less. Were it all of them, all suites would be
    /// the same.
    pub fn for_seeds(seeds: usize) -> AnalysisSettings {
        let default = AnalysisSettings::default();
        AnalysisSettings { size: default.size.min(seeds / 2).max(1), ..default }
    }

    /// With at least one suite of one seed, random first, and no order twice.
    fn made_valid(&self) -> AnalysisSettings {
        let mut orders = vec![Order::Random];
        for &order in &self.orders {
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
        AnalysisSettings { suites: self.suites.max(1), size: self.size.max(1), seed: self.seed, orders }
    }
}

/// What the measured comes to.
#[derive(Debug, Clone, Serialize)]
pub struct Analysis {
    /// How it was compared.
    pub settings: AnalysisSettings,
    /// How many seeds there are.
    pub seeds: usize,
    /// What could not be compared, and why.
    pub notes: Vec<String>,
    /// How much smaller seeds are made. No seeds have none.
    pub reduction: Option<SizesReduced>,
    /// How much is discovered, by strategy.
    pub coverage: Vec<SuiteCoverage>,
    /// How early that is, by strategy and form.
    pub apbd: Vec<Early>,
    /// How early that is on the whole, by strategy.
    pub summary: Vec<Summary>,
    /// How many branches are discovered when, by strategy.
    pub curves: Vec<Curves>,
    /// What was best. There is none if nothing can be compared.
    pub recommendation: Option<Recommendation>,
}

/// Which of two is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Significance {
    /// This one.
    Better,
    /// The other one.
    Worse,
    /// It may be chance.
    NoDifference,
}

impl Significance {
    fn of(mean: f64, other: f64, p: f64) -> Significance {
        match mean > other {
            _ if p >= SIGNIFICANT => Significance::NoDifference,
            true => Significance::Better,
            false => Significance::Worse,
        }
    }
}

/// Compares what was measured.
pub fn analyse(measured: &Measured, settings: &AnalysisSettings) -> Analysis {
    let settings = settings.made_valid();
    let strategies = strategies(measured);
    let outcomes = outcomes(measured, &strategies, &settings);
    let apbd: Vec<Early> =
        outcomes.iter().flat_map(|outcomes| Form::ALL.map(|form| Early::of(outcomes, form))).collect();
    Analysis {
        seeds: measured.seeds.len(),
        notes: notes(measured, &outcomes),
        reduction: SizesReduced::of(&measured.seeds),
        coverage: outcomes.iter().map(SuiteCoverage::of).collect(),
        summary: summarize(&[&apbd]),
        curves: outcomes.iter().map(|outcomes| Curves::of(outcomes, &apbd)).collect(),
        recommendation: Recommendation::of(&outcomes),
        apbd,
        settings,
    }
}

/// Strategies with the same pool have the same suites.
fn outcomes<'a>(measured: &Measured, strategies: &'a [Strategy], settings: &AnalysisSettings) -> Vec<Outcomes<'a>> {
    let profiles = Profiles::of(measured);
    let mut drawn: Vec<(&[usize], Vec<Suite>)> = Vec::new();
    for strategy in strategies {
        if drawn.iter().all(|(pool, _)| *pool != strategy.pool) {
            drawn.push((&strategy.pool, suites(measured, &profiles, &strategy.pool, settings)));
        }
    }
    let explore = |strategy: &'a Strategy| {
        let (_, suites) = drawn.iter().find(|(pool, _)| *pool == strategy.pool)?;
        Some(Outcomes::of(strategy, suites, settings, measured.budget))
    };
    strategies.iter().filter_map(explore).collect()
}

/// What could not be compared, and why.
fn notes(measured: &Measured, outcomes: &[Outcomes]) -> Vec<String> {
    let seeds = measured.seeds.len();
    if seeds < 2 {
        return vec![format!(
            "Suites can be drawn of 2 seeds or more; there {}.",
            if seeds == 1 { "is 1" } else { "are none" }
        )];
    }
    let compared = |name: &String| outcomes.iter().find(|outcomes| outcomes.strategy.name == *name);
    let incomplete = measured.strategies.iter().filter_map(|name| match compared(name) {
        None => {
            Some(format!("{name} is left out: fewer than 2 seeds were explored from by it, both original and reduced."))
        }
        Some(outcomes) if outcomes.strategy.pool.len() < seeds => {
            let used = outcomes.strategy.pool.len();
            Some(format!("{name} is compared by {used} of {seeds} seeds: the others were not explored from by it."))
        }
        Some(_) => None,
    });
    let mut notes: Vec<String> = incomplete.collect();
    let explored =
        measured.seeds.iter().flat_map(|seed| [&seed.original, &seed.reduced]).flat_map(|form| form.explored.values());
    let short = explored.filter(|explored| explored.ended == Ended::Memory).count();
    if short > 0 {
        notes.push(format!("{short} explorations ended before their time, since memory was short."));
    }
    if outcomes.iter().any(Outcomes::is_one_suite) {
        notes.push("Suites that have all seeds are all the same: how much they discover has no p-value.".to_owned());
    }
    notes
}

fn name<S: Serializer>(order: &Order, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(order)
}

fn name_if_any<S: Serializer>(order: &Option<Order>, serializer: S) -> Result<S::Ok, S::Error> {
    order.map(Order::name).serialize(serializer)
}

fn names<S: Serializer>(orders: &[Order], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(orders.iter().map(|order| order.name()))
}
