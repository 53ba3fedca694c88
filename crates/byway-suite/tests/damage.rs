//! Whatever is in a directory of seeds, reading it ends, with an error or with seeds that can be written again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_damage::{Damage, Meter, Random, Read, change_text};
use byway_input::{ConcreteInput, Ending, Fixture};
use byway_suite::{Executable, Missing, Seed, Suite, SuiteError, Writer};

#[global_allocator]
static METER: Meter = Meter;

fn seed(name: &str, program: &Path) -> Seed {
    let fixture = Fixture {
        label: name.to_owned(),
        name: Some(name.into()),
        environment: vec![("HOME".into(), "/".into()), ("PWD".into(), "/work".into())],
        directory: Some("/work".into()),
        directories: vec!["/work/dir".into()],
        links: vec![("/work/link".into(), "a".into())],
        absent: vec!["/work/none".into()],
    };
    let files = [("/work/a", b"a".to_vec()), ("/work/dir/b", vec![0xff; 20])];
    let input = ConcreteInput {
        fixture: fixture.into(),
        arguments: vec![b"-x".to_vec()],
        stdin: Some(b"input".to_vec()),
        files: files.into_iter().map(|(path, content)| (path.into(), content.into())).collect(),
        ..ConcreteInput::default()
    };
    Seed {
        name: name.to_owned(),
        executable: Executable { path: program.to_owned(), copy: program.to_owned() },
        input: input.into(),
        missing: vec![Missing { path: "/dev/tty".into(), why: "a terminal".to_owned() }],
        ending: Some(Ending::Exited(1)),
        stdout: b"out".to_vec(),
        stderr: Vec::new(),
        elapsed: Duration::from_millis(3),
        times: 2,
        origin: None,
    }
}

/// A directory of two seeds.
fn create(directory: &Path) -> PathBuf {
    let program = directory.join("program");
    fs::write(&program, b"\x7fELF").unwrap();
    let out = directory.join("seeds");
    let source = Suite {
        directory: directory.to_owned(),
        command: vec!["make".into(), "check".into()],
        ending: Some(Ending::Exited(0)),
        elapsed: Duration::from_secs(1),
        runs: 4,
        seeds: Vec::new(),
        not_captured: Vec::new(),
    };
    write(&out, &source, &[seed("first", &program), seed("second", &program)]).unwrap();
    out
}

fn write(out: &Path, suite: &Suite, seeds: &[Seed]) -> Result<Suite, SuiteError> {
    let mut writer = Writer::create(out, suite)?;
    seeds.iter().try_for_each(|seed| writer.add(seed))?;
    writer.finish()
}

/// Changes all but the number before it.
fn change(random: &mut Random, file: &mut Vec<u8>, other: &[u8]) {
    let mut text = file.split_off(1);
    change_text(random, &mut text, &other[1..]);
    file.extend(text);
}

#[test]
fn damaged_seeds_are_refused_or_harmless() {
    let directory = tempfile::tempdir().unwrap();
    let out = create(directory.path());
    let places = ["suite.json", "0001-first.seed.json", "0002-second.seed.json"].map(|name| out.join(name));
    let valid: Vec<Vec<u8>> = places.iter().map(|place| fs::read(place).unwrap()).collect();
    let files = (0..).zip(&valid).map(|(number, file)| [&[number][..], file].concat()).collect();
    let damage = Damage { name: "seeds", files, change: &change, cases: 300, ..Damage::default() };
    let (mut number, mut last) = (0u32, 0);
    damage.read(|file| {
        let place = usize::from(file[0]);
        fs::write(&places[last], &valid[last]).unwrap();
        fs::write(&places[place], &file[1..]).unwrap();
        last = place;
        let suite = Suite::open(&out);
        if let Ok(suite) = &suite {
            number += 1;
            let _ = suite.seeds.iter().map(Seed::bytes).max();
            if number.is_multiple_of(64) {
                let twice = [&suite.seeds[..], &suite.seeds[..]].concat();
                let _ = write(&directory.path().join("again"), suite, &twice);
            }
        }
        Read::from(&suite)
    });
}
