//! What is in a trace, and what is not taken for one.

mod common;

use std::mem::offset_of;
use std::os::unix::fs::{FileExt, MetadataExt};

use byway_trace::evaluate::evaluate_all;
use byway_trace::layout::{self, Event, Header, Node, cause, event, op, source_kind};
use byway_trace::{Builder, Cause, Expression, Memories, Memory, SourceKind, TraceError, TraceLimits, self_check};
use common::{build, steps};
use proptest::prelude::*;

fn event(kind: u8, label: u32) -> Event {
    Event { kind, flag: 0, detail: 0, site: 0, label, extra: 0, a: 0, b: 0 }
}

fn small() -> TraceLimits {
    TraceLimits { nodes: 100, events: 100, snapshots: 1 << 16, ..TraceLimits::default() }
}

#[test]
fn memory_that_no_run_has_touched_is_an_empty_trace() {
    let trace = Memory::create(TraceLimits::default(), layout::STDIN, 0).unwrap().finish().unwrap();
    assert_eq!((trace.node_count(), trace.events().len(), trace.inputs().len()), (0, 0, 0));
    assert_eq!(trace.header().symbolic, layout::STDIN);
    assert_eq!(trace.limits(), TraceLimits::default());
    assert!(self_check(&trace).is_clean());
}

#[test]
fn memory_that_begins_otherwise_is_foreign() {
    let memory = Memory::create(small(), 0, 10).unwrap();
    memory.file().write_all_at(b"something else", 0).unwrap();
    assert!(matches!(memory.finish(), Err(TraceError::Foreign)));
}

#[test]
fn memory_cannot_be_cut_short() {
    let memory = Memory::create(small(), 0, 10).unwrap();
    assert!(memory.file().set_len(0).is_err());
}

/// Which file a memory is.
fn identity(memory: &Memory) -> u64 {
    memory.file().metadata().unwrap().ino()
}

#[test]
fn memory_is_used_again_when_it_was_read() {
    let memories = Memories::new(10);
    let memory = memories.take(small(), 0).unwrap();
    let first = identity(&memory);
    let blocks = layout::blocks_offset(small().nodes, small().events, small().snapshots);
    memory.file().write_all_at(&[1; 10], blocks as u64).unwrap();
    memory.file().write_all_at(&[1], offset_of!(Header, nodes) as u64).unwrap();
    let trace = memory.finish().unwrap();
    let again = memories.take(small(), layout::STDIN).unwrap();
    assert_eq!(identity(&again), first);
    assert_ne!(identity(&memories.take(small(), 0).unwrap()), first);
    let later = again.finish().unwrap();
    assert_eq!(later.blocks(), [0; 10]);
    assert_eq!((later.header().nodes, later.header().symbolic), (0, layout::STDIN));
    assert_eq!((trace.header().nodes, trace.blocks()), (1, &[1; 10][..]));
}

#[test]
fn memory_that_others_may_write_to_or_that_is_laid_out_otherwise_is_not_used_again() {
    let memories = Memories::new(0);
    let memory = memories.take(small(), 0).unwrap();
    let first = identity(&memory);
    memory.file().write_all_at(&[1], offset_of!(Header, children) as u64).unwrap();
    drop(memory.finish().unwrap());
    let second = memories.take(small(), 0).unwrap();
    let number = identity(&second);
    assert_ne!(number, first);
    drop(second);
    let larger = TraceLimits { nodes: 101, ..small() };
    assert_ne!(identity(&memories.take(larger, 0).unwrap()), number);
}

#[test]
fn inputs_have_names() {
    let mut builder = Builder::new();
    builder.source(source_kind::ARGUMENT, 2, "");
    builder.source(source_kind::STDIN, 0, "");
    let file = builder.source(source_kind::FILE, 0, "/etc/motd");
    builder.source(source_kind::ENVIRONMENT, 0, "HOME");
    builder.input(file, 7, 0);
    builder.loss(cause::UNMODELLED, 3, "strfry", 5);
    let trace = builder.finish().unwrap();
    let names: Vec<&str> = trace.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["argv[2]", "stdin", "/etc/motd", "$HOME"]);
    assert_eq!((trace.inputs()[2].kind, trace.inputs()[2].bytes), (SourceKind::File, 1));
    let lost = trace.losses().next().unwrap();
    assert_eq!((lost.cause, lost.site, lost.count), (Cause::Unmodelled, 3, 5));
    assert_eq!(lost.function.as_deref(), Some("strfry"));
}

