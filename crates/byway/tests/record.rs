//! Test commands, recorded: every run of a program that carries bitcode becomes a seed, and nothing else changes.
//!
//! One file although it is long: each further test program is linked by itself.

mod common;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use byway_suite::{Seed, Suite};

use common::{Project, Ran};

/// Prints the files that are its arguments, or else standard input, and does what options say.
const SHOW: &str = r#"
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static void show(FILE *file) {
  char line[64];
  while (fgets(line, sizeof line, file))
    fputs(line, stdout);
}

static void handle(int number) {
  (void)number;
  write(1, "handled\n", 8);
}

int main(int argc, char **argv) {
  if (argc == 1)
    show(stdin);
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--exit"))
      return atoi(argv[++i]);
    if (!strcmp(argv[i], "--kill"))
      raise(atoi(argv[++i]));
    else if (!strcmp(argv[i], "--say"))
      fputs(argv[++i], stderr);
    else if (!strcmp(argv[i], "--unread"))
      continue;
    else if (!strcmp(argv[i], "--handle")) {
      struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
      sigaction(SIGUSR1, &action, 0);
      printf("ready\n");
      fflush(stdout);
      show(stdin);
    } else if (!strcmp(argv[i], "--byte")) {
      char byte;
      if (read(0, &byte, 1) == 1)
        putchar(byte);
    } else if (!strcmp(argv[i], "--drain")) {
      int to = open(argv[++i], O_WRONLY);
      while (splice(0, 0, to, 0, 1000, 0) > 0)
        ;
    } else if (!strcmp(argv[i], "--nowhere")) {
      if (readv(0, (struct iovec *)1, 1) < 0)
        perror("readv");
    } else if (!strcmp(argv[i], "--list")) {
      DIR *directory = opendir(argv[++i]);
      int count = 0;
      while (readdir(directory))
        count++;
      printf("%d\n", count);
    } else if (!strcmp(argv[i], "--hidden")) {
      int file = open("hidden.conf", O_RDONLY | O_CLOEXEC);
      printf("%s\n", file < 0 ? "none" : "some");
    } else {
      FILE *file = fopen(argv[i], "r");
      if (!file) {
        perror(argv[i]);
        return 1;
      }
      show(file);
      fclose(file);
    }
  }
  return 0;
}
"#;

/// A project with the program `show`.
fn project() -> Project {
    let project = Project::with(&[("show.c", SHOW), ("hello.txt", "hello\n")]);
    project.run("byway-cc -O1 show.c -o show").ok();
    project
}

/// What came of recording a script.
struct Recorded {
    ran: Ran,
    suite: Suite,
}

impl Recorded {
    /// The only seed.
    #[track_caller]
    fn only(&self) -> &Seed {
        assert_eq!(self.suite.seeds.len(), 1, "{:#?}\n{}", self.suite.seeds, self.ran.stderr);
        &self.suite.seeds[0]
    }
}

/// Records a script, which must do what it does alone: same output, same exit code.
#[track_caller]
fn record(project: &Project, script: &str) -> Recorded {
    project.write("tests.sh", script);
    let alone: Ran = project.command("sh").arg("tests.sh").output().unwrap().into();
    let ran = project.run("byway record -o seeds -- sh tests.sh");
    assert_eq!((&alone.stdout, alone.code), (&ran.stdout, ran.code), "{}", ran.stderr);
    let said = ran.stderr.split_once("byway: ").map_or(ran.stderr.as_str(), |(said, _)| said);
    assert_eq!(alone.stderr, said);
    let suite = Suite::open(&project.path("seeds")).unwrap();
    Recorded { ran, suite }
}

fn arguments(seed: &Seed) -> Vec<&str> {
    seed.command().map(|argument| std::str::from_utf8(argument).unwrap()).collect()
}

