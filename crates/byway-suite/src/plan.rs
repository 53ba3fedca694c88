//! How many tests to run, if not all.
//!
//! Of N tests, m come near a bug. Of k that are chosen at random, none does with the probability C(N-m, k) / C(N, k).

/// Beyond this, the logarithm of a probability is that of nothing.
const NOTHING: f64 = -800.0;

/// The chance that at least one of `run` tests, chosen at random of `tests`, is one of `exposing`.
pub fn chance(tests: u64, exposing: u64, run: u64) -> f64 {
    let (exposing, run) = (exposing.min(tests), run.min(tests));
    if exposing == 0 || run == 0 {
        return 0.0;
    }
    if exposing + run > tests {
        return 1.0;
    }
    // Who is chosen and who is exposing can change places: the product with fewer factors is the same.
    let (few, many) = (exposing.min(run), exposing.max(run));
    let mut missed = 0.0;
    for index in 0..few {
        missed += (-(many as f64) / (tests - index) as f64).ln_1p();
        if missed < NOTHING {
            return 1.0;
        }
    }
    -missed.exp_m1()
}

/// The smallest number of tests to run for at least this chance. `None` if no number does.
pub fn smallest_run(tests: u64, exposing: u64, wanted: f64) -> Option<u64> {
    if exposing == 0 || tests == 0 {
        return (wanted <= 0.0).then_some(0);
    }
    let (mut low, mut high) = (0, tests);
    while low < high {
        let middle = low + (high - low) / 2;
        if chance(tests, exposing, middle) >= wanted {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    (chance(tests, exposing, low) >= wanted).then_some(low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn binomial(n: u128, k: u128) -> u128 {
        (0..k).fold(1, |product, index| product * (n - index) / (index + 1))
    }

    proptest! {
        #[test]
        fn chances_are_those_of_the_formula(tests in 1u64..60, exposing in 0u64..60, run in 0u64..60) {
            let (exposing, run) = (exposing % (tests + 1), run % (tests + 1));
            let all = binomial(tests.into(), run.into());
            let missed = if run > tests - exposing { 0 } else { binomial((tests - exposing).into(), run.into()) };
            let exact = (all - missed) as f64 / all as f64;
            prop_assert!((chance(tests, exposing, run) - exact).abs() < 1e-12);
        }

        #[test]
        fn the_smallest_run_is_the_smallest(tests in 1u64..500, exposing in 1u64..500, wanted in 0.01f64..1.0) {
            let exposing = exposing % tests + 1;
            let run = smallest_run(tests, exposing, wanted).unwrap();
            prop_assert!(chance(tests, exposing, run) >= wanted);
            prop_assert!(run == 0 || chance(tests, exposing, run - 1) < wanted);
        }
    }

    #[test]
    fn large_suites_are_no_problem() {
        // One test of a million: the chance is exactly the share that is run.
        assert!((chance(1_000_000, 1, 250_000) - 0.25).abs() < 1e-12);
        assert!((chance(1_000_000_000_000, 1_000_000, 1_000_000) - (1.0 - f64::exp(-1.0))).abs() < 1e-5);
        assert_eq!(smallest_run(1_000_000_000, 1, 0.5), Some(500_000_000));
        assert_eq!(chance(u64::from(u32::MAX), 1 << 30, 1 << 30), 1.0);
    }

    #[test]
    fn without_exposing_tests_nothing_helps() {
        assert_eq!(chance(100, 0, 100), 0.0);
        assert_eq!(smallest_run(100, 0, 0.5), None);
    }
}
