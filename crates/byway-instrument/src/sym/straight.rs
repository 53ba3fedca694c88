//! Which functions take no branch that depends on the input: behind a call of one, the path is in the same part as before.

use std::collections::{HashMap, HashSet};

use byway_canonical::site_kind;
use byway_llvm::ir::{Opcode, Value};
use byway_map::SiteKind;

use super::calls;

/// Finds them: no condition of theirs can be symbolic, and they call only each other.
pub fn find<'ctx>(functions: &[Value<'ctx>], symbolic: &HashSet<Value<'ctx>>) -> HashSet<Value<'ctx>> {
    let mut straight: HashMap<Value<'ctx>, Vec<Value<'ctx>>> =
        functions.iter().filter_map(|&function| Some((function, callees(function, symbolic)?))).collect();
    loop {
        let known: HashSet<Value<'ctx>> = straight.keys().copied().collect();
        straight.retain(|_, callees| callees.iter().all(|callee| known.contains(callee)));
        if straight.len() == known.len() {
            return known;
        }
    }
}

/// What a function calls; nothing if it takes such a branch itself, or calls who knows whom.
fn callees<'ctx>(function: Value<'ctx>, symbolic: &HashSet<Value<'ctx>>) -> Option<Vec<Value<'ctx>>> {
    let mut callees = Vec::new();
    for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if decides(instruction, symbolic) {
            return None;
        }
        if calls::may_branch(instruction, &HashSet::new()) {
            callees.push(Some(instruction.callee()).filter(|callee| callee.is_function())?);
        }
    }
    Some(callees)
}

/// Whether an instruction chooses, by what may depend on the input, how the path goes on.
fn decides<'ctx>(instruction: Value<'ctx>, symbolic: &HashSet<Value<'ctx>>) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMBr) => {
            instruction.block().successors().len() > 1 && symbolic.contains(&instruction.operand(0))
        }
        Some(Opcode::LLVMSwitch) => symbolic.contains(&instruction.operand(0)),
        Some(Opcode::LLVMSelect) => site_kind(instruction.instruction()) == Some(SiteKind::Select),
        Some(Opcode::LLVMIndirectBr | Opcode::LLVMInvoke | Opcode::LLVMCallBr) => true,
        _ => false,
    }
}