#[test]
fn expressions_can_be_read() {
    let mut builder = Builder::new();
    let stdin = builder.source(source_kind::STDIN, 0, "");
    let byte = builder.input(stdin, 3, b'7');
    let wide = builder.node(op::ZEXT, 32, [byte, 0, 0], 0);
    let digit = builder.node(op::SUB, 32, [wide, 0, 0], 48);
    let low = builder.node(op::ULT, 1, [digit, 0, 0], 10);
    let choice = builder.node(op::ITE, 32, [low, digit, 0], 0xffff_ffff);
    let part = builder.node(op::EXTRACT, 8, [choice, 0, 8], 0);
    let trace = builder.finish().unwrap();
    let text = |label: u32| Expression::new(&trace, label).to_string();
    assert_eq!(text(low), "((zext32(stdin[3]) - 48) <u 10)");
    assert_eq!(text(part), "bits8..16((((zext32(stdin[3]) - 48) <u 10) ? (zext32(stdin[3]) - 48) : 0xffffffff))");
    assert_eq!(Expression::new(&trace, choice).with_depth(2).to_string(), "((... <u 10) ? (... - 48) : 0xffffffff)");
}

/// A trace in which one thing is wrong.
fn malformed<T>(change: impl FnOnce(&mut Builder, u32) -> T) -> String {
    let mut builder = Builder::new();
    let stdin = builder.source(source_kind::STDIN, 0, "");
    let byte = builder.input(stdin, 0, 1);
    change(&mut builder, byte);
    match builder.finish() {
        Err(error @ TraceError::Malformed { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_no_run_writes_is_refused() {
    let node = Node { op: op::ADD, width: 8, depth: 1, a: 1, b: 1, c: 0, value: 0, constant: 0 };
    let pushed = |node: Node| malformed(|builder, _| builder.push(node));
    assert!(pushed(Node { op: 99, ..node }).contains("node 2: unknown operator"));
    assert!(pushed(Node { op: 0, ..node }).contains("unknown operator"));
    assert!(pushed(Node { width: 0, ..node }).contains("bad width"));
    assert!(pushed(Node { width: 129, ..node }).contains("bad width"));
    assert!(pushed(Node { width: 9, ..node }).contains("bad width of operand"));
    assert!(pushed(Node { a: 2, ..node }).contains("not an earlier node"));
    assert!(pushed(Node { b: u32::MAX, ..node }).contains("not an earlier node"));
    assert!(pushed(Node { a: 0, b: 0, ..node }).contains("no operand but constants"));
    assert!(pushed(Node { op: op::EXTRACT, c: 1, ..node }).contains("bits out of range"));
    assert!(pushed(Node { op: op::EXTRACT, c: u32::MAX, ..node }).contains("bits out of range"));
    assert!(pushed(Node { op: op::INPUT, a: 1, ..node }).contains("no such input"));
    assert!(pushed(Node { op: op::CONCAT, width: 15, ..node }).contains("bad width of operand"));
    assert!(pushed(Node { op: op::ITE, ..node }).contains("bad width of condition"));
    assert!(pushed(Node { op: op::LOAD, ..node }).contains("bad width of address"));

    let happened = |event: Event| malformed(|builder, _| builder.event(event));
    assert!(happened(event(0, 1)).contains("event 0: unknown kind"));
    assert!(happened(event(event::PIN, 0)).contains("no such node"));
    assert!(happened(event(event::SWITCH, 2)).contains("no such node"));
    assert!(happened(event(event::OBJECT, 2)).contains("no such node"));
    assert!(happened(event(event::BRANCH, 1)).contains("bad width of condition"));
    assert!(happened(event(event::ACCESS, 1)).contains("bad width of address"));
    assert!(happened(Event { extra: 1, ..event(event::LENGTH, 1) }).contains("no such object"));
    let of = |address: u64| happened(Event { flag: layout::SYMBOLIC_ADDRESS, b: address, ..event(event::LENGTH, 1) });
    assert!(of(99).contains("bad width of address") && of(1).contains("bad width of address"));

    assert!(malformed(|builder, _| builder.source(9, 0, "")).contains("source 1: unknown kind"));
    assert!(malformed(|builder, _| builder.loss(22, 0, "", 1)).contains("loss 0: unknown cause"));
}

#[test]
fn snapshots_out_of_range_are_refused() {
    let load = |builder: &mut Builder, byte: u32, snapshot: u32| {
        let address = builder.node(op::ZEXT, 64, [byte, 0, 0], 0);
        builder.node(op::LOAD, 16, [address, snapshot, 0], 0);
    };
    assert!(malformed(|builder, byte| load(builder, byte, 77)).contains("snapshot out of range"));
    let short = malformed(|builder, byte| {
        let snapshot = builder.snapshot(0, &[1], &[]);
        load(builder, byte, snapshot);
    });
    assert!(short.contains("more than the snapshot"), "{short}");
    let later = malformed(|builder, byte| {
        let snapshot = builder.snapshot(0, &[1, 2], &[0, 3]);
        load(builder, byte, snapshot);
    });
    assert!(later.contains("snapshot with a later node"), "{later}");
    let byte = malformed(|builder, byte| {
        let snapshot = builder.snapshot(0, &[1, 2], &[0, byte | 1 << layout::BYTE_SHIFT]);
        load(builder, byte, snapshot);
    });
    assert!(byte.contains("a byte that its node does not have"), "{byte}");
}

#[test]
fn the_self_check_finds_what_is_wrong_and_shows_it() {
    let mut builder = Builder::new();
    let stdin = builder.source(source_kind::STDIN, 0, "");
    let byte = builder.input(stdin, 0, 5);
    builder.input(stdin, 0, 6);
    let node = Node { op: op::ADD, width: 8, depth: 1, a: byte, b: 0, c: 0, value: 9, constant: 3 };
    let sum = builder.push(node);
    let small = builder.node(op::ULT, 1, [sum, 0, 0], 9);
    builder.event(Event { flag: 0, ..event(event::BRANCH, small) });
    builder.event(Event { a: 9, ..event(event::PIN, sum) });
    let check = self_check(&builder.finish().unwrap());
    assert_eq!((check.nodes, check.events, check.mismatches), (4, 2, 5));
    let shown: Vec<String> = check.first.iter().map(|found| format!("{}: {}", found.what, found.expression)).collect();
    let expected = [
        "byte 0 of stdin: stdin[0]",
        "node 3: (stdin[0] + 3)",
        "node 4: ((stdin[0] + 3) <u 9)",
        "event 0 (branch): ((stdin[0] + 3) <u 9)",
        "event 1 (pin): (stdin[0] + 3)",
    ];
    assert_eq!(shown, expected);
    assert_eq!((check.first[1].recorded, check.first[1].computed), (9, 8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_was_computed_once_is_computed_again((bytes, steps) in steps(40)) {
        let mut builder = Builder::new();
        let labels = build(&mut builder, &bytes, &steps);
        let values: Vec<u128> = labels.iter().map(|&label| builder.value(label)).collect();
        let trace = builder.finish().unwrap();
        let check = self_check(&trace);
        prop_assert!(check.is_clean(), "{:?}", check.first);
        let again = evaluate_all(&trace, |byte| bytes[byte.offset as usize]);
        prop_assert_eq!(labels.iter().map(|&label| again.get(label)).collect::<Vec<_>>(), values);
    }

    #[test]
    fn garbage_is_refused_or_harmless(
        bytes in prop::collection::vec(any::<u8>(), 1..2000), part in 0..4usize, count in 0..100u32,
    ) {
        let memory = Memory::create(small(), 0, 10).unwrap();
        let parts = [layout::SOURCES, layout::LOSSES, layout::NODES + size_of::<Node>(), layout::events_offset(100)];
        let counts = [count, count, count, 0, 0, count];
        memory.file().write_all_at(bytemuck::cast_slice(&counts), std::mem::offset_of!(layout::Header, nodes) as u64).unwrap();
        memory.file().write_all_at(&bytes, parts[part] as u64).unwrap();
        if let Ok(trace) = memory.finish() {
            self_check(&trace);
            byway_trace::smt2::write_path(&trace, std::io::sink()).unwrap();
            (1..=trace.node_count() as u32).for_each(|label| drop(Expression::new(&trace, label).to_string()));
        }
    }
}
