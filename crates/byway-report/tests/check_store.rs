//! What a check found, in its output directory: for people, for programs, for whoever runs it again.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use byway_input::{ConcreteInput, Fixture};
use byway_report::{
    AccessedObject, CheckStats, CheckStore, Checked, DiagnosticStyle, Ending, Finding, Frame, InputChange, JunitCase,
    Near, Seen, Skipped, SourceTexts, changes, diagnostic,
};
use serde_json::Value;
use tempfile::TempDir;

/// A project with a source file, and the output directory of its check.
struct Project {
    directory: TempDir,
    store: CheckStore,
}

const SOURCE: &str = "\
#include \"system.h\"
static char *fields;
static void reserve(size_t last) {
\tfields = xzalloc(last / 8 + 1);
}
static void set_fields(size_t first) {
\tfields[first / 8] |= 1 << first % 8;
}
int main(int argc, char **argv) {
    set_fields(atoi(argv[1]));
}
";

impl Project {
    fn new() -> Project {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("src")).unwrap();
        fs::write(directory.path().join("src/cut.c"), SOURCE).unwrap();
        let store = CheckStore::create(&directory.path().join("byway.out"), directory.path()).unwrap();
        Project { directory, store }
    }

    fn frame(&self, function: &str, line: u32, column: u32) -> Frame {
        let file = self.directory.path().join("src/cut.c").to_str().unwrap().to_owned();
        let (line, column) = (Some(line), Some(column));
        Frame { function: Some(function.to_owned()), file: Some(file), line, column, ..Frame::default() }
    }

    fn finding(&self) -> Finding {
        let frame = self.frame("set_fields", 7, 2);
        let object = AccessedObject {
            description: "0 bytes after 2-byte region".to_owned(),
            allocated: vec![
                Frame { function: Some("calloc".to_owned()), ..Frame::default() },
                self.frame("reserve", 4, 11),
                self.frame("main", 10, 5),
            ],
            freed: Vec::new(),
        };
        Finding {
            kind: "heap-buffer-overflow".to_owned(),
            message: "WRITE of size 1, 0 bytes after 2-byte region".to_owned(),
            file: frame.file.clone(),
            line: frame.line,
            column: frame.column,
            function: frame.function.clone(),
            stack: vec![frame, self.frame("main", 10, 5)],
            access: Some("WRITE of size 1".to_owned()),
            object: Some(object),
            ..Finding::default()
        }
        .anchored(&SourceTexts::default())
    }

    fn input(&self, list: &str, data: &[u8]) -> ConcreteInput {
        let directory = self.directory.path().join("tests");
        let files = common::files(vec![(directory.join("data.txt"), data.to_vec())]);
        let fixture = Fixture { name: Some("cut".into()), directory: Some(directory), ..Fixture::default() };
        let arguments = [list, "data.txt"].map(|text| text.as_bytes().to_vec()).to_vec();
        ConcreteInput { fixture: fixture.into(), arguments, files, ..ConcreteInput::default() }
    }

    fn checked(&self, input: &ConcreteInput) -> Checked {
        let seed = self.input("-c3-5,6-", b"some text\n");
        Checked {
            finding: self.finding(),
            program: self.directory.path().join("src/cut"),
            seed: "0003-cut".to_owned(),
            changed: changes(&seed, input),
            origin: None,
            seed_arguments: std::iter::once(b"cut".to_vec()).chain(seed.arguments).collect(),
            distance: 1,
            depth: 4,
            depth_is_known: true,
            confirmed: true,
            why: None,
            ending: Ending::Exited(0),
            check: "index".to_owned(),
            site: Some("src/cut.c:7:2".to_owned()),
            seconds: 0.5,
        }
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.store.directory().join(name)).unwrap()).unwrap()
    }

    fn shown(&self, colours: bool) -> String {
        let look = DiagnosticStyle { output: Path::new("byway.out"), root: self.directory.path(), colours };
        let shown: Vec<String> = self.store.findings().iter().map(|entry| diagnostic(entry, &look)).collect();
        self.same_everywhere(shown.join("\n"))
    }

    /// The place of the project is part of the names of its findings.
    fn same_everywhere(&self, text: String) -> String {
        let text = text.replace(self.directory.path().to_str().unwrap(), "/project");
        let number =
            |(text, number): (String, usize)| text.replace(&self.store.findings()[number].id, &format!("{number:012}"));
        (0..self.store.findings().len()).fold(text, |text, at| number((text, at)))
    }
}

