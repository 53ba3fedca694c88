//! The canonical form of a subject: one module that every variant but the sanitizer's is made from.

use std::collections::HashSet;

use byway_carrier::{LinkItem, Module as Carried};
use byway_llvm::inkwell::GlobalVisibility;
use byway_llvm::inkwell::module::{Linkage, Module};
use byway_llvm::inkwell::values::GlobalValue;
use byway_llvm::{Llvm, LlvmError, inspect, rewrite};
use byway_map::{ProgramCode, ProgramInstructions, ProgramMap};
use byway_program::{Subject, exported};
use thiserror::Error;

use crate::assembly;
use crate::describe::describe;
use crate::instructions::instructions;
use crate::kept;
use crate::map::MapBuilder;

/// Copies of what is defined elsewhere go; critical edges get a block of their own.
const SHAPE: &str = "elim-avail-extern,function(break-crit-edges)";
/// Local variables become registers, vectors become scalars. These passes keep blocks and branches as they are.
const CLEAN: &str = "function(sroa<preserve-cfg>,instsimplify,scalarizer)";

/// A subject's modules, linked into one and cleaned, with every branch of the source still a branch.
pub struct Canonical<'llvm> {
    /// The module.
    pub module: Module<'llvm>,
    /// What is in it.
    pub map: ProgramMap,
}

/// Why there is no canonical form.
#[derive(Debug, Error)]
pub enum CanonicalError {
    /// The bitcode of one translation unit cannot be used.
    #[error("{source_file}: {source}; rebuild with the clang that this byway is made for")]
    Module {
        /// The translation unit's source.
        source_file: String,
        /// What is wrong with its bitcode.
        source: LlvmError,
    },
    /// The bitcode of one translation unit cannot be decompressed.
    #[error("{source_file}: the bitcode cannot be decompressed: {source}")]
    Compressed {
        /// The translation unit's source.
        source_file: String,
        /// What is wrong with it.
        source: std::io::Error,
    },
    /// The program was built by `byway-cc`, but none of its translation units has bitcode.
    #[error("none of the program's translation units has bitcode; byway doctor says why")]
    NoModules,
    /// LLVM refused a transformation.
    #[error(transparent)]
    Llvm(#[from] LlvmError),
    /// We broke our own rules.
    #[error("internal error: {0}")]
    Internal(String),
}

impl<'llvm> Canonical<'llvm> {
    /// Links and cleans the modules of a subject and of its libraries.
    pub fn make(llvm: &'llvm Llvm, subject: &Subject) -> Result<Self, CanonicalError> {
        let mut whole = shaped(llvm, subject)?;
        let builder = MapBuilder::blocks(&whole);
        kept::mark(&whole).map_err(|error| CanonicalError::Internal(error.to_string()))?;
        llvm.run_passes(&mut whole, CLEAN)?;
        kept::unmark(&mut whole);
        llvm.verify(&whole)?;
        let map = builder.finish(&whole).map_err(CanonicalError::Internal)?;
        Ok(Canonical { module: whole, map })
    }
}

/// What the code of a subject and of its libraries says.
pub fn program_code(llvm: &Llvm, subject: &Subject) -> Result<ProgramCode, CanonicalError> {
    Ok(describe(&shaped(llvm, subject)?))
}

/// What the instructions of a subject and of its libraries compute from what.
pub fn program_instructions(llvm: &Llvm, subject: &Subject) -> Result<ProgramInstructions, CanonicalError> {
    Ok(instructions(&shaped(llvm, subject)?))
}

/// The modules of a subject and of its libraries as one that has its final blocks. Local variables are in memory.
pub(crate) fn shaped<'llvm>(llvm: &'llvm Llvm, subject: &Subject) -> Result<Module<'llvm>, CanonicalError> {
    if subject.all_modules().is_empty() {
        return Err(CanonicalError::NoModules);
    }
    let program = link_part(llvm, subject)?;
    let mut whole = llvm.context().create_module("byway");
    adopt_target(&whole, &program);
    let libraries = fold(llvm, subject, &program)?;
    // The dynamic linker initialises libraries before their users.
    for library in libraries.into_iter().rev() {
        llvm.link(&mut whole, library)?;
    }
    llvm.link(&mut whole, program)?;
    keep_inline_functions(&whole);
    llvm.run_passes(&mut whole, SHAPE)?;
    Ok(whole)
}

fn link_part<'llvm>(llvm: &'llvm Llvm, part: &Subject) -> Result<Module<'llvm>, CanonicalError> {
    let mut linked = llvm.context().create_module(&part.name());
    for carried in &part.modules {
        let module = parse(llvm, carried)?;
        adopt_target(&linked, &module);
        llvm.link(&mut linked, module)?;
    }
    Ok(linked)
}

fn parse<'llvm>(llvm: &'llvm Llvm, carried: &Carried) -> Result<Module<'llvm>, CanonicalError> {
    let source_file = carried.source.clone();
    let bitcode =
        carried.bitcode().map_err(|source| CanonicalError::Compressed { source_file: source_file.clone(), source })?;
    llvm.parse(&carried.source, &bitcode).map_err(|source| CanonicalError::Module { source_file, source })
}

