//! What was best.

use std::fmt;

use byway_reduce::Order;
use serde::Serialize;

use super::name_if_any;
use crate::Form;
use crate::outcome::{Outcomes, SuiteOutcome};
use crate::statistics::{SIGNIFICANT, mean, rank_sum_p};

/// What we would choose. Strategies combined are not among it: at the same time they take as many processors as there are
/// strategies, and no one exploration does them one after the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recommendation {
    /// With this, most is discovered in the end.
    pub coverage: Choice,
    /// With this, most is discovered at a time, on average over all the time: the area under the curve is greatest.
    pub area: Choice,
    /// The strategies that were not explored from as many seeds as the others: they do not compare.
    pub not_compared: Vec<String>,
}

/// A choice, and what else there was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// What is chosen.
    pub chosen: Combination,
    /// The best that is done with original seeds in random order, if that is not it.
    pub plain: Option<Rival>,
    /// The next best, if there is another one.
    pub next: Option<Rival>,
}

/// Something that was not chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rival {
    /// What it is.
    #[serde(flatten)]
    pub candidate: Combination,
    /// How likely it differs as much from what is chosen by chance. There is none if there is only one suite to draw.
    pub p: Option<f64>,
}

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Combination {
    /// The strategy.
    pub strategy: String,
    /// The form of the seeds.
    pub form: Form,
    /// Their order, if it matters.
    #[serde(serialize_with = "name_if_any")]
    pub order: Option<Order>,
    /// How many branches are discovered: in the end, or on average over all the time.
    pub branches: f64,
    /// Of each suite.
    #[serde(skip)]
    values: Vec<f64>,
    #[serde(skip)]
    is_plain: bool,
}

impl Recommendation {
    pub(super) fn of(all: &[Outcomes]) -> Option<Recommendation> {
        let single: Vec<&Outcomes> = all.iter().filter(|outcomes| !outcomes.strategy.is_combined).collect();
        let largest = single.iter().max_by_key(|outcomes| outcomes.strategy.pool.len())?;
        let (same, others): (Vec<&Outcomes>, Vec<&Outcomes>) =
            single.iter().copied().partition(|outcomes| outcomes.strategy.pool == largest.strategy.pool);
        let is_one_suite = largest.is_one_suite();
        let candidates = |of: fn(&Outcomes, &SuiteOutcome) -> Option<Combination>| {
            same.iter().flat_map(|outcomes| outcomes.all().filter_map(|outcome| of(outcomes, outcome))).collect()
        };
        Some(Recommendation {
            coverage: Choice::of(candidates(by_coverage), is_one_suite)?,
            area: Choice::of(candidates(by_area), is_one_suite)?,
            not_compared: others.iter().map(|outcomes| outcomes.strategy.name.clone()).collect(),
        })
    }
}

/// In the end, the order does not matter.
fn by_coverage(outcomes: &Outcomes, outcome: &SuiteOutcome) -> Option<Combination> {
    let is_first = outcome.order == Order::Random;
    is_first.then(|| Combination::of(outcomes, outcome, None, &outcome.coverage))?
}

fn by_area(outcomes: &Outcomes, outcome: &SuiteOutcome) -> Option<Combination> {
    Combination::of(outcomes, outcome, Some(outcome.order), &outcome.areas)
}

impl Combination {
    fn of(outcomes: &Outcomes, outcome: &SuiteOutcome, order: Option<Order>, values: &[f64]) -> Option<Combination> {
        Some(Combination {
            strategy: outcomes.strategy.name.clone(),
            form: outcome.form,
            order,
            branches: mean(values)?,
            values: values.to_vec(),
            is_plain: outcome.form == Form::Original && outcome.order == Order::Random,
        })
    }
}

impl Choice {
    fn of(mut candidates: Vec<Combination>, is_one_suite: bool) -> Option<Choice> {
        // Sorting leaves those that are equally good as they are: the plainer ones first.
        candidates.sort_by(|a, b| b.branches.total_cmp(&a.branches));
        let (chosen, others) = candidates.split_first()?;
        let rival = |candidate: &Combination| Rival {
            candidate: candidate.clone(),
            p: rank_sum_p(&chosen.values, &candidate.values).filter(|_| !is_one_suite),
        };
        let plain = others.iter().find(|candidate| candidate.is_plain).filter(|_| !chosen.is_plain);
        Some(Choice { chosen: chosen.clone(), plain: plain.map(rival), next: others.first().map(rival) })
    }
}

impl Rival {
    /// Whether it does not differ from what is chosen by more than may be chance.
    pub fn may_be_as_good(&self) -> bool {
        self.p.is_none_or(|p| p >= SIGNIFICANT)
    }

    fn difference(&self) -> &'static str {
        match self.p {
            None => "which may be chance: there is one suite only",
            Some(_) if self.may_be_as_good() => "which is no significant difference",
            Some(_) => "which is significantly less",
        }
    }
}

impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recommendation { coverage, area, not_compared } = self;
        write!(f, "In the end, most is discovered with {coverage}\nOver all the time, most is discovered with {area}")?;
        if !not_compared.is_empty() {
            write!(f, "\nNot compared, since explored from other seeds: {}.", not_compared.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", self.chosen)?;
        match &self.plain {
            None => write!(f, " That is with original seeds in random order.")?,
            Some(plain) => {
                let Combination { strategy, branches, .. } = &plain.candidate;
                let difference = plain.difference();
                write!(
                    f,
                    " With original seeds in random order, {strategy} is best: {branches:.1} branches, {difference}."
                )?;
            }
        }
        match &self.next {
            Some(next) if Some(next) != self.plain.as_ref() => write!(f, " The next best is {next}."),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} seeds", self.strategy, self.form)?;
        if let Some(order) = self.order {
            write!(f, " in order {order}")?;
        }
        write!(f, ": {:.1} branches", self.branches)
    }
}

impl fmt::Display for Rival {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.candidate, self.difference())
    }
}
