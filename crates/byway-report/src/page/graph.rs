//! The change sequence graph as a picture.

use std::path::Path;

use maud::{Markup, html};

use crate::demangle::demangled;
use crate::diff::{ChangeGraph, ChangeGraphNode, ChangeNodeKind};
use crate::executed::ExecutedBy;

use super::coverage::SourceFiles;
use super::layers::{Edge, layered};
use super::plain;

/// More nodes or edges than these are no picture that helps.
const MOST_NODES: usize = 150;
const MOST_EDGES: usize = 1000;
/// The height of a node, and the distance of two layers.
const HEIGHT: f64 = 38.0;
const ROW: f64 = 84.0;
const MARGIN: f64 = 8.0;
/// How wide a letter is, and how many a line of a node has.
const LETTER: f64 = 7.3;
const LONGEST: usize = 28;

/// The graph: a picture, and the same as a list.
pub fn picture(graph: &ChangeGraph, files: &SourceFiles<'_>, root: &Path) -> Markup {
    let nodes = &graph.nodes;
    let edges: Vec<(usize, usize)> = nodes
        .iter()
        .enumerate()
        .flat_map(|(from, node)| node.next.iter().map(move |&to| (from, to)))
        .filter(|&(_, to)| to < nodes.len())
        .collect();
    let is_small = nodes.len() <= MOST_NODES && edges.len() <= MOST_EDGES;
    html! {
        p {
            "In which orders control can come by the changed lines, and by lines that depend on several of them. Executed by "
            span.by-tests { "tests" } ", " span.by-byway { "only inputs that byway made" } ", " span.by-nothing { "nothing" } "; dashed: where changes meet."
        }
        @if is_small { (drawn(nodes, &edges, files, root)) } @else { p { "It has " (nodes.len()) " nodes and " (edges.len()) " edges, too many for a picture: " code { "byway changes --graph dot" } " writes it for Graphviz." } }
        details.part { summary { "As a list" } ul { @for (number, node) in nodes.iter().enumerate().take(MOST_NODES) {
            @let after: Vec<usize> = edges.iter().filter(|(from, _)| *from == number).map(|(_, to)| *to).collect();
            @if node.kind != ChangeNodeKind::Output { li {
                (label(node, root)) ", then " @for (at, &to) in after.iter().enumerate() { @if at > 0 { ", " } (label(&nodes[to], root)) }
                @if after.is_empty() { "nothing of these" }
            } }
        } } }
    }
}

fn drawn(nodes: &[ChangeGraphNode], edges: &[(usize, usize)], files: &SourceFiles<'_>, root: &Path) -> Markup {
    let label_of = |(number, node): (usize, &ChangeGraphNode)| lines(node, edges.contains(&(number, number)), root);
    let labels: Vec<[String; 2]> = nodes.iter().enumerate().map(label_of).collect();
    let longest = |lines: &[String; 2]| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let widths: Vec<f64> = labels.iter().map(|lines| longest(lines) as f64 * LETTER + 16.0).collect();
    let output = nodes.iter().position(|node| node.kind == ChangeNodeKind::Output);
    let laid = layered(&widths, edges, output);
    let (width, height) = (laid.width + 2.0 * MARGIN, laid.layers as f64 * ROW - ROW + HEIGHT + 2.0 * MARGIN);
    html! { div.graph { svg.sequences width=(format!("{width:.0}")) height=(format!("{height:.0}")) viewBox=(format!("0 0 {width:.0} {height:.0}")) role="img" aria-label="In which orders changes can be executed" {
        defs { marker #arrow viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" { path d="M0 0 L8 4 L0 8 z" {} } }
        @for edge in &laid.edges { path class=(edge_class(edge, output)) d=(curve(edge)) marker-end="url(#arrow)" {} }
        @for (number, node) in nodes.iter().enumerate() {
            @let (centre, layer) = laid.nodes[number];
            @let box_ = (centre - widths[number] / 2.0 + MARGIN, layer as f64 * ROW + MARGIN, widths[number]);
            @let shape = shape(node, &labels[number], box_);
            @match files.target(&node.file, node.line) { Some(target) => a href=(target) { (node_group(node, files, &shape, root)) }, None => (node_group(node, files, &shape, root)) }
        }
    } } }
}

fn node_group(node: &ChangeGraphNode, files: &SourceFiles<'_>, shape: &Markup, root: &Path) -> Markup {
    let by = match files.executed(&node.file, node.line) {
        Some(ExecutedBy::Tests) => "by-tests",
        Some(ExecutedBy::Byway) => "by-byway",
        Some(ExecutedBy::Nothing) => "by-nothing",
        None => "by-unknown",
    };
    let kind = match node.kind {
        ChangeNodeKind::Start | ChangeNodeKind::Output => "end",
        ChangeNodeKind::Change => "change",
        ChangeNodeKind::Interaction => "meeting",
    };
    html! { g class=(format!("node {kind} {by}")) { title { (label(node, root)) } (shape) } }
}

fn shape(node: &ChangeGraphNode, lines: &[String; 2], (x, y, width): (f64, f64, f64)) -> Markup {
    let centre = format!("{:.1}", x + width / 2.0);
    let is_one = lines[1].is_empty();
    html! {
        rect x=(format!("{x:.1}")) y=(format!("{y:.1}")) width=(format!("{width:.1}")) height=(HEIGHT) rx=(if node.kind == ChangeNodeKind::Change { "4" } else { "18" }) {}
        text x=(centre) y=(format!("{:.1}", y + if is_one { 23.0 } else { 16.0 })) text-anchor="middle" { (lines[0]) }
        @if !is_one { text x=(centre) y=(format!("{:.1}", y + 31.0)) text-anchor="middle" { (lines[1]) } }
    }
}

fn edge_class(edge: &Edge, output: Option<usize>) -> &'static str {
    match edge.is_back {
        true => "edge back",
        false if Some(edge.nodes.1) == output => "edge out",
        false => "edge",
    }
}

