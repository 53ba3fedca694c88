//! What `byway changes` says of the pairs under `tests/subjects/changes`.
//!
//! A pair is a program in two directories, `old` and `new`. A line that changed says so in a comment: `//~ changed`, `added`,
//! `control`, `signature`, `value` or `position` in the new version, `//~ removed` in the old one. All other lines are no change.
//!
//! Pairs under `tests/subjects/interactions` draw the graph that `byway changes --graph` prints (`drawn`).

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use common::Project;
use common::trials;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

type Expected = BTreeSet<(String, u64, String)>;

fn pairs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects/changes");
    let mut pairs: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    pairs.retain(|path| path.is_dir());
    pairs.sort();
    pairs
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// What the comments of both versions say.
fn expected(pair: &Path) -> Expected {
    let mut expected = Expected::new();
    for side in ["old", "new"] {
        for file in files(&pair.join(side)) {
            let name = format!("{side}/{}", file.file_name().unwrap().to_string_lossy());
            for (line, number) in fs::read_to_string(&file).unwrap().lines().zip(1..) {
                let said = line.split_once("//~ ").map(|(_, said)| said.trim().to_owned());
                expected.extend(said.map(|said| (name.clone(), number, said)));
            }
        }
    }
    expected
}

/// What byway says, in the words of the comments.
fn said(report: &Value) -> Expected {
    let mut said = Expected::new();
    let program = &report[0];
    for change in program["changes"].as_array().unwrap() {
        let kind = change["kind"].as_str().unwrap();
        let word = match (kind, change["subject"].as_str().unwrap()) {
            ("changed", "control") => "control",
            ("changed", "signature") => "signature",
            ("changed", "variable") => "value",
            _ => kind,
        };
        said.insert(place(&change[if kind == "removed" { "old" } else { "new" }], word));
    }
    said.extend(program["positions_only"].as_array().unwrap().iter().map(|change| place(&change["new"], "position")));
    said
}

fn place(place: &Value, word: &str) -> (String, u64, String) {
    let file = PathBuf::from(place["file"].as_str().unwrap());
    let below: PathBuf = file.iter().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect();
    (below.display().to_string(), place["line"].as_u64().unwrap(), word.to_owned())
}

/// Builds both versions and compares them.
fn has_the_changes_that_its_comments_say(pair: &Path) -> Result<(), Failed> {
    let project = Project::new();
    for side in ["old", "new"] {
        for file in files(&pair.join(side)) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            project.write(&format!("{side}/{name}"), fs::read(&file).unwrap());
        }
        project.shell(&format!("cd {side} && byway-cc -O2 -w *.c -o program")).ok();
    }
    let ran = project.run("byway changes --json old/program new/program").ok();
    let (expected, said) = (expected(pair), said(&serde_json::from_str(&ran.stdout).unwrap()));
    if expected == said {
        return Ok(());
    }
    let missing: Vec<_> = expected.difference(&said).collect();
    let more: Vec<_> = said.difference(&expected).collect();
    Err(format!("{}:\nnot said: {missing:?}\nsaid: {more:?}", pair.display()).into())
}

/// By the names of nodes: what each is, and where control gets to from there.
type Graph = BTreeMap<String, (String, BTreeSet<String>)>;

/// The graph that comments draw: `//~ NAME: change -> NAME, NAME` or `interaction -> ...` on the line of a node, and `// start -> ...`; and
/// the names of lines.
fn drawn(source: &str) -> (Graph, BTreeMap<u64, String>) {
    let (mut graph, mut names) = (Graph::new(), BTreeMap::new());
    let list = |text: &str| -> BTreeSet<String> {
        text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    };
    for (line, number) in source.lines().zip(1..) {
        if let Some(next) = line.strip_prefix("// start ->") {
            graph.insert("start".to_owned(), ("start".to_owned(), list(next)));
        }
        let Some((_, said)) = line.split_once("//~ ") else { continue };
        let (name, rest) = said.split_once(": ").unwrap();
        let (kind, next) = rest.split_once(" ->").unwrap();
        names.insert(number, name.to_owned());
        graph.insert(name.to_owned(), (kind.to_owned(), list(next)));
    }
    (graph, names)
}

fn has_the_graph_that_its_comments_draw(pair: &Path) -> Result<(), Failed> {
    let project = Project::new();
    for side in ["old", "new"] {
        let source = fs::read(pair.join(side).with_extension("c")).unwrap();
        project.write(&format!("{side}/program.c"), source);
        project.shell(&format!("cd {side} && byway-cc -g -O1 -w program.c -o program")).ok();
    }
    let ran = project.run("byway changes old/program new/program --graph json").ok();
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let nodes = report[0]["nodes"].as_array().unwrap();
    let (drawn, names) = drawn(&fs::read_to_string(pair.join("new.c")).unwrap());
    let name = |node: &Value| match node["kind"].as_str().unwrap() {
        kind @ ("start" | "output") => kind.to_owned(),
        _ => names.get(&node["line"].as_u64().unwrap()).cloned().unwrap_or_else(|| node["line"].to_string()),
    };
    let kept = nodes.iter().filter(|node| node["kind"] != "output");
    let said: Graph = kept
        .map(|node| {
            let next = node["next"].as_array().unwrap().iter();
            let next = next.map(|next| name(&nodes[next.as_u64().unwrap() as usize])).collect();
            (name(node), (node["kind"].as_str().unwrap().to_owned(), next))
        })
        .collect();
    if said == drawn { Ok(()) } else { Err(format!("{}:\ndrawn: {drawn:#?}\nsaid: {said:#?}", pair.display()).into()) }
}

