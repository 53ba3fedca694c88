//! From the expressions of one run to those of all.

mod failure;
mod pointer;
mod value;

use byway_trace::layout::{self, Event, op};
use byway_trace::{EventKind, Operand, Operands, SourceKind, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::op::Op;
use crate::pool::{Expr, Pool, Table, TableId, Var};
use crate::variables::{InputPosition, InputSource, Variables};
pub use failure::Failure;

/// Takes expressions of a trace over into a pool, as far as they are asked for.
pub struct Importer<'a> {
    trace: &'a Trace,
    pool: &'a mut Pool,
    variables: &'a mut Variables,
    /// The number of each source of the trace.
    sources: Vec<u32>,
    /// For each label 1 + the number of its expression, 0 if it was not asked for.
    known: Vec<u32>,
    tables: HashMap<u32, TableId, FixedState>,
    pending: Vec<u32>,
    /// The bytes of the input in this run, once somebody has asked for them.
    inputs: HashMap<Var, u8, FixedState>,
    /// What expressions were worth in the run, as far as somebody asked.
    values: HashMap<Expr, u128, FixedState>,
}

/// A source, the same in all runs. The index of a size is a number of its trace alone.
fn source(input: &byway_trace::Input) -> InputSource {
    let index = if input.kind == SourceKind::Size { 0 } else { input.index };
    InputSource { kind: input.kind, name: input.name.clone(), index }
}

impl<'a> Importer<'a> {
    /// Begins with a trace.
    pub fn new(trace: &'a Trace, pool: &'a mut Pool, variables: &'a mut Variables) -> Self {
        Importer::with_sources(trace, pool, variables, trace.inputs().iter().map(source))
    }

    /// Begins with a trace whose sources have other names in the pool, given in their order: what is called differently from
    /// run to run can be the same there.
    pub fn with_sources(
        trace: &'a Trace,
        pool: &'a mut Pool,
        variables: &'a mut Variables,
        sources: impl IntoIterator<Item = InputSource>,
    ) -> Self {
        let sources = sources.into_iter().map(|source| variables.source_number(source)).collect();
        let known = vec![0; trace.nodes().len()];
        let (tables, inputs, values) = (HashMap::default(), HashMap::default(), HashMap::default());
        Importer { trace, pool, variables, sources, known, tables, pending: Vec::new(), inputs, values }
    }

    /// The pool.
    pub fn pool(&mut self) -> &mut Pool {
        self.pool
    }

    /// The expression of a label.
    pub fn expr(&mut self, label: u32) -> Expr {
        self.pending.push(label);
        while let Some(&label) = self.pending.last() {
            if self.known[label as usize] == 0 && self.are_operands_known(label) {
                self.known[label as usize] = self.build(label).0 + 1;
            }
            if self.known[label as usize] != 0 {
                self.pending.pop();
            }
        }
        self.get(label)
    }

    fn get(&self, label: u32) -> Expr {
        Expr(self.known[label as usize] - 1)
    }

    /// Whether all that a node is made of is there; what is not becomes pending.
    fn are_operands_known(&mut self, label: u32) -> bool {
        let before = self.pending.len();
        let node = self.trace.node(label);
        for operand in Operands::of(self.trace.nodes(), node).as_slice() {
            self.want(operand.label);
        }
        if node.op == op::LOAD && !self.tables.contains_key(&node.b) {
            let snapshot = self.trace.snapshot(node.b);
            for index in 0..snapshot.labels.len() {
                if let Some((label, _)) = snapshot.label(index) {
                    self.want(label);
                }
            }
        }
        self.pending.len() == before
    }

    fn want(&mut self, label: u32) {
        if label != 0 && self.known[label as usize] == 0 {
            self.pending.push(label);
        }
    }

    fn operand(&mut self, operand: Operand) -> Expr {
        match operand.label {
            0 => self.pool.make_constant(operand.width, operand.constant.into()),
            label => self.get(label),
        }
    }

    fn build(&mut self, label: u32) -> Expr {
        let node = *self.trace.node(label);
        let width = u32::from(node.width);
        match node.op {
            op::INPUT => {
                let place = InputPosition { source: self.sources[node.a as usize], offset: node.constant };
                let var = self.variables.var(place);
                return self.pool.make_byte(var);
            }
            op::CONST => return self.pool.make_constant(width, byway_trace::evaluate::recorded(&node)),
            _ => {}
        }
        let operands = Operands::of(self.trace.nodes(), &node);
        let [a, b, c] = operands.all();
        let first = self.operand(a);
        match node.op {
            op::ZEXT => self.pool.extend(Op::ZExt, first, width),
            op::SEXT => self.pool.extend(Op::SExt, first, width),
            op::EXTRACT => self.pool.extract(first, node.c, width),
            op::CTPOP => self.pool.count(Op::CtPop, first),
            op::CTLZ => self.pool.count(Op::CtLz, first),
            op::CTTZ => self.pool.count(Op::CtTz, first),
            op::LOAD => self.load(node.b, first, width),
            op::ITE => {
                let (then, other) = (self.operand(b), self.operand(c));
                self.pool.ite(first, then, other)
            }
            _ => {
                let second = self.operand(b);
                self.binary(node.op, first, second)
            }
        }
    }

