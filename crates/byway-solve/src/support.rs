//! Which bytes of the input expressions depend on.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::pool::Var;

/// The bytes that an expression depends on: none, one, a known list, or more than are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Support {
    /// It is constant.
    None,
    /// One byte.
    One(Var),
    /// A list of [`Supports`].
    Few(u32),
    /// More than [`LISTED`] bytes. Lists for each step of a checksum would take the square of its length.
    Wide,
}

/// How many bytes are listed.
pub const LISTED: usize = 64;

/// The lists, each once.
#[derive(Default)]
pub(crate) struct Supports {
    lists: Vec<Box<[Var]>>,
    index: HashMap<Box<[Var]>, u32, FixedState>,
    unions: HashMap<(u32, u32), Support, FixedState>,
    /// Every byte by its number, so that a single one is a list too.
    singles: Vec<Var>,
}

impl Supports {
    pub fn memory(&self) -> usize {
        self.lists.iter().map(|list| list.len() * 8 + 64).sum::<usize>() + self.unions.len() * 24
    }

    pub fn single(&mut self, var: Var) -> Support {
        while self.singles.len() <= var.0 as usize {
            self.singles.push(Var(self.singles.len() as u32));
        }
        Support::One(var)
    }

    pub fn vars(&self, support: Support) -> &[Var] {
        match support {
            Support::None | Support::Wide => &[],
            Support::One(var) => &self.singles[var.0 as usize..=var.0 as usize],
            Support::Few(list) => &self.lists[list as usize],
        }
    }

    pub fn union(&mut self, a: Support, b: Support) -> Support {
        match (a, b) {
            (Support::None, other) | (other, Support::None) => other,
            (Support::Wide, _) | (_, Support::Wide) => Support::Wide,
            (a, b) if a == b => a,
            (Support::Few(a), Support::Few(b)) => {
                let key = (a.min(b), a.max(b));
                if let Some(&known) = self.unions.get(&key) {
                    return known;
                }
                let union = self.merge(Support::Few(a), Support::Few(b));
                self.unions.insert(key, union);
                union
            }
            (a, b) => self.merge(a, b),
        }
    }

    fn merge(&mut self, a: Support, b: Support) -> Support {
        let (a, b) = (self.vars(a), self.vars(b));
        let mut merged = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            let take_a = j == b.len() || (i < a.len() && a[i] <= b[j]);
            let next = if take_a { a[i] } else { b[j] };
            i += usize::from(i < a.len() && a[i] == next);
            j += usize::from(j < b.len() && b[j] == next);
            merged.push(next);
        }
        self.list(merged)
    }

    fn list(&mut self, vars: Vec<Var>) -> Support {
        if vars.len() > LISTED {
            return Support::Wide;
        }
        if let Some(&known) = self.index.get(vars.as_slice()) {
            return Support::Few(known);
        }
        let number = self.lists.len() as u32;
        let vars: Box<[Var]> = vars.into();
        self.lists.push(vars.clone());
        self.index.insert(vars, number);
        Support::Few(number)
    }
}
