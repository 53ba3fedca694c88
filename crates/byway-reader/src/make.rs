//! Making what was asked for.

use std::path::Path;

use byway_canonical::{Canonical, CanonicalError, program_code, program_instructions};
use byway_instrument::{InstrumentError, cov, sym};
use byway_llvm::inkwell::module::Module;
use byway_llvm::{Llvm, rewrite};
use byway_map::ProgramMap;
use byway_program::{Subject, linked_names};
use byway_variant::VariantError;
use byway_variant::job::{CODE, Files, INSTRUCTIONS, INSTRUMENTED, Job, MAP, MODEL_SITES, MODULE};

use crate::error::ReadError;

/// Does a job.
pub fn make(job: &Job, subject: &Subject) -> Result<Files, ReadError> {
    let llvm = Llvm::new();
    let plain = |value: serde_json::Result<Vec<u8>>| value.expect("maps and names are plain data");
    match job {
        Job::Canonical => {
            let made = Canonical::make(&llvm, subject)?;
            Ok(vec![(MAP.to_owned(), plain(serde_json::to_vec(&made.map))), file(MODULE, &made.module)])
        }
        Job::Code => {
            let code = program_code(&llvm, subject)?;
            Ok(vec![(CODE.to_owned(), plain(serde_json::to_vec(&code)))])
        }
        Job::Instructions => {
            let instructions = program_instructions(&llvm, subject)?;
            Ok(vec![(INSTRUCTIONS.to_owned(), plain(serde_json::to_vec(&instructions)))])
        }
        Job::Cov(canonical) => {
            let (mut module, map) = parse(&llvm, subject, canonical)?;
            cov::instrument(&llvm, &mut module, &map, subject.id.bytes())?;
            Ok(vec![file(INSTRUMENTED, &module)])
        }
        Job::Sym { canonical, points } => {
            let (mut module, map) = parse(&llvm, subject, canonical)?;
            let linked = linked_names(subject);
            let names = sym::instrument(&llvm, &mut module, &map, byway_runtime::MODELS, linked.as_ref(), points)?;
            Ok(vec![(MODEL_SITES.to_owned(), plain(serde_json::to_vec(&names))), file(INSTRUMENTED, &module)])
        }
        Job::Asan => Ok(vec![file(INSTRUMENTED, &checked(&llvm, subject)?)]),
    }
}

fn file(name: &str, module: &Module<'_>) -> (String, Vec<u8>) {
    (name.to_owned(), module.write_bitcode_to_memory().as_slice().to_vec())
}

/// The canonical module of a cache entry, with its map.
fn parse<'llvm>(
    llvm: &'llvm Llvm,
    subject: &Subject,
    canonical: &Path,
) -> Result<(Module<'llvm>, ProgramMap), ReadError> {
    let path = canonical.join(MODULE);
    let bitcode =
        byway_file::read(&path, byway_file::PROGRAM).map_err(|source| VariantError::CacheEntry { path, source })?;
    let module = llvm.parse(&subject.name(), &bitcode).map_err(InstrumentError::from)?;
    Ok((module, byway_variant::read_map(canonical)?))
}

/// The only module of a subject, to be checked by AddressSanitizer.
fn checked<'llvm>(llvm: &'llvm Llvm, subject: &Subject) -> Result<Module<'llvm>, ReadError> {
    let module = subject.modules.first().ok_or(CanonicalError::NoModules)?;
    let source_file = module.source.clone();
    let bitcode = module.bitcode().map_err(|source| ReadError::Compressed { source_file, source })?;
    let parsed = llvm.parse(&module.source, &bitcode).map_err(InstrumentError::from)?;
    rewrite::add_function_attribute(llvm, &parsed, "sanitize_address");
    Ok(parsed)
}
