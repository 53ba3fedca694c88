//! How a run ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signal(i32),
    /// It was killed since its time was up.
    TimedOut,
    /// It was killed since it used too much memory.
    OutOfMemory,
}

/// The signals by which the kernel and `abort` end a program that does something wrong.
const FAULTS: [(i32, &str); 7] =
    [(4, "ILL"), (5, "TRAP"), (6, "ABRT"), (7, "BUS"), (8, "FPE"), (11, "SEGV"), (31, "SYS")];

/// The processor time of a process is up.
const XCPU: i32 = 24;

impl Ending {
    /// From what `wait` says, and whether it was us who killed it since its time was up.
    pub fn new(status: ExitStatus, timed_out: bool) -> Ending {
        match (status.code(), status.signal()) {
            _ if timed_out => Ending::TimedOut,
            (Some(code), _) => Ending::Exited(code),
            (None, Some(XCPU)) => Ending::TimedOut,
            (None, signal) => Ending::Signal(signal.unwrap_or_default()),
        }
    }

    /// The same, if it may have been killed for its memory, too.
    pub fn of_run(status: ExitStatus, timed_out: bool, out_of_memory: bool) -> Ending {
        if out_of_memory { Ending::OutOfMemory } else { Ending::new(status, timed_out) }
    }

    /// The name of the signal that ended it, if that is a fault of the program. Signals that somebody sends it (`PIPE`,
    /// `TERM`, `KILL`, ...) are not.
    pub fn fault(self) -> Option<&'static str> {
        let Ending::Signal(signal) = self else { return None };
        FAULTS.iter().find(|fault| fault.0 == signal).map(|fault| fault.1)
    }

    /// Whether the program failed: a fault, no end, or too much memory.
    pub fn is_failure(self) -> bool {
        self.fault().is_some() || matches!(self, Ending::TimedOut | Ending::OutOfMemory)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.fault()) {
            (Ending::Exited(code), _) => write!(formatter, "exit code {code}"),
            (_, Some(name)) => write!(formatter, "signal SIG{name}"),
            (Ending::Signal(signal), None) => write!(formatter, "signal {signal}"),
            (Ending::TimedOut, None) => write!(formatter, "no end in time"),
            (Ending::OutOfMemory, None) => write!(formatter, "too much memory"),
        }
    }
}
