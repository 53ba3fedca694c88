//! What the subjects under `tests/subjects/check` say in their comments, and checking them.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::common::trials::{Edit, Problem};
use super::common::{Project, Ran};

/// The output directory of all checks.
pub const OUTPUT: &str = "byway.out";

/// What a subject says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Says {
    pub source: String,
    /// The lines of its test suite.
    pub tests: Vec<String>,
    /// What breaks it.
    pub breaks: Vec<String>,
    /// Options of `byway check`.
    pub options: Vec<String>,
    pub findings: Vec<Expected>,
    /// How many operations of which kind are asked at least.
    pub asks: Vec<(String, u64)>,
    /// The limits for which something is left undone, if it says so.
    pub leaves: Option<Vec<String>>,
}

/// A finding that a subject is made for.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Expected {
    /// Its line; a hang has none.
    pub line: Option<u64>,
    pub column: Option<u64>,
    pub kind: String,
    pub distance: Option<u64>,
    pub depth: Option<u64>,
    /// How many bytes may differ from the test's.
    pub bytes: Option<usize>,
    /// The kinds of what it led to, and of the reports that come before it.
    pub then: Vec<String>,
    pub behind: Vec<String>,
    /// The lines of other places.
    pub also: Vec<u64>,
    /// How many tests show it at least.
    pub tests: Option<usize>,
}

impl Says {
    pub fn parse(source: &str) -> Result<Says, String> {
        let mut says = Says { source: source.to_owned(), ..Says::default() };
        let mut nothing = false;
        for (line, number) in source.lines().zip(1..) {
            if let Some((_, mark)) = line.split_once("//~") {
                for mark in mark.split(';') {
                    says.findings.push(Expected::parse(Some(number), mark)?);
                }
            } else if let Some((key, text)) = line.strip_prefix("// ").and_then(|rest| rest.split_once(": ")) {
                match key {
                    "test" => says.tests.push(text.to_owned()),
                    "breaks" => says.breaks.push(text.to_owned()),
                    "check" => says.options.extend(text.split_whitespace().map(str::to_owned)),
                    "finds" if text == "nothing" => nothing = true,
                    "finds" => {
                        for text in text.split(';') {
                            says.findings.push(Expected::parse(None, text)?);
                        }
                    }
                    "asks" => {
                        for text in text.split(',') {
                            says.asks.push(asked(text)?);
                        }
                    }
                    "leaves" if text == "nothing" => says.leaves = Some(Vec::new()),
                    "leaves" => says.leaves = Some(text.split_whitespace().map(str::to_owned).collect()),
                    _ => {}
                }
            }
        }
        if nothing != says.findings.is_empty() {
            return Err("'finds: nothing' and findings in the same subject, or neither".to_owned());
        }
        Ok(says)
    }

    /// The comments that say what was found.
    fn edits(&self, findings: &[Value]) -> Vec<Edit> {
        let seen: Vec<Expected> = findings.iter().map(|found| self.seen(found)).collect();
        let of_line = |line: Option<u64>| -> Vec<String> {
            seen.iter().filter(|expected| expected.line == line).map(Expected::text).collect()
        };
        let lines: BTreeSet<u64> = self.findings.iter().chain(&seen).filter_map(|expected| expected.line).collect();
        let mark = |&line: &u64| {
            let texts = of_line(Some(line));
            Edit::Mark(line as usize, (!texts.is_empty()).then(|| texts.join("; ")))
        };
        let placeless = of_line(None);
        let finds = match seen.is_empty() {
            true => Some("nothing".to_owned()),
            false => (!placeless.is_empty()).then(|| placeless.join("; ")),
        };
        lines.iter().map(mark).chain([Edit::Key("finds", finds)]).collect()
    }

    /// A finding as it would be expected: what the subject says of it, or what there is to say of it.
    fn seen(&self, found: &Value) -> Expected {
        let all = Expected { distance: Some(0), depth: Some(0), bytes: Some(0), ..Expected::default() };
        let said = self.findings.iter().find(|expected| expected.is(found)).unwrap_or(&all);
        let line = found["line"].as_u64();
        let number = |name: &str, said: Option<u64>| said.and(found[name].as_u64());
        let tests = found["tests"].as_array().map_or(0, Vec::len);
        Expected {
            line,
            column: number("column", said.column),
            kind: found["kind"].as_str().unwrap_or_default().to_owned(),
            distance: number("distance", said.distance),
            depth: number("depth", said.depth),
            bytes: said.bytes.map(|most| most.max(changed_bytes(found))),
            then: if said.then.is_empty() { Vec::new() } else { kinds(found, "then") },
            behind: kinds(found, "behind"),
            also: places(found).into_iter().filter(|&place| Some(place) != line).collect(),
            tests: said.tests.map(|least| least.min(tests)),
        }
    }

