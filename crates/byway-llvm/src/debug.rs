//! What debug information says of variables.

use std::collections::HashMap;
use std::ffi::CStr;

use inkwell::llvm_sys::core::{
    LLVMDisposeValueMetadataEntries, LLVMGetMDKindIDInContext, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands,
    LLVMGetMDString, LLVMGetModuleContext, LLVMGlobalCopyAllMetadata, LLVMIsAAllocaInst, LLVMSetIsNewDbgInfoFormat,
    LLVMValueMetadataEntriesGetKind, LLVMValueMetadataEntriesGetMetadata,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetDirectory, LLVMDIFileGetFilename, LLVMDIGlobalVariableExpressionGetVariable, LLVMDIVariableGetFile,
    LLVMDIVariableGetLine,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue};

use crate::inspect::{self, Location};
use crate::ir::Value;

/// Has a module say what debug information says of its local variables by calls, which [`local_names`] reads.
pub fn declare_by_calls(module: &Module<'_>) {
    // SAFETY: the module is live; the conversion keeps all instructions but adds calls of `llvm.dbg.*`.
    unsafe { LLVMSetIsNewDbgInfoFormat(module.as_mut_ptr(), 0) };
}

/// The names of the local variables of a function that have a place in memory. The module declares by calls.
pub fn local_names<'ctx>(function: FunctionValue<'ctx>) -> HashMap<Value<'ctx>, String> {
    let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
    let declarations = instructions.filter(|&instruction| {
        inspect::callee(instruction).is_some_and(|callee| callee.get_name().to_bytes() == b"llvm.dbg.declare")
    });
    let mut names = HashMap::new();
    for declaration in declarations {
        let declaration = Value::of_instruction(declaration);
        // SAFETY: the operands of a declaration are an address and a variable, as metadata. The second operand of a
        // variable's node is its name.
        let (address, name) = unsafe {
            let address = operands(declaration.operand(0).raw()).first().copied();
            (address, operands(declaration.operand(1).raw()).get(1).and_then(|&name| string(name)))
        };
        let (Some(address), Some(name)) = (address.filter(|address| !address.is_null()), name) else { continue };
        // SAFETY: `address` is a live value.
        if unsafe { !LLVMIsAAllocaInst(address).is_null() } {
            names.insert(Value::of_raw(address), name);
        }
    }
    names
}

/// The operands of a node of metadata; those that are absent are null.
///
/// # Safety
/// `node` is live metadata as a value.
unsafe fn operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: promised by the caller; the vector has room for as many operands as there are.
    unsafe {
        let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        operands
    }
}

/// # Safety
/// `value` is null or live metadata as a value.
unsafe fn string(value: LLVMValueRef) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let mut length = 0;
    // SAFETY: promised by the caller; the text is copied at once.
    unsafe {
        let text = LLVMGetMDString(value, &mut length);
        inspect::text(text, length).map(str::to_owned)
    }
}

/// Where a global variable is defined, if that is known.
pub fn global_position(variable: GlobalValue<'_>, module: &Module<'_>) -> Option<Location> {
    // SAFETY: the variable is live; its entries are disposed of after their last use; an entry of the kind `dbg` is what a
    // variable's debug information is attached as; strings are copied at once.
    unsafe {
        let kind = c"dbg";
        let kind = LLVMGetMDKindIDInContext(
            LLVMGetModuleContext(module.as_mut_ptr()),
            CStr::as_ptr(kind),
            kind.to_bytes().len() as u32,
        );
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(variable.as_value_ref(), &mut count);
        let found = (0..count as u32)
            .find(|&index| LLVMValueMetadataEntriesGetKind(entries, index) == kind)
            .map(|index| LLVMValueMetadataEntriesGetMetadata(entries, index));
        LLVMDisposeValueMetadataEntries(entries);
        let variable = LLVMDIGlobalVariableExpressionGetVariable(found?);
        let file = LLVMDIVariableGetFile(variable);
        if file.is_null() {
            return None;
        }
        let path =
            inspect::path(|length| LLVMDIFileGetDirectory(file, length), |length| LLVMDIFileGetFilename(file, length))?;
        Some(Location { file: path, line: LLVMDIVariableGetLine(variable), column: 0 })
    }
}
