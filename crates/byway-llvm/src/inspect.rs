//! What LLVM's C interface says of a module beyond what inkwell does.

use std::ffi::c_char;
use std::path::{Path, PathBuf};
use std::slice;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::{
    LLVMConstIntGetZExtValue, LLVMGetCalledFunctionType, LLVMGetCalledValue, LLVMGetDebugLocColumn,
    LLVMGetDebugLocDirectory, LLVMGetDebugLocFilename, LLVMGetDebugLocLine, LLVMGetFirstGlobalAlias,
    LLVMGetFirstGlobalIFunc, LLVMGetIntTypeWidth, LLVMGetModuleInlineAsm, LLVMGetNSW, LLVMGetNextGlobalAlias,
    LLVMGetNextGlobalIFunc, LLVMGetNumOperands, LLVMGetNumSuccessors, LLVMGetOperand, LLVMGetSuccessor,
    LLVMIsAFunction, LLVMIsAGlobalVariable, LLVMIsAInlineAsm, LLVMIsConstant, LLVMTypeOf,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetDirectory, LLVMDIFileGetFilename, LLVMDIScopeGetFile, LLVMDISubprogramGetLine, LLVMGetSubprogram,
};
use inkwell::module::Module;
use inkwell::types::FunctionType;
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue, InstructionOpcode, InstructionValue};

use crate::ir::Value;

/// A place in a source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file, absolute unless the build hid its directory.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// Where an instruction comes from, if that is known.
pub fn location(instruction: InstructionValue<'_>) -> Option<Location> {
    let value = instruction.as_value_ref();
    // SAFETY: `value` is a live instruction; the strings belong to its metadata and are copied at once.
    unsafe {
        let line = LLVMGetDebugLocLine(value);
        let file =
            path(|length| LLVMGetDebugLocDirectory(value, length), |length| LLVMGetDebugLocFilename(value, length))?;
        (line != 0).then(|| Location { file, line, column: LLVMGetDebugLocColumn(value) })
    }
}

/// Where a function is defined, if that is known.
pub fn definition(function: FunctionValue<'_>) -> Option<Location> {
    // SAFETY: `function` is live; a subprogram is a scope; the strings belong to its metadata and are copied at once.
    unsafe {
        let subprogram = LLVMGetSubprogram(function.as_value_ref());
        if subprogram.is_null() {
            return None;
        }
        let file = LLVMDIScopeGetFile(subprogram);
        if file.is_null() {
            return None;
        }
        let file = path(|length| LLVMDIFileGetDirectory(file, length), |length| LLVMDIFileGetFilename(file, length))?;
        Some(Location { file, line: LLVMDISubprogramGetLine(subprogram), column: 0 })
    }
}

/// The path of a file whose directory and name LLVM gives as a text with its length.
///
/// # Safety
/// Each function returns null or points to as many bytes as it says, which live until the path is made.
pub(crate) unsafe fn path(
    directory: impl Fn(&mut u32) -> *const c_char,
    name: impl Fn(&mut u32) -> *const c_char,
) -> Option<PathBuf> {
    let (mut directory_length, mut name_length) = (0, 0);
    let (directory, name) = (directory(&mut directory_length), name(&mut name_length));
    // SAFETY: promised by the caller.
    unsafe { Some(Path::new(text(directory, directory_length).unwrap_or_default()).join(text(name, name_length)?)) }
}

/// # Safety
/// `data` is null or points to `length` bytes that live for `'a`.
pub(crate) unsafe fn text<'a>(data: *const c_char, length: u32) -> Option<&'a str> {
    if data.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    let bytes = unsafe { slice::from_raw_parts(data.cast::<u8>(), length as usize) };
    std::str::from_utf8(bytes).ok()
}

