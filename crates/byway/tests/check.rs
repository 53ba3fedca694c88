//! Checks, from the command line: the subjects under `tests/subjects/check`.

#[path = "common/check.rs"]
mod check;
mod common;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

use check::{OUTPUT, Subject, source};
use common::trials::{self, Problem};
use common::{Project, Ran};

fn main() -> ExitCode {
    let facts = facts![
        a_suite_may_run_several_programs_at_once,
        what_was_recorded_can_be_checked_when_it_is_gone,
        files_are_varied_without_confinement_too,
        what_a_test_shows_itself_says_nothing_about_others,
        a_finding_keeps_its_name_when_lines_move,
        the_same_line_twice_in_a_function_is_two_findings,
        a_hang_is_confirmed_and_replays,
        what_shows_behind_other_reports_replays,
        tests_that_show_a_finding_are_listed_by_distance,
        every_report_says_the_same,
    ];
    trials::run([trials::of_subjects("check", None, |_| true, problems), facts])
}

/// What is wrong with a subject.
fn problems(path: &Path) -> Vec<Problem> {
    let subject = Subject::build(path);
    let checked = subject.check();
    let mut problems = checked.problems();
    if !problems.is_empty() {
        problems.push(format!("it said:\n{}{}", checked.ran.stdout, checked.ran.stderr).into());
    }
    problems.extend(subject.claims().into_iter().map(Problem::from));
    problems
}

fn a_suite_may_run_several_programs_at_once() {
    let project = Project::new();
    for (name, subject) in [("one", "stack_index"), ("two", "global_index")] {
        project.write(&format!("{name}.c"), fs::read_to_string(source(subject)).unwrap());
        project.run(&format!("byway-cc -g {name}.c -o {name}")).ok();
    }
    let script = "printf abca | ./one >first & ./two 03 & ./two 07 & wait; cat first";
    let ran = check(&project, &["--time", "20", "--max-distance", "0"], script);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    for text in ["2 1 1", "March", "July"] {
        assert!(ran.stdout.contains(text), "{}", ran.stdout);
    }
    let programs = findings(&project).into_iter().map(|finding| finding["program"].as_str().unwrap().to_owned());
    let mut programs: Vec<String> = programs.collect();
    programs.sort();
    let expected = ["one", "two"].map(|name| project.path(name).display().to_string());
    assert_eq!(programs, expected);
}

fn what_was_recorded_can_be_checked_when_it_is_gone() {
    let subject = Subject::named("figure_1");
    let project = &subject.project;
    project.run("byway record -o seeds -- sh test.sh").ok();
    for name in ["subject", "x", "test.sh"] {
        fs::remove_file(project.path(name)).unwrap();
    }
    fs::rename(project.path("seeds"), project.path("kept")).unwrap();
    project.run("byway check --from kept --max-distance 0 --time 20").fails(2, "");
    assert_eq!(findings(project).len(), 1);
    // Seeds that are in the output directory stay there.
    fs::rename(project.path("kept"), project.path(OUTPUT).join("seeds")).unwrap();
    project.run("byway check --from byway.out/seeds --max-distance 0 --time 20").fails(2, "");
    assert_eq!(findings(project).len(), 1);
    assert!(project.path("byway.out/seeds/suite.json").exists());
}

const READS_A_FILE: &str = r#"#include <stdio.h>
int table[16];
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  int index = getc(file);
  return index < 'a' ? 0 : table[index - 'a'];
}
"#;

fn files_are_varied_without_confinement_too() {
    let project = Project::with(&[("get.c", READS_A_FILE), ("data/relative", "a"), ("data/absolute", "b")]);
    project.run("byway-cc -g get.c -o get").ok();
    fs::create_dir(project.path("work")).unwrap();
    let options = ["--time", "20", "--max-distance", "0", "--jobs", "2", "--unconfined"];
    let ran = check(&project, &options, "cd work; ../get $PWD/../data/absolute");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr.contains("what they open by an absolute path is read, and written, where it is"),
        "{}",
        ran.stderr
    );
    let ran = check(&project, &options, "cd work; ../get ../data/relative");
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    let found = findings(&project);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["kind"], "bounds");
    assert_eq!(fs::read(project.path("data/relative")).unwrap(), b"a");
    project.run("byway replay byway.out --unconfined").ok();
    project.run("byway replay byway.out").ok();
}

/// Each run overflows; and a size that is too large is no defect, but nobody can say so before it was tried.
const OVERFLOWS_ANYWAY: &str = "#include <limits.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  volatile int sum = INT_MAX;
  sum = sum + argc;
  char *block = malloc((size_t)(unsigned char)(argv[1][0] - '0') << 41);
  free(block);
  return 0;
}
";

fn what_a_test_shows_itself_says_nothing_about_others() {
    let project = Project::with(&[("sum.c", OVERFLOWS_ANYWAY)]);
    project.run("byway-cc -g sum.c -o sum").ok();
    let ran = check(&project, &["--time", "20", "--max-distance", "0", "--fail-on", "warning"], "./sum 0");
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    let found: Vec<(Value, Value)> =
        findings(&project).into_iter().map(|finding| (finding["kind"].clone(), finding["confirmed"].clone())).collect();
    let expected = [("signed-integer-overflow", true), ("allocation-size-too-big", false)];
    assert_eq!(found, expected.map(|(kind, is_confirmed)| (kind.into(), is_confirmed.into())));
}