    /// The largest distance of a finding.
    fn distance(&self) -> Option<u64> {
        self.findings.iter().filter_map(|finding| finding.distance).max()
    }
}

impl Expected {
    fn parse(line: Option<u64>, text: &str) -> Result<Expected, String> {
        let mut parts = text.split(',').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_owned();
        let mut expected = Expected { line, kind, ..Expected::default() };
        for part in parts {
            let words = part.split_once(' ').map(|(name, value)| (name, value, value.parse().ok()));
            match words {
                Some(("distance", _, Some(number))) => expected.distance = Some(number),
                Some(("depth", _, Some(number))) => expected.depth = Some(number),
                Some(("column", _, Some(number))) => expected.column = Some(number),
                Some(("also", _, Some(number))) => expected.also.push(number),
                Some(("bytes", _, Some(number))) => expected.bytes = Some(number as usize),
                Some(("tests", _, Some(number))) => expected.tests = Some(number as usize),
                Some(("then", kind, None)) => expected.then.push(kind.to_owned()),
                Some(("behind", kind, None)) => expected.behind.push(kind.to_owned()),
                _ => return Err(format!("line {}: nobody knows what '{part}' means", line.unwrap_or_default())),
            }
        }
        Ok(expected)
    }

    /// The mark that says this.
    pub fn text(&self) -> String {
        let numbers = [
            ("distance", self.distance),
            ("depth", self.depth),
            ("bytes", self.bytes.map(|bytes| bytes as u64)),
            ("column", self.column),
            ("tests", self.tests.map(|tests| tests as u64)),
        ];
        let numbers = numbers.into_iter().filter_map(|(name, number)| Some(format!("{name} {}", number?)));
        let kinds = |name: &'static str, kinds: &[String]| -> Vec<String> {
            kinds.iter().map(|kind| format!("{name} {kind}")).collect()
        };
        let also = self.also.iter().map(|line| format!("also {line}"));
        let parts = std::iter::once(self.kind.clone()).chain(numbers);
        let parts = parts.chain(kinds("then", &self.then)).chain(kinds("behind", &self.behind)).chain(also);
        parts.collect::<Vec<_>>().join(", ")
    }

    /// Whether this is the finding that is expected.
    fn is(&self, found: &Value) -> bool {
        // Which of the places of a freed object comes first is up to who is first.
        if !self.also.is_empty() {
            return self.places() == places(found);
        }
        let is_there = self.column.is_none() || self.column == found["column"].as_u64();
        found["kind"] == *self.kind && found["line"].as_u64() == self.line && is_there
    }

    /// All its lines.
    fn places(&self) -> BTreeSet<u64> {
        self.line.into_iter().chain(self.also.iter().copied()).collect()
    }

    /// What a finding has that was not expected.
    fn problems(&self, finding: &Value) -> Vec<String> {
        let mut problems = Vec::new();
        let numbers = [("distance", self.distance), ("depth", self.depth)];
        for (name, expected) in numbers {
            if expected.is_some() && expected != finding[name].as_u64() {
                problems.push(format!("{name} of {}: {} instead of {expected:?}", self.kind, finding[name]));
            }
        }
        for (name, expected) in [("then", &self.then), ("behind", &self.behind)] {
            // What becomes of undefined behaviour is said only where it matters.
            let seen = kinds(finding, name);
            if seen != *expected && !(name == "then" && expected.is_empty()) {
                problems.push(format!("{name} of {}: {seen:?} instead of {expected:?}", self.kind));
            }
        }
        if places(finding) != self.places() {
            problems.push(format!("places of {}: {:?} instead of {:?}", self.kind, places(finding), self.places()));
        }
        let tests = finding["tests"].as_array().map_or(0, Vec::len);
        if self.tests.is_some_and(|least| tests < least) {
            problems.push(format!("{}: {tests} tests show it", self.kind));
        }
        let bytes = changed_bytes(finding);
        if self.bytes.is_some_and(|most| bytes > most) {
            problems.push(format!("{}: {bytes} changed bytes: {}", self.kind, finding["changed"]));
        }
        problems
    }
}

