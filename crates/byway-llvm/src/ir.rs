//! Values, types and blocks without static types, for rewriting whole functions.
//!
//! inkwell has a Rust type for every kind of value, which is a help to who builds code of a known shape. Who walks over
//! whatever a program consists of, and puts code between it, is better served by small handles that are all alike. These are
//! copied freely and live as long as their context; a handle of something that was erased must not be used again.

mod code;

use std::marker::PhantomData;

use inkwell::attributes::Attribute;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
pub use inkwell::llvm_sys::{LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode};
use inkwell::llvm_sys::{LLVMLinkage, LLVMTypeKind, LLVMValueKind};
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue, InstructionValue};

pub use code::Code;

/// A value: an instruction, an argument, a constant, a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'ctx>(LLVMValueRef, PhantomData<&'ctx ()>);

/// A type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'ctx>(LLVMTypeRef, PhantomData<&'ctx ()>);

/// A basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'ctx>(LLVMBasicBlockRef, PhantomData<&'ctx ()>);

/// What kind of type it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'ctx> {
    /// Nothing.
    Void,
    /// An integer of so many bits.
    Integer(u32),
    /// A pointer.
    Pointer,
    /// A floating-point number.
    Float,
    /// A structure of so many members.
    Struct(u32),
    /// An array.
    Array(Type<'ctx>, u64),
    /// A vector.
    Vector(Type<'ctx>, u32),
    /// Labels, metadata, tokens and others that are no data.
    Other,
}

// SAFETY, for all of this module: handles are made from live values of a context that outlives `'ctx`, and each function
// of LLVM is called for the kinds of values it is made for, which is checked where the caller might not know.

impl<'ctx> Type<'ctx> {
    fn new(raw: LLVMTypeRef) -> Self {
        Type(raw, PhantomData)
    }

    /// The handle of a live type of the context.
    pub(crate) fn of_raw(raw: LLVMTypeRef) -> Self {
        Type::new(raw)
    }

    pub(crate) fn raw(self) -> LLVMTypeRef {
        self.0
    }

    /// Whether values of it have a size.
    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// What kind it is.
    pub fn kind(self) -> Kind<'ctx> {
        unsafe {
            match LLVMGetTypeKind(self.0) {
                LLVMTypeKind::LLVMVoidTypeKind => Kind::Void,
                LLVMTypeKind::LLVMIntegerTypeKind => Kind::Integer(LLVMGetIntTypeWidth(self.0)),
                LLVMTypeKind::LLVMPointerTypeKind => Kind::Pointer,
                LLVMTypeKind::LLVMStructTypeKind => Kind::Struct(LLVMCountStructElementTypes(self.0)),
                LLVMTypeKind::LLVMArrayTypeKind => {
                    Kind::Array(Type::new(LLVMGetElementType(self.0)), LLVMGetArrayLength2(self.0))
                }
                LLVMTypeKind::LLVMVectorTypeKind => {
                    Kind::Vector(Type::new(LLVMGetElementType(self.0)), LLVMGetVectorSize(self.0))
                }
                LLVMTypeKind::LLVMHalfTypeKind
                | LLVMTypeKind::LLVMBFloatTypeKind
                | LLVMTypeKind::LLVMFloatTypeKind
                | LLVMTypeKind::LLVMDoubleTypeKind
                | LLVMTypeKind::LLVMX86_FP80TypeKind
                | LLVMTypeKind::LLVMFP128TypeKind
                | LLVMTypeKind::LLVMPPC_FP128TypeKind => Kind::Float,
                _ => Kind::Other,
            }
        }
    }

    /// A member of a structure.
    pub fn member(self, index: u32) -> Type<'ctx> {
        assert!(matches!(self.kind(), Kind::Struct(count) if index < count));
        Type::new(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }

    /// The null or zero of this type.
    pub fn zero(self) -> Value<'ctx> {
        Value::new(unsafe { LLVMConstNull(self.0) })
    }

    /// A constant of this integer type.
    pub fn constant(self, value: u64) -> Value<'ctx> {
        assert!(matches!(self.kind(), Kind::Integer(_)));
        Value::new(unsafe { LLVMConstInt(self.0, value, 0) })
    }

    /// An array type.
    pub fn array(self, length: u64) -> Type<'ctx> {
        Type::new(unsafe { LLVMArrayType2(self.0, length) })
    }
}

impl<'ctx> Value<'ctx> {
    fn new(raw: LLVMValueRef) -> Self {
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
        Type::new(unsafe { LLVMGetReturnType(LLVMGlobalGetValueType(self.0)) })
    }

    /// Whether a function or variable has no name outside of its module.
    pub fn is_private(self) -> bool {
        assert!(self.is_function() || self.is_variable());
        unsafe { LLVMGetLinkage(self.0) == LLVMLinkage::LLVMPrivateLinkage }
    }

    /// The handle of an inkwell instruction.
    pub fn of_instruction(instruction: InstructionValue<'ctx>) -> Self {
        Value::new(instruction.as_value_ref())
    }

