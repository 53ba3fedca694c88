//! When a program that does not end is a finding: one rule for all commands.

use std::time::Duration;

use byway_input::Ending;

/// The kind of such a finding.
pub const HANG: &str = "hang";

/// A run as the program was built has so many times the time that a run like it takes.
const GENEROUS: u32 = 50;
/// If that were so many times as long as a run with sanitizers may take, nobody waits for it.
const TOO_LONG: u32 = 4;

/// What a run that does not end in the build with sanitizers is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hang {
    /// It does not end as the program was built either, with much more time than a run like it takes.
    Confirmed,
    /// It may be that the program is slow; why.
    Unconfirmed(String),
}

impl Hang {
    /// How long the program as it was built may take: as long as in the build with sanitizers, or many times as long as a run like
    /// it took. `None` if nobody can wait so long.
    pub fn patience(limit: Duration, like: Duration) -> Option<Duration> {
        Some(limit.max(like * GENEROUS)).filter(|&patience| patience <= limit * TOO_LONG)
    }

    /// What it is, when the program as it was built was that patiently waited for, and ended like this after this time.
    pub fn judge(sanitized: Ending, native: Ending, took: Duration) -> Hang {
        match native == sanitized {
            true => Hang::Confirmed,
            false => Hang::Unconfirmed(format!("without sanitizers: {native} after {:.1} s", took.as_secs_f64())),
        }
    }

    /// What it is if a run like it takes so long that nobody can wait.
    pub fn slow(like: Duration) -> Hang {
        Hang::Unconfirmed(format!("its test takes {:.1} s: this one may only be slow", like.as_secs_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_not_end_in_either_build_hangs() {
        let long = Duration::from_secs(5);
        assert_eq!(Hang::judge(Ending::TimedOut, Ending::TimedOut, long), Hang::Confirmed);
        assert!(matches!(Hang::judge(Ending::TimedOut, Ending::Exited(0), long), Hang::Unconfirmed(_)));
    }

    #[test]
    fn patience_is_a_multiple_of_what_a_test_takes() {
        let (limit, second) = (Duration::from_secs(10), Duration::from_secs(1));
        assert_eq!(Hang::patience(limit, second / 1000), Some(limit));
        assert_eq!(Hang::patience(limit, second / 2), Some(Duration::from_secs(25)));
        assert_eq!(Hang::patience(limit, second), None);
    }
}
