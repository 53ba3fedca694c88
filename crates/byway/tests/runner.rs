//! Seeds run in a cell as they ran in their tests: traced, judged and natively. Our own program is what a cell is made of, so
//! there is a `main` here that may become one.

mod common;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_coverage::CounterFile;
use byway_map::ProgramMap;
use byway_program::Subject;
use byway_report::{Ending, findings};
use byway_stage::{Cov, Given, Judged, Runner, Site, StageError};
use byway_suite::{Executable, Seed, SeedFile, Stdin};
use byway_trace::{Limits, SourceKind, Trace};
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
    project: Project,
    place: TempDir,
    site: Site,
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
        let site = Site {
            sym: Some(project.variant("program", "sym")),
            asan: Some(project.variant("program", "asan")),
            cov: Some(cov),
            native: project.path("program"),
            cell: byway_confine::Settings::default(),
            unconfined: false,
            limits: Limits::default(),
            timeout: Duration::from_secs(2),
        };
        let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        World { project, place, site, map }
    }

    fn seed(&self, name: &str, directory: &Path, files: &[(&str, &str)], input: &str) -> Seed {
        let file = |(name, content): &(&str, &str)| SeedFile {
            path: directory.join(name),
            content: content.as_bytes().into(),
            mode: 0o640,
        };
        let path = self.project.path("program");
        Seed {
            name: name.to_owned(),
            executable: Executable { copy: path.clone(), path },
            arguments: [OsString::from(format!("./{name}"))]
                .into_iter()
                .chain(files.iter().map(|it| it.0.into()))
                .collect(),
            environment: vec![("SEEN".into(), format!("seen by {name}").into())],
            directory: directory.to_owned(),
            stdin: Stdin::Bytes(input.as_bytes().into()),
            files: files.iter().map(file).collect(),
            directories: Vec::new(),
            links: Vec::new(),
            absent: Vec::new(),
            missing: Vec::new(),
            ending: None,
            stdout: Vec::new(),
            stderr: Vec::new(),
            elapsed: Duration::ZERO,
            times: 1,
            origin: None,
        }
    }

    fn runner(&self, seeds: &[&Arc<Seed>]) -> Runner {
        let seeds: Vec<_> = seeds.iter().map(|&seed| seed.clone()).collect();
        Runner::new(self.site.clone(), &seeds).unwrap()
    }
}

fn said(judged: &Judged) -> String {
    String::from_utf8(judged.stdout.clone()).unwrap()
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
    a_seed_that_cannot_be_laid_out_is_no_error_of_the_others(&world);
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
    let mut one =
        world.seed("one", &there, &[("same", "as it was"), ("other", "before"), ("late", ""), ("link", "")], "V1");
    one.files.truncate(2);
    one.absent = vec![there.join("late"), "/nowhere/at/all".into()];
    one.links = vec![(there.join("link"), "other".into())];
    // Directories of tests are often gone.
    let gone = PathBuf::from("/tmp/byway-test-gone/sub");
    let two = world.seed("two", &gone, &[("file", "in a directory that is gone")], "V2");
    let three = world.seed("three", &world.place.path().join("gone/too"), &[("sub/file", "here too")], "V3");
    let four = world.seed("four", Path::new("/usr"), &[], "4");
    let (one, two, three, four) = (Arc::new(one), Arc::new(two), Arc::new(three), Arc::new(four));
    let mut runner = world.runner(&[&one, &two, &three]);
    for _ in 0..2 {
        for (seed, expected) in [
            (&one, "same: as it was\nother: before\nlate: nothing\nlink: before\n"),
            (&two, "file: in a directory that is gone\n"),
            (&three, "sub/file: here too\n"),
            (&four, ""),
        ] {
            let given = Given::of(seed);
            let number = seed.stdin.clone();
            let Stdin::Bytes(number) = number else { unreachable!() };
            let head = format!(
                "./{0} in {1}, seen by {0}, {2}\n",
                seed.name,
                seed.directory.display(),
                String::from_utf8_lossy(&number)
            );
            // The last one may not write where it is.
            let fails = seed.name == "four";
            let native = runner.native(&given).unwrap();
            let (judged, confirmed) = (runner.judge(&given).unwrap(), runner.confirm(&given).unwrap());
            assert_eq!((judged.ending, &judged.stdout), (confirmed.ending, &confirmed.stdout));
            let outcome = runner.trace(&given).unwrap();
            if fails {
                assert!(native.ending.fault().is_some() && judged.ending != Ending::Exited(0));
                continue;
            }
            // Its environment is its own.
            let code = i32::from(seed.name.as_bytes()[0]);
            assert_eq!((native.ending, said(&native)), (Ending::Exited(code), format!("{head}{expected}")));
            assert_eq!((judged.ending, said(&judged)), (Ending::Exited(code), format!("{head}{expected}")));
            assert_eq!(outcome.status.code(), Some(code));
            let wanted: Vec<_> = seed.files.iter().map(|file| file.path.clone()).collect();
            assert_eq!(symbolic_files(&outcome.trace), wanted);
        }
    }
    assert_eq!(fs::read(there.join("other")).unwrap(), b"changed since");
    assert!(!there.join("left-behind").exists() && !gone.exists() && !world.place.path().join("gone").exists());
}