    /// The instruction, as inkwell has it.
    pub fn instruction(self) -> InstructionValue<'ctx> {
        assert!(self.opcode().is_some());
        unsafe { InstructionValue::new(self.0) }
    }

    /// Whether it is a variable that exists once for each thread.
    pub fn is_thread_local(self) -> bool {
        self.is_variable() && unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Its type.
    pub fn ty(self) -> Type<'ctx> {
        Type::new(unsafe { LLVMTypeOf(self.0) })
    }

    /// Its operation, if it is an instruction.
    pub fn opcode(self) -> Option<Opcode> {
        unsafe { (!LLVMIsAInstruction(self.0).is_null()).then(|| LLVMGetInstructionOpcode(self.0)) }
    }

    /// Whether it is a constant, which includes functions and variables.
    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    /// The function, as inkwell has it, if it is one.
    pub fn function(self) -> Option<FunctionValue<'ctx>> {
        unsafe { FunctionValue::new(LLVMIsAFunction(self.0)) }
    }

    /// Whether it is another name of a function or variable.
    pub fn is_alias(self) -> bool {
        unsafe { !LLVMIsAGlobalAlias(self.0).is_null() }
    }

    /// What it stands for, if it is another name of something.
    pub fn without_aliases(self) -> Value<'ctx> {
        let mut value = self;
        while value.is_alias() {
            value = Value::new(unsafe { LLVMAliasGetAliasee(value.0) });
        }
        value
    }

    /// Whether it is the address of a label.
    pub fn is_block_address(self) -> bool {
        unsafe { !LLVMIsABlockAddress(self.0).is_null() }
    }

    /// Whether it is a global variable.
    pub fn is_variable(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() }
    }

    /// Whether it is a variable that never changes.
    pub fn is_constant_variable(self) -> bool {
        self.is_variable() && unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Whether it is a piece of assembly.
    pub fn is_assembly(self) -> bool {
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }

    /// Whether it is data, unlike metadata and blocks.
    pub fn is_data(self) -> bool {
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
        unsafe {
            let is_integer = !LLVMIsAConstantInt(self.0).is_null();
            (is_integer && LLVMGetIntTypeWidth(LLVMTypeOf(self.0)) <= 64).then(|| LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// An integer constant's value with its sign, if it fits 64 bits.
    pub fn signed(self) -> Option<i64> {
        self.integer().map(|_| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    /// The number of operands.
    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    /// An operand.
    pub fn operand(self, index: u32) -> Value<'ctx> {
        assert!(index < self.operand_count());
        Value::new(unsafe { LLVMGetOperand(self.0, index) })
    }

    /// All operands that are data.
    pub fn operands(self) -> impl Iterator<Item = Value<'ctx>> {
        (0..self.operand_count()).map(move |index| self.operand(index)).filter(|operand| operand.is_data())
    }

    /// Who uses it.
    pub fn users(self) -> Vec<Value<'ctx>> {
        let mut users = Vec::new();
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
        Value::some(unsafe { LLVMGetNextInstruction(self.0) })
    }

    /// The block of an instruction.
    pub fn block(self) -> Block<'ctx> {
        assert!(self.opcode().is_some());
        Block(unsafe { LLVMGetInstructionParent(self.0) }, PhantomData)
    }

    /// The predicate of a comparison of integers.
    pub fn predicate(self) -> IntPredicate {
        assert_eq!(self.opcode(), Some(Opcode::LLVMICmp));
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// Aligns a variable.
    pub fn set_alignment(self, alignment: u32) {
        unsafe { LLVMSetAlignment(self.0, alignment) };
    }

    /// The promised alignment of a load or store.
    pub fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }

    /// The indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// The lanes of `shufflevector`; `None` is one that does not matter.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMShuffleVector));
        unsafe {
            let count = LLVMGetNumMaskElements(self.0);
            (0..count).map(|index| u32::try_from(LLVMGetMaskValue(self.0, index)).ok()).collect()
        }
    }

    /// The type that a `getelementptr` goes through.
    pub fn source_element_type(self) -> Type<'ctx> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMGetElementPtr));
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// What an `alloca` makes room for.
    pub fn allocated_type(self) -> Type<'ctx> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMAlloca));
        Type::new(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// The value of each edge into a `phi`, with its block.
    pub fn incoming(self) -> Vec<(Value<'ctx>, Block<'ctx>)> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMPHI));
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
        unsafe { LLVMAddIncoming(self.0, &mut { value.0 }, &mut { block.0 }, 1) };
    }

    /// Whether it is a call or an invoke.
    pub fn is_call(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr))
    }

    /// What a call calls.
    pub fn callee(self) -> Value<'ctx> {
        assert!(self.is_call());
        Value::new(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value<'ctx>> {
        assert!(self.is_call());
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|index| self.operand(index)).collect()
    }

    /// Whether a call must become a jump, or returns twice.
    pub fn is_must_tail(self) -> bool {
        self.opcode() == Some(Opcode::LLVMCall)
            && unsafe { LLVMGetTailCallKind(self.0) } == inkwell::llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// A call is no tail call any more: its callee may use the caller's memory.
    pub fn forbid_tail_call(self) {
        if self.opcode() == Some(Opcode::LLVMCall) && !self.is_must_tail() {
            unsafe { LLVMSetTailCall(self.0, 0) };
        }
    }

    /// Where an invoke goes on.
    pub fn normal_destination(self) -> Block<'ctx> {
        assert_eq!(self.opcode(), Some(Opcode::LLVMInvoke));
        Block(unsafe { LLVMGetNormalDest(self.0) }, PhantomData)
    }

    /// The type of a call's callee takes any number of arguments, and so many at least.
    pub fn variadic(self) -> (bool, u32) {
        assert!(self.is_call());
        unsafe {
            let ty = LLVMGetCalledFunctionType(self.0);
            (LLVMIsFunctionVarArg(ty) != 0, LLVMCountParamTypes(ty))
        }
    }

    /// Whether a function takes any number of arguments.
    pub fn is_variadic_function(self) -> bool {
        assert!(self.is_function());
        unsafe { LLVMIsFunctionVarArg(LLVMGlobalGetValueType(self.0)) != 0 }
    }

    /// The parameters of a function.
    pub fn parameters(self) -> Vec<Value<'ctx>> {
        assert!(self.is_function());
        unsafe { (0..LLVMCountParams(self.0)).map(|index| Value::new(LLVMGetParam(self.0, index))).collect() }
    }

    /// The type of memory that parameter `index` of a function or call is passed as a copy of.
    pub fn passed_copy(self, index: u32) -> Option<Type<'ctx>> {
        let kind = Attribute::get_named_enum_kind_id("byval");
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
        let of_function =
            |function: LLVMValueRef| unsafe { !LLVMGetEnumAttributeAtIndex(function, FUNCTION, kind).is_null() };
        if self.is_function() {
            return of_function(self.0);
        }
        let callee = self.callee();
        let of_call = unsafe { !LLVMGetCallSiteEnumAttribute(self.0, FUNCTION, kind).is_null() };
        of_call || callee.is_function() && of_function(callee.0)
    }

    /// Takes an attribute away from a function or call.
    pub fn remove_attribute(self, name: &str) {
        let kind = Attribute::get_named_enum_kind_id(name);
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
        unsafe {
            let mut length = 0;
            let data = LLVMGetValueName2(self.0, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(data.cast::<u8>(), length)).into_owned()
        }
    }

    /// Gives it another name.
    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) };
    }

    /// Whether a function or variable has no body or value.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether another definition of that name would take the place of this one.
    pub fn is_weak(self) -> bool {
        use inkwell::llvm_sys::LLVMLinkage::{LLVMWeakAnyLinkage, LLVMWeakODRLinkage};
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMWeakAnyLinkage | LLVMWeakODRLinkage)
    }

    /// A declared function or variable may be missing when the program is linked; its address is then null.
    pub fn make_optional(self) {
        assert!(self.is_declaration());
        unsafe { LLVMSetLinkage(self.0, inkwell::llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage) };
    }

    /// The type of a variable's content.
    pub fn value_type(self) -> Type<'ctx> {
        Type::new(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// The blocks of a function.
    pub fn blocks(self) -> Vec<Block<'ctx>> {
        assert!(self.is_function());
        let mut blocks = Vec::new();
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
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) };
    }

    /// Moves an instruction before another.
    pub fn move_before(self, other: Value<'ctx>) {
        assert!(self.opcode().is_some() && other.opcode().is_some() && self != other);
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let builder = LLVMCreateBuilderInContext(context);
            LLVMInstructionRemoveFromParent(self.0);
            LLVMPositionBuilderBefore(builder, other.0);
            LLVMInsertIntoBuilder(builder, self.0);
            LLVMDisposeBuilder(builder);
        }
    }

    /// Erases an instruction, which nobody uses.
    pub fn erase(self) {
        assert!(self.opcode().is_some());
        unsafe { LLVMInstructionEraseFromParent(self.0) };
    }
}

