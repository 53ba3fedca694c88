//! `byway coverage`: run a program once, say which lines and branches ran.

use std::fs::{self, File};
use std::io::BufWriter;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

use byway_coverage::{CounterFile, Coverage, Ratio, lcov};
use byway_variant::{Variant, VariantKind, program_map};
use serde::Serialize;

use crate::command::{build_variant, open_subject, shown};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::CoverageFlags;

/// Runs the command.
pub fn run(flags: CoverageFlags) -> Result<ExitCode, Error> {
    let cache = flags.cache.open()?;
    let subject = open_subject(&cache, &flags.program)?;
    if subject.is_shared_library() && !flags.no_run {
        return Err(Error::NotProgram { command: "coverage", path: subject.path });
    }
    let variant = build_variant(&cache, &subject, VariantKind::Cov)?;
    let map = program_map(&cache, &subject)?;
    let temporary = tempfile::tempdir().map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
    let path = flags.data.clone().unwrap_or_else(|| temporary.path().join("counters"));
    let counters = CounterFile::open(&path, subject.id, &map)?;

    let status = if flags.no_run { None } else { Some(run_program(&flags, &variant, &counters)?) };
    let coverage = Coverage::new(&map, &counters.read()?);
    if let Some(path) = &flags.lcov {
        let write = || lcov::write(&coverage, BufWriter::new(File::create(path)?));
        write().map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    let report = if flags.json { json(&coverage, status) } else { table(&coverage, status) };
    match &flags.output {
        Some(path) => fs::write(path, report).map_err(|source| Error::Write { path: path.clone(), source })?,
        None => console::print(&report),
    }
    Ok(ExitCode::Success)
}

/// Runs the variant with our own input and output, under the name that the user gave.
fn run_program(flags: &CoverageFlags, variant: &Variant, counters: &CounterFile) -> Result<ExitStatus, Error> {
    let _activity = Activity::unseen(format!("running {}", shown(&flags.program)));
    Command::new(&variant.program)
        .arg0(&flags.program)
        .args(&flags.arguments)
        .env(byway_coverage::variable(), counters.path())
        .status()
        .map_err(|source| Error::Run { path: variant.program.clone(), source })
}

fn table(coverage: &Coverage, status: Option<ExitStatus>) -> String {
    let sandboxes = |name: String, lines: Ratio, branches: Ratio| {
        let percent =
            |ratio: Ratio| if ratio.total == 0 { "-".to_owned() } else { format!("{:.1} %", ratio.percent()) };
        let counts = |ratio: Ratio| format!("{}/{}", ratio.hit, ratio.total);
        vec![name, counts(lines), percent(lines), counts(branches), percent(branches)]
    };
    let mut rows = vec![["file", "lines", "", "branches", ""].map(str::to_owned).to_vec()];
    for (path, file) in &coverage.files {
        rows.push(sandboxes(shown(path), file.line_ratio(), file.branch_ratio()));
    }
    rows.push(sandboxes("total".to_owned(), coverage.line_ratio(), coverage.branch_ratio()));
    let mut text = console::table(&rows);
    if let Some(status) = status.filter(|status| !status.success()) {
        text += &format!("the program ended with {status}\n");
    }
    text
}

#[derive(Serialize)]
struct Report<'a> {
    exit_code: Option<i32>,
    signal: Option<i32>,
    lines: Ratio,
    branches: Ratio,
    #[serde(flatten)]
    coverage: &'a Coverage,
}

fn json(coverage: &Coverage, status: Option<ExitStatus>) -> String {
    let report = Report {
        exit_code: status.and_then(|status| status.code()),
        signal: status.and_then(|status| status.signal()),
        lines: coverage.line_ratio(),
        branches: coverage.branch_ratio(),
        coverage,
    };
    serde_json::to_string_pretty(&report).expect("a report is plain data") + "\n"
}
