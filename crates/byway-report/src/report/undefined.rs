//! What UndefinedBehaviorSanitizer says.

use crate::finding::{Finding, Frame};

use super::address;
use super::frame;
use super::section::Section;

/// The names in the summary where they are not those of clang's `-fsanitize=`, which users know.
const NAMES: [(&str, &str); 23] = [
    ("undefined-behavior", "undefined"),
    ("null-pointer-use", "null"),
    ("nullptr-with-offset", "pointer-overflow"),
    ("nullptr-with-nonzero-offset", "pointer-overflow"),
    ("nullptr-after-nonzero-offset", "pointer-overflow"),
    ("misaligned-pointer-use", "alignment"),
    ("alignment-assumption", "alignment"),
    ("insufficient-object-size", "object-size"),
    ("invalid-builtin-use", "builtin"),
    ("invalid-shift-base", "shift-base"),
    ("invalid-shift-exponent", "shift-exponent"),
    ("out-of-bounds-index", "bounds"),
    ("local-out-of-bounds", "local-bounds"),
    ("unreachable-call", "unreachable"),
    ("missing-return", "return"),
    ("non-positive-vla-index", "vla-bound"),
    ("invalid-bool-load", "bool"),
    ("invalid-enum-load", "enum"),
    ("function-type-mismatch", "function"),
    ("invalid-null-return", "returns-nonnull-attribute"),
    ("invalid-null-argument", "nonnull-attribute"),
    ("dynamic-type-mismatch", "vptr"),
    ("cfi-bad-type", "cfi"),
];

/// The checks by what they say, where there is no summary; the first that fits.
const TEXTS: [(&str, &str); 26] = [
    ("signed integer overflow", "signed-integer-overflow"),
    ("cannot be represented in type", "signed-integer-overflow"),
    ("division by zero", "integer-divide-by-zero"),
    ("shift exponent", "shift-exponent"),
    ("left shift of", "shift-base"),
    ("null pointer of type", "null"),
    ("misaligned address", "alignment"),
    ("with insufficient space", "object-size"),
    ("out of bounds for type", "bounds"),
    ("pointer index expression", "pointer-overflow"),
    ("offset to null pointer", "pointer-overflow"),
    ("produced null pointer", "pointer-overflow"),
    ("addition of unsigned offset", "pointer-overflow"),
    ("variable length array bound", "vla-bound"),
    ("unreachable program point", "unreachable"),
    ("without returning a value", "return"),
    ("outside the range of representable values", "float-cast-overflow"),
    ("not a valid value for type 'bool'", "bool"),
    ("not a valid value for type '_Bool'", "bool"),
    ("not a valid value for type", "enum"),
    ("incorrect function type", "function"),
    ("passing zero to", "builtin"),
    ("declared to never be null", "nonnull-attribute"),
    ("annotated to never be null", "nonnull-attribute"),
    ("to never return null", "returns-nonnull-attribute"),
    ("_Nonnull binding to null", "null"),
];

/// Checks that are about an access which then takes place.
const ACCESSES: [&str; 7] =
    ["null", "alignment", "object-size", "bounds", "local-bounds", "function", "nonnull-attribute"];

/// Whether this is a check of an access.
pub fn is_access(kind: &str) -> bool {
    ACCESSES.contains(&kind)
}

/// Whether this is the name of a check.
pub fn is_kind(kind: &str) -> bool {
    let is_named = NAMES.iter().chain(&TEXTS).any(|known| known.1 == kind);
    is_named || ["implicit-", "unsigned-", "float-"].iter().any(|prefix| kind.starts_with(prefix))
}

/// Reads a report. A line that only looks like one has neither stack nor summary.
pub fn read(section: &Section<'_>) -> Option<Finding> {
    let frames = frames(&section.lines);
    if frames.is_empty() && section.summary.is_none() {
        return None;
    }
    let (file, line, column) = frame::split_place(section.place);
    Some(Finding {
        kind: kind(section),
        message: headline(section.headline),
        file: line.map(|_| frame::tidy(file)),
        line,
        column,
        stack: frames,
        ..Finding::default()
    })
}

/// The headline without addresses, which are others in the next run; what is left is a sentence.
fn headline(text: &str) -> String {
    let before = text.find(" overflowed to 0x").map_or(text, |at| &text[..at + " overflowed".len()]);
    let words: Vec<&str> = before.split(' ').collect();
    let is_address = |word: &str| word.starts_with("0x");
    let sentence = words.iter().enumerate().filter_map(|(at, &word)| match (word, words.get(at + 1)) {
        // `with base 0x10 overflowed`, `offset to 0x10 overflowed`.
        ("with", Some(&"base")) => None,
        ("base", Some(next)) if is_address(next) => None,
        (_, _) if is_address(word) && at > 0 && ["to", "from"].contains(&words[at - 1]) => Some("a pointer"),
        _ if is_address(word) => None,
        _ => Some(word),
    });
    address::without_addresses(&sentence.collect::<Vec<_>>().join(" "))
}

fn kind(section: &Section<'_>) -> String {
    let named =
        section.summary.and_then(|summary| summary.split(' ').next()).filter(|name| *name != "undefined-behavior");
    if let Some(name) = named {
        let known = NAMES.iter().find(|known| known.0 == name);
        return known.map_or(name, |known| known.1).to_owned();
    }
    let known = TEXTS.iter().find(|known| section.headline.contains(known.0));
    known.map_or("undefined", |known| known.1).to_owned()
}

/// Frames follow each other; notes may come before them.
fn frames(lines: &[&str]) -> Vec<Frame> {
    lines.iter().map(|line| frame::read(line)).skip_while(Option::is_none).map_while(|frame| frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_without_addresses_is_a_sentence() {
        let headlines = [
            ("pointer index expression with base 0x602 overflowed to 0x5fe", "pointer index expression overflowed"),
            (
                "addition of unsigned offset to 0x7ff overflowed to 0x3",
                "addition of unsigned offset to a pointer overflowed",
            ),
            (
                "subtraction of unsigned offset from 0x7 overflowed to 0xf3",
                "subtraction of unsigned offset from a pointer overflowed",
            ),
            (
                "load of misaligned address 0x602 for type 'int', which requires 4 byte alignment",
                "load of misaligned address for type 'int', which requires 4 byte alignment",
            ),
            ("applying non-zero offset 12 to null pointer", "applying non-zero offset 12 to null pointer"),
        ];
        headlines.iter().for_each(|(text, expected)| assert_eq!(headline(text), *expected));
    }
}
