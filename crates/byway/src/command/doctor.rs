//! `byway doctor`: what a program carries, whether its variants build, what the machine offers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use byway_carrier::LinkOutput;
use byway_map::{ProgramMap, SiteKind};
use byway_program::{Subject, uncarried_functions};
use byway_report::demangled;
use byway_variant::{Cache, VariantError, VariantKind, partly_checked, program_map};
use serde::Serialize;

use crate::command::machine::Machine;
use crate::command::trace;
use crate::command::{build_variant, open_subject};
use crate::console::{self, thousands};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::{DoctorFlags, TraceFlags};

/// Runs the command.
pub fn run(flags: DoctorFlags) -> Result<ExitCode, Error> {
    let program = match &flags.program {
        Some(path) => {
            let cache = flags.cache.open()?;
            Some(examine(&open_subject(&cache, path)?, &cache)?)
        }
        None => None,
    };
    let report = Report { program, machine: Machine::examine() };
    if flags.json {
        console::print(&(serde_json::to_string_pretty(&report).expect("a report is plain data") + "\n"));
    } else {
        console::print(&in_words(&report));
    }
    if let (Some(program), true) = (&flags.program, has_run()) {
        console::print("\nrun\n");
        trace::run(TraceFlags::of_run(program, &flags.cache, &flags.arguments))?;
    }
    let complete = report.program.as_ref().is_none_or(Program::is_complete);
    Ok(if complete { ExitCode::Success } else { ExitCode::Incomplete })
}

/// Whether a run is asked for, also one without arguments.
fn has_run() -> bool {
    std::env::args_os().any(|word| word == "--")
}

#[derive(Debug, Serialize)]
struct Report {
    program: Option<Program>,
    machine: Machine,
}

#[derive(Debug, Serialize)]
struct Program {
    path: PathBuf,
    kind: &'static str,
    linked_by_byway_cc: bool,
    libraries: Vec<PathBuf>,
    modules: Vec<ModuleReport>,
    missing: Vec<Missing>,
    changed_sources: Vec<ChangedSource>,
    functions: usize,
    blocks: usize,
    sites: BTreeMap<SiteKind, usize>,
    external_functions: BTreeMap<String, u32>,
    functions_without_bitcode: Vec<String>,
    variants: Vec<VariantReport>,
}

#[derive(Debug, Serialize)]
struct ModuleReport {
    source: PathBuf,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ChangedSource {
    module: PathBuf,
    /// The source or header that changed or is gone since the program was built.
    changed: PathBuf,
}

#[derive(Debug, Serialize)]
struct Missing {
    file: PathBuf,
    reason: String,
}

#[derive(Debug, Serialize)]
struct VariantReport {
    variant: VariantKind,
    path: Option<PathBuf>,
    problem: Option<String>,
}

impl Program {
    fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.variants.iter().all(|variant| variant.problem.is_none())
    }
}

fn examine(subject: &Subject, cache: &Cache) -> Result<Program, Error> {
    let map = match program_map(cache, subject) {
        // Saying why is our job.
        Err(VariantError::NoModules) => ProgramMap::default(),
        map => map?,
    };
    Ok(Program {
        path: subject.path.clone(),
        kind: match subject.link.as_ref().map(|link| link.kind) {
            Some(LinkOutput::Shared) => "shared library",
            Some(LinkOutput::Executable) => "program",
            Some(LinkOutput::Relocatable) | None => "file",
        },
        linked_by_byway_cc: subject.link.is_some(),
        libraries: subject.everything().iter().skip(1).map(|library| library.path.clone()).collect(),
        modules: modules(subject),
        missing: missing(subject),
        changed_sources: changed_sources(subject),
        functions: map.functions.len(),
        blocks: map.blocks.len(),
        sites: map.sites_by_kind(),
        functions_without_bitcode: uncarried_functions(&subject.path, &map).into_iter().collect(),
        external_functions: external_functions(&map),
        variants: kinds(subject).map(|kind| try_variant(cache, subject, kind)).collect(),
    })
}

fn external_functions(map: &ProgramMap) -> BTreeMap<String, u32> {
    map.calls_of_externals().into_iter().map(|(name, calls)| (name.to_owned(), calls)).collect()
}

/// A library is executed symbolically as a part of the programs that use it.
fn kinds(subject: &Subject) -> impl Iterator<Item = VariantKind> {
    let library = subject.is_shared_library();
    VariantKind::ALL.into_iter().filter(move |kind| !(library && *kind == VariantKind::Sym))
}

