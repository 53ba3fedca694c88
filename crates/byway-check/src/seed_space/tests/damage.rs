//! Whatever a hostile program leaves as its trace, the space learns what it can of it, and asks.

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
            let (mut space, statistics) = (space(&seeds), statistics());
            let learned = space.learn(SeedRef::original(0), Changes::default(), &ran(trace), None, &never);
            let candidates =
                space.check(&learned, 0, None, &statistics, (&Allowance::new(Duration::from_millis(50)), &never)).0;
            for candidate in &candidates {
                candidate.options.iter().for_each(|changes| drop(space.input(SeedRef::original(0), changes)));
                space.depth(candidate.last, Duration::from_millis(10), &never);
            }
        }
        read
    });
}
