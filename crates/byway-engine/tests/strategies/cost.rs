//! Choosing costs no more than the logarithm of the number of pendings. (`examples/search_cost.rs` shows the numbers.)
//!
//! These tests look at the clock, so they are not among those that must hold on a busy machine: `make bench` runs them.

use std::time::{Duration, Instant};

use byway_engine::goals::Goals;
use byway_engine::search::{Frontier, Ran, SearchSettings};
use byway_engine::tree::{BranchPath, PendingOutcome};
use byway_map::BlockId;

use crate::all;

/// Runs of a hundred branches each at some two hundred sites, until there are so many pendings.
fn grown(search: &str, pendings: usize) -> Frontier {
    let settings = SearchSettings::new(search.parse().unwrap(), 1);
    let mut frontier =
        Frontier::new(&settings, Goals::default(), |step, side| Some(BlockId::new(2 * step.site + side)));
    let mut chance = 1_u32;
    for run in 0.. {
        let mut path = BranchPath::new();
        for _ in 0..100 {
            chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let site = path.steps().len() as u32 * 2 + (chance >> 30 & 1);
            path.push(site, 0, site, chance >> 31, 2);
        }
        frontier.insert(&Ran {
            run,
            path: &path,
            blocks: &[BlockId::new(run % 400)],
            cost: Duration::from_millis(u64::from(run % 300)),
        });
        if frontier.pending_count() >= pendings {
            break;
        }
    }
    frontier
}

/// The time of a hundred picks, each found infeasible.
fn time_of_picks(frontier: &mut Frontier) -> Duration {
    let start = Instant::now();
    for _ in 0..100 {
        let picked = frontier.pick().unwrap();
        frontier.close(picked.pending, PendingOutcome::Infeasible);
    }
    start.elapsed()
}

#[test]
#[ignore = "measures time; make bench runs it"]
fn a_hundred_times_the_pendings_do_not_make_a_pick_twenty_times_as_expensive() {
    for search in all() {
        let (mut small, mut large) = (grown(search, 1_000), grown(search, 100_000));
        // The best of some: other programs want the processor too.
        let small = (0..5).map(|_| time_of_picks(&mut small)).min().unwrap();
        let large = (0..20).map(|_| time_of_picks(&mut large)).min().unwrap();
        assert!(large < 20 * small.max(Duration::from_micros(20)), "{search}: {small:?}, then {large:?}");
    }
}

#[test]
#[ignore = "measures time; make bench runs it"]
fn a_long_path_with_one_way_on_does_not_make_a_random_path_long() {
    let settings = SearchSettings::new("random-path".parse().unwrap(), 1);
    let mut frontier = Frontier::new(&settings, Goals::default(), |_, _| None);
    let mut path = BranchPath::new();
    (0..200_000).for_each(|step| path.push(step, 0, step, 0, 2));
    let learned = frontier.insert(&Ran { run: 0, path: &path, blocks: &[], cost: Duration::ZERO });
    let pendings: Vec<_> = learned.inserted.added.map(byway_engine::tree::PendingId).collect();
    // Only the last two thousand branches have something to try.
    pendings[..198_000].iter().for_each(|&pending| frontier.close(pending, PendingOutcome::Infeasible));
    let start = Instant::now();
    while let Some(picked) = frontier.pick() {
        frontier.close(picked.pending, PendingOutcome::Infeasible);
    }
    // Four hundred million steps would take far longer than this.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
