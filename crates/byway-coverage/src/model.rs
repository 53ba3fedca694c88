//! What there is to cover in a program: the one definition of its lines and branches.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use byway_map::{BlockId, FileId, ProgramMap, SiteKind};

use crate::coverage::Ratio;

/// The lines and the outcomes of branches of a program, and the blocks that cover them.
///
/// A line is one with code that control can get to. A branch is a branch or switch of the source that control can get to; each of its
/// successors is an outcome. A function that was compiled several times, as those in headers are, counts as one.
#[derive(Debug, Clone, Default)]
pub struct CoverageModel {
    lines: Vec<(PathBuf, u32)>,
    branches: Vec<ModelBranch>,
    outcomes: usize,
    /// For each block the numbers of its lines.
    lines_of: Vec<Vec<u32>>,
    /// For each block the numbers of the outcomes that lead to it. No edge is critical, so nothing else does.
    outcomes_of: Vec<Vec<u32>>,
}

/// A branch or switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelBranch {
    /// Its source file.
    pub file: PathBuf,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The number of its first outcome; the others follow.
    pub first_outcome: usize,
    /// How many outcomes it has.
    pub outcomes: usize,
}

/// A macro can put several branches at one place: they are told apart by their order in the function.
type BranchKey<'a> = (&'a Path, u32, u32, &'a str, usize);

impl CoverageModel {
    /// The lines and branches of a program.
    pub fn new(map: &ProgramMap) -> CoverageModel {
        let paths: Vec<PathBuf> = map.files.iter().map(|path| tidy(path)).collect();
        let mut model = CoverageModel {
            lines_of: vec![Vec::new(); map.blocks.len()],
            outcomes_of: vec![Vec::new(); map.blocks.len()],
            ..CoverageModel::default()
        };
        model.add_lines(map, &paths);
        model.add_branches(map, &paths);
        model
    }

    fn add_lines(&mut self, map: &ProgramMap, paths: &[PathBuf]) {
        let line = |&(file, line): &(FileId, u32)| (paths[file.index()].as_path(), line);
        let reachable = || map.block_ids().filter(|&block| map[block].reachable);
        let mut numbers: BTreeMap<(&Path, u32), u32> =
            reachable().flat_map(|block| map[block].lines.iter().map(line)).map(|line| (line, 0)).collect();
        numbers.values_mut().zip(0..).for_each(|(number, next)| *number = next);
        for block in reachable() {
            let lines = map[block].lines.iter().map(|at| numbers[&line(at)]);
            self.lines_of[block.index()].extend(lines);
            self.lines_of[block.index()].dedup();
        }
        self.lines = numbers.into_keys().map(|(path, line)| (path.to_owned(), line)).collect();
    }

    fn add_branches(&mut self, map: &ProgramMap, paths: &[PathBuf]) {
        let mut branches: BTreeMap<BranchKey<'_>, Vec<BlockId>> = BTreeMap::new();
        let mut seen: HashMap<(BlockId, FileId, u32, u32), usize> = HashMap::new();
        for site in map.sites.iter().filter(|site| matches!(site.kind, SiteKind::Branch | SiteKind::Switch)) {
            let Some((file, line, column)) = site.position else { continue };
            let function = map.function_of(site.block);
            let order = seen.entry((function.first_block, file, line, column)).or_default();
            let key = (paths[file.index()].as_path(), line, column, function.name.as_str(), *order);
            *order += 1;
            if map[site.block].reachable {
                branches.entry(key).or_default().push(site.block);
            }
        }
        for ((file, line, column, ..), blocks) in branches {
            let (first_outcome, file) = (self.outcomes, file.to_owned());
            let outcomes = blocks.iter().map(|&block| map[block].successors.len()).max().unwrap_or(0);
            for successors in blocks.iter().map(|&block| &map[block].successors) {
                for (outcome, successor) in (first_outcome as u32..).zip(successors) {
                    self.outcomes_of[successor.index()].push(outcome);
                }
            }
            self.branches.push(ModelBranch { file, line, column, first_outcome, outcomes });
            self.outcomes += outcomes;
        }
    }

    /// The lines, by their numbers: file and line.
    pub fn lines(&self) -> &[(PathBuf, u32)] {
        &self.lines
    }

    /// The branches, in the order of their outcomes' numbers.
    pub fn branches(&self) -> &[ModelBranch] {
        &self.branches
    }

    /// How many outcomes all branches have.
    pub fn outcome_count(&self) -> usize {
        self.outcomes
    }

    /// The numbers of the lines that executing a block covers.
    pub fn lines_of(&self, block: BlockId) -> &[u32] {
        self.lines_of.get(block.index()).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the outcomes that executing a block covers.
    pub fn outcomes_of(&self, block: BlockId) -> &[u32] {
        self.outcomes_of.get(block.index()).map_or(&[], Vec::as_slice)
    }
}

/// One name for one file: the builds of some projects name it in several ways.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.components().collect())
}

/// The lines and outcomes that some blocks cover.
#[derive(Debug)]
pub struct Covered {
    model: CoverageModel,
    lines: Vec<bool>,
    outcomes: Vec<bool>,
    line_ratio: Ratio,
    branch_ratio: Ratio,
}

impl Covered {
    /// Nothing is covered yet.
    pub fn new(model: CoverageModel) -> Covered {
        Covered {
            lines: vec![false; model.lines.len()],
            outcomes: vec![false; model.outcomes],
            line_ratio: Ratio { hit: 0, total: model.lines.len() },
            branch_ratio: Ratio { hit: 0, total: model.outcomes },
            model,
        }
    }

    /// A block was executed.
    pub fn cover(&mut self, block: BlockId) {
        for &line in self.model.lines_of(block) {
            self.line_ratio.hit += usize::from(!std::mem::replace(&mut self.lines[line as usize], true));
        }
        for &outcome in self.model.outcomes_of(block) {
            self.branch_ratio.hit += usize::from(!std::mem::replace(&mut self.outcomes[outcome as usize], true));
        }
    }

    /// The lines by their numbers, each with whether it was covered.
    pub fn lines(&self) -> impl Iterator<Item = (&Path, u32, bool)> {
        self.model.lines.iter().zip(&self.lines).map(|((path, line), &covered)| (path.as_path(), *line, covered))
    }

    /// The numbers of the lines that executing a block covers.
    pub fn lines_of(&self, block: BlockId) -> &[u32] {
        self.model.lines_of(block)
    }

    /// The lines that were covered, of all.
    pub fn line_ratio(&self) -> Ratio {
        self.line_ratio
    }

    /// The outcomes of branches that were covered, of all.
    pub fn branch_ratio(&self) -> Ratio {
        self.branch_ratio
    }

    /// The lines that were covered, by file.
    pub fn files(&self) -> BTreeMap<&Path, Ratio> {
        let mut files: BTreeMap<&Path, Ratio> = BTreeMap::new();
        for ((path, _), &covered) in self.model.lines.iter().zip(&self.lines) {
            let ratio = files.entry(path).or_default();
            *ratio = *ratio + Ratio { hit: usize::from(covered), total: 1 };
        }
        files
    }
}
