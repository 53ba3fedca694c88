//! What the tests share.
#![allow(dead_code)]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use byway_input::{ConcreteInput, FileMap, InputFile};
use byway_report::{Ending, Finding, Frame, Kept, Test};
use proptest::prelude::*;

/// A test with this input.
pub fn test(input: ConcreteInput) -> Test {
    Test {
        program: PathBuf::from("/usr/bin/cut"),
        input,
        fixture: None,
        ending: Ending::Exited(0),
        kept: Kept::Coverage,
        findings: Vec::new(),
        new_blocks: 3,
        seconds: 1.5,
        parent: Some(7),
        search: Some("subpath:2".to_owned()),
        flipped: Some("cut.c:12:3".to_owned()),
        ktest: None,
    }
}

/// Files with the usual permissions.
pub fn files<P: Into<PathBuf>>(files: Vec<(P, Vec<u8>)>) -> FileMap {
    files.into_iter().map(|(path, content)| (path.into(), InputFile::from(content))).collect()
}

/// A finding in this function.
pub fn finding(function: &str) -> Finding {
    let stack = vec![Frame { function: Some(function.to_owned()), ..Frame::default() }];
    let message = "READ of size 1, 0 bytes after 4-byte region".to_owned();
    let (kind, file) = ("heap-buffer-overflow".to_owned(), Some("cut.c".to_owned()));
    Finding { kind, message, file, line: Some(3), function: Some(function.to_owned()), stack, ..Finding::default() }
}

fn without(forbidden: &'static [u8], size: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![any::<u8>(), prop::sample::select(&b"-'\"\\$`%\n\n .*=!~#a"[..])];
    prop::collection::vec(byte.prop_filter("allowed", |byte| !forbidden.contains(byte)), size)
}

/// Any argument.
pub fn argument() -> impl Strategy<Value = Vec<u8>> {
    without(b"\0", 0..12)
}

/// Any path below the working directory.
pub fn path() -> impl Strategy<Value = PathBuf> {
    let name = without(b"\0/", 1..8).prop_filter("a name", |name| name != b"." && name != b"..");
    prop::collection::vec(name, 1..3).prop_map(|names| PathBuf::from(OsString::from_vec(names.join(&b'/'))))
}

/// Any input, with files below the working directory.
pub fn input() -> impl Strategy<Value = ConcreteInput> {
    let arguments = prop::collection::vec(argument(), 0..5);
    let stdin = prop::option::of(prop::collection::vec(any::<u8>(), 0..20));
    let files = prop::collection::vec((path(), prop::collection::vec(any::<u8>(), 0..9)), 0..3);
    let objects = prop::collection::vec((any::<String>(), prop::collection::vec(any::<u8>(), 0..9)), 0..3);
    (arguments, stdin, files, objects).prop_map(|(arguments, stdin, files, objects)| ConcreteInput {
        arguments,
        stdin,
        files: files.into_iter().map(|(path, content)| (path, InputFile::from(content))).collect(),
        objects,
        ..ConcreteInput::default()
    })
}
