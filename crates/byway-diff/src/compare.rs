//! Behaviours of two versions, side by side.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use byway_input::{Behaviour, Content, Ending, FileChange};
use byway_report::diff::DifferenceKind;

use crate::mask::Pattern;
use crate::moved::MovedLines;
use crate::request::Ignore;
use crate::standing::Standing;

/// A part of a behaviour.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// How the run ended.
    Ending,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file.
    File(PathBuf),
    /// What the sanitizers said.
    Sanitizers,
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Ending => formatter.write_str("exit"),
            Part::Stdout => formatter.write_str("stdout"),
            Part::Stderr => formatter.write_str("stderr"),
            Part::File(path) => write!(formatter, "file {}", path.display()),
            Part::Sanitizers => formatter.write_str("sanitizers"),
        }
    }
}

/// What several runs of a version did on one input, and how to read it.
#[derive(Clone, Copy)]
pub struct Runs<'a> {
    /// The runs; at least one.
    pub runs: &'a [Behaviour],
    /// What their texts say only of where the version stands.
    pub standing: &'a Standing,
    /// The lines of statements that say where they stand and that these runs execute, if they are lines of the old version.
    pub moved: Option<&'a MovedLines>,
}

/// In what two versions differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The parts that differ.
    pub parts: BTreeSet<Part>,
    /// The parts that vary between runs of the same version, in whole or in part.
    pub masked: BTreeSet<Part>,
    /// The parts that say where statements stand; that was not compared.
    pub positions: BTreeSet<Part>,
}

impl Comparison {
    /// Compares what two versions did on an input.
    pub fn new(old: Runs<'_>, new: Runs<'_>, ignore: Ignore) -> Comparison {
        let mut comparison = Comparison::default();
        if let Some(Ending::TimedOut | Ending::OutOfMemory) = comparison.endings(old, new, ignore) {
            // What a run wrote before it was killed says how fast the machine is.
            return comparison;
        }
        if !ignore.stdout {
            comparison.texts(Part::Stdout, old, new, |run| &run.stdout);
        }
        if !ignore.stderr {
            comparison.texts(Part::Stderr, old, new, |run| &run.stderr);
        }
        if !ignore.files {
            for path in paths(old).union(&paths(new)) {
                comparison.file(path, old, new);
            }
        }
        comparison
    }

    /// Compares how runs ended; returns an ending of one of them that is none of its own.
    fn endings(&mut self, old: Runs<'_>, new: Runs<'_>, ignore: Ignore) -> Option<Ending> {
        let endings = |of: Runs<'_>| of.runs.iter().map(|run| run.ending).collect::<Vec<_>>();
        let (old, new) = (endings(old), endings(new));
        let varies = |endings: &[Ending]| endings.iter().any(|ending| *ending != endings[0]);
        if varies(&old) || varies(&new) {
            self.masked.insert(Part::Ending);
        } else {
            let is_ignored = ignore.exit && [old[0], new[0]].iter().all(|one| matches!(one, Ending::Exited(_)));
            if old[0] != new[0] && !is_ignored {
                self.parts.insert(Part::Ending);
            }
        }
        old.into_iter().chain(new).find(|one| matches!(one, Ending::TimedOut | Ending::OutOfMemory))
    }

