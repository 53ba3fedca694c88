//! A command that captured or checked nothing leaves the results of earlier ones where they are.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::Project;

const SOURCE: &str = "#include <stdio.h>\nint main(void) { int c = getchar(); return c == 'x' ? 1 : 0; }\n";

fn project() -> Project {
    let project = Project::with(&[("main.c", SOURCE), ("one", "a"), ("two", "b")]);
    project.run("byway-cc main.c -o program").ok();
    project
}

/// The names of all files below a directory.
fn files(directory: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => drop(found.insert(path.display().to_string())),
        }
    }
    found
}

/// The names in the project's directory that begin so, hidden ones too.
fn beside(project: &Project, part: &str) -> Vec<String> {
    let names = fs::read_dir(project.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.contains(part));
    names.sort();
    names
}

const CHECK: &str = "--time 5 --max-distance 0 --jobs 1";

#[test]
fn checks_of_nothing_leave_earlier_checks_alone() {
    let project = project();
    for input in ["one", "two"] {
        project.shell(&format!("byway check {CHECK} -- sh -c './program < {input}'")).ok();
    }
    let (now, old) = (files(&project.path("byway.out")), files(&project.path("byway.out.old")));
    for _ in 0..2 {
        let ran = project.run(&format!("byway check {CHECK} -- true"));
        ran.fails(5, "byway.out is as it was before");
        assert_eq!(files(&project.path("byway.out")), now);
        assert_eq!(files(&project.path("byway.out.old")), old);
    }
    assert_eq!(beside(&project, "byway.out"), ["byway.out", "byway.out.old"]);
}

#[test]
fn a_check_of_kept_seeds_that_checks_nothing_leaves_them_and_their_findings() {
    let project = project();
    project.shell(&format!("byway check {CHECK} -- sh -c './program < one'")).ok();
    let program = fs::read_dir(project.path("byway.out/seeds/programs")).unwrap().next().unwrap().unwrap().path();
    let before = files(&project.path("byway.out"));
    // Nothing can be checked, since its program is gone.
    fs::rename(program.join("program"), project.path("aside")).unwrap();
    for _ in 0..2 {
        let ran = project.run(&format!("byway check {CHECK} --from byway.out/seeds"));
        assert_eq!(ran.code, Some(5), "{ran:?}");
    }
    fs::rename(project.path("aside"), program.join("program")).unwrap();
    assert_eq!(files(&project.path("byway.out")), before);
    assert_eq!(beside(&project, "byway.out"), ["byway.out"]);
}

#[test]
fn recording_nothing_leaves_earlier_seeds_alone() {
    let project = project();
    project.run("byway record -- ./program").ok();
    let before = files(&project.path("byway.seeds"));
    for _ in 0..2 {
        project.run("byway record -- true").fails(5, "byway.seeds is as it was before");
    }
    assert_eq!(files(&project.path("byway.seeds")), before);
    assert_eq!(beside(&project, "byway.seeds"), ["byway.seeds"]);
    // Where nothing was, the new directory says what was not captured.
    project.run("byway record -o other -- true").fails(5, "CC=byway-cc");
    assert!(project.path("other/suite.json").is_file());
}
