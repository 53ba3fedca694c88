//! What is said besides findings: tips, names, why so little; which programs are checked, and of what; pages.

mod common;

use std::fs;

use common::Project;
use serde_json::Value;

const READS: &str = "#include <stdio.h>
static int table[4];
int main(int argc, char **argv) {
  int letter = getchar();
  if (argc > 1)
    return table[argv[1][0] - '0'];
  return table[letter & 7];
}
";
const SILENT: &str = "int main(void) { return 0; }\n";

fn project() -> Project {
    let project = Project::with(&[("reads.c", READS), ("silent.c", SILENT)]);
    for name in ["reads", "silent"] {
        project.run(&format!("byway-cc -g -O0 {name}.c -o {name}")).ok();
    }
    project.shell("cp reads other");
    project.write("test.sh", "echo a | ./reads; ./reads 1 </dev/null; ./silent; ./other 2 </dev/null");
    project.run("byway record -q -o seeds -- sh test.sh");
    project
}

fn json(project: &Project, path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(project.path(path)).unwrap()).unwrap()
}

#[test]
fn who_forgets_the_dashes_before_the_test_command_is_told() {
    let project = Project::new();
    let ran = project.run("byway check --time 5 make check");
    ran.fails(1, "the test command comes behind --:  byway check --time 5 -- make check");
    let ran = project.run("byway check -- make --wrong");
    assert!(!ran.stderr.contains("comes behind"), "{}", ran.stderr);
}

