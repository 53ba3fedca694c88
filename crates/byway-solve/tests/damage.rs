//! Whatever a hostile program leaves as its trace, the importer and the solver come to an end with it.

use std::time::Duration;

use byway_damage::trace::{change, files, memory};
use byway_damage::{Damage, Meter, Read};
use byway_solve::{Expr, Importer, PathCondition, Pool, Solver, SolverSettings, Variables, sat};
use byway_trace::layout::{op, source_kind};
use byway_trace::{Builder, Trace};

#[global_allocator]
static METER: Meter = Meter;

/// Asks the importer for all it can say of a trace.
fn import(trace: &Trace, pool: &mut Pool, variables: &mut Variables) -> Vec<Expr> {
    let mut importer = Importer::new(trace, pool, variables);
    let mut conditions = Vec::new();
    for event in trace.events() {
        conditions.extend(importer.assumption(event));
        conditions.extend(importer.concretization(event).map(|(_, equal)| equal));
        conditions.extend(importer.chosen_pointer(event).map(|(_, same)| same));
        importer.may_have_failed(event);
        importer.nearby(event);
        for (failure, fails) in importer.failures(event) {
            importer.held(event, fails);
            importer.surely(event, failure);
            conditions.push(fails);
        }
    }
    for label in 1..=trace.node_count() as u32 {
        importer.expr(label);
    }
    conditions
}

#[test]
fn a_damaged_trace_is_imported_and_solved() {
    let damage =
        Damage { name: "imported traces", files: files(), change: &change, cases: 300, memory: 64 << 20, factor: 64 };
    let mut number = 0u32;
    damage.read(|file| {
        let trace = memory(file).finish();
        if let Ok(trace) = &trace {
            let (mut pool, mut variables) = (Pool::default(), Variables::default());
            let conditions = import(trace, &mut pool, &mut variables);
            number += 1;
            // To solve takes a hundred times as long as to import.
            if number.is_multiple_of(64) {
                solve(&mut pool, &conditions);
            }
        }
        Read::from(&trace)
    });
}

/// Asks for each condition on the path of those before it.
fn solve(pool: &mut Pool, conditions: &[Expr]) {
    let sat = sat::SatLimits { time: Duration::from_millis(20), ..sat::SatLimits::default() };
    let settings = SolverSettings { sat, external_timeout: Duration::ZERO, cross_check: false };
    let (mut solver, mut path) = (Solver::new(settings, None), PathCondition::new());
    for &condition in conditions.iter().take(12) {
        solver.solve_near_first(pool, &mut path, condition, &|_| 0);
        let holds = pool.not(condition);
        path.push(pool, holds);
    }
}

/// As deep as a trace can be.
#[test]
fn an_expression_of_a_million_levels_is_imported() {
    let mut builder = Builder::new();
    let stdin = builder.source(source_kind::STDIN, 0, "");
    let byte = builder.input(stdin, 0, 3);
    let mut deep = byte;
    for number in 0..1_000_000 {
        let op = if number % 2 == 0 { op::XOR } else { op::MUL };
        deep = builder.node(op, 8, [deep, byte, 0], 0);
    }
    let condition = builder.node(op::ULT, 1, [deep, 0, 0], 9);
    builder.branch(1, condition);
    let trace = builder.finish().unwrap();
    let (mut pool, mut variables) = (Pool::default(), Variables::default());
    let goal = Importer::new(&trace, &mut pool, &mut variables).expr(condition);
    solve(&mut pool, &[goal]);
}
