//! Whatever is in a file of counters, reading it ends, with an error or with as many numbers as the program has blocks.

use std::fs;
use std::os::unix::fs::FileExt;

use byway_coverage::{CounterFile, CounterMemory, Coverage, lcov};
use byway_damage::{Damage, Meter, Read};
use byway_map::{Block, BlockId, FileId, Function, ProgramMap, Site, SiteKind, SubjectId};

#[global_allocator]
static METER: Meter = Meter;

const BLOCKS: u32 = 40;

fn id() -> SubjectId {
    SubjectId::from_bytes([7; 16])
}

/// A program of a function that was compiled twice, as those of headers are; it branches in each block.
fn map() -> ProgramMap {
    let half = BLOCKS / 2;
    let function = |first_block: u32| Function {
        name: "main".to_owned(),
        symbol: format!("main.{first_block}"),
        position: Some((FileId::new(0), 1)),
        first_block: BlockId::new(first_block),
        block_count: half,
    };
    let block = |number: u32| Block {
        lines: vec![(FileId::new(0), number % half + 1)],
        successors: [number / half * half, (number + 1) % BLOCKS].map(BlockId::new).to_vec(),
        calls: Vec::new(),
        is_edge: false,
        reachable: true,
        fails: false,
    };
    let site = |block: u32| Site {
        kind: SiteKind::Branch,
        block: BlockId::new(block),
        position: Some((FileId::new(0), block % half + 1, 1)),
    };
    ProgramMap {
        files: vec!["/source/main.c".into()],
        functions: vec![function(0), function(half)],
        blocks: (0..BLOCKS).map(block).collect(),
        sites: (0..BLOCKS).map(site).collect(),
        ..ProgramMap::default()
    }
}

#[test]
fn a_damaged_file_of_counters_is_refused_or_harmless() {
    let directory = tempfile::tempdir().unwrap();
    let (path, map) = (directory.path().join("counters"), map());
    CounterFile::open(&path, id(), &map).unwrap();
    let valid = fs::read(&path).unwrap();
    let damage = Damage { name: "counters", files: vec![valid], cases: 1000, ..Damage::default() };
    damage.read(|file| {
        fs::write(&path, file).unwrap();
        let read = CounterFile::open(&path, id(), &map).and_then(|counters| counters.read());
        if let Ok(counts) = &read {
            assert_eq!(counts.len(), BLOCKS as usize);
            let coverage = Coverage::new(&map, counts);
            lcov::write(&coverage, std::io::sink()).unwrap();
        }
        Read::from(&read)
    });
}

#[test]
fn a_run_cannot_take_away_what_it_counts_into() {
    let memory = CounterMemory::new(id(), BLOCKS as usize).unwrap();
    assert!(memory.file().set_len(0).is_err() && memory.file().set_len(1 << 40).is_err());
    memory.file().write_all_at(&[0xff; 16], byway_runtime::layout::PAGE as u64).unwrap();
    assert_eq!(memory.read().unwrap()[..3], [u64::MAX, u64::MAX, 0]);
    memory.clear().unwrap();
    assert!(memory.read().unwrap().iter().all(|&count| count == 0));
}
