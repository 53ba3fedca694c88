//! What the runtime knows of the traced run, and of the thread that it follows.

use crate::layout::{self, events_offset, snapshots_offset};
use crate::layout::{Event, Header, LOSSES, Loss, MAX_LOSSES, NODES, Node, Snapshot};
use crate::system;

/// Where the shared memory of a run is mapped.
pub const TRACE: usize = 0x6900_0000_0000;

/// The state of the run. There is one, and only the first thread uses it.
pub struct State {
    /// Whether a run is traced by this process.
    pub active: bool,
    /// Set while the tables are being changed: a signal handler that comes then computes without labels.
    pub busy: bool,
    /// Whether there are as many nodes as there may be.
    pub full: bool,
    pub header: *mut Header,
    pub nodes: *mut Node,
    pub next_node: u32,
    pub node_limit: u32,
    pub depth_limit: u32,
    pub events: *mut Event,
    pub next_event: u32,
    pub event_limit: u32,
    /// The event of the last branch or switch.
    pub last_step: u32,
    pub snapshots: *mut Snapshot,
    pub losses: u32,
    /// One byte for each node: [`ASSERTED`], [`PINNED`].
    pub marks: *mut u8,
    /// Whether arithmetic is noted that C does not define for all operands.
    pub arithmetic: bool,
    /// Whether objects that are made of much input are read where this run reads them.
    pub near: bool,
    /// Whether what leaves the program is noted.
    pub outputs: bool,
    /// Whether branches are noted whose condition the path has said already.
    pub repeats: bool,
    /// Whether there are, or were, objects of symbolic size into which accesses are to be seen.
    pub sized: bool,
    /// Whether a byte with a label was a NUL when it was read or written.
    pub nuls: bool,
    /// Whether the program wants no other sides of branches.
    pub unforked: bool,
    /// Below this number the memory of nodes is there already.
    pub populated_nodes: u32,
    /// The same for events.
    pub populated_events: u32,
}

/// The node was a branch's condition already.
pub const ASSERTED: u8 = 1;
/// The node was taken for its value already.
pub const PINNED: u8 = 2;
/// The node's divisor event is there already.
pub const DIVIDED: u8 = 4;
/// The node's overflow event is there already, or it cannot overflow.
pub const OVERFLOWED: u8 = 8;
/// The node was the distance of a shift already.
pub const SHIFTED: u8 = 16;

/// The node was asked for as the end of a string already.
pub const TERMINATED: u8 = 32;

/// In the section of what every run writes: together these take one page, apart they would take one each.
#[unsafe(link_section = ".bss.byway_hot")]
pub static mut STATE: State = State {
    active: false,
    busy: false,
    full: false,
    header: core::ptr::null_mut(),
    nodes: core::ptr::null_mut(),
    next_node: 0,
    node_limit: 0,
    depth_limit: 0,
    events: core::ptr::null_mut(),
    next_event: 0,
    event_limit: 0,
    last_step: 0,
    snapshots: core::ptr::null_mut(),
    losses: 0,
    marks: core::ptr::null_mut(),
    arithmetic: false,
    near: false,
    outputs: false,
    repeats: false,
    sized: false,
    nuls: false,
    unforked: false,
    populated_nodes: 0,
    populated_events: 0,
};

/// Where each loss is in its table: 1 + its index, or 0.
static mut LOSS_SLOTS: [u16; MAX_LOSSES] = [0; MAX_LOSSES];

/// How much more is asked for when so much is used: a quarter, within bounds.
fn ahead(used: u32) -> u32 {
    (used / 4).clamp(128, 1 << 16)
}

/// What the instrumented code and the runtime tell each other, for each thread. The instrumentation makes the variable.
#[repr(C)]
pub struct Thread {
    /// The function whose arguments' labels are in `arguments`, or 0.
    pub arguments_for: usize,
    /// The function whose result's labels are in `results`, or 0.
    pub result_of: usize,
    /// Where the next local variable is noted; null in all threads but the first, and when nothing is traced.
    pub frames: *mut crate::objects::Local,
    /// The site of the last call of a model.
    pub call_site: u32,
    pub argument_count: u32,
    pub arguments: [u32; 64],
    /// Where arguments that are passed in memory were copied from.
    pub copied_from: [usize; 16],
    pub results: [u32; 8],
    /// Whether this is the traced thread.
    pub traced: u32,
}

unsafe extern "C" {
    pub fn byway_thread_pointer() -> *mut Thread;
    /// The number of the current part of the path, between two branches, and whether it is
    /// [fresh](crate::events::FRESH); 0 when nobody asks for visits.
    pub static mut byway_epoch: u32;
}

/// The thread that runs.
pub unsafe fn thread() -> &'static mut Thread {
    // SAFETY: the instrumented module's variable is as large as `Thread`, and zero at first.
    unsafe { &mut *byway_thread_pointer() }
}

impl State {
    /// Whether there is any expression: without one no byte has a label.
    #[inline(always)]
    pub fn has_nodes(&self) -> bool {
        self.next_node > 1
    }

