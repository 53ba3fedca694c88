//! `run.sh`: replays a test by hand, in any POSIX shell, with any build of the program.

use crate::shell::{assign, literal, readable};
use crate::test::Record;

/// The script of a test.
pub fn script(record: &Record) -> Vec<u8> {
    let mut lines: Vec<String> = vec!["#!/bin/sh".to_owned()];
    lines.extend(HEAD.lines().map(str::to_owned));
    lines.extend(program(&record.program.0));
    lines.push(directory(record.files.iter().any(|file| file.is_inside())));
    for file in record.files.iter().filter(|file| !file.is_inside()) {
        let path = String::from_utf8_lossy(&file.path.0).into_owned();
        let stored = String::from_utf8_lossy(&file.stored.0).into_owned();
        let note = format!("run.sh: not placed: {path:?}, which the program reads, is {stored} here");
        lines.push(format!("echo {} >&2", literal(&note)));
    }
    if record.ktest.is_some() {
        lines.push("KTEST_FILE=$here/test.ktest".to_owned());
        lines.push("export KTEST_FILE".to_owned());
    }
    lines.extend(call(record));
    let mut script = lines.join("\n").into_bytes();
    script.push(b'\n');
    script
}

const HEAD: &str = "\
# Replays this test: run.sh [PROGRAM]
# It runs in a temporary directory with a copy of the files; with BYWAY_HERE=1, in the current one as it is.
here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd -P) || exit 125";

fn program(program: &[u8]) -> Vec<String> {
    let mut lines = assign("program", program);
    lines.push("program=${1-$program}".to_owned());
    lines.push("case $program in /*) ;; */*) program=$PWD/$program ;; esac".to_owned());
    lines
}

fn directory(has_files: bool) -> String {
    let copy = if has_files { "\n    cp -R \"$here/files/.\" \"$directory\" || exit 125" } else { "" };
    format!(
        "if [ -z \"${{BYWAY_HERE-}}\" ]; then
    directory=$(mktemp -d) || exit 125
    trap 'cd / && chmod -R u+rwX \"$directory\" 2>/dev/null; rm -rf \"$directory\"' EXIT
    trap 'exit 130' HUP INT TERM{copy}
    cd \"$directory\" || exit 125
fi"
    )
}

fn call(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    let mut call = "\"$program\"".to_owned();
    for (index, argument) in record.arguments.iter().enumerate() {
        call.push_str(" \\\n    ");
        match readable(&argument.0) {
            Some(text) => call.push_str(&literal(text)),
            None => {
                let name = format!("argument{}", index + 1);
                lines.extend(assign(&name, &argument.0));
                call.push_str(&format!("\"${name}\""));
            }
        }
    }
    let stdin = if record.stdin.is_some() { "\"$here/stdin\"" } else { "/dev/null" };
    lines.push(format!("{call} <{stdin}"));
    lines
}
