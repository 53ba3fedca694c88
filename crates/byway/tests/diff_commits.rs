//! `byway diff` of commits: built and tested away from the user's checkout, which nothing touches.

mod common;

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::{Project, Ran};

const MAKEFILE: &str = "CC ?= cc
all: tool other
tool: tool.c version.h
\t$(CC) -g -O2 -I$(CURDIR) -o tool tool.c
other: other.c
\t$(CC) -g -O2 -o other other.c
check: all
\t./tool 5
\t./tool 120 > made
\t./other
";

const TOOL: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include "version.h"
int main(int argc, char **argv) {
    int x = argc > 1 ? atoi(argv[1]) : 0;
    if (x > LIMIT)
        printf("%d is large\n", x);
    else
        printf("%d\n", x);
    return 0;
}
"#;

const OTHER: &str = "#include <stdio.h>\nint main(void) { return puts(\"other\") < 0; }\n";

/// A repository in `repository` with three commits: another limit, then another text.
fn repository() -> Project {
    let project = Project::with(&[
        ("repository/Makefile", MAKEFILE),
        ("repository/tool.c", TOOL),
        ("repository/other.c", OTHER),
        ("repository/version.h", "#define LIMIT 100\n"),
        ("repository/.gitignore", "/tool\n/other\n/made\n/byway.out*\n"),
    ]);
    let commit = "git -c user.name=somebody -c user.email=somebody commit -q -m";
    let steps = format!(
        "cd repository; git init -q -b main; git add -A; {commit} First; git tag v1
         echo '#define LIMIT 200' > version.h; git add -A; {commit} Limit; git tag v2
         sed -i 's/is large/is too large/' tool.c; git add -A; {commit} Text; git tag v3"
    );
    project.shell(&steps).ok();
    project
}

/// `byway diff` in the repository.
fn diff(project: &Project, arguments: &[&str]) -> Ran {
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.arg("diff").args(arguments).current_dir(project.path("repository"));
    command.output().unwrap().into()
}

/// With the project's own commands, and only its own tests.
fn diff_tests(project: &Project, arguments: &[&str]) -> Ran {
    diff(project, &[&["--build", "make CC=\"$CC\"", "--test", "make check", "--only-given"], arguments].concat())
}

/// Everything that git knows of the user's checkout and repository, and every file in it.
fn state(project: &Project) -> String {
    let script = "cd repository; git status --porcelain; git stash list; git for-each-ref; git worktree list
                  git rev-parse HEAD; find . -path './byway.out*' -prune -o -type f -print |
                  sort | xargs sha256sum | sha256sum";
    project.shell(script).ok().stdout
}

