//! What the SAT solver promises beyond right answers: few bytes change, limits hold, and it says what cannot be.

use std::time::Duration;

use byway_solve::sat::{Sat, SatLimits};
use byway_solve::{Answer, Expr, Op, Pool, Query, Unknown, Var};

fn word(pool: &mut Pool, first: u32, bytes: u32) -> Expr {
    let low = pool.make_byte(Var(first));
    (first + 1..first + bytes).fold(low, |low, number| {
        let byte = pool.make_byte(Var(number));
        pool.binary(Op::Concat, byte, low)
    })
}

fn solve(sat: &mut Sat, pool: &Pool, constraints: &[Expr], vars: u32, limits: &SatLimits) -> Answer {
    let vars: Vec<Var> = (0..vars).map(Var).collect();
    sat.solve(pool, &Query { constraints, vars: &vars, seed: &|_| b'5' }, limits)
}

fn changed(answer: Answer) -> Vec<u32> {
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    model.iter().filter(|&&(_, value)| value != b'5').map(|&(var, _)| var.0).collect()
}

/// The sum of bytes, in 16 bits.
fn sum(pool: &mut Pool, vars: u32) -> Expr {
    let zero = pool.make_constant(16, 0);
    (0..vars).fold(zero, |sum, number| {
        let byte = pool.make_byte(Var(number));
        let wide = pool.extend(Op::ZExt, byte, 16);
        pool.binary(Op::Add, sum, wide)
    })
}

#[test]
fn one_byte_changes_where_one_is_enough() {
    let mut pool = Pool::new();
    let sum = sum(&mut pool, 20);
    let goal = pool.equals(sum, 20 * u128::from(b'5') + 7);
    let answer = solve(&mut Sat::new(), &pool, &[goal], 20, &SatLimits::default());
    assert_eq!(changed(answer).len(), 1);
}

#[test]
fn bytes_that_have_nothing_to_do_with_it_stay() {
    let mut pool = Pool::new();
    let (a, b, other) = (pool.make_byte(Var(0)), pool.make_byte(Var(1)), word(&mut pool, 2, 4));
    let limit = pool.make_constant(32, 0x4000_0000);
    let less = pool.binary(Op::Ult, other, limit);
    let same = pool.binary(Op::Eq, a, b);
    let constraints = [less, pool.not(same)];
    let changed = changed(solve(&mut Sat::new(), &pool, &constraints, 8, &SatLimits::default()));
    assert!(changed == [0] || changed == [1], "{changed:?}");
}

#[test]
fn constraints_that_contradict_each_other_are_named() {
    let mut pool = Pool::new();
    let (a, b, c) = (word(&mut pool, 0, 2), word(&mut pool, 2, 2), word(&mut pool, 4, 2));
    let (first, second) = (pool.binary(Op::Ult, a, b), pool.binary(Op::Ult, b, a));
    let other = pool.binary(Op::Ult, c, a);
    let mut sat = Sat::new();
    assert_eq!(solve(&mut sat, &pool, &[other, first, second], 6, &SatLimits::default()), Answer::Unsat);
    assert_eq!(sat.failed(), [first, second]);
}

/// Two factors of a product of two primes, neither of which is 1.
fn factors(pool: &mut Pool) -> Vec<Expr> {
    let (a, b) = (word(pool, 0, 4), word(pool, 4, 4));
    let (a, b) = (pool.extend(Op::ZExt, a, 64), pool.extend(Op::ZExt, b, 64));
    let product = pool.binary(Op::Mul, a, b);
    let one = pool.make_constant(64, 1);
    vec![
        pool.equals(product, 3_000_000_019 * 2_500_000_001),
        pool.binary(Op::Ult, one, a),
        pool.binary(Op::Ult, one, b),
    ]
}

#[test]
fn limits_hold_and_the_next_query_is_answered() {
    let mut pool = Pool::new();
    let hard = factors(&mut pool);
    let byte = pool.make_byte(Var(0));
    let easy = pool.equals(byte, 1);
    let time = Duration::from_millis(200);
    let cases = [
        (SatLimits { conflicts: 100, ..SatLimits::default() }, Unknown::Conflicts),
        (SatLimits { conflicts: u32::MAX, time, ..SatLimits::default() }, Unknown::Time),
        (SatLimits { variables: 100, ..SatLimits::default() }, Unknown::Memory),
    ];
    let mut sat = Sat::new();
    for (limits, unknown) in cases {
        // The last one needs a solver that does not have the gates yet.
        let mut new = Sat::new();
        let sat = if unknown == Unknown::Memory { &mut new } else { &mut sat };
        assert_eq!(solve(sat, &pool, &hard, 8, &limits), Answer::Unknown(unknown));
        assert_eq!(changed(solve(sat, &pool, &[easy], 8, &SatLimits::default())), [0]);
    }
}
