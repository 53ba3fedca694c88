//! The numbers of the layout as types with names.

use serde::Serialize;

use crate::layout::{cause, event, place, source_kind};

/// Why precision was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u32)]
pub enum Cause {
    /// A symbolic value became a floating-point number.
    FloatingPoint = cause::FLOATING_POINT,
    /// A function without a model was given symbolic data.
    Unmodelled = cause::UNMODELLED,
    /// A write through a symbolic address.
    SymbolicStore = cause::SYMBOLIC_STORE,
    /// A read through a symbolic address from an object that is too large.
    LargeObject = cause::LARGE_OBJECT,
    /// A read through a symbolic address from an unknown object.
    UnknownObject = cause::UNKNOWN_OBJECT,
    /// A read through a symbolic address from an object that changes too often.
    ChangingObject = cause::CHANGING_OBJECT,
    /// An expression became too deep.
    Depth = cause::DEPTH,
    /// There were no more nodes.
    Nodes = cause::NODES,
    /// There was no room for more events.
    Events = cause::EVENTS,
    /// There was no room for more snapshots.
    Snapshots = cause::SNAPSHOTS,
    /// More input than may be symbolic.
    Input = cause::INPUT,
    /// An operation that there is no expression for.
    Operation = cause::OPERATION,
    /// A thread other than the first met symbolic data.
    Thread = cause::THREAD,
    /// A model of a library function computed something else than the function did.
    Model = cause::MODEL,
    /// A string that is longer than what a model of a library function looks at.
    LongString = cause::LONG_STRING,
    /// A call through a symbolic function pointer.
    Call = cause::CALL,
    /// A symbolic length that is taken as it is.
    Length = cause::LENGTH,
    /// Memory no longer held what its expression says.
    Stale = cause::STALE,
    /// No loss: what the program assumes of its input.
    Assumption = cause::ASSUMPTION,
    /// Input was read by a library that byway did not compile.
    UnseenInput = cause::UNSEEN_INPUT,
    /// A read through a symbolic address from an object that is made of much input.
    InputObject = cause::INPUT_OBJECT,
}

impl Cause {
    /// All causes, in the order of their numbers, with the name and what it means.
    const ALL: [(Cause, &'static str, &'static str); 21] = [
        (Cause::FloatingPoint, "floating-point", "became a floating-point number"),
        (Cause::Unmodelled, "unmodelled", "went into a function without a model"),
        (Cause::SymbolicStore, "symbolic-store", "address of a write, taken as it is"),
        (Cause::LargeObject, "large-object", "address of a read from a large object, taken as it is"),
        (Cause::UnknownObject, "unknown-object", "address of a read from an unknown object, taken as it is"),
        (Cause::ChangingObject, "changing-object", "address of a read from an object that changes, taken as it is"),
        (Cause::Depth, "depth", "expression too deep, taken as it is"),
        (Cause::Nodes, "nodes", "no more nodes"),
        (Cause::Events, "events", "no room for more events"),
        (Cause::Snapshots, "snapshots", "no room for more snapshots"),
        (Cause::Input, "input", "more input than may be symbolic"),
        (Cause::Operation, "operation", "operation that there is no expression for"),
        (Cause::Thread, "thread", "met by another thread than the first"),
        (Cause::Model, "model", "a model computed something else than the function"),
        (Cause::LongString, "long-string", "string longer than a model looks at"),
        (Cause::Call, "call", "function pointer, taken as it is"),
        (Cause::Length, "length", "length, taken as it is"),
        (Cause::Stale, "stale", "memory written by code that byway did not compile"),
        (Cause::Assumption, "assumption", "assumed by the program"),
        (Cause::UnseenInput, "unseen-input", "input read by a library that byway did not compile, not symbolic"),
        (Cause::InputObject, "input-object", "address of a read from an object made of input, taken as it is"),
    ];

    /// The cause with a number of [`cause`].
    pub fn of(number: u32) -> Option<Cause> {
        let position = usize::try_from(number).ok()?.checked_sub(1)?;
        Self::ALL.get(position).map(|&(cause, ..)| cause)
    }

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize - 1].1
    }

    /// What became of the value, in a few words.
    pub fn text(self) -> &'static str {
        Self::ALL[self as usize - 1].2
    }

    /// Whether a value was taken for what it was in the run, and the path says so: its other values are other paths.
    pub fn is_concretization(self) -> bool {
        matches!(
            self,
            Cause::SymbolicStore
                | Cause::LargeObject
                | Cause::UnknownObject
                | Cause::ChangingObject
                | Cause::Snapshots
                | Cause::Call
                | Cause::Length
                | Cause::InputObject
        )
    }

    /// Whether this loss is a limit of the trace that was reached.
    pub fn is_limit(self) -> bool {
        matches!(self, Cause::Depth | Cause::Nodes | Cause::Events | Cause::Snapshots | Cause::Input)
    }
}

