//! What came of all suites, when they are explored by a strategy.

use byway_reduce::Order;

use crate::apbd::apbd;
use crate::discovery::Discovery;
use crate::strategy::Strategy;
use crate::suites::Suite;
use crate::{Form, Settings};

/// How many parts a curve has.
pub const PARTS: usize = 100;

/// What came of all suites, of seeds in a form, in an order.
#[derive(Debug)]
pub struct Outcome {
    /// The form.
    pub form: Form,
    /// The order.
    pub order: Order,
    /// How many branches each suite discovers. The order does not matter for it.
    pub coverage: Vec<f64>,
    /// How early the suites that discover anything do so.
    pub apbd: Vec<f64>,
    /// How many branches each suite has discovered at a time, on average over all the time.
    pub areas: Vec<f64>,
    /// How many branches are discovered on average at each point of the time.
    pub curve: Vec<f64>,
}

/// What came of all suites, explored by a strategy.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// The strategy.
    pub strategy: &'a Strategy,
    /// How many seeds a suite has.
    pub size: usize,
    /// How long it takes to explore a suite, in seconds.
    pub duration: f64,
    /// All forms, each in all orders.
    all: Vec<Outcome>,
}

impl<'a> Outcomes<'a> {
    /// Explores all suites, with so many seconds for each seed.
    pub fn of(strategy: &'a Strategy, suites: &[Suite], settings: &Settings, budget: f64) -> Outcomes<'a> {
        let size = settings.size.min(strategy.pool.len());
        let duration = size as f64 * budget;
        let outcome = |form, place: usize| {
            let discover = |suite: &Suite| {
                let finds = suite.ranked(form, place).iter().map(|&seed| strategy.finds(form, seed));
                Discovery::of(finds, &suite.covered, budget)
            };
            Outcome::of(form, settings.orders[place], suites.iter().map(discover), duration)
        };
        let all_orders = |form| (0..settings.orders.len()).map(move |place| outcome(form, place));
        Outcomes { strategy, size, duration, all: Form::ALL.into_iter().flat_map(all_orders).collect() }
    }

    /// All of them, first those of original seeds.
    pub fn all(&self) -> impl Iterator<Item = &Outcome> {
        self.all.iter()
    }

    /// Those of a form, the order `random` first.
    pub fn of_form(&self, form: Form) -> &[Outcome] {
        let orders = self.all.len() / 2;
        &self.all[form as usize * orders..][..orders]
    }

    /// Whether all suites have the same seeds: there is nothing else to draw.
    pub fn is_one_suite(&self) -> bool {
        self.size == self.strategy.pool.len()
    }
}

impl Outcome {
    fn of(form: Form, order: Order, suites: impl Iterator<Item = Discovery>, duration: f64) -> Outcome {
        let (coverage, apbd, areas) = (Vec::new(), Vec::new(), Vec::new());
        let mut outcome = Outcome { form, order, coverage, apbd, areas, curve: vec![0.0; PARTS + 1] };
        suites.for_each(|discovery| outcome.add(&discovery, duration));
        let count = outcome.coverage.len().max(1) as f64;
        outcome.curve.iter_mut().for_each(|point| *point /= count);
        outcome
    }

    fn add(&mut self, discovery: &Discovery, duration: f64) {
        self.coverage.push(discovery.count());
        self.apbd.extend(apbd(&discovery.gains));
        self.areas.push(discovery.area(duration));
        discovery.add_to(&mut self.curve, duration);
    }
}
