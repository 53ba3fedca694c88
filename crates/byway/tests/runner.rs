//! Inputs run in a sandbox as they ran in their tests: traced, judged and natively. Our own program is what a sandbox is made of, so
//! there is a `main` here that may become one.

mod common;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_coverage::CounterFile;
use byway_exec::{Cov, ExecError, Judge, JudgeOptions, Observed, Runner, RunnerConfig, TracedRun, Variants};
use byway_input::{ConcreteInput, Fixture, InputFile};
use byway_map::ProgramMap;
use byway_program::Subject;
use byway_report::{Ending, Finding, findings};
use byway_trace::{SourceKind, Trace, TraceLimits};
use byway_variant::{Cache, VariantKind, build, program_map};
use common::Project;
use tempfile::TempDir;

/// Shows what it finds, writes where it is, and fails as it is told.
const PROGRAM: &str = r#"#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void show(const char *path) {
  char text[100] = "";
  int file = open(path, O_RDONLY);
  long got = file < 0 ? 0 : read(file, text, sizeof text - 1);
  printf("%s: %s\n", path, file < 0 ? "nothing" : text);
  if (got > 0 && text[0] == 'B')
    printf("%d\n", ((int *)malloc(4))[(int)got]);
}
int main(int argc, char **argv) {
  char input[100] = "";
  read(0, input, sizeof input - 1);
  printf("%s in %s, %s, %s\n", argv[0], getcwd(0, 0), getenv("SEEN"), input);
  for (int i = 1; i < argc; i++)
    show(argv[i]);
  FILE *trace = fopen("left-behind", "a");
  fputs("x", trace);
  fclose(trace);
  if (input[0] == 'S')
    return argc << (argc + 30);
  if (input[0] == 'A')
    abort();
  if (input[0] == 'L')
    for (;;)
      ;
  if (input[0] == 'V')
    return getenv("SEEN")[strlen("seen by ")];
  return input[0] == 'E' ? 7 : 0;
}
"#;

/// A program, and a place for the directories of its seeds that is not in `/tmp`.
struct World {
    /// Removed at the end, with all variants.
    _project: Project,
    place: TempDir,
    config: RunnerConfig,
    map: ProgramMap,
}

impl World {
    fn new() -> World {
        let project = Project::with(&[("program.c", PROGRAM)]);
        project.run("byway-cc -g -O1 -w -o program program.c").ok();
        let subject = Subject::open(&project.path("program")).unwrap();
        let cache = Cache::open(Some(project.path("cache"))).unwrap().trusting(true);
        let map = program_map(&cache, &subject).unwrap();
        let variant = build(&cache, &subject, VariantKind::Cov).unwrap();
        let cov = Cov { program: variant.program, id: subject.id, blocks: map.blocks.len() };
        let variants = Variants {
            native: project.path("program"),
            sym: Some(project.variant("program", "sym")),
            asan: Some(project.variant("program", "asan")),
            cov: Some(cov),
        };
        let (sandbox, timeout) = (byway_confine::SandboxSettings::default(), Duration::from_secs(2));
        let config = RunnerConfig::new(variants, sandbox, TraceLimits::default(), timeout);
        let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        World { _project: project, place, config, map }
    }

    fn input(&self, name: &str, directory: &Path, files: &[(&str, &str)], stdin: &str) -> ConcreteInput {
        let file = |(name, content): &(&str, &str)| {
            (directory.join(name), InputFile { content: Arc::new(content.as_bytes().to_vec()), mode: Some(0o640) })
        };
        let fixture = Fixture {
            label: name.to_owned(),
            name: Some(format!("./{name}").into()),
            environment: vec![("SEEN".into(), format!("seen by {name}").into())],
            directory: Some(directory.to_owned()),
            ..Fixture::default()
        };
        ConcreteInput {
            fixture: Arc::new(fixture),
            arguments: files.iter().map(|it| it.0.as_bytes().to_vec()).collect(),
            stdin: Some(stdin.as_bytes().to_vec()),
            files: files.iter().map(file).collect(),
            objects: Vec::new(),
        }
    }

    /// What a user finds who runs the build with sanitizers himself: its positions are from a symbolizer that it starts.
    fn found_by_hand(&self, directory: &Path, stdin: &str, content: &str) -> Vec<Finding> {
        fs::create_dir_all(directory).unwrap();
        fs::write(directory.join("a"), content).unwrap();
        let mut command = Command::new(self.config.variants.asan.as_ref().unwrap());
        command.arg("a").env("SEEN", "seen").envs(Judge::new().environment()).current_dir(directory);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        findings("program", &output.stderr, Ending::new(output.status, false))
    }

    fn runner(&self, inputs: &[&ConcreteInput]) -> Runner {
        Runner::new(self.config.clone(), inputs.iter().copied()).unwrap()
    }
}

