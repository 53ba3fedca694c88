//! Input that byway cannot follow is said by name, and is no success.

mod common;

use common::{Project, Ran};

const STREAM: &str = "#include <iostream>
int main() {
  char c = 0;
  std::cin >> c;
  return c == 'x';
}
";

const FILE_STREAM: &str = "#include <fstream>
int main(int, char **words) {
  std::ifstream file(words[1]);
  char c = 0;
  file >> c;
  return c == 'x';
}
";

/// What reads is a library of its own, built without byway.
const READER: &str = "#include <unistd.h>
char read_one(void) { char c = 0; read(0, &c, 1); return c; }
";
const USES_READER: &str = "char read_one(void);
int main(void) { return read_one() == 'x'; }
";

fn byway(project: &Project, arguments: &[&str]) -> Ran {
    project.command(env!("CARGO_BIN_EXE_byway")).args(arguments).output().unwrap().into()
}

fn says_so(ran: &Ran, name: &str) {
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(name), "{}", ran.stdout);
    assert!(!ran.stdout.contains("everything up to") && !ran.stdout.contains("all paths"), "{}", ran.stdout);
    assert!(ran.stderr.contains("byway cannot follow the input"), "{}", ran.stderr);
}

#[test]
fn what_cpp_streams_read_is_named() {
    let project = Project::with(&[("stream.cc", STREAM), ("file.cc", FILE_STREAM), ("data", "a\n")]);
    project.run("byway-c++ -g stream.cc -o stream").ok();
    project.run("byway-c++ -g file.cc -o file").ok();
    let options = ["check", "--time", "10", "--max-distance", "1", "--", "sh", "-c"];
    says_so(
        &byway(&project, &[&options[..], &["./stream </dev/null; echo a | ./stream"]].concat()),
        "stdin, read by the C++ streams of libstdc++",
    );
    says_so(&byway(&project, &[&options[..], &["./file data"]].concat()), "data, read by the C++ streams of libstdc++");
}

#[test]
fn what_a_library_without_bitcode_reads_is_named() {
    let project = Project::with(&[("reader.c", READER), ("main.c", USES_READER)]);
    project.run("clang-19 -shared -fPIC reader.c -o libreader.so").ok();
    project.shell("byway-cc -g main.c -o main -L. -lreader -Wl,-rpath,$PWD").ok();
    let ran = byway(&project, &["check", "--time", "10", "--max-distance", "1", "--", "sh", "-c", "echo a | ./main"]);
    says_so(&ran, "stdin, read by libreader.so");
    let ran = project.shell("echo a | byway explore ./main --time 10");
    says_so(&ran, "stdin, read by libreader.so");
}
