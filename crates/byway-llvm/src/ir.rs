//! Values, types and blocks without static types, for rewriting whole functions.
//!
//! inkwell has a Rust type for every kind of value, which is a help to who builds code of a known shape. Who walks over
//! whatever a program consists of, and puts code between it, is better served by small handles that are all alike and are
//! copied freely.
//!
//! Every handle is of something live. Handles borrow the module they come from, so it can neither be dropped nor linked into another
//! meanwhile, and no pass can run on it: all of these need the module for themselves. Nothing here deletes a value:
//! [`Code::remove`] takes an instruction out of its block, and [`Removed::delete`] deletes what was taken out once nobody has a handle any
//! more. That is why each `unsafe` block below holds, together with what it says itself: what else the function of LLVM demands.

mod block;
mod code;
mod types;
mod value;

use std::marker::PhantomData;

use inkwell::llvm_sys::prelude::*;
pub use inkwell::llvm_sys::{LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode};

pub use code::{Code, Removed};

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

/// Where the attributes of a function itself are.
const FUNCTION: u32 = u32::MAX;
