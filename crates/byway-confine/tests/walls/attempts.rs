//! The table of attempts in `attempts.c`, each with what it must get.

use std::fs::File;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::time::Duration;

use byway_confine::Sandbox;

use crate::Test;
use crate::common::{Seen, assert_well, attempts, run, run_program, small};

pub const TESTS: &[Test] = &[
    ("every_attempt_gets_what_it_must", every_attempt_gets_what_it_must),
    ("without_walls_attempts_succeed", without_walls_attempts_succeed),
    ("a_datagram_reaches_no_socket_outside", a_datagram_reaches_no_socket_outside),
    ("locks_of_a_program_are_its_own", locks_of_a_program_are_its_own),
    ("a_lease_on_a_file_outside_is_refused", a_lease_on_a_file_outside_is_refused),
];

/// Fewer would mean that some were lost.
const LEAST: usize = 110;

fn attempt(sandbox: &mut Sandbox, words: &[&str]) -> Seen {
    let null = File::open("/dev/null").unwrap();
    run_program(sandbox, attempts(), words, Duration::from_secs(60), &null)
}

fn every_attempt_gets_what_it_must() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let seen = attempt(&mut sandbox, &[]);
    let (wrong, count) = seen.output.trim_end().rsplit_once('\n').unwrap_or(("", seen.output.trim_end()));
    assert_eq!(wrong, "", "{wrong}");
    assert!(count.strip_suffix(" attempts").unwrap().parse::<usize>().unwrap() >= LEAST, "{count}");
    assert_well(&mut sandbox);
}

/// The table can fail: harmless attempts succeed where nothing hinders them.
fn without_walls_attempts_succeed() {
    let mut sandbox = Sandbox::unconfined(&small()).unwrap();
    for name in ["unix_stream", "datagram_pair", "owner_by_structure", "of_nobody", "semaphores"] {
        let seen = attempt(&mut sandbox, &[name]);
        assert!(seen.output.contains(&format!("{name}: got")), "{name}: {}", seen.output);
    }
}

fn a_datagram_reaches_no_socket_outside() {
    let home = tempfile::tempdir_in(crate::common::place()).unwrap();
    let (datagrams, streams) = (home.path().join("datagrams"), home.path().join("streams"));
    let socket = UnixDatagram::bind(&datagrams).unwrap();
    let listener = UnixListener::bind(&streams).unwrap();
    socket.set_nonblocking(true).unwrap();
    listener.set_nonblocking(true).unwrap();
    let mut sandbox = Sandbox::start(&small()).unwrap();
    for path in [&datagrams, &streams] {
        let seen = run(&mut sandbox, &["pair", path.to_str().unwrap()]);
        assert_eq!((seen.code(), seen.output.as_str()), (Some(0), ""));
    }
    assert!(socket.recv(&mut [0]).is_err() && listener.accept().is_err());
    let mut open = Sandbox::unconfined(&small()).unwrap();
    assert!(run(&mut open, &["pair", datagrams.to_str().unwrap()]).code() > Some(0));
    assert_well(&mut sandbox);
}

/// Somebody outside holds all locks: a program that gets them too has others.
fn locks_of_a_program_are_its_own() {
    let path = tempfile::NamedTempFile::new_in(crate::common::place()).unwrap().into_temp_path();
    let file = File::options().read(true).write(true).open(&path).unwrap();
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
    rustix::fs::fcntl_lock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let mut open = Sandbox::unconfined(&small()).unwrap();
    assert_eq!(run(&mut open, &["locks", path.to_str().unwrap()]).code(), Some(0));
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let seen = run(&mut sandbox, &["locks", path.to_str().unwrap()]);
    assert_eq!(seen.code(), Some(3), "{}", seen.output);
}

fn a_lease_on_a_file_outside_is_refused() {
    // Nobody writes to it: then it could be had.
    let file = tempfile::NamedTempFile::new_in(crate::common::place()).unwrap().into_temp_path();
    let mut sandbox = Sandbox::start(&small()).unwrap();
    assert_eq!(run(&mut sandbox, &["lease", file.to_str().unwrap()]).code(), Some(0));
    let mut open = Sandbox::unconfined(&small()).unwrap();
    assert_eq!(run(&mut open, &["lease", file.to_str().unwrap()]).code(), Some(1));
}
