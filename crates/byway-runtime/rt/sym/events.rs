//! What happens on the path. Events that say nothing new are left out.

use core::sync::atomic::{Ordering, compiler_fence};

use crate::layout::{Event, MODEL_SITE, MOST_POINTS, NO_SITE, OPERATES, UNFORKED, cause, event, op, place};
use crate::nodes::{self, Operand, value_of};
use crate::state::{ASSERTED, DIVIDED, OVERFLOWED, PINNED, SHIFTED, STATE, byway_epoch, thread};
use crate::{bounds, objects};

/// How often a block with operations that can fail is noted by its number. After that only the branch before it says that there
/// was an operation: the position of an operation is what distances are measured from, however often it is executed.
const VISITS: u32 = 64;
/// Set in [`byway_epoch`] while no operation was noted in this part of the path. It is greater than all stamps.
pub const FRESH: u32 = 1 << 31;
/// The stamp of a block that was noted [`VISITS`] times: less than a fresh epoch, greater than all others.
const OFTEN: u32 = FRESH - 1;

unsafe extern "C" {
    /// For each block: the epoch it was last noted in. Made by the instrumentation.
    static mut byway_stamps: [u32; 0];
    static mut byway_visits: [u8; 0];
}

/// Appends an event; its index, or `u32::MAX` if there is no room.
pub unsafe fn append(event: Event) -> u32 {
    // SAFETY: room is checked.
    unsafe {
        let state = &mut STATE;
        if !state.active || state.busy {
            return u32::MAX;
        }
        if state.next_event >= state.event_limit {
            state.lose(cause::EVENTS, NO_SITE, 0);
            return u32::MAX;
        }
        let index = state.next_event;
        if index >= state.populated_events {
            state.populate_events();
        }
        *state.events.add(index as usize) = event;
        // What is counted is there, whenever the run is killed.
        compiler_fence(Ordering::Release);
        state.next_event = index + 1;
        (*state.header).events = index + 1;
        index
    }
}

/// An event of a kind at a site. At a model's site, `extra` is where the model was called.
pub unsafe fn at(kind: u8, flag: u8, site: u32, label: u32, extra: u32, a: u64, b: u64) -> u32 {
    // SAFETY: the thread's own variable.
    unsafe {
        let extra = if is_in_model(site) { thread().call_site } else { extra };
        append(Event { kind, flag, detail: 0, site, label, extra, a, b })
    }
}

/// A branch of the runtime's own, for which the program called a library function at `called`.
pub unsafe fn branch_at(condition: u32, taken: bool, site: u32, called: u32) {
    // SAFETY: the label is a node's.
    unsafe {
        if condition != 0 && STATE.mark(condition, ASSERTED) {
            let (kind, flag) = (event::BRANCH, taken as u8);
            advance(append(Event { kind, flag, detail: 0, site, label: condition, extra: called, a: 0, b: 0 }));
        }
    }
}

/// A condition that holds, and that nobody is to look behind.
pub unsafe fn assume(condition: u32, site: u32, called: u32) {
    // SAFETY: the label is a node's.
    unsafe {
        if condition != 0 && STATE.mark(condition, ASSERTED) {
            let (kind, b) = (event::PIN, cause::ASSUMPTION as u64);
            append(Event { kind, flag: 0, detail: 0, site, label: condition, extra: called, a: 1, b });
        }
    }
}

/// A condition that the program prefers to hold.
pub unsafe fn prefer(condition: u32, holds: bool, site: u32, called: u32) {
    // SAFETY: room is checked.
    unsafe {
        let (kind, a) = (event::PREFERENCE, holds as u64);
        append(Event { kind, flag: 0, detail: 0, site, label: condition, extra: called, a, b: 0 });
    }
}

/// Where the program called the model that runs.
pub unsafe fn call_site() -> u32 {
    // SAFETY: the thread's own variable.
    unsafe { thread().call_site }
}

unsafe fn repeated() {
    // SAFETY: a run is traced, or there would be no labels.
    unsafe {
        if STATE.active {
            (*STATE.header).repeated += 1;
        }
    }
}

/// A new part of the path begins with event `step`: operations that can fail are to be noted again.
unsafe fn advance(step: u32) {
    // SAFETY: a variable of the instrumented module.
    unsafe {
        if STATE.unforked && step < STATE.next_event {
            (*STATE.events.add(step as usize)).detail |= UNFORKED;
        }
        if byway_epoch != 0 {
            STATE.last_step = step;
            byway_epoch = FRESH | ((byway_epoch & !FRESH) + 1).min(OFTEN - 1);
        }
    }
}

/// Called where a branch's condition has a label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_branch(label: u32, taken: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if label == 0 || !STATE.active {
            return;
        }
        if !STATE.mark(label, ASSERTED) {
            if STATE.repeats && is_new(label, site) {
                at(event::REPEAT, taken as u8, site, label, 0, 0, 0);
            }
            return repeated();
        }
        advance(at(event::BRANCH, taken as u8, site, label, 0, 0, 0));
    }
}

