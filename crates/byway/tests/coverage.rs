//! The `cov` variant behaves as the program does, and counts what it does.

mod common;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use common::trials::{self, Edit, Problem};
use common::{Expectations, Project, Ran, subjects};

/// A subject, compiled, with its arguments.
struct Subject {
    name: String,
    expected: Expectations,
    project: Project,
    arguments: Vec<String>,
}

fn compiled(path: &Path, level: &str) -> Subject {
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let expected = Expectations::read(path);
    let project = Project::with(&[(&name, &expected.source)]);
    let compiler = if name.ends_with(".cc") { "byway-c++" } else { "byway-cc" };
    project.run(&format!("{compiler} {level} -o subject {name}")).ok();
    let arguments = expected.words("args").unwrap();
    Subject { name, expected, project, arguments }
}

impl Subject {
    /// Runs `byway coverage` and returns the counts of lines and branches of the subject's own file.
    fn coverage(&self) -> (HashMap<usize, u64>, HashMap<usize, Vec<String>>) {
        let arguments = self.arguments.join(" ");
        self.project.run(&format!("byway coverage subject --lcov trace.info -- {arguments}")).ok();
        let trace = fs::read_to_string(self.project.path("trace.info")).unwrap();
        let (mut lines, mut branches) = (HashMap::new(), HashMap::<usize, Vec<String>>::new());
        let own = trace.split("end_of_record").find(|record| record.contains(&format!("/{}\n", self.name))).unwrap();
        for line in own.lines() {
            if let Some((number, count)) = line.strip_prefix("DA:").and_then(|rest| rest.split_once(',')) {
                lines.insert(number.parse().unwrap(), count.parse().unwrap());
            } else if let Some(rest) = line.strip_prefix("BRDA:") {
                let fields: Vec<&str> = rest.split(',').collect();
                branches.entry(fields[0].parse().unwrap()).or_default().push(fields[3].to_owned());
            }
        }
        (lines, branches)
    }
}

/// The levels of optimisation at which lines and branches are counted.
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O3 -g", "-Os -D_FORTIFY_SOURCE=2"];

fn main() -> ExitCode {
    // Lost to clang's profile: what a child does before _exit, and a program with a getenv of its own.
    let is_known_to_clang = |name: &str| !["forks", "own_functions"].contains(&name);
    trials::run([
        trials::of_subjects("cov", None, |_| true, lines_and_branches_are_counted_whatever_the_optimisation),
        trials::of_subjects("cov", Some("behaves"), |_| true, behaves_as_the_program_alone_and_when_counting),
        trials::of_subjects(
            "cov",
            Some("agrees_with_clang"),
            is_known_to_clang,
            line_coverage_agrees_with_that_of_clang,
        ),
        facts![
            counts_of_several_runs_add_up,
            all_commands_count_the_same_lines_and_branches,
            standard_input_reaches_the_program_and_its_end_is_reported,
            genhtml_accepts_the_tracefile,
            the_report_can_be_kept_apart_from_what_the_program_prints,
            a_shared_library_is_not_run,
        ],
    ])
}

fn behaves_as_the_program_alone_and_when_counting(path: &Path) -> Vec<Problem> {
    let subject = compiled(path, "-O2");
    let project = &subject.project;
    let run = |program: &Path, counting: bool| -> Ran {
        let mut command = project.command(program);
        if counting {
            command.env("BYWAY_COVERAGE", project.path("counters"));
        }
        command.args(&subject.arguments).output().unwrap().into()
    };
    let native = run(&project.path("subject"), false);
    let cov = project.variant("subject", "cov");
    let alone = run(&cov, false);
    project.run("byway coverage subject --data counters --no-run").ok();
    let counting = run(&cov, true);
    let rebuilt = run(&project.variant("subject", "native"), false);
    let runs = [("cov", alone), ("cov, counting", counting), ("native", rebuilt)];
    let other = runs.into_iter().filter(|(_, ran)| *ran != native);
    other.map(|(how, ran)| format!("{how}: {ran:?} instead of {native:?}").into()).collect()
}

