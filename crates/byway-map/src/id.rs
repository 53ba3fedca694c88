//! The numbers by which the parts of a program are known.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            pub const fn new(number: u32) -> Self {
                $name(number)
            }

            /// Its number, from 0 on.
            pub const fn number(self) -> u32 {
                self.0
            }

            /// Its position in the list that it numbers.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    )*};
}

numbers! {
    /// The number of a block in [`crate::ProgramMap::blocks`]. The variants count and note blocks by it.
    BlockId;
    /// The number of a function without a body in [`crate::ProgramMap::externals`].
    ExternalId;
    /// The number of a source file in [`crate::ProgramMap::files`].
    FileId;
    /// The number of a function with a body in [`crate::ProgramMap::functions`].
    FunctionId;
    /// The number of a type of functions in [`crate::ProgramMap::signatures`].
    SignatureId;
    /// The number of a site in [`crate::ProgramMap::sites`]. The events of a trace name sites by it, and sites of models and
    /// of the runtime by numbers that no map has.
    SiteId;
}

/// Names a subject by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SubjectId([u8; 16]);

impl fmt::Display for SubjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl SubjectId {
    /// The id with this hash.
    pub const fn from_bytes(bytes: [u8; 16]) -> SubjectId {
        SubjectId(bytes)
    }

    /// The hash itself.
    pub const fn bytes(&self) -> [u8; 16] {
        self.0
    }
}
