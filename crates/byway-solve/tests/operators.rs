//! Every operator means the same to the evaluator, to the rules of the pool, to the SAT solver and to z3, at any width.

mod plain;

use byway_solve::sat::{Limits, Sat};
use byway_solve::{Answer, Evaluation, Expr, Op, Pool, Query, Var};
use plain::{INPUTS, Plain, plain, single};
use proptest::prelude::*;

const INPUT: [u8; INPUTS] = [0; INPUTS];

fn all_vars() -> Vec<Var> {
    (0..INPUTS as u32).map(Var).collect()
}

fn solve(sat: &mut Sat, pool: &Pool, constraints: &[Expr], input: [u8; INPUTS]) -> Answer {
    let seed = move |var: Var| input[var.0 as usize];
    sat.solve(pool, &Query { constraints, vars: &all_vars(), seed: &seed }, &Limits::default())
}

fn fixed(pool: &mut Pool, input: [u8; INPUTS]) -> Vec<Expr> {
    let fix = |(number, value): (u32, u8)| {
        let byte = pool.make_byte(Var(number));
        pool.equals(byte, value.into())
    };
    (0..).zip(input).map(fix).collect()
}

/// With its bytes fixed, an expression has its value and no other.
fn has_only_its_value(tree: &Plain, input: [u8; INPUTS]) -> Result<(), TestCaseError> {
    let mut pool = Pool::new();
    let expr = tree.build(&mut pool);
    let value = tree.value(&input);
    let is = pool.equals(expr, value);
    let is_not = pool.not(is);
    let mut constraints = fixed(&mut pool, input);
    let mut sat = Sat::new();
    // The seed is another input: the solver has to find this one.
    constraints.push(is_not);
    prop_assert_eq!(solve(&mut sat, &pool, &constraints, INPUT), Answer::Unsat, "{:?}", tree);
    constraints.pop();
    constraints.push(is);
    let model = (0..).map(Var).zip(input).collect();
    prop_assert_eq!(solve(&mut sat, &pool, &constraints, INPUT), Answer::Sat(model), "{:?}", tree);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn one_operator_is_to_the_sat_solver_what_it_is(tree in single(), input: [u8; INPUTS]) {
        has_only_its_value(&tree, input)?;
    }

    #[test]
    fn rules_keep_the_meaning(tree in plain(), input: [u8; INPUTS]) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool);
        prop_assert_eq!(pool.width(expr), tree.width());
        let value = Evaluation::new(&pool, |var: Var| input[var.0 as usize]).value(expr);
        prop_assert_eq!(value, tree.value(&input), "{:?}", tree);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn expressions_are_to_the_sat_solver_what_they_are(tree in plain(), input: [u8; INPUTS]) {
        has_only_its_value(&tree, input)?;
    }

    #[test]
    fn unfixed_bytes_are_found_where_there_are_any(tree in plain(), value: u128, input: [u8; INPUTS], free in 0..INPUTS) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool);
        let goal = pool.equals(expr, value);
        let mut constraints = fixed(&mut pool, input);
        constraints.remove(free);
        constraints.push(goal);
        let mut sat = Sat::new();
        let answer = solve(&mut sat, &pool, &constraints, input);
        let mut with = |byte: u8| {
            let mut input = input;
            input[free] = byte;
            Evaluation::new(&pool, |var: Var| input[var.0 as usize]).value(goal) == 1
        };
        prop_assert_eq!(matches!(answer, Answer::Sat(_)), (0..=255).any(&mut with), "{:?}", answer);
    }
}

#[test]
fn no_operator_is_left_out() {
    for op in plain::OPERATORS {
        let mut pool = Pool::new();
        let byte = pool.make_byte(Var(0));
        assert!(pool.width(byte) == 8 && op.arity() > 0 && op != Op::Const);
    }
}
