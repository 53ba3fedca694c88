//! Whatever is in a section or in an ELF file, reading its records ends, with an error or with records.

use std::path::PathBuf;

use byway_carrier::{Absent, Dependency, Link, LinkItem, LinkOutput, Module, Record, compress, decode, elf, encode};
use byway_damage::{Damage, Meter, Random, Read, change_bytes, change_json};
use rand::Rng;
use xxhash_rust::xxh3::Xxh3;

#[global_allocator]
static METER: Meter = Meter;

const MAGIC: &[u8; 8] = b"\x7fbyway\n\x1a";
const HEADER: usize = 40;
/// What decompressing may take whatever the file's length is: what it has at most, twice while it grows.
const DECOMPRESSED: u64 = 4 << 20;

fn module(bitcode: &[u8]) -> Record {
    Record::Module(Module {
        source: "main.c".to_owned(),
        directory: PathBuf::from("/build"),
        cxx: false,
        arguments: ["-O2", "-c", "main.c"].map(str::to_owned).to_vec(),
        environment: [("CPATH".to_owned(), "/include".to_owned())].into(),
        notes: vec!["no link-time optimisation".to_owned()],
        bitcode: compress(bitcode).unwrap(),
        dependencies: (0..5).map(|number| Dependency(format!("/include/{number}.h").into(), number)).collect(),
    })
}

fn link() -> Record {
    let items = vec![
        LinkItem::Flag(vec!["-pthread".to_owned()]),
        LinkItem::Carrying { path: "main.o".to_owned(), modules: 1 },
        LinkItem::Archive { path: "/lib/libx.a".into(), carrying: 2, plain: vec!["asm.o".to_owned()] },
        LinkItem::Library("m".to_owned()),
    ];
    let (directory, output) = (PathBuf::from("/build"), PathBuf::from("/build/program"));
    let kind = LinkOutput::Executable;
    Record::Link(Link { directory, output, kind, cxx: false, environment: [].into(), items })
}

/// Sections of several records, with padding in between.
fn sections() -> Vec<Vec<u8>> {
    let absent =
        Record::Absent(Absent { source: "x.S".to_owned(), directory: "/build".into(), reason: "assembly".to_owned() });
    let noise: Vec<u8> = (0..2000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let records = [module(b"BC\xc0\xde"), module(&noise), module(&[0; 3000]), absent, link()];
    let encoded = records.map(|record| encode(&record));
    vec![encoded.join(&[0; 3][..]), encoded[0].clone(), encoded[4].clone(), encoded[3..].concat()]
}

/// Where records begin.
fn begins(bytes: &[u8]) -> Vec<usize> {
    let is_record = |&at: &usize| bytes[at..].starts_with(MAGIC);
    (0..bytes.len().saturating_sub(HEADER)).filter(is_record).collect()
}

/// Gives records the checksum of what they have become, so that what is behind it is read.
fn repair(bytes: &mut [u8]) {
    for at in begins(bytes) {
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let description = u64::from(u32::from_le_bytes(bytes[at + 12..at + 16].try_into().unwrap()));
        let lengths = [description, number(at + 16), number(at + 24)];
        let length = lengths.into_iter().try_fold((at + HEADER) as u64, u64::checked_add);
        let Some(end) = length.filter(|&end| end <= bytes.len() as u64) else { continue };
        let mut hasher = Xxh3::new();
        hasher.update(&bytes[at..at + 32]);
        hasher.update(&bytes[at + HEADER..end as usize]);
        let sum = hasher.digest();
        bytes[at + 32..at + HEADER].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Changes the description of a record, as JSON.
fn change_description(random: &mut Random, bytes: &mut Vec<u8>) -> Option<()> {
    let begins = begins(bytes);
    let at = *begins.get(random.random_range(0..begins.len().max(1)))?;
    let length = u32::from_le_bytes(bytes[at + 12..at + 16].try_into().ok()?) as usize;
    let place = at + HEADER..at + HEADER + length;
    let mut description = serde_json::from_slice(bytes.get(place.clone())?).ok()?;
    change_json(random, &mut description);
    let changed = serde_json::to_vec(&description).ok()?;
    bytes[at + 12..at + 16].copy_from_slice(&(changed.len() as u32).to_le_bytes());
    drop(bytes.splice(place, changed));
    Some(())
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    match random.random_range(0..3) {
        0 => drop(change_description(random, bytes)),
        _ => change_bytes(random, bytes, other),
    }
    if random.random_range(0..8) > 0 {
        repair(bytes);
    }
}

/// Reads records to the last byte.
fn read(section: &[u8]) -> Read {
    let records = decode(section);
    for record in records.iter().flatten() {
        if let Record::Module(module) = record {
            let _ = module.bitcode();
        }
    }
    Read::from(&records)
}

#[test]
fn a_damaged_section_is_refused_or_harmless() {
    let (name, files, memory) = ("frames", sections(), DECOMPRESSED);
    Damage { name, files, change: &change, cases: 1000, memory, factor: 600 }.read(read);
}

/// An object of the smallest kind: its header, the names of its sections, and their table.
fn object() -> Vec<u8> {
    let names = b"\0.shstrtab\0\0\0\0\0\0";
    let mut bytes = vec![0u8; 64];
    let mut set = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    set(0, b"\x7fELF\x02\x01\x01");
    set(16, &[1, 0, 62, 0, 1]);
    set(40, &(64 + names.len() as u64).to_le_bytes());
    set(52, &[64, 0, 0, 0, 0, 0, 64, 0, 2, 0, 1, 0]);
    bytes.extend(names);
    bytes.extend([0; 64]);
    let mut section = [0u8; 64];
    section[..8].copy_from_slice(&[1, 0, 0, 0, 3, 0, 0, 0]);
    section[24..32].copy_from_slice(&64u64.to_le_bytes());
    section[32..40].copy_from_slice(&(names.len() as u64).to_le_bytes());
    bytes.extend(section);
    bytes
}

/// The object without sections of records, and with one or two.
fn objects() -> Vec<Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("object.o");
    let carrying = |sections: &[Vec<u8>]| {
        std::fs::write(&path, object()).unwrap();
        sections.iter().for_each(|section| elf::append(&path, section).unwrap());
        std::fs::read(&path).unwrap()
    };
    let sections = sections();
    vec![carrying(&sections[1..2]), carrying(&sections[2..4]), carrying(&sections[..1]), object()]
}

#[test]
fn a_damaged_object_is_refused_or_harmless() {
    let (name, files, memory) = ("ELF records", objects(), DECOMPRESSED);
    Damage { name, files, change: &change, cases: 1000, memory, factor: 600 }.read(|file| {
        elf::carriage(file);
        match elf::section(file) {
            Ok(section) => read(&section.unwrap_or_default()),
            Err(_) => Read::Refused,
        }
    });
}

#[test]
fn records_are_appended_to_a_damaged_object_or_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("object.o");
    let record = encode(&link());
    Damage { name: "appending", files: objects(), cases: 500, memory: 4 << 20, ..Damage::default() }.read(|file| {
        std::fs::write(&path, file).unwrap();
        Read::from(&elf::append(&path, &record))
    });
}
