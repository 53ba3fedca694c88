//! Programs that go on.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use byway_confine::{ProcessSpec, Sandbox, Service};

use crate::Test;
use crate::common::{assert_well, deeds, left_over, name, run, small};

pub const TESTS: &[Test] = &[
    ("a_service_goes_on_while_others_are_swept", a_service_goes_on_while_others_are_swept),
    ("a_service_ends_with_its_cell", a_service_ends_with_its_cell),
];

/// A shell that does what it is told over the socket.
fn shell(sandbox: &mut Sandbox) -> (Service, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let null = File::options().read(true).write(true).open("/dev/null").unwrap();
    let task = ProcessSpec {
        program: Path::new("/bin/sh"),
        arguments: [name(), "-c", "eval exec $0 -s \">&$SOCKET\"", "sh"].map(OsStr::new).to_vec(),
        environment: None,
        directory: None,
        stdin: theirs.as_fd(),
        stdout: null.as_fd(),
        stderr: null.as_fd(),
        timeout: None,
    };
    let service = sandbox.start_service(&task, theirs.as_fd(), OsStr::new("SOCKET")).unwrap();
    ours.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    (service, ours)
}

fn say(socket: &mut UnixStream, words: &str) -> String {
    writeln!(socket, "{words}; echo .").unwrap();
    let (mut answer, mut byte) = (String::new(), [0]);
    while !answer.ends_with(".\n") {
        assert_eq!(socket.read(&mut byte).unwrap(), 1, "{answer}");
        answer.push(byte[0] as char);
    }
    answer.trim_end_matches(".\n").trim_end().to_owned()
}

fn a_service_goes_on_while_others_are_swept() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let (service, mut socket) = shell(&mut sandbox);
    assert_eq!(say(&mut socket, "pwd"), "/tmp/byway");
    assert_eq!(sandbox.sweep().unwrap().killed, 0);
    say(&mut socket, &format!("'{}' daemon", deeds().display()));
    assert_eq!(service.sweep().unwrap().killed, 1);
    say(&mut socket, "sleep 1000 & true");
    assert_eq!(service.sweep().unwrap().killed, 1);
    assert_eq!(run(&mut sandbox, &["kill"]).code(), Some(0));
    assert_eq!(say(&mut socket, &format!("'{}' kill", deeds().display())), "");
    assert_eq!(say(&mut socket, &format!("'{}' memory; echo $?", deeds().display())), "137");
    assert!(service.sweep().unwrap().out_of_memory);
    assert!(service.status().unwrap().is_none());
    assert_eq!(say(&mut socket, "echo well"), "well");
    writeln!(socket, "exit 3").unwrap();
    while service.status().unwrap().is_none() {}
    assert_eq!(service.status().unwrap().unwrap().code(), Some(3));
    drop(service);
    assert_well(&mut sandbox);
}

fn a_service_ends_with_its_cell() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let (service, mut socket) = shell(&mut sandbox);
    writeln!(socket, "exec '{}' loop", deeds().display()).unwrap();
    drop(sandbox);
    assert!(service.status().is_err());
    assert_eq!(left_over(), Vec::<String>::new());
}
