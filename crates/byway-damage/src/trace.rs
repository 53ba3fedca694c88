//! Damaged traces: the memory of a run as bytes, and what a hostile program would write there.

use std::fs::File;
use std::mem::size_of;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use byway_trace::layout::{self, Event, Header, Loss, Node, Source, cause, event, object_kind, op, source_kind};
use byway_trace::{Builder, Memory, TraceLimits};
use rand::Rng;

use crate::{Random, change_bytes};

/// The limits of the traces here.
pub const LIMITS: TraceLimits =
    TraceLimits { nodes: 96, events: 48, depth: 1000, object: 8192, input: 1 << 16, snapshots: 1 << 10 };
/// How many blocks their program has.
pub const BLOCKS: u32 = 16;
/// Where their objects are.
const BASE: u64 = 0x10_0000;

/// The parts of a memory that hold something here: where they are, how long, and the size of an item.
fn parts() -> [(usize, usize, usize); 7] {
    let events = layout::events_offset(LIMITS.nodes);
    let snapshots = layout::snapshots_offset(LIMITS.nodes, LIMITS.events);
    [
        (0, size_of::<Header>(), size_of::<Header>()),
        (layout::SOURCES, 8 * size_of::<Source>(), size_of::<Source>()),
        (layout::LOSSES, 4 * size_of::<Loss>(), size_of::<Loss>()),
        (layout::TEXTS, 128, 1),
        (layout::NODES, LIMITS.nodes as usize * size_of::<Node>(), size_of::<Node>()),
        (events, LIMITS.events as usize * size_of::<Event>(), size_of::<Event>()),
        (snapshots, LIMITS.snapshots as usize, 8),
    ]
}

/// Where the parts are in a file.
fn places() -> Vec<Range<usize>> {
    let mut end = 0;
    let place = |(_, length, _)| {
        let begin = end;
        end += length;
        begin..end
    };
    parts().into_iter().map(place).collect()
}

/// Memories of valid traces, as files.
pub fn files() -> Vec<Vec<u8>> {
    [builder(0x41), builder(0x07)].iter().map(bytes).collect()
}

fn bytes(builder: &Builder) -> Vec<u8> {
    let memory = builder.memory(LIMITS).expect("a small trace fits");
    let mut file = Vec::new();
    for (offset, length, _) in parts() {
        let mut part = vec![0; length];
        memory.file().read_exact_at(&mut part, offset as u64).expect("the memory is as large as its limits say");
        file.extend(part);
    }
    file
}

/// Writes a file to the memory of a run. What is missing of it stays as it was.
pub fn write(file: &[u8], memory: &File) {
    for ((offset, ..), place) in parts().into_iter().zip(places()) {
        let part = &file[place.start.min(file.len())..place.end.min(file.len())];
        memory.write_all_at(part, offset as u64).expect("the memory is as large as its limits say");
    }
}

/// A memory with a file in it.
pub fn memory(file: &[u8]) -> Memory {
    let memory = Memory::create(LIMITS, 0, BLOCKS).expect("there is memory");
    write(file, memory.file());
    memory
}

/// Changes what is counted, or fields of nodes and events: to what may be valid elsewhere, or to anything.
#[expect(clippy::ptr_arg, reason = "other formats grow and shrink")]
pub fn change(random: &mut Random, file: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..random.random_range(1..=3) {
        let part = [0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 6][random.random_range(0..11)];
        let (place, (.., size)) = (places()[part].clone(), parts()[part]);
        let item = place.start + random.random_range(0..place.len() / size) * size;
        let Some(item) = file.get_mut(item..item + size) else { continue };
        match random.random_range(0..4) {
            0 => {
                let mut changed = item.to_vec();
                change_bytes(random, &mut changed, &other[place.clone()]);
                changed.resize(size, 0);
                item.copy_from_slice(&changed);
            }
            1 => {
                let from = place.start + random.random_range(0..place.len() / size) * size;
                item.copy_from_slice(&other[from..from + size]);
            }
            _ => set_field(random, item),
        }
    }
}

