//! Queries of an exploration on disk, to compare solvers on them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::condition::PathCondition;
use crate::pool::{Expr, Pool, Var};
use crate::query::Query;
use crate::record;

/// How many queries are kept at most.
const MOST: usize = 2000;

/// Keeps queries, evenly spread over all that are asked: when there are too many, every second one goes, and from then on half as
/// many come.
#[derive(Debug)]
pub struct Recorder {
    directory: PathBuf,
    /// Which ones are there.
    kept: Vec<u64>,
    asked: u64,
    /// Every how many is kept.
    every: u64,
}

impl Recorder {
    /// Records to a directory.
    pub fn new(directory: PathBuf) -> io::Result<Recorder> {
        fs::create_dir_all(&directory)?;
        Ok(Recorder { directory, kept: Vec::new(), asked: 0, every: 1 })
    }

    /// Notes a query: whether there is an input that takes the path and for which `goal` is true. What cannot be written is left
    /// out.
    pub fn note(&mut self, pool: &Pool, path: &PathCondition, goal: Expr, seed: &dyn Fn(Var) -> u8) {
        let number = self.asked;
        self.asked += 1;
        if !number.is_multiple_of(self.every) {
            return;
        }
        if self.kept.len() == MOST {
            self.thin();
        }
        if number.is_multiple_of(self.every) && self.write(number, pool, path, goal, seed).is_ok() {
            self.kept.push(number);
        }
    }

    fn thin(&mut self) {
        self.every *= 2;
        let (kept, gone) = self.kept.iter().partition(|number| number.is_multiple_of(self.every));
        self.kept = kept;
        let gone: Vec<u64> = gone;
        gone.into_iter().for_each(|number| drop(fs::remove_file(self.path(number))));
    }

    fn path(&self, number: u64) -> PathBuf {
        self.directory.join(format!("{number:08}.smt2"))
    }

    /// The goal is the last constraint.
    fn write(
        &self,
        number: u64,
        pool: &Pool,
        path: &PathCondition,
        goal: Expr,
        seed: &dyn Fn(Var) -> u8,
    ) -> io::Result<()> {
        let constraints: Vec<Expr> = path.parts().iter().copied().chain([goal]).collect();
        let mut vars = Vec::new();
        constraints.iter().for_each(|&constraint| pool.collect_vars(constraint, &mut vars));
        vars.sort_unstable();
        vars.dedup();
        let mut out = BufWriter::new(File::create(self.path(number))?);
        record::write(pool, &Query { constraints: &constraints, vars: &vars, seed }, &mut out)?;
        out.flush()
    }
}