const REPORT: &[u8] = b"==1==ERROR: AddressSanitizer: heap-buffer-overflow <\"&\x1b>\n";

/// A project with a finding of each kind: confirmed, of the seed itself, unconfirmed, and without any place.
fn project() -> Project {
    let mut project = Project::new();
    let input = project.input("-c3-5,8-", b"some Text\0");
    let checked = project.checked(&input);
    project.store.found(&checked, &input, REPORT).unwrap();

    let hang = Finding { kind: "hang".to_owned(), message: "no end".to_owned(), ..Finding::default() };
    let why = Some("the build with sanitizers ends with exit code 1".to_owned());
    let unconfirmed = Checked { finding: hang, confirmed: false, why, ..checked.clone() };
    project.store.found(&unconfirmed, &input, b"").unwrap();

    let seed = project.input("-c3-5,6-", b"some text\n");
    let division = Finding {
        kind: "integer-divide-by-zero".to_owned(),
        message: "division by zero".to_owned(),
        file: Some("/usr/src/lib/number.c".to_owned()),
        line: Some(12),
        column: Some(3),
        function: Some("percent".to_owned()),
        then: vec!["FPE".to_owned()],
        ..Finding::default()
    };
    let of_seed = Checked {
        finding: division,
        changed: Vec::new(),
        distance: 0,
        ending: Ending::Signal(8),
        check: "seed".to_owned(),
        ..checked
    };
    project.store.found(&of_seed, &seed, REPORT).unwrap();
    project
}

fn finish(project: &mut Project) {
    let case = |seed: &str, skipped: Option<&str>| JunitCase {
        program: project.directory.path().join("src/cut"),
        seed: seed.to_owned(),
        seconds: 0.25,
        skipped: skipped.map(str::to_owned),
    };
    let cases = [case("0001-cut", None), case("0002-cut", Some("its <files> are missing")), case("0003-cut", None)];
    let mut stats = CheckStats { command: vec!["make".to_owned(), "check".to_owned()], ..CheckStats::default() };
    stats.seeds.skipped = vec![Skipped { seed: "0002-cut".to_owned(), why: "its <files> are missing".to_owned() }];
    project.store.finish(&stats, &cases).unwrap();
}

#[test]
fn a_finding_says_what_a_maintainer_wants_to_know() {
    insta::assert_snapshot!(project().shown(false));
}

#[test]
fn colours_change_nothing_but_the_colour() {
    let project = project();
    let coloured = project.shown(true);
    assert!(coloured.starts_with("\x1b[91merror[heap-buffer-overflow]\x1b[0m"), "{coloured}");
    let plain = coloured.split('\x1b').map(|part| part.split_once('m').map_or(part, |split| split.1));
    let first = coloured.split('\x1b').next().unwrap();
    assert_eq!(first.to_owned() + &plain.skip(1).collect::<String>(), project.shown(false));
}

#[test]
fn an_entry_has_all_that_programs_ask_for() {
    let project = project();
    let findings = project.json("findings.json");
    let confirmed: Vec<bool> =
        findings.as_array().unwrap().iter().map(|entry| entry["confirmed"].as_bool().unwrap()).collect();
    assert_eq!(confirmed, [true, true, false]);
    let first = &findings[0];
    let fields = ["id", "kind", "file", "line", "function", "distance", "depth", "seed", "input", "message", "program"];
    for field in fields.iter().chain(&["object", "allocated", "check", "command", "ending"]) {
        assert!(!first[field].is_null(), "{field}");
    }
    assert_eq!(first["command"], "cut -c3-5,8- data.txt");
    assert_eq!(first["changed"][1], "data.txt, offset 0x5: 74 -> 54");
    assert_eq!(first["changes"][2]["to"], "00");
    for entry in findings.as_array().unwrap() {
        let input = project.store.directory().join(entry["input"].as_str().unwrap());
        for name in ["run.sh", "report.txt", "finding.json", "test.json"] {
            assert!(input.join(name).exists(), "{input:?} {name}");
        }
    }
    assert!(findings[2]["input"].as_str().unwrap().starts_with("unconfirmed/"));
}

