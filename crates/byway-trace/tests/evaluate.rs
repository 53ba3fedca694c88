//! Operators mean what their definition on bits says.

use byway_trace::Builder;
use byway_trace::layout::op;
use proptest::prelude::*;

/// A number as its bits, the lowest first.
type Bits = Vec<bool>;

fn bits(value: u128, width: u8) -> Bits {
    (0..width).map(|index| value >> index & 1 == 1).collect()
}

fn number(bits: &[bool]) -> u128 {
    bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(bit))
}

fn zero(width: usize) -> Bits {
    vec![false; width]
}

fn not(a: &[bool]) -> Bits {
    a.iter().map(|bit| !bit).collect()
}

/// The sum and the carry.
fn add(a: &[bool], b: &[bool], mut carry: bool) -> (Bits, bool) {
    let mut sum = Bits::new();
    for (&a, &b) in a.iter().zip(b) {
        sum.push(a ^ b ^ carry);
        carry = a && b || carry && (a || b);
    }
    (sum, carry)
}

fn negated(a: &[bool]) -> Bits {
    add(&not(a), &zero(a.len()), true).0
}

fn less(a: &[bool], b: &[bool]) -> bool {
    !add(a, &not(b), true).1
}

/// Signed numbers compare as unsigned ones if the sign is turned.
fn turned(a: &[bool]) -> Bits {
    let mut a = a.to_vec();
    let sign = a.len() - 1;
    a[sign] = !a[sign];
    a
}

fn shifted_left(a: &[bool], count: usize) -> Bits {
    let count = count.min(a.len());
    [&zero(count), &a[..a.len() - count]].concat()
}

fn multiplied(a: &[bool], b: &[bool]) -> Bits {
    let partial = |index: usize| if b[index] { shifted_left(a, index) } else { zero(a.len()) };
    (0..b.len()).map(partial).fold(zero(a.len()), |sum, partial| add(&sum, &partial, false).0)
}

/// Quotient and remainder, bit by bit from the highest, with one bit more so that nothing is cut off.
fn divided(a: &[bool], b: &[bool]) -> (Bits, Bits) {
    let b = [b, &[false]].concat();
    let mut remainder = zero(b.len());
    let mut quotient = Bits::new();
    for &bit in a.iter().rev() {
        remainder = shifted_left(&remainder, 1);
        remainder[0] = bit;
        let fits = !less(&remainder, &b);
        if fits {
            remainder = add(&remainder, &not(&b), true).0;
        }
        quotient.insert(0, fits);
    }
    remainder.pop();
    (quotient, remainder)
}

fn divided_signed(a: &[bool], b: &[bool]) -> (Bits, Bits) {
    let (negative_a, negative_b) = (a[a.len() - 1], b[b.len() - 1]);
    let sign = |a: &[bool], negative: bool| if negative { negated(a) } else { a.to_vec() };
    let (quotient, remainder) = divided(&sign(a, negative_a), &sign(b, negative_b));
    (sign(&quotient, negative_a != negative_b), sign(&remainder, negative_a))
}

fn zip(a: &[bool], b: &[bool], with: impl Fn(bool, bool) -> bool) -> Bits {
    a.iter().zip(b).map(|(&a, &b)| with(a, b)).collect()
}

