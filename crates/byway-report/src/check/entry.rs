//! A finding of a check.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Frame};
use crate::shell;
use crate::text::Text;
use byway_input::{ConcreteInput, Ending};

use super::InputChange;

/// A finding, and how it was come by.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// What is wrong, and where.
    pub finding: Finding,
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// The name of the seed that it is near to.
    pub seed: String,
    /// The seed that this one was made of, if it was.
    pub origin: Option<String>,
    /// The seed's command line, its name first.
    pub seed_arguments: Vec<Vec<u8>>,
    /// How many feasible branches lie between where it left the seed's path and the operation; 0: on the seed's path.
    pub distance: u32,
    /// How many feasible branches come before the operation.
    pub depth: u32,
    /// Whether there are no more: counting them may take too long.
    pub depth_is_known: bool,
    /// Whether the sanitizers said so.
    pub confirmed: bool,
    /// What happened instead, if they did not.
    pub why: Option<String>,
    /// How the program ends on this input without sanitizers.
    pub ending: Ending,
    /// What differs from the seed.
    pub changed: Vec<InputChange>,
    /// Which question led to it: `index`, `division`, `path`, `seed`, ...
    pub check: String,
    /// Where that was asked: `cut.c:267:5`.
    pub site: Option<String>,
    /// When, in seconds since the check began: with what was done with seeds before, without building.
    pub seconds: f64,
}

/// Depths that say nothing of it were counted.
fn known() -> bool {
    true
}

/// A test that shows a finding, and how near to it that is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Near {
    /// The distance from the test's path.
    pub distance: u32,
    /// The depth of the operation; nobody knows it if counting took too long.
    pub depth: Option<u32>,
    /// The name of the test.
    pub test: String,
}

impl From<&Checked> for Near {
    fn from(checked: &Checked) -> Near {
        Near {
            distance: checked.distance,
            depth: checked.depth_is_known.then_some(checked.depth),
            test: checked.seed.clone(),
        }
    }
}

/// A finding in `findings.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckEntry {
    /// The defect's short name.
    pub id: String,
    /// What is wrong, and where.
    #[serde(flatten)]
    pub finding: Finding,
    /// The program.
    pub program: Text,
    /// Whether the sanitizers said so.
    pub confirmed: bool,
    /// What happened instead, if they did not.
    pub why: Option<String>,
    /// The name of the seed.
    pub seed: String,
    /// The seed that this one was made of, by leaving something out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Its command line, as a user would type it.
    pub seed_command: String,
    /// The same for the input that shows it.
    pub command: String,
    /// The distance from the seed's path.
    pub distance: u32,
    /// The least depth of the operation over all tests at that distance.
    pub depth: u32,
    /// Whether it is not more: counting may take too long.
    #[serde(default = "known")]
    pub depth_is_known: bool,
    /// All tests that were seen to show it, with few changes, the nearest first.
    #[serde(default)]
    pub tests: Vec<Near>,
    /// What differs from the seed, in words.
    pub changed: Vec<String>,
    /// The same, for programs.
    pub changes: Vec<InputChange>,
    /// Where the object was allocated, as far as there is one: `cut.c:12:3`.
    pub allocated: Option<String>,
    /// How the program ends on this input without sanitizers.
    pub ending: Ending,
    /// Which question led to it.
    pub check: String,
    /// Where that was asked.
    pub site: Option<String>,
    /// The directory of the input that shows it, from the output directory.
    pub input: String,
    /// How often it was seen.
    pub count: u64,
    /// When it was first seen, in seconds since the check began: with what was done with seeds before, without building.
    pub first_seen: f64,
}

impl CheckEntry {
    /// What to run to see it again, with names from `root`. What only the sanitizers see needs their build.
    pub fn reproduction(&self, output: &Path, root: &Path) -> String {
        let named = |path: &Path| shell::shown(path.strip_prefix(root).unwrap_or(path).as_os_str().as_encoded_bytes());
        let script = named(&output.join(&self.input).join("run.sh"));
        match self.confirmed && !self.ending.is_failure() {
            true => format!("{script} \"$(byway build {} --variant asan)\"", named(&self.program.to_path())),
            false => script,
        }
    }

