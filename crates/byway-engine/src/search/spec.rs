//! How strategies are named: `dfs`, `nurs:md2u`, `subpath:1,2,4,8`, `random-path,nurs:covnew`.
//!
//! A comma puts strategies in turn. A bare number after a comma is one more length of the subpaths before it, so
//! `subpath:1,2` is `subpath:1,subpath:2`, and `branches:1,2` is `branches:1,branches:2`.

use std::fmt;
use std::str::FromStr;

use super::{
    Bfs, CoveringNew, Depth, Dfs, Generational, MinimalDistance, QueryCost, RandomPath, RandomState, Rare, RarelyRun,
    Searcher, Subpath, Uncovered,
};

/// A strategy, as the user names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// The latest pending first.
    Dfs,
    /// The pending nearest to the start first.
    Bfs,
    /// Any pending.
    RandomState,
    /// Any way down the tree.
    RandomPath,
    /// By how recently the run covered something new and how near something new is.
    NursCovnew,
    /// By the distance to something new.
    NursMd2u,
    /// By depth.
    NursDepth,
    /// By how often the block was run.
    NursIcnt,
    /// By what queries cost.
    NursQc,
    /// The least travelled subpath of so many forks first, as the paper defines it.
    Subpath(u32),
    /// The same with all branches that depend on the input, forks or not.
    Branches(u32),
    /// All children of the run that covered the most.
    Generational,
    /// Each block that is near something new, in turn.
    Uncovered,
    /// What lies near runs that reached what few runs reach.
    Rare,
}

/// Strategies to be used in turn; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search(Vec<Strategy>);

/// Why a text names no strategies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// There is no such strategy.
    #[error(
        "there is no search strategy `{0}`; there are dfs, bfs, random-state, random-path, nurs:covnew, nurs:md2u, \
         nurs:depth, nurs:icnt, nurs:qc, subpath:N, branches:N, generational, uncovered, rare, and several in turn with commas, as subpath:1,2,4,8"
    )]
    NoSuchStrategy(String),
    /// The length of a subpath is not a number, or 0.
    #[error("`{0}` is no length of a subpath: write subpath:N with a number from 1 on, or several, as subpath:1,2,4,8")]
    NoLength(String),
}

/// The strategies that are a name alone.
const NAMES: [(&str, Strategy); 12] = [
    ("dfs", Strategy::Dfs),
    ("bfs", Strategy::Bfs),
    ("random-state", Strategy::RandomState),
    ("random-path", Strategy::RandomPath),
    ("nurs:covnew", Strategy::NursCovnew),
    ("nurs:md2u", Strategy::NursMd2u),
    ("nurs:depth", Strategy::NursDepth),
    ("nurs:icnt", Strategy::NursIcnt),
    ("nurs:qc", Strategy::NursQc),
    ("generational", Strategy::Generational),
    ("uncovered", Strategy::Uncovered),
    ("rare", Strategy::Rare),
];

impl Strategy {
    /// The names of all strategies that have no length.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().map(|(name, _)| name)
    }

    /// A searcher that follows this strategy.
    pub fn searcher(self) -> Box<dyn Searcher> {
        match self {
            Strategy::Dfs => Box::new(Dfs::default()),
            Strategy::Bfs => Box::new(Bfs::default()),
            Strategy::RandomState => Box::new(RandomState),
            Strategy::RandomPath => Box::new(RandomPath::default()),
            Strategy::NursCovnew => Box::new(CoveringNew::default()),
            Strategy::NursMd2u => Box::new(MinimalDistance::default()),
            Strategy::NursDepth => Box::new(Depth::default()),
            Strategy::NursIcnt => Box::new(RarelyRun::default()),
            Strategy::NursQc => Box::new(QueryCost::default()),
            Strategy::Subpath(length) => Box::new(Subpath::new(length)),
            Strategy::Branches(length) => Box::new(Subpath::new(length).of_branches()),
            Strategy::Generational => Box::new(Generational::default()),
            Strategy::Uncovered => Box::new(Uncovered::default()),
            Strategy::Rare => Box::new(Rare::default()),
        }
    }

    fn parse(text: &str) -> Result<Self, SearchError> {
        for (prefix, strategy) in
            [("subpath:", Strategy::Subpath as fn(u32) -> Strategy), ("branches:", Strategy::Branches)]
        {
            if let Some(length) = text.strip_prefix(prefix) {
                return length_of(length).map(strategy);
            }
        }
        let found = NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, strategy)| strategy).ok_or_else(|| SearchError::NoSuchStrategy(text.to_owned()))
    }

    /// The same with another length, if it has one.
    fn with_length(self, length: &str) -> Option<Result<Self, SearchError>> {
        match self {
            Strategy::Subpath(_) => Some(length_of(length).map(Strategy::Subpath)),
            Strategy::Branches(_) => Some(length_of(length).map(Strategy::Branches)),
            _ => None,
        }
    }
}