fn what_is_changed_is_so_for_one_run(world: &World) {
    let directory = world.place.path().join("changed");
    let seed = Arc::new(world.seed("seed", &directory, &[("a", "one"), ("b", "two")], "1"));
    let mut runner = world.runner(&[&seed]);
    runner.load(&seed).unwrap();
    let mut given = Given::of(&seed);
    let shown = |judged: Judged| said(&judged).split_once('\n').unwrap().1.to_owned();
    for _ in 0..2 {
        given.files = BTreeMap::from([(directory.join("a"), b"other".to_vec())]);
        assert_eq!(shown(runner.judge(&given).unwrap()), "a: other\nb: two\n");
        given.files = BTreeMap::from([(directory.join("b"), b"".to_vec()), (directory.join("c"), b"new".to_vec())]);
        given.arguments.push(b"c\0not seen".to_vec());
        assert_eq!(shown(runner.judge(&given).unwrap()), "a: one\nb: \nc: new\n");
        assert_eq!(shown(runner.confirm(&given).unwrap()), "a: one\nb: \nc: new\n");
        given.files.clear();
        assert_eq!(shown(runner.judge(&given).unwrap()), "a: one\nb: two\nc: nothing\n");
        given.arguments.pop();
        given.stdin = None;
        assert!(said(&runner.native(&given).unwrap()).contains("seen by seed, \n"));
        given.stdin = Some(b"E".to_vec());
        assert_eq!(runner.judge(&given).unwrap().ending, Ending::Exited(7));
    }
}

fn verdicts_are_those_of_a_new_process(world: &World) {
    let directory = world.place.path().join("verdicts");
    let seed = Arc::new(world.seed("seed", &directory, &[("a", "one")], "1"));
    let mut runner = world.runner(&[&seed]);
    for (input, content, kind) in [
        ("1", "one", None),
        ("S", "one", Some("shift-exponent")),
        ("1", "Bug", Some("heap-buffer-overflow")),
        ("A", "one", Some("abort")),
    ] {
        let mut given = Given::of(&seed);
        given.stdin = Some(input.as_bytes().to_vec());
        given.files = BTreeMap::from([(directory.join("a"), content.as_bytes().to_vec())]);
        let (judged, confirmed) = (runner.judge(&given).unwrap(), runner.confirm(&given).unwrap());
        let found = |judged: &Judged| findings("program", &judged.stderr, judged.ending);
        assert_eq!(judged.ending, confirmed.ending);
        let (judged, confirmed) = (found(&judged), found(&confirmed));
        assert_eq!(judged, confirmed);
        assert_eq!(judged.first().map(|finding| finding.kind.as_str()), kind, "{judged:?}");
        assert!(judged.iter().all(|finding| finding.file.as_ref().is_some_and(|file| file.ends_with("program.c"))));
    }
}

