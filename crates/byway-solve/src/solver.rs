//! The solver: layers, each with one job, asked in order until one has an answer.

mod stats;

use std::time::{Duration, Instant};

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::cache::Cache;
use crate::clock::Deadline;
use crate::condition::{Own, PathCondition, Slice};
use crate::domain::{DomainAnswer, Domains};
use crate::evaluate::satisfies;
use crate::pool::{Expr, Pool, Var};
use crate::query::{Answer, Query, Unknown};
use crate::reduce::{self, QueryReduction};
use crate::sat::{Sat, SatLimits};
use crate::smt::External;
use crate::support::Support;

pub use stats::{Layer, LayerStats, SolverStats};

/// Two layers said different things.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// The constraints.
    pub constraints: Vec<Expr>,
    /// What we said.
    pub ours: (Layer, Answer),
    /// What the external solver said.
    pub theirs: Answer,
}

/// A question near an input.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// The question.
    goal: Expr,
    /// What it is there.
    near: Expr,
}

/// Settings of a solver.
#[derive(Debug, Clone)]
pub struct SolverSettings {
    /// The limits of CaDiCaL. The time is for all layers but the external solver together.
    pub sat: SatLimits,
    /// How much processor time the external solver may take.
    pub external_timeout: Duration,
    /// Whether the external solver is asked everything.
    pub cross_check: bool,
}

/// Whether a question was answered with no by what constrains its own bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refuted {
    /// It was.
    Yes,
    /// It was before, or it needs no looking.
    Known,
    /// It was not: there is more to be asked.
    No,
}

/// To refute a question is worth this part of the time that it may take: what that does not decide is asked as a whole.
const PART_OF_REFUTATION: u32 = 4;
/// How many refutations are remembered before all are forgotten.
const REFUTED: usize = 1 << 20;

/// Answers questions about paths.
pub struct Solver {
    domains: Domains,
    cache: Cache,
    /// Questions with what constrains their own bytes, and whether that refutes them.
    refuted: HashMap<(u64, u64), bool, FixedState>,
    sat: Sat,
    external: Option<External>,
    settings: SolverSettings,
    /// The settings before any [`Solver::set_effort`].
    first_settings: SolverSettings,
    /// What a query may take at most, if that is less than the settings allow.
    limit: Option<Duration>,
    slice: Slice,
    /// When the current question was asked, and when we give up on it.
    asked: Instant,
    deadline: Deadline,
    stats: SolverStats,
    disagreement: Option<Disagreement>,
}

impl Solver {
    /// A solver. Without an external one, what CaDiCaL gives up on is unknown.
    pub fn new(settings: SolverSettings, external: Option<External>) -> Self {
        Solver {
            domains: Domains::default(),
            cache: Cache::default(),
            refuted: HashMap::default(),
            sat: Sat::new(),
            external,
            first_settings: settings.clone(),
            limit: None,
            settings,
            slice: Slice::default(),
            asked: Instant::now(),
            deadline: Deadline::NEVER,
            stats: SolverStats::default(),
            disagreement: None,
        }
    }

    /// From now on a query takes no longer than this, whatever the settings allow; then other solvers are not asked.
    pub fn set_limit(&mut self, limit: Option<Duration>) {
        self.limit = limit.filter(|&limit| limit < self.settings.sat.time);
    }

    /// Whether a limit keeps queries from taking the time that the settings allow.
    pub fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// From now on a query may take so many times what the settings allow.
    pub fn set_effort(&mut self, factor: u32) {
        let SolverSettings { sat, external_timeout, .. } = &self.first_settings;
        self.settings.sat = SatLimits {
            conflicts: sat.conflicts.saturating_mul(factor),
            time: sat.time.saturating_mul(factor),
            ..*sat
        };
        self.settings.external_timeout = external_timeout.saturating_mul(factor);
    }

    /// What was done so far.
    pub fn stats(&self) -> &SolverStats {
        &self.stats
    }

    /// What was done since this was last called, or all that was.
    pub fn take_stats(&mut self) -> SolverStats {
        std::mem::take(&mut self.stats)
    }

    /// The first time that the external solver said something else.
    pub fn disagreement(&self) -> Option<&Disagreement> {
        self.disagreement.as_ref()
    }

    /// The constraints and bytes of the last question, for who records them.
    pub fn last_slice(&self) -> &Slice {
        &self.slice
    }

    /// Whether an expression is known to be true for all inputs. Only those over one byte are looked at.
    pub fn is_always(&mut self, pool: &Pool, expr: Expr) -> bool {
        self.begin();
        self.domains.is_always(pool, expr).unwrap_or(false)
    }

