//! The output directory of a comparison.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use byway_input::{Behaviour, ConcreteInput, FileChange};
use byway_snapshot::SourceTexts;
use serde::{Deserialize, Serialize};

use super::{DiffStats, Difference, Observation, junit, outline, sarif, script};
use crate::VERSION;
use crate::disk;
use crate::error::ReportError;
use crate::executed::{CoveredTexts, LineCoverage};
use crate::fixture::StoredFixture;
use crate::output::Output;
use crate::page::{DiffContent, DiffPage, PageThrottle};
use crate::shell;
use crate::store::{COVERAGE, DIFFERENCES, STATS};
use crate::suppression::Suppressions;
use crate::test::{self, Kept, Test};

const DIFFERENCES_FILE: &str = "differences.json";
const DIFFERENCE_FILE: &str = "difference.json";
const SARIF: &str = "report.sarif";
const JUNIT: &str = "junit.xml";
const SIDES: [&str; 3] = ["old", "new", "golden"];

/// An output directory of a comparison that is written to. It can be read at any moment.
#[derive(Debug)]
pub struct DiffStore {
    output: Output,
    /// Where the sources are.
    root: PathBuf,
    /// The user's environment.
    environment: Vec<(OsString, OsString)>,
    differences: Vec<Difference>,
    /// What the user accepts.
    suppressions: Suppressions,
    begun: Instant,
    /// The page, and when it was written.
    page: DiffPage,
    throttle: PageThrottle,
    /// Which lines of the new version were executed, and the text of these files.
    coverage: (LineCoverage, CoveredTexts),
}

/// `difference.json`.
#[derive(Serialize, Deserialize)]
struct DifferenceFile<D> {
    version: u32,
    #[serde(flatten)]
    difference: D,
}

/// Reads the difference that a directory is of, if it is of one.
pub(crate) fn read(directory: &Path) -> Result<Option<Difference>, ReportError> {
    let file: Option<DifferenceFile<Difference>> = disk::read_versioned(&directory.join(DIFFERENCE_FILE), VERSION)?;
    Ok(file.map(|file| file.difference))
}

/// All differences of an output directory.
pub(crate) fn read_all(directory: &Path) -> Result<Vec<Difference>, ReportError> {
    Ok(disk::read_json(&directory.join(DIFFERENCES_FILE))?.unwrap_or_default())
}

impl DiffStore {
    /// Begins a new output directory. A previous one is kept beside it with `.old` behind its name, in place of an older.
    /// Sources below `root` are named from there.
    pub fn create(directory: &Path, root: &Path) -> Result<DiffStore, ReportError> {
        let output = Output::create(directory)?;
        disk::make(&output.directory.join(DIFFERENCES))?;
        let environment = std::env::vars_os().collect();
        let store = DiffStore {
            output,
            root: root.to_owned(),
            environment,
            differences: Vec::new(),
            suppressions: Suppressions::default(),
            begun: Instant::now(),
            page: DiffPage::default(),
            throttle: PageThrottle::default(),
            coverage: Default::default(),
        };
        store.write()?;
        Ok(store)
    }

    /// The same with what the user accepts.
    pub fn with_suppressions(self, suppressions: Suppressions) -> DiffStore {
        DiffStore { suppressions, ..self }
    }

    /// What the user accepts about differences and was not found, in words.
    pub fn unused_suppressions(&self) -> Vec<String> {
        self.suppressions.unused_of_differences()
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.output.directory
    }

    /// The differences so far, in the order of classes; those that are accepted are last.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Keeps a difference with its input and what the old, the new and the golden version did, in place of a known one with the
    /// same id. Returns the id.
    pub fn found(
        &mut self,
        mut difference: Difference,
        input: &ConcreteInput,
        behaviours: [Option<&Behaviour>; 3],
    ) -> Result<String, ReportError> {
        let id = difference.id.clone();
        difference.input = format!("{DIFFERENCES}/{id}");
        difference.command = command(input);
        let known = self.differences.iter().find(|known| known.id == id);
        difference.suppressed = self.suppressions.reason_of(&difference, &self.root);
        difference.first_seen = known.map_or(self.begun.elapsed().as_secs_f64(), |known| known.first_seen);
        let directory = self.output.directory.join(&difference.input);
        let test = self.test(&difference, input, behaviours);
        disk::build(&directory, |directory| {
            test::write_with(directory, 0, &test, script::ONCE)?;
            test::write_script(&directory.join("run.sh"), &script::script(&difference))?;
            let observations = [Some(&difference.old), Some(&difference.new), difference.golden.as_ref()];
            for ((side, behaviour), observation) in SIDES.into_iter().zip(behaviours).zip(observations) {
                if let (Some(behaviour), Some(observation)) = (behaviour, observation) {
                    write_behaviour(&directory.join(side), behaviour, observation)?;
                }
            }
            let diff: String =
                outline::diff(&difference).iter().map(|(mark, line)| format!("{mark}{line}\n")).collect();
            save(&directory.join("behaviour.diff"), diff.as_bytes())?;
            let file = DifferenceFile { version: VERSION, difference: &difference };
            save(&directory.join(DIFFERENCE_FILE), &disk::to_json(&file))
        })?;
        self.differences.retain(|known| known.id != id);
        self.differences.push(difference);
        self.differences.sort_by_key(|known| (known.suppressed.is_some(), known.class, known.kind, known.found));
        self.write()?;
        self.output.settle()?;
        Ok(id)
    }

