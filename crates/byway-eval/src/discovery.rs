//! What is discovered when a suite is explored from, one seed after the other, and when.

use crate::Found;

/// The branches that are discovered: those that no seed of the suite covers as it is.
#[derive(Debug, Default, PartialEq)]
pub struct Discovery {
    /// How many each seed adds to those before it.
    pub gains: Vec<u64>,
    /// When each was discovered, in seconds from the start, ascending.
    pub seconds: Vec<f64>,
}

impl Discovery {
    /// Explores from each seed for `budget` seconds. `finds` says what each finds, in the order of time; `covered`, which
    /// branches do not count.
    pub fn of<'a>(finds: impl IntoIterator<Item = &'a [Found]>, covered: &[bool], budget: f64) -> Discovery {
        let mut known = covered.to_vec();
        let mut discovery = Discovery::default();
        for found in finds {
            let start = discovery.gains.len() as f64 * budget;
            let before = discovery.seconds.len();
            for found in found {
                if !std::mem::replace(&mut known[found.branch as usize], true) {
                    discovery.seconds.push(start + found.seconds);
                }
            }
            discovery.gains.push((discovery.seconds.len() - before) as u64);
        }
        discovery
    }

    /// How many branches there are.
    pub fn count(&self) -> f64 {
        self.seconds.len() as f64
    }

    /// How many branches are discovered at a time, on average over all of `duration`: the area under the curve.
    pub fn area(&self, duration: f64) -> f64 {
        if duration <= 0.0 {
            return self.count();
        }
        self.seconds.iter().fold(0.0, |sum, seconds| sum + (duration - seconds) / duration)
    }

    /// Adds to each point how many branches are discovered by then. Points have the same distance, from 0 to `duration`.
    pub fn add_to(&self, points: &mut [f64], duration: f64) {
        let last = (points.len() - 1) as f64;
        let mut known = 0;
        for (number, point) in points.iter_mut().enumerate() {
            let now = duration * number as f64 / last;
            known += self.seconds[known..].partition_point(|&seconds| seconds <= now);
            *point += known as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(finds: &[(f64, u32)]) -> Vec<Found> {
        finds.iter().map(|&(seconds, branch)| Found { seconds, branch }).collect()
    }

    /// Two seeds of 10 seconds each. One covers branch 0, both find branch 2.
    fn discovery() -> Discovery {
        let finds = [found(&[(1.0, 0), (5.0, 1), (6.0, 2)]), found(&[(1.0, 2), (10.0, 3)])];
        Discovery::of(finds.iter().map(Vec::as_slice), &[true, false, false, false], 10.0)
    }

    #[test]
    fn a_branch_is_discovered_once() {
        assert_eq!(discovery(), Discovery { gains: vec![2, 1], seconds: vec![5.0, 6.0, 20.0] });
    }

    #[test]
    fn the_area_is_the_average_of_the_curve() {
        assert_eq!(discovery().area(20.0), 15.0 / 20.0 + 14.0 / 20.0);
    }

    #[test]
    fn a_curve_starts_at_nothing_and_ends_at_all() {
        let mut points = [0.0; 5];
        discovery().add_to(&mut points, 20.0);
        assert_eq!(points, [0.0, 1.0, 2.0, 2.0, 3.0]);
    }
}