    /// A question begins.
    fn begin(&mut self) {
        self.begin_within(1);
    }

    /// The same, with a part of the time that a question may take.
    fn begin_within(&mut self, part: u32) {
        self.asked = Instant::now();
        self.deadline = Deadline::after(self.limit.unwrap_or(self.settings.sat.time) / part);
        self.domains.begin(self.deadline);
    }

    /// Whether there is an input that takes a path and for which `goal` is true. The answer says which bytes it has to
    /// have; bytes that it does not name stay what the seed has.
    pub fn solve(&mut self, pool: &mut Pool, path: &mut PathCondition, goal: Expr, seed: &dyn Fn(Var) -> u8) -> Answer {
        self.prepare(pool, path, goal);
        self.solve_prepared(pool, goal, seed)
    }

    /// The same, but looks first near the input that takes the path: where the bytes stay as they are on which depends what large tables are
    /// read at.
    pub fn solve_near_first(
        &mut self,
        pool: &mut Pool,
        path: &mut PathCondition,
        goal: Expr,
        seed: &dyn Fn(Var) -> u8,
    ) -> Answer {
        if let Some(near) = self.prepare_near(pool, path, goal, seed)
            && let Answer::Sat(model) = self.solve_near(pool, path, near, seed)
        {
            return Answer::Sat(model);
        }
        self.solve(pool, path, goal, seed)
    }

    /// Finds what a question has to do with near the input that takes the path, for [`Solver::solve_near`]. `None` if no
    /// large table that is made of the input has to do with it.
    pub fn prepare_near(
        &mut self,
        pool: &mut Pool,
        path: &mut PathCondition,
        goal: Expr,
        seed: &dyn Fn(Var) -> u8,
    ) -> Option<Near> {
        pool.constant(goal).is_none().then_some(())?;
        self.begin();
        let near = path.slice_near(pool, goal, seed, &mut self.slice)?;
        Some(Near { goal, near })
    }

    /// Answers the question that was prepared. An answer with yes is one to the whole question; no only says that there is none so near.
    pub fn solve_near(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        asked: Near,
        seed: &dyn Fn(Var) -> u8,
    ) -> Answer {
        let answer = self.solve_prepared(pool, asked.near, seed);
        if self.settings.cross_check
            && let Answer::Sat(model) = &answer
        {
            let constraints: Vec<Expr> = path.parts().iter().copied().chain([asked.goal]).collect();
            let query = Query { constraints: &constraints, vars: &[], seed };
            if !satisfies(pool, &query, model) && self.disagreement.is_none() {
                let ours = (Layer::Domains, answer.clone());
                self.disagreement = Some(Disagreement { constraints, ours, theirs: Answer::Unsat });
            }
        }
        answer
    }

    /// Whether a question is answered with no by what constrains its own bytes alone. That is often enough, and on a long path
    /// it is little of all that these have to do with through others.
    pub fn refute(
        &mut self,
        pool: &mut Pool,
        path: &mut PathCondition,
        goal: Expr,
        seed: &dyn Fn(Var) -> u8,
    ) -> Refuted {
        self.begin_within(PART_OF_REFUTATION);
        match pool.constant(goal) {
            Some(0) => return Refuted::Known,
            Some(_) => return Refuted::No,
            None if path.truth(pool, goal) == Some(false) => {
                self.stats.note(Layer::Domains, &Answer::Unsat, self.asked.elapsed());
                return Refuted::Yes;
            }
            None => {}
        }
        let mut slice = std::mem::take(&mut self.slice);
        let mut refuted = Refuted::No;
        for part in [Own::Single, Own::All] {
            path.own_slice(pool, goal, part, &mut slice);
            let key = Cache::key(&slice.constraints);
            refuted = match self.refuted.get(&key) {
                Some(true) => Refuted::Known,
                Some(false) => Refuted::No,
                None => self.try_to_refute(pool, &slice, part, key, seed),
            };
            if refuted != Refuted::No {
                break;
            }
        }
        self.slice = slice;
        refuted
    }

    fn try_to_refute(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        part: Own,
        key: (u64, u64),
        seed: &dyn Fn(Var) -> u8,
    ) -> Refuted {
        let (layer, is_refuted) = match part {
            Own::Single => (Layer::Domains, self.is_seen_to_be_false(pool, slice, seed)),
            Own::All => {
                let (layer, answer) = self.decide(pool, slice, seed);
                (layer, answer == Answer::Unsat)
            }
        };
        if self.refuted.len() >= REFUTED {
            self.refuted.clear();
        }
        self.refuted.insert(key, is_refuted);
        match is_refuted {
            true => {
                self.stats.note(layer, &Answer::Unsat, self.asked.elapsed());
                Refuted::Yes
            }
            false => Refuted::No,
        }
    }

