//! What can be asked of a value, and done to it.

use std::marker::PhantomData;

use inkwell::attributes::Attribute;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMLinkage, LLVMValueKind};
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue, InstructionValue};

use super::{Block, FUNCTION, IntPredicate, Opcode, Type, Value};

impl<'ctx> Value<'ctx> {
    pub(super) fn new(raw: LLVMValueRef) -> Self {
        assert!(!raw.is_null());
        Value(raw, PhantomData)
    }

    pub(crate) fn raw(self) -> LLVMValueRef {
        self.0
    }

    /// The handle of a live value of the context.
    pub(crate) fn of_raw(raw: LLVMValueRef) -> Self {
        Value::new(raw)
    }

    pub(crate) fn some(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Value(raw, PhantomData))
    }

    /// The handle of an inkwell function.
    pub fn of_function(function: FunctionValue<'ctx>) -> Self {
        Value::new(function.as_value_ref())
    }

    /// The handle of an inkwell global value.
    pub fn of_global(global: GlobalValue<'ctx>) -> Self {
        Value::new(global.as_value_ref())
    }

    /// The type of what a function returns.
    pub fn result_type(self) -> Type<'ctx> {
        assert!(self.is_function());
        // SAFETY: a function, as asserted, whose type is one of functions.
        Type::new(unsafe { LLVMGetReturnType(LLVMGlobalGetValueType(self.0)) })
    }

    /// Whether a function or variable has no name outside of its module.
    pub fn is_private(self) -> bool {
        assert!(self.is_function() || self.is_variable());
        // SAFETY: a function or variable, as asserted.
        unsafe { LLVMGetLinkage(self.0) == LLVMLinkage::LLVMPrivateLinkage }
    }

    /// The handle of an inkwell instruction.
    pub fn of_instruction(instruction: InstructionValue<'ctx>) -> Self {
        Value::new(instruction.as_value_ref())
    }

    /// The instruction, as inkwell has it.
    pub fn instruction(self) -> InstructionValue<'ctx> {
        assert!(self.opcode().is_some());
        // SAFETY: an instruction, as asserted.
        unsafe { InstructionValue::new(self.0) }
    }

    /// Whether it is a variable that exists once for each thread.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: a variable.
        self.is_variable() && unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Its type.
    pub fn ty(self) -> Type<'ctx> {
        // SAFETY: any value has a type.
        Type::new(unsafe { LLVMTypeOf(self.0) })
    }

    /// Its operation, if it is an instruction.
    pub fn opcode(self) -> Option<Opcode> {
        // SAFETY: any value may be asked whether it is an instruction; only one has an opcode.
        unsafe { (!LLVMIsAInstruction(self.0).is_null()).then(|| LLVMGetInstructionOpcode(self.0)) }
    }

    /// Whether it is a constant, which includes functions and variables.
    pub fn is_constant(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    /// The function, as inkwell has it, if it is one.
    pub fn function(self) -> Option<FunctionValue<'ctx>> {
        // SAFETY: any value may be asked; only a function becomes one.
        unsafe { FunctionValue::new(LLVMIsAFunction(self.0)) }
    }

    /// Whether it is another name of a function or variable.
    pub fn is_alias(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { !LLVMIsAGlobalAlias(self.0).is_null() }
    }

    /// What it stands for, if it is another name of something.
    pub fn without_aliases(self) -> Value<'ctx> {
        let mut value = self;
        while value.is_alias() {
            // SAFETY: an alias, which stands for something, and never for itself.
            value = Value::new(unsafe { LLVMAliasGetAliasee(value.0) });
        }
        value
    }

    /// Whether it is the address of a label.
    pub fn is_block_address(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { !LLVMIsABlockAddress(self.0).is_null() }
    }

    /// Whether it is a global variable.
    pub fn is_variable(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() }
    }

    /// Whether it is a variable that never changes.
    pub fn is_constant_variable(self) -> bool {
        // SAFETY: a variable.
        self.is_variable() && unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Whether it is a piece of assembly.
    pub fn is_assembly(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }

    /// Whether it is data, unlike metadata and blocks.
    pub fn is_data(self) -> bool {
        // SAFETY: any value has a kind.
        unsafe {
            !matches!(
                LLVMGetValueKind(self.0),
                LLVMValueKind::LLVMMetadataAsValueValueKind
                    | LLVMValueKind::LLVMBasicBlockValueKind
                    | LLVMValueKind::LLVMInlineAsmValueKind
            )
        }
    }

    /// An integer constant's value, if it fits 64 bits.
    pub fn integer(self) -> Option<u64> {
        // SAFETY: any value may be asked whether it is an integer constant; only one of at most 64 bits has such a value.
        unsafe {
            let is_integer = !LLVMIsAConstantInt(self.0).is_null();
            (is_integer && LLVMGetIntTypeWidth(LLVMTypeOf(self.0)) <= 64).then(|| LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// An integer constant's value with its sign, if it fits 64 bits.
    pub fn signed(self) -> Option<i64> {
        // SAFETY: an integer constant of at most 64 bits, or there is none.
        self.integer().map(|_| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    /// The number of operands.
    pub fn operand_count(self) -> u32 {
        // SAFETY: asked of users only: what has no operands says 0.
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    /// An operand.
    pub fn operand(self, index: u32) -> Value<'ctx> {
        assert!(index < self.operand_count());
        // SAFETY: the index is below the number of operands.
        Value::new(unsafe { LLVMGetOperand(self.0, index) })
    }

    /// All operands that are data.
    pub fn operands(self) -> impl Iterator<Item = Value<'ctx>> {
        (0..self.operand_count()).map(move |index| self.operand(index)).filter(|operand| operand.is_data())
    }

    /// Who uses it.
    pub fn users(self) -> Vec<Value<'ctx>> {
        let mut users = Vec::new();
        // SAFETY: each use has a user, and the list is not changed meanwhile.
        unsafe {
            let mut next = LLVMGetFirstUse(self.0);
            while !next.is_null() {
                users.push(Value::new(LLVMGetUser(next)));
                next = LLVMGetNextUse(next);
            }
        }
        users
    }

    /// The next instruction of the block.
    pub fn next(self) -> Option<Value<'ctx>> {
        assert!(self.parent().is_some());
        // SAFETY: an instruction in a block, as asserted.
        Value::some(unsafe { LLVMGetNextInstruction(self.0) })
    }

    /// The block of an instruction.
    pub fn block(self) -> Block<'ctx> {
        self.parent().expect("the instruction was removed")
    }

    /// The block of an instruction that was not removed.
    pub(super) fn parent(self) -> Option<Block<'ctx>> {
        assert!(self.opcode().is_some());
        // SAFETY: an instruction, as asserted.
        let block = unsafe { LLVMGetInstructionParent(self.0) };
        (!block.is_null()).then_some(Block(block, PhantomData))
    }

    /// The predicate of a comparison of integers.
    pub fn predicate(self) -> IntPredicate {
        assert_eq!(self.opcode(), Some(Opcode::LLVMICmp));
        // SAFETY: a comparison of integers, as asserted.
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// Aligns a variable.
    pub fn set_alignment(self, alignment: u32) {
        assert!(self.is_variable());
        // SAFETY: a variable, as asserted.
        unsafe { LLVMSetAlignment(self.0, alignment) };
    }

    /// The promised alignment of an access to memory.
    pub fn alignment(self) -> u32 {
        use Opcode::{LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMLoad, LLVMStore};
        assert!(matches!(self.opcode(), Some(LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg)));
        // SAFETY: an access to memory, as asserted.
        unsafe { LLVMGetAlignment(self.0) }
    }

    /// The indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        assert!(matches!(self.opcode(), Some(Opcode::LLVMExtractValue | Opcode::LLVMInsertValue)));
        // SAFETY: an instruction with indices, as asserted, which are as many as it says.
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// The lanes of `shufflevector`; `None` is one that does not matter.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMShuffleVector));
        // SAFETY: such an instruction, as asserted; the indices are below the number of its lanes.
        unsafe {
            let count = LLVMGetNumMaskElements(self.0);
            (0..count).map(|index| u32::try_from(LLVMGetMaskValue(self.0, index)).ok()).collect()
        }
    }

    /// The type that a `getelementptr` goes through.
    pub fn source_element_type(self) -> Type<'ctx> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMGetElementPtr));
        // SAFETY: such an instruction, as asserted.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// What an `alloca` makes room for.
    pub fn allocated_type(self) -> Type<'ctx> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMAlloca));
        // SAFETY: such an instruction, as asserted.
        Type::new(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// The value of each edge into a `phi`, with its block.
    pub fn incoming(self) -> Vec<(Value<'ctx>, Block<'ctx>)> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMPHI));
        // SAFETY: a phi, as asserted; the indices are below the number of its edges.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|index| {
                    let block = Block(LLVMGetIncomingBlock(self.0, index), PhantomData);
                    (Value::new(LLVMGetIncomingValue(self.0, index)), block)
                })
                .collect()
        }
    }

    /// Adds an edge to a `phi`.
    pub fn add_incoming(self, value: Value<'ctx>, block: Block<'ctx>) {
        assert_eq!(self.opcode(), Some(Opcode::LLVMPHI));
        assert_eq!(self.ty(), value.ty());
        // SAFETY: a phi of the type of the value, as asserted; one of each is given.
        unsafe { LLVMAddIncoming(self.0, &mut { value.0 }, &mut { block.0 }, 1) };
    }

    /// Whether it is a call or an invoke.
    pub fn is_call(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr))
    }

    /// What a call calls.
    pub fn callee(self) -> Value<'ctx> {
        assert!(self.is_call());
        // SAFETY: a call, as asserted.
        Value::new(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The type of what a call calls.
    pub fn called_type(self) -> Type<'ctx> {
        assert!(self.is_call());
        // SAFETY: a call, as asserted.
        Type::new(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value<'ctx>> {
        assert!(self.is_call());
        // SAFETY: a call, as asserted.
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|index| self.operand(index)).collect()
    }

    /// Whether a call must become a jump, or returns twice.
    pub fn is_must_tail(self) -> bool {
        // SAFETY: a call.
        self.opcode() == Some(Opcode::LLVMCall)
            && unsafe { LLVMGetTailCallKind(self.0) } == inkwell::llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// A call is no tail call any more: its callee may use the caller's memory.
    pub fn forbid_tail_call(self) {
        if self.opcode() == Some(Opcode::LLVMCall) && !self.is_must_tail() {
            // SAFETY: a call.
            unsafe { LLVMSetTailCall(self.0, 0) };
        }
    }

    /// Where an invoke goes on.
    pub fn normal_destination(self) -> Block<'ctx> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMInvoke));
        // SAFETY: an invoke, as asserted.
        Block(unsafe { LLVMGetNormalDest(self.0) }, PhantomData)
    }

    /// The type of a call's callee takes any number of arguments, and so many at least.
    pub fn variadic(self) -> (bool, u32) {
        assert!(self.is_call());
        // SAFETY: a call, as asserted, which has a type of functions.
        unsafe {
            let ty = LLVMGetCalledFunctionType(self.0);
            (LLVMIsFunctionVarArg(ty) != 0, LLVMCountParamTypes(ty))
        }
    }

    /// Whether a function takes any number of arguments.
    pub fn is_variadic_function(self) -> bool {
        assert!(self.is_function());
        // SAFETY: a function, as asserted, whose type is one of functions.
        unsafe { LLVMIsFunctionVarArg(LLVMGlobalGetValueType(self.0)) != 0 }
    }

    /// The parameters of a function.
    pub fn parameters(self) -> Vec<Value<'ctx>> {
        assert!(self.is_function());
        // SAFETY: a function, as asserted; the indices are below the number of its parameters.
        unsafe { (0..LLVMCountParams(self.0)).map(|index| Value::new(LLVMGetParam(self.0, index))).collect() }
    }

    /// The type of memory that parameter `index` of a function or call is passed as a copy of.
    pub fn passed_copy(self, index: u32) -> Option<Type<'ctx>> {
        let kind = Attribute::get_named_enum_kind_id("byval");
        // SAFETY: a function or a call; an attribute of this kind has a type.
        unsafe {
            let attribute = if self.is_function() {
                LLVMGetEnumAttributeAtIndex(self.0, index + 1, kind)
            } else {
                LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind)
            };
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Whether a function, or a call or the function it names, has an attribute.
    pub fn has_attribute(self, name: &str) -> bool {
        let kind = Attribute::get_named_enum_kind_id(name);
        // SAFETY: a function or a call, as what is asked of each.
        let of_function =
            |function: LLVMValueRef| unsafe { !LLVMGetEnumAttributeAtIndex(function, FUNCTION, kind).is_null() };
        if self.is_function() {
            return of_function(self.0);
        }
        let callee = self.callee();
        // SAFETY: a function or a call, as what is asked of each.
        let of_call = unsafe { !LLVMGetCallSiteEnumAttribute(self.0, FUNCTION, kind).is_null() };
        of_call || callee.is_function() && of_function(callee.0)
    }

    /// Takes an attribute away from a function or call.
    pub fn remove_attribute(self, name: &str) {
        let kind = Attribute::get_named_enum_kind_id(name);
        // SAFETY: a function or a call; a missing attribute is not an error.
        unsafe {
            if self.is_function() {
                LLVMRemoveEnumAttributeAtIndex(self.0, FUNCTION, kind);
            } else {
                LLVMRemoveCallSiteEnumAttribute(self.0, FUNCTION, kind);
            }
        }
    }

    /// The name of a function, variable or other value.
    pub fn name(self) -> String {
        // SAFETY: any value has a name, of so many bytes, which is copied at once.
        unsafe {
            let mut length = 0;
            let data = LLVMGetValueName2(self.0, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(data.cast::<u8>(), length)).into_owned()
        }
    }

    /// Gives it another name.
    pub fn set_name(self, name: &str) {
        // SAFETY: the name is given with its length and copied.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) };
    }

    /// Whether a function or variable has no body or value.
    pub fn is_declaration(self) -> bool {
        assert!(self.is_function() || self.is_variable());
        // SAFETY: a function or variable, as asserted.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether another definition of that name would take the place of this one.
    pub fn is_weak(self) -> bool {
        assert!(self.is_function() || self.is_variable());
        use inkwell::llvm_sys::LLVMLinkage::{LLVMWeakAnyLinkage, LLVMWeakODRLinkage};
        // SAFETY: a function or variable, as asserted.
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMWeakAnyLinkage | LLVMWeakODRLinkage)
    }

    /// A declared function or variable may be missing when the program is linked; its address is then null.
    pub fn make_optional(self) {
        assert!(self.is_declaration());
        // SAFETY: a function or variable without a definition, as asserted.
        unsafe { LLVMSetLinkage(self.0, inkwell::llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage) };
    }

    /// The type of a variable's content, or of a function.
    pub fn value_type(self) -> Type<'ctx> {
        assert!(self.is_variable() || self.is_function());
        // SAFETY: a variable or function, as asserted.
        Type::new(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// The blocks of a function.
    pub fn blocks(self) -> Vec<Block<'ctx>> {
        assert!(self.is_function());
        let mut blocks = Vec::new();
        // SAFETY: a function, as asserted, whose list of blocks is walked to its end.
        unsafe {
            let mut next = LLVMGetFirstBasicBlock(self.0);
            while !next.is_null() {
                blocks.push(Block(next, PhantomData));
                next = LLVMGetNextBasicBlock(next);
            }
        }
        blocks
    }

    /// Everybody who uses it uses another value instead.
    pub fn replace_with(self, other: Value<'ctx>) {
        assert!(self.ty() == other.ty() && self != other);
        // SAFETY: two values of one type, as asserted.
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) };
    }

    /// Moves an instruction before another.
    pub fn move_before(self, other: Value<'ctx>) {
        assert!(self.parent().is_some() && other.parent().is_some() && self != other);
        // SAFETY: two instructions in blocks, as asserted; the builder is ours alone.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let builder = LLVMCreateBuilderInContext(context);
            LLVMInstructionRemoveFromParent(self.0);
            LLVMPositionBuilderBefore(builder, other.0);
            LLVMInsertIntoBuilder(builder, self.0);
            LLVMDisposeBuilder(builder);
        }
    }
}
