//! Which values can be symbolic: what is read from memory, and all that is computed from it.

use std::collections::{HashMap, HashSet};

use byway_llvm::ir::{Kind, Opcode, Type, Value};

use super::models::Meaning;

/// Finds them, through calls and returns.
pub fn find<'ctx>(functions: &[Value<'ctx>], meanings: &HashMap<Value<'ctx>, Meaning<'ctx>>) -> HashSet<Value<'ctx>> {
    let mut reach = Reach { symbolic: HashSet::new(), pending: Vec::new(), parameters: HashMap::new() };
    for &function in functions {
        for (index, parameter) in function.parameters().into_iter().enumerate() {
            reach.parameters.insert(parameter, (function, index));
        }
    }
    for &function in functions {
        if is_called_unseen(function) {
            function.parameters().into_iter().for_each(|parameter| reach.add(parameter));
        }
        for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
            let source = match instruction.opcode() {
                Some(Opcode::LLVMLoad) => !instruction.operand(0).is_constant_variable(),
                Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                    let callee = instruction.callee();
                    !callee.is_function() && !callee.is_assembly()
                }
                _ => meanings.contains_key(&instruction),
            };
            if source {
                reach.add(instruction);
            }
        }
    }
    reach.spread();
    reach.symbolic
}

struct Reach<'ctx> {
    symbolic: HashSet<Value<'ctx>>,
    pending: Vec<Value<'ctx>>,
    parameters: HashMap<Value<'ctx>, (Value<'ctx>, usize)>,
}

/// Whether a function is used other than by naming it in a call.
fn is_called_unseen(function: Value<'_>) -> bool {
    function.users().into_iter().any(|user| {
        let uses = user.operands().filter(|operand| *operand == function).count();
        !user.is_call() || user.callee() != function || uses != 1
    })
}

/// Whether values of a type have labels.
pub fn has_labels(ty: Type<'_>) -> bool {
    match ty.kind() {
        Kind::Integer(bits) => bits <= 128,
        Kind::Pointer => true,
        Kind::Struct(count) => (0..count).any(|index| has_labels(ty.member(index))),
        Kind::Array(element, _) | Kind::Vector(element, _) => has_labels(element),
        Kind::Void | Kind::Float | Kind::Other => false,
    }
}

impl<'ctx> Reach<'ctx> {
    fn add(&mut self, value: Value<'ctx>) {
        if has_labels(value.ty()) && self.symbolic.insert(value) {
            self.pending.push(value);
        }
    }

    fn spread(&mut self) {
        while let Some(value) = self.pending.pop() {
            for user in value.users() {
                match user.opcode() {
                    Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.through_call(value, user),
                    Some(Opcode::LLVMRet) => self.through_return(user),
                    Some(Opcode::LLVMStore | Opcode::LLVMLoad) | None => {}
                    Some(_) => self.add(user),
                }
            }
        }
    }

    fn through_call(&mut self, value: Value<'ctx>, call: Value<'ctx>) {
        let callee = call.callee();
        if !callee.is_function() {
            return;
        }
        if callee.is_declaration() {
            if callee.name().starts_with("llvm.") {
                self.add(call);
            }
            return;
        }
        let parameters = callee.parameters();
        for (argument, parameter) in call.arguments().into_iter().zip(parameters) {
            if argument == value && self.parameters.contains_key(&parameter) {
                self.add(parameter);
            }
        }
    }

    fn through_return(&mut self, instruction: Value<'ctx>) {
        let function = instruction.block().function();
        for user in function.users() {
            if user.is_call() && user.callee() == function {
                self.add(user);
            }
        }
    }
}
