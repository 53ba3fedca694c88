//! Which local variables of two versions of a function are each other's counterparts.
//!
//! A name that occurs once on both sides decides. For all others the statements that use them do: variables that stand at the same
//! position of statements that are otherwise the same are the same variable, under whatever name.

use std::collections::HashMap;

use byway_map::{FunctionCode, Token};

use crate::align::align;
use crate::words::{Common, VersionCode};

/// For each local variable of both versions the number of its pair.
#[derive(Debug, Default)]
pub struct LocalPairs {
    /// Of the old version.
    pub old: Vec<Option<u32>>,
    /// Of the new version.
    pub new: Vec<Option<u32>>,
    next: u32,
}

/// Pairs the local variables of two versions of a function.
pub fn pair_locals(old: (&VersionCode<'_>, &FunctionCode), new: (&VersionCode<'_>, &FunctionCode)) -> LocalPairs {
    let mut pairs = LocalPairs { old: vec![None; old.1.locals.len()], new: vec![None; new.1.locals.len()], next: 0 };
    for (was, is) in unique_names(old.1, new.1) {
        pairs.add(was, is);
    }
    for with_names in [true, false] {
        for (was, is) in voted(old, new, &pairs, with_names) {
            pairs.add(was, is);
        }
    }
    for (was, is) in in_order(old.1, new.1, &pairs) {
        pairs.add(was, is);
    }
    pairs
}

impl LocalPairs {
    fn add(&mut self, was: usize, is: usize) {
        if self.old[was].is_none() && self.new[is].is_none() {
            self.old[was] = Some(self.next);
            self.new[is] = Some(self.next);
            self.next += 1;
        }
    }
}

fn unique_names(old: &FunctionCode, new: &FunctionCode) -> Vec<(usize, usize)> {
    let unique = |function: &FunctionCode| -> HashMap<String, usize> {
        let mut names: HashMap<&String, Vec<usize>> = HashMap::new();
        for (index, local) in function.locals.iter().enumerate() {
            local.name.iter().for_each(|name| names.entry(name).or_default().push(index));
        }
        let unique = names.into_iter().filter(|(_, all)| all.len() == 1);
        unique.map(|(name, all)| (name.clone(), all[0])).collect()
    };
    let news = unique(new);
    let mut pairs: Vec<(usize, usize)> =
        unique(old).into_iter().filter_map(|(name, was)| Some((was, *news.get(&name)?))).collect();
    pairs.sort_unstable();
    pairs
}

/// Variables in the order of how many statements take them for the same.
fn voted(
    old: (&VersionCode<'_>, &FunctionCode),
    new: (&VersionCode<'_>, &FunctionCode),
    pairs: &LocalPairs,
    with_names: bool,
) -> Vec<(usize, usize)> {
    let keys = |(version, function): (&VersionCode<'_>, &FunctionCode), locals: &[Option<u32>]| -> Vec<Vec<Common>> {
        let statements = function.statements.iter().map(|statement| version.statement(statement, function, locals));
        statements.map(|tokens| tokens.into_iter().map(|token| named(token, with_names)).collect()).collect()
    };
    let alignment = align(&keys(old, &pairs.old), &keys(new, &pairs.new));
    let mut votes: HashMap<(usize, usize), u32> = HashMap::new();
    for (was, is) in alignment.same {
        let tokens = old.1.statements[was].tokens.iter().zip(&new.1.statements[is].tokens);
        for (&a, &b) in tokens {
            if let (Token::Local(a), Token::Local(b)) = (&old.0.code.tokens[a as usize], &new.0.code.tokens[b as usize])
            {
                *votes.entry((*a as usize, *b as usize)).or_default() += 1;
            }
        }
    }
    let mut votes: Vec<((usize, usize), u32)> = votes.into_iter().collect();
    votes.sort_unstable_by_key(|&(pair, votes)| (u32::MAX - votes, pair));
    votes.into_iter().map(|(pair, _)| pair).collect()
}

fn named(token: Common, with_names: bool) -> Common {
    match token {
        Common::Unknown(_, size) if !with_names => Common::Unknown(None, size),
        other => other,
    }
}

/// What is left: variables of the same name and size, in their order.
fn in_order(old: &FunctionCode, new: &FunctionCode, pairs: &LocalPairs) -> Vec<(usize, usize)> {
    let mut free: Vec<usize> = (0..new.locals.len()).filter(|&is| pairs.new[is].is_none()).collect();
    let mut found = Vec::new();
    for (was, local) in old.locals.iter().enumerate().filter(|(was, _)| pairs.old[*was].is_none()) {
        if let Some(position) = free.iter().position(|&is| new.locals[is] == *local) {
            found.push((was, free.remove(position)));
        }
    }
    found
}
