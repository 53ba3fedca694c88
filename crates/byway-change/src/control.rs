//! Where control goes from the statements of a function.

use std::collections::HashSet;

use byway_map::{BlockCode, BlockId, FunctionCode, Position};

/// Where control goes from one statement by one of its ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next {
    /// The next statement; none if the function ends or nothing more happens.
    pub statement: Option<usize>,
    /// The jump on the way there: `break`, `goto`, the end of a loop.
    pub jump: Option<Position>,
}

/// For each statement, where control goes from it.
pub fn successors(function: &FunctionCode) -> Vec<Vec<Next>> {
    let statements = 0..function.statements.len();
    statements.map(|index| of_statement(function, index)).collect()
}

fn of_statement(function: &FunctionCode, index: usize) -> Vec<Next> {
    let statement = &function.statements[index];
    let block = function.block(statement.block);
    if index as u32 + 1 < block.statements.1 {
        return vec![Next { statement: Some(index + 1), jump: None }];
    }
    let own = if block.successors.len() == 1 { block.end } else { None };
    ways(block, block.leaves_by)
        .into_iter()
        .map(|successor| landing(function, successor, own, block.leaves_by))
        .collect()
}

/// Where a block can go, if it is known how the scope that it ends was left.
fn ways(block: &BlockCode, left_by: Option<i64>) -> Vec<BlockId> {
    let Some(value) = left_by.filter(|_| !block.exits.is_empty()) else { return block.successors.clone() };
    let case = block.exits.iter().position(|&exit| exit == value).map_or(0, |case| case + 1);
    block.successors.get(case).copied().into_iter().collect()
}

/// The first statement from a block on.
fn landing(function: &FunctionCode, mut block: BlockId, mut jump: Option<Position>, mut left_by: Option<i64>) -> Next {
    let mut seen = HashSet::new();
    while seen.insert(block) {
        let code = function.block(block);
        if code.statements.0 < code.statements.1 {
            return Next { statement: Some(code.statements.0 as usize), jump };
        }
        jump = jump.or(code.end);
        left_by = code.leaves_by.or(left_by);
        match ways(code, left_by)[..] {
            [only] => block = only,
            _ => break,
        }
    }
    Next { statement: None, jump }
}

/// Both versions of a function, to compare where control goes.
pub struct Flow<'a> {
    /// For each statement of the old version its counterpart.
    pub counterparts: &'a [Option<usize>],
    /// For each statement of the new version its counterpart.
    pub back: &'a [Option<usize>],
    /// Where control goes in the old version.
    pub old: Vec<Vec<Next>>,
    /// Where control goes in the new version.
    pub new: Vec<Vec<Next>>,
    /// For each statement of the old version a number that says what it does.
    pub old_keys: &'a [u32],
    /// The same of the new version.
    pub new_keys: &'a [u32],
}

/// Equal statements are followed so far to find out whether it matters which of them comes next.
const LOOK_AHEAD: u32 = 4;

impl Flow<'_> {
    /// The ways of a pair of statements that lead elsewhere.
    pub fn differences(&self, was: usize, is: usize) -> Vec<(Next, Next)> {
        let ways = self.old[was].iter().zip(&self.new[is]);
        ways.filter(|(old, new)| !self.agree(**old, **new, LOOK_AHEAD)).map(|(old, new)| (*old, *new)).collect()
    }

    /// Whether two ways lead to the same, or to what is a change itself.
    fn agree(&self, old: Next, new: Next, depth: u32) -> bool {
        let (Some(was), Some(is)) = (old.statement, new.statement) else {
            return old.statement.is_none() && new.statement.is_none()
                || old.statement.is_some_and(|was| self.counterparts[was].is_none())
                || new.statement.is_some_and(|is| self.back[is].is_none());
        };
        let (counterpart, back) = (self.counterparts[was], self.back[is]);
        if counterpart == Some(is) || counterpart.is_none() || back.is_none() {
            return true;
        }
        let equal = self.old_keys[was] == self.new_keys[is] && self.old[was].len() == self.new[is].len();
        equal && depth > 0 && self.old[was].iter().zip(&self.new[is]).all(|(a, b)| self.agree(*a, *b, depth - 1))
    }
}
