//! Building code between what is there.

use std::cell::RefCell;
use std::ffi::CString;
use std::marker::PhantomData;

use inkwell::attributes::Attribute;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMStoreSizeOfType};
use inkwell::module::Module;

use super::{Block, FUNCTION, IntPredicate, Kind, Type, Value};

/// Builds instructions in a module, which it borrows.
pub struct Code<'ctx> {
    builder: LLVMBuilderRef,
    context: LLVMContextRef,
    module: LLVMModuleRef,
    removed: RefCell<Vec<LLVMValueRef>>,
    phantom: PhantomData<&'ctx ()>,
}

/// Instructions that were taken out of their blocks and live on.
#[must_use = "what is not deleted stays in memory"]
pub struct Removed {
    module: LLVMModuleRef,
    instructions: Vec<LLVMValueRef>,
}

impl Removed {
    /// Deletes them. Whoever has the module for himself knows that nobody has a handle.
    pub fn delete(self, module: &mut Module<'_>) {
        assert_eq!(module.as_mut_ptr(), self.module, "they are of another module");
        for instruction in self.instructions {
            // SAFETY: it is in no block, refers to nothing, is in this list only, and is used by none, which is asserted. All
            // handles of it borrowed the module.
            unsafe {
                assert!(LLVMGetFirstUse(instruction).is_null(), "a removed instruction is used");
                LLVMDeleteInstruction(instruction);
            }
        }
    }
}

impl Drop for Code<'_> {
    fn drop(&mut self) {
        // SAFETY: the builder is ours alone.
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $function:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(&self, a: Value<'ctx>, b: Value<'ctx>) -> Value<'ctx> {
            assert_eq!(a.ty(), b.ty());
            // SAFETY: two values of one type, as asserted; the builder stands in a block.
            Value::new(unsafe { $function(self.builder, a.0, b.0, c"".as_ptr()) })
        })*
    };
}

impl<'ctx> Code<'ctx> {
    /// Builds code for a module.
    pub fn new(module: &'ctx Module<'_>) -> Self {
        // SAFETY: the module is live; the builder is disposed of by `drop`.
        unsafe {
            let module = module.as_mut_ptr();
            let context = LLVMGetModuleContext(module);
            Code {
                builder: LLVMCreateBuilderInContext(context),
                context,
                module,
                removed: RefCell::default(),
                phantom: PhantomData,
            }
        }
    }

    /// An integer type.
    pub fn integer(&self, bits: u32) -> Type<'ctx> {
        // SAFETY: the context is live.
        Type::new(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    /// The type of pointers.
    pub fn pointer(&self) -> Type<'ctx> {
        // SAFETY: the context is live.
        Type::new(unsafe { LLVMPointerTypeInContext(self.context, 0) })
    }

