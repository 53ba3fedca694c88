//! Which build of the program a test is run with.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use byway_program::{Subject, SubjectError};
use byway_report::diff::Difference;
use byway_report::{Build, Replay, SourceTexts};
use byway_variant::{Cache, VariantKind};

use crate::command::{build_variant, open_subject};
use crate::error::Error;
use crate::flags::ReplayFlags;

use super::runs::SANITIZERS;

/// What a test is run with.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The program as the user knows it.
    pub program: PathBuf,
    /// What is executed for it.
    pub executed: PathBuf,
    /// How it was built.
    pub build: Build,
    /// Its sources, as it was built from them.
    pub sources: SourceTexts,
    /// Of a difference that only sanitizers see, the old version with them.
    pub old: Option<PathBuf>,
}

impl Chosen {
    /// The program as it is.
    fn plain(program: PathBuf) -> Chosen {
        Chosen { executed: program.clone(), program, build: Build::Plain, sources: SourceTexts::default(), old: None }
    }
}

/// The builds that there are, made when they are needed.
pub struct Builds<'a> {
    flags: &'a ReplayFlags,
    /// The program that takes the place of what the tests were made with.
    with: Option<PathBuf>,
    cache: Option<Cache>,
    /// By program: its build with sanitizers, if it can have one.
    sanitized: HashMap<PathBuf, Option<(PathBuf, SourceTexts)>>,
}

impl<'a> Builds<'a> {
    /// None yet.
    pub fn new(flags: &'a ReplayFlags) -> Result<Builds<'a>, Error> {
        let find = |path: &PathBuf| path.canonicalize().map_err(|source| Error::Read { path: path.clone(), source });
        let with = flags.with.as_ref().map(find).transpose()?;
        Ok(Builds { flags, with, cache: None, sanitized: HashMap::new() })
    }

    /// What each of the tests is run with.
    pub fn choose_for(mut self, tests: &[Replay]) -> Result<Vec<Chosen>, Error> {
        tests.iter().map(|test| self.choose(test)).collect()
    }

    /// What only sanitizers see is looked for with them, as far as the program can have them; all else natively.
    fn choose(&mut self, test: &Replay) -> Result<Chosen, Error> {
        let program = self.with.clone().unwrap_or_else(|| test.program.clone());
        if !program.is_file() {
            return Err(Error::Gone { path: program });
        }
        if let Some(difference) = &test.difference {
            return self.choose_two(difference, program);
        }
        if self.flags.sanitize || test.expected.needs_sanitizers() {
            if let Some((executed, sources)) = self.sanitized(&program)? {
                return Ok(Chosen { program, executed, build: Build::Sanitized, sources, old: None });
            }
        }
        Ok(Chosen::plain(program))
    }

    /// Both versions of a difference, with sanitizers if only these see it.
    fn choose_two(&mut self, difference: &Difference, program: PathBuf) -> Result<Chosen, Error> {
        if !difference.old_program.is_file() {
            return Err(Error::Gone { path: difference.old_program.clone() });
        }
        if difference.parts.iter().any(|part| part == SANITIZERS)
            && let (Some((executed, sources)), Some((old, _))) =
                (self.sanitized(&program)?, self.sanitized(&difference.old_program)?)
        {
            return Ok(Chosen { program, executed, build: Build::Sanitized, sources, old: Some(old) });
        }
        Ok(Chosen::plain(program))
    }

    fn sanitized(&mut self, program: &Path) -> Result<Option<(PathBuf, SourceTexts)>, Error> {
        if let Some(known) = self.sanitized.get(program) {
            return Ok(known.clone());
        }
        let cache = match self.cache.take() {
            Some(cache) => cache,
            None => self.flags.cache.open()?,
        };
        let made = match open_subject(&cache, program) {
            Err(SubjectError::NoBitcode { .. } | SubjectError::NotElf { .. }) if !self.flags.sanitize => None,
            subject => Some(build(&cache, &subject?)?),
        };
        self.cache = Some(cache);
        self.sanitized.insert(program.to_owned(), made.clone());
        Ok(made)
    }
}

fn build(cache: &Cache, subject: &Subject) -> Result<(PathBuf, SourceTexts), Error> {
    if subject.is_shared_library() {
        return Err(Error::NotProgram { command: "replay", path: subject.path.clone() });
    }
    let variant = build_variant(cache, subject, VariantKind::Asan)?;
    Ok((variant.program, subject.source_texts()))
}
