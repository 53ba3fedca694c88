//! Whatever a hostile program leaves as its trace, the world learns what it can of it, and asks.

use byway_damage::trace::{change, files, memory};
use byway_damage::{Damage, Read};

use super::*;

#[test]
fn a_damaged_trace_is_learned_and_asked() {
    let seeds = [seed(50, "/dir")];
    let damage = Damage { name: "checked traces", files: files(), change: &change, cases: 60, ..Damage::default() };
    damage.read(|file| {
        let trace = memory(file).finish();
        let read = Read::from(&trace);
        if let Ok(trace) = trace {
            let (mut world, ledger) = (world(&seeds), ledger());
            let learned = world.learn(0, Changes::default(), &ran(trace), None, &never);
            let candidates =
                world.ask(&learned, 0, None, &ledger, (&Allowance::new(Duration::from_millis(50)), &never)).0;
            for candidate in &candidates {
                candidate.options.iter().for_each(|changes| drop(world.input(0, changes)));
                world.depth(candidate.last, Duration::from_millis(10), &never);
            }
        }
        read
    });
}
