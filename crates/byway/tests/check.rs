//! Checks, from the command line: the subjects under `tests/subjects/check`.
//!
//! `BYWAY_SUBJECT=NAME` checks only the subjects whose name contains NAME.

mod common;
#[path = "common/check.rs"]
mod check;

use std::path::Path;

use check::Subject;
use common::check_subjects;

#[test]
fn checks_find_what_is_near_the_tests() {
    check_subjects("check", &[], problems);
}

/// What is wrong with a subject.
fn problems(path: &Path) -> Vec<String> {
    let subject = Subject::build(path);
    let checked = subject.check();
    let mut problems = checked.problems();
    if !problems.is_empty() {
        problems.push(format!("it said:\n{}{}", checked.ran.stdout, checked.ran.stderr));
    }
    problems.extend(subject.claims());
    problems
}
