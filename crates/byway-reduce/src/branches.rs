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

/// Words of a block, and those that the compiler can take together.
const BLOCK: usize = 8 * LANES;
const LANES: usize = 4;
type Lanes = [u64; LANES];

/// The bits that are set in what `op` makes of two slices of the same length.
///
/// Harley and Seal's way: words are added bit by bit, as ones, twos, fours and eights, and only the eights are counted each time.
/// For one or two words out of eight bits are counted, which takes most of the time.
fn ones(a: &[u64], b: &[u64], op: impl Fn(u64, u64) -> u64) -> u64 {
    let (a_blocks, b_blocks) = (a.chunks_exact(BLOCK), b.chunks_exact(BLOCK));
    let rest = a_blocks.remainder().iter().zip(b_blocks.remainder());
    let mut count: u64 = rest.map(|(&a, &b)| u64::from(op(a, b).count_ones())).sum();
    let (mut one, mut two, mut four) = ([0; LANES], [0; LANES], [0; LANES]);
    for (a, b) in a_blocks.zip(b_blocks) {
        let word =
            |row: usize| -> Lanes { std::array::from_fn(|lane| op(a[row * LANES + lane], b[row * LANES + lane])) };
        let twos = [0, 2, 4, 6].map(|row| add(&mut one, word(row), word(row + 1)));
        let fours = [0, 2].map(|row| add(&mut two, twos[row], twos[row + 1]));
        let eight = add(&mut four, fours[0], fours[1]);
        count += 8 * count_ones(eight);
    }
    count + 4 * count_ones(four) + 2 * count_ones(two) + count_ones(one)
}

/// Adds two to a sum, bit by bit; returns what is carried.
fn add(sum: &mut Lanes, a: Lanes, b: Lanes) -> Lanes {
    let half: Lanes = std::array::from_fn(|lane| sum[lane] ^ a[lane]);
    let carried = std::array::from_fn(|lane| (sum[lane] & a[lane]) | (half[lane] & b[lane]));
    *sum = std::array::from_fn(|lane| half[lane] ^ b[lane]);
    carried
}

fn count_ones(words: Lanes) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
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
