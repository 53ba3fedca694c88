//! compare_solvers FOLDER [CMD]: asks recorded queries (`*.smt2`, see `byway_solve::record`) of every solver in one run, and
//! prints how fast they answer, what, and where they disagree. CMD is the external solver, z3 unless said otherwise.

use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use byway_solve::record::{self, Recorded};
use byway_solve::sat::{Limits, Sat};
use byway_solve::smt::{External, Settings, default_command};
use byway_solve::{Answer, Pool, Query};

const TIMEOUT: Duration = Duration::from_secs(10);

/// A solver to compare: its name, and how it answers.
type Backend = (&'static str, Box<dyn FnMut(&Pool, &Query<'_>) -> Answer>);

/// All that are compared. Each sees all queries in the order of their recording, as in an exploration.
fn backends(command: &str) -> Result<Vec<Backend>, Box<dyn Error>> {
    let limits = Limits { time: TIMEOUT, ..Limits::default() };
    let mut sat = Sat::new();
    let mut external = External::new(command, Settings::default())?;
    Ok(vec![
        ("CaDiCaL alone", Box::new(move |pool, query| sat.solve(pool, query, &limits))),
        ("CaDiCaL, new for each", Box::new(move |pool, query| Sat::new().solve(pool, query, &limits))),
        ("external alone", Box::new(move |pool, query| external.solve(pool, query, TIMEOUT))),
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("compare_solvers FOLDER [CMD]")?);
    let command = arguments.next().or(default_command().map(str::to_owned)).ok_or("install z3, or name a solver")?;
    let mut pool = Pool::new();
    let queries = read_all(&mut pool, &folder)?;
    println!("{} queries, {pool:?}", queries.len());
    println!("{:24} {:>10} {:>10} {:>10} {:>10}  answers", "solver", "queries/s", "median", "p90", "all");
    let mut verdicts: Vec<Vec<Option<bool>>> = Vec::new();
    for (name, mut solve) in backends(&command)? {
        verdicts.push(measure(name, &pool, &queries, &mut solve));
    }
    let disagreements: Vec<&PathBuf> = (0..queries.len())
        .filter(|&index| {
            let said = |wanted: bool| verdicts.iter().any(|verdicts| verdicts[index] == Some(wanted));
            said(true) && said(false)
        })
        .map(|index| &queries[index].0)
        .collect();
    println!("{} disagreements", disagreements.len());
    disagreements.iter().for_each(|path| println!("    {}", path.display()));
    if disagreements.is_empty() { Ok(()) } else { Err("solvers disagree".into()) }
}

fn read_all(pool: &mut Pool, folder: &PathBuf) -> Result<Vec<(PathBuf, Recorded)>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    paths.sort();
    let mut queries = Vec::new();
    for path in paths {
        let file = BufReader::new(File::open(&path)?);
        let recorded = record::read(pool, file).map_err(|error| format!("{}: {error}", path.display()))?;
        queries.push((path, recorded));
    }
    Ok(queries)
}

/// Asks all queries of one solver. For each, whether it can be satisfied, if the solver knows.
fn measure(
    name: &str,
    pool: &Pool,
    queries: &[(PathBuf, Recorded)],
    solve: &mut dyn FnMut(&Pool, &Query<'_>) -> Answer,
) -> Vec<Option<bool>> {
    let (mut times, mut verdicts) = (Vec::new(), Vec::new());
    for (_, recorded) in queries {
        let (vars, seed) = (recorded.vars(), |var| recorded.seed(var));
        let query = Query { constraints: &recorded.constraints, vars: &vars, seed: &seed };
        let start = Instant::now();
        let answer = solve(pool, &query);
        times.push(start.elapsed());
        verdicts.push(match answer {
            Answer::Sat(_) => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        });
    }
    report(name, times, &verdicts);
    verdicts
}

fn report(name: &str, mut times: Vec<Duration>, verdicts: &[Option<bool>]) {
    times.sort_unstable();
    let total: Duration = times.iter().sum();
    let at = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or_default();
    let count = |wanted: Option<bool>| verdicts.iter().filter(|&&verdict| verdict == wanted).count();
    println!(
        "{name:24} {:>10.0} {:>10.1?} {:>10.1?} {:>10.1?}  sat {}, unsat {}, unknown {}",
        times.len() as f64 / total.as_secs_f64().max(1e-9),
        at(0.5),
        at(0.9),
        total,
        count(Some(true)),
        count(Some(false)),
        count(None),
    );
}
