//! Processor time: what bounds work, so that a loaded machine does as much of it as an idle one.

use std::cell::Cell;
use std::time::{Duration, Instant};

use byway_solve::clock::thread_time;

thread_local! {
    /// The processor time of the programs that this thread ran.
    static RUNS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// A program that this thread ran took so much processor time.
pub fn charge(run: Duration) {
    RUNS.set(RUNS.get() + run);
}

/// The processor time of this thread and of the programs that it ran.
fn used() -> Duration {
    thread_time() + RUNS.get()
}

/// Measures the processor time of the thread that started it.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Duration);

impl Stopwatch {
    /// Starts.
    pub fn start() -> Stopwatch {
        Stopwatch(used())
    }

    /// The processor time since then.
    pub fn spent(&self) -> Duration {
        used().saturating_sub(self.0)
    }
}

/// An amount of processor time that the thread that has it may use.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    time: Duration,
    watch: Stopwatch,
    begun: Instant,
}

/// A thread that waits for programs that sleep, or for other threads, uses no processor time. When so many times its
/// allowance have passed by the wall clock it is used up all the same.
const PATIENCE: u32 = 8;

impl Allowance {
    /// So much, from now on.
    pub fn new(time: Duration) -> Allowance {
        Allowance { time, watch: Stopwatch::start(), begun: Instant::now() }
    }

    /// The processor time that is left.
    pub fn left(&self) -> Duration {
        self.time.saturating_sub(self.watch.spent())
    }

    /// Whether it is used up.
    pub fn is_over(&self) -> bool {
        self.watch.spent() >= self.time || self.begun.elapsed() >= self.time.saturating_mul(PATIENCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_a_thread_sleeps_is_not_charged_and_that_of_its_runs_is() {
        let (watch, allowance) = (Stopwatch::start(), Allowance::new(Duration::from_secs(3)));
        std::thread::sleep(Duration::from_millis(50));
        assert!(watch.spent() < Duration::from_millis(50));
        charge(Duration::from_secs(3));
        assert!(allowance.is_over() && watch.spent() < Duration::from_secs(60));
    }

    #[test]
    fn a_thread_that_only_waits_uses_up_its_allowance_in_the_end() {
        let allowance = Allowance::new(Duration::from_millis(5));
        while !allowance.is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(allowance.begun.elapsed() >= Duration::from_millis(5));
    }
}
