//! Which statements define what other statements use, as far as their text says so.
//!
//! A search only needs a direction: where is what this branch tests defined, and who uses what that statement computes? So memory
//! is known by name here: variables as a whole, members of structures behind pointers by their offset, what a function returns, and its
//! parameters. Two pointers to the same variable are not seen to be that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::code::{ProgramCode, Statement, Token, TokenId};
use crate::id::BlockId;

/// Something that holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Holder {
    /// A local variable of a function, both by number.
    Local(u32, u32),
    /// A global variable, by its token.
    Global(TokenId),
    /// Members of structures that are this far behind a pointer.
    Member(i64),
    /// What a function returns, by the token of its name.
    Returned(TokenId),
    /// A parameter of a function, by the token of its name.
    Parameter(TokenId, u32),
}

/// What one statement defines and uses.
#[derive(Debug, Default)]
struct Effects {
    defines: Vec<Holder>,
    uses: Vec<Holder>,
    /// Whether it decides where control goes.
    decides: bool,
}

/// A statement: its function, and its number there.
type StatementId = (u32, u32);

/// Definitions and uses of a whole program.
#[derive(Debug, Default)]
pub struct DataFlow {
    effects: BTreeMap<StatementId, Effects>,
    blocks: HashMap<StatementId, BlockId>,
    definitions: HashMap<Holder, Vec<StatementId>>,
    uses: HashMap<Holder, Vec<StatementId>>,
}

/// What is defined in more places than this says nothing about where to go.
const MOST_DEFINITIONS: usize = 64;
/// Effects are followed through at most so many statements.
const MOST_AFFECTED: usize = 4096;

impl DataFlow {
    /// That of a program.
    pub fn new(code: &ProgramCode) -> DataFlow {
        let mut flow = DataFlow::default();
        let names: HashMap<&str, TokenId> = code
            .tokens
            .iter()
            .zip(0..)
            .filter_map(|(token, id)| match token {
                Token::Function(name) => Some((name.as_str(), id)),
                _ => None,
            })
            .collect();
        for (function, number) in code.functions.iter().zip(0..) {
            let reader = Reader { code, number, own: names.get(function.symbol.as_str()).copied() };
            for (statement, index) in function.statements.iter().zip(0..) {
                flow.add((number, index), statement.block, reader.effects(statement));
            }
        }
        flow
    }

    fn add(&mut self, id: StatementId, block: BlockId, effects: Effects) {
        for &holder in &effects.defines {
            self.definitions.entry(holder).or_default().push(id);
        }
        for &holder in &effects.uses {
            self.uses.entry(holder).or_default().push(id);
        }
        self.blocks.insert(id, block);
        self.effects.insert(id, effects);
    }

    /// For each branch that tests something: the blocks that define it, and the block of the branch.
    pub fn switches(&self) -> BTreeSet<(BlockId, BlockId)> {
        let deciding = self.effects.iter().filter(|(_, effects)| effects.decides);
        let mut edges = BTreeSet::new();
        for (id, effects) in deciding {
            for holder in &effects.uses {
                let definitions = self.definitions.get(holder).map_or(&[][..], Vec::as_slice);
                if definitions.len() <= MOST_DEFINITIONS {
                    edges.extend(definitions.iter().map(|definition| (self.blocks[definition], self.blocks[id])));
                }
            }
        }
        edges.retain(|(definition, branch)| definition != branch);
        edges
    }

    /// The blocks of statements that use what some statements define, directly or through others; each with the number of statements in
    /// between. `is_first` says which statements these are, by block and position.
    pub fn affected(&self, code: &ProgramCode, is_first: impl Fn(&Statement) -> bool) -> BTreeMap<BlockId, u32> {
        let statement = |&(function, index): &StatementId| -> &Statement {
            &code.functions[function as usize].statements[index as usize]
        };
        let mut level: Vec<StatementId> = self.effects.keys().filter(|id| is_first(statement(id))).copied().collect();
        let mut seen: BTreeSet<StatementId> = level.iter().copied().collect();
        let mut blocks = BTreeMap::new();
        let mut distance = 0;
        while !level.is_empty() && seen.len() < MOST_AFFECTED {
            let defined: BTreeSet<Holder> =
                level.iter().flat_map(|id| self.effects[id].defines.iter().copied()).collect();
            let users = defined.iter().filter_map(|holder| self.uses.get(holder)).flatten().copied();
            level = users.filter(|id| seen.insert(*id)).collect();
            for id in &level {
                blocks.entry(self.blocks[id]).or_insert(distance);
            }
            distance += 1;
        }
        blocks
    }
}

/// An instruction of a statement: its operation, and its operands.
struct Instruction<'a> {
    operation: &'a str,
    operands: &'a [TokenId],
}

/// Reads the statements of one function.
struct Reader<'a> {
    code: &'a ProgramCode,
    number: u32,
    /// The token of its own name, if anybody names it.
    own: Option<TokenId>,
}