fn lines_and_branches_are_counted_whatever_the_optimisation(path: &Path) -> Vec<Problem> {
    let mut problems = Vec::new();
    for level in LEVELS {
        let subject = compiled(path, level);
        let (lines, branches) = subject.coverage();
        for (line, mark) in subject.expected.marks() {
            let seen = match mark.starts_with("branch ") {
                true => branches.get(&line).map(|counts| format!("branch {}", counts.join(" "))),
                false => lines.get(&line).map(u64::to_string),
            };
            if seen.as_deref() != Some(mark) {
                let what = format!("line {line} at {level}: {seen:?} instead of '{mark}'");
                problems.push(Problem::of_comments(what, [Edit::Mark(line, seen)]));
            }
        }
    }
    problems
}

/// A function of a header that two units have, cases that do the same, one that falls into the next, code that never runs.
const COUNTED: [(&str, &str); 4] = [
    (
        "header.h",
        "static inline int clamp(int value) {\n  if (value > 9)\n    return 9;\n  return value < 0 ? 0 : value;\n}\n",
    ),
    (
        "other.c",
        "#include \"header.h\"\nint other(int value) { return clamp(value - 1); }\n\
         static int unused(int value) { return value ? 1 : 2; }\nint (*keep)(int) = unused;\n",
    ),
    (
        "subject.c",
        r#"#include "header.h"
#include <stdio.h>
int other(int);
int main(int count, char **arguments) {
  const char *text = count > 1 ? arguments[1] : "";
  switch (text[0]) {
  case 'a':
  case 'b':
    puts("letter");
    break;
  case 'c':
    puts("c");
  default:
    for (int i = 0; text[i]; i++)
      putchar(text[i]);
  }
  if (0)
    puts("never");
  printf("%d %d\n", clamp(text[0]), other(text[0] - 'a'));
  return 0;
}
"#,
    ),
    ("test.sh", "./subject b\n./subject\n"),
];

fn all_commands_count_the_same_lines_and_branches() {
    let project = Project::with(&COUNTED);
    project.run("byway-cc -g subject.c other.c -o subject").ok();
    let read =
        |name: &str| -> serde_json::Value { serde_json::from_slice(&fs::read(project.path(name)).unwrap()).unwrap() };
    project.run("byway coverage subject --json -o coverage.json -- b").ok();
    let coverage = read("coverage.json");
    let counted = |of: &str| (coverage[of]["hit"].as_u64().unwrap(), coverage[of]["total"].as_u64().unwrap());
    // Not executed: `unused`, what `case 'c'` does, the two lines of the default.
    assert_eq!((counted("lines"), counted("branches")), ((11, 16), (5, 12)));

    project.run("byway explore subject --max-runs 1 -j 1 -o explored -- b").ok();
    let stats = read("explored/stats.json");
    let explored = |of: &str| (stats[of]["covered"].as_u64().unwrap(), stats[of]["total"].as_u64().unwrap());
    assert_eq!((explored("lines"), explored("branches")), (counted("lines"), counted("branches")));

    project.run("byway record -q -o seeds -- sh test.sh").ok();
    project.run("byway eval seeds --time 0.2 --search dfs -o measured").ok();
    let journal = fs::read_to_string(project.path("measured/eval.jsonl")).unwrap();
    let journal = journal.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let seed = |line: &serde_json::Value| line["what"] == "reduced" && line["seed"]["name"] == "0001-subject";
    let seed = journal.clone().find(seed).unwrap();
    for form in ["original", "reduced"] {
        assert_eq!(seed["seed"][form]["branches"].as_array().unwrap().len() as u64, counted("branches").0, "{form}");
    }
    let found = journal
        .filter(|line| line["what"] == "explored")
        .flat_map(|line| line["explored"]["found"].as_array().unwrap().clone());
    assert!(found.map(|found| found["branch"].as_u64().unwrap()).all(|branch| branch < counted("branches").1));
}

