//! What a mistake in byway costs: the piece of work that it was made with, and nothing that was found before.
//!
//! `BYWAY_REHEARSE=NAME` makes a build for tests panic where work on NAME begins.

#[path = "common/check.rs"]
mod check;
mod common;

use std::fs;

use serde_json::Value;

use check::{OUTPUT, Subject};
use common::{Project, Ran};

fn json(project: &Project, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(project.path(OUTPUT).join(name)).unwrap()).unwrap()
}

/// Checks a subject; byway makes a mistake with what is named.
fn rehearse(subject: &Subject, name: &str, options: &[&str]) -> Ran {
    let mut command = subject.project.command(env!("CARGO_BIN_EXE_byway"));
    command.env("BYWAY_REHEARSE", name).args(["check", "--time", "20", "--jobs", "1"]);
    command.args(options).args(["--", "sh", "test.sh"]).output().unwrap().into()
}

#[test]
fn a_mistake_with_one_seed_costs_that_seed_and_the_others_are_checked() {
    let subject = Subject::named("two_ways");
    let ran = rehearse(&subject, "0001-subject", &["--max-distance", "0"]);
    assert_eq!(ran.code, Some(70), "{}{}", ran.stdout, ran.stderr);
    // What the others show is printed and written in all formats, and the seed at fault is named.
    assert!(ran.stdout.contains("subject.c:12"), "{}", ran.stdout);
    assert!(ran.stdout.contains("0001-subject") && ran.stdout.contains("rehearsed"), "{}", ran.stdout);
    assert!(ran.stderr.contains("please report it"), "{}", ran.stderr);
    assert_eq!(json(&subject.project, "findings.json").as_array().unwrap().len(), 1);
    assert_eq!(json(&subject.project, "report.sarif")["runs"][0]["results"].as_array().unwrap().len(), 1);
    let junit = fs::read_to_string(subject.project.path(OUTPUT).join("junit.xml")).unwrap();
    assert_eq!(junit.matches("<failure").count(), 1, "{junit}");
    let stats = json(&subject.project, "stats.json");
    assert_eq!(stats["seeds"]["checked"], 2);
    assert!(stats["remaining"].as_array().unwrap().iter().any(|left| left["limit"] == "mistake"), "{stats}");
}

#[test]
fn a_mistake_with_every_seed_is_no_success() {
    let subject = Subject::named("no_runs_around");
    let ran = rehearse(&subject, "0001-subject", &[]);
    assert_eq!(ran.code, Some(70), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("everything up to"), "{}", ran.stdout);
    assert_eq!(json(&subject.project, "findings.json").as_array().unwrap().len(), 0);
}

#[test]
fn a_mistake_in_an_exploration_keeps_what_was_found() {
    let project = Project::with(&[("p.c", "int main(int c, char **v) { return c > 1 && v[1][0] == 'x'; }\n")]);
    project.run("byway-cc -g p.c -o p").ok();
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.env("BYWAY_REHEARSE", "explore").args(["explore", "p", "--sym-arg", "1", "--time", "20"]);
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.code, Some(70), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("a mistake in byway") && ran.stdout.contains("rehearsed"), "{}", ran.stdout);
    assert!(project.path(OUTPUT).join("stats.json").exists());
}
