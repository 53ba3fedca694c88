//! What one run is given.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;

use byway_suite::{Seed, Stdin};

/// What one run is given: a seed, and what is other than in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The seed, which has the name of the program, the environment, the directory and all files.
    pub seed: Arc<Seed>,
    /// The arguments, without the name of the program. A zero byte ends one.
    pub arguments: Vec<Vec<u8>>,
    /// Standard input; nothing if there is none.
    pub stdin: Option<Vec<u8>>,
    /// Files whose content is another than in the seed, by absolute path.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Given {
    /// A seed as it is.
    pub fn of(seed: &Arc<Seed>) -> Given {
        let arguments = seed.arguments.iter().skip(1).map(|argument| argument.as_bytes().to_vec()).collect();
        let stdin = match &seed.stdin {
            Stdin::Nothing => None,
            Stdin::Bytes(bytes) => Some(bytes.to_vec()),
        };
        Given { seed: Arc::clone(seed), arguments, stdin, files: BTreeMap::new() }
    }
}
