//! What `byway trace` reports, and how it hands on what it was given.

mod common;

use std::fs;
use std::process::Command;

use common::{Project, Ran};
use serde_json::Value;

/// Counts the digits of its standard input, and compares its argument.
const SOURCE: &str = r#"#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int digits = 0, c;
  while ((c = getchar()) != EOF)
    if (c >= '0' && c <= '9')
      digits++;
  if (argc > 1 && argv[1][0] == 's')
    pause();
  printf("%d\n", digits);
  return digits;
}
"#;

fn project() -> Project {
    let project = Project::with(&[("digits.c", SOURCE), ("input", "a1b2c3")]);
    project.run("byway-cc -O1 -g digits.c -o digits").ok();
    project
}

fn shell(project: &Project, script: &str) -> Ran {
    project.shell(script)
}

fn report(project: &Project) -> Value {
    serde_json::from_slice(&fs::read(project.path("report")).unwrap()).unwrap()
}

#[test]
fn files_and_pipes_reach_the_program_as_what_they_are() {
    let project = project();
    for script in [
        "byway trace digits --json -o report < input",
        "cat input | byway trace digits --json -o report",
        "(cat input; sleep 1) | byway trace digits --json -o report",
    ] {
        assert_eq!(shell(&project, script).ok().stdout, "3\n", "{script}");
        let report = report(&project);
        assert_eq!(report["exit_code"], 3, "{script}");
        assert_eq!(report["input_bytes"], 6, "{script}: {}", report["inputs"]);
        assert_eq!(report["inputs"][0]["name"], "stdin");
        assert!(report["native"]["cpu_seconds"].as_f64() > Some(0.0));
        assert!(report["counts"]["branch"]["events"].as_u64() >= Some(6));
        assert_eq!(report["self_check"]["mismatches"], 0);
    }
}

#[test]
fn a_writer_that_never_ends_does_not_keep_us() {
    let project = Project::with(&[("first.c", "#include <stdio.h>\nint main(void) { return getchar() == 'y'; }\n")]);
    project.run("byway-cc -g first.c -o first").ok();
    shell(&project, "yes | byway trace first --json -o report").ok();
    assert_eq!(report(&project)["exit_code"], 1);
}

#[test]
fn the_report_is_readable() {
    let project = project();
    let ran = shell(&project, "byway trace digits -- x < input").ok();
    assert!(ran.stdout.starts_with("3\nended        exit status: 3\n"), "{}", ran.stdout);
    for text in ["natively", "7 symbolic bytes: argv[1] 1, stdin 6", "none reached", "are worth what the run computed"]
    {
        assert!(ran.stdout.contains(text), "no {text:?} in\n{}", ran.stdout);
    }
    let ran = shell(&project, "byway trace digits --no-native --events -o report -- x < input && cat report").ok();
    assert!(ran.stdout.contains("digits.c:6:"), "{}", ran.stdout);
    assert!(ran.stdout.contains("stdin[1]"), "{}", ran.stdout);
    assert!(ran.stdout.contains("(not run natively: --no-native)"), "{}", ran.stdout);
}

/// Writes its input to several places: through printf, a buffer, a descriptor, a file, and an output that became another file.
const WRITER: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char text[5];
  if (read(0, text, 5) != 5)
    return 1;
  printf("first %c, number %d\n", text[0], text[1] - '0');
  putchar(text[2]);
  putchar('\n');
  fprintf(stderr, "%.2s\n", text + 3);
  fflush(stdout);
  FILE *file = fopen("copy", "w");
  fwrite(text, 1, 5, file);
  fclose(file);
  int other = open("other", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(other, 1);
  for (int i = 0; i < 5; i++)
    putchar(text[i] ^ 1);
  return 0;
}
"#;

#[test]
fn every_written_byte_evaluates_to_what_was_written() {
    let project = Project::with(&[("writer.c", WRITER), ("input", "a1b2c")]);
    project.run("byway-cc -O1 -g writer.c -o writer").ok();
    let ran = shell(&project, "byway trace writer --no-native --outputs --json -o report < input").ok();
    assert_eq!((&*ran.stdout, &*ran.stderr), ("first a, number 1\nb\n", "2c\n"));
    assert_eq!(fs::read_to_string(project.path("other")).unwrap(), "`0c3b");
    let check = &report(&project)["output_check"];
    assert_eq!(check["mismatches"], 0, "{check}");
    // Of standard output the letter, the digit and the byte; of standard error two; five of each file.
    assert_eq!((&check["arrived"], &check["bytes"], &check["missing"]), (&5.into(), &15.into(), &0.into()), "{check}");
    let ran = shell(&project, "cat input | byway trace writer --no-native --outputs 2> messages | cat").ok();
    assert!(ran.stdout.starts_with("first a, number 1\nb\nended "), "{}", ran.stdout);
    assert!(ran.stdout.contains("outputs      the expressions of 15 written bytes evaluate to"), "{}", ran.stdout);
}

#[test]
fn nothing_is_symbolic_if_nothing_is_to_be() {
    let project = project();
    shell(&project, "byway trace digits --symbolic none --json -o report -- x < input").ok();
    let all = report(&project);
    assert_eq!((&all["input_bytes"], &all["nodes"]), (&Value::from(0), &Value::from(0)));
    shell(&project, "byway trace digits --symbolic args --json -o report -- x < input").ok();
    assert_eq!(report(&project)["input_bytes"], 1);
}

#[test]
fn a_program_that_takes_too_long_is_killed() {
    let project = project();
    shell(&project, "byway trace digits --timeout 0.5 --json -o report -- s < input").ok();
    let report = report(&project);
    assert_eq!((&report["timed_out"], &report["signal"]), (&Value::from(true), &Value::from(9)));
    assert!(report["counts"]["branch"]["events"].as_u64() >= Some(6));
}

#[test]
fn limits_that_are_reached_are_said() {
    let project = project();
    shell(&project, "byway trace digits --max-nodes 4 --json -o report < input").ok();
    assert_eq!(report(&project)["limits_reached"][0], "nodes");
}

#[test]
fn a_solver_can_satisfy_the_path() {
    let project = project();
    shell(&project, "byway trace digits --smt2 path.smt2 -- x < input").ok();
    assert!(fs::read_to_string(project.path("path.smt2")).unwrap().contains("|stdin[5]|"));
    let answer = Command::new("z3").arg(project.path("path.smt2")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&answer.stdout), "sat\n");
}
