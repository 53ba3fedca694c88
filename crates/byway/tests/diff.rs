//! What `byway diff` says of the pairs under `tests/subjects/diff`, and of versions that it cannot compare.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use common::trials::{self, Edit, Problem};
use common::{Expectations, Project, Ran};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

fn main() -> ExitCode {
    let kinds = ["diff", "changes"].map(|kind| common::subjects(kind).into_iter().filter(|path| path.is_dir()));
    let [pairs, same] = kinds;
    let pairs = pairs.map(|pair| {
        let comments = pair.join("new.c");
        Trial::test(name(&pair), move || trials::verdict(&comments, differences_are_those_of_its_comments))
    });
    let same = same.map(|pair| {
        Trial::test(format!("{}::built_twice", name(&pair)), move || verdict(a_version_built_twice_is_the_same(&pair)))
    });
    trials::run([
        pairs.collect(),
        same.collect(),
        facts![
            a_single_run_has_its_input_and_the_files_of_the_directory,
            inputs_are_found_from_nothing,
            directories_are_compared_program_by_program,
            only_classes_that_are_asked_for_fail,
            what_cannot_be_compared_is_said,
            reports_are_written_for_people_and_programs,
            a_difference_keeps_its_id_when_lines_are_inserted_above,
        ],
    ])
}

fn name(pair: &Path) -> String {
    pair.file_name().unwrap().to_string_lossy().into_owned()
}

fn verdict(problems: Vec<Problem>) -> Result<(), Failed> {
    let lines: Vec<String> = problems.iter().map(|problem| format!("{problem:?}")).collect();
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n").into()) }
}

/// A pair of versions, built, with its tests recorded from the old one.
struct Pair {
    project: Project,
    expectations: Expectations,
}

impl Pair {
    fn new(new: &Path) -> Pair {
        let (project, expectations) = (Project::new(), Expectations::read(new));
        for side in ["old", "new", "golden"] {
            if let Ok(source) = fs::read(new.with_file_name(side).with_extension("c")) {
                project.write(&format!("{side}/program.c"), source);
                project.shell(&format!("cd {side} && byway-cc -g -O1 -w program.c -o program")).ok();
            }
        }
        let tests: Vec<&str> = expectations.source.lines().filter_map(|line| line.strip_prefix("// $ ")).collect();
        project.write("tests.sh", tests.join("\n") + "\n");
        let record = format!("PATH=$PWD/old:$PATH '{}' record -q -o seeds -- sh tests.sh", env!("CARGO_BIN_EXE_byway"));
        project.shell(&record).ok();
        Pair { project, expectations }
    }

    fn diff(&self, flags: &str) -> (Ran, Value) {
        let golden = if self.project.path("golden").exists() { "--golden golden/program" } else { "" };
        let ran = self.project.run(&format!("byway diff old/program new/program --from seeds {golden} {flags} --json"));
        let differences = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        (ran, differences)
    }

    fn stats(&self) -> Value {
        serde_json::from_slice(&fs::read(self.project.path("byway.out/stats.json")).unwrap()).unwrap()
    }

    /// All texts behind a key.
    fn all(&self, key: &str) -> Vec<String> {
        let prefix = format!("// {key}:");
        let lines = self.expectations.source.lines();
        lines.filter_map(|line| Some(line.strip_prefix(&prefix)?.trim().to_owned())).collect()
    }
}

fn differences_are_those_of_its_comments(path: &Path) -> Vec<Problem> {
    let pair = Pair::new(path);
    let flags = pair.all("diff").pop().unwrap_or_else(|| "--only-given".to_owned());
    let (ran, differences) = pair.diff(&flags);
    let mut problems = Vec::new();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list: Vec<&Value> = differences.as_array().unwrap().iter().collect();
    let mut seen: Vec<String> =
        list.iter().map(|one| format!("{} {}", text(&one["kind"]), text(&one["class"]))).collect();
    let mut expected = pair.all("difference");
    seen.sort();
    expected.sort();
    if ran.code != Some(if seen.is_empty() { 0 } else { 2 }) {
        problems.push(format!("exit code {:?} with {seen:?}: {ran:?}", ran.code).into());
    }
    if seen != expected {
        let what = format!("expected {expected:?}, saw {seen:?}: {ran:?}");
        problems.push(Problem::of_comments(what, [Edit::Keys("difference", seen)]));
    }
    for wanted in pair.all("changed") {
        let all: Vec<String> = list
            .iter()
            .flat_map(|one| one["changed"].as_array().unwrap())
            .map(|one| one.as_str().unwrap().to_owned())
            .collect();
        if !matches!(all.as_slice(), [only] if only.starts_with(&wanted)) {
            let what = format!("expected one change of {wanted}, saw {all:?}");
            problems.push(Problem::of_comments(what, [Edit::Keys("changed", all)]));
        }
    }
    problems.extend(marks(&pair, &list));
    problems.extend(shows_again(&pair, &list));
    problems
}

