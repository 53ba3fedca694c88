//! `byway changes`: what changed between two versions of a program, and which tests reach it.

pub mod graph;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use byway_change::{Change, ChangeKind, ChangedEntity as Changed, Changes, Ignored, VersionLine, VersionPair};
use byway_program::{Subject, SubjectError};
use byway_report::SourceLines;
use byway_report::demangled;
use byway_variant::{Cache, program_code};
use serde::Serialize;

use crate::command::reach::{Reach, Reached};
use crate::command::{count, interruptions, open_subject, shown};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::ChangesFlags;

/// A program in two versions.
pub struct Versions {
    /// Its path below the two directories, or its name.
    pub name: String,
    /// The old version.
    pub old: Subject,
    /// The new version.
    pub new: Subject,
    /// What changed, once somebody has asked.
    changes: OnceCell<Changes>,
}

/// What is said of a program.
#[derive(Serialize)]
struct Report {
    program: String,
    old: PathBuf,
    new: PathBuf,
    changes: Vec<Reported>,
    positions_only: Vec<Change>,
    renamed: Vec<(String, String)>,
    /// The tests that were run, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<usize>,
}

/// A change with its source, and the tests that execute it.
#[derive(Serialize)]
struct Reported {
    #[serde(flatten)]
    change: Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reached_by: Option<Vec<String>>,
}

/// Runs the command.
pub fn run(flags: ChangesFlags) -> Result<ExitCode, Error> {
    let cache = flags.runs.cache.open()?;
    let ignored = Ignored { text: flags.ignore_text.clone() };
    let (programs, alone) = versions(&cache, &flags.old, &flags.new)?;
    alone.iter().for_each(|line| console::error(line));
    if let Some(format) = flags.graph {
        return graph::print(&cache, &programs, &ignored, format);
    }
    let reach = flags.from.as_ref().map(|seeds| Reach::open(seeds, &flags.runs, flags.unconfined)).transpose()?;
    let interrupted = interruptions()?;
    let mut reports = Vec::new();
    let mut coverage = Vec::new();
    for versions in &programs {
        let changes = versions.changes(&cache, &ignored)?.clone();
        let reached = match &reach {
            Some(reach) => Some(reach.of(versions, &changes, &interrupted)?),
            None => None,
        };
        coverage.extend(reached.iter().map(|reached| (changes.clone(), reached.clone())));
        reports.push(report(versions, changes, reached));
    }
    if let Some(path) = &flags.lcov {
        write_lcov(path, &coverage)?;
    }
    let text = match flags.json {
        true => serde_json::to_string_pretty(&reports).expect("a report is plain data") + "\n",
        false => reports.iter().map(in_words).collect(),
    };
    console::print(&text);
    Ok(ExitCode::Success)
}

impl Versions {
    fn new(name: String, old: Subject, new: Subject) -> Versions {
        Versions { name, old, new, changes: OnceCell::new() }
    }

    /// What changed. It is computed once: what is ignored is the same for a whole command.
    pub fn changes(&self, cache: &Cache, ignored: &Ignored) -> Result<&Changes, Error> {
        if let Some(known) = self.changes.get() {
            return Ok(known);
        }
        let _activity = Activity::new(format!("comparing {}", self.name));
        let (old, new) = (program_code(cache, &self.old)?, program_code(cache, &self.new)?);
        Ok(self.changes.get_or_init(|| VersionPair::new(&old, &new, ignored).changes()))
    }
}

