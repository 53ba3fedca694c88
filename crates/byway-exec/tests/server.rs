//! The client of the fork server, with a server that does as it is told.

mod fake;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use byway_exec::{Argument, Extras, NamedObject, Run, RunError, Server, Symbolic, TracedRun};
use byway_trace::{TraceError, TraceLimits};
use tempfile::TempDir;

/// The compiled fake, once for all tests.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let program = fake::compile(directory.path());
        (directory, program)
    });
    program
}

fn start() -> Server {
    Server::start(program(), OsStr::new("fake"), None).unwrap()
}

fn run(server: &mut Server, words: &[&str], timeout: Option<Duration>) -> Result<TracedRun, RunError> {
    let null = File::options().read(true).write(true).open("/dev/null").unwrap();
    let here = File::open(".").unwrap();
    server.run(&Run {
        arguments: words.iter().map(|word| OsStr::new(word).into()).collect(),
        extras: Extras::default(),
        environment: None,
        stdin: null.as_fd(),
        stdout: null.as_fd(),
        stderr: null.as_fd(),
        directory: here.as_fd(),
        symbolic: &Symbolic::default(),
        visits: false,
        arithmetic: false,
        near: false,
        outputs: false,
        repeats: false,
        limits: TraceLimits { nodes: 100, events: 100, snapshots: 0, ..TraceLimits::default() },
        timeout,
    })
}

#[test]
fn a_run_gets_what_it_was_given() {
    let directory = tempfile::tempdir().unwrap();
    let file = || tempfile::tempfile().unwrap();
    let (mut stdin, mut stdout, mut stderr) = (file(), file(), file());
    stdin.write_all(b"input").unwrap();
    stdin.rewind().unwrap();
    let symbolic =
        Symbolic { stdin: true, files: true, patterns: vec!["*.c".into(), "more".into()], ..Symbolic::default() };
    let outcome = start().run(&Run {
        arguments: ["name", "echo", "and more"].map(|word| OsStr::new(word).into()).to_vec(),
        extras: Extras::default(),
        environment: None,
        stdin: stdin.as_fd(),
        stdout: stdout.as_fd(),
        stderr: stderr.as_fd(),
        directory: File::open(directory.path()).unwrap().as_fd(),
        symbolic: &symbolic,
        visits: false,
        arithmetic: false,
        near: false,
        outputs: false,
        repeats: false,
        limits: TraceLimits::default(),
        timeout: None,
    });
    let outcome = outcome.unwrap();
    assert_eq!(outcome.status.code(), Some(3));
    assert_eq!(outcome.cpu, Duration::from_micros(1234567));
    assert!(!outcome.timed_out);
    assert_eq!(outcome.trace.header().symbolic, 6);
    let text = |file: &mut File| {
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    };
    let there = fs::canonicalize(directory.path()).unwrap();
    assert_eq!(text(&mut stdout), format!("name 3 and more *.c {} input", there.display()));
    assert_eq!(text(&mut stderr), "error");
}

#[test]
fn every_run_has_its_own_environment() {
    let (null, here) = (File::open("/dev/null").unwrap(), File::open(".").unwrap());
    let mut server = start();
    let environments: [&[(OsString, OsString)]; 3] =
        [&[("A".into(), "1".into()), ("B".into(), "".into())], &[], &[("".into(), "=".into())]];
    for (environment, first) in environments.into_iter().zip(["A=1", "", "=="]) {
        let mut stdout = tempfile::tempfile().unwrap();
        let mut run = Run {
            arguments: ["name", "variable"].map(|word| OsStr::new(word).into()).to_vec(),
            extras: Extras { files: vec![OsStr::new("file").into()], ..Extras::default() },
            environment: Some(environment),
            stdin: null.as_fd(),
            stdout: stdout.as_fd(),
            stderr: null.as_fd(),
            directory: here.as_fd(),
            symbolic: &Symbolic::default(),
            visits: false,
            arithmetic: false,
            near: false,
            outputs: false,
            repeats: false,
            limits: TraceLimits::default(),
            timeout: None,
        };
        run.extras.objects.push(NamedObject { name: OsStr::new("object"), bytes: b"bytes" });
        server.run(&run).unwrap();
        let mut said = String::new();
        stdout.rewind().unwrap();
        stdout.read_to_string(&mut said).unwrap();
        assert_eq!(said, first);
    }
}