    /// The test that shows it, in words.
    pub(super) fn test(&self) -> String {
        match &self.origin {
            None => format!("test {}", self.seed),
            Some(origin) if *origin == self.seed => format!("test {}, made smaller,", self.seed),
            Some(origin) => format!("test {}, made of {origin},", self.seed),
        }
    }

    /// A finding, seen for the first time with this input.
    pub(super) fn new(checked: &Checked, input: &ConcreteInput, directory: &str) -> CheckEntry {
        let id = checked.finding.id();
        let allocated = checked.finding.object.as_ref().and_then(|object| place(&object.allocated));
        CheckEntry {
            input: format!("{directory}/{id}"),
            id,
            finding: checked.finding.clone(),
            program: Text::from(checked.program.as_path()),
            confirmed: checked.confirmed,
            why: checked.why.clone(),
            seed: checked.seed.clone(),
            origin: checked.origin.clone(),
            seed_command: shell::command(checked.seed_arguments.iter().map(Vec::as_slice)),
            command: shell::command(input.fixture.name.iter().map(|name| name.as_bytes()).chain(input.texts())),
            distance: checked.distance,
            depth: checked.depth,
            depth_is_known: checked.depth_is_known,
            tests: vec![Near::from(checked)],
            changed: checked.changed.iter().map(InputChange::to_string).collect(),
            changes: checked.changed.clone(),
            allocated,
            ending: checked.ending,
            check: checked.check.clone(),
            site: checked.site.clone(),
            count: 1,
            first_seen: checked.seconds,
        }
    }

    /// Notes a test that shows it, at its least distance and, for that, least depth.
    pub(super) fn note_test(&mut self, near: Near) {
        let rank = |near: &Near| (near.distance, near.depth.unwrap_or(u32::MAX));
        match self.tests.iter_mut().find(|known| known.test == near.test) {
            Some(known) if rank(&near) < rank(known) => *known = near,
            Some(_) => return,
            None => self.tests.push(near),
        }
        self.tests.sort_by_key(|near| (rank(near), near.test.clone()));
        if let Some(depth) = self.nearest().and_then(|near| near.depth) {
            (self.depth, self.depth_is_known) = (depth, true);
        }
    }

    /// The test with the least depth at the finding's distance.
    pub(super) fn nearest(&self) -> Option<&Near> {
        self.tests.iter().find(|near| near.distance == self.distance)
    }

    /// The depth of the test whose input is shown, if it was counted.
    pub(super) fn shown_depth(&self) -> Option<u32> {
        self.tests.iter().find(|near| near.test == self.seed && near.distance == self.distance)?.depth
    }

    /// Whether what is only suspected is what another finding shows: the sanitizers may see an access elsewhere on its line.
    pub(super) fn is_suspicion_of(&self, other: &CheckEntry) -> bool {
        let (own, other_finding) = (&self.finding, &other.finding);
        let place = |finding: &Finding| (finding.file.clone(), finding.line, finding.function.clone());
        let is_there = own.class() == "access" || own.column == other_finding.column;
        !self.confirmed
            && other.confirmed
            && own.line.is_some()
            && own.class() == other_finding.class()
            && place(own) == place(other_finding)
            && is_there
    }

    /// Whether this says more than what is known of the same defect: the sanitizers say so, or it is nearer to its seed.
    pub(super) fn is_better_than(&self, known: &CheckEntry) -> bool {
        let rank = |entry: &CheckEntry| {
            let bytes: usize = entry.changes.iter().map(InputChange::bytes).sum();
            (!entry.confirmed, entry.distance, !entry.finding.behind.is_empty(), bytes, entry.depth)
        };
        rank(self) < rank(known)
    }
}

/// The first place of a stack that is the program's own: `cut.c:12:3`.
fn place(stack: &[Frame]) -> Option<String> {
    let frame = stack.iter().find(|frame| frame.is_own())?;
    let numbers = [frame.line, frame.column].into_iter().flatten().map(|number| format!(":{number}"));
    Some(frame.file.clone()? + &numbers.collect::<String>())
}
