//! What can be asked of a type.

use std::marker::PhantomData;

use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;

use super::{Kind, Type, Value};

impl<'ctx> Type<'ctx> {
    pub(super) fn new(raw: LLVMTypeRef) -> Self {
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
        // SAFETY: any type may be asked.
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// What kind it is.
    pub fn kind(self) -> Kind<'ctx> {
        // SAFETY: any type has a kind; what else is asked is what that kind has.
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
        // SAFETY: a structure with such a member, as asserted.
        Type::new(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }

    /// The null or zero of this type.
    pub fn zero(self) -> Value<'ctx> {
        // SAFETY: any type of data has a null.
        Value::new(unsafe { LLVMConstNull(self.0) })
    }

    /// A constant of this integer type.
    pub fn constant(self, value: u64) -> Value<'ctx> {
        assert!(matches!(self.kind(), Kind::Integer(_)));
        // SAFETY: an integer type, as asserted.
        Value::new(unsafe { LLVMConstInt(self.0, value, 0) })
    }

    /// An array type.
    pub fn array(self, length: u64) -> Type<'ctx> {
        // SAFETY: any type of data can be that of elements.
        Type::new(unsafe { LLVMArrayType2(self.0, length) })
    }
}
