//! Sets of branches, as bits.

/// The branches that a test covers, each known by its number.
#[derive(Debug, Clone, Default)]
pub struct Branches {
    words: Vec<u64>,
}

impl Branches {
    /// Adds a branch.
    pub fn insert(&mut self, branch: usize) {
        let word = branch / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (branch % 64);
    }

    /// Whether a branch is among them.
    pub fn contains(&self, branch: usize) -> bool {
        self.words.get(branch / 64).is_some_and(|word| word >> (branch % 64) & 1 == 1)
    }

    /// All of them, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..64 * self.words.len()).filter(|&branch| self.contains(branch))
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        ones(&self.words, &self.words, |word, _| word)
    }

    /// How many of them `others` lacks.
    pub fn count_without(&self, others: &Branches) -> u64 {
        let common = self.words.len().min(others.words.len());
        let (both, beyond) = self.words.split_at(common);
        ones(both, &others.words[..common], |word, other| word & !other) + ones(beyond, beyond, |word, _| word)
    }

    /// How many are in one of the two sets only: the Hamming distance.
    pub fn distance(&self, other: &Branches) -> u64 {
        let common = self.words.len().min(other.words.len());
        let ((a, a_beyond), (b, b_beyond)) = (self.words.split_at(common), other.words.split_at(common));
        ones(a, b, |a, b| a ^ b) + ones(a_beyond, a_beyond, |word, _| word) + ones(b_beyond, b_beyond, |word, _| word)
    }

    /// Adds all of `others`.
    pub fn extend_from(&mut self, others: &Branches) {
        if others.words.len() > self.words.len() {
            self.words.resize(others.words.len(), 0);
        }
        self.words.iter_mut().zip(&others.words).for_each(|(word, other)| *word |= other);
    }

    /// Leaves those that `others` has too.
    pub fn retain_from(&mut self, others: &Branches) {
        self.words.truncate(others.words.len());
        self.words.iter_mut().zip(&others.words).for_each(|(word, other)| *word &= other);
    }

    /// Leaves none.
    pub fn clear(&mut self) {
        self.words.clear();
    }
}

impl FromIterator<usize> for Branches {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut branches = Branches::default();
        numbers.into_iter().for_each(|branch| branches.insert(branch));
        branches
    }
}

/// Words that the compiler takes together.
const LANES: usize = 4;
/// Words that are added before bits are counted.
const BLOCK: usize = 8 * LANES;

/// The bits that are set in what `op` makes of two slices of the same length.
///
/// Harley and Seal's way: of eight words and what was left before, each bit is added up to ones, twos, fours and an eight. Only
/// the eights are counted each time, since counting costs more than adding.
fn ones(a: &[u64], b: &[u64], op: impl Fn(u64, u64) -> u64) -> u64 {
    let (a_blocks, b_blocks) = (a.chunks_exact(BLOCK), b.chunks_exact(BLOCK));
    let rest = a_blocks.remainder().iter().zip(b_blocks.remainder());
    let mut count: u64 = rest.map(|(&a, &b)| u64::from(op(a, b).count_ones())).sum();
    let (mut one, mut two, mut four) = ([0; LANES], [0; LANES], [0; LANES]);
    for (a, b) in a_blocks.zip(b_blocks) {
        for lane in 0..LANES {
            let word = |row: usize| op(a[row * LANES + lane], b[row * LANES + lane]);
            // Written out: in a closure for each pair, the compiler does not take lanes together.
            let two_a = add(&mut one[lane], word(0), word(1));
            let two_b = add(&mut one[lane], word(2), word(3));
            let four_a = add(&mut two[lane], two_a, two_b);
            let two_a = add(&mut one[lane], word(4), word(5));
            let two_b = add(&mut one[lane], word(6), word(7));
            let four_b = add(&mut two[lane], two_a, two_b);
            count += 8 * u64::from(add(&mut four[lane], four_a, four_b).count_ones());
        }
    }
    let set = |words: [u64; LANES]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    count + 4 * set(four) + 2 * set(two) + set(one)
}

/// Adds two words to a sum, each bit by itself. Returns what is carried.
fn add(sum: &mut u64, a: u64, b: u64) -> u64 {
    let half = *sum ^ a;
    let carried = (*sum & a) | (half & b);
    *sum = half ^ b;
    carried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_different_lengths_are_compared() {
        let few = Branches::from_iter([1, 2]);
        let many = Branches::from_iter([2, 63, 64, 1000]);
        assert_eq!((few.count(), many.count()), (2, 4));
        assert_eq!((few.count_without(&many), many.count_without(&few)), (1, 3));
        assert_eq!((few.distance(&many), many.distance(&few)), (4, 4));

        let mut all = few.clone();
        all.extend_from(&many);
        assert_eq!((all.count(), all.distance(&many)), (5, 1));
        all.clear();
        assert_eq!((all.count(), many.count_without(&all)), (0, 4));
    }
}