    fn binary(&mut self, op: u8, a: Expr, b: Expr) -> Expr {
        let (op, a, b, negated) = match op {
            op::ADD => (Op::Add, a, b, false),
            op::SUB => (Op::Sub, a, b, false),
            op::MUL => (Op::Mul, a, b, false),
            op::UDIV => (Op::UDiv, a, b, false),
            op::SDIV => (Op::SDiv, a, b, false),
            op::UREM => (Op::URem, a, b, false),
            op::SREM => (Op::SRem, a, b, false),
            op::SHL => (Op::Shl, a, b, false),
            op::LSHR => (Op::LShr, a, b, false),
            op::ASHR => (Op::AShr, a, b, false),
            op::AND => (Op::And, a, b, false),
            op::OR => (Op::Or, a, b, false),
            op::XOR => (Op::Xor, a, b, false),
            op::EQ => (Op::Eq, a, b, false),
            op::NE => (Op::Eq, a, b, true),
            op::ULT => (Op::Ult, a, b, false),
            op::ULE => (Op::Ult, b, a, true),
            op::SLT => (Op::Slt, a, b, false),
            op::SLE => (Op::Slt, b, a, true),
            // A trace that exists has only operators of the layout.
            _ => (Op::Concat, a, b, false),
        };
        let result = self.pool.binary(op, a, b);
        if negated { self.pool.not(result) } else { result }
    }

    fn load(&mut self, snapshot: u32, address: Expr, width: u32) -> Expr {
        let table = self.table(snapshot);
        let base = self.pool.make_constant(64, self.trace.snapshot(snapshot).base.into());
        let position = self.pool.binary(Op::Sub, address, base);
        self.pool.load(table, position, width)
    }

    fn table(&mut self, offset: u32) -> TableId {
        if let Some(&known) = self.tables.get(&offset) {
            return known;
        }
        let snapshot = self.trace.snapshot(offset);
        let mut symbolic = Vec::new();
        for index in 0..snapshot.labels.len() {
            if let Some((label, byte)) = snapshot.label(index) {
                let whole = self.get(label);
                let part = self.pool.extract(whole, byte * 8, 8);
                symbolic.push((index as u32, part));
            }
        }
        let table = self.pool.make_table(Table { bytes: snapshot.bytes.to_vec(), symbolic });
        self.tables.insert(offset, table);
        table
    }

    /// What was taken for the value that it had in this run, and that it has this value. `None` if an event is no
    /// concretization: what a program assumes of its input (`klee_assume`) is none, it has no other value.
    pub fn concretization(&mut self, event: &Event) -> Option<(Expr, Expr)> {
        let is_concretization = event.kind == layout::event::PIN && event.b != u64::from(layout::cause::ASSUMPTION);
        is_concretization.then(|| {
            let expr = self.expr(event.label);
            (expr, self.pool.equals(expr, event.a.into()))
        })
    }

    /// A pointer that the input chose, as from a table of pointers, and that it is the one of this run: others may lead to other
    /// objects. `None` if the object of an access is not a choice of the input.
    pub fn chosen_pointer(&mut self, event: &Event) -> Option<(Expr, Expr)> {
        let is_access = event.kind == layout::event::ACCESS && event.label != 0;
        let object = *self.trace.object(event).filter(|_| is_access)?;
        let label = self.pointer(event.label, &object)?.label;
        Some((self.expr(label), self.stays(label)))
    }

    /// What an event that is no branch says of the input: expressions after it hold only for inputs for which this is
    /// true. `None` if it says nothing, or if it is a concretization.
    pub fn assumption(&mut self, event: &Event) -> Option<Expr> {
        match EventKind::of(event.kind)? {
            EventKind::Pin if event.b == u64::from(layout::cause::ASSUMPTION) => {
                let expr = self.expr(event.label);
                Some(self.pool.equals(expr, event.a.into()))
            }
            EventKind::Division if event.label != 0 && event.a != 0 => {
                let divisor = self.expr(event.label);
                let zero = self.pool.equals(divisor, 0);
                Some(self.pool.not(zero))
            }
            EventKind::Access => {
                // What a run did outside of its object, it did: what comes behind assumes nothing of that.
                let outside = self.outside(event).filter(|_| !self.was_outside(event))?;
                Some(self.pool.not(outside))
            }
            // The same for lengths, but what nobody knows the object of may have any.
            EventKind::Length if self.trace.object(event).is_some() => {
                let too_long = self.too_long(event).filter(|_| !self.was_too_long(event))?;
                Some(self.pool.not(too_long))
            }
            EventKind::Shift if event.a < event.b => {
                let amount = self.expr(event.label);
                let bits = self.pool.make_constant(self.pool.width(amount), event.b.into());
                Some(self.pool.binary(Op::Ult, amount, bits))
            }
            _ => None,
        }
    }
}