/// The last switches and signed divisions that were noted, by label and site: the same value can be asked for other cases, or
/// be divided by something else.
const LAST_SWITCHES: usize = 256;
#[unsafe(link_section = ".bss.byway_hot")]
static mut SWITCHES: [(u32, u32); LAST_SWITCHES] = [(0, 0); LAST_SWITCHES];

/// Whether it was not noted yet; after many others, one may be noted again.
unsafe fn is_new(label: u32, site: u32) -> bool {
    let slot = label.wrapping_mul(0x9e37_79b1) ^ site.wrapping_mul(0x85eb_ca6b);
    // SAFETY: the index is taken modulo the size.
    unsafe {
        let last = &mut *(&raw mut SWITCHES).cast::<(u32, u32)>().add(slot as usize >> 8 & (LAST_SWITCHES - 1));
        core::mem::replace(last, (label, site)) != (label, site)
    }
}

/// Called where the value of a switch has a label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_switch(label: u32, value: u64, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if label == 0 || !STATE.active {
            return;
        }
        if !is_new(label, site) {
            return repeated();
        }
        advance(at(event::SWITCH, 0, site, label, 0, value, 0));
    }
}

/// Called where a divisor has a label, or what is divided as a signed number. `signed` is 1 for signed numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_divide(signed: u32, dividend: u32, label: u32, divided: u64, value: u64, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if dividend | label == 0 || !STATE.active {
            return;
        }
        let minus_one = nodes::mask(STATE.node(dividend).width as u32) as u64;
        let overflows = signed != 0 && dividend != 0 && (label != 0 || value == minus_one);
        if label == 0 && !overflows {
            return;
        }
        let new = label != 0 && STATE.mark(label, DIVIDED);
        if !new && !(overflows && is_new(dividend ^ label.rotate_left(16), site)) {
            return repeated();
        }
        at(event::DIVISION, signed as u8, site, label, dividend, value, divided);
    }
}

/// A shift by a distance with a label.
pub unsafe fn shift(distance: u32, value: u64, bits: u32, site: u32) {
    // SAFETY: the label is a node's.
    unsafe {
        if STATE.active && STATE.mark(distance, SHIFTED) {
            at(event::SHIFT, 0, site, distance, 0, value, bits as u64);
        }
    }
}

/// How often a shift of what need not be a signed number is noted at a place.
const GUESSES: u8 = 16;
/// For each place, modulo their number, how often it was.
const PLACES: usize = 1 << 12;
static mut GUESSED: [u8; PLACES] = [0; PLACES];

/// A shift to the left whose result has a label: of a signed number, or of what may be one.
pub unsafe fn shift_base(label: u32, is_guess: bool, site: u32) {
    // SAFETY: the label is a node's; the index is taken modulo the size.
    unsafe {
        let node = STATE.node(label);
        if !STATE.active || node.op != op::SHL || !STATE.mark(label, OVERFLOWED) || !bounds::can_lose_bits(node) {
            return;
        }
        let guessed = &mut *(&raw mut GUESSED).cast::<u8>().add(site as usize & (PLACES - 1));
        if is_guess && *guessed >= GUESSES {
            return;
        }
        *guessed = guessed.saturating_add(is_guess as u8);
        at(event::SHIFT_BASE, is_guess as u8, site, label, 0, node.value, 0);
    }
}

/// Called for arithmetic of more than 64 bits that may not overflow; with less it is part of what makes the node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_overflow(label: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if label != 0 && STATE.arithmetic {
            overflow(label, site);
        }
    }
}

/// Whether a site is in a model of a library function.
pub fn is_in_model(site: u32) -> bool {
    site & MODEL_SITE != 0 && site != NO_SITE
}

/// Signed arithmetic, whose result has a label.
pub unsafe fn overflow(label: u32, site: u32) {
    // SAFETY: the label is a node's.
    unsafe {
        if STATE.active && STATE.mark(label, OVERFLOWED) {
            let node = STATE.node(label);
            if bounds::can_overflow(node) {
                at(event::OVERFLOW, 0, site, label, 0, node.value, 0);
            }
        }
    }
}

/// An access of constant bytes at a constant address, to an object whose size is symbolic: noted if none reached as far.
#[cold]
pub unsafe fn reach(address: usize, size: usize, write: bool, site: u32) {
    // SAFETY: a run is traced if there are such objects.
    unsafe {
        if !STATE.active || STATE.busy || size == 0 || thread().traced == 0 {
            return;
        }
        let Some(object) = objects::reach(address, size) else { return };
        let object = objects::announce(&object) as u64;
        if object == 0 {
            return;
        }
        // At a model's site it is an access of one byte.
        let in_model = is_in_model(site);
        let (address, size) =
            if in_model || size > u32::MAX as usize { (address + size - 1, 1) } else { (address, size) };
        let last = STATE.events.add((STATE.next_event as usize).wrapping_sub(1));
        if STATE.next_event > 0
            && ((*last).kind, (*last).label, (*last).site, (*last).a) == (event::ACCESS, 0, site, object)
        {
            // Nothing happened in between, and who comes this far came as far as that.
            ((*last).b, (*last).flag) = (address as u64, write as u8);
            if !in_model {
                (*last).extra = size as u32;
            }
            return;
        }
        at(event::ACCESS, write as u8, site, 0, size as u32, object, address as u64);
    }
}

