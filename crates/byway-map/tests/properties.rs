//! On any control flow, what is computed is what the definitions say.

use byway_map::sketch::Sketch;
use byway_map::{BlockGraph, BlockId, Cfg, DependenceEdge, FunctionId, MapError, ProgramMap, control_dependence};
use petgraph::graph::NodeIndex;
use petgraph::visit::{EdgeRef, Reversed};
use proptest::collection::vec;
use proptest::prelude::*;

/// Functions of up to 9 blocks with up to 3 successors each, and calls between them.
fn programs() -> impl Strategy<Value = ProgramMap> {
    let function = vec(vec(0..9_u32, 0..=3), 1..9);
    (vec(function, 1..4), vec((any::<u32>(), vec(any::<u32>(), 1..3)), 0..6)).prop_map(|(functions, calls)| {
        let mut sketch = Sketch::default();
        let mut blocks = 0;
        for function in &functions {
            let count = function.len() as u32;
            let function: Vec<Vec<u32>> =
                function.iter().map(|successors| successors.iter().map(|next| next % count).collect()).collect();
            let function: Vec<&[u32]> = function.iter().map(Vec::as_slice).collect();
            sketch.function("f", &function);
            blocks += count;
        }
        for (block, callees) in calls {
            let callees: Vec<_> = callees.iter().map(|f| FunctionId::new(f % functions.len() as u32)).collect();
            sketch.call_one_of(BlockId::new(block % blocks), &callees);
        }
        sketch.finish()
    })
}

/// Whether the exit can be reached from a node without passing another one.
fn leaves_without(cfg: &Cfg, from: NodeIndex, avoided: NodeIndex) -> bool {
    let (mut waiting, mut seen) = (vec![from], vec![from, avoided]);
    if from == avoided {
        return false;
    }
    while let Some(node) = waiting.pop() {
        for next in cfg.graph().neighbors(node).collect::<Vec<_>>() {
            if !seen.contains(&next) {
                seen.push(next);
                waiting.push(next);
            }
        }
    }
    seen.contains(&cfg.exit())
}

proptest! {
    #[test]
    fn a_dependent_block_is_certain_behind_its_outcome_and_not_before(map in programs()) {
        for function in map.function_ids() {
            let cfg = Cfg::new(&map, function);
            let is_behind = |block, from| !leaves_without(&cfg, cfg.node(from), cfg.node(block));
            let (always, dependences) = control_dependence(&map, function);
            for block in map[function].blocks() {
                prop_assert_eq!(always.contains(&block), is_behind(block, map[function].first_block));
                for branch in map[function].blocks().filter(|&block| map[block].reachable) {
                    let is_other = map[branch].successors.iter().any(|next| *next != map[branch].successors[0]);
                    for (outcome, &next) in (0..).zip(&map[branch].successors) {
                        let before = block != branch && is_behind(block, branch);
                        let expected = is_other && is_behind(block, next) && !before;
                        let found = dependences.iter().any(|of| (of.branch, of.outcome, of.block) == (branch, outcome, block));
                        prop_assert_eq!(found, expected, "{} on {} of {}", block, outcome, branch);
                    }
                }
            }
        }
    }

    #[test]
    fn distances_are_those_of_dijkstra(
        map in programs(),
        target in any::<u32>(),
        tested in prop::collection::vec(any::<[u32; 2]>(), 0..8),
        weights in any::<[u8; 4]>(),
    ) {
        let block = |number: u32| BlockId::new(number % map.blocks.len() as u32);
        let target = block(target);
        let graph = BlockGraph::dependence(&map, tested.iter().map(|&[from, to]| (block(from), block(to))));
        let weight = |edge: &DependenceEdge| u32::from(match edge {
            DependenceEdge::Branch { .. } => weights[0],
            DependenceEdge::Entry => weights[1],
            DependenceEdge::Call(_) => weights[2],
            DependenceEdge::Tested => weights[3],
        });
        let distances = graph.distances([target], |edge| Some(weight(edge)));
        let start = NodeIndex::new(target.index());
        let expected = petgraph::algo::dijkstra(Reversed(graph.graph()), start, None, |edge| weight(edge.weight()));
        for block in map.block_ids() {
            prop_assert_eq!(distances.of(block), expected.get(&NodeIndex::new(block.index())).copied());
        }
    }

    #[test]
    fn a_map_that_is_stored_is_read_as_it_was(map in programs()) {
        let text = serde_json::to_vec(&map).unwrap();
        let read: ProgramMap = serde_json::from_slice(&text).unwrap();
        prop_assert_eq!(read.validate(), Ok(()));
        prop_assert_eq!(read, map);
    }

    #[test]
    fn a_map_with_a_number_of_nothing_is_refused(map in programs(), at in any::<u32>(), what in 0..3) {
        let mut map = map;
        let none = BlockId::new(map.blocks.len() as u32);
        let block = at as usize % map.blocks.len();
        match what {
            0 => map.blocks[block].successors.push(none),
            1 => map.blocks[block].lines.push((byway_map::FileId::new(at), 1)),
            _ => map.functions[0].block_count += 1,
        }
        let refused: Result<(), MapError> = map.validate();
        prop_assert!(refused.is_err());
    }
}
