//! Expressions: small references into one pool that owns them all.
//!
//! Equal expressions are one, whichever run they come from. So what is known of an expression (its bytes, the values for
//! which it is true, its clauses) is known for good.

use std::cell::RefCell;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use byway_trace::evaluate::mask;
use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};

use crate::op::Op;
use crate::range::Range;
use crate::support::{Support, Supports};
use crate::wide::{self, WideSupports};

/// An expression of a [`Pool`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(pub(crate) u32);

impl Expr {
    /// A small number of its own.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The expression with a number that [`Expr::index`] gave.
    pub fn from_index(index: usize) -> Expr {
        Expr(index as u32)
    }
}

/// A byte of the input: a variable. Numbered in the order in which they were first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

impl Var {
    /// Its number.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A table that is read through a symbolic position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TableId(pub(crate) u32);

/// What a table holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Table {
    /// The bytes as they were.
    pub bytes: Vec<u8>,
    /// Those that are expressions of 8 bits, by position in order.
    pub symbolic: Vec<(u32, Expr)>,
}

impl Table {
    /// The expression of a byte, unless it is constant.
    pub fn symbolic(&self, position: usize) -> Option<Expr> {
        let found = self.symbolic.binary_search_by_key(&(position as u32), |&(position, _)| position);
        found.ok().map(|index| self.symbolic[index].1)
    }
}

/// The least and the greatest entries of tables, by how wide these are, how far apart, and where the first is.
type TableRanges = HashMap<(TableId, u64, u64, u64), Range, FixedState>;

/// An expression as it is stored. See [`Pool::operands`] and its neighbours for what the fields mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ExprNode {
    pub op: Op,
    pub width: u8,
    /// First operand; number of the byte; lower half of a constant.
    pub a: u32,
    /// Second operand; lowest bit; table; upper half of a constant.
    pub b: u32,
    /// Third operand; 1 + where the upper 64 bits of a constant are.
    pub c: u32,
}

/// The owner of expressions.
pub struct Pool {
    pub(crate) nodes: Vec<ExprNode>,
    index: HashTable<u32>,
    supports: Supports,
    /// For each node.
    support: Vec<Support>,
    wide_supports: RefCell<WideSupports>,
    /// For each node, whether it depends on a read at a symbolic position of a table that is made of many bytes.
    reads_wide_table: Vec<bool>,
    /// Upper halves of constants of more than 64 bits.
    wide: Vec<u64>,
    tables: Vec<Table>,
    table_index: HashTable<u32>,
    /// The least and the greatest entries of tables that were asked for.
    pub(crate) table_ranges: RefCell<TableRanges>,
    /// Parts that were asked for, by expression, lowest bit and width, where finding them takes more than a step.
    pub(crate) parts: HashMap<(Expr, u32, u32), Expr, FixedState>,
    hasher: FixedState,
}

