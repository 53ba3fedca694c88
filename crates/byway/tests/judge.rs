//! The `asan` variant as a fork server says what it says as a program of its own.

mod common;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use byway_exec::Judge;
use byway_exec::{PlainRun, PlainServer, RunError};
use byway_report::{Ending, Finding, findings};
use common::{Expectations, Project, subjects};

/// Does what its first argument says, and shows what it was given.
const PROGRAM: &str = r#"#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int begun, ended;
__attribute__((constructor)) static void begin(void) {
  begun++;
  printf("constructor, %s\n", getenv("BYWAY_SERVER") ? "a server" : "a program");
}
static void end(void) { printf("exit handler %d\n", ++ended); }
int main(int argc, char **argv, char **envp) {
  atexit(end);
  printf("%d %d %s %s\n", begun, argc, argv[0], program_invocation_short_name);
  const char *deed = argc > 1 ? argv[1] : "nothing";
  if (!strcmp(deed, "show")) {
    char text[100];
    long got = read(0, text, sizeof text);
    printf("%.*s\n%s\n", (int)got, text, getcwd(0, 0));
    for (char **variable = environ; *variable; variable++)
      if (strncmp(*variable, "ASAN", 4) && strncmp(*variable, "UBSAN", 5))
        puts(*variable);
    printf("%d %s\n", envp == environ, getenv("SEEN"));
    printf("descriptor %d\n", open("/dev/null", O_RDONLY));
    for (int i = 2; i < argc; i++)
      puts(argv[i]);
  } else if (!strcmp(deed, "heap")) {
    char *block = malloc(argc);
    block[argc] = 1;
    free(block);
  } else if (!strcmp(deed, "shift")) {
    printf("%d\n", argc << (30 + argc));
  } else if (!strcmp(deed, "past")) {
    printf("%d\n", argv[2][strlen(argv[2]) + 1]);
  } else if (!strcmp(deed, "variable")) {
    printf("%d\n", getenv("SEEN")[3]);
  } else if (!strcmp(deed, "abort")) {
    abort();
  } else if (!strcmp(deed, "kill")) {
    raise(9);
  } else if (!strcmp(deed, "sleep")) {
    sleep(100);
  } else if (!strcmp(deed, "leak")) {
    return malloc(10) == 0;
  } else if (!strcmp(deed, "exit")) {
    return 42;
  } else if (!strcmp(deed, "leave")) {
    _exit(43);
  }
  return 0;
}
"#;

/// A program, and how it is run.
struct Subject {
    project: Project,
    asan: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

/// What came of a run.
#[derive(Debug, PartialEq)]
struct Seen {
    ending: Ending,
    stdout: String,
    stderr: String,
    findings: Vec<Finding>,
}

impl Subject {
    fn new(name: &str, source: &str, flags: &str) -> Subject {
        let project = Project::with(&[(name, source)]);
        project.run(&format!("byway-cc -g -O2 -o subject {name} {flags}")).ok();
        let asan = project.variant("subject", "asan");
        let judge = Judge::new().environment();
        let environment = judge.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Subject { project, asan, environment }
    }

    fn server(&self) -> PlainServer {
        PlainServer::start(&self.asan, OsStr::new("server"), Some(&self.environment)).unwrap()
    }

    fn with(&self, variables: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
        self.environment.iter().cloned().chain(variables).collect()
    }

    /// In the server.
    fn judged(&self, server: &mut PlainServer, words: &[&str], variables: &[(&str, &str)]) -> Seen {
        let (stdin, mut stdout, mut stderr) = (self.stdin(), file(""), file(""));
        let environment = self.with(variables);
        let outcome = server.run(&PlainRun {
            arguments: ["./name"].iter().chain(words).map(OsStr::new).collect(),
            environment: Some(&environment),
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            counters: None,
            directory: File::open(self.project.path("bin")).unwrap().as_fd(),
            timeout: Some(Duration::from_secs(20)),
        });
        let outcome = outcome.unwrap();
        assert!(!outcome.out_of_memory && !outcome.timed_out);
        Seen::new(Ending::new(outcome.status, outcome.timed_out), &text(&mut stdout), &text(&mut stderr))
    }

    /// As a user would run it.
    fn alone(&self, words: &[&str], variables: &[(&str, &str)]) -> Seen {
        let (mut stdout, mut stderr) = (file(""), file(""));
        let status = Command::new(&self.asan)
            .arg0("./name")
            .args(words)
            .env_clear()
            .envs(self.with(variables))
            .current_dir(self.project.path("bin"))
            .stdin(Stdio::from(self.stdin()))
            .stdout(Stdio::from(stdout.try_clone().unwrap()))
            .stderr(Stdio::from(stderr.try_clone().unwrap()))
            .status();
        Seen::new(Ending::new(status.unwrap(), false), &text(&mut stdout), &text(&mut stderr))
    }

