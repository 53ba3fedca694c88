//! Pendings with weights that do not change.

use super::Dice;
use super::sum_tree::SumTree;
use crate::tree::PendingId;

/// Pendings, each with a weight of its own.
#[derive(Debug, Default)]
pub(super) struct Slots {
    weights: SumTree,
    slots: Vec<PendingId>,
    free: Vec<u32>,
    /// The slot of each pending.
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Slots {
    pub fn add(&mut self, pending: PendingId, weight: f64) {
        let slot = self.free.pop().unwrap_or(self.slots.len() as u32);
        match self.slots.get_mut(slot as usize) {
            Some(free) => *free = pending,
            None => self.slots.push(pending),
        }
        if self.places.len() <= pending.index() {
            self.places.resize(pending.index() + 1, NOWHERE);
        }
        self.places[pending.index()] = slot;
        self.weights.set(slot as usize, weight);
    }

    pub fn remove(&mut self, pending: PendingId) {
        let Some(place) = self.places.get_mut(pending.index()) else { return };
        let slot = std::mem::replace(place, NOWHERE);
        if slot != NOWHERE {
            self.weights.set(slot as usize, 0.0);
            self.free.push(slot);
        }
    }

    pub fn total(&self) -> f64 {
        self.weights.total()
    }

    pub fn choose(&self, dice: &mut Dice) -> Option<PendingId> {
        self.weights.at(dice.unit()).map(|slot| self.slots[slot])
    }
}
