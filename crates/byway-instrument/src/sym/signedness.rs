//! Whether what is shifted to the left is a signed number. The instruction does not say, but others that use the same number do.

use byway_llvm::inspect;
use byway_llvm::ir::{IntPredicate, Opcode, Value};

/// How many values are looked at.
const LOOKS: usize = 64;

/// What is known of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signedness {
    /// It is used as an unsigned number only.
    Unsigned,
    /// Nothing says so, or it is used as both.
    Unknown,
    /// It is used as a signed number only.
    Signed,
}

/// What the number is that an instruction computes, as far as others of its function say.
pub fn signedness(number: Value<'_>) -> Signedness {
    let mut class = vec![number];
    let (mut is_signed, mut is_unsigned) = (false, false);
    let mut next = 0;
    while next < class.len() && next < LOOKS {
        let value = class[next];
        next += 1;
        let (signed, unsigned) = evidence(value);
        is_signed |= signed;
        is_unsigned |= unsigned;
        let users = value.users().into_iter().filter(|user| is_transparent(*user) && user.ty() == value.ty());
        let operands = value.operands().filter(|operand| is_transparent(value) && operand.ty() == value.ty());
        let others: Vec<Value<'_>> = users.chain(operands).filter(|other| other.opcode().is_some()).collect();
        for other in others {
            if !class.contains(&other) {
                class.push(other);
            }
        }
    }
    match (is_signed, is_unsigned) {
        (true, false) => Signedness::Signed,
        (false, true) => Signedness::Unsigned,
        _ => Signedness::Unknown,
    }
}

/// Whether operands and result are numbers of the same kind, and nothing says of which.
fn is_transparent(instruction: Value<'_>) -> bool {
    use Opcode::{LLVMAnd, LLVMFreeze, LLVMOr, LLVMPHI, LLVMSelect, LLVMShl, LLVMXor};
    matches!(instruction.opcode(), Some(LLVMAnd | LLVMOr | LLVMXor | LLVMPHI | LLVMSelect | LLVMShl | LLVMFreeze))
}

/// Whether a value is made or used as a signed number, and as an unsigned one.
fn evidence(value: Value<'_>) -> (bool, bool) {
    let (mut signed, mut unsigned) = made_as(value);
    for user in value.users() {
        let used = used_as(user, value);
        signed |= used.0;
        unsigned |= used.1;
    }
    (signed, unsigned)
}

fn made_as(value: Value<'_>) -> (bool, bool) {
    use Opcode::{LLVMAShr, LLVMLShr, LLVMSDiv, LLVMSExt, LLVMSRem, LLVMUDiv, LLVMURem};
    match value.opcode() {
        Some(LLVMSExt | LLVMSDiv | LLVMSRem | LLVMAShr) => (true, false),
        Some(LLVMUDiv | LLVMURem | LLVMLShr) => (false, true),
        _ => arithmetic(value),
    }
}

/// Arithmetic of signed numbers may not overflow.
fn arithmetic(value: Value<'_>) -> (bool, bool) {
    match value.opcode() {
        Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul) => {
            let is_signed = inspect::no_signed_wrap(value.instruction());
            (is_signed, !is_signed)
        }
        _ => (false, false),
    }
}

fn used_as(user: Value<'_>, value: Value<'_>) -> (bool, bool) {
    use Opcode::{
        LLVMAShr, LLVMLShr, LLVMSDiv, LLVMSExt, LLVMSIToFP, LLVMSRem, LLVMUDiv, LLVMUIToFP, LLVMURem, LLVMZExt,
    };
    let is_first = user.operands().next() == Some(value);
    match user.opcode() {
        Some(LLVMSExt | LLVMSDiv | LLVMSRem | LLVMSIToFP) => (true, false),
        Some(LLVMZExt | LLVMUDiv | LLVMURem | LLVMUIToFP) => (false, true),
        Some(LLVMAShr) => (is_first, false),
        Some(LLVMLShr) => (false, is_first),
        Some(Opcode::LLVMICmp) => compared_as(user.predicate()),
        _ => arithmetic(user),
    }
}

fn compared_as(predicate: IntPredicate) -> (bool, bool) {
    use IntPredicate::{LLVMIntEQ, LLVMIntNE, LLVMIntSGE, LLVMIntSGT, LLVMIntSLE, LLVMIntSLT};
    let is_signed = matches!(predicate, LLVMIntSGE | LLVMIntSGT | LLVMIntSLE | LLVMIntSLT);
    (is_signed, !is_signed && !matches!(predicate, LLVMIntEQ | LLVMIntNE))
}
