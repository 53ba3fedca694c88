//! The kinds of variants.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// What a variant is for. Value traces (`trace`) are to join these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VariantKind {
    /// The canonical module, optimised and otherwise as it is: what other variants are measured against.
    Native,
    /// Counts blocks and edges.
    Cov,
    /// AddressSanitizer and UndefinedBehaviorSanitizer: the judge.
    Asan,
    /// Symbolic execution: writes a trace of what it computes from its input.
    Sym,
}

impl VariantKind {
    /// All kinds.
    pub const ALL: [VariantKind; 4] = [VariantKind::Native, VariantKind::Cov, VariantKind::Asan, VariantKind::Sym];

    /// The name on command lines and in the cache.
    pub fn name(self) -> &'static str {
        match self {
            VariantKind::Native => "native",
            VariantKind::Cov => "cov",
            VariantKind::Asan => "asan",
            VariantKind::Sym => "sym",
        }
    }
}

impl fmt::Display for VariantKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for VariantKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(VariantKind::name).join(", ");
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == text);
        kind.ok_or_else(|| format!("there is no variant '{text}'; the variants are {}", names()))
    }
}
