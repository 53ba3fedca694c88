//! Which lines of the sources were executed, and by which runs: `coverage.json`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use byway_snapshot::SourceTexts;
use serde::{Deserialize, Serialize};

use crate::VERSION;

/// Which runs executed a line. The greatest counts, if several did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExecutedBy {
    /// None that byway followed.
    Nothing,
    /// Only inputs that byway made.
    Byway,
    /// The tests, or the input that an exploration began with.
    Tests,
}

/// The lines with code, by source file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCoverage {
    version: u32,
    files: BTreeMap<String, FileLines>,
}

/// The lines of one file with code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredLines", into = "StoredLines")]
pub struct FileLines {
    lines: BTreeMap<u32, ExecutedBy>,
    /// The hash of the text that they are lines of, if it could be read.
    text: Option<String>,
}

/// The same as ranges: the first line and the last.
#[derive(Clone, Serialize, Deserialize)]
struct StoredLines {
    tests: Vec<(u32, u32)>,
    byway: Vec<(u32, u32)>,
    nothing: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// How many lines were executed by which runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// By the tests.
    pub tests: usize,
    /// Only by inputs that byway made.
    pub byway: usize,
    /// By nothing.
    pub nothing: usize,
}

impl LineCoverage {
    /// No lines yet.
    pub fn new() -> LineCoverage {
        LineCoverage { version: VERSION, files: BTreeMap::new() }
    }

    /// Notes a line with code. It may be a line of several programs.
    pub fn note(&mut self, file: &Path, line: u32, by: ExecutedBy) {
        let name = file.to_string_lossy();
        if !self.files.contains_key(&*name) {
            self.files.insert(name.clone().into_owned(), FileLines::default());
        }
        let known = self.files.get_mut(&*name).expect("it is there now").lines.entry(line).or_insert(by);
        *known = by.max(*known);
    }

    /// Adds the lines of others.
    pub fn add(&mut self, others: LineCoverage) {
        for (name, file) in others.files {
            let known = self.files.entry(name).or_default();
            for (line, by) in file.lines {
                let known = known.lines.entry(line).or_insert(by);
                *known = by.max(*known);
            }
        }
    }

    /// The lines of a file.
    pub fn file(&self, name: &str) -> Option<&FileLines> {
        self.files.get(name)
    }

    /// The files, by name.
    pub fn files(&self) -> impl Iterator<Item = (&String, &FileLines)> {
        self.files.iter()
    }
}

impl FileLines {
    /// Which runs executed a line; nothing if it has no code.
    pub fn of(&self, line: u32) -> Option<ExecutedBy> {
        self.lines.get(&line).copied()
    }

    /// How many lines were executed by which runs.
    pub fn counts(&self) -> LineCounts {
        let mut counts = LineCounts::default();
        for by in self.lines.values() {
            match by {
                ExecutedBy::Tests => counts.tests += 1,
                ExecutedBy::Byway => counts.byway += 1,
                ExecutedBy::Nothing => counts.nothing += 1,
            }
        }
        counts
    }

    fn ranges(&self, wanted: ExecutedBy) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for &line in self.lines.iter().filter(|(_, by)| **by == wanted).map(|(line, _)| line) {
            match ranges.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(line) => *last = line,
                _ => ranges.push((line, line)),
            }
        }
        ranges
    }
}

impl LineCounts {
    /// All lines.
    pub fn all(self) -> usize {
        self.tests + self.byway + self.nothing
    }

    /// With those of another file.
    pub fn and(self, other: LineCounts) -> LineCounts {
        LineCounts {
            tests: self.tests + other.tests,
            byway: self.byway + other.byway,
            nothing: self.nothing + other.nothing,
        }
    }
}

/// A file has no more lines than this.
const MOST_LINES: u32 = 1 << 24;

impl From<StoredLines> for FileLines {
    fn from(stored: StoredLines) -> FileLines {
        let all = [
            (ExecutedBy::Nothing, stored.nothing),
            (ExecutedBy::Byway, stored.byway),
            (ExecutedBy::Tests, stored.tests),
        ];
        let mut lines = BTreeMap::new();
        for (by, ranges) in all {
            // Somebody else may have written the file.
            let ranges = ranges.into_iter().filter(|&(first, last)| first <= last && last <= MOST_LINES);
            lines.extend(ranges.flat_map(|(first, last)| first..=last).map(|line| (line, by)));
        }
        FileLines { lines, text: stored.text }
    }
}

impl From<FileLines> for StoredLines {
    fn from(file: FileLines) -> StoredLines {
        StoredLines {
            tests: file.ranges(ExecutedBy::Tests),
            byway: file.ranges(ExecutedBy::Byway),
            nothing: file.ranges(ExecutedBy::Nothing),
            text: file.text,
        }
    }
}

/// The texts of files, each read once.
#[derive(Debug, Default)]
pub struct CoveredTexts {
    texts: HashMap<String, Option<(Arc<str>, String)>>,
}

impl CoveredTexts {
    /// Reads the text of each file, and notes which text it is.
    pub fn read(&mut self, coverage: &mut LineCoverage, sources: &[SourceTexts]) {
        for (name, file) in &mut coverage.files {
            let read = || sources.iter().find_map(|of| of.read(Path::new(name)));
            let text =
                self.texts.entry(name.clone()).or_insert_with(|| read().map(|text| (Arc::from(&*text), hash(&text))));
            file.text = text.as_ref().map(|(_, hash)| hash.clone());
        }
    }

    /// The text of a file, if it is the one that the lines are of.
    pub fn get(&self, name: &str, file: &FileLines) -> Option<Arc<str>> {
        let (text, hash) = self.texts.get(name)?.as_ref()?;
        (file.text.as_ref() == Some(hash)).then(|| Arc::clone(text))
    }

    /// The texts that are there now.
    pub fn of_now(coverage: &LineCoverage) -> CoveredTexts {
        let (mut texts, sources) = (CoveredTexts::default(), [SourceTexts::default()]);
        texts.read(&mut coverage.clone(), &sources);
        texts
    }
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_stored_as_ranges_and_the_runs_that_count_most_count() {
        let mut coverage = LineCoverage::new();
        for (line, by) in [
            (1, ExecutedBy::Tests),
            (2, ExecutedBy::Byway),
            (2, ExecutedBy::Tests),
            (4, ExecutedBy::Tests),
            (5, ExecutedBy::Nothing),
            (6, ExecutedBy::Byway),
            (6, ExecutedBy::Nothing),
        ] {
            coverage.note(Path::new("/a.c"), line, by);
        }
        let json = serde_json::to_value(&coverage).unwrap();
        let file = &json["files"]["/a.c"];
        assert_eq!(file["tests"], serde_json::json!([[1, 2], [4, 4]]));
        assert_eq!((&file["byway"], &file["nothing"]), (&serde_json::json!([[6, 6]]), &serde_json::json!([[5, 5]])));
        let again: LineCoverage = serde_json::from_value(json).unwrap();
        assert_eq!(again, coverage);
        assert_eq!(again.files["/a.c"].counts(), LineCounts { tests: 3, byway: 1, nothing: 1 });
    }

    #[test]
    fn what_somebody_else_wrote_takes_no_memory_without_bound() {
        let stored = r#"{"tests":[[1,4294967295],[3,2]],"byway":[],"nothing":[]}"#;
        let file: FileLines = serde_json::from_str(stored).unwrap();
        assert_eq!(file.counts().all(), 0);
    }
}
