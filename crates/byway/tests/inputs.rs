//! What can be asked for a run of the `sym` variant leads to other runs: the subjects under `tests/subjects/inputs`.

mod common;
#[path = "common/search.rs"]
mod search;
#[path = "common/sym.rs"]
mod sym;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use byway_ktest::{KTest, Object, Posix, SymbolicArguments};
use byway_trace::Ending;

use common::Project;
use common::trials::{self, Edit, Problem};
use search::{Input, Search};
use sym::SymSubject;

fn main() -> ExitCode {
    let facts = facts![tests_for_klee_are_replayed_in_every_variant, a_test_that_does_not_fit_the_program_ends_it];
    trials::run([trials::of_subjects("inputs", None, |_| true, check), facts])
}

fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Ordinary => "ordinary".to_owned(),
        Ending::Assumption => "assumption".to_owned(),
        Ending::Silent => "silent".to_owned(),
        Ending::Error(error) => format!("error {} at line {} ({})", error.message, error.line, error.suffix),
    }
}

/// What a subject says in its comments beside what all of them do.
struct Says<'a>(&'a SymSubject);

impl Says<'_> {
    fn text(&self, key: &str) -> &str {
        let prefix = format!("// {key}: ");
        self.0.source.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default().trim()
    }

    fn number(&self, key: &str) -> Option<u32> {
        self.text(key).parse().ok()
    }

    fn words(&self, key: &str) -> Vec<String> {
        self.text(key).split_whitespace().map(str::to_owned).collect()
    }

    fn list(&self, key: &str) -> Vec<String> {
        let texts = self.text(key).split(',').map(|text| text.trim().to_owned());
        texts.filter(|text| !text.is_empty()).collect()
    }
}

/// What is wrong with a subject.
fn check(path: &Path) -> Vec<Problem> {
    let subject = match SymSubject::read(path) {
        Ok(subject) => subject,
        Err(error) => return vec![error.into()],
    };
    let project = Project::with(&[(&subject.name, &subject.source)]);
    project.run(&format!("byway-cc -O1 -g {} -o subject", subject.name)).ok();
    let variant = project.run("byway build subject --variant sym").ok().stdout;
    let search = search(&subject, Path::new(variant.trim_end()));
    let mut problems = problems(&subject, &search);
    if !problems.is_empty() {
        problems.push(format!("in {} runs: {:?}", search.runs, search.lines).into());
    }
    problems
}

fn search(subject: &SymSubject, variant: &Path) -> Search {
    let says = Says(subject);
    let count: Vec<u32> = says.words("count").iter().map(|word| word.parse().unwrap()).collect();
    let mut search = Search {
        room: says.number("room").unwrap_or(0) as usize,
        count: count.first().map(|&least| least..=count[1]),
        names: says.words("names"),
        size: says.number("size"),
        most_runs: says.number("runs").unwrap_or(120) as usize,
        ..Search::new(variant)
    };
    let first = Input {
        arguments: subject.arguments.iter().map(|argument| argument.trim_end_matches('\0').into()).collect(),
        stdin: subject.stdin.clone().unwrap_or_default(),
        files: subject.files.clone(),
        objects: Vec::new(),
    };
    search.run(first, &says.list("reaches"));
    search
}

fn problems(subject: &SymSubject, search: &Search) -> Vec<Problem> {
    let says = Says(subject);
    let endings: BTreeSet<String> = search.endings.iter().map(ending).collect();
    let mut problems: Vec<Problem> = search.problems.iter().map(|problem| problem.as_str().into()).collect();
    // What the subject says of one thing, whether each of that is right, and what else would be.
    let mut expect = |key: &'static str, is_right: &dyn Fn(&String) -> bool, what: &str| {
        let said = says.list(key);
        let right: Vec<String> = said.iter().filter(|text| is_right(text)).cloned().collect();
        let edit = Edit::Key(key, (!right.is_empty()).then(|| right.join(", ")));
        let wrong = said.iter().filter(|text| !is_right(text));
        problems.extend(wrong.map(|text| Problem::of_comments(format!("{what} '{text}'"), [edit.clone()])));
    };
    expect("reaches", &|line| search.lines.contains(line), "does not reach");
    expect("never", &|line| !search.lines.contains(line), "reaches");
    expect("ends", &|how| endings.contains(how), "no run ends by");
    let now: Vec<String> = search.losses.iter().cloned().collect();
    let edit = Edit::Key("loses", Some(now.join(" ")));
    let undeclared = search.losses.iter().filter(|cause| !subject.loses.contains(cause));
    problems.extend(undeclared.map(|cause| Problem::of_comments(format!("loses '{cause}'"), [edit.clone()])));
    // Without a line that is reached, runs that do nothing would do.
    if says.list("reaches").is_empty() {
        problems.push("it must say what some run reaches".into());
    }
    problems
}

