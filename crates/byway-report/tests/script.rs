//! `run.sh` gives a program exactly the input of the test.

mod common;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use byway_input::{ConcreteInput, InputFile};
use byway_report::{Test, TestStore};
use proptest::prelude::*;
use tempfile::TempDir;

/// `print_input`, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let compiled = PROGRAM.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("print input");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/print_input.c");
        assert!(Command::new("clang-19").arg("-o").arg(&program).arg(source).status().unwrap().success());
        (directory, program)
    });
    &compiled.1
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What `print_input` prints of an input, sorted.
fn expected(test: &Test) -> Vec<String> {
    let mut lines: Vec<String> = test.input.arguments.iter().map(|bytes| format!("argument {}", hex(bytes))).collect();
    lines.push(format!("stdin {}", hex(test.input.stdin.as_deref().unwrap_or_default())));
    lines.extend(test.ktest.iter().map(|bytes| format!("ktest {}", hex(bytes))));
    let file = |(path, file): (&PathBuf, &InputFile)| {
        format!("file {} {}", hex(path.as_os_str().as_bytes()), hex(&file.content))
    };
    lines.extend(test.input.files.iter().map(file));
    lines.sort();
    lines
}

fn sorted(output: &Output) -> Vec<String> {
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Runs the script of a test with every shell there is.
fn run(test: &Test, arguments: &[&Path]) -> Vec<Output> {
    let directory = tempfile::tempdir().unwrap();
    let mut store = TestStore::create(&directory.path().join("it's out")).unwrap();
    let number = store.keep(test).unwrap();
    let script = store.directory().join(format!("tests/{number:04}/run.sh"));
    let with = |shell: &str| Command::new(shell).arg(&script).args(arguments).output().ok();
    let outputs: Vec<Output> = ["sh", "bash"].into_iter().filter_map(with).collect();
    assert!(!outputs.is_empty());
    outputs
}

/// Files of which one is a directory of the other, or the same, cannot all be placed.
fn can_be_placed(input: &ConcreteInput) -> bool {
    let paths: Vec<&PathBuf> = input.files.iter().map(|(path, _)| path).collect();
    let collides = |path: &PathBuf, other: &PathBuf| path.starts_with(other);
    !paths
        .iter()
        .enumerate()
        .any(|(i, path)| paths.iter().enumerate().any(|(j, other)| i != j && collides(path, other)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_program_gets_the_input_byte_by_byte(
        input in common::input().prop_filter("place for all files", can_be_placed),
        ktest in prop::option::of(prop::collection::vec(any::<u8>(), 0..9)),
    ) {
        let test = Test { program: program().to_owned(), ktest, ..common::test(input) };
        for output in run(&test, &[]) {
            prop_assert_eq!(sorted(&output), expected(&test));
            prop_assert_eq!(output.status.code(), Some(42));
            prop_assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn bytes_that_are_no_letters_arrive_in_every_encoding() {
    let arguments = [b"\xc2\\".as_slice(), b"\xff\n\n", b"\n", b"-\xe2\x82.", b"\xc2'\n"].map(<[u8]>::to_vec).to_vec();
    let test =
        Test { program: program().to_owned(), ..common::test(ConcreteInput { arguments, ..ConcreteInput::default() }) };
    for output in run(&test, &[]) {
        assert_eq!(sorted(&output), expected(&test));
    }
}

#[test]
fn any_build_of_the_program_can_be_given() {
    let test = common::test(ConcreteInput { arguments: vec![b"-n\n".to_vec()], ..ConcreteInput::default() });
    for output in run(&test, &[program()]) {
        assert_eq!(sorted(&output), expected(&test));
    }
}

#[test]
fn files_elsewhere_are_named_and_not_written() {
    let files = common::files(vec![("/nowhere/it's", b"x".to_vec()), ("../up", b"y".to_vec())]);
    let test = common::test(ConcreteInput { files, ..ConcreteInput::default() });
    for output in run(&test, &[program()]) {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("\"/nowhere/it's\"") && said.contains("outside/1"), "{said}");
        assert_eq!(sorted(&output), ["stdin "]);
    }
}

#[test]
fn a_program_that_locks_itself_out_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().unwrap();
    let arguments = vec![b"-c".to_vec(), b"mkdir a && touch a/b && chmod 0 a".to_vec()];
    let test =
        Test { program: "/bin/sh".into(), ..common::test(ConcreteInput { arguments, ..ConcreteInput::default() }) };
    let directory = tempfile::tempdir().unwrap();
    let mut store = TestStore::create(&directory.path().join("out")).unwrap();
    store.keep(&test).unwrap();
    let script = store.directory().join("tests/0001/run.sh");
    assert!(Command::new(script).env("TMPDIR", scratch.path()).status().unwrap().success());
    assert_eq!(scratch.path().read_dir().unwrap().count(), 0);
}
