//! The `asan` variant sees what the subjects under `tests/subjects/asan` do.

mod common;

use std::path::Path;
use std::process::ExitCode;

use common::trials::{self, Problem};
use common::{Expectations, Project, Ran};

fn run(project: &Project, program: &Path, arguments: &[String], variables: &[String]) -> Ran {
    let mut command = project.command(program);
    command.args(arguments);
    command.envs(variables.iter().filter_map(|variable| variable.split_once('=')));
    command.output().unwrap().into()
}

fn main() -> ExitCode {
    // What is past an object by more than its red zone is no verdict to compare.
    let is_near = |name: &str| !name.starts_with("past_");
    trials::run([
        trials::of_subjects("asan", None, |_| true, is_caught_at_its_line_and_only_when_it_breaks),
        trials::of_subjects("asan", Some("verdict"), is_near, verdict_is_that_of_a_plain_sanitizer_build),
        facts![a_changed_source_is_said_and_its_bitcode_is_checked_instead],
    ])
}

fn is_caught_at_its_line_and_only_when_it_breaks(path: &Path) -> Vec<Problem> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let expected = Expectations::read(path);
    let project = Project::with(&[(name, &expected.source)]);
    let flags = expected.words("flags").unwrap_or_default().join(" ");
    project.run(&format!("byway-cc -g -O2 {flags} -o subject {name}")).ok();
    let asan = project.variant("subject", "asan");
    let variables = expected.words("env").unwrap_or_default();
    let ran = run(&project, &asan, &expected.words("args").unwrap(), &variables);
    let [(line, report)] = expected.marks()[..] else { return vec!["one mark is expected".into()] };
    let mut problems = Vec::new();
    for text in [report.to_owned(), format!("{name}:{line}")] {
        if !ran.stderr.contains(&text) {
            problems.push(format!("no {text:?} in\n{}", ran.stderr).into());
        }
    }
    if let Some(fine) = expected.words("fine") {
        let native = run(&project, &project.path("subject"), &fine, &variables);
        let ours = run(&project, &asan, &fine, &variables);
        if ours != native {
            problems.push(format!("the run that does not break: {ours:?} instead of {native:?}").into());
        }
    }
    problems
}

fn verdict_is_that_of_a_plain_sanitizer_build(path: &Path) -> Vec<Problem> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let expected = Expectations::read(path);
    let project = Project::with(&[(name, &expected.source)]);
    project.run(&format!("clang-19 -g -O1 -fsanitize=address,undefined -o plain {name}")).ok();
    project.run(&format!("byway-cc -g -O2 -o subject {name}")).ok();
    let arguments = expected.words("args").unwrap();
    let plain = verdict(name, &run(&project, &project.path("plain"), &arguments, &[]));
    let ours = verdict(name, &run(&project, &project.variant("subject", "asan"), &arguments, &[]));
    if plain.len() > 1 && ours == plain {
        return Vec::new();
    }
    vec![format!("{ours:?}, and {plain:?} in a plain build").into()]
}

/// What is wrong, and every place in the source that the report names.
fn verdict(name: &str, ran: &Ran) -> Vec<String> {
    let wrong = ran.stderr.lines().find(|line| line.contains("ERROR: Address") || line.contains("runtime error: "));
    let wrong = wrong.unwrap_or_else(|| panic!("{name}: nothing wrong in\n{}", ran.stderr));
    let kind = match wrong.split_once("AddressSanitizer: ") {
        Some((_, rest)) => rest.split(' ').next().unwrap(),
        None => wrong.split_once("runtime error: ").unwrap().1,
    };
    // UndefinedBehaviorSanitizer prints no stack in a plain build.
    let report = if wrong.contains("runtime error") { wrong } else { &ran.stderr };
    let places = report.split_whitespace().filter_map(|word| Some(word.split_once(&format!("{name}:"))?.1.to_owned()));
    std::iter::once(kind.to_owned()).chain(places).collect()
}

fn a_changed_source_is_said_and_its_bitcode_is_checked_instead() {
    let source = include_str!("../../../tests/subjects/asan/heap_overflow.c");
    let project = Project::with(&[("heap_overflow.c", source)]);
    project.run("byway-cc -g -O2 -o subject heap_overflow.c").ok();
    project.write("heap_overflow.c", "#error not what was built\n");
    let report = project.doctor("subject");
    let changed = report["program"]["changed_sources"][0]["changed"].as_str().unwrap();
    assert!(changed.ends_with("heap_overflow.c"));
    let ran: Ran = project.command(project.variant("subject", "asan")).arg("12345678").output().unwrap().into();
    assert!(ran.stderr.contains("AddressSanitizer: heap-buffer-overflow"), "{}", ran.stderr);
}