fn counts_of_several_runs_add_up() {
    let subject = compiled(&subjects("cov")[0], "-O2");
    let run = |line: &str| subject.project.run(line).ok().stdout;
    run("byway coverage subject --data counters -- abcab");
    let once = run("byway coverage subject --data counters --no-run --json");
    run("byway coverage subject --data counters -- z");
    let twice = run("byway coverage subject --data counters --no-run --json");
    let calls = |text: &str| {
        let report: serde_json::Value = serde_json::from_str(text).unwrap();
        let file = report["files"].as_object().unwrap().values().next().unwrap().clone();
        let functions = file["functions"].as_array().unwrap();
        functions.iter().find(|function| function["name"] == "is_a").unwrap()["calls"].as_u64().unwrap()
    };
    assert_eq!((calls(&once), calls(&twice)), (5, 6));
}

fn standard_input_reaches_the_program_and_its_end_is_reported() {
    let source = "#include <stdio.h>\nint main(void) { int c, n = 0; while ((c = getchar()) != EOF) n++; return n; }\n";
    let project = Project::with(&[("count.c", source), ("input", "12345")]);
    project.run("byway-cc -o count count.c").ok();
    let ran = project.shell("byway coverage count < input").ok();
    assert!(ran.stdout.contains("exit status: 5"), "{}", ran.stdout);
    assert!(ran.stdout.contains("count.c"), "{}", ran.stdout);
}

fn line_coverage_agrees_with_that_of_clang(path: &Path) -> Vec<Problem> {
    let subject = compiled(path, "-O2");
    let (lines, _) = subject.coverage();
    let theirs = clang_coverage(&subject);
    let mut problems: Vec<Problem> = Vec::new();
    if lines.keys().filter(|line| theirs.contains_key(line)).count() < 3 {
        problems.push("they have fewer than three lines in common".into());
    }
    for (line, count) in lines {
        let Some(&expected) = theirs.get(&line) else { continue };
        // A lone brace belongs to what it ends for one, to what follows for the other.
        let is_brace = subject.expected.source.lines().nth(line - 1).is_some_and(|text| text.trim() == "}");
        if !is_brace && (count > 0) != (expected > 0) {
            problems.push(format!("line {line}: {count}, and {expected} for clang").into());
        }
    }
    problems
}

/// The counts that clang's own source coverage gives to lines.
fn clang_coverage(subject: &Subject) -> HashMap<usize, u64> {
    let name = &subject.name;
    // A program that ends by a signal writes no profile unless it is kept in a mapping.
    let mode = "-fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation";
    let compiler = if name.ends_with(".cc") { "clang++-19" } else { "clang-19" };
    subject.project.run(&format!("{compiler} {mode} -o profiled {name}")).ok();
    let mut command = subject.project.command(subject.project.path("profiled"));
    command.env("LLVM_PROFILE_FILE", subject.project.path("raw%c.profraw"));
    command.args(&subject.arguments).output().unwrap();
    let script = "llvm-profdata-19 merge -o merged raw*.profraw && \
                  llvm-cov-19 export -format=lcov profiled -instr-profile=merged";
    let trace = subject.project.shell(script).ok().stdout;
    let lines = trace.lines().filter_map(|line| line.strip_prefix("DA:")?.split_once(','));
    lines.map(|(line, count)| (line.parse().unwrap(), count.parse().unwrap())).collect()
}

fn genhtml_accepts_the_tracefile() {
    let subject = compiled(&subjects("cov")[0], "-O2");
    subject.coverage();
    subject.project.run("genhtml --quiet --branch-coverage --output-directory html trace.info").ok();
    assert!(subject.project.path("html/index.html").is_file());
}

fn the_report_can_be_kept_apart_from_what_the_program_prints() {
    let subject = compiled(&subjects("cov")[0], "-O2");
    let ran = subject.project.run("byway coverage subject --json --output report.json -- abcab").ok();
    assert_eq!(ran.stdout, "two\n");
    let report = fs::read(subject.project.path("report.json")).unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&report).unwrap()["lines"]["hit"].as_u64() > Some(0));
}

fn a_shared_library_is_not_run() {
    let project = Project::with(&[("f.c", "int f(void) { return 0; }\n")]);
    project.run("byway-cc -shared -fPIC f.c -o libf.so").ok();
    project
        .run("byway coverage libf.so")
        .fails(1, "is a shared library; run byway coverage with a program that uses it");
}
