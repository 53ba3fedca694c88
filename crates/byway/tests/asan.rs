//! The `asan` variant sees what the subjects under `tests/subjects/asan` do.

mod common;

use std::path::Path;

use common::{Expectations, Project, Ran, subjects};

fn run(project: &Project, program: &Path, arguments: &[String], variables: &[String]) -> Ran {
    let mut command = project.command(program);
    command.args(arguments);
    command.envs(variables.iter().filter_map(|variable| variable.split_once('=')));
    command.output().unwrap().into()
}

#[test]
fn every_subject_is_caught_at_its_line_and_only_when_it_breaks() {
    for path in subjects("asan") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = Expectations::read(&path);
        let project = Project::with(&[(name, &expected.source)]);
        let flags = expected.words("flags").unwrap_or_default().join(" ");
        project.run(&format!("byway-cc -g -O2 {flags} -o subject {name}")).ok();
        let asan = project.variant("subject", "asan");
        let variables = expected.words("env").unwrap_or_default();

        let ran = run(&project, &asan, &expected.words("args").unwrap(), &variables);
        let [(line, report)] = expected.marks()[..] else { panic!("{name}: one mark is expected") };
        assert!(ran.stderr.contains(report), "{name}: no {report:?} in\n{}", ran.stderr);
        let place = format!("{name}:{line}");
        assert!(ran.stderr.contains(&place), "{name}: no {place:?} in\n{}", ran.stderr);

        if let Some(fine) = expected.words("fine") {
            let native = run(&project, &project.path("subject"), &fine, &variables);
            assert_eq!(run(&project, &asan, &fine, &variables), native, "{name}: the run that does not break");
        }
    }
}

#[test]
fn the_verdict_is_that_of_a_plain_sanitizer_build() {
    for path in subjects("asan").iter().filter(|path| !path.to_string_lossy().contains("/past_")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = Expectations::read(path);
        let project = Project::with(&[(name, &expected.source)]);
        project.run(&format!("clang-19 -g -O1 -fsanitize=address,undefined -o plain {name}")).ok();
        project.run(&format!("byway-cc -g -O2 -o subject {name}")).ok();
        let arguments = expected.words("args").unwrap();
        let plain = verdict(name, &run(&project, &project.path("plain"), &arguments, &[]));
        let ours = verdict(name, &run(&project, &project.variant("subject", "asan"), &arguments, &[]));
        assert!(plain.len() > 1, "{name}: {plain:?}");
        assert_eq!(ours, plain, "{name}");
    }
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

#[test]
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