#[test]
fn the_nearest_input_that_is_confirmed_stays() {
    let mut project = Project::new();
    let near = project.input("-c3-5,8-", b"some text\n");
    let far = project.input("-c1-2,8-", b"some text\n");
    let checked = |distance: u32, confirmed: bool, input: &ConcreteInput| {
        let base = project.checked(input);
        Checked { distance, confirmed, ..base }
    };
    let steps = [
        (checked(0, false, &near), &near, Seen::First, "0 false -c3-5,8-"),
        (checked(3, true, &far), &far, Seen::Again, "3 true -c1-2,8-"),
        (checked(1, false, &near), &near, Seen::Again, "3 true -c1-2,8-"),
        (checked(3, true, &near), &near, Seen::Again, "3 true -c3-5,8-"),
        (checked(4, true, &near), &near, Seen::Again, "3 true -c3-5,8-"),
        (checked(2, true, &far), &far, Seen::Again, "2 true -c1-2,8-"),
    ];
    for (count, (checked, input, seen, kept)) in steps.iter().enumerate() {
        assert_eq!(project.store.found(checked, input, b"").unwrap(), *seen);
        let [entry] = project.store.findings() else { panic!("one defect is one finding") };
        let list = entry.command.split(' ').nth(1).unwrap();
        assert_eq!(format!("{} {} {list}", entry.distance, entry.confirmed), *kept);
        assert_eq!(entry.count, count as u64 + 1);
        let part = if entry.confirmed { ["findings", "unconfirmed"] } else { ["unconfirmed", "findings"] };
        let of = |part: &str| project.store.directory().join(part).join(&entry.id);
        assert!(of(part[0]).join("run.sh").exists() && !of(part[1]).exists());
    }
}

#[test]
fn tests_that_show_a_finding_are_listed_the_nearest_first() {
    let mut project = Project::new();
    let input = project.input("-c3-5,8-", b"some text\n");
    let checked = project.checked(&input);
    project.store.found(&checked, &input, b"").unwrap();
    let near = |distance, depth, test: &str| Near { distance, depth, test: test.to_owned() };
    for near in [near(2, None, "0001-cut"), near(0, Some(9), "0002-cut"), near(1, Some(3), "0001-cut")] {
        project.store.note(&checked.finding, near);
    }
    // Of a test only the least counts.
    project.store.note(&checked.finding, near(1, Some(5), "0001-cut"));
    let expected = [near(0, Some(9), "0002-cut"), near(1, Some(3), "0001-cut"), near(1, Some(4), "0003-cut")];
    assert_eq!(project.store.findings()[0].tests, expected);
    finish(&mut project);
    let own = project.json(&format!("{}/finding.json", project.store.findings()[0].input));
    assert_eq!(own["tests"].as_array().unwrap().len(), 3);
    let properties = &project.json("report.sarif")["runs"][0]["results"][0]["properties"];
    assert_eq!(properties["tests"], own["tests"]);
    assert!(project.shown(false).contains("2 more tests show it, up to distance 1"), "{}", project.shown(false));
}

#[test]
fn the_depth_of_a_finding_is_the_least_of_all_tests() {
    let mut project = Project::new();
    let input = project.input("-c3-5,8-", b"some text\n");
    let checked = project.checked(&input);
    project.store.found(&checked, &input, b"").unwrap();
    for (depth, test) in [(Some(7), "0001-cut"), (Some(2), "0002-cut"), (None, "0004-cut")] {
        let near = Near { distance: checked.distance, depth, test: test.to_owned() };
        project.store.note(&checked.finding, near);
    }
    let entry = &project.store.findings()[0];
    assert_eq!((entry.seed.as_str(), entry.depth, entry.depth_is_known), ("0003-cut", 2, true));
    let shown = project.shown(false);
    for said in ["(distance 1, depth 4)", "3 more tests show it, up to distance 1; 0002-cut has depth 2"] {
        assert!(shown.contains(said), "{shown}");
    }
}

