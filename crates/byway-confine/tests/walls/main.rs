//! What confined programs try, and that it does not happen.
//!
//! Each test runs programs of `deeds.c` in a cell beside a tree of files that must not change. Our own program is what a
//! cell is made of, so there is a `main` here that may become one.

mod common;
mod escapes;
mod limits;
mod places;
mod services;

use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::Instant;

type Test = (&'static str, fn());

fn main() -> ExitCode {
    byway_confine::serve_if_asked();
    let filter = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    let mut failed = 0;
    let tests = [escapes::TESTS, limits::TESTS, places::TESTS, services::TESTS].concat();
    for (name, test) in tests.into_iter().filter(|(name, _)| filter.as_ref().is_none_or(|part| name.contains(part))) {
        let started = Instant::now();
        let passed = catch_unwind(test).is_ok();
        failed += u32::from(!passed);
        println!("{} {name} ({} ms)", if passed { "ok    " } else { "FAILED" }, started.elapsed().as_millis());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
