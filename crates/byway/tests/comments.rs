//! What the comments of subjects may say, and how they are rewritten.

#[path = "common/check.rs"]
mod check;
mod common;
#[path = "common/sym.rs"]
mod sym;

use check::{Expected, Says};
use common::trials::{Edit, rewritten};
use sym::{Mark, SymSubject};

#[test]
fn comments_say_what_is_expected_of_a_trace() {
    let source = r#"// Reads a number: and prints it.
// flags: -lm -pthread
// args: -n a\x20b
// stdin: one\ntwo\t\0\xff
// file in.txt: a: b\\
// loses: FLOATING_POINT, unmodelled
#include <stdio.h>
int main(void) { //~ not symbolic
  if (x) {}      //~ symbolic
  a[x / y];      //~ access, division
}
"#;
    let subject = SymSubject::parse("number.c", source).unwrap();
    assert_eq!(subject.flags, ["-lm", "-pthread"]);
    assert_eq!(subject.arguments, ["-n", "a b"]);
    assert_eq!(subject.stdin.as_deref(), Some(&b"one\ntwo\t\0\xff"[..]));
    assert_eq!(subject.files, [("in.txt".to_owned(), b"a: b\\".to_vec())]);
    assert_eq!(subject.loses, ["floating-point", "unmodelled"]);
    let marks = [
        (8, Mark::NotSymbolic),
        (9, Mark::Event("branch")),
        (10, Mark::Event("access")),
        (10, Mark::Event("division")),
    ];
    assert_eq!(subject.marks, marks);
}

#[test]
fn comments_that_make_no_sense_are_refused() {
    let refused = |source: &str| SymSubject::parse("x.c", source).unwrap_err();
    assert_eq!(refused("\nint x; //~ symbolik\n"), "x.c:2: nobody knows what '//~ symbolik' means");
    assert!(refused("// stdin: \\q\n").contains("an escape that nobody knows"));
    assert!(refused("// stdin: \\x4\n").contains("an escape that nobody knows"));
    assert!(refused("// stdin: \\xzz\n").contains("\\xzz"));
}

#[test]
fn a_subject_that_says_only_what_is_not_seen_is_refused() {
    let error = SymSubject::parse("x.c", "int x; //~ not symbolic\n").unwrap_err();
    assert!(error.contains("must also say something that is"), "{error}");
    SymSubject::parse("x.c", "// loses: thread\nint x; //~ not symbolic\n").unwrap();
}

#[test]
fn a_mark_and_its_words_are_one() {
    let words = ["symbolic", "not symbolic", "no reach", "written length"];
    for word in words {
        let subject = SymSubject::parse("x.c", &format!("int x; //~ {word}, access\n")).unwrap();
        assert_eq!(subject.marks[0].1.words(), Some(word));
    }
    assert_eq!(Mark::Event("branch").opposite(), Some(Mark::NotSymbolic));
    assert_eq!(Mark::No("shift").opposite(), Some(Mark::Event("shift")));
    assert_eq!(Mark::Event("switch").opposite(), None);
}

#[test]
fn comments_say_what_is_expected_of_a_check() {
    let source = "// A fact.\n// check: --checks all\n// test: ./subject a: b\n// breaks: ./subject b\n\
                  int x[y]; //~ bounds, distance 1, depth 2, bytes 3\n";
    let says = Says::parse(source).unwrap();
    assert_eq!((&says.tests[..], &says.breaks[..]), (&["./subject a: b".into()][..], &["./subject b".into()][..]));
    assert_eq!(says.options, ["--checks", "all"]);
    let expected = Expected {
        line: Some(5),
        kind: "bounds".into(),
        distance: Some(1),
        depth: Some(2),
        bytes: Some(3),
        ..Expected::default()
    };
    assert_eq!(says.findings, [expected]);
    let says = Says::parse("// finds: hang, tests 2\nx; //~ null, then SEGV, also 7; null, column 3\n").unwrap();
    assert_eq!((says.findings[0].line, says.findings[0].tests), (None, Some(2)));
    assert_eq!((&says.findings[1].then[..], &says.findings[1].also[..]), (&["SEGV".to_owned()][..], &[7][..]));
    assert_eq!((says.findings[2].line, says.findings[2].column), (Some(2), Some(3)));
    assert_eq!(Says::parse("int x; //~ null, width 3\n").unwrap_err(), "line 1: nobody knows what 'width 3' means");
    Says::parse("int x;\n").unwrap_err();
    Says::parse("// finds: nothing\n").unwrap();
    assert_eq!(Says::parse("// finds: nothing\n// asks: shift 3, null 1\n").unwrap().asks.len(), 2);
    assert!(Says::parse("// finds: nothing\n// asks: shift 0\n").unwrap_err().contains("number above 0"));
}

#[test]
fn a_mark_of_a_check_is_written_as_it_is_read() {
    let mark = "null, distance 1, depth 2, bytes 3, column 4, tests 5, then SEGV, behind bounds, also 7";
    let says = Says::parse(&format!("int x; //~ {mark}\n")).unwrap();
    assert_eq!(says.findings[0].text(), mark);
}

#[test]
fn comments_are_rewritten_where_they_are() {
    let source = "// A fact.\n// finds: null\n// args: a\nint x;\nint y;  //~ old\nint z; //~ gone\n";
    let edits = [
        Edit::Mark(4, Some("new".into())),
        Edit::Mark(5, Some("newer".into())),
        Edit::Mark(6, None),
        Edit::Key("finds", Some("bounds".into())),
        Edit::Key("asks", Some("shift 1".into())),
        Edit::Key("args", None),
    ];
    let expected = "// A fact.\n// finds: bounds\n// asks: shift 1\nint x; //~ new\nint y; //~ newer\nint z;\n";
    assert_eq!(rewritten(source, &edits.each_ref()), expected);
}
