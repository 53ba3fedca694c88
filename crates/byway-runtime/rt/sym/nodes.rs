//! Expressions: operators over labels and constants, with the value that the program computed.

use crate::events;
use crate::layout::{Node, cause, op};
use crate::state::{STATE, thread};
use crate::table::intern;

/// A label with its value: an operand.
#[derive(Clone, Copy)]
pub struct Operand {
    pub label: u32,
    pub width: u32,
    pub value: u128,
}

impl Operand {
    pub fn constant(value: u128, width: u32) -> Operand {
        Operand { label: 0, width, value: value & mask(width) }
    }

    pub unsafe fn of(label: u32) -> Operand {
        // SAFETY: labels are numbers of nodes.
        unsafe {
            let node = STATE.node(label);
            Operand { label, width: node.width as u32, value: value_of(node) }
        }
    }
}

/// The value of a node.
pub fn value_of(node: &Node) -> u128 {
    let high = if node.width > 64 { node.constant } else { 0 };
    node.value as u128 | (high as u128) << 64
}

#[inline(always)]
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

#[inline(always)]
fn mask64(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1u64 << width) - 1 }
}

/// Where the program is, as far as it is known: the last site that called us with one.
pub unsafe fn site() -> u32 {
    // SAFETY: the thread's own variable.
    unsafe { thread().call_site }
}

/// A node for a constant that does not fit into the node that uses it.
unsafe fn constant_node(operand: Operand) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        intern(Node {
            op: op::CONST,
            width: operand.width as u8,
            depth: 0,
            a: 0,
            b: 0,
            c: 0,
            value: operand.value as u64,
            constant: (operand.value >> 64) as u64,
        })
    }
}

/// A binary operator or comparison of `width` bits. The value is what the program computed.
pub unsafe fn binary(op: u8, width: u32, a: Operand, b: Operand, value: u128) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        if a.label | b.label == 0 {
            return 0;
        }
        if matches!(op, op::EQ | op::NE)
            && let Some(label) = narrow_equality(op, a, b, value)
        {
            return label;
        }
        let value = value & mask(width);
        let mut node =
            Node { op, width: width as u8, depth: 0, a: a.label, b: b.label, c: 0, value: value as u64, constant: 0 };
        if a.width <= 64 && width <= 64 {
            node.constant = if a.label == 0 {
                a.value as u64
            } else if b.label == 0 {
                b.value as u64
            } else {
                0
            };
            return intern(node);
        }
        if node.a == 0 {
            node.a = constant_node(a);
        }
        if node.b == 0 {
            node.b = constant_node(b);
        }
        if node.a == 0 || node.b == 0 {
            return 0;
        }
        if width > 64 {
            node.constant = (value >> 64) as u64;
        }
        intern(node)
    }
}

/// An equality of something extended with zeros and a constant is one of what was extended.
unsafe fn narrow_equality(op: u8, a: Operand, b: Operand, value: u128) -> Option<u32> {
    // SAFETY: as for `intern`.
    unsafe {
        let (wide, constant) = match (a.label, b.label) {
            (label, 0) => (label, b.value),
            (0, label) => (label, a.value),
            _ => return None,
        };
        let node = STATE.node(wide);
        if node.op != op::ZEXT {
            return None;
        }
        let inner = Operand::of(node.a);
        if constant & !mask(inner.width) != 0 {
            // It can never be equal.
            return Some(0);
        }
        Some(binary(op, 1, inner, Operand::constant(constant, inner.width), value))
    }
}

/// A node with one operand.
unsafe fn unary(op: u8, width: u32, a: u32, c: u32, value: u128) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        let constant = if width > 64 { (value >> 64) as u64 } else { 0 };
        intern(Node { op, width: width as u8, depth: 0, a, b: 0, c, value: value as u64, constant })
    }
}

/// A count of bits.
pub unsafe fn count(op: u8, a: Operand, value: u128) -> u32 {
    // SAFETY: as for `intern`.
    unsafe { if a.label == 0 { 0 } else { unary(op, a.width, a.label, 0, value & mask(a.width)) } }
}

/// Extension with zeros.
pub unsafe fn zero_extend(a: Operand, width: u32) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        if a.label == 0 || width <= a.width {
            return Operand { label: a.label, width, value: a.value };
        }
        let node = STATE.node(a.label);
        let inner = if node.op == op::ZEXT { node.a } else { a.label };
        Operand { label: unary(op::ZEXT, width, inner, 0, a.value), width, value: a.value }
    }
}

/// Extension with the sign.
pub unsafe fn sign_extend(a: Operand, width: u32) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let shift = 128 - a.width;
        let value = ((a.value << shift) as i128 >> shift) as u128 & mask(width);
        if a.label == 0 || width <= a.width {
            return Operand { label: a.label, width, value };
        }
        let node = STATE.node(a.label);
        let label = match node.op {
            // Its sign is 0.
            op::ZEXT => unary(op::ZEXT, width, node.a, 0, value),
            op::SEXT => unary(op::SEXT, width, node.a, 0, value),
            _ => unary(op::SEXT, width, a.label, 0, value),
        };
        Operand { label, width, value }
    }
}

