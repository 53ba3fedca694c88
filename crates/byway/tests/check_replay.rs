//! Findings of a check are replayed with all that surrounded them: here, and where nothing of it is left.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use byway_exec::Judge;
use byway_input::{ConcreteInput, Fixture, InputFile};
use byway_report::{CheckStore, Checked, Ending, changes, findings};

use common::Project;

/// It fails if it has its name, its variable, its files by both of their paths, and its standard input.
const TOOL: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first(FILE *file) {
    if (!file)
        exit(3);
    return fgetc(file);
}

int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[0], "lt-tool") != 0 || !getenv("FACTOR") || getenv("CARGO_MANIFEST_DIR"))
        return 2;
    int index = first(fopen(argv[1], "r")) * first(fopen(argv[2], "r")) * atoi(getenv("FACTOR"));
    char *block = malloc(8);
    block[index] = (char)first(stdin);
    int result = block[index];
    free(block);
    return result;
}
"#;

struct Found {
    project: Project,
    input: ConcreteInput,
}

/// A finding as a check would store it, of a suite that ran below `place`.
fn found(place: Option<&str>) -> Found {
    let project = Project::with(&[("tool.c", TOOL), ("fixed.c", &TOOL.replace("malloc(8)", "malloc(99)"))]);
    project.run("byway-cc -g -O1 tool.c -o tool").ok();
    project.run("byway-cc -g -O1 fixed.c -o fixed").ok();
    let place = place.map_or(project.path("suite"), PathBuf::from);
    // A variable of ours that the suite took away.
    let mut environment: Vec<_> = std::env::vars_os().filter(|(name, _)| name != "CARGO_MANIFEST_DIR").collect();
    environment.push(("FACTOR".into(), "3".into()));
    let absolute = place.join("data/table").into_os_string().into_encoded_bytes();
    let fixture = Fixture {
        name: Some("lt-tool".into()),
        environment,
        directory: Some(place.join("tests")),
        directories: vec![place.join("data")],
        links: vec![(place.join("tests/link"), "../data".into())],
        ..Fixture::default()
    };
    let input = ConcreteInput {
        fixture: fixture.into(),
        arguments: vec![b"link/table".to_vec(), absolute],
        stdin: Some(b"\x05".to_vec()),
        files: [(place.join("data/table"), InputFile::from(b"\x02".to_vec()))].into_iter().collect(),
        ..ConcreteInput::default()
    };
    Found { project, input }
}

impl Found {
    /// What the sanitizers say of the input, with its files where it says they are.
    fn report(&self) -> Vec<u8> {
        let asan = self.project.variant("tool", "asan");
        let table = self.project.path("table");
        std::fs::write(&table, b"\x02").unwrap();
        let mut command = Command::new("bash");
        command.args(["-c", "printf '\\5' | (exec -a lt-tool \"$@\")", "-"]).arg(asan).args([&table, &table]);
        command.envs(Judge::new().environment()).env("FACTOR", "3").env_remove("CARGO_MANIFEST_DIR");
        command.output().unwrap().stderr
    }

    fn store(&self) -> String {
        let report = self.report();
        let [finding] = &findings("tool", &report, Ending::Exited(1))[..] else {
            panic!("{}", String::from_utf8_lossy(&report))
        };
        let mut seed = self.input.clone();
        let (path, _) = self.input.files.iter().next().unwrap();
        seed.files.set(path, b"\x01".to_vec());
        let checked = Checked {
            finding: finding.clone(),
            program: self.project.path("tool"),
            seed: "0001-tool".to_owned(),
            origin: None,
            seed_arguments: seed.arguments.clone(),
            distance: 0,
            depth: 1,
            depth_is_known: true,
            confirmed: true,
            why: None,
            ending: Ending::Exited(5),
            changed: changes(&seed, &self.input),
            check: "index".to_owned(),
            site: None,
            way: Vec::new(),
            seconds: 0.0,
        };
        let mut store = CheckStore::create(&self.project.path("out"), &self.project.path(".")).unwrap();
        store.found(&checked, &self.input, &report).unwrap();
        store.findings()[0].input.clone()
    }

    fn holds(&self, flags: &str) {
        self.store();
        let mut replay = self.project.command(env!("CARGO_BIN_EXE_byway"));
        let replayed = replay.args(["replay", "out"]).args(flags.split_whitespace()).output().unwrap();
        let said = String::from_utf8_lossy(&replayed.stdout).into_owned();
        assert_eq!(said, "1 test: all hold\n", "{}", String::from_utf8_lossy(&replayed.stderr));
    }
}

#[test]
fn a_finding_holds_where_it_was_found() {
    let found = found(None);
    found.project.write("suite/data/table", "something else");
    found.project.write("suite/tests/link/table", "another thing");
    found.holds("");
}

#[test]
fn a_finding_holds_where_nothing_of_its_suite_is_left() {
    found(Some("/nowhere/suite")).holds("");
}

#[test]
fn a_finding_holds_without_confinement() {
    found(Some("/nowhere/suite")).holds("--unconfined");
}

#[test]
fn a_finding_is_gone_once_it_is_fixed() {
    let found = found(Some("/nowhere/suite"));
    let input = found.store();
    let replayed = found.project.run(&format!("byway replay out/{input} --with fixed"));
    assert!(replayed.stdout.contains("differs: no heap-buffer-overflow any more: exit code 5"), "{replayed:?}");
}

#[test]
fn the_script_of_a_finding_shows_it_in_the_build_with_sanitizers() {
    let found = found(Some("/nowhere/suite"));
    let script = Path::new("out").join(found.store()).join("run.sh");
    // As the diagnostic says it is run.
    let ran = found.project.shell(&format!("{} \"$(byway build tool --variant asan)\"", script.display()));
    assert!(ran.stderr.contains("heap-buffer-overflow"), "{ran:?}");
    // Natively the byte lands somewhere, and nobody notices.
    assert_eq!(found.project.run(script.to_str().unwrap()).code, Some(5));
}
