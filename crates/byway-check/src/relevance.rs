//! Which events of a trace have to do with each other: those whose conditions share bytes, directly or through others.
//!
//! A run over a large file has hundreds of thousands of branches, and a few operations that can fail. Only what shares bytes
//! with these has to become expressions.

use byway_trace::layout::{Event, op};
use byway_trace::{EventKind, Operands, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

/// The labels of a trace, in groups that share bytes.
#[derive(Debug)]
pub struct Relevance {
    /// For each label another one of its group that is nearer to the group's first.
    parents: Vec<u32>,
    wanted: FxHashSet<u32>,
}

impl Relevance {
    /// Nothing is wanted yet. Only what events depend on is grouped.
    pub fn new(trace: &Trace) -> Relevance {
        let used = used(trace);
        let mut groups = Relevance { parents: (0..trace.nodes().len() as u32).collect(), wanted: FxHashSet::default() };
        let mut snapshots = FxHashMap::default();
        for (label, node) in trace.nodes().iter().enumerate().filter(|&(label, _)| used[label]) {
            for operand in Operands::of(trace.nodes(), node).as_slice().iter().filter(|operand| operand.label != 0) {
                groups.join(label as u32, operand.label);
            }
            if node.op == op::LOAD {
                let first = *snapshots.entry(node.b).or_insert_with(|| {
                    each_of_snapshot(trace, node.b, |other| groups.join(label as u32, other));
                    label as u32
                });
                groups.join(label as u32, first);
            }
        }
        trace.events().iter().for_each(|event| groups.join_event(trace, event));
        groups
    }

    /// Wants all that has to do with an event.
    pub fn want(&mut self, trace: &Trace, event: &Event) {
        if let Some(label) = labels(trace, event).next() {
            let group = self.find(label);
            self.wanted.insert(group);
        }
    }

    /// Whether an event has to do with something that is wanted.
    pub fn is_wanted(&mut self, trace: &Trace, event: &Event) -> bool {
        let group = labels(trace, event).next().map(|label| self.find(label));
        group.is_some_and(|group| self.wanted.contains(&group))
    }

    /// An event is one condition, whatever it is made of.
    fn join_event(&mut self, trace: &Trace, event: &Event) {
        let mut labels = labels(trace, event);
        if let Some(first) = labels.next() {
            labels.for_each(|label| self.join(first, label));
        }
    }

    fn find(&mut self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            let parent = self.parents[label as usize];
            self.parents[label as usize] = self.parents[parent as usize];
            label = parent;
        }
        label
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }
}

/// The labels that events depend on.
fn used(trace: &Trace) -> Vec<bool> {
    let mut used = vec![false; trace.nodes().len()];
    for event in trace.events() {
        labels(trace, event).for_each(|label| used[label as usize] = true);
    }
    let mut snapshots = FxHashSet::default();
    for label in (1..used.len()).rev() {
        if !used[label] {
            continue;
        }
        let node = &trace.nodes()[label];
        for operand in Operands::of(trace.nodes(), node).as_slice() {
            used[operand.label as usize] = true;
        }
        if node.op == op::LOAD && snapshots.insert(node.b) {
            each_of_snapshot(trace, node.b, |label| used[label as usize] = true);
        }
    }
    used[0] = false;
    used
}

fn each_of_snapshot(trace: &Trace, offset: u32, mut visit: impl FnMut(u32)) {
    let snapshot = trace.snapshot(offset);
    (0..snapshot.labels.len()).filter_map(|index| snapshot.label(index)).for_each(|(label, _)| visit(label));
}

/// The labels that the condition of an event depends on.
fn labels(trace: &Trace, event: &Event) -> impl Iterator<Item = u32> {
    let kind = EventKind::of(event.kind);
    let has_label = !matches!(kind, Some(EventKind::Visit | EventKind::Point | EventKind::Object) | None);
    let own = if has_label { event.label } else { 0 };
    let size = trace.object(event).map_or(0, |object| object.label);
    let dividend = if kind == Some(EventKind::Division) { event.dividend() } else { 0 };
    [own, size, dividend].into_iter().filter(|&label| label != 0)
}

#[cfg(test)]
mod tests {
    use byway_trace::Builder;
    use byway_trace::layout::source_kind;

    use super::*;

    #[test]
    fn events_that_share_bytes_through_others_belong_together() {
        let mut builder = Builder::new();
        let source = builder.source(source_kind::STDIN, 0, "");
        let bytes: Vec<u32> = (0..4).map(|at| builder.input(source, at, 7)).collect();
        let less = |builder: &mut Builder, a, b, constant| {
            let condition = builder.node(op::ULT, 1, [a, b, 0], constant);
            builder.branch(1, condition);
        };
        less(&mut builder, bytes[0], bytes[1], 0);
        less(&mut builder, bytes[1], 0, 9);
        less(&mut builder, bytes[2], 0, 9);
        // What no event depends on brings nothing together.
        builder.node(op::ADD, 8, [bytes[0], bytes[2], 0], 0);
        let trace = builder.finish().unwrap();
        let mut relevance = Relevance::new(&trace);
        let wanted = |relevance: &mut Relevance| -> Vec<bool> {
            trace.events().iter().map(|event| relevance.is_wanted(&trace, event)).collect()
        };
        assert_eq!(wanted(&mut relevance), [false; 3]);
        relevance.want(&trace, &trace.events()[1]);
        assert_eq!(wanted(&mut relevance), [true, true, false]);
    }
}
