//! The `sym` variant: beside every value that may depend on the input, its label.
//!
//! While all labels are 0 the program runs as it always does; only where one is not, it calls the runtime. Between two
//! calls, or a call and the end of a block, lies a [`segment`]: a run of instructions with one test for all of them. The test
//! asks whether any label that comes in is set, or any tag of memory that is touched; the code behind it goes through the
//! instructions in their order and computes their labels. It needs blocks to be split, which [`byway_llvm::ir`] does.
//!
//! [`reach`] finds what can be symbolic at all, so that the rest is left alone. [`models`] puts models of library functions
//! in their place. [`walk`] goes through a function; [`memory`], [`operations`] and [`calls`] know the instructions.

mod calls;
mod intrinsics;
mod memory;
mod models;
mod operations;
mod reach;
mod segment;
mod signedness;
mod straight;
mod tables;
mod targets;
mod walk;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use byway_canonical::site_kind;
use byway_llvm::inkwell::module::Module;
use byway_llvm::inkwell::values::FunctionValue;
use byway_llvm::ir::{Block, Code, Removed, Type, Value};
use byway_llvm::{Llvm, inspect, rewrite};
use byway_map::{BlockId, ProgramMap, SiteKind};

use crate::InstrumentError;

/// Instruments `module`, whose map is `map`; `library` are the models of library functions. Of the functions that the program
/// declares, those that are not among what is `linked` are used by code that can never run, and that an optimiser takes
/// away more easily than ours. Runs note when they come by one of `points`: a block, and how many of its calls are before it. Returns for each site of a model the name of the function it models.
pub fn instrument<'llvm>(
    llvm: &'llvm Llvm,
    module: &mut Module<'llvm>,
    map: &ProgramMap,
    library: &[&[u8]],
    linked: Option<&HashSet<String>>,
    points: &[(BlockId, u32)],
) -> Result<Vec<String>, InstrumentError> {
    rewrite::strip_debug_information(module);
    prepare(&Code::new(module), linked)?;
    let models = models::link(llvm, module, library)?;
    let (model_sites, removed) = rewrite(module, map, &models, points);
    removed.delete(module);
    llvm.verify(module)?;
    Ok(model_sites)
}

/// Makes way for our own `main`, and for what is declared and nowhere defined.
fn prepare(code: &Code<'_>, linked: Option<&HashSet<String>>) -> Result<(), InstrumentError> {
    let main = code.functions().into_iter().find(|function| function.name() == "main" && !function.is_declaration());
    let main = main.ok_or(InstrumentError::NoMain)?;
    main.set_name("byway_subject_main");
    let missing = |name: &str| !name.starts_with("llvm.") && linked.is_some_and(|linked| !linked.contains(name));
    for declared in code.functions().into_iter().chain(code.variables()).filter(|value| value.is_declaration()) {
        if missing(&declared.name()) {
            declared.make_optional();
        }
    }
    Ok(())
}

/// Rewrites a module with all models in it, whose functions have these names. Returns the names of their sites, and what is no longer
/// part of the module.
fn rewrite(
    module: &Module<'_>,
    map: &ProgramMap,
    models: &HashSet<String>,
    points: &[(BlockId, u32)],
) -> (Vec<String>, Removed) {
    let code = Code::new(module);
    let (mut sites, blocks) = numbers(module, models);
    let points = noted(map, &sites, &blocks, points);
    let models: HashSet<Value<'_>> =
        code.functions().into_iter().filter(|function| models.contains(&function.name())).collect();
    let model_sites = models::number(&models, &mut sites);
    let meanings = models::lower(&code, &models);
    remove_promises(&code);

    let resolvers: HashSet<Value<'_>> = code.resolvers().into_iter().collect();
    let functions: Vec<Value<'_>> = code
        .functions()
        .into_iter()
        .filter(|function| {
            !function.is_declaration() && !function.has_attribute("naked") && !resolvers.contains(function)
        })
        .collect();
    let globals = tables::globals(&code);
    let symbolic = reach::find(&functions, &meanings);
    let straight = straight::find(&functions, &symbolic);
    let targets = targets::Targets::of(&code);
    let tables = tables::Tables::new(&code, map.blocks.len() as u64, &globals);
    let texts = RefCell::default();
    let program = Program { code, sites, blocks, points, models, meanings, symbolic, straight, targets, tables, texts };
    for function in functions {
        walk::instrument(&program, function);
    }
    (model_sites, program.code.finish())
}

/// What is known of the whole program while its functions are instrumented.
struct Program<'ctx> {
    code: Code<'ctx>,
    /// The numbers of sites.
    sites: HashMap<Value<'ctx>, u32>,
    /// The numbers of blocks.
    blocks: HashMap<Block<'ctx>, u32>,
    /// In front of which instructions runs note that they came by, with the block and how many of its calls were before.
    points: HashMap<Value<'ctx>, (u32, u32)>,
    /// The functions that are models.
    models: HashSet<Value<'ctx>>,
    /// Values that models give a meaning to.
    meanings: HashMap<Value<'ctx>, models::Meaning<'ctx>>,
    /// What can be symbolic.
    symbolic: HashSet<Value<'ctx>>,
    /// The functions without branches that depend on the input.
    straight: HashSet<Value<'ctx>>,
    /// Where calls through pointers can go.
    targets: targets::Targets<'ctx>,
    tables: tables::Tables<'ctx>,
    /// The names of functions, as texts of the program.
    texts: RefCell<HashMap<String, Value<'ctx>>>,
}

