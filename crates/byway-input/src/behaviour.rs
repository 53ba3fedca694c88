//! What a run does, as seen from outside.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read};
use std::path::PathBuf;

use crate::ending::Ending;

/// More bytes than these are not kept; their hash is.
pub const MAX_WHOLE: u64 = 1 << 20;

/// What a run does, as seen from outside. Two runs with equal behaviours cannot be told apart by who looks at these.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Behaviour {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard output.
    pub stdout: Content,
    /// What it wrote to standard error.
    pub stderr: Content,
    /// What is other in its directories than before; `None` if nobody looked.
    pub files: Option<FileChanges>,
    /// What a build with sanitizers wrote to standard error, with source positions: its beginning, if it is long. `None` from a
    /// build without sanitizers.
    pub report: Option<Vec<u8>>,
}

/// What a run changed: paths below its working directory are from there on, all others absolute.
pub type FileChanges = BTreeMap<PathBuf, FileChange>;

/// Bytes that a program wrote: whole, or by hash.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Content {
    /// All of them, at most [`MAX_WHOLE`].
    Whole(Vec<u8>),
    /// More than that.
    Digest {
        /// How many bytes.
        size: u64,
        /// The BLAKE3 hash of all of them.
        hash: blake3::Hash,
        /// The first of them.
        beginning: Vec<u8>,
    },
}

/// What a run made of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileChange {
    /// A file that is new, or has another content or other permissions.
    Written {
        /// What is in it.
        content: Content,
        /// Its permissions.
        mode: u32,
    },
    /// A directory that is new.
    Directory,
    /// A symbolic link that is new, or leads elsewhere.
    Link(OsString),
    /// Something else that is new: a pipe, a socket.
    Special,
    /// It is gone.
    Removed,
}

/// How much is kept of what is too long.
const BEGINNING: usize = 4096;
/// How many bytes are shown to who debugs.
const SHOWN: usize = 80;

impl Content {
    /// All that can be read from somewhere.
    pub fn read(mut from: impl Read) -> io::Result<Content> {
        let mut whole = Vec::new();
        from.by_ref().take(MAX_WHOLE).read_to_end(&mut whole)?;
        let mut next = [0; 1 << 14];
        let mut count = from.read(&mut next)?;
        if count == 0 {
            return Ok(Content::Whole(whole));
        }
        let (mut hasher, mut size) = (blake3::Hasher::new(), whole.len() as u64);
        hasher.update(&whole);
        while count > 0 {
            hasher.update(&next[..count]);
            size += count as u64;
            count = from.read(&mut next)?;
        }
        whole.truncate(BEGINNING);
        Ok(Content::Digest { size, hash: hasher.finalize(), beginning: whole })
    }

    /// How many bytes there are.
    pub fn size(&self) -> u64 {
        match self {
            Content::Whole(bytes) => bytes.len() as u64,
            Content::Digest { size, .. } => *size,
        }
    }

    /// All bytes, or the first ones if there are too many to be kept.
    pub fn beginning(&self) -> &[u8] {
        match self {
            Content::Whole(bytes) => bytes,
            Content::Digest { beginning, .. } => beginning,
        }
    }

    /// All bytes, if they are kept.
    pub fn whole(&self) -> Option<&[u8]> {
        match self {
            Content::Whole(bytes) => Some(bytes),
            Content::Digest { .. } => None,
        }
    }
}

impl fmt::Debug for Content {
    /// How many bytes, and the first of them as text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.beginning()[..self.beginning().len().min(SHOWN)];
        write!(formatter, "{} bytes: \"{}\"", self.size(), shown.escape_ascii())
    }
}

impl Default for Content {
    /// Nothing was written.
    fn default() -> Content {
        Content::Whole(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_content_is_known_by_its_hash() {
        let most = vec![7; MAX_WHOLE as usize];
        let mut longer = most.clone();
        longer.push(8);
        let read = |bytes: &[u8]| Content::read(bytes).unwrap();
        assert_eq!(read(&most).whole(), Some(most.as_slice()));
        assert_eq!((read(&longer).whole(), read(&longer).size()), (None, MAX_WHOLE + 1));
        assert_eq!(read(&longer), read(&longer));
        *longer.last_mut().unwrap() = 9;
        let Content::Digest { hash, .. } = read(&longer) else { panic!("it is long") };
        assert_eq!(hash, blake3::hash(&longer));
    }
}
