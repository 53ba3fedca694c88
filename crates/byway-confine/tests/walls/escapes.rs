//! Reaching out of the sandbox.

use std::fs::File;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use byway_confine::{Directory, Sandbox, SandboxSettings};

use crate::Test;
use crate::common::{NAME, Sentinel, assert_well, left_over, name, run, run_with, small};

pub const TESTS: &[Test] = &[
    ("without_walls_there_is_harm", without_walls_there_is_harm),
    ("what_is_outside_cannot_be_removed", what_is_outside_cannot_be_removed),
    ("what_is_outside_cannot_be_changed", what_is_outside_cannot_be_changed),
    ("what_is_in_the_working_directory_is_removed_only_in_the_cell", removed_only_in_the_cell),
    ("nobody_outside_can_be_talked_to", nobody_outside_can_be_talked_to),
    ("the_walls_cannot_be_taken_down", the_walls_cannot_be_taken_down),
    ("who_kills_all_kills_nobody_outside", who_kills_all_kills_nobody_outside),
    ("a_daemon_does_not_outlive_its_run", a_daemon_does_not_outlive_its_run),
    ("nothing_outlives_who_made_the_cell", nothing_outlives_who_made_the_cell),
];

/// What the other tests try does work where nothing hinders it.
fn without_walls_there_is_harm() {
    let (sentinel, mut sandbox) = (Sentinel::new(), Sandbox::unconfined(&small()).unwrap());
    let stdin = File::open(sentinel.directory.path().join("sub/file")).unwrap();
    let seen = run_with(&mut sandbox, &["change", sentinel.path()], Duration::from_secs(5), &stdin);
    for deed in ["create", "write", "truncate", "chmod", "utime", "rename", "symlink", "mkdir", "a fifo", "descriptor"]
    {
        assert!(seen.output.contains(deed), "{deed}: {}", seen.output);
    }
    assert!(run(&mut sandbox, &["remove", sentinel.path()]).code() > Some(4));
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port().to_string();
    let _unix = UnixListener::bind(sentinel.directory.path().join("socket")).unwrap();
    let seen = run(&mut sandbox, &["sockets", sentinel.path(), &port]);
    assert!(["tcp", "udp", "unix"].iter().all(|kind| seen.output.contains(kind)), "{}", seen.output);
}

fn what_is_outside_cannot_be_removed() {
    let (sentinel, mut sandbox) = (Sentinel::new(), Sandbox::start(&small()).unwrap());
    let seen = run(&mut sandbox, &["remove", sentinel.path()]);
    assert_eq!((seen.code(), seen.output.as_str()), (Some(0), ""));
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn what_is_outside_cannot_be_changed() {
    let sentinel = Sentinel::new();
    // Somebody who started us was careless.
    let left = File::open(sentinel.directory.path()).unwrap();
    rustix::io::fcntl_setfd(&left, rustix::io::FdFlags::empty()).unwrap();
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let stdin = File::open(sentinel.directory.path().join("file")).unwrap();
    let seen = run_with(&mut sandbox, &["change", sentinel.path()], Duration::from_secs(5), &stdin);
    assert_eq!((seen.code(), seen.output.as_str()), (Some(0), ""));
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn removed_only_in_the_cell() {
    let sentinel = Sentinel::new();
    let directory = Directory::CopyOf(sentinel.directory.path().to_owned());
    let mut sandbox = Sandbox::start(&SandboxSettings { directory, ..small() }).unwrap();
    let seen = run(&mut sandbox, &["remove", "."]);
    assert_eq!(seen.code(), Some(6), "{}", seen.output);
    assert_eq!(run(&mut sandbox, &["cat", "file"]).code(), Some(99));
    sandbox.reset().unwrap();
    assert_eq!(run(&mut sandbox, &["cat", "file"]).output, "content");
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn nobody_outside_can_be_talked_to() {
    let (sentinel, mut sandbox) = (Sentinel::new(), Sandbox::start(&small()).unwrap());
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port();
    let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
    let home = tempfile::tempdir().unwrap();
    let unix = UnixListener::bind(home.path().join("socket")).unwrap();
    let seen = run(&mut sandbox, &["sockets", home.path().to_str().unwrap(), &port.to_string()]);
    assert_eq!((seen.code(), seen.output.as_str()), (Some(0), ""));
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    unix.set_nonblocking(true).unwrap();
    assert!(tcp.accept().is_err() && udp.recv(&mut [0]).is_err() && unix.accept().is_err());
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn the_walls_cannot_be_taken_down() {
    let (sentinel, mut sandbox) = (Sentinel::new(), Sandbox::start(&small()).unwrap());
    let seen = run(&mut sandbox, &["escape", sentinel.path()]);
    assert_eq!((seen.code(), seen.output.as_str()), (Some(0), ""));
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn who_kills_all_kills_nobody_outside() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    assert_eq!(run(&mut sandbox, &["kill"]).code(), Some(0));
    assert_well(&mut sandbox);
}

fn a_daemon_does_not_outlive_its_run() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let seen = run(&mut sandbox, &["daemon"]);
    assert_eq!((seen.code(), seen.ended.left_behind), (Some(0), 1));
    assert_eq!(left_over(), Vec::<String>::new());
    assert_well(&mut sandbox);
}

/// What [`nothing_outlives_who_made_the_cell`] kills.
pub fn make_a_cell_and_stay() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    run(&mut sandbox, &["fork"]);
}

fn nothing_outlives_who_made_the_cell() {
    let mut maker = Command::new("/proc/self/exe").arg(crate::STAY).env(NAME, name()).spawn().unwrap();
    let wait_until = |done: fn(usize) -> bool| {
        let started = Instant::now();
        while !done(left_over().len()) {
            assert!(started.elapsed() < Duration::from_secs(120), "it never happens");
            thread::sleep(Duration::from_millis(5));
        }
    };
    wait_until(|count| count > 10);
    maker.kill().unwrap();
    maker.wait().unwrap();
    wait_until(|count| count == 0);
}
