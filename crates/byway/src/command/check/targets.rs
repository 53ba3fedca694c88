//! The programs of a check, built one after the other while those that are ready are checked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use byway_check::{Arrival, INTERRUPTED, Target};
use byway_engine::Program;
use byway_exec::{Cov, RunnerConfig, Symbolic, Variants};
use byway_program::Subject;
use byway_reduce::SeedMeasure;
use byway_report::JunitCase;
use byway_suite::{Seed, Suite};
use byway_trace::TraceLimits;
use byway_variant::{Cache, VariantKind, Work, partly_checked, program_map};

use crate::command::explore::start::restrict;
use crate::command::{open_subject, say_damaged, say_ignored_sanitizers, shown};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::CheckFlags;

/// How programs are built.
#[derive(Clone)]
struct Builder {
    cache: Cache,
    /// Whether seeds are made smaller, which needs to count what they cover.
    reduces: bool,
    unconfined: bool,
    run_memory: u64,
    run_timeout: Duration,
    limits: TraceLimits,
    symbolic: Symbolic,
    /// What is being built now, in words.
    doing: Arc<Mutex<String>>,
}

/// A program with its seeds.
#[derive(Clone)]
struct Waiting {
    copy: PathBuf,
    seeds: Vec<Arc<Seed>>,
    is_there: bool,
}

impl Waiting {
    /// Whether there is anything that could be other. A program of which no run was given any is not worth building.
    fn has_input(&self) -> bool {
        self.seeds.iter().any(|seed| seed.bytes() > 0 || !seed.missing.is_empty())
    }
}

/// Why a seed is not checked whose program was never given anything.
pub const NO_INPUT: &str = "no run of its program was given arguments, standard input or files";

/// The programs of a check, which are built by a thread of their own. When the user wants it all to end, nobody waits for that.
pub struct Targets {
    programs: Vec<Waiting>,
    built: Receiver<(usize, Result<Target, Error>)>,
    doing: Arc<Mutex<String>>,
    work: Arc<Work>,
    skipped: Vec<JunitCase>,
    /// Without a cache there is nothing.
    fatal: Option<Error>,
}

impl Targets {
    /// Begins to build the programs of a suite.
    pub fn begin(flags: &CheckFlags, cache: &Cache, suite: &Suite) -> Targets {
        let mut seeds: BTreeMap<&PathBuf, Vec<Arc<Seed>>> = BTreeMap::new();
        for seed in &suite.seeds {
            seeds.entry(&seed.executable.copy).or_default().push(Arc::new(seed.clone()));
        }
        let all = seeds.into_iter().map(|(copy, seeds)| Waiting { copy: copy.clone(), seeds, is_there: false });
        let (programs, without): (Vec<Waiting>, Vec<Waiting>) = all.partition(Waiting::has_input);
        let doing = Arc::new(Mutex::new(String::new()));
        let builder = Builder {
            cache: cache.clone(),
            reduces: flags.reduce > 0.0,
            unconfined: flags.unconfined,
            run_memory: flags.runs.run_memory,
            run_timeout: flags.runs.run_timeout,
            limits: flags.solving.limits.limits(),
            symbolic: flags.symbolic.clone(),
            doing: Arc::clone(&doing),
        };
        let (send, built) = mpsc::channel();
        let work = programs.clone();
        thread::spawn(move || builder.build_all(&work, &send));
        let mut targets =
            Targets { programs, built, doing, work: Arc::clone(cache.work()), skipped: Vec::new(), fatal: None };
        without.iter().for_each(|program| targets.skip(&program.seeds, NO_INPUT));
        targets
    }

    /// How many seeds each program has.
    pub fn seeds(&self) -> Vec<usize> {
        self.programs.iter().map(|program| program.seeds.len()).collect()
    }

    /// What is being built, in words; nothing if all are there.
    pub fn doing(&self) -> String {
        let doing = self.doing.lock().map(|doing| doing.clone()).unwrap_or_default();
        match self.work.modules() {
            _ if doing.is_empty() => doing,
            (done, total) if done < total => format!("{doing}, {done} of {total} modules compiled for the sanitizers"),
            _ => doing,
        }
    }

    /// The programs that became ready, or of which nothing came.
    pub fn arrivals(&mut self) -> Vec<Arrival> {
        let built: Vec<_> = self.built.try_iter().collect();
        built.into_iter().map(|(number, result)| Arrival { number, target: self.arrived(number, result) }).collect()
    }

