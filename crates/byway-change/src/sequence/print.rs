//! The graph as text and for Graphviz.

use std::fmt::Write;
use std::path::Path;

use super::{SequenceGraph, SequenceKind, SequenceNode, SequenceNodeId};

impl SequenceGraph {
    /// Where a node is: `file.c:12`, from a directory on.
    pub fn name(&self, node: SequenceNodeId, root: &Path) -> String {
        let SequenceNode { kind, file, line, .. } = &self.nodes[node];
        match kind {
            SequenceKind::Start => "start".to_owned(),
            SequenceKind::Output => "output".to_owned(),
            _ => format!("{}:{line}", file.strip_prefix(root).unwrap_or(file).display()),
        }
    }

    /// A line for each node.
    pub fn text(&self, root: &Path) -> String {
        let mut text = String::new();
        for (number, node) in self.nodes.iter().enumerate().filter(|(number, _)| *number != SequenceGraph::OUTPUT) {
            let what = match node.kind {
                SequenceKind::Start | SequenceKind::Output => String::new(),
                SequenceKind::Change => format!(" in {}, changed", node.function),
                SequenceKind::Interaction => format!(" in {}, {} changes meet", node.function, node.changes.len()),
            };
            let next: Vec<String> = node.next.iter().map(|&next| self.name(next, root)).collect();
            let next = if next.is_empty() { "nothing".to_owned() } else { next.join(", ") };
            let _ = writeln!(text, "    {}{what}\n      -> {next}", self.name(number, root));
        }
        text
    }

    /// For Graphviz.
    pub fn dot(&self, title: &str, root: &Path) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut text = format!("digraph {} {{\n", quoted(title));
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = match node.kind {
                SequenceKind::Start | SequenceKind::Output => "ellipse",
                SequenceKind::Change => "box",
                SequenceKind::Interaction => "diamond",
            };
            let _ = writeln!(text, "  n{number} [shape={shape}, label={}];", quoted(&self.name(number, root)));
        }
        for (number, node) in self.nodes.iter().enumerate() {
            for next in &node.next {
                let _ = writeln!(text, "  n{number} -> n{next};");
            }
        }
        text + "}\n"
    }
}
