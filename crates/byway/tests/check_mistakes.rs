//! What `byway check` says when something is not as it should be: to the user, and to scripts by its exit code.

mod common;

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use common::{Project, Ran};

/// A program with a defect near its tests: `main WORD [FILE]`.
const MAIN: &str = "#include <stdio.h>
#include <string.h>
int places[8];
int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  if (strcmp(argv[1], \"wait\") == 0)
    for (;;)
      ;
  if (argc > 2) {
    FILE *file = fopen(argv[2], \"r\");
    int c = file ? getc(file) : EOF;
    return c == EOF ? 3 : c == 'x';
  }
  return places[argv[1][0] - 'a'];
}
";

/// Words that are all right.
const INNOCENT: &str = "int main(int argc, char **argv) { return argc == 2 && argv[1][0] == '!'; }\n";

/// What another compiler would have done.
const PLAIN: &str = "int main(void) { return 0; }\n";

/// A project with `main`, which has a defect, and `innocent`, which has none.
fn project() -> Project {
    let project = Project::with(&[("main.c", MAIN), ("innocent.c", INNOCENT), ("plain.c", PLAIN)]);
    project.run("byway-cc -g main.c -o main").ok();
    project.run("byway-cc -g innocent.c -o innocent").ok();
    project.run("clang-19 plain.c -o plain").ok();
    project
}

/// Checks what a script of the shell runs.
fn check(project: &Project, options: &str, script: &str) -> Ran {
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.arg("check").args(["--time", "60", "--max-distance", "1"]).args(options.split_whitespace());
    command.args(["--", "sh", "-c", script]).output().unwrap().into()
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn findings(project: &Project) -> usize {
    json(&project.path("byway.out/findings.json")).as_array().unwrap().len()
}

#[test]
fn a_command_line_that_makes_no_sense_is_explained() {
    let project = project();
    project.run("byway check").fails(1, "byway check [OPTIONS] -- COMMAND");
    // Somebody has forgotten the dashes.
    project.run("byway check ./main a").fails(1, "byway check [OPTIONS] -- COMMAND");
    assert!(project.run("byway check --help").ok().stdout.contains("byway check [OPTIONS] -- COMMAND"));
    project.run("byway check --time 0 -- true").fails(1, "--time");
    project.run("byway check --time soon -- true").fails(1, "--time");
    project.run("byway check --max-distance far -- true").fails(1, "--max-distance");
    project.run("byway check --sample 2 -- true").fails(1, "not above 1");
    project.run("byway check --checks everything -- true").fails(1, "everything");
    project.run("byway check --from nowhere").fails(5, "nowhere has no seeds: there is no such directory");
    project.run("byway check --from . -- true").fails(1, "--from");
    assert!(!project.path("byway.out").exists());
}

#[test]
fn a_command_that_is_not_there_is_a_mistake_of_the_command_line() {
    let project = project();
    project.run("byway check -- ./nowhere").fails(1, "./nowhere");
    project.run("byway check -- no-such-command").fails(1, "no-such-command");
    assert!(!project.path("byway.out").exists());
    project.run("byway check -- ./main.c").fails(1, "./main.c");
}

#[test]
fn programs_without_bitcode_are_named() {
    let project = project();
    let ran = check(&project, "", "./plain; ./plain").fails(5, "plain");
    assert!(ran.stderr.contains("byway-cc"), "{}", ran.stderr);
    // One that has it is enough to go on, and the other is still named.
    let ran = check(&project, "", "./plain; ./innocent a");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains("plain"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_command_that_runs_no_program_of_ours_gives_nothing_to_check() {
    let project = project();
    let ran = check(&project, "", "echo hello").fails(5, "byway-cc");
    assert!(ran.stdout.contains("hello"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("explored"), "{}", ran.stdout);
    // That the tests fail is no reason not to say so.
    check(&project, "", "exit 3").fails(4, "build the project with CC=byway-cc");
}

#[test]
fn programs_without_input_are_no_success_without_a_word() {
    let project = Project::with(&[("fixed.c", PLAIN)]);
    project.run("byway-cc -g fixed.c -o fixed").ok();
    let ran = check(&project, "", "./fixed; ./fixed x");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("none of these runs depends on input"), "{}", ran.stdout);
    assert!(ran.stderr.contains("building fixed (1 of 1)"), "{}", ran.stderr);
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let project = project();
    project.write("cache", "");
    check(&project, "--cache-dir cache", "./innocent a").fails(15, "cannot write to the cache");
}

#[test]
fn an_output_directory_has_seeds_to_check_again() {
    let project = project();
    check(&project, "", "./innocent a");
    let ran = project.run("byway check --time 60 --max-distance 0 --from byway.out").ok();
    assert!(ran.stdout.contains("1 seed checked of 1"), "{}", ran.stdout);
    project.run("byway check --time 60 --max-distance 0 --from byway.out -o again").ok();
}

#[test]
fn seeds_of_programs_that_cannot_be_built_are_in_all_reports() {
    let project = project();
    project.write("tests.sh", "./innocent a; ./main b");
    project.run("byway record -o seeds -- sh tests.sh").ok();
    // Somebody has removed a program that was kept.
    let programs = fs::read_dir(project.path("seeds/programs")).unwrap();
    let program = programs.map(|entry| entry.unwrap().path().join("innocent")).find(|path| path.exists()).unwrap();
    fs::remove_file(&program).unwrap();
    let ran = project.run("byway check --time 60 --max-distance 0 --from seeds").fails(2, "innocent is not checked");
    assert!(ran.stdout.contains("not checked: 0001-innocent: "), "{}", ran.stdout);
    let junit = fs::read_to_string(project.path("byway.out/junit.xml")).unwrap();
    assert!(junit.contains("0001-innocent") && junit.contains("<skipped"), "{junit}");
}

#[test]
fn tests_that_fail_anyway_are_no_reason_to_stop() {
    let project = project();
    // Nothing was found: the failure of the tests is what a script must know.
    check(&project, "", "./innocent a; ./innocent '!'; exit 3").fails(4, "the test command failed: exit code 3");
    // A finding says more.
    check(&project, "", "./main a; exit 3").fails(2, "the test command failed: exit code 3");
    assert_eq!(findings(&project), 1);
}

#[test]
fn a_test_that_hangs_costs_its_own_time_only() {
    let project = project();
    // If it cost all the time there is, the other one's finding would not be found.
    let ran = check(&project, "--run-timeout 2", "timeout 2 ./main wait; ./main a");
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(findings(&project), 1);
}

#[test]
fn a_test_that_needs_the_network_has_it_while_it_is_recorded() {
    let project = Project::with(&[(
        "client.c",
        "#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address) != 0)
    return 3;
  char byte;
  return read(server, &byte, 1) == 1 ? 0 : 4;
}
",
    )]);
    project.run("byway-cc -g client.c -o client").ok();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            std::io::Write::write_all(&mut stream.unwrap(), b"x").unwrap();
        }
    });
    let ran = check(&project, "", &format!("./client {port}"));
    // The test passed. In the sandbox there is no network, and that the program does something else there is said.
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let different = "not as captured: 0001-client: exit code 3 instead of exit code 0";
    assert!(ran.stdout.contains(different), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn files_that_are_not_there_any_more_are_there_for_the_check() {
    let project = project();
    project.write("text", "y");
    let ran = check(&project, "", "./main a text; ./main a nothing; ./main a .; rm text; exit 0");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("3 seeds checked of 3"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("not as captured"), "{}", ran.stdout);
}

#[test]
fn a_file_that_nobody_may_read_is_named() {
    let project = project();
    project.write("secret", "y");
    fs::set_permissions(project.path("secret"), Permissions::from_mode(0o000)).unwrap();
    let mut command = match fs::File::open(project.path("secret")) {
        Err(_) => project.command(env!("CARGO_BIN_EXE_byway")),
        // The superuser reads everything, so somebody else does it.
        Ok(_) => {
            project.run("cp bin/byway bin/byway-reader .").ok();
            project.run("chown -R 65534:65534 .").ok();
            let mut command = project.command("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "./byway"]);
            command
        }
    };
    command.args([
        "check",
        "--time",
        "60",
        "--max-distance",
        "0",
        "--",
        "sh",
        "-c",
        "./main a secret; ./main a; exit 0",
    ]);
    let ran = Ran::from(command.output().unwrap()).fails(2, "it cannot be read: Permission denied");
    assert!(ran.stderr.contains("  secret"), "{}", ran.stderr);
    assert!(ran.stdout.contains("2 seeds checked of 2"), "{}", ran.stdout);
}

#[test]
fn a_capture_that_is_none_or_damaged_is_refused() {
    let project = project();
    project.write("empty/readme", "");
    project.run("byway check --from empty").fails(5, "empty has no seeds");
    project.run("byway record -o seeds -- ./main a").ok();
    project.write("seeds/suite.json", "{");
    project.run("byway check --from seeds").fails(10, "suite.json");
}

#[test]
fn an_output_directory_of_somebody_else_is_left_alone() {
    let project = project();
    project.write("theirs/file", "");
    check(&project, "-o theirs", "./main a").fails(10, "theirs is not an output directory of byway and not empty");
    assert!(project.path("theirs/file").exists());
    project.write("file", "");
    check(&project, "-o file", "./main a").fails(10, "file is not a directory: choose another directory with -o");
}

#[test]
fn on_a_full_disk_the_tests_go_on() {
    let project = project();
    // A mount of our own, if this machine lets us.
    let small = "mkdir -p small && mount -t tmpfs -o size=16k none small";
    let mounted = |script: &str| {
        let mut command = project.command("unshare");
        command.args(["-rm", "sh", "-c", &format!("{small} && {script}")]);
        command.env("BYWAY", env!("CARGO_BIN_EXE_byway")).output().map(Ran::from)
    };
    match mounted("true") {
        Ok(Ran { code: Some(0), .. }) => {}
        other => return eprintln!("skipped: no file system can be mounted here: {other:?}"),
    }
    let ran = mounted(
        "\"$BYWAY\" check --time 10 -o small/out -- sh -c './main a; echo done >finished; exit 0'; code=$?; \
         test -e finished && exit $code",
    );
    let ran = ran.unwrap().fails(10, "No space left on device");
    assert!(ran.stderr.contains("small/out"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_judged_is_said() {
    let project = project();
    let judge = project.variant("main", "asan");
    fs::set_permissions(&judge, Permissions::from_mode(0o644)).unwrap();
    let ran = check(&project, "", "./main a").ok();
    assert!(ran.stdout.contains("unconfirmed: could not be run: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("not all was checked: 0001-main: distance 0, while it was judged: "), "{}", ran.stdout);
    let stats = json(&project.path("byway.out/stats.json"));
    assert_eq!((&stats["seeds"]["checked"], &stats["unconfirmed"]), (&1.into(), &1.into()));
    assert_eq!(stats["seeds"]["troubles"].as_array().unwrap().len(), 1);
    let junit = fs::read_to_string(project.path("byway.out/junit.xml")).unwrap();
    assert!(junit.contains("Permission denied"), "{junit}");
}

/// Starts a check, in a process group of its own as a shell would.
fn begin(project: &Project, script: &str) -> Child {
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.args(["check", "--time", "600", "--", "sh", "-c", script]);
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until something holds.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(300), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// As Ctrl-C in a terminal does.
fn interrupt(child: Child) -> Ran {
    kill_process_group(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_check_that_is_interrupted_keeps_what_it_found() {
    let project = Project::with(&[("endless.c", ENDLESS)]);
    project.run("byway-cc -g endless.c -o endless").ok();
    let child = begin(&project, "printf 'abcdefghijklmnopqrstuvwxyz' | ./endless");
    let found = project.path("byway.out/findings.json");
    wait_until("nothing is found", || fs::read_to_string(&found).is_ok_and(|text| text.contains("\"id\"")));
    let ran = interrupt(child);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("interrupted"), "{}", ran.stdout);
    assert_eq!(findings(&project), 1);
    for name in ["stats.json", "report.sarif"] {
        json(&project.path("byway.out").join(name));
    }
    assert!(project.path("byway.out/junit.xml").exists());
}

#[test]
fn a_check_that_is_interrupted_and_found_nothing_is_no_success() {
    let project =
        Project::with(&[("endless.c", &ENDLESS.replace("counts[c - 'a']++;", "if (c >= 'a') counts[c - 'a']++;"))]);
    project.run("byway-cc -g endless.c -o endless").ok();
    let child = begin(&project, "printf 'abcdefghijklmnopqrstuvwxyz' | ./endless");
    let stats = project.path("byway.out/stats.json");
    wait_until("no seed is followed", || stats.exists() && json(&stats)["seeds"]["checked"] == 1);
    let ran = interrupt(child);
    assert_eq!(ran.code, Some(130), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("interrupted"), "{}", ran.stdout);
    // What was left undone was not left for lack of time.
    assert!(!ran.stdout.contains("--time") && !ran.stdout.contains("the time is over"), "{}", ran.stdout);
    let remaining = json(&stats)["remaining"].as_array().unwrap().clone();
    assert!(remaining.iter().any(|left| left["limit"] == "seed-interrupted"), "{remaining:?}");
}

/// One defect at once, and more paths than can be tried.
const ENDLESS: &str = "#include <stdio.h>
int counts[26];
int main(void) {
  int state = 0;
  for (int c; (c = getchar()) != EOF;) {
    if (c > 'z')
      continue;
    counts[c - 'a']++;
    if (c > 'm')
      state = state * 3 % 1000 + 1;
    else
      state = (state + c) % 1000;
    if (state % 7 == c % 5)
      putchar('.');
  }
  return state == 77;
}
";

#[test]
fn tests_that_are_interrupted_end() {
    let project = project();
    let child = begin(&project, "./main a; echo begun >begun; exec sleep 1000");
    wait_until("the tests do not run", || project.path("begun").exists());
    let ran = interrupt(child);
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("byway: interrupted"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("failed"), "{}", ran.stderr);
    assert!(ran.stdout.contains("not checked: 0001-main: interrupted before it"), "{}", ran.stdout);
    // What ran before is kept.
    assert!(project.path("byway.out/seeds/suite.json").exists(), "{}{}", ran.stdout, ran.stderr);
}