/// The programs that both sides have, and a line for each that only one has.
pub fn versions(cache: &Cache, old: &Path, new: &Path) -> Result<(Vec<Versions>, Vec<String>), Error> {
    if old.is_dir() != new.is_dir() {
        let (directory, other) = if old.is_dir() { (old, new) } else { (new, old) };
        let (directory, other) = (directory.display(), other.display());
        return Err(Error::Ask(format!(
            "{directory} is a directory and {other} is none: name two programs, or two directories"
        )));
    }
    if !old.is_dir() {
        let name = new.file_name().unwrap_or(new.as_os_str()).to_string_lossy().into_owned();
        return Ok((vec![Versions::new(name, open_subject(cache, old)?, open_subject(cache, new)?)], Vec::new()));
    }
    let names = (&*old.to_string_lossy(), &*new.to_string_lossy());
    let (both, alone) = paired(programs_below(cache, old)?, programs_below(cache, new)?, names);
    if both.is_empty() {
        let (old, new) = (old.display(), new.display());
        return Err(Error::NothingInCommon(format!(
            "{old} and {new} have no program built with byway-cc at the same path"
        )));
    }
    Ok((both, alone))
}

/// The programs that are at the same path in both versions, and a line for each that only one has.
pub fn paired(olds: Programs, mut news: Programs, (old_name, new_name): (&str, &str)) -> (Vec<Versions>, Vec<String>) {
    let mut both = Vec::new();
    let mut alone = Vec::new();
    for (path, old) in olds {
        let name = path.display().to_string();
        match news.remove(&path) {
            Some(new) => both.push(Versions::new(name, old, new)),
            None => alone.push(format!("{name} is in {old_name} only")),
        }
    }
    alone.extend(news.keys().map(|path| format!("{} is in {new_name} only", path.display())));
    (both, alone)
}

/// Programs by their path from a directory.
pub type Programs = BTreeMap<PathBuf, Subject>;

/// All programs built with `byway-cc` below a directory, by their path from there.
pub fn programs_below(cache: &Cache, root: &Path) -> Result<Programs, Error> {
    let mut found = BTreeMap::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        let unreadable = |source| Error::Read { path: directory.clone(), source };
        for entry in fs::read_dir(&directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
            if kind.is_dir() {
                pending.extend(Some(path).filter(|path| path.file_name().is_none_or(|name| name != ".git")));
            } else if kind.is_file()
                && let Some(subject) = program(cache, &path)?
            {
                let below = path.strip_prefix(root).expect("it was found below").to_owned();
                found.insert(below, subject);
            }
        }
    }
    Ok(found)
}

