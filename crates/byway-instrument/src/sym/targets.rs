//! Where calls through pointers and computed jumps can go. The address is taken for what it is. Before that, the run notes for each
//! function or label of the program whether it leads there: a pointer that is input has no other values that lead anywhere.

use std::collections::HashMap;

use byway_llvm::inspect;
use byway_llvm::ir::{Code, Type, Value};
use byway_trace::layout::cause;

use super::segment::Slow;
use super::walk::Walk;

/// How many targets are told apart.
const MOST: usize = 64;

/// The functions whose address is taken, by type.
pub struct Targets<'ctx>(HashMap<Type<'ctx>, Vec<Value<'ctx>>>);

impl<'ctx> Targets<'ctx> {
    pub fn of(code: &Code<'ctx>) -> Targets<'ctx> {
        let mut targets: HashMap<Type<'ctx>, Vec<Value<'ctx>>> = HashMap::new();
        let is_taken = |function: &Value<'ctx>| function.function().is_some_and(inspect::is_address_taken);
        for function in code.functions().into_iter().filter(is_taken) {
            let same = targets.entry(function.value_type()).or_default();
            if same.len() < MOST {
                same.push(function);
            }
        }
        Targets(targets)
    }

    /// Those that a call can reach.
    pub fn of_call(&self, call: Value<'ctx>) -> Vec<Value<'ctx>> {
        self.0.get(&call.called_type()).cloned().unwrap_or_default()
    }
}

/// The labels that a jump can reach.
pub fn labels<'ctx>(jump: Value<'ctx>) -> Vec<Value<'ctx>> {
    let mut labels: Vec<Value<'ctx>> = Vec::new();
    for block in jump.block().successors() {
        if !labels.contains(&block.address()) && labels.len() < MOST {
            labels.push(block.address());
        }
    }
    labels
}

/// Takes an address for what it is, behind the question which of the targets it is.
pub fn take<'ctx>(walk: &mut Walk<'_, 'ctx>, at: Value<'ctx>, address: Value<'ctx>, targets: Vec<Value<'ctx>>) {
    let (label, site) = (walk.label_of(address), walk.program.site(at));
    let step = move |slow: &Slow<'_, 'ctx>| {
        for &target in &targets {
            slow.program.note("byway_sym_target", &[slow.label(label), slow.number(target), site]);
        }
        slow.program.note("byway_sym_pin", &[slow.label(label), slow.program.small(cause::CALL), site]);
        slow.none()
    };
    walk.step(&[label], Box::new(step));
}