/// Changes are said to be shown, silent or unreached as the comments say, and what varies is said.
fn marks(pair: &Pair, differences: &[&Value]) -> Vec<Problem> {
    let program = pair.stats()["programs"][0].clone();
    let mut seen = BTreeSet::new();
    for change in program["changes"].as_array().unwrap() {
        let is_shown = !change["differences"].as_array().unwrap().is_empty();
        let mark = match change["reached"].as_u64() {
            _ if is_shown => "shown",
            Some(0) => "unreached",
            _ => "silent",
        };
        if change["file"].as_str().unwrap().contains("/new/") {
            seen.insert((change["line"].as_u64().unwrap() as usize, mark));
        }
    }
    let expected: BTreeSet<(usize, &str)> = pair.expectations.marks().into_iter().collect();
    let mut problems: Vec<Problem> = Vec::new();
    // The difference that is found first may execute changes that have nothing to do with it.
    let is_any = pair.all("marks").iter().any(|marks| marks == "any");
    if seen != expected && !is_any {
        let lines: BTreeSet<usize> = seen.union(&expected).map(|(line, _)| *line).collect();
        let now = |line| seen.iter().find(|(seen, _)| *seen == line).map(|(_, mark)| (*mark).to_owned());
        let edits: Vec<Edit> = lines.into_iter().map(|line| Edit::Mark(line, now(line))).collect();
        problems.push(Problem::of_comments(format!("expected marks {expected:?}, saw {seen:?}"), edits));
    }
    let meet = program["interaction_error"]["changes"].as_array().map_or(0, Vec::len).to_string();
    if pair.all("interacting changes").pop().is_some_and(|wanted| wanted != meet) {
        problems.push(Problem::of_comments(
            format!("{meet} changes interact in all errors"),
            [Edit::Keys("interacting changes", vec![meet])],
        ));
    }
    // Whatever runs do is in the graph.
    if program["sequences"]["steps_outside"].as_u64().is_some_and(|outside| outside > 0) {
        problems.push(format!("steps that the graph does not have: {}", program["sequences"]).into());
    }
    problems.extend(listed(pair, &program, "masked"));
    problems.extend(listed(pair, &program, "positions"));
    let unconfirmed = differences.iter().filter(|one| one["confirmed"] != true).count();
    if unconfirmed > 0 {
        problems.push(format!("{unconfirmed} differences are not confirmed").into());
    }
    problems
}

/// The parts that a program's statistics list under a key are those of the comments.
fn listed(pair: &Pair, program: &Value, key: &'static str) -> Option<Problem> {
    let parts = program[key].as_array().unwrap().iter();
    // Files that are named at random are listed by their beginning.
    let seen: Vec<String> = parts.map(|part| part[0].as_str().unwrap().to_owned()).collect();
    let expected = pair.all(key);
    let is_said = |part: &String| expected.iter().any(|expected| part.contains(expected.as_str()));
    let is_seen = |part: &String| seen.iter().any(|seen| seen.contains(part.as_str()));
    let what = format!("{key}: expected {expected:?}, saw {seen:?}");
    let is_right = seen.iter().all(is_said) && expected.iter().all(is_seen);
    (!is_right).then(|| Problem::of_comments(what, [Edit::Keys(key, seen)]))
}

