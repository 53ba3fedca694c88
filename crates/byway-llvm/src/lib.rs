//! The one place that wraps LLVM.
//!
//! [`Llvm`] owns a context; it parses, links and transforms modules, and turns LLVM's diagnostics into errors. Walking and
//! rewriting a module is done with inkwell's types; [`inspect`] and [`rewrite`] add what LLVM's C interface offers beyond inkwell.
//! All `unsafe` code that talks to LLVM is in this crate.

pub mod constant;
pub mod debug;
pub mod inspect;
pub mod ir;
pub mod rewrite;

use std::cell::RefCell;
use std::ffi::{CStr, c_void};

pub use inkwell;
use inkwell::OptimizationLevel;
use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine};
use thiserror::Error;

/// What LLVM refused to do.
#[derive(Debug, Clone, Error)]
pub enum LlvmError {
    /// The bitcode could not be read.
    #[error("LLVM {} cannot read the bitcode: {message}", llvm_version())]
    Parse {
        /// LLVM's words.
        message: String,
    },
    /// Two modules do not fit together.
    #[error("LLVM cannot link the modules: {message}")]
    Link {
        /// LLVM's words.
        message: String,
    },
    /// A transformation failed or left an invalid module.
    #[error("LLVM cannot transform the module: {message}")]
    Transform {
        /// LLVM's words.
        message: String,
    },
}

/// The version of LLVM that we are linked with.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

type Errors = RefCell<Vec<String>>;

/// A context and the errors reported in it.
pub struct Llvm {
    context: Context,
    /// Boxed, since LLVM keeps its address.
    errors: Box<Errors>,
}

impl Default for Llvm {
    fn default() -> Self {
        Self::new()
    }
}

impl Llvm {
    /// A new context.
    pub fn new() -> Self {
        let llvm = Llvm { context: Context::create(), errors: Box::default() };
        let errors: *const Errors = &*llvm.errors;
        // SAFETY: the handler only runs while the context lives, and `errors` is dropped after the context.
        unsafe {
            let handler: extern "C" fn(LLVMDiagnosticInfoRef, *mut c_void) = collect_error;
            LLVMContextSetDiagnosticHandler((&llvm.context).as_ctx_ref(), Some(handler), errors.cast_mut().cast());
        }
        llvm
    }

    /// The context itself.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// A module from bitcode.
    pub fn parse<'llvm>(&'llvm self, name: &str, bitcode: &[u8]) -> Result<Module<'llvm>, LlvmError> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, name);
        Module::parse_bitcode_from_buffer(&buffer, &self.context)
            .map_err(|error| LlvmError::Parse { message: self.message(error.to_string()) })
    }

    /// Moves everything in `source` into `destination`.
    pub fn link<'llvm>(&'llvm self, destination: &Module<'llvm>, source: Module<'llvm>) -> Result<(), LlvmError> {
        // SAFETY: both modules belong to this context, and `source` is given up here: LLVM disposes of it.
        let failed = unsafe { LLVMLinkModules2(destination.as_mut_ptr(), source.as_mut_ptr()) };
        std::mem::forget(source);
        if failed == 0 {
            return Ok(());
        }
        Err(LlvmError::Link { message: self.message("no reason given".to_owned()) })
    }

    /// Runs a pass pipeline, in the syntax of `opt -passes=`.
    pub fn run_passes(&self, module: &Module<'_>, pipeline: &str) -> Result<(), LlvmError> {
        let transform = |message: String| LlvmError::Transform { message };
        let machine = target_machine(module).map_err(transform)?;
        module
            .run_passes(pipeline, &machine, PassBuilderOptions::create())
            .map_err(|error| transform(self.message(error.to_string())))
    }

    /// Checks that a module we rewrote is well formed.
    pub fn verify(&self, module: &Module<'_>) -> Result<(), LlvmError> {
        module.verify().map_err(|error| LlvmError::Transform { message: error.to_string() })
    }

    /// The collected errors, or else `other`.
    fn message(&self, other: String) -> String {
        let errors = self.errors.take();
        if errors.is_empty() { other } else { errors.join("; ") }
    }
}

extern "C" fn collect_error(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM calls this with a valid diagnostic, and with the address that `Llvm::new` registered.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) != LLVMDiagnosticSeverity::LLVMDSError {
            return;
        }
        let description = LLVMGetDiagInfoDescription(info);
        let errors: &Errors = &*errors.cast();
        errors.borrow_mut().push(CStr::from_ptr(description).to_string_lossy().into_owned());
        LLVMDisposeMessage(description);
    }
}

fn target_machine(module: &Module<'_>) -> Result<TargetMachine, String> {
    Target::initialize_native(&InitializationConfig::default())?;
    let triple = module.get_triple();
    let target = Target::from_triple(&triple).map_err(|error| error.to_string())?;
    target
        .create_target_machine(&triple, "", "", OptimizationLevel::Default, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| format!("no target machine for {triple}"))
}
