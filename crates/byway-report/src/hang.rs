//! When a program that does not end is a finding: one rule for all commands.

use std::time::Duration;

use crate::ending::Ending;

/// The kind of such a finding.
pub const HANG: &str = "hang";

/// A run as the program was built has so many times the time that a run like it takes.
const GENEROUS: u32 = 50;

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
    /// it took.
    pub fn patience(limit: Duration, like: Duration) -> Duration {
        limit.max(like * GENEROUS)
    }

    /// What it is, when the program as it was built ended like this after this time, and a run like it took so long.
    pub fn judge(sanitized: Ending, native: Ending, took: Duration, like: Duration) -> Hang {
        if native == sanitized && like * GENEROUS <= took.max(Duration::from_millis(1)) {
            return Hang::Confirmed;
        }
        let [took, like] = [took, like].map(|time| time.as_secs_f64());
        Hang::Unconfirmed(format!(
            "with sanitizers: {sanitized}; without: {native} after {took:.1} s, where its test takes {like:.3} s"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_not_end_in_either_build_hangs() {
        let [long, short] = [Duration::from_secs(5), Duration::from_millis(10)];
        assert_eq!(Hang::judge(Ending::TimedOut, Ending::TimedOut, long, short), Hang::Confirmed);
        assert!(matches!(Hang::judge(Ending::TimedOut, Ending::Exited(0), long, short), Hang::Unconfirmed(_)));
    }

    #[test]
    fn what_is_slow_anyway_need_not_hang() {
        let [long, slow] = [5, 1].map(Duration::from_secs);
        assert!(matches!(Hang::judge(Ending::TimedOut, Ending::TimedOut, long, slow), Hang::Unconfirmed(_)));
        assert_eq!(Hang::patience(long, slow), Duration::from_secs(50));
    }
}
