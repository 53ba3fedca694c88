//! The events of a trace, one by one.

use std::io::{self, Write};

use byway_trace::layout::{Event, object_kind};
use byway_trace::{Cause, EventKind, Expression, Trace, is_model_site};
use serde::{Serialize, Serializer};

use crate::command::trace::place::{Place, Places};

/// All events, made as they are written: there may be millions.
pub struct EventList<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The places of its program.
    pub places: &'a Places,
}

/// An event as it is printed.
#[derive(Serialize)]
struct Line {
    index: usize,
    kind: EventKind,
    #[serde(flatten)]
    place: Place,
    /// Which way a branch went.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<bool>,
    /// The value of the expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u64>,
    /// Whether a division is one of signed numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed: Option<bool>,
    /// What is divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    dividend: Option<Dividend>,
    /// How many bits are shifted.
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<u64>,
    /// Whether room is on the stack.
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<bool>,
    /// Whether an address is constant: the object's size is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<bool>,
    /// Whether memory is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    write: Option<bool>,
    /// How many bytes are accessed, or how large an object is.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// The index of the object's event.
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<u64>,
    /// What an object is.
    #[serde(skip_serializing_if = "Option::is_none")]
    object_kind: Option<&'static str>,
    /// Where an object is.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<u64>,
    /// Why a value was taken as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Cause>,
    /// The number of a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<u32>,
    /// The expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
}

/// What is divided: its value, and its expression if it depends on the input.
#[derive(Serialize)]
struct Dividend {
    value: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
}

impl EventList<'_> {
    fn lines(&self) -> impl Iterator<Item = Line> {
        let known = |(index, event): (usize, &Event)| Some(self.line(index, event, EventKind::of(event.kind)?));
        self.trace.events().iter().enumerate().filter_map(known)
    }

    fn line(&self, index: usize, event: &Event, kind: EventKind) -> Line {
        let expression_of = |label: u32| (label != 0).then(|| Expression::new(self.trace, label).to_string());
        let expression =
            if matches!(kind, EventKind::Visit | EventKind::Point) { None } else { expression_of(event.label) };
        let is = |kinds: &[EventKind]| kinds.contains(&kind);
        use EventKind::{
            Access, Allocation, Branch, Division, Length, Object, Overflow, Pin, Shift, ShiftBase, Switch, Terminator,
            Visit,
        };
        let object = match kind {
            Access => event.a.checked_sub(1),
            Length if !is_model_site(event.site) => event.extra.checked_sub(1).map(u64::from),
            _ => None,
        };
        Line {
            index,
            kind,
            place: self.places.of_event(event),
            taken: is(&[Branch]).then_some(event.flag != 0),
            value: match kind {
                Access => Some(event.b),
                _ => is(&[Switch, Division, Length, Allocation, Pin, Overflow, Shift, ShiftBase, Terminator])
                    .then_some(event.a),
            },
            signed: is(&[Division]).then_some(event.flag == 1),
            dividend: is(&[Division]).then(|| Dividend { value: event.b, expression: expression_of(event.dividend()) }),
            bits: is(&[Shift]).then_some(event.b),
            stack: is(&[Allocation]).then_some(event.flag == 1),
            constant: is(&[Access]).then_some(event.label == 0),
            write: is(&[Access, Length]).then_some(event.flag & 1 == 1),
            size: match kind {
                Access => Some(event.access_size()),
                _ => is(&[Object]).then_some(event.b),
            },
            object,
            object_kind: is(&[Object]).then(|| object_name(event.flag)),
            address: match kind {
                Length => Some(self.trace.address(event)),
                _ => is(&[Object]).then_some(event.a),
            },
            cause: is(&[Pin]).then(|| Cause::of(event.b as u32)).flatten(),
            block: is(&[Visit]).then_some(event.label),
            expression,
        }
    }

    /// Writes one line for each.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for line in self.lines() {
            write!(out, "{:>7}  {:<10}  {}", line.index, line.kind.name(), line.place)?;
            for detail in line.details() {
                write!(out, "  {detail}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

impl Line {
    fn details(&self) -> Vec<String> {
        let mut details = Vec::new();
        details.extend(self.taken.map(|taken| if taken { "taken" } else { "not taken" }.to_owned()));
        details.extend(self.object_kind.map(str::to_owned));
        details.extend(self.write.map(|write| if write { "write" } else { "read" }.to_owned()));
        details.extend(self.size.map(|size| format!("{size} bytes")));
        details.extend(self.address.map(|address| format!("at {address:#x}")));
        details.extend(self.object.map(|object| format!("object {object}")));
        details.extend(self.cause.map(|cause| cause.name().to_owned()));
        details.extend(self.block.map(|block| format!("block {block}")));
        details.extend(self.bits.map(|bits| format!("of {bits} bits")));
        details.extend(self.stack.filter(|&stack| stack).map(|_| "on the stack".to_owned()));
        details.extend(self.constant.filter(|&constant| constant).map(|_| "constant address".to_owned()));
        details.extend(self.value.map(|value| format!("= {value}")));
        details.extend(self.expression.clone());
        details.extend(self.signed.filter(|&signed| signed).map(|_| "signed".to_owned()));
        let dividend =
            self.dividend.as_ref().and_then(|dividend| dividend.expression.as_ref().map(|of| (dividend, of)));
        details.extend(dividend.map(|(dividend, of)| format!("divides {of} = {}", dividend.value)));
        details
    }
}

impl Serialize for EventList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.lines())
    }
}

fn object_name(kind: u8) -> &'static str {
    match kind {
        object_kind::HEAP => "heap",
        object_kind::STACK => "stack",
        object_kind::GLOBAL => "global",
        object_kind::ARGUMENT => "argument",
        object_kind::MAPPING => "mapping",
        object_kind::LIBRARY => "library",
        _ => "unknown",
    }
}