fn a_finding_keeps_its_name_when_lines_move() {
    for name in ["one_line_divisions", "global_index", "freed_early"] {
        let subject = Subject::named(name);
        let before = names(&subject);
        // More lines above: also one that says what the line of a finding says.
        let more = "// One more line.\n#include <stddef.h>\nstatic inline int more(int n) { return n + 1; }\n\n";
        subject.project.write("subject.c", format!("{more}{}", subject.says.source));
        subject.project.run("byway-cc -O1 -g subject.c -o subject").ok();
        assert_eq!(before, names(&subject), "{name}");
    }
}

/// The names of what a check finds, without where that is now.
fn names(subject: &Subject) -> Vec<String> {
    let checked = subject.check();
    let findings = findings(&subject.project).into_iter().map(|finding| finding["id"].as_str().unwrap().to_owned());
    let mut names: Vec<String> = findings.collect();
    assert!(!names.is_empty(), "{}{}", checked.ran.stdout, checked.ran.stderr);
    names.sort();
    names
}

fn the_same_line_twice_in_a_function_is_two_findings() {
    const TWICE: &str = "#include <stdio.h>
static int table[8];
int main(void) {
  int sum = 0, first = getchar(), second = getchar(), index = first & 15;
  sum += table[index];
  index = second & 15;
  sum += table[index];
  return sum;
}
";
    let project = Project::with(&[("twice.c", TWICE)]);
    project.run("byway-cc -g twice.c -o twice").ok();
    check(&project, &["--time", "20", "--max-distance", "0"], "printf '\\001\\002' | ./twice");
    let lines: std::collections::BTreeSet<u64> =
        findings(&project).iter().map(|finding| finding["line"].as_u64().unwrap()).collect();
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), [5, 7]);
}

fn a_hang_is_confirmed_and_replays() {
    let subject = Subject::named("hang_in_function");
    subject.check();
    let found = findings(&subject.project);
    assert_eq!((&found[0]["kind"], &found[0]["confirmed"]), (&"hang".into(), &true.into()), "{found:?}");
    subject.project.run("byway replay byway.out --timeout 1").ok();
    let fixed = subject.says.source.replace("nodes[2].next = &nodes[0]", "nodes[2].next = NULL");
    subject.project.write("fixed.c", fixed);
    subject.project.run("byway-cc -O1 -g fixed.c -o fixed").ok();
    let replayed = subject.project.run("byway replay byway.out --with fixed");
    assert!(replayed.stdout.contains("no hang any more"), "{replayed:?}");
}

fn what_shows_behind_other_reports_replays() {
    let subject = Subject::named("seed_fails_address");
    let checked = subject.check();
    assert!(checked.ran.stdout.contains("behind: heap-buffer-overflow at subject.c:16"), "{}", checked.ran.stdout);
    subject.project.run("byway replay byway.out").ok();
}

fn tests_that_show_a_finding_are_listed_by_distance() {
    let subject = Subject::named("freed_early");
    let checked = subject.check();
    let found = findings(&subject.project);
    let tests = found[0]["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 3, "{}", checked.ran.stdout);
    let ranks: Vec<(u64, u64)> =
        tests.iter().map(|test| (test["distance"].as_u64().unwrap(), test["depth"].as_u64().unwrap())).collect();
    assert!(ranks.is_sorted() && ranks[0].0 == found[0]["distance"].as_u64().unwrap(), "{ranks:?}");
    let sarif = fs::read_to_string(subject.project.path(OUTPUT).join("report.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["properties"]["tests"], found[0]["tests"]);
    let own = subject.project.path(OUTPUT).join(found[0]["input"].as_str().unwrap()).join("finding.json");
    let own: Value = serde_json::from_str(&fs::read_to_string(own).unwrap()).unwrap();
    assert_eq!(own["tests"], found[0]["tests"]);
}

fn every_report_says_the_same() {
    let subject = Subject::named("copy_length");
    let checked = subject.check();
    let output = subject.project.path(OUTPUT);
    let findings = findings(&subject.project);
    assert_eq!(findings.len(), 1, "{}{}", checked.ran.stdout, checked.ran.stderr);
    let sarif: Value = serde_json::from_str(&fs::read_to_string(output.join("report.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{sarif}");
    assert_eq!(results[0]["ruleId"], findings[0]["kind"]);
    let junit = fs::read_to_string(output.join("junit.xml")).unwrap();
    assert_eq!(junit.matches("<failure").count(), 1, "{junit}");
    assert_eq!(junit.matches("<testcase").count(), 2, "{junit}");
    let stats: Value = serde_json::from_str(&fs::read_to_string(output.join("stats.json")).unwrap()).unwrap();
    assert_eq!(stats["seeds"]["captured"], 2, "{stats}");
    // The terminal: what, where, and from which test.
    for text in ["stack-buffer-overflow", "subject.c:18", "stdin", "run.sh"] {
        assert!(checked.ran.stdout.contains(text), "no {text} in\n{}", checked.ran.stdout);
    }
}

fn check(project: &Project, options: &[&str], script: &str) -> Ran {
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.arg("check").args(options).args(["--", "sh", "-c", script]).output().unwrap().into()
}

fn findings(project: &Project) -> Vec<Value> {
    let text = fs::read_to_string(project.path(OUTPUT).join("findings.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}
