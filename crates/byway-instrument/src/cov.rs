//! The `cov` variant: a counter for every block. No edge is critical, so these count the edges too.

use byway_llvm::inkwell::AddressSpace;
use byway_llvm::inkwell::basic_block::BasicBlock;
use byway_llvm::inkwell::builder::{Builder, BuilderError};
use byway_llvm::inkwell::module::{Linkage, Module};
use byway_llvm::inkwell::types::IntType;
use byway_llvm::inkwell::values::{FunctionValue, GlobalValue, InstructionOpcode, InstructionValue};
use byway_llvm::{Llvm, inspect, rewrite};
use byway_map::ProgramMap;
use byway_runtime::layout::{PAGE, counter_bytes};

use crate::InstrumentError;

/// Adds a counter to every block of `module`, whose map is `map`, and a constructor that hands them to the runtime.
/// `id` names the program to whoever reads the counters.
pub fn instrument<'llvm>(
    llvm: &'llvm Llvm,
    module: &Module<'llvm>,
    map: &ProgramMap,
    id: [u8; 16],
) -> Result<(), InstrumentError> {
    let context = llvm.context();
    let length = counter_bytes(map.blocks.len() as u64) / 8;
    let counters_type = context.i64_type().array_type(length as u32);
    let counters = module.add_global(counters_type, None, "byway_cov_counters");
    counters.set_initializer(&counters_type.const_zero());
    counters.set_alignment(PAGE as u32);
    counters.set_linkage(Linkage::Internal);

    let builder = context.create_builder();
    let mut next = 0;
    for function in inspect::defined_functions(module) {
        let counted = is_instrumentable(function);
        for block in function.get_basic_blocks() {
            if counted {
                count(&builder, context.i64_type(), counters, block, next)?;
            }
            next += 1;
        }
    }
    let start = start_function(llvm, module, counters, map, id)?;
    rewrite::add_constructor(llvm, module, start)?;
    llvm.verify(module)?;
    Ok(())
}

/// A naked function is all assembly: there is no frame to run our code in.
fn is_instrumentable(function: FunctionValue<'_>) -> bool {
    !inspect::has_attribute(function, "naked")
}

fn count<'ctx>(
    builder: &Builder<'ctx>,
    i64_type: IntType<'ctx>,
    counters: GlobalValue<'ctx>,
    block: BasicBlock<'ctx>,
    index: u64,
) -> Result<(), BuilderError> {
    let Some(first) = first_insertion_point(block) else { return Ok(()) };
    builder.position_before(&first);
    builder.unset_current_debug_location();
    let address = rewrite::element_address(counters, i64_type, index);
    let before = builder.build_load(i64_type, address, "")?.into_int_value();
    let after = builder.build_int_add(before, i64_type.const_int(1, false), "")?;
    let store = builder.build_store(address, after)?;
    // Volatile, or a loop would keep its counts in registers, and an end by signal would lose them.
    for access in [before.as_instruction(), Some(store)].into_iter().flatten() {
        access.set_volatile(true).expect("loads and stores can be volatile");
    }
    Ok(())
}

/// The first instruction that other instructions may be put before.
fn first_insertion_point(block: BasicBlock<'_>) -> Option<InstructionValue<'_>> {
    use InstructionOpcode as Op;
    let fixed = |opcode| matches!(opcode, Op::Phi | Op::LandingPad | Op::CatchPad | Op::CleanupPad | Op::Alloca);
    let first = block.get_instructions().find(|instruction| !fixed(instruction.get_opcode()));
    first.filter(|instruction| instruction.get_opcode() != Op::CatchSwitch)
}

/// A function that calls the runtime's `byway_cov_start(counters, blocks, id)`.
fn start_function<'llvm>(
    llvm: &'llvm Llvm,
    module: &Module<'llvm>,
    counters: GlobalValue<'llvm>,
    map: &ProgramMap,
    id: [u8; 16],
) -> Result<FunctionValue<'llvm>, BuilderError> {
    let context = llvm.context();
    let pointer = context.ptr_type(AddressSpace::default());
    let runtime_type = context.void_type().fn_type(&[pointer.into(), context.i64_type().into(), pointer.into()], false);
    let runtime = module.add_function("byway_cov_start", runtime_type, None);
    let id = context.const_string(&id, false);
    let id_global = module.add_global(id.get_type(), None, "byway_cov_id");
    id_global.set_initializer(&id);
    id_global.set_linkage(Linkage::Internal);

    let start = module.add_function("byway_cov_constructor", context.void_type().fn_type(&[], false), None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(start, ""));
    let blocks = context.i64_type().const_int(map.blocks.len() as u64, false);
    let arguments = [counters.as_pointer_value().into(), blocks.into(), id_global.as_pointer_value().into()];
    builder.build_call(runtime, &arguments, "")?;
    builder.build_return(None)?;
    Ok(start)
}
