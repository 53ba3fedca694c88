//! What calls call.

use std::collections::HashMap;

use byway_llvm::inkwell::module::Module;
use byway_llvm::inkwell::types::FunctionType;
use byway_llvm::inkwell::values::{FunctionValue, InstructionValue};
use byway_llvm::inspect;
use byway_map::{Call, Callee, ExternalId, FunctionId, ProgramMap, Signature, SignatureId, SiteId, SiteKind};

/// The functions of a module, and the types of those that are called through pointers so far.
pub(crate) struct Callees<'ctx> {
    functions: HashMap<FunctionValue<'ctx>, FunctionId>,
    externals: HashMap<String, ExternalId>,
    /// The functions with a body whose address is taken.
    taken: Vec<(FunctionId, Shape)>,
    signatures: Vec<Signature>,
    by_text: HashMap<String, SignatureId>,
}

impl<'ctx> Callees<'ctx> {
    /// `map` has the functions without a body already.
    pub fn new(module: &'ctx Module<'_>, map: &ProgramMap) -> Self {
        let functions: HashMap<_, _> = inspect::defined_functions(module).zip((0..).map(FunctionId::new)).collect();
        let externals = map.externals.iter().zip((0..).map(ExternalId::new));
        let taken = inspect::defined_functions(module).filter(|&function| inspect::is_address_taken(function));
        Callees {
            taken: taken.map(|function| (functions[&function], Shape::of(function.get_type()))).collect(),
            functions,
            externals: externals.map(|(external, id)| (external.name.clone(), id)).collect(),
            signatures: Vec::new(),
            by_text: HashMap::new(),
        }
    }

    /// The call at a site, if it is one.
    pub fn call(&mut self, site: SiteId, kind: SiteKind, instruction: InstructionValue<'ctx>) -> Option<Call> {
        if !matches!(kind, SiteKind::Call | SiteKind::IndirectCall) {
            return None;
        }
        let named = inspect::aliased_callee(instruction);
        let callee = match named.and_then(|function| self.functions.get(&function)) {
            Some(&function) => Callee::Function(function),
            None => match named.and_then(|function| self.external(function)) {
                Some(external) => Callee::External(external),
                None => Callee::Pointer(self.signature(inspect::called_type(instruction)?)),
            },
        };
        let callbacks = match callee {
            Callee::External(_) => self.passed(instruction),
            _ => Vec::new(),
        };
        Some(Call { site, callee, callbacks })
    }

    fn external(&self, function: FunctionValue<'ctx>) -> Option<ExternalId> {
        self.externals.get(function.get_name().to_string_lossy().as_ref()).copied()
    }

    fn passed(&self, call: InstructionValue<'ctx>) -> Vec<FunctionId> {
        inspect::passed_functions(call).iter().filter_map(|function| self.functions.get(function).copied()).collect()
    }

    fn signature(&mut self, called: FunctionType<'ctx>) -> SignatureId {
        let text = called.print_to_string().to_string();
        if let Some(&known) = self.by_text.get(&text) {
            return known;
        }
        let id = SignatureId::new(self.signatures.len() as u32);
        let call = Shape::of(called);
        let functions = self.taken.iter().filter(|(_, shape)| call.fits(shape)).map(|&(function, _)| function);
        self.signatures.push(Signature { text: text.clone(), functions: functions.collect() });
        self.by_text.insert(text, id);
        id
    }

    /// The types of functions that are called through pointers.
    pub fn signatures(self) -> Vec<Signature> {
        self.signatures
    }
}

/// The type of a function.
struct Shape {
    result: String,
    parameters: Vec<String>,
    is_variadic: bool,
}

impl Shape {
    fn of(function: FunctionType<'_>) -> Shape {
        let parameters = function.get_param_types();
        Shape {
            result: function.get_return_type().map_or(String::new(), |ty| ty.print_to_string().to_string()),
            parameters: parameters.iter().map(|ty| ty.print_to_string().to_string()).collect(),
            is_variadic: function.is_var_arg(),
        }
    }

    /// Whether a call of this type may call a function. A call through a pointer without prototype says that there may be
    /// more arguments, while the function says which.
    fn fits(&self, function: &Shape) -> bool {
        let same = self.parameters == function.parameters && self.is_variadic == function.is_variadic;
        let begins = self.parameters.iter().zip(&function.parameters).all(|(a, b)| a == b);
        self.result == function.result && (same || self.is_variadic && begins)
    }
}
