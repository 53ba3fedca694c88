//! Several programs in one executor. Our own program is what a sandbox is made of, so there is a `main` here that may become
//! one.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use byway_engine::tree::PathTree;
use byway_engine::{Original, PathBuilder, PathSpace, Program};
use byway_exec::{Executor, JudgeOptions, ProgramId, RunOptions, SandboxOptions, TraceOptions, Variants};
use byway_input::{
    ConcreteInput, Content, Ending, FileChange, FileChanges, Fixture, InputFile, InputModel, MAX_WHOLE, SymbolicFiles,
};
use byway_program::Subject;
use byway_solve::{Answer, Changes, ExpressionContext, Solver, sat};
use byway_trace::{EventKind, Trace, TraceLimits};
use byway_variant::{Cache, program_map};
use common::Project;
use tempfile::TempDir;

/// Two versions of a program: the new one looks at the second byte of its file too, and writes another result.
const VERSIONS: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char text[100] = "", here[4096];
  int file = open(argv[1], O_RDONLY);
  read(file, text, sizeof text - 1);
  printf("%s in %s\n", argv[0], getcwd(here, sizeof here));
  FILE *result = fopen("out/result", "w");
  if (text[0] == 'x')
    fputs("an x", result);
#ifdef NEW
  if (text[1] == 'y') {
    fputs(" and a y", result);
    fclose(result);
    remove("input");
    char small[1];
    return small[argc] = 3;
  }
#endif
  fclose(result);
  return 0;
}
"#;

/// Two versions of a program: for the new one, a limit has seven bits.
const LIMIT: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  unsigned char text[3] = "";
  read(open(argv[1], O_RDONLY), text, 3);
  if (text[2] != '!')
    return 1;
  unsigned limit = text[0];
#ifdef NEW
  limit &= 0x7f;
#endif
  puts(text[1] < limit ? "less" : "not less");
  return 0;
}
"#;

/// Writes its input in all the ways that there are; what it writes besides has capitals and digits only.
const OUTPUTS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/uio.h>
int main(int argc, char **argv) {
  char *text = argv[1];
  printf("A%cB%sC%5sD\n", text[0], text, text);
  printf("%d %04u %x\n", text[1], text[2], text[3]);
  puts(text);
  putchar_unlocked('E');
  for (int i = 0; text[i]; i++)
    putchar_unlocked(text[i]);
  fputs(text, stdout);
  putchar(text[0]);
  fputc('\n', stdout);
  fwrite(text, 1, 3, stdout);
  fflush(stdout);
  write(1, text, 2);
  struct iovec parts[2] = {{"FG", 2}, {text + 1, 2}};
  writev(1, parts, 2);
  dprintf(1, "H%.2s", text);
  fprintf(stderr, "I%s", text);
  fputs_unlocked(text, stderr);
  FILE *file = fopen("out/result", "w");
  fputs("JK", file);
  for (int i = 0; text[i]; i++)
    putc_unlocked(text[i], file);
  fclose(file);
  for (int i = 0; i < 5000; i++)
    putchar_unlocked(text[i % 4]);
  return text[3] & 0x7f;
}
"#;

/// Does to the files around it what a program can do.
const FILES: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}
int main(int argc, char **argv) {
  if (argc == 1)
    return 0;
  mkdir("new", 0755);
  mkdir("new/deep", 0755);
  put("new/deep/file", "deep");
  put("same", "same");
  put("sub/other", "other now");
  chmod("mode", 0600);
  remove("sub/gone");
  remove("brought");
  put("brought too", "changed");
  remove("link");
  symlink("elsewhere", "link");
  mkfifo("pipe", 0600);
  remove("old/file");
  rmdir("old");
  mkdir("old", 0755);
  put("secret", "secret");
  chmod("secret", 0);
  put(argv[1], "outside");
  FILE *large = fopen("large", "w");
  for (int i = 0; i < 200000; i++)
    fputs("0123456789", large);
  fclose(large);
  return 0;
}
"#;

fn main() {
    byway_confine::serve_if_asked();
    two_versions_of_a_program_run_on_one_input_in_one_sandbox();
    one_query_is_about_the_paths_of_both_versions();
    everything_that_a_run_does_to_files_is_observed();
    bytes_that_leave_a_program_are_noted_with_what_they_mean();
    long_output_is_known_by_its_hash_and_size();
}

