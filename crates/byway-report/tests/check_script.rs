//! `run.sh` of a finding of a check sets up elsewhere what the suite had.

mod common;

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, OnceLock};

use byway_input::{ConcreteInput, Fixture, InputFile};
use byway_report::{CheckStore, Checked, Ending, Finding};
use proptest::prelude::*;
use tempfile::TempDir;

/// `print_scene`, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let compiled = PROGRAM.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("print scene");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/print_scene.c");
        assert!(Command::new("clang-19").arg("-o").arg(&program).arg(source).status().unwrap().success());
        (directory, program)
    });
    &compiled.1
}

/// A finding with this input, and its script.
fn script(directory: &Path, program: &Path, input: &ConcreteInput) -> PathBuf {
    let mut store = CheckStore::create(&directory.join("it's out"), directory).unwrap();
    let checked = Checked {
        finding: Finding { kind: "abort".to_owned(), ..Finding::default() },
        program: program.to_owned(),
        seed: "0001-x".to_owned(),
        origin: None,
        seed_arguments: Vec::new(),
        distance: 0,
        depth: 0,
        depth_is_known: true,
        confirmed: true,
        why: None,
        ending: Ending::Exited(42),
        changed: Vec::new(),
        check: "seed".to_owned(),
        site: None,
        way: Vec::new(),
        seconds: 0.0,
    };
    store.found(&checked, input, b"").unwrap();
    store.directory().join(&store.findings()[0].input).join("run.sh")
}

fn run(input: &ConcreteInput, arguments: &[&Path]) -> Vec<Output> {
    run_of(program(), input, arguments)
}