#[test]
fn what_the_sanitizers_show_is_not_suspected_any_more() {
    let mut project = Project::new();
    let input = project.input("-c3-5,8-", b"some text\n");
    let checked = project.checked(&input);
    let elsewhere = Finding { kind: "wild-access".to_owned(), column: Some(5), ..checked.finding.clone() }
        .anchored(&SourceTexts::default());
    let suspected = Checked { finding: elsewhere, confirmed: false, ..checked.clone() };
    for checked in [&suspected, &checked, &suspected] {
        project.store.found(checked, &input, b"").unwrap();
    }
    let [entry] = project.store.findings() else { panic!("{:?}", project.store.findings()) };
    assert!(entry.confirmed);
    assert_eq!(fs::read_dir(project.store.directory().join("unconfirmed")).unwrap().count(), 0);
}

#[test]
fn seeds_are_tests_of_their_program() {
    let mut project = project();
    finish(&mut project);
    let junit = fs::read_to_string(project.store.directory().join("junit.xml")).unwrap();
    insta::assert_snapshot!(project.same_everywhere(junit));
}

#[test]
fn numbers_can_be_read_back() {
    let mut project = project();
    finish(&mut project);
    let stats: CheckStats = serde_json::from_value(project.json("stats.json")).unwrap();
    assert_eq!((stats.version, stats.command.join(" ")), (1, "make check".to_owned()));
    assert_eq!(stats.seeds.skipped[0].seed, "0002-cut");

    // What becomes known after the end is said too.
    let command = vec!["ninja".to_owned(), "test".to_owned()];
    project.store.checkpoint(&CheckStats { command, ..stats }).unwrap();
    let invocation = &project.json("report.sarif")["runs"][0]["invocations"][0];
    assert_eq!(invocation["commandLine"], "byway check -- ninja test");
}

#[test]
fn an_output_that_was_there_is_kept() {
    let project = project();
    let out: PathBuf = project.store.directory().to_owned();
    let directory = project.directory;
    drop(project.store);
    let store = CheckStore::create(&out, directory.path()).unwrap();
    assert!(store.findings().is_empty());
    assert_eq!(fs::read_dir(directory.path().join("byway.out.old/findings")).unwrap().count(), 2);
}

#[test]
fn seeds_that_are_checked_again_stay() {
    let project = Project::new();
    let (out, seeds) = (project.store.directory().to_owned(), project.store.seeds());
    fs::create_dir(&seeds).unwrap();
    fs::write(seeds.join("suite.json"), "{}").unwrap();
    drop(project.store);
    let store = CheckStore::create_again(&out, project.directory.path()).unwrap();
    assert_eq!(fs::read_to_string(store.seeds().join("suite.json")).unwrap(), "{}");
    assert!(!project.directory.path().join("byway.out.old/seeds").exists());
}

mod sarif {
    use super::*;

    fn report() -> (Project, Value) {
        let mut project = project();
        finish(&mut project);
        let report = project.json("report.sarif");
        (project, report)
    }

