//! What rewriting a module needs beyond inkwell's safe interface.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::llvm_sys::core::LLVMSetModuleInlineAsm2;
use inkwell::module::{Linkage, Module};
use inkwell::types::IntType;
use inkwell::values::{BasicValue, FunctionValue, GlobalValue, PointerValue};
use inkwell::{AddressSpace, GlobalVisibility};

use crate::{Llvm, LlvmError, inspect};

/// The address of element `index` of a global array of `i64`, as a constant.
pub fn element_address<'ctx>(array: GlobalValue<'ctx>, i64_type: IntType<'ctx>, index: u64) -> PointerValue<'ctx> {
    let index = i64_type.const_int(index, false);
    // SAFETY: one index of a first-class type makes a valid constant expression; it need not be in bounds.
    unsafe { array.as_pointer_value().const_gep(i64_type, &[index]) }
}

/// Makes `function`, which takes and returns nothing, the first constructor of the module.
pub fn add_constructor<'llvm>(
    llvm: &'llvm Llvm,
    module: &Module<'llvm>,
    function: FunctionValue<'llvm>,
) -> Result<(), LlvmError> {
    function.set_linkage(Linkage::External);
    function.as_global_value().set_visibility(GlobalVisibility::Hidden);

    // Linking a module with a constructor appends to the list that is already there.
    let context = llvm.context();
    let appended = context.create_module("constructor");
    appended.set_triple(&module.get_triple());
    appended.set_data_layout(&module.get_data_layout());
    let name = function.get_name().to_string_lossy().into_owned();
    let declared = appended.add_function(&name, function.get_type(), None);
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

/// Replaces the assembly at the module's top level.
pub fn set_assembly(module: &Module<'_>, assembly: &str) {
    // SAFETY: the text is given with its length and copied by LLVM.
    unsafe { LLVMSetModuleInlineAsm2(module.as_mut_ptr(), assembly.as_ptr().cast(), assembly.len()) };
}

/// Removes a declaration that nothing uses any more.
pub fn remove_declaration(function: FunctionValue<'_>) {
    let is_used = function.as_global_value().as_pointer_value().get_first_use().is_some();
    if function.count_basic_blocks() == 0 && !is_used {
        // SAFETY: it has no body, and nothing refers to it.
        unsafe { function.delete() };
    }
}
