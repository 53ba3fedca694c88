//! Whether a condition on an operation held in the run itself.

use byway_trace::layout::{Event, op};
use byway_trace::{EventKind, evaluate};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::Importer;
use crate::evaluate::Evaluation;
use crate::pool::{Expr, Var};
use crate::variables::InputPosition;

impl Importer<'_> {
    /// Whether a condition that was made of an event's operands held in this run.
    pub fn held(&mut self, event: &Event, condition: Expr) -> bool {
        if let Some(constant) = self.pool.constant(condition) {
            return constant != 0;
        }
        let known: Vec<(Expr, u128)> = self.labels_of(event).into_iter().map(|label| self.recorded(label)).collect();
        if self.inputs.is_empty() {
            self.inputs = self.input_values();
        }
        let inputs = &self.inputs;
        let input = |var: Var| inputs.get(&var).copied().unwrap_or(0);
        // Conditions are made of the same expressions: each is computed once for the run.
        let mut evaluation = Evaluation::resume(self.pool, input, std::mem::take(&mut self.values));
        known.into_iter().for_each(|(expr, value)| evaluation.set(expr, value));
        let held = evaluation.value(condition) != 0;
        self.values = evaluation.into_values();
        held
    }

    /// The expression of a label, and what it was in this run.
    fn recorded(&mut self, label: u32) -> (Expr, u128) {
        (self.expr(label), evaluate::recorded(self.trace.node(label)))
    }

    /// The labels that conditions on an event's operation are made of.
    fn labels_of(&self, event: &Event) -> Vec<u32> {
        let mut labels = vec![event.label, self.trace.object(event).map_or(0, |object| object.label)];
        match EventKind::of(event.kind) {
            Some(EventKind::Division) => labels.push(event.dividend()),
            Some(EventKind::Length) => labels.push(event.address_label()),
            Some(EventKind::Overflow | EventKind::ShiftBase) => {
                let node = self.trace.node(event.label);
                labels.extend([node.a, node.b]);
            }
            _ => {}
        }
        labels.retain(|&label| label != 0);
        labels
    }

    /// The bytes of the input that the run looked at.
    fn input_values(&mut self) -> HashMap<Var, u8, FixedState> {
        let nodes = self.trace.nodes().iter().filter(|node| node.op == op::INPUT);
        let (variables, sources) = (&mut *self.variables, &self.sources);
        let value = |node: &byway_trace::layout::Node| {
            let place = InputPosition { source: sources[node.a as usize], offset: node.constant };
            (variables.var(place), node.value as u8)
        };
        nodes.map(value).collect()
    }
}
