//! A trace as SMT-LIB, for solvers.
//!
//! Every byte of the input is a constant such as `|stdin[3]|`, every node a definition, and what the run decided is
//! asserted: any input that satisfies the assertions takes the same path. Only bit-vectors are used (`QF_BV`): a read
//! through a symbolic address asks a table, a tree of `ite` over the bits of the position, which solvers turn into
//! clauses directly. Position and value of a read are constants of their own: z3 4.8 takes minutes to simplify three trees
//! within each other, and no time at all if they are apart.

mod align;
mod operator;
mod table;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Write};

use crate::evaluate::recorded;
use crate::kind::EventKind;
use crate::layout::{Event, Node, op};
use crate::operand::{Operand, Operands};
use crate::trace::Trace;
use align::Alignment;
use operator::{count_ones, first_set, function, literal, predicate};
use table::Table;

/// Writes what an input has to satisfy to take the path of this run.
pub fn write_path(trace: &Trace, out: impl Write) -> io::Result<()> {
    let mut script = Script::new(trace, out);
    script.path()?;
    script.line("(check-sat)")
}

/// Writes the same, and that the input is that of this run: what is written can be satisfied, in one way.
pub fn write_path_with_input(trace: &Trace, out: impl Write) -> io::Result<()> {
    let mut script = Script::new(trace, out);
    script.path()?;
    script.input()?;
    script.line("(check-sat)")
}

/// A script on its way to a file.
struct Script<'a, W> {
    trace: &'a Trace,
    nodes: &'a [Node],
    out: W,
    /// What the sources are called, each in its own way.
    names: Vec<String>,
    /// The bytes of the input that occur, with what they were.
    bytes: BTreeSet<(u32, u64, u8)>,
    /// The tables that are there, by snapshot, bytes that are read, and alignment.
    tables: HashMap<(u32, u8, u32), Table>,
    alignment: Alignment,
}

