//! Before seeds are checked: they are changed at random, and put in order.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use byway_reduce::Order;
use byway_suite::{Seed, Suite};

use crate::command::count;
use crate::command::measured::{Measured, Way, programs, ranked};
use crate::console::{self, thousands};
use crate::error::Error;
use crate::flags::CheckFlags;

/// Adds seeds that random changes make, and puts seeds in order, as far as the user wants it. Returns how much of the time that
/// took.
///
/// If nobody wants an order, large seeds come last.
pub fn prepare(flags: &CheckFlags, suite: &mut Suite, interrupted: &AtomicBool) -> Result<Duration, Error> {
    let order = flags.order.and_then(|order| order.0);
    let spent = match flags.warm_up.is_some() || order.is_some() {
        true => measure(flags, order, suite, interrupted)?,
        false => Duration::ZERO,
    };
    if flags.order.is_none() {
        large_last(&mut suite.seeds);
    }
    Ok(spent)
}

/// A seed is large if it has so many times as many bytes as half of the seeds have.
const LARGE: u64 = 8;

/// Puts large seeds behind all others, the largest last: one of them takes as long as many others, and shows what these do.
fn large_last(seeds: &mut [Seed]) {
    let mut bytes: Vec<u64> = seeds.iter().map(Seed::bytes).collect();
    bytes.sort_unstable();
    let least = bytes.get(bytes.len() / 2).map_or(0, |median| median * LARGE);
    seeds.sort_by_cached_key(|seed| seed.bytes().max(least));
}

fn measure(
    flags: &CheckFlags,
    order: Option<Order>,
    suite: &mut Suite,
    interrupted: &AtomicBool,
) -> Result<Duration, Error> {
    let mut measured = programs(&Way::new(&flags.runs, flags.unconfined)?, suite)?;
    measured.iter_mut().for_each(|program| program.restrict(&flags.symbolic));
    // To build is not counted.
    let begun = Instant::now();
    if let Some(time) = flags.warm_up {
        warm_up(time, flags.seed, suite, &measured, interrupted)?;
        measured.iter_mut().for_each(|program| program.renew(suite));
    }
    if let Some(order) = order {
        let order = ranked(&measured, order, flags.seed, interrupted)?;
        // What could not be measured is last.
        let mut places = vec![usize::MAX; suite.seeds.len()];
        order.iter().enumerate().for_each(|(place, &(position, _))| places[position] = place);
        let mut seeds: Vec<_> = places.into_iter().zip(std::mem::take(&mut suite.seeds)).collect();
        seeds.sort_by_key(|(place, _)| *place);
        suite.seeds = seeds.into_iter().map(|(_, seed)| seed).collect();
    }
    Ok(begun.elapsed())
}

/// Adds what random changes of the seeds cover for the first time. Programs share the time.
fn warm_up(
    time: Duration,
    seed: u64,
    suite: &mut Suite,
    measured: &[Measured],
    interrupted: &AtomicBool,
) -> Result<(), Error> {
    for program in measured {
        let warm = program.warm_up(time / measured.len() as u32, seed, interrupted)?;
        let seeds = count(warm.seeds.len(), "new seed");
        let (before, after) = (thousands(warm.branches_before as usize), thousands(warm.branches as usize));
        let (runs, seconds) = (count(warm.runs as usize, "run"), warm.elapsed.as_secs_f64());
        let name = program.name();
        console::error(&format!(
            "random changes of {name}: {seeds} in {seconds:.1} s, {runs}; {after} branches taken instead of {before}"
        ));
        suite.seeds.extend(warm.seeds);
    }
    Ok(())
}
