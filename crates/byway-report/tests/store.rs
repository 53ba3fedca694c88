//! What is written to an output directory can be read, resumed, and is never lost by accident.

mod common;

use std::fs;
use std::os::unix::fs::DirEntryExt;
use std::path::{Path, PathBuf};

use byway_input::{ConcreteInput, InputFile};
use byway_report::{Discovery, ExploreStats, FindingRef, Line, ReportError, Seen, Test, TestStore};
use proptest::prelude::*;
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("byway.out");
    (directory, out)
}

fn discover(store: &mut TestStore, number: u32, test: &Test, function: &str, confirmed: bool) -> Seen {
    let finding = common::finding(function);
    let report = b"==1==ERROR: AddressSanitizer: heap-buffer-overflow";
    store.found(Discovery { finding: &finding, report, number, test, confirmed, changed: &[] }).unwrap()
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_test_comes_back_as_it_was(mut input in common::input(), odd in common::path()) {
        // Names that collide, and places that are not below the working directory.
        input.files.insert(Path::new("/").join(&odd), InputFile::from(vec![1]));
        input.files.insert(Path::new("..").join(&odd), InputFile::from(vec![2]));
        input.files.insert(Path::new("./a").join(&odd), InputFile::from(vec![3]));
        input.files.insert("a".into(), InputFile::from(vec![4]));
        input.files.insert("files".into(), InputFile::from(vec![5]));
        input.files.insert("".into(), InputFile::from(vec![6]));
        let (_directory, out) = place();
        let tests = [common::test(input), common::test(ConcreteInput::default())];
        let mut store = TestStore::create(&out).unwrap();
        for test in &tests {
            store.keep(test).unwrap();
        }
        drop(store);
        let (_, resumed) = TestStore::resume(&out).unwrap();
        let read: Vec<Test> = resumed.tests.into_iter().map(|stored| stored.test).collect();
        prop_assert_eq!(&read[..], &tests[..]);
    }
}

#[test]
fn one_defect_is_one_finding() {
    let (_directory, out) = place();
    let mut store = TestStore::create(&out).unwrap();
    let test =
        Test { findings: vec![FindingRef::from(&common::finding("parse"))], ..common::test(ConcreteInput::default()) };
    let number = store.keep(&test).unwrap();
    assert_eq!(discover(&mut store, number, &test, "parse", true), Seen::First);
    assert_eq!(discover(&mut store, number, &test, "parse", true), Seen::Again);
    assert_eq!(discover(&mut store, number, &test, "print", false), Seen::First);
    store.checkpoint(&ExploreStats::default()).unwrap();

    let findings = json(&out.join("findings.json"));
    assert_eq!(findings.as_array().unwrap().len(), 2);
    let first = &findings[0];
    assert_eq!(
        (&first["count"], &first["confirmed"], &first["input"]),
        (&2.into(), &true.into(), &"tests/0001".into())
    );
    for field in ["id", "kind", "file", "line", "function", "message", "stack", "changed", "first_seen"] {
        assert!(!first[field].is_null(), "{field}");
    }
    let copy = out.join("findings").join(first["id"].as_str().unwrap());
    for name in ["report.txt", "finding.json", "test.json", "run.sh"] {
        assert!(copy.join(name).exists(), "{name}");
    }
}

#[test]
fn a_finding_becomes_what_confirms_it() {
    let (_directory, out) = place();
    let mut store = TestStore::create(&out).unwrap();
    let test = common::test(ConcreteInput::default());
    for confirmed in [false, true] {
        let number = store.keep(&test).unwrap();
        discover(&mut store, number, &test, "parse", confirmed);
    }
    drop(store);
    let (_, resumed) = TestStore::resume(&out).unwrap();
    let [entry] = &resumed.findings[..] else { panic!("{:?}", resumed.findings) };
    assert_eq!((entry.confirmed, entry.count, entry.input.as_str()), (true, 2, "tests/0002"));
}

#[test]
fn numbers_and_statistics_go_on_where_they_were() {
    let (_directory, out) = place();
    let mut store = TestStore::create(&out).unwrap();
    let test = common::test(ConcreteInput::default());
    assert_eq!((store.keep(&test).unwrap(), store.keep(&test).unwrap()), (1, 2));
    let stats = ExploreStats { runs: 17, strategy: "dfs".to_owned(), ..ExploreStats::default() };
    store.checkpoint(&stats).unwrap();
    drop(store);
    let (mut store, resumed) = TestStore::resume(&out).unwrap();
    assert_eq!(resumed.stats, Some(stats));
    assert!(matches!(resumed.journal[..], [Line::Begin { .. }, Line::Test { .. }, Line::Test { .. }, Line::Stats(_)]));
    assert_eq!(store.keep(&test).unwrap(), 3);
}