/// Sets a field to a small number, as labels, widths, operators and kinds are.
fn set_field(random: &mut Random, item: &mut [u8]) {
    let size = [1, 1, 4, 4, 8][random.random_range(0..5)].min(item.len());
    let at = random.random_range(0..item.len() / size) * size;
    let value: u64 = match random.random_range(0..6) {
        0 => 0,
        1..=3 => random.random_range(0..130),
        4 => BASE + random.random_range(0..64),
        _ => u64::MAX >> random.random_range(0..64),
    };
    item[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
}

/// A trace with every kind of source, node and event.
fn builder(first: u8) -> Builder {
    let mut builder = Builder::new();
    builder.blocks(&[1; BLOCKS as usize]);
    let stdin = builder.source(source_kind::STDIN, 0, "");
    let sources = [
        builder.source(source_kind::ARGUMENT, 1, ""),
        builder.source(source_kind::FILE, 0, "/dir/file"),
        builder.source(source_kind::OBJECT, 0, "object"),
        builder.source(source_kind::ARGUMENT_COUNT, 0, ""),
        builder.source(source_kind::SIZE, 0, ""),
        builder.source(source_kind::ENVIRONMENT, 0, "HOME"),
    ];
    let mut bytes: Vec<u32> = (0..4).map(|offset| builder.input(stdin, offset, first + offset as u8)).collect();
    bytes.extend(sources.map(|source| builder.input(source, 0, first)));
    builder.loss(cause::UNMODELLED, 3, "strfry", 5);
    builder.unseen_input("/dir/file", "libstdc++.so.6");
    let numbers = nodes(&mut builder, &bytes, first);
    events(&mut builder, &numbers);
    builder
}

/// What events speak of.
struct Numbers {
    condition: u32,
    number: u32,
    sum: u32,
    shifted: u32,
    address: u32,
    size: u32,
    wide: u32,
}

/// Every operator at least once.
fn nodes(builder: &mut Builder, bytes: &[u32], first: u8) -> Numbers {
    let pair = builder.node(op::CONCAT, 16, [bytes[1], bytes[0], 0], 0);
    let number = builder.node(op::ZEXT, 32, [pair, 0, 0], 0);
    let other = builder.node(op::SEXT, 32, [bytes[4], 0, 0], 0);
    let binary: Vec<u32> = (op::ADD..=op::XOR).map(|op| builder.node(op, 32, [number, other, 0], 0)).collect();
    let with_constant: Vec<u32> = (op::ADD..=op::XOR).map(|op| builder.node(op, 32, [number, 0, 0], 7)).collect();
    let compared: Vec<u32> = (op::EQ..=op::SLE).map(|op| builder.node(op, 1, [binary[0], other, 0], 0)).collect();
    let chosen = builder.node(op::ITE, 32, [compared[2], binary[2], 0], 99);
    let low = builder.node(op::EXTRACT, 4, [chosen, 0, 3], 0);
    for op in op::CTPOP..=op::CTTZ {
        builder.node(op, 32, [number, 0, 0], 0);
    }
    let index = builder.node(op::ZEXT, 64, [low, 0, 0], 0);
    let address = builder.node(op::ADD, 64, [index, 0, 0], BASE);
    let labels: Vec<u32> = (0..32).map(|at: usize| if at.is_multiple_of(3) { bytes[at % 4] } else { 0 }).collect();
    let value = |at: usize| if at.is_multiple_of(3) { first + (at % 4) as u8 } else { at as u8 };
    let table = builder.snapshot(BASE, &std::array::from_fn::<u8, 32, _>(value), &labels);
    let plain = builder.snapshot(BASE, &[5; 64], &[]);
    let read = builder.node(op::LOAD, 32, [address, table, 0], 0);
    let again = builder.node(op::LOAD, 64, [address, plain, 0], 0);
    let constant = builder.constant(128, u128::from(first) << 70 | 5);
    let high = builder.node(op::ZEXT, 128, [again, 0, 0], 0);
    let wide = builder.node(op::MUL, 128, [high, constant, 0], 0);
    let size = builder.node(op::ZEXT, 64, [read, 0, 0], 0);
    let [sum, shifted] = [binary[0], with_constant[usize::from(op::SHL - op::ADD)]];
    Numbers { condition: compared[0], number, sum, shifted, address, size, wide }
}

/// Every event at least once.
fn events(builder: &mut Builder, numbers: &Numbers) {
    let plain = Event { kind: 0, flag: 0, detail: 0, site: 1, label: 0, extra: 0, a: 0, b: 0 };
    let value = |builder: &Builder, label: u32| builder.value(label) as u64;
    let Numbers { condition, number, sum, shifted, address, size, wide } = *numbers;
    builder.branch(1, condition);
    let [n, s, x, w, z] = [number, sum, address, wide, size].map(|label| value(builder, label));
    let shift = value(builder, shifted);
    let holds = value(builder, condition);
    let all = [
        Event { kind: event::SWITCH, site: 2, label: number, a: n, ..plain },
        Event { kind: event::OBJECT, flag: object_kind::HEAP, a: BASE, b: z, label: size, ..plain },
        Event { kind: event::ACCESS, site: 3, detail: 2, label: address, extra: 4, a: 3, b: x, ..plain },
        Event { kind: event::ACCESS, site: 3, flag: 1, extra: 4, a: 3, b: BASE, ..plain },
        Event { kind: event::DIVISION, site: 4, flag: 1, label: number, extra: sum, a: n, b: s, ..plain },
        Event { kind: event::LENGTH, site: 5, label: number, extra: 3, a: n, b: BASE, ..plain },
        Event {
            kind: event::LENGTH,
            site: 5,
            flag: layout::SYMBOLIC_ADDRESS,
            label: number,
            extra: 3,
            a: n,
            b: address.into(),
            ..plain
        },
        Event { kind: event::ALLOCATION, site: 6, label: wide, a: w, ..plain },
        Event { kind: event::PIN, site: 7, label: sum, a: s, b: cause::CALL.into(), ..plain },
        Event { kind: event::PIN, site: layout::place::ASSUMPTION, extra: 7, label: condition, a: holds, ..plain },
        Event { kind: event::VISIT, label: 3, ..plain },
        Event { kind: event::OVERFLOW, site: 8, label: sum, a: s, ..plain },
        Event { kind: event::SHIFT, site: 9, label: number, a: n, b: 32, ..plain },
        Event { kind: event::TERMINATOR, site: 10, label: condition, a: holds, ..plain },
        Event { kind: event::SHIFT_BASE, site: 11, label: shifted, a: shift, ..plain },
        Event { kind: event::PREFERENCE, site: 12, label: condition, a: holds, ..plain },
        Event { kind: event::BRANCH, detail: layout::UNFORKED, site: 2, label: condition, flag: holds as u8, ..plain },
    ];
    for event in all {
        builder.event(event);
    }
}

/// The places of all fields that the parts of a memory can have, with their sizes.
pub fn fields() -> Vec<(u64, usize)> {
    let bytes = parts().into_iter().flat_map(|(offset, length, _)| offset..offset + length);
    let at = |place: usize| {
        [1, 2, 4, 8].into_iter().filter(move |size| place.is_multiple_of(*size)).map(move |size| (place as u64, size))
    };
    bytes.flat_map(at).collect()
}
