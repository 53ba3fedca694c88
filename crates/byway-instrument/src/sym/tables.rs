//! The variables that instrumented code and runtime share.

use byway_llvm::ir::{Code, Kind, Value};
use byway_runtime::layout::PAGE;

/// Where things are in a thread's variable; see `Thread` in the runtime.
pub mod thread {
    /// The function whose arguments' labels are there.
    pub const ARGUMENTS_FOR: u64 = 0;
    /// The function whose result's labels are there.
    pub const RESULT_OF: u64 = 8;
    /// Where the next local variable is noted.
    pub const FRAMES: u64 = 16;
    /// The site of the last call of a model.
    pub const CALL_SITE: u64 = 24;
    /// The labels of arguments.
    pub const ARGUMENTS: u64 = 32;
    /// How many arguments can have labels.
    pub const MAX_ARGUMENTS: usize = 62;
    /// Whether this thread is traced.
    pub const TRACED: u64 = 448;
    /// The size of it all.
    pub const SIZE: u64 = 512;
}

/// How many local variables of one function are noted.
pub const MAX_LOCALS: usize = 64;

/// The variables.
pub struct Tables<'ctx> {
    /// What instrumented code and runtime tell each other, for each thread.
    pub thread: Value<'ctx>,
    /// The number of the current part of the path.
    pub epoch: Value<'ctx>,
    /// For each block, the part of the path in which it was last noted.
    pub stamps: Value<'ctx>,
    /// For each block, whether it was executed.
    pub hits: Value<'ctx>,
    /// Where local variables are noted when nobody wants to know.
    pub sink: Value<'ctx>,
}

impl<'ctx> Tables<'ctx> {
    /// Adds them to the module.
    pub fn new(code: &Code<'ctx>, blocks: u64, globals: &[Value<'ctx>]) -> Self {
        let (byte, small, large) = (code.integer(8), code.integer(32), code.integer(64));
        let thread = code.variable("byway_thread", large.array(thread::SIZE / 8).zero());
        code.make_thread_local(thread);
        let accessor = code.function("byway_thread_pointer", code.pointer(), &[]);
        code.at_end(code.append_block(accessor));
        code.return_value(thread);
        let epoch = code.variable("byway_epoch", small.zero());
        let stamps = code.variable("byway_stamps", small.array(blocks).zero());
        code.variable("byway_visits", byte.array(blocks).zero());
        // The runtime maps memory over these pages, and they are nobody else's.
        let hits = code.variable("byway_hits", byte.array(blocks.next_multiple_of(PAGE as u64)).zero());
        hits.set_alignment(PAGE as u32);
        code.variable("byway_block_count", large.constant(blocks));
        let sink = code.variable("byway_sink", large.array(2 * MAX_LOCALS as u64).zero());
        code.make_private(sink);
        add_globals(code, globals);
        Tables { thread, epoch, stamps, hits, sink }
    }
}

/// The variables of the program that symbolic addresses may point into.
pub fn globals<'ctx>(code: &Code<'ctx>) -> Vec<Value<'ctx>> {
    let is_object = |variable: &Value<'ctx>| {
        !variable.is_declaration() && !variable.name().starts_with("llvm.") && !variable.is_thread_local()
    };
    code.variables().into_iter().filter(is_object).collect()
}

fn add_globals<'ctx>(code: &Code<'ctx>, globals: &[Value<'ctx>]) {
    let large = code.integer(64);
    let entries: Vec<Value<'ctx>> = globals
        .iter()
        .filter(|global| global.value_type().kind() != Kind::Other)
        .map(|&global| {
            let size = code.size_of(global.value_type());
            let constant = u64::from(global.is_constant_variable());
            code.structure(&[global, large.constant(size << 1 | constant)])
        })
        .collect();
    let count = entries.len() as u64;
    let empty = code.structure(&[code.pointer().zero(), large.zero()]);
    let table = code.array(empty.ty(), &entries);
    code.variable("byway_globals", table);
    code.variable("byway_global_count", large.constant(count));
}
