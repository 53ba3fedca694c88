//! Questions about large tables of the input, near an input that takes the path: what is answered with yes is true of the whole path.

use std::time::Duration;

use byway_solve::sat::SatLimits;
use byway_solve::{Answer, Evaluation, Expr, Op, PathCondition, Pool, Solver, SolverSettings, Table, TableId, Var};
use proptest::prelude::*;

/// How long the input is; all of it is a table.
const LENGTH: u32 = 200;

fn whole_input(pool: &mut Pool) -> TableId {
    let symbolic = (0..LENGTH).map(|at| (at, pool.make_byte(Var(at)))).collect();
    pool.make_table(Table { bytes: vec![0; LENGTH as usize], symbolic })
}

/// What is read at a position of 8 bits, and so many more.
fn read(pool: &mut Pool, table: TableId, position: Expr, more: u32) -> Expr {
    let wide = pool.extend(Op::ZExt, position, 64);
    let more = pool.make_constant(64, more.into());
    let at = pool.binary(Op::Add, wide, more);
    pool.load(table, at, 8)
}

/// A byte of the input that is found through others, and so many steps of that.
fn chain(pool: &mut Pool, table: TableId, first: u32, steps: &[u32]) -> Expr {
    let first = pool.make_byte(Var(first));
    steps.iter().fold(first, |position, &more| read(pool, table, position, more))
}

fn solver() -> Solver {
    let sat = SatLimits { time: Duration::from_secs(60), ..SatLimits::default() };
    Solver::new(SolverSettings { sat, external_timeout: Duration::ZERO, cross_check: false }, None)
}

fn value_of(pool: &Pool, expr: Expr, input: &[u8]) -> u128 {
    Evaluation::new(pool, |var: Var| input[var.0 as usize]).value(expr)
}

fn changed(seed: &[u8], model: &[(Var, u8)]) -> Vec<u8> {
    let mut input = seed.to_vec();
    model.iter().for_each(|&(var, value)| input[var.0 as usize] = value);
    input
}

/// What a question has to do with near an input, itself included.
fn prepared(
    solver: &mut Solver,
    pool: &mut Pool,
    path: &mut PathCondition,
    goal: Expr,
    seed: &[u8],
) -> Option<(Vec<Expr>, Vec<Var>)> {
    solver.prepare_near(pool, path, goal, &|var: Var| seed[var.0 as usize])?;
    let (mut constraints, mut vars) = (solver.last_slice().constraints.clone(), solver.last_slice().vars.clone());
    constraints.sort_unstable();
    vars.sort_unstable();
    Some((constraints, vars))
}

#[test]
fn an_entry_is_asked_about_where_it_is() {
    let mut pool = Pool::new();
    let table = whole_input(&mut pool);
    let mut seed = vec![0; LENGTH as usize];
    seed[0] = 100;
    let value = |var: Var| seed[var.0 as usize];
    let (mut path, mut solver) = (PathCondition::new(), solver());
    let entry = chain(&mut pool, table, 0, &[5]);
    let is_seven = pool.equals(entry, 7);
    let near = solver.prepare_near(&mut pool, &mut path, is_seven, &value).expect("it reads the table");
    assert_eq!(solver.last_slice().vars, [Var(105)]);
    assert_eq!(solver.solve_near(&mut pool, &path, near, &value), Answer::Sat(vec![(Var(105), 7)]));
    // The position stays, also for other questions; those that have nothing to do with the table are asked as ever.
    let is_zero = pool.equals(entry, 0);
    path.push(&mut pool, is_zero);
    let first = pool.make_byte(Var(0));
    let is_ten = pool.equals(first, 10);
    let near = solver.prepare_near(&mut pool, &mut path, is_ten, &value).expect("the table is read there");
    assert_eq!(solver.solve_near(&mut pool, &path, near, &value), Answer::Unsat);
    assert!(matches!(solver.solve_near_first(&mut pool, &mut path, is_ten, &value), Answer::Sat(_)));
    let outside = pool.make_byte(Var(LENGTH));
    let is_ten = pool.equals(outside, 10);
    assert!(solver.prepare_near(&mut pool, &mut path, is_ten, &value).is_none());
    path.truncate(&pool, 0);
    let is_ten = pool.equals(first, 10);
    assert!(solver.prepare_near(&mut pool, &mut path, is_ten, &value).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn yes_is_true_of_the_whole_path(
        seed in prop::collection::vec(0..200_u8, LENGTH as usize),
        other in prop::collection::vec(0..200_u8, LENGTH as usize),
        chains in prop::collection::vec((0..LENGTH, prop::collection::vec(0..40_u32, 0..4), 0..3_u8), 1..10),
        cut in 0..10_usize,
        (first, steps, wanted) in (0..LENGTH, prop::collection::vec(0..40_u32, 0..4), 0..=255_u8),
    ) {
        let mut pool = Pool::new();
        let table = whole_input(&mut pool);
        let (mut path, mut solver) = (PathCondition::new(), solver());
        let entry = chain(&mut pool, table, first, &steps);
        let goal = pool.equals(entry, wanted.into());
        // The same path near one input, then a part of it near another.
        for (seed, length) in [(&seed, chains.len()), (&other, cut.min(chains.len())), (&seed, chains.len())] {
            path.truncate(&pool, path.len().min(cut));
            for (first, steps, kind) in &chains[path.len().min(length)..length] {
                let entry = chain(&mut pool, table, *first, steps);
                let limit = pool.make_constant(8, 128);
                let less = pool.binary(Op::Ult, entry, limit);
                let equal = pool.equals(entry, 9);
                let condition = if *kind == 0 { equal } else { less };
                path.push(&mut pool, condition);
            }
            // Only an input that takes the path is one to look near of.
            let takes = path.parts().to_vec().iter().all(|&part| value_of(&pool, part, seed) == 1);
            if !takes {
                path.truncate(&pool, 0);
                for (first, steps, _) in &chains[..length] {
                    let entry = chain(&mut pool, table, *first, steps);
                    let limit = pool.make_constant(8, 128);
                    let less = pool.binary(Op::Ult, entry, limit);
                    let condition = if value_of(&pool, less, seed) == 1 { less } else { pool.not(less) };
                    path.push(&mut pool, condition);
                }
            }
            let value = |var: Var| seed[var.0 as usize];
            // What is kept of the path and of other questions changes nothing.
            for asked in 0..=steps.len() {
                let entry = chain(&mut pool, table, first, &steps[..asked]);
                let goal = pool.equals(entry, wanted.into());
                let kept = prepared(&mut solver, &mut pool, &mut path, goal, seed);
                let mut fresh = PathCondition::new();
                path.parts().iter().for_each(|&part| fresh.push(&mut pool, part));
                prop_assert_eq!(kept, prepared(&mut solver, &mut pool, &mut fresh, goal, seed));
            }
            let near = solver.prepare_near(&mut pool, &mut path, goal, &value);
            let answer = near.map(|near| solver.solve_near(&mut pool, &path, near, &value));
            if let Some(Answer::Sat(model)) = answer {
                let input = changed(seed, &model);
                prop_assert!(path.parts().iter().chain([&goal]).all(|&part| value_of(&pool, part, &input) == 1));
            }
        }
    }
}