impl<'a, W: Write> Script<'a, W> {
    fn new(trace: &'a Trace, out: W) -> Self {
        let (bytes, tables, alignment) = Default::default();
        Script { trace, nodes: trace.nodes(), out, names: names(trace), bytes, tables, alignment }
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    fn path(&mut self) -> io::Result<()> {
        let needed =
            needed(self.trace, self.trace.events().iter().flat_map(|event| asserted_labels(self.trace, event)));
        self.definitions(&needed)?;
        for (index, event) in self.trace.events().iter().enumerate() {
            self.assert(index, event)?;
        }
        Ok(())
    }

    /// Declares the input and defines the nodes that are needed.
    fn definitions(&mut self, needed: &[bool]) -> io::Result<()> {
        self.line("(set-logic QF_BV)")?;
        let nodes = self.nodes;
        let inputs = nodes.iter().zip(needed).filter(|&(node, &needed)| needed && node.op == op::INPUT);
        self.bytes = inputs.map(|(node, _)| (node.a, node.constant, node.value as u8)).collect();
        let names: BTreeSet<(u32, u64)> = self.bytes.iter().map(|&(source, offset, _)| (source, offset)).collect();
        for (source, offset) in names {
            writeln!(self.out, "(declare-const {} (_ BitVec 8))", self.byte(source, offset))?;
        }
        self.alignment = Alignment::of(nodes);
        for (label, node) in (0..).zip(nodes).filter(|&(label, _)| needed[label as usize]) {
            match node.op {
                op::INPUT | op::CONST => {}
                op::LOAD => self.define_load(label, node)?,
                _ => {
                    let term = self.term_of(node);
                    writeln!(self.out, "(define-fun n{label} () (_ BitVec {}) {term})", node.width)?;
                }
            }
        }
        Ok(())
    }

    /// Asserts that the input is that of the run.
    fn input(&mut self) -> io::Result<()> {
        for &(source, offset, value) in &self.bytes {
            writeln!(self.out, "(assert (= {} #x{value:02x}))", self.byte(source, offset))?;
        }
        Ok(())
    }

    fn byte(&self, source: u32, offset: u64) -> String {
        byte(&self.names, source, offset)
    }

    /// What stands for a node in other terms.
    fn label(&self, label: u32) -> String {
        term(self.nodes, &self.names, label)
    }

    fn operand(&self, operand: Operand) -> String {
        match operand.label {
            0 => literal(operand.constant.into(), operand.width),
            label => self.label(label),
        }
    }

    fn term_of(&self, node: &Node) -> String {
        let operands = Operands::of(self.nodes, node);
        let [first, ..] = operands.all();
        let texts: Vec<String> = operands.as_slice().iter().map(|&operand| self.operand(operand)).collect();
        let all = texts.join(" ");
        let width = u32::from(node.width);
        if let Some(name) = function(node.op) {
            return format!("({name} {all})");
        }
        match node.op {
            op::EQ..=op::SLE => format!("(ite ({} {all}) #b1 #b0)", predicate(node.op)),
            op::ITE => format!("(ite (= {} #b1) {} {})", texts[0], texts[1], texts[2]),
            op::ZEXT => format!("((_ zero_extend {}) {all})", width - first.width),
            op::SEXT => format!("((_ sign_extend {}) {all})", width - first.width),
            op::EXTRACT => format!("((_ extract {} {}) {all})", node.c + width - 1, node.c),
            op::CTPOP => count_ones(&all, width),
            op::CTLZ => first_set(&all, width, (0..width).rev()),
            _ => first_set(&all, width, 0..width),
        }
    }

    /// A read, and that it is of what is in the snapshot.
    fn define_load(&mut self, label: u32, node: &Node) -> io::Result<()> {
        let snapshot = self.trace.snapshot(node.b);
        let shift = self.alignment.get(node.a).min(snapshot.base.trailing_zeros());
        let key = (node.b, node.width / 8, shift);
        let table = match self.tables.get(&key) {
            Some(&table) => table,
            None => {
                let table = Table::new(&snapshot, node.b, usize::from(node.width / 8), shift);
                table.define(&mut self.out, &snapshot, |label| {
                    (term(self.nodes, &self.names, label), self.nodes[label as usize].width.into())
                })?;
                *self.tables.entry(key).or_insert(table)
            }
        };
        let position = format!("(bvsub {} {})", self.label(node.a), literal(snapshot.base.into(), 64));
        let number = format!("i{label}");
        writeln!(self.out, "(declare-const {number} (_ BitVec {}))", table.bits())?;
        writeln!(self.out, "(assert (= {number} {}))", table.number(&position))?;
        writeln!(self.out, "(declare-const n{label} (_ BitVec {}))", node.width)?;
        writeln!(self.out, "(assert (= n{label} {}))", table.apply(&number))?;
        writeln!(self.out, "(assert (bvule {position} {}))", literal(table.last().into(), 64))
    }

    fn assert(&mut self, index: usize, event: &Event) -> io::Result<()> {
        let Some(kind) = EventKind::of(event.kind) else { return Ok(()) };
        let condition = match kind {
            EventKind::Branch => Some(format!("(= {} #b{})", self.label(event.label), event.flag)),
            EventKind::Switch | EventKind::Pin => Some(self.is_as_recorded(event.label)),
            EventKind::Division if event.label != 0 && event.a != 0 => {
                let zero = literal(0, self.nodes[event.label as usize].width.into());
                Some(format!("(distinct {} {zero})", self.label(event.label)))
            }
            EventKind::Access => self.within(event),
            EventKind::Length => self.fits(event),
            EventKind::Shift if event.a < event.b => {
                let width = literal(event.b.into(), self.nodes[event.label as usize].width.into());
                Some(format!("(bvult {} {width})", self.label(event.label)))
            }
            _ => None,
        };
        match condition {
            Some(condition) => writeln!(self.out, "(assert {condition}) ; event {index}: {}", kind.name()),
            None => Ok(()),
        }
    }

    fn is_as_recorded(&self, label: u32) -> String {
        let node = &self.nodes[label as usize];
        format!("(= {} {})", self.label(label), literal(recorded(node), node.width.into()))
    }

    /// That an access stays within its object, provided that it did.
    fn within(&self, event: &Event) -> Option<String> {
        let object = self.trace.object(event)?;
        let count = event.access_size();
        let offset = event.b.wrapping_sub(object.a);
        if offset > object.b || count > object.b - offset {
            return None;
        }
        let address = if event.label == 0 { literal(event.b.into(), 64) } else { self.label(event.label) };
        let offset = format!("(bvsub {address} {})", literal(object.a.into(), 64));
        if object.label == 0 {
            return Some(format!("(bvule {offset} {})", literal((object.b - count).into(), 64)));
        }
        let size = self.as_64_bits(object.label);
        let count = literal(count.into(), 64);
        Some(format!("(and (bvule {offset} {size}) (bvule {count} (bvsub {size} {offset})))"))
    }

    /// That a length stays within its object, provided that it did.
    fn fits(&self, event: &Event) -> Option<String> {
        let object = self.trace.object(event)?;
        let pointer = event.address_label();
        let place = if pointer == 0 { event.b } else { recorded(&self.nodes[pointer as usize]) as u64 };
        let offset = place.wrapping_sub(object.a);
        if offset > object.b || event.a > object.b - offset {
            return None;
        }
        let address = if pointer == 0 { literal(event.b.into(), 64) } else { self.label(pointer) };
        let offset = format!("(bvsub {address} {})", literal(object.a.into(), 64));
        let size = if object.label == 0 { literal(object.b.into(), 64) } else { self.as_64_bits(object.label) };
        let length = self.as_64_bits(event.label);
        let within = format!("(and (bvule {offset} {size}) (bvule {length} (bvsub {size} {offset})))");
        let none = literal(0, 64);
        Some(if pointer == 0 { within } else { format!("(or (= {length} {none}) {within})") })
    }

    fn as_64_bits(&self, label: u32) -> String {
        let term = self.label(label);
        match u32::from(self.nodes[label as usize].width) {
            64 => term,
            width if width < 64 => format!("((_ zero_extend {}) {term})", 64 - width),
            _ => format!("((_ extract 63 0) {term})"),
        }
    }
}

/// What stands for a node in other terms.
fn term(nodes: &[Node], names: &[String], label: u32) -> String {
    let node = &nodes[label as usize];
    match node.op {
        op::INPUT => byte(names, node.a, node.constant),
        op::CONST => literal(recorded(node), node.width.into()),
        _ => format!("n{label}"),
    }
}

fn byte(names: &[String], source: u32, offset: u64) -> String {
    format!("|{}[{offset}]|", names[source as usize])
}

/// The labels that the assertion of an event needs.
fn asserted_labels(trace: &Trace, event: &Event) -> [u32; 3] {
    match EventKind::of(event.kind) {
        Some(EventKind::Branch | EventKind::Switch | EventKind::Pin | EventKind::Division | EventKind::Shift) => {
            [event.label, 0, 0]
        }
        Some(EventKind::Access) => trace.object(event).map_or([0; 3], |object| [event.label, object.label, 0]),
        Some(EventKind::Length) => {
            trace.object(event).map_or([0; 3], |object| [event.label, object.label, event.address_label()])
        }
        _ => [0; 3],
    }
}

/// The nodes that some nodes are made of. Operands have smaller labels, so one way down is enough.
fn needed(trace: &Trace, roots: impl Iterator<Item = u32>) -> Vec<bool> {
    let nodes = trace.nodes();
    let mut needed = vec![false; nodes.len().max(1)];
    roots.for_each(|label| needed[label as usize] = true);
    let mut snapshots = HashSet::new();
    for (label, node) in nodes.iter().enumerate().skip(1).rev() {
        if !needed[label] {
            continue;
        }
        for operand in Operands::of(nodes, node).as_slice() {
            needed[operand.label as usize] = true;
        }
        if node.op == op::LOAD && snapshots.insert(node.b) {
            let snapshot = trace.snapshot(node.b);
            let labels = (0..snapshot.labels.len()).filter_map(|index| snapshot.label(index));
            labels.for_each(|(label, _)| needed[label as usize] = true);
        }
    }
    needed[0] = false;
    needed
}

/// The names of the sources as they can stand in `|...|`, no two the same.
fn names(trace: &Trace) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut name = |plain: &str| {
        let plain: String =
            plain.chars().map(|c| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c }).collect();
        let numbered = (1..).map(|number| if number == 1 { plain.clone() } else { format!("{plain}#{number}") });
        let free = numbered.into_iter().find(|name| !taken.contains(name)).expect("some number is free");
        taken.insert(free.clone());
        free
    };
    trace.inputs().iter().map(|input| name(&input.name)).collect()
}
