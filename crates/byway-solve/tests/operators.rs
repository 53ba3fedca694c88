//! Every operator means the same to the evaluator, to the rules of the pool, to the SAT solver and to z3, at any width.

mod plain;

use std::cell::RefCell;
use std::time::Duration;

use bytemuck::Zeroable;
use byway_solve::sat::{Sat, SatLimits};
use byway_solve::smt::{External, ExternalSettings, default_command};
use byway_solve::{Answer, Evaluation, Expr, Op, Pool, Query, Var};
use byway_trace::Operands;
use byway_trace::evaluate::{evaluate, mask};
use byway_trace::layout::{Node, op};
use plain::{INPUTS, Plain, input, plain, single};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const INPUT: [u8; INPUTS] = [0; INPUTS];

fn all_vars() -> Vec<Var> {
    (0..INPUTS as u32).map(Var).collect()
}

fn solve(sat: &mut Sat, pool: &Pool, constraints: &[Expr], input: [u8; INPUTS]) -> Answer {
    let seed = move |var: Var| input[var.0 as usize];
    sat.solve(pool, &Query { constraints, vars: &all_vars(), seed: &seed }, &SatLimits::default())
}

fn fixed(pool: &mut Pool, input: [u8; INPUTS]) -> Vec<Expr> {
    let fix = |(number, value): (u32, u8)| {
        let byte = pool.make_byte(Var(number));
        pool.equals(byte, value.into())
    };
    (0..).zip(input).map(fix).collect()
}

/// With its bytes fixed, an expression has its value and no other.
fn has_only_its_value(tree: &Plain, input: [u8; INPUTS]) -> Result<(), TestCaseError> {
    let mut pool = Pool::new();
    let expr = tree.build(&mut pool);
    let value = tree.value(&input);
    let is = pool.equals(expr, value);
    let is_not = pool.not(is);
    let mut constraints = fixed(&mut pool, input);
    let mut sat = Sat::new();
    // The seed is another input: the solver has to find this one.
    constraints.push(is_not);
    prop_assert_eq!(solve(&mut sat, &pool, &constraints, INPUT), Answer::Unsat, "{:?}", tree);
    constraints.pop();
    constraints.push(is);
    let model = (0..).map(Var).zip(input).collect();
    prop_assert_eq!(solve(&mut sat, &pool, &constraints, INPUT), Answer::Sat(model), "{:?}", tree);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn one_operator_is_to_the_sat_solver_what_it_is(tree in single(), input in input()) {
        has_only_its_value(&tree, input)?;
    }

    #[test]
    fn rules_keep_the_meaning(tree in plain(), input in input()) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool);
        prop_assert_eq!(pool.width(expr), tree.width());
        let value = Evaluation::new(&pool, |var: Var| input[var.0 as usize]).value(expr);
        prop_assert_eq!(value, tree.value(&input), "{:?}", tree);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn expressions_are_to_the_sat_solver_what_they_are(tree in plain(), input in input()) {
        has_only_its_value(&tree, input)?;
    }

    #[test]
    fn unfixed_bytes_are_found_where_there_are_any(tree in plain(), value: u128, input in input(), free in 0..INPUTS) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool);
        let goal = pool.equals(expr, value);
        let mut constraints = fixed(&mut pool, input);
        constraints.remove(free);
        constraints.push(goal);
        let mut sat = Sat::new();
        let answer = solve(&mut sat, &pool, &constraints, input);
        let mut with = |byte: u8| {
            let mut input = input;
            input[free] = byte;
            Evaluation::new(&pool, |var: Var| input[var.0 as usize]).value(goal) == 1
        };
        prop_assert_eq!(matches!(answer, Answer::Sat(_)), (0..=255).any(&mut with), "{:?}", answer);
    }
}

const BINARY: [Op; 17] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Eq,
    Op::Ult,
    Op::Slt,
    Op::Concat,
];

/// A number of some bits of a byte, with zeros above.
fn number(pool: &mut Pool, byte: u32, bits: u32, width: u32) -> Expr {
    let byte = pool.make_byte(Var(byte));
    let bits = pool.extract(byte, 0, bits);
    pool.extend(Op::ZExt, bits, width)
}

