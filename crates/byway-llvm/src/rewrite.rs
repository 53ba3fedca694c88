//! What rewriting a module needs beyond inkwell's safe interface.

use std::ffi::CString;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::llvm_sys::core::{LLVMAddFunction, LLVMSetModuleInlineAsm2};
use inkwell::module::{Linkage, Module};
use inkwell::types::{AsTypeRef, FunctionType, IntType};
use inkwell::values::{BasicValue, FunctionValue, GlobalValue, PointerValue};
use inkwell::{AddressSpace, GlobalVisibility};

use crate::{Llvm, LlvmError, inspect};

/// The address of element `index` of a global array of `i64`, as a constant.
pub fn element_address<'ctx>(array: GlobalValue<'ctx>, i64_type: IntType<'ctx>, index: u64) -> PointerValue<'ctx> {
    let index = i64_type.const_int(index, false);
    // SAFETY: one index of a first-class type makes a valid constant expression; it need not be in bounds.
    unsafe { array.as_pointer_value().const_gep(i64_type, &[index]) }
}

/// Makes the function of this name, which takes and returns nothing, the first constructor of the module.
pub fn add_constructor<'llvm>(llvm: &'llvm Llvm, module: &mut Module<'llvm>, name: &str) -> Result<(), LlvmError> {
    let function = module.get_function(name).ok_or_else(|| LlvmError::Transform { message: format!("no {name}") })?;
    function.set_linkage(Linkage::External);
    function.as_global_value().set_visibility(GlobalVisibility::Hidden);

    // Linking a module with a constructor appends to the list that is already there.
    let context = llvm.context();
    let appended = context.create_module("constructor");
    appended.set_triple(&module.get_triple());
    appended.set_data_layout(&module.get_data_layout());
    let declared = appended.add_function(name, function.get_type(), None);
    let pointer = context.ptr_type(AddressSpace::default());
    let first = context.i32_type().const_zero();
    let entry = context.const_struct(
        &[first.into(), declared.as_global_value().as_pointer_value().into(), pointer.const_null().into()],
        false,
    );
    let list = entry.get_type().const_array(&[entry]);
    let global = appended.add_global(list.get_type(), None, "llvm.global_ctors");
    global.set_linkage(Linkage::Appending);
    global.set_initializer(&list.as_basic_value_enum());
    llvm.link(module, appended)
}

/// Gives every function of the module an attribute of LLVM's own.
pub fn add_function_attribute(llvm: &Llvm, module: &Module<'_>, name: &str) {
    let attribute = llvm.context().create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
    for function in inspect::defined_functions(module) {
        function.add_attribute(AttributeLoc::Function, attribute);
    }
}

/// Takes all debugging information out of the module.
pub fn strip_debug_information(module: &mut Module<'_>) {
    // SAFETY: the module is live, and nobody has a handle of the instructions that are deleted.
    unsafe { inkwell::llvm_sys::debuginfo::LLVMStripModuleDebugInfo(module.as_mut_ptr()) };
}

/// Replaces the assembly at the module's top level.
pub fn set_assembly(module: &Module<'_>, assembly: &str) {
    // SAFETY: the text is given with its length and copied by LLVM.
    unsafe { LLVMSetModuleInlineAsm2(module.as_mut_ptr(), assembly.as_ptr().cast(), assembly.len()) };
}

/// The function of this name and type, declared now if it is not there.
pub fn declared<'a>(module: &'a Module<'_>, name: &str, ty: FunctionType<'a>) -> FunctionValue<'a> {
    let declare = || {
        let name = CString::new(name).expect("names have no zero bytes");
        // SAFETY: the name ends with a zero byte, and the type is one of functions of the module's context.
        unsafe { FunctionValue::new(LLVMAddFunction(module.as_mut_ptr(), name.as_ptr(), ty.as_type_ref())) }
    };
    module.get_function(name).or_else(declare).expect("LLVM makes a function or ends")
}

/// Removes all calls, whose results nobody uses, of functions without a body whose names begin so; and their declarations.
pub fn remove_calls(module: &mut Module<'_>, prefix: &str) {
    let is_meant = |function: &FunctionValue<'_>| {
        function.count_basic_blocks() == 0 && function.get_name().to_bytes().starts_with(prefix.as_bytes())
    };
    for block in inspect::defined_functions(module).flat_map(|function| function.get_basic_blocks()) {
        let calls = block.get_instructions().filter(|&call| inspect::callee(call).is_some_and(|of| is_meant(&of)));
        for call in calls.filter(|call| call.get_first_use().is_none()).collect::<Vec<_>>() {
            // Whoever has the module for himself knows that nobody else has a handle.
            call.erase_from_basic_block();
        }
    }
    for function in module.get_functions().filter(is_meant).collect::<Vec<_>>() {
        if function.as_global_value().as_pointer_value().get_first_use().is_none() {
            // SAFETY: it has no body, nothing refers to it, and nobody else has a handle.
            unsafe { function.delete() };
        }
    }
}
