//! Only for tests: a program that notes which store each of its loads reads from.
//!
//! The module is that of [`crate::program_instructions`], and stores and loads have the numbers that they have there, counted through all
//! functions. It calls `last_writer_store` and `last_writer_load` with an address, a size and a number, and `last_writer_forget` where a
//! local variable comes to life; whoever links it brings these.

use byway_llvm::Llvm;
use byway_llvm::inkwell::module::Module;
use byway_llvm::inspect;
use byway_llvm::ir::{Block, Code, Opcode, Value};
use byway_program::Subject;

use crate::canonical::{CanonicalError, shaped};
use crate::instructions::is_silent;

/// Makes the program.
pub fn last_writers<'llvm>(llvm: &'llvm Llvm, subject: &Subject) -> Result<Module<'llvm>, CanonicalError> {
    let module = shaped(llvm, subject)?;
    let functions: Vec<Value<'_>> = inspect::defined_functions(&module).map(Value::of_function).collect();
    let instructions: Vec<Value<'_>> = functions
        .into_iter()
        .flat_map(|function| function.blocks())
        .flat_map(Block::instructions)
        .filter(|&instruction| !is_silent(instruction))
        .collect();
    let code = Code::new(&module);
    for (&instruction, number) in instructions.iter().zip(0..) {
        note(&code, instruction, number);
    }
    drop(code);
    llvm.verify(&module)?;
    Ok(module)
}

fn note<'ctx>(code: &Code<'ctx>, instruction: Value<'ctx>, number: u64) {
    let (large, void) = (code.integer(64), code.void());
    let call = |name: &str, arguments: &[Value<'ctx>]| {
        let parameters: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        code.call(code.function(name, void, &parameters), arguments);
    };
    let number = large.constant(number);
    match instruction.opcode() {
        Some(Opcode::LLVMLoad) => {
            code.before(instruction);
            let size = large.constant(code.store_size_of(instruction.ty()));
            call("last_writer_load", &[instruction.operand(0), size, number]);
        }
        Some(Opcode::LLVMStore) => {
            code.before(instruction);
            let size = large.constant(code.store_size_of(instruction.operand(0).ty()));
            call("last_writer_store", &[instruction.operand(1), size, number]);
        }
        Some(Opcode::LLVMAlloca) => {
            let (Some(next), Some(count)) = (instruction.next(), instruction.operand(0).integer()) else { return };
            code.before(next);
            let size = large.constant(code.size_of(instruction.allocated_type()) * count);
            call("last_writer_forget", &[instruction, size]);
        }
        _ => {}
    }
}
