//! Files as KLEE writes them, and files as nobody should.

use byway_ktest::{File, KTest, KTestError, Object, Posix, SymbolicArguments};
use proptest::collection::vec;
use proptest::prelude::*;

/// A file of version 3, byte by byte: one argument, one object.
const SIGN: &[u8] = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x0bget_sign.bc\0\0\0\0\0\0\0\0\
    \0\0\0\x01\0\0\0\x01a\0\0\0\x04\0\0\0\x80";

fn sign() -> KTest {
    KTest {
        arguments: vec![b"get_sign.bc".to_vec()],
        objects: vec![Object::new("a", [0, 0, 0, 0x80])],
        ..KTest::default()
    }
}

#[test]
fn a_file_is_read_and_written_byte_by_byte() {
    assert_eq!(KTest::read(SIGN), Ok(sign()));
    assert_eq!(sign().write(), SIGN);
}

#[test]
fn the_first_version_has_no_symbolic_arguments() {
    let first = b"KTEST\0\0\0\x01\0\0\0\x00\0\0\0\x01\0\0\0\x02ab\0\0\0\x01z";
    let expected = KTest { objects: vec![Object::new("ab", "z")], ..KTest::default() };
    assert_eq!(KTest::read(first), Ok(expected.clone()));
    let second = b"BOUT\n\0\0\0\x02\0\0\0\x00\0\0\0\x07\0\0\0\x09\0\0\0\x01\0\0\0\x02ab\0\0\0\x01z";
    let expected = KTest { symbolic_arguments: 7, symbolic_argument_length: 9, ..expected };
    assert_eq!(KTest::read(second), Ok(expected));
}

#[test]
fn what_is_wrong_is_said() {
    let wrong = |bytes: &[u8]| KTest::read(bytes).unwrap_err().to_string();
    assert_eq!(wrong(b"\x7fELF and more"), "this is no .ktest file: it does not begin with KTEST");
    assert_eq!(wrong(b"KTEST\0\0\0\x04"), "the file has version 4, and the versions up to 3 are known");
    assert_eq!(wrong(b"KTEST\0\0"), "the file ends within the version, at byte 7: has it been cut off?");
    let cut = &SIGN[..SIGN.len() - 1];
    assert_eq!(wrong(cut), format!("the file ends within the objects, at byte {}: has it been cut off?", cut.len()));
    assert_eq!(KTest::read(&[SIGN, b"more"].concat()), Err(KTestError::Rest(4)));
    // A number of objects that nobody has memory for.
    assert!(wrong(b"KTEST\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff").contains("within the objects"));
}

#[test]
fn a_file_is_shown_as_ktest_tool_shows_it() {
    let expected = "\
ktest file : 'klee-last/test000003.ktest'
args       : ['get_sign.bc']
num objects: 1
object 0: name: 'a'
object 0: size: 4
object 0: data: b'\\x00\\x00\\x00\\x80'
object 0: hex : 0x00000080
object 0: int : -2147483648
object 0: uint: 2147483648
object 0: text: ....
";
    assert_eq!(sign().shown("klee-last/test000003.ktest").to_string(), expected);
    let words = KTest { objects: vec![Object::new("b", "it's\n\"ok\""), Object::new("c", "'")], ..KTest::default() };
    let text = words.to_string();
    assert!(text.contains("object 0: data: b'it\\'s\\n\"ok\"'\n"), "{text}");
    assert!(!text.contains("object 0: int"), "{text}");
    assert!(text.contains("object 1: data: b\"'\"\n") && text.contains("object 1: int : 39\n"), "{text}");
}

#[test]
fn numbers_of_many_objects_stand_below_each_other() {
    let many = KTest { objects: vec![Object::new("x", []); 11], ..KTest::default() };
    let text = many.to_string();
    assert!(text.contains("object  9: hex : 0x\n") && text.contains("object 10: name: 'x'\n"), "{text}");
}

