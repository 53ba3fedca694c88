//! When an operation on the path fails, as a condition on the input.

use byway_trace::layout::{Event, Node, op};
use byway_trace::{EventKind, Operand, Operands};

use super::Importer;
use crate::op::{Op, signed};
use crate::pool::Expr;

/// In which way an operation fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// An access to memory outside of its object.
    OutOfBounds,
    /// A division by zero.
    DivisionByZero,
    /// A division of the least number by -1.
    DivisionOverflow,
    /// The result of signed arithmetic does not fit.
    SignedOverflow,
    /// A shift by as many bits as there are, or more.
    Shift,
    /// More memory is asked for than there can be.
    AllocationSize,
    /// A library function is told to read or write more than there is.
    Length,
    /// A string that a library function reads has no end before that of its object.
    Unterminated,
    /// A shift to the left of a negative number, or one that loses bits of a signed number.
    ShiftBase,
    /// An access through an address that is not aligned as its type is.
    Misaligned,
}

impl Failure {
    /// All of them.
    pub const ALL: [Failure; 10] = [
        Failure::OutOfBounds,
        Failure::DivisionByZero,
        Failure::DivisionOverflow,
        Failure::SignedOverflow,
        Failure::Shift,
        Failure::AllocationSize,
        Failure::Length,
        Failure::Unterminated,
        Failure::ShiftBase,
        Failure::Misaligned,
    ];

    /// Whether it may end a run, or leave nothing behind it should be: arithmetic without a defined result goes on.
    pub fn ends_runs(self) -> bool {
        match self {
            Failure::OutOfBounds | Failure::DivisionByZero | Failure::DivisionOverflow => true,
            Failure::AllocationSize | Failure::Length | Failure::Unterminated => true,
            Failure::SignedOverflow | Failure::Shift | Failure::ShiftBase | Failure::Misaligned => false,
        }
    }

    /// Whether the processor ends a run that does it. An optimiser that knows this may compute on with any result.
    pub fn traps(self) -> bool {
        matches!(self, Failure::DivisionByZero | Failure::DivisionOverflow)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Failure::OutOfBounds => "out-of-bounds",
            Failure::DivisionByZero => "division-by-zero",
            Failure::DivisionOverflow => "division-overflow",
            Failure::SignedOverflow => "signed-overflow",
            Failure::Shift => "shift",
            Failure::AllocationSize => "allocation-size",
            Failure::Length => "length",
            Failure::Unterminated => "unterminated",
            Failure::ShiftBase => "shift-base",
            Failure::Misaligned => "misaligned",
        }
    }
}

