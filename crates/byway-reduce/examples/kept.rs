//! kept BEFORE AFTER PROGRAM: whether smaller seeds cover what they were made of covers, by another tool's word.
//!
//! BEFORE is a directory of seeds, AFTER what `byway reduce` made of it, PROGRAM the same program built by clang with
//! `-fprofile-instr-generate -fcoverage-mapping`. Each seed is run in PROGRAM, unconfined, and llvm-cov says which lines it executed.

use std::collections::{BTreeSet, HashMap};
use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use byway_exec::{Runner, RunnerConfig, Variants};
use byway_input::ConcreteInput;
use byway_report::Ending;
use byway_suite::{Seed, Suite};
use byway_trace::TraceLimits;

type Lines = BTreeSet<(String, u32)>;

/// What llvm-cov says of runs.
struct Tool {
    program: PathBuf,
    directory: PathBuf,
    runner: Runner,
}

impl Tool {
    fn new(program: &Path, directory: &Path) -> Result<Tool, Box<dyn Error>> {
        let (sandbox, timeout) = (byway_confine::SandboxSettings::default(), Duration::from_secs(10));
        let mut config = RunnerConfig::new(Variants::of(program.to_owned()), sandbox, TraceLimits::default(), timeout);
        config.sandbox.unconfined = true;
        Ok(Tool { program: program.to_owned(), directory: directory.to_owned(), runner: Runner::new(config, [])? })
    }

    fn lines(&mut self, seed: &Seed) -> Result<(Lines, Ending), Box<dyn Error>> {
        let (raw, merged) = (self.directory.join("raw"), self.directory.join("merged"));
        let _ = fs::remove_file(&raw);
        let mut input = ConcreteInput::clone(&seed.input);
        Arc::make_mut(&mut input.fixture).environment.push(("LLVM_PROFILE_FILE".into(), raw.clone().into()));
        let ran = self.runner.native(&input, &self.runner.run_options())?;
        if !raw.exists() {
            // Who is killed by a signal writes nothing.
            return Ok((Lines::new(), ran.ending()));
        }
        let merge = Command::new("llvm-profdata-19").args(["merge", "-sparse", "-o"]).args([&merged, &raw]).status()?;
        assert!(merge.success(), "llvm-profdata-19 fails");
        let export = Command::new("llvm-cov-19")
            .args(["export", "-format=lcov"])
            .arg(&self.program)
            .arg(format!("-instr-profile={}", merged.display()))
            .output()?;
        assert!(export.status.success(), "llvm-cov-19 fails: {}", String::from_utf8_lossy(&export.stderr));
        let mut lines = Lines::new();
        let mut file = String::new();
        for line in String::from_utf8(export.stdout)?.lines() {
            if let Some(name) = line.strip_prefix("SF:") {
                file = name.to_owned();
            } else if let Some((number, count)) = line.strip_prefix("DA:").and_then(|line| line.split_once(',')) {
                if count != "0" {
                    lines.insert((file.clone(), number.parse()?));
                }
            }
        }
        Ok((lines, ran.ending()))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    byway_confine::serve_if_asked();
    let words: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [before, after, program] = words.as_slice() else { return Err("kept BEFORE AFTER PROGRAM".into()) };
    let program = program.canonicalize()?;
    let (before, after) = (Suite::open(before)?, Suite::open(after)?);
    let origins: HashMap<&str, &Seed> = before.seeds.iter().map(|seed| (seed.name.as_str(), seed)).collect();
    let directory = env::temp_dir().join(format!("byway-kept-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let mut tool = Tool::new(&program, &directory)?;
    let (mut compared, mut kept, mut lost, mut all) = (0, 0, 0, 0);
    for seed in after.seeds.iter().filter(|seed| seed.executable.path.file_name() == program.file_name()) {
        let Some(origin) = seed.origin.as_deref().and_then(|origin| origins.get(origin)) else { continue };
        let ((old, old_ending), (new, new_ending)) = (tool.lines(origin)?, tool.lines(seed)?);
        if old.is_empty() {
            continue;
        }
        let gone: Vec<_> = old.difference(&new).collect();
        compared += 1;
        kept += usize::from(gone.is_empty());
        (lost, all) = (lost + gone.len(), all + old.len());
        if !gone.is_empty() || (old_ending == Ending::Exited(0)) != (new_ending == Ending::Exited(0)) {
            println!("{} of {}: {new_ending} instead of {old_ending}; without {gone:?}", seed.name, origin.name);
        }
    }
    fs::remove_dir_all(&directory)?;
    println!("{compared} seeds compared, {kept} cover all lines that they covered; {lost} of {all} lines lost");
    Ok(())
}
