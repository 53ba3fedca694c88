//! Making each kind of variant.

use std::fs;
use std::path::{Path, PathBuf};

use byway_instrument::{cov, sym};
use byway_llvm::Llvm;
use byway_llvm::inkwell::module::Module;
use byway_program::{Canonical, ProgramMap, Subject, linked_names};

use crate::cache::{self, Cache};
use crate::error::VariantError;
use crate::kind::VariantKind;
use crate::relink::{Libraries, Relink};
use crate::scratch::Scratch;
use crate::{sanitize, toolchain, trust};

/// A variant that has been built.
#[derive(Debug, Clone)]
pub struct Variant {
    /// What it is for.
    pub kind: VariantKind,
    /// The program (or shared library).
    pub program: PathBuf,
}

/// Builds a variant, or finds it in the cache.
pub fn build(cache: &Cache, subject: &Subject, kind: VariantKind) -> Result<Variant, VariantError> {
    if !cache.is_trusting() {
        trust::check(subject)?;
    }
    let name = subject.name();
    let entry = match kind {
        VariantKind::Native => cache.entry(subject, kind.name(), &name, |directory| {
            let canonical = canonical(cache, subject)?;
            whole_program(subject, directory, &canonical.join(MODULE), Vec::new(), Vec::new())
        })?,
        VariantKind::Cov => {
            cache.entry(subject, kind.name(), &name, |directory| build_cov(cache, subject, directory))?
        }
        VariantKind::Asan => sanitize::entry(cache, subject)?,
        VariantKind::Sym => {
            cache.entry(subject, kind.name(), &name, |directory| build_sym(cache, subject, directory))?
        }
    };
    Ok(Variant { kind, program: entry.join(name) })
}

const MODULE: &str = "module.bc";
const MAP: &str = "map.json";
/// Beside the `sym` variant: for each site of a model of a library function, the name of the function.
const MODEL_SITES: &str = "models.json";

/// The map of a subject, from the cache if it is there.
pub fn program_map(cache: &Cache, subject: &Subject) -> Result<ProgramMap, VariantError> {
    let path = canonical(cache, subject)?.join(MAP);
    let unreadable = |source| VariantError::CacheEntry { path: path.clone(), source };
    let text = fs::read(&path).map_err(unreadable)?;
    serde_json::from_slice(&text).map_err(|error| unreadable(error.into()))
}

/// The cache entry with the canonical module and its map.
fn canonical(cache: &Cache, subject: &Subject) -> Result<PathBuf, VariantError> {
    cache.entry(subject, "canonical", MODULE, |directory| {
        let llvm = Llvm::new();
        let made = Canonical::make(&llvm, subject)?;
        let map = serde_json::to_vec(&made.map).expect("a map is plain data");
        cache::write(&directory.join(MAP), map)?;
        write_module(&made.module, &directory.join(MODULE))
    })
}

fn write_module(module: &Module<'_>, path: &Path) -> Result<(), VariantError> {
    cache::write(path, module.write_bitcode_to_memory().as_slice())
}

fn build_cov(cache: &Cache, subject: &Subject, directory: &Path) -> Result<(), VariantError> {
    // A library has no `main`.
    let (runtime, flags): (&[&[u8]], &[&str]) = match subject.is_shared_library() {
        true => (&[byway_runtime::COV], &[]),
        false => (&[byway_runtime::COV, byway_runtime::COV_MAIN], &["-Wl,--wrap=main"]),
    };
    instrumented(cache, subject, directory, runtime, flags, |llvm, module, map| {
        Ok(cov::instrument(llvm, module, map, subject.id.bytes())?)
    })
}

fn build_sym(cache: &Cache, subject: &Subject, directory: &Path) -> Result<(), VariantError> {
    // All names are looked up once, by the fork server, and not again in each of its runs.
    instrumented(cache, subject, directory, &[byway_runtime::SYM], &["-Wl,-z,now"], |llvm, module, map| {
        let linked = linked_names(subject);
        let names = sym::instrument(llvm, module, map, byway_runtime::MODELS, linked.as_ref())?;
        let names = serde_json::to_vec(&names).expect("names are plain data");
        cache::write(&directory.join(MODEL_SITES), names)
    })
}

/// Rewrites the canonical module and builds the program of it and of parts of the runtime.
fn instrumented(
    cache: &Cache,
    subject: &Subject,
    directory: &Path,
    runtime: &[&[u8]],
    flags: &[&str],
    rewrite: impl for<'llvm> FnOnce(&'llvm Llvm, &Module<'llvm>, &ProgramMap) -> Result<(), VariantError>,
) -> Result<(), VariantError> {
    let map = program_map(cache, subject)?;
    let path = canonical(cache, subject)?.join(MODULE);
    let bitcode = fs::read(&path).map_err(|source| VariantError::CacheEntry { path, source })?;
    let llvm = Llvm::new();
    let module = llvm.parse(&subject.name(), &bitcode).map_err(byway_instrument::InstrumentError::from)?;
    rewrite(&llvm, &module, &map)?;
    let scratch = Scratch::new(directory)?;
    let instrumented = scratch.path("instrumented.bc");
    write_module(&module, &instrumented)?;
    let mut objects = Vec::new();
    for (index, part) in runtime.iter().enumerate() {
        let object = scratch.path(&format!("runtime{index}.o"));
        cache::write(&object, part)?;
        objects.push(object);
    }
    let flags = flags.iter().map(|&flag| flag.into()).collect();
    whole_program(subject, directory, &instrumented, objects, flags)
}

/// Compiles one module that holds the whole program and links it.
fn whole_program(
    subject: &Subject,
    directory: &Path,
    bitcode: &Path,
    runtime: Vec<PathBuf>,
    flags: Vec<String>,
) -> Result<(), VariantError> {
    let scratch = Scratch::new(directory)?;
    let object = scratch.path("program.o");
    let what = format!("compiling {}", subject.name());
    toolchain::clang(&what, directory, &toolchain::compile_arguments("ir", bitcode, &object, &["-O2", "-g0"]))?;
    let relink = Relink {
        subject,
        objects: std::iter::once(object).chain(runtime).collect(),
        libraries: Libraries::Folded,
        flags,
        scratch: scratch.directory(),
    };
    relink.link(&directory.join(subject.name()))
}
