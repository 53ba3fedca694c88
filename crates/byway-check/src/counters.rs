//! What is counted about a program.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_coverage::CoverageModel;
use byway_engine::{Program, Sight, limit_of};
use byway_exec::TracedRun;
use byway_map::BlockId;
use byway_report::{Checks as Counts, ExecutedBy, Layer, Limit, LineCoverage, Remainder};
use byway_solve::{Answer, SolverStats};
use byway_trace::layout::{NO_SITE, op};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::{AnnotatedPath, PathItem, Violation};

/// Counts that no other part keeps.
#[derive(Debug, Default)]
pub struct CheckCounters {
    /// Questions about operations.
    pub checks: Counts,
    /// How many runs there were.
    pub runs: u64,
    /// The time that they took.
    pub running: Duration,
    /// How often precision was lost, by cause.
    pub lost: BTreeMap<String, u64>,
    /// Whether anything was computed from input.
    pub depends_on_input: bool,
    /// Whether byway can follow its input.
    pub sight: Sight,
    /// What was left undone and will not be taken up again, by reason and site.
    given_up: FxHashMap<(Limit, u32), u64>,
    /// Where precision was lost: the cause with the function, and the site.
    losses: FxHashMap<(Limit, String, u32), u64>,
    /// Operations of which nobody knows for sure whether this is a failure: how many queries had an input.
    guesses: FxHashMap<(u32, Violation), u64>,
    /// The sites that were asked about.
    sites: FxHashSet<u32>,
    /// The paths of spaces that were forgotten. A path that is found again counts again.
    forgotten_paths: u64,
    /// Which blocks were executed by tests, and which by inputs that byway made.
    executed: [FxHashSet<u32>; 2],
    /// What solvers did, but that of the space that is there.
    other_layers: BTreeMap<String, Layer>,
}

impl CheckCounters {
    /// The space that this belongs to is forgotten.
    pub fn note_forgotten(&mut self, paths: u64, solver: &SolverStats) {
        self.forgotten_paths += paths;
        self.note_solver(solver);
    }

    /// All paths, with those of the space that is there.
    pub fn paths(&self, paths: u64) -> u64 {
        self.forgotten_paths + paths
    }

    /// What all solvers did, with that of the space that is there.
    pub fn layers(&self, solver: &SolverStats) -> BTreeMap<String, Layer> {
        let mut layers = byway_engine::layers(solver);
        for (name, layer) in &self.other_layers {
            layers.entry(name.clone()).or_default().add(layer);
        }
        layers
    }

    /// What a solver did that is not of the space that is there.
    pub fn note_solver(&mut self, stats: &SolverStats) {
        self.other_layers = self.layers(stats);
    }

    /// The lines with code, and which runs executed them.
    pub fn add_lines(&self, model: &CoverageModel, coverage: &mut LineCoverage) {
        let mut lines = vec![ExecutedBy::Nothing; model.lines().len()];
        for (blocks, by) in self.executed.iter().zip([ExecutedBy::Tests, ExecutedBy::Byway]) {
            for &line in blocks.iter().flat_map(|&block| model.lines_of(BlockId::new(block))) {
                lines[line as usize] = by.max(lines[line as usize]);
            }
        }
        model.lines().iter().zip(lines).for_each(|((file, line), by)| coverage.note(file, *line, by));
    }

    /// Counts a run, of a test or of an input that byway made.
    pub fn note_run(&mut self, ran: &TracedRun, is_test: bool) {
        self.executed[usize::from(!is_test)].extend(ran.trace.executed());
        self.runs += 1;
        self.running += ran.elapsed;
        for (limit, is_reached) in [(Limit::RunTime, ran.timed_out), (Limit::RunMemory, ran.out_of_memory)] {
            if is_reached {
                self.give_up(limit, NO_SITE);
            }
        }
        self.depends_on_input = self.depends_on_input || ran.trace.nodes().iter().any(is_computed);
        self.sight.note(&ran.trace);
        for lost in ran.trace.losses() {
            let function = lost.function.map(|name| format!(" {name}")).unwrap_or_default();
            let cause = format!("{}{function}", lost.cause.name());
            *self.lost.entry(cause.clone()).or_default() += lost.count;
            if let Some(limit) = limit_of(lost.cause) {
                *self.losses.entry((limit, cause, lost.site)).or_default() += lost.count;
            }
        }
    }

    /// Counts what a path has that needs no query; only that of whole paths, so that nothing is counted twice.
    pub fn note_path(&mut self, path: &AnnotatedPath, from: usize) {
        let queries = path.items.iter().filter_map(|item| match item {
            PathItem::Query(query) => Some(query.operation.site),
            _ => None,
        });
        self.sites.extend(queries);
        self.sites.extend(path.safe.iter().map(|&(site, _)| site));
        if from > 0 {
            return;
        }
        for (_, check) in &path.safe {
            self.checks.asked += 1;
            self.checks.unsat += 1;
            *self.checks.kinds.entry(check.name().to_owned()).or_default() += 1;
        }
        self.checks.repeated += path.repeated;
    }

    /// Counts an answer.
    pub fn note_answer(&mut self, asked: Violation, site: u32, answer: &Answer) {
        if asked.is_guess() && matches!(answer, Answer::Sat(_)) {
            *self.guesses.entry((site, asked)).or_default() += 1;
        }
        let checks = &mut self.checks;
        checks.asked += 1;
        match answer {
            Answer::Sat(_) => checks.sat += 1,
            Answer::Unsat => checks.unsat += 1,
            Answer::Unknown(_) => checks.unknown += 1,
        }
        *checks.kinds.entry(asked.check().name().to_owned()).or_default() += 1;
    }

    /// The sanitizers allow what was guessed to be a failure: the answers so far meant nothing.
    pub fn note_allowed(&mut self, asked: Violation, site: u32) {
        let guessed = self.guesses.remove(&(site, asked)).unwrap_or(0);
        self.checks.sat -= guessed;
        self.checks.unsat += guessed;
    }

    /// A question that was asked before came up.
    pub fn repeat(&mut self) {
        self.checks.repeated += 1;
    }

    /// A question that was not answered is asked again.
    pub fn take_back(&mut self, asked: Violation) {
        self.checks.asked -= 1;
        self.checks.unknown -= 1;
        if let Some(count) = self.checks.kinds.get_mut(asked.check().name()) {
            *count -= 1;
        }
    }

    /// A question was not asked: its operation was found to fail.
    pub fn note_found(&mut self) {
        self.checks.found += 1;
    }

    /// Something was left undone for good.
    pub fn give_up(&mut self, limit: Limit, site: u32) {
        *self.given_up.entry((limit, site)).or_default() += 1;
    }

    /// What was left undone for good, and what was lost.
    pub fn remaining(&self, program: &Program) -> Remainder {
        let mut remainder = Remainder::default();
        let place = |site| program.position(site).unwrap_or_default();
        for (&(limit, site), &count) in &self.given_up {
            remainder.add(limit, "", &place(site), count);
        }
        for ((limit, cause, site), &count) in &self.losses {
            remainder.add(*limit, cause, &place(*site), count);
        }
        remainder
    }

    /// The sites that were asked about.
    pub fn sites(&self) -> impl Iterator<Item = u32> {
        self.sites.iter().copied()
    }
}

/// Whether a node is more than a byte of the input.
fn is_computed(node: &byway_trace::layout::Node) -> bool {
    !matches!(node.op, 0 | op::INPUT | op::CONST)
}
