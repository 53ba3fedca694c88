//! What a run came by: which changes it executed last, in their order, and which of these orders runs had before.

use std::collections::{BTreeSet, VecDeque};

use byway_change::{SequenceGraph, SequenceKind, SequenceNodeId};
use rustc_hash::FxHashMap;

/// A history has so many changes.
const CHANGES: usize = 6;
/// So many histories are told apart. In others, only the last node counts.
const MOST: usize = 1 << 14;
/// Rounds of a loop that have at most so many nodes count once.
const LONGEST: usize = 8;

/// A sequence as it grows, without what repeats what was just before: rounds of a loop count once.
#[derive(Debug, Default, Clone)]
pub struct Walk(Vec<SequenceNodeId>);

impl Walk {
    /// Goes on to a node.
    pub fn push(&mut self, node: SequenceNodeId) {
        let Walk(kept) = self;
        kept.push(node);
        let repeated = (1..=LONGEST.min(kept.len() / 2)).find(|&length| {
            let (before, last) = kept[kept.len() - 2 * length..].split_at(length);
            before == last
        });
        repeated.into_iter().for_each(|length| kept.truncate(kept.len() - length));
    }

    /// The whole sequence.
    pub fn nodes(&self) -> &[SequenceNodeId] {
        &self.0
    }
}

/// For each node the change that stands for it in histories: of changed lines that control can only go through one after the other, the
/// first one. Interaction locations have none.
pub fn heads(graph: &SequenceGraph) -> Vec<Option<SequenceNodeId>> {
    let is_change = |node: SequenceNodeId| graph.nodes[node].kind == SequenceKind::Change;
    let next =
        |node: SequenceNodeId| graph.nodes[node].next.iter().copied().filter(|&next| next != SequenceGraph::OUTPUT);
    let mut before: Vec<Vec<SequenceNodeId>> = vec![Vec::new(); graph.nodes.len()];
    for node in 0..graph.nodes.len() {
        next(node).for_each(|next| before[next].push(node));
    }
    let chained = |node: SequenceNodeId| match before[node][..] {
        [only] if only != node && is_change(only) && next(only).count() == 1 => Some(only),
        _ => None,
    };
    let head = |node: SequenceNodeId| {
        let mut head = node;
        // A chain that is a ring has no first one.
        for _ in 0..graph.nodes.len() {
            match chained(head) {
                Some(before) if before != node => head = before,
                _ => break,
            }
        }
        head
    };
    (0..graph.nodes.len()).map(|node| is_change(node).then(|| head(node))).collect()
}

/// Where a run stands: its last node, and the changes that it executed last.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Standing {
    node: SequenceNodeId,
    changes: Vec<SequenceNodeId>,
}

/// What is known of a place where runs stood.
#[derive(Debug, Default)]
pub struct Stood {
    /// The last node.
    pub node: SequenceNodeId,
    /// How many runs stood there.
    pub runs: u32,
    /// To which nodes they went on.
    pub next: BTreeSet<SequenceNodeId>,
}

/// The places where runs stood. Their numbers are the stages of a search.
pub struct Histories {
    heads: Vec<Option<SequenceNodeId>>,
    numbers: FxHashMap<Standing, u32>,
    stood: Vec<Stood>,
}

impl Histories {
    /// Nobody stood anywhere yet.
    pub fn new(graph: &SequenceGraph) -> Histories {
        Histories { heads: heads(graph), numbers: FxHashMap::default(), stood: Vec::new() }
    }

    /// What is known of a stage.
    pub fn stood(&self, stage: u32) -> &Stood {
        &self.stood[stage as usize]
    }

    fn number(&mut self, standing: Standing) -> u32 {
        let next = self.stood.len() as u32;
        let standing = match self.stood.len() >= MOST && !self.numbers.contains_key(&standing) {
            true => Standing { changes: Vec::new(), ..standing },
            false => standing,
        };
        let node = standing.node;
        let number = *self.numbers.entry(standing).or_insert(next);
        if number == next {
            self.stood.push(Stood { node, ..Stood::default() });
        }
        number
    }

    /// Where a run stands at its beginning and behind each of its nodes.
    pub fn stages(&mut self, nodes: impl IntoIterator<Item = SequenceNodeId>) -> Vec<u32> {
        let mut changes = VecDeque::new();
        let mut stages = Vec::new();
        for node in std::iter::once(SequenceGraph::START).chain(nodes) {
            if self.heads[node] == Some(node) {
                changes.push_back(node);
                if changes.len() > CHANGES {
                    changes.pop_front();
                }
            }
            stages.push(self.number(Standing { node, changes: changes.iter().copied().collect() }));
        }
        stages
    }

    /// Learns where a run stood, and where it went on to.
    pub fn learn(&mut self, nodes: &[SequenceNodeId]) {
        let stages = self.stages(nodes.iter().copied());
        let mut counted = BTreeSet::new();
        for (at, &stage) in stages.iter().enumerate() {
            let stood = &mut self.stood[stage as usize];
            stood.runs += u32::from(counted.insert(stage));
            stood.next.extend(nodes.get(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(nodes: &[SequenceNodeId]) -> Vec<SequenceNodeId> {
        let mut walk = Walk::default();
        nodes.iter().for_each(|&node| walk.push(node));
        walk.0
    }

    #[test]
    fn rounds_of_a_loop_count_once() {
        assert_eq!(walk(&[0, 2, 3, 2, 3, 2, 3, 4, 4, 5]), [0, 2, 3, 4, 5]);
        assert_eq!(walk(&[0, 2, 3, 2, 4]), [0, 2, 3, 2, 4]);
    }
}
