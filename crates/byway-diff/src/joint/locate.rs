//! Queries about where changes meet.
//!
//! A path holds on to all that it said behind an interaction location, and that can keep what the changes did together from showing: the
//! decisions behind it are about the values that they made. So both paths are held only up to the location, and what comes next is asked
//! about as a whole: the first decisions behind the location that only one version says, compared with each other; and the bytes that both
//! wrote. Every answer is run.

use std::hash::{Hash, Hasher};

use byway_solve::{Expr, Op, PathCondition};
use rustc_hash::FxHasher;

use super::carry::Asked;
use super::said::{Constraint, Said};
use super::written::Written;
use super::{JointSearch, PathPair};
use crate::error::DiffError;

/// So many locations of a path are asked about, the last ones first.
const LOCATIONS: usize = 8;
/// So many decisions behind a location are compared.
const DECISIONS: usize = 24;
/// So many bytes that are written are compared.
const BYTES: usize = 24;

impl JointSearch<'_, '_> {
    /// Asks at the interaction locations of a path whether what lies behind them can be different in both versions.
    pub(super) fn ask_where_changes_meet(&mut self, pair: &PathPair, [old, new]: &[Said; 2]) -> Result<(), DiffError> {
        let Some(sequences) = self.ground.sequences.clone() else { return Ok(()) };
        let points = pair.paths[1].points();
        let [before, after] = &pair.written;
        for at in sequences.meetings(points).into_iter().take(LOCATIONS) {
            if (self.must_end)() {
                break;
            }
            let here = new.position(points[at].steps as usize);
            let (there, _) = old.counterpart(new, here);
            let (ways, behind) = ((&old.constraints[..there], &new.constraints[..here]), (there, here));
            if !self.asked.insert(key(ways, (points[at].block, points[at].calls))) {
                continue;
            }
            let mut differing = self.decisions((old, new), behind);
            let bytes = Written::differing(before, after, &mut self.context.pool);
            differing.extend(bytes.into_iter().take(BYTES));
            if differing.is_empty() {
                continue;
            }
            let pool = &mut self.context.pool;
            let any = differing.iter().fold(pool.truth(false), |any, &differs| pool.binary(Op::Or, any, differs));
            for is_free in [false, true] {
                let mut condition = PathCondition::new();
                let kept = ways.0.iter().chain(ways.1).filter(|constraint| constraint.is_decision || !is_free);
                kept.for_each(|constraint| condition.push(&mut self.context.pool, constraint.holds));
                let asked = self.ask_for(pair, &mut condition, any)?;
                self.ground.gathered().tried.meeting_queries += 1;
                if asked != Asked::Refuted {
                    break;
                }
            }
        }
        Ok(())
    }

    /// For the first decisions behind a location that only one version says: that the first of each differ, the second, and so on.
    fn decisions(&mut self, (old, new): (&Said, &Said), (there, here): (usize, usize)) -> Vec<Expr> {
        let own = |of: &Said, other: &Said, from: usize| -> Vec<Expr> {
            let behind = of.constraints[from..].iter().filter(|constraint| constraint.is_decision);
            behind.map(|decision| decision.holds).filter(|&holds| !other.says(holds)).take(DECISIONS).collect()
        };
        let pairs = own(old, new, there).into_iter().zip(own(new, old, here));
        let pool = &mut self.context.pool;
        let differs = pairs.map(|(before, after)| {
            let same = pool.binary(Op::Eq, before, after);
            pool.not(same)
        });
        let differs: Vec<Expr> = differs.collect();
        differs.into_iter().filter(|&differs| pool.constant(differs).is_none()).collect()
    }
}

/// What is held, and where it ends: the same is not asked about twice.
fn key((old, new): (&[Constraint], &[Constraint]), place: (u32, u32)) -> u64 {
    let mut hasher = FxHasher::default();
    place.hash(&mut hasher);
    for way in [old, new] {
        way.len().hash(&mut hasher);
        way.iter().for_each(|constraint| constraint.holds.index().hash(&mut hasher));
    }
    hasher.finish()
}