    /// Whether looking is enough to see that a question with constraints on single bytes is answered with no.
    fn is_seen_to_be_false(&mut self, pool: &Pool, slice: &Slice, seed: &dyn Fn(Var) -> u8) -> bool {
        let since = Instant::now();
        let look = match self.domains.look(pool, slice, seed) {
            DomainAnswer::Open => {
                let is_rest = |constraint: &Expr| !matches!(pool.support(*constraint), Support::One(_));
                let rest: Vec<Expr> = slice.constraints.iter().copied().filter(is_rest).collect();
                self.domains.look_closely(pool, &rest, &slice.vars, seed)
            }
            look => look,
        };
        self.stats.spend(Layer::Domains, since);
        look == DomainAnswer::Decided(Answer::Unsat)
    }

    /// Finds what of a path a question has to do with, for [`Solver::solve_prepared`]. Questions with the same key have the
    /// same answer.
    pub fn prepare(&mut self, pool: &mut Pool, path: &mut PathCondition, goal: Expr) {
        self.begin();
        self.slice.constraints.clear();
        if pool.constant(goal).is_none() {
            path.slice(pool, goal, &mut self.slice);
        }
    }

    /// The key of the question that was prepared.
    pub fn prepared_key(&self) -> (u64, u64) {
        Cache::key(&self.slice.constraints)
    }

    /// Answers the question that was prepared. See [`Solver::solve`].
    pub fn solve_prepared(&mut self, pool: &mut Pool, goal: Expr, seed: &dyn Fn(Var) -> u8) -> Answer {
        let (layer, answer) = match pool.constant(goal) {
            Some(1) => (Layer::Constant, Answer::Sat(Vec::new())),
            Some(_) => (Layer::Constant, Answer::Unsat),
            None => {
                let slice = std::mem::take(&mut self.slice);
                let answer = self.decide(pool, &slice, seed);
                self.slice = slice;
                answer
            }
        };
        self.stats.note(layer, &answer, self.asked.elapsed());
        if self.settings.cross_check && layer != Layer::Constant {
            self.cross_check(pool, seed, layer, &answer);
        }
        answer
    }

    fn decide(&mut self, pool: &mut Pool, slice: &Slice, seed: &dyn Fn(Var) -> u8) -> (Layer, Answer) {
        let since = Instant::now();
        let look = self.domains.look(pool, slice, seed);
        self.stats.spend(Layer::Domains, since);
        match look {
            DomainAnswer::Decided(answer) => return (Layer::Domains, answer),
            DomainAnswer::Found(model) => return (Layer::Trial, Answer::Sat(model)),
            DomainAnswer::Late => return (Layer::Domains, Answer::Unknown(Unknown::Time)),
            DomainAnswer::Open => {}
        }
        self.decide_reduced(pool, slice, seed)
    }

    /// Makes the query smaller, and decides each of its parts. Bytes of the query that are in no part stay what they are.
    fn decide_reduced(&mut self, pool: &mut Pool, slice: &Slice, seed: &dyn Fn(Var) -> u8) -> (Layer, Answer) {
        let since = Instant::now();
        self.domains.forget();
        let reduced = reduce::reduce(pool, &mut self.domains, &slice.constraints);
        let (reduced, groups) = match reduced {
            QueryReduction::Left(reduced) => {
                let groups = reduce::groups(pool, &reduced.rest, self.deadline);
                (reduced, groups)
            }
            QueryReduction::Unsat => {
                self.stats.spend(Layer::Domains, since);
                return (Layer::Domains, Answer::Unsat);
            }
            QueryReduction::Late => (Default::default(), None),
        };
        self.stats.spend(Layer::Domains, since);
        let Some(groups) = groups else { return (Layer::Domains, Answer::Unknown(Unknown::Time)) };
        let mut model = self.domains.base(seed, &slice.vars);
        let mut slowest = Layer::Domains;
        for group in groups {
            let (layer, answer) = self.decide_group(pool, &group, &reduced.single, seed);
            slowest = slowest.max(layer);
            match answer {
                Answer::Sat(part) => update(&mut model, &part),
                answer => return (layer, answer),
            }
        }
        (slowest, Answer::Sat(model))
    }

