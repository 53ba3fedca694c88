//! What the subjects under `tests/subjects/explore` say in their comments, and exploring them.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::common::{Expectations, Project, Ran};

/// The output directory of all explorations.
pub const OUTPUT: &str = "out";

/// A subject that was built, with the directory that it is explored in.
pub struct Subject {
    pub project: Project,
    says: Expectations,
}

impl Subject {
    /// Builds a subject.
    pub fn build(path: &Path) -> Subject {
        let says = Expectations::read(path);
        let project = Project::with(&[("subject.c", &says.source)]);
        project.run("byway-cc -O1 -g subject.c -o subject").ok();
        for line in says.source.lines() {
            if let Some((name, text)) = line.strip_prefix("// file ").and_then(|line| line.split_once(": ")) {
                project.write(name, text);
            }
        }
        Subject { project, says }
    }

    /// A subject of ours by its name.
    pub fn named(name: &str) -> Subject {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects/explore");
        Subject::build(&directory.join(format!("{name}.c")))
    }

    fn words(&self, key: &str) -> Vec<String> {
        self.says.words(key).unwrap_or_default()
    }

    /// Explores it as it says, and as `more` says.
    pub fn explore(&self, more: &str) -> Explored<'_> {
        let mut command = self.project.command(env!("CARGO_BIN_EXE_byway"));
        command.args(["explore", "subject", "-o", OUTPUT]).args(self.words("explore")).args(more.split_whitespace());
        if !self.words("args").is_empty() {
            command.arg("--").args(self.words("args"));
        }
        let stdin = self.says.source.lines().find_map(|line| line.strip_prefix("// stdin: "));
        command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if let (Some(text), Some(mut pipe)) = (stdin, child.stdin.take()) {
            pipe.write_all(text.as_bytes()).unwrap();
        }
        Explored { subject: self, ran: child.wait_with_output().unwrap().into() }
    }

    /// The kept tests: their directories, and what each says of itself.
    pub fn tests(&self) -> Vec<(PathBuf, Value)> {
        tests(&self.project.path(OUTPUT))
    }
}

/// The kept tests of an output directory.
pub fn tests(output: &Path) -> Vec<(PathBuf, Value)> {
    let entries = fs::read_dir(output.join("tests")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), json(&path.join("test.json")))).collect()
}

/// A file of JSON.
pub fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}:\n{text}", path.display()))
}

/// How a test says it ended: its exit code, or the number of its signal below zero.
pub fn status(test: &Value) -> Option<i64> {
    let status = &test["status"];
    status["exited"].as_i64().or_else(|| status["signal"].as_i64().map(|signal| -signal))
}

/// What an exploration came to.
pub struct Explored<'a> {
    subject: &'a Subject,
    pub ran: Ran,
}

impl Explored<'_> {
    pub fn stats(&self) -> Value {
        json(&self.subject.project.path(OUTPUT).join("stats.json"))
    }

    fn findings(&self) -> Vec<Value> {
        json(&self.subject.project.path(OUTPUT).join("findings.json")).as_array().unwrap().clone()
    }

    /// What is not as the subject says.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut expect = |what: &str, expected: String, seen: String| {
            if expected != seen {
                problems.push(format!("{what}: {seen} instead of {expected}"));
            }
        };
        let (subject, stats) = (self.subject, self.stats());
        let finds = subject.words("finds");
        expect(
            "exit code",
            (if finds.is_empty() { 0 } else { 2 }).to_string(),
            format!("{}", self.ran.code.unwrap_or(-1)),
        );
        let leaves = sorted(subject.words("leaves").into_iter());
        let end = match leaves.is_empty() {
            true => "all paths were tried",
            false => "nothing is left to try but what is listed below",
        };
        match subject.words("ends").first() {
            Some(budget) => expect("ends", format!("the budget of {budget} is used up"), self.end()),
            None => {
                expect("ends", end.to_owned(), self.end());
                expect("leaves", format!("{leaves:?}"), format!("{:?}", limits(&stats)));
            }
        }
        expect("tests", subject.tests().len().to_string(), stats["kept"].to_string());
        for paths in subject.words("paths") {
            expect("paths", paths, stats["paths"].to_string());
        }
        for what in subject.words("covers") {
            expect("lines", stats["lines"]["total"].to_string(), stats["lines"]["covered"].to_string());
            if what == "lines" {
                continue;
            }
            expect("branches", stats["branches"]["total"].to_string(), stats["branches"]["covered"].to_string());
        }
        for layer in subject.words("asks") {
            let answers = &stats["layers"][&layer]["answers"];
            expect(&format!("answers of {layer}"), "true".to_owned(), (answers["sat"].as_u64() > Some(0)).to_string());
        }
        let kinds = sorted(self.findings().iter().map(|finding| finding["kind"].as_str().unwrap().to_owned()));
        expect("findings", format!("{:?}", sorted(finds.into_iter())), format!("{kinds:?}"));
        if !subject.words("exits").is_empty() {
            let exits: BTreeSet<i64> = subject.words("exits").iter().map(|word| word.parse().unwrap()).collect();
            let seen: BTreeSet<i64> = subject.tests().iter().filter_map(|(_, test)| status(test)).collect();
            expect("exits", format!("{exits:?}"), format!("{seen:?}"));
        }
        for (line, kind) in subject.says.marks() {
            let of_kind = |finding: &Value| (finding["kind"] == kind).then(|| finding["line"].to_string());
            let lines: Vec<String> = self.findings().iter().filter_map(of_kind).collect();
            if !lines.contains(&line.to_string()) {
                expect(&format!("line of {kind}"), line.to_string(), lines.join(", "));
            }
        }
        problems
    }

    /// Why it ended.
    pub fn end(&self) -> String {
        let line = self.ran.stdout.lines().find_map(|line| line.strip_prefix("ended after "));
        line.and_then(|line| line.split_once(": ")).map_or(self.ran.stderr.clone(), |(_, why)| why.to_owned())
    }
}

/// The limits for which something was left undone.
pub fn limits(stats: &Value) -> Vec<String> {
    let of = |remaining: &Value| remaining["limit"].as_str().unwrap().to_owned();
    let mut limits = sorted(stats["remaining"].as_array().unwrap().iter().map(of));
    limits.dedup();
    limits
}

fn sorted(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut words: Vec<String> = words.collect();
    words.sort();
    words
}