fn input(directory: &Path, arguments: &[&str], files: &[(&str, &str)]) -> ConcreteInput {
    let file = |&(name, text): &(&str, &str)| (PathBuf::from(name), InputFile::from(text.as_bytes().to_vec()));
    let fixture = Fixture {
        label: "test".to_owned(),
        name: Some("./program".into()),
        directory: Some(directory.to_owned()),
        directories: vec![directory.join("out")],
        ..Fixture::default()
    };
    ConcreteInput {
        fixture: Arc::new(fixture),
        arguments: arguments.iter().map(|argument| argument.as_bytes().to_vec()).collect(),
        files: files.iter().map(file).collect(),
        ..ConcreteInput::default()
    }
}

fn variants(project: &Project, program: &str) -> Variants {
    Variants {
        native: project.path(program),
        sym: Some(project.variant(program, "sym")),
        asan: Some(project.variant(program, "asan")),
        cov: None,
    }
}

fn options() -> RunOptions {
    RunOptions { timeout: Duration::from_secs(20), observe_files: true }
}

fn trace_options() -> TraceOptions {
    let model = InputModel { files: SymbolicFiles::OfInput, ..InputModel::default() };
    TraceOptions {
        model: Arc::new(model),
        timeout: Duration::from_secs(20),
        limits: TraceLimits::default(),
        visits: false,
        arithmetic: false,
        near: false,
        outputs: false,
        repeats: false,
    }
}

fn text(content: &Content) -> String {
    String::from_utf8_lossy(content.whole().unwrap()).into_owned()
}

fn two_versions_of_a_program_run_on_one_input_in_one_sandbox() {
    let project = Project::with(&[("program.c", VERSIONS)]);
    project.run("byway-cc -g -O1 -w -o old program.c").ok();
    project.run("byway-cc -g -O1 -w -DNEW -o new program.c").ok();
    let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let input = input(place.path(), &["input"], &[("input", "xy")]);
    let mut executor = Executor::new(&SandboxOptions::default(), [&input]).unwrap();
    let (old, new) = (executor.program(variants(&project, "old")), executor.program(variants(&project, "new")));
    let trace = trace_options();
    let said = format!("./program in {}\n", place.path().display());
    // Each finds the directory as the other one found it, in whatever order they run.
    for programs in [[old, new], [new, old], [old, old]] {
        for program in programs {
            let branches = branches(&executor.trace(program, &input, &trace).unwrap().trace);
            let observed = executor.native(program, &input, &options()).unwrap();
            assert_eq!((text(&observed.behaviour.stdout), observed.behaviour.stderr.size()), (said.clone(), 0));
            assert_eq!(observed.behaviour.report, None);
            assert_eq!(executor.native(program, &input, &options()).unwrap().behaviour, observed.behaviour);
            let files = observed.behaviour.files.unwrap();
            let judged = executor.judge(program, &input, &JudgeOptions::default()).unwrap();
            let report = String::from_utf8_lossy(judged.report()).into_owned();
            if program == old {
                assert_eq!((branches, observed.behaviour.ending), (1, Ending::Exited(0)));
                assert_eq!(files, changes(&[("out/result", Some("an x"))]));
                assert_eq!((judged.ending(), report.as_str()), (Ending::Exited(0), ""));
            } else {
                assert_eq!(branches, 2);
                assert_eq!(files, changes(&[("input", None), ("out/result", Some("an x and a y"))]));
                assert!(report.contains("out-of-bounds-index program.c:19"), "{report}");
            }
        }
    }
    assert!(!place.path().join("out").exists(), "what runs write stays in the sandbox");
}

/// A path space of a program, without paths.
fn path_space(project: &Project, program: &str) -> PathSpace<PathTree> {
    let cache = Cache::open(Some(project.path("maps"))).unwrap().trusting(true);
    let map = program_map(&cache, &Subject::open(&project.path(program)).unwrap()).unwrap();
    PathSpace::new(PathBuilder::new(Arc::new(Program::new(map)), None))
}

fn solver() -> Solver {
    let (sat, external_timeout) = (sat::SatLimits::default(), Duration::from_secs(1));
    Solver::new(byway_solve::SolverSettings { sat, external_timeout, cross_check: false }, None)
}