/// Where a block's terminator can go, in its order, with repetitions.
pub fn successors<'ctx>(terminator: InstructionValue<'ctx>) -> Vec<BasicBlock<'ctx>> {
    let value = terminator.as_value_ref();
    // SAFETY: `value` is a live terminator, and the indices are below its number of successors.
    unsafe {
        let count = LLVMGetNumSuccessors(value);
        (0..count).filter_map(|index| BasicBlock::new(LLVMGetSuccessor(value, index))).collect()
    }
}

/// Whether a branch or switch depends on a value that is not a constant.
pub fn depends_on_value(terminator: InstructionValue<'_>) -> bool {
    let conditional = match terminator.get_opcode() {
        InstructionOpcode::Br => terminator.is_conditional().unwrap_or(false),
        InstructionOpcode::Switch => true,
        _ => false,
    };
    // The first operand of either is its condition.
    conditional && !is_constant_operand(terminator, 0)
}

/// Whether an instruction chooses, by a condition of one bit that is not a constant, between two values that are no integers.
pub fn selects_no_number(select: InstructionValue<'_>) -> bool {
    let condition = select.get_operand(0).and_then(|condition| condition.value());
    let is_bit = condition.is_some_and(|condition| condition.is_int_value());
    is_bit && !is_constant_operand(select, 0) && !select.get_type().is_int_type()
}

/// The function a call or invoke calls, if it names one.
pub fn callee<'ctx>(call: InstructionValue<'ctx>) -> Option<FunctionValue<'ctx>> {
    if !matches!(call.get_opcode(), InstructionOpcode::Call | InstructionOpcode::Invoke | InstructionOpcode::CallBr) {
        return None;
    }
    // SAFETY: `call` is a call, so it has a called value; only a function becomes a `FunctionValue`.
    unsafe { FunctionValue::new(LLVMIsAFunction(LLVMGetCalledValue(call.as_value_ref()))) }
}

/// The same, also if it calls the function by another name of it.
pub fn aliased_callee<'ctx>(call: InstructionValue<'ctx>) -> Option<FunctionValue<'ctx>> {
    let call = Value::of_instruction(call);
    call.is_call().then(|| call.callee().without_aliases().function()).flatten()
}

/// The type of the function that a call calls, as the call has it.
pub fn called_type<'ctx>(call: InstructionValue<'ctx>) -> Option<FunctionType<'ctx>> {
    if !Value::of_instruction(call).is_call() {
        return None;
    }
    // SAFETY: `call` is a call, whose callee has the type of a function.
    Some(unsafe { FunctionType::new(LLVMGetCalledFunctionType(call.as_value_ref())) })
}

/// The functions whose addresses are arguments of a call, by any of their names.
pub fn passed_functions<'ctx>(call: InstructionValue<'ctx>) -> Vec<FunctionValue<'ctx>> {
    let call = Value::of_instruction(call);
    let arguments = if call.is_call() { call.arguments() } else { Vec::new() };
    arguments.into_iter().filter_map(|argument| argument.without_aliases().function()).collect()
}

/// Whether anything is done with a function, or with another name of it, but to call it.
pub fn is_address_taken(function: FunctionValue<'_>) -> bool {
    is_taken(Value::of_function(function))
}

fn is_taken(value: Value<'_>) -> bool {
    value.users().into_iter().any(|user| match user {
        call if call.is_call() => call.arguments().contains(&value),
        alias if alias.is_alias() => is_taken(alias),
        // The address of a label in it, or a function that it handles the exceptions of.
        other => !other.is_block_address() && !other.is_function(),
    })
}

/// The values of the cases of a switch on at most 64 bits, in the order of its successors, the first of which is the default.
pub fn cases(switch: InstructionValue<'_>) -> Option<Vec<u64>> {
    if switch.get_opcode() != InstructionOpcode::Switch {
        return None;
    }
    let value = switch.as_value_ref();
    // SAFETY: the operands of a switch are its value, the default, and for each case its constant and where it goes.
    unsafe {
        if LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) > 64 {
            return None;
        }
        let constants = (2..LLVMGetNumOperands(value) as u32).step_by(2);
        Some(constants.map(|index| LLVMConstIntGetZExtValue(LLVMGetOperand(value, index))).collect())
    }
}