/// `width` bits from bit `low` on.
pub unsafe fn extract(mut a: Operand, mut low: u32, width: u32) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        loop {
            let value = (a.value >> low) & mask(width);
            if a.label == 0 {
                return Operand::constant(value, width);
            }
            if low == 0 && width == a.width {
                return a;
            }
            let node = STATE.node(a.label);
            match node.op {
                op::EXTRACT => {
                    low += node.c;
                    a = Operand::of(node.a);
                }
                op::ZEXT | op::SEXT if low + width <= STATE.node(node.a).width as u32 => a = Operand::of(node.a),
                op::ZEXT if low >= STATE.node(node.a).width as u32 => return Operand::constant(0, width),
                op::ZEXT if low == 0 => return zero_extend(Operand::of(node.a), width),
                op::CONCAT => {
                    let (high, lower) = parts(node);
                    if low >= lower.width {
                        low -= lower.width;
                        a = high;
                    } else if low + width <= lower.width {
                        a = lower;
                    } else {
                        return Operand { label: unary(op::EXTRACT, width, a.label, low, value), width, value };
                    }
                }
                _ => return Operand { label: unary(op::EXTRACT, width, a.label, low, value), width, value },
            }
        }
    }
}

/// The operands of a concatenation.
unsafe fn parts(node: &Node) -> (Operand, Operand) {
    // SAFETY: operands are labels.
    unsafe {
        let value = value_of(node);
        if node.a == 0 {
            let low = Operand::of(node.b);
            (Operand::constant(value >> low.width, node.width as u32 - low.width), low)
        } else if node.b == 0 {
            let high = Operand::of(node.a);
            (high, Operand::constant(value, node.width as u32 - high.width))
        } else {
            (Operand::of(node.a), Operand::of(node.b))
        }
    }
}

/// `high` in the upper bits, `low` in the lower.
pub unsafe fn concat(high: Operand, low: Operand) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let width = high.width + low.width;
        let value = high.value << low.width | low.value;
        if high.label | low.label == 0 {
            return Operand::constant(value, width);
        }
        if high.label == 0 && high.value == 0 {
            return zero_extend(low, width);
        }
        if high.label != 0 && low.label != 0 {
            let (upper, lower) = (STATE.node(high.label), STATE.node(low.label));
            let adjacent = upper.op == op::EXTRACT
                && lower.op == op::EXTRACT
                && upper.a == lower.a
                && upper.c == lower.c + low.width;
            if adjacent {
                return extract(Operand::of(lower.a), lower.c, width);
            }
        }
        let mut node = Node {
            op: op::CONCAT,
            width: width as u8,
            depth: 0,
            a: high.label,
            b: low.label,
            c: 0,
            value: value as u64,
            constant: 0,
        };
        if width > 64 {
            if node.a == 0 {
                node.a = constant_node(high);
            }
            if node.b == 0 {
                node.b = constant_node(low);
            }
            if node.a == 0 || node.b == 0 {
                return Operand { label: 0, width, value };
            }
            node.constant = (value >> 64) as u64;
        } else if node.a == 0 {
            node.constant = high.value as u64;
        } else if node.b == 0 {
            node.constant = low.value as u64;
        }
        Operand { label: intern(node), width, value }
    }
}

/// `then` if the condition holds, else `otherwise`.
pub unsafe fn ite(condition: Operand, then: Operand, otherwise: Operand) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        if condition.label == 0 {
            return if condition.value != 0 { then.label } else { otherwise.label };
        }
        let same = then.label == otherwise.label && (then.label != 0 || then.value == otherwise.value);
        if same {
            return then.label;
        }
        let width = then.width;
        let value = if condition.value != 0 { then.value } else { otherwise.value };
        let mut node = Node {
            op: op::ITE,
            width: width as u8,
            depth: 0,
            a: condition.label,
            b: then.label,
            c: otherwise.label,
            value: value as u64,
            constant: 0,
        };
        if node.b == 0 && (node.c == 0 || width > 64) {
            node.b = constant_node(then);
            if node.b == 0 {
                return 0;
            }
        }
        if node.c == 0 && width > 64 {
            node.c = constant_node(otherwise);
            if node.c == 0 {
                return 0;
            }
        }
        node.constant = if width > 64 {
            (value >> 64) as u64
        } else if node.b == 0 {
            then.value as u64
        } else if node.c == 0 {
            otherwise.value as u64
        } else {
            0
        };
        intern(node)
    }
}

/// A byte of the input.
pub unsafe fn input(source: u32, offset: u64, value: u8) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        intern(Node { op: op::INPUT, width: 8, depth: 0, a: source, b: 0, c: 0, value: value as u64, constant: offset })
    }
}

