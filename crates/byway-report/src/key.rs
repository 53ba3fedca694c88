//! One defect, one finding: what makes two findings the same.
//!
//! A defect is known by its class, its function, and the text of its line with the column in it, so it stays the same when
//! lines move. What is wrong with a freed object is known by where the object was freed and allocated: whoever uses it then,
//! it is the same defect.

use std::collections::BTreeMap;
use std::path::Path;

use byway_snapshot::SourceTexts;

use crate::anchor::{Anchor, Sources};
use crate::finding::{AccessedObject, Finding, Frame};

/// Kinds that one and the same access has, depending on how far off it is, and what it is called before anybody has seen
/// it happen.
const ACCESSES: [&str; 11] = [
    "out-of-bounds",
    "heap-buffer-overflow",
    "stack-buffer-overflow",
    "stack-buffer-underflow",
    "dynamic-stack-buffer-overflow",
    "global-buffer-overflow",
    "container-overflow",
    "unknown-crash",
    "wild-access",
    "SEGV",
    "BUS",
];

/// Kinds that are uses of an object that was freed.
const FREED: [&str; 2] = ["heap-use-after-free", "double-free"];

/// A function that is so often on a stack is part of what makes it overflow.
const CYCLE: usize = 3;
/// So many calls say where an object was freed: a function that frees what it is given frees other objects too.
const FREEING: usize = 3;

impl Finding {
    /// What it has in common with all findings of the same defect, and with no others: what is wrong and where, but not
    /// which input or address.
    pub fn key(&self) -> String {
        let class = self.class();
        if self.kind == "stack-overflow" {
            return format!("{class} {}", cycle(&self.stack).join(" "));
        }
        if let Some(object) = self.object.as_ref().filter(|_| self.is_of_freed_object()) {
            let freed = own(&object.freed).take(FREEING).map(Frame::key);
            let allocated = own(&object.allocated).take(1).map(Frame::key);
            return format!("freed {} of {}", freed.collect::<Vec<_>>().join(" "), allocated.collect::<String>());
        }
        let place = key_of_place(&self.file, self.line, self.column, self.anchor.as_ref());
        format!("{class} {} {place}", self.function.as_deref().unwrap_or_default())
    }

    /// The same with files named from a directory.
    pub(crate) fn key_from(&self, root: &Path) -> String {
        let named = |file: &mut Option<String>| {
            if let Some(path) = file.as_deref().and_then(|file| Path::new(file).strip_prefix(root).ok()) {
                *file = Some(path.to_string_lossy().into_owned());
            }
        };
        let mut finding = self.clone();
        named(&mut finding.file);
        let object = finding.object.iter_mut();
        object
            .flat_map(|object| object.freed.iter_mut().chain(&mut object.allocated))
            .for_each(|frame| named(&mut frame.file));
        finding.key()
    }

    /// Whether this is a use of an object, and it is known where in the program that was freed.
    pub(crate) fn is_of_freed_object(&self) -> bool {
        let is_freed = |object: &AccessedObject| own(&object.freed).next().is_some();
        FREED.contains(&self.kind.as_str()) && self.object.as_ref().is_some_and(is_freed)
    }

    /// The same, known by what stands at its place in these sources, as those of reports are.
    pub fn anchored(mut self, texts: &SourceTexts) -> Finding {
        self.find_anchors(&mut Sources::new(texts));
        self
    }

    /// Looks up what the lines say that it is known by.
    pub(crate) fn find_anchors(&mut self, sources: &mut Sources) {
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            self.anchor = sources.anchor(file, line, self.column, self.function.as_deref());
        }
        if !self.is_of_freed_object() {
            return;
        }
        let Some(object) = &mut self.object else { return };
        let freed = object.freed.iter_mut().filter(|frame| frame.is_own()).take(FREEING);
        let allocated = object.allocated.iter_mut().filter(|frame| frame.is_own()).take(1);
        for frame in freed.chain(allocated) {
            if let (Some(file), Some(line)) = (&frame.file, frame.line) {
                frame.anchor = sources.anchor(file, line, frame.column, frame.function.as_deref());
            }
        }
    }

    /// The kind, or what it is a variant of, depending on how far off an access is.
    pub(crate) fn class(&self) -> &str {
        match self.kind.as_str() {
            kind if ACCESSES.contains(&kind) => "access",
            "pointer-overflow" if self.message.ends_with("to null pointer") => "null",
            kind => kind,
        }
    }

    /// A short name for the defect, from its key.
    pub fn id(&self) -> String {
        blake3::hash(self.key().as_bytes()).to_hex()[..12].to_owned()
    }
}

impl Frame {
    /// What it has in common with the same call of another build.
    fn key(&self) -> String {
        let place = key_of_place(&self.file, self.line, self.column, self.anchor.as_ref());
        format!("{} {place}", self.function.as_deref().unwrap_or_default())
    }
}

/// The frames in the program's own sources.
fn own(stack: &[Frame]) -> impl Iterator<Item = &Frame> {
    stack.iter().filter(|frame| frame.is_own())
}

