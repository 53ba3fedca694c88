//! Making each kind of variant.

use std::io;
use std::path::{Path, PathBuf};

use byway_map::{BlockId, MapError, ProgramCode, ProgramInstructions, ProgramMap};
use byway_program::Subject;

use crate::cache::{self, Cache};
use crate::error::VariantError;
use crate::job::{CODE, INSTRUCTIONS, INSTRUMENTED, Job, MAP, MODULE};
use crate::kind::VariantKind;
use crate::reader::read;
use crate::relink::{Libraries, Relink};
use crate::scratch::Scratch;
use crate::toolchain::{self, CLANG, ToolCall, Tools};
use crate::{sanitize, trust};

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
            whole_program(cache, subject, directory, &canonical.join(MODULE), Parts::default())
        })?,
        VariantKind::Cov => {
            cache.entry(subject, kind.name(), &name, |directory| build_cov(cache, subject, directory))?
        }
        VariantKind::Asan => sanitize::entry(cache, subject)?,
        VariantKind::Sym => {
            cache.entry(subject, kind.name(), &name, |directory| build_sym(cache, subject, directory, Vec::new()))?
        }
    };
    Ok(Variant { kind, program: entry.join(name) })
}

/// Builds a `sym` variant whose runs note when they come by one of these places: a block, and how many of its calls are before it.
pub fn build_noting(cache: &Cache, subject: &Subject, points: &[(BlockId, u32)]) -> Result<Variant, VariantError> {
    if !cache.is_trusting() {
        trust::check(subject)?;
    }
    let (name, kind) = (subject.name(), VariantKind::Sym);
    let text = serde_json::to_vec(points).expect("numbers are plain data");
    let entry_name = format!("{}-{}", kind.name(), &blake3::hash(&text).to_hex()[..16]);
    let entry =
        cache.entry(subject, &entry_name, &name, |directory| build_sym(cache, subject, directory, points.to_vec()))?;
    Ok(Variant { kind, program: entry.join(name) })
}

/// The map of a subject, from the cache if it is there.
pub fn program_map(cache: &Cache, subject: &Subject) -> Result<ProgramMap, VariantError> {
    read_map(&canonical(cache, subject)?)
}

/// What the code of a subject says, from the cache if it is there.
pub fn program_code(cache: &Cache, subject: &Subject) -> Result<ProgramCode, VariantError> {
    let entry = cache.entry(subject, "code", CODE, |directory| {
        let files = read(&Job::Code, subject)?;
        files.iter().try_for_each(|(name, content)| cache::write(&directory.join(name), content))
    })?;
    let path = entry.join(CODE);
    let code: ProgramCode = read_json(&path)?;
    code.validate().map_err(|error| invalid(&path, error))?;
    Ok(code)
}

/// What the instructions of a subject compute from what, from the cache if it is there.
pub fn program_instructions(
    cache: &Cache,
    subject: &Subject,
    map: &ProgramMap,
) -> Result<ProgramInstructions, VariantError> {
    let entry = cache.entry(subject, "instructions", INSTRUCTIONS, |directory| {
        let files = read(&Job::Instructions, subject)?;
        files.iter().try_for_each(|(name, content)| cache::write(&directory.join(name), content))
    })?;
    let path = entry.join(INSTRUCTIONS);
    let instructions: ProgramInstructions = read_json(&path)?;
    instructions.validate(map).map_err(|error| invalid(&path, error))?;
    Ok(instructions)
}

/// The map in the cache entry of a canonical module.
pub fn read_map(canonical: &Path) -> Result<ProgramMap, VariantError> {
    let path = canonical.join(MAP);
    let map: ProgramMap = read_json(&path)?;
    map.validate().map_err(|error| invalid(&path, error))?;
    Ok(map)
}

/// A file of the cache.
fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, VariantError> {
    let unreadable = |source| VariantError::CacheEntry { path: path.to_owned(), source };
    let text = byway_file::read(path, byway_file::PROGRAM).map_err(unreadable)?;
    serde_json::from_slice(&text).map_err(|error| unreadable(error.into()))
}