#[test]
fn only_programs_that_are_given_something_are_built_and_those_that_are_wanted() {
    let project = project();
    let options = "--from seeds --max-distance 0 --reduce 0 --time 20";
    let ran = project.run(&format!("byway check {options}")).fails(2, "");
    let silent = "no run of its program was given arguments, standard input or files";
    assert!(ran.stdout.contains(&format!("not checked: 0003-silent: {silent}\n")), "{}", ran.stdout);
    assert!(!ran.stderr.contains("building silent"), "{}", ran.stderr);
    let programs = json(&project, "byway.out/stats.json")["programs"].clone();
    assert!(programs.as_object().unwrap().keys().all(|path| !path.ends_with("silent")), "{programs}");
    project
        .run(&format!("byway check {options} --skip reads --skip other"))
        .fails(5, "nothing was checked: the tests run programs that are given no input");
    project.run(&format!("byway check {options} --only nothing")).fails(1, "no test runs a program called nothing");
    // Only standard input is changed: what an argument does is as it was.
    project.run(&format!("byway check {options} --symbolic stdin")).fails(2, "");
    let found = json(&project, "byway.out/findings.json");
    let lines: Vec<u64> = found.as_array().unwrap().iter().map(|found| found["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [7]);
    project.run(&format!("byway check {options} --symbolic env")).fails(1, "only args, stdin and files");
    project.run("byway explore reads --symbolic args --max-runs 20 -- 1").fails(2, "");
}

#[test]
fn a_page_is_written_and_made_again_and_what_programs_say_is_no_markup_in_it() {
    let hostile = "<script>alert(1)</script><img src=x>";
    let source = READS.replace("int letter", &format!("fprintf(stderr, \"{hostile}\\n\"); int letter"));
    let project = Project::with(&[("reads.c", &source)]);
    project.run("byway-cc -g -O0 reads.c -o reads").ok();
    let script = "echo '<b>a' | ./reads";
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.args(["check", "--max-distance", "0", "--reduce", "0", "--time", "20", "--", "sh", "-c", script]);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    let page = fs::read_to_string(project.path("byway.out/index.html")).unwrap();
    let id = json(&project, "byway.out/findings.json")[0]["id"].as_str().unwrap().to_owned();
    for text in [&format!("id=\"f-{id}\""), "Content-Security-Policy", "reads.c:7:", "<mark>", "run.sh", "Left undone"]
    {
        assert!(page.contains(text), "no {text:?}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)"), "what the program wrote is in the report of the sanitizers");
    assert_eq!((page.matches("<script").count(), page.matches("<img").count()), (1, 0));
    // Nothing is fetched from anywhere.
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("url("));
    fs::remove_file(project.path("byway.out/index.html")).unwrap();
    assert_eq!(project.run("byway report").ok().stdout, "byway.out/index.html\n");
    // Each time only scripts of this page itself may run, by a number that nobody knows before.
    let without_nonce =
        |page: &str| page.split("nonce").map(|part| part.get(32..).unwrap_or_default().to_owned()).collect::<Vec<_>>();
    let again = fs::read_to_string(project.path("byway.out/index.html")).unwrap();
    assert_eq!(without_nonce(&again).len(), without_nonce(&page).len());
    project.run("byway report seeds").fails(10, "seeds has no tests of byway");
    project.run("byway explore reads --max-runs 20 -o explored -- 1").fails(2, "");
    assert!(fs::read_to_string(project.path("explored/index.html")).unwrap().contains("Coverage"));
    project.run("byway report explored").ok();
}

#[test]
fn one_run_is_looked_at_by_the_doctor() {
    let project = project();
    let ran = project.run("byway doctor reads -- 1").ok();
    assert!(ran.stdout.contains("\nrun\n") && ran.stdout.contains("argv[1]"), "{}", ran.stdout);
    assert!(!project.run("byway doctor reads").ok().stdout.contains("\nrun\n"));
}

#[test]
fn seeds_in_an_order_say_what_their_tests_run() {
    let project = project();
    let ran = project.run("byway rank seeds").ok();
    assert!(
        ran.stdout.lines().any(|line| line.starts_with("0002-reads ") && line.ends_with("  ./reads 1")),
        "{}",
        ran.stdout
    );
    let ranked: Value = serde_json::from_str(&project.run("byway rank seeds --json").ok().stdout).unwrap();
    assert!(ranked.as_array().unwrap().iter().any(|seed| seed["command"] == "./reads 1"), "{ranked}");
}

#[test]
fn names_of_cpp_are_shown_as_they_are_written() {
    let old = "namespace shape { int area(int n) { return n * n; } }\nint main(int c, char **) { return shape::area(c) - 1; }\n";
    let project = Project::with(&[("old.cc", old), ("new.cc", &old.replace("n * n", "n * n + 1"))]);
    for name in ["old", "new"] {
        project.run(&format!("byway-c++ -g -O0 {name}.cc -o {name}")).ok();
    }
    let ran = project.run("byway changes old new").ok();
    assert!(ran.stdout.contains("function shape::area(int)\n"), "{}", ran.stdout);
}

#[test]
fn what_two_programs_have_in_common_is_compiled_once_for_the_sanitizers() {
    let project = Project::with(&[
        ("common.c", "int half(int n) { return n / 2; }\n"),
        ("one.c", "int half(int);\nint main(int c, char **v) { return half(c); }\n"),
        ("two.c", "int half(int);\nint main(int c, char **v) { return half(c) + 1; }\n"),
    ]);
    project.run("byway-cc -g -c common.c -o common.o").ok();
    project.run("byway-cc -g one.c common.o -o one").ok();
    project.run("byway-cc -g two.c common.o -o two").ok();
    let objects = |project: &Project| fs::read_dir(project.path("cache/objects")).unwrap().count();
    project.variant("one", "asan");
    assert_eq!(objects(&project), 2);
    let two = project.variant("two", "asan");
    assert_eq!(objects(&project), 3);
    assert_eq!(project.command(two).status().unwrap().code(), Some(1));
    // A source that changes is another object.
    project.write("common.c", "int half(int n) { return n / 2 + 7; }\n");
    project.run("byway-cc -g -c common.c -o common.o").ok();
    project.run("byway-cc -g one.c common.o -o one").ok();
    let one = project.variant("one", "asan");
    assert_eq!((objects(&project), project.command(one).status().unwrap().code()), (4, Some(7)));
}