fn run_of(program: &Path, input: &ConcreteInput, arguments: &[&Path]) -> Vec<Output> {
    let directory = tempfile::tempdir().unwrap();
    let script = script(directory.path(), program, input);
    let with = |shell: &str| {
        let mut command = Command::new(shell);
        command.arg(&script).args(arguments).env("TEST_NOT", "there").env("TMPDIR", directory.path());
        command.output().ok()
    };
    let outputs: Vec<Output> = ["sh", "bash"].into_iter().filter_map(with).collect();
    let is_left = |name: &OsString| name.to_str().is_some_and(|name| name.starts_with("tmp."));
    assert!(!directory.path().read_dir().unwrap().any(|entry| is_left(&entry.unwrap().file_name())));
    outputs
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn lines(output: &Output) -> Vec<String> {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(42));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn base() -> ConcreteInput {
    let directory = Some("/nowhere/project/tests".into());
    let fixture = Fixture { name: Some("./print".into()), directory, ..Fixture::default() };
    ConcreteInput { fixture: fixture.into(), ..ConcreteInput::default() }
}

/// An input with other surroundings.
fn surrounded(mut input: ConcreteInput, change: impl FnOnce(&mut Fixture)) -> ConcreteInput {
    change(Arc::make_mut(&mut input.fixture));
    input
}

fn with_arguments(arguments: &[&str], files: &[(&str, &str)]) -> ConcreteInput {
    let mut input = base();
    input.arguments.extend(arguments.iter().map(|text| text.as_bytes().to_vec()));
    let file = |(path, content): &(&str, &str)| (path.into(), InputFile::from(content.as_bytes().to_vec()));
    input.files = files.iter().map(file).collect();
    input
}

/// What the program finds behind each of its arguments.
fn contents(input: &ConcreteInput) -> Vec<Vec<String>> {
    let content = |line: &String| line.strip_prefix("argument ").map(|rest| rest.split(' ').nth(1).unwrap().to_owned());
    run(input, &[]).iter().map(|output| lines(output).iter().filter_map(content).collect()).collect()
}

#[test]
fn relative_and_absolute_paths_lead_to_the_files() {
    let files = [
        ("/nowhere/project/tests/a", "A"),
        ("/nowhere/project/data/b", "B"),
        ("/nowhere/project/tests/deep/c", "C"),
        ("/nowhere/d", "D"),
    ];
    let arguments =
        ["a", "../data/b", "deep/../deep/c", "../../d", "/nowhere/project/data/b", "/nowhere/d", "/nowhere/e"];
    for contents in contents(&with_arguments(&arguments, &files)) {
        assert_eq!(contents, ["41", "42", "43", "44", "42", "44", "-"]);
    }
}

#[test]
fn files_far_apart_are_all_there() {
    let files = [("/nowhere/project/tests/a", "A"), ("/elsewhere/b c/it's", "B")];
    let arguments = ["a", "/elsewhere/b c/it's", "../../../elsewhere/b c/it's"];
    for contents in contents(&with_arguments(&arguments, &files)) {
        assert_eq!(contents, ["41", "42", "42"]);
    }
}

#[test]
fn links_lead_where_they_led() {
    let files = [("/nowhere/project/tests/link/b", "B")];
    let input = surrounded(with_arguments(&["link/b", "absolute", "empty/../link/b"], &files), |fixture| {
        fixture.links = vec![
            ("/nowhere/project/tests/link".into(), "../data".into()),
            ("/nowhere/project/tests/absolute".into(), "/nowhere/project/data/b".into()),
        ];
        fixture.directories = vec!["/nowhere/project/tests/empty".into()];
    });
    for contents in contents(&input) {
        assert_eq!(contents, ["42", "42", "42"]);
    }
}

#[test]
fn the_program_has_its_name_and_any_build_will_do() {
    for name in ["./print", "print", "/usr/bin/print it's", "lt-print"] {
        let input = surrounded(base(), |fixture| fixture.name = Some(name.into()));
        for output in run_of(Path::new("/gone"), &input, &[program()]) {
            assert_eq!(lines(&output)[0], format!("name {}", hex(name.as_bytes())));
        }
    }
}

/// What the program finds in its environment, of the variables that begin with `TEST_`.
fn variables(input: &ConcreteInput) -> Vec<Vec<String>> {
    let is_variable = |line: &String| line.starts_with(&hex(b"TEST_"));
    run(input, &[]).iter().map(|output| lines(output).into_iter().filter(is_variable).collect()).collect()
}

/// What a harness sets: a path of the tree, something odd, and a name that the script uses itself.
fn of_harness() -> Vec<(OsString, OsString)> {
    let all = [("TEST_DIR", "/nowhere/project/tests/a"), ("TEST_odd", "\n\u{1}'$x\n"), ("here", "/x")];
    all.map(|(name, value)| (name.into(), value.into())).to_vec()
}

#[test]
fn what_the_harness_set_is_set() {
    let environment = std::env::vars_os().chain(of_harness()).collect();
    let input = with_arguments(&[], &[("/nowhere/project/tests/a", "A")]);
    let input = surrounded(input, |fixture| fixture.environment = environment);
    for mut variables in variables(&input) {
        variables.sort();
        // What the user has who runs the script stays.
        assert_eq!(variables.len(), 3);
        assert!(variables[0].starts_with(&hex(b"TEST_DIR=")) && variables[0].ends_with(" 41"));
        assert_eq!(variables[1], hex(b"TEST_NOT=there") + " -");
        assert_eq!(variables[2], hex(b"TEST_odd=\n\x01'$x\n") + " -");
    }
}

#[test]
fn a_harness_that_clears_the_environment_has_it_cleared() {
    let input = with_arguments(&[], &[("/nowhere/project/tests/a", "A")]);
    let input = surrounded(input, |fixture| fixture.environment = of_harness());
    for mut variables in variables(&input) {
        variables.sort();
        assert_eq!(variables.len(), 2);
        assert!(variables[0].starts_with(&hex(b"TEST_DIR=")) && variables[0].ends_with(" 41"));
        assert_eq!(variables[1], hex(b"TEST_odd=\n\x01'$x\n") + " -");
    }
}

#[test]
fn without_a_copy_it_runs_where_the_user_is() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path().canonicalize().unwrap();
    std::fs::write(here.join("a"), "new").unwrap();
    let mut input = with_arguments(&["a"], &[]);
    input.arguments.push(here.join("a").as_os_str().as_bytes().to_vec());
    input.files = common::files(vec![(here.join("a"), b"old".to_vec())]);
    let input = surrounded(input, |fixture| fixture.directory = Some(here.clone()));
    let out = tempfile::tempdir().unwrap();
    let script = script(out.path(), program(), &input);
    let of = |new: &str| Command::new("sh").arg(&script).current_dir(&here).env("BYWAY_HERE", new).output().unwrap();
    for (set, content) in [("1", "6e6577"), ("", "6f6c64")] {
        let found = lines(&of(set)).iter().filter(|line| line.ends_with(content)).count();
        assert_eq!(found, 2, "{set:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_file_is_found_and_any_argument_arrives(
        names in prop::collection::btree_set(common::path(), 1..4)
            .prop_filter("no file is a directory", |names| {
                let all: Vec<&PathBuf> = names.iter().collect();
                !all.iter().any(|one| all.iter().any(|other| one != other && one.starts_with(other)))
            }),
        up in 0..3usize,
        arguments in prop::collection::vec(common::argument(), 0..3),
        stdin in prop::option::of(prop::collection::vec(any::<u8>(), 0..9)),
    ) {
        let mut input = ConcreteInput { stdin, ..base() };
        let place = input.fixture.directory.as_ref().unwrap().ancestors().nth(up).unwrap().to_owned();
        for (index, name) in names.iter().enumerate() {
            input.files.insert(place.join(name), InputFile::from(vec![index as u8]));
            let relative = Path::new(&"../".repeat(up)).join(name);
            input.arguments.push(relative.as_os_str().as_bytes().to_vec());
        }
        input.arguments.extend(arguments.clone());
        for output in run(&input, &[]) {
            let lines = lines(&output);
            prop_assert_eq!(&lines[0], &format!("name {}", hex(b"./print")));
            for (index, argument) in (1..).zip(&input.arguments) {
                let content = if index <= names.len() { hex(&[index as u8 - 1]) } else { "-".to_owned() };
                let line = format!("argument {} {content}", hex(argument));
                // An argument may happen to name a directory or one of the files.
                let expected = if index <= names.len() { lines[index] == line } else {
                    lines[index].starts_with(&format!("argument {} ", hex(argument)))
                };
                prop_assert!(expected, "{} is not {line}", lines[index]);
            }
            let stdin = format!("stdin {}", hex(input.stdin.as_deref().unwrap_or_default()));
            prop_assert_eq!(lines.last(), Some(&stdin));
        }
    }
}