/// What an operator gives, by its definition.
fn defined(operator: u8, a: u128, b: u128, width: u8) -> u128 {
    let (a, b) = (bits(a, width), bits(b, width));
    let sign = a[a.len() - 1];
    let shift = usize::try_from(number(&b)).unwrap_or(usize::MAX).min(a.len());
    let result = match operator {
        op::ADD => add(&a, &b, false).0,
        op::SUB => add(&a, &not(&b), true).0,
        op::MUL => multiplied(&a, &b),
        op::UDIV => divided(&a, &b).0,
        op::UREM => divided(&a, &b).1,
        op::SDIV => divided_signed(&a, &b).0,
        op::SREM => divided_signed(&a, &b).1,
        op::SHL => shifted_left(&a, shift),
        op::LSHR => [&a[shift..], &zero(shift)].concat(),
        op::ASHR => [&a[shift..], &vec![sign; shift]].concat(),
        op::AND => zip(&a, &b, |a, b| a && b),
        op::OR => zip(&a, &b, |a, b| a || b),
        op::XOR => zip(&a, &b, |a, b| a != b),
        op::EQ => vec![a == b],
        op::NE => vec![a != b],
        op::ULT => vec![less(&a, &b)],
        op::ULE => vec![!less(&b, &a)],
        op::SLT => vec![less(&turned(&a), &turned(&b))],
        op::SLE => vec![!less(&turned(&b), &turned(&a))],
        op::CTPOP => bits(a.iter().filter(|&&bit| bit).count() as u128, width),
        op::CTLZ => bits(a.iter().rev().take_while(|&&bit| !bit).count() as u128, width),
        op::CTTZ => bits(a.iter().take_while(|&&bit| !bit).count() as u128, width),
        _ => unreachable!(),
    };
    number(&result)
}

/// Numbers of all sizes, with the interesting ones among them.
fn values() -> impl Strategy<Value = u128> {
    let small = 0..200u128;
    let power = (0..128u32, 0..3u128).prop_map(|(bit, off)| (1u128 << bit).wrapping_add(off).wrapping_sub(1));
    prop_oneof![small.clone(), small.prop_map(|value| value.wrapping_neg()), power, any::<u128>()]
}

fn cut(value: u128, width: u8) -> u128 {
    if width == 128 { value } else { value & ((1 << width) - 1) }
}

/// The value of a node with constant nodes for operands.
fn of(operator: u8, result: u8, operands: &[(u128, u8)], position: u32) -> u128 {
    let mut builder = Builder::new();
    let mut labels = [0; 3];
    for (label, &(value, width)) in labels.iter_mut().zip(operands) {
        *label = builder.constant(width, value);
    }
    if operator == op::EXTRACT {
        labels[2] = position;
    }
    let label = builder.node(operator, result, labels, 0);
    builder.value(label)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn binary_operators(operator in op::ADD..=op::SLE, a in values(), b in values(), width in 1..=128u8) {
        let (a, b) = (cut(a, width), cut(b, width));
        let result = if operator >= op::EQ { 1 } else { width };
        let value = of(operator, result, &[(a, width), (b, width)], 0);
        prop_assert_eq!(value, defined(operator, a, b, width), "operator {}", operator);
    }

    #[test]
    fn counts_of_bits(operator in op::CTPOP..=op::CTTZ, a in values(), width in 1..=128u8) {
        let a = cut(a, width);
        prop_assert_eq!(of(operator, width, &[(a, width)], 0), defined(operator, a, 0, width));
    }

    #[test]
    fn extensions(a in values(), from in 1..=128u8, more in 0..128u8) {
        let (a, to) = (cut(a, from), from.saturating_add(more).min(128));
        prop_assert_eq!(of(op::ZEXT, to, &[(a, from)], 0), a);
        let sign = bits(a, from)[usize::from(from) - 1];
        let extended = [bits(a, from), vec![sign; usize::from(to - from)]].concat();
        prop_assert_eq!(of(op::SEXT, to, &[(a, from)], 0), number(&extended));
    }

    #[test]
    fn parts_and_wholes(a in values(), b in values(), upper in 1..=64u8, lower in 1..=64u8) {
        let (a, b) = (cut(a, upper), cut(b, lower));
        let whole = of(op::CONCAT, upper + lower, &[(a, upper), (b, lower)], 0);
        prop_assert_eq!(whole, number(&[bits(b, lower), bits(a, upper)].concat()));
        prop_assert_eq!(of(op::EXTRACT, upper, &[(whole, upper + lower)], lower.into()), a);
        prop_assert_eq!(of(op::EXTRACT, lower, &[(whole, upper + lower)], 0), b);
    }

    #[test]
    fn choices(condition in 0..=1u128, a in values(), b in values(), width in 1..=128u8) {
        let (a, b) = (cut(a, width), cut(b, width));
        let value = of(op::ITE, width, &[(condition, 1), (a, width), (b, width)], 0);
        prop_assert_eq!(value, if condition == 1 { a } else { b });
    }
}
