//! Operations that can fail although nobody uses their result.
//!
//! `int unused = a / b;` traps if `b` is 0, but LLVM takes a division whose result is not used for one that does nothing. A
//! mark, a call that takes the result, keeps such an operation while the module is cleaned.

use byway_llvm::inkwell::builder::BuilderError;
use byway_llvm::inkwell::module::Module;
use byway_llvm::inkwell::types::IntType;
use byway_llvm::inkwell::values::{BasicValue, FunctionValue, InstructionOpcode, InstructionValue, IntValue};
use byway_llvm::{inspect, rewrite};

use byway_map::SiteKind;

use crate::site::site_kind;

/// What the functions that marks call begin with; no program has such a name.
const MARK: &str = "byway.kept.";

/// Marks the operations of a module that might be taken for unused. Those of vectors have no mark, since these are taken apart.
pub fn mark(module: &Module<'_>) -> Result<(), BuilderError> {
    let context = module.get_context();
    let builder = context.create_builder();
    let functions: Vec<FunctionValue<'_>> = inspect::defined_functions(module).collect();
    for block in functions.into_iter().flat_map(|function| function.get_basic_blocks()) {
        for operation in block.get_instructions().filter(|operation| is_lost(*operation)).collect::<Vec<_>>() {
            if let (Ok(value), Some(next)) = (IntValue::try_from(operation), operation.get_next_instruction()) {
                builder.position_before(&next);
                builder.build_call(marking(module, value.get_type()), &[value.into()], "")?;
            }
        }
    }
    Ok(())
}

/// Takes the marks away.
pub fn unmark(module: &mut Module<'_>) {
    rewrite::remove_calls(module, MARK);
}

/// Whether an operation can fail and its result, if anything, is only put into local variables.
fn is_lost(operation: InstructionValue<'_>) -> bool {
    let can_fail = match site_kind(operation) {
        Some(SiteKind::Division | SiteKind::Shift) => !inspect::is_constant_operand(operation, 1),
        Some(SiteKind::SignedArithmetic) => true,
        _ => false,
    };
    let mut use_ = can_fail.then(|| operation.get_first_use()).flatten();
    while let Some(this) = use_ {
        let user = InstructionValue::try_from(this.get_user());
        if !user.is_ok_and(|user| user.get_opcode() == InstructionOpcode::Store && is_local(user, 1)) {
            return false;
        }
        use_ = this.get_next_use();
    }
    can_fail
}

/// Whether an operand is a local variable itself.
fn is_local(instruction: InstructionValue<'_>, operand: u32) -> bool {
    let operand = instruction.get_operand(operand).and_then(|operand| operand.value());
    operand
        .and_then(|operand| operand.as_instruction_value())
        .is_some_and(|made| made.get_opcode() == InstructionOpcode::Alloca)
}

/// The function that a mark of such a value calls.
fn marking<'a>(module: &'a Module<'_>, taken: IntType<'a>) -> FunctionValue<'a> {
    let name = format!("{MARK}{}", taken.print_to_string());
    rewrite::declared(module, &name, module.get_context().void_type().fn_type(&[taken.into()], false))
}
