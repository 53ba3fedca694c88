//! Makes [`ProgramCode`] of a module.

mod constants;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use byway_llvm::constant::DataLayout;
use byway_llvm::debug;
use byway_llvm::inkwell::module::Module;
use byway_llvm::inkwell::values::FunctionValue;
use byway_llvm::inspect::{self, Location};
use byway_llvm::ir::{Block, Kind, Opcode, Type, Value};
use byway_map::{
    BlockCode, BlockId, FileId, FunctionCode, Local, Position, ProgramCode, Statement, Token, TokenId, VariableCode,
};

use crate::map::source_name;

/// Describes a module before its local variables become registers. Changes how it holds debug information.
pub(crate) fn describe(module: &Module<'_>) -> ProgramCode {
    debug::declare_by_calls(module);
    let mut describer = Describer {
        code: ProgramCode::default(),
        files: HashMap::new(),
        ids: HashMap::new(),
        layout: DataLayout::of(module),
    };
    let mut next_block = 0;
    for function in inspect::defined_functions(module) {
        describer.function(function, BlockId::new(next_block));
        next_block += function.count_basic_blocks();
    }
    for variable in inspect::variables(module) {
        let value = Value::of_global(variable);
        if value.initializer().is_some() && !is_inlined(value) && !value.name().starts_with("llvm.") {
            let position = debug::global_position(variable, module);
            describer.variable(value, position);
        }
    }
    describer.code
}

/// Whether a variable stands for its value wherever it is used: a string or a table that has no name in the source.
fn is_inlined(variable: Value<'_>) -> bool {
    variable.is_constant_variable() && variable.is_anonymous_variable() && variable.is_private()
}

struct Describer<'module> {
    code: ProgramCode,
    files: HashMap<PathBuf, FileId>,
    ids: HashMap<Token, TokenId>,
    layout: DataLayout<'module>,
}

/// What is known of a function while it is described.
#[derive(Default)]
struct Body<'ctx> {
    locals: HashMap<Value<'ctx>, u32>,
    /// The front end's own variable that says where to go behind the end of a scope.
    exits: HashSet<Value<'ctx>>,
    /// The front end's own variable that holds what is returned.
    results: HashSet<Value<'ctx>>,
    parameters: HashMap<Value<'ctx>, u32>,
}

impl<'ctx> Body<'ctx> {
    /// What a statement returns: `return` is a store if there are several of them, and the end of the function if not.
    fn returned(&self, instruction: Value<'ctx>) -> Option<Value<'ctx>> {
        match instruction.opcode() {
            Some(Opcode::LLVMStore) if self.results.contains(&instruction.operand(1)) => Some(instruction.operand(0)),
            Some(Opcode::LLVMRet) if instruction.operand_count() == 1 => Some(instruction.operand(0)),
            _ => None,
        }
    }

    /// Whether an instruction hands on what was returned elsewhere, or what `main` returns if it says nothing.
    fn passes_result(&self, instruction: Value<'ctx>) -> bool {
        let is_load =
            |value: Value<'ctx>| value.opcode() == Some(Opcode::LLVMLoad) && self.results.contains(&value.operand(0));
        match instruction.opcode() {
            Some(Opcode::LLVMRet) => instruction.operand_count() == 1 && is_load(instruction.operand(0)),
            Some(Opcode::LLVMStore) => {
                self.results.contains(&instruction.operand(1)) && inspect::location(instruction.instruction()).is_none()
            }
            _ => is_load(instruction),
        }
    }

    /// Whether an instruction only says or asks where to go behind the end of a scope.
    fn says_where_to_go(&self, instruction: Value<'ctx>) -> bool {
        match instruction.opcode() {
            Some(Opcode::LLVMStore) => self.exits.contains(&instruction.operand(1)),
            Some(Opcode::LLVMLoad) => self.exits.contains(&instruction.operand(0)),
            Some(Opcode::LLVMSwitch) => {
                let value = instruction.operand(0);
                value.opcode() == Some(Opcode::LLVMLoad) && self.exits.contains(&value.operand(0))
            }
            _ => false,
        }
    }
}

/// A statement that is not complete yet.
#[derive(Default)]
struct Open<'ctx> {
    tokens: Vec<TokenId>,
    /// Its instructions so far, by their order.
    members: HashMap<Value<'ctx>, u32>,
    position: Option<Position>,
}

