//! However an exploration ends, what it found is there, and it can go on.

mod common;
#[path = "common/explore.rs"]
mod explore;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use explore::{OUTPUT, Subject, json};

/// How often it is killed.
const TIMES: u64 = 20;

fn begin(subject: &Subject, options: &str) -> Child {
    let mut command = subject.project.command(env!("CARGO_BIN_EXE_byway"));
    command.args(["explore", "subject", "-o", OUTPUT]).args(options.split_whitespace());
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until there is something in the output directory.
fn await_file(subject: &Subject, name: &str) {
    let (path, begun) = (subject.project.path(OUTPUT).join(name), Instant::now());
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "there is no {}", path.display());
        thread::sleep(Duration::from_millis(20));
    }
}

/// All files of JSON below a directory can be read, but for what is unfinished.
fn is_readable(directory: &Path) {
    for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if path.file_name().unwrap().to_string_lossy().starts_with('.') {
            continue;
        }
        match path.extension().and_then(|end| end.to_str()) {
            _ if path.is_dir() => is_readable(&path),
            Some("json") => drop(json(&path)),
            _ => {}
        }
    }
}

/// Numbers that look random and are the same every time.
fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn an_exploration_that_is_killed_goes_on_where_it_was() {
    let subject = Subject::named("many_paths");
    let (project, output) = (&subject.project, subject.project.path(OUTPUT));
    project.variant("subject", "sym");
    project.variant("subject", "asan");
    let (mut seed, mut kept, mut runs_at_kill) = (0x9e37_79b9_7f4a_7c15, 0, 0);
    for _ in 0..TIMES {
        let resume = if output.join("byway.json").exists() { "--resume" } else { "" };
        let mut child = begin(&subject, &format!("{OPTIONS} {resume}"));
        thread::sleep(Duration::from_millis(40 + random(&mut seed) % 500));
        let _ = kill_process(Pid::from_child(&child), Signal::KILL);
        runs_at_kill += u32::from(child.wait().unwrap().code().is_none());
        if !output.join("byway.json").exists() {
            continue;
        }
        is_readable(&output);
        let now = subject.tests().len();
        assert!(now >= kept, "{now} tests after {kept}");
        kept = now;
        if kept > 0 {
            project.run("byway replay out --jobs 1").ok();
        }
    }
    assert!(runs_at_kill > 10, "it was over before it was killed, but for {runs_at_kill} times");
    let (mut lines, mut end) = (0, String::new());
    for options in ["--max-runs 100", "--max-runs 200", ""] {
        let resume = if output.join("byway.json").exists() { "--resume" } else { "" };
        let explored = subject.explore(&format!("{resume} {options}"));
        let covered = explored.stats()["lines"]["covered"].as_u64().unwrap();
        assert!(covered >= lines && subject.tests().len() >= kept, "{covered} lines after {lines}");
        (lines, kept, end) = (covered, subject.tests().len(), explored.end());
    }
    assert_eq!(end, "all paths were tried");
    let (complete, tests) = (subject.explore("").stats(), subject.tests().len());
    assert_eq!(complete["lines"]["covered"], lines);
    assert!(kept <= 2 * tests, "{kept} tests after being killed, {tests} without");
    project.run("byway replay out").ok();
}

const OPTIONS: &str = "--sym-stdin 7";

#[test]
fn a_run_that_hangs_does_not_delay_an_interruption() {
    let subject = Subject::named("hang");
    subject.project.variant("subject", "sym");
    subject.project.variant("subject", "asan");
    let child = begin(&subject, "--sym-arg 2 --run-timeout 3 --fail-on note");
    // After three seconds the sanitizers have their say; they would wait for fifteen.
    await_file(&subject, "byway.json");
    thread::sleep(Duration::from_secs(9));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    // If it had waited for the sanitizers, the hang would be confirmed.
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("note[hang]: the program does not end (unconfirmed"), "{text}");
    assert_eq!(output.status.code(), Some(2), "{text}");
    subject.project.run("byway replay out --timeout 0.5").ok();
}

#[test]
fn an_interrupted_exploration_keeps_everything() {
    let subject = Subject::named("endless");
    subject.project.variant("subject", "sym");
    subject.project.variant("subject", "asan");
    let child = begin(&subject, "--sym-stdin 60");
    await_file(&subject, "byway.json");
    thread::sleep(Duration::from_millis(1500));
    // A terminal tells all processes of the group.
    kill_process_group(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(": interrupted\n"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
    let stats = json(&subject.project.path(OUTPUT).join("stats.json"));
    assert!(stats["runs"].as_u64() > Some(1) && stats["kept"] == subject.tests().len(), "{stats}");
    subject.project.run("byway replay out").ok();
}
