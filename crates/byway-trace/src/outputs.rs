//! Whether the expressions of written bytes evaluate to what was written.
//!
//! The runtime notes each byte that depends on the input and leaves the program, with its descriptor and its offset. Of standard output and
//! standard error the observer has what arrived, so each noted byte is looked up there: a wrong offset, or a byte that changed between the
//! note and the write, is a mismatch. Of other files it has only what the runtime read from memory.

use std::collections::HashMap;

use crate::display::Expression;
use crate::evaluate::evaluate_all;
use crate::kind::EventKind;
use crate::layout::Event;
use crate::trace::Trace;

/// How many mismatches are described.
const SHOWN: usize = 8;

/// A byte that was written: the number of its descriptor, as the event has it, and the offset.
type Target = (u32, u64);

/// What the check of the written bytes found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputCheck {
    /// How many written bytes depend on the input.
    pub bytes: usize,
    /// How many of those were compared with what arrived at standard output or standard error.
    pub arrived: usize,
    /// How many were noted and never arrived: a buffer that was not written out before the program ended.
    pub missing: usize,
    /// How many bytes differ from the value of their expression.
    pub mismatches: usize,
    /// The first of those.
    pub first: Vec<OutputMismatch>,
}

/// A written byte that differs from the value of its expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputMismatch {
    /// The event, an index into [`Trace::events`].
    pub event: usize,
    /// The descriptor.
    pub file: u32,
    /// Where in the file.
    pub offset: u64,
    /// The byte that was written.
    pub written: u8,
    /// The byte that the expression evaluates to.
    pub computed: u8,
    /// The expression.
    pub expression: String,
}

/// Evaluates the expressions of all written bytes and compares. `texts` is what arrived at standard output and standard error, from the
/// offset 0 on.
pub fn output_check(trace: &Trace, texts: [&[u8]; 2]) -> OutputCheck {
    let values = evaluate_all(trace, |byte| byte.recorded);
    let events = trace.events().iter().enumerate();
    let written: Vec<(usize, &Event)> =
        events.filter(|(_, event)| EventKind::of(event.kind) == Some(EventKind::Output)).collect();
    // Of several bytes at one place the last one stays.
    let last: HashMap<Target, usize> = written.iter().map(|(index, event)| (target(event), *index)).collect();
    let mut check = OutputCheck { bytes: written.len(), ..OutputCheck::default() };
    for (index, event) in written {
        let text = (!event.is_elsewhere()).then(|| texts.get((event.extra as usize).wrapping_sub(1))).flatten();
        let is_last = last.get(&target(event)) == Some(&index);
        let byte = match text.filter(|_| is_last) {
            None => event.a as u8,
            Some(text) => match usize::try_from(event.b).ok().and_then(|offset| text.get(offset)) {
                Some(&byte) => {
                    check.arrived += 1;
                    byte
                }
                None => {
                    check.missing += 1;
                    continue;
                }
            },
        };
        let computed = values.get(event.label) as u8;
        if byte != computed {
            check.mismatches += 1;
            if check.first.len() < SHOWN {
                check.first.push(OutputMismatch {
                    event: index,
                    file: event.extra,
                    offset: event.b,
                    written: byte,
                    computed,
                    expression: Expression::new(trace, event.label).to_string(),
                });
            }
        }
    }
    check
}

fn target(event: &Event) -> Target {
    (event.extra | u32::from(event.is_elsewhere()) << 31, event.b)
}