/// How many operations of a kind are asked: `KIND N`.
fn asked(text: &str) -> Result<(String, u64), String> {
    let (kind, number) = text.trim().rsplit_once(' ').unwrap_or_default();
    let number = number.parse().ok().filter(|&number| number > 0);
    let number = number.ok_or_else(|| format!("'asks: {text}' names no kind and number above 0"))?;
    Ok((kind.to_owned(), number))
}

/// The kinds of the reports that are before or behind a finding.
fn kinds(finding: &Value, name: &str) -> Vec<String> {
    let reports = finding[name].as_array().cloned().unwrap_or_default();
    reports.iter().map(|report| report.as_str().unwrap().split(' ').next().unwrap().to_owned()).collect()
}

/// All lines of a finding.
fn places(finding: &Value) -> BTreeSet<u64> {
    let also = finding["also"].as_array().cloned().unwrap_or_default();
    also.iter().chain([finding]).filter_map(|place| place["line"].as_u64()).collect()
}

/// How many bytes of a finding's input are not the seed's.
pub fn changed_bytes(finding: &Value) -> usize {
    let bytes = |side: &Value| {
        let digits = side.as_str().unwrap().as_bytes();
        digits.chunks(2).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let of = |change: &Value| {
        let (from, to) = (bytes(&change["from"]), bytes(&change["to"]));
        from.iter().zip(&to).filter(|(from, to)| from != to).count() + from.len().abs_diff(to.len())
    };
    finding["changes"].as_array().unwrap().iter().map(of).sum()
}

/// Where the source of a subject is.
pub fn source(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects/check");
    directory.join(format!("{name}.c"))
}

/// A subject that was built, with the directory that its tests run in.
pub struct Subject {
    pub project: Project,
    pub says: Says,
}

impl Subject {
    pub fn build(path: &Path) -> Subject {
        let says = Says::parse(&fs::read_to_string(path).unwrap());
        let says = says.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let project = Project::with(&[("subject.c", &says.source), ("test.sh", &script(&says.tests))]);
        project.run("byway-cc -O1 -g subject.c -o subject").ok();
        Subject { project, says }
    }

    /// A subject of ours by its name.
    pub fn named(name: &str) -> Subject {
        Subject::build(&source(name))
    }

    /// Checks it says, no further than it says that something is.
    pub fn check(&self) -> Checked<'_> {
        let mut command = self.project.command(env!("CARGO_BIN_EXE_byway"));
        let furthest = self.says.distance().unwrap_or(2).to_string();
        // Depths and distances are those of the tests as they are.
        // Undefined behaviour that nothing else shows is a finding of its subject like any other.
        command.args(["check", "--time", "20", "--reduce", "0", "--max-distance", &furthest, "--fail-on", "warning"]);
        command.args(&self.says.options);
        let ran = command.args(["--", "sh", "test.sh"]).output().unwrap().into();
        Checked { subject: self, ran }
    }

    /// What the tests and what breaks the subject do in the `asan` variant, if not what they should.
    pub fn claims(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let judge = Project::new();
        // Not written by this process: what another thread starts meanwhile would have it open, and it could not be executed.
        let copied = judge.command("cp").arg(self.project.variant("subject", "asan")).arg("subject").status();
        assert!(copied.unwrap().success());
        let innocent = sanitized(judge.command("sh").args(["-c", &script(&self.says.tests)]));
        let fails = |ran: &Ran| ran.stderr.contains("Sanitizer") || ran.stderr.contains("runtime error");
        let itself = self.says.findings.iter().any(|finding| finding.bytes == Some(0));
        if !itself && (innocent.code != Some(0) || fails(&innocent)) {
            problems.push(format!("the tests fail with sanitizers: {}", innocent.stderr));
        }
        for line in &self.says.breaks {
            let broken = sanitized(judge.command("sh").args(["-c", line])).stderr;
            for finding in &self.says.findings {
                let Some(number) = finding.line else { continue };
                if !broken.contains(&format!("subject.c:{number}")) {
                    problems.push(format!("'{line}' does not break line {number}: {broken}"));
                }
            }
        }
        problems
    }
}

/// Runs a command with the sanitizers set as they judge: too large a block is none, as without them.
fn sanitized(command: &mut Command) -> Ran {
    command.env("ASAN_OPTIONS", "allocator_may_return_null=1:handle_abort=1").output().unwrap().into()
}

/// A shell script that ends with the first line that fails.
fn script(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line} || exit 1\n")).collect()
}

/// What a check came to.
pub struct Checked<'a> {
    subject: &'a Subject,
    pub ran: Ran,
}

