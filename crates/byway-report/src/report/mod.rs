//! From what a program wrote to standard error, and how it ended, to findings.
//!
//! The text is cut into [`section`]s, one for each report of a sanitizer. What AddressSanitizer says is read by
//! [`address`], UndefinedBehaviorSanitizer by [`undefined`]. What no sanitizer says, a failed assertion, a signal, a
//! program that does not end, is in [`plain`].

mod address;
mod frame;
mod plain;
mod section;
mod undefined;

use crate::ending::Ending;
use crate::finding::{Finding, Frame};
use crate::key;

/// Stacks are kept up to here; those of endless recursion are much longer.
const FRAMES: usize = 100;

/// What is wrong with a run of `program` that ended like this and wrote this to standard error. A run that reports several
/// errors has several findings; what is only the consequence of another is noted there.
pub fn findings(program: &str, stderr: &[u8], ending: Ending) -> Vec<Finding> {
    let text = String::from_utf8_lossy(stderr);
    let mut findings: Vec<Finding> = Vec::new();
    let mut fatal = false;
    for section in section::sections(&text) {
        fatal |= section.is_fatal();
        let finding = match section.tool {
            section::Tool::Address => Some(explain(address::read(&section), &text)),
            section::Tool::Undefined => undefined::read(&section),
            section::Tool::Leak => None,
        };
        if let Some(finding) = finding {
            add(&mut findings, finding, program);
        }
    }
    let end = if fatal { None } else { plain::read(&text, ending) };
    end.into_iter().for_each(|finding| add(&mut findings, finding, program));
    findings
}

/// A program that aborts since an assertion does not hold has said so before.
fn explain(finding: Finding, text: &str) -> Finding {
    let assertion = Some(&finding).filter(|finding| finding.kind == "abort").and_then(|_| plain::assertion(text));
    match assertion {
        Some(assertion) => Finding { stack: finding.stack, ..assertion },
        None => finding,
    }
}

/// Adds a finding unless it is there already, or follows from the last one.
fn add(findings: &mut Vec<Finding>, mut finding: Finding, program: &str) {
    complete(&mut finding, program);
    if let Some(last) = findings.last_mut().filter(|last| follows(last, &finding)) {
        last.then.push(finding.kind);
        return;
    }
    if findings.iter().all(|other| other.key() != finding.key()) {
        findings.push(finding);
    }
}

/// Cuts the stack, and takes the place from it, or else from the program.
fn complete(finding: &mut Finding, program: &str) {
    let begin = finding.stack.iter().position(Frame::is_before_main).unwrap_or(finding.stack.len());
    finding.stack.truncate(begin.min(FRAMES));
    if let Some(frame) = top(finding) {
        finding.function = frame.function.or_else(|| finding.function.take());
        if frame.line.is_some() {
            (finding.file, finding.line, finding.column) = (frame.file, frame.line, frame.column.or(finding.column));
        }
    }
    if finding.file.is_none() && finding.function.is_none() {
        finding.file = Some(program.to_owned());
    }
}

/// The frame that is to blame: the first in the program's own sources; of endless recursion, the first that is part of it.
/// Without source positions, the first with a name that is not the C library's.
fn top(finding: &Finding) -> Option<Frame> {
    let cycle = if finding.kind == "stack-overflow" { key::cycle(&finding.stack) } else { Vec::new() };
    let in_cycle = |frame: &&Frame| frame.function.as_deref().is_some_and(|name| cycle.contains(&name));
    let mut own = finding.stack.iter().filter(|frame| frame.is_own());
    let chosen = own.clone().find(in_cycle).or_else(|| own.next());
    chosen.or_else(|| finding.stack.iter().find(|frame| frame::may_be_own(frame))).cloned()
}

/// Whether `second` is what `first` does at the same place, when nothing stops it.
fn follows(first: &Finding, second: &Finding) -> bool {
    let same_place = first.line == second.line && first.file == second.file && first.function == second.function;
    // A jump to nowhere leaves no stack.
    let place = same_place || (second.stack.is_empty() && second.kind == "SEGV");
    let fits = match first.kind.as_str() {
        "integer-divide-by-zero" | "signed-integer-overflow" => second.kind == "FPE",
        "pointer-overflow" => undefined::is_access(&second.kind) || address::is_access(&second.kind),
        "unreachable" | "return" => true,
        kind => undefined::is_access(kind) && address::is_access(&second.kind),
    };
    place && fits
}
