//! What AddressSanitizer says.

use crate::finding::{AccessedObject, Finding, Frame};

use super::frame;
use super::plain;
use super::section::Section;

/// Headlines that are sentences, where there is no summary to name them.
const SENTENCES: [(&str, &str); 9] = [
    ("attempting free on address", "bad-free"),
    ("attempting double-free", "double-free"),
    ("requested allocation size", "allocation-size-too-big"),
    ("calloc parameters overflow", "calloc-overflow"),
    ("reallocarray parameters overflow", "reallocarray-overflow"),
    ("invalid allocation alignment", "invalid-allocation-alignment"),
    ("hard rss limit exhausted", "out-of-memory"),
    ("allocator is out of memory", "out-of-memory"),
    ("Out of memory", "out-of-memory"),
];

/// What the names of errors have in them that are about an access.
const ACCESSES: [&str; 8] =
    ["SEGV", "BUS", "use-after", "buffer-overflow", "buffer-underflow", "unknown-crash", "wild-access", "param"];

/// Whether this is an error of an access.
pub fn is_access(kind: &str) -> bool {
    ACCESSES.iter().any(|part| kind.contains(part))
}

/// What the frames that come next are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stack {
    Error,
    Allocated,
    Freed,
    Other,
}

/// Reads a report.
pub fn read(section: &Section<'_>) -> Finding {
    let mut finding = Finding { kind: kind(section), ..Finding::default() };
    let mut object = AccessedObject::default();
    let mut stack = Stack::Error;
    for line in &section.lines {
        stack = next_stack(stack, line, &finding, &object);
        match frame::read(line) {
            Some(frame) => add_frame(stack, frame, &mut finding, &mut object),
            None => note(line, &mut finding, &mut object),
        }
    }
    finding.object = Some(object).filter(|object| !object.description.is_empty());
    finding.message = message(section, &finding);
    finding
}

fn kind(section: &Section<'_>) -> String {
    let sentence = SENTENCES.iter().find(|sentence| section.headline.contains(sentence.0)).map(|sentence| sentence.1);
    let summary = section.summary.and_then(|summary| summary.split([' ', ':']).next());
    let first = || section.headline.split([' ', ':']).next().unwrap_or_default();
    match summary.or(sentence).unwrap_or_else(first) {
        "ABRT" => "abort".to_owned(),
        kind => kind.to_owned(),
    }
}

fn next_stack(stack: Stack, line: &str, finding: &Finding, object: &AccessedObject) -> Stack {
    let is_variable = line.contains(" is located in stack of thread");
    if line.contains("allocated by thread") || (is_variable && object.description.is_empty()) {
        return Stack::Allocated;
    }
    if line.contains("freed by thread") {
        return Stack::Freed;
    }
    let over = line.trim().is_empty() && (stack != Stack::Error || !finding.stack.is_empty());
    if over || is_variable || line.contains(" created by ") { Stack::Other } else { stack }
}

fn add_frame(stack: Stack, frame: Frame, finding: &mut Finding, object: &mut AccessedObject) {
    let frames = match stack {
        Stack::Error => &mut finding.stack,
        Stack::Allocated => &mut object.allocated,
        Stack::Freed => &mut object.freed,
        Stack::Other => return,
    };
    if !frame.is_before_main() {
        frames.push(frame);
    }
}

/// A line that is not a frame: what was accessed, how, and what that is.
fn note(line: &str, finding: &mut Finding, object: &mut AccessedObject) {
    let line = line.trim();
    if let Some((access, _)) = line.split_once(" at 0x").filter(|access| access.0.contains(" of size ")) {
        finding.access.get_or_insert_with(|| access.to_owned());
    } else if let Some((_, rest)) = line.split_once("The signal is caused by a ") {
        finding.access = rest.split_once(" memory access").map(|access| access.0.to_owned());
    } else if let Some((_, description)) = line.split_once(" is located ") {
        if object.description.is_empty() {
            object.description = without_addresses(description);
        }
    } else if let Some((variable, access)) = line.split_once(" <== Memory access at offset ") {
        object.description = variable_of(variable, access, &object.allocated);
    }
}

/// From `[32, 48) 'first' (line 10) <== Memory access at offset 48 overflows this variable`.
fn variable_of(variable: &str, access: &str, frames: &[Frame]) -> String {
    let variable = variable.split_once(") ").map_or(variable, |split| split.1);
    let how = access.split_once(' ').map_or(access, |split| split.1).trim_end_matches(" this variable");
    let function = frames.first().and_then(|frame| frame.function.as_deref()).unwrap_or("?");
    format!("{how} variable {variable} of {function}")
}

fn message(section: &Section<'_>, finding: &Finding) -> String {
    match (&finding.access, &finding.object, finding.kind.as_str()) {
        (Some(access), Some(object), _) => format!("{access}, {}", object.description),
        (Some(access), None, "SEGV") => format!("{access} {}", faulty_address(section)),
        (Some(access), None, _) => access.clone(),
        (None, _, "stack-overflow") => "recursion without end, or variables too large".to_owned(),
        (None, _, "abort") => "the program aborts".to_owned(),
        (None, _, "double-free") => "attempting to free what was freed before".to_owned(),
        (None, _, "out-of-memory") => "the program uses more memory than it may".to_owned(),
        (None, _, kind) if kind.ends_with("-param-overlap") => "source and destination overlap".to_owned(),
        (None, _, kind) if plain::is_signal(kind) => format!("signal SIG{kind}"),
        (None, _, "allocation-size-too-big") => section.headline.split(" (").next().unwrap_or_default().to_owned(),
        (None, ..) => without_addresses(section.headline),
    }
}

/// Near zero says more than any other address, which may be another one next time.
fn faulty_address(section: &Section<'_>) -> &'static str {
    let zero = section.lines.iter().any(|line| line.contains("points to the zero page"));
    if zero { "of an address near zero" } else { "of an address where nothing is" }
}

/// Drops what differs from run to run: `[0x10,0x14)`, `(0x55)`, `address 0x10`, threads.
pub fn without_addresses(text: &str) -> String {
    let is_address = |word: &str| word.trim_start_matches(['[', '(']).starts_with("0x");
    let text = [" in thread ", " of thread ", " (thread "]
        .iter()
        .fold(text, |text, end| text.split(end).next().unwrap_or(text));
    let words: Vec<&str> = text.split(' ').filter(|word| !is_address(word)).collect();
    words.join(" ").trim_end_matches(':').to_owned()
}
