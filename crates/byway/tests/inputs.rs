//! What can be asked for a run of the `sym` variant leads to other runs: the subjects under `tests/subjects/inputs`.
//!
//! `BYWAY_SUBJECT=NAME` runs only the subjects whose name contains NAME.

mod common;
#[path = "common/search.rs"]
mod search;
#[path = "common/sym.rs"]
mod sym;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use byway_ktest::{KTest, Object, Posix, SymbolicArguments};
use byway_trace::Ending;

use common::{Project, subjects};
use search::{Input, Search};
use sym::SymSubject;

/// How many subjects are searched at the same time.
const THREADS: usize = 2;

#[test]
fn other_inputs_are_found_from_one_run() {
    let wanted = std::env::var("BYWAY_SUBJECT").unwrap_or_default();
    let mut paths = subjects("inputs");
    paths.retain(|path| path.to_string_lossy().ends_with(".c") && path.to_string_lossy().contains(&wanted));
    let (count, queue, failures) = (paths.len(), Mutex::new(paths), Mutex::new(Vec::new()));
    let work = || {
        while let Some(path) = { queue.lock().unwrap().pop() } {
            let failure = failure(&path);
            failures.lock().unwrap().extend(failure);
        }
    };
    thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "of {count} subjects:\n{}", failures.join("\n"));
}

fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Ordinary => "ordinary".to_owned(),
        Ending::Assumption => "assumption".to_owned(),
        Ending::Silent => "silent".to_owned(),
        Ending::Error(error) => format!("error {} at line {} ({})", error.message, error.line, error.suffix),
    }
}

/// What is wrong with a subject.
fn failure(path: &Path) -> Option<String> {
    let subject = SymSubject::read(path).unwrap();
    let says = |key: &str| {
        let line = subject.source.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
        line.unwrap_or_default().to_owned()
    };
    let words = |key: &str| says(key).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let texts = |key: &str| {
        let list = says(key);
        list.split(',').map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect::<Vec<_>>()
    };
    let number = |key: &str| says(key).trim().parse().ok();
    let project = Project::with(&[(&subject.name, &subject.source)]);
    project.run(&format!("byway-cc -O1 -g {} -o subject", subject.name)).ok();
    let variant = project.run("byway build subject --variant sym").ok().stdout.trim_end().to_owned();
    let count = words("count").iter().map(|word| word.parse().unwrap()).collect::<Vec<u32>>();
    let mut search = Search {
        room: number("room").unwrap_or(0),
        count: count.first().map(|&least| least..=count[1]),
        names: words("names"),
        size: number("size").map(|size| size as u32),
        most_runs: number("runs").unwrap_or(120),
        ..Search::new(Path::new(&variant))
    };
    let first = Input {
        arguments: subject.arguments.iter().map(|argument| argument.trim_end_matches('\0').into()).collect(),
        stdin: subject.stdin.clone().unwrap_or_default(),
        files: subject.files.clone(),
        objects: Vec::new(),
    };
    let reaches = texts("reaches");
    search.run(first, &reaches);
    let mut problems = search.problems.clone();
    let endings = search.endings.iter().map(ending).collect::<BTreeSet<_>>();
    problems
        .extend(texts("ends").iter().filter(|how| !endings.contains(*how)).map(|how| format!("no run ends by {how}")));
    let missing = |text: &&String| !search.lines.contains(*text);
    problems.extend(reaches.iter().filter(missing).map(|text| format!("does not reach '{text}'")));
    problems.extend(
        texts("never").iter().filter(|text| search.lines.contains(*text)).map(|text| format!("reaches '{text}'")),
    );
    problems.extend(
        search.losses.iter().filter(|cause| !subject.loses.contains(*cause)).map(|cause| format!("loses {cause}")),
    );
    let name = &subject.name;
    (!problems.is_empty())
        .then(|| format!("{name}: {} ({} runs: {:?})", problems.join("; "), search.runs, search.lines))
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

#[test]
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

#[test]
fn a_test_that_does_not_fit_the_program_ends_it() {
    let run =
        |project: &Project, environment: &str| project.run(&format!("env KTEST_FILE=a.ktest {environment} ./main"));
    run(&replayed(3), "A=1").fails(1, "KLEE_RUN_TEST_ERROR: the test does not satisfy klee_assume");
    assert_eq!(run(&replayed(3), "KLEE_RUN_TEST_ERRORS_NON_FATAL=1").ok().stdout, "3 7\n");
    let project = replayed(66);
    assert!(run(&project, "A=1").stderr.contains("Assertion `x != 66' failed"));
    project.write("a.ktest", KTest::default().write());
    run(&project, "A=1").fails(1, "the test has no more object x");
}
