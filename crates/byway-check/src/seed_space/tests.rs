//! The figures of the paper, as traces.

mod damage;

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use byway_engine::tree::PendingId;
use byway_engine::{Original, Program};
use byway_exec::TracedRun;
use byway_input::{ConcreteInput, Fixture, InputFile};
use byway_map::ProgramMap;
use byway_report::{Ending, Limit};
use byway_solve::{Changes, Failure, Solver, sat};
use byway_suite::{Executable, Seed};
use byway_trace::layout::{Event, event, object_kind, op, source_kind};
use byway_trace::{Builder, Trace};

use super::SeedSpace;
use crate::Checks;
use crate::annotate::Violation;
use crate::checker::{PlaceLimits, PutOff};
use crate::clock::Allowance;
use crate::follower::{SeedFollower, Wanted};
use crate::lock;
use crate::seed::{BySeed, SeedRef};
use crate::statistics::SiteStatistics;

/// A test that lets the program read a number from a file.
fn seed(x: i32, directory: &str) -> Arc<Seed> {
    let path = format!("{directory}/x").into();
    let fixture = Fixture {
        label: format!("{x}"),
        name: Some("f".into()),
        environment: vec![("HOME".into(), "/".into()), ("PWD".into(), directory.into())],
        directory: Some(directory.into()),
        ..Fixture::default()
    };
    let input = ConcreteInput {
        fixture: Arc::new(fixture),
        arguments: vec![b"x".to_vec()],
        files: [(path, InputFile::from(x.to_le_bytes().to_vec()))].into_iter().collect(),
        ..ConcreteInput::default()
    };
    Arc::new(Seed {
        name: format!("{x}"),
        executable: Executable { path: "/bin/f".into(), copy: "/bin/f".into() },
        input: Arc::new(input),
        missing: Vec::new(),
        ending: Some(Ending::Exited(0)),
        stdout: Vec::new(),
        stderr: Vec::new(),
        elapsed: Duration::ZERO,
        times: 1,
        origin: None,
    })
}

/// The sites of the program: `if (x > 99) { if (x > 199) return; x = 99; } v[x] = 0;`; without the inner branch in Figure 1.
const OUTER: u32 = 1;
const INNER: u32 = 2;
const INDEX: u32 = 3;
const V: u64 = 0x5000;

/// The trace of a run.
fn trace(x: i32, directory: &str, has_inner: bool) -> Trace {
    let mut builder = Builder::new();
    let source = builder.source(source_kind::FILE, 0, &format!("{directory}/x"));
    let bytes: Vec<u32> =
        x.to_le_bytes().into_iter().zip(0..).map(|(byte, at)| builder.input(source, at, byte)).collect();
    let low = builder.node(op::CONCAT, 16, [bytes[1], bytes[0], 0], 0);
    let high = builder.node(op::CONCAT, 16, [bytes[3], bytes[2], 0], 0);
    let number = builder.node(op::CONCAT, 32, [high, low, 0], 0);
    let plain = Event { kind: 0, flag: 0, detail: 0, site: 0, label: 0, extra: 0, a: 0, b: 0 };
    let branch = |builder: &mut Builder, site, limit: u64| {
        // limit < x, as the front end has it
        let greater = builder.node(op::SLT, 1, [0, number, 0], limit);
        builder.branch(site, greater);
    };
    branch(&mut builder, OUTER, 99);
    if x > 99 && has_inner {
        branch(&mut builder, INNER, 199);
    }
    builder.event(Event { kind: event::OBJECT, flag: object_kind::GLOBAL, a: V, b: 400, ..plain });
    if x <= 99 {
        let wide = builder.node(op::SEXT, 64, [number, 0, 0], 0);
        let offset = builder.node(op::MUL, 64, [wide, 0, 0], 4);
        let address = builder.node(op::ADD, 64, [offset, 0, 0], V);
        let object = 2 + u64::from(x > 99 && has_inner);
        let value = builder.value(address) as u64;
        builder.event(Event {
            kind: event::ACCESS,
            flag: 1,
            site: INDEX,
            label: address,
            extra: 4,
            a: object,
            b: value,
            ..plain
        });
    } else if x <= 199 || !has_inner {
        builder.event(Event { kind: event::VISIT, label: 7, ..plain });
    }
    builder.finish().unwrap()
}

