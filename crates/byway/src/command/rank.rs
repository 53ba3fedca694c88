//! `byway rank`: which seeds to explore from first.

use byway_reduce::{Branches, Profile, rank};
use byway_stage::Given;
use serde::Serialize;

use crate::command::measured::{programs, suite};
use crate::command::{count, interruptions};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::RankFlags;

/// A seed in its place.
#[derive(Debug, Serialize)]
struct Ranked {
    seed: String,
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
    let mut profiles: Vec<(usize, Profile)> = Vec::new();
    // Branches of different programs are different branches.
    let mut first = 0;
    for program in programs(&flags.measure, &suite)? {
        let counted = program.each(&flags.measure, "counting branches of", &interrupted, |runner, seed| {
            Ok(program.ruler.profile(&runner.count(&Given::of(seed))?.counts, first))
        })?;
        profiles.extend(counted);
        first += program.ruler.branches();
    }
    profiles.sort_by_key(|(position, _)| *position);
    let (positions, profiles): (Vec<usize>, Vec<Profile>) = profiles.into_iter().unzip();
    let mut covered = Branches::default();
    let ranked: Vec<Ranked> = rank(flags.order, &profiles, flags.measure.seed)
        .into_iter()
        .map(|index| {
            let Profile { branches, path_length } = &profiles[index];
            let additional = branches.count_without(&covered);
            covered.extend_from(branches);
            let seed = suite.seeds[positions[index]].name.clone();
            Ranked { seed, branches: branches.count(), additional, path_length: *path_length }
        })
        .collect();
    match flags.measure.json {
        true => console::print(&(serde_json::to_string_pretty(&ranked).expect("plain data") + "\n")),
        false => console::print(&in_words(&ranked, covered.count())),
    }
    Ok(if ranked.is_empty() { ExitCode::NothingCaptured } else { ExitCode::Success })
}

fn in_words(ranked: &[Ranked], covered: u64) -> String {
    let heading = ["seed", "branches", "additional", "path length"].map(str::to_owned).to_vec();
    let numbers = |seed: &Ranked| {
        let numbers =
            [seed.branches, seed.additional, seed.path_length].map(|number| console::thousands(number as usize));
        std::iter::once(seed.seed.clone()).chain(numbers).collect()
    };
    let rows: Vec<_> = std::iter::once(heading).chain(ranked.iter().map(numbers)).collect();
    format!(
        "{}{}, {} branches covered\n",
        console::table(&rows),
        count(ranked.len(), "seed"),
        console::thousands(covered as usize)
    )
}
