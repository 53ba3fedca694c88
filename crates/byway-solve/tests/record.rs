//! A recorded query is the same query when it is read.

#[allow(dead_code)]
mod plain;

use byway_solve::record::{self, RecordError};
use byway_solve::{Evaluation, Pool, Query, Var};
use plain::{INPUTS, Plain, plain};
use proptest::prelude::*;

const VARS: [Var; INPUTS] = [Var(0), Var(1), Var(2), Var(3)];

fn recorded(trees: &[Plain], values: &[u128]) -> Vec<u8> {
    let mut pool = Pool::new();
    let goal = |(tree, &value): (&Plain, &u128)| {
        let expr = tree.build(&mut pool);
        pool.equals(expr, value)
    };
    let constraints: Vec<_> = trees.iter().zip(values).map(goal).collect();
    let mut text = Vec::new();
    let seed = |var: Var| 40 + var.0 as u8;
    record::write(&pool, &Query { constraints: &constraints, vars: &VARS, seed: &seed }, &mut text).unwrap();
    text
}

proptest! {
    #[test]
    fn what_was_written_is_read(trees in prop::collection::vec(plain(), 1..4), input: [u8; INPUTS], wrong: bool) {
        let values: Vec<u128> = trees.iter().map(|tree| tree.value(&input) ^ u128::from(wrong)).collect();
        let text = recorded(&trees, &values);
        let mut pool = Pool::new();
        let query = record::read(&mut pool, &text[..]).unwrap();
        prop_assert_eq!(query.vars(), VARS);
        prop_assert_eq!(query.seed(Var(2)), 42);
        let value = |var: Var| input[var.0 as usize];
        let holds = Evaluation::new(&pool, value).all_true(&query.constraints);
        prop_assert_eq!(holds, !wrong, "{}", String::from_utf8_lossy(&text));
    }

    #[test]
    fn what_was_damaged_is_refused_or_read(tree in plain(), value: u128, at: usize, byte: u8) {
        let mut text = recorded(&[tree], &[value]);
        let length = text.len();
        text[at % length] = byte;
        // Whatever it is, it is not a panic.
        record::read(&mut Pool::new(), &text[..]).ok();
    }
}

#[test]
fn other_files_are_refused() {
    let read = |text: &str| record::read(&mut Pool::new(), text.as_bytes());
    assert!(matches!(read("(set-logic QF_BV)\n"), Err(RecordError::Form)));
    let line = read("; byway query 1\n(assert (= e1 #b1)) ; assert 1\n");
    assert!(matches!(line, Err(RecordError::Line { line: 2, .. })));
}