fn ran(trace: Trace) -> TracedRun {
    let (timed_out, out_of_memory) = (false, false);
    TracedRun {
        trace,
        status: ExitStatus::from_raw(0),
        timed_out,
        out_of_memory,
        cpu: Duration::ZERO,
        elapsed: Duration::ZERO,
        outputs: None,
    }
}

const LIMITS: PlaceLimits = PlaceLimits { tries: 16, unknown: 4, time: Duration::from_secs(60) };

fn solver() -> Solver {
    let settings = byway_solve::SolverSettings {
        sat: sat::SatLimits::default(),
        external_timeout: Duration::from_secs(1),
        cross_check: false,
    };
    Solver::new(settings, None)
}

fn program() -> Arc<Program> {
    Arc::new(Program::new(ProgramMap::default()))
}

fn follower() -> SeedFollower {
    SeedFollower::new(program(), solver(), Checks::ALL, LIMITS)
}

fn space(seeds: &[Arc<Seed>]) -> SeedSpace {
    let original = |seed: SeedRef| Original::new(seeds[seed.number].input.clone());
    SeedSpace::new(program(), solver(), Checks::ALL, LIMITS, BySeed::new(seeds.len(), original))
}

fn statistics() -> Mutex<SiteStatistics> {
    Mutex::default()
}

fn from(from: usize, again: &PutOff) -> Wanted<'_> {
    Wanted { from, again }
}

fn plenty() -> Allowance {
    Allowance::new(Duration::from_secs(60))
}

fn never() -> bool {
    false
}

fn number(input: &ConcreteInput) -> i32 {
    let (_, file) = input.files.iter().next().unwrap();
    i32::from_le_bytes(file.content.as_slice().try_into().unwrap())
}

#[test]
fn figure_1_is_found_on_the_path_of_a_small_number() {
    let seeds = [seed(50, "/tmp/a")];
    let (mut space, statistics) = (space(&seeds), statistics());
    let learned = space.learn(SeedRef::original(0), Changes::default(), &ran(trace(50, "/tmp/a", false)), None, &never);
    let candidates = space.check(&learned, 0, None, &statistics, (&plenty(), &never)).0;
    assert_eq!(candidates.len(), 1);
    let found = &candidates[0];
    assert_eq!((found.operation.violation, found.operation.site), (Violation::Failure(Failure::OutOfBounds), INDEX));
    // One byte is enough; and an index that is just outside, for sanitizers that look no further.
    let inputs: Vec<i32> =
        found.options.iter().map(|changes| number(&space.input(SeedRef::original(0), changes))).collect();
    assert_eq!(space.essential(SeedRef::original(0), &found.options[0]).len(), 1);
    assert!(inputs[0] < 0 && (-4..0).contains(&inputs[1]), "{inputs:?}");
    assert_eq!(space.depth(found.last, Duration::from_secs(1), &never), (1, true));
}

#[test]
fn a_follower_suspects_the_same_as_the_path_space() {
    let seeds = [seed(50, "/tmp/a")];
    let (mut space, statistics) = (space(&seeds), statistics());
    let ran = ran(trace(50, "/tmp/a", false));
    let followed = follower().follow(
        space.original(SeedRef::original(0)).clone(),
        &ran,
        from(0, &PutOff::default()),
        &statistics,
        None,
        &never,
    );
    assert_eq!((followed.suspects.len(), followed.asked, followed.open.len(), followed.is_cut()), (1, 1, 0, false));
    let suspects = followed.suspects;
    assert_eq!(lock(&statistics).counters.checks.sat, 1);
    let learned = space.learn(SeedRef::original(0), Changes::default(), &ran, None, &never);
    assert_eq!(space.locate(&learned, suspects[0].operation), learned.last);
    let changes: Vec<Changes> = suspects[0].options.iter().map(|bytes| space.changes(bytes.clone())).collect();
    assert_eq!(space.check(&learned, 0, None, &statistics, (&plenty(), &never)).0[0].options, changes);
}

