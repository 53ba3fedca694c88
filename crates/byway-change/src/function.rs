//! Comparing two versions of a function.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use byway_map::{BlockId, FileId, FunctionCode, Position, Token};

use crate::align::{align, pair_up};
use crate::change::{Change, ChangeKind, ChangedEntity, VersionLine};
use crate::control::{Flow, successors};
use crate::locals::{LocalPairs, pair_locals};
use crate::words::{Common, Ignored, Likeness, Standing, VersionCode, compare};

/// A line of a source file.
type Line = (FileId, u32);

/// Two versions of a function with the counterparts of their statements.
pub struct FunctionPair<'a> {
    old: (&'a VersionCode<'a>, &'a FunctionCode),
    new: (&'a VersionCode<'a>, &'a FunctionCode),
    old_words: Vec<Vec<Common>>,
    new_words: Vec<Vec<Common>>,
    /// Numbers for the statements: those that are equal, but for the line on which they stand, have the same.
    old_keys: Vec<u32>,
    new_keys: Vec<u32>,
    /// For each statement of the old version its counterpart.
    pub counterparts: Vec<Option<usize>>,
    /// For each statement of the new version its counterpart.
    pub back: Vec<Option<usize>>,
    /// Pairs that do something else.
    changed: Vec<(usize, usize)>,
    /// Pairs that differ in where they stand only.
    moved: Vec<(usize, usize)>,
}

impl<'a> FunctionPair<'a> {
    /// Finds the counterparts.
    pub fn new(
        old: (&'a VersionCode<'a>, &'a FunctionCode),
        new: (&'a VersionCode<'a>, &'a FunctionCode),
        ignored: &Ignored,
    ) -> Self {
        let locals = pair_locals(old, new);
        let LocalPairs { old: old_locals, new: new_locals, .. } = &locals;
        let words =
            |(version, function): (&VersionCode<'_>, &FunctionCode), locals: &[Option<u32>]| -> Vec<Vec<Common>> {
                function.statements.iter().map(|statement| version.statement(statement, function, locals)).collect()
            };
        let (old_words, new_words) = (words(old, old_locals), words(new, new_locals));
        let (old_keys, new_keys) = keys((old, &old_words), (new, &new_words));
        let mut pair = FunctionPair {
            old_keys,
            new_keys,
            counterparts: vec![None; old_words.len()],
            back: vec![None; new_words.len()],
            old,
            new,
            old_words,
            new_words,
            changed: Vec::new(),
            moved: Vec::new(),
        };
        pair.match_statements(ignored);
        pair
    }

    /// Whole lines come first: what is the same line of the source is the same code, though its parts occur elsewhere too.
    fn match_statements(&mut self, ignored: &Ignored) {
        let (old_runs, new_runs) = (runs(self.old.1), runs(self.new.1));
        let old_lines: Vec<&[u32]> = old_runs.iter().map(|run| &self.old_keys[run.clone()]).collect();
        let new_lines: Vec<&[u32]> = new_runs.iter().map(|run| &self.new_keys[run.clone()]).collect();
        let lines = align(&old_lines, &new_lines);
        for (was, is) in lines.same {
            old_runs[was].clone().zip(new_runs[is].clone()).for_each(|(was, is)| self.link_same(was, is));
        }
        let covered = |runs: &[Range<usize>], part: Range<usize>| match &runs[part] {
            [] => 0..0,
            [first, .., last] => first.start..last.end,
            [only] => only.clone(),
        };
        for (old, new) in lines.hunks {
            self.match_parts(covered(&old_runs, old), covered(&new_runs, new), ignored);
        }
    }

    fn match_parts(&mut self, old: Range<usize>, new: Range<usize>, ignored: &Ignored) {
        let alignment = align(&self.old_keys[old.clone()], &self.new_keys[new.clone()]);
        for (was, is) in alignment.same {
            self.link_same(old.start + was, new.start + is);
        }
        for (was, is) in alignment.hunks {
            let old = old.start + was.start..old.start + was.end;
            let new = new.start + is.start..new.start + is.end;
            let score = |was: usize, is: usize| match self.likeness(was, is, ignored) {
                Likeness::Same | Likeness::PositionOnly => 8,
                Likeness::Different => self.resemblance(was, is),
            };
            for (was, is) in pair_up(old, new, score) {
                match self.likeness(was, is, ignored) {
                    Likeness::Same => {}
                    Likeness::PositionOnly => self.moved.push((was, is)),
                    Likeness::Different => self.changed.push((was, is)),
                }
                self.link(was, is);
            }
        }
    }

    /// Links statements that are equal, but for the line on which they stand.
    fn link_same(&mut self, was: usize, is: usize) {
        if self.old_words[was] != self.new_words[is] {
            self.moved.push((was, is));
        }
        self.link(was, is);
    }

    fn link(&mut self, was: usize, is: usize) {
        self.counterparts[was] = Some(is);
        self.back[is] = Some(was);
    }

    fn likeness(&self, was: usize, is: usize, ignored: &Ignored) -> Likeness {
        let standing = |(version, function): (&'a VersionCode<'a>, &'a FunctionCode), index: usize| {
            Standing::of(version.code, function, &function.statements[index])
        };
        let (old, new) = (standing(self.old, was), standing(self.new, is));
        compare((&self.old_words[was], &old), (&self.new_words[is], &new), ignored)
    }

    /// How much two statements that do something else have in common: what ends them, and what they write or call.
    fn resemblance(&self, was: usize, is: usize) -> u32 {
        let (old, new) = (&self.old_words[was], &self.new_words[is]);
        let root = |words: &[Common]| words.iter().rposition(is_operation);
        let (Some(a), Some(b)) = (root(old), root(new)) else { return 0 };
        if old[a] != new[b] {
            return 0;
        }
        let target = (old.last() == new.last()) as u32;
        let start = (old.first() == new.first()) as u32;
        1 + 2 * target + start
    }

    /// What changed in the function.
    pub fn changes(&self) -> Vec<Change> {
        let mut lines = Lines::default();
        for &(was, is) in &self.changed {
            lines.both(self.old_line(was), self.new_line(is));
        }
        for (was, _) in self.counterparts.iter().enumerate().filter(|(_, counterpart)| counterpart.is_none()) {
            lines.removed(self.old_line(was), was);
        }
        for (is, _) in self.back.iter().enumerate().filter(|(_, counterpart)| counterpart.is_none()) {
            lines.added(self.new_line(is), is);
        }
        let mut changes = self.of_lines(lines);
        changes.extend(self.control(&changes));
        if self.signature_differs() {
            changes.push(self.signature());
        }
        changes
    }

    /// What differs in where it stands only.
    pub fn positions_only(&self) -> Vec<Change> {
        let pairs: BTreeSet<(Option<Line>, Option<Line>)> =
            self.moved.iter().map(|&(was, is)| (self.old_line(was), self.new_line(is))).collect();
        let known = pairs.into_iter().filter_map(|(was, is)| Some((was?, is?)));
        known.map(|(was, is)| self.change(ChangeKind::Changed, ChangedEntity::Statement, Some(was), Some(is))).collect()
    }

    /// Lines with statements that have a counterpart are changed lines; of the others, those that replace each other are paired.
    fn of_lines(&self, mut lines: Lines) -> Vec<Change> {
        lines.settle(self);
        let mut changes = Vec::new();
        for (was, is) in &lines.changed {
            changes.push(self.change(ChangeKind::Changed, ChangedEntity::Statement, Some(*was), Some(*is)));
        }
        for line in lines.added.keys() {
            changes.push(self.change(ChangeKind::Added, ChangedEntity::Statement, None, Some(*line)));
        }
        for (line, statement) in &lines.removed {
            let mut change = self.change(ChangeKind::Removed, ChangedEntity::Statement, Some(*line), None);
            change.new = self.without(*statement);
            changes.push(change);
        }
        changes
    }

    /// Where the new version goes on without a statement of the old one.
    fn without(&self, statement: usize) -> Option<VersionLine> {
        let is = self.counterparts[statement..].iter().flatten().next().copied();
        let is = is.or_else(|| self.counterparts[..statement].iter().rev().flatten().next().copied())?;
        let line = self.new_line(is)?;
        Some(VersionLine { blocks: vec![self.new.1.statements[is].block], ..self.new_place(line) })
    }

    /// Statements that are the same and go on elsewhere, unless their line is a change already.
    fn control(&self, known: &[Change]) -> Vec<Change> {
        let flow = Flow {
            counterparts: &self.counterparts,
            back: &self.back,
            old: successors(self.old.1),
            new: successors(self.new.1),
            old_keys: &self.old_keys,
            new_keys: &self.new_keys,
        };
        let mut changes: Vec<Change> = Vec::new();
        for (was, counterpart) in self.counterparts.iter().enumerate() {
            let Some(is) = *counterpart else { continue };
            for (old, new) in flow.differences(was, is) {
                let line = |jump: Option<Position>, own: Option<Line>| jump.map(|(file, line, _)| (file, line)).or(own);
                let (old_line, new_line) = (line(old.jump, self.old_line(was)), line(new.jump, self.new_line(is)));
                let mut change = self.change(ChangeKind::Changed, ChangedEntity::Control, old_line, new_line);
                let block = self.new.1.statements[is].block;
                change.new.iter_mut().for_each(|place| place.blocks = vec![block]);
                let block = self.old.1.statements[was].block;
                change.old.iter_mut().for_each(|place| place.blocks = vec![block]);
                let same = |other: &&Change| {
                    other.new == change.new && other.old == change.old
                        || other.subject == ChangedEntity::Statement && same_line(other, &change)
                };
                if known.iter().chain(&changes).find(same).is_none() {
                    changes.push(change);
                }
            }
        }
        changes
    }

    fn signature_differs(&self) -> bool {
        let words = |(version, function): (&VersionCode<'_>, &FunctionCode)| -> Vec<Token> {
            function.signature.iter().map(|&id| version.code.tokens[id as usize].clone()).collect()
        };
        words(self.old) != words(self.new)
    }

    fn signature(&self) -> Change {
        let place = |(version, function): (&VersionCode<'_>, &FunctionCode)| {
            let (file, line) = function.position?;
            Some(VersionLine {
                file: version.code.files[file.index()].clone(),
                line,
                blocks: vec![function.first_block],
            })
        };
        let name = self.new.1.name.clone();
        Change {
            kind: ChangeKind::Changed,
            subject: ChangedEntity::Signature,
            name,
            old: place(self.old),
            new: place(self.new),
        }
    }

    fn change(&self, kind: ChangeKind, subject: ChangedEntity, old: Option<Line>, new: Option<Line>) -> Change {
        let old = old.map(|line| place(self.old, line));
        let new = new.map(|line| self.new_place(line));
        Change { kind, subject, name: self.new.1.name.clone(), old, new }
    }

    fn new_place(&self, line: Line) -> VersionLine {
        place(self.new, line)
    }

    fn old_line(&self, index: usize) -> Option<Line> {
        self.old.1.statements[index].position.map(|(file, line, _)| (file, line))
    }

    fn new_line(&self, index: usize) -> Option<Line> {
        self.new.1.statements[index].position.map(|(file, line, _)| (file, line))
    }
}

/// Statements that follow each other on one line.
fn runs(function: &FunctionCode) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let line = |index: usize| function.statements[index].position.map(|(file, line, _)| (file, line));
    for index in 0..function.statements.len() {
        match runs.last_mut() {
            Some(run) if line(run.start) == line(index) => run.end = index + 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}

fn same_line(a: &Change, b: &Change) -> bool {
    let line = |place: &Option<VersionLine>| place.as_ref().map(|place| (place.file.clone(), place.line));
    line(&a.new) == line(&b.new) && a.new.is_some() || line(&a.old) == line(&b.old) && a.old.is_some()
}

/// A line of a function, with the blocks in which it has statements.
fn place((version, function): (&VersionCode<'_>, &FunctionCode), line: Line) -> VersionLine {
    let on_line = function
        .statements
        .iter()
        .filter(|statement| statement.position.is_some_and(|(file, number, _)| (file, number) == line));
    let blocks: BTreeSet<BlockId> = on_line.map(|statement| statement.block).collect();
    VersionLine { file: version.code.files[line.0.index()].clone(), line: line.1, blocks: blocks.into_iter().collect() }
}

/// All lines of a function that one version has and the other has not.
pub fn whole(version: &VersionCode<'_>, function: &FunctionCode, kind: ChangeKind) -> Vec<Change> {
    let lines: BTreeSet<Line> = function
        .statements
        .iter()
        .filter_map(|statement| statement.position)
        .map(|(file, line, _)| (file, line))
        .collect();
    let changes = lines.into_iter().map(|line| {
        let place = Some(place((version, function), line));
        let (old, new) = if kind == ChangeKind::Added { (None, place) } else { (place, None) };
        Change { kind, subject: ChangedEntity::Statement, name: function.name.clone(), old, new }
    });
    changes.collect()
}

/// Lines that have statements with a change.
#[derive(Debug, Default)]
struct Lines {
    changed: BTreeSet<(Line, Line)>,
    added: BTreeMap<Line, usize>,
    removed: BTreeMap<Line, usize>,
}

impl Lines {
    fn both(&mut self, old: Option<Line>, new: Option<Line>) {
        if let (Some(old), Some(new)) = (old, new) {
            self.changed.insert((old, new));
        }
    }

    fn added(&mut self, line: Option<Line>, statement: usize) {
        if let Some(line) = line {
            self.added.entry(line).or_insert(statement);
        }
    }

    fn removed(&mut self, line: Option<Line>, statement: usize) {
        if let Some(line) = line {
            self.removed.entry(line).or_insert(statement);
        }
    }

    /// A line is added or removed only if none of its statements has a counterpart; otherwise it is changed.
    fn settle(&mut self, pair: &FunctionPair<'_>) {
        let mut partner_of_new: HashMap<Line, Line> = HashMap::new();
        let mut partner_of_old: HashMap<Line, Line> = HashMap::new();
        for (was, is) in pair.counterparts.iter().enumerate().filter_map(|(was, is)| Some((was, (*is)?))) {
            if let (Some(old), Some(new)) = (pair.old_line(was), pair.new_line(is)) {
                partner_of_new.entry(new).or_insert(old);
                partner_of_old.entry(old).or_insert(new);
            }
        }
        for line in self.added.keys().copied().collect::<Vec<_>>() {
            if let Some(old) = partner_of_new.get(&line) {
                self.added.remove(&line);
                self.changed.insert((*old, line));
            }
        }
        for line in self.removed.keys().copied().collect::<Vec<_>>() {
            if let Some(new) = partner_of_old.get(&line) {
                self.removed.remove(&line);
                self.changed.insert((line, *new));
            }
        }
        self.one_for_each_line();
        self.replace(pair);
    }

    /// A line of the new version that several old ones became is one change.
    fn one_for_each_line(&mut self) {
        let mut seen = BTreeSet::new();
        self.changed.retain(|(_, new)| seen.insert(*new));
    }

    /// A line that is added where another is removed is that line, changed.
    fn replace(&mut self, pair: &FunctionPair<'_>) {
        let before =
            |counterparts: &[Option<usize>], index: usize| counterparts[..index].iter().rev().flatten().next().copied();
        let mut free: Vec<(Line, usize)> = self.removed.iter().map(|(line, statement)| (*line, *statement)).collect();
        for (line, is) in self.added.clone() {
            let anchor = before(&pair.back, is);
            let found = free.iter().position(|&(_, was)| {
                let own = before(&pair.counterparts, was);
                own == anchor.and_then(|was| pair.counterparts[was]) && own.is_some() == anchor.is_some()
            });
            if let Some(found) = found {
                let (old, _) = free.remove(found);
                self.added.remove(&line);
                self.removed.remove(&old);
                self.changed.insert((old, line));
            }
        }
    }
}

/// A function of a version, and the words of its statements.
type Worded<'a> = ((&'a VersionCode<'a>, &'a FunctionCode), &'a [Vec<Common>]);

/// Numbers for the statements of both versions: those that are equal, but for the line on which they stand, have the same.
fn keys(old: Worded<'_>, new: Worded<'_>) -> (Vec<u32>, Vec<u32>) {
    let mut numbers: HashMap<Vec<Common>, u32> = HashMap::new();
    let mut of = |((version, function), words): Worded<'_>| -> Vec<u32> {
        let statements = function.statements.iter().zip(words);
        let keys = statements.map(|(statement, words)| {
            let next = numbers.len() as u32;
            let standing = Standing::of(version.code, function, statement);
            *numbers.entry(standing.without_line(words)).or_insert(next)
        });
        keys.collect()
    };
    (of(old), of(new))
}

fn is_operation(word: &Common) -> bool {
    matches!(word, Common::Token(Token::Word(text)) if text.contains(' '))
}
