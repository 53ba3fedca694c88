//! Control flow, control dependence and distances of programs that are drawn by hand.

use byway_map::sketch::Sketch;
use byway_map::{
    BlockGraph, BlockId, CallKind, Cfg, Dependence, DependenceEdge, Distances, FlowEdge, FunctionId, ProgramMap,
    control_dependence,
};

const ONLY: FunctionId = FunctionId::new(0);

fn function(blocks: &[&[u32]]) -> ProgramMap {
    let mut sketch = Sketch::default();
    sketch.function("f", blocks);
    sketch.finish()
}

fn post_dominators(blocks: &[&[u32]]) -> Vec<Option<u32>> {
    let map = function(blocks);
    let cfg = Cfg::new(&map, ONLY);
    let immediate = cfg.post_dominators();
    map.block_ids().map(|block| immediate.immediate(block).map(BlockId::number)).collect()
}

/// The blocks that are always executed, and (branch, outcome, block) of the others.
fn dependences(blocks: &[&[u32]]) -> (Vec<u32>, Vec<(u32, u32, u32)>) {
    let (always, dependences) = control_dependence(&function(blocks), ONLY);
    let plain = |of: &Dependence| (of.branch.number(), of.outcome, of.block.number());
    (always.into_iter().map(BlockId::number).collect(), dependences.iter().map(plain).collect())
}

/// `if (0) 1; else 2; 3`
const DIAMOND: &[&[u32]] = &[&[1, 2], &[3], &[3], &[]];
/// `0; while (1) { 2 } 3`
const LOOP: &[&[u32]] = &[&[1], &[2, 3], &[1], &[]];
/// `switch (0) { case: 1, falls into case: 2, break; default: 3 } 4`
const SWITCH: &[&[u32]] = &[&[3, 1, 2], &[2], &[4], &[4], &[]];
/// `if (0) for (;;) { 1; if (2) 3; 4 } 5`, with 1 to 4 going round for ever.
const ENDLESS: &[&[u32]] = &[&[1, 5], &[2], &[3, 4], &[4], &[1], &[]];

#[test]
fn what_joins_two_ways_is_behind_both() {
    assert_eq!(post_dominators(DIAMOND), [Some(3), Some(3), Some(3), None]);
    assert_eq!(dependences(DIAMOND), (vec![0, 3], vec![(0, 0, 1), (0, 1, 2)]));
}

#[test]
fn the_condition_of_a_loop_depends_on_itself() {
    assert_eq!(post_dominators(LOOP), [Some(1), Some(3), Some(1), None]);
    assert_eq!(dependences(LOOP), (vec![0, 1, 3], vec![(1, 0, 2), (1, 0, 1)]));
}

#[test]
fn a_case_that_another_falls_into_depends_on_both() {
    assert_eq!(post_dominators(SWITCH), [Some(4), Some(2), Some(4), Some(4), None]);
    assert_eq!(dependences(SWITCH), (vec![0, 4], vec![(0, 0, 3), (0, 1, 1), (0, 1, 2), (0, 2, 2)]));
}

#[test]
fn a_switch_whose_cases_all_lead_to_one_place_decides_nothing() {
    assert_eq!(dependences(&[&[1, 1, 1], &[]]), (vec![0, 1], vec![]));
}

#[test]
fn the_blocks_of_an_endless_loop_have_their_order() {
    // The loop is left, if ever, behind 4.
    assert_eq!(post_dominators(ENDLESS), [None, Some(2), Some(4), Some(4), None, None]);
    let (always, dependences) = dependences(ENDLESS);
    assert_eq!(always, [0]);
    assert_eq!(dependences, [(0, 0, 1), (0, 0, 2), (0, 0, 4), (0, 1, 5), (2, 0, 3)]);
}

#[test]
fn a_function_that_never_ends_always_executes_its_loop() {
    assert_eq!(dependences(&[&[1], &[1]]), (vec![0, 1], vec![]));
}

#[test]
fn what_control_never_gets_to_decides_nothing() {
    // 2 is unreachable; it branches to 1 and to itself.
    assert_eq!(dependences(&[&[1], &[], &[1, 2]]), (vec![0, 1], vec![]));
    assert_eq!(post_dominators(&[&[1], &[], &[1, 2]]), [Some(1), None, Some(1)]);
}

#[test]
fn several_returns_are_one_exit() {
    assert_eq!(post_dominators(&[&[1, 2], &[], &[]]), [None, None, None]);
    assert_eq!(dependences(&[&[1, 2], &[], &[]]), (vec![0], vec![(0, 0, 1), (0, 1, 2)]));
}

fn shown(distances: &Distances, map: &ProgramMap) -> Vec<Option<u32>> {
    map.block_ids().map(|block| distances.of(block)).collect()
}

