//! Explorations, from the command line: the subjects under `tests/subjects/explore`, and what can be asked for.

mod common;
#[path = "common/explore.rs"]
mod explore;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

use common::Project;
use common::trials::{self, Problem};
use explore::{OUTPUT, Subject, json, status};

/// Subjects that other tests explore, in their own way.
const NOT_ALONE: [&str; 2] = ["endless", "harmful"];

fn main() -> ExitCode {
    let facts = facts![
        all_paths_are_kept_if_asked_for,
        an_exploration_ends_with_its_budget,
        another_solver_says_the_same,
        without_sanitizers_a_crash_is_a_finding_that_nobody_confirms,
        what_hangs_hangs_natively_too,
        the_same_seed_makes_the_same_tests,
        tests_differ_when_the_program_does,
        files_for_klee_are_written_and_printed,
        replaying_what_is_no_test_is_refused,
        mistakes_are_explained,
    ];
    trials::run([trials::of_subjects("explore", None, |name| !NOT_ALONE.contains(&name), check), facts])
}

/// What is wrong with a subject.
fn check(path: &Path) -> Vec<Problem> {
    let subject = Subject::build(path);
    let before = content(&subject.project);
    let explored = subject.explore("");
    let mut problems = explored.problems();
    if before != content(&subject.project) {
        problems.push("files have changed".into());
    }
    problems.extend(scripts(&subject).into_iter().map(Problem::from));
    problems.extend(replayed(&subject).map(Problem::from));
    if !problems.is_empty() {
        problems.push(format!("it said:\n{}{}", explored.ran.stdout, explored.ran.stderr).into());
    }
    problems
}