fn stdin(seed: &Seed) -> Option<String> {
    seed.input.stdin.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

fn file(seed: &Seed, name: &str) -> Option<String> {
    let (_, file) = seed.input.files.iter().find(|(path, _)| path.ends_with(name))?;
    Some(String::from_utf8_lossy(&file.content).into_owned())
}

fn first_file(seed: &Seed) -> Vec<u8> {
    seed.input.files.iter().next().unwrap().1.content.to_vec()
}

fn exit_code(seed: &Seed) -> String {
    seed.ending.map_or_else(|| "unknown".to_owned(), |ending| ending.to_string())
}

#[test]
fn a_run_is_captured_with_all_that_it_read() {
    let project = project();
    let recorded = record(&project, "(cd . && GREETING=hi ./show hello.txt)");
    let seed = recorded.only();
    assert_eq!(seed.name, "0001-show");
    assert_eq!(arguments(seed), ["./show", "hello.txt"]);
    assert_eq!((file(seed, "hello.txt").as_deref(), seed.stdout.as_slice()), (Some("hello\n"), b"hello\n".as_slice()));
    assert!(seed.input.fixture.environment.contains(&("GREETING".into(), "hi".into())));
    let here = project.path(".").canonicalize().unwrap();
    assert_eq!((&seed.input.fixture.directory, &seed.executable.path), (&Some(here.clone()), &here.join("show")));
    assert_eq!(fs::read(&seed.executable.copy).unwrap(), fs::read(project.path("show")).unwrap());
    assert_eq!((exit_code(seed).as_str(), seed.times), ("exit code 0", 1));
    assert!(recorded.ran.stderr.contains("1 run of 1 program captured: 1 seed in seeds"), "{}", recorded.ran.stderr);
}

#[test]
fn it_does_not_matter_how_a_program_is_started() {
    let project = project();
    project.run("byway-cc -O1 -static show.c -o static").ok();
    project.write(".libs/README", "");
    project.run("cp show .libs/real").ok();
    project.write("wrapper", "#!/bin/sh\nLD_LIBRARY_PATH=$PWD/.libs exec \"$PWD/.libs/real\" \"$@\"\n");
    project.write("script", format!("#!{} hello.txt\nscripted\n", project.path("show").display()));
    let recorded = record(
        &project,
        "chmod +x wrapper script\n\
         env -i ./show hello.txt\n\
         ./static hello.txt\n\
         cp show other; ./other hello.txt; rm other\n\
         ./wrapper hello.txt\n\
         ./script\n\
         find hello.txt -exec ./show '{}' ';'\n\
         $(echo ./show) hello.txt | cat\n\
         ./show hello.txt & ./show hello.txt & wait\n",
    );
    let names: Vec<_> = recorded.suite.seeds.iter().map(|seed| seed.name.split_once('-').unwrap().1).collect();
    for name in ["show", "static", "other", "real"] {
        assert!(names.contains(&name), "no {name} in {names:?}");
    }
    assert_eq!(recorded.suite.runs, 9);
    assert!(recorded.suite.seeds.iter().all(|seed| file(seed, "hello.txt").is_some()));
    let seeds = &recorded.suite.seeds;
    let scripted = seeds.iter().find(|seed| file(seed, "script").is_some()).unwrap();
    assert_eq!(arguments(scripted)[1..], ["hello.txt", "./script"]);
    let bare = seeds.iter().find(|seed| seed.input.fixture.environment.is_empty()).unwrap();
    assert_eq!(bare.executable.path, project.path("show").canonicalize().unwrap());
}

#[test]
fn standard_input_is_what_the_program_read_and_no_more() {
    let project = project();
    let input = |script: &str| stdin(record(&project, script).only());
    assert_eq!(input("./show < hello.txt"), Some("hello\n".to_owned()));
    assert_eq!(input("./show <<X\nhere\nX"), Some("here\n".to_owned()));
    assert_eq!(input("echo piped | ./show"), Some("piped\n".to_owned()));
    assert_eq!(input("(sleep 0.1; echo a; sleep 0.1; echo b) | ./show"), Some("a\nb\n".to_owned()));
    assert_eq!(input("printf abc | (dd bs=1 count=1 2>/dev/null; ./show)"), Some("bc".to_owned()));
    assert_eq!(input("printf abc | (./show --byte; cat)"), Some("a".to_owned()));
    // Thrown away is read too; what goes elsewhere is not followed.
    assert_eq!(input("seq 1000 | ./show --byte --drain /dev/null").map(|text| text.len()), Some(3893));
    assert_eq!(input("(echo a; sleep 0.2; echo b) | ./show --drain /dev/null").as_deref(), Some("a\nb\n"));
    assert_eq!(input("echo a | ./show --drain /dev/stdout | cat"), None);
    assert_eq!(input("(read line; ./show) < hello.txt"), Some(String::new()));
    assert_eq!(input("echo unread | ./show --unread"), None);
    assert_eq!(input("./show <&-"), None);
    assert_eq!(input("./show </dev/null"), None);
    let long = input("seq 100000 | ./show").unwrap();
    assert_eq!((long.lines().count(), long.lines().last()), (100_000, Some("100000")));
}

#[test]
fn files_are_kept_as_they_were() {
    let project = project();
    let recorded = record(
        &project,
        "mkdir -p sub; ln -sf hello.txt link\n\
         echo one > data; ./show data; echo two > data; ./show data; rm data\n\
         ./show link\n\
         ./show nothing\n\
         ./show --hidden; echo x > hidden.conf; ./show --hidden; rm hidden.conf\n\
         echo a > sub/a; ./show --list sub; rm -r sub link\n",
    );
    let seeds = &recorded.suite.seeds;
    assert_eq!(seeds.len(), 7);
    assert_eq!(
        (file(&seeds[0], "data").as_deref(), file(&seeds[1], "data").as_deref()),
        (Some("one\n"), Some("two\n"))
    );
    let here = project.path(".").canonicalize().unwrap();
    assert_eq!(seeds[2].input.fixture.links, [(here.join("link"), PathBuf::from("hello.txt"))]);
    assert_eq!(file(&seeds[2], "hello.txt").as_deref(), Some("hello\n"));
    assert_eq!(
        (&seeds[3].input.fixture.absent, exit_code(&seeds[3]).as_str()),
        (&vec![here.join("nothing")], "exit code 1")
    );
    assert!(seeds[4].input.fixture.absent.contains(&here.join("hidden.conf")));
    assert_eq!(file(&seeds[5], "hidden.conf").as_deref(), Some("x\n"));
    assert_eq!(file(&seeds[6], "sub/a").as_deref(), Some("a\n"));
    assert!(seeds[6].input.fixture.directories.contains(&here.join("sub")));
}

#[test]
fn the_same_run_is_one_seed_wherever_it_is_made() {
    let project = project();
    let recorded = record(
        &project,
        "for d in one two; do mkdir $d; (cd $d; echo x > data; ../show data; ../show \"$PWD/data\"); rm -r $d; done\n\
         ./show hello.txt; ./show hello.txt; ./show hello.txt\n",
    );
    let times: Vec<u32> = recorded.suite.seeds.iter().map(|seed| seed.times).collect();
    assert_eq!((recorded.suite.runs, times), (7, vec![2, 2, 3]));
}

#[test]
fn endings_and_output_are_kept() {
    let project = project();
    let recorded = record(
        &project,
        "./show --say problem --exit 42 2>&1\n\
         (./show --kill 9) 2>/dev/null\n\
         (./show --kill 6) 2>/dev/null\n\
         timeout -s TERM 2 ./show < /dev/zero >/dev/null\n\
         exit 3",
    );
    let endings: Vec<String> = recorded.suite.seeds.iter().map(exit_code).collect();
    assert_eq!(endings, ["exit code 42", "signal 9", "signal SIGABRT", "signal 15"]);
    assert_eq!(recorded.suite.seeds[0].stderr, b"problem");
    assert_eq!(recorded.ran.code, Some(3));
}

#[test]
fn a_signal_reaches_a_program_that_waits_for_input() {
    let project = project();
    project.write(
        "tests.sh",
        "mkfifo pipe; (until grep -q ready out; do sleep 0.1; done; kill -USR1 $(cat pid); sleep 0.2; echo late) > pipe & \n\
         touch out; sh -c 'echo $$ > pid; exec ./show --handle' < pipe > out\nrm pipe; cat out\n",
    );
    let ran = project.run("byway record -o seeds -- sh tests.sh").ok();
    assert_eq!(ran.stdout, "ready\nhandled\nlate\n");
    let suite = Suite::open(&project.path("seeds")).unwrap();
    assert_eq!(stdin(&suite.seeds[0]).as_deref(), Some("late\n"));
}

#[test]
fn a_read_that_fails_alone_fails_under_us() {
    let project = project();
    let recorded = record(&project, "echo one | ./show --nowhere --byte");
    assert_eq!(recorded.ran.stdout, "o");
    assert!(recorded.ran.stderr.starts_with("readv: Bad address\n"), "{}", recorded.ran.stderr);
    assert_eq!(stdin(recorded.only()).as_deref(), Some("o"));
}

#[test]
fn what_is_not_captured_is_said() {
    let project = project();
    project.run("clang-19 -O1 show.c -o plain").ok();
    let recorded = record(&project, "./plain hello.txt; ./plain hello.txt; ./show hello.txt");
    let (suite, said) = (&recorded.suite, &recorded.ran.stderr);
    assert_eq!(suite.not_captured.len(), 1, "{:?}", suite.not_captured);
    assert!(said.contains("plain: it carries no bitcode: build it with CC=byway-cc (2 times)"), "{said}");
    let ran = project.run("byway record -o seeds -- ./plain hello.txt");
    assert_eq!(ran.stdout, "hello\n");
    ran.fails(5, "build the project with CC=byway-cc");
    // Its own exit code says more.
    project.run("byway record -o seeds -- ./plain nothing").fails(1, "No such file");
}

#[test]
fn a_command_that_is_not_there_is_a_mistake_of_the_user() {
    let project = project();
    project.run("byway record -- no-such-command").fails(1, "cannot run no-such-command: No such file or directory");
    project.run("byway record -- ./no-such-command").fails(1, "cannot run ./no-such-command");
    project.run("byway record").fails(1, "COMMAND");
    assert!(!project.path("byway.seeds").exists());
    project.run("byway record -- ./hello.txt").fails(1, "cannot run ./hello.txt: Permission denied");
}

#[test]
fn seeds_replace_seeds_and_nothing_else() {
    let project = project();
    project.run("byway record -- ./show hello.txt").ok();
    project.run("byway record -- ./show --unread").ok();
    let names = |place: &str| -> Vec<String> {
        let suite = Suite::open(&project.path(place)).unwrap();
        suite.seeds.iter().map(|seed| arguments(seed)[1].to_owned()).collect()
    };
    assert_eq!((names("byway.seeds"), names("byway.seeds.old")), (vec!["--unread".into()], vec!["hello.txt".into()]));
    project.write("mine/notes", "important");
    project.run("byway record -o mine -- ./show hello.txt").fails(10, "mine is not a directory of seeds and not empty");
    assert_eq!(fs::read(project.path("mine/notes")).unwrap(), b"important");
}

#[test]
fn who_is_left_behind_neither_keeps_us_nor_breaks() {
    let project = project();
    // Who is left behind, once alone and once under byway, waits for what comes only after byway has ended.
    let script = "(until test -e over; do sleep 0.1; done; ./show hello.txt > later.$$ 2>&1; echo $? >> later.$$) \
                  >/dev/null 2>&1 & ./show hello.txt";
    let recorded = record(&project, script);
    assert_eq!(recorded.only().times, 1);
    // Byway is gone, and system calls go on.
    fs::write(project.path("over"), "").unwrap();
    let later = || -> Vec<String> {
        let paths = fs::read_dir(project.path(".")).unwrap().map(|entry| entry.unwrap().path());
        let paths = paths.filter(|path| path.file_stem().is_some_and(|stem| stem == "later"));
        paths.map(|path| fs::read_to_string(path).unwrap_or_default()).collect()
    };
    let begun = Instant::now();
    while later() != ["hello\n0\n"; 2] && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(later(), ["hello\n0\n"; 2]);
}

#[test]
fn who_is_left_behind_and_waits_for_input_gets_it() {
    let project = project();
    project.write(
        "tests.sh",
        "mkfifo pipe; (exec > pipe 2>&1; sleep 3; echo late) &\n\
         (./show < pipe; echo $?) > later 2>&1 & sleep 0.5; ./show hello.txt\n",
    );
    let begun = Instant::now();
    assert_eq!(project.run("byway record -o seeds -- sh tests.sh").ok().stdout, "hello\n");
    let later = || fs::read_to_string(project.path("later")).unwrap_or_default();
    while !later().contains("0\n") && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(later(), "late\n0\n");
}

/// Records what a script does, kills byway when `what` is there, and waits until the script has written `all` to `later`.
fn kill_when(project: &Project, script: &str, what: impl Fn() -> bool, all: &str) {
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    let mut child = command.args(["record", "-o", "seeds", "--", "sh", "-c", script]).spawn().unwrap();
    let begun = Instant::now();
    while !what() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fs::write(project.path("killed"), "").unwrap();
    let later = || fs::read_to_string(project.path("later")).unwrap_or_default();
    while later() != all && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(later(), all);
    Suite::open(&project.path("seeds")).unwrap();
    fs::remove_file(project.path("later")).unwrap();
}

#[test]
fn a_byway_that_is_killed_breaks_nothing() {
    let project = project();
    // Whatever it is doing: some call is nearly always being looked at.
    let script = "for i in 1 2 3 4 5 6 7 8 9; do ./show hello.txt >> later; done";
    for length in [0, 6, 12, 24, 36, 48] {
        let some = || fs::metadata(project.path("later")).is_ok_and(|later| later.len() >= length);
        kill_when(&project, script, some, &"hello\n".repeat(9));
    }
    // While a program waits for input.
    let script = "mkfifo pipe; (exec > pipe; touch begun; until test -e killed; do sleep 0.1; done; echo late) & \
                  ./show < pipe > said; cat said > later";
    project.run("rm killed").ok();
    let waits = || {
        std::thread::sleep(Duration::from_millis(200));
        project.path("begun").exists()
    };
    kill_when(&project, script, waits, "late\n");
    project.run("byway record -o seeds -- ./show hello.txt").ok();
}

#[test]
fn a_terminal_is_the_programs_own() {
    let project = project();
    let record = "byway record -o seeds -- ./show";
    // `script` runs a command on a terminal of its own.
    let mut command = project.command("script");
    command.args(["-qec", record, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut terminal = child.stdin.take().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    terminal.write_all(b"typed\n\x04").unwrap();
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert!(ran.stdout.contains("typed"), "{ran:?}");
    let suite = Suite::open(&project.path("seeds")).unwrap();
    assert_eq!(suite.seeds[0].missing[0].path, Path::new("/dev/stdin"));
    assert!(suite.seeds[0].missing[0].why.contains("terminal"));
}

#[test]
fn tests_in_parallel_are_told_apart() {
    let project = project();
    let recorded = record(
        &project,
        "for i in 1 2 3 4 5 6 7 8; do echo \"number $i\" > in$i; (./show in$i; echo \"piped $i\" | ./show) > out$i & done\n\
         wait; cat out*; rm in* out*",
    );
    assert_eq!(recorded.suite.seeds.len(), 16);
    for seed in &recorded.suite.seeds {
        let read = seed.input.files.iter().next().map(|(_, file)| file.content.to_vec());
        let read = read.or(seed.input.stdin.clone());
        assert_eq!(read.as_deref(), Some(seed.stdout.as_slice()), "{seed:?}");
    }
}

#[test]
fn a_sample_is_a_part() {
    let project = project();
    let mut suite = record(&project, "for i in 1 2 3 4 5 6 7 8; do ./show --unread $i 2>&1; done").suite;
    let all = suite.seeds.clone();
    let mut other = suite.clone();
    suite.sample(0.5, 7).unwrap();
    other.sample(0.5, 7).unwrap();
    assert_eq!((suite.seeds.len(), &suite.seeds), (4, &other.seeds));
    assert!(suite.seeds.iter().all(|seed| all.contains(seed)));
    assert!(suite.sample(0.0, 1).is_err());
}

#[test]
fn corpora_become_seeds() {
    let project = project();
    for (name, content) in [
        ("afl/queue/id:000000,orig", "one"),
        ("afl/queue/.state/deterministic_done/x", "state"),
        ("afl/crashes/README.txt", "about"),
        ("afl/crashes/id:000000,sig:06", "two"),
        ("afl/fuzzer_stats", "stats"),
        ("flat/0a1b", "three"),
    ] {
        project.write(name, content);
    }
    let said = project.run("byway import -o seeds afl flat -- ./show --unread @@").ok().stdout;
    assert!(said.contains("3 runs of 1 program"), "{said}");
    let suite = Suite::open(&project.path("seeds")).unwrap();
    let contents: Vec<_> = suite.seeds.iter().map(first_file).collect();
    assert_eq!(contents, [b"one".to_vec(), b"two".to_vec(), b"three".to_vec()]);
    assert_eq!(arguments(&suite.seeds[2]), ["./show", "--unread", "flat/0a1b"]);
    project.run("byway import -o seeds flat -- ./show").ok();
    assert_eq!(stdin(&Suite::open(&project.path("seeds")).unwrap().seeds[0]).as_deref(), Some("three"));
    project.write("empty/.hidden", "");
    project.run("byway import empty -- ./show").fails(5, "no files to import");
    project.run("byway import nowhere -- ./show").fails(10, "cannot read nowhere");
    project.run("byway import flat -- ./no-such").fails(1, "cannot run ./no-such");
    project.run("clang-19 -O1 show.c -o plain").ok();
    project.run("byway import flat -- ./plain").fails(12, "carries no bitcode");
}

#[test]
fn tests_of_klee_become_seeds() {
    use byway_ktest::{File, Posix, SymbolicArguments};
    let project = project();
    let posix = Posix {
        program: b"show".to_vec(),
        arguments: vec![SymbolicArguments::One { text: b"A".to_vec(), length: 3 }],
        stdin: Some(b"in".to_vec()),
        files: vec![File { bytes: b"content".to_vec() }],
        ..Posix::default()
    };
    project.write("klee/test000001.ktest", posix.ktest().unwrap().write());
    project.run("byway import -o seeds klee -- ./show").ok();
    let suite = Suite::open(&project.path("seeds")).unwrap();
    let seed = &suite.seeds[0];
    assert_eq!((arguments(seed), stdin(seed).as_deref()), (vec!["./show", "A"], Some("in")));
    assert_eq!(file(seed, "A").as_deref(), Some("content"));
    project.write("klee/wrong.ktest", "nothing");
    project.run("byway import -o seeds klee -- ./show").fails(10, "this is no .ktest file");
}

#[test]
fn plans_say_how_many_tests_to_run() {
    let project = project();
    let said = project.run("byway plan --tests 1000 --share 0.02 --run 100 --chance 0.95").ok().stdout;
    assert!(said.contains("20 of 1000 tests come near the bug (2.00 %)"), "{said}");
    assert!(said.contains("10.00 %  88.10 %"), "{said}");
    let json = project.run("byway plan --tests 10 --exposing 1 --run 5 --json").ok().stdout;
    let plan: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&plan["runs"][0]["chance"], &plan["wanted"][0]["tests"]), (&0.5.into(), &5.into()));
    project.run("byway record -- ./show hello.txt").ok();
    assert!(project.run("byway plan byway.seeds").ok().stdout.contains("1 of 1 tests"));
    project.run("byway plan").fails(1, "--tests");
    project.run("byway plan --tests 5 --exposing 6").fails(1, "cannot come near a bug");
    project.run("byway plan --tests 5 --share 2").fails(1, "not above 1");
    project.run("byway plan nowhere").fails(5, "nowhere has no seeds");
}