impl<'a> Reader<'a> {
    fn token(&self, id: TokenId) -> &'a Token {
        &self.code.tokens[id as usize]
    }

    /// The operation, if a token begins an instruction: a word with what it works on behind it.
    fn operation(&self, id: TokenId) -> Option<&'a str> {
        let Token::Word(word) = self.token(id) else { return None };
        let (operation, _) = word.split_once(' ')?;
        let is_name = operation.bytes().all(|byte| byte.is_ascii_lowercase());
        (is_name && !matches!(operation, "times" | "result")).then_some(operation)
    }

    fn instructions<'s>(&self, tokens: &'s [TokenId]) -> Vec<Instruction<'s>>
    where
        'a: 's,
    {
        let starts: Vec<usize> = (0..tokens.len()).filter(|&at| self.operation(tokens[at]).is_some()).collect();
        let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
        let instruction = |(start, end): (usize, usize)| Instruction {
            operation: self.operation(tokens[start]).expect("it begins there"),
            operands: &tokens[start + 1..end],
        };
        starts.iter().copied().zip(ends).map(instruction).collect()
    }

    fn effects(&self, statement: &Statement) -> Effects {
        let instructions = self.instructions(&statement.tokens);
        let mut effects = Effects::default();
        for (index, instruction) in instructions.iter().enumerate() {
            match instruction.operation {
                "load" => {
                    let address = instruction.operands.last().copied();
                    effects.uses.extend(address.into_iter().flat_map(|at| self.holders(&instructions, index, at)));
                }
                "store" => {
                    let address = instruction.operands.last().copied();
                    effects.defines.extend(address.into_iter().flat_map(|at| self.holders(&instructions, index, at)));
                    self.values(instruction.operands, &mut effects);
                }
                "return" => {
                    effects.defines.extend(self.own.map(Holder::Returned));
                    self.values(instruction.operands, &mut effects);
                }
                "call" | "invoke" => self.call(instruction.operands, &mut effects),
                "br" | "switch" | "indirectbr" => {
                    effects.decides = true;
                    self.values(instruction.operands, &mut effects);
                }
                _ => self.values(instruction.operands, &mut effects),
            }
        }
        effects
    }

    /// What a call is given, and what it may change: variables whose address it gets.
    fn call(&self, operands: &[TokenId], effects: &mut Effects) {
        self.values(operands, effects);
        for &id in operands {
            match self.token(id) {
                Token::Local(local) => effects.defines.push(Holder::Local(self.number, *local)),
                Token::Variable(_) => effects.defines.push(Holder::Global(id)),
                _ => {}
            }
        }
        if let Some(&callee) = operands.last().filter(|&&id| matches!(self.token(id), Token::Function(_))) {
            let parameters = (0..operands.len() as u32).map(|number| Holder::Parameter(callee, number));
            effects.defines.extend(parameters);
        }
    }

    /// Results of other calls and parameters among operands.
    fn values(&self, operands: &[TokenId], effects: &mut Effects) {
        for (at, &id) in operands.iter().enumerate() {
            match self.token(id) {
                Token::Argument(number) => {
                    effects.uses.extend(self.own.map(|own| Holder::Parameter(own, *number)));
                }
                Token::Function(_) if at > 0 && self.is_result(operands[at - 1]) => {
                    effects.uses.push(Holder::Returned(id));
                }
                _ => {}
            }
        }
    }

    fn is_result(&self, id: TokenId) -> bool {
        matches!(self.token(id), Token::Word(word) if word == "result of")
    }

    /// What is at an address that an instruction uses.
    fn holders(&self, instructions: &[Instruction<'_>], index: usize, address: TokenId) -> Vec<Holder> {
        if let Some(named) = self.named(address) {
            return vec![named];
        }
        let before = match self.token(address) {
            Token::Result(distance) => index.checked_sub(*distance as usize),
            // The last part of a constant address is its offset, behind what it is an address in.
            Token::Integer(offset) => {
                let operands = instructions[index].operands;
                let base = operands.iter().rev().find_map(|&id| self.named(id));
                return base.into_iter().chain([Holder::Member(*offset)]).collect();
            }
            _ => None,
        };
        let Some(computed) = before.and_then(|before| instructions.get(before)) else {
            return vec![Holder::Member(0)];
        };
        if computed.operation != "getelementptr" {
            return vec![Holder::Member(0)];
        }
        let base = computed.operands.first().and_then(|&id| self.named(id));
        let offset = computed.operands.last().map(|&id| match self.token(id) {
            Token::Integer(offset) => *offset,
            _ => 0,
        });
        base.into_iter().chain(offset.map(Holder::Member)).collect()
    }

    fn named(&self, id: TokenId) -> Option<Holder> {
        match self.token(id) {
            Token::Local(local) => Some(Holder::Local(self.number, *local)),
            Token::Variable(_) => Some(Holder::Global(id)),
            _ => None,
        }
    }
}
