//! The driver: workers that take jobs from a scheduler until nothing is left, a budget is used up or the user interrupts.
//!
//! A [`Scheduler`] knows what is to be done; the [`Driver`] has the threads, the clock and the reason to stop. It shows progress and has results
//! written down while the workers work, and ends runs that go on when it is time to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_confine::Handle;

use crate::memory::resident_memory;
use crate::mistake::{Mistake, contain};

/// How often progress is shown, and how often it is written down.
const PROGRESS: Duration = Duration::from_millis(200);
const CHECKPOINT: Duration = Duration::from_secs(2);
/// How often the driver looks whether it is time to stop.
const TICK: Duration = Duration::from_millis(10);
/// How long a worker waits for others before it looks again.
const WAIT: Duration = Duration::from_millis(50);
/// How long runs may go on when it is time to stop.
const GRACE: Duration = Duration::from_millis(500);

/// Why workers stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing left to try.
    Exhausted,
    /// The time is over.
    Time,
    /// There were as many runs as there may be.
    Runs,
    /// We have as much memory as we may have.
    Memory,
    /// The user wanted it.
    Interrupted,
    /// A mistake of ours: what is known may be half done.
    Mistake,
}

impl Stop {
    /// Whether somebody waits for workers to stop. Otherwise what runs may come to its end.
    fn is_urgent(self) -> bool {
        !matches!(self, Stop::Exhausted | Stop::Runs)
    }
}

/// When a driver stops by itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct DriverLimits {
    /// After this time, with what was spent before.
    pub time: Option<Duration>,
    /// The time that was spent before.
    pub spent: Duration,
    /// When we take so many bytes of memory.
    pub memory: Option<u64>,
}

/// What workers do. One of them may run several at the same time.
pub trait Scheduler: Sync {
    /// What a worker keeps between its jobs.
    type Worker;
    /// Something to do.
    type Job;
    /// What a job came to.
    type Done;
    /// Why everything ends.
    type Error: Send;

    /// A worker begins.
    fn begin(&self, number: usize) -> Result<Self::Worker, Self::Error>;

    /// The next job of a worker; `None` if it is time to stop. It may [wait](Driver::wait) for others.
    fn next(&self, worker: &mut Self::Worker) -> Option<Self::Job>;

    /// Does a job. If it panics, that is a mistake of ours, and the job is given up.
    fn run(&self, worker: &mut Self::Worker, job: &mut Self::Job) -> Result<Self::Done, Self::Error>;

    /// A job has ended. An error ends everything.
    fn finish(&self, worker: &mut Self::Worker, job: Self::Job, done: Ended<Self>) -> Result<(), Self::Error>;

    /// We made a mistake when the next job was looked for: everything ends.
    fn note_mistake(&self, mistake: &Mistake);

    /// Writes down what is known.
    fn checkpoint(&self);
}

/// What became of a job.
pub type Ended<S> = Result<Result<<S as Scheduler>::Done, <S as Scheduler>::Error>, Mistake>;

/// The threads, the clock and the reason to stop.
pub struct Driver<'a, E> {
    limits: DriverLimits,
    begun: Instant,
    /// How long workers waited for what is none of their work, in nanoseconds of all of them together.
    uncounted: AtomicU64,
    interrupted: &'a AtomicBool,
    stopping: AtomicBool,
    stop: Mutex<Option<Result<Stop, E>>>,
    changed: Condvar,
    /// The sandboxes of the workers.
    sandboxes: Mutex<Vec<Option<Handle>>>,
}

