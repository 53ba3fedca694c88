//! Functions of LLVM's that are expressed by several operators: minima, saturating and overflowing arithmetic, rotations.

use crate::layout::op;
use crate::nodes::{Operand, binary, concat, extract, ite, mask, sign_extend, zero_extend};
use crate::state::STATE;

/// Called for functions of LLVM's. `what`: which, whether it is the overflow of the result, and the width of the operands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_intrinsic(
    what: u32,
    la: u32,
    lb: u32,
    lc: u32,
    a: u64,
    b: u64,
    c: u64,
    value: u64,
) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        if la | lb | lc == 0 || !STATE.active {
            return 0;
        }
        let (function, part, width) = (what & 0xff, what >> 8 & 0xff, what >> 16 & 0xff);
        let a = Operand { label: la, ..Operand::constant(a as u128, width) };
        let b = Operand { label: lb, ..Operand::constant(b as u128, width) };
        let c = Operand { label: lc, ..Operand::constant(c as u128, width) };
        let value = value as u128;
        let result = match function {
            1 => swap(a),
            2 => funnel(a, b, c, true),
            3 => funnel(a, b, c, false),
            4 => choose(op::SLT, b, a, a, b),
            5 => choose(op::SLT, a, b, a, b),
            6 => choose(op::ULT, b, a, a, b),
            7 => choose(op::ULT, a, b, a, b),
            8 => absolute(a),
            9..=12 => saturate(function, a, b),
            _ => return overflowing(function, part, a, b, value),
        };
        if result.value == value & mask(width) { result.label } else { 0 }
    }
}

unsafe fn compute(op: u8, a: Operand, b: Operand) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let width = a.width;
        let signed = |operand: Operand| (operand.value << (128 - width)) as i128 >> (128 - width);
        let (value, bits) = match op {
            op::ADD => (a.value.wrapping_add(b.value), width),
            op::SUB => (a.value.wrapping_sub(b.value), width),
            op::MUL => (a.value.wrapping_mul(b.value), width),
            op::SHL => (if b.value < width as u128 { a.value << b.value as u32 } else { 0 }, width),
            op::LSHR => (if b.value < width as u128 { a.value >> b.value as u32 } else { 0 }, width),
            op::AND => (a.value & b.value, width),
            op::NE => ((a.value != b.value) as u128, 1),
            op::ULT => ((a.value < b.value) as u128, 1),
            _ => ((signed(a) < signed(b)) as u128, 1),
        };
        let value = value & mask(bits);
        Operand { label: binary(op, bits, a, b, value), width: bits, value }
    }
}

unsafe fn conditional(condition: Operand, then: Operand, otherwise: Operand) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let chosen = if condition.value != 0 { then } else { otherwise };
        Operand { label: ite(condition, then, otherwise), ..chosen }
    }
}

/// `then` if `a < b`, by `op`.
unsafe fn choose(op: u8, a: Operand, b: Operand, then: Operand, otherwise: Operand) -> Operand {
    // SAFETY: as for `intern`.
    unsafe { conditional(compute(op, a, b), then, otherwise) }
}

unsafe fn absolute(a: Operand) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let zero = Operand::constant(0, a.width);
        choose(op::SLT, a, zero, compute(op::SUB, zero, a), a)
    }
}

unsafe fn swap(a: Operand) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let mut result = extract(a, 0, 8);
        let mut low = 8;
        while low < a.width {
            result = concat(result, extract(a, low, 8));
            low += 8;
        }
        result
    }
}

/// The upper (or lower) half of two numbers side by side, shifted.
unsafe fn funnel(high: Operand, low: Operand, distance: Operand, left: bool) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let width = high.width;
        // The distance is taken modulo the width, which is a power of two in all types of C.
        let within = compute(op::AND, distance, Operand::constant(width as u128 - 1, width));
        let distance = zero_extend(within, 2 * width);
        let both = concat(high, low);
        if left {
            extract(compute(op::SHL, both, distance), width, width)
        } else {
            extract(compute(op::LSHR, both, distance), 0, width)
        }
    }
}

/// The exact result in one bit more (or twice as many), and whether it fits.
unsafe fn exact(function: u32, a: Operand, b: Operand) -> (Operand, Operand) {
    // SAFETY: as for `intern`.
    unsafe {
        let signed = function % 2 == 1;
        let operator = match function {
            9 | 10 | 13 | 14 => op::ADD,
            11 | 12 | 15 | 16 => op::SUB,
            _ => op::MUL,
        };
        let wide = if operator == op::MUL { 2 * a.width } else { a.width + 1 };
        let extend = |operand| if signed { sign_extend(operand, wide) } else { zero_extend(operand, wide) };
        let full = compute(operator, extend(a), extend(b));
        let part = extract(full, 0, a.width);
        (full, compute(op::NE, extend(part), full))
    }
}

unsafe fn overflowing(function: u32, part: u32, a: Operand, b: Operand, value: u128) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        let (full, overflows) = exact(function, a, b);
        let result = if part == 1 { overflows } else { extract(full, 0, a.width) };
        if result.value == value & mask(result.width) { result.label } else { 0 }
    }
}

unsafe fn saturate(function: u32, a: Operand, b: Operand) -> Operand {
    // SAFETY: as for `intern`.
    unsafe {
        let (full, overflows) = exact(function, a, b);
        let (width, part) = (a.width, extract(full, 0, a.width));
        let (largest, smallest) = (mask(width - 1), 1u128 << (width - 1));
        let limit = match function {
            10 => Operand::constant(mask(width), width),
            12 => Operand::constant(0, width),
            _ => choose(
                op::SLT,
                full,
                Operand::constant(0, full.width),
                Operand::constant(smallest, width),
                Operand::constant(largest, width),
            ),
        };
        conditional(overflows, limit, part)
    }
}