    /// All objects in a value that have this member.
    fn with<'a>(value: &'a Value, member: &str) -> Vec<&'a Value> {
        let mut found: Vec<&Value> = value.get(member).into_iter().collect();
        match value {
            Value::Object(members) => members.values().for_each(|value| found.extend(with(value, member))),
            Value::Array(values) => values.iter().for_each(|value| found.extend(with(value, member))),
            _ => {}
        }
        found
    }

    fn has_text(message: &Value) -> bool {
        message["text"].as_str().is_some_and(|text| !text.is_empty())
    }

    #[test]
    fn it_has_what_the_standard_requires() {
        let (_project, report) = report();
        assert_eq!(report["version"], "2.1.0");
        let run = &report["runs"][0];
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "byway");
        let rules = driver["rules"].as_array().unwrap();
        let invocation = &run["invocations"][0];
        assert_eq!(
            (&invocation["executionSuccessful"], &invocation["commandLine"]),
            (&true.into(), &"byway check -- make check".into())
        );
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        for result in results {
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(["error", "note"].contains(&result["level"].as_str().unwrap()));
        }
        let messages = with(&report, "message");
        assert!(messages.len() > 5 && messages.into_iter().all(has_text));
        for number in ["startLine", "startColumn"].iter().flat_map(|member| with(&report, member)) {
            assert!(number.as_u64().unwrap() >= 1);
        }
        for flow in with(&report, "threadFlows") {
            assert!(flow[0]["locations"].as_array().is_some_and(|locations| locations.len() > 1));
        }
        for stack in with(&report, "stacks") {
            assert!(stack[0]["frames"].as_array().is_some_and(|frames| !frames.is_empty()));
        }
    }

    #[test]
    fn it_has_what_code_scanning_shows() {
        let (_project, report) = report();
        let run = &report["runs"][0];
        for rule in run["tool"]["driver"]["rules"].as_array().unwrap() {
            let texts = ["shortDescription", "fullDescription", "help"];
            assert!(texts.iter().all(|member| has_text(&rule[member])), "{rule}");
            let severity: f64 = rule["properties"]["security-severity"].as_str().unwrap().parse().unwrap();
            assert!((0.0..=10.0).contains(&severity));
        }
        let result = &run["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"], serde_json::json!({ "uri": "src/cut.c", "uriBaseId": "SRCROOT" }));
        assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&7.into(), &2.into()));
        assert_eq!(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 4);
        let elsewhere = &run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(elsewhere, &serde_json::json!({ "uri": "file:///usr/src/lib/number.c" }));
        assert!(run["originalUriBaseIds"]["SRCROOT"]["uri"].as_str().unwrap().ends_with('/'));
    }

    #[test]
    fn a_fingerprint_outlives_lines_that_move() {
        let print = |report: &Value| report["runs"][0]["results"][0]["partialFingerprints"]["bywayFinding/v1"].clone();
        let mut project = project();
        finish(&mut project);
        let before = print(&project.json("report.sarif"));

        let mut later = Project::new();
        fs::write(later.directory.path().join("src/cut.c"), "\n".to_owned() + SOURCE).unwrap();
        let input = later.input("-c3-5,9-", b"");
        let finding = Finding { line: Some(8), ..later.finding() };
        let checked = Checked { finding, ..later.checked(&input) };
        later.store.found(&checked, &input, b"").unwrap();
        finish(&mut later);
        assert_eq!(print(&later.json("report.sarif")), before);
    }

    /// `BYWAY_SARIF_SCHEMA` names the standard's own `sarif-schema-2.1.0.json`; Python's `jsonschema` is asked.
    #[test]
    #[ignore = "needs the schema, which is not ours to copy"]
    fn it_is_valid_by_the_schema() {
        let schema = std::env::var_os("BYWAY_SARIF_SCHEMA").expect("BYWAY_SARIF_SCHEMA names the schema");
        let (project, _) = report();
        let program = "import json, sys, jsonschema\n\
            load = lambda path: json.load(open(path))\n\
            jsonschema.validate(load(sys.argv[2]), load(sys.argv[1]), format_checker=jsonschema.FormatChecker())";
        let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
        let mut python = std::process::Command::new(python);
        let report = project.store.directory().join("report.sarif");
        assert!(python.args(["-c", program]).arg(schema).arg(report).status().unwrap().success());
    }
}

#[test]
fn what_differs_is_counted_in_bytes() {
    let project = Project::new();
    let checked = project.checked(&project.input("-c3-5,8-", b"some Text\0"));
    assert_eq!(checked.changed.iter().map(InputChange::bytes).collect::<Vec<usize>>(), [1, 1, 1]);
}
