//! Journals: what happened, in order, one line of JSON each. That of an exploration is `journal.jsonl`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::stats::ExploreStats;
use crate::test::Kept;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Line {
    /// An exploration began, or went on.
    Begin {
        /// The version of the output directory.
        version: u32,
        /// The number that the next test gets.
        next: u32,
    },
    /// A test was kept.
    Test {
        /// Its number.
        number: u32,
        /// When.
        seconds: f64,
        /// What for.
        kept: Kept,
        /// How many blocks it is the first to cover.
        new_blocks: u32,
    },
    /// Something was found that was not known.
    Finding {
        /// Its id.
        id: String,
        /// Its kind.
        kind: String,
        /// The number of the test that shows it.
        test: u32,
        /// When.
        seconds: f64,
    },
    /// How far the exploration is.
    Stats(Checkpoint),
}

/// How far an exploration is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// When.
    pub seconds: f64,
    /// Runs so far.
    pub runs: u64,
    /// Paths so far.
    pub paths: u64,
    /// Sides of branches that wait.
    pub pendings: u64,
    /// Lines covered.
    pub lines: u64,
    /// Sides of branches covered.
    pub branches: u64,
    /// Findings so far.
    pub findings: u64,
}

impl From<&ExploreStats> for Checkpoint {
    fn from(stats: &ExploreStats) -> Checkpoint {
        Checkpoint {
            seconds: stats.elapsed,
            runs: stats.runs,
            paths: stats.paths,
            pendings: stats.pendings,
            lines: stats.lines.covered,
            branches: stats.branches.covered,
            findings: stats.findings,
        }
    }
}

/// The journal, open at its end.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal to go on with. Half a line at its end, from a byway that was killed, is cut off.
    pub fn open(path: &Path) -> Result<Journal, ReportError> {
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(ReportError::io("open", path))?;
        let content = byway_file::read(path, byway_file::DESCRIPTION).map_err(ReportError::io("read", path))?;
        let whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < content.len() {
            file.set_len(whole as u64).map_err(ReportError::io("cut", path))?;
        }
        Ok(Journal { path: path.to_owned(), file })
    }

    /// Adds a line, in one piece.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), ReportError> {
        let mut text = serde_json::to_vec(line).expect("our types have names for keys");
        text.push(b'\n');
        let before = self.file.metadata().map(|data| data.len());
        self.file.write_all(&text).map_err(|error| {
            // Half a line would spoil the next one.
            let _ = before.and_then(|length| self.file.set_len(length));
            ReportError::io("write", &self.path)(error)
        })
    }
}

/// Reads the lines of a journal; what is not whole at the end is left out.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ReportError> {
    let content = match byway_file::read(path, byway_file::DESCRIPTION) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        content => content.map_err(ReportError::io("read", path))?,
    };
    let content = String::from_utf8(content).map_err(std::io::Error::other).map_err(ReportError::io("read", path))?;
    let whole = content.rfind('\n').map_or("", |end| &content[..end]);
    let damaged = |source| ReportError::Damaged { path: path.to_owned(), source };
    whole.lines().map(|line| serde_json::from_str(line).map_err(damaged)).collect()
}
