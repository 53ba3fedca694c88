//! How far it is from a block to the nearest one that no run has covered.
//!
//! The way goes forward through the whole program: to the successors of a block, into the functions it calls, past those
//! calls, and from the end of a function to whatever follows its calls. [`Distances`] holds the answer for every block
//! at once, from one breadth-first search backwards from all uncovered blocks; it is linear in the program's size.

use std::collections::VecDeque;

/// The number of a block in the program's map.
pub type BlockId = u32;

/// A block, and where control goes from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphBlock {
    /// The blocks that may come next in the same function.
    pub successors: Vec<BlockId>,
    /// The entry blocks of the functions that it calls.
    pub calls: Vec<BlockId>,
    /// The entry block of its function.
    pub entry: BlockId,
    /// Whether the function returns at its end.
    pub returns: bool,
    /// Whether covering it counts: not if control never gets there.
    pub wanted: bool,
}

/// The control flow of a program, ready to be searched backwards.
///
/// A block is two nodes, before and after its calls, since a callee returns to the middle of a block; a function's end is
/// a third kind of node, so that many returns and many callers do not multiply.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    wanted: Vec<bool>,
    /// Where the edges into each node begin in `sources`; one entry more than there are nodes.
    starts: Vec<u32>,
    /// The node that an edge comes from, and its length.
    sources: Vec<(u32, u8)>,
}

impl Graph {
    /// The control flow of these blocks. Edges to blocks that there are not are left out.
    pub fn new(blocks: &[GraphBlock]) -> Self {
        let count = blocks.len() as u32;
        let mut edges = edges(blocks);
        edges.retain(|edge| edge.to < 3 * count && edge.from < 3 * count);
        edges.sort_unstable_by_key(|edge| edge.to);
        let starts = (0..=3 * count).map(|node| edges.partition_point(|edge| edge.to < node) as u32).collect();
        let sources = edges.iter().map(|edge| (edge.from, edge.length)).collect();
        Graph { wanted: blocks.iter().map(|block| block.wanted).collect(), starts, sources }
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Whether covering a block counts.
    pub fn is_wanted(&self, block: BlockId) -> bool {
        self.wanted.get(block as usize) == Some(&true)
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    fn into(&self, node: u32) -> &[(u32, u8)] {
        &self.sources[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

struct Edge {
    from: u32,
    to: u32,
    length: u8,
}

fn edges(blocks: &[GraphBlock]) -> Vec<Edge> {
    let count = blocks.len() as u32;
    let (before, after, end) = (|block: u32| block, |block: u32| count + block, |entry: u32| 2 * count + entry);
    let mut edges = Vec::new();
    let mut add = |from, to, length| edges.push(Edge { from, to, length });
    for (id, block) in (0..).zip(blocks) {
        add(before(id), after(id), 0);
        for &callee in block.calls.iter().filter(|&&callee| callee < count) {
            add(before(id), before(callee), 1);
            add(end(callee), after(id), 1);
        }
        for &successor in block.successors.iter().filter(|&&successor| successor < count) {
            add(after(id), before(successor), 1);
        }
        if block.returns && block.entry < count {
            add(after(id), end(block.entry), 0);
        }
    }
    edges
}

/// The distance of every block to the nearest uncovered one.
#[derive(Debug, Clone, Default)]
pub struct Distances(Vec<u32>);

impl Distances {
    const FAR: u32 = u32::MAX;

    /// Distances in a program of whose blocks some are covered.
    pub fn new(graph: &Graph, is_covered: impl Fn(BlockId) -> bool) -> Self {
        let mut distances = vec![Distances::FAR; 3 * graph.len()];
        let mut queue: VecDeque<u32> =
            (0..graph.len() as u32).filter(|&block| graph.wanted[block as usize] && !is_covered(block)).collect();
        for &block in &queue {
            distances[block as usize] = 0;
        }
        // Edges of length 0 go to the front: nodes leave the queue in the order of their distance.
        while let Some(node) = queue.pop_front() {
            let distance = distances[node as usize];
            for &(source, length) in graph.into(node) {
                let known = &mut distances[source as usize];
                if distance + u32::from(length) < *known {
                    *known = distance + u32::from(length);
                    if length == 0 { queue.push_front(source) } else { queue.push_back(source) }
                }
            }
        }
        distances.truncate(graph.len());
        Distances(distances)
    }

    /// Steps from a block to the nearest uncovered one: 0 for one that is uncovered itself, None if there is no way.
    pub fn of(&self, block: BlockId) -> Option<u32> {
        self.0.get(block as usize).copied().filter(|&distance| distance != Distances::FAR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(entry: u32, successors: &[u32], calls: &[u32]) -> GraphBlock {
        let returns = successors.is_empty();
        GraphBlock { successors: successors.to_vec(), calls: calls.to_vec(), entry, returns, wanted: true }
    }

    /// `main`: 0 calls `f`, then goes to 1 or 2; 2 calls `g` and returns. `f`: 3, then 4. `g`: 5.
    fn program() -> Graph {
        Graph::new(&[
            block(0, &[1, 2], &[3]),
            block(0, &[], &[]),
            block(0, &[], &[5]),
            block(3, &[4], &[]),
            block(3, &[], &[]),
            block(5, &[], &[]),
        ])
    }

    fn distances(uncovered: u32) -> Vec<Option<u32>> {
        let distances = Distances::new(&program(), |block| block != uncovered);
        (0..6).map(|block| distances.of(block)).collect()
    }

    #[test]
    fn the_way_leads_into_functions_past_calls_and_back_out() {
        // To 4: from main into f, then one on. Nothing else calls f.
        assert_eq!(distances(4), [Some(2), None, None, Some(1), Some(0), None]);
        // To 5: over the call of f to 2 and into g, or from f back to main first.
        assert_eq!(distances(5), [Some(2), None, Some(1), Some(4), Some(3), Some(0)]);
        // To 1: from the end of f to what follows its call.
        assert_eq!(distances(1), [Some(1), Some(0), None, Some(3), Some(2), None]);
    }

    #[test]
    fn where_everything_is_covered_nothing_is_near() {
        let distances = Distances::new(&program(), |_| true);
        assert!((0..7).all(|block| distances.of(block).is_none()));
    }

    #[test]
    fn unwanted_blocks_draw_nothing() {
        let mut blocks = vec![block(0, &[1], &[]), block(0, &[], &[])];
        blocks[1].wanted = false;
        assert_eq!(Distances::new(&Graph::new(&blocks), |block| block == 0).of(0), None);
    }
}