#[test]
fn figure_4_has_its_operation_at_depth_2_and_the_way_out_of_it_at_distance_2() {
    let seeds = [seed(150, "/tmp/a")];
    let (mut space, statistics) = (space(&seeds), statistics());
    let learned = space.learn(SeedRef::original(0), Changes::default(), &ran(trace(150, "/tmp/a", true)), None, &never);
    assert_eq!(learned.path.positions, [2]);
    assert!(space.check(&learned, 0, None, &statistics, (&plenty(), &never)).0.is_empty());
    assert_eq!(space.depth(learned.last, Duration::from_secs(1), &never), (2, true));
    let last = learned.last.unwrap();
    let (outer, inner) = (PendingId(0), PendingId(1));
    let (_, changes) = space.take(last.shard, inner).unwrap();
    let input = number(&space.input(SeedRef::original(0), &changes));
    assert!(input > 199);
    let second = space.learn(SeedRef::original(0), changes, &ran(trace(input, "/tmp/a", true)), Some(inner), &never);
    assert!(space.check(&second, second.known, None, &statistics, (&plenty(), &never)).0.is_empty());
    let (_, changes) = space.take(last.shard, outer).unwrap();
    let input = number(&space.input(SeedRef::original(0), &changes));
    assert!(input <= 99);
    let third = space.learn(SeedRef::original(0), changes, &ran(trace(input, "/tmp/a", true)), Some(outer), &never);
    assert_eq!(space.tree(last.shard).counts().missed, 0);
    let candidates = space.check(&third, third.known, None, &statistics, (&plenty(), &never)).0;
    assert_eq!(candidates.len(), 1);
    assert_eq!(space.depth(candidates[0].last, Duration::from_secs(1), &never), (1, true));
}

#[test]
fn the_same_question_of_another_test_in_another_directory_is_asked_once() {
    let seeds = [seed(50, "/tmp/a"), seed(60, "/tmp/b")];
    let (mut space, statistics) = (space(&seeds), statistics());
    let first = space.learn(SeedRef::original(0), Changes::default(), &ran(trace(50, "/tmp/a", false)), None, &never);
    assert_eq!(space.check(&first, 0, None, &statistics, (&plenty(), &never)).0.len(), 1);
    let second = space.learn(SeedRef::original(1), Changes::default(), &ran(trace(60, "/tmp/b", false)), None, &never);
    assert!(space.check(&second, 0, None, &statistics, (&plenty(), &never)).0.is_empty());
    assert_eq!((first.shard, second.known), (second.shard, 1));
    let checks = &lock(&statistics).counters.checks;
    assert_eq!((checks.asked, checks.sat, checks.repeated), (1, 1, 1));
}

#[test]
fn seeds_of_other_layouts_have_other_trees() {
    let mut longer = (*seed(50, "/tmp/a")).clone();
    Arc::make_mut(&mut longer.input).arguments.push(b"y".to_vec());
    let seeds = [seed(50, "/tmp/a"), Arc::new(longer)];
    let mut space = space(&seeds);
    let shards = [0, 1].map(|seed| {
        space.learn(SeedRef::original(seed), Changes::default(), &ran(trace(50, "/tmp/a", false)), None, &never).shard
    });
    assert_ne!(shards[0], shards[1]);
}

/// A number whose bytes are all 50.
const FIFTIES: i32 = 50 * 0x0101_0101;

/// Two dividends, one divisor: it is zero for both or for none, but only one of them may be the least number.
fn divisions() -> Trace {
    let mut builder = Builder::new();
    let source = builder.source(source_kind::FILE, 0, "/tmp/a/x");
    let bytes: Vec<u32> = (0..3).map(|at| builder.input(source, at, 50)).collect();
    let division = |site, dividend, divisor| Event {
        kind: event::DIVISION,
        flag: 1,
        detail: 0,
        site,
        label: divisor,
        extra: dividend,
        a: 50,
        b: 50,
    };
    builder.event(division(1, bytes[0], bytes[2]));
    builder.event(division(2, bytes[1], bytes[2]));
    builder.finish().unwrap()
}

#[test]
fn what_is_left_of_a_seed_when_its_time_is_over_is_asked_later() {
    let (original, ran, statistics) =
        (Original::new(seed(FIFTIES, "/tmp/a").input.clone()), ran(divisions()), statistics());
    let mut follower = follower();
    // It is over when the first question was asked.
    let is_over = || lock(&statistics).counters.checks.asked == 1;
    let first = follower.follow(original.clone(), &ran, from(0, &PutOff::default()), &statistics, None, &is_over);
    assert_eq!((first.suspects.len(), first.asked, first.open.as_slice(), first.is_cut()), (1, 1, &[1, 2][..], true));
    let rest = follower.follow(original, &ran, from(first.asked, &PutOff::default()), &statistics, None, &never);
    assert_eq!((rest.suspects.len(), rest.asked, rest.open.len(), rest.is_cut()), (2, 3, 0, false));
    let checks = &lock(&statistics).counters.checks;
    assert_eq!((checks.asked, checks.sat, checks.repeated), (3, 3, 0));
}

