//! Choices of constants, such as lengths of strings: what is asked of them is asked of their conditions.

use byway_solve::{Expr, Op, Pool, Var};

/// Whether a byte is the end.
fn ends(pool: &mut Pool, byte: u32) -> Expr {
    let byte = pool.make_byte(Var(byte));
    pool.equals(byte, 0)
}

/// How many bytes come before the first that is zero, of so many.
fn length(pool: &mut Pool, bytes: u32) -> Expr {
    let longest = pool.make_constant(64, bytes.into());
    (0..bytes).rev().fold(longest, |rest, byte| {
        let (end, here) = (ends(pool, byte), pool.make_constant(64, byte.into()));
        pool.ite(end, here, rest)
    })
}

#[test]
fn a_length_that_reaches_a_byte_says_that_none_before_ends_it() {
    let mut pool = Pool::new();
    let (length, one) = (length(&mut pool, 9), pool.make_constant(64, 1));
    let size = pool.binary(Op::Add, length, one);
    let third = pool.make_constant(64, 3);
    let is_reached = pool.binary(Op::Ult, third, size);
    let [a, b, c] = [0, 1, 2].map(|byte| {
        let end = ends(&mut pool, byte);
        pool.not(end)
    });
    let rest = pool.binary(Op::And, b, c);
    assert_eq!(is_reached, pool.binary(Op::And, a, rest));
    let is_behind = pool.binary(Op::Ult, size, third);
    let (first, second) = (ends(&mut pool, 0), ends(&mut pool, 1));
    assert_eq!(is_behind, pool.binary(Op::Or, first, second));
}

#[test]
fn a_chain_of_any_length_is_made() {
    let mut pool = Pool::new();
    let (length, ten) = (length(&mut pool, 50_000), pool.make_constant(64, 10));
    let more = pool.binary(Op::Add, length, ten);
    let is_less = pool.binary(Op::Ult, ten, more);
    assert_eq!(pool.constant(is_less), None);
}
