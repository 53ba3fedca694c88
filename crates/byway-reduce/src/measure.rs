//! What is measured of a run: what it covers, and how long its path is.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

use byway_map::{BlockId, FileId, ProgramMap, SiteKind};

use crate::{Branches, Profile};

/// What a smaller seed must still cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All statements: lines with code, labels of cases, empty bodies of loops.
    Statements,
    /// All outcomes of branches.
    Branches,
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Keep::Statements => "statement",
            Keep::Branches => "branch",
        })
    }
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Keep, String> {
        match text {
            "statement" => Ok(Keep::Statements),
            "branch" => Ok(Keep::Branches),
            _ => Err("neither statement nor branch".to_owned()),
        }
    }
}

/// What has no code is a statement too: the label of a case that does what the next one does, and the empty body of a loop. Each
/// has a block that only leads on, which counts as a line of its own. So does a `do` loop that goes round again, which looks alike.
fn with_labels(map: &ProgramMap, mut lines: Vec<Vec<usize>>, mut next: usize) -> Vec<Vec<usize>> {
    let switches = map.sites.iter().filter(|site| site.kind == SiteKind::Switch);
    let cases = switches.flat_map(|site| map[site.block].successors.iter().copied());
    let leads_back = |&block: &BlockId| map[block].successors.iter().any(|&to| to <= block);
    let bodies = map.block_ids().filter(leads_back);
    let labels: BTreeSet<BlockId> = cases.chain(bodies).filter(|&block| map[block].is_edge).collect();
    for block in labels {
        lines[block.index()].push(next);
        next += 1;
    }
    lines
}

/// What there is to cover in a program.
#[derive(Debug)]
pub struct Ruler {
    /// The lines in each block, by their numbers among all lines.
    lines: Vec<Vec<usize>>,
    /// The blocks that are outcomes of branches and switches. None of them has another way in.
    outcomes: Vec<BlockId>,
}

impl Ruler {
    /// For a program.
    pub fn new(map: &ProgramMap) -> Ruler {
        let mut numbers = HashMap::new();
        let mut number = |line: &(FileId, u32)| {
            let next = numbers.len();
            *numbers.entry(*line).or_insert(next)
        };
        let lines: Vec<Vec<usize>> =
            map.blocks.iter().map(|block| block.lines.iter().map(&mut number).collect()).collect();
        let lines = with_labels(map, lines, numbers.len());
        let branches = map.sites.iter().filter(|site| matches!(site.kind, SiteKind::Branch | SiteKind::Switch));
        let outcomes: BTreeSet<BlockId> =
            branches.flat_map(|site| map[site.block].successors.iter().copied()).collect();
        Ruler { lines, outcomes: outcomes.into_iter().collect() }
    }

    /// How many outcomes of branches there are.
    pub fn branches(&self) -> usize {
        self.outcomes.len()
    }

    /// Which outcome of a branch a block is, if it is one.
    pub fn branch(&self, block: BlockId) -> Option<usize> {
        self.outcomes.binary_search(&block).ok()
    }

    /// What a run covers that a smaller one must.
    pub fn covered(&self, keep: Keep, counts: &[u64]) -> Branches {
        match keep {
            Keep::Branches => self.taken(counts).collect(),
            Keep::Statements => {
                let executed = self.lines.iter().zip(counts).filter(|&(_, &count)| count > 0);
                executed.flat_map(|(lines, _)| lines.iter().copied()).collect()
            }
        }
    }

    fn taken(&self, counts: &[u64]) -> impl Iterator<Item = usize> {
        let outcomes = self.outcomes.iter().enumerate();
        outcomes.filter(|&(_, &block)| counts[block.index()] > 0).map(|(number, _)| number)
    }

    /// How many branches a run executed, each as often as it did.
    pub fn path_length(&self, counts: &[u64]) -> u64 {
        self.outcomes.iter().fold(0, |sum: u64, &block| sum.saturating_add(counts[block.index()]))
    }

    /// What an order of tests is made by. The numbers of its branches begin with `first`: other programs have other branches.
    pub fn profile(&self, counts: &[u64], first: usize) -> Profile {
        let branches = self.taken(counts).map(|number| first + number).collect();
        Profile { branches, path_length: self.path_length(counts) }
    }
}