/// Calls cost nothing, decisions one each.
fn decisions(edge: &DependenceEdge) -> Option<u32> {
    Some(u32::from(!matches!(edge, DependenceEdge::Call(_))))
}

/// `main`: if (0) { 1: f() } else { 2: one of g, h } 3.  `f`: if (4) 5: f(), if not 6.  `g`: 7.  `h`: if (8) 9, if not 10.
fn program() -> ProgramMap {
    let mut sketch = Sketch::default();
    let main = sketch.function("main", DIAMOND);
    let f = sketch.function("f", &[&[1, 2], &[], &[]]);
    let g = sketch.function("g", &[&[]]);
    let h = sketch.function("h", &[&[1, 2], &[], &[]]);
    sketch.call(sketch.block(main, 1), f);
    sketch.call(sketch.block(f, 1), f);
    sketch.call_one_of(sketch.block(main, 2), &[g, h]);
    sketch.finish()
}

#[test]
fn decisions_are_counted_through_calls_and_recursion() {
    let map = program();
    let graph = BlockGraph::control_dependence(&map);
    let to = |block: u32| shown(&graph.distances([BlockId::new(block)], decisions), &map);
    // To 6: the branch of main, f is entered, the branch of f. From 5 through the recursive call.
    let f = [Some(1), Some(2), Some(0)];
    assert_eq!(to(6), [[Some(3), Some(2), None, None].as_slice(), &f, &[None; 4]].concat());
    // To 9, which only the call through the pointer reaches.
    let h = [Some(1), Some(0), None];
    assert_eq!(to(9), [[Some(3), None, Some(2), None].as_slice(), &[None; 4], &h].concat());
}

#[test]
fn an_edge_without_weight_is_not_taken() {
    let map = program();
    let graph = BlockGraph::control_dependence(&map);
    let direct = |edge: &DependenceEdge| match edge {
        DependenceEdge::Call(CallKind::Direct) => Some(0),
        DependenceEdge::Call(_) => None,
        _ => Some(1),
    };
    let distances = graph.distances([BlockId::new(9)], direct);
    assert_eq!([0, 2, 8].map(|block| distances.of(BlockId::new(block))), [None, None, Some(1)]);
}

#[test]
fn the_nearest_of_several_targets_counts() {
    let map = program();
    let graph = BlockGraph::control_dependence(&map);
    let distances = graph.distances([7, 6, 1].map(BlockId::new), decisions);
    assert_eq!([0, 1, 2, 3].map(|block| distances.of(BlockId::new(block))), [Some(1), Some(0), Some(1), None]);
    assert!(map.block_ids().all(|block| graph.distances([], decisions).of(block).is_none()));
}

/// Steps from block to block, into functions and back.
fn steps(edge: &FlowEdge) -> Option<u32> {
    match edge {
        FlowEdge::Past | FlowEdge::End => Some(0),
        FlowEdge::Successor | FlowEdge::Call(_) | FlowEdge::Return(_) => Some(1),
    }
}

/// `main`: 0 calls `f`, then goes to 1 or 2; 2 calls `g` and returns. `f`: 3, then 4. `g`: 5.
fn forward() -> ProgramMap {
    let mut sketch = Sketch::default();
    let main = sketch.function("main", &[&[1, 2], &[], &[]]);
    let f = sketch.function("f", &[&[1], &[]]);
    let g = sketch.function("g", &[&[]]);
    sketch.call(sketch.block(main, 0), f);
    sketch.call(sketch.block(main, 2), g);
    sketch.finish()
}

#[test]
fn control_flows_into_functions_past_calls_and_back_out() {
    let map = forward();
    let graph = BlockGraph::control_flow(&map);
    let to = |block: u32| shown(&graph.distances([BlockId::new(block)], steps), &map);
    // To 4: from main into f, then one on. Nothing else calls f.
    assert_eq!(to(4), [Some(2), None, None, Some(1), Some(0), None]);
    // To 5: over the call of f to 2 and into g, or from f back to main first.
    assert_eq!(to(5), [Some(2), None, Some(1), Some(4), Some(3), Some(0)]);
    // To 1: from the end of f to what follows its call.
    assert_eq!(to(1), [Some(1), Some(0), None, Some(3), Some(2), None]);
}

#[test]
fn control_flows_through_pointers_to_each_candidate_and_back() {
    let map = program();
    let graph = BlockGraph::control_flow(&map);
    let to = |block: u32| graph.distances([BlockId::new(block)], steps);
    assert_eq!([2, 7, 9].map(|block| to(3).of(BlockId::new(block))), [Some(1), Some(2), Some(2)]);
    assert_eq!(to(10).of(BlockId::new(0)), Some(3));
}