const FUNCTION: u32 = u32::MAX;

impl<'ctx> Block<'ctx> {
    /// The handle of an inkwell block.
    pub fn of(block: BasicBlock<'ctx>) -> Self {
        Block(block.as_mut_ptr(), PhantomData)
    }

    /// Its instructions, as they are now.
    pub fn instructions(self) -> Vec<Value<'ctx>> {
        let mut instructions = Vec::new();
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
        Value::new(unsafe { LLVMGetBasicBlockParent(self.0) })
    }

    /// Its first instruction.
    pub fn first(self) -> Value<'ctx> {
        Value::new(unsafe { LLVMGetFirstInstruction(self.0) })
    }

    /// Its last instruction.
    pub fn terminator(self) -> Value<'ctx> {
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Where it can go.
    pub fn successors(self) -> Vec<Block<'ctx>> {
        let terminator = self.terminator().0;
        unsafe {
            let count = LLVMGetNumSuccessors(terminator);
            (0..count).map(|index| Block(LLVMGetSuccessor(terminator, index), PhantomData)).collect()
        }
    }

    /// Moves everything before `instruction` to a new block, which takes this one's place for all who come here. The new
    /// block has no terminator yet.
    pub fn split_before(self, instruction: Value<'ctx>) -> Block<'ctx> {
        assert_eq!(instruction.block(), self);
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