#[test]
fn a_previous_output_is_kept_once() {
    let (directory, out) = place();
    for number in 1..4 {
        let mut store = TestStore::create(&out).unwrap();
        for _ in 0..number {
            store.keep(&common::test(ConcreteInput::default())).unwrap();
        }
    }
    let count = |name: &str| fs::read_dir(directory.path().join(name).join("tests")).unwrap().count();
    assert_eq!((count("byway.out"), count("byway.out.old")), (3, 2));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn other_peoples_directories_are_refused() {
    let (directory, out) = place();
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.tex"), "").unwrap();
    assert!(matches!(TestStore::create(&out), Err(ReportError::Foreign { .. })));
    assert!(matches!(TestStore::resume(&out), Err(ReportError::Foreign { .. })));
    assert!(matches!(TestStore::create(&out.join("thesis.tex")), Err(ReportError::NotDirectory { .. })));

    let out = directory.path().join("ours");
    drop(TestStore::create(&out).unwrap());
    fs::create_dir(directory.path().join("ours.old")).unwrap();
    fs::write(directory.path().join("ours.old/thesis.tex"), "").unwrap();
    assert!(matches!(TestStore::create(&out), Err(ReportError::Foreign { .. })));
    assert!(out.join("byway.json").exists());
}

#[test]
fn only_one_byway_writes_to_a_directory() {
    let (_directory, out) = place();
    let store = TestStore::create(&out).unwrap();
    assert!(matches!(TestStore::create(&out), Err(ReportError::InUse { .. })));
    assert!(matches!(TestStore::resume(&out), Err(ReportError::InUse { .. })));
    drop(store);
    TestStore::resume(&out).unwrap();
}

#[test]
fn another_version_is_refused_with_advice() {
    let (_directory, out) = place();
    let mut store = TestStore::create(&out).unwrap();
    store.keep(&common::test(ConcreteInput::default())).unwrap();
    drop(store);
    for name in ["tests/0001/test.json", "byway.json"] {
        let path = out.join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\"version\": 2", "\"version\": 3")).unwrap();
        let error = TestStore::resume(&out).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("has version 3, this byway reads version 2"), "{error}");
    }
}

#[test]
fn half_a_line_of_the_journal_is_forgotten() {
    let (_directory, out) = place();
    drop(TestStore::create(&out).unwrap());
    let journal = out.join("journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, format!("{whole}{{\"event\":\"te")).unwrap();
    let (store, resumed) = TestStore::resume(&out).unwrap();
    assert_eq!(resumed.journal.len(), 1);
    drop(store);
    assert_eq!(TestStore::resume(&out).unwrap().1.journal.len(), 2);
}

#[test]
fn keeping_a_test_rewrites_nothing_that_was_kept() {
    let (_directory, out) = place();
    let mut store = TestStore::create(&out).unwrap();
    let files = common::files(vec![("A", vec![0; 8]), ("B", vec![0; 8])]);
    let test = common::test(ConcreteInput {
        arguments: vec![b"-c".to_vec()],
        stdin: Some(vec![0; 8]),
        files,
        ..ConcreteInput::default()
    });
    // Who rewrites a file makes a new one and gives it the old one's name.
    let state = || -> Vec<(PathBuf, u64)> {
        let entries = fs::read_dir(&out).unwrap().chain(fs::read_dir(out.join("tests")).unwrap());
        let mut entries: Vec<_> = entries.map(|entry| entry.unwrap()).map(|it| (it.path(), it.ino())).collect();
        entries.sort();
        entries
    };
    store.keep(&test).unwrap();
    let mut before = state();
    for _ in 0..100 {
        store.keep(&test).unwrap();
        let after = state();
        assert!(before.iter().all(|entry| after.contains(entry)), "{before:?}, then {after:?}");
        assert_eq!(after.len(), before.len() + 1);
        before = after;
    }
}

#[test]
fn a_test_that_cannot_be_written_leaves_nothing() {
    let (_directory, out) = place();
    let mut store = TestStore::create(&out).unwrap();
    fs::remove_dir(out.join("tests")).unwrap();
    assert!(matches!(store.keep(&common::test(ConcreteInput::default())), Err(ReportError::Io { .. })));
    fs::create_dir(out.join("tests")).unwrap();
    assert_eq!(store.keep(&common::test(ConcreteInput::default())).unwrap(), 1);
}
