//! Expressions as trees that no rule has touched, and what they are worth by the operators' definition alone.

use byway_solve::{Expr, Op, Pool, Table, Var};
use proptest::prelude::*;
use proptest::sample::select;

/// How many bytes of input there are.
pub const INPUTS: usize = 4;

/// An expression.
#[derive(Debug, Clone)]
pub enum Plain {
    Byte(u32),
    Constant(u32, u128),
    Not(Box<Plain>),
    Binary(Op, Box<Plain>, Box<Plain>),
    Extend(Op, Box<Plain>, u32),
    Extract(Box<Plain>, u32, u32),
    Ite(Box<Plain>, Box<Plain>, Box<Plain>),
    Count(Op, Box<Plain>),
    Load(Vec<u8>, Vec<(u32, Plain)>, Box<Plain>, u32),
}

use Plain::*;

impl Plain {
    pub fn width(&self) -> u32 {
        match self {
            Byte(_) => 8,
            Constant(width, _) | Extend(_, _, width) | Extract(_, _, width) | Load(.., width) => *width,
            Not(a) | Count(_, a) => a.width(),
            Binary(Op::Eq | Op::Ult | Op::Slt, ..) => 1,
            Binary(Op::Concat, a, b) => a.width() + b.width(),
            Binary(_, a, _) | Ite(_, a, _) => a.width(),
        }
    }

    /// What it is worth.
    pub fn value(&self, input: &[u8; INPUTS]) -> u128 {
        let apply = |op: Op, from: u32, low: u32, operands: [u128; 3]| op.apply(self.width(), from, low, operands);
        match self {
            Byte(number) => input[*number as usize].into(),
            Constant(width, value) => Op::Const.apply(*width, *width, 0, [*value, 0, 0]),
            Not(a) => apply(Op::Not, a.width(), 0, [a.value(input), 0, 0]),
            Binary(op, a, b) => apply(*op, a.width(), b.width(), [a.value(input), b.value(input), 0]),
            Extend(op, a, _) => apply(*op, a.width(), 0, [a.value(input), 0, 0]),
            Extract(a, low, _) => apply(Op::Extract, a.width(), *low, [a.value(input), 0, 0]),
            Ite(a, b, c) => apply(Op::Ite, 1, 0, [a.value(input), b.value(input), c.value(input)]),
            Count(op, a) => apply(*op, a.width(), 0, [a.value(input), 0, 0]),
            Load(bytes, symbolic, position, width) => load(bytes, symbolic, position.value(input), *width, input),
        }
    }

    /// The expression of a pool, after all rules.
    pub fn build(&self, pool: &mut Pool) -> Expr {
        match self {
            Byte(number) => pool.make_byte(Var(*number)),
            Constant(width, value) => pool.make_constant(*width, *value),
            Not(a) => {
                let a = a.build(pool);
                pool.not(a)
            }
            Binary(op, a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.binary(*op, a, b)
            }
            Extend(op, a, width) => {
                let a = a.build(pool);
                pool.extend(*op, a, *width)
            }
            Extract(a, low, width) => {
                let a = a.build(pool);
                pool.extract(a, *low, *width)
            }
            Ite(a, b, c) => {
                let (a, b, c) = (a.build(pool), b.build(pool), c.build(pool));
                pool.ite(a, b, c)
            }
            Count(op, a) => {
                let a = a.build(pool);
                pool.count(*op, a)
            }
            Load(bytes, symbolic, position, width) => {
                let symbolic = symbolic.iter().map(|(at, byte)| (*at, byte.build(pool))).collect();
                let table = pool.make_table(Table { bytes: bytes.clone(), symbolic });
                let position = position.build(pool);
                pool.load(table, position, *width)
            }
        }
    }
}

fn load(bytes: &[u8], symbolic: &[(u32, Plain)], position: u128, width: u32, input: &[u8; INPUTS]) -> u128 {
    let count = u128::from(width / 8);
    if position + count > bytes.len() as u128 {
        return 0;
    }
    let byte = |index: u128| match symbolic.iter().find(|&&(at, _)| u128::from(at) == index) {
        Some((_, byte)) => byte.value(input),
        None => bytes[index as usize].into(),
    };
    (position..position + count).rev().fold(0, |value, index| value << 8 | byte(index))
}

/// Widths, those of programs more often.
fn width() -> impl Strategy<Value = u32> {
    prop_oneof![4 => select(&[1_u32, 8, 16, 32, 64][..]), 2 => 1..=24_u32, 1 => 1..=128_u32]
}

/// Any value, those at the edges more often.
fn value() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        0..10_u128,
        (0..10_u128).prop_map(|small| u128::MAX - small),
        (0..128_u32).prop_map(|bit| 1 << bit)
    ]
}

/// An expression without operators, as wide as is asked for.
fn leaf(width: u32) -> BoxedStrategy<Plain> {
    let constant = value().prop_map(move |value| Constant(width, value));
    let byte = (0..INPUTS as u32).prop_map(move |number| fit(Byte(number), width, Op::ZExt));
    let bytes = (Just(width), 0..INPUTS as u32).prop_map(|(width, first)| {
        let number = |index: u32| (first + index) % INPUTS as u32;
        let join = |low, index| Binary(Op::Concat, Box::new(Byte(number(index))), Box::new(low));
        fit((1..width.div_ceil(8)).fold(Byte(first), join), width, Op::SExt)
    });
    prop_oneof![1 => constant, 2 => byte, 3 => bytes].boxed()
}

