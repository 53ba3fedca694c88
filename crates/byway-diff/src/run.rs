//! The comparison itself: pair by pair, from what is given to what is farther away.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use byway_exec::ExecError;
use byway_input::ConcreteInput;
use byway_program::may_see_clock;
use byway_report::diff::{DiffStats, DiffStore, Difference, Found};
use byway_suite::Seed;

use crate::error::DiffError;
use crate::gather::{DiffContext, Gathered, Trial};
use crate::joint::Extent;
use crate::lines::lines;
use crate::outcome::Outcome;
use crate::reach::{ChangeTargets, FAR};
use crate::request::{DiffRequest, DiffSearch, ProgramPair};
use crate::sequences::Sequences;
use crate::settle::{NOTHING, Settled};
use crate::standing::Standing;
use crate::steer::Base;
use crate::workers::RunnablePair;

/// How often it is looked whether work is done, and how often it is said meanwhile what is known.
const LOOK: Duration = Duration::from_millis(5);
const EVERY: Duration = Duration::from_millis(500);

/// What is being done, for people who wait.
pub struct DiffProgress<'a> {
    /// The program.
    pub program: &'a str,
    /// What is done with it.
    pub doing: &'static str,
    /// How many differences there are so far.
    pub differences: usize,
}

/// Compares versions. Differences are in the store, also if this fails.
pub fn diff(
    request: &DiffRequest<'_>,
    store: &mut DiffStore,
    interrupted: &AtomicBool,
    progress: &mut dyn FnMut(DiffProgress<'_>),
) -> Result<DiffStats, DiffError> {
    let mut outcome = Outcome::new(&request.names);
    let mut ended_early = false;
    for (number, pair) in request.pairs.iter().enumerate() {
        let left = request.options.time.saturating_sub(outcome.elapsed());
        let time = left / (request.pairs.len() - number) as u32;
        let deadline = Instant::now() + time;
        let outcome = &mut outcome;
        let mut comparison = PairDiff { request, pair, store, outcome, interrupted, progress, deadline, doing: "" };
        ended_early |= !comparison.run()?;
    }
    let ended = match () {
        () if interrupted.load(Ordering::Relaxed) => Some("interrupted".to_owned()),
        () if ended_early => Some(format!("the time of {} s was over", request.options.time.as_secs_f64())),
        () => None,
    };
    outcome.conclude(ended, store)
}

/// The comparison of one pair.
struct PairDiff<'a, 'b> {
    request: &'a DiffRequest<'a>,
    pair: &'a ProgramPair,
    store: &'b mut DiffStore,
    outcome: &'b mut Outcome,
    interrupted: &'a AtomicBool,
    progress: &'b mut dyn FnMut(DiffProgress<'_>),
    deadline: Instant,
    /// What is being done.
    doing: &'static str,
}

/// A given input, and how near it comes to a change.
type Near = (Arc<Seed>, Option<u32>);

impl PairDiff<'_, '_> {
    fn say(&mut self, doing: &'static str) {
        self.doing = doing;
        self.tell();
    }

    fn tell(&mut self) {
        let differences = self.store.differences().len();
        (self.progress)(DiffProgress { program: &self.pair.name, doing: self.doing, differences });
    }