/// An empty module takes the target of the first that is linked into it.
fn adopt_target(whole: &Module<'_>, part: &Module<'_>) {
    if whole.get_triple().as_str().to_bytes().is_empty() {
        whole.set_triple(&part.get_triple());
        whole.set_data_layout(&part.get_data_layout());
    }
}

/// The modules of the shared libraries, ready to be linked with the program: what a library does not export becomes its
/// own, and of several definitions of a symbol the first in the order of search wins, as it does for the dynamic linker.
fn fold<'llvm>(
    llvm: &'llvm Llvm,
    subject: &Subject,
    program: &Module<'llvm>,
) -> Result<Vec<Module<'llvm>>, CanonicalError> {
    let mut taken = HashSet::new();
    let mut modules = Vec::new();
    let libraries = &subject.everything()[1..];
    let exports: Vec<Exports> = libraries.iter().map(|library| Exports::of(library)).collect();
    for definition in inspect::definitions(program).into_iter().filter(|definition| is_visible(*definition)) {
        let name = definition.get_name().to_string_lossy().into_owned();
        let hidden = definition.get_visibility() == GlobalVisibility::Hidden;
        if !hidden {
            taken.insert(name);
        } else if exports.iter().any(|exports| exports.names.contains(&name)) {
            definition.set_linkage(Linkage::Internal);
        }
    }
    for (library, exports) in libraries.iter().zip(&exports) {
        let module = link_part(llvm, library)?;
        let assembly = assembly::unversioned(&inspect::assembly(&module));
        rewrite::set_assembly(&module, &assembly);
        yield_to(&mut taken, &module, exports, &assembly::words(&assembly));
        modules.push(module);
    }
    Ok(modules)
}

/// What a shared library offers to others.
struct Exports {
    names: HashSet<String>,
    /// Whether the library uses its own definitions, whatever others define.
    symbolic: bool,
}

impl Exports {
    fn of(library: &Subject) -> Self {
        let words = library.link.iter().flat_map(|link| &link.items).filter_map(|item| match item {
            LinkItem::Linker(words) => Some(words),
            _ => None,
        });
        let symbolic = ["-Bsymbolic", "-Bsymbolic-functions"];
        let symbolic = words.flatten().any(|word| symbolic.contains(&word.as_str()));
        Exports { names: exported(&library.path), symbolic }
    }
}

/// Whether a definition takes part in linking with other modules.
fn is_visible(definition: GlobalValue<'_>) -> bool {
    let linkage = definition.get_linkage();
    !matches!(linkage, Linkage::Internal | Linkage::Private | Linkage::AvailableExternally | Linkage::Appending)
}

/// Makes way for what is taken already, and takes what the library exports.
fn yield_to(taken: &mut HashSet<String>, library: &Module<'_>, exports: &Exports, in_assembly: &HashSet<String>) {
    for definition in inspect::definitions(library).into_iter().filter(|definition| is_visible(*definition)) {
        let name = definition.get_name().to_string_lossy().into_owned();
        let protected = exports.symbolic || definition.get_visibility() == GlobalVisibility::Protected;
        if in_assembly.contains(&name) && !taken.contains(&name) {
            // Assembly finds it by its name only.
            definition.set_visibility(GlobalVisibility::Hidden);
            taken.insert(name);
        } else if !exports.names.contains(&name) {
            definition.set_linkage(Linkage::Internal);
        } else if !taken.insert(name) {
            let kept = protected || !inspect::is_function_or_variable(definition);
            definition.set_linkage(if kept { Linkage::Internal } else { Linkage::AvailableExternally });
        }
    }
}

/// An inline function from a header keeps its body and becomes the module's own. The optimiser inlined it when the program
/// was built, so the object with its other, external copy may not even have been linked.
///
/// It gets a name of its own: the optimiser makes calls of library functions, such as `putchar` of a `printf`, and they are
/// to find the library's. The same goes for a static function that is called like one of these.
fn keep_inline_functions(module: &Module<'_>) {
    for function in inspect::defined_functions(module) {
        let inline = function.get_linkage() == Linkage::AvailableExternally;
        if inline {
            function.set_linkage(Linkage::Internal);
        }
        let name = function.get_name().to_string_lossy().into_owned();
        let like_library = function.get_linkage() == Linkage::Internal && MADE_BY_OPTIMISER.contains(&name.as_str());
        if inline || like_library {
            function.as_global_value().set_name(&format!("{name}.0"));
        }
    }
}

/// Library functions that LLVM calls instead of others.
const MADE_BY_OPTIMISER: &[&str] = &[
    "bcmp", "calloc", "fputc", "fputs", "fwrite", "malloc", "memchr", "memcmp", "memcpy", "memmove", "mempcpy",
    "memrchr", "memset", "putchar", "puts", "snprintf", "sprintf", "stpcpy", "stpncpy", "strcat", "strchr", "strcmp",
    "strcpy", "strlen", "strncmp", "strncpy", "strrchr", "toascii", "isdigit", "abs", "ffs", "pow", "exp2", "sqrt",
    "ldexp",
];
