//! What confined programs try, and that it does not happen.
//!
//! Each test runs programs of `deeds.c` in a sandbox beside a tree of files that must not change. Our own program is what a
//! sandbox is made of, so there is a `main` here that may become one.

mod attempts;
mod common;
mod escapes;
mod limits;
mod place;
mod places;
mod seeds;
mod services;

use std::fs;
use std::panic::catch_unwind;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The argument of a process that is to be killed while it has a sandbox.
const STAY: &str = "--stay";

type Test = (&'static str, fn());

fn main() -> ExitCode {
    byway_confine::serve_if_asked();
    if std::env::args().nth(1).as_deref() == Some(STAY) {
        escapes::make_a_cell_and_stay();
        return ExitCode::SUCCESS;
    }
    let filter = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    let mut failed = 0;
    let tests =
        [attempts::TESTS, escapes::TESTS, limits::TESTS, places::TESTS, seeds::TESTS, services::TESTS, OTHER_USER]
            .concat();
    for (name, test) in tests.into_iter().filter(|(name, _)| filter.as_ref().is_none_or(|part| name.contains(part))) {
        let started = Instant::now();
        let passed = catch_unwind(test).is_ok();
        failed += u32::from(!passed);
        println!("{} {name} ({} ms)", if passed { "ok    " } else { "FAILED" }, started.elapsed().as_millis());
    }
    place::leave();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

const OTHER_USER: &[Test] = &[("all_this_holds_for_an_ordinary_user_too", all_this_holds_for_an_ordinary_user_too)];

/// Root runs all tests once more, as nobody.
fn all_this_holds_for_an_ordinary_user_too() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let place = tempfile::tempdir_in("/opt").unwrap();
    let program = place.path().join("walls");
    fs::copy("/proc/self/exe", &program).unwrap();
    std::os::unix::fs::chown(place.path(), Some(65534), Some(65534)).unwrap();
    seeds::make_what_is_foreign(place.path());
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
    assert!(
        command.env(common::PLACE, place.path()).env_remove(common::NAME).current_dir("/").status().unwrap().success()
    );
}
