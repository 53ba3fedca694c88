//! Building code between what is there.

use std::ffi::CString;
use std::marker::PhantomData;

use inkwell::attributes::Attribute;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMStoreSizeOfType};
use inkwell::module::Module;

use super::{Block, FUNCTION, IntPredicate, Kind, Type, Value};

/// Builds instructions.
pub struct Code<'ctx> {
    builder: LLVMBuilderRef,
    context: LLVMContextRef,
    module: LLVMModuleRef,
    phantom: PhantomData<&'ctx ()>,
}

impl Drop for Code<'_> {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $function:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(&self, a: Value<'ctx>, b: Value<'ctx>) -> Value<'ctx> {
            assert_eq!(a.ty(), b.ty());
            Value::new(unsafe { $function(self.builder, a.0, b.0, c"".as_ptr()) })
        })*
    };
}

impl<'ctx> Code<'ctx> {
    /// Builds code for a module.
    pub fn new(module: &Module<'ctx>) -> Self {
        unsafe {
            let module = module.as_mut_ptr();
            let context = LLVMGetModuleContext(module);
            Code { builder: LLVMCreateBuilderInContext(context), context, module, phantom: PhantomData }
        }
    }

    /// An integer type.
    pub fn integer(&self, bits: u32) -> Type<'ctx> {
        Type::new(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    /// The type of pointers.
    pub fn pointer(&self) -> Type<'ctx> {
        Type::new(unsafe { LLVMPointerTypeInContext(self.context, 0) })
    }