/// What happened. See [`event`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum EventKind {
    /// [`event::BRANCH`]
    Branch = event::BRANCH,
    /// [`event::SWITCH`]
    Switch = event::SWITCH,
    /// [`event::OBJECT`]
    Object = event::OBJECT,
    /// [`event::ACCESS`]
    Access = event::ACCESS,
    /// [`event::DIVISION`]
    Division = event::DIVISION,
    /// [`event::LENGTH`]
    Length = event::LENGTH,
    /// [`event::ALLOCATION`]
    Allocation = event::ALLOCATION,
    /// [`event::PIN`]
    Pin = event::PIN,
    /// [`event::VISIT`]
    Visit = event::VISIT,
    /// [`event::OVERFLOW`]
    Overflow = event::OVERFLOW,
    /// [`event::SHIFT`]
    Shift = event::SHIFT,
    /// [`event::TERMINATOR`]
    Terminator = event::TERMINATOR,
    /// [`event::SHIFT_BASE`]
    ShiftBase = event::SHIFT_BASE,
    /// [`event::PREFERENCE`]
    Preference = event::PREFERENCE,
    /// [`event::OUTPUT`]
    Output = event::OUTPUT,
    /// [`event::EXIT`]
    Exit = event::EXIT,
    /// [`event::REPEAT`]
    Repeat = event::REPEAT,
    /// [`event::POINT`]
    Point = event::POINT,
}

impl EventKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [EventKind; 18] = [
        EventKind::Branch,
        EventKind::Switch,
        EventKind::Object,
        EventKind::Access,
        EventKind::Division,
        EventKind::Length,
        EventKind::Allocation,
        EventKind::Pin,
        EventKind::Visit,
        EventKind::Overflow,
        EventKind::Shift,
        EventKind::Terminator,
        EventKind::ShiftBase,
        EventKind::Preference,
        EventKind::Output,
        EventKind::Exit,
        EventKind::Repeat,
        EventKind::Point,
    ];

    /// The kind with a number of [`event`].
    pub fn of(number: u8) -> Option<EventKind> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Branch => "branch",
            EventKind::Switch => "switch",
            EventKind::Object => "object",
            EventKind::Access => "access",
            EventKind::Division => "division",
            EventKind::Length => "length",
            EventKind::Allocation => "allocation",
            EventKind::Pin => "pin",
            EventKind::Visit => "visit",
            EventKind::Overflow => "overflow",
            EventKind::Shift => "shift",
            EventKind::Terminator => "terminator",
            EventKind::ShiftBase => "shift-base",
            EventKind::Preference => "preference",
            EventKind::Output => "output",
            EventKind::Exit => "exit",
            EventKind::Repeat => "repeat",
            EventKind::Point => "point",
        }
    }
}

/// What an input is. See [`source_kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u32)]
pub enum SourceKind {
    /// An argument.
    Argument = source_kind::ARGUMENT,
    /// Standard input.
    Stdin = source_kind::STDIN,
    /// A file.
    File = source_kind::FILE,
    /// The value of an environment variable.
    Environment = source_kind::ENVIRONMENT,
    /// How many arguments there are.
    ArgumentCount = source_kind::ARGUMENT_COUNT,
    /// An object that the program asked for.
    Object = source_kind::OBJECT,
    /// The size of standard input or of a file.
    Size = source_kind::SIZE,
}

impl SourceKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [SourceKind; 7] = [
        SourceKind::Argument,
        SourceKind::Stdin,
        SourceKind::File,
        SourceKind::Environment,
        SourceKind::ArgumentCount,
        SourceKind::Object,
        SourceKind::Size,
    ];

    /// The kind with a number of [`source_kind`].
    pub fn of(number: u32) -> Option<SourceKind> {
        Self::ALL.into_iter().find(|&kind| kind as u32 == number)
    }
}

/// How a program ended itself, where it said more than an exit code does. See [`crate::layout::ending`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ending {
    /// As programs do.
    #[default]
    Ordinary,
    /// What it assumes does not hold for this input: the run is none.
    Assumption,
    /// It wants nobody to be told: the run is no test.
    Silent,
    /// It says that it has failed.
    Error(ReportedError),
}

/// What a program says of its own failure.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedError {
    /// What went wrong.
    pub message: String,
    /// The kind of error, such as `user.err`.
    pub suffix: String,
    /// The file that it happened in.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// The name of a site that is the same in every program, see [`place`].
pub fn place_name(site: u32) -> Option<&'static str> {
    match site {
        place::ARGUMENT_COUNT => Some("number of arguments"),
        place::ASSUMPTION => Some("klee_assume"),
        place::SIZE => Some("size of a file"),
        place::TARGET => Some("target of a call or jump"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_belong_together() {
        for number in 1..=21 {
            let cause = Cause::of(number).unwrap();
            assert_eq!(cause as u32, number);
        }
        assert_eq!((Cause::of(0), Cause::of(22), Cause::of(u32::MAX)), (None, None, None));
        for number in 1..=18 {
            assert_eq!(EventKind::of(number).unwrap() as u8, number);
        }
        assert_eq!((EventKind::of(0), EventKind::of(19)), (None, None));
        assert_eq!((SourceKind::of(7), SourceKind::of(8), SourceKind::of(0)), (Some(SourceKind::Size), None, None));
    }
}
