//! `byway-cc` takes every kind of command line that builds use, and what it makes is what clang makes.
//!
//! One file although it is long: each further test program is linked by itself.

mod common;

use std::fs;

use byway_carrier::SECTION;
use byway_carrier::elf::{self, Carriage};
use common::{Project, Ran};
use object::{Object, ObjectSection};

const MAIN: &str = "#include <stdio.h>\nint half(int);\nint main(int c, char **v) { printf(\"%d %s\\n\", half(c), v[0] ? \"x\" : \"\"); return 0; }\n";
const HALF: &str = "int half(int x) { return x / 2; }\n";
const WARNS: &str = "int f(void) { int unused; return 0; }\n";

fn two_files() -> Project {
    Project::with(&[("main.c", MAIN), ("half.c", HALF)])
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

/// All sections of an ELF file but ours.
fn content(path: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let data = fs::read(path).unwrap();
    let file = object::File::parse(&*data).unwrap();
    // The table of section names has one name more.
    let others =
        file.sections().filter(|section| ![SECTION, ".strtab", ".shstrtab"].contains(&section.name().unwrap()));
    others.map(|section| (section.name().unwrap().to_owned(), section.data().unwrap().to_vec())).collect()
}

/// Runs a command line with both compilers, each in a project of its own with the same files.
fn both(files: &[(&str, &str)], arguments: &str) -> [(Project, Ran); 2] {
    ["clang-19", "byway-cc"].map(|compiler| {
        let project = Project::with(files);
        let ran = project.run(&format!("{compiler} {arguments}"));
        (project, ran)
    })
}

#[test]
fn objects_and_messages_are_those_of_clang() {
    for flags in ["-O0", "-O1 -g", "-O2 -fPIC", "-O3 -Wall", "-Os -D_FORTIFY_SOURCE=2", "-O2 -Wall -Werror"] {
        let [(plain, clang), (ours, byway)] = both(&[("warns.c", WARNS)], &format!("{flags} -c warns.c"));
        assert_eq!(byway, clang, "{flags}");
        if clang.code == Some(0) {
            let relocated = |project: &Project| {
                // Debug information names the directory.
                let sections = content(&project.path("warns.o")).into_iter();
                sections.filter(|(name, _)| !name.contains("debug")).collect::<Vec<_>>()
            };
            assert_eq!(relocated(&ours), relocated(&plain), "{flags}");
            assert_eq!(elf::carriage(&fs::read(ours.path("warns.o")).unwrap()), Carriage::Bitcode(1), "{flags}");
        }
    }
}

#[test]
fn other_tasks_are_left_to_clang() {
    for arguments in [
        "-E half.c",
        "-S half.c -o -",
        "-M half.c",
        "-MM half.c",
        "-fsyntax-only half.c",
        "--version",
        "-dumpmachine",
        "-print-search-dirs",
        "-E -dM -x c /dev/null",
        "missing.c",
        "-c",
        "-Wl,--version",
    ] {
        let project = two_files();
        let clang = project.run(&format!("clang-19 {arguments}"));
        assert_eq!(project.run(&format!("byway-cc {arguments}")), clang, "{arguments}");
    }
}

#[test]
fn several_sources_in_one_command_become_one_program() {
    let project = two_files();
    project.run("byway-cc -O2 main.c half.c -o program").ok();
    assert_eq!(project.run("./program a b c").stdout, "2 x\n");
    assert_eq!(project.carried("program"), (names(&["main.c", "half.c"]), vec![]));
}

#[test]
fn several_sources_become_several_objects() {
    let project = two_files();
    project.run("byway-cc -c main.c half.c").ok();
    project.run("byway-cc main.o half.o").ok();
    assert_eq!(project.carried("a.out"), (names(&["main.c", "half.c"]), vec![]));
}

#[test]
fn dependencies_are_written_once_and_where_the_user_wants_them() {
    let [(plain, _), (ours, ran)] = both(&[("half.c", HALF)], "-MD -MP -MF half.d -MT target -c half.c -o half.o");
    ran.ok();
    let listed = |project: &Project| fs::read_to_string(project.path("half.d")).unwrap();
    assert_eq!(listed(&ours), listed(&plain));
    let files = |project: &Project| {
        let mut names: Vec<_> =
            fs::read_dir(project.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(files(&ours), files(&plain));
}

#[test]
fn languages_are_what_the_flags_say() {
    let project = Project::with(&[("main.txt", MAIN), ("half.i", HALF)]);
    project.run("byway-cc -x c main.txt -x none half.i -o program").ok();
    assert_eq!(project.run("./program").stdout, "0 x\n");
    assert_eq!(project.carried("program"), (names(&["main.txt", "half.i"]), vec![]));
}

#[test]
fn what_has_no_bitcode_is_named_with_its_reason() {
    let assembly = ".globl half\n.type half, @function\nhalf: mov %edi, %eax\n sar $1, %eax\n ret\n.section .note.GNU-stack,\"\"\n";
    let project = Project::with(&[("main.c", MAIN), ("half.s", assembly), ("extra.c", "int extra;\n")]);
    project.run("clang-19 -c extra.c").ok();
    project.run("byway-cc -c half.s").ok();
    project.run("byway-cc main.c half.o extra.o -o program").ok();
    let (modules, missing) = project.carried("program");
    assert_eq!(modules, ["main.c"]);
    let reasons = [("half.s", "it is written in assembly"), ("extra.o", "it was not compiled by byway-cc")];
    assert_eq!(missing, reasons.map(|(file, reason)| (file.to_owned(), reason.to_owned())));
    let report = project.run("byway doctor program");
    assert_eq!(report.code, Some(6), "{}", report.stdout);
    assert!(report.stdout.contains("without bitcode: 1 (half)"), "{}", report.stdout);
    for kind in ["native", "cov", "asan"] {
        let variant = project.variant("program", kind);
        let ran: Ran = project.command(variant).args(["1", "2", "3"]).output().unwrap().into();
        assert_eq!(ran.ok().stdout, "2 x\n", "{kind}");
    }
}

#[test]
fn a_source_from_standard_input_is_named_as_missing() {
    let project = two_files();
    project.shell("byway-cc -c -x c - -o half.o < half.c").ok();
    project.run("byway-cc main.c half.o -o program").ok();
    let (_, missing) = project.carried("program");
    assert_eq!(missing, [("-".to_owned(), "the source was read from standard input".to_owned())]);
}

#[test]
fn response_files_are_read() {
    let project = two_files();
    project.write("arguments", "-O2 -DNAME=\"with space\"\nmain.c 'half.c' -o program");
    project.run("byway-cc @arguments").ok();
    assert_eq!(project.carried("program"), (names(&["main.c", "half.c"]), vec![]));
}

#[test]
fn an_archive_gives_only_the_members_that_were_linked() {
    let unused = "int unused(void) { return 1; }\n";
    for create in ["ar crs", "ar crsT"] {
        let project = Project::with(&[("main.c", MAIN), ("half.c", HALF), ("unused.c", unused)]);
        project.run("byway-cc -c half.c unused.c").ok();
        project.run(&format!("{create} libhalf.a half.o unused.o")).ok();
        project.run("byway-cc main.c -L. -lhalf -o program").ok();
        assert_eq!(project.carried("program"), (names(&["main.c", "half.c"]), vec![]), "{create}");
        assert_eq!(project.command(project.variant("program", "cov")).output().unwrap().stdout, b"0 x\n", "{create}");
    }
}

#[test]
fn the_plain_members_of_a_mixed_archive_are_linked_again() {
    let quarter = "int half(int);\nint quarter(int x) { return half(half(x)); }\n";
    let main = "#include <stdio.h>\nint quarter(int);\nint main(int c, char **v) { printf(\"%d\\n\", quarter(c)); return 0; }\n";
    let project = Project::with(&[("main.c", main), ("half.c", HALF), ("quarter.c", quarter)]);
    project.run("clang-19 -c half.c").ok();
    project.run("byway-cc -c quarter.c").ok();
    project.run("ar crs liball.a half.o quarter.o").ok();
    project.run("byway-cc main.c liball.a -o program").ok();
    for kind in ["native", "cov", "asan"] {
        let ran: Ran = project.command(project.variant("program", kind)).args(["1", "2", "3"]).output().unwrap().into();
        assert_eq!(ran.ok().stdout, "1\n", "{kind}");
    }
}

#[test]
fn the_sanitizers_find_inline_functions_that_the_program_had_inlined() {
    let header = "inline int twice(int x) { return 2 * x; }\n";
    let user = "#include \"twice.h\"\nint main(int c, char **v) { return twice(c) - 2 * c; }\n";
    let other = "#include \"twice.h\"\nextern inline int twice(int x);\n";
    let project = Project::with(&[("twice.h", header), ("main.c", user), ("twice.c", other)]);
    project.run("byway-cc -O2 -c twice.c").ok();
    project.run("ar crs libtwice.a twice.o").ok();
    project.run("byway-cc -O2 main.c libtwice.a -o program").ok();
    assert_eq!(project.carried("program").0, ["main.c"]);
    for kind in ["native", "cov", "asan"] {
        assert_eq!(project.run(&project.variant("program", kind).display().to_string()).code, Some(0), "{kind}");
    }
}

#[test]
fn partial_links_strip_and_section_collection_keep_the_bitcode() {
    let project = two_files();
    project.run("byway-cc -O2 -ffunction-sections -c main.c half.c").ok();
    project.run("ld -r main.o half.o -o both.o").ok();
    project.run("byway-cc -Wl,--gc-sections -s both.o -o program").ok();
    project.run("strip --strip-all program").ok();
    assert_eq!(project.carried("program"), (names(&["main.c", "half.c"]), vec![]));
    assert_eq!(project.command(project.variant("program", "cov")).output().unwrap().stdout, b"0 x\n");
}

#[test]
fn other_linkers_keep_the_bitcode() {
    let project = two_files();
    project.run("byway-cc -fuse-ld=lld-19 main.c half.c -o program").ok();
    assert_eq!(project.carried("program"), (names(&["main.c", "half.c"]), vec![]));
}

#[test]
fn a_shared_library_carries_its_modules_and_is_covered_through_its_user() {
    // Both sides have a function `helper` of their own; the library does not export its one.
    let half = "__attribute__((visibility(\"hidden\"))) int helper(int x) { return x >> 1; }\nint half(int x) { return helper(x); }\n";
    let main = "#include <stdio.h>\nint half(int);\nint helper(int x) { return -x; }\n\
                int main(int c, char **v) { printf(\"%d %d\\n\", half(c), helper(c)); return 0; }\n";
    let project = Project::with(&[("main.c", main), ("half.c", half)]);
    fs::create_dir(project.path("lib")).unwrap();
    project.run("byway-cc -shared -fPIC -Wl,-soname,libhalf.so.1 half.c -o lib/libhalf.so.1").ok();
    project.run("ln -s libhalf.so.1 lib/libhalf.so").ok();
    project.run("byway-cc main.c -Llib -lhalf -Wl,-rpath,$ORIGIN/lib -o program").ok();
    let (modules, missing) = project.carried("program");
    assert_eq!((modules, missing), (names(&["main.c", "half.c"]), vec![]));
    for kind in ["native", "cov", "asan"] {
        let ran: Ran = project.command(project.variant("program", kind)).args(["1", "2", "3"]).output().unwrap().into();
        assert_eq!(ran.ok().stdout, "2 -4\n", "{kind}");
    }
    let ran = project.run("byway coverage program -- 1 2 3").ok();
    assert!(ran.stdout.lines().any(|line| line.starts_with("half.c") && line.contains("100.0 %")), "{}", ran.stdout);
    assert_eq!(project.doctor("lib/libhalf.so")["program"]["kind"], "shared library");
}

#[test]
fn link_time_optimisation_is_turned_off_and_noted() {
    let project = two_files();
    project.run("byway-cc -O2 -flto -c main.c half.c").ok();
    project.run("byway-cc -O2 -flto=thin main.o half.o -o program").ok();
    assert_eq!(project.run("./program").stdout, "0 x\n");
    let report = project.run("byway doctor program").ok();
    assert!(report.stdout.contains("2 of them: link-time optimisation was turned off"), "{}", report.stdout);
}

#[test]
fn cxx_programs_link_with_their_library() {
    let source = "#include <iostream>\n#include <vector>\nint main(int c, char **) { std::vector<int> v(c); std::cout << v.size() << '\\n'; }\n";
    let project = Project::with(&[("main.cpp", source)]);
    project.run("byway-c++ -std=c++17 -O1 -c main.cpp").ok();
    project.run("byway-c++ main.o -o program").ok();
    for kind in ["native", "cov", "asan"] {
        let ran: Ran = project.command(project.variant("program", kind)).output().unwrap().into();
        assert_eq!(ran.ok().stdout, "1\n", "{kind}");
    }
}

#[test]
fn probes_of_configure_scripts_are_left_alone() {
    let project = Project::with(&[("conftest.c", MAIN)]);
    project.run("byway-cc -c conftest.c").ok();
    assert_eq!(elf::carriage(&fs::read(project.path("conftest.o")).unwrap()), Carriage::Nothing);
}

#[test]
fn a_build_survives_a_front_end_that_fails() {
    let project = two_files();
    let script = "#!/bin/sh\ncase \" $* \" in *\" -emit-llvm \"*) echo 'error: no bitcode today' >&2; exit 1;; esac\nexec clang-19 \"$@\"\n";
    project.write_script("bin/half-clang", script);
    let ran = project.shell("BYWAY_CLANG=half-clang byway-cc main.c half.c -o program").ok();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    assert_eq!(project.run("./program").stdout, "0 x\n");
    let (modules, missing) = project.carried("program");
    assert!(modules.is_empty());
    assert_eq!(missing[0].1, "the front end failed: error: no bitcode today");
}

#[test]
fn a_build_survives_output_that_cannot_carry() {
    let project = two_files();
    project.run("byway-cc -c half.c -o /dev/null").ok();
    project.run("byway-cc -m32 -ffreestanding -c half.c -o half32.o").ok();
}

#[test]
fn a_missing_clang_is_explained() {
    let project = two_files();
    let ran = project.shell("BYWAY_CLANG=no-such-clang byway-cc -c half.c");
    ran.fails(127, "install clang-19, or set BYWAY_CLANG");
}

#[test]
fn a_compiler_killed_by_a_signal_kills_the_wrapper() {
    let project = two_files();
    project.write_script("bin/dying-clang", "#!/bin/sh\nkill -TERM $$\n");
    let ran = project.command("byway-cc").args(["-c", "half.c"]).env("BYWAY_CLANG", "dying-clang").output().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ran.status), Some(15));
}

#[test]
fn parallel_make_works() {
    let makefile = "CC = byway-cc\nOBJECTS = main.o half.o\nprogram: $(OBJECTS)\n\t$(CC) -o $@ $(OBJECTS)\n";
    let project = two_files();
    project.write("Makefile", makefile);
    project.run("make -s -j4").ok();
    assert_eq!(project.carried("program"), (names(&["main.c", "half.c"]), vec![]));
}

#[test]
fn constructors_and_weak_definitions_keep_the_order_of_the_link() {
    let unit = |name: &str| {
        format!(
            "#include <stdio.h>\n__attribute__((constructor)) static void start(void) {{ puts(\"start {name}\"); }}\n\
             __attribute__((weak)) void who(void) {{ puts(\"{name}\"); }}\n"
        )
    };
    let main = unit("main") + "int main(void) { who(); return 0; }\n";
    let project = Project::with(&[("main.c", &main), ("other.c", &unit("other"))]);
    project.run("byway-cc -c other.c").ok();
    for inputs in ["main.c other.o", "other.o main.c"] {
        project.run(&format!("byway-cc {inputs} -o program")).ok();
        let native = project.run("./program").ok();
        for kind in ["native", "cov", "asan"] {
            let variant = project.variant("program", kind).display().to_string();
            assert_eq!(project.run(&variant), native, "{inputs}, {kind}");
        }
    }
}

/// A program with a shared library: both sources, and the flags of either link.
fn with_library(main: &str, library: &str, library_flags: &str) -> Project {
    let project = Project::with(&[("main.c", main), ("library.c", library)]);
    project.run(&format!("byway-cc -shared -fPIC library.c {library_flags} -o liblibrary.so")).ok();
    project.run("byway-cc main.c -L . -llibrary -Wl,-rpath,$ORIGIN -o program").ok();
    project
}

#[test]
fn symbols_of_shared_libraries_bind_as_they_do_for_the_dynamic_linker() {
    let main = "#include <stdio.h>\nint value(void);\nint same(void) { return 1; }\nstatic int counter = 5;\n\
                int main(void) { printf(\"%d %d %d\\n\", same(), value(), counter); return 0; }\n";
    let library = |how: &str| {
        format!(
            "int counter = 7;\n{how} int same(void) {{ return 2; }}\nint value(void) {{ return 10 * same() + counter; }}\n"
        )
    };
    let alias = "static int inner(void) { return 2; }\nint counter = 7;\n\
                 int same(void) __attribute__((alias(\"inner\"), visibility(\"hidden\")));\n\
                 int value(void) { return 10 * same() + counter; }\n";
    for (how, source, flags) in [
        ("default", library(""), ""),
        ("hidden", library("__attribute__((visibility(\"hidden\")))"), ""),
        ("hidden and weak", library("__attribute__((weak, visibility(\"hidden\")))"), ""),
        ("protected", library("__attribute__((visibility(\"protected\")))"), ""),
        ("symbolic", library(""), "-Wl,-Bsymbolic"),
        ("hidden alias", alias.to_owned(), ""),
    ] {
        let project = with_library(main, &source, flags);
        let native = project.run("./program").ok();
        for kind in ["native", "cov", "asan"] {
            let variant = project.variant("program", kind).display().to_string();
            assert_eq!(project.run(&variant), native, "{how}, {kind}");
        }
    }
}

#[test]
fn shared_libraries_are_initialised_before_their_users() {
    let main = "#include <stdio.h>\nint ready(void);\n\
                __attribute__((constructor)) static void start(void) { printf(\"main, %d\\n\", ready()); }\n\
                int main(void) { return 0; }\n";
    let library = "#include <stdio.h>\nstatic int is_ready;\nint ready(void) { return is_ready; }\n\
                   __attribute__((constructor)) static void start(void) { is_ready = 1; puts(\"library\"); }\n";
    let project = with_library(main, library, "");
    let native = project.run("./program").ok();
    for kind in ["native", "cov", "asan"] {
        assert_eq!(project.run(&project.variant("program", kind).display().to_string()), native, "{kind}");
    }
}

#[test]
fn what_a_shared_library_needs_comes_with_it() {
    // One static library beside the sources, one shared library in a directory of its own that only an rpath names.
    let project = Project::with(&[
        ("main.c", "int outer(int);\nint main(int c, char **v) { return outer(c) - 6; }\n"),
        ("outer.c", "int inner(int);\nint deep(int);\nint outer(int x) { return inner(x) + deep(x); }\n"),
        ("dep/inner.c", "int inner(int x) { return x + 1; }\n"),
        ("dep/deep.c", "int deep(int x) { return x + 2; }\n"),
    ]);
    let script = "cd dep && clang-19 -fPIC -c inner.c && ar crs libinner.a inner.o && \
                  clang-19 -shared -fPIC deep.c -o libdeep.so && mkdir ../lib && cd ../lib && \
                  byway-cc -shared -fPIC ../outer.c ../dep/libinner.a -L ../dep -ldeep -Wl,-rpath,$PWD/../dep -o libouter.so && \
                  cd .. && byway-cc main.c -Llib -louter -Wl,-rpath,$PWD/lib -o program";
    project.shell(script).ok();
    for program in ["./program".to_owned()]
        .into_iter()
        .chain(["native", "cov", "asan"].map(|kind| project.variant("program", kind).display().to_string()))
    {
        assert_eq!(project.run(&program).code, Some(255), "{program}");
    }
}

#[test]
fn libraries_that_need_each_other_end() {
    let project = Project::with(&[
        ("main.c", "int a(int);\nint main(int c, char **v) { return a(c - 1); }\n"),
        ("a.c", "int b(int);\nint a(int x) { return x ? b(x - 1) : 0; }\n"),
        ("b.c", "int a(int);\nint b(int x) { return x ? a(x - 1) : 0; }\n"),
    ]);
    project.run("byway-cc -shared -fPIC a.c -o liba.so").ok();
    project.run("byway-cc -shared -fPIC b.c -L. -la -o libb.so").ok();
    project.run("byway-cc -shared -fPIC a.c -L. -lb -o liba.so").ok();
    project.run("byway-cc main.c -L. -la -lb -Wl,-rpath,$ORIGIN -o program").ok();
    for kind in ["native", "cov"] {
        assert_eq!(project.run(&project.variant("program", kind).display().to_string()).code, Some(0), "{kind}");
    }
}

#[test]
fn files_that_the_linker_wrote_are_not_written_again() {
    let project = two_files();
    project.run("byway-cc main.c half.c -Wl,--gc-sections,-Map=one.map -Xlinker -Map -Xlinker two.map -o program").ok();
    fs::write(project.path("two.map"), "mine").unwrap();
    project.variant("program", "cov");
    project.variant("program", "asan");
    assert_eq!(fs::read_to_string(project.path("two.map")).unwrap(), "mine");
}

#[test]
fn a_file_that_was_not_written_gets_no_records() {
    let project = two_files();
    project.run("byway-cc main.c half.c -o program").ok();
    let before = fs::read(project.path("program")).unwrap();
    project.run("byway-cc main.c half.c -o program -Wl,--version").ok();
    assert!(fs::read(project.path("program")).unwrap() == before);
}

#[test]
fn an_object_with_other_names_is_copied_before_it_gets_records() {
    let project = two_files();
    project.run("clang-19 -c half.c -o cached.o").ok();
    let cached = fs::read(project.path("cached.o")).unwrap();
    project.write_script(
        "bin/cache",
        "#!/bin/sh\ncase \" $* \" in *\" -emit-llvm \"*) exec clang-19 \"$@\";; esac\nln -f cached.o half.o\n",
    );
    project.shell("BYWAY_CLANG=cache byway-cc -c half.c").ok();
    assert!(fs::read(project.path("cached.o")).unwrap() == cached);
    assert_eq!(elf::carriage(&fs::read(project.path("half.o")).unwrap()), Carriage::Bitcode(1));
}

#[test]
fn odd_names_and_long_command_lines_do_not_break_a_build() {
    let project = two_files();
    let script = r#"
        odd="$(printf 'odd\377 name')"
        mkdir "$odd"
        cp main.c half.c "$odd"
        (cd "$odd" && byway-cc main.c half.c -o program && ./program)
        byway-cc "$odd/main.c" half.c -o "$odd/again"
        for i in $(seq 20000); do echo "-DAN_UNUSED_MACRO_NAME_NUMBER_$i=$i"; done > many
        byway-cc -flto @many -c half.c
        byway-cc main.c half.o -o program"#;
    project.shell(script).ok();
    assert_eq!(project.carried("program"), (names(&["main.c", "half.c"]), vec![]));
}

#[test]
fn the_wrapper_can_be_turned_off() {
    let project = two_files();
    project.shell("BYWAY_CC=off byway-cc main.c half.c -o program").ok();
    assert_eq!(elf::carriage(&fs::read(project.path("program")).unwrap()), Carriage::Nothing);
}

#[test]
fn positions_are_there_whatever_the_debug_level() {
    let project = two_files();
    project.run("byway-cc -g0 main.c half.c -o program").ok();
    let ran = project.run("byway coverage program").ok();
    assert!(ran.stdout.lines().any(|line| line.starts_with("half.c") && line.contains("1/1")), "{}", ran.stdout);
}

/// All variants of `program` behave as it does, with one argument.
#[track_caller]
fn all_the_same(project: &Project, what: &str) {
    let native = project.run("./program x").ok();
    for kind in ["native", "cov", "asan"] {
        let variant = project.variant("program", kind).display().to_string();
        assert_eq!(project.run(&format!("{variant} x")), native, "{what}, {kind}");
    }
}

#[test]
fn of_two_libraries_the_first_defines_what_both_do() {
    let library = |name: &str, value: u32| {
        format!("int value(void) {{ return {value}; }}\nint {name}(void) {{ return value(); }}\n")
    };
    let main = "#include <stdio.h>\nint first(void), second(void);\nint main(void) { printf(\"%d %d\\n\", first(), second()); return 0; }\n";
    let project =
        Project::with(&[("main.c", main), ("first.c", &library("first", 1)), ("second.c", &library("second", 2))]);
    for name in ["first", "second"] {
        project.run(&format!("byway-cc -shared -fPIC {name}.c -o lib{name}.so")).ok();
    }
    for order in ["-lfirst -lsecond", "-lsecond -lfirst"] {
        project.run(&format!("byway-cc main.c -L. {order} -Wl,-rpath,$ORIGIN -o program")).ok();
        all_the_same(&project, order);
    }
}

#[test]
fn a_hidden_symbol_of_the_program_is_its_own() {
    let main = "#include <stdio.h>\nint value(void);\n__attribute__((visibility(\"hidden\"))) int same(void) { return 1; }\n\
                int main(void) { printf(\"%d %d\\n\", same(), value()); return 0; }\n";
    let library = "int same(void) { return 2; }\nint value(void) { return same(); }\n";
    all_the_same(&with_library(main, library, ""), "hidden in the program");
}

#[test]
fn symbol_versions_and_assembly_of_a_library_find_their_symbols() {
    let library = "int old_value(void) { return 1; }\nint new_value(void) { return 2; }\n\
                   __asm__(\".symver old_value, value@V1\");\n__asm__(\".symver new_value, value@@V2\");\n\
                   int hidden(void) { return 3; }\n\
                   __asm__(\".globl jump\\n.type jump, @function\\njump: jmp hidden@PLT\");\n";
    let main = "#include <stdio.h>\nint value(void), jump(void);\nint main(void) { printf(\"%d %d\\n\", value(), jump()); return 0; }\n";
    let project = Project::with(&[("main.c", main), ("library.c", library)]);
    project.write("versions", "V1 { global: value; local: *; };\nV2 { global: value; jump; } V1;\n");
    project.run("byway-cc -shared -fPIC library.c -Wl,--version-script=versions -o liblibrary.so").ok();
    project.run("byway-cc main.c -L. -llibrary -Wl,-rpath,$ORIGIN -o program").ok();
    all_the_same(&project, "versions");
}

#[test]
fn a_library_that_the_linker_dropped_is_not_folded_in() {
    let library = "#include <stdio.h>\n__attribute__((constructor)) static void start(void) { puts(\"here\"); }\n";
    let project = Project::with(&[("main.c", "int main(void) { return 0; }\n"), ("library.c", library)]);
    project.run("byway-cc -shared -fPIC library.c -o liblibrary.so").ok();
    project.run("byway-cc main.c -L. -Wl,--as-needed -llibrary -Wl,-rpath,$ORIGIN -o program").ok();
    assert_eq!(project.run("./program x").ok().stdout, "");
    all_the_same(&project, "as needed");
}

#[test]
fn the_sanitizers_check_shared_libraries_wherever_the_program_finds_its_own() {
    let main = "#include <stdlib.h>\nint at(int);\nint main(int c, char **v) { return at(atoi(v[c - 1])); }\n";
    let library = "static int table[4];\nint at(int index) { return table[index]; }\n";
    let project = with_library(main, library, "");
    let asan = project.variant("program", "asan");
    for directory in ["", "."] {
        let directory = project.path(directory);
        let ran = project.command(&asan).arg("4").env("LD_LIBRARY_PATH", directory).output().unwrap();
        let messages = String::from_utf8_lossy(&ran.stderr);
        assert!(messages.contains("global-buffer-overflow"), "{messages}");
    }
}

#[test]
fn assembly_on_a_link_command_is_assembled_again() {
    let assembly = "#ifdef SIZE\n.globl half\nhalf: mov %edi, %eax\n sar $SIZE, %eax\n ret\n#endif\n.section .note.GNU-stack,\"\"\n";
    let project = Project::with(&[("main.c", MAIN), ("half.S", assembly)]);
    project.run("byway-cc -DSIZE=1 main.c half.S -o program").ok();
    let (_, missing) = project.carried("program");
    assert_eq!(missing, [("half.S".to_owned(), "it is written in assembly".to_owned())]);
    all_the_same(&project, "assembly");
}

#[test]
fn files_among_words_for_the_linker_are_linked_once() {
    let project = two_files();
    project.run("byway-cc -c half.c main.c").ok();
    project.run("ar crs libhalf.a half.o").ok();
    for words in ["main.o -Wl,--whole-archive,libhalf.a,--no-whole-archive", "main.o -Wl,half.o"] {
        project.run(&format!("byway-cc {words} -o program")).ok();
        all_the_same(&project, words);
    }
}

#[test]
fn a_library_that_is_gone_is_named() {
    let project = with_library("int f(void);\nint main(void) { return f(); }\n", "int f(void) { return 0; }\n", "");
    fs::remove_file(project.path("liblibrary.so")).unwrap();
    let (_, missing) = project.carried("program");
    assert_eq!(missing, [("liblibrary.so".to_owned(), "this shared library is gone".to_owned())]);
}

#[test]
fn further_names_of_functions_are_not_missing() {
    let source = "int one(void) { return 1; }\nint two(void) __attribute__((alias(\"one\")));\nint main(void) { return two() - 1; }\n";
    let project = Project::with(&[("main.c", source)]);
    project.run("byway-cc main.c -o program").ok();
    assert_eq!(project.doctor("program")["program"]["functions_without_bitcode"], serde_json::json!([]));
}

#[test]
fn inline_functions_of_headers_are_not_taken_for_the_library() {
    // The optimiser sees that this putchar always prints a space, and makes another of the printf that prints a line's end.
    let project = Project::with(&[
        ("a.c", "#include <stdio.h>\nvoid space(void) { for (int i = 0; i < 3; i++) putchar(32); }\n"),
        (
            "b.c",
            "#include <stdio.h>\nvoid space(void);\n\
             int main(void) { printf(\"x%d\", 1); printf(\"\\n\"); space(); printf(\"\\n\"); return 0; }\n",
        ),
    ]);
    project.shell("byway-cc -O2 a.c b.c -o prog").ok();
    for kind in ["native", "cov", "sym"] {
        let variant = project.variant("prog", kind);
        assert_eq!(project.run(variant.to_str().unwrap()).ok().stdout, "x1\n   \n", "{kind}");
    }
}
