//! What a run shows without a sanitizer: assertions, signals, no end.

use crate::finding::Finding;
use crate::hang::HANG;
use byway_input::Ending;

use super::frame;

/// Names of signals as AddressSanitizer has them.
const SIGNALS: [&str; 7] = ["ABRT", "BUS", "FPE", "ILL", "SEGV", "SYS", "TRAP"];

/// Whether this kind is the name of a signal.
pub fn is_signal(kind: &str) -> bool {
    SIGNALS.contains(&kind)
}

/// The finding that the ending is, if it is one.
pub fn read(text: &str, ending: Ending) -> Option<Finding> {
    let (kind, message) = match (ending, ending.fault()) {
        (Ending::TimedOut, _) => (HANG, "the program does not end".to_owned()),
        (Ending::OutOfMemory, _) => ("out-of-memory", "the program uses more memory than it may".to_owned()),
        (_, Some("ABRT")) => return assertion(text).or_else(|| Some(aborted(text))),
        (_, Some(signal)) => (signal, format!("signal SIG{signal}")),
        _ => return None,
    };
    Some(Finding { kind: kind.to_owned(), message, ..Finding::default() })
}

/// The C library says why it aborts on its last line (`free(): invalid pointer`).
fn aborted(text: &str) -> Finding {
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    let message = last.map_or("the program aborts".to_owned(), |line| format!("the program aborts: {}", line.trim()));
    Finding { kind: "abort".to_owned(), message, ..Finding::default() }
}

/// Reads ``program: file.c:3: void check(int): Assertion `n != 3' failed.``, if there is such a line.
pub fn assertion(text: &str) -> Option<Finding> {
    let (before, rest) = text.lines().rev().find_map(|line| line.split_once(": Assertion `"))?;
    let (condition, _) = rest.rsplit_once("' failed")?;
    let mut parts = before.splitn(3, ": ");
    let (_, place, signature) = (parts.next()?, parts.next()?, parts.next());
    let (file, line, column) = frame::split_place(place);
    Some(Finding {
        kind: "assertion-failure".to_owned(),
        message: format!("assertion `{condition}` failed"),
        file: Some(frame::tidy(file)),
        line,
        column,
        function: signature.map(function_name),
        ..Finding::default()
    })
}

/// `check` of `void check(int)`.
fn function_name(signature: &str) -> String {
    let name = signature.split('(').next().unwrap_or(signature);
    name.rsplit([' ', '*']).next().unwrap_or(name).to_owned()
}