/// A line through the points of an edge, from the lower side of its first node to the upper side of its last; upwards the other way.
fn curve(edge: &Edge) -> String {
    let last = edge.points.len() - 1;
    let y = |number: usize| {
        let middle = edge.points[number].1 as f64 * ROW + HEIGHT / 2.0 + MARGIN;
        match (number == 0, number == last, edge.is_back) {
            (true, _, false) | (_, true, true) => middle + HEIGHT / 2.0,
            (true, _, true) | (_, true, false) => middle - HEIGHT / 2.0,
            _ => middle,
        }
    };
    // What goes back is beside what goes down.
    let x = |number: usize| edge.points[number].0 + MARGIN + if edge.is_back { 14.0 } else { 0.0 };
    let mut path = format!("M{:.1} {:.1}", x(0), y(0));
    for number in 1..edge.points.len() {
        let middle = (y(number - 1) + y(number)) / 2.0;
        path += &format!(
            " C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}",
            x(number - 1),
            x(number),
            x(number),
            y(number)
        );
    }
    path
}

/// A node in a line.
fn label(node: &ChangeGraphNode, root: &Path) -> String {
    match node.kind {
        ChangeNodeKind::Start => "start".to_owned(),
        ChangeNodeKind::Output => "output".to_owned(),
        ChangeNodeKind::Change | ChangeNodeKind::Interaction => {
            let file = node.file.strip_prefix(root).unwrap_or(&node.file);
            plain(&format!("{}:{} in {}", file.display(), node.line, demangled(&node.function)))
        }
    }
}

/// What is written in a node: the file and line, with a mark if it follows itself, and the function.
fn lines(node: &ChangeGraphNode, is_loop: bool, root: &Path) -> [String; 2] {
    match node.kind {
        ChangeNodeKind::Start | ChangeNodeKind::Output => [label(node, root), String::new()],
        ChangeNodeKind::Change | ChangeNodeKind::Interaction => {
            let name = node.file.file_name().unwrap_or(node.file.as_os_str()).to_string_lossy();
            let mark = if is_loop { " ↻" } else { "" };
            [short(&format!("{name}:{}", node.line), true) + mark, short(&demangled(&node.function), false)]
        }
    }
}

/// A text of which the beginning or the end is left out if it is long.
fn short(text: &str, is_end: bool) -> String {
    let text = plain(text);
    let letters: Vec<char> = text.chars().collect();
    match letters.len().checked_sub(LONGEST) {
        None | Some(0) => text,
        Some(more) if is_end => "…".to_owned() + &letters[more + 1..].iter().collect::<String>(),
        Some(_) => letters[..LONGEST - 1].iter().collect::<String>() + "…",
    }
}
