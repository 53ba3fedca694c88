//! Why there is no trace.

use std::fmt;
use std::io;

use thiserror::Error;

/// Why there is no trace.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The operating system gives us no memory to share.
    #[error("cannot {what} the memory of a trace: {source}")]
    Memory {
        /// What we wanted to do.
        what: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// The memory does not begin as that of a trace does, or as that of another version.
    #[error("the memory holds no trace of this version of byway; the program may have overwritten it")]
    Foreign,
    /// Something in the memory cannot have been written by a run.
    #[error("the trace is damaged: {place}: {reason}; the program may have overwritten it")]
    Malformed {
        /// Where it is.
        place: Place,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// A part of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The header.
    Header,
    /// A source, by its number.
    Source(u32),
    /// A loss, by its place in the table.
    Loss(u32),
    /// A node, by its label.
    Node(u32),
    /// An event, by its index.
    Event(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Header => write!(formatter, "header"),
            Place::Source(number) => write!(formatter, "source {number}"),
            Place::Loss(number) => write!(formatter, "loss {number}"),
            Place::Node(label) => write!(formatter, "node {label}"),
            Place::Event(index) => write!(formatter, "event {index}"),
        }
    }
}