#[test]
fn small_numbers_are_right_for_all_values() {
    let widths = (1..=4).flat_map(|width| (1..=width).map(move |bits| (width, bits)));
    for ((width, bits), op) in widths.flat_map(|widths| BINARY.map(|op| (widths, op))) {
        let (mut pool, mut sat) = (Pool::new(), Sat::new());
        let (a, b) = (number(&mut pool, 0, width, width), number(&mut pool, 1, bits, width));
        let expr = pool.binary(op, a, b);
        for (x, y) in (0..1 << width).flat_map(|x| (0..1 << bits).map(move |y| (x, y))) {
            let value = op.apply(pool.width(expr), width, width, [x, y, 0]);
            let mut constraints = fixed(&mut pool, [x as u8, y as u8, 0, 0]);
            let is = pool.equals(expr, value);
            constraints.push(pool.not(is));
            let case = format!("{op:?} of {width} bits, {x} and {y} of {bits} bits");
            assert_eq!(solve(&mut sat, &pool, &constraints, INPUT), Answer::Unsat, "{case}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn two_unfixed_bytes_are_found_where_there_are_any(tree in single(), value: u128, input in input()) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool);
        let value = value & mask(tree.width());
        let goal = pool.equals(expr, value);
        let mut constraints = fixed(&mut pool, input).split_off(2);
        constraints.push(goal);
        let answer = solve(&mut Sat::new(), &pool, &constraints, input);
        let mut inputs = (0..=u16::MAX).map(|pair| [pair as u8, (pair >> 8) as u8, input[2], input[3]]);
        prop_assert_eq!(matches!(answer, Answer::Sat(_)), inputs.any(|input| tree.value(&input) == value), "{:?}", tree);
    }
}

/// Asks z3 whether all expressions together have their values, and whether one of them may have another.
fn z3_agrees(z3: &mut External, trees: &[Plain], input: [u8; INPUTS]) -> Result<(), TestCaseError> {
    let mut pool = Pool::new();
    let mut constraints = fixed(&mut pool, input);
    let mut another = pool.truth(false);
    let bytes = constraints.clone();
    for tree in trees {
        let expr = tree.build(&mut pool);
        let is = pool.equals(expr, tree.value(&input));
        constraints.push(is);
        let is_not = pool.not(is);
        another = pool.binary(Op::Or, another, is_not);
    }
    let mut ask = |constraints: &[Expr]| {
        let query = Query { constraints, vars: &all_vars(), seed: &|_| 0 };
        z3.solve(&pool, &query, Duration::from_secs(20))
    };
    prop_assert_eq!(ask(&constraints), Answer::Sat((0..).map(Var).zip(input).collect()), "{:?}", trees);
    prop_assert_eq!(ask(&[bytes, vec![another]].concat()), Answer::Unsat, "{:?}", trees);
    Ok(())
}

#[test]
fn z3_says_the_same() {
    let Some(command) = default_command() else {
        eprintln!("z3 is not installed: nothing is compared with it");
        return;
    };
    let z3 = RefCell::new(External::new(command, ExternalSettings::default()).unwrap());
    let batch = (prop::collection::vec(single(), 12), prop::collection::vec(plain(), 4), input());
    let mut runner = TestRunner::new(ProptestConfig { cases: 40, ..ProptestConfig::default() });
    let result =
        runner.run(&batch, |(single, deep, input)| z3_agrees(&mut z3.borrow_mut(), &[single, deep].concat(), input));
    result.unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn traces_are_evaluated_with_the_same_operators(
        kind in 0..OPERATORS_OF_TRACES.len(),
        width in 1..=128_u32,
        other in 1..=128_u32,
        low in 0..128_u32,
        values: [u128; 3],
        small in 0..200_u128,
    ) {
        let (number, op, negated) = OPERATORS_OF_TRACES[kind];
        let values = if small % 2 == 0 { [values[0], small, values[2]] } else { values };
        // Widths of result, operands.
        let (result, from) = match op {
            Op::Eq | Op::Ult | Op::Slt => (1, [width; 3]),
            Op::ZExt | Op::SExt => (width.max(other), [width.min(other); 3]),
            Op::Extract => (width.min(128 - low), [128; 3]),
            Op::Concat => (width, [width - width / 2, width / 2, 0]),
            Op::Ite => (width, [1, width, width]),
            _ => (width, [width; 3]),
        };
        prop_assume!(op != Op::Concat || width > 1);
        let values: [u128; 3] = std::array::from_fn(|index| values[index] & mask(from[index]));
        let leaf = |width: u32| Node { op: op::CONST, width: width as u8, ..Node::zeroed() };
        let nodes = [Node::zeroed(), leaf(from[0]), leaf(from[1]), leaf(from[2])];
        let c = if op == Op::Extract { low } else { 3 };
        let node = Node { op: number, width: result as u8, a: 1, b: 2, c, ..Node::zeroed() };
        let low = if op == Op::Extract { low } else { from[1] };
        // The operators that a trace has more are these the other way round.
        let (x, negate) = match negated {
            Negated::No => (values, 0),
            Negated::Result => (values, 1),
            Negated::Swapped => ([values[1], values[0], values[2]], 1),
        };
        let expected = op.apply(result, from[0], low, x) ^ negate;
        prop_assert_eq!(evaluate(&node, &Operands::of(&nodes, &node), values), expected, "{:?}", op);
    }
}

/// How an operator of traces follows from one of expressions.
#[derive(Clone, Copy)]
enum Negated {
    No,
    Result,
    /// With operands that changed places, too: a <= b is not b < a.
    Swapped,
}

/// The operators of traces.
const OPERATORS_OF_TRACES: [(u8, Op, Negated); 27] = [
    (op::ADD, Op::Add, Negated::No),
    (op::SUB, Op::Sub, Negated::No),
    (op::MUL, Op::Mul, Negated::No),
    (op::UDIV, Op::UDiv, Negated::No),
    (op::SDIV, Op::SDiv, Negated::No),
    (op::UREM, Op::URem, Negated::No),
    (op::SREM, Op::SRem, Negated::No),
    (op::SHL, Op::Shl, Negated::No),
    (op::LSHR, Op::LShr, Negated::No),
    (op::ASHR, Op::AShr, Negated::No),
    (op::AND, Op::And, Negated::No),
    (op::OR, Op::Or, Negated::No),
    (op::XOR, Op::Xor, Negated::No),
    (op::EQ, Op::Eq, Negated::No),
    (op::NE, Op::Eq, Negated::Result),
    (op::ULT, Op::Ult, Negated::No),
    (op::ULE, Op::Ult, Negated::Swapped),
    (op::SLT, Op::Slt, Negated::No),
    (op::SLE, Op::Slt, Negated::Swapped),
    (op::ZEXT, Op::ZExt, Negated::No),
    (op::SEXT, Op::SExt, Negated::No),
    (op::EXTRACT, Op::Extract, Negated::No),
    (op::CONCAT, Op::Concat, Negated::No),
    (op::ITE, Op::Ite, Negated::No),
    (op::CTPOP, Op::CtPop, Negated::No),
    (op::CTLZ, Op::CtLz, Negated::No),
    (op::CTTZ, Op::CtTz, Negated::No),
];
