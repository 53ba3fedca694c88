//! Input that libraries read which byway did not compile: the trace says what, and who read it.

mod common;

use std::fs;

use common::{Project, Ran};
use serde_json::Value;

const READER: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static char first(int fd) { char c = 0; return read(fd, &c, 1) == 1 ? c : 0; }
char by_path(const char *path) { int fd = open(path, O_RDONLY); char c = first(fd); close(fd); return c; }
char by_descriptor(int fd) { char c = 0; return pread(fd, &c, 1, 1) == 1 ? c : 0; }
char by_mapping(int fd) { return *(char *)mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0); }
char by_stream(FILE *stream) { return getc(stream); }
int own_text(char *to) { FILE *f = fopen("own", "w+"); fputs("x", f); rewind(f); *to = getc(f); return fclose(f); }
"#;

const USER: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <string.h>
char by_path(const char *), by_descriptor(int), by_mapping(int), by_stream(FILE *);
int own_text(char *);
int main(int argc, char **argv) {
  char c = 0;
  if (!strcmp(argv[1], "path")) c = by_path("data");
  if (!strcmp(argv[1], "descriptor")) c = by_descriptor(open("data", O_RDONLY));
  if (!strcmp(argv[1], "mapping")) c = by_mapping(open("data", O_RDONLY));
  if (!strcmp(argv[1], "stream")) c = by_stream(fopen("data", "r"));
  if (!strcmp(argv[1], "stdin")) c = by_stream(stdin);
  if (!strcmp(argv[1], "own")) own_text(&c);
  if (!strcmp(argv[1], "itself")) c = getc(fopen("data", "r"));
  return c == 'x';
}
"#;

/// A program, and a library that was built without byway.
fn project() -> Project {
    let project = Project::with(&[("reader.c", READER), ("user.c", USER), ("data", "ab")]);
    project.run("clang-19 -shared -fPIC reader.c -o libreader.so").ok();
    project.run("byway-cc -g user.c -o user -L. -lreader -Wl,-rpath,.").ok();
    project
}

/// What a trace says of unseen input.
fn unseen(project: &Project, program: &str, arguments: &[&str]) -> Vec<String> {
    let input = fs::File::open(project.path("data")).unwrap();
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.args(["trace", program, "--json", "--no-native", "--output", "report.json", "--"]).args(arguments);
    let ran: Ran = command.stdin(input).output().unwrap().into();
    let report = fs::read_to_string(project.path("report.json")).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let report: Value = serde_json::from_str(&report).unwrap();
    let losses = report["losses"].as_array().unwrap().iter().filter(|loss| loss["cause"] == "unseen-input");
    losses.map(|loss| loss["function"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_file_that_a_library_reads_is_named_with_the_library() {
    let project = project();
    let expected = format!("{}, read by libreader.so", project.path("data").canonicalize().unwrap().display());
    for how in ["path", "descriptor", "mapping", "stream"] {
        assert_eq!(unseen(&project, "user", &[how]), [expected.as_str()], "{how}");
    }
}

#[test]
fn standard_input_that_a_library_reads_is_named_with_the_library() {
    assert_eq!(unseen(&project(), "user", &["stdin"]), ["stdin, read by libreader.so"]);
}

#[test]
fn what_the_program_reads_or_a_library_wrote_is_not_unseen() {
    let project = project();
    for how in ["own", "itself", "nothing"] {
        assert_eq!(unseen(&project, "user", &[how]), [""; 0], "{how}");
    }
}

const STREAMS: &str = r#"#include <fstream>
#include <iostream>
#include <string>
int main(int argc, char **argv) {
  std::string word;
  if (argc > 2) std::ios::sync_with_stdio(false);
  if (argv[1] == std::string("cin")) std::cin >> word;
  else { std::ifstream file(argv[1]); std::getline(file, word); }
  return word == "xyz";
}
"#;

#[test]
fn cpp_streams_are_named() {
    let project = Project::with(&[("streams.cc", STREAMS), ("data", "ab\n")]);
    project.run("byway-c++ -g streams.cc -o streams").ok();
    let by = "read by the C++ streams of libstdc++.so.6";
    assert_eq!(unseen(&project, "streams", &["cin"]), [format!("stdin, {by}")]);
    assert_eq!(unseen(&project, "streams", &["cin", "alone"]), [format!("stdin, {by}")]);
    let data = project.path("data").canonicalize().unwrap();
    assert_eq!(unseen(&project, "streams", &["data"]), [format!("{}, {by}", data.display())]);
}
