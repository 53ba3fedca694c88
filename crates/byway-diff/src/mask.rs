//! Outputs of several runs of one version: what all of them have in common.
//!
//! A [`Pattern`] is the text of the first run in words. Where another run says something else, the pattern has a gap. So a
//! process number, a time or an address is a gap, and the rest of its line is compared.

use std::time::Duration;

use crate::align::aligned;

/// So long two texts are compared word by word; what is left then counts as different.
const PATIENCE: Duration = Duration::from_millis(300);
/// A gap of one version stands for at most so many words of the other.
const GAP: usize = 16;

/// A word of a text, or a place where runs of the same version differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece<'a> {
    /// A word.
    Word(&'a [u8]),
    /// Such a place.
    Gap,
}

impl<'a> Piece<'a> {
    /// The word; nothing, for a gap.
    pub fn text(&self) -> &'a [u8] {
        match self {
            Piece::Word(word) => word,
            Piece::Gap => &[],
        }
    }
}

/// What several texts have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern<'a> {
    first: &'a [u8],
    pieces: Vec<Piece<'a>>,
}

impl<'a> Pattern<'a> {
    /// What these texts have in common. There is at least one.
    pub fn of(texts: &[&'a [u8]]) -> Pattern<'a> {
        let (first, others) = texts.split_first().expect("there is at least one run");
        let mut pattern = Pattern { first, pieces: Vec::new() };
        if others.iter().all(|other| other == first) {
            return pattern;
        }
        pattern.pieces = words(first);
        for other in others.iter().filter(|other| *other != first) {
            pattern.fold(other);
        }
        pattern
    }

    /// Whether the texts differ.
    pub fn has_gaps(&self) -> bool {
        self.pieces.contains(&Piece::Gap)
    }

    /// Whether two versions say something else in what neither of them leaves open.
    pub fn differs_from(&self, other: &Pattern<'_>) -> bool {
        if !self.has_gaps() && !other.has_gaps() {
            return self.first != other.first;
        }
        let (own, others) = (self.all(), other.all());
        let mut differing = aligned(&own, &others, PATIENCE).into_iter().filter(|stretch| !stretch.is_same);
        differing.any(|stretch| !is_open(&own[stretch.old], &others[stretch.new]))
    }

    fn all(&self) -> Vec<Piece<'a>> {
        if self.pieces.is_empty() { words(self.first) } else { self.pieces.clone() }
    }

    fn fold(&mut self, text: &'a [u8]) {
        let other = words(text);
        let mut pieces = Vec::new();
        for stretch in aligned(&self.pieces, &other, PATIENCE) {
            match stretch.is_same {
                true => pieces.extend_from_slice(&self.pieces[stretch.old]),
                false => pieces.push(Piece::Gap),
            }
        }
        self.pieces = widened(&pieces);
    }
}

/// Whether one of two parts is a gap that the other can be the content of.
fn is_open(one: &[Piece<'_>], other: &[Piece<'_>]) -> bool {
    let is_gap = |part: &[Piece<'_>]| !part.is_empty() && part.iter().all(|piece| *piece == Piece::Gap);
    let fits = |part: &[Piece<'_>]| part.len() <= GAP && !part.contains(&Piece::Word(b"\n"));
    (is_gap(one) && fits(other)) || (is_gap(other) && fits(one))
}

/// Gaps with the blanks around them: numbers of different lengths are padded differently.
fn widened<'a>(pieces: &[Piece<'a>]) -> Vec<Piece<'a>> {
    let mut wide: Vec<Piece<'a>> = Vec::new();
    for &piece in pieces {
        match (wide.last(), piece) {
            (Some(Piece::Gap), Piece::Gap) => {}
            (Some(Piece::Gap), Piece::Word(word)) if is_blank(word) => {}
            (_, Piece::Gap) => {
                while matches!(wide.last(), Some(Piece::Word(word)) if is_blank(word)) {
                    wide.pop();
                }
                if wide.last() != Some(&Piece::Gap) {
                    wide.push(Piece::Gap);
                }
            }
            (_, word) => wide.push(word),
        }
    }
    wide
}

fn is_blank(word: &[u8]) -> bool {
    word.iter().all(|&byte| byte == b' ' || byte == b'\t')
}

/// What kind of word a byte belongs to; bytes of kind 0 are words of their own.
fn kind(byte: u8) -> u8 {
    match byte {
        b' ' | b'\t' => 1,
        byte if byte.is_ascii_alphanumeric() || byte >= 0x80 => 2,
        _ => 0,
    }
}

/// A text in words.
pub fn words(text: &[u8]) -> Vec<Piece<'_>> {
    text.chunk_by(|&one, &next| kind(one) != 0 && kind(one) == kind(next)).map(Piece::Word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(old: &[&str], new: &[&str]) -> bool {
        let pattern = |texts: &[&str]| {
            Pattern::of(&texts.iter().map(|text| text.as_bytes()).collect::<Vec<_>>())
                .differs_from(&Pattern::of(&new.iter().map(|text| text.as_bytes()).collect::<Vec<_>>()))
        };
        pattern(old)
    }

    #[test]
    fn texts_that_never_vary_are_compared_byte_by_byte() {
        assert!(!differ(&["a b", "a b"], &["a b"]));
        assert!(differ(&["a b"], &["a  b"]));
    }

    #[test]
    fn what_varies_is_not_compared_and_the_rest_is() {
        assert!(!differ(&["pid 12: ok", "pid 13: ok"], &["pid 14: ok", "pid 1599: ok"]));
        assert!(differ(&["pid 12: ok", "pid 13: ok"], &["pid 14: no", "pid 1599: no"]));
        assert!(!differ(&["at 0x7ffd12\n", "at 0x7ffe34\n"], &["at 0x7ffe34\n", "at 0x7ffd99\n"]));
    }

    #[test]
    fn padding_belongs_to_what_is_padded() {
        assert!(!differ(&["n   999.", "n  1000."], &["n    12.", "n    13."]));
    }

    #[test]
    fn what_varies_in_one_version_only_is_left_open_within_its_line() {
        assert!(!differ(&["x 1\nend\n", "x 2\nend\n"], &["x 5\nend\n"]));
        assert!(differ(&["x 1\nend\n", "x 2\nend\n"], &["x 5\nmore\nend\n"]));
    }
}