    fn arrived(&mut self, number: usize, result: Result<Target, Error>) -> Option<Target> {
        self.programs[number].is_there = true;
        let error = match result {
            Ok(target) => return Some(target),
            Err(error) => error,
        };
        if error.exit_code() == ExitCode::Cache {
            self.fatal.get_or_insert(error);
            return None;
        }
        let seeds = self.programs[number].seeds.clone();
        console::error(&format!("{} is not checked: {error}", shown(&seeds[0].executable.path)));
        self.skip(&seeds, &error.to_string());
        None
    }

    fn skip(&mut self, seeds: &[Arc<Seed>], why: &str) {
        self.skipped.extend(seeds.iter().map(|seed| JunitCase {
            program: seed.executable.path.clone(),
            seed: seed.name.clone(),
            seconds: 0.0,
            skipped: Some(why.to_owned()),
        }));
    }

    /// The seeds that were not checked: those of programs that cannot be built, and of those that were to be built when
    /// somebody wanted it to end.
    pub fn finish(mut self) -> Result<Vec<JunitCase>, Error> {
        if let Some(error) = self.fatal {
            return Err(error);
        }
        let left: Vec<Waiting> = self.programs.iter().filter(|program| !program.is_there).cloned().collect();
        left.iter().for_each(|program| self.skip(&program.seeds, INTERRUPTED));
        Ok(self.skipped)
    }
}

impl Builder {
    fn build_all(&self, programs: &[Waiting], built: &Sender<(usize, Result<Target, Error>)>) {
        for (number, program) in programs.iter().enumerate() {
            // Nobody may wait for it any more.
            if built.send((number, self.build(program, (number + 1, programs.len())))).is_err() {
                return;
            }
        }
        self.say(String::new());
    }

    fn say(&self, what: String) {
        if let Ok(mut doing) = self.doing.lock() {
            *doing = what;
        }
    }

    fn build(&self, waiting: &Waiting, (number, count): (usize, usize)) -> Result<Target, Error> {
        let Builder { cache, .. } = self;
        let subject = open_subject(cache, &waiting.copy)?;
        say_ignored_sanitizers(&subject);
        let what = format!("building {} ({number} of {count})", subject.name());
        if !cache.contains(&subject, VariantKind::Sym.name()) {
            console::error(&what);
        }
        self.say(what);
        let (sym, asan) = thread::scope(|scope| {
            let asan = scope.spawn(|| byway_variant::build(cache, &subject, VariantKind::Asan));
            let sym = byway_variant::build(cache, &subject, VariantKind::Sym);
            (sym, asan.join().expect("building does not panic"))
        });
        say_damaged(cache);
        let (sym, asan) = (sym?, asan?);
        say_partly_checked(&subject);
        let map = Arc::new(Program::new(program_map(cache, &subject)?));
        let cov = self.reduces.then(|| cov(cache, &subject, &map)).flatten();
        let measure = SeedMeasure::new(&map.map);
        let variants = Variants { native: waiting.copy.clone(), sym: Some(sym.program), asan: Some(asan.program), cov };
        let sandbox =
            byway_confine::SandboxSettings { memory: self.run_memory, ..byway_confine::SandboxSettings::default() };
        let mut config = RunnerConfig::new(variants, sandbox, self.limits, self.run_timeout);
        config.sandbox.unconfined = self.unconfined;
        restrict(Arc::make_mut(&mut config.model), &self.symbolic);
        let seeds = waiting.seeds.clone();
        let (program, sources) = (seeds[0].executable.path.clone(), subject.source_texts());
        Ok(Target { program, sources, map, measure, config, seeds })
    }
}

/// Of which sources only AddressSanitizer sees what was compiled.
fn say_partly_checked(subject: &Subject) {
    if let [(_, changed), others @ ..] = partly_checked(subject).as_slice() {
        let more = if others.is_empty() { String::new() } else { " (and others)".to_owned() };
        let name = subject.name();
        console::error(&format!(
            "{}{more} changed since {name} was built: lines may not be what they were, and only AddressSanitizer \
             checks what was compiled from it; build it again",
            changed.display()
        ));
    }
}

/// What counts what a seed covers, so that a smaller one covers the same. Without it seeds stay as they are.
fn cov(cache: &Cache, subject: &Subject, map: &Program) -> Option<Cov> {
    match byway_variant::build(cache, subject, VariantKind::Cov) {
        Ok(variant) => Some(Cov { program: variant.program, id: subject.id, blocks: map.map.blocks.len() }),
        Err(error) => {
            console::error(&format!("tests of {} are not made smaller: {error}", subject.name()));
            None
        }
    }
}
