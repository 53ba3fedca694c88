//! Delta debugging leaves what must stay, and nothing that could go.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use byway_reduce::{Minimum, Subset, TestAnswer, ddmin};
use proptest::prelude::*;

/// What must hold, of a number of components.
#[derive(Debug, Clone)]
struct Predicate {
    count: usize,
    needed: Vec<usize>,
    /// If there is one, the predicate is not monotone: about half of the candidates fail for no reason.
    whim: Option<u64>,
}

impl Predicate {
    fn holds(&self, kept: &[usize]) -> bool {
        kept.len() == self.count || self.needed.iter().all(|index| kept.contains(index)) && !self.fails_by_whim(kept)
    }

    fn fails_by_whim(&self, kept: &[usize]) -> bool {
        let mut hasher = DefaultHasher::new();
        (kept, self.whim).hash(&mut hasher);
        self.whim.is_some() && hasher.finish().is_multiple_of(2)
    }

    fn verdict(&self, kept: &[usize]) -> TestAnswer {
        if self.holds(kept) { TestAnswer::Holds } else { TestAnswer::Fails }
    }

    /// Runs with at most so many tests, and says what was tested.
    fn reduce(&self, width: usize, budget: usize) -> (Minimum, HashMap<Vec<usize>, TestAnswer>) {
        self.reduce_if(width, |number| number < budget)
    }

    /// Runs with time for the tests with these numbers.
    fn reduce_if(&self, width: usize, has_time: impl Fn(usize) -> bool) -> (Minimum, HashMap<Vec<usize>, TestAnswer>) {
        let mut tested = HashMap::new();
        let minimum = ddmin(self.count, width, |candidates: &[Subset]| {
            assert!((1..=width).contains(&candidates.len()));
            let mut test = |candidate: &Subset| {
                let kept = candidate.to_vec();
                assert!(candidate.iter().eq(kept.iter().copied()) && candidate.len() == kept.len());
                assert!(kept.is_sorted_by(|a, b| a < b) && kept.len() < self.count);
                let verdict = if has_time(tested.len()) { self.verdict(&kept) } else { TestAnswer::OutOfTime };
                assert_eq!(tested.insert(kept.clone(), verdict), None, "{kept:?} is tested twice");
                verdict
            };
            candidates.iter().map(&mut test).collect()
        });
        assert_eq!(minimum.tests, tested.len());
        (minimum, tested)
    }

    fn is_minimal(&self, kept: &[usize]) -> bool {
        (0..kept.len()).all(|index| !self.holds(&[&kept[..index], &kept[index + 1..]].concat()))
    }
}

fn predicates() -> impl Strategy<Value = Predicate> {
    let needed = |count: usize| prop::collection::vec(0..count.max(1), 0..=count.min(6));
    (0usize..70).prop_flat_map(move |count| (Just(count), needed(count), any::<Option<u64>>())).prop_map(
        |(count, needed, whim)| Predicate { count, needed: if count == 0 { Vec::new() } else { needed }, whim },
    )
}

proptest! {
    #[test]
    fn what_is_left_holds_and_nothing_can_be_left_out(predicate in predicates()) {
        let (minimum, _) = predicate.reduce(1, usize::MAX);
        prop_assert!(predicate.holds(&minimum.kept));
        prop_assert!(minimum.is_minimal && predicate.is_minimal(&minimum.kept));
    }

    #[test]
    fn only_what_is_needed_is_left_if_more_does_not_harm(predicate in predicates()) {
        let mut predicate = Predicate { whim: None, ..predicate };
        predicate.needed.sort_unstable();
        predicate.needed.dedup();
        prop_assert_eq!(predicate.reduce(1, usize::MAX).0.kept, predicate.needed);
    }

    #[test]
    fn what_is_left_is_the_same_for_every_width(predicate in predicates()) {
        let (one, _) = predicate.reduce(1, usize::MAX);
        for width in [1, 2, 5] {
            let (same, _) = predicate.reduce(width, usize::MAX);
            prop_assert_eq!((&same.kept, same.is_minimal), (&one.kept, one.is_minimal));
            prop_assert!(same.tests >= one.tests);
        }
    }

    #[test]
    fn when_time_runs_out_the_best_so_far_is_left(predicate in predicates(), width in 1usize..6, budget in 0usize..60) {
        let (minimum, tested) = predicate.reduce(width, budget);
        let is_tested = tested.get(&minimum.kept) == Some(&TestAnswer::Holds);
        prop_assert!(is_tested || minimum.kept.len() == predicate.count);
        prop_assert!(!minimum.is_minimal || predicate.is_minimal(&minimum.kept));
        prop_assert!(minimum.is_minimal || tested.values().any(|&verdict| verdict == TestAnswer::OutOfTime));
    }

    #[test]
    fn a_candidate_that_holds_is_taken_though_there_was_no_time_for_another(
        predicate in predicates(), width in 2usize..6, unlucky in 1usize..20,
    ) {
        let (minimum, tested) = predicate.reduce_if(width, |number| number % (unlucky + 1) != unlucky);
        let is_tested = tested.get(&minimum.kept) == Some(&TestAnswer::Holds);
        prop_assert!(is_tested || minimum.kept.len() == predicate.count);
        prop_assert!(!minimum.is_minimal || predicate.is_minimal(&minimum.kept));
    }

    #[test]
    fn verdicts_behind_one_that_holds_are_not_needed(predicate in predicates(), width in 1usize..6) {
        let terse = ddmin(predicate.count, width, |candidates| {
            let mut verdicts: Vec<_> = candidates.iter().map(|candidate| predicate.verdict(&candidate.to_vec())).collect();
            let first = verdicts.iter().position(|&verdict| verdict == TestAnswer::Holds);
            verdicts.truncate(first.map_or(verdicts.len(), |first| first + 1));
            verdicts
        });
        prop_assert_eq!(terse, predicate.reduce(width, usize::MAX).0);
    }
}