#[test]
fn klee_replay_finds_the_objects_that_its_options_ask_for() {
    let posix = Posix {
        program: b"cat".to_vec(),
        arguments: vec![
            SymbolicArguments::Fixed(b"-n".to_vec()),
            SymbolicArguments::One { text: b"A".to_vec(), length: 3 },
            SymbolicArguments::Some { texts: vec![b"xy".to_vec()], least: 0, most: 2, length: 2 },
        ],
        stdin: Some(b"in".to_vec()),
        files: vec![File { bytes: b"abc".to_vec() }, File { bytes: b"".to_vec() }],
        objects: vec![Object::new("own", [7])],
    };
    let ktest = posix.ktest().unwrap();
    let words = "cat -n --sym-arg 3 --sym-args 0 2 2 --sym-files 2 3 --sym-stdin 2";
    let arguments: Vec<Vec<u8>> = words.split(' ').map(|word| word.as_bytes().to_vec()).collect();
    assert_eq!(ktest.arguments, arguments);
    let objects: Vec<(&str, usize)> =
        ktest.objects.iter().map(|object| (str::from_utf8(&object.name).unwrap(), object.bytes.len())).collect();
    let expected = [("arg00", 4), ("n_args", 4), ("arg01", 3), ("A_data", 3), ("A_data_stat", 144), ("B_data", 3)];
    assert_eq!(objects[..6], expected);
    let expected = [("B_data_stat", 144), ("stdin", 2), ("stdin_stat", 144), ("own", 1), ("model_version", 4)];
    assert_eq!(objects[6..], expected);
    assert_eq!(ktest.object("arg00").unwrap().bytes, b"A\0\0\0");
    assert_eq!(ktest.object("n_args").unwrap().bytes, [1, 0, 0, 0]);
    assert_eq!(ktest.object("model_version").unwrap().bytes, [1, 0, 0, 0]);
    assert_eq!(KTest::read(&ktest.write()), Ok(ktest));
}

fn posix() -> Posix {
    Posix { program: b"program".to_vec(), ..Posix::default() }
}

#[test]
fn a_number_of_arguments_without_a_choice_is_no_object() {
    let texts = vec![b"a".to_vec(), b"".to_vec()];
    let arguments = vec![SymbolicArguments::Some { texts, least: 2, most: 2, length: 1 }];
    let ktest = Posix { arguments, ..posix() }.ktest().unwrap();
    assert!(ktest.object("n_args").is_none());
    assert_eq!(ktest.object("arg01").unwrap().bytes, [0, 0]);
}

#[test]
fn what_klee_cannot_say_is_not_said() {
    let with = |arguments: SymbolicArguments| Posix { arguments: vec![arguments], ..posix() }.ktest();
    assert!(with(SymbolicArguments::Fixed(b"--sym-arg".to_vec())).is_none());
    assert!(with(SymbolicArguments::Fixed(b"-sym-stdin".to_vec())).is_none());
    assert!(with(SymbolicArguments::Fixed(b"--symbols".to_vec())).is_some());
    assert!(with(SymbolicArguments::Fixed(Vec::new())).is_none());
    assert!(Posix { objects: vec![Object::new("a", [])], ..posix() }.ktest().is_none());
    assert!(with(SymbolicArguments::One { text: b"abc".to_vec(), length: 2 }).is_none());
    assert!(with(SymbolicArguments::Some { texts: Vec::new(), least: 1, most: 2, length: 2 }).is_none());
    assert!(with(SymbolicArguments::Some { texts: vec![Vec::new(); 101], least: 0, most: 200, length: 0 }).is_none());
    assert!(Posix { files: vec![File::default(); 27], ..posix() }.ktest().is_none());
    assert!(Posix { files: vec![File::default(); 26], ..posix() }.ktest().is_some());
}

fn objects() -> impl Strategy<Value = Vec<Object>> {
    let object = (vec(any::<u8>(), 0..9), vec(any::<u8>(), 0..40));
    vec(object.prop_map(|(name, bytes)| Object { name, bytes }), 0..5)
}

proptest! {
    #[test]
    fn what_was_written_is_read(arguments in vec(vec(any::<u8>(), 0..9), 0..4), objects in objects(), numbers: (u32, u32)) {
        let (symbolic_arguments, symbolic_argument_length) = numbers;
        let ktest = KTest { arguments, symbolic_arguments, symbolic_argument_length, objects };
        prop_assert_eq!(KTest::read(&ktest.write()), Ok(ktest.clone()));
        // Whatever it holds can be shown.
        prop_assert!(ktest.to_string().lines().count() >= 2);
    }

    #[test]
    fn damaged_files_are_errors(mut bytes in Just(SIGN.to_vec()), at in 0..SIGN.len(), byte: u8, cut in 0..SIGN.len()) {
        prop_assert!(KTest::read(&bytes[..cut]).is_err());
        bytes[at] = byte;
        if let Ok(ktest) = KTest::read(&bytes) {
            prop_assert_eq!(ktest.write().len(), bytes.len());
        }
    }
}
