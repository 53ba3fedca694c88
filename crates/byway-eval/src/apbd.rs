//! The average percentage of branches discovered.

/// How early tests discover what they discover: near 1 if the first ones discover nearly all, near 0 if the last ones do.
///
/// `gains` says of each test, in their order, how many branches it discovers that those before it do not. Tests that discover
/// nothing at all have no such measure.
///
/// With n tests, m branches that they discover, and BC(i) branches that the first i of them discover, it is
/// (BC(1) + … + BC(n - 1)) / nm + 1 / 2n.
pub fn apbd(gains: &[u64]) -> Option<f64> {
    let discovered: u64 = gains.iter().sum();
    if discovered == 0 {
        return None;
    }
    let count = gains.len() as f64;
    // A branch that test i discovers is among those of the first i, i + 1, … n - 1.
    let areas = gains.iter().rev().zip(0u64..).map(|(gain, later)| gain * later);
    Some(areas.sum::<u64>() as f64 / (count * discovered as f64) + 0.5 / count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn of_three_tests() {
        // 4 of 6 branches after the first test, 5 after the second: (4 + 5) / (3 * 6) + 1 / 6.
        assert_eq!(apbd(&[4, 1, 1]), Some(0.5 + 1.0 / 6.0));
        assert_eq!(apbd(&[7]), Some(0.5));
        assert_eq!((apbd(&[0, 0]), apbd(&[])), (None, None));
    }

    proptest! {
        #[test]
        fn is_between_0_and_1(gains in prop::collection::vec(0u64..50, 1..40)) {
            prop_assume!(gains.iter().any(|&gain| gain > 0));
            let apbd = apbd(&gains).unwrap();
            prop_assert!(0.0 < apbd && apbd < 1.0);
        }

        #[test]
        fn is_what_the_formula_says(gains in prop::collection::vec(0u64..50, 1..40)) {
            let total: u64 = gains.iter().sum();
            prop_assume!(total > 0);
            let count = gains.len();
            let first = |tests: usize| gains[..tests].iter().sum::<u64>();
            let sum: u64 = (1..count).map(first).sum();
            let expected = sum as f64 / (count as f64 * total as f64) + 1.0 / (2.0 * count as f64);
            prop_assert!((apbd(&gains).unwrap() - expected).abs() < 1e-12);
        }

        #[test]
        fn the_test_that_discovers_most_is_best_first(gains in prop::collection::vec(0u64..50, 1..40)) {
            let most = (0..gains.len()).max_by_key(|&test| gains[test]).unwrap();
            let mut moved = gains.clone();
            let first = moved.remove(most);
            moved.insert(0, first);
            prop_assert!(apbd(&moved) >= apbd(&gains));
        }
    }
}
