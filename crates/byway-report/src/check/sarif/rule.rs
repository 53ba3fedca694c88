//! Kinds of findings, as rules.

use serde_json::{Value, json};

use crate::level::Level;

/// What is known of a kind: its number in the Common Weakness Enumeration, how bad it is (of 10), and what it is.
struct Known(&'static str, u32, f64, &'static str);

const KNOWN: [Known; 33] = [
    Known("heap-buffer-overflow", 122, 8.8, "An access outside a block of the heap"),
    Known("stack-buffer-overflow", 121, 8.8, "An access behind a variable on the stack"),
    Known("stack-buffer-underflow", 124, 8.8, "An access before a variable on the stack"),
    Known("dynamic-stack-buffer-overflow", 121, 8.8, "An access outside an array of variable length"),
    Known("global-buffer-overflow", 787, 8.8, "An access outside a global variable"),
    Known("out-of-bounds", 119, 8.0, "An access outside its object"),
    Known("wild-access", 119, 8.0, "An access outside its object"),
    Known("bounds", 129, 8.0, "An index outside its array"),
    Known("heap-use-after-free", 416, 8.8, "An access to memory that was freed"),
    Known("stack-use-after-return", 562, 8.0, "An access to a variable of a function that has returned"),
    Known("stack-use-after-scope", 562, 8.0, "An access to a variable outside its scope"),
    Known("double-free", 415, 8.8, "Memory is freed twice"),
    Known("bad-free", 590, 8.0, "Something is freed that was not allocated"),
    Known("SEGV", 119, 7.5, "An access to memory that is not there"),
    Known("BUS", 119, 7.5, "An access to memory that is not there"),
    Known("null", 476, 6.5, "A null pointer is used"),
    Known("pointer-overflow", 468, 6.5, "A pointer is moved out of its object"),
    Known("negative-size-param", 195, 8.0, "A negative size is passed to a function"),
    Known("memcpy-param-overlap", 475, 5.0, "Source and destination of a copy overlap"),
    Known("integer-divide-by-zero", 369, 6.5, "A division by zero"),
    Known("FPE", 369, 6.5, "A division by zero, or one whose result does not fit"),
    Known("signed-integer-overflow", 190, 5.5, "The result of signed arithmetic does not fit"),
    Known("shift-exponent", 1335, 4.0, "A shift by a negative number of bits, or by too many"),
    Known("shift-base", 1335, 3.0, "A shift of a negative value, or of bits out of a signed one"),
    Known("allocation-size-too-big", 789, 5.5, "More memory is asked for than there can be"),
    Known("calloc-overflow", 190, 7.5, "The size of an allocation does not fit"),
    Known("vla-bound", 131, 5.5, "An array of variable length has no positive length"),
    Known("stack-overflow", 674, 6.0, "Recursion without end, or variables too large"),
    Known("abort", 617, 5.0, "The program aborts"),
    Known("assertion-failure", 617, 5.0, "An assertion does not hold"),
    Known("hang", 835, 5.0, "The program does not end"),
    Known("out-of-memory", 400, 5.0, "The program uses more memory than it may"),
    Known("unreachable", 758, 5.0, "Code is reached that was said to be unreachable"),
];

/// Undefined behaviour.
const UNDEFINED: u32 = 758;

/// The rule of a kind whose findings have at most this level.
pub fn rule(kind: &str, level: Level) -> Value {
    let known = KNOWN.iter().find(|known| known.0 == kind);
    let (weakness, severity) = known.map_or((UNDEFINED, 5.0), |known| (known.1, known.2));
    let what = known.map_or_else(|| format!("The program does something wrong: {kind}"), |known| known.3.to_owned());
    json!({
        "id": kind,
        "name": name(kind),
        "shortDescription": { "text": what },
        "fullDescription": { "text": format!("{what}, on an input near one of the project's own tests.") },
        "help": { "text": HELP },
        "defaultConfiguration": { "level": level },
        "properties": {
            "tags": ["security", "correctness", format!("external/cwe/cwe-{weakness:03}")],
            "precision": "very-high",
            "problem.severity": severity_name(level),
            "security-severity": format!("{severity:.1}"),
        },
    })
}

/// The name that GitHub has for a level.
fn severity_name(level: Level) -> &'static str {
    if level == Level::Note { "recommendation" } else { level.name() }
}

const HELP: &str = "The message says which test shows it and which bytes of its input were changed. run.sh in the \
    directory of the finding runs the program on that input again; report.txt is what the sanitizers said. Findings of \
    level warning are undefined behaviour that has no other effect; those of level note were not confirmed.";

/// A kind as names of rules are written: `HeapBufferOverflow`.
fn name(kind: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
    };
    kind.split('-').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_rule() {
        assert_eq!(rule("heap-buffer-overflow", Level::Error)["name"], "HeapBufferOverflow");
        assert_eq!(rule("float-cast-overflow", Level::Warning)["properties"]["tags"][2], "external/cwe/cwe-758");
        assert_eq!(rule("shift-base", Level::Warning)["properties"]["security-severity"], "3.0");
    }
}
