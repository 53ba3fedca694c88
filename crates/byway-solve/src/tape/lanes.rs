//! All 256 values of one byte at once. Compilers turn these loops into vector instructions.

use byway_trace::evaluate::mask;

use super::{Step, Tape, read};
use crate::byte_set::ByteSet;
use crate::clock::DeadlineWatch;
use crate::op::Op;
use crate::pool::{Pool, Var};

type Lane = [u64; 256];

/// The value of a step: the same for all values of the byte, or where its lanes are.
#[derive(Debug, Clone, Copy)]
enum Value {
    Same(u64),
    Lanes(u32),
}

/// Memory for evaluation.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    values: Vec<Value>,
    lanes: Vec<Lane>,
}

impl Lanes {
    /// The values of a byte for which all roots are true. `None` if the watch is late.
    pub fn run(
        &mut self,
        pool: &Pool,
        tape: &Tape,
        var: Var,
        input: impl Fn(Var) -> u8,
        watch: &mut DeadlineWatch,
    ) -> Option<ByteSet> {
        self.values.clear();
        let mut used = 0;
        for step in &tape.steps {
            if watch.is_late_after(STEP) {
                return None;
            }
            let value = self.step(pool, tape, step, var, &input, &mut used);
            self.values.push(value);
        }
        let roots = tape.roots.iter().map(|&root| match self.values[root as usize] {
            Value::Same(0) => ByteSet::EMPTY,
            Value::Same(_) => ByteSet::FULL,
            Value::Lanes(lanes) => ByteSet::of_lanes(&self.lanes[lanes as usize]),
        });
        Some(roots.fold(ByteSet::FULL, ByteSet::and))
    }

    fn step(
        &mut self,
        pool: &Pool,
        tape: &Tape,
        step: &Step,
        var: Var,
        input: impl Fn(Var) -> u8,
        used: &mut u32,
    ) -> Value {
        match step.op {
            Op::Const => return Value::Same(tape.constants[step.a as usize] as u64),
            Op::Byte if step.a != var.0 => return Value::Same(input(Var(step.a)).into()),
            _ => {}
        }
        let out = *used;
        if self.lanes.len() <= out as usize {
            self.lanes.push([0; 256]);
        }
        if step.op == Op::Byte {
            *used += 1;
            self.lanes[out as usize] = std::array::from_fn(|byte| byte as u64);
            return Value::Lanes(out);
        }
        if step.op == Op::Load {
            return self.load(pool, tape, step, used);
        }
        let operands = [step.a, step.b, step.c].map(|operand| self.values[operand as usize]);
        let arity = step.op.arity();
        if let [Value::Same(a), Value::Same(b), Value::Same(c)] = operands {
            let values = [a.into(), b.into(), c.into()];
            let value = step.op.apply(step.width.into(), step.from.into(), step.low.into(), values);
            return Value::Same(value as u64);
        }
        *used += 1;
        let (before, after) = self.lanes.split_at_mut(out as usize);
        let view = |value: Value| match value {
            Value::Same(value) => View::Same(value),
            Value::Lanes(lanes) => View::Lanes(&before[lanes as usize]),
        };
        let out_lanes = &mut after[0];
        if arity == 3 {
            let [condition, then, other] = operands.map(view);
            for (index, lane) in out_lanes.iter_mut().enumerate() {
                *lane = if condition.get(index) != 0 { then.get(index) } else { other.get(index) };
            }
        } else {
            apply(step, view(operands[0]), view(operands[1]), out_lanes);
        }
        Value::Lanes(out)
    }

