//! Whether seeds are explored from as they are, or made smaller.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{MeasuredForm, MeasuredSeed};

/// How seeds are explored from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// As they are.
    Original,
    /// Made smaller.
    Reduced,
    /// Made smaller if that makes their path shorter, otherwise as they are. Nothing is measured of it: each seed is one of the
    /// others.
    Shorter,
}

impl Form {
    /// All of them, first what the others are compared with.
    pub const ALL: [Form; 3] = [Form::Original, Form::Reduced, Form::Shorter];

    /// The seed in this form.
    pub fn of(self, seed: &MeasuredSeed) -> &MeasuredForm {
        if self.is_smaller(seed) { &seed.reduced } else { &seed.original }
    }

    /// Whether the seed in this form is the one that was made smaller.
    pub fn is_smaller(self, seed: &MeasuredSeed) -> bool {
        match self {
            Form::Original => false,
            Form::Reduced => true,
            Form::Shorter => seed.reduced.path_length < seed.original.path_length,
        }
    }

    /// How many seconds it takes until the seed is in this form. Whether its path gets shorter is known when it was made smaller.
    pub fn spent(self, seed: &MeasuredSeed) -> f64 {
        match self {
            Form::Original => 0.0,
            Form::Reduced | Form::Shorter => seed.reducing,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Form::Original => "original",
            Form::Reduced => "reduced",
            Form::Shorter => "shorter",
        })
    }
}
