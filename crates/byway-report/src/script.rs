//! `run.sh`: replays a test by hand, in any POSIX shell, with any build of the program.

mod words;

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::fixture::{StoredFixture, Tree, is_search};
use crate::shell::{assign, literal};
use crate::test::Record;

use words::Words;

/// The script of a test.
pub fn script(record: &Record) -> Vec<u8> {
    let mut lines: Vec<String> = vec!["#!/bin/sh".to_owned()];
    lines.extend(HEAD.lines().map(str::to_owned));
    lines.extend(program(&record.program.0));
    let has_files = record.files.iter().any(|file| file.is_inside());
    let fixture = record.fixture();
    match &fixture {
        Some((fixture, tree)) => lines.extend(tree_lines(fixture, tree, has_files)),
        None => lines.push(directory(has_files)),
    }
    for file in record.files.iter().filter(|file| !file.is_inside()) {
        let path = String::from_utf8_lossy(&file.path.0).into_owned();
        let stored = String::from_utf8_lossy(&file.stored.0).into_owned();
        let note = format!("run.sh: not placed: {path:?}, which the program reads, is {stored} here");
        lines.push(format!("echo {} >&2", literal(&note)));
    }
    if !record.findings.is_empty() {
        lines.extend(sanitizer_options(record));
    }
    if record.ktest.is_some() {
        lines.push("KTEST_FILE=$here/test.ktest".to_owned());
        lines.push("export KTEST_FILE".to_owned());
    }
    match &fixture {
        Some((fixture, tree)) => lines.extend(call_in_scene(record, fixture, tree)),
        None => lines.extend(call(record)),
    }
    let mut script = lines.join("\n").into_bytes();
    script.push(b'\n');
    script
}

/// What AddressSanitizer is told, as by the judge.
fn sanitizer_options(record: &Record) -> Vec<String> {
    let mut lines = vec!["# malloc returns NULL for more memory than there is, as without sanitizers.".to_owned()];
    let mut options = "allocator_may_return_null=1".to_owned();
    if goes_on(record) {
        lines.push("# It shows behind other reports: AddressSanitizer has to go on there.".to_owned());
        options.push_str(":halt_on_error=0");
    }
    lines.push(format!("ASAN_OPTIONS=${{ASAN_OPTIONS:+$ASAN_OPTIONS:}}{options}"));
    lines.push("export ASAN_OPTIONS".to_owned());
    lines
}

const HEAD: &str = "\
# Replays this test: run.sh [PROGRAM]
# It runs in a temporary directory with a copy of the files; with BYWAY_DIRECTORY=DIR in that one, which then stays; with
# BYWAY_HERE=1, in the current one as it is.
here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd -P) || exit 125";

fn program(program: &[u8]) -> Vec<String> {
    let mut lines = assign("program", program);
    lines.push("program=${1-$program}".to_owned());
    lines.push("case $program in /*) ;; */*) program=$PWD/$program ;; esac".to_owned());
    lines
}

/// A temporary directory, filled by these lines.
fn temporary(fill: &[String]) -> String {
    format!(
        "if [ -z \"${{BYWAY_HERE-}}\" ]; then
    if [ -n \"${{BYWAY_DIRECTORY-}}\" ]; then
        directory=$BYWAY_DIRECTORY
        mkdir -p \"$directory\" || exit 125
    else
        directory=$(mktemp -d) || exit 125
        trap 'cd / && chmod -R u+rwX \"$directory\" 2>/dev/null; rm -rf \"$directory\"' EXIT
        trap 'exit 130' HUP INT TERM
    fi
    {}
fi",
        fill.join("\n    ")
    )
}

fn directory(has_files: bool) -> String {
    let copy = has_files.then(|| "cp -R \"$here/files/.\" \"$directory\" || exit 125".to_owned());
    let enter = "cd \"$directory\" || exit 125".to_owned();
    temporary(&copy.into_iter().chain([enter]).collect::<Vec<String>>())
}

/// The tree of a fixture, in a temporary directory. Absolute paths begin with `$root`.
fn tree_lines(fixture: &StoredFixture, tree: &Tree, has_files: bool) -> Vec<String> {
    let base = tree.base().as_os_str().as_bytes();
    let mut lines = assign("root", if base == b"/" { b"" } else { base });
    let mut fill = vec!["root=$directory/root".to_owned(), "mkdir \"$root\" || exit 125".to_owned()];
    fill.extend(has_files.then(|| "cp -R \"$here/files/.\" \"$root\" || exit 125".to_owned()));
    let mut words = Words::new(Some(tree), "path");
    let mut add = |words: &mut Words<'_>, line: String| {
        fill.extend(words.take_lines());
        fill.push(line);
    };
    let directories = fixture.directories.iter().chain([&fixture.directory]).filter_map(|path| tree.below(path));
    for path in directories.filter(|path| !path.as_os_str().is_empty()) {
        let word = words.below(&with_slash(&path));
        add(&mut words, format!("mkdir -p {word} || exit 125"));
    }
    for (path, target) in &fixture.links {
        let Some(path) = tree.below_link(path) else { continue };
        let (target, word) = (words.word(target.as_os_str().as_bytes()), words.below(&with_slash(&path)));
        add(&mut words, format!("ln -s -- {target} {word}"));
    }
    let directory = tree.below(&fixture.directory).unwrap_or_default();
    let word = words.below(&with_slash(&directory));
    add(&mut words, format!("cd {word} || exit 125"));
    lines.push(temporary(&fill));
    lines
}

