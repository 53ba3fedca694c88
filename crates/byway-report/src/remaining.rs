//! What was left undone: why, where, how often, and what can be done about it.
//!
//! A reason stays an enum from where it arises to where it is printed, so that none gets lost on the way. Only what has no
//! [`Remainder`] may be called all of something.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Why something was left undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// The budget of time was used up before a query.
    Time,
    /// The budget of time was used up before a seed was explored at some distance.
    SeedTime,
    /// The user interrupted before a query.
    Interrupted,
    /// The user interrupted before a seed was explored at some distance.
    SeedInterrupted,
    /// Queries about one operation on one path took too long.
    OperationTime,
    /// Too many inputs that should make one operation fail did not.
    OperationTries,
    /// Too many queries about one operation on one path were not answered.
    OperationUnknown,
    /// The solver gave up on a query.
    Unknown,
    /// No input near a seed answers a query about a large table, and it was not asked about others.
    Table,
    /// There was more around a divergence point than may be run.
    BranchRuns,
    /// There was more around a divergence point than there is time for.
    BranchTime,
    /// Too many runs around a divergence point did not end.
    Hangs,
    /// A branch lies deeper than branches are tried.
    Depth,
    /// A run did not take the branch that its input was solved for.
    Missed,
    /// A run broke the runtime that observes it.
    Broken,
    /// A run was killed since it took too long.
    RunTime,
    /// A run was killed since it took too much memory.
    RunMemory,
    /// A value that depends on the input was taken for a constant.
    Lost,
    /// The same, since a trace was full.
    Full,
    /// The program read input that byway cannot follow.
    Unseen,
    /// byway made a mistake.
    Mistake,
}

impl Limit {
    /// What was left undone, as one and as many.
    fn what(self) -> (&'static str, &'static str) {
        match self {
            Limit::Time | Limit::Interrupted | Limit::OperationTime | Limit::OperationTries => {
                ("query was not asked", "queries were not asked")
            }
            Limit::OperationUnknown => ("query was not asked", "queries were not asked"),
            Limit::SeedTime | Limit::SeedInterrupted => (
                "seed was not explored to the end at a distance",
                "times a seed was not explored to the end at a distance",
            ),
            Limit::Unknown | Limit::Table => ("query was not answered", "queries were not answered"),
            Limit::BranchRuns | Limit::BranchTime | Limit::Hangs => {
                ("divergence point was not explored to its end", "divergence points were not explored to their end")
            }
            Limit::Depth => ("branch was too deep to be tried", "branches were too deep to be tried"),
            Limit::Missed => (
                "run did not take the branch that its input was solved for",
                "runs did not take the branch that their input was solved for",
            ),
            Limit::Broken => ("input was not followed", "inputs were not followed"),
            Limit::RunTime | Limit::RunMemory => {
                ("run was not followed to its end", "runs were not followed to their end")
            }
            Limit::Lost | Limit::Full => ("value was taken for a constant", "values were taken for constants"),
            Limit::Unseen => ("input cannot be followed", "inputs cannot be followed"),
            Limit::Mistake => ("piece of work was given up", "pieces of work were given up"),
        }
    }