    /// Notes how many inputs showed a difference.
    pub fn note_count(&mut self, id: &str, count: u64) {
        self.differences.iter_mut().filter(|known| known.id == id).for_each(|known| known.count = count);
    }

    /// Writes `differences.json`.
    pub fn write(&self) -> Result<(), ReportError> {
        disk::write_json(&self.output.directory.join(DIFFERENCES_FILE), &self.differences)
    }

    /// Whether the page was just written, so that it need not be known yet what it says.
    pub fn is_early(&self) -> bool {
        self.throttle.is_early()
    }

    /// Writes the statistics, which lines of these sources were executed, and the page, unless it was just written. To be called
    /// now and then.
    pub fn checkpoint(
        &mut self,
        stats: &DiffStats,
        mut lines: LineCoverage,
        sources: &[SourceTexts],
    ) -> Result<(), ReportError> {
        let (known, texts) = &mut self.coverage;
        texts.read(&mut lines, sources);
        if *known != lines {
            disk::write_json(&self.output.directory.join(COVERAGE), &lines)?;
            *known = lines;
        }
        disk::write_json(&self.output.directory.join(STATS), stats)?;
        self.output.settle()?;
        self.write_page(stats, false)
    }

    fn write_page(&mut self, stats: &DiffStats, is_end: bool) -> Result<(), ReportError> {
        let DiffStore { output, root, differences, page, throttle, coverage: (coverage, texts), .. } = self;
        let content = DiffContent { differences, stats, coverage, texts };
        throttle.write(is_end, || page.write(&output.directory, root, &content))
    }

    /// The end: writes everything that is for other programs too. True if nothing came of it, and what was there before is back
    /// in its place.
    pub fn finish(mut self, stats: &DiffStats) -> Result<bool, ReportError> {
        self.write()?;
        let directory = &self.output.directory;
        disk::write_json(&directory.join(STATS), stats)?;
        let report = sarif::report(&self.differences, stats, &self.root, directory);
        disk::write_json(&directory.join(SARIF), &report)?;
        disk::write(&directory.join(JUNIT), junit::report(&self.differences, stats, &self.root).as_bytes())?;
        self.write_page(stats, true)?;
        self.output.end()
    }

    /// The input of a difference is kept as tests are; its program is the new version.
    fn test(&self, difference: &Difference, input: &ConcreteInput, behaviours: [Option<&Behaviour>; 3]) -> Test {
        Test {
            program: difference.new_program.clone(),
            input: input.clone(),
            fixture: Some(StoredFixture::around(&input.fixture, &self.environment)),
            ending: behaviours[1].map_or(byway_input::Ending::Exited(0), |behaviour| behaviour.ending),
            kept: Kept::Failure,
            findings: Vec::new(),
            new_blocks: 0,
            seconds: 0.0,
            parent: None,
            search: None,
            flipped: None,
            ktest: None,
        }
    }
}

/// The command line of an input, for people.
fn command(input: &ConcreteInput) -> String {
    let name = input.fixture.name.iter().map(|name| name.as_bytes());
    let command = shell::command(name.chain(input.texts()));
    if input.stdin.as_ref().is_some_and(|stdin| !stdin.is_empty()) { format!("{command} < stdin") } else { command }
}

fn save(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    fs::write(path, content).map_err(ReportError::io("write", path))
}

/// What a version did, as files.
fn write_behaviour(directory: &Path, behaviour: &Behaviour, observation: &Observation) -> Result<(), ReportError> {
    disk::make(directory)?;
    save(&directory.join("ending"), format!("{}\n", behaviour.ending).as_bytes())?;
    save(&directory.join("stdout"), behaviour.stdout.beginning())?;
    save(&directory.join("stderr"), behaviour.stderr.beginning())?;
    let findings: String =
        observation.findings.iter().map(|finding| format!("{finding}: {}\n", finding.message)).collect();
    if !findings.is_empty() {
        save(&directory.join("sanitizers"), findings.as_bytes())?;
    }
    for (path, change) in behaviour.files.iter().flatten() {
        let below = path.components().filter(|part| matches!(part, Component::Normal(_))).collect::<PathBuf>();
        if let FileChange::Written { content, .. } = change {
            let path = directory.join("files").join(below);
            disk::make(path.parent().unwrap_or(directory))?;
            save(&path, content.beginning())?;
        }
    }
    Ok(())
}
