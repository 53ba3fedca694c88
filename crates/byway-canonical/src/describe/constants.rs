//! Describes constants: numbers, strings, tables, addresses.

use byway_llvm::constant::Constant;
use byway_llvm::ir::{Kind, Opcode, Value};
use byway_map::{Token, TokenId};

use super::{Describer, is_inlined};

/// Tables without references that have more elements are described by a hash.
const MAX_TABLE: usize = 64;
/// Constants that refer to each other are described down to this depth; what is below is a hash of what LLVM writes.
const MAX_DEPTH: u32 = 32;

impl Describer<'_> {
    /// The address that a `getelementptr` computes: a base, offsets, and indices with their strides.
    pub(super) fn address<'ctx>(
        &mut self,
        address: Value<'ctx>,
        tokens: &mut Vec<TokenId>,
        operand: &mut impl FnMut(&mut Self, Value<'ctx>, &mut Vec<TokenId>),
    ) {
        operand(self, address.operand(0), tokens);
        let mut ty = address.element_type().expect("only addresses are asked");
        let mut offset = 0i64;
        for index in 1..address.operand_count() {
            let value = address.operand(index);
            if let (Kind::Struct(_), Some(member), true) = (ty.kind(), value.integer(), index > 1) {
                offset = offset.wrapping_add(self.layout.offset(ty, member as u32) as i64);
                ty = ty.member(member as u32);
                continue;
            }
            if index > 1
                && let Kind::Array(element, _) | Kind::Vector(element, _) = ty.kind()
            {
                ty = element;
            }
            let stride = self.layout.size(ty) as i64;
            match value.signed() {
                Some(constant) => offset = offset.wrapping_add(constant.wrapping_mul(stride)),
                None => {
                    tokens.push(self.word(format!("times {stride}")));
                    operand(self, value, tokens);
                }
            }
        }
        tokens.push(self.token(Token::Integer(offset)));
    }

    pub(super) fn constant(&mut self, constant: Value<'_>, tokens: &mut Vec<TokenId>, depth: u32) {
        if let Some(integer) = constant.signed() {
            return tokens.push(self.token(Token::Integer(integer)));
        }
        let token = match constant.constant() {
            Some(Constant::Zero) => Token::Word("zero".to_owned()),
            Some(Constant::Undefined) => Token::Word("undefined".to_owned()),
            Some(Constant::Bytes(bytes)) => Token::Text(without_terminator(bytes)),
            Some(Constant::Global(global)) => return self.global(global, tokens, depth),
            Some(Constant::Aggregate(elements)) => return self.table(&elements, tokens, depth),
            Some(Constant::Expression(opcode)) => return self.expression(constant, opcode, tokens, depth),
            Some(Constant::Other(text)) => Token::Word(text),
            None => Token::Word("other".to_owned()),
        };
        let token = self.token(token);
        tokens.push(token);
    }

    fn global(&mut self, global: Value<'_>, tokens: &mut Vec<TokenId>, depth: u32) {
        if global.is_function() {
            return tokens.push(self.token(Token::Function(global.name())));
        }
        match global.is_variable().then(|| global.initializer()).flatten() {
            Some(value) if is_inlined(global) && depth < MAX_DEPTH => self.constant(value, tokens, depth + 1),
            _ => tokens.push(self.token(Token::Variable(global.name()))),
        }
    }

    fn expression(&mut self, constant: Value<'_>, opcode: Opcode, tokens: &mut Vec<TokenId>, depth: u32) {
        tokens.push(self.word(format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase()));
        if depth >= MAX_DEPTH {
            return tokens.push(self.digest(constant.print().as_bytes()));
        }
        if opcode == Opcode::LLVMGetElementPtr {
            self.address(constant, tokens, &mut |this, operand, tokens| this.constant(operand, tokens, depth + 1));
        } else {
            for index in 0..constant.operand_count() {
                self.constant(constant.operand(index), tokens, depth + 1);
            }
        }
    }

    fn table(&mut self, elements: &[Value<'_>], tokens: &mut Vec<TokenId>, depth: u32) {
        let mut content = vec![self.word(format!("{} elements", elements.len()))];
        for &element in elements {
            match depth < MAX_DEPTH {
                true => self.constant(element, &mut content, depth + 1),
                false => content.push(self.digest(element.print().as_bytes())),
            }
        }
        let refers =
            content.iter().any(|&id| matches!(self.code.tokens[id as usize], Token::Function(_) | Token::Variable(_)));
        if content.len() <= MAX_TABLE || refers {
            return tokens.extend(content);
        }
        let text: Vec<String> = content.iter().map(|&id| format!("{:?}", self.code.tokens[id as usize])).collect();
        tokens.push(self.digest(text.join("\n").as_bytes()));
    }

    fn digest(&mut self, content: &[u8]) -> TokenId {
        self.token(Token::Digest(blake3::hash(content).to_hex()[..32].to_owned()))
    }
}

fn without_terminator(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}
