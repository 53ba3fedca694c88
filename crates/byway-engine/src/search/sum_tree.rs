//! Choosing by weight.

/// Weights in a binary tree of their sums: changing one and choosing one by weight cost the logarithm of their number.
/// Every sum is computed from the two below it, never adjusted, so errors of rounding do not pile up.
#[derive(Debug, Default)]
pub(super) struct SumTree {
    /// Node i has its parts at 2 i and 2 i + 1; the weights are the second half.
    sums: Vec<f64>,
}

impl SumTree {
    fn capacity(&self) -> usize {
        self.sums.len() / 2
    }

    pub fn total(&self) -> f64 {
        self.sums.get(1).copied().unwrap_or(0.0)
    }

    pub fn get(&self, index: usize) -> f64 {
        self.sums.get(self.capacity() + index).copied().unwrap_or(0.0)
    }

    pub fn set(&mut self, index: usize, weight: f64) {
        if index >= self.capacity() {
            self.grow(index + 1);
        }
        let mut node = self.capacity() + index;
        self.sums[node] = weight;
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }

    /// Sets all weights at once.
    pub fn fill(&mut self, weights: impl ExactSizeIterator<Item = f64>) {
        let capacity = weights.len().next_power_of_two().max(self.capacity()).max(1);
        self.sums = vec![0.0; 2 * capacity];
        for (leaf, weight) in self.sums[capacity..].iter_mut().zip(weights) {
            *leaf = weight;
        }
        for node in (1..capacity).rev() {
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }

    fn grow(&mut self, count: usize) {
        let weights = self.sums.split_off(self.capacity());
        let missing = count.next_power_of_two() - weights.len();
        let all: Vec<f64> = weights.into_iter().chain(std::iter::repeat_n(0.0, missing)).collect();
        self.fill(all.into_iter());
    }

    /// The index at a part, from 0 to 1, of all weight. None if there is none.
    pub fn at(&self, part: f64) -> Option<usize> {
        let (mut node, mut rest) = (1, part * self.total());
        if self.total() <= 0.0 {
            return None;
        }
        while node < self.capacity() {
            let (left, right) = (self.sums[2 * node], self.sums[2 * node + 1]);
            let goes_left = rest < left || right <= 0.0;
            rest -= if goes_left { 0.0 } else { left };
            node = 2 * node + usize::from(!goes_left);
        }
        Some(node - self.capacity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_falls_to_an_index_is_its_weight() {
        let mut sums = SumTree::default();
        for (index, weight) in [(0, 1.0), (3, 2.0), (9, 1.0)] {
            sums.set(index, weight);
        }
        assert_eq!(sums.total(), 4.0);
        let chosen: Vec<_> = [0.0, 0.24, 0.25, 0.74, 0.75, 0.999].iter().map(|&part| sums.at(part).unwrap()).collect();
        assert_eq!(chosen, [0, 0, 3, 3, 9, 9]);
    }

    #[test]
    fn nothing_is_left_of_weights_that_were_removed() {
        let mut sums = SumTree::default();
        (0..100).for_each(|index| sums.set(index, 0.1 * index as f64));
        (0..100).for_each(|index| sums.set(index, 0.0));
        assert_eq!((sums.total(), sums.at(0.5)), (0.0, None));
    }
}
