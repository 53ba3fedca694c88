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

use crate::anchor::{self, Sources};
use crate::finding::{Finding, Frame};
use crate::key;
use byway_input::Ending;
use byway_snapshot::SourceTexts;

/// Stacks are kept up to here; those of endless recursion are much longer.
const FRAMES: usize = 100;

/// What is wrong with a run of `program` that ended like this and wrote this to standard error. A run that reports several
/// errors has several findings; what is only the consequence of another is noted there.
pub fn findings(program: &str, stderr: &[u8], ending: Ending) -> Vec<Finding> {
    findings_in(&SourceTexts::default(), program, stderr, ending)
}

/// The same for a program whose sources are these.
pub fn findings_in(texts: &SourceTexts, program: &str, stderr: &[u8], ending: Ending) -> Vec<Finding> {
    let text = String::from_utf8_lossy(stderr);
    let mut run = Run { program, findings: Vec::new(), sources: Sources::new(texts) };
    let mut fatal = false;
    for section in section::sections(&text) {
        fatal |= section.is_fatal();
        let finding = match section.tool {
            section::Tool::Address => Some(explain(address::read(&section), &text)),
            section::Tool::Undefined => undefined::read(&section),
            section::Tool::Leak => None,
        };
        if let Some(finding) = finding {
            run.add(finding);
        }
    }
    let end = if fatal { None } else { plain::read(&text, ending) };
    end.into_iter().for_each(|finding| run.add(finding));
    run.findings
}

/// A program that aborts since an assertion does not hold has said so before.
fn explain(finding: Finding, text: &str) -> Finding {
    let assertion = Some(&finding).filter(|finding| finding.kind == "abort").and_then(|_| plain::assertion(text));
    match assertion {
        Some(assertion) => Finding { stack: finding.stack, ..assertion },
        None => finding,
    }
}

/// Whether a kind is one of UndefinedBehaviorSanitizer.
pub(crate) fn is_undefined(kind: &str) -> bool {
    undefined::is_kind(kind)
}

impl Finding {
    /// Whether a program ends with this report, unless it is told to go on. It does not end with what
    /// UndefinedBehaviorSanitizer reports.
    pub fn ends_run(&self) -> bool {
        !undefined::is_kind(&self.kind)
    }

    /// Whether AddressSanitizer can go on behind it: nobody can behind a signal, or when there is no memory.
    pub fn can_go_on(&self) -> bool {
        let then = self.then.last().and_then(|then| then.split(' ').next());
        let kind = then.unwrap_or(&self.kind);
        let is_end = matches!(kind, "abort" | "assertion-failure" | "hang" | "out-of-memory" | "stack-overflow");
        !is_end && !plain::is_signal(kind)
    }

    /// Whether it is about what stands at a column of its line.
    pub fn is_at_column(&self, column: u32) -> bool {
        match (self.column, &self.anchor) {
            (Some(own), _) if own == column => true,
            // Operators of arithmetic are where they are.
            (Some(_), _) if !undefined::is_access(&self.kind) && self.class() != "access" => false,
            (Some(own), Some(anchor)) => {
                let indent = own.saturating_sub(anchor.column);
                anchor::is_same_operand(&anchor.text, anchor.column, column.saturating_sub(indent))
            }
            _ => true,
        }
    }
}

/// The findings of one run, as they come.
struct Run<'a> {
    program: &'a str,
    findings: Vec<Finding>,
    sources: Sources,
}

