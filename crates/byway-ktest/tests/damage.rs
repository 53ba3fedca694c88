//! Whatever is in a file, reading it ends, with an error or with a test that can be shown and written.

use byway_damage::{Damage, Meter, Read};
use byway_ktest::{File, KTest, Object, Posix, SymbolicArguments};

#[global_allocator]
static METER: Meter = Meter;

fn files() -> Vec<Vec<u8>> {
    let plain = KTest {
        arguments: vec![b"program.bc".to_vec(), b"--sym-arg".to_vec(), b"3".to_vec()],
        objects: vec![Object::new("a", [0, 0, 0, 0x80]), Object::new("long name", vec![7; 300])],
        ..KTest::default()
    };
    let posix = Posix {
        program: b"cat".to_vec(),
        arguments: vec![SymbolicArguments::One { text: b"-n".to_vec(), length: 4 }],
        stdin: Some(b"text".to_vec()),
        files: vec![File { bytes: vec![1; 20] }],
        ..Posix::default()
    };
    let first = b"KTEST\0\0\0\x01\0\0\0\x00\0\0\0\x01\0\0\0\x02ab\0\0\0\x01z".to_vec();
    vec![plain.write(), posix.ktest().unwrap().write(), first, KTest::default().write()]
}

#[test]
fn a_damaged_file_is_refused_or_harmless() {
    Damage { name: "ktest", files: files(), cases: 2000, ..Damage::default() }.read(|file| {
        let ktest = KTest::read(file);
        if let Ok(ktest) = &ktest {
            let _ = ktest.shown("path").to_string();
            assert_eq!(KTest::read(&ktest.write()).as_ref(), Ok(ktest));
        }
        Read::from(&ktest)
    });
}