fn a_graph_is_printed_as_text_and_for_graphviz() {
    let project = versions(&OLD.replace("puts(\"two\")", "puts(\"more\")").replace("puts(\"none\")", "puts(\"no\")"));
    let text = project.run("byway changes old/tool new/tool --graph text").ok().stdout;
    assert!(text.contains("tool: 2 changed lines, 0 lines where several of them meet"), "{text}");
    assert!(text.contains("start\n      -> output, new/tool.c:6, new/tool.c:8\n"), "{text}");
    let dot = project.run("byway changes old/tool new/tool --graph dot").ok().stdout;
    assert!(dot.starts_with("digraph \"tool\" {") && dot.contains("n0 -> n2;\n"), "{dot}");
    project.run("byway changes old/tool new/tool --graph png").fails(1, "invalid value 'png'");
}

fn main() -> ExitCode {
    let pairs = pairs().into_iter().map(|pair| {
        let name = pair.file_name().unwrap().to_string_lossy().into_owned();
        Trial::test(name, move || has_the_changes_that_its_comments_say(&pair))
    });
    let graphs = common::subjects("interactions").into_iter().filter(|path| path.is_dir());
    let graphs = graphs.map(|pair| {
        let name = format!("{}::graph", pair.file_name().unwrap().to_string_lossy());
        Trial::test(name, move || has_the_graph_that_its_comments_draw(&pair))
    });
    trials::run([
        pairs.collect(),
        graphs.collect(),
        facts![
            tests_that_execute_a_change_are_named,
            programs_of_two_directories_are_paired_by_path,
            text_that_the_user_names_does_not_count,
            versions_without_a_common_program_are_an_error,
            seeds_of_another_program_are_an_error,
            a_graph_is_printed_as_text_and_for_graphviz,
        ],
    ])
}

const OLD: &str = "#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'v')
        puts(\"version 1.0\");
    else if (argc > 2)
        puts(\"two\");
    else
        puts(\"none\");
    return 0;
}
";

/// Two versions of a program, each in a directory of its own, built.
fn versions(new: &str) -> Project {
    let project = Project::with(&[("old/tool.c", OLD), ("new/tool.c", new)]);
    for side in ["old", "new"] {
        project.shell(&format!("cd {side} && byway-cc -O2 tool.c -o tool")).ok();
    }
    project
}

fn tests_that_execute_a_change_are_named() {
    let new = OLD.replace("puts(\"two\")", "puts(\"more\")").replace("puts(\"none\");", "puts(\"nothing\");");
    let project = versions(&new);
    project.write("tests.sh", "./old/tool\n./old/tool v\n./old/tool x\n");
    project.run("byway record -o seeds -- sh tests.sh").ok();
    let ran = project.run("byway changes --json --from seeds --lcov changed.info old/tool new/tool").ok();
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let by = |line: u64| {
        let changes = report[0]["changes"].as_array().unwrap();
        let change = changes.iter().find(|change| change["new"]["line"] == line).unwrap();
        change["reached_by"].as_array().unwrap().len()
    };
    assert_eq!((by(6), by(8)), (0, 2), "{}", ran.stdout);
    let tracefile = fs::read_to_string(project.path("changed.info")).unwrap();
    assert!(tracefile.contains("DA:6,0\nDA:8,2\nLF:2\nLH:1\n"), "{tracefile}");
    let words = project.run("byway changes --from seeds old/tool new/tool").ok().stdout;
    assert!(words.contains("2 changed lines, 1 of them executed by 3 tests"), "{words}");
    assert!(words.contains("executed by no test"), "{words}");
}

fn programs_of_two_directories_are_paired_by_path() {
    let project = versions(&OLD.replace("two", "2"));
    project.shell("cp old/tool old/gone && cp new/tool new/come").ok();
    let ran = project.run("byway changes --json old new").ok();
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report.as_array().unwrap().len(), 1, "{}", ran.stdout);
    assert_eq!(report[0]["program"], "tool");
    assert!(ran.stderr.contains("gone is in old only") && ran.stderr.contains("come is in new only"), "{}", ran.stderr);
}

fn text_that_the_user_names_does_not_count() {
    let project = versions(&OLD.replace("version 1.0", "version 1.1"));
    let counts = |flags: &str| -> (usize, usize) {
        let ran = project.run(&format!("byway changes --json {flags} old/tool new/tool")).ok();
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let length = |key: &str| report[0][key].as_array().unwrap().len();
        (length("changes"), length("positions_only"))
    };
    assert_eq!(counts(""), (1, 0));
    assert_eq!(counts("--ignore-text [0-9]+\\.[0-9]+"), (0, 1));
}

fn versions_without_a_common_program_are_an_error() {
    let project = versions(OLD);
    project.shell("mkdir other && cp new/tool other/tool2").ok();
    project.run("byway changes old other").fails(5, "no program built with byway-cc at the same path");
    project.run("byway changes old new/tool").fails(1, "name two programs, or two directories");
    project.run("byway changes old/tool new/tool.c").fails(11, "tool.c");
}

fn seeds_of_another_program_are_an_error() {
    let project = versions(OLD);
    project.shell("cp old/tool elsewhere").ok();
    project.run("byway record -o seeds -- ./elsewhere").ok();
    project.run("byway changes --from seeds old/tool new/tool").fails(5, "runs a program called tool");
}
