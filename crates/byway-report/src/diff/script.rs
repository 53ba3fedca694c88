//! `run.sh` of a difference: runs both versions on its input and compares what they do.

use std::os::unix::ffi::OsStrExt;

use super::Difference;
use crate::shell::assign;

/// The script that runs one version.
pub const ONCE: &str = "once.sh";

/// The script.
pub fn script(difference: &Difference) -> Vec<u8> {
    let mut lines = vec!["#!/bin/sh".to_owned()];
    lines.extend(HEAD.lines().map(str::to_owned));
    lines.extend(assign("old", difference.old_program.as_os_str().as_bytes()));
    lines.extend(assign("new", difference.new_program.as_os_str().as_bytes()));
    lines.extend(BODY.lines().map(str::to_owned));
    let mut script = lines.join("\n").into_bytes();
    script.push(b'\n');
    script
}

const HEAD: &str = "\
# Runs both versions on this input, in equal directories, and compares what they do: run.sh [OLD NEW]
# It exits with 0 if they do the same, with 1 if they differ. A run that does not end in 10 s (BYWAY_TIMEOUT) is killed.
here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd -P) || exit 125";

const BODY: &str = r#"case $# in
0) ;;
2) old=$1 new=$2 ;;
*) echo "usage: run.sh [OLD NEW]" >&2; exit 125 ;;
esac
case $old in /*) ;; *) old=$PWD/$old ;; esac
case $new in /*) ;; *) new=$PWD/$new ;; esac
place=$(mktemp -d) || exit 125
trap 'cd / && chmod -R u+rwX "$place" 2>/dev/null; rm -rf "$place"' EXIT
trap 'exit 130' HUP INT TERM
run() {
    mkdir "$place/$1" || exit 125
    BYWAY_DIRECTORY=$place/run timeout -s KILL "${BYWAY_TIMEOUT:-10}" \
        sh "$here/once.sh" "$2" >"$place/$1/stdout" 2>"$place/$1/stderr"
    echo "status $?" >"$place/$1/status"
    (cd "$place/run" && find . -printf '%P %y %m %l\n' | sort) >"$place/$1/names" 2>/dev/null
    chmod -R u+rwX "$place/run" 2>/dev/null
    mv "$place/run" "$place/$1/files"
}
run old "$old"
run new "$new"
cd "$place" && diff -r -u -N old new && echo "both versions do the same""#;