fn invalid(path: &Path, error: MapError) -> VariantError {
    VariantError::CacheEntry { path: path.to_owned(), source: io::Error::new(io::ErrorKind::InvalidData, error) }
}

/// The cache entry with the canonical module and its map.
fn canonical(cache: &Cache, subject: &Subject) -> Result<PathBuf, VariantError> {
    cache.entry(subject, "canonical", MODULE, |directory| {
        if subject.all_modules().is_empty() {
            return Err(VariantError::NoModules);
        }
        let files = read(&Job::Canonical, subject)?;
        files.iter().try_for_each(|(name, content)| cache::write(&directory.join(name), content))
    })
}

fn build_cov(cache: &Cache, subject: &Subject, directory: &Path) -> Result<(), VariantError> {
    // A library has no `main`.
    let (runtime, flags): (&[&[u8]], &[&str]) = match subject.is_shared_library() {
        true => (&[byway_runtime::COV], &[]),
        false => (&[byway_runtime::COV, byway_runtime::COV_MAIN], &["-Wl,--wrap=main"]),
    };
    instrumented(cache, subject, directory, runtime, flags, Job::Cov(canonical(cache, subject)?))
}

fn build_sym(
    cache: &Cache,
    subject: &Subject,
    directory: &Path,
    points: Vec<(BlockId, u32)>,
) -> Result<(), VariantError> {
    // All names are looked up once, by the fork server, and not again in each of its runs.
    let flags = &["-Wl,-z,now"];
    instrumented(
        cache,
        subject,
        directory,
        &[byway_runtime::SYM],
        flags,
        Job::Sym { canonical: canonical(cache, subject)?, points },
    )
}

/// Rewrites the canonical module and builds the program of it and of parts of the runtime.
fn instrumented(
    cache: &Cache,
    subject: &Subject,
    directory: &Path,
    runtime: &[&[u8]],
    flags: &[&str],
    job: Job,
) -> Result<(), VariantError> {
    let scratch = Scratch::new(directory)?;
    let instrumented = scratch.path(INSTRUMENTED);
    for (name, content) in read(&job, subject)? {
        let path = if name == INSTRUMENTED { instrumented.clone() } else { directory.join(name) };
        cache::write(&path, content)?;
    }
    let mut objects = Vec::new();
    for (index, part) in runtime.iter().enumerate() {
        let object = scratch.path(&format!("runtime{index}.o"));
        cache::write(&object, part)?;
        objects.push(object);
    }
    let flags = flags.iter().map(|&flag| flag.into()).collect();
    whole_program(cache, subject, directory, &instrumented, Parts { objects, flags })
}

/// What a variant is linked with besides the program.
#[derive(Debug, Default)]
struct Parts {
    objects: Vec<PathBuf>,
    flags: Vec<String>,
}

/// Compiles one module that holds the whole program and links it.
fn whole_program(
    cache: &Cache,
    subject: &Subject,
    directory: &Path,
    bitcode: &Path,
    parts: Parts,
) -> Result<(), VariantError> {
    let scratch = Scratch::new(directory)?;
    let (object, output) = (scratch.path("program.o"), directory.join(subject.name()));
    let relink = Relink {
        subject,
        objects: std::iter::once(object.clone()).chain(parts.objects).collect(),
        libraries: Libraries::Folded,
        flags: parts.flags,
        scratch: scratch.directory(),
    };
    let words = relink.arguments(cache, &output)?;
    let mut tools = Tools::new(cache, directory)?;
    let arguments = toolchain::compile_arguments("ir", bitcode, &object, &["-O2", "-g0"]);
    let what = format!("compiling {}", subject.name());
    tools.run(&ToolCall { what, tool: CLANG, directory, environment: None, arguments })?;
    relink.link(&mut tools, words, &output)
}