impl Run<'_> {
    /// Adds a finding unless it is there already, or follows from the last one.
    fn add(&mut self, mut finding: Finding) {
        complete(&mut finding, self.program);
        finding.find_anchors(&mut self.sources);
        let line = finding.file.as_deref().zip(finding.line).and_then(|(file, line)| self.sources.line(file, line));
        if let Some(last) = self.findings.last_mut().filter(|last| follows(last, &finding, line)) {
            let then =
                if is_same_line(last, &finding) || !has_place(&finding) { finding.kind } else { finding.to_string() };
            last.then.push(then);
            return;
        }
        match self.findings.iter_mut().find(|other| other.key() == finding.key()) {
            Some(known) => known.add_places_of(&finding),
            None => self.findings.push(finding),
        }
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

/// Whether `second` is what `first` does when nothing stops it; `line` is what the line of the second says.
fn follows(first: &Finding, second: &Finding, line: Option<&str>) -> bool {
    let is_signal = matches!(second.kind.as_str(), "SEGV" | "BUS");
    // A jump to nowhere leaves no place.
    let is_lost = is_signal && !has_place(second);
    // Whoever is given the address of a member of nothing fails where it uses that.
    let is_null = is_of_null(first);
    let is_given = is_null && is_of_null(second) && is_called_from(second, first);
    let is_near_null = is_null && is_signal && second.message.ends_with("near zero");
    let is_end = matches!(first.kind.as_str(), "unreachable" | "return");
    let is_there = is_same_line(first, second) && (is_null || is_end || is_same_operand(first, second, line));
    let fits = match first.kind.as_str() {
        "integer-divide-by-zero" | "signed-integer-overflow" => second.kind == "FPE",
        "pointer-overflow" => undefined::is_access(&second.kind) || address::is_access(&second.kind),
        _ if is_end => true,
        kind => undefined::is_access(kind) && address::is_access(&second.kind),
    };
    // A division that is reported traps at once, wherever the compiler has moved it within its function.
    let is_trap = second.kind == "FPE" && first.function == second.function && first.file == second.file;
    is_given || fits && (is_there || is_lost || is_near_null || is_trap)
}

/// Whether it is about a pointer to nothing.
fn is_of_null(finding: &Finding) -> bool {
    finding.class() == "null" || finding.kind == "nonnull-attribute"
}

/// Whether a call of the first is made on the line of the second.
fn is_called_from(called: &Finding, from: &Finding) -> bool {
    let is_there = |frame: &Frame| frame.line == from.line && frame.file == from.file;
    from.line.is_some() && called.stack.iter().skip(1).any(is_there)
}

fn is_same_line(first: &Finding, second: &Finding) -> bool {
    first.line == second.line && first.file == second.file && first.function == second.function
}

/// Whether it is known where it happened. What the compiler has moved is on line 0.
fn has_place(finding: &Finding) -> bool {
    finding.line.is_some_and(|line| line > 0)
}

/// Whether both are about the same part of a line, as far as anybody knows.
fn is_same_operand(first: &Finding, second: &Finding, line: Option<&str>) -> bool {
    match (first.column, second.column, line) {
        (Some(first), Some(second), Some(line)) if first != second => anchor::is_same_operand(line, first, second),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undefined(what: &str, kind: &str, frames: &[&str]) -> String {
        format!("x.c:1:1: runtime error: {what}\n{}SUMMARY: UndefinedBehaviorSanitizer: {kind} x.c\n", stack(frames))
    }

    fn address(headline: &str, note: &str, frames: &[&str]) -> String {
        let kind = headline.split(' ').next().unwrap();
        let stack = stack(frames);
        format!("==1==ERROR: AddressSanitizer: {headline}\n{note}\n{stack}\nSUMMARY: AddressSanitizer: {kind} x.c\n")
    }

    fn stack(frames: &[&str]) -> String {
        frames.iter().enumerate().map(|(number, frame)| format!("    #{number} 0x1 in {frame}\n")).collect()
    }

    fn shown(text: &str) -> Vec<String> {
        let found = findings("x", text.as_bytes(), Ending::Exited(1));
        found.iter().map(|finding| format!("{finding} then {:?}", finding.then)).collect()
    }

    const NEAR_ZERO: &str =
        "==1==The signal is caused by a READ memory access.\n==1==Hint: address points to the zero page.";

    #[test]
    fn a_crash_through_nothing_belongs_to_where_nothing_was_first_used() {
        let null = undefined("member access within null pointer", "null-pointer-use", &["main /src/x.c:9:3"]);
        let crash = address("SEGV on unknown address 0x4", NEAR_ZERO, &["load /src/x.c:3:5", "main /src/x.c:9:1"]);
        assert_eq!(
            shown(&format!("{null}{crash}")),
            ["null at /src/x.c:9:3 in main then [\"SEGV at /src/x.c:3:5 in load\"]"]
        );
        let lost = address("SEGV on unknown address 0x7777", "", &["main /src/x.c:0"]);
        assert_eq!(shown(&format!("{null}{lost}")).len(), 1);
        let other = address("heap-buffer-overflow on address 0x1", "READ of size 4 at 0x1", &["load /src/x.c:3:5"]);
        assert_eq!(shown(&format!("{null}{other}")).len(), 2);
    }

    #[test]
    fn what_a_function_does_with_nothing_belongs_to_its_caller() {
        let given = undefined("applying zero offset to null pointer", "nullptr-with-offset", &["main /src/x.c:9:3"]);
        let used = |line: u32| {
            let frames = ["sum /src/x.c:3:5".to_owned(), format!("main /src/x.c:{line}:1")];
            undefined("load of null pointer of type 'int'", "null-pointer-use", &frames.each_ref().map(String::as_str))
        };
        assert_eq!(shown(&format!("{given}{}", used(9))).len(), 1);
        assert_eq!(shown(&format!("{given}{}", used(10))).len(), 2);
    }

    #[test]
    fn the_trap_of_a_division_belongs_to_it_wherever_the_compiler_has_moved_it() {
        let division = undefined("division by zero", "integer-divide-by-zero", &["main /src/x.c:9:3"]);
        let trap = |function: &str| address("FPE on unknown address 0x1", "", &[&format!("{function} /src/x.c:12:8")]);
        assert_eq!(shown(&format!("{division}{}", trap("main"))).len(), 1);
        assert_eq!(shown(&format!("{division}{}", trap("other"))).len(), 2);
    }

    #[test]
    fn two_defects_of_a_line_are_two_findings() {
        let index = |column: u32| {
            let frame = format!("main /src/x.c:9:{column}");
            undefined("index 9 out of bounds for type 'int[4]'", "out-of-bounds-index", &[&frame])
        };
        assert_eq!(shown(&format!("{}{}{}", index(3), index(12), index(3))).len(), 2);
    }

    #[test]
    fn what_goes_on_can_end_at_a_signal_only() {
        let finding = |kind: &str, then: &[&str]| {
            let then = then.iter().map(|then| (*then).to_owned()).collect();
            Finding { kind: kind.to_owned(), then, ..Finding::default() }
        };
        assert!(finding("heap-buffer-overflow", &[]).can_go_on());
        assert!(!finding("SEGV", &[]).can_go_on() && !finding("null", &["SEGV at x.c:3:5 in load"]).can_go_on());
        assert!(finding("heap-buffer-overflow", &[]).ends_run() && !finding("signed-integer-overflow", &[]).ends_run());
    }
}