/// No allocator gives more than this: the sanitizers' own limit, and far more than there is.
const MOST_MEMORY: u128 = 1 << 40;
/// Nor has a stack more room, as systems are set up.
const MOST_STACK: u128 = 8 << 20;
/// No object is larger: what is beyond was a negative number.
const LARGEST: u128 = i64::MAX as u128;
/// So far around an object the sanitizers see for sure that it is left.
const REDZONE: u64 = 16;
/// Nothing is ever below this address.
const FIRST_ADDRESS: u64 = 4096;
impl Importer<'_> {
    /// Under which conditions the operation of an event fails, each of 1 bit; for those that can, as far as can be seen.
    pub fn failures(&mut self, event: &Event) -> Vec<(Failure, Expr)> {
        let failures = match EventKind::of(event.kind) {
            Some(EventKind::Access) => {
                vec![(Failure::OutOfBounds, self.astray(event)), (Failure::Misaligned, self.misaligned(event))]
            }
            Some(EventKind::Division) => vec![
                (Failure::DivisionByZero, self.by_zero(event)),
                (Failure::DivisionOverflow, self.division_overflow(event)),
            ],
            Some(EventKind::Length) => vec![(Failure::Length, self.too_long(event))],
            Some(EventKind::Allocation) => vec![(Failure::AllocationSize, self.too_large(event))],
            Some(EventKind::Overflow) => vec![(Failure::SignedOverflow, self.overflow(event.label))],
            Some(EventKind::ShiftBase) => vec![(Failure::ShiftBase, self.lost_bits(event.label, 0))],
            Some(EventKind::Terminator) => vec![(Failure::Unterminated, Some(self.endless(event)))],
            Some(EventKind::Shift) => vec![(Failure::Shift, self.far_shift(event))],
            _ => Vec::new(),
        };
        let possible = failures.into_iter().filter_map(|(failure, goal)| Some((failure, goal?)));
        possible.filter(|&(_, goal)| self.pool.constant(goal) != Some(0)).collect()
    }

    /// Whether an operation may have failed in this run in a way that ends runs, at a glance: false only if it did not.
    pub fn may_have_failed(&self, event: &Event) -> bool {
        match EventKind::of(event.kind) {
            Some(EventKind::Division) => event.a == 0 || event.flag == 1,
            Some(EventKind::Access) => self.was_outside(event),
            Some(EventKind::Terminator) => event.a == 0,
            Some(EventKind::Allocation) => u128::from(event.a) > MOST_STACK,
            Some(EventKind::Length) => self.trace.object(event).is_none_or(|object| event.a > object.b / 2),
            _ => false,
        }
    }

    /// A stronger condition, under which the sanitizers see a failure for sure; `None` if there is none.
    pub fn surely(&mut self, event: &Event, failure: Failure) -> Option<Expr> {
        match failure {
            Failure::OutOfBounds | Failure::Length => self.nearby(event),
            // Up to C++17, a one may be shifted into the sign.
            Failure::ShiftBase => self.lost_bits(event.label, 1),
            _ => None,
        }
    }

    /// Where an access or a length leaves its object, but goes no further than the sanitizers look for sure: what is farther may
    /// be in another object. `None` if the event is of another kind, or nothing is known of its object.
    pub fn nearby(&mut self, event: &Event) -> Option<Expr> {
        let object = *self.trace.object(event)?;
        match EventKind::of(event.kind)? {
            EventKind::Access if event.label != 0 => {
                let address = self.expr(event.label);
                let base = self.number(object.a.wrapping_sub(REDZONE));
                let position = self.pool.binary(Op::Sub, address, base);
                let size = self.size_of(&object);
                let margin = self.number(2 * REDZONE);
                let end = self.pool.binary(Op::Add, size, margin);
                let near = self.pool.binary(Op::Ult, position, end);
                let outside = self.outside(event)?;
                let outside = self.pool.binary(Op::And, near, outside);
                match self.pointer(event.label, &object) {
                    Some(pointer) if pointer.is_all => None,
                    Some(pointer) => {
                        let same = self.stays(pointer.label);
                        Some(self.pool.binary(Op::And, same, outside))
                    }
                    None => Some(outside),
                }
            }
            EventKind::Length => {
                let length = self.as_64_bits(event.label);
                let size = self.size_of(&object);
                let margin = self.number(REDZONE);
                let end = self.pool.binary(Op::Add, size, margin);
                let near = self.pool.binary(Op::Ult, length, end);
                let outside = self.too_long(event)?;
                let outside = self.pool.binary(Op::And, near, outside);
                if event.address_label() == 0 {
                    return Some(outside);
                }
                let (base, address) = (self.number(object.a), self.expr(event.address_label()));
                let position = self.pool.binary(Op::Sub, address, base);
                let near = self.pool.binary(Op::Ult, position, end);
                Some(self.pool.binary(Op::And, near, outside))
            }
            _ => None,
        }
    }

    pub(super) fn number(&mut self, value: u64) -> Expr {
        self.pool.make_constant(64, value.into())
    }

    /// An expression of at most 64 bits, as 64 bits.
    fn as_64_bits(&mut self, label: u32) -> Expr {
        let expr = self.expr(label);
        if self.pool.width(expr) > 64 { self.pool.extract(expr, 0, 64) } else { self.pool.extend(Op::ZExt, expr, 64) }
    }

    /// The size of an object, of 64 bits.
    pub(super) fn size_of(&mut self, object: &Event) -> Expr {
        if object.label == 0 { self.number(object.b) } else { self.as_64_bits(object.label) }
    }

    /// That an access leaves its object. `None` if nobody knows the object.
    pub(super) fn outside(&mut self, event: &Event) -> Option<Expr> {
        let object = *self.trace.object(event)?;
        let size = self.size_of(&object);
        let count = event.access_size();
        if event.label == 0 {
            let end = event.b.wrapping_sub(object.a).saturating_add(count);
            let end = self.number(end);
            return Some(self.pool.binary(Op::Ult, size, end));
        }
        let address = self.expr(event.label);
        let (base, count) = (self.number(object.a), self.number(count));
        let position = self.pool.binary(Op::Sub, address, base);
        Some(self.beyond(position, count, size))
    }

    /// Whether an access left its object in this run.
    pub(super) fn was_outside(&self, event: &Event) -> bool {
        let Some(object) = self.trace.object(event) else { return false };
        let recorded = |label: u32| byway_trace::evaluate::recorded(self.trace.node(label)) as u64;
        let size = if object.label == 0 { object.b } else { recorded(object.label) };
        let address = if event.label == 0 { event.b } else { recorded(event.label) };
        let position = address.wrapping_sub(object.a);
        position.checked_add(event.access_size()).is_none_or(|end| end > size)
    }

    /// That an access goes where nothing is. If the pointer itself depends on the input, it may well be that to another object:
    /// then it goes astray if it leaves this one with the same pointer, or if there is no object at all.
    fn astray(&mut self, event: &Event) -> Option<Expr> {
        let object = self.trace.object(event).copied();
        let pointer = object.and_then(|object| self.pointer(event.label, &object));
        let Some(pointer) = pointer else { return self.outside(event) };
        let address = self.expr(event.label);
        let first = self.number(FIRST_ADDRESS);
        let null = self.pool.binary(Op::Ult, address, first);
        if pointer.is_all {
            return Some(null);
        }
        let (same, outside) = (self.stays(pointer.label), self.outside(event)?);
        let outside = self.pool.binary(Op::And, same, outside);
        Some(self.pool.binary(Op::Or, null, outside))
    }

    /// That an expression is worth what it was in this run.
    pub(super) fn stays(&mut self, label: u32) -> Expr {
        let value = byway_trace::evaluate::recorded(self.trace.node(label));
        let expr = self.expr(label);
        self.pool.equals(expr, value)
    }

    /// That `count` bytes from `position` on are not all among the first `size`.
    fn beyond(&mut self, position: Expr, count: Expr, size: Expr) -> Expr {
        let room = self.pool.binary(Op::Sub, size, count);
        let too_many = self.pool.binary(Op::Ult, size, count);
        let too_far = self.pool.binary(Op::Ult, room, position);
        self.pool.binary(Op::Or, too_many, too_far)
    }

    fn by_zero(&mut self, event: &Event) -> Option<Expr> {
        (event.label != 0).then(|| {
            let divisor = self.expr(event.label);
            self.pool.equals(divisor, 0)
        })
    }

    /// The least number divided by -1. At a model's site nobody knows what is divided.
    fn division_overflow(&mut self, event: &Event) -> Option<Expr> {
        if event.flag != 1 || byway_trace::is_model_site(event.site) {
            return None;
        }
        let known = if event.label != 0 { event.label } else { event.dividend() };
        let width = u32::from(self.trace.node(known).width);
        let either = |importer: &mut Self, label: u32, value: u64| match label {
            0 if width > 64 => None,
            0 => Some(importer.pool.make_constant(width, value.into())),
            _ => Some(importer.expr(label)),
        };
        let divisor = either(self, event.label, event.a)?;
        let dividend = either(self, event.dividend(), event.b)?;
        let by_minus_one = self.pool.equals(divisor, byway_trace::evaluate::mask(width));
        let of_least = self.pool.equals(dividend, 1 << (width - 1));
        Some(self.pool.binary(Op::And, by_minus_one, of_least))
    }

    /// That a length is more than there is behind its address. If that depends on the input, it may do so as the length does:
    /// then it is where it would be, but a pointer that was chosen stays what it is, since others are to other objects. What
    /// has no length may be anywhere.
    pub(super) fn too_long(&mut self, event: &Event) -> Option<Expr> {
        let length = self.as_64_bits(event.label);
        let Some(&object) = self.trace.object(event) else {
            return Some(self.is_above(length, LARGEST));
        };
        let size = self.size_of(&object);
        let address = event.address_label();
        if address == 0 {
            let position = self.number(event.b.wrapping_sub(object.a));
            return Some(self.beyond(length, position, size));
        }
        let pointer = self.pointer(address, &object);
        let (base, place) = (self.number(object.a), self.expr(address));
        let position = self.pool.binary(Op::Sub, place, base);
        let beyond = self.beyond(length, position, size);
        let nothing = self.pool.equals(length, 0);
        let something = self.pool.not(nothing);
        let too_long = self.pool.binary(Op::And, something, beyond);
        Some(match pointer {
            Some(pointer) => {
                let same = self.stays(pointer.label);
                self.pool.binary(Op::And, same, too_long)
            }
            None => too_long,
        })
    }

    /// Whether a length was more than there is in this run.
    pub(super) fn was_too_long(&self, event: &Event) -> bool {
        let Some(object) = self.trace.object(event) else { return false };
        let recorded = |label: u32| byway_trace::evaluate::recorded(self.trace.node(label)) as u64;
        let size = if object.label == 0 { object.b } else { recorded(object.label) };
        let address = if event.address_label() == 0 { event.b } else { recorded(event.address_label()) };
        let position = address.wrapping_sub(object.a);
        position.checked_add(event.a).is_none_or(|end| end > size)
    }

    /// That no byte of a string ends it.
    fn endless(&mut self, event: &Event) -> Expr {
        let ends = self.expr(event.label);
        self.pool.not(ends)
    }

    fn too_large(&mut self, event: &Event) -> Option<Expr> {
        let size = self.expr(event.label);
        Some(self.is_above(size, if event.flag == 1 { MOST_STACK } else { MOST_MEMORY }))
    }

    fn far_shift(&mut self, event: &Event) -> Option<Expr> {
        let amount = self.expr(event.label);
        let most = u128::from(event.b).checked_sub(1)?;
        Some(self.is_above(amount, most))
    }

    /// That a shift to the left by fewer bits than there are loses some that are set, or sets the sign; with `spared` 1 the sign may
    /// be set.
    fn lost_bits(&mut self, label: u32, spared: u32) -> Option<Expr> {
        let node: Node = *self.trace.node(label);
        let width = u32::from(node.width);
        let operands = Operands::of(self.trace.nodes(), &node);
        let [number, distance, _] = operands.all();
        let of = |importer: &mut Self, operand: Operand| match operand.label {
            0 => importer.pool.make_constant(width, operand.constant.into()),
            label => importer.expr(label),
        };
        if width > 64 {
            return None;
        }
        let number = of(self, number);
        if distance.label == 0 {
            let lost = u32::try_from(distance.constant).ok().filter(|&distance| distance < width)? + 1;
            if lost <= spared {
                return None;
            }
            let bits = self.pool.extract(number, width - lost + spared, lost - spared);
            let none = self.pool.equals(bits, 0);
            return Some(self.pool.not(none));
        }
        let distance = of(self, distance);
        let [bits, most] = [width, width - 1].map(|number| self.pool.make_constant(width, number.into()));
        let is_allowed = self.pool.binary(Op::Ult, distance, bits);
        let kept = self.pool.binary(Op::Sub, most, distance);
        let lost = self.pool.binary(Op::LShr, number, kept);
        let lost = self.pool.extract(lost, spared, width - spared);
        let none = self.pool.equals(lost, 0);
        let some = self.pool.not(none);
        Some(self.pool.binary(Op::And, is_allowed, some))
    }

    /// That an access is not aligned, but where it is to be.
    fn misaligned(&mut self, event: &Event) -> Option<Expr> {
        if event.label == 0 || event.detail == 0 {
            return None;
        }
        let address = self.expr(event.label);
        let lowest = self.pool.extract(address, 0, u32::from(event.detail));
        let aligned = self.pool.equals(lowest, 0);
        let (misaligned, outside) = (self.pool.not(aligned), self.outside(event)?);
        let inside = self.pool.not(outside);
        Some(self.pool.binary(Op::And, misaligned, inside))
    }

    /// Unsigned.
    fn is_above(&mut self, expr: Expr, limit: u128) -> Expr {
        let width = self.pool.width(expr);
        if limit > byway_trace::evaluate::mask(width) {
            return self.pool.truth(false);
        }
        let limit = self.pool.make_constant(width, limit);
        self.pool.binary(Op::Ult, limit, expr)
    }

    /// That the result of signed arithmetic does not fit into its node.
    fn overflow(&mut self, label: u32) -> Option<Expr> {
        let node: Node = *self.trace.node(label);
        let operands = Operands::of(self.trace.nodes(), &node);
        let [a, b, _] = operands.all();
        match (a.label, b.label) {
            (_, 0) => self.overflow_by(node.op, a, signed(b.constant.into(), b.width)),
            (0, _) if node.op == op::SUB => self.overflow_from(signed(a.constant.into(), a.width), b),
            (0, _) => self.overflow_by(node.op, b, signed(a.constant.into(), a.width)),
            _ => self.overflow_of(node.op, a, b),
        }
    }

    /// That `a` and a constant together do not fit: then `a` is outside of a range.
    fn overflow_by(&mut self, op: u8, a: Operand, constant: i128) -> Option<Expr> {
        let (least, most) = range(a.width)?;
        let (least, most) = match op {
            op::ADD => (least - constant.min(0), most - constant.max(0)),
            op::SUB => (least + constant.max(0), most + constant.min(0)),
            _ if constant > 0 => (least / constant, most / constant),
            // The least number has no opposite.
            _ if constant < 0 => (most / constant, (least / constant).min(most)),
            _ => return None,
        };
        Some(self.is_not_within(a, least, most))
    }

    /// That a constant less `b` does not fit.
    fn overflow_from(&mut self, constant: i128, b: Operand) -> Option<Expr> {
        let (least, most) = range(b.width)?;
        Some(self.is_not_within(b, (constant - most).max(least), (constant - least).min(most)))
    }

    fn is_not_within(&mut self, operand: Operand, least: i128, most: i128) -> Expr {
        let expr = self.expr(operand.label);
        let least = self.pool.make_constant(operand.width, least as u128);
        let most = self.pool.make_constant(operand.width, most as u128);
        let below = self.pool.binary(Op::Slt, expr, least);
        let above = self.pool.binary(Op::Slt, most, expr);
        self.pool.binary(Op::Or, below, above)
    }

    /// The result has another sign than it can have, or does not survive being made narrower.
    fn overflow_of(&mut self, op: u8, a: Operand, b: Operand) -> Option<Expr> {
        let (width, a, b) = (a.width, self.expr(a.label), self.expr(b.label));
        if op == op::MUL {
            if width > 64 {
                return None;
            }
            let wide_a = self.pool.extend(Op::SExt, a, 2 * width);
            let wide_b = self.pool.extend(Op::SExt, b, 2 * width);
            let product = self.pool.binary(Op::Mul, wide_a, wide_b);
            let part = self.pool.extract(product, 0, width);
            let again = self.pool.extend(Op::SExt, part, 2 * width);
            let same = self.pool.binary(Op::Eq, again, product);
            return Some(self.pool.not(same));
        }
        let adds = op == op::ADD;
        let result = self.pool.binary(if adds { Op::Add } else { Op::Sub }, a, b);
        // Operands of one sign (or of two, if one is taken from the other), and a result of another than the first.
        let operands = self.pool.binary(Op::Xor, a, b);
        let operands = if adds { self.pool.not(operands) } else { operands };
        let changed = self.pool.binary(Op::Xor, a, result);
        let both = self.pool.binary(Op::And, operands, changed);
        Some(self.pool.extract(both, width - 1, 1))
    }
}

/// The least and the greatest signed number of so many bits; for at most 64.
fn range(width: u32) -> Option<(i128, i128)> {
    (width <= 64).then(|| (-(1 << (width - 1)), (1 << (width - 1)) - 1))
}