impl<'a, E: Send> Driver<'a, E> {
    /// So many workers, at least one. The time begins now.
    pub fn new(limits: DriverLimits, workers: usize, interrupted: &'a AtomicBool) -> Driver<'a, E> {
        Driver {
            limits,
            begun: Instant::now(),
            uncounted: AtomicU64::new(0),
            interrupted,
            stopping: AtomicBool::new(false),
            stop: Mutex::new(None),
            changed: Condvar::new(),
            sandboxes: Mutex::new(vec![None; workers.max(1)]),
        }
    }

    /// Works until it is time to stop. `progress` is called every now and then.
    pub fn drive<S: Scheduler<Error = E>>(&self, scheduler: &S, mut progress: impl FnMut()) {
        let count = lock(&self.sandboxes).len();
        thread::scope(|scope| {
            let worker = |number| scope.spawn(move || self.work(scheduler, number));
            let workers: Vec<_> = (0..count).map(worker).collect();
            self.watch(scheduler, &mut progress, || workers.iter().all(|worker| worker.is_finished()));
        });
    }

    fn work<S: Scheduler<Error = E>>(&self, scheduler: &S, number: usize) {
        let worked = scheduler.begin(number).and_then(|mut worker| {
            while let Some(mut job) = self.next(scheduler, &mut worker) {
                let done = contain(|| scheduler.run(&mut worker, &mut job));
                scheduler.finish(&mut worker, job, done)?;
                self.wake();
            }
            Ok(())
        });
        if let Err(error) = worked {
            self.end(Err(error));
        }
        self.wake();
    }

    fn next<S: Scheduler<Error = E>>(&self, scheduler: &S, worker: &mut S::Worker) -> Option<S::Job> {
        contain(|| scheduler.next(worker)).unwrap_or_else(|mistake| {
            scheduler.note_mistake(&mistake);
            self.end(Ok(Stop::Mistake));
            None
        })
    }

    /// Shows progress and has it written down until all workers have ended.
    fn watch<S: Scheduler<Error = E>>(&self, scheduler: &S, progress: &mut impl FnMut(), is_done: impl Fn() -> bool) {
        let (mut written, mut shown, mut stopping) = (Instant::now(), Instant::now(), None);
        while !is_done() {
            thread::sleep(TICK);
            // All workers may be waiting for runs.
            self.should_stop();
            if self.is_urgent() && stopping.get_or_insert_with(Instant::now).elapsed() > GRACE {
                let sandboxes: Vec<_> = lock(&self.sandboxes).iter_mut().filter_map(Option::take).collect();
                Handle::end_all(sandboxes);
            }
            if shown.elapsed() < PROGRESS {
                continue;
            }
            shown = Instant::now();
            self.watch_memory();
            if written.elapsed() >= CHECKPOINT {
                scheduler.checkpoint();
                written = Instant::now();
            }
            progress();
        }
    }

    fn watch_memory(&self) {
        let Some(limit) = self.limits.memory else { return };
        if resident_memory().is_some_and(|bytes| bytes > limit) {
            self.end(Ok(Stop::Memory));
        }
    }

    fn is_urgent(&self) -> bool {
        let is_urgent = |how: &Result<Stop, E>| how.as_ref().is_ok_and(|stop| stop.is_urgent()) || how.is_err();
        self.interrupted.load(Ordering::Relaxed) || lock(&self.stop).as_ref().is_some_and(is_urgent)
    }

    /// The sandbox in which a worker runs programs: when it is time to stop, what runs there is ended.
    pub fn note_sandbox(&self, worker: usize, sandbox: Handle) {
        lock(&self.sandboxes)[worker] = Some(sandbox);
    }

    /// All workers are to stop. What is said first counts.
    pub fn end(&self, how: Result<Stop, E>) {
        lock(&self.stop).get_or_insert(how);
        self.stopping.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// Whether workers are to stop, for whatever reason that is known.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Whether workers are to stop: also because the user wants it or the time is over, since this was last asked.
    pub fn should_stop(&self) -> bool {
        if self.is_stopping() {
            return true;
        }
        let stop = match () {
            () if self.interrupted.load(Ordering::Relaxed) => Some(Stop::Interrupted),
            () if self.left().is_some_and(|left| left.is_zero()) => Some(Stop::Time),
            () => None,
        };
        if let Some(stop) = stop {
            self.end(Ok(stop));
        }
        stop.is_some()
    }

    /// Why workers stop, if they do and it is no error.
    pub fn stop(&self) -> Option<Stop> {
        lock(&self.stop).as_ref().and_then(|how| how.as_ref().ok()).copied()
    }

    /// Why they stopped.
    pub fn into_stop(self) -> Result<Stop, E> {
        self.stop.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(Ok(Stop::Exhausted))
    }

    /// The time that is left, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        self.limits.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// The time since the first worker began, without what was spent before, and without what was waited for.
    pub fn working(&self) -> Duration {
        let workers = lock(&self.sandboxes).len() as u64;
        let uncounted = Duration::from_nanos(self.uncounted.load(Ordering::Relaxed) / workers);
        self.begun.elapsed().saturating_sub(uncounted)
    }

    /// The same with what was spent before.
    pub fn elapsed(&self) -> Duration {
        self.limits.spent + self.working()
    }

    /// Waits like [`Driver::wait`] for something that is not the workers' own work: when all do, that is not counted as time.
    pub fn wait_uncounted<'g, T>(&self, guard: MutexGuard<'g, T>) -> MutexGuard<'g, T> {
        let begun = Instant::now();
        let guard = self.wait(guard);
        self.uncounted.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        guard
    }

