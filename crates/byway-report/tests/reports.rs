//! What sanitizers wrote of the programs under `tests/reports` becomes findings.
//!
//! `NAME.txt` is what the build with sanitizers wrote to standard error, and on its first line how it ended. To record
//! them anew: `cargo test -p byway-report --test reports -- --ignored`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use byway_exec::Judge;
use byway_report::{Ending, Finding, Frame, findings};
use proptest::prelude::*;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports")
}

/// The programs, by name, with their sources.
fn programs() -> Vec<(String, String)> {
    let paths = fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// The words behind `// key:` in a source.
fn words<'a>(source: &'a str, key: &str) -> Vec<&'a str> {
    let prefix = format!("// {key}:");
    let line = source.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default();
    line.split_whitespace().collect()
}

fn recorded(name: &str) -> (Ending, String) {
    let text = fs::read_to_string(directory().join(format!("{name}.txt"))).unwrap();
    let (ending, stderr) = text.split_once('\n').unwrap();
    (serde_json::from_str(ending).unwrap(), stderr.to_owned())
}

fn place(frame: &Frame) -> String {
    let number = |number: Option<u32>| number.map(|number| format!(":{number}")).unwrap_or_default();
    let place = frame.file.clone().or(frame.module.clone()).unwrap_or_default();
    let own = if frame.is_own() { "" } else { " (not ours)" };
    let function = frame.function.as_deref().unwrap_or("?");
    format!("{function} {place}{}{}{own}", number(frame.line), number(frame.column))
}

fn stack(title: &str, frames: &[Frame]) -> String {
    let lines = frames.iter().take(8).map(|frame| format!("    {title} {}\n", place(frame)));
    lines.collect()
}

fn shown(finding: &Finding) -> String {
    let mut text = format!("  {finding}\n    {}\n", finding.message);
    if !finding.then.is_empty() {
        text += &format!("    then {}\n", finding.then.join(", "));
    }
    text += &stack("by", &finding.stack);
    if let Some(object) = &finding.object {
        text += &format!("    object {}\n", object.description);
        text += &stack("allocated by", &object.allocated);
        text += &stack("freed by", &object.freed);
    }
    text
}

#[test]
fn every_report_is_a_finding_with_its_place() {
    let mut text = String::new();
    for (name, _) in programs() {
        let (ending, stderr) = recorded(&name);
        text += &format!("{name}: {ending}\n");
        text.extend(findings(&name, stderr.as_bytes(), ending).iter().map(shown));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_report_that_is_cut_off_anywhere_is_read() {
    for (name, _) in programs() {
        let (ending, stderr) = recorded(&name);
        for end in (0..stderr.len().min(6000)).step_by(7) {
            findings(&name, &stderr.as_bytes()[..end], ending);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_report_is_read_as_far_as_it_goes(
        program in prop::sample::select(programs()),
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[ \n:()<>#=x0-9é]{0,3}"), 1..20),
    ) {
        let (ending, stderr) = recorded(&program.0);
        let mut stderr = stderr.into_bytes();
        for (index, text) in damage {
            let at = index.index(stderr.len() + 1);
            stderr.splice(at..(at + 2).min(stderr.len()).max(at), text.bytes());
        }
        findings(&program.0, &stderr, ending);
    }
}

#[test]
fn without_source_positions_the_function_is_known() {
    let report = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2 bp 0x3 sp 0x4\n\
        READ of size 1 at 0x1 thread T0\n    #0 0x2 in strlen (/src/x+0x1)\n    #1 0x2 in parse (/src/x+0x2)\n";
    let found = findings("x", report.as_bytes(), Ending::Exited(1));
    assert_eq!(found[0].to_string(), "heap-buffer-overflow in parse");
}

#[test]
fn without_sanitizers_the_ending_tells() {
    let shown = |stderr: &str, ending| -> Vec<String> {
        findings("cut", stderr.as_bytes(), ending).iter().map(|found| format!("{found}: {}", found.message)).collect()
    };
    assert_eq!(shown("", Ending::TimedOut), ["hang at cut: the program does not end"]);
    assert_eq!(shown("", Ending::OutOfMemory), ["out-of-memory at cut: the program uses more memory than it may"]);
    assert_eq!(shown("", Ending::Signal(11)), ["SEGV at cut: signal SIGSEGV"]);
    let assertion = "cut: src/cut.c:3: char *get(int): Assertion `n != 3' failed.\n";
    assert_eq!(
        shown(assertion, Ending::Signal(6)),
        ["assertion-failure at src/cut.c:3 in get: assertion `n != 3` failed"]
    );
    assert_eq!(
        shown("free(): invalid pointer\n", Ending::Signal(6)),
        ["abort at cut: the program aborts: free(): invalid pointer"]
    );
    assert!(shown("cut: invalid field\n", Ending::Exited(1)).is_empty());
}

#[test]
fn nothing_depends_on_addresses() {
    for (name, _) in programs() {
        let (ending, stderr) = recorded(&name);
        let moved = stderr.replace(" 0x5", " 0x6").replace(" 0x7", " 0x8");
        let ids = |stderr: &str| findings(&name, stderr.as_bytes(), ending).iter().map(Finding::id).collect::<Vec<_>>();
        assert_eq!(ids(&stderr), ids(&moved), "{name}");
    }
}

#[test]
#[ignore = "records what clang of this machine says"]
fn record_reports() {
    let scratch = tempfile::tempdir().unwrap();
    for (name, source) in programs() {
        compile(&name, &source, scratch.path());
        record(&name, &source, scratch.path());
    }
}

fn compile(name: &str, source: &str, scratch: &Path) {
    fs::write(scratch.join(format!("{name}.c")), source).unwrap();
    let map = format!("-ffile-prefix-map={}=/src", scratch.display());
    let mut clang = Command::new("clang-19");
    clang.args(["-w", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", &map]);
    clang.args(words(source, "flags")).args(["-o", name, &format!("{name}.c")]);
    assert!(clang.current_dir(scratch).status().unwrap().success());
}

fn record(name: &str, source: &str, scratch: &Path) {
    let options = words(source, "options");
    let mut judge = Judge::new();
    judge.oversized_allocations = options.contains(&"oversized");
    judge.memory = options.contains(&"memory").then_some(200);
    let mut command = Command::new(scratch.join(name));
    command.args(words(source, "args")).envs(judge.environment()).current_dir(scratch).stdout(Stdio::null());
    let output = command.output().unwrap();
    let ending = serde_json::to_string(&Ending::new(output.status, false)).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).replace(scratch.to_str().unwrap(), "/src");
    fs::write(directory().join(format!("{name}.txt")), format!("{ending}\n{stderr}")).unwrap();
}
