//! What choosing costs: nanoseconds per pick for every strategy, with a thousand to a million pendings.
//!
//! `cargo run --release -p byway-engine --example search_cost`
//!
//! A pick here is the choice, telling all searchers, and closing the pending. The second table is what it costs to
//! insert a run, per step of its path: the tree, what searchers learn from it, and the new pending.

use std::time::{Duration, Instant};

use byway_engine::goals::Goals;
use byway_engine::search::{Frontier, Ran, SearchSettings, Strategy};
use byway_engine::tree::{BranchPath, PendingOutcome};
use byway_map::BlockId;
use byway_map::sketch::Sketch;

/// Strategies besides those that are a name alone.
const FURTHER: [&str; 5] = ["subpath:1", "subpath:8", "subpath:1000", "subpath:1,2,4,8", "branches:2"];
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// Branches of a run.
const LENGTH: u32 = 200;
/// Picks that are timed together.
const BATCH: usize = 50;
/// Blocks of the program: one for each side of each site.
const BLOCKS: u32 = 2 * 3 * LENGTH;

fn main() {
    let strategies = Strategy::names().chain(FURTHER);
    let rows: Vec<_> = strategies.map(|search| (search, SIZES.map(|size| measure(search, size)))).collect();
    print("ns per pick", rows.iter().map(|(search, costs)| (*search, costs.map(|(pick, _)| pick))));
    print("ns per step inserted", rows.iter().map(|(search, costs)| (*search, costs.map(|(_, insert)| insert))));
}

fn print<'a>(title: &str, rows: impl Iterator<Item = (&'a str, [f64; 4])>) {
    println!("{title:<22}{:>10}{:>10}{:>10}{:>10}", "10^3", "10^4", "10^5", "10^6");
    for (search, costs) in rows {
        print!("{search:<22}");
        costs.iter().for_each(|cost| print!("{cost:>10.0}"));
        println!();
    }
    println!();
}

/// Nanoseconds per pick and per step inserted: medians, since other programs want the processor too.
fn measure(search: &str, pendings: usize) -> (f64, f64) {
    let (mut picks, mut inserts) = (Vec::new(), Vec::new());
    for seed in 0..(100_000 / pendings).max(1) as u64 {
        let mut frontier = grown(search, pendings, seed, &mut inserts);
        // A tenth of them: not so many that it becomes a smaller frontier.
        for _ in 0..(pendings / 10).min(20_000) / BATCH {
            picks.push(time_of_picks(&mut frontier));
        }
    }
    (median(picks), median(inserts))
}

fn time_of_picks(frontier: &mut Frontier) -> f64 {
    let start = Instant::now();
    for _ in 0..BATCH {
        let Some(picked) = frontier.pick() else { break };
        frontier.close(picked.pending, PendingOutcome::Infeasible);
    }
    start.elapsed().as_nanos() as f64 / BATCH as f64
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// A frontier after so many runs that it has that many pendings. Notes what the last of them cost to insert.
fn grown(search: &str, pendings: usize, seed: u64, inserts: &mut Vec<f64>) -> Frontier {
    let settings = SearchSettings::new(search.parse().expect("a strategy"), seed);
    let mut frontier = Frontier::new(&settings, goals(), |step, side| Some(BlockId::new(2 * step.site + side)));
    let mut chance = Chance(seed + 1);
    for run in 0.. {
        let path = path(&mut chance);
        // One new block now and then, so that distances change.
        let block = if run % 16 == 0 { run / 16 % BLOCKS } else { 0 };
        let cost = Duration::from_millis(u64::from(chance.below(300)));
        let start = Instant::now();
        frontier.insert(&Ran { run, path: &path, blocks: &[BlockId::new(block)], cost });
        if frontier.pending_count() > pendings / 2 {
            inserts.push(start.elapsed().as_nanos() as f64 / f64::from(LENGTH));
        }
        if frontier.pending_count() >= pendings {
            break;
        }
    }
    frontier
}

fn path(chance: &mut Chance) -> BranchPath {
    let mut path = BranchPath::new();
    for step in 0..LENGTH {
        let site = 3 * step + chance.below(3);
        path.push(site, 0, site, chance.below(2), 2);
    }
    path
}

/// Every block leads to all blocks of the next step.
fn goals() -> Goals {
    let successors = |block: u32| -> Vec<u32> {
        (0..6).map(|next| (block / 6 + 1) * 6 + next).filter(|&next| next < BLOCKS).collect()
    };
    let successors: Vec<Vec<u32>> = (0..BLOCKS).map(successors).collect();
    let mut sketch = Sketch::default();
    sketch.function("main", &successors.iter().map(Vec::as_slice).collect::<Vec<_>>());
    Goals::new(&sketch.finish(), vec![true; BLOCKS as usize])
}

/// Numbers without structure.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}
