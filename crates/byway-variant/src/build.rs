//! Making each kind of variant.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use byway_carrier::Module as Carried;
use byway_instrument::cov;
use byway_llvm::Llvm;
use byway_llvm::inkwell::module::Module;
use byway_program::{Canonical, ProgramMap, Subject};

use crate::cache::{self, Cache};
use crate::elf_names::shared_name;
use crate::error::VariantError;
use crate::kind::VariantKind;
use crate::relink::{Libraries, Relink, is_shared};
use crate::toolchain;

const SANITIZE: &[&str] = &["-fsanitize=address,undefined", "-fno-omit-frame-pointer"];

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
    let entry = match kind {
        VariantKind::Native => cache.entry(subject, kind.name(), |directory| {
            let canonical = canonical(cache, subject)?;
            whole_program(subject, directory, &canonical.join(MODULE), Vec::new())
        })?,
        VariantKind::Cov => cache.entry(subject, kind.name(), |directory| build_cov(cache, subject, directory))?,
        VariantKind::Asan => cache.entry(subject, kind.name(), |directory| build_asan(subject, directory))?,
    };
    Ok(Variant { kind, program: entry.join(subject.name()) })
}

const MODULE: &str = "module.bc";
const MAP: &str = "map.json";

/// The map of a subject, from the cache if it is there.
pub fn program_map(cache: &Cache, subject: &Subject) -> Result<ProgramMap, VariantError> {
    let path = canonical(cache, subject)?.join(MAP);
    let unreadable = |source| VariantError::Cache { path: path.clone(), source };
    let text = fs::read(&path).map_err(unreadable)?;
    serde_json::from_slice(&text).map_err(|error| unreadable(error.into()))
}

/// The cache entry with the canonical module and its map.
fn canonical(cache: &Cache, subject: &Subject) -> Result<PathBuf, VariantError> {
    cache.entry(subject, "canonical", |directory| {
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
    let map = program_map(cache, subject)?;
    let path = canonical(cache, subject)?.join(MODULE);
    let bitcode = fs::read(&path).map_err(|source| VariantError::Cache { path, source })?;
    let llvm = Llvm::new();
    let module = llvm.parse(&subject.name(), &bitcode).map_err(byway_instrument::InstrumentError::from)?;
    cov::instrument(&llvm, &module, &map, subject.id.bytes())?;
    let scratch = Scratch::new(directory)?;
    let instrumented = scratch.path("cov.bc");
    write_module(&module, &instrumented)?;
    let runtime = scratch.path("runtime.o");
    cache::write(&runtime, byway_runtime::COV)?;
    whole_program(subject, directory, &instrumented, vec![runtime])
}

/// Compiles one module that holds the whole program and links it.
fn whole_program(
    subject: &Subject,
    directory: &Path,
    bitcode: &Path,
    runtime: Vec<PathBuf>,
) -> Result<(), VariantError> {
    let scratch = Scratch::new(directory)?;
    let object = scratch.path("program.o");
    let what = format!("compiling {}", subject.name());
    toolchain::clang(&what, directory, &toolchain::compile_arguments(bitcode, &object, &["-g0"]))?;
    let relink = Relink {
        subject,
        objects: std::iter::once(object).chain(runtime).collect(),
        libraries: Libraries::Folded,
        flags: Vec::new(),
        scratch: scratch.directory.path(),
    };
    relink.link(&directory.join(subject.name()))
}

fn build_asan(subject: &Subject, directory: &Path) -> Result<(), VariantError> {
    let scratch = Scratch::new(directory)?;
    let libraries = directory.join("lib");
    let all = subject.everything();
    if all.len() > 1 {
        fs::create_dir_all(&libraries).map_err(|source| VariantError::Cache { path: libraries.clone(), source })?;
    }
    // Libraries that others need come later in the list, and are built first.
    for library in all.iter().skip(1).rev() {
        let output = libraries.join(shared_name(&library.path));
        sanitize(library, &scratch, &libraries, &output, Vec::new())?;
    }
    let mut runtime = Vec::new();
    if !is_shared(subject) {
        let object = scratch.path("runtime.o");
        cache::write(&object, byway_runtime::ASAN)?;
        runtime.push(object);
    }
    sanitize(subject, &scratch, &libraries, &directory.join(subject.name()), runtime)
}

/// Compiles the modules of one file for the sanitizers and links them.
fn sanitize(
    part: &Subject,
    scratch: &Scratch,
    libraries: &Path,
    output: &Path,
    runtime: Vec<PathBuf>,
) -> Result<(), VariantError> {
    let mut flags: Vec<String> = SANITIZE.iter().map(|&flag| flag.to_owned()).collect();
    flags.push("-Wl,-rpath,$ORIGIN/lib:$ORIGIN".to_owned());
    if !runtime.is_empty() {
        flags.push("-Wl,--wrap=main".to_owned());
    }
    let mut objects = compile_sanitized(part, scratch)?;
    objects.extend(runtime);
    let directory = scratch.directory.path();
    let relink = Relink { subject: part, objects, libraries: Libraries::In(libraries), flags, scratch: directory };
    relink.link(output)
}

/// Compiles every module of one file, on all processors.
fn compile_sanitized(part: &Subject, scratch: &Scratch) -> Result<Vec<PathBuf>, VariantError> {
    let directory = scratch.subdirectory()?;
    let objects: Vec<PathBuf> = (0..part.modules.len()).map(|index| directory.join(format!("{index}.o"))).collect();
    let waiting = Mutex::new(part.modules.iter().zip(&objects));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Result<(), VariantError> {
        loop {
            let next = waiting.lock().expect("no worker panics while it holds the lock").next();
            let Some((module, object)) = next else { return Ok(()) };
            compile_sanitized_module(module, object)?;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
    })?;
    Ok(objects)
}

/// A module whose sanitized bitcode could not be made takes part as it is, unchecked.
fn compile_sanitized_module(module: &Carried, object: &Path) -> Result<(), VariantError> {
    let compressed = |source| VariantError::Compressed { source_file: module.source.clone(), source };
    let (bitcode, flags) = match module.sanitized.bitcode().map_err(compressed)? {
        Ok(bitcode) => (bitcode, SANITIZE),
        Err(_) => (module.bitcode().map_err(compressed)?, &[][..]),
    };
    let path = object.with_extension("bc");
    cache::write(&path, bitcode)?;
    let what = format!("compiling {} for the sanitizers", module.source);
    let directory = object.parent().unwrap_or(Path::new("/"));
    toolchain::clang(&what, directory, &toolchain::compile_arguments(&path, object, flags))
}

/// A directory inside a cache entry that is being filled; it goes before the entry is complete.
struct Scratch {
    directory: tempfile::TempDir,
}

impl Scratch {
    fn new(entry: &Path) -> Result<Self, VariantError> {
        let cannot = |source| VariantError::Cache { path: entry.to_owned(), source };
        Ok(Scratch { directory: tempfile::tempdir_in(entry).map_err(cannot)? })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn subdirectory(&self) -> Result<PathBuf, VariantError> {
        let path = self.directory.path();
        let cannot = |source| VariantError::Cache { path: path.to_owned(), source };
        tempfile::tempdir_in(path).map(tempfile::TempDir::keep).map_err(cannot)
    }
}
