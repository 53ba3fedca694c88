//! Whether points-to sets hold what runs do: where a load reads what a store wrote, both may access the same memory.
//!
//! Programs are built so that each store notes itself in a shadow of memory, and each load says which store it reads from. `BYWAY_PROGRAM`
//! names another program built with `byway-cc`, and `BYWAY_COMMAND` what is run by a shell with it as `program`; `--nocapture` prints figures.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use byway_canonical::{last_writers, program_instructions};
use byway_dependence::{CellId, Origin, PointsTo};
use byway_llvm::Llvm;
use byway_map::{Operand, Operation, ProgramInstructions};
use byway_program::Subject;
use common::Project;

/// The shadow: for each byte of memory the store that wrote it last. Memory that is allocated, freed or comes to life forgets.
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
void *__real_malloc(size_t), *__real_calloc(size_t, size_t), *__real_realloc(void *, size_t), __real_free(void *);
void *__wrap_malloc(size_t size) {
  void *new = __real_malloc(size);
  last_writer_forget(new, new ? malloc_usable_size(new) : 0);
  return new;
}
void *__wrap_calloc(size_t count, size_t size) {
  void *new = __real_calloc(count, size);
  last_writer_forget(new, new ? malloc_usable_size(new) : 0);
  return new;
}
void *__wrap_realloc(void *old, size_t size) {
  void *new = __real_realloc(old, size);
  last_writer_forget(new, new ? malloc_usable_size(new) : 0);
  return new;
}
"#;

/// A program whose loads say what they read.
struct Observed {
    project: Project,
    instructions: ProgramInstructions,
    program: PathBuf,
}

impl Observed {
    fn new(subject: &Path, flags: &str) -> Observed {
        let project = Project::with(&[("shadow.c", SHADOW)]);
        let subject = Subject::open(subject).unwrap();
        let llvm = Llvm::new();
        let instructions = program_instructions(&llvm, &subject).unwrap();
        let module = last_writers(&llvm, &subject).unwrap();
        project.write("program.bc", module.write_bitcode_to_memory().as_slice());
        let wrapped = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc";
        // Optimised, variables would share their places on the stack.
        let link = format!("clang-19 -O0 -w {wrapped} program.bc shadow.o -o program {flags}");
        project.shell(&format!("clang-19 -O1 -w -c shadow.c && {link}")).ok();
        let program = project.path("program");
        Observed { project, instructions, program }
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

    /// Checks what runs show. How many pairs they show.
    fn check(&self, commands: &str) -> usize {
        let begun = Instant::now();
        let points_to = PointsTo::new(&self.instructions);
        let elapsed = begun.elapsed();
        let pairs = self.run(commands);
        let mut wrong = Vec::new();
        for &(store, load) in &pairs {
            let (written, read) = (self.sandboxes(&points_to, store, 1), self.sandboxes(&points_to, load, 0));
            // Arguments that the caller left in registers and on the stack are written by no store.
            if written.is_disjoint(&read) && !self.reads_arguments(&points_to, load) {
                wrong.push((self.position(store), self.position(load)));
            }
        }
        println!("{} pairs; {:?} in {elapsed:?}", pairs.len(), points_to.size(&self.instructions));
        assert!(wrong.is_empty(), "{} of {} pairs are not in points-to sets: {wrong:?}", wrong.len(), pairs.len());
        pairs.len()
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

    fn reads_arguments(&self, points_to: &PointsTo, load: (u32, u32)) -> bool {
        let (address, _) = self.access(load, 0);
        points_to.of(load.0, address).any(|location| matches!(points_to.origin(location.object), Origin::Arguments(_)))
    }

    fn position(&self, (function, index): (u32, u32)) -> String {
        let function = &self.instructions.functions[function as usize];
        let position = function.instructions[index as usize].position;
        let place = position
            .map(|(file, line, column)| format!("{}:{line}:{column}", self.instructions.files[file.index()].display()));
        format!("{} in {}", place.unwrap_or_default(), function.symbol)
    }
}

#[test]
fn what_loads_read_is_in_points_to_sets() {
    let mut pairs = 0;
    for pair in common::subjects("interactions") {
        let project = Project::new();
        project.write("program.c", fs::read(pair.join("new.c")).unwrap());
        project.shell("byway-cc -g -O1 -w program.c -o program").ok();
        let observed = Observed::new(&project.path("program"), "");
        pairs += observed.check("program 12-3- x; program; printf 'a\\naa\\n' | program 7 8 9");
    }
    assert!(pairs > 100, "{pairs}");
}

#[test]
#[ignore = "for a program of one's own"]
fn what_loads_of_a_program_read_is_in_points_to_sets() {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let observed =
        Observed::new(Path::new(&variable("BYWAY_PROGRAM")), &std::env::var("BYWAY_FLAGS").unwrap_or_default());
    observed.check(&variable("BYWAY_COMMAND"));
}
