//! sat_speed [FOLDER]: how long the SAT solver takes for operators, and for the queries of a small program that parses numbers;
//! records the latter in FOLDER, for `compare_solvers`.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::{Duration, Instant};

use byway_solve::sat::{Sat, SatLimits};
use byway_solve::{Answer, Expr, Op, Pool, Query, Table, Var, record};

fn main() {
    operators();
    let folder = std::env::args().nth(1);
    let (pool, queries) = parser(12);
    if let Some(folder) = &folder {
        save(Path::new(folder), &pool, &queries);
    }
    for spare in [0, 1_000, 5_000, 20_000, usize::MAX / 4] {
        explore(&pool, &queries, spare);
    }
}

fn word(pool: &mut Pool, first: u32, bytes: u32) -> Expr {
    let low = pool.make_byte(Var(first));
    (first + 1..first + bytes).fold(low, |low, number| {
        let byte = pool.make_byte(Var(number));
        pool.binary(Op::Concat, byte, low)
    })
}

fn operators() {
    let ops = [Op::Add, Op::Mul, Op::UDiv, Op::SRem, Op::Shl];
    for (op, bytes) in ops.into_iter().flat_map(|op| [(op, 4), (op, 8), (op, 16)]) {
        let mut pool = Pool::new();
        let (a, b) = (word(&mut pool, 0, bytes), word(&mut pool, bytes, bytes));
        let result = pool.binary(op, a, b);
        let goal = pool.equals(result, 0x1234_5678);
        single(&format!("{op:?} of {} bits", bytes * 8), &pool, goal, 2 * bytes);
    }
    for divisor in [10, 1000] {
        let mut pool = Pool::new();
        let (a, b) = (word(&mut pool, 0, 4), pool.make_constant(32, divisor));
        let result = pool.binary(Op::UDiv, a, b);
        let goal = pool.equals(result, 1234);
        single(&format!("UDiv of 32 bits by {divisor}"), &pool, goal, 4);
    }
    for symbolic in [0, 256] {
        let mut pool = Pool::new();
        let bytes = (0..256_u32).map(|index| (index * 167 % 251) as u8).collect();
        let symbolic_bytes = (0..symbolic).map(|index| (index, pool.make_byte(Var(1 + index % 64)))).collect();
        let table = pool.make_table(Table { bytes, symbolic: symbolic_bytes });
        let byte = pool.make_byte(Var(0));
        let position = pool.extend(Op::ZExt, byte, 64);
        let value = pool.load(table, position, 8);
        let goal = pool.equals(value, 77);
        single(&format!("Load from 256 bytes, {symbolic} symbolic"), &pool, goal, 65);
    }
}

fn single(name: &str, pool: &Pool, goal: Expr, bytes: u32) {
    let vars: Vec<Var> = (0..bytes).map(Var).collect();
    let mut sat = Sat::new();
    let start = Instant::now();
    let answer = sat.solve(pool, &Query { constraints: &[goal], vars: &vars, seed: &|_| 3 }, &SatLimits::default());
    let (time, stats) = (start.elapsed(), sat.stats());
    let what = match answer {
        Answer::Sat(model) => format!("sat, {} changed", model.iter().filter(|&&(_, value)| value != 3).count()),
        other => format!("{other:?}"),
    };
    let (variables, clauses) = (stats.variables, stats.clauses);
    println!("{name:34} {variables:6} variables {clauses:7} clauses {:>9.1?} of {time:>9.1?} {what}", stats.blasting);
}

/// Constraints, the last one to be flipped; the bytes that occur.
type Flip = (Vec<Expr>, Vec<Var>);

/// The branches of a program that reads numbers of three digits and compares them, on one run, each flipped.
fn parser(numbers: u32) -> (Pool, Vec<Flip>) {
    let mut pool = Pool::new();
    let kinds: Vec<u8> =
        (0..=255_u8).map(|byte| if byte.is_ascii_digit() { 8 } else { u8::from(byte.is_ascii_alphabetic()) }).collect();
    let table = pool.constant_table(&kinds);
    let (mut path, mut values) = (Vec::new(), Vec::new());
    for number in 0..numbers {
        let mut value = pool.make_constant(32, 0);
        for digit in 0..3 {
            let byte = pool.make_byte(Var(number * 3 + digit));
            let position = pool.extend(Op::ZExt, byte, 64);
            let kind = pool.load(table, position, 8);
            path.push(pool.equals(kind, 8));
            let (ten, zero) = (pool.make_constant(32, 10), pool.make_constant(32, 48));
            let wide = pool.extend(Op::ZExt, byte, 32);
            let digit = pool.binary(Op::Sub, wide, zero);
            let more = pool.binary(Op::Mul, value, ten);
            value = pool.binary(Op::Add, more, digit);
        }
        for &(earlier, _) in values.iter().rev().take(3) {
            let less = pool.binary(Op::Slt, earlier, value);
            path.push(pool.not(less));
            let (seven, sum) = (pool.make_constant(32, 7), pool.binary(Op::Add, earlier, value));
            let rest = pool.binary(Op::URem, sum, seven);
            let even = pool.equals(rest, 3);
            path.push(pool.not(even));
        }
        values.push((value, number));
    }
    let flips = (1..=path.len()).map(|length| flip(&mut pool, &path[..length])).collect();
    (pool, flips)
}

/// A path with its last constraint negated, and only what that depends on.
fn flip(pool: &mut Pool, path: &[Expr]) -> Flip {
    let (&last, before) = path.split_last().expect("a path has a branch");
    let mut vars = Vec::new();
    pool.collect_vars(last, &mut vars);
    let mut constraints = Vec::new();
    loop {
        let count = constraints.len();
        for &constraint in before {
            let mut others = Vec::new();
            pool.collect_vars(constraint, &mut others);
            if !constraints.contains(&constraint) && others.iter().any(|var| vars.contains(var)) {
                constraints.push(constraint);
                vars.extend(others);
            }
        }
        vars.sort_unstable();
        vars.dedup();
        if constraints.len() == count {
            break;
        }
    }
    constraints.push(pool.not(last));
    (constraints, vars)
}

fn seed(var: Var) -> u8 {
    b'9' - (var.0 / 3 % 10) as u8
}

fn save(folder: &Path, pool: &Pool, queries: &[Flip]) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    for (number, (constraints, vars)) in queries.iter().enumerate() {
        let file = File::create(folder.join(format!("{number:04}.smt2"))).expect("the file can be made");
        record::write(pool, &Query { constraints, vars, seed: &seed }, BufWriter::new(file))
            .expect("it can be written");
    }
}

fn explore(pool: &Pool, queries: &[Flip], spare: usize) {
    let mut sat = Sat::with_spare(spare);
    let mut times: Vec<Duration> = Vec::new();
    let (mut satisfied, mut changed) = (0, 0);
    for (constraints, vars) in queries {
        let start = Instant::now();
        let answer = sat.solve(pool, &Query { constraints, vars, seed: &seed }, &SatLimits::default());
        times.push(start.elapsed());
        if let Answer::Sat(model) = answer {
            satisfied += 1;
            changed += model.iter().filter(|&&(var, value)| value != seed(var)).count();
        }
    }
    let total: Duration = times.iter().sum();
    times.sort_unstable();
    println!(
        "spare {spare:20}: {} queries, {satisfied} sat with {changed} bytes changed, {:.1?} in all, median {:.1?}, p90 {:.1?}, {:?}",
        times.len(),
        total,
        times[times.len() / 2],
        times[times.len() * 9 / 10],
        sat.stats()
    );
}
