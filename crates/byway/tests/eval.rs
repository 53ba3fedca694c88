//! Measuring what smaller seeds and their order bring: what is written, and that it goes on where it was.

mod common;

use std::fs;

use common::Project;
use serde_json::Value;

/// Words that begin with a letter of its own, each with a branch behind it.
const SUBJECT: &str = r#"
#include <stdio.h>

static int words(const char *text) {
  int sum = 0;
  for (; *text; text++)
    if (*text == 'a')
      sum += 1;
    else if (*text == 'b')
      sum += text[1] == 'c' ? 2 : 3;
    else if (*text == '<')
      sum *= text[1] == '&' ? 5 : 7;
  return sum;
}

int main(int count, char **arguments) {
  for (int i = 1; i < count; i++)
    printf("%d\n", words(arguments[i]));
  return 0;
}
"#;

fn project() -> Project {
    let tests = "./subject aaaaaaaaaaaaaaaaaaaa\n./subject xyz xyz\n./subject aab\n./subject z\n./subject\n";
    let project = Project::with(&[("subject.c", SUBJECT), ("test.sh", tests)]);
    project.run("byway-cc -O1 -g subject.c -o sub<ject").ok();
    let project_tests = fs::read_to_string(project.path("test.sh")).unwrap().replace("./subject", "'./sub<ject'");
    project.write("test.sh", project_tests);
    project.run("byway record -o seeds -- sh test.sh").ok();
    project
}

const EVAL: &str = "byway eval seeds --time 0.5 --search dfs --search random-path --suites 20 --suite-size 3";

fn journal(project: &Project) -> Vec<Value> {
    let text = fs::read_to_string(project.path("byway.eval/eval.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn seeds_are_compared_as_they_are_and_made_smaller() {
    let project = project();
    let ran = project.run(EVAL).ok();
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    for text in
        ["sub<ject: 5 seeds, 0.5 s each; 20 suites of 3", "path length", "random-path", "fpf", "byway.eval/index.html"]
    {
        assert!(ran.stdout.contains(text), "no {text}: {}", ran.stdout);
    }
    let read = |name: &str| fs::read_to_string(project.path("byway.eval").join(name)).unwrap();
    let eval: Value = serde_json::from_str(&read("eval.json")).unwrap();
    // All branches can be taken from any seed that has a word: nothing is left to discover where the seeds cover them.
    let dfs = &eval[0]["coverage"][0];
    assert_eq!(dfs["strategy"], "dfs");
    assert!(dfs["original"]["mean"].as_f64().unwrap() > 0.0, "{dfs}");
    assert!(eval[0]["reduction"]["bytes_after"]["max"].as_f64() < eval[0]["reduction"]["bytes_before"]["max"].as_f64());
    assert!(read("index.html").contains("sub&lt;ject") && !read("index.html").contains("sub<ject"));
    assert_eq!(read("reduction.csv").lines().count(), 6);
    assert!(["coverage.csv", "apbd.csv", "curves.csv"].iter().all(|table| read(table).contains("dfs")));
    let json: Value = serde_json::from_str(&project.run(&format!("{EVAL} --resume --json")).ok().stdout).unwrap();
    assert_eq!(json, eval, "nothing was measured again, and it comes to the same");
}

#[test]
fn it_goes_on_where_it_was() {
    let project = project();
    project.run(EVAL).ok();
    let whole = journal(&project);
    assert_eq!(whole.len(), 1 + 5 + 5 * 2 * 2);
    // As if it had been killed while it wrote.
    let path = project.path("byway.eval/eval.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let half = text.lines().take(10).collect::<Vec<_>>().join("\n") + "\n{\"what\":\"expl";
    fs::write(&path, half).unwrap();
    project.run(&format!("{EVAL} --resume")).ok();
    let again = journal(&project);
    assert_eq!(again.len(), whole.len());
    assert_eq!(again[..10], whole[..10]);
    // More strategies are measured, and what is known is not.
    project.run(&format!("{EVAL} --search subpath:2 --resume")).ok();
    assert_eq!(journal(&project).len(), whole.len() + 10);
}

#[test]
fn a_seed_of_the_same_name_is_another_seed() {
    let project = project();
    project.run("byway eval seeds --time 0.2 --search dfs --search dfs").ok();
    assert_eq!(journal(&project).len(), 1 + 5 + 5 * 2, "a strategy is measured once");
    let tests = fs::read_to_string(project.path("test.sh")).unwrap();
    project.write("test.sh", tests.replace("xyz xyz", "bc"));
    project.run("byway record -o seeds -- sh test.sh").ok();
    project.run("byway eval seeds --time 0.2 --search dfs --resume").ok();
    assert_eq!(journal(&project).len(), 1 + 6 + 6 * 2);
}

#[test]
fn mistakes_are_explained() {
    let project = project();
    project.run("byway eval nowhere").fails(5, "nowhere");
    project.run("byway eval seeds --search best").fails(1, "there is no search strategy `best`");
    project.run("byway eval seeds --resume").fails(1, "byway.eval has no measurement of byway eval to go on with");
    project.run("byway eval seeds -o subject.c").fails(10, "subject.c is not a directory");
    project.run("byway explore sub<ject -o explored --max-runs 1 -- a").ok();
    project.run("byway eval seeds -o explored --resume").fails(1, "explored has no measurement");
    project.run("byway eval seeds --time 0.2 --search dfs --at-most 1").ok();
    project
        .run("byway eval seeds --time 0.3 --search dfs --resume")
        .fails(1, "was measured with --time 0.2, not with --time 0.3");
}
