//! The statements that changes are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use byway_dependence::{DependenceGraph, Statement, StatementId};
use byway_map::{BlockId, Operand, ProgramInstructions};

use super::{Marked, SequenceKind, SequenceNode};
use crate::change::{Change, ChangeKind, ChangedEntity, VersionLine};

/// The changes of the new version, by line.
pub struct Changed {
    /// The lines with their statements.
    pub lines: Vec<Marked>,
    /// The changes without any.
    pub without_node: Vec<usize>,
}

/// A changed line: its statements, and the changes.
#[derive(Default)]
struct Line {
    statements: BTreeSet<StatementId>,
    changes: Vec<usize>,
}

/// The statements of a program by block.
struct Places<'a> {
    program: &'a ProgramInstructions,
    statements: &'a [Statement],
    by_block: HashMap<BlockId, Vec<StatementId>>,
}

impl Changed {
    /// Finds the statements.
    pub fn new(changes: &[Change], program: &ProgramInstructions, dependences: &DependenceGraph) -> Changed {
        let statements = dependences.statements();
        let mut by_block: HashMap<BlockId, Vec<StatementId>> = HashMap::new();
        for (statement, id) in statements.iter().zip((0..).map(StatementId)) {
            by_block.entry(statement.block).or_default().push(id);
        }
        let places = Places { program, statements, by_block };
        let mut lines: BTreeMap<(&PathBuf, u32), Line> = BTreeMap::new();
        let mut without_node = Vec::new();
        for (number, change) in changes.iter().enumerate() {
            let place = change.new.as_ref().filter(|_| change.kind != ChangeKind::Removed);
            let found = place.map(|place| places.of(change, place)).unwrap_or_default();
            let Some(place) = place.filter(|_| !found.is_empty()) else {
                without_node.push(number);
                continue;
            };
            let line = lines.entry((&place.file, place.line)).or_default();
            line.statements.extend(found);
            line.changes.push(number);
        }
        let marked = |((file, line), of_line): ((&PathBuf, u32), Line)| {
            let node = SequenceNode {
                function: changes[of_line.changes[0]].name.clone(),
                file: file.clone(),
                line,
                changes: of_line.changes,
                ..SequenceNode::end(SequenceKind::Change)
            };
            Marked { node, statements: of_line.statements.into_iter().collect() }
        };
        Changed { lines: lines.into_iter().map(marked).collect(), without_node }
    }
}

impl Places<'_> {
    /// The statements of a change.
    fn of(&self, change: &Change, place: &VersionLine) -> Vec<StatementId> {
        let own = |block: &BlockId| self.by_block.get(block).map_or(&[][..], Vec::as_slice);
        match change.subject {
            ChangedEntity::Statement => {
                let all = place.blocks.iter().flat_map(own).copied();
                all.filter(|&statement| self.is_at(statement, place)).collect()
            }
            // What ends the block goes on elsewhere.
            ChangedEntity::Control => place.blocks.iter().filter_map(|block| own(block).last()).copied().collect(),
            ChangedEntity::Signature => place.blocks.iter().filter_map(|block| own(block).first()).copied().collect(),
            ChangedEntity::Variable => {
                let all = place.blocks.iter().flat_map(own).copied();
                all.filter(|&statement| self.uses(statement, &change.name)).collect()
            }
        }
    }

    fn is_at(&self, statement: StatementId, place: &VersionLine) -> bool {
        let position = self.statements[statement.0 as usize].position;
        position.is_some_and(|(file, line, _)| line == place.line && self.program.files[file.index()] == place.file)
    }

    fn uses(&self, statement: StatementId, variable: &str) -> bool {
        let Statement { function, instructions: (first, end), .. } = self.statements[statement.0 as usize];
        let instructions = &self.program.functions[function as usize].instructions[first as usize..end as usize];
        instructions.iter().flat_map(|instruction| &instruction.operands).any(|operand| self.names(operand, variable))
    }

    fn names(&self, operand: &Operand, variable: &str) -> bool {
        match operand {
            Operand::Variable(number, _) => self.program.variables[*number as usize].symbol == variable,
            Operand::OneOf(all) => all.iter().any(|operand| self.names(operand, variable)),
            _ => false,
        }
    }
}
