//! Taking more than is given.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use byway_confine::{Sandbox, SandboxSettings};

use crate::Test;
use crate::common::{Sentinel, assert_well, run, run_for, run_program, sanitized_deeds, small};

pub const TESTS: &[Test] = &[
    ("processes_without_end_end", processes_without_end_end),
    ("a_full_disk_is_that_of_the_cell", a_full_disk_is_that_of_the_cell),
    ("a_large_file_ends_with_a_signal", a_large_file_ends_with_a_signal),
    ("who_takes_too_much_memory_is_killed", who_takes_too_much_memory_is_killed),
    ("a_sanitizer_works_and_is_limited_too", a_sanitizer_works_and_is_limited_too),
    ("who_never_ends_is_killed", who_never_ends_is_killed),
    ("who_never_ends_is_killed_without_walls_too", killed_without_walls_too),
];

fn processes_without_end_end() {
    let (sentinel, mut sandbox) = (Sentinel::new(), Sandbox::start(&small()).unwrap());
    let seen = run_for(&mut sandbox, &["fork"], Duration::from_millis(300));
    assert!(seen.ended.timed_out);
    assert!(seen.ended.left_behind < 20, "{:?}", seen.ended);
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn a_full_disk_is_that_of_the_cell() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let seen = run(&mut sandbox, &["disk"]);
    assert_eq!(seen.output, "No space left on device\n");
    assert!(seen.ended.disk_full);
    sandbox.reset().unwrap();
    assert!(!sandbox.is_disk_full());
    assert_well(&mut sandbox);
}

fn a_large_file_ends_with_a_signal() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let seen = run(&mut sandbox, &["large"]);
    assert_eq!(seen.ended.status.signal(), Some(rustix::process::Signal::XFSZ.as_raw()));
    assert_well(&mut sandbox);
}

fn who_takes_too_much_memory_is_killed() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    for deed in ["memory", "shared-memory", "unmapped-memory", "page-tables", "buffers"] {
        let seen = run(&mut sandbox, &[deed]);
        assert!(seen.ended.out_of_memory && !seen.ended.timed_out, "{deed}: {:?}", seen.ended);
        assert_eq!(seen.ended.status.signal(), Some(9), "{deed}");
    }
    assert_well(&mut sandbox);
}

/// It reserves far more memory than it uses, reads its own maps, and starts a program that knows the lines.
fn a_sanitizer_works_and_is_limited_too() {
    let (mut sandbox, program) = (Sandbox::start(&small()).unwrap(), sanitized_deeds());
    let null = File::open("/dev/null").unwrap();
    let seen = run_program(&mut sandbox, &program, &["overflow"], Duration::from_secs(20), &null);
    assert!(seen.output.contains("heap-buffer-overflow"), "{}", seen.output);
    assert!(seen.output.contains("deeds.c:"), "{}", seen.output);
    assert_eq!(seen.code(), Some(1));
    let seen = run_program(&mut sandbox, &program, &["memory"], Duration::from_secs(20), &null);
    assert!(seen.ended.out_of_memory);
    assert_well(&mut sandbox);
}

fn who_never_ends_is_killed() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let seen = run_for(&mut sandbox, &["loop"], Duration::from_millis(200));
    assert!(seen.ended.timed_out && !seen.ended.out_of_memory);
    assert!(!seen.ended.cpu.is_zero(), "{:?}", seen.ended);
    assert_well(&mut sandbox);
}

fn killed_without_walls_too() {
    let mut sandbox = Sandbox::unconfined(&SandboxSettings { ..small() }).unwrap();
    let seen = run_for(&mut sandbox, &["loop"], Duration::from_millis(100));
    assert!(seen.ended.timed_out);
    assert_eq!(run(&mut sandbox, &["daemon"]).ended.left_behind, 1);
    assert!(run(&mut sandbox, &["memory"]).ended.out_of_memory);
    assert_eq!(run(&mut sandbox, &["append", "new"]).code(), Some(1));
    assert_well(&mut sandbox);
    assert_eq!(run(&mut sandbox, &["cat", "new"]).code(), Some(99));
}
