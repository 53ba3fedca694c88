//! One defect, one finding: what makes two findings the same.

use std::collections::BTreeMap;

use crate::finding::{Finding, Frame};

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

/// A function that is so often on a stack is part of what makes it overflow.
const CYCLE: usize = 3;

impl Finding {
    /// What it has in common with all findings of the same defect, and with no others: what is wrong and where, but not
    /// which input or address.
    pub fn key(&self) -> String {
        let class = self.class();
        if self.kind == "stack-overflow" {
            return format!("{class} {}", cycle(&self.stack).join(" "));
        }
        let place = |text: &Option<String>| text.clone().unwrap_or_default();
        let line = self.line.map(|line| line.to_string()).unwrap_or_default();
        format!("{class} {} {}:{line}", place(&self.function), place(&self.file))
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
    fn endless_recursion_is_known_by_its_cycle() {
        let from_leaf = recursion(&["leaf", "odd", "even", "odd", "even", "odd", "even"]);
        assert_eq!(from_leaf.key(), "stack-overflow even odd");
        assert_eq!(from_leaf.id(), recursion(&["even", "odd", "even", "odd", "even", "odd", "main"]).id());
    }
}