    /// Does what takes its time, and writes meanwhile what is known.
    fn meanwhile<R: Send>(
        &mut self,
        ground: &DiffContext<'_>,
        work: impl FnOnce() -> Result<R, DiffError> + Send,
    ) -> Result<R, DiffError> {
        thread::scope(|scope| {
            let worker = scope.spawn(work);
            let mut told = Instant::now();
            while !worker.is_finished() {
                thread::park_timeout(LOOK);
                if told.elapsed() >= EVERY {
                    told = Instant::now();
                    self.tell();
                    self.outcome.checkpoint(ground, self.store)?;
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Whether all that was given was run.
    fn run(&mut self) -> Result<bool, DiffError> {
        let pair = self.pair;
        let seeds: Vec<Arc<Seed>> = match &pair.start {
            Some(start) => vec![Arc::new(nothing(pair, start))],
            None => pair.seeds.clone(),
        };
        let inputs: Vec<&ConcreteInput> = seeds.iter().map(|seed| &*seed.input).collect();
        let new = &pair.new.variants.native;
        let golden = pair.golden.as_ref().map_or(new, |golden| &golden.native);
        let ground = DiffContext {
            site: RunnablePair::new(pair, &self.request.options, &inputs),
            targets: ChangeTargets::new(pair, self.request.options.directions.definitions),
            lines: lines(pair),
            old: Standing::new(&pair.old.variants.native, new, &pair.changes.positions_only),
            new: Standing::default(),
            golden: Standing::new(golden, new, &[]),
            may_see_clock: LazyLock::new(Box::new(|| {
                let paths = BTreeSet::from([&pair.old.variants.native, new, golden]);
                paths.into_iter().any(|path| may_see_clock(path))
            })),
            varies: AtomicBool::new(false),
            gathered: Mutex::new(Gathered::default()),
            sequences: pair.sequences.as_ref().map(|graph| Arc::new(Sequences::new(graph, &pair.new.program.map))),
            deadline: self.deadline,
        };
        let mut settled = Settled::default();
        self.outcome.begin(pair);
        let near = self.given(&ground, &seeds)?;
        let is_complete = near.len() + self.outcome.program().skipped.len() == seeds.len();
        self.settle(&ground, &mut settled)?;
        if self.request.options.goes_on && !ground.targets.is_empty() && !self.is_enough() {
            self.go_on(&ground, &mut settled, near)?;
        }
        self.outcome.note(&ground, self.store);
        Ok(is_complete)
    }

    /// Whether the first difference was all that was wanted, and is there.
    fn is_enough(&self) -> bool {
        let mut known = self.store.differences().iter();
        let is_open = |known: &Difference| known.program == self.pair.name && known.suppressed.is_none();
        self.request.options.first && known.any(is_open)
    }

    fn settle(&mut self, ground: &DiffContext<'_>, settled: &mut Settled) -> Result<(), DiffError> {
        self.say("running again what differs");
        let PairDiff { interrupted, outcome, .. } = self;
        let mut kept = |store: &mut DiffStore| outcome.checkpoint(ground, store);
        ground.settle(settled, self.store, &|| interrupted.load(Ordering::Relaxed), &mut kept)
    }

    /// Runs what is given: first to see what it executes, then in both versions, what executes a change first.
    fn given(&mut self, ground: &DiffContext<'_>, seeds: &[Arc<Seed>]) -> Result<Vec<Near>, DiffError> {
        let interrupted = self.interrupted;
        let stop = || interrupted.load(Ordering::Relaxed) || ground.is_over();
        let trial = |seed: &Arc<Seed>| Trial {
            base: Arc::clone(seed),
            input: ConcreteInput::clone(&seed.input),
            found: Found::Given,
        };
        let mut reaches = BTreeMap::new();
        if !ground.targets.is_empty() {
            self.say("running tests, to see which execute a change");
            let reach = || ground.site.each(seeds, &stop, |lab, seed| ground.reach(lab, &trial(seed)));
            let results = self.meanwhile(ground, reach)?;
            for (seed, result) in seeds.iter().zip(results) {
                match result {
                    Some(Ok(Some(reach))) => drop(reaches.insert(seed.name.clone(), reach)),
                    Some(Err(error)) => drop(fatal(error)?),
                    _ => {}
                }
            }
        }
        let mut ordered: Vec<&Arc<Seed>> = seeds.iter().collect();
        ordered.sort_by_key(|seed| reaches.get(&seed.name).map_or(u32::MAX, |reach| reach.distance));
        self.say("running tests in both versions");
        let look =
            || ground.site.each(&ordered, &stop, |lab, seed| ground.look(lab, trial(seed), reaches.get(&seed.name)));
        let results = self.meanwhile(ground, look)?;
        let stats = self.outcome.program();
        let mut near = Vec::new();
        for (seed, result) in ordered.into_iter().zip(results) {
            match result {
                Some(Ok(looked)) => {
                    stats.seeds.push((seed.name.clone(), looked.elapsed.as_secs_f64()));
                    near.push((Arc::clone(seed), reaches.get(&seed.name).map(|reach| reach.distance)));
                }
                Some(Err(error)) => stats.skipped.push((seed.name.clone(), fatal(error)?)),
                None => {}
            }
        }
        Ok(near)
    }

    /// What is near the given inputs: other paths of both versions, and random changes.
    fn go_on(&mut self, ground: &DiffContext<'_>, settled: &mut Settled, near: Vec<Near>) -> Result<(), DiffError> {
        let mut bases: Vec<Base> = near.iter().map(|(seed, distance)| Base::given(seed, *distance)).collect();
        if let Some(start) = &self.pair.start {
            let Some(base) = bases.first().cloned() else { return Ok(()) };
            bases = self.explored_from_nothing(ground, settled, start, &base)?;
        }
        match (self.request.options.search, &self.pair.start) {
            (DiffSearch::Changes | DiffSearch::Interactions, _) => self.search_for_changes(ground, settled, bases),
            (DiffSearch::Undirected, None) => self.search_undirected(ground, settled, bases),
            (DiffSearch::Undirected | DiffSearch::None, _) => {
                self.change_at_random(ground, settled, bases, ground.left()).map(drop)
            }
        }
    }

    /// The inputs that exploring both versions from nothing finds.
    fn explored_from_nothing(
        &mut self,
        ground: &DiffContext<'_>,
        settled: &mut Settled,
        start: &byway_explore::Start,
        base: &Base,
    ) -> Result<Vec<Base>, DiffError> {
        let (interrupted, solver) = (self.interrupted, self.request.solver);
        let mut bases = Vec::new();
        for (share, found) in [(3, Found::NewExplored), (2, Found::OldExplored)] {
            self.say("exploring from nothing");
            let explore = || ground.explore_from_nothing(start, found, ground.left() / share, solver, interrupted);
            let inputs = self.meanwhile(ground, explore)?;
            let trial = |input| Trial { base: Arc::clone(&base.seed), input, found };
            let trials: Vec<Trial> = inputs.into_iter().map(trial).collect();
            let (ending, is_enough) = (self.interrupted, self.is_enough());
            let stop = || is_enough || ground.must_stop(ending);
            let try_all = || ground.site.each(&trials, &stop, |lab, trial| ground.try_path(lab, trial.clone()));
            let tried = self.meanwhile(ground, try_all)?;
            for (trial, looked) in trials.into_iter().zip(tried) {
                let may_differ = match looked {
                    Some(Err(error)) => fatal(error).map(|_| false)?,
                    Some(Ok(looked)) => looked.may_differ,
                    None => false,
                };
                let distance = if may_differ { 0 } else { FAR };
                bases.push(Base { seed: trial.base, input: Arc::new(trial.input), distance });
            }
            self.settle(ground, settled)?;
        }
        bases.sort_by_key(|base| (base.distance, base.input.bytes()));
        Ok(bases)
    }

    /// Both versions at once: from what executes a change to where it shows, and to changes that nothing executes.
    fn search_for_changes(
        &mut self,
        ground: &DiffContext<'_>,
        settled: &mut Settled,
        bases: Vec<Base>,
    ) -> Result<(), DiffError> {
        let executing: Vec<Base> = bases.iter().filter(|base| base.distance == 0).cloned().collect();
        self.say("asking about both versions where tests execute a change");
        self.search_jointly(ground, settled, &executing, Extent::Carry, ground.left() / 4)?;
        self.say("searching for changes");
        self.search_jointly(ground, settled, &bases, Extent::Whole, ground.left() / 2)?;
        let changed = self.change_at_random(ground, settled, bases, ground.left() / 2)?;
        self.say("searching for changes");
        self.search_jointly(ground, settled, &changed, Extent::Whole, ground.left())
    }

    fn search_jointly(
        &mut self,
        ground: &DiffContext<'_>,
        settled: &mut Settled,
        bases: &[Base],
        extent: Extent,
        time: Duration,
    ) -> Result<(), DiffError> {
        let (ending, is_enough) = (self.interrupted, self.is_enough());
        let stop = || is_enough || ground.must_stop(ending);
        let solver = self.request.solver;
        self.meanwhile(ground, || ground.search_jointly(bases, extent, time, solver, &stop))?;
        self.settle(ground, settled)
    }

    /// Random changes, then the paths of the new version, then those of the old one.
    fn search_undirected(
        &mut self,
        ground: &DiffContext<'_>,
        settled: &mut Settled,
        bases: Vec<Base>,
    ) -> Result<(), DiffError> {
        let solver = self.request.solver;
        let seeds: Vec<Arc<Seed>> = bases.iter().map(|base| Arc::clone(&base.seed)).collect();
        self.change_at_random(ground, settled, bases, ground.left() / 3)?;
        for (share, found) in [(2, Found::NewExplored), (1, Found::OldExplored)] {
            self.say(if share == 2 { "exploring the new version" } else { "exploring the old version" });
            let (ending, is_enough) = (self.interrupted, self.is_enough());
            let stop = || is_enough || ground.must_stop(ending);
            self.meanwhile(ground, || ground.explore_from(&seeds, found, ground.left() / share, solver, &stop))?;
            self.settle(ground, settled)?;
        }
        Ok(())
    }

    fn change_at_random(
        &mut self,
        ground: &DiffContext<'_>,
        settled: &mut Settled,
        bases: Vec<Base>,
        time: Duration,
    ) -> Result<Vec<Base>, DiffError> {
        self.say("changing tests at random, near the changes");
        let (ending, is_enough) = (self.interrupted, self.is_enough());
        let stop = || is_enough || ground.must_stop(ending);
        let changed = self.meanwhile(ground, || ground.change_at_random(bases, time, &stop))?;
        self.settle(ground, settled)?;
        Ok(changed)
    }
}

/// What went wrong with one input, in words; what went wrong with all of them is passed on.
fn fatal(error: DiffError) -> Result<String, DiffError> {
    match &error {
        DiffError::Exec(inner @ (ExecError::Input { .. } | ExecError::Run(_))) => Ok(inner.to_string()),
        _ => Err(error),
    }
}

/// The first input of an exploration from nothing.
fn nothing(pair: &ProgramPair, start: &byway_explore::Start) -> Seed {
    let mut input = start.first.clone();
    input.arguments.truncate(start.first_count as usize);
    as_seed(pair, NOTHING, input)
}

/// An input as a seed.
pub fn as_seed(pair: &ProgramPair, name: &str, input: ConcreteInput) -> Seed {
    let native = pair.new.variants.native.clone();
    Seed {
        name: name.to_owned(),
        executable: byway_suite::Executable { path: native.clone(), copy: native },
        input: Arc::new(input),
        missing: Vec::new(),
        ending: None,
        stdout: Vec::new(),
        stderr: Vec::new(),
        elapsed: Duration::ZERO,
        times: 1,
        origin: None,
    }
}
