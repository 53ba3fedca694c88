//! Whatever is in an output directory, reading it ends, with an error or with tests and lines of a journal.

mod common;

use std::fs;
use std::path::Path;

use byway_damage::{Damage, Meter, Random, Read, change_text};
use byway_input::ConcreteInput;
use byway_report::{Discovery, ExploreStats, Journal, Line, StoredFixture, Test, TestStore, read_journal, read_test};

#[global_allocator]
static METER: Meter = Meter;

fn input() -> ConcreteInput {
    ConcreteInput {
        arguments: vec![b"-d".to_vec(), b"\xff '".to_vec()],
        stdin: Some(b"text".to_vec()),
        files: [("a", vec![1]), ("dir/b", vec![2; 30]), ("/etc/c", vec![3])]
            .into_iter()
            .map(|(path, content)| (path.into(), content.into()))
            .collect(),
        objects: vec![("object".to_owned(), vec![0, 1])],
        ..ConcreteInput::default()
    }
}

fn fixture() -> StoredFixture {
    StoredFixture {
        name: "cut".into(),
        directory: "/work/dir".into(),
        variables: vec![("HOME".into(), Some("/".into())), ("TMPDIR".into(), None)],
        directories: vec!["/work/dir/empty".into()],
        links: vec![("/work/dir/link".into(), "a".into())],
        ..StoredFixture::default()
    }
}

/// An output directory with two tests, a finding, and a journal.
fn create(out: &Path) {
    let tests = [common::test(input()), Test { fixture: Some(fixture()), ..common::test(input()) }];
    let mut store = TestStore::create(out).unwrap();
    let finding = common::finding("parse");
    for test in &tests {
        let number = store.keep(test).unwrap();
        let report = b"==1==ERROR: AddressSanitizer: heap-buffer-overflow";
        store.found(Discovery { finding: &finding, report, number, test, confirmed: true, changed: &[] }).unwrap();
    }
    store.checkpoint(&ExploreStats::default()).unwrap();
}

/// Files with the number of their place before them.
fn numbered(places: &[std::path::PathBuf]) -> Vec<Vec<u8>> {
    let read = |(number, place): (u8, _)| [&[number][..], &fs::read(place).unwrap()].concat();
    (0..).zip(places).map(read).collect()
}

/// Changes all but the number.
fn change(random: &mut Random, file: &mut Vec<u8>, other: &[u8]) {
    let mut text = file.split_off(1);
    change_text(random, &mut text, &other[1..]);
    file.extend(text);
}

#[test]
fn a_damaged_test_is_refused_or_harmless() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("byway.out");
    create(&out);
    let places = ["0001", "0002"].map(|test| out.join("tests").join(test).join("test.json"));
    let damage = Damage { name: "tests", files: numbered(&places), change: &change, cases: 500, ..Damage::default() };
    damage.read(|file| {
        let place = &places[usize::from(file[0])];
        fs::write(place, &file[1..]).unwrap();
        let test = read_test(place.parent().unwrap());
        Read::from(&test)
    });
}

#[test]
fn a_damaged_output_directory_is_resumed_or_refused() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("byway.out");
    create(&out);
    let finding = fs::read_dir(out.join("findings")).unwrap().next().unwrap().unwrap().path();
    let names = ["tests/0001/test.json", "findings.json", "stats.json", "journal.jsonl", "byway.json"];
    let mut places: Vec<_> = names.iter().map(|name| out.join(name)).collect();
    places.push(finding.join("finding.json"));
    let files = numbered(&places);
    let memory = 4 << 20;
    let damage =
        Damage { name: "output directories", files: files.clone(), change: &change, cases: 100, memory, factor: 64 };
    damage.read(|file| {
        for (place, valid) in places.iter().zip(&files) {
            fs::write(place, &valid[1..]).unwrap();
        }
        fs::write(&places[usize::from(file[0])], &file[1..]).unwrap();
        let resumed = TestStore::resume(&out);
        if let Ok((mut store, _)) = resumed {
            store.keep(&common::test(input())).unwrap();
            fs::remove_dir_all(out.join("tests").join(format!("{:04}", store.kept()))).unwrap();
            return Read::Accepted;
        }
        Read::Refused
    });
}

#[test]
fn a_damaged_journal_is_refused_or_harmless() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("byway.out");
    create(&out);
    let place = out.join("journal.jsonl");
    let damage = Damage {
        name: "journals",
        files: vec![fs::read(&place).unwrap()],
        change: &change_text,
        cases: 500,
        ..Damage::default()
    };
    damage.read(|file| {
        fs::write(&place, file).unwrap();
        let lines = read_journal::<Line>(&place);
        let opened = Journal::open(&place);
        if lines.is_ok() {
            opened.unwrap().add(&Line::Begin { version: 1, next: 1 }).unwrap();
        }
        Read::from(&lines)
    });
}
