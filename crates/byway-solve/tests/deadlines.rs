//! A budget holds for all that is done for a question, also before the search begins.

use std::time::Duration;

use byway_solve::clock::thread_time;
use byway_solve::sat::{Sat, SatLimits};
use byway_solve::{Answer, Expr, Op, PathCondition, Pool, Query, Solver, SolverSettings, Table, Unknown, Var};

fn word(pool: &mut Pool, first: u32, bytes: u32) -> Expr {
    let low = pool.make_byte(Var(first));
    (first + 1..first + bytes).fold(low, |low, number| {
        let byte = pool.make_byte(Var(number));
        pool.binary(Op::Concat, byte, low)
    })
}

/// Reads of 16 bytes from many tables of 8 KB of input.
fn giant_tables(pool: &mut Pool) -> Expr {
    let number = word(pool, 0, 2);
    let mut at = pool.extend(Op::ZExt, number, 64);
    let mut all = pool.truth(true);
    for table in 0..20 {
        let symbolic = (0..8192).map(|at| (at, pool.make_byte(Var(at % 64 + table)))).collect();
        let table = pool.make_table(Table { bytes: vec![0; 8192], symbolic });
        let value = pool.load(table, at, 128);
        let (upper, lower) = (pool.extract(value, 64, 64), pool.extract(value, 0, 64));
        let less = pool.binary(Op::Ult, upper, lower);
        all = pool.binary(Op::And, all, less);
        let low = pool.extract(value, 0, 13);
        at = pool.extend(Op::ZExt, low, 64);
    }
    all
}

/// Products, quotients and remainders of 128 bits, each of the one before.
fn wide_arithmetic(pool: &mut Pool) -> Expr {
    let (mut a, b) = (word(pool, 0, 16), word(pool, 16, 16));
    for _ in 0..40 {
        let product = pool.binary(Op::Mul, a, b);
        let sum = pool.binary(Op::Add, product, a);
        let rest = pool.binary(Op::URem, sum, b);
        a = pool.binary(Op::SDiv, product, rest);
    }
    pool.equals(a, 12_345)
}

/// A hundred thousand operations one upon the other.
fn deep_expression(pool: &mut Pool) -> Expr {
    let (mut a, b) = (word(pool, 0, 4), word(pool, 4, 4));
    for number in 0..100_000_u128 {
        let constant = pool.make_constant(32, number * 77 + 5);
        let mixed = pool.binary(Op::Xor, a, constant);
        a = pool.binary(Op::Add, mixed, b);
    }
    pool.equals(a, 12_345)
}

const VARS: u32 = 100;

/// Asks the SAT solver alone.
fn ask(sat: &mut Sat, pool: &Pool, goal: Expr, time: Duration) -> Answer {
    let vars: Vec<Var> = (0..VARS).map(Var).collect();
    let limits = SatLimits { time, variables: usize::MAX / 4, ..SatLimits::default() };
    sat.solve(pool, &Query { constraints: &[goal], vars: &vars, seed: &|_| 7 }, &limits)
}

/// Without time no gates are made; with little time little is used; and the solver is as good as before.
fn is_bounded(shape: fn(&mut Pool) -> Expr) {
    let mut pool = Pool::new();
    let goal = shape(&mut pool);
    let byte = pool.make_byte(Var(0));
    let easy = pool.equals(byte, 9);
    let mut sat = Sat::new();
    assert_eq!(ask(&mut sat, &pool, goal, Duration::ZERO), Answer::Unknown(Unknown::Time));
    assert!(sat.stats().clauses < 10, "{:?}", sat.stats());
    let begun = thread_time();
    assert_eq!(ask(&mut sat, &pool, goal, Duration::from_millis(50)), Answer::Unknown(Unknown::Time));
    let used = thread_time() - begun;
    assert!(used < Duration::from_secs(1), "{used:?}");
    assert!(matches!(ask(&mut sat, &pool, easy, Duration::from_secs(10)), Answer::Sat(_)));
}

#[test]
fn giant_tables_are_given_up_on_in_time() {
    is_bounded(giant_tables);
}

#[test]
fn wide_arithmetic_is_given_up_on_in_time() {
    is_bounded(wide_arithmetic);
}

#[test]
fn a_deep_expression_is_given_up_on_in_time() {
    is_bounded(deep_expression);
}

#[test]
fn all_layers_together_keep_to_the_budget() {
    for shape in [giant_tables, wide_arithmetic, deep_expression] {
        let mut pool = Pool::new();
        let goal = shape(&mut pool);
        for time in [Duration::ZERO, Duration::from_millis(50)] {
            let sat = SatLimits { time, variables: usize::MAX / 4, ..SatLimits::default() };
            let settings = SolverSettings { sat, external_timeout: time, cross_check: false };
            let mut solver = Solver::new(settings, None);
            let begun = thread_time();
            let answer = solver.solve(&mut pool, &mut PathCondition::new(), goal, &|_| 7);
            let used = thread_time() - begun;
            assert_eq!(answer, Answer::Unknown(Unknown::Time));
            assert!(used < Duration::from_secs(2), "{used:?}");
        }
    }
}
