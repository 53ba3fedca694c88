//! What a program was built from, kept by content.
//!
//! A program outlives the tree it was built in: the tree is changed and built again, and a copy of the old program is
//! compared with the new one. A [`ProgramSnapshot`] has what variants and reports of a program need besides the program itself: the
//! sources and headers that its records name, and the files it was linked with. It belongs to one content of a program
//! file, so no program gets at what another one was built from.
//!
//! [`SnapshotStore`] owns the directory. A content is named by its hash, checked when it is read, and absent if it is not what it
//! was. The store is bounded: snapshots that nobody used for the longest time go first.

mod content;
mod evict;
mod snapshot;
mod store;
mod texts;

pub use content::ContentHash;
pub use snapshot::ProgramSnapshot;
pub use store::{BuildFiles, LinkedFile, SnapshotStore};
pub use texts::{SourceLines, SourceTexts};
