//! What runs have covered, as searchers see it.

use byway_map::{BlockId, Distances};

use crate::goals::Goals;

/// How often blocks ran, and how far the others are. Distances are computed again only when they are asked for after a run
/// has covered something new.
#[derive(Debug, Default)]
pub struct BlockCoverage {
    goals: Goals,
    /// How many runs came by each block.
    hits: Vec<u32>,
    runs: u32,
    distances: Distances,
    /// Counts the runs that covered something new, from 1.
    version: u32,
    distances_version: u32,
}

impl BlockCoverage {
    /// Nothing of a program is covered yet.
    pub fn new(goals: Goals) -> Self {
        BlockCoverage { hits: vec![0; goals.block_count()], goals, version: 1, ..BlockCoverage::default() }
    }

    /// Notes the blocks of a run. Returns those that no run had covered.
    pub fn record(&mut self, blocks: &[BlockId]) -> Vec<BlockId> {
        self.runs += 1;
        let fresh: Vec<BlockId> = blocks.iter().copied().filter(|&block| self.hit(block) == 1).collect();
        self.version += u32::from(!fresh.is_empty());
        fresh
    }

    fn hit(&mut self, block: BlockId) -> u32 {
        if self.hits.len() <= block.index() {
            self.hits.resize(block.index() + 1, 0);
        }
        let hits = &mut self.hits[block.index()];
        *hits = hits.saturating_add(1);
        *hits
    }

    /// How many runs came by a block.
    pub fn hits(&self, block: BlockId) -> u32 {
        self.hits.get(block.index()).copied().unwrap_or(0)
    }

    /// How many runs there were.
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// How many of the blocks that count are covered, and how many count.
    pub fn covered(&self) -> (usize, usize) {
        let wanted = self.hits.iter().zip((0..).map(BlockId::new)).filter(|&(_, block)| self.goals.is_wanted(block));
        let covered = wanted.clone().filter(|&(&hits, _)| hits > 0).count();
        (covered, wanted.count())
    }

    /// How many blocks the program has.
    pub fn block_count(&self) -> usize {
        self.goals.block_count()
    }

    /// A number that changes when the distances may have changed.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// A weight for an unknown block, then for each block: 1/(d+1)^2 if it takes d blocks from it to cover something new, `far` if
    /// there is no way.
    pub fn nearness(&mut self, far: f64) -> Vec<f64> {
        let blocks = self.block_count() as u32;
        let distances = self.distances();
        let weight =
            |block| distances.of(BlockId::new(block)).map_or(far, |distance| (f64::from(distance) + 1.0).powi(-2));
        std::iter::once(far).chain((0..blocks).map(weight)).collect()
    }

    /// The distances to what is not covered now.
    pub fn distances(&mut self) -> &Distances {
        if self.distances_version != self.version {
            self.distances = self.goals.distances(|block| self.hits[block.index()] > 0);
            self.distances_version = self.version;
        }
        &self.distances
    }
}