/// The tests of a run, as texts of the digits that are kept.
fn tests_of(count: usize, width: usize, holds: impl Fn(&str) -> bool) -> (Vec<String>, Minimum) {
    let mut tests = Vec::new();
    let minimum = ddmin(count, width, |candidates| {
        let texts =
            candidates.iter().map(|candidate| candidate.iter().map(|index| index.to_string()).collect::<String>());
        let texts: Vec<String> = texts.collect();
        tests.extend(texts.iter().cloned());
        texts.iter().map(|text| if holds(text) { TestAnswer::Holds } else { TestAnswer::Fails }).collect()
    });
    (tests, minimum)
}

#[test]
fn chunks_are_tried_alone_then_left_out_then_halved() {
    let (tests, minimum) = tests_of(8, 1, |text| text.contains('1') && text.contains('6'));
    let halves = ["", "0123", "4567"];
    // Without 23, and then without 45 too. What is left without 01 or 67 was tested before.
    let quarters = ["01", "23", "45", "67", "234567", "014567", "0167"];
    let single = ["0", "1", "6", "7", "167", "17", "16"];
    assert_eq!(tests, [&halves[..], &quarters, &single].concat());
    assert_eq!(minimum, Minimum { kept: vec![1, 6], is_minimal: true, tests: tests.len() });
}

#[test]
fn a_chunk_that_is_enough_is_taken_alone() {
    let (tests, minimum) = tests_of(8, 1, |text| text.contains('5'));
    assert_eq!(tests, ["", "0123", "4567", "45", "4", "5"]);
    assert_eq!(minimum.kept, [5]);
}

#[test]
fn nothing_is_left_if_nothing_is_needed() {
    assert_eq!(tests_of(5, 3, |_| true), (vec![String::new()], Minimum { kept: vec![], is_minimal: true, tests: 1 }));
    assert_eq!(tests_of(0, 3, |_| true), (vec![], Minimum { kept: vec![], is_minimal: true, tests: 0 }));
}

#[test]
fn a_missing_verdict_is_that_time_ran_out() {
    let minimum = ddmin(4, 2, |_| Vec::new());
    assert_eq!(minimum, Minimum { kept: vec![0, 1, 2, 3], is_minimal: false, tests: 1 });
}

#[test]
fn few_of_many_components_are_found_with_few_tests() {
    let needed = [3, 40_000, 40_001, 77_777, 99_999];
    let minimum = ddmin(100_000, 1, |candidates| {
        let holds = |candidate: &Subset| candidate.iter().filter(|index| needed.contains(index)).count() == 5;
        candidates
            .iter()
            .map(|candidate| if holds(candidate) { TestAnswer::Holds } else { TestAnswer::Fails })
            .collect()
    });
    assert_eq!(minimum.kept, needed);
    assert!(minimum.tests < 400, "{} tests", minimum.tests);
}

#[test]
fn many_components_can_be_left_out_one_by_one() {
    // One at a time, down to a half. The test looks only at how many there are: copying all each time would take minutes.
    let count = 100_000;
    let mut left = count;
    let minimum = ddmin(count, 1, |candidates| {
        let holds = candidates[0].len() + 1 == left && left > count / 2;
        left -= usize::from(holds);
        vec![if holds { TestAnswer::Holds } else { TestAnswer::Fails }]
    });
    assert_eq!((minimum.kept.len(), minimum.is_minimal), (count / 2, true));
}