#[test]
fn a_range_is_built_and_tested_away_from_the_checkout() {
    let project = repository();
    let before = state(&project);
    let ran = diff_tests(&project, &["v1..v2", "--json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let differences: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let [difference] = differences.as_array().unwrap().as_slice() else { panic!("{differences}") };
    assert_eq!((&difference["program"], &difference["kind"]), (&"tool".into(), &"output".into()), "{difference}");
    assert!(difference["changes"][0]["file"].as_str().unwrap().ends_with("tool.c"), "{difference}");
    assert_eq!(difference["changes"][0]["line"], 6, "{difference}");
    // The tree that the program was built in is not where the program stays; its variants are built all the same.
    assert!(!ran.stderr.contains("without a variant"), "{}", ran.stderr);

    // The second time nothing is built or recorded: the commands are not even there.
    let again = diff_tests(&project, &["v1", "v2"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.stdout.contains("120 is large") && again.stdout.contains("tool.c:6 in main"), "{}", again.stdout);
    let logs = project.shell("ls cache/versions/*/kept/*/log | wc -l").ok().stdout;
    assert_eq!(logs.trim(), "2");
    project.shell("cd repository && byway.out/differences/*/run.sh > /dev/null || [ $? = 1 ]").ok();
    assert_eq!(state(&project), before);
}

#[test]
fn the_working_tree_is_a_version_and_a_commit_can_be_golden() {
    let project = repository();
    project.write("repository/tool.c", TOOL.replace("is large", "is huge"));
    let before = state(&project);
    let ran = diff_tests(&project, &["v1", "--golden", "v2", "--", "tool.c"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    // The working tree has the limit of the golden version; its text is never printed.
    assert!(ran.stdout.contains("progression: tool: stdout differs"), "{}", ran.stdout);
    assert!(ran.stdout.contains("no input executed: tool.c:7 in main"), "{}", ran.stdout);
    assert_eq!(state(&project), before);
    let elsewhere = diff_tests(&project, &["v1", "--", "other.c"]);
    assert!(elsewhere.stdout.contains("tool: 0 changed lines"), "{}", elsewhere.stdout);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let project = repository();
    diff_tests(&project, &["v1..nowhere"]).fails(1, "nowhere is no commit of this repository");
    diff_tests(&project, &["v2..v2"]).fails(0, "both versions are");
    diff(&project, &["v1..v2"]).fails(1, "say how they are built with --build");
    diff(&project, &["v1..v2", "--build", "make"]).fails(1, "give the command that runs the tests with --test");
    let failed = diff(&project, &["v1..v2", "--build", "echo so; exit 7", "--test", "true"]);
    let log = failed.fails(16, "Limit failed (exit status: 7): echo so; exit 7\n  so\n").stderr;
    assert!(log.contains("all of it is in "), "{log}");
    let plain = diff(&project, &["v1..v2", "--build", "make CC=cc", "--test", "make check"]);
    plain.fails(5, "made no program that carries bitcode");
    let none = diff(&project, &["v1..v2", "--build", "make CC=\"$CC\"", "--test", "true"]);
    none.fails(5, "ran no program that carries bitcode");
    project.write("repository/other.c", OTHER.replace("other", "another"));
    diff_tests(&project, &["v2..v3"]).fails(0, "changes of the working tree that are not committed are not compared");
    let outside =
        project.command(env!("CARGO_BIN_EXE_byway")).args(["diff", "a..b", "--build", "x", "--test", "y"]).output();
    Ran::from(outside.unwrap()).fails(1, "is in no git checkout");
}

#[test]
fn a_range_without_a_change_in_a_program_has_no_difference() {
    let project = repository();
    let commit = "git -c user.name=somebody -c user.email=somebody commit -q -a -m Comment";
    project.shell(&format!("cd repository; echo '/* the end */' >> tool.c; {commit}")).ok();
    diff_tests(&project, &["v3..HEAD"]).fails(0, "nothing changed in 2 programs");
}

#[test]
fn whenever_it_is_killed_the_checkout_is_as_it_was_and_the_next_one_works() {
    let project = repository();
    let before = state(&project);
    for tenth in 0..10u64 {
        let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
        command.args(["diff", "v1..v2", "--build", "make CC=\"$CC\"", "--test", "make check", "--only-given"]);
        command.current_dir(project.path("repository")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut killed = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(40 + 130 * tenth));
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert_eq!(state(&project), before, "killed after {tenth} tenths");
    }
    let ran = diff_tests(&project, &["v1..v2"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(state(&project), before);
    let left = fs::read_dir(project.path("repository/.git")).unwrap().flatten();
    assert!(left.map(|entry| entry.file_name()).all(|name| name != "worktrees" && name != "index.lock"));
}

/// A library whose file has the version in its name, and a program that is linked with it.
const SHARED: &str = "all: tool
libpart.so.$(shell cat version): part.c
\t$(CC) -g -O1 -fPIC -shared -o $@ part.c -Wl,-soname,$@
tool: libpart.so.$(shell cat version) main.c
\t$(CC) -g -O1 -o tool main.c $(CURDIR)/libpart.so.$(shell cat version) -Wl,-rpath,$(CURDIR)
";

#[test]
fn libraries_of_a_version_may_have_other_names_than_those_of_the_next() {
    let project = Project::with(&[
        ("repository/Makefile", SHARED),
        ("repository/version", "1\n"),
        ("repository/part.c", "int part(int x) { return x > 3 ? x : -x; }\n"),
        (
            "repository/main.c",
            "#include <stdio.h>\nint part(int);\nint main(int argc, char **argv) { return printf(\"%d\\n\", part(argc)) < 0; }\n",
        ),
    ]);
    let commit = "git -c user.name=somebody -c user.email=somebody commit -q -m";
    let steps = format!(
        "cd repository; git init -q -b main; git add -A; {commit} First; git tag v1
         echo 2 > version; sed -i 's/x > 3/x > 2/' part.c; git add -A; {commit} Second; git tag v2"
    );
    project.shell(&steps).ok();
    let flags = ["v1..v2", "--build", "make CC=\"$CC\"", "--test", "./tool a; ./tool a b", "--only-given", "--json"];
    let ran = diff(&project, &flags);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(!ran.stderr.contains("without a variant"), "{}", ran.stderr);
    let differences: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let [difference] = differences.as_array().unwrap().as_slice() else { panic!("{differences}") };
    assert!(difference["changes"][0]["file"].as_str().unwrap().ends_with("part.c"), "{difference}");
}
