//! What reads from large tables cost the SAT solver: little of a table is turned into clauses, and answers stay right.

use byway_solve::sat::{Sat, SatLimits};
use byway_solve::{Answer, Evaluation, Expr, Op, Pool, Query, Table, TableId, Var};
use proptest::prelude::*;

/// A table of which every byte is one of the input, the first of them `first`. Some are other bytes instead.
fn input_table(pool: &mut Pool, first: u32, length: u32, others: &[(u32, u8)]) -> TableId {
    let mut symbolic: Vec<(u32, Expr)> = (0..length).map(|at| (at, pool.make_byte(Var(first + at)))).collect();
    for &(at, value) in others {
        symbolic[at as usize].1 = pool.make_constant(8, value.into());
    }
    pool.make_table(Table { bytes: vec![0; length as usize], symbolic })
}

/// The first two bytes of the input as a position, and so many more.
fn position(pool: &mut Pool, more: u128) -> Expr {
    let (low, high) = (pool.make_byte(Var(0)), pool.make_byte(Var(1)));
    let number = pool.binary(Op::Concat, high, low);
    let wide = pool.extend(Op::ZExt, number, 64);
    let more = pool.make_constant(64, more);
    pool.binary(Op::Add, wide, more)
}

/// Asks, and looks whether a model is one.
fn ask(sat: &mut Sat, pool: &Pool, constraints: &[Expr], vars: u32) -> Answer {
    let vars: Vec<Var> = (0..vars).map(Var).collect();
    let answer = sat.solve(pool, &Query { constraints, vars: &vars, seed: &|_| 7 }, &SatLimits::default());
    if let Answer::Sat(model) = &answer {
        let value = |var: Var| model.iter().find(|(other, _)| *other == var).map_or(7, |&(_, value)| value);
        assert!(Evaluation::new(pool, value).all_true(constraints), "{model:?} is no model");
    }
    answer
}

#[test]
fn a_byte_of_a_table_of_the_input_takes_few_clauses() {
    let mut pool = Pool::new();
    let table = input_table(&mut pool, 2, 2048, &[]);
    let at = position(&mut pool, 0);
    let byte = pool.load(table, at, 8);
    let goal = pool.equals(byte, 200);
    let mut sat = Sat::new();
    assert!(matches!(ask(&mut sat, &pool, &[goal], 2050), Answer::Sat(_)));
    // A tree of choices has 2047 gates for each of 8 bits, of 6 clauses each.
    assert!(sat.stats().clauses < 2_000, "{:?}", sat.stats());
}

#[test]
fn snapshots_that_differ_in_a_byte_cost_their_own_reads_alone() {
    let mut pool = Pool::new();
    let mut constraints = Vec::new();
    for snapshot in 0..16 {
        let table = input_table(&mut pool, 2, 2048, &[(snapshot * 100, 1)]);
        for more in 0..4 {
            let at = position(&mut pool, more);
            let byte = pool.load(table, at, 8);
            let limit = pool.make_constant(8, 100 + u128::from(snapshot));
            constraints.push(pool.binary(Op::Ult, limit, byte));
        }
    }
    let mut sat = Sat::new();
    assert!(matches!(ask(&mut sat, &pool, &constraints, 2050), Answer::Sat(_)));
    // 64 trees have 6 million clauses.
    assert!(sat.stats().clauses < 100_000, "{:?}", sat.stats());
}

#[test]
fn only_positions_that_are_possible_count() {
    let mut pool = Pool::new();
    let table = input_table(&mut pool, 1, 4096, &[]);
    let index = pool.make_byte(Var(0));
    let low = pool.extract(index, 0, 4);
    let wide = pool.extend(Op::ZExt, low, 64);
    let far = pool.make_constant(64, 3000);
    let at = pool.binary(Op::Add, wide, far);
    let byte = pool.load(table, at, 8);
    let goal = pool.equals(byte, 200);
    let mut sat = Sat::new();
    assert!(matches!(ask(&mut sat, &pool, &[goal], 4097), Answer::Sat(_)));
    assert!(sat.stats().clauses < 2_000, "{:?}", sat.stats());
}

#[test]
fn what_no_entry_has_cannot_be_read() {
    let mut pool = Pool::new();
    let bytes: Vec<u8> = (0..8192_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect();
    let table = pool.constant_table(&bytes);
    let at = position(&mut pool, 0);
    let word = pool.load(table, at, 64);
    let absent = pool.equals(word, 0x0101_0101_0101_0303);
    let last = pool.make_constant(64, 8000);
    let within = pool.binary(Op::Ult, at, last);
    let mut sat = Sat::new();
    assert_eq!(ask(&mut sat, &pool, &[absent, within], 2), Answer::Unsat);
    let there = u64::from_le_bytes(bytes[7001..7009].try_into().unwrap());
    let present = pool.equals(word, there.into());
    assert!(matches!(ask(&mut sat, &pool, &[present, within], 2), Answer::Sat(_)));
}

#[test]
fn behind_the_end_of_a_large_table_there_is_zero() {
    let mut pool = Pool::new();
    let table = input_table(&mut pool, 2, 2048, &[]);
    let at = position(&mut pool, 2040);
    let word = pool.load(table, at, 64);
    let last = pool.make_constant(64, 2040);
    let behind = pool.binary(Op::Ult, last, at);
    let zero = pool.equals(word, 0);
    let not_zero = pool.not(zero);
    let mut sat = Sat::new();
    assert_eq!(ask(&mut sat, &pool, &[behind, not_zero], 2050), Answer::Unsat);
    assert!(matches!(ask(&mut sat, &pool, &[behind, zero], 2050), Answer::Sat(_)));
    assert!(matches!(ask(&mut sat, &pool, &[not_zero], 2050), Answer::Sat(_)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn large_reads_are_what_they_are(factors in prop::collection::vec(any::<u8>(), 256), more: u8, wanted: u16, other: u8) {
        let mut pool = Pool::new();
        let (index, x) = (pool.make_byte(Var(0)), pool.make_byte(Var(1)));
        // 256 entries of two bytes: x * factor + more, and its opposite.
        let mut symbolic = Vec::new();
        for (at, &factor) in factors.iter().enumerate() {
            let (factor, added) = (pool.make_constant(8, factor.into()), pool.make_constant(8, more.into()));
            let product = pool.binary(Op::Mul, x, factor);
            let sum = pool.binary(Op::Add, product, added);
            symbolic.push((at as u32 * 2, sum));
            symbolic.push((at as u32 * 2 + 1, pool.not(sum)));
        }
        let table = pool.make_table(Table { bytes: vec![0; 512], symbolic });
        let wide = pool.extend(Op::ZExt, index, 64);
        let two = pool.make_constant(64, 2);
        let at = pool.binary(Op::Mul, wide, two);
        let entry = pool.load(table, at, 16);
        let low = pool.extract(entry, 0, 8);
        let goals = [pool.equals(entry, wanted.into()), pool.equals(low, other.into())];
        let mut sat = Sat::new();
        for (goal, is_it) in goals.into_iter().zip([
            Box::new(|low: u8| u16::from(low) | u16::from(!low) << 8 == wanted) as Box<dyn Fn(u8) -> bool>,
            Box::new(|low: u8| low == other),
        ]) {
            let entry = |x: u8, factor: u8| x.wrapping_mul(factor).wrapping_add(more);
            let expected = (0..=255).any(|x| factors.iter().any(|&factor| is_it(entry(x, factor))));
            prop_assert_eq!(matches!(ask(&mut sat, &pool, &[goal], 2), Answer::Sat(_)), expected);
        }
    }
}