fn counts_are_those_of_a_new_process(world: &World) {
    let directory = world.place.path().join("counted");
    fs::create_dir_all(&directory).unwrap();
    let cov = world.site.cov.clone().unwrap();
    let mut runner = world.runner(&[&Arc::new(world.seed("counted", &directory, &[], ""))]);
    for (input, files) in
        [("one", vec![]), ("E", vec![("a", "text")]), ("A", vec![]), ("one", vec![("a", "x"), ("b", "")])]
    {
        let seed = Arc::new(world.seed("counted", &directory, &files, input));
        let counted = runner.count(&Given::of(&seed)).unwrap();
        for (name, content) in &files {
            fs::write(directory.join(name), content).unwrap();
        }
        let counters = CounterFile::open(&directory.join("counters"), cov.id, &world.map).unwrap();
        fs::write(directory.join("input"), input).unwrap();
        let status = Command::new(&cov.program)
            .args(&seed.arguments[1..])
            .envs(seed.environment.iter().cloned())
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
    let seed = Arc::new(world.seed("seed", &directory, &[], "Loop"));
    let mut site = world.site.clone();
    site.timeout = Duration::from_secs(1);
    let mut runner = Runner::new(site, std::slice::from_ref(&seed)).unwrap();
    let mut given = Given::of(&seed);
    assert_eq!(runner.judge(&given).unwrap().ending, Ending::TimedOut);
    assert!(runner.trace(&given).unwrap().timed_out);
    given.stdin = Some(b"E".to_vec());
    assert_eq!(runner.judge(&given).unwrap().ending, Ending::Exited(7));
}

fn a_seed_that_cannot_be_laid_out_is_no_error_of_the_others(world: &World) {
    let good = Arc::new(world.seed("good", &world.place.path().join("good"), &[("a", "one")], "1"));
    let bad = Arc::new(world.seed("bad", Path::new("/usr/not/there"), &[("a", "one")], "1"));
    let rootless = Arc::new(world.seed("rootless", Path::new("/not-there-at-all"), &[], "1"));
    let mut runner = world.runner(&[&bad, &good, &rootless]);
    for _ in 0..2 {
        for seed in [&bad, &rootless] {
            let error = runner.judge(&Given::of(seed)).unwrap_err();
            assert!(matches!(&error, StageError::Seed { seed: name, .. } if *name == seed.name), "{error}");
        }
        assert_eq!(runner.judge(&Given::of(&good)).unwrap().ending, Ending::Exited(0));
    }
}

fn without_walls_files_are_copies(world: &World) {
    let there = world.place.path().join("unconfined");
    fs::create_dir_all(there.join("work")).unwrap();
    fs::write(there.join("work/absolute"), "where it is").unwrap();
    let absolute = there.join("work/absolute");
    let absolute = absolute.to_str().unwrap();
    let mut one = world.seed("one", &there.join("work"), &[("a", "one"), ("absolute", "copied")], "1");
    let table = SeedFile { path: there.join("data/table"), content: b"table"[..].into(), mode: 0o600 };
    one.files.push(table);
    one.arguments = ["./one", "a", "../data/table", absolute].map(OsString::from).to_vec();
    // All of it is gone.
    let two = world.seed("two", Path::new("/nowhere/at/all"), &[("sub/a", "two")], "2");
    let (one, two) = (Arc::new(one), Arc::new(two));
    let site = Site { unconfined: true, ..world.site.clone() };
    // What one of them traces has the same names for the other.
    let mut runners = [(); 2].map(|()| Runner::new(site.clone(), &[one.clone(), two.clone()]).unwrap());
    let shown = |judged: Judged| said(&judged).split_once('\n').unwrap().1.to_owned();
    for runner in &mut runners {
        let (mut given, name) = (Given::of(&one), there.join("work/a"));
        for content in ["other", "one"] {
            given.files = BTreeMap::from([(name.clone(), content.as_bytes().to_vec())]);
            let expected = format!("a: {content}\n../data/table: table\n{absolute}: where it is\n");
            assert_eq!(shown(runner.judge(&given).unwrap()), expected);
            assert_eq!(shown(runner.confirm(&given).unwrap()), expected);
            assert_eq!(shown(runner.native(&given).unwrap()), expected);
            let outcome = runner.trace(&given).unwrap();
            assert_eq!(outcome.status.code(), Some(0));
            assert_eq!(symbolic_files(&outcome.trace), [name.clone(), there.join("data/table")]);
        }
        assert_eq!(shown(runner.judge(&Given::of(&two)).unwrap()), "sub/a: two\n");
        let outcome = runner.trace(&Given::of(&two)).unwrap();
        assert_eq!(symbolic_files(&outcome.trace), [Path::new("/nowhere/at/all/sub/a")]);
    }
    assert!(!there.join("work/left-behind").exists() && !there.join("data").exists());
}

fn an_ended_runner_says_so(world: &World) {
    let seed = Arc::new(world.seed("seed", &world.place.path().join("ended"), &[], "1"));
    let mut runner = world.runner(&[&seed]);
    runner.load(&seed).unwrap();
    runner.handle().end();
    assert!(runner.judge(&Given::of(&seed)).is_err());
    assert!(runner.trace(&Given::of(&seed)).is_err());
}

fn what_it_costs(world: &World) {
    let place = world.place.path();
    let files: Vec<String> = (0..10).map(|number| format!("file{number}")).collect();
    let files: Vec<_> = files.iter().map(|name| (name.as_str(), "content")).collect();
    let seeds: Vec<_> =
        ["x", "y"].iter().map(|name| Arc::new(world.seed(name, &place.join(name), &files, "1"))).collect();
    let mut runner = world.runner(&seeds.iter().collect::<Vec<_>>());
    let mut time = |what: &str, action: &mut dyn FnMut(&mut Runner, &Arc<Seed>)| {
        action(&mut runner, &seeds[0]);
        let started = Instant::now();
        (0..30).for_each(|number| action(&mut runner, &seeds[number % 2]));
        println!("{what}: {:?}", started.elapsed() / 30);
    };
    time("another seed of 10 files", &mut |runner, seed| runner.load(seed).unwrap());
    let first = seeds[0].clone();
    time("judged", &mut |runner, _| drop(runner.judge(&Given::of(&first)).unwrap()));
    time("in a new process", &mut |runner, _| drop(runner.confirm(&Given::of(&first)).unwrap()));
    let mut wrong = Given::of(&first);
    wrong.stdin = Some(b"S".to_vec());
    time("judged, with a report", &mut |runner, _| drop(runner.judge(&wrong).unwrap()));
    time("counted", &mut |runner, _| drop(runner.count(&Given::of(&first)).unwrap()));
    time("traced", &mut |runner, _| drop(runner.trace(&Given::of(&first)).unwrap()));
}
