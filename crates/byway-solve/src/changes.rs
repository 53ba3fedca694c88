//! What is other in an input than in the one it was made of.

use rustc_hash::FxHashMap;

use crate::Var;

/// Bytes that are other than in the input that is the base of all: its own if there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes(FxHashMap<Var, u8>);

impl Changes {
    /// What a byte becomes, if it is changed.
    pub fn get(&self, var: Var) -> Option<u8> {
        self.0.get(&var).copied()
    }

    /// The same with more changes.
    pub fn with(&self, model: &[(Var, u8)]) -> Changes {
        let mut changes = self.clone();
        changes.0.extend(model.iter().copied());
        changes
    }

    /// All changes, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, u8)> {
        self.0.iter().map(|(&var, &value)| (var, value))
    }
}
