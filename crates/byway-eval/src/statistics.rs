//! What is said of many numbers at once.

use serde::Serialize;

/// Below this, a difference is not taken for chance.
pub const SIGNIFICANT: f64 = 0.05;

/// The middle of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Center {
    /// Their average.
    pub mean: f64,
    /// As many of them are less as are more.
    pub median: f64,
}

/// From where to where some numbers go.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The least.
    pub min: f64,
    /// As many of them are less as are more.
    pub median: f64,
    /// The greatest.
    pub max: f64,
}

impl Center {
    /// Of these. None have none.
    pub fn of(values: &[f64]) -> Option<Center> {
        Some(Center { mean: mean(values)?, median: median(values)? })
    }
}

impl Spread {
    /// Of these. None have none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let min = values.iter().copied().min_by(f64::total_cmp)?;
        let max = values.iter().copied().max_by(f64::total_cmp)?;
        Some(Spread { min, median: median(values)?, max })
    }
}

/// The average.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The one in the middle, or the average of the two there.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        count if count % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// The standard deviation, estimated from a sample. That of one number is 0.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1).max(1) as f64).sqrt())
}

/// How likely samples of the same numbers differ as much as these: Wilcoxon's rank sum test (that of Mann and Whitney), on both
/// sides, by the normal distribution, corrected for ties and for continuity. Samples without numbers have no answer.
pub fn rank_sum_p(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let (rank_sum, ties) = ranked(a, b);
    let (a, b) = (a.len() as f64, b.len() as f64);
    let both = a + b;
    let variance = a * b / 12.0 * (both + 1.0 - ties / (both * (both - 1.0)));
    // How far the sum is from what it is when samples do not differ.
    let far = (rank_sum - a * (both + 1.0) / 2.0).abs() - 0.5;
    // All numbers are the same if there is no variance.
    if far <= 0.0 || variance <= 0.0 {
        return Some(1.0);
    }
    Some(libm::erfc(far / (2.0 * variance).sqrt()))
}

/// The sum of the ranks that the numbers of `a` have among all; and the sum of n³ - n over all groups of n equal numbers.
fn ranked(a: &[f64], b: &[f64]) -> (f64, f64) {
    let mut all: Vec<(f64, bool)> = a.iter().map(|&value| (value, true)).collect();
    all.extend(b.iter().map(|&value| (value, false)));
    all.sort_by(|(x, _), (y, _)| x.total_cmp(y));
    let (mut before, mut rank_sum, mut ties) = (0.0, 0.0, 0.0);
    for group in all.chunk_by(|(x, _), (y, _)| x == y) {
        let count = group.len() as f64;
        let of_a = group.iter().filter(|(_, is_of_a)| *is_of_a).count() as f64;
        rank_sum += of_a * (before + (count + 1.0) / 2.0);
        ties += count.powi(3) - count;
        before += count;
    }
    (rank_sum, ties)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn assert_p(a: &[f64], b: &[f64], expected: f64) {
        let p = rank_sum_p(a, b).unwrap();
        assert!((p - expected).abs() < 1e-9, "{p} is not {expected}");
    }

    /// The numbers are those of SciPy's `mannwhitneyu(a, b, method="asymptotic")`, which are R's `wilcox.test(a, b, exact=FALSE)`.
    #[test]
    fn rank_sum_is_what_others_say() {
        assert_p(&[19., 22., 16., 29., 24.], &[20., 11., 17., 12.], 0.11134688653314041);
        let (a, b) = ([19., 22., 16., 29., 24., 28., 7., 10., 30.], [20., 11., 17., 12., 5., 31., 18., 2., 34.]);
        assert_p(&a, &b, 0.47992869214595724);
    }

    #[test]
    fn ties_share_their_ranks() {
        assert_p(&[1., 2., 3., 4., 5., 6.], &[6., 7., 8., 9., 10.], 0.010411098147110422);
    }

    #[test]
    fn equal_samples_do_not_differ() {
        assert_p(&[3.0; 150], &[3.0; 150], 1.0);
        assert_p(&[0.0], &[-0.0], 1.0);
        assert_p(&[1.0], &[1.0], 1.0);
        assert_eq!(rank_sum_p(&[], &[1.0]), None);
    }

    #[test]
    fn samples_apart_differ() {
        assert!(rank_sum_p(&[1.0; 150], &[2.0; 150]).unwrap() < 1e-60);
    }

    #[test]
    fn the_middle_of_few_numbers() {
        assert_eq!(Spread::of(&[4.0, 1.0, 3.0]), Some(Spread { min: 1.0, median: 3.0, max: 4.0 }));
        assert_eq!(Center::of(&[4.0, 1.0]), Some(Center { mean: 2.5, median: 2.5 }));
        assert_eq!((deviation(&[1.0, 3.0]), deviation(&[5.0])), (Some(2.0_f64.sqrt()), Some(0.0)));
        assert_eq!((Spread::of(&[]), Center::of(&[]), deviation(&[])), (None, None, None));
    }

    proptest! {
        #[test]
        fn p_is_a_probability_whichever_sample_is_first(
            a in prop::collection::vec(-5i8..5, 1..40), b in prop::collection::vec(-5i8..5, 1..40),
        ) {
            let [a, b] = [a, b].map(|sample| sample.into_iter().map(f64::from).collect::<Vec<_>>());
            let (p, swapped) = (rank_sum_p(&a, &b).unwrap(), rank_sum_p(&b, &a).unwrap());
            prop_assert!((0.0..=1.0).contains(&p));
            prop_assert!((p - swapped).abs() < 1e-9);
        }
    }
}