    /// Waits until another worker has changed something, or for a moment.
    pub fn wait<'g, T>(&self, guard: MutexGuard<'g, T>) -> MutexGuard<'g, T> {
        self.changed.wait_timeout(guard, WAIT).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Something has changed for which others may wait.
    pub fn wake(&self) {
        self.changed.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts down; what a number does is for the test to say.
    struct Countdown<'a> {
        driver: Driver<'a, String>,
        left: Mutex<u32>,
        done: Mutex<Vec<(u32, bool)>>,
        run: fn(u32) -> Result<(), String>,
    }

    impl Scheduler for Countdown<'_> {
        type Worker = ();
        type Job = u32;
        type Done = ();
        type Error = String;

        fn begin(&self, _number: usize) -> Result<(), String> {
            Ok(())
        }

        fn next(&self, (): &mut ()) -> Option<u32> {
            let mut left = lock(&self.left);
            if self.driver.should_stop() {
                return None;
            }
            if *left == 0 {
                self.driver.end(Ok(Stop::Exhausted));
                return None;
            }
            *left -= 1;
            Some(*left)
        }

        fn run(&self, (): &mut (), job: &mut u32) -> Result<(), String> {
            (self.run)(*job)
        }

        fn finish(&self, (): &mut (), job: u32, done: Ended<Self>) -> Result<(), String> {
            lock(&self.done).push((job, done.is_ok()));
            done.unwrap_or(Ok(()))
        }

        fn note_mistake(&self, _mistake: &Mistake) {}

        fn checkpoint(&self) {}
    }

    fn drive(
        limits: DriverLimits,
        interrupted: bool,
        run: fn(u32) -> Result<(), String>,
    ) -> (Result<Stop, String>, usize) {
        let interrupted = AtomicBool::new(interrupted);
        let driver = Driver::new(limits, 2, &interrupted);
        let countdown = Countdown { driver, left: Mutex::new(10), done: Mutex::default(), run };
        countdown.driver.drive(&countdown, || {});
        let done = lock(&countdown.done).len();
        (countdown.driver.into_stop(), done)
    }

    #[test]
    fn workers_do_all_jobs_even_if_one_panics() {
        let run = |job| if job == 5 { panic!("no five") } else { Ok(()) };
        assert_eq!(drive(DriverLimits::default(), false, run), (Ok(Stop::Exhausted), 10));
    }

    #[test]
    fn an_error_ends_everything() {
        let (stop, done) = drive(DriverLimits::default(), false, |_| Err("no".to_owned()));
        assert_eq!(stop, Err("no".to_owned()));
        assert!(done <= 2);
    }

    #[test]
    fn time_and_the_user_end_it_before_it_begins() {
        let over = DriverLimits { time: Some(Duration::ZERO), ..DriverLimits::default() };
        assert_eq!(drive(over, false, |_| Ok(())), (Ok(Stop::Time), 0));
        assert_eq!(drive(DriverLimits::default(), true, |_| Ok(())), (Ok(Stop::Interrupted), 0));
    }
}