    /// The type of nothing.
    pub fn void(&self) -> Type<'ctx> {
        Type::new(unsafe { LLVMVoidTypeInContext(self.context) })
    }

    /// The bytes that a value of a type takes in memory, with what fills it up.
    pub fn size_of(&self, ty: Type<'ctx>) -> u64 {
        unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(self.module), ty.0) }
    }

    /// The bytes that a store of a type writes.
    pub fn store_size_of(&self, ty: Type<'ctx>) -> u64 {
        unsafe { LLVMStoreSizeOfType(LLVMGetModuleDataLayout(self.module), ty.0) }
    }

    /// Where a member of a structure is.
    pub fn offset_of(&self, ty: Type<'ctx>, member: u32) -> u64 {
        assert!(matches!(ty.kind(), Kind::Struct(count) if member < count));
        unsafe { LLVMOffsetOfElement(LLVMGetModuleDataLayout(self.module), ty.0, member) }
    }

    /// Builds before an instruction.
    pub fn before(&self, instruction: Value<'ctx>) {
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) };
    }

    /// Builds at the end of a block.
    pub fn at_end(&self, block: Block<'ctx>) {
        unsafe { LLVMPositionBuilderAtEnd(self.builder, block.0) };
    }

    /// A new block at the end of a function.
    pub fn append_block(&self, function: Value<'ctx>) -> Block<'ctx> {
        assert!(function.is_function());
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
        Value::new(unsafe { LLVMBuildICmp(self.builder, predicate, a.0, b.0, c"".as_ptr()) })
    }

    /// `then` if the condition holds, else `otherwise`.
    pub fn select(&self, condition: Value<'ctx>, then: Value<'ctx>, otherwise: Value<'ctx>) -> Value<'ctx> {
        Value::new(unsafe { LLVMBuildSelect(self.builder, condition.0, then.0, otherwise.0, c"".as_ptr()) })
    }

    /// An integer with more or fewer bits; more are zeros.
    pub fn resize(&self, value: Value<'ctx>, ty: Type<'ctx>) -> Value<'ctx> {
        assert!(matches!((value.ty().kind(), ty.kind()), (Kind::Integer(_), Kind::Integer(_))));
        Value::new(unsafe { LLVMBuildIntCast2(self.builder, value.0, ty.0, 0, c"".as_ptr()) })
    }

    /// An integer with more or fewer bits; more are copies of the sign.
    pub fn resize_signed(&self, value: Value<'ctx>, ty: Type<'ctx>) -> Value<'ctx> {
        assert!(matches!((value.ty().kind(), ty.kind()), (Kind::Integer(_), Kind::Integer(_))));
        Value::new(unsafe { LLVMBuildIntCast2(self.builder, value.0, ty.0, 1, c"".as_ptr()) })
    }

    /// A pointer as a number.
    pub fn number(&self, pointer: Value<'ctx>) -> Value<'ctx> {
        assert_eq!(pointer.ty().kind(), Kind::Pointer);
        Value::new(unsafe { LLVMBuildPtrToInt(self.builder, pointer.0, self.integer(64).0, c"".as_ptr()) })
    }

    /// A number as a pointer.
    pub fn address(&self, number: Value<'ctx>) -> Value<'ctx> {
        Value::new(unsafe { LLVMBuildIntToPtr(self.builder, number.0, self.pointer().0, c"".as_ptr()) })
    }

    /// The address of a byte at a distance.
    pub fn offset(&self, pointer: Value<'ctx>, bytes: u64) -> Value<'ctx> {
        let index = self.integer(64).constant(bytes);
        Value::new(unsafe {
            LLVMBuildGEP2(self.builder, self.integer(8).0, pointer.0, &mut { index.0 }, 1, c"".as_ptr())
        })
    }

    /// Reads memory, which may be aligned to one byte only.
    pub fn load(&self, ty: Type<'ctx>, pointer: Value<'ctx>, alignment: u32) -> Value<'ctx> {
        unsafe {
            let load = LLVMBuildLoad2(self.builder, ty.0, pointer.0, c"".as_ptr());
            LLVMSetAlignment(load, alignment);
            Value::new(load)
        }
    }

    /// Reads memory that changes behind the optimiser's back.
    pub fn load_volatile(&self, ty: Type<'ctx>, pointer: Value<'ctx>, alignment: u32) -> Value<'ctx> {
        let load = self.load(ty, pointer, alignment);
        unsafe { LLVMSetVolatile(load.0, 1) };
        load
    }

    /// Writes memory.
    pub fn store(&self, value: Value<'ctx>, pointer: Value<'ctx>) -> Value<'ctx> {
        Value::new(unsafe { LLVMBuildStore(self.builder, value.0, pointer.0) })
    }

    /// Writes memory that others read at any time.
    pub fn store_volatile(&self, value: Value<'ctx>, pointer: Value<'ctx>) {
        let store = self.store(value, pointer);
        unsafe { LLVMSetVolatile(store.0, 1) };
    }

    /// A member of an aggregate.
    pub fn extract(&self, aggregate: Value<'ctx>, index: u32) -> Value<'ctx> {
        Value::new(unsafe { LLVMBuildExtractValue(self.builder, aggregate.0, index, c"".as_ptr()) })
    }

    /// A lane of a vector.
    pub fn lane(&self, vector: Value<'ctx>, index: u32) -> Value<'ctx> {
        let index = self.integer(32).constant(u64::from(index));
        Value::new(unsafe { LLVMBuildExtractElement(self.builder, vector.0, index.0, c"".as_ptr()) })
    }

    /// The same value, as a value of its own.
    pub fn freeze(&self, value: Value<'ctx>) -> Value<'ctx> {
        Value::new(unsafe { LLVMBuildFreeze(self.builder, value.0, c"".as_ptr()) })
    }

    /// A `phi` without edges.
    pub fn phi(&self, ty: Type<'ctx>) -> Value<'ctx> {
        Value::new(unsafe { LLVMBuildPhi(self.builder, ty.0, c"".as_ptr()) })
    }

    /// Room for a value in the function's frame.
    pub fn alloca(&self, ty: Type<'ctx>) -> Value<'ctx> {
        Value::new(unsafe { LLVMBuildAlloca(self.builder, ty.0, c"".as_ptr()) })
    }

    /// Goes on elsewhere.
    pub fn jump(&self, to: Block<'ctx>) {
        unsafe { LLVMBuildBr(self.builder, to.0) };
    }

    /// Goes to `rarely` if the condition holds, which it seldom does, or else to `mostly`.
    pub fn branch(&self, condition: Value<'ctx>, rarely: Block<'ctx>, mostly: Block<'ctx>) {
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
        unsafe { LLVMBuildRet(self.builder, value.0) };
    }

    /// Calls a function of the module, declared by [`Code::function`].
    pub fn call(&self, function: Value<'ctx>, arguments: &[Value<'ctx>]) -> Value<'ctx> {
        assert!(function.is_function());
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.0).collect();
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
        unsafe { Value::new(LLVMAddFunction(self.module, text.as_ptr(), LLVMGlobalGetValueType(other.0))) }
    }

    /// Gives a function an attribute of LLVM's own.
    pub fn add_attribute(&self, function: Value<'ctx>, name: &str, value: u64) {
        assert!(function.is_function());
        unsafe {
            let kind = Attribute::get_named_enum_kind_id(name);
            LLVMAddAttributeAtIndex(function.0, FUNCTION, LLVMCreateEnumAttribute(self.context, kind, value));
        }
    }

    /// A constant structure.
    pub fn structure(&self, members: &[Value<'ctx>]) -> Value<'ctx> {
        let mut members: Vec<LLVMValueRef> = members.iter().map(|member| member.0).collect();
        Value::new(unsafe { LLVMConstStructInContext(self.context, members.as_mut_ptr(), members.len() as u32, 0) })
    }

    /// A constant array.
    pub fn array(&self, ty: Type<'ctx>, elements: &[Value<'ctx>]) -> Value<'ctx> {
        let mut elements: Vec<LLVMValueRef> = elements.iter().map(|element| element.0).collect();
        Value::new(unsafe { LLVMConstArray2(ty.0, elements.as_mut_ptr(), elements.len() as u64) })
    }

    /// A new variable of the program, hidden from other objects' dynamic linking.
    pub fn variable(&self, name: &str, initial: Value<'ctx>) -> Value<'ctx> {
        let text = CString::new(name).expect("names have no zero bytes");
        unsafe {
            let variable = LLVMAddGlobal(self.module, LLVMTypeOf(initial.0), text.as_ptr());
            LLVMSetInitializer(variable, initial.0);
            LLVMSetVisibility(variable, inkwell::llvm_sys::LLVMVisibility::LLVMHiddenVisibility);
            Value::new(variable)
        }
    }

    /// A variable is this module's own.
    pub fn make_private(&self, variable: Value<'ctx>) {
        unsafe {
            LLVMSetVisibility(variable.0, inkwell::llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
            LLVMSetLinkage(variable.0, inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage);
        }
    }

    /// A variable exists once for each thread; its place is known when the program starts.
    pub fn make_thread_local(&self, variable: Value<'ctx>) {
        unsafe {
            LLVMSetThreadLocalMode(variable.0, inkwell::llvm_sys::LLVMThreadLocalMode::LLVMInitialExecTLSModel);
        }
    }

    /// A text that ends with a zero byte.
    pub fn text(&self, text: &str) -> Value<'ctx> {
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
        unsafe {
            let mut next = LLVMGetFirstGlobalIFunc(self.module);
            while !next.is_null() {
                resolvers.push(Value::new(LLVMGetGlobalIFuncResolver(next)));
                next = LLVMGetNextGlobalIFunc(next);
            }
        }
        resolvers
    }

    /// Takes all debugging information out of the module.
    pub fn strip_debug_information(&self) {
        unsafe { inkwell::llvm_sys::debuginfo::LLVMStripModuleDebugInfo(self.module) };
    }
}
