//! Whether points-to sets hold what runs do: where a load reads what a store wrote, both may access the same memory.
//!
//! Programs are built so that each store notes itself in a shadow of memory, and each load says which store it reads from. Subjects of all
//! kinds are run as their comments say: a sample of them, and all with `--ignored`. `BYWAY_PROGRAM` names another program built with
//! `byway-cc`, and `BYWAY_COMMAND` what is run by a shell with it as `program`; `--nocapture` prints figures.

mod common;
#[path = "common/sym.rs"]
mod sym;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use byway_canonical::{last_writers, program_instructions};
use byway_dependence::{CellId, Origin, PointsTo};
use byway_llvm::Llvm;
use byway_map::{Operand, Operation, ProgramInstructions};
use byway_program::Subject;
use common::Project;
use sym::SymSubject;

/// The shadow: for each byte of memory the store that wrote it last. Memory that is allocated, by whomever, or comes to life forgets.
const SHADOW: &str = r#"
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define PAGES (1u << 20)
#define PAIRS (1u << 22)
static struct { uint64_t page; uint32_t *writers; } *pages;
static uint64_t *pairs;
static void *room(size_t bytes) {
  return mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
static uint32_t *writer(uint64_t address) {
  if (!pages) {
    pages = room(PAGES * sizeof *pages);
    pairs = room(PAIRS * sizeof *pairs);
  }
  uint64_t page = (address >> 12) + 1, slot = page * 0x9e3779b97f4a7c15 >> 44;
  while (pages[slot].page && pages[slot].page != page)
    slot = (slot + 1) % PAGES;
  if (!pages[slot].page) {
    pages[slot].page = page;
    pages[slot].writers = room(4096 * 4);
  }
  return pages[slot].writers + (address & 4095);
}
void last_writer_store(void *at, uint64_t size, uint64_t number) {
  for (uint64_t i = 0; i < size; i++)
    *writer((uint64_t)at + i) = number + 1;
}
void last_writer_forget(void *at, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    *writer((uint64_t)at + i) = 0;
}
void last_writer_load(void *at, uint64_t size, uint64_t number) {
  for (uint64_t i = 0; i < size; i++) {
    uint64_t from = *writer((uint64_t)at + i);
    if (!from)
      continue;
    uint64_t pair = from << 32 | number, slot = pair * 0x9e3779b97f4a7c15 >> 42;
    while (pairs[slot] && pairs[slot] != pair)
      slot = (slot + 1) % PAIRS;
    pairs[slot] = pair;
  }
}
__attribute__((destructor)) static void leave(void) {
  FILE *file = fopen(getenv("LAST_WRITERS"), "a");
  for (uint64_t i = 0; pairs && i < PAIRS; i++)
    if (pairs[i])
      fprintf(file, "%u %u\n", (unsigned)(pairs[i] >> 32) - 1, (unsigned)pairs[i]);
  fclose(file);
}
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
static void *forgotten(void *new) {
  last_writer_forget(new, new ? malloc_usable_size(new) : 0);
  return new;
}
void *malloc(size_t size) { return forgotten(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return forgotten(__libc_calloc(count, size)); }
void *realloc(void *old, size_t size) { return forgotten(__libc_realloc(old, size)); }
void *memalign(size_t align, size_t size) { return forgotten(__libc_memalign(align, size)); }
void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
"#;

/// A program whose loads say what they read.
struct Observed {
    project: Project,
    instructions: ProgramInstructions,
    program: PathBuf,
}

/// What was seen of programs.
#[derive(Default)]
struct Seen {
    programs: usize,
    pairs: usize,
    /// The sums over programs of what is printed of each.
    addresses: usize,
    objects: usize,
    targets: f64,
    elapsed: Duration,
    wrong: Vec<String>,
    /// Programs that cannot be linked with the shadow.
    unlinked: Vec<String>,
}

impl Seen {
    /// Builds a program and checks what commands read.
    fn add(&mut self, name: &str, subject: &Path, (files, flags, commands): (&[(String, Vec<u8>)], &str, &str)) {
        match Observed::new(subject, flags) {
            Ok(observed) => {
                files.iter().for_each(|(name, content)| observed.project.write(name, content));
                self.programs += 1;
                let wrong = observed.check(commands, self);
                self.wrong.extend(wrong.into_iter().map(|(store, load)| format!("{name}: {load} reads {store}")));
            }
            Err(error) => self.unlinked.push(format!("{name}: {error}")),
        }
    }

    /// Prints it all, and fails if a pair is not in points-to sets.
    fn conclude(&self) {
        let Seen { programs, pairs, addresses, objects, targets, elapsed, unlinked, wrong } = self;
        let mean = targets / (*addresses).max(1) as f64;
        println!(
            "{programs} programs: {pairs} pairs; {addresses} accesses, {objects} objects, {mean:.2} on average; {elapsed:?}"
        );
        println!("without shadow: {unlinked:?}");
        assert!(wrong.is_empty(), "{} of {pairs} pairs are not in points-to sets: {wrong:#?}", wrong.len());
    }
}

impl Observed {
    fn new(subject: &Path, flags: &str) -> Result<Observed, String> {
        let project = Project::with(&[("shadow.c", SHADOW)]);
        let subject = Subject::open(subject).unwrap();
        let llvm = Llvm::new();
        let instructions = program_instructions(&llvm, &subject).unwrap();
        let module = last_writers(&llvm, &subject).unwrap();
        project.write("program.bc", module.write_bitcode_to_memory().as_slice());
        // Optimised, variables would share their places on the stack.
        let link = format!("clang-19 -O0 -w program.bc shadow.o -o program {flags}");
        let ran =
            project.shell(&format!("clang-19 -O1 -w -fno-builtin -c shadow.c && {link} && ln -s program subject"));
        if ran.code != Some(0) {
            return Err(ran.stderr);
        }
        let program = project.path("program");
        Ok(Observed { project, instructions, program })
    }

    /// The pairs of a store and a load that a run of commands shows, each as function and instruction.
    fn run(&self, commands: &str) -> BTreeSet<((u32, u32), (u32, u32))> {
        let pairs = self.project.path("pairs");
        let directory = self.program.parent().unwrap().display().to_string();
        self.project.shell(&format!("export LAST_WRITERS={} PATH={directory}:$PATH; {commands}", pairs.display()));
        let starts: Vec<u32> = self
            .instructions
            .functions
            .iter()
            .scan(0, |next, function| Some(std::mem::replace(next, *next + function.instructions.len() as u32)))
            .collect();
        let place = |number: &str| {
            let number: u32 = number.parse().unwrap();
            let function = starts.partition_point(|&start| start <= number) - 1;
            (function as u32, number - starts[function])
        };
        let text = fs::read_to_string(pairs).unwrap_or_default();
        text.lines().map(|line| line.split_once(' ').map(|(a, b)| (place(a), place(b))).unwrap()).collect()
    }

    /// What runs show and points-to sets do not have.
    fn check(&self, commands: &str, seen: &mut Seen) -> Vec<(String, String)> {
        let begun = Instant::now();
        let points_to = PointsTo::new(&self.instructions);
        seen.elapsed += begun.elapsed();
        let size = points_to.size(&self.instructions);
        seen.addresses += size.addresses;
        seen.objects += size.objects;
        seen.targets += size.mean * size.addresses as f64;
        let pairs = self.run(commands);
        seen.pairs += pairs.len();
        let is_wrong = |&(store, load): &((u32, u32), (u32, u32))| {
            let (written, read) = (self.sandboxes(&points_to, store, 1), self.sandboxes(&points_to, load, 0));
            written.is_disjoint(&read) && !self.reads_arguments(&points_to, load)
        };
        pairs.into_iter().filter(is_wrong).map(|(store, load)| (self.position(store), self.position(load))).collect()
    }

    fn access(&self, (function, index): (u32, u32), operand: usize) -> (&Operand, u32) {
        let instruction = &self.instructions.functions[function as usize].instructions[index as usize];
        match instruction.operation {
            Operation::Load(size) | Operation::Store(size) => (&instruction.operands[operand], size as u32),
            ref other => panic!("{other:?} is no access"),
        }
    }

    fn sandboxes(&self, points_to: &PointsTo, access: (u32, u32), operand: usize) -> BTreeSet<CellId> {
        let (address, size) = self.access(access, operand);
        points_to.of(access.0, address).flat_map(|location| points_to.sandboxes(location, size)).collect()
    }

    /// Whether a load is of a variable argument itself, which the caller left in a register or on the stack: no store wrote it there. What
    /// such an argument points to is read by other loads.
    fn reads_arguments(&self, points_to: &PointsTo, load: (u32, u32)) -> bool {
        let (address, _) = self.access(load, 0);
        let mut origins = points_to.of(load.0, address).map(|location| points_to.origin(location.object)).peekable();
        origins.peek().is_some() && origins.all(|origin| matches!(origin, Origin::Arguments(_)))
    }

    fn position(&self, (function, index): (u32, u32)) -> String {
        let function = &self.instructions.functions[function as usize];
        let position = function.instructions[index as usize].position;
        let place = position
            .map(|(file, line, column)| format!("{}:{line}:{column}", self.instructions.files[file.index()].display()));
        format!("{} in {}", place.unwrap_or_default(), function.symbol)
    }
}

/// A subject that can be run: its sources, the flags of its compiler and what is run.
struct Runnable {
    name: String,
    project: Project,
    files: Vec<(String, Vec<u8>)>,
    commands: String,
}

/// Subjects whose code other processes or threads run, too, or whose libraries a test brings.
fn is_foreign(source: &str) -> bool {
    ["pthread_create", "<klee/klee.h>", "dlopen"].iter().any(|word| source.contains(word))
}

impl Runnable {
    /// A subject of a kind in one file.
    fn of_file(kind: &str, path: &Path) -> Option<Runnable> {
        let source = fs::read_to_string(path).ok()?;
        let lines = |prefix: &str| -> Vec<String> {
            source.lines().filter_map(|line| line.strip_prefix(prefix)).map(str::to_owned).collect()
        };
        let name = format!("{kind}/{}", path.file_stem()?.to_string_lossy());
        let project = Project::new();
        project.write("program.c", &source);
        let mut files = Vec::new();
        let commands = match kind {
            "check" => lines("// test: ").join("\n"),
            _ => {
                // The others say the same in the same words; what only some kinds know is skipped.
                let known = source.lines().filter(|line| !line.contains("//~")).collect::<Vec<_>>().join("\n");
                let subject = SymSubject::parse("program.c", &known).ok()?;
                // An argument ends at its first zero.
                let quoted =
                    |word: &String| format!("'{}'", word.split('\0').next().unwrap_or_default().replace('\'', "'\\''"));
                let words: Vec<String> = subject.arguments.iter().map(quoted).collect();
                files = subject.files;
                files.push(("standard.input".to_owned(), subject.stdin.unwrap_or_default()));
                format!("program {} <standard.input", words.join(" "))
            }
        };
        (!is_foreign(&source)).then_some(Runnable { name, project, files, commands })
    }

    /// The new version of a pair.
    fn of_pair(kind: &str, path: &Path) -> Option<Runnable> {
        let project = Project::new();
        let mut commands = String::new();
        let sources = match path.join("new.c") {
            one if one.exists() => vec![one],
            _ => fs::read_dir(path.join("new")).ok()?.map(|entry| entry.unwrap().path()).collect(),
        };
        for source in sources {
            let text = fs::read_to_string(&source).ok()?;
            let tests = text.lines().filter_map(|line| line.strip_prefix("// $ "));
            tests.for_each(|test| commands.push_str(&format!("({test}) || true\n")));
            if is_foreign(&text) {
                return None;
            }
            project.write(&source.file_name()?.to_string_lossy(), text);
        }
        if commands.is_empty() {
            commands = "program 12-3- x || true; program || true; printf 'a\naa\n' | program 7 8 9".to_owned();
        }
        let name = format!("{kind}/{}", path.file_name()?.to_string_lossy());
        Some(Runnable { name, project, files: Vec::new(), commands })
    }

    /// All of a kind.
    fn all(kind: &str) -> Vec<Runnable> {
        let of = |path: &PathBuf| if path.is_dir() { Self::of_pair(kind, path) } else { Self::of_file(kind, path) };
        common::subjects(kind).iter().filter_map(of).collect()
    }

    fn check(&self, seen: &mut Seen) {
        self.project.shell("byway-cc -g -O1 -w *.c -o program").ok();
        let commands = format!("timeout 20 sh -c '{}'", self.commands.replace('\'', "'\\''"));
        seen.add(&self.name, &self.project.path("program"), (&self.files, "-lm", &commands));
    }
}

/// The kinds of subjects that run.
const KINDS: [&str; 6] = ["sym", "inputs", "explore", "check", "diff", "changes"];

#[test]
fn what_loads_read_is_in_points_to_sets() {
    let mut seen = Seen::default();
    Runnable::all("interactions").iter().for_each(|runnable| runnable.check(&mut seen));
    seen.conclude();
    assert!(seen.pairs > 100, "{}", seen.pairs);
}

#[test]
fn what_loads_of_a_sample_of_all_subjects_read_is_in_points_to_sets() {
    const ONE_OF: usize = 20;
    let mut seen = Seen::default();
    let all = KINDS.into_iter().flat_map(Runnable::all);
    all.step_by(ONE_OF).for_each(|runnable| runnable.check(&mut seen));
    seen.conclude();
    assert!(seen.programs > 10 && seen.pairs > 100, "{} pairs of {} programs", seen.pairs, seen.programs);
}

#[test]
#[ignore = "takes minutes"]
fn what_loads_of_all_subjects_read_is_in_points_to_sets() {
    let mut all = Seen::default();
    for kind in KINDS {
        let before = all.pairs;
        Runnable::all(kind).iter().for_each(|runnable| runnable.check(&mut all));
        println!("{kind}: {} pairs, {} wrong so far", all.pairs - before, all.wrong.len());
    }
    all.conclude();
}

#[test]
#[ignore = "for a program of one's own"]
fn what_loads_of_a_program_read_is_in_points_to_sets() {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let flags = std::env::var("BYWAY_FLAGS").unwrap_or_default();
    let mut seen = Seen::default();
    let program = variable("BYWAY_PROGRAM");
    seen.add(&program, Path::new(&program), (&[], &flags, &variable("BYWAY_COMMAND")));
    seen.conclude();
    assert!(seen.unlinked.is_empty(), "the program cannot be linked with the shadow");
}
