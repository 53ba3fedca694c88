//! What a run is given, and what it does with it.
//!
//! A [`ConcreteInput`] is everything that a run reads: arguments, standard input, files, and the [`Fixture`] around it
//! (environment, working directory). A [`Behaviour`] is everything that can be observed of the run from outside: its
//! [`Ending`], what it wrote to standard output and error, which files it left changed, what the sanitizers reported. An
//! [`InputModel`] is the symbolic shape of inputs: which of their bytes are symbolic.

mod behaviour;
mod ending;
mod fixture;
mod input;
mod machine;
mod model;

pub use behaviour::{Behaviour, Content, FileChange, FileChanges, MAX_WHOLE};
pub use ending::Ending;
pub use fixture::{Environment, Fixture};
pub use input::{ConcreteInput, FileMap, InputFile};
pub use machine::is_of_machine;
pub use model::{InputModel, SymbolicFiles};
