//! What a run wrote, as expressions over its input.

use std::collections::{BTreeMap, BTreeSet};

use byway_solve::{Expr, Importer, Op, Pool};
use byway_trace::layout::Event;
use byway_trace::{EventKind, Trace};

/// A byte that was written: its descriptor and its offset. Behind a redirection descriptors 1 and 2 have another number.
type Place = (u32, u64);

/// What is added to the number of a descriptor that is another file than when the program began.
const ELSEWHERE: u32 = 1 << 31;

/// What a run wrote and how it ended, as far as that depends on the input.
#[derive(Debug, Default)]
pub struct Written {
    /// The bytes that depend on the input; of several at one place the last.
    bytes: BTreeMap<Place, Expr>,
    /// The exit status, if it depends on the input.
    exit: Option<Expr>,
    /// The exit status as a number.
    status: Option<i32>,
    /// Standard output and standard error.
    texts: [Vec<u8>; 2],
}

impl Written {
    /// What the trace of a run says, with what it wrote in this run.
    pub fn new(trace: &Trace, importer: &mut Importer<'_>, texts: [Vec<u8>; 2], status: Option<i32>) -> Written {
        let mut written = Written { texts, status, ..Written::default() };
        for event in trace.events() {
            match EventKind::of(event.kind) {
                Some(EventKind::Output) => {
                    let byte = importer.expr(event.label);
                    debug_assert!(written.wrote(event), "{event:?} is not what was written");
                    let elsewhere = if event.is_elsewhere() { ELSEWHERE } else { 0 };
                    written.bytes.insert((event.extra | elsewhere, event.b), byte);
                }
                Some(EventKind::Exit) => written.exit = Some(importer.expr(event.label)),
                _ => {}
            }
        }
        written
    }

    /// Whether an event says of a byte what it was, as far as that is known.
    fn wrote(&self, event: &Event) -> bool {
        let text = (event.extra as usize).checked_sub(1).and_then(|text| self.texts.get(text));
        let text = text.filter(|_| !event.is_elsewhere());
        let byte = text.and_then(|text| text.get(usize::try_from(event.b).ok()?));
        byte.is_none_or(|&byte| u64::from(byte) == event.a)
    }

    /// A byte: what it means, or what it was.
    fn byte(&self, pool: &mut Pool, place: Place) -> Option<Expr> {
        if let Some(&byte) = self.bytes.get(&place) {
            return Some(byte);
        }
        let text = self.texts.get((place.0 as usize).checked_sub(1)?)?;
        let byte = *text.get(usize::try_from(place.1).ok()?)?;
        Some(pool.make_constant(8, byte.into()))
    }

    /// The lower 8 bits of the exit status.
    fn exit(&self, pool: &mut Pool) -> Option<Expr> {
        match (self.exit, self.status) {
            (Some(exit), _) => Some(if pool.width(exit) > 8 { pool.extract(exit, 0, 8) } else { exit }),
            (None, Some(status)) => Some(pool.make_constant(8, (status as u8).into())),
            (None, None) => None,
        }
    }

    /// For each byte that both versions wrote at one place, and for the exit status: that they differ, where they may.
    pub fn differing(old: &Written, new: &Written, pool: &mut Pool) -> Vec<Expr> {
        let places: BTreeSet<Place> = old.bytes.keys().chain(new.bytes.keys()).copied().collect();
        let mut all = Vec::new();
        let mut compare = |pool: &mut Pool, old: Option<Expr>, new: Option<Expr>| {
            if let (Some(old), Some(new)) = (old, new)
                && old != new
                && pool.width(old) == pool.width(new)
            {
                let same = pool.binary(Op::Eq, old, new);
                let differs = pool.not(same);
                if pool.constant(differs).is_none() {
                    all.push(differs);
                }
            }
        };
        for place in places {
            let (old, new) = (old.byte(pool, place), new.byte(pool, place));
            compare(pool, old, new);
        }
        if old.exit.is_some() || new.exit.is_some() {
            let (old, new) = (old.exit(pool), new.exit(pool));
            compare(pool, old, new);
        }
        all
    }
}