    fn decide_group(
        &mut self,
        pool: &Pool,
        group: &[Expr],
        single: &[Expr],
        seed: &dyn Fn(Var) -> u8,
    ) -> (Layer, Answer) {
        let since = Instant::now();
        let mut vars = Vec::new();
        group.iter().for_each(|&constraint| pool.collect_vars(constraint, &mut vars));
        vars.sort_unstable();
        vars.dedup();
        let look = self.domains.look_closely(pool, group, &vars, seed);
        self.stats.spend(Layer::Domains, since);
        match look {
            DomainAnswer::Decided(answer) => return (Layer::Domains, answer),
            DomainAnswer::Found(model) => return (Layer::Trial, Answer::Sat(model)),
            DomainAnswer::Late => return (Layer::Domains, Answer::Unknown(Unknown::Time)),
            DomainAnswer::Open => {}
        }
        let since = Instant::now();
        let of_group = |&&constraint: &&Expr| {
            pool.vars(pool.support(constraint)).iter().all(|var| vars.binary_search(var).is_ok())
        };
        let mut constraints: Vec<Expr> = group.iter().chain(single.iter().filter(of_group)).copied().collect();
        constraints.sort_unstable();
        constraints.dedup();
        let query = Query { constraints: &constraints, vars: &vars, seed };
        let key = Cache::key(&constraints);
        let known = self.known(pool, &query, key);
        self.stats.spend(Layer::Cache, since);
        if let Some(answer) = known {
            return (Layer::Cache, answer);
        }
        let (layer, answer, core) = self.search(pool, &query);
        self.cache.remember(key, &answer, &core);
        (layer, answer)
    }

    fn known(&mut self, pool: &Pool, query: &Query<'_>, key: (u64, u64)) -> Option<Answer> {
        if let Some(answer) = self.cache.answer(key) {
            return Some(answer.clone());
        }
        if self.cache.is_contradiction(query.constraints) {
            return Some(Answer::Unsat);
        }
        let tape = self.domains.evaluator.tape(pool, query.constraints)?;
        for model in self.cache.models() {
            let value = |var: Var| {
                model.iter().find(|&&(other, _)| other == var).map_or_else(|| (query.seed)(var), |&(_, v)| v)
            };
            if self.domains.evaluator.holds(pool, &tape, value)? {
                return Some(Answer::Sat(query.vars.iter().map(|&var| (var, value(var))).collect()));
            }
        }
        None
    }

    /// Asks those who search.
    fn search(&mut self, pool: &Pool, query: &Query<'_>) -> (Layer, Answer, Vec<Expr>) {
        let since = Instant::now();
        let answer = self.sat.solve_until(pool, query, &self.settings.sat, self.deadline);
        self.stats.spend(Layer::Sat, since);
        match answer {
            Answer::Unknown(_) => {}
            Answer::Unsat => return (Layer::Sat, Answer::Unsat, self.sat.failed().to_vec()),
            answer => return (Layer::Sat, answer, Vec::new()),
        }
        let external = self.external.as_mut().filter(|_| self.limit.is_none());
        let Some(external) = external else { return (Layer::Sat, answer, Vec::new()) };
        let since = Instant::now();
        let answer = external.solve(pool, query, self.settings.external_timeout);
        self.stats.spend(Layer::External, since);
        (Layer::External, answer, Vec::new())
    }

    fn cross_check(&mut self, pool: &Pool, seed: &dyn Fn(Var) -> u8, layer: Layer, answer: &Answer) {
        let Some(external) = &mut self.external else { return };
        let query = Query { constraints: &self.slice.constraints, vars: &self.slice.vars, seed };
        let theirs = external.solve(pool, &query, self.settings.external_timeout);
        let wrong = match (answer, &theirs) {
            (Answer::Sat(model), _) => theirs == Answer::Unsat || !satisfies(pool, &query, model),
            (Answer::Unsat, Answer::Sat(_)) => true,
            _ => false,
        };
        if wrong && self.disagreement.is_none() {
            let constraints = self.slice.constraints.clone();
            self.disagreement = Some(Disagreement { constraints, ours: (layer, answer.clone()), theirs });
        } else if !matches!(theirs, Answer::Unknown(_)) {
            self.stats.cross_checked += 1;
        }
    }
}

/// Lays a part of an answer over the whole.
fn update(model: &mut [(Var, u8)], part: &[(Var, u8)]) {
    for (var, value) in model {
        if let Some(&(_, new)) = part.iter().find(|(other, _)| other == var) {
            *value = new;
        }
    }
}
