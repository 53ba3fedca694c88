//! Two versions of a program, and what changed between them.
//!
//! A [`VersionPair`] knows for each function, variable and statement of the new version its counterpart in the old one, if there is
//! one. What has none, or a counterpart that does something else, is a [`Change`], in the user's lines. A [`SequenceGraph`] says in which orders changes can be
//! executed, and where several of them come together.

mod align;
mod change;
mod control;
mod function;
mod locals;
mod matching;
mod pair;
mod sequence;
mod words;

pub use change::{Change, ChangeKind, ChangedEntity, Changes, VersionLine};
pub use pair::VersionPair;
pub use sequence::{GraphSize, Point, SequenceGraph, SequenceKind, SequenceNode, SequenceNodeId};
pub use words::Ignored;
