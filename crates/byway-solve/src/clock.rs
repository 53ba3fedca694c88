//! Budgets by processor time: what a thread has worked, not what the wall's clock says.
//!
//! On a loaded machine a thread waits for others. A budget of wall time would then end sooner in its work, and the same
//! question would get another answer. A [`Deadline`] is a point in the processor time of the thread that made it, and only that
//! thread may ask about it.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time that the current thread has used.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The end of a budget, in processor time of the thread that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline(Duration);

impl Deadline {
    /// The end of a budget that no work uses up.
    pub const NEVER: Deadline = Deadline(Duration::MAX);

    /// The end of a budget that begins now.
    pub fn after(budget: Duration) -> Self {
        Deadline(thread_time().saturating_add(budget))
    }

    /// Whether the budget is used up.
    pub fn is_over(self) -> bool {
        self != Self::NEVER && thread_time() >= self.0
    }
}

/// How much work is done between two looks at the clock. A look is a system call, some 0.3 microseconds.
const WORK: u32 = 4096;

/// Looks at the clock once in a while. Once it is late it stays late.
#[derive(Debug, Clone, Copy)]
pub struct DeadlineWatch {
    deadline: Deadline,
    /// Work left until the next look.
    left: u32,
    late: bool,
}

impl Default for DeadlineWatch {
    fn default() -> Self {
        DeadlineWatch::new(Deadline::NEVER)
    }
}

impl DeadlineWatch {
    /// A watch that looks when the first work is done, so that a budget of nothing allows nothing.
    pub fn new(deadline: Deadline) -> Self {
        DeadlineWatch { deadline, left: 0, late: false }
    }

    /// The deadline that it watches.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Notes work, in units of about 20 nanoseconds. Whether the budget is used up.
    #[inline]
    pub fn is_late_after(&mut self, work: usize) -> bool {
        match self.left.checked_sub(u32::try_from(work).unwrap_or(u32::MAX)) {
            Some(left) if !self.late => self.left = left,
            _ => self.look(),
        }
        self.late
    }

    #[cold]
    fn look(&mut self) {
        self.left = WORK;
        self.late |= self.deadline.is_over();
    }

    /// Whether it was late at the last look.
    pub fn is_late(&self) -> bool {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_uses_up_no_budget_and_work_does() {
        let deadline = Deadline::after(Duration::from_millis(50));
        std::thread::sleep(Duration::from_millis(60));
        assert!(!deadline.is_over());
        let begun = thread_time();
        while !deadline.is_over() {
            assert!(thread_time() < begun + Duration::from_secs(1));
        }
    }

    #[test]
    fn no_budget_is_late_at_the_first_work_and_stays_late() {
        let mut watch = DeadlineWatch::new(Deadline::after(Duration::ZERO));
        assert!(!watch.is_late());
        assert!(watch.is_late_after(1) && watch.is_late_after(0) && watch.is_late());
    }

    #[test]
    fn a_budget_without_end_is_never_late() {
        let mut watch = DeadlineWatch::default();
        assert!((0..10_000).all(|_| !watch.is_late_after(1000)));
    }
}
