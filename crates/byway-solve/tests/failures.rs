//! The condition under which an operation fails is true for exactly those inputs for which it does.

use byway_solve::{Evaluation, Failure, Importer, Pool, Var, Variables};
use byway_trace::layout::{Event, MODEL_SITE, SYMBOLIC_ADDRESS, event, object_kind, op, source_kind};
use byway_trace::{Builder, Trace};

const NONE: Event = Event { kind: 0, flag: 0, detail: 0, site: 0, label: 0, extra: 0, a: 0, b: 0 };

const SECONDS: [u8; 17] = [0, 1, 2, 3, 4, 5, 6, 50, 63, 64, 99, 127, 128, 129, 200, 254, 255];

/// A trace that is being made, of an input of two bytes.
struct Run {
    builder: Builder,
    bytes: [u32; 2],
}

impl Run {
    fn new() -> Run {
        let mut builder = Builder::new();
        let source = builder.source(source_kind::STDIN, 0, "");
        let bytes = [builder.input(source, 0, 3), builder.input(source, 1, 5)];
        Run { builder, bytes }
    }

    /// A byte, extended with its sign (or with zeros).
    fn number(&mut self, byte: usize, width: u8, signed: bool) -> u32 {
        let extend = if signed { op::SEXT } else { op::ZEXT };
        self.builder.node(extend, width, [self.bytes[byte], 0, 0], 0)
    }

    /// The event with this expression, as the last of the trace.
    fn note(mut self, event: Event) -> Noted {
        self.builder.event(event);
        Noted::new(self.builder.finish().unwrap())
    }
}

/// The last event of a trace, and for each failure when it happens.
struct Noted {
    pool: Pool,
    failures: Vec<(Failure, byway_solve::Expr)>,
    nearby: Option<byway_solve::Expr>,
    assumption: Option<byway_solve::Expr>,
}

impl Noted {
    fn new(trace: Trace) -> Noted {
        let (mut pool, mut variables) = (Pool::new(), Variables::default());
        // The bytes are variables 0 and 1.
        let event = *trace.events().last().unwrap();
        let mut importer = Importer::new(&trace, &mut pool, &mut variables);
        importer.expr(1);
        importer.expr(2);
        let (failures, nearby) = (importer.failures(&event), importer.nearby(&event));
        let assumption = importer.assumption(&event);
        Noted { pool, failures, nearby, assumption }
    }

    fn kinds(&self) -> Vec<Failure> {
        self.failures.iter().map(|&(failure, _)| failure).collect()
    }

    fn is(&self, expr: byway_solve::Expr, bytes: [u8; 2]) -> bool {
        Evaluation::new(&self.pool, |var: Var| bytes[var.0 as usize]).value(expr) == 1
    }

    /// Checks a failure for all values of the first byte, and those of the second that are near a limit.
    #[track_caller]
    fn fails(&self, failure: Failure, expected: impl Fn(u8, u8) -> bool) {
        let goal = self.failures.iter().find(|&&(known, _)| known == failure).map(|&(_, goal)| goal);
        for first in 0..=255 {
            for second in SECONDS {
                let fails = goal.is_some_and(|goal| self.is(goal, [first, second]));
                assert_eq!(fails, expected(first, second), "{failure:?} of {first}, {second}");
            }
        }
    }
}

type Exact = fn(i32, i32) -> i32;