/// A place: what its line says if that is known, or else its number.
fn key_of_place(file: &Option<String>, line: Option<u32>, column: Option<u32>, anchor: Option<&Anchor>) -> String {
    let file = file.as_deref().unwrap_or_default();
    let number = |number: Option<u32>| number.map(|number| format!(":{number}")).unwrap_or_default();
    match anchor {
        Some(Anchor { text, column, ordinal }) => format!("{file} {text:?}:{column}#{ordinal}"),
        None => format!("{file}{}{}", number(line), number(column)),
    }
}

/// The functions that call each other without end, by name.
pub fn cycle(stack: &[Frame]) -> Vec<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in stack.iter().filter_map(|frame| frame.function.as_deref()) {
        *counts.entry(name).or_default() += 1;
    }
    let often = counts.iter().filter(|count| *count.1 >= CYCLE).map(|count| *count.0);
    let names: Vec<&str> = often.collect();
    if names.is_empty() {
        stack.first().and_then(|frame| frame.function.as_deref()).into_iter().collect()
    } else {
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::ObjectUse;

    fn finding(kind: &str, message: &str, line: u32) -> Finding {
        let (kind, message) = (kind.to_owned(), message.to_owned());
        Finding { kind, message, file: Some("x.c".to_owned()), line: Some(line), ..Finding::default() }
    }

    fn recursion(names: &[&str]) -> Finding {
        let frame = |name: &&str| Frame { function: Some((*name).to_owned()), ..Frame::default() };
        Finding { stack: names.iter().map(frame).collect(), ..finding("stack-overflow", "", 3) }
    }

    #[test]
    fn how_far_off_an_access_is_makes_no_difference() {
        let near = finding("heap-buffer-overflow", "READ of size 1, 0 bytes after 4-byte region", 3);
        assert_eq!(near.id(), finding("SEGV", "READ of an address where nothing is", 3).id());
        assert_ne!(near.id(), finding("heap-buffer-overflow", "", 4).id());
        assert_ne!(near.id(), finding("heap-use-after-free", "", 3).id());
    }

    #[test]
    fn any_element_of_nothing_is_null() {
        let first = finding("null", "load of null pointer of type 'int'", 3);
        assert_eq!(first.id(), finding("pointer-overflow", "applying non-zero offset 12 to null pointer", 3).id());
        assert_ne!(first.id(), finding("pointer-overflow", "addition of unsigned offset to overflowed to", 3).id());
    }

    #[test]
    fn two_columns_of_a_line_are_two_places() {
        let at = |column: u32| Finding { column: Some(column), ..finding("integer-divide-by-zero", "", 3) };
        assert_ne!(at(5).id(), at(9).id());
    }

    #[test]
    fn what_stands_at_a_place_counts_not_its_number() {
        let anchor = |ordinal: u32| Some(Anchor { text: "a / b;".to_owned(), column: 3, ordinal });
        let at = |line: u32, ordinal: u32| Finding { anchor: anchor(ordinal), ..finding("null", "", line) };
        assert_eq!(at(3, 0).id(), at(7, 0).id());
        assert_ne!(at(3, 0).id(), at(3, 1).id());
    }

    /// A use of an object that was freed by these calls, by line.
    fn used(kind: &str, line: u32, freed: &[u32], allocated: u32) -> Finding {
        let frame = |&line: &u32| Frame { file: Some("/src/x.c".to_owned()), line: Some(line), ..Frame::default() };
        let object = AccessedObject {
            description: "0 bytes inside of 8-byte region".to_owned(),
            allocated: vec![frame(&allocated)],
            freed: freed.iter().map(frame).collect(),
        };
        Finding { object: Some(object), ..finding(kind, "", line) }
    }

    #[test]
    fn uses_of_the_same_freed_object_are_one_defect() {
        let read = used("heap-use-after-free", 20, &[10, 30], 5);
        let again = used("double-free", 21, &[10, 30], 5);
        assert_eq!(read.id(), again.id());
        // Another one frees it, another caller does, or it is another object.
        for other in [used("double-free", 21, &[11, 30], 5), used("double-free", 21, &[10, 31], 5)] {
            assert_ne!(read.id(), other.id());
        }
        assert_ne!(read.id(), used("heap-use-after-free", 20, &[10, 30], 6).id());
        let mut both = read.clone();
        both.add_places_of(&again);
        both.add_places_of(&again);
        assert_eq!(both.also.iter().map(ObjectUse::to_string).collect::<Vec<_>>(), ["double-free at x.c:21"]);
    }

    #[test]
    fn endless_recursion_is_known_by_its_cycle() {
        let from_leaf = recursion(&["leaf", "odd", "even", "odd", "even", "odd", "even"]);
        assert_eq!(from_leaf.key(), "stack-overflow even odd");
        assert_eq!(from_leaf.id(), recursion(&["even", "odd", "even", "odd", "even", "odd", "main"]).id());
    }
}
