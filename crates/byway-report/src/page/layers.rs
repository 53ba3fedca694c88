//! A directed graph in layers: edges lead downwards, and cross each other seldom.
//!
//! It is Sugiyama's method in its simplest form: edges that close a cycle are turned around, a node lies below all from which an edge leads
//! to it (longest path), edges that skip layers get a bend in each of them, and each layer is sorted a few times by where the
//! neighbours of its nodes lie.

/// So often all layers are sorted.
const SWEEPS: usize = 8;
/// The distance of two nodes of a layer.
const GAP: f64 = 24.0;
/// What a bend takes in its layer.
const BEND: f64 = 10.0;
/// With more bends than this, edges go straight through other layers.
const MOST_BENDS: usize = 4000;

/// Where everything is.
#[derive(Debug, Clone, PartialEq)]
pub struct Layered {
    /// The centre and the layer of each node.
    pub nodes: Vec<(f64, usize)>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// How wide it all is.
    pub width: f64,
    /// How many layers there are.
    pub layers: usize,
}

/// An edge with its bends.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// Where it begins and ends.
    pub nodes: (usize, usize),
    /// The points that it goes through, from its beginning to its end, each with its layer.
    pub points: Vec<(f64, usize)>,
    /// Whether it closes a cycle: it leads upwards.
    pub is_back: bool,
}

/// The graph that is laid out, with bends.
struct Layers {
    /// The nodes, then the bends: their widths and layers.
    widths: Vec<f64>,
    layers: Vec<usize>,
    /// Their neighbours in the layers above and below.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// What is in each layer, from left to right.
    rows: Vec<Vec<usize>>,
}

/// Lays out nodes of these widths. An edge from a node to itself is left out, and one that is there twice is one. `last` is put below
/// all others, if no edge leads from it.
pub fn layered(widths: &[f64], edges: &[(usize, usize)], last: Option<usize>) -> Layered {
    let mut edges: Vec<(usize, usize)> = edges.iter().copied().filter(|(from, to)| from != to).collect();
    edges.sort_unstable();
    edges.dedup();
    let back = back_edges(widths.len(), &edges);
    let down = |(number, &(from, to)): (usize, &(usize, usize))| if back[number] { (to, from) } else { (from, to) };
    let downward: Vec<(usize, usize)> = edges.iter().enumerate().map(down).collect();
    let mut depth = longest_paths(widths.len(), &downward);
    if let Some(last) = last.filter(|&last| downward.iter().all(|(from, _)| *from != last)) {
        let others = depth.iter().enumerate().filter(|(node, _)| *node != last).map(|(_, layer)| layer + 1);
        depth[last] = others.max().unwrap_or(0);
    }
    let mut layers = Layers::new(widths, depth);
    let chains: Vec<Vec<usize>> = layers.connect(&downward);
    layers.sort();
    let (centres, width) = layers.centres();
    let place = |node: usize| (centres[node], layers.layers[node]);
    let edge = |(number, chain): (usize, &Vec<usize>)| {
        let mut points: Vec<(f64, usize)> = chain.iter().map(|&node| place(node)).collect();
        if back[number] {
            points.reverse();
        }
        Edge { nodes: edges[number], points, is_back: back[number] }
    };
    Layered {
        nodes: (0..widths.len()).map(place).collect(),
        edges: chains.iter().enumerate().map(edge).collect(),
        width,
        layers: layers.rows.len(),
    }
}

/// Notes where the nodes of a layer are, as parts of its width.
fn note_positions(row: &[usize], positions: &mut [f64]) {
    row.iter().enumerate().for_each(|(at, &node)| positions[node] = at as f64 / row.len() as f64);
}

/// Which edges lead back to a node from which the search has not returned yet.
fn back_edges(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut outgoing = vec![Vec::new(); count];
    edges.iter().enumerate().for_each(|(number, &(from, to))| outgoing[from].push((number, to)));
    let (mut is_back, mut begun, mut on_way) = (vec![false; edges.len()], vec![false; count], vec![false; count]);
    for start in 0..count {
        let mut way = if begun[start] { Vec::new() } else { vec![(start, 0)] };
        while let Some((node, next)) = way.pop() {
            (begun[node], on_way[node]) = (true, true);
            let Some(&(number, to)) = outgoing[node].get(next) else {
                on_way[node] = false;
                continue;
            };
            way.push((node, next + 1));
            is_back[number] = on_way[to];
            if !begun[to] {
                way.push((to, 0));
            }
        }
    }
    is_back
}