#[test]
fn signed_arithmetic_of_eight_bits_overflows_where_the_exact_result_does_not_fit() {
    let operators: [(u8, Exact); 3] = [(op::ADD, |a, b| a + b), (op::SUB, |a, b| a - b), (op::MUL, |a, b| a * b)];
    for (operator, exact) in operators {
        let overflows = |a: u8, b: u8| i8::try_from(exact(i32::from(a as i8), i32::from(b as i8))).is_err();
        let mut run = Run::new();
        let [a, b] = run.bytes;
        let label = run.builder.node(operator, 8, [a, b, 0], 0);
        let value = run.builder.value(label) as u64;
        let noted = run.note(Event { kind: event::OVERFLOW, label, a: value, ..NONE });
        noted.fails(Failure::SignedOverflow, overflows);
        assert_eq!(noted.assumption, None);
        for constant in [0, 1, 2, 3, 100, 127, 128, 129, 200, 254, 255] {
            for first in [true, false] {
                let mut run = Run::new();
                let operands = if first { [0, run.bytes[0], 0] } else { [run.bytes[0], 0, 0] };
                let label = run.builder.node(operator, 8, operands, constant.into());
                let value = run.builder.value(label) as u64;
                let noted = run.note(Event { kind: event::OVERFLOW, label, a: value, ..NONE });
                noted.fails(Failure::SignedOverflow, |a, _| {
                    if first { overflows(constant, a) } else { overflows(a, constant) }
                });
            }
        }
    }
}

#[test]
fn signed_arithmetic_of_other_widths_overflows_too() {
    // A byte and 8 constant bits below it, so that it matters at the upper end.
    for (width, shift) in [(32u8, 24u64), (64, 56), (128, 120)] {
        for operator in [op::ADD, op::SUB, op::MUL] {
            let mut run = Run::new();
            let numbers = [0, 1].map(|byte| {
                let wide = run.number(byte, width, false);
                let by = run.builder.constant(width, shift.into());
                run.builder.node(op::SHL, width, [wide, by, 0], 0)
            });
            let label = run.builder.node(operator, width, [numbers[0], numbers[1], 0], 0);
            let value = run.builder.value(label) as u64;
            let noted = run.note(Event { kind: event::OVERFLOW, label, a: value, ..NONE });
            if width == 128 && operator == op::MUL {
                assert_eq!(noted.kinds(), []);
                continue;
            }
            // The upper bytes decide, as everything below them is 0. A product has the bits twice as far up.
            noted.fails(Failure::SignedOverflow, |a, b| {
                let (a, b) = (i32::from(a as i8), i32::from(b as i8));
                match operator {
                    op::ADD => i8::try_from(a + b).is_err(),
                    op::SUB => i8::try_from(a - b).is_err(),
                    _ => a * b != 0,
                }
            });
        }
    }
}

#[test]
fn divisions_fail_for_zero_and_where_the_least_number_is_divided_by_minus_one() {
    let divide = |signed: u8, label: usize, dividend: usize, a: u64, b: u64, site: u32| {
        let run = Run::new();
        let of = |index: usize| if index < 2 { run.bytes[index] } else { 0 };
        let (label, extra) = (of(label), of(dividend));
        run.note(Event { kind: event::DIVISION, flag: signed, site, label, extra, a, b, ..NONE })
    };
    let constant = 2;
    let both = divide(1, 1, 0, 5, 3, 0);
    both.fails(Failure::DivisionByZero, |_, divisor| divisor == 0);
    both.fails(Failure::DivisionOverflow, |dividend, divisor| dividend == 0x80 && divisor == 0xff);
    assert!(both.assumption.is_some_and(|assumption| both.is(assumption, [0, 1]) && !both.is(assumption, [0, 0])));
    let by_minus_one = divide(1, constant, 0, 0xff, 3, 0);
    assert_eq!((by_minus_one.kinds(), by_minus_one.assumption), (vec![Failure::DivisionOverflow], None));
    by_minus_one.fails(Failure::DivisionOverflow, |dividend, _| dividend == 0x80);
    let of_the_least = divide(1, 1, constant, 5, 0x80, 0);
    of_the_least.fails(Failure::DivisionOverflow, |_, divisor| divisor == 0xff);
    assert_eq!(divide(1, 1, constant, 5, 84, 0).kinds(), [Failure::DivisionByZero]);
    assert_eq!(divide(0, 1, 0, 5, 3, 0).kinds(), [Failure::DivisionByZero]);
    // Nobody knows what is divided there.
    assert_eq!(divide(1, 1, 0, 5, 3, MODEL_SITE).kinds(), [Failure::DivisionByZero]);
}

