//! `byway record`: run a test command as always, and keep what it ran.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{self, ExitStatus};
use std::sync::atomic::AtomicBool;

use byway_suite::{RecordSettings, Recorded, Suite, SuiteError};
use byway_variant::Cache;

use crate::command::{count, interruptions, shown};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::RecordFlags;

/// The most lines that are printed of things that were not captured.
const MOST_LINES: usize = 10;

/// Runs the command.
pub fn run(flags: RecordFlags) -> Result<process::ExitCode, Error> {
    let interrupted = interruptions()?;
    let settings = settings(flags.output.clone());
    let recorded = match flags.quiet {
        true => byway_suite::record(&flags.command, settings, &interrupted)?,
        false => watched(&flags.command, settings, &interrupted)?,
    };
    if !flags.quiet {
        console::say(&in_words(&recorded.suite));
    }
    if let Some(trouble) = &recorded.trouble {
        console::error(&format!("{trouble}; the test command went on, but not all of it was captured"));
    }
    Ok(match (status_code(recorded.status), recorded.trouble) {
        (0, Some(_)) => ExitCode::File.into(),
        (0, None) if recorded.suite.seeds.is_empty() => {
            console::error(NOTHING);
            if recorded.is_put_back {
                console::error(&as_it_was(&recorded.suite.directory));
            }
            ExitCode::NothingCaptured.into()
        }
        (code, _) => process::ExitCode::from(code),
    })
}

/// Runs a test command, and says every now and then that it does.
pub fn watched(
    command: &[OsString],
    settings: RecordSettings,
    interrupted: &AtomicBool,
) -> Result<Recorded, SuiteError> {
    let _activity = Activity::in_lines("running the tests");
    byway_suite::record(command, settings, interrupted)
}

const NOTHING: &str = "the test command ran no program that carries bitcode: build the project with CC=byway-cc first; \
                       byway doctor PROG says what a program carries";

/// That a command without results has left those of an earlier one alone.
pub fn as_it_was(directory: &Path) -> String {
    format!("{} is as it was before: nothing came of this command", shown(directory))
}

/// How a test command is recorded.
pub fn settings(directory: PathBuf) -> RecordSettings {
    let mut settings = RecordSettings::new(directory);
    // What byway keeps for itself is no input of a test.
    settings.skipped.extend(Cache::open(None).map(|cache| cache.root().to_owned()));
    settings
}

/// As shells have it.
fn status_code(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, signal) => 128 + signal.unwrap_or_default() as u8,
    }
}

/// What was captured.
pub fn in_words(suite: &Suite) -> String {
    let mut programs: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for seed in &suite.seeds {
        *programs.entry(seed.executable.path.clone()).or_insert(0) += 1;
    }
    let mut text = format!(
        "byway: {} of {} captured: {} in {}\n",
        count(suite.runs as usize, "run"),
        count(programs.len(), "program"),
        count(suite.seeds.len(), "seed"),
        shown(&suite.directory)
    );
    let mut lines: Vec<String> =
        programs.iter().map(|(program, seeds)| format!("  {}: {}\n", shown(program), count(*seeds, "seed"))).collect();
    cut(&mut lines, "programs");
    text.extend(lines);
    let mut lines = not_captured(suite);
    if !lines.is_empty() {
        text += "byway: not captured:\n";
        cut(&mut lines, "lines; suite.json has all");
        text.extend(lines);
    }
    text
}

fn not_captured(suite: &Suite) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in &suite.not_captured {
        lines.push(format!("  {}: {} ({})\n", shown(&entry.what), entry.why, count(entry.times as usize, "time")));
    }
    let mut missing: BTreeMap<&str, BTreeSet<&Path>> = BTreeMap::new();
    for gap in suite.seeds.iter().flat_map(|seed| &seed.missing) {
        missing.entry(&gap.why).or_default().insert(&gap.path);
    }
    for (why, paths) in missing {
        let others = match paths.len() {
            0 | 1 => String::new(),
            number => format!(" and {}", count(number - 1, "other file")),
        };
        let first = paths.first().map(|path| shown(path)).unwrap_or_default();
        lines.push(format!("  {first}{others}: {why}\n"));
    }
    lines
}

fn cut(lines: &mut Vec<String>, what: &str) {
    let more = lines.len().saturating_sub(MOST_LINES);
    if more > 1 {
        lines.truncate(MOST_LINES);
        let mut line = String::new();
        let _ = writeln!(line, "  and {more} more {what}");
        lines.push(line);
    }
}
