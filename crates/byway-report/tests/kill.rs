//! Killed at any moment, the output directory can be read and resumed.

mod common;

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use byway_input::{ConcreteInput, Fixture};
use byway_report::{
    CheckEntry, CheckStats, CheckStore, Checked, Discovery, Ending, ExploreStats, Resumed, Test, TestStore, replay,
};

const DIRECTORY: &str = "BYWAY_TEST_DIRECTORY";

/// The test that gets this number.
fn numbered(number: u32) -> Test {
    let content = number.to_string().into_bytes();
    let files = common::files(vec![("a/b", content.clone()), ("/c", content.clone())]);
    let input =
        ConcreteInput { arguments: vec![content.clone()], stdin: Some(content), files, ..ConcreteInput::default() };
    Test { seconds: f64::from(number), ..common::test(input) }
}

#[test]
#[ignore = "the process that is killed"]
fn write_without_end() {
    let Some(directory) = env::var_os(DIRECTORY) else { return };
    let (mut store, resumed) = TestStore::resume(Path::new(&directory)).unwrap();
    for number in resumed.tests.len() as u32 + 1.. {
        let test = numbered(number);
        assert_eq!(store.keep(&test).unwrap(), number);
        let finding = common::finding(&format!("function{}", number / 10));
        let confirmed = number % 10 > 5;
        store
            .found(Discovery { finding: &finding, report: b"", number, test: &test, confirmed, changed: &[] })
            .unwrap();
        store.checkpoint(&ExploreStats { runs: u64::from(number), ..ExploreStats::default() }).unwrap();
    }
}

fn check(resumed: &Resumed) {
    for (index, stored) in resumed.tests.iter().enumerate() {
        assert_eq!(stored.number as usize, index + 1);
        assert_eq!(stored.test, numbered(stored.number));
    }
    // What was killed between a test and its statistics, or its finding, has one less of those.
    let runs = resumed.stats.as_ref().map_or(0, |stats| stats.runs) as usize;
    assert!(runs <= resumed.tests.len(), "{runs} of {}", resumed.tests.len());
    assert!(resumed.findings.len() >= runs / 10, "{} of {runs}", resumed.findings.len());
    for entry in &resumed.findings {
        assert!(resumed.tests.iter().any(|stored| stored.directory.ends_with(&entry.input)), "{}", entry.input);
    }
}

#[test]
fn killed_at_any_moment_it_can_be_read_and_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("byway.out");
    drop(TestStore::create(&out).unwrap());
    let mut kept = 0;
    for round in 0..20_u64 {
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "write_without_end", "--ignored"]).env(DIRECTORY, &out);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(2_000 + round * 17_919 % 90_000));
        child.kill().unwrap();
        child.wait().unwrap();

        let (store, resumed) = TestStore::resume(&out).unwrap();
        check(&resumed);
        assert!(resumed.tests.len() >= kept);
        kept = resumed.tests.len();
        drop(store);
        assert_eq!(replay(&out).map_or(0, |replays| replays.len()), kept);
    }
    assert!(kept > 0, "no process lived long enough to write a test");
}

/// What the finding with this number is found with.
fn found(number: u32) -> (Checked, ConcreteInput) {
    let directory = Some("/nowhere/tests".into());
    let fixture = Fixture { name: Some("true".into()), directory, ..Fixture::default() };
    let input = ConcreteInput {
        fixture: fixture.into(),
        arguments: vec![number.to_string().into_bytes()],
        files: common::files(vec![("/nowhere/data", vec![0; 99])]),
        ..ConcreteInput::default()
    };
    let checked = Checked {
        finding: common::finding(&format!("function{}", number / 4)),
        program: "/bin/true".into(),
        seed: "0001-true".to_owned(),
        origin: None,
        seed_arguments: Vec::new(),
        // Every other one is better than the one before.
        distance: 9 - number % 4,
        depth: 0,
        depth_is_known: true,
        confirmed: number % 4 > 1,
        why: None,
        ending: Ending::Exited(0),
        changed: Vec::new(),
        check: "index".to_owned(),
        site: None,
        seconds: 0.0,
    };
    (checked, input)
}

#[test]
#[ignore = "the process that is killed"]
fn find_without_end() {
    let Some(directory) = env::var_os(DIRECTORY) else { return };
    let mut store = CheckStore::create(Path::new(&directory), Path::new("/nowhere")).unwrap();
    for number in 0.. {
        let (checked, input) = found(number);
        store.found(&checked, &input, b"").unwrap();
        store.checkpoint(&CheckStats { runs: number.into(), ..CheckStats::default() }).unwrap();
    }
}

#[test]
fn killed_at_any_moment_what_a_check_found_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("byway.out");
    let mut most = 0;
    for round in 0..10_u64 {
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "find_without_end", "--ignored"]).env(DIRECTORY, &out);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(20_000 + round * 17_919 % 90_000));
        child.kill().unwrap();
        child.wait().unwrap();

        let Ok(json) = std::fs::read(out.join("findings.json")) else { continue };
        let entries: Vec<CheckEntry> = serde_json::from_slice(&json).unwrap();
        for entry in &entries {
            // What became confirmed since the list was written has moved.
            let confirmed = out.join("findings").join(&entry.id);
            assert!(replay(&out.join(&entry.input)).or_else(|_| replay(&confirmed)).is_ok(), "{}", entry.input);
        }
        most = most.max(entries.len());
    }
    assert!(most > 0, "no process lived long enough to find anything");
}