#[test]
fn shifts_fail_by_as_many_bits_as_there_are() {
    let mut run = Run::new();
    let label = run.number(0, 32, true);
    let noted = run.note(Event { kind: event::SHIFT, label, a: 3, b: 32, ..NONE });
    noted.fails(Failure::Shift, |distance, _| distance >= 32);
    assert!(noted.assumption.is_some_and(|assumption| noted.is(assumption, [31, 0]) && !noted.is(assumption, [32, 0])));
    let run = Run::new();
    let label = run.bytes[0];
    run.note(Event { kind: event::SHIFT, label, a: 3, b: 8, ..NONE }).fails(Failure::Shift, |by, _| by >= 8);
}

const BASE: u64 = 0x5000;

/// What clang's sanitizer reports for C: bits other than zeros are shifted off, or into the sign.
fn loses_bits(number: i32, distance: u32) -> bool {
    distance < 32 && (number as u32) >> (31 - distance) != 0
}

#[test]
fn left_shifts_of_signed_numbers_fail_where_bits_are_lost_or_the_number_is_negative() {
    for distance in [1, 25] {
        let mut run = Run::new();
        let number = run.number(0, 32, true);
        let label = run.builder.node(op::SHL, 32, [number, 0, 0], distance.into());
        let a = (3u32 << distance).into();
        let noted = run.note(Event { kind: event::SHIFT_BASE, label, a, ..NONE });
        noted.fails(Failure::ShiftBase, |first, _| loses_bits((first as i8).into(), distance));
    }
    let mut run = Run::new();
    let (number, distance) = (run.number(0, 32, true), run.number(1, 32, false));
    let label = run.builder.node(op::SHL, 32, [number, distance, 0], 0);
    let noted = run.note(Event { kind: event::SHIFT_BASE, label, a: 3 << 5, ..NONE });
    noted.fails(Failure::ShiftBase, |first, second| loses_bits((first as i8).into(), second.into()));
}

#[test]
fn a_string_without_an_end_fails() {
    let mut run = Run::new();
    let ends = [0, 1].map(|byte| run.builder.node(op::EQ, 1, [run.bytes[byte], 0, 0], 0));
    let label = run.builder.node(op::OR, 1, [ends[0], ends[1], 0], 0);
    let noted = run.note(Event { kind: event::TERMINATOR, label, a: 0, ..NONE });
    noted.fails(Failure::Unterminated, |first, second| first != 0 && second != 0);
}

/// An object of 100 bytes, or of as many as the second byte says (5 in this run).
fn object(run: &mut Run, symbolic: bool) -> u64 {
    let label = if symbolic { run.number(1, 64, false) } else { 0 };
    let b = if symbolic { 5 } else { 100 };
    let event = Event { kind: event::OBJECT, flag: object_kind::HEAP, label, a: BASE, b, ..NONE };
    1 + u64::from(run.builder.event(event))
}

#[test]
fn accesses_fail_outside_of_their_object() {
    for symbolic in [false, true] {
        let size = |second: u8| if symbolic { i32::from(second) } else { 100 };
        let mut run = Run::new();
        let object = object(&mut run, symbolic);
        let index = run.number(0, 64, true);
        let label = run.builder.node(op::ADD, 64, [index, 0, 0], BASE);
        let access = Event { kind: event::ACCESS, label, extra: 2, a: object, b: BASE + 3, ..NONE };
        let noted = run.note(access);
        let outside = |first: u8, second: u8| {
            let index = i32::from(first as i8);
            index < 0 || index + 2 > size(second)
        };
        noted.fails(Failure::OutOfBounds, outside);
        let (nearby, assumption) = (noted.nearby.unwrap(), noted.assumption.unwrap());
        for (first, second) in (0..=255).flat_map(|first| [0, 3, 4, 5, 99].map(|second| (first, second))) {
            let index = i32::from(first as i8);
            let near = index >= -16 && index < size(second) + 16;
            assert_eq!(noted.is(nearby, [first, second]), near && outside(first, second), "{first} {second}");
            assert_eq!(noted.is(assumption, [first, second]), !outside(first, second));
        }
    }
}

