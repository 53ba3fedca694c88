//! What is measured of a run: what it covers, and how long its path is.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use byway_coverage::CoverageModel;
use byway_map::{BlockId, ProgramMap, SiteKind};

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

/// What there is to cover in a program, as seeds are measured by it.
#[derive(Debug)]
pub struct SeedMeasure {
    model: CoverageModel,
    /// The lines in each block, and what else is a statement, by their numbers.
    statements: Vec<Vec<usize>>,
    /// The blocks that branches and switches lead to. None of them has another way in.
    sides: Vec<BlockId>,
}

impl SeedMeasure {
    /// For a program.
    pub fn new(map: &ProgramMap) -> SeedMeasure {
        let model = CoverageModel::new(map);
        let lines = map.block_ids().map(|block| model.lines_of(block).iter().map(|&line| line as usize).collect());
        let statements = with_labels(map, lines.collect(), model.lines().len());
        let branches = map.sites.iter().filter(|site| matches!(site.kind, SiteKind::Branch | SiteKind::Switch));
        let sides: BTreeSet<BlockId> = branches.flat_map(|site| map[site.block].successors.iter().copied()).collect();
        SeedMeasure { model, statements, sides: sides.into_iter().collect() }
    }

    /// Its lines and branches.
    pub fn model(&self) -> &CoverageModel {
        &self.model
    }

    /// How many outcomes of branches there are.
    pub fn branches(&self) -> usize {
        self.model.outcome_count()
    }

    /// Which outcomes of branches a block is.
    pub fn outcomes(&self, block: BlockId) -> impl Iterator<Item = usize> {
        self.model.outcomes_of(block).iter().map(|&outcome| outcome as usize)
    }

    /// What a run covers that a smaller one must.
    pub fn covered(&self, keep: Keep, counts: &[u64]) -> Branches {
        match keep {
            Keep::Branches => self.taken(counts).collect(),
            Keep::Statements => {
                let executed = self.statements.iter().zip(counts).filter(|&(_, &count)| count > 0);
                executed.flat_map(|(lines, _)| lines.iter().copied()).collect()
            }
        }
    }

    fn taken(&self, counts: &[u64]) -> impl Iterator<Item = usize> {
        let executed = (0..).map(BlockId::new).zip(counts).filter(|&(_, &count)| count > 0);
        executed.flat_map(|(block, _)| self.outcomes(block))
    }

    /// How many branches a run executed, each as often as it did.
    pub fn path_length(&self, counts: &[u64]) -> u64 {
        self.sides.iter().fold(0, |sum: u64, &block| sum.saturating_add(counts[block.index()]))
    }

    /// What an order of tests is made by. The numbers of its branches begin with `first`: other programs have other branches.
    pub fn profile(&self, counts: &[u64], first: usize) -> Profile {
        let branches = self.taken(counts).map(|number| first + number).collect();
        Profile { branches, path_length: self.path_length(counts) }
    }
}
