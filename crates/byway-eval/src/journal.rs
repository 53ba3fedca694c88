//! Where what was measured is written down at once, so that an end at any time loses little.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use byway_input::ConcreteInput;
use byway_report::{Journal, Output, Text, read_journal};
use byway_suite::Seed;
use serde::{Deserialize, Serialize};

use crate::error::EvalError;
use crate::form::Form;
use crate::measured::{Ended, Explored, MeasuredForm, MeasuredSeed};

const JOURNAL: &str = "eval.jsonl";

/// How it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// What must be the same for measurements to be compared: flags and their values, as a user would write them.
    pub flags: Vec<(String, String)>,
    /// Which build of byway it is. Another one may do better, or worse.
    pub build: String,
}

/// What became of a seed that was made smaller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reduced {
    /// What is in it.
    pub input: SmallerInput,
    /// What was measured of both.
    pub seed: MeasuredSeed,
}

/// What a smaller seed has other than the one that it was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SmallerInput {
    /// All arguments, the name that the program is called by first.
    arguments: Vec<Text>,
    stdin: Option<Text>,
    /// The files that are other.
    files: Vec<(Text, Text)>,
}

impl SmallerInput {
    /// What a smaller seed has.
    pub fn new(seed: &Seed, smaller: &Seed) -> SmallerInput {
        let files = smaller.input.files.changed_from(&seed.input.files);
        SmallerInput {
            arguments: smaller.command().map(Text::from).collect(),
            stdin: smaller.input.stdin.clone().map(Text),
            files: files.map(|(path, file)| (path.as_path().into(), Text(file.content.to_vec()))).collect(),
        }
    }

    /// The smaller seed.
    pub fn seed(&self, seed: &Seed) -> Seed {
        let mut input = ConcreteInput::clone(&seed.input);
        input.arguments = self.arguments.iter().skip(1).map(|argument| argument.0.clone()).collect();
        input.stdin = self.stdin.as_ref().map(|stdin| stdin.0.clone());
        for (path, content) in &self.files {
            let path = path.to_path();
            if input.files.get(&path).is_some() {
                input.files.set(&path, content.0.clone());
            }
        }
        Seed { input: Arc::new(input), ..seed.clone() }
    }
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
enum Line {
    Conditions(Conditions),
    Reduced {
        id: SeedId,
        #[serde(flatten)]
        reduced: Reduced,
    },
    Explored {
        id: SeedId,
        form: Form,
        strategy: String,
        explored: Explored,
    },
}

/// A seed by its program, its name and all that it was given: one with the same name in another suite is another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SeedId(String);

impl SeedId {
    /// That of a seed.
    pub fn of(seed: &Seed) -> SeedId {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(seed.executable.copy.as_os_str().as_bytes());
        add(seed.name.as_bytes());
        seed.command().for_each(&mut add);
        let input = &seed.input;
        input.stdin.iter().for_each(|bytes| add(bytes));
        // In the order in which seeds are stored.
        let mut files: Vec<_> = input.files.iter().collect();
        files.sort_by_key(|(path, _)| path.as_os_str());
        for (path, file) in files {
            add(path.as_os_str().as_bytes());
            add(&file.content);
        }
        for (name, value) in &input.fixture.environment {
            add(name.as_bytes());
            add(value.as_bytes());
        }
        SeedId(hasher.finalize().to_hex()[..32].to_owned())
    }
}

/// What was measured, in memory and on disk.
#[derive(Debug)]
pub struct ExperimentJournal {
    output: Output,
    journal: Journal,
    /// Whether some of it was measured by another build of byway.
    is_mixed: bool,
    reduced: HashMap<SeedId, Reduced>,
    explored: HashMap<SeedId, Vec<(Form, String, Explored)>>,
}

impl ExperimentJournal {
    /// Begins a new one. A previous output directory is kept beside it with `.old` behind its name.
    pub fn create(directory: &Path, conditions: &Conditions) -> Result<ExperimentJournal, EvalError> {
        let output = Output::create(directory)?;
        let mut journal = Journal::open(&output.directory.join(JOURNAL))?;
        journal.add(&Line::Conditions(conditions.clone()))?;
        Ok(ExperimentJournal { output, journal, is_mixed: false, reduced: HashMap::new(), explored: HashMap::new() })
    }

