//! Two versions of a program.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use byway_map::{BlockId, FileId, FunctionCode, ProgramCode, Token, VariableCode};

use crate::change::{Change, ChangeKind, ChangedEntity, Changes, VersionLine};
use crate::function::{FunctionPair, whole};
use crate::matching::{Pairs, matched};
use crate::words::{Common, Ignored, Likeness, Standing, VersionCode, compare};

/// Two versions of a program with the counterparts of their functions and variables.
pub struct VersionPair<'a> {
    old: VersionCode<'a>,
    new: VersionCode<'a>,
    functions: Pairs,
    variables: Pairs,
    ignored: &'a Ignored,
}

impl<'a> VersionPair<'a> {
    /// Finds the counterparts.
    pub fn new(old: &'a ProgramCode, new: &'a ProgramCode, ignored: &'a Ignored) -> Self {
        let (old, new, functions, variables) = matched(old, new);
        VersionPair { old, new, functions, variables, ignored }
    }

    /// What changed.
    pub fn changes(&self) -> Changes {
        let mut found = Changes::default();
        let (mut taken_old, mut taken_new) = (HashSet::new(), HashSet::new());
        for &(was, is) in &self.functions {
            taken_old.insert(was);
            taken_new.insert(is);
            let (old, new) = (&self.old.code.functions[was], &self.new.code.functions[is]);
            let pair = FunctionPair::new((&self.old, old), (&self.new, new), self.ignored);
            found.changes.extend(pair.changes());
            found.positions_only.extend(pair.positions_only());
            if old.name != new.name {
                found.renamed.push((old.name.clone(), new.name.clone()));
            }
        }
        found.changes.extend(without_counterpart(&self.old, &taken_old, ChangeKind::Removed));
        found.changes.extend(without_counterpart(&self.new, &taken_new, ChangeKind::Added));
        for &(was, is) in &self.variables {
            self.compare_variables(was, is, &mut found);
        }
        found.changes = merged(found.changes);
        found.positions_only = merged(found.positions_only);
        found.renamed.sort();
        found.renamed.dedup();
        found
    }

    fn compare_variables(&self, was: usize, is: usize, found: &mut Changes) {
        let (old, new) = (&self.old.code.variables[was], &self.new.code.variables[is]);
        let words = |version: &VersionCode<'_>, variable: &VariableCode| -> Vec<Common> {
            variable.tokens.iter().map(|&id| version.common(id, None, &[])).collect()
        };
        let (a, b) = (words(&self.old, old), words(&self.new, new));
        let (old_standing, new_standing) = (standing_of(&self.old, old), standing_of(&self.new, new));
        let change = || Change {
            kind: ChangeKind::Changed,
            subject: ChangedEntity::Variable,
            name: new.symbol.clone(),
            old: variable_place(&self.old, old),
            new: variable_place(&self.new, new),
        };
        match compare((&a, &old_standing), (&b, &new_standing), self.ignored) {
            Likeness::Same => {}
            Likeness::PositionOnly => found.positions_only.push(change()),
            Likeness::Different => found.changes.push(change()),
        }
    }
}

fn standing_of<'a>(version: &'a VersionCode<'_>, variable: &VariableCode) -> Standing<'a> {
    Standing {
        line: variable.position.map(|(_, line)| line),
        file: variable.position.map(|(file, _)| version.code.files[file.index()].as_path()),
        function: "",
    }
}

/// Where a variable is defined, and the blocks that use it.
fn variable_place(version: &VersionCode<'_>, variable: &VariableCode) -> Option<VersionLine> {
    let (file, line) = variable.position?;
    let blocks = users(version.code, &variable.symbol);
    Some(VersionLine { file: version.code.files[file.index()].clone(), line, blocks })
}

/// The blocks with statements that name a variable, or another one that begins with a reference to it.
fn users(code: &ProgramCode, symbol: &str) -> Vec<BlockId> {
    let ids: HashMap<&Token, u32> = code.tokens.iter().zip(0..).collect();
    let mut wanted = HashSet::new();
    let mut pending = vec![symbol.to_owned()];
    while let Some(symbol) = pending.pop() {
        let Some(&id) = ids.get(&Token::Variable(symbol)) else { continue };
        if wanted.insert(id) {
            let referring = code.variables.iter().filter(|variable| variable.tokens.contains(&id));
            pending.extend(referring.map(|variable| variable.symbol.clone()));
        }
    }
    let statements = code.functions.iter().flat_map(|function| &function.statements);
    let using = statements.filter(|statement| statement.tokens.iter().any(|id| wanted.contains(id)));
    let blocks: BTreeSet<BlockId> = using.map(|statement| statement.block).collect();
    blocks.into_iter().collect()
}

/// The functions that only one version has. Further copies of a header's function are none.
fn without_counterpart(version: &VersionCode<'_>, taken: &HashSet<usize>, kind: ChangeKind) -> Vec<Change> {
    let known: HashSet<(&str, Option<(FileId, u32)>)> =
        taken.iter().map(|&index| identity(&version.code.functions[index])).collect();
    let functions = version.code.functions.iter().enumerate();
    let alone = functions.filter(|(index, function)| !taken.contains(index) && !known.contains(&identity(function)));
    alone.flat_map(|(_, function)| whole(version, function, kind)).collect()
}

fn identity(function: &FunctionCode) -> (&str, Option<(FileId, u32)>) {
    (&function.name, function.position)
}

/// Changes of functions that are there several times are one, with the blocks of all.
fn merged(changes: Vec<Change>) -> Vec<Change> {
    type Line = Option<(PathBuf, u32)>;
    let line = |place: &Option<VersionLine>| -> Line { place.as_ref().map(|place| (place.file.clone(), place.line)) };
    let mut all: BTreeMap<(Line, Line, ChangeKind, ChangedEntity), Change> = BTreeMap::new();
    for change in changes {
        let key = (line(&change.new), line(&change.old), change.kind, change.subject);
        match all.get_mut(&key) {
            None => drop(all.insert(key, change)),
            Some(known) => {
                add_blocks(&mut known.old, change.old);
                add_blocks(&mut known.new, change.new);
            }
        }
    }
    all.into_values().collect()
}

fn add_blocks(known: &mut Option<VersionLine>, more: Option<VersionLine>) {
    if let (Some(known), Some(more)) = (known, more) {
        known.blocks.extend(more.blocks);
        known.blocks.sort_unstable();
        known.blocks.dedup();
    }
}
