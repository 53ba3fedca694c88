//! One defect, one finding: what makes two findings the same.

use std::collections::BTreeMap;

use crate::finding::{Finding, Frame};

/// Kinds that one and the same access has, depending on how far off it is.
const ACCESSES: [&str; 10] = [
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
    fn class(&self) -> &str {
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