fn judge(runner: &mut Runner, input: &ConcreteInput) -> Observed {
    runner.judge(input, &runner.judge_options()).unwrap()
}

/// Judged in a process of its own.
fn confirm(runner: &mut Runner, input: &ConcreteInput) -> Observed {
    runner.judge(input, &JudgeOptions { new_process: true, ..runner.judge_options() }).unwrap()
}

fn native(runner: &mut Runner, input: &ConcreteInput) -> Observed {
    runner.native(input, &runner.run_options()).unwrap()
}

fn trace(runner: &mut Runner, input: &ConcreteInput) -> TracedRun {
    runner.trace(input, &runner.trace_options()).unwrap()
}

fn said(observed: &Observed) -> String {
    String::from_utf8(observed.behaviour.stdout.whole().unwrap().to_vec()).unwrap()
}

/// What it said of files.
fn shown(observed: Observed) -> String {
    said(&observed).split_once('\n').unwrap().1.to_owned()
}

fn symbolic_files(trace: &Trace) -> Vec<PathBuf> {
    (0..trace.inputs().len())
        .filter(|&number| trace.inputs()[number].kind == SourceKind::File)
        .filter_map(|number| trace.input_path(number).map(Path::to_owned))
        .collect()
}

fn main() {
    byway_confine::serve_if_asked();
    let world = World::new();
    seeds_take_turns_and_find_what_they_read(&world);
    what_is_changed_is_so_for_one_run(&world);
    verdicts_are_those_of_a_new_process(&world);
    counts_are_those_of_a_new_process(&world);
    runs_that_do_not_end_are_ended(&world);
    an_input_that_cannot_be_laid_out_is_no_error_of_the_others(&world);
    without_walls_files_are_copies(&world);
    an_ended_runner_says_so(&world);
    what_it_costs(&world);
}

fn seeds_take_turns_and_find_what_they_read(world: &World) {
    let there = world.place.path().join("there");
    fs::create_dir_all(&there).unwrap();
    fs::write(there.join("same"), "as it was").unwrap();
    fs::write(there.join("other"), "changed since").unwrap();
    fs::write(there.join("late"), "made later").unwrap();
    symlink("same", there.join("link")).unwrap();
    let mut one = world.input("one", &there, &[("same", "as it was"), ("other", "before")], "V1");
    one.arguments.extend([b"late".to_vec(), b"link".to_vec()]);
    let fixture = Arc::make_mut(&mut one.fixture);
    fixture.absent = vec![there.join("late"), "/nowhere/at/all".into()];
    fixture.links = vec![(there.join("link"), "other".into())];
    // Directories of tests are often gone.
    let gone = PathBuf::from("/tmp/byway-test-gone/sub");
    let two = world.input("two", &gone, &[("file", "in a directory that is gone")], "V2");
    let three = world.input("three", &world.place.path().join("gone/too"), &[("sub/file", "here too")], "V3");
    let four = world.input("four", Path::new("/usr"), &[], "4");
    let mut runner = world.runner(&[&one, &two, &three]);
    for _ in 0..2 {
        for (input, expected) in [
            (&one, "same: as it was\nother: before\nlate: nothing\nlink: before\n"),
            (&two, "file: in a directory that is gone\n"),
            (&three, "sub/file: here too\n"),
            (&four, ""),
        ] {
            let name = &input.fixture.label;
            let directory = input.fixture.directory.as_ref().unwrap().display();
            let stdin = String::from_utf8_lossy(input.stdin.as_ref().unwrap());
            let expected = format!("./{name} in {directory}, seen by {name}, {stdin}\n{expected}");
            let of_native = native(&mut runner, input);
            let (judged, confirmed) = (judge(&mut runner, input), confirm(&mut runner, input));
            assert_eq!((judged.ending(), said(&judged)), (confirmed.ending(), said(&confirmed)));
            let outcome = trace(&mut runner, input);
            // The last one may not write where it is.
            if name == "four" {
                assert!(of_native.ending().fault().is_some() && judged.ending() != Ending::Exited(0));
                continue;
            }
            // Its environment is its own.
            let code = i32::from(name.as_bytes()[0]);
            assert_eq!((of_native.ending(), said(&of_native)), (Ending::Exited(code), expected.clone()));
            assert_eq!((judged.ending(), said(&judged)), (Ending::Exited(code), expected));
            assert_eq!(outcome.status.code(), Some(code));
            let wanted: BTreeSet<_> = input.files.iter().map(|(path, _)| path.clone()).collect();
            assert_eq!(symbolic_files(&outcome.trace).into_iter().collect::<BTreeSet<_>>(), wanted);
        }
    }
    assert_eq!(fs::read(there.join("other")).unwrap(), b"changed since");
    assert!(!there.join("left-behind").exists() && !gone.exists() && !world.place.path().join("gone").exists());
}