fn length_of(text: &str) -> Result<u32, SearchError> {
    text.parse().ok().filter(|&length| length > 0).ok_or_else(|| SearchError::NoLength(text.to_owned()))
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Subpath(length) => write!(f, "subpath:{length}"),
            Strategy::Branches(length) => write!(f, "branches:{length}"),
            _ => f.write_str(NAMES.iter().find(|(_, strategy)| strategy == self).map_or("", |(name, _)| name)),
        }
    }
}

impl Search {
    /// The strategies, in the order of their turns.
    pub fn strategies(&self) -> &[Strategy] {
        &self.0
    }
}

impl From<Strategy> for Search {
    fn from(strategy: Strategy) -> Self {
        Search(vec![strategy])
    }
}

impl FromStr for Search {
    type Err = SearchError;

    fn from_str(text: &str) -> Result<Self, SearchError> {
        let mut strategies: Vec<Strategy> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let is_length = part.starts_with(|first: char| first.is_ascii_digit());
            let continued = strategies.last().filter(|_| is_length).and_then(|last| last.with_length(part));
            strategies.push(continued.unwrap_or_else(|| Strategy::parse(part))?);
        }
        Ok(Search(strategies))
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, strategy) in self.0.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| self.0[before]);
            match (before, strategy) {
                (Some(Strategy::Subpath(_)), Strategy::Subpath(length)) => write!(f, ",{length}")?,
                (Some(Strategy::Branches(_)), Strategy::Branches(length)) => write!(f, ",{length}")?,
                (Some(_), _) => write!(f, ",{strategy}")?,
                (None, _) => write!(f, "{strategy}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Search, SearchError> {
        text.parse()
    }

    #[test]
    fn every_name_reads_back_as_itself() {
        for (name, strategy) in NAMES {
            assert_eq!(parse(name).unwrap().strategies(), [strategy]);
            assert_eq!(strategy.to_string(), name);
        }
        assert_eq!(parse("random-path,subpath:1,2,8,dfs").unwrap().to_string(), "random-path,subpath:1,2,8,dfs");
    }

    #[test]
    fn lengths_of_subpaths_are_strategies_in_turn() {
        assert_eq!(parse("subpath:1,2,4,8"), parse("subpath:1,subpath:2,subpath:4,subpath:8"));
        assert_eq!(parse("dfs,subpath:3").unwrap().strategies(), [Strategy::Dfs, Strategy::Subpath(3)]);
        assert_eq!(parse("subpath:3,branches:2,4").unwrap().to_string(), "subpath:3,branches:2,4");
    }

    #[test]
    fn what_is_no_strategy_is_answered_with_what_there_is() {
        for text in ["", "fast", "dfs,", "dfs,2", "subpath", "nurs:rp"] {
            let error = parse(text).unwrap_err().to_string();
            assert!(NAMES.iter().all(|(name, _)| error.contains(name)), "{error}");
        }
        for text in ["subpath:", "subpath:0", "subpath:x", "subpath:1,0", "subpath:1,2x", "subpath:-1"] {
            assert!(matches!(parse(text), Err(SearchError::NoLength(_))), "{text}");
        }
    }
}
