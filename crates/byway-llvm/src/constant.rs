//! Constants and the layout of types, for code that describes a program.

use std::ffi::CStr;

use inkwell::llvm_sys::LLVMValueKind;
use inkwell::llvm_sys::core::{
    LLVMDisposeMessage, LLVMGetAggregateElement, LLVMGetAsString, LLVMGetConstOpcode, LLVMGetFCmpPredicate,
    LLVMGetGEPSourceElementType, LLVMGetInitializer, LLVMGetUnnamedAddress, LLVMGetValueKind, LLVMGetVolatile,
    LLVMIsAConstantExpr, LLVMIsAConstantPointerNull, LLVMIsAGlobalValue, LLVMIsConstantString, LLVMIsNull, LLVMIsUndef,
    LLVMPrintTypeToString, LLVMPrintValueToString,
};
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMTargetDataRef};
use inkwell::module::Module;

use crate::ir::{Kind, Opcode, Type, Value};

/// Where the members of types are, and how large types are.
#[derive(Clone, Copy)]
pub struct DataLayout<'module> {
    raw: LLVMTargetDataRef,
    module: std::marker::PhantomData<&'module ()>,
}

impl<'module> DataLayout<'module> {
    /// That of a module.
    pub fn of(module: &'module Module<'_>) -> Self {
        // SAFETY: the module is live, and the layout belongs to it.
        DataLayout { raw: unsafe { LLVMGetModuleDataLayout(module.as_mut_ptr()) }, module: std::marker::PhantomData }
    }

    /// The size of a type, in bytes from one element of an array to the next.
    pub fn size(self, ty: Type<'_>) -> u64 {
        // SAFETY: the type is live; only types with a size have one.
        if ty.is_sized() { unsafe { LLVMABISizeOfType(self.raw, ty.raw()) } } else { 0 }
    }

    /// Where a member of a structure begins.
    pub fn offset(self, structure: Type<'_>, index: u32) -> u64 {
        assert!(matches!(structure.kind(), Kind::Struct(count) if index < count));
        // SAFETY: the structure is live and has that member.
        unsafe { LLVMOffsetOfElement(self.raw, structure.raw(), index) }
    }
}

/// What a constant is.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant<'ctx> {
    /// All bits are zero: zero, null, an array of zeros.
    Zero,
    /// Any value.
    Undefined,
    /// An array of bytes.
    Bytes(Vec<u8>),
    /// A function, variable or alias.
    Global(Value<'ctx>),
    /// An array, a structure or a vector of these.
    Aggregate(Vec<Value<'ctx>>),
    /// An operation on constants.
    Expression(Opcode),
    /// As LLVM writes it: numbers, labels.
    Other(String),
}

impl<'ctx> Value<'ctx> {
    /// What it is, if it is a constant.
    pub fn constant(self) -> Option<Constant<'ctx>> {
        if !self.is_constant() {
            return None;
        }
        let raw = self.raw();
        // SAFETY: the value is a live constant; texts are copied at once, and elements are asked for up to the first absent one.
        unsafe {
            if !LLVMIsAGlobalValue(raw).is_null() {
                return Some(Constant::Global(self));
            }
            if LLVMIsUndef(raw) != 0 {
                return Some(Constant::Undefined);
            }
            if LLVMIsNull(raw) != 0 || !LLVMIsAConstantPointerNull(raw).is_null() {
                return Some(Constant::Zero);
            }
            if !LLVMIsAConstantExpr(raw).is_null() {
                return Some(Constant::Expression(LLVMGetConstOpcode(raw)));
            }
            if LLVMGetValueKind(raw) == LLVMValueKind::LLVMConstantDataArrayValueKind && LLVMIsConstantString(raw) != 0
            {
                let mut length = 0;
                let text = LLVMGetAsString(raw, &mut length);
                return Some(Constant::Bytes(std::slice::from_raw_parts(text.cast::<u8>(), length).to_vec()));
            }
            if matches!(self.ty().kind(), Kind::Array(..) | Kind::Struct(_) | Kind::Vector(..)) {
                let elements = (0..).map_while(|index| Value::some(LLVMGetAggregateElement(raw, index)));
                return Some(Constant::Aggregate(elements.collect()));
            }
            Some(Constant::Other(self.print()))
        }
    }

    /// As LLVM writes it.
    pub fn print(self) -> String {
        // SAFETY: the value is live; the text is copied and disposed of.
        unsafe {
            let text = LLVMPrintValueToString(self.raw());
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            copy
        }
    }

    /// What a variable is at the beginning, if that is known.
    pub fn initializer(self) -> Option<Value<'ctx>> {
        assert!(self.is_variable());
        // SAFETY: it is a live variable.
        Value::some(unsafe { LLVMGetInitializer(self.raw()) })
    }

    /// Whether the address of a variable does not matter, as that of a string in the source does not.
    pub fn is_anonymous_variable(self) -> bool {
        // SAFETY: it is a live variable.
        self.is_variable()
            && unsafe { LLVMGetUnnamedAddress(self.raw()) } != inkwell::llvm_sys::LLVMUnnamedAddr::LLVMNoUnnamedAddr
    }

    /// Whether a load or store may not be left out.
    pub fn is_volatile(self) -> bool {
        // SAFETY: loads and stores have the flag.
        matches!(self.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMStore))
            && unsafe { LLVMGetVolatile(self.raw()) != 0 }
    }

    /// The type that an address is computed through, if it is: an instruction, or an operation on constants.
    pub fn element_type(self) -> Option<Type<'ctx>> {
        let raw = self.raw();
        // SAFETY: both kinds of `getelementptr` have the type.
        unsafe {
            let is_expression =
                !LLVMIsAConstantExpr(raw).is_null() && LLVMGetConstOpcode(raw) == Opcode::LLVMGetElementPtr;
            let is_address = is_expression || self.opcode() == Some(Opcode::LLVMGetElementPtr);
            is_address.then(|| Type::of_raw(LLVMGetGEPSourceElementType(raw)))
        }
    }

    /// What a comparison of floating-point numbers compares.
    pub fn float_predicate(self) -> inkwell::llvm_sys::LLVMRealPredicate {
        assert_eq!(self.opcode(), Some(Opcode::LLVMFCmp));
        // SAFETY: it is such a comparison.
        unsafe { LLVMGetFCmpPredicate(self.raw()) }
    }
}

impl Type<'_> {
    /// As LLVM writes it.
    pub fn print(self) -> String {
        // SAFETY: the type is live; the text is copied and disposed of.
        unsafe {
            let text = LLVMPrintTypeToString(self.raw());
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            copy
        }
    }
}
