//! Where what was measured is written down at once, so that an end at any time loses little.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use byway_report::{Journal, Output, Text, read_journal};
use byway_suite::{Seed, Stdin};
use serde::{Deserialize, Serialize};

use crate::error::EvalError;
use crate::form::Form;
use crate::measured::{Explored, Measured, MeasuredSeed, Version};

const JOURNAL: &str = "journal.jsonl";

/// What must be the same for measurements to be compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Where the seeds are.
    pub suite: PathBuf,
    /// How many seconds each seed has.
    pub time: f64,
    /// Which share of it making it smaller may take.
    pub reduce: f64,
    /// What a smaller seed still covers.
    pub keep: String,
    /// How many inputs run at the same time.
    pub jobs: usize,
    /// What random choices are made of.
    pub seed: u64,
}

/// What became of a seed that was made smaller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reduced {
    /// What is in it.
    pub input: Input,
    /// What was measured of both.
    pub seed: MeasuredSeed,
}

/// What a smaller seed has other than the one that it was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    arguments: Vec<Text>,
    stdin: Option<Text>,
    /// The files that are other.
    files: Vec<(Text, Text)>,
}

impl Input {
    /// What a smaller seed has.
    pub fn new(seed: &Seed, smaller: &Seed) -> Input {
        let files = smaller.files.iter().zip(&seed.files).filter(|(smaller, whole)| smaller.content != whole.content);
        Input {
            arguments: smaller.arguments.iter().map(|argument| argument.as_os_str().into()).collect(),
            stdin: match &smaller.stdin {
                Stdin::Nothing => None,
                Stdin::Bytes(bytes) => Some(Text(bytes.to_vec())),
            },
            files: files.map(|(file, _)| (file.path.as_path().into(), Text(file.content.to_vec()))).collect(),
        }
    }

    /// The smaller seed.
    pub fn seed(&self, seed: &Seed) -> Seed {
        let mut smaller = seed.clone();
        smaller.arguments = self.arguments.iter().map(|argument| OsString::from_vec(argument.0.clone())).collect();
        smaller.stdin = self.stdin.as_ref().map_or(Stdin::Nothing, |stdin| Stdin::Bytes(stdin.0.as_slice().into()));
        for (path, content) in &self.files {
            let path = path.to_path();
            let file = smaller.files.iter_mut().find(|file| file.path == path);
            file.into_iter().for_each(|file| file.content = content.0.as_slice().into());
        }
        smaller
    }
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
enum Line {
    Conditions(Conditions),
    Reduced {
        program: Text,
        #[serde(flatten)]
        reduced: Reduced,
    },
    Explored {
        program: Text,
        seed: String,
        form: Form,
        strategy: String,
        explored: Explored,
    },
}

/// Programs are known by their copies in the suite.
type Key = (PathBuf, String);

/// What was measured, in memory and on disk.
#[derive(Debug)]
pub struct Notebook {
    output: Output,
    journal: Journal,
    reduced: HashMap<Key, Reduced>,
    explored: HashMap<Key, Vec<(Form, String, Explored)>>,
}

impl Notebook {
    /// Begins a new one. A previous output directory is kept beside it with `.old` behind its name.
    pub fn create(directory: &Path, conditions: &Conditions) -> Result<Notebook, EvalError> {
        let output = Output::create(directory)?;
        let mut journal = Journal::open(&output.directory.join(JOURNAL))?;
        journal.add(&Line::Conditions(conditions.clone()))?;
        Ok(Notebook { output, journal, reduced: HashMap::new(), explored: HashMap::new() })
    }

    /// Goes on with one that was begun under the same conditions.
    pub fn resume(directory: &Path, conditions: &Conditions) -> Result<Notebook, EvalError> {
        let nothing = || EvalError::Nothing { path: directory.to_owned() };
        let path = directory.join(JOURNAL);
        if !path.exists() {
            return Err(nothing());
        }
        let output = Output::open(directory)?;
        let journal = Journal::open(&path)?;
        let mut lines = read_journal::<Line>(&path)?.into_iter();
        match lines.next() {
            Some(Line::Conditions(before)) => before.compare(conditions, directory)?,
            _ => return Err(nothing()),
        }
        let mut notebook = Notebook { output, journal, reduced: HashMap::new(), explored: HashMap::new() };
        lines.for_each(|line| notebook.know(line));
        Ok(notebook)
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.output.directory
    }

