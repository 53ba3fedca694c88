//! What the subjects under `tests/subjects/explore` say in their comments, and exploring them.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::common::trials::{Edit, Problem};
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

    /// Explores it says, and as `more` says.
    pub fn explore(&self, more: &str) -> Explored<'_> {
        self.explore_with(&more.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    /// The same with words that may have spaces in them.
    pub fn explore_with(&self, more: &[String]) -> Explored<'_> {
        let mut command = self.project.command(env!("CARGO_BIN_EXE_byway"));
        command.args(["explore", "subject", "-o", OUTPUT]).args(self.words("explore")).args(more);
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
    pub fn problems(&self) -> Vec<Problem> {
        let (subject, stats) = (self.subject, self.stats());
        let mut problems = Vec::new();
        let code = if subject.words("finds").is_empty() { 0 } else { 2 };
        problems.extend(differs("exit code", &code.to_string(), &self.ran.code.unwrap_or(-1).to_string()));
        problems.extend(differs("tests", &subject.tests().len().to_string(), &stats["kept"].to_string()));
        problems.extend(self.ending_problems(&stats));
        problems.extend(self.coverage_problems(&stats));
        problems.extend(self.query_problems(&stats));
        problems.extend(self.finding_problems());
        let paths = stats["paths"].to_string();
        problems.extend(subject.words("paths").first().and_then(|said| differs_in_key("paths", said, &paths)));
        let exits: BTreeSet<i64> = subject.words("exits").iter().map(|word| word.parse().unwrap()).collect();
        let seen: BTreeSet<i64> = subject.tests().iter().filter_map(|(_, test)| status(test)).collect();
        if !exits.is_empty() {
            problems.extend(differs_in_key("exits", &joined(&exits), &joined(&seen)));
        }
        problems
    }

    fn ending_problems(&self, stats: &Value) -> Vec<Problem> {
        if let Some(budget) = self.subject.words("ends").first() {
            return differs("ends", &format!("the budget of {budget} is used up"), &self.end()).into_iter().collect();
        }
        let leaves = sorted(self.subject.words("leaves").into_iter());
        let end = match leaves.is_empty() {
            true => "all paths were tried",
            false => "nothing is left to try but what is listed below",
        };
        let leaves = differs_in_key("leaves", &leaves.join(" "), &limits(stats).join(" "));
        differs("ends", end, &self.end()).into_iter().chain(leaves).collect()
    }

    fn coverage_problems(&self, stats: &Value) -> Vec<Problem> {
        let covers = self.subject.words("covers");
        let all = |what: &str| differs(what, &stats[what]["total"].to_string(), &stats[what]["covered"].to_string());
        let lines = covers.first().and_then(|_| all("lines"));
        let branches = covers.iter().find(|what| *what != "lines").and_then(|_| all("branches"));
        lines.into_iter().chain(branches).collect()
    }

    /// What is wrong with what the solver was asked. An exploration that finds nothing must have asked something.
    fn query_problems(&self, stats: &Value) -> Vec<Problem> {
        let answers = |layer: &Value, answer: &str| layer["answers"][answer].as_u64().unwrap_or(0);
        let layers = stats["layers"].as_object().unwrap();
        let count: u64 =
            layers.values().flat_map(|layer| ["sat", "unsat", "unknown"].map(|answer| answers(layer, answer))).sum();
        let least = match self.subject.words("queries").first() {
            Some(word) => word.parse().unwrap(),
            None => u64::from(self.subject.words("finds").is_empty()),
        };
        let few = (count < least).then(|| format!("queries: {count} instead of {least} or more").into());
        let silent = |layer: &String| answers(&stats["layers"][layer], "sat") == 0;
        let asks = self.subject.words("asks").into_iter().filter(silent);
        few.into_iter().chain(asks.map(|layer| format!("{layer} has found no input").into())).collect()
    }

    fn finding_problems(&self) -> Vec<Problem> {
        let (subject, findings) = (self.subject, self.findings());
        let kinds = sorted(findings.iter().map(|finding| finding["kind"].as_str().unwrap().to_owned())).join(" ");
        let said = sorted(subject.words("finds").into_iter()).join(" ");
        let mut problems: Vec<Problem> = differs_in_key("finds", &said, &kinds).into_iter().collect();
        for (line, kind) in subject.says.marks() {
            let of_kind = |finding: &&Value| finding["kind"] == kind;
            let lines: Vec<u64> = findings.iter().filter(of_kind).filter_map(|it| it["line"].as_u64()).collect();
            if !lines.contains(&(line as u64)) {
                let what = format!("line of {kind}: {lines:?} instead of {line}");
                let marked = |&line: &u64| Edit::Mark(line as usize, Some(kind.to_owned()));
                let edits = std::iter::once(Edit::Mark(line, None)).chain(lines.iter().map(marked));
                problems.push(Problem::of_comments(what, edits));
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

/// A problem if something is not as it must be.
fn differs(what: &str, expected: &str, seen: &str) -> Option<Problem> {
    (expected != seen).then(|| format!("{what}: {seen} instead of {expected}").into())
}

/// A problem if something is not as the comment with this key says.
fn differs_in_key(key: &'static str, expected: &str, seen: &str) -> Option<Problem> {
    let edit = Edit::Key(key, (!seen.is_empty()).then(|| seen.to_owned()));
    (expected != seen).then(|| Problem::of_comments(format!("{key}: '{seen}' instead of '{expected}'"), [edit]))
}

fn joined(numbers: &BTreeSet<i64>) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

fn sorted(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut words: Vec<String> = words.collect();
    words.sort();
    words
}