/// Three divisions at one place, each by a byte of its own.
fn loop_of_divisions() -> Trace {
    let mut builder = Builder::new();
    let source = builder.source(source_kind::FILE, 0, "/tmp/a/x");
    for at in 0..3 {
        let label = builder.input(source, at, 50);
        builder.event(Event { kind: event::DIVISION, flag: 0, detail: 0, site: 1, label, extra: 0, a: 50, b: 50 });
    }
    builder.finish().unwrap()
}

#[test]
fn what_a_limit_of_a_place_puts_off_is_asked_again_with_larger_ones() {
    let (original, ran, statistics) =
        (Original::new(seed(0x3232_3232, "/tmp/a").input.clone()), ran(loop_of_divisions()), statistics());
    let mut follower = follower();
    let limits = PlaceLimits { tries: 1, unknown: 4, time: Duration::from_secs(60) };
    follower.set_effort(limits, 1);
    let first = follower.follow(original.clone(), &ran, from(0, &PutOff::default()), &statistics, None, &never);
    assert_eq!((first.suspects.len(), first.put_off.len(), first.is_cut()), (1, 2, false));
    assert!(first.put_off.values().all(|&limit| limit == Limit::OperationTries));
    follower.set_effort(limits, 4);
    let again = follower.follow(original, &ran, from(usize::MAX, &first.put_off), &statistics, None, &never);
    assert_eq!((again.suspects.len(), again.put_off.len(), again.is_cut()), (2, 0, false));
}

#[test]
fn a_limit_of_nothing_does_not_grow() {
    let (original, ran, statistics) =
        (Original::new(seed(0x3232_3232, "/tmp/a").input.clone()), ran(loop_of_divisions()), statistics());
    let mut follower = follower();
    follower.set_effort(PlaceLimits { tries: 0, unknown: 4, time: Duration::from_secs(60) }, 4);
    let followed = follower.follow(original, &ran, from(0, &PutOff::default()), &statistics, None, &never);
    assert_eq!((followed.suspects.len(), followed.put_off.len(), followed.is_cut()), (0, 0, false));
    let remaining = lock(&statistics).counters.remaining(&Program::new(ProgramMap::default()));
    assert_eq!(remaining.count(Limit::OperationTries), 3);
}

#[test]
fn another_question_about_an_operation_is_asked_even_if_one_was_asked_before() {
    let seeds = [seed(FIFTIES, "/tmp/a")];
    let (mut space, statistics) = (space(&seeds), statistics());
    let learned = space.learn(SeedRef::original(0), Changes::default(), &ran(divisions()), None, &never);
    let asked = space
        .check(&learned, 0, None, &statistics, (&plenty(), &never))
        .0
        .into_iter()
        .map(|found| (found.operation.site, found.operation.violation));
    let (zero, overflow) = (Violation::Failure(Failure::DivisionByZero), Violation::Failure(Failure::DivisionOverflow));
    assert_eq!(asked.collect::<Vec<_>>(), [(1, zero), (1, overflow), (2, overflow)]);
}

#[test]
fn what_lies_around_a_branch_depends_on_the_side_taken() {
    let seeds = [seed(50, "/tmp/a"), seed(150, "/tmp/b")];
    let mut space = space(&seeds);
    let below = space
        .learn(SeedRef::original(0), Changes::default(), &ran(trace(50, "/tmp/a", false)), None, &never)
        .last
        .unwrap();
    let above = space
        .learn(SeedRef::original(1), Changes::default(), &ran(trace(150, "/tmp/b", false)), None, &never)
        .last
        .unwrap();
    assert_eq!((below.shard, below.node), (above.shard, above.node));
    assert!(space.begin_region(below, 2) && !space.begin_region(below, 2) && space.begin_region(below, 4));
    assert!(space.begin_region(above, 2));
    space.forget_region(above);
    assert!(space.begin_region(above, 2) && !space.begin_region(below, 4));
}
