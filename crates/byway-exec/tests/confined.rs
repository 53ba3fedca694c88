//! The fork server in a sandbox. Our own program is what a sandbox is made of, so there is a `main` here that may become one.

mod fake;

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;

use byway_confine::{Sandbox, SandboxSettings};
use byway_exec::{Argument, Extras, Run, RunError, Server, Symbolic, TracedRun};
use byway_trace::TraceLimits;

fn main() {
    byway_confine::serve_if_asked();
    let directory = tempfile::tempdir().unwrap();
    let program = fake::compile(directory.path());
    a_run_is_in_the_working_directory_of_the_sandbox(&program);
    a_run_is_killed_when_its_time_is_up(&program);
    a_server_that_is_gone_can_be_started_again(&program);
}

fn start(program: &Path) -> (Sandbox, Server) {
    let mut sandbox = Sandbox::start(&SandboxSettings::default()).unwrap();
    let server = Server::start_in(&mut sandbox, program, OsStr::new("fake"), None, Duration::from_secs(60)).unwrap();
    (sandbox, server)
}

fn run(sandbox: &Sandbox, server: &mut Server, words: &[&str], stdout: &File) -> Result<TracedRun, RunError> {
    let null = File::options().read(true).write(true).open("/dev/null").unwrap();
    server.run(&Run {
        arguments: words.iter().map(|word| Argument::from(OsStr::new(word))).collect(),
        extras: Extras::default(),
        environment: None,
        visits: false,
        arithmetic: false,
        near: false,
        outputs: false,
        repeats: false,
        stdin: null.as_fd(),
        stdout: stdout.as_fd(),
        stderr: null.as_fd(),
        directory: sandbox.directory(),
        symbolic: &Symbolic::default(),
        limits: TraceLimits { nodes: 100, events: 100, snapshots: 0, ..TraceLimits::default() },
        timeout: Some(Duration::from_secs(2)),
    })
}

fn a_run_is_in_the_working_directory_of_the_sandbox(program: &Path) {
    use std::os::unix::fs::FileExt;
    let (sandbox, mut server) = start(program);
    for _ in 0..3 {
        let stdout = tempfile::tempfile().unwrap();
        let outcome = run(&sandbox, &mut server, &["name", "echo", "more"], &stdout).unwrap();
        assert_eq!((outcome.status.code(), outcome.timed_out, outcome.out_of_memory), (Some(3), false, false));
        let mut said = [0; 25];
        let count = stdout.read_at(&mut said, 0).unwrap();
        assert_eq!(String::from_utf8_lossy(&said[..count]), "name 3 more  /tmp/byway ");
    }
}

fn a_run_is_killed_when_its_time_is_up(program: &Path) {
    let (sandbox, mut server) = start(program);
    let null = File::options().write(true).open("/dev/null").unwrap();
    let outcome = run(&sandbox, &mut server, &["name", "sleep"], &null).unwrap();
    assert_eq!((outcome.status.signal(), outcome.timed_out), (Some(9), true));
    assert_eq!(run(&sandbox, &mut server, &["name"], &null).unwrap().status.code(), Some(1));
}

fn a_server_that_is_gone_can_be_started_again(program: &Path) {
    let (mut sandbox, mut server) = start(program);
    let null = File::options().write(true).open("/dev/null").unwrap();
    let error = run(&sandbox, &mut server, &["name", "leave"], &null).unwrap_err();
    assert!(matches!(error, RunError::Gone { status: Some(status), .. } if status.code() == Some(33)), "{error}");
    drop(server);
    let mut server =
        Server::start_in(&mut sandbox, program, OsStr::new("fake"), None, Duration::from_secs(60)).unwrap();
    assert_eq!(run(&sandbox, &mut server, &["name"], &null).unwrap().status.code(), Some(1));
}
