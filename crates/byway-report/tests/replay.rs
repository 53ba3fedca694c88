//! Tests and findings are found from any of their directories, and say whether they still hold.

mod common;

use std::path::{Path, PathBuf};

use byway_input::ConcreteInput;
use byway_report::{
    Build, Discovery, Ending, Expected, FindingRef, ReportError, SourceTexts, Test, TestStore, Verdict, replay, verdict,
};

const REPORT: &[u8] = b"==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2\n\
    READ of size 1 at 0x1 thread T0\n    #0 0x2 in parse cut.c:3:1\n\n\
    SUMMARY: AddressSanitizer: heap-buffer-overflow cut.c:3:1 in parse\n";

fn written(directory: &Path) -> PathBuf {
    let out = directory.join("out");
    let mut store = TestStore::create(&out).unwrap();
    let files = common::files(vec![("a", vec![1]), ("/b", vec![2])]);
    let input = ConcreteInput {
        arguments: vec![vec![0xff]],
        files,
        objects: vec![("o".to_owned(), vec![3])],
        ..ConcreteInput::default()
    };
    let finding = common::finding("parse");
    let test = Test { findings: vec![FindingRef::from(&finding)], ..common::test(input) };
    let number = store.keep(&test).unwrap();
    store
        .found(Discovery { finding: &finding, report: REPORT, number, test: &test, confirmed: true, changed: &[] })
        .unwrap();
    store.keep(&common::test(ConcreteInput { stdin: Some(vec![4]), ..ConcreteInput::default() })).unwrap();
    out
}

#[test]
fn every_directory_of_an_output_can_be_replayed() {
    let directory = tempfile::tempdir().unwrap();
    let out = written(directory.path());
    let id = common::finding("parse").id();
    let count = |part: &str| replay(&out.join(part)).map(|replays| replays.len()).unwrap();
    assert_eq!((count(""), count("tests"), count("tests/0002")), (2, 2, 1));
    assert_eq!((count("findings"), count(&format!("findings/{id}"))), (1, 1));
    for nothing in ["nothing", "byway.json", "tests/0001/files"] {
        assert!(matches!(replay(&out.join(nothing)), Err(ReportError::NoTests { .. })), "{nothing}");
    }
}

#[test]
fn a_finding_can_be_replayed_without_its_test() {
    let directory = tempfile::tempdir().unwrap();
    let out = written(directory.path());
    std::fs::remove_dir_all(out.join("tests/0001")).unwrap();
    assert_eq!(replay(&out).unwrap().len(), 2);
}

#[test]
fn a_replay_has_all_that_a_run_needs() {
    let directory = tempfile::tempdir().unwrap();
    let out = written(directory.path());
    let replays = replay(&out).unwrap();
    let read = |path: &Path| std::fs::read(path).unwrap();
    assert_eq!(replays[0].program, Path::new("/usr/bin/cut"));
    assert_eq!(replays[0].arguments[0].as_encoded_bytes(), [0xff]);
    let files: Vec<_> = replays[0].files.iter().map(|file| (file.path.to_str().unwrap(), read(&file.stored))).collect();
    assert_eq!(files, [("/b", vec![2]), ("a", vec![1])]);
    assert_eq!((&replays[0].objects, &replays[0].stdin), (&vec![("o".to_owned(), vec![3])], &None));
    let input = replays[0].input(Path::new("/root"), &vec![("HOME".into(), "/me".into())]).unwrap();
    let files: Vec<_> =
        input.files.iter().map(|(path, file)| (path.to_str().unwrap(), file.content.to_vec())).collect();
    assert_eq!(files, [("/b", vec![2]), ("a", vec![1])]);
    assert_eq!((input.arguments, input.objects), (vec![vec![0xff]], replays[0].objects.clone()));
    assert_eq!(input.fixture.environment, [("HOME".into(), "/me".into())]);
    assert_eq!(read(replays[1].stdin.as_ref().unwrap()), [4]);
}

fn judged(findings: bool, build: Build, stderr: &[u8], ending: Ending) -> Verdict {
    let known = FindingRef::from(&common::finding("parse"));
    let findings = if findings { vec![known] } else { Vec::new() };
    verdict(&Expected { ending: Ending::Exited(0), findings }, (build, &SourceTexts::default()), "cut", stderr, ending)
}

fn differs(why: &str) -> Verdict {
    Verdict::Differs(why.to_owned())
}

#[test]
fn a_finding_holds_if_it_is_seen_again() {
    assert_eq!(judged(true, Build::Sanitized, REPORT, Ending::Exited(1)), Verdict::Holds);
    let gone = judged(true, Build::Sanitized, b"", Ending::Exited(0));
    assert_eq!(gone, differs("no heap-buffer-overflow any more: exit code 0"));
    let other = judged(true, Build::Sanitized, b"", Ending::TimedOut);
    assert_eq!(other, differs("no heap-buffer-overflow any more: hang at cut"));
}

#[test]
fn without_sanitizers_the_ending_counts() {
    assert_eq!(judged(true, Build::Plain, b"", Ending::Exited(0)), Verdict::Holds);
    let crash = judged(false, Build::Plain, b"", Ending::Signal(11));
    assert_eq!(crash, differs("signal SIGSEGV instead of exit code 0"));
}

#[test]
fn a_test_that_now_fails_differs() {
    assert_eq!(judged(false, Build::Sanitized, b"", Ending::Exited(0)), Verdict::Holds);
    let new = judged(false, Build::Sanitized, REPORT, Ending::Exited(1));
    assert_eq!(new, differs("new: heap-buffer-overflow at cut.c:3:1 in parse"));
}
