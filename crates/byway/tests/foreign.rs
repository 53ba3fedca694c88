//! A program from elsewhere brings the command lines it was built with: they execute nothing and read nothing of the user's.

mod common;

use std::fs;

use byway_carrier::{LinkItem, Module, Record, decode, elf, encode};
use common::{Project, Ran};

const SOURCE: &str = "int main(void) { return 0; }\n";

/// Somebody else's project, with a script that leaves a trace when it is executed.
fn elsewhere() -> Project {
    let project = Project::with(&[("main.c", SOURCE), ("linker", "")]);
    project.write_script("linker", &format!("#!/bin/sh\ntouch {}\nexit 1\n", project.path("executed").display()));
    project.run("byway-cc -c main.c").ok();
    project.run("byway-cc main.o -o built").ok();
    project
}

/// The user's project, with a program whose records were changed.
fn with_records(from: &Project, change: impl Fn(Record) -> Record) -> Project {
    let data = fs::read(from.path("built")).unwrap();
    let records = decode(&elf::section(&data).unwrap().unwrap()).unwrap();
    let project = Project::with(&[("main.c", SOURCE)]);
    project.run("clang-19 main.c -o program").ok();
    let section: Vec<u8> = records.into_iter().map(change).flat_map(|record| encode(&record)).collect();
    elf::append(&project.path("program"), &section).unwrap();
    project
}

fn linked_with(from: &Project, item: LinkItem) -> Project {
    with_records(from, |record| match record {
        Record::Link(mut link) => {
            link.items.push(item.clone());
            Record::Link(link)
        }
        record => record,
    })
}

fn compiled_with(from: &Project, words: &[&str]) -> Project {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    with_records(from, |record| match record {
        Record::Module(module) => {
            Record::Module(Module { arguments: [words.clone(), module.arguments].concat(), ..module })
        }
        record => record,
    })
}

fn flag(word: &str) -> LinkItem {
    LinkItem::Flag(vec![word.to_owned()])
}

fn linker(words: &[&str]) -> LinkItem {
    LinkItem::Linker(words.iter().map(|&word| word.to_owned()).collect())
}

/// Refused by `build`, said by `doctor`, and nothing was executed.
#[track_caller]
fn is_refused(from: &Project, project: &Project, kind: &str) {
    project.run(&format!("byway build program --variant {kind}")).fails(16, "give --trust");
    let doctor: Ran = project.run("byway doctor program");
    assert_eq!(doctor.code, Some(6), "{doctor:?}");
    assert!(doctor.stdout.contains("give --trust"), "{}", doctor.stdout);
    assert!(!from.path("executed").exists(), "the script was executed");
}

#[test]
fn a_recorded_link_executes_nothing() {
    let from = elsewhere();
    let script = from.path("linker").display().to_string();
    from.write("response", format!("--ld-path={script}"));
    for word in [
        format!("--ld-path={script}"),
        format!("-fuse-ld={script}"),
        format!("-fplugin={script}"),
        format!("-fpass-plugin={script}"),
        format!("@{}", from.path("response").display()),
        format!("-B{}", from.path(".").display()),
        format!("-specs={script}"),
        format!("--config={script}"),
        format!("-Wl,-plugin,{script}"),
    ] {
        is_refused(&from, &linked_with(&from, flag(&word)), "cov");
    }
    for words in [["-plugin", &script], ["--plugin", &script], ["--Map", "map"], ["--dependency-file", "file"]] {
        is_refused(&from, &linked_with(&from, linker(&words)), "native");
    }
}

#[test]
fn a_recorded_compilation_executes_nothing() {
    let from = elsewhere();
    let script = from.path("linker").display().to_string();
    for words in [
        vec![format!("-fplugin={script}")],
        vec!["-Xclang".to_owned(), "-load".to_owned(), "-Xclang".to_owned(), script.clone()],
        vec!["-mllvm".to_owned(), format!("-load={script}")],
        vec![format!("@{script}")],
        vec!["-wrapper".to_owned(), script.clone()],
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        is_refused(&from, &compiled_with(&from, &words), "asan");
    }
}

#[test]
fn records_do_not_reach_beyond_the_build_tree() {
    let (from, private) = (elsewhere(), Project::with(&[("notes", ""), ("notes.o", "")]));
    let path = |name: &str| private.path(name).display().to_string();
    let plain = LinkItem::Plain { path: path("notes.o"), reason: String::new() };
    for item in [
        linker(&["-T", &path("notes")]),
        linker(&[&format!("--version-script={}", path("notes"))]),
        flag(&format!("-L{}", path("."))),
        flag(&format!("-T{}", path("notes"))),
        plain,
        LinkItem::Archive { path: private.path("notes.o"), carrying: 0, plain: Vec::new() },
        LinkItem::Library(path("notes.o")),
    ] {
        is_refused(&from, &linked_with(&from, item), "native");
    }
    for words in [["-I", &path(".")], ["-include", &path("notes")], ["-w", &format!("-I{}", path("."))]] {
        is_refused(&from, &compiled_with(&from, &words), "asan");
    }
}

