//! Which failures of operations are asked for.

use std::fmt;
use std::str::FromStr;

use byway_solve::Failure;

/// A kind of check that can be switched on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// Accesses outside of their object: through an index, a pointer, a length given to a library function, or a string without an
    /// end.
    Bounds,
    /// Division by zero, and of the least number by -1.
    Division,
    /// Signed arithmetic whose result does not fit.
    Overflow,
    /// Shifts by as many bits as there are, or more; shifts of negative numbers to the left, and those that lose bits of signed
    /// numbers.
    Shift,
    /// Accesses through addresses that are not aligned.
    Alignment,
    /// Sizes that no allocator can give.
    Allocation,
    /// Ways to `abort`, and to assertions that fail.
    Abort,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 7] = [
        Check::Bounds,
        Check::Division,
        Check::Overflow,
        Check::Shift,
        Check::Alignment,
        Check::Allocation,
        Check::Abort,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Check::Bounds => "bounds",
            Check::Division => "division",
            Check::Overflow => "overflow",
            Check::Shift => "shift",
            Check::Alignment => "alignment",
            Check::Allocation => "allocation",
            Check::Abort => "abort",
        }
    }

    /// What a failure of an operation belongs to.
    pub fn of(failure: Failure) -> Check {
        match failure {
            Failure::OutOfBounds | Failure::Length | Failure::Unterminated => Check::Bounds,
            Failure::DivisionByZero | Failure::DivisionOverflow => Check::Division,
            Failure::SignedOverflow => Check::Overflow,
            Failure::Shift | Failure::ShiftBase => Check::Shift,
            Failure::Misaligned => Check::Alignment,
            Failure::AllocationSize => Check::Allocation,
        }
    }
}

/// A set of checks, as a user names it: `all`, `bounds,division`, `all,-overflow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks(u32);

impl Checks {
    /// All checks.
    pub const ALL: Checks = Checks((1 << Check::ALL.len()) - 1);

    /// Whether a check is in it.
    pub fn has(self, check: Check) -> bool {
        self.0 >> check as u32 & 1 != 0
    }

    /// Whether traces need arithmetic that can overflow.
    pub fn need_arithmetic(self) -> bool {
        self.has(Check::Overflow) || self.has(Check::Shift)
    }
}

impl FromStr for Checks {
    type Err = String;

    fn from_str(text: &str) -> Result<Checks, String> {
        let first_is_less = text.trim_start().starts_with('-');
        let mut checks = if first_is_less { Checks::ALL } else { Checks(0) };
        for word in text.split(',').map(str::trim) {
            let (name, is_less) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
            let named = match Check::ALL.into_iter().find(|check| check.name() == name) {
                Some(check) => 1 << check as u32,
                None if name == "all" => Checks::ALL.0,
                None => {
                    let names: Vec<&str> = Check::ALL.iter().map(|check| check.name()).collect();
                    return Err(format!("there is no check '{name}'; the checks are all, {}", names.join(", ")));
                }
            };
            checks.0 = if is_less { checks.0 & !named } else { checks.0 | named };
        }
        Ok(checks)
    }
}

impl fmt::Display for Checks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Check::ALL.iter().filter(|&&check| self.has(check)).map(|check| check.name()).collect();
        formatter.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_named_in_a_list_that_can_take_some_away() {
        let set = |text: &str| text.parse::<Checks>().unwrap().to_string();
        assert_eq!(set("all"), "bounds,division,overflow,shift,alignment,allocation,abort");
        assert_eq!(set("division,bounds"), "bounds,division");
        assert_eq!(set("all,-overflow,-shift"), "bounds,division,alignment,allocation,abort");
        assert_eq!(set("-overflow"), "bounds,division,shift,alignment,allocation,abort");
        assert!("index".parse::<Checks>().unwrap_err().contains("the checks are all, bounds"));
    }
}
