//! The `asan` variant: compiled again from the sources, under AddressSanitizer and UndefinedBehaviorSanitizer.
//!
//! What UndefinedBehaviorSanitizer checks is known only to clang's front end, so each module is compiled from its source,
//! with the user's own arguments, as a user would do it. Where a source or a header is not what it was when the program was
//! built, clang is shown what is kept of it instead. If nothing is, the module is compiled from the bitcode it carries, and
//! checked by AddressSanitizer only.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use byway_carrier::{Dependency, Module as Carried};
use byway_program::{Subject, shared_name};
use byway_snapshot::ProgramSnapshot;

use crate::cache::{self, Cache};
use crate::error::VariantError;
use crate::job::Job;
use crate::overlay::{self, Overlaid};
use crate::reader;
use crate::relink::{Libraries, Relink};
use crate::scratch::Scratch;
use crate::toolchain::{self, CLANG, ToolCall, Tools};

const SANITIZE: &str = "-fsanitize=address,undefined";
/// A run may go on behind a report. Whether it does is up to `halt_on_error`: AddressSanitizer ends it unless told otherwise.
const RECOVER: &str = "-fsanitize-recover=address,undefined";
/// The name of the cache entry.
const ENTRY: &str = "asan-excepting";

/// How a module is compiled for the sanitizers.
#[derive(Debug, Clone, PartialEq, Eq)]
enum From<'a> {
    /// From its source. These files are others by now, or gone: what is kept of them takes their places.
    Source(Vec<Overlaid<'a>>),
    /// From its bitcode, since this file has changed or is gone, and is not kept.
    Bitcode(&'a Path),
}

/// The modules that only AddressSanitizer checks, each with the file that changed or is gone since the program was built.
pub fn partly_checked(subject: &Subject) -> Vec<(&Carried, &Path)> {
    let parts = subject.everything().into_iter();
    let partly = parts.flat_map(|part| {
        let mut state = State::new(part);
        let of_module = |module| match state.of(module) {
            From::Source(_) => None,
            From::Bitcode(changed) => Some((module, changed)),
        };
        part.modules.iter().filter_map(of_module).collect::<Vec<_>>()
    });
    partly.collect()
}

/// Which files are still what they were; looks at each only once.
struct State<'a> {
    snapshot: Option<&'a ProgramSnapshot>,
    seen: HashMap<(&'a Path, u64), File>,
}

/// What became of a file.
#[derive(Debug, Clone)]
enum File {
    Unchanged,
    Kept(PathBuf),
    Gone,
}

impl<'a> State<'a> {
    fn new(part: &'a Subject) -> State<'a> {
        State { snapshot: part.kept.snapshot.as_ref(), seen: HashMap::new() }
    }

    fn of(&mut self, module: &'a Carried) -> From<'a> {
        if module.dependencies.is_empty() {
            return From::Bitcode(Path::new(&module.source));
        }
        let mut overlaid = Vec::new();
        for dependency in &module.dependencies {
            match self.file(dependency) {
                File::Unchanged => {}
                File::Kept(kept) => overlaid.push(Overlaid { path: &dependency.0, kept }),
                File::Gone => return From::Bitcode(&dependency.0),
            }
        }
        // A list of exceptions is no dependency, and not kept.
        match module.directory.is_dir() || !module.arguments.iter().any(|argument| ignore_list(argument).is_some()) {
            true => From::Source(overlaid),
            false => From::Bitcode(&module.directory),
        }
    }

    fn file(&mut self, dependency: &'a Dependency) -> File {
        let look = || match dependency.holds() {
            true => File::Unchanged,
            false => self.snapshot.and_then(|of| of.source(dependency)).map_or(File::Gone, File::Kept),
        };
        self.seen.entry((&dependency.0, dependency.1)).or_insert_with(look).clone()
    }
}

/// The cache entry of the variant.
pub fn entry(cache: &Cache, subject: &Subject) -> Result<PathBuf, VariantError> {
    let name = if cache.contains(subject, ENTRY) { ENTRY.to_owned() } else { entry_name(subject) };
    cache.entry(subject, &name, &subject.name(), |directory| build(cache, subject, directory))
}

/// Which modules are compiled from bitcode is part of the name: with other sources changed it is another variant.
fn entry_name(subject: &Subject) -> String {
    let partly = partly_checked(subject);
    if partly.is_empty() {
        return ENTRY.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    for (module, _) in partly {
        module.source_path().hash(&mut hasher);
    }
    format!("{ENTRY}-partial-{:016x}", hasher.finish())
}

fn build(cache: &Cache, subject: &Subject, directory: &Path) -> Result<(), VariantError> {
    let scratch = Scratch::new(directory)?;
    let libraries = directory.join("lib");
    let all = subject.everything();
    if all.len() > 1 {
        fs::create_dir_all(&libraries).map_err(|source| VariantError::Cache { path: libraries.clone(), source })?;
    }
    // Libraries that others need come later in the list, and are built first.
    for library in all.iter().skip(1).rev() {
        let output = libraries.join(shared_name(&library.path));
        build_file(cache, library, &scratch, &libraries, &output, Vec::new())?;
    }
    let mut runtime = Vec::new();
    if !subject.is_shared_library() {
        let object = scratch.path("runtime.o");
        cache::write(&object, byway_runtime::ASAN)?;
        runtime.push(object);
    }
    build_file(cache, subject, &scratch, &libraries, &directory.join(subject.name()), runtime)
}

/// Compiles the modules of one file and links them.
fn build_file(
    cache: &Cache,
    part: &Subject,
    scratch: &Scratch,
    libraries: &Path,
    output: &Path,
    runtime: Vec<PathBuf>,
) -> Result<(), VariantError> {
    // Before all other places, also those of LD_LIBRARY_PATH: there are the program's own libraries, unchecked.
    let mut flags = vec![SANITIZE.to_owned(), "-Wl,--disable-new-dtags,-rpath,$ORIGIN/lib:$ORIGIN".to_owned()];
    if !runtime.is_empty() {
        flags.push("-Wl,--wrap=main".to_owned());
    }
    let mut objects = compile_all(cache, part, scratch)?;
    objects.extend(runtime);
    let directory = scratch.directory();
    let relink = Relink { subject: part, objects, libraries: Libraries::In(libraries), flags, scratch: directory };
    let arguments = relink.arguments(cache, output)?;
    let mut tools = Tools::new(cache, output.parent().unwrap_or(Path::new("/")))?;
    relink.link(&mut tools, arguments, output)
}

/// Compiles every module of one file, on all processors.
fn compile_all(cache: &Cache, part: &Subject, scratch: &Scratch) -> Result<Vec<PathBuf>, VariantError> {
    let directory = scratch.subdirectory()?;
    let mut state = State::new(part);
    let objects: Vec<PathBuf> = (0..part.modules.len()).map(|index| directory.join(format!("{index}.o"))).collect();
    let modules: Vec<_> = part.modules.iter().map(|module| (module, state.of(module))).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(modules.len());
    cache.work().begin(modules.len());
    let waiting = Mutex::new(modules.into_iter().zip(&objects));
    let work = || -> Result<(), VariantError> {
        let mut tools = Tools::new(cache, &directory)?;
        loop {
            let next = waiting.lock().expect("no worker panics while it holds the lock").next();
            let Some(((module, from), object)) = next else { return Ok(()) };
            let key = key(module, &from);
            if !cache.objects().take(&key, object) {
                match &from {
                    From::Source(overlaid) => compile_source(&mut tools, module, overlaid, object)?,
                    From::Bitcode(_) => compile_bitcode(&mut tools, module, object)?,
                }
                tools.deliver(object)?;
                // What cannot be kept is compiled again by the next program.
                let _ = cache.objects().put(&key, object);
            }
            cache.work().step();
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
    })?;
    let _ = cache.objects().make_room();
    Ok(objects)
}

/// What an object is made of: how it is compiled, and the content of all that is read for it. Nobody can make two contents with the
/// same hash, so a program cannot pass its object off as that of another.
fn key(module: &Carried, from: &From<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    add(ENTRY.as_bytes());
    add(&[u8::from(module.cxx)]);
    add(module.source.as_bytes());
    add(module.directory.as_os_str().as_encoded_bytes());
    for argument in &module.arguments {
        add(argument.as_bytes());
        if let Some(list) = ignore_list(argument) {
            add(&byway_file::read(&module.directory.join(list), byway_file::INPUT).unwrap_or_default());
        }
    }
    for (name, value) in &module.environment {
        add(name.as_bytes());
        add(value.as_bytes());
    }
    match from {
        From::Bitcode(_) => add(&module.bitcode),
        From::Source(overlaid) => {
            for Dependency(path, _) in &module.dependencies {
                let kept = overlaid.iter().find(|laid| laid.path == path).map(|laid| laid.kept.as_path());
                add(path.as_os_str().as_encoded_bytes());
                add(&byway_file::read(kept.unwrap_or(path), byway_file::INPUT).unwrap_or_default());
            }
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// The file with places that the sanitizers leave alone, if this argument names one.
fn ignore_list(argument: &str) -> Option<&str> {
    let list = argument.split_once("-ignorelist=").or_else(|| argument.split_once("-blacklist="));
    list.map(|(_, list)| list)
}

fn compile_source(
    tools: &mut Tools,
    module: &Carried,
    overlaid: &[Overlaid<'_>],
    object: &Path,
) -> Result<(), VariantError> {
    // Fortified functions bypass what AddressSanitizer intercepts. Zero, not undefined: config.h may define it if unset.
    // In this form it comes after all of the user's own.
    let fortify = "-Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=0";
    let mut ours = vec!["-g", "-fno-omit-frame-pointer", SANITIZE, RECOVER, fortify];
    if is_optimised(&module.arguments) {
        ours.push("-O1");
    }
    let mut arguments: Vec<String> = Vec::new();
    if module.cxx {
        arguments.push("--driver-mode=g++".to_owned());
    }
    let (input, flags) = module.arguments.split_last().expect("the input is the last argument");
    arguments.extend(flags.iter().cloned());
    arguments.extend(ours.iter().map(|&flag| flag.to_owned()));
    arguments.extend(exceptions(flags));
    arguments.extend(["-w", "-Qunused-arguments", "-fPIC", "-c", "-o"].map(str::to_owned));
    arguments.push(object.to_string_lossy().into_owned());
    let directory = overlay::directory(module, object, &mut arguments);
    let input = overlay::lay(tools, module, input, overlaid, (object, &mut arguments))?;
    arguments.extend(["--".to_owned(), input]);
    let what = format!("compiling {} for the sanitizers", module.source);
    tools.run(&ToolCall { what, tool: CLANG, directory, environment: Some(&module.environment), arguments })
}

/// The checks that the user's own build turns off, and does not turn on again: they stay so behind ours.
fn exceptions(flags: &[String]) -> Option<String> {
    let mut off: Vec<&str> = Vec::new();
    for flag in flags {
        if let Some(names) = flag.strip_prefix("-fno-sanitize=") {
            off.extend(names.split(','));
        } else if let Some(names) = flag.strip_prefix("-fsanitize=") {
            off.retain(|name| !names.split(',').any(|on| on == *name));
        }
    }
    (!off.is_empty()).then(|| format!("-fno-sanitize={}", off.join(",")))
}

/// Whether the user's build optimised: headers look at it, so we do as well, or we do not.
fn is_optimised(arguments: &[String]) -> bool {
    let level = arguments.iter().rfind(|argument| argument.starts_with("-O"));
    level.is_some_and(|level| level != "-O0")
}

fn compile_bitcode(tools: &mut Tools, module: &Carried, object: &Path) -> Result<(), VariantError> {
    let path = object.with_extension("bc");
    for (_, content) in reader::read(&Job::Asan, &reader::alone(Path::new(&module.source), module))? {
        tools.put(&path, &content)?;
    }
    let flags = ["-O1", "-fno-omit-frame-pointer", "-fsanitize=address", "-fsanitize-recover=address"];
    let what = format!("compiling the bitcode of {} for AddressSanitizer", module.source);
    let directory = object.parent().unwrap_or(Path::new("/"));
    let arguments = toolchain::compile_arguments("ir", &path, object, &flags);
    tools.run(&ToolCall { what, tool: CLANG, directory, environment: None, arguments })
}
