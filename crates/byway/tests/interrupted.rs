//! Ctrl-C ends what a command is at.

mod common;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use common::Project;
use rustix::process::{Pid, Signal};

/// Far more than the two seconds that it may take: other tests run at the same time.
const PATIENCE: Duration = Duration::from_secs(40);

/// There is more to explore, and to leave out, than there is time for.
const SOURCE: &str = r#"#include <stdio.h>
int main(int argc, char **argv) {
  unsigned sum = CHANGED;
  int letter;
  while ((letter = getchar()) != EOF)
    sum = sum * 31 + (letter > 'a' ? letter * letter : sum >> 3);
  for (volatile unsigned round = 0; round < 3000000; round++)
    ;
  return sum % 1009 == 3 && sum % 1013 == 5;
}
"#;

fn project() -> Project {
    let project = Project::new();
    for (version, changed) in [("old", "0"), ("new", "(unsigned)(argc > 5)")] {
        project.write(&format!("{version}/program.c"), SOURCE.replace("CHANGED", changed));
        project.shell(&format!("cd {version} && byway-cc -g -O1 program.c -o program")).ok();
    }
    let text = "abcdefghijklmnopqrstuvwxyz".repeat(20);
    project.write("test.sh", format!("for n in 1 2 3 4; do echo ${{n}}{text} | ./old/program; done\n"));
    project.run("byway record -q -o seeds -- sh test.sh").ok();
    project
}

/// Begins a command, waits until it says that it is at something, and interrupts it. How it ended.
fn interrupted_at(project: &Project, line: &str, doing: &str) -> Option<i32> {
    // Who runs the tests in the background has them ignore Ctrl-C.
    let mut command = project.command("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_byway")]);
    command.args(line.split(' ')).args(["--progress", "0.2"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut all = String::new();
    while !all.lines().any(|line| line.contains(doing)) {
        assert_ne!(said.read_line(&mut all).unwrap(), 0, "{line} did not come to {doing}:\n{all}");
    }
    thread::spawn(move || said.read_to_string(&mut String::new()));
    rustix::process::kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    ended(child, line)
}

fn ended(mut child: Child, line: &str) -> Option<i32> {
    let pid = Pid::from_child(&child);
    let (sender, receiver) = mpsc::channel();
    let mut written = child.stdout.take().unwrap();
    thread::spawn(move || written.read_to_string(&mut String::new()));
    thread::spawn(move || sender.send(child.wait().unwrap().code()));
    receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
        panic!("{line} goes on after Ctrl-C")
    })
}

#[test]
fn a_comparison_ends_while_it_builds_and_while_it_searches() {
    let project = project();
    let diff = "diff old/program new/program --from seeds --time 1000";
    // Nothing is there that could be kept.
    assert_eq!(interrupted_at(&project, diff, "building the "), None);
    for (search, doing) in [("changes", "searching for changes"), ("undirected", "exploring the new version")] {
        let code = interrupted_at(&project, &format!("{diff} --search {search}"), doing);
        // A difference may have been found before.
        assert!(matches!(code, Some(130 | 2)), "{search}: {code:?}");
        assert!(project.path("byway.out/index.html").is_file(), "{search}");
    }
}

#[test]
fn making_seeds_smaller_and_measuring_end() {
    let project = project();
    let reduce = interrupted_at(&project, "reduce seeds --time 1000 --jobs 1", "program");
    assert!(reduce.is_some_and(|code| code != 101), "{reduce:?}");
    let eval = interrupted_at(&project, "eval seeds --time 1000 --reduce 0 --jobs 1", "explor");
    assert!(eval.is_some_and(|code| code != 101), "{eval:?}");
}
