//! The table of nodes: each is made once, and found again by what it is made of.

use core::sync::atomic::{Ordering, compiler_fence};

use crate::layout::{NO_SITE, Node, cause, op};
use crate::nodes::site;
use crate::state::{STATE, State};
use crate::system;

/// Finds nodes. Slots hold a label and its hash; eight of them, a cache line, are a bucket.
///
/// Most nodes are made soon after their operands, so a node's home is a bucket near that of its newest operand: programs
/// that make millions of nodes stay in the cache. Only what does not fit there goes to a bucket found by its hash.
struct Table {
    slots: *mut u64,
    /// A power of two.
    buckets: usize,
    used: usize,
}

#[unsafe(link_section = ".bss.byway_hot")]
static mut TABLE: Table = Table { slots: core::ptr::null_mut(), buckets: 0, used: 0 };

const SLOTS: usize = 8;
/// Two pages: most runs are short.
const FIRST_BUCKETS: usize = 1 << 7;

#[inline(always)]
fn hash(node: &Node) -> u32 {
    let operands = (node.a as u64 | (node.b as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let rest = (node.op as u64 | (node.width as u64) << 8 | (node.c as u64) << 16) ^ node.constant.rotate_left(29);
    let mixed = (operands ^ operands >> 29).wrapping_add(rest).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 32) as u32
}

/// The bucket to look at first.
#[inline(always)]
fn home(node: &Node) -> usize {
    match node.op {
        // Bytes of the input come in their order, from the end of the table.
        op::INPUT => !(node.constant as usize >> 2),
        op::ITE => node.a.max(node.b).max(node.c) as usize >> 2,
        op::LOAD => node.a as usize >> 2,
        _ => node.a.max(node.b) as usize >> 2,
    }
}

/// Starts with an empty table.
pub unsafe fn begin() {
    // SAFETY: only the traced thread uses the table.
    unsafe {
        TABLE.slots = system::reserve(FIRST_BUCKETS * SLOTS * 8) as *mut u64;
        system::populate(TABLE.slots as usize, FIRST_BUCKETS * SLOTS * 8);
        TABLE.buckets = if TABLE.slots.is_null() { 0 } else { FIRST_BUCKETS };
        TABLE.used = 0;
    }
}

/// The slot of a node: where it is, or where it belongs.
#[inline(always)]
unsafe fn slot_of(state: &State, node: &Node, hash: u32) -> *mut u64 {
    // SAFETY: buckets are taken modulo their number; there always is a free slot.
    unsafe {
        let mut bucket = home(node) & (TABLE.buckets - 1);
        let mut next = hash as usize;
        loop {
            let slots = TABLE.slots.add(bucket * SLOTS);
            let mut index = 0;
            while index < SLOTS {
                let slot = slots.add(index);
                if *slot == 0 || *slot >> 32 == hash as u64 && is_same(state.node(*slot as u32), node) {
                    return slot;
                }
                index += 1;
            }
            // Full buckets lie side by side, so the next one is far away.
            bucket = next & (TABLE.buckets - 1);
            next = next.wrapping_add((hash >> 8 | 1) as usize);
        }
    }
}

#[inline(always)]
fn is_same(found: &Node, node: &Node) -> bool {
    found.op == node.op
        && found.width == node.width
        && found.a == node.a
        && found.b == node.b
        && found.c == node.c
        && found.constant == node.constant
        && (node.op != op::CONST || found.value == node.value)
}

/// Doubles the table.
#[cold]
unsafe fn grow(state: &State) {
    // SAFETY: the new table is as large as said; all nodes find room in it.
    unsafe {
        let size = TABLE.buckets * SLOTS * 8;
        let slots = system::reserve(2 * size) as *mut u64;
        if slots.is_null() {
            return;
        }
        system::release(TABLE.slots as usize, size);
        TABLE.slots = slots;
        TABLE.buckets *= 2;
        let mut label = 1;
        while label < state.next_node {
            let node = state.node(label);
            let hash = hash(node);
            *slot_of(state, node, hash) = (hash as u64) << 32 | label as u64;
            label += 1;
        }
    }
}

/// The label of a node, made now if it is new; 0 if it cannot be made. The node's depth is filled in here.
pub unsafe fn intern(node: Node) -> u32 {
    // SAFETY: only the traced thread gets here, and not a signal handler while the tables change.
    unsafe {
        let state = &mut STATE;
        if !state.active || state.busy {
            return 0;
        }
        if state.full {
            // Not even what is there is looked for: the rest of the run is to be fast.
            state.lose(cause::NODES, NO_SITE, 0);
            return 0;
        }
        core::ptr::write_volatile(&mut state.busy, true);
        let label = find_or_add(state, node);
        core::ptr::write_volatile(&mut state.busy, false);
        label
    }
}

#[inline(always)]
unsafe fn find_or_add(state: &mut State, mut node: Node) -> u32 {
    // SAFETY: as for `intern`.
    unsafe {
        let hash = hash(&node);
        let slot = slot_of(state, &node, hash);
        if *slot != 0 {
            let label = *slot as u32;
            // The same byte of the input can have another value if the file was changed in between.
            return if state.node(label).value == node.value { label } else { 0 };
        }
        let depth = depth(state, &node);
        if depth > state.depth_limit {
            state.lose(cause::DEPTH, site(), 0);
            return 0;
        }
        if state.next_node >= state.node_limit || TABLE.used * 8 >= TABLE.buckets * SLOTS * 7 {
            state.full = true;
            state.lose(cause::NODES, NO_SITE, 0);
            return 0;
        }
        node.depth = depth as u16;
        let label = state.next_node;
        if label >= state.populated_nodes {
            state.populate_nodes();
        }
        *state.node(label) = node;
        // What is counted is there, whenever the run is killed.
        compiler_fence(Ordering::Release);
        state.next_node = label + 1;
        (*state.header).nodes = label + 1;
        *slot = (hash as u64) << 32 | label as u64;
        TABLE.used += 1;
        if TABLE.used * 2 > TABLE.buckets * SLOTS {
            grow(state);
        }
        label
    }
}

#[inline(always)]
unsafe fn depth(state: &State, node: &Node) -> u32 {
    // SAFETY: operands are labels.
    unsafe {
        match node.op {
            op::INPUT | op::CONST => 0,
            op::LOAD => state.node(node.a).depth as u32 + 1,
            op::ITE => {
                let a = state.node(node.a).depth;
                let b = state.node(node.b).depth;
                let c = state.node(node.c).depth;
                a.max(b).max(c) as u32 + 1
            }
            _ => state.node(node.a).depth.max(state.node(node.b).depth) as u32 + 1,
        }
    }
}
