//! What came of all suites, when they are explored by a strategy.

use byway_reduce::Order;

use crate::apbd::apbd;
use crate::discovery::Discovery;
use crate::strategy::Strategy;
use crate::suites::Suite;
use crate::{AnalysisSettings, Form};

/// How many parts a curve has.
pub const PARTS: usize = 100;

/// What came of all suites, of seeds in a form, in an order.
#[derive(Debug)]
pub struct SuiteOutcome {
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
    all: Vec<SuiteOutcome>,
}

impl<'a> Outcomes<'a> {
    /// Explores all suites, with so many seconds for each seed.
    pub fn of(strategy: &'a Strategy, suites: &[Suite], settings: &AnalysisSettings, budget: f64) -> Outcomes<'a> {
        let size = settings.size.min(strategy.pool.len());
        let mut outcomes = Outcomes { strategy, size, duration: size as f64 * budget, all: Vec::new() };
        for form in Form::ALL {
            let mut of_form: Vec<SuiteOutcome> =
                settings.orders.iter().map(|&order| SuiteOutcome::new(form, order)).collect();
            for suite in suites {
                let new = strategy.new_finds(form, suite);
                for (place, outcome) in of_form.iter_mut().enumerate() {
                    let finds = suite.ranked(form, place).iter().map(|&seed| new[seed].as_slice());
                    outcome.add(&Discovery::of(finds, &suite.covered, budget), outcomes.duration);
                }
            }
            of_form.iter_mut().for_each(SuiteOutcome::finish);
            outcomes.all.extend(of_form);
        }
        outcomes
    }

    /// All of them, first those of original seeds.
    pub fn all(&self) -> impl Iterator<Item = &SuiteOutcome> {
        self.all.iter()
    }

    /// Those of a form, the order `random` first.
    pub fn of_form(&self, form: Form) -> &[SuiteOutcome] {
        let orders = self.all.len() / Form::ALL.len();
        &self.all[form as usize * orders..][..orders]
    }

    /// Whether all suites have the same seeds: there is nothing else to draw.
    pub fn is_one_suite(&self) -> bool {
        self.size == self.strategy.pool.len()
    }
}

impl SuiteOutcome {
    fn new(form: Form, order: Order) -> SuiteOutcome {
        let (coverage, apbd, areas) = (Vec::new(), Vec::new(), Vec::new());
        SuiteOutcome { form, order, coverage, apbd, areas, curve: vec![0.0; PARTS + 1] }
    }

    fn add(&mut self, discovery: &Discovery, duration: f64) {
        self.coverage.push(discovery.count());
        self.apbd.extend(apbd(&discovery.gains));
        self.areas.push(discovery.area(duration));
        discovery.add_to(&mut self.curve, duration);
    }

    /// Makes averages of sums.
    fn finish(&mut self) {
        let count = self.coverage.len().max(1) as f64;
        self.curve.iter_mut().for_each(|point| *point /= count);
    }
}