#[test]
fn nothing_is_assumed_of_what_a_run_did_outside_of_its_object() {
    let mut run = Run::new();
    let object = object(&mut run, true);
    let index = run.number(0, 64, true);
    let label = run.builder.node(op::ADD, 64, [index, 0, 0], BASE);
    let access = Event { kind: event::ACCESS, label, extra: 4, a: object, b: BASE + 3, ..NONE };
    let noted = run.note(access);
    assert_eq!((noted.kinds(), noted.assumption), (vec![Failure::OutOfBounds], None));
}

#[test]
fn an_access_at_a_constant_address_fails_if_the_object_is_too_small() {
    let mut run = Run::new();
    let object = object(&mut run, true);
    let noted = run.note(Event { kind: event::ACCESS, extra: 2, a: object, b: BASE + 3, ..NONE });
    noted.fails(Failure::OutOfBounds, |_, size| size < 5);
    assert_eq!(noted.nearby, None);
    assert!(noted.assumption.is_some_and(|assumption| noted.is(assumption, [0, 5]) && !noted.is(assumption, [0, 4])));
}

#[test]
fn nothing_is_said_of_an_access_to_an_unknown_object() {
    let mut run = Run::new();
    let index = run.number(0, 64, false);
    let label = run.builder.node(op::ADD, 64, [index, 0, 0], BASE);
    let noted = run.note(Event { kind: event::ACCESS, label, extra: 1, b: BASE + 3, ..NONE });
    assert_eq!((noted.kinds(), noted.assumption, noted.nearby), (vec![], None, None));
}

#[test]
fn lengths_fail_beyond_what_is_left_of_the_object() {
    for symbolic in [false, true] {
        let mut run = Run::new();
        let extra = object(&mut run, symbolic) as u32;
        let label = run.number(0, 64, true);
        let noted = run.note(Event { kind: event::LENGTH, flag: 1, label, extra, a: 3, b: BASE + 2, ..NONE });
        // A negative one is a very large one.
        let size = |second: u8| if symbolic { i32::from(second) } else { 100 };
        noted.fails(Failure::Length, |length, second| (length as i8) < 0 || i32::from(length) + 2 > size(second));
        let nearby = noted.nearby.unwrap();
        for length in 0..=255u8 {
            let expected = (length as i8) >= 0 && i32::from(length) + 2 > size(50) && i32::from(length) < size(50) + 16;
            assert_eq!(noted.is(nearby, [length, 50]), expected, "{length}");
        }
    }
    let mut run = Run::new();
    let label = run.number(0, 64, true);
    let unknown = run.note(Event { kind: event::LENGTH, label, a: 3, b: BASE, ..NONE });
    unknown.fails(Failure::Length, |length, _| (length as i8) < 0);
}

#[test]
fn lengths_may_depend_on_the_address_that_they_are_counted_from() {
    let event = |label: u32, extra: u32, address: u32| {
        let flag = 1 | SYMBOLIC_ADDRESS;
        Event { kind: event::LENGTH, flag, label, extra, a: 97, b: address.into(), ..NONE }
    };
    // What is left of 100 bytes from there on, and 3 bytes more.
    for more in [0, 3] {
        let mut run = Run::new();
        let extra = object(&mut run, false) as u32;
        let index = run.number(0, 64, false);
        let address = run.builder.node(op::ADD, 64, [index, 0, 0], BASE);
        let end = run.builder.constant(64, u128::from(BASE + 100 + more));
        let label = run.builder.node(op::SUB, 64, [end, address, 0], 0);
        let noted = run.note(event(label, extra, address));
        match more {
            0 => noted.fails(Failure::Length, |index, _| index > 100),
            _ => noted.fails(Failure::Length, |index, _| index != 103),
        }
        let nearby = noted.nearby.unwrap();
        assert!(!noted.is(nearby, [200, 0]) && noted.is(nearby, [50, 0]) == (more != 0));
    }
    // Nothing is read where there is no length, wherever that is.
    let mut run = Run::new();
    let extra = object(&mut run, false) as u32;
    let index = run.number(0, 64, false);
    let address = run.builder.node(op::ADD, 64, [index, 0, 0], BASE);
    let label = run.number(1, 64, false);
    let noted = run.note(event(label, extra, address));
    let left = |index: u8| 100 - i32::from(index);
    noted.fails(Failure::Length, |index, length| length != 0 && i32::from(length) > left(index));
}