impl Default for Pool {
    fn default() -> Self {
        let hasher = FixedState::with_seed(0);
        let (nodes, index, supports, support, wide, tables, table_index) = Default::default();
        let (table_ranges, parts, reads_wide_table, wide_supports) = Default::default();
        Pool {
            nodes,
            index,
            supports,
            support,
            wide_supports,
            reads_wide_table,
            wide,
            tables,
            table_index,
            table_ranges,
            parts,
            hasher,
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool of {} expressions", self.nodes.len())
    }
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The bytes of memory that it takes, roughly.
    pub fn memory(&self) -> usize {
        let tables: usize = self.tables.iter().map(|table| table.bytes.len() + table.symbolic.len() * 8).sum();
        self.nodes.len() * (size_of::<ExprNode>() + 13)
            + self.supports.memory()
            + self.wide_supports.borrow().memory()
            + tables
            + self.parts.len() * 20
    }

    pub(crate) fn node(&self, expr: Expr) -> ExprNode {
        self.nodes[expr.0 as usize]
    }

    /// The operator.
    pub fn op(&self, expr: Expr) -> Op {
        self.node(expr).op
    }

    /// How many bits it has, 1 to 128.
    pub fn width(&self, expr: Expr) -> u32 {
        self.node(expr).width.into()
    }

    /// The operands that are expressions: as many as [`Op::arity`] says, the rest repeats the first.
    pub fn operands(&self, expr: Expr) -> [Expr; 3] {
        let node = self.node(expr);
        match node.op.arity() {
            0 => [expr; 3],
            1 => [Expr(node.a); 3],
            2 => [Expr(node.a), Expr(node.b), Expr(node.a)],
            _ => [Expr(node.a), Expr(node.b), Expr(node.c)],
        }
    }

    /// The value, if it is a constant.
    pub fn constant(&self, expr: Expr) -> Option<u128> {
        let node = self.node(expr);
        (node.op == Op::Const).then(|| {
            let high = if node.c == 0 { 0 } else { self.wide[node.c as usize - 1] };
            u128::from(high) << 64 | u128::from(node.b) << 32 | u128::from(node.a)
        })
    }

    /// The byte, if it is one.
    pub fn var(&self, expr: Expr) -> Option<Var> {
        let node = self.node(expr);
        (node.op == Op::Byte).then_some(Var(node.a))
    }

    /// The lowest bit that an [`Op::Extract`] takes.
    pub fn low_bit(&self, expr: Expr) -> u32 {
        self.node(expr).b
    }

    /// The table that an [`Op::Load`] reads; its operand is the position, of 64 bits.
    pub fn table_of(&self, expr: Expr) -> TableId {
        TableId(self.node(expr).b)
    }

    /// What a table holds.
    pub fn table(&self, table: TableId) -> &Table {
        &self.tables[table.0 as usize]
    }

    /// Which bytes of the input it depends on.
    pub fn support(&self, expr: Expr) -> Support {
        self.support[expr.0 as usize]
    }

    /// The bytes of a support that is not [`Support::Wide`], in order.
    pub fn vars(&self, support: Support) -> &[Var] {
        self.supports.vars(support)
    }

    /// Adds all bytes that an expression depends on to a list, in order, each once. For any support.
    pub fn collect_vars(&self, expr: Expr, vars: &mut Vec<Var>) {
        match self.support(expr) {
            Support::Wide => vars.extend(wide::vars(&self.wide_vars(expr))),
            support => vars.extend_from_slice(self.vars(support)),
        }
    }

    /// Adds all bytes that an expression depends on to a set. For any support.
    pub(crate) fn add_vars(&self, expr: Expr, vars: &mut FixedBitSet) {
        match self.support(expr) {
            Support::Wide => vars.union_with(&self.wide_vars(expr)),
            support => self.vars(support).iter().for_each(|var| vars.grow_and_insert(var.index())),
        }
    }

    /// The bytes that an expression depends on, whose support is [`Support::Wide`].
    pub(crate) fn wide_vars(&self, expr: Expr) -> Arc<FixedBitSet> {
        self.wide_supports.borrow_mut().of_expr(self, expr)
    }

    /// Everything that an expression is made of directly: its operands, and the expressions in the table that it reads.
    pub fn each_operand(&self, expr: Expr, mut visit: impl FnMut(Expr)) {
        let arity = self.op(expr).arity();
        self.operands(expr)[..arity].iter().for_each(|&operand| visit(operand));
        if self.op(expr) == Op::Load {
            self.table(self.table_of(expr)).symbolic.iter().for_each(|&(_, expr)| visit(expr));
        }
    }

    /// How many there are of these.
    pub(crate) fn operand_count(&self, expr: Expr) -> usize {
        let op = self.op(expr);
        let in_table = if op == Op::Load { self.table(self.table_of(expr)).symbolic.len() } else { 0 };
        op.arity() + in_table
    }

    /// A constant.
    pub fn make_constant(&mut self, width: u32, value: u128) -> Expr {
        let value = value & mask(width);
        let high = (value >> 64) as u64;
        let c = if high == 0 { 0 } else { self.upper_half(high) };
        self.intern(ExprNode { op: Op::Const, width: width as u8, a: value as u32, b: (value >> 32) as u32, c })
    }

    /// Where an upper half is, plus one. There are few of them.
    fn upper_half(&mut self, high: u64) -> u32 {
        let position = self.wide.iter().position(|&known| known == high).unwrap_or_else(|| {
            self.wide.push(high);
            self.wide.len() - 1
        });
        position as u32 + 1
    }

    /// A byte of the input.
    pub fn make_byte(&mut self, var: Var) -> Expr {
        self.intern(ExprNode { op: Op::Byte, width: 8, a: var.0, b: 0, c: 0 })
    }

    /// A table; equal ones are one.
    pub fn make_table(&mut self, mut table: Table) -> TableId {
        // What a symbolic byte was in one run makes no other table of it.
        table.symbolic.retain(|&(position, expr)| {
            let constant = self.constant(expr);
            table.bytes[position as usize] = constant.unwrap_or(0) as u8;
            constant.is_none()
        });
        let hash = self.hasher.hash_one(&table);
        let tables = &self.tables;
        if let Some(&known) = self.table_index.find(hash, |&index| tables[index as usize] == table) {
            return TableId(known);
        }
        let index = self.tables.len() as u32;
        self.tables.push(table);
        let (tables, hasher) = (&self.tables, &self.hasher);
        self.table_index.insert_unique(hash, index, |&index| hasher.hash_one(&tables[index as usize]));
        TableId(index)
    }

    /// The expression with this node, which is as simple as it gets.
    pub(crate) fn intern(&mut self, node: ExprNode) -> Expr {
        let hash = self.hash(&node);
        let nodes = &self.nodes;
        if let Some(&known) = self.index.find(hash, |&index| nodes[index as usize] == node) {
            return Expr(known);
        }
        let index = self.nodes.len() as u32;
        self.nodes.push(node);
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        self.index.insert_unique(hash, index, |&index| hash_of(hasher, &nodes[index as usize]));
        let support = self.support_of(Expr(index));
        self.support.push(support);
        let reads = support == Support::Wide && self.makes_wide_read(Expr(index));
        self.reads_wide_table.push(reads);
        Expr(index)
    }

    fn makes_wide_read(&self, expr: Expr) -> bool {
        let operands = &self.operands(expr)[..self.op(expr).arity()];
        self.reads_wide_table_itself(expr) || operands.iter().any(|&operand| self.reads_wide_table(operand))
    }

    /// Whether it depends on a read at a symbolic position of a table that is made of many bytes of the input.
    pub(crate) fn reads_wide_table(&self, expr: Expr) -> bool {
        self.reads_wide_table[expr.index()]
    }

    /// Whether it is such a read.
    pub(crate) fn reads_wide_table_itself(&self, expr: Expr) -> bool {
        let is_read = self.op(expr) == Op::Load && self.support(expr) == Support::Wide;
        is_read && !self.table(self.table_of(expr)).symbolic.is_empty()
    }

    fn hash(&self, node: &ExprNode) -> u64 {
        hash_of(&self.hasher, node)
    }

    fn support_of(&mut self, expr: Expr) -> Support {
        let node = self.node(expr);
        if node.op == Op::Byte {
            return self.supports.single(Var(node.a));
        }
        let mut support = Support::None;
        for &operand in &self.operands(expr)[..node.op.arity()] {
            support = self.supports.union(support, self.support[operand.index()]);
        }
        if node.op == Op::Load {
            for &(_, expr) in &self.tables[node.b as usize].symbolic {
                support = self.supports.union(support, self.support[expr.index()]);
            }
        }
        support
    }
}

fn hash_of(hasher: &FixedState, node: &ExprNode) -> u64 {
    let mut state = hasher.build_hasher();
    node.hash(&mut state);
    std::hash::Hasher::finish(&state)
}
