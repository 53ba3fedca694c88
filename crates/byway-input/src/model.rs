//! Which bytes of inputs are symbolic.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The symbolic shape of inputs: which of their bytes are symbolic when a run is traced, and what else of them may be
/// otherwise in other inputs. By default nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputModel {
    /// Whether the bytes of arguments are symbolic.
    pub arguments: bool,
    /// The arguments that are not, whatever `arguments` says: the first behind the program's name is 0.
    pub fixed_arguments: BTreeSet<usize>,
    /// How many arguments there may be, if their number is symbolic. At most 255.
    pub argument_count: Option<RangeInclusive<u32>>,
    /// Whether the bytes of standard input are symbolic.
    pub stdin: bool,
    /// How many bytes standard input may have at most, if its size is symbolic.
    pub stdin_size: Option<u32>,
    /// Which files are symbolic.
    pub files: SymbolicFiles,
    /// Files that a symbolic path may become the name of, each with the bytes that it may have at most, if its size is symbolic.
    pub named_files: Vec<(PathBuf, Option<u32>)>,
    /// Whether the values of environment variables are symbolic.
    pub environment: bool,
}

/// Which files are symbolic.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SymbolicFiles {
    /// None.
    #[default]
    None,
    /// Those of the input.
    OfInput,
    /// All that the program finds below its working directory.
    InDirectory,
}