/// What is at an address of a snapshot.
pub unsafe fn load(address: u32, snapshot: u32, width: u32, value: u128) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        let constant = if width > 64 { (value >> 64) as u64 } else { 0 };
        let node = Node {
            op: op::LOAD,
            width: width as u8,
            depth: 0,
            a: address,
            b: snapshot,
            c: 0,
            value: value as u64,
            constant,
        };
        intern(node)
    }
}

/// Called for binary operators and comparisons of up to 64 bits. `what` is the operator, the width of the result in bits 8 to 15
/// and of the operands in bits 16 to 23.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_binary(what: u32, la: u32, lb: u32, a: u64, b: u64, value: u64) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        if la | lb == 0 {
            return 0;
        }
        let (op, width, operands) = (what as u8, what >> 8 & 0xff, what >> 16 & 0xff);
        if matches!(op, op::EQ | op::NE) && (la == 0 || lb == 0) {
            let a = Operand { label: la, width: operands, value: (a & mask64(operands)) as u128 };
            let b = Operand { label: lb, width: operands, value: (b & mask64(operands)) as u128 };
            return binary(op, width, a, b, value as u128);
        }
        let constant = if la == 0 {
            a & mask64(operands)
        } else if lb == 0 {
            b & mask64(operands)
        } else {
            0
        };
        if matches!(op, op::SHL | op::LSHR | op::ASHR) && b & mask64(operands) >= width as u64 {
            // Not defined in C: what the processor did is not what the expression says.
            STATE.lose(cause::OPERATION, crate::layout::NO_SITE, 0);
            return 0;
        }
        let value = value & mask64(width);
        intern(Node { op, width: width as u8, depth: 0, a: la, b: lb, c: 0, value, constant })
    }
}

/// The same for arithmetic that may not overflow and for shifts by what is not constant. `what` has the site in its upper half.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_checked(what: u64, la: u32, lb: u32, a: u64, b: u64, value: u64) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        if STATE.arithmetic {
            return noted(what as u32, (what >> 32) as u32, la, lb, a, b, value);
        }
        byway_sym_binary(what as u32 & 0xff_ffff, la, lb, a, b, value)
    }
}

/// The same, with an event if it can fail.
#[inline(never)]
unsafe fn noted(what: u32, site: u32, la: u32, lb: u32, a: u64, b: u64, value: u64) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        let shifts = matches!(what as u8, op::SHL | op::LSHR | op::ASHR);
        if shifts && lb != 0 {
            let bits = what >> 16 & 0xff;
            events::shift(lb, b & mask64(bits), bits, site);
        }
        let label = byway_sym_binary(what & 0xff_ffff, la, lb, a, b, value);
        if !shifts && label != 0 {
            events::overflow(label, site);
        }
        if what >> 24 != 0 && label != 0 {
            events::shift_base(label, what >> 24 == 1, site);
        }
        label
    }
}

/// The same for operands of up to 128 bits, each in two halves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_wide(
    what: u32,
    la: u32,
    lb: u32,
    a: u64,
    a_high: u64,
    b: u64,
    b_high: u64,
    value: u64,
    value_high: u64,
) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        let (op, width, operands) = (what as u8, what >> 8 & 0xff, what >> 16 & 0xff);
        let join = |low: u64, high: u64| low as u128 | (high as u128) << 64;
        let a = Operand { label: la, ..Operand::constant(join(a, a_high), operands) };
        let b = Operand { label: lb, ..Operand::constant(join(b, b_high), operands) };
        binary(op, width, a, b, join(value, value_high))
    }
}

/// Called for extensions and truncations: `what` as above; and for counts of bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_cast(what: u32, label: u32, value: u64, value_high: u64) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        if label == 0 {
            return 0;
        }
        let (op, width) = (what as u8, what >> 8 & 0xff);
        let operand = Operand::of(label);
        match op {
            op::ZEXT => zero_extend(operand, width).label,
            op::SEXT => sign_extend(operand, width).label,
            op::EXTRACT => extract(operand, what >> 24, width).label,
            _ => count(op, operand, value as u128 | (value_high as u128) << 64),
        }
    }
}

/// Called for a concatenation of up to 128 bits together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_concat(high_label: u32, low_label: u32, high: u64, low: u64, widths: u32) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        let high = Operand { label: high_label, ..Operand::constant(high as u128, widths >> 8) };
        let low = Operand { label: low_label, ..Operand::constant(low as u128, widths & 0xff) };
        concat(high, low).label
    }
}

/// Called for `select`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_ite(
    width: u32,
    condition: u32,
    then: u32,
    otherwise: u32,
    value: u32,
    then_value: u64,
    then_high: u64,
    otherwise_value: u64,
    otherwise_high: u64,
) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        let join = |low: u64, high: u64| low as u128 | (high as u128) << 64;
        let then = Operand { label: then, ..Operand::constant(join(then_value, then_high), width) };
        let otherwise = Operand { label: otherwise, ..Operand::constant(join(otherwise_value, otherwise_high), width) };
        ite(Operand { label: condition, width: 1, value: value as u128 }, then, otherwise)
    }
}