fn one_query_is_about_the_paths_of_both_versions() {
    let project = Project::with(&[("program.c", LIMIT)]);
    project.run("byway-cc -g -O1 -w -o old program.c").ok();
    project.run("byway-cc -g -O1 -w -DNEW -o new program.c").ok();
    let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = place.path().join("input").display().to_string();
    let given = input(place.path(), &["input"], &[(&file, "53!")]);
    let mut executor = Executor::new(&SandboxOptions::default(), [&given]).unwrap();
    let mut context = ExpressionContext::new(solver());
    let mut original = Original::new(Arc::new(given.clone()));
    let programs = ["old", "new"].map(|name| executor.program(variants(&project, name)));
    let mut spaces = ["old", "new"].map(|name| path_space(&project, name));
    let [old, new] = [0, 1].map(|version| {
        let trace = executor.trace(programs[version], &given, &trace_options()).unwrap().trace;
        let sources = original.sources(&trace);
        spaces[version].path(&mut context, &trace, Some(sources))
    });
    // What did not change is one expression, whichever of them computed it.
    assert_eq!((old.steps().len(), new.steps().len()), (2, 2));
    assert_eq!(old.steps()[0].condition, new.steps()[0].condition);
    assert_ne!(old.steps()[1].condition, new.steps()[1].condition);
    // The old version does what it did; the new one goes the other way at its last branch.
    let last = new.steps()[1];
    let other_side = spaces[1].builder_mut().expression(&mut context.pool, last.to(1 - last.side).into());
    let mut before = new.clone();
    before.truncate(1);
    let mut both = spaces[0].condition_of(&mut context, &old);
    let before = spaces[1].condition_of(&mut context, &before);
    both.extend(&mut context.pool, &before);
    let unchanged = Changes::default();
    let values = |variables: &_, var| original.value(variables, &unchanged, var);
    let answer = context.solve(&mut both, &other_side.into(), &values);
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    let changed = context.changed(&model, &values);
    let differing = original.input(&context.variables, changed.iter().copied());
    assert_eq!(changed.len(), 1, "one byte is enough: {changed:?}");
    let said = programs.map(|program| executor.native(program, &differing, &options()).unwrap().behaviour);
    assert_eq!(said.map(|behaviour| text(&behaviour.stdout)), ["less\n", "not less\n"]);
}

/// Each byte of the input that is written is noted once, at its place, with its value; nothing else is.
fn bytes_that_leave_a_program_are_noted_with_what_they_mean() {
    let project = Project::with(&[("program.c", OUTPUTS)]);
    project.run("byway-cc -g -O2 -w -D_GNU_SOURCE -o program program.c").ok();
    let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let given = input(place.path(), &["qxyz"], &[]);
    let mut executor = Executor::new(&SandboxOptions::default(), [&given]).unwrap();
    let program = executor.program(variants(&project, "program"));
    let model = Arc::new(InputModel { arguments: true, ..InputModel::default() });
    let options = TraceOptions { outputs: true, model, ..trace_options() };
    let outcome = executor.trace(program, &given, &options).unwrap();
    assert!(byway_trace::self_check(&outcome.trace).is_clean());
    let texts = outcome.outputs.unwrap();
    let native = executor.native(program, &given, &self::options()).unwrap().behaviour;
    assert_eq!([native.stdout.whole().unwrap(), native.stderr.whole().unwrap()], [&texts[0][..], &texts[1][..]]);
    let noted = |file: u32| -> Vec<(u64, u8)> {
        let events = outcome.trace.events().iter();
        let written =
            events.filter(|event| EventKind::of(event.kind) == Some(EventKind::Output) && event.extra == file);
        written.map(|event| (event.b, event.a as u8)).collect()
    };
    for (file, text) in [(1, &texts[0]), (2, &texts[1])] {
        // Of the second line all but the spaces depend on the input.
        let mut line = 0;
        let depends = |&(_, &byte): &(u64, &u8)| {
            line += u32::from(byte == b'\n');
            byte.is_ascii_lowercase() || line == 1 && file == 1 && byte.is_ascii_digit()
        };
        let expected: Vec<(u64, u8)> = (0..).zip(text).filter(depends).map(|(at, &byte)| (at, byte)).collect();
        let mut noted = noted(file);
        noted.sort_unstable();
        let zeros = |all: Vec<(u64, u8)>| -> Vec<(u64, u8)> { all.into_iter().filter(|byte| byte.1 != b'0').collect() };
        let (noted, expected) = (zeros(noted), zeros(expected));
        let first = noted.iter().zip(&expected).find(|(noted, expected)| noted != expected);
        assert_eq!((noted.len(), first), (expected.len(), None), "descriptor {file}");
    }
    assert_eq!(noted(3), [(2, b'q'), (3, b'x'), (4, b'y'), (5, b'z')]);
    let ends = outcome.trace.events().iter().filter(|event| EventKind::of(event.kind) == Some(EventKind::Exit));
    assert_eq!(ends.map(|event| event.a).collect::<Vec<_>>(), [u64::from(b'z' & 0x7f)]);
    assert_eq!(outcome.status.code(), Some(i32::from(b'z' & 0x7f)));
}

