//! Sites: the numbered places of a program that runs, analyses and reports speak of.

use serde::{Deserialize, Serialize};

use crate::id::{BlockId, FileId};

/// A static place in the program. Its number is its position in [`crate::ProgramMap::sites`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// What happens there.
    pub kind: SiteKind,
    /// The block it is in.
    pub block: BlockId,
    /// Where it is in the source: file, line, column.
    pub position: Option<(FileId, u32, u32)>,
}

/// What happens at a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteKind {
    /// A branch with a condition.
    Branch,
    /// A switch.
    Switch,
    /// A choice between two values that are no numbers, without a branch: pointers above all. No expression stands for
    /// "one of two objects", so which one it is decides the path.
    Select,
    /// A read from memory.
    Load,
    /// A write to memory, atomic updates included.
    Store,
    /// A copy or fill of memory whose length is known only at run time or that the compiler expands itself.
    MemoryTransfer,
    /// Division or remainder.
    Division,
    /// A shift by an amount that is not a constant, or any to the left.
    Shift,
    /// Signed arithmetic that may not overflow.
    SignedArithmetic,
    /// Room on the stack whose size is known only at run time.
    StackAllocation,
    /// A call of a named function.
    Call,
    /// A call through a pointer.
    IndirectCall,
    /// A jump to an address, as to that of a label.
    IndirectBranch,
}

impl SiteKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [SiteKind; 13] = [
        SiteKind::Branch,
        SiteKind::Switch,
        SiteKind::Select,
        SiteKind::Load,
        SiteKind::Store,
        SiteKind::MemoryTransfer,
        SiteKind::Division,
        SiteKind::Shift,
        SiteKind::SignedArithmetic,
        SiteKind::StackAllocation,
        SiteKind::Call,
        SiteKind::IndirectCall,
        SiteKind::IndirectBranch,
    ];
}
