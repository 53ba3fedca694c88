//! A program is what it was: its variants and reports are made from what it was built from, whatever became of its tree.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use byway_carrier::{Dependency, LinkItem, Module, Record, decode, elf, encode};
use common::{Project, Ran};
use serde_json::Value;

const OLD: &str = r#"#include <limits.h>
#include <stdio.h>
#include "../include/value.h"
int archived(void);
int shared(void);
int main(int argc, char **argv) {
  printf("%d %d %d\n", VALUE, archived(), shared());
  int most = INT_MAX - 1;
  if (argc > 1 && argv[1][0] == 'o')
    most += argc; /* the old line */
  return most == 7;
}
"#;
const NEW: &str = r#"#include <stdio.h>
#include "../include/value.h"
int archived(void);
int shared(void);
int main(int argc, char **argv) {
  printf("new %d %d %d\n", VALUE, archived(), shared());
  if (argc > 1 && argv[1][0] == 'n')
    return 3; /* the new line */
  return 0;
}
"#;
/// With a static library of bitcode and assembly, and a shared one.
const BUILD: &str = "
    mkdir -p out
    (cd src && byway-cc -g -O2 -c main.c -o ../out/main.o && byway-cc -g -c archived.c -o ../out/archived.o)
    clang-19 -c src/plain.s -o out/plain.o
    rm -f out/libarchived.a
    ar qcs out/libarchived.a out/archived.o out/plain.o
    byway-cc -g -shared -fPIC src/shared.c -o out/libshared.so
    byway-cc -g out/main.o out/libarchived.a -Lout -lshared '-Wl,-rpath,$ORIGIN' -o out/program";

/// The number in each file says of which version it is.
fn write_version(project: &Project, main: &str, number: u32) {
    project.write("src/main.c", main);
    project.write("include/value.h", format!("#define VALUE {number}\n"));
    project.write("src/archived.c", "int plain(void);\nint archived(void) { return plain(); }\n");
    project.write("src/plain.s", format!(".globl plain\nplain:\n  mov ${number}, %eax\n  ret\n"));
    project.write("src/shared.c", format!("int shared(void) {{ return {number}; }}\n"));
}

/// A project whose tree is that of a new version, with a copy of the old program that was seen before.
fn changed() -> Project {
    let project = Project::new();
    write_version(&project, OLD, 1);
    project.shell(BUILD).ok();
    let first = project.run("byway build out/program --variant cov").ok();
    assert_eq!(first.stderr, "");
    project.run("cp out/program old").ok();
    write_version(&project, NEW, 2);
    project.shell(BUILD).ok();
    project
}

fn ran(project: &Project, program: &Path, argument: &str) -> Ran {
    project.command(program).arg(argument).output().unwrap().into()
}

#[track_caller]
fn is_the_old_one(project: &Project) {
    for kind in ["native", "sym", "cov"] {
        assert_eq!(ran(project, &project.variant("old", kind), "x").stdout, "1 1 1\n", "{kind}");
    }
    let asan = ran(project, &project.variant("old", "asan"), "o");
    assert_eq!(asan.stdout, "1 1 1\n");
    assert!(asan.stderr.contains("main.c:10:10: runtime error: signed integer overflow"), "{asan:?}");
    assert_eq!(project.doctor("old")["program"]["changed_sources"], Value::Array(Vec::new()));
}

#[test]
fn a_program_is_built_from_its_own_sources_after_its_tree_was_built_again() {
    let project = changed();
    is_the_old_one(&project);
    let said = project.run("byway build old --variant native").ok().stderr;
    assert!(said.contains("belongs to another build of program now"), "{said}");
    // The new one is what its tree says.
    assert_eq!(ran(&project, &project.variant("out/program", "asan"), "x").stdout, "new 2 2 2\n");
    assert_eq!(project.run("byway build out/program --variant asan").ok().stderr, "");
}

#[test]
fn sources_that_were_removed_are_still_there_for_the_program() {
    let project = changed();
    project.run("rm -r include out src/main.c src/shared.c src/plain.s").ok();
    is_the_old_one(&project);
}

/// Built in a directory of its own, with headers that are named from there.
const ELSEWHERE: &str = "
    mkdir -p tree/build
    cd tree/build
    byway-cc -g -O1 -I../include -I ../more -DNAME='\"here\"' -c ../src/main.c -o main.o
    byway-cc -g main.o -o program";

