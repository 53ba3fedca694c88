//! What is said while byway is at work, and how soon it ends when the user wants it to.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use common::Project;
use rustix::process::{Pid, Signal};

/// Its first test fails as it is; then there is more to explore than anybody has time for.
const SOURCE: &str = "#include <stdio.h>
#include <string.h>
static int table[4];
int main(int argc, char **argv) {
  unsigned sum = 0;
  int letter, index = argv[1][0] - '0';
  volatile int got = table[index];
  while ((letter = getchar()) != EOF)
    sum = sum * 31 + (letter > 'a' ? letter * letter : sum >> 3);
  return sum % 7 == 3 && sum % 11 == 5;
}
";

fn project() -> Project {
    let project = Project::with(&[("program.c", SOURCE)]);
    project.run("byway-cc -g -O1 program.c -o program").ok();
    project
}

/// Begins a command that goes on for as long as anybody waits.
fn begin(project: &Project, options: &[&str]) -> Child {
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.args(options).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the command says something with this in it, on one of its outputs.
fn wait_for(output: impl std::io::Read, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in BufReader::new(output).lines() {
        lines.push(line.unwrap());
        if lines.last().unwrap().contains(text) {
            return lines;
        }
    }
    panic!("no {text:?} in {lines:?}");
}

/// Ctrl-C, and how it ends.
fn interrupt(mut child: Child) -> Option<i32> {
    rustix::process::kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait().unwrap().code()
}

#[test]
fn a_finding_is_printed_when_it_is_confirmed_and_numbers_come_every_now_and_then() {
    let project = project();
    let test = "echo abcdefghijklmnopqrstuvwxyz | ./program 7";
    let options = ["check", "--time", "1000", "--progress", "0.2", "--", "sh", "-c", test];
    let mut child = begin(&project, &options);
    // The check goes on for 1000 seconds, so this is not at its end.
    wait_for(child.stdout.as_mut().unwrap(), "error[bounds]: your test already shows this");
    let lines = wait_for(child.stderr.as_mut().unwrap(), "runs/s");
    assert!(lines.iter().any(|line| line.contains("building program (1 of 1)")), "{lines:?}");
    let last = lines.last().unwrap();
    assert!(last.contains("following tests: ") || last.contains("exploring at distance "), "{last}");
    assert!(last.contains("s left"), "{last}");
    assert_eq!(interrupt(child), Some(2));
    assert!(fs::read_to_string(project.path("byway.out/stats.json")).unwrap().contains("interrupted"));
}

#[test]
fn an_interrupted_build_is_not_waited_for() {
    let project = project();
    // Its compiler never comes to an end.
    project.write_script("bin/clang-19", "#!/bin/sh\nexec sleep 1000\n");
    let options = ["check", "--progress", "0.2", "--", "sh", "-c", "echo a | ./program 1"];
    let mut child = begin(&project, &options);
    wait_for(child.stderr.as_mut().unwrap(), "building program (1 of 1)");
    assert_eq!(interrupt(child), Some(5));
    let junit = fs::read_to_string(project.path("byway.out/junit.xml")).unwrap();
    assert!(junit.contains("<skipped message=\"interrupted before it\"/>"), "{junit}");
}

#[test]
fn who_waits_for_tests_and_variants_is_told_so() {
    let project = project();
    let ran = project.run("byway record --progress 0.1 -- sleep 0.5");
    assert!(ran.stderr.contains("byway: running the tests (0 s)\n"), "{ran:?}");
    let ran = project.run("byway build program --variant asan --progress 0.05").ok();
    assert!(ran.stderr.contains("byway: building the asan variant of program ("), "{ran:?}");
    let quiet = project.run("byway build program --variant sym --progress 0").ok();
    assert_eq!(quiet.stderr, "");
}

#[test]
fn who_waits_for_a_program_hears_that_it_runs() {
    let project = Project::with(&[("slow.c", "#include <unistd.h>\nint main(void) { sleep(1); return 0; }\n")]);
    project.run("byway-cc -g slow.c -o slow").ok();
    for command in ["coverage", "trace --no-native"] {
        let ran = project.run(&format!("byway {command} --progress 0.1 ./slow")).ok();
        assert!(ran.stderr.contains("byway: running ./slow (0 s)\n"), "{command}: {ran:?}");
        let quiet = project.run(&format!("byway {command} --progress 0 ./slow")).ok();
        assert_eq!(quiet.stderr, "", "{command}");
    }
}

#[test]
fn an_exploration_prints_findings_when_they_are_confirmed() {
    let project = project();
    let options = "explore program --time 1000 --progress 0.2 --sym-args 1 1 1 --sym-stdin 50";
    let options: Vec<&str> = options.split(' ').collect();
    let mut child = begin(&project, &options);
    wait_for(child.stdout.as_mut().unwrap(), "error[bounds]: index ");
    wait_for(child.stderr.as_mut().unwrap(), "exploring: ");
    assert_eq!(interrupt(child), Some(2));
}

#[test]
fn a_cache_that_cannot_be_written_is_noticed_before_the_tests_run() {
    let project = project();
    project.write("file", "");
    let options = "check --cache-dir file/cache -- touch ran";
    project.run(&format!("byway {options}")).fails(15, "file/cache");
    assert!(!project.path("ran").exists());
}