    fn stdin(&self) -> File {
        file("some input")
    }
}

impl Seen {
    fn new(ending: Ending, stdout: &str, stderr: &str) -> Seen {
        let findings = findings("subject", stderr.as_bytes(), ending);
        // The environment is a set.
        let mut lines: Vec<_> = stdout.lines().collect();
        lines.sort_unstable();
        Seen { ending, stdout: lines.join("\n"), stderr: stderr.to_owned(), findings }
    }

    /// All but addresses and numbers of processes.
    #[track_caller]
    fn assert_like(&self, other: &Seen) {
        assert_eq!((self.ending, &self.stdout), (other.ending, &other.stdout), "{}", self.stderr);
        assert_eq!(self.findings, other.findings, "\n{}\n{}", self.stderr, other.stderr);
        assert_eq!(self.stderr.is_empty(), other.stderr.is_empty());
    }
}

fn file(content: &str) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file.rewind().unwrap();
    file
}

fn text(file: &mut File) -> String {
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_run_in_the_server_is_like_one_alone() {
    let subject = Subject::new("program.c", PROGRAM, "");
    let mut server = subject.server();
    let variables = [("SEEN", "ab"), ("OTHER", "a=b c")];
    for words in [
        &["show", "", "an argument"][..],
        &[],
        &["heap", "x"],
        &["shift", "x"],
        &["past", "text"],
        &["variable"],
        &["abort"],
        &["kill"],
        &["leak"],
        &["exit"],
        &["leave"],
    ] {
        let (judged, alone) = (subject.judged(&mut server, words, &variables), subject.alone(words, &variables));
        judged.assert_like(&alone);
        let is_fine = matches!(words.first(), None | Some(&("show" | "kill" | "leak" | "exit" | "leave")));
        assert_eq!(judged.findings.is_empty(), is_fine);
    }
}

#[test]
fn every_subject_is_judged_alike() {
    for path in subjects("asan") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = Expectations::read(&path);
        let flags = expected.words("flags").unwrap_or_default().join(" ");
        let subject = Subject::new(name, &expected.source, &flags);
        let variables = expected.words("env").unwrap_or_default();
        let variables: Vec<_> = variables.iter().filter_map(|variable| variable.split_once('=')).collect();
        let mut server = subject.server();
        for key in ["fine", "args"] {
            let Some(words) = expected.words(key) else { continue };
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            let judged = subject.judged(&mut server, &words, &variables);
            judged.assert_like(&subject.alone(&words, &variables));
            assert_eq!(judged.findings.is_empty(), key == "fine", "{name}");
        }
    }
}

#[test]
fn a_run_that_takes_too_long_is_killed_and_the_server_lives_on() {
    let subject = Subject::new("program.c", PROGRAM, "");
    let mut server = subject.server();
    let null = File::options().read(true).write(true).open("/dev/null").unwrap();
    let here = File::open(".").unwrap();
    let run = PlainRun {
        arguments: ["name", "sleep"].map(OsStr::new).to_vec(),
        environment: None,
        stdin: null.as_fd(),
        stdout: null.as_fd(),
        stderr: null.as_fd(),
        counters: None,
        directory: here.as_fd(),
        timeout: Some(Duration::from_millis(100)),
    };
    let outcome = server.run(&run).unwrap();
    assert!(outcome.timed_out && outcome.status.signal() == Some(9));
    let quick = PlainRun { arguments: ["name", "exit\0here"].map(OsStr::new).to_vec(), ..run.clone() };
    assert_eq!(server.run(&quick).unwrap().status.code(), Some(42));
    let wrong: [(OsString, OsString); 1] = [("A\0B".into(), "".into())];
    let wrong = PlainRun { environment: Some(&wrong), ..run };
    assert!(matches!(server.run(&wrong), Err(RunError::ZeroByte)));
}

#[test]
fn a_program_whose_constructors_make_threads_is_no_server() {
    let source = r#"#include <pthread.h>
        #include <unistd.h>
        static void *wait_on(void *unused) { sleep(100); return unused; }
        static pthread_t thread;
        __attribute__((constructor)) static void begin(void) { pthread_create(&thread, 0, wait_on, 0); }
        int main(void) { return 0; }"#;
    let subject = Subject::new("threads.c", source, "-pthread");
    let refused = PlainServer::start(&subject.asan, OsStr::new("server"), Some(&subject.environment));
    assert!(matches!(refused, Err(RunError::Gone { status: Some(status), .. }) if status.code() == Some(125)));
}
