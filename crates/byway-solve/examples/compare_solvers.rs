//! compare_solvers FOLDER...: asks recorded queries (`byway explore --record`) of every solver, in the order in which they were
//! asked, and prints a row for each folder: how many our stack decided before the SAT solver, how fast each one answers, and
//! where they disagree. Then which queries reached the SAT solver most often.
//!
//! Every solver gets the whole path, as our stack does; what it leaves out of a query is its own affair. A solver that is not
//! done after a while has its speed taken from what it answered.

use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path as FilePath, PathBuf};
use std::time::{Duration, Instant};

use byway_solve::record::{self, Recorded};
use byway_solve::sat::{Sat, SatLimits};
use byway_solve::smt::{self, External, default_command};
use byway_solve::{Answer, Expr, Layer, Op, PathCondition, Pool, Query, Solver, SolverSettings};

const TIMEOUT: Duration = Duration::from_secs(10);
/// How long a solver may take for a folder.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many kinds of queries are shown.
const SHAPES: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    println!(
        "{:10} {:>7} {:>6} {:>8} {:>8} {:>6} {:>6} {:>6} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7}",
        "queries of",
        "number",
        "before",
        "constant",
        "domains",
        "trial",
        "cache",
        "sat",
        "median",
        "ours/s",
        "CaDiCaL/s",
        "z3/s",
        "z3 slice",
        "times",
        "differ"
    );
    let mut shapes = HashMap::new();
    let mut differ = 0;
    for folder in &folders {
        differ += compare(folder, &mut shapes)?;
    }
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_by_key(|shape| std::cmp::Reverse(shape.1));
    println!("\nqueries that reached the SAT solver, the most frequent kinds:");
    shapes.iter().take(SHAPES).for_each(|(shape, count)| println!("{count:7}  {shape}"));
    if differ == 0 { Ok(()) } else { Err("solvers disagree".into()) }
}

/// What a solver said, and how long it took for each; it may not have come to all.
#[derive(Default)]
struct Answers {
    verdicts: Vec<Option<bool>>,
    times: Vec<Duration>,
}

impl Answers {
    fn ask(queries: &[Recorded], mut solve: impl FnMut(&Recorded) -> Answer) -> Answers {
        let (begun, mut answers) = (Instant::now(), Answers::default());
        for recorded in queries.iter().take_while(|_| begun.elapsed() < PATIENCE) {
            let since = Instant::now();
            let answer = solve(recorded);
            answers.times.push(since.elapsed());
            answers.verdicts.push(match answer {
                Answer::Sat(_) => Some(true),
                Answer::Unsat => Some(false),
                Answer::Unknown(_) => None,
            });
        }
        answers
    }

    fn speed(&self) -> f64 {
        self.times.len() as f64 / self.times.iter().sum::<Duration>().as_secs_f64().max(1e-9)
    }

    fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

/// Prints the row of a folder; how many queries solvers disagree on.
fn compare(folder: &FilePath, shapes: &mut HashMap<String, u64>) -> Result<usize, Box<dyn Error>> {
    let command = default_command().ok_or("install z3")?;
    let mut pool = Pool::new();
    let queries = read_all(&mut pool, folder)?;
    let mut stack = Stack::default();
    let ours = Answers::ask(&queries, |recorded| stack.solve(&mut pool, recorded, shapes));
    let limits = SatLimits { time: TIMEOUT, ..SatLimits::default() };
    let mut sat = Sat::new();
    let cadical = Answers::ask(&queries, |recorded| with_query(recorded, |query| sat.solve(&pool, query, &limits)));
    let mut external = External::new(command, smt::ExternalSettings::default())?;
    let z3 = Answers::ask(&queries, |recorded| with_query(recorded, |query| external.solve(&pool, query, TIMEOUT)));
    let slices = stack.slices;
    let sliced = Answers::ask(&slices, |recorded| with_query(recorded, |query| external.solve(&pool, query, TIMEOUT)));
    let stats = stack.solver.stats();
    let share = |layer: Layer| {
        let layer = &stats.layers[layer as usize];
        100.0 * (layer.sat + layer.unsat + layer.unknown) as f64 / queries.len().max(1) as f64
    };
    let searched = share(Layer::Sat) + share(Layer::External);
    let differ = (0..queries.len()).filter(|&index| {
        let said = |wanted| [&ours, &cadical, &z3].iter().any(|it| it.verdicts.get(index) == Some(&Some(wanted)));
        said(true) && said(false)
    });
    let differ = differ.count();
    println!(
        "{:10} {:7} {:5.1}% {:7.1}% {:7.1}% {:5.1}% {:5.1}% {searched:5.1}% {:>8.1?} {:9.0} {:9.0} {:9.0} {:9.0} {:7.1} {differ:7}",
        folder.file_name().unwrap_or_default().to_string_lossy(),
        queries.len(),
        100.0 - searched,
        share(Layer::Constant),
        share(Layer::Domains),
        share(Layer::Trial),
        share(Layer::Cache),
        ours.median(),
        ours.speed(),
        cadical.speed(),
        z3.speed(),
        sliced.speed(),
        ours.speed() / z3.speed(),
    );
    Ok(differ)
}

fn with_query(recorded: &Recorded, solve: impl FnOnce(&Query<'_>) -> Answer) -> Answer {
    let (vars, seed) = (recorded.vars(), |var| recorded.seed(var));
    solve(&Query { constraints: &recorded.constraints, vars: &vars, seed: &seed })
}

/// Our solver, and the path that it was asked about last.
struct Stack {
    solver: Solver,
    path: PathCondition,
    pushed: Vec<Expr>,
    /// The queries without what they have nothing to do with.
    slices: Vec<Recorded>,
}

impl Default for Stack {
    fn default() -> Self {
        let limits = SatLimits { time: TIMEOUT, ..SatLimits::default() };
        let settings = SolverSettings { sat: limits, external_timeout: TIMEOUT, cross_check: false };
        Stack {
            solver: Solver::new(settings, None),
            path: PathCondition::new(),
            pushed: Vec::new(),
            slices: Vec::new(),
        }
    }
}

impl Stack {
    fn solve(&mut self, pool: &mut Pool, recorded: &Recorded, shapes: &mut HashMap<String, u64>) -> Answer {
        let Some((&goal, way)) = recorded.constraints.split_last() else { return Answer::Sat(Vec::new()) };
        let same = way.iter().zip(&self.pushed).take_while(|(new, old)| new == old).count();
        self.path.truncate(pool, same);
        way[same..].iter().for_each(|&constraint| self.path.push(pool, constraint));
        self.pushed = way.to_vec();
        let before = searched(&self.solver);
        let answer = self.solver.solve(pool, &mut self.path, goal, &|var| recorded.seed(var));
        let slice = self.solver.last_slice();
        if searched(&self.solver) > before {
            let said = if matches!(answer, Answer::Unsat) { "unsat" } else { "sat" };
            let kind = format!("{said}, {} bytes: {}", power(slice.vars.len()), shape(pool, goal, 6));
            *shapes.entry(kind).or_default() += 1;
        }
        let seed = slice.vars.iter().map(|&var| (var, recorded.seed(var))).collect();
        self.slices.push(Recorded { constraints: slice.constraints.clone(), seed });
        answer
    }
}

/// How many queries the SAT solver got.
fn searched(solver: &Solver) -> u64 {
    let layer = &solver.stats().layers[Layer::Sat as usize];
    layer.sat + layer.unsat + layer.unknown
}

/// A number, roughly.
fn power(number: usize) -> String {
    match number {
        0..=4 => number.to_string(),
        _ => format!("{} to {}", number.next_power_of_two() / 2 + 1, number.next_power_of_two()),
    }
}

/// An expression without its constants and bytes, down to a depth.
fn shape(pool: &Pool, expr: Expr, depth: u32) -> String {
    match pool.op(expr) {
        Op::Const => "c".to_owned(),
        Op::Byte => "byte".to_owned(),
        _ if depth == 0 => "..".to_owned(),
        op => {
            let operands = pool.operands(expr);
            let operands = operands[..op.arity()].iter().map(|&operand| shape(pool, operand, depth - 1));
            format!("{op:?}({})", operands.collect::<Vec<_>>().join(", "))
        }
    }
}

fn read_all(pool: &mut Pool, folder: &FilePath) -> Result<Vec<Recorded>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    paths.sort();
    let read = |path: &PathBuf| {
        let file = BufReader::new(File::open(path)?);
        record::read(pool, file).map_err(|error| format!("{}: {error}", path.display()).into())
    };
    paths.iter().map(read).collect()
}