    /// Prepares for the run whose memory is mapped at [`TRACE`].
    pub unsafe fn begin(&mut self, marks: usize) {
        let header = TRACE as *mut Header;
        // SAFETY: the memory is mapped, and laid out by its limits.
        unsafe {
            self.header = header;
            self.nodes = (TRACE + NODES) as *mut Node;
            self.next_node = 1;
            self.node_limit = (*header).node_limit;
            self.depth_limit = (*header).depth_limit;
            self.arithmetic = (*header).symbolic & layout::ARITHMETIC != 0;
            self.near = (*header).symbolic & layout::NEAR != 0;
            self.outputs = (*header).symbolic & layout::OUTPUTS != 0;
            self.repeats = (*header).symbolic & layout::REPEATS != 0;
            self.events = (TRACE + events_offset(self.node_limit)) as *mut Event;
            self.next_event = 0;
            self.populated_nodes = 0;
            self.populated_events = 0;
            self.event_limit = (*header).event_limit;
            self.snapshots = (TRACE + snapshots_offset(self.node_limit, self.event_limit)) as *mut Snapshot;
            self.marks = marks as *mut u8;
            // What the label of constants stands for.
            *self.nodes = core::mem::zeroed();
            // Written before it is read, or the page would come twice.
            *self.marks = 0;
            (*header).nodes = 1;
            (*header).text_bytes = 1;
        }
        self.active = true;
    }

    /// Asks for memory for more nodes: one request is cheaper than a fault for each page.
    #[cold]
    pub unsafe fn populate_nodes(&mut self) {
        let ahead = ahead(self.next_node).min(self.node_limit - self.next_node);
        // SAFETY: within the mapped memory.
        unsafe {
            system::populate(self.nodes.add(self.next_node as usize) as usize, ahead as usize * size_of::<Node>())
        };
        self.populated_nodes = self.next_node + ahead;
    }

    /// The same for events.
    #[cold]
    pub unsafe fn populate_events(&mut self) {
        let ahead = ahead(self.next_event).min(self.event_limit - self.next_event);
        let from = self.next_event as usize;
        // SAFETY: within the mapped memory.
        unsafe { system::populate(self.events.add(from) as usize, ahead as usize * size_of::<Event>()) };
        self.populated_events = self.next_event + ahead;
    }

    /// Counts a loss of precision.
    pub unsafe fn lose(&mut self, cause: u32, site: u32, name: u32) {
        // SAFETY: as for the caller.
        unsafe { self.lose_input(cause, site, name, 0) };
    }

    /// The same for input, with the library that read it.
    pub unsafe fn lose_input(&mut self, cause: u32, site: u32, name: u32, reader: u32) {
        if !self.active {
            return;
        }
        let losses = (TRACE + LOSSES) as *mut Loss;
        let slots = (&raw mut LOSS_SLOTS).cast::<u16>();
        let mut slot = (cause.wrapping_mul(0x9e37_79b1)
            ^ site.wrapping_mul(0x85eb_ca6b)
            ^ name.wrapping_mul(0xc2b2_ae35)
            ^ reader) as usize;
        slot ^= slot >> 15;
        let mut probes = 0;
        // SAFETY: slots are taken modulo the size of the table.
        unsafe {
            while probes < MAX_LOSSES {
                let known = &mut *slots.add(slot & (MAX_LOSSES - 1));
                if *known == 0 {
                    let count = self.losses;
                    if count as usize >= MAX_LOSSES - 64 && site != layout::NO_SITE {
                        // The table is nearly full: the place is left out, the cause is not.
                        return self.lose_input(cause, layout::NO_SITE, name, reader);
                    }
                    *losses.add(count as usize) = Loss { cause, site, name, reader, count: 1 };
                    *known = count as u16 + 1;
                    self.losses = count + 1;
                    (*self.header).losses = count + 1;
                    return;
                }
                let loss = &mut *losses.add(*known as usize - 1);
                if (loss.cause, loss.site, loss.name, loss.reader) == (cause, site, name, reader) {
                    loss.count += 1;
                    return;
                }
                slot += 1;
                probes += 1;
            }
        }
    }

    /// Keeps a text; its offset, or 0 if there is no room.
    pub unsafe fn text(&mut self, text: *const u8, length: usize) -> u32 {
        // SAFETY: the text is as long as said, and room is checked.
        unsafe {
            let used = (*self.header).text_bytes as usize;
            if used + length + 1 > layout::MAX_TEXTS {
                return 0;
            }
            let place = (TRACE + layout::TEXTS + used) as *mut u8;
            core::ptr::copy_nonoverlapping(text, place, length);
            *place.add(length) = 0;
            (*self.header).text_bytes = (used + length + 1) as u32;
            used as u32
        }
    }

    /// The node of a label.
    #[inline(always)]
    pub unsafe fn node(&self, label: u32) -> &'static mut Node {
        // SAFETY: labels are numbers of nodes.
        unsafe { &mut *self.nodes.add(label as usize) }
    }

    /// Sets a mark of a node; false if it was set.
    #[inline(always)]
    pub unsafe fn mark(&mut self, label: u32, mark: u8) -> bool {
        // SAFETY: there is a byte for every node.
        unsafe {
            let marks = &mut *self.marks.add(label as usize);
            let new = *marks & mark == 0;
            *marks |= mark;
            new
        }
    }

    /// Whether a node has a mark.
    #[inline(always)]
    pub unsafe fn is_marked(&self, label: u32, mark: u8) -> bool {
        // SAFETY: there is a byte for every node.
        unsafe { *self.marks.add(label as usize) & mark != 0 }
    }
}
