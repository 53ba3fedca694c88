//! Programs in two versions, with everything that is needed to compare them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_change::{Change, Changes, Ignored, SequenceGraph};
use byway_diff::{DiffSearch, ProgramPair, Version, is_noted, shown};
use byway_engine::Program;
use byway_exec::Variants;
use byway_map::{BlockId, DataFlow, ProgramCode};
use byway_program::{Subject, SubjectError};
use byway_report::diff::ChangeGraph;
use byway_variant::{Cache, VariantKind, build_noting, program_code, program_map};

use crate::command::changes::Versions;
use crate::command::changes::graph::sequence_graph;
use crate::command::{build_cov, build_variant, open_subject, say_ignored_sanitizers};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::CompareFlags;

use super::Compared;
use super::inputs::Given;

/// A page has the graph of changes of programs with at most so many blocks, unless it is searched for anyway.
const MOST_BLOCKS: usize = 5000;

/// Makes pairs of versions.
pub struct Maker<'a> {
    flags: &'a CompareFlags,
    cache: Cache,
    ignored: Ignored,
    given: Given<'a>,
}

impl<'a> Maker<'a> {
    /// With the inputs that are given.
    pub fn new(flags: &'a CompareFlags, compared: &'a Compared) -> Result<Maker<'a>, Error> {
        let cache = flags.runs.cache.open()?;
        let is_trusting = cache.is_trusting() || compared.is_own_build;
        let cache = cache.trusting(is_trusting);
        let ignored = Ignored { text: flags.ignore_text.clone() };
        Ok(Maker { flags, cache, ignored, given: Given::open(&compared.inputs)? })
    }

    /// All programs for which there are inputs; nothing once the user wants it to end.
    pub fn pairs(
        &self,
        compared: &Compared,
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<ProgramPair>>, Error> {
        let mut pairs = Vec::new();
        for versions in &compared.programs {
            if is_interrupted() {
                return Ok(None);
            }
            if self.given.is_for(versions) {
                pairs.push(self.pair(versions, compared)?);
            }
        }
        if pairs.is_empty() {
            return Err(Error::NothingInCommon(self.given.nothing_for(&compared.programs)));
        }
        Ok((!is_interrupted()).then_some(pairs))
    }

    fn pair(&self, versions: &Versions, compared: &Compared) -> Result<ProgramPair, Error> {
        for subject in [&versions.old, &versions.new] {
            if subject.is_shared_library() {
                return Err(Error::NotProgram { command: "diff", path: subject.path.clone() });
            }
            say_ignored_sanitizers(subject);
        }
        let mut changes = versions.changes(&self.cache, &self.ignored)?.clone();
        if !compared.paths.is_empty() {
            changes.changes.retain(|change| is_below(change, &compared.paths));
        }
        let has_changes = !changes.changes.is_empty();
        let is_search = self.flags.search.search == DiffSearch::Interactions && has_changes && !self.flags.only_given;
        let old = self.version(&versions.old, has_changes, true)?;
        let mut new = self.version(&versions.new, has_changes, !is_search)?;
        let sequences = if is_search { self.sequences(versions, &mut new, &changes)? } else { None };
        let graph = match &sequences {
            Some(graph) => shown(graph),
            None => self.graph(versions, &new, &changes),
        };
        if !has_changes && !changes.positions_only.is_empty() {
            // To see whether what differs is what statements say of where they stand.
            new.variants.cov = self.optional(build_cov(&self.cache, &versions.new, &new.program), &versions.new)?;
        }
        let golden = compared.golden.as_deref().map(|golden| self.golden(golden, versions)).transpose()?;
        let mut pair = ProgramPair {
            name: versions.name.clone(),
            old,
            new,
            golden,
            changes,
            sequences,
            graph,
            seeds: Vec::new(),
            start: None,
        };
        self.given.add_to(&mut pair, self.flags)?;
        Ok(pair)
    }

    /// In which orders the changes can be executed, if they are searched for that way and there are several. The new version gets
    /// a variant whose runs note when they come by one.
    fn sequences(
        &self,
        versions: &Versions,
        new: &mut Version,
        changes: &Changes,
    ) -> Result<Option<Arc<SequenceGraph>>, Error> {
        let graph = sequence_graph(&self.cache, &versions.new, &new.program.map, &changes.changes)?;
        if graph.size.changes < 2 {
            new.variants.sym = self.variant(&versions.new, VariantKind::Sym)?;
            return Ok(None);
        }
        let points: BTreeSet<(BlockId, u32)> = graph
            .nodes
            .iter()
            .filter(|node| is_noted(node))
            .flat_map(|node| &node.points)
            .map(|point| (point.block, point.calls_before))
            .collect();
        let points: Vec<(BlockId, u32)> = points.into_iter().collect();
        let activity =
            Activity::new(format!("building the sym variant of {}, which notes changes", versions.new.name()));
        let built = self.optional(build_noting(&self.cache, &versions.new, &points), &versions.new)?;
        drop(activity);
        Ok(built.map(|variant| {
            new.variants.sym = Some(variant.program);
            Arc::new(graph)
        }))
    }

    /// In which orders the changes can be executed, for the page. Of a large program it would take longer than it is worth.
    fn graph(&self, versions: &Versions, new: &Version, changes: &Changes) -> Option<ChangeGraph> {
        let map = &new.program.map;
        if changes.changes.len() < 2 || map.blocks.len() > MOST_BLOCKS {
            return None;
        }
        // Without it nothing is compared otherwise.
        shown(&sequence_graph(&self.cache, &versions.new, map, &changes.changes).ok()?)
    }

    /// A version with what is worth having: of one without a change, only how it is run.
    /// `is_traced`: whether runs of its `sym` variant are traced as they are; otherwise it is made later.
    fn version(&self, subject: &Subject, has_changes: bool, is_traced: bool) -> Result<Version, Error> {
        let program = Arc::new(Program::new(program_map(&self.cache, subject)?));
        let mut variants = Variants::of(self.native(subject)?);
        if has_changes {
            variants.cov = self.optional(build_cov(&self.cache, subject, &program), subject)?;
            if !self.flags.ignore.sanitizers {
                variants.asan = self.variant(subject, VariantKind::Asan)?;
            }
        }
        let is_searched = has_changes && !self.flags.only_given;
        if is_traced && (self.given.needs_traces() || is_searched) {
            variants.sym = self.variant(subject, VariantKind::Sym)?;
        }
        let code = match (variants.sym.is_some() || !is_traced) && has_changes {
            true => program_code(&self.cache, subject)?,
            false => ProgramCode::default(),
        };
        let flow = Arc::new(DataFlow::new(&code));
        Ok(Version { variants, program, code: Arc::new(code), flow, sources: subject.source_texts() })
    }

    /// What is run as the program. Where its own shared libraries are is up to the environment of a run, which is the same for both
    /// versions; so a program that has some is run with its libraries folded in.
    fn native(&self, subject: &Subject) -> Result<PathBuf, Error> {
        match subject.libraries.is_empty() {
            true => Ok(absolute(&subject.path)),
            false => Ok(build_variant(&self.cache, subject, VariantKind::Native)?.program),
        }
    }

    fn variant(&self, subject: &Subject, kind: VariantKind) -> Result<Option<PathBuf>, Error> {
        let built = self.optional(build_variant(&self.cache, subject, kind), subject)?;
        Ok(built.map(|variant| variant.program))
    }

    /// What cannot be built is done without, and that is said.
    fn optional<T>(
        &self,
        built: Result<T, byway_variant::VariantError>,
        subject: &Subject,
    ) -> Result<Option<T>, Error> {
        match built.map_err(Error::from) {
            Ok(built) => Ok(Some(built)),
            Err(error) if error.exit_code() == ExitCode::Cache => Err(error),
            Err(error) => {
                console::error(&format!("{} is compared without a variant: {error}", subject.path.display()));
                Ok(None)
            }
        }
    }

    /// The golden version of a program. One without bitcode is run all the same.
    fn golden(&self, golden: &Path, versions: &Versions) -> Result<Variants, Error> {
        let path = if golden.is_dir() { golden.join(&versions.name) } else { golden.to_owned() };
        let subject = match open_subject(&self.cache, &path) {
            Ok(subject) => subject,
            Err(SubjectError::NoBitcode { .. }) => return Ok(Variants::of(absolute(&path))),
            Err(error) => return Err(error.into()),
        };
        let mut variants = Variants::of(self.native(&subject)?);
        if !self.flags.ignore.sanitizers {
            variants.asan = self.variant(&subject, VariantKind::Asan)?;
        }
        Ok(variants)
    }
}

/// Whether a change is in one of these files or directories.
fn is_below(change: &Change, paths: &[PathBuf]) -> bool {
    let mut places = [&change.old, &change.new].into_iter().flatten();
    places.any(|place| paths.iter().any(|path| place.file.starts_with(path)))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