/// Takes a label for the value it has.
pub unsafe fn pin(label: u32, why: u32, site: u32) {
    // SAFETY: the label is a node's.
    unsafe {
        if label == 0 || !STATE.active || !STATE.mark(label, PINNED) {
            return;
        }
        STATE.lose(why, site, 0);
        let value = value_of(STATE.node(label)) as u64;
        at(event::PIN, 0, site, label, 0, value, why as u64);
    }
}

/// Called for each place where a call or jump can go whose address has a label. What was chosen from a table is left to the table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_target(label: u32, target: u64, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if label == 0 || !STATE.active || !is_read(label) {
            return;
        }
        let address = Operand::of(label);
        let is_there = address.value as u64 == target;
        let target = Operand::constant(target as u128, address.width);
        let condition = nodes::binary(op::EQ, 1, address, target, is_there as u128);
        branch_at(condition, is_there, place::TARGET, site);
    }
}

/// Whether something is input as it was read.
unsafe fn is_read(mut label: u32) -> bool {
    // SAFETY: labels are numbers of nodes, and operands have smaller ones.
    unsafe {
        while label != 0 && STATE.node(label).op == op::CONCAT {
            label = STATE.node(label).b;
        }
        label != 0 && STATE.node(label).op == op::INPUT
    }
}

/// Called where a label is taken for its value, such as for a function pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_pin(label: u32, why: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe { pin(label, why, site) };
}

/// Called where a label is lost.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_lost(label: u32, why: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if label != 0 {
            STATE.lose(why, site, 0);
        }
    }
}

/// Called where an external function without a model is given something symbolic.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_unmodelled(given: u32, name: *const u8, site: u32) {
    // SAFETY: called by instrumented code; the name ends with a zero.
    unsafe {
        if given != 0 && STATE.active && thread().traced != 0 {
            lose_named(cause::UNMODELLED, name, site);
        }
    }
}

/// Names are kept once.
const NAMES: usize = 512;
static mut NAME_CACHE: [(*const u8, u32); NAMES] = [(core::ptr::null(), 0); NAMES];

/// Counts a loss with the name of a function. Names are constants of the program.
pub unsafe fn lose_named(cause: u32, name: *const u8, site: u32) {
    // SAFETY: the name ends with a zero; the cache is indexed modulo its size.
    unsafe {
        if !STATE.active {
            return;
        }
        let mut slot = name as usize >> 3;
        let mut probes = 0;
        while probes < NAMES {
            let (known, text) = &mut *(&raw mut NAME_CACHE).cast::<(*const u8, u32)>().add(slot & (NAMES - 1));
            if known.is_null() {
                let mut length = 0;
                while *name.add(length) != 0 {
                    length += 1;
                }
                *known = name;
                *text = STATE.text(name, length);
            }
            if *known == name {
                return STATE.lose(cause, site, *text);
            }
            slot += 1;
            probes += 1;
        }
        STATE.lose(cause, site, 0);
    }
}

/// How often the run noted that it came by a place.
static mut POINTS: u32 = 0;

/// Called at a place that the run is to note.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_point(block: u32, calls: u32) {
    // SAFETY: called by instrumented code; only the traced thread counts.
    unsafe {
        if thread().traced == 0 || POINTS >= MOST_POINTS {
            return;
        }
        POINTS += 1;
        append(Event { kind: event::POINT, flag: 0, detail: 0, site: NO_SITE, label: block, extra: calls, a: 0, b: 0 });
    }
}

/// Says with the last branch or switch that an operation follows.
unsafe fn note_operation() {
    // SAFETY: the event is there if its number is below the next one's.
    unsafe {
        if STATE.active && !STATE.busy && STATE.last_step < STATE.next_event {
            (*STATE.events.add(STATE.last_step as usize)).detail |= OPERATES;
        }
    }
}

/// Called when a block is about to execute an operation that can fail, if it was not noted in this part of the path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_visit(block: u32) {
    // SAFETY: called by instrumented code; there is an entry for every block.
    unsafe {
        let stamp = (&raw mut byway_stamps).cast::<u32>().add(block as usize);
        if *stamp >= byway_epoch || thread().traced == 0 {
            return;
        }
        byway_epoch &= !FRESH;
        if *stamp == OFTEN {
            return note_operation();
        }
        let visits = (&raw mut byway_visits).cast::<u8>().add(block as usize);
        *visits += 1;
        *stamp = if *visits as u32 >= VISITS { OFTEN } else { byway_epoch };
        append(Event { kind: event::VISIT, flag: 0, detail: 0, site: NO_SITE, label: block, extra: 0, a: 0, b: 0 });
    }
}
