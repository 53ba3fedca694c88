//! What `byway changes` says of the pairs under `tests/subjects/changes`.
//!
//! A pair is a program in two directories, `old` and `new`. A line that changed says so in a comment: `//~ changed`, `added`,
//! `control`, `signature`, `value` or `position` in the new version, `//~ removed` in the old one. All other lines are no change.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::Project;
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
fn compared(pair: &Path, level: &str) -> Expected {
    let project = Project::new();
    for side in ["old", "new"] {
        for file in files(&pair.join(side)) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            project.write(&format!("{side}/{name}"), fs::read(&file).unwrap());
        }
        project.shell(&format!("cd {side} && byway-cc {level} -w *.c -o program")).ok();
    }
    let ran = project.run("byway changes --json old/program new/program").ok();
    said(&serde_json::from_str(&ran.stdout).unwrap())
}

#[test]
fn each_pair_has_the_changes_that_its_comments_say() {
    let mut wrong = Vec::new();
    for pair in pairs() {
        for level in ["-O0", "-O2"] {
            let (expected, said) = (expected(&pair), compared(&pair, level));
            if expected != said {
                let name = pair.file_name().unwrap().to_string_lossy().into_owned();
                let missing: Vec<_> = expected.difference(&said).collect();
                let more: Vec<_> = said.difference(&expected).collect();
                wrong.push(format!("{name} {level}: not said {missing:?}, said {more:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
