//! Pendings in groups: one of a group at random, in constant time.

use super::Dice;
use crate::tree::PendingId;

/// Pendings, each in one group. Groups are small numbers.
#[derive(Debug, Default)]
pub(super) struct Groups {
    members: Vec<Vec<PendingId>>,
    /// Group and position of each pending.
    places: Vec<(u32, u32)>,
}

const NOWHERE: (u32, u32) = (u32::MAX, u32::MAX);

impl Groups {
    pub fn add(&mut self, pending: PendingId, group: u32) {
        if self.members.len() <= group as usize {
            self.members.resize_with(group as usize + 1, Vec::new);
        }
        if self.places.len() <= pending.index() {
            self.places.resize(pending.index() + 1, NOWHERE);
        }
        let members = &mut self.members[group as usize];
        self.places[pending.index()] = (group, members.len() as u32);
        members.push(pending);
    }

    /// Removes a pending. Returns the group it was in, if it was in one.
    pub fn remove(&mut self, pending: PendingId) -> Option<u32> {
        let (group, position) = std::mem::replace(self.places.get_mut(pending.index())?, NOWHERE);
        let members = self.members.get_mut(group as usize)?;
        members.swap_remove(position as usize);
        if let Some(moved) = members.get(position as usize) {
            self.places[moved.index()].1 = position;
        }
        Some(group)
    }

    /// The group that a pending is in.
    #[cfg(test)]
    pub fn group_of(&self, pending: PendingId) -> Option<u32> {
        self.places.get(pending.index()).filter(|&&place| place != NOWHERE).map(|&(group, _)| group)
    }

    pub fn is_member(&self, pending: PendingId) -> bool {
        self.places.get(pending.index()).is_some_and(|&place| place != NOWHERE)
    }

    /// One more than the greatest group that ever had a member.
    pub fn count(&self) -> u32 {
        self.members.len() as u32
    }

    pub fn members(&self, group: u32) -> &[PendingId] {
        self.members.get(group as usize).map_or(&[], Vec::as_slice)
    }

    pub fn choose(&self, group: u32, dice: &mut Dice) -> Option<PendingId> {
        dice.one_of(self.members(group))
    }
}