    fn texts<'a>(&mut self, part: Part, old: Runs<'a>, new: Runs<'a>, content: impl Fn(&'a Behaviour) -> &'a Content) {
        let of = |runs: Runs<'a>| -> Vec<&'a Content> { runs.runs.iter().map(&content).collect() };
        self.contents(part, (&of(old), old), (&of(new), new));
    }

    fn contents(&mut self, part: Part, old: (&[&Content], Runs<'_>), new: (&[&Content], Runs<'_>)) {
        let whole = |of: (&[&Content], Runs<'_>)| -> Option<Vec<Vec<u8>>> {
            let text = |content: &&Content| Some(of.1.standing.rewritten(content.whole()?).into_owned());
            of.0.iter().map(text).collect()
        };
        let (differs, varies) = match (whole(old), whole(new)) {
            (Some(mut before), Some(after)) => {
                for text in &mut before {
                    if let Some(renumbered) = old.1.moved.and_then(|moved| moved.renumbered(text, &after[0])) {
                        *text = renumbered;
                        self.positions.insert(part.clone());
                    }
                }
                let (old, new) = (before, after);
                let (old, new) = (pattern(&old), pattern(&new));
                (old.differs_from(&new), old.has_gaps() || new.has_gaps())
            }
            // What is known by its hash varies as a whole.
            _ => {
                let varies = |all: &[&Content]| all.iter().any(|content| *content != all[0]);
                let varies = varies(old.0) || varies(new.0);
                (!varies && old.0[0] != new.0[0], varies)
            }
        };
        if varies {
            self.masked.insert(part.clone());
        }
        if differs {
            self.parts.insert(part);
        }
    }

    fn file(&mut self, path: &Path, old: Runs<'_>, new: Runs<'_>) {
        let part = || Part::File(path.to_owned());
        let of = |runs: Runs<'_>| -> Vec<Option<FileChange>> {
            let change = |run: &Behaviour| run.files.as_ref().and_then(|files| files.get(path)).cloned();
            runs.runs.iter().map(change).collect()
        };
        let (olds, news) = (of(old), of(new));
        let varies = |changes: &[Option<FileChange>]| changes.iter().any(|change| shape(change) != shape(&changes[0]));
        if varies(&olds) || varies(&news) {
            self.masked.insert(part());
            return;
        }
        let written = |changes: &[Option<FileChange>]| -> Option<Vec<Content>> {
            let content = |change: &Option<FileChange>| match change {
                Some(FileChange::Written { content, .. }) => Some(content.clone()),
                _ => None,
            };
            changes.iter().map(content).collect()
        };
        let (before, after) = (shape(&olds[0]), shape(&news[0]));
        if rewritten(before, old.standing) != rewritten(after, new.standing) {
            self.parts.insert(part());
        } else if let (Some(before), Some(after)) = (written(&olds), written(&news)) {
            let (before, after): (Vec<_>, Vec<_>) = (before.iter().collect(), after.iter().collect());
            self.contents(part(), (&before, old), (&after, new));
        }
    }

    /// Takes all that differs for what only says where statements stand, but not how the program fails.
    pub fn is_of_positions(&mut self, endings: (Ending, Ending)) {
        let are_exits = [endings.0, endings.1].iter().all(|ending| matches!(ending, Ending::Exited(_)));
        let stays = |part: &Part| *part == Part::Sanitizers || (*part == Part::Ending && !are_exits);
        let (parts, positions) = std::mem::take(&mut self.parts).into_iter().partition(stays);
        self.parts = parts;
        self.positions.extend::<BTreeSet<Part>>(positions);
    }

    /// What kind of difference it is, if it is one: of several, what matters most.
    pub fn kind(&self, old: Ending, new: Ending) -> Option<DifferenceKind> {
        let either = |is: fn(Ending) -> bool| is(old) || is(new);
        let of = |part: &Part| match part {
            Part::Ending if either(|ending| ending.fault().is_some()) => DifferenceKind::Crash,
            Part::Ending if either(|ending| ending == Ending::TimedOut) => DifferenceKind::Hang,
            Part::Ending if either(|ending| ending == Ending::OutOfMemory) => DifferenceKind::Memory,
            Part::Ending => DifferenceKind::Exit,
            Part::Sanitizers => DifferenceKind::Memory,
            Part::Stdout => DifferenceKind::Output,
            Part::File(_) => DifferenceKind::File,
            Part::Stderr => DifferenceKind::Stderr,
        };
        self.parts.iter().map(of).min()
    }
}

fn pattern(texts: &[Vec<u8>]) -> Pattern<'_> {
    Pattern::of(&texts.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// What became of a file, apart from its content.
fn shape(change: &Option<FileChange>) -> (&'static str, Option<u32>, Option<&[u8]>) {
    match change {
        None => ("nothing", None, None),
        Some(FileChange::Written { mode, .. }) => ("written", Some(*mode), None),
        Some(FileChange::Directory) => ("directory", None, None),
        Some(FileChange::Link(target)) => ("link", None, Some(target.as_encoded_bytes())),
        Some(FileChange::Special) => ("special", None, None),
        Some(FileChange::Removed) => ("removed", None, None),
    }
}

type Shape<'a> = (&'static str, Option<u32>, Option<Cow<'a, [u8]>>);

fn rewritten<'a>(shape: (&'static str, Option<u32>, Option<&'a [u8]>), standing: &Standing) -> Shape<'a> {
    (shape.0, shape.1, shape.2.map(|target| standing.rewritten(target)))
}

fn paths(of: Runs<'_>) -> BTreeSet<PathBuf> {
    of.runs.iter().filter_map(|run| run.files.as_ref()).flat_map(|files| files.keys().cloned()).collect()
}