    /// Why.
    pub fn why(self) -> &'static str {
        match self {
            Limit::Time | Limit::SeedTime => "the time is over",
            Limit::Interrupted | Limit::SeedInterrupted => "interrupted",
            Limit::OperationTime => "queries about their operation took too long on this path",
            Limit::OperationTries => "earlier inputs for their operation did not make it fail",
            Limit::OperationUnknown => "earlier queries about their operation were not answered",
            Limit::Unknown => "the solver gave up",
            Limit::Table => "where a table is read depends on the input, and other places of it were not tried",
            Limit::BranchRuns => "too many runs around them",
            Limit::BranchTime => "too much time spent around them",
            Limit::Hangs => "runs around them do not end",
            Limit::Depth => "too many branches before them",
            Limit::Missed => "lost precision",
            Limit::Broken => "their runs break the runtime that observes them",
            Limit::RunTime => "killed, since they took too long",
            Limit::RunMemory => "killed, since they took too much memory",
            Limit::Lost => "byway has no expression for them",
            Limit::Full => "a trace holds no more",
            Limit::Unseen => "code that byway did not compile reads them",
            Limit::Mistake => "a mistake in byway",
        }
    }

    /// What the user can do about it.
    pub fn help(self) -> &'static str {
        match self {
            Limit::Time | Limit::SeedTime => "give more --time",
            Limit::Interrupted | Limit::SeedInterrupted => "run it to its end",
            Limit::OperationTime => "raise --operation-time",
            Limit::OperationTries => "raise --operation-tries",
            Limit::OperationUnknown => "raise --operation-unknown",
            Limit::Unknown => "raise --query-timeout",
            Limit::Table => "give more --time",
            Limit::BranchRuns => "raise --branch-runs",
            Limit::BranchTime => "raise --branch-time",
            Limit::Hangs => "lower --run-timeout",
            Limit::Depth => "raise --max-depth",
            Limit::Missed | Limit::Lost => "byway trace on such an input shows where",
            Limit::Broken => "byway trace on such an input shows why",
            Limit::Full => "raise --max-nodes and --max-events, or give smaller input",
            Limit::RunTime => "raise --run-timeout",
            Limit::RunMemory => "raise --run-memory",
            Limit::Unseen => "build the library or program that reads them with byway-cc, or read them with C's stdio",
            Limit::Mistake => "report it",
        }
    }
}

/// Something that was left undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remaining {
    /// Why.
    pub limit: Limit,
    /// What exactly, if more is known: the kind of loss, the name of the input.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Where in the program, if it has a place: file, line and column.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// How often.
    pub count: u64,
    /// What the user can do about it.
    #[serde(default)]
    pub help: String,
}

/// All that was left undone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remainder(BTreeMap<(Limit, String, String), u64>);

/// How many details or places one line names.
const NAMED: usize = 3;

impl Remainder {
    /// Notes something that was left undone, so many times.
    pub fn add(&mut self, limit: Limit, detail: &str, place: &str, count: u64) {
        if count > 0 {
            *self.0.entry((limit, detail.to_owned(), place.to_owned())).or_default() += count;
        }
    }

    /// Notes all that another one has.
    pub fn extend(&mut self, other: &Remainder) {
        other.0.iter().for_each(|((limit, detail, place), &count)| self.add(*limit, detail, place, count));
    }

    /// Whether nothing was left undone.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How often a limit was the reason.
    pub fn count(&self, limit: Limit) -> u64 {
        self.0.iter().filter(|((of, ..), _)| *of == limit).map(|(_, &count)| count).sum()
    }

    /// Everything, the most frequent first.
    pub fn list(&self) -> Vec<Remaining> {
        let entry = |((limit, detail, place), &count): (&(Limit, String, String), &u64)| Remaining {
            limit: *limit,
            detail: detail.clone(),
            place: place.clone(),
            count,
            help: limit.help().to_owned(),
        };
        let mut list: Vec<Remaining> = self.0.iter().map(entry).collect();
        list.sort_by_key(|remaining| std::cmp::Reverse(remaining.count));
        list
    }

    /// A line for each limit, the most frequent first, with where it was reached most often and what can be done. Places below
    /// `root` are relative to it.
    pub fn lines(&self, root: &Path) -> Vec<String> {
        let mut list = self.list();
        for remaining in &mut list {
            if let Ok(below) = Path::new(&remaining.place).strip_prefix(root) {
                remaining.place = below.display().to_string();
            }
        }
        let mut limits: Vec<(Limit, u64)> = Vec::new();
        for remaining in &list {
            match limits.iter_mut().find(|(limit, _)| *limit == remaining.limit) {
                Some((_, count)) => *count += remaining.count,
                None => limits.push((remaining.limit, remaining.count)),
            }
        }
        limits.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let line = |&(limit, count): &(Limit, u64)| {
            let of: Vec<&Remaining> = list.iter().filter(|remaining| remaining.limit == limit).collect();
            let (one, many) = limit.what();
            let what = if count == 1 { one } else { many };
            format!("{} {what}: {}{}; {}", thousands(count as usize), limit.why(), named(&of), limit.help())
        };
        limits.iter().map(line).collect()
    }
}

