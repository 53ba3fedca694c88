//! Counts of blocks as counts of lines, branches and functions.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use byway_map::{BlockId, FileId, Function, ProgramMap, SiteKind};
use serde::Serialize;

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
        let mut coverage = Coverage::default();
        let paths: Vec<PathBuf> = map.files.iter().map(|path| tidy(path)).collect();
        for function in &map.functions {
            coverage.add_lines(&paths, &lines_of(map, function, counts));
        }
        coverage.add_functions(map, &paths, counts);
        coverage.add_branches(map, &paths, counts);
        coverage
    }

    fn file(&mut self, path: &Path) -> &mut FileCoverage {
        self.files.entry(path.to_owned()).or_default()
    }

    fn add_lines(&mut self, paths: &[PathBuf], lines: &BTreeMap<(FileId, u32), u64>) {
        for (&(file, line), count) in lines {
            add(self.file(&paths[file.index()]).lines.entry(line).or_default(), *count);
        }
    }

    fn add_functions(&mut self, map: &ProgramMap, paths: &[PathBuf], counts: &[u64]) {
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

    fn add_branches(&mut self, map: &ProgramMap, paths: &[PathBuf], counts: &[u64]) {
        // A macro can put several branches at one place: they are told apart by their order in the function.
        type Key<'a> = (&'a Path, u32, u32, &'a str, usize);
        let mut branches: BTreeMap<Key<'_>, Vec<u64>> = BTreeMap::new();
        let mut seen: HashMap<(BlockId, FileId, u32, u32), usize> = HashMap::new();
        for site in map.sites.iter().filter(|site| matches!(site.kind, SiteKind::Branch | SiteKind::Switch)) {
            let Some((file, line, column)) = site.position else { continue };
            let function = map.function_of(site.block);
            let order = seen.entry((function.first_block, file, line, column)).or_default();
            let key = (paths[file.index()].as_path(), line, column, function.name.as_str(), *order);
            *order += 1;
            let block = &map[site.block];
            if !block.reachable {
                continue;
            }
            let outcomes = branches.entry(key).or_default();
            outcomes.resize(outcomes.len().max(block.successors.len()), 0);
            for (outcome, &successor) in outcomes.iter_mut().zip(&block.successors) {
                add(outcome, counts[successor.index()]);
            }
        }
        for ((path, line, column, ..), outcomes) in branches {
            self.file(path).branches.push(Branch { line, column, outcomes });
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

/// A line is executed as often as the block of it that is executed most.
fn lines_of(map: &ProgramMap, function: &Function, counts: &[u64]) -> BTreeMap<(FileId, u32), u64> {
    let mut lines = BTreeMap::new();
    for block in function.blocks() {
        let count = counts[block.index()];
        let block = &map[block];
        for &line in block.lines.iter().filter(|_| block.reachable) {
            let most: &mut u64 = lines.entry(line).or_default();
            *most = count.max(*most);
        }
    }
    lines
}

/// One name for one file: the builds of some projects name it in several ways.
fn tidy(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.components().collect())
}
