//! Whatever a run leaves in the memory, and whoever writes to it while it is read: reading ends, with an error or with a
//! trace that all readers can work with.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use byway_damage::trace::{BLOCKS, LIMITS, change, fields, files, memory, write};
use byway_damage::{Damage, Meter, Random, Read};
use byway_trace::evaluate::evaluate_all;
use byway_trace::layout::{self, Header, op, source_kind};
use byway_trace::{Builder, Expression, Memories, Memory, Trace, TraceError, TraceLimits, self_check, smt2};
use rand::{Rng, SeedableRng};

#[global_allocator]
static METER: Meter = Meter;

/// Does everything with a trace that this crate can do.
fn use_all(trace: &Trace) {
    self_check(trace);
    evaluate_all(trace, |byte| byte.recorded ^ 1);
    smt2::write_path_with_input(trace, std::io::sink()).unwrap();
    let labels = (1..=trace.node_count() as u32).rev().take(10);
    labels.for_each(|label| drop(Expression::new(trace, label).to_string()));
    let _ = trace.events().iter().filter_map(|event| trace.object(event)).count();
    for input in 0..trace.inputs().len() {
        let _ = (trace.input_path(input), trace.object_name(input));
    }
    drop((trace.losses().count(), trace.unseen_inputs(), trace.ending(), trace.executed().count()));
}

fn finish(memory: Memory) -> Read {
    let trace = memory.finish();
    if let Ok(trace) = &trace {
        use_all(trace);
    }
    Read::from(&trace)
}

#[test]
fn a_damaged_trace_is_refused_or_harmless() {
    let damage = Damage { name: "traces", files: files(), change: &change, cases: 500, memory: 4 << 20, factor: 64 };
    damage.read(|file| finish(memory(file)));
}

#[test]
fn every_field_may_have_any_value() {
    let file = &files()[0];
    let mut random = Random::seed_from_u64(3);
    for (place, size) in fields().into_iter().filter(|_| random.random_range(0..8) == 0).collect::<Vec<_>>() {
        for value in [0, 1, 0x80, u64::from(u32::MAX), u64::MAX, 1 << 63] {
            let memory = memory(file);
            memory.file().write_all_at(&value.to_le_bytes()[..size], place).unwrap();
            finish(memory);
        }
    }
}

#[test]
fn a_trace_stays_as_it_was_read_while_somebody_writes() {
    let file = &files()[0];
    let memories = Memories::new(BLOCKS);
    let (target, done) = (Mutex::new(None), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| scribble(&target, file, &done));
        let mut accepted = 0;
        for _ in 0..200 {
            let memory = memories.take(LIMITS, 0).unwrap();
            *target.lock().unwrap() = Some(memory.file().try_clone().unwrap());
            write(file, memory.file());
            if let Ok(trace) = memory.finish() {
                let (nodes, events) = (trace.nodes().to_vec(), trace.events().to_vec());
                use_all(&trace);
                assert!(nodes == trace.nodes() && events == trace.events());
                accepted += 1;
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(accepted > 0, "no trace was ever read");
    });
}

/// Writes the file again and again, and something else in between.
fn scribble(target: &Mutex<Option<File>>, file: &[u8], done: &AtomicBool) {
    let mut random = Random::seed_from_u64(7);
    let fields = fields();
    while !done.load(Ordering::Relaxed) {
        let memory = target.lock().unwrap().as_ref().map(|memory| memory.try_clone().unwrap());
        let Some(memory) = memory else { continue };
        write(file, &memory);
        for _ in 0..random.random_range(0..3) {
            let (place, size) = fields[random.random_range(0..fields.len())];
            let value: u64 = if random.random() { random.random_range(0..100) } else { random.random() };
            memory.write_all_at(&value.to_le_bytes()[..size], place).unwrap();
        }
    }
}

/// What the header of a memory without anything else may count to.
fn counted(limits: TraceLimits, place: usize, count: u32) -> Result<Trace, TraceError> {
    let memory = Memory::create(limits, 0, 0).unwrap();
    memory.file().write_all_at(&count.to_le_bytes(), place as u64).unwrap();
    memory.finish()
}

#[test]
fn what_was_never_written_is_not_read() {
    let limits = TraceLimits::default();
    for place in [std::mem::offset_of!(Header, nodes), std::mem::offset_of!(Header, events)] {
        let error = counted(limits, place, 1 << 23).unwrap_err().to_string();
        assert!(error.contains("more than was written"), "{error}");
    }
}

/// A trace whose reads each have a snapshot that lies in that of the one before.
#[test]
fn snapshots_in_the_same_place_are_refused() {
    let mut builder = Builder::new();
    let stdin = builder.source(source_kind::STDIN, 0, "");
    let byte = builder.input(stdin, 0, 0);
    let address = builder.node(op::ZEXT, 64, [byte, 0, 0], 0);
    // The bytes of each header are those of the snapshots before it, too.
    let header = [0u8; 8].into_iter().chain(600u32.to_le_bytes()).chain(0u32.to_le_bytes());
    let bytes: Vec<u8> = header.cycle().take(16 * 100).collect();
    builder.snapshot(0, &bytes, &[]);
    for number in 1..40 {
        builder.push(layout::Node {
            op: op::LOAD,
            width: 8,
            depth: 1,
            a: address,
            b: 2 * number,
            c: 0,
            value: 0,
            constant: 0,
        });
    }
    let error = builder.finish().unwrap_err().to_string();
    assert!(error.contains("snapshots in the same place"), "{error}");
}
