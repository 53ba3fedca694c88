//! Delta debugging: a small part of something that still does what matters.
//!
//! This is the *ddmin* of Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input* (2002). Components are
//! split into chunks. If one chunk alone will do, the others are left out; else every chunk is left out that can be. Then
//! chunks are halved, down to single components. Where the paper starts from the first chunk again after leaving one out, this
//! goes on with the next, and passes over all until none can be left out: that takes far fewer tests if much can go.

use std::collections::HashSet;
use std::iter;
use std::ops::Range;

/// Components that may be enough: indices, ascending.
#[derive(Debug, Clone, Copy)]
pub struct Subset<'a> {
    /// Not copied: most candidates are nearly all components, and most do not hold.
    parts: [&'a [usize]; 3],
}

impl Subset<'_> {
    /// The components, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.parts.into_iter().flatten().copied()
    }

    /// The components, ascending.
    pub fn to_vec(&self) -> Vec<usize> {
        self.parts.concat()
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a test says of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestAnswer {
    /// What must hold does, with these components alone.
    Holds,
    /// It does not.
    Fails,
    /// Nobody knows, and there is no time to find out.
    OutOfTime,
}

/// What is left of the components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minimum {
    /// The components, ascending. They hold.
    pub kept: Vec<usize>,
    /// Whether it is known that without any one of them it fails. Not if time ran out.
    pub is_minimal: bool,
    /// How many candidates were tested.
    pub tests: usize,
}

/// Leaves out as many of `count` components as it can. All of them together are taken to hold, and are not tested.
///
/// `test` is given up to `width` candidates, which may be tested at the same time, and says what each of them is, in their
/// order. The first that holds is taken; those behind it need no verdict. So `width` changes how many are tested, but not what
/// is left.
/// If none holds and a verdict is [`TestAnswer::OutOfTime`] or not there, the best so far is the result.
///
/// No candidate is tested twice: a number of 16 bytes is remembered of each. The first is the empty one.
///
/// ```
/// use byway_reduce::{Subset, TestAnswer, ddmin};
///
/// let text: Vec<char> = "f(a + b) * c".chars().collect();
/// let is_call = |candidate: &Subset| {
///     let kept: String = candidate.iter().map(|index| text[index]).collect();
///     if kept.contains("f(") && kept.contains(')') { TestAnswer::Holds } else { TestAnswer::Fails }
/// };
/// let minimum = ddmin(text.len(), 1, |candidates| candidates.iter().map(is_call).collect());
/// assert_eq!(minimum.kept, [0, 1, 7]);
/// assert!(minimum.is_minimal);
/// ```
pub fn ddmin(count: usize, width: usize, test: impl FnMut(&[Subset]) -> Vec<TestAnswer>) -> Minimum {
    let all = Partition::whole((0..count).collect());
    let seen = HashSet::from([sum(&all.components)]);
    let mut search = Search { best: all, width: width.max(1), test, seen, tests: 0 };
    let is_minimal = search.run().is_ok();
    Minimum { kept: search.best.components, is_minimal, tests: search.tests }
}

/// Components in chunks.
#[derive(Default)]
struct Partition {
    components: Vec<usize>,
    /// The lengths of the chunks; none is empty.
    lengths: Vec<usize>,
}

impl Partition {
    fn whole(components: Vec<usize>) -> Self {
        let lengths = iter::once(components.len()).filter(|&length| length > 0).collect();
        Partition { components, lengths }
    }

    fn push(&mut self, chunk: &[usize]) {
        self.components.extend_from_slice(chunk);
        self.lengths.push(chunk.len());
    }

    fn chunks(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let chunk = |&length: &usize| {
            end += length;
            end - length..end
        };
        self.lengths.iter().map(chunk).collect()
    }

    fn is_finest(&self) -> bool {
        self.lengths.iter().all(|&length| length == 1)
    }

    fn halve(&mut self) {
        let halves = |length: usize| [length.div_ceil(2), length / 2];
        self.lengths = self.lengths.iter().copied().flat_map(halves).filter(|&length| length > 0).collect();
    }
}

struct OutOfTime;

struct Search<T> {
    best: Partition,
    width: usize,
    test: T,
    /// The sums of all candidates that were tested. One that is seen again does not hold: of those that do, one is taken. The
    /// others have a component that this one lacks, and no later candidate has one.
    seen: HashSet<u128>,
    tests: usize,
}

