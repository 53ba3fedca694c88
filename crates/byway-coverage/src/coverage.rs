//! Counts of blocks as counts of lines, branches and functions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use byway_map::{Function, ProgramMap};
use serde::Serialize;

use crate::model::{CoverageModel, tidy};

/// What was executed, by source file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The files with code in them.
    pub files: BTreeMap<PathBuf, FileCoverage>,
}

/// What was executed of one source file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FileCoverage {
    /// How often each line with code was executed.
    pub lines: BTreeMap<u32, u64>,
    /// The branches and switches.
    pub branches: Vec<Branch>,
    /// The functions.
    pub functions: Vec<FunctionCoverage>,
}

/// A branch or switch, and how often it went each way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// How often each outcome was taken.
    pub outcomes: Vec<u64>,
}

/// A function, and how often it was called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionCoverage {
    /// Its name.
    pub name: String,
    /// The line of its definition.
    pub line: u32,
    /// How often it was entered.
    pub calls: u64,
}

/// Some of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Ratio {
    /// How many were executed.
    pub hit: usize,
    /// How many there are.
    pub total: usize,
}

impl Ratio {
    /// In percent; all of nothing is 100.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.hit as f64 / self.total as f64 }
    }
}

impl std::ops::Add for Ratio {
    type Output = Ratio;

    fn add(self, other: Ratio) -> Ratio {
        Ratio { hit: self.hit + other.hit, total: self.total + other.total }
    }
}

impl std::iter::Sum for Ratio {
    fn sum<I: Iterator<Item = Ratio>>(ratios: I) -> Ratio {
        ratios.fold(Ratio::default(), |sum, ratio| sum + ratio)
    }
}

impl FileCoverage {
    /// How many lines were executed.
    pub fn line_ratio(&self) -> Ratio {
        Ratio { hit: self.lines.values().filter(|&&count| count > 0).count(), total: self.lines.len() }
    }

    /// How many outcomes of branches were taken.
    pub fn branch_ratio(&self) -> Ratio {
        let outcomes = || self.branches.iter().flat_map(|branch| &branch.outcomes);
        Ratio { hit: outcomes().filter(|&&count| count > 0).count(), total: outcomes().count() }
    }
}

impl Coverage {
    /// The coverage that `counts`, by block number, say. A function that was compiled several times, as those in headers
    /// are, counts as one.
    pub fn new(map: &ProgramMap, counts: &[u64]) -> Coverage {
        let model = CoverageModel::new(map);
        let mut coverage = Coverage::default();
        for function in &map.functions {
            coverage.add_lines(&model, &lines_of(&model, function, counts));
        }
        coverage.add_functions(map, counts);
        coverage.add_branches(map, &model, counts);
        coverage
    }

    fn file(&mut self, path: &Path) -> &mut FileCoverage {
        self.files.entry(path.to_owned()).or_default()
    }

    fn add_lines(&mut self, model: &CoverageModel, lines: &BTreeMap<u32, u64>) {
        for (&number, count) in lines {
            let (path, line) = &model.lines()[number as usize];
            add(self.file(path).lines.entry(*line).or_default(), *count);
        }
    }

    fn add_functions(&mut self, map: &ProgramMap, counts: &[u64]) {
        let paths: Vec<PathBuf> = map.files.iter().map(|path| tidy(path)).collect();
        let mut calls: BTreeMap<(&Path, u32, &str), u64> = BTreeMap::new();
        for function in &map.functions {
            let Some((file, line)) = function.position else { continue };
            let key = (paths[file.index()].as_path(), line, function.name.as_str());
            add(calls.entry(key).or_default(), counts[function.first_block.index()]);
        }
        for ((path, line, name), calls) in calls {
            self.file(path).functions.push(FunctionCoverage { name: name.to_owned(), line, calls });
        }
    }

    fn add_branches(&mut self, map: &ProgramMap, model: &CoverageModel, counts: &[u64]) {
        let mut taken = vec![0_u64; model.outcome_count()];
        for block in map.block_ids() {
            let outcomes = model.outcomes_of(block).iter();
            outcomes.for_each(|&outcome| add(&mut taken[outcome as usize], counts[block.index()]));
        }
        for branch in model.branches() {
            let outcomes = taken[branch.first_outcome..][..branch.outcomes].to_vec();
            self.file(&branch.file).branches.push(Branch { line: branch.line, column: branch.column, outcomes });
        }
    }

    /// All files' lines together.
    pub fn line_ratio(&self) -> Ratio {
        self.files.values().map(FileCoverage::line_ratio).sum()
    }

    /// All files' branches together.
    pub fn branch_ratio(&self) -> Ratio {
        self.files.values().map(FileCoverage::branch_ratio).sum()
    }
}

/// Programs count into memory that they can write anything to.
fn add(sum: &mut u64, count: u64) {
    *sum = sum.saturating_add(count);
}

/// A line is executed as often as the block of it that is executed most, in each function that has it.
fn lines_of(model: &CoverageModel, function: &Function, counts: &[u64]) -> BTreeMap<u32, u64> {
    let mut lines = BTreeMap::new();
    for block in function.blocks() {
        for &line in model.lines_of(block) {
            let most: &mut u64 = lines.entry(line).or_default();
            *most = counts[block.index()].max(*most);
        }
    }
    lines
}
