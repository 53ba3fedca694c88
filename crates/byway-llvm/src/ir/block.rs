//! What can be asked of a block, and splitting one.

use std::marker::PhantomData;

use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::*;

use super::{Block, Value};

impl<'ctx> Block<'ctx> {
    /// The handle of an inkwell block.
    pub fn of(block: BasicBlock<'ctx>) -> Self {
        Block(block.as_mut_ptr(), PhantomData)
    }

    /// Its instructions, as they are now.
    pub fn instructions(self) -> Vec<Value<'ctx>> {
        let mut instructions = Vec::new();
        // SAFETY: the list of a live block is walked to its end.
        unsafe {
            let mut next = Value::some(LLVMGetFirstInstruction(self.0));
            while let Some(instruction) = next {
                instructions.push(instruction);
                next = instruction.next();
            }
        }
        instructions
    }

    /// The function it is part of.
    pub fn function(self) -> Value<'ctx> {
        // SAFETY: a block that is part of a function.
        Value::new(unsafe { LLVMGetBasicBlockParent(self.0) })
    }

    /// Its first instruction.
    pub fn first(self) -> Value<'ctx> {
        // SAFETY: a block; an empty one has none, which `Value::new` refuses.
        Value::new(unsafe { LLVMGetFirstInstruction(self.0) })
    }

    /// Its last instruction.
    pub fn terminator(self) -> Value<'ctx> {
        // SAFETY: a block; an unfinished one has none, which `Value::new` refuses.
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Its address, as a label of the source has it.
    pub fn address(self) -> Value<'ctx> {
        // SAFETY: a block of a function; not the first one, whose address nobody can take.
        Value::new(unsafe { LLVMBlockAddress(self.function().0, self.0) })
    }

    /// Where it can go.
    pub fn successors(self) -> Vec<Block<'ctx>> {
        let terminator = self.terminator().0;
        // SAFETY: a terminator; the indices are below the number of its successors.
        unsafe {
            let count = LLVMGetNumSuccessors(terminator);
            (0..count).map(|index| Block(LLVMGetSuccessor(terminator, index), PhantomData)).collect()
        }
    }

    /// Moves everything before `instruction` to a new block, which takes this one's place for all who come here. The new
    /// block has no terminator yet.
    pub fn split_before(self, instruction: Value<'ctx>) -> Block<'ctx> {
        assert_eq!(instruction.block(), self);
        // SAFETY: the instruction is in this block, as asserted, so the first loop ends; a block whose instructions are moved has a
        // terminator. The builder is ours alone.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(self.0)));
            let head = LLVMInsertBasicBlockInContext(context, self.0, c"".as_ptr());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, head);
            loop {
                let first = LLVMGetFirstInstruction(self.0);
                if first == instruction.0 {
                    break;
                }
                LLVMInstructionRemoveFromParent(first);
                LLVMInsertIntoBuilder(builder, first);
            }
            // Without its terminator the block has no successors, and their phis stay as they are: it is still this block
            // that goes to them.
            let terminator = LLVMGetBasicBlockTerminator(self.0);
            LLVMInstructionRemoveFromParent(terminator);
            LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(self.0), LLVMBasicBlockAsValue(head));
            LLVMPositionBuilderAtEnd(builder, self.0);
            LLVMInsertIntoBuilder(builder, terminator);
            LLVMDisposeBuilder(builder);
            Block(head, PhantomData)
        }
    }
}