impl<T: FnMut(&[Subset]) -> Vec<TestAnswer>> Search<T> {
    fn run(&mut self) -> Result<(), OutOfTime> {
        loop {
            if let Some(chunk) = self.chunk_that_holds()? {
                self.best = Partition::whole(self.best.components[chunk].to_vec());
            }
            while self.leave_out()? {}
            if self.best.is_finest() {
                return Ok(());
            }
            self.best.halve();
        }
    }

    /// The first chunk that is enough.
    fn chunk_that_holds(&mut self) -> Result<Option<Range<usize>>, OutOfTime> {
        let components = &self.best.components;
        let mut chunks = self.best.chunks().into_iter();
        loop {
            let untested = |chunk: &Range<usize>| self.seen.insert(sum(&components[chunk.clone()]));
            let batch: Vec<_> = chunks.by_ref().filter(untested).take(self.width).collect();
            if batch.is_empty() {
                return Ok(None);
            }
            let candidate = |chunk: &Range<usize>| Subset { parts: [&components[chunk.clone()], &[], &[]] };
            let candidates: Vec<_> = batch.iter().map(candidate).collect();
            self.tests += candidates.len();
            if let Some(first) = first_that_holds(&candidates, &mut self.test)? {
                return Ok(Some(batch[first].clone()));
            }
        }
    }

    /// Tries to leave out every chunk, one after the other. Says whether any was left out.
    fn leave_out(&mut self) -> Result<bool, OutOfTime> {
        let old = std::mem::take(&mut self.best);
        let chunks = old.chunks();
        let mut next = 0;
        let result = self.leave_out_each(&old.components, &chunks, &mut next);
        chunks[next..].iter().for_each(|chunk| self.best.push(&old.components[chunk.clone()]));
        result.map(|()| self.best.lengths.len() < chunks.len())
    }

    /// Moves what stays to the best, chunk by chunk: chunks before `next` are done with, the others are still to be moved.
    fn leave_out_each(
        &mut self,
        components: &[usize],
        chunks: &[Range<usize>],
        next: &mut usize,
    ) -> Result<(), OutOfTime> {
        let part = |chunk: usize| &components[chunks[chunk].clone()];
        let mut total = sum(components);
        loop {
            let untested = |&chunk: &usize| self.seen.insert(total.wrapping_sub(sum(part(chunk))));
            let batch: Vec<usize> = (*next..chunks.len()).filter(untested).take(self.width).collect();
            let Some(&last) = batch.last() else { return Ok(()) };
            let (done, start) = (&self.best.components, chunks[*next].start);
            let without = |&chunk: &usize| Subset {
                parts: [done, &components[start..chunks[chunk].start], &components[chunks[chunk].end..]],
            };
            let candidates: Vec<_> = batch.iter().map(without).collect();
            self.tests += candidates.len();
            let found = first_that_holds(&candidates, &mut self.test)?.map(|first| batch[first]);
            let stay = *next..found.unwrap_or(last + 1);
            *next = found.unwrap_or(last) + 1;
            stay.for_each(|chunk| self.best.push(part(chunk)));
            total = total.wrapping_sub(found.map_or(0, |chunk| sum(part(chunk))));
        }
    }
}

fn first_that_holds(
    candidates: &[Subset],
    test: &mut impl FnMut(&[Subset]) -> Vec<TestAnswer>,
) -> Result<Option<usize>, OutOfTime> {
    let verdicts = test(candidates);
    let first = verdicts.iter().position(|&verdict| verdict == TestAnswer::Holds);
    let all_failed = verdicts.len() >= candidates.len() && verdicts.iter().all(|&verdict| verdict == TestAnswer::Fails);
    if first.is_none() && !all_failed { Err(OutOfTime) } else { Ok(first) }
}

/// A number that no other set of components has, as good as certainly. Leaving a part out subtracts its sum.
fn sum(components: &[usize]) -> u128 {
    let number = |&component: &usize| {
        let component = component as u64;
        u128::from(mixed(2 * component)) << 64 | u128::from(mixed(2 * component + 1))
    };
    components.iter().map(number).fold(0, u128::wrapping_add)
}

/// The finisher of SplitMix64.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
