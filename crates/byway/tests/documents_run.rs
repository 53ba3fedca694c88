//! The examples of the documents are run, in the order in which they stand there, and say what the documents say.
//!
//! An example is a command behind `$ ` in an indented block, with what it prints below it. `...` stands for any lines, and at the end of a
//! line for the rest of it. What is other in each run is not compared: ids, times, counts of what was tried.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use common::Project;
use regex::Regex;

/// A command of a document.
#[derive(Debug)]
struct Example {
    command: String,
    /// What it prints, if the document says so.
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The documents that have examples, by name.
fn documents() -> BTreeMap<String, Vec<Example>> {
    let paths = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.chain([root().join("README.md")]).filter(|path| path.extension().is_some_and(|end| end == "md"));
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, examples(&fs::read_to_string(path).unwrap()))
    };
    paths.map(read).filter(|(_, examples)| !examples.is_empty()).collect()
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let indented = line.strip_prefix("    ");
        match indented.and_then(|line| line.strip_prefix("$ ")) {
            Some(command) => {
                examples.push(Example { command: command.to_owned(), output: Vec::new() });
                is_open = true;
            }
            None if !is_open => {}
            None if indented.is_some() || line.is_empty() => {
                examples.last_mut().unwrap().output.push(indented.unwrap_or_default().to_owned());
            }
            None => is_open = false,
        }
    }
    for example in &mut examples {
        while example.output.last().is_some_and(String::is_empty) {
            example.output.pop();
        }
    }
    examples
}

/// A line without what is other in each run.
fn normal(line: &str, project: &Project) -> String {
    let here = project.path("").canonicalize().unwrap().display().to_string();
    let mut line = line.replace(&format!("{}/", here.trim_end_matches('/')), "");
    let rules = [
        (r"\b[0-9a-f]{12}\b", "ID"),
        (r"\btests/\d{4}\b", "tests/NUMBER"),
        (r"/tmp/tmp\.\w+/", ""),
        (r"\b\d+(\.\d+)? s\b", "TIME"),
        (r"\b\d+(\.\d+)? times as long", "RATIO"),
        (r"\bseen (on )?[\d,]+ (input|time)s?", "SEEN"),
    ];
    for (pattern, with) in rules {
        line = Regex::new(pattern).unwrap().replace_all(&line, with).into_owned();
    }
    // Lines that count what was tried, and rows of tables of what was measured.
    let counts = Regex::new(r" runs\b| queries: |solved branches|\b(min|median|max) +[\d,]+ ").unwrap();
    if counts.is_match(&line) {
        line = Regex::new(r"[\d,]*\d(\.\d+)?").unwrap().replace_all(&line, "N").into_owned();
        line = Regex::new(r"answered by .*").unwrap().replace(&line, "answered by").into_owned();
        line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    line.trim_end().to_owned()
}

/// What byway says while it works depends on how long that takes.
fn is_progress(line: &str) -> bool {
    static PROGRESS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^byway: .*(\(\d+ s\)|; \d+ differences?|pending .*)$").unwrap());
    PROGRESS.is_match(line)
}

/// Whether lines are what a document says.
fn fits(expected: &[String], printed: &[String]) -> bool {
    match expected {
        [] => printed.is_empty(),
        [any, rest @ ..] if any == "..." => (0..=printed.len()).any(|at| fits(rest, &printed[at..])),
        [line, rest @ ..] => {
            let is_like = |printed: &String| match line.strip_suffix("...") {
                Some(beginning) => printed.starts_with(beginning.trim_end()),
                None => printed == line,
            };
            printed.first().is_some_and(is_like) && fits(rest, &printed[1..])
        }
    }
}

/// Runs the examples of a document.
fn run(name: &str, project: &Project) {
    run_in(".", name, project);
}

/// The same in a directory of the project.
fn run_in(below: &str, name: &str, project: &Project) {
    let examples = documents().remove(name).unwrap_or_else(|| panic!("{name} has no examples"));
    for Example { command, output } in examples {
        let ran = project.command("sh").args(["-c", &format!("cd {below}; {command} 2>&1")]).output().unwrap();
        let text = String::from_utf8_lossy(&ran.stdout);
        let mut printed: Vec<String> =
            text.lines().filter(|line| !is_progress(line)).map(|line| normal(line, project)).collect();
        while printed.last().is_some_and(String::is_empty) {
            printed.pop();
        }
        let expected: Vec<String> = output.iter().map(|line| normal(line, project)).collect();
        assert!(matches!(ran.status.code(), Some(0 | 2 | 3)), "{name}: {command}: {}\n{text}", ran.status);
        let is_fitting = expected.is_empty() || fits(&expected, &printed);
        assert!(is_fitting, "{name}: {command}\nexpected:\n{}\nprinted:\n{}", expected.join("\n"), printed.join("\n"));
    }
}

/// The demo project, with a log as its tests make it.
fn meter() -> Project {
    let project = Project::new();
    project.shell(&format!("cp -r '{}/examples/meter/.' .", root().display())).ok();
    let log = "MTR1\\320\\002\\004\\000\\000\\000\\000\\000\\144\\000\\000\\000\\006e:hall\\000\\000\\012\\000\\000\\000\\006g:heat\\000\\000\\024\\000\\000\\000\
               \\006e:hall\\000\\000\\036\\000\\000\\000\\006g:heat\\000\\000\\144\\000\\000\\000";
    project.shell(&format!("printf '{log}' > log")).ok();
    // Nobody here has ten minutes; what is not typed is taken from here.
    project.write("byway.toml", "[check]\ntime = 30\nmax-distance = 0\nreduce = 0\n[diff]\ntime = 10\n");
    project
}

fn built_meter() -> Project {
    let project = meter();
    project.shell("make -s CC=byway-cc").ok();
    project
}

/// The changes that the document about changes shows.
fn changed(source: &str) -> String {
    let checked = "        fail(\"a range of days makes no sense\");\n";
    let more = "    if (range->to > 366)\n        fail(\"no year has so many days\");\n";
    let source = source.replace(checked, &format!("{checked}{more}"));
    source.replace("days->open && is_marked", "days->open && days->open <= days->last && is_marked")
}

#[test]
fn readme() {
    run("README", &meter());
}

#[test]
fn trace_and_others() {
    run("program", &built_meter());
}

#[test]
fn changes() {
    let project = Project::new();
    project.shell(&format!("cp -r '{}/examples/meter' old && cp -r old new", root().display())).ok();
    let source = fs::read_to_string(project.path("old/days.c")).unwrap();
    project.write("new/days.c", changed(&source));
    project.shell("for version in old new; do make -s -C $version CC=byway-cc; done").ok();
    // The old version is beside the new one, as the document has it.
    run_in("new", "changes", &project);
}

/// What the document about `byway diff` compares.
const TOOL: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 0;
    char line[64] = "";
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (strchr(line, 'q'))
        puts("q");
    puts(size > 100 ? "large" : "small");
    return 0;
}
"#;

