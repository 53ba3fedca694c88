//! The blocks that a traced run executes are those that the `cov` variant counts.

mod common;
#[path = "common/sym.rs"]
mod sym;

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::Command;

use byway_coverage::CounterFile;
use byway_exec::{Argument, Extras, Run, Server, Symbolic};
use byway_map::ProgramMap;
use byway_program::Subject;
use byway_trace::TraceLimits;
use byway_variant::{Cache, VariantKind, build, program_map};
use common::{Project, subjects};
use sym::SymSubject;

/// Of the subjects for `sym`, some with loops, tables of functions, jumps, children, and calls by the library.
const SUBJECTS: [&str; 8] =
    ["callback.c", "fork_child.c", "getopt.c", "longjmp.c", "qsort.c", "recursion.c", "switch.c", "thread.c"];

/// A constructor runs before the fork server does, and a crash leaves no time to say anything.
const CONSTRUCTOR: &str = r#"#include <stdlib.h>
static int ready;
__attribute__((constructor)) static void begin(void) { ready = 1; }
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++)
    if (ready && argc > i && argv[i][0] == 'a')
      abort();
  return 0;
}
"#;

struct Program {
    project: Project,
    subject: Subject,
    cache: Cache,
    map: ProgramMap,
}

impl Program {
    fn of(source: &SymSubject) -> Program {
        let project = Project::with(&[(&source.name, &source.source)]);
        project.run(&format!("byway-cc -O1 -g {} -o subject {}", source.name, source.flags.join(" "))).ok();
        project.write("stdin", source.stdin.as_deref().unwrap_or_default());
        for (name, content) in &source.files {
            project.write(name, content);
        }
        let subject = Subject::open(&project.path("subject")).unwrap();
        let cache = Cache::open(Some(project.path("cache"))).unwrap().trusting(true);
        let map = program_map(&cache, &subject).unwrap();
        Program { project, subject, cache, map }
    }

    fn stdin(&self) -> File {
        File::open(self.project.path("stdin")).unwrap()
    }

    /// The blocks that the `cov` variant counts.
    fn counted(&self, arguments: &[String]) -> Vec<bool> {
        let variant = build(&self.cache, &self.subject, VariantKind::Cov).unwrap();
        let counters = CounterFile::open(&self.project.path("counters"), self.subject.id, &self.map).unwrap();
        let mut command = Command::new(variant.program);
        command.args(arguments).env(byway_coverage::variable(), counters.path());
        command.current_dir(self.project.path("")).stdin(self.stdin()).output().unwrap();
        counters.read().unwrap().into_iter().map(|count| count > 0).collect()
    }

    /// The blocks that each of two traced runs executes.
    fn traced(&self, arguments: &[String]) -> [Vec<bool>; 2] {
        let variant = build(&self.cache, &self.subject, VariantKind::Sym).unwrap();
        let mut server = Server::start(&variant.program, OsStr::new("subject"), None).unwrap();
        [(); 2].map(|()| executed(&mut server, arguments, &self.stdin(), &self.project.path("")))
    }
}

fn executed(server: &mut Server, arguments: &[String], stdin: &File, directory: &Path) -> Vec<bool> {
    let null = File::options().write(true).open("/dev/null").unwrap();
    let symbolic = Symbolic { arguments: true, stdin: true, files: true, ..Symbolic::default() };
    let words = std::iter::once("subject").chain(arguments.iter().map(String::as_str));
    let outcome = server.run(&Run {
        arguments: words.map(|word| Argument::from(OsStr::new(word))).collect(),
        extras: Extras::default(),
        environment: None,
        stdin: stdin.as_fd(),
        stdout: null.as_fd(),
        stderr: null.as_fd(),
        directory: File::open(directory).unwrap().as_fd(),
        symbolic: &symbolic,
        visits: false,
        arithmetic: false,
        near: false,
        outputs: false,
        repeats: false,
        limits: TraceLimits::default(),
        timeout: None,
    });
    outcome.unwrap().trace.blocks().iter().map(|&executed| executed != 0).collect()
}

fn check(source: &SymSubject) {
    let program = Program::of(source);
    let counted = program.counted(&source.arguments);
    assert!(counted.contains(&true) && counted.contains(&false), "{}", source.name);
    for traced in program.traced(&source.arguments) {
        assert_eq!(traced, counted, "{}", source.name);
    }
}

#[test]
fn a_traced_run_executes_the_blocks_that_the_cov_variant_counts() {
    let paths = subjects("sym");
    for name in SUBJECTS {
        let path = paths.iter().find(|path| path.ends_with(name)).unwrap();
        check(&SymSubject::read(path).unwrap());
    }
}

#[test]
fn blocks_of_constructors_and_up_to_a_crash_are_there() {
    let mut source = SymSubject::parse("constructor.c", CONSTRUCTOR).unwrap();
    source.arguments = vec!["b".to_owned(), "a".to_owned()];
    check(&source);
}