fn branches(trace: &Trace) -> usize {
    trace.events().iter().filter(|event| EventKind::of(event.kind) == Some(EventKind::Branch)).count()
}

/// Files that were written with the usual permissions, or removed.
fn changes(files: &[(&str, Option<&str>)]) -> FileChanges {
    let change = |text: &Option<&str>| match text {
        Some(text) => FileChange::Written { content: Content::Whole(text.as_bytes().to_vec()), mode: 0o644 },
        None => FileChange::Removed,
    };
    files.iter().map(|(path, text)| (PathBuf::from(path), change(text))).collect()
}

fn run(executor: &mut Executor, program: ProgramId, input: &ConcreteInput) -> FileChanges {
    let observed = executor.native(program, input, &options()).unwrap();
    assert_eq!(observed.behaviour.ending, Ending::Exited(0));
    observed.behaviour.files.unwrap()
}

fn everything_that_a_run_does_to_files_is_observed() {
    let project = Project::with(&[("program.c", FILES)]);
    project.run("byway-cc -w -o program program.c").ok();
    for unconfined in [false, true] {
        let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let there = place.path().join("work");
        fs::create_dir_all(there.join("sub")).unwrap();
        fs::create_dir_all(there.join("old")).unwrap();
        for (name, text) in [("same", "same"), ("sub/other", "other"), ("mode", ""), ("sub/gone", ""), ("old/file", "")]
        {
            fs::write(there.join(name), text).unwrap();
        }
        symlink("somewhere", there.join("link")).unwrap();
        let outside = TempDir::new().unwrap().path().to_owned();
        let mut options = SandboxOptions { unconfined, ..SandboxOptions::default() };
        options.settings.directory = byway_confine::Directory::CopyOf(there.clone());
        let written = if unconfined { "outside".to_owned() } else { outside.display().to_string() };
        let mut given = input(&there, &[&written], &[("brought", "1"), ("brought too", "2")]);
        Arc::make_mut(&mut given.fixture).directory = None;
        Arc::make_mut(&mut given.fixture).directories.clear();
        let mut executor = Executor::new(&options, [&given]).unwrap();
        let program = executor.program(Variants::of(project.path("program")));
        let nothing = ConcreteInput { arguments: Vec::new(), ..given.clone() };
        let mut expected = changes(&[
            ("new/deep/file", Some("deep")),
            ("sub/other", Some("other now")),
            ("sub/gone", None),
            ("brought", None),
            ("brought too", Some("changed")),
            ("old/file", None),
            (&written, Some("outside")),
        ]);
        let empty = Content::Whole(Vec::new());
        let large = Content::read(&b"0123456789".repeat(200_000)[..]).unwrap();
        let secret = Content::Whole(b"secret".to_vec());
        expected.extend([
            ("new".into(), FileChange::Directory),
            ("new/deep".into(), FileChange::Directory),
            ("mode".into(), FileChange::Written { content: empty, mode: 0o600 }),
            ("link".into(), FileChange::Link("elsewhere".into())),
            ("pipe".into(), FileChange::Special),
            ("secret".into(), FileChange::Written { content: secret, mode: 0 }),
            ("large".into(), FileChange::Written { content: large, mode: 0o644 }),
        ]);
        for _ in 0..2 {
            assert_eq!(run(&mut executor, program, &nothing), FileChanges::new(), "unconfined: {unconfined}");
            assert_eq!(run(&mut executor, program, &given), expected, "unconfined: {unconfined}");
        }
        assert_eq!(fs::read_to_string(there.join("sub/other")).unwrap(), "other");
    }
}

fn long_output_is_known_by_its_hash_and_size() {
    let project = Project::with(&[(
        "program.c",
        "#include <stdio.h>\nint main(int c, char **v) { for (int i = 0; i < 200000; i++) fputs(v[1], stdout); fputs(v[2], stderr); }\n",
    )]);
    project.run("byway-cc -w -o program program.c").ok();
    let place = TempDir::new().unwrap();
    let first = input(place.path(), &["0123456789", "x"], &[]);
    let second = input(place.path(), &["012345678!", "x"], &[]);
    let mut executor = Executor::new(&SandboxOptions::default(), [&first]).unwrap();
    let program = executor.program(Variants::of(project.path("program")));
    let mut behaviour = |input| executor.native(program, input, &options()).unwrap().behaviour;
    let (one, again, other) = (behaviour(&first), behaviour(&first), behaviour(&second));
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!(one.stdout.size() == 2_000_000 && one.stdout.size() > MAX_WHOLE && one.stdout.whole().is_none());
    assert_eq!(one.stderr, Content::Whole(b"x".to_vec()));
}