    fn load(&mut self, pool: &Pool, tape: &Tape, step: &Step, used: &mut u32) -> Value {
        let (table, symbolic) = &tape.tables[step.b as usize];
        let bytes = &pool.table(*table).bytes;
        if let Value::Same(position) = self.values[step.a as usize]
            && let Some(value) = self.read_same(bytes, symbolic, position, step.width)
        {
            return Value::Same(value);
        }
        let out = *used;
        *used += 1;
        let (before, after) = self.lanes.split_at_mut(out as usize);
        let get = |step: u32, lane: usize| match self.values[step as usize] {
            Value::Same(value) => value,
            Value::Lanes(lanes) => before[lanes as usize][lane],
        };
        for (lane, out) in after[0].iter_mut().enumerate() {
            let position = get(step.a, lane);
            *out = read(bytes, symbolic, position, step.width, |step| get(step, lane) as u8) as u64;
        }
        Value::Lanes(out)
    }

    /// What is read at one position, if it is the same for all values of the byte.
    fn read_same(&self, bytes: &[u8], symbolic: &[(u32, u32)], position: u64, width: u8) -> Option<u64> {
        let end = position.saturating_add(u64::from(width / 8));
        let first = symbolic.partition_point(|&(at, _)| u64::from(at) < position);
        let mut touched = symbolic[first..].iter().take_while(|&&(at, _)| u64::from(at) < end);
        let is_same = |&(_, step): &(u32, u32)| matches!(self.values[step as usize], Value::Same(_));
        let get = |step: u32| match self.values[step as usize] {
            Value::Same(value) => value as u8,
            Value::Lanes(_) => 0,
        };
        touched.all(is_same).then(|| read(bytes, symbolic, position, width, get) as u64)
    }
}

/// What a step costs, for a watch.
const STEP: usize = 8;

#[derive(Clone, Copy)]
enum View<'a> {
    Same(u64),
    Lanes(&'a Lane),
}

impl View<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> u64 {
        match self {
            View::Same(value) => *value,
            View::Lanes(lanes) => lanes[lane],
        }
    }
}

#[inline(always)]
fn each(a: View<'_>, b: View<'_>, out: &mut Lane, f: impl Fn(u64, u64) -> u64) {
    match (a, b) {
        (View::Lanes(a), View::Lanes(b)) => (0..256).for_each(|lane| out[lane] = f(a[lane], b[lane])),
        (View::Lanes(a), View::Same(b)) => (0..256).for_each(|lane| out[lane] = f(a[lane], b)),
        (View::Same(a), View::Lanes(b)) => (0..256).for_each(|lane| out[lane] = f(a, b[lane])),
        (View::Same(a), View::Same(b)) => out.fill(f(a, b)),
    }
}

/// A unary or binary operator; a unary one is given its operand twice.
fn apply(step: &Step, a: View<'_>, b: View<'_>, out: &mut Lane) {
    let ones = mask(step.width.into()) as u64;
    let unused = 64 - u32::from(step.from);
    let signed = |value: u64| ((value << unused) as i64) >> unused;
    let low = u32::from(step.low);
    match step.op {
        Op::Not => each(a, b, out, |a, _| !a & ones),
        Op::Add => each(a, b, out, |a, b| a.wrapping_add(b) & ones),
        Op::Sub => each(a, b, out, |a, b| a.wrapping_sub(b) & ones),
        Op::Mul => each(a, b, out, |a, b| a.wrapping_mul(b) & ones),
        Op::And => each(a, b, out, |a, b| a & b),
        Op::Or => each(a, b, out, |a, b| a | b),
        Op::Xor => each(a, b, out, |a, b| a ^ b),
        Op::Eq => each(a, b, out, |a, b| (a == b).into()),
        Op::Ult => each(a, b, out, |a, b| (a < b).into()),
        Op::Slt => each(a, b, out, |a, b| (signed(a) < signed(b)).into()),
        Op::ZExt => each(a, b, out, |a, _| a),
        Op::SExt => each(a, b, out, |a, _| signed(a) as u64 & ones),
        Op::Extract => each(a, b, out, |a, _| a >> low & ones),
        // Together they have at most 64 bits, so the shift is less than that.
        Op::Concat => each(a, b, out, |a, b| a << low | b),
        _ => {
            let (width, from) = (u32::from(step.width), u32::from(step.from));
            each(a, b, out, |a, b| step.op.apply(width, from, low, [a.into(), b.into(), 0]) as u64);
        }
    }
}
