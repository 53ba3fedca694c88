//! Whatever a hostile program leaves as its trace, exploring goes on with it.

use std::sync::Arc;
use std::time::Duration;

use byway_damage::trace::{BLOCKS, change, files, memory};
use byway_damage::{Damage, Meter, Read};
use byway_engine::search::{Frontier, SearchSettings};
use byway_engine::{Checks, Explorer, Program};
use byway_explore::input::{Origin, Start, with_objects_of};
use byway_input::{ConcreteInput, InputModel, SymbolicFiles};
use byway_map::{Block, BlockId, FileId, Function, ProgramMap, Site, SiteId, SiteKind};
use byway_solve::{Changes, ExpressionContext, Solver, sat};
use byway_trace::{SourceKind, Trace};

#[global_allocator]
static METER: Meter = Meter;

/// A program with branches, a switch and operations at the sites that the traces name.
fn program() -> Arc<Program> {
    let block = |number: u32| Block {
        lines: vec![(FileId::new(0), number + 1)],
        successors: [(number + 1) % BLOCKS, number / 2, 0].map(BlockId::new).to_vec(),
        calls: Vec::new(),
        is_edge: false,
        reachable: true,
        fails: false,
    };
    let kinds = [SiteKind::Branch, SiteKind::Branch, SiteKind::Switch, SiteKind::Load];
    let site = |(kind, block): (SiteKind, u32)| Site {
        kind,
        block: BlockId::new(block),
        position: Some((FileId::new(0), block + 1, 1)),
    };
    let (name, symbol) = ("main".to_owned(), "main".to_owned());
    Arc::new(Program::new(ProgramMap {
        files: vec!["/source/main.c".into()],
        functions: vec![Function {
            name,
            symbol,
            position: Some((FileId::new(0), 1)),
            first_block: BlockId::new(0),
            block_count: BLOCKS,
        }],
        blocks: (0..BLOCKS).map(block).collect(),
        sites: kinds.into_iter().cycle().zip(0..14).map(site).collect(),
        cases: [(SiteId::new(2), vec![7, u64::MAX])].into(),
        ..ProgramMap::default()
    }))
}

fn solver() -> Solver {
    let sat = sat::SatLimits { time: Duration::from_millis(20), ..sat::SatLimits::default() };
    Solver::new(byway_solve::SolverSettings { sat, external_timeout: Duration::ZERO, cross_check: false }, None)
}

fn origin(trace: &Trace) -> Origin {
    let first = ConcreteInput {
        arguments: vec![b"ab\0\0".to_vec()],
        stdin: Some(b"abcd".to_vec()),
        files: [("/dir/file".into(), b"file".to_vec().into())].into_iter().collect(),
        ..ConcreteInput::default()
    };
    let model = InputModel {
        arguments: true,
        argument_count: Some(0..=1),
        stdin: true,
        stdin_size: Some(4),
        files: SymbolicFiles::InDirectory,
        named_files: vec![("/dir/file".into(), Some(4))],
        ..InputModel::default()
    };
    let mut origin = Origin::new(Start { first, first_count: 1, model, sizes: true });
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
    let settings = SearchSettings::new("dfs".parse().unwrap(), 1);
    let frontier = Frontier::of_program(program, &settings, settings.searchers());
    let mut context = ExpressionContext::new(solver());
    let mut explorer = Explorer::new(Arc::clone(program), frontier, Some(Checks::ALL));
    explorer.add(&mut context, trace, None, Duration::ZERO, None);
    let origin = origin(trace);
    for _ in 0..4 {
        let values = |variables: &_, _, var| origin.value(variables, &Changes::default(), var);
        let Some((flip, changed)) = explorer.next(&mut context, &values) else { break };
        let input = origin.input(&context.variables, &Changes::default().with(&changed));
        with_objects_of(&input, trace).trimmed();
        explorer.place(&flip);
        explorer.add(&mut context, trace, None, Duration::ZERO, Some(&flip));
    }
    explorer.remaining();
    explorer.concretizations();
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
