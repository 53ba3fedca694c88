//! The parts of an input, and the pieces of them that can be left out.

use std::ops::Range;
use std::path::PathBuf;

use byway_input::ConcreteInput;

/// A text that a run is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// An argument, the first behind the program's name is 0.
    Argument(usize),
    /// Standard input.
    Stdin,
    /// The file of this name.
    File(PathBuf),
}

/// What a part is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Lines,
    Characters,
}

/// All parts of an input: short ones are first among those of a kind.
pub fn parts(input: &ConcreteInput) -> Vec<Part> {
    let mut arguments: Vec<_> = (0..input.arguments.len()).collect();
    arguments.sort_by_key(|&index| input.arguments[index].len());
    let stdin = input.stdin.as_ref().map(|_| Part::Stdin);
    let mut files: Vec<_> = input.files.iter().collect();
    files.sort_by_key(|(_, file)| file.content.len());
    let files = files.into_iter().map(|(path, _)| Part::File(path.clone()));
    arguments.into_iter().map(Part::Argument).chain(stdin).chain(files).collect()
}

impl Part {
    /// What it is in an input.
    pub fn content<'a>(&self, input: &'a ConcreteInput) -> &'a [u8] {
        match self {
            Part::Argument(index) => &input.arguments[*index],
            Part::Stdin => input.stdin.as_deref().unwrap_or_default(),
            Part::File(path) => input.files.content(path).unwrap_or_default(),
        }
    }

    /// Makes it another.
    pub fn set(&self, input: &mut ConcreteInput, content: Vec<u8>) {
        match self {
            Part::Argument(index) => input.arguments[*index] = content,
            Part::Stdin => input.stdin = Some(content),
            Part::File(path) => input.files.set(path, content),
        }
    }
}

/// The pieces of a content, one behind the other.
pub fn pieces(content: &[u8], unit: Unit) -> Vec<Range<usize>> {
    let mut begin = 0;
    let mut next = |length: usize| {
        begin += length;
        begin - length..begin
    };
    match unit {
        Unit::Lines => content.split_inclusive(|&byte| byte == b'\n').map(|line| next(line.len())).collect(),
        Unit::Characters => {
            content.utf8_chunks().flat_map(|chunk| lengths(chunk.valid(), chunk.invalid())).map(next).collect()
        }
    }
}

/// Characters, and what is none as single bytes.
fn lengths(valid: &str, invalid: &[u8]) -> Vec<usize> {
    valid.chars().map(char::len_utf8).chain(invalid.iter().map(|_| 1)).collect()
}

/// Whether it is text: lines are tried first.
pub fn is_text(content: &[u8]) -> bool {
    !content.contains(&0) && content.contains(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_lines_characters_or_bytes() {
        let texts = |content: &'static [u8], unit| -> Vec<&[u8]> {
            pieces(content, unit).into_iter().map(|piece| &content[piece]).collect()
        };
        assert_eq!(texts(b"a\nbc\n\nd", Unit::Lines), [&b"a\n"[..], b"bc\n", b"\n", b"d"]);
        assert_eq!(texts("aä\n".as_bytes(), Unit::Characters), [&b"a"[..], "ä".as_bytes(), b"\n"]);
        assert_eq!(texts(b"a\xff\xc3b", Unit::Characters), [&b"a"[..], b"\xff", b"\xc3", b"b"]);
        assert!(pieces(b"", Unit::Lines).is_empty() && pieces(b"", Unit::Characters).is_empty());
    }
}