/// The first of what a limit was reached for.
fn named(of: &[&Remaining]) -> String {
    let name = |remaining: &Remaining| match (remaining.detail.as_str(), remaining.place.as_str()) {
        ("", place) => place.to_owned(),
        (detail, "") => detail.to_owned(),
        (detail, place) => format!("{detail} at {place}"),
    };
    let names: Vec<(String, u64)> = of.iter().map(|remaining| (name(remaining), remaining.count)).collect();
    let known: Vec<String> = names
        .iter()
        .filter(|(name, _)| !name.is_empty())
        .take(NAMED)
        .map(|(name, count)| format!("{name} ({})", thousands(*count as usize)))
        .collect();
    match (known.is_empty(), names.len() > known.len()) {
        (true, _) => String::new(),
        (false, false) => format!(": {}", known.join(", ")),
        (false, true) => format!(", most at {}", known.join(", ")),
    }
}

/// A number with its thousands set apart.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Serialize for Remainder {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Remainder {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Remainder, D::Error> {
        let mut remainder = Remainder::default();
        for remaining in Vec::<Remaining>::deserialize(deserializer)? {
            remainder.add(remaining.limit, &remaining.detail, &remaining.place, remaining.count);
        }
        Ok(remainder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_one_line_with_its_places_the_most_frequent_first() {
        let mut remainder = Remainder::default();
        assert!(remainder.is_empty() && remainder.lines(Path::new("/")).is_empty());
        remainder.add(Limit::Unknown, "", "/home/me/b.c:3:1", 1);
        remainder.add(Limit::Lost, "floating-point", "a.c:7:2", 1200);
        remainder.add(Limit::Lost, "unmodelled crypt", "", 300);
        remainder.add(Limit::Time, "", "", 0);
        assert_eq!(
            remainder.lines(Path::new("/home/me")),
            [
                "1,500 values were taken for constants: byway has no expression for them: floating-point at a.c:7:2 (1,200), \
                 unmodelled crypt (300); byway trace on such an input shows where",
                "1 query was not answered: the solver gave up: b.c:3:1 (1); raise --query-timeout",
            ]
        );
        assert_eq!((remainder.count(Limit::Lost), remainder.count(Limit::Time)), (1500, 0));
    }

    #[test]
    fn thousands_are_set_apart() {
        let numbers = [0, 999, 1000, 1234567].map(thousands);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn only_the_first_places_are_named() {
        let mut remainder = Remainder::default();
        (1..=5).for_each(|line| remainder.add(Limit::BranchRuns, "", &format!("a.c:{line}:1"), line));
        let line = &remainder.lines(Path::new("/"))[0];
        assert!(line.starts_with("15 divergence points were not explored to their end"), "{line}");
        assert!(line.contains("most at a.c:5:1 (5), a.c:4:1 (4), a.c:3:1 (3); raise --branch-runs"), "{line}");
    }

    #[test]
    fn what_is_stored_is_read_back() {
        let mut remainder = Remainder::default();
        remainder.add(Limit::Unseen, "std::cin", "", 1);
        remainder.add(Limit::Missed, "ended before", "a.c:1:1", 4);
        let stored = serde_json::to_string(&remainder).unwrap();
        assert!(stored.contains(r#""limit":"missed""#) && stored.contains("std::cin"), "{stored}");
        assert_eq!(serde_json::from_str::<Remainder>(&stored).unwrap(), remainder);
    }
}
