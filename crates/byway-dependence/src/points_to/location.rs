//! Places in objects.

use rustc_hash::FxHashMap;

/// An object: something that has an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A local variable: the function, and the instruction that makes room for it.
    Local(u32, u32),
    /// What a call allocates: the function, and the instruction.
    Heap(u32, u32),
    /// A global variable.
    Global(u32),
    /// A function.
    Function(u32),
    /// A function without a body.
    External(u32),
    /// The variable arguments of a function.
    Arguments(u32),
    /// All memory of libraries and of the system.
    Foreign,
}

/// The number of an object.
pub type ObjectId = u32;
/// The number of a location.
pub type LocationId = u32;

/// A set of places in an object: `low`, and every `stride` bytes from there on up to `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The object.
    pub object: ObjectId,
    /// The first place.
    pub low: u32,
    /// The last one.
    pub high: u32,
    /// How far it is from one to the next; 0 if there is only one.
    pub stride: u32,
}

impl Location {
    /// The beginning of an object.
    pub fn start(object: ObjectId) -> Location {
        Location { object, low: 0, high: 0, stride: 0 }
    }

    /// Any place in an object of this size.
    pub fn anywhere(object: ObjectId, size: u32) -> Location {
        Location::new(object, 0, size.saturating_sub(1), 1)
    }

    fn new(object: ObjectId, low: u32, high: u32, stride: u32) -> Location {
        if stride == 0 || low + (high - low) / stride * stride == low {
            return Location { object, low, high: low, stride: 0 };
        }
        Location { object, low, high: low + (high - low) / stride * stride, stride }
    }

    /// So many bytes behind these places. `None` if all of that is outside of an object of this size.
    pub fn behind(self, bytes: i64, size: u32) -> Option<Location> {
        let low = i64::from(self.low) + bytes;
        let high = i64::from(self.high) + bytes;
        if self.stride == 0 {
            let is_inside = (0..=i64::from(size)).contains(&low);
            return is_inside.then_some(Location { low: low as u32, high: low as u32, ..self });
        }
        // Some of the places may be outside.
        let stride = i64::from(self.stride);
        let low = if low < 0 { low.rem_euclid(stride) } else { low };
        let high = high.min(i64::from(size));
        (low <= high).then(|| Location::new(self.object, low as u32, high as u32, self.stride))
    }

    /// Any number of steps away, or any of so many steps forward.
    pub fn stepped(self, stride: u64, count: Option<u64>, size: u32) -> Location {
        let Some(stride) = u32::try_from(stride).ok().filter(|&stride| stride > 0) else {
            return if stride == 0 { self } else { Location::anywhere(self.object, size) };
        };
        let common = gcd(stride, self.stride);
        let last = size.saturating_sub(1);
        match count {
            Some(count) => {
                let reach = u64::from(self.high) + (count.saturating_sub(1)).saturating_mul(stride.into());
                let high = u32::try_from(reach).unwrap_or(u32::MAX).min(last.max(self.low));
                Location::new(self.object, self.low, high.max(self.low), common)
            }
            None => {
                let low = self.low % common;
                Location::new(self.object, low, last.max(low), common)
            }
        }
    }

    /// Whether so many bytes at one of these places and so many at one of others may have a byte in common.
    pub fn overlaps(self, size: u32, other: Location, other_size: u32) -> bool {
        let ends = |location: Location, size: u32| u64::from(location.high) + u64::from(size);
        let is_apart = ends(self, size) <= u64::from(other.low) || ends(other, other_size) <= u64::from(self.low);
        if self.object != other.object || is_apart {
            return false;
        }
        let common = gcd(self.stride, other.stride);
        if common == 0 {
            return true;
        }
        let apart = (i64::from(other.low) - i64::from(self.low)).rem_euclid(common.into()) as u32;
        apart < size || common - apart < other_size
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Things by number, each once.
#[derive(Debug)]
pub struct Interner<T> {
    ids: FxHashMap<T, u32>,
    all: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { ids: FxHashMap::default(), all: Vec::new() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Interner<T> {
    /// The number of something, and whether it is new.
    pub fn id(&mut self, value: T) -> (u32, bool) {
        let next = self.all.len() as u32;
        let id = *self.ids.entry(value).or_insert(next);
        if id == next {
            self.all.push(value);
        }
        (id, id == next)
    }

    /// What has a number.
    pub fn get(&self, id: u32) -> T {
        self.all[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(low: u32) -> Location {
        Location { low, high: low, ..Location::start(0) }
    }

    #[test]
    fn elements_of_an_array_keep_their_members_apart() {
        // An array of 10 structures of 16 bytes, with members at 0 and 8.
        let element = at(0).stepped(16, Some(10), 160);
        let (first, second) = (element.behind(0, 160).unwrap(), element.behind(8, 160).unwrap());
        assert!(!first.overlaps(8, second, 8) && first.overlaps(9, second, 1));
        assert!(first.overlaps(4, at(32), 4) && !second.overlaps(4, at(32), 4));
    }

    #[test]
    fn a_pointer_that_is_moved_gets_to_all_of_its_object_in_its_steps() {
        let moved = at(8).stepped(4, None, 22);
        assert_eq!((moved.low, moved.high, moved.stride), (0, 20, 4));
        assert_eq!(moved.stepped(6, None, 22).stride, 2);
        assert_eq!(at(4).behind(-8, 22), None);
        assert_eq!(moved.behind(-4, 22).map(|location| location.low), Some(0));
    }

    #[test]
    fn an_array_in_a_structure_does_not_reach_its_neighbours() {
        let text = at(4).stepped(1, Some(8), 16);
        assert!(!text.overlaps(1, at(0), 4) && !text.overlaps(1, at(12), 4) && text.overlaps(1, at(11), 1));
    }
}
