//! Sets of values that a byte can have.

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// No byte.
    pub const EMPTY: ByteSet = ByteSet([0; 4]);
    /// Every byte.
    pub const FULL: ByteSet = ByteSet([u64::MAX; 4]);

    /// The set with one byte.
    pub fn single(byte: u8) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        set.insert(byte);
        set
    }

    /// The bytes for which the lowest bit is set.
    pub fn of_lanes(lanes: &[u64; 256]) -> ByteSet {
        let mut set = [0; 4];
        for (word, lanes) in set.iter_mut().zip(lanes.chunks_exact(64)) {
            *word = lanes.iter().rev().fold(0, |word, lane| word << 1 | (lane & 1));
        }
        ByteSet(set)
    }

    /// Adds a byte.
    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    /// Whether a byte is in it.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }

    /// What is in both.
    pub fn and(self, other: ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// What is not in it.
    pub fn complement(self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// How many bytes are in it.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The bytes, in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=255).filter(move |&byte| self.contains(byte))
    }

    /// The byte itself if it is in the set; else the nearest that is as printable, else the nearest.
    pub fn nearest(&self, byte: u8) -> Option<u8> {
        if self.contains(byte) {
            return Some(byte);
        }
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~');
        self.iter().min_by_key(|&other| (!is_plain(other), byte.abs_diff(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_itself_then_printable_then_any() {
        let mut set = ByteSet::single(3);
        set.insert(200);
        assert_eq!(set.nearest(3), Some(3));
        assert_eq!(set.nearest(190), Some(200));
        set.insert(b'z');
        assert_eq!(set.nearest(190), Some(b'z'));
        assert_eq!(ByteSet::EMPTY.nearest(0), None);
    }

    #[test]
    fn lanes_become_a_set() {
        let mut lanes = [0; 256];
        [0, 63, 64, 255].iter().for_each(|&lane: &usize| lanes[lane] = 1);
        let set = ByteSet::of_lanes(&lanes);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 255]);
        assert_eq!((set.len(), set.complement().len()), (4, 252));
    }
}
