//! Names of contents.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The hash of a content (BLAKE3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of this content.
    pub fn of(content: &[u8]) -> ContentHash {
        ContentHash(*blake3::hash(content).as_bytes())
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = blake3::HexError;

    fn try_from(text: String) -> Result<ContentHash, blake3::HexError> {
        Ok(ContentHash(*blake3::Hash::from_hex(text)?.as_bytes()))
    }
}