fn what_is_changed_is_so_for_one_run(world: &World) {
    let directory = world.place.path().join("changed");
    let seed = world.input("seed", &directory, &[("a", "one"), ("b", "two")], "1");
    let mut runner = world.runner(&[&seed]);
    for _ in 0..2 {
        let mut input = seed.clone();
        input.files.set(&directory.join("a"), b"other".to_vec());
        assert_eq!(shown(judge(&mut runner, &input)), "a: other\nb: two\n");
        let mut input = seed.clone();
        input.files.set(&directory.join("b"), Vec::new());
        input.files.set(Path::new("c"), b"new".to_vec());
        input.arguments.push(b"c\0not seen".to_vec());
        assert_eq!(shown(judge(&mut runner, &input)), "a: one\nb: \nc: new\n");
        assert_eq!(shown(confirm(&mut runner, &input)), "a: one\nb: \nc: new\n");
        input.files = seed.files.clone();
        assert_eq!(shown(judge(&mut runner, &input)), "a: one\nb: two\nc: nothing\n");
        input.arguments.pop();
        input.stdin = None;
        assert!(said(&native(&mut runner, &input)).contains("seen by seed, \n"));
        input.stdin = Some(b"E".to_vec());
        assert_eq!(judge(&mut runner, &input).ending(), Ending::Exited(7));
    }
}

fn verdicts_are_those_of_a_new_process(world: &World) {
    let directory = world.place.path().join("verdicts");
    let seed = world.input("seed", &directory, &[("a", "one")], "1");
    let mut runner = world.runner(&[&seed]);
    for (stdin, content, kind) in [
        ("1", "one", None),
        ("S", "one", Some("shift-exponent")),
        ("1", "Bug", Some("heap-buffer-overflow")),
        ("A", "one", Some("abort")),
    ] {
        let mut input = ConcreteInput { stdin: Some(stdin.as_bytes().to_vec()), ..seed.clone() };
        input.files.set(&directory.join("a"), content.as_bytes().to_vec());
        let (judged, confirmed) = (judge(&mut runner, &input), confirm(&mut runner, &input));
        let found = |judged: &Observed| findings("program", judged.report(), judged.ending());
        assert_eq!(judged.ending(), confirmed.ending());
        let (judged, confirmed) = (found(&judged), found(&confirmed));
        assert_eq!(judged, confirmed);
        assert_eq!(judged, world.found_by_hand(&directory, stdin, content));
        assert_eq!(judged.first().map(|finding| finding.kind.as_str()), kind, "{judged:?}");
        assert!(judged.iter().all(|finding| finding.file.as_ref().is_some_and(|file| file.ends_with("program.c"))));
    }
}

fn counts_are_those_of_a_new_process(world: &World) {
    let directory = world.place.path().join("counted");
    fs::create_dir_all(&directory).unwrap();
    let cov = world.config.variants.cov.clone().unwrap();
    let mut runner = world.runner(&[&world.input("counted", &directory, &[], "")]);
    for (input, files) in
        [("one", vec![]), ("E", vec![("a", "text")]), ("A", vec![]), ("one", vec![("a", "x"), ("b", "")])]
    {
        let given = world.input("counted", &directory, &files, input);
        let counted = runner.count(&given, runner.timeout()).unwrap();
        for (name, content) in &files {
            fs::write(directory.join(name), content).unwrap();
        }
        let counters = CounterFile::open(&directory.join("counters"), cov.id, &world.map).unwrap();
        fs::write(directory.join("input"), input).unwrap();
        let status = Command::new(&cov.program)
            .args(files.iter().map(|file| file.0))
            .envs(given.fixture.environment.iter().cloned())
            .env(byway_coverage::variable(), counters.path())
            .stdin(File::open(directory.join("input")).unwrap())
            .stdout(Stdio::null())
            .current_dir(&directory)
            .status()
            .unwrap();
        assert_eq!(counted.ending, Ending::of_run(status, false, false));
        assert_eq!(counted.counts, counters.read().unwrap(), "{input}");
        assert!(counted.counts.iter().any(|&count| count > 0));
        for file in fs::read_dir(&directory).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
    }
}

fn runs_that_do_not_end_are_ended(world: &World) {
    let directory = world.place.path().join("endless");
    let mut input = world.input("seed", &directory, &[], "Loop");
    let config = RunnerConfig { timeout: Duration::from_secs(1), ..world.config.clone() };
    let mut runner = Runner::new(config, [&input]).unwrap();
    assert_eq!(judge(&mut runner, &input).ending(), Ending::TimedOut);
    assert!(trace(&mut runner, &input).timed_out);
    input.stdin = Some(b"E".to_vec());
    assert_eq!(judge(&mut runner, &input).ending(), Ending::Exited(7));
}

