//! Whatever the cache has for the instructions of a program, reading it ends: it is refused, or a graph is made of it.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use byway_canonical::{Canonical, program_instructions};
use byway_change::{Change, ChangeKind, ChangedEntity, SequenceGraph, VersionLine};
use byway_damage::{Damage, Meter, Read, change_text};
use byway_llvm::Llvm;
use byway_map::{BlockId, ProgramInstructions, ProgramMap};
use byway_program::Subject;
use common::Project;

#[global_allocator]
static METER: Meter = Meter;

/// One line of so many is taken for changed.
const ONE_OF: usize = 3;

/// A program of ours, as the reader describes it.
struct Described {
    instructions: Vec<u8>,
    map: ProgramMap,
    changes: Vec<Change>,
}

impl Described {
    fn new(name: &str) -> Described {
        let project = Project::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects/interactions").join(name);
        project.write("program.c", fs::read(source.join("new.c")).unwrap());
        project.shell("byway-cc -g -O1 -w program.c -o program").ok();
        let (llvm, subject) = (Llvm::new(), Subject::open(&project.path("program")).unwrap());
        let map = Canonical::make(&llvm, &subject).unwrap().map;
        let instructions = program_instructions(&llvm, &subject).unwrap();
        let all = instructions.functions.iter().flat_map(|function| &function.instructions);
        let lines: BTreeSet<_> =
            all.filter_map(|instruction| instruction.position).map(|(file, line, _)| (file, line)).collect();
        let blocks: Vec<BlockId> = (0..map.blocks.len() as u32).map(BlockId::new).collect();
        let change = |(file, line): (byway_map::FileId, u32)| Change {
            kind: ChangeKind::Changed,
            subject: ChangedEntity::Statement,
            name: name.to_owned(),
            old: None,
            new: Some(VersionLine { file: instructions.files[file.index()].clone(), line, blocks: blocks.clone() }),
        };
        let changes = lines.into_iter().step_by(ONE_OF).map(change).collect();
        Described { instructions: serde_json::to_vec(&instructions).unwrap(), map, changes }
    }

    /// Reads instructions as commands do, and makes of them what commands make.
    fn read(&self, file: &[u8]) -> Read {
        let Ok(instructions) = serde_json::from_slice::<ProgramInstructions>(file) else { return Read::Refused };
        let valid = instructions.validate(&self.map);
        if valid.is_ok() {
            let graph = SequenceGraph::new(&self.changes, &instructions, &self.map);
            assert!(graph.nodes.iter().flat_map(|node| &node.next).all(|&next| next < graph.nodes.len()));
        }
        Read::from(&valid)
    }
}

#[test]
fn damaged_instructions_are_refused_or_harmless() {
    for name in ["pointers", "function_pointers", "recursion"] {
        let described = Described::new(name);
        let files = vec![described.instructions.clone()];
        let damage = Damage { name, files, change: &change_text, cases: 700, memory: 64 << 20, ..Damage::default() };
        damage.read(|file| described.read(file));
    }
}
