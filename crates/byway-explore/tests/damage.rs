//! Whatever a hostile program leaves as its trace, exploring goes on with it.

use std::sync::Arc;
use std::time::Duration;

use byway_damage::trace::{BLOCKS, change, files, memory};
use byway_damage::{Damage, Meter, Read};
use byway_explore::input::{Argument, Origin, Shape};
use byway_explore::search::Settings;
use byway_explore::{Checks, Paths, Program};
use byway_program::{Block, Function, ProgramMap, Site, SiteKind};
use byway_solve::{Changes, Solver, sat};
use byway_trace::{SourceKind, Trace};

#[global_allocator]
static METER: Meter = Meter;

/// A program with branches, a switch and operations at the sites that the traces name.
fn program() -> Arc<Program> {
    let block = |number: u32| Block {
        lines: vec![(0, number + 1)],
        successors: vec![(number + 1) % BLOCKS, number / 2, 0],
        calls: Vec::new(),
        is_edge: false,
        reachable: true,
        fails: false,
    };
    let kinds = [SiteKind::Branch, SiteKind::Branch, SiteKind::Switch, SiteKind::Load];
    let site = |(kind, block): (SiteKind, u32)| Site { kind, block, position: Some((0, block + 1, 1)) };
    let (name, symbol) = ("main".to_owned(), "main".to_owned());
    Arc::new(Program::new(ProgramMap {
        files: vec!["/source/main.c".into()],
        functions: vec![Function { name, symbol, position: Some((0, 1)), first_block: 0, blocks: BLOCKS }],
        blocks: (0..BLOCKS).map(block).collect(),
        sites: kinds.into_iter().cycle().zip(0..14).map(site).collect(),
        cases: [(2, vec![7, u64::MAX])].into(),
        ..ProgramMap::default()
    }))
}

fn solver() -> Solver {
    let sat = sat::Limits { time: Duration::from_millis(20), ..sat::Limits::default() };
    Solver::new(byway_solve::Settings { sat, external_timeout: Duration::ZERO, cross_check: false }, None)
}

fn origin(trace: &Trace) -> Origin {
    let argument = Argument { bytes: b"ab\0\0".to_vec(), fixed: false };
    let mut origin = Origin::new(Shape {
        arguments: vec![argument],
        count: Some(0..=1),
        first_count: 1,
        stdin: Some(b"abcd".to_vec()),
        files: [("/dir/file".into(), b"file".to_vec())].into(),
        names: true,
        sizes: true,
        other_files: true,
    });
    for input in trace.inputs() {
        match input.kind {
            SourceKind::Object => origin.note_object(input.index as usize, &input.given_name),
            SourceKind::File => origin.note_file(&input.name, "/dir/other".into(), Vec::new),
            _ => {}
        }
    }
    origin
}

/// Learns from a trace, and makes inputs of it.
fn explore(program: &Arc<Program>, trace: &Trace) {
    let settings = Settings::new("dfs".parse().unwrap(), 1);
    let mut paths = Paths::new(Arc::clone(program), &settings, solver(), Some(Checks::ALL));
    paths.add(trace, None, Duration::ZERO, None);
    let origin = origin(trace);
    for _ in 0..4 {
        let value = |variables: &_, _, var| origin.value(variables, &Changes::default(), var);
        let Some((flip, changed)) = paths.flip(value) else { break };
        let given = origin.given(paths.variables(), &Changes::default().with(&changed));
        given.with_objects_of(trace).to_input();
        paths.place(&flip);
        paths.add(trace, None, Duration::ZERO, Some(&flip));
    }
    paths.remaining();
    paths.concretizations();
}

#[test]
fn a_damaged_trace_is_explored() {
    let program = program();
    let damage =
        Damage { name: "explored traces", files: files(), change: &change, cases: 100, memory: 96 << 20, factor: 64 };
    damage.read(|file| {
        let trace = memory(file).finish();
        if let Ok(trace) = &trace {
            explore(&program, trace);
        }
        Read::from(&trace)
    });
}
