//! Whether seeds are explored from as they are, or made smaller.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{MeasuredSeed, Version};

/// How seeds are explored from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// As they are.
    Original,
    /// Made smaller.
    Reduced,
}

impl Form {
    /// Both.
    pub const ALL: [Form; 2] = [Form::Original, Form::Reduced];

    /// The seed in this form.
    pub fn of(self, seed: &MeasuredSeed) -> &Version {
        match self {
            Form::Original => &seed.original,
            Form::Reduced => &seed.reduced,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Form::Original => "original",
            Form::Reduced => "reduced",
        })
    }
}
