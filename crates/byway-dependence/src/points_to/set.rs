//! Sets of numbers.

/// A sorted list of numbers. Most sets of locations have a few members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Set(Vec<u32>);

impl Set {
    /// Its members, in order.
    pub fn members(&self) -> &[u32] {
        &self.0
    }

    /// Adds the members of a sorted list. What was new, in order.
    pub fn add(&mut self, others: &[u32]) -> Vec<u32> {
        let mut new = Vec::new();
        let mut from = 0;
        for &other in others {
            match self.0[from..].binary_search(&other) {
                Ok(at) => from += at + 1,
                Err(at) => {
                    from += at;
                    new.push(other);
                }
            }
        }
        if !new.is_empty() {
            self.0 = merged(&self.0, &new);
        }
        new
    }
}

/// Two sorted lists without common members as one.
fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] < b[j] {
            all.push(a[i]);
            i += 1;
        } else {
            all.push(b[j]);
            j += 1;
        }
    }
    all.extend_from_slice(&a[i..]);
    all.extend_from_slice(&b[j..]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_is_not_new() {
        let mut set = Set::default();
        assert_eq!(set.add(&[2, 5, 9]), [2, 5, 9]);
        assert_eq!(set.add(&[1, 5, 7, 9, 12]), [1, 7, 12]);
        assert_eq!(set.members(), [1, 2, 5, 7, 9, 12]);
    }
}