/// What differs natively differs in `run.sh`, and `byway replay` shows all of it again.
fn shows_again(pair: &Pair, differences: &[&Value]) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for difference in differences {
        let directory = format!("byway.out/{}", difference["input"].as_str().unwrap());
        let ran = pair.project.shell(&format!("BYWAY_TIMEOUT=3 sh {directory}/run.sh old/program new/program"));
        if (ran.code == Some(1)) != (difference["kind"] != "memory") {
            problems.push(format!("run.sh: {ran:?}").into());
        }
        let ran = pair.project.run(&format!("byway replay --timeout 3 {directory}"));
        if ran.code != Some(0) {
            problems.push(format!("replay: {ran:?}").into());
        }
        // The old version against itself shows nothing.
        let ran = pair.project.run(&format!("byway replay --timeout 3 {directory} --with old/program"));
        if ran.code != Some(3) {
            problems.push(format!("replay of the old version: {ran:?}").into());
        }
    }
    problems
}

/// The old version of a pair of changes, built twice in two directories: no change, no difference.
fn a_version_built_twice_is_the_same(pair: &Path) -> Vec<Problem> {
    let project = Project::new();
    for side in ["one", "two"] {
        for file in fs::read_dir(pair.join("old")).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            project.write(&format!("{side}/{name}"), fs::read(&file).unwrap());
        }
        project.shell(&format!("cd {side} && byway-cc -g -O2 -w *.c -o program")).ok();
    }
    project.write("tests.sh", "one/program\none/program 1\none/program 7 x\necho 12 | one/program a b c\ntrue\n");
    project.run("byway record -q -o seeds -- sh tests.sh").ok();
    let ran = project.run("byway diff one/program two/program --from seeds --json");
    let stats: Value = serde_json::from_slice(&fs::read(project.path("byway.out/stats.json")).unwrap()).unwrap();
    let program = &stats["programs"][0];
    let is_same = ran.code == Some(0) && ran.stdout == "[]\n" && program["changes"].as_array().unwrap().is_empty();
    let is_run = program["tried"]["given"] == 4;
    if is_same && is_run { Vec::new() } else { vec![format!("{ran:?}\n{stats}").into()] }
}