    fn know(&mut self, line: Line) {
        match line {
            Line::Conditions(_) => {}
            Line::Reduced { program, reduced } => {
                self.reduced.insert((program.to_path(), reduced.seed.name.clone()), reduced);
            }
            Line::Explored { program, seed, form, strategy, explored } => {
                self.explored.entry((program.to_path(), seed)).or_default().push((form, strategy, explored));
            }
        }
    }

    fn note(&mut self, line: Line) -> Result<(), EvalError> {
        self.journal.add(&line)?;
        self.know(line);
        Ok(())
    }

    /// What became of a seed that was made smaller, if that was tried.
    pub fn reduced(&self, program: &Path, seed: &str) -> Option<&Reduced> {
        self.reduced.get(&(program.to_owned(), seed.to_owned()))
    }

    /// Notes that a seed was made smaller.
    pub fn note_reduced(&mut self, program: &Path, reduced: Reduced) -> Result<(), EvalError> {
        self.note(Line::Reduced { program: program.into(), reduced })
    }

    /// Whether it was explored from a seed.
    pub fn is_explored(&self, program: &Path, seed: &str, form: Form, strategy: &str) -> bool {
        let explored = self.explored.get(&(program.to_owned(), seed.to_owned()));
        explored.is_some_and(|all| all.iter().any(|(known, by, _)| *known == form && by == strategy))
    }

    /// Notes what exploring from a seed came to.
    pub fn note_explored(
        &mut self,
        program: &Path,
        seed: &str,
        form: Form,
        strategy: &str,
        explored: Explored,
    ) -> Result<(), EvalError> {
        let (seed, strategy) = (seed.to_owned(), strategy.to_owned());
        self.note(Line::Explored { program: program.into(), seed, form, strategy, explored })
    }

    /// What is known of a seed.
    pub fn measured(&self, program: &Path, seed: &str, strategies: &[String]) -> Option<MeasuredSeed> {
        let mut measured = self.reduced(program, seed)?.seed.clone();
        let explored = self.explored.get(&(program.to_owned(), seed.to_owned()));
        for (form, strategy, explored) in explored.into_iter().flatten().filter(|(_, by, _)| strategies.contains(by)) {
            let version: &mut Version = match form {
                Form::Original => &mut measured.original,
                Form::Reduced => &mut measured.reduced,
                // It is one of the others, and never noted.
                Form::Shorter => continue,
            };
            version.explored.insert(strategy.clone(), explored.clone());
        }
        Some(measured)
    }
}

impl Conditions {
    /// Fails if something is other.
    fn compare(&self, now: &Conditions, directory: &Path) -> Result<(), EvalError> {
        let words = |conditions: &Conditions| {
            let Conditions { suite, time, reduce, keep, jobs, seed } = conditions;
            [
                format!("seeds of {}", suite.display()),
                format!("--time {time}"),
                format!("--reduce {reduce}"),
                format!("--keep {keep}"),
                format!("--jobs {jobs}"),
                format!("--seed {seed}"),
            ]
        };
        let different = words(self).into_iter().zip(words(now)).find(|(was, wanted)| was != wanted);
        different.map_or(Ok(()), |(was, wanted)| Err(EvalError::Other { path: directory.to_owned(), was, wanted }))
    }
}

/// All that is known of the seeds of a program.
pub fn collect(
    notebook: &Notebook,
    copy: &Path,
    program: &Path,
    branches: usize,
    strategies: &[String],
    budget: f64,
    seeds: impl Iterator<Item = String>,
) -> Measured {
    Measured {
        program: program.to_owned(),
        branches: branches as u32,
        strategies: strategies.to_vec(),
        budget,
        seeds: seeds.filter_map(|seed| notebook.measured(copy, &seed, strategies)).collect(),
    }
}
