//! A program under test.
//!
//! A [`Subject`] is an executable or a shared library that `byway-cc` built, with the modules it carries. Its
//! [`Canonical`] form is all of them linked into one module, in which every branch of the source is still a branch; the
//! [`ProgramMap`] describes that module: functions, blocks, edges, and the numbered sites that every variant, analysis
//! and report speaks of.

mod assembly;
mod canonical;
mod code;
mod describe;
mod dynamic;
mod map;
mod site;
mod subject;
mod symbols;

pub use canonical::{Canonical, CanonicalError, program_code};
pub use code::{BlockCode, FunctionCode, Local, Position, ProgramCode, Statement, Token, TokenId, VariableCode};
pub use dynamic::shared_name;
pub use map::{Block, BlockId, FileId, Function, FunctionId, ProgramMap, SiteId};
pub use site::{Site, SiteKind};
pub use subject::{Subject, SubjectError, SubjectId, tool_fingerprint};
pub use symbols::{linked_names, uncarried_functions};
