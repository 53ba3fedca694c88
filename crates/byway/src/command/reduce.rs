//! `byway reduce`: seeds that cover the same and are smaller.

use std::path::PathBuf;

use byway_reduce::{Reduction, reduce};
use byway_suite::Writer;
use serde::Serialize;

use crate::command::measured::{Measured, Way, programs, suite};
use crate::command::{count, interruptions, nothing_of, shown};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::ReduceFlags;

/// What became of the seeds of a program.
#[derive(Debug, Serialize)]
struct Reduced {
    program: PathBuf,
    seeds: Vec<Entry>,
}

/// What became of a seed.
#[derive(Debug, Serialize)]
struct Entry {
    seed: String,
    path_length_before: u64,
    path_length: u64,
    bytes_before: u64,
    bytes: u64,
    runs: u64,
    seconds: f64,
    minimal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

impl Entry {
    fn new(reduction: &Reduction) -> Entry {
        Entry {
            seed: reduction.seed.name.clone(),
            path_length_before: reduction.before.path_length,
            path_length: reduction.after.path_length,
            bytes_before: reduction.before.bytes,
            bytes: reduction.after.bytes,
            runs: reduction.runs,
            seconds: reduction.elapsed.as_secs_f64(),
            minimal: reduction.is_minimal,
            trouble: reduction.trouble.clone(),
        }
    }

    /// Which part of the path is gone, in percent. Now and then a smaller input takes a longer path.
    fn rate(&self) -> f64 {
        let (before, after) = (self.path_length_before as f64, self.path_length as f64);
        if before == 0.0 { 0.0 } else { 100.0 * (before - after) / before }
    }
}

/// Runs the command.
pub fn run(flags: ReduceFlags) -> Result<ExitCode, Error> {
    let suite = suite(&flags.measure, &flags.seeds)?;
    let interrupted = interruptions()?;
    let programs = programs(&Way::new(&flags.measure.runs, flags.measure.unconfined)?, &suite)?;
    let mut seeds = suite.seeds.clone();
    let mut all = Vec::new();
    for program in &programs {
        let Measured { measure, .. } = program;
        let stop = || interrupted.load(std::sync::atomic::Ordering::Relaxed);
        let done = program.each("reducing seeds of", &interrupted, |runner, seed| {
            reduce(runner, seed, measure, flags.keep, flags.time, &stop)
        })?;
        all.push(Reduced {
            program: program.program.clone(),
            seeds: done.iter().map(|(_, reduction)| Entry::new(reduction)).collect(),
        });
        for (position, reduction) in done {
            seeds[position] = reduction.seed;
        }
    }
    let activity = Activity::new("writing the seeds".to_owned());
    let mut writer = Writer::create(&flags.output, &suite)?;
    // What could not be reduced stays as it is.
    seeds.iter().try_for_each(|seed| writer.add(seed))?;
    let written = writer.finish()?;
    drop(activity);
    match flags.measure.json {
        true => console::print(&(serde_json::to_string_pretty(&all).expect("plain data") + "\n")),
        false => {
            let (seeds, place) = (count(written.seeds.len(), "seed"), shown(&written.directory));
            console::print(&format!("{}{seeds} in {place}\n", in_words(&all)));
        }
    }
    let is_nothing = all.iter().all(|program| program.seeds.is_empty());
    Ok(if is_nothing { nothing_of(&suite, "reduced") } else { ExitCode::Success })
}

fn in_words(all: &[Reduced]) -> String {
    let heading =
        ["program", "seeds", "minimal", "", "path length", "reduced", "rate %", "bytes", "reduced", "s", "runs"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut troubles = String::new();
    for Reduced { program, seeds } in all.iter().filter(|program| !program.seeds.is_empty()) {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let minimal = seeds.iter().filter(|entry| entry.minimal).count();
        for (index, place) in ["min", "median", "max"].into_iter().enumerate() {
            let pick = |value: &dyn Fn(&Entry) -> f64| {
                let mut values: Vec<f64> = seeds.iter().map(value).collect();
                values.sort_by(f64::total_cmp);
                values[index * (values.len() - 1) / 2]
            };
            let whole = |value: &dyn Fn(&Entry) -> f64| console::thousands(pick(value) as usize);
            let of_all = |text: String| if index == 0 { text } else { String::new() };
            rows.push(vec![
                of_all(name.clone()),
                of_all(seeds.len().to_string()),
                of_all(minimal.to_string()),
                place.to_owned(),
                whole(&|entry| entry.path_length_before as f64),
                whole(&|entry| entry.path_length as f64),
                format!("{:.2}", pick(&Entry::rate)),
                whole(&|entry| entry.bytes_before as f64),
                whole(&|entry| entry.bytes as f64),
                format!("{:.2}", pick(&|entry| entry.seconds)),
                whole(&|entry| entry.runs as f64),
            ]);
        }
        for entry in seeds {
            if let Some(trouble) = &entry.trouble {
                troubles += &format!("{} is as it was: {trouble}\n", entry.seed);
            }
        }
    }
    console::table(&rows) + &troubles
}