impl Checked<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.subject.project.path(OUTPUT).join(name)
    }

    fn json(&self, name: &str) -> Result<Value, String> {
        let text = fs::read_to_string(self.path(name)).map_err(|error| format!("{name}: {error}"))?;
        serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))
    }

    /// What is not as the subject says.
    pub fn problems(&self) -> Vec<Problem> {
        let findings = match self.json("findings.json") {
            Ok(findings) => findings.as_array().unwrap().clone(),
            Err(problem) => return vec![problem.into()],
        };
        let mut problems: Vec<Problem> = Vec::new();
        let says = &self.subject.says;
        let code = if says.findings.is_empty() { 0 } else { 2 };
        if self.ran.code != Some(code) {
            problems.push(format!("exit code {:?} instead of {code}", self.ran.code).into());
        }
        problems.extend(self.remaining());
        problems.extend(self.asked());
        let edits = says.edits(&findings);
        problems.extend(self.unlike(&findings).into_iter().map(|what| Problem::of_comments(what, edits.clone())));
        for found in &findings {
            if found["confirmed"] != true {
                let [kind, line, why] = ["kind", "line", "why"].map(|name| &found[name]);
                problems.push(format!("{kind} at line {line} is not confirmed: {why}").into());
            } else {
                problems.extend(self.reproduced(found).map(Problem::from));
            }
        }
        problems
    }

    /// How the findings are other than those that are expected.
    fn unlike(&self, findings: &[Value]) -> Vec<String> {
        let expected = &self.subject.says.findings;
        let mut problems = Vec::new();
        for finding in expected {
            match findings.iter().find(|found| finding.is(found)) {
                Some(found) => problems.extend(finding.problems(found)),
                None => problems.push(format!("no {} at line {:?}", finding.kind, finding.line)),
            }
        }
        for found in findings.iter().filter(|found| !expected.iter().any(|finding| finding.is(found))) {
            let [kind, line, column, message] = ["kind", "line", "column", "message"].map(|name| &found[name]);
            problems.push(format!("{kind} at line {line}, column {column}: {message}"));
        }
        problems
    }

    /// What is wrong with what was asked. One who finds nothing must have asked something.
    fn asked(&self) -> Option<Problem> {
        let says = &self.subject.says;
        let stats = self.json("stats.json").ok()?;
        let kinds = stats["checks"]["kinds"].as_object()?;
        let seen: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let seen = seen.join(", ");
        let is_asked = |(kind, least): &(String, u64)| kinds.get(kind).and_then(Value::as_u64) >= Some(*least);
        if says.findings.is_empty() && says.asks.is_empty() || !says.asks.iter().all(is_asked) {
            let what = format!("it asks '{seen}', and must ask (at least) {:?}", says.asks);
            return Some(Problem::of_comments(what, [Edit::Key("asks", (!seen.is_empty()).then_some(seen))]));
        }
        None
    }

    /// What is wrong with what was left undone, and with how the check says that it ended.
    fn remaining(&self) -> Option<Problem> {
        let expected = self.subject.says.leaves.as_ref()?;
        let stats = self.json("stats.json").ok()?;
        let of = |remaining: &Value| remaining["limit"].as_str().unwrap_or_default().to_owned();
        let mut limits: Vec<String> = stats["remaining"].as_array()?.iter().map(of).collect();
        limits.sort();
        limits.dedup();
        let all = "everything up to the greatest distance was explored, for inputs as long as those of the tests";
        let is_all = stats["ended"] == all;
        let is_true = limits == *expected && is_all == expected.is_empty();
        let now = if limits.is_empty() { "nothing".to_owned() } else { limits.join(" ") };
        let what = format!("it leaves {limits:?} instead of {expected:?} and ends with {}", stats["ended"]);
        (!is_true).then(|| Problem::of_comments(what, [Edit::Key("leaves", Some(now))]))
    }

    /// What the script of a finding does in the `asan` variant, if it does not show the finding.
    fn reproduced(&self, finding: &Value) -> Option<String> {
        if finding["line"].is_null() {
            return None;
        }
        let project = &self.subject.project;
        let script = self.path("findings").join(finding["id"].as_str().unwrap()).join("run.sh");
        // One that does not end shows nothing.
        let mut command = project.command("timeout");
        command.arg("60").arg(&script).arg(project.variant("subject", "asan"));
        let said = sanitized(&mut command).stderr;
        let shown = said.contains(&format!("subject.c:{}", finding["line"]));
        (!shown).then(|| format!("{} does not show {}: {said}", script.display(), finding["kind"]))
    }
}
