//! Programs that exist only as their forks, and two ways to explore them.
//!
//! [`ByFork`] goes from fork to fork as an interpreter that forks states does: every pick runs one state up to the next
//! fork, where both of its sides become states. [`ByRun`] does what byway does: every pick is a run to the end.

use std::time::Duration;

use byway_engine::goals::Goals;
use byway_engine::search::{Frontier, Ran, SearchSettings, Searcher};
use byway_engine::tree::{BranchPath, Constraint, PendingId, PendingOutcome, Step};
use byway_map::BlockId;

/// The sides taken so far: site and side.
pub type Choices = Vec<(u32, u32)>;

/// The site of the fork that comes after these choices, with two sides. None at the end of the program.
pub type Program = fn(&[(u32, u32)]) -> Option<u32>;

/// A frontier with the strategies that a text names.
pub fn frontier(search: &str, seed: u64) -> Frontier {
    Frontier::new(&settings(search, seed), Goals::default(), block)
}

/// A frontier with one searcher.
pub fn frontier_of(searcher: impl Searcher + 'static) -> Frontier {
    Frontier::with_searchers(&settings("dfs", 0), vec![Box::new(searcher)], Goals::default(), block)
}

fn settings(search: &str, seed: u64) -> SearchSettings {
    SearchSettings { slice: 2, ..SearchSettings::new(search.parse().unwrap(), seed) }
}

/// Every side of every site is a block of its own.
pub fn block(step: &Step, side: u32) -> Option<BlockId> {
    Some(BlockId::new(2 * step.site + side))
}

/// The choices that lead to a pending, its own side at the end.
pub fn choices_of(frontier: &Frontier, pending: PendingId) -> Choices {
    let decided = frontier.tree().constraints(pending).filter_map(|constraint| match constraint {
        Constraint::Decided { site, side, .. } => Some((site, side)),
        Constraint::Assumed(_) => None,
    });
    decided.collect()
}

fn insert(frontier: &mut Frontier, run: u32, choices: &[(u32, u32)]) {
    let mut path = BranchPath::new();
    let mut blocks = Vec::new();
    for &(site, side) in choices {
        path.push(site, 0, site, side, 2);
        blocks.extend((side != Step::NEITHER).then(|| BlockId::new(2 * site + side)));
    }
    blocks.sort_unstable();
    blocks.dedup();
    let cost = Duration::from_millis(u64::from(run % 7) * 100);
    frontier.insert(&Ran { run, path: &path, blocks: &blocks, cost });
}

/// A state that was picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// The sides it had taken.
    pub choices: Choices,
    /// Whether it then came to the end of the program.
    pub ended: bool,
}

/// Explores from fork to fork.
pub struct ByFork {
    frontier: Frontier,
    program: Program,
    runs: u32,
}

impl ByFork {
    pub fn new(mut frontier: Frontier, program: Program) -> Self {
        let first = program(&[]).expect("a program with a fork");
        insert(&mut frontier, 0, &[(first, Step::NEITHER)]);
        ByFork { frontier, program, runs: 1 }
    }
}

impl Iterator for ByFork {
    type Item = Pick;

    fn next(&mut self) -> Option<Pick> {
        let picked = self.frontier.pick()?;
        let choices = choices_of(&self.frontier, picked.pending);
        let fork = (self.program)(&choices);
        let mut path = choices.clone();
        path.extend(fork.map(|site| (site, Step::NEITHER)));
        insert(&mut self.frontier, self.runs, &path);
        self.runs += 1;
        Some(Pick { choices, ended: fork.is_none() })
    }
}

/// Explores run by run. Some sides turn out to be infeasible.
pub struct ByRun {
    pub frontier: Frontier,
    program: Program,
    is_feasible: fn(&[(u32, u32)]) -> bool,
    /// The complete paths, in the order of the runs.
    pub paths: Vec<Choices>,
}

impl ByRun {
    pub fn new(frontier: Frontier, program: Program, is_feasible: fn(&[(u32, u32)]) -> bool) -> Self {
        let mut driver = ByRun { frontier, program, is_feasible, paths: Vec::new() };
        driver.run(Vec::new());
        driver
    }

    /// Takes these choices, then the first feasible side wherever there is a choice.
    fn run(&mut self, mut choices: Choices) {
        while let Some(site) = (self.program)(&choices) {
            choices.push((site, 0));
            if !(self.is_feasible)(&choices) {
                *choices.last_mut().unwrap() = (site, 1);
            }
        }
        insert(&mut self.frontier, self.paths.len() as u32, &choices);
        self.paths.push(choices);
    }

    /// Tries a pending that was picked. Returns the choices that it stands for.
    pub fn attempt(&mut self, pending: PendingId) -> Choices {
        let choices = choices_of(&self.frontier, pending);
        match (self.is_feasible)(&choices) {
            true => self.run(choices.clone()),
            false => self.frontier.close(pending, PendingOutcome::Infeasible),
        }
        choices
    }
}

impl Iterator for ByRun {
    type Item = Choices;

    fn next(&mut self) -> Option<Choices> {
        let picked = self.frontier.pick()?;
        Some(self.attempt(picked.pending))
    }
}
