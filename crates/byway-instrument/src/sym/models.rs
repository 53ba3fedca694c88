//! Models of library functions: linked in, in the place of the functions they model.

use std::collections::{HashMap, HashSet};

use byway_canonical::site_kind;
use byway_llvm::Llvm;
use byway_llvm::inkwell::module::{Linkage, Module};
use byway_llvm::inspect;
use byway_llvm::ir::{Code, Value};
use byway_map::SiteKind;
use byway_trace::layout::MODEL_SITE;

use crate::InstrumentError;

const PREFIX: &str = "byway_model_";
/// The same as for programs: registers instead of local variables, every branch still a branch. Switches become branches,
/// since the map of the program does not have the cases of a model's.
const CLEAN: &str = "function(lower-switch,sroa<preserve-cfg>,instsimplify)";

/// Links the models of all functions that the module uses and that they replace. Returns the names of the functions
/// that came with them.
pub fn link<'llvm>(
    llvm: &'llvm Llvm,
    module: &mut Module<'llvm>,
    library: &[&[u8]],
) -> Result<HashSet<String>, InstrumentError> {
    let mut models = llvm.context().create_module("models");
    models.set_triple(&module.get_triple());
    models.set_data_layout(&module.get_data_layout());
    for part in library {
        llvm.link(&mut models, llvm.parse("models", part)?)?;
    }
    let wanted = replace(&Code::new(module), &models);
    for definition in inspect::definitions(&models) {
        if !wanted.contains(&*definition.get_name().to_string_lossy()) {
            definition.set_linkage(Linkage::Internal);
        }
    }
    llvm.run_passes(&mut models, "globaldce")?;
    llvm.run_passes(&mut models, CLEAN)?;
    let before = defined(module);
    llvm.link(module, models)?;
    Ok(defined(module).difference(&before).cloned().collect())
}

/// The names of the functions with a body.
fn defined(module: &Module<'_>) -> HashSet<String> {
    inspect::defined_functions(module).map(|function| function.get_name().to_string_lossy().into_owned()).collect()
}

/// Has the program use models instead of the functions they stand for. Returns the names of those that it uses.
fn replace(code: &Code<'_>, models: &Module<'_>) -> HashSet<String> {
    let mut wanted = HashSet::new();
    for function in code.functions() {
        let model = format!("{PREFIX}{}", function.name());
        if is_replaced(function) && inspect::defines_function(models, &model) && !function.users().is_empty() {
            function.replace_with(code.function_like(&model, function));
            wanted.insert(model);
        }
    }
    wanted
}

/// Whether a model takes the place of a function: a library's, or one of those with which a program replays tests that
/// were made for KLEE, and which it has from a header.
fn is_replaced(function: Value<'_>) -> bool {
    function.is_declaration() || (function.is_weak() && function.name().starts_with("klee_"))
}

/// Numbers the sites of models. Returns the name of the function for each.
pub fn number<'ctx>(models: &HashSet<Value<'ctx>>, sites: &mut HashMap<Value<'ctx>, u32>) -> Vec<String> {
    let mut functions: Vec<(String, Value<'ctx>)> = models.iter().map(|&model| (model.name(), model)).collect();
    functions.sort_by(|a, b| a.0.cmp(&b.0));
    let mut names = Vec::new();
    for (name, function) in functions {
        for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
            if let Some(kind) = site_kind(instruction.instruction()) {
                assert_ne!(kind, SiteKind::Switch, "models have no switches");
                sites.insert(instruction, MODEL_SITE | names.len() as u32);
                names.push(name.strip_prefix(PREFIX).unwrap_or(&name).to_owned());
            }
        }
    }
    names
}

/// What a model says that a value means.
#[derive(Debug, Clone)]
pub enum Meaning<'ctx> {
    /// What the second means, if it has the same value as the first.
    Is(Value<'ctx>, Value<'ctx>),
    /// Nothing.
    Concrete,
    /// A byte of a stream: the stream, where it was, which byte, its value.
    StreamByte([Value<'ctx>; 4]),
}

/// Turns those functions of `models/byway.h` that return something symbolic into instructions.
pub fn lower<'ctx>(code: &Code<'ctx>, models: &HashSet<Value<'ctx>>) -> HashMap<Value<'ctx>, Meaning<'ctx>> {
    let mut meanings = HashMap::new();
    let mut replaced = HashMap::new();
    for call in models.iter().flat_map(|model| model.blocks()).flat_map(|block| block.instructions()) {
        if !call.is_call() || !call.callee().is_function() {
            continue;
        }
        code.before(call);
        let arguments = call.arguments();
        let lowered = match call.callee().name().as_str() {
            "byway_ite" => code.select(arguments[0], arguments[1], arguments[2]),
            "byway_is" => {
                let value = code.freeze(arguments[0]);
                meanings.insert(value, Meaning::Is(arguments[0], arguments[1]));
                value
            }
            "byway_concrete" => {
                let value = code.freeze(arguments[0]);
                meanings.insert(value, Meaning::Concrete);
                value
            }
            "byway_stream_byte" => {
                let value = code.freeze(arguments[3]);
                let arguments = [arguments[0], arguments[1], arguments[2], arguments[3]];
                meanings.insert(value, Meaning::StreamByte(arguments));
                value
            }
            _ => continue,
        };
        call.replace_with(lowered);
        replaced.insert(call, lowered);
    }
    let now = |value: &mut Value<'ctx>| {
        while let Some(&other) = replaced.get(value) {
            *value = other;
        }
    };
    for meaning in meanings.values_mut() {
        match meaning {
            Meaning::Is(real, model) => [real, model].into_iter().for_each(now),
            Meaning::Concrete => {}
            Meaning::StreamByte(arguments) => arguments.iter_mut().for_each(now),
        }
    }
    for call in replaced.keys() {
        code.remove(*call);
    }
    meanings
}
