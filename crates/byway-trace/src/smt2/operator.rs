//! Operators, as SMT-LIB writes them.

use crate::evaluate::mask;
use crate::layout::op;

/// A constant.
pub fn literal(value: u128, width: u32) -> String {
    let value = value & mask(width);
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

/// The operators that are a function of SMT-LIB.
pub fn function(operator: u8) -> Option<&'static str> {
    Some(match operator {
        op::ADD => "bvadd",
        op::SUB => "bvsub",
        op::MUL => "bvmul",
        op::UDIV => "bvudiv",
        op::SDIV => "bvsdiv",
        op::UREM => "bvurem",
        op::SREM => "bvsrem",
        op::SHL => "bvshl",
        op::LSHR => "bvlshr",
        op::ASHR => "bvashr",
        op::AND => "bvand",
        op::OR => "bvor",
        op::XOR => "bvxor",
        op::CONCAT => "concat",
        _ => return None,
    })
}

/// The comparisons, which give a truth value and not a bit.
pub fn predicate(operator: u8) -> &'static str {
    match operator {
        op::EQ => "=",
        op::NE => "distinct",
        op::ULT => "bvult",
        op::ULE => "bvule",
        op::SLT => "bvslt",
        _ => "bvsle",
    }
}

/// The sum of all bits.
pub fn count_ones(term: &str, width: u32) -> String {
    if width == 1 {
        return term.to_owned();
    }
    let bit = |index: u32| format!("((_ zero_extend {}) ((_ extract {index} {index}) {term}))", width - 1);
    let bits: Vec<String> = (0..width).map(bit).collect();
    format!("(bvadd {})", bits.join(" "))
}

/// How many bits are 0 before the first that is not.
pub fn first_set(term: &str, width: u32, order: impl Iterator<Item = u32>) -> String {
    let mut text = String::new();
    for (count, index) in order.enumerate() {
        let count = literal(count as u128, width);
        text += &format!("(ite (= ((_ extract {index} {index}) {term}) #b1) {count} ");
    }
    text += &literal(width.into(), width);
    text + &")".repeat(width as usize)
}
