//! Which differences count, and which input `byway diff` changes.

mod common;

use std::fs;

use common::{Project, Ran};
use serde_json::Value;

/// Two changes, each shown by a word that no test has: one in what is written, one in the exit code.
const SOURCE: &str = r#"#include <stdio.h>
#include <string.h>
static int named(const char *word) {
  if (!strcmp(word, "left"))
    puts("left"); // changed
  return 0;
}
static int coded(const char *word) {
  if (!strcmp(word, "down"))
    return 3; // changed
  return 0;
}
int main(int argc, char **argv) {
  char line[8] = "";
  if (argc < 2)
    return 1;
  fgets(line, sizeof line, stdin);
  return named(argv[1]) + coded(line);
}
"#;

fn project() -> Project {
    let new = SOURCE.replace("puts(\"left\")", "puts(\"LEFT\")").replace("return 3", "return 4");
    let project = Project::with(&[("old/program.c", SOURCE), ("new/program.c", &new)]);
    for version in ["old", "new"] {
        project.shell(&format!("cd {version} && byway-cc -g -O1 program.c -o program")).ok();
    }
    project
}

fn diff(project: &Project, flags: &str) -> Ran {
    project.shell(&format!("printf down | byway diff old/program new/program --time 30 {flags} -- left"))
}

fn json(project: &Project, path: &str) -> Value {
    serde_json::from_slice(&fs::read(project.path(path)).unwrap()).unwrap()
}

/// The kinds of all differences, in their order.
fn kinds(project: &Project) -> Vec<String> {
    let all = json(project, "byway.out/differences.json");
    all.as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_a_file_accepts_does_not_count() {
    let project = project();
    // The given run shows both at once.
    let both = diff(&project, "--only-given").fails(2, "");
    assert!(both.stdout.contains("1 difference in "), "{}", both.stdout);
    let id = json(&project, "byway.out/differences.json")[0]["id"].as_str().unwrap().to_owned();

    let rules = "[[suppress]]\nkind = 'ex*'\nfile = 'new/*.c'\nfunction = 'coded'\nreason = 'as agreed'\n\
                 [[suppress]]\nkind = 'stderr'\nreason = 'fits nothing'\n\
                 [[suppress]]\nkind = 'bounds'\nreason = 'of byway check'\n";
    project.write("s.toml", rules);
    let ran = diff(&project, "--only-given --suppressions s.toml").ok();
    let end = "no other difference was found in ";
    assert!(ran.stdout.contains(end) && ran.stdout.contains("\n1 difference suppressed\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("exit code 4"), "{}", ran.stdout);
    // Rules about findings are for byway check, which says so of them.
    let unused: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("suppression")).collect();
    assert_eq!(unused, ["suppression without a difference: kind stderr (fits nothing)"]);

    // All reports have it with its reason, and none counts it.
    assert_eq!(json(&project, "byway.out/differences.json")[0]["suppressed"], "as agreed");
    let sarif = json(&project, "byway.out/report.sarif");
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["justification"], "as agreed");
    let junit = fs::read_to_string(project.path("byway.out/junit.xml")).unwrap();
    assert!(!junit.contains("<failure") && junit.contains("suppressed (as agreed): program: "), "{junit}");
    let page = fs::read_to_string(project.path("byway.out/index.html")).unwrap();
    assert!(page.contains("<span class=\"aside\">suppressed: as agreed</span>"));

    project.write("id.toml", format!("[[suppress]]\nfingerprint = '{id}'\nreason = 'seen'\n"));
    diff(&project, "--only-given --suppressions id.toml").ok();
    project.write("other.toml", "[[suppress]]\nfunction = 'main'\nreason = 'not changed'\n");
    diff(&project, "--only-given --suppressions other.toml").fails(2, "");
    project.write("wrong.toml", "[[suppress]]\nkind = 'exit'\n");
    diff(&project, "--suppressions wrong.toml").fails(10, "it has no reason");
}

#[test]
fn input_that_is_not_named_stays_as_it_is() {
    let project = project();
    let run = |flags: &str| {
        let ran =
            project.shell(&format!("printf town | byway diff old/program new/program --time 20 {flags} -- right"));
        assert_ne!(ran.code, Some(1), "{ran:?}");
        kinds(&project)
    };
    assert_eq!(run("--symbolic args"), ["output"]);
    assert_eq!(run("--symbolic stdin"), ["exit"]);
    assert_eq!(run("--symbolic stdin --search undirected"), ["exit"]);
    assert!(run("--symbolic none").is_empty());
    project.run("byway diff old/program new/program --symbolic env -- x").fails(1, "only args, stdin and files");
}
