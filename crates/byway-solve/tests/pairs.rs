//! Questions about two bytes, more of them than tables are kept.

use std::time::Duration;

use byway_solve::sat::SatLimits;
use byway_solve::{Answer, Expr, Op, PathCondition, Pool, Solver, SolverSettings, Var};

fn solver() -> Solver {
    let sat = SatLimits { time: Duration::from_secs(60), ..SatLimits::default() };
    Solver::new(SolverSettings { sat, external_timeout: Duration::ZERO, cross_check: false }, None)
}

/// 3 x + 6 y of two bytes, in 16 bits: it has no remainder by 3.
fn sum(pool: &mut Pool) -> Expr {
    let mut part = |var: u32, factor: u128| {
        let byte = pool.make_byte(Var(var));
        let wide = pool.extend(Op::ZExt, byte, 16);
        let factor = pool.make_constant(16, factor);
        pool.binary(Op::Mul, wide, factor)
    };
    let (x, y) = (part(0, 3), part(1, 6));
    pool.binary(Op::Add, x, y)
}

/// A condition on both bytes that is another one for each number, and that nothing satisfies.
fn condition(pool: &mut Pool, sum: Expr, number: u128) -> Expr {
    let changed = pool.make_constant(16, number * 8);
    let changed = pool.binary(Op::Xor, sum, changed);
    let twice = pool.binary(Op::Add, changed, sum);
    pool.equals(twice, 0xfff1)
}

#[test]
fn tables_that_are_forgotten_between_questions_are_made_again() {
    let mut pool = Pool::new();
    let mut solver = solver();
    let sum = sum(&mut pool);
    let ask = |pool: &mut Pool, solver: &mut Solver, before: &[Expr], goal: Expr| {
        let mut path = PathCondition::new();
        before.iter().for_each(|&constraint| path.push(pool, constraint));
        solver.solve(pool, &mut path, goal, &|_| 7)
    };
    let known: Vec<Expr> = (0..4).map(|number| condition(&mut pool, sum, number)).collect();
    let known: Vec<Expr> = known.into_iter().map(|condition| pool.not(condition)).collect();
    let goal = pool.equals(sum, 100);
    assert_eq!(ask(&mut pool, &mut solver, &known, goal), Answer::Unsat);
    // As many as bring the number of tables to its limit within a question that began with known ones.
    for number in 4..4200 {
        let new = condition(&mut pool, sum, number);
        let with_known: Vec<Expr> = known.iter().copied().chain([pool.not(new)]).collect();
        assert_eq!(ask(&mut pool, &mut solver, &with_known, goal), Answer::Unsat, "{number}");
    }
}

#[test]
fn one_question_with_more_constraints_than_tables_is_answered() {
    let mut pool = Pool::new();
    let sum = sum(&mut pool);
    let mut path = PathCondition::new();
    let two = pool.make_constant(8, 2);
    let first = pool.make_byte(Var(0));
    let few = pool.binary(Op::Ult, first, two);
    path.push(&mut pool, few);
    for number in 0..4200 {
        let condition = condition(&mut pool, sum, number);
        let never = pool.not(condition);
        path.push(&mut pool, never);
    }
    let goal = pool.equals(sum, 100);
    assert_eq!(solver().solve(&mut pool, &mut path, goal, &|_| 7), Answer::Unsat);
}
