//! `index.html`: what the page of a check, an exploration and a comparison says.

mod common;

use std::fs;

use common::Project;
use serde_json::{Value, json};

/// Its test executes one branch, byway finds the second, and nothing executes the third.
const SOURCE: &str = r#"#include <stdio.h>
#include <string.h>
static int table[4];
int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  if (!strcmp(word, "one"))
    puts("<b>one</b>");
  if (!strcmp(word, "two"))
    return table[1];
  if (argc > 5)
    return 6;
  return 0;
}
"#;

fn project() -> Project {
    let project = Project::with(&[("program.c", SOURCE)]);
    project.run("byway-cc -g -O1 program.c -o program").ok();
    project
}

fn page(project: &Project) -> String {
    fs::read_to_string(project.path("byway.out/index.html")).unwrap()
}

/// The lines that `coverage.json` says of the program.
fn lines(project: &Project) -> Value {
    let coverage: Value = serde_json::from_slice(&fs::read(project.path("byway.out/coverage.json")).unwrap()).unwrap();
    let path = project.path("program.c").canonicalize().unwrap();
    let file = &coverage["files"][path.to_str().unwrap()];
    json!([file["tests"], file["byway"], file["nothing"]])
}

#[test]
fn a_check_says_which_lines_tests_executed_which_only_byway_and_which_nothing() {
    let project = project();
    project.run("byway check --time 60 --max-distance 3 --reduce 0 -- ./program one").ok();
    assert_eq!(lines(&project), json!([[[5, 8], [10, 10], [12, 13]], [[9, 9]], [[11, 11]]]));
    let first = page(&project);
    assert!(first.contains("<span class=\"line by-tests\"><span class=\"number\">7 T</span>    puts(&quot;&lt;b&gt;one&lt;/b&gt;&quot;);"), "{first}");
    assert!(
        first.contains("<span class=\"line by-byway\"><span class=\"number\">9 B</span>    return table[1];"),
        "{first}"
    );
    assert!(
        first.contains("<span class=\"line by-nothing\"><span class=\"number\">11 –</span>    return 6;"),
        "{first}"
    );
    // Made again, it says the same; but not of lines that are others by now.
    project.run("byway report").ok();
    assert!(page(&project).contains("<span class=\"number\">9 B</span>    return table[1];"));
    project.write("program.c", SOURCE.replace("table[1]", "table[2]"));
    project.run("byway report").ok();
    let changed = page(&project);
    assert!(changed.contains("or has changed since") && !changed.contains("return table["), "{changed}");
}

#[test]
fn an_exploration_says_which_lines_its_first_input_executed() {
    let project = project();
    project.run("byway explore program --time 60 -- one").ok();
    assert_eq!(lines(&project), json!([[[5, 8], [10, 10], [12, 13]], [[9, 9]], [[11, 11]]]));
    assert!(page(&project).contains("<th>the first input</th>"));
}