/// How many edges the longest way to each node has. There is no cycle.
fn longest_paths(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut incoming = vec![0_usize; count];
    edges.iter().for_each(|&(_, to)| incoming[to] += 1);
    let mut depth = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&node| incoming[node] == 0).collect();
    let mut outgoing = vec![Vec::new(); count];
    edges.iter().for_each(|&(from, to)| outgoing[from].push(to));
    while let Some(node) = ready.pop() {
        for &to in &outgoing[node] {
            depth[to] = depth[to].max(depth[node] + 1);
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    depth
}

impl Layers {
    fn new(widths: &[f64], depth: Vec<usize>) -> Layers {
        let mut rows = vec![Vec::new(); depth.iter().max().map_or(0, |most| most + 1)];
        depth.iter().enumerate().for_each(|(node, &layer)| rows[layer].push(node));
        let none = vec![Vec::new(); widths.len()];
        Layers { widths: widths.to_vec(), layers: depth, above: none.clone(), below: none, rows }
    }

    /// Adds edges, with a bend in each layer that they go through. The nodes and bends of each.
    fn connect(&mut self, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let skipped = |&(from, to): &(usize, usize)| self.layers[to] - self.layers[from] - 1;
        let has_bends = edges.iter().map(skipped).sum::<usize>() <= MOST_BENDS;
        let mut chains = Vec::new();
        for &(from, to) in edges {
            let mut chain = vec![from];
            let through = self.layers[from] + 1..self.layers[to];
            chain.extend(through.filter(|_| has_bends).map(|layer| self.bend(layer)));
            chain.push(to);
            for pair in chain.windows(2) {
                self.below[pair[0]].push(pair[1]);
                self.above[pair[1]].push(pair[0]);
            }
            chains.push(chain);
        }
        chains
    }

    fn bend(&mut self, layer: usize) -> usize {
        let bend = self.widths.len();
        self.widths.push(BEND);
        self.layers.push(layer);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.rows[layer].push(bend);
        bend
    }

    /// Sorts each layer by where the neighbours above lie, then from below, and so on.
    fn sort(&mut self) {
        let mut positions = vec![0.0; self.widths.len()];
        self.rows.iter().for_each(|row| note_positions(row, &mut positions));
        for sweep in 0..SWEEPS {
            let is_down = sweep % 2 == 0;
            let neighbours = if is_down { &self.above } else { &self.below };
            let count = self.rows.len();
            for at in 0..count {
                let row = &mut self.rows[if is_down { at } else { count - 1 - at }];
                let mean = |node: &usize| match neighbours[*node].as_slice() {
                    [] => positions[*node],
                    near => near.iter().map(|&near| positions[near]).sum::<f64>() / near.len() as f64,
                };
                row.sort_by(|one, other| mean(one).total_cmp(&mean(other)));
                note_positions(row, &mut positions);
            }
        }
    }

    /// The centre of each node and bend, and how wide it all is. Each layer is in the middle.
    fn centres(&self) -> (Vec<f64>, f64) {
        let row_width = |row: &Vec<usize>| row.iter().map(|&node| self.widths[node] + GAP).sum::<f64>() - GAP;
        let width = self.rows.iter().map(row_width).fold(0.0, f64::max);
        let mut centres = vec![0.0; self.widths.len()];
        for row in &self.rows {
            let mut left = (width - row_width(row)) / 2.0;
            for &node in row {
                centres[node] = left + self.widths[node] / 2.0;
                left += self.widths[node] + GAP;
            }
        }
        (centres, width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_lead_downwards_but_for_those_that_close_a_cycle() {
        let edges = [(0, 1), (1, 2), (2, 1), (0, 2), (2, 3), (1, 1)];
        let laid = layered(&[10.0; 4], &edges, Some(3));
        assert_eq!(laid.nodes.iter().map(|node| node.1).collect::<Vec<_>>(), [0, 1, 2, 3]);
        for edge in &laid.edges {
            let (first, last) = (edge.points[0].1, edge.points[edge.points.len() - 1].1);
            assert_eq!(edge.is_back, edge.nodes == (2, 1));
            assert_eq!(edge.is_back, first > last, "{edge:?}");
            // In each layer on the way it has a bend.
            assert_eq!(edge.points.len(), first.abs_diff(last) + 1, "{edge:?}");
        }
        assert_eq!(laid.edges.len(), 5);
    }

    #[test]
    fn a_layer_is_sorted_by_its_neighbours_so_that_edges_do_not_cross() {
        // Two chains whose nodes were given crosswise.
        let laid = layered(&[10.0; 6], &[(0, 1), (0, 2), (1, 4), (2, 3), (3, 5), (4, 5)], None);
        let left_of = |one: usize, other: usize| laid.nodes[one].0 < laid.nodes[other].0;
        assert_eq!(left_of(1, 2), left_of(4, 3));
    }

    #[test]
    fn nodes_of_a_layer_do_not_overlap_and_all_are_within_the_width() {
        let edges: Vec<(usize, usize)> = (1..20).map(|node| (0, node)).collect();
        let widths: Vec<f64> = (0..20).map(|node| 20.0 + f64::from(node)).collect();
        let laid = layered(&widths, &edges, None);
        let mut row: Vec<usize> = (1..20).collect();
        row.sort_by(|&one, &other| laid.nodes[one].0.total_cmp(&laid.nodes[other].0));
        for pair in row.windows(2) {
            let half = (widths[pair[0]] + widths[pair[1]]) / 2.0;
            assert!(laid.nodes[pair[1]].0 - laid.nodes[pair[0]].0 >= half + GAP - 0.001);
        }
        let (first, last) = (row[0], row[row.len() - 1]);
        assert!(laid.nodes[first].0 - widths[first] / 2.0 >= -0.001);
        assert!(laid.nodes[last].0 + widths[last] / 2.0 <= laid.width + 0.001);
    }
}
