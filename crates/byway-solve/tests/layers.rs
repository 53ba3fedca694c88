//! All layers of the solver together say what trying all values says.

use std::time::Duration;

use byway_solve::sat::SatLimits;
use byway_solve::{Answer, Expr, Op, PathCondition, Pool, Solver, SolverSettings, Var};
use proptest::prelude::*;

#[allow(dead_code, reason = "other tests use more of it")]
mod plain;

use plain::{INPUTS, Plain, input, plain};

/// The second byte is less than this; the first is free, the others are as they were.
const LESS: u8 = 12;

/// The inputs that are possible.
fn inputs(seed: [u8; INPUTS]) -> impl Iterator<Item = [u8; INPUTS]> {
    (0..=255_u8).flat_map(move |first| {
        (0..LESS).map(move |second| {
            let mut input = seed;
            input[..2].copy_from_slice(&[first, second]);
            input
        })
    })
}

/// What holds of all inputs that are possible.
fn push_inputs(pool: &mut Pool, path: &mut PathCondition, seed: [u8; INPUTS]) {
    let (second, limit) = (pool.make_byte(Var(1)), pool.make_constant(8, LESS.into()));
    let less = pool.binary(Op::Ult, second, limit);
    path.push(pool, less);
    for (number, &value) in seed.iter().enumerate().skip(2) {
        let byte = pool.make_byte(Var(number as u32));
        let as_it_was = pool.equals(byte, value.into());
        path.push(pool, as_it_was);
    }
}

/// That a tree is what it is for an input.
fn equality(pool: &mut Pool, tree: &Plain, value: u128) -> Expr {
    let expr = tree.build(pool);
    pool.equals(expr, value)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_those_of_trying_all(
        before in prop::collection::vec(plain(), 0..3),
        asked in plain(),
        mut seed in input(),
        other in input(),
        is_same: bool,
    ) {
        seed[1] %= LESS;
        let (mut pool, mut path) = (Pool::new(), PathCondition::new());
        push_inputs(&mut pool, &mut path, seed);
        for tree in &before {
            let equal = equality(&mut pool, tree, tree.value(&seed));
            path.push(&mut pool, equal);
        }
        let wanted = asked.value(&other);
        let equal = equality(&mut pool, &asked, wanted);
        let goal = if is_same { equal } else { pool.not(equal) };
        let holds = |input: &[u8; INPUTS]| {
            (asked.value(input) == wanted) == is_same && before.iter().all(|tree| tree.value(input) == tree.value(&seed))
        };
        let sat = SatLimits { time: Duration::from_secs(60), ..SatLimits::default() };
        let mut solver = Solver::new(SolverSettings { sat, external_timeout: Duration::ZERO, cross_check: false }, None);
        match solver.solve(&mut pool, &mut path, goal, &|var| seed[var.0 as usize]) {
            Answer::Sat(model) => {
                let mut input = seed;
                model.iter().for_each(|&(var, value)| input[var.0 as usize] = value);
                // A question that is true of all inputs names no bytes.
                prop_assert!(holds(&input), "{input:?}");
            }
            Answer::Unsat => prop_assert!(!inputs(seed).any(|input| holds(&input))),
            Answer::Unknown(_) => {}
        }
    }
}