/// The files in a project's directory but for what an exploration makes.
fn content(project: &Project) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(project.path(".")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

/// Every test's script does natively what the test says.
fn scripts(subject: &Subject) -> Vec<String> {
    let mut problems = Vec::new();
    for (directory, test) in subject.tests() {
        // What a defect does without sanitizers is nobody's to say.
        let Some(expected) = status(&test).filter(|_| test["findings"].as_array().unwrap().is_empty()) else {
            continue;
        };
        let output = subject.project.command(directory.join("run.sh")).output().unwrap();
        let seen = output.status.code().map(i64::from);
        if seen != Some(expected) {
            let name = directory.file_name().unwrap().to_string_lossy();
            problems.push(format!("run.sh of {name} ends with {seen:?} instead of {expected}"));
        }
    }
    problems
}

fn replayed(subject: &Subject) -> Option<String> {
    let ran = subject.project.run(&format!("byway replay {OUTPUT} --timeout 3"));
    (ran.code != Some(0)).then(|| format!("replay:\n{}{}", ran.stdout, ran.stderr))
}

fn all_paths_are_kept_if_asked_for() {
    let subject = Subject::named("arguments");
    let all = subject.explore("").stats();
    assert_eq!((&all["kept"], &all["paths"]), (&Value::from(13), &Value::from(13)));
}

fn an_exploration_ends_with_its_budget() {
    let subject = Subject::named("endless");
    let explored = subject.explore("--max-runs 12 --jobs 1");
    assert_eq!(explored.end(), "the budget of runs is used up");
    assert_eq!(explored.stats()["runs"], 12);
    let explored = subject.explore("--time 0.5");
    assert_eq!(explored.end(), "the budget of time is used up");
    let runs = explored.stats()["runs"].as_u64().unwrap();
    assert!(runs > 12, "{runs}");
    assert_eq!(subject.explore("--memory 1").end(), "the budget of memory is used up");
    // The first two branches of each path.
    let subject = Subject::named("maze");
    let explored = subject.explore("--max-depth 2");
    assert_eq!(explored.end(), "nothing is left to try but what is listed below");
    assert_eq!(explore::limits(&explored.stats()), ["depth"]);
    assert_eq!(explored.stats()["paths"], 4);
}

fn another_solver_says_the_same() {
    let subject = Subject::named("checksum");
    let explored = subject.explore("--cross-check");
    assert!(explored.problems().is_empty(), "{:?}", explored.problems());
    let stats = explored.stats();
    assert!(stats["cross_checked"].as_u64() >= Some(5), "{stats}");
}

fn without_sanitizers_a_crash_is_a_finding_that_nobody_confirms() {
    let subject = Subject::named("assertion");
    let explored = subject.explore("--no-judge --unconfined");
    assert_eq!(explored.ran.code, Some(2));
    let findings = json(&subject.project.path(OUTPUT).join("findings.json"));
    assert_eq!(findings.as_array().unwrap().len(), 1, "{findings}");
    assert_eq!((&findings[0]["kind"], &findings[0]["confirmed"]), (&Value::from("abort"), &Value::from(false)));
    subject.project.run("byway replay out --unconfined").ok();
    subject.project.run("byway replay out/findings").ok();
}

fn what_hangs_hangs_natively_too() {
    let subject = Subject::named("hang");
    subject.explore("");
    let findings = json(&subject.project.path(OUTPUT).join("findings.json"));
    assert_eq!((&findings[0]["kind"], &findings[0]["confirmed"]), (&Value::from("hang"), &Value::from(true)));
}

fn the_same_seed_makes_the_same_tests() {
    let subject = Subject::named("division");
    let inputs = |search: &str| -> Vec<Vec<u8>> {
        subject.explore(&format!("--search {search} --seed 7 --jobs 1 --all-paths"));
        subject.tests().into_iter().map(|(directory, _)| fs::read(directory.join("stdin")).unwrap()).collect()
    };
    for search in ["random-state", "random-path", "nurs:covnew", "subpath:1,2"] {
        assert_eq!(inputs(search), inputs(search), "{search}");
    }
}

fn tests_differ_when_the_program_does() {
    let subject = Subject::named("heap_index");
    subject.explore("");
    let project = &subject.project;
    let source = fs::read_to_string(project.path("subject.c")).unwrap();
    project.write("fixed.c", source.replace("malloc(8)", "malloc(10)").replace("return 2", "return 7"));
    project.run("byway-cc -O1 -g fixed.c -o fixed").ok();
    project.run("clang-19 -O1 -g fixed.c -o plain").ok();
    assert_eq!(project.run("byway replay out").ok().stdout, "3 tests: all hold\n");
    assert_eq!(project.run("byway replay out --sanitize").ok().stdout, "3 tests: all hold\n");
    let differing = project.run("byway replay out --with fixed").fails(3, "").stdout;
    assert!(differing.contains("differs: exit code 7 instead of exit code 2"), "{differing}");
    assert!(differing.contains("differs: no heap-buffer-overflow any more"), "{differing}");
    assert!(differing.ends_with("3 tests: 1 hold, 2 differ\n"), "{differing}");
    // Without bitcode nothing is known of what only sanitizers see.
    assert!(project.run("byway replay out --with plain").fails(3, "").stdout.ends_with("2 hold, 1 differ\n"));
    assert!(project.run("byway replay out/findings --with fixed").fails(3, "").stdout.ends_with("1 differ\n"));
    let report: Value = serde_json::from_str(&project.run("byway replay out --json").ok().stdout).unwrap();
    assert_eq!((&report["hold"], report["tests"].as_array().unwrap().len()), (&Value::from(3), 3));
}

fn files_for_klee_are_written_and_printed() {
    let subject = Subject::named("klee");
    subject.explore("");
    let project = &subject.project;
    for (directory, _) in subject.tests() {
        let printed = project.run(&format!("byway ktest {}/test.ktest", directory.display())).ok().stdout;
        // Only what the program asked for: nothing of its input is KLEE's POSIX runtime's.
        assert!(printed.contains("num objects: 2\nobject 0: name: 'x'\nobject 0: size: 4\n"), "{printed}");
        assert!(printed.contains("object 1: name: 'letters'\nobject 1: size: 4\n"), "{printed}");
    }
    project.run("byway ktest nowhere").fails(10, "cannot read nowhere: No such file");
    project.run("byway ktest subject.c").fails(10, "subject.c: this is no .ktest file");
    project.run("byway ktest .").fails(10, "cannot read .: Is a directory");
    project.run("byway ktest").fails(1, "<FILE>...");
}

fn replaying_what_is_no_test_is_refused() {
    let project = Project::with(&[("empty/readme", ""), ("main.c", "int main(void) { return 0; }\n")]);
    project.run("byway replay empty").fails(10, "empty has no tests of byway");
    project.run("byway replay nowhere").fails(10, "nowhere has no tests of byway");
    project.run("byway-cc -g main.c -o main").ok();
    project.run("byway explore main --sym-arg 1 -o out").ok();
    project.run("byway replay out --with nowhere").fails(10, "cannot read nowhere");
    project.run("byway replay out --timeout 0").fails(1, "--timeout");
    project.run("clang-19 main.c -o plain").ok();
    project.run("byway replay out --with plain").ok();
    project.run("byway replay out --with plain --sanitize").fails(12, "carries no bitcode");
    fs::remove_file(project.path("main")).unwrap();
    project.run("byway replay out").fails(10, "name another build with --with");
    project.write("out/tests/0001/test.json", "{");
    project.run("byway replay out").fails(10, "test.json is damaged");
}

fn mistakes_are_explained() {
    let project = Project::with(&[("main.c", "int main(void) { return 0; }\n"), ("theirs/file", "")]);
    project.run("byway-cc -fsanitize=thread,bool -g main.c -o racing").ok();
    let said = project.run("byway explore racing --sym-arg 1 -o racing.out").ok().stderr;
    assert!(said.contains("byway: racing: -fsanitize=thread is in no variant\n") && !said.contains("bool"), "{said}");
    project.run("clang-19 main.c -o plain").ok();
    project.run("byway-cc -shared -fPIC main.c -o library").ok();
    project.run("byway-cc main.c -o main").ok();
    let explore = |words: &str| project.run(&format!("byway explore {words}"));
    explore("plain --sym-arg 1").fails(12, "plain carries no bitcode; build it with byway-cc");
    explore("library --sym-arg 1").fails(1, "is a shared library; run byway explore with a program that uses it");
    explore("main --sym-arg 1 --search nurs:best").fails(1, "nurs:covnew");
    explore("main --sym-args 3 1 5").fails(1, "there cannot be at least 3 and at most 1");
    explore("main --sym-args 1 2").fails(1, "3 values required");
    explore("main --sym-args 0 0 5").fails(1, "Invalid range to --sym-args");
    explore("main --sym-args 0 1 5 --sym-args 0 1 5").fails(1, "Multiple --sym-args are not allowed");
    explore("main --sym-args 0 99 5 --sym-arg 5 --sym-arg 5").fails(1, "No more than 100 symbolic arguments");
    explore("main --sym-files 0 10").fails(1, "(number of files) cannot be 0");
    explore("main --sym-files 2 0").fails(1, "(file size) cannot be 0");
    explore("main --sym-files 1 10 --sym-files 2 10").fails(1, "Multiple --sym-files are not allowed");
    explore("main --sym-files 30 4").fails(1, "26 files at most");
    explore("main --sym-arg 1 --jobs 0").fails(1, "not a number above 0");
    explore("main --sym-arg 1 -o theirs").fails(10, "theirs is not an output directory of byway and not empty");
    explore("main --sym-arg 1 -o nowhere --resume").fails(10, "nowhere has no tests of byway");
    explore("main --sym-arg 1 --cross-check --solver no-such-solver").fails(1, "no-such-solver");
    explore("main --sym-arg 1 --resume -o main.c").fails(10, "main.c");
    assert!(fs::read_dir(project.path("theirs")).unwrap().count() == 1);
}
