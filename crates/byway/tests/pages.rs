//! `index.html`: what the page of a check, an exploration and a comparison says.

mod common;

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::Project;
use rustix::process::{Pid, Signal};
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

/// Its new version says other things: in line 7, which the test executes, in line 9, which byway does, and in line 11, which nothing
/// does.
const OLD: &str = r#"#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  int size = strlen(word);
  if (!strcmp(word, "one"))
    size = 3;
  if (!strcmp(word, "two"))
    puts("two");
  if (argc > 5)
    size = 5;
  printf("%d\n", size / 4);
  return 0;
}
"#;

fn versions() -> Project {
    let new =
        OLD.replace("size = 3", "size = 9").replace("\"two\");", "\"<script>two\");").replace("size = 5", "size = 4");
    let project = Project::with(&[("old/program.c", OLD), ("new/program.c", &new)]);
    for version in ["old", "new"] {
        project.shell(&format!("cd {version} && byway-cc -g -O1 program.c -o program")).ok();
    }
    project
}

/// The page without what is other each time: its number.
fn without_nonce(page: &str) -> String {
    let nonce =
        page.split("script-src &#39;nonce-").nth(1).or_else(|| page.split("script-src 'nonce-").nth(1)).unwrap();
    page.replace(&nonce[..24], "NONCE")
}

#[test]
fn a_comparison_shows_its_changes_with_what_executed_them_and_in_which_order_they_come() {
    let project = versions();
    project.run("byway diff old/program new/program --time 30 -- one").fails(2, "");
    let first = page(&project);
    // A hunk with its lines: what was there, what is there, and what executes it.
    for line in [
        "<span class=\"line context\"><span class=\"number\">6</span>    if (!strcmp(word, &quot;one&quot;))",
        "<span class=\"line removed by-tests\"><span class=\"number\">7</span>-     size = 3;",
        "<span class=\"line added by-tests\"><span class=\"number\">7</span>+     size = 9;",
        "<span class=\"line added by-byway\"><span class=\"number\">9</span>+     puts(&quot;&lt;script&gt;two&quot;);",
        "<span class=\"line added by-nothing\"><span class=\"number\">11</span>+     size = 4;",
        "<li>11: <span class=\"by-nothing\">executed by no input</span></li>",
        // The lines of the new version.
        "<span class=\"line by-byway\"><span class=\"number\">9 B</span>",
        "<span class=\"line by-nothing\"><span class=\"number\">11 –</span>",
        // The graph: the change in line 11 can come last.
        "<g class=\"node change by-nothing\"><title>new/program.c:11 in main</title>",
        "<g class=\"node end by-unknown\"><title>start</title>",
    ] {
        assert!(first.contains(line), "no {line} in\n{first}");
    }
    // A change leads to its line, and to the differences of inputs that execute it.
    let target = first.split("<details class=\"file\" id=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(first.contains(&format!("<a href=\"#{target}.L7\"><code>new/program.c:7 in main</code></a>")), "{first}");
    let differences: Value =
        serde_json::from_slice(&fs::read(project.path("byway.out/differences.json")).unwrap()).unwrap();
    // The given run shows one, and is not taken for a smaller input of the other.
    let lines = differences.as_array().unwrap().iter().map(|one| one["changes"][0]["line"].as_u64().unwrap());
    assert_eq!(lines.collect::<Vec<_>>(), [7, 9]);
    let id = differences[0]["id"].as_str().unwrap();
    assert!(first.contains(&format!("<a href=\"#f-{id}\">{id}</a>")));
    // What programs write is text.
    assert_eq!(first.matches("<script").count(), 1);
    assert!(first.contains("&lt;script&gt;two") && first.contains("after ") && !first.contains("it goes on"));
    // Made again, it says the same.
    project.run("byway report").ok();
    assert_eq!(without_nonce(&page(&project)), without_nonce(&first));
}

#[test]
fn the_page_of_a_comparison_is_there_while_it_goes_on() {
    // Its loop takes so long that the search does not come to an end.
    let slow = OLD.replace("printf(", "for (volatile int turn = 0; turn < 2000000; turn++)\n    ;\n  printf(");
    let project = Project::with(&[("old/program.c", &slow), ("new/program.c", &slow.replace("size = 3", "size = 9"))]);
    for version in ["old", "new"] {
        project.shell(&format!("cd {version} && byway-cc -g -O1 program.c -o program")).ok();
    }
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.args("diff old/program new/program --time 1000 -- one".split(' ')).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let is_there = || fs::read_to_string(project.path("byway.out/index.html")).is_ok_and(|page| page.contains("#f-"));
    while !is_there() {
        assert_eq!(child.try_wait().unwrap(), None);
        thread::sleep(Duration::from_millis(100));
    }
    let now = page(&project);
    assert!(now.contains("s: it goes on</dd>") && now.contains("line added by-tests"), "{now}");
    rustix::process::kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let end = page(&project);
    assert!(end.contains("s: interrupted</dd>"), "{end}");
}