/// Whether integer arithmetic may not overflow as signed numbers.
pub fn no_signed_wrap(arithmetic: InstructionValue<'_>) -> bool {
    let wraps = [InstructionOpcode::Add, InstructionOpcode::Sub, InstructionOpcode::Mul];
    // SAFETY: additions, subtractions and multiplications of integers have the flag.
    wraps.contains(&arithmetic.get_opcode()) && unsafe { LLVMGetNSW(arithmetic.as_value_ref()) != 0 }
}

/// Whether an operand is a constant.
pub fn is_constant_operand(instruction: InstructionValue<'_>, index: u32) -> bool {
    let operand = instruction.get_operand(index).and_then(|operand| operand.value());
    // SAFETY: an operand is a live value.
    operand.is_some_and(|value| unsafe { LLVMIsConstant(value.as_value_ref()) != 0 })
}

/// Whether a function has an attribute of LLVM's own, such as `naked`.
pub fn has_attribute(function: FunctionValue<'_>, name: &str) -> bool {
    let kind = Attribute::get_named_enum_kind_id(name);
    function.get_enum_attribute(AttributeLoc::Function, kind).is_some()
}

/// The functions of a module that have a body, in order.
pub fn defined_functions<'ctx>(module: &Module<'ctx>) -> impl Iterator<Item = FunctionValue<'ctx>> + use<'ctx> {
    module.get_functions().filter(|function| function.count_basic_blocks() > 0)
}

/// Everything that a module defines: functions, variables, aliases and indirect functions.
pub fn definitions<'ctx>(module: &Module<'ctx>) -> Vec<GlobalValue<'ctx>> {
    let functions = defined_functions(module);
    let variables = module.get_globals().filter(|variable| variable.get_initializer().is_some());
    let mut definitions: Vec<GlobalValue<'ctx>> = functions.map(FunctionValue::as_global_value).collect();
    definitions.extend(variables);
    // SAFETY: both lists are walked with their own functions, and all their members are global values.
    unsafe {
        let mut alias = LLVMGetFirstGlobalAlias(module.as_mut_ptr());
        while !alias.is_null() {
            definitions.push(GlobalValue::new(alias));
            alias = LLVMGetNextGlobalAlias(alias);
        }
        let mut indirect = LLVMGetFirstGlobalIFunc(module.as_mut_ptr());
        while !indirect.is_null() {
            definitions.push(GlobalValue::new(indirect));
            indirect = LLVMGetNextGlobalIFunc(indirect);
        }
    }
    definitions
}

/// The assembly at the module's top level.
pub fn assembly(module: &Module<'_>) -> String {
    let mut length = 0;
    // SAFETY: the text belongs to the live module and is copied at once.
    unsafe {
        let data = LLVMGetModuleInlineAsm(module.as_mut_ptr(), &mut length);
        if data.is_null() {
            return String::new();
        }
        String::from_utf8_lossy(slice::from_raw_parts(data.cast::<u8>(), length)).into_owned()
    }
}

/// Whether a definition has a body or a value of its own, unlike an alias.
pub fn is_function_or_variable(definition: GlobalValue<'_>) -> bool {
    let value = definition.as_value_ref();
    // SAFETY: `value` is a live global value.
    unsafe { !LLVMIsAFunction(value).is_null() || !LLVMIsAGlobalVariable(value).is_null() }
}

/// Whether a call is a piece of assembly.
pub fn is_inline_assembly(call: InstructionValue<'_>) -> bool {
    // SAFETY: called for calls only, which have a called value.
    unsafe { !LLVMIsAInlineAsm(LLVMGetCalledValue(call.as_value_ref())).is_null() }
}