/// The program in a file, if it is one and was built with `byway-cc`. Objects are none, and libraries are part of programs.
fn program(cache: &Cache, path: &Path) -> Result<Option<Subject>, Error> {
    use std::os::unix::fs::PermissionsExt;
    if !fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o111 != 0) {
        return Ok(None);
    }
    match open_subject(cache, path) {
        Ok(subject) if subject.is_shared_library() || subject.link.is_none() => Ok(None),
        Ok(subject) => Ok(Some(subject)),
        Err(SubjectError::NotElf { .. } | SubjectError::BadElf { .. } | SubjectError::NoBitcode { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn report(versions: &Versions, changes: Changes, reached: Option<Reached>) -> Report {
    let lines = |subject: &Subject| SourceLines::of(subject.source_texts());
    let (mut old, mut new) = (lines(&versions.old), lines(&versions.new));
    let line = |lines: &mut SourceLines, place: &VersionLine| lines.line(&place.file, place.line).map(str::to_owned);
    let tests = reached.as_ref().map(|reached| reached.tests);
    let mut by = reached.map(|reached| reached.by.into_iter());
    let changes_with_source = changes.changes.into_iter().map(|change| Reported {
        old_source: change.old.as_ref().and_then(|place| line(&mut old, place)),
        new_source: change.new.as_ref().and_then(|place| line(&mut new, place)),
        reached_by: by.as_mut().and_then(Iterator::next),
        change,
    });
    Report {
        program: versions.name.clone(),
        old: versions.old.path.clone(),
        new: versions.new.path.clone(),
        changes: changes_with_source.collect(),
        positions_only: changes.positions_only,
        renamed: changes.renamed,
        tests,
    }
}

fn in_words(report: &Report) -> String {
    let mut text = format!("{}: {}", report.program, count(report.changes.len(), "changed line"));
    if let Some(tests) = report.tests {
        let reached =
            report.changes.iter().filter(|change| change.reached_by.as_ref().is_some_and(|by| !by.is_empty()));
        text += &format!(", {} of them executed by {}", reached.count(), count(tests, "test"));
    }
    text += "\n";
    let mut function = None;
    for reported in &report.changes {
        let name = (reported.change.subject == Changed::Variable, &reported.change.name);
        if function != Some(name) {
            function = Some(name);
            let what = if name.0 { "variable" } else { "function" };
            text += &format!("\n  {what} {}\n", demangled(name.1));
        }
        text += &one(reported);
    }
    if !report.renamed.is_empty() {
        text += "\n  renamed, otherwise compared as above:\n";
        report.renamed.iter().for_each(|(old, new)| text += &format!("    {} -> {}\n", demangled(old), demangled(new)));
    }
    if !report.positions_only.is_empty() {
        text += "\n  says only where it stands, no change:\n";
        for change in &report.positions_only {
            text += &format!("    {}\n", place(change.new.as_ref().or(change.old.as_ref())));
        }
    }
    text + "\n"
}

fn one(reported: &Reported) -> String {
    let change = &reported.change;
    let what = match (change.kind, change.subject) {
        (ChangeKind::Added, _) => "added",
        (ChangeKind::Removed, _) => "removed",
        (ChangeKind::Changed, Changed::Control) => "goes on elsewhere",
        (ChangeKind::Changed, Changed::Signature) => "other parameters or result",
        (ChangeKind::Changed, Changed::Variable) => "other value",
        (ChangeKind::Changed, Changed::Statement) => "changed",
    };
    let at = if change.kind == ChangeKind::Removed { &change.old } else { &change.new };
    let mut text = format!("    {}: {what}", place(at.as_ref()));
    if let Some(by) = &reported.reached_by {
        text += &match &by[..] {
            [] => ", executed by no test".to_owned(),
            [only] => format!(", executed by {only}"),
            [first, ..] => format!(", executed by {} tests: {first}, ...", by.len()),
        };
    }
    text += "\n";
    let is_same = reported.old_source == reported.new_source;
    if change.old.is_some() && change.kind != ChangeKind::Added && !(is_same && change.new.is_some()) {
        reported.old_source.iter().for_each(|line| text += &format!("      - {}\n", line.trim()));
    }
    if change.kind != ChangeKind::Removed {
        let mark = if is_same { ' ' } else { '+' };
        reported.new_source.iter().for_each(|line| text += &format!("      {mark} {}\n", line.trim()));
    } else if let Some(place) = &change.new {
        text += &format!("      the new version goes on at line {}\n", place.line);
    }
    text
}

fn place(place: Option<&VersionLine>) -> String {
    place.map_or_else(|| "?".to_owned(), |place| format!("{}:{}", shown(&place.file), place.line))
}

/// Coverage of the changed lines of the new versions.
fn write_lcov(path: &Path, programs: &[(Changes, Reached)]) -> Result<(), Error> {
    let mut files: BTreeMap<&PathBuf, BTreeMap<u32, usize>> = BTreeMap::new();
    for (changes, reached) in programs {
        for (change, by) in changes.changes.iter().zip(&reached.by) {
            if let Some(place) = change.new.as_ref().filter(|_| change.kind != ChangeKind::Removed) {
                *files.entry(&place.file).or_default().entry(place.line).or_default() += by.len();
            }
        }
    }
    let mut text = String::from("TN:\n");
    for (file, lines) in files {
        text += &format!("SF:{}\n", file.display());
        lines.iter().for_each(|(line, tests)| text += &format!("DA:{line},{tests}\n"));
        let hit = lines.values().filter(|&&tests| tests > 0).count();
        text += &format!("LF:{}\nLH:{hit}\nend_of_record\n", lines.len());
    }
    fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}