    /// The type of nothing.
    pub fn void(&self) -> Type<'ctx> {
        // SAFETY: the context is live.
        Type::new(unsafe { LLVMVoidTypeInContext(self.context) })
    }

    /// The bytes that a value of a type takes in memory, with what fills it up.
    pub fn size_of(&self, ty: Type<'ctx>) -> u64 {
        // SAFETY: a type that has a size: LLVM ends the process if it has none.
        unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(self.module), ty.0) }
    }

    /// The bytes that a store of a type writes.
    pub fn store_size_of(&self, ty: Type<'ctx>) -> u64 {
        // SAFETY: as for `size_of`.
        unsafe { LLVMStoreSizeOfType(LLVMGetModuleDataLayout(self.module), ty.0) }
    }

    /// Where a member of a structure is.
    pub fn offset_of(&self, ty: Type<'ctx>, member: u32) -> u64 {
        assert!(matches!(ty.kind(), Kind::Struct(count) if member < count));
        // SAFETY: a structure with such a member, as asserted.
        unsafe { LLVMOffsetOfElement(LLVMGetModuleDataLayout(self.module), ty.0, member) }
    }

    /// Builds before an instruction.
    pub fn before(&self, instruction: Value<'ctx>) {
        assert!(instruction.parent().is_some());
        // SAFETY: an instruction in a block, as asserted.
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) };
    }

    /// Builds at the end of a block.
    pub fn at_end(&self, block: Block<'ctx>) {
        // SAFETY: a live block.
        unsafe { LLVMPositionBuilderAtEnd(self.builder, block.0) };
    }

    /// A new block at the end of a function.
    pub fn append_block(&self, function: Value<'ctx>) -> Block<'ctx> {
        assert!(function.is_function());
        // SAFETY: a function, as asserted.
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, c"".as_ptr()) }, PhantomData)
    }

    binary! {
        /// a | b
        or LLVMBuildOr;
        /// a & b
        and LLVMBuildAnd;
        /// a + b
        add LLVMBuildAdd;
        /// a * b
        multiply LLVMBuildMul;
        /// a >> b, unsigned
        shift_right LLVMBuildLShr;
    }

    /// Compares integers or pointers.
    pub fn compare(&self, predicate: IntPredicate, a: Value<'ctx>, b: Value<'ctx>) -> Value<'ctx> {
        assert_eq!(a.ty(), b.ty());
        // SAFETY: two values of one type, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildICmp(self.builder, predicate, a.0, b.0, c"".as_ptr()) })
    }

    /// `then` if the condition holds, else `otherwise`.
    pub fn select(&self, condition: Value<'ctx>, then: Value<'ctx>, otherwise: Value<'ctx>) -> Value<'ctx> {
        assert_eq!(then.ty(), otherwise.ty());
        // SAFETY: two values of one type, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildSelect(self.builder, condition.0, then.0, otherwise.0, c"".as_ptr()) })
    }

    /// An integer with more or fewer bits; more are zeros.
    pub fn resize(&self, value: Value<'ctx>, ty: Type<'ctx>) -> Value<'ctx> {
        assert!(matches!((value.ty().kind(), ty.kind()), (Kind::Integer(_), Kind::Integer(_))));
        // SAFETY: two integer types, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildIntCast2(self.builder, value.0, ty.0, 0, c"".as_ptr()) })
    }

    /// An integer with more or fewer bits; more are copies of the sign.
    pub fn resize_signed(&self, value: Value<'ctx>, ty: Type<'ctx>) -> Value<'ctx> {
        assert!(matches!((value.ty().kind(), ty.kind()), (Kind::Integer(_), Kind::Integer(_))));
        // SAFETY: two integer types, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildIntCast2(self.builder, value.0, ty.0, 1, c"".as_ptr()) })
    }

    /// A pointer as a number.
    pub fn number(&self, pointer: Value<'ctx>) -> Value<'ctx> {
        assert_eq!(pointer.ty().kind(), Kind::Pointer);
        // SAFETY: a pointer, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildPtrToInt(self.builder, pointer.0, self.integer(64).0, c"".as_ptr()) })
    }

    /// A number as a pointer.
    pub fn address(&self, number: Value<'ctx>) -> Value<'ctx> {
        assert!(matches!(number.ty().kind(), Kind::Integer(_)));
        // SAFETY: an integer, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildIntToPtr(self.builder, number.0, self.pointer().0, c"".as_ptr()) })
    }

    /// The address of a byte at a distance.
    pub fn offset(&self, pointer: Value<'ctx>, bytes: u64) -> Value<'ctx> {
        assert_eq!(pointer.ty().kind(), Kind::Pointer);
        let index = self.integer(64).constant(bytes);
        // SAFETY: a pointer, as asserted, and one index; the builder stands in a block.
        Value::new(unsafe {
            LLVMBuildGEP2(self.builder, self.integer(8).0, pointer.0, &mut { index.0 }, 1, c"".as_ptr())
        })
    }

    /// Reads memory, which may be aligned to one byte only.
    pub fn load(&self, ty: Type<'ctx>, pointer: Value<'ctx>, alignment: u32) -> Value<'ctx> {
        assert_eq!(pointer.ty().kind(), Kind::Pointer);
        // SAFETY: a pointer, as asserted; the builder stands in a block.
        unsafe {
            let load = LLVMBuildLoad2(self.builder, ty.0, pointer.0, c"".as_ptr());
            LLVMSetAlignment(load, alignment);
            Value::new(load)
        }
    }

    /// Reads memory that changes behind the optimiser's back.
    pub fn load_volatile(&self, ty: Type<'ctx>, pointer: Value<'ctx>, alignment: u32) -> Value<'ctx> {
        let load = self.load(ty, pointer, alignment);
        // SAFETY: a load.
        unsafe { LLVMSetVolatile(load.0, 1) };
        load
    }

    /// Writes memory.
    pub fn store(&self, value: Value<'ctx>, pointer: Value<'ctx>) -> Value<'ctx> {
        assert_eq!(pointer.ty().kind(), Kind::Pointer);
        // SAFETY: a pointer, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildStore(self.builder, value.0, pointer.0) })
    }

    /// Writes memory that others read at any time.
    pub fn store_volatile(&self, value: Value<'ctx>, pointer: Value<'ctx>) {
        let store = self.store(value, pointer);
        // SAFETY: a store.
        unsafe { LLVMSetVolatile(store.0, 1) };
    }

    /// A member of an aggregate.
    pub fn extract(&self, aggregate: Value<'ctx>, index: u32) -> Value<'ctx> {
        // SAFETY: an aggregate; the builder stands in a block.
        Value::new(unsafe { LLVMBuildExtractValue(self.builder, aggregate.0, index, c"".as_ptr()) })
    }

    /// A lane of a vector.
    pub fn lane(&self, vector: Value<'ctx>, index: u32) -> Value<'ctx> {
        assert!(matches!(vector.ty().kind(), Kind::Vector(..)));
        let index = self.integer(32).constant(u64::from(index));
        // SAFETY: a vector, as asserted; the builder stands in a block.
        Value::new(unsafe { LLVMBuildExtractElement(self.builder, vector.0, index.0, c"".as_ptr()) })
    }

    /// The same value, as a value of its own.
    pub fn freeze(&self, value: Value<'ctx>) -> Value<'ctx> {
        // SAFETY: any data can be frozen; the builder stands in a block.
        Value::new(unsafe { LLVMBuildFreeze(self.builder, value.0, c"".as_ptr()) })
    }

    /// A `phi` without edges.
    pub fn phi(&self, ty: Type<'ctx>) -> Value<'ctx> {
        // SAFETY: any type of data will do; the builder stands in a block.
        Value::new(unsafe { LLVMBuildPhi(self.builder, ty.0, c"".as_ptr()) })
    }

    /// Room for a value in the function's frame.
    pub fn alloca(&self, ty: Type<'ctx>) -> Value<'ctx> {
        // SAFETY: any type of data will do; the builder stands in a block.
        Value::new(unsafe { LLVMBuildAlloca(self.builder, ty.0, c"".as_ptr()) })
    }

    /// Goes on elsewhere.
    pub fn jump(&self, to: Block<'ctx>) {
        // SAFETY: a live block; the builder stands in a block.
        unsafe { LLVMBuildBr(self.builder, to.0) };
    }

    /// Goes to `rarely` if the condition holds, which it seldom does, or else to `mostly`.
    pub fn branch(&self, condition: Value<'ctx>, rarely: Block<'ctx>, mostly: Block<'ctx>) {
        assert_eq!(condition.ty().kind(), Kind::Integer(1));
        // SAFETY: a condition of one bit, as asserted, and live blocks; names are given with their lengths, and the list with its own.
        unsafe {
            let branch = LLVMBuildCondBr(self.builder, condition.0, rarely.0, mostly.0);
            let name = "branch_weights";
            let name = LLVMMDStringInContext2(self.context, name.as_ptr().cast(), name.len());
            let weight = |weight: u64| LLVMValueAsMetadata(self.integer(32).constant(weight).0);
            let mut weights = [name, weight(1), weight(1 << 20)];
            let node = LLVMMDNodeInContext2(self.context, weights.as_mut_ptr(), weights.len());
            let kind = "prof";
            let kind = LLVMGetMDKindIDInContext(self.context, kind.as_ptr().cast(), kind.len() as u32);
            LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(self.context, node));
        }
    }

    /// Returns a value from a function.
    pub fn return_value(&self, value: Value<'ctx>) {
        // SAFETY: the builder stands in a block.
        unsafe { LLVMBuildRet(self.builder, value.0) };
    }

    /// Calls a function of the module, declared by [`Code::function`].
    pub fn call(&self, function: Value<'ctx>, arguments: &[Value<'ctx>]) -> Value<'ctx> {
        assert!(function.is_function());
        let parameters = function.parameters();
        assert!(parameters.iter().zip(arguments).all(|(parameter, argument)| parameter.ty() == argument.ty()));
        assert!(parameters.len() == arguments.len() || function.is_variadic_function());
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.0).collect();
        // SAFETY: a function of this type with as many arguments, of its types, as asserted.
        unsafe {
            let ty = LLVMGlobalGetValueType(function.0);
            let count = arguments.len() as u32;
            Value::new(LLVMBuildCall2(self.builder, ty, function.0, arguments.as_mut_ptr(), count, c"".as_ptr()))
        }
    }

    /// The function of that name, declared now if it is not there.
    pub fn function(&self, name: &str, result: Type<'ctx>, parameters: &[Type<'ctx>]) -> Value<'ctx> {
        let text = CString::new(name).expect("names have no zero bytes");
        let mut parameters: Vec<LLVMTypeRef> = parameters.iter().map(|parameter| parameter.0).collect();
        // SAFETY: the name ends with a zero byte; the list is given with its length.
        unsafe {
            let known = LLVMGetNamedFunction(self.module, text.as_ptr());
            if !known.is_null() {
                return Value::new(known);
            }
            let ty = LLVMFunctionType(result.0, parameters.as_mut_ptr(), parameters.len() as u32, 0);
            Value::new(LLVMAddFunction(self.module, text.as_ptr(), ty))
        }
    }

    /// A declaration of that name for the type of another function.
    pub fn function_like(&self, name: &str, other: Value<'ctx>) -> Value<'ctx> {
        assert!(other.is_function());
        let text = CString::new(name).expect("names have no zero bytes");
        // SAFETY: a function, as asserted, has a type of functions; the name ends with a zero byte.
        unsafe { Value::new(LLVMAddFunction(self.module, text.as_ptr(), LLVMGlobalGetValueType(other.0))) }
    }

    /// Gives a function an attribute of LLVM's own.
    pub fn add_attribute(&self, function: Value<'ctx>, name: &str, value: u64) {
        assert!(function.is_function());
        // SAFETY: a function, as asserted; the attribute is of this context.
        unsafe {
            let kind = Attribute::get_named_enum_kind_id(name);
            LLVMAddAttributeAtIndex(function.0, FUNCTION, LLVMCreateEnumAttribute(self.context, kind, value));
        }
    }

    /// A constant structure.
    pub fn structure(&self, members: &[Value<'ctx>]) -> Value<'ctx> {
        let mut members: Vec<LLVMValueRef> = members.iter().map(|member| member.0).collect();
        // SAFETY: the list is given with its length.
        Value::new(unsafe { LLVMConstStructInContext(self.context, members.as_mut_ptr(), members.len() as u32, 0) })
    }

    /// A constant array.
    pub fn array(&self, ty: Type<'ctx>, elements: &[Value<'ctx>]) -> Value<'ctx> {
        assert!(elements.iter().all(|element| element.ty() == ty));
        let mut elements: Vec<LLVMValueRef> = elements.iter().map(|element| element.0).collect();
        // SAFETY: elements of one type, as asserted; the list is given with its length.
        Value::new(unsafe { LLVMConstArray2(ty.0, elements.as_mut_ptr(), elements.len() as u64) })
    }

    /// A new variable of the program, hidden from other objects' dynamic linking.
    pub fn variable(&self, name: &str, initial: Value<'ctx>) -> Value<'ctx> {
        let text = CString::new(name).expect("names have no zero bytes");
        // SAFETY: the initial value has the type of the variable; the name ends with a zero byte.
        unsafe {
            let variable = LLVMAddGlobal(self.module, LLVMTypeOf(initial.0), text.as_ptr());
            LLVMSetInitializer(variable, initial.0);
            LLVMSetVisibility(variable, inkwell::llvm_sys::LLVMVisibility::LLVMHiddenVisibility);
            Value::new(variable)
        }
    }

    /// A variable is this module's own.
    pub fn make_private(&self, variable: Value<'ctx>) {
        assert!(variable.is_variable());
        // SAFETY: a variable, as asserted.
        unsafe {
            LLVMSetVisibility(variable.0, inkwell::llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
            LLVMSetLinkage(variable.0, inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage);
        }
    }

    /// A variable exists once for each thread; its place is known when the program starts.
    pub fn make_thread_local(&self, variable: Value<'ctx>) {
        assert!(variable.is_variable());
        // SAFETY: a variable, as asserted.
        unsafe {
            LLVMSetThreadLocalMode(variable.0, inkwell::llvm_sys::LLVMThreadLocalMode::LLVMInitialExecTLSModel);
        }
    }

    /// A text that ends with a zero byte.
    pub fn text(&self, text: &str) -> Value<'ctx> {
        // SAFETY: the text is given with its length and copied; a new variable is one.
        unsafe {
            let content = LLVMConstStringInContext2(self.context, text.as_ptr().cast(), text.len(), 0);
            let variable = self.variable("", Value::new(content));
            LLVMSetGlobalConstant(variable.0, 1);
            self.make_private(variable);
            variable
        }
    }

    /// The variables of the module.
    pub fn variables(&self) -> Vec<Value<'ctx>> {
        let mut variables = Vec::new();
        // SAFETY: the list of a live module is walked to its end.
        unsafe {
            let mut next = LLVMGetFirstGlobal(self.module);
            while !next.is_null() {
                variables.push(Value::new(next));
                next = LLVMGetNextGlobal(next);
            }
        }
        variables
    }

    /// The functions of the module.
    pub fn functions(&self) -> Vec<Value<'ctx>> {
        let mut functions = Vec::new();
        // SAFETY: the list of a live module is walked to its end.
        unsafe {
            let mut next = LLVMGetFirstFunction(self.module);
            while !next.is_null() {
                functions.push(Value::new(next));
                next = LLVMGetNextFunction(next);
            }
        }
        functions
    }

    /// The functions that choose an implementation when the program is loaded, before anything else runs.
    pub fn resolvers(&self) -> Vec<Value<'ctx>> {
        let mut resolvers = Vec::new();
        // SAFETY: the list of a live module is walked to its end; each has a resolver.
        unsafe {
            let mut next = LLVMGetFirstGlobalIFunc(self.module);
            while !next.is_null() {
                resolvers.push(Value::new(LLVMGetGlobalIFuncResolver(next)));
                next = LLVMGetNextGlobalIFunc(next);
            }
        }
        resolvers
    }

    /// Takes an instruction, which nobody uses, out of its block. It refers to nothing any more.
    pub fn remove(&self, instruction: Value<'ctx>) {
        assert!(instruction.parent().is_some() && instruction.users().is_empty());
        let operands = (0..instruction.operand_count()).filter(|&index| instruction.operand(index).is_data());
        for index in operands.collect::<Vec<_>>() {
            let ty = instruction.operand(index).ty();
            // SAFETY: an operand that is data is replaced by another value of its type.
            unsafe { LLVMSetOperand(instruction.0, index, LLVMGetPoison(ty.0)) };
        }
        // SAFETY: an instruction in a block, as asserted.
        unsafe { LLVMInstructionRemoveFromParent(instruction.0) };
        self.removed.borrow_mut().push(instruction.0);
    }

    /// What was removed, to be deleted when nobody has a handle any more.
    pub fn finish(self) -> Removed {
        Removed { module: self.module, instructions: self.removed.take() }
    }
}