fn modules(subject: &Subject) -> Vec<ModuleReport> {
    let modules = subject.all_modules().into_iter();
    modules.map(|module| ModuleReport { source: module.source_path(), notes: module.notes.clone() }).collect()
}

/// The modules whose sources are not what they were: UndefinedBehaviorSanitizer cannot check those.
fn changed_sources(subject: &Subject) -> Vec<ChangedSource> {
    let partly = partly_checked(subject).into_iter();
    partly
        .map(|(module, changed)| ChangedSource { module: module.source_path(), changed: changed.to_owned() })
        .collect()
}

fn missing(subject: &Subject) -> Vec<Missing> {
    let mut missing = Vec::new();
    for part in subject.everything() {
        let absent = part.absent.iter().map(|absent| (absent.directory.join(&absent.source), absent.reason.clone()));
        let files = absent.chain(part.plain.iter().cloned());
        missing.extend(files.map(|(file, reason)| Missing { file, reason }));
    }
    missing
}

fn try_variant(cache: &Cache, subject: &Subject, kind: VariantKind) -> VariantReport {
    let (path, problem) = match build_variant(cache, subject, kind) {
        Ok(variant) => (Some(variant.program), None),
        Err(error) => (None, Some(error.to_string())),
    };
    VariantReport { variant: kind, path, problem }
}

fn in_words(report: &Report) -> String {
    let mut lines = Vec::new();
    if let Some(program) = &report.program {
        lines.extend(program_lines(program));
        lines.push(String::new());
    }
    lines.push("machine".to_owned());
    for (name, offer) in report.machine.offers() {
        let mark = if offer.available { "" } else { "missing: " };
        lines.push(format!("  {name:<12} {mark}{}", offer.detail));
    }
    lines.join("\n") + "\n"
}

fn program_lines(program: &Program) -> Vec<String> {
    let mut lines = vec![format!("{} ({})", program.path.display(), program.kind)];
    if !program.linked_by_byway_cc {
        lines.push("  not linked by byway-cc: variants are linked without the libraries it needs".to_owned());
    }
    lines.extend(program.libraries.iter().map(|library| format!("  with {}", library.display())));
    let modules = thousands(program.modules.len());
    lines.push(format!("  modules      {modules} with bitcode, {} without", program.missing.len()));
    let missing = program.missing.iter();
    lines.extend(missing.map(|missing| format!("    without: {}: {}", missing.file.display(), missing.reason)));
    lines.extend(note_lines(program));
    lines.push(format!("  functions    {} in {} blocks", thousands(program.functions), thousands(program.blocks)));
    let names = &program.functions_without_bitcode;
    if !names.is_empty() {
        let some = some_of(names.iter().map(String::as_str));
        lines.push(format!("    without bitcode: {} ({some})", thousands(names.len())));
    }
    lines.push(format!("  sites        {} in all", thousands(program.sites.values().sum())));
    let rows = program.sites.iter().map(|(kind, &count)| vec![format!("    {}", name(kind)), thousands(count)]);
    lines.extend(console::table(&rows.collect::<Vec<_>>()).lines().map(str::to_owned));
    let external = some_of(program.external_functions.keys().map(String::as_str));
    lines.push(format!("  external     {} functions ({external})", program.external_functions.len()));
    lines.push("  variants".to_owned());
    for variant in &program.variants {
        let problem = variant.problem.as_ref();
        let state = problem.map_or("builds".to_owned(), |problem| format!("does not build: {problem}"));
        lines.push(format!("    {:<10} {state}", variant.variant.name()));
    }
    lines
}

/// What is worth knowing about the modules, each with the number of modules it concerns.
fn note_lines(program: &Program) -> Vec<String> {
    let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
    for note in program.modules.iter().flat_map(|module| &module.notes) {
        *notes.entry(note).or_default() += 1;
    }
    let mut lines: Vec<String> =
        notes.iter().map(|(note, &count)| format!("    {} of them: {note}", thousands(count))).collect();
    if let Some(first) = program.changed_sources.first() {
        let count = thousands(program.changed_sources.len());
        lines.push(format!(
            "    {count} of them: a source changed since the build ({}); AddressSanitizer checks them, UBSan does not",
            first.changed.display()
        ));
    }
    lines
}

/// The name of a kind as JSON has it.
fn name(kind: &SiteKind) -> String {
    serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The first names of a list; `--json` has them all.
fn some_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<String> = names.take(SHOWN + 1).map(demangled).collect();
    if names.len() > SHOWN {
        names[SHOWN] = "...".to_owned();
    }
    names.join(", ")
}