const OLD: &str = "#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char text[20] = \"\";
    FILE *file = argc > 1 ? fopen(argv[1], \"r\") : NULL;
    if (file)
        fgets(text, sizeof text, file);
    if (text[0] == 'k')
        puts(\"key\");
    else
        puts(\"other\");
    return 0;
}
";

/// Two versions of a program called tool, built, in directories of their own.
fn versions(new: &str) -> Project {
    let project = Project::with(&[("old/tool.c", OLD), ("new/tool.c", new)]);
    for side in ["old", "new"] {
        project.shell(&format!("cd {side} && byway-cc -g -O1 -w tool.c -o tool")).ok();
    }
    project
}

fn key() -> String {
    OLD.replace("puts(\"key\")", "puts(\"KEY\")")
}

fn differences(ran: &Ran) -> Vec<Value> {
    let all: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    all.as_array().unwrap().clone()
}

fn a_single_run_has_its_input_and_the_files_of_the_directory() {
    let project = versions(&key());
    project.write("input", "kx\n");
    let ran = project.run("byway diff old/tool new/tool --only-given --json -- input");
    let all = differences(&ran);
    assert_eq!((ran.code, all.len()), (Some(2), 1), "{ran:?}");
    let directory = project.path("byway.out").join(all[0]["input"].as_str().unwrap());
    let stored =
        project.shell(&format!("find {} -name input -path '*files*' -not -path '*/old/*'", directory.display())).ok();
    assert_eq!(stored.stdout.lines().count(), 1, "{}", stored.stdout);
    project.shell("rm input").ok();
    let ran = project.shell(&format!("sh {}/run.sh", directory.display()));
    assert!(ran.code == Some(1) && ran.stdout.contains("-key\n+KEY"), "{ran:?}");
    project.run("byway diff old/tool new/tool --only-given -- nothing").ok();
}

fn inputs_are_found_from_nothing() {
    let project = versions(&key());
    let ran = project.run("byway diff old/tool new/tool --sym-files 1 4 --time 30 --json -- A");
    let all = differences(&ran);
    assert_eq!((ran.code, all.len()), (Some(2), 1), "{ran:?}");
    assert_eq!((&all[0]["kind"], &all[0]["seed"]), (&Value::from("output"), &Value::Null));
    let ran = project.shell(&format!("sh byway.out/{}/run.sh", all[0]["input"].as_str().unwrap()));
    assert!(ran.code == Some(1) && ran.stdout.contains("-key\n+KEY"), "{ran:?}");
}

fn directories_are_compared_program_by_program() {
    let project = versions(&key());
    project
        .shell("mkdir a b && cp old/tool a/tool && cp new/tool b/tool && cp old/tool a/same && cp old/tool b/same")
        .ok();
    project.write("input", "k\n");
    let ran = project.run("byway diff a b --only-given --json -- input");
    let programs: Vec<Value> = differences(&ran).into_iter().map(|one| one["program"].clone()).collect();
    assert_eq!(programs, ["tool"], "{ran:?}");
    assert!(ran.stderr.contains("same: nothing changed"), "{}", ran.stderr);
}

fn only_classes_that_are_asked_for_fail() {
    let project = versions(&key());
    project.write("input", "k\n");
    let run = |flags: &str| project.run(&format!("byway diff old/tool new/tool --only-given {flags} -- input"));
    assert_eq!(run("--fail-on regression").code, Some(0));
    assert_eq!(run("--fail-on regression,unclassified").code, Some(2));
    run("--fail-on worse").fails(1, "there is no class 'worse'");
    run("--ignore stdin").fails(1, "there is no part 'stdin'");
    assert_eq!(run("--ignore stdout").code, Some(0));
}

fn what_cannot_be_compared_is_said() {
    let project = versions(&key());
    project.shell("mkdir other empty && cp new/tool other/tool2 && cp old/tool elsewhere").ok();
    project.run("byway diff old other -- x").fails(5, "no program built with byway-cc at the same path");
    project.run("byway diff old new/tool -- x").fails(1, "name two programs, or two directories");
    project.run("byway diff old/tool -- x").fails(1, "name two programs");
    project.run("byway diff old/tool new/tool.c -- x").fails(11, "tool.c");
    project.run("byway diff old/tool new/tool --from empty").fails(5, "empty");
    project.run("byway record -q -o seeds -- ./elsewhere").ok();
    project.run("byway diff old/tool new/tool --from seeds").fails(5, "runs a program called tool");
    project.run("byway diff old/tool new/tool --golden nowhere -- x").fails(10, "nowhere");
    assert!(!project.path("byway.out").exists(), "nothing was compared, so nothing was written");
    let ran = project.run("byway diff old/tool old/tool -- x").ok();
    assert!(ran.stderr.contains("nothing changed") && ran.stdout.contains("no difference was found"), "{ran:?}");
}

fn a_difference_keeps_its_id_when_lines_are_inserted_above() {
    let new = OLD.replace("text[0] == 'k'", "text[0] == 'K'");
    let found = |above: &str| {
        let project = versions(&format!("{above}{new}"));
        project.write("input", "kx\n");
        let all = differences(&project.run("byway diff old/tool new/tool --only-given --json -- input"));
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    };
    let (one, other) = (found(""), found("/* A comment,\n   of two lines */\n"));
    assert_eq!((&one["parts_at"], &other["parts_at"]), (&"tool.c:8 in main".into(), &"tool.c:10 in main".into()));
    assert_eq!(one["id"], other["id"]);
}

fn reports_are_written_for_people_and_programs() {
    let project = versions(&key());
    project.write("input", "kx\n");
    let ran = project.run("byway diff old/tool new/tool --only-given --markdown comment.md -- input");
    let seconds = regex::Regex::new("[0-9]+\\.[0-9] s").unwrap();
    let id = regex::Regex::new("differences/[0-9a-f]{12}").unwrap();
    let text = seconds.replace_all(&ran.stdout, "N s");
    insta::assert_snapshot!("terminal", id.replace_all(&text, "differences/ID"));
    insta::assert_snapshot!("markdown", fs::read_to_string(project.path("comment.md")).unwrap());
    let read = |name: &str| fs::read_to_string(project.path("byway.out").join(name)).unwrap();
    let sarif: Value = serde_json::from_str(&read("report.sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&Value::from("difference-output"), &Value::from("warning")));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 9);
    let junit = read("junit.xml");
    assert!(
        junit.contains("<testsuite name=") && junit.contains("tests=\"1\"") && junit.contains("failures=\"1\""),
        "{junit}"
    );
    let directories: Vec<PathBuf> =
        fs::read_dir(project.path("byway.out/differences")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(fs::read_to_string(directories[0].join("new/stdout")).unwrap(), "KEY\n");
    assert!(fs::read_to_string(directories[0].join("behaviour.diff")).unwrap().contains("-  key\n+  KEY\n"));
}