/// A program that asks for objects, and the test that it replays.
fn replayed(magic: u32) -> Project {
    let source = "#include <klee/klee.h>\n#include <stdio.h>\n\nint other(void);\n\nint main(void) {\n  unsigned x;\n\
        klee_make_symbolic(&x, sizeof x, \"x\");\n  klee_assume(x > 5);\n  int y = other();\n  klee_assert(x != 66);\n\
        printf(\"%u %d\\n\", x, y);\n  return 0;\n}\n";
    let other = "#include <klee/klee.h>\nint other(void) { return klee_range(0, 10, \"y\"); }\n";
    let project = Project::with(&[("main.c", source), ("other.c", other)]);
    project.run("byway-cc -O1 -g main.c other.c -o main").ok();
    let objects = vec![Object::new("x", magic.to_le_bytes()), Object::new("y", [7, 0, 0, 0])];
    let arguments = vec![SymbolicArguments::One { text: b"a".to_vec(), length: 2 }];
    let ktest = Posix { program: b"main".to_vec(), arguments, objects, ..Posix::default() }.ktest().unwrap();
    project.write("a.ktest", ktest.write());
    project
}

fn tests_for_klee_are_replayed_in_every_variant() {
    let project = replayed(4711);
    for variant in ["native", "cov", "asan", "sym"] {
        let program = project.run(&format!("byway build main --variant {variant}")).ok().stdout;
        let run = |environment: &str| project.run(&format!("env {environment} {}", program.trim_end()));
        assert_eq!(run("KTEST_FILE=a.ktest").ok().stdout, "4711 7\n", "{variant}");
        run("A=1").fails(1, "KTEST_FILE is not set: it names the .ktest file to replay");
        run("KTEST_FILE=main.c").fails(1, "KTEST_FILE: main.c is no .ktest file that can be read");
    }
    assert_eq!(project.run("env KTEST_FILE=a.ktest ./main").ok().stdout, "4711 7\n");
}

fn a_test_that_does_not_fit_the_program_ends_it() {
    let run =
        |project: &Project, environment: &str| project.run(&format!("env KTEST_FILE=a.ktest {environment} ./main"));
    run(&replayed(3), "A=1").fails(1, "KLEE_RUN_TEST_ERROR: invalid klee_assume");
    assert_eq!(run(&replayed(3), "KLEE_RUN_TEST_ERRORS_NON_FATAL=1").ok().stdout, "3 7\n");
    let project = replayed(66);
    assert!(run(&project, "A=1").stderr.contains("Assertion `x != 66' failed"));
    project.write("a.ktest", KTest::default().write());
    run(&project, "A=1").fails(1, "KLEE_RUN_TEST_ERROR: out of inputs. Will use zero if continuing.");
    let with = |objects| project.write("a.ktest", KTest { objects, ..KTest::default() }.write());
    with(vec![Object::new("x", [9, 0])]);
    run(&project, "A=1").fails(1, "KLEE_RUN_TEST_ERROR: object sizes differ. Expected 4 but got 2");
    with(vec![Object::new("z", [9, 0, 0, 0])]);
    run(&project, "A=1").fails(1, "KLEE_RUN_TEST_ERROR: object name mismatch. Requesting \"x\" but returning \"z\"");
    with(vec![Object::new("x", [9, 0, 0, 0]), Object::new("y", [10, 0, 0, 0])]);
    run(&project, "A=1").fails(1, "KLEE_RUN_TEST_ERROR: invalid klee_range(0,10,y) value, got: 10");
}
