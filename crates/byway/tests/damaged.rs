//! Damaged files are noticed, and what is no regular file is not read as one.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use common::{Project, Ran};

const SOURCE: &str = "#include <stdio.h>\nint main(void) { int c = getchar(); return c == 'x' ? 1 : 0; }\n";

fn project() -> Project {
    let project = Project::with(&[("main.c", SOURCE), ("input", "a")]);
    project.run("byway-cc main.c -o program").ok();
    project
}

/// Changes one byte in the middle of a file.
fn damage(path: &Path) {
    let mut content = fs::read(path).unwrap();
    let middle = content.len() / 2;
    content[middle] ^= 1;
    fs::write(path, content).unwrap();
}

#[test]
fn a_damaged_variant_of_the_cache_is_made_again() {
    let project = project();
    for kind in ["native", "cov", "asan", "sym"] {
        let variant = project.variant("program", kind);
        let whole = fs::read(&variant).unwrap();
        damage(&variant);
        let ran = project.run(&format!("byway build program --variant {kind}")).ok();
        assert!(ran.stderr.contains("was damaged and is made again"), "{kind}: {}", ran.stderr);
        assert_eq!(fs::read(&variant).unwrap().len(), whole.len(), "{kind}");
        let again = project.run(&format!("byway build program --variant {kind}")).ok();
        assert_eq!(again.stderr, "", "{kind}");
    }
}

#[test]
fn a_damaged_map_of_the_cache_is_made_again() {
    let project = project();
    let variant = project.variant("program", "sym");
    let map = variant.parent().unwrap().with_file_name("canonical").join("map.json");
    fs::write(&map, "{}").unwrap();
    project.run("byway trace program").ok();
    assert!(fs::read(&map).unwrap().len() > 100);
}

/// Runs a command that must not wait for anything.
fn run_in_time(project: &Project, line: &str) -> Ran {
    let mut words = line.split_whitespace();
    let _ = words.next();
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    let mut child = command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            end(&mut child);
            panic!("{line} does not end");
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap().into()
}

fn end(child: &mut Child) {
    let _ = rustix::process::kill_process(rustix::process::Pid::from_child(child), Signal::KILL);
    let _ = child.wait();
}

/// What a file is replaced by.
const KINDS: [&str; 2] = ["fifo", "zero"];

fn replace(path: &Path, kind: &str) {
    let _ = fs::remove_file(path);
    match kind {
        "fifo" => {
            let fifo = rustix::fs::FileType::Fifo;
            rustix::fs::mknodat(rustix::fs::CWD, path, fifo, 0o600.into(), 0).unwrap();
        }
        _ => symlink("/dev/zero", path).unwrap(),
    }
}

/// The only entry of a directory.
fn only(directory: &Path) -> PathBuf {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).min().unwrap()
}

#[test]
fn a_part_of_the_seeds_that_is_no_regular_file_is_an_error() {
    let project = project();
    for kind in KINDS {
        for part in ["data", "programs", "suite.json", "0001-program.seed.json"] {
            let recorded = project.shell("byway record -o seeds -- sh -c './program < input'").ok();
            let path = match part {
                "data" => only(&project.path("seeds/data")),
                "programs" => only(&only(&project.path("seeds/programs"))),
                name => project.path("seeds").join(name),
            };
            assert!(path.exists(), "{} {recorded:?}", path.display());
            replace(&path, kind);
            let ran = run_in_time(&project, "byway check --time 5 --from seeds -o out");
            ran.fails(10, "not a regular file");
            fs::remove_dir_all(project.path("seeds")).unwrap();
        }
    }
}

#[test]
fn a_part_of_the_seeds_that_has_changed_is_an_error() {
    let project = project();
    for part in ["data", "programs"] {
        project.shell("byway record -o seeds -- sh -c './program < input'").ok();
        let parts = project.path("seeds").join(part);
        damage(&if part == "data" { only(&parts) } else { only(&only(&parts)) });
        project
            .run("byway check --time 5 --from seeds -o out")
            .fails(13, "has another content than when it was written");
        fs::remove_dir_all(project.path("seeds")).unwrap();
    }
}

#[test]
fn a_test_that_is_no_regular_file_is_an_error() {
    let project = project();
    for kind in KINDS {
        for part in ["test.json", "stdin"] {
            project.run("byway explore program --sym-stdin 1 --time 20 -o out").ok();
            let path = only(&project.path("out/tests")).join(part);
            assert!(path.exists(), "{}", path.display());
            replace(&path, kind);
            run_in_time(&project, "byway replay out").fails(10, "not a regular file");
            run_in_time(&project, "byway explore program --sym-stdin 1 --time 20 -o out --resume")
                .fails(10, "not a regular file");
            fs::remove_dir_all(project.path("out")).unwrap();
        }
    }
}

#[test]
fn other_files_that_are_not_regular_are_errors() {
    let project = project();
    for kind in KINDS {
        replace(&project.path("odd"), kind);
        replace(&project.path("odd.ktest"), kind);
        for line in ["byway doctor odd", "byway build odd --variant cov", "byway explore odd", "byway ktest odd.ktest"]
        {
            run_in_time(&project, line).fails(10, "not a regular file");
        }
        run_in_time(&project, "byway coverage program --data odd").fails(10, "not a regular file");
        run_in_time(&project, "byway import odd.ktest -o seeds -- ./program").fails(5, "no files to import");
        for journal in ["journal.jsonl", "findings.json", "byway.json"] {
            project.run("byway explore program --sym-stdin 1 --time 20 -o out").ok();
            replace(&project.path("out").join(journal), kind);
            let ran = run_in_time(&project, "byway explore program --sym-stdin 1 --time 20 -o out --resume");
            assert_eq!(ran.code, Some(10), "{journal}: {ran:?}");
            fs::remove_dir_all(project.path("out")).unwrap();
        }
    }
}
