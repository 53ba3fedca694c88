//! `byway rank`: which seeds to explore from first.

use byway_reduce::{Branches, Profile};
use byway_report::command_line;
use serde::Serialize;

use crate::command::measured::{Way, programs, ranked, suite};
use crate::command::{count, interruptions, nothing_of};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::RankFlags;

/// A seed in its place.
#[derive(Debug, Serialize)]
struct Ranked {
    seed: String,
    /// Its command line.
    command: String,
    /// How many branches it covers.
    branches: u64,
    /// How many of them none before it covers.
    additional: u64,
    /// How many branches it executes, each as often as it does.
    path_length: u64,
}

/// Runs the command.
pub fn run(flags: RankFlags) -> Result<ExitCode, Error> {
    let suite = suite(&flags.measure, &flags.seeds)?;
    let interrupted = interruptions()?;
    let programs = programs(&Way::new(&flags.measure.runs, flags.measure.unconfined)?, &suite)?;
    let mut covered = Branches::default();
    let ranked: Vec<Ranked> = ranked(&programs, flags.order, flags.measure.seed, &interrupted)?
        .into_iter()
        .map(|(position, Profile { branches, path_length })| {
            let additional = branches.count_without(&covered);
            covered.extend_from(&branches);
            let seed = &suite.seeds[position];
            let (name, command) = (seed.name.clone(), command_line(seed.command()));
            Ranked { seed: name, command, branches: branches.count(), additional, path_length }
        })
        .collect();
    match flags.measure.json {
        true => console::print(&(serde_json::to_string_pretty(&ranked).expect("plain data") + "\n")),
        false => console::print(&in_words(&ranked, covered.count())),
    }
    Ok(if ranked.is_empty() { nothing_of(&suite, "ranked") } else { ExitCode::Success })
}

fn in_words(ranked: &[Ranked], covered: u64) -> String {
    let heading = ["seed", "branches", "additional", "path length", "test"].map(str::to_owned).to_vec();
    let numbers = |seed: &Ranked| {
        let numbers =
            [seed.branches, seed.additional, seed.path_length].map(|number| console::thousands(number as usize));
        std::iter::once(seed.seed.clone()).chain(numbers).chain([format!(" {}", seed.command)]).collect()
    };
    let rows: Vec<_> = std::iter::once(heading).chain(ranked.iter().map(numbers)).collect();
    format!(
        "{}{}, {} branches covered\n",
        console::table(&rows),
        count(ranked.len(), "seed"),
        console::thousands(covered as usize)
    )
}
