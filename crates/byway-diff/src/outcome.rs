//! What came of a comparison so far, for whoever reads it meanwhile and at the end.

use std::time::{Duration, Instant};

use byway_coverage::CoverageModel;
use byway_map::BlockId;
use byway_report::diff::{
    ChangedLine, Class, DiffStats, DiffStore, Difference, InteractionError, ProgramStats, ReachedChange, Tried,
};
use byway_report::{ExecutedBy, LineCoverage, SourceTexts};

use crate::error::DiffError;
use crate::gather::{DiffContext, Gathered};
use crate::request::ProgramPair;
use crate::settle::NOTHING;

/// What came of it so far.
pub struct Outcome {
    begun: Instant,
    stats: DiffStats,
    /// Which lines of the programs before the last were executed, and of that one.
    lines: [LineCoverage; 2],
    /// The lines and blocks of the last program.
    model: Option<CoverageModel>,
    sources: Vec<SourceTexts>,
}

impl Outcome {
    /// Nothing yet. `names`: what the versions are called.
    pub fn new(names: &(String, String)) -> Outcome {
        let (old, new) = names.clone();
        Outcome {
            begun: Instant::now(),
            stats: DiffStats { old, new, goes_on: true, ..DiffStats::default() },
            lines: [LineCoverage::new(), LineCoverage::new()],
            model: None,
            sources: Vec::new(),
        }
    }

    /// How long it took so far.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The next program.
    pub fn begin(&mut self, pair: &ProgramPair) {
        self.stats.programs.push(ProgramStats {
            program: pair.name.clone(),
            old: pair.old.variants.native.clone(),
            new: pair.new.variants.native.clone(),
            graph: pair.graph.clone(),
            ..ProgramStats::default()
        });
        let [before, last] = &mut self.lines;
        before.add(std::mem::take(last));
        // Only of a program that changed it is counted what runs.
        let is_counted = !pair.changes.changes.is_empty() && pair.new.variants.cov.is_some();
        self.model = is_counted.then(|| CoverageModel::new(&pair.new.program.map));
        self.sources.push(pair.new.sources.clone());
    }

    /// The program that is compared.
    pub fn program(&mut self) -> &mut ProgramStats {
        self.stats.programs.last_mut().expect("a program has begun")
    }

    /// Writes what is known, unless it was just written or nothing ran yet.
    pub fn checkpoint(&mut self, ground: &DiffContext<'_>, store: &mut DiffStore) -> Result<(), DiffError> {
        if store.is_early() || ground.gathered().executed.is_empty() && store.differences().is_empty() {
            return Ok(());
        }
        self.note(ground, store);
        self.write(store)
    }

    /// Notes what is known of the program.
    pub fn note(&mut self, ground: &DiffContext<'_>, store: &DiffStore) {
        self.stats.elapsed = self.begun.elapsed().as_secs_f64();
        let gathered = ground.gathered();
        if let Some(model) = &self.model {
            self.lines[1] = executed_lines(model, &gathered.executed);
        }
        let stats = self.stats.programs.last_mut().expect("a program has begun");
        let ids: Vec<_> = store.differences().iter().filter(|known| known.program == stats.program).collect();
        stats.changes = (0..ground.lines.len()).map(|number| change(ground, &gathered, &ids, number)).collect();
        let given = stats.seeds.iter().filter(|(name, _)| name != NOTHING).count() as u64;
        stats.tried = Tried { given, ..gathered.tried };
        stats.masked = gathered.masked.iter().map(|(part, &inputs)| (part.clone(), inputs)).collect();
        stats.positions = gathered.positions.iter().map(|(part, &inputs)| (part.clone(), inputs)).collect();
        stats.put_off = gathered.put_off;
        stats.unconfirmed = gathered.unconfirmed;
        stats.unsettled = gathered.unsettled;
        stats.sequences = ground.sequences.as_ref().map(|sequences| sequences.stats());
        stats.interaction_error = interaction_error(ground.site.pair, stats, &ids, &ground.lines);
    }

    fn write(&self, store: &mut DiffStore) -> Result<(), DiffError> {
        let mut lines = self.lines[0].clone();
        lines.add(self.lines[1].clone());
        Ok(store.checkpoint(&self.stats, lines, &self.sources)?)
    }

    /// The end.
    pub fn conclude(mut self, ended: Option<String>, store: &mut DiffStore) -> Result<DiffStats, DiffError> {
        self.stats.elapsed = self.begun.elapsed().as_secs_f64();
        self.stats.ended = ended;
        self.stats.goes_on = false;
        self.write(store)?;
        Ok(self.stats)
    }
}

fn change(ground: &DiffContext<'_>, gathered: &Gathered, differences: &[&Difference], number: usize) -> ReachedChange {
    let line = ground.lines[number].clone();
    let of_change = differences.iter().filter(|known| known.changes.contains(&line)).map(|known| known.id.clone());
    let reached = gathered.reached.get(&number);
    ReachedChange {
        differences: of_change.collect(),
        reached: ground.targets.knows(number).then(|| reached.map_or(0, |reached| reached.inputs)),
        first: reached.map(|reached| reached.first.clone()),
        given: reached.map_or(0, |reached| reached.given),
        line,
    }
}

/// Which inputs executed the lines of the new version.
fn executed_lines(model: &CoverageModel, executed: &[ExecutedBy]) -> LineCoverage {
    let mut lines = vec![ExecutedBy::Nothing; model.lines().len()];
    for (block, by) in (0..).zip(executed) {
        for &line in model.lines_of(BlockId::new(block)) {
            lines[line as usize] = lines[line as usize].max(*by);
        }
    }
    let mut coverage = LineCoverage::new();
    model.lines().iter().zip(lines).for_each(|((file, line), by)| coverage.note(file, *line, by));
    coverage
}

/// Whether the errors are those of changes that interact: all inputs that show one execute at least two changes in common.
fn interaction_error(
    pair: &ProgramPair,
    stats: &ProgramStats,
    differences: &[&Difference],
    lines: &[ChangedLine],
) -> Option<InteractionError> {
    pair.golden.as_ref()?;
    let is_error = |known: &&&Difference| matches!(known.class, Class::Regression | Class::IncompleteFix);
    let errors: Vec<&&Difference> = differences.iter().filter(is_error).collect();
    let in_all = |line: &&ChangedLine| errors.iter().all(|error| error.changes.contains(line));
    let changes: Vec<ChangedLine> = lines.iter().filter(in_all).cloned().collect();
    if errors.is_empty() || changes.len() < 2 {
        return None;
    }
    let Tried { given, random_compared, explored_compared, joint_inputs, .. } = stats.tried;
    Some(InteractionError {
        changes,
        differences: errors.iter().map(|error| error.id.clone()).collect(),
        erroneous: errors.iter().map(|error| error.count).sum(),
        compared: given + random_compared + explored_compared + joint_inputs,
    })
}