impl<'ctx> Program<'ctx> {
    /// A function of the runtime; its parameters are those of the call.
    fn runtime(&self, name: &str, result: Type<'ctx>, arguments: &[Value<'ctx>]) -> Value<'ctx> {
        let parameters: Vec<Type<'ctx>> = arguments.iter().map(|argument| argument.ty()).collect();
        let function = self.code.function(name, result, &parameters);
        self.code.add_attribute(function, "nounwind", 0);
        self.code.add_attribute(function, "cold", 0);
        if PURE.contains(&name) {
            // It reads any memory, but writes only what the program cannot see.
            self.code.add_attribute(function, "memory", READS_ANY_WRITES_INACCESSIBLE);
        }
        self.code.call(function, arguments)
    }

    /// Calls a function of the runtime that returns a label.
    fn label(&self, name: &str, arguments: &[Value<'ctx>]) -> Value<'ctx> {
        self.runtime(name, self.code.integer(32), arguments)
    }

    /// Calls a function of the runtime that returns nothing.
    fn note(&self, name: &str, arguments: &[Value<'ctx>]) {
        self.runtime(name, self.code.void(), arguments);
    }

    /// A text of the program.
    fn text(&self, text: &str) -> Value<'ctx> {
        *self.texts.borrow_mut().entry(text.to_owned()).or_insert_with(|| self.code.text(text))
    }

    /// A number of 32 bits.
    fn small(&self, value: u32) -> Value<'ctx> {
        self.code.integer(32).constant(u64::from(value))
    }

    /// A number of 64 bits.
    fn large(&self, value: u64) -> Value<'ctx> {
        self.code.integer(64).constant(value)
    }

    /// The site of an instruction.
    fn site(&self, instruction: Value<'ctx>) -> Value<'ctx> {
        self.small(self.site_number(instruction))
    }

    fn site_number(&self, instruction: Value<'ctx>) -> u32 {
        self.sites.get(&instruction).copied().unwrap_or(byway_trace::layout::NO_SITE)
    }
}

const PURE: [&str; 8] = [
    "byway_sym_binary",
    "byway_sym_checked",
    "byway_sym_wide",
    "byway_sym_cast",
    "byway_sym_ite",
    "byway_sym_intrinsic",
    "byway_sym_load",
    "byway_sym_branch",
];
/// LLVM's encoding: two bits each for arguments, inaccessible and other memory; 1 reads, 2 writes.
const READS_ANY_WRITES_INACCESSIBLE: u64 = 1 | 3 << 2 | 1 << 4;

/// The numbers of sites and blocks of the program, as the map has them.
fn numbers<'a>(module: &'a Module<'_>, models: &HashSet<String>) -> (HashMap<Value<'a>, u32>, HashMap<Block<'a>, u32>) {
    let (mut sites, mut blocks) = (HashMap::new(), HashMap::new());
    let is_model = |function: &FunctionValue<'_>| models.contains(&*function.get_name().to_string_lossy());
    for function in inspect::defined_functions(module).filter(|function| !is_model(function)) {
        for block in function.get_basic_blocks() {
            blocks.insert(Block::of(block), blocks.len() as u32);
            for instruction in block.get_instructions() {
                if site_kind(instruction).is_some() {
                    sites.insert(Value::of_instruction(instruction), sites.len() as u32);
                }
            }
        }
    }
    (sites, blocks)
}

/// The instructions at which runs note that they come by.
fn noted<'a>(
    map: &ProgramMap,
    sites: &HashMap<Value<'a>, u32>,
    blocks: &HashMap<Block<'a>, u32>,
    points: &[(BlockId, u32)],
) -> HashMap<Value<'a>, (u32, u32)> {
    let wanted: HashSet<(u32, u32)> = points.iter().map(|(block, calls)| (block.number(), *calls)).collect();
    let is_call = |instruction: &Value<'a>| {
        let site = sites.get(instruction).and_then(|&site| map.site(site));
        site.is_some_and(|site| matches!(site.kind, SiteKind::Call | SiteKind::IndirectCall))
    };
    let mut noted = HashMap::new();
    for (block, &number) in blocks {
        let (mut calls, mut known) = (0, None);
        for instruction in block.instructions().into_iter().filter(|instruction| !walk::is_first(*instruction)) {
            if known != Some(calls) && wanted.contains(&(number, calls)) {
                noted.insert(instruction, (number, calls));
            }
            known = Some(calls);
            calls += u32::from(is_call(&instruction));
        }
    }
    noted
}

/// Functions now do more than they did: what was promised of the memory they use holds no longer.
fn remove_promises(code: &Code<'_>) {
    const PROMISES: [&str; 5] = ["memory", "speculatable", "nosync", "nofree", "optnone"];
    for function in code.functions() {
        if function.is_declaration() {
            continue;
        }
        for promise in PROMISES {
            function.remove_attribute(promise);
        }
        for block in function.blocks() {
            for call in block.instructions().into_iter().filter(|instruction| instruction.is_call()) {
                let callee = call.callee();
                if !callee.is_function() || !callee.is_declaration() {
                    for promise in PROMISES {
                        call.remove_attribute(promise);
                    }
                    call.forbid_tail_call();
                }
            }
        }
    }
}