impl Describer<'_> {
    fn token(&mut self, token: Token) -> TokenId {
        if let Some(&id) = self.ids.get(&token) {
            return id;
        }
        let id = self.code.tokens.len() as TokenId;
        self.code.tokens.push(token.clone());
        self.ids.insert(token, id);
        id
    }

    fn word(&mut self, word: impl Into<String>) -> TokenId {
        self.token(Token::Word(word.into()))
    }

    fn file(&mut self, path: &PathBuf) -> FileId {
        if let Some(&id) = self.files.get(path) {
            return id;
        }
        let id = FileId::new(self.code.files.len() as u32);
        self.code.files.push(path.clone());
        self.files.insert(path.clone(), id);
        id
    }

    fn position(&mut self, place: Location) -> Position {
        (self.file(&place.file), place.line, place.column)
    }

    fn function(&mut self, function: FunctionValue<'_>, first_block: BlockId) {
        let value = Value::of_function(function);
        let position = inspect::definition(function).map(|place| (self.file(&place.file), place.line));
        let signature = self.signature(value);
        let (locals, body) = self.body(function);
        let blocks = value.blocks();
        let numbers: HashMap<Block<'_>, BlockId> =
            blocks.iter().copied().zip((first_block.number()..).map(BlockId::new)).collect();
        let mut described = FunctionCode {
            name: source_name(function),
            symbol: value.name(),
            position,
            signature,
            locals,
            statements: Vec::new(),
            first_block,
            blocks: Vec::new(),
        };
        for block in blocks {
            let code = self.block(block, &body, numbers[&block], &mut described.statements);
            let successors = block.successors().iter().map(|successor| numbers[successor]).collect();
            described.blocks.push(BlockCode { successors, ..code });
        }
        self.code.functions.push(described);
    }

    fn signature(&mut self, function: Value<'_>) -> Vec<TokenId> {
        let mut words = vec![self.type_word(function.result_type())];
        if function.is_variadic_function() {
            words.push("...".to_owned());
        }
        words.extend(function.parameters().iter().map(|parameter| self.type_word(parameter.ty())));
        words.into_iter().map(|word| self.word(word)).collect()
    }

    /// The local variables of a function.
    fn body<'ctx>(&mut self, function: FunctionValue<'ctx>) -> (Vec<Local>, Body<'ctx>) {
        let names = debug::local_names(function);
        let value = Value::of_function(function);
        let parameters = value.parameters().into_iter().zip(0..).collect();
        let mut body = Body { parameters, ..Body::default() };
        let mut locals = Vec::new();
        for instruction in value.blocks().into_iter().flat_map(Block::instructions).filter(|&value| is_local(value)) {
            let is_own = !names.contains_key(&instruction);
            if is_own && says_exit(instruction) {
                body.exits.insert(instruction);
                continue;
            }
            if is_own && is_result(instruction) {
                body.results.insert(instruction);
                continue;
            }
            body.locals.insert(instruction, locals.len() as u32);
            let size = self.layout.size(instruction.allocated_type());
            locals.push(Local { name: names.get(&instruction).cloned(), size });
        }
        (locals, body)
    }

    fn block<'ctx>(
        &mut self,
        block: Block<'ctx>,
        body: &Body<'ctx>,
        id: BlockId,
        statements: &mut Vec<Statement>,
    ) -> BlockCode {
        let mut code = BlockCode { statements: (statements.len() as u32, 0), ..BlockCode::default() };
        let mut open = Open::default();
        let terminator = block.terminator();
        let instructions = block.instructions().into_iter();
        for instruction in instructions.filter(|&value| !is_silent(value) && !body.passes_result(value)) {
            let is_exit = body.says_where_to_go(instruction);
            if is_exit && instruction.opcode() == Some(Opcode::LLVMStore) {
                code.leaves_by = instruction.operand(0).signed();
            }
            if is_exit && instruction == terminator {
                let cases = inspect::cases(instruction.instruction()).unwrap_or_default();
                code.exits = cases.into_iter().map(|case| i64::from(case as i32)).collect();
            }
            let is_jump = instruction == terminator && (is_exit || is_jump(instruction));
            if !is_jump && !is_exit {
                self.instruction(instruction, body, &mut open);
            }
            if (is_jump || ends_statement(instruction) && !is_exit) && !open.tokens.is_empty() {
                let Open { tokens, position, .. } = std::mem::take(&mut open);
                statements.push(Statement { block: id, position, tokens });
            }
        }
        code.end = inspect::location(terminator.instruction()).map(|place| self.position(place));
        code.statements.1 = statements.len() as u32;
        code
    }

    fn instruction<'ctx>(&mut self, instruction: Value<'ctx>, body: &Body<'ctx>, open: &mut Open<'ctx>) {
        let mut tokens = Vec::new();
        let returned = body.returned(instruction);
        let word = match returned {
            Some(value) => format!("return {}", self.type_word(value.ty())),
            None => self.operation(instruction),
        };
        tokens.push(self.word(word));
        let number = open.members.len() as u32;
        if let Some(value) = returned {
            self.operand(value, body, open, &mut tokens);
        } else if instruction.opcode() == Some(Opcode::LLVMGetElementPtr) {
            self.address(instruction, &mut tokens, &mut |this, operand, tokens| {
                this.operand(operand, body, open, tokens)
            });
        } else {
            for operand in described_operands(instruction) {
                self.operand(operand, body, open, &mut tokens);
            }
        }
        open.tokens.extend(tokens);
        open.members.insert(instruction, number);
        let place = inspect::location(instruction.instruction()).map(|place| self.position(place));
        // What ends the statement says where it is, if it knows.
        open.position = place.or(open.position);
    }

    /// The operation with its types and flags.
    fn operation(&self, instruction: Value<'_>) -> String {
        let opcode = instruction.opcode().expect("an instruction has an operation");
        let mut word = format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase();
        let mut add = |text: &str| {
            word.push(' ');
            word.push_str(text);
        };
        add(&self.type_word(instruction.ty()));
        match opcode {
            Opcode::LLVMICmp => add(&format!("{:?}", instruction.predicate())),
            Opcode::LLVMFCmp => add(&format!("{:?}", instruction.float_predicate())),
            Opcode::LLVMExtractValue | Opcode::LLVMInsertValue => add(&format!("{:?}", instruction.indices())),
            Opcode::LLVMShuffleVector => add(&format!("{:?}", instruction.shuffle_mask())),
            // Signed and unsigned arithmetic differ by this alone.
            _ if inspect::no_signed_wrap(instruction.instruction()) => add("nsw"),
            _ if instruction.is_volatile() => add("volatile"),
            // Which operation, in which order: LLVM has no other way to ask.
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => {
                let text = instruction.print();
                let words = text
                    .split_whitespace()
                    .filter(|word| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
                add(&words.collect::<Vec<_>>().join(" "));
            }
            _ => {}
        }
        word
    }

    /// A type by what it means for the code: structures by their size.
    fn type_word(&self, ty: Type<'_>) -> String {
        match ty.kind() {
            Kind::Struct(_) | Kind::Array(..) => format!("aggregate{}", self.layout.size(ty)),
            _ => ty.print(),
        }
    }

    fn operand<'ctx>(&mut self, operand: Value<'ctx>, body: &Body<'ctx>, open: &Open<'ctx>, tokens: &mut Vec<TokenId>) {
        if operand.is_constant() {
            return self.constant(operand, tokens, 0);
        }
        if operand.is_call() && !open.members.contains_key(&operand) {
            tokens.push(self.word("result of"));
            return self.operand(operand.callee(), body, open, tokens);
        }
        let token = if let Some(&local) = body.locals.get(&operand) {
            Token::Local(local)
        } else if let Some(&parameter) = body.parameters.get(&operand) {
            Token::Argument(parameter)
        } else if let Some(&number) = open.members.get(&operand) {
            Token::Result(open.members.len() as u32 - number)
        } else if operand.opcode().is_some() {
            Token::Outer(self.operation(operand))
        } else if operand.is_assembly() {
            Token::Word(operand.print())
        } else {
            Token::Word("other".to_owned())
        };
        let token = self.token(token);
        tokens.push(token);
    }

    fn variable(&mut self, variable: Value<'_>, position: Option<Location>) {
        let position = position.map(|place| (self.file(&place.file), place.line));
        let mut tokens = Vec::new();
        let initializer = variable.initializer().expect("only variables with a value are described");
        let size = self.layout.size(initializer.ty());
        tokens.push(self.word(format!("{size} bytes")));
        self.constant(initializer, &mut tokens, 0);
        self.code.variables.push(VariableCode { symbol: variable.name(), position, tokens });
    }
}

