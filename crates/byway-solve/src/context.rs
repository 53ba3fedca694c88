//! Expressions, the names of input bytes and the solver, as one thing that paths are made in.
//!
//! Equal expressions are one, whichever run or program computed them. So two programs that read the same bytes can share a context,
//! and one query can be about the paths of both.

use byway_trace::Trace;

use crate::condition::PathCondition;
use crate::import::Importer;
use crate::op::Op;
use crate::pool::{Expr, Pool, Var};
use crate::query::Answer;
use crate::recorder::Recorder;
use crate::solver::{Refuted, Solver};
use crate::texts;
use crate::variables::{InputSource, Variables};

/// The value of each byte in the input that a query starts from: an answer differs from it in as few bytes as possible.
pub type InputValues<'a> = dyn Fn(&Variables, Var) -> u8 + 'a;

/// What the paths of one or several programs are made of.
pub struct ExpressionContext {
    /// The expressions.
    pub pool: Pool,
    /// What the bytes of inputs are called.
    pub variables: Variables,
    /// The solver.
    pub solver: Solver,
    recorder: Option<Recorder>,
}

/// A question at the end of a path.
#[derive(Debug, Clone)]
pub struct PathQuery {
    /// What is to be true.
    pub goal: Expr,
    /// What should be true besides, if it can be: the first of these that can.
    pub preferences: Vec<Expr>,
    /// Whether most such queries are unsatisfiable: then constraints on the goal's own bytes are tried before all others.
    pub refute_first: bool,
}

impl From<Expr> for PathQuery {
    fn from(goal: Expr) -> PathQuery {
        PathQuery { goal, preferences: Vec::new(), refute_first: false }
    }
}

impl ExpressionContext {
    /// A context without expressions.
    pub fn new(solver: Solver) -> ExpressionContext {
        ExpressionContext { pool: Pool::new(), variables: Variables::default(), solver, recorder: None }
    }

    /// From now on, queries are recorded.
    pub fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// Imports a trace, with the solver for what is simple enough to be decided at once. `sources` are the names of its sources, if they
    /// are not those in the trace.
    pub fn import<'a>(
        &'a mut self,
        trace: &'a Trace,
        sources: Option<Vec<InputSource>>,
    ) -> (Importer<'a>, &'a mut Solver) {
        let ExpressionContext { pool, variables, solver, .. } = self;
        let importer = match sources {
            Some(sources) => Importer::with_sources(trace, pool, variables, sources),
            None => Importer::new(trace, pool, variables),
        };
        (importer, solver)
    }

    /// Asks for an input that takes a path and for which the goal of a query is true. An answer can be given to a program.
    pub fn solve(&mut self, path: &mut PathCondition, query: &PathQuery, values: &InputValues<'_>) -> Answer {
        let goal = query.goal;
        let near = self.solve_near(path, goal, values);
        if near.is_none() && query.refute_first && self.is_refuted(path, goal, values) {
            return Answer::Unsat;
        }
        let (variables, pool) = (&self.variables, &self.pool);
        if let Some(recorder) = &mut self.recorder {
            recorder.note(pool, path, goal, &|var| values(variables, var));
        }
        let answer = near.unwrap_or_else(|| self.solve_whole(path, goal, values));
        let answer = self.make_fit(path, goal, answer, values);
        if !matches!(answer, Answer::Sat(_)) {
            return answer;
        }
        let preferred = query.preferences.iter().find_map(|&preference| {
            let both = self.pool.binary(Op::And, goal, preference);
            let answer = self.solve_near_first(path, both, values);
            Some(self.make_fit(path, both, answer, values)).filter(|answer| matches!(answer, Answer::Sat(_)))
        });
        preferred.unwrap_or(answer)
    }

    /// The bytes that an answer changes in the input that the query started from.
    pub fn changed(&self, model: &[(Var, u8)], values: &InputValues<'_>) -> Vec<(Var, u8)> {
        model.iter().filter(|&&(var, new)| values(&self.variables, var) != new).copied().collect()
    }

    /// A satisfying answer near the input that takes the path, if large tables have to do with the query.
    fn solve_near(&mut self, path: &mut PathCondition, goal: Expr, values: &InputValues<'_>) -> Option<Answer> {
        let ExpressionContext { pool, variables, solver, .. } = self;
        if path.truth(pool, goal) == Some(false) {
            return None;
        }
        let seed = |var| values(variables, var);
        let near = solver.prepare_near(pool, path, goal, &seed)?;
        Some(solver.solve_near(pool, path, near, &seed)).filter(|answer| matches!(answer, Answer::Sat(_)))
    }

    fn is_refuted(&mut self, path: &mut PathCondition, goal: Expr, values: &InputValues<'_>) -> bool {
        let ExpressionContext { pool, variables, solver, .. } = self;
        solver.refute(pool, path, goal, &|var| values(variables, var)) != Refuted::No
    }

    fn solve_whole(&mut self, path: &mut PathCondition, goal: Expr, values: &InputValues<'_>) -> Answer {
        let ExpressionContext { pool, variables, solver, .. } = self;
        solver.solve(pool, path, goal, &|var| values(variables, var))
    }

    fn solve_near_first(&mut self, path: &mut PathCondition, goal: Expr, values: &InputValues<'_>) -> Answer {
        let ExpressionContext { pool, variables, solver, .. } = self;
        solver.solve_near_first(pool, path, goal, &|var| values(variables, var))
    }

    /// If an answer cannot be given to a program, asks for another that can: most can, and to demand it of all would have every byte of
    /// an argument depend on the next.
    fn make_fit(&mut self, path: &mut PathCondition, goal: Expr, answer: Answer, values: &InputValues<'_>) -> Answer {
        let Answer::Sat(model) = &answer else { return answer };
        let texts = texts::changed(&mut self.variables, model);
        let variables = &self.variables;
        let now = |var: Var| {
            let changed = model.iter().find(|change| change.0 == var);
            changed.map_or_else(|| values(variables, var), |change| change.1)
        };
        if !texts.iter().any(|text| texts::is_broken(text, now)) {
            return answer;
        }
        let goal = texts.iter().fold(goal, |goal, text| {
            let whole = texts::is_whole(&mut self.pool, text);
            self.pool.binary(Op::And, goal, whole)
        });
        self.solve_near_first(path, goal, values)
    }
}