fn with_slash(path: &Path) -> Vec<u8> {
    match path.as_os_str().as_bytes() {
        b"" => Vec::new(),
        path => [b"/", path].concat(),
    }
}

fn call(record: &Record) -> Vec<String> {
    let mut words = Words::new(None, "argument");
    let call = arguments(record, &mut words, "\"$program\"");
    let mut lines = words.take_lines();
    lines.push(format!("{call} <{}", stdin(record)));
    lines
}

/// The program by its name, in the environment it had. What is set for it does not reach the rest of the script.
fn call_in_scene(record: &Record, fixture: &StoredFixture, tree: &Tree) -> Vec<String> {
    let mut lines = assign("name", &fixture.name);
    let mut words = Words::new(Some(tree), "argument");
    let set = arguments(record, &mut words, "set --");
    lines.extend(words.take_lines());
    lines.push(set);
    lines.extend(CALL.lines().map(str::to_owned));
    lines.push(format!("(\nexec <{}", stdin(record)));
    let mut words = Words::new(Some(tree), "value");
    let set = environment(record, fixture, &mut words);
    lines.extend(words.take_lines());
    lines.extend(set);
    lines.push(")".to_owned());
    lines
}

/// Sets the environment and runs what is to be run.
fn environment(record: &Record, fixture: &StoredFixture, words: &mut Words<'_>) -> Vec<String> {
    let mut set = Vec::new();
    set.extend((fixture.is_all && !record.findings.is_empty()).then(|| "ASAN_OPTIONS=\"$ASAN_OPTIONS\"".to_owned()));
    for (name, value) in &fixture.variables {
        let Some(value) = value else { continue };
        let value = if is_search(name) { words.plain(value.as_bytes()) } else { words.word(value.as_bytes()) };
        set.push(format!("{}={value}", name.to_string_lossy()));
    }
    if fixture.is_all {
        let set: String = set.iter().map(|variable| format!(" \\\n    {variable}")).collect();
        return vec![format!("exec env -i{set} \\\n    \"$@\"")];
    }
    let unset = fixture.variables.iter().filter(|(_, value)| value.is_none());
    let unset: Vec<_> = unset.map(|(name, _)| name.to_string_lossy()).collect();
    let mut lines: Vec<String> = set.iter().map(|variable| format!("export {variable}")).collect();
    lines.extend((!unset.is_empty()).then(|| format!("unset {}", unset.join(" "))));
    lines.push("exec \"$@\"".to_owned());
    lines
}

/// Only bash can call a program by another name.
const CALL: &str = r#"bash=$(command -v bash)
if [ "$name" != "$program" ] && [ -n "$bash" ]; then
    set -- "$bash" -c 'exec -a "$0" "$@"' "$name" "$program" "$@"
else
    set -- "$program" "$@"
fi"#;

fn arguments(record: &Record, words: &mut Words<'_>, call: &str) -> String {
    let mut call = call.to_owned();
    for argument in &record.arguments {
        call.push_str(" \\\n    ");
        call.push_str(&words.word(&argument.0));
    }
    call
}

/// Whether AddressSanitizer has to go on behind its first report.
fn goes_on(record: &Record) -> bool {
    record.findings.iter().any(|finding| finding.behind)
}

fn stdin(record: &Record) -> &'static str {
    if record.stdin.is_some() { "\"$here/stdin\"" } else { "/dev/null" }
}
