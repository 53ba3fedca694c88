//! Which instructions are sites.

use byway_llvm::inkwell::values::{InstructionOpcode, InstructionValue};
use byway_llvm::inspect;
use byway_map::SiteKind;

/// The kind of site an instruction is, if it is one.
pub fn site_kind(instruction: InstructionValue<'_>) -> Option<SiteKind> {
    use InstructionOpcode as Op;
    match instruction.get_opcode() {
        Op::Br if inspect::depends_on_value(instruction) => Some(SiteKind::Branch),
        Op::Switch if inspect::depends_on_value(instruction) => Some(SiteKind::Switch),
        Op::IndirectBr => Some(SiteKind::IndirectBranch),
        Op::Select => inspect::selects_no_number(instruction).then_some(SiteKind::Select),
        Op::Load => Some(SiteKind::Load),
        Op::Store | Op::AtomicRMW | Op::AtomicCmpXchg => Some(SiteKind::Store),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => Some(SiteKind::Division),
        Op::Shl => Some(SiteKind::Shift),
        Op::LShr | Op::AShr => (!inspect::is_constant_operand(instruction, 1)).then_some(SiteKind::Shift),
        Op::Add | Op::Sub | Op::Mul => inspect::no_signed_wrap(instruction).then_some(SiteKind::SignedArithmetic),
        Op::Alloca => (!inspect::is_constant_operand(instruction, 0)).then_some(SiteKind::StackAllocation),
        Op::Call | Op::Invoke | Op::CallBr => of_call(instruction),
        _ => None,
    }
}

fn of_call(call: InstructionValue<'_>) -> Option<SiteKind> {
    if inspect::is_inline_assembly(call) {
        return None;
    }
    let Some(callee) = inspect::callee(call) else {
        return Some(SiteKind::IndirectCall);
    };
    let name = callee.get_name().to_string_lossy();
    let transfers = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."];
    if transfers.iter().any(|prefix| name.starts_with(prefix)) {
        Some(SiteKind::MemoryTransfer)
    } else if name.starts_with("llvm.") {
        None
    } else {
        Some(SiteKind::Call)
    }
}