    /// Goes on with one that was begun under the same conditions.
    pub fn resume(directory: &Path, conditions: &Conditions) -> Result<ExperimentJournal, EvalError> {
        let nothing = || EvalError::Nothing { path: directory.to_owned() };
        let path = directory.join(JOURNAL);
        if !path.exists() {
            return Err(nothing());
        }
        let output = Output::open(directory)?;
        let journal = Journal::open(&path)?;
        let mut lines = read_journal::<Line>(&path)?.into_iter();
        let Some(Line::Conditions(before)) = lines.next() else { return Err(nothing()) };
        before.compare(conditions, directory)?;
        let is_mixed = before.build != conditions.build;
        let mut journal =
            ExperimentJournal { output, journal, is_mixed, reduced: HashMap::new(), explored: HashMap::new() };
        // What ended for want of memory may get further now.
        let is_done = |line: &Line| !matches!(line, Line::Explored { explored, .. } if explored.ended == Ended::Memory);
        lines.filter(is_done).for_each(|line| journal.know(line));
        Ok(journal)
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.output.directory
    }

    /// Whether some of it was measured by another build of byway.
    pub fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    fn know(&mut self, line: Line) {
        match line {
            Line::Conditions(_) => {}
            Line::Reduced { id, reduced } => {
                self.reduced.insert(id, reduced);
            }
            Line::Explored { id, form, strategy, explored } => {
                self.explored.entry(id).or_default().push((form, strategy, explored));
            }
        }
    }

    fn note(&mut self, line: Line) -> Result<(), EvalError> {
        self.journal.add(&line)?;
        self.output.settle()?;
        self.know(line);
        Ok(())
    }

    /// What became of a seed that was made smaller, if that was tried.
    pub fn reduced(&self, id: &SeedId) -> Option<&Reduced> {
        self.reduced.get(id)
    }

    /// Notes that a seed was made smaller.
    pub fn note_reduced(&mut self, id: &SeedId, reduced: Reduced) -> Result<(), EvalError> {
        self.note(Line::Reduced { id: id.clone(), reduced })
    }

    /// Whether it was explored from a seed.
    pub fn is_explored(&self, id: &SeedId, form: Form, strategy: &str) -> bool {
        let explored = self.explored.get(id);
        explored.is_some_and(|all| all.iter().any(|(known, by, _)| *known == form && by == strategy))
    }

    /// Notes what exploring from a seed came to.
    pub fn note_explored(
        &mut self,
        id: &SeedId,
        form: Form,
        strategy: &str,
        explored: Explored,
    ) -> Result<(), EvalError> {
        self.note(Line::Explored { id: id.clone(), form, strategy: strategy.to_owned(), explored })
    }

    /// What is known of a seed, if anything is. Its program has so many outcomes of branches.
    pub fn measured(
        &self,
        seed: &Seed,
        strategies: &[String],
        branches: u32,
    ) -> Result<Option<MeasuredSeed>, EvalError> {
        let id = SeedId::of(seed);
        let Some(reduced) = self.reduced(&id) else { return Ok(None) };
        let mut measured = reduced.seed.clone();
        let explored = self.explored.get(&id);
        for (form, strategy, explored) in explored.into_iter().flatten().filter(|(_, by, _)| strategies.contains(by)) {
            let version: &mut MeasuredForm = match form {
                Form::Original => &mut measured.original,
                Form::Reduced => &mut measured.reduced,
                // It is one of the others, and never noted.
                Form::Shorter => continue,
            };
            version.explored.insert(strategy.clone(), explored.clone());
        }
        let unknown = measured.named_branches().find(|&branch| branch >= branches);
        match unknown {
            Some(branch) => Err(EvalError::NoSuchBranch { path: self.directory().join(JOURNAL), branch, branches }),
            None => Ok(Some(measured)),
        }
    }
}

impl Conditions {
    /// Fails if a flag has another value.
    fn compare(&self, now: &Conditions, directory: &Path) -> Result<(), EvalError> {
        let mut pairs = self.flags.iter().zip(&now.flags);
        let words = |(flag, value): &(String, String)| format!("{flag} {value}");
        pairs.find(|(was, wanted)| was != wanted).map_or(Ok(()), |(was, wanted)| {
            Err(EvalError::Other { path: directory.to_owned(), was: words(was), wanted: words(wanted) })
        })
    }
}
