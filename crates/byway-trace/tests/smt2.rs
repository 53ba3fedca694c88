//! What is written for solvers means what the evaluator says: z3 agrees with it.

mod common;

use std::io::Write;
use std::process::Command;

use byway_trace::layout::{Event, event, object_kind, op, source_kind};
use byway_trace::{Builder, Trace, smt2};
use common::{build, steps};
use proptest::prelude::*;

/// What z3 answers; `None` if it is not there.
fn z3(write: impl FnOnce(&mut Vec<u8>)) -> Option<String> {
    let mut script = Vec::new();
    write(&mut script);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&script).unwrap();
    let output = Command::new("z3").arg("-T:60").arg(file.path()).output().ok()?;
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert!(!answer.contains("error"), "{answer}\n{}", String::from_utf8_lossy(&script));
    Some(answer)
}

fn path(trace: &Trace) -> Option<String> {
    z3(|script| smt2::write_path(trace, script).unwrap())
}

fn path_with_input(trace: &Trace) -> Option<String> {
    z3(|script| smt2::write_path_with_input(trace, script).unwrap())
}

fn answer(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|_| Command::new("z3").arg("--version").output().is_ok())
}

fn event(kind: u8, label: u32) -> Event {
    Event { kind, flag: 0, detail: 0, site: 0, label, extra: 0, a: 0, b: 0 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn z3_computes_what_the_evaluator_computes((bytes, steps) in steps(25)) {
        let mut builder = Builder::new();
        for &label in &build(&mut builder, &bytes, &steps) {
            builder.event(event(event::PIN, label));
        }
        prop_assert_eq!(path_with_input(&builder.finish().unwrap()), answer("sat"));
    }

    #[test]
    fn nothing_else_is_possible_for_the_same_input((bytes, steps) in steps(12)) {
        let mut builder = Builder::new();
        let last = *build(&mut builder, &bytes, &steps).last().unwrap();
        let whole = match builder.width(last) {
            width @ 65.. => builder.node(op::EXTRACT, 64, [last, 0, u32::from(width) - 64], 0),
            _ => last,
        };
        let value = builder.value(whole) as u64;
        let equal = builder.node(op::EQ, 1, [whole, 0, 0], value);
        builder.event(Event { flag: 0, ..event(event::BRANCH, equal) });
        prop_assert_eq!(path_with_input(&builder.finish().unwrap()), answer("unsat"));
    }
}

#[test]
fn the_other_side_of_a_path_has_other_inputs() {
    for (second, expected) in [(b'b', "sat"), (b'a', "unsat")] {
        let mut builder = Builder::new();
        let source = builder.source(source_kind::ARGUMENT, 1, "");
        let byte = builder.input(source, 0, b'a');
        let first = builder.node(op::EQ, 1, [byte, 0, 0], b'a'.into());
        let other = builder.node(op::EQ, 1, [byte, 0, 0], second.into());
        builder.event(Event { flag: 0, ..event(event::BRANCH, first) });
        builder.event(Event { flag: 1, ..event(event::BRANCH, other) });
        assert_eq!(path(&builder.finish().unwrap()), answer(expected));
    }
}

/// An access at `base` + a byte of standard input, to an object of 10 bytes, and a branch on whether the byte is `n`.
fn access(n: u64, taken: u8) -> Trace {
    let mut builder = Builder::new();
    let source = builder.source(source_kind::STDIN, 0, "");
    let byte = builder.input(source, 3, 7);
    let index = builder.node(op::ZEXT, 64, [byte, 0, 0], 0);
    let address = builder.node(op::ADD, 64, [0, index, 0], 0x5000);
    let object = Event { flag: object_kind::HEAP, a: 0x5000, b: 10, ..event(event::OBJECT, 0) };
    let object = builder.event(object);
    builder.event(Event { extra: 2, a: 1 + u64::from(object), b: 0x5007, ..event(event::ACCESS, address) });
    let is = builder.node(op::EQ, 1, [byte, 0, 0], n);
    builder.event(Event { flag: taken, ..event(event::BRANCH, is) });
    builder.finish().unwrap()
}

#[test]
fn accesses_stay_within_their_objects() {
    assert_eq!(path(&access(8, 1)), answer("sat"));
    assert_eq!(path(&access(9, 1)), answer("unsat"));
    assert_eq!(path(&access(200, 1)), answer("unsat"));
    assert_eq!(path_with_input(&access(7, 1)), answer("sat"));
}

#[test]
fn reads_stay_within_their_snapshots() {
    let squares: Vec<u8> = (0..10).map(|n| n * n).collect();
    for (value, expected) in [(81, "sat"), (64, "sat"), (2, "unsat"), (0, "sat")] {
        let mut builder = Builder::new();
        let source = builder.source(source_kind::FILE, 0, "/tmp/a|b\\c\n");
        let byte = builder.input(source, 3, 7);
        let index = builder.node(op::ZEXT, 64, [byte, 0, 0], 0);
        let address = builder.node(op::ADD, 64, [0, index, 0], 0x5000);
        let snapshot = builder.snapshot(0x5000, &squares, &[]);
        let read = builder.node(op::LOAD, 8, [address, snapshot, 0], 0);
        let is = builder.node(op::EQ, 1, [read, 0, 0], value);
        builder.event(Event { flag: 1, ..event(event::BRANCH, is) });
        assert_eq!(path(&builder.finish().unwrap()), answer(expected), "{value}");
    }
}

#[test]
fn elements_of_arrays_are_read_where_they_are() {
    let table: Vec<u8> = (0..64u32).flat_map(|n| (n * n).wrapping_mul(0x0102_0304).to_le_bytes()).collect();
    for (value, expected) in [(0x0102_0304 * 49, "sat"), (0x0102_0304 * 50, "unsat"), (0x0403_0201, "unsat")] {
        let mut builder = Builder::new();
        let source = builder.source(source_kind::STDIN, 0, "");
        let byte = builder.input(source, 0, 7);
        let index = builder.node(op::ZEXT, 64, [byte, 0, 0], 0);
        let offset = builder.node(op::SHL, 64, [index, 0, 0], 2);
        let address = builder.node(op::ADD, 64, [0, offset, 0], 0x5008);
        let snapshot = builder.snapshot(0x5000, &table, &[]);
        let read = builder.node(op::LOAD, 32, [address, snapshot, 0], 0);
        let is = builder.node(op::EQ, 1, [read, 0, 0], value);
        builder.event(Event { flag: 1, ..event(event::BRANCH, is) });
        assert_eq!(path(&builder.finish().unwrap()), answer(expected), "{value}");
    }
}

#[test]
fn sources_of_the_same_name_stay_apart() {
    let mut builder = Builder::new();
    for value in [1, 2] {
        let source = builder.source(source_kind::FILE, 0, "same");
        let byte = builder.input(source, 0, value);
        builder.event(event(event::PIN, byte));
    }
    assert_eq!(path(&builder.finish().unwrap()), answer("sat"));
}