#[test]
fn diff() {
    let project = Project::new();
    for (version, source) in [("old", TOOL.to_owned()), ("new", TOOL.replace("'q'", "'z'"))] {
        project.write(&format!("{version}/tool.c"), source);
        project.shell(&format!("cd {version} && byway-cc -g -O1 tool.c -o tool")).ok();
    }
    project.write("tests.sh", "echo hi | old/tool 200\n");
    project.run("byway record -q -o seeds -- sh tests.sh").ok();
    // A checkout with two versions, for the second example.
    project.shell(&format!("cp -r '{}/examples/meter/.' .", root().display())).ok();
    project.write("byway.toml", "[diff]\ntime = 10\n");
    let git = "git -c user.name=a -c user.email=a@b";
    project.shell(&format!("git init -q -b main && git add *.[ch] *.sh Makefile && {git} commit -qm one")).ok();
    let source = fs::read_to_string(project.path("days.c")).unwrap();
    project.write("days.c", changed(&source));
    project.shell(&format!("git checkout -q -b branch && {git} commit -qam two")).ok();
    run("diff", &project);
}

#[test]
fn explore() {
    let project = Project::new();
    let source = fs::read_to_string(root().join("examples/columns.c")).unwrap();
    project.write("columns.c", &source);
    project.write("columns-fixed.c", source.replace("column <= count", "column > 0 && column <= count"));
    project.run("byway-cc -g -O1 columns-fixed.c -o columns-fixed").ok();
    run("explore", &project);
}

#[test]
fn record() {
    let project = built_meter();
    project.shell("mkdir findings && cp log findings && cp meter show").ok();
    run("record", &project);
}

#[test]
fn reduce() {
    let project = built_meter();
    project.shell("byway record -q -- make check").ok();
    run("reduce", &project);
}

#[test]
fn options_in_a_file() {
    let block = |document: &str, first: &str| {
        let text = fs::read_to_string(root().join("docs").join(document)).unwrap();
        let lines = text.lines().skip_while(|line| line.trim() != first);
        let block = lines.take_while(|line| line.is_empty() || line.starts_with("    "));
        block.map(|line| line.trim_start().to_owned() + "\n").collect::<String>()
    };
    let project = built_meter();
    project.write("byway.suppressions.toml", block("check.md", "[[suppress]]"));
    // The first line has a comment.
    let text = fs::read_to_string(root().join("docs/config.md")).unwrap();
    let first = text.lines().find(|line| line.starts_with("    jobs = ")).unwrap().trim().to_owned();
    project.write("byway.toml", block("config.md", &first));
    let ran = project.run("byway check --time 20 --max-distance 0 --reduce 0").fails(2, "");
    assert!(ran.stdout.contains("suppression without a finding: fingerprint "), "{}", ran.stdout);
}

#[test]
fn every_document_with_examples_is_run() {
    let known = ["README", "changes", "diff", "explore", "program", "record", "reduce"];
    assert_eq!(documents().into_keys().collect::<Vec<_>>(), known);
}