/// The same with as many bits as are asked for.
fn fit(plain: Plain, width: u32, extend: Op) -> Plain {
    match plain.width() {
        from if from == width => plain,
        from if from > width => Extract(Box::new(plain), 0, width),
        _ => Extend(extend, Box::new(plain), width),
    }
}

/// An expression of so many operators at most, one within the other.
fn tree(width: u32, depth: u32) -> BoxedStrategy<Plain> {
    if depth == 0 {
        return leaf(width);
    }
    prop_oneof![1 => leaf(width), 6 => operator(width, depth)].boxed()
}

fn boxed(width: u32, depth: u32) -> impl Strategy<Value = Box<Plain>> {
    // Made when it is asked for: all that could be would be too many.
    Just(()).prop_flat_map(move |()| tree(width, depth - 1)).prop_map(Box::new)
}

/// An operator with a result of this width.
fn operator(width: u32, depth: u32) -> BoxedStrategy<Plain> {
    let ops = [
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
    ];
    let same = (select(ops.to_vec()), boxed(width, depth), boxed(width, depth)).prop_map(|(op, a, b)| Binary(op, a, b));
    let small = (select(&[Op::Shl, Op::LShr, Op::AShr][..]), boxed(width, depth), 0..=width)
        .prop_map(move |(op, a, by)| Binary(op, a, Box::new(Constant(width, by.into()))));
    let shift_by_byte = (select(&[Op::Shl, Op::LShr, Op::AShr][..]), boxed(width, depth), 0..INPUTS as u32)
        .prop_map(move |(op, a, by)| Binary(op, a, Box::new(fit(Byte(by), width, Op::ZExt))));
    let choice = (boxed(1, depth), boxed(width, depth), boxed(width, depth)).prop_map(|(a, b, c)| Ite(a, b, c));
    let count = (select(&[Op::CtPop, Op::CtLz, Op::CtTz][..]), boxed(width, depth)).prop_map(|(op, a)| Count(op, a));
    let not = boxed(width, depth).prop_map(Not);
    let extract = (0..=128 - width, 0..=128 - width).prop_flat_map(move |(low, above)| {
        let from = width + low.min(above) + (above - low.min(above)) / 2;
        let low = low.min(from - width);
        boxed(from, depth).prop_map(move |a| Extract(a, low, width))
    });
    let mut all = vec![same.boxed(), small.boxed(), shift_by_byte.boxed(), choice.boxed()];
    all.extend([count.boxed(), not.boxed(), extract.boxed()]);
    if width == 1 {
        all.extend([comparison(depth), comparison(depth), comparison(depth)]);
    } else {
        all.extend([wider(width, depth), wider(width, depth)]);
    }
    if width.is_multiple_of(8) {
        all.push(read(width, depth));
    }
    proptest::strategy::Union::new(all).boxed()
}

fn comparison(depth: u32) -> BoxedStrategy<Plain> {
    let operands = width().prop_flat_map(move |width| (boxed(width, depth), boxed(width, depth)));
    (select(&[Op::Eq, Op::Ult, Op::Slt][..]), operands).prop_map(|(op, (a, b))| Binary(op, a, b)).boxed()
}

fn wider(width: u32, depth: u32) -> BoxedStrategy<Plain> {
    let extend = (select(&[Op::ZExt, Op::SExt][..]), 1..width)
        .prop_flat_map(move |(op, from)| boxed(from, depth).prop_map(move |a| Extend(op, a, width)));
    let concat = (1..width)
        .prop_flat_map(move |low| (boxed(width - low, depth), boxed(low, depth)))
        .prop_map(|(a, b)| Binary(Op::Concat, a, b));
    prop_oneof![extend, concat].boxed()
}

/// A read, seldom far beyond the table.
fn read(width: u32, depth: u32) -> BoxedStrategy<Plain> {
    let position = prop_oneof![
        1 => tree(64, depth - 1),
        4 => (tree(8, depth - 1), 0..8_u32).prop_map(|(byte, less)| fit(fit(byte, 8 - less, Op::ZExt), 64, Op::ZExt)),
    ];
    let entry = prop_oneof![Just(0_u8), Just(1), any::<u8>()];
    let table = prop_oneof![prop::collection::vec(entry.clone(), 0..20), prop::collection::vec(entry, 200..300)];
    let symbolic = prop::collection::btree_map(0..300_u32, tree(8, (depth - 1).min(1)), 0..3);
    (table, symbolic, position)
        .prop_map(move |(bytes, symbolic, position)| {
            let symbolic = symbolic.into_iter().filter(|&(at, _)| (at as usize) < bytes.len()).collect();
            Load(bytes, symbolic, Box::new(position), width)
        })
        .boxed()
}

/// Any input, with bytes at the edges more often.
pub fn input() -> impl Strategy<Value = [u8; INPUTS]> {
    let byte = || prop_oneof![2 => Just(0_u8), 1 => Just(1), 1 => Just(0x80), 1 => Just(0xff), 3 => any::<u8>()];
    [byte(), byte(), byte(), byte()]
}

/// Any expression.
pub fn plain() -> impl Strategy<Value = Plain> {
    (width(), 1..=3_u32).prop_flat_map(|(width, depth)| tree(width, depth))
}

/// One operator.
pub fn single() -> impl Strategy<Value = Plain> {
    width().prop_flat_map(|width| operator(width, 1))
}
