//! Operators on numbers of any width, as gates. Numbers are their bits, the lowest first.

use crate::sat::cadical::Lit;
use crate::sat::gates::Gates;

/// A number.
pub type Bits = Vec<Lit>;

/// A constant.
pub fn constant(value: u128, width: usize) -> Bits {
    (0..width).map(|bit| Lit::constant(value >> bit & 1 == 1)).collect()
}

/// The value, if all bits are known.
pub fn known(bits: &[Lit]) -> Option<u128> {
    bits.iter().rev().try_fold(0, |value, bit| Some(value << 1 | u128::from(bit.known()?)))
}

fn inverted(bits: &[Lit]) -> Bits {
    bits.iter().map(|&bit| !bit).collect()
}

impl Gates {
    /// a + b + carry
    pub fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Bits {
        let mut sum = Bits::with_capacity(a.len());
        for (index, (&a_bit, &b_bit)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(a_bit, b_bit, carry));
            // The last carry is of no use.
            if index + 1 < a.len() {
                carry = self.majority(a_bit, b_bit, carry);
            }
        }
        sum
    }

    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        self.add(a, &inverted(b), Lit::TRUE)
    }

    /// -a, if asked for
    fn negate_if(&mut self, negate: Lit, a: &[Lit]) -> Bits {
        let flipped: Bits = a.iter().map(|&bit| self.xor(bit, negate)).collect();
        self.add(&flipped, &constant(0, a.len()), negate)
    }

    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        // Each bit of the multiplier that is not known to be 0 is an addition.
        let additions = |bits: &[Lit]| bits.iter().filter(|&&bit| bit != Lit::FALSE).count();
        match (known(a), known(b)) {
            (Some(value), _) => self.multiply_by_constant(b, value),
            (_, Some(value)) => self.multiply_by_constant(a, value),
            _ if additions(a) < additions(b) => self.multiply_symbolic(b, a),
            _ => self.multiply_symbolic(a, b),
        }
    }

    fn multiply_symbolic(&mut self, a: &[Lit], multiplier: &[Lit]) -> Bits {
        let width = a.len();
        let mut product = constant(0, width);
        for (shift, &bit) in multiplier.iter().enumerate() {
            if self.watch.is_late() {
                break;
            }
            let partial: Bits = a[..width - shift].iter().map(|&a_bit| self.and(a_bit, bit)).collect();
            let upper = self.add(&product[shift..], &partial, Lit::FALSE);
            product.truncate(shift);
            product.extend(upper);
        }
        product
    }

    // In digits 1, 0 and -1 where no two neighbours are both set, a run of ones is two operations.
    fn multiply_by_constant(&mut self, a: &[Lit], value: u128) -> Bits {
        let width = a.len();
        let mut product = constant(0, width);
        let (mut rest, mut shift) = (value, 0);
        while rest != 0 && shift < width {
            if rest & 1 == 1 {
                let subtract = rest & 3 == 3;
                let upper = if subtract {
                    self.subtract(&product[shift..], &a[..width - shift])
                } else {
                    self.add(&product[shift..], &a[..width - shift], Lit::FALSE)
                };
                product.truncate(shift);
                product.extend(upper);
                // A carry beyond 128 bits is beyond every width.
                rest = if subtract { rest.wrapping_add(1) } else { rest - 1 };
            }
            rest >>= 1;
            shift += 1;
        }
        product
    }

    /// Quotient and remainder: digit by digit, as on paper. By 0, all bits are set and the remainder is `a`, as SMT-LIB says.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let above = self.any_from(b);
        let length = b.iter().rposition(|&bit| bit != Lit::FALSE).map_or(0, |last| last + 1);
        let mut quotient = constant(0, width);
        let mut rest = Bits::new();
        for index in (0..width).rev() {
            if self.watch.is_late() {
                break;
            }
            rest.insert(0, a[index]);
            let (difference, borrow) = self.difference(&rest, b);
            let fits = self.and(!borrow, !above[rest.len()]);
            quotient[index] = fits;
            rest = self.choose(fits, &difference, &rest);
            // What remains is less than the divisor.
            rest.truncate(length);
        }
        rest.resize(width, Lit::FALSE);
        // Unless that is 0.
        let remainder = if length < width { self.choose(above[0], &rest, a) } else { rest };
        (quotient, remainder)
    }

    /// For each bit, whether it or one above it is set; one more for above all.
    fn any_from(&mut self, bits: &[Lit]) -> Bits {
        let mut any = vec![Lit::FALSE; bits.len() + 1];
        for index in (0..bits.len()).rev() {
            any[index] = self.or(bits[index], any[index + 1]);
        }
        any
    }

    /// a - b, and whether b is more. As wide as `a`; where `b` is shorter, it is 0 above.
    fn difference(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Lit) {
        let mut borrow = Lit::FALSE;
        let mut bits = Bits::with_capacity(a.len());
        for (index, &a_bit) in a.iter().enumerate() {
            let b_bit = b.get(index).copied().unwrap_or(Lit::FALSE);
            bits.push(self.xor3(a_bit, b_bit, borrow));
            borrow = self.majority(!a_bit, b_bit, borrow);
        }
        (bits, borrow)
    }

    /// Quotient and remainder of numbers with signs: the remainder has that of `a`.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let (a_sign, b_sign) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.negate_if(a_sign, a), self.negate_if(b_sign, b));
        let (quotient, remainder) = self.divide(&a, &b);
        let sign = self.xor(a_sign, b_sign);
        (self.negate_if(sign, &quotient), self.negate_if(a_sign, &remainder))
    }

    /// a < b
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = Lit::FALSE;
        for (&a_bit, &b_bit) in a.iter().zip(b) {
            less = self.majority(!a_bit, b_bit, less);
        }
        less
    }

    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // With their signs inverted, numbers are in the order of unsigned ones.
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        for bits in [&mut a, &mut b] {
            let last = bits.len() - 1;
            bits[last] = !bits[last];
        }
        self.less(&a, &b)
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Bits = a.iter().zip(b).map(|(&a_bit, &b_bit)| self.same(a_bit, b_bit)).collect();
        self.all(same)
    }

    pub fn choose(&mut self, condition: Lit, then: &[Lit], other: &[Lit]) -> Bits {
        then.iter().zip(other).map(|(&then, &other)| self.choice(condition, then, other)).collect()
    }

    /// Moves bits towards the lowest by `amount`; `fill` comes in from above.
    pub fn shift_right(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Bits {
        let width = a.len();
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        let mut bits = a.to_vec();
        for (stage, &by) in amount.iter().take(stages).enumerate() {
            let moved: Bits = (0..width).map(|bit| *bits.get(bit + (1 << stage)).unwrap_or(&fill)).collect();
            bits = self.choose(by, &moved, &bits);
        }
        let all = self.any(amount.iter().skip(stages).copied());
        let filled = vec![fill; width];
        self.choose(all, &filled, &bits)
    }

    pub fn shift_left(&mut self, a: &[Lit], amount: &[Lit]) -> Bits {
        let mirrored: Bits = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&mirrored, amount, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// How many bits are set.
    pub fn count_ones(&mut self, a: &[Lit]) -> Bits {
        let width = a.len();
        let mut count = Bits::with_capacity(width);
        // All bits of one weight, and what they carry to the next.
        let mut weight = a.to_vec();
        while count.len() < width {
            let mut carried = Bits::new();
            while weight.len() > 1 {
                let (x, y, z) = (weight.pop(), weight.pop(), weight.pop());
                let [x, y, z] = [x, y, z].map(|lit| lit.unwrap_or(Lit::FALSE));
                weight.insert(0, self.xor3(x, y, z));
                carried.push(self.majority(x, y, z));
            }
            count.push(weight.pop().unwrap_or(Lit::FALSE));
            weight = carried;
        }
        count
    }

    /// How many bits are 0 before the first that is set, in the order given.
    pub fn count_zeros(&mut self, order: impl DoubleEndedIterator<Item = Lit> + ExactSizeIterator) -> Bits {
        let width = order.len();
        let mut count = constant(width as u128, width);
        for (zeros, bit) in order.enumerate().rev() {
            count = self.choose(bit, &constant(zeros as u128, width), &count);
        }
        count
    }
}