/// What an instruction works with. Blocks are described by the order of statements and by what follows them.
fn described_operands(instruction: Value<'_>) -> Vec<Value<'_>> {
    let is_phi = instruction.opcode() == Some(Opcode::LLVMPHI);
    if is_phi {
        return instruction.incoming().into_iter().map(|(value, _)| value).collect();
    }
    (0..instruction.operand_count())
        .map(|index| instruction.operand(index))
        .filter(|value| value.is_data() || value.is_assembly())
        .collect()
}

/// A local variable of constant size.
fn is_local(instruction: Value<'_>) -> bool {
    instruction.opcode() == Some(Opcode::LLVMAlloca) && instruction.operand(0).is_constant()
}

/// Whether a local variable gets constants only, and decides switches only: the front end has one in functions that leave
/// scopes in several ways.
fn says_exit(local: Value<'_>) -> bool {
    local.users().into_iter().all(|user| match user.opcode() {
        Some(Opcode::LLVMStore) => user.operand(1) == local && user.operand(0).signed().is_some(),
        Some(Opcode::LLVMLoad) => user.users().iter().all(|user| user.opcode() == Some(Opcode::LLVMSwitch)),
        _ => user.is_call() && is_silent(user),
    })
}

/// Whether a local variable holds what the function returns, and nothing else.
fn is_result(local: Value<'_>) -> bool {
    let returns = |value: Value<'_>| value.users().iter().all(|user| user.opcode() == Some(Opcode::LLVMRet));
    local.users().into_iter().all(|user| match user.opcode() {
        Some(Opcode::LLVMStore) => user.operand(1) == local,
        Some(Opcode::LLVMLoad) => returns(user),
        _ => user.is_call() && is_silent(user),
    }) && local.users().iter().any(|user| user.opcode() == Some(Opcode::LLVMLoad))
}

/// What says nothing of what the program does: places of variables, their names and lives.
fn is_silent(instruction: Value<'_>) -> bool {
    let silent = ["llvm.dbg.", "llvm.lifetime.", "llvm.experimental.noalias."];
    is_local(instruction)
        || instruction.is_call() && {
            let callee = instruction.callee();
            callee.is_function() && silent.iter().any(|prefix| callee.name().starts_with(prefix))
        }
}

/// A jump to the only block that can follow.
fn is_jump(terminator: Value<'_>) -> bool {
    terminator.opcode() == Some(Opcode::LLVMBr) && terminator.operand_count() == 1
}

fn ends_statement(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        Some(
            Opcode::LLVMStore
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMFence
            | Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMResume
            | Opcode::LLVMUnreachable,
        ) => true,
        _ => instruction.is_call(),
    }
}
