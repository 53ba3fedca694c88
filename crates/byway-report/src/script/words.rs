//! Any bytes as words of a script.

use crate::fixture::{Piece, Tree};
use crate::shell::{assign, literal, readable};

/// Makes words, and the lines that must stand before them.
pub struct Words<'a> {
    /// In which paths are found.
    tree: Option<&'a Tree>,
    /// What variables are called.
    name: &'static str,
    count: usize,
    lines: Vec<String>,
}

impl<'a> Words<'a> {
    /// Words in which absolute paths are those of the tree.
    pub fn new(tree: Option<&'a Tree>, name: &'static str) -> Words<'a> {
        Words { tree, name, count: 0, lines: Vec::new() }
    }

    /// The lines that set what the words so far use.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// A word that is these bytes.
    pub fn word(&mut self, bytes: &[u8]) -> String {
        match self.tree {
            Some(tree) => self.word_of(&tree.pieces(bytes)),
            None => self.plain(bytes),
        }
    }

    /// A word that is all of these.
    fn word_of(&mut self, pieces: &[Piece<'_>]) -> String {
        if pieces.is_empty() {
            return "''".to_owned();
        }
        let mut word = String::new();
        for piece in pieces {
            word += &match piece {
                Piece::Text(text) => self.plain(text),
                Piece::Below(path) => self.below(path),
            };
        }
        word
    }

    /// The word of a path, from the tree's directory on.
    pub fn below(&mut self, path: &[u8]) -> String {
        let rest = if path.is_empty() { String::new() } else { self.plain(path) };
        format!("\"$root\"{rest}")
    }

    /// A word that is these bytes, wherever the tree is.
    pub fn plain(&mut self, bytes: &[u8]) -> String {
        match readable(bytes) {
            Some(text) => literal(text),
            None => {
                self.count += 1;
                let name = format!("{}{}", self.name, self.count);
                self.lines.extend(assign(&name, bytes));
                format!("\"${name}\"")
            }
        }
    }
}
