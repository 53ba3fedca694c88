//! What statements are compared by: their tokens, in words that mean the same in both versions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use byway_map::{FunctionCode, ProgramCode, Statement, Token, TokenId};
use regex::bytes::Regex;

/// Text that does not count as a change.
#[derive(Debug, Clone, Default)]
pub struct Ignored {
    /// What the user names: the parts of string constants that match are left out.
    pub text: Vec<Regex>,
}

impl Ignored {
    fn without(&self, text: &[u8]) -> Vec<u8> {
        self.text.iter().fold(text.to_vec(), |text, pattern| pattern.replace_all(&text, &b""[..]).into_owned())
    }
}

/// How two tokens, or two statements, relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// They are the same.
    Same,
    /// They differ in what says where they stand, and in nothing else.
    PositionOnly,
    /// They differ.
    Different,
}

/// The symbols of one version that have a counterpart, as a number that both versions share.
#[derive(Debug, Default)]
pub struct Symbols {
    /// Functions by symbol.
    pub functions: HashMap<String, u32>,
    /// Variables by symbol.
    pub variables: HashMap<String, u32>,
}

/// One version, as the comparison sees it.
pub struct VersionCode<'a> {
    /// Its code.
    pub code: &'a ProgramCode,
    /// What its symbols are called in both versions.
    pub symbols: Symbols,
}

/// A token in words of both versions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Common {
    /// The same in both.
    Token(Token),
    /// A function that both have.
    Function(u32),
    /// A variable that both have.
    Variable(u32),
    /// A local variable that both have.
    Local(u32),
    /// A local variable of which it is not known yet whether the other has it, by its name and size.
    Unknown(Option<String>, u64),
    /// A number that may be the line on which it stands, by how far it is behind it.
    Line(i64),
}

impl Common {
    /// Adds it to a hash; names of local variables do not count.
    pub fn hash_without_name(&self, hasher: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        match self {
            Common::Unknown(_, size) => ("local", size).hash(hasher),
            other => other.hash(hasher),
        }
    }
}

impl VersionCode<'_> {
    /// A token in words of both versions.
    pub fn common(&self, id: TokenId, function: Option<&FunctionCode>, locals: &[Option<u32>]) -> Common {
        let token = &self.code.tokens[id as usize];
        match token {
            Token::Function(symbol) => self
                .symbols
                .functions
                .get(symbol)
                .map_or_else(|| Common::Token(token.clone()), |&id| Common::Function(id)),
            Token::Variable(symbol) => self
                .symbols
                .variables
                .get(symbol)
                .map_or_else(|| Common::Token(token.clone()), |&id| Common::Variable(id)),
            Token::Local(local) => match (locals.get(*local as usize).copied().flatten(), function) {
                (Some(id), _) => Common::Local(id),
                (None, Some(function)) => {
                    let local = &function.locals[*local as usize];
                    Common::Unknown(local.name.clone(), local.size)
                }
                (None, None) => Common::Token(token.clone()),
            },
            _ => Common::Token(token.clone()),
        }
    }

    /// The tokens of a statement.
    pub fn statement(&self, statement: &Statement, function: &FunctionCode, locals: &[Option<u32>]) -> Vec<Common> {
        statement.tokens.iter().map(|&id| self.common(id, Some(function), locals)).collect()
    }
}

/// Where a token stands: what `__LINE__`, `__FILE__` and `__func__` say there.
pub struct Standing<'a> {
    /// The line.
    pub line: Option<u32>,
    /// The file.
    pub file: Option<&'a Path>,
    /// The function.
    pub function: &'a str,
}

impl<'a> Standing<'a> {
    /// That of a statement.
    pub fn of(code: &'a ProgramCode, function: &'a FunctionCode, statement: &Statement) -> Self {
        let line = statement.position.map(|(_, line, _)| line);
        let file = statement.position.map(|(file, ..)| code.files[file.index()].as_path());
        Standing { line, file, function: &function.name }
    }
}

/// A call of a macro may have several lines; `__LINE__` is its last.
const MACRO_LINES: i64 = 32;

/// Compares two sequences of tokens.
pub fn compare(old: (&[Common], &Standing<'_>), new: (&[Common], &Standing<'_>), ignored: &Ignored) -> Likeness {
    if old.0.len() != new.0.len() {
        return Likeness::Different;
    }
    let pairs = old.0.iter().zip(new.0);
    pairs.map(|(a, b)| compare_tokens((a, old.1), (b, new.1), ignored)).max().unwrap_or(Likeness::Same)
}

fn compare_tokens(old: (&Common, &Standing<'_>), new: (&Common, &Standing<'_>), ignored: &Ignored) -> Likeness {
    if old.0 == new.0 {
        return Likeness::Same;
    }
    let stands = match (old.0, new.0) {
        (Common::Token(Token::Integer(a)), Common::Token(Token::Integer(b))) => is_line((*a, old.1), (*b, new.1)),
        (Common::Token(Token::Text(a)), Common::Token(Token::Text(b))) => {
            is_place((a, old.1), (b, new.1)) || ignored.without(a) == ignored.without(b)
        }
        _ => false,
    };
    if stands { Likeness::PositionOnly } else { Likeness::Different }
}

impl Standing<'_> {
    /// How far a number is behind the line on which it stands, if it may be that line.
    fn distance(&self, number: i64) -> Option<i64> {
        let distance = number.checked_sub(i64::from(self.line?))?;
        (0..=MACRO_LINES).contains(&distance).then_some(distance)
    }

    /// Tokens without the line on which they stand.
    pub fn without_line(&self, words: &[Common]) -> Vec<Common> {
        let without = |word: &Common| match word {
            Common::Token(Token::Integer(number)) => self.distance(*number).map(Common::Line),
            _ => None,
        };
        words.iter().map(|word| without(word).unwrap_or_else(|| word.clone())).collect()
    }
}

/// Whether both are as far from the line on which they stand.
fn is_line((a, old): (i64, &Standing<'_>), (b, new): (i64, &Standing<'_>)) -> bool {
    old.distance(a).is_some_and(|distance| new.distance(b) == Some(distance))
}

/// Whether both texts are the name of the file or of the function in which they stand.
fn is_place((a, old): (&[u8], &Standing<'_>), (b, new): (&[u8], &Standing<'_>)) -> bool {
    let names = |text: &[u8], standing: &Standing<'_>| {
        let path = PathBuf::from(String::from_utf8_lossy(text).into_owned());
        let is_file = standing
            .file
            .is_some_and(|file| !text.is_empty() && file.ends_with(path.strip_prefix("./").unwrap_or(&path)));
        (is_file, text == standing.function.as_bytes())
    };
    let (old, new) = (names(a, old), names(b, new));
    old.0 && new.0 || old.1 && new.1
}