fn an_input_that_cannot_be_laid_out_is_no_error_of_the_others(world: &World) {
    let good = world.input("good", &world.place.path().join("good"), &[("a", "one")], "1");
    let bad = world.input("bad", Path::new("/usr/not/there"), &[("a", "one")], "1");
    let rootless = world.input("rootless", Path::new("/not-there-at-all"), &[], "1");
    let mut runner = world.runner(&[&bad, &good, &rootless]);
    for _ in 0..2 {
        for input in [&bad, &rootless] {
            let error = runner.judge(input, &runner.judge_options()).unwrap_err();
            let is_of_it = matches!(&error, ExecError::Input { label, .. } if *label == input.fixture.label);
            assert!(is_of_it, "{error}");
        }
        assert_eq!(judge(&mut runner, &good).ending(), Ending::Exited(0));
    }
}

fn without_walls_files_are_copies(world: &World) {
    let there = world.place.path().join("unconfined");
    fs::create_dir_all(there.join("work")).unwrap();
    fs::write(there.join("work/absolute"), "where it is").unwrap();
    let absolute = there.join("work/absolute");
    let absolute = absolute.to_str().unwrap();
    let mut one = world.input("one", &there.join("work"), &[("a", "one"), ("absolute", "copied")], "1");
    one.files.insert(there.join("data/table"), InputFile { content: Arc::new(b"table".to_vec()), mode: Some(0o600) });
    one.arguments = ["a", "../data/table", absolute].map(|text| text.as_bytes().to_vec()).to_vec();
    // All of it is gone.
    let two = world.input("two", Path::new("/nowhere/at/all"), &[("sub/a", "two")], "2");
    let mut config = world.config.clone();
    config.sandbox.unconfined = true;
    // What one of them traces has the same names for the other.
    let mut runners = [(); 2].map(|()| Runner::new(config.clone(), [&one, &two]).unwrap());
    for runner in &mut runners {
        let (mut input, name) = (one.clone(), there.join("work/a"));
        for content in ["other", "one"] {
            input.files.set(&name, content.as_bytes().to_vec());
            let expected = format!("a: {content}\n../data/table: table\n{absolute}: where it is\n");
            assert_eq!(shown(judge(runner, &input)), expected);
            assert_eq!(shown(confirm(runner, &input)), expected);
            assert_eq!(shown(native(runner, &input)), expected);
            let outcome = trace(runner, &input);
            assert_eq!(outcome.status.code(), Some(0));
            assert_eq!(symbolic_files(&outcome.trace), [name.clone(), there.join("data/table")]);
        }
        assert_eq!(shown(judge(runner, &two)), "sub/a: two\n");
        let outcome = trace(runner, &two);
        assert_eq!(symbolic_files(&outcome.trace), [Path::new("/nowhere/at/all/sub/a")]);
    }
    assert!(!there.join("work/left-behind").exists() && !there.join("data").exists());
}

fn an_ended_runner_says_so(world: &World) {
    let input = world.input("seed", &world.place.path().join("ended"), &[], "1");
    let mut runner = world.runner(&[&input]);
    judge(&mut runner, &input);
    runner.handle().end();
    assert!(runner.judge(&input, &runner.judge_options()).is_err());
    assert!(runner.trace(&input, &runner.trace_options()).is_err());
}

fn what_it_costs(world: &World) {
    let place = world.place.path();
    let files: Vec<String> = (0..10).map(|number| format!("file{number}")).collect();
    let files: Vec<_> = files.iter().map(|name| (name.as_str(), "content")).collect();
    let inputs = ["x", "y"].map(|name| world.input(name, &place.join(name), &files, "1"));
    let mut runner = world.runner(&[&inputs[0], &inputs[1]]);
    let mut time = |what: &str, action: &mut dyn FnMut(&mut Runner, &ConcreteInput)| {
        action(&mut runner, &inputs[0]);
        let started = Instant::now();
        (0..30).for_each(|number| action(&mut runner, &inputs[number % 2]));
        println!("{what}: {:?}", started.elapsed() / 30);
    };
    time("judged, with another fixture of 10 files", &mut |runner, input| drop(judge(runner, input)));
    let first = inputs[0].clone();
    time("judged", &mut |runner, _| drop(judge(runner, &first)));
    time("in a new process", &mut |runner, _| drop(confirm(runner, &first)));
    let wrong = ConcreteInput { stdin: Some(b"S".to_vec()), ..first.clone() };
    time("judged, with a report", &mut |runner, _| drop(judge(runner, &wrong)));
    time("counted", &mut |runner, _| drop(runner.count(&first, runner.timeout()).unwrap()));
    time("traced", &mut |runner, _| drop(trace(runner, &first)));
}
