//! How bad a finding is: what stops a build, what is worth a look, what is only noted.

use std::fmt;
use std::str::FromStr;

use byway_input::Ending;
use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::report;

/// How bad a finding is, the worst first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It breaks the program: an access outside of its object, a division, an abort, a crash, no end.
    #[default]
    Error,
    /// Undefined behaviour that the sanitizers report and that has no other effect in this build.
    Warning,
    /// It was not confirmed.
    Note,
}

/// Checks of undefined behaviour whose failure is an access outside of an object, or a trap.
const BREAKING: [&str; 5] = ["bounds", "local-bounds", "object-size", "integer-divide-by-zero", "vla-bound"];
/// What AddressSanitizer says of sizes for which `malloc` just returns `NULL`.
const REFUSED: [&str; 3] = ["allocation-size-too-big", "calloc-overflow", "reallocarray-overflow"];

impl Level {
    /// All, the worst first.
    pub const ALL: [Level; 3] = [Level::Error, Level::Warning, Level::Note];

    /// The level of a finding on an input with which the program as it was built ends like this.
    pub fn of(finding: &Finding, is_confirmed: bool, native: Ending) -> Level {
        let is_harmless = report::is_undefined(&finding.kind) && !BREAKING.contains(&finding.kind.as_str())
            || REFUSED.contains(&finding.kind.as_str());
        match () {
            () if !is_confirmed && !finding.said => Level::Note,
            // What it led to, in this run or without sanitizers, is an access or a crash.
            () if is_harmless && !leads_to_error(finding) && !native.is_failure() => Level::Warning,
            () => Level::Error,
        }
    }

    /// Its name: `error`.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// Whether something that follows from a finding is more than undefined behaviour.
fn leads_to_error(finding: &Finding) -> bool {
    let kinds = finding.then.iter().filter_map(|then| then.split(' ').next());
    kinds.into_iter().any(|kind| !report::is_undefined(kind) || BREAKING.contains(&kind))
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let level = Level::ALL.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| format!("there is no level '{text}'; the levels are error, warning, note"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(kind: &str, then: &[&str], native: Ending) -> Level {
        let then = then.iter().map(|&then| then.to_owned()).collect();
        Level::of(&Finding { kind: kind.to_owned(), then, ..Finding::default() }, true, native)
    }

    #[test]
    fn undefined_behaviour_without_an_effect_is_a_warning() {
        let fine = Ending::Exited(0);
        let kinds = [
            "pointer-overflow",
            "signed-integer-overflow",
            "shift-base",
            "alignment",
            "null",
            "allocation-size-too-big",
        ];
        assert!(kinds.iter().all(|kind| level(kind, &[], fine) == Level::Warning));
        for kind in
            ["heap-buffer-overflow", "bounds", "integer-divide-by-zero", "abort", "hang", "SEGV", "assertion-failure"]
        {
            assert_eq!(level(kind, &[], fine), Level::Error, "{kind}");
        }
    }

    #[test]
    fn what_leads_to_an_access_or_a_crash_is_an_error() {
        let fine = Ending::Exited(0);
        assert_eq!(level("null", &["SEGV at x.c:3:5 in load"], fine), Level::Error);
        assert_eq!(level("signed-integer-overflow", &["FPE"], fine), Level::Error);
        assert_eq!(level("pointer-overflow", &["null"], fine), Level::Warning);
        assert_eq!(level("pointer-overflow", &[], Ending::Signal(11)), Level::Error);
    }

    #[test]
    fn what_is_not_confirmed_is_a_note() {
        let crash = Finding { kind: "SEGV".to_owned(), ..Finding::default() };
        assert_eq!(Level::of(&crash, false, Ending::Signal(11)), Level::Note);
        assert_eq!("warning".parse(), Ok(Level::Warning));
        assert!("fatal".parse::<Level>().unwrap_err().contains("error, warning, note"));
    }
}