#[test]
fn a_program_whose_whole_tree_is_gone_is_compiled_from_what_is_kept() {
    let project = Project::new();
    project.write("tree/include/value.h", "#include \"inner.h\"\n#define VALUE INNER\n");
    project.write("tree/include/inner.h", "#define INNER 1\n");
    project.write("tree/more/other.h", "static int other(int most) { return most + VALUE; }\n");
    let source = "#include <limits.h>\n#include <stdio.h>\n#include <value.h>\n#include <other.h>\n#include \"beside.h\"\n\
        int main(int argc, char **argv) {\n  puts(NAME BESIDE);\n  return other(argc > 1 ? INT_MAX : 0) == 7 || !argv;\n}\n";
    project.write("tree/src/main.c", source);
    project.write("tree/src/beside.h", "#define BESIDE \" and beside\"\n");
    project.shell(ELSEWHERE).ok();
    project.run("cp tree/build/program old").ok();
    project.run("byway build old --variant cov").ok();
    project.run("rm -r tree").ok();
    let asan = ran(&project, &project.variant("old", "asan"), "o");
    assert_eq!(asan.stdout, "here and beside\n");
    assert!(asan.stderr.contains("other.h:1:42: runtime error: signed integer overflow"), "{asan:?}");
    assert_eq!(project.doctor("old")["program"]["changed_sources"], Value::Array(Vec::new()));
}

#[test]
fn a_library_that_was_built_again_is_that_of_the_program_in_its_tree() {
    let project = changed();
    project.write("src/shared.c", "int shared(void) { return 3; }\n");
    project.shell("byway-cc -g -shared -fPIC src/shared.c -o out/libshared.so").ok();
    assert_eq!(ran(&project, &project.variant("out/program", "native"), "x").stdout, "new 2 2 3\n");
}

#[test]
fn findings_quote_the_lines_that_the_program_was_built_from() {
    let project = changed();
    let check = "byway check --time 60 --max-distance 0 --fail-on warning -o found -- env LD_LIBRARY_PATH=out ./old o";
    assert_eq!(project.run(check).code, Some(2));
    let findings: Value = serde_json::from_slice(&fs::read(project.path("found/findings.json")).unwrap()).unwrap();
    let anchors: Vec<&Value> = findings.as_array().unwrap().iter().map(|found| &found["anchor"]["text"]).collect();
    assert!(anchors.contains(&&Value::from("most += argc; /* the old line */")), "{findings:#}");
}

#[test]
fn changes_show_each_version_as_it_was() {
    let project = changed();
    let shown = project.run("byway changes old out/program").ok().stdout;
    assert!(shown.contains("most += argc; /* the old line */"), "{shown}");
    assert!(shown.contains("return 3; /* the new line */"), "{shown}");
}

/// All files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn what_is_damaged_is_as_if_it_were_not_kept() {
    let project = changed();
    for file in files(&project.path("cache/snapshots/content")) {
        let mut content = fs::read(&file).unwrap();
        content.push(b' ');
        fs::write(&file, content).unwrap();
    }
    let changed = project.doctor("old")["program"]["changed_sources"].clone();
    assert_eq!(changed.as_array().map(Vec::len), Some(2), "{changed}");
    let asan = ran(&project, &project.variant("old", "asan"), "o");
    assert_eq!((asan.stdout.as_str(), asan.stderr.as_str()), ("1 1 1\n", ""));
    let programs = files(&project.path("cache/snapshots/programs"));
    programs.iter().for_each(|file| fs::write(file, "no list").unwrap());
    // What lies in the tree now is all there is.
    assert_eq!(ran(&project, &project.variant("old", "native"), "x").stdout, "1 2 2\n");
}

/// A program from elsewhere with other records.
fn foreign(change: impl Fn(Record) -> Record) -> Project {
    let project = Project::with(&[("main.c", "int main(void) { return 0; }\n")]);
    project.shell("byway-cc -c main.c; byway-cc main.o -o built; clang-19 main.c -o program").ok();
    let data = fs::read(project.path("built")).unwrap();
    let records = decode(&elf::section(&data).unwrap().unwrap()).unwrap();
    let section: Vec<u8> = records.into_iter().map(change).flat_map(|record| encode(&record)).collect();
    elf::append(&project.path("program"), &section).unwrap();
    project
}

#[track_caller]
fn keeps_no_secret(project: &Project) {
    project.run("byway build program --variant asan");
    project.run("byway doctor program");
    let tells = |path: &PathBuf| fs::read(path).unwrap().windows(8).any(|part| part == b"a secret");
    let telling: Vec<PathBuf> = files(&project.path("cache")).into_iter().filter(tells).collect();
    assert_eq!(telling, Vec::<PathBuf>::new());
}

#[test]
fn records_have_nothing_kept_that_they_could_not_read() {
    let private = Project::with(&[("notes", "a secret\n")]);
    keeps_no_secret(&foreign(|record| match record {
        Record::Link(mut link) => {
            link.items.push(LinkItem::Archive { path: private.path("notes"), carrying: 0, plain: Vec::new() });
            Record::Link(link)
        }
        record => record,
    }));
    keeps_no_secret(&foreign(|record| match record {
        Record::Module(module) => {
            let guess = Dependency(private.path("notes"), 1);
            Record::Module(Module { dependencies: [module.dependencies, vec![guess]].concat(), ..module })
        }
        record => record,
    }));
}