#[test]
fn sizes_fail_where_nobody_has_as_much_memory() {
    // A byte, so many bits further up.
    let allocation = |width: u8, shift: u128, flag: u8| {
        let mut run = Run::new();
        let byte = run.number(0, width, false);
        let by = run.builder.constant(width, shift);
        let label = run.builder.node(op::SHL, width, [byte, by, 0], 0);
        let value = run.builder.value(label) as u64;
        run.note(Event { kind: event::ALLOCATION, flag, label, a: value, ..NONE })
    };
    allocation(64, 36, 0).fails(Failure::AllocationSize, |byte, _| byte > 16);
    allocation(64, 16, 1).fails(Failure::AllocationSize, |byte, _| byte > 128);
    // A product that the lower 64 bits do not show.
    allocation(128, 64, 0).fails(Failure::AllocationSize, |byte, _| byte > 0);
    assert_eq!(allocation(32, 20, 0).kinds(), []);
}

#[test]
fn a_pointer_from_a_table_may_lead_to_other_objects_but_not_to_none() {
    // Entries of a table: two objects of 8 bytes, the second of which entry 3 leads to in this run, and NULL.
    let mut bytes = [0x70_0000u64; 8];
    (bytes[3], bytes[4]) = (0x60_0000, 0);
    let bytes: Vec<u8> = bytes.iter().flat_map(|pointer| pointer.to_le_bytes()).collect();
    let mut run = Run::new();
    let snapshot = run.builder.snapshot(0x5000, &bytes, &[]);
    let entry = run.number(0, 64, false);
    let offset = run.builder.node(op::MUL, 64, [entry, 0, 0], 8);
    let place = run.builder.node(op::ADD, 64, [offset, 0, 0], 0x5000);
    let pointer = run.builder.node(op::LOAD, 64, [place, snapshot, 0], 0);
    let index = run.number(1, 64, false);
    let address = run.builder.node(op::ADD, 64, [pointer, index, 0], 0);
    let value = run.builder.value(address) as u64;
    run.builder.event(Event { kind: event::OBJECT, flag: object_kind::HEAP, a: 0x60_0000, b: 8, ..NONE });
    let noted = run.note(Event { kind: event::ACCESS, label: address, extra: 1, a: 1, b: value, ..NONE });
    // Beyond its end the table is worth 0.
    noted.fails(Failure::OutOfBounds, |entry, index| entry == 4 || entry > 7 || (entry == 3 && index >= 8));
}

#[test]
fn an_index_that_was_doubled_often_is_looked_at_once() {
    let mut run = Run::new();
    let object = object(&mut run, false);
    let mut index = run.number(0, 64, false);
    // Three more than there are bits: it is 0. Written out, it has more parts than anybody can look at.
    for _ in 0..67 {
        index = run.builder.node(op::ADD, 64, [index, index, 0], 0);
    }
    let second = run.number(1, 64, false);
    let sum = run.builder.node(op::ADD, 64, [index, second, 0], 0);
    let label = run.builder.node(op::ADD, 64, [sum, 0, 0], BASE);
    let value = run.builder.value(label) as u64;
    let noted = run.note(Event { kind: event::ACCESS, label, extra: 1, a: object, b: value, ..NONE });
    noted.fails(Failure::OutOfBounds, |_, second| second >= 100);
}