#[test]
fn a_recorded_environment_names_only_where_to_look() {
    let from = elsewhere();
    let project = with_records(&from, |record| match record {
        Record::Link(mut link) => {
            link.environment.insert("LD_PRELOAD".to_owned(), from.path("linker").display().to_string());
            Record::Link(link)
        }
        record => record,
    });
    is_refused(&from, &project, "sym");
}

#[test]
fn a_trusted_program_is_built_as_it_says() {
    let from = elsewhere();
    let project = linked_with(&from, flag(&format!("--ld-path={}", from.path("linker").display())));
    project.run("byway build program --variant native --trust").fails(16, "linking");
    assert!(from.path("executed").exists());
}

#[test]
fn what_honest_builds_say_is_not_refused() {
    let project = Project::with(&[("source/main.c", SOURCE), ("include/a.h", ""), ("build/list", "{ local: foo; };")]);
    let flags = "-I../include -include a.h -O2 -g -Wall -fstack-protector-strong -fno-strict-aliasing -pthread -L. -Xclang \
                 -disable-O0-optnone -Wl,-z,relro,--as-needed,-O1,--version-script=list,-rpath,/somewhere -fuse-ld=bfd -lm";
    project.shell(&format!("cd build && byway-cc ../source/main.c {flags} -o program && cp program ../copy")).ok();
    for program in ["build/program", "copy"] {
        for kind in ["native", "asan"] {
            project.variant(program, kind);
        }
    }
}

/// CMake and configure build in directories below their own, and name sources beside that one.
#[test]
fn the_sources_of_a_build_lie_beside_the_top_of_it() {
    let files = [
        ("source/lib/a.h", ""),
        ("source/lib/main.c", "#include \"a.h\"\nint main(void) { return 0; }\n"),
        ("build/lib/empty", ""),
    ];
    let project = Project::with(&files);
    let build = "cd build/lib && byway-cc -I$PWD/../../source/lib -c $PWD/../../source/lib/main.c -o main.o && byway-cc main.o -o program";
    project.shell(build).ok();
    project
        .run("byway build build/lib/program --variant native")
        .fails(16, "neither in the build tree nor in the toolchain");
    project.write("build/CMakeCache.txt", "");
    project.variant("build/lib/program", "native");
}

/// clang lists no dependencies for LLVM's own code, which may lie outside of the build directory like any other source.
#[test]
fn code_of_llvm_may_come_from_another_directory() {
    let code = "define i32 @main() {\n  ret i32 0\n}\n";
    let project = Project::with(&[("source/main.ll", code), ("build/empty", "")]);
    project.shell("cd build && byway-cc -c $PWD/../source/main.ll -o main.o && byway-cc main.o -o program").ok();
    project.variant("build/program", "native");
}

/// Runs `byway build` with another `clang-19`, which is given by a script.
fn with_clang(project: &Project, script: &str, options: &str) -> Ran {
    project.write_script("tools/clang-19", &format!("#!/bin/sh\n{script}\n"));
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", project.path("tools").display()));
    command.args(["build", "built", "--variant"]).args(options.split_whitespace()).output().unwrap().into()
}

#[test]
fn a_tool_that_dies_is_an_error_and_leaves_nothing_behind() {
    let project = elsewhere();
    fs::create_dir(project.path("tools")).unwrap();
    let real = Ran::from(project.command("sh").args(["-c", "command -v clang-19"]).output().unwrap()).ok().stdout;
    // It compiles, and dies when it is to link.
    let linker = format!("for word; do [ \"$word\" = -c ] && exec {} \"$@\"; done; kill -ABRT $$", real.trim());
    for (script, options, text) in [
        ("kill -SEGV $$", "native", "compiling built: clang-19 died (signal 11)"),
        ("kill -SEGV $$", "native --trust", "compiling built: clang-19 died (signal 11)"),
        ("kill -KILL $$", "sym", "compiling built: clang-19 died (signal 9)"),
        ("kill -SEGV $$", "asan", "compiling main.c for the sanitizers: clang-19 died (signal 11)"),
        (&linker, "cov", "linking built: clang-19 died (signal 6)"),
        (&linker, "asan", "linking built: clang-19 died (signal 6)"),
    ] {
        let ran = with_clang(&project, script, options).fails(16, text);
        assert!(ran.stderr.contains("build the program again"), "{}", ran.stderr);
        let entries = project.shell("ls -A cache/*/ | grep -v canonical | grep -v : || true").ok().stdout;
        assert!(!entries.contains("native") && !entries.contains("asan") && !entries.contains("cov"), "{entries}");
    }
    project.run("byway build built --variant asan").ok();
}