#[test]
fn one_server_makes_many_runs() {
    let mut server = start();
    for count in 1..20 {
        let words = vec!["x"; count];
        assert_eq!(run(&mut server, &words, None).unwrap().status.code(), Some(count as i32));
    }
    assert_eq!(run(&mut server, &["x", "abort"], None).unwrap().status.signal(), Some(6));
}

#[test]
fn long_arguments_arrive() {
    let long = "long".repeat(30_000);
    let words: Vec<&str> = std::iter::repeat_n(long.as_str(), 40).collect();
    assert_eq!(run(&mut start(), &words, None).unwrap().status.code(), Some(40));
}

#[test]
fn a_run_that_takes_too_long_is_killed_and_the_server_lives_on() {
    let mut server = start();
    let outcome = run(&mut server, &["x", "sleep"], Some(Duration::from_millis(100))).unwrap();
    assert!(outcome.timed_out && outcome.status.signal() == Some(9));
    assert!(!run(&mut server, &["x"], Some(Duration::from_secs(100))).unwrap().timed_out);
}

#[test]
fn a_server_that_ends_is_reported_with_how_it_ended() {
    let error = run(&mut start(), &["x", "leave"], None).unwrap_err();
    assert!(error.to_string().contains("(asked for a run): it ended with exit status: 33"), "{error}");
    let error = run(&mut start(), &["x", "orphan"], None).unwrap_err();
    assert!(error.to_string().contains("it ended with signal: 9"), "{error}");
}

#[test]
fn a_program_that_is_no_server_is_reported() {
    let fail: (OsString, OsString) = ("FAIL".into(), "1".into());
    let error = Server::start(program(), OsStr::new("fake"), Some(&[fail])).unwrap_err();
    assert!(error.to_string().contains("(starting): it ended with exit status: 7"), "{error}");
    let error = Server::start(Path::new("/nowhere"), OsStr::new("x"), None).unwrap_err();
    assert!(error.to_string().contains("cannot run /nowhere: No such file"), "{error}");
    assert!(matches!(run(&mut start(), &["x", "nonsense"], None), Err(RunError::Foreign { .. })));
}

#[test]
fn a_run_that_does_not_begin_is_no_run() {
    let error = run(&mut start(), &["x", "fail"], None).unwrap_err();
    assert!(error.to_string().contains("cannot set up a run (exit status: 125)"), "{error}");
}

#[test]
fn a_damaged_trace_is_an_error_and_the_server_lives_on() {
    let mut server = start();
    assert!(matches!(run(&mut server, &["x", "damage"], None), Err(RunError::Trace(TraceError::Foreign))));
    assert!(run(&mut server, &["x"], None).is_ok());
}

#[test]
fn an_argument_ends_at_its_first_zero_byte_and_a_name_has_none() {
    let mut server = start();
    assert_eq!(run(&mut server, &["x", "abort\0b"], None).unwrap().status.signal(), Some(6));
    let null = File::options().read(true).write(true).open("/dev/null").unwrap();
    let mut run = Run {
        arguments: vec![Argument::with_room(OsStr::new("x"), 100), Argument::with_room(OsStr::new("abort"), 1 << 20)],
        extras: Extras { files: vec![OsStr::new("A").into()], ..Extras::default() },
        environment: None,
        stdin: null.as_fd(),
        stdout: null.as_fd(),
        stderr: null.as_fd(),
        directory: null.as_fd(),
        symbolic: &Symbolic::default(),
        limits: TraceLimits { nodes: 100, events: 100, snapshots: 0, ..TraceLimits::default() },
        visits: false,
        arithmetic: false,
        near: false,
        outputs: false,
        repeats: false,
        timeout: None,
    };
    let here = File::open(".").unwrap();
    run.directory = here.as_fd();
    run.extras.objects.push(NamedObject { name: OsStr::new("object"), bytes: b"bytes\0" });
    assert_eq!(server.run(&run).unwrap().status.signal(), Some(6));
    run.extras.objects[0].name = OsStr::new("ob\0ject");
    assert!(matches!(server.run(&run), Err(RunError::ZeroByte)));
}
